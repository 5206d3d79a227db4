"""Sessions become summaries: what is written, what becomes of the turns, and which sessions a compaction takes."""

from __future__ import annotations

import math

import pytest
from conftest import ROOT, days_ago, ids, index_is_sound, python, rows, shell

from sqlite_memory import SQLiteMemoryLayer, errors
from sqlite_memory.incoming import Scope
from sqlite_memory.summary import Compacted, compact, summarize

SCOPE = Scope("default", "default")
SAID = (
    "Ann: Hey there! How have you been?",
    "Ben: I adopted a beagle puppy from the shelter in Bergen last Friday.",
    "Ann: Oh wow, that is so nice! What is it called?",
    "Ben: It is called Pixel, and it sleeps under my desk all day.",
    "Ann: Ha, good for you.",
)


def talk(layer: SQLiteMemoryLayer, session: str = "s", *, age: float = 1.0, said: tuple[str, ...] = SAID, **more):
    """Store the turns of a session, the newest so many days old, and return their ids."""
    found = layer.remember_many(
        {"content": text, "memory_type": "episode", "session_id": session,
         "created_at": days_ago(age + (len(said) - place - 1) / 1440), **more}
        for place, text in enumerate(said)
    )
    assert None not in found
    return found


def summarized(layer: SQLiteMemoryLayer, session: str = "s", **more) -> int | None:
    return summarize(layer._database, SCOPE, session, **more)


def compacted(layer: SQLiteMemoryLayer, **more) -> Compacted:
    pretended = compact(layer._database, SCOPE, **more, dry_run=True)
    assert pretended == compact(layer._database, SCOPE, **more, dry_run=True)
    done = compact(layer._database, SCOPE, **more)
    assert pretended == done
    assert index_is_sound(layer.path)
    return done


def turns_left(layer: SQLiteMemoryLayer, session: str = "s", where: str = "1") -> list[int]:
    sql = f"SELECT id FROM memories WHERE session_id = '{session}' AND memory_type = 'episode' AND {where} ORDER BY id"
    return [row["id"] for row in rows(layer.path, sql)]


def set_policy(layer: SQLiteMemoryLayer, name: str, value: float) -> None:
    shell(layer.path, f"UPDATE policy SET value = {value} WHERE name = '{name}'")


# ------------------------------------------------------------------------------------------------ one session


def test_a_session_that_is_not_there_or_too_short_gets_no_summary(layer):
    assert summarized(layer) is None
    talk(layer, said=SAID[:3])
    assert summarized(layer) is None
    with pytest.raises(ValueError, match="session_id"):
        summarized(layer, "")


def test_a_summary_tells_what_the_session_told_and_names_its_sources(layer):
    turns = talk(layer)
    set_policy(layer, "summary_min_length", 80)
    summary = layer.get(summarized(layer))
    assert summary.content == "Ben: I adopted a beagle puppy from the shelter in Bergen last Friday."
    assert (summary.memory_type, summary.key, summary.session_id, summary.importance) == ("summary", "s", "s", 5.0)
    assert summary.metadata == {"session": "s", "sources": turns, "turns": "kept"}
    assert summary.created_at == layer.get(turns[-1]).created_at
    assert turns_left(layer, where="valid_to IS NULL") == turns
    assert summary.id in ids(layer.recall("beagle puppy"))
    assert index_is_sound(layer.path)


def test_a_callable_gets_the_turns_in_their_order_and_its_text_is_kept(layer):
    turns = talk(layer)
    given = []

    def summarizer(memories):
        given.extend(memories)
        return "Ben has a puppy called Pixel.\n"

    assert layer.get(summarized(layer, summarizer=summarizer)).content == "Ben has a puppy called Pixel."
    assert ids(given) == turns


def test_a_callable_that_says_nothing_writes_nothing(layer):
    talk(layer)
    set_policy(layer, "summary_keeps_turns", 2)
    assert summarized(layer, summarizer=lambda memories: " \n") is None
    assert len(turns_left(layer)) == 5


def test_a_callable_that_returns_no_text_or_too_much_is_refused(layer):
    talk(layer)
    with pytest.raises(TypeError, match="summarizer must return text"):
        summarized(layer, summarizer=len)
    with pytest.raises(ValueError, match="8001 characters"):
        summarized(layer, summarizer=lambda memories: "x" * 8001)
    assert layer.stats().by_type == {"episode": 5}


def test_no_lock_is_held_while_a_model_thinks(layer):
    talk(layer)

    def summarizer(memories):
        shell(layer.path, "INSERT INTO memories (content) VALUES ('written meanwhile')")
        return "thought over"

    assert summarized(layer, summarizer=summarizer)
    assert layer.stats().memories == 7


