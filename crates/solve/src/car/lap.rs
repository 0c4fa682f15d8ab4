//! A car's lap, point by point.

use super::optimum::Optimum;
use super::program::Status;
use raceline_road::geometry::{Point, SplineCurve};

/// The car at a point of its line.
#[derive(Clone, Copy, Debug)]
pub struct CarState {
    /// Time from the start, s.
    pub time_s: f64,
    /// Speed of the centre of gravity, m/s.
    pub speed_mps: f64,
    /// Angle from the body to the direction of travel, rad, positive to the left.
    pub sideslip_rad: f64,
    /// Yaw rate, rad/s, positive to the left.
    pub yaw_rate_radps: f64,
    /// Angle of the front wheels, rad, positive to the left.
    pub steering_rad: f64,
    /// Drive as a fraction of the drive's limit at this speed, or the negative of braking as a
    /// fraction of the tyres' longitudinal limit.
    pub pedal: f64,
}

/// The car's lap and statistics of the search.
#[derive(Clone, Debug)]
pub struct CarLap {
    /// Points of the line; a closed line does not repeat its first point.
    pub points: Vec<Point>,
    /// The car at each of them.
    pub states: Vec<CarState>,
    /// Lap time, s.
    pub lap_time_s: f64,
    /// Work of the drive at the tyres, less the part of the brakes' work that returns, J.
    pub energy_j: f64,
    /// Price of a joule in the search, s/J: where a budget limits the energy, the seconds that one
    /// more joule saves.
    pub energy_price_spj: f64,
    /// How the search ended. Check it: a lap is returned even if the search has not converged.
    pub status: Status,
    /// Newton steps.
    pub iterations: usize,
    /// Number of factorisations.
    pub factorisations: usize,
    /// Largest error of an equation of motion over an interval, relative to typical values.
    pub error: f64,
    /// Largest violation of a limit, relative to typical values.
    pub violation: f64,
    /// The solution with its multipliers.
    pub optimum: Optimum,
}

impl CarLap {
    /// The car at the parameters `places` of the curve through [`Self::points`]; times are not
    /// interpolated.
    #[must_use]
    pub fn along(&self, curve: &SplineCurve, places: &[f64]) -> Vec<CarState> {
        let knots = curve.positions();
        let n = self.states.len();
        places
            .iter()
            .map(|&place| {
                let i = knots.partition_point(|&knot| knot <= place).clamp(1, knots.len() - 1) - 1;
                let fraction = ((place - knots[i]) / (knots[i + 1] - knots[i])).clamp(0.0, 1.0);
                let (a, b) = (&self.states[i % n], &self.states[(i + 1) % n]);
                let between = |from: f64, to: f64| from + fraction * (to - from);
                CarState {
                    time_s: a.time_s,
                    // The squared speed is linear where the acceleration is constant.
                    speed_mps: between(a.speed_mps * a.speed_mps, b.speed_mps * b.speed_mps).sqrt(),
                    sideslip_rad: between(a.sideslip_rad, b.sideslip_rad),
                    yaw_rate_radps: between(a.yaw_rate_radps, b.yaw_rate_radps),
                    steering_rad: between(a.steering_rad, b.steering_rad),
                    pedal: between(a.pedal, b.pedal),
                }
            })
            .collect()
    }
}
