//! GPX 1.0 and 1.1 with times: points of tracks, with the speed and the course that 1.0 has and that
//! extensions of 1.1 have under the same names.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use raceline_read::input::LogKind;

use super::assembly::{self, number};
use super::cut_off::is_end;
use crate::error::LogError;
use crate::log::{Log, Quantity};
use crate::note::SessionNote;
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
    let mut reader = Reader::from_reader(bytes);
    let mut columns: [Vec<f64>; 7] = Default::default();
    let mut row = [f64::NAN; 7];
    let mut element: Option<usize> = None;
    let mut text = String::new();
    let mut is_in_point = false;
    // Elements that are open.
    let mut depth = 0_usize;
    let wrong = |reader: &Reader<&[u8]>, problem: String| LogError::Format {
        place: format!("byte {}", reader.buffer_position()),
        problem,
        fix: "export the log again",
    };
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Err(error) if is_end(&error) => {
                depth += 1;
                break;
            }
            Err(error) => return Err(wrong(&reader, error.to_string())),
            Ok(Event::Start(start)) if start.local_name().as_ref() == b"trkpt" => {
                depth += 1;
                is_in_point = true;
                row = [f64::NAN; 7];
                [row[0], row[1]] = position(&start);
            }
            Ok(Event::Start(start)) if is_in_point => {
                depth += 1;
                let local = start.local_name();
                element = ELEMENTS.iter().position(|(name, _)| name.as_bytes() == local.as_ref());
                text.clear();
            }
            Ok(Event::Text(part)) if element.is_some() => {
                text.push_str(&String::from_utf8_lossy(&part));
            }
            Ok(Event::Start(_)) => depth += 1,
            Ok(Event::End(end)) if end.local_name().as_ref() == b"trkpt" => {
                depth = depth.saturating_sub(1);
                is_in_point = false;
                for (column, value) in columns.iter_mut().zip(row) {
                    column.push(value);
                }
            }
            Ok(Event::End(_)) => {
                depth = depth.saturating_sub(1);
                if let Some(place) = element.take()
                    && let (Some(value), Some((_, quantity))) = (row.get_mut(place + 2), ELEMENTS.get(place))
                {
                    *value = match quantity {
                        Quantity::Time => times::seconds(&text).unwrap_or(f64::NAN),
                        _ => number(&text),
                    };
                }
            }
            Ok(_) => {}
        }
    }
    let of =
        [Quantity::Longitude, Quantity::Latitude].into_iter().chain(ELEMENTS.iter().map(|(_, quantity)| *quantity));
    let names = ["lon", "lat", "time", "ele", "speed", "course", "sat"];
    let units = ["deg", "deg", "s", "m", "m/s", "deg", ""];
    let records = columns[0].len();
    let notes = if depth > 0 { vec![SessionNote::EndsInElement { records }] } else { Vec::new() };
    let mut channels = Vec::new();
    for (((values, quantity), column), unit) in columns.into_iter().zip(of).zip(names).zip(units) {
        if values.iter().any(|value| value.is_finite()) {
            channels.push(assembly::channel(quantity, column, unit, values)?);
        }
    }
    Ok(Log {
        kind: LogKind::Gpx,
        name: name.to_owned(),
        channels,
        unused: Vec::new(),
        start_line: None,
        beacons_s: Vec::new(),
        notes,
    })
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
