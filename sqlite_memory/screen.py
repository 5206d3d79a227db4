"""How values look on a screen: tables and colour for people, JSON for machines, statements for the sqlite3 shell."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from .database import Value
from .memory import Memory

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_COLOURS = {"bold": "1", "dim": "2", "green": "32", "yellow": "33", "cyan": "36"}


class Screen:
    """Writes to one stream; colour only on a terminal, and never with NO_COLOR set."""

    def __init__(self, stream: TextIO, *, json: bool = False) -> None:
        self._stream = stream
        self._json = json
        self._colour = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    def text(self, line: str = "") -> None:
        """Write a line as it is."""
        print(line, file=self._stream)

    def paint(self, text: str, colour: str) -> str:
        """Return `text` in a colour where the stream shows colours."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self._colour else text

    def value(self, value: Mapping[str, object], sentence: str) -> None:
        """Write one result: the mapping as JSON, or the sentence."""
        self.text(as_json(value) if self._json else sentence)

    def failure(self, value: Mapping[str, object], sentence: str) -> None:
        """Write why nothing was done: the mapping as JSON, or the sentence on standard error."""
        if self._json:
            self.text(as_json(value))
        else:
            print(f"sqlite-memory: {sentence}", file=sys.stderr)

    def fields(self, fields: Mapping[str, object]) -> None:
        """Write names and values, one a line."""
        if self._json:
            self.text(as_json(fields))
            return
        width = max(map(len, fields), default=0)
        for name, value in fields.items():
            self.text(f"{self.paint(name.ljust(width), 'dim')}  {shown(value)}")

    def memory(self, memory: Memory) -> None:
        """Write all fields of one memory."""
        self.fields(plain(memory))

    def memories(self, memories: Iterable[Memory]) -> None:
        """Write memories, one a line, with their score, in the order given."""
        if self._json:
            self.text(as_json([plain(memory) for memory in memories]))
            return
        memories = list(memories)
        if memories and self._colour:
            self.text(self.paint("   id   score  type       made on     content", "dim"))
        for memory in memories:
            score = f"{memory.score:7.3f}" if memory.score is not None else " " * 7
            labels = f"{shown(memory.memory_type):<10} {shown(memory.created_at[:10])}"
            self.text(
                f"{self.paint(f'{memory.id:>5}', 'dim')} {self.paint(score, 'green')}  "
                f"{self.paint(labels, 'cyan')}  {shown(memory.content)}"
            )
            if memory.explanation:
                parts = "  ".join(f"{name} {value:.3g}" for name, value in memory.explanation.items() if value)
                self.text(self.paint(f"{'':16}strength {memory.strength:.3g}  {parts}", "dim"))

    def rows(self, rows: Sequence[Mapping[str, Value]]) -> None:
        """Write the rows of a statement: JSON, or columns separated by tabs under their names."""
        if self._json:
            self.text(as_json(rows))
            return
        if rows:
            self.text(self.paint("\t".join(map(shown, rows[0])), "dim"))
        for row in rows:
            self.text("\t".join(shown(value) for value in row.values()))


def plain(memory: Memory) -> dict[str, object]:
    """Return a memory as a mapping that JSON can hold."""
    return {field.name: getattr(memory, field.name) for field in dataclasses.fields(memory)}


def as_json(value: object) -> str:
    """Return JSON in one line; bytes are written in hexadecimal, what steers a terminal as escapes."""
    text = json.dumps(value, ensure_ascii=False, default=_in_hexadecimal)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _in_hexadecimal(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"{type(value).__name__} is not JSON")


def shown(value: object) -> str:
    """Return a value in one line that cannot steer a terminal."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else value.hex() if isinstance(value, bytes) else None
    if text is None:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list, bool)) else str(value)
    return _UNSAFE.sub("\ufffd", " ".join(text.split("\n")).replace("\r", " ").replace("\t", " "))


def statement_for_shell(sql: str, bindings: Mapping[str, Value]) -> str:
    """Return a statement with its parameters as the sqlite3 shell reads them."""
    used = {name: value for name, value in bindings.items() if re.search(rf":{name}\b", sql)}
    lines = [".parameter clear", ".parameter init"]
    for name, value in used.items():
        lines.append(f"INSERT INTO temp.sqlite_parameters VALUES (':{name}', {literal(value)});")
    return "\n".join([*lines, sql.strip() + ";"])


def literal(value: Value) -> str:
    """Return a value as an SQL literal."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, (bool, int, float)):
        return repr(float(value) if isinstance(value, float) else int(value))
    return "'" + value.replace("'", "''") + "'"
