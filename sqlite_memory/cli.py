"""The command `sqlite-memory`: the only module that prints. What it does is the layer's.

Exit codes: 0 done, 1 failed or refused, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from . import demo, wording
from .arguments import DEFAULT_PATH, parser
from .errors import SQLiteMemoryError
from .layer import SQLiteMemoryLayer
from .memory import Report
from .screen import Screen, statement_for_shell


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if arguments is None:  # where the locale knows ASCII only, Python passes other bytes as lone surrogates
        arguments = [os.fsencode(argument).decode("utf-8", "replace") for argument in sys.argv[1:]]
    options = parser().parse_args(arguments)
    options.db = getattr(options, "db", None) or os.environ.get("SQLITE_MEMORY_DB") or DEFAULT_PATH
    screen = Screen(sys.stdout, json=getattr(options, "json", False))
    try:
        code: int = COMMANDS[options.command](options, screen)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _drop_output()
        return 0
    except (SQLiteMemoryError, OSError) as error:
        _drop_output()
        print(f"sqlite-memory: {error}", file=sys.stderr)
        return 1
    except (ValueError, TypeError) as error:
        print(f"sqlite-memory: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 1


def _drop_output() -> None:
    """Send what is not printed yet to nowhere: Python would try once more at its end, and exit with a code of its own."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _layer(options: argparse.Namespace, *, create: bool = False, read_only: bool = False) -> SQLiteMemoryLayer:
    if not create and not os.path.exists(options.db):
        raise SQLiteMemoryError(f"{options.db}: there is no such file; name one with --db or SQLITE_MEMORY_DB")
    if not create and os.path.getsize(options.db) == 0:
        raise SQLiteMemoryError(f"{options.db}: this file is empty, no memory file (it was left as it was)")
    if not read_only:
        _warn_of_another_owner(options.db)
    return SQLiteMemoryLayer(
        options.db,
        agent_id=getattr(options, "agent", "default"),
        user_id=getattr(options, "user", "default"),
        read_only=read_only or not (create or os.access(options.db, os.W_OK)),
    )


def _everywhere(options: argparse.Namespace) -> bool:
    """Tell whether no scope was named: maintenance is then of the whole file."""
    return not (hasattr(options, "agent") or hasattr(options, "user"))


def _warn_of_another_owner(path: str) -> None:
    """Say that the -wal and -shm files made now may lock out the user who owns the file."""
    if hasattr(os, "geteuid") and os.path.exists(path) and os.stat(path).st_uid != os.geteuid():
        owner = os.stat(path).st_uid
        print(
            f"sqlite-memory: {path} belongs to user {owner}, you are {os.geteuid()}: the -wal and -shm files made now "
            "may lock the owner out; run this as the owner",
            file=sys.stderr,
        )


def _remember(options: argparse.Namespace, screen: Screen) -> int:
    content = sys.stdin.read().rstrip("\n") if options.content == "-" else options.content
    metadata = json.loads(options.metadata) if options.metadata else None
    with _layer(options, create=True) as layer:
        id = layer.remember(
            content, memory_type=options.type, key=options.key, session_id=options.session, tags=options.tag or (),
            metadata=metadata, importance=options.importance, created_at=options.created_at,
            expires_at=options.expires_at, pinned=options.pinned,
        )
        reason = None if id is not None else layer.judge(
            content, memory_type=options.type, key=options.key, importance=options.importance
        ).reason
    if id is None:
        screen.failure({"id": None, "reason": reason}, f"refused: {reason}")
        return 1
    screen.value({"id": id}, f"remembered as {id}")
    return 0


def _recall(options: argparse.Namespace, screen: Screen) -> int:
    filters = {
        "limit": options.limit, "memory_type": options.type, "session_id": options.session, "key": options.key,
        "tags": options.tag, "min_importance": options.min_importance, "since": options.since, "until": options.until,
        "as_of": options.as_of, "include_superseded": options.include_superseded,
        "expand": options.expand,
    }
    query = getattr(options, "query", None)
    with _layer(options, read_only=options.sql or not options.touch) as layer:
        if options.sql:
            screen.text(statement_for_shell(*layer.recall_sql(query, **filters)))
        else:
            found = layer.recall(query, touch=options.touch, explain=options.explain, **filters)
            screen.memories(found)
            if not found and sys.stderr.isatty():
                _say_where_nothing_was_found(layer)
    return 0


def _say_where_nothing_was_found(layer: SQLiteMemoryLayer) -> None:
    rows = layer.sql("SELECT agent_id, user_id, memories FROM scopes ORDER BY memories DESC LIMIT 5")
    others = ", ".join(f"{row['agent_id']!s}/{row['user_id']!s} ({row['memories']!s})" for row in rows)
    where = "/".join((layer.agent_id, layer.user_id))
    print(f"sqlite-memory: nothing found in the scope {where}; the file holds {others or 'nothing'}", file=sys.stderr)


def _get(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options, read_only=True) as layer:
        memory = layer.get(options.id)
    if memory is None:
        print(f"sqlite-memory: this scope has no memory {options.id}", file=sys.stderr)
        return 1
    screen.memory(memory)
    return 0


