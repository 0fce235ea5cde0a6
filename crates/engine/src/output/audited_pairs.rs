//! Pairs that an audit saw and that are not listed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lookalike_kernel::rows::{AuditedRow, Row, Shape};
use lookalike_text::UnitId;

use super::named_units::PairIds;
use super::sentence_quotes::{keep_quote, kept_quote};
use crate::Error;
use crate::audit::AuditedPair;
use crate::bits::Bits;
use crate::sink::{Sink, TableWriter};
use crate::stages::{Context, Described, Reread, Units};

/// The number of a sentence, and what it says.
type Quotes = BTreeMap<UnitId, (u32, String)>;

/// Writes these pairs.
pub(super) fn write_audited(
    context: &Context<'_>,
    units: Units<'_>,
    pairs: &[AuditedPair],
    sink: &mut dyn Sink,
) -> Result<(), Error> {
    let quotes = match context.corpus.is_whole() {
        true => Quotes::new(),
        false => read_quotes(context, units, pairs)?,
    };
    let mut table = TableWriter::begin(sink, Shape::Audited)?;
    let mut ids = PairIds::new(units.signed);
    for pair in pairs {
        let [a, b] = [pair.a, pair.b].map(|unit| units.signed.records.of(unit));
        let [a, b] = ids.of(a, b)?;
        let [quote_a, quote_b] = [pair.a, pair.b].map(|unit| quotes.get(&unit));
        table.write(&Row::Audited(AuditedRow {
            a,
            b,
            similarity: pair.similarity,
            missed: pair.is_missed,
            sentence_a: quote_a.map(|(number, _)| *number),
            sentence_b: quote_b.map(|(number, _)| *number),
            text_a: quote_a.map(|(_, text)| Cow::Borrowed(&**text)),
            text_b: quote_b.map(|(_, text)| Cow::Borrowed(&**text)),
        }))?;
    }
    table.finish()
}

fn read_quotes(
    context: &Context<'_>,
    units: Units<'_>,
    pairs: &[AuditedPair],
) -> Result<Quotes, Error> {
    let mut wanted = Bits::new(units.count());
    for pair in pairs {
        wanted.insert(pair.a);
        wanted.insert(pair.b);
    }
    let mut quotes = Quotes::new();
    let reread = Reread::of(context, units.signed, &wanted)?;
    reread.read(
        || Ok(keep_quote),
        Ok,
        |described: Described<UnitId, u8>| {
            for (unit, kept) in described.iter() {
                let (number, _, text) = kept_quote(kept);
                quotes.insert(unit, (number, text.into_owned()));
            }
            Ok(())
        },
    )?;
    Ok(quotes)
}
