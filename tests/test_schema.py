"""The schema on its own: in the sqlite3 shell, in libSQL, and between the shell and Python."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import warnings

import apsw
import pytest
from conftest import (
    COUNTS,
    SCHEMA,
    SHELL,
    TOTALS,
    ids,
    index_is_sound,
    python,
    rows,
    shell,
    shell_error,
)

from sqlite_memory import SQLiteMemoryLayer

NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
FORM = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    path = tmp_path_factory.mktemp("empty") / "memory.db"
    shell(path, f".read {SCHEMA}\n")
    return path


@pytest.fixture
def file(empty, path):
    """A file that the shell alone made."""
    shutil.copy(empty, path)
    return path


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    path = tmp_path_factory.mktemp("filled") / "memory.db"
    with SQLiteMemoryLayer(path) as layer:
        layer.remember("restart the worker")
        layer.remember("用户偏好深色模式", user_id="someone")
    shell(path, "INSERT INTO memories (content) VALUES ('written by hand')")
    return path


@pytest.fixture
def three(filled, path):
    """A file with two rows of Python's and one of plain SQL."""
    shutil.copy(filled, path)
    return path


def found(path, query):
    """Return the ids that the view `recall` finds, lowest first."""
    return [row["id"] for row in rows(path, f"SELECT id FROM recall WHERE query MATCH '{query}' ORDER BY id")]


def column(path, name, where="1"):
    """Return one column of the memories in the order of their ids."""
    return [row[name] for row in rows(path, f"SELECT {name} FROM memories WHERE {where} ORDER BY id")]


# ------------------------------------------------------------------------------------------------ where it loads


def test_the_schema_loads_in_the_shell_and_is_sound(file):
    assert index_is_sound(file)
    assert shell(file, "PRAGMA application_id; PRAGMA user_version") == [str(0x534D454D), "1"]


def test_the_schema_loads_in_apsw(path):
    connection = apsw.Connection(path)
    connection.execute(SCHEMA.read_text(encoding="utf-8"))
    connection.execute("INSERT INTO memories (content) VALUES ('restart the worker')")
    assert connection.execute("SELECT id FROM recall WHERE query MATCH 'worker'").fetchall() == [(1,)]
    connection.close()
    assert index_is_sound(path)


def test_the_schema_loads_and_works_in_libsql(path):
    script = """
        import sys
        try:
            import libsql
        except ImportError:
            print("no libsql")
            sys.exit()
        c = libsql.connect(sys.argv[1])
        with open(sys.argv[2], encoding="utf-8") as schema:
            c.executescript(schema.read())
        c.execute("INSERT INTO memories (content, key) VALUES ('restart the worker', 'k')")
        c.execute("INSERT INTO memories (content, key) VALUES ('leave the worker alone', 'k')")
        c.execute("UPDATE memories SET content = 'drain the queue' WHERE id = 1")
        c.execute("UPDATE memories SET access_count = access_count + 1")
        c.execute("INSERT INTO memories (content) VALUES ('a passing remark')")
        c.execute("DELETE FROM memories WHERE id = 3")
        c.commit()
        print(c.execute("SELECT id FROM recall WHERE query MATCH 'worker' ORDER BY score DESC").fetchall())
        print(c.execute("SELECT count(*) FROM strength WHERE strength BETWEEN 0 AND 1").fetchall())
        print(c.execute("SELECT count(*) FROM forgettable").fetchall())
    """
    said = python(script, path, SCHEMA)
    if said == "no libsql\n":
        pytest.skip("libsql is not installed")
    assert said.splitlines() == ["[(2,)]", "[(2,)]", "[(0,)]"]
    assert index_is_sound(path)


def test_a_file_made_by_the_shell_is_a_memory_file_for_python(file, make_layer):
    shell(file, "INSERT INTO memories (content) VALUES ('用户偏好深色模式'), ('restart the worker')")
    layer = make_layer(file)
    assert ids(layer.recall("深色模式")) == [1]
    third = layer.remember("deploy on Friday at six")
    assert ids(layer.recall("deploy")) == [third] == [3]
    assert layer.check().ok
    assert index_is_sound(file)


def test_a_file_made_by_python_is_a_memory_file_for_the_shell(layer):
    layer.remember("用户偏好深色模式")
    layer.remember("restart the worker")
    layer.close()
    assert found(layer.path, "模式") == [1]
    assert found(layer.path, "worker") == [2]
    shell(layer.path, "INSERT INTO memories (content) VALUES ('deploy on Friday')")
    assert found(layer.path, "deploy") == [3]
    assert index_is_sound(layer.path)


