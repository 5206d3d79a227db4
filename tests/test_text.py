"""The text pipeline: normalise, cut, and what counts as the same text."""

from __future__ import annotations

import random
import time
import unicodedata

import pytest
from conftest import python
from hypothesis import given
from hypothesis import strategies as st

from sqlite_memory.text import PIECE, Segmenter, clean, fingerprint, normalise, pieces, runs, weight

ANY_TEXT = st.text(alphabet=st.characters(), max_size=200)  # lone surrogates, NUL and all


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    return Segmenter()


def test_clean_leaves_ordinary_text_as_it_is():
    for text in ("", "plain", "用户偏好深色模式", "tab\tand\nline", "Café 😀", "\u200b"):
        assert clean(text) == text


def test_clean_replaces_nul_and_lone_surrogates_only():
    assert clean("a\x00b") == "a\ufffdb"
    assert clean("a\ud800b") == "a\ufffdb"
    assert clean("\udc00") == "\ufffd"
    assert clean("\ud83d\ude00") == "😀"


@given(ANY_TEXT)
def test_cleaned_text_is_utf_8_without_nul(text):
    cleaned = clean(text)
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert "\x00" not in cleaned


def test_normalise_leaves_lower_case_ascii_as_it_is():
    assert normalise("the deploy window, 18:00") == "the deploy window, 18:00"


