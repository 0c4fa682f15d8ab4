//! OSQP against the interior point: where both settle on a small road, their lines are equally good.

use arbitrary::Unstructured;
use raceline::solve::shortest_path::shortest_path;
use raceline::solve::{Corridor, EdgeDistance, QpSolver, SolveOptions};

use super::super::small;

/// Largest relative difference between the two lengths. OSQP stops at a relative tolerance of its own.
const TOLERANCE: f64 = 2e-3;

fn compared(bytes: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let Some(track) = small::track(bytes)? else { return Ok(()) };
    let Ok(corridor) = Corridor::new(&track, &EdgeDistance::new(&track), 1.0) else { return Ok(()) };
    let length_m = |qp_solver| {
        let solved = shortest_path(&corridor, &SolveOptions { qp_solver, ..SolveOptions::default() }).ok()?;
        let length_m: f64 = corridor.step_lengths(&corridor.points(&solved.alpha)).iter().sum();
        (solved.report.settled && solved.report.unsolved == 0).then_some(length_m)
    };
    let own = length_m(Some(QpSolver::InteriorPoint));
    let Some(own_m) = own else { return Ok(()) };
    if let Some(osqp_m) = length_m(Some(QpSolver::Osqp)) {
        assert!((own_m - osqp_m).abs() < TOLERANCE * osqp_m, "{own_m} m, and by OSQP {osqp_m} m");
    }
    Ok(())
}

/// One input.
pub fn run(bytes: &[u8]) {
    let _ = compared(&mut Unstructured::new(bytes));
}
