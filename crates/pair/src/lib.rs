//! Which texts are alike, and how much? Joins, measures, clusters.
