//! Megabytes a second of `word_hashes` and `sentences` on generated prose of several scripts, and
//! nanoseconds a shingle of five words; how long the dictionary of Chinese takes. Run with `cargo bench -p lookalike-text`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use lookalike_text::hash::{Seed, for_each_shingle, hash64, mix64};
use lookalike_text::{Numbers, SentenceOptions, TextOptions, Tokenizer, sentences};

const ENGLISH: &str = "the of and to in a is that for it was on are as with they be at one have \
    this from by hot but some what there we can out other were all your when up use word how said \
    an each she which do their time if will way about many then them would write like so these her \
    long make thing see him two has look more day could go come did my sound no most number who over \
    know water than call first people may down side been now find any new work part take get place \
    made live where after back little only round man year came show every good me give our under \
    name very through just form much great think say help low line before turn cause same mean differ \
    move right boy old too does tell sentence set three want air well also play small end put home \
    read hand port large spell add even land here must big high such follow act why ask men change \
    went light kind off need house picture try us again animal point mother world near build self \
    earth father information government development organization understanding particularly";
const RUSSIAN: &str = "и в не на я что он с как это по но они мы весь который из у себя год \
    человек время рука дело раз глаз жизнь день голова друг дом слово место лицо сторона нога дверь \
    работа земля конец час голос город вода стол ребёнок сила отец женщина машина случай ночь мир \
    вид ряд начало вопрос война деньги минута жена правда страна свет мать товарищ дорога окно";
const HAN: &str = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运";

const HINDI: &str = "और का एक में की है यह से को पर इस होता कि जो कर मैं हूँ तुम हम आप वे क्या कैसे कब कहाँ \
    किताब पानी घर शहर लोग दिन रात बच्चा विद्यालय स्त्री पुस्तक ज्ञान प्रश्न उत्तर मित्र क्षेत्र समय";
const KOREAN: &str = "나는 너는 우리가 학교에 집으로 사람이 시간을 오늘 내일 어제 그리고 그러나 물을 마신다 책을 \
    읽는다 친구와 함께 도시에서 일한다 아침 저녁 하늘이 맑다 바다가 넓다 말을 듣는다 길을 걷는다";
const ARABIC: &str = "في من على إلى هذا هذه التي الذي كان يكون قال بعد قبل كل بين مدينة كتاب بيت ماء رجل \
    امرأة يوم ليلة مدرسة سؤال جواب صديق طريق عمل وقت عالم لغة حياة شمس قمر بحر";

const CHINESE: &str = "我们 你们 今天 明天 银行 客户 手机 短信 账户 余额 请 点击 链接 登录 查询 办理 业务 \
    优惠 活动 免费 领取 红包 快递 包裹 已经 到达 小区 门口 您 的 订单 是 在 和 了 有 不 就 都 很 工作 学校 老师 学生 \
    考试 成绩 公布 参加 会议 时间 地点 通知 公司 电话 联系 如果 因为 所以 但是 可以 需要 提供 服务 质量 价格 便宜";

struct Generator(u64);

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        ((u128::from(mix64(self.0)) * bound as u128) >> 64) as usize
    }

    /// Sentences of words, with punctuation between.
    fn prose(&mut self, words: &[&str], bytes: usize) -> String {
        let mut text = String::new();
        while text.len() < bytes {
            let mut length = 6 + self.below(14);
            while length > 0 {
                let word = words[self.below(words.len())];
                if self.below(10) == 0 {
                    let mut letters = word.chars();
                    text.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                    text.push_str(letters.as_str());
                } else {
                    text.push_str(word);
                }
                length -= 1;
                text.push_str(match self.below(12) {
                    _ if length == 0 => ". ",
                    0 => ", ",
                    _ => " ",
                });
            }
        }
        text
    }

    /// Sentences of Chinese words, with nothing between them.
    fn chinese_words(&mut self, bytes: usize) -> String {
        let words: Vec<&str> = CHINESE.split_whitespace().collect();
        let mut text = String::new();
        while text.len() < bytes {
            for _ in 0..4 + self.below(8) {
                text.push_str(words[self.below(words.len())]);
            }
            text.push(if self.below(3) == 0 { '。' } else { '，' });
        }
        text
    }

    fn chinese(&mut self, bytes: usize) -> String {
        let characters: Vec<char> = HAN.chars().collect();
        let mut text = String::new();
        while text.len() < bytes {
            for _ in 0..5 + self.below(20) {
                text.push(characters[self.below(characters.len())]);
            }
            text.push(if self.below(3) == 0 { '。' } else { '，' });
        }
        text
    }
}

fn best_of(rounds: usize, mut work: impl FnMut()) -> Duration {
    let timed = (0..rounds).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    timed.min().unwrap_or_default()
}

