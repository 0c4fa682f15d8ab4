//! A driven lap as a line, to be compared with the line that was to be driven.

use super::alignment::{Apart, align};
use super::lap::Lap;
use crate::file::{LinePoint, RacingLine};
use crate::geometry::wrap_angle;
use crate::table::{Row, Table, TableError};
use raceline_numerics::math;

/// Why a trace holds no lap of a line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DrivenLapError {
    /// The trace is not a table with the columns that are required.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The trace has no whole lap.
    #[error(
        "no lap is driven from start to end: a lap is complete where the column `lap` has a smaller number before it, and \
         a greater one after it or an end beside its beginning"
    )]
    NoLap,
    /// The lap was driven elsewhere.
    #[error(
        "{s_m:.0} m after its start the lap is {distance_m:.1} m from the line, more than the road's width: specify the \
         line that was driven"
    )]
    Elsewhere {
        /// Place, metres from the start of the lap.
        s_m: f64,
        /// Distance from the line, metres.
        distance_m: f64,
    },
}

const EXAMPLE: &str = "time_s,lap,x_m,y_m,speed_mps";
const KNOWN: &str = "a trace has time_s, x_m, y_m and speed_mps or forward_mps; lap is optional";
/// The columns that are read.
const COLUMNS: [&str; 6] = ["time_s", "x_m", "y_m", "speed_mps", "forward_mps", "lap"];

/// Samples nearer to the one before than this are left out, metres: a vehicle at rest has no
/// direction.
const MIN_STEP_M: f64 = 0.2;
/// Steps of the samples within which the end of a trace's last lap leads to its beginning.
const LAST_STEPS: f64 = 2.5;
/// Accelerations are those over this many samples to either side.
const ACCELERATION_SAMPLES: usize = 8;

/// One row of a trace.
#[derive(Clone, Copy, Debug)]
struct Sample {
    time_s: f64,
    position_m: [f64; 2],
    speed_mps: f64,
    lap: f64,
}

/// The fastest whole lap in a trace, a CSV such as `raceline drive -o` writes, as a line. `line` is the
/// one that was to be driven: it gives the edges, the vehicle and, at the place beside each point, the
/// curvature. On an open road and without a column `lap` the whole trace is the lap.
///
/// # Errors
/// See [`DrivenLapError`].
pub fn driven_lap(line: &RacingLine, bytes: &[u8]) -> Result<RacingLine, DrivenLapError> {
    let (samples, lap_time_s) = fastest(&read(bytes)?, line.closed).ok_or(DrivenLapError::NoLap)?;
    let widest = line.points.iter().map(|point| point.left_m + point.right_m).fold(0.0, f64::max);
    let mut points: Vec<LinePoint> = samples.iter().map(|sample| point_at(sample, samples[0].time_s, widest)).collect();
    let length_m = add_course(&mut points, line.closed);
    let driven = RacingLine {
        name: format!("{}, driven", line.name),
        lap_time_s,
        length_m,
        candidates: Vec::new(),
        sections: Vec::new(),
        constraints: Vec::new(),
        streets: None,
        points,
        ..line.clone()
    };
    let beside = align(Lap::new(&driven), Lap::new(line))
        .map_err(|Apart { s_m, distance_m }| DrivenLapError::Elsewhere { s_m, distance_m })?;
    let mut driven = driven;
    for (i, point) in driven.points.iter_mut().enumerate() {
        let there = Lap::new(line).at(beside.other_s_m[i]);
        point.curvature_radpm = there.curvature_radpm;
        point.left_m = (there.left_m + beside.offset_m[i]).max(0.0);
        point.right_m = (there.right_m - beside.offset_m[i]).max(0.0);
    }
    Ok(driven)
}

fn read(bytes: &[u8]) -> Result<Vec<Sample>, TableError> {
    let table = Table::read(bytes, |field| COLUMNS.contains(&field), EXAMPLE)?;
    let no_header = Row { line: 1, fields: Vec::new() };
    let header = table.header.as_ref().unwrap_or(&no_header);
    let required = |name: &'static str| header.position(name).ok_or_else(|| header.missing(name, KNOWN));
    let [time, x, y] = [required("time_s")?, required("x_m")?, required("y_m")?];
    let speed = header.position("speed_mps").or_else(|| header.position("forward_mps"));
    let speed = speed.map_or_else(|| required("speed_mps"), Ok)?;
    let lap = header.position("lap");
    let sample = |row: &Row| {
        Ok(Sample {
            time_s: row.number(time, "time_s")?,
            position_m: [row.number(x, "x_m")?, row.number(y, "y_m")?],
            speed_mps: row.number(speed, "speed_mps")?,
            lap: lap.map_or(Ok(0.0), |lap| row.number(lap, "lap"))?,
        })
    };
    table.rows.iter().map(sample).collect()
}

