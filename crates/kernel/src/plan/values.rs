//! Which values no plan can follow.

use lookalike_pair::join::BucketRule;

use crate::Error;
use crate::setting::Setting;
use crate::spec::{Clusters, Keep, SeedSpec, Spec};
use crate::suggest;

impl Spec {
    /// Refuses a value that cannot be, whatever the others are, and names that contradict each other.
    pub(super) fn check_values(&self) -> Result<(), Error> {
        let threshold = self.least_similarity();
        if self.exclusive && self.threshold == Some(1.0) {
            return Err(Error::refused(
                Setting::Threshold.given(1.0),
                "nothing is more similar than 1, which exclusive asks for",
                "use a lower threshold, or leave exclusive out",
            ));
        }
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(Error::refused(
                Setting::Threshold.given(threshold),
                format!("threshold {threshold} is not above 0 and at most 1"),
                format!("{} is a good start", self.job.threshold_of(self)),
            ));
        }
        if self.input.text_field.is_empty() || self.input.text_field.iter().any(String::is_empty) {
            return Err(Error::refused(
                Setting::TextField,
                "text-field is empty",
                "name the field with the text",
            ));
        }
        self.check_fields()?;
        self.job.check(self)?;
        suggest::check(self)?;
        self.check_remove_kinds()?;
        self.check_clusters()?;
        if self.verify.transitive && !self.job.may_assume_pairs() {
            let job = self.job.name();
            return Err(Error::refused(
                Setting::Transitive,
                format!(
                    "transitive leaves out comparisons of whole records, but {job} needs them for every pair"
                ),
                "use messages or documents",
            ));
        }
        if self.verify.unverified {
            self.check_unverified()?;
        }
        if self.seed == SeedSpec::Withheld {
            return Err(Error::refused(
                Setting::Seed.given("secret"),
                "the seed is a secret that these settings do not reveal",
                "give it again by `seed-file=` or `seed-env=`",
            ));
        }
        let BucketRule { limit, leaders } = self.bucket_rule();
        if limit < 2 || leaders < 1 {
            return Err(Error::refused(
                Setting::BucketLimit.given(limit),
                format!(
                    "bucket-limit {limit} and bucket-leaders {leaders}: a bucket needs a limit of at least 2 and at least 1 leader"
                ),
                "raise what is less, or leave both out",
            ));
        }
        if let Some(cap) = self.keys.posting_cap.filter(|&cap| cap < 2) {
            return Err(Error::refused(
                Setting::PostingCap.given(cap),
                "a posting-cap below 2 leaves out every feature that two records share",
                "use 2 or more",
            ));
        }
        let has_terms = self.features.method.as_deref() == Some("terms");
        if self.terms.idf.is_some() && !has_terms && !self.keys.is_by_digest() {
            return Err(Error::refused(
                Setting::Idf,
                "an idf range chooses terms",
                "use it with `features=terms` or `keys=imatch`",
            ));
        }
        Ok(())
    }

    /// Over others, a record may be linked with one that it is not like at all.
    fn check_clusters(&self) -> Result<(), Error> {
        let job = self.job;
        if self.clusters() == Clusters::Stars {
            return Ok(());
        }
        let problem = if job.locates_passages() {
            format!(
                "components are made of similar pairs, but {} groups documents by what they share",
                job.name()
            )
        } else if job.removes_records(self) {
            format!(
                "components also link texts that are not similar to each other, and {} removes all of a cluster but one",
                job.name()
            )
        } else {
            return Ok(());
        };
        Err(Error::refused(
            Setting::Clusters.given(self.clusters().name()),
            problem,
            "use stars, or use sentences",
        ))
    }

    /// Only digests can stand for a comparison, and only where nothing else is asked for.
    fn check_remove_kinds(&self) -> Result<(), Error> {
        let job = self.job;
        match &self.remove_kinds {
            Some(_) if !job.tells_differences() => Err(Error::refused(
                Setting::RemoveKinds,
                format!(
                    "`remove-kinds=` chooses by how two records differ, which {} does not determine",
                    job.name()
                ),
                "leave it out, or use threads or messages",
            )),
            Some(kinds) if kinds.is_empty() => Err(Error::refused(
                Setting::RemoveKinds,
                "`remove-kinds=` names no kind, so nothing could be removed",
                "name some, or all",
            )),
            _ => Ok(()),
        }
    }

    fn check_unverified(&self) -> Result<(), Error> {
        let (problem, remedy) = match &self.verify.measure {
            _ if !self.keys.is_by_digest() => (
                format!(
                    "unverified pairs are those with a common digest, and {} keys are none",
                    self.keys.method
                ),
                "use it with `keys=imatch`",
            ),
            Some(measure) => (
                format!("unverified asks for no comparison, and measure {measure} for one"),
                "leave one of them out",
            ),
            None => return Ok(()),
        };
        Err(Error::refused(Setting::Unverified, problem, remedy))
    }

    fn check_fields(&self) -> Result<(), Error> {
        let fields = &self.input.fields;
        for (place, field) in fields.iter().enumerate() {
            if field.is_empty() {
                return Err(Error::refused(
                    Setting::Fields,
                    "one of the names in `fields=` is empty",
                    "separate them with one comma, as in title,body",
                ));
            }
            if fields[..place].contains(field) {
                return Err(Error::refused(
                    Setting::Fields,
                    format!("`fields=` names \"{field}\" twice"),
                    "name every field once",
                ));
            }
        }
        if self.kept() == Keep::More && self.job.more(self).is_none() {
            let why = if self.compared_fields().is_empty() {
                format!("{} {}", self.job.name(), self.job.what_it_does())
            } else {
                "no `more-field=` is named".to_string()
            };
            return Err(Error::refused(
                Setting::Keep.given("more"),
                format!(
                    "`keep=more` keeps the thread with the most information in a field, and {why}"
                ),
                "use longest",
            ));
        }
        Ok(())
    }
}
