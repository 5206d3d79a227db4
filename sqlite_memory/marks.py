"""Find what makes two statements of the same words differ: denials, persons, stances, ways of speaking, signs.

It leaves the comparing to `similar` and numbers to `figures`; texts come in as `comparable` gives them.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator

from .vocabulary import lines

_NO_DENIAL = re.compile(
    "不错|不过(?!敏|夜|年|来|去|关)|不仅|不但|不只|不管|不论|不同(?!意|步)|不久|不断|不少(?!于)|不得不|差不多|不禁|不妨|不然"
    "|对不起|不好意思|不客气|不锈钢|不动产|不丹|了不起"
    "|没关系|无(?:论|锡|线|聊|人机|数|疑)|未来|非常|非洲|除非|特别|别[人的名称]|[个类差识分区级性告]别|别墅|要不|好不好|是不是"
    r"|\bnot only\b|\bno (?:doubt|matter)\b"
)
_DENIAL = re.compile(
    r"\b(?:neither\b.{1,60}\bnor|not|no|never|none|neither|nor|without|nothing|nobody|nowhere|cannot|dont|doesnt|wont|cant|isnt"
    r"|hate[sd]?|dislike[sd]?|avoid\w*|detest\w*|loathe\w*|stop(?:ped|s)?|quit|unable|refuse[sd]?|hardly|barely|scarcely"
    r"|gave up|against|un(?:happy|like)|lack(?:s|ed|ing)?|den(?:y|ies|ied|ying)|reject\w*|declin\w*|forb\w+|prohibit\w*"
    r"|banned|distrust\w*|disagree\w*|disallow\w*|disapprov\w*|fail(?:s|ed)? to|free of)\b"
    "|[不没别无勿未甭]|非(?=必)|讨厌|反感|厌恶|受不了|拒绝|戒|避免|停止|放弃|缺乏|缺少|缺(?=[^席点口])|否认|禁止"
)
_WAYS = {
    "past": re.compile(
        r"\b(?:used|former(?:ly)?|previously|back then|was|were|had)\b"
        "|以前|曾经|曾|[去吃学抽养住做看听喝用买玩读教当]过"
        r"|原来|本来|本想|差点|过去|当年|小时候"
    ),
    "plan": re.compile(
        r"\b(?:plan(?:s|ning)?|want(?:s|ed)? to|would like to|going to|hopes? to|might|may|maybe|perhaps"
        r"|will|thinking of"
        r"|considering)\b"
        "|打算|计划|准备|可能|也许|考虑|想(?!要|念|法)|将|我要(?=[买卖换搬学考])"
    ),
    "duty": re.compile(r"\b(?:should|must|ought to|(?:have|has) to)\b|应该|应当|必须"),
    "choice": re.compile(r"\bor\b|或|还是"),
    "question": re.compile(r"[?？]|吗[。！]?$"),
    "condition": re.compile(r"\b(?:if|unless|except|only|until)\b|如果|要是|除了|除非|只(?!是)|仅"),
    "hearsay": re.compile(
        r"\b(?:heard|said|says|told|asked|suggest\w*|recommend\w*|advis\w*|wish|would|pretend\w*|false"
        r" that)\b"
        "|听说|据说|说是|[他她]说|建议|推荐|劝|以为|假装"
    ),
    "comparison": re.compile(
        r"\b(?:than|over|rather|instead|versus|vs)\b|\bprefer\w*\b.{1,40}\bto\b|比(?!较)|而不是|胜过|不如"
    ),
    "other": re.compile(r"\b(?:he|she|they|him|her|his|their|them)\b|[他她它]"),
}
_PERSONS = {
    "I": re.compile(r"\b(?:i|me|my|mine|myself|user)\b|我(?!们)|用户"),
    "you": re.compile(r"\byou(?:rs?|rself)?\b|[你您]"),
    "we": re.compile(r"\b(?:we|our|ours)\b|我们|咱"),
    "they": re.compile(r"\b(?:he|she|they|him|her|his|their|them)\b|[他她它]"),
}
_STANCES = {word: line.split()[0] for line in lines("stance") for word in line.split()}
# `a` and `i` are letters where something is called by them, else article and pronoun.
_SIGN = re.compile(
    r"!=|\b(?:option|plan|grade|part|section|type|group|team|class|vitamin|size|room|gate|model|version|step|phase|level|unit"
    r"|column|row|item|case|branch|variant) [ai]\b"
    r"|(?<![a-z0-9_'])(?:[b-hj-z]|a(?! ?[a-z0-9\"(])|i(?! ?[a-z'\"(]))(?![a-z0-9_'])|(?<=[a-z0-9])-(?![\w>-])"
    r"|[^\w\s'\".,;:!?()\[\]{}，。！？、；：（）…—-]"
)
_CAPITAL = re.compile(r"(?<=[a-z:,] )A\b(?!')")


def denials(clause: str) -> int:
    """Return how often a clause denies; an even number says yes."""
    return len(_DENIAL.findall(_NO_DENIAL.sub(" ", clause)))


def ways(plain: str) -> Iterator[str]:
    """Yield the ways of speaking of a text: of the past, a plan, a question, hearsay ..."""
    return (way for way, pattern in _WAYS.items() if pattern.search(plain))


def persons(plain: str) -> tuple[str, ...]:
    """Return who of I (the user), you, we and they is named, in the order of their first words: 我爱你 is not 你爱我."""
    found = ((pattern.search(plain), person) for person, pattern in _PERSONS.items())
    return tuple(person for _, person in sorted((match.start(), person) for match, person in found if match))


def stances(words: Iterable[str]) -> frozenset[str]:
    """Return which of liking, having and wanting the words of a text express."""
    return frozenset(_STANCES[word] for word in words if word in _STANCES)


def signs(plain: str, shown: str) -> str:
    """Return what words do not show, in its order: single letters, emoji, currencies, operators, arrows."""
    found = (sign for sign in _SIGN.findall(plain) if sign.isascii() or _is_sign(sign))
    return " ".join([*found, *_CAPITAL.findall(shown)])


@functools.lru_cache(maxsize=1024)
def _is_sign(character: str) -> bool:
    return unicodedata.category(character).startswith("S")
