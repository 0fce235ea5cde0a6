//! The name of a record.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// The id of a record: a JSON string, or a JSON number as it is written, so that `7` and `"7"` stay different and a
/// number of any length keeps all its digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Id {
    /// As written.
    Number(String),
    /// Without the quotes.
    Text(String),
}

impl Id {
    /// Reads a JSON value; none if it is neither a string nor a number.
    pub fn from_json(json: &str) -> Option<Id> {
        match json.as_bytes().first()? {
            b'"' => serde_json::from_str(json).ok().map(Id::Text),
            b'-' | b'0'..=b'9' => Some(Id::Number(json.to_string())),
            _ => None,
        }
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Id::Text(text.to_string())
    }
}

impl From<u64> for Id {
    fn from(number: u64) -> Self {
        Id::Number(number.to_string())
    }
}

/// As in JSON.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Number(number) => f.write_str(number),
            Id::Text(text) => write!(f, "{}", serde_json::Value::from(text.as_str())),
        }
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Id::Text(text) => serializer.serialize_str(text),
            Id::Number(number) => RawValue::from_string(number.clone())
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
        }
    }
}

/// From `serde_json` only: no other format keeps a number as it is written.
impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        Id::from_json(json.get())
            .ok_or_else(|| serde::de::Error::custom("an id is a string or a number"))
    }
}

/// The id of a record as JSON that stands elsewhere.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(transparent)]
pub struct IdRef<'r>(&'r RawValue);

impl<'r> IdRef<'r> {
    /// Reads a JSON value; none if it is neither a string nor a number.
    pub fn from_json(json: &'r str) -> Option<Self> {
        let is_id = matches!(json.as_bytes().first()?, b'"' | b'-' | b'0'..=b'9');
        let json = is_id.then(|| serde_json::from_str(json).ok())?;
        json.map(IdRef)
    }

    /// As in JSON.
    pub fn json(self) -> &'r str {
        self.0.get()
    }

    /// The id itself.
    pub fn to_owned(&self) -> Id {
        let json = self.json();
        // A string with half a surrogate pair is one in JSON only.
        Id::from_json(json).unwrap_or_else(|| Id::Text(json.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_written_as_it_was_read() {
        for json in [
            "7",
            "\"7\"",
            "-1.50",
            "123456789012345678901234567890",
            "\"法@2010 \\\"\"",
        ] {
            let id: Id = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&id).unwrap(), json);
            assert_eq!(id.to_string(), json);
        }
        assert_ne!(Id::from(7), Id::from("7"));
    }

    #[test]
    fn other_values_are_no_ids() {
        for json in ["null", "true", "[1]", "{\"id\": 1}"] {
            assert!(serde_json::from_str::<Id>(json).is_err(), "{json}");
        }
    }
}
