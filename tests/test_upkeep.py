"""Keeping the index true: what opening does, and check, repair and reindex."""

from __future__ import annotations

import warnings

import pytest
from conftest import ids, index_is_sound, rows, shell

from sqlite_memory import upkeep
from sqlite_memory.text import PIPELINE_VERSION


def flagged(path):
    return rows(path, "SELECT count(*) AS n FROM memories WHERE needs_segment = 1")[0]["n"]


def by_hand(path, count=1, text="写给数据库的一行"):
    shell(path, f"INSERT INTO memories (content) SELECT '{text} ' || value FROM generate_series(1, {count})")


# ------------------------------------------------------------------------------------------------ at open


def test_opening_a_sound_file_writes_nothing(layer, make_layer):
    layer.remember("用户偏好深色模式")
    before = rows(layer.path, "SELECT * FROM memories")
    assert upkeep.catch_up(layer._database) is None
    make_layer()
    assert rows(layer.path, "SELECT * FROM memories") == before


def test_opening_segments_what_plain_sql_wrote_and_is_no_edit(layer, make_layer):
    by_hand(layer.path, 3)
    assert flagged(layer.path) == 3
    again = make_layer()
    assert flagged(layer.path) == 0
    assert set(ids(again.recall("数据库"))) == {1, 2, 3}
    assert [row["version"] for row in rows(layer.path, "SELECT version FROM memories")] == [1, 1, 1]
    assert index_is_sound(layer.path)


def test_opening_segments_a_bounded_number_of_rows_and_says_what_is_left(layer, make_layer):
    by_hand(layer.path, upkeep.AT_OPEN + 5, "plain words")
    with pytest.warns(UserWarning, match="5 memories .*sqlite-memory reindex"):
        make_layer()
    assert flagged(layer.path) == 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_layer()
    assert flagged(layer.path) == 0
    assert index_is_sound(layer.path)


def test_a_small_file_of_another_pipeline_is_segmented_anew_at_open(layer, make_layer):
    id = layer.remember("用户偏好深色模式")
    layer.close()
    shell(
        layer.path,
        "UPDATE memories SET content_segmented = 'old form', characters = NULL; "
        "UPDATE policy SET value = 0 WHERE name = 'pipeline_version'",
    )
    again = make_layer()
    assert ids(again.recall("深色模式")) == [id] and again.recall("form") == []
    assert rows(layer.path, "SELECT value FROM policy WHERE name = 'pipeline_version'") == [
        {"value": float(PIPELINE_VERSION)}
    ]
    assert again.check().ok and index_is_sound(layer.path)


def test_a_large_file_of_another_pipeline_says_how_to_segment_it_anew(layer, make_layer):
    by_hand(layer.path, upkeep.AT_OPEN + 1, "plain words")
    layer.reindex()
    layer.close()
    shell(layer.path, "UPDATE policy SET value = 0 WHERE name = 'pipeline_version'")
    with pytest.warns(UserWarning, match="sqlite-memory reindex"):
        again = make_layer()
    assert len(again.recall("plain words")) == 10
    assert again.reindex() == upkeep.AT_OPEN + 1
    assert again.check().ok


def test_a_row_without_any_searchable_word_is_segmented_once_and_for_all(layer, make_layer):
    shell(layer.path, "INSERT INTO memories (content) VALUES ('！？…'), (char(10)), ('😀')")
    make_layer()
    assert flagged(layer.path) == 0
    assert layer.check().ok and index_is_sound(layer.path)


# ------------------------------------------------------------------------------------------------ reindex


def test_reindex_returns_the_rows_shows_progress_and_changes_no_memory(layer):
    layer.remember_many({"content": f"memory number {number}", "agent_id": str(number % 3)} for number in range(1_200))
    before = layer.sql("SELECT * FROM memories ORDER BY id")
    seen = []
    assert layer.reindex(progress=lambda done, total: seen.append((done, total))) == 1_200
    assert seen == [(500, 1_200), (1_000, 1_200), (1_200, 1_200)]
    assert layer.sql("SELECT * FROM memories ORDER BY id") == before
    assert index_is_sound(layer.path)


