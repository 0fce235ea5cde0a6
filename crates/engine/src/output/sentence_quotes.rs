//! Sentences as they are listed: where each stands, what it says, and what changed from one to the other.
//!
//! In: the units that are listed, read once more for their texts. Out: the rows of pairs and clusters.

use std::borrow::Cow;
use std::sync::Arc;

use lookalike_kernel::rows::{IdRef, QuotedSentence, Row, SentenceCluster, SentencePair, Shape};
use lookalike_pair::Scored;
use lookalike_pair::assemble::{Comparer, Kind, Statement};
use lookalike_pair::spill::Shuffle;
use lookalike_pair::verify::{Keep, Score, Verify, measure};
use lookalike_sign::Features;
use lookalike_text::{Unit, UnitId};

use super::listed_pairs::units_in_pairs;
use super::named_units::{Cluster, IdList, Listed, MakeRows, UnitRows, as_id, verified};
use crate::Error;
use crate::ids::Lookup;
use crate::sink::Encoder;
use crate::stages::{Context, Reread, Store, Units, Window};

/// The texts of the listed units; see the [module](self).
pub(crate) struct Quotes<'r> {
    context: &'r Context<'r>,
    units: Units<'r>,
    store: Store<UnitId, u8>,
    edit: Arc<dyn Verify>,
}

impl<'r> Quotes<'r> {
    /// Of all units that are in a pair or have copies, and of these.
    pub(crate) fn read(
        context: &'r Context<'r>,
        units: Units<'r>,
        scored: &Shuffle<Scored>,
    ) -> Result<Self, Error> {
        let standing = units_in_pairs(units, scored)?;
        let mut listed = standing.clone();
        for (first, copy) in units.groups.copies() {
            if standing.contains(first) {
                listed.insert(copy);
            }
        }
        let reread = Reread::of(context, units.signed, &listed)?;
        Ok(Quotes {
            context,
            units,
            store: Store::read(&reread, || Ok(keep_quote))?,
            edit: measure("edit").map_err(Error::internal)?,
        })
    }
}

/// Keeps the number and the field of a sentence, and its text.
fn keep_quote(unit: &Unit<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    out.extend_from_slice(&unit.place.number.to_le_bytes());
    out.extend_from_slice(&unit.place.field.to_le_bytes());
    out.extend_from_slice(unit.text.as_bytes());
    Ok(())
}

/// A sentence with where it stands.
#[derive(Default)]
struct Quote {
    unit: Option<UnitId>,
    number: u32,
    in_references: bool,
    text: String,
    /// As JSON.
    id: String,
    title: Option<String>,
    /// What the edit similarity is computed from.
    characters: Vec<u64>,
}

impl Quote {
    fn statement(&self) -> Statement<'_> {
        Statement {
            text: &self.text,
            title: self.title.as_deref(),
            in_references: self.in_references,
        }
    }

    /// Takes up what was kept, and says of which field it is.
    fn set_kept(&mut self, kept: &[u8]) -> u16 {
        let number = kept.split_first_chunk();
        let Some((number, Some((field, text)))) =
            number.map(|(number, rest)| (number, rest.split_first_chunk()))
        else {
            return 0;
        };
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(text));
        self.number = u32::from_le_bytes(*number);
        u16::from_le_bytes(*field)
    }

    fn quoted(&self) -> Result<QuotedSentence<'_, IdRef<'_>>, Error> {
        Ok(QuotedSentence {
            id: as_id(&self.id)?,
            title: self.title.as_deref().map(Cow::Borrowed),
            sentence: self.number,
            text: Cow::Borrowed(&self.text),
        })
    }
}

impl UnitRows for Quotes<'_> {
    fn pair_shape(&self) -> Shape {
        Shape::SentencePairs
    }

    fn cluster_shape(&self) -> Shape {
        Shape::SentenceClusters
    }

    fn maker(&self) -> Result<Box<dyn MakeRows + '_>, Error> {
        Ok(Box::new(QuotedPairs {
            quotes: self,
            reading: [self.reading()?, self.reading()?],
            pair: <[Quote; 2]>::default(),
            ids: IdList::default(),
            comparer: Comparer::default(),
            edit: self.edit.scorer(&self.context.plan().background)?,
        }))
    }
}

impl Quotes<'_> {
    fn reading(&self) -> Result<Reading<'_>, Error> {
        let signed = self.units.signed;
        Ok(Reading {
            quotes: self,
            ids: signed.ids(),
            titles: signed.titles(),
            window: Window::default(),
            keeper: self.edit.keeper(&self.context.plan().background)?,
            no_features: Features::default(),
        })
    }
}

