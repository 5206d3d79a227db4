"""Locks, processes, forks, folders and files: what one memory file goes through."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
import threading
import time
import warnings

import apsw
import pytest
from conftest import SCHEMA, SHELL, as_nobody, finish, ids, index_is_sound, open_files, python, rows, shell, start

from sqlite_memory import (
    Busy,
    Closed,
    DamagedFile,
    Full,
    NotAMemoryFile,
    ReadOnly,
    SchemaTooNew,
    SQLiteMemoryError,
    SQLiteMemoryLayer,
    upkeep,
)

posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork()")


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


# ------------------------------------------------------------------------------------------------ open and close


def test_a_new_file_is_in_wal_mode_and_knows_what_it_is(layer):
    assert shell(layer.path, "PRAGMA journal_mode; PRAGMA application_id; PRAGMA user_version") == [
        "wal",
        "1397572941",
        "1",
    ]


def test_opening_a_file_again_changes_nothing_in_it(layer, make_layer):
    layer.remember("please restart the worker")
    layer.close()
    before = content_of(layer.path)
    make_layer().close()
    assert content_of(layer.path) == before


def test_after_close_no_sidecar_and_no_open_file_is_left(layer):
    layer.remember("please restart the worker")
    assert os.path.exists(layer.path + "-wal")
    layer.close()
    assert os.listdir(os.path.dirname(layer.path)) == ["memory.db"]
    assert not [name for name in open_files() if name.startswith(layer.path)]
    os.replace(layer.path, layer.path + ".moved")


def test_close_twice_is_fine_and_use_after_close_is_an_error_of_its_own(layer):
    layer.remember("please restart the worker")
    layer.close()
    layer.close()
    for name, call in calls_of(layer).items():
        with pytest.raises(Closed):
            call()
            pytest.fail(name)
    with pytest.raises(Closed), layer:
        layer.recall("worker")


def test_the_context_manager_closes_also_after_an_error(path):
    with pytest.raises(KeyError), SQLiteMemoryLayer(path) as layer:
        raise KeyError
    with pytest.raises(Closed):
        layer.get(1)


def test_a_layer_in_memory_works_and_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with SQLiteMemoryLayer(":memory:") as layer:
        assert ids(layer.recall("worker")) == []
        layer.remember("please restart the worker")
        assert ids(layer.recall("worker")) == [1]
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_not_there_is_an_error_that_says_so(tmp_path):
    with pytest.raises(SQLiteMemoryError, match="folder"):
        SQLiteMemoryLayer(tmp_path / "no" / "memory.db")
    with pytest.raises(SQLiteMemoryError):
        SQLiteMemoryLayer(tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "name", ["a#b", "a?b", "a?mode=ro", "a%41", "a b", "日本", "file:x", "a&b", "a'b", 'a"b', "\\x"]
)
def test_a_file_of_any_name_is_that_file_and_makes_no_other(name, tmp_path, make_layer):
    path = str(tmp_path / f"{name}.db")
    layer = make_layer(path)
    layer.remember("please restart the worker")
    layer.close()
    with SQLiteMemoryLayer(path, read_only=True) as reader:
        assert ids(reader.recall("worker")) == [1]
    sidecars = {f"{name}.db-wal", f"{name}.db-shm"}  # SQLite's own, where the last to close could only read
    assert set(os.listdir(tmp_path)) - sidecars == {f"{name}.db"}


def test_a_relative_path_stays_the_same_file_when_the_folder_changes(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    with SQLiteMemoryLayer("x.db") as layer:
        monkeypatch.chdir(tmp_path / "other")
        assert layer.path == str(tmp_path / "x.db")
    assert os.listdir(tmp_path / "other") == []


# ------------------------------------------------------------------------------------------------ whose file


@pytest.mark.parametrize(
    "kind", ["text", "short", "other program", "other application", "damaged header", "half of ours"]
)
def test_a_file_of_another_kind_is_refused_and_left_byte_for_byte(kind, path, make_layer, tmp_path):
    if kind == "text":
        with open(path, "w") as file:
            file.write("dear diary, " * 200)
    elif kind == "short":
        with open(path, "w") as file:
            file.write("short text")
    elif kind == "other program":
        shell(
            path, "CREATE TABLE memories (id INTEGER PRIMARY KEY, content TEXT); INSERT INTO memories VALUES (1, 'x')"
        )
    elif kind == "other application":
        shell(path, "CREATE TABLE t (a); PRAGMA application_id = 252006673")
    elif kind == "half of ours":
        shell(path, "CREATE TABLE policy (a); CREATE TABLE memories_fts (a)")
    else:
        make_layer(path).close()
        with open(path, "r+b") as file:
            file.write(b"SQLite format 4\x00")
    before = content_of(path)
    for read_only in (False, True):
        with pytest.raises(NotAMemoryFile, match=re.escape(path) + "|another program"):
            SQLiteMemoryLayer(path, read_only=read_only)
    assert content_of(path) == before
    assert os.listdir(tmp_path) == ["memory.db"]


def test_a_file_of_a_newer_schema_is_refused_and_left_byte_for_byte(layer):
    layer.close()
    shell(layer.path, "PRAGMA user_version = 2")
    before = content_of(layer.path)
    for read_only in (False, True):
        with pytest.raises(SchemaTooNew, match="2"):
            SQLiteMemoryLayer(layer.path, read_only=read_only)
    assert content_of(layer.path) == before


def test_a_restored_dump_of_a_newer_schema_is_refused_too(layer):
    layer.close()
    shell(
        layer.path,
        "UPDATE policy SET value = 2 WHERE name = 'schema_version'; PRAGMA application_id = 0; PRAGMA user_version = 0",
    )
    with pytest.raises(SchemaTooNew):
        SQLiteMemoryLayer(layer.path)
    assert shell(layer.path, "PRAGMA application_id; PRAGMA user_version") == ["0", "0"]


def test_an_empty_file_becomes_a_memory_file(path, make_layer):
    open(path, "w").close()
    assert make_layer().remember("please restart the worker") == 1


def test_read_only_makes_no_file_and_no_schema(path):
    with pytest.raises(SQLiteMemoryError):
        SQLiteMemoryLayer(path, read_only=True)
    assert not os.path.exists(path)
    open(path, "w").close()
    with pytest.raises(NotAMemoryFile, match="read_only"):
        SQLiteMemoryLayer(path, read_only=True)
    assert os.path.getsize(path) == 0


def test_tables_and_views_of_the_user_do_not_matter(layer, make_layer):
    layer.close()
    shell(
        layer.path,
        "CREATE TABLE mine (a); CREATE VIEW ours AS SELECT content FROM memories; CREATE INDEX i ON memories (key)",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert make_layer().check().ok


# ------------------------------------------------------------------------------------------------ what was lost

OBJECTS = re.findall(r"^CREATE (?:VIRTUAL )?(TABLE|INDEX|TRIGGER|VIEW) (\w+)", SCHEMA.read_text(), re.MULTILINE)
DATA_TABLES = {"memories", "scopes", "dictionary", "memory_types", "policy"}


@pytest.mark.parametrize("kind, name", [(kind, name) for kind, name in OBJECTS if name not in DATA_TABLES])
def test_what_can_be_made_anew_is_put_back_at_open_with_a_warning(kind, name, layer, make_layer):
    layer.remember("用户偏好深色模式")
    layer.close()
    shell(
        layer.path,
        f"DROP {kind} {name}; INSERT INTO memories (content) VALUES ('restart the worker') ON CONFLICT DO NOTHING"
        if name not in ("memories_fts",)
        else f"DROP {kind} {name}",
    )
    with pytest.warns(UserWarning, match=name):
        mended = make_layer()
    assert mended.check().ok
    assert ids(mended.recall("模式")) == [1]
    assert name == "memories_fts" or ids(mended.recall("worker")) == [2]
    assert index_is_sound(layer.path)
    assert [row["sql"] for row in rows(layer.path, f"SELECT sql FROM sqlite_schema WHERE name = '{name}'")]


@pytest.mark.parametrize(
    ("name", "flagged"), [("memories_version", 0), ("memories_supersede_insert", 0), ("memories_insert", 1)]
)
def test_only_what_keeps_the_index_has_it_made_anew(name, flagged, layer, make_layer, monkeypatch):
    layer.remember("please restart the worker")
    layer.close()
    monkeypatch.setattr(upkeep, "AT_OPEN", 0)
    shell(layer.path, f"DROP TRIGGER {name}")
    with pytest.warns(UserWarning) as warned:
        make_layer()
    text = str(warned[0].message)
    assert (f"put back {name}" in text, "rebuilt the index" in text) == (True, bool(flagged))
    assert rows(layer.path, "SELECT needs_segment AS n FROM memories") == [{"n": flagged}]


def test_a_trigger_that_was_changed_is_put_back(layer, make_layer):
    layer.close()
    shell(
        layer.path,
        "DROP TRIGGER memories_delete; CREATE TRIGGER memories_delete AFTER DELETE ON memories BEGIN SELECT 1; END",
    )
    with pytest.warns(UserWarning, match="memories_delete"):
        make_layer()
    shell(layer.path, "INSERT INTO memories (content) VALUES ('one two'); DELETE FROM memories")
    assert index_is_sound(layer.path)


@pytest.mark.parametrize("table", ["memories", "policy", "memory_types"])
def test_a_table_of_data_that_is_gone_is_an_error_that_names_it(table, layer, make_layer):
    layer.remember("please restart the worker")
    layer.close()
    shell(layer.path, f"DROP TABLE {table}")
    with pytest.raises((DamagedFile, NotAMemoryFile), match=table):
        make_layer()


@pytest.mark.parametrize(
    "statement", ["DROP TABLE memories_fts", "DROP TABLE memories", "DROP TABLE policy", "DROP VIEW strength_at"]
)
def test_a_table_dropped_while_the_layer_is_open_is_an_error_and_never_an_empty_answer(statement, layer):
    layer.remember("please restart the worker")
    shell(layer.path, statement)
    with pytest.raises(DamagedFile, match="repair"):
        layer.recall("worker")


def test_writing_without_the_index_is_an_error_that_leaves_nothing_behind(layer, make_layer):
    layer.remember("please restart the worker")
    shell(layer.path, "DROP TABLE memories_fts")
    with pytest.raises(DamagedFile, match="repair"):
        layer.remember("another memory of the night")
    assert rows(layer.path, "SELECT count(*) AS n FROM memories") == [{"n": 1}]
    assert layer.repair().ok
    assert ids(layer.recall("worker")) == [1]
    assert index_is_sound(layer.path)


@pytest.mark.parametrize(
    "name",
    [
        "strength_weight",
        "max_length",
        "min_length",
        "access_half",
        "reinforcement",
        "forget_max_age_days",
        "forget_min_importance",
        "pipeline_version",
    ],
)
def test_a_policy_row_that_is_gone_never_makes_an_empty_answer_or_a_bare_error(name, layer, make_layer):
    layer.remember("please restart the worker")
    layer.close()
    shell(layer.path, f"DELETE FROM policy WHERE name = '{name}'")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = make_layer()
        assert again.remember("please restart the worker") == 1
        assert again.remember("another memory of the night") == 2
        assert ids(again.recall("worker")) == ids(again.recall("restart")) == [1]
        assert len(again.recall()) == 2
        assert again.forget(max_age_days=1, min_importance=1) == []
    except DamagedFile as error:
        assert name in str(error)


def test_a_row_whose_text_is_not_utf_8_does_not_keep_the_others_from_being_recalled(layer, make_layer):
    layer.remember("please restart the worker")
    layer.close()
    shell(layer.path, "INSERT INTO memories (content) VALUES (CAST(x'e4b8ad20ff20776f726b6572' AS TEXT))")
    again = make_layer()
    assert ids(again.recall("restart", touch=False)) == [1]
    assert again.get(1).content == "please restart the worker"


# ------------------------------------------------------------------------------------------------ locks


def archive_of(layer):
    """Make an archive with one memory beside the file and return its path."""
    path = f"{layer.path}.old"
    with SQLiteMemoryLayer(path) as archive:
        archive.remember("a memory of long ago")
    return path


def calls_of(layer):
    """Every public method that asks the file for something, as a call with sound arguments."""
    return {
        "remember": lambda: layer.remember("another memory of the night"),
        "remember_many": lambda: layer.remember_many([{"content": "another memory of the day"}]),
        "remember_conversation": lambda: layer.remember_conversation(
            [{"role": "user", "content": "I prefer dark mode in every editor."}]
        ),
        "judge": lambda: layer.judge("another memory of the night"),
        "recall": lambda: layer.recall("worker"),
        "context": lambda: layer.context("worker"),
        "notes": lambda: layer.notes(),
        "history": lambda: layer.history(1),
        "withdraw": lambda: layer.withdraw(1),
        "tags": lambda: [layer.tags()],
        "rename_tag": lambda: layer.rename_tag("a", "b"),
        "summarize": lambda: [layer.summarize("s")],
        "compact": lambda: layer.compact(),
        "clear": lambda: layer.clear(),
        "recover": lambda: layer.recover(archive_of(layer)),
        "scrub": lambda: layer.scrub(),
        "recall_sql": lambda: layer.recall_sql("worker"),
        "touch": lambda: layer.touch(1),
        "get": lambda: layer.get(1),
        "update": lambda: layer.update(1, importance=7),
        "delete": lambda: layer.delete(2),
        "forget": lambda: layer.forget(),
        "sql": lambda: layer.sql("SELECT 1 AS one"),
        "stats": lambda: layer.stats(),
        "import_jsonl": lambda: layer.import_jsonl(io.BytesIO(b'{"content": "a line of a file"}')),
        "add_word": lambda: layer.add_word("夜航船"),
        "reindex": lambda: layer.reindex(),
        "check": lambda: layer.check(),
        "repair": lambda: layer.repair(),
    }


NEED_NO_FILE = {"close", "path", "agent_id", "user_id", "forget_sql"}
ONLY_READ = {
    "judge", "recall", "recall_sql", "get", "sql", "stats", "context", "notes", "history", "tags", "summarize", "compact"
}  # nothing to summarise here


def test_every_public_method_is_tried_against_a_locked_file(layer):
    public = {name for name in dir(SQLiteMemoryLayer) if not name.startswith("_")}
    assert calls_of(layer).keys() == public - NEED_NO_FILE


@pytest.mark.parametrize("name", calls_of(None))
def test_against_a_file_that_another_process_writes_reading_answers_and_writing_is_busy(name, path, make_layer, locked):
    make_layer().remember("please restart the worker")
    layer = make_layer(busy_timeout=0.05)
    release = locked(path)
    began = time.monotonic()
    if name in ONLY_READ:
        assert calls_of(layer)[name]()
    else:
        with pytest.raises(Busy, match="busy_timeout") if name != "scrub" else contextlib.nullcontext():
            assert not calls_of(layer)[name]().ok
    assert time.monotonic() - began < 2
    assert layer.get(1).access_count == 0
    release()
    calls_of(layer)[name]()
    assert index_is_sound(path)


def test_recall_does_not_wait_for_its_touch(path, make_layer, locked):
    layer = make_layer(busy_timeout=30)
    layer.remember("please restart the worker")
    locked(path)
    began = time.monotonic()
    assert ids(layer.recall("worker")) == ids(layer.recall()) == [1]
    assert time.monotonic() - began < 2


def test_a_writer_waits_for_another_process_and_then_succeeds(layer, locked):
    release = locked(layer.path)
    threading.Timer(0.4, release).start()
    began = time.monotonic()
    assert layer.remember("please restart the worker") == 1
    assert time.monotonic() - began >= 0.3


def test_a_busy_timeout_of_zero_raises_at_once(path, make_layer, locked):
    layer = make_layer(busy_timeout=0)
    locked(path)
    began = time.monotonic()
    with pytest.raises(Busy):
        layer.remember("please restart the worker")
    assert time.monotonic() - began < 1


def test_opening_a_file_that_another_process_writes_does_not_wait(layer, make_layer, locked):
    layer.remember("please restart the worker")
    shell(layer.path, "INSERT INTO memories (content) VALUES ('flagged, to be segmented')")
    locked(layer.path)
    began = time.monotonic()
    again = make_layer(busy_timeout=5)
    assert time.monotonic() - began < 2
    assert ids(again.recall("flagged", touch=False)) == [2]


def test_opening_a_file_of_another_pipeline_that_another_process_writes_does_not_wait_either(layer, make_layer, locked):
    layer.remember("please restart the worker")
    shell(layer.path, "UPDATE policy SET value = 0 WHERE name = 'pipeline_version'")
    locked(layer.path)
    began = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = make_layer(busy_timeout=5)
    assert time.monotonic() - began < 2
    assert ids(again.recall("worker", touch=False)) == [1]


def test_a_file_that_another_process_keeps_for_itself_is_busy_at_open(path, make_layer, locked):
    make_layer().close()
    locked(path, "everything")
    with pytest.raises(Busy):
        make_layer(busy_timeout=0.1)
    with pytest.raises(Busy):
        make_layer(busy_timeout=0.1, read_only=True)


def test_a_transaction_that_failed_leaves_no_lock_behind(layer):
    with pytest.raises(TypeError):
        layer.remember_many([{"content": "enough text here"}, {"content": 5}])
    with pytest.raises(SQLiteMemoryError):
        layer.update(99, importance=1)
    shell(layer.path, "INSERT INTO memories (content) VALUES ('by hand')")
    assert not layer._database._connection.in_transaction


# ------------------------------------------------------------------------------------------------ processes

MIXED = """
import random, sys
from sqlite_memory import SQLiteMemoryLayer
path, number = sys.argv[1], int(sys.argv[2])
chance = random.Random(number)
mine = []
touched = 0
with SQLiteMemoryLayer(path, busy_timeout=60) as memory:
    for step in range(200):
        what = chance.choice(("remember", "remember", "recall", "touch", "update", "get", "forget"))
        if what == "remember" or not mine:
            mine.append(memory.remember(f"process {number} step {step} of the walk", memory_type="episode"))
        elif what == "recall":
            assert memory.recall(f"process {number} walk", limit=3)
        elif what == "touch":
            touched += memory.touch(chance.choice(mine), 1)
        elif what == "update":
            memory.update(chance.choice(mine), importance=chance.randint(2, 10))
        elif what == "get":
            assert memory.get(chance.choice(mine)).content.startswith(f"process {number} ")
        else:
            assert memory.forget(max_age_days=1, min_importance=1) == []
