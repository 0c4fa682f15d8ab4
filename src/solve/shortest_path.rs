//! The shortest line through the corridor, as a quadratic program over α.
//!
//! With sections `P_i(α_i) = R_i + α_i S_i`, `S_i = L_i - R_i`, the step from section i to j = i + 1 (modulo n on a
//! closed track) is `d_i = (R_j - R_i) + α_j S_j - α_i S_i`. Both formulations minimise `Σ w_i |d_i|²`:
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | x | n | α |
//! | P | n × n, cyclic tridiagonal | `P_ii = 2 (w_{i-1} + w_i) S_i·S_i`, `P_ij = -2 w_i S_i·S_j` |
//! | q | n | `q_i = 2 S_i·(w_{i-1} (R_i - R_{i-1}) - w_i (R_{i+1} - R_i))` |
//! | A | n × n | identity |
//! | l, u | n | the corridor's bounds |
//!
//! * Classic (Braghin et al. 2008, section 3; Cardamone et al. 2010, section III-A): w = 1, squared distances. It is the
//!   shortest line only where all steps are equally long.
//! * True spacing, the default: w_i = 1/ℓ_i with ℓ_i the step's length in the solution before (Weiszfeld's iteratively re-weighted least
//!   squares). Where it stands, `Σ |d_i|²/ℓ_i = Σ |d_i|` and the gradients agree, so it stands at the true shortest polyline.

use super::quadratic_program::{QpSettings, QuadraticProgram, Triplets};
use super::{Corridor, Formulation, Parent, SolveError, SolverReport};

/// Re-weighting ends when no α moves the line by more than this share of the section's width …
const STANDS: f64 = 1e-4;
/// … or after so many solves.
const MAX_SOLVES: usize = 30;
/// Steps shorter than this share of the mean step don't gain further weight.
const SHORTEST_STEP_SHARE: f64 = 1e-3;

/// Solves for the shortest line.
///
/// # Errors
/// [`SolveError::Solver`] when the quadratic program is refused.
pub fn shortest_path(corridor: &Corridor, formulation: Formulation) -> Result<Parent, SolveError> {
    let steps = if corridor.closed { corridor.len() } else { corridor.len() - 1 };
    let mut report = SolverReport::default();
    let classic = program(corridor, &vec![1.0; steps]).solve(QpSettings::default(), None)?;
    report.add(&classic);
    let mut alpha = corridor.clamped(&classic.x);
    if formulation == Formulation::Classic {
        return Ok(Parent { alpha, report });
    }
    let mut dual = classic.y;
    report.stands = false;
    for _ in 0..MAX_SOLVES {
        let lengths = corridor.step_lengths(&corridor.points(&alpha));
        let floor = SHORTEST_STEP_SHARE * lengths.iter().sum::<f64>() / steps as f64;
        let weights: Vec<f64> = lengths.iter().map(|&length| 1.0 / length.max(floor)).collect();
        let solution = program(corridor, &weights).solve(QpSettings::default(), Some((&alpha, &dual)))?;
        report.add(&solution);
        let next = corridor.clamped(&solution.x);
        let moved = next.iter().zip(&alpha).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (alpha, dual) = (next, solution.y);
        if moved < STANDS {
            report.stands = true;
            break;
        }
    }
    Ok(Parent { alpha, report })
}

/// The program of the module's documentation for the given step weights.
fn program(corridor: &Corridor, weights: &[f64]) -> QuadraticProgram {
    let n = corridor.len();
    let mut p = Triplets::with_capacity(3 * n);
    let mut q = vec![0.0; n];
    for (i, &weight) in weights.iter().enumerate() {
        let j = (i + 1) % n;
        let (here, there) = (&corridor.sections[i], &corridor.sections[j]);
        let (si, sj, gap) = (here.span(), there.span(), there.right - here.right);
        p.add_symmetric(i, i, 2.0 * weight * si.norm_squared());
        p.add_symmetric(j, j, 2.0 * weight * sj.norm_squared());
        p.add_symmetric(i, j, -2.0 * weight * si.dot(&sj));
        q[i] -= 2.0 * weight * si.dot(&gap);
        q[j] += 2.0 * weight * sj.dot(&gap);
    }
    let mut a = Triplets::with_capacity(n);
    for i in 0..n {
        a.add(i, i, 1.0);
    }
    QuadraticProgram { p, q, a, l: corridor.low.clone(), u: corridor.high.clone() }
}
