//! Drift: where a line that was made again differs from the kept one beyond a tolerance.
//!
//! Both lines are sampled closely as smooth curves, so that points at other places of the same
//! curve are not a difference.

use serde::Serialize;
use serde_json::{Map, Value};

use super::comparison::{Along, lay_beside};
use super::corners::Corner;
use super::lap::Lap;
use super::{AnalysisOptions, analyse};
use crate::file::{LinePoint, RacingLine};
use crate::geometry::{Point, SplineCurve};
use raceline_numerics::math;

/// Allowed differences of a line from the kept one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tolerances {
    /// Largest distance across the road, m. Default: 0.05.
    pub lateral_m: f64,
    /// Largest difference of lap times, as a fraction of the kept one. Default: 0.001.
    #[serde(rename = "lap_time_share")]
    pub lap_time_fraction: f64,
    /// Largest difference of speeds at the same place, m/s. Default: 0.2.
    pub speed_mps: f64,
}

impl Default for Tolerances {
    fn default() -> Self {
        Self { lateral_m: 0.05, lap_time_fraction: 1e-3, speed_mps: 0.2 }
    }
}

/// Samples per step between points, so that the chords between the samples lie on the curve.
const SAMPLES_PER_STEP: usize = 16;
/// Largest shift of the start line, m. Its place is specified, so only an error moves it.
const START_SHIFT_M: f64 = 1.0;
/// Stretches with less time than this between them, s, are reported as one.
const MERGED_S: f64 = 0.5;

/// The differences of two lines beyond the tolerances.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Drift {
    /// Keys of the file that must be the same but differ.
    pub keys: Vec<KeyDifference>,
    /// Lap times beyond the tolerance, those of the line and its candidates.
    pub lap_times: Vec<LapTimeDifference>,
    /// Shifts of the line, m; positive to the left.
    pub lateral_m: Vec<DriftStretch>,
    /// Differences of the speed, m/s; positive if the new line is faster.
    pub speed_mps: Vec<DriftStretch>,
    /// Shift of the start line, m, if it exceeds 1 m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_shift_m: Option<f64>,
    /// Why the lines cannot be compared, if they cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_comparable: Option<String>,
    /// Largest distance across the road anywhere, within the tolerance or not, m.
    pub largest_lateral_m: f64,
    /// Largest difference of speeds anywhere, m/s.
    pub largest_speed_mps: f64,
}

/// A key whose values differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyDifference {
    /// The key, with dots if it is nested.
    pub key: String,
    /// The kept line's value, as JSON.
    pub kept: String,
    /// The new line's value, as JSON.
    pub now: String,
}

/// Lap times that differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LapTimeDifference {
    /// Name of the method.
    pub method: &'static str,
    /// The kept line's lap time, s.
    pub kept_s: f64,
    /// The new line's lap time, s.
    pub now_s: f64,
}

/// A stretch of the kept line where the new one differs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DriftStretch {
    /// Where it begins, m from the start line.
    pub from_s_m: f64,
    /// Where it ends, m; less than `from_s_m` for a stretch across the start line.
    pub to_s_m: f64,
    /// Where the difference is largest, m.
    pub worst_s_m: f64,
    /// World position of that place, m.
    pub worst_position_m: [f64; 2],
    /// The difference there, in the unit of the list.
    pub difference: f64,
    /// Number of the kept line's corner there, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corner: Option<usize>,
}

impl Drift {
    /// Whether nothing differs beyond the tolerances.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.keys.is_empty()
            && self.lap_times.is_empty()
            && self.lateral_m.is_empty()
            && self.speed_mps.is_empty()
            && self.start_shift_m.is_none()
            && self.not_comparable.is_none()
    }

    /// The differences as sentences, one each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let keys = self.keys.iter().map(|KeyDifference { key, kept, now }| {
            let brief = |value: &str| {
                let short: String = value.chars().take(40).collect();
                if short.len() < value.len() { short + "…" } else { short }
            };
            format!("{key} was {}, is {}", brief(kept), brief(now))
        });
        let laps = self.lap_times.iter().map(|LapTimeDifference { method, kept_s, now_s }| {
            format!("{method} lap was {kept_s:.4} s, is {now_s:.4} s ({:+.3} %)", 100.0 * (now_s / kept_s - 1.0))
        });
        let lateral = self.lateral_m.iter().map(|stretch| {
            let side = if stretch.difference > 0.0 { "left" } else { "right" };
            format!("line {:.3} m farther to the {side} {}", stretch.difference.abs(), stretch.place())
        });
        let speed = self.speed_mps.iter().map(|stretch| {
            let change = if stretch.difference > 0.0 { "faster" } else { "slower" };
            format!("{:.3} m/s {change} {}", stretch.difference.abs(), stretch.place())
        });
        let start = self.start_shift_m.iter().map(|shift| format!("start line moved by {shift:.2} m"));
        keys.chain(laps).chain(lateral).chain(speed).chain(start).chain(self.not_comparable.clone()).collect()
    }
}

