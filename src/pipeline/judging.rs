//! The judgement of a line by the verifier.

use crate::file::{EdgeCoordinates, RacingLine};
use crate::vehicle::Vehicle;
use crate::verify::{self, Against, Conditions, VerifyError};

/// Judges a line, for another vehicle and between the edges of another road where they are given.
///
/// # Errors
/// A line that violates a rule of its file, and a vehicle that is not valid.
pub fn judge(
    line: &RacingLine,
    vehicle: Option<&Vehicle>,
    edges: Option<&EdgeCoordinates>,
) -> Result<verify::Report, VerifyError> {
    // The judge reads the options by their names in the file.
    let conditions = serde_json::to_value(&line.options).map(|options| Conditions::of(&options)).unwrap_or_default();
    verify::verify(line, &Against { vehicle: vehicle.unwrap_or(&line.vehicle), edges, conditions: &conditions })
}

/// Proves that a line is sound, on its own road and for its own vehicle. Returns the rules that are violated
/// by so little that the judge may be wrong, and that of corners off the road.
///
/// # Errors
/// Those of [`judge`], and the first rule that is certainly violated, with its place.
pub fn prove(line: &RacingLine) -> Result<Vec<verify::Check>, VerifyError> {
    Ok(judge(line, None, None)?.into_doubts()?)
}
