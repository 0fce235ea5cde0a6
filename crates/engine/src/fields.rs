//! Which fields are read. Names are held against those that the records have, before anything is read in earnest: a slip of
//! the finger would cost every record.

use std::borrow::Cow;

use lookalike_kernel::decide::{self, SeenField, is_no_name, is_wording, letters, text_field};
use lookalike_kernel::record::{Field, Value, Wanted, list};
use lookalike_kernel::{IdSource, Keep, SentencesSpec, Spec, nearest};

use crate::Error;
use crate::corpus::{FILE, FOLDER};
use crate::source::{Block, Source};

/// So many records are looked at where no table says which fields there are.
const LOOKED_AT: u32 = 1000;

/// So many fields an error lists.
const LISTED: usize = 50;

/// The name of the field that is meant where none is chosen.
const USUAL_TEXT: &str = "text";

/// What is read, and what was found out about it.
#[derive(Debug)]
pub(crate) struct Settled<'s> {
    pub(crate) spec: Cow<'s, Spec>,
    /// What the user should know.
    pub(crate) note: Option<String>,
}

/// What becomes of a compared field that no record has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lacking {
    Refused,
    /// Where there is another: a question that is looked up has no answer yet.
    Noted,
}

/// Checks the fields that a spec names against those that there are. Where no record has the usual field of texts, the only
/// one with long strings is taken.
pub(crate) fn settle<'s>(
    sources: &[&dyn Source],
    spec: &'s Spec,
    lacking: Lacking,
) -> Result<Settled<'s>, Error> {
    let mut settled = Settled {
        spec: Cow::Borrowed(spec),
        note: None,
    };
    let mut notes = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let Some(there) = source.fields(LOOKED_AT)? else {
            continue;
        };
        let is_there = |name: &str| there.iter().any(|field| field == name);
        let is_usual = settled.spec.input.text_field == [USUAL_TEXT];
        if number == 0 && is_usual && reads_texts(spec) && !is_there(USUAL_TEXT) {
            let seen = look(*source, &there)?;
            let seen: Vec<SeenField> = (seen.into_iter())
                .filter(|field| field.name != spec.input.id_field)
                .collect();
            if let Some(name) = text_field(&seen) {
                notes.push(format!(
                    "there is no field \"{USUAL_TEXT}\", so texts are read from \"{name}\", the only field with long strings; \
                     `text-field=` chooses another"
                ));
                settled.spec.to_mut().input.text_field = vec![name.to_string()];
            }
        }
        let mut named: Vec<_> = named_fields(&settled.spec, number == 0).collect();
        let compared = spec.compared_fields();
        if lacking == Lacking::Noted && compared.iter().any(|name| is_there(name)) {
            let lacks = compared.iter().filter(|name| !is_there(name));
            notes.extend(lacks.map(|name| {
                let source = source.names().join(" ");
                format!("no record of {source} has a field \"{name}\", so the others are compared")
            }));
            named.retain(|(_, name)| is_there(name) || !compared.contains(name));
        }
        for (_, name) in &named {
            if there.iter().filter(|field| *field == name).count() > 1 {
                notes.push(format!(
                    "{} has more than one column \"{name}\": only the first is read, so rename the others",
                    source.names().join(" ")
                ));
            }
        }
        if let Some((setting, name)) = named.into_iter().find(|(_, name)| !is_there(name)) {
            let usual = Spec::of_job(spec.job);
            let is_usual = named_fields(&usual, true).any(|usual| usual == (setting, name.clone()));
            let error = no_such_field(*source, (setting, is_usual), &name, &there);
            return Err(match number > 0 && setting == "text-field" {
                true => of_corpus(error),
                false => error,
            });
        }
    }
    settled.note = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(settled)
}

/// Whether the only field that is compared is running text, where the first records of the input are to tell.
pub(crate) fn is_running_text(sources: &[&dyn Source], spec: &Spec) -> Result<Option<bool>, Error> {
    let (Some(source), true) = (sources.first(), spec.job.looks_at_field(spec)) else {
        return Ok(None);
    };
    let (mut strings, mut total) = (0, 0);
    for_each_text(*source, &spec.compared_fields(), &mut |_, text| {
        strings += 1;
        total += letters(text);
    })?;
    Ok(Some(decide::is_running_text(strings, total)))
}

/// Whether a record is one text, and not compared field by field.
fn reads_texts(spec: &Spec) -> bool {
    spec.compared_fields().is_empty()
}

