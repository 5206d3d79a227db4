"""How a memory became what it is: the chain of a key, and withdrawing without a successor.

Superseding itself happens in schema.sql, so that plain SQL gets it too.
"""

from __future__ import annotations

from . import errors, moments
from .database import Database
from .incoming import Scope
from .memory import COLUMNS, Memory, from_row
from .store import GET

CHAIN = "SELECT " + COLUMNS + """
  FROM memories AS m
 WHERE m.agent_id = :agent_id AND m.user_id = :user_id AND m.key = :key
   AND (:memory_type IS NULL OR m.memory_type = :memory_type)
 ORDER BY coalesce(julianday(m.valid_from), julianday(m.created_at)), m.id
"""


def history(database: Database, scope: Scope, id_or_key: int | str) -> list[Memory]:
    """Return all versions of a key, oldest first; for an id those of its type and key, or the memory alone."""
    if isinstance(id_or_key, str):
        key, memory_type = id_or_key, None
    else:
        rows = database.rows(GET, {"id": id_or_key, **scope.bindings()})
        if not rows:
            return []
        memory = from_row(rows[0])
        if memory.key is None:
            return [memory]
        key, memory_type = memory.key, memory.memory_type
    rows = database.rows(CHAIN, {"key": key, "memory_type": memory_type, **scope.bindings()})
    return [from_row(row) for row in rows]


WITHDRAW = """
UPDATE memories SET valid_to = min(coalesce(valid_to, :now), :now)
 WHERE id = :id AND agent_id = :agent_id AND user_id = :user_id
"""


def withdraw(database: Database, scope: Scope, id: int) -> Memory:
    """Close a memory now, without a successor, and return it; one that is closed already stays as it is."""
    here = {"id": id, **scope.bindings()}
    with database.writing() as connection:
        connection.execute(WITHDRAW, {**here, "now": moments.now()})
        row = connection.execute(GET, here).fetchone()
    if row is None:
        raise errors.NoSuchMemory(f"this scope has no memory with id {id}")
    return from_row(row)
