//! The line as a chain: springs pull its points together, hinges turn its pieces straight.
//!
//! With θ_i the angle between the pieces at point i, h_i the mean of their lengths, ℓ the lengths,
//! w the road's mean width and T the tension, the potential energy is that of `½ ∫ κ² ds` and of
//! the length:
//!
//! ```text
//! U = Σ θ_i² / 2 h_i + (T/w²) Σ ℓ_k                                                          (1)
//! ```
//!
//! The force on a point is the negative gradient of U. A hinge has the moment M_i = θ_i / h_i; a
//! piece of length ℓ from point i to i + 1, with e along it and n to its left, adds to the forces
//! at i (+) and i + 1 (-)
//!
//! ```text
//! ± (M_i - M_{i+1}) n / ℓ                                 from its hinges, by θ              (2)
//! ± (T/w² - (M_i² + M_{i+1}²) / 4) e                      from springs, and hinges by h      (3)
//! ```
//!
//! Each sweep moves every point along its section by its force F over its stiffness k, in which ℓ
//! is the shorter one of its two pieces, plus 0.9 of its last move v (Polyak, *Some methods of
//! speeding up the convergence of iteration methods*, 1964: the heavy-ball method). A point that
//! meets a bound stops there.
//!
//! ```text
//! k = 16 / ℓ³ + 4 (T/w²) / ℓ                                                                 (4)
//! v ← 0.9 v + F / k                                                                          (5)
//! ```
//!
//! A [`Weight`] pulls the chain at one section with a force W until the chain is within its reach
//! r. Where the chain is at the distance x from the weight's place,
//!
//! ```text
//! F = W clamp((|x| - 0.8 r) / 0.2 r, 0, 1) sign(x)                                           (6)
//! ```
//!
//! and where this force changes with x, its slope W / 0.2 r is a part of the stiffness.
//!
//! A chain that a force W moves by x takes up the energy `½ W x`, so a weight of `2 D / x` moves it
//! as far as its own place exactly where that costs at most D.

use crate::Corridor;
use raceline_numerics::math;
use raceline_road::geometry::{Vector, cross, left_of};

/// A weight that pulls the line along a section, towards a place on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// The section.
    pub section: usize,
    /// α of the place on the section.
    pub alpha: f64,
    /// Reach, m, above 0: a line within this distance of the place is not pulled.
    pub reach_m: f64,
    /// Force, 1/m²: the derivative of the potential energy.
    pub force: f64,
}

/// Fraction of the last move that a point keeps, 0 to 1. A larger one comes to rest after more
/// sweeps and may swing for ever, a smaller one moves long bends slowly.
const MOMENTUM: f64 = 0.9;
/// Step along the force over the stiffness. With the momentum above, steps below 3.8 come to rest;
/// a smaller one allows for pieces of different lengths.
const STEP: f64 = 1.0;
/// Stiffness of a hinge chain of pieces ℓ and of a spring chain against the shortest wave, times ℓ³
/// and ℓ.
const HINGE_STIFFNESS: f64 = 16.0;
const SPRING_STIFFNESS: f64 = 4.0;
/// Fraction of its reach over which a weight's force falls to 0, so that the chain comes to rest
/// there.
const SOFT_FRACTION: f64 = 0.2;

