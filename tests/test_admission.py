"""What the layer finds of the memories that a new one repeats or contradicts, and what each rule of the gate switches."""

from __future__ import annotations

import random
import time

import gate_pairs
import pytest
from conftest import shell

from sqlite_memory import SQLiteMemoryLayer

CROWD = 3000
ALL = gate_pairs.TUNED + gate_pairs.HELD_OUT + gate_pairs.SHORT + gate_pairs.BLIND


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """A layer whose scope holds thousands of newer memories, each with a word of some pair among words of its own."""
    chance = random.Random(7)
    texts = [side for pair in ALL for side in (pair.old, pair.new)]
    english = sorted({word for text in texts if text.isascii() for word in text.split()})
    chinese = [text[start : start + 2] for text in texts if not text.isascii() for start in range(0, len(text) - 1, 2)]

    def invented() -> str:
        if chance.random() < 0.5:
            own = ["".join(chance.choices("bcdfglmnprst", k=2)) + chance.choice(("ano", "eri", "umo")) for _ in range(7)]
            return " ".join([*own[:3], chance.choice(english), *own[3:]])
        own = "".join(chance.choices("岛桥湖塔井谷峰溪岸港灯船帆桨锚", k=12))
        return f"{own[:6]}{chance.choice(chinese)}{own[6:]}"

    with SQLiteMemoryLayer(tmp_path_factory.mktemp("crowd") / "memory.db") as layer:
        layer.remember("the placeholder of the first row")
        layer.remember_many({"content": invented()} for _ in range(CROWD))
        layer.delete(1)
        yield layer


def judged(layer, pair) -> str:
    """Return what the layer says of the new text of a pair whose old text is the oldest memory."""
    (id,) = layer.remember_many([{"content": pair.old}])
    shell(layer.path, f"UPDATE memories SET id = 1 WHERE id = {id}")
    try:
        verdict = layer.judge(pair.new)
    finally:
        layer.delete(1)
    if verdict.decision != "admit":
        return verdict.decision
    return verdict.reason if verdict.collides_with == 1 else ""


def both_ways(label: str):
    for pair in ALL:
        if pair.label == label:
            yield pair
            yield gate_pairs.Pair(pair.new, pair.old, label)


def test_nearly_every_contradiction_is_reported_in_a_large_file_in_both_directions(crowded):
    found = [judged(crowded, pair) for pair in both_ways("against")]
    assert "reinforce" not in found
    assert found.count("possible contradiction") / len(found) >= 0.9


def test_what_is_something_else_is_never_merged_in_either_direction(crowded):
    found = [judged(crowded, pair) for pair in both_ways("other")]
    assert found.count("reinforce") == 0


def test_of_what_is_reinforced_in_a_large_file_most_says_the_same(crowded):
    found = [judged(crowded, pair) for pair in both_ways("same")]
    assert found.count("reinforce") / len(found) >= 0.6
    assert found.count("") / len(found) <= 0.15


@pytest.mark.parametrize(
    ("old", "new", "decision", "reason"),
    [
        ("回答简洁点", "我喜欢简洁的回答", "reinforce", "near duplicate"),
        ("我喜欢简洁的回答", "回答简洁点", "reinforce", "near duplicate"),
        ("用户爱吃辣", "用户不爱吃辣", "admit", "possible contradiction"),
        ("The user is 30", "The user is 31", "admit", "possible contradiction"),
        ("The trip is in May", "The trip is in June", "admit", "possible contradiction"),
        ("我喜欢喝茶", "你喜欢喝茶", "admit", "near duplicate"),
        ("the table has 10⁶ rows", "the table has 106 rows", "admit", "possible contradiction"),
        ("我想要一只橘猫", "我有一只橘猫", "admit", "near duplicate"),
        ("我已经结婚了。", "我还没有结婚。", "admit", "possible contradiction"),
        ("报告已经写完了", "报告还没有写完", "admit", "possible contradiction"),
        ("他还没毕业", "他已经毕业了", "admit", "possible contradiction"),
        ("The user eats fish and meat.", "The user eats fish or meat.", "admit", "near duplicate"),
    ],
)
def test_the_layer_finds_the_memory_that_a_text_repeats_or_contradicts(layer, old, new, decision, reason):
    id = layer.remember(old)
    verdict = layer.judge(new)
    assert (verdict.decision, verdict.reason, verdict.collides_with) == (decision, reason, id)


def test_https_is_not_more_than_one_http(layer):
    assert [layer.remember("Use HTTP for the docs."), layer.remember("Use HTTPS for the docs.")] == [1, 2]


def test_a_closed_an_expired_and_a_keyed_memory_and_one_of_another_type_are_not_compared(layer):
    layer.withdraw(layer.remember("the meeting is at 3pm"))
    layer.remember("the meeting is at 3pm", expires_at="2020-01-01")
    layer.remember("the meeting is at 3pm", key="meeting")
    layer.remember("the meeting is at 3pm", memory_type="state")
    layer.remember("the meeting is at 3pm", user_id="another")
    assert layer.judge("the meeting is at 4pm").reason == ""


# ---------------------------------------------------------------------------------------------------- policy

LONG = "tea " * 3000
SECRET, CARD, IDENTITY = "my password is hunter2", "card 4111 1111 1111 1111", "身份证11010519491231002X"


