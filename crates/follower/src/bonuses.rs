//! Pick-ups near the path, collected if the detour requires little curvature.
//!
//! A pick-up at y to the left of the path and d ahead requires a sideways move by Δ = y - e from
//! the vehicle's own offset e, reduced by the pick-up's radius. A move by Δ within d on two equal
//! arcs, parallel to the path at its end, requires the curvature
//!
//! ```text
//! κ = 4 Δ / d²
//! ```
//!
//! It is selected while that stays below an option, the position lies in the corridor, and the sum
//! with the path's own curvature does not exceed the limit at the present speed and lateral
//! acceleration. Of several the one with the smallest κ is selected; the move towards it decreases
//! its κ, so the selection is stable. The idea is from the same entrant's account of the Russian AI
//! Cup 2015 as [`crate::boost`].

use crate::chassis::Frame;
use crate::geometry::{Point, segment_distance_squared};
use crate::options::BonusOptions;
use crate::target_speed::Walk;

/// Largest number of pick-ups that are evaluated in a step.
pub const MAX_BONUSES: usize = 64;
/// Number of pieces of the path ahead.
const PIECES: usize = 16;
/// Fraction of a pick-up's radius that is used.
const RELIED: f64 = 0.7;
/// Distance below which it is too late to steer, metres.
const NEAREST_M: f64 = 1.0;

/// A pick-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bonus {
    /// Position, metres.
    pub position_m: [f64; 3],
    /// Distance from its position within which it is collected, metres, 0 or more.
    pub radius_m: f64,
}

/// A selected pick-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detour {
    /// Distance ahead along the path, metres.
    pub ahead: f64,
    /// Offset at which the vehicle is to pass, metres to the left of the path.
    pub offset: f64,
    cost: f64,
}

/// The pick-up with the smallest curvature, if that is within the limits. `lateral` is the
/// permitted acceleration, m/s²; `half_width` the vehicle's.
pub(crate) fn choose(
    frame: &Frame<'_>,
    bonuses: &[Bonus],
    options: &BonusOptions,
    lateral: f64,
    half_width: f64,
) -> Option<Detour> {
    if bonuses.is_empty() || options.range_m <= NEAREST_M {
        return None;
    }
    let mut walk = Walk::new(frame.path, frame.nearest.segment);
    let piece = options.range_m / PIECES as f64;
    let ahead: [Point; PIECES + 1] = std::array::from_fn(|i| walk.position(frame.nearest.s + i as f64 * piece));
    let spare = lateral / frame.state.speed_mps.powi(2).max(1.0);
    let candidates = bonuses.iter().take(MAX_BONUSES).filter(|bonus| usable(bonus));
    let detours = candidates.filter_map(|bonus| {
        let (share, squared, i) = (0..PIECES)
            .map(|i| {
                let (squared, share) = segment_distance_squared(bonus.position_m, ahead[i], ahead[i + 1]);
                (share, squared, i)
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        let reach = options.max_offset_m + bonus.radius_m + piece;
        let distance = (i as f64 + share) * piece;
        if squared > reach * reach || distance < NEAREST_M || (i == PIECES - 1 && share >= 1.0) {
            return None;
        }
        let place = frame.path.sample(frame.nearest.s + distance);
        let (sin, cos) = place.heading_rad.sin_cos();
        let (x, y) = (bonus.position_m[0] - place.position_m[0], bonus.position_m[1] - place.position_m[1]);
        let left = cos * y - sin * x;
        if left.abs() > options.max_offset_m {
            return None;
        }
        // The offset nearest to the path that still reaches it.
        let offset = left.signum() * (left.abs() - RELIED * bonus.radius_m).max(0.0);
        if offset > place.left_m - half_width || -offset > place.right_m - half_width {
            return None;
        }
        let cost = 4.0 * (offset - frame.cross_track).abs() / (distance * distance);
        let most = options.max_curvature_radpm.min(spare - place.curvature_radpm.abs());
        // A pick-up on the way is no detour.
        (offset != 0.0 && cost <= most).then_some(Detour { ahead: distance, offset, cost })
    });
    detours.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

fn usable(bonus: &Bonus) -> bool {
    bonus.position_m.iter().all(|x| x.abs() <= 1e8) && (0.0..=1e3).contains(&bonus.radius_m)
}

/// The target point in place of the one `lookahead` ahead on the path: displaced sideways by the
/// missing offset, limited by the arc of the permitted curvature.
pub(crate) fn target_point(frame: &Frame<'_>, detour: &Detour, lookahead: f64, options: &BonusOptions) -> Point {
    let ahead = lookahead.min(detour.ahead);
    let place = frame.path.sample(frame.nearest.s + ahead);
    let most = 0.5 * options.max_curvature_radpm * ahead * ahead;
    let offset = frame.cross_track + (detour.offset - frame.cross_track).clamp(-most, most);
    let (sin, cos) = place.heading_rad.sin_cos();
    let [x, y, z] = place.position_m;
    [x - offset * sin, y + offset * cos, z]
}
