"""The layer: what remember, recall, update, touch, delete, forget and sql promise."""

from __future__ import annotations

import dataclasses
import datetime
import io
import json
import math
import os
import pathlib
import uuid

import pytest
from conftest import days_ago, ids, index_is_sound, rows, shell
from hypothesis import given
from hypothesis import strategies as st

from sqlite_memory import (
    Conflict,
    Memory,
    NoSuchMemory,
    ReadOnly,
    Refused,
    SQLiteMemoryError,
    SQLiteMemoryLayer,
)
from sqlite_memory.text import normalise, runs

# ------------------------------------------------------------------------------------------------ a new file


def test_an_empty_file_answers_everything(layer):
    assert layer.recall("anything") == layer.recall() == layer.forget() == layer.remember_many([]) == []
    assert layer.get(1) is None
    assert layer.touch(1) == layer.delete(1) == layer.touch() == layer.delete() == 0
    assert layer.stats().memories == 0
    assert layer.check().ok


def test_five_lines_are_enough(path):
    with SQLiteMemoryLayer(path) as memory:
        memory.remember("用户偏好深色模式")
        memory.remember("please restart the worker")
        assert memory.recall("深色模式")[0].content == "用户偏好深色模式"
        assert memory.recall("restart")[0].content == "please restart the worker"


def test_a_path_may_be_a_path_object_and_is_given_back_absolute(tmp_path, make_layer, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert make_layer(pathlib.Path("x.db")).path == str(tmp_path / "x.db")


@pytest.mark.parametrize("path", [None, 5, b"x.db", object()])
def test_a_path_of_another_type_is_a_type_error(path):
    with pytest.raises(TypeError):
        SQLiteMemoryLayer(path)


@pytest.mark.parametrize("path", ["", "a\x00b"])
def test_a_path_that_names_no_file_is_a_value_error(path):
    with pytest.raises(ValueError, match="path"):
        SQLiteMemoryLayer(path)


@pytest.mark.parametrize(
    "argument",
    [
        {"agent_id": None},
        {"agent_id": ""},
        {"agent_id": uuid.uuid4()},
        {"user_id": 5},
        {"busy_timeout": -1},
        {"busy_timeout": math.nan},
        {"busy_timeout": "5"},
        {"read_only": "yes"},
    ],
    ids=lambda argument: "-".join(argument),
)
def test_a_wrong_argument_is_named_and_makes_no_file(argument, path):
    with pytest.raises((TypeError, ValueError), match=next(iter(argument))):
        SQLiteMemoryLayer(path, **argument)
    assert not os.path.exists(path)


# ------------------------------------------------------------------------------------------------ remember


def test_remember_keeps_the_text_exactly_as_it_was_given(layer):
    for text in ("  ＡＢＣ１２３ 型号 \n", "資料庫遷移", "tab\there", "Cafe\u0301 au lait", "emoji 😀 stays"):
        assert layer.get(layer.remember(text)).content == text


def test_remember_stores_every_argument(layer):
    id = layer.remember(
        "please restart the worker",
        memory_type="state",
        key="worker",
        session_id="s1",
        tags=["ops"],
        metadata={"n": 1},
        importance=7,
        created_at="2026-01-01",
        valid_from="2025-06-01",
        expires_at="2099-01-01T10:00:00+08:00",
        pinned=True,
    )
    memory = layer.get(id)
    assert (memory.id, memory.agent_id, memory.user_id, memory.memory_type) == (id, "default", "default", "state")
    assert (memory.key, memory.session_id, memory.metadata) == ("worker", "s1", {"n": 1, "tags": ["ops"]})
    assert (memory.importance, memory.access_count, memory.last_accessed_at) == (7.0, 0, None)
    assert (memory.created_at, memory.valid_from) == ("2026-01-01T00:00:00.000Z", "2025-06-01T00:00:00.000Z")
    assert (memory.valid_to, memory.expires_at) == (None, "2099-01-01T02:00:00.000Z")
    assert (memory.version, memory.pinned) == (1, True)
    assert len(memory.uid) == 32


def test_importance_defaults_to_that_of_the_type_and_of_an_unknown_type_to_that_of_a_fact(layer):
    given_by = {
        kind: layer.get(layer.remember(f"something of the type {kind}", memory_type=kind)).importance
        for kind in ("fact", "preference", "state", "skill", "episode", "summary", "of my own")
    }
    policy = {row["memory_type"]: row["importance"] for row in layer.sql("SELECT * FROM memory_types")}
    assert given_by == {kind: policy.get(kind, policy["fact"]) for kind in given_by}
    shell(layer.path, "UPDATE memory_types SET importance = 9 WHERE memory_type = 'fact'")
    assert layer.get(layer.remember("after the policy changed")).importance == 9


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "\u3000", "abc", "雨", "雨a", "好的", "ok thanks", "OK, Thanks!", "好的。"]
)
def test_what_carries_nothing_is_refused_with_none(text, layer):
    assert layer.remember(text) is None
    assert layer.stats().memories == 0


def test_a_chinese_character_counts_double(layer):
    assert layer.remember("下雨天") is not None
    assert layer.remember("abcd") is not None


def test_importance_below_the_floor_of_the_type_is_refused(layer):
    assert layer.remember("something of no importance", importance=1.9) is None
    assert layer.remember("something of little importance", importance=2.0) is not None


def test_text_over_the_limit_is_an_error_that_does_not_quote_it_and_none_in_bulk(layer):
    text = "canary " * 2_000
    with pytest.raises(ValueError, match="8000") as caught:
        layer.remember(text)
    assert "canary" not in str(caught.value)
    assert layer.remember_many([{"content": text}, {"content": "short enough"}]) == [None, 1]
    assert layer.remember("x y " * 2_000) == 2


def test_the_limits_are_rows_of_the_file(layer):
    shell(layer.path, "UPDATE policy SET value = 10 WHERE name = 'max_length'")
    shell(layer.path, "UPDATE policy SET value = 6 WHERE name = 'min_length'")
    with pytest.raises(ValueError, match="10"):
        layer.remember("eleven long")
    assert layer.remember("worker") == 1
    assert layer.remember("works") is None


@pytest.mark.parametrize("value", [math.nan, math.inf, -1, 11, "high", "7", True, 10.0000001])
def test_an_impossible_importance_is_an_error_and_nothing_is_stored(value, layer):
    with pytest.raises((ValueError, TypeError), match="importance"):
        layer.remember("please restart the worker", importance=value)
    assert layer.stats().memories == 0


# ------------------------------------------------------------------------------------------------ the same again


def test_the_same_content_again_reinforces_the_row_that_is_there(layer):
    first = layer.remember("Café au lait", importance=6)
    assert layer.remember("  cafe\u0301  AU lait\n") == first
    assert layer.remember("Ca\u200bfé au lait") == first
    memory = layer.get(first)
    assert (memory.content, memory.importance, memory.version) == ("Café au lait", 7.0, 3)
    assert layer.stats().memories == 1


