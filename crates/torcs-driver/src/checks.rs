//! Whether what was read from TORCS can be what it is taken for. A binary interface has no other
//! protection: with another version of TORCS the offsets point at other numbers.

use crate::layout::{CarFacts, CarState, Track};

/// Maximum number of segments of a track.
pub const MAX_SEGMENTS: usize = 100_000;
/// Sum of the segments' lengths less the track's, m; single precision.
const LENGTH_TOLERANCE_M: f64 = 0.5;
/// Gap between the ends of neighbouring segments, m: the track's end need not meet its start.
const GAP_M: f64 = 0.5;
/// Friction of a surface at most.
const MAX_FRICTION: f64 = 5.0;

fn within(what: &str, value: f64, min: f64, max: f64) -> Result<(), String> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(format!("{what} is {value}, but must be {min} to {max}"))
}

/// Whether a track is one: the ring has as many segments as it declares, their lengths add up, and
/// each begins where the last one ends.
///
/// # Errors
/// What is not so.
pub fn check_track(track: &Track) -> Result<(), String> {
    within("the track's length", track.length_m, 50.0, 200_000.0)?;
    within("the track's width", track.width_m, 1.0, 200.0)?;
    let count = track.segments.len();
    if track.count <= 0 || count != track.count as usize {
        return Err(format!("the ring has {count} segments, but the track declares {}", track.count));
    }
    let sum: f64 = track.segments.iter().map(|segment| segment.length_m).sum();
    if (sum - track.length_m).abs() > LENGTH_TOLERANCE_M + 1e-5 * track.length_m {
        return Err(format!("the segments' lengths add up to {sum} m, but the track has {} m", track.length_m));
    }
    for (i, segment) in track.segments.iter().enumerate() {
        let next = &track.segments[(i + 1) % count];
        if !(1..=3).contains(&segment.kind) {
            return Err(format!("segment {i} has the type {}, but must have 1 to 3", segment.kind));
        }
        within(&format!("the friction of segment {i}"), segment.friction, 0.01, MAX_FRICTION)?;
        for (end, start) in [(2, 0), (3, 1)] {
            let (a, b) = (segment.corners_m[end], next.corners_m[start]);
            let gap = (a[0] - b[0]).hypot(a[1] - b[1]);
            if gap.is_nan() || gap > GAP_M {
                return Err(format!("segment {i} ends {gap} m from where the next one begins"));
            }
        }
    }
    Ok(())
}

/// Whether a car is one.
///
/// # Errors
/// What is not so.
pub fn check_car(car: &CarFacts) -> Result<(), String> {
    within("the car's length", car.dimension_m[0], 1.0, 10.0)?;
    within("the car's width", car.dimension_m[1], 0.5, 4.0)?;
    within("the steering lock", car.steer_lock_rad, 0.1, 1.2)?;
    within("the fuel tank", car.tank_l, 1.0, 1000.0)?;
    for (radius, wheel) in car.wheel_radius_m.iter().zip(crate::layout::WHEELS) {
        within(&format!("the radius of the wheel {wheel}"), *radius, 0.1, 1.0)?;
    }
    let [redline, max] = car.engine_radps;
    within("the engine's limit", redline, 100.0, 3000.0)?;
    within("the engine's highest speed", max, 100.0, 5000.0)?;
    within("the number of gears", f64::from(car.gears), 2.0, 10.0)?;
    within("the index of neutral", f64::from(car.gear_offset), 0.0, 2.0)?;
    let ratios = forward_ratios(car);
    for (i, pair) in ratios.windows(2).enumerate() {
        if pair[1] >= pair[0] {
            return Err(format!("gear {} has the ratio {}, not below {}", i + 2, pair[1], pair[0]));
        }
    }
    for ratio in &ratios {
        within("a gear's ratio", *ratio, 0.5, 100.0)?;
    }
    Ok(())
}

/// Whether a car's motion in a frame can be one.
///
/// # Errors
/// What is not so.
pub fn check_state(state: &CarState) -> Result<(), String> {
    for (what, value, max) in [
        ("the car's x", state.position_m[0], 1e6),
        ("the car's y", state.position_m[1], 1e6),
        ("the car's speed", state.velocity_mps[0], 300.0),
        ("the car's yaw", state.attitude_rad[2], 100.0),
        ("the car's yaw rate", state.yaw_rate_radps, 1000.0),
        ("the engine's speed", state.engine_radps, 1e4),
    ] {
        within(what, value, -max, max)?;
    }
    let [bx, by, _] = state.velocity_mps;
    let [x, y, z] = state.world_velocity_mps;
    let (body, world) = (bx.hypot(by).hypot(state.velocity_mps[2]), x.hypot(y).hypot(z));
    if (body - world).abs() > 1.0 + 0.1 * world {
        return Err(format!("the car's velocity is {body} m/s in its own frame and {world} m/s in the world's"));
    }
    Ok(())
}

/// Ratios of the forward gears.
#[must_use]
pub fn forward_ratios(car: &CarFacts) -> Vec<f64> {
    let count = (car.gears - 1).max(0) as usize;
    let first = (car.gear_offset + 1).max(0) as usize;
    car.gear_ratios.iter().skip(first).take(count).copied().collect()
}
