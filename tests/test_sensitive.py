"""What counts as sensitive, where it stands, and what only looks like it."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time

import pytest
import sensitive_lines as lines
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlite_memory import sensitive
from sqlite_memory.sensitive import CLASS_OF, Finding, find

REFUSED = {"secret", "identity", "card"}


@pytest.mark.parametrize("text", ["", " ", "\x00", "hello", "我喜欢爬山", "I moved to Lisbon in 2019"])
def test_a_text_without_anything_sensitive_has_no_findings(text: str) -> None:
    assert find(text) == ()


@pytest.mark.parametrize("line", lines.SENSITIVE, ids=lambda line: line.text[:40])
def test_every_line_with_something_sensitive_is_found(line: lines.Line) -> None:
    assert line.kind in {finding.kind for finding in find(line.text)}


@pytest.mark.parametrize("text", lines.HARMLESS)
def test_a_line_that_only_looks_sensitive_refuses_nothing(text: str) -> None:
    assert [finding for finding in find(text) if CLASS_OF[finding.kind] in REFUSED] == []


@pytest.mark.parametrize("text", lines.KNOWN_MISSES)
def test_what_the_patterns_cannot_see_is_written_down(text: str) -> None:
    assert [finding for finding in find(text) if CLASS_OF[finding.kind] in REFUSED] == []


def test_a_span_counts_characters_of_the_text_that_was_given() -> None:
    text = "号码\u200b：" + lines.full_width(lines.groups(lines.VISA)) + "！"
    (finding,) = find(text)
    assert (finding.kind, text[finding.start : finding.end]) == (
        "bank card",
        lines.full_width(lines.groups(lines.VISA)),
    )


def test_an_invisible_character_inside_a_number_is_part_of_the_span() -> None:
    text = "手机 139\u200b12345678"
    (finding,) = find(text)
    assert text[finding.start : finding.end] == "139\u200b12345678"


def test_a_card_is_found_between_other_numbers() -> None:
    text = f"2024 {lines.groups(lines.VISA)} 123"
    assert [text[f.start : f.end] for f in find(text)] == [lines.groups(lines.VISA)]


def test_the_password_alone_is_the_span() -> None:
    assert find("my password is hunter2!") == (Finding("password", 15, 23, False),)


def test_the_span_in_traditional_characters_is_that_of_the_text() -> None:
    text = "我的密碼\u200b：abc12345，謝謝"
    assert [text[f.start : f.end] for f in find(text)] == ["abc12345"]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("I was diagnosed with diabetes", ["diagnosed", "diabetes"]),
        ("My allergies are gone", ["allergies"]),
        ("我有糖尿病史", ["糖尿病"]),
        ("I earn 5000 euros a month", ["earn 5000 euros"]),
    ],
)
def test_the_span_of_a_subject_ends_with_its_word(text: str, spans: list[str]) -> None:
    assert [text[f.start : f.end] for f in find(text)] == spans


@pytest.mark.parametrize("text", ["I make 5 cakes a month", "她欠我一个人情", "I get up early", "收入不错", "get it done"])
def test_what_is_made_or_owed_without_a_sum_is_no_finance(text: str) -> None:
    assert find(text) == ()


def test_findings_come_in_order_and_do_not_overlap() -> None:
    text = f"手机13912345678，卡{lines.VISA}，邮箱ada@example.com"
    assert [finding.kind for finding in find(text)] == ["phone", "bank card", "email"]


def test_a_checksum_that_holds_is_verified() -> None:
    pytest.importorskip("stdnum")
    for number in (lines.VISA, lines.PERSON, lines.GERMAN, lines.UNION, lines.OTHER_PERSON):
        assert [finding.verified for finding in find(f"x {number} y")] == [True]


def test_a_number_with_a_wrong_checksum_is_not_found() -> None:
    pytest.importorskip("stdnum")
    for number in (lines.VISA, lines.PERSON[:-1] + "3", lines.GERMAN):
        wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
        assert [f for f in find(f"x {wrong} y") if CLASS_OF[f.kind] in REFUSED] == []


def test_a_number_with_a_wrong_checksum_is_found_where_a_word_names_it() -> None:
    wrong = lines.VISA[:-1] + str((int(lines.VISA[-1]) + 1) % 10)
    assert find(f"card number {wrong}") == (Finding("bank card", 12, 28, False),)


def test_without_stdnum_the_pattern_decides_and_says_so() -> None:
    program = (
        "import sys; sys.modules['stdnum'] = None\n"
        "from sqlite_memory.sensitive import find\n"
        f"print([(f.kind, f.verified) for n in {(lines.VISA, lines.PERSON, lines.GERMAN)!r} for f in find('x ' + n)])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[('bank card', False), ('identity number', False), ('iban', False)]"


def test_every_kind_has_a_class() -> None:
    assert set(CLASS_OF.values()) == {"secret", "identity", "card", "contact", "health", "finance"}
    assert {line.kind for line in lines.SENSITIVE} == set(CLASS_OF)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_any_text_is_legal_and_spans_stay_inside_it(text: str) -> None:
    findings = find(text)
    assert all(0 <= finding.start < finding.end <= len(text) for finding in findings)
    assert all(one.end <= other.start for one, other in itertools.pairwise(findings))


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("0123456789 -.Xx+()是：:密码keytoken=\u200b１"), max_size=120))
def test_text_of_digits_and_separators_never_raises(text: str) -> None:
    find(text)


HOSTILE = [
    *(
        "1",
        "4",
        "a",
        "Z",
        "é",
        "汉",
        "路",
        " ",
        "\n",
        "-",
        ".",
        "@",
        ":",
        "_",
        "\u200b",
        "１",
        "①",
        "ا",
        "😀",
        "我",
        "密",
    ),
    *("one ", "一", "make ", "earn ", "欠", "use a as ", "用a", "seed phrase is ", "able ", "pass:a", "id a", "密码 a1"),
    *("1 ", "1-", "1.", "4 ", "4111 ", "a@", "a.", "路1号", "password ", "密码是", "eyJ", "sk-", "GB29", "://a:"),
    "-----BEGIN PRIVATE " + "KEY-----",
]


@pytest.mark.parametrize("atom", HOSTILE)
def test_no_pattern_is_slow_on_a_hundred_thousand_characters(atom: str) -> None:
    text = (atom * 100_000)[:100_000]
    seconds = []
    for _ in range(3):
        start = time.process_time()
        find(text)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.2


def test_words_about_health_and_money_are_only_flagged() -> None:
    assert {CLASS_OF[finding.kind] for finding in find("糖尿病和房贷, my salary and my surgery")} == {
        "health",
        "finance",
    }
    assert sensitive.CLASS_OF["health"] not in REFUSED


@pytest.mark.parametrize("text", ["The similarity was 0.4532015112830366.", "The hut stands at 45.32015112830366, -120.4."])
def test_a_decimal_fraction_is_no_card(text):
    assert find(text) == ()


@pytest.mark.parametrize("text", ["1.4532015112830366 expires in May", "cards: 12.4532015112830366", "4532.0151.1283.0366"])
def test_a_card_in_a_list_or_with_dots_is_found(text):
    assert [finding.kind for finding in find(text)] == ["bank card"]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("My passwords are hunter2-Xk9 and another", "hunter2-Xk9"),
        ("Password -> hunter2", "hunter2"),
        ("my passphrase is correct horse battery staple", "correct horse battery staple"),
        ("the combination to the safe is 12-34-56", "12-34-56"),
        ("router login: admin:sunflower99", "sunflower99"),
        ("The login for the router is admin / sunflower99", "sunflower99"),
        ("2FA backup codes: ABCD-EFGH-1234", "ABCD-EFGH-1234"),
        ("PIN 4821", "4821"),
        ("client_secret = GOCSPX-abcdefghijklmnop", "GOCSPX-abcdefghijklmnop"),
        ("SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz012345", "SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz012345"),
        ("the hook: https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXX", "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXX"),
        ("AccountKey=abcDEF1234567890abcDEF1234567890", "abcDEF1234567890abcDEF1234567890"),
    ],
)
def test_a_secret_is_found_in_other_words_too(text, secret):
    assert secret in [text[finding.start : finding.end] for finding in find(text)]


@pytest.mark.parametrize(
    "text",
    [
        "My passwords are stored in a vault.", "My passwords are unsafe", "Our password is outdated.", "The passcode is broken",
        "my passphrase is too long for this form", "We use LDAP as the password backend.", "login: see page2", "PIN 4 of the chip",
        "The login is at /admin/page2", "The combination to try is red and blue.", "SG.com is a site", "backup codes are in the blue-green folder",
    ],
)
def test_a_text_about_secrets_holds_none(text):
    assert find(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        *("支付宝密码改成888888了", "密码是abc12345就行", "The new password will be Blue-Horse-9", "the router's password was hunter2-9"),
        *("DB_PASS=s3cr3t99", "Authorization: Basic YW5uOmh1bnRlcjI=", "unlock code 4821", "credentials: ann / Blue-Horse-9"),
    ],
)
def test_a_password_in_passing_is_found(text):
    assert {CLASS_OF[finding.kind] for finding in find(text)} == {"secret"}


@pytest.mark.parametrize(
    "text",
    [
        *("密码是SHA256加密的", "密码是API网关管理的", "密码是8位数字了", "密码改成中文了", "The password was changed.", "The password will be reset."),
        *("Basic income is a topic.", "My credentials: a degree and a licence", "the bypass=true flag"),
    ],
)
def test_a_remark_on_passwords_is_none(text):
    assert find(text) == ()
