"""The one statement that ranks, and what it is given. The formulas of strength are views in schema.sql.

Which terms a question has is decided in `match`, what a filter may be in `filters`.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from itertools import islice

from . import errors
from .database import Database, Value
from .filters import FILTER, Filter
from .match import is_telling, read_question, word_term
from .memory import COLUMNS
from .policy import read_policy

# The policy rows that the score needs, side by side; the totals of the scope; the terms of the question.
GIVEN = """
WITH
  weight AS MATERIALIZED (
    SELECT
      max(value) FILTER (WHERE name = 'character_weight') AS character,
      max(value) FILTER (WHERE name = 'expansion_weight') AS expansion,
      max(value) FILTER (WHERE name = 'length_weight') AS length,
      max(value) FILTER (WHERE name = 'long_turn') AS long_turn,
      max(value) FILTER (WHERE name = 'speaker_factor') AS speaker,
      max(value) FILTER (WHERE name = 'number_factor') AS number,
      max(value) FILTER (WHERE name = 'date_factor') AS date,
      max(value) FILTER (WHERE name = 'date_share') AS date_share,
      max(value) FILTER (WHERE name = 'passage_weight') AS passage,
      max(value) FILTER (WHERE name = 'answer_weight') AS answer,
      max(value) FILTER (WHERE name = 'session_weight') AS session,
      max(value) FILTER (WHERE name = 'topic_weight') AS topic,
      max(value) FILTER (WHERE name = 'strength_weight') AS strength,
      max(value) FILTER (WHERE name = 'first_cut') AS first_cut
      FROM policy
  ),
  total AS MATERIALIZED (
    SELECT memories, max(1.0, 1.0 * words / memories) AS mean_words
      FROM scopes WHERE agent_id = :agent_id AND user_id = :user_id AND memories > 0
  ),
  asked AS MATERIALIZED (
    SELECT key AS term, json_extract(value, '$[0]') AS expression,
           CASE json_extract(value, '$[1]') WHEN 'character' THEN weight.character ELSE 1.0 END
             * json_extract(value, '$[2]') AS weight,
           json_extract(value, '$[3]') AS matching       -- memories that have it; counted beforehand in a large scope
      FROM json_each(:terms) CROSS JOIN weight
  ),
"""

# BM25 taken apart: one row a term and memory, so that the scope's own numbers weigh the terms. A term counts once in a
# memory (tf = 1), which makes the length a factor of the whole sum.
HITS = """
  found AS MATERIALIZED (
    SELECT t.term, t.weight, f.rowid AS id, count(*) OVER (PARTITION BY t.term) AS matching
      FROM asked AS t CROSS JOIN memories_fts AS f ON f.memories_fts MATCH t.expression
  ),
  hit AS MATERIALIZED (
    SELECT term, id, weight * ln(1.0 + max(0.5, memories - matching + 0.5) / (matching + 0.5)) AS points
      FROM found CROSS JOIN total
  ),
"""

# The same for a large scope: memories are chosen by the rarest terms, then all terms count for those that were chosen.
FIRST_CUT = """
  term AS MATERIALIZED (
    SELECT term, expression, asked.weight * ln(1.0 + max(0.5, memories - matching + 0.5) / (matching + 0.5)) AS points,
           sum(matching) OVER (ORDER BY matching, term)
             <= max(first_cut, 0.05 * memories) * CASE WHEN :narrow THEN 10 ELSE 1 END
             OR row_number() OVER (ORDER BY matching, term) = 1 AS rare
      FROM asked CROSS JOIN total CROSS JOIN weight
     WHERE matching > 0
  ),
  rare_hit AS MATERIALIZED (
    SELECT t.term, t.points, f.rowid AS id
      FROM term AS t CROSS JOIN memories_fts AS f ON f.memories_fts MATCH t.expression
     WHERE t.rare
  ),
  candidate AS MATERIALIZED (
    SELECT id FROM rare_hit AS h
     WHERE NOT :narrow OR EXISTS (SELECT 1 FROM memories AS m WHERE m.id = h.id AND """ + FILTER + """)
     GROUP BY id ORDER BY sum(points) DESC, id DESC LIMIT :candidates
  ),
  hit AS MATERIALIZED (
    SELECT term, id, points FROM rare_hit WHERE id IN (SELECT id FROM candidate)
    UNION ALL
    SELECT t.term, f.rowid, t.points           -- "+": read the postings once, not once a memory
      FROM term AS t CROSS JOIN memories_fts AS f ON f.memories_fts MATCH t.expression
     WHERE NOT t.rare AND +f.rowid IN (SELECT id FROM candidate)
  ),
