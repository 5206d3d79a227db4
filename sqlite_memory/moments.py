"""The one time form: UTC text such as 2026-11-29T21:42:10.123Z. Every time that comes in is converted here.

Relative dates in words ("last week") are left to `match`.
"""

from __future__ import annotations

import datetime
import re
import time

Moment = str | datetime.date | datetime.datetime | int | float
"""A time as callers may give it: ISO text, a date, a datetime, or Unix seconds. Without a zone it is UTC."""

_ISO = re.compile(
    r"\s*(\d{4})-(\d\d?)-(\d\d?)"
    r"(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?"
    r"\s*(Z|[+-]\d\d:?(?:\d\d)?)?\s*",
    re.IGNORECASE | re.ASCII,
)


def now() -> str:
    """Return the present moment in the one form."""
    return _text(datetime.datetime.fromtimestamp(time.time(), datetime.timezone.utc))


def canonical(value: Moment, name: str, *, end_of_day: bool = False) -> str:
    """Return `value` in the one form; a bare date is its first, or with `end_of_day` its last, millisecond.

    Raises TypeError or ValueError that names the argument `name`.
    """
    if isinstance(value, str):
        moment, bare = _parse(value, name)
    elif isinstance(value, datetime.datetime):
        moment, bare = value, False
    elif isinstance(value, datetime.date):
        moment, bare = datetime.datetime(value.year, value.month, value.day), True
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        moment, bare = _from_seconds(value, name), False
    else:
        raise TypeError(f"{name} must be ISO text, a date, a datetime or Unix seconds, not {type(value).__name__}")
    if bare and end_of_day:
        moment = moment.replace(hour=23, minute=59, second=59, microsecond=999_000)
    if moment.tzinfo is datetime.timezone.utc:
        return _text(moment)
    try:
        zone = moment.tzinfo or datetime.timezone.utc
        return _text(moment.replace(tzinfo=zone).astimezone(datetime.timezone.utc))
    except OverflowError:
        raise ValueError(f"{name}={value!r} is outside the years 1 to 9999") from None


def _parse(value: str, name: str) -> tuple[datetime.datetime, bool]:
    match = _ISO.fullmatch(value)
    try:
        if match is None:
            raise ValueError
        year, month, day, hour, minute, second, fraction, zone = match.groups()
        moment = datetime.datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0),
            int((fraction or "0").ljust(6, "0")[:6]), _zone(zone),
        )
    except ValueError:
        raise ValueError(f"{name}={value!r} is not a time: write it as 2026-11-29 or 2026-11-29T21:42:10Z") from None
    return moment, hour is None


def _zone(text: str | None) -> datetime.timezone | None:
    if text is None or text in "zZ":
        return None
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = datetime.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return datetime.timezone(-offset if text[0] == "-" else offset)


def _from_seconds(value: float, name: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromtimestamp(value, datetime.timezone.utc)
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{name}={value!r} is not a time in Unix seconds between the years 1 and 9999") from None


def _text(moment: datetime.datetime) -> str:
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
