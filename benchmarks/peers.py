"""Compare sqlite_memory with its peers: same memories, same queries, each in its own virtual environment.

    python benchmarks/peers.py --data DIR [--only NAME ...] [--limit-memories N] [--markdown FILE]

DIR holds memdaily_zh, cmrc_zh and locomo_en, each with memories.jsonl and queries.jsonl. The adapters are below
`peers/`; this file draws the sample, makes the environments and starts a fresh process for each measurement.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import pathlib
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))

from catalogue import PEERS, Peer
from report import SETS, Result, notes, table

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent
ADAPTERS = CHECKOUT / "benchmarks" / "peers"
QUERIES = 300
"""At most so many queries of a set, drawn from the half that retrieval is reported on."""
OPENINGS = 3
"""A store is opened so often; the median counts."""
SILENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "PYTHONWARNINGS": "ignore"}
"""What every child process gets: one thread for vectors and models, no network for models."""


class Failed(Exception):
    """A peer could not be installed or run; the text says why, without paths."""


def main() -> None:
    """Measure the chosen peers and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder with " + ", ".join(SETS))
    parser.add_argument("--only", nargs="+", choices=[peer.name for peer in PEERS], metavar="NAME")
    parser.add_argument("--limit-memories", type=int, default=1500, metavar="N", help="of each set, whole agents")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="write the table there, too")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the environments")
    parser.add_argument("--timeout", type=float, default=900, help="seconds that one process may take")
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    parser.add_argument("--environments", type=pathlib.Path, default=cache / "sqlite-memory-peers")
    options = parser.parse_args()
    samples = {name: sample(options.data / name, options.limit_memories) for name in SETS}
    about = description(samples, options.python)
    results = []
    for peer in PEERS:
        if options.only and peer.name not in options.only:
            continue
        begin = time.monotonic()
        results.append(measure(peer, samples, options.environments, options.python, options.timeout))
        said = f"{peer.name}: {time.monotonic() - begin:.0f} s{load_average()} {results[-1].failure}"
        print(said, file=sys.stderr, flush=True)
    text = about + "\n\n" + table(results) + "\n\n" + notes(results) + "\n"
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")


# ---------------------------------------------------------------------------------------------------- sample


def sample(folder: pathlib.Path, limit: int) -> tuple[list[dict], list[dict]]:
    """Return whole agents in the file's order, at most `limit` memories, and seeded queries of the report half."""
    memories = read_lines(folder / "memories.jsonl")
    sizes: dict[str, int] = {}
    for memory in memories:
        sizes[memory["agent_id"]] = sizes.get(memory["agent_id"], 0) + 1
    totals = dict(zip(sizes, itertools.accumulate(sizes.values()), strict=True))
    agents = {agent for place, (agent, total) in enumerate(totals.items()) if place == 0 or total <= limit}
    queries = [q for q in read_lines(folder / "queries.jsonl") if q["agent_id"] in agents and reported(q)]
    chosen = random.Random(1).sample(queries, min(QUERIES, len(queries)))
    return [memory for memory in memories if memory["agent_id"] in agents], chosen


def reported(query: dict) -> bool:
    """Tell whether a query is of the half that results are reported on: the odd first bytes of a hash."""
    return hashlib.md5(f"{query['agent_id']}\0{query['query']}".encode()).digest()[0] % 2 == 1


def read_lines(path: pathlib.Path) -> list[dict]:
    """Return the objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


# ---------------------------------------------------------------------------------------------------- install


def install(peer: Peer, environments: pathlib.Path, python: str) -> tuple[pathlib.Path, float]:
    """Return a peer's interpreter and the megabytes that it takes; an environment is kept for the next run."""
    interpreter = environment(environments / peer.name, python)
    stamp = environments / peer.name / "installed.json"
    done = json.loads(stamp.read_text()) if stamp.exists() else {}
    if not peer.requirements or done.get("requirements") != list(peer.requirements):
        pip = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if peer.requirements:
            run([*pip, *peer.requirements])
        else:
            install_checkout(pip)
        megabytes = size_of_packages(interpreter) - size_of_packages(environment(environments / "empty", python))
        done = {"requirements": list(peer.requirements), "megabytes": megabytes}
        stamp.write_text(json.dumps(done))
    return interpreter, done["megabytes"]


def environment(folder: pathlib.Path, python: str) -> pathlib.Path:
    """Make a virtual environment unless it is there; return its interpreter."""
    interpreter = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not interpreter.exists():
        run([python, "-m", "venv", folder])
    return interpreter


