"""What a sweep selects: the view of the file and the statement with arguments are the same."""

from __future__ import annotations

import json
import math

import pytest
from conftest import days_ago, index_is_sound, rows, shell

from sqlite_memory import sweep
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
