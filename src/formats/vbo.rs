//! A `.vbo` of Racelogic's loggers: the lap as it would be recorded, so that their tools play it as
//! a reference lap.
//!
//! Latitudes and longitudes are minutes, positive to the north and to the **west**. The clock
//! begins at midnight. Of a closed line the samples begin a second before the start line and end a
//! second after it, because a lap is counted from crossing to crossing; the section `[laptiming]`
//! has the line between the edges there.

use std::fmt::Write;

use super::geographic::Degrees;
use super::lap_points::steps;
use super::number::{Fixed, fixed};
use super::road_across::road_across;
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::analysis::Lap;
use crate::file::round_to;
use crate::units::KMH_PER_MPS;
use raceline_numerics::math;

/// Samples a second.
const RATE_HZ: f64 = 20.0;
/// Time before and after the lap, s.
const RUN_UP_S: f64 = 1.0;
/// Decimals of minutes: 2 mm.
const MINUTE_DECIMALS: u8 = 6;
/// Number of satellites in the file.
const SATELLITES: u8 = 12;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let degrees = Degrees::new(line, options, "vbo")?;
    let name: String = line.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let vehicle = line.vehicle.name.replace(char::is_control, " ");
    let mut text = format!(
        "File created on 01/01/1970 at 00:00:00\n\n[header]\nsatellites\ntime\nlatitude\nlongitude\nvelocity kmh\n\
         heading\nheight\nvertical velocity m/s\n\n[comments]\n{name}, {}, {vehicle}\n{}\n\n",
        line.method.name(),
        line.generator
    );
    if let (Some(first), Some(across)) = (line.points.first(), road_across(line).first()) {
        let (sin, cos) = math::sin_cos(first.heading_rad);
        let beside = |left_m: f64| [first.x_m - left_m * sin, first.y_m + left_m * cos];
        let mut ends = Vec::new();
        for place in [beside(across.left_m), beside(-across.right_m)] {
            ends.extend(minutes(degrees.of(place, || "points[0]".to_owned())?));
        }
        let [left_latitude, left_longitude, right_latitude, right_longitude] = ends.as_slice() else {
            return Ok(Vec::new());
        };
        // Longitude first.
        let _ = writeln!(
            text,
            "[laptiming]\nStart   {left_longitude} {left_latitude} {right_longitude} {right_latitude} Start / Finish\n"
        );
    }
    text.push_str("[column names]\nsats time lat long velocity heading height vert-vel\n\n[data]\n");
    let run_up_s = if line.closed { RUN_UP_S } else { 0.0 };
    let count = ((line.lap_time_s + 2.0 * run_up_s) * RATE_HZ).floor() as usize + 1;
    let lap = Lap::new(line);
    for sample in 0..count {
        let clock_s = sample as f64 / RATE_HZ;
        let s_m = distance_at(line, clock_s - run_up_s);
        let here = lap.at(s_m);
        let [height_m, climb] = height_and_climb(line, s_m);
        let [latitude, longitude] = minutes(degrees.of(here.position_m, || format!("the line at {s_m:.1} m"))?);
        let _ = writeln!(
            text,
            "{SATELLITES:03} {} {latitude} {longitude} {:07.3} {:06.2} {:+09.2} {:+07.2}",
            clock(clock_s),
            here.speed_mps * KMH_PER_MPS,
            bearing_deg(line, s_m),
            round_to(height_m, 2),
            round_to(here.speed_mps * climb, 2)
        );
    }
    Ok(text.into_bytes())
}

/// Latitude and longitude in minutes, with their signs.
fn minutes([longitude, latitude]: [f64; 2]) -> [Signed; 2] {
    [Signed(fixed(60.0 * latitude, MINUTE_DECIMALS)), Signed(fixed(-60.0 * longitude, MINUTE_DECIMALS))]
}

/// A number with its sign, as loggers write coordinates.
struct Signed(Fixed);

impl std::fmt::Display for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.0.to_string();
        let (sign, digits) = text.strip_prefix('-').map_or(('+', text.as_str()), |digits| ('-', digits));
        write!(f, "{sign}{digits:0>12}")
    }
}

/// HHMMSS.SS.
fn clock(seconds: f64) -> String {
    let hundredths = (seconds * 100.0).round() as u64;
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    format!("{:02}{:02}{:02}.{rest:02}", whole / 3600 % 24, whole / 60 % 60, whole % 60)
}

/// Distance along the line at a time since the start line, at constant acceleration between points.
fn distance_at(line: &RacingLine, time_s: f64) -> f64 {
    let time_s = if line.closed { time_s.rem_euclid(line.lap_time_s) } else { time_s.clamp(0.0, line.lap_time_s) };
    let points = &line.points;
    let index = points.partition_point(|point| point.time_s <= time_s).saturating_sub(1);
    let Some(from) = points.get(index) else { return 0.0 };
    let (end_s_m, end_time_s) = match points.get(index + 1) {
        Some(to) => (to.s_m, to.time_s),
        None => (line.length_m, line.lap_time_s),
    };
    let (whole_s, since_s) = (end_time_s - from.time_s, time_s - from.time_s);
    if whole_s <= 0.0 {
        return from.s_m;
    }
    // The acceleration that covers the step in its time.
    let acceleration = 2.0 * (end_s_m - from.s_m - from.speed_mps * whole_s) / (whole_s * whole_s);
    (from.s_m + since_s * (from.speed_mps + 0.5 * acceleration * since_s)).clamp(from.s_m, end_s_m)
}

/// Height at a distance along the line, m, and height gained per metre there; 0 on a road without heights.
fn height_and_climb(line: &RacingLine, s_m: f64) -> [f64; 2] {
    let index = line.points.partition_point(|point| point.s_m <= s_m).saturating_sub(1);
    let next = if line.closed { (index + 1) % line.points.len().max(1) } else { index + 1 };
    let [_, step_m] = steps(line, index);
    let z = |index: usize| line.points.get(index).and_then(|point| point.z_m);
    let climb = match (z(index), z(next)) {
        (Some(from), Some(to)) if step_m > 0.0 => (to - from) / step_m,
        _ => 0.0,
    };
    let since_m = line.points.get(index).map_or(0.0, |point| s_m - point.s_m);
    [z(index).unwrap_or(0.0) + climb * since_m, climb]
}

/// Degrees clockwise from north of the heading at a distance, in [0, 360).
fn bearing_deg(line: &RacingLine, s_m: f64) -> f64 {
    let index = line.points.partition_point(|point| point.s_m <= s_m).saturating_sub(1);
    let heading_rad =
        line.points.get(index).map_or(0.0, |from| from.heading_rad + from.curvature_radpm * (s_m - from.s_m).max(0.0));
    let bearing = (90.0 - heading_rad.to_degrees()).rem_euclid(360.0);
    // An angle that rounds up to 360° becomes 0°.
    if bearing >= 359.995 { 0.0 } else { bearing }
}
