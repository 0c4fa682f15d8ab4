//! Where beside the path the vehicle may be in the next seconds: within the road's edges, which the path
//! swings between, and clear of those that are or will be abreast.
//!
//! The path of a racing line crosses the road before and behind each bend. One that stays where it is
//! on the road thus comes nearer to the path, or gets away from it, at several metres a second: what
//! counts is where the path will be. So for each time t of the next 3 s the tube has the lowest and
//! the highest offset that is free, l(t) and h(t); and from an offset x now, with the way m(t) that the
//! shift moves in t,
//!
//! ```text
//! l(t) - m(t) ≤ x ≤ h(t) + m(t)        for every t
//! ```

use super::lane::Corridor;
use super::neighbours::Seen;
use crate::chassis::Frame;
use crate::options::TrafficOptions;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;

/// Time for which room is planned, s, and its steps.
const TUBE_S: f64 = 3.0;
const STEPS: usize = 16;
/// Bodies less than this apart along the path are abreast, m.
const ABREAST_M: f64 = 1.5;
/// One that comes from behind counts from this time before it is abreast, s.
const FROM_BEHIND_S: f64 = 1.6;
/// One that is abreast counts for so long at least, s, and gets away at this speed at least, m/s.
const BESIDE_S: f64 = 0.6;
const LEAVES_MPS: f64 = 0.5;
/// Distance between the sides that is kept however narrow it is, m.
const LEAST_GAP_M: f64 = 0.3;
/// Within this share of half the widths it is straight behind or ahead, not at a side, unless the bodies
/// overlap by more than this, m.
const IN_LANE: f64 = 0.7;
const OVERLAP_M: f64 = 0.5;
/// A place where the tube has no room is at hand within this time, s.
const AT_HAND_S: f64 = 1.2;
/// Penetration that counts as none, m.
const TOUCH_M: f64 = 0.05;

/// What is free for the middle of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tube {
    /// The offsets from which all that follows is reached at the usual pace.
    pub reachable: Corridor,
    /// Whether soon there is no room for those that are abreast.
    pub closes: bool,
}

/// A side of the tube at a time: the offset with all distances kept, and with the least.
#[derive(Clone, Copy, Debug)]
struct Side {
    wide: f64,
    least: f64,
}

impl Tube {
    pub(super) fn new(
        frame: &Frame<'_>,
        seen: &[Seen],
        options: &TrafficOptions,
        vehicle: &VehicleGeometry,
        speed: f64,
    ) -> Self {
        let mut walk = Walk::new(frame.path, frame.nearest.segment);
        let mut within = Corridor { left: f64::INFINITY, right: f64::NEG_INFINITY };
        let mut closes = false;
        for step in 0..=STEPS {
            let time = TUBE_S * step as f64 / STEPS as f64;
            let there = walk.sample(frame.nearest.s + speed * time);
            let edge = |room: f64| Side {
                wide: (room - 0.5 * vehicle.width_m - options.edge_m).max(0.0),
                least: (room - 0.5 * vehicle.width_m).max(0.0),
            };
            let (mut high, low) = (edge(there.left_m), edge(there.right_m));
            let mut low = Side { wide: -low.wide, least: -low.least };
            for neighbour in seen.iter().filter(|neighbour| is_beside(neighbour, frame.cross_track, vehicle, time)) {
                let bodies = neighbour.half_width + 0.5 * vehicle.width_m;
                let [least, wide] = [LEAST_GAP_M.min(options.gap_m), options.gap_m.max(options.beside_m)];
                let (kept, drifted) = (neighbour.kept(time), neighbour.drifted(time));
                if frame.cross_track >= neighbour.offset {
                    let side = kept.max(drifted).min(there.left_m - neighbour.half_width) + bodies;
                    low = Side { wide: low.wide.max(side + wide), least: low.least.max(side + least) };
                } else {
                    let side = kept.min(drifted).max(neighbour.half_width - there.right_m) - bodies;
                    high = Side { wide: high.wide.min(side - wide), least: high.least.min(side - least) };
                }
            }
            let (low, high, fits) = share_out(low, high);
            closes |= !fits && time <= AT_HAND_S;
            // Half of the time faster, half slower.
            let moves = (0.25 * options.lateral_mps2 * time * time).min(0.5 * options.lateral_mps * time);
            within.left = within.left.min(high + moves);
            within.right = within.right.max(low - moves);
        }
        if within.right > within.left {
            // Both at once cannot be kept to.
            let middle = 0.5 * (within.left + within.right);
            within = Corridor { left: middle, right: middle };
        }
        Self { reachable: within, closes }
    }

    pub(super) fn nearest(&self, offset: f64) -> f64 {
        offset.max(self.reachable.right).min(self.reachable.left)
    }

    /// Whether the usual pace does not suffice any more from an offset.
    pub(super) fn is_left_by(&self, offset: f64) -> bool {
        offset > self.reachable.left + TOUCH_M || offset < self.reachable.right - TOUCH_M
    }
}

/// The offsets that are free where the distances are kept as far as there is room, and whether the least
/// of them fit.
fn share_out(low: Side, high: Side) -> (f64, f64, bool) {
    let missing = low.wide - high.wide;
    if missing <= 0.0 {
        return (low.wide, high.wide, true);
    }
    let given = (low.wide - low.least) + (high.least - high.wide);
    let share = if given > 0.0 { missing / given } else { f64::INFINITY };
    if share <= 1.0 {
        let at = low.wide - share * (low.wide - low.least);
        return (at, at, true);
    }
    let middle = 0.5 * (low.least + high.least);
    (middle, middle, false)
}

/// Whether a neighbour is at a side of the vehicle in `time`.
fn is_beside(neighbour: &Seen, offset: f64, vehicle: &VehicleGeometry, time: f64) -> bool {
    let bodies = neighbour.half_width + 0.5 * vehicle.width_m;
    if (offset - neighbour.offset).abs() < IN_LANE * bodies && neighbour.gap > -OVERLAP_M {
        return false;
    }
    let comes = if neighbour.ahead { neighbour.closing } else { -neighbour.closing };
    if neighbour.gap > ABREAST_M {
        let meets = (neighbour.gap - ABREAST_M) / comes.max(0.1);
        return !neighbour.ahead && meets < FROM_BEHIND_S && time >= meets - 0.5 * BESIDE_S;
    }
    // Who gets away is abreast until then.
    comes > -LEAVES_MPS || time < BESIDE_S.max((ABREAST_M - neighbour.gap) / -comes)
}
