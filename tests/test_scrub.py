"""Really gone: after a scrub no byte of what was deleted is in the file, beside it or in its index."""

from __future__ import annotations

import json
import os
import random

import pytest
from conftest import finish, index_is_sound, python, rows, shell, start

from sqlite_memory import Busy, ReadOnly, TracesLeft

GONE = {
    "content": "The zanzibarine vault opens with xylophonist 夜航船密语 and 琥珀蜥蜴",
    "metadata": {"place": "Qeqertarsuaq", "地点": "鹿回头", "tags": ["kumquatish"]},
    "key": "vaultcodekey",
    "session_id": "sessionquokka",
    "agent_id": "agentwombat",
    "user_id": "userpangolin",
}
TRACES = ["zanzibarine", "xylophonist", "夜航船", "密语", "琥珀", "蜥蜴", "Qeqertarsuaq", "鹿回头", "kumquatish"]
TRACES += ["vaultcodekey", "sessionquokka", "agentwombat", "userpangolin"]
WORDS = ["zanzibarin", "zanzibarine", "xylophonist", "琥珀", "蜥蜴", "夜航船", "蜥", "蜴", b"agentwombat".hex()]

LOOK = """
import glob, json, os, sys
path, traces = sys.argv[1], json.loads(sys.argv[2])
found = set()
for name in glob.glob(glob.escape(path) + "*"):
    with open(name, "rb") as file:
        held = file.read()
    for trace in traces:
        for form in (trace.encode(), trace.lower().encode(), trace.encode().hex().upper().encode()):
            if form in held:
                found.add(f"{os.path.basename(name)}: {trace}")
print(json.dumps(sorted(found)))
"""


def traces(path, words=TRACES) -> list[str]:
    """Return which of the words stand in the file and its neighbours, looked for byte by byte in a child."""
    return json.loads(python(LOOK, path, json.dumps(list(words))))


def vocabulary(path) -> set[str]:
    """Return every word that the index holds, however it stores them."""
    sql = "CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, memories_fts, row); SELECT term FROM temp.words"
    return set(shell(path, sql))


def fill(layer, first=0):
    """Store 200 memories around the one that will go, so that they share pages and segments with it."""
    layer.remember_many(
        {"content": f"ordinary memory {place} of the harbour 港口的普通记忆", "session_id": f"s{place % 9}"}
        for place in range(first, first + 200)
    )


@pytest.fixture
def told(layer):
    """A layer with one memory that must leave no trace, among others."""
    fill(layer)
    layer.remember(**GONE)
    fill(layer, 200)
    assert traces(layer.path) and set(WORDS) & vocabulary(layer.path)
    return layer


def gone_id(layer) -> int:
    return layer.sql("SELECT id FROM memories WHERE agent_id = 'agentwombat'")[0]["id"]


def test_a_scrub_of_an_empty_file_does_what_it_can_and_is_ok(layer):
    report = layer.scrub()
    assert report.ok and report.problems == ()
    assert report.done == ("wrote the index and the file anew", "emptied the log")


def test_delete_with_scrub_leaves_no_byte(told, make_layer):
    owner = make_layer(agent_id="agentwombat", user_id="userpangolin")
    assert owner.delete(gone_id(told), scrub=True) == 1
    assert traces(told.path) == []
    assert not set(WORDS) & vocabulary(told.path)
    assert os.path.getsize(told.path + "-wal") == 0
    assert told.stats().memories == 400 and index_is_sound(told.path)


def test_a_delete_alone_leaves_traces_that_a_later_scrub_takes(told, make_layer):
    make_layer(agent_id="agentwombat", user_id="userpangolin").delete(gone_id(told))
    assert traces(told.path)
    assert told.scrub().ok
    assert traces(told.path) == [] and not set(WORDS) & vocabulary(told.path)


def test_a_sweep_and_a_scrub_leave_no_byte(told):
    shell(told.path, "UPDATE memories SET importance = 1, created_at = '2020-01-01' WHERE agent_id = 'agentwombat'")
    assert len(told.forget(all_scopes=True)) == 1
    assert told.scrub().ok
    assert traces(told.path) == [] and not set(WORDS) & vocabulary(told.path)


def test_what_a_shell_without_secure_delete_left_on_free_pages_goes_too(layer):
    path = layer.path
    fill(layer)
    layer.remember_many(
        {**GONE, "content": f"{GONE['content']} {number} {'of the zanzibarine ' * 20}", "key": None}
        for number in range(300)
    )
    shell(path, "PRAGMA secure_delete = OFF; DELETE FROM memories WHERE agent_id = 'agentwombat'")
    assert traces(path)
    assert layer.scrub().ok
    assert traces(path) == [] and not set(WORDS) & vocabulary(path)
    assert layer.stats().memories == 200 and index_is_sound(path)


def test_the_old_words_of_an_edited_memory_go_too(told, make_layer):
    owner = make_layer(agent_id="agentwombat", user_id="userpangolin")
    owner.update(gone_id(told), content="nothing of it", metadata={"place": None, "地点": None, "tags": None})
    assert told.scrub().ok
    kept = {"vaultcodekey", "sessionquokka", "agentwombat", "userpangolin"}
    assert {found.split(": ")[1] for found in traces(told.path)} == kept


