"""Measure what a process pays once: loading a dictionary, opening a file and its first recall; and cutting itself.

`speed.py` runs these; each function prints one table. Every figure comes from child processes,
so that nothing is loaded before.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

from speed_files import Corpus, file_of
from speed_timing import show

from sqlite_memory.text import normalise, runs

ROOT = Path(__file__).parents[1]

CUT = """
import json, sys, time
started = time.perf_counter()
if sys.argv[1] == "jieba":
    import logging, warnings
    warnings.simplefilter("ignore")
    import jieba
    jieba.default_logger.setLevel(logging.CRITICAL)
    cut = jieba.lcut_for_search
else:
    import rjieba
    cut = rjieba.cut_for_search
cut("长期记忆")
loaded = time.perf_counter()
runs = json.loads(sys.stdin.read())
started_cutting = time.perf_counter()
words = [cut(run) for run in runs]
print(json.dumps([1000 * (loaded - started), time.perf_counter() - started_cutting, words]))
"""

FIRST = """
import sys, time
started = time.perf_counter()
if sys.argv[3] == "jieba":
    sys.modules["rjieba"] = None
from sqlite_memory import SQLiteMemoryLayer
imported = time.perf_counter()
with SQLiteMemoryLayer(sys.argv[1], agent_id="agent0000") as layer:
    opened = time.perf_counter()
    layer.recall(sys.argv[2], touch=False)
    first = time.perf_counter()
    layer.recall(sys.argv[2], touch=False)
    second = time.perf_counter()
print(*(1000 * span for span in (imported - started, opened - imported, first - opened, second - first)))
"""


def cutters(folder: Path, options: Namespace) -> None:
    """Point 5: rjieba against jieba on the Chinese runs of the corpus: loading, cutting, and whether they agree."""
    texts = [str(memory["content"]) for memory in Corpus().memories(500 if options.quick else 5_000)]
    given = [run.text for text in texts for run in runs(normalise(text)) if run.script == "han"]
    loads: dict[str, list[float]] = {"jieba": [], "rjieba": []}
    cuts: dict[str, list[float]] = {"jieba": [], "rjieba": []}
    words: dict[str, list[list[str]]] = {}
    for _ in range(options.rounds):
        for name in loads:
            load, cut, words[name] = json.loads(_child(CUT, name, text=json.dumps(given)))
            loads[name].append(load)
            cuts[name].append(len(given) / cut)
    same = sum(one == other for one, other in zip(words["jieba"], words["rjieba"], strict=True))
    results = [(name, statistics.median(loads[name]), round(statistics.median(cuts[name]))) for name in loads]
    results.append(("rjieba / jieba", results[1][1] / results[0][1], results[1][2] / results[0][2]))
    show(f"cutters, {same} of {len(given)} runs cut alike", ("cutter", "import and load ms", "runs/s"), results)


def first_recall(folder: Path, options: Namespace) -> None:
    """Point 6: import, open and the first recall of a process, by what the question needs."""
    path = str(file_of(folder, 1_000))
    cases = (
        ("ASCII question, no dictionary", "deploy window", "rjieba", True),
        ("Chinese, rjieba", "上海的会议时间", "rjieba", True),
        ("Chinese, jieba, its cache file there", "上海的会议时间", "jieba", True),
        ("Chinese, jieba, no cache file", "上海的会议时间", "jieba", False),
    )
    times: dict[str, list[list[float]]] = {name: [] for name, *_ in cases}
    with tempfile.TemporaryDirectory(dir=folder) as cache:
        _child(FIRST, path, "上海的会议时间", "jieba", cache=cache)
        for _ in range(options.rounds):
            for name, question, cutter, warm in cases:
                with tempfile.TemporaryDirectory(dir=folder) as cold:
                    taken = _child(FIRST, path, question, cutter, cache=cache if warm else cold)
                times[name].append([float(part) for part in taken.split()])
    results = []
    for name, several in times.items():
        parts = [statistics.median(part) for part in zip(*several, strict=True)]
        results.append((name, *parts, sum(parts[:3])))
    heads = ("question", "import ms", "open", "first recall", "second recall", "import to first answer")
    show("the first recall of a process, 1,000 rows", heads, results)


def _child(program: str, *arguments: str, text: str = "", cache: str | None = None) -> str:
    """Return what a fresh Python prints; `cache` is where jieba keeps its cache file."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    if cache:
        environment["XDG_CACHE_HOME"] = cache
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", env=environment, check=True)
    return done.stdout
