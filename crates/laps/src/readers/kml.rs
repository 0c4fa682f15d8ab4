//! KML whose tracks have times: `gx:Track`, as telephones and Google Earth write it, or `Track` of KML 2.3
//! (OGC 12-007r2, 10.11): times in `when`, positions in `coord`, in the same order.

use quick_xml::events::Event;
use raceline_read::input::LogKind;

use super::assembly::{self, number};
use super::elements::Elements;
use crate::error::LogError;
use crate::log::{Log, Quantity};
use crate::times;

/// What a sample has.
const COLUMNS: [(Quantity, &str, &str); 4] = [
    (Quantity::Time, "when", "s"),
    (Quantity::Longitude, "longitude", "deg"),
    (Quantity::Latitude, "latitude", "deg"),
    (Quantity::Height, "altitude", "m"),
];

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Log, LogError> {
    let mut elements = Elements::new(bytes);
    let mut columns: [Vec<f64>; 4] = Default::default();
    let (mut times, mut places) = (Vec::new(), Vec::new());
    let mut text = String::new();
    let mut tracks = 0;
    loop {
        match elements.next()? {
            Event::Eof => break,
            Event::Start(start) => {
                text.clear();
                if start.local_name().as_ref() == b"Track" {
                    (times, places) = (Vec::new(), Vec::new());
                }
            }
            Event::Text(part) => text.push_str(&String::from_utf8_lossy(&part)),
            // A sample of which the receiver knew nothing.
            Event::Empty(empty) => match empty.local_name().as_ref() {
                b"when" => times.push(f64::NAN),
                b"coord" => places.push([f64::NAN; 3]),
                _ => {}
            },
            Event::End(end) => match end.local_name().as_ref() {
                b"when" => times.push(times::seconds(&text).unwrap_or(f64::NAN)),
                b"coord" => places.push(position(&text)),
                b"Track" => {
                    tracks += 1;
                    if times.len() != places.len() {
                        let problem = format!("it has {} times and {} positions", times.len(), places.len());
                        let place = format!("track {tracks}");
                        return Err(LogError::Format { place, problem, fix: "export the log again" });
                    }
                    add(&mut columns, std::mem::take(&mut times), std::mem::take(&mut places));
                }
                _ => {}
            },
            _ => {}
        }
    }
    // Times that stand before the positions of a track have a position as far as these go.
    add(&mut columns, times, places);
    let notes = elements.notes(columns[0].len());
    let columns = columns.into_iter().zip(COLUMNS);
    let channels = assembly::known(columns.map(|(values, (quantity, name, unit))| (quantity, name, unit, values)))?;
    Ok(Log { notes, ..Log::new(LogKind::Kml, name, channels) })
}

/// Adds samples, as many as have a time and a place.
fn add(columns: &mut [Vec<f64>; 4], times: Vec<f64>, places: Vec<[f64; 3]>) {
    for (time_s, [longitude, latitude, height_m]) in times.into_iter().zip(places) {
        for (column, value) in columns.iter_mut().zip([time_s, longitude, latitude, height_m]) {
            column.push(value);
        }
    }
}

/// Longitude, latitude and height with blanks between them; NaN where they are missing.
fn position(text: &str) -> [f64; 3] {
    let mut numbers = text.split_ascii_whitespace().map(number);
    std::array::from_fn(|_| numbers.next().unwrap_or(f64::NAN))
}
