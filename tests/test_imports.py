"""Imports point down only, and light use loads nothing heavy and says nothing."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest
from conftest import PACKAGE, python

FILES = {path.stem: path for path in sorted(PACKAGE.glob("*.py"))}
BELOW = {
    "errors": set(),
    "moments": set(),
    "stopwords": set(),
    "forms": set(),
    "text": set(),
    "dates": {"moments", "text"},
    "match": {"text", "stopwords", "moments", "dates", "forms"},
    "gate": {"text", "stopwords", "sensitive", "similar", "vocabulary"},
    "sensitive": {"identifiers", "text", "vocabulary"},
    "similar": {"text", "stopwords", "vocabulary", "figures", "marks"},
    "subject": {"text", "stopwords", "match", "similar"},
    "marks": {"vocabulary"},
    "figures": set(),
    "identifiers": set(),
    "vocabulary": set(),
    "schema": {"errors"},
    "database": {"errors", "schema"},
}
"""What the lower modules may import of ours; those above them may import these."""


def imported(path: Path) -> set[str]:
    """Return the modules of this package that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            found |= {node.module.split(".")[0]} if node.module else {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sqlite_memory":
            found.add((node.module + ".").split(".")[1] or "__init__")
        elif isinstance(node, ast.Import):
            found |= {name.name.split(".")[1] for name in node.names if name.name.startswith("sqlite_memory.")}
    return found


@pytest.mark.parametrize("name", BELOW.keys() & FILES.keys())
def test_the_lower_modules_import_nothing_from_above(name):
    assert imported(FILES[name]) <= BELOW[name]


def test_nothing_imports_the_command_but_its_entry():
    assert {name for name, path in FILES.items() if "cli" in imported(path)} <= {"__main__"}
    assert {name for name, path in FILES.items() if "screen" in imported(path)} <= {"cli", "demo"}


def test_no_module_imports_another_that_imports_it_back():
    left = {name: imported(path) & FILES.keys() for name, path in FILES.items()}
    while ready := {name for name, needs in left.items() if not needs & left.keys()}:
        for name in ready:
            del left[name]
    assert left == {}, "these import each other"


def test_the_runtime_depends_on_apsw_and_jieba_and_asks_for_the_two_extras_only():
    outside = set()
    for path in FILES.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                outside |= {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                outside.add(node.module.split(".")[0])
    assert outside - set(sys.stdlib_module_names) - {"__future__"} - {"rjieba", "stdnum"} == {"apsw", "jieba"}


@pytest.mark.parametrize("folder", [PACKAGE, Path(__file__).parent], ids=["package", "tests"])
def test_nobody_imports_the_second_sqlite_of_the_process(folder):
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            assert "sqlite3" not in names, path.name


def test_nothing_newer_than_python_3_10_is_used():
    for path in FILES.values():
        source = path.read_text(encoding="utf-8")
        ast.parse(source, feature_version=(3, 10))
        assert not re.search(
            r"\bdatetime\.UTC\b|from datetime import .*\bUTC\b|\btomllib\b|typing import .*\bSelf\b|ExceptionGroup"
            r"|StrEnum|batched\b|removeprefix\(\)",
            source,
        ), path.name


def test_only_the_command_and_its_screen_print():
    for name, path in FILES.items():
        if name not in ("cli", "screen", "demo"):
            calls = [
                node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
            ]
            assert not [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"], name


@pytest.mark.parametrize(
    "script",
    ["import sqlite_memory", "from sqlite_memory import *", "import sqlite_memory.cli", "import sqlite_memory.demo"],
)
def test_importing_prints_nothing_with_warnings_as_errors(script):
    assert python(script) == ""


def test_importing_opening_and_ascii_work_load_no_jieba(tmp_path):
    script = """
        import sys
        import sqlite_memory, sqlite_memory.cli
        assert "jieba" not in sys.modules
        with sqlite_memory.SQLiteMemoryLayer(sys.argv[1]) as memory:
            memory.remember("please restart the worker", key="k", tags=["ops"])
            memory.remember("Cafe\\u0301 au lait \\U0001f600")
            assert memory.recall("don't restart the worker?") and memory.recall()
            memory.update(1, content="drain the queue")
            memory.forget(), memory.stats(), memory.check(), memory.reindex(), memory.repair()
        assert "jieba" not in sys.modules
        assert sqlite_memory.cli.main(["--db", sys.argv[1], "--json", "recall", "queue"]) == 0
        assert "jieba" not in sys.modules and "pkg_resources" not in sys.modules and "sqlite3" not in sys.modules
    """
    assert python(script, tmp_path / "memory.db").count("\n") == 1


def test_chinese_with_cold_bytecode_and_warnings_as_errors_prints_nothing(tmp_path):
    script = """
        import sys
        from sqlite_memory import SQLiteMemoryLayer
        with SQLiteMemoryLayer(sys.argv[1]) as memory:
            memory.remember("用户偏好深色模式")
            assert memory.recall("深色模式")[0].id == 1
        assert {"jieba", "rjieba"} & set(sys.modules)
    """
    cold = str(tmp_path / "cold")
    assert (
        python(script, tmp_path / "memory.db", PYTHONPYCACHEPREFIX=cold, XDG_CACHE_HOME=str(tmp_path / "cache")) == ""
    )


def test_what_the_package_offers_is_listed_and_there():
    import sqlite_memory

    assert sorted(sqlite_memory.__all__) == sorted(set(sqlite_memory.__all__))
    for name in sqlite_memory.__all__:
        assert getattr(sqlite_memory, name) is not None
    errors = [getattr(sqlite_memory, name) for name in sqlite_memory.__all__]
    assert all(
        issubclass(kind, sqlite_memory.SQLiteMemoryError)
        for kind in errors
        if isinstance(kind, type) and issubclass(kind, Exception)
    )


def test_the_data_files_are_inside_the_package():
    script = """
        import importlib.resources, sqlite_memory
        for name in ("schema.sql", "simplified.txt", "demo.jsonl", "py.typed"):
            assert importlib.resources.files("sqlite_memory").joinpath(name).is_file(), name
    """
    assert python(script) == ""
