//! CSV of RaceChrono, AiM and MoTeC, and any other with a header.
//!
//! | Format | Before the header | Behind it |
//! |---|---|---|
//! | RaceChrono 2 | a line that names the program, keys and values | rows; units stand in the names |
//! | RaceChrono 3 | likewise, with `Format,3` | a row of units, a row of sources |
//! | AiM | `"Format","AiM CSV File"`, keys and values, `Beacon Markers` | a row of units |
//! | MoTeC | `"Format","MoTeC CSV File"`, keys and values, `Beacon Markers` | a row of units; numbers of channels |
//! | others | any lines | a row of units, if there is one |

use raceline_file::table::{Row, Table};
use raceline_read::input::LogKind;

use super::assembly::{self, RawColumn, choose, number};
use crate::columns;
use crate::error::LogError;
use crate::log::{Channel, Log, Quantity};
use crate::times;
use crate::units::{factor, is_unit};

/// Lines in which the header is looked for.
const PREAMBLE_LINES: usize = 200;
/// Rows below the header that may be of units, sources and numbers of channels.
const HEADER_ROWS: usize = 4;

pub(super) fn read(bytes: &[u8], name: &str, kind: LogKind) -> Result<Log, LogError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let start = header_start(text).ok_or_else(|| LogError::Format {
        place: format!("the first {PREAMBLE_LINES} lines"),
        problem: "no row names a time, and positions or a speed".to_owned(),
        fix: "export the log with a header",
    })?;
    let (preamble, rest) = text.split_at(start);
    let table = Table::read_uneven(rest, |field| columns::named(field).is_some())?;
    let no_header = Row { line: 1, fields: Vec::new() };
    let header = table.header.as_ref().unwrap_or(&no_header);
    let time_at = time_column(header);
    let is_data = |row: &&Row| time_at.is_some_and(|place| times::seconds(row.field(place)).is_some());
    let above = table.rows.iter().take(HEADER_ROWS).take_while(|row| !is_data(row)).count();
    let (above, rows) = table.rows.split_at(above);
    let units = above.iter().find(|row| row.fields.iter().filter(|field| is_unit(field)).count() > 1);
    let sources = above.iter().find(|row| row.fields.iter().any(|field| field.contains("gps")));
    let cell = |row: Option<&Row>, place: usize| row.map(|row| row.field(place).trim().to_owned()).unwrap_or_default();
    let raw: Vec<RawColumn> = (0..header.fields.len())
        .map(|place| RawColumn {
            name: header.field(place).trim().to_owned(),
            unit: cell(units, place),
            source: cell(sources, place),
        })
        .collect();
    let chosen = choose(&raw, |quantity| default_unit(kind, quantity));
    let channels: Vec<Channel> = chosen
        .columns
        .iter()
        .map(|(place, quantity, unit)| {
            let column = raw.get(*place).map(|column| column.name.as_str()).unwrap_or_default();
            let value = |row: &Row| match quantity {
                Quantity::Time => time(row.field(*place), unit),
                _ => number(row.field(*place)),
            };
            let unit = match quantity {
                // Minutes of an arc are named so by loggers whose columns have no unit.
                Quantity::Latitude | Quantity::Longitude
                    if unit.is_empty() && column.to_lowercase().contains("min") =>
                {
                    "min"
                }
                _ => unit,
            };
            assembly::channel(*quantity, column, unit, rows.iter().map(value).collect())
        })
        .collect::<Result<_, _>>()?;
    Ok(Log { unused: chosen.unused, beacons_s: beacons(preamble), ..Log::new(kind, name, channels) })
}

/// Seconds of a field in `unit`; dates and clock times are seconds whatever the unit is.
fn time(field: &str, unit: &str) -> f64 {
    let is_number = number(field).is_finite();
    let factor = if is_number { factor(Quantity::Time, unit).unwrap_or(1.0) } else { 1.0 };
    times::seconds(field).map_or(f64::NAN, |seconds| seconds * factor)
}

/// Place of the preferred column of times.
fn time_column(header: &Row) -> Option<usize> {
    let times = header.fields.iter().enumerate().filter_map(|(place, field)| Some((place, columns::named(field)?)));
    times
        .filter(|(_, named)| named.quantity == Quantity::Time)
        .min_by_key(|(_, named)| named.rank)
        .map(|(place, _)| place)
}

/// Where the header begins, in bytes.
fn header_start(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n').take(PREAMBLE_LINES) {
        let has = |wanted: &[Quantity]| {
            line.split([',', ';', '\t'])
                .filter_map(|field| columns::named(field.trim().trim_matches(['"', '#', ' '])))
                .any(|named| wanted.contains(&named.quantity))
        };
        if has(&[Quantity::Time]) && has(&[Quantity::Latitude, Quantity::X, Quantity::Speed]) {
            return Some(start);
        }
        start += line.len();
    }
    None
}

/// The unit of a quantity for which the file states none.
fn default_unit(kind: LogKind, quantity: Quantity) -> &'static str {
    match (kind, quantity) {
        (LogKind::Aim | LogKind::MotecCsv, Quantity::Speed) => "km/h",
        (
            LogKind::RaceChrono | LogKind::Aim | LogKind::MotecCsv,
            Quantity::LateralAcceleration | Quantity::Acceleration,
        ) => "g",
        (LogKind::RaceChrono, Quantity::Speed) => "m/s",
        _ => "",
    }
}

/// Times at which the logger saw its beacon, s.
fn beacons(preamble: &str) -> Vec<f64> {
    let line = preamble.lines().find(|line| line.to_lowercase().trim_start_matches('"').starts_with("beacon markers"));
    let fields = line.unwrap_or_default().split([',', ';', ' ', '"']).filter_map(|field| field.parse::<f64>().ok());
    let mut beacons: Vec<f64> = fields.filter(|time| time.is_finite()).collect();
    beacons.sort_by(f64::total_cmp);
    beacons.dedup();
    beacons
}
