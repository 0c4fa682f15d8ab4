//! Where and why a driven lap loses time against a line: by corner, and by braking, apex speed, line and
//! throttle.
//!
//! The lap is divided on the road between two corners, nearer to where the reference brakes, so that who
//! brakes too early does so at the next corner. In each part, with `v` the speed of the reference, `w` the driven one, and `Δ` the
//! difference of their squares at their lowest speeds:
//!
//! ```text
//! line      the longer path, at the driven speed
//! apex      v → u    u: braked as the reference, to the driven lowest speed, and driven out as the
//!                    reference drives out: u² = v² - Δ, where the reference accelerates less u² = v² - Δ a / a max
//! braking   u → w    before the lowest speed
//! throttle  u → w    behind it; and of the next part what is missing already where it begins
//! ```
//!
//! The four parts of all corners add up to the difference of the lap times.

use serde::Serialize;

use super::comparison::{Along, ComparisonError, lay_beside};
use super::corners::{Corner, CornerNumber};
use super::lap::Lap;
use super::turn::Turn;
use super::{AnalysisOptions, analyse};
use crate::file::RacingLine;
use raceline_numerics::math;

/// Why time is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LossCause {
    /// Braked too early or too long.
    Braking,
    /// Too slow at the slowest place.
    ApexSpeed,
    /// A longer line.
    Line,
    /// On the throttle too late or too little.
    Throttle,
}

impl LossCause {
    /// All causes, in the order of a corner.
    pub const ALL: [Self; 4] = [Self::Braking, Self::ApexSpeed, Self::Line, Self::Throttle];

    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Braking => "braking",
            Self::ApexSpeed => "apex speed",
            Self::Line => "line",
            Self::Throttle => "throttle",
        }
    }
}

/// The time lost at one corner of the reference, with the roads to it and out of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CornerLoss {
    /// Number of the corner.
    #[serde(flatten)]
    pub number: CornerNumber,
    /// Name of the corner, if the line's options have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The direction of the corner.
    pub direction: Turn,
    /// Where the part of the lap begins, m from the start line.
    pub from_s_m: f64,
    /// Where the reference is slowest, m from the start line.
    pub apex_s_m: f64,
    /// Where the part ends, m from the start line; less than its beginning over the start line.
    pub to_s_m: f64,
    /// Time lost, s; negative is won. The sum of the next four.
    pub loss_s: f64,
    /// Of it by braking, s.
    pub braking_s: f64,
    /// Of it by the lowest speed, s.
    pub apex_speed_s: f64,
    /// Of it by the length of the line, s.
    pub line_s: f64,
    /// Of it by the throttle, s.
    pub throttle_s: f64,
    /// How much earlier than the reference the driver brakes, m; negative is later. `None` where one of
    /// them does not slow down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brakes_earlier_m: Option<f64>,
    /// Lowest speed of the reference, m/s.
    pub reference_lowest_mps: f64,
    /// Lowest driven speed, m/s.
    pub driven_lowest_mps: f64,
    /// Distance of the driven path to the left of the reference at the apex, m.
    pub offset_m: f64,
    /// The largest of the four; `None` where none costs time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<LossCause>,
}

impl CornerLoss {
    /// The time lost by a cause, s.
    #[must_use]
    pub fn by(&self, cause: LossCause) -> f64 {
        match cause {
            LossCause::Braking => self.braking_s,
            LossCause::ApexSpeed => self.apex_speed_s,
            LossCause::Line => self.line_s,
            LossCause::Throttle => self.throttle_s,
        }
    }
}

/// The losses of a driven lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Losses {
    /// Driven lap time less that of the reference, s.
    pub total_s: f64,
    /// The corners in the order of travel.
    pub corners: Vec<CornerLoss>,
}

/// A cause is named if it costs more than this, s.
const MIN_CAUSE_S: f64 = 0.005;
/// Braking begins where the speed falls below this fraction of the highest before the corner.
const BRAKING: f64 = 0.97;
/// From the slowest place of a corner to where the reference brakes, this fraction of the steps belongs to
/// the exit.
const EXIT: f64 = 0.7;
/// A car that slows down by less does not brake.
const MIN_SLOWING: f64 = 0.92;

