//! `raceline drive`: a racing line driven by a follower and a vehicle with tyres.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use raceline::Options;
use raceline::analysis::decimals_of;
use raceline::drive::trace_csv;
use raceline::drive::{
    BestFraction, DriveOptions, FollowerKind, Measures, SimulatedGrip, Simulation, best_fraction, drive_in, sensitivity,
};
use raceline_car::Vehicle;
use raceline_file::files::{self, LARGEST_OPTIONS_FILE, Reach};
use raceline_follower::neural::Network;
use raceline_follower::{RememberedSpeeds, json};

use super::GlobalFlags;
use super::drive_noise::NoiseFlags;
use super::drive_report::DriveReport;
use super::drive_surroundings::{self, SurroundingsFlags, wrong_usage};
use super::file_guard;
use super::line_file::read_with_doubts;
use super::option_flags::vehicle_files;
use super::output::Output;
use super::progress;
use super::report::{self, Failure};

/// Drive a racing line with a follower, in a simulation with tyres
///
/// The vehicle is modelled as a dynamic bicycle whose tyres have slip angles and the vehicle's own
/// limits. It is driven by the follower that games link. On a closed line it starts from
/// standstill; the first lap is a warm-up lap, the following laps are timed. An open line is driven from
/// end to end. Prints the lap times, the distance of the centre of gravity from the line, the
/// fraction of the time in which the whole body was on the road, and how often the vehicle got
/// stuck.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, group(clap::ArgGroup::new("drawn").args(["traffic", "noise"]).multiple(true)))]
pub struct Arguments {
    /// A racing-line file, as `raceline optimize` writes it
    #[arg(value_name = "LINE")]
    line: PathBuf,
    /// A preset, or a vehicle file ending in .toml [default: the file's vehicle]
    #[arg(long, value_name = "VEHICLE")]
    vehicle: Option<String>,
    /// The follower
    #[arg(long, value_name = "FOLLOWER", default_value = "both")]
    follower: FollowerFlag,
    /// The network of --follower neural, as raceline-neural-driver trains it
    #[arg(long, value_name = "DRIVER.json")]
    driver: Option<PathBuf>,
    /// Timed laps, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = DriveOptions::default().laps)]
    laps: u32,
    /// Fraction of the profile's speed to aim for, 0.1 to 1.1
    #[arg(long, value_name = "SHARE", default_value_t = DriveOptions::default().speed_share)]
    speed_share: f64,
    /// Frame rate of the follower, Hz, 10 to 1000
    #[arg(long, value_name = "HZ", default_value_t = DriveOptions::default().frame_rate_hz)]
    frame_rate_hz: f64,
    /// Steering rate of the front wheel, rad/s, 0.01 to 100 [default: the vehicle's, or 1]
    #[arg(long, value_name = "RATE")]
    steering_rate_radps: Option<f64>,
    /// Delay from a command to the wheels, s, 0 to 1
    #[arg(long, value_name = "DELAY", default_value_t = DriveOptions::default().actuation_delay_s)]
    actuation_delay_s: f64,
    /// Laps after the warm-up in which the follower learns its speeds by place: faster where grip is
    /// left over, slower where it slides or runs wide. The timed laps are driven with those of the
    /// fastest one, 0 to 1000
    #[arg(long, value_name = "N", default_value_t = DriveOptions::default().learn_laps,
          conflicts_with_all = ["obstacles", "traffic"])]
    learn_laps: u32,
    /// Where learned speeds are remembered: read if the file exists, written after learning
    #[arg(long, value_name = "LEARNED.json")]
    learned: Option<PathBuf>,
    /// Grip of the simulated road on a stretch of the line, which the follower does not know: metres
    /// from the first point and a factor, as in 300-450=0.9; may be repeated
    #[arg(long, value_name = "FROM-TO=FACTOR", value_parser = stretch)]
    grip: Vec<SimulatedGrip>,
    /// Where to write the trace, one row per frame: a file, or - for stdout
    #[arg(long, short, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    /// Find the highest fraction of the profile's speed, in steps of 0.01, at which all laps are clean:
    /// on the road and never stuck
    #[arg(long, conflicts_with_all = ["speed_share", "learn_laps", "learned", "grip", "obstacles", "traffic"])]
    best: bool,
    /// Drive again with grip, mass, delay and frame rate 10 % lower and higher than the follower was
    /// given
    #[arg(long, conflicts_with_all = ["learn_laps", "learned", "grip", "obstacles", "traffic"])]
    sensitivity: bool,
    /// Where to draw the fastest lap, with obstacles, other vehicles and contacts: a file ending in .svg
    /// or .png
    #[arg(long, value_name = "OUT")]
    picture: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    surroundings: SurroundingsFlags,
    #[command(flatten)]
    noise: NoiseFlags,
}

