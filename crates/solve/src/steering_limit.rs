//! The vehicle's steering limit as a bound on the curvature of any line.
//!
//! A line that bends more sharply than the steering allows is replaced by a line near it that does
//! not. On stations along the line, with offsets x along their normals,
//!
//! ```text
//! minimise    Σ h_i ((κ_i(x) - κ_i(0))² + x_i² / L⁴)                                          (1)
//! subject to  |κ_i(x)| ≤ limit,   low_i ≤ x_i ≤ high_i                                        (2)
//! ```
//!
//! with h_i the mean of the two chords at a station and L the smallest turning radius: the shape is
//! kept, and a change remains within about that distance. The bounds on x keep the margin. The
//! bound on curvature is included by the augmented Lagrangian (Nocedal and Wright, *Numerical
//! Optimization*, 2nd edition (2006), section 17.3): with multipliers λ and a penalty ρ, (1) gets
//! the term (3), and (4) updates the multipliers where a step lowers the sum no further,
//!
//! ```text
//! Σ h_i ρ max(0, |κ_i| - limit + λ_i)²                                                        (3)
//! λ_i ← max(0, |κ_i| - limit + λ_i)                                                           (4)
//! ```
//!
//! and curvature is linearised about the last line, `κ_i + g_i·Δx`, so that each step is a
//! quadratic program with bounds on a pentadiagonal band. A residual r of weight w adds
//!
//! ```text
//! w (r + g·Δx)²:   P = 2 w g gᵀ,   q = 2 w r g                                                (5)
//! ```
//!
//! New stations are then placed on the result, with a lower limit
//! where the curve between its points still bends too sharply.

use raceline_numerics::{BoxProgram, BoxSettings, math};

use super::SolveError;
use super::bending::Slots;
use super::stations::{
    self, Curvature, Margin, ReferenceLine, Room, Spacing, Station, menger_curvature, pin_ends, stations,
};
use raceline_road::geometry::{Point, SplineCurve};

/// A bound on curvature for lines along a road.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_solve::{EdgeDistance, Margin, Spacing, SteeringLimit};
///
/// let edges = EdgeDistance::new(&track);
/// let limit = SteeringLimit {
///     limit_radpm: 0.1,
///     margin: Margin { edges: &edges, distance_m: 1.0 },
///     spacing: Spacing::of_stations(track.mean_width()),
///     width_m: track.mean_width(),
///     pinned: [false, false],
/// };
/// // A ring of 60 m bends by 1/60 1/m: it is within the limit, and stays as it is.
/// let curve = limit.curve_through(&track.centre_line().points, true)?;
/// assert!((curve.at(100.0).curvature() - 1.0 / 60.0).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct SteeringLimit<'a> {
    /// Largest curvature that the vehicle's steering allows, 1/m.
    pub limit_radpm: f64,
    /// The edges, and the margin to them.
    pub margin: Margin<'a>,
    /// Distance between stations.
    pub spacing: Spacing,
    /// Mean width of the road, m.
    pub width_m: f64,
    /// Whether the first and the last point of an open line keep their places.
    pub pinned: [bool; 2],
}

/// The first limit of a search, as a fraction of the vehicle's: between stations the curvature is
/// slightly larger than at them.
const LIMIT_FRACTION: f64 = 0.99;
/// Maximum number of times that stations are placed.
const MAX_ROUNDS: usize = 24;
/// A round lowers the largest curvature to no less than this fraction of it, because the stations
/// and the linearised curvature are those of the line before.
const ROUND_FRACTION: f64 = 0.8;
/// A round that lowers the largest curvature to more than this fraction of it gains little, below
/// 1. A smaller one gives up sooner, a larger one takes more rounds.
const MIN_FALL: f64 = 0.98;
/// Rounds end where the largest curvature is more than this many times that of the given line:
/// stations are placed by curvature, so that rounds that sharpen a line place more and more of
/// them.
const MAX_RISE: f64 = 2.0;
/// Maximum number of steps on the same stations.
const MAX_STEPS: usize = 20;
/// Maximum number of halvings of a step.
const MAX_HALVINGS: usize = 5;
/// ρ, the weight of a violation relative to that of a change of the shape.
const PENALTY: f64 = 30.0;
/// The multipliers are updated after a step that lowers the merit by less than this fraction.
const SETTLED_FALL: f64 = 0.05;
/// The steps end when no curvature exceeds the limit by more than this fraction of it.
const TOLERANCE: f64 = 1e-3;