/// The losses of `driven` against `reference`, by the corners of the reference.
///
/// # Errors
/// See [`ComparisonError`].
pub fn losses(
    reference: &RacingLine,
    driven: &RacingLine,
    options: &AnalysisOptions,
) -> Result<Losses, ComparisonError> {
    let corners = analyse(reference, options)?.corners;
    let along = lay_beside(reference, driven)?;
    Ok(Parts::new(Lap::new(reference), &along, driven.lap_time_s).losses(&corners))
}

/// The steps of the lap, one less than the places of `along`. On a closed lap the steps go on round it.
struct Parts<'a> {
    lap: Lap<'a>,
    along: &'a [Along],
    /// Speeds at each place, m/s.
    reference: Vec<f64>,
    driven: Vec<f64>,
    total_s: f64,
}

/// One part of the lap, as steps counted from the first corner's on, and the slowest places.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: usize,
    apex: usize,
    to: usize,
}

impl<'a> Parts<'a> {
    fn new(lap: Lap<'a>, along: &'a [Along], driven_s: f64) -> Self {
        let reference: Vec<f64> = along.iter().map(|here| lap.at(here.s_m).speed_mps.max(0.5)).collect();
        let driven = along.iter().zip(&reference).map(|(here, v)| (v + here.speed_difference_mps).max(0.5)).collect();
        Self { lap, along, reference, driven, total_s: driven_s - lap.line.lap_time_s }
    }

    fn steps(&self) -> usize {
        self.along.len().saturating_sub(1)
    }

    fn within(&self, step: usize) -> usize {
        if self.lap.line.closed { step % self.steps().max(1) } else { step.min(self.steps()) }
    }

    fn losses(&self, corners: &[Corner]) -> Losses {
        let steps = self.steps();
        if corners.is_empty() || steps == 0 {
            return Losses { total_s: self.total_s, corners: Vec::new() };
        }
        let parts = self.parts(corners);
        let mut sums = vec![[0.0; 4]; parts.len()];
        for (index, part) in parts.iter().enumerate() {
            let before = (index + parts.len() - 1) % parts.len();
            let is_first = index == 0 && !self.lap.line.closed;
            let carried = self.add_part(part, &mut sums[index]);
            sums[if is_first { index } else { before }][3] += carried;
        }
        let corners = corners.iter().zip(&parts).zip(sums);
        let corners = corners.map(|((corner, part), sums)| self.corner(corner, part, sums)).collect();
        Losses { total_s: self.total_s, corners }
    }

    /// The place where `values` are lowest or highest from one step to another.
    fn extreme(&self, from: usize, to: usize, values: &[f64], sign: f64) -> usize {
        let value = |&step: &usize| sign * values[self.within(step)];
        (from..=to).max_by(|a, b| value(a).total_cmp(&value(b))).unwrap_or(from)
    }

    /// The parts of the lap, one for each corner.
    fn parts(&self, corners: &[Corner]) -> Vec<Part> {
        let steps = self.steps();
        let step_at = |s_m: f64| self.along.partition_point(|here| here.s_m < s_m).min(steps);
        let closed = self.lap.line.closed;
        let mut apexes: Vec<usize> = Vec::new();
        for corner in corners {
            let from = step_at(corner.entry_s_m);
            let mut to = step_at(corner.exit_s_m);
            if to < from {
                to += steps;
            }
            let apex = self.extreme(from, to, &self.reference, -1.0);
            // Over the start line the last corner's apex may lie before the first's.
            let ordered = apexes.last().map_or(apex, |&last| if apex < last { last } else { apex });
            apexes.push(ordered);
        }
        if let (true, Some(&first)) = (closed, apexes.first()) {
            for apex in &mut apexes {
                *apex = (*apex).min(first + steps);
            }
        }
        // By the reference alone, so that noise of the driven lap moves no boundary.
        let boundary = |from: usize, to: usize| {
            let highest = self.extreme(from, to, &self.reference, 1.0);
            let top = self.reference[self.within(highest)];
            let brakes = (highest..=to).rev().find(|&step| self.reference[self.within(step)] >= BRAKING * top);
            from + ((brakes.unwrap_or(highest) - from) as f64 * EXIT) as usize
        };
        let mut bounds: Vec<usize> = apexes.windows(2).map(|pair| boundary(pair[0], pair[1])).collect();
        match (closed, apexes.first(), apexes.last()) {
            (true, Some(&first), Some(&last)) => {
                let over = boundary(last, first + steps);
                bounds.insert(0, over.saturating_sub(steps));
                // A boundary before the start line is counted from the lap before.
                let shift = if over < steps { steps } else { 0 };
                bounds.push(over);
                return self.round(&bounds, &apexes, shift);
            }
            _ => {
                bounds.insert(0, 0);
                bounds.push(steps);
            }
        }
        bounds.windows(2).zip(apexes).map(|(pair, apex)| Part { from: pair[0], apex, to: pair[1] }).collect()
    }