const AFTER_HELP: &str = "\
Examples:
  raceline drive monza.raceline.json
  Ten laps at the file's speeds, with a trace:
    raceline drive monza.raceline.json --follower profile --laps 10 -o monza.csv
  Another vehicle on this line, with brakes and steering that act 0.1 s late:
    raceline drive monza.raceline.json --vehicle gt --actuation-delay-s 0.1 --speed-share 0.9
  Ten laps of learning on a road that is slippery in one place:
    raceline drive monza.raceline.json --grip 300-450=0.9 --learn-laps 10 --learned monza.learned.json
  A neural driver, trained by raceline-neural-driver:
    raceline drive monza.raceline.json --follower neural --driver driver.json
  As fast as it goes, and how much that depends on what the follower was given:
    raceline drive monza.raceline.json --best --sensitivity
  Around obstacles and among ten slower vehicles, with a picture:
    raceline drive monza.raceline.json --obstacles obstacles.csv --traffic 10 --picture drive.png
  A thousand drives with errors of localisation, grip and delay that the follower does not know:
    raceline drive monza.raceline.json --laps 1 --noise noise.toml --drives 1000

Exit codes: 0 all laps clean, 1 the job failed or a lap was not clean, 2 wrong usage. A clean lap is
completed, on the road, and the vehicle never got stuck and touched nothing.";

/// The follower.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FollowerFlag {
    /// As fast as the curves ahead allow
    Bezier,
    /// At the speeds of the file
    Profile,
    /// At the lower of both speeds
    Both,
    /// The baseline: speed by the largest angle ahead, no integral
    Baseline,
    /// Path following after Reynolds
    Reynolds,
    /// A trained network, see --driver
    Neural,
}

impl FollowerFlag {
    fn kind(self) -> FollowerKind {
        match self {
            Self::Bezier => FollowerKind::Bezier,
            Self::Profile => FollowerKind::Profile,
            Self::Both => FollowerKind::Both,
            Self::Baseline => FollowerKind::Baseline,
            Self::Reynolds => FollowerKind::Reynolds,
            Self::Neural => FollowerKind::Neural,
        }
    }
}

