//! Methods to compare on labelled pairs: a built-in list, or one from a file.

use lookalike_kernel::{Error as KernelError, KeysSpec, Setting, Spec, jobs};
use lookalike_sign::features::TermRules;
use lookalike_sign::stats::IdfRange;

use crate::Error;

/// A spec with a name, for tables.
#[derive(Debug, Clone)]
pub struct NamedMethod {
    /// The name; by default the features.
    pub name: String,
    /// The measure, or what stands in for one.
    pub measure: String,
    /// The choices.
    pub spec: Spec,
}

impl NamedMethod {
    /// Named by its features and its measure.
    ///
    /// # Errors
    /// If the choices do not go together.
    pub fn new(spec: Spec) -> Result<Self, Error> {
        let (name, measure) = names(&spec)?;
        Ok(NamedMethod {
            name,
            measure,
            spec,
        })
    }

    /// Whether pairs have a similarity; those of unverified I-Match have not.
    pub fn has_similarity(&self) -> bool {
        self.measure != DIGEST
    }

    /// The least similarity of what is found.
    ///
    /// # Errors
    /// If the choices do not go together.
    pub fn threshold(&self) -> Result<f64, Error> {
        if !self.has_similarity() {
            return Ok(1.0);
        }
        if self.spec.job.model(&self.spec)?.is_some() {
            return Ok(self.spec.least_similarity());
        }
        // Where the keys cannot find pairs of this measure, the threshold does not depend on them.
        let mut direct = self.spec.clone();
        direct.compared_directly();
        let planned = self.spec.plan().or_else(|_| direct.plan());
        Ok(planned?.threshold)
    }
}

fn names(spec: &Spec) -> Result<(String, String), Error> {
    if let Some(model) = spec.job.model(spec)? {
        model.check()?;
        let parts = model.part.len();
        return Ok((format!("model of {parts}"), "combined".to_string()));
    }
    let mut direct = spec.clone();
    direct.compared_directly();
    let resolved = direct.resolved()?;
    Ok(match resolved.verify.measure {
        _ if direct.verify.unverified => {
            let range = direct.imatch.idf;
            let range = range.map_or(String::new(), |range| format!(" idf {range}"));
            let name = format!("{}{range}", direct.keys.method);
            (name, DIGEST.to_string())
        }
        measure => (
            resolved.features.method.unwrap_or_default(),
            measure.unwrap_or_default(),
        ),
    })
}

/// What stands for a measure where a common digest decides.
const DIGEST: &str = "digest";

/// Sets of features, which every measure of sets can compare.
const SETS: &[&str] = &[
    "shingles:words:1",
    "shingles:words:2",
    "shingles:words:3",
    "shingles:words:4",
    "shingles:chars:2",
    "shingles:chars:3",
    "shingles:chars:4",
    "shingles:chars:5",
    "winnow:words:3:3",
    "winnow:words:5:3",
    "winnow:chars:5:3",
    "spotsigs:50:1:2",
    "spotsigs:100:1:2",
];
const OF_SETS: &[&str] = &["jaccard", "containment", "cosine"];
const OF_TERMS: &[&str] = &["cosine", "weighted-jaccard", "tf-idf"];
const OTHERS: &[(&str, &str)] = &[
    ("shingles:words:1", "edit"),
    ("shingles:words:1", "hamming"),
    ("shingles:chars:3", "hamming"),
    ("shingles:words:1", "run"),
    ("shingles:words:1", "ends"),
    ("shingles:words:1", "tail"),
    ("terms", "rarest"),
    ("terms", "rarest-of-either"),
];
const IMATCH: &[&str] = &["imatch:0", "imatch:10"];
const IMATCH_RANGES: &[(f64, f64)] = &[(0.1, 0.9), (0.2, 0.8)];

