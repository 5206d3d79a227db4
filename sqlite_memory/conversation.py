"""Read turns of a conversation: which carry news, and which sentences state a preference, an identity, a decision.

It leaves what is admitted to the gate, and reading between the lines to a model: its rules find what is said outright.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from . import gate, sensitive
from .statements import ASKED, FRAME, RULES, UNREAL, Rule
from .text import HAN, clean, normalise
from .vocabulary import words

SENTENCE = 300
"""Longest sentence that the rules read, in characters: a longer one is pasted text more often than the user's words."""

PRIVATE = frozenset(sensitive.CLASS_OF.values())
"""Classes of `sensitive` whose sentences `extract` leaves out unless it is told otherwise."""


Extractor = Callable[[Sequence[Mapping[str, object]]], Iterable[Mapping[str, object]]]
"""What distils a conversation: messages in, arguments of remember() out."""


def messages_of(messages: object) -> list[Mapping[str, object]]:
    """Return messages as a list. TypeError for one message, a text, or items that are no mappings."""
    return _mappings(
        messages, "messages must be a list of mappings with role and content, not {}",
        "messages[{}] must be a mapping with role and content, not {}",
    )


def _mappings(given: object, no_list: str, no_mapping: str) -> list[Mapping[str, object]]:
    """Return mappings as a list; TypeError with one of the two messages for anything else."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(no_list.format(type(given).__name__))
    mappings = list(given)
    for place, mapping in enumerate(mappings):
        if not isinstance(mapping, Mapping):
            raise TypeError(no_mapping.format(place, type(mapping).__name__))
    return mappings


def heard(
    turns: Sequence[Mapping[str, object]], policy: Mapping[str, float], *, allow_sensitive: bool = False
) -> list[Mapping[str, object]]:
    """Return the turns that an extractor may see: without what the policy refuses to remember.

    Left out are turns with a secret, whoever says it, and turns of the user that ask not to be remembered; with one
    that looks back ("forget what I just said", 这次不往心里去) also the user's turn before it.
    """
    kept: list[Mapping[str, object]] = []
    for turn in turns:
        text = _text_of(turn)
        if policy["refuse_unwanted"] and turn.get("role") == "user" and gate.is_unwanted(text):
            if gate.looks_back(text):
                _drop_last_of_user(kept)
        elif allow_sensitive or not gate.screened(text, policy)[0]:
            kept.append(turn)
    return kept


def _drop_last_of_user(turns: list[Mapping[str, object]]) -> None:
    place = next((place for place in reversed(range(len(turns))) if turns[place].get("role") == "user"), None)
    if place is not None:
        del turns[place]


def distilled(extractor: Extractor, turns: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Return what an extractor makes of turns; TypeError unless it is mappings, ValueError for a choice of scope."""
    memories = _mappings(
        extractor(turns), "extractor returned a {}, not a list of mappings",
        "extractor, item {}: must be a mapping, not {}",
    )
    for place, memory in enumerate(memories):
        if {"agent_id", "user_id", "allow_sensitive"} & memory.keys():
            raise ValueError(
                f"extractor, item {place}: cannot choose agent_id, user_id or allow_sensitive: the caller does"
            )
    return memories


def is_news(message: Mapping[str, object], *, even_unwanted: bool = False) -> bool:
    """Say whether a message is a user's turn that carries news."""
    return message.get("role") == "user" and carries_news(_text_of(message), even_unwanted=even_unwanted)


def carries_news(text: str, *, even_unwanted: bool = False) -> bool:
    """Say whether a turn carries anything new, cheaply: false of small talk, praise, plain questions and confidences.

    A statement carries news with a figure in it, with two telling words where the user speaks of themself, else with
    three; in Chinese with two or four telling characters. Telling is what is no filler. Made to lose little: when in
    doubt it says True. With `even_unwanted` it does not ask whether the user wants it forgotten.
    """
    if not text.strip() or gate.is_noise(text) or (not even_unwanted and gate.is_unwanted(text)):
        return False
    return any(_tells(sentence) or next(_matching(sentence), None) is not None for sentence in _sentences(text))


