"""Dates that a question names, as patterns of stored times."""

from __future__ import annotations

import datetime
import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlite_memory.dates import dates_in

SUNDAY = datetime.date(2026, 11, 29)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "when may we deploy?",
        "部署窗口是什么时候",
        "it may march on",
        "version 1.2.3",
        "v1.2.2024",
        "10.1.2.2024",
        "12 monkeys",
        "the second of them",
        "月亮",
        "三个月亮",
        "2026",
        "10:30",
        "a day",
        "99/99/9999",
        "31 February",
    ],
)
def test_a_question_without_a_date_names_none(question):
    assert dates_in(question, SUNDAY) == ()


@pytest.mark.parametrize(
    "question, expected",
    [
        ("what was said on 2023-05-07?", ["2023-05-07"]),
        ("2023年5月7日发生了什么", ["2023-05-07"]),
        ("on May 7, 2023 we met", ["2023-05-07"]),
        ("on the 7th of May 2023", ["2023-05-07"]),
        ("what happened on 21.01.2024?", ["2024-01-21"]),
        ("on 01/21/2024", ["2024-01-21"]),
        ("on 03/04/2024", ["2024-04-03", "2024-03-04"]),
        ("what did he do in May 2023?", ["2023-05"]),
        ("2023年五月的事", ["2023-05"]),
        ("去年的计划", ["2025"]),
        ("during 2023", ["2023"]),
        ("yesterday", ["2026-11-28"]),
        ("昨天说了什么", ["2026-11-28"]),
        ("前天", ["2026-11-27"]),
        ("three days ago", ["2026-11-26"]),
        ("上个月", ["2026-10"]),
        ("last month", ["2026-10"]),
    ],
)
def test_a_date_that_is_named_is_read(question, expected):
    assert list(dates_in(question, SUNDAY)) == [f"{date}*" for date in expected]


def test_a_date_without_its_year_stands_for_every_year():
    for question in ("on May 7", "7 May", "5月7日"):
        (pattern,) = dates_in(question, SUNDAY)
        assert fnmatch.fnmatchcase("2023-05-07T10:00:00.000Z", pattern)
        assert fnmatch.fnmatchcase("1999-05-07T10:00:00.000Z", pattern)
        assert not fnmatch.fnmatchcase("2023-05-08T10:00:00.000Z", pattern)


@pytest.mark.parametrize("question", ["last week", "上周", "上星期"])
def test_last_week_is_the_seven_days_before_this_monday(question):
    assert list(dates_in(question, SUNDAY)) == [f"2026-11-{day}*" for day in range(16, 23)]


@pytest.mark.parametrize("question", ["last Friday", "上周五"])
def test_a_weekday_of_the_past_is_one_day(question):
    (pattern,) = dates_in(question, SUNDAY)
    day = datetime.date.fromisoformat(pattern[:-1])
    assert day.weekday() == 4 and 0 < (SUNDAY - day).days <= 14


@given(
    st.text(alphabet=st.characters(), max_size=80)
    | st.text(alphabet=st.sampled_from("0123456789-/.年月日个前周天上这 agodysmwkt一十两"), max_size=40),
    st.dates(),
)
def test_any_question_on_any_day_gives_patterns_of_times(question, today):
    for pattern in dates_in(question, today):
        assert re.fullmatch(r"-?[\d?]+(-\d\d){0,2}\*", pattern)


def test_numbers_without_end_are_no_dates():
    for question in ("9" * 5_000 + " weeks ago", "99999999999 years ago", "9" * 5_000 + "年前"):
        assert all(len(pattern) < 40 for pattern in dates_in(question, SUNDAY))
