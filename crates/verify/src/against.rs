//! A line, and what it is judged against.

use super::conditions::Conditions;
use raceline_car::Vehicle;
use raceline_file::{EdgeCoordinates, RacingLine};

/// A racing line as the judge reads it.
pub type JudgedLine = RacingLine<Vehicle, Conditions>;

/// What a line is judged against.
#[derive(Clone, Copy, Debug)]
pub struct Against<'a> {
    /// The vehicle.
    pub vehicle: &'a Vehicle,
    /// The edges of another road; `None` for those of the line.
    pub edges: Option<&'a EdgeCoordinates>,
    /// What the options change in the limits.
    pub conditions: &'a Conditions,
}

impl<'a> Against<'a> {
    /// The vehicle, the edges and the options of the line's own file.
    #[must_use]
    pub fn of(line: &'a JudgedLine) -> Self {
        Self { vehicle: &line.vehicle, edges: None, conditions: &line.options }
    }
}
