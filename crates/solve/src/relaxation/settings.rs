//! How a line is relaxed.

use super::Form;
use crate::SolveOptions;

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
