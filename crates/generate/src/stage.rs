//! Stages: a walk of straights and corners from a start to an end, which turns back where it would
//! come near itself.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::corners::Corners;
use super::size::{Size, log_uniform};
use raceline_numerics::math;
use raceline_road::geometry::{Point, Segment, Vector};

/// Length of a straight, in widths of the road.
const LEG_WIDTHS: (f64, f64) = (6.0, 45.0);
/// Distance that a leg keeps from all but the one before it, in widths.
const APART_WIDTHS: f64 = 4.0;
/// Legs that are tried before the walk goes back.
const TRIES: usize = 12;
/// Legs that a stuck walk takes back.
const TAKEN_BACK: usize = 4;
/// Steps after which the walk is given up, per leg of a stage of average legs.
const MAX_STEPS_PER_LEG: f64 = 40.0;

/// The corners of a stage.
pub(super) fn stage(random: &mut ChaCha8Rng, size: Size) -> Option<Corners> {
    let width = size.width_m;
    // A short stage needs short legs to have any corner.
    let longest = LEG_WIDTHS.1.min(size.widths() / 4.0).max(LEG_WIDTHS.0);
    let mut walk = vec![Point::origin(), Point::new(LEG_WIDTHS.0 * width, 0.0)];
    let mut length = LEG_WIDTHS.0 * width;
    let max_steps = (MAX_STEPS_PER_LEG * size.widths() / LEG_WIDTHS.0) as usize + 100;
    // The direction in which the stage leads on the whole.
    let mut bearing: f64 = 0.0;
    for _ in 0..max_steps {
        if length >= size.length_m {
            let radii_m = walk.iter().map(|_| log_uniform(random, 1.2 * width, 14.0 * width)).collect();
            return Some(Corners { closed: false, points: walk, radii_m }.with_wide_bends().turned_at_random(random));
        }
        let leg = (0..TRIES).find_map(|_| next_leg(random, &walk, (bearing, longest), size));
        if let Some(leg) = leg {
            length += leg.norm();
            walk.push(walk[walk.len() - 1] + leg);
            bearing += 0.3 * (random.random::<f64>() - 0.5);
        } else {
            for _ in 0..TAKEN_BACK.min(walk.len() - 2) {
                let end = walk.pop()?;
                length -= (end - walk[walk.len() - 1]).norm();
            }
            bearing += 0.8 * (random.random::<f64>() - 0.5);
        }
    }
    None
}

/// A leg at random that keeps its distance; `None` if this one does not.
fn next_leg(random: &mut ChaCha8Rng, walk: &[Point], (bearing, longest): (f64, f64), size: Size) -> Option<Vector> {
    let (end, width) = (walk[walk.len() - 1], size.width_m);
    let last = end - walk[walk.len() - 2];
    let heading = math::atan2(last.y, last.x);
    // Bends are the largest part of the corners, some are right angles, few are hairpins.
    let kind = random.random::<f64>() + 0.5 * size.tameness;
    let (low, high) = match kind {
        k if k < 0.12 => (1.8, 2.5),
        k if k < 0.45 => (0.8, 1.8),
        _ => (0.15, 0.8),
    };
    let angle = low + (high - low) * random.random::<f64>();
    // Rather back to the bearing than away from it.
    let away = raceline_numerics::wrap_angle(heading - bearing);
    let to_left = random.random_bool((0.5 - 0.35 * away).clamp(0.05, 0.95));
    let turned = heading + if to_left { angle } else { -angle };
    if raceline_numerics::wrap_angle(turned - bearing).abs() > 2.2 {
        return None;
    }
    let long = width * log_uniform(random, LEG_WIDTHS.0, longest);
    let leg = Vector::new(math::cos(turned), math::sin(turned)) * long;
    let apart = APART_WIDTHS * width;
    let legs = walk.windows(2).rev().skip(1);
    let new = Segment::new(end, end + leg);
    let is_free = legs.into_iter().all(|pair| new.distance_to(Segment::new(pair[0], pair[1])) > apart);
    is_free.then_some(leg)
}