def _delete(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        deleted = layer.delete(*options.ids, scrub=options.scrub)
    screen.value({"deleted": deleted}, f"deleted {deleted}")
    return 0 if deleted == len(set(options.ids)) else 1


def _forget(options: argparse.Namespace, screen: Screen) -> int:
    limits = {
        "max_age_days": options.max_age_days, "min_importance": options.min_importance, "memory_type": options.type,
        "session_id": options.session, "all_scopes": _everywhere(options),
    }
    with _layer(options, read_only=options.sql) as layer:
        if options.sql:
            screen.text(statement_for_shell(*layer.forget_sql(**limits)))
            return 0
        gone = layer.forget(
            dry_run=options.dry_run, plan=options.plan, apply=options.apply, archive=options.archive, view=options.view,
            **limits,
        )
    verb = "would forget" if options.dry_run or options.plan else "archived" if options.archive else "forgot"
    screen.value({"forgotten": gone, "dry_run": options.dry_run or bool(options.plan)}, f"{verb} {len(gone)} memories")
    return 0


def _recover(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        back = layer.recover(options.archive, uids=options.uids or None, all_scopes=_everywhere(options))
    screen.value({"recovered": back}, f"recovered {len(back)} memories")
    return 0


def _context(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        block = layer.context(options.query, budget=options.budget, session_id=options.session)
    screen.value({"context": block, "tokens": wording.estimate(block)}, block)
    return 0


def _notes(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options, read_only=True) as layer:
        page = layer.notes()
    screen.value({"notes": page}, page)
    return 0


def _summarize(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        id = layer.summarize(options.session_id)
    screen.value({"id": id}, "too short to summarize" if id is None else f"summarized as {id}")
    return 0


def _compact(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        done = layer.compact(
            older_than_days=options.older_than, drop_after_days=options.drop_after,
            all_scopes=_everywhere(options), dry_run=options.dry_run,
        )
    would = "would have " if options.dry_run else ""
    told = f"{would}summarized {len(done.summarized)} sessions and dropped {len(done.dropped)} turns"
    screen.value(dataclasses.asdict(done), told)
    return 0


def _clear(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options, read_only=not options.yes) as layer:
        if not options.yes:
            raise ValueError(f"this would delete all {layer.stats().memories} memories of the scope: add --yes")
        cleared = layer.clear()
    screen.value({"deleted": cleared}, f"deleted {cleared} memories and every trace of them")
    return 0


def _scrub(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        report = layer.scrub()
    lines = [*report.done, *(f"problem: {problem}" for problem in report.problems)]
    screen.value(dataclasses.asdict(report), "\n".join(lines))
    return 0 if report.ok else 1


def _stats(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options, read_only=True) as layer:
        screen.fields({"agent": layer.agent_id, "user": layer.user_id, **dataclasses.asdict(layer.stats())})
    return 0


def _sql(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options, read_only=True) as layer:
        screen.rows(layer.sql(options.statement, options.parameters))
    return 0


def _check(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        return _report(layer.check(), screen)


def _repair(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        return _report(layer.repair(progress=_progress("segmented")), screen)


def _report(report: Report, screen: Screen) -> int:
    problems = [f"problem: {problem}" for problem in report.problems]
    screen.value(
        dataclasses.asdict(report), "\n".join([*report.done, *problems, "sound" if report.ok else "not sound"])
    )
    return 0 if report.ok else 1


def _reindex(options: argparse.Namespace, screen: Screen) -> int:
    with _layer(options) as layer:
        rows = layer.reindex(progress=_progress("segmented"))
    screen.value({"segmented": rows}, f"segmented {rows} memories")
    return 0


def _import(options: argparse.Namespace, screen: Screen) -> int:
    source = sys.stdin.buffer if options.file == "-" else options.file
    if options.file != "-" and not os.path.exists(options.file):
        raise SQLiteMemoryError(f"{options.file}: there is no such file")
    with _layer(options, create=True) as layer:
        imported = layer.import_jsonl(source, progress=_progress("bytes"))
    screen.value(dataclasses.asdict(imported), f"imported {imported.stored}, {imported.present} were there already")
    return 0


def _demo(options: argparse.Namespace, screen: Screen) -> int:
    if options.keep and os.path.exists(options.db):
        raise SQLiteMemoryError(f"{options.db}: this file exists; the demonstration makes a new one")
    demo.run(screen, options.db if options.keep else None)
    return 0


def _progress(unit: str, stream: TextIO | None = None) -> Callable[[int, int], None] | None:
    """Return a callback that rewrites one line of a terminal, or None where nobody looks (cron, a pipe)."""
    terminal = stream or sys.stderr
    if not terminal.isatty():
        return None

    def show(done: int, total: int) -> None:
        share = f" of {total:,}" if total else ""
        terminal.write(f"\r{done:,}{share} {unit}" + ("\n" if done == total else ""))
        terminal.flush()

    return show

COMMANDS: dict[str, Callable[[argparse.Namespace, Screen], int]] = {
    "remember": _remember,
    "recall": _recall,
    "list": _recall,
    "get": _get,
    "delete": _delete,
    "forget": _forget,
    "context": _context,
    "notes": _notes,
    "summarize": _summarize,
    "compact": _compact,
    "recover": _recover,
    "clear": _clear,
    "scrub": _scrub,
    "stats": _stats,
    "sql": _sql,
    "check": _check,
    "repair": _repair,
    "reindex": _reindex,
    "import": _import,
    "demo": _demo,
}
