//! The table: every contender over the 60 trials.

use std::fmt::Write as _;

use rayon::prelude::*;

use crate::contender::{Contender, Entry};
use crate::scene::Scene;
use crate::trial::{self, Outcome, Watch};
use crate::vehicle::VehicleModel;

/// A column of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name of the contender.
    pub name: String,
    /// Outcomes, path by path, vehicle by vehicle within.
    pub outcomes: Vec<Outcome>,
}

/// Sums over a column's outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Trials.
    pub trials: usize,
    /// Trials with at least one stuck event.
    pub stuck_trials: usize,
    /// Stuck events.
    pub stuck_events: usize,
    /// Times placed back.
    pub placements: usize,
    /// Trials that ended before the end of the path.
    pub unfinished: usize,
    /// Time, seconds.
    pub time_s: f64,
    /// Mean over time of the distance from the path, metres.
    pub cross_track_m: f64,
    /// Mean over trials of the trial's own mean distance from the path, metres.
    pub cross_track_by_trial_m: f64,
    /// Fraction of time inside the corridor.
    pub inside: f64,
    /// Distance driven per time, m/s.
    pub speed_mps: f64,
    /// Arc length cut off, metres.
    pub skipped_m: f64,
}

impl Totals {
    /// Sums in order.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut totals = Self::default();
        let (mut cross_track_ms, mut inside_s, mut distance_m) = (0.0, 0.0, 0.0);
        for outcome in outcomes {
            totals.trials += 1;
            totals.stuck_trials += usize::from(outcome.stuck_events > 0);
            totals.stuck_events += outcome.stuck_events;
            totals.placements += outcome.placements;
            totals.unfinished += usize::from(!outcome.finished);
            totals.time_s += outcome.time_s;
            totals.skipped_m += outcome.skipped_m;
            totals.cross_track_by_trial_m += outcome.cross_track_ms / outcome.time_s.max(trial::STEP_S);
            cross_track_ms += outcome.cross_track_ms;
            inside_s += outcome.inside_s;
            distance_m += outcome.distance_m;
        }
        let time_s = totals.time_s.max(trial::STEP_S);
        totals.cross_track_m = cross_track_ms / time_s;
        totals.inside = inside_s / time_s;
        totals.speed_mps = distance_m / time_s;
        totals.cross_track_by_trial_m /= totals.trials.max(1) as f64;
        totals
    }
}

/// Runs every entry over every scene with every vehicle.
///
/// # Errors
/// An entry that cannot be built for a vehicle.
pub fn run(entries: &[Entry], scenes: &[Scene], vehicles: &[VehicleModel]) -> anyhow::Result<Vec<Column>> {
    let mut columns = Vec::with_capacity(entries.len());
    for entry in entries {
        let trials: Vec<(&Scene, &VehicleModel)> =
            scenes.iter().flat_map(|scene| vehicles.iter().map(move |vehicle| (scene, vehicle))).collect();
        let outcomes: Result<Vec<Outcome>, _> = trials
            .par_iter()
            .map(|(scene, vehicle)| {
                let contender: Contender = entry.of(vehicle);
                let mut follower = contender.build(vehicle)?;
                Ok::<_, raceline_follower::OptionsError>(trial::run(
                    scene,
                    vehicle,
                    follower.as_mut(),
                    Watch::default(),
                ))
            })
            .collect();
        columns.push(Column { name: entry.name.clone(), outcomes: outcomes? });
    }
    Ok(columns)
}

/// The tables in Markdown: totals, stuck events by vehicle, stuck events by path.
#[must_use]
pub fn markdown(columns: &[Column], scenes: &[Scene], vehicles: &[VehicleModel]) -> String {
    let totals: Vec<Totals> = columns.iter().map(|column| Totals::of(&column.outcomes)).collect();
    let mut text = String::new();
    heading(&mut text, "", columns);
    let mut row = |name: &str, cell: &dyn Fn(&Totals) -> String| {
        let cells: Vec<String> = totals.iter().map(cell).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    };
    row("trials with a stuck event", &|t| format!("{} of {}", t.stuck_trials, t.trials));
    row("stuck events", &|t| t.stuck_events.to_string());
    row("change from the first", &|t| change(t.stuck_events as f64, totals[0].stuck_events as f64));
    row("cross-track error, mean over trials, m", &|t| format!("{:.3}", t.cross_track_by_trial_m));
    row("cross-track error, mean over time, m", &|t| format!("{:.3}", t.cross_track_m));
    row("time, s", &|t| format!("{:.1}", t.time_s));
    row("change from the first", &|t| change(t.time_s, totals[0].time_s));
    row("time inside the corridor", &|t| format!("{:.1} %", 100.0 * t.inside));
    row("speed, m/s", &|t| format!("{:.2}", t.speed_mps));
    row("placed back", &|t| t.placements.to_string());
    row("end not reached in 300 s", &|t| t.unfinished.to_string());
    row("path cut off, m", &|t| format!("{:.0}", t.skipped_m));
    let each = |pick: &dyn Fn(usize, usize) -> bool, column: &Column| {
        let picked = column.outcomes.iter().enumerate();
        Totals::of(picked.filter(|(i, _)| pick(i / vehicles.len(), i % vehicles.len())).map(|(_, outcome)| outcome))
    };
    for (title, names, by_vehicle) in [
        ("stuck events, s by vehicle", vehicles.iter().map(|v| v.name.to_owned()).collect::<Vec<_>>(), true),
        ("stuck events, s by path", scenes.iter().map(|s| s.name.clone()).collect(), false),
    ] {
        text.push('\n');
        heading(&mut text, title, columns);
        for (k, name) in names.iter().enumerate() {
            let cells: Vec<String> = columns
                .iter()
                .map(|column| {
                    let part = each(&|scene, vehicle| if by_vehicle { vehicle == k } else { scene == k }, column);
                    format!("{}, {:.1}", part.stuck_events, part.time_s)
                })
                .collect();
            let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
        }
    }
    text
}

/// Every trial in Markdown: for each follower, stuck events and seconds by path and vehicle.
#[must_use]
pub fn trials_markdown(columns: &[Column], scenes: &[Scene], vehicles: &[VehicleModel]) -> String {
    let mut text = String::new();
    for column in columns {
        let names: Vec<&str> = vehicles.iter().map(|vehicle| vehicle.name).collect();
        let _ = writeln!(text, "\n| {} | {} |", column.name, names.join(" | "));
        let _ = writeln!(text, "|---|{}", "---|".repeat(vehicles.len()));
        for (scene, outcomes) in scenes.iter().zip(column.outcomes.chunks(vehicles.len().max(1))) {
            let cells: Vec<String> =
                outcomes.iter().map(|outcome| format!("{}, {:.1}", outcome.stuck_events, outcome.time_s)).collect();
            let _ = writeln!(text, "| {} | {} |", scene.name, cells.join(" | "));
        }
    }
    text
}

fn heading(text: &mut String, title: &str, columns: &[Column]) {
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let _ = writeln!(text, "| {title} | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
}

fn change(value: f64, first: f64) -> String {
    if first == 0.0 { "–".to_owned() } else { format!("{:+.0} %", 100.0 * (value / first - 1.0)) }
}
