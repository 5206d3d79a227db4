"""What does a sweep of 100,000 memories cost those who write meanwhile?

    python -m benchmarks.sweep [--rows 100000] [--pause 0.01] [--file PATH]

Three sweeps of copies of one file: one watched by a process that tries to take the write lock every half millisecond
and reports the longest time that it could not; one while a second process remembers memories one by one; one into an
archive, watched again. `--file` keeps the file that was made for the next run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from benchmarks.corpus import Corpus
from sqlite_memory import SQLiteMemoryLayer

WATCH = """
import json, os, sys, time, apsw
connection = apsw.Connection(sys.argv[1])
connection.set_busy_timeout(0)
held, since = [], None
print("ready", flush=True)

while True:
    try:
        connection.execute("BEGIN IMMEDIATE; ROLLBACK")
        if since is not None:
            held.append(time.monotonic() - since)
        since = None
    except apsw.BusyError:
        since = since or time.monotonic()
    if os.path.exists(sys.argv[1] + ".stop"):
        break
    time.sleep(0.0005)
print(json.dumps(held))
"""

WRITE = """
import json, os, sys, time
from sqlite_memory import SQLiteMemoryLayer
waits = []
with SQLiteMemoryLayer(sys.argv[1], agent_id="writer", busy_timeout=60) as layer:
    layer.remember("the first memory of the second process")
    print("ready", flush=True)
    while not os.path.exists(sys.argv[1] + ".stop"):
        began = time.monotonic()
        layer.remember(f"memory {len(waits)} of the second process")
        waits.append(time.monotonic() - began)
        time.sleep(0.002)
print(json.dumps(waits))
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--pause", type=float, default=0.01)
    parser.add_argument("--file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = options.file or os.path.join(folder, "made.db")
        if not os.path.exists(made):
            make(made, options.rows)
        path = os.path.join(folder, "swept.db")
        with beside(WRITE, path, made) as alone:
            time.sleep(5)
        figures("a second process writes, nobody sweeps: one write", alone)
        for title, script, archive in (
            ("watched", WATCH, None),
            ("a second process writes", WRITE, None),
            ("into an archive, watched", WATCH, "old"),
        ):
            with beside(script, path, made) as seen:
                seconds, rows = sweep(path, options.pause, archive and os.path.join(folder, archive))
            print(f"sweep, {title}: {rows:,} rows in {seconds:.1f} s")
            figures("    lock held" if script == WATCH else "    one write", seen)


def make(path: str, rows: int) -> None:
    """Make a file of so many faded memories and a fifth of that of fresh ones."""
    with SQLiteMemoryLayer(path) as layer:
        for fresh, number in ((False, rows), (True, rows // 5)):
            items = ({"content": item["content"], "created_at": None if fresh else item["created_at"], "importance": 3}
                     for item in Corpus(fresh + 1).memories(number))
            layer.remember_many({name: value for name, value in item.items() if value is not None} for item in items)


def sweep(path: str, pause: float, archive: str | None) -> tuple[float, int]:
    """Sweep and return how long it took and how much went."""
    with SQLiteMemoryLayer(path, busy_timeout=60) as layer:
        began = time.monotonic()
        rows = len(layer.forget(pause=pause, archive=archive))
        return time.monotonic() - began, rows


@contextlib.contextmanager
def beside(script: str, path: str, made: str) -> Iterator[list[float]]:
    """Run a script beside the block on a fresh copy of the file; fill the list with the seconds that it measured."""
    for name in (path, path + "-wal", path + "-shm", path + ".stop"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
    shutil.copy(made, path)
    child = subprocess.Popen([sys.executable, "-c", script, path], stdout=subprocess.PIPE, encoding="utf-8")
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    seen: list[float] = []
    yield seen
    open(path + ".stop", "w").close()
    seen += json.loads(child.communicate()[0])


def figures(title: str, seconds: list[float]) -> None:
    """Print median, 99th percentile and maximum in milliseconds."""
    p99 = statistics.quantiles(seconds, n=100)[98]
    print(f"{title}: median {statistics.median(seconds) * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms, "
          f"longest {max(seconds) * 1e3:.1f} ms ({len(seconds):,})")


if __name__ == "__main__":
    main()
