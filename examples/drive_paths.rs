//! Drives planned paths over random tasks on maps and reports why tasks failed:
//! `cargo run --release --example drive_paths -- TASKS SEED PLANNER MAP…`.
//!
//! For each task, two random places with room, it does what `raceline optimize MAP --from --to
//! --vehicle robot-car` and `raceline drive` do. A task counts as solvable if hybrid A* finds a
//! path with either end heading: then the vehicle can get there without a manoeuvre.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use raceline::Options;
use raceline::drive::{DriveOptions, drive};
use raceline::frame::Spot;
use raceline::pipeline::{self, Request};
use raceline::plan::{PlanOptions, PlannerKind, plan, tasks};
use rayon::prelude::*;

/// How a task ended.
enum Outcome {
    /// Driven without leaving the road.
    Clean,
    /// A line was found, but the drive was not clean.
    NotClean(String),
    /// No line was found.
    NoLine(String),
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().ok_or(format!("specify {what}: TASKS SEED PLANNER MAP…"));
    let count: usize = next("the number of tasks")?.parse()?;
    let seed: u64 = next("the seed")?.parse()?;
    let name = next("the planner")?;
    let kind = PlannerKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or("no planner has this name")?;
    let maps: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    println!("{:28} tasks  solvable  line  clean  clean of solvable", "map");
    let (mut all_solvable, mut all_clean) = (0, 0);
    for map in &maps {
        let [solvable, line, clean, both] = on_map(map, kind, count, seed)?;
        let name = map.file_name().unwrap_or_default().to_string_lossy();
        println!("{name:28} {count:5}  {solvable:8}  {line:4}  {clean:5}  {both:5}");
        all_solvable += solvable;
        all_clean += both;
    }
    println!("all: {all_clean} of {all_solvable} solvable tasks driven clean");
    Ok(())
}

/// Counts of solvable tasks, lines, clean drives, and clean drives of solvable tasks.
fn on_map(map: &Path, kind: PlannerKind, count: usize, seed: u64) -> Result<[usize; 4], Box<dyn Error>> {
    let mut options = Options { vehicle: Some("robot-car".to_owned()), ..Options::default() };
    options.plan.planner = Some(kind);
    let vehicle = options.load_vehicle()?;
    let space = pipeline::free_space(map, &options, &vehicle)?;
    let outcomes: Vec<(bool, Outcome, String)> = tasks(&space, count, seed)
        .into_par_iter()
        .map(|task| {
            let reach = PlanOptions::default();
            let solvable = plan(PlannerKind::HybridAStar, &reach, &space, &task, false, &vehicle, 1).is_ok();
            let [from, to] = task.map(|point| Some(Spot::Metres([point.x, point.y])));
            let path = PlanOptions { from, to, ..options.plan.clone() };
            let outcome = outcome(map, &Options { plan: path, ..options.clone() });
            let ends = task.map(|point| format!("{:.2},{:.2}", point.x, point.y)).join(" to ");
            (solvable, outcome, ends)
        })
        .collect();
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut counts = [0; 4];
    for (solvable, outcome, ends) in outcomes {
        let clean = matches!(outcome, Outcome::Clean);
        counts[0] += usize::from(solvable);
        counts[1] += usize::from(!matches!(outcome, Outcome::NoLine(_)));
        counts[2] += usize::from(clean);
        counts[3] += usize::from(clean && solvable);
        let kind = if solvable { "solvable" } else { "not solvable" };
        match outcome {
            Outcome::Clean => {}
            Outcome::NotClean(reason) => reasons.entry(format!("drive: {reason}")).or_default().push(ends),
            Outcome::NoLine(reason) => reasons.entry(format!("{kind}, no line: {reason}")).or_default().push(ends),
        }
    }
    for (reason, ends) in reasons {
        println!("  {} × {reason}\n      {}", ends.len(), ends.join("; "));
    }
    Ok(counts)
}

fn outcome(map: &Path, options: &Options) -> Outcome {
    let found = options
        .load_vehicle()
        .map_err(|error| error.to_string())
        .and_then(|vehicle| Ok((pipeline::optimize(map, &Request::new(options, &vehicle)).map_err(text)?, vehicle)));
    let (line, vehicle) = match found {
        Ok((outcome, vehicle)) => (outcome.line, vehicle),
        Err(reason) => return Outcome::NoLine(reason),
    };
    match drive(&line, &vehicle, &DriveOptions::default()) {
        Ok(driven) if !driven.measures.is_complete() => Outcome::NotClean("not completed".to_owned()),
        Ok(driven) if driven.measures.stuck_events > 0 => Outcome::NotClean("got stuck".to_owned()),
        Ok(driven) if !driven.measures.stayed_on_road() => {
            Outcome::NotClean(format!("left the road by {:.2} m", -driven.measures.min_room_m))
        }
        Ok(_) => Outcome::Clean,
        Err(error) => Outcome::NotClean(error.to_string()),
    }
}

/// The innermost message, which names the cause.
fn text(error: pipeline::Error) -> String {
    let mut cause: &dyn Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
