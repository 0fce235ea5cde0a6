//! `lookalike params`: the choice of bands and rows, and its S-curve.

use anyhow::bail;
use clap::Args;
use lookalike::Spec;
use lookalike::sign::keys::{Curve, Finds};
use serde_json::json;

use super::Answer;

#[derive(Debug, Args)]
pub(crate) struct Params {
    /// Pairs at least this similar are duplicates
    #[arg(long, short, default_value_t = 0.8, value_name = "0..1", value_parser = crate::options::fraction)]
    threshold: f64,
    /// Recall to aim for at the threshold
    #[arg(long, default_value_t = 0.95, value_name = "0..1", value_parser = crate::options::fraction)]
    recall: f64,
    /// minhash, or minhash:N for at most N hashes
    #[arg(long, default_value = "minhash", value_name = "METHOD")]
    keys: String,
    /// Number of bands, together with --rows, instead of choosing them
    #[arg(long)]
    bands: Option<u32>,
    /// Rows per band
    #[arg(long)]
    rows: Option<u32>,
    /// Print one JSON object instead of a page
    #[arg(long)]
    json: bool,
}

impl Answer for Params {
    fn answer(&self) -> anyhow::Result<String> {
        let mut spec = Spec {
            threshold: Some(self.threshold),
            ..Spec::default()
        };
        spec.keys.recall = Some(self.recall);
        spec.keys.method.clone_from(&self.keys);
        spec.keys.bands = self.bands;
        spec.keys.rows = self.rows;
        let plan = spec.plan()?;
        let keys = plan.probes.iter().find_map(|probe| probe.keys.as_ref());
        let Some(finds) = keys.map(|keys| keys.finds()) else {
            bail!("{} has no S-curve: it finds every pair", self.keys);
        };
        let Finds::Curve(curve) = finds else {
            bail!("{} has no S-curve; there is one for minhash", self.keys);
        };
        Ok(match self.json {
            true => format!("{}\n", object(curve, self.threshold)),
            false => page(curve, self.threshold),
        })
    }
}

const STEP: u32 = 5;
const PLOT_ROWS: u32 = 10;
const PLOT_COLUMNS: u32 = 60;

/// The similarities of the table.
fn steps() -> impl Iterator<Item = f64> {
    let steps = (STEP..=100).step_by(STEP as usize);
    steps.map(|percent| f64::from(percent) / 100.0)
}

fn object(curve: Curve, threshold: f64) -> serde_json::Value {
    let found = steps()
        .map(|similarity| json!({"similarity": similarity, "found": curve.recall(similarity)}));
    json!({
        "bands": curve.bands,
        "rows": curve.rows,
        "hashes": curve.hashes(),
        "threshold": threshold,
        "recall": curve.recall(threshold),
        "half_found_at": curve.similarity_at(0.5),
        "curve": found.collect::<Vec<_>>(),
    })
}

fn page(curve: Curve, threshold: f64) -> String {
    let mut page = format!(
        "{} bands of {} rows ({} hashes): a pair of similarity s is found with probability 1-(1-s^{})^{}\n\
         at the threshold {threshold}: {:.4}; half of the pairs are found at {:.3}\n\n  similarity  found\n",
        curve.bands,
        curve.rows,
        curve.hashes(),
        curve.rows,
        curve.bands,
        curve.recall(threshold),
        curve.similarity_at(0.5),
    );
    for similarity in steps() {
        page += &format!("        {similarity:.2}  {:.4}\n", curve.recall(similarity));
    }
    page += "\n";
    page += &plot(curve, threshold);
    page
}

/// The curve as characters, the threshold as a dotted line.
fn plot(curve: Curve, threshold: f64) -> String {
    let column = |x: u32| f64::from(x) / f64::from(PLOT_COLUMNS);
    let threshold_column = (threshold * f64::from(PLOT_COLUMNS)).round() as u32;
    let mut plot = String::new();
    for row in (0..=PLOT_ROWS).rev() {
        let label = match row {
            PLOT_ROWS => "1.0 |",
            5 => "0.5 |",
            0 => "0.0 |",
            _ => "    |",
        };
        plot += label;
        for x in 0..=PLOT_COLUMNS {
            let height = (curve.recall(column(x)) * f64::from(PLOT_ROWS)).round() as u32;
            plot.push(match () {
                () if height == row => '*',
                () if x == threshold_column => ':',
                () => ' ',
            });
        }
        plot.truncate(plot.trim_end().len());
        plot.push('\n');
    }
    plot += &format!("    +{}\n", "-".repeat(PLOT_COLUMNS as usize + 1));
    plot += &format!("     0{}similarity{}1\n", " ".repeat(24), " ".repeat(25));
    plot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plot_rises_from_the_lower_left_to_the_upper_right() {
        let plot = plot(Curve { bands: 13, rows: 7 }, 0.8);
        let lines: Vec<&str> = plot.lines().collect();
        assert!(lines[0].ends_with('*'));
        assert!(lines[PLOT_ROWS as usize].starts_with("0.0 |*"));
    }
}
