"""What the memory knows of a user, all of it, to be read.

The block for a prompt is `context`'s; how a line reads is decided in `wording`.
"""

from __future__ import annotations

from .database import Database
from .filters import FILTER, read_filter
from .incoming import Scope
from .memory import COLUMNS, Memory, from_row
from .wording import Words, one_line, words_for

EVERYTHING = """
SELECT """ + COLUMNS + """ FROM memories AS m
 WHERE """ + FILTER + """
 ORDER BY m.created_at DESC, m.id DESC
"""

ORDER = {"preference": 0, "fact": 1, "state": 2, "skill": 3, "summary": 5, "episode": 6, "episodic": 6}
"""Place of a type in the notes; types of the user's own stand before the conversations."""


def notes(database: Database, scope: Scope) -> str:
    """Return every current memory as Markdown: a heading a type, newest first, each with its id, day and key."""
    memories = [from_row(row) for row in database.rows(EVERYTHING, read_filter(scope).values)]
    words = words_for(memory.content for memory in memories)
    if not memories:
        return words.nothing
    groups: dict[tuple[int, str], list[str]] = {}
    for memory in memories:
        place = ORDER.get(memory.memory_type, 4), words.type_of(memory.memory_type)
        groups.setdefault(place, []).append(_line(memory, words))
    parts = [words.known.format(len(memories))]
    for (_, heading), lines in sorted(groups.items()):
        parts.append("\n".join([f"## {heading} ({len(lines)})", *lines]))
    return "\n\n".join(parts)


def _line(memory: Memory, words: Words) -> str:
    key = "" if memory.key is None else f" ({one_line(memory.key)})"
    return f"- #{memory.id}{words.comma}{one_line(memory.created_at)[:10]}{words.colon}{one_line(memory.content)}{key}"
