//! What a user can say of the road: a point on it, and its colour.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::ParseColourError;

/// A point that a user names, in metres of the world frame or in pixels of the picture.
///
/// As text: `12.5,-3` is in metres, `640,200px` in pixels from the top-left corner, rows downwards. A TOML may give metres as a
/// pair of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawSpot", into = "RawSpot")]
pub enum Spot {
    /// World frame, metres.
    Metres([f64; 2]),
    /// Column and row from the picture's top-left corner, pixels.
    Pixels([f64; 2]),
}

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || format!("`{text}` isn't two numbers with a comma between them: write x,y in metres or x,ypx in pixels");
        let (numbers, pixels) = match text.trim().strip_suffix("px") {
            Some(numbers) => (numbers, true),
            None => (text, false),
        };
        let (x, y) = numbers.split_once(',').ok_or_else(expected)?;
        // `px` may stand behind each of the two.
        let x = if pixels { x.trim().trim_end_matches("px") } else { x };
        let number = |part: &str| part.trim().parse::<f64>().ok().filter(|v| v.is_finite()).ok_or_else(expected);
        let place = [number(x)?, number(y)?];
        Ok(if pixels { Self::Pixels(place) } else { Self::Metres(place) })
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metres([x, y]) => write!(f, "{x},{y}"),
            Self::Pixels([x, y]) => write!(f, "{x},{y}px"),
        }
    }
}

/// A spot as files hold it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum RawSpot {
    /// x and y, metres.
    Metres([f64; 2]),
    /// `x,y` in metres or `x,ypx` in pixels.
    Text(String),
}

impl TryFrom<RawSpot> for Spot {
    type Error = String;

    fn try_from(raw: RawSpot) -> Result<Self, String> {
        match raw {
            RawSpot::Metres(place) => Ok(Self::Metres(place)),
            RawSpot::Text(text) => text.parse(),
        }
    }
}

impl From<Spot> for RawSpot {
    fn from(spot: Spot) -> Self {
        match spot {
            Spot::Metres(place) => Self::Metres(place),
            Spot::Pixels(_) => Self::Text(spot.to_string()),
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

/// A colour, as text `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct RoadColour(
    /// Red, green and blue.
    pub [u8; 3],
);

impl FromStr for RoadColour {
    type Err = ParseColourError;

    fn from_str(text: &str) -> Result<Self, ParseColourError> {
        let expected = || ParseColourError { text: text.to_owned() };
        let digits = text.trim().trim_start_matches('#');
        if digits.len() != 6 || !digits.is_ascii() {
            return Err(expected());
        }
        let part = |k: usize| u8::from_str_radix(&digits[2 * k..2 * k + 2], 16).map_err(|_| expected());
        Ok(Self([part(0)?, part(1)?, part(2)?]))
    }
}

impl fmt::Display for RoadColour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

impl TryFrom<String> for RoadColour {
    type Error = ParseColourError;

    fn try_from(text: String) -> Result<Self, ParseColourError> {
        text.parse()
    }
}

impl From<RoadColour> for String {
    fn from(colour: RoadColour) -> Self {
        colour.to_string()
    }
}
