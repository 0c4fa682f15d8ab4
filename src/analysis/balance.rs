//! Balance, tyre use and energy of a lap whose file has the car's states.

use serde::Serialize;

use super::corners::{Corner, CornerNumber};
use super::lap::Lap;
use super::turn::Turn;
use crate::file::LinePoint;
use crate::solve::car::{AxleUse, Axles, CarState};

/// A difference of the axles' slips below this fraction of that of the tyres' peak is neutral.
const NEUTRAL: f64 = 0.05;

/// Which axle slips more in a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tendency {
    /// The front slips more: the car turns less than it is steered.
    Understeer,
    /// Both slip alike.
    Neutral,
    /// The rear slips more.
    Oversteer,
}

impl Tendency {
    /// `understeer`, `neutral` or `oversteer`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Understeer => "understeer",
            Self::Neutral => "neutral",
            Self::Oversteer => "oversteer",
        }
    }
}

/// The car in a corner; means are over time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CornerBalance {
    /// Number of the corner.
    #[serde(flatten)]
    pub number: CornerNumber,
    /// Which axle slips more.
    pub tendency: Tendency,
    /// Mean slip of the front tyres into the corner less that of the rear ones, by the slip angle of
    /// their peak.
    pub slip_difference: f64,
    /// Mean use of the front tyres: 1 at the limit of their ellipse.
    pub front_use: f64,
    /// Mean use of the rear tyres: 1 at the limit of their ellipse.
    pub rear_use: f64,
}

/// The car on a lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BalanceAnalysis {
    /// Mean use of the front tyres over the lap's time: 1 at the limit of their ellipse.
    pub front_use: f64,
    /// Mean use of the rear tyres over the lap's time: 1 at the limit of their ellipse.
    pub rear_use: f64,
    /// Fraction of the lap's time in which an axle is within 2 % of its limit.
    #[serde(rename = "share_at_limit")]
    pub fraction_at_limit: f64,
    /// Work of the drive at the tyres, J.
    pub drive_energy_j: f64,
    /// Work that the brakes take, J.
    pub brake_energy_j: f64,
    /// The corners.
    pub corners: Vec<CornerBalance>,
}

/// An axle is at its limit above this use.
const AT_LIMIT: f64 = 0.98;

/// A step between two points: its time and length, and the axles at its begin.
struct Step {
    from_m: f64,
    length_m: f64,
    time_s: f64,
    axles: AxleUse,
}

/// The balance of a lap with these corners; `None` where the file does not have the car's states.
pub(super) fn balance(lap: Lap, corners: &[Corner]) -> Option<BalanceAnalysis> {
    let vehicle = &lap.line.vehicle;
    let axles = Axles::new(vehicle).ok()?;
    let at = |point: &LinePoint| Some(axles.at(&state(point)?, point.load.unwrap_or(1.0), point.grip.unwrap_or(1.0)));
    let uses: Vec<AxleUse> = lap.points().iter().map(at).collect::<Option<_>>()?;
    let end_s = |i: usize| lap.points().get(i + 1).map_or(lap.line.lap_time_s, |point| point.time_s);
    let steps: Vec<Step> = (0..lap.steps())
        .map(|i| Step {
            from_m: lap.distance(i),
            length_m: lap.distance(i + 1) - lap.distance(i),
            time_s: end_s(i) - lap.points()[i].time_s,
            axles: uses[i],
        })
        .collect();
    let whole: Vec<&Step> = steps.iter().collect();
    let work = |sign: f64| -> f64 {
        vehicle.mass_kg * steps.iter().map(|step| (sign * step.axles.along_mps2).max(0.0) * step.length_m).sum::<f64>()
    };
    Some(BalanceAnalysis {
        front_use: mean(&whole, |axles| axles.used[0]),
        rear_use: mean(&whole, |axles| axles.used[1]),
        fraction_at_limit: mean(&whole, |axles| f64::from(axles.used[0].max(axles.used[1]) > AT_LIMIT)),
        drive_energy_j: work(1.0),
        brake_energy_j: work(-1.0),
        corners: corners.iter().filter_map(|corner| corner_balance(lap, &steps, corner)).collect(),
    })
}

fn corner_balance(lap: Lap, steps: &[Step], corner: &Corner) -> Option<CornerBalance> {
    let inside = |step: &&Step| lap.ahead(corner.entry_s_m, step.from_m) <= corner.length_m && in_reach(corner, step);
    let steps: Vec<&Step> = steps.iter().filter(inside).collect();
    if steps.is_empty() {
        return None;
    }
    let side = if corner.direction == Turn::Left { 1.0 } else { -1.0 };
    let slip_difference = mean(&steps, |axles| side * (axles.slip[0] - axles.slip[1]));
    let tendency = match slip_difference {
        more if more > NEUTRAL => Tendency::Understeer,
        less if less < -NEUTRAL => Tendency::Oversteer,
        _ => Tendency::Neutral,
    };
    Some(CornerBalance {
        number: corner.number,
        tendency,
        slip_difference,
        front_use: mean(&steps, |axles| axles.used[0]),
        rear_use: mean(&steps, |axles| axles.used[1]),
    })
}

/// On an open line nothing before the entry is ahead of it.
fn in_reach(corner: &Corner, step: &Step) -> bool {
    corner.entry_s_m > corner.exit_s_m || step.from_m >= corner.entry_s_m
}

/// The mean of a value over the time of `steps`.
fn mean(steps: &[&Step], value: impl Fn(&AxleUse) -> f64) -> f64 {
    let time: f64 = steps.iter().map(|step| step.time_s).sum();
    steps.iter().map(|step| step.time_s * value(&step.axles)).sum::<f64>() / time.max(f64::MIN_POSITIVE)
}

/// What the car does at a point.
fn state(point: &LinePoint) -> Option<CarState> {
    Some(CarState {
        time_s: point.time_s,
        speed_mps: point.speed_mps,
        sideslip_rad: point.sideslip_rad?,
        yaw_rate_radps: point.yaw_rate_radps?,
        steering_rad: point.steering_rad?,
        pedal: point.pedal?,
    })
}
