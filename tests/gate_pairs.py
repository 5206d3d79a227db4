"""Pairs of an old and a new statement: `same` adds nothing, `against` contradicts, `other` is something else.

TUNED is what thresholds and word lists were chosen on; HELD_OUT was written afterwards and only measured.
"""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    """An old statement, a new one, and what it is to the old: same, against (number, date, negation) or other."""

    old: str
    new: str
    label: str


def _pairs(text: str, label: str) -> tuple[Pair, ...]:
    sides = (line.split("|") for line in text.splitlines() if line)
    return tuple(Pair(old.strip(), new.strip(), label) for old, new in sides)


_SAME = """
我喜欢简洁的回答 | 回答简洁点
我住在杭州 | 我家住杭州
我对花生过敏 | 花生过敏，我对花生过敏
我养了一只橘猫 | 我有一只橘猫
我平时喜欢周末去爬山 | 周末我喜欢爬山
请用中文回复我 | 请用中文回答
我在一家游戏公司做后端开发 | 我在游戏公司做后端开发
我妈妈是小学老师 | 我母亲是小学老师
我不吃香菜 | 我不要吃香菜
代码注释请写英文 | 写代码注释的时候请用英文
我最喜欢的颜色是墨绿色 | 我喜欢墨绿色
我的生日是5月12日 | 我生日是5月12日
我每天早上六点起床 | 我早上6点起床，每天
我讨厌开会 | 我很讨厌开会
我喝咖啡不加糖 | 咖啡我喝不加糖的
我女儿在学小提琴 | 女儿在学小提琴
请把文件保存成 markdown 格式 | 文件请保存为 Markdown 格式
我老婆是护士 | 我太太是护士
I like concise answers | Please keep answers concise
I live in Lisbon | I'm living in Lisbon
My favourite colour is teal | my favorite color is teal
I have two cats | I've got two cats
I don't eat pork | I do not eat pork
I work as a nurse | I am working as a nurse
My sister lives in Oslo | my sister is living in Oslo
I usually go running on Sunday mornings | I go running on Sunday morning
Please answer in French | Answer in French, please
I love spicy food | I really like spicy food
We use PostgreSQL for the billing service | The billing service uses PostgreSQL
My dog is called Biscuit | My dog's name is Biscuit
I'm vegetarian | I am a vegetarian
I prefer dark mode in the editor | dark mode in the editor, I prefer that
My mom is a retired pilot | My mother is a retired pilot
I always take the window seat | I take the window seat
Use tabs instead of spaces in Go code | In Go code, use tabs instead of spaces
I graduated from university in 2014 | I graduated university in 2014
"""
_AGAINST = """
会议在三点 | 会议在四点
我的生日是5月12日 | 我的生日是5月21日
我每天早上六点起床 | 我每天早上七点起床
我吃香菜 | 我不吃香菜
我喜欢开会 | 我讨厌开会
我周三有瑜伽课 | 我周四有瑜伽课
我养了两只猫 | 我养了三只猫
预算是5万元 | 预算是8万元
我喜欢详细的回答 | 我喜欢简洁的回答
我喝咖啡 | 我戒咖啡了，不喝咖啡
我会开车 | 我不会开车
我儿子今年上三年级了，个子1米3 | 我儿子今年上四年级了，个子1米4
I have two cats | I have three cats
I eat pork | I don't eat pork
My flight leaves on Monday | My flight leaves on Tuesday
I love meetings | I hate meetings
The budget is 5,000 euros | The budget is 7,500 euros
The demo is on March 3 | The demo is on March 13
I drink coffee every morning | I never drink coffee in the morning
My son is 7 years old | My son is 8 years old
I like long answers | I like short answers
We deploy on Friday afternoon | We don't deploy on Friday afternoon
I can swim | I can't swim
The standup is at 9:30 | The standup is at 10:30
"""
_OTHER = """
我妈妈是小学老师 | 我爸爸是小学老师
我住在杭州 | 我住在苏州
我对花生过敏 | 我对芒果过敏
我喜欢喝绿茶 | 我喜欢喝红茶
小王借了小李一百块 | 小李借了小王一百块
我哥哥喜欢爬山 | 我弟弟喜欢爬山
我女儿在学小提琴 | 我女儿在学钢琴
我从上海搬到北京 | 我从北京搬到上海
我喜欢咖啡 | 我喜欢咖啡，但是下午只喝无咖啡因的
我打算学钢琴 | 我学会钢琴了
我喜欢篮球 | 他喜欢篮球
我用苹果手机 | 我用华为手机
我喜欢猫胜过狗 | 我喜欢狗胜过猫
请用中文回复我 | 请用日语回复我
我的老板姓张 | 我的同事姓张
我妹妹在上海读大学 | 我妹妹的男朋友在上海读大学
My sister lives in Oslo | My brother lives in Oslo
I live in Lisbon | I live in Porto
Tom taught Anna to ski | Anna taught Tom to ski
I like green tea | I like black tea
I used to live in Berlin | I live in Berlin
I moved from Madrid to Rome | I moved from Rome to Madrid
My favourite colour is teal | My favourite food is ramen
I prefer tea to coffee | I prefer coffee to tea
I plan to learn the cello | I learned the cello
I like jazz | My wife likes jazz
I have a cat named Momo | I have a dog named Momo
I work at a bank in the city centre | I work at a museum in the city centre
Use tabs in Go code | Use spaces in Go code
I like coffee | I like coffee with oat milk from the shop on the corner
I always take the 7:30 train from the old harbour station to the office on weekdays | I always take the 7:30 bus from the old harbour station to the office on weekdays
Do I like sushi? | I like sushi
"""
_SAME_LATER = """
我习惯用深色主题 | 深色主题我用习惯了
我女朋友叫林月 | 林月是我女朋友
我每周一都要写周报 | 每周一写周报
我不喜欢太长的邮件 | 太长的邮件我不喜欢
我在成都读研究生 | 研究生在成都读
我儿子对牛奶过敏 | 儿子牛奶过敏
回答问题的时候先给结论 | 请先给结论再回答问题
我的车是白色的 | 我开一辆白色的车
我爱吃火锅 | 我很爱吃火锅
我们团队用飞书沟通 | 团队沟通用飞书
我奶奶今年八十岁 | 奶奶80岁了
我的电脑是十六寸的 | 我电脑十六寸
我习惯晚上写代码 | 晚上写代码是我的习惯
别用表情符号 | 不要用表情符号
我的英文名是 Cedric | 英文名 Cedric
单元测试用 pytest 写 | 请用 pytest 写单元测试
My daughter plays the violin | my daughter is playing violin
I take my tea without sugar | Tea without sugar for me
I grew up in a small village near Graz | I grew up in a village near Graz
My landlord is called Piotr | Piotr is my landlord
We meet every other Thursday | We meet on Thursday every other week
Don't use emojis in replies | No emojis in your answers please
I'm training for a marathon | I am in training for a marathon
The staging server runs on Debian 12 | our staging server is running Debian 12
I collect old fountain pens | Collecting old fountain pens is my hobby
My partner is a pastry chef | my partner works as a pastry chef
I drive a red van | I have a red van
I can read Arabic | I am able to read Arabic
I write all my notes in Markdown | All my notes are in Markdown
My grandmother turned 90 in June | In June my grandmother turned 90
I'm left-handed | I am left handed
I find open-plan offices distracting | Open-plan offices are distracting
"""
_AGAINST_LATER = """
我们周五发版 | 我们周五不发版
房租每月4200元 | 房租每月4800元
我每周跑步三次 | 我每周跑步五次
高铁票是早上的 | 高铁票是晚上的
我喜欢吃辣 | 我不能吃辣
体检约在9月3号 | 体检约在9月13号
我同意搬家 | 我不同意搬家
我身高一米七五 | 我身高一米七八
我已经订了酒店 | 我还没订酒店
我奶奶今年八十岁 | 我奶奶今年八十一岁
我会说法语 | 我不会说法语
项目截止到11月 | 项目截止到12月
I take sugar in my tea | I don't take sugar in my tea
My rent is 950 pounds | My rent is 1,050 pounds
I run three times a week | I run five times a week
The dentist is on 4 May | The dentist is on 14 May
I enjoy open-plan offices | I dislike open-plan offices
Our sprint ends on Wednesday | Our sprint ends on Thursday
I speak Dutch | I don't speak Dutch
The warranty lasts 2 years | The warranty lasts 5 years
I have a driving licence | I have no driving licence
Dinner is at 7pm | Dinner is at 8pm
The course starts in January | The course starts in February
I trust the new vendor | I don't trust the new vendor
"""
_OTHER_LATER = """
我女朋友叫林月 | 我妹妹叫林月
我喜欢在图书馆看书 | 我喜欢在咖啡馆看书
张伟把车卖给了刘洋 | 刘洋把车卖给了张伟
我的车是白色的 | 我的房子是白色的
我儿子对牛奶过敏 | 我儿子对鸡蛋过敏
我喜欢看书，不喜欢看电视 | 我喜欢看电视
我以前抽烟 | 我抽烟
我妈做的红烧肉很好吃 | 红烧肉很好吃
我的同事住在浦东 | 我住在浦东
单元测试用 pytest 写 | 集成测试用 pytest 写
我坐地铁上班，开车去超市 | 我开车上班
如果下雨我就不跑步 | 我不跑步
我弟弟比我高 | 我比我弟弟高
我想去冰岛旅行 | 我去冰岛旅行了
爸爸喜欢喝白酒，妈妈喜欢喝红酒 | 妈妈喜欢喝白酒
我只在周末喝酒 | 我喝酒
My daughter plays the violin | My daughter plays the cello
My daughter plays the violin | My neighbour's daughter plays the violin
Lena owes Marc a dinner | Marc owes Lena a dinner
I work with Marta at the clinic | I work with Pavel at the clinic
I like working with Marta but not with Pavel | I like working with Pavel
If it rains I take the bus | I take the bus
My cat is afraid of the vacuum cleaner | My dog is afraid of the vacuum cleaner
I might move to Ghent | I moved to Ghent
I write notes in Markdown and letters in LaTeX | I write letters in Markdown
The staging server runs on Debian 12 | The production server runs on Debian 12
My boss drives a red van | I drive a red van
I feed the cat and my sister walks the dog | I walk the dog
Alice manages Bob | Bob manages Alice
I only eat meat at weddings | I eat meat
I drink tea after lunch and coffee before | I drink coffee after lunch
The red notebook is for work | The blue notebook is for work
"""
_SAME_LAST = """
我每天喝两杯咖啡 | 每天喝2杯咖啡
我的狗叫豆豆 | 豆豆是我的狗
我不喜欢在早上开会 | 早上开会我不喜欢
我丈夫是消防员 | 我老公是消防员
我睡前看小说 | 我喜欢睡前看小说
报告用 PDF 发给我 | 报告请用 PDF 发给我
我对猫毛过敏 | 猫毛过敏
我正在学西班牙语 | 我在学西班牙语
我出生在大连 | 大连是我出生的地方
我女儿上幼儿园大班 | 女儿幼儿园大班
我一般十一点睡觉 | 我11点睡觉
别在回答里道歉 | 回答里不要道歉
我们公司在望京 | 公司在望京
我骑自行车上班 | 上班我骑自行车
I have three younger brothers | I've three younger brothers
My wife is from Chile | my wife comes from Chile
I study marine biology in Bergen | I'm studying marine biology in Bergen
Never apologise in your answers | Don't apologise in answers
I keep bees on the roof | I keep bees on the roof of my house
I hate long voice messages | I don't like long voice messages
Code reviews happen on Tuesday morning | Our code reviews are on Tuesday mornings
My favourite author is Ursula Vane | Ursula Vane is my favourite author
I play chess online every evening | I play online chess every evening
I'm allergic to penicillin | Penicillin: I'm allergic
Our office is on the sixth floor | Our office is on the 6th floor
I'd like metric units in recipes | Please use metric units in recipes
I own a small bakery | I have a small bakery
My son goes to a boarding school | My son is at boarding school
"""
_AGAINST_LAST = """
我每天喝两杯咖啡 | 我每天喝四杯咖啡
我们公司有五十人 | 我们公司有八十人
我对猫毛过敏 | 我对猫毛不过敏
面试在下周二 | 面试在下周三
我愿意出差 | 我不愿意出差
钢琴课是下午两点 | 钢琴课是下午三点
我支持远程办公 | 我反对远程办公
我的车牌尾号是7 | 我的车牌尾号是9
我喝酒 | 我从不喝酒
押金是三千块 | 押金是三千五百块
我习惯早睡 | 我习惯晚睡
合同签到2027年 | 合同签到2028年
I have three younger brothers | I have two younger brothers
I like long voice messages | I hate long voice messages
The concert is on Saturday | The concert is on Sunday
Our office is on the sixth floor | Our office is on the ninth floor
I'm allergic to penicillin | I'm not allergic to penicillin
My shoe size is 42 | My shoe size is 43
I want formal emails | I want casual emails
The lease ends in June 2027 | The lease ends in July 2027
I own a car | I don't own a car
The train takes 40 minutes | The train takes 55 minutes
I finished the thesis | I haven't finished the thesis
We ship on the first Monday | We never ship on the first Monday
"""
_OTHER_LAST = """
我的狗叫豆豆 | 我的猫叫豆豆
我丈夫是消防员 | 我邻居是消防员
我正在学西班牙语 | 我正在学葡萄牙语
李雷教韩梅做饭 | 韩梅教李雷做饭
我们公司在望京 | 我们公司在国贸
我打算买车 | 我买车了
我同学在大连工作 | 我在大连工作
我小时候住在海边 | 我住在海边
我吃鱼但是不吃虾 | 我不吃鱼
周末我喜欢睡懒觉 | 周末我喜欢打网球
我女儿上幼儿园大班 | 我侄女上幼儿园大班
要是加班我就打车回家 | 我打车回家
我用左边的显示器看文档 | 我用右边的显示器看文档
报告用 PDF 发给我 | 报告用 Word 发给我
我觉得苏州比杭州安静 | 我觉得杭州比苏州安静
我没有孩子，有一条狗 | 我有孩子
My wife is from Chile | My wife is from Peru
My wife is from Chile | My boss is from Chile
I study marine biology in Bergen | I study marine engineering in Bergen
Nora sent Felix the invoice | Felix sent Nora the invoice
I used to own a small bakery | I own a small bakery
I'm considering a boarding school for my son | My son is at boarding school
I keep bees on the roof | I keep hens on the roof
My favourite author is Ursula Vane | My favourite author is Orson Hale
I play chess with Ivo and tennis with Rosa | I play tennis with Ivo
I read fiction in bed and non-fiction at my desk | I read fiction at my desk
I drink wine only at weddings | I drink wine
My friend's son has three younger brothers | I have three younger brothers
Rent is paid by my employer | I pay my employer rent
The kitchen light is broken | The bathroom light is broken
Send the report to Ana, copy to Luis | Send the report to Luis, copy to Ana
I like the old version better than the new one | I like the new version better than the old one
"""
_SAME_UNSEEN = """
我习惯用番茄钟工作 | 工作的时候我用番茄钟
我的门锁品牌是云鹿 | 门锁品牌云鹿
我妹妹在读高二 | 妹妹读高二
我坐不了过山车 | 过山车我坐不了
我更喜欢纸质书 | 我喜欢纸质书
我在备考雅思 | 我正在备考雅思
帮我把金额都写成人民币 | 金额请都写成人民币
我每周二晚上上陶艺课 | 周二晚上我上陶艺课
我的笔名是白榆 | 我笔名叫白榆
我家有三只鸡 | 我家养了3只鸡
发邮件前先给我看 | 发邮件前请先给我看一下
我吃不了海鲜 | 海鲜我吃不了
I volunteer at an animal shelter | I'm volunteering at the animal shelter
I usually skip breakfast | I skip breakfast
My bike has a flat tyre | the bike has a flat tyre
Please write dates as day-month-year | Write dates as day-month-year
My uncle Bert runs a vineyard | Uncle Bert runs a vineyard
I moved here in 2019 | I moved here in the year 2019
I can't stand loud restaurants | I hate loud restaurants
I drink my coffee black | Black coffee is what I drink
We have twelve people in the team | The team has 12 people
Tests live in the folder named spec | tests live in the spec folder
I'm learning to sail | I am learning sailing
My favourite season is autumn | Autumn is my favourite season
"""
_AGAINST_UNSEEN = """
我每周二晚上上陶艺课 | 我每周四晚上上陶艺课
我家有三只鸡 | 我家有五只鸡
我吃海鲜 | 我吃不了海鲜，不吃海鲜
我需要发票 | 我不需要发票
活动在10月6日 | 活动在10月16日
我赞成这个方案 | 我反对这个方案
水电费是两百一十块 | 水电费是两百六十块
我戴眼镜 | 我不戴眼镜
I moved here in 2019 | I moved here in 2017
We have twelve people in the team | We have fifteen people in the team
I skip breakfast | I don't skip breakfast
The visa expires on 3 October | The visa expires on 30 October
I like quiet restaurants | I don't like quiet restaurants
My desk is on floor 4 | My desk is on floor 7
I smoke | I don't smoke
The shop opens at 8am | The shop opens at 10am
"""
_OTHER_UNSEEN = """
我妹妹在读高二 | 我表妹在读高二
我的笔名是白榆 | 我的网名是白榆
老周请老吴吃饭 | 老吴请老周吃饭
我在备考雅思 | 我在备考托福
我住三楼，我爸妈住五楼 | 我爸妈住三楼
我喜欢陶艺，我老公喜欢木工 | 我老公喜欢陶艺
发邮件前先给我看 | 发短信前先给我看
我本来想学法律 | 我想学法律
我女儿不吃海鲜 | 我不吃海鲜
如果预算够我就换车 | 我换车了
除了周末我都早起 | 我周末早起
阿梅嫁给了阿强的哥哥 | 阿梅嫁给了阿强
我帮邻居遛狗 | 邻居帮我遛狗
上海的分公司由小陈管，北京的由小林管 | 北京的分公司由小陈管
My uncle Bert runs a vineyard | My uncle Carl runs a vineyard
My bike has a flat tyre | My car has a flat tyre
I volunteer at an animal shelter | I volunteer at a food bank
I'm allergic to cats but not to dogs | I'm allergic to dogs
Mia's brother married my cousin | My brother married Mia's cousin
I wanted to study law | I studied law
The test server is red, the live server is green | The live server is red
I lent Otto my drill | Otto lent me his drill
I'd move to Spain if I had the money | I moved to Spain
Only Kim may edit the budget | Kim edits the budget
My desk is on floor 4 | My flat is on floor 4
I like autumn in Vermont | I like autumn in Kyoto
The cat sleeps on the sofa and the dog sleeps on the floor | The dog sleeps on the sofa
Everyone except Lee has signed | Lee has signed
"""
_SAME_FINAL = """
我不爱吃甜食 | 我不爱吃太甜的甜食
我的工位靠窗 | 我工位是靠窗的
我在练毛笔字 | 我平时在练毛笔字
请把结论放在最前面 | 把结论放最前面
我家住六楼 | 我住六楼
我晚上八点以后不看手机 | 晚上八点以后我不看手机
我对海鲜过敏 | 海鲜过敏
我用的是机械键盘 | 我用机械键盘
表格里的日期用数字写 | 表格里日期请用数字写
我女儿明年上小学 | 女儿明年上小学
我们组用敏捷开发 | 我们小组用敏捷开发
我骑电动车上下班 | 骑电动车上下班
I keep my receipts in a shoebox | My receipts are in a shoebox
I can't eat gluten | I cannot eat gluten
My knee hurts when I run | when I run my knee hurts
Please don't use bullet points | Do not use bullet points
I have a twin sister | I've a twin sister
The printer is on the second floor | the printer's on the 2nd floor
I only buy second-hand books | I buy only second-hand books
I write poems in Welsh | I'm writing poems in Welsh
My father repairs clocks | My dad repairs clocks
My phone is a Lumo 5 | I have a Lumo 5 phone
I swim on Wednesdays | On Wednesdays I swim
We release every two weeks | We release every 2 weeks
"""
_AGAINST_FINAL = """
我家住六楼 | 我家住九楼
我晚上八点以后不看手机 | 我晚上十点以后不看手机
我爱吃甜食 | 我不爱吃甜食
我女儿明年上小学 | 我女儿今年上小学，不是明年
我去过冰岛 | 我没去过冰岛
聚餐改到周日 | 聚餐改到周六
I can eat gluten | I can't eat gluten
We release every two weeks | We release every three weeks
I swim on Wednesdays | I swim on Fridays
The printer works | The printer doesn't work
My loan runs until 2031 | My loan runs until 2034
I believe in horoscopes | I don't believe in horoscopes
"""
_OTHER_FINAL = """
我女儿明年上小学 | 我外甥明年上小学
我对海鲜过敏 | 我对花粉过敏
大刘把钥匙给了小赵 | 小赵把钥匙给了大刘
我追她 | 她追我
哥哥送了弟弟一本书 | 弟弟送了哥哥一本书
我用机械键盘写代码，用平板画画 | 我用平板写代码
我怕狗，我妈怕猫 | 我妈怕狗
以前我们组用敏捷开发 | 我们组用敏捷开发
我会考虑学游泳 | 我会游泳
王敏是刘洋的上司 | 刘洋是王敏的上司
我答应周末加班 | 我答应周末陪孩子
医生建议我少喝咖啡 | 我少喝咖啡
听说公司要搬到郊区 | 公司搬到郊区了
朋友推荐我用机械键盘 | 我用机械键盘
我把猫送给了表姐 | 表姐把猫送给了我
我家楼下有面馆 | 我家楼下有药店
My father repairs clocks | My father repairs bicycles
I keep my receipts in a shoebox | I keep my photos in a shoebox
My sister asked me to visit our aunt | Our aunt asked me to visit my sister
Eve hired Noor | Noor hired Eve
I taught my neighbour chess | My neighbour taught me chess
I heard that the printer is broken | I broke the printer
My doctor told me to give up coffee | I gave up coffee
I own a canoe and my brother owns a kayak | I own a kayak
I drive to the gym and cycle to work | I cycle to the gym
My phone is a Lumo 5 | My tablet is a Lumo 5
I would never eat gluten on purpose | I eat gluten
It is false that I smoke | I smoke
I wish I had a twin sister | I have a twin sister
The red key opens the shed, the blue key opens the gate | The blue key opens the shed
"""
_SAME_ONCE = """
我不用社交软件 | 社交软件我不用
我的航班常坐靠过道的位子 | 坐航班我常坐过道位子
我在写一本科幻小说 | 我正在写科幻小说
我的血型是B型 | 我血型B型
我习惯先看目录 | 看书我习惯先看目录
我只买国产手机 | 只买国产手机
表格请用三线表 | 请用三线表做表格
我家的猫七岁了 | 我家猫7岁
I read the news at breakfast | I'm reading the news at breakfast
I always carry an umbrella | I carry an umbrella
My team is called Heron | The team's name is Heron
I sleep with the window open | I sleep with an open window
Please greet me in Danish | Greet me in Danish please
I hate phone calls | I don't like phone calls
My lease is for three years | The lease is for 3 years
I make my own soap | I'm making my own soap
"""
_AGAINST_ONCE = """
我家的猫七岁了 | 我家的猫九岁了
我用社交软件 | 我不用社交软件
毕业典礼在六月 | 毕业典礼在七月
我喜欢早起 | 我讨厌早起
My lease is for three years | My lease is for two years
I carry an umbrella | I never carry an umbrella
The choir meets on Mondays | The choir meets on Thursdays
I trust my notes app | I don't trust my notes app
"""
_OTHER_ONCE = """
我在写一本科幻小说 | 我在写一本推理小说
我的血型是B型 | 我儿子的血型是B型
老师表扬了小雨 | 小雨表扬了老师
我习惯先看目录 | 我同桌习惯先看目录
爷爷教爸爸下棋 | 爸爸教爷爷下棋
我家的猫怕生，狗不怕生 | 我家的狗怕生
我姐夫开出租车 | 我开出租车
假如搬家我就养狗 | 我养狗
我把红的给妹妹，蓝的给弟弟 | 我把红的给弟弟，蓝的给妹妹
I hate phone calls | My manager hates phone calls
I make my own soap | I make my own candles
Ruth forgave Dan | Dan forgave Ruth
My team is called Heron | My boat is called Heron
The upper drawer holds tools and the lower one holds paper | The lower drawer holds tools
I almost bought a harp | I bought a harp
I pretend to like opera | I like opera
I sleep with the window open in summer | I sleep with the window open in winter
My dentist said I grind my teeth | My dentist grinds her teeth
I used to carry an umbrella | I carry an umbrella
I dreamed that I quit my job | I quit my job
"""
_AGAINST_SHORT = """
The meeting is at 3pm | The meeting is at 4pm
会议在下午三点 | 会议在下午四点
会议在三月五日 | 会议在三月六日
The deploy window is Friday | The deploy window is Thursday
发布窗口是周五 | 发布窗口是周四
The user has two kids | The user has three kids
预算是五千元 | 预算是六千元
The first build failed | The second build failed
The user likes coffee | The user dislikes coffee
The user always wears a helmet | The user never wears a helmet
用户爱吃辣 | 用户不爱吃辣
周五能发布 | 周五不能发布
The trip is in May | The trip is in June
预算是5000元 | 预算是5万元
用户今年30岁 | 用户今年31岁
The user is 30 | The user is 31
用户有车 | 用户没有车
twenty-one students signed up | twenty students signed up
温度是-5度 | 温度是5度
The dose is 1,5 mg | The dose is 15 mg
The fee is 1.000 euros | The fee is 1 euros
The table has 10⁶ rows | The table has 106 rows
User lacks a driving licence for the company van in Hamburg | User has a driving licence for the company van in Hamburg
Nothing is allowed after 6 | Nothing is not allowed after 6
用户不能不去开会 | 用户不能去开会
The user can't not eat | The user can't eat
The backup runs at 02:00 | The backup runs at 03:00
备份在凌晨两点运行 | 备份在凌晨三点运行
The invoice is due on the fifth | The invoice is due on the sixth
one hundred and one seats | one hundred and two seats
利率是百分之三 | 利率是百分之四
The pool holds 1½ litres | The pool holds 11 litres
Minimum is minus 20 degrees | Minimum is 20 degrees
最低温度零下二十度 | 最低温度二十度
The user rarely drinks wine | The user often drinks wine
用户经常加班 | 用户很少加班
The parcel arrives tomorrow | The parcel arrives today
包裹明天到 | 包裹后天到
User has no siblings | User has siblings
用户已婚 | 用户未婚
用户缺乏管理经验 | 用户有管理经验
I am 30 | I am 31
我30岁 | 我31岁
"""
_OTHER_SHORT = """
The user denied stealing the laptop from the Hamburg office | The user stealing the laptop from the Hamburg office
The user's ex wife lives in Hamburg with two cats and a big garden | The user's wife lives in Hamburg with two cats and a big garden
The user's mother in law lives in Hamburg with two cats and a big garden | The user's mother lives in Hamburg with two cats and a big garden
The report for the board meeting in Oslo is almost finished this week | The report for the board meeting in Oslo is finished this week
用户的前女友住在汉堡，有两只猫和一个大花园，还在学德语和钢琴 | 用户的女友住在汉堡，有两只猫和一个大花园，还在学德语和钢琴
董事会的年度财务报告和预算表几乎完成了 | 董事会的年度财务报告和预算表完成了
Ann's assistant approves every invoice of the Hamburg office before payment | Ann approves every invoice of the Hamburg office before payment
The staging database server in Hamburg has twelve cores and plenty of memory | The database server in Hamburg has twelve cores and plenty of memory
I like tea | You like tea
我喜欢喝茶 | 你喜欢喝茶
✅ backup done | ❌ backup done
这家餐厅评分 👍 | 这家餐厅评分 👎
The user's grade is A | The user's grade is A-
Transfer goes A→B | Transfer goes B→A
Use repo a/b | Use repo b/a
Choose option a | Choose option i
latency a > b | latency b > a
我想要一只橘猫 | 我有一只橘猫
我需要一台新电脑 | 我有一台新电脑
I want a piano | I have a piano
The user's old phone is a Lumo 5 | The user's phone is a Lumo 5
We moved to Ghent | I moved to Ghent
The formula is x² plus y | The formula is x2 plus y
My blood type is A | My blood type is B
Use the file config.yml | Use the file config_yml/
The user's late father was a baker in Graz and taught him to bake bread | The user's father was a baker in Graz and taught him to bake bread
用户的养父在格拉茨当面包师，教会了他烤面包和做蛋糕 | 用户的父亲在格拉茨当面包师，教会了他烤面包和做蛋糕
The deputy head of the Hamburg office signs all contracts over ten thousand euros | The head of the Hamburg office signs all contracts over ten thousand euros
副总经理签署汉堡办公室所有超过一万欧元的合同 | 总经理签署汉堡办公室所有超过一万欧元的合同
The test account may read every table of the billing database at night | The account may read every table of the billing database at night
Nearly all of the Hamburg customers have paid their invoices this quarter | All of the Hamburg customers have paid their invoices this quarter
汉堡的客户差不多都付清了这个季度的发票 | 汉堡的客户都付清了这个季度的发票
The user should learn the cello | The user learned the cello
The link goes left ← right | The link goes left → right
今天心情 😀 | 今天心情 😢
我爱你 | 你爱我
The guard is x = 1 | The guard is x != 1
The tool is v2.10 | The tool is v2.1
The user loves dogs | The user has dogs
用户养猫 | 用户喜欢猫
The meeting is every Monday | The meeting is every other Monday
I never said I like tea | I like tea
用户不是不喜欢茶 | 用户喜欢茶
My big brother lives in Linz | My little brother lives in Linz
"""
_SAME_SHORT = """
我喜欢简洁的回答 | 回答简洁点
回答简洁点 | 我喜欢简洁的回答
The user is 30 | The user is 30 years old
用户今年30岁 | 用户30岁
预算是五万元 | 预算是5万元
twenty-one students signed up | 21 students signed up
User likes dark mode | The user likes dark mode
用户喜欢深色模式 | 用户偏好深色模式
The meeting is at 3pm | Meeting at 3 pm
The user has two kids | The user has 2 children
会议在下午三点 | 会议是下午3点
The fee is 1,000 euros | The fee is 1000 euros
The trip is in May | Our trip is in May
温度是-5度 | 温度是零下5度
I like tea | The user likes tea
我喜欢喝茶 | 用户喜欢喝茶
"""
# Written before the rules for the three lists above; one of these ("cannot") showed a gap that was mended.
_AGAINST_BLIND = """
The rehearsal is on Tuesday evening | The rehearsal is on Wednesday evening
彩排在周二晚上 | 彩排在周三晚上
The user weighs 72 kg | The user weighs 74 kg
用户体重72公斤 | 用户体重74公斤
The server has sixteen cores | The server has eight cores
用户养了四条鱼 | 用户养了五条鱼
The user eats meat | The user doesn't eat meat
用户吃肉 | 用户不吃肉
The user trusts the bank | The user distrusts the bank
The gate closes at 10:15 | The gate closes at 10:45
登机口十点一刻关闭 | 登机口十一点一刻关闭
The exam was in March | The exam was in April
考试在三月 | 考试在四月
The user can drive | The user cannot drive
用户会游泳 | 用户不会游泳
The user works on weekends | The user never works on weekends
用户周末加班 | 用户周末从不加班
The user's shoe size is 43 | The user's shoe size is 44
价格是三百二十元 | 价格是三百五十元
The loft has thirty-two windows | The loft has thirty windows
The user has pets | The user has no pets
用户有宠物 | 用户没有宠物
The user turned 40 | The user turned 41
The release is version 2 | The release is version 3
"""
_OTHER_BLIND = """
The former mayor of Graz opened the new library on the hill last spring | The mayor of Graz opened the new library on the hill last spring
格拉茨的前市长去年春天为山上的新图书馆剪彩并致辞 | 格拉茨的市长去年春天为山上的新图书馆剪彩并致辞
The user's stepmother runs a bakery in Linz | The user's mother runs a bakery in Linz
Half of the team speaks Czech | The team speaks Czech
You own a canoe | I own a canoe
你有一只独木舟 | 我有一只独木舟
Score: ⭐⭐ | Score: ⭐⭐⭐
Flow is X→Y | Flow is Y→X
Use plan b | Use plan c
The backup disk of the Hamburg office is full and must be replaced soon | The disk of the Hamburg office is full and must be replaced soon
The child ticket for the museum of modern art costs nine euros | The ticket for the museum of modern art costs nine euros
用户的副驾驶证明和保险单都放在书房左边的抽屉里 | 用户的驾驶证明和保险单都放在书房左边的抽屉里
"""
TUNED = (
    *_pairs(_SAME + _SAME_LATER + _SAME_LAST + _SAME_UNSEEN + _SAME_FINAL, "same"),
    *_pairs(_AGAINST + _AGAINST_LATER + _AGAINST_LAST + _AGAINST_UNSEEN + _AGAINST_FINAL, "against"),
    *_pairs(_OTHER + _OTHER_LATER + _OTHER_LAST + _OTHER_UNSEEN + _OTHER_FINAL, "other"),
)
HELD_OUT = (*_pairs(_SAME_ONCE, "same"), *_pairs(_AGAINST_ONCE, "against"), *_pairs(_OTHER_ONCE, "other"))
SHORT = (*_pairs(_SAME_SHORT, "same"), *_pairs(_AGAINST_SHORT, "against"), *_pairs(_OTHER_SHORT, "other"))
BLIND = (*_pairs(_AGAINST_BLIND, "against"), *_pairs(_OTHER_BLIND, "other"))
