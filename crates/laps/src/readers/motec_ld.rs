//! MoTeC's binary log: little-endian, a header, a linked list of channels, and their values.
//!
//! | At | Header |
//! |---|---|
//! | 0x00 | marker, 0x40 |
//! | 0x08 | where the first channel is described |
//!
//! | At | Channel |
//! |---|---|
//! | 0x00 | where the one before is described |
//! | 0x04 | where the next is described, 0 for the last |
//! | 0x08 | where its values are |
//! | 0x0c | number of values |
//! | 0x12 | kind: 7 is a floating-point number, 0, 3 and 5 a whole one |
//! | 0x14 | bytes of a value |
//! | 0x16 | values each second |
//! | 0x18 | shift, factor, scale, decimals: 2 bytes each, signed |
//! | 0x20 | name, 32 bytes; short name, 8 bytes; unit, 12 bytes |
//!
//! A value is (raw / scale · 10^-decimals + shift) · factor. The layout is not published; it is that which
//! public readers found, such as `ldparser`.

use raceline_numerics::math;
use raceline_read::input::LogKind;

use super::assembly::{self, RawColumn, choose};
use crate::error::LogError;
use crate::log::{Log, Quantity};

/// More channels than a logger has.
const MAX_CHANNELS: usize = 4096;
/// Length of the description of a channel, bytes.
const CHANNEL_BYTES: usize = 84;
/// Largest number of rows that are made for each second.
const MAX_ROW_RATE: f64 = 25.0;
/// Longest log, s: a day.
const LONGEST_S: f64 = 86_400.0;

struct LdChannel {
    column: RawColumn,
    data: usize,
    count: usize,
    is_float: bool,
    bytes: usize,
    rate: f64,
    shift: f64,
    factor: f64,
    scale: f64,
    decimals: i32,
}

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Log, LogError> {
    let damaged = |place: usize, problem: &str| LogError::Format {
        place: format!("byte {place}"),
        problem: problem.to_owned(),
        fix: "copy the log from the logger again",
    };
    let mut place = word(bytes, 8).ok_or_else(|| damaged(8, "the file ends in its header"))?;
    let mut described: Vec<LdChannel> = Vec::new();
    while place != 0 {
        if described.len() == MAX_CHANNELS {
            return Err(damaged(place, "its list of channels has no end"));
        }
        let channel = bytes.get(place..place.saturating_add(CHANNEL_BYTES)).and_then(describe);
        let (channel, next) = channel.ok_or_else(|| damaged(place, "the file ends in the description of a channel"))?;
        described.push(channel.within(bytes.len()));
        place = next;
    }
    let columns: Vec<RawColumn> = described.iter().map(|channel| channel.column.clone()).collect();
    let chosen = choose(&columns, |quantity| if quantity == Quantity::Speed { "km/h" } else { "" });
    let used =
        || chosen.columns.iter().filter_map(|(place, quantity, unit)| Some((described.get(*place)?, *quantity, unit)));
    let seconds = used().map(|(channel, ..)| channel.count as f64 / channel.rate).fold(0.0, f64::max);
    if seconds > LONGEST_S {
        return Err(damaged(0, "it is longer than a day"));
    }
    let row_rate = used().map(|(channel, ..)| channel.rate).fold(1.0, f64::max).min(MAX_ROW_RATE);
    let rows = (seconds * row_rate).ceil() as usize;
    let times = (0..rows).map(|row| row as f64 / row_rate).collect();
    let mut channels = vec![assembly::channel(Quantity::Time, "time", "s", times)?];
    for (channel, quantity, unit) in used().filter(|(_, quantity, _)| *quantity != Quantity::Time) {
        // A row has the value that begins in it; a slower channel leaves rows without one, since repeated
        // positions are none.
        let mut values = vec![f64::NAN; rows];
        for index in 0..channel.count {
            let row = (index as f64 / channel.rate * row_rate).round() as usize;
            if let (Some(slot), Some(value)) = (values.get_mut(row), channel.value(bytes, index)) {
                *slot = value;
            }
        }
        channels.push(assembly::channel(quantity, &channel.column.name, unit, values)?);
    }
    Ok(Log { unused: chosen.unused, ..Log::new(LogKind::MotecLd, name, channels) })
}

/// A channel and the place of the next one.
fn describe(bytes: &[u8]) -> Option<(LdChannel, usize)> {
    let text = |from: usize, length: usize| {
        let field = bytes.get(from..from + length).unwrap_or_default();
        let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
        String::from_utf8_lossy(field.get(..end).unwrap_or_default()).trim().to_owned()
    };
    let half = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let signed = |at: usize| Some(f64::from(i16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let decimals = i16::from_le_bytes(bytes.get(0x1e..0x20)?.try_into().ok()?);
    let rate = f64::from(half(0x16)?).max(1.0);
    let channel = LdChannel {
        column: RawColumn { name: text(0x20, 32), unit: text(0x48, 12), source: String::new() },
        data: word(bytes, 8)?,
        count: word(bytes, 12)?,
        is_float: half(0x12)? == 7,
        bytes: usize::from(half(0x14)?),
        rate,
        shift: signed(0x18)?,
        factor: signed(0x1a)?,
        scale: signed(0x1c)?,
        decimals: i32::from(decimals),
    };
    Some((channel, word(bytes, 4)?))
}

impl LdChannel {
    /// The channel with the values alone that a file of this length can hold.
    fn within(self, length: usize) -> Self {
        let fit = length.saturating_sub(self.data) / self.bytes.max(1);
        Self { count: self.count.min(fit), ..self }
    }

    /// The value with this index; `None` beyond the end of the file.
    fn value(&self, bytes: &[u8], index: usize) -> Option<f64> {
        let from = index.checked_mul(self.bytes)?.checked_add(self.data)?;
        let field = bytes.get(from..from.checked_add(self.bytes)?)?;
        let raw = match (self.is_float, field) {
            (true, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (true, &[a, b]) => half_precision(u16::from_le_bytes([a, b])),
            (true, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            (false, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
            (false, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
            _ => return None,
        };
        let scale = if self.scale == 0.0 { 1.0 } else { self.scale };
        let factor = if self.factor == 0.0 { 1.0 } else { self.factor };
        Some((raw / scale * math::powi(10_f64, -self.decimals) + self.shift) * factor).filter(|value| value.is_finite())
    }
}

/// A number of 16 bits by IEEE 754.
fn half_precision(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * math::powi(2_f64, -24),
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * math::powi(2_f64, exponent - 15),
    }
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(u32::from_le_bytes(field.try_into().ok()?)).ok()
}
