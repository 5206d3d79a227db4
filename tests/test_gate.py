"""What the gate lets in, what it takes as said before, what it refuses and why."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import gate_pairs
import pytest
import sensitive_lines as lines
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlite_memory import gate
from sqlite_memory.gate import DEFAULTS, Near, Verdict, is_noise, is_unwanted

NO_RULES = dict.fromkeys(DEFAULTS, 0.0)


def judge(content: str, *near: Near, importance: float = 5.0, **policy: float) -> Verdict:
    return gate.judge(content, importance=importance, min_importance=2.0, policy=policy, near=near)


# ---------------------------------------------------------------------------------------------------- admitted as it is


@pytest.mark.parametrize(
    "content", ["我住在杭州", "I live in Lisbon", "Ann is 7", "喝茶", "C++", " tea at five\n", "123456"]
)
def test_an_ordinary_text_is_admitted_as_it_is(content: str) -> None:
    assert judge(content, **({"min_length": 0} if content == "C++" else {})) == Verdict("admit", "", None, (), content)


def test_a_memory_of_another_subject_is_no_collision() -> None:
    assert judge("我住在杭州", Near(7, "我喜欢爬山")) == Verdict("admit", "", None, (), "我住在杭州")


# ---------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "blank"),
        (" \n\u3000", "blank"),
        ("abc", "too short"),
        ("茶", "too short"),
        ("x" * 8001, "too long"),
        ("好的", "noise"),
        ("off the record: I resigned", "the user asked not to remember"),
        (f"my card is {lines.VISA}", "sensitive: bank card"),
        (f"身份证{lines.PERSON}", "sensitive: identity number"),
        ("my password is hunter2", "sensitive: password"),
    ],
)
def test_a_refusal_says_why(content: str, reason: str) -> None:
    verdict = judge(content)
    assert (verdict.decision, verdict.reason, verdict.content) == ("refuse", reason, content)


def test_importance_below_the_floor_is_refused() -> None:
    assert judge("I live in Lisbon", importance=1.9).reason == "below the importance floor"
    assert judge("I live in Lisbon", importance=2.0).decision == "admit"
    assert judge("I live in Lisbon", importance=float("nan")).decision == "refuse"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "好的",
            "嗯嗯",
            "哈哈",
            "哈哈哈哈哈哈哈哈哈哈",
            "收到，谢谢",
            "哦哦好的明白了",
            "知道了~",
            "你好呀！",
            "好的好的，辛苦了",
            "真不错👍",
        ),
        *(
            "ok thanks",
            "OK, THANKS!!",
            "hello there",
            "got it, thank you!",
            "hmmmm okkkk",
            "Sounds good, see you later :)",
        ),
        *("👍👍👍👍", "?!?!?!", "……", "ｏｋ　ｔｈａｎｋｓ", "hahahaha yes", "thank you so much!", "謝謝"),
    ],
)
def test_acknowledgements_greetings_and_fillers_are_noise(text: str) -> None:
    assert is_noise(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "好的，我叫小明",
            "谢谢你的茶叶",
            "你好，我是新来的",
            "哈密瓜",
            "好奇心",
            "对虾过敏",
            "了不起的盖茨比",
            "早上跑步",
        ),
        *(
            "ok 42",
            "Thanks, Tom",
            "no thanks, I use vim",
            "hello from Oslo",
            "hi, my name is Al",
            "good dog food",
            "C++",
            "7",
        ),
        "嗯" * 500 + "我搬家了",
        "haha " * 500 + "I moved",
    ],
)
def test_a_text_with_one_word_more_is_no_noise(text: str) -> None:
    assert not is_noise(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "别记住这个",
            "這個別記",
            "不用记",
            "不用记了。",
            "这次不往心里去",
            "请不要记录这段话",
            "以下内容不用保存",
            "就当我没说",
            "这话别记下来",
        ),
        *(
            "off the record",
            "Don't remember this.",
            "please don’t save this",
            "do not store that, ok?",
            "just between us, I quit",
        ),
        *(
            "this is off-the-record",
            "You don't need to remember this",
            "forget I said that",
            "But don't write this down",
        ),
        *(
            "这个不用记：我明天请假",
            "不用记：我住在罗马",
            "不要保存这条：我女儿叫小美",
            "不要储存这个",
            "请忽略我刚才说的住址",
            "請勿記錄以下內容：我的住址",
            "别记：我住在罗马",
            "別記：我住在羅馬",
            "忘掉我刚才说的",
            "请忘了刚才的话",
        ),
        *(
            "Don't store that I moved to Rome",
            "Please don't keep a record of this.",
            "I would rather you did not keep a note of this: I quit",
            "Please do not remember that I moved to Rome",
            "No need to remember, I live in Rome now",
            "No need to remember.",
            "don't remember: I live in Rome",
            "Hey, don't save that we met",
            "forget what I just said",
        ),
    ],
)
def test_a_request_not_to_remember_is_heard(text: str) -> None:
    assert is_unwanted(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "我不记得了",
            "别记错了",
            "不用记账",
            "不要忘记我的生日",
            "不要记录用户密码",
            "学英语不用记这么多单词",
            "应当没听过这首歌",
            "there is a lot of love between us",
            "我不用记住密码",
            "他叫我别记住它",
            "我没往心里去",
            "记住我住在杭州",
            "我不记得",
            "别忘了记：买牛奶",
            "别忘了刚才说的",
            "我忘了刚才说的话",
            "我不用记：我有手机",
        ),
        *(
            "I don't remember where I put it",
            "I do not remember Rome",
            "I was drunk and don't remember that I called you",
            "Don't remember, sorry.",
            "There is no need to remember passwords",
            "We don't need to remember, the app does it",
            "don't save: the button is broken",
        ),
        *(
            "I don't remember this",
            "we don't save this file",
            "don't save this file twice",
            "never store passwords in plain text",
        ),
        *(
            "the difference between us and them",
            "forget-me-nots are blue",
            "please remember this",
            "My record is 3 hours",
        ),
    ],
)
def test_talk_about_remembering_is_no_request(text: str) -> None:
    assert not is_unwanted(text)


# ---------------------------------------------------------------------------------------------------- sensitive


def test_flagged_classes_are_admitted_and_named_in_order() -> None:
    verdict = judge("我有糖尿病，电话13912345678，年薪30万")
    assert (verdict.decision, verdict.flags) == ("admit", ("contact", "finance", "health"))
    assert verdict.content == "我有糖尿病，电话13912345678，年薪30万"


def test_a_masked_class_is_replaced_by_its_kind() -> None:
    verdict = judge("手机13912345678，邮箱ada@example.com，我住杭州", sensitive_contact=2)
    assert verdict == Verdict("admit", "", None, ("contact",), "手机[phone]，邮箱[email]，我住杭州")


def test_a_mask_covers_the_whole_password() -> None:
    assert judge("my password is hunter2! ok", sensitive_secret=2).content == "my password is [password] ok"


def test_an_allowed_class_is_not_even_flagged() -> None:
    assert judge("call me at (415) 555-0123", sensitive_contact=0).flags == ()


def test_a_refused_text_still_names_what_was_found() -> None:
    assert judge(f"card {lines.VISA}, phone 13912345678").flags == ("card", "contact")


def test_a_masked_text_meets_the_masked_memory_as_its_duplicate() -> None:
    near = Near(3, "my phone is [phone]")
    assert judge("my phone is 13912345678", near, sensitive_contact=2).reason == "exact duplicate"


# ---------------------------------------------------------------------------------------------------- collisions


@pytest.mark.parametrize(
    ("old", "new", "decision", "reason"),
    [
        ("我喜欢简洁的回答", "回答简洁点", "reinforce", "near duplicate"),
        ("I like tea", "I  LIKE tea", "reinforce", "exact duplicate"),
        ("会议在三点", "会议在四点", "admit", "possible contradiction"),
        ("I eat pork", "I don't eat pork", "admit", "possible contradiction"),
        ("The demo is in March", "The demo is in May", "admit", "possible contradiction"),
        ("My fee is $50 a day", "My fee is €50 a day", "admit", "near duplicate"),
        ("Dinner is at 7pm", "Dinner is at 7am", "admit", "possible contradiction"),
        ("I bought tea, rice and soap", "I bought tea, rice and milk", "admit", "near duplicate"),
        ("Tom taught Anna to ski", "Anna taught Tom to ski", "admit", ""),
        ("I like C++ books", "I like C# books", "admit", ""),
        ("お茶が好きです", "我喜欢喝茶", "admit", ""),
        ("кот", "cat", "admit", ""),
        ("\u0441\u0430\u0442s are nice pets", "cats are nice pets", "admit", ""),
        ("ａｌｗａｙｓ　ｂｒｉｎｇ　ｔｅａ", "always bring tea", "reinforce", "exact duplicate"),
        ("I don't like tea but I like coffee", "I like tea but I don't like coffee", "admit", "possible contradiction"),
        ("I smoked", "I smoke", "admit", ""),
        ("我抽过烟", "我抽烟", "admit", "near duplicate"),
    ],
)
def test_a_collision_is_named_with_its_memory(old: str, new: str, decision: str, reason: str) -> None:
    verdict = judge(new, Near(9, old), min_length=1)
    assert (verdict.decision, verdict.reason) == (decision, reason)
    assert verdict.collides_with == (9 if reason else None)


def test_the_same_text_is_new_where_exact_duplicates_are_let_in() -> None:
    verdict = judge("I like tea", Near(9, "I like tea"), reinforce_exact=0)
    assert (verdict.decision, verdict.reason, verdict.collides_with) == ("admit", "near duplicate", 9)


def test_an_exact_duplicate_is_believed() -> None:
    assert judge("我搬到苏州了", Near(4, "…", exact=True)) == Verdict(
        "reinforce", "exact duplicate", 4, (), "我搬到苏州了"
    )


def test_a_repeat_of_the_newer_row_wins_over_the_contradiction_of_the_older() -> None:
    verdict = judge("the meeting is at 6", Near(1, "the meeting is at 5"), Near(2, "meeting at 6"))
    assert (verdict.reason, verdict.collides_with) == ("near duplicate", 2)


def test_a_detail_that_the_old_memory_lacks_is_never_merged_away() -> None:
    old = "Every weekday I take the early train from the old harbour station to the office"
    verdict = judge(old + " with Rosa", Near(1, old))
    assert (verdict.decision, verdict.reason) == ("admit", "near duplicate")


def test_long_texts_that_differ_at_their_end_are_never_merged() -> None:
    body = "the garden has an old pear tree and a wall. " * 60
    assert judge(body + "It is sold.", Near(1, body + "It is ours."), report_near=0).decision == "admit"


def _wrong_and_found(pairs: tuple[gate_pairs.Pair, ...]) -> tuple[int, int, int]:
    """Return how many pairs were reinforced, how many of these rightly, and how many were to be."""
    reinforced = [pair for pair in pairs if judge(pair.new, Near(1, pair.old)).decision == "reinforce"]
    return len(reinforced), sum(p.label == "same" for p in reinforced), sum(p.label == "same" for p in pairs)


@pytest.mark.parametrize("pairs", [gate_pairs.TUNED, gate_pairs.HELD_OUT, gate_pairs.SHORT])
def test_of_what_is_reinforced_at_least_95_percent_says_the_same(pairs: tuple[gate_pairs.Pair, ...]) -> None:
    reinforced, right, same = _wrong_and_found(pairs)
    assert right / reinforced >= 0.95
    assert right / same >= 0.6  # what comes in another order is told apart, not merged: losing a fact is worse


@pytest.mark.parametrize("pair", gate_pairs.SHORT + gate_pairs.BLIND)
def test_a_text_with_another_number_sign_person_or_qualifier_is_never_merged(pair: gate_pairs.Pair) -> None:
    if pair.label != "same":
        assert judge(pair.new, Near(1, pair.old)).decision == "admit"
        assert judge(pair.old, Near(1, pair.new)).decision == "admit"


@pytest.mark.parametrize("pairs", [gate_pairs.TUNED, gate_pairs.HELD_OUT, gate_pairs.SHORT, gate_pairs.BLIND])
def test_a_pair_with_another_number_date_or_negation_is_reported(pairs: tuple[gate_pairs.Pair, ...]) -> None:
    against = [pair for pair in pairs if pair.label == "against"]
    verdicts = [judge(pair.new, Near(1, pair.old)) for pair in against]
    assert sum(v.reason == "possible contradiction" for v in verdicts) / len(against) >= 0.9
    assert all(verdict.decision == "admit" for verdict in verdicts)


# ---------------------------------------------------------------------------------------------------- policy


@pytest.mark.parametrize(
    ("row", "content", "near"),
    [
        ("min_length", "茶", ()),
        ("max_length", "tea " * 3000, ()),
        ("refuse_noise", "好的", ()),
        ("refuse_unwanted", "off the record: I resigned", ()),
        ("reinforce_exact", "I like tea", (Near(1, "I like tea", exact=True),)),
        ("reinforce_near", "回答简洁点", (Near(1, "我喜欢简洁的回答"),)),
        ("report_near", "我妹妹的男朋友在上海读大学", (Near(1, "我妹妹在上海读大学"),)),
        ("report_contradiction", "会议在四点", (Near(1, "会议在三点"),)),
        ("sensitive_secret", "my password is hunter2", ()),
        ("sensitive_identity", f"身份证{lines.PERSON}", ()),
        ("sensitive_card", f"card {lines.VISA}", ()),
        ("sensitive_contact", "mail ada@example.com", ()),
        ("sensitive_health", "我有糖尿病", ()),
        ("sensitive_finance", "我的年薪", ()),
    ],
)
def test_every_rule_has_a_row_that_switches_it_off(row: str, content: str, near: tuple[Near, ...]) -> None:
    plain = Verdict("admit", "", None, (), content)
    alone = {**NO_RULES, row: DEFAULTS[row]}
    assert judge(content, *near, **alone) != plain
    assert judge(content, *near, **NO_RULES) == plain


def test_the_importance_floor_has_a_row_that_switches_it_off() -> None:
    assert judge("I like tea", importance=0.0, refuse_unimportant=0).decision == "admit"


def test_the_defaults_are_the_rows_of_the_policy_table() -> None:
    schema = Path(__file__).parents[1] / "sqlite_memory" / "schema.sql"
    if not schema.exists():
        pytest.skip("the schema is not beside this package")
    rows = dict(re.findall(r"^\s*\('(\w+)',\s*([\d.]+),", schema.read_text(encoding="utf-8"), re.M))
    assert {name: float(rows[name]) for name in DEFAULTS if name in rows} == dict(DEFAULTS)


# ---------------------------------------------------------------------------------------- any text, any size


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(), max_size=120), st.text(st.characters(), max_size=120))
def test_any_text_is_legal_beside_any_memory(content: str, old: str) -> None:
    verdict = judge(content, Near(1, old))
    assert verdict.decision in ("admit", "reinforce", "refuse")
    assert verdict.collides_with in (1, None)
    assert verdict.content == content
    assert (verdict.decision == "reinforce") <= (verdict.collides_with == 1)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(), min_size=1, max_size=120))
def test_a_text_beside_itself_is_an_exact_duplicate_or_refused(content: str) -> None:
    assert judge(content, Near(1, content)).decision != "admit"


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("好的嗯哈我不没三点八 oktha1.,"), max_size=60))
def test_near_noise_never_raises(content: str) -> None:
    judge(content, Near(1, "我不是三点来的 ok"))


HOSTILE = [
    "1",
    "a",
    "Z",
    "é",
    "汉",
    "嗯",
    "不",
    "我",
    "哈",
    " ",
    "\n",
    "-",
    ".",
    ",",
    "'",
    "\u200b",
    "１",
    "😀",
    "don't ",
    "不要记",
    "ok ",
]


@pytest.mark.parametrize("atom", HOSTILE)
def test_no_rule_is_slow_on_a_hundred_thousand_characters(atom: str) -> None:
    text = (atom * 100_000)[:99_999] + "x"
    seconds = []
    for _ in range(3):
        start = time.process_time()
        judge(text, max_length=0)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.2


def test_ascii_and_chinese_without_near_never_load_jieba() -> None:
    program = (
        "import sys\nfrom sqlite_memory.gate import Near, judge\n"
        "for text, near in (('我住在杭州西湖边', ()), ('I like tea', (Near(1, 'I like green tea'),))):\n"
        "    judge(text, importance=5, min_importance=2, policy={}, near=near)\n"
        "assert 'jieba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("8:00 pill A, 20:00 pill B", "8:00 pill B, 20:00 pill A"),
        ("Use npm not pnpm", "Use pnpm not npm"),
        ("tea in the morning, coffee in the evening", "coffee in the morning, tea in the evening"),
        ("早上喝茶晚上喝咖啡", "早上喝咖啡晚上喝茶"),
        ("用空格不用制表符", "用制表符不用空格"),
        ("The dog bit the man", "The man bit the dog"),
    ],
)
def test_the_same_words_in_another_order_are_not_merged(old, new):
    verdict = gate.judge(new, importance=5, min_importance=2, policy={}, near=[gate.Near(1, old)])
    assert verdict.decision == "admit"


@pytest.mark.parametrize(
    "text",
    [
        *("Ann told me to forget what I said about Tom.", "The off-the-record player is a pun of the shop.", "I'd rather you didn't keep the door open."),
        *("当我没说话的时候他们以为我生气了。", "不必记住所有命令，用帮助就行。", "照片不要存到记忆卡里。"),
    ],
)
def test_a_sentence_about_remembering_is_no_request(text):
    assert judge(text).reason == ""


@pytest.mark.parametrize(
    "text",
    [
        *("I want you to forget what I said about Tom.", "I'd rather you didn't keep that.", "I'd rather you didn't record.", "I'd rather you didn't remember my age."),
        *("就当我没说过，好吗", "刚才的话当我没说。", "不必记住我的生日。", "不要存到记忆里：我的年龄"),
    ],
)
def test_a_request_to_forget_is_one_in_other_words(text):
    assert judge(text).reason == "the user asked not to remember"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The team uses Jira.", "The team used Jira."),
        ("The user takes vitamins.", "The user should take vitamins."),
        ("Encrypt, then compress.", "Compress, then encrypt."),
        ("我是他的老师。", "他是我的老师。"),
        ("我买了特斯拉。", "我要买特斯拉。"),
        ("我少喝酒。", "我应该少喝酒。"),
    ],
)
def test_what_was_ought_to_be_or_goes_the_other_way_is_not_merged(one, other):
    assert judge(one, Near(7, other)).decision == judge(other, Near(7, one)).decision == "admit"
