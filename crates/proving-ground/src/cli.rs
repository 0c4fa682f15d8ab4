//! The command line.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand};
use raceline_proving_ground::contender::{Contender, Entry};
use raceline_proving_ground::soak::SoakOptions;
use raceline_proving_ground::trial::Watch;
use raceline_proving_ground::tune::Budget;
use raceline_proving_ground::vehicle::{VEHICLES, VehicleModel};
use raceline_proving_ground::{
    behaviours_sheet, courses, crowd, picture, settings, soak, soak_picture, soak_together, table, traffic, trial, tune,
};
use raceline_render::png;

/// Tests the follower in a physics engine.
#[derive(Parser)]
#[command(version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Folder of the settings found by tuning [default: this crate's `vehicles`]
    #[arg(long, global = true, value_name = "DIR")]
    vehicles: Option<PathBuf>,
    /// Threads; results do not depend on it [default: one per core]
    #[arg(long, global = true, value_name = "N")]
    threads: Option<usize>,
}

#[derive(Subcommand)]
enum Command {
    /// Ten paths, six vehicles, every follower: the table, in Markdown
    Table {
        /// Drive the training paths instead of the ten
        #[arg(long)]
        training: bool,
        /// Also every trial: stuck events and time by path and vehicle
        #[arg(long)]
        trials: bool,
        /// Only this column; can be repeated [default: all]
        #[arg(long)]
        follower: Vec<String>,
    },
    /// Many vehicles for minutes on one map: seconds of driving per stuck event
    Soak {
        /// Number of vehicles, the six kinds in turn
        #[arg(long, default_value_t = 64)]
        count: usize,
        /// Simulated minutes
        #[arg(long, default_value_t = 5.0)]
        minutes: f64,
        /// Number of seeds, from 1
        #[arg(long, default_value_t = 5)]
        seeds: u64,
        /// All vehicles of a seed in one world, in two teams, where they meet
        #[arg(long)]
        together: bool,
        /// Only this column of the table; can be repeated [default: all]
        #[arg(long)]
        follower: Vec<String>,
        /// In place of the table, draw the world of the first seed with the first of these followers: .svg or .png
        #[arg(long, value_name = "FILE", requires = "together")]
        picture: Option<PathBuf>,
    },
    /// Search for settings on the training paths and write them to the settings folder
    Tune(TuneArgs),
    /// One trial, as a line of figures and a picture
    Drive(DriveArgs),
    /// Obstacle courses, and traffic on a ring and on a figure of eight: contacts, as a table
    #[command(alias = "company")]
    Traffic {
        /// Name of the vehicle
        #[arg(long, default_value = "light-4x4")]
        vehicle: String,
        /// In place of the table, draw a drive of each kind: .svg or .png
        #[arg(long, value_name = "FILE")]
        picture: Option<PathBuf>,
    },
    /// The steering behaviours of the follower crate, as a sheet of pictures
    Behaviours {
        /// Picture to write: .svg or .png
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// What a frame of a crowd costs, with a grid of neighbours and without: the table, in Markdown
    Crowd,
    /// Table and soak, one after the other
    All,
    /// The ten paths and their lengths
    Paths,
}

#[derive(Args)]
struct TuneArgs {
    /// What to tune, by the name of its file: baseline, reynolds, fixed (one setting for all vehicles
    /// each); a vehicle (our follower), baseline/VEHICLE, baseline-on-line/VEHICLE (the baseline on the
    /// line that our follower drives); `vehicles` in place of a vehicle's name for each of them
    #[arg(required = true)]
    what: Vec<String>,
    /// Start from the stored settings instead of the defaults
    #[arg(long)]
    resume: bool,
    /// Generations
    #[arg(long, default_value_t = Budget::default().generations)]
    generations: usize,
    /// Settings tried in each generation
    #[arg(long, default_value_t = Budget::default().population)]
    population: usize,
    /// Seed of the search
    #[arg(long, default_value_t = Budget::default().seed)]
    seed: u64,
}

#[derive(Args)]
struct DriveArgs {
    /// Name of a path, one of the ten or of the training paths
    path: String,
    /// Name of a vehicle
    vehicle: String,
    /// Column of the table whose follower drives
    #[arg(long, default_value = "ours, tuned")]
    follower: String,
    /// Picture to write: .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Width of the picture, pixels
    #[arg(long, default_value_t = 900.0)]
    width: f64,
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().context("threads")?;
        }
        let folder = self.vehicles.unwrap_or_else(settings::default_folder);
        match self.command {
            Command::Table { training, trials, follower } => print_table(&folder, &follower, training, trials),
            Command::Soak { count, minutes, seeds, together, follower, picture } => {
                let options = SoakOptions { vehicles: count, time_s: 60.0 * minutes, seeds };
                let Some(output) = picture else { return print_soak(&folder, &follower, options, together) };
                let entries = entries_named(&folder, &follower)?;
                let entry = entries.first().context("there is no follower")?;
                write_picture(&output, soak_picture::svg(entry, &courses::soak_map(), options)?)
            }
            Command::Tune(args) => tune_all(&folder, &args),
            Command::Drive(args) => drive_one(&folder, &args),
            Command::Traffic { vehicle, picture: Some(output) } => {
                write_picture(&output, traffic::svg(vehicle_named(&vehicle)?)?)
            }
            Command::Traffic { vehicle, picture: None } => {
                begin("obstacle courses and traffic");
                print!("{}", traffic::markdown(vehicle_named(&vehicle)?)?);
                Ok(())
            }
            Command::Behaviours { output } => write_picture(&output, behaviours_sheet::svg()?),
            Command::Crowd => {
                begin("frames of a crowd");
                print!("{}", crowd::table());
                Ok(())
            }
            Command::Paths => {
                for scene in courses::test_paths()? {
                    println!("{}: {:.0} m", scene.name, scene.nominal_length_m());
                }
                Ok(())
            }
            Command::All => {
                print_table(&folder, &[], false, false)?;
                println!();
                print_soak(&folder, &[], SoakOptions::default(), false)
            }
        }
    }
}

