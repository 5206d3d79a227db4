"""Measure summaries: how much shorter they are, and whether they still lead a question to its conversation.

Question: when every session is replaced by its built-in summary, how many of the sessions that answer a question are
among the first 5 and 10, against a file that keeps every turn? Run from the repository's root:

    python benchmarks/summaries.py --data DIR [--share 0.2 ...] [--split report]

DIR holds memories.jsonl (turns with their sessions) and queries.jsonl. A query's relevant sessions are those of its
relevant turns; with all turns kept, a session stands where its best turn stands.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.retrieval import half
from sqlite_memory import SQLiteMemoryLayer, condense, summary  # found on the path that was just set
from sqlite_memory.incoming import Scope
from sqlite_memory.memory import Memory
from sqlite_memory.text import Segmenter
from sqlite_memory.wording import estimate

KS = (1, 5, 10)
ROW = "{:<16} {:>7} {:>12} {:>8} {:>6} {:>6} {:>6} {:>9}"
SESSIONS = "SELECT DISTINCT agent_id, user_id, session_id FROM memories WHERE session_id IS NOT NULL ORDER BY 1, 2, 3"
SETTING = "UPDATE policy SET value = ? WHERE name = ?"


def read(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def recalls(queries: list[dict], session_of: dict[str, str], ask: Callable[[dict], Iterable[Memory]]) -> list[float]:
    """Return the share of relevant sessions among the first 1, 5 and 10, averaged over the queries."""
    found = dict.fromkeys(KS, 0.0)
    for query in queries:
        relevant = {session_of[id] for id in query["relevant"]}
        ranked = list(dict.fromkeys(memory.session_id for memory in ask(query)))
        for k in KS:
            found[k] += len(relevant.intersection(ranked[:k])) / len(relevant)
    return [found[k] / len(queries) for k in KS]


def contents(layer: SQLiteMemoryLayer) -> list[str]:
    return [str(row["content"]) for row in layer.sql("SELECT content FROM memories")]


def textrank(share: float) -> Callable[[list[Memory]], str]:
    """Return a summarizer to compare with: TextRank (Mihalcea and Tarau, 2004) over the same sentences."""

    def summarizer(memories: list[Memory]) -> str:
        sentences = list(condense._sentences(memories, Segmenter()))
        near: list[dict[int, float]] = [{} for _ in sentences]
        for one, other in itertools.combinations(range(len(sentences)), 2):
            words = sentences[one].words, sentences[other].words
            if common := len(words[0] & words[1]):
                near[one][other] = near[other][one] = common / (1 + math.log(len(words[0])) + math.log(len(words[1])))
        ranks = [1.0] * len(sentences)
        for _ in range(30):
            shares = [rank / (sum(links.values()) or 1.0) for rank, links in zip(ranks, near, strict=True)]
            ranks = [0.15 + 0.85 * sum(weight * shares[other] for other, weight in links.items()) for links in near]
        room = share * sum(len(memory.content) + 1 for memory in memories)
        chosen: list[condense.Sentence] = []
        for _, sentence in sorted(zip(ranks, sentences, strict=True), key=lambda pair: -pair[0]):
            cost = condense._cost(sentence, chosen)
            if not chosen or cost <= room:
                chosen.append(sentence)
                room -= cost
        return condense._joined(sorted(chosen, key=lambda sentence: sentence.place))

    return summarizer


def condensed(layer: SQLiteMemoryLayer, share: float, summarizer: Callable[[list[Memory]], str] | None) -> float:
    """Put a summary in the place of every session and return the seconds it took."""
    started = time.perf_counter()
    with layer._database.writing() as connection:
        connection.executemany(SETTING, [(share, "summary_share"), (summary.DELETE, "summary_keeps_turns")])
        layer._database.settings_changed()
    for row in layer.sql(SESSIONS):
        scope = Scope(str(row["agent_id"]), str(row["user_id"]))
        summary.summarize(layer._database, scope, row["session_id"], summarizer=summarizer)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--share", type=float, nargs="+", default=[0.1, 0.2, 0.3])
    parser.add_argument("--textrank", type=float, nargs="*", default=[0.2], help="the same by TextRank")
    parser.add_argument("--split", choices=("all", "tune", "report"), default="all")
    arguments = parser.parse_args()
    turns = arguments.data / "memories.jsonl"
    session_of = {line["id"]: line["session_id"] for line in read(turns)}
    queries = [q for q in read(arguments.data / "queries.jsonl") if arguments.split in ("all", half(q))]
    print(ROW.format("memories", "rows", "characters", "tokens", "R@1", "R@5", "R@10", "seconds"))
    runs: list[tuple[str, float | None, Callable[[list[Memory]], str] | None]] = [("all turns", None, None)]
    runs += [(f"summaries {share:g}", share, None) for share in arguments.share]
    runs += [(f"TextRank {share:g}", share, textrank(share)) for share in arguments.textrank]
    for name, share, summarizer in runs:
        with tempfile.TemporaryDirectory() as folder, SQLiteMemoryLayer(Path(folder) / "memory.db") as layer:
            layer.import_jsonl(turns)
            seconds = 0.0 if share is None else condensed(layer, share, summarizer)
            limit = 200 if share is None else 10

            def ask(query: dict, layer: SQLiteMemoryLayer = layer, limit: int = limit) -> list[Memory]:
                return layer.recall(query["query"], limit=limit, agent_id=query["agent_id"], touch=False)

            kept = contents(layer)
            found = [f"{value:.3f}" for value in recalls(queries, session_of, ask)]
            sizes = sum(map(len, kept)), sum(map(estimate, kept))
            print(ROW.format(name, len(kept), *sizes, *found, f"{seconds:.1f}"), flush=True)


if __name__ == "__main__":
    main()
