"""Measure the gate: repeats and contradictions, false alarms and misses, news passed, what is extracted, speed.

Question: how often is each judgement right, and what does it cost? Run from the repository's root:

    python benchmarks/gate.py --data DIR

DIR holds folders with memories.jsonl and queries.jsonl. Without it only what the pairs and lines of tests/ show is
measured. --sample N prints N extracted sentences to be read by a person: their precision is the one figure that no
script can give.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

import gate_pairs  # noqa: E402  # found on the path that was just set
import sensitive_lines  # noqa: E402

from sqlite_memory import SQLiteMemoryLayer, conversation, gate, sensitive  # noqa: E402

REFUSED = {"secret", "identity", "card"}
ROW = "{:<72} {:>9} {:>22}"


def row(name: str, value: object, detail: object = "") -> None:
    shown = f"{value:.3f}" if isinstance(value, float) else value
    print(ROW.format(name, shown, str(detail)))


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def read(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def pairs(data: Path | None) -> None:
    """Print what the layer finds of the pairs of tests/gate_pairs.py, each way, among the memories of the data.

    All of them are in one scope and newer than the old text of a pair: what crowds it out shows.
    """
    groups = {"tuned on": gate_pairs.TUNED + gate_pairs.SHORT, "held out": gate_pairs.HELD_OUT + gate_pairs.BLIND}
    with tempfile.TemporaryDirectory() as folder, SQLiteMemoryLayer(f"{folder}/memory.db") as layer:
        layer.remember("the placeholder of the first row")
        crowd = [line["content"] for line in read(data / "memdaily_zh" / "memories.jsonl")] if data else []
        layer.remember_many({"content": text} for text in crowd)
        layer.delete(1)
        for name, group in groups.items():
            both = [*group, *(gate_pairs.Pair(pair.new, pair.old, pair.label) for pair in group)]
            _found(f"{name}, among {len(crowd)}", [(pair.label, _said(layer, pair)) for pair in both])


def _said(layer: SQLiteMemoryLayer, pair: gate_pairs.Pair) -> str:
    """Return what judge() says of the new text where the old one is the oldest memory."""
    (id,) = layer.remember_many([{"content": pair.old}])
    subprocess.run(["sqlite3", layer.path, f"UPDATE memories SET id = 1 WHERE id = {id}"], check=True)
    verdict = layer.judge(pair.new)
    layer.delete(1)
    if verdict.collides_with != 1:
        return ""
    return verdict.decision if verdict.decision == "reinforce" else verdict.reason


def _found(name: str, said: list[tuple[str, str]]) -> None:
    there = collections.Counter(label for label, _ in said)
    count = collections.Counter(said)
    for what, wanted in (("reinforce", "same"), ("possible contradiction", "against")):
        every = sum(verdict == what for _, verdict in said)
        right = count[wanted, what]
        row(f"{what}, {name}: precision", share(right, every), f"{right} of {every}")
        row(f"{what}, {name}: recall", share(right, there[wanted]), f"{right} of {there[wanted]}")
    named = sum(count["same", verdict] for verdict in ("near duplicate", "possible contradiction"))
    row(f"repeats named only, {name}", share(named, there["same"]), f"{named} of {there['same']}")


def sensitive_lines_found() -> None:
    """Print misses and false alarms over the lines of tests/sensitive_lines.py."""
    missed = [
        line for line in sensitive_lines.SENSITIVE if line.kind not in {f.kind for f in sensitive.find(line.text)}
    ]
    row(
        "sensitive lines missed",
        share(len(missed), len(sensitive_lines.SENSITIVE)),
        f"{len(missed)} of {len(sensitive_lines.SENSITIVE)}",
    )
    row("lines known to be missed", len(sensitive_lines.KNOWN_MISSES))
    wrong = [text for text in sensitive_lines.HARMLESS if _refused(text)]
    row(
        "harmless lines refused",
        share(len(wrong), len(sensitive_lines.HARMLESS)),
        f"{len(wrong)} of {len(sensitive_lines.HARMLESS)}",
    )


def _refused(text: str) -> bool:
    return any(sensitive.CLASS_OF[finding.kind] in REFUSED for finding in sensitive.find(text))


def false_alarms(data: Path) -> None:
    """Print what the gate says of ordinary texts: all memories and queries of the data."""
    reasons: collections.Counter[str] = collections.Counter()
    flags: collections.Counter[str] = collections.Counter()
    texts = [line.get("content") or line["query"] for path in sorted(data.glob("*/*.jsonl")) for line in read(path)]
    for text in texts:
        verdict = gate.judge(text, importance=5, min_importance=2, policy={})
        reasons[verdict.reason.split(":")[0]] += 1
        flags.update(verdict.flags)
    row("texts of the data", len(texts))
    for reason, count in sorted(reasons.items()):
        row(f"  said: {reason or 'admitted'}", share(count, len(texts)), count)
    for flag, count in sorted(flags.items()):
        row(f"  flagged: {flag}", share(count, len(texts)), count)


def news(data: Path) -> None:
    """Print the share of turns that carry news, and of the turns asked about that are lost."""
    for folder in sorted(path.parent for path in data.glob("*/memories.jsonl")):
        asked = {id for query in read(folder / "queries.jsonl") for id in query["relevant"]}
        turns = {turn["id"]: turn["content"] for turn in read(folder / "memories.jsonl")}
        if folder.name.startswith("locomo"):
            turns = {id: text.split(": ", 1)[1] for id, text in turns.items()}
        passed = {id for id, text in turns.items() if conversation.carries_news(text)}
        known = asked & turns.keys()
        row(f"{folder.name}: turns passed", share(len(passed), len(turns)), f"{len(passed)} of {len(turns)}")
        row(
            f"{folder.name}: evidence lost",
            share(len(known - passed), len(known)),
            f"{len(known - passed)} of {len(known)}",
        )
        if folder.name.startswith("madial"):
            lines = [text for query in read(folder / "queries.jsonl") for text in query["query"].split("\n")]
            row(
                f"{folder.name}: dialogue lines passed",
                share(sum(map(conversation.carries_news, lines)), len(lines)),
                len(lines),
            )


def extracted(data: Path, sample: int) -> None:
    """Print how much the rules extract from the user's turns, and a sample of it."""
    for folder in sorted(path.parent for path in data.glob("*/queries.jsonl")):
        if folder.name.startswith("locomo"):
            turns = [turn["content"].split(": ", 1)[1] for turn in read(folder / "memories.jsonl")]
        elif folder.name.startswith("madial"):
            turns = [text for query in read(folder / "queries.jsonl") for text in query["query"].split("\n")[::2]]
        else:
            turns = [query["query"] for query in read(folder / "queries.jsonl")]
        found = conversation.extract([{"role": "user", "content": turn} for turn in turns])
        row(f"{folder.name}: sentences extracted", len(found), f"from {len(turns)} turns")
        for memory in random.Random(0).sample(found, min(sample, len(found))):
            print("   ", memory["metadata"], memory["content"])


