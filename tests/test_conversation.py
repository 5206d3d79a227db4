"""Which turns carry news, and what is taken from them without a model."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest
import sensitive_lines as lines
from conftest import shell
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
        ("叫我小王就行。", "name", "fact", "name"),
        ("嗨，叫我阿明吧", "name", "fact", "name"),
        ("Call me Annie.", "name", "fact", "name"),
        ("call me Ann Marie", "name", "fact", "name"),
        ("以后用中文回答我。", "instruction", "preference", None),
        ("我是程序员", "work", "fact", "work"),
        ("我是高级软件工程师。", "work", "fact", "work"),
        ("我是程序员，喜欢喝茶。", "work", "fact", None),
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
        *("Call me crazy.", "Call me in the morning", "call me when you can", "Call me maybe."),
        *("叫我起床就行", "叫我一声就行", "我是他的老师", "我不是程序员", "我是会员", "以后我用英文写日记"),
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


@pytest.mark.parametrize(
    "text",
    [
        "My name is Budi, and I live in Jakarta.",
        "My name is Ann and I collect stamps.",
        "I collect stamps, and my name is Ann.",
        "I live in Porto with my sister Eva and three cats.",
        "I live in Porto where I teach Latin",
        "I moved to Porto to teach Latin.",
        "我搬到深圳了，在腾讯上班。",
        "我住在上海，养了两只猫",
        "我住在上海和我女朋友一起",
        "我今年28岁，属龙",
    ],
)
def test_a_sentence_that_says_two_things_has_no_key(text: str) -> None:
    (memory,) = extract(user(text))
    assert "key" not in memory


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Well, I live in Oslo, you know.", "home"),
        ("My name is Ann, nice to meet you!", "name"),
        ("My birthday is May 12, 1990.", "birthday"),
        ("I am a nurse at the city hospital.", "work"),
        ("I work for a bank.", "work"),
        ("你好，我叫林月，请多关照", "name"),
        ("我搬到北京了。", "home"),
    ],
)
def test_fillers_around_one_thing_leave_its_key(text: str, key: str) -> None:
    assert [memory.get("key") for memory in extract(user(text))] == [key]


@pytest.mark.parametrize(
    ("first", "second", "query"),
    [
        ("我搬到深圳了，在腾讯上班。", "我搬到北京了。", "腾讯"),
        ("My name is Ann and I collect stamps.", "My name is Annie.", "stamps"),
        ("I live in Porto with my sister Eva.", "I live in Rome.", "Eva"),
    ],
)
def test_what_was_said_beside_the_old_fact_is_found_after_the_new_one(first, second, query, layer) -> None:
    for text in (first, second):
        assert None not in layer.remember_conversation(user(text))
    assert [memory.content for memory in layer.recall(query)] == [first]


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


def test_of_an_unwanted_message_something_is_taken_where_the_caller_says_so() -> None:
    assert carries_news("别记住：我要辞职了", even_unwanted=True)
    assert len(extract(user("I live in Oslo. Off the record, please."), even_unwanted=True)) == 1


# ---------------------------------------------------------------------------------------- what an extractor sees


def seen(layer, *texts: str, **how: object) -> list[object]:
    """Return what an extractor sees of turns of the user, with one that carries news at their end."""
    given: list[object] = []
    layer.remember_conversation(user(*texts, "I moved to Oslo"), lambda turns: given.extend(turns) or [], **how)
    assert given.pop()["content"] == "I moved to Oslo"
    return [turn["content"] for turn in given]


@pytest.mark.parametrize(
    "text",
    [
        *("不用记：我住在罗马", "別記：我住在羅馬", "Don't store that I moved to Rome", "my password is hunter2-Xk9"),
        *("我的密碼：abc12345", f"my card is {lines.VISA}", f"身份证{lines.PERSON}"),
    ],
)
def test_an_extractor_does_not_see_what_the_gate_refuses(text: str, layer) -> None:
    assert seen(layer, "My cat is called Pixel", text) == ["My cat is called Pixel"]


def test_an_answer_that_repeats_a_secret_is_not_seen_either(layer) -> None:
    given: list[object] = []
    answer = {"role": "assistant", "content": "Your password is hunter2-Xk9, got it."}
    layer.remember_conversation([*user("I moved to Oslo"), answer], lambda turns: given.extend(turns) or [])
    assert given == user("I moved to Oslo")


@pytest.mark.parametrize("text", ["这次不往心里去", "Forget what I just said.", "就当我没说过", "刚才说的不用记", "忘掉我刚才说的"])
def test_a_request_that_looks_back_takes_the_turn_before_it_along(text: str, layer) -> None:
    assert seen(layer, "My cat is called Pixel", "I am going to resign in May", text) == ["My cat is called Pixel"]


@pytest.mark.parametrize("text", ["不用记：我住在罗马", "I live in Rome. Forget what I just said.", "off the record: I resign"])
def test_a_request_about_itself_leaves_the_turn_before_it(text: str, layer) -> None:
    assert seen(layer, "My cat is called Pixel", text) == ["My cat is called Pixel"]


def test_contacts_are_seen_and_secrets_are_with_leave(layer) -> None:
    texts = ["My mail is ann@example.com", "my password is hunter2-Xk9"]
    assert seen(layer, *texts) == texts[:1]
    assert seen(layer, *texts, allow_sensitive=True) == texts


def test_the_policy_may_let_unwanted_turns_through(layer) -> None:
    shell(layer.path, "UPDATE policy SET value = 0 WHERE name = 'refuse_unwanted'")
    assert seen(layer, "off the record: I resign") == ["off the record: I resign"]
    assert layer.remember_conversation(user("I live in Rome. Off the record, please.")) == [1]


def test_the_rules_keep_private_sentences_with_leave(layer) -> None:
    texts = ("记住，我有高血壓", "记住，我的電話是0912345678", "记住，我月入三万")
    assert layer.remember_conversation(user(*texts)) == []
    assert layer.remember_conversation(user(*texts), allow_sensitive=True) == [1, 2, 3]


# ---------------------------------------------------------------------------------------- what an extractor returns


@pytest.mark.parametrize(
    ("returned", "error", "message"),
    [
        ("text", TypeError, "extractor returned a str, not a list of mappings"),
        (None, TypeError, "extractor returned a NoneType, not a list of mappings"),
        ({"content": "Ann waters the ferns"}, TypeError, "extractor returned a dict, not a list of mappings"),
        (7, TypeError, "extractor returned a int, not a list of mappings"),
        (["text"], TypeError, "extractor, item 0: must be a mapping, not str"),
        ([None], TypeError, "extractor, item 0: must be a mapping, not NoneType"),
        ([{"content": "x", "foo": 1}], TypeError, "extractor, item 0: unknown argument foo"),
        ([{"content": "x", 5: 1}], TypeError, "extractor, item 0: unknown argument 5"),
        ([{}], ValueError, "extractor, item 0: has no content"),
        ([{"content": None}], TypeError, "extractor, item 0: content must be text (str), not NoneType"),
        ([{"content": "x", "importance": 11}], ValueError, "extractor, item 0: importance=11 must lie between 0 and 10"),
    ],
)
def test_garbage_from_an_extractor_is_named_and_nothing_is_stored(returned, error, message, layer) -> None:
    if isinstance(returned, list):
        returned = [{"content": "Ann waters the ferns"}, *returned]
        message = message.replace("item 0", "item 1")
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        layer.remember_conversation(user("I moved to Oslo"), lambda _: returned)
    assert layer.stats().memories == 0


def test_an_extractor_may_be_a_generator(layer) -> None:
    turns = user("I moved to Oslo")
    assert layer.remember_conversation(turns, lambda seen: ({"content": turn["content"]} for turn in seen)) == [1]


def test_an_unknown_argument_of_many_names_its_item(layer) -> None:
    with pytest.raises(TypeError, match="^item 1: unknown argument foo$"):
        layer.remember_many([{"content": "Ann waters the ferns"}, {"content": "x", "foo": 1}])
    assert layer.stats().memories == 0


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
    *('"i', '“我', '「', 'email ', '``` ', '>\n'),
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


@pytest.mark.parametrize(
    "text",
    [
        "Remember that the rent is due on the 3rd.", "Remember that the meeting is on Friday.",
        "Please remember I park on level 3.", "帮我记住备用钥匙在蓝色花盆下面。",
    ],
)
def test_what_is_to_be_remembered_is_taken(text):
    assert [memory["content"] for memory in extract(user(text))] == [text]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Remember that my flight is MU5103.", "fact"), ("记住，王磊是我老板。", "fact"), ("帮我记住备用钥匙在蓝色花盆下面。", "fact"),
        ("请记住以后都用中文回答。", "preference"), ("记住，代码注释用英文。", "preference"), ("记住我不吃香菜。", "preference"),
        ("I no longer like coffee.", "preference"), ("我现在不喜欢咖啡了。", "preference"), ("我不再喜欢咖啡。", "preference"),
    ],
)
def test_what_is_to_be_remembered_is_a_fact_unless_it_says_how_to_answer_or_what_is_liked(text, kind):
    assert [memory["memory_type"] for memory in extract(user(text))] == [kind]


@pytest.mark.parametrize("text", ["Please remember the time we met.", "Remember that?", "Do you remember that the rent rose?"])
def test_a_reminiscence_is_no_instruction(text):
    assert extract(user(text)) == []


@pytest.mark.parametrize("text", ["I'm allergic to shellfish.", "我对海鲜过敏。"])
def test_an_allergy_is_taken_where_private_things_may_be(layer, text):
    assert layer.remember_conversation(user(text)) == []
    assert layer.remember_conversation(user(text), allow_sensitive=True) == [1]
    assert layer.get(1).content == text


@pytest.mark.parametrize(
    "text",
    [
        *("My wife says I'm a terrible cook.", "As Einstein said, I am a teacher.", "Everyone thinks I love kale.", "He goes, I hate fog."),
        *("Translate into German: I love my dog.", "Write a story: I live in a castle.", "Proofread this: I like apples."),
        *('Translate "I am allergic to cats" into French.', "帮我翻译：我喜欢北京。", "把“我住在巴黎”翻译成法语。", "他写道：“我住在巴黎。”"),
        *("I dreamt that I live in Paris.", "My name is John in the game.", "In the story I live in Mordor.", "I feel like I'm 80 years old.", "Act as if my name is Bob.", "Assume I live in Berlin."),
        *("I'm not sure if I like jazz.", "Not that I like jazz.", "I don't think I'm a teacher.", "Once I'm a doctor, I'll rest."),
        *("Why do I like jazz so much", "我最喜欢的电影是什么来着", "我最喜欢的歌手是谁你猜", "我的生日是哪天", "我喜欢吃什么你记得不"),
        *("我朋友说我住在月球上。", "我老婆总说我喜欢乱花钱。", "梦见我住在海边。", "我怀疑我对海鲜过敏。", "那时候我住在罗马。", "游戏里我叫阿龙。", "等我搬到上海再说。", "我搬去北京的话，你会来吗"),
    ],
)
def test_others_words_texts_to_work_on_suppositions_and_unmarked_questions_are_left(text):
    assert extract(user(text), leave_out=()) == []


@pytest.mark.parametrize(
    "text",
    [
        "As I said, I live in Graz.", "I told you I live in Graz!", "That said, I prefer tea.", "我跟你说我喜欢吃辣。",
        'I love watching "Heat".', 'I prefer Dune to "I, Robot".', 'I like dogs, as in "man\'s best friend", and my cat.',
    ],
)
def test_what_the_user_says_of_themself_is_taken_whatever_stands_around_it(text):
    assert [memory["content"] for memory in extract(user(text))] == [text]


@pytest.mark.parametrize(
    "text",
    [
        *("I've moved to a new approach.", "I moved to the next slide.", "I have moved to dark mode.", "I live in constant pain."),
        *("I work at night.", "I work at home on Mondays.", "I work for 8 hours a day.", "I own a car.", "I run a marathon every year.", "I work as hard as I can.", "I work for a living."),
        *("I'm a terrible driver.", "I'm a doctor's son.", "I am a former teacher.", "Please call me a taxi.", "Everyone can call me names."),
        *("我搬到新办公室了。", "我在家工作。", "我在努力工作。", "我三十岁的时候去了美国。", "我三岁就会游泳。", "我叫不出名字。", "我家在装修。", "我在等公交上班。", "My favorite team is losing tonight."),
        *("我们还没最终决定。", "请用英文写一封邮件。", "我狗叫个不停。", "I hate to bother you."),
    ],
)
def test_what_is_said_in_passing_takes_the_place_of_no_home_work_age_or_name(text):
    assert extract(user(text)) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        *(("I moved to the Netherlands.", "home"), ("I just moved to a small town in Norway.", "home"), ("I live near Graz.", "home")),
        *(("I run a small bakery in Lyon.", "work"), ("I own a bookshop.", "work"), ("I work at a hospital.", "work")),
        *(("I'm a retired engineer.", "work"), ("我在国家图书馆工作。", "work"), ("我在家乐福上班。", "work"), ("我28岁了。", "age"), ("我今年三十岁", "age")),
        *(("Please call me Anna.", "name"), ("我搬到新加坡了。", "home")),
    ],
)
def test_a_place_a_trade_an_age_and_a_name_have_their_keys(text, key):
    assert [memory.get("key") for memory in extract(user(text))] == [key]


@pytest.mark.parametrize("name", ["Please call me Dr. Smith.", "I live in St. Louis.", "I live in Washington D.C. now."])
def test_a_sentence_does_not_end_with_an_abbreviation(name):
    assert [memory["content"] for memory in extract(user(f"Hello! {name} And you?"))] == [name]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("Summarize this email:\n\nHi team, I moved to Berlin.\nI live in Bonn.\nCarla", []),
        ("I live in Oslo. Please translate this:\nI love cheese. I live in Rome.", ["I live in Oslo."]),
        ("请润色以下文章：\n\n我是一名老师。我最喜欢的颜色是红色。", []),
        ("幫我翻譯這段話：\n我住在上海。", []),
        ("> I live in Oslo\nI prefer tabs.\n```\n# I live in Rome\n```\nI love tea.", ["I prefer tabs.", "I love tea."]),
        ('Tom wrote: "I live in Oslo. I love tea. I am a nurse." I prefer tea.', ["I prefer tea."]),
        ("小明说：“我住在上海。我喜欢喝茶。我是医生。”我住在北京。", ["我住在北京。"]),
        ("About me:\nI live in Oslo.\nI love tea.", ["I live in Oslo.", "I love tea."]),
        ('I own a 27" monitor. I love tea. I sold a 24" one.', ["I love tea."]),
    ],
)
def test_nothing_is_taken_from_a_text_that_is_pasted_or_quoted(text, taken):
    assert [memory["content"] for memory in extract(user(text))] == taken
