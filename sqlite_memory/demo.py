"""The demonstration: a small bilingual memory, made and walked through step by step."""

from __future__ import annotations

import datetime
import importlib.resources
import json
import os
import tempfile

from .layer import SQLiteMemoryLayer
from .screen import Screen

STRENGTH = """
SELECT round(s.strength, 2) AS strength, m.importance, m.access_count AS recalls, round(s.days) AS days, m.content
  FROM memories AS m JOIN strength AS s ON s.id = m.id
 ORDER BY s.strength DESC LIMIT 5
"""


def run(screen: Screen, path: str | None = None) -> str:
    """Make a memory file at `path`, or in a new temporary folder, walk through it, and return its path."""
    path = path or os.path.join(tempfile.mkdtemp(prefix="sqlite-memory-demo-"), "memory.db")
    with SQLiteMemoryLayer(path) as memory:
        _step(screen, 1, "Remember", "facts, preferences, states, skills and turns of a conversation, in two languages")
        ids = memory.remember_many(conversation())
        screen.text(f"  {len(ids)} memories in one file: {path}")
        screen.text(f"  and what is noise is refused: remember('好的，谢谢') -> {memory.remember('好的，谢谢')}")

        _step(screen, 2, "Recall", "any text is a query; score = relevance (BM25) x strength (importance, visits, age)")
        for query in ("界面上有什么偏好？", "家里养了什么猫？", "when may we deploy?", "review with Maya"):
            screen.text(screen.paint(f"  recall({query!r})", "bold"))
            screen.memories(memory.recall(query, limit=2))

        _step(screen, 3, "Correct", "a fact with a key has one current version; the old one stays in the history")
        memory.remember("The staging database moved to PostgreSQL 17 on host pve-02.", key="staging_db")
        screen.text(screen.paint("  recall('staging database')", "bold"))
        screen.memories(memory.recall("staging database", limit=1))
        screen.text(screen.paint("  recall('staging database', as_of=<20 days ago>)", "bold"))
        screen.memories(memory.recall("staging database", limit=1, as_of=_days_ago(20)))

        _step(screen, 4, "Strength", "how alive each memory is; a view in the file, so SQL sees the same number")
        screen.rows(memory.sql(STRENGTH))

        _step(screen, 5, "Forget", "what is unimportant and unvisited fades; a dry run of the nightly sweep")
        screen.rows(memory.sql("SELECT reason, importance, round(days) AS days, content FROM forgettable"))
        screen.text(f"  forget(dry_run=True) -> {memory.forget(dry_run=True)}")

        _step(screen, 6, "It is only SQLite", "the same questions from any SQLite shell")
        search = "SELECT content, score FROM recall WHERE query MATCH 'deploy' ORDER BY score DESC"
        screen.text(f'  sqlite3 {path} "{search}"')
        screen.text("  (columns: id, score, type, day, content; the file is yours to keep or to delete)")
        screen.text(f'  sqlite3 {path} "DELETE FROM memories WHERE id IN (SELECT id FROM forgettable)"')
        screen.text(f"  sqlite-memory --db {path} recall --sql 部署窗口     # the statement that Python runs")
    return path


def conversation() -> list[dict[str, object]]:
    """Return the memories of the demonstration as arguments of remember(), with times counted back from now."""
    text = importlib.resources.files(__package__).joinpath("demo.jsonl").read_text(encoding="utf-8")
    memories = [json.loads(line) for line in text.splitlines()]
    return [{"created_at": _days_ago(memory.pop("days_ago")), **memory} for memory in memories]


def _days_ago(days: float) -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)


def _step(screen: Screen, number: int, title: str, what: str) -> None:
    screen.text()
    screen.text(f"{screen.paint(f'{number}. {title}', 'yellow')}  {what}")
