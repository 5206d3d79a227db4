"""Hold the rules by which a sentence states who the user is, what they like or want done, what they decided.

It leaves to `conversation` which sentences are read and what memory comes of one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """What a normalised sentence looks like that states something, and what memory it makes."""

    name: str
    memory_type: str
    importance: float
    key: str | None
    pattern: re.Pattern[str]


_JOB = (
    "engineer|developer|programmer|designer|architect|teacher|professor|lecturer|tutor|nurse|doctor|surgeon"
    "|dentist|vet|"
    "lawyer|accountant|consultant|manager|director|analyst|scientist|researcher|writer|author|editor|translator|"
    "journalist|artist|musician|photographer|actor|actress|chef|cook|baker|barista|waiter|driver|pilot"
    "|farmer|gardener|"
    "carpenter|electrician|plumber|mechanic|salesperson|student|undergraduate|freelancer|entrepreneur"
    "|founder|librarian|"
    "pharmacist|therapist|psychologist|coach|trainer|firefighter|soldier|veteran|barber|tailor|pensioner"
)
_SO = (
    "(?:(?:really|absolutely|truly|also|always|usually|generally|much|strongly|personally|still|just|do|now|no longer"
    "|simply|especially)"
    " ){0,3}"
)
_CHAT = (
    "(?!to(?: say)?[.!,]|to (?:say|admit|ask|bother|interrupt) |(?:the|all the|it|that|this|these|those|them|him|her|their|you|your|yours|how|what"
    "|when|where|hearing|seeing|to hear"
    "|to see|everything|to know|to think|our (?:chats?|talks?|conversations?)|talking (?:to|with)|chatting|makes?"
    r"|(?:being|\w{2,12}ing) (?:it|them|this|that|these|those|here|there|in places))\b)"
)
_BUSINESS = (
    "business|company|shop|store|bakery|restaurant|caf[eé]|bar|pub|studio|farm|start-?up|agency|firm|salon|gym|clinic"
    "|hotel|hostel|school|kindergarten|gallery|practice|workshop|brewery|vineyard|bookshop|bookstore|hairdresser's"
)
_PLACE = (
    "(?:house|home|flat|apartment|studio|room|town|city|village|farm|country(?:side)?|coast|suburbs?|island|mountains?|sea(?:side)?"
    "|cent(?:er|re)|north|south|east|west|netherlands|philippines|us|usa|uk|united)"
)
_ORDER = (
    "(?:use|answer|reply|respond|write|call|ask|include|explain|show|give me|start|end|format|add|send|put"
    "|check|run|speak"
    r"|quote|cite|translate|follow|list|address|mention|tell me|avoid|keep (?:your|the|all|it|replies"
    r"|answers|responses))\b"
)
_HAN_SO = (
    "(?:个人|自己|真的|平时|平常|一直|从小|也|还|就|都|只|最|很|特别|非常|比较|更|超级?|挺|蛮"
    "|不太|不怎么|不是很|不再|不|本来|其实|总是|现在|如今|已经){0,4}"
)
_HAN_KIN = "(?:妻子|老婆|太太|丈夫|老公|儿子|女儿|哥哥|弟弟|姐姐|妹妹|妈妈|爸爸|的?狗|的?猫)"


def _rule(name: str, memory_type: str, importance: float, key: str | None, *patterns: str) -> Rule:
    return Rule(name, memory_type, importance, key, re.compile("|".join(patterns)))


RULES = (
    _rule(
        "allergy", "fact", 8.0, None,
        r"\bi(?:'m| am)(?: \w{1,12})? allergic to \w", "我对[^,，。;；!！?？]{1,12}过敏(?!吗)",
    ),
    _rule(
        "name", "fact", 7.0, "name",
        r"\bmy (?:full |first |real |nick)?name(?:'s| is) (?!on\b|in\b|not\b|mud\b)\w",
        r"\b(?:please|you can|everyone can) call me (?!back|later|at\b|on\b|an?\b|names\b|stupid|crazy|silly|old\b|when|if\b|any|tomorrow|tonight|today)\w",
        r"^(?:and |so |just |ok,? |hi,? |hello,? )?call me (?!back|later|at\b|on\b|in\b|an?\b|the\b|when|if\b|any|some|tomorrow"
        r"|tonight|today|now\b|soon|first|again|crazy|maybe|old|stupid|silly|names\b|what|once|before|after|ish)"
        r"[a-z][\w'-]{0,20}(?: [a-z][\w'-]{1,20})?[.!]?$",
        "我(?:的名字|的全名|的英文名|的昵称)(?:叫|是)|(?:请|可以|以后|就|都)叫我(?![去来到起做过回们])",
        "(?:^|[,，。;；:：!！ ])叫我(?![去来到起做过回们吃喝帮看等一下什])[^,，。!！]{1,8}?(?:就行|就好|就可以|即可|就得了|吧)了?[。!！]?$",
        "(?:^|[,，。;；:：!！ ])我叫(?![做了他她它你醒车到上来住人什外不])",
    ),
    _rule(
        "home", "fact", 6.5, "home",
        r"\bi (?:now |currently |still )?(?:live|reside) (?:in|near|on) (?!a (?:world|bubble|dream|nightmare)|the (?:moment|past|present)"
        r"|fear|hope|constant|pain|peace|coffee|my own)",
        r"\bi(?:'m| am) (?:now |currently )?(?:based|living) in (?!a (?:world|bubble|dream|nightmare)|fear|hope)",
        rf"\bi(?:'ve| have)? (?:just |recently )?moved to (?!tears|(?:dark|light) mode|(?:an?|the|this|that) (?!(?:[\w-]{{1,15}} ){{0,3}}{_PLACE}\b))",
        "我(?:们)?(?:家)?(?:现在|目前|一直|全家)?(?:就)?(?:住在|定居在|定居于|搬到|搬去|家在)(?!哪|一起|装修|搬|修|新?办公|楼[上下]|隔壁)|我家住",
    ),
    _rule(
        "origin", "fact", 6.0, None,
        r"\bi(?:'m| am| come) (?:originally )?from (?!the (?:start|beginning)|what|now)",
        r"\bi (?:was born|was raised|grew up) (?:in|on|near|at)\b",
        "我(?:是)?(?:来自|出生在|出生于|老家在|老家是)|我的?(?:老家|家乡)(?:在|是)|我从小在.{1,12}长大",
    ),
    _rule(
        "work", "fact", 6.5, "work",
        rf"\bi(?:'m| am) (?:currently |now )?an? (?!former|ex-|would-be|wannabe|aspiring|good|great|better|decent|bad|new driver|terrible|lousy|slow|fast)"
        rf"(?:[\w-]{{1,20}} ){{0,3}}(?:{_JOB})s?\b(?!')",
        r"\bi work (?:as|at|for) (?!it|the moment|that|hours|me|\d|home\b|nights?\b|weekends|my own|myself|free\b|fun\b|(?:the )?money\b|a living|(?:hard|long|much|fast|well) as)",
        rf"\bi (?:run|own) (?:an?|my own) (?:[\w-]{{1,20}} ){{0,3}}(?:{_BUSINESS})\b",
        r"\bmy job is (?!to|so|really|very|done|getting|keeping)",
        "我(?:现在|目前)?(?:是|当|做)(?:一?[名个位]).{0,14}(?:师|员|医生|护士|经理|学生|研究生|博士生"
        "|大学生|作家|画家"
        "|司机|律师|会计|编辑|记者|警察|军人|老板|教授)",
        r"我(?:现在|目前)?是(?:(?![的不他她你])[\u4e00-\u9fff]){0,8}?(?:师|(?:程序|飞行|快递|公务|教|研究|驾驶|保险|运动|销售"
        "|售货|服务|管理|技术|检察|消防|清洁|演)员|医生|护士|经理|学生|研究生|博士生"
        "|大学生|作家|画家|司机|律师|会计|编辑|记者|警察|军人|老板|教授)(?=[,，。;；!！]|$)",
        "我(?:现在|目前)?在(?!家里?[工上]|等|努力|认真|加班|想|找).{1,20}(?:工作|上班|任职|读书|上学|读研|读博|实习|当老师)(?!的|过|吗)",
        "我的?(?:职业|工作|专业)是(?!最|真)",
    ),
    _rule(
        "age", "fact", 6.0, "age",
        r"\bi(?:'m| am| just turned| turned) \d{1,3}(?: years old|(?=[.!,]? ?$))",
        r"我(?:今年|现在|刚满|已经)(?:\d{1,3}|[一二三四五六七八九十]{1,3})岁|我(?:\d{1,3}|[一二三四五六七八九十]{1,3})岁(?=[了啦啊,，。;；!！ ]|$)",
    ),
    _rule(
        "birthday", "fact", 7.0, "birthday",
        r"\bmy birthday(?:'s| is) (?:on |in )?(?:the )?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
        "我的?生日(?:是|在)",
    ),
    _rule(
        "family", "fact", 6.0, None,
        r"\bi(?:'ve| have)(?: got)? (?:\d{1,2}|an?|one|two|three|four|five) (?:[\w-]{1,15} ){0,2}(?:kids?"
        r"|child|children|sons?"
        r"|daughters?|brothers?|sisters?|siblings?|twins?|dogs?|cats?|pets?|puppy|kitten|wife|husband)\b",
        r"\bmy (?:wife|husband|partner|son|daughter|brother|sister|mom|mum|mother|dad|father|dog|cat|puppy"
        r"|kitten|boyfriend"
        r"|girlfriend)(?:'s name| is called| is named)",
        r"我(?:家)?(?:有|养了)(?:\d{1,2}|[一二两三四五])[个只条位].{0,6}(?:儿子|女儿|孩子|哥哥|弟弟|姐姐"
        r"|妹妹|狗|猫|宠物)",
        f"我{_HAN_KIN}(?:的名字)?叫(?!我|你|他|她|了|醒|个|得)",
    ),
    _rule(
        "favourite", "preference", 6.0, "favourite",
        r"(?<!one of )\bmy (?:all-time |absolute )?favou?rite (?P<thing>(?!things?\b|ones?\b|parts?\b|photo"
        r"|picture|moment|memor)[a-z][\w '-]{1,20}?) (?:is|are) (?!that|this|when|how|for|not\b|on\b|at\b|losing|winning|playing)",
        r"我最(?:喜欢|爱)的(?P<事>[^,，。！!?？\s是]{1,12})(?:就)?是",
    ),
    _rule(
        "preference", "preference", 6.0, None,
        rf"\bi {_SO}(?:like|love|prefer|enjoy|hate|dislike|adore|can't stand) {_CHAT}\w",
        rf"\bi (?:don't|do not) (?:really )?(?:like|enjoy|eat|drink) {_CHAT}\w|\bi never (?:eat|drink|wear|watch) ",
        r"\bi(?:'m| am) (?:a )?(?:(?:really|very|so|quite|big|huge) ){0,3}(?:into|fond of|fan of) (?!it\b"
        r"|that\b|this\b|them\b|you)",
        r"\bi(?:'m| am) (?:a )?(?:strict )?(?:vegetarian|vegan|pescatarian|teetotal)|^one of my favou?rite ",
        f"我{_HAN_SO}(?:喜欢|喜爱|爱吃|爱喝|爱看|爱听|爱玩|偏好|偏爱|讨厌|反感|习惯(?!了)|受不了|吃不惯|钟爱|热爱)"
        "(?!你|您|这|那样|那个|啊|呀|[^,，。]{0,12}的那[种个]|它|他|她|上了?你|的|吗|什么|[,，。!！]|$)",
        "我(?:从来?)?(?:不吃|不喝|吃素)(?!了|饭|药|下|完)",
    ),
    _rule(
        "remember", "fact", 7.0, None,
        r"^(?:and |also |ok,? )?(?:please )?(?:remember|keep in mind|bear in mind|note)"
        r" that (?:i|my|we|our|the|he|she|they|his|her|their)\b",
        r"^(?:and |also |ok,? )?please remember:? (?:i|my|we|our|the)\b(?! time)",
        "^(?:请|你要|要|麻烦)?(?:帮我|替我|给我)?(?:记住|记一下|记下)[,，:： ]?(?:[我他她]|(?!以后|今后)[^,，。别要]{1,8}[是在])(?!了)",
    ),
    _rule(
        "instruction", "preference", 7.0, None,
        rf"^(?:and |also |so |ok,? |btw,? )?(?:please )?(?:always|never) {_ORDER}",
        rf"\b(?:from now on|in (?:the )?future|going forward|for future reference),? (?:please|always|never"
        rf"|you|don't|{_ORDER})",
        r"\bplease\b.{1,80}\b(?:from now on|every time|in (?:the )?future)\b",
        r"\bplease (?:(?:do not|don't) (?:use|write|add|include|call me|reply|answer|send me)|avoid |keep"
        r" (?:your|all|replies|answers)\b)",
        r"\bplease (?:answer|reply|respond|address me|write to me|talk to me) (?:in|with|as|only|briefly)\b",
        "(?:以后|今后|往后|从现在开始|从现在起|从今以后|从今往后|下次|每次)[^,，。]{0,10}?(?:请|(?<!特)别"
        "|不要|不用|记得|必须|给我|帮我|叫我|称呼)",
        "(?:以后|今后|往后|从现在开始|从现在起|从今以后|下次|每次)[^,，。我]{0,6}?用[^,，。]{1,8}?(?:回答|回复|答复|跟我|和我|写代码|交流)",
        "^(?:请|你要|要|麻烦)?(?:帮我|替我|给我)?(?:记住|记一下|记下)(?!了吗|我了)[,，:： ]?.{4}",
        "请(?:你)?(?:一直|始终|务必|总是|永远|不要|别(?!担心|客气)|用.{1,10}(?:回答|回复|答复|写(?![一个出段篇封])|交流|格式)"
        "|只用|保持)",
        "(?:回答|回复|答案|输出|注释|总结)(?:时|的时候)?(?:请|要|尽量|最好|都)?(?:更|再)?(?:简洁|简短|详细"
        "|用中文|用英文|用英语|不要|别|控制在)",
        "^(?:不要|别)(?:再)?(?:用|使用|叫我|在回答|在回复)",
    ),
    _rule(
        "decision", "fact", 6.0, None,
        r"(?:^|[,.;:!—-] ?|\b(?:and|so|but|then|because|well|hi|hello|finally|actually|yesterday|today|week"
        r"|month) )(?:i|we)(?:'ve| have)? (?:(?:both|all|finally|just|also|now) ){0,2}(?:decided|agreed"
        r"|settled|opted)"
        r" (?:to|on|that(?!'s)|for|against|not|upon)\b(?! [.!])",
        r"\blet's (?:go|stick) with (?!you|it\b|that\b|this\b|\w+ing\b|[*\d])|\bthe (?:final )?decision is\b",
        r"\b(?:i|we)(?:'ll| will|'re going to|'m going to) (?:go with|stick with|switch to|adopt) (?!you"
        r"|it\b|that\b|this\b)",
        "(?<![没未])(?:我|我们|咱们|大家|最终|最后)(?:已经|刚刚|最终|最后|终于|商量后|都|一致|还是){0,3}(?:决定|选定"
        "|敲定|商定|定下来?)"
        "(?!不了|性|吗|因素|权|的时候)",
        "就(?:这么|这样)定|(?:我们|那|还是|最后|最终)就?(?:用|选|改用|换成|采用)[^,，。?？]{1,20}(?:吧|了)[。!！]?$",
    ),
)  # fmt: skip
UNREAL = re.compile(
    r"^(?:if|unless|imagine|suppose|assum(?:e|ing)|pretend|hypothetically|maybe|when i was)\b|^(?:如果|要是|假如|万一|也许)|\b(?:said|says|told"
    r" me|asked|quote)\b[:,]? [\"“]|\b(?:he|she|they|who|somebody|someone) (?:said|says|told|thinks?|thought)\b"
    r"|[他她谁](?:们)?(?:说|讲|觉得|认为)|听说|(?<![你我他她])的话,|but (?:i )?(?:came|moved) back"
    r"|\bin (?:the|this|that|my|our|a) (?:[\w&]{1,12} )?(?:game|story|novel|play|dreams?|campaign|role-?play)\b|(?:游戏|小说|故事|剧本|梦)[里中]"
)
"""What makes a supposition of a sentence, or somebody else's words."""
FRAME = re.compile(
    r"\b(?:thinks|says|claims|assumes|believes|insists|writes|wrote|dream(?:s|t|ed))\b"
    r"|(?<!\bi )(?<!\bi've )(?<!\bi just )(?<!\bthat )(?<!\bhaving )\bsaid\b|\b(?:people|everyone|they|you) (?:think|say|assume|believe)\b"
    r"|\b(?:translate|proofread|rewrite|rephrase|paraphrase|write|draft|lyrics|song|poem|(?:correct|fix|polish) \w)[^:]*:"
    r"|\b(?:if|whether|when|once|until|before|like|like to think|(?:let's )?say|be|not|never said|goes,?"
    r"|not true|do|did|would|should|could|can)(?: that)? $|n't (?:think|believe|say|mean)(?: that)? $"
    "|(?:翻译|润色|改写|修改|校对|仿写|造句|歌词|台词|句子|这句|写[一首段篇封个])[^:。]*[: ]"
    "|(?:(?<!我)(?<!你)说|认为|以为|觉得|写道[:“]{0,2}|梦见|梦到|那时候?|当时|当年|怀疑|假装|等|如果|要是)$"
)
"""What stands before a statement that is not the user's own: words of somebody else, a text to work on, a supposition."""
ASKED = re.compile("[吃喝看听玩做]?(?:什么|谁|哪|多少|几[点号月岁])|是不是|不是")
"""What follows the beginning of a statement that is a question without its mark."""
