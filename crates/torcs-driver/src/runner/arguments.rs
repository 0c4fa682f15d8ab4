//! The command line.

use std::path::PathBuf;

/// Races raceline's lines in TORCS
#[derive(Debug, clap::Parser)]
#[command(version, name = "raceline-torcs")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Car(Car),
    Race(Race),
    Traffic(Traffic),
}

/// Reads a car's file, drives it and fits a vehicle to it, again and again until its laps get no faster
#[derive(Debug, clap::Args)]
pub struct Car {
    /// Where to write the vehicle
    #[arg(long, short, value_name = "OUT.toml")]
    pub output: PathBuf,
    /// Maximum number of rounds
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=50))]
    pub rounds: u32,
    /// Laps of each session
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=50))]
    pub laps: u32,
    #[command(flatten)]
    pub common: Common,
}

/// Drives practice sessions alone on each track, with the robot and with each opponent
#[derive(Debug, clap::Args)]
pub struct Race {
    /// Laps of each session
    #[arg(long, default_value_t = 4)]
    pub laps: u32,
    /// Robots of TORCS, each with its index for the car, or NAME:INDEX
    #[arg(long, value_delimiter = ',')]
    pub against: Vec<String>,
    /// Drives this line instead of making one; for one track
    #[arg(long, value_name = "FILE", conflicts_with = "lines")]
    pub line: Option<PathBuf>,
    /// Draws the track as a picture and finds the road in it again
    #[arg(long, conflicts_with = "line")]
    pub from_picture: bool,
    /// Laps of a session before the judged one in which the robot learns its speeds by place; 0: none
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub learn: u32,
    #[command(flatten)]
    pub common: Common,
}

/// Races several of the robot and several of TORCS's robots at once on each track
#[derive(Debug, clap::Args)]
pub struct Traffic {
    /// Laps of each race
    #[arg(long, default_value_t = 10)]
    pub laps: u32,
    /// Cars of this robot, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(i32).range(1..=10))]
    pub robots: i32,
    /// Robots of TORCS in the order of the grid, each with its index for the car, or NAME:INDEX
    #[arg(long, value_delimiter = ',', default_value = "inferno,berniw,olethros,bt,lliaw,tita,inferno:4,berniw:4")]
    pub against: Vec<String>,
    /// Gives every robot of TORCS the car of --car, with the set-up of its first entry for it
    #[arg(long)]
    pub same_car: bool,
    /// Where this robot's cars start, one race for each place
    #[arg(long, value_enum, value_delimiter = ',', default_value = "back")]
    pub grid: Vec<Grid>,
    #[command(flatten)]
    pub common: Common,
}

/// Places of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Grid {
    Front,
    Middle,
    Back,
}

/// What both need.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Tracks of the installation, by the names of their folders; or `road`, `oval` or `dirt` for all
    /// of these
    #[arg(required = true, value_name = "TRACK")]
    pub tracks: Vec<String>,
    /// The car, by the name of its folder
    #[arg(long, default_value = "car1-trb1")]
    pub car: String,
    /// Vehicle file of raceline, or a preset's name [default: the preset torcs-CAR]
    #[arg(long, value_name = "FILE")]
    pub vehicle: Option<String>,
    /// Folder of lines: <TRACK>.raceline.json is driven where it exists and written otherwise
    #[arg(long, value_name = "DIR")]
    pub lines: Option<PathBuf>,
    /// Options of the line, as in a sidecar of raceline
    #[arg(long, value_name = "FILE")]
    pub sidecar: Option<PathBuf>,
    /// Factor of the line's speeds
    #[arg(long = "share", value_name = "SHARE", default_value_t = 1.0)]
    pub fraction: f64,
    /// Lets a neural driver drive in place of the follower; it sees no other cars
    #[arg(long, value_name = "DRIVER.json")]
    pub driver: Option<PathBuf>,
    /// Fuel at the start, l [default: 20, or what the laps need]
    #[arg(long)]
    pub fuel: Option<f64>,
    /// Car set-up to start with [default: that of the first opponent with this car]
    #[arg(long, value_name = "FILE")]
    pub setup: Option<PathBuf>,
    /// Sets an option of the follower, the slip control or the gearbox
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Keeps telemetry, line and results of each track in this folder
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Writes the table as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The robot's library [default: beside this program]
    #[arg(long, value_name = "FILE")]
    pub robot: Option<PathBuf>,
    /// TORCS's libraries [default: where Debian and TORCS itself put them]
    #[arg(long, value_name = "DIR")]
    pub torcs_libraries: Option<PathBuf>,
    /// TORCS's data
    #[arg(long, value_name = "DIR")]
    pub torcs_data: Option<PathBuf>,
    /// Longest time of up to ten laps of one session on this machine, s
    #[arg(long, default_value_t = 120.0)]
    pub limit: f64,
}