def through_judge(layer, *texts):
    """Return of each text whether it made a new row, by what judge() says before it is stored."""
    made = []
    for text in texts:
        made.append(layer.judge(text).decision == "admit")
        layer.remember_many([{"content": text}])
    return made


def through_remember(layer, *texts):
    ids = []
    for text in texts:
        try:
            ids.append(layer.remember(text))
        except ValueError:  # too long: what is lost should be seen
            ids.append(None)
    return _new(ids)


def through_many(layer, *texts):
    return _new(layer.remember_many([{"content": text} for text in texts]))


def through_conversation(layer, *texts):
    talk = [{"role": "user", "content": "I moved to Oslo in May"}]
    return _new(layer.remember_conversation(talk, lambda turns: [{"content": text} for text in texts]))


def _new(ids):
    return [id is not None and id not in ids[:place] for place, id in enumerate(ids)]


WAYS = [through_judge, through_remember, through_many, through_conversation]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("row", "texts"),
    [
        ("min_length", ["茶"]),
        ("max_length", [LONG]),
        ("refuse_noise", ["好的好的"]),
        ("refuse_unwanted", ["off the record: I resigned"]),
        ("reinforce_exact", ["I like tea", "I like  TEA"]),
        ("reinforce_near", ["我喜欢简洁的回答", "回答简洁点"]),
        ("sensitive_secret", [SECRET]),
        ("sensitive_card", [CARD]),
        ("sensitive_identity", [IDENTITY]),
    ],
)
def test_each_rule_that_keeps_a_text_out_can_be_switched_off_for_every_way_in(make_layer, tmp_path, way, row, texts):
    on, off = make_layer(tmp_path / "on.db"), make_layer(tmp_path / "off.db")
    shell(off.path, f"UPDATE policy SET value = 0 WHERE name = '{row}'")
    expected = way is through_many and row == "reinforce_near"  # the bulk path looks for no near duplicates
    assert way(on, *texts)[-1] is expected
    assert way(off, *texts)[-1] is True


@pytest.mark.parametrize("way", WAYS)
def test_the_importance_floor_can_be_switched_off_for_every_way_in(make_layer, tmp_path, way):
    on, off = make_layer(tmp_path / "on.db"), make_layer(tmp_path / "off.db")
    for layer in (on, off):
        shell(layer.path, "UPDATE memory_types SET importance = 1 WHERE memory_type = 'fact'")
    shell(off.path, "UPDATE policy SET value = 0 WHERE name = 'refuse_unimportant'")
    assert way(on, "I live in Lisbon") == [False]
    assert way(off, "I live in Lisbon") == [True]


@pytest.mark.parametrize(
    ("row", "old", "new"),
    [
        ("report_near", "我妹妹在上海读大学", "我妹妹的男朋友在上海读大学"),
        ("report_contradiction", "The meeting is at 3pm", "The meeting is at 4pm"),
    ],
)
def test_each_report_can_be_switched_off(make_layer, tmp_path, row, old, new):
    on, off = make_layer(tmp_path / "on.db"), make_layer(tmp_path / "off.db")
    shell(off.path, "UPDATE policy SET value = 0 WHERE name LIKE 'report_%'")
    for layer, reported in ((on, True), (off, False)):
        layer.remember(old)
        assert bool(layer.judge(new).reason) is reported
        id = layer.remember(new)
        assert ("contradicts" in layer.get(id).metadata) is (reported and row == "report_contradiction")


def test_a_lower_threshold_merges_what_leaves_a_word_out(layer):
    old = "Every weekday I take the early train from the old harbour station to the office"
    id = layer.remember(old)
    new = old.replace("early ", "")
    assert layer.judge(new).decision == "admit"
    shell(layer.path, "UPDATE policy SET value = 0.8 WHERE name = 'reinforce_near'")
    assert layer.judge(new).collides_with == id
    assert layer.remember(new) == id


# ---------------------------------------------------------------------------------------- any size, one conversation


@pytest.mark.parametrize("unit", ["汉字很多", "words of a text "])
def test_a_text_of_ten_million_characters_is_refused_before_it_is_cut(layer, unit):
    text = unit * (10_000_000 // len(unit))
    start = time.process_time()
    assert layer.judge(text).reason == "too long"
    assert layer.remember_many([{"content": text}]) == [None]
    assert time.process_time() - start < 2


def test_near_duplicates_of_one_conversation_are_one_memory(layer):
    talk = [{"role": "user", "content": "I moved to Oslo in May"}]
    found = ["User likes dark mode", "The user likes dark mode", "用户有车", "用户没有车"]
    ids = layer.remember_conversation(
        talk, lambda turns: [{"content": text, "tags": iter(["found"])} for text in found]
    )
    assert ids == [1, 1, 2, 3]
    assert layer.get(3).metadata["contradicts"] == 2
    assert layer.get(3).tags == ("found",)


def test_nothing_of_a_conversation_is_stored_when_a_later_item_is_wrong(layer):
    talk = [{"role": "user", "content": "I moved to Oslo in May"}]
    with pytest.raises(TypeError, match="item 1"):
        layer.remember_conversation(talk, lambda turns: [{"content": "User likes dark mode"}, {"content": 5}])
    assert layer.stats().memories == 0