def extract(
    messages: Iterable[Mapping[str, object]], *, leave_out: Collection[str] = PRIVATE, even_unwanted: bool = False
) -> list[dict[str, object]]:
    """Return what the user states outright, as mappings for remember_many, in the order of the conversation.

    `messages` have the OpenAI chat form; only those with role 'user' are read, and of their parts only the texts.
    Each mapping has content (the sentence, unchanged), memory_type, importance (0 to 10), metadata {'source':
    'rule:<name>'} and, where the sentence says one nameable thing and nothing else, key. Nothing is taken from a
    message that asks not to be remembered (unless `even_unwanted`), from what is asked, or from a sentence with a
    finding of `sensitive` whose class is in `leave_out`. A sentence said twice comes once. Any text is legal.
    """
    found: dict[str, dict[str, object]] = {}
    for message in messages:
        text = _text_of(message) if message.get("role") == "user" else ""
        if not even_unwanted and gate.is_unwanted(text):
            continue
        for sentence in _sentences(_GIVEN.sub("\n", text)):
            memory = _memory(sentence)
            if memory and not any(sensitive.CLASS_OF[f.kind] in leave_out for f in sensitive.find(sentence)):
                found.setdefault(normalise(sentence), memory)
    return list(found.values())


def _text_of(message: Mapping[str, object]) -> str:
    """Return the text of a message: its content, or the text parts of it, one a line; '' when there is none."""
    content = message.get("content")
    if isinstance(content, str):
        return clean(content)
    if not isinstance(content, Iterable):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") == "text")
    return clean("\n".join(text for text in texts if isinstance(text, str)))


# ---------------------------------------------------------------------------------------------------- sentences

_ABBREVIATED = r"(?<!\b[DMS][rst]\.)(?<!\bMrs\.)(?<!\bProf\.)(?<!\b[A-Z]\.[A-Z]\.)"
_END = re.compile(rf"(?<=[.!?]){_ABBREVIATED}\s+|(?<=[.!?][\"”])\s+|(?<=[。！？][”」])|(?<=[。！？])(?![。！？”」])|\n+")
_SAYS = re.compile(r"[^\W_]")
_CLAUSE_ENDS = ",，;；:："
_QUESTION = re.compile(r"[?？]\s{0,3}$|(?:吗|么|什么|哪里|怎么样|如何|来着|你猜)[。.]?$")


