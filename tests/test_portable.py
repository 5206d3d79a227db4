"""Importing JSONL: lossless, all or nothing for each batch, and the same file twice changes nothing."""

from __future__ import annotations

import io
import json

import pytest
from conftest import DATA, ids, index_is_sound, rows

from sqlite_memory import BadLines, Imported, SQLiteMemoryError
from sqlite_memory.portable import BATCH


def lines(*objects):
    return io.BytesIO(
        b"".join((o if isinstance(o, bytes) else json.dumps(o, ensure_ascii=False).encode()) + b"\n" for o in objects)
    )


def contents(layer):
    return [row["content"] for row in layer.sql("SELECT content FROM memories ORDER BY id")]


def test_an_empty_file_imports_nothing(layer, tmp_path):
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert layer.import_jsonl(tmp_path / "empty.jsonl") == Imported(0, 0)
    assert layer.import_jsonl(lines(b"", b"  ", b"\r")) == Imported(0, 0)


def test_missing_fields_default_and_the_gate_judges_nothing(make_layer):
    layer = make_layer(agent_id="a", user_id="u")
    assert (
        layer.import_jsonl(
            lines({"content": "ok"}, {"content": "好的", "importance": 0.5}, {"content": "x" * 9_000})
        ).stored
        == 3
    )
    memory = layer.get(1)
    assert (memory.agent_id, memory.user_id, memory.memory_type, memory.importance, memory.content) == (
        "a",
        "u",
        "fact",
        5.0,
        "ok",
    )
    assert layer.get(2).importance == 0.5


def test_every_column_comes_in_as_it_was(layer):
    given = {
        "uid": "u-1",
        "agent_id": "a",
        "user_id": "u",
        "session_id": "s",
        "memory_type": "state",
        "key": "k",
        "content": "资料 a\u2028b",
        "metadata": {"n": 1.5, "deep": {"x": None}},
        "tags": ["t"],
        "importance": 7.25,
        "access_count": 12,
        "last_accessed_at": "2026-02-01T00:00:00.000Z",
        "created_at": "2026-01-01T00:00:00.000Z",
        "valid_from": "2025-01-01T00:00:00.000Z",
        "valid_to": "2026-03-01T00:00:00.000Z",
        "expires_at": "2099-01-01T00:00:00.000Z",
        "pinned": True,
    }
    layer.import_jsonl(lines(given))
    (row,) = layer.sql("SELECT * FROM memories")
    assert json.loads(row["metadata"]) == {"n": 1.5, "deep": {"x": None}, "tags": ["t"]}
    assert {name: row[name] for name in given if name not in ("metadata", "tags")} == {
        name: value for name, value in given.items() if name not in ("metadata", "tags")
    }
    assert row["version"] == 1
    assert index_is_sound(layer.path)


def test_a_text_id_becomes_the_uid_and_unknown_fields_go_into_metadata(layer):
    layer.import_jsonl(lines({"id": "u00/m1", "content": "one two three", "source": "chat", "metadata": {"n": 1}}))
    (row,) = layer.sql("SELECT uid, metadata FROM memories")
    assert row["uid"] == "u00/m1" and json.loads(row["metadata"]) == {"source": "chat", "n": 1}


def test_a_number_as_id_is_the_id_of_another_file_and_not_kept(layer):
    layer.import_jsonl(lines({"id": 77, "content": "one two three"}))
    assert layer.sql("SELECT id, metadata FROM memories") == [{"id": 1, "metadata": "{}"}]


def test_times_without_a_zone_are_utc_and_others_are_converted(layer):
    layer.import_jsonl(
        lines(
            {"content": "one", "created_at": "2024-04-03T19:45:00"},
            {"content": "two", "created_at": "2024-04-03 19:45:00+08:00"},
            {"content": "six", "created_at": 0},
        )
    )
    assert [row["created_at"] for row in layer.sql("SELECT created_at FROM memories ORDER BY id")] == [
        "2024-04-03T19:45:00.000Z",
        "2024-04-03T11:45:00.000Z",
        "1970-01-01T00:00:00.000Z",
    ]


def test_the_same_file_again_changes_nothing(layer):
    def file():
        return lines({"content": "one two"}, {"uid": "x", "content": "three"}, {"id": "y", "content": "four"})

    assert layer.import_jsonl(file()) == Imported(3, 0)
    before = layer.sql("SELECT * FROM memories")
    assert layer.import_jsonl(file()) == Imported(0, 3)
    assert layer.sql("SELECT * FROM memories") == before


def test_the_same_uid_in_another_scope_is_another_memory(layer):
    one = {"uid": "x", "content": "three"}
    assert layer.import_jsonl(lines(one, {**one, "agent_id": "b"}, one)) == Imported(2, 1)


def test_a_key_supersedes_in_an_import_too(layer):
    layer.import_jsonl(
        lines(
            {"content": "is Berlin", "key": "c", "created_at": "2026-03-01"},
            {"content": "is Bonn", "key": "c", "created_at": "2026-01-01"},
        )
    )
    assert contents(layer) == ["is Berlin", "is Bonn"] and ids(layer.recall(key="c")) == [1]


def test_bom_crlf_blank_lines_and_line_separators_are_read_as_they_should(layer, tmp_path):
    file = tmp_path / "odd.jsonl"
    file.write_bytes(
        "\ufeff".encode()
        + b'{"content": "with a BOM"}\r\n\r\n   \n'
        + '{"content": "a\u2028b\u2029c\x85d"}\n{"content": "火锅，不要香菜"}'.encode()
    )
    assert layer.import_jsonl(file) == Imported(3, 0)
    assert contents(layer) == ["with a BOM", "a\u2028b\u2029c\x85d", "火锅，不要香菜"]
    assert ids(layer.recall("火锅")) == [3]
    assert index_is_sound(layer.path)


