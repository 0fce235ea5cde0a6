//! How alike must two texts be in some field to be worth comparing?
//!
//! In come the similarities of the true pairs that a model finds and of strangers, field by field; out goes a floor per field.
//! A pair that reaches any of them is compared, so they are chosen together: each lets the same share of strangers through,
//! the smallest with which few true pairs are below all floors. Then each in turn is raised as far as that still holds.
//! Strangers are the nearest texts of a corpus; where so many reach the floors that a run on a large corpus would compare more
//! than a few pairs a record, more true pairs may be missed. Similarities are those of words that carry meaning: others are shared by nearly all pairs of a corpus.

use lookalike_kernel::{Column, FloorSpec, Spec, jobs};

use super::TuneOptions;
use super::background::Near;
use super::competitors::views;
use crate::Error;
use crate::scoring::PairScorer;

/// How alike pairs must be to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Floors {
    /// A pair that reaches any of these is compared.
    pub floors: Vec<FloorSpec>,
    /// The share of the near-duplicates among the labelled pairs that the model finds and that reach none.
    pub below: f64,
}

/// What floors are in.
const FLOOR: (&str, &str) = ("shingles:words:1", "jaccard");

/// The share of true pairs that may be below all floors, if floors that high let few others through;
pub(super) const MISSED: f64 = 0.05;
/// and if they let more through than a run can compare.
pub(super) const MOST_MISSED: f64 = 0.2;
/// So many pairs are compared for each record of a large corpus,
const COMPARED: f64 = 10.0;
/// which has so many records.
const LARGE: f64 = 100_000.0;
/// Floors that are even lower would let nearly all pairs through.
pub(super) const LEAST_FLOOR: f64 = 0.05;

/// Similarities, one per field; none where neither text has anything to compare.
type Row = Vec<Option<f64>>;

