//! Jobs in configuration files: by their names.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

use super::{JOBS, Job, named};

pub(crate) fn serialize<S: Serializer>(
    job: &&'static dyn Job,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(job.name())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<&'static dyn Job, D::Error> {
    let name = String::deserialize(deserializer)?;
    named(&name).ok_or_else(|| {
        let names: Vec<&str> = JOBS.iter().map(|job| job.name()).collect();
        let names = names.join(", ");
        D::Error::custom(format!("there is no job \"{name}\"; the jobs are: {names}"))
    })
}
