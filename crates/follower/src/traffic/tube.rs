//! Where beside the path the vehicle may be in the next seconds: within the road's edges, between which the
//! path swings, and clear of those that are or will be abreast.
//!
//! The path of a racing line crosses the road before and behind each bend. One that stays where it
//! is on the road thus comes nearer to the path, or gets away from it, at several metres a second:
//! what counts is where the path will be. So for each time t of the next 3 s the tube has the
//! lowest and the highest offset that is free, l(t) and h(t); and from an offset x now, with the
//! distance m(t) that the shift moves in t,
//!
//! ```text
//! l(t) - m(t) ≤ x ≤ h(t) + m(t)        for every t
//! ```

use super::lane::Corridor;
use super::neighbours::{ABREAST_M, Seen};
use crate::bodies::MAX_SEEN;
use crate::chassis::Frame;
use crate::options::TrafficOptions;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;

/// Time for which room is planned, s, and its steps. A longer one sees narrow places sooner and
/// gives up gaps that would stay open.
const TUBE_S: f64 = 3.0;
const STEPS: usize = 16;
/// Time from which on, before it is abreast, a vehicle that comes from behind counts, s. A longer
/// one lets faster ones through sooner.
const FROM_BEHIND_S: f64 = 1.6;
/// A vehicle that moves away counts for at least this time, s, and moves away at this speed at
/// least, m/s. A longer time keeps to the side for longer.
const MIN_BESIDE_S: f64 = 0.3;
const LEAVES_MPS: f64 = 0.5;
/// Distance between the sides that is kept however narrow it is, m.
const MIN_GAP_M: f64 = 0.3;
/// Motion across that is not that of the road is carried on for so long, s.
const DRIFT_S: f64 = 0.8;
/// Fraction of the usual pace with which others are given room, 0 to 1: so much sooner. A smaller
/// one moves aside earlier and more slowly.
const EARLY: f64 = 0.6;
/// More of the distance to the edges by speed where there is room, s. A larger one leaves less to
/// pass with.
const EDGE_S: f64 = 0.01;
/// Fraction of the grip that a bend leaves which motion across may take.
const SPARE: f64 = 0.5;
/// Overlap along the path up to which one that comes from behind has to yield, m. A larger one
/// keeps its line more often.
const LED_M: f64 = 1.5;
/// Penetration that counts as none, m.
const TOUCH_M: f64 = 0.05;

/// What is free for the middle of the body: the offsets from which all that follows is reached at the usual
/// pace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tube {
    /// With the distances kept as far as there is room.
    free: Corridor,
    /// Of the road alone, to its edges; and the same at the quick pace.
    road: Corridor,
    quick: Corridor,
    /// The road's edges at each step.
    edges: [Corridor; STEPS + 1],
    /// The bound that each neighbour sets, with the smallest distance; and whether it is to the right.
    bounds: [Option<(f64, bool)>; MAX_SEEN],
}

/// How fast the shift moves where it must.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QuickPace {
    /// m/s.
    pub max_speed: f64,
    /// The usual acceleration and the quick one, m/s².
    pub accelerations: [f64; 2],
    /// The tyres' lateral limit, m/s².
    pub limit: f64,
}

impl QuickPace {
    /// The acceleration towards the inside of a bend of a curvature: from the grip that it leaves.
    pub(super) fn towards_inside(&self, curvature: f64, speed: f64) -> f64 {
        let left = self.limit - curvature.abs() * speed * speed;
        (SPARE * left).clamp(self.accelerations[0], self.accelerations[1])
    }
}

/// A side of the tube at a time: the offset with all distances kept, and with the smallest ones.
#[derive(Clone, Copy, Debug)]
struct Side {
    wide: f64,
    narrow: f64,
}

