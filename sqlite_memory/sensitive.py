"""Find secrets, identifying numbers and private subjects in a text, and say where they stand.

It leaves to the gate what happens to a text that holds one, and to the optional python-stdnum whether a checksum holds.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from . import identifiers
from .vocabulary import words

CLASS_OF: Mapping[str, str] = {
    "private key": "secret",
    "api key": "secret",
    "password": "secret",
    "identity number": "identity",
    "bank card": "card",
    "iban": "card",
    "email": "contact",
    "phone": "contact",
    "address": "contact",
    "health": "health",
    "finance": "finance",
}
"""The class of each kind of finding, in the order that wins where two overlap; policy rows name classes."""
_PLACE = {kind: place for place, kind in enumerate(CLASS_OF)}


@dataclass(frozen=True, slots=True)
class Finding:
    """One sensitive stretch: its kind, and `text[start:end]` in characters of the text that was given.

    `verified` is True when a checksum held; False when the kind has none, or python-stdnum is not installed.
    """

    kind: str
    start: int
    end: int
    verified: bool = False


_DIGIT = re.compile("[0-9]")


def find(text: str) -> tuple[Finding, ...]:
    """Return what is sensitive in `text`, in the order of the text and without overlaps; any text is legal.

    Width, case, invisible characters, and spaces, dots or dashes inside a number hide nothing.
    """
    folded, positions = _fold(text)
    lowered = folded.lower()
    found = [*_secrets(folded, lowered), *_subjects(lowered)]
    if _DIGIT.search(folded):
        found += [*(Finding(*span) for span in identifiers.spans(folded, lowered)), *_addresses(lowered)]
    if "@" in folded:
        found += [Finding("email", *match.span()) for match in _EMAIL.finditer(folded)]
    chosen = _without_overlaps(found)
    if positions is None:
        return chosen
    return tuple(Finding(f.kind, positions[f.start], positions[f.end - 1] + 1, f.verified) for f in chosen)


# ---------------------------------------------------------------------------------------------------- one form

_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"


class _OneForOne(dict[int, str]):
    """A table for str.translate that folds width and digits, and never changes the length of the text."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        folded = unicodedata.normalize("NFKC", character)
        digit = unicodedata.digit(character, None)
        if digit is not None:
            folded = str(digit)
        self[code] = folded if len(folded) == 1 else character
        return self[code]


# İ is the one character whose lower case is longer than itself.
_SAME_LENGTH = _OneForOne({ord(dash): "-" for dash in _DASHES} | {0x130: "I"})


def _fold(text: str) -> tuple[str, list[int] | None]:
    """Return the compared form and, where invisible characters were dropped, the place of each character in `text`."""
    if text.isascii():
        return text, None
    if not _INVISIBLE.search(text):
        return text.translate(_SAME_LENGTH), None
    positions = [place for place, character in enumerate(text) if not _INVISIBLE.match(character)]
    return _INVISIBLE.sub("", text).translate(_SAME_LENGTH), positions


def _without_overlaps(found: list[Finding]) -> tuple[Finding, ...]:
    """Return the findings in order; of two that overlap the more serious, verified, longer one stays."""
    kept: list[Finding] = []
    for finding in sorted(found, key=lambda f: (f.start, _PLACE[f.kind], not f.verified, -f.end)):
        if not kept or finding.start >= kept[-1].end:
            kept.append(finding)
        elif _PLACE[finding.kind] < _PLACE[kept[-1].kind]:
            kept[-1] = finding
    return tuple(kept)


# ---------------------------------------------------------------------------------------------------- secrets

_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[\w-]{16,}|[rs]k_(?:live|test)_\w{16,}|gh[opsru]_[A-Za-z0-9]{20,}|github_pat_\w{20,}"
    r"|glpat-[\w-]{16,}|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|xox[abeoprs]-[\w-]{10,}|AIza[\w-]{30,}"
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{4,})?)"
)
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY-----")
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/:@]{0,64}:([^\s/:@]{3,64})@")
# The three patterns after this one need one of its words, and cost six times as much.
_NAMED_SECRET = re.compile("key|token|secret|bearer|pass|pwd|pin|code|otp|令牌|密钥|密码|口令|验证码|动态码")
_NAMED_KEY = re.compile(
    r"(?:api[ _-]?key|access[ _-]?key|secret(?:[ _-]?key)?|token|bearer|\bkey|令牌|密钥)"
    r"[\"']?(?:\s{0,3}(?:\bis\b|[:=是为])\s{0,3}|\s{1,3})[\"'`“「]?([a-z0-9+/_=.~-]{16,})"
)
_PASSWORD = re.compile(
    r"(?:pass(?:word|code|phrase|wd)s?|\bpwd|\bpin(?: (?:code|number))?\b|密码|口令|\bpin码)"
    r"[^\n.!?。！？,，:=是为密]{0,24}(?:\bis now\b|\bis\b|'s\b|\bto\b|[:=]|改成了?|设成了?|设为|改为"
    r"|换成了?|是|为):?\s{0,3}"
    r"(?P<quote>[\"'`“”「『]?)(?P<value>[^\s\"'`“”「」『』,，。;；？！]{3,64})"
)
_ONE_TIME = re.compile(
    r"(?:验证码|动态码|(?:verification|security|one-time|2fa|otp) (?:code|password)|\botp)[^\n\d]{0,8}(\d{4,8})(?!\d)"
)
_PIN = re.compile("[0-9]{4,8}")
_PLACEHOLDER = re.compile(
    r"[<{\[].*|\$\{?[A-Z_].*|\W+|[A-Za-z_.]+[(\[].*|(?:self|os|settings|config|env|process|user|request)\..*"
)
_OWN = re.compile(r"\b(?:my|our|the|wifi|wi-fi)(?: [\w-]{1,20}){0,2} $")
_PLAIN_WORD = words("no password")


