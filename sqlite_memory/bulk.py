"""Write many admitted memories: one statement for a batch, run in a thread of its own while the next batch is judged.

SQLite works without Python's lock, so the two go on side by side. Judging is `admission`'s, single rows are `store`'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from operator import itemgetter
from types import TracebackType

import apsw

from . import upkeep
from .admission import Admission
from .database import Database, Value
from .policy import read_policy
from .store import WRITTEN, id_of, store_one
from .text import Segmenter

BATCH = 500
"""Rows of one transaction, which holds the write lock for some 50 ms."""

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
    """Do what store() does, with one statement for each run of rows that have no key and no equal among themselves."""
    with database.writing() as connection:
        stale = read_policy(database).segmenter is not segmenter
        ids: list[int | None] = []
        for alone, run in groupby(_marked(admissions), key=itemgetter(0)):
            batch = [admission for _, admission in run]
            new = {} if alone else _inserted(connection, batch, stale=stale)
            ids += [
                new.get(_fingerprint(admission)) or store_one(connection, admission, stale=stale) for admission in batch
            ]
        connection.execute(upkeep.MERGE, upkeep.MANY)
    return ids


def _marked(admissions: Sequence[Admission]) -> Iterator[tuple[bool, Admission]]:
    """Mark what has to be stored by itself: a row with a key, or with a text that the batch had before."""
    seen: set[Value] = set()
    for admission in admissions:
        fingerprint = _fingerprint(admission)
        yield admission.row is not None and (admission.row["key"] is not None or fingerprint in seen), admission
        seen.add(fingerprint)


def _fingerprint(admission: Admission) -> Value:
    return None if admission.row is None else admission.row["fingerprint"]


LAST = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'memories'"

# In the order of the list; a text that the file has already, in whatever scope, is left to store_one().
INSERT = f"""
INSERT INTO memories ({", ".join(WRITTEN)})
SELECT {", ".join(f"value ->> '{column}'" for column in WRITTEN)} FROM json_each(:rows)
 WHERE NOT EXISTS (SELECT 1 FROM memories WHERE fingerprint = value ->> 'fingerprint')
"""

# One row: Python's lock, which the other thread holds, is asked for once a row.
INSERTED = "SELECT json_group_object(fingerprint, id) FROM memories WHERE id > :last AND fingerprint IS NOT NULL"


def _inserted(connection: apsw.Connection, batch: Sequence[Admission], *, stale: bool) -> dict[Value, int]:
    """Insert rows of different texts, all but those that the file has, and return their ids by fingerprint."""
    rows = [{**admission.row, "needs_segment": stale} for admission in batch if admission.row is not None]
    last = id_of(connection.execute(LAST).fetchall()[0])
    connection.execute(INSERT, {"rows": json.dumps(rows, ensure_ascii=False)})
    ((inserted,),) = connection.execute(INSERTED, {"last": last}).fetchall()
    ids: dict[Value, int] = json.loads(str(inserted))
    return ids