"""

# Words of the best two memories: a memory that has them too is closer to the answer. The eight best of them count, by how
# rare they are in the file; counting stops at 5,000, which is too common. They move memories that share something with
# the question; only with :expand do they also bring in others.
EXPANSION = """
  expansion AS MATERIALIZED (
    SELECT expression, weight.expansion * share * ln(1.0 + max(0.5, rows - matching + 0.5) / (matching + 0.5)) AS points
      FROM (
        SELECT json_extract(value, '$[0]') AS expression, json_extract(value, '$[2]') AS share,
               (SELECT count(*) FROM (SELECT 1 FROM memories_fts WHERE memories_fts MATCH json_extract(value, '$[1]')
                                       LIMIT 5000)) AS matching,
               (SELECT max(id) FROM memories) AS rows
          FROM json_each(:expansions)) CROSS JOIN weight
     WHERE matching BETWEEN 2 AND min(4999, max(3, rows / 4))
     ORDER BY points DESC, expression LIMIT 8
  ),
  point AS MATERIALIZED (
    SELECT id, points AS asked, 0.0 AS expanded FROM hit
    UNION ALL
    SELECT f.rowid, 0.0, e.points FROM expansion AS e CROSS JOIN memories_fts AS f ON f.memories_fts MATCH e.expression
     WHERE :expand OR +f.rowid IN (SELECT id FROM hit)
  ),
"""

# An essay of an assistant has most words of any question by chance; long facts were written because of them.
LONG_PART = "CASE WHEN weight.long_turn BETWEEN 1 AND m.words THEN sqrt(weight.long_turn / m.words) ELSE 1.0 END"

# What the memory says by itself: its terms, its length, who speaks, whether it has the number or the day asked for.
BASE = """
  own AS MATERIALIZED (
    SELECT
      m.id, m.session_id, m.verbatim, m.memory_type IN (SELECT memory_type FROM memory_types) AS declared,
      p.asked, p.expanded,
      1.0 / (1.0 - weight.length + weight.length * m.words / total.mean_words)
        * CASE WHEN m.verbatim THEN """ + LONG_PART + """ ELSE 1.0 END AS length_part,
      CASE WHEN m.says <> ''                  -- Chinese names stand in the question without spaces around them
             AND instr(:names, CASE WHEN unicode(m.says) < 256 THEN ' ' || m.says || ' ' ELSE m.says END)
           THEN weight.speaker ELSE 1.0 END AS speaker_part,
      CASE WHEN :wants_number AND m.content GLOB '*[0-9]*' THEN weight.number ELSE 1.0 END AS number_part,
      :dates <> '[]' AND EXISTS (SELECT 1 FROM json_each(:dates) WHERE m.created_at GLOB value) AS dated
      FROM (SELECT id, sum(asked) AS asked, sum(expanded) AS expanded FROM point GROUP BY id) AS p
     CROSS JOIN (
       SELECT id, agent_id, user_id, session_id, memory_type, content, words, created_at,
              memory_type IN (SELECT memory_type FROM memory_types WHERE verbatim) AS verbatim,
              lower(substr(content, 1, instr(replace(substr(content, 1, 31), '：', ':'), ':') - 1)) AS says
         FROM memories) AS m ON m.id = p.id
     CROSS JOIN total CROSS JOIN weight
     WHERE m.agent_id = :agent_id AND m.user_id = :user_id
  ),
  base AS MATERIALIZED (
    SELECT own.*, CASE WHEN dated THEN weight.date ELSE 1.0 END AS date_part,
           dated * weight.date_share * max(base) OVER () AS date_bonus,
           -- Whether a type without a row is sentences of a text or facts, nobody says: it gains from its session as
           -- far as the question is about that one, which it is for sentences of one text.
           CASE WHEN declared OR session_id IS NULL THEN 0.0 ELSE
             weight.topic * max(base) OVER () * pow(
               sum(base) OVER (PARTITION BY declared, session_id) / max(1e-9, sum(base) OVER (PARTITION BY declared)), 2)
           END AS topic
      FROM (SELECT own.*, (asked + expanded) * length_part * speaker_part * number_part AS base FROM own) AS own
     CROSS JOIN weight
  ),
