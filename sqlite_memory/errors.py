"""The package's own errors. One base class, one line a kind; a message says what to do and never quotes a memory."""


class SQLiteMemoryError(Exception):
    """Any failure of the memory file; catch this one to catch them all."""


class NotAMemoryFile(SQLiteMemoryError):
    """The file is not a database, or is the database of another program; it was left as it was."""


class SchemaTooNew(SQLiteMemoryError):
    """The file was written by a newer version of this package."""


class DamagedFile(SQLiteMemoryError):
    """A table, trigger or index of the schema is missing or malformed."""


class Busy(SQLiteMemoryError):
    """Another connection held the lock for longer than the busy timeout; nothing was written."""


class ReadOnly(SQLiteMemoryError):
    """The file, its folder, its sidecar files or this layer cannot be written."""


class Full(SQLiteMemoryError):
    """The disk (or the file's page limit) is full; the transaction was rolled back."""


class Refused(SQLiteMemoryError):
    """The schema refused a row or a statement; nothing was written."""


class Closed(SQLiteMemoryError):
    """The layer was used after close()."""


class NoSuchMemory(SQLiteMemoryError):
    """The scope has no memory with this id."""


class Conflict(SQLiteMemoryError):
    """The memory was edited since it was read; `current` is the Memory as it is now."""

    def __init__(self, message: str, current: object) -> None:
        super().__init__(message)
        self.current = current
