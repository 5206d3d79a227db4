"""What recall() is restricted to: the condition in SQL and the check of its arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from . import moments
from .database import Value
from .incoming import Scope, flag, importance_of, name, names
from .text import clean

# A wanted metadata value is found by walking its keys one by one, so that a key is never read as a path.
FILTER = """
      m.agent_id = :agent_id AND m.user_id = :user_id
  AND (:include_superseded OR m.valid_to IS NULL OR coalesce(julianday(m.valid_to) > julianday(:moment), 0))
  AND (:as_of IS NULL OR coalesce(max(julianday(m.created_at), julianday(m.valid_from)) <= julianday(:as_of), 1))
  AND (m.expires_at IS NULL OR coalesce(julianday(m.expires_at) > julianday(:moment), 1))
  AND (:memory_types IS NULL OR m.memory_type IN (SELECT value FROM json_each(:memory_types)))
  AND (:session_id IS NULL OR m.session_id = :session_id)
  AND (:key IS NULL OR m.key = :key)
  AND (:min_importance IS NULL OR m.importance >= :min_importance)
  AND (:since IS NULL OR m.created_at >= :since)
  AND (:until IS NULL OR m.created_at <= :until)
  AND (:tags IS NULL OR NOT EXISTS (
        SELECT value FROM json_each(:tags)
        EXCEPT
        SELECT value FROM json_each(
          CASE WHEN json_valid(m.metadata) AND json_type(m.metadata, '$.tags') = 'array' THEN m.metadata ELSE '{}' END,
          '$.tags')))
  AND (:wanted IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(:wanted) AS w WHERE NOT EXISTS (
          WITH RECURSIVE step (depth, value, type) AS (
            SELECT 0, m.metadata, CASE WHEN json_valid(m.metadata) THEN json_type(m.metadata) END
            UNION ALL
            SELECT depth + 1, e.value, e.type FROM step, json_each(step.value) AS e
             WHERE step.type = 'object' AND e.key = json_extract(w.value, '$.path[' || depth || ']')
          )
          SELECT 1 FROM step
           WHERE depth = json_array_length(w.value, '$.path')
             AND type = json_type(w.value, '$.value') AND value IS json_extract(w.value, '$.value'))))
"""


@dataclass(frozen=True, slots=True)
class Filter:
    """What recall() is restricted to, as parameters of FILTER."""

    values: Mapping[str, Value]

    @property
    def moment(self) -> str:
        """The moment that ages count from."""
        return str(self.values["moment"])

    @property
    def narrow(self) -> bool:
        """Whether it leaves out more than what is no longer true."""
        general = {"agent_id", "user_id", "moment", "include_superseded"}
        return any(self.values[name] is not None for name in self.values.keys() - general)


def read_filter(
    scope: Scope,
    *,
    memory_type: object = None,
    session_id: object = None,
    key: object = None,
    tags: object = None,
    where: object = None,
    min_importance: object = None,
    since: object = None,
    until: object = None,
    as_of: object = None,
    include_superseded: object = False,
) -> Filter:
    """Return the checked filter. Raises TypeError or ValueError that names the argument."""
    asked = _moment(as_of, "as_of", end_of_day=True)
    return Filter({
        **scope.bindings(),
        "moment": asked or moments.now(),
        "as_of": asked,
        "include_superseded": int(flag(include_superseded, "include_superseded")),
        "memory_types": None if memory_type is None else json.dumps(names(memory_type, "memory_type")),
        "session_id": None if session_id is None else name(session_id, "session_id"),
        "key": None if key is None else name(key, "key"),
        "tags": None if tags is None else json.dumps(names(tags, "tags")),
        "wanted": None if where is None else _wanted(where),
        "min_importance": None if min_importance is None else importance_of(min_importance, "min_importance"),
        "since": _moment(since, "since"),
        "until": _moment(until, "until", end_of_day=True),
    })


def _moment(value: object, argument: str, *, end_of_day: bool = False) -> str | None:
    if value is None:
        return None
    return moments.canonical(value, argument, end_of_day=end_of_day)  # type: ignore[arg-type]  # it raises TypeError itself


def _wanted(where: object) -> str:
    if not isinstance(where, Mapping):
        raise TypeError(f"where must map metadata keys to values, not {type(where).__name__}")
    wanted = []
    for key, value in where.items():
        path = list(key) if isinstance(key, tuple) else [key]
        if not path or not all(isinstance(part, str) for part in path):
            raise TypeError(f"where has the key {key!r}: use text, or a tuple of texts for a nested value")
        if not (value is None or isinstance(value, (str, int, float))):
            raise TypeError(f"where[{key!r}] must be text, a number, True, False or None, not {type(value).__name__}")
        wanted.append({
            "path": [clean(part) for part in path], "value": clean(value) if isinstance(value, str) else value
        })
    try:
        return json.dumps(wanted, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise ValueError("where holds NaN or an infinite number, which no metadata can have") from None
