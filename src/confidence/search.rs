//! The search for the fastest line with a stated probability of staying on the road.

use super::error::ConfidenceError;
use super::options::ConfidenceOptions;
use super::survival::Survival;
use super::{margins, risk, strays};
use crate::options::Options;
use crate::pipeline::{self, Extraction, Outcome, Request};
use crate::track::EdgeMargin;

/// Deviations of room of the first margins.
const FIRST_DEVIATIONS: f64 = 3.0;
/// Largest number of lines with one fraction of the grip. The second has the margins that the first needs,
/// and two more follow how the probability depends on them.
const ROUNDS: usize = 4;
/// A line that has between this part of the allowed probability and all of it needs no other margins.
const ENOUGH: f64 = 0.3;
/// Step of the fraction of the grip, how often the last one is halved, and the smallest fraction that is tried.
const GRIP_STEP: f64 = 0.02;
const HALVINGS: usize = 2;
const MIN_GRIP: f64 = 0.7;
/// Part of the allowed probability that margins are made for: the next line strays a little differently.
const AIMED: f64 = 0.6;
/// The smallest probability that counts, for its logarithm.
const MIN_RISK: f64 = 1e-12;

/// A line that survives.
#[derive(Clone, Debug)]
pub struct Confident {
    /// The line, with the room to the edges and the fraction of the grip in its options.
    pub outcome: Outcome,
    /// How surely it survives.
    pub survival: Survival,
}

/// Finds the fastest line of the track of `extraction` on which the vehicle of `request` stays on the road
/// in a lap with the confidence of `options`. Where the line without noise does, it is that line.
///
/// # Errors
/// Those of [`pipeline::optimize`] for the line without noise and of a drive, and
/// [`ConfidenceError::NotFound`].
pub fn optimize_with_confidence(
    extraction: &Extraction,
    request: &Request<'_>,
    options: &ConfidenceOptions,
) -> Result<Confident, ConfidenceError> {
    options.validate()?;
    if !request.options.edge_margin.is_empty() {
        return Err(ConfidenceError::EdgeMargin);
    }
    let task = Task { extraction, request, options };
    let free = task.line(1.0, &[])?;
    let strays = strays::of_line(&free.line, request.vehicle, options)?;
    let at_low_grip = strays::risk_at_low_grip(&free.line, request.vehicle, options)?;
    let (free_lap_time_s, free_risk) = (free.line.lap_time_s, strays.risk.max(at_low_grip));
    let mut best: Option<Found> = None;
    let mut min_risk = (1.0, free_risk);
    let mut grip = 1.0;
    let mut first = Some(Free { outcome: free, strays, at_low_grip });
    while grip > MIN_GRIP {
        match task.with_grip(grip, first.take())? {
            Tried::Found(found) => {
                // Less grip costs more from here on.
                if best.as_ref().is_some_and(|best| best.outcome.line.lap_time_s <= found.outcome.line.lap_time_s) {
                    break;
                }
                best = Some(*found);
            }
            Tried::Risky(risk) => {
                if risk < min_risk.1 {
                    min_risk = (grip, risk);
                }
                if best.is_some() {
                    break;
                }
            }
        }
        grip -= GRIP_STEP;
    }
    // Between the fraction that was found and the one before, which allowed too much or is slower.
    let mut step = GRIP_STEP;
    for _ in 0..HALVINGS {
        let Some(known) = best.as_ref().filter(|known| known.grip < 1.0) else { break };
        step *= 0.5;
        let is_faster = |found: &Found| found.outcome.line.lap_time_s < known.outcome.line.lap_time_s;
        if let Tried::Found(found) = task.with_grip(known.grip + step, None)?
            && is_faster(&found)
        {
            best = Some(*found);
        }
    }
    let Some(found) = best else {
        return Err(ConfidenceError::NotFound { confidence: options.confidence, grip: min_risk.0, risk: min_risk.1 });
    };
    let max_edge_margin_m = found.margins.iter().map(|margin| margin.left_m.max(margin.right_m)).fold(0.0, f64::max);
    let survival = Survival {
        confidence: options.confidence,
        predicted: 1.0 - found.risk,
        grip_fraction: found.grip,
        max_edge_margin_m,
        free_lap_time_s,
        free_predicted: 1.0 - free_risk,
    };
    Ok(Confident { outcome: found.outcome, survival })
}

