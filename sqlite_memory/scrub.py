"""Really gone: leave nothing of what was deleted in the file, in its log or in its index.

Deleting is left to `store` and `sweep`. Copies elsewhere (an archive, a backup, an export, a plan) are files of their
own.
"""

from __future__ import annotations

import json
import os

import apsw

from . import errors, store
from .database import Database
from .incoming import Scope
from .match import quoted
from .memory import Report
from .pace import Pace


class TracesLeft(errors.SQLiteMemoryError):
    """The rows are deleted, but the file may still hold bytes of them; `report` says why. Call scrub() again."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


# Segments written before the delete still hold its words; a merge of all of them drops what no memory holds.
MERGE = "INSERT INTO memories_fts (memories_fts) VALUES ('optimize')"

# The memories with all characters of a name in a row, across a comma too: that is looked at afterwards.
HELD = """
SELECT 1 FROM memories_fts AS f CROSS JOIN memories AS m ON m.id = f.rowid
 WHERE f.memories_fts MATCH :characters
   AND (instr(' ' || m.content_segmented || ' ', ' ' || :word || ' ') > 0 OR instr(m.content, :word) > 0)
UNION ALL
SELECT 1 FROM memories WHERE needs_segment = 1 AND instr(content, :word) > 0   -- these have no characters yet
 LIMIT 1
"""

# ANALYZE of some builds keeps samples of the indexed columns: keys, session ids.
SAMPLES = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'"
DELETE_SAMPLES = "DELETE FROM sqlite_stat4"


def scrub(database: Database) -> Report:
    """Write index and file anew without what is deleted and empty the log; say what could not be done.

    `secure_delete` zeroes what our own connections delete; VACUUM takes what a shell without it left on free pages,
    and the pieces of rows that stay behind where SQLite moves a row to another page.
    """
    try:
        with database.writing() as connection:
            if connection.execute(SAMPLES).fetchone():
                connection.execute(DELETE_SAMPLES)
            words = _forget_names(database, connection)
            connection.execute(MERGE)
        with database.reading() as connection:
            connection.execute("VACUUM")
    except (errors.Busy, errors.Full) as error:
        return Report(ok=False, problems=(f"the file was not written anew: {error}",))
    done: tuple[str, ...] = ("wrote the index and the file anew",)
    if words:
        done = (f"took {words} words out of the dictionary that no memory holds", *done)
    problems = _left_beside(database)
    return Report(ok=not problems, problems=problems, done=done if problems else (*done, "emptied the log"))


def _forget_names(database: Database, connection: apsw.Connection) -> int:
    """Take out of the dictionary what no memory holds, and return how many: such a name gives away what is deleted."""
    names = [str(word) for (word,) in connection.execute("SELECT word FROM dictionary")]
    unheld = [
        (name,) for name in names
        if not connection.execute(HELD, {"word": name, "characters": f"characters : {quoted(' '.join(name))}"}).fetchone()
    ]
    connection.executemany("DELETE FROM dictionary WHERE word = ?", unheld)
    database.settings_changed()
    return len(unheld)


def _left_beside(database: Database) -> tuple[str, ...]:
    """Empty the log; return what is still beside the file."""
    if not checkpoint(database, wait=True):
        return ("the log still holds old pages, because another connection reads them: end it and scrub again",)
    journal = database.path + "-journal"
    if os.path.exists(journal) and os.path.getsize(journal):
        return (f"{journal} is left of another journal mode: close every program that uses the file and delete it",)
    return ()


def checkpoint(database: Database, *, wait: bool) -> bool:
    """Move the log into the file and cut it to no byte; return False when a reader or writer is in the way.

    Without `wait` nobody is kept from writing: most is moved without a lock, and a lock that is taken is not waited
    for. With it a reader is given the busy timeout to end, and writers wait meanwhile.
    """
    with database.reading() as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        if not wait:
            connection.set_busy_timeout(0)
        try:
            (row,) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.set_busy_timeout(round(database.busy_timeout * 1000))
    return not row[0]


def leave_no_trace(database: Database) -> None:
    """Scrub, and raise TracesLeft when that was not possible."""
    report = scrub(database)
    if not report.ok:
        raise TracesLeft(f"deleted, but traces are left: {'; '.join(report.problems)}", report)


OF_SCOPE = "SELECT id FROM memories WHERE agent_id = :agent_id AND user_id = :user_id ORDER BY id"


def clear(database: Database, scope: Scope) -> int:
    """Delete every memory of a scope, pinned ones too, in short transactions; scrub, and return how many there were."""
    deleted = 0
    pace = Pace(database)
    while ids := [store.id_of(row) for row in database.rows(OF_SCOPE, scope.bindings())]:
        for batch in pace.batches(ids):
            with pace.writing(len(batch)) as connection:
                connection.execute(store.DELETE, {"ids": json.dumps(batch), **scope.bindings()})
                deleted += connection.changes()
    leave_no_trace(database)
    return deleted
