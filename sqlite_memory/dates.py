"""Dates named in a question, in Chinese and English, as GLOB patterns over times such as 2023-05-07T…

A date without its year stands for every year; words such as "last week" or 上周五 count back from a given day.
"""

from __future__ import annotations

import calendar
import contextlib
import datetime
import re
from collections.abc import Callable

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_DAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_NUMBERS = {word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_NUMBERS |= {word: number for number, word in enumerate("一二三四五六七八九十", 1)}
_NUMBERS |= {"a": 1, "an": 1, "两": 2, "十一": 11, "十二": 12, "日": 7, "天": 7}

_MONTH = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + ")"
_DAY = "(" + "|".join(_DAYS) + ")"
_COUNT = r"(?<!\d)(" + "|".join([r"\d{1,4}", *sorted((word for word in _NUMBERS if word not in "日天"), key=len, reverse=True)]) + ")"
_PREPOSITION = r"(?:in|on|of|since|until|till|during|by|last|this|next|early|late|mid)[ -]"

Days = list[str]
_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], datetime.date], Days]]


def dates_in(question: str, today: datetime.date) -> tuple[str, ...]:
    """Return the patterns of all dates that the question names, without repeats; a memory of one of them fits."""
    text = question.lower()
    found: dict[str, None] = {}
    for pattern, read in _RULES:

        def take(match: re.Match[str], read: Callable[[re.Match[str], datetime.date], Days] = read) -> str:
            try:
                days = read(match, today)
            except (ValueError, OverflowError):
                return match[0]
            found.update(dict.fromkeys(days))
            return " " * len(match[0]) if days else match[0]

        text = pattern.sub(take, text)
    return tuple(found)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _day(year: str | int | None, month: int, day: str | int) -> Days:
    datetime.date(int(year or 2000), month, int(day))
    return [f"{int(year):04d}-{month:02d}-{int(day):02d}*" if year else f"????-{month:02d}-{int(day):02d}*"]


def _written(first: str, mark: str, second: str, year: str) -> Days:
    """Read 21.01.2024, where the day comes first, and 01/02/2024, which may be either: both days are meant then."""
    days: dict[str, None] = {}
    for day, month in [(first, second), (second, first)][: 1 if mark == "." else 2]:
        with contextlib.suppress(ValueError):
            days.update(dict.fromkeys(_day(year, int(month), day)))
    return list(days)


def _month(year: str | int | None, month: int) -> Days:
    if not 1 <= month <= 12:
        return []
    return [f"{int(year):04d}-{month:02d}*" if year else f"????-{month:02d}*"]


def _span(first: datetime.date, days: int) -> Days:
    return [f"{first + datetime.timedelta(place):%Y-%m-%d}*" for place in range(days)]