def test_reinforcement_ends_at_10(layer):
    id = layer.remember("please restart the worker", importance=9.8)
    for _ in range(3):
        assert layer.remember("please restart the worker") == id
    assert layer.get(id).importance == 10.0


@pytest.mark.parametrize(
    "difference",
    [{"memory_type": "state"}, {"key": "k"}, {"agent_id": "other"}, {"user_id": "other"}, {"agent_id": "Default"}],
)
def test_the_same_content_of_another_scope_type_or_key_is_another_memory(difference, layer):
    first = layer.remember("please restart the worker")
    second = layer.remember("please restart the worker", **difference)
    assert second != first
    assert layer.get(first).importance == 5.0


def test_the_same_content_in_another_session_reinforces_a_fact(layer):
    first = layer.remember("please restart the worker", session_id="a")
    assert layer.remember("please restart the worker", session_id="b", tags=["x"]) == first


def test_turns_of_a_conversation_are_the_same_only_in_one_session_at_one_moment(layer):
    def turn(session, moment):
        return layer.remember("see you tomorrow then", memory_type="episode", session_id=session, created_at=moment)

    first = turn("a", "2026-01-01")
    assert turn("a", "2026-01-01") == first
    assert len({first, turn("a", "2026-01-02"), turn("b", "2026-01-01")}) == 3


def test_a_then_b_then_a_under_one_key_is_three_rows(layer):
    answers = [
        layer.remember(text, key="editor")
        for text in ("uses the editor Vim", "uses the editor Emacs", "uses the editor Vim", "uses the editor Vim")
    ]
    assert len(set(answers)) == 3 and answers[2] == answers[3]
    assert ids(layer.recall("editor", touch=False)) == [answers[3]]
    assert [layer.get(id).valid_to is None for id in answers[:3]] == [False, False, True]


def test_an_expired_memory_is_not_reinforced(layer):
    first = layer.remember("please restart the worker", expires_at="2026-01-01")
    assert layer.remember("please restart the worker") != first


def test_a_duplicate_written_by_plain_sql_is_met_after_the_next_open(layer, make_layer):
    shell(layer.path, "INSERT INTO memories (content) VALUES ('Please restart  the worker')")
    assert make_layer().remember("please restart the worker") == 1


# ------------------------------------------------------------------------------------------------ remember_many


def test_remember_many_returns_an_id_or_none_for_each_in_order(layer):
    items = ({"content": content} for content in ("one two three", "ok", "four five six", "ONE two three", "  "))
    assert layer.remember_many(items) == [1, None, 2, 1, None]


def test_remember_many_takes_all_arguments_of_remember_and_a_scope_each(layer):
    given_items = [
        {"content": "one two three", "agent_id": "a", "tags": ["x"], "importance": 9, "key": "k"},
        {"content": "four five six", "user_id": "u"},
    ]
    assert layer.remember_many(given_items) == [1, 2]
    assert layer.recall() == []
    assert layer.recall(agent_id="a")[0].tags == ("x",)
    assert layer.recall(user_id="u")[0].content == "four five six"
    assert given_items[0]["content"] == "one two three" and given_items[0]["agent_id"] == "a"


@pytest.mark.parametrize(
    "bad",
    [
        {"content": 5},
        {},
        {"content": "enough text", "importance": math.nan},
        "text",
        None,
        {"content": "enough text", "no_such_argument": 1},
        {"content": "enough text", "agent_id": 5},
    ],
    ids=lambda bad: str(bad)[:30],
)
def test_a_bad_item_is_named_by_its_number_and_nothing_of_its_batch_is_kept(bad, layer):
    with pytest.raises((TypeError, ValueError), match="item 1"):
        layer.remember_many([{"content": "one two three"}, bad])
    assert layer.stats().memories == 0


def test_the_batches_before_a_bad_item_are_kept(layer):
    items = [{"content": f"memory number {number}"} for number in range(2_000)]
    with pytest.raises(TypeError, match="item 2000"):
        layer.remember_many([*items, {"content": None}])
    assert layer.stats().memories == 2_000


# ------------------------------------------------------------------------------------------------ recall


def test_recall_finds_by_any_word_and_more_words_rank_higher(layer):
    one = layer.remember("the deploy window is Friday 18:00")
    two = layer.remember("the window in the kitchen is broken")
    assert ids(layer.recall("do you remember when the deploy window is?")) == [one, two]
    assert layer.recall("nothing of the kind") == []


def test_recall_without_a_query_lists_by_strength(layer):
    weak = layer.remember("of little importance", importance=2)
    strong = layer.remember("of great importance", importance=9)
    old = layer.remember("of great importance once", importance=9, created_at=days_ago(900))
    found = layer.recall(touch=False)
    assert ids(found) == [strong, weak, old]
    assert [memory.strength for memory in found] == sorted((memory.strength for memory in found), reverse=True)


def test_scores_are_relevance_times_one_minus_w_plus_w_times_strength_and_sorted(layer):
    (row,) = layer.sql("SELECT value AS w FROM policy WHERE name = 'strength_weight'")
    for number in range(6):
        layer.remember(f"worker number {number} of the night " * (number + 1), importance=3 + number)
    found = layer.recall("worker of the night", touch=False)
    assert len(found) == 6
    assert [memory.score for memory in found] == sorted((memory.score for memory in found), reverse=True)
    for memory in found:
        assert math.isfinite(memory.score) and memory.score > 0 and 0 <= memory.strength <= 1
        assert memory.score == pytest.approx(memory.relevance * (1 - row["w"] + row["w"] * memory.strength), rel=1e-9)


@pytest.mark.parametrize("query", ["zebra", None])
def test_ties_go_to_the_newer_then_to_the_higher_id(query, layer):
    contents = ["zebra alpha", "zebra gamma", "zebra delta"]
    for content in contents:
        layer.remember(content, created_at="2099-01-01")
    assert ids(layer.recall(query, touch=False)) == [3, 2, 1]
    newer = layer.remember("zebra sigma", created_at="2099-01-02")
    again = layer.remember("zebra theta", created_at="2099-01-01")
    assert ids(layer.recall(query, touch=False)) == [newer, again, 3, 2, 1]


@pytest.mark.parametrize("limit", [0, -1, None, "5", 2.5, True])
def test_an_odd_limit_is_an_error_that_names_it(limit, layer):
    layer.remember("please restart the worker")
    with pytest.raises((TypeError, ValueError), match="limit"):
        layer.recall("worker", limit=limit)


def test_limits_are_obeyed_and_huge_ones_are_legal(layer):
    for number in range(12):
        layer.remember(f"worker number {number}")
    assert [len(layer.recall(query, limit=limit)) for query in ("worker", None) for limit in (1, 3, 12, 2**63)] == [
        1,
        3,
        12,
        12,
        1,
        3,
        12,
        12,
    ]
    assert len(layer.recall("worker")) == len(layer.recall()) == 10


