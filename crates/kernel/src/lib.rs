//! What does a job mean? Settings, plans, and what they make of one text or of two.
//!
//! In: a [`Spec`], which is every choice that decides a result, and [`Statistics`], where it needs to know how common words
//! are. Out: a [`Kernel`], which signs texts ([`Signer`]) and scores pairs of them ([`Scorer`]). Nothing in here knows
//! files, folders, threads or whole corpora, so the same kernel serves a batch run, an index and a single question.
//!
//! ```
//! use lookalike_kernel::{Kernel, Spec};
//! use lookalike_kernel::text::{Unit, UnitId};
//!
//! let kernel = Kernel::new(&Spec::default())?;
//! let (mut signer, mut scorer) = (kernel.signer()?, kernel.scorer()?);
//! let [mut a, mut b] = [Vec::new(), Vec::new()];
//! signer.keep(&Unit::whole(UnitId::from(0), "the cat sat on the old red mat"), &mut a)?;
//! signer.keep(&Unit::whole(UnitId::from(1), "the cat sat on the old red rug"), &mut b)?;
//! assert_eq!(scorer.score(&a, &b)?, None);
//! assert_eq!(scorer.score(&a, &a)?.map(|score| score.similarity), Some(1.0));
//! # Ok::<(), lookalike_kernel::Error>(())
//! ```

mod characters;
pub mod decide;
mod error;
pub mod jobs;
mod kernel;
mod nearest;
mod plan;
mod prepared_page;
mod recall;
pub mod record;
pub mod rows;
mod scorer;
pub mod setting;
mod signer;
mod size;
mod spec;
mod statistics;
mod suggest;
mod thread_fields;
mod two_messages;
mod two_pages;

pub use characters::Characters;
pub use error::{Error, Refusal};
pub use jobs::{FieldChoices, Job, Preset, TextChoices};
pub use kernel::Kernel;
pub use nearest::nearest;
pub use plan::{ChosenFloors, Fallback, GRID, Mean, NEVER, Plan, Probe, Route};
pub use prepared_page::PreparedPage;
pub use recall::{CHANGED, FoundBy, NeighbourCounts, PASSAGE_WORDS, Recall, Searched, recall};
pub use scorer::{Score, Scorer};
pub use setting::{Choice, Setting, respell};
pub use signer::Signer;
pub use size::{parse_size, show_size};
pub use spec::{
    Align, Clusters, CodeBlocks, Column, FeaturesSpec, FloorSpec, IdSource, InputSpec, Join, Keep,
    KeysSpec, ModelKind, ModelSpec, MoreSpec, Pairs, PartSpec, PassageSearch, PassagesSpec,
    SeedSpec, SentencesSpec, Spec, VerifySpec,
};
pub use statistics::{Needs, Statistics};
pub use suggest::TermCounter;
pub use thread_fields::FieldComparer;
pub use two_messages::{Side, TwoMessages, WeighedWord, WeightShares, WordCounts};
pub use two_pages::{CommonPassage, ComparedPage, PassageSide, TwoPages};

pub use lookalike_pair as pair;
pub use lookalike_sign as sign;
pub use lookalike_text as text;
