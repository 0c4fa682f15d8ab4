//! `raceline demo`: a folder with an example of each kind of input, and the commands to try.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use raceline::drive::{DriveOptions, drive, trace_csv};
use raceline::pipeline::{self, Request, Silent};
use raceline::{Options, vehicle};
use raceline_generate::{GenerateOptions, Style, generate};

use super::GlobalFlags;
use super::generate::{RoadFormat, failure};
use super::output::Output;
use super::report::{self, Failure};

/// Write a folder with an example of each kind of input, and the commands to try
///
/// The roads are drawn by `raceline generate`, and the log is that of a lap in the simulation of
/// `raceline drive`. README.txt in the folder lists the files and a command for each.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The folder; it is made, or empty
    #[arg(value_name = "DIR", default_value = "raceline-demo")]
    folder: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  raceline demo
  cd raceline-demo && raceline circuit.png";

/// A road that is drawn: the name of its file without the ending, its format, style, seed, length and width, m.
struct Drawn(&'static str, RoadFormat, Style, u64, f64, Option<f64>);

const ROADS: [Drawn; 5] = [
    Drawn("circuit", RoadFormat::Png, Style::Circuit, 7, 2500.0, None),
    Drawn("kart", RoadFormat::Csv, Style::Kart, 2, 900.0, None),
    Drawn("stage", RoadFormat::Csv, Style::Stage, 3, 2000.0, None),
    Drawn("cones", RoadFormat::Cones, Style::Kart, 4, 300.0, Some(4.0)),
    Drawn("maze", RoadFormat::Yaml, Style::Maze, 1, 150.0, Some(1.2)),
];

/// Preset whose file is written.
const CAR: &str = "gt";
/// Preset that drives the log.
const KART: &str = "kart";
/// Speed of the driver in the log, as a fraction of that of the fastest lap.
const SPEED_FRACTION: f64 = 0.95;

/// Sidecars, with the vehicle of each road.
const SIDECARS: [(&str, &str); 4] = [
    ("kart.toml", "vehicle = \"kart\"\n"),
    ("stage.toml", "vehicle = \"my-car.toml\"\n"),
    ("cones.toml", "vehicle = \"kart\"\n"),
    ("maze.toml", "vehicle = \"robot-car\"\n"),
];

/// What each file is, and commands that use it.
const EXAMPLES: [(&str, &[&str]); 7] = [
    (
        "circuit.png, circuit.toml: a circuit as a drawing, and its options",
        &["raceline circuit.png", "raceline render circuit.raceline.json -o circuit.html"],
    ),
    ("kart.csv, kart.toml: a centre line with widths", &["raceline kart.csv", "raceline drive kart.raceline.json"]),
    (
        "stage.csv, stage.toml, my-car.toml: a rally stage, and a vehicle to edit",
        &["raceline stage.csv", "raceline sweep stage.csv --vary mass_kg=+0%:+10%:3 --fixed-line"],
    ),
    ("cones.csv, cones.toml: the cones of a track of Formula Student", &["raceline cones.csv"]),
    ("maze.yaml, maze.pgm, maze.toml: a map of a robot", &["raceline maze.yaml"]),
    (
        "log/day.csv: the log of three laps of kart.csv",
        &["raceline laps log/day.csv", "raceline coach log/day.csv --track kart.csv --vehicle kart -o day.html"],
    ),
    (
        "All roads of the folder",
        &["raceline batch . --skip log/day.csv", "raceline batch . --skip log/day.csv --check"],
    ),
];

impl Arguments {
    /// Writes the folder.
    pub fn run(&self, flags: GlobalFlags) -> Result<(), Failure> {
        let shown = self.folder.display();
        fs::create_dir_all(&self.folder).with_context(|| format!("can't create the folder {shown}"))?;
        let mut entries = fs::read_dir(&self.folder).with_context(|| format!("can't read the folder {shown}"))?;
        if entries.next().is_some() {
            return Err(Failure::Job(anyhow!("{shown}: the folder is not empty: name one that is not there yet")));
        }
        for &Drawn(name, format, style, seed, length_m, width_m) in &ROADS {
            let options = GenerateOptions { style, seed, length_m: Some(length_m), width_m, crossings: false };
            let road = generate(&options).map_err(failure)?;
            for (ending, bytes) in format.files(&road, name, None)? {
                self.write(&format!("{name}.{ending}"), &bytes)?;
            }
        }
        let car = vehicle::preset(CAR).context("no such preset")?;
        self.write("my-car.toml", car.to_toml().context("can't write TOML")?.as_bytes())?;
        for (name, text) in SIDECARS {
            self.write(name, text.as_bytes())?;
        }
        fs::create_dir_all(self.folder.join("log")).with_context(|| format!("can't create a folder in {shown}"))?;
        self.write("log/day.csv", log(&self.folder.join("kart.csv"))?.as_bytes())?;
        self.write("README.txt", readme().as_bytes())?;
        if !flags.quiet {
            report::to_stdout(&format!("{}: examples to try:\n\n{}", shown, readme()))?;
        }
        Ok(())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        Ok(Output::File(self.folder.join(name)).write(bytes)?)
    }
}

/// The log of three laps on a track.
fn log(track: &Path) -> Result<String, Failure> {
    let (options, kart) = (Options::default(), vehicle::preset(KART).context("no such preset")?);
    let extraction = pipeline::extract(track, &options, &Silent)?;
    let line = pipeline::optimize(extraction, &Request::new(&options, &kart))?.line;
    let options = DriveOptions { laps: 3, speed_share: SPEED_FRACTION, ..DriveOptions::default() };
    Ok(trace_csv::write(&drive(&line, &kart, &options).context("can't drive")?.trace))
}

fn readme() -> String {
    let mut text = String::new();
    for (what, commands) in EXAMPLES {
        let _ = writeln!(text, "{what}");
        for command in commands {
            let _ = writeln!(text, "    {command}");
        }
    }
    text
}