def test_a_locked_file_is_reported_and_nothing_is_half_done(make_layer, locked):
    layer = make_layer(busy_timeout=0.05)
    talk(layer)
    set_policy(layer, "summary_keeps_turns", 2)
    release = locked(layer.path)
    with pytest.raises(errors.Busy):
        summarized(layer)
    release()
    assert layer.stats().by_type == {"episode": 5}


def test_summarising_again_supersedes_the_old_summary(layer):
    talk(layer)
    first = summarized(layer, summarizer=lambda memories: "first")
    second = summarized(layer, summarizer=lambda memories: "second")
    assert [m.content for m in layer.recall(memory_type="summary")] == ["second"]
    assert layer.get(first).valid_to == layer.get(second).valid_from


def test_summarising_again_with_nothing_new_to_tell_is_the_same_summary(layer):
    talk(layer)
    first = layer.summarize("s")
    assert layer.summarize("s") == first
    assert layer.get(first).version == 1
    other = layer.summarize("s", summarizer=lambda turns: "in other words")
    assert other != first and layer.get(first).valid_to is not None


def test_the_newest_turn_may_be_withdrawn_before_summarising_again(layer):
    turns = talk(layer)
    summarized(layer)
    layer.delete(turns[-1])
    second = layer.get(summarized(layer))
    assert second.valid_to is None and second.metadata["sources"] == turns[:-1]


def test_a_withdrawn_turn_is_not_told_again(layer):
    turns = talk(layer)
    summarized(layer)
    shell(layer.path, f"UPDATE memories SET valid_to = created_at WHERE id = {turns[1]}")
    assert "beagle" not in layer.get(summarized(layer)).content


@pytest.mark.parametrize(("policy", "state"), [(1, "closed"), (2, "deleted")])
def test_turns_are_closed_or_deleted_by_policy_but_not_the_pinned(layer, policy, state):
    turns = talk(layer)
    shell(layer.path, f"UPDATE memories SET pinned = 1 WHERE id = {turns[0]}")
    set_policy(layer, "summary_keeps_turns", policy)
    summary = layer.get(summarized(layer))
    assert summary.metadata == {"session": "s", "sources": turns, "turns": state}
    assert turns_left(layer, where="valid_to IS NULL") == [turns[0]]
    assert turns_left(layer) == (turns if state == "closed" else [turns[0]])
    assert index_is_sound(layer.path)


@pytest.mark.parametrize("policy", [1, 2])
def test_a_session_that_goes_on_keeps_what_its_first_summary_told(layer, policy):
    turns = talk(layer)
    set_policy(layer, "summary_keeps_turns", policy)
    first = layer.get(summarized(layer))
    assert summarized(layer) == first.id, "nothing new: the summary stands"
    new = talk(layer, age=0.5, said=("Ben: Pixel learnt to swim in the fjord today.",))
    second = layer.get(summarized(layer))
    assert second.content == f"{first.content}\nBen: Pixel learnt to swim in the fjord today."
    assert second.metadata["sources"] == turns + new
    assert [m.content for m in layer.recall(memory_type="summary")] == [second.content]


def test_a_summary_stays_within_its_length_however_often_the_session_goes_on(layer):
    set_policy(layer, "summary_keeps_turns", 2)
    set_policy(layer, "summary_min_length", 100)
    set_policy(layer, "summary_max_length", 200)
    for day in range(8):
        said = tuple(f"Ann: day {day} brought visitor{day}{letter} to harbour{day}{letter}." for letter in "abcd")
        talk(layer, age=8 - day, said=said)
        assert len(layer.get(summarized(layer)).content) <= 200


def test_a_turn_that_is_edited_while_a_model_thinks_is_not_deleted(layer):
    turns = talk(layer)
    set_policy(layer, "summary_keeps_turns", 2)

    def summarizer(memories):
        shell(layer.path, f"UPDATE memories SET content = 'Ben: a cat, not a puppy' WHERE id = {turns[1]}")
        return "Ben has a puppy."

    summarized(layer, summarizer=summarizer)
    assert turns_left(layer) == [turns[1]]


def test_a_session_of_another_scope_is_neither_read_nor_touched(layer):
    talk(layer, user_id="somebody")
    assert summarized(layer) is None
    assert compacted(layer, older_than_days=0.5, drop_after_days=0.5) == Compacted()
    assert len(turns_left(layer)) == 5


def test_all_scopes_of_the_file_can_be_compacted(layer):
    mine = talk(layer, "mine", age=100)
    theirs = talk(layer, "theirs", age=100, agent_id="other", user_id="somebody")
    done = compacted(layer, all_scopes=True)
    assert done == Compacted(summarized=("mine", "theirs"), dropped=(*mine, *theirs))
    assert [m.session_id for m in layer.recall(agent_id="other", user_id="somebody")] == ["theirs"]


