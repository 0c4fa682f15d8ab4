//! The curves of a frame, what each costs, and the speed on the cheapest.

use super::options::LocalPlannerOptions;
use super::prediction::{Ahead, Other, Others, STATIONS};
use crate::offset_curve::OffsetCurve;
use crate::vehicle::VehicleGeometry;

/// Times in which a goal is reached, s, and the least ways for it, m.
const REACHES: [(f64, f64); 3] = [(1.2, 9.0), (2.0, 14.0), (3.2, 22.0)];
/// Goals spread over the corridor, and the others on whose sides there are two goals each.
const SPREAD: usize = 9;
const SIDED: usize = 8;
/// Distance between the sides below which bodies count as touching, m.
const LEAST_GAP_M: f64 = 0.3;
/// Cost of touching one that is abreast or comes from behind, s.
const TOUCHES_S: f64 = 100.0;
/// Moves across by less than this do not cross the way of those behind, m.
const SAME_LANE_M: f64 = 0.8;
/// Speed with which the rest of the horizon counts behind one that stands, m/s.
const CRAWL_MPS: f64 = 0.5;
/// Least distance behind one that is followed, m: braking is planned to it where the wanted one is gone.
const LEAST_BEHIND_M: f64 = 1.0;

/// What the curves of a frame are judged by.
pub(super) struct Lattice<'a> {
    pub options: &'a LocalPlannerOptions,
    pub ahead: &'a Ahead,
    pub others: &'a Others,
    /// m/s.
    pub speed: f64,
    pub vehicle: &'a VehicleGeometry,
}

/// The curve to drive, the speed that others allow on it, m/s, and the deceleration to it, m/s².
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub curve: OffsetCurve,
    pub most: f64,
    pub braking: f64,
}

/// What a curve meets.
#[derive(Clone, Copy, Debug)]
struct Verdict {
    cost: f64,
    /// Station and index of the first that it runs into.
    blocked: Option<(usize, usize)>,
}

impl Lattice<'_> {
    /// The cheapest curve from where the present one is.
    pub(super) fn cheapest(&self, present: &OffsetCurve) -> Plan {
        let start = present.at(0.0);
        let mut best = (*present, self.judge(present, present.goal(), f64::INFINITY));
        let mut consider = |goal: f64| {
            for (time, least) in REACHES {
                let curve = OffsetCurve::between(&start, goal, (time * self.speed).max(least));
                let verdict = self.judge(&curve, present.goal(), best.1.cost);
                if verdict.cost < best.1.cost {
                    best = (curve, verdict);
                }
            }
        };
        let (low, high) = self.corridor();
        consider(0.0);
        consider(present.goal().clamp(low, high));
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
        let (curve, Verdict { blocked, .. }) = best;
        let (most, braking) = self.following(&curve, blocked);
        Plan { curve, most, braking }
    }

    /// The widest corridor of the stations ahead: where it is narrower, curves are cut off.
    fn corridor(&self) -> (f64, f64) {
        let stations = &self.ahead.stations;
        stations.iter().fold((0.0, 0.0), |(low, high), there| (there.low.min(low), there.high.max(high)))
    }

    /// The cost of a curve, s; `last` is the goal of the last frame. One that will cost more than `bound`
    /// is infinitely dear.
    fn judge(&self, curve: &OffsetCurve, last: f64, bound: f64) -> Verdict {
        let options = self.options;
        let taken = self.others.taken();
        let (mut entry, mut time, mut beside, mut close) = (0, 0.0, 0.0, 0.0);
        let (mut hardest, mut sharpest, mut touches) = (0.0_f64, 0.0_f64, 0.0);
        let mut blocked = None;
        let here = curve.at(0.0).offset;
        let most_bend = self.vehicle.max_steering_rad.tan() / self.vehicle.wheelbase_m;
        let goals = options.off_path_s * curve.goal().abs() + options.change_s * (curve.goal() - last).abs();
        let (share, end) = (1.0 / STATIONS as f64, self.ahead.stations[STATIONS - 1].time);
        'stations: for (k, there) in self.ahead.stations.iter().enumerate() {
            let on_curve = curve.at(there.s);
            let offset = on_curve.offset.clamp(there.low, there.high);
            // Towards the inside of a bend the same grip gives less speed.
            let left = (1.0 - there.curvature * offset).clamp(0.2, 1.0);
            if k > 0 {
                let before = &self.ahead.stations[k - 1];
                time += (there.time - before.time) / left.sqrt();
            }
            // No cost is negative, and the rest takes the time of the path at least.
            if time + (end - there.time) + goals + touches + options.clearance_s * close * share > bound {
                return Verdict { cost: f64::INFINITY, blocked: None };
            }
            beside += offset.abs();
            hardest = hardest.max(on_curve.curvature.abs() * there.speed * there.speed);
            sharpest = sharpest.max((there.curvature + on_curve.curvature).abs());
            while let Some(interval) = taken.get(entry).filter(|interval| interval.station <= k) {
                entry += 1;
                let clear = (interval.low - offset).max(offset - interval.high);
                let other = &self.others.bodies()[interval.other];
                if clear < options.gap_m {
                    let missing = 1.0 - (clear / options.gap_m.max(1e-6)).max(0.0);
                    close += missing * missing;
                }
                if clear >= LEAST_GAP_M.min(options.gap_m) {
                    continue;
                }
                if other.is_behind() || other.is_abreast() {
                    // It must not be cut in on; straight behind it looks after itself.
                    let nearer = (offset - other.offset).abs() < (here - other.offset).abs() - 0.1;
                    if (other.is_abreast() && nearer) || (offset - here).abs() > SAME_LANE_M {
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
        let steering = (sharpest / most_bend.max(1e-6)).powi(4);
        let smoothness = options.smoothness_s * ((hardest / options.lateral_mps2).powi(2) + steering);
        let cost = time
            + touches
            + options.clearance_s * close * share
            + smoothness
            + goals
            + options.off_path_s * beside * share;
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
        let way = end.s - there.s;
        (way / other.along.max(CRAWL_MPS)).max(end.time - there.time)
    }

    /// The speed behind the one that the curve runs into, m/s, and the deceleration to it.
    fn following(&self, curve: &OffsetCurve, blocked: Option<(usize, usize)>) -> (f64, f64) {
        let Some((station, index)) = blocked else { return (f64::INFINITY, 0.0) };
        let options = self.options;
        let other = &self.others.bodies()[index];
        let keep = options.following_m + options.following_s * self.speed;
        if other.crosses {
            let there = &self.ahead.stations[station];
            let offset = curve.at(there.s).offset;
            // Where its strip begins.
            let way = (other.ahead + other.along * there.time - other.half_lengths - options.following_m).max(0.0);
            let [_, leaves] = other.crossing_times(offset);
            let most = (2.0 * options.braking_mps2 * way).sqrt().min((way + 1.0) / leaves.max(0.1));
            let needed = self.speed * self.speed / (2.0 * way.max(0.5));
            return (most, needed.min(2.0 * options.braking_mps2));
        }
        let gap = (other.ahead - other.half_lengths).max(0.0);
        let its = other.along.max(0.0);
        let square = its * its + 2.0 * options.braking_mps2 * (gap - keep).max(0.0);
        // Too near, it falls back gently.
        let most = if gap < keep { its * (gap / keep).max(0.0) } else { square.sqrt() };
        let closing = (self.speed * self.speed - its * its).max(0.0);
        let needed = closing / (2.0 * (gap - LEAST_BEHIND_M).max(0.5));
        (most, if self.speed > most { needed.min(2.0 * options.braking_mps2) } else { 0.0 })
    }
}
