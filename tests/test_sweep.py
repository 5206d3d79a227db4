"""What a sweep selects: the view of the file and the statement with arguments are the same."""

from __future__ import annotations

import json
import math
import os

import pytest
from conftest import days_ago, index_is_sound, rows, shell

from sqlite_memory import BadLines, SQLiteMemoryError, pace, sweep
from sqlite_memory.incoming import Scope

SCOPE = Scope("default", "default")


def test_limits_left_out_come_from_the_policy():
    limits = sweep.limits(SCOPE)
    assert (limits["max_age_days"], limits["min_importance"], limits["all_scopes"]) == (None, None, False)


@pytest.mark.parametrize("value", [0, -0.0, -1, math.nan, math.inf])
def test_a_limit_must_be_above_zero_and_finite(value):
    with pytest.raises(ValueError, match="max_age_days"):
        sweep.limits(SCOPE, max_age_days=value)
    with pytest.raises(ValueError, match="min_importance"):
        sweep.limits(SCOPE, min_importance=value)


def test_the_view_and_the_policys_sweep_take_the_same(layer):
    for number in range(60):
        layer.remember(
            f"memory number {number}",
            created_at=days_ago(number * 5 - 10),
            importance=2 + number % 8,
            pinned=number % 7 == 0,
            expires_at=days_ago(1) if number % 11 == 0 else None,
            agent_id=str(number % 3),
        )
    view = [row["id"] for row in rows(layer.path, "SELECT id FROM forgettable ORDER BY id")]
    assert 5 < len(view) < 55
    assert layer.forget(all_scopes=True, dry_run=True) == view
    shell(
        layer.path,
        "UPDATE policy SET value = 20 WHERE name = 'forget_max_age_days'; "
        "UPDATE policy SET value = 8 WHERE name = 'forget_min_importance'",
    )
    wider = [row["id"] for row in rows(layer.path, "SELECT id FROM forgettable ORDER BY id")]
    assert len(wider) > len(view)
    assert layer.forget(all_scopes=True) == wider
    assert rows(layer.path, "SELECT id FROM forgettable") == []
    assert index_is_sound(layer.path)


def test_the_statement_that_forget_runs_can_be_taken_away(layer):
    old = layer.remember("of long ago", created_at=days_ago(100), importance=3)
    layer.remember("of today", importance=3)
    statement, parameters = layer.forget_sql()
    assert layer.sql(statement, parameters) == [{"id": old}]
    assert json.dumps(parameters)


def test_exactly_at_the_limit_the_age_counts_and_the_importance_does_not(layer):
    layer.remember("exactly as old", created_at="2026-01-01T00:00:00Z", importance=3)
    limits = sweep.limits(SCOPE, max_age_days=10, min_importance=3.1)
    for moment, gone in (("2026-01-10T23:59:59.999Z", []), ("2026-01-11T00:00:00.000Z", [1])):
        assert sweep.forget(layer._database, {**limits, "moment": moment}, dry_run=True) == gone
    limits = sweep.limits(SCOPE, max_age_days=10, min_importance=3.0)
    assert sweep.forget(layer._database, {**limits, "moment": "2027-01-01T00:00:00.000Z"}, dry_run=True) == []


def test_a_memory_is_expired_from_its_last_moment_on(layer):
    layer.remember("exactly as long", expires_at="2026-01-01T00:00:00Z", created_at="2025-01-01", importance=10)
    for moment, gone in (("2025-12-31T23:59:59.999Z", []), ("2026-01-01T00:00:00.000Z", [1])):
        assert sweep.forget(layer._database, {**sweep.limits(SCOPE), "moment": moment}, dry_run=True) == gone
        assert len(layer.recall("long", as_of=moment, touch=False)) == 1 - len(gone)


# ------------------------------------------------------------------------------------------------ small transactions


def faded(layer, number: int, **more) -> list[int]:
    """Store so many memories that the policy's sweep takes."""
    return layer.remember_many(
        {"content": f"faded memory number {place} of long ago", "importance": 3, "created_at": days_ago(200), **more}
        for place in range(number)
    )


def test_a_sweep_of_several_transactions_returns_every_id_in_order(layer):
    fresh = layer.remember("of today", importance=3)
    gone = faded(layer, 300)
    assert layer.forget(dry_run=True) == layer.forget(pause=0) == gone
    assert layer.stats().memories == 1 and layer.get(fresh)
    assert os.path.getsize(layer.path + "-wal") == 0, "the log is emptied after a sweep"
    assert index_is_sound(layer.path)


