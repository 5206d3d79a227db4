"""A dense baseline: vectors in one SQLite table, cosine by numpy over the vectors of one agent, held in memory."""

from __future__ import annotations

import pathlib
import sqlite3
from collections import defaultdict
from collections.abc import Callable

import numpy

SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (id TEXT PRIMARY KEY, agent_id TEXT, vector BLOB)"


class DenseStore:
    """An adapter around two functions that turn a text into a unit vector: one for memories, one for queries."""

    def __init__(
        self,
        folder: pathlib.Path,
        passage: Callable[[str], numpy.ndarray],
        query: Callable[[str], numpy.ndarray],
    ) -> None:
        self.passage, self.query = passage, query
        self.connection = sqlite3.connect(folder / "vectors.db", isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        self.connection.execute(SCHEMA)
        self.ids: dict[str, list[str]] = defaultdict(list)
        self.vectors: dict[str, list[numpy.ndarray]] = defaultdict(list)
        self.matrices: dict[str, numpy.ndarray] = {}
        for own_id, agent_id, blob in self.connection.execute("SELECT id, agent_id, vector FROM vectors"):
            self.hold(own_id, agent_id, numpy.frombuffer(blob, numpy.float32))

    def hold(self, own_id: str, agent_id: str, vector: numpy.ndarray) -> None:
        """Keep one vector in memory."""
        self.ids[agent_id].append(own_id)
        self.vectors[agent_id].append(vector)
        self.matrices.pop(agent_id, None)

    def add(self, memory: dict[str, str]) -> str:
        """Embed and store one memory."""
        vector = numpy.asarray(self.passage(memory["content"]), numpy.float32)
        row = (memory["id"], memory["agent_id"], vector.tobytes())
        self.connection.execute("INSERT INTO vectors VALUES (?, ?, ?)", row)
        self.hold(memory["id"], memory["agent_id"], vector)
        return memory["id"]

    def search(self, query: str, agent_id: str, limit: int) -> list[str]:
        """Return the ids with the highest cosine."""
        vector = self.query(query)
        if not self.vectors[agent_id]:
            return []
        if agent_id not in self.matrices:
            self.matrices[agent_id] = numpy.stack(self.vectors[agent_id])
        best = numpy.argsort(-(self.matrices[agent_id] @ vector), kind="stable")[:limit]
        return [self.ids[agent_id][place] for place in best]

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
