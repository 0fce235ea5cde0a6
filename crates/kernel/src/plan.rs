//! A plan: a spec with every choice resolved and checked against the others.
//!
//! In: a [`Spec`]. Out: what the stages work with, or why the choices do not go together and what to do instead.

mod mean;
mod model;
mod probe;
mod route;
mod values;

use std::sync::Arc;

use lookalike_pair::assemble::Difference;
use lookalike_pair::join::{BucketRule, NearRule};
use lookalike_pair::verify::{Model, SameDigest, Verify, measure};
use lookalike_sign::features::{self, Background, Method, Weighting};
use lookalike_sign::keys::{self, Finds, Sieve, Sieving};
use lookalike_sign::stats::Lexicon;
use lookalike_text::TextOptions;

use crate::Error;
use crate::setting::Setting;
use crate::spec::{Pairs, Spec};
use crate::statistics::Statistics;
pub use mean::{ChosenFloors, GRID, Mean, NEVER};
pub use probe::Probe;
pub use route::{Fallback, Route};

/// A spec with every choice resolved and checked against the others.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Pairs at least this similar are duplicates.
    pub threshold: f64,
    /// How units are described for the measure; none if it describes them itself, as a model does.
    pub features: Option<Arc<dyn Method>>,
    /// What describing needs to know; lexicons are there once they are counted or read.
    pub background: Background,
    /// By what candidates are found: pairs that are alike under any of these.
    pub probes: Vec<Probe>,
    /// The weights of the probes, where the measure is the weighted mean of just these similarities.
    pub mean: Option<Mean>,
    /// How pairs are found.
    pub route: Route,
    /// Whether features are weighed once all texts are known, and described before it without their weights.
    pub weighs: bool,
    /// The measure.
    pub measure: Arc<dyn Verify>,
    /// The measure once more, where it is a model.
    pub model: Option<Arc<Model>>,
    /// Whether there is a similarity: unverified I-Match has none.
    pub verified: bool,
    /// When a bucket is hot.
    pub buckets: BucketRule,
    /// What of the pairs with a common key is worth a comparison, where a sketch of each unit decides it.
    pub sieve: Option<Sieve>,
    /// When documents that share neighbouring words are compared, too; none where these are not looked for.
    pub near: Option<NearRule>,
}

impl Plan {
    /// By which words texts are counted before anything is described: none if nothing needs to know how common words are.
    pub fn lexicons_needed(&self) -> Vec<TextOptions> {
        let own = self.features.iter().filter(|features| {
            features.needs_statistics(&self.background) || self.measure.needs_statistics()
        });
        let probes = self.probes.iter();
        let probes = probes.filter(|probe| probe.features.needs_statistics(&probe.background));
        let parts = self.model.iter().flat_map(|model| model.all_parts());
        let parts = parts.filter(|part| part.needs_statistics());
        let texts = own
            .map(|_| self.background.text)
            .chain(probes.map(|probe| probe.background.text))
            .chain(parts.map(|part| part.background.text));
        let mut distinct = Vec::new();
        for text in texts {
            if !distinct.contains(&text) {
                distinct.push(text);
            }
        }
        distinct
    }

    /// The same without those that there are.
    pub fn lexicons_missing(&self) -> Vec<TextOptions> {
        let mut needed = self.lexicons_needed();
        needed.retain(|text| !self.lexicons().any(|lexicon| lexicon.counts_words_as(text)));
        needed
    }

    /// The lexicons that there are.
    pub fn lexicons(&self) -> impl Iterator<Item = &Arc<Lexicon>> {
        let background = &self.background;
        background.lexicon.iter().chain(&background.other_lexicons)
    }

    /// What it knows.
    pub(crate) fn known(&self) -> Statistics {
        Statistics {
            lexicons: self.lexicons().cloned().collect(),
            collection: self.background.collection.clone(),
            weights: self.background.weights.clone(),
            ..Statistics::default()
        }
    }

    /// Takes up what becomes known. The first lexicon is that of the run itself.
    pub(crate) fn know(&mut self, statistics: Statistics) {
        let Statistics {
            lexicons,
            collection,
            weights,
            ..
        } = statistics;
        let mut lexicons = lexicons.into_iter();
        if self.background.lexicon.is_none() {
            self.background.lexicon = lexicons.next();
        }
        self.background.other_lexicons.extend(lexicons);
        for probe in &mut self.probes {
            probe.background.lexicon = self.background.lexicon_for(&probe.background.text);
        }
        let of_probes = self.probes.iter_mut().map(|probe| &mut probe.background);
        for background in std::iter::once(&mut self.background).chain(of_probes) {
            background.collection = collection.clone().or(background.collection.take());
            background.weights = weights.clone().or(background.weights.take());
        }
    }

