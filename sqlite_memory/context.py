"""The block of memories for a prompt: where we stopped, what matters most, what the question calls up, in a budget.

How a line reads is decided in `wording`, what a question finds in `ranking`.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from . import errors, ranking, store
from .database import Database
from .filters import FILTER, Filter, read_filter
from .incoming import Scope, count, name
from .memory import COLUMNS, Memory, from_row
from .wording import dated, estimate, one_line, shorten, words_for

Counter = Callable[[str], int]
"""Counts the tokens of a text, e.g. `lambda text: len(encoding.encode(text))`."""

SHARES = (0.35, 0.30, 0.35)
"""Parts of the budget for the three levels; what one leaves over goes to the next."""

SHARES_UNASKED = (0.5, 0.5, 0.0)
"""The same when there is no question."""

TURNS, MATTERING, FOUND = 60, 100, 50
"""Memories that each level looks at, at most."""

BY_IMPORTANCE = 300
"""Memories, the most important first, of which the strongest are taken: a scope may be too large to rank them all."""


def context(
    database: Database, scope: Scope, *, query: object = None, budget: object = 1300, session_id: object = None,
    counter: object = None,
) -> str:
    """Return the block, or "" when there is nothing to say or not one line fits. See SQLiteMemoryLayer.context()."""
    tokens = count(budget, "budget")
    counter = estimate if counter is None else counter
    if not callable(counter):
        raise TypeError(f"counter must be a callable that counts tokens, not {type(counter).__name__}")
    wanted = read_filter(scope)
    session = None if session_id is None else name(session_id, "session_id")
    gathered = (
        _where_we_stopped(database, wanted, session),
        _what_matters(database, wanted),
        [] if query is None else _called_up(database, wanted, query),
    )
    block = _Block(gathered, str(query or ""), wanted.moment, tokens, counter)
    text = block.fill(SHARES_UNASKED if query is None else SHARES)
    called_up = {memory.id for memory in gathered[2]}
    _touch_in_passing(database, scope, [id for id in block.shown() if id in called_up], wanted.moment)
    return text


# A session is looked for among the newest rows first: that needs no walk over all sessions.
LATEST_SESSION = """
SELECT coalesce(
  (SELECT session_id FROM (
     SELECT id, session_id, created_at, valid_to FROM memories
      WHERE agent_id = :agent_id AND user_id = :user_id ORDER BY created_at DESC, id DESC LIMIT 1000)
    WHERE session_id IS NOT NULL AND valid_to IS NULL ORDER BY created_at DESC, id DESC LIMIT 1),
  (SELECT session_id FROM memories
    WHERE agent_id = :agent_id AND user_id = :user_id AND session_id IS NOT NULL
    GROUP BY session_id ORDER BY max(created_at) DESC, session_id LIMIT 1))
"""

SESSION = """
SELECT """ + COLUMNS + """ FROM memories AS m
 WHERE m.session_id = :session_id AND """ + FILTER + """
 ORDER BY m.created_at DESC, m.id DESC
 LIMIT :limit
"""

VERBATIM = "SELECT memory_type FROM memory_types WHERE verbatim"


def _where_we_stopped(database: Database, wanted: Filter, session: str | None) -> list[Memory]:
    """Return the latest memories of a session, newest first: turns and summaries where there are any, else facts."""
    scope = {part: wanted.values[part] for part in ("agent_id", "user_id")}
    latest = session or database.rows(LATEST_SESSION, scope)[0][0]
    if latest is None:
        return []
    bindings = {**wanted.values, "session_id": latest, "limit": TURNS}
    memories = [from_row(row) for row in database.rows(SESSION, bindings)]
    telling = {str(kind) for (kind,) in database.rows(VERBATIM)} | {"summary"}
    return [memory for memory in memories if memory.memory_type in telling] or memories


# Turns are left to the other levels: they would crowd out who the user is. Pinned ones come first, for strength fades:
# an allergy told a year ago must not go under. What a known later moment ends still counts.
MATTERING_MOST = """
WITH important AS (
  SELECT id FROM (
    SELECT id FROM memories WHERE agent_id = :agent_id AND user_id = :user_id AND valid_to IS NULL
     ORDER BY importance DESC, id DESC LIMIT :important)
  UNION ALL
  SELECT id FROM (
    SELECT id FROM memories WHERE agent_id = :agent_id AND user_id = :user_id AND valid_to > :moment LIMIT :important)
)
SELECT """ + COLUMNS + """, NULL AS relevance, s.strength, s.strength AS score
  FROM important AS i
 CROSS JOIN memories AS m ON m.id = i.id
 CROSS JOIN strength_at AS s ON s.id = m.id AND s.moment = json_array(:moment)
 WHERE m.memory_type NOT IN (SELECT memory_type FROM memory_types WHERE verbatim) AND """ + FILTER + """
 ORDER BY m.pinned DESC, score DESC, m.created_at DESC, m.id DESC
 LIMIT :limit
