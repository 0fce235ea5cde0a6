//! Which records are read, and which of their fields.

use std::ops::Not;

use clap::Args;
use lookalike::Spec;
use lookalike::kernel::parse_size;
use serde::{Serialize, Serializer};

use super::put;

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
#[serde(rename_all = "kebab-case")]
pub(super) struct TextField {
    /// Field that holds the text; several, separated by commas, are joined [default: text]
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    text_field: Option<Vec<String>>,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct InputArguments {
    /// Field that holds the id; without this option, records that have no id are called file:line [default: id]
    #[arg(long, value_name = "FIELD")]
    id_field: Option<String>,
    /// Field that names the source of a record; the summary warns of sources that lose nearly everything [default: the file]
    #[arg(long, value_name = "FIELD")]
    source_field: Option<String>,
    /// Take ids from the id field (field), or number the records from 1 (number) [default: field]
    #[arg(long, value_parser = ["field", "number"])]
    ids: Option<String>,
    /// Input format, if file names do not show it: jsonl, csv, tsv, parquet, text, lines, html, warc, stackexchange,
    /// mediawiki, mbox or eml
    #[arg(long)]
    format: Option<String>,
    /// Reject records larger than this [default: 64MB]
    #[arg(long, value_parser = parse_size, value_name = "SIZE")]
    max_record: Option<u64>,
    /// Refuse archives that expand to more than N times their size [default: 1000]
    #[arg(long, value_name = "N")]
    max_expansion: Option<u64>,
    /// Namespaces to read from a MediaWiki dump, as in 0,100, or "all" [default: 0, the articles]
    #[arg(long, value_name = "N", value_delimiter = ',', allow_hyphen_values = true, value_parser = namespace)]
    #[serde(skip)]
    namespaces: Vec<Namespace>,
    /// Read only the article of web pages (HTML, WARC), without navigation, footers and the like
    #[arg(long, conflicts_with = "whole_page")]
    #[serde(skip_serializing_if = "Not::not")]
    main_content: bool,
    /// Read everything a visitor sees on web pages [default]
    #[arg(long)]
    #[serde(
        rename = "main-content",
        serialize_with = "no",
        skip_serializing_if = "Not::not"
    )]
    whole_page: bool,
    /// Code blocks in Stack Exchange posts and web pages: keep or drop [default: keep]
    #[arg(long, value_parser = ["keep", "drop"])]
    #[serde(rename = "code")]
    code_blocks: Option<String>,
}

impl InputArguments {
    pub(crate) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        put(spec, "input", self)?;
        if !self.namespaces.is_empty() {
            // None stands for all.
            let numbers = self.namespaces.iter().map(|Namespace(number)| *number);
            spec.input.namespaces = numbers.collect::<Option<_>>().unwrap_or_default();
        }
        Ok(())
    }
}

/// An option that takes back what a setting says.
fn no<S: Serializer>(_: &bool, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bool(false)
}

/// A namespace, or none for all.
#[derive(Debug, Clone, Copy)]
struct Namespace(Option<i32>);

/// For clap: the number of a namespace, or all.
fn namespace(text: &str) -> Result<Namespace, String> {
    match text {
        "all" => Ok(Namespace(None)),
        _ => match text.parse() {
            Ok(number) => Ok(Namespace(Some(number))),
            Err(_) => Err(
                "a number is needed, as in 0 for articles or 14 for categories, or all".to_string(),
            ),
        },
    }
}