    /// Makes and drops what describes: what is wrong with it is known before the work, not after it.
    pub(crate) fn check_describers(&self) -> Result<(), lookalike_sign::Error> {
        if let Some(features) = &self.features {
            features.describer(&self.background)?;
        }
        for probe in &self.probes {
            probe.features.describer(&probe.background)?;
        }
        self.measure.keeper(&self.background)?;
        self.measure.scorer(&self.background)?;
        Ok(())
    }
}

impl Spec {
    /// Checks the choices and resolves them.
    pub fn plan(&self) -> Result<Plan, Error> {
        self.check_values()?;
        let plan = match self.job.model(self)? {
            Some(model) => self.plan_model(&model)?,
            None => self.plan_measure()?,
        };
        if plan.lexicons_missing().is_empty() {
            plan.check_describers()
                .map_err(Error::of(Setting::Features))?;
        }
        Ok(plan)
    }

    /// The plan for a single measure.
    fn plan_measure(&self) -> Result<Plan, Error> {
        let own_keys = || Setting::Keys.given(&self.keys.method);
        let by = keys::method(&self.keys.method).map_err(Error::of(own_keys()))?;
        let is_imatch = by.is_by_digest;
        let default_features = if is_imatch {
            "terms"
        } else {
            self.job.features()
        };
        let given = self.features.method.as_deref().unwrap_or(default_features);
        let features =
            features::method(given).map_err(Error::of(Setting::Features.given(given)))?;
        if is_imatch && !features.has_weights() {
            return Err(Error::refused(
                Setting::Features.given(&features),
                format!(
                    "imatch keys are digests of words in a lexicon, but the features are {features}"
                ),
                "use `features=terms`",
            ));
        }
        let measure_name = self.measure_name(&features);
        let named = match &self.verify.measure {
            _ if self.verify.unverified => None,
            _ => Some(
                measure(measure_name).map_err(Error::of(Setting::Measure.given(measure_name)))?,
            ),
        };
        let weighting = named.as_ref().and_then(|named| named.weighting());
        let background = Background {
            weighting: weighting.unwrap_or_default(),
            weighted: by.needs_weights || weighting.is_some(),
            ..self.background()
        };
        let named = named.map(|named| self.job.measure(self, named, &features));
        let (route, keys) = self.route((measure_name, named.as_ref()), &features)?;
        if self.verify.transitive && matches!(route, Route::Units | Route::Terms { .. }) {
            return Err(Error::refused(
                own_keys(),
                "transitive leaves out comparisons, and every key asks for all of them",
                "use `keys=auto`",
            ));
        }
        if is_imatch && weighting == Some(Weighting::TfIdf) {
            return Err(Error::refused(
                Setting::Measure.given(measure_name),
                "imatch keys need the idf of words by itself, and tf-idf mixes it with their frequency",
                "use `measure=cosine`",
            ));
        }
        if weighting.is_some() && !features.has_weights() {
            return Err(Error::refused(
                Setting::Features.given(&features),
                format!(
                    "measure {measure_name} needs features with weights, and {features} have none"
                ),
                "use `features=terms`",
            ));
        }
        if by.needs_weights && !features.has_weights() {
            let keys = &self.keys.method;
            return Err(Error::refused(
                Setting::Features.given(&features),
                format!("{keys} keys are of the heaviest words, and {features} have no weights"),
                "use `features=weighted-terms`",
            ));
        }
        if features.is_weighed() && weighting == Some(Weighting::TfIdf) {
            return Err(Error::refused(
                Setting::Features.given(&features),
                format!("tf-idf weights words itself, but {features} have weights already"),
                "use `features=terms`, or `measure=cosine`",
            ));
        }
        let measure = match (named, &keys) {
            (Some(named), _) => named,
            (None, Some(keys)) => Arc::new(SameDigest::new(Arc::clone(keys))),
            (None, None) => return Err(Error::Internal("no measure was chosen".to_string())),
        };
        let threshold = self.threshold(measure_name, keys.as_deref())?;
        let probe = Probe {
            field: None,
            features: Arc::clone(&features),
            background: background.clone(),
            measure: Arc::clone(&measure),
            floor: threshold,
            keys,
        };
        Ok(Plan {
            threshold,
            weighs: features.is_weighed() && background.weighted,
            features: Some(features),
            background,
            buckets: self.buckets(std::slice::from_ref(&probe)),
            sieve: match self.job.sieving(self) {
                // Also where nothing is sifted, for what its sketches tell of sentences.
                Sieving::Features => Some(Sieve::Features { threshold }),
                _ => probe.keys.as_ref().and_then(|keys| keys.sieve()),
            },
            near: self.job.near(self),
            probes: vec![probe],
            mean: None,
            route,
            verified: !self.verify.unverified,
            measure,
            model: None,
        })
    }

