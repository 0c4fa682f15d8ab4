//! Rounds of driving and fitting: which vehicle is the best so far, and how far the next one may go.
//!
//! A fit finds what the tyres gave at their best moments. Whether a driver holds that for a lap is seen only
//! when a line of this vehicle is driven: the ratio q of the driven lap to the predicted one. With the level c
//! of a vehicle, its lateral limit by that of the newest fit, laps of limits that are 1 % lower are predicted
//! about 0.35 % longer, and are driven in nearly the same time as long as the driver did not hold more. So the
//! next vehicle is the newest fit with its limits at the level
//!
//! ```text
//! c = c_best - (q_best - 1 - a) / 0.35      c = (c_best + c_last) / 2 at most, where the last was worse
//! ```
//!
//! where a is what a prediction may miss. Where the best lap was predicted within a, half of this step up is taken.
//! More driving never makes a vehicle worse: the best round is kept, and what follows starts from it.

use raceline_car::{GgDiagram, Vehicle, VehicleError};
use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::calibration::{Calibration, Note};

/// What a lap may be driven slower than it is predicted, as a fraction. A smaller one lowers limits for what is a
/// driver's own loss: at 0.015, TORCS's p406 was 2 % slower than at 0.03.
const AIM: f64 = 0.03;
/// By how much a lap is predicted longer where all limits are lower by the same fraction.
const SENSITIVITY: f64 = 0.35;
/// The part of a step to higher limits that is taken at once.
const FOLLOWED: f64 = 0.5;
/// Levels of a vehicle's limits by the fit: a lower one would be a driver's fault rather than the fit's.
const LEVELS: [f64; 2] = [0.85, 1.0];
/// A percent of a lap that a prediction misses beyond [`AIM`] counts as this part of a percent of lap time.
const PRICE: f64 = 0.2;
/// Rounds are settled after so many of them without a gain of this fraction; those that lose laps don't count.
const MIN_GAIN: f64 = 0.002;
const PATIENCE: usize = 2;

/// A vehicle, and how its lines were driven.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Round {
    /// The vehicle whose lines were driven.
    #[serde(skip)]
    pub vehicle: Vehicle,
    /// Lines of it on which a lap was completed.
    pub lines: usize,
    /// Sum of the laps that the vehicle predicts on these lines, s.
    pub predicted_s: f64,
    /// Sum of the best laps driven on these lines, s.
    pub driven_s: f64,
}

impl Round {
    /// The driven lap by the predicted one; infinite without a lap.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        if self.predicted_s > 0.0 { self.driven_s / self.predicted_s } else { f64::INFINITY }
    }

    /// The lap with the price of its prediction's error, s.
    fn cost_s(&self) -> f64 {
        self.driven_s * (1.0 + PRICE * ((self.ratio() - 1.0).abs() - AIM).max(0.0))
    }

    /// Whether this is better than another: laps on more lines, or better ones by a fraction.
    fn beats(&self, other: &Self, by: f64) -> bool {
        self.lines > other.lines || self.lines == other.lines && self.cost_s() < (1.0 - by) * other.cost_s()
    }
}

/// The rounds driven so far.
///
/// ```
/// use raceline_calibrate::{Round, Rounds};
///
/// let vehicle = raceline_car::preset("gt")?;
/// let round = |driven_s: f64| Round { vehicle: vehicle.clone(), lines: 1, predicted_s: 80.0, driven_s };
/// let mut rounds = Rounds::default();
/// rounds.add(round(82.0));
/// rounds.add(round(84.0));
/// assert_eq!(rounds.best().map(|best| best.driven_s), Some(82.0));
/// assert!(!rounds.is_settled());
/// rounds.add(round(83.0));
/// assert!(rounds.is_settled());
/// # Ok::<(), raceline_car::VehicleError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rounds {
    all: Vec<Round>,
    best: usize,
    without_gain: usize,
}

/// As the rounds, the number of the best one from 1, and whether they are settled.
impl Serialize for Rounds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Rounds", 3)?;
        fields.serialize_field("rounds", &self.all)?;
        fields.serialize_field("best_round", &self.best().map(|_| self.best + 1))?;
        fields.serialize_field("settled", &self.is_settled())?;
        fields.end()
    }
}

