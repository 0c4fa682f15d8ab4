//! A sweep's table as CSV (RFC 4180, with line feeds): one row per combination; the last varied
//! number changes fastest.
//!
//! Columns: the varied keys, then `lap_time_s` and `length_m`, `top_speed_mps` and
//! `lowest_speed_mps`, `gain_s` and `gain_percent` over the base vehicle (positive is faster),
//! `status` (`ok` or `failed`) and `message`. A failed row contains only the varied numbers.

use std::fmt::Write;

use super::Table;
use crate::table::quoted;

/// The CSV of `table`.
#[must_use]
pub fn write(table: &Table) -> String {
    let mut text = String::new();
    for axis in &table.axes {
        text.push_str(&quoted(&axis.key));
        text.push(',');
    }
    text.push_str("lap_time_s,length_m,top_speed_mps,lowest_speed_mps,gain_s,gain_percent,status,message\n");
    for row in &table.rows {
        // Writing to a String cannot fail.
        for value in &row.values {
            let _ = write!(text, "{value},");
        }
        match &row.lap {
            Some(lap) => {
                let _ = write!(
                    text,
                    "{:.4},{:.3},{:.3},{:.3},",
                    lap.lap_time_s, lap.length_m, lap.top_speed_mps, lap.lowest_speed_mps
                );
                let _ = match table.gain(row) {
                    Some((gain_s, percent)) => write!(text, "{},{},ok,", signless(gain_s), signless(percent)),
                    None => write!(text, ",,ok,"),
                };
            }
            None => text.push_str(",,,,,,failed,"),
        }
        text.push_str(&quoted(&row.message));
        text.push('\n');
    }
    text
}

/// A number to four decimals, zero without a sign.
fn signless(value: f64) -> String {
    let text = format!("{value:.4}");
    if text == "-0.0000" { "0.0000".to_owned() } else { text }
}
