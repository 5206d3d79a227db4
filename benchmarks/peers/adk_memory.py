"""google-adk's SqliteMemoryService: an event for each memory, the agent as its app; SQLite's FTS5 below it."""

from __future__ import annotations

import asyncio
import datetime
import pathlib

from common import main
from google.adk.events.event import Event
from google.adk.memory import SqliteMemoryService
from google.genai import types


class Peer:
    """One service and the event loop that it runs in."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.loop = asyncio.new_event_loop()
        self.service = SqliteMemoryService(folder / "memory.db")

    def add(self, memory: dict[str, str]) -> str:
        """Add one event; its id is the memory's."""
        moment = {}
        if memory["created_at"]:
            moment["timestamp"] = datetime.datetime.fromisoformat(memory["created_at"]).timestamp()
        content = types.Content(role="user", parts=[types.Part(text=memory["content"])])
        event = Event(id=memory["id"], author=memory.get("speaker", "user"), content=content, **moment)
        self.loop.run_until_complete(
            self.service.add_events_to_memory(
                app_name=memory["agent_id"], user_id="user", events=[event], session_id=memory["session_id"]
            )
        )
        return memory["id"]

    def search(self, query: str, agent_id: str, limit: int) -> list[str]:
        """Search one app; the service returns up to 50 and takes no limit."""
        answer = self.loop.run_until_complete(
            self.service.search_memory(app_name=agent_id, user_id="user", query=query)
        )
        return [entry.custom_metadata["event_id"] for entry in answer.memories[:limit]]

    def close(self) -> None:
        """Close the service and the loop."""
        self.loop.run_until_complete(self.service.close())
        self.loop.close()


if __name__ == "__main__":
    main(Peer)
