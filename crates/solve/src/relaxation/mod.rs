//! Relaxation: each point of the line is moved along its cross-section again and again, until the
//! line is at rest. It is the classical method of drivers in racing games, and needs no solver.
//!
//! | Form | What moves a point | Source |
//! |---|---|---|
//! | [`Form::CurvatureInterpolation`] | The curvature at the point becomes the mean of its neighbours' | Coulom 2002, the appendix on K1999 |
//! | [`Form::SpringsAndHinges`] | Springs that shorten the line, hinges that straighten it, with momentum | `½ ∫ κ² ds` and length as potential energy |
//!
//! Both work on every 2^k-th cross-section first and halve the distance until they are on all: a
//! point moves with its neighbours only, so bends as long as the lap would need as many sweeps as
//! the square of the number of points.
//!
//! Deviations from K1999: the bounds are the corridor's, the same on both sides of the road, where
//! Coulom has a security margin that grows with curvature and one for the outside; the coarsest
//! level has at least 16 points in place of one in 128; there is no later search for parameters by
//! lap time.

mod curvature_interpolation;
mod springs_and_hinges;

pub use springs_and_hinges::Weight;

pub use super::choices::Form;
use super::{Corridor, SolveOptions};

/// Minimum number of points on the coarsest level.
const MIN_POINTS: usize = 16;
/// Largest distance between the points of a level, in mean widths of the road: farther apart they
/// pass by corners.
const LONGEST_WIDTHS: f64 = 6.0;

/// How a line is relaxed; see the options of the same names.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_solve::relaxation::{Form, Settings, Weight, relaxation, relaxation_with};
/// use raceline_solve::{Corridor, EdgeDistance};
///
/// let corridor = Corridor::new(&track, &EdgeDistance::new(&track), 1.5)?;
/// let settings = Settings { form: Form::SpringsAndHinges, sweeps: 100, spring_tension: 0.002 };
/// let line = relaxation(&corridor, settings);
/// // A weight at the right edge pulls the line to the right.
/// let weight = Weight { section: 10, alpha: corridor.low[10], reach_m: 1.0, force: 0.1 };
/// let pulled = relaxation_with(&corridor, settings, &[weight]);
/// assert!(pulled.alpha[10] < line.alpha[10]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The forces that move the points.
    pub form: Form,
    /// Sweeps on the finest level, at least 1.
    pub sweeps: usize,
    /// Tension of the springs against the hinges, over the square of the road's mean width; 0 or
    /// more.
    pub spring_tension: f64,
}

impl SolveOptions {
    /// How `method = "relaxation"` relaxes a line.
    #[must_use]
    pub fn relaxation_settings(&self) -> Settings {
        let &Self { relaxation: form, relaxation_sweeps: sweeps, spring_tension, .. } = self;
        Settings { form, sweeps, spring_tension }
    }
}

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
