"""What the layer returns: frozen values with the columns of the file."""

from __future__ import annotations

import dataclasses

import pytest
from conftest import rows

from sqlite_memory import Memory, Report, Stats
from sqlite_memory.memory import parse_metadata


def test_a_memory_has_the_columns_of_the_file_in_their_order(layer):
    layer.remember("please restart the worker")
    fields = [field.name for field in dataclasses.fields(Memory)]
    layer.close()
    columns = [row["name"] for row in rows(layer.path, "SELECT name FROM pragma_table_xinfo('memories') ORDER BY cid")]
    internal = {"content_segmented", "characters", "fingerprint", "needs_segment", "scope", "words"}
    recalled = ["relevance", "strength", "score", "explanation"]
    assert set(fields) - set(recalled) == set(columns) - internal
    assert fields[-4:] == recalled


def test_values_that_are_returned_cannot_be_changed(layer):
    memory = layer.get(layer.remember("please restart the worker"))
    for value, name in ((memory, "content"), (layer.stats(), "memories"), (layer.check(), "ok")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, 5)


def test_relevance_strength_and_score_are_set_by_recall_only(layer):
    id = layer.remember("please restart the worker")
    assert [getattr(layer.get(id), name) for name in ("relevance", "strength", "score")] == [None] * 3
    (found,) = layer.recall("worker", touch=False)
    assert found.relevance > 0 and 0 < found.strength <= 1 and found.score > 0
    (listed,) = layer.recall(touch=False)
    assert listed.relevance is None and listed.score == listed.strength


def test_a_memory_equals_itself_whether_recalled_or_read(layer):
    id = layer.remember("please restart the worker")
    assert layer.recall("worker", touch=False) == [layer.get(id)]


def test_tags_are_the_texts_in_metadata(layer):
    id = layer.remember("please restart the worker", tags=["ops", "night"], metadata={"a": 1})
    assert layer.get(id).tags == ("ops", "night")
    assert layer.get(layer.remember("nothing is tagged here")).tags == ()


@pytest.mark.parametrize(
    "text",
    ["", "{bad", "{'a': 1}", "[1]", "5", "null", '"text"', None, "{" * 50_000, "[" * 50_000],
    ids=lambda text: str(text)[:9] or "empty",
)
def test_metadata_that_is_no_json_object_reads_as_an_empty_one(text):
    assert parse_metadata(text) == {}


def test_tags_of_a_foreign_kind_read_as_none(layer):
    id = layer.remember("please restart the worker", metadata={"tags": ["a"]})
    memory = dataclasses.replace(layer.get(id), metadata={"tags": "a"})
    assert memory.tags == ()
    assert dataclasses.replace(memory, metadata={"tags": [1, "b", None]}).tags == ("b",)


def test_stats_and_reports_are_plain_values():
    assert Report(ok=True) == Report(ok=True, problems=(), done=())
    assert [field.name for field in dataclasses.fields(Stats)][:2] == ["memories", "current"]
