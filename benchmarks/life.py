"""A simulated life of 300 days: does a file that is swept every night still find what its policy keeps?

Turns of real dialogue, about twenty a day in their order, with repeats, noise and corrected facts; questions are asked
days after their answer was said, and what they find is visited. One file is swept every night, the other never. At the
end every question is asked again whose evidence the policy keeps.

    python benchmarks/life.py --data DIR [--plot FILE]        DIR holds memories.jsonl and queries.jsonl (locomo_en)
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import pathlib
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlite_memory import Memory, SQLiteMemoryLayer, moments

START = datetime.datetime(2025, 1, 1, 8, tzinfo=datetime.timezone.utc)
NOISE = ("ok thanks", "好的", "haha", "got it, thank you!", "嗯嗯", "sure, sounds good")


@dataclass
class Life:
    """One file, what its ids are, and how it grew: (day, memories, bytes)."""

    layer: SQLiteMemoryLayer
    swept: bool
    ids: dict[str, int | None] = field(default_factory=dict)
    growth: list[tuple[int, int, int]] = field(default_factory=list)


def main() -> None:
    """Live through the days in both files and print what is left and what is found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--days", type=int, default=300)
    parser.add_argument("--turns", type=int, default=20, help="a day")
    parser.add_argument("--plot", help="write the growth of both files to this picture (needs matplotlib)")
    options = parser.parse_args()
    turns = read(options.data / "memories.jsonl")[: options.days * options.turns]
    questions = read(options.data / "queries.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        lives = [live(folder, swept, turns, questions, options) for swept in (True, False)]
        report(lives, questions)
    if options.plot:
        plot(lives, options.plot)


def live(folder: str, swept: bool, turns: list[dict], questions: list[dict], options: argparse.Namespace) -> Life:
    """Write the turns of each day, ask the questions of that day, and sweep at night."""
    life = Life(SQLiteMemoryLayer(os.path.join(folder, f"{'swept' if swept else 'kept'}.db")), swept)
    chance = random.Random(1)
    day_of = {turn["id"]: place // options.turns for place, turn in enumerate(turns)}
    asked: dict[int, list[dict]] = {}
    for question in questions:
        if all(id in day_of for id in question["relevant"]):
            asked.setdefault(max(day_of[id] for id in question["relevant"]) + chance.randint(1, 60), []).append(question)
    for day in range(options.days):
        with clock(START + datetime.timedelta(day)):
            today = turns[day * options.turns : (day + 1) * options.turns]
            for turn in today:
                say(life, turn, chance)
            life.layer.remember(f"The team meets in room {chance.randint(1, 40)}.", key="room", agent_id=agent(today))
            for question in asked.get(day, []):
                life.layer.recall(question["query"], agent_id=question["agent_id"], as_of=moments.now())
            if swept:
                life.layer.forget(all_scopes=True)
            size = life.layer.sql("SELECT count(*) AS n FROM memories")[0]["n"]
            life.growth.append((day, size, life.layer.stats().file_bytes))
    return life


def say(life: Life, turn: dict, chance: random.Random) -> None:
    """Remember one turn; now and then it is said twice, or followed by noise."""
    arguments = {
        "memory_type": "episode", "session_id": turn["session_id"], "agent_id": turn["agent_id"], "created_at": moments.now()
    }
    life.ids[turn["id"]] = life.layer.remember(turn["content"], **arguments)
    if chance.random() < 0.05:
        life.layer.remember(turn["content"], **arguments)
    if chance.random() < 0.15:
        life.layer.remember(chance.choice(NOISE), **arguments)


def report(lives: list[Life], questions: list[dict]) -> None:
    """Print rows, bytes after VACUUM, and recall@10 of the questions whose evidence the policy keeps."""
    swept, kept = lives
    with clock(START + datetime.timedelta(len(swept.growth))):
        stays = [q for q in questions if all(policy_keeps(kept, id) for id in q["relevant"])]
        print(f"{len(stays)} of {len(questions)} questions have evidence that the policy keeps\n")
        print("| file | memories | bytes after VACUUM | recall@10 of what must stay |\n| --- | --- | --- | --- |")
        for life in lives:
            found = sum(share_found(life, question) for question in stays) / len(stays)
            with life.layer._database.reading() as connection:
                connection.execute("VACUUM")
            name = "swept every night" if life.swept else "never swept"
            print(f"| {name} | {life.growth[-1][1]} | {life.layer.stats().file_bytes} | {found:.3f} |")
            life.layer.close()


def policy_keeps(kept: Life, turn: str) -> bool:
    """Say whether the policy keeps a turn now, judged in the file that was never swept."""
    id = kept.ids.get(turn)
    if id is None:
        return False
    row = kept.layer.sql("SELECT importance, coalesce(last_accessed_at, created_at) AS seen FROM memories WHERE id = ?", (id,))
    age = datetime.datetime.fromisoformat(moments.now()[:-1]) - datetime.datetime.fromisoformat(str(row[0]["seen"])[:-1])
    return bool(row[0]["importance"] >= 4 or age.days < 90)


def share_found(life: Life, question: dict) -> float:
    """Return the share of a question's evidence among the first ten."""
    found: list[Memory] = life.layer.recall(
        question["query"], agent_id=question["agent_id"], as_of=moments.now(), touch=False
    )
    first = {memory.id for memory in found}
    return sum(life.ids[id] in first for id in question["relevant"]) / len(question["relevant"])


class clock:
    """Make it that moment for the package, as a context manager."""

    def __init__(self, moment: datetime.datetime) -> None:
        self._text = moments.canonical(moment, "moment")

    def __enter__(self) -> None:
        self._real, moments.now = moments.now, lambda: self._text

    def __exit__(self, *error: object) -> None:
        moments.now = self._real


def agent(today: list[dict]) -> str:
    """Return whose day it is."""
    return today[0]["agent_id"] if today else "default"


def read(path: pathlib.Path) -> list[dict]:
    """Return the objects of a JSONL file."""

    def lines() -> Iterator[dict]:
        with path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)

    return list(lines())


def plot(lives: list[Life], path: str) -> None:
    """Draw how many memories both files hold over the days."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.2))
    for life in lives:
        days, memories, _ = zip(*life.growth, strict=True)
        axes.plot(days, memories, label="swept every night" if life.swept else "never swept")
    axes.set(xlabel="day", ylabel="memories in the file")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    main()