impl Tube {
    pub(super) fn new(
        frame: &Frame<'_>,
        seen: &[Seen],
        options: &TrafficOptions,
        vehicle: &VehicleGeometry,
        speed: f64,
        pace: &QuickPace,
    ) -> Self {
        let mut walk = Walk::new(frame.path, frame.nearest.segment);
        let everywhere = Corridor { left: f64::INFINITY, right: f64::NEG_INFINITY };
        let mut tube = Self {
            free: everywhere,
            road: everywhere,
            quick: everywhere,
            edges: [everywhere; STEPS + 1],
            bounds: [None; MAX_SEEN],
        };
        let mut max_bend = 0.0_f64;
        let margin = options.edge_m + EDGE_S * speed;
        let gap = [options.gap_m.max(options.beside_m), MIN_GAP_M.min(options.gap_m)];
        let (mut distance, mut then) = (0.0, speed);
        for step in 0..=STEPS {
            let time = TUBE_S * step as f64 / STEPS as f64;
            let there = walk.sample(frame.nearest.s + distance);
            // It brakes for the bends ahead.
            then = then.min(there.speed_mps);
            distance += then * TUBE_S / STEPS as f64;
            // Half of the time faster, half slower.
            let moves = (0.25 * options.lateral_mps2 * time * time).min(0.5 * options.lateral_mps * time);
            let edge = |room: f64| Side {
                wide: (room - 0.5 * vehicle.width_m - margin - options.edge_m).max(0.0),
                narrow: (room - 0.5 * vehicle.width_m - margin).max(0.0),
            };
            let (mut high, low) = (edge(there.left_m), edge(there.right_m));
            let mut low = Side { wide: -low.wide, narrow: -low.narrow };
            tube.road.within(low.narrow - moves, high.narrow + moves);
            max_bend = max_bend.max(there.curvature_radpm.abs());
            let quick = pace.towards_inside(max_bend, then);
            let quick = (0.25 * quick * time * time).min(0.5 * pace.max_speed * time);
            tube.quick.within(low.narrow - quick, high.narrow + quick);
            tube.edges[step] = Corridor { left: high.narrow, right: low.narrow };
            for (neighbour, bound) in seen.iter().zip(&mut tube.bounds) {
                if !is_beside(neighbour, frame.cross_track, vehicle, time) {
                    continue;
                }
                let bodies = neighbour.half_width + 0.5 * vehicle.width_m;
                let to_left = frame.cross_track >= neighbour.offset;
                // A vehicle from behind crosses behind: its motion to this side is not yielded to.
                let still = !neighbour.ahead && neighbour.gap > -LED_M;
                let towards = if to_left { 1.0 } else { -1.0 };
                let [kept, drifted] = if still && neighbour.drift * towards > 0.0 {
                    [neighbour.still(time), neighbour.offset]
                } else {
                    [neighbour.kept(time), neighbour.drifted(time.min(DRIFT_S))]
                };
                if to_left {
                    let limit = there.left_m - neighbour.half_width;
                    let [kept, side] = [kept, kept.max(drifted)].map(|side| side.min(limit) + bodies);
                    let wide = (kept + gap[0]).max(side + gap[1]);
                    low = Side { wide: low.wide.max(wide), narrow: low.narrow.max(side + gap[1]) };
                    let before = bound.map_or(f64::NEG_INFINITY, |(before, _)| before);
                    *bound = Some((before.max(side + gap[1] - moves), true));
                } else {
                    let narrow = neighbour.half_width - there.right_m;
                    let [kept, side] = [kept, kept.min(drifted)].map(|side| side.max(narrow) - bodies);
                    let wide = (kept - gap[0]).min(side - gap[1]);
                    high = Side { wide: high.wide.min(wide), narrow: high.narrow.min(side - gap[1]) };
                    let before = bound.map_or(f64::INFINITY, |(before, _)| before);
                    *bound = Some((before.min(side - gap[1] + moves), false));
                }
            }
            let (low, high) = divide(low, high);
            tube.free.within(low - EARLY * moves, high + EARLY * moves);
        }
        tube
    }

    /// The offset nearest to `offset` that is free, and on the road whatever the others do.
    pub(super) fn nearest(&self, offset: f64) -> f64 {
        self.quick.nearest(self.free.nearest(offset))
    }

    /// Whether the usual pace keeps it on the road.
    pub(super) fn holds(&self, offset: f64) -> bool {
        offset <= self.road.left + TOUCH_M && offset >= self.road.right - TOUCH_M
    }

    /// The fastest motions of the shift, to the right and to the left, with which an acceleration `limit`
    /// keeps it on the road.
    pub(super) fn rates(&self, offset: f64, limit: f64) -> [f64; 2] {
        let mut rates = [f64::NEG_INFINITY, f64::INFINITY];
        for (step, edges) in self.edges.iter().enumerate().skip(1) {
            let time = TUBE_S * step as f64 / STEPS as f64;
            let turned = 0.5 * limit * time * time;
            rates[0] = rates[0].max((edges.right - offset - turned) / time);
            rates[1] = rates[1].min((edges.left - offset + turned) / time);
        }
        rates
    }

    /// Whether the neighbour of an index is too near at an offset, soon.
    pub(super) fn is_pressed_by(&self, index: usize, offset: f64) -> bool {
        match self.bounds[index] {
            Some((bound, true)) => offset < bound - TOUCH_M,
            Some((bound, false)) => offset > bound + TOUCH_M,
            None => false,
        }
    }
}

impl Corridor {
    fn within(&mut self, right: f64, left: f64) {
        (self.left, self.right) = (self.left.min(left), self.right.max(right));
    }

    /// The offset nearest to `offset`; the middle where both sides cannot be kept to.
    fn nearest(&self, offset: f64) -> f64 {
        if self.right > self.left { 0.5 * (self.left + self.right) } else { offset.clamp(self.right, self.left) }
    }
}

