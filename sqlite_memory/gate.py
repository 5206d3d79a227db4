"""Judge what may be written: too short or long, noise, said in confidence, sensitive, said before, contradicting.

It leaves finding the memories worth comparing and writing anything to the layer; it opens no file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from . import sensitive, similar
from .text import Segmenter, fingerprint, normalise, pieces, runs, weight
from .vocabulary import lines

DEFAULTS: Mapping[str, float] = {
    "min_length": 4,
    "max_length": 8000,
    "refuse_noise": 1,
    "refuse_unwanted": 1,
    "refuse_unimportant": 1,
    "reinforce_exact": 1,
    "reinforce_near": 0.9,
    "report_near": 0.6,
    "report_contradiction": 0.6,
    "sensitive_secret": 3,
    "sensitive_identity": 3,
    "sensitive_card": 3,
    "sensitive_contact": 1,
    "sensitive_health": 1,
    "sensitive_finance": 1,
}
"""What holds where the policy table has no such row; the same values as its rows. Zero switches a rule off."""

COMPARING = ("reinforce_near", "report_near", "report_contradiction")
"""The rules that compare with other memories than equal ones: with none of them, nobody need look for any."""

ALLOW, FLAG, MASK, REFUSE = 0, 1, 2, 3
"""Values of the rows sensitive_...: what happens to a text that holds something of the class."""

Decision = Literal["admit", "reinforce", "refuse"]


@dataclass(frozen=True, slots=True)
class Near:
    """An existing memory worth comparing; `exact` says that its fingerprint equals that of the new text."""

    id: int
    content: str
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says of a text.

    `reason` is short and fixed, '' when there is nothing to say. `collides_with` is the id of the memory that is
    reinforced, nearly the same or contradicted. `flags` are the sensitive classes found, sorted. `content` is what to
    write: the text as it was given, with the spans masked that the policy says to mask.
    """

    decision: Decision
    reason: str
    collides_with: int | None
    flags: tuple[str, ...]
    content: str


def judge(
    content: str,
    *,
    importance: float,
    min_importance: float,
    policy: Mapping[str, float],
    near: Sequence[Near] = (),
    segmenter: Segmenter | None = None,
) -> Verdict:
    """Return whether `content` is admitted, reinforces an existing memory, or is refused, and why.

    Importance is 0 to 10. `policy` is the rows of the file's policy table, name to value; what is missing counts as
    in DEFAULTS, 0 switches a rule off. Pure: no file, no clock, any text is legal. Chinese is cut, with the
    `segmenter` of the file if one is given, only to compare it with a memory in `near` that is not exact.
    """
    rules = _complete(policy)
    reason = _unfit(content, rules)
    if reason:
        return Verdict("refuse", reason, None, (), content)
    refused, flags, masked = screened(content, rules)
    if refused:
        return Verdict("refuse", f"sensitive: {refused}", None, flags, content)
    if rules["refuse_unimportant"] and not importance >= min_importance:
        return Verdict("refuse", "below the importance floor", None, flags, content)
    verdict = Verdict(*_ADMITTED, flags, masked)
    return compared(verdict, policy=rules, near=near, segmenter=segmenter) if near else verdict


def compared(
    verdict: Verdict, *, policy: Mapping[str, float], near: Sequence[Near], segmenter: Segmenter | None = None
) -> Verdict:
    """Return the verdict on an admitted text as it stands beside existing memories, all else as in judge()."""
    rules = _complete(policy)
    decision, reason, collides_with = (
        _collision(verdict.content, rules, near, segmenter or _plain) if near else _ADMITTED
    )
    return Verdict(decision, reason, collides_with, verdict.flags, verdict.content)


_ADMITTED: tuple[Decision, str, int | None] = ("admit", "", None)
_plain = Segmenter()


def _unfit(content: str, rules: Mapping[str, float]) -> str:
    """Return why a text is no memory at all, or ''; the cheapest rules first."""
    if not content or content.isspace():
        return "blank"
    if 0 < rules["max_length"] < len(content):
        return "too long"
    if len(content.strip()) < rules["min_length"] and weight(content) < rules["min_length"]:
        return "too short"
    if rules["refuse_unwanted"] and is_unwanted(content):
        return "the user asked not to remember"
    if rules["refuse_noise"] and is_noise(content):
        return "noise"
    return ""


# ---------------------------------------------------------------------------------------------------- noise

_NOISE_UNITS = frozenset(
    tuple(phrase.split()) if phrase.isascii() else tuple(phrase)
    for line in lines("noise")
    for phrase in line.split("|")
)
_BEGINNINGS = frozenset(phrase[:length] for phrase in _NOISE_UNITS for length in range(1, len(phrase) + 1))
_DRAWN_OUT = re.compile(
    "a?(?:ha){1,50}h?|a?(?:he){1,50}h?|(?:ja){1,50}|h+m+|m+h?m+|o+h+|a+h+|u+h+|u+m+|w+o+w+|y+e+a+h*|y+a+y+|l+o+l+"
    "|s+o+|n+o+|o+k+|x+d+|z+|6+"
)