GOOD = {"content": "a good line"}


@pytest.mark.parametrize(
    "bad, what",
    [
        (b"{bad", "JSON"),
        (b"[1]", "object"),
        (b'"text"', "object"),
        (b"null", "object"),
        (b"\xff\xfe{}", "UTF-8"),
        (b'{"content": "x", "importance": NaN}', "NaN"),
        (b'{"content": "x", "metadata": {"a": Infinity}}', "Infinity"),
        ({"importance": 5}, "content"),
        ({"content": 5}, "content"),
        ({"content": "  "}, "content"),
        ({"content": None}, "content"),
        ({"content": "x", "importance": 11}, "importance"),
        ({"content": "x", "importance": "7"}, "importance"),
        ({"content": "x", "created_at": "soon"}, "created_at"),
        ({"content": "x", "access_count": -1}, "access_count"),
        ({"content": "x", "access_count": 1.5}, "access_count"),
        ({"content": "x", "metadata": [1]}, "metadata"),
        ({"content": "x", "metadata": "text"}, "metadata"),
        ({"content": "x", "metadata": 0}, "metadata"),
        ({"content": "x", "pinned": "yes"}, "pinned"),
        ({"content": "x", "tags": 5}, "tags"),
        ({"content": "x", "key": 5}, "key"),
        ({"content": "x", "agent_id": ""}, "agent_id"),
        ({"content": "x", "uid": 5}, "uid"),
        (b'{"content": "x"} {"content": "y"}', "JSON"),
        (b"[" * 100_000, "nested"),
        (b'{"content": "x", "importance": 1e999}', "importance"),
        ({"content": "x", "valid_to": "never"}, "valid_to"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_line_is_named_by_its_number_and_nothing_of_the_batch_is_kept(bad, what, layer):
    with pytest.raises(BadLines, match="line 3") as caught:
        layer.import_jsonl(lines(GOOD, GOOD | {"uid": "2"}, bad, GOOD | {"uid": "4"}))
    assert list(caught.value.lines) == [3]
    assert what.lower() in caught.value.lines[3].lower()
    assert layer.stats().memories == 0


def test_all_bad_lines_of_a_batch_are_named(layer):
    with pytest.raises(BadLines) as caught:
        layer.import_jsonl(lines(b"{", GOOD, {"content": 5}, b"", b"}"))
    assert list(caught.value.lines) == [1, 3, 5]


def test_a_message_about_bad_lines_does_not_quote_a_memory(layer):
    with pytest.raises(BadLines) as caught:
        layer.import_jsonl(
            lines(
                {"content": "canary of the night", "importance": 99},
                b'{"content": "canary", }',
                {"content": "canary", "metadata": {"a": "b"}, "tags": [1]},
            )
        )
    assert "canary" not in str(caught.value)


def test_the_batches_before_a_bad_line_are_kept_and_said(layer):
    many = [{"content": f"line number {number}"} for number in range(BATCH)]
    with pytest.raises(BadLines, match=f"line {BATCH + 2}.*|{BATCH} memories") as caught:
        layer.import_jsonl(lines(*many, GOOD, b"{bad"))
    assert list(caught.value.lines) == [BATCH + 2]
    assert layer.stats().memories == BATCH
    assert str(BATCH) in str(caught.value)


def test_progress_tells_bytes_read_and_in_all(layer, tmp_path):
    file = tmp_path / "many.jsonl"
    file.write_bytes(lines(*[{"content": f"line number {number}"} for number in range(BATCH + 1)]).getvalue())
    seen = []
    layer.import_jsonl(file, progress=lambda done, total: seen.append((done, total)))
    size = file.stat().st_size
    assert [total for _, total in seen] == [size, size] and seen[-1][0] == size > seen[0][0] > 0


def test_a_file_that_cannot_be_opened_is_an_error_of_the_package(layer, tmp_path):
    with pytest.raises(SQLiteMemoryError, match="missing.jsonl"):
        layer.import_jsonl(tmp_path / "missing.jsonl")
    with pytest.raises(SQLiteMemoryError):
        layer.import_jsonl(tmp_path)


def test_lone_surrogates_and_nul_in_a_line_are_replaced(layer):
    layer.import_jsonl(
        lines(b'{"content": "a\\u0000b \\ud800 c", "key": "\\udc00", "metadata": {"\\ud800": "\\u0000"}}')
    )
    memory = layer.get(1)
    assert (memory.content, memory.key, memory.metadata) == ("a\ufffdb \ufffd c", "\ufffd", {"\ufffd": "\ufffd"})
    assert index_is_sound(layer.path)


def test_the_real_chinese_data_imports_and_is_found(layer):
    file = DATA / "memdaily_zh" / "memories.jsonl"
    if not file.exists():
        pytest.skip("the shared data is not beside this repository")
    total = sum(1 for line in file.read_bytes().split(b"\n") if line.strip())
    assert layer.import_jsonl(file) == Imported(total, 0)
    assert layer.import_jsonl(file) == Imported(0, total)
    assert rows(layer.path, "SELECT count(*) AS n FROM memories") == [{"n": total}]
    assert layer.recall("上司的邮箱地址", agent_id="u00")
    assert layer.check().ok and index_is_sound(layer.path)