_LONG_QUOTE = re.compile(r'(?<!\d)"[^"\n]*"|“[^“”]*”|「[^「」]*」')
_STOP = re.compile(r"[.!?。！？\n]")
_GIVEN = re.compile(
    r"(?:\b(?:translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase|polish|correct|review|e-?mail|letter|article|essay"
    r"|text (?:below|above)|transcript)\b|翻[译譯]|[总總][结結]|概括|[润潤]色|改[写寫]|修改|校[对對]|[邮郵]件|文章|原文)"
    r"[^\n:：]{0,100}[:：][ \t]{0,9}\n.*|```.*?(?:```|\Z)|^>[^\n]*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
"""A text that is given to be worked on: what follows such a line, a block of code, lines quoted from a mail."""


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text that have any word, without outer space, in order; a quotation is not cut."""
    whole = _LONG_QUOTE.sub(lambda quote: _STOP.sub("_", quote[0][:-2]) + quote[0][-2:], text)
    start = 0
    for end in (*_END.finditer(whole), None):
        sentence = text[start : end.start() if end else len(text)]
        if _SAYS.search(sentence):
            yield sentence.strip()
        start = end.end() if end else len(text)


def _told(sentence: str) -> str:
    """Return the part of a sentence that tells: of a question what stands before its last clause."""
    sentence = sentence[: 10 * SENTENCE]
    if _QUESTION.search(sentence):
        return sentence[: max(map(sentence.rfind, _CLAUSE_ENDS)) + 1]
    return sentence


def _plain(sentence: str) -> str:
    return normalise(sentence).replace("’", "'")


# ---------------------------------------------------------------------------------------------------- news

_WORD = re.compile("[a-z]+|[0-9]+")
_HAN_RUN = re.compile(f"[{HAN}]+")
_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "we", "us", "our", "ours"))
_NAME_CALLED = re.compile(
    r"(?:,\s?|\b(?:[Hh]ey|[Hh]i|[Hh]ello|[Tt]hanks|[Yy]eah|[Ww]ow|[Yy]ep"
    r"|[Bb]ye)\s)[A-Z][a-z]{1,20}(?=\s?[,.!?])|^[A-Z][a-z]{1,20}(?=[,!])"
)
_FILLER = words("filler")
_HAN_FILLER = re.compile(
    "真的|真是|非常|特别|比较|已经|还是|就是|可是|但是|所以|因为|如果|那么|这么|怎么|什么|这个|那个|这样"
    "|那样|一个|一下|一些|一点|我们|你们|他们|她们|咱们|自己"
    "|觉得|感觉|知道|听说|听起来|看起来|看来|可能|应该|可以|需要|希望|谢谢|感谢|不客气|你好|您好|没事"
    "|请多关照|多多关照|请多指教|认识[你您]|没关系|对不起|不好意思|加油|恭喜|厉害|太棒了|很棒|真棒|不错|好的|好吧"
    "|明白|了解|收到|当然|没错|是的|对啊|原来如此|有意思|有趣|开心|高兴|哈哈|嗯嗯|今天|现在|天气|好好|一起"
    "|时候|东西|事情|问题|办法|主意|帮忙|帮我|告诉|继续|再见|晚安"
    "|[的了是在我你您他她它吧呢啊呀嘛哦嗯哈嗨哇唉诶这那也都就还会能要想很好太真对不没有和与跟把给让得地着过来去上下里一个说看做啦吗么哎嘿]"
)


def _tells(sentence: str) -> bool:
    """Say whether a sentence has enough telling words or characters to be news; the clause that asks has none."""
    plain = _plain(_NAME_CALLED.sub(" ", _told(sentence)))
    words = _WORD.findall(plain)
    if any(word.isdigit() for word in words):
        return True
    telling, characters = _telling_parts(plain, words)
    own = "我" in plain or not _FIRST_PERSON.isdisjoint(words)
    return 2 * telling + characters >= (4 if own and telling else 2 if own else 6 if telling else 4)


def _telling_parts(plain: str, words: Sequence[str]) -> tuple[int, int]:
    """Return how many words and how many Chinese characters of a clause are no filler."""
    characters = sum(len(_HAN_FILLER.sub("", run)) for run in _HAN_RUN.findall(plain))
    return sum(word not in _FILLER for word in words), characters


def _telling(clause: str) -> bool:
    """Say whether a clause has any word or character that is no filler."""
    return any(_telling_parts(clause, _WORD.findall(clause)))


# ---------------------------------------------------------------------------------------------------- rules


def _matching(sentence: str) -> Iterator[tuple[Rule, re.Match[str]]]:
    """Yield the rules that a sentence meets, in their order; none for suppositions, others' words and pasted text."""
    if len(sentence) > SENTENCE:
        return
    plain = _QUOTE.sub(_without_own_words, _plain(_told(sentence)))
    if UNREAL.search(plain):
        return
    for rule in RULES:
        match = rule.pattern.search(plain)
        if match and not FRAME.search(plain[: match.start()]) and not ASKED.match(plain, match.end()):
            yield rule, match


_QUOTE = re.compile(r'(?<!\d)"[^"]*(?:"|$)|“[^”]*(?:”|$)|「[^」]*(?:」|$)')
_OWN_WORDS = re.compile(r"\b(?:i|my)\b|我")


def _without_own_words(quote: re.Match[str]) -> str:
    """Return a quotation, empty if somebody speaks of themself in it: that is hardly the user."""
    return '""' if _OWN_WORDS.search(quote[0]) else quote[0]


_CLAUSE_END = re.compile(
    r"[,;:—–()](?! ?\d{4}\b)|\b(?:and|but|with|where|who|which|while|because|so)\b"
    "|(?:而且|并且|但是?|因为|所以)|[和跟同与](?=我|爸|妈|父|老婆|老公|朋友|家人)"
)
_POLITE = re.compile(r"\b(?:nice|glad|pleased|great|happy) to meet you\b")
_PURPOSE = re.compile(_CLAUSE_END.pattern + r"|\b(?:to|for)\b")


def _memory(sentence: str) -> dict[str, object] | None:
    """Return the memory that a sentence makes by its first rule, or None."""
    matching = list(_matching(sentence))
    if not matching:
        return None
    rule, match = matching[0]
    memory: dict[str, object] = {"content": sentence, "memory_type": rule.memory_type, "importance": rule.importance}
    # Superseding a sentence that says two things would take the other one along.
    if rule.key and len({other.name for other, _ in matching} - {"preference"}) == 1 and _says_nothing_else(match):
        thing = next((value for value in match.groupdict().values() if value), None)
        memory["key"] = f"{rule.key} {thing}" if thing else rule.key
    memory["metadata"] = {"source": f"rule:{rule.name}"}
    return memory


def _says_nothing_else(match: re.Match[str]) -> bool:
    """Say whether the clauses before and after the one that a rule met are fillers: "Well, I live in Oslo, you know"."""
    before, after = match.string[: match.start()], _POLITE.sub("", match.string[match.end() :])
    return not any(map(_telling, [*_CLAUSE_END.split(before), *_PURPOSE.split(after)[1:]]))
