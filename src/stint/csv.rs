//! A stint's laps as CSV (RFC 4180, with line feeds): one row per lap.

use std::fmt::Write;

use super::Stint;

/// The CSV of a stint. Columns: those of the table of `raceline stint` with their units.
///
/// `temperature_c` is empty where the temperature is not modelled.
#[must_use]
pub fn write(stint: &Stint) -> String {
    let mut text = String::from(
        "lap,time_s,fuel_kg,wear,temperature_c,charge_j,grip,engine_j,deployed_j,recuperated_j,friction_j,engine_spj,\
         deployed_spj,recuperated_spj,friction_spj,searched\n",
    );
    for lap in &stint.laps {
        let temperature_c = lap.temperature_c.map(|temperature_c| format!("{temperature_c:.2}")).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{},{:.4},{:.4},{:.6},{temperature_c},{:.0},{:.5},{:.0},{:.0},{:.0},{:.0},{:.4e},{:.4e},{:.4e},{:.4e},{}",
            lap.lap,
            lap.time_s,
            lap.fuel_kg,
            lap.wear,
            lap.charge_j,
            lap.grip,
            lap.engine_j,
            lap.deployed_j,
            lap.recuperated_j,
            lap.friction_j,
            lap.engine_spj,
            lap.deployed_spj,
            lap.recuperated_spj,
            lap.friction_spj,
            lap.searched
        );
    }
    text
}
