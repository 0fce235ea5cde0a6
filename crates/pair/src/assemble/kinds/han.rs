//! Chinese: which ideographs are the same, which hold a sentence together, and which stretches of them are ordinary
//! words rather than names. Without a dictionary that is a matter of lists.

use std::sync::OnceLock;

use lookalike_text::{Language, function_words};

use super::tokens::{Class, Tokens};
use super::words::Groups;

/// Whether words of its script are written without spaces.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{2FDF}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether all are ideographs of Chinese, which Japanese has, too; kana, Thai, Khmer and the like are not.
pub(super) fn is_han(stretch: &str) -> bool {
    let is_other = |c: char| {
        matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}'
            | '\u{31F0}'..='\u{31FF}')
    };
    !stretch.contains(is_other)
}

fn in_list(list: &'static OnceLock<Vec<char>>, sources: &[&str], c: char) -> bool {
    let list = list.get_or_init(|| {
        let mut all: Vec<char> = sources
            .iter()
            .flat_map(|s| s.chars())
            .filter(|c| !c.is_whitespace())
            .collect();
        all.sort_unstable();
        all
    });
    list.binary_search(&c).is_ok()
}

/// Whether the ideograph only holds the sentence together.
pub(super) fn is_function(form: &str) -> bool {
    static LIST: OnceLock<Vec<char>> = OnceLock::new();
    let list = LIST.get_or_init(|| {
        let words = function_words(Language::Chinese).iter();
        let mut all: Vec<char> = words.filter_map(|word| word.chars().next()).collect();
        all.sort_unstable();
        all
    });
    form.chars()
        .next()
        .is_some_and(|c| list.binary_search(&c).is_ok())
}

/// Ideographs that stand in verbs, adverbs and other ordinary words far more often than in names.
const ORDINARY: &str = "约概目现今主要作做用使称叫受因及均仅仅需必须应期间时类似般相互关系联共总全部整各许多少很最更极较颇常特殊\
    尤续继接仍尚犹曾经正快慢建设立成创办始起开展进行举出任获取得拥具包括含属涵盖定列评选推荐认知识觉感发表示显现达到抵返回归去往迁移居住\
    座落坐处位置分布散集聚汇参加入与退离脱改变更换替代转化升降增减扩缩充补修订整编制订造兴筑营运经管理领导带率指挥监督负责承担\
    供给提供送交付支持协助帮助促进推动导致引起造成产生形构组构结果效影响作用过程序法方式手段途径原因理由根据依照按随着沿顺逐渐步\
    完毕终止停闭结束废除取消撤销解散合并拆毁破坏损失败胜利赢输击战斗争夺占据攻守防御著名闻知称誉赞扬赏奖授颁予赐封评论批判\
    描述写画绘编撰著译播放映演唱奏录摄拍售卖买购租借投资赚赔花费收入支付考虑思想念想象希望愿意试图计划打算准备决定选择判断观察研究调查\
    讨论谈话说讲告诉问答请求要求命令允许禁止避免防止允同意反对拒绝接受承认否认确认证明说明解释介绍提及涉及包围环绕穿越经过通透\
    由于若假倘尽管虽即便只仅甚至乃然却但可过且同时此外另外其余他它她我你您们这那哪谁何什么怎样如同像似仿佛约莫左右上下以内外初末\
    非常十分相当比较稍微略几乎差点完全绝对实际事真正确切准精详细简单复杂困难容易方便重要必要主次普遍一般通常往往经常偶尔有时总是从来永远\
    立刻马上随即突然忽然终于最后首先其次再次然后随后之前以来至今当初原来本来后来曾经已经正在将要快要刚才死亡逝世去病故卒诞生育";

/// Whether at least half of the ideographs are those of ordinary words.
pub(super) fn is_ordinary(stretch: &str) -> bool {
    static LIST: OnceLock<Vec<char>> = OnceLock::new();
    let all = stretch.chars().filter(|&c| is_unspaced(c)).count();
    let mut buffer = [0; 4];
    let ordinary = stretch
        .chars()
        .filter(|&c| {
            is_unspaced(c)
                && (in_list(&LIST, &[ORDINARY], c) || is_function(c.encode_utf8(&mut buffer)))
        })
        .count();
    2 * ordinary >= all
}

/// The digits of a numeral that is written as one ideograph.
pub(super) fn digit(c: char) -> Option<&'static str> {
    Some(match c {
        '一' => "1",
        '二' => "2",
        '三' => "3",
        '四' => "4",
        '五' => "5",
        '六' => "6",
        '七' => "7",
        '八' => "8",
        '九' => "9",
        '十' => "10",
        _ => return None,
    })
}

/// The syllables of foreign names.
const SYLLABLES: &str = "阿埃艾爱安昂奥巴班邦贝本比彼边宾波伯布查达戴丹德登迪蒂丁杜多厄恩尔法凡菲费芬弗夫福盖甘冈戈格根古瓜哈海汉豪赫\
    亨胡怀霍基吉加伽杰金卡凯坎康考科克肯孔库昆拉莱赖兰朗劳勒雷里丽利莉连列林琳龙卢鲁路伦罗洛吕马玛麦迈曼梅门蒙米密明摩莫姆\
    穆纳娜奈南内尼年涅宁纽努诺欧帕派潘庞佩彭皮平珀普齐奇契恰乔切琴热日荣茹瑞若萨塞赛桑瑟森沙莎珊尚舍申圣施史士斯丝苏孙索塔\
    泰坦汤唐特腾提廷图托瓦万旺威韦维魏温文翁沃乌武伍西希锡夏香肖谢辛欣兴雄休许雅亚延扬杨耶叶伊依因英永尤于约泽曾扎詹珍芝朱兹宗佐";