def install_checkout(pip: list) -> None:
    """Install a copy of this checkout, so that building leaves nothing in it; what it needs first, then itself anew."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "checkout"
        left_out = shutil.ignore_patterns("__pycache__", ".*", "build", "*.egg-info", "benchmarks", "tests")
        shutil.copytree(CHECKOUT, copy, ignore=left_out)
        run([*pip, copy])
        run([*pip, "--force-reinstall", "--no-deps", copy])


def size_of_packages(interpreter: pathlib.Path) -> float:
    """Return the megabytes of an environment's site-packages."""
    path = run([interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    return sum(file.stat().st_size for file in pathlib.Path(path).rglob("*") if file.is_file()) / 1e6


# ---------------------------------------------------------------------------------------------------- measure


def run(command: list, timeout: float = 3600) -> str:
    """Run a command and return what it printed; Failed with its last words, paths cut to their last part."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | SILENT
    command = [str(part) for part in command]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failed(f"took more than {timeout:.0f} s") from None
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
        raise Failed(re.sub(r"\S*/(?=[^\s/])", "", lines[-1])[:160])
    return done.stdout.strip()


def measure(peer: Peer, samples: dict, environments: pathlib.Path, python: str, timeout: float) -> Result:
    """Install one peer and run it on every set; what goes wrong ends up in `failure`."""
    result = Result(peer)
    try:
        interpreter, result.megabytes = install(peer, environments, python)
        for name, (memories, queries) in samples.items():
            with tempfile.TemporaryDirectory(prefix="peer-") as folder:
                measure_set(result, interpreter, pathlib.Path(folder), name, memories, queries, timeout)
    except Failed as error:
        result.failure = str(error)
    return result


def measure_set(
    result: Result,
    interpreter: pathlib.Path,
    folder: pathlib.Path,
    name: str,
    memories: list[dict],
    queries: list[dict],
    timeout: float,
) -> None:
    """Fill a store and search it in one process, then open it in others."""
    for file, rows in ("memories.jsonl", memories), ("queries.jsonl", queries):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / file).write_text(lines, encoding="utf-8")
    store, out = folder / "store", folder / "out.json"
    store.mkdir()

    def child(kind: str) -> dict:
        adapter = ADAPTERS / result.peer.adapter
        files = [folder / "memories.jsonl", folder / "queries.jsonl", store, out]
        run([interpreter, adapter, kind, *files, "--started", time.time()], timeout)
        return json.loads(out.read_text())

    language = name[-2:]
    filled = child("fill")
    owner = {memory["id"]: memory["agent_id"] for memory in memories}
    result.refused += filled["refused"]
    result.adds.append(len(memories) / filled["add_seconds"])
    result.search[language] += filled["search_ms"]
    shares = []
    for query, ranked in zip(queries, filled["ranked"], strict=True):
        if any(owner[found] != query["agent_id"] for found in ranked):
            raise Failed("a search found a memory of another agent")
        shares.append(len(set(ranked[:10]) & set(query["relevant"])) / len(set(query["relevant"])))
    result.recall[name] = statistics.fmean(shares)
    for _ in range(OPENINGS):
        opened = child("open")
        result.opened[language].append(opened["open_ms"])
        result.whole[language].append(opened["whole_ms"])


def load_average() -> str:
    """Say how busy the machine is, where the system tells it: other work disturbs every time here."""
    return f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""


def description(samples: dict, python: str) -> str:
    """Say what was run on what, for the head of the table."""
    code = "import platform, sqlite3; print(platform.python_version(), sqlite3.sqlite_version)"
    python_version, sqlite_version = run([python, "-c", code]).split()
    parts = [
        f"{name} {len(memories):,} memories of {len({m['agent_id'] for m in memories})} agents, {len(queries)} queries"
        for name, (memories, queries) in samples.items()
    ]
    return f"""Sample, the same for every row: {"; ".join(parts)}; whole agents in the
file's order, queries of the `report` half, seeded. Python {python_version} with SQLite {sqlite_version} (apsw brings
its own), {platform.machine()}, {os.cpu_count()} cores{load_average()}.

- Each set in a fresh store and a fresh process; models and vectors use one thread.
- adds/s: one call a memory, the median of the sets; each store with its own default durability.
- search: ten hits asked for, dictionaries and models loaded before. A search that finds nothing is quick: read the
  times together with recall.
- recall@10: share of the relevant memories among the first ten, averaged over the queries.
- open: an existing store in a new process until its first answer, what it loads for that included, the imports at the
  top of the adapter not; process: the same from the start of Python, all imports included. Medians of {OPENINGS} a set.
- install: what site-packages gained, in MB."""


if __name__ == "__main__":
    main()
