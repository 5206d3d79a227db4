"""Let go: which memories a sweep takes, and the sweep itself, in transactions so short that others write meanwhile.

The policy's own choice is the view `forgettable` in schema.sql; FORGETTABLE is the same with arguments. The form of a
plan is `plan`'s, what happens to the rows of an archive `archive`'s.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass

from . import archive as archives
from . import errors, moments
from . import plan as plans
from .admission import Row
from .database import Database
from .incoming import Scope, flag, name, number, path
from .pace import PAUSE, Pace
from .plan import Mark
from .scrub import checkpoint
from .store import id_of

Path = str | os.PathLike[str]

FADED = """
  FROM memories AS m
 CROSS JOIN strength_at AS s ON s.id = m.id AND s.moment = json_array(:moment)
 WHERE m.pinned = 0
   AND (:all_scopes OR (m.agent_id = :agent_id AND m.user_id = :user_id))
   AND (:memory_type IS NULL OR m.memory_type = :memory_type)
   AND (:session_id IS NULL OR m.session_id = :session_id)
   AND (julianday(m.expires_at) <= julianday(:moment)
     OR (coalesce(:max_age_days, (SELECT value FROM policy WHERE name = 'forget_max_age_days')) > 0
       AND s.days >= coalesce(:max_age_days, (SELECT value FROM policy WHERE name = 'forget_max_age_days'))
       AND m.importance < coalesce(:min_importance, (SELECT value FROM policy WHERE name = 'forget_min_importance'))))
 ORDER BY m.id
"""

FORGETTABLE = "SELECT m.id" + FADED

# A view of the user's. It may list a memory twice or none that is there; only its name is ever formatted.
LISTED = """
  FROM (SELECT id, min({reason}) AS reason FROM {view} GROUP BY id) AS listed
 CROSS JOIN memories AS m ON m.id = listed.id
 CROSS JOIN strength_at AS s ON s.id = m.id AND s.moment = json_array(:moment)
 WHERE m.pinned = 0
   AND (:all_scopes OR (m.agent_id = :agent_id AND m.user_id = :user_id))
   AND (:memory_type IS NULL OR m.memory_type = :memory_type)
   AND (:session_id IS NULL OR m.session_id = :session_id)
 ORDER BY m.id
"""

DELETE = "DELETE FROM memories WHERE id IN (" + plans.UNCHANGED + ") RETURNING id"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a sweep takes: the statement without its columns, and the reason as an SQL expression."""

    source: str
    reason: str


BY_LIMITS = Choice(FADED, "CASE WHEN julianday(m.expires_at) <= julianday(:moment) THEN 'expired' ELSE 'faded' END")


def limits(
    scope: Scope,
    *,
    max_age_days: object = None,
    min_importance: object = None,
    memory_type: object = None,
    session_id: object = None,
    all_scopes: object = False,
) -> Row:
    """Return the checked parameters of FORGETTABLE. Raises TypeError or ValueError that names the argument."""
    return {
        **scope.bindings(),
        "moment": moments.now(),
        "max_age_days": _positive(max_age_days, "max_age_days"),
        "min_importance": _positive(min_importance, "min_importance"),
        "memory_type": None if memory_type is None else name(memory_type, "memory_type"),
        "session_id": None if session_id is None else name(session_id, "session_id"),
        "all_scopes": flag(all_scopes, "all_scopes"),
    }


def _positive(value: object, argument: str) -> float | None:
    if value is None:
        return None
    limit = number(value, argument)
    if limit <= 0:
        raise ValueError(f"{argument}={value!r} must be above 0")
    return limit