"""

# What a turn of a conversation gains from the turns around it; facts gain nothing.
CONTEXT = """
  turn AS MATERIALIZED (                       -- the turns of the sessions that were hit, in their order
    SELECT m.id, m.session_id,                 -- numbered with a gap of two lines between sessions
           row_number() OVER (ORDER BY m.session_id, m.created_at, m.id)
             + 2 * dense_rank() OVER (ORDER BY m.session_id) AS line,
           count(*) OVER (PARTITION BY m.session_id) AS turns,
           substr(rtrim(m.content), -1) IN ('?', '？') AS asks,
           """ + LONG_PART + """ AS long_part
      FROM memories AS m CROSS JOIN weight
     WHERE m.agent_id = :agent_id AND m.user_id = :user_id
       AND m.session_id IN (SELECT session_id FROM base WHERE verbatim ORDER BY base DESC LIMIT 100)
       AND m.memory_type IN (SELECT memory_type FROM memory_types WHERE verbatim)
       AND (:as_of IS NULL OR m.created_at <= :as_of)
  ),
  step (lines) AS (VALUES (-2), (-1), (0), (1), (2)),
  passage AS MATERIALIZED (                    -- the terms of a turn and of the two before and after it
    SELECT line, sum(points) AS points FROM (
      SELECT DISTINCT turn.line + step.lines AS line, h.term, h.points
        FROM hit AS h JOIN turn ON turn.id = h.id CROSS JOIN step)
     GROUP BY line
  ),
  session AS MATERIALIZED (                    -- the mean of the three best turns of a session
    SELECT session_id, sum(base) / 3.0 AS points FROM (
      SELECT session_id, base, row_number() OVER (PARTITION BY session_id ORDER BY base DESC) AS place
        FROM base WHERE verbatim)
     WHERE place <= 3 GROUP BY session_id
  ),
  context AS MATERIALIZED (
    SELECT turn.id,
           weight.passage * p.points AS passage,
           CASE WHEN turn.turns >= 4 THEN weight.session * s.points * turn.long_part ELSE 0.0 END AS session,
           coalesce(weight.answer * b.base * question.asks * turn.long_part, 0.0) AS answer
      FROM passage AS p CROSS JOIN weight
      JOIN turn ON turn.line = p.line
      LEFT JOIN session AS s ON s.session_id = turn.session_id
      LEFT JOIN turn AS question ON question.line = turn.line - 1
      LEFT JOIN base AS b ON b.id = question.id
  ),
"""

SCORE = """
  scored AS MATERIALIZED (
    SELECT id, sum(points) AS relevance,
           max(asked) AS asked, max(expanded) AS expanded, max(length_part) AS length_part,
           max(speaker_part) AS speaker_part, max(number_part) AS number_part, max(date_part) AS date_part,
           max(date_bonus) AS date_bonus, max(passage) AS passage, max(session) AS session, max(answer) AS answer
      FROM (
        SELECT id, base * date_part + date_bonus + topic AS points, asked, expanded, length_part, speaker_part,
               number_part, date_part, date_bonus, NULL AS passage, topic AS session, NULL AS answer
          FROM base
        UNION ALL
        SELECT id, passage + session + answer, NULL, NULL, NULL, NULL, NULL, NULL, NULL, passage, session, answer
          FROM context)
     GROUP BY id
  )
SELECT """ + COLUMNS + """,
       r.relevance, s.strength, r.relevance * (1.0 - weight.strength + weight.strength * s.strength) AS score,
       coalesce(r.asked, 0.0), coalesce(r.expanded, 0.0), coalesce(r.length_part, 1.0), coalesce(r.speaker_part, 1.0),
       coalesce(r.number_part, 1.0), coalesce(r.date_part, 1.0), coalesce(r.date_bonus, 0.0),
       coalesce(r.passage, 0.0), coalesce(r.session, 0.0), coalesce(r.answer, 0.0), weight.strength
  FROM (                                       -- strength moves a memory a few places: only the best are looked at
    SELECT r.* FROM scored AS r CROSS JOIN memories AS m ON m.id = r.id
     WHERE """ + FILTER + """
     ORDER BY r.relevance DESC, r.id DESC LIMIT 50 + 2 * :limit) AS r
 CROSS JOIN weight
 CROSS JOIN memories AS m ON m.id = r.id
 CROSS JOIN strength_at AS s ON s.id = m.id AND s.moment = json_array(:moment)
 ORDER BY score DESC, m.created_at DESC, m.id DESC
 LIMIT :limit
"""

# The first pass of an expansion: the two memories whose words are added.
BEST = """
  best AS (SELECT id, base FROM base)
SELECT m.content_segmented, b.base FROM best AS b CROSS JOIN memories AS m ON m.id = b.id
 WHERE """ + FILTER + """
 ORDER BY b.base DESC, m.created_at DESC, m.id DESC
 LIMIT 2
