"""Tell memory files from others, create them, and put back what their schema has lost.

What stands in the schema is written in schema.sql alone; rows are left to the layer.
"""

from __future__ import annotations

import functools
import importlib.resources

import apsw

from .errors import DamagedFile, NotAMemoryFile, SchemaTooNew

APPLICATION_ID = 0x534D454D
"""`PRAGMA application_id` of a memory file: SMEM."""

SCHEMA_VERSION = 1
"""`PRAGMA user_version` that this package writes and reads."""

REBUILD = """
INSERT INTO memories_fts (memories_fts, rank) VALUES ('rank', 'bm25(1.0, 0.3, 0.0)');
INSERT INTO memories_fts (memories_fts, rank) VALUES ('crisismerge', 1900);
INSERT INTO memories_fts (memories_fts, rank) VALUES ('usermerge', 3);
INSERT INTO memories_fts (memories_fts) VALUES ('rebuild');
UPDATE memories SET content_segmented = content WHERE content_segmented IS NULL;
UPDATE memories SET needs_segment = 1;
DELETE FROM scopes;
INSERT INTO scopes SELECT agent_id, user_id, count(*), coalesce(sum(words), 0) FROM memories GROUP BY agent_id, user_id;
"""
"""Make everything derived anew from the rows, and flag all rows: without its triggers a file may hold stale words."""


def identify(connection: apsw.Connection) -> str:
    """Return `new` for an empty database, `memory` for ours, `adopt` for ours without its stamp (a restored dump).

    Raises NotAMemoryFile or SchemaTooNew. Only reads.
    """
    application_id = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    if not names and application_id == 0:
        return "new"
    if application_id == APPLICATION_ID:
        _check_version(version)
        return "memory"
    if application_id == 0 and {"memories", "memories_fts", "memories_insert", "policy"} <= names:
        (stored,) = connection.execute("SELECT max(value) FROM policy WHERE name = 'schema_version'").fetchall()[0]
        _check_version(int(float(str(stored or 0))))
        return "adopt"
    raise NotAMemoryFile("this is the database of another program; choose another path (it was left as it was)")


def _check_version(version: int) -> None:
    if version > SCHEMA_VERSION:
        raise SchemaTooNew(f"the file has schema version {version}, newer than {SCHEMA_VERSION}: upgrade this package")


def create(connection: apsw.Connection) -> None:
    """Write the schema into an empty database, inside the caller's transaction."""
    connection.execute(schema_sql())


def stamp(connection: apsw.Connection) -> None:
    """Mark a restored dump as a memory file, inside the caller's transaction."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}; PRAGMA user_version = {SCHEMA_VERSION:d}")


def missing(connection: apsw.Connection) -> list[str]:
    """Return what is gone or changed: tables, indexes, triggers, views, policy rows; those of users do not matter."""
    present = _objects(connection)
    lost = [name for name, sql in _expected().items() if present.get(name) != sql]
    if "policy" not in lost:
        rows = {name for (name,) in connection.execute("SELECT name FROM policy")}
        lost += [f"policy row {name}" for name in _policy() if name not in rows]
    return lost


def restore(connection: apsw.Connection, *, rebuild: bool = False) -> list[str]:
    """Put back what `missing` names and return the names; make the index anew where it may be stale, or to `rebuild`.

    Runs inside the caller's transaction. Raises DamagedFile when a table that holds data is gone or changed: only a
    backup can bring that back.
    """
    lost = missing(connection)
    kinds = {name: kind for kind, name in _statements()}
    data = [name for name in lost if kinds.get(name) == "TABLE"]
    if data:
        raise DamagedFile(f"table {', '.join(data)} is missing or changed: restore the file from a backup")
    for (kind, name), sql in _statements().items():
        if name in lost or (rebuild and name == "memories_fts"):
            connection.execute(f'DROP {kind.replace("VIRTUAL ", "")} IF EXISTS "{name}"; {sql}')
    for name, row in _policy().items():
        if f"policy row {name}" in lost:
            connection.execute("INSERT INTO policy (name, value, comment) VALUES (?, ?, ?)", row)
    if rebuild or keeps_index(lost):
        connection.execute(REBUILD)
    return lost


def keeps_index(names: list[str]) -> bool:
    """Tell whether one of these keeps index and totals: while it was gone they may have become stale."""
    keepers = ("memories_fts", "memories_insert", "memories_update", "memories_delete", "scopes", "dictionary")
    return any(name.startswith(keepers) for name in names)


@functools.lru_cache(maxsize=1)
def schema_sql() -> str:
    """Return the text of schema.sql."""
    return importlib.resources.files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")


@functools.lru_cache(maxsize=1)
def _statements() -> dict[tuple[str, str], str]:
    """Return the CREATE statements of schema.sql as (kind, name) -> text, in the order of the file."""
    connection = apsw.Connection(":memory:")
    connection.execute(schema_sql())
    rows = connection.execute(
        """
        SELECT upper(type), name, sql FROM sqlite_schema
         WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'memories_fts_%' ORDER BY rowid
        """
    ).fetchall()
    connection.close()
    statements = {}
    for kind, name, sql in rows:
        virtual = str(sql).startswith("CREATE VIRTUAL")
        statements["VIRTUAL TABLE" if virtual else str(kind), str(name)] = str(sql)
    return statements


def default_policy() -> dict[str, float]:
    """Return the policy of schema.sql, for a row that somebody deleted while the file was open."""
    return {name: value for name, (_, value, _) in _policy().items()}


@functools.lru_cache(maxsize=1)
def _policy() -> dict[str, tuple[str, float, str]]:
    """Return the policy rows of schema.sql by name."""
    connection = apsw.Connection(":memory:")
    connection.execute(schema_sql())
    rows = connection.execute("SELECT name, value, comment FROM policy").fetchall()
    connection.close()
    return {str(name): (str(name), float(str(value)), str(comment)) for name, value, comment in rows}


@functools.lru_cache(maxsize=1)
def _expected() -> dict[str, str]:
    return {name: _folded(sql) for (_, name), sql in _statements().items()}


def _objects(connection: apsw.Connection) -> dict[str, str]:
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return {name: _folded(sql) for name, sql in rows}


def _folded(sql: str) -> str:
    return " ".join(sql.split())


def _pragma(connection: apsw.Connection, name: str) -> int:
    value = connection.pragma(name)
    assert isinstance(value, int)
    return value
