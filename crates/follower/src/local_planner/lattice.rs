//! The curves of a frame, what each costs, and the speed on a route.

use super::blocking::{BEFORE_M, passing_distance};
use super::options::LocalPlannerOptions;
use super::prediction::{Ahead, MIN_GAP_M, Other, Others, Station};
use crate::offset_curve::OffsetCurve;
use crate::planned_route::{PlannedRoute, STATIONS};
use crate::shift::MIN_RADIUS;
use crate::vehicle::VehicleGeometry;
use raceline_numerics::math;

/// Times in which a goal is reached, s, and the shortest distances for it of a car, m. Shorter ones
/// avoid what appears late, at more lateral acceleration; each more costs as much time as all
/// curves.
const REACHES: [(f64, f64); 3] = [(1.2, 9.0), (2.0, 14.0), (3.2, 22.0)];
/// Goals spread over the corridor, and the others on whose sides there are two goals each. More
/// goals find narrower gaps, at a cost in proportion to their number.
const SPREAD: usize = 9;
const SIDED: usize = 8;
/// Fraction of it, 0 to 1, that is enough on the route that is driven, which would else be left in
/// a narrow place. A smaller one keeps to a decision while the gap closes, a larger one changes its
/// mind.
const KEPT: f64 = 0.4;
/// Cost of touching one that is abreast or comes from behind, s.
const TOUCHES_S: f64 = 100.0;
/// Largest move of a car across that does not cross the route of those behind, m: less than half a
/// lane. A larger one cuts in on them, a smaller one does not pull out while somebody is behind.
const SAME_LANE_M: f64 = 0.8;
/// How often the time counts that a vehicle loses behind another within the horizon, 1 or more: who
/// follows goes on following beyond it. A larger one overtakes those that are hardly slower, a
/// smaller one stays behind them.
const LOSES_ON: f64 = 3.0;
/// Speed with which the rest of the horizon counts behind one that stands, m/s.
const CRAWL_MPS: f64 = 0.5;
/// Smallest distance behind one that is followed, m: braking is planned to it where the wanted one
/// is gone. A smaller one brakes harder and later.
const MIN_BEHIND_M: f64 = 1.0;

/// What the curves of a frame are judged by.
pub(super) struct Lattice<'a> {
    pub options: &'a LocalPlannerOptions,
    pub ahead: &'a Ahead,
    pub others: &'a Others,
    /// m/s.
    pub speed: f64,
    pub vehicle: &'a VehicleGeometry,
    /// Length of the vehicle, of that of a car, at most 1.
    pub size: f64,
}

/// A curve of the lattice, cut off at the edges of the road.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// At the stations, m.
    pub offsets: [f64; STATIONS],
    /// Where it ends, m.
    pub goal: f64,
    /// Station and index of the first that it runs into.
    pub blocked: Option<(usize, usize)>,
}

/// Bends allow this speed at least, m/s: below it wheels turn, not slide.
const MIN_BEND_MPS: f64 = 2.0;

/// The speed that the tyres allow at an offset from the path on a route that bends against it, m/s.
fn fastest(there: &Station, offset: f64, bend: f64) -> f64 {
    let left = (1.0 - there.curvature * offset).max(MIN_RADIUS);
    (there.grip / (there.curvature / left + bend).abs().max(1e-6)).sqrt()
}

/// What a curve meets.
#[derive(Clone, Copy, Debug)]
struct Verdict {
    cost: f64,
    /// Station and index of the first that it runs into.
    blocked: Option<(usize, usize)>,
}

