"""Read the numbers of a text in one spelling, whether they stand in digits, in English words or in Chinese numerals.

It leaves what a number counts to the words around it, which `similar` compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_FIGURE = re.compile(r"(?<!\w)-?\d+(?:[.,:]\d+)*(?:[kmb万千百亿](?![a-z]))?|\d+")
_HAN_NUMBER = re.compile(
    "[零〇一二两三四五六七八九十百千万亿]+"
    "(?=[点号个只条杯次年月日天岁块元分秒小周星层楼人口本张台辆斤公米度倍道家位集页章场盘名])"
    "|(?<=[米块点])[零一二三四五六七八九]+|(?!千万|万一|一一)[零〇一二两三四五六七八九十百千万亿]{2,}"
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
_SPELLED_WORD = re.compile(r"\b(?:" + "|".join(SPELLED) + r")\b")
NUMBER_WORD = re.compile("[0-9]+(?:st|nd|rd|th|am|pm|k)?|[零〇一二两三四五六七八九十百千万亿]+|" + "|".join(SPELLED))
_HAN_DIGIT = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_UNIT = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}


def numbers(plain: str) -> Iterable[str]:
    """Yield the numbers in a text in one spelling: 1,000 and 1000, 7:00 and 7, three and 三 are the same.

    "one" and 一 are left out: more often than a number they are an article.
    """
    for figure in _FIGURE.findall(plain):
        yield re.sub(r"(?<=\d)(?:[:.]0+)$", "", figure.replace(",", "")).lstrip("0") or "0"
    for spelled in _SPELLED_WORD.findall(plain):
        if spelled != "one":
            yield SPELLED[spelled]
    for numeral in _HAN_NUMBER.findall(plain):
        if numeral != "一":
            yield str(_han_value(numeral))


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