/// The offsets that are free where the distances are kept as far as there is room; the middle where not
/// even the smallest ones fit.
fn divide(low: Side, high: Side) -> (f64, f64) {
    let missing = low.wide - high.wide;
    if missing <= 0.0 {
        return (low.wide, high.wide);
    }
    let given = (low.wide - low.narrow) + (high.narrow - high.wide);
    let fraction = if given > 0.0 { missing / given } else { f64::INFINITY };
    let at =
        if fraction <= 1.0 { low.wide - fraction * (low.wide - low.narrow) } else { 0.5 * (low.narrow + high.narrow) };
    (at, at)
}

/// Whether a neighbour is at a side of the vehicle in `time`.
fn is_beside(neighbour: &Seen, offset: f64, vehicle: &VehicleGeometry, time: f64) -> bool {
    if neighbour.is_in_lane_of(offset, vehicle.width_m) {
        return false;
    }
    let comes = if neighbour.ahead { neighbour.closing } else { -neighbour.closing };
    if neighbour.gap > ABREAST_M {
        let meets = (neighbour.gap - ABREAST_M) / comes.max(0.1);
        return !neighbour.ahead && meets < FROM_BEHIND_S && time >= meets - MIN_BESIDE_S;
    }
    // Who gets away is abreast until then.
    comes > -LEAVES_MPS || time < MIN_BESIDE_S.max((ABREAST_M - neighbour.gap) / -comes)
}

#[cfg(test)]
mod tests {
    use super::{Corridor, QuickPace, STEPS, Side, Tube, divide, is_beside};
    use crate::chassis::testing::{on_straight, straight};
    use crate::options::TrafficOptions;
    use crate::traffic::neighbours::Seen;
    use crate::vehicle::VehicleGeometry;

