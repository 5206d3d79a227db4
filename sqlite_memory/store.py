"""Store, read, change and delete single memories inside one scope.

Arguments come in checked; what a sweep takes is `sweep`'s, what a query finds `ranking`'s.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

import apsw

from . import errors, upkeep
from .admission import Admission, Row
from .database import Database, Value
from .incoming import Scope
from .memory import COLUMNS, Memory, Stats, from_row
from .policy import read_policy
from .text import Segmenter

BY_UID = "uid = :uid AND +agent_id = :agent_id AND +user_id = :user_id"
"""One memory of a scope, whatever file it comes from. The "+" keeps the planner from reading the scope row by row."""

# The current row with the same text; turns of a conversation repeat themselves, so they must be the same turn.
DUPLICATE = """
SELECT id FROM memories
 WHERE :reinforce_exact AND fingerprint = :fingerprint AND +agent_id = :agent_id AND +user_id = :user_id
   AND memory_type = :memory_type AND key IS :key AND valid_to IS NULL
   AND (expires_at IS NULL OR coalesce(julianday(expires_at) > julianday(:updated_at), 1))
   AND (key IS NULL OR valid_from <= :valid_from)        -- an earlier version of the same text is a version of its own
   AND (NOT :verbatim OR (session_id IS :session_id AND created_at = :created_at))
 ORDER BY id LIMIT 1
"""

def duplicate(database: Database, row: Row) -> int | None:
    """Return the id of the current memory of the scope with the same text as a row, or None."""
    rows = database.rows(DUPLICATE, {**row, "verbatim": 0})
    return id_of(rows[0]) if rows else None


# A near duplicate may have been closed or deleted since it was compared; then nothing is reinforced.
REINFORCE = """
UPDATE memories SET
  importance = min(10.0, max(importance, :importance) + :reinforcement),
  pinned = max(pinned, :pinned),
  expires_at = CASE WHEN :expires_at IS NULL THEN NULL ELSE max(expires_at, :expires_at) END,
  metadata = json_patch(
    json_patch(CASE WHEN json_valid(metadata) THEN metadata ELSE '{}' END, :metadata),
    CASE WHEN json_type(:metadata, '$.tags') IS NULL THEN '{}' ELSE json_object('tags', json((   -- tags of both
      SELECT json_group_array(DISTINCT value) FROM (
        SELECT value FROM json_each(CASE WHEN json_valid(metadata) THEN metadata ELSE '{}' END, '$.tags')
        UNION ALL SELECT value FROM json_each(:metadata, '$.tags'))))) END)
 WHERE id = :id AND valid_to IS NULL RETURNING id
"""

WRITTEN = (
    "agent_id", "user_id", "session_id", "memory_type", "key", "content", "metadata", "importance", "created_at",
    "updated_at", "valid_from", "expires_at", "pinned", "content_segmented", "characters", "fingerprint",
    "needs_segment",
)
"""The columns of a new memory; the others have their defaults."""

INSERT = f"INSERT INTO memories ({', '.join(WRITTEN)}) SELECT {', '.join(f':{column}' for column in WRITTEN)}"

INSERT_NEW = INSERT + f" WHERE NOT EXISTS ({DUPLICATE})"


def store(
    database: Database,
    admissions: Sequence[Admission],
    segmenter: Segmenter,
    *,
    anew: Callable[[], Iterable[Admission]] | None = None,
) -> list[int | None]:
    """Store what was admitted in one transaction and return the ids in order; None for what was refused.

    `segmenter` has cut the rows: should the dictionary have changed since, they are flagged to be cut anew. `anew`
    admits the same once more inside the transaction, one after the other, so that each is judged beside those stored
    before it.
    """
    if all(admission.row is None for admission in admissions):
        return [None] * len(admissions)
    with database.writing() as connection:
        stale = read_policy(database).segmenter is not segmenter
        ids = [_store(connection, admission, stale) for admission in (anew() if anew else admissions)]
        connection.execute(upkeep.MERGE, upkeep.FEW if len(ids) == 1 else upkeep.MANY)
    return ids


def _store(connection: apsw.Connection, admission: Admission, stale: bool) -> int | None:
    if admission.row is None:
        return None
    row = {**admission.row, "needs_segment": 1} if stale else admission.row
    return store_one(connection, row, nearly=admission.reinforces)


def store_one(connection: apsw.Connection, row: Row, *, nearly: int | None = None) -> int:
    """Reinforce the memory that has the same text, or nearly the same, else insert; return its id."""
    if nearly is None:
        connection.execute(INSERT_NEW, row)
        if connection.changes():
            return connection.last_insert_rowid()
    same = connection.execute(DUPLICATE, row).fetchone()
    known = nearly if same is None else id_of(same)
    if known is not None and connection.execute(REINFORCE, {**row, "id": known}).fetchall():
        return known
    return insert(connection, row)


def insert(connection: apsw.Connection, row: Row) -> int:
    """Insert a row and return its id."""
    connection.execute(INSERT, row)
    return connection.last_insert_rowid()


GET = "SELECT " + COLUMNS + " FROM memories AS m WHERE id = :id AND agent_id = :agent_id AND user_id = :user_id"


def get(database: Database, scope: Scope, id: int) -> Memory | None:
    """Return one memory of the scope, or None."""
    rows = database.rows(GET, {"id": id, **scope.bindings()})
    return from_row(rows[0]) if rows else None


# The old words must leave the index with the old content, so content goes first and what is made of it second.
UPDATE = """
UPDATE memories SET
  content = coalesce(:content, content),
  importance = coalesce(:importance, importance),
  metadata = CASE WHEN :patch IS NOT NULL
                    THEN json_patch(CASE WHEN json_valid(metadata) THEN metadata ELSE '{}' END, :patch)
                  WHEN :content IS NOT NULL AND json_valid(metadata) AND json_type(metadata, '$.sensitive') IS NOT NULL
                    THEN json_remove(metadata, '$.sensitive')   -- what the old content was flagged for
                  ELSE metadata END
 WHERE id = :id AND agent_id = :agent_id AND user_id = :user_id
