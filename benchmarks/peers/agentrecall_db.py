"""agentrecall-db as `pip install agentrecall-db` gives it: FTS5 keywords; a namespace for each agent."""

from __future__ import annotations

import pathlib

from agentrecall import Memory
from common import main


class Peer:
    """One store; the namespace is an argument of every call."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.memory = Memory(folder / "agentrecall.db")

    def add(self, memory: dict[str, str]) -> int:
        """Store the text and, as metadata, session and time."""
        metadata = {"session_id": memory["session_id"], "created_at": memory["created_at"]}
        return self.memory.add(memory["content"], metadata=metadata, namespace=memory["agent_id"]).id

    def search(self, query: str, agent_id: str, limit: int) -> list[int]:
        """Search one namespace."""
        return [hit.id for hit in self.memory.search(query, k=limit, namespace=agent_id)]

    def close(self) -> None:
        """Close the file."""
        self.memory.close()


if __name__ == "__main__":
    main(Peer)