/// Whether an ideograph is one by which foreign names are spelt.
pub(super) fn is_syllable(form: &str) -> bool {
    static LIST: OnceLock<Vec<char>> = OnceLock::new();
    let mut all = form.chars();
    all.next().is_some_and(|c| in_list(&LIST, &[SYLLABLES], c)) && all.next().is_none()
}

/// The most frequent surnames.
const SURNAMES: &str = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟\
    谭陆汪范金石廖贾夏韦付傅方白邹孟熊秦邱江尹薛闫阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文洪葛詹阮柯庄翁";

/// Whether it is a surname.
pub(super) fn is_surname(c: char) -> bool {
    static LIST: OnceLock<Vec<char>> = OnceLock::new();
    in_list(&LIST, &[SURNAMES], c)
}

/// Whether some ideographs only point at what the article is about: 他, 本站, 该剧.
pub(super) fn is_pointing(stretch: &str) -> bool {
    let points = stretch.starts_with(['本', '该', '此', '这']) && stretch.chars().count() <= 3;
    points || matches!(stretch, "他" | "她" | "它" | "其")
}

/// Whether every ideograph only holds the sentence together.
pub(super) fn is_all_function(stretch: &str) -> bool {
    let mut buffer = [0; 4];
    stretch
        .chars()
        .all(|c| is_function(c.encode_utf8(&mut buffer)))
}

pub(super) fn contrasts() -> &'static Groups {
    static GROUPS: OnceLock<Groups> = OnceLock::new();
    GROUPS.get_or_init(|| Groups::new(include_str!("han_contrasts.txt")))
}

pub(super) fn synonyms() -> &'static Groups {
    static GROUPS: OnceLock<Groups> = OnceLock::new();
    GROUPS.get_or_init(|| Groups::new(include_str!("han_synonyms.txt")))
}

/// Ideographs that are mistaken for one another or written for one another.
pub(super) fn are_variants(a: &str, b: &str) -> bool {
    const VARIANTS: [&str; 19] = [
        "的地得",
        "作做",
        "象像",
        "帐账",
        "份分",
        "座坐",
        "那哪",
        "其它",
        "唯惟",
        "订定",
        "藉借",
        "迭叠",
        "里理",
        "在再",
        "己已",
        "决绝",
        "至致",
        "制製",
        "侯候",
    ];
    let single = |form: &str| form.chars().count() == 1;
    single(a)
        && single(b)
        && VARIANTS
            .iter()
            .any(|group| group.contains(a) && group.contains(b))
}

/// Words that have an ideograph of denial and deny nothing.
const HARMLESS: &str = "不过 不仅 不但 不只 不光 不单 不少 不久 不断 不同 不足 不幸 不错 不管 不论 不止 不禁 不妨 不料 不时 不愧 不由 \
    不客气 不好意思 不要紧 差不多 对不起 了不起 忍不住 来不及 没事 没关系 没收 没落 淹没 沉没 埋没 出没 吞没 未来 未婚 未遂 未免 无论 无线 无限 \
    无聊 无数 无锡 无敌 无人机 无奈 无双 南无 非常 非洲 非凡 除非 是非 莫非 否则 是否 能否 可否 会否 与否 别人 别的 别墅 别处 别名 别称 别样 别致 \
    特别 分别 区别 级别 性别 类别 个别 识别 鉴别 告别 辨别 差别 离别 送别 派别 国别";

/// Whether a token denies something: 不, but not in 不过, nor in 能不能, which asks.
pub(super) fn negates(tokens: &Tokens, at: usize) -> bool {
    let around = |before: usize, after: usize| {
        tokens.forms_of(&(at.saturating_sub(before)..(at + after).min(tokens.len())))
    };
    let form = tokens.form(at);
    if !matches!(form, "不" | "没" | "未" | "无" | "非" | "否" | "别" | "勿") {
        let denials = ["ない", "ません", "ไม่"];
        return denials
            .iter()
            .any(|denial| around(0, 3).starts_with(denial));
    }
    let next = tokens.form(at + 1);
    let before = at.checked_sub(1).map_or("", |before| tokens.form(before));
    let asks = matches!(form, "不" | "没") && !before.is_empty() && before == next;
    // "完成了没？" and "可以不" ask as well, and 不到10 is a number.
    let ends = |after: &str| matches!(after, "" | "?" | "？" | "." | "!");
    let asks_at_end = match form {
        "不" => ends(next),
        "没" => ends(next) && before == "了",
        _ => false,
    };
    let is_less = next == "到"
        && (tokens.class(at + 2) == Some(Class::Number)
            || digit(tokens.form(at + 2).chars().next().unwrap_or(' ')).is_some());
    let is_harmless = HARMLESS.split_whitespace().any(|word| {
        let place = word.find(form).map(|bytes| word[..bytes].chars().count());
        place
            .is_some_and(|place| place <= at && around(place, word.chars().count() - place) == word)
    });
    !asks && !asks_at_end && !is_less && !is_harmless
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_are_told_from_names() {
        for word in ["建造", "获得", "大约", "由于"] {
            assert!(is_ordinary(word), "{word}");
        }
        for name in ["北京", "杭州", "克林顿", "李白"] {
            assert!(!is_ordinary(name), "{name}");
        }
    }
}
