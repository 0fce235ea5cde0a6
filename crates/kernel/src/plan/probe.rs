//! A probe: one respect in which two units can be alike, and how alike they must be in it to be compared.

use std::sync::Arc;

use lookalike_pair::verify::{Bounds, Verify};
use lookalike_sign::features::{Background, Method};
use lookalike_sign::keys::Keys;

use crate::Error;

/// One respect in which two units can be alike, and how alike they must be in it to be compared.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Only this field of a unit; by default all of it.
    pub field: Option<u16>,
    /// How units are described.
    pub features: Arc<dyn Method>,
    /// What describing needs to know.
    pub background: Background,
    /// How alike two descriptions are.
    pub measure: Arc<dyn Verify>,
    /// Pairs at least this alike are compared.
    pub floor: f64,
    /// The keys that such pairs share, where they are found by keys.
    pub keys: Option<Arc<dyn Keys>>,
}

impl Probe {
    /// What the measure knows from sizes; prefixes are never planned without.
    pub fn bounds(&self) -> Result<&dyn Bounds, Error> {
        self.measure
            .bounds()
            .ok_or_else(|| Error::Internal("a prefix join without bounds was planned".to_string()))
    }
}
