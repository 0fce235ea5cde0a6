//! What a wrong probability costs.

/// 1 for near-duplicates, else 0.
pub(super) fn label(same: bool) -> f64 {
    f64::from(u8::from(same))
}

/// The negative logarithm of the probability of the label, and the probability of label 1.
pub(super) fn loss_and_probability(z: f64, label: f64) -> (f64, f64) {
    let odds = libm::exp(-z.abs());
    let loss = z.max(0.0) + libm::log1p(odds) - label * z;
    let probability = if z >= 0.0 { 1.0 } else { odds } / (1.0 + odds);
    (loss, probability)
}
