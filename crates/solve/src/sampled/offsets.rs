//! A line as a cubic B-spline of one offset per step of the road.

use crate::Corridor;
use crate::stations::menger_curvature;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector};

/// Approximate number of cross-sections per step at which a line is judged. Fewer are faster and
/// miss where a line leaves the road.
pub(super) const JUDGED_PER_STEP: usize = 6;
/// Tangent of the cone's half angle, 15°. A wider cone crosses the road sooner, with lines that
/// bend more.
const CONE_TAN: f64 = 0.267_949_192_431_122_7;

/// The offsets of a line at the steps of a corridor, from 0 at its right bound to 1 at its left.
#[derive(Clone, Debug)]
pub(super) struct Offsets<'a> {
    pub corridor: &'a Corridor,
    /// Section of each step, and the number of sections at the end of a closed road.
    places: Vec<usize>,
    values: Vec<f64>,
    /// Slope of the density at each step, positive to the left.
    pub slopes: Vec<f64>,
    /// Largest change of the offset from each step to the next, in α of the step's section.
    pub cones: Vec<f64>,
    /// Distance between judged sections.
    pub stride: usize,
}

impl<'a> Offsets<'a> {
    /// The middle of the corridor, in steps of `step_widths` mean widths, at least `min_steps` of
    /// them.
    pub fn new(corridor: &'a Corridor, step_widths: f64, min_steps: usize) -> Self {
        let n = corridor.len();
        let middle = corridor.points(&corridor.middle());
        let lengths = corridor.step_lengths(&middle);
        let length: f64 = lengths.iter().sum();
        let wanted = (length / (step_widths * corridor.mean_width())).round() as usize;
        let count = wanted.clamp(min_steps.min(n - 1), n - 1);
        let last = if corridor.closed { n } else { n - 1 };
        let places: Vec<usize> = (0..=count).map(|k| k * last / count).collect();
        let turn = |from: usize, to: usize| -> f64 {
            let at = |i: usize| middle[i % n];
            let ahead = |i: usize| at(i + 1) - at(i);
            let end = to.min(last - 1);
            (from..end)
                .map(|i| {
                    math::atan2(raceline_road::geometry::cross(ahead(i), ahead(i + 1)), ahead(i).dot(&ahead(i + 1)))
                })
                .sum()
        };
        let along = |from: usize, to: usize| lengths[from..to].iter().sum::<f64>();
        let curvature: Vec<f64> = places
            .windows(2)
            .map(|pair| turn(pair[0], pair[1]) / along(pair[0], pair[1]).max(f64::MIN_POSITIVE))
            .collect();
        let sharpest = curvature.iter().map(|k| k.abs()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let steps = curvature.len();
        let next = |k: usize| {
            if k + 1 < steps {
                k + 1
            } else if corridor.closed {
                0
            } else {
                k
            }
        };
        // Equation (2) of `sampled`.
        let slopes = (0..steps).map(|k| (-(curvature[next(k)] - curvature[k]) / sharpest).clamp(-1.0, 1.0)).collect();
        let cones = places
            .windows(2)
            .map(|pair| CONE_TAN * along(pair[0], pair[1]) / corridor.sections[pair[0]].width()) // equation (4)
            .collect();
        let stride = (last / count / JUDGED_PER_STEP).max(1);
        Self { corridor, places, values: vec![0.5; steps], slopes, cones, stride }
    }

    /// Number of steps of the lap.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The bounds of α at a step.
    pub fn bounds(&self, step: usize) -> (f64, f64) {
        let place = self.places[step];
        (self.corridor.low[place], self.corridor.high[place])
    }

    /// α at a step.
    pub fn alpha_at(&self, step: usize) -> f64 {
        let (low, high) = self.bounds(step);
        low + self.values[step] * (high - low)
    }

    /// The step `off` after `step`; beyond the ends of an open road the end.
    pub fn step(&self, step: usize, off: isize) -> usize {
        let (at, count) = (step as isize + off, self.len() as isize);
        if self.corridor.closed { at.rem_euclid(count) as usize } else { at.clamp(0, count - 1) as usize }
    }

    pub fn value(&self, step: usize) -> f64 {
        self.values[step]
    }

    pub fn set(&mut self, step: usize, value: f64) {
        self.values[step] = value;
    }

    /// α on all sections.
    pub fn alpha(&self) -> Vec<f64> {
        let mut alpha = self.corridor.middle();
        for step in 0..self.len() {
            let controls = [-1, 0, 1, 2].map(|off| self.values[self.step(step, off)]);
            let (from, to) = (self.places[step], self.places[step + 1]);
            for (section, alpha) in alpha.iter_mut().enumerate().take(to).skip(from) {
                *alpha = self.between(controls, step, section);
            }
        }
        if let (false, Some(last)) = (self.corridor.closed, alpha.len().checked_sub(1)) {
            let step = self.len() - 1;
            alpha[last] = self.between([-1, 0, 1, 2].map(|off| self.values[self.step(step, off)]), step, last);
        }
        alpha
    }

    /// α on a section of a step, between the four offsets around it: a uniform cubic B-spline.
    fn between(&self, [a, b, c, d]: [f64; 4], step: usize, section: usize) -> f64 {
        let (from, to) = (self.places[step], self.places[step + 1]);
        let t = (section - from) as f64 / (to - from) as f64;
        let weights = [
            math::powi(1.0 - t, 3),
            3.0 * math::powi(t, 3) - 6.0 * t * t + 4.0,
            1.0 + 3.0 * t * (1.0 + t - t * t),
            math::powi(t, 3),
        ];
        // Equation (1) of `sampled`.
        let value = (weights[0] * a + weights[1] * b + weights[2] * c + weights[3] * d) / 6.0;
        let at = section % self.corridor.len();
        self.corridor.low[at] + value * (self.corridor.high[at] - self.corridor.low[at])
    }

    /// Adds the judged points of a step between four offsets.
    pub fn add_points(&self, controls: [f64; 4], step: usize, points: &mut Vec<Point>) {
        for section in (self.places[step]..self.places[step + 1]).step_by(self.stride) {
            let alpha = self.between(controls, step, section);
            points.push(self.corridor.sections[section % self.corridor.len()].point(alpha));
        }
    }
}

/// Curvature at each inner point and the chord to the next, from the second point on.
pub(super) fn curvature_and_steps(points: &[Point]) -> impl Iterator<Item = (f64, f64)> + '_ {
    points.windows(3).map(|three| {
        let (before, after): (Vector, Vector) = (three[1] - three[0], three[2] - three[1]);
        (menger_curvature(before, after), after.norm())
    })
}
