//! FIT, as sports watches write it (Garmin, *Flexible and Interoperable Data Transfer Protocol*): the
//! positions, speeds and heights of the messages `record`.
//!
//! The first byte of a message gives what follows: a definition, which names the fields of one of 16 local
//! kinds with their sizes, or data of such a kind. A kind of data may have its time as five bits in that
//! byte.

use raceline_read::input::LogKind;

use super::assembly;
use crate::error::LogError;
use crate::log::{Log, Quantity};
use crate::note::SessionNote;

/// The number of the message `record`.
const RECORD: u16 = 20;
/// Degrees for each unit of a position: half a circle in 2³¹ parts.
const SEMICIRCLE_DEG: f64 = 180.0 / 2_147_483_648.0;

/// A field of a record that is read: its number, what it holds, and value = raw · factor + offset.
struct KnownField(u8, Quantity, f64, f64);

/// The preferred of two fields of one quantity comes first.
const FIELDS: [KnownField; 7] = [
    KnownField(253, Quantity::Time, 1.0, 0.0),
    KnownField(1, Quantity::Longitude, SEMICIRCLE_DEG, 0.0),
    KnownField(0, Quantity::Latitude, SEMICIRCLE_DEG, 0.0),
    KnownField(73, Quantity::Speed, 1e-3, 0.0),
    KnownField(6, Quantity::Speed, 1e-3, 0.0),
    KnownField(78, Quantity::Height, 0.2, -500.0),
    KnownField(2, Quantity::Height, 0.2, -500.0),
];

/// What a local kind of message contains.
#[derive(Clone, Debug, Default)]
struct Definition {
    message: u16,
    is_big_endian: bool,
    /// Numbers and sizes of the fields.
    fields: Vec<(u8, usize)>,
    /// Bytes of the fields of developers behind them.
    more: usize,
}

