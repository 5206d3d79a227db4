"""Compare two short statements: how much of the new one the old one says, and what forbids to merge them.

It leaves the thresholds and the decision to the gate, and the cutting of Chinese to `text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .figures import NUMBER_WORD, SPELLED, numbers
from .stopwords import STOP_WORDS
from .text import Segmenter, normalise, pieces, runs
from .vocabulary import lines, words

CONTRADICTING = frozenset({"number", "date", "negation"})
"""Differences that make two statements of one subject a possible contradiction."""

LONGEST = 2000
"""Characters of a statement that are compared; the rest has to be equal."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What is compared of a text: its content words in order, and the marks that make two like sentences differ.

    `negative` are the words of the clauses that deny, `names` the people in it, `directed` says that order matters.
    """

    words: tuple[str, ...]
    characters: frozenset[str]
    numbers: tuple[str, ...]
    times: frozenset[str]
    marks: frozenset[str]
    negative: frozenset[str]
    directed: bool
    names: frozenset[str]
    sequence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two statements are.

    `covered` is the share of the new words that the old statement has, `score` also asks the reverse; both 0 to 1 and
    without regard to numbers and dates. `differs` names what keeps the two apart: 'number', 'date', 'negation',
    'manner' (only one of them is a plan, a question, a comparison ...), 'order' (who does what to whom), or ''.
    """

    score: float
    covered: float
    differs: str
    in_order: bool


def compare(new: Statement, old: Statement) -> Likeness:
    """Return how alike two statements are; two without any content word are not alike."""
    covered, covering = _share(new, old), _share(old, new)
    return Likeness(
        score=covered * covering**0.5, covered=covered, differs=_difference(new, old), in_order=_in_order(new, old)
    )


def read(text: str, segmenter: Segmenter) -> Statement:
    """Return the statement in `text`; loads jieba when the text holds two Chinese characters in a row."""
    shown = text[:LONGEST]
    plain = _EVERY.sub("", _SHORT_NOT.sub(" not", normalise(shown).replace("’", "'")))
    kept: list[str] = []
    negative: set[str] = set()
    for clause in _CLAUSE.split(plain):
        words = [_SAME.get(word, word) for word in _cut(clause, segmenter) if word not in _EMPTY]
        kept += words
        if _NEGATIVE.search(_HAN_NOT_NEGATIVE.sub(" ", clause)):
            negative.update(_TIMES.get(word, word) for word in words or ("",))
    return Statement(
        words=tuple(word for word in kept if word not in _TIMES),
        characters=frozenset(character for character in plain if not character.isascii()),
        numbers=tuple(numbers(plain)),
        times=frozenset(_times(plain, kept)),
        marks=frozenset([*_marks(plain), *(word for word in kept if word in _PEOPLE), text[LONGEST:]]),
        negative=frozenset(negative),
        directed=_DIRECTED.search(plain) is not None,
        sequence=tuple(word for word in _cut(plain, segmenter) if word not in STOP_WORDS),
        names=frozenset(name.lower() for name in _NAME.findall(shown)) | (_PEOPLE & set(kept)),
    )


def _times(plain: str, words: Iterable[str]) -> Iterator[str]:
    """Yield the days, months, parts of the day and how-oftens of a text, each in one spelling."""
    yield from (_TIMES[word] for word in words if word in _TIMES)
    yield from (_TIMES[half] for half in _HALF_DAY.findall(plain))
    yield from (_TIMES["周" + day] for day in _WEEKDAY.findall(plain))


def _marks(plain: str) -> Iterator[str]:
    """Yield the ways of speaking, and the signs that words do not show: another currency, another operator."""
    yield from (mark for mark, pattern in _MARKS.items() if pattern.search(plain))
    yield from _SIGN.findall(plain)


def _cut(plain: str, segmenter: Segmenter) -> Iterator[str]:
    """Yield the words of a text in order, cut down to what is compared; numbers are left to `figures`."""
    for script, run in runs(plain):
        for word in pieces(run) if script == "word" else segmenter.cut(run) if script == "han" else (run,):
            word = _stem(word) if script == "word" else _HAN_EDGES.sub("", word)
            if word and not NUMBER_WORD.fullmatch(word):
                yield word


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

_HAN_EDGES = re.compile("^(?:(?:我们|你们|咱们|从不|从没|[我你不没别])+(?=.)|[零〇一二两三四五六七八九十百千万亿]+)+")
# Not -ed: what the user did is not what the user does.
_SUFFIXES = ("ing", "ies", "es", "s")


