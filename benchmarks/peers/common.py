"""What every adapter shares: the two runs of a store and their clock. Only the standard library, for any peer's venv.

An adapter is a class: `Peer(folder)` opens or makes the store below `folder`, `add(memory)` stores one and returns the
store's own id (None when it refuses), `search(query, agent_id, limit)` returns such ids, best first, `close()` ends it.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import re
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Protocol

LIMIT = 10
DIMENSIONS = 512
HAN_OR_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")


class PeerStore(Protocol):
    """The methods of an adapter."""

    def add(self, memory: dict[str, str]) -> object | None: ...

    def search(self, query: str, agent_id: str, limit: int) -> Sequence[object]: ...

    def close(self) -> None: ...


def hashing_embedding(text: str) -> list[float]:
    """Return a unit vector of hashed words, and of the characters and character pairs of Chinese; no model."""
    vector = [0.0] * DIMENSIONS
    for run in HAN_OR_WORD.findall(text.lower()):
        chinese = run[0] >= "\u3400"
        for piece in [*run, *map("".join, zip(run, run[1:], strict=False))] if chinese else [run]:
            code = zlib.crc32(piece.encode())
            vector[code % DIMENSIONS] += 1.0 if code >> 31 else -1.0
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]


def main(open_store: Callable[[pathlib.Path], PeerStore]) -> None:
    """Run `fill` (every memory, then every query) or `open` (the first query of a store that is there)."""
    parser = argparse.ArgumentParser(description="One run of one peer; benchmarks/peers.py starts it.")
    parser.add_argument("run", choices=("fill", "open"))
    parser.add_argument("memories", type=pathlib.Path)
    parser.add_argument("queries", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--started", type=float, default=time.time(), help="when the process was started, in Unix time")
    options = parser.parse_args()
    queries = read_lines(options.queries)
    if options.run == "open":
        result = first_answer(open_store, options.folder, queries[0], options.started)
    else:
        result = fill(open_store, options.folder, read_lines(options.memories), queries)
    options.out.write_text(json.dumps(result), encoding="utf-8")


def fill(
    open_store: Callable[[pathlib.Path], PeerStore],
    folder: pathlib.Path,
    memories: list[dict[str, str]],
    queries: list[dict[str, str]],
) -> dict[str, object]:
    """Add the memories one call each, then ask each query once; models and dictionaries are loaded before the clock."""
    store = open_store(folder)
    store.search(queries[0]["query"], queries[0]["agent_id"], LIMIT)
    given: dict[str, str] = {}
    refused = 0
    begin = time.perf_counter()
    for memory in memories:
        own_id = store.add(memory)
        refused += own_id is None
        given.setdefault(str(own_id), memory["id"])
    seconds = time.perf_counter() - begin
    ranked, times = [], []
    for query in queries:
        begin = time.perf_counter()
        found = store.search(query["query"], query["agent_id"], LIMIT)
        times.append(1000 * (time.perf_counter() - begin))
        ranked.append([given[str(own_id)] for own_id in found if str(own_id) in given])
    store.close()
    return {"add_seconds": seconds, "refused": refused, "search_ms": times, "ranked": ranked}


def first_answer(
    open_store: Callable[[pathlib.Path], PeerStore], folder: pathlib.Path, query: dict[str, str], started: float
) -> dict[str, object]:
    """Time open and first search, without the imports and, from the start of the process, with them."""
    begin = time.perf_counter()
    store = open_store(folder)
    found = store.search(query["query"], query["agent_id"], LIMIT)
    opened, whole = time.perf_counter() - begin, time.time() - started
    store.close()
    return {"open_ms": 1000 * opened, "whole_ms": 1000 * whole, "found": len(found)}


def read_lines(path: pathlib.Path) -> list[dict[str, str]]:
    """Return the objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
