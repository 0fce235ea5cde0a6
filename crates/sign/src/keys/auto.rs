//! By prefixes where that is cheap, else by MinHash keys.

use super::{Method, Parameters, Search, Wish, minhash};
use crate::Error;

pub(super) const METHOD: Method = Method {
    has_bands: true,
    ..Method::new("auto", "auto", build)
};

fn build(given: &Parameters<'_>, wish: &Wish) -> Result<Search, Error> {
    given.no_parameters()?;
    match minhash::keys(minhash::HASHES, wish) {
        Ok(keys) => Ok(Search::PrefixOr(keys)),
        // So little alike that it would take too many keys.
        Err(_) if wish.bands_and_rows.is_none() && wish.recall > 0.0 && wish.recall < 1.0 => {
            Ok(Search::Prefix)
        }
        Err(error) => Err(error),
    }
}