/// The line without noise, and what was found out about it.
struct Free {
    outcome: Outcome,
    strays: strays::Strays,
    /// The probability of leaving the road by drives at the lowest grip.
    at_low_grip: f64,
}

/// A line with at most the allowed probability of leaving the road.
struct Found {
    outcome: Outcome,
    margins: Vec<EdgeMargin>,
    grip: f64,
    risk: f64,
}

/// What became of a fraction of the grip.
enum Tried {
    Found(Box<Found>),
    /// The smallest probability of leaving the road that was reached.
    Risky(f64),
}

struct Task<'a> {
    extraction: &'a Extraction,
    request: &'a Request<'a>,
    options: &'a ConfidenceOptions,
}

impl Task<'_> {
    /// [`Self::line`], or `None` where there is no room or no sound line for it.
    fn line_if_any(&self, grip: f64, margins: &[EdgeMargin]) -> Result<Option<Outcome>, ConfidenceError> {
        match self.line(grip, margins) {
            Ok(outcome) => Ok(Some(outcome)),
            Err(ConfidenceError::Line(pipeline::Error::Solve { .. } | pipeline::Error::Unsound { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The line with a fraction of the grip and room to the edges.
    fn line(&self, grip: f64, margins: &[EdgeMargin]) -> Result<Outcome, ConfidenceError> {
        let asked = self.request.options;
        let vehicle = self.request.vehicle.clone().with_grip(grip);
        let fraction = grip * asked.grip_fraction.unwrap_or(1.0);
        let options = Options {
            edge_margin: margins.to_vec(),
            grip_fraction: if grip < 1.0 { Some(fraction) } else { asked.grip_fraction },
            ..asked.clone()
        };
        let request = Request { options: &options, vehicle: &vehicle, ..*self.request };
        self.request.progress.stage(&format!("searching with {grip:.2} of the grip"));
        Ok(pipeline::optimize(self.extraction.clone(), &request)?)
    }

    /// The fastest line with a fraction of the grip; `free` is the one without noise, where that has it.
    fn with_grip(&self, grip: f64, free: Option<Free>) -> Result<Tried, ConfidenceError> {
        let vehicle = self.request.vehicle;
        let allowed = self.options.allowed();
        let (mut outcome, mut strays, of_free) = match free {
            Some(Free { outcome, strays, at_low_grip }) => (outcome, strays, Some(at_low_grip)),
            None => {
                let Some(outcome) = self.line_if_any(grip, &[])? else { return Ok(Tried::Risky(1.0)) };
                let strays = strays::of_line(&outcome.line, vehicle, self.options)?;
                (outcome, strays, None)
            }
        };
        let (mut found, mut min_risk): (Option<Found>, f64) = (None, strays.risk);
        let (mut deviations, mut margins) = (0.0, Vec::new());
        for round in 0..ROUNDS {
            if strays.risk <= allowed {
                let is_faster =
                    found.as_ref().is_none_or(|found| outcome.line.lap_time_s < found.outcome.line.lap_time_s);
                if is_faster {
                    let (outcome, margins) = (outcome.clone(), std::mem::take(&mut margins));
                    found = Some(Found { outcome, margins, grip, risk: strays.risk });
                }
                // Without margins nothing is faster.
                if round == 0 || strays.risk >= ENOUGH * allowed {
                    break;
                }
            }
            deviations = if round == 0 {
                FIRST_DEVIATIONS
            } else {
                risk::deviations_for(deviations, strays.risk.max(MIN_RISK), AIMED * allowed)
            };
            margins = margins::of_reaches(
                &self.extraction.track,
                &outcome.line,
                &strays.reaches,
                deviations,
                vehicle.margin_m(),
            );
            let Some(next) = self.line_if_any(grip, &margins)? else { break };
            outcome = next;
            strays = strays::of_line(&outcome.line, vehicle, self.options)?;
            min_risk = min_risk.min(strays.risk);
        }
        let Some(mut found) = found else { return Ok(Tried::Risky(min_risk)) };
        let at_low_grip = match of_free.filter(|_| found.margins.is_empty()) {
            Some(of_free) => of_free,
            None => {
                self.request.progress.stage(&format!("driving with noise at {grip:.2} of the grip"));
                strays::risk_at_low_grip(&found.outcome.line, vehicle, self.options)?
            }
        };
        found.risk = found.risk.max(at_low_grip);
        Ok(if found.risk <= allowed { Tried::Found(Box::new(found)) } else { Tried::Risky(found.risk) })
    }
}
