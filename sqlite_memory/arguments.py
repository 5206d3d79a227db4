"""The arguments of the command `sqlite-memory`; what a sub-command does with them is `cli`'s."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from .version import versions

DEFAULT_PATH = "agent_memory.db"
"""The memory file when neither --db nor SQLITE_MEMORY_DB names one."""

Command = Callable[[str, str], argparse.ArgumentParser]
"""Adds a sub-command of a name and a help text."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    everywhere = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    everywhere.add_argument("--db", metavar="PATH", help=f"memory file (else SQLITE_MEMORY_DB, else {DEFAULT_PATH})")
    everywhere.add_argument("--agent", metavar="ID", help="agent of the scope (default: default)")
    everywhere.add_argument("--user", metavar="ID", help="user of the scope (default: default)")
    everywhere.add_argument("--json", action="store_true", help="print JSON")

    whole = argparse.ArgumentParser(
        prog="sqlite-memory", parents=[everywhere], description="The long-term memory of an agent in one SQLite file."
    )
    whole.add_argument("--version", action="version", version=versions())
    commands = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(name: str, help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, parents=[everywhere], help=help, description=help)
        sub.set_defaults(command=name)
        return sub

    for add in (_remembering, _recalling, _forgetting, _condensing, _keeping_sound):
        add(command)
    return whole


def _remembering(command: Command) -> None:
    """Add what stores."""
    remember = command("remember", "store one memory")
    remember.add_argument("content", help="the text, or - to read it from standard input")
    remember.add_argument("--type", default="fact", help="fact, preference, state, skill, episode, summary or your own")
    remember.add_argument("--key", help="name of the fact: the newer memory of a key closes the older")
    remember.add_argument("--session", metavar="ID", help="a conversation")
    remember.add_argument("--tag", action="append", metavar="TAG", help="may be given more than once")
    remember.add_argument("--metadata", metavar="JSON", help="a JSON object")
    remember.add_argument("--importance", type=float, help="0 to 10")
    remember.add_argument("--created-at", metavar="TIME", help="such as 2026-11-29 or 2026-11-29T21:42:10Z; now")
    remember.add_argument("--expires-at", metavar="TIME", help="gone from then on")
    remember.add_argument("--pinned", action="store_true", help="no sweep may take it")


def _recalling(command: Command) -> None:
    """Add what finds and what concerns one memory."""
    recall = command("recall", "find memories, best first")
    recall.add_argument("query")
    _filters(recall, touch=True)
    listed = command("list", "list memories by strength")
    _filters(listed, touch=False)

    get = command("get", "show one memory")
    get.add_argument("id", type=int)
    delete = command("delete", "delete memories for good")
    delete.add_argument("ids", type=int, nargs="+", metavar="id")
    delete.add_argument("--scrub", action="store_true", help="leave no byte of them in the file")


def _forgetting(command: Command) -> None:
    """Add the sweep."""
    forget = command("forget", "sweep: delete what has faded, in every scope unless --agent or --user")
    forget.add_argument("--max-age-days", type=float, metavar="DAYS", help="not recalled for so long")
    forget.add_argument("--min-importance", type=float, metavar="N", help="less important than this")
    forget.add_argument("--type")
    forget.add_argument("--session", metavar="ID", help="a conversation")
    forget.add_argument("--view", metavar="NAME", help="take what this view of the file lists instead")
    forget.add_argument("--plan", metavar="FILE", help="write what would go to a JSONL file, change nothing")
    forget.add_argument("--apply", metavar="FILE", help="delete what a plan lists and nobody used since")
    forget.add_argument("--archive", metavar="PATH", help="move what goes to this memory file")
    forget.add_argument("--dry-run", action="store_true", help="say what would go")
    forget.add_argument("--sql", action="store_true", help="print the statement that selects, for the sqlite3 shell")


def _condensing(command: Command) -> None:
    """Add what makes prompts and summaries, and what clears up."""
    context = command("context", "print the memories that belong into a prompt")
    context.add_argument("query", nargs="?")
    context.add_argument("--budget", type=int, default=1300, metavar="TOKENS", help="at most so many (1300)")
    context.add_argument("--session", metavar="ID", help="a conversation")
    command("notes", "print all that is known, for the user to read")
    summarize = command("summarize", "write one memory that sums a session up")
    summarize.add_argument("session_id")
    compact = command("compact", "sum up old sessions that nobody visited, drop the turns of very old ones")
    compact.add_argument("--older-than", type=float, default=30, metavar="DAYS", help="sum up sessions so old (30)")
    compact.add_argument("--drop-after", type=float, default=90, metavar="DAYS", help="drop their turns then (90)")
    compact.add_argument("--dry-run", action="store_true", help="say what would be done")
    recover = command("recover", "bring archived memories back, of every scope unless --agent or --user")
    recover.add_argument("archive", help="the memory file that forget --archive wrote")
    recover.add_argument("uids", nargs="*", metavar="uid", help="which; all unless given")
    clear = command("clear", "delete every memory of the scope and every trace of them")
    clear.add_argument("--yes", action="store_true", help="without it nothing is deleted")
    command("scrub", "leave no byte of what was deleted; exit 1 when something is in the way")


def _keeping_sound(command: Command) -> None:
    """Add what is of the whole file."""
    command("stats", "how much the scope holds")
    sql = command("sql", "run one reading statement")
    sql.add_argument("statement")
    sql.add_argument("parameters", nargs="*", help="values of its ? parameters, as text")
    command("check", "compare the index with every row; exit 1 when the file is not sound")
    command("repair", "put back what the schema lost and rebuild the index")
    command("reindex", "segment every memory anew")
    imported = command(
        "import",
        "store a JSONL file: one object a line, keys are column names, only content must be there; nothing is refused",
    )
    imported.add_argument("file", help="the file, or - for standard input")
    shown = command("demo", "make a small memory file and walk through it")
    shown.add_argument("--keep", action="store_true", help="make the file at --db instead of a temporary folder")


def _filters(parser: argparse.ArgumentParser, *, touch: bool) -> None:
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="at most so many (10)")
    parser.add_argument("--type", action="append")
    parser.add_argument("--session", metavar="ID", help="a conversation")
    parser.add_argument("--key")
    parser.add_argument("--tag", action="append", metavar="TAG", help="may be given more than once")
    parser.add_argument("--min-importance", type=float, metavar="N")
    parser.add_argument("--since", metavar="TIME", help="made at or after, such as 2026-11-29 or 2026-11-29T21:42:10Z")
    parser.add_argument("--until", metavar="TIME", help="made at or before")
    parser.add_argument("--as-of", metavar="TIME", help="the moment of the question: nothing later is seen")
    parser.add_argument("--include-superseded", action="store_true")
    parser.add_argument("--expand", action="store_true", help="also what shares words with the first two hits only")
    parser.add_argument("--sql", action="store_true", help="print the statement for the sqlite3 shell")
    parser.add_argument("--explain", action="store_true", help="print what each score is made of")
    if touch:
        parser.add_argument("--no-touch", dest="touch", action="store_false", help="do not count the access")
    else:
        parser.set_defaults(touch=False)