def _stem(word: str) -> str:
    """Return an English word without its commonest endings; rough, and only compared with others cut the same way."""
    if (
        word in _SAME
        or word in _EMPTY
        or word in SPELLED
        or word in _TIMES
        or not word.isascii()
        or len(word) < 4
        or word.endswith("ss")
    ):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            cut = word[: -len(suffix)] + ("y" if suffix == "ies" else "")
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "sl" else cut.rstrip("e")
    return word.rstrip("e")


_EMPTY = words("empty")
_SAME = {word: line.split()[0] for line in lines("same") for word in line.split()}
_TIMES = {word: line.split()[0] for line in lines("time") for word in line.split()}
_OPPOSITES: dict[str, set[str]] = {}
for _word, _others in (pair.split(":") for line in lines("opposite") for pair in line.split()):
    for _other in _others.split(","):
        _OPPOSITES.setdefault(_word, set()).add(_other)
        _OPPOSITES.setdefault(_other, set()).add(_word)
_HALF_DAY = re.compile(r"\d\s?([ap]m)\b")
_WEEKDAY = re.compile("(?:礼拜|星期|周)([一二三四五六日天])")
_EVERY = re.compile("每个?(?=(?:礼拜|星期|周)[一二三四五六日天])")

# ---------------------------------------------------------------------------------------------------- marks

_CLAUSE = re.compile(r"[,，;；。.!！?？\n]|\b(?:but|while|whereas|and)\b|但是?|可是|而|却|然而")
_SHORT_NOT = re.compile(r"n't\b")
_HAN_NOT_NEGATIVE = re.compile(
    "不错|不过(?!敏|夜|年|来|去|关)|不仅|不但|不管|不论|不同(?!意|步)|不久|不断|不少(?!于)|不得不|差不多"
    "|对不起|不好意思|不客气"
    "|没关系|无论|无锡|未来|非常|非洲|除非|特别|别人|分别|区别|级别|性别|别墅|告别|要不|好不好|是不是"
)
_NEGATIVE = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|nothing|nobody|cannot|dont|doesnt|wont|cant|isnt|hate[sd]?"
    r"|dislike[sd]?|avoid\w*"
    r"|detest\w*|loathe\w*|stop(?:ped|s)?|quit|unable|refuse[sd]?|hardly|gave up|against|un(?:happy|like))\b"
    "|[不没别无勿未甭]|非(?=必)|讨厌|反感|厌恶|受不了|拒绝|戒|避免|停止|放弃"
)
_MARKS = {
    "past": re.compile(
        r"\bused to\b|\bformer|\bpreviously\b|\bback then\b|\bwas\b|\bwere\b|\bhad\b"
        "|以前|曾经|曾|[去吃学抽养住做看听喝用买玩读教当]过"
        r"|原来|本来|本想|差点|过去|当年|小时候"
    ),
    "plan": re.compile(
        r"\b(?:plan(?:s|ning)?|want(?:s|ed)? to|would like to|going to|hopes? to|might|may|maybe|perhaps"
        r"|will|thinking of"
        r"|considering)\b"
        "|打算|计划|准备|可能|也许|考虑|想(?!要|念|法)|将"
    ),
    "question": re.compile(r"[?？]|吗[。！]?$"),
    "condition": re.compile(r"\b(?:if|unless|except|only|until)\b|如果|要是|除了|除非|只(?!是)|仅"),
    "hearsay": re.compile(
        r"\b(?:heard|said|says|told|asked|suggest\w*|recommend\w*|advis\w*|wish|would|pretend\w*|false"
        r" that)\b"
        "|听说|据说|说是|[他她]说|建议|推荐|劝|以为|假装"
    ),
    "comparison": re.compile(
        r"\b(?:than|over|rather|instead|versus|vs)\b|\bprefer\w*\b.{1,40}\bto\b|比(?!较)|而不是|胜过|不如"
    ),
    "other": re.compile(r"\b(?:he|she|they|him|her|his|their|them)\b|[他她它]"),
}
_DIRECTED = re.compile(
    r"\b(?:from|than|beat|owe\w*|len[dt]|taught|teaches|gave|before|after|over|to)\b|[从比给向借欠教赢输被]"
    r"|打败|胜过|不如|[送还]给"
)
_PEOPLE = words("people")
_SIGN = re.compile("[<>=+*/%$€£¥°&^|~]")
_NAME = re.compile(r"(?<![A-Za-z])(?<!^)(?<![.!?] )(?!I\b)[A-Z][a-z]+\b|[老小阿][\u4e00-\u9fff]")
