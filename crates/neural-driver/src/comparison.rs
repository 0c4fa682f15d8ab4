//! The neural driver beside the follower, by the laps of `raceline drive`.

use std::fmt::Write;
use std::sync::Arc;

use raceline::RacingLine;
use raceline::drive::{DriveOptions, FollowerKind, Measures, Simulation, drive_in};
use raceline_follower::neural::Network;
use rayon::prelude::*;

use crate::error::TrainError;

/// Within this multiple of the follower's lap a lap counts as good.
const GOOD: f64 = 1.1;

/// How both drove a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The line's name.
    pub name: String,
    /// Vehicle.
    pub vehicle: String,
    /// The follower's drive.
    pub follower: Measures,
    /// The network's.
    pub neural: Measures,
}

impl Comparison {
    /// The network's mean lap as a multiple of the follower's; `None` unless both completed theirs.
    #[must_use]
    pub fn fraction(&self) -> Option<f64> {
        let both = self.follower.is_complete() && self.neural.is_complete();
        both.then(|| Some(self.neural.mean_lap_s()? / self.follower.mean_lap_s()?)).flatten()
    }

    /// Whether the network completed its laps, was never stuck, and is within 10 % of the follower.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.neural.stuck_events == 0 && self.fraction().is_some_and(|fraction| fraction <= GOOD)
    }
}

/// Drives every line with the follower and with the network, `laps` timed laps each.
///
/// # Errors
/// [`TrainError::Line`] for a line that cannot be driven.
pub fn compare(lines: &[RacingLine], network: &Arc<Network>, laps: u32) -> Result<Vec<Comparison>, TrainError> {
    let one = |line: &RacingLine| {
        let drive = |follower, network| {
            let options = DriveOptions { follower, laps, ..DriveOptions::default() };
            let simulation = Simulation { network, ..Simulation::default() };
            let failed = |source| TrainError::Line { name: line.name.clone(), source };
            drive_in(line, &line.vehicle, &options, &simulation).map(|drive| drive.measures).map_err(failed)
        };
        Ok(Comparison {
            name: line.name.clone(),
            vehicle: line.vehicle.name.clone(),
            follower: drive(FollowerKind::Both, None)?,
            neural: drive(FollowerKind::Neural, Some(network))?,
        })
    };
    lines.par_iter().map(one).collect()
}

/// The comparisons as a table in Markdown. *Outside* is by how far the body's outermost corner left
/// the road in the whole drive, m; 0 for a drive on the road.
#[must_use]
pub fn table(rows: &[Comparison]) -> String {
    let mut text = "| Track | Vehicle | Follower s | Neural s | Ratio | Outside: follower, neural m | Good |\n\
                    |---|---|---:|---:|---:|---:|---|\n"
        .to_owned();
    let lap = |measures: &Measures| match measures.mean_lap_s() {
        Some(lap) if measures.is_complete() => format!("{lap:.2}"),
        _ => "not completed".to_owned(),
    };
    for row in rows {
        let outside = |measures: &Measures| (-measures.min_room_m).max(0.0);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.2}, {:.2} | {} |",
            row.name,
            row.vehicle,
            lap(&row.follower),
            lap(&row.neural),
            row.fraction().map_or_else(|| "-".to_owned(), |fraction| format!("{fraction:.3}")),
            outside(&row.follower),
            outside(&row.neural),
            if row.is_good() { "yes" } else { "no" },
        );
    }
    let good = rows.iter().filter(|row| row.is_good()).count();
    let on_road = rows.iter().filter(|row| row.neural.stayed_on_road()).count();
    let _ = writeln!(
        text,
        "\nOf {} lines, {good} were completed within 10 % of the follower, and {on_road} without leaving the road.",
        rows.len()
    );
    text
}
