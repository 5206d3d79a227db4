"""Find numbers that identify a person or an account: identity numbers, bank cards, IBANs and phone numbers.

It leaves folding the text and choosing between overlapping spans to `sensitive`, and checksums to python-stdnum.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterator, Mapping

Span = tuple[str, int, int, bool]
"""Kind, start, end in characters, and whether a checksum held."""

TABLE = 200
"""Digits in one stretch from which on it counts as a table of numbers: only its whole groups are looked at."""


def spans(folded: str, lowered: str) -> Iterator[Span]:
    """Yield what identifies in a text whose width and digits are folded, and in its lower case of the same length."""
    yield from _labelled(lowered)
    if _SEVEN_DIGITS.search(folded):
        yield from _numbers(folded)
        yield from _ibans(folded)


def word_list(kinds: Mapping[str, str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return one pattern for all listed words, and the kind of each; an underscore in the lists is a space."""
    kind_of = {word.replace("_", " "): kind for kind, words in kinds.items() for word in words.split()}
    rests: dict[str, list[str]] = {}
    for word in sorted(kind_of, key=len, reverse=True):
        rests.setdefault(word[0], []).append(re.escape(word[1:]))
    # By their first letter: a list of whole words would be tried word by word at each place.
    return re.compile("|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in rests.items())), kind_of


def whole_words(pattern: re.Pattern[str], lowered: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a word list in lower-case text that do not begin inside an English word."""
    # Looked at afterwards: a pattern that opens with \b loses the fast search for its first letters, and is 4 x slower.
    for match in pattern.finditer(lowered):
        before = lowered[match.start() - 1] if match.start() else " "
        if not (before.isascii() and before.isalnum() and match[0].isascii()):
            yield match


_SEVEN_DIGITS = re.compile(r"\d(?:[ .()-]{0,3}\d){6}")
_PHONE = re.compile(
    r"(?<![\d.-])(?:\+?1[ .-]?)?\(?[2-9]\d\d\)?[ .-][2-9]\d\d[ .-]\d{4}(?![\d-])|(?<!\d)0\d{2,3}[ -]\d{7,8}(?!\d)"
)
# As programs print them; more figures than that after the point, or one before it, may be a card in a numbered list.
_DECIMAL = re.compile(r"(?<![\d.])(?:0\.\d{9,}|[1-9]\d{1,2}\.\d{9,15})(?!\.?\d)")
_STRETCH = re.compile(r"(?<![A-Za-z0-9_])(?<!\d\.)\+?\d+(?:[ .\-]{1,3}\d+)*(?:[ \-]?[Xx])?(?![A-Za-z0-9_])")
_GROUP = re.compile(r"\d+[Xx]?|[Xx]")
_IDENTITY = re.compile(r"(?=([1-9]\d{5}(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]))")
_CARD = re.compile(
    r"(?=(4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3[068]\d{12}"
    r"|35[2-8]\d{13}|6011\d{12}|65\d{14}))|(?=(62\d{17}))|(?=(62\d{14}))"
)
_MOBILE = re.compile(r"(?=((?:86)?1[3-9]\d{9}))")
_SOCIAL_SECURITY = re.compile(r"(?<![\d-])(?!000|666|9)\d{3}([- ])(?!00)\d\d\1(?!0000)\d{4}(?![\d-])")
_LABELS: Mapping[str, str] = {
    "identity number": "身份证 身分证 社保 护照 驾驶证 驾照 通行证 台胞证 居留证 军官证 passport social_security"
    " social_insurance national_insurance nino ssn national_id id_number id_card identity_card aadhaar aadhar pan_card"
    " pan_number dni nie nif curp cpf codice_fiscale tax_id tax_file nhs_number driver's_licen drivers_licen",
    "bank card": "银行卡 信用卡 卡号 银行账号 银行账户 银行帐号 银行帐户 credit_card debit_card bank_card card_number"
    " account_number",
    "account": "账号 帐号 账户 帐户",
    "security code": "cvv cvc 安全码 security_code",
    "phone": "电话 手机 我的号码 phone mobile cell my_number call_me_at call_me_on text_me_at text_me_on reach_me_at"
    " reach_me_on whatsapp",
}
_LABEL, _KIND_OF_LABEL = word_list(_LABELS)
# As in Britain, India, Italy and Mexico: what is mixed of letters and digits.
_FOREIGN = (
    r"[a-z]{2} ?\d\d ?\d\d ?\d\d ?[a-z]|[a-z]{5}\d{4}[a-z]|[a-z]{6}\d\d[a-z]\d\d[a-z]\d{3}[a-z]|[a-z]{4}\d{6}[a-z]{6}[a-z\d]\d"
)
_AFTER_LABEL = re.compile(
    r"(?:[cs]e)?(?:字号)?(?:\s{0,2}(?:号码?|number|no\.|#|card))?\s{0,2}(?:is now|is|改成了?|是|为|:|：|=)?\s{0,2}"
    rf"((?:[a-z]{{0,2}}|\+)\d(?:[ .-]{{0,2}}\d){{2,21}}(?:[ -]?[a-z]|\([\da]\))?|{_FOREIGN})(?![a-z0-9])"
)
_FEWEST = {"identity number": 6, "bank card": 8, "account": 14, "security code": 3, "phone": 7}
_DATE = re.compile(
    r"(?:19|20)\d\d([-. ]?)(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-. ](?:0?[1-9]|1[0-2])[-. ](?:19|20)\d\d"
)


def _numbers(folded: str) -> Iterator[Span]:
    """Yield identity numbers, bank cards and phone numbers that show by their own digits what they are."""
    for match in _PHONE.finditer(folded):
        yield "phone", *match.span(), False
    for match in _SOCIAL_SECURITY.finditer(folded):
        yield "identity number", *match.span(), False
    folded = _DECIMAL.sub(lambda decimal: "," * len(decimal[0]), folded)
    for stretch in _STRETCH.finditer(folded):
        if stretch.end() - stretch.start() < 9:
            continue
        groups = [group.span() for group in _GROUP.finditer(folded, *stretch.span())]
        if sum(end - start for start, end in groups) > TABLE:
            for start, end in groups:
                if 11 <= end - start <= 19:
                    yield from _in_digits(folded, [(start, end)], False)
        else:
            yield from _in_digits(folded, groups, stretch[0].startswith("+"))


def _in_digits(folded: str, groups: list[tuple[int, int]], international: bool) -> Iterator[Span]:
    """Yield what the digits of `groups` spell, beginning and ending where a group does."""
    digits = "".join(folded[start:end] for start, end in groups)
    places = [place for start, end in groups for place in range(start, end)]
    starts, ends = {start for start, _ in groups}, {end for _, end in groups}
    for kind, pattern, check in (
        ("identity number", _IDENTITY, _identity_check()),
        ("bank card", _CARD, _checksum("stdnum.luhn")),
        ("phone", _MOBILE, None),
    ):
        for match in pattern.finditer(digits) if len(digits) >= 11 else ():
            first, last = match.span(match.lastindex or 1)
            start, end = places[first], places[last - 1] + 1
            if start in starts and end in ends and (check is None or check(digits[first:last].upper())):
                yield kind, start, end, check is not None
    if international and 8 <= len(digits) <= 15:
        yield "phone", places[0] - 1, places[-1] + 1, False


def _labelled(lowered: str) -> Iterator[Span]:
    """Yield numbers that a word beside them names: an older identity card, a passport, a mistyped card; no date."""
    for label in whole_words(_LABEL, lowered):
        kind = _KIND_OF_LABEL[label[0]]
        match = _AFTER_LABEL.match(lowered, label.end())
        if match and sum(map(str.isalnum, match[1])) >= _FEWEST[kind] and not _DATE.fullmatch(match[1]):
            yield _FOUND_AS.get(kind, kind), *match.span(1), False


_FOUND_AS = {"account": "bank card", "security code": "bank card"}
_ENGLISH_DIGITS = "zero oh one two three four five six seven eight nine".split()
_SPOKEN_DIGIT: Mapping[str, str] = {
    **dict(zip("零〇一二三四五六七八九幺", "001234567891", strict=True)),
    **dict(zip(_ENGLISH_DIGITS, "00123456789", strict=True)),
}
_HAN_SPOKEN = re.compile("[零〇一二三四五六七八九幺]{11,19}")
_SPOKEN = re.compile(r"\b(?:(?:{0})[ ,-]{{1,2}}){{10,18}}(?:{0})\b".format("|".join(_ENGLISH_DIGITS)))
_SPOKEN_PART = re.compile("[a-z]+|[\u4e00-\u9fff〇]")


def spoken(lowered: str) -> Iterator[Span]:
    """Yield what identifies in digits that are written as words, one by one."""
    found = [] if lowered.isascii() else [*_HAN_SPOKEN.finditer(lowered)]
    # A first look: to count words costs a tenth of the search.
    if sum(map(lowered.count, _ENGLISH_DIGITS)) >= 11:
        found += _SPOKEN.finditer(lowered)
    for match in found:
        digits = "".join(_SPOKEN_DIGIT[part] for part in _SPOKEN_PART.findall(match[0]))
        for kind, _, _, verified in _in_digits(digits, [(0, len(digits))], False):
            yield kind, *match.span(), verified


@functools.cache
def _checksum(module: str) -> Callable[[str], bool] | None:
    """Return the check of one module of python-stdnum, or None where it is not installed."""
    try:
        check: Callable[[str], bool] = importlib.import_module(module).is_valid
    except ImportError:
        return None
    return check


def _identity_check() -> Callable[[str], bool] | None:
    # The checksum alone: stdnum.cn.ric also asks a list of counties, and a county founded later is no wrong number.
    return _checksum("stdnum.iso7064.mod_11_2")


_IBAN_LENGTH: Mapping[str, int] = {
    "AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "BR": 29, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18,
    "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GI": 23, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IL": 23,
    "IS": 26, "IT": 27, "KW": 30, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15,
    "PK": 24, "PL": 28, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "TR": 26,
    "UA": 29,
}  # fmt: skip
_IBAN = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{2})\d\d(?=[ -]?[A-Za-z0-9]{2})")


def _ibans(folded: str) -> Iterator[Span]:
    check = _checksum("stdnum.iso7064.mod_97_10")
    for head in _IBAN.finditer(folded):
        rest = _IBAN_LENGTH.get(head[1].upper(), 4) - 4
        whole = (
            re.compile(rf"(?:[ -]?[A-Za-z0-9]){{{rest}}}(?![A-Za-z0-9])").match(folded, head.end()) if rest else None
        )
        if whole is None:
            continue
        number = re.sub("[ -]", "", head[0] + whole[0]).upper()
        if check(number[4:] + number[:4]) if check else sum(map(str.isdigit, number)) >= 10:
            yield "iban", head.start(), whole.end(), check is not None
