"""Lines that hold something sensitive, and lines that only look so; every number is made up, its checksum worked out.

What looks like a live key is put together from parts, so that a scanner of this repository finds none.
"""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """A text, and the kind that has to be found in it."""

    text: str
    kind: str


def card(body: str) -> str:
    """Return a card number: `body` and its Luhn digit."""
    digits = [int(digit) for digit in reversed(body)]
    total = sum(sum(divmod(2 * digit, 10)) if place % 2 == 0 else digit for place, digit in enumerate(digits))
    return body + str(-total % 10)


def identity(body: str) -> str:
    """Return a Chinese identity number: 17 digits and their check character after GB 11643."""
    total = sum(int(digit) * (2 ** (17 - place) % 11) for place, digit in enumerate(body))
    return body + "10X98765432"[total % 11]


def iban(country: str, account: str) -> str:
    """Return an IBAN with its two check digits after ISO 7064."""
    as_number = "".join(str(int(character, 36)) for character in account + country + "00")
    return f"{country}{98 - int(as_number) % 97:02d}{account}"


def groups(number: str, size: int = 4, between: str = " ") -> str:
    """Return `number` in groups."""
    return between.join(number[start : start + size] for start in range(0, len(number), size))


def full_width(text: str) -> str:
    """Return `text` with full-width digits."""
    return text.translate({ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)})


VISA = card("411122223333444")
MASTER = card("530011112222333")
AMEX = card("37001234567890")
UNION = card("622202111122223333")
SHORT_UNION = card("622588112233445")
PERSON = identity("11010119900307123")
OTHER_PERSON = identity("44030619851120002")
GERMAN = iban("DE", "370400440532013111")
BRITISH = iban("GB", "WEST12345698765499")
DUTCH = iban("NL", "ABNA0417164399")
NORWEGIAN = iban("NO", "86011117999")

