//! Bars of characters.

use lookalike::kernel::rows::SimilarityBin;

use super::{line, thousands};

/// The longest bar.
const BAR: f64 = 40.0;

/// How many pairs there are of which similarity, the highest first.
pub(super) fn similarities(page: &mut String, bins: &[SimilarityBin]) {
    let counts: Vec<u64> = bins.iter().map(|bin| bin.pairs).collect();
    for (number, bin) in bins.iter().enumerate().rev() {
        let name = match bin.from >= 1.0 {
            true => "  similarity 1".to_string(),
            false => format!(
                "  {:.2} to {:.2}",
                bin.from,
                bin.from + SimilarityBin::WIDTH
            ),
        };
        line(page, &name, bar(counts[number], &counts));
    }
}

/// A bar for one of several counts, with the count after it.
pub(super) fn bar(count: u64, all: &[u64]) -> String {
    let most = all.iter().copied().max().unwrap_or(1).max(1);
    let length = match (count, is_logarithmic(all)) {
        (0, _) => 0,
        (_, true) => (BAR * log(count) / log(most)) as usize,
        (_, false) => (BAR * count as f64 / most as f64) as usize,
    };
    let length = length.max(usize::from(count > 0));
    let gap = if length > 0 { " " } else { "" };
    format!("{}{gap}{}", "█".repeat(length), thousands(count))
}

/// Whether bars of these counts are logarithmic: in others the small ones could not be told apart.
pub(super) fn is_logarithmic(all: &[u64]) -> bool {
    const LARGEST_RATIO: u64 = 40;
    let some = all.iter().copied().filter(|count| *count > 0);
    let (least, most) = (some.clone().min(), some.max());
    match (least, most) {
        (Some(least), Some(most)) => most > least.saturating_mul(LARGEST_RATIO),
        _ => false,
    }
}

/// What is said of the bars of these counts.
pub(super) fn scale(all: &[u64]) -> &'static str {
    match is_logarithmic(all) {
        true => " (bars are logarithmic)",
        false => "",
    }
}

fn log(count: u64) -> f64 {
    (count as f64 + 1.0).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_proportional_unless_the_counts_are_too_far_apart() {
        assert_eq!(bar(10, &[10, 20]), format!("{} 10", "█".repeat(20)));
        assert_eq!(bar(0, &[0, 20]), "0");
        assert_eq!(scale(&[1, 40]), "");
        assert_eq!(scale(&[1, 41]), " (bars are logarithmic)");
        assert!(bar(1, &[1, 1_000_000]).starts_with('█'));
    }
}
