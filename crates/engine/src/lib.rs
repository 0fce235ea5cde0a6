//! Near-duplicate text, found and proved: how a whole job runs.