/// With numbers as written and, below, in one form; then with the policies for messages.
fn measure(name: &str, texts: &[String]) -> Vec<u64> {
    let canonical = TextOptions::default().with(|options| options.numbers = Numbers::Canonical);
    let hashes = measure_with(TextOptions::default(), name, texts);
    measure_with(canonical, "  canonical", texts);
    measure_with(TextOptions::default().for_messages(), "  messages", texts);
    hashes
}

fn measure_with(options: TextOptions, name: &str, texts: &[String]) -> Vec<u64> {
    let mut tokenizer = Tokenizer::new(options);
    let mut hashes = Vec::new();
    let mut tokens = 0;
    let time = best_of(40, || {
        tokens = 0;
        for text in texts {
            hashes.clear();
            tokenizer.word_hashes(black_box(text), Seed(7), &mut hashes);
            tokens += black_box(&hashes).len();
        }
    });
    let bytes: usize = texts.iter().map(String::len).sum();
    let seconds = time.as_secs_f64();
    println!(
        "{name:<12} {:>7.0} MB/s {:>6.1} ns a token",
        bytes as f64 / seconds / 1e6,
        seconds * 1e9 / tokens as f64
    );
    hashes
}

fn measure_sentences(name: &str, texts: &[String]) {
    let options = SentenceOptions::default();
    let mut count = 0_usize;
    let time = best_of(40, || {
        count = 0;
        for text in texts {
            sentences(black_box(text), &options, |_| count += 1);
        }
    });
    let bytes: usize = texts.iter().map(String::len).sum();
    let seconds = time.as_secs_f64();
    println!(
        "{name:<12} {:>7.0} MB/s {:>6.1} ns a sentence",
        bytes as f64 / seconds / 1e6,
        seconds * 1e9 / count as f64
    );
}

fn measure_shingles(name: &str, hashes: &[u64], sum_of_shingles: impl Fn() -> u64) {
    let time = best_of(40, || {
        black_box(sum_of_shingles());
    });
    let nanoseconds = time.as_secs_f64() * 1e9 / (hashes.len() - 4) as f64;
    println!("{name:<12} {nanoseconds:>6.2} ns a shingle");
}

fn main() {
    let start = Instant::now();
    Tokenizer::new(TextOptions::default().for_messages()).word_hashes("银行", Seed(7), &mut vec![]);
    println!(
        "{:<12} {:>7.0} ms",
        "dictionary",
        start.elapsed().as_secs_f64() * 1e3
    );
    let mut generator = Generator(1);
    let english: Vec<&str> = ENGLISH.split_whitespace().collect();
    let russian: Vec<&str> = RUSSIAN.split_whitespace().collect();
    let mixed = [
        &english[..],
        &["café", "don’t", "—", "naïve", "“so”", "Müller"],
    ]
    .concat();
    let mut texts = |make: &mut dyn FnMut(&mut Generator, usize) -> String| -> Vec<String> {
        (0..400)
            .map(|_| {
                let bytes = 1000 + generator.below(2000);
                make(&mut generator, bytes)
            })
            .collect()
    };
    measure("English", &texts(&mut |g, n| g.prose(&english, n)));
    let figures = [
        &english[..],
        &[
            "1979",
            "January 18th, 1979",
            "5 %",
            "1,000,000",
            "3.50",
            "twenty-five",
            "7",
            "12",
        ],
    ]
    .concat();
    measure("figures", &texts(&mut |g, n| g.prose(&figures, n)));
    measure("mixed", &texts(&mut |g, n| g.prose(&mixed, n)));
    measure("Chinese", &texts(&mut Generator::chinese));
    measure("in words", &texts(&mut Generator::chinese_words));
    measure("Russian", &texts(&mut |g, n| g.prose(&russian, n)));
    for (name, words) in [("Hindi", HINDI), ("Korean", KOREAN), ("Arabic", ARABIC)] {
        let words: Vec<&str> = words.split_whitespace().collect();
        measure(name, &texts(&mut |g, n| g.prose(&words, n)));
    }

    measure("short", &texts(&mut |g, _| g.prose(&english[40..], 60)));

    measure_sentences("sentences", &texts(&mut |g, n| g.prose(&english, n)));
    measure_sentences("in Chinese", &texts(&mut Generator::chinese));

    let long = [Generator(2).prose(&english, 1 << 20)];
    let hashes = measure("one long", &long);
    measure_shingles("sequence", &hashes, || {
        let mut sum = 0u64;
        for_each_shingle(&hashes, 5, Seed(7), |hash| sum = sum.wrapping_add(hash));
        sum
    });
    measure_shingles("XXH3", &hashes, || {
        let shingles = hashes.windows(5).map(|words| {
            let mut bytes = [0; 40];
            for (slot, word) in bytes.chunks_exact_mut(8).zip(words) {
                slot.copy_from_slice(&word.to_le_bytes());
            }
            hash64(&bytes, Seed(7))
        });
        shingles.fold(0, u64::wrapping_add)
    });
}