@pytest.mark.parametrize(
    "query", ["", " ", "\n", "\u3000", "...", "!!!", "()", "，。！？", "😀", "*", '"', "-", "\x00"]
)
def test_a_query_without_a_letter_or_digit_finds_nothing_and_not_everything(query, layer):
    layer.remember("please restart the worker 😀!!!")
    assert layer.recall(query) == []


@pytest.mark.parametrize("query", [5, b"worker", ["worker"], object()])
def test_a_query_that_is_no_text_is_a_type_error(query, layer):
    with pytest.raises(TypeError, match="query"):
        layer.recall(query)


@pytest.fixture(scope="module")
def shared_layer(tmp_path_factory):
    layer = SQLiteMemoryLayer(tmp_path_factory.mktemp("any") / "memory.db")
    layer.remember("a memory that is always there")
    yield layer
    layer.close()
    assert index_is_sound(layer.path)


def searchable(text):
    return any(True for _ in runs(normalise(text)))


@given(
    st.text(alphabet=st.characters(), max_size=60)
    | st.text(alphabet=st.sampled_from("深色模式배포ユザab1-'\"*():^{}\x00 "), max_size=30)
)
def test_any_text_is_a_legal_query_and_finds_a_memory_that_holds_it(shared_layer, text):
    session = uuid.uuid4().hex
    shared_layer.remember(f"note of a session\n{text}\nend of note", memory_type="episode", session_id=session)
    assert bool(shared_layer.recall(text, session_id=session, touch=False)) == searchable(text)


@pytest.mark.parametrize("extension", ["㐀", "𠀀", "𪜀", "𫝀", "𫠠", "𬺰", "𰀀", "々", "〇"])
def test_a_rare_chinese_character_is_found_by_itself(extension, layer):
    id = layer.remember(f"他的名字里有{extension}字，请记住")
    layer.remember("完全无关的另外一条记忆")
    assert ids(layer.recall(extension)) == [id]


def test_recall_never_returns_more_than_the_text_asks_for_in_another_type(layer):
    layer.remember("please restart the worker", memory_type="state")
    assert layer.recall("worker", memory_type="fact") == []
    assert layer.recall("worker", memory_type=[]) == []


# ------------------------------------------------------------------------------------------------ filters


@pytest.fixture
def various(layer):
    """Memories that differ in one thing each; all hold the word `note`."""
    layer.remember("note with nothing")
    layer.remember("note of a state", memory_type="state")
    layer.remember("note of a session", session_id="s1")
    layer.remember("note of a key", key="k1")
    layer.remember("note of tags", tags=["red", "blue"])
    layer.remember("note of importance", importance=9)
    layer.remember("note of old", created_at="2020-05-05T12:00:00")
    layer.remember(
        "note of metadata", metadata={"n": 1, "text": "1", "yes": True, "none": None, "deep": {"er": [1], "x": 2.5}}
    )
    return layer


@pytest.mark.parametrize(
    "filters, expected",
    [
        ({}, {1, 2, 3, 4, 5, 6, 7, 8}),
        ({"memory_type": "state"}, {2}),
        ({"memory_type": ["state", "episode"]}, {2}),
        ({"memory_type": ["state", "fact"]}, {1, 2, 3, 4, 5, 6, 7, 8}),
        ({"memory_type": "State"}, set()),
        ({"session_id": "s1"}, {3}),
        ({"session_id": "S1"}, set()),
        ({"session_id": "s%"}, set()),
        ({"key": "k1"}, {4}),
        ({"tags": ["red"]}, {5}),
        ({"tags": "red"}, {5}),
        ({"tags": ["blue", "red"]}, {5}),
        ({"tags": ["red", "green"]}, set()),
        ({"tags": ["re"]}, set()),
        ({"tags": []}, {1, 2, 3, 4, 5, 6, 7, 8}),
        ({"min_importance": 9}, {6}),
        ({"min_importance": 9.5}, set()),
        ({"until": "2020-05-05"}, {7}),
        ({"since": "2020-05-05", "until": "2020-05-05T12:00:00Z"}, {7}),
        ({"since": "2020-05-05T12:00:00Z", "until": "2020-05-05T20:00:00+08:00"}, {7}),
        ({"since": "2020-05-05T12:00:00.001Z", "until": datetime.date(2020, 5, 6)}, set()),
        ({"until": datetime.datetime(2020, 5, 5, 11)}, set()),
        ({"where": {}}, {1, 2, 3, 4, 5, 6, 7, 8}),
        ({"where": {"n": 1}}, {8}),
        ({"where": {"n": 1.0}}, set()),
        ({"where": {"n": "1"}}, set()),
        ({"where": {"n": True}}, set()),
        ({"where": {"text": "1"}}, {8}),
        ({"where": {"text": 1}}, set()),
        ({"where": {"yes": True}}, {8}),
        ({"where": {"yes": 1}}, set()),
        ({"where": {"yes": "true"}}, set()),
        ({"where": {"none": None}}, {8}),
        ({"where": {"absent": None}}, set()),
        ({"where": {"n": 1, "text": "1"}}, {8}),
        ({"where": {"n": 1, "text": "2"}}, set()),
        ({"where": {("deep", "x"): 2.5}}, {8}),
        ({"where": {("deep", "er"): 1}}, set()),
        ({"where": {("deep", "er", "0"): 1}}, set()),
        ({"where": {("deep", "no"): 2.5}}, set()),
        ({"where": {("n",): 1}}, {8}),
        ({"where": {("n", "m"): 1}}, set()),
        ({"where": {"deep.x": 2.5}}, set()),
        ({"where": {"N": 1}}, set()),
        ({"where": {"n": 10**30}}, set()),
        ({"session_id": "s1", "key": "k1"}, set()),
    ],
    ids=str,
)
@pytest.mark.parametrize("query", ["note", None])
def test_a_filter_leaves_exactly_what_it_says(query, filters, expected, various):
    assert set(ids(various.recall(query, touch=False, **filters))) == expected


HOSTILE = [
    "k') OR 1=1 --",
    'a"b',
    "$",
    "a[0]",
    "",
    "a.b",
    "$.n",
    "'",
    "\\",
    "a\x00b",
    "#-1",
    "\ud800",
    "n' OR '1",
    "*",
    "深",
]


@pytest.mark.parametrize("key", HOSTILE, ids=ascii)
def test_a_metadata_key_is_never_read_as_syntax(key, layer):
    layer.remember("note with another", metadata={"n": 1, "a": {"b": 1}, "k": [1]})
    layer.remember("note of agent b", agent_id="b", metadata={key: 1})
    assert layer.recall("note", where={key: 1}) == []
    id = layer.remember("note with the key itself", metadata={key: 1, "in": {key: "x"}})
    assert ids(layer.recall("note", where={key: 1})) == [id]
    assert ids(layer.recall("note", where={("in", key): "x"})) == [id]


