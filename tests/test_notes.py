"""What the memory knows of a user: shown whole, and removed whole."""

from __future__ import annotations

from conftest import days_ago, index_is_sound, rows

from sqlite_memory import notes
from sqlite_memory.incoming import Scope

SCOPE = Scope("default", "default")


def test_a_scope_without_memories_says_so(layer):
    layer.remember("of somebody else", user_id="somebody")
    assert notes.notes(layer._database, SCOPE) == "Nothing is remembered."


def test_everything_current_is_shown_by_type_with_its_id(layer):
    layer.remember("The user has a cat", created_at="2026-01-02")
    layer.remember("The user lives in Oslo", key="city", created_at="2025-01-01")
    layer.remember("The user lives in Rome", key="city", created_at="2026-03-01")
    layer.remember("Answers are short\n# not a heading", memory_type="preference", created_at="2026-01-01")
    layer.remember("user: good evening to you", memory_type="episode", session_id="s", created_at="2026-01-01")
    layer.remember("The user plays chess", memory_type="hobby", created_at="2026-01-01")
    layer.remember("gone since yesterday", expires_at=days_ago(1), created_at=days_ago(2))
    assert notes.notes(layer._database, SCOPE) == "\n".join([
        "# What is remembered (5)", "",
        "## Preferences (1)", "- #4, 2026-01-01: Answers are short # not a heading", "",
        "## Facts (2)", "- #3, 2026-03-01: The user lives in Rome (city)", "- #1, 2026-01-02: The user has a cat", "",
        "## hobby (1)", "- #6, 2026-01-01: The user plays chess", "",
        "## From conversations (1)", "- #5, 2026-01-01: user: good evening to you",
    ])


def test_chinese_memories_are_shown_in_chinese(layer):
    layer.remember("用户养了一只猫", created_at="2026-01-02")
    assert notes.notes(layer._database, SCOPE) == "# 记住的内容（1）\n\n## 事实 (1)\n- #1，2026-01-02：用户养了一只猫"


def test_clearing_removes_all_of_the_scope_and_nothing_else(layer):
    assert layer.clear() == 0
    layer.remember("a pinned memory", pinned=True)
    layer.remember("The window is Monday", key="window", created_at="2026-01-01")
    layer.remember("The window is Friday", key="window", created_at="2026-02-01")
    layer.remember("of somebody else", user_id="somebody")
    assert layer.clear() == 3
    assert rows(layer.path, "SELECT content FROM memories") == [{"content": "of somebody else"}]
    assert notes.notes(layer._database, SCOPE) == "Nothing is remembered."
    assert index_is_sound(layer.path)
