//! What is the same for all tracks: the installation, the car, its vehicle and options; and the line
//! of a track.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use raceline::Options;
use raceline::vehicle::Vehicle;
use raceline_torcs::configuration::Configuration;
use raceline_torcs::strategy::{Strategy, USUAL_LOSS_S};

use super::arguments::Common;
use super::installation::{Installation, PrivateFolder, TrackPlace};
use super::line;
use super::opponents::Opponent;
use super::params::Params;
use super::same_car::give_car;
use super::session::Session;

/// Fuel with which the facts of docs/notes/torcs.md were measured, l.
const USUAL_FUEL_L: f64 = 20.0;
/// Maximum of the fuel that a racing car takes, l/km: what it starts with lasts.
const MAX_FUEL_LPKM: f64 = 0.7;

/// Name of the robot's library.
const ROBOT: &str = "libraceline_torcs.so";

/// What is the same for all tracks.
pub struct Season<'a> {
    pub arguments: &'a Common,
    pub installation: Installation,
    pub folder: PrivateFolder,
    pub opponents: Vec<Opponent>,
    robot: PathBuf,
    vehicle: Vehicle,
    options: Options,
    setup: Option<PathBuf>,
    set: BTreeMap<String, f64>,
}

/// Where the line of a track comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineSource<'a> {
    /// A file that exists.
    pub given: Option<&'a Path>,
    pub from_picture: bool,
}

impl<'a> Season<'a> {
    /// The season with the vehicle of the arguments, and its tracks.
    pub fn new(arguments: &'a Common, against: &[String]) -> anyhow::Result<(Self, Vec<TrackPlace>)> {
        let vehicle = line::load_vehicle(arguments.vehicle.as_deref(), &arguments.car)?;
        Self::with_vehicle(arguments, against, |_, _| Ok(vehicle))
    }

    /// The season with the vehicle that is given for the car's file and its set-up, and its tracks.
    pub fn with_vehicle(
        arguments: &'a Common,
        against: &[String],
        vehicle: impl FnOnce(&Path, Option<&Path>) -> anyhow::Result<Vehicle>,
    ) -> anyhow::Result<(Self, Vec<TrackPlace>)> {
        let installation = Installation::find(arguments.torcs_libraries.as_deref(), arguments.torcs_data.as_deref())?;
        let tracks = installation.tracks(&arguments.tracks)?;
        let robot = match &arguments.robot {
            Some(path) => path.clone(),
            None => beside_this_program()?,
        };
        for folder in [&arguments.keep, &arguments.lines].into_iter().flatten() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let opponents = against
            .iter()
            .map(|name| Opponent::find(&installation, name, &arguments.car))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let setup = arguments.setup.clone().or_else(|| stock_setup(&installation, &opponents, &arguments.car));
        let folder = PrivateFolder::new(&installation, &robot, &arguments.car)?;
        let season = Self {
            vehicle: vehicle(&car_file(&installation, &arguments.car), setup.as_deref())?,
            options: line::load_options(&arguments.car, arguments.sidecar.as_deref())?,
            set: arguments.set.iter().map(|text| key_and_value(text)).collect::<anyhow::Result<_>>()?,
            arguments,
            installation,
            folder,
            opponents,
            robot,
            setup,
        };
        Ok((season, tracks))
    }

    /// The line's file, its lap time and its length.
    pub fn line(&self, track: &TrackPlace, source: LineSource<'_>) -> anyhow::Result<(PathBuf, f64, f64)> {
        let kept = self.arguments.lines.as_ref().map(|folder| folder.join(format!("{}.raceline.json", track.name)));
        let given = source.given.map(Path::to_owned);
        if let Some(path) = given.or_else(|| kept.clone().filter(|path| path.is_file())) {
            let line = line::read(&path)?;
            return Ok((fs::canonicalize(&path)?, line.lap_time_s, line.length_m));
        }
        let line = if source.from_picture {
            let picture = self.folder.local().join(format!("{}.pgm", track.name));
            line::make_from_picture(track, &picture, &self.options, &self.vehicle)?
        } else {
            line::make(&track.name, &track.xml, &self.options, &self.vehicle)?
        };
        let path = kept.unwrap_or_else(|| self.folder.local().join(format!("{}.raceline.json", track.name)));
        line::write(&line, &path)?;
        Ok((fs::canonicalize(&path)?, line.lap_time_s, line.length_m))
    }