@pytest.mark.parametrize(
    "filters",
    [
        {"where": {"a": [1]}},
        {"where": {"a": {}}},
        {"where": {1: 1}},
        {"where": {(): 1}},
        {"where": {("a", 1): 1}},
        {"where": "a"},
        {"where": {"a": math.nan}},
        {"where": {"a": datetime.datetime.now()}},
        {"tags": 5},
        {"tags": [1]},
        {"tags": [""]},
        {"memory_type": 5},
        {"session_id": 5},
        {"session_id": ""},
        {"key": b"k"},
        {"min_importance": "9"},
        {"min_importance": math.nan},
        {"min_importance": 11},
        {"since": "soon"},
        {"until": 1j},
        {"as_of": "then"},
        {"include_superseded": "yes"},
        {"agent_id": uuid.uuid4()},
        {"user_id": ""},
    ],
    ids=str,
)
def test_a_filter_of_the_wrong_kind_is_an_error_that_names_it(filters, layer):
    for query in ("note", None):
        with pytest.raises((TypeError, ValueError), match=next(iter(filters))):
            layer.recall(query, **filters)


def test_malformed_metadata_of_other_programs_is_passed_over(layer):
    id = layer.remember("note of mine", metadata={"a": 1}, tags=["x"])
    for bad in ("{bad", "", "{''a'':1}", "[1]", "5", '{"tags":5}', '{"tags":{"a":"x"}}', "[" * 3000):
        shell(layer.path, f"INSERT INTO memories (content, metadata) VALUES ('note of another', '{bad}')")
    assert ids(layer.recall("note", where={"a": 1})) == [id]
    assert ids(layer.recall("note", tags=["x"])) == [id]
    assert len(layer.recall("note")) == len(layer.recall()) == 9
    assert layer.get(id + 1).metadata == {}


# ------------------------------------------------------------------------------------------------ time


def test_as_of_sees_what_was_known_then_and_nothing_later(layer):
    bonn = layer.remember("the capital is Bonn", key="capital", created_at="2026-01-01")
    berlin = layer.remember("the capital is Berlin", key="capital", created_at="2026-03-01")
    assert ids(layer.recall("capital", touch=False)) == [berlin]
    for query in ("capital", None):
        assert layer.recall(query, as_of="2025-12-31", touch=False) == []
        assert ids(layer.recall(query, as_of="2026-01-01", touch=False)) == [bonn]
        assert ids(layer.recall(query, as_of="2026-02-28T23:59:59.999Z", touch=False)) == [bonn]
        assert ids(layer.recall(query, as_of="2026-03-01", touch=False)) == [berlin]
        assert set(ids(layer.recall(query, as_of="2026-03-01", include_superseded=True, touch=False))) == {bonn, berlin}


def test_what_is_said_later_than_the_moment_asked_about_helps_nothing_to_be_found(layer):
    def turn(content, moment, **more):
        return layer.remember(content, memory_type="episode", session_id="s", created_at=moment, **more)

    lunch = turn("so where shall we have lunch", "2026-01-01T10:00:00Z")
    turn("the zeppelin lands at noon", "2026-03-01T10:00:00Z")
    turn("a zeppelin of another agent", "2026-01-01T10:01:00Z", agent_id="b")
    assert layer.recall("zeppelin", as_of="2026-02-01", touch=False) == []
    assert lunch not in ids(layer.recall("another agent", as_of="2026-02-01", touch=False))
    museum = layer.remember("museum of airships on the hill", created_at="2026-01-01")
    worker = layer.remember("restart the worker", created_at="2026-01-01")
    for number in range(3):
        layer.remember(f"worker {number} drove to the museum of airships on the hill", created_at="2026-03-01")
    found = layer.recall("worker", as_of="2026-02-01", touch=False)
    assert worker in ids(found) and museum not in ids(found)


def test_as_of_gives_the_same_answer_before_and_after_later_things_are_said(layer):
    for number in range(8):
        layer.remember(
            f"turn {number} about the deploy window and the night",
            memory_type="episode",
            session_id="s",
            created_at=f"2026-01-01T10:0{number}:00Z",
        )
    question = {"query": "deploy window of turn 3", "as_of": "2026-02-01", "touch": False}
    before = [(memory.id, memory.relevance) for memory in layer.recall(**question)]
    for number in range(8):
        layer.remember(
            f"later {number} deploy window turn 3 and more words",
            memory_type="episode",
            session_id="s",
            created_at=f"2026-03-01T10:0{number}:00Z",
        )
    after = [(memory.id, memory.relevance) for memory in layer.recall(**question)]
    assert [id for id, _ in after] == [id for id, _ in before]


def test_as_of_counts_ages_from_that_moment(layer):
    layer.remember("please restart the worker", created_at="2026-01-01T00:00:00Z", importance=8)
    (now,) = layer.recall("worker", as_of="2026-01-01T00:00:00Z", touch=False)
    (later,) = layer.recall("worker", as_of="2026-04-01T00:00:00Z", touch=False)
    assert now.strength == pytest.approx(0.8)
    assert later.strength == pytest.approx(0.4)


def test_without_as_of_a_memory_dated_in_the_future_is_seen_and_has_age_0(layer):
    layer.remember("worker one", created_at=days_ago(-3650))
    layer.remember("worker two")
    future, present = sorted(layer.recall("worker", touch=False), key=lambda memory: memory.id)
    assert future.score == pytest.approx(present.score, abs=1e-6)
    assert future.strength == 0.5


def test_an_expired_memory_is_not_recalled_but_can_be_read_until_the_sweep(layer):
    id = layer.remember("please restart the worker", expires_at="2026-06-01", created_at="2026-01-01", importance=10)
    assert layer.recall("worker") == layer.recall() == []
    assert ids(layer.recall("worker", as_of="2026-05-31", touch=False)) == [id]
    assert layer.get(id).id == id
    assert layer.forget(dry_run=True) == [id]


def test_recall_counts_the_access_at_the_moment_of_the_question(layer):
    id = layer.remember("please restart the worker", created_at="2026-01-01")
    layer.recall("worker", as_of="2026-02-01T10:00:00Z")
    memory = layer.get(id)
    assert (memory.access_count, memory.last_accessed_at, memory.version) == (1, "2026-02-01T10:00:00.000Z", 1)
    layer.recall("worker", touch=False)
    assert layer.get(id) == memory
    layer.recall("worker")
    assert layer.get(id).last_accessed_at > "2026-02-02"


def test_the_last_access_never_goes_back(layer):
    id = layer.remember("please restart the worker", created_at="2026-01-01")
    layer.recall("worker", as_of="2026-03-01")
    layer.recall("worker", as_of="2026-02-01")
    memory = layer.get(id)
    assert (memory.access_count, memory.last_accessed_at[:10]) == (2, "2026-03-01")


# ------------------------------------------------------------------------------------------------ get, touch, delete


