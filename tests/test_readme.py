"""The blocks of the README and of the guide run as they stand: Python, SQL in the sqlite3 shell, commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, SHELL, index_is_sound

from sqlite_memory import SQLiteMemoryLayer

PAGES = [name for name in ("README.md", "README.zh.md", "GUIDE.md") if (ROOT / name).exists()]


def blocks(page: str) -> list[tuple[str, str]]:
    """Return the fenced blocks of a page as (language, text), in order."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def commands(folder: Path) -> dict[str, str]:
    """Return an environment in which `sqlite-memory` is this checkout."""
    tools = folder / "bin"
    tools.mkdir()
    command = tools / "sqlite-memory"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sqlite_memory "$@"\n')
    command.chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run_in_their_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environment = commands(tmp_path)
    names: dict[str, object] = {}
    ran = {"python": 0, "sql": 0, "sh": 0}
    for language, text in blocks(page):
        if language == "python":
            exec(compile(text, f"<{page}>", "exec"), names)
        elif language == "sql":
            done = subprocess.run([SHELL, "-bail", "agent_memory.db"], input=text, capture_output=True, encoding="utf-8")
            assert (done.returncode, done.stderr) == (0, ""), text
        elif language == "sh" and "venv" not in text:
            script = text.replace("/usr/local/bin/", "")
            done = subprocess.run(["sh", "-eu", "-c", script], env=environment, capture_output=True, encoding="utf-8")
            assert (done.returncode, done.stderr) == (0, ""), text
            assert done.stdout
        else:
            continue
        ran[language] += 1
    for value in list(names.values()):
        if isinstance(value, SQLiteMemoryLayer):
            value.close()
    assert all(ran.values()), ran
    assert index_is_sound("agent_memory.db")


def test_both_readmes_hold_the_same_commands_and_figures():
    one, other = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh.md"))
    for language in ("sh", "cron"):
        english, chinese = ([text for kind, text in blocks(page) if kind == language] for page in PAGES[:2])
        assert english == chinese
    figures = re.compile(r"(?<![\w.])\.\d{3}\b")
    assert figures.findall(one) == figures.findall(other) and figures.findall(one)
