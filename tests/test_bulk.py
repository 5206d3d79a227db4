"""remember_many() beside remember(): the same rows, the same duplicates, whatever stands in one batch."""

from __future__ import annotations

import os
import random
import threading

import pytest
from conftest import finish, index_is_sound, rows, shell, start

from sqlite_memory import Busy, bulk

EVERY_COLUMN = (
    "agent_id, user_id, session_id, memory_type, key, content, metadata, importance, access_count, created_at, valid_from, "
    "valid_to, expires_at, version, pinned, content_segmented, characters, fingerprint, needs_segment"
)
ODD = [
    {"content": "用户偏好深色模式，每天早上喝 SK-II 咖啡", "tags": ["界面", "a\"b"], "importance": 2.1, "created_at": "2026-01-01"},
    {"content": "NUL \x00, a lone \ud800 and 😀 in one text", "metadata": {"k\x00": ["\ud800", 1e-9, 2**70, None, True]}},
    {"content": "a memory\nof two lines\u2028or three", "pinned": True, "importance": 9.99, "expires_at": "2999-01-01"},
    {"content": "a fact with a key", "key": "k\"'", "valid_from": "2026-02-02", "created_at": 1_700_000_000.123},
    {"content": "its successor", "key": "k\"'", "valid_from": "2026-03-03", "created_at": 1_700_000_000.123},
    {"content": "a fact with a key", "key": "k\"'", "valid_from": "2026-04-04", "created_at": "2026-04-04"},
    {"content": "one turn of many", "memory_type": "episode", "session_id": "s'1", "created_at": "2026-01-02"},
    {"content": "one turn of many", "memory_type": "episode", "session_id": "s'1", "created_at": "2026-01-03"},
    {"content": "One  turn of MANY", "memory_type": "episode", "session_id": "s'1", "created_at": "2026-01-03"},
    {"content": "ok"},
    {"content": "the same text for two users", "user_id": "李雷", "created_at": "2026-01-04"},
    {"content": "the same text for two users", "user_id": "韩梅梅", "created_at": "2026-01-04"},
    {"content": "the same text for two users", "user_id": "李雷", "tags": ["again"], "created_at": "2026-01-05"},
]


def test_many_at_once_are_stored_as_one_by_one(make_layer, tmp_path):
    one_by_one, at_once = tmp_path / "one.db", tmp_path / "many.db"
    items = [{"created_at": "2026-01-01", **item} for item in ODD * 2]
    layer = make_layer(one_by_one)
    expected = [layer.remember(**item) for item in items]
    layer.close()
    layer = make_layer(at_once)
    assert layer.remember_many(items) == expected == [1, 2, 3, 4, 5, 6, 7, 8, 8, None, 9, 10, 9, *expected[13:]]
    layer.close()
    sql = f"SELECT {EVERY_COLUMN} FROM memories ORDER BY id"
    assert rows(at_once, sql) == rows(one_by_one, sql)
    assert index_is_sound(at_once)


def test_random_items_in_random_batches_are_stored_as_one_by_one(make_layer, tmp_path, monkeypatch):
    monkeypatch.setattr(bulk, "BATCH", 7)
    chance = random.Random(5)
    words = "kayak 独木舟 coffee 咖啡 paris 巴黎 monday 周一".split()
    items = [
        {
            "content": " ".join(chance.choices(words, k=chance.choice((2, 9)))),
            "key": chance.choice((None, None, "a", "b")),
            "memory_type": chance.choice(("fact", "episode")),
            "user_id": chance.choice(("u", "v")),
            "created_at": f"2026-01-0{chance.randint(1, 9)}",
        }
        for _ in range(300)
    ]
    layer = make_layer(tmp_path / "one.db")
    shell(layer.path, "UPDATE policy SET value = 0 WHERE name IN ('reinforce_near', 'report_near', 'report_contradiction')")
    expected = [layer.remember(**item) for item in items]
    layer.close()
    layer = make_layer(tmp_path / "many.db")
    assert layer.remember_many(items) == expected
    layer.close()
    sql = f"SELECT {EVERY_COLUMN} FROM memories ORDER BY id"
    assert rows(tmp_path / "many.db", sql) == rows(tmp_path / "one.db", sql)


