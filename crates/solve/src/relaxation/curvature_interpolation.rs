//! K1999 (Coulom, *Reinforcement Learning Using Neural Networks, with Applications to Motor
//! Control*, thesis, 2002, the appendix on path optimization): a point goes where its curvature is
//! the mean of its neighbours', weighted by their distances.
//!
//! With points a, b before and d, e after the point c, the curvature of the circle through a, b and
//! c belongs to b, that through c, d and e to d. c is moved to where the circle through b, c and d
//! has the curvature
//!
//! ```text
//! κ* = (|cd| κ_b + |bc| κ_d) / (|bc| + |cd|)                                                 (1)
//! ```
//!
//! The curvature κ(α) of that circle grows about linearly with the α of c. Its derivative is taken
//! where it is 0, at α₀ on the chord from b to d, by a difference with h = 10⁻⁴, and the step is by
//! what is missing: so a line that is at rest stays there, also where the points are far apart.
//!
//! ```text
//! α ← α + (κ* - κ(α)) h / κ(α₀ + h)                                                          (2)
//! α₀ = (d - b) × (b - R) / (d - b) × S                                                       (3)
//! ```
//!
//! R is the section's right end and S its span. An end of an open road goes to where the line
//! through its two neighbours meets its section, also by (3).

use crate::Corridor;
use crate::stations::menger_curvature;
use raceline_road::geometry::{Point, cross};

/// h: step of α for the derivative of curvature.
const PROBE: f64 = 1e-4;

/// Sweeps over `places` `count` times, forwards; returns the largest move of the last sweep, m.
pub(super) fn relax(corridor: &Corridor, alpha: &mut [f64], places: &[usize], count: usize) -> f64 {
    let mut farthest = 0.0;
    for _ in 0..count {
        farthest = 0.0;
        for rank in 0..places.len() {
            let before = alpha[places[rank]];
            move_to_mean(corridor, alpha, places, rank);
            let width = corridor.sections[places[rank]].width();
            farthest = f64::max(farthest, (alpha[places[rank]] - before).abs() * width);
        }
    }
    farthest
}

/// Sets the places that are new on a finer level between those of the coarser one.
pub(super) fn interpolate(corridor: &Corridor, alpha: &mut [f64], coarser: &[usize], places: &[usize]) {
    let known: std::collections::BTreeSet<usize> = coarser.iter().copied().collect();
    for rank in 0..places.len() {
        let here = places[rank];
        if known.contains(&here) {
            continue;
        }
        // Half way from the neighbours' α, so that no chord is far off; then by their curvature.
        let [before, after] = [-1, 1].map(|off| neighbour(corridor, places, rank, off));
        if let (Some(before), Some(after)) = (before, after) {
            let middle = f64::midpoint(alpha[before], alpha[after]);
            alpha[here] = middle.clamp(corridor.low[here], corridor.high[here]);
        }
    }
    for rank in 0..places.len() {
        if !known.contains(&places[rank]) {
            move_to_mean(corridor, alpha, places, rank);
        }
    }
}

/// The place `off` after that of `rank`, around a closed road.
fn neighbour(corridor: &Corridor, places: &[usize], rank: usize, off: isize) -> Option<usize> {
    let count = places.len() as isize;
    let at = rank as isize + off;
    let at = if corridor.closed { at.rem_euclid(count) } else { at };
    places.get(usize::try_from(at).ok()?).copied()
}

/// Moves one point to the mean curvature of its neighbours, within its bounds.
fn move_to_mean(corridor: &Corridor, alpha: &mut [f64], places: &[usize], rank: usize) {
    let here = places[rank];
    let point = |place: usize| corridor.sections[place].point(alpha[place]);
    let near = |off: isize| neighbour(corridor, places, rank, off).map(point);
    let c = point(here);
    let section = &corridor.sections[here];
    let bend = |a: Option<Point>, b: Point, c: Option<Point>| match (a, c) {
        (Some(a), Some(c)) => menger_curvature(b - a, c - b),
        // Beyond its end an open line is straight.
        _ => 0.0,
    };
    let wanted = match (near(-1), near(1)) {
        (Some(b), Some(d)) => {
            let (to_b, to_d) = ((c - b).norm(), (d - c).norm());
            let (before, after) = (bend(near(-2), b, Some(c)), bend(Some(c), d, near(2)));
            let wanted = (to_d * before + to_b * after) / (to_b + to_d); // equation (1)
            let across = cross(d - b, section.span());
            let straight = cross(d - b, b - section.right) / across; // equation (3)
            let probed = section.point(straight + PROBE);
            let probe = menger_curvature(probed - b, d - probed);
            let missing = wanted - menger_curvature(c - b, d - c);
            alpha[here] + missing * PROBE / probe // equation (2)
        }
        // An end of an open road continues its next piece.
        (None, Some(d)) => on_line(near(2), d, section),
        (Some(b), None) => on_line(near(-2), b, section),
        (None, None) => return,
    };
    if wanted.is_finite() {
        alpha[here] = wanted.clamp(corridor.low[here], corridor.high[here]);
    }
}

/// α where the line through two points meets a section; not finite where it does not.
fn on_line(far: Option<Point>, near: Point, section: &raceline_road::track::CrossSection) -> f64 {
    far.map_or(f64::NAN, |far| {
        let along = near - far;
        cross(along, near - section.right) / cross(along, section.span()) // equation (3)
    })
}
