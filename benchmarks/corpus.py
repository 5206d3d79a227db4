"""Random memories and queries for measurements: words drawn by their frequency in jieba's own dictionary, seeded."""

from __future__ import annotations

import itertools
import pathlib
import random
from collections.abc import Iterator

import jieba


class Corpus:
    """An endless, repeatable supply of Chinese sentences and of questions about them."""

    def __init__(self, seed: int = 1) -> None:
        dictionary = pathlib.Path(jieba.__file__).with_name("dict.txt").read_text(encoding="utf-8")
        entries = [line.split(" ") for line in dictionary.splitlines()]
        kept = [(word, int(count)) for word, count, *_ in entries if int(count) >= 20]
        self._words = [word for word, _ in kept]
        self._weights = list(itertools.accumulate(count for _, count in kept))
        self._random = random.Random(seed)

    def sentence(self, least: int = 8, most: int = 20) -> str:
        """Return a sentence of `least` to `most` words."""
        return "".join(self._draw(self._random.randint(least, most))) + "。"

    def query(self, words: int = 4) -> str:
        """Return a question of so many words, none of them among the 100 most frequent."""
        drawn: list[str] = []
        while len(drawn) < words:
            drawn += [word for word in self._draw(words) if len(word) > 1]
        return "".join(drawn[:words])

    def memories(self, rows: int, scopes: int = 1) -> Iterator[dict[str, object]]:
        """Yield arguments of remember(), one minute apart, dealt out to `scopes` agents in turn."""
        for place in range(rows):
            yield {
                "content": f"{self.sentence()[:-1]}{place:x}。",
                "agent_id": f"agent{place % scopes:04d}",
                "created_at": 1_700_000_000 + 60 * place,
            }

    def _draw(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)
