//! What a track is made of, and how it is read.

use std::path::Path;

use raceline::Options;
use raceline::file::Streets;
use raceline::laps::{DrivenRoad, RoadOptions};
use raceline::options::OptionsError;
use raceline::pipeline::{self, Extraction, Progress};
use raceline_car::Vehicle;
use raceline_file::with_causes;
use raceline_read::input::Input;

use super::logged_drive::LoggedDrive;

/// What a track is made of.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A file of a track.
    File(Box<Input>),
    /// The laps of the log alone.
    Laps(Box<LoggedDrive>),
}

/// The track as it was read last, and the options that it was read with.
#[derive(Clone, Debug)]
pub(super) struct ReadTrack {
    options: Options,
    extraction: Extraction,
}

/// Why no line was made.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) text: String,
    pub(super) missing: Option<&'static str>,
}

/// Of a single lap, which the page asks for.
const ONE_LAP: &str = "the log has one whole lap, which shows no width of the road: specify track_width_m";

impl From<OptionsError> for Problem {
    fn from(error: OptionsError) -> Self {
        Self { text: with_causes(&error), missing: None }
    }
}

impl From<pipeline::Error> for Problem {
    fn from(error: pipeline::Error) -> Self {
        Self { text: with_causes(&error), missing: error.missing_option() }
    }
}

impl Source {
    /// The road of the laps where there is no track but the log: as wide as the options state, or else as the laps of
    /// this vehicle used it.
    pub(super) fn road(&self, options: &Options, vehicle: &Vehicle) -> Result<Option<DrivenRoad>, Problem> {
        let Self::Laps(drive) = self else { return Ok(None) };
        let road = &drive.road;
        let width_m = options.scale.track_width_m;
        if road.laps == 1 && width_m.is_none() {
            return Err(Problem { text: ONE_LAP.to_owned(), missing: Some("track_width_m") });
        }
        Ok(Some(road.widened(width_m, vehicle.width_m / 2.0 + RoadOptions::MARGIN_M)))
    }

    /// The track at `name`: of a log, on its road.
    fn extract(
        &self,
        name: &Path,
        road: Option<&DrivenRoad>,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Extraction, pipeline::Error> {
        match self {
            Self::File(input) => pipeline::extract_input(name, input, options, progress),
            Self::Laps(drive) => {
                let road = road.unwrap_or(&drive.road);
                pipeline::extract_driven_road(
                    &name.file_stem().unwrap_or_default().to_string_lossy(),
                    road,
                    drive.geographic_origin_deg,
                    options,
                    progress,
                )
            }
        }
    }

    /// The track with `options` for the vehicle: as it was read `last`, where the options allow that, or read anew, which
    /// is then the last.
    pub(super) fn track(
        &self,
        name: &Path,
        road: Option<&DrivenRoad>,
        (options, reading): (&Options, &Options),
        vehicle: &Vehicle,
        last: &mut Option<ReadTrack>,
        progress: &dyn Progress,
    ) -> Result<Extraction, pipeline::Error> {
        let as_read = match last {
            Some(read) if read.options == *reading => read.extraction.clone(),
            _ => {
                *last = None;
                let with_read = Options { edge_point: reading.edge_point.clone(), ..options.clone() };
                let extraction = self.extract(name, road, &with_read, progress)?;
                *last = Some(ReadTrack { options: reading.clone(), extraction: extraction.clone() });
                extraction
            }
        };
        if reading.edge_point.is_empty() { pipeline::with_edge_points(as_read, options, vehicle) } else { Ok(as_read) }
    }

    /// The streets of a file of lines, for the page of a track without a line.
    pub(super) fn streets(&self, name: &Path, options: &Options) -> Option<Streets> {
        match self {
            // What cannot be read is reported with the line.
            Self::File(input) => pipeline::street_lines(name, input, options).ok().flatten(),
            Self::Laps(_) => None,
        }
    }

    /// The options that decide how the track is read: on a road, those of what stands on it do not, nor those of
    /// places of its edges, where nothing else is measured along the corrected road.
    pub(super) fn reading_options(&self, options: &Options) -> Options {
        let mut reading = options.clone();
        if !options.plan.is_planned() {
            let has_profiles = !(options.elevation.is_empty() && options.banking.is_empty() && options.edge.is_empty());
            let is_cut_already = matches!(self, Self::File(input) if matches!(**input, Input::Track(_)));
            if !has_profiles && !is_cut_already {
                reading.edge_point.clear();
            }
            reading.obstacle.clear();
            reading.pick_up.clear();
            reading.pin.clear();
            reading.no_go.clear();
            reading.grip.clear();
            reading.speed_cap.clear();
            reading.corner.clear();
        }
        reading
    }
}