"""

RANK = GIVEN + HITS + EXPANSION + BASE + CONTEXT + SCORE
RANK_LARGE = GIVEN + FIRST_CUT + EXPANSION + BASE + CONTEXT + SCORE
FIRST_PASS = GIVEN + HITS + EXPANSION + BASE + BEST
FIRST_PASS_LARGE = GIVEN + FIRST_CUT + EXPANSION + BASE + BEST

PARTS = (
    "terms", "expansion", "length", "speaker", "number", "date", "date_bonus", "passage", "session", "answer",
    "strength_weight",
)
"""What RANK gives after the score. They recombine to it:

    relevance = (terms + expansion) x length x speaker x number x date + date_bonus + passage + session + answer
    score     = relevance x (1 - strength_weight + strength_weight x strength)
"""

LIST = """
SELECT """ + COLUMNS + """, NULL AS relevance, s.strength, s.strength AS score
  FROM memories AS m
 CROSS JOIN strength_at AS s ON s.id = m.id AND s.moment = json_array(:moment)
 WHERE """ + FILTER + """
 ORDER BY score DESC, m.created_at DESC, m.id DESC
 LIMIT :limit
"""


MAX_ADDED = 30
"""Words of one memory that an expansion looks at."""

SIZE = """
SELECT coalesce(max(memories), 0), coalesce((SELECT max(id) FROM memories), 0),
       (SELECT value FROM policy WHERE name = 'small_scope'),
       (SELECT value FROM policy WHERE name = 'expansion_weight')
  FROM scopes WHERE agent_id = :agent_id AND user_id = :user_id
"""


def statement(
    database: Database, query: object, wanted: Filter, limit: int, *, expand: bool
) -> tuple[str, dict[str, Value]]:
    """Return the statement that ranks for a query, or LIST when there is none, with all parameters."""
    if query is None:
        return LIST, {**wanted.values, "limit": limit}
    if not isinstance(query, str):
        raise TypeError(f"query must be text or None, not {type(query).__name__}")
    today = datetime.date.fromisoformat(wanted.moment[:10])
    question = read_question(query, read_policy(database).segmenter, today)
    scope = {name: wanted.values[name] for name in ("agent_id", "user_id")}
    memories, rows, small, weight = _size(database, scope)
    large = memories > small
    # The postings of a scope that is most of the file are the longest of all: the join is left to tell scopes apart.
    inside = "" if 2 * memories >= rows else scope_token(scope)
    terms: list[tuple[str | float, ...]] = [
        (inside + f"({term.expression})", term.column, term.weight) for term in question.terms
    ]
    if large:
        terms = [(*term, _matching(database, str(term[0]))) for term in terms]
    bindings: dict[str, Value] = {
        **wanted.values,
        "limit": limit,
        "terms": json.dumps(terms, ensure_ascii=False),
        "names": question.names,
        "wants_number": int(question.wants_number),
        "dates": json.dumps(question.dates),
        "narrow": int(wanted.narrow),
        "candidates": 500,
        "expand": int(expand),
        "expansions": "[]",
    }
    if terms and weight > 0:
        best = database.rows(FIRST_PASS_LARGE if large else FIRST_PASS, {**bindings, "candidates": 50})
        known = {term.expression for term in question.terms}
        added = [(inside + f"({word})", word, share) for word, share in _shares(best).items() if word not in known]
        bindings["expansions"] = json.dumps(added, ensure_ascii=False)
    return (RANK_LARGE if large else RANK), bindings


MATCHING = "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?"


def _matching(database: Database, expression: str) -> int:
    return int(str(database.rows(MATCHING, (expression,))[0][0]))


def _shares(best: list[tuple[Value, ...]]) -> dict[str, float]:
    """Return the words of the best two memories as expressions, each with its share of their points, at most 1."""
    shares: dict[str, float] = {}
    most = float(str(best[0][1])) if best else 0.0
    for segmented, points in best if most > 0 else ():     # without points where only a weight of 0 was hit
        words = dict.fromkeys(word_term(word).expression for word in str(segmented).split() if is_telling(word))
        for word in islice(words, MAX_ADDED):
            shares[word] = shares.get(word, 0.0) + 0.5 * float(str(points)) / most
    return shares


def _size(database: Database, scope: Mapping[str, Value]) -> tuple[float, float, float, float]:
    sizes = database.rows(SIZE, scope)[0]
    if None in sizes:
        raise errors.DamagedFile("policy rows are missing: open the file anew, or run `sqlite-memory repair`")
    memories, rows, small, weight = (float(str(value)) for value in sizes)
    return memories, rows, small, weight


def scope_token(scope: Mapping[str, Value]) -> str:
    """Return the start of an expression that looks only into the postings of a scope."""
    token = "x".join(str(scope[part]).encode().hex().upper() for part in ("agent_id", "user_id"))
    return f'scope : "{token}" AND '