print(len(set(mine)))
"""


def test_eight_processes_with_200_mixed_operations_each_lose_nothing(layer):
    layer.remember("the first memory of all")
    children = [start(MIXED, layer.path, number) for number in range(8)]
    stored = [int(finish(child)) for child in children]
    counted = rows(
        layer.path, "SELECT substr(content, 9, 1) AS n, count(*) AS c FROM memories WHERE id > 1 GROUP BY 1 ORDER BY 1"
    )
    assert [row["c"] for row in counted] == stored
    assert layer.check().ok
    assert index_is_sound(layer.path)


def test_eight_threads_with_200_mixed_operations_each_share_a_layer(layer):
    first = layer.remember("the first memory of all")
    failures, stored = [], []

    def work(number):
        try:
            mine = []
            for step in range(200):
                what = step % 5
                if what in (0, 1):
                    mine.append(layer.remember(f"thread {number} step {step} of the walk", memory_type="episode"))
                elif what == 2:
                    assert layer.recall(f"thread {number} walk", limit=3, touch=False)
                elif what == 3:
                    assert layer.touch(mine[-1], first) == 2
                else:
                    assert layer.update(mine[0], importance=2 + step % 8).content.startswith(f"thread {number} ")
            stored.extend(mine)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(set(stored)) == 8 * 80
    assert layer.stats().memories == 8 * 80 + 1
    assert layer.get(first).access_count == 8 * 40
    assert index_is_sound(layer.path)


def test_a_layer_closed_by_one_thread_while_another_uses_it_is_closed_and_nothing_worse(layer):
    layer.remember("please restart the worker")
    seen = []

    def work():
        try:
            while True:
                layer.recall("worker")
        except BaseException as error:
            seen.append(type(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    layer.close()
    for thread in threads:
        thread.join()
    assert seen == [Closed] * 3


def test_four_processes_that_open_one_new_file_at_once_all_get_it(path):
    script = """
        import sys
        from sqlite_memory import SQLiteMemoryLayer
        print("ready", flush=True)
        sys.stdin.readline()
        with SQLiteMemoryLayer(sys.argv[1], busy_timeout=30) as memory:
            print(memory.remember(f"newcomer number {sys.argv[2]}"))
    """
    for attempt in range(3):
        at = f"{path}{attempt}"
        children = [start(script, at, number) for number in range(4)]
        for child in children:
            assert child.stdout.readline() == "ready\n"
        for child in children:
            child.stdin.write("go\n")
            child.stdin.flush()
        assert sorted(int(finish(child)) for child in children) == [1, 2, 3, 4]
        assert index_is_sound(at)


def test_forty_touches_of_each_of_four_processes_are_160(layer):
    id = layer.remember("please restart the worker")
    script = """
        import sys
        from sqlite_memory import SQLiteMemoryLayer
        with SQLiteMemoryLayer(sys.argv[1], busy_timeout=60) as memory:
            for _ in range(40):
                assert memory.touch(1) == 1
    """
    for child in [start(script, layer.path) for _ in range(4)]:
        finish(child)
    assert layer.get(id).access_count == 160


def test_what_one_process_does_the_other_sees_at_once(layer):
    layer.remember("please restart the worker")
    script = """
        import sys
        from sqlite_memory import SQLiteMemoryLayer
        with SQLiteMemoryLayer(sys.argv[1]) as memory:
            memory.update(1, content="drain the queue")
            memory.remember("a memory of the child")
    """
    python(script, layer.path)
    assert layer.recall("worker") == []
    assert ids(layer.recall("queue")) == [1] and ids(layer.recall("child")) == [2]


# ------------------------------------------------------------------------------------------------ fork

FORK = """
import os, sys
from sqlite_memory import SQLiteMemoryLayer
memory = SQLiteMemoryLayer(sys.argv[1])
memory.remember("written before the fork")
pid = os.fork()
if pid == 0:
    code = 1
    try:
        assert [m.id for m in memory.recall("before the fork")] == [1]
        memory.remember("written by the child")
        if "close" in sys.argv:
            memory.close()
        code = 0
    finally:
        os._exit(code)
