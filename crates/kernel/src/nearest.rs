//! The name that was probably meant.

/// The most similar of the names, if it is similar enough that it may have been meant: a few letters away, or the last part
/// of a path.
///
/// ```
/// use lookalike_kernel::nearest;
/// assert_eq!(nearest("txt", ["id", "text"]), Some("text"));
/// assert_eq!(nearest("text", ["id", "doc.text"]), Some("doc.text"));
/// assert_eq!(nearest("text", ["id", "标题"]), None);
/// ```
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let allowed = (wanted.len() / 3).max(1);
    let distance = |other: &str| {
        let lower = other.to_lowercase();
        let last = lower.rsplit(['.', '/']).next().unwrap_or_default();
        if last == name.to_lowercase() {
            return 0;
        }
        edits(&wanted, &lower.chars().collect::<Vec<char>>())
    };
    let near = names.into_iter().map(|other| (distance(other), other));
    let near = near.filter(|(distance, _)| *distance <= allowed);
    // Of equally near ones the first.
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// How many letters are inserted, left out, replaced or swapped with the next.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, &from) in a.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, &to) in b.iter().enumerate() {
            let replaced = last[column] + usize::from(from != to);
            let mut least = replaced.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && from == b[column - 1] && a[row - 1] == to {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_near() {
        for (typed, meant) in [
            ("anwser", "answer"),
            ("titel", "title"),
            ("Text", "text"),
            ("文子", "文字"),
        ] {
            assert_eq!(nearest(typed, ["id", meant]), Some(meant), "{typed}");
        }
        assert_eq!(nearest("body", ["id", "title", "answer"]), None);
    }
}