"""



def update(
    database: Database, scope: Scope, id: int, changes: Row, segmented: Row | None, expected_version: int | None
) -> Memory:
    """Change one memory in one transaction and return it; `segmented` is what the index needs of a new content."""
    with database.writing() as connection:
        _current(connection, scope, id, expected_version)
        connection.execute(UPDATE, {"id": id, **scope.bindings(), **changes})
        if segmented is not None:
            connection.execute(upkeep.MERGE, upkeep.FEW)
            connection.execute(upkeep.SEGMENT, {"id": id, "bytes": str(segmented["content"]).encode(), **segmented})
        return _current(connection, scope, id, None)


def _current(connection: apsw.Connection, scope: Scope, id: int, expected_version: int | None) -> Memory:
    row = connection.execute(GET, {"id": id, **scope.bindings()}).fetchone()
    if row is None:
        raise errors.NoSuchMemory(f"this scope has no memory with id {id}")
    current = from_row(row)
    if expected_version is not None and current.version != expected_version:
        message = f"memory {id} has version {current.version}, not {expected_version}: read it again"
        raise errors.Conflict(message, current)
    return current


# "+" as in BY_UID.
TOUCH = """
UPDATE memories SET access_count = access_count + 1, last_accessed_at = max(coalesce(last_accessed_at, ''), :moment)
 WHERE id IN (SELECT value FROM json_each(:ids)) AND +agent_id = :agent_id AND +user_id = :user_id
"""



def touch(database: Database, scope: Scope, ids: Sequence[int], moment: str, *, wait: bool = True) -> int:
    """Count one access of each memory at `moment` and return how many there were; the index is not written."""
    with database.writing(wait=wait) as connection:
        connection.execute(TOUCH, {"ids": json.dumps(ids), "moment": moment, **scope.bindings()})
        return connection.changes()


DELETE = """
DELETE FROM memories
 WHERE id IN (SELECT value FROM json_each(:ids)) AND +agent_id = :agent_id AND +user_id = :user_id
"""



def delete(database: Database, scope: Scope, ids: Sequence[int]) -> int:
    """Delete memories of the scope and return how many there were."""
    with database.writing() as connection:
        connection.execute(DELETE, {"ids": json.dumps(ids), **scope.bindings()})
        return connection.changes()


STATS = """
SELECT
  count(*), coalesce(sum(valid_to IS NULL), 0), count(DISTINCT session_id), coalesce(sum(pinned), 0),
  coalesce(sum(needs_segment), 0), min(created_at), max(created_at),
  (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
  FROM memories WHERE agent_id = :agent_id AND user_id = :user_id
"""
BY_TYPE = """
SELECT memory_type, count(*) FROM memories WHERE agent_id = :agent_id AND user_id = :user_id
 GROUP BY memory_type ORDER BY memory_type
"""


def stats(database: Database, scope: Scope, *, forgettable: int) -> Stats:
    """Return how much the scope holds."""
    (row,) = database.rows(STATS, scope.bindings())
    by_type = database.rows(BY_TYPE, scope.bindings())
    return Stats(**dict(zip(STATS_FIELDS, row, strict=True)), by_type=dict(by_type), forgettable=forgettable)  # type: ignore[arg-type]  # columns of a STRICT table


STATS_FIELDS = ("memories", "current", "sessions", "pinned", "to_segment", "oldest", "newest", "file_bytes")


def id_of(row: Sequence[Value]) -> int:
    """Return the first column of a row, an id."""
    id = row[0]
    assert isinstance(id, int)
    return id