/// Adds floors to the model of a spec, if it has one: one for every field that has text.
pub(super) fn add(
    spec: &mut Spec,
    (scorer, near): (&mut PairScorer<'_>, &Near),
    options: &TuneOptions,
) -> Result<Option<Floors>, Error> {
    if spec.model.is_none() {
        return Ok(None);
    }
    let text = jobs::text_of_question(options.base.text);
    let column = |field| {
        let mut spec = options.base.clone();
        (spec.features.method, spec.verify.measure) =
            (Some(FLOOR.0.to_string()), Some(FLOOR.1.to_string()));
        spec.text = text;
        Column::direct(field, &spec)
    };
    let views = views(&options.fields);
    let columns: Vec<Column> = views.iter().cloned().map(column).collect();
    let rows = scorer.matrix(&columns)?;
    let mut of_strangers = PairScorer::new(&near.pairs).with_fields(&options.fields);
    let of_strangers = of_strangers.matrix(&columns)?;
    let affordable = COMPARED * near.sampled() as f64 * near.texts as f64 / LARGE;
    let has_text = |place: usize| rows.iter().any(|row| row[place].is_some());
    let has_text: Vec<bool> = (0..columns.len()).map(has_text).collect();
    let scores = scorer.score(spec)?;
    let is_found = |score: Option<f64>| score >= Some(spec.least_similarity());
    let labelled = rows.into_iter().zip(scorer.labels().zip(scores));
    let labelled: Vec<(Row, (bool, Option<f64>))> = labelled.collect();
    let of_true = |is_counted: &dyn Fn(Option<f64>) -> bool| -> Vec<Row> {
        let counted = labelled
            .iter()
            .filter(|(_, (same, score))| *same && is_counted(*score));
        counted.map(|(row, _)| row.clone()).collect()
    };
    let mut found = of_true(&is_found);
    if found.is_empty() {
        // A threshold that none of them reaches.
        found = of_true(&|_| true);
    }
    let (least, below) = choose(&found, (&of_strangers, affordable as usize));
    let floor = |(field, least): (Option<String>, f64)| FloorSpec {
        field,
        features: FLOOR.0.to_string(),
        measure: FLOOR.1.to_string(),
        least,
        text: (text != spec.text).then_some(text),
    };
    let views = views.into_iter().zip(least).zip(has_text);
    let floors: Vec<FloorSpec> = views
        .filter_map(|(view, has_text)| has_text.then(|| floor(view)))
        .collect();
    if let Some(model) = &mut spec.model {
        model.floor.clone_from(&floors);
    }
    // What else is wrong with the spec is said now, not when it is used.
    spec.plan()?;
    Ok(Some(Floors { floors, below }))
}

/// The floors, and the share of the true pairs that reach none, given the strangers and how many of them may reach each
/// floor.
fn choose(of_true: &[Row], (of_strangers, affordable): (&[Row], usize)) -> (Vec<f64>, f64) {
    let fields = of_true.first().map_or(0, Vec::len);
    let sorted = |field: usize| {
        let values = of_strangers.iter().map(|row| row[field].unwrap_or(0.0));
        let mut values: Vec<f64> = values.collect();
        values.sort_by(|one, two| two.total_cmp(one));
        values
    };
    let strangers: Vec<Vec<f64>> = (0..fields).map(sorted).collect();
    let letting_through = |count: usize| -> Vec<f64> {
        let floor = |values: &Vec<f64>| values.get(count).map_or(LEAST_FLOOR, |&most| above(most));
        strangers.iter().map(floor).collect()
    };
    let least_missed = missed(of_true, &vec![LEAST_FLOOR; fields]);
    let allowed = |share: f64| ((share * of_true.len() as f64) as usize).max(least_missed);
    // The fewest strangers to let through for no more true pairs to be missed than allowed.
    let fewest = |allowed: usize| {
        let (mut least, mut most) = (0, of_strangers.len());
        while least < most {
            let middle = usize::midpoint(least, most);
            if missed(of_true, &letting_through(middle)) <= allowed {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        least
    };
    let wanted = fewest(allowed(MISSED));
    let through = if wanted > affordable {
        fewest(allowed(MOST_MISSED)).max(affordable)
    } else {
        wanted
    };
    let mut floors = letting_through(through);
    let allowed = missed(of_true, &floors).max(allowed(MISSED));
    for field in 0..fields {
        raise(&mut floors, field, of_true, allowed);
    }
    let below = missed(of_true, &floors) as f64 / of_true.len().max(1) as f64;
    (floors, below)
}

/// In thousandths, above a similarity.
fn above(similarity: f64) -> f64 {
    let next = (similarity * 1000.0).floor() + 1.0;
    (next / 1000.0).clamp(LEAST_FLOOR, 1.0)
}

fn reaches(row: &Row, floors: &[f64]) -> bool {
    let mut each = row.iter().zip(floors);
    each.any(|(similarity, floor)| similarity.is_some_and(|similarity| similarity >= *floor))
}

fn missed(of_true: &[Row], floors: &[f64]) -> usize {
    of_true.iter().filter(|row| !reaches(row, floors)).count()
}

/// As high as a floor can be if no more than so many true pairs may be missed. One that nothing depends on stays.
fn raise(floors: &mut [f64], field: usize, of_true: &[Row], allowed: usize) {
    let mut others = floors.to_vec();
    others[field] = f64::INFINITY;
    let depending = of_true.iter().filter(|row| !reaches(row, &others));
    let mut depending: Vec<f64> = depending.map(|row| row[field].unwrap_or(0.0)).collect();
    depending.sort_by(f64::total_cmp);
    if let Some(needed) = depending.get(allowed) {
        floors[field] = floors[field].max((needed * 1000.0).floor() / 1000.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(columns: [fn(usize) -> f64; 2]) -> Vec<Row> {
        let row = |number| columns.map(|column| Some(column(number))).to_vec();
        (0..100).map(row).collect()
    }

    #[test]
    fn a_field_in_which_strangers_are_alike_has_the_higher_floor() {
        let of_true = rows([|n| n as f64 / 100.0, |n| 0.3 + n as f64 / 200.0]);
        let strangers = rows([|n| n as f64 / 1000.0, |n| 0.2 + n as f64 / 500.0]);
        let (floors, below) = choose(&of_true, (&strangers, 100));
        assert!(floors[0] < floors[1], "{floors:?}");
        assert!(below <= MISSED, "{below}");
    }

    #[test]
    fn one_field_has_the_floor_that_most_true_pairs_reach() {
        let of_true: Vec<Row> = (0..100).map(|n| vec![Some(f64::from(n) / 100.0)]).collect();
        for strangers in [vec![], vec![vec![Some(0.01)]], vec![vec![None]]] {
            let (floors, below) = choose(&of_true, (&strangers, 100));
            assert_eq!((floors, below), (vec![0.05], 0.05));
        }
        let of_true: Vec<Row> = (0..100)
            .map(|n| vec![Some(0.5 + f64::from(n) / 200.0)])
            .collect();
        assert_eq!(choose(&of_true, (&[vec![Some(0.1)]], 1)).0, [0.525]);
    }

    #[test]
    fn where_too_many_strangers_would_be_compared_more_true_pairs_may_be_missed() {
        let of_true: Vec<Row> = (0..100).map(|n| vec![Some(f64::from(n) / 100.0)]).collect();
        let strangers: Vec<Row> = (0..1000)
            .map(|n| vec![Some(f64::from(n) / 3000.0)])
            .collect();
        let below = |affordable| choose(&of_true, (&strangers, affordable)).1;
        assert_eq!(below(1000), MISSED);
        assert_eq!(below(10), MOST_MISSED);
        assert!(below(700) > MISSED && below(700) < MOST_MISSED);
    }

    #[test]
    fn what_nothing_can_find_is_missed() {
        let of_true = vec![vec![None, Some(0.0)], vec![Some(0.5), None]];
        let (floors, below) = choose(&of_true, (&[vec![Some(0.2), Some(0.4)]], 1));
        assert_eq!(below, 0.5);
        assert!(floors[0] <= 0.5 && floors[1] > 0.4 - 1e-9, "{floors:?}");
    }
}