def speed() -> None:
    """Print microseconds a call on texts of 100 characters."""
    english = "I moved to the old town in spring and work from a small studio near the river with my two dogs now."
    chinese = (
        "我上个月搬到了杭州，现在在一家做软件的公司上班，平时喜欢周末去爬山，晚上喜欢看书和听音乐，很少熬夜，也不太喝咖啡，"
        * 2
    )
    figures = "My flight leaves at 7:45 on 12 March 2026 from gate 14, the ticket costs 329 euros for 2, room 1203."
    for name, text in (("English", english), ("Chinese", chinese[:100]), ("figures", figures)):
        row(f"judge, {name}, {len(text)} characters: microseconds", round(_micro(lambda t=text: _judge(t)), 1))
        row(f"carries_news, {name}: microseconds", round(_micro(lambda t=text: conversation.carries_news(t)), 1))
    with tempfile.TemporaryDirectory() as folder, SQLiteMemoryLayer(f"{folder}/memory.db") as layer:
        layer.remember_many({"content": f"我喜欢在周末去第{number}座山，然后喝茶"} for number in range(3000))
        row("layer.judge, Chinese, 3,000 memories of one subject: microseconds", round(_micro(lambda: layer.judge("我周末去爬山"), 100), 1))
    near = [gate.Near(number, f"我喜欢在周末去第{number}座山") for number in range(10)]
    row("judge, Chinese, 10 memories near: microseconds", round(_micro(lambda: _judge("我喜欢周末爬山", near)), 1))


def _judge(text: str, near: list[gate.Near] | None = None) -> gate.Verdict:
    return gate.judge(text, importance=5, min_importance=2, policy={}, near=near or ())


def _micro(call: Callable[[], object], times: int = 500) -> float:
    """Return the median of nine measurements, in microseconds of processor time a call."""
    call()
    seconds = []
    for _ in range(9):
        start = time.process_time()
        for _ in range(times):
            call()
        seconds.append((time.process_time() - start) / times)
    return 1e6 * statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of the evaluation data")
    parser.add_argument("--sample", type=int, default=0, help="extracted sentences to print of each set")
    options = parser.parse_args()
    print(ROW.format("what", "value", "of"))
    pairs(options.data)
    sensitive_lines_found()
    if options.data:
        false_alarms(options.data)
        news(options.data)
        extracted(options.data, options.sample)
    speed()


if __name__ == "__main__":
    main()
