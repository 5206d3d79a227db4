"""The table: what was measured of each peer, and in words where one is ahead of sqlite_memory."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

from catalogue import Peer

SETS = ("memdaily_zh", "cmrc_zh", "locomo_en")
HEADINGS = {
    "adds/s": ("adds/s",),
    "search zh p50 / p95, ms": ("search zh p50, ms", "search zh p95, ms"),
    "search en p50 / p95, ms": ("search en p50, ms", "search en p95, ms"),
    **{f"recall@10 {name}": (f"recall@10 {name}",) for name in SETS},
    "open zh / en, ms": ("open zh, ms", "open en, ms"),
    "process zh / en, ms": ("process zh, ms", "process en, ms"),
    "install, MB": ("install, MB",),
}
"""The columns of the table, each with the numbers that stand in it."""


@dataclass(slots=True)
class Result:
    """What was measured of one peer, by language (`zh`, `en`) or by set."""

    peer: Peer
    megabytes: float = 0.0
    failure: str = ""
    refused: int = 0
    adds: list[float] = field(default_factory=list)
    recall: dict[str, float] = field(default_factory=dict)
    search: dict[str, list[float]] = field(default_factory=lambda: {"zh": [], "en": []})
    opened: dict[str, list[float]] = field(default_factory=lambda: {"zh": [], "en": []})
    whole: dict[str, list[float]] = field(default_factory=lambda: {"zh": [], "en": []})


def columns(result: Result) -> dict[str, float]:
    """Return the numbers of one row by the title of their column."""
    numbers = {"adds/s": statistics.median(result.adds)}
    for language in ("zh", "en"):
        times = sorted(result.search[language])
        numbers[f"search {language} p50, ms"] = statistics.median(times)
        numbers[f"search {language} p95, ms"] = times[int(0.95 * (len(times) - 1))]
    for name in SETS:
        numbers[f"recall@10 {name}"] = result.recall[name]
    for language in ("zh", "en"):
        numbers[f"open {language}, ms"] = statistics.median(result.opened[language])
    for language in ("zh", "en"):
        numbers[f"process {language}, ms"] = statistics.median(result.whole[language])
    numbers["install, MB"] = result.megabytes
    return numbers


def shown(number: float, title: str) -> str:
    """Write a number with about three digits; recall without its zero."""
    if title.startswith("recall"):
        return f"{number:.3f}".lstrip("0") if number < 1 else "1.000"
    return f"{number:,.0f}" if number >= 20 else f"{number:.1f}"


def table(results: list[Result]) -> str:
    """Write the table, pairs of numbers in one cell; a peer that failed has its reason in place of numbers."""
    rows = []
    for result in results:
        if result.failure:
            cells = [f"not measured: {result.failure}"]
        else:
            numbers = columns(result)
            cells = [" / ".join(shown(numbers[title], title) for title in titles) for titles in HEADINGS.values()]
        rows.append(f"| {result.peer.title} | " + " | ".join(cells) + " |")
    head = "| peer | " + " | ".join(HEADINGS) + " |"
    return "\n".join([head, "| --- |" + " ---: |" * len(HEADINGS), *rows])


def notes(results: list[Result]) -> str:
    """Write what each row means, what was refused, and every place where a peer is ahead of sqlite_memory."""
    lines = []
    for result in results:
        refused = f"; it refused {result.refused} memories" if result.refused else ""
        lines.append(f"- {result.peer.title}: {result.peer.note}{refused}.")
    measured = {result.peer.name: result for result in results if not result.failure}
    if ours := measured.pop("sqlite_memory", None):
        own = columns(ours)
        ahead = []
        for other in measured.values():
            better = [
                f"{title.split(',')[0]} {shown(number, title)} (ours {shown(own[title], title)})"
                for title, number in columns(other).items()
                if (number > own[title] if title.startswith(("recall", "adds")) else number < own[title])
            ]
            if better:
                ahead.append(f"- {other.peer.title}: " + ", ".join(better) + ".")
        head = "Where a peer is ahead of sqlite_memory in this run (times in ms, install in MB):"
        lines += ["", head, "", *(ahead or ["- nowhere."])]
    return "\n".join(lines)
