"""hermes-agent's holographic provider through its tool `fact_store`; it knows no agents, so each has a file of its own.

Hermes itself does the same: one HERMES_HOME, and in it one memory_store.db, a profile.
"""

from __future__ import annotations

import json
import os
import pathlib

from common import main
from plugins.memory.holographic import HolographicMemoryProvider


class Peer:
    """A provider for each agent, opened when it is first needed."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.providers: dict[str, HolographicMemoryProvider] = {}
        os.environ["HERMES_HOME"] = str(folder)

    def provider(self, agent_id: str) -> HolographicMemoryProvider:
        """Return the provider of one agent."""
        if agent_id not in self.providers:
            provider = HolographicMemoryProvider({"db_path": str(self.folder / f"{agent_id}.db")})
            provider.initialize("benchmark")
            self.providers[agent_id] = provider
        return self.providers[agent_id]

    def call(self, agent_id: str, **arguments: object) -> dict[str, object]:
        """Call the tool and read its JSON."""
        return json.loads(self.provider(agent_id).handle_tool_call("fact_store", arguments))

    def add(self, memory: dict[str, str]) -> str:
        """Add one fact; ids count up in each file, so they are told apart by the agent."""
        agent_id = memory["agent_id"]
        return f"{agent_id} {self.call(agent_id, action='add', content=memory['content'])['fact_id']}"

    def search(self, query: str, agent_id: str, limit: int) -> list[str]:
        """Search the facts of one agent."""
        answer = self.call(agent_id, action="search", query=query, limit=limit)
        return [f"{agent_id} {fact['fact_id']}" for fact in answer["results"]]

    def close(self) -> None:
        """Close every file."""
        for provider in self.providers.values():
            provider.shutdown()


if __name__ == "__main__":
    main(Peer)
