"""Words and characters that a query has for grammar's sake: they are not searched for unless there is nothing else."""

ENGLISH = frozenset(
    """
    a an the this that these those
    i me my mine myself we us our ours you your yours yourself he him his she her hers it its they them their theirs
    am is are was were be been being do does did doing done have has had having
    will would shall should can could may might must
    and or but if then else so because as than while though although
    of at by for with about into through during to from in on onto out off over under up down upon between
    not no nor only just also too very really quite even still again ever
    what which who whom whose when where why how
    there here some any all both each every much many more most other another such same own
    s t d m ll re ve don didn doesn isn wasn aren weren won couldn wouldn shouldn hasn haven hadn ain
    yes yeah ok okay oh well hey hi hello please thanks thank let lets get got
    """.split()
)
"""Function words, question words and fillers; apostrophes split words, hence `don` and `t`."""

CHINESE = frozenset(
    """
    的 了 吗 呢 吧 啊 呀 哦 嗯 哎 嘛 啦 哇 哈 嘿 唉 诶 额 喂 噢 着 过 地 得 之 所
    我 你 您 他 她 它 们 我们 你们 您们 他们 她们 它们 咱 咱们 自己 大家
    是 在 有 和 与 及 以及 或 或者 跟 就 都 也 还 还是 又 再 才 只 只是 很 太 最 更 真 不 没 没有 别 被 把 让 给 对 对于 关于
    从 到 向 于 以 由 用 将 使 则 便 等 当 时 为 为了 因 因为 所以 但 但是 可是 不过 而 而且 并 并且 如果 那么 然后
    这 那 这个 那个 这些 那些 这样 那样 这里 那里 这儿 那儿 这边 那边 这么 其 该 此
    什么 甚么 啥 谁 哪 哪个 哪些 哪里 哪儿 怎么 怎样 怎么样 么样 如何 咋 为什么 为何 多少 几 何 么 怎 是不是 是否 有没有
    一个 一下 一些 一点 一样 一定 一直 一 个 会 能 可以 可能 应该 要 想 想要 需要 请 请问 知道 告诉 觉得 感觉 说 好 来 去 做
    时候 到底 现在 其实 实际上 真的 真是 真正 有点 有些 有点儿 比较 非常 特别 已经 另外 好像 当然 起来 出来 来着
    """.split()
)
"""The same in Chinese, as search-mode segmentation cuts them."""

STOP_WORDS = ENGLISH | CHINESE

STOP_CHARACTERS = frozenset(
    "的了吗呢吧啊呀哦嗯哎嘛啦哇哈着之我你您他她它们咱是在有和与及或跟就都也还又再才很太最更不没被把让给对从向于以为因所但而且"
    "如果那么这其该此什甚啥谁哪怎何几请个一"
)
"""Characters that are nearly always grammar. 地 得 能 会 来 做 好 stay: they are parts of words such as 地点 and 能力."""