def test_what_is_recalled_edited_or_pinned_during_a_sweep_stays(layer, make_layer, monkeypatch):
    gone = faded(layer, 100)
    other = make_layer()
    touched, edited, pinned = gone[-1], gone[-2], gone[-3]

    def meanwhile(seconds):
        if other.get(touched).access_count == 0:
            other.touch(touched)
            other.update(edited, importance=2)
            shell(layer.path, f"UPDATE memories SET pinned = 1 WHERE id = {pinned}")

    monkeypatch.setattr(pace.time, "sleep", meanwhile)
    assert layer.forget() == gone[:-3]
    assert [memory.id for memory in layer.recall(limit=10, touch=False)] and layer.stats().memories == 3


def test_a_sweep_pauses_between_its_transactions_but_not_after_the_last(layer, monkeypatch):
    slept = []
    monkeypatch.setattr(pace.time, "sleep", slept.append)
    faded(layer, pace.FIRST)
    assert len(layer.forget(pause=0.5)) == pace.FIRST and slept == []
    faded(layer, pace.FIRST + 1)
    assert len(layer.forget(pause=0.5)) == pace.FIRST + 1 and slept.count(0.5) == 1


def test_a_batch_grows_and_shrinks_with_the_time_of_the_one_before(layer, monkeypatch):
    clock = iter([0.0, 0.001, 1.0, 1.040, 2.0, 2.010])
    monkeypatch.setattr(pace.time, "monotonic", lambda: next(clock))
    dealt = pace.Pace(layer._database)
    sizes = []
    for rows_of in (25, 50, 25):
        with dealt.writing(rows_of):
            pass
        sizes.append(dealt.size)
    assert sizes == [50, 25, 25]


@pytest.mark.parametrize("pause", [-1, math.nan, math.inf])
def test_a_pause_is_zero_or_more_seconds(layer, pause):
    with pytest.raises(ValueError, match="pause"):
        layer.forget(pause=pause)


def test_a_reader_does_not_keep_a_sweep_from_ending(layer, make_layer):
    gone = faded(layer, 5)
    reader = make_layer(read_only=True)
    with reader._database.reading() as connection:
        cursor = connection.execute("SELECT id FROM memories")
        next(cursor)
        assert layer.forget() == gone
        cursor.close(force=True)


# ------------------------------------------------------------------------------------------------ plans


DERIVED = {"content_segmented", "characters", "fingerprint", "needs_segment", "scope", "words"}
"""Columns that every file makes for itself."""


def test_a_plan_of_nothing_is_an_empty_file(layer, tmp_path):
    layer.remember("of today", importance=3)
    assert layer.forget(plan=tmp_path / "plan.jsonl") == []
    assert (tmp_path / "plan.jsonl").read_bytes() == b""
    assert layer.forget(apply=tmp_path / "plan.jsonl") == []


def test_a_plan_says_what_would_go_and_why_and_changes_nothing(layer, tmp_path):
    plan = tmp_path / "plan.jsonl"
    layer.remember("用户以前住在杭州", importance=3, created_at=days_ago(200), metadata={"地点": "杭州"}, tags=["home"])
    layer.remember("a ticket", importance=9, expires_at=days_ago(1), pinned=False)
    layer.remember("of today", importance=3)
    before = rows(layer.path, "SELECT * FROM memories")
    assert layer.forget(plan=plan) == layer.forget(dry_run=True) == [1, 2]
    assert rows(layer.path, "SELECT * FROM memories") == before
    lines = [json.loads(line) for line in plan.read_text(encoding="utf-8").split("\n")[:-1]]
    assert [(line["id"], line["reason"]) for line in lines] == [(1, "faded"), (2, "expired")]
    for line in lines:
        strength = line.pop("strength"), line.pop("reason")
        memory = layer.get(line["id"])
        assert 0 < strength[0] < 1
        assert {name: getattr(memory, name) for name in line} == line
        assert line.keys() == before[0].keys() - DERIVED
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".plan")], "nothing is left beside it"
    assert layer.forget(apply=plan, dry_run=True) == layer.forget(apply=plan) == [1, 2]
    assert layer.forget(apply=plan) == []
    assert index_is_sound(layer.path)


