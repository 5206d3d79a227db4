"""The archive of a sweep: memories move to another file and back, once each, whatever ends the process in between."""

from __future__ import annotations

import os
import signal

import pytest
from conftest import days_ago, finish, ids, index_is_sound, rows, shell, start

from sqlite_memory import NotAMemoryFile, ReadOnly, SQLiteMemoryError

KEPT = (
    "uid, agent_id, user_id, session_id, memory_type, key, content, metadata, importance, access_count, "
    "last_accessed_at, created_at, updated_at, valid_from, valid_to, expires_at, version, pinned, content_segmented, "
    "characters, fingerprint"
)


def all_of(path) -> list[dict]:
    """Return what must survive a move of every row."""
    return rows(path, f"SELECT {KEPT} FROM memories ORDER BY uid")


@pytest.fixture
def archive(tmp_path) -> str:
    """The path of an archive that is not there yet."""
    return str(tmp_path / "old.db")


@pytest.fixture
def aged(layer):
    """A layer with five faded memories of every kind, a fresh one and a faded one of another scope."""
    old = days_ago(300)
    layer.remember("the user used to drink green tea", importance=3, created_at=old, tags=["drink"], session_id="s")
    layer.remember("用户以前住在杭州的西湖边", importance=2.5, created_at=old, metadata={"地点": {"市": "杭州"}})
    layer.remember("deploys went out on Fridays", importance=3, created_at=old, key="deploy_day")
    layer.remember("deploys go out on Mondays", importance=3, created_at=days_ago(250), key="deploy_day")
    layer.remember("a ticket that has expired by now", importance=9, expires_at=days_ago(1))
    layer.remember("please restart the worker tonight", importance=3)
    layer.remember("a faded memory of another agent", importance=3, created_at=old, agent_id="b")
    layer.recall("green tea", as_of=days_ago(200))
    layer.update(2, importance=3)
    return layer


GONE = [1, 2, 3, 4, 5]


def test_a_sweep_of_nothing_makes_an_empty_archive_or_none(layer, archive):
    layer.remember("please restart the worker")
    assert layer.forget(archive=archive) == []
    assert layer.forget(archive=archive, dry_run=True) == []
    assert not os.path.exists(archive)


def test_what_is_swept_moves_to_the_archive_and_comes_back_as_it_was(aged, archive, make_layer):
    before = all_of(aged.path)
    assert aged.forget(archive=archive, dry_run=True) == GONE and not os.path.exists(archive)
    assert aged.forget(archive=archive) == GONE
    assert len(all_of(archive)) == 5 and ids(aged.recall(touch=False)) == [6]
    assert all_of(archive) == [row for row in before if row["content"] not in {
        "please restart the worker tonight", "a faded memory of another agent"}]
    old = make_layer(archive)
    assert [m.content for m in old.recall("杭州", touch=False)] == ["用户以前住在杭州的西湖边"]
    assert index_is_sound(aged.path) and index_is_sound(archive)
    assert aged.recover(archive) == [8, 9, 10, 11, 12]
    assert all_of(aged.path) == before and all_of(archive) == []
    assert [m.content for m in aged.recall("杭州", touch=False)] == ["用户以前住在杭州的西湖边"]
    assert index_is_sound(aged.path) and index_is_sound(archive)


def test_single_memories_come_back_by_their_uid(aged, archive, make_layer):
    aged.forget(archive=archive)
    tea = make_layer(archive).recall("green tea", touch=False)[0]
    assert aged.recover(archive, uids=[]) == aged.recover(archive, uids=["no such uid"]) == []
    assert aged.recover(archive, uids=[tea.uid, tea.uid]) == [8]
    assert aged.get(8).uid == tea.uid and aged.get(8).tags == ("drink",)
    assert len(all_of(archive)) == 4
    assert aged.recover(archive, uids=tea.uid) == []


def test_a_recovered_memory_that_was_replaced_meanwhile_is_closed(aged, archive):
    aged.forget(archive=archive)
    monday = aged.remember("deploys go out on Tuesdays", key="deploy_day")
    aged.recover(archive)
    assert [m.content for m in aged.recall(key="deploy_day", touch=False)] == ["deploys go out on Tuesdays"]
    assert aged.get(monday).valid_to is None


