"""LangGraph's SqliteStore: it finds text by embeddings only, so it gets a hashing one; a namespace for each agent."""

from __future__ import annotations

import pathlib

from common import DIMENSIONS, hashing_embedding, main
from langgraph.store.sqlite import SqliteStore


class Peer:
    """One store with a vector index over the field `content`."""

    def __init__(self, folder: pathlib.Path) -> None:
        index = {"dims": DIMENSIONS, "embed": self.embed, "fields": ["content"]}
        self.context = SqliteStore.from_conn_string(str(folder / "store.db"), index=index)
        self.store = self.context.__enter__()
        self.store.setup()

    @staticmethod
    def embed(texts: list[str]) -> list[list[float]]:
        """Embed texts as the store asks for it."""
        return [hashing_embedding(text) for text in texts]

    def add(self, memory: dict[str, str]) -> str:
        """Put one item under the agent's namespace; its key is the memory's id."""
        value = {name: memory[name] for name in ("content", "session_id", "created_at")}
        self.store.put(("memories", memory["agent_id"]), memory["id"], value)
        return memory["id"]

    def search(self, query: str, agent_id: str, limit: int) -> list[str]:
        """Search one namespace by the query's vector."""
        return [item.key for item in self.store.search(("memories", agent_id), query=query, limit=limit)]

    def close(self) -> None:
        """Close the connection."""
        self.context.__exit__(None, None, None)


if __name__ == "__main__":
    main(Peer)