@pytest.mark.parametrize(
    "given_text, expected",
    [
        ("ＡＢＣ１２３", "abc123"),
        ("ﾕｰｻﾞｰ", "ユーザー"),
        ("資料庫遷移", "资料库迁移"),
        ("STRASSE", normalise("straße")),
        (unicodedata.normalize("NFD", "Café"), "café"),
        ("Ca\u200bfé", "café"),
        (unicodedata.normalize("NFD", "배포"), "배포"),
        ("a\x07b", "a b"),
        ("a\x00b", "a b"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_normalise_gives_texts_that_look_alike_one_form(given_text, expected):
    assert normalise(given_text) == expected


@given(ANY_TEXT)
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


def test_a_format_character_between_a_letter_and_its_accent_makes_no_difference():
    assert normalise("Cafe\u200b\u0301") == normalise("Café")


def test_fingerprints_are_equal_for_texts_that_differ_in_form_only():
    forms = [
        "Café au lait",
        unicodedata.normalize("NFD", "Café au lait"),
        "Café  au lait\n",
        "Ca\u200bfé au lait",
        "CAFÉ AU LAIT",
        " Café\tau\u3000lait",
    ]
    assert len({fingerprint(form) for form in forms}) == 1


def test_fingerprints_differ_for_different_texts():
    texts = ["we use C", "we use C++", "we use C#", "GPT-4!", "GPT-4?", "12", "1 2", "深色模式", "深色 模式"]
    assert len({fingerprint(text) for text in texts}) == len(texts)


@given(ANY_TEXT)
def test_a_fingerprint_is_32_hex_digits_for_any_text(text):
    assert len(fingerprint(text)) == 32
    int(fingerprint(text), 16)


def test_scripts_are_always_split_from_each_other():
    assert [tuple(run) for run in runs("重跑gen-itgc后50条")] == [
        ("han", "重跑"),
        ("word", "gen-itgc"),
        ("han", "后"),
        ("word", "50"),
        ("han", "条"),
    ]
    assert [run.text for run in runs("開始ユーザー認証배포")] == ["開始", "ユーザー", "認証", "배포"]


def test_punctuation_and_emoji_are_no_runs():
    for text in ("", " ", "，。！？", "()", "😀", "...", "*", "\u3000", "___"):
        assert list(runs(normalise(text))) == []


@pytest.mark.parametrize(
    "compound, expected",
    [
        ("user_id", ["user", "id"]),
        ("192.168.0.1", ["192", "168", "0", "1"]),
        ("gpt-4", ["gpt", "4"]),
        ("plain", ["plain"]),
    ],
)
def test_pieces_of_a_compound_are_its_letters_and_digits(compound, expected):
    assert pieces(compound) == expected


def test_c_plus_plus_and_c_sharp_are_words_of_their_own(segmenter):
    plain, plus, sharp = (set(segmenter.segment(text).words.split()) for text in ("C", "C++", "C#"))
    assert plain == {"c"}
    assert plus > plain and sharp > plain
    assert plus != sharp


def test_weight_counts_a_chinese_character_double_and_no_outer_space():
    assert [weight(text) for text in ("", "  ", "abc", " abc\n", "雨", "下雨", "下 a")] == [0, 0, 3, 3, 2, 4, 4]


def test_ascii_is_cut_without_the_dictionary(segmenter):
    assert segmenter.segment("Deploy to pve-01 at 18:00").words == "deploy to pve 01 at 18 00"
    assert segmenter.segment("Deploy").characters == ""


def test_chinese_is_cut_into_words_and_characters(segmenter):
    words, characters = segmenter.segment("用户偏好深色模式")
    assert {"用户", "偏好", "模式"} <= set(words.split())
    assert characters == "用 户 偏 好 深 色 模 式"


def test_kana_and_hangul_are_whole_words_and_single_characters(segmenter):
    assert segmenter.segment("배포는 금요일") == ("배포는 금요일", "배 포 는 금 요 일")
    assert segmenter.segment("ﾕｰｻﾞｰ") == ("ユーザー", "ユ ー ザ ー")


def test_words_of_the_dictionary_stay_whole():
    assert "夜航船" in Segmenter(["夜航船"]).segment("项目代号是夜航船").words.split()


def test_a_dictionary_of_one_file_leaves_other_segmenters_alone(segmenter):
    before = segmenter.segment("项目代号是夜航船")
    assert Segmenter(["夜航船"]).segment("项目代号是夜航船") != before
    assert segmenter.segment("项目代号是夜航船") == before


def test_a_long_run_of_chinese_is_cut_in_bounded_pieces(segmenter):
    segmenter.cut("你好")
    run = "数据库连接池配置错误" * 2_000
    began = time.monotonic()
    words = segmenter.cut(run)
    assert time.monotonic() - began < 10
    assert max(map(len, words)) <= PIECE
    assert set("".join(words)) == set(run)


@given(
    st.text(
        alphabet=st.sampled_from("用户偏好深色模式重跑gen-itgc后的配置 ab1_-.+#배포ユー，。\u200b\u0301"), max_size=80
    )
)
def test_every_character_of_a_text_is_in_its_words(text):
    words, characters = Segmenter().segment(text)
    letters = {c for run in runs(normalise(text)) for c in run.text if c.isalnum()}
    assert letters <= set(words)
    assert set(characters.split()) == {c for run in runs(normalise(text)) if run.script != "word" for c in run.text}


@given(ANY_TEXT)
def test_any_text_is_cut_into_words_joined_by_single_spaces(text):
    for part in Segmenter().segment(text):
        assert part == " ".join(part.split(" "))
        assert "  " not in part and part.strip(" ") == part
        assert part.encode("utf-8").decode("utf-8") == part


def test_loading_the_dictionary_prints_nothing_even_when_the_host_program_logs_everything(tmp_path):
    script = """
        import logging, sys
        logging.basicConfig(stream=sys.stdout, level=logging.DEBUG)
        from sqlite_memory.text import Segmenter
        assert "模式" in Segmenter().cut("深色模式")
    """
    assert python(script, XDG_CACHE_HOME=str(tmp_path / "cache")) == ""


def test_a_dictionary_cache_that_others_can_write_is_not_believed(tmp_path):
    folder = tmp_path / "cache" / "sqlite-memory"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    script = "from sqlite_memory.text import Segmenter; assert '模式' in Segmenter().cut('深色模式')"
    assert python(script, XDG_CACHE_HOME=str(tmp_path / "cache")) == ""
    assert list(folder.iterdir()) == []


def test_the_host_programs_own_dictionary_is_left_alone_and_does_not_reach_ours():
    script = """
        import jieba
        from sqlite_memory.text import Segmenter
        before = Segmenter().cut("项目代号是夜航船")
        jieba.setLogLevel(60)
        jieba.add_word("夜航船")
        assert jieba.lcut("夜航船") == ["夜航船"]
        assert Segmenter().cut("项目代号是夜航船") == before
        Segmenter(["代号是"]).cut("项目代号是")
        assert "代号是" not in jieba.dt.FREQ
    """
    assert python(script, options=("-W", "ignore")) == ""


def test_the_fast_cutter_cuts_runs_of_chinese_as_jieba_does():
    pytest.importorskip("rjieba", reason="the extra `fast` is not installed")
    from sqlite_memory.text import _jieba_cutter, _rjieba_cutter

    fast, slow = Segmenter(), Segmenter()
    fast._cutter, slow._cutter = _rjieba_cutter(), _jieba_cutter(())
    chance = random.Random(1)
    characters = [chr(point) for point in range(0x4E00, 0x9FD6)] + list("々〇㐀㐁𠮷")
    common = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"
    found = 0
    for _ in range(3_000):
        run = "".join(chance.choice(common if chance.random() < 0.8 else characters) for _ in range(chance.randint(1, 30)))
        assert fast.cut(run) == slow.cut(run)
        found += 1
    assert found == 3_000


def test_a_file_with_words_of_its_own_is_left_to_jieba():
    own = Segmenter(("夜航船",))
    assert own.cut("项目代号是夜航船")[-1] == "夜航船"
    assert "rjieba" not in type(own._cutter).__module__ and own._cutter.__name__ == "lcut_for_search"
