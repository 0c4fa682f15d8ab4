//! Simulated laps.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::Options;
use raceline::drive::{
    BestFraction, Drive, DriveOptions, FollowerKind, NoisyDrives, Obstacle, SimulatedGrip, Simulation, Surroundings,
    TraceRow, best_fraction, drive_in, drive_with_noise, state_name,
};
use raceline::files::{self, LARGEST_OPTIONS_FILE};
use raceline::pipeline::Silent;
use raceline_follower::{RememberedSpeeds, json};

use crate::error::{self, InputError, OptionsError};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::loading::line_of;
use crate::noise::{self, wrong};
use crate::scene::Body;
use crate::values;

/// A number of the trace, by the name of its column.
type Column = (&'static str, fn(&TraceRow) -> f64);

const COLUMNS: [Column; 15] = [
    ("time_s", |row| row.time_s),
    ("s_m", |row| row.s_m),
    ("x_m", |row| row.x_m),
    ("y_m", |row| row.y_m),
    ("heading_rad", |row| row.heading_rad),
    ("forward_mps", |row| row.forward_mps),
    ("leftward_mps", |row| row.leftward_mps),
    ("yaw_rate_radps", |row| row.yaw_rate_radps),
    ("steering_rad", |row| row.steering_rad),
    ("pedal", |row| row.pedal),
    ("wanted_steering_rad", |row| row.wanted_steering_rad),
    ("target_speed_mps", |row| row.target_speed_mps),
    ("profile_speed_mps", |row| row.profile_speed_mps),
    ("cross_track_error_m", |row| row.cross_track_error_m),
    ("room_m", |row| row.room_m),
];

/// What became of a drive, or of many with noise.
enum Driven {
    Once(Box<Drive>, Option<f64>),
    WithNoise(NoisyDrives),
}

/// Drives a line with a follower in a simulation of a vehicle with tyres.
///
/// line: a `Line` or the path of its file. vehicle: as for `optimize`; default: the line's.
/// follower: "both", "profile", "bezier", "baseline", "reynolds" or "neural"; `network` is the file of the
///     neural one's network.
/// laps: timed laps, 1 to 1000. learn_laps: laps after the warm-up in which the follower learns its speeds.
/// learned: what an earlier drive returned as "learned".
/// speed_fraction: fraction of the line's speeds, 0.1 to 1.1. best: find the highest that is clean.
/// frame_rate: of the follower, Hz, 10 to 1000. delay: from a command to the wheels, s, 0 to 1.
/// steering_rate: of the front wheels, rad/s; default: the vehicle's.
/// grip: stretches of the road (from, to, factor), m, that the follower does not know.
/// obstacles: a list of `raceline.Body`. traffic: number of other vehicles, whose fractions of the speed lie
///     between the two `traffic_speeds` and are drawn with `seed`.
/// noise: errors of localisation, grip, delay and wind that the follower does not know: a dictionary with keys
///     of `raceline.Noise`, or the path of a TOML file with them. drives: how often the line is driven with it,
///     1 to 100000, each time with errors of its own, drawn with `seed`. Default: 200.
///
/// Returns a dictionary: "lap_times_s", "clean" (complete, on the road, never stuck, nothing touched),
/// "complete", "stuck_events", "cross_track_worst_m" and other measures; "learned"; and "trace", a dictionary
/// of arrays with one entry per frame: "time_s", "lap" (0 before the timed laps), "x_m", "y_m", "forward_mps"
/// and others. With noise it has "laps_on_road", "on_road_fraction", "on_road_range" (95 %), "min_room_m" and
/// others, and "each_lap", a dictionary of arrays with one entry per timed lap: "grip", "delay_s", "on_road",
/// "lap_time_s" (NaN where it was not completed), "min_room_m" and others.
///
/// >>> import raceline
/// >>> oval = raceline.generate("oval", length=900.0)
/// >>> line = raceline.optimize(oval, vehicle="gt", method="min-curvature")
/// >>> driven = raceline.drive(line, laps=1)
/// >>> driven["clean"], len(driven["lap_times_s"]), len(driven["trace"]["x_m"]) > 100
/// (True, 1, True)
/// >>> noisy = raceline.drive(line, laps=1, noise={"position_m": 0.05, "grip_fraction": 0.05}, drives=5)
/// >>> noisy["laps"], len(noisy["each_lap"]["grip"]), 0 <= noisy["on_road_fraction"] <= 1
/// (5, 5, True)
#[pyfunction]
#[pyo3(signature = (line, *, vehicle = None, follower = "both", network = None, laps = 3, learn_laps = 0,
    learned = None, speed_fraction = 1.0, best = false, frame_rate = 60.0, delay = 0.0, steering_rate = None,
    grip = Vec::new(), obstacles = Vec::new(), traffic = 0, traffic_speeds = (0.5, 0.8), seed = 0,
    noise = None, drives = None))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn drive<'py>(
    py: Python<'py>,
    line: &Bound<'py, PyAny>,
    vehicle: Option<&Bound<'py, PyAny>>,
    follower: &str,
    network: Option<PathBuf>,
    laps: u32,
    learn_laps: u32,
    learned: Option<&Bound<'py, PyAny>>,
    speed_fraction: f64,
    best: bool,
    frame_rate: f64,
    delay: f64,
    steering_rate: Option<f64>,
    grip: Vec<(f64, f64, f64)>,
    obstacles: Vec<PyRef<'py, Body>>,
    traffic: u32,
    traffic_speeds: (f64, f64),
    seed: u64,
    noise: Option<&Bound<'py, PyAny>>,
    drives: Option<u32>,
) -> PyResult<Bound<'py, PyDict>> {
    let line = line_of("line", line)?;
    let follower = FollowerKind::ALL.into_iter().find(|kind| kind.name() == follower).ok_or_else(|| {
        let names = FollowerKind::ALL.map(FollowerKind::name).join(", ");
        OptionsError::new_err(format!("follower is {follower:?}, but must be one of {names}"))
    })?;
    let network = match (follower, network) {
        (FollowerKind::Neural, Some(path)) => {
            let bytes = files::read(&path, LARGEST_OPTIONS_FILE).map_err(|error| error::file(&path, &error))?;
            Some(Arc::new(json::read_network(&bytes).map_err(|error| error::file(&path, &error))?))
        }
        (FollowerKind::Neural, None) => {
            return Err(OptionsError::new_err("follower \"neural\" needs network=, the file of a trained network"));
        }
        (_, Some(_)) => return Err(OptionsError::new_err("network needs follower=\"neural\"")),
        (_, None) => None,
    };
    let mut vehicle = match vehicle {
        Some(_) => keywords::vehicle(vehicle, None, &mut Options::default())?,
        None => line.vehicle.clone(),
    };
    vehicle.steering_rate_radps = steering_rate.or(vehicle.steering_rate_radps);
    let options = DriveOptions {
        follower,
        laps,
        learn_laps,
        frame_rate_hz: frame_rate,
        speed_share: speed_fraction,
        actuation_delay_s: delay,
        ..DriveOptions::default()
    };
    options.validate().map_err(|error| wrong(&error))?;
    let grip: Vec<SimulatedGrip> =
        grip.into_iter().map(|(from_m, to_m, factor)| SimulatedGrip { from_m, to_m, factor }).collect();
    grip.iter().try_for_each(SimulatedGrip::validate).map_err(|error| wrong(&error))?;
    let surroundings = Surroundings {
        obstacles: obstacles
            .iter()
            .map(|body| Obstacle { at_m: body.position.into(), radius_m: body.radius })
            .collect(),
        traffic,
        traffic_speeds: traffic_speeds.into(),
        seed,
    };
    surroundings.validate().map_err(|error| wrong(&error))?;
    if best && (learn_laps > 0 || learned.is_some() || !grip.is_empty() || !surroundings.is_empty()) {
        return Err(OptionsError::new_err("best goes without learn_laps, learned, grip, obstacles and traffic"));
    }
    if learn_laps > 0 && !surroundings.is_empty() {
        return Err(OptionsError::new_err("learn_laps goes without obstacles and traffic"));
    }
    let noise = noise.filter(|noise| !noise.is_none()).map(noise::noise).transpose()?;
    if noise.is_some() && (best || learn_laps > 0 || learned.is_some()) {
        return Err(OptionsError::new_err("noise goes without best, learn_laps and learned"));
    }
    if noise.is_none() && drives.is_some() {
        return Err(OptionsError::new_err("drives needs noise=, the errors that each drive draws"));
    }
    let drives = noise::drives(drives)?;
    let profile_lap_s = line.lap_time_s;
    let remembered: Option<RememberedSpeeds> = match learned.filter(|learned| !learned.is_none()) {
        Some(learned) => Some(
            serde_json::from_value(values::json(learned)?)
                .map_err(|error| InputError::new_err(format!("learned is not what a drive returned: {error}")))?,
        ),
        None => None,
    };
    let driven = run(py, &Reports::default(), move |_| {
        let simulation = Simulation {
            grip: &grip,
            remembered: remembered.as_ref(),
            network: network.as_ref(),
            surroundings: Some(&surroundings),
        };
        if let Some(noise) = &noise {
            return drive_with_noise(&line, &vehicle, &options, &simulation, (noise, drives, seed))
                .map(Driven::WithNoise)
                .map_err(|error| wrong(&error));
        }
        if best {
            let found =
                best_fraction(&line, &vehicle, &options, &simulation, &Silent).map_err(|error| wrong(&error))?;
            let BestFraction { speed_share, drive, .. } = found;
            return Ok(Driven::Once(Box::new(drive), speed_share));
        }
        let driven = drive_in(&line, &vehicle, &options, &simulation).map_err(|error| wrong(&error))?;
        Ok(Driven::Once(Box::new(driven), Some(speed_fraction)))
    })?;
    match driven {
        Driven::Once(driven, fraction) => results(py, &driven, fraction),
        Driven::WithNoise(driven) => noise::results(py, &driven, (drives, profile_lap_s)),
    }
}

