"""Read the numbers of a text in one spelling, whether they stand in digits, in English words or in Chinese numerals.

It leaves what a number counts to the words around it, which `similar` compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

_FIGURE = re.compile(r"((?<![^\W_\u3400-\u9fff])-(?=\d))?(\d+(?:[.,:/^⁄]\d+)*)(?:([k万千百亿])(?![a-z]))?")
_BELOW_ZERO = re.compile(r"[−﹣]|(?:\bminus |零下|负)(?=[\d零一二两三四五六七八九十百])")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"\d*(?:\.\d{1,2}|\.\d{4,})?")
COUNTERS = "点号个只条杯次年月日天岁块元分秒小周星层楼人口本张台辆斤公米度倍道家位集页章场盘名"
_HAN_NUMBER = re.compile(
    r"(-?)(?<!\d)((?!百分之)(?:[零〇一二两三四五六七八九十百千万亿]+"
    f"(?=[{COUNTERS}])"
    "|(?<=[米块点])[零一二三四五六七八九]+|(?<=分之)[零一二三四五六七八九十百]+"
    "|(?!千万|万一|一一)[零〇一二两三四五六七八九十百千万亿]{2,}))"
)
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SPELLED = {word: str(value) for value, word in enumerate(_UNITS.split())}
SPELLED |= {word: str(10 * value) for value, word in enumerate(_TENS.split(), 2)}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
SPELLED |= {word: str(value) for value, word in enumerate(_ORDINALS.split(), 1)}
SPELLED |= {
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "dozen": "12",
    "once": "1",
    "twice": "2",
    "half": ".5",
}
_SPELLED_WORD = "(?:" + "|".join(sorted(SPELLED, key=len, reverse=True)) + ")"
_SPELLED_RUN = re.compile(rf"\b{_SPELLED_WORD}(?:(?:[ -]| and ){_SPELLED_WORD})*\b")
NUMBER_WORD = re.compile("[0-9]+(?:st|nd|rd|th|am|pm|k)?|[零〇一二两三四五六七八九十百千万亿]+|" + "|".join(SPELLED))
_HAN_DIGIT = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SCALES = (100, 1000, 1_000_000)
_HAN_UNIT = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}


def numbers(plain: str) -> Iterable[str]:
    """Yield the numbers in a text in one spelling: 1,000 and 1000, 7:00 and 7, three and 三, 5万 and 50000 are the same.

    "one" and 一 alone are left out: more often than a number they are an article. What can be read in two ways (1.000)
    is left as it is.
    """
    plain = _BELOW_ZERO.sub("-", plain)
    for minus, figure, unit in _FIGURE.findall(plain):
        yield minus + _value(figure, unit)
    for spelled in _SPELLED_RUN.findall(plain):
        if spelled != "one":
            yield from _spelled_values(re.split(r"[ -](?:and )?", spelled))
    if plain.isascii():
        return
    for minus, numeral in _HAN_NUMBER.findall(plain):
        if numeral != "一":
            yield minus + str(_han_value(numeral))


def _value(figure: str, unit: str) -> str:
    if _THOUSANDS.fullmatch(figure):
        figure = figure.replace(",", "")
    elif re.fullmatch(r"\d+,\d{1,2}", figure):
        figure = figure.replace(",", ".")
    figure = re.sub(r"(?<=\d)(?:\.00?|:00)$", "", figure).lstrip("0") or "0"  # 2.10 may be a version: not 2.1
    if unit and len(figure) < 20 and _DECIMAL.fullmatch(figure):
        value = f"{Decimal(figure) * (1000 if unit == 'k' else _HAN_UNIT[unit]):f}"
        return value.rstrip("0").rstrip(".") if "." in value else value
    return figure + unit


def _spelled_values(spelled: list[str]) -> Iterator[str]:
    """Yield what number words say: a hundred and one is one number, "two three" are two."""
    total = section = Decimal(0)
    last = Decimal(-1)
    for word in spelled:
        value = Decimal(SPELLED[word])
        if value in _SCALES:
            section = max(section, Decimal(1)) * value
            if value > 100:
                total, section = total + section, Decimal(0)
        else:
            if last >= 0 and last not in _SCALES and not (last >= 20 and 0 < value < 10):
                yield str(total + section)
                total = section = Decimal(0)
            section += value
        last = value
    yield str(total + section)


def _han_value(numeral: str) -> int:
    total = section = digit = 0
    for character in numeral[:20]:
        unit = _HAN_UNIT.get(character)
        if unit is None:
            digit = digit * 10 + _HAN_DIGIT[character]
        elif unit >= 10_000:
            total, section, digit = (total + section + digit) * unit, 0, 0
        else:
            section, digit = section + (digit or 1) * unit, 0
    return total + section + digit
