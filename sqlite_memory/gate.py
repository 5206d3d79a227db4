"""What may be written: the rules that keep noise out of the memory.

Whether an argument is sound at all is checked in `incoming`; duplicates are met in the layer, inside its transaction.
"""

from __future__ import annotations

from collections.abc import Mapping

from .text import normalise, runs, weight

NOISE = frozenset(
    """
    ok okay okey k kk yes yeah yep yup no nope nah sure fine good great nice cool right alright thanks thank you thx ty
    please welcome hi hello hey there bye goodbye lol haha hahaha hmm hm oh ah uh um wow got it i see sounds
    好 好的 好吧 好呀 好啊 好哒 嗯 嗯嗯 嗯呢 恩 哦 哦哦 噢 啊 呀 哈 哈哈 哈哈哈 呵呵 嘻嘻
    是 是的 是啊 对 对的 对啊 行 行吧 可以 没问题
    谢谢 谢谢你 多谢 感谢 不客气 收到 明白 明白了 知道了 了解 你好 您好 嗨 再见 拜拜 早 早安 晚安 没事 不用
    """.split()
)
"""Words that carry nothing by themselves; a text of nothing else is refused."""


def refusal(content: str, importance: float, min_importance: float, policy: Mapping[str, float]) -> str | None:
    """Return why remember() does not keep `content`, or None when it does."""
    if weight(content) < policy["min_length"]:
        return "too short"
    if is_noise(content):
        return "only an acknowledgement"
    if importance < min_importance:
        return "below the importance floor"
    return None


def is_noise(content: str) -> bool:
    """Tell whether the text consists of acknowledgements, greetings and fillers only."""
    found = [run.text for run in runs(normalise(content))]
    return all(word in NOISE for word in found)
