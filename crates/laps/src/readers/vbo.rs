//! VBO of Racelogic: text in sections.
//!
//! `[header]` has one full name for each column, some with their unit; `[channel units]` has units;
//! `[column names]` has the short names in one line; `[data]` has rows of fields between blanks.
//! `[laptiming]` has the ends of the start line. Latitude and longitude are in minutes, and longitude is
//! positive to the west. Times are `hhmmss.sss` of the day in UTC. Racelogic, *VBO file format*.

use raceline_numerics::math;
use raceline_read::input::LogKind;

use super::assembly::{self, RawColumn, choose, number};
use crate::error::LogError;
use crate::log::{Channel, Log, Quantity};
use crate::times;

/// Of the number of satellites, these bits are others: 64 a differential fix, 128 a pressed trigger.
const FLAGS: f64 = 64.0;
const DAY_S: f64 = 86_400.0;
/// A time that falls by more than this has passed midnight, s.
const MIDNIGHT_S: f64 = 43_200.0;

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Log, LogError> {
    let text = String::from_utf8_lossy(bytes);
    let section = |wanted: &str| -> Vec<&str> {
        let lines = text.lines().map(str::trim);
        let body = lines.skip_while(|line| !line.eq_ignore_ascii_case(wanted)).skip(1);
        body.take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty()).collect()
    };
    let format = |place: &str, problem: &str| LogError::Format {
        place: place.to_owned(),
        problem: problem.to_owned(),
        fix: "save the file from the logger again",
    };
    let names: Vec<&str> = section("[column names]").iter().flat_map(|line| line.split_whitespace()).collect();
    let (full, units) = (section("[header]"), section("[channel units]"));
    let rows = section("[data]");
    if names.is_empty() {
        return Err(format("section [column names]", "it names no column"));
    }
    let raw: Vec<RawColumn> = (0..names.len())
        .map(|place| {
            let short = names.get(place).copied().unwrap_or_default();
            // A full name may have a unit, and may be known where the short one is not.
            let full = full.get(place).filter(|_| full.len() == names.len());
            let unit = full.and_then(|full| crate::columns::named(full)?.unit);
            let is_known = crate::columns::named(short).is_some();
            let name = if is_known { short } else { full.copied().unwrap_or(short) };
            let stated = units.get(place).filter(|unit| units.len() == names.len() && **unit != "(null)");
            let unit = unit.or_else(|| stated.map(|unit| (*unit).to_owned())).unwrap_or_default();
            RawColumn { name: name.to_owned(), unit, source: "gps".to_owned() }
        })
        .collect();
    let chosen = choose(&raw, |_| "");
    let mut channels: Vec<Channel> = Vec::new();
    for (place, quantity, unit) in &chosen.columns {
        let cells = rows.iter().map(|row| row.split_whitespace().nth(*place).unwrap_or_default());
        let mut values: Vec<f64> = match quantity {
            Quantity::Time => over_midnight(cells.map(|cell| times::of_racelogic(cell).unwrap_or(f64::NAN))),
            Quantity::Satellites => cells.map(|cell| number(cell) % FLAGS).collect(),
            Quantity::Longitude => cells.map(|cell| -number(cell)).collect(),
            _ => cells.map(number).collect(),
        };
        // The units of positions are minutes, whatever a table of units states.
        let unit = match quantity {
            Quantity::Latitude | Quantity::Longitude => "min",
            Quantity::Speed if unit.is_empty() => "km/h",
            Quantity::LateralAcceleration | Quantity::Acceleration if unit.is_empty() => "g",
            _ => unit,
        };
        if *quantity == Quantity::Time {
            values.iter_mut().for_each(|value| *value = if value.is_finite() { *value } else { f64::NAN });
        }
        let name = raw.get(*place).map(|column| column.name.as_str()).unwrap_or_default();
        channels.push(assembly::channel(*quantity, name, unit, values)?);
    }
    without_fix(&mut channels);
    let start_line = section("[laptiming]").iter().find_map(|line| start_line(line));
    let start_line = start_line.and_then(|ends| oriented(ends, &channels));
    Ok(Log { unused: chosen.unused, start_line, ..Log::new(LogKind::Racelogic, name, channels) })
}

/// Times of a day that go on after midnight.
fn over_midnight(times: impl Iterator<Item = f64>) -> Vec<f64> {
    let (mut day_s, mut before) = (0.0, f64::NEG_INFINITY);
    let mut passed = |time: f64| {
        if time < before - MIDNIGHT_S {
            day_s += DAY_S;
        }
        if time.is_finite() {
            before = time;
        }
        time + day_s
    };
    times.map(&mut passed).collect()
}

/// Removes positions without a fix: at zero degrees, or with no satellite.
fn without_fix(channels: &mut [Channel]) {
    let values =
        |quantity: Quantity| channels.iter().find(|channel| channel.quantity == quantity).map(|found| &found.values);
    let Some(latitudes) = values(Quantity::Latitude) else { return };
    let satellites = values(Quantity::Satellites);
    let has_none = |row: usize| satellites.and_then(|values| values.get(row)).is_some_and(|&count| count == 0.0);
    let lost: Vec<bool> =
        latitudes.iter().enumerate().map(|(row, &latitude)| latitude == 0.0 || has_none(row)).collect();
    // A file that states no satellites at all, as of a converter, has positions nevertheless.
    let all_lost = lost.iter().all(|&lost| lost);
    for channel in
        channels.iter_mut().filter(|channel| matches!(channel.quantity, Quantity::Latitude | Quantity::Longitude))
    {
        for (value, &lost) in channel.values.iter_mut().zip(&lost) {
            if lost && !(all_lost && *value != 0.0) {
                *value = f64::NAN;
            }
        }
    }
}

/// The four numbers of a line `Start` of `[laptiming]`, in minutes.
fn start_line(line: &str) -> Option<[f64; 4]> {
    let mut fields = line.split_whitespace();
    if !fields.next()?.eq_ignore_ascii_case("start") {
        return None;
    }
    let numbers: Vec<f64> = fields.map(number).take(4).collect();
    numbers.try_into().ok().filter(|numbers: &[f64; 4]| numbers.iter().all(|value| value.is_finite()))
}

/// Both ends as longitude and latitude. The longitude is written first; some programs write the latitude
/// first, so the order that lies near the path is taken.
fn oriented([a, b, c, d]: [f64; 4], channels: &[Channel]) -> Option<[[f64; 2]; 2]> {
    let mean = |quantity: Quantity| {
        let values = channels.iter().find(|channel| channel.quantity == quantity)?;
        let known: Vec<f64> = values.values.iter().copied().filter(|value| value.is_finite()).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    let (longitude, latitude) = (mean(Quantity::Longitude)?, mean(Quantity::Latitude)?);
    let far = |ends: &[[f64; 2]; 2]| {
        ends.iter().map(|end| math::hypot(end[0] - longitude, end[1] - latitude)).fold(0.0, f64::max)
    };
    let degrees = |west: f64, north: f64| [-west / 60.0, north / 60.0];
    let both = [[degrees(a, b), degrees(c, d)], [degrees(b, a), degrees(d, c)]];
    both.into_iter().min_by(|one, other| far(one).total_cmp(&far(other))).filter(|ends| far(ends) < 1.0)
}
