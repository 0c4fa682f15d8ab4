//! Laps of a line in telemetry, and the fit to several rounds of them.
//!
//! A lap is the time from one passage of the line's first point to the next, linear between samples; on an open
//! line from its first point, or the start, to its last.

use raceline::RacingLine;
use raceline_car::{Vehicle, VehicleError};
use raceline_numerics::math;
use serde::Serialize;

use super::calibration::Calibration;
use super::csv;
use super::error::CalibrateError;
use super::fit::calibrate;
use super::rounds::{Round, Rounds};
use super::telemetry::{Run, Telemetry};

/// A passage is at most so far from the edges of the road, m.
const BESIDE_ROAD_M: f64 = 5.0;
/// A lap is at least this fraction of the line's length: what is shorter turned back.
const MIN_LENGTH: f64 = 0.8;
/// An open line may be begun this far from its first point, m.
const FROM_START_M: f64 = 10.0;

/// A line and the telemetry of driving it.
#[derive(Clone, Debug)]
pub struct DrivenLine {
    /// The line, with the vehicle for which it was made.
    pub line: RacingLine,
    /// What was driven.
    pub run: Run,
    /// Where: x and y at each sample, m, in the frame of the line.
    pub places_m: Vec<[f64; 2]>,
}

impl DrivenLine {
    /// Reads the telemetry of driving a line: as [`csv::read`], with the columns `x_m` and `y_m`.
    ///
    /// # Errors
    /// Those of [`csv::read`]; a missing column of places.
    pub fn read(line: RacingLine, bytes: &[u8], name: &str) -> Result<Self, CalibrateError> {
        let (run, places_m) = csv::read_with_places(bytes, name)?;
        Ok(Self { line, run, places_m })
    }

    /// The best complete lap, s; `None` without one.
    #[must_use]
    pub fn best_lap_s(&self) -> Option<f64> {
        let (first, last) = (self.line.points.first()?, self.line.points.last()?);
        let gate = |point: &raceline::file::LinePoint| Gate {
            middle_m: [point.x_m, point.y_m],
            heading_rad: point.heading_rad,
            half_m: point.left_m.max(point.right_m) + BESIDE_ROAD_M,
        };
        let mut starts = self.passages(&gate(first));
        let ends = if self.line.closed { starts.clone() } else { self.passages(&gate(last)) };
        if !self.line.closed
            && let (Some(&time_s), Some([x, y])) = (self.run.time_s.first(), self.places_m.first())
            && math::hypot(x - first.x_m, y - first.y_m) < FROM_START_M
        {
            starts.push(Passage { time_s, distance_m: 0.0 });
        }
        let lap = |start: &Passage| {
            let end = ends.iter().find(|end| end.time_s > start.time_s)?;
            let is_whole = end.distance_m - start.distance_m > MIN_LENGTH * self.line.length_m;
            is_whole.then_some(end.time_s - start.time_s)
        };
        starts.iter().filter_map(lap).reduce(f64::min)
    }

    /// The round of this line.
    #[must_use]
    pub fn round(&self) -> Round {
        let lap_s = self.best_lap_s();
        Round {
            vehicle: self.line.vehicle.clone(),
            lines: usize::from(lap_s.is_some()),
            predicted_s: lap_s.map_or(0.0, |_| self.line.lap_time_s),
            driven_s: lap_s.unwrap_or(0.0),
        }
    }

    fn passages(&self, gate: &Gate) -> Vec<Passage> {
        let mut distance_m = 0.0;
        let mut found = Vec::new();
        for (times, places) in self.run.time_s.windows(2).zip(self.places_m.windows(2)) {
            let ([t0, t1], [from, to]) = ([times[0], times[1]], [places[0], places[1]]);
            let step_m = math::hypot(to[0] - from[0], to[1] - from[1]);
            if let Some(part) = gate.passed(from, to) {
                found.push(Passage { time_s: t0 + part * (t1 - t0), distance_m: distance_m + part * step_m });
            }
            distance_m += step_m;
        }
        found
    }
}

/// A line across the road.
struct Gate {
    middle_m: [f64; 2],
    heading_rad: f64,
    half_m: f64,
}

impl Gate {
    /// The part of the step from `from` to `to` at which it is passed forwards.
    fn passed(&self, from: [f64; 2], to: [f64; 2]) -> Option<f64> {
        let (sin, cos) = math::sin_cos(self.heading_rad);
        let place = |[x, y]: [f64; 2]| {
            let (x, y) = (x - self.middle_m[0], y - self.middle_m[1]);
            [x * cos + y * sin, y * cos - x * sin]
        };
        let ([a, left_a], [b, left_b]) = (place(from), place(to));
        if !(a < 0.0 && b >= 0.0) {
            return None;
        }
        let part = a / (a - b);
        ((left_a + part * (left_b - left_a)).abs() <= self.half_m).then_some(part)
    }
}

/// When a gate is passed, and what was driven until then.
#[derive(Clone, Copy, Debug)]
struct Passage {
    time_s: f64,
    distance_m: f64,
}

/// What several rounds give.
#[derive(Clone, Debug, Serialize)]
pub struct Refined {
    /// The fit to the telemetry of all rounds, with limits that the laps bear.
    #[serde(flatten)]
    pub calibration: Calibration,
    /// The rounds.
    #[serde(flatten)]
    pub rounds: Rounds,
}

