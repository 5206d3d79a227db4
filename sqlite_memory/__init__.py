"""The long-term memory of an agent in one SQLite file: remember, recall and forget, in Chinese and English."""

from .errors import (
    Busy,
    Closed,
    Conflict,
    DamagedFile,
    Full,
    NoSuchMemory,
    NotAMemoryFile,
    ReadOnly,
    Refused,
    SchemaTooNew,
    SQLiteMemoryError,
)
from .gate import Verdict
from .layer import SQLiteMemoryLayer
from .memory import Memory, Report, Stats
from .portable import BadLines, Imported
from .scrub import TracesLeft
from .summary import Compacted
from .version import __version__

__all__ = [
    "BadLines",
    "Busy",
    "Closed",
    "Compacted",
    "Conflict",
    "DamagedFile",
    "Full",
    "Imported",
    "Memory",
    "NoSuchMemory",
    "NotAMemoryFile",
    "ReadOnly",
    "Refused",
    "Report",
    "SQLiteMemoryError",
    "SQLiteMemoryLayer",
    "SchemaTooNew",
    "Stats",
    "TracesLeft",
    "Verdict",
    "__version__",
]