def test_python_and_the_shell_make_the_same_schema(file, make_layer, tmp_path):
    other = str(tmp_path / "python.db")
    make_layer(other).close()
    everything = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    assert rows(file, everything) == rows(other, everything)
    for table in ("policy", "memory_types"):
        assert rows(file, f"SELECT * FROM {table}") == rows(other, f"SELECT * FROM {table}")


def test_nothing_but_what_the_schema_names_is_in_the_file(layer):
    layer.remember("restart the worker")
    layer.close()
    named = set(
        re.findall(r"^CREATE (?:VIRTUAL )?(?:TABLE|INDEX|TRIGGER|VIEW) (\w+)", SCHEMA.read_text(), re.MULTILINE)
    )
    present = {row["name"] for row in rows(layer.path, "SELECT name FROM sqlite_schema WHERE sql IS NOT NULL")}
    own = {"sqlite_sequence", *(f"memories_fts_{part}" for part in ("data", "idx", "docsize", "config"))}
    assert present - own == named


# ------------------------------------------------------------------------------------------------ how it is written


def without_comments(sql):
    return re.sub(r"--[^\n]*", "", sql)


def test_the_schema_needs_no_math_and_no_application_function():
    sql = without_comments(SCHEMA.read_text(encoding="utf-8")).lower()
    assert not re.search(r"\b(pow|power|ln|log|log2|log10|exp|sqrt)\s*\(", sql)
    assert "secure-delete" not in sql and "contentless_delete" not in sql
    assert re.findall(r"tokenize = '([^']*)'", sql) == ["porter unicode61"]


def test_no_json_stands_in_a_check_an_index_or_a_generated_column(file):
    for row in rows(file, "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL"):
        assert "json" not in without_comments(row["sql"]).lower()


def test_every_table_is_strict_and_memories_has_no_unique_but_its_key(file):
    for row in rows(file, "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"):
        if not row["name"].startswith(("memories_fts", "sqlite_")):
            assert re.search(r"\)\s*STRICT(, WITHOUT ROWID)?$", row["sql"]), row["name"]
    assert rows(file, "SELECT name FROM pragma_index_list('memories') WHERE \"unique\"") == []
    assert "AUTOINCREMENT" in rows(file, "SELECT sql FROM sqlite_schema WHERE name = 'memories'")[0]["sql"]


@pytest.mark.parametrize("table", ["memories", "scopes", "dictionary", "memory_types", "policy"])
def test_every_column_has_a_comment(table):
    body = re.search(rf"^CREATE TABLE {table} \(\n(.*?)^\)", SCHEMA.read_text(), re.MULTILINE | re.DOTALL)
    columns = [line for line in body[1].splitlines() if re.match(r"  [a-z_]+ +(TEXT|REAL|INTEGER)", line)]
    assert columns
    assert [line for line in columns if "--" not in line] == []


@pytest.mark.parametrize("name", ["strength_at", "strength", "recall", "forgettable"])
def test_every_view_and_every_value_that_it_computes_has_a_comment(name):
    before, body = re.search(
        rf"((?:^--[^\n]*\n)*)^CREATE VIEW {name} AS\n(.*?);$", SCHEMA.read_text(), re.MULTILINE | re.DOTALL
    ).groups()
    assert before, "the view has no comment"
    listed = body[: body.index("\nFROM")].splitlines()[1:]
    computed = [line for line in listed if re.search(r" AS \w+,?( |$)|s\.\w+,?( |$)", line)]
    assert [line for line in computed if "--" not in line and "CASE" not in line] == []


# ------------------------------------------------------------------------------------------------ every way to write

