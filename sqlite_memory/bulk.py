"""Write many admitted memories: one statement for a batch, run in a thread of its own while the next batch is judged.

SQLite works without Python's lock, so the two go on side by side. Judging is `admission`'s, single rows are `store`'s.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from operator import itemgetter
from types import TracebackType

import apsw

from . import upkeep
from .admission import Admission, Row
from .database import Database
from .store import WRITTEN, id_of, store_one
from .text import Segmenter

BATCH = 250
"""Rows of one transaction, which holds the write lock for some 40 ms."""

class Writer:
    """Stores batch after batch, each in one transaction, and gathers the ids in order; leaving it waits for the last.

    A batch that cannot be written raises at the next write() or at the end; those before it are kept.
    """

    def __init__(self, database: Database, segmenter: Segmenter) -> None:
        self.ids: list[int | None] = []
        self._database = database
        self._segmenter = segmenter
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqlite-memory")
        self._written: Future[list[int | None]] | None = None

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._thread:
            self._wait()

    def write(self, batch: Sequence[Admission]) -> None:
        """Store a batch in the background, after the one before it."""
        self._wait()
        self._written = self._thread.submit(store_many, self._database, batch, self._segmenter)

    def _wait(self) -> None:
        written, self._written = self._written, None
        if written is not None:
            self.ids += written.result()


def store_many(database: Database, admissions: Sequence[Admission], segmenter: Segmenter) -> list[int | None]:
    """Do what store() does, with one statement for each run of rows that cannot meet another memory."""
    with database.writing() as connection:
        stale = upkeep.segmenter_of(database) is not segmenter
        ids: list[int | None] = []
        for careful, run in groupby(_with_care(connection, admissions), key=itemgetter(0)):
            if careful:
                ids += [store_one(connection, admission, stale=stale) for _, admission in run]
            else:
                ids += _insert(connection, [{**(admission.row or {}), "needs_segment": stale} for _, admission in run])
        connection.execute(upkeep.MERGE, upkeep.MANY)
    return ids


KNOWN = """
SELECT value FROM json_each(:fingerprints) WHERE EXISTS (SELECT 1 FROM memories WHERE fingerprint = value)
"""


def _with_care(connection: apsw.Connection, admissions: Sequence[Admission]) -> list[tuple[bool, Admission]]:
    """Mark what has to be stored by itself: a row with a key, or with a text that the file or the batch has already."""
    fingerprints = [admission.row["fingerprint"] for admission in admissions if admission.row is not None]
    seen = {text for (text,) in connection.execute(KNOWN, {"fingerprints": json.dumps(fingerprints)})}
    marked = []
    for admission in admissions:
        row = admission.row
        careful = row is None or row["key"] is not None or row["fingerprint"] in seen
        marked.append((careful, admission))
        if row is not None:
            seen.add(row["fingerprint"])
    return marked


INSERT = f"""
INSERT INTO memories ({", ".join(WRITTEN)})
SELECT {", ".join(f"value ->> '{column}'" for column in WRITTEN)} FROM json_each(:rows)
RETURNING id, fingerprint
"""


def _insert(connection: apsw.Connection, rows: list[Row]) -> list[int]:
    """Insert rows of different texts, in their order, and return their ids."""
    inserted = connection.execute(INSERT, {"rows": json.dumps(rows, ensure_ascii=False)}).fetchall()
    ids = {fingerprint: id_of((id,)) for id, fingerprint in inserted}
    return [ids[row["fingerprint"]] for row in rows]
