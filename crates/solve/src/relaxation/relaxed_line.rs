//! The levels of a relaxation, from the coarsest to all cross-sections.

use super::settings::Settings;
use super::springs_and_hinges::Weight;
use super::{Form, curvature_interpolation, springs_and_hinges};
use crate::Corridor;

/// Minimum number of points on the coarsest level.
const MIN_POINTS: usize = 16;
/// Largest distance between the points of a level, in mean widths of the road: farther apart they
/// pass by corners.
const LONGEST_WIDTHS: f64 = 6.0;

/// A line at rest.
#[derive(Clone, Debug)]
pub struct RelaxedLine {
    /// α of the line on each cross-section.
    pub alpha: Vec<f64>,
    /// Sweeps on all levels together.
    pub sweeps: usize,
    /// Largest move of a point in the last sweep, m.
    pub last_move_m: f64,
}

/// Relaxes the middle of `corridor`.
///
/// A level has the sweeps of the settings times the square root of its step, as in K1999.
#[must_use]
pub fn relaxation(corridor: &Corridor, settings: Settings) -> RelaxedLine {
    relaxation_with(corridor, settings, &[])
}

/// Relaxes the middle of `corridor` with weights that pull at the line. Only
/// [`Form::SpringsAndHinges`] has weights; the other form ignores them.
#[must_use]
pub fn relaxation_with(corridor: &Corridor, settings: Settings, weights: &[Weight]) -> RelaxedLine {
    let mut alpha = corridor.middle();
    let (mut sweeps, mut last_move_m) = (0, 0.0);
    let mut coarser: Option<Vec<usize>> = None;
    for (step, places) in levels(corridor) {
        if let Some(coarser) = coarser {
            curvature_interpolation::interpolate(corridor, &mut alpha, &coarser, &places);
        }
        let count = (settings.sweeps as f64 * (step as f64).sqrt()).ceil() as usize;
        last_move_m = match settings.form {
            Form::CurvatureInterpolation => curvature_interpolation::relax(corridor, &mut alpha, &places, count),
            Form::SpringsAndHinges => {
                springs_and_hinges::relax(corridor, &mut alpha, &places, count, settings.spring_tension, weights)
            }
        };
        sweeps += count;
        coarser = Some(places);
    }
    RelaxedLine { alpha, sweeps, last_move_m }
}

/// The step of each level and its sections: those that the step divides, and the last of an open
/// road. Each level contains the one before; the last is all.
fn levels(corridor: &Corridor) -> Vec<(usize, Vec<usize>)> {
    let n = corridor.len();
    let length: f64 = corridor.step_lengths(&corridor.points(&corridor.middle())).iter().sum();
    let spacing = (length / n.max(1) as f64).max(f64::MIN_POSITIVE);
    let longest = LONGEST_WIDTHS * corridor.mean_width() / spacing;
    let mut step = 1;
    while n / (2 * step) >= MIN_POINTS && (2 * step) as f64 <= longest {
        step *= 2;
    }
    let mut levels = Vec::new();
    loop {
        let mut places: Vec<usize> = (0..n).step_by(step).collect();
        if !corridor.closed && places.last() != n.checked_sub(1).as_ref() {
            places.push(n - 1);
        }
        levels.push((step, places));
        if step == 1 {
            return levels;
        }
        step /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, Settings, levels, relaxation};
    use crate::test_roads::part_of_ring;
    use crate::{Corridor, EdgeDistance};

    /// The first `count` of 400 points of a ring of radius 200 m, with a road 5 m wide.
    fn ring(count: usize) -> Corridor {
        let track = part_of_ring(200.0, [count, 400], 2.5, None);
        Corridor::new(&track, &EdgeDistance::new(&track), 1.5).unwrap()
    }

    #[test]
    fn a_level_has_each_section_that_its_step_divides_and_the_last_of_an_open_road() {
        for corridor in [400, 151, 160].map(ring) {
            let (n, levels) = (corridor.len(), levels(&corridor));
            let steps: Vec<usize> = levels.iter().map(|(step, _)| *step).collect();
            let halved = |k: usize| 1 << (steps.len() - 1 - k);
            assert_eq!(steps, (0..steps.len()).map(halved).collect::<Vec<_>>());
            for (step, places) in &levels {
                let of_level = |i: &usize| i.is_multiple_of(*step) || (!corridor.closed && *i == n - 1);
                assert_eq!(*places, (0..n).filter(of_level).collect::<Vec<_>>(), "step {step} of {n}");
            }
        }
    }

    #[test]
    fn a_level_of_step_k_has_the_sweeps_of_the_settings_times_the_root_of_k() {
        let corridor = ring(400);
        let coarsest = levels(&corridor)[0].0;
        assert!(coarsest > 1);
        for form in [Form::CurvatureInterpolation, Form::SpringsAndHinges] {
            let settings = Settings { form, sweeps: 3, spring_tension: 0.01 };
            // 3 √1, 3 √2, 3 √4, and so on, each rounded up.
            let of_step = [3, 5, 6, 9, 12, 17, 24];
            let count = coarsest.ilog2() as usize + 1;
            assert_eq!(relaxation(&corridor, settings).sweeps, of_step[..count].iter().sum::<usize>());
        }
    }

    #[test]
    fn the_points_of_the_coarsest_level_are_at_most_six_widths_apart() {
        let corridor = ring(400);
        let (step, places) = levels(&corridor).swap_remove(0);
        let apart_m = step as f64 * std::f64::consts::TAU * 200.0 / corridor.len() as f64;
        assert!(places.len() >= 16 && apart_m <= 30.0 && 2.0 * apart_m > 30.0, "{step} sections, {apart_m} m");
    }
}
