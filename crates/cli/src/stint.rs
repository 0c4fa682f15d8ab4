//! `raceline stint`: many laps with fuel, tyres and a battery.

use std::path::PathBuf;

use anyhow::anyhow;
use raceline::pipeline::{self, Request, Warning};
use raceline::stint::{Residuals, SavingStretch, Stint, StintCar, StintError, StintOptions, StintRow, csv, stint};
use serde::Serialize;

use super::option_flags::{Layered, OptionFlags};
use super::report::Failure;
use super::result_and_line::ResultAndLine;
use super::text_table::text_table;
use super::track_name::name_of;
use super::{GlobalFlags, progress};

/// Find the fastest laps of a stint with fuel, tyres and a battery
///
/// Finds how fast each lap of a stint is, and what it uses, so that all laps together are
/// fastest: fuel is burnt and its mass falls, tyres wear and warm up, the battery gives and takes. The
/// prices are what a joule more in a lap is worth, and the line of one lap shows where to lift.
///
/// The file of --stint has the tables [fuel], [tyres] and [battery]; what is left out does not change.
/// The vehicle's mass is that without fuel, and its drive is that of engine and motor together.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A picture, map YAML, extracted track or track file of a circuit, as for `raceline optimize`
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// Number of laps
    #[arg(long, value_name = "N")]
    laps: usize,
    /// Fuel, tyres and battery of the car [default: none, so that every lap is the same]
    #[arg(long, value_name = "CAR.toml")]
    stint: Option<PathBuf>,
    /// Lap whose line is searched for --line and the places where it lifts [default: the one in the middle]
    #[arg(long, value_name = "K")]
    lap: Option<usize>,
    /// Where to write the table of the laps: a file, or - for stdout
    #[arg(long, short, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    /// Where to write the racing line of one lap
    #[arg(long, value_name = "OUT.json")]
    line: Option<PathBuf>,
    /// Print the result as JSON: on stdout, or on stderr if the table is there
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  20 laps with 30 kg of fuel and tyres that wear:
    raceline stint club.png --vehicle gt --laps 20 --stint examples/stint/gt.toml
  The line of lap 3, and all laps as a table:
    raceline stint club.png --vehicle gt --laps 20 --stint race.toml --lap 3 --line lap-3.json -o laps.csv";

/// What `--json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    track: &'a str,
    vehicle: &'a str,
    time_s: f64,
    length_m: f64,
    end_fuel_kg: f64,
    end_wear: f64,
    end_charge_j: f64,
    fuel_spkg: f64,
    laps: &'a [StintRow],
    shown_lap: usize,
    stretches: &'a [SavingStretch],
    residuals: Residuals,
    searched: usize,
    warnings: Vec<String>,
}

impl Arguments {
    /// Finds the stint, writes its table and a line, prints its laps.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let mut read = self.options.files(&self.input);
        read.extend(self.stint.clone());
        let outputs = ResultAndLine::checked("table", self.output.as_deref(), self.line.as_deref(), &read)?;
        let car = match &self.stint {
            Some(path) => StintCar::read(path).map_err(|error| Failure::Usage(error.into()))?,
            None => StintCar::default(),
        };
        let asked = StintOptions { laps: self.laps, car, lap: self.lap };
        let layered = self.options.layered(&self.input)?;
        let vehicle = layered.load_vehicle()?;
        let (track, warnings, found) = {
            let progress = progress::watch(flags, &name_of(&self.input));
            let options = &layered.options;
            let extraction =
                pipeline::extract(&self.input, options, &*progress).map_err(|error| layered.failure(error))?;
            let request = Request::new(options, &vehicle).verify(!flags.no_verify).progress(&*progress);
            let found = stint(&extraction, &request, &asked).map_err(|error| failure(error, &layered))?;
            (extraction.name.clone(), extraction.warnings_for(&vehicle), found)
        };
        outputs.write(|| Ok(csv(&found)), &found.line.line, &self.input)?;
        flags.warn(self.input.display(), &warnings);
        if self.json {
            return outputs.print(&json_of(&track, &vehicle.name, &found, &warnings)?);
        }
        if flags.quiet { Ok(()) } else { outputs.print_table(&table_of(&track, &vehicle.name, &found, &asked.car)) }
    }
}

/// What a stint cannot have is wrong usage; a road without laps and a budget that is not kept are failed jobs.
fn failure(error: StintError, layered: &Layered) -> Failure {
    match error {
        StintError::Line(error) => layered.failure(error),
        error @ (StintError::NoLapFound { .. } | StintError::Budget { .. } | StintError::NotSettled { .. }) => {
            Failure::Job(anyhow!(error))
        }
        error => Failure::Usage(anyhow!(error)),
    }
}

