//! What a decoded record is: the values of the wanted fields, or the reason why there are none.

/// The fields to decode, in the order in which [`Record::values`] gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The fields, each name once.
    pub fields: Vec<Field>,
}

/// A field by name, and whether a record can do without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name as written in the input.
    pub name: String,
    /// What is asked of its value.
    pub need: Need,
}

/// What is asked of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// There must be a string, or the record is rejected.
    Text,
    /// Anything, also nothing.
    Optional,
}

impl Wanted {
    /// These fields, in this order.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Self {
        Self {
            fields: fields.into_iter().collect(),
        }
    }

    /// The place of the field that formats without fields give their text to: the first that must be a text.
    pub fn text_place(&self) -> Option<usize> {
        self.fields
            .iter()
            .position(|field| field.need == Need::Text)
    }
}

impl Field {
    /// A field that must be a string.
    pub fn text(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            need: Need::Text,
        }
    }

    /// A field that may be anything or missing.
    pub fn optional(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            need: Need::Optional,
        }
    }
}

/// The value of a wanted field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// The record has no such field, or (CSV) an empty cell.
    Missing,
    /// The field is there and null.
    Null,
    /// A string, unescaped.
    Text(&'a str),
    /// A number, as written.
    Number(&'a str),
    /// True or false.
    Bool(bool),
    /// What has no use here: "an array", "an object".
    Other(&'static str),
}

impl<'a> Value<'a> {
    /// The string, if it is one.
    pub fn text(&self) -> Option<&'a str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, for messages: "a number".
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Missing => "missing",
            Value::Null => "null",
            Value::Text(_) => "a string",
            Value::Number(_) => "a number",
            Value::Bool(_) => "a boolean",
            Value::Other(kind) => kind,
        }
    }

    /// Whether the value is what the field must be; if not, the reason. A missing one is for the caller to explain,
    /// who knows what fields there are.
    pub fn check(&self, field: &Field) -> Result<(), String> {
        match (field.need, self) {
            (Need::Optional, _) | (Need::Text, Value::Missing | Value::Text(_)) => Ok(()),
            (Need::Text, other) => Err(format!(
                "field \"{}\" is {}, not a string",
                field.name,
                other.kind()
            )),
        }
    }
}

/// One record, borrowed from its block.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Line or row in its source, from 1.
    pub line: u64,
    /// The values of the wanted fields, in that order.
    pub values: &'a [Value<'a>],
    /// The path of the file, where a file is a record.
    pub name: Option<&'a str>,
}

/// A record, or a part of an archive, that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rejection {
    /// The file.
    pub source: String,
    /// Line or row in it, from 1; none where a whole file is meant.
    pub line: Option<u64>,
    /// What is wrong.
    pub reason: String,
}

/// `field "text" is missing; the record has: id, body`.
pub fn missing_field(name: &str, present: &[impl AsRef<str>]) -> String {
    const LISTED: usize = 20;
    if present.is_empty() {
        return format!("field \"{name}\" is missing; the record has no fields");
    }
    format!(
        "field \"{name}\" is missing; the record has: {}",
        list(present, LISTED)
    )
}

/// The first names, with commas, and how many more there are.
pub fn list(names: &[impl AsRef<str>], most: usize) -> String {
    let shown = names.iter().take(most).map(|name| shortened(name.as_ref()));
    let shown: Vec<String> = shown.collect();
    let more = names.len().saturating_sub(most);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    shown.join(", ") + &rest
}

/// So much of a name: where a table has no header, a whole text is taken for the name of a column.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 60;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
