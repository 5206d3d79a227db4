"""Read a query once: its words and characters as FTS5 expressions. Any text is a legal query.

How terms are weighed against each other is left to `ranking`.
"""

from __future__ import annotations

from typing import NamedTuple

from .stopwords import STOP_CHARACTERS, STOP_WORDS
from .text import Segmenter, normalise, pieces, runs

MAX_TERMS = 400
"""Terms that one query may have; what comes after them in a longer text is not searched for."""


class Term(NamedTuple):
    """One thing to look for: `expression` in FTS5's language, in the column of `weight`."""

    expression: str
    weight: float


def read_terms(query: str, segmenter: Segmenter) -> tuple[Term, ...]:
    """Return the terms of a query, without repeats, stop words left out unless there is nothing else."""
    words: dict[str, None] = {}
    characters: dict[str, None] = {}
    for script, run in runs(normalise(query)):
        if script == "word":
            parts = pieces(run)
            words.update(dict.fromkeys(parts))
            if len(parts) > 1:
                words[" ".join(parts)] = None
        elif script == "han":
            words.update(dict.fromkeys(segmenter.cut(run)))
            characters.update(dict.fromkeys(run))
        else:
            words[run] = None
            pairs = [run[place : place + 2] for place in range(max(1, len(run) - 1))]
            characters.update(dict.fromkeys(" ".join(pair) for pair in pairs))
    telling_words = [word for word in words if word not in STOP_WORDS] or list(words)
    telling_characters = [c for c in characters if c not in STOP_CHARACTERS] or list(characters)
    terms = [Term(_expression("content_segmented", word), WORD) for word in telling_words]
    terms += [Term(_expression("characters", character), CHARACTER) for character in telling_characters]
    return tuple(terms[:MAX_TERMS])


WORD, CHARACTER = 1.0, 0.7


def _expression(column: str, phrase: str) -> str:
    """Return a quoted phrase of one column: nothing in it can be read as syntax."""
    quoted = phrase.replace('"', '""')
    return f'{column} : "{quoted}"'
