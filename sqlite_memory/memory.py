"""What the layer returns: frozen values whose fields are the columns of the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from .database import Value


@dataclass(frozen=True, slots=True)
class Memory:
    """One row of `memories`; times are UTC text such as 2026-11-29T21:42:10.123Z.

    `relevance` (BM25, above 0), `strength` (0 to 1) and `score` are set when the memory was recalled, else None;
    `explanation` (factors and addends by name) when recall() was asked for it.
    """

    id: int
    uid: str
    agent_id: str
    user_id: str
    session_id: str | None
    memory_type: str
    key: str | None
    content: str
    metadata: Mapping[str, object]
    importance: float
    access_count: int
    last_accessed_at: str | None
    created_at: str
    updated_at: str
    valid_from: str | None
    valid_to: str | None
    expires_at: str | None
    version: int
    pinned: bool
    relevance: float | None = field(default=None, compare=False)
    strength: float | None = field(default=None, compare=False)
    score: float | None = field(default=None, compare=False)
    explanation: Mapping[str, float] | None = field(default=None, compare=False, repr=False)

    @property
    def tags(self) -> tuple[str, ...]:
        """The texts in `metadata["tags"]`, in their order."""
        tags = self.metadata.get("tags")
        return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()


def from_row(row: tuple[Value, ...], parts: tuple[str, ...] = ()) -> Memory:
    """Make a Memory of a row: the columns of Memory in order, relevance, strength and score after them or not.

    `parts` names the columns after the score that are its explanation.
    """
    values: dict[str, object] = dict(zip(_FIELDS, row, strict=False))
    if parts:
        values["explanation"] = dict(zip(parts, row[len(_FIELDS) :], strict=True))
    values["metadata"] = parse_metadata(values["metadata"])
    values["pinned"] = bool(values["pinned"])
    return Memory(**values)  # type: ignore[arg-type]  # the columns of a STRICT table have these types


COLUMNS = """
  m.id, m.uid, m.agent_id, m.user_id, m.session_id, m.memory_type, m.key, m.content, m.metadata, m.importance,
  m.access_count, m.last_accessed_at, m.created_at, m.updated_at, m.valid_from, m.valid_to, m.expires_at, m.version,
  m.pinned"""
"""The columns of Memory, in the order of its fields."""

_FIELDS = tuple(f.name for f in fields(Memory) if f.name != "explanation")


def parse_metadata(text: object) -> dict[str, object]:
    """Return the JSON object in `text`, or an empty one where plain SQL stored something else."""
    try:
        value = json.loads(str(text))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a scope holds: numbers of memories, bytes of the whole file, times of the oldest and newest."""

    memories: int
    current: int
    by_type: Mapping[str, int]
    sessions: int
    pinned: int
    forgettable: int
    to_segment: int
    oldest: str | None
    newest: str | None
    file_bytes: int


@dataclass(frozen=True, slots=True)
class Report:
    """What check() or repair() found: `ok`, the problems left, and what was done, each as sentences."""

    ok: bool
    problems: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
