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
from .text import in_simplified
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

    Width, case, Traditional characters, invisible ones, and spaces, dots or dashes inside a number hide nothing.
    """
    folded, positions = _fold(text)
    lowered = folded.lower()
    found = [*_secrets(folded, lowered), *_subjects(lowered)]
    if _DIGIT.search(folded):
        found += [*(Finding(*span) for span in identifiers.spans(folded, lowered)), *_addresses(lowered)]
    found += [Finding(*span) for span in identifiers.spoken(lowered)]
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
    """A table for str.translate that folds width, digits and Traditional characters, and never changes the length."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        folded = unicodedata.normalize("NFKC", character)
        digit = unicodedata.digit(character, None)
        if digit is not None:
            folded = str(digit)
        self[code] = in_simplified(folded if len(folded) == 1 else character)
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
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|GOCSPX-[\w-]{16,}|ya29\.[\w-]{20,}|do[opr]_v1_[a-f0-9]{32,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{4,})?)"
)
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY-----")
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/:@]{0,64}:([^\s/:@]{3,64})@")
# The patterns after this one need one of its words, and cost six times as much.
_NAMED_SECRET = re.compile(
    "key|token|secret|bearer|basic|pass|pw|log-?in|credential|pin|code|otp|phrase|mnemonic|令牌|密钥|金钥|密码|口令"
    "|验证码|动态码|助记词|恢复短语|combination|门禁|门锁|大门|入户|保险[箱柜]"
)
_NAMED_KEY = re.compile(
    r"(?:api[ _-]?key|access[ _-]?key|secret(?:[ _-]?key)?|token|bearer|authorization: basic|(?:\b|account)key|令牌|密钥|金钥)"
    r"[\"']?(?:\s{0,3}(?:\bis\b|[:=是为])\s{0,3}|\s{1,3})[\"'`“「]?([a-z0-9+/_=.~-]{16,})"
)
_ABOUT = (
    r"(?!s?[ _-](?:manager|vault|hint|field|box|form|policy|policies|length|page|screen|prompt|rule|strength|generator"
    r"|app|hash|file|column|label|question|requirement|type|format|safe|book|lock|separator|backend|provider)|锁|箱|盒|本|学|器|柜|管理|提示|长度|框|强度|策略|规则|输入)"
)
"""What makes of "password" another thing, whose name or colour is no secret."""
_WORD = rf"(?:pass(?:word|code|phrase|wd)s?|\bpwd|密码|口令|\bpin码){_ABOUT}"
_PASSWORD = re.compile(
    rf"(?:{_WORD}|\bpw(?=\s?[:=])|\bpin(?: (?:code|number))?\b)"
    r"[^\n.!?。！？,，:=是为密]{0,24}(?:\bis now\b|\bis\b|\bare\b|\bwas\b|\bwill be\b|'s\b|\bto\b|[:=]|->|→|改成了?|设成了?|设为|改为"
    r"|换成了?|是|为|系(?=[ \d])):?\s{0,3}"
    r"(?P<quote>[\"'`“”「『]?)(?P<value>[^\s\"'`“”「」『』,，。;；？！]{3,64})"
)
_MIXED = r"(?=[^\s]{0,30}\d)(?=[^\s]{0,30}[a-z])[a-z0-9!@#$%^&*_+-]{6,32}(?![^\s,.;!?，。；！？、)\"'」』”])"
_BARE_PASSWORD = re.compile(
    rf"{_WORD}\s{{0,3}}(?P<value>(?<=[码令 ])\d{{4,12}}(?![\d.]?\d|\s?[a-z年月日号位个次条块元万人天])"
    rf"|(?<=[码令\s])(?!1password|sha|aes|md5|base64){_MIXED})"
    rf"|\b(?:user(?:name)?|login|account|id|e-?mail)\b[^\n]{{1,60}}\bpass\s?[:=]\s{{0,2}}(?P<login>\S{{3,64}})"
    rf"|(?:^|[\n,;]\s?|_)pass\s?[:=]\s?(?P<after>{_MIXED})"
    r"|(?:密码|口令|验证码|动态码|pin码)(?:是|为|:|=)?\s{0,3}(?P<spoken>[零〇一二三四五六七八九幺]{4,19})(?![\u4e00-\u9fff])"
)
_AS_PASSWORD = re.compile(
    r"\b(?:use|uses|used|using|set|have|put|chose|choose|picked|with)\s(?P<value>[^\s,，。]{3,64})\sas\s(?:my|our|the|a)\s"
    rf"(?:[\w-]{{1,20}}\s){{0,3}}(?:password|passcode|passphrase|pwd|pin)\b{_ABOUT}"
    r"|[用拿把以]\s{0,2}(?P<han>[!-~]{3,64}?)\s{0,2}(?:来|设)?(?:当|做|作|成|为)(?:了|作|成)?[^\s，。,]{0,6}?(?:密码|口令)(?![^\W\d_a-z了吧呢啊登来])"
)
_SEED = re.compile(
    r"(?:(?:seed|recovery|mnemonic|backup|secret)\s(?:phrase|words)|mnemonic|助记词|恢复短语)[^\n:=是为]{0,20}?"
    r"(?:\bis\b|\bare\b|[:=是为])\s{0,3}[\"'“「]?"
    r"(?P<value>(?:(?!(?:the|and|with|your|are|was|not|for|has|have|from|been|stored|saved|kept)\b)[a-z]{3,8}\b[\s,，、]{1,2}){4,23}[a-z]{3,8}\b"
    r"|(?:[\u4e00-\u9fff][ ,，、]){11,23}[\u4e00-\u9fff])"
    r"|\bpassphrase(?: is|:) [\"'“]?(?P<phrase>(?:(?!(?:the|and|with|your|are|was|not|for|has|have|from|been|stored|saved|kept|too|very)\b)"
    r"[a-z]{3,10}[ -]){3,9}[a-z]{3,10}\b)"
)
_CODE = re.compile(
    r"\b(?:door|gate|alarm|entry|safe|lock|unlock|locker|garage|recovery|backup)(?:'s)? (?:code|combination|pin)s?"
    r"(?: (?:is|are|now|of the \w{1,12})){0,2}\s?[:=]?\s{0,3}(?P<value>\d[\da-z#*-]{3,24})"
    r"|\bcombination (?:of|to|for) the (?:safe|lock|locker|vault) (?:is|:)\s{0,3}(?P<combination>\d[\d -]{3,24})"
    r"|(?:\b(?:my|the|card|sim|phone) pin |^pin (?=\d+(?: for\b|$)))(?P<pin>\d{4,8})\b(?! ?(?:digit|%))"
    r"|\b(?:recovery|backup) codes?(?: is| are|\s?:) (?P<grouped>(?=[a-z-]{0,30}\d)[a-z\d]{4,}(?:-[a-z\d]{4,})+)"
    rf"|\b(?:log-?in|credentials?)\b[^\n:]{{0,40}}?(?:\bis\b|:) [\w.@+-]{{2,40}}(?::| / )(?P<pair>{_MIXED})"
    rf"|\b(?:my|client|shared|app)[ _-]secret(?: is|\s?[:=])\s{{0,3}}(?P<secret>{_MIXED})|\bsecret:\s{{0,3}}(?P<alone>{_MIXED})"
    r"|(?:门禁|门锁|大门|入户|保险箱|保险柜)(?:密)?码(?:是|为|系|:|=)?\s{0,3}(?P<han>[0-9a-z#*]{4,12})"
)
_ONE_TIME = re.compile(
    r"(?:验证码|动态码|(?:verification|security|one-time|2fa|otp) (?:code|password)|\botp)[^\n\d]{0,8}(\d{4,8})(?!\d)"
)
_PIN = re.compile("[0-9]{4,8}")
_SAID = re.compile("[!-~]{4,64}(?=[了吧呢啊哦呀啦嘛就])")
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
    for match in itertools.chain(*(pattern.finditer(lowered) for pattern in (_BARE_PASSWORD, _SEED, _CODE))):
        yield Finding("password", *match.span(match.lastgroup or 0))
    for match in _AS_PASSWORD.finditer(lowered):
        if match["han"] or not match["value"].isalpha() or match["value"] not in _PLAIN_WORD:
            yield Finding("password", *match.span(match.lastgroup or 0))


