"""Write many admitted memories: one statement for a batch, run in a thread of its own while the next batch is judged.

SQLite works without Python's lock, so the two go on side by side. Judging is `admission`'s, single rows are `store`'s.
"""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import groupby
from types import TracebackType

import apsw

from . import upkeep
from .admission import Admission, Row
from .database import Database, Value
from .errors import SQLiteMemoryError
from .policy import read_policy
from .store import WRITTEN, id_of, store_one
from .text import Segmenter

BATCH = 2_000
"""Rows of one transaction, which holds the write lock for some 100 ms. The thread waits for Python's lock at each of its
twelve calls of SQLite, up to 5 ms, however many rows they are for: batches of 500 take a fifth longer a row."""


class Writer:
    """Stores batch after batch, each in one transaction, and gathers the ids in order; leaving it waits for the last.

    A batch that cannot be written raises at the next write() or at the end; those before it are kept. A fork waits for
    the batch that is being written, for SQLite's locks must not be held meanwhile; the thread stays with the parent.
    """

    def __init__(self, database: Database, segmenter: Segmenter) -> None:
        self.ids: list[int | None] = []
        self._database = database
        self._segmenter = segmenter
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqlite-memory")
        self._written: Future[list[int | None]] | None = None
        self._pid = os.getpid()
        _writers.add(self)

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._thread:
            self._wait()

    def write(self, batch: Sequence[Admission]) -> None:
        """Store a batch in the background, after the one before it."""
        if self._pid != os.getpid():
            raise SQLiteMemoryError("remember_many() cannot go on in a forked child: call it anew there")
        self._wait()
        self._written = self._thread.submit(store_many, self._database, batch, self._segmenter)

    def pause(self) -> None:
        """Wait for the batch that is being written and leave its ids, or its error, to whoever asks next."""
        if self._written is not None:
            wait([self._written])

    def _wait(self) -> None:
        written, self._written = self._written, None
        if written is not None:
            self.ids += written.result()


_writers: weakref.WeakSet[Writer] = weakref.WeakSet()


def _pause_all() -> None:
    for writer in list(_writers):
        writer.pause()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_pause_all)


def store_many(database: Database, admissions: Sequence[Admission], segmenter: Segmenter) -> list[int | None]:
    """Do what store() does, with one statement for each run of rows that cannot meet another memory."""
    rows = [admission.row for admission in admissions if admission.row is not None]
    if not rows:
        return [None] * len(admissions)
    ids: list[int] = []
    with database.writing() as connection:
        if read_policy(database).segmenter is not segmenter:
            rows = [{**row, "needs_segment": 1} for row in rows]
        for alone, run in groupby(rows, key=_alone(connection, rows)):
            group = list(run)
            ids += [store_one(connection, row) for row in group] if alone else _insert(connection, group)
        connection.execute(upkeep.MERGE, upkeep.MANY)
    stored = iter(ids)
    return [None if admission.row is None else next(stored) for admission in admissions]


# Each statement gives one row: Python's lock, which the other thread holds, is asked for once a row.
KNOWN = """
SELECT json_group_array(value) FROM json_each(:fingerprints)
 WHERE EXISTS (SELECT 1 FROM memories WHERE fingerprint = value)
"""


def _alone(connection: apsw.Connection, rows: Sequence[Row]) -> Callable[[Row], bool]:
    """Return what tells, asked in order, which rows to store one by one: with a key, or a text that was there before."""
    fingerprints = json.dumps([row["fingerprint"] for row in rows])
    ((known,),) = connection.execute(KNOWN, {"fingerprints": fingerprints}).fetchall()
    seen: set[Value] = set(json.loads(str(known)))

    def alone(row: Row) -> bool:
        if row["key"] is not None or row["fingerprint"] in seen:
            return True
        seen.add(row["fingerprint"])
        return False

    return alone


LAST = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'memories'"
INSERT = f"""
INSERT INTO memories ({", ".join(WRITTEN)})
SELECT {", ".join(f"value ->> {place}" for place in range(len(WRITTEN)))} FROM json_each(:rows)
"""
INSERTED = "SELECT json_group_object(fingerprint, id) FROM memories WHERE id > :last AND fingerprint IS NOT NULL"


def _insert(connection: apsw.Connection, rows: list[Row]) -> list[int]:
    """Insert rows of different texts, in their order, and return their ids."""
    last = id_of(connection.execute(LAST).fetchall()[0])
    values = [[row[column] for column in WRITTEN] for row in rows]
    connection.execute(INSERT, {"rows": json.dumps(values, ensure_ascii=False)})
    ((inserted,),) = connection.execute(INSERTED, {"last": last}).fetchall()
    ids: dict[Value, int] = json.loads(str(inserted))
    return [ids[row["fingerprint"]] for row in rows]
