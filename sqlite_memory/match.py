"""Read a question once: the terms it asks for as FTS5 expressions, the names, the dates, and whether it wants a number.

Any text is a legal question. How terms are weighed against each other is left to `ranking`.
"""

from __future__ import annotations

import datetime
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

_WANTS_NUMBER = re.compile(
    r"\bwhen\b|\bwhat (?:time|date|day|year|month)\b|\bhow (?:long|many|much|often|old)\b"
    r"|什么时候|啥时候|何时|哪一?[年天月]|几[月号点个次位人岁]|多久|多少|多大"
)


class Term(NamedTuple):
    """One thing to look for: `expression` in FTS5's language; `column` is `word` or `character`."""

    expression: str
    column: str


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
    words: dict[str, None] = {}
    characters: dict[str, None] = {}
    said: list[str] = []
    for script, run in runs(plain):
        if script == "word":
            parts = pieces(run)
            words.update(dict.fromkeys(parts))
            if 1 < len(parts) <= MAX_PIECES:
                words[" ".join(parts)] = None
            said += parts
            continue
        said.append(run)
        if script == "han":
            words.update(dict.fromkeys(segmenter.cut(run)))
            characters.update(dict.fromkeys(run))
        else:
            words[run] = None
            characters.update(dict.fromkeys(run[place : place + 2] for place in range(max(1, len(run) - 1))))
    return Question(
        terms=_terms(list(words), list(characters)),
        names=f" {' '.join(said)} ",
        dates=dates_in(plain, today),
        wants_number=bool(_WANTS_NUMBER.search(plain)),
    )


def telling_words(segmented: str) -> list[str]:
    """Return the telling words of a segmented text without repeats and without numbers, in their order."""
    return [word for word in dict.fromkeys(segmented.split()) if is_telling(word) and not word.isdigit()]


def word_term(word: str) -> Term:
    """Return the term of a word or phrase; the irregular forms of an English word are one term."""
    return Term(" OR ".join(f"content_segmented : {quoted(form)}" for form in FORMS.get(word, (word,))), "word")


def is_telling(word: str) -> bool:
    """Tell whether a word is worth searching for; single Chinese characters have their own column."""
    return word not in STOP_WORDS and (len(word) > 1 or word.isascii())


def quoted(phrase: str) -> str:
    """Return a phrase as a string of FTS5: nothing in it can be read as syntax."""
    return '"' + phrase.replace('"', '""').replace("\x00", " ") + '"'


def _terms(words: list[str], characters: list[str]) -> tuple[Term, ...]:
    telling = [word for word in words if is_telling(word)]
    single = [character for character in characters if character not in STOP_CHARACTERS]
    if not telling and not single:
        telling, single = words, characters
    terms = dict.fromkeys(word_term(word) for word in telling)
    terms.update(dict.fromkeys(Term(f"characters : {quoted(' '.join(pair))}", "character") for pair in single))
    return tuple(terms)[:MAX_TERMS]
