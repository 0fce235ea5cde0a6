//! Which values no plan can follow.

use lookalike_pair::join::BucketRule;

use crate::Error;
use crate::setting::Setting;
use crate::spec::{Keep, Spec};

impl Spec {
    /// Refuses a value that cannot be, whatever the others are, and names that contradict each other.
    pub(super) fn check_values(&self) -> Result<(), Error> {
        let threshold = self.least_similarity();
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(Error::refused(
                Setting::Threshold.given(threshold),
                format!("threshold {threshold} is not above 0 and at most 1"),
                format!("{} is a good start", self.job.threshold()),
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
        if self.verify.transitive && !self.job.may_assume_pairs() {
            let job = self.job.name();
            return Err(Error::refused(
                Setting::Transitive,
                format!(
                    "transitive leaves comparisons of whole records out, and {job} tells more of a pair"
                ),
                "use messages or documents",
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
        if self.keep == Keep::More && self.job.more(self).is_none() {
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