    const PACE: QuickPace = QuickPace { max_speed: 4.0, accelerations: [3.0, 6.0], limit: 20.0 };

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * (1.0 + b.abs())
    }

    /// The tube of a vehicle on a straight road of 6 m to the left and 5 m to the right, with distances to the edges of
    /// 0.3 m and 0.01 s at 20 m/s, beside others.
    fn tube(seen: &[Seen]) -> Tube {
        let path = straight([6.0, 5.0], f64::NAN);
        let frame = on_straight(&path, [50.0, 0.3], 20.0);
        let vehicle = VehicleGeometry { width_m: 2.0, ..VehicleGeometry::default() };
        Tube::new(&frame, seen, &TrafficOptions::default(), &vehicle, 20.0, &PACE)
    }

    #[test]
    fn a_bend_leaves_half_of_the_rest_of_the_grip() {
        // 20 m/s² less 400 / 50, of which half; within 3 and 6 m/s².
        assert!(is_near(PACE.towards_inside(-0.02, 20.0), 6.0) && is_near(PACE.towards_inside(0.025, 20.0), 5.0));
        assert!(is_near(PACE.towards_inside(0.05, 20.0), 3.0));
    }

    #[test]
    fn alone_the_road_is_free_up_to_its_edges() {
        let tube = tube(&[]);
        // Half of the width, 0.3 m and 0.2 m; where there is room 0.3 m more.
        for edges in [tube.road, tube.quick, tube.edges[0], tube.edges[STEPS]] {
            assert!(is_near(edges.left, 4.5) && is_near(edges.right, -3.5), "{edges:?}");
        }
        assert!(is_near(tube.free.left, 4.2) && is_near(tube.free.right, -3.2), "{tube:?}");
        assert!(
            [9.0, 1.0, -9.0].map(|x| tube.nearest(x)).into_iter().zip([4.2, 1.0, -3.2]).all(|(a, b)| is_near(a, b))
        );
        assert!(tube.holds(4.54) && !tube.holds(4.56) && tube.holds(-3.54) && !tube.holds(-3.56));
    }

    #[test]
    fn the_edges_bound_the_motion_across() {
        // From 1 m, with 2 m/s² against it: v t ≤ 3.5 + t² at each step, so √14 about the time √3.5 s.
        let rates = tube(&[]).rates(1.0, 2.0);
        let step = |k: i32| 3.0 / 16.0 * f64::from(k);
        let bound = |room: f64| (1..=16).map(|k| room / step(k) + step(k)).fold(f64::INFINITY, f64::min);
        assert!(is_near(rates[1], bound(3.5)) && is_near(rates[0], -bound(4.5)), "{rates:?}");
        assert!((rates[1] - 14.0_f64.sqrt()).abs() < 1e-2);
    }

    #[test]
    fn one_abreast_bounds_the_side() {
        // 3 m to the left and 2 m wide: with 1.5 m between the sides where there is room, and 0.3 m at least.
        let beside = |offset: f64, ahead: bool| {
            [Seen { offset, kept: [offset; 7], half_width: 1.0, gap: -2.0, ahead, ..Seen::default() }]
        };
        let left = tube(&beside(3.0, true));
        assert!(is_near(left.free.left, 3.0 - 2.0 - 1.5) && is_near(left.free.right, -3.2), "{left:?}");
        assert!(left.is_pressed_by(0, 0.76) && !left.is_pressed_by(0, 0.74) && !left.is_pressed_by(1, 0.76));
        let right = tube(&beside(-2.5, true));
        assert!(is_near(right.free.right, -2.5 + 2.0 + 1.5) && is_near(right.free.left, 4.2), "{right:?}");
        assert!(right.is_pressed_by(0, -0.26) && !right.is_pressed_by(0, -0.24));
        // Its motion is carried on for 0.8 s: at 1 m/s to this side by 0.8 m more, with the smallest distance; less 0.6 of
        // what the shift moves aside until then. Of one behind the motion to this side is not.
        let drifts = |drift: f64| tube(&[Seen { drift, ..beside(3.0, true)[0] }]).free.left;
        let bound = |drift: f64| {
            let times = (1..=16).map(|k| 3.0 / 16.0 * f64::from(k));
            let moved = |time: f64| 0.6 * (0.75 * time * time).min(2.0 * time);
            times.map(|time| 3.0 + drift * time.min(0.8) - 2.3 + moved(time)).fold(-0.5, f64::min)
        };
        for drift in [-1.0, -3.0, -5.0] {
            assert!(is_near(drifts(drift), bound(drift)), "{drift}: {} {}", drifts(drift), bound(drift));
        }
        assert!(bound(-3.0) < -1.0 && is_near(drifts(3.0), -0.5));
        let behind = tube(&[Seen { drift: -5.0, gap: -1.0, ..beside(3.0, false)[0] }]).free.left;
        assert!(is_near(behind, -0.5), "{behind}");
    }

    #[test]
    fn distances_are_kept_as_far_as_there_is_room() {
        let side = |wide: f64, narrow: f64| Side { wide, narrow };
        assert_eq!(divide(side(-1.0, -2.0), side(1.0, 2.0)), (-1.0, 1.0));
        // 1 m too much, of 1 m to give on one side and 3 m on the other: a quarter of each.
        assert_eq!(divide(side(2.0, 1.0), side(1.0, 4.0)), (1.75, 1.75));
        // Not even the smallest ones fit.
        assert_eq!(divide(side(4.0, 3.0), side(1.0, 1.5)), (2.25, 2.25));
        assert_eq!(divide(side(4.0, 4.0), side(1.0, 1.0)), (2.5, 2.5));
        let corridor = |right: f64, left: f64| Corridor { left, right };
        assert_eq!([5.0, 0.0, -5.0].map(|x| corridor(-1.0, 2.0).nearest(x)), [2.0, 0.0, -1.0]);
        assert_eq!(corridor(3.0, 2.0).nearest(9.0), 2.5);
    }

    #[test]
    fn who_is_abreast_counts_until_it_has_left() {
        let vehicle = VehicleGeometry { width_m: 2.0, ..VehicleGeometry::default() };
        let is_beside = |seen: &Seen, time: f64| is_beside(seen, 0.0, &vehicle, time);
        // 3 m to the left.
        let other = |gap: f64, ahead: bool, closing: f64| Seen {
            offset: 3.0,
            half_width: 1.0,
            gap,
            ahead,
            closing,
            ..Seen::default()
        };
        assert!(is_beside(&other(-1.0, true, 0.0), 3.0));
        assert!(!is_beside(&Seen { offset: 0.0, ..other(1.0, true, 0.0) }, 0.0));
        // One ahead gets away at 2 m/s: 2.5 m last 1.25 s; one at 20 m/s 0.3 s all the same. One behind falls back.
        let leaves = |closing: f64, time: f64| is_beside(&other(-1.0, true, closing), time);
        assert!(leaves(-2.0, 1.24) && !leaves(-2.0, 1.26) && leaves(-20.0, 0.29) && !leaves(-20.0, 0.31));
        assert!(leaves(-0.4, 3.0) && !leaves(-0.6, 9.0));
        let falls_back = |time: f64| is_beside(&other(-1.0, false, 2.0), time);
        assert!(falls_back(1.24) && !falls_back(1.26));
        // One behind comes from 7.5 m to within 1.5 m in 1.5 s at 4 m/s, and counts from 0.3 s sooner on; from 8.5 m in
        // 1.75 s.
        let comes = |gap: f64, time: f64| is_beside(&other(gap, false, -4.0), time);
        assert!(comes(7.5, 1.21) && !comes(7.5, 1.19) && !comes(8.5, 3.0));
        assert!(!is_beside(&other(7.5, true, 4.0), 3.0));
    }
}