def _private_keys(folded: str) -> Iterator[Finding]:
    """Yield each key block; one without its last line reaches to the end of the text."""
    start = _PEM.search(folded)
    while start:
        end = _PEM_END.search(folded, start.end())
        yield Finding("private key", start.start(), end.end() if end else len(folded))
        start = _PEM.search(folded, end.end()) if end else None


_NAME_PART = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def _looks_random(value: str) -> bool:
    """Say whether a value is a key, no name made of words: a long piece mixes letters and digits, or it has no words."""
    mixed_case = value.lower() != value != value.upper()
    # The words of a name are longer than the pieces into which case and figures break a random text.
    if len(value) >= 32 and mixed_case and _DIGIT.search(value) and len(_NAME_PART.findall(value)) * 4 >= len(value):
        return True
    for piece in re.split(r"[^A-Za-z0-9]+", value):
        mixed = sum(a.isdigit() != b.isdigit() for a, b in itertools.pairwise(piece))
        turns = sum(a.islower() and b.isupper() for a, b in itertools.pairwise(piece))
        if (len(piece) >= 8 and mixed >= 2) or (len(piece) >= 16 and turns >= 4):
            return True
    return False


def _is_password(match: re.Match[str], folded: str) -> bool:
    """Say whether what follows "password is" is the password itself and not a word about it."""
    value = folded[match.start("value") : match.end("value")].rstrip(".)!?")
    if said := _SAID.match(value):
        return _DIGIT.search(said[0]) is not None
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
_ROAD = re.compile("[路街道巷弄同] ?[0-9]")  # a first look that costs a tenth
_HAN_STREET = re.compile(
    r"[\u4e00-\u9fff]{1,12}(?:路|街|大道|巷|弄|胡同) ?\d{1,5} ?(?:号|弄)(?:[\d\u4e00-\u9fff-]{0,12}[室楼栋幢])?"
)
_SUBJECTS: Mapping[str, str] = {
    "health": "diagnosed diagnosis_of diabet depressi antidepress chemo cancer tumor tumour hiv asthma epilep pregnan "
    "miscarr insulin bipolar schizo adhd allerg medication prescri blood_pressure surgery hepatitis anxiety_disorder "
    "抑郁症 忧郁症 焦虑症 糖尿病 高血压 心脏病 癌 肿瘤 艾滋 怀孕 流产 过敏 哮喘 手术 住院 确诊 服药 吃药 病历 血糖"
    " 血压 乙肝 癫痫 双相",
    "finance": "salary net_worth mortgage my_debt in_debt my_income my_loan student_loan credit_score bankrupt "
    "overdraft my_savings bank_balance 工资 年薪 月薪 存款 负债 欠债 房贷 车贷 网贷 贷款 破产 我的收入 月收入 年收入"
    " 信用评分 月入 年入 时薪 日薪",
    "sum": "earn owe make made making take_home get paid 挣 赚 到手 收入 欠",
}
"""Beginnings of words that show the subject; an underscore is a space. A `sum` is one where _MONEY goes on from it."""
_SUM = r"(?:[$€£¥]\s?)?\d[\d,.]*\s?(?:k|euros?|dollars?|pounds?|francs?|yuan|usd|eur|gbp|chf|rmb|grand|bucks)?\b"
_LARGE = r"(?:hundred|thousand|million|grand|euros|dollars|pounds)\b"
_WRITTEN_SUM = rf"(?:[a-z]+[ -]){{0,4}}{_LARGE}"
_HAN_SUM = "[0-9零〇一二三四五六七八九十百千万两.]{1,12}(?:块|元|[百千万亿]|k)"
_MONEY = re.compile(
    rf"(?:earn|earns|earned|earning|owe|owes|owed)\b[^.!?\n]{{0,40}}?(?:{_SUM}|\b{_LARGE})"
    rf"|(?:makes?|made|making|take home|gets?|paid)\s(?:about\s|around\s)?(?:{_SUM}|{_WRITTEN_SUM})\s?"
    r"(?:an?|per|each|every|/)\s?(?:month|year|week|hour)\b"
    f"|(?:挣|赚|到手|收入|欠)[^，。,.!！?？\n]{{0,8}}?{_HAN_SUM}"
)
"""A sum that somebody earns or owes."""
_HAS_SUM = re.compile("[0-9百千万亿块元]|hundred|thousand|million|grand|euro|dollar|pound")
_WORD_END = re.compile("[a-z]*")
_SUBJECT, _KIND_OF_SUBJECT = identifiers.word_list(_SUBJECTS)


def _addresses(lowered: str) -> Iterator[Finding]:
    for match in itertools.chain(_STREET.finditer(lowered), _HAN_STREET.finditer(lowered) if _ROAD.search(lowered) else ()):
        yield Finding("address", *match.span())


def _subjects(lowered: str) -> Iterator[Finding]:
    """Yield the words that touch on health or money: a hint of the subject, not a judgement about the person."""
    has_sum: bool | None = None
    for match in identifiers.whole_words(_SUBJECT, lowered):
        kind = _KIND_OF_SUBJECT[match[0]]
        whole: re.Match[str] | None = match
        if kind == "sum":
            if has_sum is None:
                has_sum = _HAS_SUM.search(lowered) is not None
            whole = _MONEY.match(lowered, match.start()) if has_sum else None
        # A mask that leaves the end of a word would still tell it.
        rest = _WORD_END.match(lowered, whole.end()) if whole and whole[0].isascii() else whole
        if whole and rest:
            yield Finding("finance" if kind == "sum" else kind, whole.start(), rest.end())
