//! Sentences as they are listed: where each stands, what it says, and what changed from one to the other.
//!
//! In: the units that are listed, read once more for their texts. Out: the rows of pairs and clusters.

use std::borrow::Cow;
use std::sync::Arc;

use lookalike_kernel::Pairs;
use lookalike_kernel::rows::{IdRef, QuotedSentence, Row, SentenceCluster, SentencePair, Shape};
use lookalike_pair::Scored;
use lookalike_pair::assemble::{Comparer, Kind, Seen, Statement};
use lookalike_pair::spill::Shuffle;
use lookalike_pair::verify::{Keep, Score, Verify, measure};
use lookalike_sign::Features;
use lookalike_text::{Unit, UnitId};

use super::named_units::{Cluster, IdList, Listed, MakeRows, NextPairs, UnitRows, as_id, verified};
use super::sentence_frames::Frames;
use super::sentence_history::{History, Parting};
use crate::Error;
use crate::ids::Lookup;
use crate::records::Records;
use crate::sink::Encoder;
use crate::stages::{Context, Reread, Store, Units, Window, units_in_pairs};

/// The texts of the listed units.
pub(crate) struct Quotes<'r> {
    context: &'r Context<'r>,
    units: Units<'r>,
    store: Store<UnitId, u8>,
    edit: Arc<dyn Verify>,
    /// Where pairs are listed.
    frames: Option<Frames>,
    /// Where earlier revisions were read.
    history: Option<History>,
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
        let mut quotes = Quotes {
            context,
            units,
            store: Store::read(&reread, || Ok(keep_quote))?,
            edit: measure("edit").map_err(Error::internal)?,
            frames: None,
            history: None,
        };
        if context.spec().pairs != Pairs::None {
            quotes.frames = Some(Frames::find(context, units, &quotes, scored)?);
        }
        Ok(quotes)
    }

    /// What the other sentences say of two.
    pub(super) fn seen(&self, units: [UnitId; 2]) -> Seen {
        let standing = units.map(|unit| self.units.groups.first_of(unit));
        let articles = units.map(|unit| self.records().of(unit));
        let frames = self.frames.as_ref();
        frames.map_or(Seen::Alone, |frames| frames.seen(standing, articles))
    }

    pub(super) fn records(&self) -> &'r Records {
        &self.units.signed.records
    }
}

/// Keeps the number and the field of a sentence, and its text.
pub(super) fn keep_quote(unit: &Unit<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    out.extend_from_slice(&unit.place.number.to_le_bytes());
    out.extend_from_slice(&unit.place.field.to_le_bytes());
    out.extend_from_slice(unit.text.as_bytes());
    Ok(())
}

/// The number and the field of a sentence, and its text, as they were kept.
pub(super) fn kept_quote(kept: &[u8]) -> (u32, u16, Cow<'_, str>) {
    let number = kept.split_first_chunk();
    let Some((number, Some((field, text)))) =
        number.map(|(number, rest)| (number, rest.split_first_chunk()))
    else {
        return (0, 0, Cow::Borrowed(""));
    };
    (
        u32::from_le_bytes(*number),
        u16::from_le_bytes(*field),
        String::from_utf8_lossy(text),
    )
}

/// A sentence with where it stands.
#[derive(Default)]
pub(super) struct Quote {
    unit: Option<UnitId>,
    number: u32,
    in_references: bool,
    text: String,
    /// As JSON.
    id: String,
    title: Option<String>,
    date: Option<String>,
    /// What the edit similarity is computed from.
    characters: Vec<u64>,
}

impl Quote {
    pub(super) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    pub(super) fn statement(&self) -> Statement<'_> {
        Statement {
            text: &self.text,
            title: self.title.as_deref(),
            in_references: self.in_references,
        }
    }

    /// Takes up what was kept, and says of which field it is.
    fn set_kept(&mut self, kept: &[u8]) -> u16 {
        let (number, field, text) = kept_quote(kept);
        self.text.clear();
        self.text.push_str(&text);
        self.number = number;
        field
    }

    fn quoted(&self) -> Result<QuotedSentence<'_, IdRef<'_>>, Error> {
        Ok(QuotedSentence {
            id: as_id(&self.id)?,
            title: self.title.as_deref().map(Cow::Borrowed),
            sentence: self.number,
            text: Cow::Borrowed(&self.text),
            date: self.date.as_deref().map(Cow::Borrowed),
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

    fn looks_back(&self) -> bool {
        let sentences = &self.context.spec().sentences;
        let is_listed = sentences.kinds.is_empty() || sentences.kinds.contains(&Kind::FactualDrift);
        sentences.history && is_listed
    }

    fn look_back(&mut self, pairs: NextPairs<'_>) -> Result<(), Error> {
        self.history = Some(History::read(self.context, self.units, self, pairs)?);
        Ok(())
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
    pub(super) fn reading(&self) -> Result<Reading<'_>, Error> {
        let signed = self.units.signed;
        Ok(Reading {
            quotes: self,
            ids: signed.ids(),
            titles: signed.titles(),
            dates: signed.dates(),
            window: Window::default(),
            keeper: self.edit.keeper(&self.context.plan().background)?,
            no_features: Features::default(),
        })
    }
}

/// Reads quotes; those of one side of the pairs are near each other.
pub(super) struct Reading<'q> {
    quotes: &'q Quotes<'q>,
    ids: Lookup<'q>,
    titles: Lookup<'q>,
    dates: Lookup<'q>,
    window: Window<u8>,
    keeper: Box<dyn Keep>,
    no_features: Features,
}

impl Reading<'_> {
    pub(super) fn read(&mut self, unit: UnitId, quote: &mut Quote) -> Result<(), Error> {
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
        quote.date = written_date(self.dates.id(record)?);
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

/// A date as it is written, be that in quotes or a number.
pub(super) fn written_date(json: &str) -> Option<String> {
    match serde_json::from_str(json).ok()? {
        serde_json::Value::String(date) => Some(date).filter(|date| !date.is_empty()),
        serde_json::Value::Number(date) => Some(date.to_string()),
        _ => None,
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
        let seen = self.quotes.seen(units);
        let change = (self.comparer).compare_seen(a.statement(), b.statement(), seen);
        let wanted: &[Kind] = &self.quotes.context.spec().sentences.kinds;
        let listed = Listed {
            is_wanted: wanted.is_empty() || wanted.contains(&change.kind),
            kind: Some(change.kind),
            difference: None,
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
        let parting = match &self.quotes.history {
            Some(history) if change.kind == Kind::FactualDrift => {
                history.of(units)?.unwrap_or_default()
            }
            _ => Parting::default(),
        };
        let [since_a, since_b] = parting.since.map(|date| date.map(Cow::Owned));
        let row = SentencePair {
            a: a.quoted()?,
            b: b.quoted()?,
            similarity,
            verified: similarity.is_some(),
            edit_similarity: edit.unwrap_or(0.0),
            kind: change.kind,
            confidence: change.confidence,
            changed: Cow::Borrowed(&change.changed),
            since_a,
            since_b,
            parted: parting.parted.map(Cow::Owned),
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
                date: quote.date.clone().map(Cow::Owned),
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
