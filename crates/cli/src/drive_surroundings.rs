//! The flags of `raceline drive` for obstacles and traffic, and the picture of the drive.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::RacingLine;
use raceline::analysis::driven_lap;
use raceline::drive::{Drive, DriveError, OutOfRange, Surroundings, TraceRow, read_obstacles, trace_csv};
use raceline_file::files::{self, LARGEST_OPTIONS_FILE};
use raceline_render::svg::{self, RenderOptions};
use raceline_render::{RoadMarks, png};

use super::PictureFormat;
use super::report::Failure;

/// What else is on the road.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Company")]
#[group(skip)]
pub struct SurroundingsFlags {
    /// Round obstacles on the road: a CSV with the columns x_m, y_m and radius_m. The follower drives
    /// around them with its local planner
    #[arg(long, value_name = "FILE")]
    pub obstacles: Option<PathBuf>,
    /// Other vehicles of the same kind, spread along the line, which aim for fractions of its speed and
    /// drive with the local planner too, 0 to 200
    #[arg(long, value_name = "N", default_value_t = 0)]
    traffic: u32,
    /// The fractions from which those of the traffic are drawn, each 0.05 to 1
    #[arg(long, value_name = "LOW-HIGH", value_parser = fractions, default_value = "0.5-0.8", requires = "traffic")]
    traffic_speeds: Fractions,
    /// Seed of the traffic's speeds and of the noise
    #[arg(long, value_name = "N", default_value_t = 0, requires = "drawn")]
    pub seed: u64,
}

/// Two fractions of a speed.
#[derive(Clone, Copy, Debug)]
struct Fractions([f64; 2]);

/// Two fractions, LOW-HIGH.
fn fractions(text: &str) -> Result<Fractions, String> {
    let fault = || "must be LOW-HIGH, as in 0.5-0.8".to_owned();
    let (low, high) = text.split_once('-').ok_or_else(fault)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| fault());
    Ok(Fractions([number(low)?, number(high)?]))
}

impl SurroundingsFlags {
    /// The surroundings, with the obstacles of the file.
    pub fn read(&self) -> Result<Surroundings, Failure> {
        let mut surroundings = Surroundings {
            traffic: self.traffic,
            traffic_speeds: self.traffic_speeds.0,
            seed: self.seed,
            ..Surroundings::default()
        };
        surroundings.validate().map_err(wrong_usage)?;
        if let Some(path) = &self.obstacles {
            let bytes =
                files::read(path, LARGEST_OPTIONS_FILE).with_context(|| format!("can't read {}", path.display()))?;
            let place = || path.display().to_string();
            surroundings.obstacles = read_obstacles(&bytes).with_context(place)?;
            surroundings.validate().with_context(place)?;
        }
        Ok(surroundings)
    }
}

/// A picture of a drive: the fastest lap in the colours of its speed over the line, obstacles, the
/// paths of the traffic, and contacts. Without a whole lap, the path that was driven.
pub fn picture(
    line: &RacingLine,
    drive: &Drive,
    surroundings: &Surroundings,
    format: PictureFormat,
) -> anyhow::Result<Vec<u8>> {
    let mut marks = RoadMarks {
        obstacles_m: surroundings.obstacles.iter().map(|o| (o.at_m, o.radius_m)).collect(),
        paths_m: drive.others_m.clone(),
        contacts_m: drive.measures.encounters.as_ref().map(|met| met.contacts_at_m.clone()).unwrap_or_default(),
    };
    let times = drive.measures.lap_times_s.iter().copied().enumerate();
    let lap = times.min_by(|a, b| a.1.total_cmp(&b.1)).and_then(|(index, lap_time_s)| {
        let rows: Vec<TraceRow> = drive.trace.iter().filter(|row| row.lap as usize == index + 1).copied().collect();
        let lap = driven_lap(line, trace_csv::write(&rows).as_bytes()).ok()?;
        Some(RacingLine { lap_time_s, ..lap })
    });
    let driven = lap.is_some();
    if !driven {
        marks.paths_m.push(drive.trace.iter().map(|row| [row.x_m, row.y_m]).collect());
    }
    let lines: Vec<RacingLine> = lap.into_iter().chain([line.clone()]).collect();
    let options = RenderOptions { driven, marks, ..RenderOptions::default() };
    Ok(match format {
        PictureFormat::Svg => svg::render(&lines, &options)?.into_bytes(),
        PictureFormat::Png => png::render(&lines, &options)?,
    })
}

/// The format of the picture by its name.
pub fn picture_format(path: Option<&Path>) -> Result<Option<PictureFormat>, Failure> {
    path.map(|path| super::picture_format(path, ".svg or .png")).transpose()
}

/// An invalid option on the command line is wrong usage.
pub fn wrong_usage(error: DriveError) -> Failure {
    let flag = match &error {
        DriveError::Option(OutOfRange { name, value, range }) => {
            format!("--{} {value}: it must be {range}", name.replace('_', "-"))
        }
        _ => error.to_string(),
    };
    Failure::usage(flag)
}