def test_a_plan_leaves_out_what_changed_since_and_what_its_reader_struck_out(layer, make_layer, tmp_path):
    plan = tmp_path / "plan.jsonl"
    gone = faded(layer, 8)
    layer.forget(plan=plan)
    layer.touch(1)
    layer.update(2, content="edited since the plan was made")
    shell(layer.path, "UPDATE memories SET pinned = 1 WHERE id = 3; DELETE FROM memories WHERE id = 4; "
          "UPDATE memories SET uid = 'another' WHERE id = 5")
    lines = plan.read_text(encoding="utf-8").split("\n")
    plan.write_text("\n".join(line for line in lines if '"id": 6,' not in line), encoding="utf-8")
    assert make_layer(agent_id="stranger").forget(apply=plan) == []
    assert layer.forget(apply=plan, dry_run=True) == [7, 8]
    assert layer.forget(apply=plan) == [7, 8]
    assert [row["id"] for row in rows(layer.path, "SELECT id FROM memories ORDER BY id")] == [1, 2, 3, 5, 6]
    assert gone == list(range(1, 9))


def test_a_plan_into_an_archive_moves_exactly_its_memories(layer, tmp_path):
    faded(layer, 3)
    layer.forget(plan=tmp_path / "plan.jsonl")
    layer.remember("one more faded memory", importance=3, created_at=days_ago(200))
    assert layer.forget(apply=tmp_path / "plan.jsonl", archive=tmp_path / "old.db") == [1, 2, 3]
    assert len(rows(tmp_path / "old.db", "SELECT id FROM memories")) == 3


@pytest.mark.parametrize(
    "line",
    [
        "not JSON",
        "[1]",
        '{"id": 1}',
        '{"id": "1", "uid": "u", "version": 1, "access_count": 0, "last_accessed_at": null}',
        '{"id": -1, "uid": "u", "version": 1, "access_count": 0, "last_accessed_at": null}',
        '{"id": 1, "uid": "u", "version": 1.5, "access_count": 0, "last_accessed_at": null}',
        '{"id": 1, "uid": "u", "version": 1, "access_count": 0}',
        "\udcff",
    ],
)
def test_a_file_with_a_line_of_no_plan_deletes_nothing(layer, tmp_path, line):
    plan = tmp_path / "plan.jsonl"
    faded(layer, 2)
    layer.forget(plan=plan)
    plan.write_bytes(plan.read_bytes() + line.encode("utf-8", "surrogateescape") + b"\n")
    with pytest.raises(BadLines, match="nothing was deleted: line 3") as caught:
        layer.forget(apply=plan)
    assert caught.value.lines.keys() == {3}
    assert layer.stats().memories == 2


def test_a_plan_never_takes_the_place_of_the_memory_file(layer, tmp_path):
    os.symlink(layer.path, tmp_path / "link")
    for own in (layer.path, layer.path + "-wal", layer.path + "-shm", tmp_path / "link"):
        with pytest.raises(ValueError, match="memory file"):
            layer.forget(plan=own)
    with pytest.raises(SQLiteMemoryError, match="No such file"):
        layer.forget(plan=tmp_path / "nowhere" / "plan.jsonl")
    with pytest.raises(SQLiteMemoryError, match="No such file"):
        layer.forget(apply=tmp_path / "nowhere")
    assert layer.check().ok


def test_a_read_only_layer_can_plan(layer, make_layer, tmp_path):
    faded(layer, 2)
    assert make_layer(read_only=True).forget(plan=tmp_path / "plan.jsonl") == [1, 2]


def test_metadata_that_is_no_json_stands_in_a_plan_as_its_text(layer, tmp_path):
    columns = "content, metadata, importance, created_at"
    shell(layer.path, f"INSERT INTO memories ({columns}) VALUES ('of old', '{{bad', 1, '2020-01-01')")
    assert layer.forget(plan=tmp_path / "plan.jsonl") == [1]
    assert json.loads((tmp_path / "plan.jsonl").read_text(encoding="utf-8"))["metadata"] == "{bad"