impl DriftStretch {
    fn place(&self) -> String {
        let [x, y] = self.worst_position_m;
        let corner = self.corner.map_or(String::new(), |number| format!(", corner {number}"));
        format!(
            "at s = {:.1} m (x {x:.1}, y {y:.1}{corner}), beyond the tolerance from {:.1} to {:.1} m",
            self.worst_s_m, self.from_s_m, self.to_s_m
        )
    }
}

/// Compares `now` with `kept` and returns the differences beyond `tolerances`. The key `generator`
/// may differ. An option that is missing in one of the files has its default, so that a new version
/// may add options.
#[must_use]
pub fn compare(kept: &RacingLine, now: &RacingLine, tolerances: &Tolerances) -> Drift {
    let mut drift = Drift { keys: different_keys(kept, now), ..Drift::default() };
    let mut compare_laps = |method, kept_s: f64, now_s: f64| {
        if (now_s / kept_s - 1.0).abs() > tolerances.lap_time_fraction {
            drift.lap_times.push(LapTimeDifference { method, kept_s, now_s });
        }
    };
    compare_laps(now.method.name(), kept.lap_time_s, now.lap_time_s);
    for (one, other) in kept.candidates.iter().zip(&now.candidates) {
        // The line's own lap time has been compared.
        if one.method == other.method && one.method != kept.method {
            compare_laps(one.method.name(), one.lap_time_s, other.lap_time_s);
        }
    }
    if let (Some(a), Some(b)) = (kept.points.first(), now.points.first()) {
        let shift = math::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
        drift.start_shift_m = (shift > START_SHIFT_M).then_some(shift);
    }
    let (Some(kept_curve), Some(now_curve)) = (sampled(kept), sampled(now)) else {
        drift.not_comparable = Some("one of the lines has too few points: make it again".to_owned());
        return drift;
    };
    match lay_beside(&kept_curve, &now_curve) {
        Err(error) => drift.not_comparable = Some(error.to_string()),
        Ok(along) => {
            let corners = analyse(kept, &AnalysisOptions::default()).map_or(Vec::new(), |found| found.corners);
            let largest = |value: fn(&Along) -> f64| along.iter().map(|here| value(here).abs()).fold(0.0, f64::max);
            drift.largest_lateral_m = largest(|here| here.offset_m);
            drift.largest_speed_mps = largest(|here| here.speed_difference_mps);
            let lap = Lap::new(kept);
            drift.lateral_m = stretches(lap, &along, &corners, tolerances.lateral_m, |here| here.offset_m);
            drift.speed_mps = stretches(lap, &along, &corners, tolerances.speed_mps, |here| here.speed_difference_mps);
        }
    }
    drift
}

/// `line` with additional points, so that its chords lie on the curve through its own points.
fn sampled(line: &RacingLine) -> Option<RacingLine> {
    let points: Vec<Point> = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    let curve = SplineCurve::through(&points, line.closed)?;
    let lap = Lap::new(line);
    let mut samples = Vec::with_capacity(SAMPLES_PER_STEP * (points.len() + 1));
    let sample = |place: f64, s_m: f64| {
        let (on_curve, here) = (curve.at(place), lap.at(s_m));
        LinePoint {
            s_m,
            x_m: on_curve.position.x,
            y_m: on_curve.position.y,
            heading_rad: on_curve.heading(),
            curvature_radpm: here.curvature_radpm,
            speed_mps: here.speed_mps,
            accel_mps2: 0.0,
            time_s: here.time_s,
            left_m: here.left_m,
            right_m: here.right_m,
            z_m: None,
            banking_rad: None,
            grip: None,
            load: None,
            steering_rad: None,
            pedal: None,
            sideslip_rad: None,
            yaw_rate_radps: None,
        }
    };
    let places = curve.positions();
    let place_of = |index: usize| places.get(index).copied().unwrap_or(curve.length());
    for step in 0..lap.steps() {
        let (from, to) = (place_of(step), place_of(step + 1));
        let (from_s, to_s) = (lap.distance(step), lap.distance(step + 1));
        for part in 0..SAMPLES_PER_STEP {
            let fraction = part as f64 / SAMPLES_PER_STEP as f64;
            samples.push(sample(from + fraction * (to - from), from_s + fraction * (to_s - from_s)));
        }
    }
    if !line.closed {
        samples.push(sample(curve.length(), line.points.last()?.s_m));
    }
    Some(RacingLine { points: samples, ..line.clone() })
}

