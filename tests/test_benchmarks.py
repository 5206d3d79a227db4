"""The benchmarks stand beside the package and use its inside: every name that they take from it must be there."""

from __future__ import annotations

import ast
import importlib
import importlib.util

import pytest
from conftest import ROOT

SCRIPTS = sorted((ROOT / "benchmarks").rglob("*.py"))


@pytest.mark.parametrize("script", [pytest.param(script, id=script.name) for script in SCRIPTS])
def test_what_a_benchmark_imports_of_the_package_is_there(script):
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sqlite_memory":
            module = importlib.import_module(node.module)
            for name in (alias.name for alias in node.names):
                assert hasattr(module, name) or importlib.util.find_spec(f"{node.module}.{name}"), f"{node.module}.{name}"


def test_there_are_benchmarks():
    assert {"speed.py", "peers.py", "sweep.py", "life.py"} <= {script.name for script in SCRIPTS}