@pytest.mark.parametrize("id", [None, "1", 1.0, True])
def test_an_id_of_another_type_is_a_type_error(id, layer):
    for method in (layer.get, layer.touch, layer.delete, layer.update):
        with pytest.raises(TypeError, match="id"):
            method(id)


def test_touch_counts_once_for_each_memory_and_returns_how_many_there_were(layer):
    layer.remember_many([{"content": "one two three"}, {"content": "four five six"}])
    assert layer.touch(1, 2, 99, 1) == 2
    assert [layer.get(id).access_count for id in (1, 2)] == [1, 1]
    assert layer.get(1).last_accessed_at[:4] >= "2026"


def test_a_thousand_touches_leave_the_pages_of_the_index_unchanged(layer):
    layer.remember_many({"content": f"memory number {number} 深色模式"} for number in range(20))
    pages = "SELECT count(*) AS n, sum(length(block)) AS bytes FROM memories_fts_data"
    before = rows(layer.path, pages)
    for _ in range(50):
        assert layer.touch(*range(1, 21)) == 20
    assert layer.get(7).access_count == 50
    assert rows(layer.path, pages) == before
    assert index_is_sound(layer.path)


def test_delete_removes_the_memories_and_their_words(layer):
    layer.remember_many([{"content": "one two three"}, {"content": "four two six"}, {"content": "two again"}])
    assert layer.delete(1, 3, 3, 99) == 2
    assert layer.get(1) is None
    assert ids(layer.recall("two")) == [2]
    assert layer.remember("yet another memory") == 4
    assert index_is_sound(layer.path)


# ------------------------------------------------------------------------------------------------ update


def test_update_of_the_content_leaves_no_old_word_and_moves_the_version_by_one(layer):
    id = layer.remember("用户偏好深色模式", importance=6)
    memory = layer.update(id, content="每周五晚上发布", importance=8, metadata={"by": "hand"})
    assert (memory.content, memory.importance, memory.metadata, memory.version) == (
        "每周五晚上发布",
        8,
        {"by": "hand"},
        2,
    )
    assert memory == layer.get(id)
    assert layer.recall("深色模式") == []
    assert ids(layer.recall("发布")) == [id]
    assert index_is_sound(layer.path)


@pytest.mark.parametrize(
    "before, after", [("we use GPT-4!", "we use GPT-4?"), ("深色模式", "深色，模式"), ("one two", "ONE two")]
)
def test_an_update_that_changes_no_word_leaves_the_words_segmented(before, after, layer):
    id = layer.remember(before)
    (old,) = layer.sql("SELECT content_segmented, characters FROM memories")
    assert layer.update(id, content=after).content == after
    (new,) = layer.sql("SELECT content_segmented, characters, needs_segment FROM memories")
    assert new["needs_segment"] == 0
    assert set(new["characters"]) == set(old["characters"])
    assert after not in new["content_segmented"]
    assert ids(layer.recall(after)) == [id]
    assert index_is_sound(layer.path)


def test_update_merges_metadata_and_none_removes(layer):
    id = layer.remember("please restart the worker", metadata={"a": 1, "b": {"c": 1, "d": 2}}, tags=["x"])
    assert layer.update(id, metadata={"a": None, "b": {"c": 3}, "e": [1]}).metadata == {
        "b": {"c": 3, "d": 2},
        "tags": ["x"],
        "e": [1],
    }
    assert layer.update(id, metadata={}).metadata == {"b": {"c": 3, "d": 2}, "tags": ["x"], "e": [1]}
    assert layer.update(id, metadata={"tags": ["y"]}).tags == ("y",)


def test_update_can_remove_the_tags(layer):
    id = layer.remember("please restart the worker", tags=["x"])
    assert layer.update(id, metadata={"tags": None}).metadata == {}


def test_update_of_malformed_metadata_begins_anew(layer):
    id = layer.remember("please restart the worker")
    shell(layer.path, "UPDATE memories SET metadata = '{bad'")
    assert layer.update(id, metadata={"a": 1}).metadata == {"a": 1}


def test_an_update_of_nothing_returns_the_memory_as_it_is(layer):
    id = layer.remember("please restart the worker")
    assert layer.update(id) == layer.get(id)


def test_update_with_the_version_that_was_read_succeeds_once(layer):
    id = layer.remember("please restart the worker")
    read = layer.get(id)
    layer.update(id, importance=7, expected_version=read.version)
    with pytest.raises(Conflict) as caught:
        layer.update(id, importance=1, expected_version=read.version)
    assert caught.value.current == layer.get(id)
    assert layer.get(id).importance == 7
    assert "worker" not in str(caught.value)


def test_update_of_a_memory_that_is_not_there_is_an_error(layer):
    with pytest.raises(NoSuchMemory, match="99"):
        layer.update(99, importance=5)


@pytest.mark.parametrize(
    "change",
    [
        {"content": 5},
        {"content": b"bytes"},
        {"importance": math.nan},
        {"importance": 11},
        {"importance": "7"},
        {"metadata": [1]},
        {"metadata": {"a": math.nan}},
        {"metadata": {1: 1}},
        {"content": "x" * 8_001},
        {"expected_version": "1"},
    ],
    ids=lambda change: str(change)[:30],
)
def test_a_wrong_argument_of_update_is_named_and_changes_nothing(change, layer):
    id = layer.remember("please restart the worker")
    before = layer.get(id)
    with pytest.raises((TypeError, ValueError), match=next(iter(change))):
        layer.update(id, **change)
    assert layer.get(id) == before


@pytest.mark.parametrize("blank", ["", "  ", "\n", "\u3000\t"])
def test_a_content_cannot_become_blank(blank, layer):
    id = layer.remember("please restart the worker")
    with pytest.raises((ValueError, Refused)):
        layer.update(id, content=blank)
    assert layer.get(id).content == "please restart the worker"


# ------------------------------------------------------------------------------------------------ lone surrogates, NUL

BAD, GOOD = "pre\x00post \ud800 note", "pre\ufffdpost \ufffd note"


def test_nul_and_lone_surrogates_are_legal_everywhere(layer):
    id = layer.remember(
        BAD, key=BAD, session_id=BAD, memory_type=BAD, tags=[BAD], metadata={BAD: {BAD: BAD}}, agent_id=BAD, user_id=BAD
    )
    scope = {"agent_id": BAD, "user_id": BAD}
    (memory,) = layer.recall(
        BAD, session_id=BAD, key=BAD, memory_type=BAD, tags=[BAD], where={(BAD, BAD): BAD}, **scope
    )
    assert (memory.id, memory.content, memory.key, memory.session_id, memory.memory_type) == (
        id,
        GOOD,
        GOOD,
        GOOD,
        GOOD,
    )
    assert (memory.tags, memory.metadata[GOOD]) == ((GOOD,), {GOOD: GOOD})
    assert ids(layer.recall("post\x00note", **scope)) == [id]
    assert layer.recall("\x00") == layer.recall("\ud800") == []
    assert "\x00" not in repr(dataclasses.astuple(memory))
    assert index_is_sound(layer.path)


