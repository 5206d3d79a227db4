"""Read a question once: the terms it asks for as FTS5 expressions, the names, the dates, and whether it wants a number.

Any text is a legal question. A term's weight tells where it stands in the question; how rare it is, `ranking` finds out.
"""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from .dates import dates_in
from .forms import FORMS
from .stopwords import STOP_CHARACTERS, STOP_WORDS
from .text import Segmenter, normalise, pieces, runs

MAX_CHARACTERS = 10_000
"""Characters of a question that are read."""

MAX_PIECES = 12
"""Pieces up to which a compound such as a path is also looked for as a whole."""

MAX_TERMS = 400
"""Terms that one question may have; what comes after them in a longer text is not searched for."""

LINE_WEIGHT = 0.8
"""What a line of a conversation counts against the next one; down to half, however many follow."""

_WANTS_NUMBER = re.compile(
    r"\bwhen\b|\bwhat (?:time|date|day|year|month)\b|\bhow (?:long|many|much|often|old)\b"
    r"|什么时候|啥时候|何时|哪一?[年天月]|几[月号点个次位人岁]|多久|多少|多大"
)

# A mark before other ASCII may stand in an address. Full-width marks are plain ones in normalised text.
_SENTENCE_END = re.compile(r"(?<=[。!?;])(?![!-~])|(?<=\.)(?=\s)")


class Term(NamedTuple):
    """One thing to look for: `expression` in FTS5's language; `column` is `word` or `character`."""

    expression: str
    column: str
    weight: float = 1.0


class _Cut(NamedTuple):
    """What a sentence holds: words, single characters, and all runs of it in their order."""

    words: list[str]
    characters: list[str]
    said: list[str]


@dataclass(frozen=True, slots=True)
class Question:
    """What a question asks for.

    `names` holds its words between spaces, to look a speaker's name up in; `dates` are GLOB patterns of times;
    `wants_number` tells whether it asks when or how many.
    """

    terms: tuple[Term, ...]
    names: str
    dates: tuple[str, ...]
    wants_number: bool


def read_question(text: str, segmenter: Segmenter, today: datetime.date) -> Question:
    """Return what `text` asks for, relative dates counted back from `today`."""
    plain = normalise(text[:MAX_CHARACTERS])
    words: dict[str, float] = {}
    characters: dict[str, float] = {}
    said: list[str] = []
    lines = [line for line in plain.split("\n") if line.strip()]
    for later, line in zip(reversed(range(len(lines))), lines, strict=True):
        weight = max(0.5, LINE_WEIGHT**later)
        for cut, share in _shares(line, segmenter) if len(lines) == 1 else [(_cut(line, segmenter), 1.0)]:
            for found, parts in ((words, cut.words), (characters, cut.characters)):
                found.update((part, max(weight * share, found.get(part, 0.0))) for part in parts)
            said += cut.said
    return Question(
        terms=_terms(words, characters),
        names=f" {' '.join(said)} ",
        dates=dates_in(plain, today),
        wants_number=bool(_WANTS_NUMBER.search(plain)),
    )


def _shares(line: str, segmenter: Segmenter) -> list[tuple[_Cut, float]]:
    """Return the sentences of a line, each with what its words count: of two questions at once, the long one less.

    A word of a question counts the root of their mean size over its own, else the long one would drown the short one.
    """
    sentences = _SENTENCE_END.split(line)
    cuts = [_cut(sentence, segmenter) for sentence in sentences]
    sizes = [
        sum(map(is_telling, cut.words)) if sentence.rstrip().endswith("?") else 0
        for sentence, cut in zip(sentences, cuts, strict=True)
    ]
    mean = sum(sizes) / max(1, len(sizes) - sizes.count(0))
    return [(cut, math.sqrt(mean / size) if size else 1.0) for cut, size in zip(cuts, sizes, strict=True)]


def _cut(sentence: str, segmenter: Segmenter) -> _Cut:
    words: list[str] = []
    characters: list[str] = []
    said: list[str] = []
    for script, run in runs(sentence):
        if script == "word":
            parts = pieces(run)
            words += parts
            if 1 < len(parts) <= MAX_PIECES:
                words.append(" ".join(parts))
            said += parts
            continue
        said.append(run)
        if script == "han":
            words += segmenter.cut(run)
            characters += run
        else:
            words.append(run)
            characters += [run[place : place + 2] for place in range(max(1, len(run) - 1))]
    return _Cut(words, characters, said)


def word_term(word: str) -> Term:
    """Return the term of a word or phrase; the irregular forms of an English word are one term."""
    return Term(" OR ".join(f"content_segmented : {quoted(form)}" for form in FORMS.get(word, (word,))), "word")


def is_telling(word: str) -> bool:
    """Tell whether a word is worth searching for; single Chinese characters have their own column."""
    return word not in STOP_WORDS and (len(word) > 1 or word.isascii())


def quoted(phrase: str) -> str:
    """Return a phrase as a string of FTS5: nothing in it can be read as syntax."""
    return '"' + phrase.replace('"', '""').replace("\x00", " ") + '"'


def _terms(words: dict[str, float], characters: dict[str, float]) -> tuple[Term, ...]:
    # 我住在哪里 asks by one character; as a word of its own it leaves 记住 behind.
    telling = [word for word in words if is_telling(word)] or [
        word for word in words if word not in STOP_WORDS and word not in STOP_CHARACTERS
    ]
    single = [character for character in characters if character not in STOP_CHARACTERS]
    if not telling and not single:
        telling, single = list(words), list(characters)
    terms = [word_term(word)._replace(weight=words[word]) for word in telling]
    terms += [Term(f"characters : {quoted(' '.join(pair))}", "character", characters[pair]) for pair in single]
    best: dict[str, Term] = {}
    for term in sorted(terms, key=lambda term: -term.weight):
        best.setdefault(term.expression, term)
    return tuple(best.values())[:MAX_TERMS]