impl Rounds {
    /// Adds the newest round.
    pub fn add(&mut self, round: Round) {
        let best = self.best().cloned();
        self.without_gain = match &best {
            // It went too far: the next step is half as long.
            Some(best) if round.lines < best.lines => self.without_gain,
            Some(best) if !round.beats(best, MIN_GAIN) => self.without_gain + 1,
            _ => 0,
        };
        if best.is_none_or(|best| round.beats(&best, 0.0)) {
            self.best = self.all.len();
        }
        self.all.push(round);
    }

    /// All rounds in the order in which they were driven.
    #[must_use]
    pub fn all(&self) -> &[Round] {
        &self.all
    }

    /// The round of the best laps; `None` before the first one.
    #[must_use]
    pub fn best(&self) -> Option<&Round> {
        self.all.get(self.best)
    }

    /// The number of the best round, from 0.
    #[must_use]
    pub fn best_index(&self) -> usize {
        self.best
    }

    /// Whether further rounds will hardly gain: the best vehicle is the result then.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.without_gain >= PATIENCE
    }

    /// Holds the limits of the newest fit, to the telemetry of all rounds, at the level that the laps bear.
    ///
    /// # Errors
    /// [`VehicleError`] for a vehicle without limits.
    pub fn hold(&self, mut newest: Calibration) -> Result<Calibration, VehicleError> {
        let level = self.level(&newest)?;
        if level < 1.0 {
            newest.scale_limits(level);
            newest.notes.push(Note::Held { level });
        }
        Ok(newest)
    }

    /// The level of the next vehicle's limits by those of the newest fit.
    fn level(&self, newest: &Calibration) -> Result<f64, VehicleError> {
        let (Some(best), Some(last)) = (self.best().filter(|best| best.lines > 0), self.all.last()) else {
            return Ok(1.0);
        };
        let of_best = level_of(&best.vehicle, newest)?;
        let excess = best.ratio() - 1.0 - AIM;
        let followed = if excess > 0.0 { 1.0 } else { FOLLOWED };
        let borne = of_best - followed * excess / SENSITIVITY;
        let was_worse = self.best + 1 < self.all.len();
        let level = if was_worse { borne.min(0.5 * (of_best + level_of(&last.vehicle, newest)?)) } else { borne };
        Ok(level.clamp(LEVELS[0], LEVELS[1]))
    }
}

/// The lateral limit of a vehicle by that of a fit, the mean over the speeds that were driven.
fn level_of(vehicle: &Vehicle, fit: &Calibration) -> Result<f64, VehicleError> {
    let diagram = GgDiagram::new(vehicle)?;
    let points = fit.lateral.points.iter().filter(|point| point.speed_mps <= fit.fastest_mps && point.limit_mps2 > 0.0);
    let ratios: Vec<f64> =
        points.map(|point| diagram.lateral_limit(point.speed_mps * point.speed_mps) / point.limit_mps2).collect();
    Ok(if ratios.is_empty() { 1.0 } else { ratios.iter().sum::<f64>() / ratios.len() as f64 })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Round, Rounds};

    fn round(lines: usize, predicted_s: f64, driven_s: f64) -> Round {
        Round { vehicle: raceline_car::preset("gt").unwrap(), lines, predicted_s, driven_s }
    }

    #[test]
    fn laps_on_more_lines_count_before_faster_ones_and_predictions_have_a_price() {
        let mut rounds = Rounds::default();
        rounds.add(round(2, 100.0, 101.0));
        rounds.add(round(3, 150.0, 160.0));
        assert_eq!(rounds.best_index(), 1);
        // 0.1 % slower, but predicted within 1 % in place of 6.7 %.
        rounds.add(round(3, 158.6, 160.2));
        assert_eq!(rounds.best_index(), 2);
        // 2 % slower is too much for a prediction.
        rounds.add(round(3, 164.0, 164.0));
        assert_eq!((rounds.best_index(), rounds.is_settled()), (2, false));
        // A round that loses laps settles nothing.
        rounds.add(round(2, 90.0, 91.0));
        assert!(!rounds.is_settled());
        rounds.add(round(3, 158.6, 160.2));
        assert!(rounds.is_settled());
    }
}
