"""Measure recall() against FTS5's own ranking, alone and among many scopes, and its growth with the file.

`speed.py` runs these; each function prints one table.
"""

from __future__ import annotations

import contextlib
import datetime
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

from speed_files import Corpus, SQLiteMemoryLayer, file_of, layer_of
from speed_timing import CLOCKS, in_turn, p50, p95, show

from sqlite_memory.match import read_question
from sqlite_memory.policy import read_policy

BARE = "SELECT rowid FROM memories_fts WHERE memories_fts MATCH :expression ORDER BY rank LIMIT 10"

FILTERED = """
SELECT m.id FROM memories_fts AS f JOIN memories AS m ON m.id = f.rowid
 WHERE f.memories_fts MATCH :expression AND m.agent_id = :agent_id ORDER BY f.rank LIMIT 10
"""

SET = "UPDATE policy SET value = ? WHERE name = ?"


def questions(count: int, words: int = 4) -> list[str]:
    """Return questions of so many words; the seed is not the one of the files."""
    corpus = Corpus(seed=2)
    return [corpus.query(words) for _ in range(count)]


def expression(layer: SQLiteMemoryLayer, question: str) -> str:
    """Return all words and characters of a question OR-ed, as recall() looks for them, without the scope."""
    terms = read_question(question, read_policy(layer._database).segmenter, datetime.date(2026, 1, 1)).terms
    return " OR ".join(f"({term.expression})" for term in terms)


def statement(layer: SQLiteMemoryLayer, sql: str, asked: list[str]) -> Callable[[str], object]:
    """Return what runs a bare statement for a question, on the layer's own connection; segmentation is not in it."""
    cut = {question: expression(layer, question) for question in asked}
    return lambda question: layer._database.rows(sql, {"expression": cut[question], "agent_id": "agent0000"})


def searches(layer: SQLiteMemoryLayer, *, touch: bool = False) -> Callable[[str], list[int]]:
    """Return what recalls a question and gives the ids."""
    return lambda question: [memory.id for memory in layer.recall(question, touch=touch)]


@contextlib.contextmanager
def policy(layer: SQLiteMemoryLayer, **values: float) -> Iterator[None]:
    """Change policy rows of a file for a while."""
    rows = layer.sql("SELECT name, value FROM policy")
    before = {str(row["name"]): row["value"] for row in rows}
    try:
        with layer._database.writing() as connection:
            connection.executemany(SET, [(value, name) for name, value in values.items()])
        yield
    finally:
        with layer._database.writing() as connection:
            connection.executemany(SET, [(before[name], name) for name in values])


def against_bare(folder: Path, options: Namespace) -> None:
    """Point 1: recall end to end against the bare FTS5 statement with the same expression, one scope."""
    results = []
    for rows in options.rows or (100_000, 1_000_000):
        with layer_of(file_of(folder, rows)) as layer:
            asked = questions(20 if options.quick else 100)
            rivals = [statement(layer, BARE, asked), searches(layer), searches(layer, touch=True)]
            bare, *ours = in_turn(rivals, asked, options.rounds, CLOCKS[options.clock])
            for name, times in zip(("recall, touch=False", "recall"), ours, strict=True):
                figures = (p50(bare), p95(bare), p50(times), p95(times))
                results.append((rows, name, *figures, figures[2] / figures[0], figures[3] / figures[1]))
    heads = ("rows", "what", "bare p50 ms", "bare p95", "ours p50", "ours p95", "ratio p50", "ratio p95")
    show("recall against the bare statement, one scope", heads, results)


def first_cut(folder: Path, options: Namespace) -> None:
    """Point 1: what the first cut of large scopes costs and what it loses against ranking every match."""
    results = []
    for rows in options.rows or (100_000, 1_000_000):
        with layer_of(file_of(folder, rows)) as layer:
            asked = questions(10 if rows > 200_000 else 30 if options.quick else 100)
            with policy(layer, small_scope=1e12):
                full = {question: set(searches(layer)(question)) for question in asked}
            for cut in (2_000, 5_000, 10_000, 20_000, 50_000):
                with policy(layer, first_cut=cut):
                    bare, ours = in_turn(
                        [statement(layer, BARE, asked), searches(layer)], asked, options.rounds, CLOCKS[options.clock]
                    )
                    shares = [
                        len(full[question] & set(searches(layer)(question))) / max(1, len(full[question]))
                        for question in asked
                    ]
                results.append((
                    rows, cut, sum(shares) / len(shares), min(shares), p50(ours) / p50(bare), p95(ours) / p95(bare)
                ))
    heads = ("rows", "first_cut", "overlap of top 10", "least", "cost p50 / bare", "cost p95 / bare")
    show("the first cut against the full ranking", heads, results)


def many_scopes(folder: Path, options: Namespace) -> None:
    """Point 2: one scope of 1,000 against the same scope alone, and against filtering the scope in SQL."""
    results = []
    for rows in options.rows or (1_000_000,):
        shared, alone = file_of(folder, rows, 1_000), file_of(folder, rows, 1_000, every=1_000)
        with layer_of(shared) as among, layer_of(alone) as single:
            asked = questions(10 if options.quick else 50)
            rivals = [searches(among), searches(single), statement(among, FILTERED, asked)]
            ours, own, filtered = in_turn(rivals, asked, options.rounds, CLOCKS[options.clock])
            results += [
                (rows, name, pick(ours), pick(own), pick(filtered), pick(ours) / pick(own), pick(filtered) / pick(ours))
                for name, pick in (("p50", p50), ("p95", p95))
            ]
    heads = ("rows", "of", "recall ms", "alone ms", "filtered ms", "recall / alone", "filtered / recall")
    show("one scope of 1,000", heads, results)


def growth(folder: Path, options: Namespace) -> None:
    """Point 3: the median of recall by rows, in one scope and in one of many; a table and a picture."""
    sizes = options.rows or (1_000, 10_000, 100_000, 1_000_000)
    asked = questions(15 if options.quick else 50)
    results = []
    for rows in sizes:
        scopes = 1_000 if rows >= 1_000_000 else min(100, rows // 10)
        with layer_of(file_of(folder, rows)) as one, layer_of(file_of(folder, rows, scopes)) as many:
            rivals = [searches(one), searches(many), statement(one, BARE, asked)]
            single, among, bare = in_turn(rivals, asked, options.rounds, CLOCKS[options.clock])
        results.append((rows, scopes, p50(bare), p50(single), p50(among)))
    show("growth, p50 in ms", ("rows", "scopes of the third", "bare FTS5", "one scope", "one of many"), results)
    draw(results, Path(__file__).with_name("growth.svg"))


def draw(results: list[tuple[int, int, float, float, float]], path: Path) -> None:
    """Draw the growth on two logarithmic axes."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"svg.hashsalt": "growth", "svg.fonttype": "none"})
    rows, _, bare, single, among = zip(*results, strict=True)
    figure, axes = pyplot.subplots(figsize=(6, 3.6), layout="constrained")
    axes.loglog(rows, bare, "o--", color="#999999", label="bare FTS5 ORDER BY rank")
    axes.loglog(rows, single, "o-", color="#1f5fa8", label="recall, one scope")
    axes.loglog(rows, among, "o-", color="#d9822b", label="recall, one of 100 or 1,000 scopes")
    axes.set(xlabel="memories in the file", ylabel="p50, ms")
    axes.grid(True, which="major", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
    print(f"\nwrote {path.name}")
