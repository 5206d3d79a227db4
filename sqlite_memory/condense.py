"""Choose the sentences that tell most of a conversation, with no model.

Which conversations are summarised, and what becomes of their turns, is decided in `summary`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .match import is_telling
from .memory import Memory
from .text import Segmenter
from .wording import sentences

LARGEST = 300
"""Sentences chosen among at once, some 50 ms: the work is quadratic. Longer conversations are condensed in parts."""

_SPEAKER = re.compile(r"[^\s:：]{1,30}(?: [^\s:：]{1,20})?[:：]\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: the place of its memory, who speaks (or ""), and its telling words."""

    memory: int
    speaker: str
    text: str
    words: frozenset[str]


def condense(memories: Sequence[Memory], segmenter: Segmenter, *, share: float, longest: int) -> str:
    """Return the sentences that tell most, in their order: about `share` of the characters and at most `longest`.

    A line is what one memory contributes, with its speaker. Empty only when no memory holds a visible character.
    """
    everything = list(_sentences(memories, segmenter))
    room = min(float(longest), share * sum(len(sentence.text) for sentence in everything))
    chosen: list[Sentence] = []
    for start in range(0, len(everything), LARGEST):
        part = everything[start : start + LARGEST]
        chosen += _telling_most(part, room * len(part) / len(everything))
    return _joined(chosen)[:longest]


def _sentences(memories: Sequence[Memory], segmenter: Segmenter) -> Iterator[Sentence]:
    for place, memory in enumerate(memories):
        said = _SPEAKER.match(memory.content)
        speaker = said[0].strip() if said else ""
        for text in sentences(memory.content[said.end() if said else 0 :]):
            words = segmenter.segment(text).words.split()
            yield Sentence(place, speaker, text, frozenset(word for word in words if is_telling(word)))


def _telling_most(part: Sequence[Sentence], room: float) -> list[Sentence]:
    """Return sentences that together hold many different words in `room` characters, at least one, in their order.

    The greedy choice of budgeted maximum coverage (Khuller, Moss and Naor, 1999): again and again the sentence with
    most new words for its length. A word counts by the root of how often it is said.
    On conversations it finds the session of a question far better than TextRank does: see benchmarks/summaries.py.
    """
    often = Counter(word for sentence in part for word in sentence.words)
    told: set[str] = set()
    chosen: list[int] = []

    def gain(place: int) -> float:
        new = part[place].words - told
        return math.fsum(often[word] ** 0.5 for word in new) / (len(part[place].text) + 10)

    shortest = min(range(len(part)), key=lambda place: len(part[place].text))
    left = [place for place, sentence in enumerate(part) if len(sentence.text) <= room] or [shortest]
    while left:
        best = max(left, key=gain)
        if chosen and not gain(best):
            break
        chosen.append(best)
        room -= len(part[best].text)
        told |= part[best].words
        left = [place for place in left if place != best and len(part[place].text) <= room]
    return [part[place] for place in sorted(chosen)]


def _joined(chosen: Sequence[Sentence]) -> str:
    lines: dict[int, list[str]] = {}
    for sentence in chosen:
        start = [sentence.speaker] if sentence.speaker else []
        lines.setdefault(sentence.memory, start).append(sentence.text)
    return "\n".join(" ".join(line) for line in lines.values())
