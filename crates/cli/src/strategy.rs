//! `raceline strategy`: the stops of a race.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, anyhow};
use raceline::RacingLine;
use raceline::pipeline;
use raceline_solve::speed::Effect;
use raceline_tactics::race::{Race, RaceError, RacePlan, SafetyCar, Situation, plan, plan_with_stops};
use serde::Serialize;

use super::GlobalFlags;
use super::file_guard;
use super::line_file::read_with_doubts;
use super::report::{self, Failure};
use super::text_table::text_table;

/// Plan the stops of a race
///
/// Finds the number of stops, their laps and the fuel to load with which the race takes the shortest time,
/// and compares one stop fewer and one more. A lap takes the time of the line, with an empty tank and new
/// tyres, and more for fuel, wear and damage. Without --lap-s-per-kg, what a kilogram costs is computed from
/// the line, as `raceline inspect --sensitivities` does for mass_kg. Fuel is loaded for whole laps.
///
/// With --at-lap, the race is planned again from the end of that lap: the vehicle has the fuel and the tyres
/// that the plan from the start leaves it then, and the safety car and the damage are new.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A racing-line file of a closed track, as `raceline optimize` writes it
    #[arg(value_name = "LINE")]
    line: PathBuf,
    /// Number of laps, 1 to 1000
    #[arg(long, value_name = "N")]
    laps: u32,
    /// Fuel per lap, kg
    #[arg(long, value_name = "KG")]
    fuel_per_lap_kg: f64,
    /// Fuel that the tank holds, kg
    #[arg(long, value_name = "KG")]
    tank_kg: f64,
    /// Time per lap for each kilogram of fuel, s [default: that of mass_kg on this line]
    #[arg(long, value_name = "S")]
    lap_s_per_kg: Option<f64>,
    /// Time per lap for each lap that the tyres have done, s
    #[arg(long, value_name = "S")]
    wear_s_per_lap: f64,
    /// Laps that tyres last [default: any number]
    #[arg(long, value_name = "N")]
    tyre_life_laps: Option<u32>,
    /// Time that a stop costs against driving past, s
    #[arg(long, value_name = "S")]
    pit_loss_s: f64,
    /// Time of a change of tyres, s
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    change_loss_s: f64,
    /// Time per kilogram of fuel at a stop, s
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    refuel_s_per_kg: f64,
    /// Laps behind the safety car, the first and the last as in 20-23
    #[arg(long, value_name = "FROM-TO", requires = "safety_car_pit_loss_s")]
    safety_car_laps: Option<Laps>,
    /// Time that a stop costs behind the safety car, s
    #[arg(long, value_name = "S", requires = "safety_car_laps")]
    safety_car_pit_loss_s: Option<f64>,
    /// Plan again from the end of this lap
    #[arg(long, value_name = "LAP")]
    at_lap: Option<u32>,
    /// Fuel on board then, kg [default: that of the plan from the start]
    #[arg(long, value_name = "KG", requires = "at_lap")]
    fuel_kg: Option<f64>,
    /// Laps that the tyres have done then [default: those of the plan from the start]
    #[arg(long, value_name = "N", requires = "at_lap")]
    tyre_laps: Option<u32>,
    /// Time that damage costs per lap from then on, s
    #[arg(long, value_name = "S", requires = "at_lap")]
    damage_s_per_lap: Option<f64>,
    /// Time of its repair at a stop, s [default: it can't be repaired]
    #[arg(long, value_name = "S", requires = "damage_s_per_lap")]
    repair_loss_s: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  raceline strategy monza.raceline.json --laps 50 --fuel-per-lap-kg 2.4 --tank-kg 80 \\
    --wear-s-per-lap 0.06 --pit-loss-s 25
  The same race after a collision in lap 12, with the safety car out:
    raceline strategy monza.raceline.json --laps 50 --fuel-per-lap-kg 2.4 --tank-kg 80 \\
      --wear-s-per-lap 0.06 --pit-loss-s 25 --at-lap 12 --damage-s-per-lap 0.3 --repair-loss-s 6 \\
      --safety-car-laps 13-16 --safety-car-pit-loss-s 12";

/// A first and a last lap.
#[derive(Clone, Debug)]
struct Laps(RangeInclusive<u32>);

