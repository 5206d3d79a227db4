"""Check and convert what comes in, argument by argument, into a row of `memories`.

Judging whether a sound row is worth keeping is left to `gate`, storing it to the layer.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from . import moments
from .database import Value
from .text import clean

DEPTH = 50
"""Levels of nesting that metadata may have."""


@dataclass(frozen=True, slots=True)
class Scope:
    """One user of one agent: what every method stays inside of."""

    agent_id: str
    user_id: str

    def bindings(self) -> dict[str, Value]:
        """Return the scope as parameters of a statement."""
        return {"agent_id": self.agent_id, "user_id": self.user_id}


class Incoming(NamedTuple):
    """A checked memory that is not stored yet; the names are those of the columns."""

    content: str
    memory_type: str
    key: str | None
    session_id: str | None
    metadata: str
    importance: float | None
    created_at: str
    valid_from: str
    expires_at: str | None
    pinned: int

    def bindings(self) -> dict[str, Value]:
        """Return the row as parameters of a statement."""
        return self._asdict()


def incoming(
    content: object, *, memory_type: object = "fact", key: object = None, session_id: object = None,
    tags: object = (), metadata: object = None, importance: object = None, created_at: object = None,
    valid_from: object = None, expires_at: object = None, pinned: object = False,
) -> Incoming:
    """Return the arguments of remember() checked and in the forms of the file.

    Raises TypeError or ValueError that names the argument.
    """
    created = _moment(created_at, "created_at") or moments.now()
    return Incoming(
        content=text(content, "content"),
        memory_type=name(memory_type, "memory_type"),
        key=None if key is None else name(key, "key"),
        session_id=None if session_id is None else name(session_id, "session_id"),
        metadata=metadata_json(metadata, tags),
        importance=None if importance is None else importance_of(importance),
        created_at=created,
        valid_from=_moment(valid_from, "valid_from") or created,
        expires_at=_moment(expires_at, "expires_at"),
        pinned=int(flag(pinned, "pinned")),
    )


_ARGUMENTS = frozenset(incoming.__kwdefaults__ or ())


def read_item(item: object, place: str, scope: Scope) -> tuple[Incoming, Scope, bool]:
    """Return one mapping with the arguments of remember() checked, its scope (of `scope` what it does not name), and
    whether it may be sensitive. TypeError or ValueError that names the place and the argument.
    """
    if not isinstance(item, Mapping):
        raise TypeError(f"{place}: must be a mapping, not {type(item).__name__}")
    arguments = dict(item)
    try:
        content = arguments.pop("content")
        where = within(scope, arguments.pop("agent_id", None), arguments.pop("user_id", None))
        allowed = flag(arguments.pop("allow_sensitive", False), "allow_sensitive")
        for unknown in arguments.keys() - _ARGUMENTS:
            raise TypeError(f"unknown argument {unknown}")
        memory = incoming(content, **arguments)
    except KeyError:
        raise ValueError(f"{place}: has no content") from None
    except (TypeError, ValueError) as error:
        raise type(error)(f"{place}: {error}") from None
    return memory, where, allowed


def within(given: Scope, agent_id: object, user_id: object) -> Scope:
    """Return a checked scope; a part that is None is that of the given one."""
    if agent_id is None and user_id is None:
        return given
    return scope(given.agent_id if agent_id is None else agent_id, given.user_id if user_id is None else user_id)


def scope(agent_id: object, user_id: object) -> Scope:
    """Return the checked scope."""
    return Scope(name(agent_id, "agent_id"), name(user_id, "user_id"))


def text(value: object, argument: str) -> str:
    """Return text as the file can hold it; TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{argument} must be text (str), not {type(value).__name__}")
    return clean(value)


def name(value: object, argument: str) -> str:
    """Return a non-empty identifier as it was given; it is compared exactly, spaces and case included."""
    value = text(value, argument)
    if not value:
        raise ValueError(f"{argument} is empty: leave it out or give it a name")
    return value


def path(value: object, argument: str) -> str:
    """Return the path of a file; TypeError for anything else (open() would take a number for a file of its own)."""
    if not isinstance(value, (str, os.PathLike)) or not isinstance(found := os.fspath(value), str):
        raise TypeError(f"{argument} must be text or a path object, not {type(value).__name__}")
    if not found or "\x00" in found:
        raise ValueError(f"{argument}={found!r} names no file")
    return found


