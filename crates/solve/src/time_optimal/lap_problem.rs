//! The minimum-time problem on stations: its unknowns, its objective and its limits.

use std::ops::Index;

use super::interval::{ABSENT, Arguments, Car, INTERVAL_LIMITS, arms};
use crate::stations::{self, GripProfile, Station, grip_at, menger_curvature};
use raceline_car::{Jet, Turning};
use raceline_numerics::math;
use raceline_road::geometry::Vector;

/// The limits at a station, each a function of the unknowns that must not exceed zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Tyres at the front, over the interval that begins at the station; a fraction.
    FrontTyres,
    /// Tyres at the rear, likewise.
    RearTyres,
    /// Drive, likewise; in units of gravity.
    Drive,
    /// Rate of the steering, likewise; the square of a fraction.
    SteeringRate,
    /// Curvature to the left, a fraction of the largest.
    LeftCurvature,
    /// Curvature to the right, likewise.
    RightCurvature,
    /// Smallest offset, in [`Units::offset`].
    LowOffset,
    /// Largest offset, likewise.
    HighOffset,
    /// Smallest squared speed, in [`Units::speed_squared`].
    LowSpeed,
    /// Largest squared speed, likewise.
    HighSpeed,
}

/// Number of [`Limit`]s per station.
pub const LIMITS: usize = Limit::HighSpeed as usize + 1;

/// One number for each [`Limit`] of a station, in their order.
pub type StationLimits = [f64; LIMITS];

/// Number of unknowns of a station, and their indices: offset, m, and squared speed w, m²/s².
pub const UNKNOWNS: usize = 2;
pub const OFFSET: usize = 0;
pub const SPEED_SQUARED: usize = 1;
/// A point mass has no equations of motion between stations: w and n determine everything.
pub const EQUATIONS: usize = 0;

/// The unknowns of all stations.
pub type Unknowns = [[f64; UNKNOWNS]];

impl Index<Limit> for StationLimits {
    type Output = f64;

    #[inline]
    fn index(&self, limit: Limit) -> &f64 {
        &self[limit as usize]
    }
}

/// The problem.
pub struct LapProblem<'a> {
    pub stations: &'a [Station],
    /// Profiles of the grip across the road, by [`Station::profile`].
    pub profiles: &'a [GripProfile],
    /// From each station to the next. Chords are computed from these: as differences of points they
    /// would have the rounding error of coordinates, which curvature divides by the square of the
    /// step.
    pub gaps: Vec<Gap>,
    pub closed: bool,
    pub car: Car<'a>,
    /// Weight of `∫ (dκ/ds)² ds`, s m³.
    pub smoothing: f64,
    /// Largest curvature to either side, 1/m.
    pub max_curvature: f64,
    /// Lower bound on w, m²/s².
    pub min_speed_squared: f64,
    /// Upper bound on w at each station, m²/s².
    pub max_speed_squared: Vec<f64>,
    pub units: Units,
    /// Unknowns that keep their value: offset (2 i) or squared speed (2 i + 1) of station i.
    pub fixed: Vec<usize>,
}

/// From a station to the next one.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Between the origins, m.
    pub origin: Vector,
    /// Change of the normal.
    pub normal: Vector,
    /// See [`arms`], m.
    pub arms: [f64; 2],
}

impl Gap {
    /// From a station to the next one, for a vehicle with these costs of turning.
    pub fn between(station: &Station, next: &Station, turning: &Turning) -> Self {
        Self {
            origin: next.origin - station.origin,
            normal: next.normal - station.normal,
            arms: arms(turning, station.step),
        }
    }
}

/// Typical magnitudes, which scale objective, limits and residuals: tolerances, barriers and the
/// damping have no unit then, so that a road twice as large has the same steps.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// Unit of the objective, s: the time from a station to the next one.
    pub time: f64,
    /// Unit of an offset, m.
    pub offset: f64,
    /// m²/s².
    pub speed_squared: f64,
}

/// Entries of the stencils of second and third differences, multiplied: a bound on the sum of the
/// rounding errors of an offset and its neighbours.
const ROUNDING_FACTOR: f64 = 128.0;