def test_an_archive_keeps_to_the_scope_unless_told_otherwise(aged, archive, make_layer):
    assert aged.forget(archive=archive, all_scopes=True) == [*GONE, 7]
    stranger = make_layer(agent_id="c")
    uid = rows(archive, "SELECT uid FROM memories WHERE agent_id = 'b'")[0]["uid"]
    assert stranger.recover(archive) == stranger.recover(archive, uids=[uid]) == []
    assert len(all_of(archive)) == 6
    assert len(make_layer(agent_id="b").recover(archive)) == 1
    assert len(aged.recover(archive, all_scopes=True)) == 5
    assert all_of(archive) == []


def test_the_same_uid_in_two_scopes_stays_two_memories(layer, archive):
    shell(layer.path, "INSERT INTO memories (uid, agent_id, content, importance, created_at) VALUES "
          "('1', 'a', 'first of two', 1, '2020-01-01'), ('1', 'b', 'second of two', 1, '2020-01-01')")
    assert layer.forget(all_scopes=True, archive=archive) == [1, 2]
    assert [row["content"] for row in rows(archive, "SELECT content FROM memories ORDER BY id")] == [
        "first of two", "second of two"]
    assert len(layer.recover(archive, all_scopes=True)) == 2


def test_the_words_of_the_archives_own_dictionary_count_there(layer, archive, make_layer):
    with make_layer(archive) as old:
        old.add_word("夜航船")
    layer.remember("项目代号是夜航船", importance=3, created_at=days_ago(200))
    sql = "INSERT INTO memories (content, importance, created_at) VALUES ('原文一行夜航船', 1, '2020-01-01')"
    shell(layer.path, sql)
    assert layer.forget(archive=archive) == [1, 2]
    segmented = [row["content_segmented"].split() for row in rows(archive, "SELECT content_segmented FROM memories")]
    assert all("夜航船" in words for words in segmented)
    assert rows(archive, "SELECT sum(needs_segment) AS n FROM memories") == [{"n": 0}]
    layer.recover(archive)
    assert "夜航船" not in rows(layer.path, "SELECT content_segmented FROM memories")[0]["content_segmented"].split()
    assert index_is_sound(archive) and index_is_sound(layer.path)


# ------------------------------------------------------------------------------------------------ cut short

KILLED = """
import os, signal, sys
from sqlite_memory import SQLiteMemoryLayer, archive, sweep

def killed(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)

import contextlib
writing = archive.Pace.writing

@contextlib.contextmanager
def then_killed(*arguments):
    with writing(*arguments) as connection:
        yield connection
        if sys.argv[3] == "sweep":
            killed()                     # the archive is committed, this file is not
    killed()                             # this file is committed, the archive is not

archive.Pace.writing = then_killed
layer = SQLiteMemoryLayer(sys.argv[1])
if sys.argv[3] == "sweep":
    layer.forget(archive=sys.argv[2])
else:
    layer.recover(sys.argv[2])
"""


def kill(path, archive, doing):
    """Sweep or recover in a child that is killed between the two sides."""
    child = start(KILLED, path, archive, doing)
    child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL


def test_killed_between_the_two_sides_a_sweep_is_repeated_and_nothing_is_doubled_or_lost(aged, archive):
    before = all_of(aged.path)
    aged.close()
    kill(aged.path, archive, "sweep")
    assert len(all_of(archive)) == 5 and all_of(aged.path) == before


def test_after_the_kill_the_repeated_sweep_ends_as_one_sweep(aged, archive, make_layer):
    before = all_of(aged.path)
    kill(aged.path, archive, "sweep")
    kill(aged.path, archive, "sweep")
    assert aged.forget(archive=archive) == GONE
    assert len(all_of(archive)) == 5 and len(all_of(aged.path)) == 2
    assert sorted(map(repr, all_of(archive) + all_of(aged.path))) == sorted(map(repr, before))
    assert index_is_sound(aged.path) and index_is_sound(archive)


def test_what_was_edited_after_a_kill_reaches_the_archive_as_it_is_then(aged, archive):
    kill(aged.path, archive, "sweep")
    aged.update(1, content="the user used to drink black tea")
    aged.touch(2)
    assert aged.forget(archive=archive) == [1, 3, 4, 5]
    contents = [row["content"] for row in all_of(archive)]
    assert "the user used to drink black tea" in contents and "the user used to drink green tea" not in contents
    assert len(contents) == 5, "the touched one is still in both files"
    assert len(aged.recover(archive)) == 4
    assert all_of(archive) == [] and len(all_of(aged.path)) == 7


