"""The plan of a sweep: which memories were chosen, as they were then, kept in memory or in a JSONL file to look over.

Which memories are chosen, and that they go, is left to `sweep`.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import IO

from . import errors
from .admission import Row
from .database import Database
from .incoming import identifier, name, whole
from .memory import COLUMNS
from .portable import BadLines

Mark = tuple[int, str, int, int, str | None]
"""A memory as it was chosen: id, uid, version, access_count, last_accessed_at. Any edit or recall changes one."""

NAMES = tuple(column.strip().removeprefix("m.") for column in COLUMNS.split(","))
"""The names of COLUMNS."""

MARK = "SELECT m.id, m.uid, m.version, m.access_count, m.last_accessed_at"

# Those of :marks, a JSON list of Marks, that are still the same, lie in the scope and are not pinned.
UNCHANGED = """
SELECT m.id FROM json_each(:marks) AS mark
 CROSS JOIN memories AS m ON m.id = mark.value ->> 0
 WHERE m.pinned = 0
   AND m.uid = mark.value ->> 1
   AND m.version = mark.value ->> 2
   AND m.access_count = mark.value ->> 3
   AND m.last_accessed_at IS mark.value ->> 4
   AND (:all_scopes OR (m.agent_id = :agent_id AND m.user_id = :user_id))
"""


def marks(database: Database, source: str, bindings: Row) -> list[Mark]:
    """Return the marks of what a statement chooses, in the order of the ids."""
    return database.rows(MARK + source, bindings)  # type: ignore[return-value]  # columns of a STRICT table


def unchanged(database: Database, marks: Sequence[Mark], bindings: Row) -> list[int]:
    """Return the ids that a sweep of these marks would take now, in order."""
    rows = database.rows(UNCHANGED, {**bindings, "marks": json.dumps(marks)})
    return sorted({int(id) for (id,) in rows if isinstance(id, int)})


def write(database: Database, path: str | os.PathLike[str], source: str, reason: str, bindings: Row) -> list[int]:
    """Write what a statement chooses, one JSON object a line, and return the ids; the memory file is only read.

    A line holds the columns of the memory, its strength and the reason. The file is whole or not there: it is written
    beside its place and renamed, and only its owner may read it.
    """
    statement = "SELECT " + COLUMNS + ", s.strength, " + reason + " AS reason" + source
    ids = []
    with _replacing(database, os.fspath(path)) as file, database.reading() as connection:
        for row in connection.execute(statement, bindings):
            ids.append(row[0])
            line = dict(zip((*NAMES, "strength", "reason"), row, strict=True))
            file.write(json.dumps({**line, "metadata": _json_or_text(line["metadata"])}, ensure_ascii=False) + "\n")
    return ids


def _json_or_text(metadata: str) -> object:
    """Return the metadata as JSON, or as the text that plain SQL stored: a plan may be the last copy of it."""
    try:
        return json.loads(metadata)
    except ValueError:
        return metadata


@contextlib.contextmanager
def _replacing(database: Database, path: str) -> Iterator[IO[str]]:
    """Write a file beside `path` and rename it there at the end; the memory file itself is refused."""
    if database.owns(path):
        raise ValueError(f"plan={path!r} is the memory file or a part of it: choose another name")
    try:
        handle, beside = tempfile.mkstemp(prefix=".plan-", dir=os.path.dirname(os.path.abspath(path)))
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise errors.SQLiteMemoryError(f"{path}: {error.strerror}") from error


def read(path: str | os.PathLike[str]) -> list[Mark]:
    """Return the marks of a plan in the order of the ids; BadLines names every line that is not one of a plan."""
    found: dict[int, Mark] = {}
    bad: dict[int, str] = {}
    try:
        with open(path, "rb") as file:
            for place, line in enumerate(iter(file.readline, b""), 1):
                try:
                    if line.strip():
                        mark = _mark(line)
                        found[mark[0]] = mark
                except (TypeError, ValueError) as error:
                    bad[place] = str(error)
    except OSError as error:
        raise errors.SQLiteMemoryError(f"{os.fspath(path)}: {error.strerror}") from error
    if bad:
        listed = "; ".join(f"line {place}: {what}" for place, what in islice(bad.items(), 20))
        raise BadLines(f"{os.fspath(path)} is no plan, nothing was deleted: {listed}", bad)
    return [found[id] for id in sorted(found)]


def _mark(line: bytes) -> Mark:
    try:
        fields = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ValueError("not a JSON object") from None
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    last = fields.get("last_accessed_at", "")
    return (
        identifier(fields.get("id")), name(fields.get("uid"), "uid"), whole(fields.get("version"), "version"),
        whole(fields.get("access_count"), "access_count"), None if last is None else name(last, "last_accessed_at"),
    )
