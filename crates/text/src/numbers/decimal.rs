//! Decimal numbers of any size, exact.

use std::fmt;

/// A number that is not negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    whole: String,
    fraction: String,
}

impl Decimal {
    /// Of the digits before and after the point.
    pub(super) fn new(whole: String, fraction: String) -> Self {
        Self { whole, fraction }
    }

    /// Multiplied by a power of ten.
    pub(super) fn times_ten_to(mut self, power: usize) -> Self {
        let moved = power.min(self.fraction.len());
        self.whole.push_str(&self.fraction[..moved]);
        self.fraction.drain(..moved);
        self.whole.extend(std::iter::repeat_n('0', power - moved));
        self
    }
}

impl From<u128> for Decimal {
    fn from(value: u128) -> Self {
        Self::new(value.to_string(), String::new())
    }
}

/// Without zeros that say nothing: `3.50` is `3.5`, `5.00` is `5`.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.whole.trim_start_matches('0');
        f.write_str(if whole.is_empty() { "0" } else { whole })?;
        match self.fraction.trim_end_matches('0') {
            "" => Ok(()),
            fraction => write!(f, ".{fraction}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_form_and_is_multiplied_exactly() {
        let number = |whole: &str, fraction: &str| Decimal::new(whole.into(), fraction.into());
        assert_eq!(number("3", "50").to_string(), "3.5");
        assert_eq!(number("0", "00").to_string(), "0");
        assert_eq!(number("1", "5").times_ten_to(6).to_string(), "1500000");
        assert_eq!(number("0", "05").times_ten_to(1).to_string(), "0.5");
        assert_eq!(Decimal::from(7).times_ten_to(0).to_string(), "7");
    }
}
