//! The seed of a spec, which may be a secret.
//!
//! Whoever knows the seed knows which words a copy of a lexicon drops, and can write texts that slip through. A secret seed
//! decides the result as any other, but no file and no screen ever shows it: it is written as `"secret"`, and what reads that
//! back has to be told the seed again.

use lookalike_text::Seed;
use lookalike_text::hash::hash64;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The seed of a spec, which may be a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeedSpec {
    /// A number that everybody may see.
    Open(u64),
    /// One that nobody may see.
    Secret(u64),
    /// There is a secret one, but it was not told.
    Withheld,
}

/// What stands for a secret seed wherever it is written.
const SECRET: &str = "secret";

impl SeedSpec {
    /// A secret seed made of a text of any length.
    ///
    /// ```
    /// use lookalike_kernel::SeedSpec;
    /// let seed = SeedSpec::secret("correct horse battery staple");
    /// assert_eq!(format!("{seed:?}"), "secret");
    /// ```
    pub fn secret(text: &str) -> Self {
        SeedSpec::Secret(hash64(text.as_bytes(), Seed(0)))
    }

    /// The seed itself. A spec whose seed is withheld has no plan, so what is returned for it decides nothing.
    pub fn seed(self) -> Seed {
        match self {
            SeedSpec::Open(seed) | SeedSpec::Secret(seed) => Seed(seed),
            SeedSpec::Withheld => Seed(0),
        }
    }
}

impl Default for SeedSpec {
    fn default() -> Self {
        SeedSpec::Open(1)
    }
}

impl std::fmt::Debug for SeedSpec {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SeedSpec::Open(seed) => write!(out, "{seed}"),
            SeedSpec::Secret(_) | SeedSpec::Withheld => out.write_str(SECRET),
        }
    }
}

impl Serialize for SeedSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Beyond the numbers of TOML, a string of digits.
            SeedSpec::Open(seed) => match i64::try_from(*seed) {
                Ok(number) => serializer.serialize_i64(number),
                Err(_) => serializer.serialize_str(&seed.to_string()),
            },
            SeedSpec::Secret(_) | SeedSpec::Withheld => SECRET.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for SeedSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u64),
            Word(String),
        }
        match Written::deserialize(deserializer) {
            Ok(Written::Number(seed)) => Ok(SeedSpec::Open(seed)),
            Ok(Written::Word(word)) if word == SECRET => Ok(SeedSpec::Withheld),
            Ok(Written::Word(digits)) => digits.parse().map(SeedSpec::Open).map_err(|_| {
                D::Error::custom(format!(
                    "\"{digits}\" is not a seed; write a whole number of 0 or more"
                ))
            }),
            Err(_) => Err(D::Error::custom(
                "the seed is not a whole number of 0 or more",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SeedSpec;
    use crate::Spec;

    #[test]
    fn every_seed_is_read_as_it_was_written() {
        for seed in [0, 1, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
            let spec = Spec {
                seed: SeedSpec::Open(seed),
                ..Spec::default()
            };
            let written = toml::to_string(&spec).unwrap();
            assert_eq!(toml::from_str::<Spec>(&written).unwrap(), spec);
            let table = toml::Table::try_from(&spec).unwrap();
            assert_eq!(table.try_into::<Spec>().unwrap(), spec);
            let written = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<Spec>(&written).unwrap(), spec);
        }
    }

    #[test]
    fn what_is_no_seed_is_refused() {
        for seed in ["-1", "\"x\"", "1.5", "\"18446744073709551616\""] {
            let read = toml::from_str::<Spec>(&format!("seed = {seed}"));
            assert!(
                read.unwrap_err().to_string().contains("whole number"),
                "{seed}"
            );
        }
    }
}
