"""Bring the gate what it needs of the file, and make of an admitted memory the row to store.

What the gate decides is `gate`'s; writing the row, and meeting an exact duplicate inside the transaction, is `store`'s.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection
from typing import NamedTuple

from . import gate, moments, upkeep
from .database import Database, Value
from .gate import Near, Verdict
from .incoming import Incoming, Scope
from .match import quoted, read_words
from .memory import parse_metadata
from .policy import Policy
from .ranking import scope_prefix
from .text import Segmenter

Row = dict[str, Value]
"""Parameters of a statement by name."""

COMPARED = 8
"""Existing memories that one new text is compared with, and words that an old one must share to be among them."""


class Admission(NamedTuple):
    """What the gate says of a memory, and the row to store unless it is refused; `reinforces` names a row instead."""

    verdict: Verdict
    row: Row | None

    @property
    def reinforces(self) -> int | None:
        """The id of a near duplicate that gains instead of a new row."""
        return self.verdict.collides_with if self.verdict.decision == "reinforce" else None


def admit(
    database: Database,
    memory: Incoming,
    scope: Scope,
    policy: Policy,
    *,
    compare: bool = True,
    allow_sensitive: bool = False,
    leave_out: Collection[str] = (),
) -> Admission:
    """Judge a checked memory and make its row; with `compare` against the most similar current memories.

    A turn is what was said, and a key is there to be superseded: both meet exact duplicates only.
    A text with a sensitive class in `leave_out` is refused even where the policy only flags it. Only reads.
    """
    kind = policy.of(memory.memory_type)
    importance = kind.importance if memory.importance is None else memory.importance
    segmenter = upkeep.segmenter_of(database)
    rules = dict(policy.values)
    if allow_sensitive:
        rules.update((name, gate.ALLOW) for name in rules if name.startswith("sensitive_"))
    comparable = compare and not kind.verbatim and memory.key is None
    near = _near(database, memory, scope, segmenter) if comparable else []
    verdict = gate.judge(
        memory.content, importance=importance, min_importance=kind.min_importance, policy=rules, near=near,
        segmenter=segmenter,
    )
    if private := sorted(set(verdict.flags) & set(leave_out)):
        verdict = dataclasses.replace(verdict, decision="refuse", reason=f"sensitive: {private[0]}")
    if verdict.decision == "refuse":
        return Admission(verdict, None)
    return Admission(verdict, {
        **scope.bindings(),
        **memory.bindings(),
        **upkeep.indexed(verdict.content, segmenter),
        "metadata": _flagged(memory.metadata, verdict),
        "importance": importance,
        "verbatim": kind.verbatim,
        "reinforcement": policy["reinforcement"],
        "now": moments.now(),
    })


def refuse_secrets(content: str, policy: Policy) -> None:
    """Raise ValueError when the gate would refuse `content` for what it holds; other rules do not matter here."""
    verdict = gate.judge(content, importance=10.0, min_importance=0.0, policy=policy.values)
    if verdict.decision == "refuse" and verdict.flags:
        raise ValueError(f"content is refused ({verdict.reason}): leave it out or say allow_sensitive=True")


# A near duplicate shares all telling words, so the index is asked for memories that have all of them: a short list.
NEAR = """
SELECT m.id, m.content
  FROM memories_fts AS f CROSS JOIN memories AS m ON m.id = f.rowid
 WHERE f.memories_fts MATCH :expression
   AND m.agent_id = :agent_id AND m.user_id = :user_id AND m.memory_type = :memory_type AND m.key IS :key
   AND m.valid_to IS NULL AND (m.expires_at IS NULL OR coalesce(julianday(m.expires_at) > julianday(:now), 1))
 ORDER BY m.id DESC LIMIT :limit
"""


def _near(database: Database, memory: Incoming, scope: Scope, segmenter: Segmenter) -> list[Near]:
    words = read_words(memory.content, segmenter)
    if not words:
        return []
    telling = sorted(words, key=len, reverse=True)[:COMPARED]
    expression = " AND ".join(f"content_segmented : {quoted(word)}" for word in telling)
    rows = database.rows(NEAR, {
        **scope.bindings(), "memory_type": memory.memory_type, "key": memory.key, "limit": COMPARED, "now": moments.now(),
        "expression": scope_prefix(database, scope.bindings()) + f"({expression})",
    })
    return [Near(id=int(str(id)), content=str(content)) for id, content in rows]


def _flagged(metadata: str, verdict: Verdict) -> str:
    """Return the metadata with what the gate noticed: sensitive classes, and the memory that may be contradicted."""
    noticed: dict[str, object] = {}
    if verdict.flags:
        noticed["sensitive"] = list(verdict.flags)
    if verdict.reason == "possible contradiction":
        noticed["contradicts"] = verdict.collides_with
    if not noticed:
        return metadata
    return json.dumps({**parse_metadata(metadata), **noticed}, ensure_ascii=False, separators=(",", ":"))
