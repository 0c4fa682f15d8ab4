//! The rows of a log as measurements in metres.

use raceline_numerics::math;
use raceline_road::geometry::Projection;

use super::error::LogError;
use super::log::{Log, LogFrame, Quantity};
use super::note::SessionNote;
use super::path::Measurement;

/// What the rows of a log measure.
pub(crate) struct Measured {
    pub measurements: Vec<Measurement>,
    /// Other quantities: times and values.
    pub traces: Vec<(Quantity, Vec<[f64; 2]>)>,
    /// From degrees to metres.
    pub projection: Option<Projection>,
    pub notes: Vec<SessionNote>,
}

/// Rows nearer than this to the one before are left out, s.
const SHORTEST_STEP_S: f64 = 0.0399;
/// Positions farther from the middle one do not belong to a circuit, m.
const FARTHEST_M: f64 = 30_000.0;
/// A position that is repeated for this long is one, s.
const REPEATED_S: f64 = 1.05;
/// Units of speeds without one, with their factors.
const SPEED_UNITS: [(&str, f64); 4] = [("m/s", 1.0), ("km/h", 1.0 / 3.6), ("mph", 0.44704), ("knots", 1852.0 / 3600.0)];
/// Quantities that are taken along.
const TRACES: [Quantity; 4] = [Quantity::Throttle, Quantity::Brake, Quantity::Pedal, Quantity::Gear];

/// The measurements of a log; `origin` is that of the track's frame, degrees.
pub(crate) fn measured(log: &Log, frame: LogFrame, origin: Option<[f64; 2]>) -> Result<Measured, LogError> {
    let mut notes = Vec::new();
    let times = log.values(Quantity::Time).unwrap_or_default();
    let middle = middle_position(log).unwrap_or_default();
    let projection = (frame == LogFrame::Degrees).then(|| Projection::at(origin.unwrap_or(middle)));
    let in_metres = |position: [f64; 2]| match &projection {
        Some(projection) => {
            let point = projection.project(position);
            [point.x, point.y]
        }
        None => position,
    };
    let centre = in_metres(middle);
    if projection.is_some() && math::hypot(centre[0], centre[1]) > 1e5 {
        return Err(LogError::Elsewhere { distance_m: math::hypot(centre[0], centre[1]), of: 1 });
    }
    let is_possible =
        |position: &[f64; 2]| frame == LogFrame::Metres || position[0].abs() <= 180.0 && position[1].abs() <= 90.0;
    let (mut outliers, mut inliers) = (0_usize, 0_usize);
    let mut farthest_m = 0.0_f64;
    let mut measurements: Vec<Measurement> = Vec::new();
    let mut last: Option<(f64, [f64; 2])> = None;
    let speeds = log.values(Quantity::Speed);
    let bearings = log.values(Quantity::Bearing).filter(|_| frame == LogFrame::Degrees);
    let finite = |values: Option<&[f64]>, row: usize| values?.get(row).copied().filter(|value| value.is_finite());
    for (row, &time_s) in times.iter().enumerate() {
        let before_s = measurements.last().map_or(f64::NEG_INFINITY, |before| before.time_s);
        if time_s - before_s < SHORTEST_STEP_S {
            continue;
        }
        let position = log.position(row).filter(is_possible);
        let mut position_m = position.map(in_metres);
        if let Some([x, y]) = position_m {
            let distance_m = math::hypot(x - centre[0], y - centre[1]);
            if distance_m > FARTHEST_M {
                farthest_m = farthest_m.max(distance_m);
                outliers += 1;
                position_m = None;
            } else {
                inliers += 1;
            }
        }
        // A logger that writes faster than its receiver repeats positions.
        if let (Some(here), Some((since_s, before))) = (position_m, last)
            && here == before
            && time_s - since_s < REPEATED_S
        {
            position_m = None;
        } else if let Some(here) = position_m {
            last = Some((time_s, here));
        }
        if measurements.is_empty() && position_m.is_none() {
            continue;
        }
        // A repeated position has a repeated speed and bearing.
        let is_new = position_m.is_some();
        let speed_mps = finite(speeds, row).filter(|&speed| speed >= 0.0 && is_new);
        let heading_rad = finite(bearings, row).filter(|_| is_new).map(|bearing| (90.0 - bearing).to_radians());
        measurements.push(Measurement { time_s, position_m, speed_mps, heading_rad });
    }
    if outliers > inliers {
        return Err(LogError::TooLarge { extent_km: farthest_m / 1e3, limit_km: FARTHEST_M / 1e3 });
    }
    if outliers > 0 {
        notes.push(SessionNote::Outliers { count: outliers });
    }
    // Rows without anything new only cost time.
    measurements.retain(|one| one.position_m.is_some());
    let has_unit =
        log.channels.iter().find(|channel| channel.quantity == Quantity::Speed).is_some_and(|c| !c.unit.is_empty());
    if !has_unit && let Some((unit, factor)) = speed_unit(&measurements) {
        for measured in &mut measurements {
            measured.speed_mps = measured.speed_mps.map(|speed| speed * factor);
        }
        notes.push(SessionNote::SpeedUnit { unit });
    }
    let trace = |quantity: Quantity| {
        let values = log.values(quantity)?;
        let known = times.iter().zip(values).filter(|(_, value)| value.is_finite());
        let known: Vec<[f64; 2]> = known.map(|(&time, &value)| [time, value]).collect();
        (!known.is_empty()).then_some((quantity, known))
    };
    let traces = TRACES.into_iter().filter_map(trace).collect();
    Ok(Measured { measurements, traces, projection, notes })
}

/// The middle of all positions by each coordinate, which outliers do not move.
fn middle_position(log: &Log) -> Option<[f64; 2]> {
    let positions: Vec<[f64; 2]> = (0..log.len()).filter_map(|row| log.position(row)).collect();
    let middle = |axis: usize| {
        let mut values: Vec<f64> = positions.iter().map(|position| position[axis]).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    Some([middle(0)?, middle(1)?])
}

/// The unit in which the speeds agree with the positions; `None` for metres a second, or without speeds.
fn speed_unit(measurements: &[Measurement]) -> Option<(&'static str, f64)> {
    let (mut travelled, mut stated) = (0.0, 0.0);
    // Over a second, noise is small against the distance.
    let mut from = measurements.first()?;
    let mut sum = 0.0;
    for pair in measurements.windows(2) {
        let [before, here] = pair else { continue };
        sum += here.speed_mps.unwrap_or(0.0) * (here.time_s - before.time_s);
        if here.time_s - from.time_s < 1.0 {
            continue;
        }
        if let (Some(a), Some(b)) = (from.position_m, here.position_m) {
            travelled += math::hypot(b[0] - a[0], b[1] - a[1]);
            stated += sum;
        }
        (from, sum) = (here, 0.0);
    }
    if !(travelled > 0.0 && stated > 0.0) {
        return None;
    }
    let off = |factor: f64| math::ln(stated * factor / travelled).abs();
    let best = SPEED_UNITS.into_iter().min_by(|a, b| off(a.1).total_cmp(&off(b.1)))?;
    (best.1 != 1.0).then_some(best)
}
