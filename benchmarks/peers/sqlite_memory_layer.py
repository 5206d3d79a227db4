"""sqlite_memory: this checkout, its default settings, through remember() and recall()."""

from __future__ import annotations

import pathlib

from common import main

from sqlite_memory import SQLiteMemoryLayer


class Peer:
    """One layer; the agent is an argument of every call."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.layer = SQLiteMemoryLayer(folder / "memory.db")

    def add(self, memory: dict[str, str]) -> int | None:
        """Remember one memory with its own type, session, time and speaker."""
        return self.layer.remember(
            memory["content"],
            memory_type=memory["memory_type"],
            session_id=memory["session_id"],
            created_at=memory["created_at"],
            metadata={"speaker": memory["speaker"]} if "speaker" in memory else None,
            agent_id=memory["agent_id"],
        )

    def search(self, query: str, agent_id: str, limit: int) -> list[int]:
        """Recall, accesses counted, as an agent does."""
        return [memory.id for memory in self.layer.recall(query, limit=limit, agent_id=agent_id)]

    def close(self) -> None:
        """Close the file."""
        self.layer.close()


if __name__ == "__main__":
    main(Peer)