"""


def _what_matters(database: Database, wanted: Filter) -> list[Memory]:
    bindings = {**wanted.values, "important": BY_IMPORTANCE, "limit": MATTERING}
    return [from_row(row) for row in database.rows(MATTERING_MOST, bindings)]


def _called_up(database: Database, wanted: Filter, query: object) -> list[Memory]:
    statement, bindings = ranking.statement(database, query, wanted, FOUND, expand=True)
    return [from_row(row) for row in database.rows(statement, bindings)]


def _touch_in_passing(database: Database, scope: Scope, ids: Sequence[int], moment: str) -> None:
    if ids:
        with contextlib.suppress(errors.Busy, errors.ReadOnly, errors.Full):
            store.touch(database, scope, ids, moment, wait=False)


# ------------------------------------------------------------------------------------------------ the block


@dataclass(slots=True)
class _Level:
    """One part of the block: memories that wait, best first, and the lines that were chosen, by id."""

    heading: str
    waiting: list[Memory]
    in_time: bool
    share: float = 0.0
    chosen: dict[int, tuple[Memory, str]] = field(default_factory=dict)


class _Block:
    """The lines of the three levels as they are chosen, counted in tokens."""

    def __init__(
        self, gathered: Sequence[list[Memory]], query: str, moment: str, budget: int, counter: Counter
    ) -> None:
        self._words = words_for([query, *(memory.content for memories in gathered for memory in memories)])
        self._today = datetime.date.fromisoformat(moment[:10])
        self._budget = budget
        self._count = functools.lru_cache(maxsize=None)(counter)  # lines are looked at twice
        self._least = self._cost(f"- {self._words.today(self._today)}")  # no line costs less
        headings = (self._words.stopped, self._words.matters, self._words.asked)
        self._levels = [
            _Level(heading, list(memories), in_time=place == 0)
            for place, (heading, memories) in enumerate(zip(headings, gathered, strict=True))
        ]

    def shown(self) -> list[int]:
        """Return the ids of the memories in the block, level by level."""
        return [id for level in self._levels for id in level.chosen]

    def fill(self, shares: Sequence[float]) -> str:
        """Choose lines and return the block.

        Each level gets its share and what the one before it left over, then the rest in the same order. The block is
        counted as a whole, since a counter need not add up.
        """
        room = self._budget - self._count(self._text())
        left = 0.0
        for level, share in zip(self._levels, shares, strict=True):
            level.share = share * room
            left = self._take(level, level.share + left)
        left = self._budget - self._count(self._text())
        for level in self._levels:
            level.share = max(level.share, left)
            left = self._take(level, left)
        while self.shown() and self._count(self._text()) > self._budget:
            self._drop_one()
        return self._text() if self.shown() else ""

    def _take(self, level: _Level, room: float) -> float:
        """Move the lines that fit from those that wait to those that are chosen; return what is left of the room."""
        shown = set(self.shown())
        level.waiting = [memory for memory in level.waiting if memory.id not in shown]
        for memory in list(level.waiting):
            if room < self._least:
                break
            line = self._line(memory, level.share)
            cost = self._cost(line) + sum(map(self._cost, self._new_headings(level, memory)))
            if line and cost <= room:
                level.chosen[memory.id] = (memory, line)
                level.waiting.remove(memory)
                room -= cost
            elif line and level.in_time:
                break
        return room

    def _cost(self, line: str) -> int:
        return self._count(line + "\n")

    def _drop_one(self) -> None:
        last = [level for level in self._levels if level.chosen][-1]
        last.chosen.popitem()

    def _line(self, memory: Memory, most: float) -> str:
        """Return the line of a memory; one that would take the whole share of its level is cut to half of that."""
        start = f"- {dated(memory.created_at, self._today, self._words)}{self._words.colon}"
        text = one_line(memory.content)
        if most and self._cost(start + text) > most:
            text = shorten(text, lambda part: self._cost(start + part) <= most / 2)
        return start + text if text else ""

    def _new_headings(self, level: _Level, memory: Memory) -> Iterator[str]:
        if not level.chosen:
            yield f"\n{level.heading}"
        kind = self._kind(memory)
        if not level.in_time and kind not in (self._kind(other) for other, _ in level.chosen.values()):
            yield f"### {kind}"

    def _kind(self, memory: Memory) -> str:
        return self._words.type_of(memory.memory_type)

    def _text(self) -> str:
        title = self._words.title.format(self._words.today(self._today))
        parts = [title, *filter(None, map(self._level_text, self._levels))]
        return "\n".join([*parts, "", self._words.closing])

    def _level_text(self, level: _Level) -> str:
        if not level.chosen:
            return ""
        lines = [f"\n{level.heading}"]
        if level.in_time:
            turns = sorted(level.chosen.values(), key=lambda turn: (turn[0].created_at, turn[0].id))
            return "\n".join(lines + [line for _, line in turns])
        kinds = dict.fromkeys(self._kind(memory) for memory, _ in level.chosen.values())
        for kind in kinds:
            lines.append(f"### {kind}")
            lines += [line for memory, line in level.chosen.values() if self._kind(memory) == kind]
        return "\n".join(lines)
