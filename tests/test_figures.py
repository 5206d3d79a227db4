"""One spelling for a number, and two numbers never one."""

from __future__ import annotations

import pytest

from sqlite_memory.figures import numbers
from sqlite_memory.text import comparable, fingerprint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no number at all", []),
        ("one or another", []),
        ("twenty-one students", ["21"]),
        ("twenty students", ["20"]),
        ("one hundred and one seats", ["101"]),
        ("two million three hundred thousand and five", ["2300005"]),
        ("one two three", ["1", "2", "3"]),
        ("温度是-5度", ["-5"]),
        ("零下二十度", ["-20"]),
        ("minus 5", ["-5"]),
        ("room-5", ["5"]),
        ("2026-05-03", ["2026", "5", "3"]),
        ("1,5 mg", ["1.5"]),
        ("1.000 euros", ["1.000"]),
        ("1,000.50 euros", ["1000.50"]),
        ("7:00", ["7"]),
        ("2.0", ["2"]),
        ("v2.10", ["2.10"]),
        ("0.5", [".5"]),
        ("0.5万", ["5000"]),
        ("007", ["7"]),
        ("0", ["0"]),
        ("7:30", ["7:30"]),
        ("5万元", ["50000"]),
        ("五万元", ["50000"]),
        ("1.5万", ["15000"]),
        ("1.23456万", ["12345.6"]),
        ("5k", ["5000"]),
        ("百分之三", ["3"]),
        ("9" * 40, ["9" * 40]),
    ],
)
def test_a_number_has_one_spelling(text, expected):
    assert list(numbers(text)) == expected


@pytest.mark.parametrize(
    ("one", "other"), [("10⁶ rows", "106 rows"), ("1½ litres", "11⁄2 litres"), ("① ②", "1 2"), ("x₁0", "x10")]
)
def test_raised_and_broken_figures_stand_apart(one, other):
    assert comparable(one) != comparable(other)
    assert fingerprint(one) != fingerprint(other)


def test_a_form_without_raised_figures_keeps_its_fingerprint():
    assert fingerprint("ＡＢＣ　１２") == fingerprint("abc 12") == fingerprint("ABC  12")