def test_names_of_the_dictionary_that_no_memory_holds_go_too(layer):
    layer.remember("绝密代号夜航船在港口", agent_id="a")
    layer.remember("同事张爱民今天请假")
    layer.add_word("夜航船")
    layer.add_word("张爱民")
    shell(layer.path, "DELETE FROM memories WHERE agent_id = 'a'")
    assert layer.scrub().done[0] == "took 1 words out of the dictionary that no memory holds"
    assert [row["word"] for row in layer.sql("SELECT word FROM dictionary")] == ["张爱民"]
    assert traces(layer.path, ["夜航船"]) == []
    layer.remember("船长说夜航船很好")
    assert "夜航船" not in layer.sql("SELECT content_segmented AS s FROM memories WHERE content LIKE '船长%'")[0]["s"].split()


def test_a_name_that_only_stands_across_a_comma_is_held_by_nobody(layer):
    id = layer.remember("欧阳铁柱参加会议了。")
    layer.remember("她姓欧阳，铁柱是狗的名字。")
    layer.add_word("欧阳铁柱")
    layer.delete(id, scrub=True)
    assert layer.sql("SELECT word FROM dictionary") == []


def test_samples_that_analyze_took_go_too(told, make_layer):
    with told._database.writing() as connection:
        connection.execute("ANALYZE")
    told.remember("after the statistics were taken")
    owner = make_layer(agent_id="agentwombat", user_id="userpangolin")
    assert owner.delete(gone_id(told), scrub=True) == 1
    assert traces(told.path) == []


def test_clear_takes_everything_of_the_scope_and_nothing_of_another(told, make_layer):
    owner = make_layer(agent_id="agentwombat", user_id="userpangolin")
    owner.remember("a pinned zanzibarine memory", pinned=True)
    other = make_layer(agent_id="agentwombat", user_id="another")
    other.remember("a memory of another user of this agent")
    assert owner.clear() == 2
    assert owner.recall() == [] and owner.clear() == 0
    assert {found.split(": ")[1] for found in traces(told.path)} == {"agentwombat"}
    assert told.stats().memories == 400 and other.stats().memories == 1
    assert index_is_sound(told.path)


def test_deleting_in_any_order_leaves_no_word_of_the_deleted(make_layer):
    layer = make_layer()
    chance = random.Random(4)
    for round in range(5):
        texts = [f"memory w{chance.randrange(10**9)} of q{chance.randrange(10**9)} {'z' * chance.randrange(900)}{round}"
                 for _ in range(80)]
        stored = layer.remember_many([{"content": text, "importance": 3} for text in texts])
        gone = chance.sample(range(80), 50)
        for place in gone[:20]:
            layer.delete(stored[place])
        layer.delete(*[stored[place] for place in gone[20:]])
        assert layer.scrub().ok
        words = [word for place in gone for word in texts[place].split()[1::2]]
        assert traces(layer.path, words) == []
        held = {word for row in layer.sql("SELECT content FROM memories") for word in row["content"].lower().split()}
        assert vocabulary(layer.path) - {"64656661756c74x64656661756c74", "memori"} <= held
    assert index_is_sound(layer.path)


# ------------------------------------------------------------------------------------------------ not possible

READ = """
import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("BEGIN"); c.execute("SELECT count(*) FROM memories").fetchall()
print("reading", flush=True)
sys.stdin.read()
c.close()
"""


@pytest.fixture
def read_by_another(told):
    """Hold an old state of the file in a child; return how to let go."""
    child = start(READ, told.path)
    assert child.stdout.readline() == "reading\n"
    ended = []

    def release():
        if not ended:
            ended.append(finish(child))

    yield release
    release()


def test_a_reader_of_old_pages_is_reported_and_a_scrub_after_it_is_ok(told, make_layer, read_by_another):
    layer = make_layer(busy_timeout=0.1, agent_id="agentwombat", user_id="userpangolin")
    id = gone_id(told)
    with pytest.raises(TracesLeft, match="another connection reads") as caught:
        layer.delete(id, scrub=True)
    assert not caught.value.report.ok and caught.value.report.done == ("wrote the index and the file anew",)
    assert layer.get(id) is None
    report = layer.scrub()
    assert not report.ok and "scrub again" in report.problems[0]
    read_by_another()
    assert layer.scrub().ok and traces(layer.path) == []


def test_a_writer_is_reported_and_nothing_is_changed(told, make_layer, locked):
    layer = make_layer(busy_timeout=0.1)
    release = locked(layer.path)
    report = layer.scrub()
    assert not report.ok and "busy_timeout" in report.problems[0] and report.done == ()
    with pytest.raises(Busy):
        layer.clear()
    release()
    assert layer.clear() == 400


def test_a_read_only_layer_cannot_scrub_or_clear(layer, make_layer):
    layer.remember("please restart the worker")
    reader = make_layer(read_only=True)
    for call in (reader.scrub, reader.clear, lambda: reader.delete(1, scrub=True)):
        with pytest.raises(ReadOnly):
            call()
    assert layer.stats().memories == 1


def test_a_journal_left_of_another_mode_is_reported(layer):
    with open(layer.path + "-journal", "wb") as file:
        file.write(b"zanzibarine")
    report = layer.scrub()
    os.unlink(layer.path + "-journal")
    assert not report.ok and "-journal" in report.problems[0]


def test_scrub_must_be_a_truth_value(layer):
    with pytest.raises(TypeError, match="scrub"):
        layer.delete(1, scrub="yes")


def test_a_scrub_keeps_ids_times_and_counts(told):
    before = rows(told.path, "SELECT * FROM memories ORDER BY id")
    assert told.scrub().ok
    assert rows(told.path, "SELECT * FROM memories ORDER BY id") == before
    assert told.remember("the next memory has the next id") == before[-1]["id"] + 1
    assert rows(told.path, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version") == [
        {"application_id": 1397572941, "user_version": 1}
    ]
