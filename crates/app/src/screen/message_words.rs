//! Two messages word by word: of which class each word is, how common it is and what it weighs.

use lookalike::kernel::{Side, TwoMessages};

use super::{line, safe, table, thousands};

/// The page of two messages, given where words were counted.
pub(crate) fn page(compared: &TwoMessages, counted: &str) -> String {
    let mut page = String::new();
    let (weight, threshold) = (&compared.weight, compared.threshold);
    let similarity = match compared.similarity {
        Some(similarity) if similarity >= threshold => {
            format!("{similarity:.4}, which reaches {threshold}")
        }
        Some(similarity) => format!("{similarity:.4}, which does not reach {threshold}"),
        None => "nothing to compare: a message without words matches nothing".to_string(),
    };
    line(&mut page, "similarity", similarity);
    let all = weight.both + weight.a + weight.b;
    let common = format!(
        "{:.3} of {all:.3}; {:.3} only in A, {:.3} only in B",
        weight.both, weight.a, weight.b
    );
    line(&mut page, "common weight", common);
    line(&mut page, "words counted in", counted);
    page.push('\n');
    let heading = ["in", "word", "class", "messages", "weight"].map(str::to_string);
    let mut rows = vec![heading.to_vec()];
    for word in &compared.words {
        let of = match word.of {
            Side::Both => "both",
            Side::A => "A",
            Side::B => "B",
        };
        rows.push(vec![
            of.to_string(),
            safe(&word.word),
            word.class.to_string(),
            thousands(word.messages.into()),
            format!("{:.3}", word.weight),
        ]);
    }
    page + &table(3, &rows)
}
