"""cpersona as an MCP client has it: its own server over stdio, no embedding server; `agent_id` in every call.

The client is a few lines of JSON-RPC, so that little but the server is measured.
"""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import subprocess
import sys

from common import main


class Peer:
    """One server process and the pipe to it."""

    def __init__(self, folder: pathlib.Path) -> None:
        settings = {"CPERSONA_DB_PATH": str(folder / "cpersona.db"), "CPERSONA_UPDATE_CHECK": "false"}
        self.server = subprocess.Popen(
            [pathlib.Path(sys.executable).with_name("cpersona")],
            env={**os.environ, **settings, "HOME": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self.numbers = itertools.count()
        client = {"name": "benchmark", "version": "1"}
        self.request("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self.send(method="notifications/initialized")

    def send(self, **message: object) -> None:
        """Write one message."""
        self.server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.server.stdin.flush()

    def request(self, method: str, **parameters: object) -> dict[str, object]:
        """Write one request and wait for its answer."""
        number = next(self.numbers)
        self.send(id=number, method=method, params=parameters)
        for line in self.server.stdout:
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                return message["result"]
        raise RuntimeError("the cpersona server ended")

    def call(self, tool: str, **arguments: object) -> dict[str, object]:
        """Call a tool and read the JSON in its text."""
        return json.loads(self.request("tools/call", name=tool, arguments=arguments)["content"][0]["text"])

    def add(self, memory: dict[str, str]) -> str | None:
        """Store one memory under its own id and time."""
        moment = {"timestamp": f"{memory['created_at']}+00:00"} if memory["created_at"] else {}
        answer = self.call(
            "store", agent_id=memory["agent_id"], content=memory["content"], id=memory["id"], **moment
        )
        return memory["id"] if answer["result"] == "stored" else None

    def search(self, query: str, agent_id: str, limit: int) -> list[str]:
        """Recall; the last row is the best one, and there may be more rows than the limit."""
        rows = self.call("recall", agent_id=agent_id, query=query, limit=limit)["messages"]
        return [row["id"] for row in reversed(rows)][:limit]

    def close(self) -> None:
        """Close the pipe, which ends the server."""
        self.server.stdin.close()
        self.server.wait(30)


if __name__ == "__main__":
    main(Peer)