impl LapProblem<'_> {
    /// Number of intervals between stations.
    pub fn intervals(&self) -> usize {
        if self.closed { self.stations.len() } else { self.stations.len() - 1 }
    }

    /// The station after `station`, round a closed course.
    #[inline]
    pub fn next(&self, station: usize) -> usize {
        if station + 1 == self.stations.len() { 0 } else { station + 1 }
    }

    /// See [`stations::curved`].
    #[inline]
    pub fn curved(&self, station: usize) -> usize {
        stations::curved(station, self.stations.len(), self.closed)
    }

    /// The chord from a station's point to the next one's.
    #[inline]
    pub fn chord(&self, x: &Unknowns, station: usize) -> Vector {
        let next = self.next(station);
        let (gap, offset) = (&self.gaps[station], x[station][OFFSET]);
        gap.origin + gap.normal * offset + self.stations[next].normal * (x[next][OFFSET] - offset)
    }

    /// The grip of the interval that begins at a station, by the offset there.
    #[inline]
    pub fn grip(&self, station: usize, offset: f64) -> Jet {
        let Station { grip, profile, .. } = self.stations[station];
        grip_at(grip, profile.and_then(|profile| self.profiles.get(profile)), offset)
    }

    /// Rounding error of the Lagrangian's derivative with respect to an offset, times
    /// [`Units::offset`], in [`Units::time`]. The offsets' own rounding changes curvature by its
    /// fraction of the step's square, and the smoothness term divides its change by the step and,
    /// in its derivative, by the step's square again. Where stations are close together this
    /// exceeds the barrier.
    pub fn rounding_error(&self, x: &Unknowns) -> f64 {
        let errors = self.stations.iter().zip(x).map(|(station, [offset, _])| {
            let rounding = f64::EPSILON * offset.abs().max(station.step);
            ROUNDING_FACTOR * self.smoothing * rounding / math::powi(station.step, 5)
        });
        self.units.offset / self.units.time * errors.fold(0.0, f64::max)
    }

    /// Lap time on the stations, s: the objective without smoothness.
    pub fn lap_time_s(&self, x: &Unknowns) -> f64 {
        let time_s = |i: usize| {
            let [from, to] = [i, self.next(i)].map(|k| x[k][SPEED_SQUARED].sqrt());
            2.0 * self.stations[i].ground.stretch * self.chord(x, i).norm() / (from + to)
        };
        (0..self.intervals()).map(time_s).sum()
    }

    /// Computes the limits' values, none of which may exceed zero, and returns the objective, in
    /// [`Units::time`].
    pub fn values(&self, x: &Unknowns, limits: &mut [StationLimits]) -> f64 {
        let n = self.stations.len();
        let curvature_at = |i: usize| {
            let i = self.curved(i);
            let before = if i == 0 { n - 1 } else { i - 1 };
            menger_curvature(self.chord(x, before), self.chord(x, i))
        };
        let low = self.min_speed_squared;
        let mut objective = 0.0;
        let mut curvature = curvature_at(0);
        for (i, (station, limits)) in self.stations.iter().zip(limits).enumerate() {
            let ([front, rear, drive, steering], [left, right]) = if i < self.intervals() {
                let next = self.next(i);
                let arguments = Arguments {
                    curvature: [curvature, curvature_at(next)],
                    length: station.ground.stretch * self.chord(x, i).norm(),
                    speed_squared: [x[i][SPEED_SQUARED], x[next][SPEED_SQUARED]],
                    grip: self.grip(i, x[i][OFFSET]).value,
                    ground: station.ground,
                    arms: self.gaps[i].arms,
                };
                let change = arguments.curvature[1] - curvature;
                // Equation (1).
                objective += arguments.time() + self.smoothing * change * change / station.step;
                let limits = arguments.limits(&self.car); // equations (2) to (4)
                let relative = curvature / self.max_curvature;
                curvature = arguments.curvature[1];
                (limits, [relative - 1.0, -relative - 1.0])
            } else {
                ([ABSENT; INTERVAL_LIMITS], [ABSENT; 2])
            };
            let high = self.max_speed_squared[i];
            let [offset, speed_squared] = x[i];
            // The last six are equation (5).
            *limits = [
                front,
                rear,
                drive,
                steering,
                left,
                right,
                (station.low - offset) / self.units.offset,
                (offset - station.high) / self.units.offset,
                (low - speed_squared) / self.units.speed_squared,
                (speed_squared - high) / self.units.speed_squared,
            ];
        }
        objective / self.units.time
    }
}
