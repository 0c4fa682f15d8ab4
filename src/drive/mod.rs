//! A racing line, a vehicle and a follower → how the line is driven: lap times, distance from the
//! line, a trace.
//!
//! The vehicle of a line is a point mass that is exactly on the line. Here it becomes a dynamic
//! bicycle with slip angles, yaw inertia and a steering rate ([`raceline_vehicle_simulation`]). A
//! follower drives it: it reads the vehicle's state once a frame, and its command is held until the
//! next one ([`driver`]). The result shows how much of the profile's lap time can be reached.
//!
//! **Laps.** On a closed line the vehicle starts from standstill on the first point. The lap from
//! there is the warm-up; each further one is timed from crossing the first point to crossing it
//! again, linear between frames. An open line is driven from end to end, from the profile's first
//! speed, once per specified lap, without a warm-up.
//!
//! A drive is aborted after ten times the profile's time plus half a minute per lap. Its result
//! then contains the completed laps.

mod best_share;
mod bicycle;
pub mod driver;
mod error;
mod follower_kind;
mod measures;
mod options;
mod reference_line;
mod run;
mod sensitivity;
mod trace;
pub mod trace_csv;

pub use best_share::{BestShare, best_share};
pub use bicycle::{bicycle_of, handling_of};
pub use error::DriveError;
pub use follower_kind::FollowerKind;
pub use measures::Measures;
pub use options::DriveOptions;
pub use raceline_vehicle_simulation::{HandlingParameters, OutOfRange};
pub use reference_line::{LinePlace, ReferenceLine};
pub use sensitivity::{Disturbance, Quantity, sensitivity};
pub use trace::{TraceRow, state_name};

use crate::file::RacingLine;
use crate::vehicle::Vehicle;
use run::Run;

/// A drive is aborted after this multiple of the profile's lap time per lap,
const PATIENCE: f64 = 10.0;
/// plus this, s.
const PATIENCE_S: f64 = 30.0;
/// A profile that ends below this speed ends in a stop, m/s.
const STOP_MPS: f64 = 1.0;

/// The result of a drive.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// The figures.
    pub measures: Measures,
    /// One row per frame.
    pub trace: Vec<TraceRow>,
}

/// Drives `line` with `vehicle`, which may differ from the vehicle that the line was computed for.
///
/// # Errors
/// [`DriveError`] for a vehicle, an option or a line that cannot be used. Incomplete laps are no
/// error: see [`Measures::is_complete`].
pub fn drive(line: &RacingLine, vehicle: &Vehicle, options: &DriveOptions) -> Result<Drive, DriveError> {
    drive_as(line, (vehicle, options), (vehicle, options))
}

/// Drives `line` with a vehicle and options of which the follower was told others.
fn drive_as(
    line: &RacingLine,
    told: (&Vehicle, &DriveOptions),
    (vehicle, options): (&Vehicle, &DriveOptions),
) -> Result<Drive, DriveError> {
    told.1.validate()?;
    options.validate()?;
    let simulated = |vehicle: &Vehicle, options: &DriveOptions| {
        bicycle_of(vehicle, &options.handling.unwrap_or_else(|| handling_of(vehicle)))
    };
    let bicycle = simulated(vehicle, options)?;
    let told_bicycle = simulated(told.0, told.1)?;
    let reference = ReferenceLine::new(line)?;
    let path = driver::path_of(line)?.with_dynamics(&driver::dynamics_of(told.0, &told_bicycle));
    let stop_at_end = !line.closed && line.points.last().is_some_and(|point| point.speed_mps < STOP_MPS);
    let follower = driver::driver(told.0, &told_bicycle, told.1, stop_at_end)?;
    let half = [vehicle.length_m / 2.0, vehicle.width_m / 2.0];
    let mut run = Run::new(&reference, &path, &bicycle, half, follower, options);
    let patience_s = PATIENCE * line.lap_time_s + PATIENCE_S;
    let timed_from = if line.closed {
        run.drive_laps(options.laps, patience_s)
    } else {
        let first_speed_mps = line.points.first().map_or(0.0, |point| point.speed_mps);
        for lap in 1..=options.laps {
            run.drive_to_end(lap, first_speed_mps, patience_s);
        }
        0
    };
    let Run { lap_times_s, stuck_events, placements, trace, .. } = run;
    let mut measures = Measures {
        lap_times_s,
        laps_asked: options.laps,
        profile_lap_time_s: line.lap_time_s,
        stuck_events,
        placements,
        ..Measures::default()
    };
    measures.of_trace(&trace, timed_from);
    Ok(Drive { measures, trace })
}
