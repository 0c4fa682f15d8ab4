//! Units of columns, by their usual spellings.

use super::log::Quantity;

/// What a quantity is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    Time,
    Angle,
    Length,
    Speed,
    Acceleration,
    Fraction,
    Number,
}

impl Quantity {
    pub(super) fn dimension(self) -> Dimension {
        match self {
            Self::Time => Dimension::Time,
            Self::Longitude | Self::Latitude | Self::Bearing => Dimension::Angle,
            Self::X | Self::Y | Self::Height => Dimension::Length,
            Self::Speed => Dimension::Speed,
            Self::LateralAcceleration | Self::Acceleration => Dimension::Acceleration,
            Self::Throttle | Self::Brake | Self::Pedal => Dimension::Fraction,
            Self::Gear | Self::Lap | Self::Satellites => Dimension::Number,
        }
    }

    /// The name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Longitude => "longitude",
            Self::Latitude => "latitude",
            Self::X => "x",
            Self::Y => "y",
            Self::Speed => "speed",
            Self::Bearing => "bearing",
            Self::Height => "height",
            Self::LateralAcceleration => "lateral acceleration",
            Self::Acceleration => "acceleration",
            Self::Throttle => "throttle",
            Self::Brake => "brake",
            Self::Pedal => "pedal",
            Self::Gear => "gear",
            Self::Lap => "lap",
            Self::Satellites => "satellites",
        }
    }
}

/// The spellings of units in lower case, with the factor to the unit of [`Quantity`].
const UNITS: [(Dimension, f64, &[&str]); 22] = [
    (Dimension::Time, 1.0, &["s", "sec", "secs", "seconds", "unix time", "second"]),
    (Dimension::Time, 1e-3, &["ms", "msec", "milliseconds"]),
    (Dimension::Time, 60.0, &["min", "minutes"]),
    (Dimension::Angle, 1.0, &["deg", "degrees", "degree", "°", "dd"]),
    (Dimension::Angle, 180.0 / std::f64::consts::PI, &["rad", "radians"]),
    (Dimension::Angle, 1.0 / 60.0, &["min", "minutes", "arcmin"]),
    (Dimension::Length, 1.0, &["m", "metres", "meters", "metre"]),
    (Dimension::Length, 1e3, &["km"]),
    (Dimension::Length, 0.3048, &["ft", "feet"]),
    (Dimension::Length, 1e-3, &["mm"]),
    (Dimension::Speed, 1.0, &["m/s", "mps", "ms-1", "m.s-1"]),
    (Dimension::Speed, 1.0 / 3.6, &["km/h", "kmh", "kph", "kmph", "k/h"]),
    (Dimension::Speed, 0.44704, &["mph", "mi/h", "miles/h"]),
    (Dimension::Speed, 1852.0 / 3600.0, &["kt", "kts", "knots", "kn"]),
    (Dimension::Speed, 0.3048, &["ft/s", "fps"]),
    (Dimension::Acceleration, 1.0, &["m/s2", "m/s^2", "m/s²", "mps2", "m/s/s"]),
    (Dimension::Acceleration, 9.80665, &["g", "gs"]),
    (Dimension::Acceleration, 9.80665e-3, &["mg"]),
    (Dimension::Fraction, 0.01, &["%", "pct", "percent", "per cent"]),
    (Dimension::Fraction, 1.0, &["fraction", "ratio", "0-1", "1", "0..1"]),
    // Of a pressure or a voltage the highest value counts as fully pressed.
    (Dimension::Fraction, f64::NAN, &["bar", "psi", "kpa", "mpa", "mbar", "v", "mv", "n", "raw", "kg", "deg"]),
    (Dimension::Number, 1.0, &["#", "number", "no", "sats"]),
];

/// The factor from `unit` to the one of `quantity`; NaN where the highest value counts as 1. `None` for a
/// unit that is not known.
pub(super) fn factor(quantity: Quantity, unit: &str) -> Option<f64> {
    let unit = unit.trim().to_lowercase();
    let dimension = quantity.dimension();
    let known = UNITS.iter().find(|(of, _, spellings)| *of == dimension && spellings.contains(&unit.as_str()));
    match known {
        Some(&(_, factor, _)) => Some(factor),
        None if unit.is_empty() || dimension == Dimension::Number => Some(1.0),
        None => None,
    }
}

/// Whether a field of a row is a unit of anything.
pub(super) fn is_unit(field: &str) -> bool {
    let field = field.trim().to_lowercase();
    !field.is_empty() && UNITS.iter().any(|(_, _, spellings)| spellings.contains(&field.as_str()))
}
