//! How alike must two texts be in some field to be worth comparing?
//!
//! In come the similarities of the true pairs and of strangers, field by field; out goes a floor a field. A pair that
//! reaches any of them is compared, so they are chosen together: each lets the same share of strangers through, the
//! smallest with which few true pairs are below all floors. Then each in turn is raised as far as that still holds.

/// The share of true pairs that may be below all floors.
pub(super) const MISSED: f64 = 0.05;
/// Floors that are even lower would let nearly all pairs through.
pub(super) const LEAST_FLOOR: f64 = 0.05;

/// Similarities, one a field; none where neither text has anything to compare.
pub(super) type Row = Vec<Option<f64>>;

/// The floors, and the share of the true pairs that reach none. See the [module](self).
pub(super) fn choose(of_true: &[Row], of_strangers: &[Row]) -> (Vec<f64>, f64) {
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
    let allowed = ((MISSED * of_true.len() as f64) as usize).max(least_missed);
    let (mut least, mut most) = (0, of_strangers.len());
    while least < most {
        let middle = usize::midpoint(least, most);
        if missed(of_true, &letting_through(middle)) <= allowed {
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    let mut floors = letting_through(least);
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
        let (floors, below) = choose(&of_true, &strangers);
        assert!(floors[0] < floors[1], "{floors:?}");
        assert!(below <= MISSED, "{below}");
    }

    #[test]
    fn one_field_has_the_floor_that_most_true_pairs_reach() {
        let of_true: Vec<Row> = (0..100).map(|n| vec![Some(f64::from(n) / 100.0)]).collect();
        for strangers in [vec![], vec![vec![Some(0.01)]], vec![vec![None]]] {
            let (floors, below) = choose(&of_true, &strangers);
            assert_eq!((floors, below), (vec![0.05], 0.05));
        }
        let of_true: Vec<Row> = (0..100)
            .map(|n| vec![Some(0.5 + f64::from(n) / 200.0)])
            .collect();
        assert_eq!(choose(&of_true, &[vec![Some(0.1)]]).0, [0.525]);
    }

    #[test]
    fn what_nothing_can_find_is_missed() {
        let of_true = vec![vec![None, Some(0.0)], vec![Some(0.5), None]];
        let (floors, below) = choose(&of_true, &[vec![Some(0.2), Some(0.4)]]);
        assert_eq!(below, 0.5);
        assert!(floors[0] <= 0.5 && floors[1] > 0.4 - 1e-9, "{floors:?}");
    }
}
