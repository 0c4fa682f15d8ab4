//! The soak: many vehicles on one map for minutes, each on its own random roads. It measures the
//! driving time between stuck events.
//!
//! Vehicles do not meet: each has its own copy of the map, so that path following is measured and
//! not traffic.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use crate::contender::Entry;
use crate::courses::Map;
use crate::scene;
use crate::table::Totals;
use crate::tracker::RoadPosition;
use crate::trial::{self, Next, Outcome, STEP_S, Watch};
use crate::vehicle::{VEHICLES, VehicleModel};

/// Roads between junctions in one path.
pub(crate) const LEGS: usize = 12;
/// Remaining length of a path at which the next one is appended, metres.
pub(crate) const RENEW_M: f64 = 15.0;

/// Options of the soak test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoakOptions {
    /// Vehicles, the six kinds in turn.
    pub vehicles: usize,
    /// Time, seconds.
    pub time_s: f64,
    /// Number of seeds, from 1.
    pub seeds: u64,
}

impl Default for SoakOptions {
    fn default() -> Self {
        Self { vehicles: 64, time_s: 300.0, seeds: 5 }
    }
}

/// Runs `entry`; outcomes seed by seed, vehicle by vehicle within.
///
/// # Errors
/// An entry that cannot be built for a vehicle, and roads that do not form a path.
pub fn run(entry: &Entry, map: &Map, options: SoakOptions) -> anyhow::Result<Vec<Outcome>> {
    let runs: Vec<(u64, u64)> =
        (1..=options.seeds).flat_map(|seed| (0..options.vehicles as u64).map(move |vehicle| (seed, vehicle))).collect();
    runs.par_iter()
        .map(|&(seed, index)| {
            let model = &VEHICLES[index as usize % VEHICLES.len()];
            one(entry, map, model, seed, index, options.time_s)
        })
        .collect()
}

fn one(entry: &Entry, map: &Map, model: &VehicleModel, seed: u64, index: u64, time_s: f64) -> anyhow::Result<Outcome> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(index);
    let mut follower = entry.of(model).build(model)?;
    let (path, mut last) = map.walk(&mut random, None, LEGS)?;
    let mut failed = None;
    let next = |place: RoadPosition, length_m: f64| {
        if length_m - place.s_m > RENEW_M {
            return Next::Later;
        }
        match map.walk(&mut random, Some(last), LEGS) {
            Ok((path, end)) => {
                last = end;
                Next::Now(path)
            }
            Err(error) => {
                failed = Some(error);
                Next::End
            }
        }
    };
    let world = scene::world(&map.terrain, &map.blocks, STEP_S);
    let watch = Watch { limit_s: time_s, ..Watch::default() };
    let outcome = trial::drive(world, &map.terrain, path, model, follower.as_mut(), watch, next);
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(outcome),
    }
}

/// The table in Markdown: a row for each contender, the baseline first.
#[must_use]
pub fn markdown(rows: &[(String, Vec<Outcome>)], options: SoakOptions) -> String {
    use std::fmt::Write as _;
    let mut text = String::from(
        "| | driven, s | stuck events | seconds per stuck event | by seed | times the first | inside the corridor | speed, m/s |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let per_event = |outcomes: &[Outcome]| {
        let totals = Totals::of(outcomes);
        totals.time_s / totals.stuck_events as f64
    };
    for (name, outcomes) in rows {
        let totals = Totals::of(outcomes);
        let by_seed: Vec<String> =
            outcomes.chunks(options.vehicles.max(1)).map(|seed| format!("{:.0}", per_event(seed))).collect();
        let _ = writeln!(
            text,
            "| {name} | {:.0} | {} | {:.0} | {} | {:.2} | {:.1} % | {:.2} |",
            totals.time_s,
            totals.stuck_events,
            per_event(outcomes),
            by_seed.join(", "),
            per_event(outcomes) / per_event(&rows[0].1),
            100.0 * totals.inside,
            totals.speed_mps
        );
    }
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    let _ = write!(text, "\n| seconds per stuck event | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(rows.len()));
    for (kind, vehicle) in VEHICLES.iter().enumerate() {
        let cells: Vec<String> = rows
            .iter()
            .map(|(_, outcomes)| {
                let own = outcomes.iter().enumerate();
                let own = own
                    .filter(|(i, _)| i % options.vehicles.max(1) % VEHICLES.len() == kind)
                    .map(|(_, outcome)| outcome);
                let totals = Totals::of(own);
                format!("{:.0}", totals.time_s / totals.stuck_events as f64)
            })
            .collect();
        let _ = writeln!(text, "| {} | {} |", vehicle.name, cells.join(" | "));
    }
    text
}