/// The stretches where `value` is beyond `max`.
fn stretches(
    lap: Lap,
    along: &[Along],
    corners: &[Corner],
    max: f64,
    value: impl Fn(&Along) -> f64,
) -> Vec<DriftStretch> {
    let beyond: Vec<&Along> = along.iter().filter(|here| value(here).abs() > max).collect();
    let mut runs: Vec<Vec<&Along>> = Vec::new();
    for here in beyond {
        match runs.last_mut().and_then(|run| Some((*run.last()?, run))) {
            Some((last, run)) if lap.seconds(last.s_m, here.s_m) < MERGED_S => run.push(here),
            _ => runs.push(vec![here]),
        }
    }
    // A stretch across the start line is one stretch.
    let closed = lap.steps() == lap.points().len();
    if closed && runs.len() > 1 {
        let gap = match (runs.last().and_then(|run| run.last()), runs.first().and_then(|run| run.first())) {
            (Some(last), Some(first)) => lap.seconds(last.s_m, first.s_m),
            _ => f64::INFINITY,
        };
        if gap < MERGED_S {
            let first = runs.remove(0);
            if let Some(last) = runs.last_mut() {
                last.extend(first);
            }
        }
    }
    let stretch = |run: &Vec<&Along>| {
        let worst = run.iter().max_by(|a, b| value(a).abs().total_cmp(&value(b).abs()))?;
        // Behind a place on an open line `ahead` is negative. A corner as long as the lap must not
        // have length 0.
        let in_corner = |corner: &&Corner| (0.0..=corner.length_m).contains(&lap.ahead(corner.entry_s_m, worst.s_m));
        Some(DriftStretch {
            from_s_m: run.first()?.s_m,
            to_s_m: run.last()?.s_m,
            worst_s_m: worst.s_m,
            worst_position_m: lap.at(worst.s_m).position_m,
            difference: value(worst),
            corner: corners.iter().find(in_corner).map(|corner| corner.number.number),
        })
    };
    runs.iter().filter_map(stretch).collect()
}

/// The keys whose values differ.
fn different_keys(kept: &RacingLine, now: &RacingLine) -> Vec<KeyDifference> {
    let of = |line: &RacingLine| {
        let methods: Vec<&str> = line.candidates.iter().map(|candidate| candidate.method.name()).collect();
        let mut keys = Map::new();
        keys.insert("name".to_owned(), line.name.clone().into());
        keys.insert("closed".to_owned(), line.closed.into());
        keys.insert("direction".to_owned(), serde_json::to_value(line.direction).unwrap_or_default());
        keys.insert("method".to_owned(), line.method.name().into());
        keys.insert("candidates".to_owned(), methods.into());
        keys.insert("source.sha256".to_owned(), line.source.sha256.clone().into());
        keys.insert("source.track_sha256".to_owned(), line.source.track_sha256.clone().into());
        keys.insert("vehicle".to_owned(), serde_json::to_value(&line.vehicle).unwrap_or_default());
        keys.insert("options".to_owned(), object(&line.options).into());
        keys
    };
    let mut found = Vec::new();
    differences("", &of(kept), &of(now), &mut found);
    found
}

/// The keys and values of a struct.
pub(crate) fn object(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(entries)) => entries,
        _ => Map::new(),
    }
}

/// The entries of two objects that differ; nested objects key by key.
pub(crate) fn differences(
    prefix: &str,
    kept: &Map<String, Value>,
    now: &Map<String, Value>,
    found: &mut Vec<KeyDifference>,
) {
    let mut keys: Vec<&String> = kept.keys().chain(now.keys().filter(|key| !kept.contains_key(*key))).collect();
    keys.sort();
    for key in keys {
        let (before, after) = (kept.get(key).unwrap_or(&Value::Null), now.get(key).unwrap_or(&Value::Null));
        let path = format!("{prefix}{key}");
        match (before, after) {
            (Value::Object(before), Value::Object(after)) => differences(&format!("{path}."), before, after, found),
            _ if before == after => {}
            _ => found.push(KeyDifference { key: path, kept: before.to_string(), now: after.to_string() }),
        }
    }
}