    fn background(&self) -> Background {
        Background {
            text: self.job.text(self),
            seed: self.seed.seed(),
            terms: self.terms,
            antecedents: self.features.antecedents,
            ..Background::default()
        }
    }

    fn buckets(&self, probes: &[Probe]) -> BucketRule {
        // All pairs within the distance are promised.
        let by_distance = |keys: &Arc<dyn keys::Keys>| matches!(keys.finds(), Finds::Distance(_));
        let promised = probes
            .iter()
            .filter_map(|probe| probe.keys.as_ref())
            .any(by_distance);
        if self.pairs == Pairs::All || promised {
            return BucketRule::UNLIMITED;
        }
        self.bucket_rule()
    }

    fn bucket_rule(&self) -> BucketRule {
        BucketRule {
            limit: self
                .keys
                .bucket_limit
                .unwrap_or_else(|| self.job.bucket_limit()),
            leaders: self.keys.bucket_leaders,
        }
    }

    /// The spec with what it leaves open filled in, as a run reports it.
    pub fn resolved(&self) -> Result<Spec, Error> {
        let plan = self.plan()?;
        let mut spec = self.clone();
        // Without a similarity there is nothing a threshold could mean.
        spec.threshold = match self.exclusive {
            true => Some(self.threshold.unwrap_or(self.job.threshold_of(self))),
            false => plan.verified.then_some(plan.threshold),
        };
        spec.keep = self.kept();
        spec.text = self.job.text(self);
        let by_default = self.job.reads_main_content().then_some(true);
        spec.input.main_content = self.input.main_content.or(by_default);
        spec.model = self.job.model(self)?;
        spec.clusters = Some(self.clusters());
        if self.job.tells_differences() {
            let removed = self.remove_kinds.clone();
            spec.remove_kinds = removed.or(Some(Difference::REMOVED.to_vec()));
        }
        if spec.model.is_some() {
            spec.input.fields = self.compared_fields();
            let is_told = self.more.is_some() || self.job.compares_answers(self);
            spec.more = self.job.more(self).filter(|_| is_told);
        } else if let Some(features) = &plan.features {
            spec.features.method = Some(features.to_string());
            if plan.verified {
                spec.verify.measure = Some(self.measure_name(features).to_string());
            }
        }
        Ok(spec)
    }

    /// The measure, where none is given that of the features.
    fn measure_name(&self, features: &Arc<dyn Method>) -> &str {
        let default = if self.keys.is_by_digest() {
            "cosine"
        } else if features.is_weighed() {
            "weighted-jaccard"
        } else {
            "jaccard"
        };
        self.verify.measure.as_deref().unwrap_or(default)
    }

    /// The fields that are compared one by one; none where whole texts are.
    pub fn compared_fields(&self) -> Vec<String> {
        self.job.compared_fields(self)
    }

    /// The least similarity of a pair: the threshold, where none is given that of the job, or just above it.
    pub fn least_similarity(&self) -> f64 {
        /// More than what rounding makes of a mean that is just at the threshold.
        const ABOVE: f64 = 1e-9;
        let threshold = self.threshold.unwrap_or(self.job.threshold_of(self));
        if self.exclusive {
            threshold + ABOVE
        } else {
            threshold
        }
    }

