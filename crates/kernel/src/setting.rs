//! What can be set, by name, and how errors speak of it.
//!
//! How a setting is written depends on who asks for it: an option of the program, an argument in Python, a line of a
//! configuration. So errors name one between backticks, `keys=every` with a value and `keys=` without, and whoever shows an
//! error writes it in the words of its users ([`respell`]).
//!
//! ```
//! use lookalike_kernel::{Setting, Spec, respell};
//!
//! let mut spec = Spec::default();
//! spec.verify.measure = Some("edit".to_string());
//! let error = spec.plan().unwrap_err();
//! assert_eq!(error.refusal().unwrap().choice.setting, Setting::Measure);
//! assert!(error.to_string().contains("; use `keys=every`, which"));
//! let shown = respell(&error.to_string(), |choice| match &choice.value {
//!     Some(value) => format!("{}={value:?}", choice.setting.name()),
//!     None => choice.setting.name().to_string(),
//! });
//! assert!(shown.contains("; use keys=\"every\", which"));
//! ```

use std::fmt;

macro_rules! settings {
    (of the spec { $($in_spec:ident $name:literal $path:literal,)* } others { $($other:ident $called:literal,)* }) => {
        /// What can be set, by name, and how errors speak of it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Setting {
            $(#[doc = concat!("`", $path, "` of a configuration.")] $in_spec,)*
            $(#[doc = concat!("`", $called, "`, in no configuration.")] $other,)*
        }

        impl Setting {
            /// All of them.
            pub const ALL: &[Setting] = &[$(Setting::$in_spec,)* $(Setting::$other,)*];

            /// The name that errors use.
            pub fn name(self) -> &'static str {
                match self {
                    $(Setting::$in_spec => $name,)*
                    $(Setting::$other => $called,)*
                }
            }

            /// Where it stands in a configuration, with dots between the tables; none if it decides no result.
            pub fn path(self) -> Option<&'static str> {
                match self {
                    $(Setting::$in_spec => Some($path),)*
                    $(Setting::$other)|* => None,
                }
            }
        }
    };
}

settings! {
    of the spec {
        Threshold "threshold" "threshold",
        Seed "seed" "seed",
        Keep "keep" "keep",
        KeepPer "keep-per" "keep-per",
        Pairs "pairs" "pairs",
        Clusters "clusters" "clusters",
        RemoveKinds "remove-kinds" "remove-kinds",
        Top "top" "top",
        TextField "text-field" "input.text-field",
        Fields "fields" "input.fields",
        IdField "id-field" "input.id-field",
        SourceField "source-field" "input.source-field",
        TitleField "title-field" "sentences.title-field",
        DateField "date-field" "sentences.date-field",
        ReferenceField "reference-field" "sentences.reference-field",
        Ids "ids" "input.ids",
        Format "format" "input.format",
        MaxRecord "max-record" "input.max-record",
        MaxExpansion "max-expansion" "input.max-expansion",
        Features "features" "features.method",
        Lexicon "lexicon" "features.lexicon",
        Idf "idf" "terms.idf",
        Keys "keys" "keys.method",
        Join "join" "keys.join",
        PostingCap "posting-cap" "keys.posting-cap",
        Recall "recall" "keys.recall",
        Bands "bands" "keys.bands",
        Rows "rows" "keys.rows",
        BucketLimit "bucket-limit" "keys.bucket-limit",
        Measure "measure" "verify.measure",
        Transitive "transitive" "verify.transitive",
        Unverified "unverified" "verify.unverified",
        Model "model" "model",
        MoreField "more-field" "more.field",
        LeastCharacters "min-characters" "sentences.split.least-characters",
        Window "window" "sentences.window",
        EditSimilarity "edit-similarity" "sentences.edit-similarity",
        History "history" "sentences.history",
        Search "search" "passages.search",
        LeastSentences "min-sentences" "passages.least-sentences",
        LeastWords "min-words" "passages.least-words",
        CommonLimit "common-limit" "passages.common-limit",
        Weights "weights" "weights",
    }
    others {
        Config "config",
        Preset "preset",
        Input "input",
        Against "against",
        Within "within",
        PairList "pair-list",
        Out "out",
        WorkDir "work-dir",
        Memory "memory",
        Restart "restart",
        Strict "strict",
        Lenient "lenient",
        Text "text",
        Force "force",
        Audit "audit",
        Deduplicated "deduplicated",
        Annotate "annotate",
        Explore "explore",
        Gold "gold",
        Precision "precision",
        Prevalence "prevalence",
        Listed "listed",
        Sweep "sweep",
        Sample "sample",
        SeedFile "seed-file",
        SeedEnv "seed-env",
    }
}

impl Setting {
    /// The setting of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.name() == name)
    }

    /// With the value it has, or should have.
    pub fn given(self, value: impl fmt::Display) -> Choice {
        Choice {
            setting: self,
            value: Some(value.to_string()),
        }
    }
}

/// A setting, with its value where one is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// What is set.
    pub setting: Setting,
    /// To what.
    pub value: Option<String>,
}

impl From<Setting> for Choice {
    fn from(setting: Setting) -> Self {
        Choice {
            setting,
            value: None,
        }
    }
}

impl Choice {
    /// What stands between two backticks.
    fn marked(text: &str) -> Option<Self> {
        let (name, value) = text.split_once('=')?;
        let setting = Setting::named(name)?;
        Some(match value {
            "" => setting.into(),
            value => setting.given(value),
        })
    }
}

/// The message of an error, with every setting in it written by `spell`.
pub fn respell(message: &str, spell: impl Fn(&Choice) -> String) -> String {
    let (mut spelled, mut rest) = (String::with_capacity(message.len()), message);
    while let Some((before, after)) = rest.split_once('`') {
        spelled += before;
        let marked = after.split_once('`');
        if let Some((choice, after)) =
            marked.and_then(|(text, after)| Some((Choice::marked(text)?, after)))
        {
            spelled += &spell(&choice);
            rest = after;
        } else {
            // A name of something else, or a backtick in a name of the user's.
            spelled.push('`');
            rest = after;
        }
    }
    spelled + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;

    #[test]
    fn only_settings_are_respelled() {
        let spell = |choice: &Choice| {
            let name = choice.setting.name().to_uppercase();
            choice
                .value
                .as_ref()
                .map_or(name.clone(), |value| format!("{name} {value}"))
        };
        let respelled = |message| respell(message, spell);
        assert_eq!(
            respelled("use `keys=minhash:9`, or `measure=`"),
            "use KEYS minhash:9, or MEASURE"
        );
        let others = "`tune` writes one, `lexicon build` another; `keys`, `no=thing`, `, ``";
        assert_eq!(respelled(others), others);
        assert_eq!(respelled("a`b: `out=`"), "a`b: OUT");
        assert_eq!(respelled("题`"), "题`");
    }

    #[test]
    fn names_are_unique_and_paths_are_those_of_a_configuration() {
        for &setting in Setting::ALL {
            assert_eq!(Setting::named(setting.name()), Some(setting));
            let Some(path) = setting.path() else { continue };
            let wrong = toml::from_str::<Spec>(&format!("{path} = [[0]]")).unwrap_err();
            assert!(
                !wrong.message().contains("unknown field"),
                "{path}: {wrong}"
            );
        }
    }
}