def flag(value: object, argument: str) -> bool:
    """Return a truth value; TypeError for anything but True, False, 1 and 0."""
    if value not in (True, False) or not isinstance(value, int):
        raise TypeError(f"{argument} must be True or False, not {value!r}")
    return bool(value)


def number(value: object, argument: str) -> float:
    """Return a finite number; TypeError or ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{argument} must be a number, not {type(value).__name__}")
    try:
        value = float(value)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise ValueError(f"{argument}={value!r} must be a finite number")
    return value


def importance_of(value: object, argument: str = "importance") -> float:
    """Return an importance from 0 to 10."""
    importance = number(value, argument)
    if not 0.0 <= importance <= 10.0:
        raise ValueError(f"{argument}={value!r} must lie between 0 and 10")
    return importance


def count(value: object, argument: str, *, largest: int = 1_000_000) -> int:
    """Return a whole number from 1 up; numbers over `largest` count as `largest`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{argument} must be a whole number, not {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{argument}={value!r} must be at least 1")
    return min(value, largest)


def whole(value: object, argument: str) -> int:
    """Return a whole number from 0 up to what SQLite holds."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{argument} must be a whole number, not {type(value).__name__}")
    if not 0 <= value < 2**63:
        raise ValueError(f"{argument}={value!r} must be 0 or more")
    return value


def identifier(value: object, argument: str = "id") -> int:
    """Return the id of a memory; an integer that no row can have is ValueError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{argument} must be a whole number, not {type(value).__name__}")
    if not 0 < value < 2**63:
        raise ValueError(f"{argument}={value!r} is no id of a memory: ids count from 1")
    return value


def names(value: object, argument: str) -> tuple[str, ...]:
    """Return one name or several as a tuple without repeats, in order."""
    if isinstance(value, str):
        return (name(value, argument),)
    if not isinstance(value, Iterable):
        raise TypeError(f"{argument} must be text or a list of texts, not {type(value).__name__}")
    return tuple(dict.fromkeys(name(item, argument) for item in value))


def metadata_json(metadata: object, tags: object = ()) -> str:
    """Return the JSON text of a metadata mapping with `tags` added to its "tags".

    Keys must be text and values JSON: a NaN or a date would make the row unreadable to SQL.
    """
    if metadata is None and tags == ():
        return "{}"
    if metadata is not None and not isinstance(metadata, Mapping):
        raise TypeError(f"metadata must be a mapping, not {type(metadata).__name__}")
    value = _json_value(metadata or {}, "metadata", DEPTH)
    assert isinstance(value, dict)
    given = value.get("tags", [])
    if not isinstance(given, list) or not all(isinstance(tag, str) and tag for tag in given):
        raise TypeError("metadata['tags'] must be a list of non-empty texts")
    if all_tags := list(dict.fromkeys([*given, *names(tags, "tags")])):
        value["tags"] = all_tags
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def metadata_patch(metadata: object) -> str:
    """Return the JSON text of a merge patch (RFC 7396): None removes a key, "tags" too."""
    if isinstance(metadata, Mapping) and metadata.get("tags", ()) is None:
        rest = {key: value for key, value in metadata.items() if key != "tags"}
        return json.dumps({**json.loads(metadata_json(rest)), "tags": None}, ensure_ascii=False)
    return metadata_json(metadata)


def _json_value(value: object, argument: str, depth: int) -> object:
    if depth < 0:
        raise ValueError(f"{argument} is nested more than {DEPTH} levels deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return number(value, argument)
    if isinstance(value, (list, tuple)):
        return [_json_value(item, argument, depth - 1) for item in value]
    if isinstance(value, Mapping):
        return {
            _json_key(key, argument): _json_value(item, f"{argument}[{key!r}]", depth - 1)
            for key, item in value.items()
        }
    raise TypeError(f"{argument} holds a {type(value).__name__}, which is not JSON: use text, numbers, lists, mappings")


def _json_key(key: object, argument: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{argument} has the key {key!r}: keys must be text")
    return clean(key)


def _moment(value: object, argument: str) -> str | None:
    return None if value is None else moments.canonical(value, argument)  # type: ignore[arg-type]  # it raises TypeError itself
