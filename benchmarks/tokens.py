"""Measure the estimate of tokens that context() counts with when no counter is given.

Question: how far is `wording.estimate` from a real tokenizer, per language? Run from the repository's root, with the
package `bpe-openai` installed (it ships the vocabularies of o200k_base and cl100k_base):

    python benchmarks/tokens.py --data DIR [--encoding o200k_base]

DIR holds folders with memories.jsonl and queries.jsonl. A block is 30 texts in a row, about what a prompt gets.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sqlite_memory.wording import estimate  # found on the path that was just set

BLOCK = 30
ROW = "{:<26} {:>8} {:>9} {:>9} {:>8} {:>16}"


def texts(folder: Path) -> list[str]:
    """Return the memories and the queries of a folder."""
    found = []
    for name, field in (("memories.jsonl", "content"), ("queries.jsonl", "query")):
        with (folder / name).open(encoding="utf-8") as lines:
            found += [json.loads(line)[field] for line in lines]
    return found


def measure(name: str, given: list[str], count: Callable[[str], int]) -> None:
    """Print the error of the whole, and the least and largest of the blocks."""
    blocks = ["\n".join(given[start : start + BLOCK]) for start in range(0, len(given), BLOCK)]
    real = [count(block) for block in blocks]
    guessed = [estimate(block) for block in blocks]
    errors = sorted(guess / true - 1 for guess, true in zip(guessed, real, strict=True))
    within = sum(abs(error) <= 0.15 for error in errors) / len(errors)
    span = f"{errors[0]:+.1%} {errors[-1]:+.1%}"
    print(ROW.format(name, sum(real), sum(guessed), f"{sum(guessed) / sum(real) - 1:+.1%}", f"{within:.1%}", span))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--encoding", default="o200k_base")
    arguments = parser.parse_args()
    import bpe_openai

    encoding = bpe_openai.get_encoding(arguments.encoding)
    print(ROW.format(arguments.encoding, "tokens", "estimate", "error", "in 15%", "blocks from, to"))
    languages: dict[str, list[str]] = {"English": [], "Chinese": []}
    for folder in sorted(arguments.data.iterdir()):
        if (folder / "memories.jsonl").exists():
            given = texts(folder)
            chinese = len(re.findall("[\u4e00-\u9fff]", "".join(given[:100]))) > 100
            languages["Chinese" if chinese else "English"] += given
            measure(folder.name, given, lambda text: len(encoding.encode(text)))
    for language, given in languages.items():
        measure(language, given, lambda text: len(encoding.encode(text)))
    whole = "\n".join(given for language in languages.values() for given in language)
    started = time.perf_counter()
    estimate(whole)
    print(f"speed: {len(whole) / (time.perf_counter() - started) / 1e6:.1f} million characters a second")


if __name__ == "__main__":
    main()