assert os.waitpid(pid, 0)[1] == 0
memory.remember("written by the parent")
print(sorted(m.content for m in memory.recall("written", touch=False)))
memory.close()
"""


@posix
@pytest.mark.parametrize("close", ["close", "leave"])
def test_a_forked_child_gets_its_own_connection_and_both_write(close, path):
    said = python(FORK, path, close)
    assert said == "['written before the fork', 'written by the child', 'written by the parent']\n"
    assert len(rows(path, "SELECT * FROM recall WHERE query MATCH 'written'")) == 3
    assert index_is_sound(path)


@posix
def test_a_child_whose_first_try_fails_never_falls_back_to_the_connection_of_its_parent(tmp_path):
    script = """
        import os, sys
        from sqlite_memory import SQLiteMemoryError, SQLiteMemoryLayer
        folder = sys.argv[1]
        os.mkdir(folder)
        memory = SQLiteMemoryLayer(os.path.join(folder, "memory.db"))
        memory.remember("written before the fork")
        inherited = memory._database._connection
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.rename(folder, folder + ".away")
                try:
                    memory.recall("written")
                except SQLiteMemoryError:
                    os.rename(folder + ".away", folder)
                    memory.remember("written by the child")
                    code = 2 if memory._database._connection is inherited else 0
            finally:
                os._exit(code)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        memory.close()
    """
    assert python(script, tmp_path / "folder") == "0\n"


@posix
def test_close_in_a_child_leaves_the_parents_locks_alone(path):
    script = """
        import os, subprocess, sys
        from sqlite_memory import SQLiteMemoryLayer
        memory = SQLiteMemoryLayer(sys.argv[1])
        with memory._database.writing() as connection:
            pid = os.fork()
            if pid == 0:
                memory.close()
                os._exit(0)
            os.waitpid(pid, 0)
            other = subprocess.run([sys.argv[2], sys.argv[1], "BEGIN IMMEDIATE"], capture_output=True, text=True)
            print("locked" in other.stderr)
        memory.close()
    """
    assert python(script, path, SHELL) == "True\n"


# ------------------------------------------------------------------------------------------------ read-only


def test_a_read_only_layer_answers_and_touches_nothing(layer, make_layer):
    layer.remember("please restart the worker")
    layer.close()
    before = content_of(layer.path)
    reader = make_layer(read_only=True)
    assert ids(reader.recall("worker")) == ids(reader.recall()) == [1]
    assert reader.get(1).access_count == 0 and reader.stats().memories == 1
    assert reader.sql("SELECT count(*) AS n FROM memories") == [{"n": 1}]
    assert reader.forget(dry_run=True) == []
    for name, call in calls_of(reader).items():
        if name not in ONLY_READ | {"check"}:
            with pytest.raises(ReadOnly):
                call()
                pytest.fail(name)
    reader.close()
    assert content_of(layer.path) == before


def test_a_read_only_layer_sees_what_others_write(layer, make_layer):
    reader = make_layer(read_only=True)
    assert reader.recall("worker") == []
    layer.remember("please restart the worker")
    assert ids(reader.recall("worker")) == [1]


def test_a_read_only_layer_answers_a_file_with_rows_of_plain_sql(layer, make_layer):
    shell(layer.path, "INSERT INTO memories (content) VALUES ('written by hand')")
    layer.close()
    assert ids(make_layer(read_only=True).recall("hand")) == [1]


READ_IN_FOLDER = """
    import sys
    from sqlite_memory import ReadOnly, SQLiteMemoryLayer
    with SQLiteMemoryLayer(sys.argv[1], read_only=True) as memory:
        print([m.id for m in memory.recall("worker")], memory.get(1).access_count)
        try:
            memory.remember("another memory of the night")
        except ReadOnly:
            print("read-only")
    try:
        SQLiteMemoryLayer(sys.argv[1])
    except ReadOnly as error:
        print("-wal" in str(error))
