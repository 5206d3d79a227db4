"""Which sentences stand for a conversation when no model is asked."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from conftest import python

from sqlite_memory.condense import condense
from sqlite_memory.memory import Memory
from sqlite_memory.text import Segmenter


def turns(*contents: str) -> list[Memory]:
    day = "2026-01-01T00:00:00.000Z"
    return [
        Memory(number, "", "default", "default", "s", "episode", None, content, {}, 3.0, 0, None, day, day, day, None,
               None, 1, False)
        for number, content in enumerate(contents, 1)
    ]


def condensed(*contents: str, share: float = 0.4, longest: int = 2000) -> str:
    return condense(turns(*contents), Segmenter(), share=share, longest=longest)


def test_nothing_is_condensed_to_nothing():
    assert condensed() == condensed("\u200e") == ""


def test_what_tells_something_is_kept_and_small_talk_goes():
    assert condensed(
        "Ann: Hey there! How are you? It was so nice of you.",
        "Ben: I adopted a beagle puppy from the shelter in Bergen. That is so very nice, is it not?",
        "Ann: Oh wow. That is really nice!",
    ) == "Ben: I adopted a beagle puppy from the shelter in Bergen."


def test_chinese_conversations_are_condensed_in_chinese():
    assert condensed(
        "小明：你好呀！最近怎么样？",
        "小红：我上周在杭州领养了一只橘猫，准备给它取名叫团团。真的很好。",
        "小明：哈哈，那太好了。",
        share=0.6,
    ) == "小红：我上周在杭州领养了一只橘猫，准备给它取名叫团团。"


def test_sentences_stand_in_the_order_of_the_conversation_with_their_speaker():
    text = condensed("Ann: Paris in March. Then Lyon by train.", "Ben: Rome was cheaper.", share=1.0)
    assert text == "Ann: Paris in March. Then Lyon by train.\nBen: Rome was cheaper."


def test_what_was_said_before_is_not_said_again():
    told = "The deploy window moved to Friday evening."
    assert condensed(told, told, told, share=1.0) == told


@pytest.mark.parametrize("longest", [10, 100, 1000])
def test_the_summary_is_never_longer_than_allowed(longest):
    text = condensed(*(f"Ann: note {number} is about topic {number * 7}." for number in range(200)), longest=longest)
    assert 0 < len(text) <= longest


def test_a_short_conversation_keeps_more_than_its_share():
    said = turns("Ann: Paris in March. Then Lyon by train.", "Ben: Rome was cheaper.")
    assert condense(said, Segmenter(), share=0.1, shortest=0, longest=99) == "Ann: Paris in March."
    assert condense(said, Segmenter(), share=0.1, shortest=99, longest=99) == "\n".join(m.content for m in said)


def test_a_single_long_sentence_is_cut():
    assert condensed("word " * 100, longest=50) == ("word " * 10).strip() + "…"


def test_a_very_long_conversation_is_told_from_its_start_to_its_end_and_in_bounded_time():
    contents = [f"Ann: step {number} went through gate{number} at dock{number}." for number in range(3000)]
    started = time.perf_counter()
    text = condensed(*contents, share=0.2, longest=8000)
    assert time.perf_counter() - started < 20
    told = [int(line.split()[2]) for line in text.splitlines()]
    assert told == sorted(told) and told[0] < 300 and told[-1] > 2700


def test_the_same_conversation_is_always_condensed_to_the_same():
    script = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from test_condense import condensed
        met = [f"Ann: {a} meets {b} near {c}." for a in ("Eve", "Kim") for b in "xyz" for c in ("sea", "zoo")]
        print(condensed(*met))
    """
    assert len({python(script, Path(__file__).parent, PYTHONHASHSEED=seed) for seed in "123"}) == 1
