//! Names of corners.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::frame::Spot;

/// Longest name, characters.
const LONGEST: usize = 60;

/// The name of a corner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "RawCornerName", deny_unknown_fields)]
pub struct CornerName {
    /// A place in the corner, metres or pixels as `start`. The corner whose line comes nearest to it
    /// has the name.
    pub at: Spot,
    /// The name, 1 to 60 characters.
    pub name: String,
}

/// A name that was not checked yet.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawCornerName {
    /// A place in the corner, metres or pixels as `start`.
    at: Spot,
    /// The name, 1 to 60 characters.
    #[schemars(length(min = 1, max = 60))]
    name: String,
}

/// A name that cannot be shown in a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name {name:?} has {count} characters: it must have 1 to 60, all of them printable")]
pub struct CornerNameError {
    /// The name, or its beginning.
    name: String,
    /// Number of characters.
    count: usize,
}

impl TryFrom<RawCornerName> for CornerName {
    type Error = CornerNameError;

    fn try_from(raw: RawCornerName) -> Result<Self, CornerNameError> {
        let name = raw.name.trim();
        let count = name.chars().count();
        if count == 0 || count > LONGEST || name.chars().any(char::is_control) {
            return Err(CornerNameError { name: name.chars().take(LONGEST).collect(), count });
        }
        Ok(Self { at: raw.at, name: name.to_owned() })
    }
}
