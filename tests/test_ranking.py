"""The score of a question: its parts recombine, the first cut loses little, the strength view is the one formula."""

from __future__ import annotations

import pytest
from conftest import days_ago, shell

from sqlite_memory import SQLiteMemoryLayer

TURNS = [
    "Ann: Did you see the new deploy window?",
    "Ben: It moved to Friday at 18:00.",
    "Ann: That is early for the night shift.",
    "Ben: The worker restarts take two hours anyway.",
    "Ann: Then we should tell the support team.",
]


@pytest.fixture
def filled(layer: SQLiteMemoryLayer) -> SQLiteMemoryLayer:
    for place, turn in enumerate(TURNS):
        layer.remember(turn, memory_type="episode", session_id="s1", created_at=f"2026-05-03T10:0{place}:00Z")
    layer.remember("The deploy window is agreed with the support team.", created_at="2026-04-01")
    layer.remember("部署窗口在周五下午六点以后。", created_at=days_ago(400), importance=9)
    layer.remember("The cat is called Momo.", memory_type="preference")
    return layer


@pytest.mark.parametrize(
    "question",
    ["deploy window", "When did Ben say the deploy moves?", "in May 2026: what did Ann say?", "部署窗口是几点？", "the"],
)
def test_the_parts_of_a_score_recombine_to_it(filled, question):
    found = filled.recall(question, explain=True, touch=False)
    assert found
    for memory in found:
        p = memory.explanation
        own = (p["terms"] + p["expansion"]) * p["length"] * p["speaker"] * p["number"] * p["date"] + p["date_bonus"]
        relevance = own + p["passage"] + p["session"] + p["answer"]
        assert memory.relevance == pytest.approx(relevance, rel=1e-12)
        weight = p["strength_weight"]
        assert memory.score == pytest.approx(relevance * (1 - weight + weight * memory.strength), rel=1e-12)


def test_a_recall_that_was_not_asked_to_explain_does_not(filled):
    assert {memory.explanation for memory in filled.recall("deploy", touch=False)} == {None}
    assert {memory.explanation for memory in filled.recall(explain=True, touch=False)} == {None}


def test_a_turn_draws_on_the_question_before_it_and_a_fact_does_not(filled):
    by_id = {memory.id: memory for memory in filled.recall("deploy window", explain=True, touch=False)}
    assert by_id[2].explanation["terms"] == 0 and by_id[2].explanation["answer"] > 0
    assert by_id[6].explanation["terms"] > 0
    assert [by_id[6].explanation[part] for part in ("passage", "session", "answer")] == [0, 0, 0]


def test_the_speaker_that_the_question_names_comes_first(filled):
    said = filled.recall("what did Ben say about the worker restarts", explain=True, touch=False)
    assert said[0].content == TURNS[3] and said[0].explanation["speaker"] == 1.4


def test_a_chinese_speaker_that_the_question_names_comes_first(layer):
    layer.remember("老周：评审改到周三上午。", memory_type="episode", session_id="s")
    layer.remember("林晚：评审改到周三下午。", memory_type="episode", session_id="s")
    for name, id in (("林晚", 2), ("老周", 1)):
        first = layer.recall(f"{name}说评审改到什么时候？", explain=True, touch=False)[0]
        assert (first.id, first.explanation["speaker"]) == (id, 1.4)


def test_a_day_that_the_question_names_lifts_its_memories(filled):
    for question in ("deploy window in April 2026", "deploy window on 1 April 2026", "2026年4月 deploy window"):
        found = filled.recall(question, explain=True, touch=False)
        dated = {memory.id for memory in found if memory.explanation["date"] > 1}
        assert dated == {6}
    last_week = filled.recall("deploy last week", as_of="2026-05-06", explain=True, touch=False)
    assert last_week and all(memory.explanation["date"] == 1 for memory in last_week if memory.id == 6)
    assert {memory.id for memory in last_week if memory.explanation["date"] == 2} == {1}