/// Reads quotes; those of one side of the pairs are near each other.
struct Reading<'q> {
    quotes: &'q Quotes<'q>,
    ids: Lookup<'q>,
    titles: Lookup<'q>,
    window: Window<u8>,
    keeper: Box<dyn Keep>,
    no_features: Features,
}

impl Reading<'_> {
    fn read(&mut self, unit: UnitId, quote: &mut Quote) -> Result<(), Error> {
        if quote.unit == Some(unit) {
            return Ok(());
        }
        let Quotes {
            context,
            units,
            store,
            ..
        } = self.quotes;
        let field = quote.set_kept(store.get(unit, &mut self.window)?);
        quote.in_references = context.corpus.is_reference(field);
        let record = units.signed.records.of(unit);
        quote.id.clear();
        quote.id.push_str(self.ids.id(record)?);
        quote.title = serde_json::from_str(self.titles.id(record)?).ok();
        quote.characters.clear();
        quote.unit = Some(unit);
        Ok(())
    }

    /// Fills in what the edit similarity is computed from.
    fn read_characters(&mut self, quote: &mut Quote) {
        if quote.characters.is_empty() {
            let unit = Unit::whole(UnitId::from(0), &quote.text);
            self.keeper
                .keep(&unit, &mut self.no_features, &mut quote.characters);
        }
    }
}

struct QuotedPairs<'q> {
    quotes: &'q Quotes<'q>,
    reading: [Reading<'q>; 2],
    pair: [Quote; 2],
    /// Of the cluster in hand.
    ids: IdList,
    comparer: Comparer,
    edit: Box<dyn Score>,
}

impl QuotedPairs<'_> {
    fn edit_similarity(&mut self) -> Option<f64> {
        for (reading, quote) in self.reading.iter_mut().zip(&mut self.pair) {
            reading.read_characters(quote);
        }
        let [a, b] = &self.pair;
        self.edit.score(&a.characters, &b.characters, 0.0)
    }
}

impl MakeRows for QuotedPairs<'_> {
    fn pair(&mut self, pair: Scored, out: &mut dyn Encoder) -> Result<Listed, Error> {
        let units = [pair.lo(), pair.hi()];
        for ((reading, quote), unit) in self.reading.iter_mut().zip(&mut self.pair).zip(units) {
            reading.read(unit, quote)?;
        }
        let [a, b] = &self.pair;
        let change = self.comparer.compare(a.statement(), b.statement());
        let wanted: &[Kind] = &self.quotes.context.spec().sentences.kinds;
        let listed = Listed {
            is_wanted: wanted.is_empty() || wanted.contains(&change.kind),
            kind: Some(change.kind),
        };
        if !listed.is_wanted {
            return Ok(listed);
        }
        let edit = if a.text == b.text {
            Some(1.0)
        } else {
            self.edit_similarity()
        };
        let [a, b] = &self.pair;
        let similarity = verified(pair.similarity);
        let row = SentencePair {
            a: a.quoted()?,
            b: b.quoted()?,
            similarity,
            verified: similarity.is_some(),
            edit_similarity: edit.unwrap_or(0.0),
            kind: change.kind,
            changed: Cow::Borrowed(&change.changed),
        };
        out.encode(&Row::SentencePair(row)).map_err(Error::Sink)?;
        Ok(listed)
    }

    fn cluster(&mut self, cluster: Cluster<'_>, out: &mut dyn Encoder) -> Result<(), Error> {
        let (reading, quote) = (&mut self.reading[0], &mut self.pair[0]);
        let records = &self.quotes.units.signed.records;
        let articles = cluster.members.iter().map(|&unit| records.of(unit));
        self.ids.fill(&mut reading.ids, articles)?;
        let ids = self.ids.ids()?;
        let mut members = Vec::with_capacity(ids.len());
        for (&unit, id) in cluster.members.iter().zip(ids) {
            reading.read(unit, quote)?;
            members.push(QuotedSentence {
                id,
                title: quote.title.clone().map(Cow::Owned),
                sentence: quote.number,
                text: Cow::Owned(quote.text.clone()),
            });
        }
        let kept = &members[cluster.kept];
        let row = SentenceCluster {
            cluster: kept.id,
            sentence: kept.sentence,
            size: members.len() as u64,
            members: Cow::Owned(members),
        };
        out.encode(&Row::SentenceCluster(row)).map_err(Error::Sink)
    }
}
