"""The command: what each subcommand prints and returns, and on what terminals it works."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT, SHELL, command, days_ago, environment, index_is_sound, rows, shell

from sqlite_memory import SQLiteMemoryLayer, __version__

COMMANDS = [
    "remember",
    "recall",
    "list",
    "get",
    "delete",
    "forget",
    "stats",
    "sql",
    "check",
    "repair",
    "reindex",
    "import",
    "demo",
]


def run(path, *arguments, code=0, stdin=None):
    """Run a command on a file and return what it prints; the exit code must be `code`."""
    done = command("--db", path, *arguments, stdin=stdin)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert bool(done.stderr) == (code != 0)
    return done.stdout


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "memory.db"
    with SQLiteMemoryLayer(path) as layer:
        layer.remember("用户偏好深色模式", memory_type="preference", tags=["ui"])
        layer.remember("restart the worker on Friday", session_id="s", key="k")
        layer.remember("of long ago and little use", created_at=days_ago(100), importance=2.5)
        layer.remember("the worker of someone else", agent_id="b", created_at=days_ago(100), importance=2.5)
    return path


@pytest.fixture
def file(original, path):
    """A file with three memories of the default scope and an old one of agent b."""
    with open(original, "rb") as source, open(path, "wb") as target:
        target.write(source.read())
    return path


# ------------------------------------------------------------------------------------------------ each command


def test_remember_makes_the_file_and_says_the_id(path):
    assert "1" in run(path, "remember", "please restart the worker")
    assert json.loads(
        run(
            path,
            "--json",
            "remember",
            "drain the queue at night",
            "--type",
            "state",
            "--key",
            "k",
            "--session",
            "s",
            "--tag",
            "a",
            "--tag",
            "b",
            "--metadata",
            '{"n": 1}',
            "--importance",
            "7",
            "--created-at",
            "2026-01-01",
            "--expires-at",
            "2099-01-01",
            "--pinned",
        )
    ) == {"id": 2}
    (row,) = rows(path, "SELECT * FROM memories WHERE id = 2")
    assert (row["memory_type"], row["key"], row["session_id"], row["importance"], row["pinned"]) == (
        "state",
        "k",
        "s",
        7.0,
        1,
    )
    assert json.loads(row["metadata"]) == {"n": 1, "tags": ["a", "b"]}
    assert (row["created_at"][:10], row["expires_at"][:10]) == ("2026-01-01", "2099-01-01")


def test_remember_reads_the_text_from_standard_input(path):
    run(path, "remember", "-", stdin="来自管道的一条\n第二行\n")
    assert rows(path, "SELECT content FROM memories") == [{"content": "来自管道的一条\n第二行"}]


def test_remember_of_what_carries_nothing_fails_and_says_so(path):
    assert run(path, "remember", "好的", code=1) == ""
    refused = json.loads(command("--db", path, "remember", "my password is hunter2-Xk9", "--json").stdout)
    assert refused["id"] is None and refused["reason"].startswith("sensitive: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--importance", "11"],
        ["--importance", "nan"],
        ["--metadata", "{bad"],
        ["--metadata", "[1]"],
        ["--created-at", "soon"],
        ["--metadata", '{"a": NaN}'],
        ["--importance", "high"],
        ["--no-such-option"],
    ],
    ids=" ".join,
)
def test_a_wrong_value_is_wrong_usage_and_makes_no_memory(arguments, path):
    done = command("--db", path, "remember", "please restart the worker", *arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr and done.stdout == ""
    assert not os.path.exists(path) or rows(path, "SELECT * FROM memories") == []


def test_recall_prints_what_it_finds_best_first_and_counts_the_access(file):
    assert "用户偏好深色模式" in run(file, "recall", "深色模式")
    found = json.loads(run(file, "recall", "worker restart", "--json"))
    assert [(memory["id"], memory["content"]) for memory in found] == [(2, "restart the worker on Friday")]
    assert found[0]["score"] > 0 and found[0]["relevance"] > 0 and 0 < found[0]["strength"] <= 1
    assert (
        json.loads(run(file, "recall", "nothing of it", "--json")) == [] and run(file, "recall", "nothing of it") == ""
    )
    assert rows(file, "SELECT access_count FROM memories WHERE id = 2") == [{"access_count": 1}]
    run(file, "recall", "worker", "--no-touch")
    assert rows(file, "SELECT access_count FROM memories WHERE id = 2") == [{"access_count": 1}]


@pytest.mark.parametrize(
    "filters, expected",
    [
        (["--type", "preference"], [1]),
        (["--session", "s"], [2]),
        (["--key", "k"], [2]),
        (["--tag", "ui"], [1]),
        (["--min-importance", "6"], [1]),
        (["--limit", "1"], [1]),
        (["--until", "2020-01-01"], []),
        (["--as-of", "2020-01-01"], []),
        (["--type", "preference", "--type", "fact", "--limit", "2"], [1, 2]),
        (["--agent", "b"], [4]),
        (["--user", "x"], []),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_list_obeys_its_filters_and_counts_no_access(filters, expected, file):
    assert [memory["id"] for memory in json.loads(run(file, "list", "--json", *filters))] == expected
    assert rows(file, "SELECT sum(access_count) AS n FROM memories") == [{"n": 0}]


@pytest.mark.parametrize(
    "arguments",
    [["--limit", "0"], ["--limit", "-1"], ["--limit", "x"], ["--since", "soon"], ["--min-importance", "99"]],
    ids=" ".join,
)
def test_a_wrong_filter_is_wrong_usage(arguments, file):
    for name in (["list"], ["recall", "worker"]):
        assert run(file, *name, *arguments, code=2) == ""
    assert rows(file, "SELECT sum(access_count) AS n FROM memories") == [{"n": 0}]


def test_get_shows_all_fields_of_one_memory(file):
    shown = run(file, "get", "1")
    assert "用户偏好深色模式" in shown and "preference" in shown and "created_at" in shown
    memory = json.loads(run(file, "get", "1", "--json"))
    assert memory["id"] == 1 and memory["metadata"] == {"tags": ["ui"]}
    assert run(file, "get", "99", code=1) == run(file, "get", "4", code=1) == run(file, "get", "x", code=2) == ""


def test_delete_says_how_many_and_fails_when_some_were_not_there(file):
    assert json.loads(run(file, "--json", "delete", "1", "2")) == {"deleted": 2}
    done = command("--db", file, "delete", "3", "4")
    assert done.returncode == 1
    assert [row["id"] for row in rows(file, "SELECT id FROM memories")] == [4]
    assert index_is_sound(file)


def test_forget_sweeps_every_scope_unless_one_is_named(file):
    assert json.loads(run(file, "forget", "--dry-run", "--json")) == {"forgotten": [3, 4], "dry_run": True}
    assert json.loads(run(file, "forget", "--dry-run", "--json", "--agent", "default"))["forgotten"] == [3]
    assert json.loads(run(file, "forget", "--dry-run", "--json", "--max-age-days", "200"))["forgotten"] == []
    assert json.loads(run(file, "forget", "--dry-run", "--json", "--session", "s"))["forgotten"] == []
    assert json.loads(run(file, "forget", "--json", "--agent", "b"))["forgotten"] == [4]
    assert "1" in run(file, "forget")
    assert [row["id"] for row in rows(file, "SELECT id FROM memories ORDER BY id")] == [1, 2]


@pytest.mark.parametrize(
    "limit", [["--max-age-days", "0"], ["--max-age-days", "-1"], ["--min-importance", "nan"]], ids=" ".join
)
def test_forget_with_an_impossible_limit_is_wrong_usage_and_deletes_nothing(limit, file):
    run(file, "forget", *limit, code=2)
    assert len(rows(file, "SELECT id FROM memories")) == 4


def test_stats_tell_what_the_scope_holds(file):
    stats = json.loads(run(file, "stats", "--json"))
    assert (stats["memories"], stats["forgettable"], stats["by_type"]) == (3, 1, {"fact": 2, "preference": 1})
    assert "memories" in run(file, "stats")


def test_sql_runs_one_reading_statement(file):
    assert json.loads(run(file, "--json", "sql", "SELECT id, content FROM memories WHERE id = ?", "1")) == [
        {"id": 1, "content": "用户偏好深色模式"}
    ]
    assert run(file, "sql", "SELECT 1 AS a, NULL AS b, x'00ff' AS c").splitlines() == ["a\tb\tc", "1\t\t00ff"]
    assert run(file, "sql", "DELETE FROM memories", code=1) == ""
    assert run(file, "sql", "SELEC", code=1) == ""
    assert json.loads(run(file, "--json", "sql", "SELECT 1 WHERE 0")) == []


def test_sql_searches_through_the_view(file):
    assert json.loads(run(file, "--json", "sql", "SELECT id FROM recall WHERE query MATCH 'restart'")) == [{"id": 2}]


def test_check_repair_and_reindex_report(file):
    assert json.loads(run(file, "--json", "check"))["ok"] is True
    shell(file, "UPDATE scopes SET words = 0")
    done = command("--db", file, "check")
    assert done.returncode == 1 and "totals" in done.stdout and "not sound" in done.stdout
    assert "sound" in run(file, "repair")
    assert json.loads(run(file, "reindex", "--json")) == {"segmented": 4}
    assert run(file, "check").splitlines()[-1] == "sound"
    assert index_is_sound(file)


def test_import_reads_a_file_or_standard_input_and_names_bad_lines(path, tmp_path):
    (tmp_path / "in.jsonl").write_bytes(
        '{"id": "a", "content": "火锅不要香菜"}\n{"content": "ok", "agent_id": "b"}\n'.encode()
    )
    assert json.loads(run(path, "import", str(tmp_path / "in.jsonl"), "--json")) == {"stored": 2, "present": 0}
    assert json.loads(run(path, "import", str(tmp_path / "in.jsonl"), "--json")) == {"stored": 0, "present": 2}
    assert json.loads(run(path, "--json", "import", "-", stdin='{"content": "三号"}\n')) == {"stored": 1, "present": 0}
    done = command("--db", path, "import", "-", stdin='{"content": "x"}\n\n{bad\n')
    assert done.returncode == 1 and "line 3" in done.stderr and "Traceback" not in done.stderr
    assert len(rows(path, "SELECT id FROM memories")) == 3
    assert run(path, "recall", "香菜")


def test_import_of_a_missing_file_fails_and_makes_no_database(path, tmp_path):
    assert run(path, "import", str(tmp_path / "missing.jsonl"), code=1) == ""
    assert not os.path.exists(path)


def test_demo_walks_through_and_its_file_is_sound(path):
    said = run(path, "demo", "--keep")
    for word in ("Remember", "Recall", "Forget", "Strength", "PostgreSQL 17", "SELECT", "dry_run"):
        assert word in said
    assert path in said and "\x1b" not in said
    assert run(path, "check").splitlines()[-1] == "sound"
    assert index_is_sound(path)
    listed = re.search(r'sqlite3 \S+ "(SELECT [^"]+)"', said)
    assert shell(path, listed[1])


def test_demo_without_arguments_leaves_the_usual_file_alone(tmp_path):
    done = command(
        "demo",
        cwd=tmp_path,
        env=environment(TMPDIR=str(tmp_path / "tmp") if (tmp_path / "tmp").mkdir() is None else ""),
    )
    assert done.returncode == 0 and not done.stderr and len(done.stdout.splitlines()) > 20
    assert os.listdir(tmp_path) == ["tmp"]


def test_demo_never_writes_into_a_file_that_is_there(path):
    run(path, "demo", "--keep")
    before = rows(path, "SELECT id, content FROM memories")
    assert len(before) == 15
    run(path, "demo", "--keep", code=1)
    assert rows(path, "SELECT id, content FROM memories") == before
    assert index_is_sound(path)


# ------------------------------------------------------------------------------------------------ usage


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name):
    done = command(name, "--help")
    assert done.returncode == 0 and not done.stderr
    assert len(done.stdout.splitlines()[0]) > 10 and "--db" in done.stdout and "--json" in done.stdout


def test_the_help_lists_every_command_with_a_sentence():
    done = command("--help")
    assert done.returncode == 0
    for name in COMMANDS:
        assert re.search(rf"^\s+{name}\s+\w+", done.stdout, re.MULTILINE), name


def test_version_names_the_package_apsw_and_sqlite():
    done = command("--version")
    assert done.returncode == 0 and re.search(rf"{re.escape(__version__)}.*apsw [\d.]+.*SQLite 3\.[\d.]+", done.stdout)


@pytest.mark.parametrize(
    "arguments", [[], ["no-such-command"], ["recall"], ["get"], ["delete"], ["forget", "x"], ["--db"]], ids=str
)
def test_wrong_usage_is_exit_code_2(arguments, tmp_path):
    done = command(*arguments, cwd=tmp_path)
    assert done.returncode == 2 and "usage" in done.stderr and done.stdout == ""
    assert os.listdir(tmp_path) == []


def test_global_options_stand_before_or_after_the_command(file):
    for arguments in (
        ["--db", file, "--agent", "b", "--user", "default", "--json", "list"],
        ["list", "--db", file, "--agent", "b", "--user", "default", "--json"],
        ["--json", "--agent", "b", "list", "--db", file],
    ):
        done = command(*arguments)
        assert done.returncode == 0 and [memory["id"] for memory in json.loads(done.stdout)] == [4]


def test_the_file_comes_from_the_option_then_the_environment_then_the_usual_name(tmp_path):
    env = environment(SQLITE_MEMORY_DB=str(tmp_path / "env.db"))
    command("--db", tmp_path / "option.db", "remember", "please restart the worker", env=env)
    command("remember", "please restart the worker", env=env)
    command("remember", "please restart the worker", cwd=tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["agent_memory.db", "env.db", "option.db"]


MAINTENANCE = [
    ["recall", "x"],
    ["list"],
    ["get", "1"],
    ["delete", "1"],
    ["forget"],
    ["forget", "--sql"],
    ["stats"],
    ["sql", "SELECT 1"],
    ["check"],
    ["repair"],
    ["reindex"],
    ["recall", "x", "--sql"],
]


@pytest.mark.parametrize("arguments", MAINTENANCE, ids=" ".join)
def test_only_what_stores_makes_a_file(arguments, path, tmp_path):
    done = command("--db", path, *arguments)
    assert done.returncode == 1 and "no such file" in done.stderr and path in done.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "arguments", [*MAINTENANCE, ["remember", "please restart the worker"], ["import", "-"]], ids=" ".join
)
def test_the_file_of_another_program_is_refused_by_every_command_and_left_alone(arguments, path):
    with open(path, "w") as file:
        file.write("dear diary " * 500)
    done = command("--db", path, *arguments, stdin="")
    assert done.returncode == 1 and "Traceback" not in done.stderr and path in done.stderr
    with open(path) as file:
        assert file.read() == "dear diary " * 500


def test_a_busy_file_is_exit_code_1_with_a_sentence(file, locked):
    locked(file, "everything")
    done = command("--db", file, "list")
    assert done.returncode == 1 and "lock" in done.stderr and "Traceback" not in done.stderr


# ------------------------------------------------------------------------------------------------ --sql


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", "worker restart"],
        ["recall", "深色模式 偏好"],
        ["recall", 'it\'s 100% "odd"; DROP'],
        ["list"],
        ["recall", "worker", "--agent", "b"],
        ["list", "--tag", "ui", "--since", "2020-01-01"],
        ["recall", "worker\n.quit"],
    ],
    ids=lambda arguments: " ".join(arguments)[:30].replace("\n", " "),
)
def test_the_printed_statement_gives_the_same_ids_and_scores_in_the_shell(arguments, file):
    moment = ["--as-of", "2027-01-01T00:00:00Z"]
    statement = run(file, *arguments, *moment, "--sql")
    with_touch = ["--no-touch"] if arguments[0] == "recall" else []
    expected = json.loads(run(file, *arguments, *moment, *with_touch, "--json"))
    done = subprocess.run([SHELL, "-json", file], input=statement, capture_output=True, encoding="utf-8", timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout or "[]")
    assert [row["id"] for row in found] == [memory["id"] for memory in expected]
    assert [row["score"] for row in found] == pytest.approx([memory["score"] for memory in expected], rel=1e-9)
    assert bool(found) == ("odd" not in arguments[1] if len(arguments) > 1 else True)


def test_the_printed_statement_of_forget_selects_the_same_ids(file):
    statement = run(file, "forget", "--sql")
    done = subprocess.run([SHELL, file], input=statement, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr, done.stdout.split()) == (0, "", ["3", "4"])
    assert len(rows(file, "SELECT id FROM memories")) == 4


# ------------------------------------------------------------------------------------------------ terminals and pipes


def test_chinese_goes_in_and_out_where_the_locale_knows_ascii_only(path, tmp_path):
    env = {
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
        "PYTHONPATH": str(ROOT),
        "HOME": os.environ.get("HOME", "/"),
    }
    (tmp_path / "in.jsonl").write_bytes('{"content": "火锅不要香菜"}\n'.encode())

    def plain(*arguments, stdin=None):
        done = subprocess.run(
            [sys.executable, "-m", "sqlite_memory", "--db", path, *map(str.encode, arguments)],
            input=stdin,
            capture_output=True,
            env=env,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode("utf-8")

    plain("remember", "用户偏好深色模式")
    plain("remember", "-", stdin="周五晚上部署".encode())
    plain("import", str(tmp_path / "in.jsonl"))
    assert [row["content"] for row in rows(path, "SELECT content FROM memories")] == [
        "用户偏好深色模式",
        "周五晚上部署",
        "火锅不要香菜",
    ]
    assert "用户偏好深色模式" in plain("recall", "深色模式")
    assert json.loads(plain("recall", "部署", "--json"))[0]["content"] == "周五晚上部署"
    assert "火锅" in plain("get", "3") and "火锅" in plain("recall", "火锅", "--sql")


def test_a_reader_that_goes_away_is_no_error(path):
    with SQLiteMemoryLayer(path) as layer:
        layer.remember_many({"content": f"memory number {number} " + "of many words " * 20} for number in range(1_500))
    for name in (["list", "--limit", "1500"], ["sql", "SELECT * FROM memories"], ["list", "--limit", "1500", "--json"]):
        child = subprocess.Popen(
            [sys.executable, "-m", "sqlite_memory", "--db", path, *name],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        child.stdout.read(10)
        child.stdout.close()
        said = child.stderr.read()
        child.stderr.close()
        assert (child.wait(timeout=60), said) == (0, b"")


def test_what_steers_a_terminal_is_not_printed(path):
    bad = "red \x1b[31malert\x1b]0;title\x07 \x9b2J back\rover \u202eabc \x08\x7f end"
    with SQLiteMemoryLayer(path) as layer:
        names = {"memory_type": "fact\x1b[3m", "session_id": "\x1b[1m", "tags": ["\x1b[2J"]}
        id = layer.remember(bad, **names, metadata={"\x1b[5m": "\x1b[7m"})
        assert layer.get(id).content == bad
    for arguments in (
        ["list"],
        ["get", "1"],
        ["recall", "title"],
        ["sql", "SELECT content, metadata FROM memories"],
        ["list", "--json"],
        ["get", "1", "--json"],
    ):
        said = run(path, *arguments)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", said.replace("\n", "")), arguments
        assert "alert" in said


def test_names_of_columns_cannot_steer_a_terminal_either(file):
    assert "\x1b" not in run(file, "sql", 'SELECT 1 AS "a\x1b[31mb"')


def test_no_colour_goes_into_a_pipe(file):
    for arguments in (["list"], ["get", "1"], ["stats"], ["sql", "SELECT 1 AS a"]):
        assert "\x1b" not in run(file, *arguments)


def test_long_work_is_silent_where_nobody_looks(file):
    done = command("--db", file, "reindex")
    assert (done.returncode, done.stderr) == (0, "")


def test_ascii_work_of_the_command_never_loads_the_dictionary(file):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "sqlite_memory", "--db", file, "recall", "worker"],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
    )
    assert done.returncode == 0 and "sqlite_memory" in done.stderr
    assert "jieba" not in done.stderr


def test_errors_of_the_command_do_not_quote_a_memory(path):
    for arguments in (["--importance", "99"], ["--metadata", "{"], ["--created-at", "x"]):
        done = command("--db", path, "remember", "canary of the night", *arguments)
        assert done.returncode == 2 and "canary" not in done.stderr
    done = command("--db", path, "remember", "canary " * 2_000)
    assert done.returncode != 0 and "canary" not in done.stderr


def test_a_sweep_by_another_user_than_the_owner_warns(file):
    if not hasattr(os, "geteuid") or os.geteuid():
        pytest.skip("needs two users")
    os.chown(file, 65534, 65534)
    done = command("--db", file, "forget", "--dry-run")
    assert done.returncode == 0 and "owner" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("line", ["list", "--json forget --dry-run", "stats"])
def test_output_that_cannot_be_written_is_a_failure_said_once(layer, line):
    layer.remember("a line to print")
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "sqlite_memory", "--db", layer.path, *line.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", env=environment())
    assert done.returncode == 1
    assert done.stderr == "sqlite-memory: [Errno 28] No space left on device\n"
