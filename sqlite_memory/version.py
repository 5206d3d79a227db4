"""The version of the package, and of what it runs on."""

__version__ = "0.1.0"


def versions() -> str:
    """Return one line with the versions of the package, of apsw and of the SQLite inside it."""
    import apsw

    return f"sqlite-memory {__version__} (apsw {apsw.apsw_version()}, SQLite {apsw.sqlite_lib_version()})"
