//! A point specified by the user.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// A point specified by the user, in metres of the world frame, in pixels of the picture, or in degrees.
///
/// As text, `12.5,-3` is in metres, `640,200px` is in pixels from the top-left corner, rows
/// downwards, and `11.57,48.14deg` is longitude and latitude. In TOML and JSON a point in metres may be a pair of numbers.
///
/// ```
/// use raceline_road::frame::Spot;
///
/// assert_eq!("12.5,-3".parse(), Ok(Spot::Metres([12.5, -3.0])));
/// assert_eq!("640,200px".parse(), Ok(Spot::Pixels([640.0, 200.0])));
/// assert_eq!("11.57,48.14deg".parse(), Ok(Spot::Degrees([11.57, 48.14])));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawSpot", into = "RawSpot")]
pub enum Spot {
    /// World frame, metres.
    Metres([f64; 2]),
    /// Column and row from the picture's top-left corner, pixels.
    Pixels([f64; 2]),
    /// Longitude from -180 to 180 and latitude from -90 to 90, degrees, in a file with a place on the globe.
    Degrees([f64; 2]),
}

/// A text that is not a [`Spot`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not two numbers separated by a comma: write x,y in metres, x,ypx in pixels or \
         longitude,latitudedeg in degrees"
)]
pub struct SpotError {
    /// The text.
    pub text: String,
}

impl FromStr for Spot {
    type Err = SpotError;

    fn from_str(text: &str) -> Result<Self, SpotError> {
        let expected = || SpotError { text: text.to_owned() };
        if let Some(degrees) = text.trim().strip_suffix("deg") {
            let (longitude, latitude) = degrees.split_once(',').ok_or_else(expected)?;
            let longitude = longitude.trim().trim_end_matches("deg");
            let within = |part: &str, limit: f64| {
                part.trim().parse::<f64>().ok().filter(|value| value.abs() <= limit).ok_or_else(expected)
            };
            return Ok(Self::Degrees([within(longitude, 180.0)?, within(latitude, 90.0)?]));
        }
        let (numbers, pixels) = match text.trim().strip_suffix("px") {
            Some(numbers) => (numbers, true),
            None => (text, false),
        };
        let (x, y) = numbers.split_once(',').ok_or_else(expected)?;
        // `px` may follow each of the two numbers.
        let x = if pixels { x.trim().trim_end_matches("px") } else { x };
        let number = |part: &str| part.trim().parse::<f64>().ok().filter(|v| v.is_finite()).ok_or_else(expected);
        let position = [number(x)?, number(y)?];
        Ok(if pixels { Self::Pixels(position) } else { Self::Metres(position) })
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metres([x, y]) => write!(f, "{x},{y}"),
            Self::Pixels([x, y]) => write!(f, "{x},{y}px"),
            Self::Degrees([x, y]) => write!(f, "{x},{y}deg"),
        }
    }
}

/// A spot in files.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum RawSpot {
    /// x and y, metres.
    Metres([f64; 2]),
    /// `x,y` in metres, `x,ypx` in pixels, or `longitude,latitudedeg` in degrees.
    Text(String),
}

impl TryFrom<RawSpot> for Spot {
    type Error = SpotError;

    fn try_from(raw: RawSpot) -> Result<Self, SpotError> {
        match raw {
            RawSpot::Metres(position) => Ok(Self::Metres(position)),
            RawSpot::Text(text) => text.parse(),
        }
    }
}

impl From<Spot> for RawSpot {
    fn from(spot: Spot) -> Self {
        match spot {
            Spot::Metres(position) => Self::Metres(position),
            Spot::Pixels(_) | Spot::Degrees(_) => Self::Text(spot.to_string()),
        }
    }
}

impl JsonSchema for Spot {
    fn schema_name() -> Cow<'static, str> {
        "Spot".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        RawSpot::json_schema(generator)
    }
}
