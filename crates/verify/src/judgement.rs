//! The two halves of a judgement.

use super::against::{Against, JudgedLine};
use super::error::VerifyError;
use super::report::{Report, Tally};
use super::{changes, clearance, constraints, course, limits, no_go, shape, timing};
use raceline_car::GgDiagram;
use raceline_file::{Inconsistency, RacingLine, ReadError};

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
    // A smaller margin lets the body stand out beyond the edges.
    if margin_m >= 0.5 * vehicle.width_m {
        clearance::judge_corners(line, edges.unwrap_or(&line.edges), [vehicle.length_m, vehicle.width_m], &mut tally);
    }
    clearance::judge_obstacles(line, &steps, &conditions.obstacles(), vehicle.margin_m(), &mut tally);
    constraints::judge(line, &steps, conditions, &mut tally);
    no_go::judge(line, &steps, conditions, vehicle.margin_m(), &mut tally);
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