def test_nul_and_lone_surrogates_are_legal_in_the_other_methods(make_layer):
    layer = make_layer(agent_id=BAD, user_id=BAD)
    id = layer.remember("please restart the worker", session_id=BAD, memory_type=BAD)
    assert layer.update(id, content=BAD, metadata={BAD: BAD}).content == GOOD
    assert layer.remember_many([{"content": BAD, "memory_type": BAD, "session_id": BAD}]) == [id]
    assert layer.forget(session_id=BAD, memory_type=BAD, max_age_days=1, min_importance=10) == []
    assert ids(layer.recall("post note")) == [id]
    assert index_is_sound(layer.path)


# ------------------------------------------------------------------------------------------------ forget


def aged(layer, *, days, importance=3.0, content=None, **more):
    return layer.remember(
        content or f"aged {days} {importance} {sorted(more)}", created_at=days_ago(days), importance=importance, **more
    )


def test_forget_without_arguments_applies_the_policy_of_the_file(layer):
    gone = [aged(layer, days=91), aged(layer, days=4_000, importance=2)]
    kept = [aged(layer, days=89), aged(layer, days=4_000, importance=4), aged(layer, days=-10)]
    assert layer.forget(dry_run=True) == gone
    assert [row["id"] for row in layer.sql("SELECT id FROM forgettable ORDER BY id")] == gone
    assert layer.forget() == gone
    assert layer.forget() == []
    assert sorted(ids(layer.recall(touch=False))) == kept
    assert index_is_sound(layer.path)


def test_forget_takes_what_is_both_old_and_unimportant(layer):
    old_low, old_high = aged(layer, days=20), aged(layer, days=20, importance=8)
    young_low = aged(layer, days=2)
    assert layer.forget(max_age_days=10, min_importance=5, dry_run=True) == [old_low]
    assert layer.forget(max_age_days=10, min_importance=9, dry_run=True) == [old_low, old_high]
    assert layer.forget(max_age_days=10, dry_run=True) == [old_low]
    assert layer.forget(max_age_days=1, dry_run=True) == [old_low, young_low]
    assert layer.forget(min_importance=10, dry_run=True) == []


def test_forget_counts_from_the_last_access_else_from_the_creation(layer):
    recalled, never = aged(layer, days=100, content="recalled yesterday"), aged(layer, days=100, content="never again")
    layer.touch(recalled)
    assert layer.forget() == [never]


def test_a_window_of_hours_is_exact_whatever_the_form_of_the_time(layer):
    shell(
        layer.path,
        "INSERT INTO memories (content, importance, created_at) VALUES ('90 minutes', 1, "
        "strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now', '-90 minutes')), ('30 minutes', 1, datetime('now', '-30 minutes'))",
    )
    assert layer.forget(max_age_days=1 / 24, min_importance=10, dry_run=True) == [1]


def test_forget_obeys_type_and_session(layer):
    state, other = aged(layer, days=100, memory_type="state"), aged(layer, days=100)
    session = aged(layer, days=100, session_id="s")
    assert layer.forget(memory_type="state", dry_run=True) == [state]
    assert layer.forget(session_id="s", dry_run=True) == [session]
    assert layer.forget(memory_type="state", session_id="s", dry_run=True) == []
    assert layer.forget(dry_run=True) == [state, other, session]


def test_a_pinned_memory_never_goes_by_any_sweep(layer):
    pinned = aged(layer, days=4_000, importance=2, pinned=True)
    expired = aged(layer, days=4_000, importance=2.5, pinned=True, expires_at="2020-01-01")
    assert layer.forget() == layer.forget(max_age_days=0.001, min_importance=10, all_scopes=True) == []
    shell(layer.path, "DELETE FROM memories WHERE id IN (SELECT id FROM forgettable)")
    assert [layer.get(id) is not None for id in (pinned, expired)] == [True, True]


@pytest.mark.parametrize("value", [0, -1, 0.0, math.nan, math.inf, -math.inf, "30", True, datetime.timedelta(days=30)])
@pytest.mark.parametrize("name", ["max_age_days", "min_importance"])
def test_limits_of_forget_that_are_no_positive_number_are_errors(name, value, layer):
    id = aged(layer, days=4_000)
    with pytest.raises((TypeError, ValueError), match=name):
        layer.forget(**{name: value})
    with pytest.raises((TypeError, ValueError)):
        layer.forget(dry_run="no")
    with pytest.raises((TypeError, ValueError)):
        layer.forget(all_scopes="yes")
    assert layer.get(id) is not None


def test_forget_of_another_scope_needs_all_scopes(layer):
    mine, theirs = (
        aged(layer, days=100, content="mine of old"),
        aged(layer, days=100, content="theirs of old", agent_id="b"),
    )
    assert layer.forget(dry_run=True) == [mine]
    assert layer.forget(all_scopes=True, dry_run=True) == [mine, theirs]
    assert layer.forget(all_scopes=True) == [mine, theirs]
    assert index_is_sound(layer.path)


ROW = st.tuples(
    st.integers(-10, 400),
    st.integers(4, 20),
    st.booleans(),
    st.sampled_from(["a", "b"]),
    st.sampled_from([None, -5, 5]),
    st.sampled_from([None, 1, 200]),
)


@given(
    st.lists(ROW, max_size=12), st.sampled_from([None, 0.5, 30, 365]), st.sampled_from([None, 1, 5, 10]), st.booleans()
)
def test_a_dry_run_returns_what_the_run_deletes(tmp_path_factory, made, max_age_days, min_importance, all_scopes):
    path = tmp_path_factory.mktemp("sweep") / "memory.db"
    with SQLiteMemoryLayer(path, agent_id="a") as layer:
        layer.remember_many(
            {
                "content": f"row number {number}",
                "created_at": days_ago(days),
                "importance": half / 2,
                "pinned": pinned,
                "agent_id": agent,
                "expires_at": None if expiry is None else days_ago(-expiry),
            }
            for number, (days, half, pinned, agent, expiry, _) in enumerate(made)
        )
        before = {row["id"]: row for row in layer.sql("SELECT * FROM memories")}
        limits = {"max_age_days": max_age_days, "min_importance": min_importance, "all_scopes": all_scopes}
        dry = layer.forget(**limits, dry_run=True)
        assert {row["id"]: row for row in layer.sql("SELECT * FROM memories")} == before
        assert layer.forget(**limits) == dry == sorted(dry)
        left = {row["id"] for row in layer.sql("SELECT id FROM memories")}
        assert left == before.keys() - set(dry)
        taken = [before[id] for id in dry]
        assert not any(row["pinned"] for row in taken)
        assert all_scopes or {row["agent_id"] for row in taken} <= {"a"}


# ------------------------------------------------------------------------------------------------ sql

