//! What a log contains, in SI units.

use raceline_read::input::LogKind;
use serde::Serialize;

use crate::error::LogError;
use crate::note::SessionNote;

/// A quantity that a column of a log may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Time, s, from an origin of the file's own.
    Time,
    /// Longitude, degrees, positive to the east.
    Longitude,
    /// Latitude, degrees, positive to the north.
    Latitude,
    /// Position, m to the right.
    X,
    /// Position, m up.
    Y,
    /// Speed, m/s.
    Speed,
    /// Direction of travel, degrees clockwise from the north.
    Bearing,
    /// Height, m.
    Height,
    /// Acceleration to the side, m/s²; loggers differ in its sign.
    LateralAcceleration,
    /// Acceleration forwards, m/s².
    Acceleration,
    /// Throttle, 0 to 1.
    Throttle,
    /// Brake, 0 to 1; of a pressure a fraction of the highest.
    Brake,
    /// Brake and throttle in one, -1 to 1.
    Pedal,
    /// Gear.
    Gear,
    /// Number of the lap, as the logger counts.
    Lap,
    /// Number of satellites.
    Satellites,
}

/// A column of a log that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// What it holds.
    pub quantity: Quantity,
    /// The name in the file.
    pub name: String,
    /// The unit in the file; empty where the file states none and that of the format was used.
    pub unit: String,
    /// The values in the units of [`Quantity`], one for each row; NaN where the row has none.
    pub values: Vec<f64>,
}

/// What the positions of a log are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFrame {
    /// Longitude and latitude.
    Degrees,
    /// Metres in a frame of the logger's, as of a game or a simulation.
    Metres,
}

/// A log: rows in the order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// What wrote it.
    pub kind: LogKind,
    /// Name for messages: that of the file.
    pub name: String,
    /// The columns that were read, each of the length of the one of times.
    pub channels: Vec<Channel>,
    /// Columns that were not used.
    pub unused: Vec<String>,
    /// The ends of the start line that the file states, as positions in its frame.
    pub start_line: Option<[[f64; 2]; 2]>,
    /// Times at which the logger saw the start line, s, ascending.
    pub beacons_s: Vec<f64>,
    /// What was found while it was read.
    pub notes: Vec<SessionNote>,
}

impl Log {
    /// The log of a file with these columns and nothing else.
    pub(crate) fn new(kind: LogKind, name: &str, channels: Vec<Channel>) -> Self {
        let name = name.to_owned();
        Self { kind, name, channels, unused: Vec::new(), start_line: None, beacons_s: Vec::new(), notes: Vec::new() }
    }

    /// The error of a log that lacks `missing`, with the names of what it has.
    pub(crate) fn without(&self, missing: &'static str) -> LogError {
        let known = self.channels.iter().map(|channel| &channel.name).chain(&self.unused);
        LogError::Missing { missing, found: known.take(20).cloned().collect() }
    }

    /// The values of a quantity, if the log has it.
    #[must_use]
    pub fn values(&self, quantity: Quantity) -> Option<&[f64]> {
        self.channels.iter().find(|channel| channel.quantity == quantity).map(|channel| channel.values.as_slice())
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.channels.first().map_or(0, |channel| channel.values.len())
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the positions are; `None` for a log without positions.
    #[must_use]
    pub fn frame(&self) -> Option<LogFrame> {
        let has = |pair: [Quantity; 2]| pair.iter().all(|&quantity| self.values(quantity).is_some());
        if has([Quantity::Longitude, Quantity::Latitude]) {
            Some(LogFrame::Degrees)
        } else {
            has([Quantity::X, Quantity::Y]).then_some(LogFrame::Metres)
        }
    }

    /// The position of row `index` in the log's frame, if it has one.
    pub(crate) fn position(&self, index: usize) -> Option<[f64; 2]> {
        let [first, second] = match self.frame()? {
            LogFrame::Degrees => [Quantity::Longitude, Quantity::Latitude],
            LogFrame::Metres => [Quantity::X, Quantity::Y],
        };
        let at = |quantity| self.values(quantity)?.get(index).copied().filter(|value| value.is_finite());
        Some([at(first)?, at(second)?])
    }
}