@pytest.mark.parametrize("lone", [0, 30])
def test_a_type_without_a_row_draws_on_its_session_as_far_as_the_question_is_about_that_session(layer, lone):
    for session in ("kayak", "tent"):
        for text in ("Ann keeps a {} in the shed.", "The {} was a gift of Ben.", "It is red and the {} is new."):
            layer.remember(text.format(session), session_id=session, memory_type="note")
    layer.remember("Ann said that it is red.", memory_type="episode", session_id="kayak")
    for number in range(lone):
        layer.remember(f"The red door of house {number} is Ann's.", memory_type="note")
    found = layer.recall("What does Ann say of the red kayak?", explain=True, touch=False, limit=50)
    drawn = {memory.id: memory.explanation["session"] for memory in found}
    own = {}
    for memory in found:
        part = memory.explanation
        own[memory.id] = (part["terms"] + part["expansion"]) * part["length"] * part["speaker"]
    facts = {id: points for id, points in own.items() if id != 7}
    for ids in ((1, 2, 3), (4, 5, 6)):
        share = sum(points for id, points in facts.items() if id in ids) / sum(facts.values())
        for id in set(ids) & set(drawn):
            assert drawn[id] == pytest.approx(1.2 * max(own.values()) * share**2)
    assert {points for id, points in drawn.items() if id > 7} <= {0.0}
    assert drawn[1] > drawn[4] > 0


@pytest.mark.parametrize("memory_type", ["fact", "preference", "state", "skill", "summary"])
def test_a_fact_gains_nothing_from_its_session_or_its_neighbours(layer, memory_type):
    for text in ("Ann keeps a kayak in the shed.", "The kayak was a gift of Ben.", "It is red and the kayak is new."):
        layer.remember(text, session_id="s", memory_type=memory_type)
    for memory in layer.recall("What does Ann say of the red kayak?", explain=True, touch=False):
        assert [memory.explanation[part] for part in ("passage", "session", "answer")] == [0, 0, 0]


def test_a_memory_that_shares_nothing_with_the_question_needs_expand(layer):
    layer.remember("Ann bought a kayak at the harbour market.")
    layer.remember("The harbour market opens on Sunday mornings.")
    layer.remember("Kayak lessons begin in June.")
    found = layer.recall("where was it bought", touch=False)
    assert [memory.id for memory in found] == [1]
    assert {memory.id for memory in layer.recall("where was it bought", expand=True, touch=False)} == {1, 2, 3}


def test_a_short_question_is_answered_beside_a_long_one(layer):
    layer.remember("我叔叔身高178厘米。")
    layer.remember_many({"content": f"会议室第{n}号钥匙在前台的抽屉里。"} for n in range(30))
    for detail in ("规模是七千人", "时间是下周一上午九点", "地点是广东深圳", "门票要提前一天预订"):
        layer.remember(f"书法艺术体验展的{detail}。")
    found = layer.recall("我叔叔身高是多少？另外，书法艺术体验展的规模是什么？", limit=2, touch=False)
    assert {memory.id for memory in found} == {1, 32}


def test_the_last_line_of_a_conversation_decides(layer):
    layer.remember("Ann keeps a kayak in the shed.")
    layer.remember("Ann keeps a tent in the shed.")
    for lines, id in (("my kayak!\nAnd a tent?", 2), ("my tent!\nAnd a kayak?", 1)):
        assert layer.recall(lines, limit=1, touch=False)[0].id == id


def test_a_large_scope_is_ranked_from_its_rarest_terms_and_finds_the_same(tmp_path):
    with SQLiteMemoryLayer(tmp_path / "m.db") as layer:
        texts = [f"note number {n} about the worker of team {n % 7} and topic t{n % 50}" for n in range(400)]
        layer.remember_many({"content": text} for text in texts)
        layer.remember("the worker of team 3 restarts at noon")
        question = "when does the worker of team 3 restart at noon?"
        whole = layer.recall(question, limit=1, touch=False)[0]
        with layer._database.writing() as connection:
            connection.execute("UPDATE policy SET value = 10 WHERE name IN ('small_scope', 'first_cut')")
        cut = layer.recall(question, limit=1, touch=False)[0]
        assert whole.id == cut.id == 401
        assert cut.relevance == pytest.approx(whole.relevance, rel=1e-9)
        assert layer.recall(question, limit=3, min_importance=9, touch=False) == []


