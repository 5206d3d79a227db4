"""The one time form: every way in converts to it."""

from __future__ import annotations

import datetime
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlite_memory import moments
from sqlite_memory.moments import canonical

UTC = datetime.timezone.utc
SHANGHAI = datetime.timezone(datetime.timedelta(hours=8))
FORM = "2026-11-29T21:42:10.123Z"


def test_the_one_form_is_left_as_it_is():
    assert canonical(FORM, "x") == FORM


@pytest.mark.parametrize(
    "value",
    [
        "2026-11-29 21:42:10.123",
        "2026-11-29T21:42:10.123456",
        "2026-11-29t21:42:10.123z",
        "2026-11-30T05:42:10.123+08:00",
        "2026-11-30 05:42:10,123 +0800",
        "2026-11-29T16:42:10.123-05",
        " 2026-11-29T21:42:10.123Z ",
        datetime.datetime(2026, 11, 29, 21, 42, 10, 123_999),
        datetime.datetime(2026, 11, 29, 21, 42, 10, 123_000, UTC),
        datetime.datetime(2026, 11, 30, 5, 42, 10, 123_000, SHANGHAI),
    ],
)
def test_every_way_to_write_a_moment_becomes_the_one_form(value):
    assert canonical(value, "x") == FORM


def test_unix_seconds_are_moments():
    assert canonical(0, "x") == "1970-01-01T00:00:00.000Z"
    assert canonical(1.5, "x") == "1970-01-01T00:00:01.500Z"


def test_a_bare_date_is_its_first_or_its_last_millisecond():
    for date in ("2026-11-29", "2026-11-29Z", datetime.date(2026, 11, 29)):
        assert canonical(date, "x") == "2026-11-29T00:00:00.000Z"
        assert canonical(date, "x", end_of_day=True) == "2026-11-29T23:59:59.999Z"
    assert canonical("2026-1-5", "x") == "2026-01-05T00:00:00.000Z"


def test_end_of_day_leaves_a_time_of_the_day_alone():
    assert canonical("2026-11-29T08:00", "x", end_of_day=True) == "2026-11-29T08:00:00.000Z"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "yesterday",
        "2026",
        "2026-13-01",
        "2026-02-30",
        "2026-11-29T25:00:00",
        "2026-11-29T21:42:61",
        "29.11.2026",
        "2026-11-29T21:42:10+99:00",
        "２０２６-11-29",
        "2026-11-29; DROP TABLE memories",
        "0000-01-01",
        math.nan,
        math.inf,
        1e18,
        -1e18,
        "2026-11-29\x00",
        "0001-01-01T00:00:00+08:00",
        "9999-12-31T23:59:59-08:00",
    ],
)
def test_what_is_no_moment_is_a_value_error_that_names_the_argument(value):
    with pytest.raises(ValueError, match="created_at"):
        canonical(value, "created_at")


@pytest.mark.parametrize("value", [None, True, b"2026-11-29", [], datetime.timedelta(1), object()])
def test_what_is_no_kind_of_moment_is_a_type_error_that_names_the_argument(value):
    with pytest.raises(TypeError, match="since"):
        canonical(value, "since")


def test_now_is_in_the_one_form_and_is_now():
    before = datetime.datetime.now(UTC) - datetime.timedelta(milliseconds=1)
    text = moments.now()
    assert canonical(text, "x") == text
    assert before <= datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) <= datetime.datetime.now(UTC)


@given(
    st.datetimes(
        timezones=st.sampled_from([UTC, SHANGHAI]),
        min_value=datetime.datetime(2, 1, 1),
        max_value=datetime.datetime(9998, 12, 30),
    ),
    st.datetimes(
        timezones=st.sampled_from([UTC, SHANGHAI]),
        min_value=datetime.datetime(2, 1, 1),
        max_value=datetime.datetime(9998, 12, 30),
    ),
)
def test_the_texts_stand_in_the_order_of_the_moments(one, other):
    first, second = sorted([one, other])
    assert canonical(first, "x") <= canonical(second, "x")
    assert len(canonical(first, "x")) == len(FORM)
    assert canonical(canonical(first, "x"), "x") == canonical(first, "x")