    /// The threshold, which SimHash fixes where it is not given.
    fn threshold(&self, measure: &str, keys: Option<&dyn keys::Keys>) -> Result<f64, Error> {
        let distance = match keys.map(keys::Keys::finds) {
            Some(Finds::Distance(distance)) if measure == "hamming" => distance,
            _ => return Ok(self.least_similarity()),
        };
        let reached = f64::from(64 - distance) / 64.0;
        match self.threshold {
            Some(threshold) if threshold < reached => Err(Error::refused(
                Setting::Threshold.given(threshold),
                format!(
                    "threshold {threshold} asks for Hamming distances up to {}, but {} finds those up to {distance}",
                    ((1.0 - threshold) * 64.0 + 1e-9) as u32,
                    self.keys.method
                ),
                format!("use `threshold={reached}` or more, or a larger distance in `keys=`"),
            )),
            given => Ok(given.unwrap_or(reached)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Join;

    fn refused(change: fn(&mut Spec)) -> String {
        let mut spec = Spec::default();
        change(&mut spec);
        spec.plan().unwrap_err().to_string()
    }

    fn with(keys: &str, measure: Option<&str>, features: Option<&str>) -> Spec {
        let mut spec = Spec::default();
        spec.keys.method = keys.to_string();
        spec.verify.measure = measure.map(str::to_string);
        spec.features.method = features.map(str::to_string);
        spec
    }

    #[test]
    fn wrong_values_are_refused_with_the_remedy() {
        assert!(refused(|spec| spec.threshold = Some(1.5)).contains("at most 1"));
        assert!(refused(|spec| spec.threshold = Some(f64::NAN)).contains("above 0"));
        assert!(refused(|spec| spec.keys.bands = Some(4)).contains("go together"));
        assert!(
            refused(|spec| spec.keys.method = "simhsh".to_string()).contains("there are: auto")
        );
        assert!(refused(|spec| spec.keys.bucket_limit = Some(0)).contains("at least 2"));
        assert!(refused(|spec| spec.input.text_field.clear()).contains("name the field"));
    }

    #[test]
    fn impossible_combinations_are_refused_with_the_remedy() {
        let refused = |spec: Spec| spec.plan().unwrap_err().to_string();
        for keys in ["auto", "prefix"] {
            assert!(refused(with(keys, Some("edit"), None)).contains("use `keys=every`"));
        }
        assert!(refused(with("minhash", Some("edit"), None)).contains("`bands=` and `rows=`"));
        assert!(
            refused(with("imatch", None, Some("shingles:words:3"))).contains("`features=terms`")
        );
        assert!(refused(with("every", Some("tf-idf"), None)).contains("`features=terms`"));
        let mut spec = with("simhash:64:3", Some("hamming"), None);
        spec.threshold = Some(0.8);
        assert!(refused(spec).contains("`threshold=0.953125`"));
        let mut spec = with("every", Some("edit"), None);
        spec.keys.join = Join::Term;
        assert!(refused(spec).contains("`join=unit`"));
        let mut spec = with("minhash", None, None);
        spec.keys.join = Join::Unit;
        assert!(refused(spec).contains("`keys=every`"));
        let mut spec = with("every", None, None);
        spec.keys.join = Join::Bucket;
        assert!(refused(spec).contains("`keys=prefix`"));
        let mut spec = with("prefix", None, None);
        spec.keys.posting_cap = Some(10);
        assert!(refused(spec).contains("`keys=every`"));
    }

    #[test]
    fn signatures_state_their_own_bands_so_they_go_with_any_measure() {
        let plan = with("signatures:10:8", Some("edit"), None).plan().unwrap();
        assert_eq!(plan.route, Route::Buckets);
        let mut spec = with("signatures:10:8", None, None);
        (spec.keys.bands, spec.keys.rows) = (Some(10), Some(8));
        assert!(
            spec.plan()
                .unwrap_err()
                .to_string()
                .contains("leave `bands=`")
        );
    }

    #[test]
    fn what_is_left_open_is_filled_in() {
        let plan = with("imatch:5", None, None).plan().unwrap();
        assert_eq!(plan.features.as_ref().unwrap().to_string(), "terms");
        assert!(plan.verified && !plan.lexicons_needed().is_empty());
        let spec = with("imatch:5", None, None).resolved().unwrap();
        assert_eq!(spec.verify.measure.as_deref(), Some("cosine"));
        let mut spec = with("imatch:5", None, None);
        spec.verify.unverified = true;
        assert!(!spec.plan().unwrap().verified);
        let spec = with("simhash:64:3", Some("hamming"), None)
            .resolved()
            .unwrap();
        assert_eq!(spec.threshold, Some(61.0 / 64.0));
        let spec = Spec::default().resolved().unwrap();
        assert_eq!(spec.features.method.as_deref(), Some("shingles:words:5"));
        assert_eq!(spec.verify.measure.as_deref(), Some("jaccard"));
    }

    #[test]
    fn a_measure_below_jaccard_asks_the_keys_for_less_similar_pairs() {
        let bands = |measure: &str| {
            let plan = with("minhash", Some(measure), None).plan().unwrap();
            plan.probes[0].keys.as_ref().unwrap().finds()
        };
        let (Finds::Curve(jaccard), Finds::Curve(cosine)) = (bands("jaccard"), bands("cosine"))
        else {
            panic!("no curves");
        };
        assert!(cosine.recall(0.64) >= 0.95 && jaccard.recall(0.8) >= 0.95);
        assert!(jaccard.recall(0.64) < 0.95);
    }
}
