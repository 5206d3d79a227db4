"""A long random walk over Python and plain SQL ends with a sound index and the answers of a short reference."""

from __future__ import annotations

import contextlib
import datetime
import json
import random
import subprocess

import pytest
from conftest import SHELL, days_ago, index_is_sound, rows

from sqlite_memory import NoSuchMemory, SQLiteMemoryLayer

STEPS = 700
SCOPES = [("a", "u"), ("a", "v"), ("b", "u")]
WORDS = [
    "deploy",
    "window",
    "Friday",
    "部署窗口",
    "周五",
    "猫",
    "user_id",
    "C++",
    "배포",
    "ユーザー",
    "the",
    "深色模式",
    "it's",
    "100%",
    '"quoted"',
    "資料庫",
]
TYPES = ["fact", "preference", "state", "episode", "of my own"]


# ------------------------------------------------------------------------------------------------ the reference


def moment_of(text):
    """Return seconds for a time as the file holds it, None for one that nobody can read."""
    try:
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except (AttributeError, ValueError):
        return None


def strength_of(row, now, half_lives, access_half):
    """Return the strength of a memory at a moment, as the design gives it: importance, accesses and age in [0, 1]."""
    begun, accessed = moment_of(row["created_at"]), moment_of(row["last_accessed_at"])
    last = accessed if accessed is not None and accessed <= now else begun
    days = max(0.0, (now - last) / 86_400) if last is not None else 0.0
    recency = 1 / (1 + days / half_lives.get(row["memory_type"], half_lives["fact"]))
    importance = row["importance"] / 10
    access = row["access_count"] / (row["access_count"] + access_half)
    return recency * (importance + (1 - importance) * access / 2)


def listed(rows, scope, now, half_lives, access_half):
    """Return (id, strength) of what recall() without a query gives, best first."""
    found = []
    for row in rows:
        ended, expires = moment_of(row["valid_to"]), moment_of(row["expires_at"])
        if (row["agent_id"], row["user_id"]) != scope or (ended is not None and ended <= now):
            continue
        if (row["valid_to"] is not None and ended is None) or (expires is not None and expires <= now):
            continue
        if max(moment_of(row["created_at"]) or now, moment_of(row["valid_from"]) or now) <= now:
            found.append((strength_of(row, now, half_lives, access_half), row["created_at"], row["id"]))
    return [(id, strength) for strength, _, id in sorted(found, reverse=True)]


# ------------------------------------------------------------------------------------------------ the walk