def test_several_batches_give_ids_in_order_and_leave_no_thread(layer):
    before = threading.active_count()
    number = 2 * bulk.BATCH + 3
    assert layer.remember_many({"content": f"memory number {n}"} for n in range(number)) == list(range(1, number + 1))
    assert threading.active_count() == before
    assert layer.stats().memories == number


def test_the_items_may_come_from_the_layer_itself(layer, monkeypatch):
    monkeypatch.setattr(bulk, "BATCH", 2)
    layer.remember("a seed of the garden")

    def items():
        for number in range(6):
            (seed,) = layer.recall("seed", limit=1)
            yield {"content": f"plant {number} of {seed.content}"}

    assert len(set(layer.remember_many(items()))) == 6


def test_a_wrong_item_keeps_the_batches_before_it(layer):
    items = [*({"content": f"memory number {n}"} for n in range(bulk.BATCH + 5)), {"content": 5}]
    with pytest.raises(TypeError, match=f"item {bulk.BATCH + 5}: content must be text"):
        layer.remember_many(items)
    assert layer.stats().memories == bulk.BATCH


def test_a_locked_file_is_reported_and_nothing_is_stored(make_layer, locked):
    layer = make_layer(busy_timeout=0.05)
    release = locked(layer.path)
    with pytest.raises(Busy):
        layer.remember_many({"content": f"memory number {n}"} for n in range(3 * bulk.BATCH))
    release()
    assert layer.stats().memories == 0
    assert layer.remember_many([{"content": "memory number one"}]) == [1]


def test_a_word_that_another_process_adds_meanwhile_flags_the_rows_that_were_cut_without_it(layer, monkeypatch):
    monkeypatch.setattr(bulk, "BATCH", 1)

    def items():
        yield {"content": "同事石墨烯今天来了"}
        shell(layer.path, "INSERT INTO dictionary VALUES ('石墨烯今')")
        yield {"content": "明天石墨烯今要开会"}

    layer.remember_many(items())
    assert [row["needs_segment"] for row in layer.sql("SELECT needs_segment FROM memories ORDER BY id")] == [1, 1]
    layer.close()


def test_importance_keeps_every_digit(layer):
    chance = random.Random(3)
    given = [chance.uniform(2, 10) for _ in range(500)]
    layer.remember_many({"content": f"memory number {n}", "importance": value} for n, value in enumerate(given))
    assert [row["importance"] for row in layer.sql("SELECT importance FROM memories ORDER BY id")] == given


FORK = """
import os, sys, time
from sqlite_memory import SQLiteMemoryError, SQLiteMemoryLayer

layer = SQLiteMemoryLayer(sys.argv[1], busy_timeout=20)
children = []

def items():
    for number in range(6_000):
        if number % 500 == 250:
            child = os.fork()
            if not child:
                try:
                    layer.remember(f"of the child at {number}")
                    if number == 250:
                        for n in range(1_000):
                            yield {"content": f"more of the child {n}"}
                except SQLiteMemoryError as error:
                    os._exit("forked child" not in str(error))
                os._exit(0)
            children.append(child)
        yield {"content": f"memory number {number}"}

try:
    ids = layer.remember_many(items())
except SQLiteMemoryError as error:
    os._exit(7 if "forked child" in str(error) else 1)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
print(len(ids), sum(codes) in (0, 7), layer.stats().memories)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork()")
def test_a_fork_in_the_middle_leaves_parent_and_child_able_to_write(layer):
    assert finish(start(FORK, layer.path)) == f"6000 True {6_000 + 12}\n"
