"""One connection to one memory file: open, pragmas, locks, transactions, forks, and the border of errors.

What a memory means is left to the layer; what stands in the schema to `schema`.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
import urllib.parse
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

import apsw

from . import errors, schema

Value = str | int | float | bytes | None
"""What SQLite stores and returns."""

Bindings = Mapping[str, Value] | Sequence[Value]
"""Named or positional parameters of a statement."""

Setting = TypeVar("Setting")

JOURNAL_LIMIT = 4 * 1024 * 1024
"""Bytes that the write-ahead log is cut back to after a checkpoint."""

_inherited: list[apsw.Connection] = []
"""Connections of a parent process. Closing one would cancel the parent's locks, so they are kept, unused."""


class Database:
    """A connection that threads may share and that a forked child replaces by its own.

    `path` is a plain path, never a URI. A missing file is created unless `read_only`. Every transaction that writes
    takes the write lock at its start and waits for it at most `busy_timeout` seconds.
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool, busy_timeout: float) -> None:
        self.path = _checked_path(path)
        self.read_only = read_only
        self.busy_timeout = busy_timeout
        self._closed = False
        self._settings: dict[Callable[[apsw.Connection], object], tuple[object, object]] = {}
        self._start()

    def _start(self) -> None:
        self._settings.clear()
        with translated(self.path):
            self._connection = self._open()
        self._lock = threading.RLock()
        self._pid = os.getpid()

    @contextlib.contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Hold this layer's connection (no lock of the file) for statements that only read."""
        if self._closed:
            raise errors.Closed("this layer is closed: open a new one")
        if self._pid != os.getpid():
            self._leave_to_parent()
        with self._lock:
            if self._closed:
                raise errors.Closed("this layer is closed: open a new one")
            try:
                yield self._connection
            except (apsw.Error, UnicodeDecodeError) as error:
                raise _translated(self.path, error) from error

    @contextlib.contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[apsw.Connection]:
        """Run one transaction that holds the write lock: committed at the end, rolled back on any error.

        The block may commit earlier itself, where two files need it. With `wait=False` a lock held by another
        connection raises Busy at once. On a read-only layer ReadOnly is raised before anything is tried.
        """
        if self.read_only:
            raise errors.ReadOnly("this layer was opened with read_only=True: open it without to write")
        with self.reading() as connection:
            if wait:
                connection.execute("BEGIN IMMEDIATE")
            else:
                self._begin_at_once(connection)
            try:
                yield connection
                if connection.in_transaction:
                    connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def rows(self, sql: str, bindings: Bindings = ()) -> list[tuple[Value, ...]]:
        """Return all rows of one reading statement."""
        with self.reading() as connection:
            return connection.execute(sql, bindings).fetchall()

    def setting(self, read: Callable[[apsw.Connection], Setting]) -> Setting:
        """Return what `read` makes of rows that change seldom, read anew when another connection has committed since.

        Whoever changes such rows through this connection calls settings_changed() before the commit.
        """
        with self.reading() as connection:
            ((version,),) = connection.execute("PRAGMA data_version")
            if read not in self._settings or self._settings[read][0] != version:
                self._settings[read] = (version, read(connection))
            return cast(Setting, self._settings[read][1])

    def settings_changed(self) -> None:
        """Let every setting be read anew; inside the transaction, so that no other thread reads in between."""
        self._settings.clear()

    def query(self, sql: str, bindings: Bindings = ()) -> list[dict[str, Value]]:
        """Run one statement that only reads and return its rows as mappings.

        SQLite itself enforces it: statements that would write, attach or change a setting are not prepared.
        Raises ReadOnly for those, ValueError when there is more than one statement.
        """
        statements = 0

        def single(cursor: apsw.Cursor, sql: str, bindings: object) -> bool:
            nonlocal statements
            statements += bool(_without_comments(sql))
            if statements > 1:
                raise ValueError("sql() runs one statement at a time: call it once for each")
            return True

        with self.reading() as connection, _only_reading(connection):
            cursor = connection.cursor()
            cursor.exec_trace = single
            try:
                rows = [
                    {column[0]: value for column, value in zip(cursor.description, row, strict=True)}
                    for row in cursor.execute(sql, bindings)
                ]
            except TypeError as error:
                raise TypeError(f"params holds what SQLite cannot: {error}") from None
            except apsw.AuthError as error:
                raise errors.ReadOnly("sql() only reads: write with the methods or the sqlite3 shell") from error
            finally:
                cursor.close(force=True)
            return rows

    def owns(self, path: str | os.PathLike[str]) -> bool:
        """Tell whether a path is the file itself or one that SQLite keeps beside it, by whatever name."""
        own = [self.path + end for end in ("", "-wal", "-shm", "-journal")]
        if os.path.realpath(path) in map(os.path.realpath, own):
            return True
        return os.path.exists(path) and any(os.path.exists(one) and os.path.samefile(path, one) for one in own)

    def close(self) -> None:
        """Close the connection; the last one of a file empties and removes its log. A second call does nothing."""
        if self._pid != os.getpid():
            self._closed = True
            return
        with self._lock:
            if not self._closed:
                self._closed = True
                with translated(self.path):
                    self._connection.close()

    def _begin_at_once(self, connection: apsw.Connection) -> None:
        connection.set_busy_timeout(0)
        try:
            connection.execute("BEGIN IMMEDIATE")
        finally:
            connection.set_busy_timeout(round(self.busy_timeout * 1000))

    def _leave_to_parent(self) -> None:
        _inherited.append(self._connection)
        if self.path == ":memory:":
            raise errors.SQLiteMemoryError("a memory file in RAM does not survive fork(): use a path")
        self._start()

    def _open(self) -> apsw.Connection:
        deadline = time.monotonic() + self.busy_timeout
        while True:
            connection = _connect(self.path, self.read_only)
            try:
                self._prepare(connection)
                return connection
            except (apsw.BusyError, apsw.LockedError):
                # The switch to WAL and the first write of several newcomers collide without asking the busy handler.
                connection.close()
                if time.monotonic() >= deadline:
                    raise
                time.sleep(0.01)
            except BaseException:
                connection.close()
                raise

    def _prepare(self, connection: apsw.Connection) -> None:
        connection.set_busy_timeout(round(self.busy_timeout * 1000))
        # Without it SQLite plans a statement anew for every other value of its parameters: 10 ms for the one that ranks.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        kind = schema.identify(connection)
        if self.read_only:
            if kind == "new":
                raise errors.NotAMemoryFile("the file is empty: open it once without read_only to create the schema")
            return
        if not self._is_writable(connection):
            raise errors.ReadOnly(_READ_ONLY)
        self._use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA journal_size_limit = {JOURNAL_LIMIT:d}")
        if kind != "memory" or schema.missing(connection):
            self._create_or_mend(connection)

    def _is_writable(self, connection: apsw.Connection) -> bool:
        return not connection.readonly("main")

    def _use_wal(self, connection: apsw.Connection) -> None:
        mode = connection.pragma("journal_mode")
        if mode != "wal":
            mode = connection.pragma("journal_mode", "wal")
        if mode not in ("wal", "memory"):
            warnings.warn(
                f"{self.path}: this file system cannot share a write-ahead log (journal mode {mode}); "
                "readers will wait for writers, and processes on other hosts must not use the file",
                stacklevel=2,
            )

    def _create_or_mend(self, connection: apsw.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            kind = schema.identify(connection)
            if kind == "new":
                schema.create(connection)
            elif kind == "adopt":
                schema.stamp(connection)
            lost = schema.restore(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        if lost:
            rebuilt = " and rebuilt the index" if schema.keeps_index(lost) else ""
            warnings.warn(f"{self.path}: put back {', '.join(lost)}{rebuilt}", stacklevel=2)


def _without_comments(sql: str) -> str:
    return re.sub(r"--[^\n]*|/\*.*?(?:\*/|\Z)|;", "", sql, flags=re.DOTALL).strip()


_READING = frozenset(
    {apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE}
)


@contextlib.contextmanager
def _only_reading(connection: apsw.Connection) -> Iterator[None]:
    def authorise(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        asked_by_fts5 = action == apsw.SQLITE_PRAGMA and first == "data_version" and second is None
        return apsw.SQLITE_OK if asked_by_fts5 or action in _READING else apsw.SQLITE_DENY

    connection.authorizer = authorise
    try:
        yield
    finally:
        connection.authorizer = None


_READ_ONLY = (
    "the file cannot be written: check the owner and the mode of the file, of its folder and of its -wal and -shm "
    "neighbours (a cron job of another user may have made them), or open it with read_only=True"
)

_BUSY = "another connection holds the lock: try again or raise busy_timeout"
_FULL = "the disk is full: free some space; nothing of this transaction was kept"
_FOREIGN = "this is not an SQLite database (it was left as it was)"
_CORRUPT = "the file or its index is malformed: run check, then repair or restore a backup"
_CANNOT_OPEN = "the file cannot be opened: does its folder exist, and may you use it?"
_FAILED = "reading or writing failed: is this a network file system?"

_KINDS: tuple[tuple[type[apsw.Error], type[errors.SQLiteMemoryError], str], ...] = (
    (apsw.BusyError, errors.Busy, _BUSY),
    (apsw.LockedError, errors.Busy, _BUSY),
    (apsw.ReadOnlyError, errors.ReadOnly, _READ_ONLY),
    (apsw.PermissionsError, errors.ReadOnly, _READ_ONLY),
    (apsw.FullError, errors.Full, _FULL),
    (apsw.NotADBError, errors.NotAMemoryFile, _FOREIGN),
    (apsw.CorruptError, errors.DamagedFile, _CORRUPT),
    (apsw.CantOpenError, errors.SQLiteMemoryError, _CANNOT_OPEN),
    (apsw.IOError, errors.SQLiteMemoryError, _FAILED),
    (apsw.ProtocolError, errors.SQLiteMemoryError, _FAILED),
)


@contextlib.contextmanager
def translated(path: str) -> Iterator[None]:
    """Turn the errors of apsw into the package's own, with the path and what to do; the cause stays attached."""
    try:
        yield
    except (apsw.Error, UnicodeDecodeError) as error:
        raise _translated(path, error) from error


def _translated(path: str, error: apsw.Error | UnicodeDecodeError) -> errors.SQLiteMemoryError:
    if isinstance(error, UnicodeDecodeError):
        return errors.DamagedFile(f"{path}: a row holds text that is not UTF-8: run `sqlite-memory repair`")
    for kind, ours, advice in _KINDS:
        if isinstance(error, kind):
            return ours(f"{path}: {advice}")
    if isinstance(error, apsw.ConstraintError):
        return errors.Refused(f"{path}: the schema refused this: {error}")
    if isinstance(error, apsw.SQLError) and "no such table" in str(error):
        return errors.DamagedFile(f"{path}: {error}: run `sqlite-memory repair` or open the file anew")
    return errors.SQLiteMemoryError(f"{path}: {error}")


def _checked_path(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"path must be text or a path object, not {type(text).__name__}")
    if not text or "\x00" in text:
        raise ValueError(f"path={text!r} names no file")
    return text if text == ":memory:" else os.path.abspath(text)


def _connect(path: str, read_only: bool) -> apsw.Connection:
    if not read_only:
        return apsw.Connection(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    connection = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchall()
        return connection
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        connection.close()
    # A folder that cannot be written holds no -shm. Immutable reads without one, but ignores a log with rows in it.
    log = path + "-wal"
    if os.path.exists(log) and os.path.getsize(log):
        raise errors.ReadOnly(f"{path}: its -wal file holds rows that a read-only folder keeps from us: copy all files")
    uri = f"file:{urllib.parse.quote(path)}?immutable=1"
    return apsw.Connection(uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
