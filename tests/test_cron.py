"""The nightly sweep as the README gives it: the very lines, run with as little around them as cron gives."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, SHELL, days_ago, environment, rows

PAGES = [page for page in (ROOT / "README.md", ROOT / "GUIDE.md") if page.exists()]
pytestmark = pytest.mark.skipif(not PAGES, reason="the README is not beside the package")


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of README and guide in a language, each once."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    return list(dict.fromkeys(re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)))


def cron_command() -> str:
    """Return what the README's cron line hands to the shell."""
    (block,) = blocks("cron")
    line = block.strip()
    assert "\n" not in line and "%" not in line, "cron reads % as the end of the line"
    *when, command = line.split(None, 5)
    assert len(when) == 5 and all(re.fullmatch(r"[\d*/,-]+", field) for field in when)
    return command


@pytest.fixture
def home(tmp_path, make_layer):
    """A home with the command in .local/bin and a file of two faded memories, a fresh one and another user's."""
    folder = tmp_path / "a home"
    (folder / ".local" / "bin").mkdir(parents=True)
    command = folder / ".local" / "bin" / "sqlite-memory"
    path = shlex.quote(environment()["PYTHONPATH"])
    command.write_text(f'#!/bin/sh\nPYTHONPATH={path} exec {shlex.quote(sys.executable)} -m sqlite_memory "$@"\n')
    command.chmod(0o755)
    with make_layer(folder / "agent_memory.db") as layer:
        layer.remember("the user used to live in Kyoto", importance=3, created_at=days_ago(200))
        layer.remember("用户以前喜欢绿茶", importance=3, created_at=days_ago(200), user_id="another")
        layer.remember("please restart the worker", importance=3)
    return folder


def as_cron(command: str, home) -> subprocess.CompletedProcess[str]:
    """Run a command as cron does: by sh, in the home, with HOME and a short PATH and nothing else."""
    return subprocess.run(
        ["env", "-i", f"HOME={home}", "PATH=/usr/bin:/bin", "/bin/sh", "-c", command],
        capture_output=True, encoding="utf-8", cwd=home, timeout=60,
    )


def left(home) -> list[int]:
    return [row["id"] for row in rows(home / "agent_memory.db", "SELECT id FROM memories ORDER BY id")]


def quoted(command: str) -> str:
    """Return the command for a home with a space in its name, which the README's reader has not."""
    return re.sub(r"(\$HOME\S*)", r'"\1"', command)


def test_the_cron_line_sweeps_every_scope_and_prints_one_line(home):
    done = as_cron(quoted(cron_command()), home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "forgot 2 memories\n", "")
    assert left(home) == [3]
    assert not (home / "agent_memory.db-wal").exists()
    assert as_cron(quoted(cron_command()), home).stdout == "forgot 0 memories\n"


def test_the_very_line_runs_in_a_home_with_a_plain_name(home, tmp_path):
    plain = tmp_path / "home"
    home.rename(plain)
    done = as_cron(cron_command(), plain)
    assert (done.returncode, done.stdout, done.stderr) == (0, "forgot 2 memories\n", "")


def test_with_json_the_line_says_which(home):
    done = as_cron(quoted(cron_command()) + " --json", home)
    assert json.loads(done.stdout) == {"forgotten": [1, 2], "dry_run": False} and done.stdout.count("\n") == 1


def test_without_the_file_the_line_fails_with_a_word_and_makes_none(home):
    (home / "agent_memory.db").unlink()
    done = as_cron(quoted(cron_command()), home)
    assert (done.returncode, done.stdout) == (1, "") and "no such file" in done.stderr
    assert not (home / "agent_memory.db").exists()


def test_wrong_options_are_told_by_another_code(home):
    done = as_cron(quoted(cron_command()) + " --max-age-days 0", home)
    assert (done.returncode, done.stdout) == (2, "") and left(home) == [1, 2, 3]


def test_a_busy_file_fails_and_is_swept_the_next_night(home, locked):
    release = locked(home / "agent_memory.db")
    done = as_cron(quoted(cron_command()), home)
    assert (done.returncode, done.stdout) == (1, "") and "another connection" in done.stderr
    release()
    assert as_cron(quoted(cron_command()), home).returncode == 0 and left(home) == [3]


def units() -> dict[str, str]:
    """Return the README's systemd units by the file name in their first line."""
    named = {block.split("\n", 1)[0].lstrip("# "): block for block in blocks("ini")}
    return {name: block for name, block in named.items() if name.startswith("sqlite-memory.")}


def test_the_service_of_the_timer_runs_the_same_command(home):
    texts = units()
    assert texts.keys() == {"sqlite-memory.service", "sqlite-memory.timer"}
    service, timer = (configparser.ConfigParser(interpolation=None) for _ in texts)
    service.read_string(texts["sqlite-memory.service"])
    timer.read_string(texts["sqlite-memory.timer"])
    command = service["Service"]["ExecStart"]
    assert command.replace("%h", "$HOME") == cron_command()
    assert timer["Timer"]["OnCalendar"] == "*-*-* 03:17:00" and timer["Install"]["WantedBy"] == "timers.target"
    done = as_cron(command.replace("%h", shlex.quote(str(home))), home)
    assert (done.returncode, done.stdout) == (0, "forgot 2 memories\n")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_accepts_the_units(tmp_path):
    for name, text in units().items():
        (tmp_path / name).write_text(text.replace("%h/.local/bin/sqlite-memory", "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", *(str(tmp_path / name) for name in units())],
        capture_output=True, encoding="utf-8", env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr


def test_the_view_of_the_readme_is_a_strategy(home, make_layer):
    (view,) = [block for block in blocks("sql") if "my_forgettable" in block]
    path = home / "agent_memory.db"
    subprocess.run([SHELL, str(path)], input=view, encoding="utf-8", check=True)
    with make_layer(path) as layer:
        layer.remember("deploys went out on Fridays", key="deploy_day", created_at=days_ago(800))
        layer.remember("deploys go out on Mondays", key="deploy_day", created_at=days_ago(500))
        layer.remember("deploys go out on Tuesdays", key="deploy_day", created_at=days_ago(5))
        assert layer.forget(view="my_forgettable", dry_run=True) == layer.forget(view="my_forgettable") == [4]