/// Moves the points of `places` `count` times; returns the largest move of the last sweep, m.
pub(super) fn relax(
    corridor: &Corridor,
    alpha: &mut [f64],
    places: &[usize],
    count: usize,
    tension: f64,
    weights: &[Weight],
) -> f64 {
    let n = places.len();
    let weights: Vec<(usize, &Weight)> =
        weights.iter().map(|weight| (nearest_rank(places, weight.section, corridor), weight)).collect();
    let pull = tension / math::powi(corridor.mean_width(), 2);
    let gaps = if corridor.closed { n } else { n - 1 };
    let mut velocity = vec![0.0; n];
    let mut forces = vec![Vector::zeros(); n];
    let mut moments = vec![0.0; n];
    let mut holds = vec![0.0; n];
    let mut farthest = 0.0;
    for _ in 0..count {
        let points: Vec<_> = places.iter().map(|&place| corridor.sections[place].point(alpha[place])).collect();
        let pieces: Vec<Vector> = (0..gaps).map(|i| points[(i + 1) % n] - points[i]).collect();
        let lengths: Vec<f64> = pieces.iter().map(|piece| piece.norm().max(1e-9)).collect();
        forces.fill(Vector::zeros());
        moments.fill(0.0);
        let hinges = if corridor.closed { 0..n } else { 1..n - 1 };
        for i in hinges {
            let (before, after) = ((i + n - 1) % n, i);
            let angle = math::atan2(cross(pieces[before], pieces[after]), pieces[before].dot(&pieces[after]));
            let moment = angle / f64::midpoint(lengths[before], lengths[after]);
            // Equation (2), the gradient of (1) by θ: a point that moves to the left turns a piece
            // by its move over the length of the piece.
            let back = left_of(pieces[before]) * (moment / math::powi(lengths[before], 2));
            let ahead = left_of(pieces[after]) * (moment / math::powi(lengths[after], 2));
            forces[(i + n - 1) % n] -= back;
            forces[(i + 1) % n] -= ahead;
            forces[i] += back + ahead;
            moments[i] = moment;
        }
        for (i, (piece, length)) in pieces.iter().zip(&lengths).enumerate() {
            // Equation (3), that by ℓ and h: a longer piece bends less at both ends for the same
            // angles.
            let push = (math::powi(moments[i], 2) + math::powi(moments[(i + 1) % n], 2)) / 4.0;
            let along = piece * ((pull - push) / length);
            forces[i] += along;
            forces[(i + 1) % n] -= along;
        }
        holds.fill(0.0);
        for &(rank, weight) in &weights {
            let section = &corridor.sections[places[rank]];
            let away_m = (weight.alpha - alpha[places[rank]]) * section.width();
            let soft_m = SOFT_FRACTION * weight.reach_m;
            let fraction = ((away_m.abs() - weight.reach_m + soft_m) / soft_m).clamp(0.0, 1.0); // equation (6)
            forces[rank] += section.span() * (weight.force * fraction * away_m.signum() / section.width());
            if fraction > 0.0 && fraction < 1.0 {
                holds[rank] += weight.force / soft_m;
            }
        }
        farthest = 0.0;
        for (rank, &place) in places.iter().enumerate() {
            let section = &corridor.sections[place];
            let width = section.width();
            let near = |i: usize| lengths.get(i).copied().unwrap_or(f64::INFINITY);
            let length = near((rank + n - 1) % n).min(near(rank));
            // Equations (4) and (5).
            let stiffness = HINGE_STIFFNESS / math::powi(length, 3) + SPRING_STIFFNESS * pull / length + holds[rank];
            let force = forces[rank].dot(&section.span()) / width;
            velocity[rank] = MOMENTUM * velocity[rank] + STEP * force / stiffness;
            let before = alpha[place];
            let free = before + velocity[rank] / width;
            alpha[place] = free.clamp(corridor.low[place], corridor.high[place]);
            let moved = (alpha[place] - before) * width;
            if alpha[place].to_bits() != free.to_bits() {
                velocity[rank] = 0.0;
            }
            farthest = f64::max(farthest, moved.abs());
        }
    }
    farthest
}

/// The place nearest to a section along the road.
fn nearest_rank(places: &[usize], section: usize, corridor: &Corridor) -> usize {
    let apart = |place: usize| {
        let apart = place.abs_diff(section);
        if corridor.closed { apart.min(corridor.len() - apart) } else { apart }
    };
    (0..places.len()).min_by_key(|&rank| apart(places[rank])).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest_rank;
    use crate::test_roads::part_of_ring;
    use crate::{Corridor, EdgeDistance};

    #[test]
    fn the_section_before_the_seam_is_near_the_first_place_of_a_closed_road_alone() {
        for (count, of_last) in [(40, 0), (39, 3)] {
            let track = part_of_ring(60.0, [count, 40], 2.5, None);
            let corridor = Corridor::new(&track, &EdgeDistance::new(&track), 1.5).unwrap();
            let n = corridor.len();
            let places = [0, n / 4, n / 2, 3 * n / 4];
            for (rank, &place) in places.iter().enumerate() {
                assert_eq!(nearest_rank(&places, place + 1, &corridor), rank);
            }
            assert_eq!(nearest_rank(&places, n - 1, &corridor), of_last);
        }
    }
}
