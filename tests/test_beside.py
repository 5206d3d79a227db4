"""That no door leads past the gate: what stands beside a content, an edit, a summary, a renamed tag."""

from __future__ import annotations

import time

import pytest
import sensitive_lines as lines
from conftest import rows, shell

SECRET = "Ann's password is hunter2-Xk9"

BESIDE = [
    {"key": SECRET},
    {"key": lines.VISA},
    {"tags": ["garden", SECRET]},
    {"metadata": {"note": SECRET}},
    {"metadata": {"password": "hunter2-Xk9"}},
    {"metadata": {"login": {"password": "hunter2-Xk9"}}},
    {"metadata": {"a": [{"b": [f"身份证{lines.PERSON}"]}]}},
    {"metadata": {"card": int(lines.VISA)}},
    {"metadata": {"密碼": "abc12345"}},
    {"metadata": {f"card {lines.VISA}": True}},
    {"metadata": {"tags": [SECRET]}},
]
HARMLESS = [
    {"key": "password manager"},
    {"tags": ["password", "银行卡"]},
    {"metadata": {"source": "rule:name", "page": 12, "ratio": 0.5, "seen": None, "done": True}},
    {"metadata": {"phone": "13912345678", "mail": "ann@example.com"}},
    {"metadata": {"uuid": "5f2b8c1d-9e3a-4b7c-8d6e-1f0a2b3c4d5e", "at": 1700000000000, "expires": "2031-05-06"}},
]


def set_policy(layer, name, value):
    shell(layer.path, f"UPDATE policy SET value = {value} WHERE name = '{name}'")


@pytest.mark.parametrize("beside", HARMLESS)
def test_what_is_harmless_beside_a_content_is_stored_as_it_is(beside, layer):
    memory = layer.get(layer.remember("The ferns are watered weekly", **beside))
    assert memory.key == beside.get("key") and set(memory.tags) == set(beside.get("tags", ()))
    assert memory.metadata == {**beside.get("metadata", {}), **({"tags": beside["tags"]} if "tags" in beside else {})}


@pytest.mark.parametrize("beside", BESIDE)
def test_a_secret_beside_a_content_is_refused(beside, layer):
    content = "The ferns are watered weekly"
    assert layer.remember(content, **beside) is None
    assert layer.remember_many([{"content": content, **beside}]) == [None]
    turns = [{"role": "user", "content": "I water the ferns weekly"}]
    assert layer.remember_conversation(turns, lambda _: [{"content": content, **beside}]) == [None]
    assert rows(layer.path, "SELECT id FROM memories") == []
    assert layer.remember(content, **beside, allow_sensitive=True) is not None


def test_a_judgement_of_the_key_says_why(layer):
    assert layer.judge("The ferns are watered weekly", key=SECRET).reason == "sensitive: password"


def test_what_the_policy_masks_is_refused_beside_a_content(layer):
    set_policy(layer, "sensitive_contact", 2)
    assert layer.remember("The ferns are watered weekly", metadata={"by": "ann@example.com"}) is None
    assert layer.get(layer.remember("Write to ann@example.com")).content == "Write to [email]"


def test_a_contact_in_the_metadata_of_what_is_distilled_is_left_out(layer):
    def extractor(_):
        return [{"content": "Ann waters the ferns", "metadata": {"mail": "ann@example.com"}}]

    turns = [{"role": "user", "content": "My sister Ann waters the ferns"}]
    assert layer.remember_conversation(turns, extractor) == [None]
    assert layer.remember_conversation(turns, extractor, allow_sensitive=True) == [1]


# ---------------------------------------------------------------------------------------------------- edits


@pytest.mark.parametrize("patch", [{"note": SECRET}, {"tags": [SECRET]}, {"password": "hunter2-Xk9"}])
def test_a_secret_in_a_patch_of_the_metadata_is_refused(patch, layer):
    id = layer.remember("The ferns are watered weekly", metadata={"k": 1})
    with pytest.raises(ValueError, match=r"metadata is refused \(sensitive: password\)"):
        layer.update(id, metadata=patch)
    assert (layer.get(id).metadata, layer.get(id).version) == ({"k": 1}, 1)
    assert layer.update(id, metadata=patch, allow_sensitive=True).metadata == {"k": 1, **patch}


