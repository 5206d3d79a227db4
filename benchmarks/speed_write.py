"""Measure writing: remember() and remember_many() against a bare loop, the memory of an import, and the file's size.

`speed.py` runs these; each function prints one table.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from itertools import islice
from pathlib import Path

import apsw
from speed_files import Corpus, SQLiteMemoryLayer, empty, insert, prepared
from speed_timing import show

from sqlite_memory.text import Segmenter

WINDOW = {"remember": 1_000, "remember, comparing off": 1_000, "remember_many": 5_000}
"""Rows that each rival writes before it is the other's turn; remember_many() gets them in one call."""

COMPARING_OFF = "UPDATE policy SET value = 0 WHERE name IN ('reinforce_near', 'report_near', 'report_contradiction')"


def writing(folder: Path, options: Namespace) -> None:
    """Point 4: rows a second against the least that must be done: segment, fingerprint, INSERT, COMMIT.

    The bare loop writes into a file with our schema and triggers, on its own connection with our pragmas, one row a
    transaction against remember(), 1,000 against remember_many(); it checks no argument, asks no gate and looks for
    no duplicate or similar memory. Both sides write the same rows in turn.
    """
    results = []
    for name, window in WINDOW.items():
        windows = 4 if options.quick else 8
        with tempfile.TemporaryDirectory(dir=folder) as inside:
            bare, ours = _race(Path(inside), name, windows)
        ratios = [slow / fast for slow, fast in zip(bare, ours, strict=True)]
        results.append((
            name, windows * window, window / statistics.median(bare), window / statistics.median(ours),
            statistics.median(ratios), min(ratios), max(ratios),
        ))
    show("writing", ("what", "rows", "bare rows/s", "ours rows/s", "ours / bare", "least", "most"), results)


def _race(folder: Path, name: str, windows: int) -> tuple[list[float], list[float]]:
    """Return the seconds of each window, of the bare loop and of ours; the first window of each warms up."""
    memories = Corpus(seed=3).memories((windows + 1) * WINDOW[name])
    segmenter = Segmenter()
    bare: list[float] = []
    ours: list[float] = []
    connection = empty(folder / "bare.db")
    if name.endswith("off"):
        other = empty(folder / "ours.db")
        other.execute(COMPARING_OFF)
        other.close()
    with SQLiteMemoryLayer(folder / "ours.db") as layer:
        while window := list(islice(memories, WINDOW[name])):
            started = time.perf_counter()
            insert(connection, prepared(window, segmenter), 1_000 if name == "remember_many" else 1)
            between = time.perf_counter()
            if name == "remember_many":
                layer.remember_many(window)
            else:
                for memory in window:
                    layer.remember(**memory)  # type: ignore[arg-type]  # the corpus gives the right types
            bare.append(between - started)
            ours.append(time.perf_counter() - between)
    connection.close()
    return bare[1:], ours[1:]


def import_memory(folder: Path, options: Namespace) -> None:
    """Point 4: the peak memory of a process that imports few and many rows."""
    results = []
    for rows in options.rows or ((2_000, 20_000) if options.quick else (20_000, 200_000)):
        with tempfile.TemporaryDirectory(dir=folder) as inside:
            command = [sys.executable, __file__, inside, str(rows)]
            peak = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        results.append((rows, peak))
    show("peak memory of remember_many fed by a generator", ("rows", "MB"), results)


def _import(folder: Path, rows: int) -> None:
    """Import rows and print the peak memory of this process in MB."""
    with SQLiteMemoryLayer(folder / "import.db") as layer:
        layer.remember_many(Corpus(seed=4).memories(rows))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak / (1024 * 1024 if sys.platform == "darwin" else 1024))


def size(folder: Path, options: Namespace) -> None:
    """Point 7: bytes of the file a row, and what ten rewrites of every row leave behind."""
    rows = (options.rows or ([10_000] if options.quick else [100_000]))[0]
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        path = Path(inside) / "size.db"
        connection = empty(path)
        insert(connection, prepared(Corpus().memories(rows), Segmenter()))
        results = [_size(connection, path, rows, "written")]
        for place in range(10):
            _rewrite(connection, rows, seed=10 + place)
        results.append(_size(connection, path, rows, "every row rewritten 10 times"))
        connection.execute("DELETE FROM memories WHERE id % 2")
        insert(connection, prepared(Corpus(seed=30).memories(rows // 2), Segmenter()))
        results.append(_size(connection, path, rows, "half deleted and written anew"))
        connection.execute("INSERT INTO memories_fts (memories_fts) VALUES ('optimize')")
        results.append(_size(connection, path, rows, "index optimized"))
        connection.execute("VACUUM")
        results.append(_size(connection, path, rows, "VACUUM"))
        connection.close()
    show("file size", ("after", "rows", "MB", "bytes a row"), results)


UPDATE = """
UPDATE memories SET content = :content, content_segmented = :words, characters = :characters, fingerprint = :fingerprint
 WHERE id = :id
"""


def _rewrite(connection: apsw.Connection, rows: int, seed: int) -> None:
    """Give every row a new content, 1,000 a transaction."""
    changed = ({**row, "id": id} for id, row in enumerate(prepared(Corpus(seed).memories(rows), Segmenter()), start=1))
    while some := list(islice(changed, 1_000)):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(UPDATE, some)
        connection.execute("COMMIT")


def _size(connection: apsw.Connection, path: Path, rows: int, after: str) -> tuple[str, int, float, int]:
    """Return a row of the table; the log is emptied into the file first."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    size = path.stat().st_size
    return after, rows, size / 1e6, round(size / rows)


if __name__ == "__main__":
    _import(Path(sys.argv[1]), int(sys.argv[2]))
