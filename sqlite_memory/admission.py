"""Bring the gate what it needs of the file, and make of an admitted memory the row to store.

What the gate decides is `gate`'s; writing the row, and meeting an exact duplicate inside the transaction, is `store`'s.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from . import gate, moments, subject, upkeep
from .database import Database, Value
from .gate import Near, Verdict
from .incoming import Incoming, Scope
from .memory import parse_metadata
from .policy import Policy, read_policy
from .ranking import scope_token

Row = dict[str, Value]
"""Parameters of a statement by name."""

FOUND = 48
"""Memories of one subject that the index is asked for, the newest."""

LOOKED_AT = 1000
"""Matches of the index that are looked at for these: they may be of another scope or type, or closed."""


class Admission(NamedTuple):
    """What the gate says of a memory, and the row to store unless it is refused; `reinforces` names a row instead."""

    verdict: Verdict
    row: Row | None

    @property
    def reinforces(self) -> int | None:
        """The id of a near duplicate that gains instead of a new row."""
        return self.verdict.collides_with if self.verdict.decision == "reinforce" else None


@dataclasses.dataclass(frozen=True, slots=True)
class Gatekeeper:
    """Judges memories by the policy and the dictionary that the file had when it was asked for: see gatekeeper().

    It looks for similar memories in `comparing`, if that is given. A text with a sensitive class in `leave_out` is
    refused even where the policy only flags it. What is written beside the content is screened too: _beside().
    """

    policy: Policy
    comparing: Database | None
    leave_out: Collection[str]

    def check_length(self, content: str) -> None:
        """Raise ValueError for a text that the gate would refuse as too long: what is lost should be seen."""
        largest = self.policy["max_length"]
        if 0 < largest < len(content):
            raise ValueError(f"content has {len(content)} characters, over the {largest:g} allowed: split it")

    def admit(self, memory: Incoming, scope: Scope, *, allow_sensitive: bool = False) -> Admission:
        """Judge a checked memory and make its row. Only reads.

        A turn is what was said, and a key is there to be superseded: both meet exact duplicates only.
        """
        kind = self.policy.of(memory.memory_type)
        importance = kind.importance if memory.importance is None else memory.importance
        rules = self._rules(allow_sensitive)
        verdict = gate.judge(
            memory.content, importance=importance, min_importance=kind.min_importance, policy=rules,
        )
        if private := sorted(set(verdict.flags) & set(self.leave_out)):
            verdict = dataclasses.replace(verdict, decision="refuse", reason=f"sensitive: {private[0]}")
        elif beside := self._beside(memory.key, memory.metadata, rules):
            verdict = dataclasses.replace(verdict, decision="refuse", reason=f"sensitive: {beside}")
        if verdict.decision == "refuse":
            return Admission(verdict, None)
        indexed = upkeep.indexed(verdict.content, self.policy.segmenter)
        comparable = not kind.verbatim and memory.key is None
        if comparable and (near := self._near(memory, scope, str(indexed["content_segmented"]))):
            verdict = gate.compared(verdict, policy=rules, near=near, segmenter=self.policy.segmenter)
        return Admission(verdict, {
            **scope.bindings(),
            **memory.bindings(),
            **indexed,
            "metadata": _flagged(memory.metadata, verdict),
            "importance": importance,
            "needs_segment": 0,
            "verbatim": kind.verbatim,
            "reinforcement": self.policy["reinforcement"],
            "reinforce_exact": self.policy["reinforce_exact"],
            "updated_at": moments.now(),
        })

    def edited(
        self, content: str | None, patch: str | None, *, allow_sensitive: bool = False
    ) -> tuple[Row | None, str | None]:
        """Return what the index needs of a new content of a memory, and the patch of its metadata with the flags.

        ValueError for what is blank or too long, and for secrets in either.
        """
        rules = self._rules(allow_sensitive)
        if patch is not None:
            self._check(self._beside(None, patch, rules), "metadata")
        if content is None:
            return None, patch
        self.check_length(content)
        if not content.strip():
            raise ValueError("content is blank: use delete() to remove a memory")
        refused, flags, masked = gate.screened(content, rules)
        self._check(refused, "content")
        if flags or patch is not None:
            noted = {**parse_metadata(patch or "{}"), "sensitive": list(flags) or None}
            patch = json.dumps(noted, ensure_ascii=False, separators=(",", ":"))
        return upkeep.indexed(masked, self.policy.segmenter), patch

    def check_tag(self, tag: str) -> None:
        """Raise ValueError for a tag that the policy refuses."""
        if refused := gate.refused_beside(tag, self.policy.values):
            raise ValueError(f"the new tag is refused (sensitive: {refused}): name it otherwise")

    def _rules(self, allow_sensitive: bool) -> Mapping[str, float]:
        return _allowing(self.policy.values) if allow_sensitive else self.policy.values

    def _beside(self, key: str | None, metadata: str, rules: Mapping[str, float]) -> str:
        """Return the kind for which the key, the tags or the metadata are refused, or ''."""
        if key is None and metadata == "{}":
            return ""
        texts = [*([] if key is None else [key]), *_texts(parse_metadata(metadata))]
        return gate.refused_beside("\n".join(texts), rules, self.leave_out)

    def _check(self, refused: str, argument: str) -> None:
        if refused:
            raise ValueError(f"{argument} is refused (sensitive: {refused}): leave it out or say allow_sensitive=True")

    def _near(self, memory: Incoming, scope: Scope, segmented: str) -> list[Near]:
        if self.comparing is None or not any(self.policy[rule] for rule in gate.COMPARING):
            return []
        expression = subject.expression(segmented)
        if not expression:
            return []
        rows = self.comparing.rows(NEAR, {
            **scope.bindings(), "memory_type": memory.memory_type, "limit": FOUND, "now": moments.now(),
            "expression": f"({expression})", "inside": scope_token(scope.bindings()), "looked_at": LOOKED_AT,
        })
        found = [(int(str(id)), str(content), str(words)) for id, content, words in rows]
        return [Near(id, content) for id, content in subject.nearest(segmented, found)]


def gatekeeper(database: Database, *, compare: bool = True, leave_out: Collection[str] = ()) -> Gatekeeper:
    """Return who judges what is to be written to this file now."""
    return Gatekeeper(read_policy(database), database if compare else None, leave_out)


def _allowing(values: Mapping[str, float]) -> Mapping[str, float]:
    return {name: gate.ALLOW if name.startswith("sensitive_") else value for name, value in values.items()}


# The postings of the scope help only where it is a part of the file: see statement() in ranking.
NEAR = """
SELECT m.id, m.content, m.content_segmented
  FROM (SELECT rowid AS id FROM memories_fts
         WHERE memories_fts MATCH CASE
                 WHEN (SELECT 2 * memories FROM scopes WHERE agent_id = :agent_id AND user_id = :user_id)
                   < (SELECT max(id) FROM memories) THEN :inside || :expression
                 ELSE :expression END
         ORDER BY rowid DESC LIMIT :looked_at) AS f
 CROSS JOIN memories AS m ON m.id = f.id
 WHERE m.agent_id = :agent_id AND m.user_id = :user_id AND m.memory_type = :memory_type AND m.key IS NULL
   AND m.valid_to IS NULL AND (m.expires_at IS NULL OR coalesce(julianday(m.expires_at) > julianday(:now), 1))
 LIMIT :limit
"""


def _texts(value: object, name: str = "") -> Iterator[str]:
    """Yield what metadata says, one "name: value" for each value: {"password": "..."} tells by its name."""
    if isinstance(value, dict):
        for inner, item in value.items():
            yield from _texts(item, f"{name} {inner}".strip())
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, name)
    elif isinstance(value, (str, int)) and not isinstance(value, bool) and name != "key":
        yield f"{name}: {value}"
    elif value is not None:
        yield value if isinstance(value, str) else name     # "key" by itself names anything, a UUID as well


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
