"""Say memories in words: one line each, dates, headings in the language of the texts, and their length in tokens.

Which memories are said and in which order is decided in `context` and `notes`.
"""

from __future__ import annotations

import datetime
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .text import HAN, HANGUL, KANA

# ------------------------------------------------------------------------------------------------ length in tokens

# A piece of text of one kind costs so many tokens, plus so many a character. Fitted on o200k_base; see
# benchmarks/tokens.py.
_COSTS = {
    "word": (0.77, 0.047),
    "digits": (1.0, 0.0),
    "space": (1.0, 0.0),
    "between": (0.0, 0.0),
    "han": (0.2, 0.79),
    "kana": (0.2, 0.55),
    "hangul": (0.3, 0.6),
    "letters": (0.7, 0.22),
    "marks": (0.7, 0.25),
    "other": (0.0, 1.2),
}
_PIECE = re.compile(
    r"(?P<word> ?(?:[A-Z\u00c0-\u00de]{1,4}[a-z\u00df-\u024f']{0,12}|[a-z\u00df-\u024f']{1,12}))"
    r"|(?P<digits>\d{1,3})"
    r"|(?P<space>\s*\n\s*|\s+(?=\d)|\s{2,})|(?P<between>\s)"
    f"|(?P<han>[{HAN}]+)|(?P<kana>[{KANA}ー]+)|(?P<hangul>[{HANGUL}]+)"
    r"|(?P<letters>(?:[^\W\d_]|[\u0300-\u036f\u0590-\u0eff]){1,12})"
    r"|(?P<marks>[!-/:-@\[-`{-~·\u2010-\u2027\u3000-\u303f\uff00-\uff20\uff3b-\uff40\uff5b-\uff65]+\n*)"
    r"|(?P<other>.)",
    re.DOTALL,
)


def estimate(text: str) -> int:
    """Return about how many tokens a present-day model reads `text` as (OpenAI's o200k_base; no vocabulary needed)."""
    tokens = 0.0
    for piece in _PIECE.finditer(text):
        base, each = _COSTS[piece.lastgroup or "other"]
        tokens += base + each * (piece.end() - piece.start())
    return math.ceil(tokens)


# ------------------------------------------------------------------------------------------------ one line

_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ENDS = re.compile(
    r"(?:(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bMrs)[.!?…]+[\"'”’)\]]*(?=\s)|[。！？；…]+[”’」』）]*|\n)\s*"
)


def one_line(text: str) -> str:
    """Return `text` on one line, without control characters or marks that turn the direction of writing."""
    return " ".join(_INVISIBLE.sub(" ", text).split())


def sentences(text: str) -> list[str]:
    """Return the sentences of `text` in order, each on one line; line ends and full-width semicolons end one too."""
    ends = [match.end() for match in _ENDS.finditer(text)]
    pieces = (one_line(text[start:end]) for start, end in zip([0, *ends], [*ends, len(text)], strict=True))
    return [piece for piece in pieces if piece]


def shorten(text: str, fits: Callable[[str], bool]) -> str:
    """Return the longest beginning of a line that fits with "…" after it, or "" when nothing does.

    It ends with a sentence when that keeps half of what fits, else with a word.
    """
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(text[:middle] + "…") else (low, middle - 1)
    sentence = max((match.end() for match in _ENDS.finditer(text, 0, low + 1) if match.end() <= low), default=0)
    kept = text[: sentence if 2 * sentence >= low else _word_end(text, low)].rstrip()
    return kept + "…" if kept else ""


_INSIDE = re.compile(f"[^\\W{HAN}{KANA}{HANGUL}]{{2}}|\u200d.|.[\u200d\ufe0f]", re.DOTALL)


def _word_end(text: str, place: int) -> int:
    end = place
    while 0 < end < len(text) and (_INSIDE.match(text, end - 1) or unicodedata.combining(text[end])):
        end -= 1
    return end or place


# ------------------------------------------------------------------------------------------------ two languages