impl Lattice<'_> {
    /// The cheapest curve from the place `advance` metres along the route of the last frame; `last` was its
    /// goal.
    pub(super) fn cheapest(&self, present: &PlannedRoute, advance: f64, last: f64) -> Choice {
        let start = present.at(advance);
        let on = self.cut_off(|s| present.at(advance + s).offset);
        let mut best = (on, last, self.judge(&on, [last, last], KEPT * MIN_GAP_M, f64::INFINITY));
        let mut consider = |goal: f64| {
            for (time, lowest) in REACHES {
                let curve = OffsetCurve::between(&start, goal, (time * self.speed).max(lowest * self.size));
                let offsets = self.cut_off(|s| curve.at(s).offset);
                let verdict = self.judge(&offsets, [goal, last], MIN_GAP_M, best.2.cost);
                if verdict.cost < best.2.cost {
                    best = (offsets, goal, verdict);
                }
            }
        };
        let (low, high) = self.corridor();
        consider(0.0);
        consider(last.clamp(low, high));
        for k in 0..SPREAD {
            consider(low + (high - low) * k as f64 / (SPREAD - 1) as f64);
        }
        for other in self.others.bodies().iter().filter(|other| !other.is_behind()).take(SIDED) {
            let reach = other.half_widths + self.options.gap_m + 0.02;
            for goal in [other.offset - reach, other.offset + reach] {
                if (low..=high).contains(&goal) {
                    consider(goal);
                }
            }
        }
        let (offsets, goal, Verdict { blocked, .. }) = best;
        Choice { offsets, goal, blocked }
    }

    /// The speed that others and bends allow on a route, m/s, and the deceleration to it.
    pub(super) fn speed_on(&self, route: &PlannedRoute, blocked: Option<(usize, usize)>) -> (f64, f64) {
        let (behind, bends) = (self.following(route, blocked), self.bends(route));
        if bends.0 < behind.0 { bends } else { behind }
    }

    /// The widest corridor of the stations ahead: where it is narrower, curves are cut off.
    fn corridor(&self) -> (f64, f64) {
        let corridor = &self.ahead.corridor;
        (corridor.low.iter().copied().fold(0.0, f64::min), corridor.high.iter().copied().fold(0.0, f64::max))
    }

    /// Offsets at the stations, cut off at the edges.
    fn cut_off(&self, offset: impl Fn(f64) -> f64) -> [f64; STATIONS] {
        let Ahead { stations, corridor, .. } = self.ahead;
        std::array::from_fn(|k| offset(stations[k].s).clamp(corridor.low[k], corridor.high[k]))
    }

    /// The speed that the bends of a route allow, m/s, and the deceleration to it.
    fn bends(&self, route: &PlannedRoute) -> (f64, f64) {
        let braking = self.options.braking_mps2;
        let mut lowest = f64::INFINITY;
        for (k, there) in self.ahead.stations.iter().enumerate() {
            let (offset, bend) = (route.at(there.s).offset, route.bend(k));
            if offset != 0.0 || bend != 0.0 {
                let limit = fastest(there, offset, bend).max(MIN_BEND_MPS);
                if limit < there.speed {
                    lowest = lowest.min(limit * limit + 2.0 * braking * there.s);
                }
            }
        }
        (lowest.sqrt(), if self.speed * self.speed > lowest { braking } else { 0.0 })
    }

    /// The cost of a curve to a goal, s; `last` is the goal of the last frame. Others nearer than
    /// `min_gap` touch. A curve that will cost more than `bound` has an infinite cost.
    fn judge(&self, offsets: &[f64; STATIONS], [goal, last]: [f64; 2], min_gap: f64, bound: f64) -> Verdict {
        let options = self.options;
        let taken = self.others.taken();
        let (mut entry, mut time, mut beside, mut close) = (0, 0.0, 0.0, 0.0);
        let (mut hardest, mut sharpest, mut touches) = (0.0_f64, 0.0_f64, 0.0);
        let mut blocked = None;
        let here = offsets[0];
        let square = self.ahead.step * self.ahead.step;
        let max_bend = math::tan(self.vehicle.max_steering_rad) / self.vehicle.wheelbase_m;
        let goals = options.off_path_s * goal.abs() + options.change_s * (goal - last).abs();
        let (per_station, end) = (1.0 / STATIONS as f64, self.ahead.stations[STATIONS - 1].time);
        'stations: for (k, there) in self.ahead.stations.iter().enumerate() {
            let offset = offsets[k];
            // Where an edge cuts the curve off, the kink is a bend of one step.
            let bend = match (k.checked_sub(1).map(|k| offsets[k]), offsets.get(k + 1)) {
                (Some(before), Some(after)) => (before - 2.0 * offset + after) / square,
                _ => 0.0,
            };
            if k > 0 {
                let before = &self.ahead.stations[k - 1];
                let slower = (there.speed / fastest(there, offset, bend)).max(1.0);
                time += (there.time - before.time) * slower;
            }
            // No cost is negative, and the rest takes the time of the path at least.
            if time + (end - there.time) + goals + touches + options.clearance_s * close * per_station > bound {
                return Verdict { cost: f64::INFINITY, blocked: None };
            }
            beside += offset.abs();
            hardest = hardest.max(bend.abs() * there.speed * there.speed);
            sharpest = sharpest.max((there.curvature + bend).abs());
            while let Some(interval) = taken.get(entry).filter(|interval| interval.station <= k) {
                entry += 1;
                let clear = (interval.low - offset).max(offset - interval.high);
                let other = &self.others.bodies()[interval.other];
                if clear < options.gap_m {
                    let missing = 1.0 - (clear / options.gap_m.max(1e-6)).max(0.0);
                    close += missing * missing;
                }
                if clear >= min_gap.min(KEPT * options.gap_m) {
                    continue;
                }
                if other.is_behind() || other.is_abreast() {
                    // It must not be cut in on; straight behind it looks after itself.
                    let nearer = (offset - other.offset).abs() < (here - other.offset).abs() - 0.1;
                    if (other.is_abreast() && nearer) || (offset - here).abs() > SAME_LANE_M * self.size {
                        touches = TOUCHES_S;
                    }
                    continue;
                }
                blocked = Some((k, interval.other));
                time += self.time_behind(other, k, offset);
                break 'stations;
            }
        }
        // Beyond what the wheels can do nothing is smooth.
        let steering = math::powi(sharpest / max_bend.max(1e-6), 4);
        let smoothness = options.smoothness_s * (math::powi(hardest / options.lateral_mps2, 2) + steering);
        let cost = time
            + touches
            + options.clearance_s * close * per_station
            + smoothness
            + goals
            + options.off_path_s * beside * per_station;
        Verdict { cost, blocked }
    }

    /// The time for the rest of the horizon behind another that is met at a station, s.
    fn time_behind(&self, other: &Other, station: usize, offset: f64) -> f64 {
        let stations = &self.ahead.stations;
        let (there, end) = (&stations[station], &stations[STATIONS - 1]);
        if other.crosses {
            let [_, leaves] = other.crossing_times(offset);
            return (leaves - there.time).max(0.0) + end.time - there.time;
        }
        let (route, free) = (end.s - there.s, end.time - there.time);
        free + LOSES_ON * (route / other.along.max(CRAWL_MPS) - free).max(0.0)
    }

    /// The speed behind the one that the route runs into, m/s, and the deceleration to it.
    fn following(&self, route: &PlannedRoute, blocked: Option<(usize, usize)>) -> (f64, f64) {
        let Some((station, index)) = blocked else { return (f64::INFINITY, 0.0) };
        let options = self.options;
        let other = &self.others.bodies()[index];
        let mut keep = options.following_m + options.following_s * self.speed;
        if other.crosses {
            let there = &self.ahead.stations[station];
            let offset = route.at(there.s).offset;
            // Where its strip begins.
            let route = (other.ahead + other.along * there.time - other.half_lengths - options.following_m).max(0.0);
            let [_, leaves] = other.crossing_times(offset);
            let limit = (2.0 * options.braking_mps2 * route).sqrt().min((route + 1.0) / leaves.max(0.1));
            let needed = self.speed * self.speed / (2.0 * route.max(0.5));
            return (limit, needed.min(2.0 * options.braking_mps2));
        }
        let mut gap = (other.ahead - other.half_lengths).max(0.0);
        let its = other.along.max(0.0);
        if other.is_oncoming() {
            // Both leave the room that they need to move aside, and meet half-way.
            let aside = passing_distance(other, self.others, self.ahead, route.at(0.0).offset, self.vehicle);
            keep = keep.max(aside.map_or(0.0, |aside| aside + BEFORE_M));
            if other.along < 0.0 {
                let closing = -other.along / (self.speed - other.along).max(1e-3);
                gap = keep.min(gap).max(gap - closing * (gap - keep).max(0.0));
            }
        }
        let square = its * its + 2.0 * options.braking_mps2 * (gap - keep).max(0.0);
        // Too near, it falls back gently.
        let limit = if gap < keep { its * (gap / keep).max(0.0) } else { square.sqrt() };
        let closing = (self.speed * self.speed - its * its).max(0.0);
        let needed = closing / (2.0 * (gap - MIN_BEHIND_M).max(0.5));
        (limit, if self.speed > limit { needed.min(2.0 * options.braking_mps2) } else { 0.0 })
    }
}

#[cfg(test)]
mod tests;
