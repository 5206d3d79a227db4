"""The class SQLiteMemoryLayer: remember, recall, update, forget, each one transaction inside one scope.

What the methods do stands in `store`, `ranking`, `sweep`, `upkeep` and `portable`; connection and locks in `database`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from types import TracebackType
from typing import IO

from . import archive as archives
from . import (
    bulk,
    context,
    errors,
    history,
    moments,
    notes,
    pace,
    portable,
    ranking,
    store,
    summary,
    sweep,
    tags,
    upkeep,
)
from . import scrub as scrubbing
from .admission import Admission, Row, gatekeeper
from .context import Counter
from .conversation import (
    PRIVATE,
    Extractor,
    distilled,
    extract,
    heard,
    is_news,
    messages_of,
)
from .database import Bindings, Database, Value
from .filters import read_filter
from .gate import Verdict
from .incoming import (
    Scope,
    count,
    flag,
    identifier,
    importance_of,
    incoming,
    metadata_patch,
    name,
    number,
    read_item,
    scope,
    text,
    within,
)
from .memory import Memory, Report, Stats, from_row
from .moments import Moment
from .portable import Imported
from .summary import Compacted, Summarizer
from .text import HAN_RUN, normalise
from .upkeep import Progress


class SQLiteMemoryLayer:
    """The long-term memory of one user of one agent, in one SQLite file that other processes may share.

    `path` is made when it does not exist (not with `read_only`). `agent_id` and `user_id` are the scope: every method
    stays inside it, and a memory of another scope does not exist. Threads may share a layer; a forked child gets its
    own connection by itself. A method that writes waits for the file's write lock at most `busy_timeout` seconds, then
    raises Busy. All errors of the file derive from SQLiteMemoryError; a wrong argument is ValueError or TypeError.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        agent_id: str = "default",
        user_id: str = "default",
        read_only: bool = False,
        busy_timeout: float = 5.0,
    ) -> None:
        if number(busy_timeout, "busy_timeout") < 0:
            raise ValueError(f"busy_timeout={busy_timeout!r} must be 0 or more seconds")
        self._scope = scope(agent_id, user_id)
        self._database = Database(path, read_only=flag(read_only, "read_only"), busy_timeout=busy_timeout)
        try:
            warning = None if read_only else upkeep.catch_up(self._database)
        except BaseException:
            self._database.close()
            raise
        if warning:
            warnings.warn(f"{self.path}: {warning}", stacklevel=2)

    @property
    def path(self) -> str:
        """The absolute path of the file."""
        return self._database.path

    @property
    def agent_id(self) -> str:
        """The agent of the scope."""
        return self._scope.agent_id

    @property
    def user_id(self) -> str:
        """The user of the scope."""
        return self._scope.user_id

    def __repr__(self) -> str:
        return f"SQLiteMemoryLayer({self.path!r}, agent_id={self.agent_id!r}, user_id={self.user_id!r})"

    def __enter__(self) -> SQLiteMemoryLayer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a second call does nothing, any other call then raises Closed."""
        self._database.close()

    # ------------------------------------------------------------------------------------------------ remember

    def remember(
        self,
        content: str,
        *,
        memory_type: str = "fact",
        key: str | None = None,
        session_id: str | None = None,
        tags: Iterable[str] = (),
        metadata: Mapping[str, object] | None = None,
        importance: float | None = None,
        created_at: Moment | None = None,
        valid_from: Moment | None = None,
        expires_at: Moment | None = None,
        pinned: bool = False,
        allow_sensitive: bool = False,
        agent_id: str | None = None,
        user_id: str | None = None,
    ) -> int | None:
        """Store one memory and return its id, or None when the gate refuses it; `judge` says why.

        `memory_type` is fact, preference, state, skill, episode (a turn, word for word), summary, or one of your own.
        Times are ISO text, dates, datetimes or Unix seconds, UTC where no zone is given. `agent_id` and `user_id`
        choose another scope for this call, here as in recall().
        The same content again (same scope, type and key; for turns also the same session and time), or nearly the
        same, gains the policy's `reinforcement` and returns the id of the row that is there. A `key` names a fact: the
        newer row closes the older. `importance` is the type's default unless given. Secrets and identifying numbers
        are refused unless `allow_sensitive`, in key, tags and metadata too (there also what the policy masks); contact,
        health and finance in the content are noted in `metadata["sensitive"]`, a memory that may be contradicted in
        `metadata["contradicts"]`. ValueError for text over `max_length`.
        """
        memory = incoming(
            content, memory_type=memory_type, key=key, session_id=session_id, tags=tags, metadata=metadata,
            importance=importance, created_at=created_at, valid_from=valid_from, expires_at=expires_at, pinned=pinned,
        )
        keeper = gatekeeper(self._database)
        keeper.check_length(memory.content)
        admission = keeper.admit(
            memory, within(self._scope, agent_id, user_id), allow_sensitive=flag(allow_sensitive, "allow_sensitive")
        )
        return store.store(self._database, [admission], keeper.policy.segmenter)[0]

    def judge(
        self,
        content: str,
        *,
        memory_type: str = "fact",
        key: str | None = None,
        importance: float | None = None,
        allow_sensitive: bool = False,
    ) -> Verdict:
        """Return what remember() would decide and why, without writing: admit, reinforce or refuse.

        Reasons: blank, too long, too short, noise, below the importance floor, the user asked not to remember,
        "sensitive: ..." with the kind; exact duplicate, near duplicate, possible contradiction; '' for none.
        """
        memory = incoming(content, memory_type=memory_type, key=key, importance=importance)
        keeper = gatekeeper(self._database)
        verdict, row = keeper.admit(memory, self._scope, allow_sensitive=flag(allow_sensitive, "allow_sensitive"))
        known = None if row is None else store.duplicate(self._database, row)
        if known is None:
            return verdict
        return dataclasses.replace(verdict, decision="reinforce", reason="exact duplicate", collides_with=known)

    def remember_conversation(
        self,
        messages: Iterable[Mapping[str, object]],
        extractor: Extractor = extract,
        *,
        session_id: str | None = None,
        allow_sensitive: bool = False,
    ) -> list[int | None]:
        """Store what `extractor` distils from a conversation, in one transaction; return an id or None for each.

        `messages` have the OpenAI chat form. The extractor is any callable that takes them and returns mappings with
        the arguments of remember(); a model behind it is not asked when no user turn carries news. The default finds
        by rule what is said outright. It does not see turns that ask not to be remembered or hold a secret. Each memory
        is checked and judged; contact, health and finance are left out unless `allow_sensitive`. A wrong mapping raises
        as remember() does, with the number of the item, and nothing is stored.
        """
        allowed = flag(allow_sensitive, "allow_sensitive")
        keeper = gatekeeper(self._database, leave_out=() if allowed else PRIVATE)
        turns = heard(messages_of(messages), keeper.policy.values, allow_sensitive=allowed)
        unwanted = not keeper.policy["refuse_unwanted"]
        if not any(is_news(turn, even_unwanted=unwanted) for turn in turns):
            return []
        if extractor is extract:
            extractor = partial(extract, leave_out=keeper.leave_out, even_unwanted=unwanted)
        items = [
            read_item({"session_id": session_id, **memory, "allow_sensitive": allowed}, f"extractor, item {place}", self._scope)
            for place, memory in enumerate(distilled(extractor, turns))
        ]

        def admissions() -> Iterator[Admission]:
            return (keeper.admit(memory, where, allow_sensitive=allowed) for memory, where, allowed in items)

        # Judged before the lock is taken, where most of the time goes, and again beside what was stored just before.
        return store.store(self._database, [*admissions()], keeper.policy.segmenter, anew=admissions)

    def remember_many(self, memories: Iterable[Mapping[str, object]]) -> list[int | None]:
        """Store mappings with the arguments of remember(); return an id or None for each, in their order.

        The bulk path: 2,000 rows a transaction, some 100 ms each, written by a thread while the next rows are judged;
        memory stays flat. Exact duplicates are met, near ones not looked for. What the gate refuses, over-long text
        included, is None. A wrong argument raises as remember() does, with the number of the item; the batches before
        it are kept.
        """
        keeper = gatekeeper(self._database, compare=False)
        items = enumerate(memories)
        with bulk.Writer(self._database, keeper.policy.segmenter) as writer:
            while batch := list(islice(items, bulk.BATCH)):
                read = [read_item(item, f"item {place}", self._scope) for place, item in batch]
                writer.write([keeper.admit(memory, where, allow_sensitive=allowed) for memory, where, allowed in read])
        return writer.ids

    # ------------------------------------------------------------------------------------------------ recall

    def recall(
        self,
        query: str | None = None,
        *,
        limit: int = 10,
        memory_type: str | Iterable[str] | None = None,
        session_id: str | None = None,
        key: str | None = None,
        tags: Iterable[str] | None = None,
        where: Mapping[str | tuple[str, ...], object] | None = None,
        min_importance: float | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        include_superseded: bool = False,
        expand: bool = False,
        explain: bool = False,
        touch: bool = True,
        agent_id: str | None = None,
        user_id: str | None = None,
    ) -> list[Memory]:
        """Return the memories that answer `query`, best first, at most `limit`.

        Ties go to the newer, then the higher id. Any text is a legal query; one without a letter or digit finds none.
        `None` lists by strength. Superseded and expired memories are left out. Filters: all `tags` must be there;
        `where` maps metadata keys (a tuple for a nested one) to values that must be equal, type included; `since` and
        `until` bound `created_at`, both included. `as_of` is the moment of the question: nothing later is seen, ages
        count from it. `expand` also brings in memories that share no word with the query but telling ones with its
        first two hits: more is found, the first places are less sure. `explain` gives each hit its factors and addends;
        how they recombine stands at `ranking.PARTS`. With `touch` the access is counted, at the moment of the question,
        in a transaction of its own that is skipped rather than waited for. The search itself holds no lock of the file.
        """
        largest = count(limit, "limit")
        inside = within(self._scope, agent_id, user_id)
        wanted = read_filter(
            inside, memory_type=memory_type, session_id=session_id, key=key, tags=tags, where=where,
            min_importance=min_importance, since=since, until=until, as_of=as_of, include_superseded=include_superseded,
        )
        statement, bindings = ranking.statement(self._database, query, wanted, largest, expand=flag(expand, "expand"))
        parts = ranking.PARTS if flag(explain, "explain") and query is not None else ()
        found = [from_row(row, parts) for row in self._database.rows(statement, bindings)]
        if touch and found:
            self._touch_in_passing([memory.id for memory in found], inside, min(wanted.moment, moments.now()))
        return found

    def recall_sql(
        self, query: str | None = None, *, limit: int = 10, expand: bool = False, **filters: object
    ) -> tuple[str, Row]:
        """Return the statement that recall() runs and its parameters; any SQLite with math functions runs it."""
        wanted = read_filter(within(self._scope, filters.pop("agent_id", None), filters.pop("user_id", None)), **filters)
        return ranking.statement(self._database, query, wanted, count(limit, "limit"), expand=flag(expand, "expand"))

    def touch(self, *ids: int) -> int:
        """Count one access of each memory, now; return how many there were. The index is not written."""
        return store.touch(self._database, self._scope, [identifier(id) for id in ids], moments.now())

    # ------------------------------------------------------------------------------------------------ one memory

    def get(self, id: int) -> Memory | None:
        """Return one memory, superseded or not, or None when the scope has none with this id."""
        return store.get(self._database, self._scope, identifier(id))

    def update(
        self,
        id: int,
        *,
        content: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, object] | None = None,
        expected_version: int | None = None,
        allow_sensitive: bool = False,
    ) -> Memory:
        """Change what is given of one memory and return it as it is then, its version one higher.

        `metadata` is merged by RFC 7396 (JSON merge patch): given keys replace, None removes, the rest stays.
        A new content is masked and flagged as by remember(); ValueError for secrets in it or in `metadata` unless
        `allow_sensitive`. Raises NoSuchMemory, and Conflict (with the current row) when `expected_version` is not the
        row's.
        """
        segmented: Row | None = None
        patch = None if metadata is None else metadata_patch(metadata)
        allowed = flag(allow_sensitive, "allow_sensitive")
        if content is not None or patch is not None:
            new = None if content is None else text(content, "content")
            segmented, patch = gatekeeper(self._database).edited(new, patch, allow_sensitive=allowed)
        expected = None if expected_version is None else identifier(expected_version, "expected_version")
        changes: Row = {
            "content": None if segmented is None else segmented["content"],
            "importance": None if importance is None else importance_of(importance),
            "patch": patch,
        }
        return store.update(self._database, self._scope, identifier(id), changes, segmented, expected)

    def history(self, id_or_key: int | str) -> list[Memory]:
        """Return all versions of a key, oldest first; for an id those of its type and key, or the memory alone."""
        wanted = name(id_or_key, "key") if isinstance(id_or_key, str) else identifier(id_or_key)
        return history.history(self._database, self._scope, wanted)

    def withdraw(self, id: int) -> Memory:
        """Close a memory without a successor ("forget what I said about that") and return it; its history stays.

        Raises NoSuchMemory.
        """
        return history.withdraw(self._database, self._scope, identifier(id))

    def tags(self) -> dict[str, int]:
        """Return each tag and how many current memories have it, the most frequent first."""
        return tags.tags(self._database, self._scope)

    def rename_tag(self, old: str, new: str) -> int:
        """Give the memories of one tag another instead and return how many there were. ValueError for a secret."""
        before, after = name(old, "old"), name(new, "new")
        gatekeeper(self._database).check_tag(after)
        return tags.rename(self._database, self._scope, before, after)

    def delete(self, *ids: int, scrub: bool = False) -> int:
        """Delete memories for good and return how many there were; with `scrub` leave no byte of them (see scrub()).

        Raises TracesLeft when the rows are gone but the scrub was not possible.
        """
        deleted = store.delete(self._database, self._scope, [identifier(id) for id in ids])
        if flag(scrub, "scrub"):
            scrubbing.leave_no_trace(self._database)
        return deleted

    # ------------------------------------------------------------------------------------------------ condense, prompt

    def context(
        self,
        query: str | None = None,
        *,
        budget: int = 1300,
        session_id: str | None = None,
        counter: Counter | None = None,
    ) -> str:
        """Return a block of memories for a prompt, at most `budget` tokens; "" when nothing is known or nothing fits.

        Three levels: the newest turns of `session_id`, else of the latest session; of the 300 most important memories,
        turns left out, the pinned and then the strongest ones, by type; what recall(query) finds. They get 35, 30 and 35
        in a hundred (50 and 50 without a query) and pass on what they leave. No memory stands there twice, each has its
        UTC day, the last line says that the user's present words win. Headings and days are Chinese when the texts mostly
        are. `counter` counts the tokens of a text; without one they are estimated for o200k_base. What the query called up
        and the block shows counts as accessed, as in recall(); nothing else does. Never waits for a lock. ValueError for a
        budget below 1.
        """
        return context.context(
            self._database, self._scope, query=query, budget=budget, session_id=session_id, counter=counter
        )

    def notes(self) -> str:
        """Return every current memory of the scope as Markdown for the user to read: by type, newest first, with ids."""
        return notes.notes(self._database, self._scope)

    def summarize(self, session_id: str, *, summarizer: Summarizer | None = None) -> int | None:
        """Write one `summary` memory of a session's current turns and return its id; None for too few turns.

        `summarizer` gets the turns, oldest first, and returns text; blank text writes nothing (None). Without one the
        sentences that tell most are taken. It runs before the lock; one transaction writes the row (its `sources` in
        the metadata, dated by the newest turn), closes the earlier summary, and keeps, closes or deletes the turns by
        policy (pinned or meanwhile edited ones stay). TypeError or ValueError for what is no text, over `max_length`, or
        holds a secret; nothing is changed then. Contact, health and finance are noted as by remember().
        """
        return summary.summarize(self._database, self._scope, session_id, summarizer=summarizer)

    def compact(
        self,
        *,
        older_than_days: float = 30,
        drop_after_days: float = 90,
        summarizer: Summarizer | None = None,
        all_scopes: bool = False,
        dry_run: bool = False,
    ) -> Compacted:
        """Summarise old sessions whose turns nobody recalled, and delete the turns of very old ones.

        Returns the sessions that got a summary and the ids of the turns deleted; `dry_run` returns the same and writes
        nothing (it takes for granted that `summarizer`, which it does not ask, has something to say). Only turns that a
        summary tells of are deleted, pinned ones never. One transaction a session, safe to repeat. ValueError for limits
        that are not above 0, and as summarize() raises it; earlier sessions are done then.
        """
        return summary.compact(
            self._database, self._scope, older_than_days=older_than_days, drop_after_days=drop_after_days,
            summarizer=summarizer, all_scopes=all_scopes, dry_run=dry_run,
        )

    # ------------------------------------------------------------------------------------------------ forget

    def forget(
        self,
        *,
        max_age_days: float | None = None,
        min_importance: float | None = None,
        memory_type: str | None = None,
        session_id: str | None = None,
        all_scopes: bool = False,
        dry_run: bool = False,
        plan: str | os.PathLike[str] | None = None,
        apply: str | os.PathLike[str] | None = None,
        archive: str | os.PathLike[str] | None = None,
        view: str | None = None,
        pause: float = pace.PAUSE,
    ) -> list[int]:
        """Delete what has faded and return the ids, in order; `dry_run` returns the same and deletes nothing.

        Faded is what was not recalled (or, never recalled, not created) for `max_age_days` and is less important than
        `min_importance`; one left out comes from the file's policy. Expired memories go too, pinned ones never.
        `view` names a view of the file that lists what goes instead. `plan` writes what would go to a JSONL file and
        changes nothing; `apply` deletes what such a file lists, but for what was edited, recalled or pinned since.
        With `archive` the rows move to that memory file; recover() brings them back.

        What goes is chosen first; then short transactions, some 10 ms each with `pause` seconds between them, delete
        what is still as it was chosen. Busy in the middle leaves the earlier ones done: call it again. ValueError for
        zero, negative or NaN limits and for arguments that contradict each other, BadLines for a file that is no plan.
        """
        limits = sweep.limits(
            self._scope, max_age_days=max_age_days, min_importance=min_importance, memory_type=memory_type,
            session_id=session_id, all_scopes=all_scopes,
        )
        return sweep.forget(
            self._database, limits, dry_run=flag(dry_run, "dry_run"), plan=plan, apply=apply, archive=archive,
            view=view, pause=pause,
        )

    def recover(
        self, archive: str | os.PathLike[str], *, uids: Iterable[str] | None = None, all_scopes: bool = False
    ) -> list[int]:
        """Bring memories back from an archive and return their new ids; all of the scope unless `uids` are given.

        An archive is a memory file: open it as a layer and recall() there to find the `uid`. Every column comes back as
        it was but the id; a memory that this file has already is only taken out of the archive. It is as old as it was,
        so touch or pin what the next sweep should leave.
        """
        return archives.recover(self._database, archive, self._scope, uids=uids, all_scopes=all_scopes)

    def scrub(self) -> Report:
        """Leave no byte of what was deleted in the file, its log and its index; say what could not be done.

        Words of the dictionary that no memory holds go too. The whole file is written anew, for which the write lock is
        held: some 2 s for 100,000 memories. Another connection that reads all the while keeps old pages in the log: the
        report is not `ok` then.
        """
        return scrubbing.scrub(self._database)

    def clear(self) -> int:
        """Delete every memory of the scope, pinned ones too, scrub the file, and return how many there were.

        Raises TracesLeft when the rows are gone but the scrub was not possible.
        """
        return scrubbing.clear(self._database, self._scope)

    def forget_sql(self, **limits: object) -> tuple[str, Row]:
        """Return the statement that selects what forget() with the same arguments would delete, and its parameters."""
        return sweep.FORGETTABLE, sweep.limits(self._scope, **limits)

    # ------------------------------------------------------------------------------------------------ the file

    def sql(self, query: str, params: Bindings = ()) -> list[dict[str, Value]]:
        """Run one reading statement over the whole file, all scopes, and return its rows as mappings.

        What would write is refused by SQLite (ReadOnly), whatever the text looks like.
        """
        return self._database.query(query, params)

    def stats(self) -> Stats:
        """Return how much the scope holds."""
        return store.stats(self._database, self._scope, forgettable=len(self.forget(dry_run=True)))

    def import_jsonl(self, path: str | os.PathLike[str] | IO[bytes], *, progress: Progress | None = None) -> Imported:
        """Store the lines of a JSONL file, 1,000 a transaction; the gate judges none of them.

        A line holds the names of the columns; missing ones default (the scope to this layer's), unknown ones go into
        metadata, a text `id` is the `uid`. Importing the same file again changes nothing. BadLines names the lines that
        cannot be read; nothing of their batch is kept, the batches before it are.
        """
        return portable.import_jsonl(self._database, path, self._scope, progress=progress)

    def add_word(self, word: str) -> int:
        """Keep a Chinese name or term whole from now on, in this file; return how many memories were segmented anew.

        Other scripts need no entry: words, identifiers and `SK-II` are found as they are written.
        """
        plain = normalise(text(word, "word")).strip()
        if len(plain) < 2 or not HAN_RUN.fullmatch(plain):
            raise ValueError(f"word={word!r} must be two or more Chinese characters; others are found as written")
        with self._database.writing() as connection:
            connection.execute("INSERT INTO dictionary (word) VALUES (?) ON CONFLICT DO NOTHING", (plain,))
            self._database.settings_changed()
        return upkeep.segment_flagged(self._database)

    def reindex(self, *, progress: Progress | None = None) -> int:
        """Segment every memory of the file anew, in batches, and return how many."""
        return upkeep.reindex(self._database, progress=progress)

    def check(self) -> Report:
        """Compare the index with every row and examine file, schema and totals; nothing is changed."""
        return upkeep.check(self._database)

    def repair(self, *, progress: Progress | None = None) -> Report:
        """Put back what the schema lost and build everything derived anew from the rows; return what is left to do."""
        return upkeep.repair(self._database, progress=progress)

    # ------------------------------------------------------------------------------------------------ helpers

    def _touch_in_passing(self, ids: list[int], where: Scope, moment: str) -> None:
        with contextlib.suppress(errors.Busy, errors.ReadOnly, errors.Full):
            store.touch(self._database, where, ids, moment, wait=False)

