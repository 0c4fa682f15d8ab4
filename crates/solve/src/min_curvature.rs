//! The minimum-curvature line through the corridor, as quadratic programs over α.
//!
//! **Classic** (Braghin et al. 2008, section 3; Cardamone et al. 2010, section III-B): the sum of
//! squared second differences, which is squared curvature where all steps are equally long. With
//! the points `P_i = R_i + α_i S_i` from the right end R of a section along its span S,
//!
//! ```text
//! minimise  Σ |P_{i-1} - 2 P_i + P_{i+1}|²    subject to  low_i ≤ α_i ≤ high_i               (1)
//! ```
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | x | n | α |
//! | P | n × n, cyclic pentadiagonal | `2 Dᵀ D` with D the 2n × n map from α to the second differences |
//! | q | n | `2 Dᵀ d₀`, d₀ the second differences of the right ends |
//! | A, l, u | n × n, n, n | identity and the corridor's bounds |
//!
//! In a hairpin the inner ends of the sections lie close together, steps become unequal, and the
//! line oscillates between neighbouring sections. The program is therefore solved twice at half the
//! density, on the even and on the odd sections. Each solution is interpolated linearly at the
//! other sections, e_i of the even ones and o_i of the odd ones:
//!
//! ```text
//! α_i = (e_i + o_i) / 2                                                                      (2)
//! ```
//!
//! **True spacing**, the default, minimises `∫ κ² ds` of the line itself, step by step; `bending`
//! defines the program. Each program starts from the line of the previous one, until a step lowers
//! the integral J by too little:
//!
//! ```text
//! 1 - J(new line) / J(old line) < 10⁻⁵                                                       (3)
//! ```
//!
//! **Iterated** continues from there (Heilmeier et al. 2020, section 2.4). Each round places new
//! stations on the line, with the line's own normals and spacing, and takes one step. With the
//! curvature κ_i and its gradient g_i on the old line, it ends when the linearised curvature agrees
//! with that of the new line:
//!
//! ```text
//! max |κ_i + g_i·Δx - κ_i(x + Δx)| < 10⁻³ 1/m                                                (4)
//! ```
//!
//! The normals of stations do not cross where the road is wider than its bend, so this method finds
//! lines that the cross-sections cannot represent. Deviation: curvature is that of three points, so
//! no spline's derivatives are linearised.

use raceline_numerics::BoxProgram;

use super::bending::Slots;
use super::programs::ProgramSolver;
use super::regularity::Moving;
use super::shortest_path::shortest_path;
use super::stations::{self, Margin, ReferenceLine, Room, Spacing, stations};
use super::{Corridor, EdgeDistance, Formulation, Parent, QpSolver, SolveError, SolveOptions, SolverReport};
use raceline_road::geometry::{Point, SplineCurve};
use raceline_road::track::CrossSection;

/// The line has converged when a step lowers `∫ κ² ds` by less than this fraction; along wide roads
/// the minimum is flat.
const CONVERGED_FRACTION: f64 = 1e-5;
/// Maximum number of steps.
const MAX_STEPS: usize = 30;
/// The iterated line has converged when linearised and true curvature differ by at most this, 1/m.
const CURVATURE_TOLERANCE: f64 = 1e-3;
/// Maximum number of rounds.
const MAX_ROUNDS: usize = 20;
/// Largest distance between the iterated line's stations, in spacings of the track's
/// cross-sections.
const LONGEST_SPACINGS: f64 = 1.5;

/// Computes the minimum-curvature line, starting from `start` (α of any line through the corridor).
///
/// # Errors
/// [`SolveError::Solver`] or [`SolveError::Osqp`] when a quadratic program cannot be solved,
/// [`SolveError::Degenerate`] when two points of the line coincide, [`SolveError::SolverNotBuilt`].
pub fn min_curvature(corridor: &Corridor, options: &SolveOptions, start: &[f64]) -> Result<Parent, SolveError> {
    match options.formulation {
        Formulation::Classic => classic(corridor, options.qp_solver.unwrap_or_default()),
        Formulation::TrueSpacing => true_spacing(corridor, options, start),
    }
}

fn true_spacing(corridor: &Corridor, options: &SolveOptions, start: &[f64]) -> Result<Parent, SolveError> {
    let slots = Slots {
        closed: corridor.closed,
        origins: corridor.sections.iter().map(|section| section.right).collect(),
        directions: corridor.sections.iter().map(CrossSection::span).collect(),
        low: corridor.low.clone(),
        high: corridor.high.clone(),
    };
    let mut report = SolverReport { settled: false, ..SolverReport::default() };
    let mut solver = ProgramSolver::new(options.qp_solver.unwrap_or_default())?;
    let mut alpha = corridor.clamped(start);
    // Steps may keep a kink of the start: the middle has one where the corridor narrows suddenly.
    // The shortest line has none, due to its stiffness.
    let moving = Moving { directions: &slots.directions, closed: slots.closed };
    if moving.is_strained(&slots.points(&alpha)) {
        alpha = shortest_path(corridor, options)?.alpha;
    }
    for _ in 0..MAX_STEPS {
        let step = slots.step(&mut solver, &alpha)?;
        report.add(&step.solution);
        alpha = step.offsets;
        // Equation (3).
        if step.fall < CONVERGED_FRACTION {
            report.settled = true;
            break;
        }
    }
    Ok(Parent { alpha: corridor.clamped(&alpha), report })
}