impl SteeringLimit<'_> {
    /// The curve through `points` if its curvature is within the limit, else a curve near it whose
    /// curvature is. Where the road itself bends too sharply no such curve is found: then the curve
    /// through `points`.
    ///
    /// # Errors
    /// [`SolveError::Degenerate`] when two points coincide.
    pub fn curve_through(&self, points: &[Point], closed: bool) -> Result<SplineCurve, SolveError> {
        let through = |points: &[Point]| SplineCurve::through(points, closed).ok_or(SolveError::Degenerate);
        let original = through(points)?;
        let mut fraction = LIMIT_FRACTION;
        let mut curve = original.clone();
        let of_original = self.sharpest(&curve);
        let mut sharpest = of_original;
        for _ in 0..MAX_ROUNDS {
            if sharpest <= self.limit_radpm {
                return Ok(curve);
            }
            if sharpest > MAX_RISE * of_original {
                return Ok(original);
            }
            let limit = (fraction * self.limit_radpm).max(ROUND_FRACTION * sharpest);
            curve = through(&self.round(curve, limit)?)?;
            let before = std::mem::replace(&mut sharpest, self.sharpest(&curve));
            if sharpest > MIN_FALL * before && sharpest > self.limit_radpm {
                fraction *= LIMIT_FRACTION;
            }
        }
        Ok(if sharpest <= self.limit_radpm { curve } else { original })
    }

    /// Largest curvature of the curve, without sign, 1/m. Its second derivative is linear between
    /// its points.
    pub(crate) fn sharpest(&self, curve: &SplineCurve) -> f64 {
        let at = |s: &f64| curve.at(*s).curvature().abs();
        let places = self.spacing.places(curve);
        curve.positions().iter().chain(&places).map(at).fold(0.0, f64::max)
    }

    /// The points of a line near `curve` within `limit`.
    fn round(&self, curve: SplineCurve, limit: f64) -> Result<Vec<Point>, SolveError> {
        let closed = curve.is_closed();
        let room = Room { left: self.width_m, right: self.width_m };
        let rooms = vec![room; curve.positions().len()];
        let places = self.spacing.places(&curve);
        let mut stations = stations(&ReferenceLine { curve, rooms }, places, self.margin, None);
        pin_ends(&mut stations, self.pinned);
        let insets = stations::insets(&stations, closed);
        let mut program = Program::new(&stations, &insets, closed, limit);
        for _ in 0..MAX_STEPS {
            if !program.step()? || program.excess() <= TOLERANCE * limit {
                break;
            }
        }
        Ok(stations::knots(&program.slots.points(&program.offsets), closed))
    }
}

/// The problem on fixed stations, and its current line.
struct Program<'a> {
    stations: &'a [Station],
    slots: Slots,
    limit: f64,
    start: Vec<f64>,
    offsets: Vec<f64>,
    /// Curvature of the original line, 1/m; 0 at the ends of an open one.
    shape: Vec<f64>,
    /// Curvature of the current line, 1/m.
    curvature: Vec<f64>,
    /// λ, 1/m.
    multipliers: Vec<f64>,
}

impl<'a> Program<'a> {
    fn new(stations: &'a [Station], insets: &[f64], closed: bool, limit: f64) -> Self {
        let slots = Slots::of_stations(stations, insets, closed);
        let start = slots.start(insets);
        let mut program = Self {
            stations,
            slots,
            limit,
            offsets: start.clone(),
            start,
            shape: Vec::new(),
            curvature: Vec::new(),
            multipliers: vec![0.0; stations.len()],
        };
        program.curvature = program.curvature_at(&program.offsets);
        program.shape.clone_from(&program.curvature);
        program
    }