def test_what_is_secret_can_be_removed_from_the_metadata(layer):
    id = layer.remember("The ferns are watered weekly", metadata={"password": "hunter2-Xk9"}, allow_sensitive=True)
    assert layer.update(id, metadata={"password": None}).metadata == {}


def test_an_edit_is_masked_as_a_new_memory_is(layer):
    set_policy(layer, "sensitive_secret", 2)
    id = layer.remember("my password is hunter2-Xk9")
    assert layer.get(id).content == "my password is [password]"
    edited = layer.update(id, content="my password is hunter3-Xk9")
    assert (edited.content, edited.metadata["sensitive"]) == ("my password is [password]", ["secret"])
    assert layer.recall("hunter3") == []


def test_an_edit_is_flagged_and_loses_the_flag_with_the_contact(layer):
    id = layer.remember("Ann waters the ferns", metadata={"k": 1})
    assert layer.update(id, content="Ann's mail is ann@example.com").metadata == {"k": 1, "sensitive": ["contact"]}
    assert layer.update(id, metadata={"k": 2}).metadata == {"k": 2, "sensitive": ["contact"]}
    assert layer.update(id, content="Ann has diabetes", metadata={"k": 3}).metadata == {"k": 3, "sensitive": ["health"]}
    assert layer.update(id, content="Ann waters the ferns").metadata == {"k": 3}


def test_an_edit_without_a_flag_leaves_metadata_as_it_was_written(layer):
    id = layer.remember("Ann waters the ferns")
    shell(layer.path, f"UPDATE memories SET metadata = 'no json' WHERE id = {id}")
    layer.update(id, content="Ben waters the ferns")
    assert rows(layer.path, "SELECT metadata FROM memories") == [{"metadata": "no json"}]


def test_an_edit_that_also_asks_not_to_be_remembered_holds_no_secret_either(layer):
    id = layer.remember("Ann waters the ferns")
    with pytest.raises(ValueError, match=r"content is refused \(sensitive: password\)"):
        layer.update(id, content=f"off the record: {SECRET}")


def test_a_tag_is_not_renamed_to_a_secret(layer):
    layer.remember("Ann waters the ferns", tags=["ann"])
    with pytest.raises(ValueError, match="new tag is refused"):
        layer.rename_tag("ann", SECRET)
    assert layer.tags() == {"ann": 1}


# ---------------------------------------------------------------------------------------------------- summaries


def talk(layer):
    for number in range(8):
        layer.remember(f"Ann waters fern number {number} on day {number}", memory_type="episode", session_id="s")


def test_a_secret_in_a_summary_is_an_error_and_nothing_is_changed(layer):
    talk(layer)
    before = rows(layer.path, "SELECT id, valid_to, metadata FROM memories")
    for method in (layer.summarize, lambda _, **how: layer.compact(older_than_days=1e-9, **how)):
        time.sleep(0.01)
        with pytest.raises(ValueError, match=r"summarizer returned a text that is refused \(sensitive: password\)"):
            method("s", summarizer=lambda _: SECRET)
    assert rows(layer.path, "SELECT id, valid_to, metadata FROM memories") == before


def test_a_summary_is_flagged_and_masked_by_the_policy(layer):
    talk(layer)
    first = layer.summarize("s", summarizer=lambda _: "Ann's mail is ann@example.com")
    assert layer.get(first).metadata["sensitive"] == ["contact"]
    set_policy(layer, "sensitive_contact", 2)
    second = layer.summarize("s", summarizer=lambda _: "Ann's mail is ann@example.com")
    assert layer.get(second).content == "Ann's mail is [email]"
    third = layer.summarize("s", summarizer=lambda _: "Ann waters the ferns")
    assert "sensitive" not in layer.get(third).metadata


@pytest.mark.parametrize("metadata", [
    {"key": "550e8400-e29b-41d4-a716-446655440000"}, {"cache_key": "a81bc81bdead4e5dabff90865d1e13b1"},
    {"message_id": "1234567890123456"}, {"sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
    {"timestamp": 1764470000000}, {"token_count": 1234567890123456789}, {"author": "ann@example.com"}, {"pass": 3},
])
def test_what_other_programs_note_is_no_secret(layer, metadata):
    assert layer.remember("a memory of the day", metadata=metadata) == 1


def test_a_secret_under_the_name_key_is_one(layer):
    assert layer.remember("a memory of the day", metadata={"key": "sk-abcdefghijklmnop1234"}) is None
