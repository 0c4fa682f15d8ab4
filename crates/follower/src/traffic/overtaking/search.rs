//! The search: over stages along the path and offsets beside it, the route that is soonest at the last stage.
//!
//! A state is an offset and the change of the offset
//! since the stage before; the cheapest route to it carries time and speed. A step from one to the next
//! costs
//!
//! ```text
//! time + lateral acceleration + speed that its bend does not allow + distance from the path
//!      + distance from the last route + nearness to those beside
//! ```
//!
//! A step into one ahead ends when that one has gone on: the route follows it. The distance that is kept to
//! the sides grows with the time for which a rival is predicted.

use super::rivals::Rival;
use super::stages::{STAGES, Stage};
use crate::options::TrafficOptions;
use crate::planned_route::PlannedRoute;
use crate::shift::MIN_RADIUS;
use raceline_car::VehicleDynamics;
use raceline_numerics::math;

/// Offsets, and changes of the offset from stage to stage in their spacing, symmetric about none; by how
/// much such a change may change. More of them find narrower gaps.
const OFFSETS: usize = 27;
const MOVES: usize = 7;
const STILL: usize = MOVES / 2;
const TURNS: usize = 2;
const STATES: usize = OFFSETS * MOVES;
/// Smallest spacing of the offsets, m.
const MIN_SPACING_M: f64 = 0.5;
/// Lateral acceleration of a step that costs `SMOOTH_S`, m/s², and the largest in parts of it. Larger
/// ones evade more abruptly.
const LATERAL_MPS2: f64 = 7.0;
const SMOOTH_S: f64 = 0.03;
const HARDEST: f64 = 3.0;
/// Largest slope against the path, at walking pace by the speed across, m/s, and up to a larger one; or a
/// part more than now.
const MAX_SLOPE: f64 = 0.15;
const SLOW_ACROSS_MPS: f64 = 2.0;
const SLOW_SLOPE: f64 = 0.5;
const MORE_SLOPE: f64 = 1.2;
/// Weight of the time in which a bend is too fast. A larger one overtakes less in bends.
const TOO_FAST: f64 = 2.0;
/// Costs per metre and second beside the path and beside the last route, and per metre where the route
/// ends. Larger ones keep to the path, and to a decision.
const OFF_PATH: f64 = 0.006;
const CHANGE: f64 = 0.02;
const ENDS_OFF_PATH: f64 = 0.02;
/// Routes that cost more than the cheapest by this are given up, s.
const BEAM_S: f64 = 1.5;
/// More of the distance to the sides of a rival per time of its prediction, m/s, and the longest such
/// time, s. Larger ones overtake less and touch less.
const GROWS_MPS: f64 = 0.3;
const GROWS_S: f64 = 2.0;
/// Distance to the sides that is wanted, m, and the cost of none of it per second.
const WANTED_M: f64 = 2.2;
const BESIDE: f64 = 0.4;
/// Cost of touching another, s.
const TOUCHES_S: f64 = 8.0;
/// How often the time counts that is lost behind another: who follows goes on following.
const LOSES_ON: f64 = 2.0;
/// Part of the time by which one that is followed is followed more closely in the search.
const ATTACKS: f64 = 0.5;
/// Part of the planned deceleration with which one that is followed is waited for, 0 to 1.
const FOLLOWS_BRAKES: f64 = 0.9;
/// A rival is followed from this fraction of both lengths ahead on, and beside the vehicle below it.
pub(super) const LEADS: f64 = 0.5;
/// Distance between the outlines before which nobody is cut in on, and within which they are beside, m.
const CUT_IN_M: f64 = 1.0;
const NEAR_M: f64 = 2.0;
/// Rivals are met within these distances ahead and behind, m.
const MET_M: [f64; 2] = [40.0, 15.0];

/// The cheapest route to a state.
#[derive(Clone, Copy, Debug)]
struct Label {
    cost: f64,
    time: f64,
    speed: f64,
    offset: f64,
    slope: f64,
}