    /// Makes the lines that follow for another vehicle.
    pub fn set_vehicle(&mut self, vehicle: Vehicle) {
        self.vehicle = vehicle;
    }

    /// The vehicle for which lines are made.
    pub fn vehicle(&self) -> &Vehicle {
        &self.vehicle
    }

    /// Begins anew what TORCS writes to: some of its robots remember what they have learned.
    pub fn renew(&mut self) -> anyhow::Result<()> {
        self.folder = PrivateFolder::new(&self.installation, &self.robot, &self.arguments.car)?;
        Ok(())
    }

    /// Gives every opponent the robot's car.
    pub fn give_one_car(&self) -> anyhow::Result<()> {
        let give = |opponent| give_car(&self.folder, &self.installation, opponent, &self.arguments.car);
        self.opponents.iter().try_for_each(give)
    }

    /// A session of these drivers.
    pub fn session<'s>(&'s self, track: &'s TrackPlace, laps: u32, drivers: &'s [(String, i32)]) -> Session<'s> {
        Session {
            installation: &self.installation,
            folder: &self.folder,
            track,
            laps,
            fuel_factor: 1.0,
            drivers,
            limit: Duration::from_secs_f64(self.limit_s(laps)),
        }
    }

    /// Longest time of a session on this machine, s.
    pub fn limit_s(&self, laps: u32) -> f64 {
        self.arguments.limit.clamp(1.0, 1e5) * (f64::from(laps) / 10.0).max(1.0)
    }

    /// The car's tank, l; infinite where its file does not have it.
    fn tank_l(&self) -> f64 {
        let tank = Params::read(&car_file(&self.installation, &self.arguments.car))
            .ok()
            .and_then(|params| params.number("Car", "fuel tank"));
        tank.unwrap_or(f64::INFINITY)
    }

    /// A file of the folder of what is kept.
    pub fn kept(&self, name: &str) -> anyhow::Result<Option<PathBuf>> {
        let Some(folder) = &self.arguments.keep else { return Ok(None) };
        Ok(Some(fs::canonicalize(folder)?.join(name)))
    }

    /// Where a robot writes its summary.
    pub fn summary(&self) -> PathBuf {
        self.folder.local().join("summary.json")
    }

    /// What the robot is to drive: a line with its lap time and length, for some laps, with `fuel_factor` times the
    /// fuel that these take alone. Where that is more than the tank, the fuel is that of the plan's first stint.
    pub fn configuration(
        &self,
        track: &TrackPlace,
        line: PathBuf,
        [lap_s, length_m]: [f64; 2],
        laps: u32,
        fuel_factor: f64,
    ) -> anyhow::Result<Configuration> {
        let needed = fuel_factor * USUAL_FUEL_L.max(MAX_FUEL_LPKM * 1e-3 * length_m * (f64::from(laps) + 0.5));
        let tank = self.tank_l();
        let fuel = if needed <= tank {
            needed
        } else {
            Strategy::new(laps, [lap_s, length_m], tank, USUAL_LOSS_S, 0.0).start_fuel_l()
        };
        Ok(Configuration {
            line,
            speed_share: self.arguments.fraction,
            setup: self.setup.clone(),
            fuel_l: Some(self.arguments.fuel.unwrap_or(fuel)),
            options: self.set.clone(),
            driver: self.arguments.driver.as_ref().map(fs::canonicalize).transpose()?,
            telemetry: self.kept(&format!("{}.telemetry.csv", track.name))?,
            summary: Some(self.summary()),
            geometry: self.kept(&format!("{}.geometry.csv", track.name))?,
            ..Configuration::default()
        })
    }

    /// Configures the robot.
    pub fn configure(&self, configuration: &Configuration) -> anyhow::Result<()> {
        Ok(fs::write(self.folder.configuration(), serde_json::to_string_pretty(configuration)?)?)
    }

    /// Removes a file of an earlier session.
    pub fn forget(file: &Path) -> anyhow::Result<()> {
        if file.exists() {
            fs::remove_file(file)?;
        }
        Ok(())
    }
}

/// The file of a car.
fn car_file(installation: &Installation, car: &str) -> PathBuf {
    installation.data.join(format!("cars/{car}/{car}.xml"))
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
