"""The one statement that ranks, and what it is given. The formulas of strength are views in schema.sql.

Which terms a query has is decided in `match`; what a filter may be is checked here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from . import moments
from .database import Database, Value
from .incoming import Scope, flag, importance_of, name, names
from .match import Term, read_terms
from .text import clean
from .upkeep import segmenter_of

COLUMNS = """
  m.id, m.uid, m.agent_id, m.user_id, m.session_id, m.memory_type, m.key, m.content, m.metadata, m.importance,
  m.access_count, m.last_accessed_at, m.created_at, m.updated_at, m.valid_from, m.valid_to, m.expires_at, m.version,
  m.pinned"""
"""The columns of Memory, in the order of its fields."""

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
        SELECT value FROM json_each(CASE WHEN json_valid(m.metadata) THEN m.metadata ELSE '{}' END, '$.tags')))
  AND (:wanted IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(:wanted) AS w WHERE NOT EXISTS (
          WITH RECURSIVE step (depth, value, type) AS (
            SELECT 0, CASE WHEN json_valid(m.metadata) THEN m.metadata END, 'object'
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


# One row a term and memory: the scope's own BM25, with the number of matching memories from the rows themselves.
RANK = """
WITH
  term AS MATERIALIZED (
    SELECT key AS term, json_extract(value, '$[0]') AS expression, json_extract(value, '$[1]') AS weight
      FROM json_each(:terms)
  ),
  hit AS MATERIALIZED (
    SELECT t.term, t.weight, m.id, m.words, count(*) OVER (PARTITION BY t.term) AS matching
      FROM term AS t
     CROSS JOIN memories_fts AS f ON f.memories_fts MATCH t.expression
     CROSS JOIN memories AS m ON m.id = f.rowid
     WHERE m.agent_id = :agent_id AND m.user_id = :user_id
  ),
  total AS MATERIALIZED (
    SELECT max(1, memories) AS memories, max(1.0, 1.0 * words / max(1, memories)) AS mean_words
      FROM scopes WHERE agent_id = :agent_id AND user_id = :user_id
  ),
  idf AS MATERIALIZED (
    SELECT t.term, t.weight * ln(1 + (total.memories - coalesce(h.matching, 0) + 0.5) / (coalesce(h.matching, 0) + 0.5)) AS idf
      FROM term AS t CROSS JOIN total LEFT JOIN (SELECT DISTINCT term, matching FROM hit) AS h ON h.term = t.term
  ),
  scored AS MATERIALIZED (
    SELECT h.id,
           sum(i.idf * 2.2 / (1 + 1.2 * (1 - :b + :b * max(0.7, h.words / total.mean_words))))
           * pow(sum(i.idf) / (SELECT sum(idf) FROM idf), 0.5) AS relevance
      FROM hit AS h CROSS JOIN total JOIN idf AS i ON i.term = h.term
     GROUP BY h.id
  )
SELECT """ + COLUMNS + """, r.relevance, s.strength, r.relevance * (1 - w.value + w.value * s.strength) AS score
  FROM scored AS r
 CROSS JOIN memories AS m ON m.id = r.id
 CROSS JOIN strength_at AS s ON s.id = m.id AND s.moment = json_array(:moment)
 CROSS JOIN policy AS w ON w.name = 'strength_weight'
 WHERE """ + FILTER + """
 ORDER BY score DESC, m.created_at DESC, m.id DESC
 LIMIT :limit
"""

LIST = """
SELECT """ + COLUMNS + """, NULL AS relevance, s.strength, s.strength AS score
  FROM memories AS m
 CROSS JOIN strength_at AS s ON s.id = m.id AND s.moment = json_array(:moment)
 WHERE """ + FILTER + """
 ORDER BY score DESC, m.created_at DESC, m.id DESC
 LIMIT :limit
"""


def statement(database: Database, query: object, wanted: Filter, limit: int) -> tuple[str, dict[str, Value]]:
    """Return RANK for a query, or LIST when there is none, with all parameters."""
    if query is None:
        return LIST, {**wanted.values, "limit": limit}
    if not isinstance(query, str):
        raise TypeError(f"query must be text or None, not {type(query).__name__}")
    terms = [scoped(term, wanted) for term in read_terms(query, segmenter_of(database))]
    return RANK, {**wanted.values, "limit": limit, "terms": json.dumps(terms, ensure_ascii=False), "b": 0.4}


def scoped(term: Term, wanted: Filter) -> tuple[str, float]:
    """Return the term's expression inside the scope, so that only postings of the scope are visited, and its weight."""
    token = "x".join(str(wanted.values[part]).encode().hex().upper() for part in ("agent_id", "user_id"))
    return f'scope : "{token}" AND ({term.expression})', term.weight