WRITING = [
    "INSERT INTO memories (content) VALUES ('x')",
    "UPDATE memories SET content = 'x'",
    "DELETE FROM memories",
    "WITH x AS (SELECT 1) DELETE FROM memories",
    "DELETE FROM memories RETURNING id",
    "DROP TABLE memories",
    "REPLACE INTO memories (id, content) VALUES (1, 'x')",
    "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t (a)",
    "ATTACH ':memory:' AS x",
    "VACUUM",
    "VACUUM INTO '/dev/null'",
    "BEGIN IMMEDIATE",
    "SAVEPOINT s",
    "COMMIT",
    "PRAGMA user_version = 9",
    "PRAGMA writable_schema = 1",
    "PRAGMA journal_mode = delete",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "REINDEX",
    "ANALYZE",
    "INSERT INTO memories_fts (memories_fts) VALUES ('delete-all')",
    "/* SELECT */ DELETE FROM memories",
    "  \n-- SELECT\nDELETE FROM memories",
    "ALTER TABLE memories ADD COLUMN x",
    "DETACH main",
    "EXPLAIN DELETE FROM memories",
]


@pytest.mark.parametrize("statement", WRITING)
def test_sql_refuses_what_would_write_and_changes_nothing(statement, layer):
    layer.remember("please restart the worker")
    state = "SELECT (SELECT group_concat(content) FROM memories) AS c, (SELECT count(*) FROM sqlite_schema) AS n"
    before = layer.sql(state)
    with pytest.raises(ReadOnly):
        layer.sql(statement)
    assert layer.sql(state) == before
    assert shell(layer.path, "PRAGMA user_version; PRAGMA journal_mode") == ["1", "wal"]
    assert layer.remember("it still writes afterwards") == 2


def test_sql_runs_one_statement_and_no_second_one(layer):
    layer.remember("please restart the worker")
    for two in ("SELECT 1; SELECT 2", "SELECT 1; DELETE FROM memories", "SELECT 1; -- x\n SELECT 2"):
        with pytest.raises((ValueError, ReadOnly)):
            layer.sql(two)
    assert layer.sql("SELECT 1 AS one;") == layer.sql("SELECT 1 AS one; -- the end") == [{"one": 1}]
    assert layer.stats().memories == 1


def test_sql_reads_the_views_and_takes_parameters(layer):
    layer.remember("please restart the worker")
    assert layer.sql("SELECT ? AS a, ? AS b", (1, "深")) == [{"a": 1, "b": "深"}]
    assert layer.sql("SELECT :a AS a", {"a": None}) == [{"a": None}]
    assert layer.sql("SELECT id FROM recall WHERE query MATCH ?", ("worker",)) == [{"id": 1}]
    assert layer.sql("SELECT count(*) AS n FROM strength") == [{"n": 1}]
    assert layer.sql("WITH RECURSIVE c (n) AS (SELECT 1 UNION SELECT n + 1 FROM c WHERE n < 3) SELECT n FROM c") == [
        {"n": 1},
        {"n": 2},
        {"n": 3},
    ]
    assert layer.sql("SELECT 1 AS x WHERE 0") == []


@pytest.mark.parametrize(
    "statement", ["SELEC 1", "SELECT * FROM no_such_table", "SELECT no_such_function()", "SELECT ?", "("]
)
def test_wrong_sql_is_an_error_of_the_package(statement, layer):
    with pytest.raises((SQLiteMemoryError, ValueError)):
        layer.sql(statement)
    assert layer.sql("SELECT 1 AS one") == [{"one": 1}]


@pytest.mark.parametrize(
    "value", [datetime.datetime(2026, 1, 1), pathlib.Path("x"), uuid.UUID(int=1), [1], {"a": 1}, 1j], ids=str
)
def test_a_parameter_that_sqlite_cannot_hold_is_a_type_error_that_names_params(value, layer):
    with pytest.raises(TypeError, match="params"):
        layer.sql("SELECT ?", (value,))


def test_sql_holds_no_lock_after_it_failed_half_way(layer):
    layer.remember("please restart the worker")
    with pytest.raises(SQLiteMemoryError):
        layer.sql("SELECT id, CASE WHEN id > 0 THEN json('{bad') END FROM memories")
    shell(layer.path, "DELETE FROM memories; PRAGMA wal_checkpoint(TRUNCATE)")
    assert layer.stats().memories == 0


# ------------------------------------------------------------------------------------------------ stats, dictionary


def test_stats_count_the_scope_only(layer):
    aged(layer, days=100)
    layer.remember("the editor is Vim", key="k", memory_type="preference", session_id="s", created_at="2026-01-01")
    layer.remember("the editor is Emacs", key="k", memory_type="preference", session_id="s", pinned=True)
    layer.remember("of someone else entirely", agent_id="b")
    shell(layer.path, "INSERT INTO memories (content) VALUES ('by hand')")
    stats = layer.stats()
    assert (stats.memories, stats.current, stats.sessions, stats.pinned, stats.forgettable, stats.to_segment) == (
        4,
        3,
        1,
        1,
        1,
        1,
    )
    assert stats.by_type == {"fact": 2, "preference": 2}
    assert stats.oldest == "2026-01-01T00:00:00.000Z" and stats.newest > stats.oldest
    assert stats.file_bytes % 4096 == 0 and stats.file_bytes > 0


def test_a_word_of_the_dictionary_is_kept_whole_in_rows_and_queries_of_every_process(layer, make_layer):
    id = layer.remember("项目代号是夜航船")
    other = layer.remember("今天晚上不要航海")
    assert layer.add_word("夜航船") == 1
    assert layer.add_word("夜航船") == 0
    assert layer.sql("SELECT content_segmented LIKE '%夜航船%' AS whole FROM memories ORDER BY id") == [
        {"whole": 1},
        {"whole": 0},
    ]
    assert ids(layer.recall("夜航船"))[0] == ids(make_layer().recall("夜航船"))[0] == id
    assert layer.get(other).version == 1
    assert index_is_sound(layer.path)


def test_a_traditional_dictionary_word_is_its_simplified_form(layer):
    assert layer.add_word("資料庫員") == 0
    assert layer.sql("SELECT word FROM dictionary") == [{"word": "资料库员"}]


@pytest.mark.parametrize("word", ["", "船", "SK-II", "夜 航", "夜航X", "배포", "夜航；船"])
def test_a_word_that_needs_no_entry_is_a_value_error(word, layer):
    with pytest.raises(ValueError, match="word"):
        layer.add_word(word)


@pytest.mark.parametrize("word", [None, 5, b"x"])
def test_a_word_that_is_no_text_is_a_type_error(word, layer):
    with pytest.raises(TypeError, match="word"):
        layer.add_word(word)


# ------------------------------------------------------------------------------------------------ scopes


