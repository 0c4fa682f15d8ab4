//! Look-ahead random lines: at each place of the lap many random lines ahead are drawn, the best of
//! them is begun, and the next place follows.
//!
//! 1. The lap is divided into steps of three mean widths of the road. The line is a uniform cubic
//!    B-spline of offsets, one at each step, so that it bends without kinks and stays between the
//!    offsets. On a step between the second and the third of four offsets a, b, c and d, with t
//!    from 0 to 1 (de Boor, *A Practical Guide to Splines*, chapter IX),
//!
//!    ```text
//!    u = ((1-t)³ a + (3 t³ - 6 t² + 4) b + (1 + 3 t + 3 t² - 3 t³) c + t³ d) / 6             (1)
//!    ```
//!
//! 2. From each place, `sampled_lines` lines of eight steps are drawn. An offset u, 0 at the
//!    corridor's right bound and 1 at its left, has a linear density f with the distribution F.
//!    With k₁ the curvature of the road at the step and k₂ that of the step ahead,
//!
//!    ```text
//!    m = clamp(-(k₂ - k₁) / max |k|, -1, 1)                                                  (2)
//!    f(u) = 1 + m (2 u - 1)      F(u) = (1 - m) u + m u²                                     (3)
//!    ```
//!
//!    so where a left bend begins the line is rather drawn on the right, where it ends rather on
//!    the left. From one step to the next no offset leaves a cone of 15° about the road's
//!    direction. With d the length of the step and W the width of the road,
//!
//!    ```text
//!    |α_{i+1} - α_i| ≤ tan(15°) d / W                                                        (4)
//!    ```
//!
//! 3. The ten lines with the smallest J are kept, and the fastest of these wins, with the time T at
//!    the speeds v of the vehicle. Its first step becomes part of the line.
//!
//!    ```text
//!    J = ∫ √|κ| ds      T = ∫ ds / v                                                         (5)
//!    ```
//!
//! J is what T would be if all speeds were at the limit of lateral grip, `v ∝ 1/√|κ|`, and costs no
//! speed profile. The method was made for raceline and follows no publication.
//!
//! The lap begins some steps before its first place, so that its beginning follows from a line that
//! has been chosen too; the end is drawn towards the beginning. With more lines the result is
//! better, but takes longer; any number gives a whole line. Each line has its own random stream,
//! numbered by place and line.

mod ahead;
mod offsets;

use rayon::prelude::*;

use super::{Corridor, SolveError, SolveOptions};
use crate::speed::{Course, Lap, SpeedSolver};
use ahead::Ahead;
use offsets::Offsets;

/// Length of a step, in mean widths of the road. In a cone of 15° a line crosses 0.8 of the width
/// in one. Shorter steps draw more winding lines, of which fewer are good.
pub(super) const STEP_WIDTHS: f64 = 3.0;
/// Steps that are drawn ahead. More see a bend in time, and fewer of the lines drawn are good in
/// all of them.
const AHEAD: usize = 8;
/// Number of points at which a line ahead is judged.
pub(super) const POINTS_AHEAD: usize = AHEAD * offsets::JUDGED_PER_STEP;
/// Number of lines with the smallest `∫ √|κ| ds` whose time is computed. More find a faster one, at
/// a cost in proportion.
const KEPT: usize = 10;
/// Steps of a closed road that are driven before the lap begins. With fewer, the lap
/// depends on where the run began.
const RUN_IN: usize = 8;
/// Minimum number of steps of a lap.
const MIN_STEPS: usize = 4;

/// A line of random steps.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// α of the line on each cross-section.
    pub alpha: Vec<f64>,
    /// Lines drawn.
    pub lines: usize,
}

/// Draws the line.
///
/// # Errors
/// [`SolveError::Speed`] for a vehicle that cannot be simulated.
pub fn sampled(corridor: &Corridor, lap: Lap, options: &SolveOptions) -> Result<Sampled, SolveError> {
    let mut offsets = Offsets::new(corridor, STEP_WIDTHS, MIN_STEPS);
    let course = Course::Open { start_speed_mps: None, end_speed_mps: None };
    let mut solver = SpeedSolver::new(lap.vehicle, course)?;
    let steps = offsets.len();
    let run_in = if corridor.closed { RUN_IN.min(steps / 2) } else { 0 };
    let mut lines = 0;
    for decision in 0..steps + run_in {
        let ahead = Ahead::new(&offsets, decision, run_in, AHEAD);
        if ahead.len() == 0 {
            continue;
        }
        let stream = |line: usize| ((decision as u64) << 40) | line as u64;
        let count = options.sampled_lines;
        let mut scored: Vec<(f64, usize)> = (0..count)
            .into_par_iter()
            .map_init(
                || (Vec::new(), Vec::new()),
                |(drawn, points), line| {
                    ahead.draw(options.seed, stream(line), drawn);
                    (ahead.bending(drawn, points), line)
                },
            )
            .collect();
        lines += count;
        scored.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut best: Option<(f64, Vec<f64>)> = None;
        for &(_, line) in scored.iter().take(KEPT) {
            let (mut drawn, mut points) = (Vec::new(), Vec::new());
            ahead.draw(options.seed, stream(line), &mut drawn);
            let time_s = ahead.time_s(&drawn, &mut points, &mut solver);
            if best.as_ref().is_none_or(|(fastest_s, _)| time_s < *fastest_s) {
                best = Some((time_s, drawn));
            }
        }
        if let Some(&first) = best.as_ref().and_then(|(_, drawn)| drawn.first()) {
            let place = ahead.place(0);
            offsets.set(place, first);
        }
    }
    Ok(Sampled { alpha: offsets.alpha(), lines })
}
