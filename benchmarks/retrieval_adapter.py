"""The product as a scorer of question sets asks for it: `factory(path of memories.jsonl)` returns a search function."""

import os
import tempfile

from sqlite_memory import SQLiteMemoryLayer


def factory(path):
    """Import memories.jsonl with its own times and types; the id of a line is the uid of its memory."""
    folder = tempfile.TemporaryDirectory()
    layer = SQLiteMemoryLayer(os.path.join(folder.name, "memory.db"))
    layer.import_jsonl(path)

    def search(query, agent_id, limit, asked_at=None):
        return [m.uid for m in layer.recall(query, limit=limit, as_of=asked_at, agent_id=agent_id)]

    search.folder = folder
    return search