const NONE: Label = Label { cost: f64::INFINITY, time: 0.0, speed: 0.0, offset: 0.0, slope: 0.0 };

/// A place of a route, m and s from the vehicle on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Node {
    pub s: f64,
    pub offset: f64,
    pub time: f64,
}

/// The route that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub nodes: [Node; STAGES],
}

impl Found {
    pub(super) const NONE: Self = Self { nodes: [Node { s: 0.0, offset: 0.0, time: 0.0 }; STAGES] };

    /// As seen from `distance` further along the path and `time` later.
    pub(super) fn advance(&mut self, distance: f64, time: f64) {
        for node in &mut self.nodes {
            node.s -= distance;
            node.time -= time;
        }
    }

    /// Offset and time at a distance ahead.
    pub(super) fn at(&self, s: f64) -> Node {
        let k = self.nodes[1..STAGES - 1].partition_point(|node| node.s <= s);
        let [a, b] = [&self.nodes[k], &self.nodes[k + 1]];
        let u = ((s - a.s) / (b.s - a.s).max(1e-6)).clamp(0.0, 1.0);
        Node { s, offset: a.offset + (b.offset - a.offset) * u, time: a.time + (b.time - a.time) * u }
    }
}

/// What the search needs.
pub(super) struct Search<'a> {
    pub stages: &'a [Stage; STAGES],
    pub rivals: &'a [Rival],
    pub dynamics: &'a VehicleDynamics,
    /// The vehicle's speed, m/s, and offset and slope of its route, m.
    pub speed: f64,
    pub offset: f64,
    pub slope: f64,
    /// The last route and how far along it the vehicle is, m.
    pub last: &'a PlannedRoute,
    pub advance: f64,
    pub options: &'a TrafficOptions,
}

/// From a stage to the next.
struct Step<'a> {
    from: &'a Stage,
    to: &'a Stage,
    /// Distance between them, and from the middle of the step before to that of this one, m.
    ds: f64,
    run: f64,
    /// Offset of the last route at the end, m, and how much it counts, 1 to 0.
    last: f64,
    kept: f64,
}

/// A step that nobody hinders.
#[derive(Clone, Copy, Debug)]
struct Alone {
    /// Beside its time, s.
    cost: f64,
    offset: f64,
    slope: f64,
    /// How long it takes, s.
    free: f64,
    speed: f64,
}

/// How a step meets the others.
struct Meeting {
    cost: f64,
    time: f64,
    speed: f64,
}