WRITES = {
    "insert": "INSERT INTO memories (content, content_segmented, characters) VALUES ('深 mode', '深 mode', '深')",
    "insert raw": "INSERT INTO memories (content) VALUES ('plain words')",
    "insert with an id": "INSERT INTO memories (id, content) VALUES (77, 'plain words')",
    "insert or ignore a new id": "INSERT OR IGNORE INTO memories (id, content) VALUES (50, 'new words')",
    "insert or ignore an id that exists": "INSERT OR IGNORE INTO memories (id, content) VALUES (1, 'new words')",
    "upsert the content": "INSERT INTO memories (id, content) VALUES (1, 'new words') "
    "ON CONFLICT (id) DO UPDATE SET content = excluded.content",
    "upsert nothing": "INSERT INTO memories (id, content) VALUES (1, 'new words') ON CONFLICT DO NOTHING",
    "edit the content": "UPDATE memories SET content = 'new words' WHERE id = 1",
    "edit the content of a raw row": "UPDATE memories SET content = 'new words' WHERE id = 3",
    "edit all contents": "UPDATE memories SET content = 'new words ' || id",
    "edit both": "UPDATE memories SET content = 'new words', content_segmented = 'new words' WHERE id = 1",
    "edit both, the segmented text as it was": "UPDATE memories SET content = 'Restart the worker!', "
    "content_segmented = 'restart the worker' WHERE id = 1",
    "edit the segmented text": "UPDATE memories SET content_segmented = 'new words' WHERE id = 1",
    "edit the characters": "UPDATE memories SET characters = '新 字' WHERE id = 2",
    "set the segmented text to null": "UPDATE memories SET content_segmented = NULL WHERE id = 1",
    "set everything of the index to null": "UPDATE memories SET content_segmented = NULL, characters = NULL",
    "change an id": "UPDATE memories SET id = 90 WHERE id = 1",
    "change an id with the content": "UPDATE memories SET id = 90, content = 'new words' WHERE id = 1",
    "change all ids": "UPDATE memories SET id = id + 10",
    "change the scope": "UPDATE memories SET agent_id = 'other' WHERE id = 1",
    "change the scope of all": "UPDATE memories SET agent_id = 'other', user_id = 'someone'",
    "change the scope with the content": "UPDATE memories SET agent_id = 'other', content = 'new words' WHERE id = 1",
    "change everything at once": "UPDATE memories SET id = id + 5, agent_id = 'o', user_id = 'u', content = 'w', "
    "content_segmented = 'v', characters = 'c', key = 'k' WHERE id < 3",
    "touch": "UPDATE memories SET access_count = access_count + 1, last_accessed_at = datetime('now')",
    "change what is not indexed": "UPDATE memories SET importance = 7, pinned = 1, metadata = '[', key = 'k'",
    "update or ignore an id that exists": "UPDATE OR IGNORE memories SET id = 2 WHERE id = 1",
    "delete one": "DELETE FROM memories WHERE id = 2",
    "delete all": "DELETE FROM memories",
    "delete all and begin anew": "DELETE FROM memories; INSERT INTO memories (content) VALUES ('new words')",
    "delete in a transaction that is undone": "BEGIN; DELETE FROM memories; INSERT INTO memories (content) "
    "VALUES ('x'); ROLLBACK",
    "a savepoint that is undone": "BEGIN; SAVEPOINT s; UPDATE memories SET content = 'new'; ROLLBACK TO s; COMMIT",
    "a word of the dictionary comes and goes": "INSERT INTO dictionary VALUES ('深色'); DELETE FROM dictionary",
    "add a column of one's own": "ALTER TABLE memories ADD COLUMN mine TEXT; UPDATE memories SET mine = 'x'",
    "vacuum": "VACUUM",
    "the sweep": "DELETE FROM memories WHERE id IN (SELECT id FROM forgettable)",
}


@pytest.mark.parametrize("recursive", ["OFF", "ON"])
@pytest.mark.parametrize("write", WRITES)
def test_the_index_and_the_totals_stay_true_after(write, recursive, three):
    shell(three, f"PRAGMA recursive_triggers = {recursive}; {WRITES[write]};")
    assert index_is_sound(three)


def test_the_totals_are_those_of_the_rows(three):
    shell(three, "INSERT INTO memories (content, agent_id) VALUES ('one two three', 'a'), ('four five', 'a')")
    assert shell(three, COUNTS) == shell(three, TOTALS)
    assert {"agent_id": "a", "user_id": "default", "memories": 2, "words": 5} in rows(three, "SELECT * FROM scopes")
    shell(three, "DELETE FROM memories WHERE agent_id = 'a'")
    assert rows(three, "SELECT * FROM scopes WHERE agent_id = 'a'") == []


def test_a_row_of_plain_sql_is_found_at_once_by_its_raw_words(three):
    assert found(three, "written") == found(three, "hand") == [3]
    assert column(three, "needs_segment") == [0, 0, 1]


def test_a_row_of_plain_sql_is_found_by_its_chinese_words_after_the_next_open(three, make_layer):
    shell(three, "INSERT INTO memories (content) VALUES ('每周五部署窗口在晚上')")
    assert ids(make_layer(three).recall("部署窗口")) == [4]
    assert found(three, "窗口") == [4]
    assert index_is_sound(three)


def test_an_edit_by_plain_sql_leaves_no_old_word_searchable(three):
    shell(three, "UPDATE memories SET content = 'drain the queue' WHERE id = 1")
    assert found(three, "restart") == found(three, "worker") == []
    assert found(three, "queue") == [1]