    /// The parts of a closed lap: `bounds` begin with the one before the first corner.
    fn round(&self, bounds: &[usize], apexes: &[usize], shift: usize) -> Vec<Part> {
        let steps = self.steps();
        let part = |(index, (pair, &apex)): (usize, (&[usize], &usize))| {
            let (mut from, mut apex, mut to) = (pair[0], apex, pair[1]);
            if index == 0 && shift > 0 {
                // From before the start line: all counted one lap on.
                from = bounds.last().copied().unwrap_or(steps);
                (apex, to) = (apex + steps, to + steps);
            }
            if apexes.len() == 1 {
                to = from + steps;
                while apex < from {
                    apex += steps;
                }
            }
            Part { from, apex: apex.max(from), to: to.max(from) }
        };
        bounds.windows(2).zip(apexes).enumerate().map(part).collect()
    }

    /// Adds the times of a part by cause, and returns what was missing already where it begins.
    fn add_part(&self, part: &Part, sums: &mut [f64; 4]) -> f64 {
        let speed = |values: &[f64], step: usize| {
            let step = self.within(step);
            f64::midpoint(values[step], values[(step + 1).min(values.len() - 1)])
        };
        let [v0, w0] = [&self.reference, &self.driven].map(|values| values[self.within(part.from)]);
        let missing = (v0 * v0 - w0 * w0).max(0.0);
        let (v_low, w_low) = (values_at(&self.reference, self.within(part.apex)), self.lowest_driven(part));
        let deficit = v_low * v_low - w_low * w_low;
        let accel = |step: usize| {
            let (a, b) = (self.within(step), self.within(step) + 1);
            let ds = self.along.get(b).map_or(0.0, |next| next.s_m) - self.along[a].s_m;
            let squares = self.reference.get(b).map_or(0.0, |v| v * v) - math::powi(self.reference[a], 2);
            if ds > 0.0 { squares / (2.0 * ds) } else { 0.0 }
        };
        let strongest = (part.apex..part.to).max_by(|&a, &b| accel(a).total_cmp(&accel(b))).unwrap_or(part.apex);
        let a_max = accel(strongest).max(1e-3);
        // Before the reference brakes, its braking is thought to begin earlier with the same deceleration.
        let highest = self.extreme(part.from, part.apex, &self.reference, 1.0);
        let v_high = values_at(&self.reference, self.within(highest));
        let length = self.distance(highest, part.apex);
        let braking = if length > 0.0 { (v_high * v_high - v_low * v_low) / (2.0 * length) } else { 0.0 };
        let mut carried = 0.0;
        for step in part.from..part.to {
            let here = self.within(step);
            let Some(next) = self.along.get(here + 1) else { continue };
            let (v, w) = (speed(&self.reference, step), speed(&self.driven, step));
            let ds = next.s_m - self.along[here].s_m;
            let total = next.time_difference_s - self.along[here].time_difference_s;
            let by_speed = ds / w - ds / v;
            sums[2] += total - by_speed;
            let behind = step >= part.apex;
            // The strongest acceleration lies behind the slowest place.
            let kept = if step > strongest { (accel(step) / a_max).clamp(0.0, 1.0) } else { 1.0 };
            let as_fast = if behind || step >= highest || deficit < 0.0 {
                v * v - deficit * kept
            } else {
                (v_high * v_high + 2.0 * braking * self.distance(step, highest) - deficit).min(v * v)
            };
            let limit = if behind { f64::INFINITY } else { (v_high * v_high).max(v * v) };
            let u = as_fast.min(limit).max(0.25 * w * w).sqrt();
            // What arrives slower brakes later, down to the same speed.
            let arrives = if step < highest { v * v - missing } else { v_high * v_high - missing };
            let arrives = if behind { f64::INFINITY } else { arrives.max(0.25 * w * w).sqrt() };
            let reached = u.min(arrives);
            sums[if behind { 3 } else { 0 }] += ds / w - ds / reached;
            // What the speed on arrival hides of the apex' loss is the exit's before.
            carried += ds / reached - ds / u;
            sums[1] += ds / u - ds / v;
        }
        carried
    }