/// Names the work that begins, on a terminal: it may take minutes, and Ctrl-C ends it.
fn begin(work: &str) {
    if io::stderr().is_terminal() {
        eprintln!("{work} …");
    }
}

fn print_table(folder: &Path, only: &[String], training: bool, trials: bool) -> anyhow::Result<()> {
    let scenes = if training { courses::training_paths() } else { courses::test_paths() }?;
    let entries = entries_named(folder, only)?;
    begin(&format!("{} followers drive {} vehicles on {} paths", entries.len(), VEHICLES.len(), scenes.len()));
    let columns = table::run(&entries, &scenes, &VEHICLES)?;
    print!("{}", table::markdown(&columns, &scenes, &VEHICLES));
    if trials {
        print!("{}", table::trials_markdown(&columns, &scenes, &VEHICLES));
    }
    Ok(())
}

/// The columns of these names, or all.
fn entries_named(folder: &Path, only: &[String]) -> anyhow::Result<Vec<Entry>> {
    let mut entries = settings::entries(folder)?;
    if let Some(name) = only.iter().find(|name| !entries.iter().any(|entry| entry.name == **name)) {
        bail!("there is no follower {name:?}");
    }
    entries.retain(|entry| only.is_empty() || only.contains(&entry.name));
    Ok(entries)
}

fn print_soak(folder: &Path, only: &[String], options: SoakOptions, together: bool) -> anyhow::Result<()> {
    let map = courses::soak_map();
    let (mut rows, mut contacts) = (Vec::new(), Vec::new());
    for entry in entries_named(folder, only)? {
        begin(&format!("{} drives {} vehicles for {:.0} s each", entry.name, options.vehicles, options.time_s));
        let outcomes = if together {
            let (outcomes, by_seed) = soak_together::run(&entry, &map, options)?;
            contacts.push(format!("{}: {by_seed:?}", entry.name));
            outcomes
        } else {
            soak::run(&entry, &map, options)?
        };
        rows.push((entry.name, outcomes));
    }
    print!("{}", soak::markdown(&rows, options));
    if together {
        println!("\nContacts between vehicles, by seed: {}", contacts.join("; "));
        let standing = rows.iter().map(|(name, outcomes)| {
            let [standing, time] = outcomes
                .iter()
                .fold([0.0; 2], |[standing, time], outcome| [standing + outcome.standing_s, time + outcome.time_s]);
            format!("{name}: {:.1} %", 100.0 * standing / time)
        });
        println!("\nTime at a standstill: {}", standing.collect::<Vec<_>>().join("; "));
    }
    Ok(())
}

