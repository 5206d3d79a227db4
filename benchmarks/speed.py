"""Measure the speed of the memory layer, as ratios to bare SQLite in one run.

Question: what does recall() cost beside FTS5's own ranking, what do writing, opening and many scopes cost, how does the
file grow? Run from the repository's root, with the package and its extras `fast` and `benchmarks` installed:

    python benchmarks/speed.py all --folder DIR
    python benchmarks/speed.py recall --rows 100000 --quick

Rivals are called in turn in the same process; percentiles go over the questions, of each question's rounds the median
counts. DIR keeps the files that are read (1 GB a million rows); without it they are built in a temporary folder.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import speed_process
import speed_recall
import speed_write
from speed_timing import CLOCKS

MEASUREMENTS: dict[str, Callable[[Path, argparse.Namespace], None]] = {
    "recall": speed_recall.against_bare,
    "first-cut": speed_recall.first_cut,
    "scopes": speed_recall.many_scopes,
    "growth": speed_recall.growth,
    "write": speed_write.writing,
    "import": speed_write.import_memory,
    "cutters": speed_process.cutters,
    "first-recall": speed_process.first_recall,
    "size": speed_write.size,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["all", *MEASUREMENTS])
    parser.add_argument("--folder", type=Path, help="where built files are kept")
    parser.add_argument("--rows", type=int, nargs="+", help="sizes of the files, where the measurement has sizes")
    parser.add_argument("--rounds", type=int, default=3, help="times that each question is asked (3)")
    parser.add_argument("--clock", choices=sorted(CLOCKS), default="wall", help="what recall is timed with (wall)")
    parser.add_argument("--quick", action="store_true", help="fewer questions and rows")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="speed-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, measure in MEASUREMENTS.items():
            if options.what in ("all", name):
                measure(folder, options)


if __name__ == "__main__":
    main()