/// What a combination is learnt from: few, but unlike each other, and all relative to the length of the texts. What counts
/// how much two texts have in common tells labelled pairs apart by their lengths, which are others in other files. Cheap ones
/// come first, since a pair is given up as soon as it cannot reach the threshold. (On the development files of three sets of
/// question pairs, LCQMC, BQ and QQP, negations, tails and the rarer difference raise the cross-validated F1 of trees from 0.735, 0.727
/// and 0.774 to 0.738, 0.732 and 0.776.)
const COMBINED: &[(&str, &str, Words)] = &[
    ("terms", "weighted-jaccard", Words::All),
    ("shingles:words:1", "containment", Words::OfMeaning),
    ("numbers", "jaccard", Words::All),
    ("negations", "jaccard", Words::All),
    ("terms", "tf-idf", Words::OfMeaning),
    ("terms", "rarest", Words::OfMeaning),
    ("terms", "rarest-of-either", Words::All),
    ("shingles:words:1", "tail", Words::All),
    ("shingles:chars:4", "cosine", Words::All),
    ("shingles:words:1", "edit", Words::All),
];

/// Which words of a text count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    All,
    /// Those that carry meaning, by their stems, with numbers in one form.
    OfMeaning,
}

/// What holds for all methods: what counts as the same text, but neither job nor keys, features, measure or model.
fn common(base: &Spec) -> Spec {
    let mut spec = base.clone();
    spec.job = jobs::DOCUMENTS;
    spec.top = None;
    spec.model = None;
    spec.more = None;
    spec.remove_kinds = None;
    spec.keys = KeysSpec::default();
    spec.features.method = None;
    spec.verify.measure = None;
    spec
}

fn with(base: &Spec, features: &str, measure: &str) -> Spec {
    let mut spec = base.clone();
    spec.features.method = Some(features.to_string());
    spec.verify.measure = Some(measure.to_string());
    spec.terms = short(base.terms);
    spec
}

/// Terms of short texts, whose few words all count.
fn short(rules: TermRules) -> TermRules {
    rules.with(|rules| {
        rules.min_characters = 1;
        rules.min_unique = 1;
    })
}

/// Every kind of method, with what `base` says beside job, keys, features, measure and model.
///
/// # Errors
/// If the text options do not go with a method.
pub fn built_in_methods(base: &Spec) -> Result<Vec<NamedMethod>, Error> {
    let base = &common(base);
    let sets = SETS
        .iter()
        .flat_map(|features| OF_SETS.iter().map(move |measure| (*features, *measure)));
    let terms = OF_TERMS.iter().map(|measure| ("terms", *measure));
    let all = sets.chain(terms).chain(OTHERS.iter().copied());
    let mut specs: Vec<Spec> = all
        .map(|(features, measure)| with(base, features, measure))
        .collect();
    for keys in IMATCH {
        for &(min, max) in IMATCH_RANGES {
            let mut spec = base.clone();
            spec.keys.method = (*keys).to_string();
            spec.verify.unverified = true;
            spec.features.method = Some("terms".to_string());
            spec.terms = short(base.terms);
            spec.imatch.idf = Some(IdfRange::new(min, max).map_err(KernelError::of(Setting::Idf))?);
            specs.push(spec);
        }
    }
    specs.into_iter().map(NamedMethod::new).collect()
}

/// Methods that differ in what they see, with the text options of `base`. Where there are several fields, some are long, and
/// edits of long texts cost much and tell little.
pub(crate) fn combined_methods(
    base: &Spec,
    several_fields: bool,
) -> Result<Vec<NamedMethod>, Error> {
    let is_wanted = |(_, measure, _): &&(&str, &str, Words)| !several_fields || *measure != "edit";
    let named = |&(features, measure, words): &(&str, &str, Words)| {
        let mut spec = with(&common(base), features, measure);
        if words == Words::OfMeaning {
            spec.text = jobs::text_of_question(base.text);
            // Numbers in one form have many digits.
            spec.terms.max_digits = usize::from(u8::MAX);
        }
        NamedMethod::new(spec)
    };
    COMBINED.iter().filter(is_wanted).map(named).collect()
}

