//! The line: step after step, the first of the best of the lines drawn ahead.

use rayon::prelude::*;

use super::ahead::Ahead;
use super::offsets::{self, Offsets};
use crate::speed::{Course, Lap, SpeedSolver};
use crate::{Corridor, SolveError, SolveOptions};

/// Length of a step, in mean widths of the road. In a cone of 15° a line crosses 0.8 of the width
/// in one. Shorter steps draw more winding lines, of which fewer are good.
pub(crate) const STEP_WIDTHS: f64 = 3.0;
/// Steps that are drawn ahead. More see a bend in time, and fewer of the lines drawn are good in
/// all of them.
const AHEAD: usize = 8;
/// Number of points at which a line ahead is judged.
pub(crate) const POINTS_AHEAD: usize = AHEAD * offsets::JUDGED_PER_STEP;
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
