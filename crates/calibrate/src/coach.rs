//! A log → the road, the vehicle that drove, its ideal lap, and where the driver loses time.

use std::fmt;
use std::ops::RangeInclusive;

use raceline::analysis::{AnalysisOptions, ComparisonError, DrivenLapError, Losses, driven_lap, losses};
use raceline::pipeline::{self, Extraction, Progress, Request, Silent, Warning, log_reference};
use raceline::{Options, RacingLine};
use raceline_car::Vehicle;
use raceline_laps::{DrivenRoad, Log, LogError, RoadOptions, Session, SessionNote, SessionOptions};

use crate::{CalibrateError, Calibration, Note, Telemetry, calibrate, run_of};

/// The road of a [`coach`].
#[derive(Clone, Debug)]
pub enum CoachRoad {
    /// A track that is given.
    Given {
        /// Options of the track.
        options: Box<Options>,
        /// The road of the track.
        extraction: Box<Extraction>,
    },
    /// The road that the laps used.
    OfLaps {
        /// Width, m, in [`CoachRoad::WIDTH_M`]. Default: what the laps used.
        width_m: Option<f64>,
    },
}

/// The vehicle of a [`coach`].
#[derive(Clone, Debug)]
pub enum CoachVehicle {
    /// A vehicle that is given.
    Given(Vehicle),
    /// Fitted to the log: what a log does not show, as mass and sizes, is this vehicle's.
    Fitted(Vehicle),
}

/// What a [`coach`] needs beside the log.
#[derive(Clone, Debug)]
pub struct CoachOptions {
    /// The road.
    pub road: CoachRoad,
    /// The vehicle.
    pub vehicle: CoachVehicle,
    /// A place on the start line, in the coordinates of the log: longitude and latitude in degrees, or
    /// x and y in metres. Default: found.
    pub start: Option<[f64; 2]>,
    /// Number of the lap that is compared. Default: the fastest.
    pub lap: Option<usize>,
    /// Whether the ideal lap is verified. Default: true.
    pub verify: bool,
}

impl CoachRoad {
    /// Narrowest and widest road of laps, m.
    pub const WIDTH_M: RangeInclusive<f64> = 0.5..=100.0;
}

impl CoachOptions {
    /// The preset whose mass and sizes a fitted vehicle has, unless another is named.
    pub const BASE: &str = "gt";

    /// The road of the laps, and a vehicle that is fitted over `base`.
    #[must_use]
    pub fn new(base: Vehicle) -> Self {
        let road = CoachRoad::OfLaps { width_m: None };
        Self { road, vehicle: CoachVehicle::Fitted(base), start: None, lap: None, verify: true }
    }
}

/// What a [`coach`] found.
#[derive(Clone, Debug)]
pub struct Coached {
    /// The ideal lap.
    pub line: RacingLine,
    /// The driven lap, in the frame of the line.
    pub driven: RacingLine,
    /// Where the driver loses time, and by what.
    pub losses: Losses,
    /// The vehicle of the ideal lap.
    pub vehicle: Vehicle,
    /// The fit of the vehicle, unless one was given.
    pub calibration: Option<Calibration>,
    /// What to know of the road and of the ideal lap.
    pub warnings: Vec<Warning>,
}

/// What a [`coach`] finds out before the ideal lap, reported at once: a road without an ideal lap may be
/// explained by it.
#[derive(Clone, Debug)]
pub enum CoachNote {
    /// What was done with the log.
    Log(SessionNote),
    /// The road of the laps, unless a track was given.
    Road(DrivenRoad),
    /// What to know of the fit of the vehicle.
    Vehicle(Note),
}

impl fmt::Display for CoachNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(note) => note.fmt(formatter),
            Self::Road(road) => {
                let width_m = road.widths_m.iter().flatten().sum::<f64>() / road.widths_m.len().max(1) as f64;
                let (laps, spread_m) = (road.laps, road.spread_m);
                write!(
                    formatter,
                    "a road {width_m:.1} m wide of {laps} laps, which lie {spread_m:.1} m apart on average"
                )
            }
            Self::Vehicle(note) => note.fmt(formatter),
        }
    }
}

