//! The search for the fastest line with a stated probability of staying on the road.

use super::error::ConfidenceError;
use super::options::ConfidenceOptions;
use super::survival::Survival;
use super::{drives, margins, risk, strays};
use crate::options::Options;
use crate::pipeline::{self, Extraction, Outcome, Request};
use crate::track::EdgeMargin;

/// Deviations of room of the first margins.
const FIRST_DEVIATIONS: f64 = 3.0;
/// Largest number of lines with room to the edges for one fraction of the grip: after the first, they follow how the
/// probability depends on the room.
const ROUNDS: usize = 3;
/// Part of the allowed probability above which deviations of the linear motion ask for room to the edges, and from
/// which to all of it a line needs no other margins.
const ENOUGH: f64 = 0.3;
/// Step of the fraction of the grip, how often the last one is halved, and the smallest fraction that is tried.
const GRIP_STEP: f64 = 0.02;
const HALVINGS: usize = 3;
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
/// [`ConfidenceError::NotFound`]; [`ConfidenceError::Leaning`] for a vehicle on two wheels.
pub fn optimize_with_confidence(
    extraction: &Extraction,
    request: &Request<'_>,
    options: &ConfidenceOptions,
) -> Result<Confident, ConfidenceError> {
    options.validate()?;
    if !request.options.edge_margin.is_empty() {
        return Err(ConfidenceError::EdgeMargin);
    }
    if request.vehicle.lean_rate_radps.is_some() {
        return Err(ConfidenceError::Leaning);
    }
    let task = Task { extraction, request, options };
    let free = task.line(1.0, &[])?;
    // Of this line all drives are counted, since its probability is reported.
    let free_risk = task.risk(&free, 1.0, f64::INFINITY)?;
    let free_lap_time_s = free.line.lap_time_s;
    let mut best: Option<Found> = None;
    let mut min_risk = (1.0, free_risk);
    let mut grip = 1.0;
    let mut first = Some((free, free_risk));
    while grip > MIN_GRIP {
        match task.with_grip(grip, first.take())? {
            Tried::Found(found) => {
                // Less grip costs more from here on.
                if best.as_ref().is_some_and(|best| best.lap_s() <= found.lap_s()) {
                    break;
                }
                let needs_room = !found.margins.is_empty();
                best = Some(*found);
                // A line with less grip can be faster only where it needs less room.
                if !needs_room {
                    break;
                }
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
        if let Tried::Found(found) = task.with_grip(known.grip + step, None)?
            && found.lap_s() < known.lap_s()
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

/// A line with at most the allowed probability of leaving the road.
struct Found {
    outcome: Outcome,
    margins: Vec<EdgeMargin>,
    grip: f64,
    risk: f64,
}

impl Found {
    fn lap_s(&self) -> f64 {
        self.outcome.line.lap_time_s
    }
}

/// What became of a fraction of the grip.
enum Tried {
    Found(Box<Found>),
    /// A lower bound of the smallest probability of leaving the road that was reached.
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
        self.request.progress.stage(&format!("searching with {grip:.4} of the grip"));
        Ok(pipeline::optimize(self.extraction.clone(), &request)?)
    }

    /// The probability of leaving the road, by drives; above `limit` a lower bound.
    fn risk(&self, outcome: &Outcome, grip: f64, limit: f64) -> Result<f64, ConfidenceError> {
        self.request.progress.stage(&format!("driving with noise at {grip:.4} of the grip"));
        Ok(drives::risk(&outcome.line, self.request.vehicle, self.options, limit)?)
    }

    /// The fastest line with a fraction of the grip; `free` is the one without noise with its probability of leaving
    /// the road, where that has it.
    fn with_grip(&self, grip: f64, free: Option<(Outcome, f64)>) -> Result<Tried, ConfidenceError> {
        let (limit, vehicle) = (drives::limit(self.options), self.request.vehicle);
        let (outcome, shown) = match free {
            Some(known) => known,
            None => {
                let Some(outcome) = self.line_if_any(grip, &[])? else { return Ok(Tried::Risky(1.0)) };
                let shown = self.risk(&outcome, grip, limit)?;
                (outcome, shown)
            }
        };
        // Rarer slides than drives show are left to the deviations.
        let shows = drives::show(self.options);
        if shown <= limit && shows {
            return Ok(Tried::Found(Box::new(Found { outcome, margins: Vec::new(), grip, risk: shown })));
        }
        let strays = strays::of_line(&outcome.line, vehicle, self.options)?;
        if shown <= limit && strays.risk <= self.options.allowed() {
            let risk = shown.max(strays.risk);
            return Ok(Tried::Found(Box::new(Found { outcome, margins: Vec::new(), grip, risk })));
        }
        if strays.risk < ENOUGH * self.options.allowed() {
            return Ok(Tried::Risky(shown));
        }
        let Some((outcome, margins, strayed)) = self.with_room(grip, &outcome, strays)? else {
            return Ok(Tried::Risky(shown));
        };
        let with_room = self.risk(&outcome, grip, limit)?;
        if with_room > limit {
            return Ok(Tried::Risky(shown.min(with_room)));
        }
        let risk = if shows { with_room } else { with_room.max(strayed) };
        Ok(Tried::Found(Box::new(Found { outcome, margins, grip, risk })))
    }

    /// The fastest line with as much room to the edges as the deviations of its linear motion need, if there is one,
    /// its margins, and the probability of leaving the road by its deviations. `outcome` is the line without room.
    fn with_room(
        &self,
        grip: f64,
        outcome: &Outcome,
        strays: strays::Strays,
    ) -> Result<Option<(Outcome, Vec<EdgeMargin>, f64)>, ConfidenceError> {
        let (allowed, vehicle) = (self.options.allowed(), self.request.vehicle);
        let (mut line, mut strays) = (outcome.line.clone(), strays);
        let mut found: Option<(Outcome, Vec<EdgeMargin>, f64)> = None;
        let mut deviations = 0.0;
        for round in 0..ROUNDS {
            deviations = if round == 0 {
                FIRST_DEVIATIONS
            } else {
                risk::deviations_for(deviations, strays.risk.max(MIN_RISK), AIMED * allowed)
            };
            let margins =
                margins::of_reaches(&self.extraction.track, &line, &strays.reaches, deviations, vehicle.margin_m());
            let Some(next) = self.line_if_any(grip, &margins)? else { break };
            strays = strays::of_line(&next.line, vehicle, self.options)?;
            line = next.line.clone();
            if strays.risk <= allowed {
                let is_faster = found.as_ref().is_none_or(|found| line.lap_time_s < found.0.line.lap_time_s);
                if is_faster {
                    found = Some((next, margins, strays.risk));
                }
                if strays.risk >= ENOUGH * allowed {
                    break;
                }
            }
        }
        Ok(found)
    }
}