"""


def test_a_file_in_a_read_only_folder_is_read_without_touching(public_folder):
    path = public_folder / "memory.db"
    with SQLiteMemoryLayer(path) as layer:
        layer.remember("please restart the worker")
    path.chmod(0o444)
    public_folder.chmod(0o555)
    assert as_nobody(READ_IN_FOLDER, path).splitlines() == ["[1] 0", "read-only", "True"]


def test_rows_that_are_only_in_the_log_of_a_read_only_folder_are_not_silently_left_out(public_folder):
    path = public_folder / "memory.db"
    with SQLiteMemoryLayer(path) as layer:
        layer.remember("please restart the worker")
        away = public_folder / "copy"
        away.mkdir(mode=0o755)
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", away / f"memory.db{end}")
        assert os.path.getsize(away / "memory.db-wal") > 0
    for file in away.iterdir():
        file.chmod(0o444)
    away.chmod(0o555)
    script = """
        import sys
        from sqlite_memory import ReadOnly, SQLiteMemoryLayer
        try:
            with SQLiteMemoryLayer(sys.argv[1], read_only=True) as memory:
                print([m.id for m in memory.recall("worker")])
        except ReadOnly as error:
            print("-wal" in str(error))
    """
    assert as_nobody(script, away / "memory.db") in ("True\n", "[1]\n")


def test_sidecars_that_another_user_made_are_explained(public_folder):
    if not hasattr(os, "geteuid") or os.geteuid():
        pytest.skip("needs two users")
    public_folder.chmod(0o777)
    path = public_folder / "memory.db"
    with SQLiteMemoryLayer(path) as layer:
        layer.remember("please restart the worker")
        for file in public_folder.iterdir():
            file.chmod(0o666 if file.name == "memory.db" else 0o644)
        script = """
            import sys
            from sqlite_memory import ReadOnly, SQLiteMemoryLayer
            try:
                with SQLiteMemoryLayer(sys.argv[1]) as memory:
                    print([m.id for m in memory.recall("worker")])
                    memory.remember("another memory of the night")
            except ReadOnly as error:
                print("-wal" in str(error) and "-shm" in str(error))
        """
        assert as_nobody(script, path).splitlines()[-1] == "True"


# ------------------------------------------------------------------------------------------------ full, and growing


@pytest.fixture
def nearly_full(layer):
    """A layer with three memories whose file may grow by a few pages only."""
    layer.remember_many([{"content": f"please restart worker {number}"} for number in range(3)])
    with layer._database.reading() as connection:
        pages = connection.pragma("page_count")
        connection.pragma("max_page_count", pages + 3)
    return layer


def test_a_full_disk_is_an_error_of_its_own_and_nothing_is_half_written(nearly_full):
    text = " ".join(f"word{number}" for number in range(900))
    with pytest.raises(Full):
        for number in range(50):
            nearly_full.remember(f"{number} {text}")
    before = nearly_full.stats().memories
    with pytest.raises(Full):
        nearly_full.remember_many([{"content": f"{text} again {number}"} for number in range(50)])
    assert nearly_full.stats().memories == before
    assert not nearly_full._database._connection.in_transaction
    assert nearly_full.get(1) and nearly_full.recall("restart worker")
    assert nearly_full.delete(1) == 1
    assert index_is_sound(nearly_full.path)


def test_an_import_onto_a_full_disk_keeps_whole_batches_only(nearly_full):
    lines = b"".join(b'{"content": "line %d of the import %s"}\n' % (n, b"x" * 3_000) for n in range(100))
    with pytest.raises(Full):
        nearly_full.import_jsonl(io.BytesIO(lines))
    assert nearly_full.stats().memories == 3
    assert nearly_full.forget() == []
    assert index_is_sound(nearly_full.path)


def test_recall_on_a_full_disk_answers_and_skips_the_touch(nearly_full):
    with nearly_full._database.reading() as connection:
        connection.pragma("max_page_count", 1)
    assert len(nearly_full.recall("restart")) == 3


def test_the_log_is_cut_back_although_an_answer_is_half_read(layer):
    layer.remember_many({"content": f"worker number {number}"} for number in range(100))
    answer = iter(layer.recall("worker", limit=100))
    next(answer)
    text = "long text of the night " * 300
    for batch in range(25):
        layer.remember_many({"content": f"{batch} {number} {text}"} for number in range(20))
    assert os.path.getsize(layer.path + "-wal") < 6e6
    assert len(list(answer)) == 99


def test_every_connection_has_the_settings_that_the_file_needs(layer):
    with layer._database.reading() as connection:
        values = {name: connection.pragma(name) for name in ("busy_timeout", "journal_size_limit", "synchronous")}
    assert (
        values["busy_timeout"] == 5_000 and 0 < values["journal_size_limit"] <= 8_000_000 and values["synchronous"] >= 1
    )


def test_connections_of_the_host_program_keep_their_own_settings(tmp_path):
    connection = apsw.Connection(str(tmp_path / "host.db"))
    before = connection.pragma("busy_timeout"), connection.pragma("journal_mode")
    with SQLiteMemoryLayer(tmp_path / "memory.db"):
        other = apsw.Connection(str(tmp_path / "host2.db"))
        assert (other.pragma("busy_timeout"), other.pragma("journal_mode")) == before
        other.close()
    connection.close()


def test_a_file_system_that_cannot_keep_a_shared_log_gets_a_warning_and_still_works(tmp_path):
    script = """
        import sys, warnings
        import apsw
        from sqlite_memory import SQLiteMemoryLayer
        class Remote(apsw.VFS):
            def __init__(self):
                super().__init__("remote", "unix-dotfile", makedefault=True)
            def xOpen(self, name, flags):
                return apsw.VFSFile("unix-dotfile", name, flags)
        remote = Remote()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with SQLiteMemoryLayer(sys.argv[1]) as memory:
                memory.remember("please restart the worker")
                print([m.id for m in memory.recall("worker")])
        print([str(w.message) for w in caught if "journal mode" in str(w.message)] != [])
    """
    assert python(script, tmp_path / "memory.db").splitlines() == ["[1]", "True"]


def test_no_process_of_the_tests_uses_a_second_sqlite():
    assert "sqlite3" not in sys.modules and "_sqlite3" not in sys.modules