LONGEST_NOISE = 1000
"""Characters from which on a text is no noise, whatever it says."""


def is_noise(text: str) -> bool:
    """Say whether `text` is nothing but acknowledgements, greetings and fillers; true of a text without any word."""
    plain = _REPEATED.sub(r"\1\1\1", normalise(text))
    return len(plain) <= LONGEST_NOISE and _is_spelled(plain)


_REPEATED = re.compile(r"(.)\1{3,}")


def _is_spelled(plain: str) -> bool:
    """Say whether phrases of noise, one after the other, spell the text; most texts show at their first unit."""
    # Places up to which phrases spell the text: a pattern of repeated alternatives would be exponential.
    reached = [0]
    units: list[str] = []
    for unit in _units(plain):
        ends = reached[-1] == len(units) and len(unit) < 100 and _DRAWN_OUT.fullmatch(unit) is not None
        units.append(unit)
        begun = [start for start in reached if tuple(units[start:]) in _BEGINNINGS]
        ends = ends or any(tuple(units[start:]) in _NOISE_UNITS for start in begun)
        reached = [*begun, len(units)] if ends else begun
        if not reached:
            return False
    return reached[-1] == len(units)


def _units(plain: str) -> Iterator[str]:
    """Yield Chinese characters one by one and other words whole."""
    for script, run in runs(plain):
        yield from run if script == "han" else pieces(run)


# ---------------------------------------------------------------------------------------- said in confidence

_DO_NOT = (
    r"(?:^|[.!?;,:\n—-]\s{0,3}|\b(?:please|just|and|but|so|also|then|ok|okay|hey|btw|better) )"
    "(?:do not|don'?t|never|no need to|you (?:don'?t|do not) (?:have|need) to|you needn'?t)(?: ever| please"
    "| bother to)?"
)
_KEEP_IT = (
    " (?:remember|memori[sz]e|save|store|record|keep|note(?: down)?|write(?: down)?|log) (?:any of )?"
    "(?:this|that|it|what i (?:just )?(?:say|said|told you)|my (?:last )?message)"
    "(?: (?:one|part|bit|chat|conversation|message|please|at all|for later|down|(?:in|to) (?:your )?memory|in mind))?"
    r"(?=\s{0,3}(?:[.,;:!?\n)—-]|$|\b(?:but|and|because|since|ok|okay)\b))"
)
# What is not to be kept follows. Without "that I" or a colon it may be an answer: "Don't remember, sorry."
_KEPT = "(?:remember|memori[sz]e|save|store|record|note|log)"
_DO_NOT_KEEP_THAT = (
    r"(?:^|[.!?;:\n—-]\s{0,3}|\bplease |^(?:and|but|so|ok|okay|hey|btw)[, ]{1,2})"
    "(?:do not|don'?t|no need to|you (?:don'?t|do not) (?:have|need) to|you needn'?t)"
    rf" (?:{_KEPT} (?:(?:it|this|anywhere|down) )?that (?:i|i'm|i've|i'd|my|me|we|our)\b|(?:remember|memori[sz]e|record|note)\s?:)"
    rf"|(?:^|[.!?;:,\n—-]\s{{0,3}}|\bplease )(?:no need to|you (?:don'?t|do not) (?:have|need) to|you needn'?t)"
    r" (?:remember|memori[sz]e)(?=\s?(?:[.,;!\n—-]|$))"
)
_HAN_DO_NOT = "(?<![我他她们])(?:别|不要|不用|不必|无需|无须|甭|请勿|切勿|没必要)再?(?:给我|帮我|替我)?把?"
_HAN_KEEP_IT = (
    "(?:这个|这些|这条|这句|这段|这事|这件事|它|这话|刚才的话|刚才说的|我说的)?话?都?"
    "(?:记住(?!所有|全部|每)|记下来?|记录下来|记着|记在心里|记进去|记到|存进记忆|存到记忆(?!卡)|写进记忆|写入记忆|放进记忆|(?:记得?|记录|保存|储存|存)(?:这(?:个|些|条|句|段|件|次)?|(?:以下|下面)(?:的?内容)?)"
    r"(?=[了事话情吧啊呀哦，。！!,.；;:\s]|$)|记录?我说|(?:记录|记得|记|存|保存)了?(?=[，。！!,.:；;~～\s）)]|$))"
)
_HAN_FORGET_SAID = "(?:^|[,.;!:，。；！：\\s]|请|麻烦|帮我)(?:忘掉|忘了|忘记|抹掉|删掉|忽略|无视)(?:我)?刚(?:才|刚)?(?:说|讲|的话)"
# Every request has one of these: a first look that costs a tenth of the second.
_MAYBE_UNWANTED = re.compile(
    "record|between|forget|remember|memori|save|store|keep|note|write|log|[记記存]|心[里裡]"
    "|刚|剛|[没沒外][说說听聽提传傳過过]|私下|仅限|僅限"
)
_UNWANTED = re.compile(
    "|".join(
        (
            r"\boff[ -]the[ -]record\b(?! players?\b)",
            r"\bbetween you and me\b(?! there)|\b(?:just|keep (?:this|it|that)|stays?) between us\b",
            r"(?<!me to )\bforget (?:that |what )?i (?:just |ever )?(?:said|told|mentioned)",
            _DO_NOT + _KEEP_IT,
            _DO_NOT + " (?:keep|make|take) (?:any |a )?(?:record|note)s? of (?:this|that|it)\\b",
            r"\brather (?:that )?you (?:did not|didn't)"
            r" (?:(?:remember|save|store)\b|(?:record|keep|note)(?: down)?(?: (?:a )?(?:notes? of )?(?:this|that|it|any|what)\b|\s{0,3}(?:[.,;!\n]|$)))",
            _DO_NOT_KEEP_THAT,
            _HAN_DO_NOT + _HAN_KEEP_IT,
            _HAN_FORGET_SAID,
            "(?<![我他她们没])(?:别|不|不用|不要|不必)太?往心里去",
            "(?:就当我?|当作我?|(?<!应)当我)没(?:说过|听过|听见|说|提过)(?![^,.;!，。；！]{0,12}时)|仅限你我|不要外传|这(?:话|事|件事)?(?:只是)?私下(?:说|聊)",
        )
    )
)


