"""Search functions for a scorer of question sets: a factory is given the path of memories.jsonl and returns one."""

import os
import tempfile

from sqlite_memory import SQLiteMemoryLayer
from sqlite_memory.match import quoted
from sqlite_memory.text import Segmenter

PLAIN = """
SELECT m.uid FROM memories_fts AS f JOIN memories AS m ON m.id = f.rowid
 WHERE f.memories_fts MATCH :words AND m.agent_id = :agent_id ORDER BY bm25(f.memories_fts) LIMIT :limit
"""


def factory(path):
    """Return the product's own search, memories imported with their own times and types, ids of lines as uids."""
    layer = _imported(path)

    def search(query, agent_id, limit, asked_at=None):
        return [m.uid for m in layer.recall(query, limit=limit, as_of=asked_at, agent_id=agent_id)]

    return search


def plain(path):
    """Return FTS5's own bm25 over the same words, joined by OR."""
    layer, segmenter = _imported(path), Segmenter()

    def search(query, agent_id, limit, asked_at=None):
        words = " OR ".join(map(quoted, dict.fromkeys(segmenter.segment(query).words.split())))
        bindings = {"words": f"content_segmented : ({words})", "agent_id": agent_id, "limit": limit}
        return [row["uid"] for row in layer.sql(PLAIN, bindings)] if words else []

    return search


def _imported(path):
    folder = tempfile.TemporaryDirectory()
    layer = SQLiteMemoryLayer(os.path.join(folder.name, "memory.db"))
    layer.import_jsonl(path)
    layer.folder = folder     # lives as long as the layer
    return layer
