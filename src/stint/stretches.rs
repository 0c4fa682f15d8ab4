//! Where a lap lifts, and where it drives without the motor.

use serde::Serialize;

use super::StintCar;
use crate::file::{LinePoint, RacingLine};
use crate::solve::car::{Axles, CarState};
use crate::vehicle::GgDiagram;

/// A pedal between these is not pressed: the rest of the drive's and the brakes' rounding.
const RELEASED: [f64; 2] = [-0.03, 0.15];
/// Power beyond the engine's, as a fraction of what the motor could add, below which it is off.
const OFF: f64 = 0.2;
/// Power of the engine, as a fraction of its largest, from which it drives as hard as it can.
const FULL: f64 = 0.9;
/// Shorter stretches are not listed, m.
const MIN_LENGTH_M: f64 = 10.0;

/// What a car does on a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Saving {
    /// Neither pedal is pressed.
    Lift,
    /// The engine gives its power, and the motor adds nothing.
    EngineAlone,
}

impl Saving {
    /// `lift` or `engine alone`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lift => "lift",
            Self::EngineAlone => "engine alone",
        }
    }
}

/// A stretch of a line on which it saves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SavingStretch {
    /// What the car does there.
    pub saving: Saving,
    /// Distance along the line at its begin, m.
    pub from_m: f64,
    /// Distance along the line at its end, m.
    pub to_m: f64,
}

/// The stretches on which the car of a line saves, in the order of travel. One that contains the start
/// is in two parts.
pub(super) fn stretches(line: &RacingLine, car: &StintCar) -> Vec<SavingStretch> {
    let vehicle = &line.vehicle;
    let (Ok(axles), Ok(diagram)) = (Axles::new(vehicle), GgDiagram::new(vehicle)) else { return Vec::new() };
    let engine_w = car.battery.map_or(f64::INFINITY, |battery| battery.engine_power_w);
    let saving = |point: &LinePoint| -> Option<Saving> {
        let pedal = point.pedal?;
        if (RELEASED[0]..=RELEASED[1]).contains(&pedal) {
            return Some(Saving::Lift);
        }
        let state = CarState {
            time_s: point.time_s,
            speed_mps: point.speed_mps,
            sideslip_rad: point.sideslip_rad?,
            yaw_rate_radps: point.yaw_rate_radps?,
            steering_rad: point.steering_rad?,
            pedal,
        };
        let power_w = |along_mps2: f64| vehicle.mass_kg * along_mps2 * point.speed_mps;
        let given_w = power_w(axles.at(&state, 1.0, 1.0).along_mps2);
        let motor_w = power_w(diagram.drive_jet(point.speed_mps * point.speed_mps).value) - engine_w;
        let is_full = engine_w > 0.0 && given_w > FULL * engine_w;
        (is_full && motor_w > OFF * engine_w && given_w - engine_w < OFF * motor_w).then_some(Saving::EngineAlone)
    };
    let mut stretches: Vec<SavingStretch> = Vec::new();
    let mut before = None;
    for point in &line.points {
        let here = saving(point);
        if before == here
            && let Some(last) = stretches.last_mut().filter(|_| here.is_some())
        {
            last.to_m = point.s_m;
        } else if let Some(saving) = here {
            stretches.push(SavingStretch { saving, from_m: point.s_m, to_m: point.s_m });
        }
        before = here;
    }
    stretches.retain(|stretch| stretch.to_m - stretch.from_m >= MIN_LENGTH_M);
    stretches
}
