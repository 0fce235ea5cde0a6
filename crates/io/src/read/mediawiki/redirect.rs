//! Pages that only lead to another one.

/// What such a page begins with, after `#`, in lower case.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "redirect", "redirection", "weiterleitung", "redirección", "redireccion", "redirecionamento", "rinvia", "rinvio",
    "doorverwijzing", "omdirigering", "omdiriger", "ohjaus", "uudelleenohjaus", "patrz", "przekieruj", "tam", "przesměruj",
    "presmeruj", "átirányítás", "redirecteaza", "preusmeri", "preusmjeri", "preusmjerenje", "suuna", "yönlendirme",
    "yönlendi̇rme", "alih", "lencong", "đổi", "ìtúnjúwè", "aleire", "ailgyfeirio", "athsheoladh", "tilvísun",
    "перенаправление", "перенапр", "перенаправлення", "перапраўленне", "перанакіраваньне", "преусмери", "пренасочване",
    "виж", "пренасочување", "айдау", "重定向", "重新導向", "转向", "轉向", "転送", "リダイレクト", "넘겨주기", "تحويل",
    "تغییرمسیر", "تغییر_مسیر", "הפניה", "पुनर्प्रेषित", "अनुप्रेषित", "เปลี่ยนทาง", "პერენაპრავლენიე", "გადამისამართება",
    "վերահղում", "ανακατευθυνση", "ανακατεύθυνση",
];

/// Whether the page does nothing but lead to another.
pub(super) fn is_redirect(text: &str) -> bool {
    const LONGEST: usize = 100;
    let Some(rest) = text.trim_start().strip_prefix(['#', '＃']) else {
        return false;
    };
    let rest = rest.trim_start();
    let word: String = rest
        .chars()
        .take(LONGEST)
        .take_while(|c| !c.is_whitespace() && !matches!(c, '[' | ':'))
        .collect();
    let after = rest[word.len()..].trim_start_matches(|c: char| c.is_whitespace() || c == ':');
    after.starts_with("[[") && WORDS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_are_known_in_many_languages() {
        for text in [
            "#REDIRECT [[A]]",
            "\n#redirect[[A]] {{R}}",
            "# Weiterleitung: [[A]]",
            "#重定向 [[甲]]",
            "#ПЕРЕНАПРАВЛЕНИЕ [[А]]",
            "#تحويل [[ا]]",
        ] {
            assert!(is_redirect(text), "{text}");
        }
        for text in ["", "#", "REDIRECT [[A]]", "#one [[A]]", "#REDIRECT A"] {
            assert!(!is_redirect(text), "{text}");
        }
    }
}
