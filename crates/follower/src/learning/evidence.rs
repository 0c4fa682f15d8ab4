//! What the steps of a lap show about the grip at a place.

use raceline_car::handling;
use raceline_numerics::math;

use crate::command::Command;
use crate::path::Path;
use crate::vehicle::{VehicleGeometry, VehicleState};

/// Below this speed nothing is learned, m/s: the vehicle starts, or is stuck.
const SLOWEST_MPS: f64 = 3.0;
/// Slip of the front axle from which on it turns the vehicle no more, and the fraction of the
/// distance that counts as wide with which that is a fault.
const PLOUGHS: f64 = 1.05;
const PLOUGHING_WIDE: f64 = 0.5;
/// Fraction by which the speed may exceed the target before that is a fault.
const TOO_FAST: f64 = 0.04;

/// What a place must show for a faster step to be tried, and from where on the vehicle slides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    /// Slip by that of the peak, mean over the place, below which grip may be left over.
    holds: f64,
    /// Slip of the rear axle from which on the vehicle slides.
    slides: f64,
    /// Fraction by which the speed may exceed the target.
    at_target: f64,
    /// Fraction of the target that must be reached: a vehicle that lacks power learns nothing.
    reached: f64,
    /// Fraction of the distance that counts as running wide up to which the path is followed.
    followed: f64,
}

impl Bounds {
    /// The tyres themselves must show that there is grip: a brush tyre gives 0.97 of its limit at 0.7
    /// of its peak's slip.
    const CAUTIOUS: Self = Self { holds: 0.7, slides: 1.2, at_target: 0.015, reached: 0.985, followed: 0.6 };
    /// Near the peak the slip does not show how much grip there is, but the time does: a step that
    /// costs time is taken back, and the host reports what is a fault.
    const BOLD: Self = Self { holds: 1.1, slides: 1.5, at_target: 0.03, reached: 0.95, followed: 0.9 };

    pub(super) fn new(host_reports_faults: bool) -> Self {
        if host_reports_faults { Self::BOLD } else { Self::CAUTIOUS }
    }
}

/// What the factor of a place should do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Verdict {
    Faster,
    /// Whatever it costs.
    Slower,
    /// If that does not cost time: a car may be fastest where it slides a little.
    Tamer,
    #[default]
    Keep,
}

/// The evidence of a lap at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cell {
    /// Time at this place, s, and that of the frames from which something can be learned.
    pub time_s: f64,
    pub seconds: f64,
    /// Largest distance from the path to the outside, by that which counts as wide.
    outside: f64,
    /// Integrals over time of the slips of front and rear by that of the peak.
    slips: [f64; 2],
    /// Largest excess of speed, and the integral over time of speed by target.
    excess: f64,
    reached: f64,
    /// Whether the body was beyond the corridor, or the vehicle stuck.
    pub out: bool,
    pub verdict: Verdict,
    /// Whether this lap's factor is not worse than the one before.
    pub proven: bool,
}

impl Cell {
    pub(super) fn add(&mut self, dt: f64, outside: f64, slips: [f64; 2], speed: f64, command: &Command, out: bool) {
        self.out |= out;
        if speed < SLOWEST_MPS || command.target_speed_mps <= 0.0 {
            return;
        }
        let fraction = (speed / command.target_speed_mps).min(2.0);
        self.seconds += dt;
        self.outside = self.outside.max(outside);
        for (sum, slip) in self.slips.iter_mut().zip(slips) {
            *sum += slip * dt;
        }
        self.excess = self.excess.max(fraction - 1.0);
        self.reached += fraction * dt;
    }

    /// What this place shows by itself.
    pub(super) fn own_verdict(&self, bounds: &Bounds) -> Verdict {
        if self.out {
            return Verdict::Slower;
        }
        if self.seconds <= 0.0 {
            return Verdict::Keep;
        }
        let [front, rear] = self.slips.map(|sum| sum / self.seconds);
        let ploughs = front > PLOUGHS && self.outside > PLOUGHING_WIDE;
        if self.outside > 1.0 || self.excess > TOO_FAST || rear > bounds.slides || ploughs {
            return Verdict::Tamer;
        }
        let left_over =
            front.max(rear) < bounds.holds && self.outside < bounds.followed && self.excess < bounds.at_target;
        let reached = self.reached / self.seconds > bounds.reached;
        if left_over && reached { Verdict::Faster } else { Verdict::Keep }
    }
}

/// Slip angles of the axles by that of the tyres' peak; 0 where the motion is not known. The wheels
/// stand at `steering`, the command of the frame before.
pub(super) fn slips(path: &Path, state: &VehicleState, vehicle: &VehicleGeometry, steering: f64) -> [f64; 2] {
    let [x, y, _] = state.velocity_mps;
    let known = x.is_finite() && y.is_finite() && state.yaw_rate_radps.is_finite();
    if !known || state.speed_mps < SLOWEST_MPS {
        return [0.0; 2];
    }
    let peak = path.dynamics().map_or(handling::PEAK_SLIP_RAD, |dynamics| {
        dynamics.handling(vehicle.wheelbase_m, vehicle.rear_axle_m).brush_peak_slip_rad
    });
    let (sin, cos) = math::sin_cos(state.heading_rad);
    let across = y * cos - x * sin;
    let to_front = vehicle.wheelbase_m - vehicle.rear_axle_m;
    let front = steering - math::atan2(across + to_front * state.yaw_rate_radps, state.speed_mps);
    let rear = math::atan2(across - vehicle.rear_axle_m * state.yaw_rate_radps, state.speed_mps);
    [front, rear].map(|slip| (slip.abs() / peak).min(10.0))
}

#[cfg(test)]
mod tests;
