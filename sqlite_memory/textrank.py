"""Choose the sentences that stand for a conversation, with no model: TextRank over the words of the index.

Which memories are summarised, and what becomes of them, is decided in `summary`.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .match import is_telling
from .memory import Memory
from .text import Segmenter
from .wording import sentences

DAMPING, ROUNDS = 0.85, 30
"""Of PageRank: Brin and Page (1998); TextRank (Mihalcea and Tarau, 2004) uses the same."""

LARGEST = 300
"""Sentences ranked together, about 0.2 s: the work is quadratic. A longer conversation is ranked part by part."""

_SPEAKER = re.compile(r"[^\s:：]{1,30}(?: [^\s:：]{1,20})?[:：]\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its place: the number of its memory, who speaks (or ""), and its telling words."""

    memory: int
    speaker: str
    text: str
    words: frozenset[str]


def extract(memories: Sequence[Memory], segmenter: Segmenter, *, share: float, longest: int) -> str:
    """Return the best sentences in their order, about `share` of all characters and at most `longest`.

    A line is what one memory contributes, with its speaker. Never empty while a memory holds a sentence.
    """
    all_sentences = list(_sentences(memories, segmenter))
    room = min(longest, share * sum(len(sentence.text) for sentence in all_sentences))
    chosen: list[Sentence] = []
    for start in range(0, len(all_sentences), LARGEST):
        part = all_sentences[start : start + LARGEST]
        chosen += _best(part, room * len(part) / len(all_sentences))
    return _joined(chosen)[:longest]


def _sentences(memories: Sequence[Memory], segmenter: Segmenter) -> Iterable[Sentence]:
    for place, memory in enumerate(memories):
        said = _SPEAKER.match(memory.content)
        speaker = said[0].strip() if said else ""
        for text in sentences(memory.content[said.end() if said else 0 :]):
            words = segmenter.segment(text).words.split()
            yield Sentence(place, speaker, text, frozenset(word for word in words if is_telling(word)))


def _best(part: Sequence[Sentence], room: float) -> list[Sentence]:
    """Return the best sentences that fit into `room` characters, at least one, in their order."""
    ranks = _ranks(part)
    chosen: list[int] = []
    for place in sorted(range(len(part)), key=lambda place: (-ranks[place], place)):
        if not chosen or len(part[place].text) <= room:
            chosen.append(place)
            room -= len(part[place].text)
    return [part[place] for place in sorted(chosen)]


def _ranks(part: Sequence[Sentence]) -> list[float]:
    """Return the PageRank of each sentence in the graph of words that sentences share."""
    links = _links(part)
    totals = [sum(near.values()) for near in links]
    ranks = [1.0] * len(part)
    for _ in range(ROUNDS):
        ranks = [
            1.0 - DAMPING + DAMPING * sum(weight / totals[other] * ranks[other] for other, weight in near.items())
            for near in links
        ]
    return ranks


def _links(part: Sequence[Sentence]) -> list[dict[int, float]]:
    """Return for each sentence its neighbours: words in common over the logarithms of both lengths."""
    holders: dict[str, list[int]] = defaultdict(list)
    links: list[dict[int, float]] = [defaultdict(float) for _ in part]
    for place, sentence in enumerate(part):
        for word in sentence.words:
            for other in holders[word]:
                links[place][other] += 1.0
            holders[word].append(place)
    for place, near in enumerate(links):
        for other in list(near):
            if other < place:
                weight = near[other] / (1.0 + math.log(len(part[place].words)) + math.log(len(part[other].words)))
                links[place][other] = links[other][place] = weight
    return links


def _joined(chosen: Iterable[Sentence]) -> str:
    lines: dict[int, list[str]] = defaultdict(list)
    for sentence in chosen:
        line = lines[sentence.memory]
        line.append(sentence.text if line or not sentence.speaker else f"{sentence.speaker} {sentence.text}")
    return "\n".join(" ".join(line) for line in lines.values())