/// The bytes of the messages, and how far they are read.
struct Messages<'a> {
    bytes: &'a [u8],
    at: usize,
}

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Log, LogError> {
    let damaged = |place: usize, problem: &str| LogError::Format {
        place: format!("byte {place}"),
        problem: problem.to_owned(),
        fix: "export the log again",
    };
    let header = usize::from(bytes.first().copied().unwrap_or(0));
    let size = bytes.get(4..8).and_then(|field| Some(u32::from_le_bytes(field.try_into().ok()?)));
    let size = size.and_then(|size| usize::try_from(size).ok()).ok_or_else(|| damaged(4, "it states no size"))?;
    let end = header.saturating_add(size);
    // A logger writes the size last, and its file ends anywhere if it loses its power before.
    let cut = Cut::of(bytes, header, size);
    let data = if cut.is_some() { bytes } else { bytes.get(..end).unwrap_or(bytes) };
    let mut messages = Messages { bytes: data, at: header };
    let mut definitions: [Option<Definition>; 16] = Default::default();
    let mut columns: [Vec<f64>; FIELDS.len()] = Default::default();
    let mut latest_s = 0_u32;
    while messages.at < data.len() {
        let start = messages.at;
        let row = match messages.row(&mut definitions, &mut latest_s) {
            Ok(row) => row,
            // The end of a file that is cut off is part of a message, or what was in the memory before.
            Err(_) if cut.is_some() => {
                messages.at = start;
                break;
            }
            Err(problem) => return Err(damaged(start, problem)),
        };
        // A record of which nothing is known takes memory alone.
        let Some(row) = row.filter(|row| row.iter().any(|value| value.is_finite())) else { continue };
        // Zeros behind the data are records of the first kind, at a time long ago.
        if cut.is_some() && row[0] < columns[0].last().copied().unwrap_or(f64::NEG_INFINITY) {
            messages.at = start;
            break;
        }
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    let records = columns[0].len();
    let notes = match cut {
        Some(_) if records == 0 => return Err(damaged(4, "the file is cut off before its first record")),
        Some(Cut { missing }) => vec![SessionNote::CutOff { missing, unread: data.len() - messages.at, records }],
        None => Vec::new(),
    };
    let units = ["s", "deg", "deg", "m/s", "m/s", "m", "m"];
    let names =
        ["timestamp", "position_long", "position_lat", "enhanced_speed", "speed", "enhanced_altitude", "altitude"];
    let columns = columns.into_iter().zip(FIELDS).zip(names).zip(units);
    let channels = assembly::known(
        columns.map(|(((values, KnownField(_, quantity, ..)), name), unit)| (quantity, name, unit, values)),
    )?;
    Ok(Log { notes, ..Log::new(LogKind::Fit, name, channels) })
}

/// A file that ends before it was finished.
struct Cut {
    /// Number of bytes that it states and does not have; `None` if it states none.
    missing: Option<usize>,
}

impl Cut {
    fn of(bytes: &[u8], header: usize, size: usize) -> Option<Self> {
        let missing = header.saturating_add(size).saturating_sub(bytes.len());
        let is_unfinished = size == 0 && bytes.len() > header;
        if is_unfinished {
            Some(Self { missing: None })
        } else {
            (missing > 0).then_some(Self { missing: Some(missing) })
        }
    }
}

/// The values of a record, in the order of [`FIELDS`].
type Row = [f64; FIELDS.len()];

impl<'a> Messages<'a> {
    /// Reads a message: the values of a record, or nothing of another one, or what is wrong.
    fn row(
        &mut self,
        definitions: &mut [Option<Definition>; 16],
        latest_s: &mut u32,
    ) -> Result<Option<Row>, &'static str> {
        const ENDS: &str = "the file ends in a message";
        let &[kind] = self.take(1).ok_or(ENDS)? else { return Err(ENDS) };
        // A byte with its highest bit set is data with a short time.
        let has_short_time = kind & 0x80 != 0;
        if !has_short_time && kind & 0x40 != 0 {
            let definition = self.definition(kind & 0x20 != 0).ok_or(ENDS)?;
            if let Some(slot) = definitions.get_mut(usize::from(kind & 0x0f)) {
                *slot = Some(definition);
            }
            return Ok(None);
        }
        let local = if has_short_time { kind >> 5 & 0x03 } else { kind & 0x0f };
        let Some(Some(definition)) = definitions.get(usize::from(local)) else {
            return Err("a message has no definition");
        };
        let mut row = [f64::NAN; FIELDS.len()];
        for &(number, size) in &definition.fields {
            let field = self.take(size).ok_or(ENDS)?;
            let Some(raw) = raw(field, definition.is_big_endian, number) else { continue };
            if number == 253 {
                *latest_s = raw as u32;
            }
            for (value, KnownField(known, _, factor, offset)) in row.iter_mut().zip(&FIELDS) {
                if *known == number {
                    *value = raw * factor + offset;
                }
            }
        }
        self.take(definition.more).ok_or(ENDS)?;
        if has_short_time {
            let short = u32::from(kind & 0x1f);
            *latest_s = latest_s.wrapping_add(short.wrapping_sub(*latest_s) & 0x1f);
            row[0] = f64::from(*latest_s);
        }
        Ok((definition.message == RECORD).then_some(row))
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    /// The definition behind its first byte.
    fn definition(&mut self, has_more: bool) -> Option<Definition> {
        let &[_, order, a, b, count] = self.take(5)? else { return None };
        let is_big_endian = order == 1;
        let message = if is_big_endian { u16::from_be_bytes([a, b]) } else { u16::from_le_bytes([a, b]) };
        let fields = self.take(3 * usize::from(count))?.chunks_exact(3);
        let fields = fields.map(|field| (field[0], usize::from(field[1]))).collect();
        let mut more = 0;
        if has_more {
            let &[count] = self.take(1)? else { return None };
            more = self.take(3 * usize::from(count))?.chunks_exact(3).map(|field| usize::from(field[1])).sum();
        }
        Some(Definition { message, is_big_endian, fields, more })
    }
}

/// The number in a field; `None` for one that the logger marks as invalid, and for lists.
fn raw(field: &[u8], is_big_endian: bool, number: u8) -> Option<f64> {
    match *field {
        [a, b] => {
            let value = if is_big_endian { u16::from_be_bytes([a, b]) } else { u16::from_le_bytes([a, b]) };
            (value != u16::MAX).then_some(f64::from(value))
        }
        [a, b, c, d] => {
            let order = if is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
            let value = order([a, b, c, d]);
            // Positions are signed.
            if number <= 1 {
                let signed = value.cast_signed();
                return (signed != i32::MAX).then_some(f64::from(signed));
            }
            (value != u32::MAX).then_some(f64::from(value))
        }
        _ => None,
    }
}
