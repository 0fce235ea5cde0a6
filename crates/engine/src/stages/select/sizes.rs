//! How many features each unit has, and so what can be told about pairs before anything is compared.

use lookalike_kernel::decide::ClassCounts;
use lookalike_pair::join::{Floors, PrefixRule};

use super::Sought;
use crate::Error;
use crate::stages::{Context, Units};

/// How many features each unit has under each probe.
pub(crate) struct Sizes {
    pub(crate) of_probes: Vec<Vec<u32>>,
    /// The class of each unit: which probes find features in it; empty where that does not matter.
    pub(super) classes: Vec<u8>,
}

impl Sizes {
    pub(crate) fn read(context: &Context<'_>, units: Units<'_>) -> Result<Self, Error> {
        let probed = units.signed.columns.probed.0.iter();
        let of_probes: Vec<Vec<u32>> = probed
            .map(|probed| probed.sizes.read_all())
            .collect::<Result<_, _>>()?;
        let mean = context.plan().mean.as_ref();
        let classes = match mean.filter(|mean| mean.has_classes()) {
            Some(mean) => {
                let class =
                    |unit: usize| mean.class(of_probes.iter().map(|sizes| sizes[unit] as usize));
                (0..units.count()).map(class).collect()
            }
            None => Vec::new(),
        };
        Ok(Sizes { of_probes, classes })
    }

    /// How many units there are of each class.
    pub(super) fn class_counts(&self) -> ClassCounts {
        let mut counts = [0; 256];
        let classes = self.classes.iter();
        classes.for_each(|&class| counts[usize::from(class)] += 1);
        counts
    }
}

impl Sought {
    /// When units that share a feature under a probe are compared.
    pub(crate) fn rule<'r>(
        &'r self,
        context: &'r Context<'_>,
        probe: usize,
    ) -> Result<PrefixRule<'r>, Error> {
        Ok(PrefixRule {
            bounds: context.plan().probes[probe].bounds()?,
            floors: Floors::new(&self.floors.of_probes[probe], &self.sizes.classes),
            sizes: &self.sizes.of_probes[probe],
        })
    }
}
