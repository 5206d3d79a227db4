"""Choose the sentences that tell most of a conversation, with no model.

Which conversations are summarised, and what becomes of their turns, is decided in `summary`.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .match import is_telling
from .memory import Memory
from .text import Segmenter
from .wording import sentences, shorten

LARGEST = 300
"""Sentences chosen among at once, some 50 ms: the work is quadratic. Longer conversations are condensed in parts."""

LEAST = 2
"""Telling words that a sentence must have to be chosen, unless none has."""

_SPEAKER = re.compile(r"[^\s:：]{1,30}(?: [^\s:：]{1,20})?[:：]\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its place and that of its memory, who speaks (or ""), and its telling words."""

    place: int
    memory: int
    speaker: str
    text: str
    words: frozenset[str]


def condense(
    memories: Sequence[Memory], segmenter: Segmenter, *, share: float, shortest: float = 0, longest: int
) -> str:
    """Return the sentences that tell most, in their order: about `share` of the characters, `shortest` to `longest`.

    A line is what one memory contributes, with its speaker. Empty only when no memory holds a visible character.
    """
    everything = list(_sentences(memories, segmenter))
    room = min(longest, max(shortest, share * sum(len(memory.content) + 1 for memory in memories)))
    chosen: list[Sentence] = []
    for start in range(0, len(everything), LARGEST):
        part = everything[start : start + LARGEST]
        chosen += _telling_most(part, room * len(part) / len(everything))
    text = _joined(chosen)
    return text if len(text) <= longest else shorten(text, lambda beginning: len(beginning) <= longest)


def _sentences(memories: Sequence[Memory], segmenter: Segmenter) -> Iterator[Sentence]:
    places = itertools.count()
    for number, memory in enumerate(memories):
        said = _SPEAKER.match(memory.content)
        speaker = said[0] if said else ""
        for text in sentences(memory.content[said.end() if said else 0 :]):
            words = segmenter.segment(text).words.split()
            yield Sentence(next(places), number, speaker, text, frozenset(filter(is_telling, words)))


def _telling_most(part: Sequence[Sentence], room: float) -> list[Sentence]:
    """Return sentences that together hold many different words in `room` characters, at least one, in their order.

    The greedy choice of budgeted maximum coverage (Khuller, Moss and Naor, 1999): again and again the sentence with
    most new words for its length; a word counts by the root of how often it is said. TextRank over the same sentences
    leads far fewer questions to their conversation: benchmarks/summaries.py.
    """
    often = Counter(word for sentence in part for word in sentence.words)
    told: set[str] = set()
    chosen: list[Sentence] = []

    def gain(sentence: Sentence) -> float:
        return math.fsum(often[word] ** 0.5 for word in sentence.words - told) / (len(sentence.text) + 10)

    left = [sentence for sentence in part if len(sentence.words) >= LEAST] or list(part)
    left = _fitting(left, chosen, room) or [min(left, key=lambda sentence: len(sentence.text))]
    while left:
        best = max(left, key=gain)
        if chosen and not gain(best):
            break
        room -= _cost(best, chosen)
        chosen.append(best)
        told |= best.words
        left = _fitting([sentence for sentence in left if sentence is not best], chosen, room)
    return sorted(chosen, key=lambda sentence: sentence.place)


def _fitting(left: Iterable[Sentence], chosen: Sequence[Sentence], room: float) -> list[Sentence]:
    return [sentence for sentence in left if _cost(sentence, chosen) <= room]


def _cost(sentence: Sentence, chosen: Sequence[Sentence]) -> int:
    """Return the characters that a sentence adds to the chosen ones; its speaker is named once a line."""
    named = any(other.memory == sentence.memory for other in chosen)
    return len(sentence.text) + 1 + (0 if named else len(sentence.speaker))


def _joined(chosen: Sequence[Sentence]) -> str:
    lines: dict[int, str] = {}
    for sentence in chosen:
        line = lines.get(sentence.memory)
        space = " " if line and line[-1].isascii() else ""
        lines[sentence.memory] = (sentence.speaker if line is None else line + space) + sentence.text
    return "\n".join(lines.values())