@pytest.mark.parametrize(
    "arguments",
    [
        {"plan": "p", "apply": "p"}, {"plan": "p", "archive": "a"}, {"apply": "p", "view": "forgettable"},
        {"apply": "p", "max_age_days": 1}, {"apply": "p", "memory_type": "fact"}, {"apply": "p", "session_id": "s"},
        {"view": "forgettable", "min_importance": 1}, {"view": "forgettable", "max_age_days": 1},
    ],
    ids=str,
)
def test_arguments_that_contradict_each_other_are_refused(layer, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="does not go with"):
        layer.forget(**arguments)
    assert not (tmp_path / "p").exists() and not (tmp_path / "a").exists()


# ------------------------------------------------------------------------------------------------ views


def test_what_a_view_of_the_user_lists_goes_but_for_the_pinned_and_other_scopes(layer, tmp_path):
    for number in range(6):
        agent = "b" if number == 5 else None
        layer.remember(f"a state of the deploy, number {number}", memory_type="state", agent_id=agent)
    shell(layer.path, """
        UPDATE memories SET pinned = 1 WHERE id = 2;
        CREATE VIEW "my ""odd"" view" AS SELECT id, 'number ' || id AS reason FROM memories WHERE id <> 4
         UNION ALL SELECT 1, 'again' UNION ALL SELECT 99, 'no memory' UNION ALL SELECT NULL, 'none'
    """)
    view = 'My "odd" VIEW'
    assert layer.forget(view=view, memory_type="fact") == []
    assert layer.forget(view=view, plan=tmp_path / "plan.jsonl") == [1, 3, 5]
    lines = (tmp_path / "plan.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    assert [json.loads(line)["reason"] for line in lines] == ["again", "number 3", "number 5"]
    assert layer.forget(view=view, dry_run=True) == layer.forget(view=view) == [1, 3, 5]
    assert layer.forget(view=view, all_scopes=True) == [6]
    assert [row["id"] for row in rows(layer.path, "SELECT id FROM memories")] == [2, 4]


def test_a_view_needs_no_reason(layer, tmp_path):
    layer.remember("a memory of some kind")
    shell(layer.path, "CREATE VIEW everything AS SELECT id FROM memories")
    assert layer.forget(view="everything", plan=tmp_path / "plan.jsonl") == [1]
    assert json.loads((tmp_path / "plan.jsonl").read_text(encoding="utf-8"))["reason"] == "listed"
    assert layer.forget(view="everything") == [1]


def test_the_policys_own_view_as_a_view_takes_what_the_policy_takes(layer):
    gone = faded(layer, 3)
    layer.remember("of today", importance=3)
    assert layer.forget(dry_run=True) == layer.forget(view="forgettable") == gone


@pytest.mark.parametrize(
    "view",
    ["memories", "no_view", 'forgettable"; DROP TABLE memories; --', "sqlite_schema", "recall", "Strength", "strength_at"],
)
def test_only_a_view_of_the_file_is_a_strategy(layer, view):
    faded(layer, 1)
    with pytest.raises(ValueError, match="no view of the file that lists what may go; there is forgettable: add one"):
        layer.forget(view=view)
    assert layer.stats().memories == 1


@pytest.mark.parametrize("argument", ["plan", "apply", "archive"])
@pytest.mark.parametrize("bad", [True, 1, 2.5, b"plan", ["plan"]])
def test_a_number_is_no_file(layer, argument, bad):
    with pytest.raises(TypeError, match=f"{argument} must be text or a path object"):
        layer.forget(**{argument: bad})
    with pytest.raises(TypeError, match="archive must be text or a path object"):
        layer.recover(bad)


def test_a_reason_of_any_type_is_written_as_text(layer, tmp_path):
    faded(layer, 1)
    shell(layer.path, "CREATE VIEW odd AS SELECT id, x'6f6c64' AS reason FROM memories")
    assert layer.forget(view="odd", plan=tmp_path / "plan.jsonl") == [1]
    assert json.loads((tmp_path / "plan.jsonl").read_text())["reason"] == "old"


def test_a_view_without_ids_or_that_does_not_run_deletes_nothing(layer):
    faded(layer, 1)
    shell(layer.path, "CREATE VIEW nameless AS SELECT content FROM memories; CREATE VIEW broken AS SELECT id FROM gone")
    with pytest.raises(ValueError, match="no column id"):
        layer.forget(view="nameless")
    with pytest.raises(ValueError, match="view='broken' cannot be read: no such table: main.gone"):
        layer.forget(view="broken")
    assert layer.stats().memories == 1