def forget(
    database: Database,
    bindings: Row,
    *,
    dry_run: bool = False,
    plan: Path | None = None,
    apply: Path | None = None,
    archive: Path | None = None,
    view: str | None = None,
    pause: float = PAUSE,
) -> list[int]:
    """Delete what the limits, a view or a plan choose and return the ids, in order; see the layer's forget().

    What is chosen is read first, without a lock. Each short transaction then deletes only memories that are still as
    they were chosen, so one that was recalled, edited or pinned meanwhile stays.
    """
    _refuse_contradictions(bindings, dry_run=dry_run, plan=plan, apply=apply, archive=archive, view=view)
    if number(pause, "pause") < 0:
        raise ValueError(f"pause={pause!r} must be 0 or more seconds")
    plan, apply, archive = _path(plan, "plan"), _path(apply, "apply"), _path(archive, "archive")
    if archive is not None:
        archives.refuse_same_file(database, archive)
    if plan is not None:
        choice = _choice(database, view)
        return plans.write(database, plan, choice.source, choice.reason, bindings)
    marks = plans.marks(database, _choice(database, view).source, bindings) if apply is None else plans.read(apply)
    if dry_run:
        return plans.unchanged(database, marks, bindings)
    with database.writing():
        pass  # a file that cannot be written is refused before anything is copied
    return _sweep(database, marks, bindings, archive, Pace(database, pause)) if marks else []


def _path(value: object, argument: str) -> str | None:
    return None if value is None else path(value, argument)


def _refuse_contradictions(bindings: Row, *, dry_run: bool, **given: object) -> None:
    """Raise ValueError for arguments that do not go together."""
    narrowed = [limit for limit in ("max_age_days", "min_importance") if bindings[limit] is not None]
    if given["view"] is not None and narrowed:
        raise ValueError(f"{narrowed[0]} does not go with view: write the limit into the view")
    if given["apply"] is None:
        if given["plan"] is not None and given["archive"] is not None:
            raise ValueError("archive does not go with plan, which changes nothing: give it together with apply")
        return
    narrowed += [limit for limit in ("memory_type", "session_id") if bindings[limit] is not None]
    narrowed += [argument for argument in ("plan", "view") if given[argument] is not None]
    if narrowed:
        raise ValueError(f"{narrowed[0]} does not go with apply: a plan says by itself what goes")


def _choice(database: Database, view: str | None) -> Choice:
    return BY_LIMITS if view is None else _by_view(database, name(view, "view"))


# The views that the schema has for searching list every memory, and are no choice of what to let go.
VIEWS = "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name"
COLUMNS_OF = "SELECT lower(name) FROM pragma_table_info(?)"


def _by_view(database: Database, view: str) -> Choice:
    """Return what a view of the file lists. ValueError when it has no such view, or the view has no column `id`."""
    views = {str(found).lower(): str(found) for (found,) in database.rows(VIEWS)}
    for searching in ("recall", "strength", "strength_at"):
        del views[searching]
    found = views.get(view.lower())
    if found is None:
        listed = ", ".join(views.values())
        raise ValueError(
            f"view={view!r} is no view of the file that lists what may go; there is {listed}: add one with CREATE VIEW"
        )
    try:
        columns = {column for (column,) in database.rows(COLUMNS_OF, (found,))}
    except errors.SQLiteMemoryError as error:
        raise ValueError(f"view={view!r} cannot be read: {error.__cause__}") from error
    if "id" not in columns:
        raise ValueError(f"view={view!r} has no column id: it must list ids of memories, and may give a reason")
    quoted = '"' + found.replace('"', '""') + '"'
    reason = "CAST(reason AS TEXT)" if "reason" in columns else "NULL"
    return Choice(LISTED.format(view=quoted, reason=reason), "coalesce(listed.reason, 'listed')")


def _sweep(
    database: Database, marks: Sequence[Mark], bindings: Row, archive: Path | None, pace: Pace
) -> list[int]:
    gone: list[int] = []
    with archives.opened(archive, database) as store:
        for batch in pace.batches(marks):
            chosen = {**bindings, "marks": json.dumps(batch)}
            if store:
                gone += archives.move(database, store, chosen, DELETE, pace, len(batch))
            else:
                with pace.writing(len(batch)) as connection:
                    gone += sorted(id_of(row) for row in connection.execute(DELETE, chosen).fetchall())
    checkpoint(database, wait=False)
    return gone