def test_killed_between_the_two_sides_a_recovery_is_repeated_and_nothing_is_doubled_or_lost(aged, archive):
    before = all_of(aged.path)
    aged.forget(archive=archive)
    kill(aged.path, archive, "recover")
    assert all_of(aged.path) == before and len(all_of(archive)) == 5
    assert aged.recover(archive) == []
    assert all_of(aged.path) == before and all_of(archive) == []
    assert index_is_sound(aged.path) and index_is_sound(archive)


def test_what_is_recalled_between_the_two_sides_stays_and_leaves_the_archive(aged, archive, monkeypatch):
    from sqlite_memory import archive as module

    prepared = module._prepared

    def then_touch(*arguments):
        aged.touch(2)
        return prepared(*arguments)

    monkeypatch.setattr(module, "_prepared", then_touch)
    assert aged.forget(archive=archive) == [1, 3, 4, 5]
    assert aged.get(2).access_count == 1
    assert [row["content"] for row in all_of(archive)].count("用户以前住在杭州的西湖边") == 0


SWEEP = "import sys; from sqlite_memory import SQLiteMemoryLayer; print(len(SQLiteMemoryLayer(sys.argv[1]).forget(archive=sys.argv[2], pause=0)))"


def test_sweeps_at_the_same_time_into_one_archive_lose_and_double_nothing(layer, archive, make_layer):
    layer.remember_many(
        {"content": f"row number {n}", "importance": 3, "created_at": "2020-01-01"} for n in range(2_000)
    )
    uids = {row["uid"] for row in rows(layer.path, "SELECT uid FROM memories")}
    sweeps = [start(SWEEP, layer.path, archive) for _ in range(3)]
    assert sum(int(finish(sweep)) for sweep in sweeps) == 2_000
    assert layer.stats().memories == 0
    archived = [row["uid"] for row in rows(archive, "SELECT uid FROM memories")]
    assert len(archived) == 2_000 and set(archived) == uids


def test_another_sweep_between_choosing_and_copying_takes_its_copies_with_it(aged, archive, make_layer, monkeypatch):
    from sqlite_memory import archive as module

    before, prepared, other = all_of(aged.path), module._prepared, make_layer()

    def after_the_other(*arguments):
        found = prepared(*arguments)
        monkeypatch.setattr(module, "_prepared", prepared)
        assert other.forget(archive=archive) == GONE
        return found

    monkeypatch.setattr(module, "_prepared", after_the_other)
    assert aged.forget(archive=archive) == []
    assert len(all_of(archive)) == 5
    assert sorted(map(repr, all_of(archive) + all_of(aged.path))) == sorted(map(repr, before))


# ------------------------------------------------------------------------------------------------ refused

def test_the_file_itself_is_no_archive_by_any_name(aged, tmp_path):
    os.symlink(aged.path, tmp_path / "link.db")
    os.link(aged.path, tmp_path / "hard.db")
    for same in (aged.path, tmp_path / "link.db", tmp_path / "hard.db", ":memory:", os.path.relpath(aged.path)):
        for dry in (True, False):
            with pytest.raises(ValueError, match="another file"):
                aged.forget(archive=same, dry_run=dry)
        with pytest.raises(ValueError, match="another file"):
            aged.recover(same)
    os.unlink(tmp_path / "hard.db")
    assert aged.stats().memories == 6


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_what_sqlite_keeps_beside_the_file_is_no_archive(aged, end, tmp_path):
    os.symlink(aged.path + end, tmp_path / "link.db")
    for name in (aged.path + end, tmp_path / "link.db"):
        with pytest.raises(ValueError, match="another file"):
            aged.forget(archive=name)
    assert aged.stats().memories == 6


def test_a_file_of_another_program_is_no_archive_and_nothing_goes(aged, tmp_path):
    other = tmp_path / "other.db"
    other.write_bytes(b"not a database, but something longer than the header of one" * 20)
    with pytest.raises(NotAMemoryFile):
        aged.forget(archive=other)
    assert aged.stats().memories == 6


def test_a_read_only_layer_copies_nothing(aged, archive, make_layer):
    reader = make_layer(read_only=True)
    with pytest.raises(ReadOnly):
        reader.forget(archive=archive)
    assert not os.path.exists(archive)


def test_an_archive_that_is_not_there_cannot_give_back(aged, archive):
    with pytest.raises(SQLiteMemoryError, match="no such archive"):
        aged.recover(archive)
    assert not os.path.exists(archive)
