"""Each statement finds its memories by an index of its own: only those listed here may read a scope row by row."""

from __future__ import annotations

import importlib
import pkgutil
import re

import apsw
import pytest

import sqlite_memory

READ_A_WHOLE_SCOPE = {
    "archive.ROW": "a beginning of statements",
    "archive.WANTED": "recover() without uids brings back everything",
    "context.LATEST_SESSION": "stops at the newest",
    "context.MATTERING_MOST": "stops at the most important few hundred",
    "history.CHAIN": "a key may stand in every type, and the index has the type first",
    "notes.EVERYTHING": "everything",
    "ranking.LIST": "recall(None) lists by strength",
    "scrub.OF_SCOPE": "clear()",
    "store.BY_TYPE": "stats()",
    "store.STATS": "stats()",
    "sweep.FORGETTABLE": "forget()",
    "tags.RENAME": "tags stand in the metadata",
    "tags.TAGS": "the same",
    "upkeep.TOTALS_DIFFER": "check()",
}
STATEMENT = re.compile(r"\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b")


class Unbound(dict):
    """Parameters that are all NULL: the plan does not depend on them."""

    def __missing__(self, name: str) -> None:
        return None


def statements():
    for found in pkgutil.iter_modules(sqlite_memory.__path__):
        if found.name != "__main__":
            module = importlib.import_module(f"sqlite_memory.{found.name}")
            for name, value in vars(module).items():
                if isinstance(value, str) and STATEMENT.match(value) and "agent_id" in value and name != "GIVEN":
                    yield pytest.param(f"{found.name}.{name}", value, id=f"{found.name}.{name}")


@pytest.mark.parametrize(("name", "statement"), list(statements()))
def test_a_statement_finds_its_rows_by_an_index(path: str, name: str, statement: str) -> None:
    sqlite_memory.SQLiteMemoryLayer(path).close()
    connection = apsw.Connection(path)
    plan = [row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + statement, Unbound())]
    connection.close()
    whole = [
        step for step in plan
        if re.match(r"(SCAN|SEARCH) (m|memories)\b", step) and re.search(r"^SCAN|\(agent_id=\? AND user_id=\?( AND valid_to=\?)?\)$", step)
    ]
    assert bool(whole) == (name in READ_A_WHOLE_SCOPE), plan
