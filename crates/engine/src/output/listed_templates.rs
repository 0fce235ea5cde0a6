//! What variants of one text have in common, and in what they differ.
//!
//! In: the clusters of variants, whatever they differ in. Their texts are read once more, each of identical ones once. Out: rows in the order of the clusters.

use std::borrow::Cow;

use lookalike_kernel::rows::{Row, Shape, TemplateRow, TemplateSummary, TemplatesSummary};
use lookalike_pair::assemble::{Template, Templates};
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::{Unit, UnitId};

use super::named_units::IdList;
use super::summary_numbers::one_line;
use crate::Error;
use crate::bits::Bits;
use crate::ids::Lookup;
use crate::sink::{Chunk, Encoder, Encoders, Sink};
use crate::stages::{Assembled, Context, Member, Reread, Sequence, Store, Units, Window};

/// Whole clusters of so many members together are one piece of work.
const MEMBERS_AT_ONCE: usize = 2048;

/// How many of the largest templates the summary shows,
const LARGEST: usize = 5;
/// and how many characters of each.
const SHOWN: usize = 200;

/// Writes the templates of all clusters and says what is in them.
pub(super) fn write_templates(
    context: &Context<'_>,
    units: Units<'_>,
    assembled: &Assembled,
    sink: &mut dyn Sink,
) -> Result<TemplatesSummary, Error> {
    let mut table = sink.table(Shape::Templates).map_err(Error::Sink)?;
    let mut wanted = Bits::new(units.count());
    assembled.members.for_each(|member| {
        let firsts = [member.unit, member.kept].map(|unit| units.groups.first_of(unit));
        firsts.into_iter().for_each(|first| wanted.insert(first));
        Ok::<_, Error>(())
    })?;
    let reread = Reread::of(context, units.signed, &wanted)?;
    let texts = Store::read(&reread, || Ok(keep_text))?;
    let mut clusters = Clusters {
        members: Sequence::of(&assembled.members),
        ahead: None,
    };
    clusters.ahead = clusters.members.next()?;
    let mut summary = TemplatesSummary::default();
    let encoders = Encoders::of(&*table, context.threads);
    in_order(
        context.threads,
        || Worker::new(context, units, &texts, &encoders),
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

fn keep_text(unit: &Unit<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    out.extend_from_slice(unit.text.as_bytes());
    Ok(())
}

/// Hands out whole clusters.
struct Clusters<'r> {
    members: Sequence<'r, Member>,
    ahead: Option<Member>,
}

impl Clusters<'_> {
    fn next_batch(&mut self, batch: &mut Vec<Member>) -> Result<Pulled, Error> {
        batch.clear();
        while let Some(next) = self.ahead {
            let goes_on = batch.last().is_some_and(|last| last.kept == next.kept);
            if batch.len() >= MEMBERS_AT_ONCE && !goes_on {
                break;
            }
            batch.push(next);
            self.ahead = self.members.next()?;
        }
        Ok(if batch.is_empty() {
            Pulled::Nothing
        } else {
            Pulled::Item
        })
    }
}

/// Makes the rows of some clusters.
struct Worker<'r> {
    units: Units<'r>,
    texts: &'r Store<UnitId, u8>,
    window: Window<u8>,
    templates: Templates,
    rows: Rows<'r>,
    members: Vec<Member>,
}

impl<'r> Worker<'r> {
    fn new(
        context: &Context<'_>,
        units: Units<'r>,
        texts: &'r Store<UnitId, u8>,
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
            let kept = texts.get(variants[variant], window)?;
            text.push_str(&String::from_utf8_lossy(kept));
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
        keep_if_large(
            &mut self.found.largest,
            TemplateSummary {
                template: one_line(template.text.chars().take(20 * SHOWN), SHOWN),
                size,
                values: slots.clone().map(|slot| slot.values.len() as u64).collect(),
            },
        );
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

/// Keeps a template if it is one of the largest so far; of equally large ones the earlier.
fn keep_if_large(largest: &mut Vec<TemplateSummary>, template: TemplateSummary) {
    let place = largest.partition_point(|other| other.size >= template.size);
    if place < LARGEST {
        largest.insert(place, template);
        largest.truncate(LARGEST);
    }
}