def test_reindex_of_an_empty_file_is_nothing(layer):
    assert layer.reindex() == 0


# ------------------------------------------------------------------------------------------------ check

BREAK = {
    "stale words": ("DROP TRIGGER memories_update; UPDATE memories SET content_segmented = 'other words'; ", "index"),
    "a missing entry": ("DELETE FROM memories_fts_docsize WHERE id = 1", "index"),
    "wrong totals": ("UPDATE scopes SET words = words + 5", "totals"),
    "totals of nobody": ("INSERT INTO scopes VALUES ('ghost', 'u', 3, 30)", "totals"),
    "totals that are gone": ("DELETE FROM scopes", "totals"),
    "flagged rows": ("INSERT INTO memories (content) VALUES ('by hand')", "segmented"),
    "another pipeline": ("UPDATE policy SET value = 0 WHERE name = 'pipeline_version'", "pipeline"),
    "a missing trigger": ("DROP TRIGGER memories_delete", "memories_delete"),
    "a missing view": ("DROP VIEW forgettable", "forgettable"),
    "a missing index": ("DROP TABLE memories_fts", "memories_fts"),
    "an emptied index": ("DELETE FROM memories_fts_data", "index"),
    "a lost part of the index": ("DROP TABLE memories_fts_docsize", "index"),
    "a row left out of the index": (
        "INSERT INTO memories (content, content_segmented) VALUES ('one more', 'one more'); "
        "UPDATE memories SET content_segmented = NULL WHERE id = 1",
        "segmented",
    ),
}


def test_check_of_a_sound_file_finds_nothing_and_changes_nothing(layer):
    layer.remember("用户偏好深色模式")
    before = layer.sql("SELECT * FROM memories")
    report = layer.check()
    assert (report.ok, report.problems, report.done) == (True, (), ())
    assert layer.sql("SELECT * FROM memories") == before


@pytest.mark.parametrize("damage", BREAK)
def test_check_names_the_damage_and_repair_mends_it(damage, layer):
    layer.remember("用户偏好深色模式")
    layer.remember("restart the worker", agent_id="b", key="k")
    statement, word = BREAK[damage]
    shell(layer.path, statement)
    report = layer.check()
    assert not report.ok
    assert word in " ".join(report.problems)
    assert layer.check() == report
    repaired = layer.repair()
    assert repaired.ok and repaired.problems == () and repaired.done
    assert layer.check().ok
    assert ids(layer.recall("深色模式", touch=False)) == [1] and ids(layer.recall("worker", agent_id="b")) == [2]
    assert index_is_sound(layer.path)


def test_repair_of_a_sound_file_changes_no_memory(layer):
    layer.remember("用户偏好深色模式", key="k")
    layer.remember("用户偏好浅色模式", key="k")
    before = layer.sql("SELECT * FROM memories ORDER BY id")
    assert layer.repair().ok
    assert layer.sql("SELECT * FROM memories ORDER BY id") == before
    assert index_is_sound(layer.path)


def test_a_check_of_a_read_only_layer_says_what_it_could_not_look_at(layer, make_layer):
    layer.remember("restart the worker")
    layer.close()
    report = make_layer(read_only=True).check()
    assert report.ok and report.problems == ()
    assert report.done == ("the index was not compared with the rows: that takes a layer that may write",)


def test_rows_written_while_the_triggers_were_gone_are_found_after_the_repair(layer):
    for name in ("memories_insert", "memories_insert_raw", "scopes_insert"):
        shell(layer.path, f"DROP TRIGGER {name}")
    shell(layer.path, "INSERT INTO memories (content) VALUES ('写给数据库的一行')")
    assert layer.repair().ok
    assert ids(layer.recall("数据库")) == [1]
    assert index_is_sound(layer.path)
