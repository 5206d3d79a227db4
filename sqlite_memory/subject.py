"""Choose the words by which the index finds the memories of the subject of a text, and of what it finds the nearest.

What a word is worth stands in `similar`; the search itself is `admission`'s.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

from .match import quoted
from .similar import core, names_of
from .stopwords import STOP_WORDS
from .text import HAN_RUN

ASKED = 3
"""Words that are asked for, the longest ones; a memory must have all of them but one."""

COMPARED = 3
"""Existing memories that one new text is compared with, of those that the index finds."""

WORTHWHILE = 0.33, 0.65
"""Likeness at a first look from which on a memory is compared: of words, and of Chinese characters (alike by chance)."""


def expression(segmented: str) -> str:
    """Return what asks the index for memories of the subject of a segmented text; '' when it has no word to ask for."""
    words = dict.fromkeys(segmented.split())
    asked = (
        [*filter(None, map(core, words))]
        or [word for word in words if len(names_of(word)) > 1]
        or [word for word in words if word not in STOP_WORDS and not word.isdigit()]
        or [word for word in words if not word.isdigit()]
    )
    longest: list[str] = []
    for word in sorted(dict.fromkeys(asked), key=len, reverse=True):
        # Search mode gives 朋友 beside 男朋友.
        if word.isascii() or not any(word in longer for longer in longest):
            longest.append(word)
        if len(longest) == ASKED:
            break
    terms = [_term(word) for word in longest]
    if len(terms) < ASKED:
        return " AND ".join(terms)
    first, second, third = terms
    return f"({first} AND ({second} OR {third})) OR ({second} AND {third})"


@functools.lru_cache(maxsize=30_000)
def _term(word: str) -> str:
    names = " OR ".join(quoted(name) for name in names_of(word))
    # A single Chinese character stands alone in one sentence and in a longer word of another.
    single = len(word) == 1 and HAN_RUN.fullmatch(word)
    return f"(content_segmented : ({names}) OR characters : {quoted(word)})" if single else f"content_segmented : ({names})"


def nearest(segmented: str, found: Sequence[tuple[int, str, str]]) -> list[tuple[int, str]]:
    """Return id and content of those of `found` (id, content, segmented) that a first look does not rule out.

    The most alike come first, the earlier of equals; the look takes a hundredth of the time of a comparison.
    """
    if not found:
        return []
    least = WORTHWHILE[not segmented.isascii()]
    wanted = _parts(segmented)
    alike = [(_cosine(wanted, _parts(words)), id, content) for id, content, words in found]
    alike.sort(key=lambda item: -item[0])
    return [(id, content) for likeness, id, content in alike[:COMPARED] if likeness >= least]


def _parts(segmented: str) -> set[str]:
    if not segmented.isascii():
        # Chinese is cut differently in two sentences; 还没有 and 已经 are not what they are about.
        return set("".join(word for word in segmented.split() if core(word) or len(names_of(word)) > 1)) or set(segmented)
    words = set(segmented.split())
    return (words - STOP_WORDS) or words


def _cosine(wanted: set[str], there: set[str]) -> float:
    return len(wanted & there) / math.sqrt(len(wanted) * len(there) or 1)