def test_a_segmented_text_of_null_leaves_the_row_out_of_the_search_until_it_is_segmented_again(three, make_layer):
    shell(three, "UPDATE memories SET content_segmented = NULL WHERE id = 1")
    assert index_is_sound(three)
    layer = make_layer(three)
    layer.reindex()
    assert ids(layer.recall("restart")) == [1]


REPLACES = {
    "INSERT OR REPLACE": "INSERT OR REPLACE INTO memories (id, content) VALUES (1, 'new words')",
    "REPLACE": "REPLACE INTO memories (id, content, content_segmented) VALUES (1, 'new words', 'new words')",
    "UPDATE OR REPLACE of the id": "UPDATE OR REPLACE memories SET id = 1 WHERE id = 2",
    "UPDATE OR REPLACE with the content": "UPDATE OR REPLACE memories SET id = 1, content = 'new words' WHERE id = 2",
}


@pytest.mark.parametrize("replace", REPLACES)
def test_replace_of_an_id_that_exists_is_refused_and_says_what_to_do(replace, three):
    before = rows(three, "SELECT * FROM memories")
    message = shell_error(three, REPLACES[replace])
    assert "UPDATE or INSERT ... ON CONFLICT DO UPDATE, not REPLACE" in message
    assert rows(three, "SELECT * FROM memories") == before
    assert found(three, "restart") == [1] and found(three, "new") == []
    assert index_is_sound(three)


@pytest.mark.parametrize("replace", REPLACES)
def test_replace_with_recursive_triggers_replaces_the_row_and_its_words(replace, three):
    shell(three, f"PRAGMA recursive_triggers = ON; {REPLACES[replace]}")
    assert found(three, "restart") == []
    assert len(column(three, "id", "id = 1")) == 1
    assert index_is_sound(three)


def test_replace_of_a_new_id_is_an_insert(three):
    shell(three, "INSERT OR REPLACE INTO memories (id, content) VALUES (40, 'new words')")
    assert found(three, "new") == [40]
    assert index_is_sound(three)


def test_an_id_is_never_used_twice_also_after_a_vacuum(three):
    shell(three, "DELETE FROM memories WHERE id = 3; VACUUM; INSERT INTO memories (content) VALUES ('new words')")
    assert column(three, "id") == [1, 2, 4]
    assert found(three, "new") == [4]
    assert index_is_sound(three)


@pytest.mark.parametrize(
    "values",
    [
        "('')",
        "('   ')",
        "(NULL)",
        "('x', 'importance', -1)",
        "('x', 'importance', 10.5)",
        "('x', 'importance', NULL)",
        "('x', 'pinned', 2)",
        "('x', 'access_count', -1)",
        "('x', 'agent_id', NULL)",
        "('x', 'importance', 'high')",
        "('x', 'metadata', NULL)",
    ],
)
def test_the_schema_itself_refuses_impossible_rows(values, file):
    parts = re.match(r"\(('.*?'|NULL)(?:, '(\w+)', (.*))?\)", values)
    extra, value = (f", {parts[2]}", f", {parts[3]}") if parts[2] else ("", "")
    shell_error(file, f"INSERT INTO memories (content{extra}) VALUES ({parts[1]}{value})")
    assert rows(file, "SELECT * FROM memories") == []


# ------------------------------------------------------------------------------------------------ versions and times


@pytest.mark.parametrize(
    "edit",
    [
        "content = 'new words'",
        "metadata = '{\"a\":1}'",
        "importance = 7",
        "key = 'k'",
        "pinned = 1",
        "session_id = 's'",
        "memory_type = 'state'",
        "valid_to = '2020-01-01'",
        "expires_at = '2099-01-01'",
        "created_at = '2020-01-01'",
        "agent_id = 'a'",
        "user_id = 'u'",
        "content = 'w', importance = 1, pinned = 1",
    ],
)
def test_every_edit_by_sql_moves_the_version_by_one_and_updated_at(edit, three):
    shell(three, "UPDATE memories SET updated_at = '2020-01-01T00:00:00.000Z'")
    shell(three, f"UPDATE memories SET {edit} WHERE id = 1")
    assert column(three, "version", "id = 1") == [2]
    assert column(three, "updated_at", "id = 1")[0] > "2026"
    assert column(three, "version", "id > 1") == [1, 1]
    assert set(column(three, "updated_at", "id > 1")) == {"2020-01-01T00:00:00.000Z"}


