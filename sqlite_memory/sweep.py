"""Let go: which memories a sweep takes, and the sweep itself.

The policy's own choice is the view `forgettable` in schema.sql; FORGETTABLE is the same with arguments.
"""

from __future__ import annotations

import json

from . import moments
from .admission import Row
from .database import Database
from .incoming import Scope, flag, name, number
from .store import id_of

FORGETTABLE = """
SELECT m.id FROM memories AS m
 CROSS JOIN strength_at AS s ON s.id = m.id AND s.moment = json_array(:moment)
 WHERE m.pinned = 0
   AND (:all_scopes OR (m.agent_id = :agent_id AND m.user_id = :user_id))
   AND (:memory_type IS NULL OR m.memory_type = :memory_type)
   AND (:session_id IS NULL OR m.session_id = :session_id)
   AND (julianday(m.expires_at) <= julianday(:moment)
     OR (s.days >= coalesce(:max_age_days, (SELECT value FROM policy WHERE name = 'forget_max_age_days'))
       AND m.importance < coalesce(:min_importance, (SELECT value FROM policy WHERE name = 'forget_min_importance'))))
 ORDER BY m.id
"""



def limits(
    scope: Scope,
    *,
    max_age_days: object = None,
    min_importance: object = None,
    memory_type: object = None,
    session_id: object = None,
    all_scopes: object = False,
) -> Row:
    """Return the checked parameters of FORGETTABLE. Raises TypeError or ValueError that names the argument."""
    return {
        **scope.bindings(),
        "moment": moments.now(),
        "max_age_days": _positive(max_age_days, "max_age_days"),
        "min_importance": _positive(min_importance, "min_importance"),
        "memory_type": None if memory_type is None else name(memory_type, "memory_type"),
        "session_id": None if session_id is None else name(session_id, "session_id"),
        "all_scopes": flag(all_scopes, "all_scopes"),
    }


def _positive(value: object, argument: str) -> float | None:
    if value is None:
        return None
    limit = number(value, argument)
    if limit <= 0:
        raise ValueError(f"{argument}={value!r} must be above 0")
    return limit


def forget(database: Database, bindings: Row, *, dry_run: bool) -> list[int]:
    """Return the ids that FORGETTABLE selects, in order, and unless `dry_run` delete them in the same transaction."""
    if dry_run:
        return [id_of(row) for row in database.rows(FORGETTABLE, bindings)]
    with database.writing() as connection:
        gone = [id_of(row) for row in connection.execute(FORGETTABLE, bindings).fetchall()]
        connection.execute("DELETE FROM memories WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(gone),))
    return gone
