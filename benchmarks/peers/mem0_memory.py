"""mem0ai without a model: infer=False stores the text itself, a hashing embedder, its own local Qdrant folder."""

from __future__ import annotations

import os
import pathlib
import tempfile

os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=tempfile.mkdtemp(), OPENAI_API_KEY="unused")

from common import DIMENSIONS, hashing_embedding, main
from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase


class HashingEmbedder(EmbeddingBase):
    """The embedder that stands in for a model."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Return the hashed vector of a text."""
        return hashing_embedding(text)


class Peer:
    """One Memory; the agent is an argument of every call."""

    def __init__(self, folder: pathlib.Path) -> None:
        store = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": DIMENSIONS}
        self.memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self.memory.embedding_model = HashingEmbedder()

    def add(self, memory: dict[str, str]) -> str:
        """Store one text as it is."""
        kept = {"session_id": memory["session_id"], "said_at": memory["created_at"]}
        answer = self.memory.add(memory["content"], agent_id=memory["agent_id"], metadata=kept, infer=False)
        return answer["results"][0]["id"]

    def search(self, query: str, agent_id: str, limit: int) -> list[str]:
        """Search the memories of one agent."""
        found = self.memory.search(query, filters={"agent_id": agent_id}, top_k=limit)
        return [hit["id"] for hit in found["results"]]

    def close(self) -> None:
        """Close the history and the vector store."""
        self.memory.close()
        self.memory.vector_store.client.close()


if __name__ == "__main__":
    main(Peer)
