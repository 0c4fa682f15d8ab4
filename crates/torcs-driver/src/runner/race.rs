//! `race`: track to line, drive, compare.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use raceline::Options;
use raceline::vehicle::Vehicle;
use raceline_torcs::configuration::Configuration;
use raceline_torcs::summary::Summary;

use super::arguments::Race;
use super::installation::{Installation, PrivateFolder, TrackPlace};
use super::line;
use super::opponents::Opponent;
use super::session::{Driven, Session};
use super::table::{Row, Table};

/// Fuel with which the facts of docs/torcs.md were measured, l.
const USUAL_FUEL_L: f64 = 20.0;
/// Fuel that a racing car takes at most, l/km.
const FUEL_LPKM: f64 = 0.7;

/// Name of the robot's library.
const ROBOT: &str = "libraceline_torcs.so";

/// What is the same for all tracks.
struct Season<'a> {
    arguments: &'a Race,
    installation: Installation,
    folder: PrivateFolder,
    opponents: Vec<Opponent>,
    vehicle: Vehicle,
    options: Options,
    setup: Option<PathBuf>,
    set: BTreeMap<String, f64>,
}

/// Races on every track and prints the table.
pub fn race(arguments: &Race) -> anyhow::Result<()> {
    let installation = Installation::find(arguments.torcs_libraries.as_deref(), arguments.torcs_data.as_deref())?;
    let tracks = installation.tracks(&arguments.tracks)?;
    if arguments.line.is_some() && tracks.len() != 1 {
        bail!("--line is for one track, but there are {}: use --lines", tracks.len());
    }
    let robot = match &arguments.robot {
        Some(path) => path.clone(),
        None => beside_this_program()?,
    };
    for folder in [&arguments.keep, &arguments.lines].into_iter().flatten() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let opponents = arguments
        .against
        .iter()
        .map(|name| Opponent::find(&installation, name, &arguments.car))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let setup = arguments.setup.clone().or_else(|| stock_setup(&installation, &opponents, &arguments.car));
    let folder = PrivateFolder::new(&installation, &robot, &arguments.car)?;
    let season = Season {
        vehicle: line::load_vehicle(arguments.vehicle.as_deref(), &arguments.car)?,
        options: line::load_options(arguments.sidecar.as_deref())?,
        set: arguments.set.iter().map(|text| key_and_value(text)).collect::<anyhow::Result<_>>()?,
        arguments,
        installation,
        folder,
        opponents,
        setup,
    };
    let mut table = Table::default();
    for track in &tracks {
        table.tracks.push(season.track(track).with_context(|| track.name.clone())?);
    }
    print!("{}", table.text());
    if let Some(path) = &arguments.json {
        fs::write(path, table.json()?).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

impl Season<'_> {
    fn track(&self, track: &TrackPlace) -> anyhow::Result<Row> {
        let (path, predicted_lap_s, length_m) = self.line(track)?;
        let share = self.arguments.share;
        let learned = self.folder.local().join("learned.json");
        if learned.exists() {
            fs::remove_file(&learned)?;
        }
        if self.arguments.learn > 0 {
            // One lap from standstill, and the robot does not see the end of the last.
            let d =
                self.drive_line(track, path.clone(), length_m, self.arguments.learn + 2, self.arguments.learn + 1)?;
            eprintln!("{}", d.messages.lines().filter(|l| l.starts_with("raceline")).collect::<Vec<_>>().join("\n"));
            if let Some(folder) = &self.arguments.keep {
                fs::copy(&learned, folder.join(format!("{}.learned.json", track.name)))?;
            }
        }
        let own = self.drive_line(track, path, length_m, self.arguments.laps, 0)?;
        let summary = Summary::read(&self.folder.local().join("summary.json")).unwrap_or_default();
        for message in own.messages.lines().filter(|line| line.starts_with("raceline")) {
            eprintln!("{}: {message}", track.name);
        }
        let results = own.results.clone().unwrap_or_default();
        let mut opponents = Vec::new();
        for opponent in &self.opponents {
            let driven = self.session(track, self.arguments.laps, (&opponent.module, opponent.index)).drive()?;
            opponents.push((opponent.module.clone(), driven.results.and_then(|results| results.best_s)));
        }
        let best_opponent_s = opponents.iter().filter_map(|(_, best)| *best).reduce(f64::min);
        // The last lap ends the session before the robot sees that it did.
        let mut valid: Vec<bool> = summary.laps.iter().map(|lap| lap.valid).collect();
        if valid.len() < results.laps_s.len() {
            valid.push(summary.open_lap_counts);
        }
        let total_s: f64 = results.laps_s.iter().sum();
        Ok(Row {
            track: track.name.clone(),
            predicted_lap_s: predicted_lap_s / share,
            driven_lap_s: results.best_s,
            best_opponent_s,
            damage: results.damage.max(f64::from(summary.damage)),
            valid_laps: if results.best_s.is_some() { valid.iter().filter(|valid| **valid).count() } else { 0 },
            opponents,
            off_track_s: summary.off_track_s,
            cross_track_m: summary.cross_track_m,
            laps_s: results.laps_s,
            cpu_share: if total_s > 0.0 { own.wall_s / total_s } else { 0.0 },
        })
    }

    /// The line's file, its lap time and its length.
    fn line(&self, track: &TrackPlace) -> anyhow::Result<(PathBuf, f64, f64)> {
        let arguments = self.arguments;
        let kept = arguments.lines.as_ref().map(|folder| folder.join(format!("{}.raceline.json", track.name)));
        if let Some(path) = arguments.line.clone().or_else(|| kept.clone().filter(|path| path.is_file())) {
            let line = line::read(&path)?;
            return Ok((fs::canonicalize(&path)?, line.lap_time_s, line.length_m));
        }
        let line = if arguments.from_picture {
            let picture = self.folder.local().join(format!("{}.pgm", track.name));
            line::make_from_picture(track, &picture, &self.options, &self.vehicle)?
        } else {
            line::make(&track.name, &track.xml, &self.options, &self.vehicle)?
        };
        let path = kept.unwrap_or_else(|| self.folder.local().join(format!("{}.raceline.json", track.name)));
        line::write(&line, &path)?;
        Ok((fs::canonicalize(&path)?, line.lap_time_s, line.length_m))
    }

    fn session<'a>(&'a self, track: &'a TrackPlace, laps: u32, driver: (&'a str, i32)) -> Session<'a> {
        Session {
            installation: &self.installation,
            folder: &self.folder,
            track,
            laps,
            fuel_factor: 1.0,
            driver,
            limit: Duration::from_secs_f64(self.arguments.limit.clamp(1.0, 1e5)),
        }
    }

    fn drive_line(
        &self,
        track: &TrackPlace,
        line: PathBuf,
        length_m: f64,
        laps: u32,
        learn_laps: u32,
    ) -> anyhow::Result<Driven> {
        let arguments = self.arguments;
        let needed = FUEL_LPKM * 1e-3 * length_m * (f64::from(arguments.laps) + 0.5);
        let in_kept = |ending: &str| -> anyhow::Result<Option<PathBuf>> {
            let Some(folder) = &arguments.keep else { return Ok(None) };
            Ok(Some(fs::canonicalize(folder)?.join(format!("{}.{ending}", track.name))))
        };
        let summary = self.folder.local().join("summary.json");
        if summary.exists() {
            fs::remove_file(&summary)?;
        }
        let configuration = Configuration {
            line,
            speed_share: arguments.share,
            setup: self.setup.clone(),
            fuel_l: Some(arguments.fuel.unwrap_or(USUAL_FUEL_L.max(needed))),
            options: self.set.clone(),
            telemetry: in_kept("telemetry.csv")?,
            summary: Some(summary),
            learn_laps,
            learned: (arguments.learn > 0).then(|| self.folder.local().join("learned.json")),
            geometry: in_kept("geometry.csv")?,
        };
        fs::write(self.folder.configuration(), serde_json::to_string_pretty(&configuration)?)?;
        // Learning laps have the weight of those that are judged.
        let fuel_factor = if learn_laps > 0 { 0.0 } else { 1.0 };
        Session { fuel_factor, ..self.session(track, laps, ("raceline", 1)) }.drive()
    }
}

/// The set-up of a robot of TORCS for the car: of an opponent, else of one that is known to have one.
fn stock_setup(installation: &Installation, opponents: &[Opponent], car: &str) -> Option<PathBuf> {
    let known = ["inferno", "berniw", "olethros", "bt"];
    let others = known.iter().filter_map(|name| Opponent::find(installation, name, car).ok());
    opponents.iter().cloned().chain(others).find_map(|robot| robot.setup(installation))
}

fn key_and_value(text: &str) -> anyhow::Result<(String, f64)> {
    let (key, value) = text.split_once('=').ok_or_else(|| anyhow!("--set {text}: must be KEY=VALUE"))?;
    Ok((key.to_owned(), value.parse().with_context(|| format!("--set {text}: the value is no number"))?))
}

/// The robot's library where Cargo puts it.
fn beside_this_program() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let folder = program.parent().unwrap_or(Path::new("."));
    [folder.join(ROBOT), folder.join("deps").join(ROBOT)]
        .into_iter()
        .find(|path| path.is_file())
        .ok_or_else(|| anyhow!("{}: there is no {ROBOT} beside this program: specify --robot", folder.display()))
}