class Shell:
    """One sqlite3 shell that stays open during the walk, a writer of plain SQL in another process."""

    def __init__(self, path):
        pipe = subprocess.PIPE
        self.child = subprocess.Popen([SHELL, "-batch", path], stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8")
        self.run(".timeout 20000")

    def run(self, statement):
        """Run one statement and wait until it is done."""
        self.child.stdin.write(f"{statement}\n.print done\n")
        self.child.stdin.flush()
        while self.child.stdout.readline() != "done\n":
            pass

    def close(self):
        """End the shell; what it refused is returned."""
        return self.child.communicate(timeout=60)[1]


def text(chance):
    return " ".join(chance.choices(WORDS, k=chance.randint(2, 6)))


def literal(value):
    return "'" + value.replace("'", "''") + "'"


def sql_step(chance):
    """Return one statement of plain SQL, as a person at the prompt may write it."""
    content, id = literal(text(chance)), chance.randint(1, 150)
    agent, user = map(literal, chance.choice(SCOPES))
    day = f"datetime('now', '-{chance.randint(0, 300)} days')"
    return chance.choice(
        [
            f"INSERT INTO memories (agent_id, user_id, content, created_at) "
            f"VALUES ({agent}, {user}, {content}, {day});",
            f"INSERT INTO memories (agent_id, user_id, content, key) VALUES ({agent}, {user}, {content}, 'k{id % 3}');",
            f"INSERT OR IGNORE INTO memories (id, content) VALUES ({id}, {content});",
            f"INSERT INTO memories (id, content) VALUES ({id}, {content}) "
            "ON CONFLICT (id) DO UPDATE SET content = excluded.content;",
            f"INSERT OR REPLACE INTO memories (id, content) VALUES ({id}, {content});",
            f"UPDATE memories SET content = {content} WHERE id = {id};",
            f"UPDATE memories SET content = content || ' more' WHERE id % 50 = {id % 50} AND length(content) < 200;",
            f"UPDATE memories SET agent_id = {agent}, user_id = {user} WHERE id = {id};",
            f"UPDATE memories SET agent_id = {agent}, content = {content} WHERE id = {id};",
            f"UPDATE memories SET id = id + 1000000 WHERE id = {id};",
            f"UPDATE memories SET key = 'k{id % 3}', memory_type = 'state' WHERE id = {id};",
            f"UPDATE memories SET importance = {id % 11}, metadata = '{{\"n\":{id}}}' WHERE id = {id};",
            f"UPDATE memories SET access_count = access_count + 1, last_accessed_at = {day} WHERE id = {id};",
            f"UPDATE memories SET expires_at = datetime('now', '{id - 75} days') WHERE id = {id};",
            f"DELETE FROM memories WHERE id = {id};",
            "DELETE FROM memories WHERE id IN (SELECT id FROM forgettable LIMIT 2);",
            f"BEGIN; DELETE FROM memories WHERE id < {id}; ROLLBACK;",
        ]
    )


def python_step(chance, layer, other):
    """Take one step with the layer; return nothing."""
    id = chance.randint(1, 150)
    what = chance.choice(
        [
            "remember",
            "remember",
            "remember",
            "many",
            "update",
            "update",
            "touch",
            "recall",
            "forget",
            "delete",
            "reopen",
            "scope",
        ]
    )
    if what == "remember":
        agent, user = chance.choice(SCOPES)
        layer.remember(
            text(chance),
            agent_id=agent,
            user_id=user,
            memory_type=chance.choice(TYPES),
            key=chance.choice([None, None, "k1", "k2"]),
            created_at=days_ago(chance.randint(-5, 300)),
            importance=chance.choice([None, 2, 5.5, 10]),
            pinned=chance.random() < 0.1,
        )
    elif what == "many":
        layer.remember_many({"content": text(chance), "session_id": "s"} for _ in range(5))
    elif what == "update":
        with contextlib.suppress(NoSuchMemory):
            layer.update(
                id,
                content=chance.choice([None, text(chance)]),
                importance=chance.choice([None, 3, 9]),
                metadata=chance.choice([None, {"a": id}, {"a": None}]),
            )
    elif what == "touch":
        layer.touch(id, id + 1, id + 2)
    elif what == "recall":
        layer.recall(text(chance), limit=5)
    elif what == "forget":
        layer.forget(max_age_days=chance.choice([None, 250]), min_importance=chance.choice([None, 3]))
    elif what == "delete":
        layer.delete(id)
    elif what == "reopen":
        other.recall(text(chance))
    else:
        other.update(id, content=text(chance)) if other.get(id) else other.touch(id)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_random_walk_ends_with_a_sound_index_and_the_answers_of_the_reference(seed, path):
    chance = random.Random(seed)
    with (
        SQLiteMemoryLayer(path, agent_id="a", user_id="u") as layer,
        SQLiteMemoryLayer(path, agent_id="b", user_id="u") as other,
    ):
        person = Shell(path)
        for _ in range(STEPS):
            if chance.random() < 0.4:
                person.run(sql_step(chance))
            else:
                python_step(chance, layer, other)
        refused = person.close()
        complaints = {
            line.split("line")[0] + line.rsplit("): ", 1)[-1] for line in refused.splitlines() if "rror" in line
        }
        assert all("this id exists" in complaint or "UNIQUE" in complaint for complaint in complaints), complaints
        assert index_is_sound(path)
        assert layer.stats().memories > 20
    answers_are_those_of_the_reference(path)
    assert index_is_sound(path)


@pytest.mark.parametrize("seed", range(4))
def test_an_older_and_a_newer_sqlite_that_write_in_turn_leave_the_index_sound(seed, path):
    chance = random.Random(seed)
    with SQLiteMemoryLayer(path) as layer:
        person = Shell(path)
        for _ in range(400):
            content, id = text(chance), chance.randint(1, 100)
            if chance.random() < 0.5:
                what = chance.random()
                person.run(
                    f"INSERT INTO memories (content) VALUES ({literal(content)});"
                    if what < 0.4
                    else f"UPDATE memories SET content = {literal(content)} WHERE id = {id};"
                    if what < 0.8
                    else f"DELETE FROM memories WHERE id = {id};"
                )
            elif chance.random() < 0.5 or not layer.get(id):
                layer.remember(content, memory_type="episode", session_id=str(id))
            else:
                layer.update(id, content=content)
        assert person.close() == ""
    assert index_is_sound(path)


def answers_are_those_of_the_reference(path):
    """Compare recall(None), the view `strength` and what the index finds with Python's own computation."""
    SQLiteMemoryLayer(path).close()  # which segments what plain SQL wrote last
    everything = rows(path, "SELECT * FROM memories ORDER BY id")
    half_lives = {
        row["memory_type"]: row["half_life"] for row in rows(path, "SELECT memory_type, half_life FROM memory_types")
    }
    (policy,) = rows(path, "SELECT value FROM policy WHERE name = 'access_half'")
    moment = "2027-06-01T12:00:00.000Z"
    for agent, user in SCOPES:
        with SQLiteMemoryLayer(path, agent_id=agent, user_id=user) as layer:
            found = layer.recall(limit=100_000, as_of=moment, touch=False)
            expected = listed(everything, (agent, user), moment_of(moment), half_lives, policy["value"])
            assert [memory.strength for memory in found] == pytest.approx(
                [strength for _, strength in expected], abs=1e-7
            )
            assert_same_order(found, dict(expected))
            assert layer.check().problems == ()
    viewed = rows(path, "SELECT id, strength, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS now FROM strength ORDER BY id")
    for row, seen in zip(everything, viewed, strict=True):
        expected = strength_of(row, moment_of(seen["now"]), half_lives, policy["value"])
        assert (seen["id"], seen["strength"]) == (row["id"], pytest.approx(expected, abs=1e-6))
    for row in everything:
        assert json.loads(row["metadata"]) is not None and row["needs_segment"] == 0


def assert_same_order(found, expected):
    """The same memories, sorted by strength; equal ones newest first, then by id."""
    assert {memory.id for memory in found} == expected.keys()
    for before, after in zip(found, found[1:], strict=False):
        assert before.strength >= after.strength
        if before.strength == after.strength:
            assert (before.created_at, before.id) > (after.created_at, after.id)
