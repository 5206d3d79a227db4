"""Correcting: the chain of a key, withdrawing, and what a question sees as of then."""

from __future__ import annotations

import itertools

import pytest
from conftest import shell

from sqlite_memory import NoSuchMemory


def test_a_key_without_memories_has_no_history(layer):
    assert layer.history("deploy_env") == layer.history(7) == []


def test_the_history_of_a_key_is_the_chain_of_its_versions_oldest_first(layer):
    first = layer.remember("we deploy to staging", key="deploy_env", created_at="2026-01-01")
    second = layer.remember("we deploy to production", key="deploy_env", created_at="2026-02-01")
    late = layer.remember("we deploy to the test bed", key="deploy_env", created_at="2026-01-15")
    layer.remember("we deploy on fridays", key="deploy_env", memory_type="preference")
    assert [m.id for m in layer.history(second)] == [m.id for m in layer.history(first)] == [first, late, second]
    assert [m.valid_to for m in layer.history(first)] == ["2026-01-15T00:00:00.000Z", "2026-02-01T00:00:00.000Z", None]
    assert {m.memory_type for m in layer.history("deploy_env")} == {"fact", "preference"}
    assert [m.content for m in layer.recall("deploy", as_of="2026-01-10", touch=False)] == ["we deploy to staging"]


def test_a_memory_without_a_key_is_its_own_history(layer):
    id = layer.remember("the worker restarts at noon")
    assert layer.history(id) == [layer.get(id)]


def test_what_is_withdrawn_is_no_longer_recalled_but_stays_in_the_history(layer):
    id = layer.remember("the worker restarts at noon", key="restart", created_at="2026-01-01")
    gone = layer.withdraw(id)
    assert gone.valid_to is not None and gone.version == 2
    assert layer.withdraw(id) == layer.get(id) == gone
    assert layer.recall("worker") == []
    assert [m.id for m in layer.recall("worker", include_superseded=True)] == [id]
    assert [m.id for m in layer.recall("worker", as_of="2026-02-01")] == [id]
    assert [m.id for m in layer.history("restart")] == [id]


def test_what_is_not_there_cannot_be_withdrawn(layer):
    other = layer.remember("the worker restarts at noon", agent_id="another")
    with pytest.raises(NoSuchMemory):
        layer.withdraw(other)
    assert layer.history(other) == []


def test_tags_are_counted_over_what_is_true_now(layer):
    shell(
        layer.path,
        """INSERT INTO memories (content, metadata, valid_to, expires_at) VALUES
           ('x', '{"tags":["true"]}', '2999-01-01', NULL), ('y', '{"tags":["true"]}', NULL, '2999-01-01'),
           ('z', '{"tags":["expired"]}', NULL, '2020-01-01'), ('w', '{"tags":["over"]}', '2020-01-01', NULL)""",
    )
    assert layer.tags() == {"true": 2}


def test_tags_are_counted_over_current_memories_and_renamed_once(layer):
    first = layer.remember("the worker restarts at noon", tags=["deploy", "night"])
    layer.remember("the deploy window is friday", tags=["deploy", "ops"])
    layer.withdraw(layer.remember("an old note of the night", tags=["night"]))
    shell(layer.path, "INSERT INTO memories (content, metadata) VALUES ('by hand', '{bad'), ('too', '{\"tags\":\"x\"}')")
    assert layer.tags() == {"deploy": 2, "night": 1, "ops": 1}
    assert layer.rename_tag("deploy", "ops") == 2
    assert layer.tags() == {"ops": 2, "night": 1}
    assert layer.get(first).tags == ("ops", "night")
    assert layer.rename_tag("nothing", "ops") == 0


def test_a_value_that_comes_back_is_a_version_of_its_own_in_whatever_order_they_arrive(make_layer, tmp_path):
    versions = [("red", "2026-01-01"), ("blue", "2026-02-01"), ("red", "2026-03-01")]
    orders = list(itertools.permutations(versions))
    orders.remove((versions[0], versions[2], versions[1]))   # red again while it is red says nothing new
    for number, order in enumerate(orders):
        layer = make_layer(tmp_path / f"{number}.db")
        for colour, moment in order:
            layer.remember(f"the door is {colour}", key="door", created_at=moment)
        assert [m.content.split()[-1] for m in layer.history("door")] == ["red", "blue", "red"]
        seen = [layer.recall(key="door", as_of=f"2026-0{month}-15", touch=False) for month in (1, 2, 3)]
        assert [[m.content.split()[-1] for m in found] for found in seen] == [["red"], ["blue"], ["red"]]


def test_the_current_value_said_again_is_no_new_version(layer):
    id = layer.remember("the door is red", key="door", created_at="2026-01-01")
    assert layer.remember("the door is red", key="door") == id


def test_what_a_later_version_will_end_is_withdrawn_now(layer):
    id = layer.remember("we deploy to staging", key="deploy_env")
    layer.remember("we deploy to production", key="deploy_env", valid_from="2099-01-01")
    assert layer.get(id).valid_to == "2099-01-01T00:00:00.000Z"
    gone = layer.withdraw(id)
    assert gone.valid_to < "2099" and layer.withdraw(id) == gone
    assert [m.content for m in layer.recall("deploy", touch=False)] == ["we deploy to production"]