fn tune_all(folder: &Path, args: &TuneArgs) -> anyhow::Result<()> {
    let scenes = courses::training_paths()?;
    let budget = Budget {
        generations: args.generations,
        population: args.population,
        seed: args.seed,
        // Stored settings are close to the best ones.
        first_deviation: if args.resume { 0.08 } else { Budget::default().first_deviation },
    };
    let mut jobs: Vec<(String, Contender, Vec<VehicleModel>)> = Vec::new();
    for what in &args.what {
        let one_for_all = match what.as_str() {
            settings::BASELINE => Some(settings::baseline()),
            "reynolds" => Some(settings::reynolds()),
            "fixed" => Some(settings::start()),
            _ => None,
        };
        if let Some(start) = one_for_all {
            jobs.push((what.clone(), start, VEHICLES.to_vec()));
            continue;
        }
        let (prefix, name) = what.split_at(what.rfind('/').map_or(0, |slash| slash + 1));
        let start = match prefix.trim_end_matches('/') {
            "" => settings::start(),
            settings::BASELINE => settings::baseline(),
            settings::BASELINE_ON_LINE => settings::baseline_on_line(),
            other => bail!("there is no follower {other} with settings by vehicle: see --help"),
        };
        let vehicles = if name == "vehicles" { &VEHICLES[..] } else { std::slice::from_ref(vehicle_named(name)?) };
        jobs.extend(vehicles.iter().map(|vehicle| (format!("{prefix}{}", vehicle.name), start, vec![*vehicle])));
    }
    for (name, start, vehicles) in jobs {
        let start = if args.resume { settings::load(folder, &name, &start)? } else { start };
        let found = tune::tune(&start, &vehicles, &scenes, budget, |generation, cost| {
            if generation % 10 == 0 {
                eprintln!("{name}: generation {generation}, cost {cost:.4}");
            }
        })?;
        let [before, after] = found.cost;
        let head = format!(
            "Found by `raceline-proving-ground tune {name}{}` ({} generations of {}, seed {}).\n\
             Cost on the training paths: {before:.4} before, {after:.4} after.",
            if args.resume { " --resume" } else { "" },
            budget.generations,
            budget.population,
            budget.seed
        );
        settings::save(folder, &name, &found.contender, &head)?;
        println!("{name}: cost {before:.4} before, {after:.4} after");
    }
    Ok(())
}

fn drive_one(folder: &Path, args: &DriveArgs) -> anyhow::Result<()> {
    let scenes: Vec<_> = courses::test_paths()?.into_iter().chain(courses::training_paths()?).collect();
    let Some(scene) = scenes.iter().find(|scene| scene.name == args.path) else {
        let names: Vec<&str> = scenes.iter().map(|scene| scene.name.as_str()).collect();
        bail!("there is no path {}: specify one of {}", args.path, names.join(", "));
    };
    let vehicle = vehicle_named(&args.vehicle)?;
    let entries = settings::entries(folder)?;
    let Some(entry) = entries.iter().find(|entry: &&Entry| entry.name == args.follower) else {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        bail!("there is no follower {:?}: specify one of {:?}", args.follower, names);
    };
    let mut follower = entry.of(vehicle).build(vehicle)?;
    let outcome = trial::run(scene, vehicle, follower.as_mut(), Watch { trace: true, ..Watch::default() });
    println!(
        "{}, {}, {}: {:.1} s{}, {} stuck, {} placed back, cross-track {:.3} m, inside {:.1} %, {:.2} m/s",
        scene.name,
        vehicle.name,
        entry.name,
        outcome.time_s,
        if outcome.finished { "" } else { " (not finished)" },
        outcome.stuck_events,
        outcome.placements,
        outcome.cross_track_ms / outcome.time_s,
        100.0 * outcome.inside_s / outcome.time_s,
        outcome.distance_m / outcome.time_s,
    );
    if let Some(file) = &args.output {
        let title = format!("{}, {}: {}", scene.name, vehicle.name, entry.name);
        let drawing = picture::svg(scene, &outcome, &title, args.width);
        write_picture(file, drawing)?;
    }
    Ok(())
}

fn write_picture(file: &Path, drawing: String) -> anyhow::Result<()> {
    let bytes = match file.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => drawing.into_bytes(),
        Some("png") => png::from_svg(&drawing)?,
        _ => bail!("{}: a picture's file name must end in .svg or .png", file.display()),
    };
    settings::write_whole(file, &bytes)?;
    let size = fs::metadata(file).map(|data| data.len()).unwrap_or(0);
    println!("{}: {size} bytes", file.display());
    Ok(())
}

fn vehicle_named(name: &str) -> anyhow::Result<&'static VehicleModel> {
    let names: Vec<&str> = VEHICLES.iter().map(|vehicle| vehicle.name).collect();
    VehicleModel::named(name)
        .with_context(|| format!("there is no vehicle {name}: specify one of {}", names.join(", ")))
}