@pytest.mark.parametrize(
    "no_edit",
    [
        "access_count = access_count + 1",
        f"last_accessed_at = {NOW}",
        "last_accessed_at = datetime('now')",
        "content = content, importance = importance, key = key",
        "content_segmented = 'x', characters = 'y'",
        "created_at = replace(replace(created_at, 'T', ' '), 'Z', '+00:00')",
    ],
)
def test_a_touch_and_a_change_of_form_move_neither_version_nor_updated_at(no_edit, three):
    shell(three, "UPDATE memories SET updated_at = '2020-01-01T00:00:00.000Z'")
    shell(three, f"UPDATE memories SET {no_edit}")
    assert column(three, "version") == [1, 1, 1]
    assert set(column(three, "updated_at")) == {"2020-01-01T00:00:00.000Z"}


def test_a_new_row_has_version_1_whoever_wrote_it_and_in_whatever_form(file):
    shell(
        file,
        "INSERT INTO memories (content) VALUES ('a'); INSERT INTO memories (content, created_at, key) "
        "VALUES ('b', '2020-01-01 10:00:00', 'k')",
    )
    assert column(file, "version") == [1, 1]


TIMES = {
    "'2026-11-29 21:42:10'": "2026-11-29T21:42:10.000Z",
    "'2026-11-30T05:42:10+08:00'": "2026-11-29T21:42:10.000Z",
    "'2026-11-29'": "2026-11-29T00:00:00.000Z",
    "'2026-11-29T21:42:10.123456Z'": "2026-11-29T21:42:10.123Z",
    "'2026-11-29T21:42:10.123Z'": "2026-11-29T21:42:10.123Z",
    "datetime('2026-11-29 21:42:10')": "2026-11-29T21:42:10.000Z",
}


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("name", ["created_at", "valid_from", "valid_to", "expires_at", "last_accessed_at"])
def test_times_that_sqlite_reads_become_the_one_form(name, time, file):
    shell(file, f"INSERT INTO memories (content, {name}) VALUES ('inserted', {time})")
    shell(file, f"INSERT INTO memories (content) VALUES ('updated'); UPDATE memories SET {name} = {time} WHERE id = 2")
    assert column(file, name) == [TIMES[time]] * 2
    assert index_is_sound(file)


def test_default_times_are_now_in_the_one_form(file):
    shell(file, "INSERT INTO memories (content) VALUES ('x'); UPDATE memories SET last_accessed_at = datetime('now')")
    (row,) = rows(file, "SELECT created_at, updated_at, valid_from, last_accessed_at FROM memories")
    assert all(re.fullmatch(FORM, value) for value in row.values())
    assert row["valid_from"] == row["created_at"]


def test_a_time_that_nobody_can_read_is_kept_and_makes_nothing_old(file):
    shell(
        file,
        "INSERT INTO memories (content, importance, created_at, expires_at, last_accessed_at) "
        "VALUES ('odd times', 0.5, 'once upon a time', 'never', 'long ago')",
    )
    (row,) = rows(file, "SELECT created_at, expires_at, last_accessed_at FROM memories")
    assert row == {"created_at": "once upon a time", "expires_at": "never", "last_accessed_at": "long ago"}
    assert rows(file, "SELECT days, recency FROM strength") == [{"days": 0.0, "recency": 1.0}]
    assert rows(file, "SELECT id FROM forgettable") == []
    assert found(file, "odd") == [1]
    with SQLiteMemoryLayer(file) as layer:
        assert ids(layer.recall("odd times")) == [1]
        assert layer.forget(max_age_days=1, min_importance=10, dry_run=True) == []


# ------------------------------------------------------------------------------------------------ one memory a key

DAY = "2026-0{0}-01T00:00:00.000Z"


def keyed(path, *months, key="'k'", **more):
    for month in months:
        names = ", ".join(["content", "created_at", "key", *more])
        values = ", ".join([f"'month {month}'", f"'{DAY.format(month)}'", key, *more.values()])
        shell(path, f"INSERT INTO memories ({names}) VALUES ({values})")


def ends(path):
    """Return the month in which each memory was closed, None where it is current."""
    return {
        row["content"][-1]: row["valid_to"] and int(row["valid_to"][5:7])
        for row in rows(path, "SELECT content, valid_to FROM memories ORDER BY id")
    }


def test_memories_without_a_key_close_nothing(file):
    keyed(file, 1, 2, key="NULL")
    assert ends(file) == {"1": None, "2": None}


def test_the_later_memory_of_a_key_closes_the_earlier_at_its_own_beginning(file):
    keyed(file, 1, 2, 3)
    assert ends(file) == {"1": 2, "2": 3, "3": None}


def test_a_memory_that_arrives_late_ends_where_its_successor_begins_and_leaves_that_as_it_is(file):
    keyed(file, 3, 2)
    assert ends(file) == {"3": None, "2": 3}
    assert column(file, "version", "id = 1") == [1]


@pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3, 4))))
def test_in_whatever_order_they_arrive_each_version_ends_where_the_next_begins(file, order):
    keyed(file, *order)
    assert ends(file) == {str(day): day + 1 for day in (1, 2, 3)} | {"4": None}


def test_a_version_that_begins_in_the_future_leaves_one_that_is_true_now(file):
    keyed(file, 1)
    keyed(file, 3, valid_from="'2099-01-01'")
    keyed(file, 2)
    assert column(file, "content", "valid_from < '2099' AND valid_to LIKE '2099%'") == ["month 2"]
    assert ends(file)["1"] == 2


def test_an_edit_that_sets_its_version_itself_is_dated_too(file):
    shell(file, "INSERT INTO memories (content, updated_at) VALUES ('x', '2020-01-01T00:00:00.000Z')")
    shell(file, "UPDATE memories SET content = 'y', version = version + 5")
    assert column(file, "version") == [6]
    assert column(file, "updated_at > '2026'") == [1]


def test_a_memory_older_than_all_arrives_closed(file):
    keyed(file, 3, 2, 1)
    assert ends(file) == {"3": None, "2": 3, "1": 2}


def test_a_memory_that_arrives_closed_closes_nothing(file):
    keyed(file, 1)
    keyed(file, 2, valid_to="'2026-05-01'")
    assert ends(file) == {"1": None, "2": 5}


def test_valid_from_decides_which_is_later_and_not_the_arrival_nor_created_at(file):
    keyed(file, 1, valid_from="'2026-06-01'")
    keyed(file, 2, valid_from="'2026-05-01'")
    assert ends(file) == {"1": None, "2": 6}


def test_of_two_that_begin_at_the_same_moment_the_last_to_arrive_is_current(file):
    keyed(file, 1)
    shell(file, f"INSERT INTO memories (content, created_at, key) VALUES ('x', '{DAY.format(1)}', 'k')")
    assert column(file, "content", "valid_to IS NULL") == ["x"]


def test_times_of_different_forms_are_compared_as_moments(file):
    shell(file, "INSERT INTO memories (content, created_at, key) VALUES ('later', '2026-01-01 10:00:00', 'k')")
    shell(file, "INSERT INTO memories (content, created_at, key) VALUES ('earlier', '2026-01-01T17:00:00+08:00', 'k')")
    assert column(file, "content", "valid_to IS NULL") == ["later"]
    assert column(file, "valid_to", "id = 2") == ["2026-01-01T10:00:00.000Z"]


@pytest.mark.parametrize(
    "change", ["agent_id = 'a'", "user_id = 'u'", "memory_type = 'state'", "key = 'other'", "key = 'K'"]
)
def test_scope_type_and_key_must_all_be_the_same_to_close(change, file):
    name, value = change.split(" = ")
    if name == "key":
        keyed(file, 1)
        keyed(file, 2, key=value)
    else:
        keyed(file, 1)
        keyed(file, 2, **{name: value})
    assert ends(file) == {"1": None, "2": None}


@pytest.mark.parametrize("change", ["key = 'k'", "memory_type = 'fact'", "agent_id = 'default'", "user_id = 'default'"])
def test_a_memory_that_gets_the_key_by_an_update_closes_the_earlier_one(change, file):
    name = change.split(" = ")[0]
    keyed(file, 1)
    if name == "key":
        keyed(file, 2, key="NULL")
    else:
        keyed(file, 2, **{name: "'other'"})
    assert ends(file) == {"1": None, "2": None}
    shell(file, f"UPDATE memories SET {change} WHERE id = 2")
    assert ends(file) == {"1": 2, "2": None}
    assert index_is_sound(file)


def test_a_memory_whose_key_is_taken_away_stays_as_it_is(file):
    keyed(file, 1, 2)
    shell(file, "UPDATE memories SET key = NULL")
    assert ends(file) == {"1": 2, "2": None}


def test_closing_a_memory_is_an_edit_of_it_and_not_of_the_one_that_closes(file):
    keyed(file, 1, 2)
    assert column(file, "version") == [2, 1]


def test_superseding_works_the_same_through_python(layer):
    first = layer.remember("the capital is Bonn", key="capital", created_at="2026-01-01")
    last = layer.remember("the capital is Berlin", key="capital", created_at="2026-03-01")
    late = layer.remember("the capital is Weimar", key="capital", created_at="2026-02-01")
    assert [layer.get(id).valid_to for id in (first, last, late)] == [
        "2026-02-01T00:00:00.000Z",
        None,
        "2026-03-01T00:00:00.000Z",
    ]
    assert ids(layer.recall("capital")) == [last]
    assert ids(layer.recall("capital", as_of="2026-02-15")) == [late]
    assert set(ids(layer.recall("capital", include_superseded=True))) == {first, last, late}


