"""Compare two short statements: how much of the new one the old one says, and what forbids to merge them.

It leaves the thresholds and the decision to the gate, marks such as denials to `marks`, and the cutting of Chinese to
`text`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from . import marks
from .figures import COUNTERS, NUMBER_WORD, SPELLED, numbers
from .stopwords import STOP_WORDS
from .text import Segmenter, comparable, pieces, runs
from .vocabulary import lines, words

CONTRADICTING = frozenset({"number", "date", "negation"})
"""Differences that make two statements of one subject a possible contradiction."""

LONGEST = 2000
"""Characters of a statement that are compared; the rest has to be equal."""

UNLIKE = 0.85
"""The highest likeness of two statements of which one has a telling word that the other lacks."""


class Statement:
    """What is compared of a text, each part found when it is first asked for: most texts differ in their words already.

    Loads jieba when the text holds two Chinese characters in a row.
    """

    def __init__(self, text: str, segmenter: Segmenter) -> None:
        self._shown, self._rest, self._segmenter = text[:LONGEST], text[LONGEST:], segmenter
        plain = _SHORT_NOT.sub(" not", comparable(self._shown).replace("’", "'"))
        self.plain = _AGE.sub("", _EVERY.sub("", plain))
        self._said = [*_cut(self.plain, segmenter)]
        # A statement of nothing but such words ("the user is 30") is compared by them.
        self._kept = [_meaning(word) for word in self._said if word not in _EMPTY] or self._said
        self.words = tuple(word for word in self._kept if word not in _TIMES)

    @cached_property
    def characters(self) -> frozenset[str]:
        """The characters that are not ASCII."""
        return frozenset(character for character in self.plain if not character.isascii())

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers in one spelling."""
        return tuple(numbers(self.plain))

    @cached_property
    def times(self) -> frozenset[str]:
        """The days, months, parts of the day and how-oftens, each in one spelling."""
        found = [_TIMES[word] for word in self._kept if word in _TIMES]
        found += (_TIMES[half] for half in _HALF_DAY.findall(self.plain))
        return frozenset([*found, *(_TIMES["周" + day] for day in _WEEKDAY.findall(self.plain))])

    @cached_property
    def marks(self) -> frozenset[str]:
        """What two statements must have alike to be one: ways of speaking, people, signs, how often they deny, the rest."""
        denials = sum(map(marks.denials, _CLAUSE.split(self.plain)))
        people = (word for word in self._kept if word in _PEOPLE)
        return frozenset(
            [*marks.ways(self.plain), *people, marks.signs(self.plain, self._shown), f"{denials} denials", self._rest]
        )

    @cached_property
    def negative(self) -> frozenset[str]:
        """The words of the clauses that deny."""
        found: set[str] = set()
        for clause in _CLAUSE.split(self.plain):
            if marks.denials(clause) % 2:
                words = [_meaning(word) for word in _cut(clause, self._segmenter) if word not in _EMPTY]
                found.update([_TIMES.get(word, word) for word in words] or [""])
        return frozenset(found)

    @cached_property
    def persons(self) -> tuple[str, ...]:
        """Which of I, you, we and they it names, in order."""
        return marks.persons(self.plain)

    @cached_property
    def stances(self) -> frozenset[str]:
        """Which of liking, having and wanting it expresses."""
        return marks.stances(self._said)

    @cached_property
    def names(self) -> frozenset[str]:
        """The people in it."""
        return frozenset(name.lower() for name in _NAME.findall(self._shown)) | (_PEOPLE & set(self._kept))

    @cached_property
    def directed(self) -> bool:
        """Whether order matters: from, than, owes, ..."""
        return _DIRECTED.search(self.plain) is not None

    @cached_property
    def sequence(self) -> tuple[str, ...]:
        """The words that order is judged by. Search mode cuts 五万元 into two words that end alike."""
        return tuple(word for word, _ in groupby(word for word in self._said if word not in STOP_WORDS))


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two statements are.

    `covered` is the share of the new words that the old statement has, `score` also asks the reverse; both 0 to 1 and
    without regard to numbers and dates. `differs` names what keeps the two apart: 'number', 'date', 'negation',
    'manner' (only one of them is a plan, a question, has a sign ...), 'order' (who does what to whom), or ''.
    """

    score: float
    covered: float
    differs: str
    in_order: bool


def compare(new: Statement, old: Statement, least: float = 0.0) -> Likeness:
    """Return how alike two statements are; two without any content word are not alike.

    Below a score of `least` nothing is looked at but the words.
    """
    covered, covering = _share(new, old), _share(old, new)
    score = covered * covering**0.5
    if covered < 1 or covering < 1:
        score = min(score, UNLIKE)
    if score < least:
        return Likeness(score, covered, "", True)
    return Likeness(score, covered, _difference(new, old), _in_order(new, old))


def _meaning(word: str) -> str:
    return _SAME.get(word, word)


def _cut(plain: str, segmenter: Segmenter) -> Iterator[str]:
    """Yield the words of a text in order, cut down to what is compared; numbers are left to `figures`."""
    for script, run in runs(plain):
        for word in pieces(run) if script == "word" else segmenter.cut(run) if script == "han" else (run,):
            core = _stem(word) if script == "word" else _HAN_EDGES.sub("", word)
            if core != word and word[0] == "有":
                yield "有"
            if core and not NUMBER_WORD.fullmatch(core):
                yield core


# ---------------------------------------------------------------------------------------------------- likeness


def _share(of: Statement, within: Statement) -> float:
    """Return the share of the distinct words of one statement that the other has, 0 to 1."""
    wanted = set(of.words)
    if not wanted:
        return 0.0
    there = set(within.words)
    found = sum(
        word in there or _spelled_by(word, within.characters) or not there.isdisjoint(_OPPOSITES.get(word, ()))
        for word in wanted
    )
    return found / len(wanted)


def _spelled_by(word: str, characters: frozenset[str]) -> bool:
    # The same words are cut differently in two sentences: the characters still agree.
    return not word.isascii() and characters.issuperset(word)


def _in_order(new: Statement, old: Statement) -> bool:
    """Say whether the words that both have come in the same order, or are two at most and nothing is denied."""
    common = {*new.sequence} & {*old.sequence}
    one, other = ([word for word in sequence if word in common] for sequence in (new.sequence, old.sequence))
    few = max(len(one), len(other)) <= 2 and not new.negative and not old.negative
    return few or one == other


def _difference(new: Statement, old: Statement) -> str:
    """Return the first thing that keeps the two apart, the surest sign of a contradiction first."""
    if _both_differ(frozenset(new.numbers), frozenset(old.numbers)):
        return "number"
    if _both_differ(new.times, old.times):
        return "date"
    if _denies(new, old) or _opposite(new.words, old.words):
        return "negation"
    if new.numbers != old.numbers or new.times != old.times or new.marks != old.marks:
        return "manner"
    if new.persons and old.persons and new.persons != old.persons:
        return "manner"
    if (new.stances and old.stances and new.stances != old.stances) or "want" in new.stances ^ old.stances:
        return "manner"
    return "order" if _reordered(new, old) else ""


def _both_differ(new: frozenset[str], old: frozenset[str]) -> bool:
    return bool(new - old) and bool(old - new)


def _denies(new: Statement, old: Statement) -> bool:
    """Say whether one of the two denies what the other says of a word that both have."""
    common = ({*new.words} & {*old.words}) | (new.times & old.times) | {""}
    return not (new.negative ^ old.negative).isdisjoint(common)


def _opposite(new: Iterable[str], old: Iterable[str]) -> bool:
    one, other = set(new), set(old)
    only_new, only_old = one - other, other - one
    return any(_OPPOSITES.get(word, ()) and not only_old.isdisjoint(_OPPOSITES[word]) for word in only_new)


def _reordered(new: Statement, old: Statement) -> bool:
    """Say whether words come in another order where it matters: with a direction, with people, with a part left out."""
    fragile = (
        new.directed
        or old.directed
        or bool(new.names)
        or "other" in new.marks
        or len(set(old.words)) > len(set(new.words))
    )
    return fragile and _order(_signs(new.words), _signs(old.words))


def _signs(words: Iterable[str]) -> tuple[str, ...]:
    # A name unknown to the dictionary is cut together with the verb after it: characters show the order all the same.
    return tuple(sign for word in words for sign in ((word,) if word.isascii() else word))


def _order(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    common = set(new) & set(old)
    return list(dict.fromkeys(w for w in new if w in common)) != list(dict.fromkeys(w for w in old if w in common))


# ---------------------------------------------------------------------------------------------------- words

_HAN_EDGES = re.compile(
    "^(?:(?:我们|你们|咱们|从不|从没|[我你不没别有])+(?=.)|百分之?|分之|之(?=[一二三四五六七八九十百])"
    "|[零〇一二两三四五六七八九十百千万亿]+)+"
)


@functools.lru_cache(maxsize=30_000)
def core(word: str) -> str:
    """Return what of a word of the index names the subject of a statement, or ''; 不看 names 看.

    Numbers, times, denials and likings do not: two statements of one subject differ in them.
    """
    bare = word if word.isascii() else _HAN_EDGES.sub("", word)
    if (
        not bare or (bare != word and word[0] not in "不没别有") or bare[0].isdigit() or bare in COUNTERS
        or (len(bare) == 1 and bare.isascii()) or bare in STOP_WORDS or bare in _DIFFERING or _stem(bare) in _DIFFERING
        or NUMBER_WORD.fullmatch(bare) or marks.denials(bare)
    ):
        return ""
    return bare


@functools.lru_cache(maxsize=30_000)
def names_of(word: str) -> tuple[str, ...]:
    """Return the words of the same meaning, or of the opposite one, in the script of a word; itself among them."""
    same = _ALIKE.get(word, set()) | _OPPOSITES.get(word, set()) | {word}
    return tuple(sorted(other for other in same if other.isascii() == word.isascii()))


# Not -ed: what the user did is not what the user does.
_VOWEL = re.compile("[aeiouy]")  # https is not more than one http
_SUFFIXES = ("ing", "ies", "es", "s")


@functools.lru_cache(maxsize=30_000)
def _stem(word: str) -> str:
    """Return an English word without its commonest endings; rough, and only compared with others cut the same way."""
    if len(word) < 4 or not word.isascii() or word in _WHOLE or word.endswith("ss") or not _VOWEL.search(word):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            cut = word[: -len(suffix)] + ("y" if suffix == "ies" else "")
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "sl" else cut.rstrip("e")
    return word.rstrip("e")


_EMPTY = words("empty")
_SAME = {word: line.split()[0] for line in lines("same") for word in line.split()}
_ALIKE = {word: set(line.split()) for line in lines("same") for word in line.split()}
_TIMES = {word: line.split()[0] for line in lines("time") for word in line.split()}
_OPPOSITES: dict[str, set[str]] = {}
for _word, _others in (pair.split(":") for line in lines("opposite") for pair in line.split()):
    for _other in _others.split(","):
        _OPPOSITES.setdefault(_word, set()).add(_other)
        _OPPOSITES.setdefault(_other, set()).add(_word)
_DIFFERING = _EMPTY | _TIMES.keys() | _OPPOSITES.keys()
_WHOLE = _EMPTY | _SAME.keys() | _TIMES.keys() | SPELLED.keys()
_HALF_DAY = re.compile(r"\d\s?([ap]m)\b")
_WEEKDAY = re.compile("(?:礼拜|星期|周)([一二三四五六日天])")
_EVERY = re.compile("每个?(?=(?:礼拜|星期|周)[一二三四五六日天])")

# ---------------------------------------------------------------------------------------------------- patterns

_CLAUSE = re.compile(r"[,，;；。.!！?？\n]|\b(?:but|while|whereas|and)\b|但是?|可是|而|却|然而")
_SHORT_NOT = re.compile(r"n't\b|(?<=\bcan)not\b")
_AGE = re.compile(r"(?<=years )old\b|(?<=year )old\b")
_DIRECTED = re.compile(
    r"\b(?:from|than|beat|owe\w*|len[dt]|taught|teaches|gave|before|after|over|to|then)\b|[从比给向借欠教赢输被]"
    r"|打败|胜过|不如|[送还]给"
)
_PEOPLE = words("people")
_NAME = re.compile(r"(?<![A-Za-z])(?<!^)(?<![.!?] )(?!I\b)[A-Z][a-z]+\b|[老小阿][\u4e00-\u9fff]")