def _before(today: datetime.date, count: int, unit: str) -> Days:
    if unit in ("day", "天"):
        return _span(today - datetime.timedelta(count), 1)
    if unit in ("week", "周", "星期", "礼拜"):
        return _span(today - datetime.timedelta(7 * count + 3), 7)
    if unit in ("month", "月"):
        months = today.year * 12 + today.month - 1 - count
        return _month(months // 12, months % 12 + 1)
    return [f"{today.year - count:04d}*"]


def _monday(today: datetime.date, weeks: int) -> datetime.date:
    return today - datetime.timedelta(today.weekday() + 7 * weeks)


def _last_weekday(today: datetime.date, weekday: int) -> Days:
    return _span(today - datetime.timedelta((today.weekday() - weekday - 1) % 7 + 1), 1)


def _rule(pattern: str, read: Callable[[re.Match[str], datetime.date], Days]) -> _Rule:
    return re.compile(pattern), read


# Longer forms stand before the shorter ones that they contain; what a rule has read is not read again.
_RULES: tuple[_Rule, ...] = (
    _rule(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b", lambda m, _: _day(m[1], int(m[2]), m[3])),
    _rule(r"(?<![\w./-])(\d{1,2})([-/.])(\d{1,2})\2((?:19|20)\d\d)(?![\d/-]|\.\d)",
          lambda m, _: _written(m[1], m[2], m[3], m[4])),
    _rule(r"(\d{4})\s*年\s*(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月\s*(\d{1,2})\s*[日号號]",
          lambda m, _: _day(m[1], _number(m[2]), m[3])),
    _rule(r"(?<!个)(?<!\d)(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月\s*(\d{1,2})\s*[日号號]",
          lambda m, _: _day(None, _number(m[1]), m[2])),
    _rule(r"(\d{4})\s*年\s*(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月(?!前|之前|以前)",
          lambda m, _: _month(m[1], _number(m[2]))),
    _rule(r"(?<![个\d上下这本])(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月(?!前|之前|以前)",
          lambda m, _: _month(None, _number(m[1]))),
    _rule(rf"\b{_MONTH}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*[:%])(?:,?\s+(\d{{4}})\b)?",
          lambda m, _: _day(m[3], _MONTHS[m[1]], m[2])),
    _rule(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH}\b\.?(?:,?\s+(\d{{4}})\b)?",
          lambda m, _: _day(m[3], _MONTHS[m[2]], m[1])),
    _rule(rf"\b{_MONTH}\.?,?\s+(?:of\s+)?(\d{{4}})\b", lambda m, _: _month(m[2], _MONTHS[m[1]])),
    _rule(rf"\b{_PREPOSITION}{_MONTH}\b", lambda m, _: _month(None, _MONTHS[m[1]])),
    _rule(r"(?<!\d)((?:19|20)\d\d)\s*年", lambda m, _: [f"{m[1]}*"]),
    _rule(r"\b(?:in|during|of|since|summer|winter|spring|fall|autumn)\s+((?:19|20)\d\d)\b", lambda m, _: [f"{m[1]}*"]),
    _rule(rf"\b{_COUNT} (day|week|month|year)s? ago\b", lambda m, t: _before(t, _number(m[1]), m[2])),
    _rule(rf"{_COUNT}\s*个?(天|周|星期|礼拜|月|年)(?:之|以)?前", lambda m, t: _before(t, _number(m[1]), m[2])),
    _rule(r"\bday before yesterday\b|前天", lambda m, t: _before(t, 2, "day")),
    _rule(r"\byesterday\b|\blast night\b|昨天|昨晚|昨日", lambda m, t: _before(t, 1, "day")),
    _rule(r"\btoday\b|\btonight\b|今天|今晚|今日", lambda m, t: _before(t, 0, "day")),
    _rule(rf"\blast {_DAY}\b", lambda m, t: _last_weekday(t, _DAYS[m[1]])),
    _rule(r"上个?(?:周|星期|礼拜)([一二三四五六日天])",
          lambda m, t: _span(_monday(t, 1) + datetime.timedelta(_number(m[1]) - 1), 1)),
    _rule(r"(?:这|本)个?(?:周|星期|礼拜)([一二三四五六日天])",
          lambda m, t: _span(_monday(t, 0) + datetime.timedelta(_number(m[1]) - 1), 1)),
    _rule(r"\blast weekend\b|上个?周末", lambda m, t: _span(_monday(t, 0) - datetime.timedelta(2), 2)),
    _rule(r"\blast week\b|上个?(?:周|星期|礼拜)", lambda m, t: _span(_monday(t, 1), 7)),
    _rule(r"\bthis week\b|(?:这|本)个?(?:周|星期|礼拜)", lambda m, t: _span(_monday(t, 0), 7)),
    _rule(r"\blast month\b|上个?月", lambda m, t: _before(t, 1, "month")),
    _rule(r"\bthis month\b|这个月|本月", lambda m, t: _before(t, 0, "month")),
    _rule(r"\blast year\b|去年", lambda m, t: _before(t, 1, "year")),
    _rule(r"前年", lambda m, t: _before(t, 2, "year")),
)