impl Search<'_> {
    /// The route that is soonest at the last stage; straight on where the road has none.
    pub(super) fn find(&self) -> Found {
        let (low, high) = self
            .stages
            .iter()
            .fold((0.0_f64, 0.0_f64), |(low, high), stage| (low.min(stage.low), high.max(stage.high)));
        let spacing = ((high - low) / (OFFSETS - 2) as f64).max(MIN_SPACING_M);
        let zero = (-low / spacing).ceil();
        let value = |j: usize| (j as f64 - zero) * spacing;
        // Speeds of staying at an offset, with the braking for the stages after it.
        let mut tops = [[0.0; OFFSETS]; STAGES];
        for (k, stage) in self.stages.iter().enumerate().rev() {
            for (j, top) in tops[k].iter_mut().enumerate() {
                *top = stage.fastest(value(j), 0.0);
            }
            if k + 1 < STAGES {
                let braked = 2.0 * stage.braking * (self.stages[k + 1].s - stage.s);
                let next = tops[k + 1];
                for (top, next) in tops[k].iter_mut().zip(next) {
                    *top = top.min((next * next + braked).sqrt());
                }
            }
        }
        let mut parents = [[u16::MAX; STATES]; STAGES];
        let mut record = [[(0.0_f32, 0.0_f32); STATES]; STAGES];
        let mut before = [NONE; STATES];
        let start = Label { cost: 0.0, time: 0.0, speed: self.speed, offset: self.offset, slope: self.slope };
        for k in 1..STAGES {
            let step = self.step(k);
            let to = step.to;
            let mut after = [NONE; STATES];
            let mut go = |parent: usize, label: &Label, j: usize, m: usize| {
                let raw = value(j);
                if raw < to.low - 0.5 * spacing || raw > to.high + 0.5 * spacing {
                    return;
                }
                let Some(alone) = self.alone(&step, label, raw.clamp(to.low, to.high), tops[k][j]) else { return };
                let Alone { offset, slope, free, speed, .. } = alone;
                let mut cost = label.cost + alone.cost;
                let state = j * MOVES + m;
                // Others only cost more.
                if cost + free >= after[state].cost {
                    return;
                }
                let met = self.meet(label, step.from.s, to, offset, free, speed);
                cost += met.time - label.time + met.cost;
                if k == STAGES - 1 {
                    cost += end_cost(to, met.speed, offset);
                }
                if cost < after[state].cost {
                    after[state] = Label { cost, time: met.time, speed: met.speed, offset, slope };
                    parents[k][state] = parent as u16;
                    record[k][state] = (offset as f32, met.time as f32);
                }
            };
            if k == 1 {
                for j in 0..OFFSETS {
                    let moved = ((value(j) - start.offset) / spacing).round() + STILL as f64;
                    go(0, &start, j, moved.clamp(0.0, (MOVES - 1) as f64) as usize);
                }
            } else {
                let bound = before.iter().map(|label| label.cost).fold(f64::INFINITY, f64::min) + BEAM_S;
                for (state, label) in before.iter().enumerate().filter(|(_, label)| label.cost < bound) {
                    let (j, m) = (state / MOVES, state % MOVES);
                    for next in m.saturating_sub(TURNS)..=(m + TURNS).min(MOVES - 1) {
                        if let Some(to) = (j + next).checked_sub(STILL).filter(|to| *to < OFFSETS) {
                            go(state, label, to, next);
                        }
                    }
                }
            }
            before = after;
        }
        let cheapest = (0..STATES).min_by(|a, b| before[*a].cost.total_cmp(&before[*b].cost));
        let best = cheapest.filter(|state| before[*state].cost < f64::INFINITY);
        let mut nodes = [Node::default(); STAGES];
        for (node, stage) in nodes.iter_mut().zip(self.stages) {
            *node = Node { s: stage.s, offset: self.offset, time: stage.s / self.speed.max(1.0) };
        }
        if let Some(mut state) = best {
            for k in (1..STAGES).rev() {
                let (offset, time) = record[k][state];
                nodes[k] = Node { s: self.stages[k].s, offset: f64::from(offset), time: f64::from(time) };
                state = usize::from(parents[k][state]);
            }
        }
        nodes[0] = Node { s: 0.0, offset: self.offset, time: 0.0 };
        Found { nodes }
    }

    /// The step to a stage after the first.
    fn step(&self, k: usize) -> Step<'_> {
        let (from, to) = (&self.stages[k - 1], &self.stages[k]);
        let ds = (to.s - from.s).max(0.05);
        let ds_before = if k > 1 { (from.s - self.stages[k - 2].s).max(0.05) } else { ds };
        Step {
            from,
            to,
            ds,
            run: 0.5 * if k == 1 { ds } else { ds + ds_before },
            last: self.last.at(self.advance + to.s).offset,
            kept: 1.0 - k as f64 / STAGES as f64,
        }
    }

    /// A step to an offset at which `top` may be driven; `None` if it turns too sharply.
    fn alone(&self, step: &Step<'_>, label: &Label, offset: f64, top: f64) -> Option<Alone> {
        let Step { from, to, ds, run, last, kept } = *step;
        let slope = (offset - label.offset) / ds;
        let bend = (slope - label.slope) / run;
        let acceleration = bend * label.speed * label.speed;
        let slow_slope = (SLOW_ACROSS_MPS / label.speed.max(1.0)).min(SLOW_SLOPE);
        let max_slope = MAX_SLOPE.max(slow_slope).max(MORE_SLOPE * label.slope.abs());
        if acceleration.abs() > HARDEST * LATERAL_MPS2 || slope.abs() > max_slope {
            return None;
        }
        // The bend of the route lies at the place before.
        let bent = from.fastest(label.offset, bend);
        let too_fast = (label.speed - bent).max(0.0) / label.speed.max(1.0);
        let from_speed = label.speed.min(bent);
        let fastest = (from_speed * from_speed + 2.0 * ds * self.dynamics.drive_mps2.at(from_speed)).sqrt();
        let speed = fastest.min(top).max(1.0);
        let driven = ds * (1.0 - 0.5 * (from.curvature + to.curvature) * 0.5 * (label.offset + offset)).max(MIN_RADIUS);
        let free = 2.0 * driven / (from_speed + speed).max(1.0);
        let cost = SMOOTH_S * math::powi(acceleration / LATERAL_MPS2, 2)
            + TOO_FAST * too_fast * free
            + OFF_PATH * offset.abs() * free
            + CHANGE * (offset - last).abs() * free * kept;
        Some(Alone { cost, offset, slope, free, speed })
    }

    /// A step that is at a stage after `free` seconds with `speed`, if nobody is in front.
    fn meet(&self, label: &Label, from: f64, to: &Stage, offset: f64, free: f64, speed: f64) -> Meeting {
        let mut met = Meeting { cost: 0.0, time: label.time + free, speed };
        for rival in self.rivals {
            let then = rival.at(met.time);
            let away = then.s - to.s;
            if away > rival.lengths + MET_M[0] || away < -rival.lengths - MET_M[1] {
                continue;
            }
            let was = rival.at(label.time);
            let before = was.s - from;
            let gap = self.options.gap_m + GROWS_MPS * met.time.min(GROWS_S);
            let clear = (offset - then.offset).abs() - rival.widths;
            let cleared = (label.offset - was.offset).abs() - rival.widths;
            let touching = away.abs() < rival.lengths + CUT_IN_M;
            if clear < gap {
                let is_ahead = before > LEADS * rival.lengths && (before > rival.lengths || cleared < gap);
                let passed = away < -rival.lengths && cleared >= gap;
                if is_ahead && !passed {
                    self.follow(rival, label, to, to.s - from, &mut met);
                } else if !is_ahead && touching && (clear < cleared || clear < 0.0) {
                    // It is beside, and this leads nearer to it.
                    met.cost += TOUCHES_S * ((gap - clear) / (gap + 0.5)).min(1.5);
                }
            }
            if away.abs() < rival.lengths + NEAR_M && clear > 0.0 && clear < WANTED_M {
                met.cost += BESIDE * math::powi(1.0 - clear / WANTED_M, 2) * free;
            }
        }
        met
    }

    /// A step behind one ahead, which ends when that one has gone on.
    fn follow(&self, rival: &Rival, label: &Label, to: &Stage, ds: f64, met: &mut Meeting) {
        let then = rival.at(met.time);
        let away = then.s - to.s;
        let keep = rival.lengths + self.options.following_m + ATTACKS * self.options.following_s * met.speed;
        if away >= keep {
            return;
        }
        let later = rival.when(to.s + keep, label.time).max(met.time);
        // With the brakes it is there no later than this.
        let slowest = (label.speed * label.speed - 2.0 * FOLLOWS_BRAKES * to.braking * ds).max(1.0).sqrt();
        let latest = label.time + 2.0 * ds / (label.speed + slowest).max(1.0);
        if away < rival.lengths && later > latest {
            let depth = ((rival.lengths - away) / rival.lengths).min(1.0);
            met.cost += TOUCHES_S * depth * (later - latest).min(1.0);
        }
        let later = later.min(latest.max(met.time));
        met.cost += (LOSES_ON - 1.0) * (later - met.time);
        met.time = later;
        met.speed = met.speed.min(then.speed.max(slowest)).max(1.0);
    }
}

/// The cost of a route that ends at a stage with a speed and at an offset, s.
fn end_cost(to: &Stage, speed: f64, offset: f64) -> f64 {
    (to.top - speed).max(0.0) / to.top + ENDS_OFF_PATH * offset.abs()
}

#[cfg(test)]
mod tests;
