"""Keep the index true: segment what plain SQL wrote, index anew, check and repair.

Which words a text has is decided in `text`; what the schema must hold in `schema`.
"""

from __future__ import annotations

from collections.abc import Callable

from . import errors, schema
from .database import Database, Value
from .memory import Report
from .policy import read_policy
from .text import PIPELINE_VERSION, Segmenter, clean, fingerprint

Progress = Callable[[int, int], None]
"""Called with (rows done, rows in all) while long work goes on."""

BATCH = 500
"""Rows segmented in one transaction: it holds the write lock for some 20 ms."""

AT_OPEN = 2_000
"""Rows that opening a file segments at most, about half a second; the rest waits for `reindex`."""


# Every commit adds a part to the index, and a search looks into every part: merging a few pages of them with each write
# keeps three parts where there were thirty.
MERGE = "INSERT INTO memories_fts (memories_fts, rank) VALUES ('merge', :pages)"

FEW, MANY = {"pages": 8}, {"pages": 500}
"""Pages that a single write and that a batch of rows merges."""

# Bytes, because other programs can store text that is not UTF-8; it is mended here.
FLAGGED = "SELECT id, CAST(content AS BLOB) FROM memories WHERE needs_segment = 1 ORDER BY id LIMIT :limit"

SEGMENT = """
UPDATE memories
   SET content = :content, content_segmented = :content_segmented, characters = :characters,
       fingerprint = :fingerprint, needs_segment = 0
 WHERE id = :id AND CAST(content AS BLOB) = :bytes
"""


def segment_flagged(
    database: Database, *, limit: int | None = None, wait: bool = True, progress: Progress | None = None
) -> int:
    """Segment the rows that plain SQL wrote, at most `limit`, batch by batch; return how many.

    With `wait=False` it raises Busy at once when another connection writes. The text is cut before the lock is taken.
    """
    total = count_flagged(database)
    goal = total if limit is None else min(limit, total)
    done = 0
    while done < goal:
        rows = database.rows(FLAGGED, {"limit": min(BATCH, goal - done)})
        if not rows:
            break
        segmenter = read_policy(database).segmenter
        cut = [{"id": id, "bytes": stored, **indexed(_decoded(stored), segmenter)} for id, stored in rows]
        with database.writing(wait=wait) as connection:
            connection.executemany(SEGMENT, cut)
            connection.execute(MERGE, MANY)
        done += len(rows)
        if progress:
            progress(done, goal)
    return done


def indexed(content: str, segmenter: Segmenter) -> dict[str, Value]:
    """Return `content` with the three columns that the index needs of it."""
    words, characters = segmenter.segment(content)
    return {
        "content": content, "content_segmented": words, "characters": characters, "fingerprint": fingerprint(content)
    }


def _decoded(stored: Value) -> str:
    assert isinstance(stored, bytes)
    return clean(stored.decode("utf-8", "replace"))


def count_flagged(database: Database) -> int:
    """Return how many rows wait to be segmented."""
    return _number(database, "SELECT count(*) FROM memories WHERE needs_segment = 1")


def reindex(database: Database, *, wait: bool = True, progress: Progress | None = None) -> int:
    """Segment every row anew with this version of the pipeline and optimize the index; return how many rows."""
    with database.writing(wait=wait) as connection:
        connection.execute("UPDATE memories SET needs_segment = 1")
    done = segment_flagged(database, wait=wait, progress=progress)
    with database.writing(wait=wait) as connection:
        connection.execute("UPDATE policy SET value = ? WHERE name = 'pipeline_version'", (PIPELINE_VERSION,))
        connection.execute("INSERT INTO memories_fts (memories_fts) VALUES ('optimize')")
        database.settings_changed()
    return done


def catch_up(database: Database) -> str | None:
    """Do at open what does not make opening wait; return a warning when work is left, else None.

    A busy or read-only file is left as it is: its rows are found by their raw words meanwhile.
    """
    outdated = pipeline_version(database) != PIPELINE_VERSION
    rows = _number(database, "SELECT count(*) FROM memories") if outdated else count_flagged(database)
    if not outdated and not rows:
        return None
    try:
        if outdated and rows <= AT_OPEN:
            reindex(database, wait=False)
            return None
        left = rows if outdated else rows - segment_flagged(database, limit=AT_OPEN, wait=False)
    except (errors.Busy, errors.ReadOnly, errors.Full):
        return None
    return f"{left} memories are not segmented as this version does: run `sqlite-memory reindex`" if left else None


def check(database: Database) -> Report:
    """Examine the file, the schema, the index (against every row) and the totals; nothing is changed.

    On a read-only layer the index cannot be compared with the rows; the report says so.
    """
    problems: list[str] = []
    done: tuple[str, ...] = ()
    with database.reading() as connection:
        problems += [str(row[0]) for row in connection.execute("PRAGMA integrity_check(10)") if row[0] != "ok"]
        lost = schema.missing(connection)
    if lost:
        problems.append(f"missing or changed in the schema: {', '.join(lost)}")
    if database.read_only:
        done = ("the index was not compared with the rows: that takes a layer that may write",)
    elif "memories_fts" not in lost:
        problems += _index_problems(database)
    if not lost:
        problems += _row_problems(database)
    return Report(ok=not problems, problems=tuple(problems), done=done)


def _index_problems(database: Database) -> list[str]:
    try:
        with database.writing() as connection:
            connection.execute("INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)")
    except errors.DamagedFile:
        return ["the index does not match the rows"]
    return []


TOTALS_DIFFER = """
WITH
  fresh AS (SELECT agent_id, user_id, count(*), coalesce(sum(words), 0) FROM memories GROUP BY agent_id, user_id),
  kept AS (SELECT agent_id, user_id, memories, words FROM scopes)
SELECT count(*) FROM (
  SELECT * FROM (SELECT * FROM fresh EXCEPT SELECT * FROM kept)
  UNION ALL
  SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM fresh)
)
"""


def _row_problems(database: Database) -> list[str]:
    problems = []
    flagged = count_flagged(database) + _number(
        database, "SELECT count(*) FROM memories WHERE content_segmented IS NULL AND needs_segment = 0"
    )
    if flagged:
        problems.append(f"{flagged} memories are not segmented yet")
    if (version := pipeline_version(database)) != PIPELINE_VERSION:
        problems.append(f"segmented by pipeline version {version:g}, not {PIPELINE_VERSION}")
    if _number(database, TOTALS_DIFFER):
        problems.append("the totals in scopes do not match the rows")
    return problems


def repair(database: Database, *, progress: Progress | None = None) -> Report:
    """Put back what the schema lost, rebuild the index and the totals from the rows, and segment all of them.

    Rebuilding holds the write lock, about a second for 20,000 rows. Raises DamagedFile when a table of data is gone.
    """
    with database.writing() as connection:
        lost = schema.restore(connection, rebuild=True)
    done = [f"put back {name}" for name in lost] + ["rebuilt the index and the totals"]
    done.append(f"segmented {reindex(database, progress=progress)} memories")
    report = check(database)
    return Report(ok=report.ok, problems=report.problems, done=tuple(done))


def pipeline_version(database: Database) -> int:
    """Return the version of the text pipeline that the file was segmented with."""
    return _number(database, "SELECT value FROM policy WHERE name = 'pipeline_version'")


def _number(database: Database, sql: str) -> int:
    (value,) = database.rows(sql)[0]
    assert isinstance(value, (int, float))
    return int(value)
