"""Which turns carry news, and what is taken from them without a model."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
import sensitive_lines as lines
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlite_memory.conversation import carries_news, extract

DATA = Path(os.environ.get("SQLITE_MEMORY_DATA", "data"))


def user(*texts: str) -> list[dict[str, object]]:
    return [{"role": "user", "content": text} for text in texts]


# ---------------------------------------------------------------------------------------------------- news


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "  ",
            "好的，谢谢！",
            "哈哈，真有意思",
            "你好，在吗？",
            "今天天气真好",
            "你喜欢什么？",
            "嗯嗯，我知道了",
            "为什么天空是蓝色的？",
        ),
        *(
            "Hi!",
            "Thanks, that's great!",
            "Wow, Maria, that sounds amazing!",
            "How are you?",
            "What do you do for fun?",
        ),
        *("I'm so happy for you!", "Good to see you, Tom!", "off the record: I resigned today", "别记住：我要辞职了"),
    ],
)
def test_small_talk_praise_questions_and_confidences_carry_no_news(text: str) -> None:
    assert not carries_news(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "我搬到苏州了",
            "我对花生过敏",
            "会议改到三点",
            "回答请简洁一点",
            "我最喜欢的颜色是蓝色，你知道吗？",
            "我表弟在浙江上班呢。",
        ),
        *(
            "I moved to Porto last week.",
            "My sister has a new job",
            "Call me Al",
            "It costs 40 euros",
            "Always answer in French.",
        ),
        *(
            "The fair opens on a Sunday in Bruges.",
            "Great! I adopted a kitten yesterday.",
            "I like jazz, how about you?",
        ),
    ],
)
def test_a_statement_carries_news(text: str) -> None:
    assert carries_news(text)


def test_of_the_turns_that_questions_are_asked_about_at_most_5_percent_are_lost() -> None:
    folder = DATA / "locomo_en"
    if not folder.exists():
        pytest.skip("set SQLITE_MEMORY_DATA to the folder of the evaluation data")
    asked = {
        id
        for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
        for id in json.loads(line)["relevant"]
    }
    turns = [json.loads(line) for line in (folder / "memories.jsonl").read_text(encoding="utf-8").splitlines()]
    passed = {turn["id"] for turn in turns if carries_news(turn["content"].split(": ", 1)[1])}
    known = asked & {turn["id"] for turn in turns}
    assert len(known - passed) / len(known) <= 0.05
    assert len(passed) / len(turns) <= 0.75


# ---------------------------------------------------------------------------------------------------- extract


@pytest.mark.parametrize(
    "text", ["", "hello", "What is your name?", "我叫什么名字？", "He likes tea.", "如果我住在巴黎就好了"]
)
def test_nothing_is_taken_from_a_turn_that_states_nothing(text: str) -> None:
    assert extract(user(text)) == []


def test_a_memory_is_the_sentence_in_the_users_own_words() -> None:
    assert extract(user("Hi! My name is Ines.  How are you?")) == [
        {
            "content": "My name is Ines.",
            "memory_type": "fact",
            "importance": 7.0,
            "key": "name",
            "metadata": {"source": "rule:name"},
        }
    ]


@pytest.mark.parametrize(
    ("text", "rule", "memory_type", "key"),
    [
        ("我叫林月", "name", "fact", "name"),
        ("可以叫我小林", "name", "fact", "name"),
        ("You can call me Al.", "name", "fact", "name"),
        ("我现在住在杭州", "home", "fact", "home"),
        ("I live in Bergen.", "home", "fact", "home"),
        ("I'm originally from Graz", "origin", "fact", None),
        ("我老家在大连", "origin", "fact", None),
        ("I am a pastry chef", "work", "fact", "work"),
        ("我在一家游戏公司上班", "work", "fact", "work"),
        ("我是一名护士", "work", "fact", "work"),
        ("我今年28岁", "age", "fact", "age"),
        ("I'm 34 years old", "age", "fact", "age"),
        ("我的生日是5月12日", "birthday", "fact", "birthday"),
        ("My birthday is on May 12", "birthday", "fact", "birthday"),
        ("I have two cats", "family", "fact", None),
        ("我女儿叫小满", "family", "fact", None),
        ("My favourite colour is teal", "favourite", "preference", "favourite colour"),
        ("我最喜欢的颜色是墨绿色", "favourite", "preference", "favourite 颜色"),
        ("I really don't like dark beer", "", "", None),
        ("I don't like dark beer", "preference", "preference", None),
        ("I love hiking!", "preference", "preference", None),
        ("我不太喜欢太甜的东西", "preference", "preference", None),
        ("我不吃香菜", "preference", "preference", None),
        ("Always answer in French.", "instruction", "preference", None),
        ("From now on, use metric units", "instruction", "preference", None),
        ("以后回答请简短一些", "instruction", "preference", None),
        ("记住，代码注释用英文", "instruction", "preference", None),
        ("We decided to move in May", "decision", "fact", None),
        ("Let's go with the blue one", "decision", "fact", None),
        ("我们最后决定用第二个方案", "decision", "fact", None),
        ("那就用 PostgreSQL 吧", "decision", "fact", None),
    ],
)
def test_a_rule_makes_its_memory(text: str, rule: str, memory_type: str, key: str | None) -> None:
    found = [(m["metadata"], m["memory_type"], m.get("key"), m["content"]) for m in extract(user(text))]
    assert found == ([({"source": f"rule:{rule}"}, memory_type, key, text)] if rule else [])


@pytest.mark.parametrize(
    "text",
    [
        *(
            "I love it!",
            "I love how you put that",
            "I like your idea",
            "I'd love to",
            "Never mind",
            "Never give up!",
            "I love to.",
        ),
        *("Call me later", "my name is on the list", "I live in fear", "I work for hours", "That's what we agreed on."),
        *(
            "我叫了外卖",
            "我喜欢你",
            "我叫他起床",
            "我特别喜欢！",
            "每次都这样",
            "他说我叫不醒",
            "我决定不了",
            "请别担心",
        ),
    ],
)
def test_what_only_looks_like_a_statement_is_left(text: str) -> None:
    assert extract(user(text)) == []


def test_a_sentence_that_says_two_things_has_no_key() -> None:
    (memory,) = extract(user("My name is Budi, and I live in Jakarta."))
    assert "key" not in memory


def test_only_user_turns_are_read() -> None:
    messages = [{"role": "assistant", "content": "I live in Oslo."}, {"role": "system", "content": "I live in Rome."}]
    assert extract([*messages, {"content": "I live in Bonn."}]) == []


def test_content_parts_are_read_and_pictures_are_not() -> None:
    parts = [{"type": "text", "text": "I live in Oslo."}, {"type": "image_url", "text": "I live in Rome."}, "x", None]
    assert [m["content"] for m in extract([{"role": "user", "content": parts}])] == ["I live in Oslo."]


def test_a_sentence_said_twice_comes_once() -> None:
    assert len(extract(user("I live in Oslo.", "i live in OSLO."))) == 1


def test_private_sentences_are_left_out_unless_asked_for() -> None:
    texts = ("I live in Oslo at 12 Juniper Street", "I don't like my salary", "我的生日是5月1日，手机13912345678")
    assert extract(user(*texts)) == []
    assert len(extract(user(*texts), leave_out=())) == 3


def test_a_secret_is_left_out() -> None:
    assert extract(user(f"Remember that my card is {lines.VISA}", "记住，我的密码是 Lan!tian9")) == []


def test_a_message_that_asks_not_to_be_remembered_gives_nothing() -> None:
    assert extract(user("I live in Oslo. Off the record, please.", "我叫林月，别记下来。")) == []


# ---------------------------------------------------------------------------------------- any text, any size

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(), max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "content"]), inner),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_any_text_is_legal(text: str) -> None:
    assert carries_news(text) in (True, False)
    assert all(
        memory["content"] in text.replace("\x00", "\ufffd")
        for memory in extract(user(text.replace("\ud800", "")))
        if text.isascii()
    )


@settings(max_examples=200, deadline=None)
@given(st.lists(st.fixed_dictionaries({"role": st.just("user") | ANYTHING, "content": ANYTHING}), max_size=3))
def test_any_message_is_legal(messages: list[dict[str, object]]) -> None:
    found = extract(messages)
    assert json.loads(json.dumps(found)) == found and all(memory["content"].strip() for memory in found)


HOSTILE = [
    "1",
    "a",
    "Z",
    "汉",
    "我",
    "我是",
    " ",
    "\n",
    "。",
    "？",
    ".",
    ". ",
    ",",
    "i ",
    "I am a ",
    "my name is ",
    "please ",
    "决定",
    "每次",
    "a'",
]


@pytest.mark.parametrize("atom", HOSTILE)
def test_no_rule_is_slow_on_a_hundred_thousand_characters(atom: str) -> None:
    text = (atom * 100_000)[:99_999] + "x"
    for function in (carries_news, lambda t: extract(user(t))):
        seconds = []
        for _ in range(3):
            start = time.process_time()
            function(text)
            seconds.append(time.process_time() - start)
        assert min(seconds) < 0.2
