//! The colour of the road, specified by the user.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// A text that is not a colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a colour: write it as #rrggbb, for example #646468")]
pub struct ParseColourError {
    /// The text.
    pub text: String,
}
