//! An independent judge of racing lines.
//!
//! [`consistency`] is the cheap half: it needs the line alone and proves that positions, arc length,
//! heading, curvature, heights, speeds, times, accelerations and distances to the edges describe the same
//! line, and that it lies between its edges. [`verify`] also proves that a vehicle keeps its margin and
//! stays inside its limits.
//!
//! Nothing here uses the code that makes lines: lengths, curvature, times, distances to the edges and the
//! forces of a road in three dimensions are computed by other methods, from the file's numbers alone. Only
//! the file's types and the vehicle's g-g diagram are shared.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("monza.raceline.json")?;
//! let line = raceline_verify::read(&bytes)?;
//! let report = raceline_verify::verify(&line, &raceline_verify::Against::of(&line))?;
//! for finding in report.findings() {
//!     println!("{finding}");
//! }
//! # Ok(())
//! # }
//! ```

mod changes;
mod clearance;
mod conditions;
mod course;
mod edge_tree;
mod ground;
mod limits;
mod report;
mod road;
mod rule;
mod shape;
mod timing;
mod vector;

pub use conditions::{Conditions, GripStretch};
pub use report::{Check, Place, Report, Unsound};
pub use rule::Rule;

use raceline_car::{GgDiagram, Vehicle, VehicleError};
use raceline_file::{EdgeCoordinates, Inconsistency, RacingLine, ReadError};
use report::Tally;

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

/// The racing line in `bytes`, with its vehicle and the options that change its limits.
///
/// # Errors
/// Those of [`raceline_file::read`].
pub fn read(bytes: &[u8]) -> Result<JudgedLine, ReadError> {
    raceline_file::read(bytes)
}

/// Whether a line agrees with itself: the half that needs no vehicle.
///
/// # Errors
/// A line that violates a rule of the file, see [`RacingLine::check`]: nothing can be measured on it.
pub fn consistency<V, O>(line: &RacingLine<V, O>) -> Result<Report, Inconsistency> {
    let mut tally = Tally::new(&line.points);
    judge_consistency(line, &mut tally)?;
    Ok(tally.report())
}

/// Whether a line agrees with itself, and whether the vehicle can drive it and keeps its margin.
///
/// # Errors
/// A line that violates a rule of the file, and a vehicle that is not valid.
pub fn verify<V, O>(line: &RacingLine<V, O>, against: &Against) -> Result<Report, VerifyError> {
    let Against { vehicle, edges, conditions } = *against;
    let diagram = GgDiagram::new(vehicle)?;
    let mut tally = Tally::new(&line.points);
    let Judged { steps, distances_m } = judge_consistency(line, &mut tally)?;
    let margin_m = conditions.margin_m(vehicle, &line.points);
    let known_m = if edges.is_some() { None } else { Some(distances_m) };
    clearance::judge_margin(line, &steps, edges.unwrap_or(&line.edges), margin_m, known_m, &mut tally);
    clearance::judge_obstacles(line, &steps, &conditions.obstacles(), vehicle.margin_m(), &mut tally);
    limits::judge(line, &steps, (vehicle, &diagram), conditions, &mut tally);
    Ok(tally.report())
}

/// Proves what [`verify`] judges.
///
/// # Errors
/// Those of [`verify`], and a line that is not sound.
pub fn prove<V, O>(line: &RacingLine<V, O>, against: &Against) -> Result<(), VerifyError> {
    Ok(verify(line, against)?.into_result()?)
}

/// Why a line is not proven.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The line violates a rule of the file.
    #[error(transparent)]
    Line(#[from] Inconsistency),
    /// The vehicle is not valid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// The line violates a rule of the judge.
    #[error(transparent)]
    Unsound(Box<Unsound>),
}

impl From<Unsound> for VerifyError {
    fn from(unsound: Unsound) -> Self {
        Self::Unsound(Box::new(unsound))
    }
}

/// What the first half has measured.
struct Judged {
    steps: Vec<course::Step>,
    distances_m: Vec<[f64; 2]>,
}

fn judge_consistency<V, O>(line: &RacingLine<V, O>, tally: &mut Tally) -> Result<Judged, Inconsistency> {
    line.check()?;
    let steps = course::steps(line);
    let changes = changes::Changes::by_headings(&steps, line.closed);
    shape::judge(line, &steps, &changes, tally);
    timing::judge(line, &steps, &changes, tally);
    let distances_m = clearance::judge_distances(line, tally);
    Ok(Judged { steps, distances_m })
}
