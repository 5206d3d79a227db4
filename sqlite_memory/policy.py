"""What a file says of itself: what each type is worth, limits and weights by name, words to keep whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import apsw

from .database import Database
from .schema import default_policy
from .text import Segmenter, segmenter_for


@dataclass(frozen=True, slots=True)
class MemoryType:
    """One row of memory_types: importances from 0 to 10, half-life in days."""

    importance: float
    min_importance: float
    half_life: float
    verbatim: bool


@dataclass(frozen=True, slots=True)
class Policy:
    """The rows of `policy` and `memory_types`, and what cuts text with the words of `dictionary`."""

    values: Mapping[str, float]
    types: Mapping[str, MemoryType]
    segmenter: Segmenter

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def of(self, memory_type: str) -> MemoryType:
        """Return the policy of a type; a type without a row counts as `fact`."""
        return self.types.get(memory_type) or self.types.get("fact") or MemoryType(5.0, 2.0, 90.0, False)


def read_policy(database: Database) -> Policy:
    """Return the policy of the file, which any process may have changed since the last look."""
    return database.setting(_read)


def _read(connection: apsw.Connection) -> Policy:
    values = {name: value for name, value in connection.execute("SELECT name, value FROM policy")}
    types = {
        name: MemoryType(importance, min_importance, half_life, bool(verbatim))
        for name, importance, min_importance, half_life, verbatim in connection.execute(
            "SELECT memory_type, importance, min_importance, half_life, verbatim FROM memory_types"
        )
    }
    words = tuple(str(word) for (word,) in connection.execute("SELECT word FROM dictionary ORDER BY word"))
    return Policy({**default_policy(), **values}, types, segmenter_for(words))