def private_calls(layer: SQLiteMemoryLayer, canary: int, uid: str, canary_key: str) -> dict[str, list]:
    """Call every public method as somebody else; return the answers by name of the method."""
    line = json.dumps({"uid": uid, "content": "imported by somebody else"}).encode()
    return {
        "remember": [layer.remember("canary of the night", key=canary_key), layer.remember("canary of the night")],
        "remember_conversation": [
            layer.remember_conversation([{"role": "user", "content": "I prefer the canary of the night."}])
        ],
        "judge": [layer.judge("canary of the night", key=canary_key), layer.judge("canary of the night")],
        "remember_many": [layer.remember_many([{"content": "canary of the night"}])],
        "recall": [
            layer.recall("canary"),
            layer.recall(),
            layer.recall(key=canary_key),
            layer.recall("canary", where={"k": 1}),
            layer.recall("canary", tags=["secret"]),
            layer.recall("canary", session_id="s", include_superseded=True),
            layer.recall("canary", as_of="2099-01-01"),
            layer.recall("scope : 61"),
        ],
        "recall_sql": [layer.sql(*layer.recall_sql("canary")), layer.sql(*layer.recall_sql())],
        "touch": [layer.touch(canary)],
        "get": [layer.get(canary)],
        "update": [_raised(lambda: layer.update(canary, content="overwritten by another", importance=9))],
        "forget": [layer.forget(max_age_days=0.0001, min_importance=10, dry_run=dry) for dry in (True, False)],
        "forget_sql": [layer.sql(*layer.forget_sql(max_age_days=0.0001, min_importance=10))],
        "import_jsonl": [layer.import_jsonl(io.BytesIO(line))],
        "context": [layer.context("canary"), layer.context(session_id="s")],
        "notes": [layer.notes()],
        "history": [layer.history(canary), layer.history(canary_key)],
        "withdraw": [_raised(lambda: layer.withdraw(canary))],
        "tags": [layer.tags()],
        "rename_tag": [layer.rename_tag("secret", "public")],
        "summarize": [layer.summarize("s")],
        "compact": [layer.compact(older_than_days=0.0001, drop_after_days=0.0001)],
        "recover": [_raised(lambda: layer.recover(layer.path + ".old"))],
        "delete": [layer.delete(canary)],
        "stats": [layer.stats()],
        "clear": [layer.clear()],
    }


def _raised(call):
    try:
        return call()
    except SQLiteMemoryError as error:
        return error


OF_THE_FILE = {"agent_id", "user_id", "scrub", "sql", "check", "repair", "reindex", "add_word", "close", "path"}


@pytest.mark.parametrize(
    "other",
    [
        {"agent_id": "b"},
        {"agent_id": "A"},
        {"agent_id": "a "},
        {"agent_id": "aa"},
        {"agent_id": "%"},
        {"agent_id": "default"},
        {"agent_id": "a", "user_id": "v"},
        {"agent_id": "a", "user_id": "U"},
        {"agent_id": "u", "user_id": "a"},
        {"agent_id": "ax75", "user_id": ""[:0] or "x"},
    ],
    ids=str,
)
def test_no_method_reads_touches_merges_or_deletes_a_memory_of_another_scope(other, make_layer):
    owner = make_layer(agent_id="a", user_id="u")
    canary = owner.remember(
        "CANARY canary of the night",
        key="k",
        session_id="s",
        metadata={"k": 1},
        tags=["secret"],
        importance=3,
        created_at="2020-01-01",
    )
    before = owner.sql("SELECT * FROM memories WHERE id = ?", (canary,))
    stranger = make_layer(**other)
    answers = private_calls(stranger, canary, before[0]["uid"], "k")
    public = {name for name in dir(SQLiteMemoryLayer) if not name.startswith("_")}
    assert public - OF_THE_FILE == answers.keys(), "every public method must be tried here"
    for name, answer in answers.items():
        assert "CANARY" not in repr(answer) and str(answer) != str([canary]), name
    assert answers["touch"] == answers["delete"] == [0]
    assert answers["get"] == [None] and isinstance(answers["update"][0], NoSuchMemory)
    assert canary not in answers["forget"][0] + answers["forget"][1]
    assert owner.sql("SELECT * FROM memories WHERE id = ?", (canary,)) == before
    assert ids(owner.recall("canary", touch=False)) == [canary]
    for method in (stranger.reindex, stranger.repair):
        method()
    assert owner.sql("SELECT * FROM memories WHERE id = ?", (canary,)) == before
    assert index_is_sound(owner.path)


def test_a_scope_given_to_a_method_counts_for_that_call_only(layer):
    id = layer.remember("please restart the worker", agent_id="b")
    assert layer.recall("worker") == []
    assert ids(layer.recall("worker", agent_id="b")) == [id]
    assert layer.recall("worker", agent_id="b", user_id="u") == []
    assert layer.get(id) is None
    with SQLiteMemoryLayer(layer.path, agent_id="b") as other:
        assert other.get(id).access_count == 1


@given(
    st.text(alphabet=st.characters(), min_size=1, max_size=8), st.text(alphabet=st.characters(), min_size=1, max_size=8)
)
def test_any_two_different_names_are_two_scopes(shared_layer, one, other):
    from sqlite_memory.text import clean

    id = shared_layer.remember(f"scoped {uuid.uuid4().hex}", agent_id=one, user_id="scope test")
    seen = id in ids(shared_layer.recall("scoped", limit=1_000, agent_id=other, user_id="scope test", touch=False))
    assert seen == (clean(one) == clean(other))


# ------------------------------------------------------------------------------------------------ what is said


def test_no_error_quotes_a_memory(layer):
    secret = "canary of the night"
    id = layer.remember(secret, key="k")
    calls = [
        lambda: layer.update(id, importance=11),
        lambda: layer.update(id, content=""),
        lambda: layer.update(99, content=secret),
        lambda: layer.update(id, content=secret, expected_version=7),
        lambda: layer.remember(secret * 1_000),
        lambda: layer.remember(secret, importance=-1),
        lambda: layer.remember(secret.encode()),
        lambda: layer.remember_many([{"content": secret, "importance": 99}]),
        lambda: layer.remember_many([secret]),
        lambda: layer.sql("SELECT json(content) FROM memories"),
    ]
    for number, call in enumerate(calls):
        with pytest.raises((SQLiteMemoryError, ValueError, TypeError)) as caught:
            call()
        assert "canary" not in str(caught.value), number


def test_every_public_method_says_what_it_does():
    for name in dir(SQLiteMemoryLayer):
        if not name.startswith("_"):
            assert getattr(SQLiteMemoryLayer, name).__doc__, name
    assert Memory.__doc__ and SQLiteMemoryLayer.__doc__


def test_everything_but_the_content_the_query_and_ids_is_keyword_only(layer):
    with pytest.raises(TypeError):
        layer.remember("please restart the worker", "fact")
    with pytest.raises(TypeError):
        layer.recall("worker", 5)
    with pytest.raises(TypeError):
        layer.forget(30)
    with pytest.raises(TypeError):
        SQLiteMemoryLayer(layer.path, "agent")