/// The fastest whole lap and its time.
fn fastest(samples: &[Sample], closed: bool) -> Option<(Vec<Sample>, f64)> {
    let laps: Vec<&[Sample]> = samples.chunk_by(|a, b| a.lap == b.lap).collect();
    let whole = |i: usize| {
        let (before, lap) = (laps.get(i.checked_sub(1)?)?, laps[i]);
        let end_s = match laps.get(i + 1) {
            Some(after) => (lap[0].lap < after[0].lap).then_some(after[0].time_s),
            None => end_of_last(lap),
        };
        end_s.filter(|_| before[0].lap < lap[0].lap).map(|end_s| (lap, end_s - lap[0].time_s))
    };
    let (lap, time_s) = if let (false, _) | (true, 1) = (closed, laps.len()) {
        (samples, samples.last()?.time_s - samples.first()?.time_s)
    } else {
        (0..laps.len()).filter_map(whole).min_by(|a, b| a.1.total_cmp(&b.1))?
    };
    let mut kept: Vec<Sample> = Vec::with_capacity(lap.len());
    for sample in lap {
        let is_far = |last: &Sample| distance(last.position_m, sample.position_m) >= MIN_STEP_M;
        if kept.last().is_none_or(is_far) {
            kept.push(*sample);
        }
    }
    (kept.len() > 2 && time_s > 0.0).then_some((kept, time_s))
}

/// When the last lap of a trace ends, if its end leads to its beginning. A drive ends with the last sample before the
/// line.
fn end_of_last(lap: &[Sample]) -> Option<f64> {
    let [first, .., before, last] = lap else { return None };
    let [step, missing] = [before, first].map(|other| distance(last.position_m, other.position_m));
    (step > 0.0 && missing < LAST_STEPS * step).then(|| last.time_s + (last.time_s - before.time_s) * missing / step)
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    math::hypot(b[0] - a[0], b[1] - a[1])
}

/// A point without its course, as far from both edges as `widest`.
fn point_at(sample: &Sample, start_s: f64, widest: f64) -> LinePoint {
    LinePoint {
        s_m: 0.0,
        x_m: sample.position_m[0],
        y_m: sample.position_m[1],
        heading_rad: 0.0,
        curvature_radpm: 0.0,
        speed_mps: sample.speed_mps.max(0.0),
        accel_mps2: 0.0,
        time_s: sample.time_s - start_s,
        left_m: widest,
        right_m: widest,
        z_m: None,
        banking_rad: None,
        grip: None,
        load: None,
        steering_rad: None,
        pedal: None,
        sideslip_rad: None,
        yaw_rate_radps: None,
    }
}

/// Distances, headings and accelerations from positions and speeds; returns the length.
fn add_course(points: &mut [LinePoint], closed: bool) -> f64 {
    let count = points.len();
    let position = |points: &[LinePoint], i: usize| [points[i % count].x_m, points[i % count].y_m];
    let mut s_m = 0.0;
    for i in 0..count {
        points[i].s_m = s_m;
        let (from, to) = if closed || i + 1 < count {
            (position(points, i), position(points, i + 1))
        } else {
            (position(points, i - 1), position(points, i))
        };
        points[i].heading_rad = wrap_angle(math::atan2(to[1] - from[1], to[0] - from[0]));
        if closed || i + 1 < count {
            s_m += distance(from, to);
        }
    }
    let squares: Vec<(f64, f64)> = points.iter().map(|point| (point.s_m, math::powi(point.speed_mps, 2))).collect();
    for (i, point) in points.iter_mut().enumerate() {
        let (from, to) =
            (squares[i.saturating_sub(ACCELERATION_SAMPLES)], squares[(i + ACCELERATION_SAMPLES).min(count - 1)]);
        point.accel_mps2 = (to.1 - from.1) / (2.0 * (to.0 - from.0)).max(MIN_STEP_M);
    }
    s_m
}
