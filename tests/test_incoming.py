"""Arguments are checked one by one, and a wrong one is named."""

from __future__ import annotations

import datetime
import enum
import json
import math
import uuid

import pytest

from sqlite_memory import incoming as arguments
from sqlite_memory.incoming import incoming, metadata_json, scope


def test_a_plain_content_gets_the_defaults_of_the_file():
    memory = incoming("the deploy window")
    assert (memory.content, memory.memory_type, memory.key, memory.session_id) == (
        "the deploy window",
        "fact",
        None,
        None,
    )
    assert (memory.metadata, memory.importance, memory.expires_at, memory.pinned) == ("{}", None, None, 0)
    assert memory.valid_from == memory.created_at


def test_valid_from_is_created_at_unless_given():
    memory = incoming("x", created_at="2026-01-01", valid_from="2025-01-01")
    assert (memory.created_at, memory.valid_from) == ("2026-01-01T00:00:00.000Z", "2025-01-01T00:00:00.000Z")


@pytest.mark.parametrize(
    "name, value",
    [
        ("memory_type", 1),
        ("memory_type", None),
        ("key", 1),
        ("key", b"k"),
        ("session_id", uuid.uuid4()),
        ("tags", 5),
        ("tags", ["a", 1]),
        ("metadata", [1]),
        ("metadata", "{}"),
        ("importance", "7"),
        ("importance", True),
        ("importance", object()),
        ("created_at", b"x"),
        ("expires_at", []),
        ("pinned", "yes"),
        ("pinned", 2),
        ("pinned", None),
    ],
)
def test_an_argument_of_the_wrong_type_is_a_type_error_that_names_it(name, value):
    with pytest.raises(TypeError, match=name):
        incoming("text", **{name: value})


@pytest.mark.parametrize("content", [None, b"bytes", 5, ["text"], uuid.UUID(int=0)])
def test_content_that_is_not_text_is_a_type_error(content):
    with pytest.raises(TypeError, match="content"):
        incoming(content)


@pytest.mark.parametrize(
    "name, value",
    [
        ("memory_type", ""),
        ("key", ""),
        ("session_id", ""),
        ("tags", [""]),
        ("importance", math.nan),
        ("importance", math.inf),
        ("importance", -math.inf),
        ("importance", -1),
        ("importance", 11),
        ("importance", 10.0000001),
        ("importance", 10**400),
        ("created_at", "soon"),
        ("expires_at", "0000-00-00"),
    ],
)
def test_an_impossible_value_is_a_value_error_that_names_the_argument(name, value):
    with pytest.raises(ValueError, match=name):
        incoming("text", **{name: value})


@pytest.mark.parametrize("value", [0, 10, 0.0, 10.0, 7, 2.5])
def test_importance_takes_every_number_from_0_to_10(value):
    assert incoming("text", importance=value).importance == value


def test_nul_and_lone_surrogates_are_replaced_in_every_text():
    bad, good = "a\x00b\ud800c", "a\ufffdb\ufffdc"
    memory = incoming(bad, memory_type=bad, key=bad, session_id=bad, tags=[bad], metadata={bad: {bad: [bad]}})
    assert (memory.content, memory.memory_type, memory.key, memory.session_id) == (good,) * 4
    assert json.loads(memory.metadata) == {good: {good: [good]}, "tags": [good]}
    assert scope(bad, bad) == scope(good, good)


def test_names_are_kept_exactly_spaces_and_case_included():
    assert scope("A ", "a") != scope("a", "a")
    assert scope("A ", " a").agent_id == "A "


@pytest.mark.parametrize("value", ["", None, 5, b"a", uuid.UUID(int=1)])
def test_a_scope_is_made_of_two_names(value):
    with pytest.raises((TypeError, ValueError), match="agent_id"):
        scope(value, "u")
    with pytest.raises((TypeError, ValueError), match="user_id"):
        scope("a", value)


def test_metadata_is_compact_json_in_the_order_given():
    assert metadata_json(None) == "{}"
    assert metadata_json({"b": [1, 2.5, None, True], "a": {"深": "色"}}) == '{"b":[1,2.5,null,true],"a":{"深":"色"}}'


@pytest.mark.parametrize("value", [math.nan, math.inf, [math.nan], {"deep": (1, -math.inf)}])
def test_a_number_that_json_has_not_is_a_value_error(value):
    with pytest.raises(ValueError, match="metadata"):
        metadata_json({"x": value})


@pytest.mark.parametrize(
    "value",
    [
        datetime.datetime.now(),
        datetime.date.today(),
        {1},
        b"bytes",
        object(),
        uuid.uuid4(),
        1j,
        [datetime.date.today()],
    ],
)
def test_a_value_that_is_not_json_is_a_type_error_that_names_the_place(value):
    with pytest.raises(TypeError, match=r"metadata\['when'\]"):
        metadata_json({"when": value})


@pytest.mark.parametrize("mapping", [{1: "a"}, {True: "b"}, {(1, 2): 3}, {None: 1}, {"a": {2: 1}}])
def test_keys_that_are_not_text_are_refused_rather_than_merged(mapping):
    with pytest.raises(TypeError, match="keys must be text"):
        metadata_json(mapping)


def test_metadata_that_holds_itself_is_a_value_error():
    ring: dict = {}
    ring["ring"] = ring
    with pytest.raises(ValueError, match="nested"):
        metadata_json(ring)


def test_tags_are_added_to_those_of_the_metadata_without_repeats():
    assert json.loads(metadata_json({"tags": ["a", "b"]}, ["b", "c", "c"])) == {"tags": ["a", "b", "c"]}
    assert json.loads(metadata_json(None, "one")) == {"tags": ["one"]}
    assert json.loads(metadata_json(None, iter(["x", "y"]))) == {"tags": ["x", "y"]}


@pytest.mark.parametrize("tags", ["one", {"a": 1}, [1], [""], None, 5])
def test_tags_in_metadata_must_be_a_list_of_texts(tags):
    with pytest.raises(TypeError, match="tags"):
        metadata_json({"tags": tags})


def test_an_integer_enum_is_a_number_like_any_other():
    class Level(enum.IntEnum):
        HIGH = 8

    assert incoming("text", importance=Level.HIGH).importance == 8.0
    assert json.loads(metadata_json({"level": Level.HIGH})) == {"level": 8}


@pytest.mark.parametrize("value", [-1, 0])
def test_a_count_below_one_is_a_value_error(value):
    with pytest.raises(ValueError, match="limit"):
        arguments.count(value, "limit")


@pytest.mark.parametrize("value", [None, "5", 2.5, True])
def test_a_count_that_is_no_whole_number_is_a_type_error(value):
    with pytest.raises(TypeError, match="limit"):
        arguments.count(value, "limit")


def test_a_huge_count_is_capped():
    assert arguments.count(2**63, "limit") == arguments.count(10**30, "limit") < 2**63


@pytest.mark.parametrize("value", [0, -1, 2**63, 10**30])
def test_an_id_that_no_row_can_have_is_a_value_error(value):
    with pytest.raises(ValueError, match="id"):
        arguments.identifier(value)


@pytest.mark.parametrize("value", [None, "1", 1.0, True, b"1"])
def test_an_id_that_is_no_whole_number_is_a_type_error(value):
    with pytest.raises(TypeError, match="id"):
        arguments.identifier(value)