def test_one_scope_is_not_weighed_by_the_words_of_another(tmp_path):
    with SQLiteMemoryLayer(tmp_path / "m.db", agent_id="a") as layer:
        layer.remember("the red kayak is at the lake")
        layer.remember("the blue tent is at home")
        question = {"query": "kayak at the lake", "as_of": "2030-01-01", "touch": False}
        alone = [(memory.id, memory.score) for memory in layer.recall(**question)]
        layer.remember_many([{"content": f"kayak number {n} of the club", "agent_id": "b"} for n in range(60)])
        shared = [(memory.id, memory.score) for memory in layer.recall(**question)]
        assert [id for id, _ in alone] == [id for id, _ in shared] == [1]
        assert shared[0][1] == pytest.approx(alone[0][1], rel=1e-9)


@pytest.mark.parametrize("moment", ["2026-05-04T00:00:00.000Z", "2020-01-01T00:00:00.000Z", "2036-01-01T00:00:00.000Z"])
def test_the_strength_of_a_hit_is_that_of_the_view_at_the_same_moment(filled, moment):
    rows = filled.sql("SELECT id, strength FROM strength_at WHERE moment = json_array(?)", (moment,))
    view = {row["id"]: row["strength"] for row in rows}
    for memory in [*filled.recall("deploy", as_of=moment, touch=False), *filled.recall(as_of=moment, touch=False)]:
        assert memory.strength == view[memory.id]
    assert len(view) == 8


def test_the_old_fact_that_matches_beats_the_fresh_one_that_hardly_does(layer):
    old = layer.remember("the deploy window closes on friday", created_at=days_ago(60))
    layer.remember("friday is pizza day", created_at=days_ago(0))
    assert layer.recall("deploy window on friday")[0].id == old


def test_a_long_turn_does_not_hide_the_short_one_that_answers(layer):
    essay = " ".join(["Here is where dogs such as Rex are walked each morning."] + [f"filler{n}" for n in range(390)])
    layer.remember("I walk my dog Rex in the park.", memory_type="episode")
    layer.remember(essay, memory_type="episode")
    found = layer.recall("Where do I walk my dog Rex each morning?", explain=True, touch=False)
    assert [memory.content[:6] for memory in found] == ["I walk", "Here i"]
    assert found[1].explanation["length"] == pytest.approx(0.5 * length_of_the_same_fact(layer, essay), rel=0.02)


def test_a_long_turn_gains_less_of_its_session_and_of_the_question_before_it(layer):
    turns = ["Where does Rex walk?", " ".join(f"filler{n}" for n in range(400)), "Rex likes ponds.", "Rex barks."]
    for minute, turn in enumerate(turns):
        layer.remember(turn, memory_type="episode", session_id="s", created_at=f"2026-05-03T10:0{minute}Z")

    def gained():
        found = layer.recall("Where does Rex walk?", explain=True, touch=False)
        parts = next(memory.explanation for memory in found if memory.content == turns[1])
        return parts["session"], parts["answer"], parts["passage"]

    short = gained()
    shell(layer.path, "UPDATE policy SET value = 0 WHERE name = 'long_turn'")
    session, answer, passage = gained()
    assert session > 0 and answer > 0
    assert short == pytest.approx((session / 2, answer / 2, passage))    # 400 words: the root of 100 / 400


def length_of_the_same_fact(layer, text):
    shell(layer.path, "UPDATE memories SET memory_type = 'fact'")
    return next(m.explanation["length"] for m in layer.recall("Rex", explain=True, touch=False) if m.content == text)


def test_single_characters_may_count_for_nothing(layer):
    layer.remember("用户家里的猫叫小雪。")
    shell(layer.path, "UPDATE policy SET value = 0 WHERE name = 'character_weight'")
    assert [memory.relevance for memory in layer.recall("猫")] == [0.0]
