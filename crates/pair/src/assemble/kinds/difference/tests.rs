//! In what records differ, case by case.

use lookalike_text::LookAlikes;
use proptest::prelude::*;

use super::*;

fn kind(a: &str, b: &str) -> Difference {
    let mut comparer = RecordComparer::new(TextOptions::default());
    let found = comparer.compare(&[a], &[b]);
    let mut mirrored = comparer.compare(&[b], &[a]);
    for (from, to) in &mut mirrored.changed {
        std::mem::swap(from, to);
    }
    assert_eq!(found, mirrored, "{a} | {b}");
    assert_eq!(comparer.kind(&[a], &[b]), found.kind);
    found.kind
}

#[test]
fn only_what_is_equal_once_it_is_normalised_is_the_same() {
    assert_eq!(kind("Ｈow  do I fly？", "how do i FLY?"), Difference::Same);
    assert_eq!(kind("怎么 退货?", "怎么 退货？"), Difference::Same);
    assert_eq!(kind("How do I fly?", "How do I fly"), Difference::Wording);
    assert_eq!(kind("怎么退货", "如何退货"), Difference::Wording);
}

#[test]
fn other_names_make_other_questions() {
    for (a, b) in [
        (
            "Property taxes in Scott County",
            "Property taxes in Dallas County",
        ),
        ("Scott County Sheriff Sale", "Dallas County Sheriff Sale"),
        ("How do I buy shares?", "How do I sell shares?"),
        (
            "Your account has been credited with EUR 50",
            "Your account has been debited with EUR 50",
        ),
        (
            "Your appointment with Dr Miller is on Monday, please bring your card",
            "Your appointment with Dr Miller has been cancelled, please bring your card",
        ),
        (
            "Your appointment with Dr. Meyer is confirmed for Monday",
            "Your appointment with Dr. Meyer is cancelled for Monday",
        ),
        (
            "Wie komme ich von Ulm nach Prag?",
            "Wie komme ich von Ulm nach Wien?",
        ),
        ("北京有什么好吃的", "上海有什么好吃的"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
}

#[test]
fn words_that_changed_places_ask_something_else() {
    for (a, b) in [
        (
            "How do I fly from Paris to London?",
            "How do I fly from London to Paris?",
        ),
        ("Why do dogs hate cats?", "Why do cats hate dogs?"),
        (
            "Do Indian women respect Indian men?",
            "Do Indian men respect Indian women?",
        ),
        ("从北京到上海的火车票", "从上海到北京的火车票"),
        (
            "Who invented the telephone?",
            "When was the telephone invented?",
        ),
        ("Where do owls live?", "Why do owls live?"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
    for (a, b) in [
        (
            "Which is better, cats or dogs?",
            "Which is better, dogs or cats?",
        ),
        (
            "Is a lamp better than a candle?",
            "Is a candle better than a lamp?",
        ),
        ("How can I post questions?", "Where can I post questions?"),
        (
            "When do shops open in Rome?",
            "In Rome, when do shops open?",
        ),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
}

#[test]
fn a_code_that_reads_like_a_disguised_word_is_another_code() {
    let seen_through = TextOptions::default().with(|options| {
        options.look_alikes = Some(LookAlikes::Mixed);
    });
    let mut comparer = RecordComparer::new(seen_through);
    for (a, b) in [
        (
            "您的验证码是a8f3kd，请勿泄露",
            "您的验证码是p2w9xz，请勿泄露",
        ),
        (
            "Your code is a8f3kd, do not share it",
            "Your code is e3b0sa, do not share it",
        ),
    ] {
        assert_eq!(
            comparer.kind(&[a], &[b]),
            Difference::OtherNumber,
            "{a} | {b}"
        );
    }
    let (a, b) = ("W1n c4sh today only", "Win cash today only");
    assert_eq!(comparer.kind(&[a], &[b]), Difference::Same);
}

#[test]
fn names_that_differ_in_signs_are_other_names() {
    for (a, b) in [
        (
            "How do I sort a list in C++?",
            "How do I sort a list in C#?",
        ),
        ("how do i sort a list in c?", "how do i sort a list in c++"),
        ("用C#怎么排序列表", "用C++怎么排序列表"),
        ("用Ｃ＋＋怎么排序列表", "用Ｃ怎么排序列表"),
        ("Is F# faster?", "Is F faster?"),
        ("notepad++ hangs on start", "notepad hangs on start"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
    for (a, b) in [
        ("How do I sort in C++?", "How can I sort in C++"),
        ("the sum a+b is odd", "the sum a b is odd"),
        ("write to apt #5 today", "write to apt 5 today"),
        ("Great deals today # +", "Great deals today"),
        ("great deals, free+++", "great deals, free"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
}

#[test]
fn other_numbers_make_other_notices() {
    for (a, b) in [
        ("您的账户支出421元", "您的账户支出79元"),
        (
            "Your code is 4415, valid for an hour",
            "Your code is 9082, valid for an hour",
        ),
        ("You have won $500 today", "You have won $900 today"),
        ("Я купил 5 книг", "Я купил 7 книг"),
        (
            "Your login code is QXKTPA. It is valid for an hour",
            "Your login code is K7QX2. It is valid for an hour",
        ),
    ] {
        assert_eq!(kind(a, b), Difference::OtherNumber, "{a} | {b}");
    }
}

#[test]
fn years_versions_and_parts_are_editions() {
    for (a, b) in [
        ("Promotion Ads 2013", "Promotion Ads 2014"),
        ("Promotion Ads", "Promotion Ads 2014"),
        ("2013年春季招聘", "2014年春季招聘"),
        ("第三届运动会通知", "第四届运动会通知"),
        (
            "How do I upgrade Ubuntu 18.04?",
            "How do I upgrade Ubuntu 20.04?",
        ),
        ("my notes, part 1", "my notes, part 2"),
        ("which lens for the d750", "which lens for the d850"),
    ] {
        assert_eq!(kind(a, b), Difference::Edition, "{a} | {b}");
    }
}

#[test]
fn another_way_to_say_it_is_wording() {
    for (a, b) in [
        (
            "How can I learn to swim quickly?",
            "How can I learn to swim fast?",
        ),
        (
            "It cost 5 euros. Please help",
            "It cost five euros. Kindly help",
        ),
        ("WIN A FREE HOLIDAY NOW", "WIN A FREE VACATION NOW"),
        ("How To Fix A Flat Tire", "How To Fix a flat tire yourself"),
        ("我想学游泳", "我想要学游泳"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
}

#[test]
fn words_without_capitals_are_no_names() {
    for (a, b) in [
        (
            "كيف يمكنني تغيير كلمة السر في هذا الموقع",
            "كيف أستطيع تغيير كلمة السر في هذا الموقع",
        ),
        ("كيف أغير كلمة السر", "كيف اغير كلمة السر"),
        (
            "איך אפשר לשנות את הסיסמה באתר",
            "איך ניתן לשנות את הסיסמה באתר",
        ),
        ("इस साइट पर पासवर्ड कैसे बदलें", "इस वेबसाइट पर पासवर्ड कैसे बदलें"),
        ("비밀번호를 어떻게 바꾸나요", "비밀번호를 어떻게 변경하나요"),
        (
            "이 비밀번호를 어떻게 바꾸나요",
            "그 비밀번호를 어떻게 바꾸나요",
        ),
        (
            "パスワードを変える方法を教えて",
            "パスワードを変更する方法を教えて",
        ),
        ("จะเปลี่ยนรหัสผ่านได้อย่างไร", "จะแก้รหัสผ่านได้อย่างไร"),
        ("как мне поменять пароль", "как мне изменить пароль"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
    // Numbers, denials and what excludes each other count in every script.
    for (a, b) in [
        ("يمكنني تغيير كلمة السر", "لا يمكنني تغيير كلمة السر"),
        ("אפשר לשנות את הסיסמה", "אי אפשר לא לשנות את הסיסמה"),
        ("ماذا أفعل اليوم في القاهرة", "ماذا أفعل غدا في القاهرة"),
        ("オンラインで変更できる", "オンラインで変更できない"),
        ("오늘 은행이 문을 여나요", "내일 은행이 문을 여나요"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
    let (a, b) = ("سعر الكتاب 5 دنانير", "سعر الكتاب 7 دنانير");
    assert_eq!(kind(a, b), Difference::OtherNumber);
}

#[test]
fn what_excludes_the_other_makes_another_question() {
    for (a, b) in [
        (
            "How do I install Python on Windows?",
            "How do I uninstall Python on Windows?",
        ),
        ("the shop is open today", "the shop is open tomorrow"),
        ("how do i enable dark mode", "how do i disable dark mode"),
        ("How can I lose weight fast?", "How can I gain weight fast?"),
        (
            "Wie kann ich die App installieren?",
            "Wie kann ich die App deinstallieren?",
        ),
        (
            "comment ouvrir un fichier zip",
            "comment fermer un fichier zip",
        ),
        ("как включить звук", "как выключить звук"),
        ("明天天气怎么样", "今天天气怎么样"),
        ("怎么安装这个软件", "怎么卸载这个软件"),
        ("如何打开自动续费", "如何关闭自动续费"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
}

#[test]
fn opposites_count_also_where_they_are_particles() {
    for (a, b) in [
        (
            "How do I log in to my account?",
            "How do I log out of my account?",
        ),
        ("how do i turn on location", "how do i turn off location"),
        ("the market went up", "the market went down"),
        ("Der Motor geht an", "Der Motor geht aus"),
        ("my first day at school", "my last day at school"),
        ("the second chapter", "the last chapter"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
    let (a, b) = (
        "How can I find out the price?",
        "How can I see the price in the shop?",
    );
    assert_eq!(kind(a, b), Difference::Wording);
}

#[test]
fn one_is_a_roman_numeral_after_a_name() {
    for (a, b) in [
        ("books about World War I", "books about World War II"),
        ("Henry I of England", "Henry V of England"),
        ("Henry V of England", "Henry II of England"),
        ("Afonso I of Portugal", "Afonso IV of Portugal"),
        ("Людовик I был королем", "Людовик XIV был королем"),
    ] {
        assert_eq!(kind(a, b), Difference::Edition, "{a} | {b}");
    }
    for (a, b) in [
        ("What I want is rest", "What V want is rest"),
        ("Can Henry and I go", "Can Henry and V go"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
}

#[test]
fn a_name_is_one_wherever_it_stands() {
    for (a, b) in [
        ("Concert - Mozart evening", "Concert - Vivaldi evening"),
        ("- Mozart evening", "- Vivaldi evening"),
        ("Concert: Mozart evening", "Concert: Vivaldi evening"),
        ("tonight (Mozart)", "tonight (Vivaldi)"),
        (
            "X server -- Glide display driver",
            "X server -- QXL display driver",
        ),
        ("English-German dictionary", "English-Croatian dictionary"),
        (
            "Danish dictionary for aspell",
            "Latvian dictionary for aspell",
        ),
        ("Словарь: Русский язык", "Словарь: Чешский язык"),
        ("bindings for C++", "bindings for Python3"),
        ("a case for the iPhone6", "a case for the Galaxy"),
        ("used by Qt5 programs", "used by FreeSASA programs"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
    for (a, b) in [
        ("Great offer. Call now", "Great offer. Phone now"),
        ("Great offer.\n- Call now", "Great offer.\n- Phone now"),
        ("my tv: Working again", "my tv: Going again"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
    let mut comparer = RecordComparer::new(TextOptions::default().for_messages());
    let change = comparer.compare(&["bindings for C++"], &["bindings for Python3"]);
    assert_eq!(change.changed, [("C++".to_owned(), "Python3".to_owned())]);
}

#[test]
fn a_denial_counts_whatever_moves_around_it() {
    for (a, b) in [
        ("怎么升级淘宝会员", "淘宝会员怎么不升级啊"),
        ("额度在哪里", "为什么没有额度"),
        ("从哪借", "借不到"),
        ("我可以退货吗", "我不可以退货吗"),
        ("別忘了帶傘", "忘了帶傘"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
    for (a, b) in [
        ("能不能提前还款", "可以提前还款吗"),
        ("有没有额度", "有额度吗"),
        ("我是不是可以退货", "我可以退货吗"),
        ("快递上班了没？", "快递上班了吗？"),
        ("这个不错吧", "这个很好吧"),
        ("价格差不多吧", "价格一样吧"),
        ("这有什么特别的", "这有什么特色的"),
        ("为什么借不到", "怎么借不到"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
}

#[test]
fn who_when_where_and_why_ask_for_different_things() {
    for (a, b) in [
        ("Where is the cup held", "When is the cup held"),
        ("Wo ist das Finale", "Wann ist das Finale"),
        ("Где проходит кубок", "Когда проходит кубок"),
        ("谁买的票", "什么时候买的票"),
        ("在哪里买票", "什么时候买票"),
        ("为什么要买票", "在哪里买票"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
    for (a, b) in [
        ("Who can tell me when it is", "When is it"),
        ("谁知道在哪里买票", "在哪里买票"),
        ("谁有全集", "哪里有全集"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
}

#[test]
fn an_edition_may_stand_in_one_of_two_short_texts() {
    for (a, b) in [
        (
            "Terminator movie tickets for sale here",
            "Terminator 2 movie tickets for sale here",
        ),
        ("SPARQL 1.1 Protocol Endpoint", "SPARQL Protocol Endpoint"),
        ("Python wrapper around zlib", "Python 3 wrapper around zlib"),
        ("a tale of the sea", "a tale of the sea, part 2"),
        ("小米手机多少钱", "小米手机(2S)多少钱"),
        ("我是歌手在哪看", "我是歌手第二季在哪看"),
    ] {
        assert_eq!(kind(a, b), Difference::Edition, "{a} | {b}");
    }
    for (a, b) in [
        (
            "What is your New Year resolution for 2017?",
            "What is your 2017 New Year resolution?",
        ),
        ("春季招聘在2014年", "2014年春季招聘"),
        ("how to buy tickets", "how to buy 2 tickets"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
}

#[test]
fn words_in_quotation_marks_are_what_is_asked_about() {
    for (a, b) in [
        (
            "What is the difference between \"by\" and \"as\"?",
            "What is the difference between “for” and “to”?",
        ),
        ("What does \"I\" mean?", "What does \"am\" mean?"),
        ("Что значит «на»?", "Что значит «за»?"),
        ("“的”和“地”有什么区别", "“在”和“再”有什么区别"),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
}

#[test]
fn a_sentence_more_denies_nothing_that_both_state() {
    let mut comparer = RecordComparer::new(TextOptions::default());
    let oil = ["Which oil for a fork?", "It is an old fork."];
    for answer in ["Do not use motor oil.", "Never.", "Great", "不要用机油。"] {
        let a = [oil[0], oil[1], ""];
        let b = [oil[0], oil[1], answer];
        assert_eq!(comparer.kind(&a, &b), Difference::Wording, "{answer}");
    }
    for (a, b) in [
        ("Use fork oil.", "Use fork oil. Do not use motor oil."),
        ("Use fork oil.", "Do not use motor oil! Use fork oil."),
        ("My car stopped?", "My car stopped? It does not start now"),
    ] {
        assert_eq!(kind(a, b), Difference::Wording, "{a} | {b}");
    }
    for (a, b) in [
        ("Use motor oil.", "Do not use motor oil."),
        (
            "You can ride it. It is safe.",
            "You can not ride it. It is safe.",
        ),
        ("Is it safe? It is.", "Is it safe? No. It is."),
    ] {
        assert_eq!(kind(a, b), Difference::OtherName, "{a} | {b}");
    }
}

#[test]
fn fields_count_together() {
    let mut comparer = RecordComparer::new(TextOptions::default());
    let change = comparer.compare(
        &["Opening hours", "We open at 8."],
        &["Opening times", "We open at 9."],
    );
    assert_eq!(change.kind, Difference::OtherNumber);
    let changed = [("hours", "times"), ("8", "9")];
    assert_eq!(
        change.changed,
        changed.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    assert_eq!(
        comparer.kind(&["一", "二"], &["一", "二"]),
        Difference::Same
    );
    assert_eq!(comparer.kind(&["一"], &["一", "说明"]), Difference::Wording);
}

#[test]
fn what_changed_is_bounded() {
    let mut comparer = RecordComparer::new(TextOptions::default());
    let words = |odd: &str| -> String {
        let word = |n: usize| {
            if n.is_multiple_of(2) {
                format!("w{n}x ")
            } else {
                odd.repeat(200) + " "
            }
        };
        (0..200).map(word).collect()
    };
    let change = comparer.compare(&[&words("a")], &[&words("b")]);
    assert_eq!(change.changed.len(), MOST_CHANGED);
    let longest = change.changed.iter().map(|(from, _)| from.chars().count());
    assert_eq!(longest.max(), Some(MOST_CHARACTERS + 1));
}

proptest! {
    #[test]
    fn texts_whose_letters_differ_are_not_the_same_once_they_are_normalised(
        a in "[a-cA-C0-4 .,'!@$_-]{0,14}",
        b in "[a-cA-C0-4 .,'!@$_-]{0,14}",
        from_a in prop::collection::vec((0usize..14, "[ .,'!_-]{1,2}|1|i"), 0..3),
    ) {
        // Of two drawn apart hardly any are the same, so that one is also changed in what may not count.
        let mut changed = a.clone();
        for (at, more) in from_a {
            changed.insert_str(at.min(changed.len()), &more);
        }
        for options in [TextOptions::default(), TextOptions::default().for_messages()] {
            let mut normaliser = Tokenizer::new(options);
            let mut normalised = |text: &str| {
                let mut out = String::new();
                normaliser.normalise(text, &mut out);
                out
            };
            for other in [&b, &changed, &a.to_uppercase()] {
                if differ_in_letters(&a, other) {
                    prop_assert_ne!(normalised(&a), normalised(other));
                }
            }
        }
    }
}
