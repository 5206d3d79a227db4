"""Read memories from JSONL: one JSON object a line with the names of the columns.

Nothing is judged here: what was a memory elsewhere is one here. Checks of single values are `incoming`'s.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from itertools import islice
from typing import IO

from . import errors, moments, upkeep
from .admission import Row
from .database import Database
from .incoming import Scope, importance_of, incoming, name, whole
from .policy import Policy, read_policy
from .store import BY_UID

BATCH = 1_000
"""Lines written in one transaction."""

FIELDS = frozenset(
    """uid agent_id user_id session_id memory_type key content metadata tags importance access_count last_accessed_at
    created_at valid_from valid_to expires_at pinned""".split()
)
"""Names that a line may use; `updated_at` and `version` are the file's own, other names go into metadata."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many lines became memories, and how many were there already."""

    stored: int
    present: int


class BadLines(errors.SQLiteMemoryError):
    """Lines of an import that cannot be read; `lines` maps their numbers (from 1) to what is wrong."""

    def __init__(self, message: str, lines: dict[int, str]) -> None:
        super().__init__(message)
        self.lines = lines


PRESENT = f"SELECT id FROM memories WHERE {BY_UID}"

INSERT = """
INSERT INTO memories (
  uid, agent_id, user_id, session_id, memory_type, key, content, metadata, importance, access_count, last_accessed_at,
  created_at, updated_at, valid_from, valid_to, expires_at, pinned, content_segmented, characters, fingerprint
) VALUES (
  :uid, :agent_id, :user_id, :session_id, :memory_type, :key, :content, :metadata, :importance, :access_count,
  :last_accessed_at, :created_at, :now, :valid_from, :valid_to, :expires_at, :pinned, :content_segmented, :characters,
  :fingerprint
)
"""


def import_jsonl(
    database: Database,
    path: str | os.PathLike[str] | IO[bytes],
    scope: Scope,
    *,
    progress: upkeep.Progress | None = None,
) -> Imported:
    """Store the lines of a file (or of a binary stream) in their order, 1,000 a transaction.

    A line without `uid` (or a text `id`) gets one made of the line, so that the same file can be imported again without
    doubling anything. A batch that holds a line that cannot be read is not written and ends the import: BadLines.
    `progress` gets bytes read and bytes in all (0 for a stream).
    """
    if not isinstance(path, (str, os.PathLike)):
        return _import(database, path, scope, 0, progress)
    try:
        with open(path, "rb") as file:
            return _import(database, file, scope, os.path.getsize(path), progress)
    except OSError as error:
        raise errors.SQLiteMemoryError(f"{os.fspath(path)}: {error.strerror}") from error


def _import(
    database: Database, file: IO[bytes], scope: Scope, size: int, progress: upkeep.Progress | None
) -> Imported:
    stored = present = read = 0
    lines = enumerate(iter(file.readline, b""), 1)
    while batch := list(islice(lines, BATCH)):
        policy = read_policy(database)
        rows = _rows(database, batch, scope, policy, stored + present)
        with database.writing() as connection:
            for row in rows:
                if connection.execute(PRESENT, row).fetchone():
                    present += 1
                else:
                    connection.execute(INSERT, row)
                    stored += 1
            connection.execute(upkeep.MERGE, upkeep.MANY)
        read += sum(len(line) for _, line in batch)
        if progress:
            progress(read, size)
    return Imported(stored, present)


def _rows(
    database: Database, batch: list[tuple[int, bytes]], scope: Scope, policy: Policy, before: int
) -> list[Row]:
    rows: list[Row] = []
    bad: dict[int, str] = {}
    segmenter = read_policy(database).segmenter
    for place, line in batch:
        if not line.strip(b"\xef\xbb\xbf \t\r\n"):
            continue
        try:
            row = _row(line, scope, policy)
            rows.append({**row, **upkeep.indexed(str(row["content"]), segmenter)})
        except (ValueError, TypeError) as error:
            bad[place] = str(error)
    if bad:
        first, last = batch[0][0], batch[-1][0]
        listed = "; ".join(f"line {place}: {what}" for place, what in islice(bad.items(), 20))
        raise BadLines(
            f"lines {first} to {last} were not imported ({before} memories of earlier lines were): {listed}", bad
        )
    return rows


def _row(line: bytes, scope: Scope, policy: Policy) -> Row:
    fields = _fields(line)
    metadata = fields.pop("metadata", None)
    if metadata is None:
        metadata = {}
    if not isinstance(metadata, dict):
        raise TypeError("metadata must be an object")
    given_id = fields.pop("id", None)
    uid = fields.pop("uid", None) or (given_id if isinstance(given_id, str) else None)
    extra = {key: fields.pop(key) for key in list(fields) if key not in FIELDS | {"updated_at", "version"}}
    columns = {key: value for key, value in fields.items() if value is not None}
    memory = incoming(
        columns.get("content"), metadata={**extra, **metadata}, tags=columns.get("tags", ()),
        **{key: columns[key] for key in _REMEMBERED & columns.keys()},
    )
    importance = policy.of(memory.memory_type).importance if memory.importance is None else memory.importance
    return {
        **memory.bindings(),
        "importance": importance_of(importance),
        "agent_id": name(columns.get("agent_id", scope.agent_id), "agent_id"),
        "user_id": name(columns.get("user_id", scope.user_id), "user_id"),
        "uid": _uid_of(line) if uid is None else name(uid, "uid"),
        "access_count": whole(columns.get("access_count", 0), "access_count"),
        "last_accessed_at": _moment(columns, "last_accessed_at"),
        "valid_to": _moment(columns, "valid_to"),
        "now": moments.now(),
    }


_REMEMBERED = frozenset(
    "memory_type key session_id importance created_at valid_from expires_at pinned".split()
)


def _fields(line: bytes) -> dict[str, object]:
    def refuse(constant: str) -> float:
        raise ValueError(f"{constant} is not JSON")

    try:
        fields = json.loads(line.decode("utf-8-sig"), parse_constant=refuse)
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    if not isinstance(fields.get("content"), str):
        raise ValueError("content is missing or not text")
    if not fields["content"].strip():
        raise ValueError("content is blank")
    return fields


def _uid_of(line: bytes) -> str:
    return hashlib.blake2b(line.strip(), digest_size=16).hexdigest()


def _moment(columns: dict[str, object], column: str) -> str | None:
    value = columns.get(column)
    return None if value is None else moments.canonical(value, column)  # type: ignore[arg-type]  # it raises TypeError itself