# ------------------------------------------------------------------------------------------------ the views


def test_the_views_answer_on_an_empty_file(file):
    for view in ("strength", "recall", "forgettable"):
        assert rows(file, f"SELECT * FROM {view}") == []
    assert rows(file, "SELECT * FROM recall WHERE query MATCH 'x'") == []


def test_strength_is_one_half_of_its_start_at_the_half_life(file):
    shell(
        file,
        "INSERT INTO memories (content, importance, created_at) VALUES ('x', 5, strftime('%Y-%m-%dT%H:%M:%fZ', "
        "julianday('now') - 90)), ('y', 5, 'now')",
    )
    old, new = rows(file, "SELECT strength, recency, half_life, days FROM strength ORDER BY id")
    assert (
        old["recency"] == pytest.approx(0.5, abs=1e-5) and old["half_life"] == 90 and old["days"] == pytest.approx(90)
    )
    assert old["strength"] == pytest.approx(new["strength"] / 2, abs=1e-5)


def test_strength_lies_between_0_and_1_for_extreme_rows_and_future_times_have_age_0(file):
    shell(
        file,
        "INSERT INTO memories (content, importance, access_count, created_at) VALUES ('a', 0, 0, '0001-01-01'), "
        "('b', 10, 9000000000000000000, '9999-12-31'), ('c', 10, 0, '-4713-11-24')",
    )
    values = rows(file, "SELECT strength, days FROM strength ORDER BY id")
    assert all(0 <= row["strength"] <= 1 for row in values)
    assert values[1]["days"] == 0 and values[1]["strength"] > 0.99


def test_more_accesses_make_a_memory_stronger_without_a_jump(file):
    shell(file, "INSERT INTO memories (content, access_count) SELECT 'x', value FROM generate_series(0, 20)")
    values = [row["strength"] for row in rows(file, "SELECT strength FROM strength ORDER BY id")]
    assert all(0 < after - before < 0.11 for before, after in zip(values, values[1:], strict=False))


def test_strength_at_now_is_strength(three):
    one, other = rows(
        three,
        "SELECT sum(strength) AS s FROM strength UNION ALL SELECT sum(strength) FROM strength_at "
        f"WHERE moment = json_array({NOW})",
    )
    assert one["s"] == pytest.approx(other["s"], abs=1e-6)


def test_strength_at_a_moment_counts_from_the_accesses_that_the_moment_knows(file):
    shell(file, "INSERT INTO memories (content, created_at, last_accessed_at) VALUES ('x', '2026-01-01', '2026-03-01')")
    days = [
        rows(file, f"SELECT days FROM strength_at WHERE moment = json_array('{moment}T00:00:00.000Z')")[0]["days"]
        for moment in ("2025-01-01", "2026-01-11", "2026-03-11")
    ]
    assert days == [0, 10, 10]


def test_a_change_of_policy_is_followed_by_the_views_at_once(file):
    shell(file, "INSERT INTO memories (content, importance, created_at) VALUES ('x', 3, datetime('now', '-50 days'))")
    assert rows(file, "SELECT * FROM forgettable") == []
    shell(file, "UPDATE policy SET value = 49 WHERE name = 'forget_max_age_days'")
    assert rows(file, "SELECT id, reason FROM forgettable") == [{"id": 1, "reason": "faded"}]
    shell(file, "UPDATE policy SET value = 2 WHERE name = 'forget_min_importance'")
    assert rows(file, "SELECT * FROM forgettable") == []


def test_forgettable_says_why_and_leaves_out_the_pinned(file):
    shell(
        file,
        "INSERT INTO memories (content, importance, created_at, expires_at, pinned) VALUES "
        "('faded', 1, '2020-01-01', NULL, 0), ('pinned', 1, '2020-01-01', '2020-02-01', 1), "
        "('expired', 10, 'now', '2020-01-01', 0), ('fine', 1, 'now', '2099-01-01', 0), "
        "('vital', 9, '2020-01-01', NULL, 0)",
    )
    assert rows(file, "SELECT content, reason FROM forgettable ORDER BY id") == [
        {"content": "faded", "reason": "faded"},
        {"content": "expired", "reason": "expired"},
    ]
    shell(file, "DELETE FROM memories WHERE id IN (SELECT id FROM forgettable)")
    assert column(file, "content") == ["pinned", "fine", "vital"]
    assert index_is_sound(file)