impl Arguments {
    /// Reads the line, drives it and prints the results.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let options = DriveOptions {
            follower: self.follower.kind(),
            laps: self.laps,
            learn_laps: self.learn_laps,
            frame_rate_hz: self.frame_rate_hz,
            speed_share: self.speed_share,
            actuation_delay_s: self.actuation_delay_s,
            ..DriveOptions::default()
        };
        options.validate().map_err(wrong_usage)?;
        for stretch in &self.grip {
            stretch.validate().map_err(wrong_usage)?;
        }
        let output = self.output.as_deref().map(Output::new);
        let learned = self.learned.as_deref().map(Output::new);
        let picture = drive_surroundings::picture_format(self.picture.as_deref())?;
        let picture = picture.zip(self.picture.as_deref().map(Output::new));
        let outputs = || output.iter().chain(&learned).chain(picture.iter().map(|(_, output)| output));
        let others =
            self.surroundings.obstacles.iter().chain(&self.driver).chain(self.noise.files()).cloned().collect();
        let read = [vec![self.line.clone()], vehicle_files(self.vehicle.as_deref()), others].concat();
        file_guard::check(&read, outputs())?;
        for output in outputs() {
            output.check()?;
        }
        if outputs().filter(|output| **output == Output::Stdout).count() > 1 {
            return Err(Failure::usage("only one file can go to stdout (-): specify a file for the others"));
        }
        let remembered = self.remembered()?;
        let network = self.network()?;
        let surroundings = self.surroundings.read()?;
        let line = read_with_doubts(&self.line, flags)?;
        let mut vehicle = self.vehicle(flags.reach())?.unwrap_or_else(|| line.vehicle.clone());
        if self.steering_rate_radps.is_some() {
            vehicle.steering_rate_radps = self.steering_rate_radps;
        }
        let place = || self.line.display().to_string();
        let simulation = Simulation {
            grip: &self.grip,
            remembered: remembered.as_ref(),
            network: network.as_ref(),
            surroundings: Some(&surroundings),
        };
        let progress = progress::watch(flags, &line.name);
        if self.noise.is_on() {
            progress.stage("driving with noise");
            let driven = self.noise.drive(&line, &vehicle, &options, &simulation, self.surroundings.seed)?;
            drop(progress);
            return self.noise.report(&line, &vehicle, &driven, self.json);
        }
        let best = self
            .best
            .then(|| best_fraction(&line, &vehicle, &options, &simulation, &*progress))
            .transpose()
            .with_context(place)?;
        let (driven, speed_share, tried) = match best {
            Some(BestFraction { speed_share, drive, tried }) => (drive, speed_share, tried),
            None => {
                progress.stage("drive");
                let driven = drive_in(&line, &vehicle, &options, &simulation).with_context(place)?;
                (driven, Some(options.speed_share), Vec::new())
            }
        };
        let options = DriveOptions { speed_share: speed_share.unwrap_or(options.speed_share), ..options };
        let disturbances = match self.sensitivity {
            true => {
                progress.stage("sensitivity");
                sensitivity(&line, &vehicle, &options, &simulation).with_context(place)?
            }
            false => Vec::new(),
        };
        drop(progress);
        let stdout_is_taken = outputs().any(|output| *output == Output::Stdout);
        if let Some(output) = &output {
            output.write(trace_csv::write(&driven.trace).as_bytes())?;
        }
        if let (Some(file), Some(speeds)) = (&learned, driven.learned.as_ref().filter(|_| options.learn_laps > 0)) {
            file.write(json::write_learned(speeds).as_bytes())?;
        }
        if let Some((format, output)) = &picture {
            output.write(&drive_surroundings::picture(&line, &driven, &surroundings, *format)?)?;
        }
        let report = DriveReport {
            name: &line.name,
            decimals: decimals_of(&line),
            vehicle: &vehicle.name,
            follower: options.follower.name(),
            speed_share,
            tried: &tried,
            measures: &driven.measures,
            learned: driven.learned.as_ref(),
            disturbances: &disturbances,
        };
        let text = if self.json { report.json()? } else { report.table() };
        let reported = if stdout_is_taken {
            if !flags.quiet {
                report::to_stderr(&text);
            }
            Ok(())
        } else {
            report::to_stdout(&text)
        };
        match fault(&driven.measures) {
            Some(fault) => Err(Failure::Job(anyhow!("{}: {fault}", place()))),
            None => Ok(reported?),
        }
    }

    /// What the file of learned speeds has, if it exists.
    fn remembered(&self) -> Result<Option<RememberedSpeeds>, Failure> {
        let Some(path) = self.learned.as_deref().filter(|path| path.is_file()) else { return Ok(None) };
        let bytes =
            files::read(path, LARGEST_OPTIONS_FILE).with_context(|| format!("can't read {}", path.display()))?;
        Ok(Some(json::read_learned(&bytes).with_context(|| path.display().to_string())?))
    }

    /// The network of the neural driver, where it drives.
    fn network(&self) -> Result<Option<Arc<Network>>, Failure> {
        match (self.follower, &self.driver) {
            (FollowerFlag::Neural, Some(path)) => {
                let bytes = files::read(path, LARGEST_OPTIONS_FILE)
                    .with_context(|| format!("can't read {}", path.display()))?;
                let network = json::read_network(&bytes).with_context(|| path.display().to_string())?;
                Ok(Some(Arc::new(network)))
            }
            (FollowerFlag::Neural, None) => {
                Err(Failure::usage("--follower neural needs a trained network: pass --driver DRIVER.json".to_owned()))
            }
            (_, Some(_)) => Err(Failure::usage("--driver needs --follower neural".to_owned())),
            (_, None) => Ok(None),
        }
    }

    /// The vehicle that the command line specifies, if any.
    fn vehicle(&self, reach: Reach) -> Result<Option<Vehicle>, Failure> {
        let Some(vehicle) = self.vehicle.clone() else { return Ok(None) };
        let options = Options { vehicle: Some(vehicle), reach, ..Options::default() };
        options.load_vehicle().map(Some).map_err(|error| Failure::options(error, true))
    }
}

/// A stretch of grip, FROM-TO=FACTOR.
fn stretch(text: &str) -> Result<SimulatedGrip, String> {
    let fault = || "must be FROM-TO=FACTOR, as in 300-450=0.9".to_owned();
    let (place, factor) = text.split_once('=').ok_or_else(fault)?;
    let (from, to) = place.split_once('-').ok_or_else(fault)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| fault());
    Ok(SimulatedGrip { from_m: number(from)?, to_m: number(to)?, factor: number(factor)? })
}

/// Why a drive is not clean, and what may help.
fn fault(measures: &Measures) -> Option<String> {
    let Measures { lap_times_s, laps_asked, min_room_m, min_room_at_m, stuck_events, .. } = measures;
    if !measures.is_complete() {
        let laps = if *laps_asked == 1 { "lap" } else { "laps" };
        let done = lap_times_s.len();
        return Some(format!(
            "{done} of {laps_asked} {laps} completed before the time limit: lower --speed-share, or try --follower profile"
        ));
    }
    if *stuck_events > 0 {
        return Some(format!("the vehicle got stuck {stuck_events} times: lower --speed-share, or pass --best"));
    }
    if let Some(met) = measures.encounters.as_ref().filter(|_| !measures.touched_nothing()) {
        let (obstacles, vehicles) = (met.obstacle_contacts, met.vehicle_contacts);
        return Some(format!(
            "the vehicle touched obstacles {obstacles} times and other vehicles {vehicles} times: lower --speed-share"
        ));
    }
    (!measures.stayed_on_road()).then(|| {
        format!(
            "the body left the road, by {:.3} m at {min_room_at_m:.0} m along the line: lower --speed-share, or pass \
             --best to find the highest fraction that stays on the road",
            -min_room_m
        )
    })
}
