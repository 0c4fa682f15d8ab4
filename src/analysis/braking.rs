//! Braking zones.

use serde::Serialize;

use super::lap::Lap;
use crate::file::RacingLine;
use crate::vehicle::STANDARD_GRAVITY;

/// A stretch on which the vehicle brakes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BrakingZone {
    /// Where braking begins, m from the start line. For a zone across the start line it is larger
    /// than the end.
    pub from_s_m: f64,
    /// Where it ends, m from the start line.
    pub to_s_m: f64,
    /// Speed at its beginning, m/s.
    pub entry_speed_mps: f64,
    /// Speed at its end, m/s.
    pub exit_speed_mps: f64,
    /// Time to drive it, s.
    pub time_s: f64,
}

/// Minimum deceleration of braking, in excess of drag and rolling resistance, m/s².
const MIN_BRAKING_MPS2: f64 = 0.5;
/// Zones with less time than this between them are one, s.
const MERGE_S: f64 = 0.2;
/// Minimum duration of a zone, s: a short touch between two bends is not a zone.
const MIN_TIME_S: f64 = 0.15;

/// The braking zones of a line in the order of travel.
#[must_use]
pub fn braking_zones(line: &RacingLine) -> Vec<BrakingZone> {
    let lap = Lap::new(line);
    let vehicle = &line.vehicle;
    let steps = lap.steps();
    // A point has the acceleration of the step to the next point.
    let brakes = |step: usize| {
        let (here, there) = (&line.points[step], &line.points[(step + 1) % line.points.len()]);
        let squared = (here.speed_mps * here.speed_mps + there.speed_mps * there.speed_mps) / 2.0;
        let resistance = vehicle.drag_kgpm * squared / vehicle.mass_kg + vehicle.rolling_resistance * STANDARD_GRAVITY;
        here.accel_mps2 < -(resistance + MIN_BRAKING_MPS2)
    };
    let braking: Vec<bool> = (0..steps).map(brakes).collect();
    if steps == 0 || braking.iter().all(|&brakes| brakes) {
        return Vec::new();
    }
    // A closed lap is traversed from a step without braking, so that no zone is divided at the
    // start line.
    let first = if line.closed { braking.iter().position(|&brakes| !brakes).unwrap_or(0) } else { 0 };
    let mut zones: Vec<(f64, f64)> = Vec::new();
    for step in (0..steps).map(|step| (first + step) % steps).filter(|&step| braking[step]) {
        let (from, to) = (line.points[step].s_m, lap.distance(step + 1));
        match zones.last_mut() {
            Some(zone) if lap.seconds(zone.1, from) < MERGE_S => zone.1 = to,
            _ => zones.push((from, to)),
        }
    }
    let zones = zones.into_iter().map(|(from, to)| BrakingZone {
        from_s_m: from,
        to_s_m: lap.within(to),
        entry_speed_mps: lap.at(from).speed_mps,
        exit_speed_mps: lap.at(to).speed_mps,
        time_s: lap.seconds(from, to),
    });
    let mut zones: Vec<BrakingZone> = zones.filter(|zone| zone.time_s >= MIN_TIME_S).collect();
    zones.sort_by(|a, b| a.from_s_m.total_cmp(&b.from_s_m));
    zones
}
