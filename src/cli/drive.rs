//! `raceline drive`: a racing line driven by a follower and a vehicle with tyres.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use raceline::Options;
use raceline::drive::trace_csv;
use raceline::drive::{
    Drive, DriveError, DriveOptions, FollowerKind, HandlingParameters, Measures, OutOfRange, drive, handling_of,
};
use raceline::vehicle::Vehicle;
use serde::Serialize;

use super::GlobalFlags;
use super::file_guard;
use super::inspect::read_line;
use super::option_flags::vehicle_files;
use super::output::Output;
use super::report::{self, Failure};
use super::text_table::text_table;

/// Drive a racing line with a follower, in a simulation with tyres
///
/// The vehicle is modelled as a dynamic bicycle whose tyres have slip angles and the vehicle's own
/// limits. It is driven by the follower that games link. On a closed line it starts from
/// standstill; the first lap is a warm-up lap, the others are timed. An open line is driven from
/// end to end. Prints the lap times, the distance of the centre of gravity from the line, the
/// fraction of the time in which the whole body was on the road, and how often the vehicle got
/// stuck.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
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
    /// Where to write the trace, one row per frame: a file, or - for stdout
    #[arg(long, short, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  raceline drive monza.raceline.json
  Ten laps at the file's speeds, with a trace:
    raceline drive monza.raceline.json --follower profile --laps 10 -o monza.csv
  Another vehicle on this line, with brakes and steering that act 0.1 s late:
    raceline drive monza.raceline.json --vehicle gt --actuation-delay-s 0.1 --speed-share 0.9

Exit codes: 0 done, 1 the job failed or the laps were not completed, 2 wrong usage.";

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
}

impl FollowerFlag {
    fn kind(self) -> FollowerKind {
        match self {
            Self::Bezier => FollowerKind::Bezier,
            Self::Profile => FollowerKind::Profile,
            Self::Both => FollowerKind::Both,
            Self::Baseline => FollowerKind::Baseline,
            Self::Reynolds => FollowerKind::Reynolds,
        }
    }
}

/// The output as JSON.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    name: &'a str,
    vehicle: &'a str,
    follower: &'static str,
    complete: bool,
    lap_times_s: &'a [f64],
    mean_lap_time_s: Option<f64>,
    profile_lap_time_s: f64,
    of_profile: Option<f64>,
    cross_track_mean_m: f64,
    cross_track_95_m: f64,
    cross_track_worst_m: f64,
    cross_track_worst_at_m: f64,
    inside_share: f64,
    least_room_m: f64,
    stuck_events: u32,
    placements: u32,
}

