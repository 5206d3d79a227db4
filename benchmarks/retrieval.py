"""Which memories does a question bring back? Recall and mean reciprocal rank on question sets, default settings.

    python -m benchmarks.retrieval [--half tune|report] [--plain] DIR ...

A DIR holds `memories.jsonl` and `queries.jsonl`; `convert.py` makes such folders. A question sees the memories of its own
agent, and nothing later than its `asked_at` where it has one. Halves are dealt by a hash of agent and question.

recall@k is the share of the relevant memories among the first k, the mean over the questions; mrr the mean of 1 / rank of
the first relevant one among the first ten.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import statistics
from collections.abc import Sequence

from benchmarks.retrieval_adapter import factory, plain

FIRST = (1, 5, 10)
"""Values of k."""

ASKED = 20
"""Memories that a question asks for; each counts as visited, which makes it a little stronger for the next one."""


def main() -> None:
    """Print one row of a table for each folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("tune", "report"), help="all questions unless given")
    parser.add_argument("--plain", action="store_true", help="FTS5's own bm25 over the same words, to compare with")
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR")
    options = parser.parse_args()
    print(f"| data | questions | {' | '.join(f'recall@{k}' for k in FIRST)} | mrr@10 |\n" + "| --- " * (3 + len(FIRST)) + "|")
    for folder in options.folders:
        lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
        questions = [question for question in map(json.loads, lines) if options.half in (None, half(question))]
        search = (plain if options.plain else factory)(str(folder / "memories.jsonl"))
        figures = [
            score(search(question["query"], question["agent_id"], ASKED, question.get("asked_at")), question["relevant"])
            for question in questions
        ]
        means = " | ".join(f"{statistics.mean(column):.3f}" for column in zip(*figures, strict=True))
        print(f"| {folder.name} | {len(questions)} | {means} |", flush=True)


def half(question: dict) -> str:
    """Return the half that a question belongs to."""
    digest = hashlib.md5(f"{question['agent_id']}\0{question['query']}".encode()).digest()
    return "report" if digest[0] % 2 else "tune"


def score(found: Sequence[str], relevant: Sequence[str]) -> tuple[float, ...]:
    """Return recall at each of FIRST, and the reciprocal rank, of the ids found, best first."""
    right = [id in set(relevant) for id in found[: max(FIRST)]]
    recalls = [sum(right[:k]) / len(set(relevant)) for k in FIRST]
    return (*recalls, 1 / (right.index(True) + 1) if True in right else 0.0)


if __name__ == "__main__":
    main()