/// Reads a list of methods: tables `[[method]]` in the format of a configuration, each with what it adds to what `base`
/// says beside job, keys, features, measure and model, and, if wanted, a `name`. `file` is for messages.
///
/// # Errors
/// If it is not such a list.
pub fn read_methods(file: &str, text: &str, base: &Spec) -> Result<Vec<NamedMethod>, Error> {
    let refuse = |problem: String| {
        let problem = format!("the list of methods {file}: {problem}");
        Error::from(KernelError::of(Setting::Sweep.given(file))(problem))
    };
    let form = "write tables [[method]] with, say, features.method = \"shingles:words:1\"";
    let list: toml::Table = toml::from_str(text)
        .map_err(|error| refuse(format!("{}; {form}", error.to_string().trim_end())))?;
    if let Some(other) = list.keys().find(|key| *key != "method") {
        return Err(refuse(format!("\"{other}\" is not known; {form}")));
    }
    let methods = list.get("method").and_then(toml::Value::as_array);
    let methods = methods
        .filter(|methods| !methods.is_empty())
        .ok_or_else(|| refuse(format!("there is no method in it; {form}")))?;
    let base = toml::Table::try_from(common(base)).map_err(Error::internal)?;
    let method = |(number, given): (usize, &toml::Value)| {
        let refuse = |problem: String| refuse(format!("method {number}: {problem}"));
        let mut given = given
            .as_table()
            .cloned()
            .ok_or_else(|| refuse(format!("it is no table; {form}")))?;
        let name = given.remove("name");
        let mut whole = base.clone();
        overlay(&mut whole, given);
        let spec: Spec = whole.try_into().map_err(|error: toml::de::Error| {
            refuse(format!("{}; correct its table", error.message()))
        })?;
        let mut method = NamedMethod::new(spec).map_err(|error| refuse(error.to_string()))?;
        match name {
            None => {}
            Some(toml::Value::String(name)) => method.name = name,
            Some(_) => {
                return Err(refuse(
                    "its name is not a string; write it in quotes".to_string(),
                ));
            }
        }
        Ok(method)
    };
    (1..).zip(methods).map(method).collect()
}

/// Puts the values of one table into another, table by table.
fn overlay(base: &mut toml::Table, given: toml::Table) {
    for (key, value) in given {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(base)), toml::Value::Table(given)) => overlay(base, given),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_method_can_be_planned_and_has_a_name_of_its_own() {
        let base = Spec::default();
        for methods in [
            built_in_methods(&base).unwrap(),
            combined_methods(&base, false).unwrap(),
            combined_methods(&base, true).unwrap(),
        ] {
            let mut names: Vec<_> = methods
                .iter()
                .map(|method| (method.name.as_str(), method.measure.as_str()))
                .collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), methods.len());
        }
    }

    #[test]
    fn a_list_says_only_what_differs() {
        let mut base = Spec::default();
        base.text.case = lookalike_text::Case::Keep;
        let list = "[[method]]\nname = \"字\"\nfeatures.method = \"shingles:chars:2\"\ntext.stop-words = \"zh\"\n[[method]]\nkeys.method = \"imatch:3\"\nverify.unverified = true\n";
        let methods = read_methods("list.toml", list, &base).unwrap();
        let named = |method: &NamedMethod| format!("{}, {}", method.name, method.measure);
        assert_eq!(named(&methods[0]), "字, jaccard");
        assert_eq!(methods[0].spec.text.case, base.text.case);
        assert_eq!(named(&methods[1]), "imatch:3, digest");
    }

    #[test]
    fn a_wrong_list_is_refused_with_its_name_and_the_number_of_the_method() {
        for (list, problem) in [
            ("", "list.toml: there is no method in it"),
            ("[[methods]]", "\"methods\" is not known"),
            ("[[method]]\nfeatures = 3", "method 1: "),
            (
                "[[method]]\nverify.measure = \"jaccart\"",
                "unknown measure \"jaccart\"",
            ),
            ("[[method]]\nname = 1", "not a string"),
        ] {
            let error = read_methods("list.toml", list, &Spec::default()).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
}
