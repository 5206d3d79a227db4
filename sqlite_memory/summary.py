"""Condense conversations: one `summary` memory a session, and what becomes of its turns.

Which sentences stand for a conversation is decided in `condense`, or by the caller's own summarizer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from . import gate, moments, store, upkeep
from .admission import Row
from .condense import condense
from .database import Database
from .filters import FILTER, read_filter
from .incoming import Scope, flag, name, number
from .memory import COLUMNS, Memory, from_row
from .pace import Pace
from .policy import Policy, read_policy
from .store import id_of

Summarizer = Callable[[list[Memory]], str]
"""Turns the memories of a session, oldest first, into a text. The first may be a summary whose turns are gone."""

KEEP, CLOSE, DELETE = 0, 1, 2
"""What becomes of the turns: values of the policy `summary_keeps_turns`."""


def keeps(policy: Policy) -> int:
    """Return what the policy does with the turns; anything that is not one of its values keeps them."""
    value = policy["summary_keeps_turns"]
    return int(value) if value in (CLOSE, DELETE) else KEEP

STATES = ("kept", "closed", "deleted")
"""The same as the summary notes it, in its metadata as `turns`."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """What compact() did: the sessions that got a summary, and the ids of the turns that were deleted, in order."""

    summarized: tuple[str, ...] = ()
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Session:
    """A session as it was read: its current turns, oldest first, and its current summary."""

    id: str
    turns: list[Memory]
    previous: Memory | None

    @property
    def sources(self) -> list[int]:
        """The turns that the summary tells of."""
        given = self.previous.metadata.get("sources") if self.previous else None
        return [id for id in given if isinstance(id, int)] if isinstance(given, list) else []

    @property
    def replaced(self) -> bool:
        """Whether the summary stands in the place of its turns."""
        return self.previous is not None and self.previous.metadata.get("turns") in STATES[CLOSE:]

    @property
    def telling(self) -> list[int]:
        """The turns that a new summary tells of: these, and those that the summary before it stands for."""
        told = self.sources if self.replaced else []
        return list(dict.fromkeys([*told, *(turn.id for turn in self.turns)]))

    @property
    def fresh(self) -> list[Memory]:
        """The turns that the summary does not tell of."""
        told = set(self.sources)
        return [turn for turn in self.turns if turn.id not in told]

    def material(self, least: float) -> list[Memory]:
        """Return what a summary is made of: the turns, or the summary in their place and the turns since."""
        if self.replaced and self.previous:
            return [self.previous, *self.fresh] if self.fresh else []
        return self.turns if len(self.turns) >= least else []


def summarize(
    database: Database, scope: Scope, session_id: object, *, summarizer: Summarizer | None = None
) -> int | None:
    """Write the summary of a session and return its id. See SQLiteMemoryLayer.summarize()."""
    policy, read = read_policy(database), moments.now()
    session = _read(database, scope, name(session_id, "session_id"))
    material = session.material(policy["summary_min_turns"])
    if not material:
        return session.previous.id if session.replaced and session.previous else None
    content = _text(database, policy, material, summarizer)
    if not content:
        return None
    known = session.previous is not None and content == session.previous.content and not session.fresh
    row = None if known else _row(database, scope, policy, session, content)
    id, _ = _write(database, session, row, keeps(policy), _told(scope, session.telling, read))
    return id


TURNS = """
SELECT """ + COLUMNS + """ FROM memories AS m
 WHERE m.session_id = :session_id AND """ + FILTER + """
   AND m.memory_type IN (SELECT memory_type FROM memory_types WHERE verbatim)
 ORDER BY m.created_at, m.id
"""

SUMMARY = """
SELECT """ + COLUMNS + """ FROM memories AS m
 WHERE m.memory_type = 'summary' AND m.key = :key AND """ + FILTER + """
 ORDER BY m.id DESC LIMIT 1
