"""Read the package's word lists from vocabulary.txt.

It leaves what a list is for to the module that asks for it.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping


def lines(section: str) -> tuple[str, ...]:
    """Return the lines of one list in their order; an unknown list is KeyError."""
    return _sections()[section]


def words(section: str) -> frozenset[str]:
    """Return the words of one list, however they are spread over lines."""
    return frozenset(word for line in lines(section) for word in line.split())


@functools.cache
def _sections() -> Mapping[str, tuple[str, ...]]:
    text = importlib.resources.files(__package__).joinpath("vocabulary.txt").read_text(encoding="utf-8")
    sections: dict[str, tuple[str, ...]] = {}
    for section in text.split("\n[")[1:]:
        name, _, body = section.partition("]\n")
        sections[name] = tuple(line for line in body.split("\n") if line and not line.startswith("#"))
    return sections