def is_unwanted(text: str) -> bool:
    """Say whether the user asks in `text` that it be not remembered ("off the record", 别记住这个)."""
    if not _MAYBE_UNWANTED.search(text.lower()):
        return False
    return _UNWANTED.search(normalise(text).replace("’", "'")) is not None


_BACK = re.compile(
    r"(?:forget (?:that |what )?i (?:just |ever )?(?:said|told|mentioned)|what i (?:just )?(?:said|told you)|my last message"
    "|往心里去|当我?没(?:说|提|听)|刚(?:才|刚)?的?(?:说|讲|话))"
)


def looks_back(text: str) -> bool:
    """Say whether a text that asks not to be remembered means what was said before it, not its own first sentence."""
    plain = normalise(text)
    back = _BACK.search(plain)
    return back is not None and not re.search("[.!?。\n]", plain[: back.start()])


# ---------------------------------------------------------------------------------------------------- sensitive


def screened(content: str, policy: Mapping[str, float]) -> tuple[str, tuple[str, ...], str]:
    """Return the kind that refuses the text or '', the classes found, sorted, and the text with spans masked."""
    findings = sensitive.find(content)
    if not findings:
        return "", (), content
    rules = _complete(policy)
    flags: set[str] = set()
    masked, end, refused = "", 0, ""
    for finding in findings:
        name = sensitive.CLASS_OF[finding.kind]
        action = rules[f"sensitive_{name}"]
        if action > ALLOW:
            flags.add(name)
        if action >= REFUSE:
            refused = refused or finding.kind
        elif action >= MASK:
            masked += content[end : finding.start] + f"[{finding.kind}]"
            end = finding.end
    return refused, tuple(sorted(flags)), masked + content[end:]


def refused_beside(text: str, policy: Mapping[str, float], leave_out: Collection[str] = ()) -> str:
    """Return the kind for which a text beside a content, as a key or a tag, is refused, or ''.

    Nothing is masked there, since a masked name names something else: what is to be masked is refused too.
    """
    rules = _complete(policy)
    for finding in sensitive.find(text):
        name = sensitive.CLASS_OF[finding.kind]
        if name in leave_out or rules[f"sensitive_{name}"] >= MASK:
            return finding.kind
    return ""


def _complete(policy: Mapping[str, float]) -> Mapping[str, float]:
    return policy if DEFAULTS.keys() <= policy.keys() else {**DEFAULTS, **policy}


# ---------------------------------------------------------------------------------------------------- collisions


def _collision(
    content: str, rules: Mapping[str, float], near: Sequence[Near], segmenter: Segmenter
) -> tuple[Decision, str, int | None]:
    """Return decision, reason and id: exact first, then the nearest repeat, contradiction, and report."""
    own = fingerprint(content)
    same = {item.id for item in near if item.exact or fingerprint(item.content) == own}
    if rules["reinforce_exact"] and same:
        return "reinforce", "exact duplicate", next(item.id for item in near if item.id in same)
    least = min((rules[rule] for rule in COMPARING if rules[rule] > 0), default=None)
    if least is None:
        return _ADMITTED
    new = similar.Statement(content, segmenter)
    likenesses = [
        (similar.compare(new, similar.Statement(item.content, segmenter), least), item.id) for item in near
    ]
    likenesses.sort(key=lambda pair: -pair[0].score)
    for likeness, id in likenesses:
        # A word that the old memory lacks is news, and so may be another order: merging would lose it.
        repeats = likeness.covered == 1 and not likeness.differs and likeness.in_order and id not in same
        if repeats and 0 < rules["reinforce_near"] <= likeness.score:
            return "reinforce", "near duplicate", id
    for likeness, id in likenesses:
        if likeness.differs in similar.CONTRADICTING and 0 < rules["report_contradiction"] <= likeness.score:
            return "admit", "possible contradiction", id
    for likeness, id in likenesses:
        if likeness.differs != "order" and 0 < rules["report_near"] <= likeness.score:
            return "admit", "near duplicate", id
    return _ADMITTED