def test_english_sessions_load_no_jieba(tmp_path):
    script = """
        import sys
        sys.path.insert(0, sys.argv[1])
        import test_summary
        from sqlite_memory import SQLiteMemoryLayer
        with SQLiteMemoryLayer(sys.argv[2]) as layer:
            test_summary.talk(layer)
            assert test_summary.summarized(layer)
        assert "jieba" not in sys.modules
    """
    assert python(script, ROOT / "tests", tmp_path / "memory.db") == ""


# ------------------------------------------------------------------------------------------------ old sessions


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_ages_must_be_above_zero(layer, value):
    for argument in ("older_than_days", "drop_after_days"):
        with pytest.raises(ValueError, match=argument):
            compact(layer._database, SCOPE, **{argument: value})


def test_only_old_sessions_that_nobody_visited_are_summarised(layer):
    talk(layer, "old", age=40)
    talk(layer, "older", age=80)
    talk(layer, "young", age=20)
    talk(layer, "short", age=40, said=SAID[:2])
    talk(layer, "went on", age=40, said=SAID)
    talk(layer, "went on", age=2, said=("Ann: Pixel says hello once more.",))
    visited = talk(layer, "visited", age=40)
    layer.touch(visited[2])
    assert compacted(layer) == Compacted(summarized=("older", "old"))
    assert compacted(layer) == Compacted()
    assert layer.stats().by_type["summary"] == 2
    assert all(turns_left(layer, session) for session in ("old", "older", "young", "short"))


def test_turns_go_after_ninety_days_and_their_summary_stays(layer):
    very_old = talk(layer, "very old", age=100)
    old = talk(layer, "old", age=40)
    done = compacted(layer)
    assert done == Compacted(summarized=("very old", "old"), dropped=tuple(very_old))
    assert turns_left(layer, "very old") == [] and turns_left(layer, "old") == old
    states = {m.session_id: m.metadata["turns"] for m in layer.recall(memory_type="summary", touch=False)}
    assert states == {"very old": "deleted", "old": "kept"}


def test_what_was_summarised_at_thirty_days_goes_at_ninety_without_a_new_summary(layer):
    turns = talk(layer, age=40)
    summary = layer.get(summarized(layer, summarizer=lambda memories: "by hand"))
    shell(layer.path, "UPDATE memories SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-60 days')")
    shell(layer.path, f"UPDATE memories SET pinned = 1 WHERE id = {turns[0]}")
    assert compacted(layer) == Compacted(dropped=tuple(turns[1:]))
    assert compacted(layer) == Compacted()
    assert layer.get(summary.id).content == "by hand"
    assert turns_left(layer) == turns[:1]


def test_a_turn_that_no_summary_tells_of_is_never_dropped(layer):
    talk(layer, "short", age=400, said=SAID[:3])
    kept = talk(layer, "s", age=400)
    summarized(layer)
    layer.delete(*kept[:3])
    more = talk(layer, "s", age=390, said=("Ben: Pixel has a sister now.",))
    assert compacted(layer) == Compacted(dropped=tuple(kept[3:]))
    assert turns_left(layer, "short") != [] and turns_left(layer, "s") == more


@pytest.mark.parametrize(("policy", "dropped"), [(1, 0), (2, 5)])
def test_compacting_follows_the_policy_for_turns(layer, policy, dropped):
    turns = talk(layer, age=40)
    set_policy(layer, "summary_keeps_turns", policy)
    assert compacted(layer) == Compacted(summarized=("s",), dropped=tuple(turns[:dropped]))
    assert turns_left(layer, where="valid_to IS NULL") == []
    shell(layer.path, "UPDATE memories SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-60 days')")
    assert compacted(layer) == Compacted(dropped=tuple(turns[dropped:]))
    assert turns_left(layer) == []


def test_a_session_whose_times_nobody_can_read_is_not_old(layer):
    talk(layer, age=400)
    shell(layer.path, "UPDATE memories SET created_at = 'long ago' WHERE id = 3")
    assert compacted(layer) == Compacted()


def test_a_summary_of_a_time_nobody_can_read_is_dated_by_the_others(layer):
    turns = talk(layer)
    shell(layer.path, f"UPDATE memories SET created_at = 'long ago' WHERE id = {turns[0]}")
    assert layer.get(summarized(layer)).created_at == layer.get(turns[-1]).created_at


def test_a_summarizer_can_be_given_to_a_compaction(layer):
    talk(layer, age=40)
    assert compacted(layer, summarizer=lambda memories: f"{len(memories)} turns").summarized == ("s",)
    assert [m.content for m in layer.recall(memory_type="summary")] == ["5 turns"]


def test_a_closed_turn_of_a_summary_is_still_found_as_of_then(layer):
    talk(layer, age=40)
    set_policy(layer, "summary_keeps_turns", 1)
    compacted(layer)
    assert "episode" in {m.memory_type for m in layer.recall("beagle puppy", as_of=days_ago(35))}
    assert {m.memory_type for m in layer.recall("beagle puppy")} == {"summary"}