impl FromStr for Laps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let laps = text.split_once('-').and_then(|(first, last)| Some(first.parse().ok()?..=last.parse().ok()?));
        laps.filter(|laps| 1 <= *laps.start() && laps.start() <= laps.end())
            .map(Self)
            .ok_or_else(|| "write the first and the last lap as in 20-23".to_owned())
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    name: &'a str,
    laps: u32,
    lap_time_s: f64,
    lap_s_per_kg: f64,
    from_lap: u32,
    time_s: f64,
    start_fuel_kg: f64,
    stops: Vec<StopSummary>,
    alternatives: Vec<Alternative>,
    cheapest: bool,
}

#[derive(Serialize)]
struct StopSummary {
    lap: u32,
    fuel_kg: f64,
    change: bool,
    repair: bool,
}

/// The plan with another number of stops.
#[derive(Serialize)]
struct Alternative {
    stops: u32,
    /// What it takes more; none where no such plan reaches the end.
    loss_s: Option<f64>,
}

impl Arguments {
    /// Plans the race and prints the plan.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        file_guard::check([&self.line], [])?;
        let line = read_with_doubts(&self.line, flags)?;
        let place = || self.line.display().to_string();
        if !line.closed {
            return Err(Failure::Job(anyhow!("{}: the line is not closed, so that it has no laps", place())));
        }
        let lap_s_per_kg = match self.lap_s_per_kg {
            Some(given) => given,
            None => of_mass(&line).with_context(place)?,
        };
        let race = self.race(line.lap_time_s, lap_s_per_kg);
        let now = self.situation(&race).map_err(failure)?;
        let best = plan(&race, now.as_ref()).map_err(failure)?;
        let count = best.stops.len() as u32;
        let others = [count.checked_sub(1), Some(count + 1)].into_iter().flatten();
        let alternatives = others.map(|stops| match plan_with_stops(&race, now.as_ref(), stops) {
            Ok(other) => Ok(Alternative { stops, loss_s: Some(other.time_s - best.time_s) }),
            Err(RaceError::NoPlan { .. }) => Ok(Alternative { stops, loss_s: None }),
            Err(error) => Err(failure(error)),
        });
        let alternatives = alternatives.collect::<Result<Vec<_>, _>>()?;
        if !best.is_cheapest && !flags.quiet {
            let message = "the search came to its limit: a faster plan may exist; plan fewer laps or a smaller tank";
            report::print_warning(message, flags.colour());
        }
        let from_lap = now.map_or(0, |now| now.lap);
        let text = if self.json {
            json_of(&line, &race, from_lap, &best, alternatives)?
        } else {
            table_of(&line, &race, from_lap, &best, &alternatives)
        };
        Ok(report::to_stdout(&text)?)
    }

    fn race(&self, lap_time_s: f64, lap_s_per_kg: f64) -> Race {
        let safety_car = self.safety_car_laps.as_ref().zip(self.safety_car_pit_loss_s);
        Race {
            laps: self.laps,
            lap_time_s,
            fuel_per_lap_kg: self.fuel_per_lap_kg,
            tank_kg: self.tank_kg,
            lap_s_per_kg,
            wear_s_per_lap: self.wear_s_per_lap,
            tyre_life_laps: self.tyre_life_laps,
            pit_loss_s: self.pit_loss_s,
            change_loss_s: self.change_loss_s,
            refuel_s_per_kg: self.refuel_s_per_kg,
            damage_s_per_lap: self.damage_s_per_lap.unwrap_or(0.0),
            repair_loss_s: self.repair_loss_s,
            safety_car: safety_car.map(|(laps, pit_loss_s)| SafetyCar {
                first_lap: *laps.0.start(),
                last_lap: *laps.0.end(),
                pit_loss_s,
            }),
        }
    }

    /// Where the vehicle is when the race is planned again.
    fn situation(&self, race: &Race) -> Result<Option<Situation>, RaceError> {
        let Some(lap) = self.at_lap else { return Ok(None) };
        let range = |name, value, must| RaceError::Range { name, value, must };
        if !(1..race.laps).contains(&lap) {
            return Err(range("--at-lap", f64::from(lap), "1 or more and less than --laps"));
        }
        let mut now = match (self.fuel_kg, self.tyre_laps) {
            (Some(_), Some(_)) => {
                race.validate()?;
                Situation { lap, ..Situation::default() }
            }
            // Nobody knew of the safety car and the damage then.
            _ => {
                let calm = Race { safety_car: None, damage_s_per_lap: 0.0, repair_loss_s: None, ..race.clone() };
                plan(&calm, None)?.at(lap).unwrap_or(Situation { lap, ..Situation::default() })
            }
        };
        if let Some(fuel_kg) = self.fuel_kg {
            if !(fuel_kg >= 0.0 && fuel_kg <= race.tank_kg) {
                return Err(range("--fuel-kg", fuel_kg, "0 to --tank-kg"));
            }
            now.fuel_laps = Race { tank_kg: fuel_kg, ..race.clone() }.tank_laps();
        }
        now.tyre_laps = self.tyre_laps.unwrap_or(now.tyre_laps);
        now.is_damaged = self.damage_s_per_lap.is_some();
        Ok(Some(now))
    }
}