/// The iterated minimum-curvature line.
#[derive(Clone, Debug)]
pub struct Iterated {
    /// Points of the line in the order of travel, closer together where it bends; a closed line
    /// does not repeat its first point.
    pub points: Vec<Point>,
    /// How its programs were solved; a converged line satisfies the tolerance of curvature.
    pub report: SolverReport,
    /// Difference between linearised and true curvature in the last round, 1/m.
    pub curvature_error: f64,
}

/// Computes the minimum-curvature line near the one through `alpha`, with new stations on each
/// line.
///
/// # Errors
/// As for [`min_curvature`].
pub fn iterated_min_curvature(
    corridor: &Corridor,
    alpha: &[f64],
    edges: &EdgeDistance,
    margin_m: f64,
    spacing_m: f64,
    solver: QpSolver,
) -> Result<Iterated, SolveError> {
    let mut line = ReferenceLine::through(corridor, alpha, margin_m)?;
    let spacing = Spacing { longest_m: LONGEST_SPACINGS * spacing_m, ..Spacing::of_stations(corridor.mean_width()) };
    let width_m = corridor.mean_width();
    let report = SolverReport { settled: false, ..SolverReport::default() };
    let mut found = Iterated { points: Vec::new(), report, curvature_error: f64::INFINITY };
    let mut solver = ProgramSolver::new(solver)?;
    for _ in 0..MAX_ROUNDS {
        let mut stations = stations(&line, spacing.places(&line.curve), Margin { edges, distance_m: margin_m }, None);
        stations::pin_ends(&mut stations, corridor.pinned_ends());
        let insets = stations::insets(&stations, corridor.closed);
        let slots = Slots::of_stations(&stations, &insets, corridor.closed);
        let start = slots.start(&insets);
        let step = slots.step(&mut solver, &start)?;
        found.report.add(&step.solution);
        found.points = stations::knots(&slots.points(&step.offsets), corridor.closed);
        found.curvature_error = step.curvature_error;
        // Equation (4).
        if step.curvature_error < CURVATURE_TOLERANCE {
            found.report.settled = true;
            break;
        }
        let rooms: Vec<Room> =
            stations.iter().zip(&found.points).map(|(station, &point)| station.room(point, width_m)).collect();
        let curve = SplineCurve::through(&found.points, corridor.closed).ok_or(SolveError::Degenerate)?;
        line = ReferenceLine { curve, rooms };
    }
    Ok(found)
}

fn classic(corridor: &Corridor, solver: QpSolver) -> Result<Parent, SolveError> {
    let n = corridor.len();
    let mut report = SolverReport::default();
    let mut mean = vec![0.0; n];
    // With an odd number of sections, one pair of neighbours at the seam is in the same half, which
    // is harmless.
    for first in [0, 1] {
        let half: Vec<usize> = (first..n).step_by(2).collect();
        let program = second_difference_program(corridor, &half)?;
        let start: Vec<f64> = program.l.iter().zip(&program.u).map(|(&l, &u)| f64::midpoint(l, u)).collect();
        let solution = ProgramSolver::new(solver)?.solve(&program, &start)?;
        report.add(&solution);
        for (k, &i) in half.iter().enumerate() {
            let (next_k, gap) = match half.get(k + 1) {
                Some(&next) => (k + 1, next - i),
                None => (0, n - i + first),
            };
            let (from, to) = (solution.x[k], solution.x[next_k]);
            for step in 0..gap {
                mean[(i + step) % n] += 0.5 * (from + (to - from) * step as f64 / gap as f64); // equation (2)
            }
        }
    }
    Ok(Parent { alpha: corridor.clamped(&mean), report })
}

fn second_difference_program(corridor: &Corridor, chosen: &[usize]) -> Result<BoxProgram, SolveError> {
    let n = chosen.len();
    let bound = |values: &[f64]| chosen.iter().map(|&i| values[i]).collect();
    let mut program = BoxProgram::new(bound(&corridor.low), bound(&corridor.high), corridor.closed)?;
    let rows = if corridor.closed { 0..n } else { 1..n - 1 };
    for i in rows {
        // Equation (1).
        let stencil = [((i + n - 1) % n, 1.0), (i, -2.0), ((i + 1) % n, 1.0)];
        corridor.add_squared_stencil(&mut program, &stencil, 1.0, |k| chosen[k]);
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use raceline_road::edges::RoadShape;
    use raceline_road::track::{Track, TrackOptions};

    use super::{Iterated, iterated_min_curvature};
    use crate::{Corridor, EdgeDistance, QpSolver};

    /// A road of 8 m with three bulges on a ring of 60 m.
    fn iterated() -> Iterated {
        let at = |i: i32| {
            let angle = f64::from(i) * std::f64::consts::TAU / 120.0;
            let radius = 60.0 * (1.0 + 0.35 * (3.0 * angle).cos());
            [radius * angle.cos(), radius * angle.sin()]
        };
        let middle: Vec<[f64; 2]> = (0..120).map(at).collect();
        let track =
            Track::from_centre_line(&middle, &[[4.0, 4.0]; 120], RoadShape::Closed, &TrackOptions::default()).unwrap();
        let edges = EdgeDistance::new(&track);
        let corridor = Corridor::new(&track, &edges, 1.0).unwrap();
        let solver = QpSolver::InteriorPoint;
        iterated_min_curvature(&corridor, &corridor.middle(), &edges, 1.0, track.spacing_m, solver).unwrap()
    }

    #[test]
    fn the_iterated_line_ends_where_linearised_and_true_curvature_agree() {
        let found = iterated();
        assert!(found.report.settled && found.curvature_error < 1e-3, "{}", found.curvature_error);
        // The first program's line is off by more, a third one is not needed.
        assert_eq!(found.report.solves, 2);
    }
}