"""


def _read(database: Database, scope: Scope, session_id: str) -> _Session:
    turns = database.rows(TURNS, read_filter(scope, session_id=session_id).values)
    summaries = database.rows(SUMMARY, read_filter(scope, key=session_id).values)
    return _Session(session_id, [from_row(row) for row in turns], from_row(summaries[0]) if summaries else None)


def _text(database: Database, policy: Policy, material: list[Memory], summarizer: Summarizer | None) -> str:
    """Return the summary of the material, "" when there is nothing to say.

    A summarizer's words are judged: a secret is ValueError. What is extracted are the turns' own, judged when they came.
    """
    if summarizer is None:
        return _extract(database, policy, material)
    content = summarizer(material)
    if not isinstance(content, str):
        raise TypeError(f"summarizer must return text (str), not {type(content).__name__}")
    if 0 < policy["max_length"] < len(content):
        raise ValueError(f"summarizer returned {len(content)} characters, over the {policy['max_length']:g} allowed")
    refused, _, masked = gate.screened(content.strip(), policy.values)
    if refused:
        raise ValueError(f"summarizer returned a text that is refused (sensitive: {refused}): have it left out")
    return masked


def _extract(database: Database, policy: Policy, material: list[Memory]) -> str:
    """Return the earlier summary whole and the best sentences of the turns; of both when that is too long."""
    segmenter = read_policy(database).segmenter
    share, shortest = policy["summary_share"], policy["summary_min_length"]
    longest = int(policy["summary_max_length"])
    earlier = [memory.content for memory in material if memory.memory_type == "summary"]
    turns = material[len(earlier) :]
    told = condense(turns, segmenter, share=share, shortest=shortest, longest=longest)
    text = "\n".join(filter(None, [*earlier, told]))
    if len(text) <= longest:
        return text
    return condense(material, segmenter, share=1.0, longest=longest)


def _row(database: Database, scope: Scope, policy: Policy, session: _Session, content: str) -> Row:
    """Return the row of a summary, dated by its newest turn and never before the summary that it takes the place of."""
    earlier = [session.previous] if session.previous else []
    readable = (memory.created_at for memory in [*session.turns, *earlier] if memory.created_at[:4].isdigit())
    newest = max(readable, default=moments.now())
    metadata: dict[str, object] = {"session": session.id, "sources": session.telling, "turns": STATES[KEEP]}
    if flags := gate.screened(content, policy.values)[1]:
        metadata["sensitive"] = list(flags)
    return {
        **scope.bindings(), "session_id": session.id, "memory_type": "summary", "key": session.id,
        "metadata": json.dumps(metadata, ensure_ascii=False),
        "importance": policy.of("summary").importance, "created_at": newest, "valid_from": newest, "expires_at": None,
        "pinned": 0, "updated_at": moments.now(), "needs_segment": 0, **upkeep.indexed(content, read_policy(database).segmenter),
    }


# A pinned turn stays, and one that was edited after the summary was made of it. The turns are looked up one by one.
TOLD = """
SELECT m.id FROM json_each(:ids) AS told CROSS JOIN memories AS m ON m.id = told.value
 WHERE m.agent_id = :agent_id AND m.user_id = :user_id
   AND m.pinned = 0 AND m.updated_at <= :read AND (:visited OR m.access_count = 0)
   AND m.memory_type IN (SELECT memory_type FROM memory_types WHERE verbatim)
 ORDER BY m.id
