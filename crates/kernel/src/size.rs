//! Sizes as people write them: `256MB`, `2 GiB`, `64k`.

/// Reads a size in bytes. Decimal units (kB, MB, GB, TB) are powers of 1000, binary ones (KiB, MiB, GiB, TiB) of 1024.
///
/// ```
/// assert_eq!(lookalike_kernel::parse_size("256MB"), Ok(256_000_000));
/// assert_eq!(lookalike_kernel::parse_size("1.5 GiB"), Ok(1_610_612_736));
/// assert!(lookalike_kernel::parse_size("lots").is_err());
/// ```
pub fn parse_size(text: &str) -> Result<u64, String> {
    let trimmed = text.trim();
    let unit_at = trimmed
        .find(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(unit_at);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024f64.powi(2),
        "gib" => 1024f64.powi(3),
        "tib" => 1024f64.powi(4),
        _ => return Err(wrong(text)),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number >= 0.0 && number * factor < 1e18 => Ok((number * factor) as u64),
        _ => Err(wrong(text)),
    }
}

fn wrong(text: &str) -> String {
    format!("\"{text}\" is not a size; write it like 256MB, 2GB or 1GiB")
}

/// A size for people: three digits and a unit.
///
/// ```
/// assert_eq!(lookalike_kernel::show_size(221_600_000), "222 MB");
/// ```
pub fn show_size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "kB", "MB", "GB", "TB"] {
        if value < 999.5 || unit == "TB" {
            let digits = if value >= 99.5 || unit == "B" { 0 } else { 1 };
            return format!("{value:.digits$} {unit}");
        }
        value /= 1000.0;
    }
    String::new()
}