fn number_of_laps(count: usize) -> String {
    if count == 1 { "1 lap".to_owned() } else { format!("{count} laps") }
}

/// The table of the laps, without columns that do not change.
fn table_of(track: &str, vehicle: &str, found: &Stint, car: &StintCar) -> String {
    let laps = &found.laps;
    let mut text = format!(
        "{track}: {} of {vehicle} in {:.3} s, {:.1} km, {} searched\n",
        number_of_laps(laps.len()),
        found.time_s,
        1e-3 * found.length_m,
        number_of_laps(found.searched)
    );
    type Cell = fn(&StintRow) -> String;
    let mut columns: Vec<(&str, Cell)> =
        vec![("lap", |lap| lap.lap.to_string()), ("s", |lap| format!("{:.3}", lap.time_s))];
    if car.fuel.is_some() {
        columns.push(("fuel kg", |lap| format!("{:.2}", lap.fuel_kg)));
        columns.push(("engine MJ", |lap| format!("{:.2}", 1e-6 * lap.engine_j)));
        columns.push(("s/MJ", |lap| format!("{:.4}", 1e6 * lap.engine_spj)));
    }
    if let Some(tyres) = &car.tyres {
        columns.push(("wear %", |lap| format!("{:.1}", 100.0 * lap.wear)));
        if tyres.temperature.is_some() {
            columns.push(("°C", |lap| format!("{:.1}", lap.temperature_c.unwrap_or_default())));
        }
        columns.push(("grip", |lap| format!("{:.4}", lap.grip)));
        columns.push(("sliding MJ", |lap| format!("{:.3}", 1e-6 * lap.friction_j)));
        columns.push(("s/MJ", |lap| format!("{:.4}", 1e6 * lap.friction_spj)));
    }
    if car.battery.is_some() {
        columns.push(("charge MJ", |lap| format!("{:.3}", 1e-6 * lap.charge_j)));
        columns.push(("motor MJ", |lap| format!("{:.2}", 1e-6 * lap.deployed_j)));
        columns.push(("back MJ", |lap| format!("{:.2}", 1e-6 * lap.recuperated_j)));
        columns.push(("s/MJ", |lap| format!("{:.4}", 1e6 * lap.deployed_spj)));
    }
    let mut rows = vec![columns.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>()];
    rows.extend(laps.iter().map(|lap| columns.iter().map(|(_, cell)| cell(lap)).collect()));
    text.push_str(&text_table(&rows, 1));
    let mut end = Vec::new();
    if car.fuel.is_some() {
        end.push(format!("{:.2} kg of fuel", found.end_fuel_kg));
    }
    if car.tyres.is_some() {
        end.push(format!("{:.1} % worn", 100.0 * found.end_wear));
    }
    if car.battery.is_some() {
        end.push(format!("{:.3} MJ of charge", 1e-6 * found.end_charge_j));
    }
    if !end.is_empty() {
        text.push_str(&format!("  at the end {}\n", end.join(", ")));
    }
    for stretch in &found.line.stretches {
        let SavingStretch { saving, from_m, to_m } = stretch;
        text.push_str(&format!("  lap {}: {} from {from_m:.0} to {to_m:.0} m\n", found.line.lap, saving.name()));
    }
    let Residuals { value_s, price_fraction, budget_fraction, .. } = found.residuals;
    text.push_str(&format!(
        "  laps searched differ from the plan by {:.2} ms, prices by {price_fraction:.0e}, budgets by {budget_fraction:.0e}\n",
        1e3 * value_s
    ));
    text
}

fn json_of(track: &str, vehicle: &str, found: &Stint, warnings: &[Warning]) -> anyhow::Result<String> {
    let summary = Summary {
        track,
        vehicle,
        time_s: found.time_s,
        length_m: found.length_m,
        end_fuel_kg: found.end_fuel_kg,
        end_wear: found.end_wear,
        end_charge_j: found.end_charge_j,
        fuel_spkg: found.fuel_spkg,
        laps: &found.laps,
        shown_lap: found.line.lap,
        stretches: &found.line.stretches,
        residuals: found.residuals,
        searched: found.searched,
        warnings: warnings.iter().map(ToString::to_string).collect(),
    };
    Ok(serde_json::to_string_pretty(&summary)? + "\n")
}
