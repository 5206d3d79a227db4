"""What every test uses: a layer on a real file, and children that look at that file from outside.

SQLite's locks belong to a process, so a second SQLite library in this one could release the first one's: files are
inspected by the sqlite3 shell or by child processes, never here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

import sqlite_memory
from sqlite_memory import SQLiteMemoryLayer

PACKAGE = Path(sqlite_memory.__file__).resolve().parent
ROOT = PACKAGE.parent
SCHEMA = PACKAGE / "schema.sql"
DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
SHELL = shutil.which("sqlite3") or "sqlite3"
COUNTS = "SELECT agent_id, user_id, count(*), coalesce(sum(words), 0) FROM memories GROUP BY 1, 2 ORDER BY 1, 2"
TOTALS = "SELECT agent_id, user_id, memories, words FROM scopes ORDER BY 1, 2"

hypothesis.settings.register_profile(
    "files",
    deadline=None,
    database=None,
    max_examples=60,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("files")


def shell(path: str | os.PathLike[str], sql: str) -> list[str]:
    """Run statements in the sqlite3 shell and return the lines it prints; an error fails the test."""
    done = _shell(path, sql)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


def shell_error(path: str | os.PathLike[str], sql: str) -> str:
    """Run statements in the sqlite3 shell that must be refused, and return the message."""
    done = _shell(path, sql)
    assert done.returncode != 0, f"not refused: {sql}"
    return done.stderr


def rows(path: str | os.PathLike[str], sql: str) -> list[dict]:
    """Return the rows of one statement, run in the sqlite3 shell."""
    done = _shell(path, sql, "-json")
    assert done.returncode == 0 and not done.stderr, done.stderr
    return json.loads(done.stdout or "[]")


def _shell(path: str | os.PathLike[str], sql: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [SHELL, "-batch", "-bail", *options, os.fspath(path)]
    sql = f".timeout 5000\n{sql.rstrip().rstrip(';')};\n" if not sql.startswith(".") else sql
    return subprocess.run(command, input=sql, capture_output=True, encoding="utf-8", timeout=60)


def index_is_sound(path: str | os.PathLike[str]) -> bool:
    """Fail unless the index holds exactly the rows, the totals are true and the file is whole. Looked at by a child."""
    check = "INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1); PRAGMA integrity_check"
    lines = shell(path, f"{check}; {COUNTS}; SELECT '--'; {TOTALS}")
    middle = lines.index("--")
    assert lines[0] == "ok"
    assert lines[1:middle] == lines[middle + 1 :]
    return True


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a child that finds the package wherever it is."""
    found = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(found), **more}


def python(script: str, *arguments: object, options: tuple[str, ...] = ("-W", "error"), **more: str) -> str:
    """Run a script in a child process and return what it prints; an error or a word on stderr fails the test."""
    command = [sys.executable, *options, "-c", textwrap.dedent(script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, env=environment(**more))
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a script in a child process that talks over its standard streams."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8", env=environment())


def finish(child: subprocess.Popen[str], said: str = "") -> str:
    """Let a child end and return what it printed; an error fails the test."""
    out, err = child.communicate(said, timeout=120)
    assert child.returncode == 0 and not err, err
    return out


def command(
    *arguments: object, stdin: str | None = None, cwd: object = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `python -m sqlite_memory` with arguments, as a user would."""
    return subprocess.run(
        [sys.executable, "-m", "sqlite_memory", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env=env or environment(),
        cwd=None if cwd is None else str(cwd),
    )


LOCK = """
import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
if sys.argv[2] == "everything":
    c.execute("PRAGMA locking_mode = EXCLUSIVE")
c.execute("BEGIN EXCLUSIVE")
c.execute("UPDATE policy SET value = value")
print("locked", flush=True)
sys.stdin.read()
c.execute("ROLLBACK")
c.close()
"""


@pytest.fixture
def locked() -> Iterator[Callable[..., Callable[[], None]]]:
    """Return a function that holds a file's write lock in a child (or `everything`), and returns how to let go."""
    children: list[subprocess.Popen[str]] = []

    def lock(path: object, what: str = "writing") -> Callable[[], None]:
        child = start(LOCK, path, what)
        children.append(child)
        assert child.stdout is not None and child.stdout.readline() == "locked\n"

        def release() -> None:
            if child in children:
                children.remove(child)
                finish(child)

        return release

    yield lock
    for child in children:
        finish(child)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """The path of a memory file that is not there yet."""
    return str(tmp_path / "memory.db")


@pytest.fixture
def make_layer(path: str) -> Iterator[Callable[..., SQLiteMemoryLayer]]:
    """Return a function that opens layers, by default on `path`; all are closed after the test."""
    made: list[SQLiteMemoryLayer] = []

    def make(at: object = path, **arguments: object) -> SQLiteMemoryLayer:
        made.append(SQLiteMemoryLayer(at, **arguments))
        return made[-1]

    yield make
    for layer in reversed(made):
        layer.close()


@pytest.fixture
def layer(make_layer: Callable[..., SQLiteMemoryLayer]) -> SQLiteMemoryLayer:
    """A layer on a new file."""
    return make_layer()


@pytest.fixture(autouse=True)
def nothing_stays_open(tmp_path: Path) -> Iterator[None]:
    """Fail the test that leaves a file of its own open: on some systems it could not be deleted then."""
    yield
    left = [name for name in open_files() if name.startswith(str(tmp_path))]
    assert not left, f"left open: {left}"


def open_files() -> list[str]:
    """Return what the file descriptors of this process point to (nothing where the system does not tell)."""
    folder = "/proc/self/fd"
    found = []
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        try:
            found.append(os.readlink(os.path.join(folder, name)))
        except OSError:
            continue
    return found


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that other users of the machine reach, removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="memory-test-"))
    folder.chmod(0o755)
    yield folder
    for inside in [folder, *folder.rglob("*")]:
        if inside.is_dir():
            inside.chmod(0o755)
    shutil.rmtree(folder)


def as_nobody(script: str, *arguments: object) -> str:
    """Run a script as a user without rights and return what it prints; skips where that cannot be done."""
    if not hasattr(os, "geteuid"):
        pytest.skip("needs the users of a POSIX system")
    become = """
import os, sqlite_memory.cli, sqlite_memory.schema
sqlite_memory.schema.schema_sql()
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
"""
    probe = [sys.executable, "-c", become + "sqlite_memory.SQLiteMemoryLayer(':memory:').remember('a memory')"]
    if subprocess.run(probe, capture_output=True, env=environment(), cwd="/").returncode:
        pytest.skip("the user nobody cannot use this Python or this package")
    command = [sys.executable, "-W", "error", "-c", become + textwrap.dedent(script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, env=environment(), cwd="/")
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def days_ago(days: float) -> str:
    """Return a moment before now as the package takes it."""
    import datetime

    moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)
    return moment.isoformat(timespec="milliseconds")


def ids(memories: list[sqlite_memory.Memory]) -> list[int]:
    """Return the ids of memories in their order."""
    return [memory.id for memory in memories]