"""


def _told(scope: Scope, ids: list[int], read: str, *, visited: bool = True) -> Row:
    """Return the parameters of TOLD: turns that a summary tells of, read at a moment."""
    return {**scope.bindings(), "ids": json.dumps(ids), "visited": visited, "read": read}


CLOSE_TURNS = """
UPDATE memories SET valid_to = :read WHERE id IN (SELECT value FROM json_each(:ids)) AND valid_to IS NULL
"""
DELETE_TURNS = "DELETE FROM memories WHERE id IN (SELECT value FROM json_each(:ids))"
NOTE = "UPDATE memories SET metadata = json_set(metadata, '$.turns', :state) WHERE id = :id"


def _write(database: Database, session: _Session, row: Row | None, what: int, told: Row) -> tuple[int, list[int]]:
    """Store a new summary, close or delete the turns, in one transaction; return its id and the ids of the turns."""
    with database.writing() as connection:
        if row is not None:
            id = store.insert(connection, row)
        else:
            assert session.previous is not None
            id = session.previous.id
        if what == KEEP:
            return id, []
        ids = [id_of(found) for found in connection.execute(TOLD, told).fetchall()]
        statement, moment = (CLOSE_TURNS, {"read": told["read"]}) if what == CLOSE else (DELETE_TURNS, {})
        connection.execute(statement, {"ids": json.dumps(ids), **moment})
        connection.execute(NOTE, {"id": id, "state": STATES[what]})
    return id, ids


# ------------------------------------------------------------------------------------------------ old sessions

OLD_SESSIONS = """
SELECT session_id, min(days) FROM (
  SELECT session_id, access_count, coalesce(julianday(:moment) - julianday(created_at), 0.0) AS days FROM memories
   WHERE agent_id = :agent_id AND user_id = :user_id AND session_id IS NOT NULL
     AND memory_type IN (SELECT memory_type FROM memory_types WHERE verbatim))
 GROUP BY session_id
HAVING max(access_count) = 0 AND min(days) >= :days
 ORDER BY min(days) DESC, session_id
"""


SCOPES = "SELECT agent_id, user_id FROM scopes ORDER BY agent_id, user_id"


def compact(
    database: Database, scope: Scope, *, older_than_days: object = 30, drop_after_days: object = 90,
    summarizer: Summarizer | None = None, all_scopes: object = False, dry_run: object = False,
) -> Compacted:
    """Summarise old sessions and delete the turns of very old ones. See SQLiteMemoryLayer.compact()."""
    days, last = _days(older_than_days, "older_than_days"), _days(drop_after_days, "drop_after_days")
    pretend, read = flag(dry_run, "dry_run"), moments.now()
    summarized: list[str] = []
    dropped: list[int] = []
    pace = Pace(database)
    everyone = [Scope(str(agent), str(user)) for agent, user in database.rows(SCOPES)]
    for one in everyone if flag(all_scopes, "all_scopes") else [scope]:
        for session_id, age in database.rows(OLD_SESSIONS, {**one.bindings(), "moment": read, "days": days}):
            session = _read(database, one, str(session_id))
            drop = number(age, "age") >= last
            made, ids = _compact_one(database, one, session, summarizer, read, drop=drop, pretend=pretend)
            summarized += [session.id] if made else []
            dropped += ids
            if (made or ids) and not pretend:
                pace.rest()
    return Compacted(tuple(summarized), tuple(dropped))


def _compact_one(
    database: Database, scope: Scope, session: _Session, summarizer: Summarizer | None, read: str, *, drop: bool,
    pretend: bool,
) -> tuple[bool, list[int]]:
    """Return whether the session gets a new summary, and the turns that are deleted; do it unless `pretend`."""
    policy = read_policy(database)
    material = session.material(policy["summary_min_turns"]) if session.fresh else []
    content = _text(database, policy, material, summarizer) if material and not pretend else ""
    made = bool(material if pretend else content)
    if not made and (material or not drop or not session.sources):
        return False, []
    what = DELETE if drop else keeps(policy)
    told = _told(scope, session.telling if made else session.sources, read, visited=False)
    if pretend:
        ids = [id_of(row) for row in database.rows(TOLD, told)]
    else:
        row = _row(database, scope, policy, session, content) if made else None
        _, ids = _write(database, session, row, what, told)
    return made, ids if what == DELETE else []


def _days(value: object, argument: str) -> float:
    days = number(value, argument)
    if days <= 0:
        raise ValueError(f"{argument}={value!r} must be above 0")
    return days