/// What a kilogram more costs per lap of `line`, s.
fn of_mass(line: &RacingLine) -> anyhow::Result<f64> {
    let all = pipeline::redrive(line)?.sensitivities(&line.vehicle)?;
    let mass = all.iter().find(|sensitivity| sensitivity.key == "mass_kg").map(|sensitivity| &sensitivity.effect);
    match mass {
        Some(Effect::LapTime { s_per_unit, .. }) if *s_per_unit >= 0.0 => Ok(*s_per_unit),
        _ => Err(anyhow!(
            "the lap time does not grow with mass_kg, as the limits of the vehicle are accelerations: specify \
             --lap-s-per-kg"
        )),
    }
}

/// Numbers come from flags; a race without a plan is a failed job.
fn failure(error: RaceError) -> Failure {
    match error {
        RaceError::NoPlan { .. } => Failure::Job(error.into()),
        error => Failure::Usage(error.into()),
    }
}

fn table_of(line: &RacingLine, race: &Race, from_lap: u32, best: &RacePlan, alternatives: &[Alternative]) -> String {
    let stops = |count: usize| if count == 1 { "1 stop".to_owned() } else { format!("{count} stops") };
    let mut text = format!(
        "{}: laps {} to {}, {}, {:.3} s\n",
        line.name,
        from_lap + 1,
        race.laps,
        stops(best.stops.len()),
        best.time_s
    );
    let mut rows = vec![["", "fuel kg", "work"].map(str::to_owned).to_vec()];
    if from_lap == 0 {
        rows.push(vec!["start".to_owned(), format!("{:.1}", best.start_fuel_kg), String::new()]);
    }
    for stop in &best.stops {
        let work = [(stop.change, "tyres"), (stop.repair, "repair")];
        let work: Vec<&str> = work.into_iter().filter(|(done, _)| *done).map(|(_, name)| name).collect();
        rows.push(vec![format!("end of lap {}", stop.lap), format!("{:.1}", stop.fuel_kg), work.join(", ")]);
    }
    text.push_str(&text_table(&rows, 1));
    for other in alternatives {
        let found = other.loss_s.map_or("not possible".to_owned(), |loss_s| format!("{loss_s:+.3} s"));
        text.push_str(&format!("  {}: {found}\n", stops(other.stops as usize)));
    }
    text
}

fn json_of(
    line: &RacingLine,
    race: &Race,
    from_lap: u32,
    best: &RacePlan,
    alternatives: Vec<Alternative>,
) -> anyhow::Result<String> {
    let stops = best.stops.iter().map(|stop| StopSummary {
        lap: stop.lap,
        fuel_kg: stop.fuel_kg,
        change: stop.change,
        repair: stop.repair,
    });
    let summary = Summary {
        name: &line.name,
        laps: race.laps,
        lap_time_s: race.lap_time_s,
        lap_s_per_kg: race.lap_s_per_kg,
        from_lap,
        time_s: best.time_s,
        start_fuel_kg: best.start_fuel_kg,
        stops: stops.collect(),
        alternatives,
        cheapest: best.is_cheapest,
    };
    Ok(serde_json::to_string_pretty(&summary)? + "\n")
}