@dataclass(frozen=True, slots=True)
class Words:
    """What the package itself says around memories, in one language."""

    title: str
    stopped: str
    matters: str
    asked: str
    closing: str
    known: str
    nothing: str
    comma: str
    colon: str
    types: Mapping[str, str]
    weekdays: tuple[str, ...]
    day: Callable[[datetime.date, datetime.date], str]

    def today(self, day: datetime.date) -> str:
        """Return a day with its name."""
        return f"{day}{self.comma}{self.weekdays[day.weekday()]}"

    def type_of(self, memory_type: str) -> str:
        """Return what memories of a type are called; a type of the user's own keeps its name."""
        return self.types.get(memory_type) or one_line(memory_type)[:40]


def words_for(texts: Iterable[str]) -> Words:
    """Return Chinese words when the texts hold more Chinese characters than Latin words, else English ones."""
    chinese = latin = 0
    for text in texts:
        chinese += len(_HAN_CHARACTER.findall(text))
        latin += len(_LATIN_WORD.findall(text))
    return CHINESE if chinese > latin else ENGLISH


_HAN_CHARACTER = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile("[A-Za-z]+")


def dated(moment: str, today: datetime.date, words: Words) -> str:
    """Return the day of a time of the file, and how long ago in words; a time nobody can read is `????`."""
    try:
        day = datetime.date.fromisoformat(moment[:10])
    except ValueError:
        return "????"
    return f"{day}{words.comma}{words.day(day, today)}"


def _english_day(day: datetime.date, today: datetime.date) -> str:
    ago = (today - day).days
    if ago < 0:
        return "tomorrow" if ago == -1 else f"in {-ago} days"
    if ago < 2:
        return ("today", "yesterday")[ago]
    if ago <= 7:
        return f"last {ENGLISH.weekdays[day.weekday()]}"
    return _long_ago(day, today, "{} days ago", "{} weeks ago", "{} months ago", "{} years ago")


def _chinese_day(day: datetime.date, today: datetime.date) -> str:
    ago = (today - day).days
    if ago < 0:
        return "明天" if ago == -1 else f"{-ago}天后"
    if ago < 3:
        return ("今天", "昨天", "前天")[ago]
    weeks = (_monday(today) - _monday(day)).days // 7
    if weeks < 2:
        return ("本周", "上周")[weeks] + CHINESE.weekdays[day.weekday()][-1]
    return _long_ago(day, today, "{}天前", "{}周前", "{}个月前", "{}年前")


def _monday(day: datetime.date) -> datetime.date:
    return day - datetime.timedelta(day.weekday())


def _long_ago(
    day: datetime.date, today: datetime.date, in_days: str, in_weeks: str, in_months: str, in_years: str
) -> str:
    """Return a time of eight days or more in the largest unit of which there are at least two; months by the calendar."""
    days = (today - day).days
    months = 12 * (today.year - day.year) + today.month - day.month - (today.day < day.day)
    if days < 14:
        return in_days.format(days)
    if months < 2:
        return in_weeks.format(days // 7)
    return in_months.format(months) if months < 24 else in_years.format(months // 12)


ENGLISH = Words(
    title="# Memory of earlier conversations (today is {})",
    stopped="## Where we stopped",
    matters="## What matters most",
    asked="## About what is asked now",
    closing="All this is from the past: where the user's present words differ, they win.",
    known="# What is remembered ({})",
    nothing="Nothing is remembered.",
    comma=", ",
    colon=": ",
    types={
        "preference": "Preferences",
        "fact": "Facts",
        "state": "How things stand",
        "skill": "How things are done",
        "summary": "Conversations in short",
        "episode": "From conversations",
        "episodic": "From conversations",
    },
    weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    day=_english_day,
)

CHINESE = Words(
    title="# 以往对话的记忆（今天是{}）",
    stopped="## 上次谈到",
    matters="## 最重要的",
    asked="## 与现在的问题有关",
    closing="以上都是过去的记忆：与用户现在所说不一致时，以用户现在所说为准。",
    known="# 记住的内容（{}）",
    nothing="没有任何记忆。",
    comma="，",
    colon="：",
    types={
        "preference": "偏好",
        "fact": "事实",
        "state": "近况",
        "skill": "做法",
        "summary": "对话摘要",
        "episode": "对话原文",
        "episodic": "对话原文",
    },
    weekdays=("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
    day=_chinese_day,
)
