//! `raceline drive --noise`: many drives with errors that the follower does not know.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use raceline::RacingLine;
use raceline::drive::{DriveOptions, Noise, NoisyDrives, Simulation, drive_with_noise};
use raceline_car::Vehicle;
use raceline_file::files::{self, LARGEST_OPTIONS_FILE};
use serde::Serialize;

use super::report::{self, Failure};
use super::text_table::text_table;

/// Errors that the follower does not know.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Noise")]
pub struct NoiseFlags {
    /// Drive many times with errors of localisation, grip, delay and wind, drawn from the noise of this
    /// TOML file
    #[arg(long, value_name = "NOISE.toml", conflicts_with_all = ["best", "sensitivity", "learn_laps", "learned", "output", "picture"])]
    noise: Option<PathBuf>,
    /// Number of drives with noise, 1 to 100000
    #[arg(long, value_name = "N", default_value_t = 200, requires = "noise", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    drives: u32,
    /// Fail where a smaller fraction of the laps than this stays on the road, 0 to 1
    #[arg(long, value_name = "FRACTION", requires = "noise", value_parser = fraction)]
    confidence: Option<f64>,
}

/// A fraction from 0 to 1.
fn fraction(text: &str) -> Result<f64, String> {
    let value = text.trim().parse().ok().filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| "must be a fraction from 0 to 1, as in 0.99".to_owned())
}

/// The output as JSON.
#[derive(Serialize)]
struct Summary<'a> {
    name: &'a str,
    vehicle: &'a str,
    drives: u32,
    laps: usize,
    laps_on_road: usize,
    on_road_fraction: f64,
    on_road_range: [f64; 2],
    mean_lap_time_s: Option<f64>,
    profile_lap_time_s: f64,
    min_room_m: Option<f64>,
    min_room_at_m: Option<f64>,
}

/// The noise of a TOML file.
pub fn read_noise(path: &Path) -> Result<Noise, Failure> {
    let place = || path.display().to_string();
    let bytes = files::read(path, LARGEST_OPTIONS_FILE).with_context(|| format!("can't read {}", place()))?;
    let text = std::str::from_utf8(&bytes).context("is not UTF-8").with_context(place)?;
    Ok(Noise::from_toml(text).with_context(place)?)
}

impl NoiseFlags {
    /// Whether noise is asked for.
    pub fn is_on(&self) -> bool {
        self.noise.is_some()
    }

    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.noise.iter()
    }

    /// The drives.
    pub fn drive(
        &self,
        line: &RacingLine,
        vehicle: &Vehicle,
        options: &DriveOptions,
        simulation: &Simulation<'_>,
        seed: u64,
    ) -> Result<NoisyDrives, Failure> {
        let noise = self.noise.as_deref().map(read_noise).transpose()?.unwrap_or_default();
        let drives = (&noise, self.drives, seed);
        Ok(drive_with_noise(line, vehicle, options, simulation, drives).with_context(|| line.name.clone())?)
    }

    /// Prints what became of the drives.
    ///
    /// # Errors
    /// A fraction on the road that is below the one that was asked for.
    pub fn report(
        &self,
        line: &RacingLine,
        vehicle: &Vehicle,
        driven: &NoisyDrives,
        json: bool,
    ) -> Result<(), Failure> {
        let worst = driven.worst();
        let summary = Summary {
            name: &line.name,
            vehicle: &vehicle.name,
            drives: self.drives,
            laps: driven.laps.len(),
            laps_on_road: driven.on_road(),
            on_road_fraction: driven.on_road_fraction(),
            on_road_range: driven.on_road_range(),
            mean_lap_time_s: driven.mean_lap_s(),
            profile_lap_time_s: line.lap_time_s,
            min_room_m: worst.map(|lap| lap.min_room_m).filter(|room| room.is_finite()),
            min_room_at_m: worst.map(|lap| lap.min_room_at_m),
        };
        let text = if json { serde_json::to_string_pretty(&summary).context("JSON")? + "\n" } else { summary.table() };
        report::to_stdout(&text)?;
        match self.confidence {
            Some(wanted) if driven.on_road_fraction() < wanted => Err(Failure::Job(anyhow!(
                "{}: {} of {} laps stayed on the road, a fraction of {:.4} for {wanted}: lower --speed-share, or make \
                 the line with --noise and --confidence",
                line.name,
                driven.on_road(),
                driven.laps.len(),
                driven.on_road_fraction(),
            ))),
            _ => Ok(()),
        }
    }
}

impl Summary<'_> {
    fn table(&self) -> String {
        let [low, high] = self.on_road_range;
        let mean = self.mean_lap_time_s.map_or_else(
            || "none completed".to_owned(),
            |mean| {
                let of_profile = 100.0 * mean / self.profile_lap_time_s;
                format!("{mean:.3} s, {of_profile:.2} % of the profile ({:.3} s)", self.profile_lap_time_s)
            },
        );
        let room = match (self.min_room_m, self.min_room_at_m) {
            (Some(room), Some(at)) => format!("{room:.3} m (at {at:.0} m)"),
            _ => "a lap was not begun".to_owned(),
        };
        let rows = [
            ("vehicle", self.vehicle.to_owned()),
            ("drives", self.drives.to_string()),
            (
                "laps on the road",
                format!(
                    "{} of {}, {:.2} % ({:.2} to {:.2} % with 95 %)",
                    self.laps_on_road,
                    self.laps,
                    100.0 * self.on_road_fraction,
                    100.0 * low,
                    100.0 * high
                ),
            ),
            ("mean lap", mean),
            ("minimum distance to an edge", room),
        ];
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        format!("{}\n{}", self.name, text_table(&rows, 2))
    }
}