def _secrets(folded: str, lowered: str) -> Iterator[Finding]:
    for match in _KEY.finditer(folded):
        yield Finding("api key", *match.span())
    if "-----BEGIN" in folded:
        yield from _private_keys(folded)
    for match in _IN_ADDRESS.finditer(folded) if "@" in folded else ():
        yield Finding("password", *match.span(1))
    if _NAMED_SECRET.search(lowered):
        yield from _named_secrets(folded, lowered)


def _named_secrets(folded: str, lowered: str) -> Iterator[Finding]:
    """Yield keys, passwords and one-time codes that the words before them give away."""
    for match in _NAMED_KEY.finditer(lowered):
        if _looks_random(folded[match.start(1) : match.end(1)]):
            yield Finding("api key", *match.span(1))
    for match in _PASSWORD.finditer(lowered):
        if _is_password(match, folded):
            yield Finding("password", *match.span("value"))
    for match in _ONE_TIME.finditer(lowered):
        yield Finding("password", *match.span(1))


def _private_keys(folded: str) -> Iterator[Finding]:
    """Yield each key block; one without its last line reaches to the end of the text."""
    start = _PEM.search(folded)
    while start:
        end = _PEM_END.search(folded, start.end())
        yield Finding("private key", start.start(), end.end() if end else len(folded))
        start = _PEM.search(folded, end.end()) if end else None


def _looks_random(value: str) -> bool:
    """Say whether a value is a key, no name made of words: some long piece mixes letters and digits, or cases."""
    for piece in re.split(r"[^A-Za-z0-9]+", value):
        mixed = sum(a.isdigit() != b.isdigit() for a, b in itertools.pairwise(piece))
        turns = sum(a.islower() and b.isupper() for a, b in itertools.pairwise(piece))
        if (len(piece) >= 8 and mixed >= 2) or (len(piece) >= 16 and turns >= 4):
            return True
    return False


def _is_password(match: re.Match[str], folded: str) -> bool:
    """Say whether what follows "password is" is the password itself and not a word about it."""
    value = folded[match.start("value") : match.end("value")].rstrip(".)!?")
    if len(value) < 3 or not value.isascii() or (match[0].startswith("pin") and not _PIN.fullmatch(value)):
        return False
    if match["quote"] or not value.isalpha() or not (value.islower() or value.istitle()):
        return _PLACEHOLDER.fullmatch(value) is None
    before = folded[max(0, match.start() - 50) : match.start()].lower()
    alone = re.match(r"\s*(?:[.,;!?，。)]|$|and\b|but\b)", folded[match.end("value") :][:6]) is not None
    owned = not match[0].isascii() or _OWN.search(before) is not None or ":" in match[0] or "=" in match[0]
    return alone and owned and value.lower() not in _PLAIN_WORD


# ---------------------------------------------------------------------------------------- contact, health, money

_EMAIL = re.compile(r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}")
_STREET = re.compile(
    r"(?<![\d.])\d{1,5} (?!hours? |hrs? |min|days? |long )(?:[a-z][\w'.]{0,20} ){1,3}"
    r"(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|terrace)\b"
)
_HAN_STREET = re.compile(
    r"[\u4e00-\u9fff]{1,12}(?:路|街|大道|巷|弄|胡同) ?\d{1,5} ?(?:号|弄)(?:[\d\u4e00-\u9fff-]{0,12}[室楼栋幢])?"
)
_SUBJECTS: Mapping[str, str] = {
    "health": "diagnosed diagnosis_of diabet depressi antidepress chemo cancer tumor tumour hiv asthma epilep pregnan "
    "miscarr insulin bipolar schizo adhd allerg medication prescri blood_pressure surgery hepatitis anxiety_disorder "
    "抑郁症 焦虑症 糖尿病 高血压 心脏病 癌 肿瘤 艾滋 怀孕 流产 过敏 哮喘 手术 住院 确诊 服药 吃药 病历 血糖"
    " 血压 乙肝 癫痫 双相",
    "finance": "salary net_worth mortgage my_debt in_debt my_income my_loan student_loan credit_score bankrupt "
    "overdraft my_savings bank_balance 工资 年薪 月薪 存款 负债 欠债 房贷 车贷 网贷 贷款 破产 我的收入 月收入 年收入"
    " 信用评分",
}
"""Beginnings of words that show the subject; an underscore is a space."""
_SUBJECT, _KIND_OF_SUBJECT = identifiers.word_list(_SUBJECTS)


def _addresses(lowered: str) -> Iterator[Finding]:
    for pattern in (_STREET, _HAN_STREET):
        for match in pattern.finditer(lowered):
            yield Finding("address", *match.span())


def _subjects(lowered: str) -> Iterator[Finding]:
    """Yield the words that touch on health or money: a hint of the subject, not a judgement about the person."""
    for match in identifiers.whole_words(_SUBJECT, lowered):
        yield Finding(_KIND_OF_SUBJECT[match[0]], *match.span())