impl Arguments {
    /// Reads the line, drives it and prints the results.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let mut options = DriveOptions {
            follower: self.follower.kind(),
            laps: self.laps,
            frame_rate_hz: self.frame_rate_hz,
            speed_share: self.speed_share,
            actuation_delay_s: self.actuation_delay_s,
            ..DriveOptions::default()
        };
        // The rate is checked with the other options, before a file is read.
        options.handling = self
            .steering_rate_radps
            .map(|steering_rate_radps| HandlingParameters { steering_rate_radps, ..HandlingParameters::default() });
        options.validate().map_err(wrong_usage)?;
        let output = self.output.as_deref().map(Output::new);
        let read = [vec![self.line.clone()], vehicle_files(self.vehicle.as_deref())].concat();
        file_guard::check(&read, &output)?;
        if let Some(output) = &output {
            output.check()?;
        }
        let line = read_line(&self.line)?;
        let vehicle = self.vehicle()?.unwrap_or_else(|| line.vehicle.clone());
        options.handling = self
            .steering_rate_radps
            .map(|steering_rate_radps| HandlingParameters { steering_rate_radps, ..handling_of(&vehicle) });
        let place = || self.line.display().to_string();
        if !line.options.grip.is_empty() && !flags.quiet {
            let message = format!("{}: the drive ignores the grip stretches of its road", place());
            report::print_warning(&message, flags.colour());
        }
        let driven = drive(&line, &vehicle, &options).with_context(place)?;
        let stdout_is_taken = output == Some(Output::Stdout);
        if let Some(output) = &output {
            output.write(trace_csv::write(&driven.trace).as_bytes())?;
        }
        let text = self.text(&line.name, &vehicle, options.follower, &driven)?;
        if !stdout_is_taken {
            report::to_stdout(&text)?;
        } else if !flags.quiet {
            report::to_stderr(&text);
        }
        let Measures { lap_times_s, laps_asked, .. } = &driven.measures;
        if driven.measures.is_complete() {
            return Ok(());
        }
        Err(Failure::Job(anyhow!(
            "{}: {} of {laps_asked} {} completed before the time limit: lower --speed-share, or try --follower profile",
            place(),
            lap_times_s.len(),
            if *laps_asked == 1 { "lap" } else { "laps" }
        )))
    }

    /// The vehicle that the command line specifies, if any.
    fn vehicle(&self) -> Result<Option<Vehicle>, Failure> {
        let Some(vehicle) = self.vehicle.clone() else { return Ok(None) };
        let options = Options { vehicle: Some(vehicle), ..Options::default() };
        options.load_vehicle().map(Some).map_err(|error| Failure::options(error, true))
    }

    fn text(
        &self,
        name: &str,
        vehicle: &Vehicle,
        follower: FollowerKind,
        Drive { measures, .. }: &Drive,
    ) -> anyhow::Result<String> {
        if !self.json {
            return Ok(table(name, vehicle, follower, measures));
        }
        let summary = Summary {
            name,
            vehicle: &vehicle.name,
            follower: follower.name(),
            complete: measures.is_complete(),
            lap_times_s: &measures.lap_times_s,
            mean_lap_time_s: measures.mean_lap_s(),
            profile_lap_time_s: measures.profile_lap_time_s,
            of_profile: measures.of_profile(),
            cross_track_mean_m: measures.cross_track_mean_m,
            cross_track_95_m: measures.cross_track_95_m,
            cross_track_worst_m: measures.cross_track_worst_m,
            cross_track_worst_at_m: measures.cross_track_worst_at_m,
            inside_share: measures.inside_share,
            least_room_m: measures.least_room_m,
            stuck_events: measures.stuck_events,
            placements: measures.placements,
        };
        Ok(serde_json::to_string_pretty(&summary)? + "\n")
    }
}

/// An invalid option on the command line is wrong usage.
fn wrong_usage(error: DriveError) -> Failure {
    let flag = match &error {
        DriveError::Option(OutOfRange { name, value, range }) => {
            format!("--{} {value}: it must be {range}", name.replace('_', "-"))
        }
        _ => error.to_string(),
    };
    Failure::usage(flag)
}

fn table(name: &str, vehicle: &Vehicle, follower: FollowerKind, measures: &Measures) -> String {
    let laps: Vec<String> = measures.lap_times_s.iter().map(|lap| format!("{lap:.3} s")).collect();
    let laps = match laps.len() {
        0 => "none completed".to_owned(),
        1..=6 => laps.join(", "),
        count => {
            format!("{}, … ({count} laps, best {:.3} s)", laps[..4].join(", "), measures.best_lap_s().unwrap_or(0.0))
        }
    };
    let against = measures.of_profile().map_or_else(
        || "-".to_owned(),
        |share| format!("{:.2} % ({:.3} s)", 100.0 * share, measures.profile_lap_time_s),
    );
    let error = format!(
        "mean {:.3} m, 95 % {:.3} m, worst {:.3} m (at {:.0} m)",
        measures.cross_track_mean_m,
        measures.cross_track_95_m,
        measures.cross_track_worst_m,
        measures.cross_track_worst_at_m
    );
    let road = format!(
        "{:.2} % of the time, least distance to an edge {:.3} m",
        100.0 * measures.inside_share,
        measures.least_room_m
    );
    let stuck = match measures.placements {
        0 => measures.stuck_events.to_string(),
        1 => format!("{}, placed back once", measures.stuck_events),
        placements => format!("{}, placed back {placements} times", measures.stuck_events),
    };
    let rows = [
        ("vehicle", vehicle.name.clone()),
        ("follower", follower.name().to_owned()),
        ("lap times", laps),
        ("of the profile", against),
        ("from the line", error),
        ("body on the road", road),
        ("stuck", stuck),
    ];
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    format!("{name}\n{}", text_table(&rows, 2))
}
