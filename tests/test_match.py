"""A query as FTS5 expressions: any text is a legal one."""

from __future__ import annotations

import datetime
import string

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlite_memory import SQLiteMemoryLayer
from sqlite_memory.match import MAX_TERMS, read_question
from sqlite_memory.text import Segmenter, normalise, runs

TODAY = datetime.date(2026, 11, 29)
ANY_TEXT = st.text(alphabet=st.characters(), max_size=120) | st.text(
    alphabet=st.sampled_from(string.punctuation + ' "ANDORNOTNEARabc深色模式배포ユ\x00'), max_size=60
)


def read_terms(text, segmenter):
    return read_question(text, segmenter, TODAY).terms


@pytest.fixture(scope="module")
def index():
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5(content_segmented, characters, scope, tokenize='porter unicode61')"
    )
    yield connection
    connection.close()


@given(ANY_TEXT)
def test_any_text_makes_only_legal_expressions(index, text):
    for term in read_terms(text, Segmenter()):
        assert index.execute("SELECT count(*) FROM t WHERE t MATCH ?", (term.expression,)).fetchall() == [(0,)]


@given(ANY_TEXT)
def test_a_text_without_searchable_runs_has_no_terms_and_every_other_has_some(text):
    assert bool(read_terms(text, Segmenter())) == any(True for _ in runs(normalise(text)))


@pytest.mark.parametrize("text", ["", " ", "*", "\n", "\u3000", "...", "()", "，。！？", "😀", '"', "'", "-"])
def test_punctuation_alone_asks_for_nothing(text):
    assert read_terms(text, Segmenter()) == ()


def test_the_same_word_twice_is_one_term():
    assert read_terms("deploy Deploy ＤＥＰＬＯＹ", Segmenter()) == read_terms("deploy", Segmenter())


def test_words_that_say_nothing_are_searched_for_only_when_there_is_nothing_else():
    assert read_terms("the deploy", Segmenter()) == read_terms("deploy", Segmenter())
    assert read_terms("the", Segmenter())
    assert read_terms("的", Segmenter())


def weights(text):
    terms = read_terms(text, Segmenter())
    return {term.expression.split('"')[1]: term.weight for term in terms if term.column == "word"}


@pytest.mark.parametrize("text", ["deploy window", "Thanks. When is the deploy window?", "see https://a.io/x?y=deploy#z"])
def test_the_terms_of_one_question_weigh_the_same(text):
    assert set(weights(text).values()) == {1.0}


def test_a_question_of_one_character_asks_for_it_as_a_word_too(tmp_path):
    with SQLiteMemoryLayer(tmp_path / "m.db") as layer:
        lives = layer.remember("我住在上海")
        layer.remember("请记住我不吃香菜")
        layer.remember("记住要每天喝水八杯")
        assert [memory.id for memory in layer.recall("我住在哪里")][0] == lives


def test_two_questions_at_once_share_the_weight():
    found = weights("Why? Where is Ann? What does the harbour market price list say?")
    assert {word: found[word] for word in ("ann", "market")} == pytest.approx({"ann": 3**0.5, "market": 0.6**0.5})
    found = weights("叔叔的学历？另外，书法艺术展的规模是什么？")
    assert found["学历"] > 1 > found["书法"] == found["规模"]


def test_the_last_line_counts_in_full_and_those_before_it_down_to_half():
    found = weights("the kayak\n\nthe tent? and the big market?\nthe harbour market\nthe price")
    expected = {"kayak": 0.512, "tent": 0.64, "big": 0.64, "harbour": 0.8, "market": 0.8, "price": 1.0}
    assert found == pytest.approx(expected)
    assert min(weights("\n".join(f"word{number}" for number in range(99))).values()) == 0.5


def test_what_a_long_conversation_said_last_is_searched_for():
    assert "harbour" in weights(" ".join(f"word{number}" for number in range(MAX_TERMS)) + "\nthe harbour?")


def test_a_very_long_query_has_a_bounded_number_of_terms():
    assert 0 < len(read_terms(" ".join(f"word{number}" for number in range(5_000)), Segmenter())) <= MAX_TERMS


@given(ANY_TEXT)
def test_the_dates_of_any_question_are_legal_patterns(index, text):
    for pattern in read_question(text, Segmenter(), TODAY).dates:
        assert index.execute("SELECT '2026-11-29T00:00:00.000Z' GLOB ?", (pattern,)).fetchall()[0][0] in (0, 1)