/// The fields that a spec names, each with the setting that does. Whoever keeps one of two records does so in the input.
fn named_fields(spec: &Spec, is_input: bool) -> impl Iterator<Item = (&'static str, String)> {
    let mut named: Vec<(&'static str, String)> = Vec::new();
    let compared = spec.compared_fields();
    if compared.is_empty() {
        let texts = spec.input.text_field.iter();
        named.extend(texts.map(|name| ("text-field", name.clone())));
    } else {
        named.extend(compared.into_iter().map(|name| ("fields", name)));
    }
    // Every printed configuration names the usual field, so that one is none of the user's.
    if spec.input.ids == IdSource::Field && spec.input.id_field != "id" {
        named.push(("id-field", spec.input.id_field.clone()));
    }
    if let Some(name) = &spec.input.source_field {
        named.push(("source-field", name.clone()));
    }
    let (chosen, usual) = (&spec.sentences, SentencesSpec::default());
    let fields = [
        ("title-field", &chosen.title_field, usual.title_field),
        ("date-field", &chosen.date_field, usual.date_field),
        (
            "reference-field",
            &chosen.reference_field,
            usual.reference_field,
        ),
    ];
    let chosen = fields.into_iter().filter(|(_, name, usual)| *name != usual);
    named.extend(chosen.map(|(setting, name, _)| (setting, name.clone())));
    let is_place = |name: &&String| [FILE, FOLDER].contains(&name.as_str());
    if let (Some(name), true) = (
        spec.keep_per.as_ref().filter(|name| !is_place(name)),
        is_input,
    ) {
        named.push(("keep-per", name.clone()));
    }
    if let (Keep::Field(name), true) = (&spec.keep, is_input) {
        named.push(("keep", name.clone()));
    }
    named.into_iter()
}

/// A field is missing that a setting names; or that is read by default, so that nobody need have named it.
fn no_such_field(
    source: &dyn Source,
    (setting, is_usual): (&str, bool),
    name: &str,
    there: &[String],
) -> Error {
    let named = match is_usual {
        true => String::new(),
        false => format!(", which `{setting}=` names"),
    };
    let rules: &[&str] = match setting {
        "keep" => &["first", "last", "longest", "more"],
        _ => &[],
    };
    let names = there.iter().map(String::as_str);
    let meant = nearest(name, rules.iter().copied().chain(names));
    let meant = meant.map_or(String::new(), |meant| {
        format!(" (did you mean \"{meant}\"?)")
    });
    let unnamed = match there.iter().any(|name| is_no_name(name)) {
        true => "; the first row of a table must name its columns",
        false => "",
    };
    Error::NoSuchField {
        source_name: source.names().join(" "),
        setting: format!("`{setting}=`"),
        name: name.to_string(),
        hint: (named + &meant + unnamed).into(),
        there: list(there, LISTED).into(),
        can_be_lenient: false,
    }
}

/// The same error, where the texts of the corpus are in another field than those of the input.
fn of_corpus(error: Error) -> Error {
    let Error::NoSuchField {
        source_name,
        name,
        there,
        ..
    } = error
    else {
        return error;
    };
    Error::OtherTextField {
        source_name,
        name,
        there,
    }
}

/// Looks at the strings in the first records.
fn look(source: &dyn Source, names: &[String]) -> Result<Vec<SeenField>, Error> {
    let mut seen: Vec<SeenField> = (names.iter())
        .map(|name| SeenField {
            name: name.clone(),
            strings: 0,
            worded: 0,
            characters: 0,
        })
        .collect();
    for_each_text(source, names, &mut |field, text| {
        seen[field].strings += 1;
        seen[field].worded += u64::from(is_wording(text));
        seen[field].characters += text.chars().count() as u64;
    })?;
    Ok(seen)
}

/// Tells each string in these fields of the first records, with the number of its field.
fn for_each_text(
    source: &dyn Source,
    names: &[String],
    each: &mut dyn FnMut(usize, &str),
) -> Result<(), Error> {
    let mut pass = source.pass(&Wanted::new(names.iter().map(Field::optional)));
    let (mut block, mut looked_at) = (Block::default(), 0);
    while looked_at < LOOKED_AT && pass.next_block(&mut block)? {
        let room = LOOKED_AT - looked_at;
        block.decode(&mut |slot| slot < room, &mut |_, record| {
            looked_at += 1;
            let values = record.map_or(&[][..], |record| record.values);
            for (field, value) in values.iter().enumerate() {
                if let Value::Text(text) = value {
                    each(field, text);
                }
            }
        })?;
    }
    Ok(())
}
