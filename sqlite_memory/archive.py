"""Move memories to another memory file and back, one transaction a side, so that a crash neither loses nor doubles one.

Which memories move is left to `sweep`. The copy is on disk before the original goes; a memory is known by its uid and
scope, so a move that was cut short is repeated and ends as if nothing had happened.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence

import apsw

from . import errors, upkeep
from .admission import Row
from .database import JOURNAL_LIMIT, Database, Value
from .incoming import Scope, flag, names
from .incoming import path as checked_path
from .memory import COLUMNS
from .pace import Pace
from .plan import NAMES, UNCHANGED
from .policy import read_policy
from .scrub import checkpoint
from .store import BY_UID, id_of
from .text import PIPELINE_VERSION


def refuse_same_file(database: Database, path: str | os.PathLike[str]) -> None:
    """Raise ValueError when an archive would be the file or a part of it, or would not outlive the move."""
    if database.owns(path) or os.fspath(path) == ":memory:":
        raise ValueError(f"archive={os.fspath(path)!r} must be another file than {database.path}")


@contextlib.contextmanager
def opened(path: str | os.PathLike[str] | None, database: Database) -> Iterator[Database | None]:
    """Open the archive (None for none), made when it is not there, with commits that outlive a power failure."""
    if path is None:
        yield None
        return
    archive = Database(path, read_only=False, busy_timeout=database.busy_timeout)
    try:
        with archive.reading() as connection:
            connection.execute("PRAGMA wal_autocheckpoint = 0")   # see _empty_log()
        with durable(archive):
            yield archive
    finally:
        archive.close()


@contextlib.contextmanager
def durable(database: Database) -> Iterator[None]:
    """Let commits wait for the disk: with NORMAL, a power failure may undo the last ones of a write-ahead log."""
    with database.reading() as connection:
        connection.execute("PRAGMA synchronous = FULL")
    try:
        yield
    finally:
        with database.reading() as connection:
            connection.execute("PRAGMA synchronous = NORMAL")


INDEXED = ("content_segmented", "characters", "fingerprint", "needs_segment")
"""What the index needs, as the file of the row has it."""

ROW = "SELECT " + COLUMNS + ", " + ", ".join(INDEXED) + " FROM memories AS m"
CHOSEN = ROW + " WHERE m.id IN (" + UNCHANGED + ") ORDER BY m.id"

# What an earlier move left before it was cut short, and what was edited or recalled since.
DISCARD_OLDER = f"DELETE FROM memories WHERE {BY_UID} AND (version, access_count) < (:version, :access_count)"

INSERT = f"""
INSERT INTO memories (
  uid, agent_id, user_id, session_id, memory_type, key, content, metadata, importance, access_count, last_accessed_at,
  created_at, updated_at, valid_from, valid_to, expires_at, version, pinned, content_segmented, characters, fingerprint
)
SELECT
  :uid, :agent_id, :user_id, :session_id, :memory_type, :key, :content, :metadata, :importance, :access_count,
  :last_accessed_at, :created_at, :updated_at, :valid_from, :valid_to, :expires_at, :version, :pinned,
  :content_segmented, :characters, :fingerprint
 WHERE NOT EXISTS (SELECT 1 FROM memories WHERE {BY_UID})
RETURNING id
"""

DISCARD = f"DELETE FROM memories WHERE {BY_UID}"


def move(database: Database, archive: Database, chosen: Row, delete: str, pace: Pace, size: int) -> list[int]:
    """Move to the archive what is still as it was chosen; `delete` takes that away here and returns the ids.

    The archive stays locked until it holds the copies for good and this file is locked too: of two sweeps, none can
    take the copies of the other for its own.
    """
    rows = _prepared(database, archive, database.rows(CHOSEN, chosen))
    with archive.writing() as there:
        copied = []
        for row in rows:
            there.execute(DISCARD_OLDER, row)
            if _insert(there, row) is not None:
                copied.append(row)
        there.execute(upkeep.MERGE, upkeep.MANY)
        with pace.writing(size) as here:
            ids = sorted(id_of(row) for row in here.execute(delete, chosen).fetchall())
            there.executemany(DISCARD, [row for row in copied if row["id"] not in set(ids)])
            there.execute("COMMIT")
    _empty_log(archive)
    return ids


def _empty_log(archive: Database) -> None:
    """Move the log of the archive into the file once it is long: SQLite itself would do so inside a commit."""
    log = archive.path + "-wal"
    if os.path.exists(log) and os.path.getsize(log) > JOURNAL_LIMIT:
        checkpoint(archive, wait=False)


def _prepared(source: Database, target: Database, rows: Sequence[Sequence[Value]]) -> list[Row]:
    """Return rows by name, segmented as the file that they go to segments: anew only where the two files differ."""
    segmenter = read_policy(target).segmenter
    alike = segmenter is read_policy(source).segmenter
    alike = alike and upkeep.pipeline_version(source) == upkeep.pipeline_version(target) == PIPELINE_VERSION
    prepared = []
    for row in rows:
        values = dict(zip((*NAMES, *INDEXED), row, strict=True))
        if not alike or values["needs_segment"]:
            values |= upkeep.indexed(str(values["content"]), segmenter)
        prepared.append(values)
    return prepared


def _insert(connection: apsw.Connection, row: Row) -> int | None:
    """Insert a row and return its id, or None when the file has it."""
    inserted = connection.execute(INSERT, row).fetchall()
    return id_of(inserted[0]) if inserted else None


WANTED = """
SELECT m.id FROM memories AS m
 WHERE (:all_scopes OR (m.agent_id = :agent_id AND m.user_id = :user_id))
   AND (:uids IS NULL OR m.uid IN (SELECT value FROM json_each(:uids)))
 ORDER BY m.id
"""

ARCHIVED = ROW + " WHERE m.id IN (SELECT value FROM json_each(:ids)) ORDER BY m.id"


def recover(
    database: Database, path: str | os.PathLike[str], scope: Scope, *, uids: object = None, all_scopes: object = False
) -> list[int]:
    """Bring archived memories back and return their new ids; see the layer's recover().

    The archive stays locked until a memory is in both files, so that no sweep can take it away in between.
    """
    bindings: Row = {
        **scope.bindings(), "all_scopes": flag(all_scopes, "all_scopes"),
        "uids": None if uids is None else json.dumps(names(uids, "uids")),
    }
    path = checked_path(path, "archive")
    refuse_same_file(database, path)
    if not os.path.exists(path):
        raise errors.SQLiteMemoryError(f"{path}: there is no such archive")
    back: list[int] = []
    with opened(path, database) as archive, durable(database):
        assert archive is not None
        pace = Pace(database)
        for batch in pace.batches([id_of(row) for row in archive.rows(WANTED, bindings)]):
            with archive.writing() as there:
                found = there.execute(ARCHIVED, {"ids": json.dumps(batch)}).fetchall()
                rows = _prepared(archive, database, found)
                with pace.writing(len(batch)) as here:
                    back += [id for row in rows if (id := _insert(here, row)) is not None]
                there.executemany(DISCARD, rows)
            _empty_log(archive)
    return back