/// Why a log cannot be compared with an ideal lap.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoachError {
    /// The log has no laps, or not the one that is wanted.
    #[error(transparent)]
    Log(#[from] LogError),
    /// No lap leads from the start line to it.
    #[error("no lap is whole: give a log of at least one, from the start line to it")]
    NoWholeLap,
    /// No vehicle can be fitted to the log.
    #[error("no vehicle can be fitted to it: give one")]
    Calibrate(#[source] CalibrateError),
    /// The road has no ideal lap.
    #[error(transparent)]
    Line(#[from] pipeline::Error),
    /// The lap does not lie on the road.
    #[error(transparent)]
    Driven(#[from] DrivenLapError),
    /// The lap cannot be compared with the ideal one.
    #[error(transparent)]
    Compare(#[from] ComparisonError),
}

/// Finds where a driver loses time against the ideal lap, from a log alone. `name` is the line's name.
///
/// The road of a few laps is hardly wider than what was driven, and so is the room of the ideal lap: a
/// track that is given, or a width, shows more. `notify` gets what is found out on the route to it.
///
/// # Errors
/// A log without laps, data to which no vehicle fits, and a road without a line.
///
/// ```no_run
/// use raceline_calibrate::{CoachOptions, coach};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = raceline_laps::read(&std::fs::read("morning.vbo")?, "morning.vbo")?;
/// let options = CoachOptions::new(raceline_car::preset("gt")?);
/// let notify = &mut |note| eprintln!("{note}");
/// let coached = coach(&log, "morning", options, notify, &raceline::pipeline::Silent)?;
/// for corner in &coached.losses.corners {
///     println!("{corner:?}");
/// }
/// # Ok(())
/// # }
/// ```
pub fn coach(
    log: &Log,
    name: &str,
    options: CoachOptions,
    notify: &mut dyn FnMut(CoachNote),
    progress: &dyn Progress,
) -> Result<Coached, CoachError> {
    let CoachOptions { road, vehicle, start, lap, verify } = options;
    let base = match &vehicle {
        CoachVehicle::Given(vehicle) | CoachVehicle::Fitted(vehicle) => vehicle,
    };
    let laid_on = match &road {
        CoachRoad::Given { extraction, .. } => Some(extraction.log_reference()),
        CoachRoad::OfLaps { .. } => None,
    };
    let session = Session::new(log, &SessionOptions { start, reference: laid_on, ..SessionOptions::default() })?;
    session.notes.iter().cloned().map(CoachNote::Log).for_each(&mut *notify);
    let is_of_laps = matches!(road, CoachRoad::OfLaps { .. });
    let (options, extraction) = match road {
        CoachRoad::Given { options, extraction } => (*options, *extraction),
        CoachRoad::OfLaps { width_m } => {
            let road_options = RoadOptions { width_m, vehicle_width_m: base.width_m, margin_m: RoadOptions::MARGIN_M };
            let road = session.road(&road_options).ok_or(CoachError::NoWholeLap)?;
            notify(CoachNote::Road(road.clone()));
            extract(&session, name, &road)?
        }
    };
    let (mut vehicle, calibration) = match vehicle {
        CoachVehicle::Given(vehicle) => (vehicle, None),
        CoachVehicle::Fitted(base) => {
            let telemetry = Telemetry { runs: vec![run_of(&session, &log.name)] };
            let mut fitted = calibrate(&telemetry, &base).map_err(CoachError::Calibrate)?;
            name.clone_into(&mut fitted.vehicle.name);
            fitted.notes.iter().cloned().map(CoachNote::Vehicle).for_each(&mut *notify);
            (fitted.vehicle.clone(), Some(fitted))
        }
    };
    if is_of_laps {
        // What the laps used is the road: no more of it is given away.
        vehicle.safety_distance_m = 0.0;
    }
    let request = Request::new(&options, &vehicle).verify(verify).progress(progress);
    let outcome = pipeline::optimize(extraction, &request)?;
    let line = outcome.line;
    // The laps are laid on the road again, now from the line's start on.
    let again = SessionOptions { reference: Some(log_reference(&line)), ..SessionOptions::default() };
    let on_line = Session::new(log, &again)?;
    let table = on_line.driven(lap.unwrap_or(on_line.table.best))?;
    let driven = driven_lap(&line, table.as_bytes())?;
    let losses = losses(&line, &driven, &AnalysisOptions::of(&line))?;
    Ok(Coached { line, driven, losses, vehicle, calibration, warnings: outcome.warnings })
}

/// The cross-sections of the road of the laps of a session.
fn extract(session: &Session, name: &str, road: &DrivenRoad) -> Result<(Options, Extraction), CoachError> {
    let options = pipeline::options_of_driven_road(road, &Options::default());
    let extraction = pipeline::extract_driven_road(name, road, session.geographic_origin_deg, &options, &Silent)?;
    Ok((options, extraction))
}
