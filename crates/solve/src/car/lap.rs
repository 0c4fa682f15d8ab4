//! A car's lap, point by point.

use super::optimum::Optimum;
use super::program::Status;
use super::standing_end::StandingEnd;
use super::state::CarState;
use raceline_road::geometry::{Point, SplineCurve};

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
    /// The lap of the program with the standing ends before and after it.
    pub(super) fn with_ends(self, [before, after]: &[StandingEnd; 2]) -> Self {
        let lap_time_s = before.time_s + self.lap_time_s + after.time_s;
        let moved = |state: CarState| CarState { time_s: before.time_s + state.time_s, ..state };
        // The times of the last states are the point mass's.
        let arrived_s = after.states.last().map_or(0.0, |state| state.time_s);
        let arriving = |state: &CarState| CarState { time_s: lap_time_s - (arrived_s - state.time_s), ..*state };
        let states = before.states.iter().copied().chain(self.states.into_iter().map(moved));
        let points = before.points.iter().copied().chain(self.points);
        Self {
            states: states.chain(after.states.iter().map(arriving)).collect(),
            points: points.chain(after.points.iter().copied()).collect(),
            lap_time_s,
            energy_j: before.energy_j + self.energy_j + after.energy_j,
            ..self
        }
    }

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
