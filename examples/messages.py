"""The messages of messages.txt: templates with their variants, disguised advertisements, chat, titles.

A variant fills the slots of a template; a disguise writes the same words so that a filter would not know them.
"""

import random

SEED = 20240301

# (template, values of its slots, one tuple a message). Written for this file.
TEMPLATES = [
    (
        "Northbank: your code is {}. It is valid for ten minutes. We never ask for it by telephone.",
        [("481920",), ("077315",), ("902266",), ("315577",), ("664013",), ("128840",)],
    ),
    (
        "Hello {}, your parcel {} will be delivered on {} between 9 and 12. Please keep your signature ready. Quillpost",
        [
            ("Maren", "QP-20771", "Tuesday"),
            ("Tobias", "QP-20814", "Tuesday"),
            ("Ines", "QP-20990", "Friday"),
            ("Halima", "QP-21002", "Friday"),
        ],
    ),
    (
        "Reminder: your appointment at the Linden dental practice is on {} at {}. To change it call 555 0134.",
        [("Monday", "8:30"), ("Monday", "10:15"), ("Wednesday", "14:00"), ("Thursday", "9:45")],
    ),
    (
        "您的包裹{}已到达{}驿站，请凭取件码{}于今晚八点前领取。",
        [("8831204", "梧桐路", "5-2-7731"), ("8831377", "梧桐路", "3-1-2045"), ("8840026", "湖滨", "1-4-9012")],
    ),
    (
        "尊敬的客户，您尾号{}的账户于{}支出人民币{}元，余额请登录手机银行查询。",
        [("4471", "3月2日", "58.00"), ("4471", "3月5日", "129.90"), ("2208", "3月5日", "36.50")],
    ),
]

# The same advertisement again and again, each time written a little differently.
DISGUISED = [
    [
        "Congratulations! You won a free holiday voucher. Call 555 0177 now to claim your prize",
        "CONGRATULATIONS!!! You won a FREE holiday voucher... call 555 0177 NOW to claim your prize!!",
        "Congratulations! You won a f r e e holiday voucher. Call 555 0177 now to claim your prize",
        "Congratulations! You won a F.R.E.E holiday vou\u200bcher. Call 555 0177 now to claim your pri\u200bze",
        "Cоngratulations! Yоu wоn a frее hоliday vоucher. Call 555 0177 nоw to claim yоur prizе",
        "Ｃｏｎｇｒａｔｕｌａｔｉｏｎｓ! You won a ｆｒｅｅ holiday voucher 🎉🎉 Call 555 0177 now to claim your prize",
        "Congratulations, you have won a free holiday voucher! Call 555 0181 now and claim your prize",
    ],
    [
        "低价办理各类发票，诚信经营，加微信号fp8820详谈",
        "低价办理各类发票，诚信经营！！加 微 信 号fp8820详谈",
        "低价办理各类发票，诚\u200b信经营，加微信号fp8820详谈～",
        "低价办理各种发票，诚信经营，加微信号fp9917详谈",
    ],
]

CHAT = [
    "ok see you at seven then",
    "are you coming to the rehearsal tonight?",
    "can't talk now, I'll ring you after the meeting",
    "I can't talk now, will ring you after the meeting",
    "thanks for lending me the ladder, I'll bring it back on Saturday",
    "who has the key of the boathouse?",
    "haha yes",
    "haha no",
    "no",
    "yes",
    "明天下午三点在图书馆门口见",
    "明天下午四点在图书馆门口见",
    "你到家了吗？",
    "路上堵车，可能晚到十分钟",
    "Running late, the ferry is stuck behind the barge again",
    "The ferry is stuck behind the barge again, running late",
    "Don't forget to water the tomatoes",
    "did you remember to feed the goats",
]

TITLES = [
    "Town council postpones vote on the harbour bridge",
    "Town council again postpones vote on harbour bridge",
    "Harbour bridge: the vote of the town council in full",
    "New timetable for the night buses from May",
    "Night buses: new timetable from June",
    "市图书馆新馆五月一日正式开放",
    "市图书馆新馆将于五月一日正式开放",
    "市游泳馆五月一日起暂停开放",
]


def written():
    """All messages, in an order that does not tell which belong together."""
    messages = [template.format(*values) for template, all_values in TEMPLATES for values in all_values]
    messages += [message for variants in DISGUISED for message in variants]
    messages += CHAT + TITLES
    random.Random(SEED).shuffle(messages)
    return messages