SENSITIVE = (
    Line("pin 4821 for the front door", "password"),
    Line("The door code is 4417#", "password"),
    Line("The gate code: 4417", "password"),
    Line("The alarm code is 7731", "password"),
    Line("The combination of the safe is 12-34-56", "password"),
    Line("my recovery code: 8XK2-PQ9L-77TD", "password"),
    Line("my secret is s3cr3tValue", "password"),
    Line("secret: s3cr3tValue", "password"),
    Line("client secret = s3cr3tValue9", "password"),
    Line("保險箱密碼係 9527", "password"),
    Line("門禁碼是 4417", "password"),
    Line("门禁码4417", "password"),
    Line("大门密码是1234#", "password"),
    Line(f"我的身份证号是{PERSON}", "identity number"),
    Line(f"身份证：{full_width(PERSON)}。", "identity number"),
    Line(f"证件号 {PERSON[:6]} {PERSON[6:14]} {PERSON[14:]}，帮我填一下", "identity number"),
    Line(f"我爸的身份证是{OTHER_PERSON[:6]}-{OTHER_PERSON[6:14]}-{OTHER_PERSON[14:]}", "identity number"),
    Line(f"ID card {OTHER_PERSON.lower()} belongs to me", "identity number"),
    Line("护照号码是E87654321", "identity number"),
    Line("my passport number is X1234567", "identity number"),
    Line("社保号：33010619770415221", "identity number"),
    Line("My SSN is 512-83-4471", "identity number"),
    Line("social security number 512 83 4471", "identity number"),
    Line("ssn: 512834471", "identity number"),
    Line("驾驶证号310112198712043", "identity number"),
    Line(f"my card is {VISA}", "bank card"),
    Line(f"Visa {groups(VISA)}, exp 09/29", "bank card"),
    Line(f"charge {groups(VISA, 4, '-')} please", "bank card"),
    Line(f"since 2024 {groups(MASTER)} 321", "bank card"),
    Line(f"Amex {AMEX[:4]} {AMEX[4:10]} {AMEX[10:]}", "bank card"),
    Line(f"工资卡 {UNION}", "bank card"),
    Line(f"卡号：{groups(UNION)}，建行的", "bank card"),
    Line(f"银行卡{full_width(groups(SHORT_UNION))}", "bank card"),
    Line(f"it is {' '.join(VISA)}", "bank card"),
    Line(f"card\u3000{groups(MASTER, 4, chr(0x2013))}", "bank card"),
    Line("我的银行账号是 4321 0987 6655 1", "bank card"),
    Line("the CVV is 431", "bank card"),
    Line(f"IBAN {GERMAN}", "iban"),
    Line(f"send it to {groups(GERMAN)} today", "iban"),
    Line(f"my account: {BRITISH.lower()}", "iban"),
    Line(f"请汇到{groups(DUTCH)}", "iban"),
    Line(f"{NORWEGIAN} is the new one", "iban"),
    Line("我的密码是 Xiaoniao88", "password"),
    Line("WiFi密码：sunflower88", "password"),
    Line("邮箱密码改成了Lan!tian9", "password"),
    Line("口令为：Open-Sesame9", "password"),
    Line("登录密码是“abcd1234”", "password"),
    Line("银行卡密码是 719305", "password"),
    Line("验证码是 482913", "password"),
    Line("动态码 60217", "password"),
    Line("my password is hunter", "password"),
    Line("My Gmail password is Tr0mbone!", "password"),
    Line("the password for the router is admin123", "password"),
    Line("Password: tiger-lily", "password"),
    Line("our wifi password is bluewhale.", "password"),
    Line("my passcode's 7391", "password"),
    Line("My PIN is 4821", "password"),
    Line("pwd=s3same", "password"),
    Line("the passphrase is “green apple tree”", "password"),
    Line("postgres://bob:s3cret@db.example/app", "password"),
    Line("your verification code is 771204", "password"),
    Line("use " + "sk-" + "a1B2c3D4e5F6g7H8i9J0", "api key"),
    Line("token " + "ghp_" + "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9", "api key"),
    Line("aws id " + "AK" + "IA" + "Q3EXAMPLE7EXAMPL", "api key"),
    Line("slack " + "xo" + "xb-1234567890-abcdefghij", "api key"),
    Line("令牌：9f8a7b6c5d4e3f2a1b0c", "api key"),
    Line("api_key=Zx81kQ0pLm22vN7t", "api key"),
    Line("secret: 'kQ0pLm22vN7tZx81'", "api key"),
    Line("Authorization: Bearer " + "ey" + "J0eXAiOiJKV1Qi." + "ey" + "JzdWIiOiI0MiJ9.c2lnbmF0dXJl", "api key"),
    Line("key is 5f2b8c1d-9e3a-4b7c-8d6e-1f0a2b3c4d5e", "api key"),
    Line("glpat" + "-" + "x1y2z3a4b5c6d7e8f9g0", "api key"),
    Line("-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEow\n-----END RSA PRIVATE " + "KEY-----", "private key"),
    Line("-----BEGIN OPENSSH PRIVATE " + "KEY-----\nb3BlbnNz", "private key"),
    Line("我的手机号是13912345678", "phone"),
    Line("打我电话 139 1234 5678", "phone"),
    Line("手机1\u200b3912345678", "phone"),
    Line("座机 0571-87654321", "phone"),
    Line("+86 139-1234-5678", "phone"),
    Line("call me at (415) 555-0123", "phone"),
    Line("my number is +44 20 7946 0123", "phone"),
    Line("write to ada.l+notes@example.org", "email"),
    Line("邮箱ada@example.com。", "email"),
    Line("I live at 12 Juniper Street", "address"),
    Line("寄到杭州市西湖区桂花路138号", "address"),
    Line("I was diagnosed with diabetes", "health"),
    Line("我有高血压", "health"),
    Line("My salary is 4,200 a month", "finance"),
    Line("我的房贷还有二十年", "finance"),
    # Traditional characters
    Line("我的密碼：abc12345", "password"),
    Line("密碼是 abc12345", "password"),
    Line("驗證碼是482133", "password"),
    Line("銀行卡號6222 0212 3456 7890 123", "bank card"),
    Line("銀行帳號 6222021234567890", "bank card"),
    Line("银行帐户：43210987665", "bank card"),
    Line("安全碼是 123", "bank card"),
    Line("身分證字號A123456789", "identity number"),
    Line("護照號碼是 K12345678", "identity number"),
    Line("香港身份證 A123456(7)", "identity number"),
    Line("記住，我有高血壓", "health"),
    Line("我對花生過敏", "health"),
    Line("我得了憂鬱症", "health"),
    Line("我的電話是0912345678", "phone"),
    Line("我住在中山路12號3樓", "address"),
    # Other orders of words
    Line("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "api key"),
    Line("user: ann pass: s3cr3t!x", "password"),
    Line("I use hunter2 as my password", "password"),
    Line("I use hunter as my bank password.", "password"),
    Line("我用 hunter2 当密码", "password"),
    Line("我把hunter2设为银行密码", "password"),
    Line("支付密码 884422", "password"),
    Line("登录密码884422", "password"),
    Line("密码是一二三四五六", "password"),
    Line("pwd Tr0ub4dor", "password"),
    Line("pw: hunter2!x", "password"),
    Line("site: example.com, pass: s3cr3t!x", "password"),
    Line("恢复短语：legal winner thank year wave sausage", "password"),
    Line("帳號 62220212345678901", "bank card"),
    Line("seed phrase: legal winner thank year wave sausage", "password"),
    Line("my recovery phrase is legal winner thank year wave sausage worth useful", "password"),
    Line("助记词是 legal winner thank year wave sausage", "password"),
    Line("助记词：的 一 是 在 不 了 有 和 人 这 中 大", "password"),
    # Numbers of other countries
    Line("My NINO is AB123456C", "identity number"),
    Line("national insurance number AB 12 34 56 C", "identity number"),
    Line("Aadhaar 1234 5678 9012", "identity number"),
    Line("PAN card ABCDE1234F", "identity number"),
    Line("DNI 12345678Z", "identity number"),
    Line("my NIE is X1234567L", "identity number"),
    Line("codice fiscale RSSMRA85T10A562S", "identity number"),
    Line("CPF 123.456.789-09", "identity number"),
    Line("my number is 555-123-4567", "phone"),
    # Digits as words
    Line("four one one one two two two two three three three three four four four eight", "bank card"),
    Line("卡号是四一一一二二二二三三三三四四四八", "bank card"),
    Line("打一三九一二三四五六七八找我", "phone"),
    # Sums
    Line("I earn 5000 euros a month", "finance"),
    Line("I earn five thousand euros a month", "finance"),
    Line("I make 85k a year", "finance"),
    Line("I get paid 3000 euros a month", "finance"),
    Line("I owe the bank 20000", "finance"),
    Line("我月入三万", "finance"),
    Line("我每个月挣八千块", "finance"),
    Line("我欠了银行二十万", "finance"),
)
"""Lines that hold one thing each; what is not found is a miss."""

HARMLESS = (
    "The safe is in the office",
    "The door code was changed last week",
    "pin 2024 notes to the top of the list",
    "My secret is that I love 80s music",
    "The secret: 5 minutes of rest",
    "大门在3号楼",
    "The lock code of conduct",
    "use error code 4417",
    "PIN 5 digits long",
    "safe combination of 3 drugs",
    "building code 2018 applies",
    "Pin 1000 photos to the board",
    "recovery code is stored in Bitwarden",
    "secret santa 2024 gift is a book",
    "密码是什么",
    "我忘记密码了",
    "密码要定期更换",
    "my password is not strong enough",
    "The password is required",
    "Passwords are hashed with argon2",
    "please reset my password",
    "the pin is in the drawer",
    "pin the note to the top",
    "version 1.2.3.4.5.6.7.8.9.10.11.12",
    "pi is 3.14159265358979",
    "order 2024110512345678 has shipped",
    "the timestamp is 1700000000000",
    "ISBN 9787111213826",
    "git commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "api_key=user_settings_2024_final",
    "the token is expired and has to be renewed",
    "key: value_of_something_long",
    "room 4111, floor 12, 2024-11-05",
    "1234567890123456",
    "这台服务器有 16384 兆内存",
    "会议号 883 2201 5544",
    "他住在第 3 栋 502",
    "the drive takes 3 hours",
    "2026-11-29T21:42:10.123Z",
    "10.0.0.255:5432",
    "I like token-ring networks",
    "secret gardens are my favourite places",
    "Her number one priority is sleep",
    "卡号在背面",
    "def login(user: str, password: str) -> None",
    "password = os.environ['DB_PASSWORD']",
    "set the password to ${DB_PASSWORD}",
    "password: ********",
    "password=get_password()",
    "Password: required",
    "My password manager is Bitwarden",
    "My password manager is 1Password",
    "I use 1Password as my password manager",
    "I use Bitwarden for my passwords",
    "I use this as my password",
    "the password hint is blue",
    "The password field is red",
    "the password length is 12 or more",
    "password_hash = sha256(value)",
    "我的密码锁是ABUS",
    "密码箱是RIMOWA",
    "密码管理器是Bitwarden88",
    "密码提示是blue",
    "密碼鎖是ABUS",
    "我用 Bitwarden 做密码管理",
    "我把MUJI当密码本",
    "用 Python 作为密码学课程语言",
    "用 Excel 做密码表",
    "QQ账号 12345678",
    "密码错误3次",
    "密码最后修改于20240501",
    "验证码有效期 5 分钟",
    "I passed 3 exams",
    "密码6位数",
    "密码 8 位以上",
    "密码 SHA256 加密",
    "密码一二三",
    "passport 2026-05-01 expires",
    "passport expires 05.06.2031",
    "护照 20310506 到期",
    "身份证20310506到期",
    "護照2031-05-06到期",
    "I paid by credit card 120 euros",
    "信用卡 3000元",
    "seed phrase is a list of words that you keep",
    "the recovery phrase is stored with your lawyer and my mother",
    "boarding pass: QX12345",
    "El Nino 2015 was strong",
    "one two three four five six seven eight nine ten",
    "订单号码 12345678",
    "二零二四年一月一日",
)
"""Lines in which nothing is to be refused (of the classes secret, identity and card)."""

KNOWN_MISSES = (
    "密码是我的生日",
    "密码是六个八",
    "my password is correct horse battery staple",
    "the password I use everywhere starts with blue and ends with whale",
    "暗号就是芝麻开门",
    "my card, first half 4111 2222",
)
"""What no pattern here can see: passwords described or made of plain words, numbers in parts."""
