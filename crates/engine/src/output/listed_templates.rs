//! What variants of one text have in common, and in what they differ.
//!
//! In: the clusters of variants, whatever they differ in. Their texts are at hand, or are read once more, each of identical ones
//! once. Out: rows in the order of the clusters.

use std::borrow::Cow;

use lookalike_kernel::rows::{Row, Shape, TemplateRow, TemplateSummary, TemplatesSummary};
use lookalike_pair::assemble::{Template, Templates};
use lookalike_pair::workers::in_order;
use lookalike_text::UnitId;

use super::listed_clusters::Clusters;
use super::named_units::IdList;
use super::summary_numbers::one_line;
use crate::Error;
use crate::bits::Bits;
use crate::ids::Lookup;
use crate::sink::{Chunk, Encoder, Encoders, Sink};
use crate::stages::{Assembled, Context, Member, RecordTexts, Units, Window};

/// How many of the largest templates the summary shows,
const LARGEST: usize = 5;
/// and how many characters of each.
const SHOWN: usize = 200;

/// Writes the templates of all clusters and says what is in them.
pub(super) fn write_templates(
    (context, units): (&Context<'_>, Units<'_>),
    texts: Option<&RecordTexts>,
    assembled: &Assembled,
    sink: &mut dyn Sink,
) -> Result<TemplatesSummary, Error> {
    let mut table = sink.table(Shape::Templates).map_err(Error::Sink)?;
    let read_again: RecordTexts;
    let texts = match texts {
        Some(texts) => texts,
        None => {
            read_again = RecordTexts::read_whole(context, units, &variants(units, assembled)?)?;
            &read_again
        }
    };
    let mut clusters = Clusters::of(assembled)?;
    let mut summary = TemplatesSummary::default();
    let encoders = Encoders::of(&*table, context.threads);
    in_order(
        context.threads,
        || Worker::new(context, units, texts, &encoders),
        |worker: &mut Worker<'_>| clusters.next_batch(&mut worker.members),
        Worker::encode,
        |(chunk, found)| {
            table.append(chunk).map_err(Error::Sink)?;
            summary.templates += found.templates;
            summary.records += found.records;
            found
                .largest
                .into_iter()
                .for_each(|template| keep_if_large(&mut summary.largest, template));
            context.go_on()
        },
    )?;
    table.finish().map_err(Error::Sink)?;
    Ok(summary)
}

/// The units that stand for those in clusters.
fn variants(units: Units<'_>, assembled: &Assembled) -> Result<Bits<UnitId>, Error> {
    let mut variants = Bits::new(units.count());
    assembled.members.for_each(|member| {
        let firsts = [member.unit, member.kept].map(|unit| units.groups.first_of(unit));
        firsts.into_iter().for_each(|first| variants.insert(first));
        Ok::<_, Error>(())
    })?;
    Ok(variants)
}

/// Makes the rows of some clusters.
struct Worker<'r> {
    units: Units<'r>,
    texts: &'r RecordTexts,
    window: Window<u8>,
    templates: Templates,
    rows: Rows<'r>,
    members: Vec<Member>,
}

impl<'r> Worker<'r> {
    fn new(
        context: &Context<'_>,
        units: Units<'r>,
        texts: &'r RecordTexts,
        encoders: &Encoders,
    ) -> Result<Self, Error> {
        Ok(Worker {
            units,
            texts,
            window: Window::default(),
            templates: Templates::new(context.plan().background.text),
            rows: Rows {
                units,
                ids: units.signed.ids(),
                list: IdList::default(),
                encoder: encoders.take()?,
                found: TemplatesSummary::default(),
            },
            members: Vec::new(),
        })
    }

    fn encode(&mut self) -> Result<(Chunk, TemplatesSummary), Error> {
        let members = std::mem::take(&mut self.members);
        for of_one in members.chunk_by(|a, b| a.kept == b.kept) {
            let kept = of_one[0].kept;
            let mut cluster: Vec<UnitId> = of_one.iter().map(|member| member.unit).collect();
            cluster.insert(cluster.partition_point(|&unit| unit < kept), kept);
            self.find(&cluster, kept)?;
        }
        self.members = members;
        Ok((
            self.rows.encoder.take(),
            std::mem::take(&mut self.rows.found),
        ))
    }

    /// Adds the templates of a cluster, whose members come in input order.
    fn find(&mut self, cluster: &[UnitId], kept: UnitId) -> Result<(), Error> {
        let Worker {
            units,
            texts,
            window,
            templates,
            rows,
            ..
        } = self;
        let first_of = |&unit: &UnitId| units.groups.first_of(unit);
        let mut variants: Vec<UnitId> = cluster.iter().map(first_of).collect();
        variants.sort_unstable();
        variants.dedup();
        let number = |unit: UnitId| variants.partition_point(|&first| first < first_of(&unit));
        let mut copies = vec![0; variants.len()];
        cluster.iter().for_each(|&unit| copies[number(unit)] += 1);
        let read = |variant: usize, text: &mut String| {
            text.push_str(texts.text(variants[variant], window)?);
            Ok(())
        };
        templates.find(&copies, number(kept), read, |template| {
            let has_it = |unit: &&UnitId| {
                let number = number(**unit) as u32;
                template.variants.binary_search(&number).is_ok()
            };
            let members: Vec<UnitId> = cluster.iter().filter(has_it).copied().collect();
            rows.add(&template, &members)
        })
    }
}

struct Rows<'r> {
    units: Units<'r>,
    ids: Lookup<'r>,
    list: IdList,
    encoder: Box<dyn Encoder>,
    found: TemplatesSummary,
}

impl Rows<'_> {
    fn add(&mut self, template: &Template, members: &[UnitId]) -> Result<(), Error> {
        let size = members.len() as u64;
        self.found.templates += 1;
        self.found.records += size;
        let slots = template.slots.iter();
        if is_large(&self.found.largest, size) {
            let shown = TemplateSummary {
                template: one_line(template.text.chars().take(20 * SHOWN), SHOWN),
                size,
                values: slots.clone().map(|slot| slot.values.len() as u64).collect(),
            };
            keep_if_large(&mut self.found.largest, shown);
        }
        let records = members
            .iter()
            .map(|&unit| self.units.signed.records.of(unit));
        self.list.fill(&mut self.ids, records)?;
        let counts = slots.map(|slot| slot.values.iter().map(|value| value.count).collect());
        let row = TemplateRow {
            template: Cow::Borrowed(template.text.as_str()),
            counts: counts.collect(),
            slots: template
                .slots
                .iter()
                .map(|slot| {
                    let values = slot.values.iter();
                    values
                        .map(|value| Cow::Borrowed(value.text.as_str()))
                        .collect()
                })
                .collect(),
            size,
            members: Cow::Owned(self.list.ids()?),
        };
        self.encoder
            .encode(&Row::Template(row))
            .map_err(Error::Sink)
    }
}

/// Whether a template of this size is one of the largest so far.
fn is_large(largest: &[TemplateSummary], size: u64) -> bool {
    largest.partition_point(|other| other.size >= size) < LARGEST
}

/// Keeps a template if it is one of the largest so far; of equally large ones the earlier.
fn keep_if_large(largest: &mut Vec<TemplateSummary>, template: TemplateSummary) {
    if is_large(largest, template.size) {
        let place = largest.partition_point(|other| other.size >= template.size);
        largest.insert(place, template);
        largest.truncate(LARGEST);
    }
}
