//! What was done to a log.

use raceline_numerics::math;
use serde::Serialize;

/// What was done to a log, for its reader.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SessionNote {
    /// The file ends before the end that it states, or states none.
    CutOff {
        /// Number of bytes that it states and does not have; `None` if it states none.
        missing: Option<usize>,
        /// Number of bytes at its end that are no whole message.
        unread: usize,
        /// Number of records that were read.
        records: usize,
    },
    /// The text ends inside an element.
    EndsInElement {
        /// Number of positions before.
        records: usize,
    },
    /// The speed has no unit in the file; it was found by the positions.
    SpeedUnit {
        /// The unit.
        unit: &'static str,
    },
    /// The start line lies where the vehicle is fast, because nothing states one.
    StartChosen,
    /// The frame of the log was fitted to that of the track.
    Aligned {
        /// Mean distance of a lap from the track's middle afterwards, m.
        distance_m: f64,
    },
    /// A drift of the receiver was removed.
    Drift {
        /// From one end of it to the other, m.
        extent_m: f64,
        /// Mean offset from the track, m to the right and up; without a track zero.
        offset_m: [f64; 2],
    },
    /// Positions far from all others were left out.
    Outliers {
        /// Number of them.
        count: usize,
    },
}

impl std::fmt::Display for SessionNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::CutOff { missing, unread, records } => {
                match missing {
                    Some(missing) => {
                        write!(f, "the file is cut off, {missing} of the bytes that it states are missing")?
                    }
                    None => f.write_str("the file states no size, as where a logger lost its power")?,
                }
                write!(f, ": {records} records were read, and {unread} bytes at its end were not")
            }
            Self::EndsInElement { records } => {
                write!(f, "the file is cut off inside an element: the {records} positions before were read")
            }
            Self::SpeedUnit { unit } => write!(f, "the speed has no unit in the file: by the positions it is {unit}"),
            Self::StartChosen => f.write_str(
                "the log has no start line: laps begin where the car is fast; the option start, or a track, places it",
            ),
            Self::Aligned { distance_m } => write!(
                f,
                "log and track have no common frame: the log was turned and moved onto the track, {distance_m:.1} m from \
                 its middle on average"
            ),
            Self::Drift { extent_m, offset_m: [x, y] } if math::hypot(*x, *y) >= 0.05 => write!(
                f,
                "the positions drift by {extent_m:.1} m and lie {:.1} m beside the track: both were removed",
                math::hypot(*x, *y)
            ),
            Self::Drift { extent_m, .. } => write!(f, "the positions drift by {extent_m:.1} m: this was removed"),
            Self::Outliers { count } => write!(f, "{count} positions far from all others were left out"),
        }
    }
}