fn results<'py>(py: Python<'py>, driven: &Drive, fraction: Option<f64>) -> PyResult<Bound<'py, PyDict>> {
    let measures = &driven.measures;
    let found = PyDict::new(py);
    found.set_item("lap_times_s", &measures.lap_times_s)?;
    found.set_item("speed_fraction", fraction)?;
    found.set_item("clean", measures.is_clean())?;
    found.set_item("complete", measures.is_complete())?;
    found.set_item("stuck_events", measures.stuck_events)?;
    found.set_item("placements", measures.placements)?;
    for (name, value) in [
        ("profile_lap_time_s", measures.profile_lap_time_s),
        ("cross_track_mean_m", measures.cross_track_mean_m),
        ("cross_track_95_m", measures.cross_track_95_m),
        ("cross_track_worst_m", measures.cross_track_worst_m),
        ("cross_track_worst_at_m", measures.cross_track_worst_at_m),
        ("inside_fraction", measures.inside_fraction),
        ("min_room_m", measures.min_room_m),
        ("min_room_at_m", measures.min_room_at_m),
    ] {
        found.set_item(name, value)?;
    }
    if let Some(met) = &measures.encounters {
        found.set_item("obstacle_contacts", met.obstacle_contacts)?;
        found.set_item("vehicle_contacts", met.vehicle_contacts)?;
        found.set_item("overtakes", met.overtakes)?;
        found.set_item("overtaken", met.overtaken)?;
        found.set_item("min_gap_m", met.min_gap_m)?;
    }
    let learned = driven.learned.as_ref().map(|learned| values::python(py, learned)).transpose()?;
    found.set_item("learned", learned)?;
    let trace = PyDict::new(py);
    for (name, value) in COLUMNS {
        trace.set_item(name, PyArray1::from_vec(py, driven.trace.iter().map(value).collect()))?;
    }
    trace.set_item("lap", PyArray1::from_vec(py, driven.trace.iter().map(|row| row.lap).collect()))?;
    trace.set_item("state", driven.trace.iter().map(|row| state_name(row.state)).collect::<Vec<_>>())?;
    found.set_item("trace", trace)?;
    Ok(found)
}
