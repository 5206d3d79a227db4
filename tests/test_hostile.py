"""What hostile or careless use once broke: each symptom in the name of its test."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from conftest import ROOT, days_ago, ids, index_is_sound, rows, shell

from sqlite_memory import SQLiteMemoryLayer


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sqlite_memory", *map(str, arguments)], capture_output=True, encoding="utf-8", cwd=ROOT
    )


@pytest.mark.parametrize("option", ["--agent", "--user"])
@pytest.mark.parametrize("what", [["forget"], ["compact"], ["clear", "--yes"], ["remember", "the worker restarts"]])
def test_an_empty_scope_on_the_command_line_is_an_error_and_not_every_scope(option, what, layer):
    layer.remember("a passing thing of bob", importance=3, created_at="2020-01-01", agent_id="bob")
    done = command("--db", layer.path, option, "", *what)
    assert done.returncode == 2 and "is empty" in done.stderr
    assert rows(layer.path, "SELECT agent_id FROM memories") == [{"agent_id": "bob"}]


def test_a_question_about_the_future_does_not_make_a_used_memory_old(layer):
    id = layer.remember("Ann waters the ferns weekly", importance=3, created_at=days_ago(100))
    assert ids(layer.recall("ferns", as_of="2099-12-31")) == [id]
    assert layer.get(id).last_accessed_at < "2099"
    assert layer.forget(dry_run=True) == []


@pytest.mark.parametrize("name", ["agent_id", "user_id", "allow_sensitive"])
def test_an_extractor_cannot_leave_the_scope_or_open_the_gate(name, layer):
    def injected(messages):
        return [{"content": "The user lives in Rome.", name: True if name == "allow_sensitive" else "victim"}]

    with pytest.raises(ValueError, match="extractor"):
        layer.remember_conversation([{"role": "user", "content": "I live in Rome and love tea."}], injected)
    assert rows(layer.path, "SELECT id FROM memories") == []


@pytest.mark.parametrize("messages", ["text", {"role": "user", "content": "I live in Rome"}, [None], 5])
def test_messages_of_another_shape_are_a_type_error(messages, layer):
    with pytest.raises(TypeError, match="messages"):
        layer.remember_conversation(messages)


def test_saying_it_again_keeps_what_was_asked_for(layer):
    first = layer.remember("The gym closes at nine", expires_at="2099-12-05", tags=["a"], metadata={"k": 1})
    assert layer.remember("The gym closes at nine", importance=9, pinned=True, tags=["b"]) == first
    memory = layer.get(first)
    assert (memory.importance, memory.pinned, memory.expires_at) == (9.5, True, None)
    assert set(memory.tags) == {"a", "b"} and memory.metadata["k"] == 1


def test_saying_it_again_adds_nothing_to_the_metadata_that_nobody_gave(layer):
    first = layer.remember("The gym closes at nine")
    assert layer.remember("The gym closes at nine") == first
    assert layer.get(first).metadata == {}
    tagged = layer.remember("The pool opens at six", tags=["a"])
    layer.remember("The pool opens at six", metadata={"k": 1})
    assert layer.get(tagged).metadata == {"tags": ["a"], "k": 1}


def test_a_key_is_superseded_by_a_text_of_the_same_words(layer):
    layer.remember("Use npm not pnpm", key="pm")
    second = layer.remember("Use pnpm not npm", key="pm")
    assert [memory.id for memory in layer.recall(key="pm")] == [second] == [2]


@pytest.mark.parametrize("query", ["1" * 16_000, "a-" * 8_000, "1." * 100_000, "三" * 8_000], ids=lambda text: text[:4])
def test_a_long_question_does_not_hang(query, layer):
    layer.remember("the worker restarts at noon")
    began = time.process_time()
    layer.recall(query)
    assert time.process_time() - began < 10  # it was minutes


@pytest.mark.parametrize("value", [0, -1])
def test_a_sweep_that_is_switched_off_takes_nothing(value, layer):
    layer.remember("a passing thing", importance=3, created_at="2020-01-01")
    shell(layer.path, f"UPDATE policy SET value = {value} WHERE name = 'forget_max_age_days'")
    assert layer.forget() == [] and layer.sql("SELECT * FROM forgettable") == []
    assert layer.forget(max_age_days=30) == [1]


@pytest.mark.parametrize("value", [-1, 3, 0.5])
def test_an_odd_value_for_what_becomes_of_the_turns_keeps_them(value, layer):
    for place in range(5):
        layer.remember(f"Ann: the beagle number {place} sleeps.", memory_type="episode", session_id="s",
                       created_at=f"2026-05-01T10:0{place}:00Z")
    shell(layer.path, f"UPDATE policy SET value = {value} WHERE name = 'summary_keeps_turns'")
    assert layer.summarize("s") == 6
    assert layer.stats().by_type == {"episode": 5, "summary": 1}


def test_a_limit_of_length_of_zero_is_no_limit(layer):
    shell(layer.path, "UPDATE policy SET value = 0 WHERE name = 'max_length'")
    assert layer.remember("a long story. " * 1_000) == 1


def test_check_of_an_empty_file_says_so_and_writes_nothing(tmp_path):
    empty = tmp_path / "empty.db"
    empty.touch()
    done = command("--db", empty, "check")
    assert done.returncode == 1 and "empty" in done.stderr and empty.stat().st_size == 0


def test_a_nul_that_plain_sql_wrote_does_not_break_recall(layer):
    shell(layer.path, "INSERT INTO memories (content) VALUES ('zulu' || char(0) || 'yankee deploy')")
    assert ids(layer.recall("deploy")) == [1]


def test_an_edit_cannot_bring_a_secret_in(layer):
    id = layer.remember("the worker restarts at noon")
    with pytest.raises(ValueError, match="allow_sensitive"):
        layer.update(id, content="my password is hunter2-Xk9")
    assert layer.get(id).content == "the worker restarts at noon"
    assert layer.update(id, content="my password is hunter2-Xk9", allow_sensitive=True).version == 2


def test_policy_rows_deleted_under_an_open_layer_leave_it_working_or_say_so(layer):
    layer.remember("the worker restarts at noon")
    shell(layer.path, "DELETE FROM policy WHERE name IN ('max_length', 'reinforcement', 'min_length')")
    assert layer.remember("the deploy window is friday") == 2
    with SQLiteMemoryLayer(layer.path + ".new") as fresh, pytest.warns(UserWarning, match="policy row"):
        assert fresh.stats().memories == 0
        SQLiteMemoryLayer(layer.path).close()
    assert index_is_sound(layer.path)