    /// The place where `values` are lowest between the highest speeds of the reference before and
    /// behind its slowest place: where one corner follows another at once, the part begins or ends in
    /// the speed of that one, which may be lower.
    fn slowest(&self, part: &Part, values: &[f64]) -> usize {
        let before = self.extreme(part.from, part.apex, &self.reference, 1.0);
        let behind = self.extreme(part.apex, part.to, &self.reference, 1.0);
        self.extreme(before, behind, values, -1.0)
    }

    /// The lowest driven speed near the corner.
    fn lowest_driven(&self, part: &Part) -> f64 {
        values_at(&self.driven, self.within(self.slowest(part, &self.driven)))
    }

    /// Metres of the reference from one step to another.
    fn distance(&self, from: usize, to: usize) -> f64 {
        let s = |step: usize| {
            let laps = if self.lap.line.closed { step / self.steps().max(1) } else { 0 };
            self.along.get(self.within(step)).map_or(0.0, |here| here.s_m) + laps as f64 * self.lap.line.length_m
        };
        (s(to) - s(from)).max(0.0)
    }

    fn corner(&self, corner: &Corner, part: &Part, sums: [f64; 4]) -> CornerLoss {
        let s_at = |step: usize| self.along.get(self.within(step)).map_or(0.0, |here| here.s_m);
        let [braking_s, apex_speed_s, line_s, throttle_s] = sums;
        let slowing = |values: &[f64]| {
            let apex = self.slowest(part, values);
            let highest = self.extreme(part.from.min(apex), apex, values, 1.0);
            let top = values_at(values, self.within(highest));
            let begins = (highest..=apex).rev().find(|&step| values_at(values, self.within(step)) >= BRAKING * top)?;
            (values_at(values, self.within(apex)) < MIN_SLOWING * top).then_some(begins)
        };
        let begins = slowing(&self.reference).zip(slowing(&self.driven));
        let brakes_earlier_m =
            begins.map(|(reference, driven)| self.distance(driven, reference) - self.distance(reference, driven));
        let causes = LossCause::ALL.into_iter().zip(sums).filter(|(_, seconds)| *seconds > MIN_CAUSE_S);
        CornerLoss {
            number: corner.number,
            name: corner.name.clone(),
            direction: corner.direction,
            from_s_m: s_at(part.from),
            apex_s_m: s_at(part.apex),
            to_s_m: s_at(part.to),
            loss_s: sums.iter().sum(),
            braking_s,
            apex_speed_s,
            line_s,
            throttle_s,
            brakes_earlier_m,
            reference_lowest_mps: values_at(&self.reference, self.within(part.apex)),
            driven_lowest_mps: self.lowest_driven(part),
            offset_m: self.along.get(self.within(part.apex)).map_or(0.0, |here| here.offset_m),
            cause: causes.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(cause, _)| cause),
        }
    }
}

fn values_at(values: &[f64], step: usize) -> f64 {
    values.get(step).copied().unwrap_or(0.5)
}
