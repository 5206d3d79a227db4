"""How memories are said: days in words, one line, cut at a sentence or a word, counted in tokens."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlite_memory.wording import CHINESE, ENGLISH, dated, estimate, one_line, sentences, shorten, words_for

MONDAY = datetime.date(2026, 11, 30)


@pytest.mark.parametrize(
    ("day", "english", "chinese"),
    [
        ("2026-12-05", "in 5 days", "5天后"),
        ("2026-12-01", "tomorrow", "明天"),
        ("2026-11-30", "today", "今天"),
        ("2026-11-29", "yesterday", "昨天"),
        ("2026-11-28", "last Saturday", "前天"),
        ("2026-11-27", "last Friday", "上周五"),
        ("2026-11-23", "last Monday", "上周一"),
        ("2026-11-22", "8 days ago", "8天前"),
        ("2026-11-17", "13 days ago", "13天前"),
        ("2026-11-16", "2 weeks ago", "2周前"),
        ("2026-10-01", "8 weeks ago", "8周前"),
        ("2026-09-30", "2 months ago", "2个月前"),
        ("2025-12-01", "11 months ago", "11个月前"),
        ("2025-11-30", "12 months ago", "12个月前"),
        ("2024-12-01", "23 months ago", "23个月前"),
        ("2024-11-30", "2 years ago", "2年前"),
        ("0001-01-01", "2025 years ago", "2025年前"),
    ],
)
def test_a_day_is_said_with_how_long_ago_it_was(day, english, chinese):
    assert dated(f"{day}T12:00:00.000Z", MONDAY, ENGLISH) == f"{day}, {english}"
    assert dated(f"{day}T12:00:00.000Z", MONDAY, CHINESE) == f"{day}，{chinese}"


def test_a_day_of_this_week_is_of_this_week_in_chinese():
    assert dated("2026-11-30T00:00:00.000Z", datetime.date(2026, 12, 4), CHINESE) == "2026-11-30，本周一"


@pytest.mark.parametrize("time", ["", "soon", "2026-13-01T00:00:00Z", "# Heading\n"])
def test_a_time_that_nobody_can_read_is_said_to_be_unknown(time):
    assert dated(time, MONDAY, ENGLISH) == "????"


def test_the_words_are_in_the_language_of_the_texts():
    assert words_for([]) is ENGLISH
    assert words_for(["The user likes tea", "喜欢茶"]) is ENGLISH
    assert words_for(["用户喜欢用 Python 写代码"]) is CHINESE


@given(st.text())
def test_one_line_is_one_line_without_control_characters(text):
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert not set(line) & set("\x00\x1b\x7f\u202e\u2066\u2028\x85\n\r\t")


def test_sentences_end_where_a_reader_ends_them():
    assert sentences("Dr. Smith paid 3.5 dollars. He left! Why?\nNobody knows") == [
        "Dr. Smith paid 3.5 dollars.", "He left!", "Why?", "Nobody knows",
    ]
    assert sentences("她说：“走吧。”我们就走了；后来呢？不知道") == [
        "她说：“走吧。”", "我们就走了；", "后来呢？", "不知道",
    ]
    assert sentences(" \n ") == []


def fits(characters: int):
    return lambda text: len(text) <= characters


def test_shortening_ends_at_a_sentence_else_at_a_word():
    assert shorten("One is here. Two is there. Three", fits(30)) == "One is here. Two is there.…"
    assert shorten("No. This sentence has no end in sight", fits(20)) == "No. This sentence…"
    assert shorten("我们今天去公园。然后回家吃饭。再看电视", fits(12)) == "我们今天去公园。…"
    assert shorten("extraordinarily", fits(6)) == "extra…"
    assert shorten("anything", fits(0)) == ""


@given(st.text(min_size=1), st.integers(0, 40))
def test_what_is_shortened_fits_and_is_a_beginning(text, characters):
    short = shorten(text, fits(characters))
    assert len(short) <= characters
    assert text.startswith(short.removesuffix("…"))


@given(st.text(), st.text())
def test_the_estimate_is_never_below_zero_and_grows_with_the_text(first, second):
    assert estimate("") == 0
    assert estimate(first) <= estimate(first + "\n" + second) + 1


@pytest.mark.parametrize(
    ("text", "tokens"),  # counted with o200k_base
    [
        ("I went to a support group yesterday and it was so powerful.", 13),
        ("The quick brown fox jumps over the lazy dog, then sleeps until 2026-11-30.", 21),
        ("用户偏好深色模式，每天早上九点开会，不喜欢被打扰。", 20),
        ("今日はとても良い天気ですね。明日は友達と映画を見に行きます。カメラを買いました", 28),
        ("Сегодня очень хорошая погода. Завтра мы с другом пойдём в кино.", 18),
    ],
)
def test_the_estimate_is_near_a_real_tokenizer(text, tokens):
    assert tokens * 0.8 <= estimate(text) <= tokens * 1.2