impl Refined {
    /// The vehicle to go on with: that of the best round where the rounds are settled, otherwise the one to drive
    /// next.
    #[must_use]
    pub fn vehicle(&self) -> &Vehicle {
        match self.rounds.best().filter(|_| self.rounds.is_settled()) {
            Some(best) => &best.vehicle,
            None => &self.calibration.vehicle,
        }
    }

    /// [`Self::vehicle`] as TOML.
    ///
    /// # Errors
    /// [`VehicleError::Unwritable`].
    pub fn to_toml(&self) -> Result<String, VehicleError> {
        if !self.rounds.is_settled() {
            return self.calibration.to_toml();
        }
        let plain = self.vehicle().to_toml()?;
        Ok(format!(
            "# The vehicle of round {}, which later rounds did not improve.\n{plain}",
            1 + self.rounds.best_index()
        ))
    }

    /// What to do with the vehicle in `file`.
    #[must_use]
    pub fn next_step(&self, file: &str) -> String {
        match self.rounds.best() {
            Some(best) if self.rounds.is_settled() => format!(
                "settled: {file} is the vehicle of round {}, driven {:+.1} % from its prediction",
                1 + self.rounds.best_index(),
                100.0 * (best.ratio() - 1.0)
            ),
            _ => format!(
                "next: raceline optimize TRACK --vehicle {file} -o NEXT.json, drive NEXT.json, and calibrate again with \
                 its telemetry and --line NEXT.json after the others"
            ),
        }
    }
}

/// Fits a vehicle to the telemetry of rounds, in the order in which they were driven: each a line, and how it was
/// driven. The rounds decide how far the fit is followed, and which vehicle is the best.
///
/// # Errors
/// Those of [`calibrate()`].
pub fn calibrate_rounds(driven: Vec<DrivenLine>, base: &Vehicle) -> Result<Refined, CalibrateError> {
    let mut rounds = Rounds::default();
    for one in &driven {
        rounds.add(one.round());
    }
    let telemetry = Telemetry { runs: driven.into_iter().map(|one| one.run).collect() };
    let calibration = rounds.hold(calibrate(&telemetry, base)?)?;
    Ok(Refined { calibration, rounds })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod tests {
    use std::path::Path;

    use raceline::Options;
    use raceline::drive::{DriveOptions, drive, trace_csv};
    use raceline::options::Layer;
    use raceline::pipeline::{self, Request};

    use super::{DrivenLine, Gate, RacingLine, Vehicle, calibrate_rounds};

    #[test]
    fn a_gate_is_passed_forwards_and_between_its_ends() {
        let gate = Gate { middle_m: [10.0, 0.0], heading_rad: 0.0, half_m: 5.0 };
        assert_eq!(gate.passed([8.0, 1.0], [12.0, 1.0]), Some(0.5));
        assert_eq!(gate.passed([12.0, 1.0], [8.0, 1.0]), None);
        assert_eq!(gate.passed([8.0, 6.0], [12.0, 6.0]), None);
        assert_eq!(gate.passed([6.0, 1.0], [8.0, 1.0]), None);
    }

    /// The line of a picture for a vehicle, as a user makes it.
    fn line_for(vehicle: &Vehicle) -> RacingLine {
        let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tracks/club.png");
        let options = Options::from_layers(&[Layer::read(&picture.with_extension("toml")).unwrap()]).unwrap();
        pipeline::optimize(&*picture, &Request::new(&options, vehicle)).unwrap().line
    }

    /// A game is another car than the start; our own simulator stands for it.
    #[test]
    fn after_three_rounds_a_hidden_car_is_predicted_and_no_round_is_slower() {
        let hidden = raceline_car::preset("tum-racecar").unwrap();
        // A tenth too much grip, a third of the drag too little, and other axles.
        let start = Vehicle {
            lateral_limit_mps2: 1.1 * hidden.lateral_limit_mps2,
            longitudinal_limit_mps2: 1.1 * hidden.longitudinal_limit_mps2,
            drag_kgpm: 0.67 * hidden.drag_kgpm,
            front_weight_fraction: Some(0.5),
            centre_of_gravity_m: Some(0.4),
            ..hidden.clone()
        };
        let mut vehicle = start.clone();
        let mut driven: Vec<DrivenLine> = Vec::new();
        let mut last = None;
        for _ in 0..3 {
            let line = line_for(&vehicle);
            let trace = drive(&line, &hidden, &DriveOptions { laps: 2, ..DriveOptions::default() }).unwrap().trace;
            driven.push(DrivenLine::read(line, trace_csv::write(&trace).as_bytes(), "game.csv").unwrap());
            let found = calibrate_rounds(driven.clone(), &start).unwrap();
            vehicle = found.vehicle().clone();
            last = Some(found);
        }
        let rounds = last.unwrap().rounds;
        let shown: Vec<[f64; 2]> = rounds.all().iter().map(|round| [round.predicted_s, round.driven_s]).collect();
        println!("predicted and driven, s: {shown:?}");
        let [first, second, third] = rounds.all() else { panic!("{shown:?}") };
        assert!((third.ratio() - 1.0).abs() < 0.03, "{shown:?}");
        assert!((third.ratio() - 1.0).abs() < (first.ratio() - 1.0).abs(), "{shown:?}");
        // Beyond the car's limits, as in the first round, two drivers differ by 0.15 % on one line.
        assert!(third.driven_s < 1.002 * second.driven_s && second.driven_s < 1.002 * first.driven_s, "{shown:?}");
    }
}