    fn curvature_at(&self, offsets: &[f64]) -> Vec<f64> {
        let points = self.slots.points(offsets);
        let mut curvature = vec![0.0; points.len()];
        for [a, b, c] in self.slots.triples() {
            curvature[b] = menger_curvature(points[b] - points[a], points[c] - points[b]);
        }
        curvature
    }

    /// h at a station, m.
    fn length(&self, i: usize) -> f64 {
        let n = self.stations.len();
        0.5 * (self.stations[(i + n - 1) % n].step + self.stations[i].step)
    }

    /// 1/L⁴.
    fn nearness(&self) -> f64 {
        math::powi(self.limit, 4)
    }

    /// Value of the objective with its penalty.
    fn merit(&self, offsets: &[f64], curvature: &[f64]) -> f64 {
        let of = |i: usize| {
            let moved = math::powi(offsets[i] - self.start[i], 2) * self.nearness();
            let bent = math::powi(curvature[i] - self.shape[i], 2);
            let excess = (curvature[i].abs() - self.limit + self.multipliers[i]).max(0.0);
            self.length(i) * (moved + bent + PENALTY * excess * excess) // equations (1) and (3)
        };
        (0..offsets.len()).map(of).sum()
    }

    /// Largest excess of curvature over the limit, 1/m.
    fn excess(&self) -> f64 {
        self.curvature.iter().map(|curvature| curvature.abs() - self.limit).fold(0.0, f64::max)
    }

    /// One step to a lower merit, and new multipliers. Returns whether the line moved or the
    /// multipliers changed.
    fn step(&mut self) -> Result<bool, SolveError> {
        let left = |bounds: &[f64]| bounds.iter().zip(&self.offsets).map(|(bound, offset)| bound - offset).collect();
        // Equation (2): the bounds of the step.
        let mut program = BoxProgram::new(left(&self.slots.low), left(&self.slots.high), self.slots.closed)?;
        let points = self.slots.points(&self.offsets);
        for i in 0..self.stations.len() {
            let weight = 2.0 * self.length(i) * self.nearness();
            program.add(i, i, weight);
            program.q[i] += weight * (self.offsets[i] - self.start[i]); // equation (1)
        }
        for triple in self.slots.triples() {
            let i = triple[1];
            let here = Curvature::at(triple.map(|k| points[k]), triple.map(|k| self.stations[k].normal));
            // Equation (5).
            let mut add = |weight: f64, residual: f64| {
                for k in 0..3 {
                    program.q[triple[k]] += 2.0 * weight * residual * here.gradient[k];
                    for m in k..3 {
                        program.add(triple[k], triple[m], 2.0 * weight * here.gradient[k] * here.gradient[m]);
                    }
                }
            };
            add(self.length(i), here.value - self.shape[i]); // equation (1)
            let excess = here.value.abs() - self.limit + self.multipliers[i];
            if excess > 0.0 {
                add(PENALTY * self.length(i), here.value.signum() * excess); // equation (3)
            }
        }
        let change = program.solve(BoxSettings::default())?.x;
        let before = self.merit(&self.offsets, &self.curvature);
        let mut fraction = 1.0;
        let mut moved = false;
        for _ in 0..MAX_HALVINGS {
            let trial: Vec<f64> = (0..change.len())
                .map(|i| (self.offsets[i] + fraction * change[i]).clamp(self.slots.low[i], self.slots.high[i]))
                .collect();
            let curvature = self.curvature_at(&trial);
            if self.merit(&trial, &curvature) < before {
                (self.offsets, self.curvature, moved) = (trial, curvature, true);
                break;
            }
            fraction *= 0.5;
        }
        let is_settled = self.merit(&self.offsets, &self.curvature) > (1.0 - SETTLED_FALL) * before;
        if !is_settled {
            return Ok(true);
        }
        let mut changed = false;
        for (multiplier, curvature) in self.multipliers.iter_mut().zip(&self.curvature) {
            let next = (curvature.abs() - self.limit + *multiplier).max(0.0); // equation (4)
            changed |= (next - *multiplier).abs() > TOLERANCE * self.limit;
            *multiplier = next;
        }
        Ok(moved || changed)
    }
}
