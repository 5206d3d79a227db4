"""Time things in turn and print what came out: the clock, percentiles and tables of the speed benchmarks.

What is timed stands in speed_recall, speed_write and speed_process.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterable, Sequence

Clock = Callable[[], float]

CLOCKS: dict[str, Clock] = {"wall": time.perf_counter, "cpu": time.thread_time}
"""`cpu` leaves out the time that other programs of a shared machine took; it also leaves out waiting for the disk."""


def in_turn(
    rivals: Sequence[Callable[[str], object]], arguments: Iterable[str], rounds: int, clock: Clock
) -> list[list[float]]:
    """Call every rival with every argument, one after the other and so many times; return milliseconds for each rival.

    Of an argument's rounds the median counts. Each round another rival begins, so that none always finds a warm cache.
    """
    times: list[list[float]] = [[] for _ in rivals]
    for argument in arguments:
        taken: list[list[float]] = [[] for _ in rivals]
        for round in range(rounds):
            for turn in range(len(rivals)):
                place = (round + turn) % len(rivals)
                started = clock()
                rivals[place](argument)
                taken[place].append(1000 * (clock() - started))
        for place, several in enumerate(taken):
            times[place].append(statistics.median(several))
    return times


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that so many percent do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def p50(values: Sequence[float]) -> float:
    """Return the median."""
    return percentile(values, 50)


def p95(values: Sequence[float]) -> float:
    """Return what 95 of 100 do not exceed."""
    return percentile(values, 95)


def show(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table in Markdown; numbers with a fraction get two digits."""
    print(f"\n### {title}\n")
    print(f"load average {' '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} cores\n")
    print(f"| {' | '.join(heads)} |")
    print("|" + " --- |" * len(heads))
    for row in rows:
        cells = (f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row)
        print(f"| {' | '.join(cells)} |", flush=True)
