"""Long work in short transactions: how many rows each may take so that other processes can write meanwhile.

What is written is left to those who use it: the sweep, the archive, clearing a scope.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

import apsw

from .database import Database

Item = TypeVar("Item")

PAUSE = 0.01
"""Seconds between two transactions: a waiting writer asks about that often."""

LOCK_SECONDS = 0.01
"""Seconds that a transaction should hold the write lock; the index merges its segments in some of them."""

FIRST = 25
"""Rows of the first transaction, when nothing is measured yet."""

MOST = 2_000
"""Rows of a transaction at most."""


# FTS5 saves its merging up and does hundreds of pages in one commit of some fifty; small steps leave it none to save.
MERGE = "INSERT INTO memories_fts (memories_fts, rank) VALUES ('merge', 16)"

STEPS = 40
"""Steps of MERGE after a transaction at most; each holds the lock for some 3 ms."""


class Pace:
    """Deals out batches, with a pause between them, and sizes each by the time that the one before held the lock."""

    def __init__(self, database: Database, pause: float = PAUSE) -> None:
        self._database = database
        self._pause = pause
        self.size = FIRST

    def batches(self, items: Sequence[Item]) -> Iterator[Sequence[Item]]:
        """Yield `items` in order, so many at a time as the pace allows then."""
        place = 0
        while place < len(items):
            if place:
                self.rest()
            batch = items[place : place + self.size]
            place += len(batch)
            yield batch

    @contextlib.contextmanager
    def writing(self, rows: int) -> Iterator[apsw.Connection]:
        """Run one transaction over so many rows and measure it from the lock to the end of the commit."""
        with self._database.writing() as connection:
            began = time.monotonic()
            yield connection
        seconds = max(time.monotonic() - began, 1e-6)
        # A commit that moves the log into the file looks slow, though it has let the lock go by then: halve at most.
        self.size = min(max(int(rows * LOCK_SECONDS / seconds), self.size // 2, 1), 2 * self.size, MOST)

    def rest(self) -> None:
        """Let others write: merge what the transaction before has left to merge, in small steps, and pause."""
        self._merge()
        time.sleep(self._pause)

    def _merge(self) -> None:
        for _ in range(STEPS):
            with self._database.writing() as connection:
                before = connection.total_changes()
                connection.execute(MERGE)
                if connection.total_changes() - before < 2:
                    return  # FTS5's sign that nothing is left to merge
            time.sleep(self._pause / 4)
