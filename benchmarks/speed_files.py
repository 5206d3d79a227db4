"""Build the files that the speed benchmarks read: random memories, indexed as remember() does, without its gate.

A file is kept in the folder and taken again when it is there; only what is measured is left to the other scripts.
"""

from __future__ import annotations

import datetime
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import apsw

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import Corpus

import sqlite_memory  # found on the path that was just set
from sqlite_memory import SQLiteMemoryLayer
from sqlite_memory.text import PIPELINE_VERSION, Segmenter, fingerprint

BATCH = 1_000
"""Rows of one transaction, as in remember_many()."""

INSERT = """
INSERT INTO memories (agent_id, content, content_segmented, characters, fingerprint, created_at, valid_from)
VALUES (:agent_id, :content, :words, :characters, :fingerprint, :created_at, :created_at)
"""

PRAGMAS = "PRAGMA journal_mode = wal; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON"
"""What the layer sets on its own connection."""

BUILDING = "PRAGMA journal_mode = delete; PRAGMA journal_mode = off; PRAGMA synchronous = OFF"
"""For files that are thrown away when the program stops: the same file, without waiting for the disk."""


def prepared(memories: Iterable[dict[str, object]], segmenter: Segmenter) -> Iterator[dict[str, object]]:
    """Yield the parameters of INSERT: the least that has to be known of a memory to index it."""
    for memory in memories:
        content = str(memory["content"])
        words, characters = segmenter.segment(content)
        moment = datetime.datetime.fromtimestamp(int(str(memory["created_at"])), datetime.timezone.utc)
        yield {
            "agent_id": memory["agent_id"], "content": content, "words": words, "characters": characters,
            "fingerprint": fingerprint(content), "created_at": f"{moment:%Y-%m-%dT%H:%M:%S}.000Z",
        }


def empty(path: Path, pragmas: str = PRAGMAS) -> apsw.Connection:
    """Make a file with our schema and return a connection of its own, by default with our pragmas."""
    SQLiteMemoryLayer(path).close()
    connection = apsw.Connection(str(path))
    connection.execute(pragmas).fetchall()
    return connection


def insert(connection: apsw.Connection, rows: Iterator[dict[str, object]], batch: int = BATCH) -> None:
    """Insert rows, `batch` of them a transaction."""
    while some := list(islice(rows, batch)):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(INSERT, some)
        connection.execute("COMMIT")


def file_of(folder: Path, rows: int, scopes: int = 1, *, every: int = 1) -> Path:
    """Return a file of so many rows dealt out to so many agents; with `every`, only the first agent's 1 in so many.

    So `every=1000` is the first agent of a file of 1,000, alone. It is built at the first call, and anew for another
    schema: opening would mend the old file, index included.
    """
    schema = zlib.crc32(Path(sqlite_memory.__file__).with_name("schema.sql").read_bytes() + bytes([PIPELINE_VERSION]))
    path = folder / f"rows-{rows}-scopes-{scopes}-every-{every}-{schema:08x}.db"
    if path.exists():
        return path
    unfinished = path.with_suffix(".building")
    for old in folder.glob(unfinished.name + "*"):
        old.unlink()
    memories = islice(Corpus().memories(rows, scopes), 0, None, every)
    connection = empty(unfinished, BUILDING)
    insert(connection, prepared(memories, Segmenter()))
    connection.execute("PRAGMA journal_mode = wal").fetchall()
    connection.close()
    os.replace(unfinished, path)
    return path


def layer_of(path: Path) -> SQLiteMemoryLayer:
    """Open a built file as the first of its agents."""
    return SQLiteMemoryLayer(path, agent_id="agent0000")


if __name__ == "__main__":
    file_of(Path(sys.argv[1]), *map(int, sys.argv[2:]))