def test_the_view_recall_leaves_out_what_is_no_longer_true(file):
    shell(
        file,
        "INSERT INTO memories (content, valid_to, expires_at) VALUES ('worker one', NULL, NULL), "
        "('worker two', '2020-01-01', NULL), ('worker three', NULL, '2020-01-01'), ('worker four', NULL, 'some day')",
    )
    assert found(file, "worker") == [1, 4]


def test_the_view_recall_scores_with_the_formula_of_the_design(three):
    shell(three, "INSERT INTO memories (content) VALUES ('worker of the night')")
    values = rows(three, "SELECT relevance, strength, score FROM recall WHERE query MATCH 'worker OR restart'")
    (policy,) = rows(three, "SELECT value AS w FROM policy WHERE name = 'strength_weight'")
    assert 0 < policy["w"] <= 0.3
    assert len(values) == 2
    for row in values:
        assert row["relevance"] > 0
        assert row["score"] == pytest.approx(row["relevance"] * (1 - policy["w"] * (1 - row["strength"])), rel=1e-9)


# ------------------------------------------------------------------------------------------------ other programs


def test_a_dump_of_the_shell_restores_is_adopted_and_recalls_the_same(layer, make_layer, tmp_path):
    for content in ("用户偏好深色模式", "restart the worker", "deploy on Friday at six", "worker of the night"):
        layer.remember(content, created_at="2026-01-01", key="k" if "Friday" in content else None)
    layer.add_word("夜航船")
    answers = [
        [(m.id, m.content) for m in layer.recall(query, touch=False, as_of="2026-02-01")]
        for query in ("深色", "worker", "deploy", None)
    ]
    scores = [m.score for m in layer.recall("worker", touch=False, as_of="2026-02-01")]
    layer.close()
    other = str(tmp_path / "restored.db")
    dump = subprocess.run([SHELL, layer.path, ".dump"], capture_output=True, check=True).stdout
    done = subprocess.run([SHELL, "-bail", other], input=dump, capture_output=True)
    assert done.returncode == 0 and not done.stderr
    assert index_is_sound(other)
    restored = make_layer(other)
    assert answers == [
        [(m.id, m.content) for m in restored.recall(query, touch=False, as_of="2026-02-01")]
        for query in ("深色", "worker", "deploy", None)
    ]
    assert scores == pytest.approx(
        [m.score for m in restored.recall("worker", touch=False, as_of="2026-02-01")], rel=1e-9
    )
    assert restored.remember("a new memory after the restore") == 5
    assert restored.check().ok
    restored.close()
    assert shell(other, "PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode") == [
        str(0x534D454D),
        "1",
        "wal",
    ]


def test_a_reader_that_trusts_no_schema_can_select_the_memories(three):
    assert shell(three, "PRAGMA trusted_schema = OFF; SELECT id, content, scope, words FROM memories ORDER BY id") == [
        "1|restart the worker|64656661756C74x64656661756C74|3",
        rows(three, "SELECT '2|' || content || '|' || scope || '|' || words AS line FROM memories WHERE id = 2")[0][
            "line"
        ],
        "3|written by hand|64656661756C74x64656661756C74|3",
    ]


def test_the_standard_librarys_sqlite3_reads_and_writes_the_file(three):
    script = """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        with c:
            c.execute("INSERT INTO memories (content) VALUES ('from the standard library')")
            c.execute("UPDATE memories SET importance = 9 WHERE id = 1")
            c.execute("DELETE FROM memories WHERE id = 3")
        print([row[0] for row in c.execute("SELECT id FROM recall WHERE query MATCH 'library OR worker' ORDER BY id")])
        c.close()
    """
    assert python(script, three) == "[1, 4]\n"
    assert index_is_sound(three)


def test_the_shell_can_do_all_of_it_on_a_file_with_rows_of_python(three, make_layer):
    shell(three, "INSERT INTO memories (content, importance, created_at) VALUES ('部署窗口在周五', 1, '2020-01-01')")
    assert index_is_sound(three)
    shell(three, "UPDATE memories SET content = 'stop the worker' WHERE id = 1")
    assert index_is_sound(three) and found(three, "restart") == []
    shell_error(three, REPLACES["REPLACE"])
    assert index_is_sound(three)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ids(make_layer(three).recall("窗口", touch=False)) == [4]
    shell(three, "DELETE FROM memories WHERE id IN (SELECT id FROM forgettable)")
    assert column(three, "id") == [1, 2, 3] and index_is_sound(three)
    shell(three, "DELETE FROM memories")
    assert index_is_sound(three) and rows(three, "SELECT * FROM scopes") == []
