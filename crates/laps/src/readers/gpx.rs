//! GPX 1.0 and 1.1 with times: points of tracks, with the speed and the course that 1.0 has and that
//! extensions of 1.1 have under the same names.

use quick_xml::events::{BytesStart, Event};
use raceline_read::input::LogKind;

use super::assembly::{self, number};
use super::elements::Elements;
use crate::error::LogError;
use crate::log::{Log, Quantity};
use crate::times;

/// Elements of a point that are read.
const ELEMENTS: [(&str, Quantity); 5] = [
    ("time", Quantity::Time),
    ("ele", Quantity::Height),
    ("speed", Quantity::Speed),
    ("course", Quantity::Bearing),
    ("sat", Quantity::Satellites),
];

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Log, LogError> {
    let mut elements = Elements::new(bytes);
    let mut columns: [Vec<f64>; 7] = Default::default();
    let mut row = [f64::NAN; 7];
    let mut element: Option<usize> = None;
    let mut text = String::new();
    let mut is_in_point = false;
    loop {
        match elements.next()? {
            Event::Eof => break,
            Event::Start(start) if start.local_name().as_ref() == b"trkpt" => {
                is_in_point = true;
                row = [f64::NAN; 7];
                [row[0], row[1]] = position(&start);
            }
            Event::Start(start) if is_in_point => {
                let local = start.local_name();
                element = ELEMENTS.iter().position(|(name, _)| name.as_bytes() == local.as_ref());
                text.clear();
            }
            Event::Text(part) if element.is_some() => {
                text.push_str(&String::from_utf8_lossy(&part));
            }
            Event::End(end) if end.local_name().as_ref() == b"trkpt" => {
                is_in_point = false;
                for (column, value) in columns.iter_mut().zip(row) {
                    column.push(value);
                }
            }
            Event::End(_) => {
                if let Some(place) = element.take()
                    && let (Some(value), Some((_, quantity))) = (row.get_mut(place + 2), ELEMENTS.get(place))
                {
                    *value = match quantity {
                        Quantity::Time => times::seconds(&text).unwrap_or(f64::NAN),
                        _ => number(&text),
                    };
                }
            }
            _ => {}
        }
    }
    let of =
        [Quantity::Longitude, Quantity::Latitude].into_iter().chain(ELEMENTS.iter().map(|(_, quantity)| *quantity));
    let names = ["lon", "lat", "time", "ele", "speed", "course", "sat"];
    let units = ["deg", "deg", "s", "m", "m/s", "deg", ""];
    let notes = elements.notes(columns[0].len());
    let columns = columns.into_iter().zip(of).zip(names).zip(units);
    let channels = assembly::known(columns.map(|(((values, quantity), name), unit)| (quantity, name, unit, values)))?;
    Ok(Log { notes, ..Log::new(LogKind::Gpx, name, channels) })
}

/// Longitude and latitude of a point, degrees; NaN where they are missing.
fn position(point: &BytesStart) -> [f64; 2] {
    let value = |wanted: &[u8]| {
        let mut attributes = point.attributes().flatten();
        let found = attributes.find(|attribute| attribute.key.local_name().as_ref() == wanted);
        found.map_or(f64::NAN, |attribute| number(&String::from_utf8_lossy(&attribute.value)))
    };
    [value(b"lon"), value(b"lat")]
}
