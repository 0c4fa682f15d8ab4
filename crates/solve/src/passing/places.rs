//! Where on the road an obstacle or a pick-up is.

use crate::Corridor;
use crate::barrier::{Barrier, Outline, PassingSide};
use raceline_road::geometry::{Point, Segment};

/// Steps in which a cross-section is looked at.
const LOOKS: usize = 400;

/// The cross-section nearest to `p`.
pub(super) fn nearest_section(corridor: &Corridor, p: Point) -> usize {
    let distance = |i: usize| {
        let section = &corridor.sections[i];
        Segment::new(section.right, section.left).distance(p)
    };
    (0..corridor.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or_default()
}

/// Whether a line within the corridor may come nearer to the shape than the margin.
pub(super) fn is_in_corridor(corridor: &Corridor, outline: &Outline, margin_m: f64) -> bool {
    let (centre, reach_m) = (outline.centre(), outline.reach_m());
    (0..corridor.len()).any(|i| {
        let section = &corridor.sections[i];
        let (low, high) = (section.point(corridor.low[i]), section.point(corridor.high[i]));
        let middle = nalgebra::center(&low, &high);
        if (middle - centre).norm() > reach_m + margin_m + 0.5 * (high - low).norm() {
            return false;
        }
        // A step by the free distance does not skip the margin.
        let length = (high - low).norm();
        let mut along = 0.0;
        loop {
            let p = if length > 0.0 { low + (high - low) * (along / length) } else { low };
            let free = outline.distance(p) - margin_m;
            if free < -1e-9 {
                return true;
            }
            along += free.max(1e-3 * margin_m).max(1e-6);
            if along > length {
                return false;
            }
        }
    })
}

/// Room on the left and on the right of a shape on the cross-section nearest to its centre, m.
pub(super) fn rooms_m(corridor: &Corridor, outline: &Outline) -> (f64, f64) {
    let section = &corridor.sections[nearest_section(corridor, outline.centre())];
    let step = section.width() / LOOKS as f64;
    let covered = |k: &usize| outline.distance(section.point(*k as f64 / LOOKS as f64)) <= 0.5 * step;
    let (first, last) = ((0..=LOOKS).find(covered), (0..=LOOKS).rev().find(covered));
    match (first, last) {
        (Some(first), Some(last)) => ((LOOKS - last) as f64 * step, first as f64 * step),
        _ => (section.width(), section.width()),
    }
}

/// Walls that a line can only pass within `radius_m` of `place`: one from either edge across the
/// road, each ending the margin and the radius before the place.
pub(super) fn gate(corridor: &Corridor, place: Point, radius_m: f64, margin_m: f64) -> Vec<Barrier> {
    let section = &corridor.sections[nearest_section(corridor, place)];
    let width = section.width();
    let across = section.span() / width;
    let right = (place - section.right).dot(&across);
    let wall = |to_edge: f64, passed_on: PassingSide| {
        let outwards = if passed_on == PassingSide::Left { -across } else { across };
        let gap = radius_m + margin_m;
        let ends = vec![place + outwards * gap, place + outwards * to_edge.max(gap)];
        (to_edge > gap).then(|| Barrier::new(Outline::Polygon(ends), passed_on))
    };
    [wall(right, PassingSide::Left), wall(width - right, PassingSide::Right)].into_iter().flatten().collect()
}

/// Whether some point of the corridor is within `radius_m` of `place`.
pub(super) fn is_in_reach(corridor: &Corridor, place: Point, radius_m: f64) -> bool {
    (0..corridor.len()).any(|i| {
        let section = &corridor.sections[i];
        let alpha = Segment::new(section.right, section.left).foot(place);
        let (low, high) = (corridor.low[i], corridor.high[i]);
        let (low, high) = (low.min(high), high.max(low));
        let next = &corridor.sections[(i + 1) % corridor.len()];
        // A line between two sections comes nearer than on either of them.
        let spare = if corridor.closed || i + 1 < corridor.len() {
            0.5 * (next.middle() - section.middle()).norm()
        } else {
            0.0
        };
        (section.point(alpha.clamp(low, high)) - place).norm() <= radius_m.max(spare)
    })
}

/// The side of `place` on which the line through `points` passes it.
pub(super) fn side_of(points: &[Point], closed: bool, place: Point) -> PassingSide {
    let n = points.len();
    let pieces = if closed { n } else { n.saturating_sub(1) };
    let piece = |i: usize| (points[i], points[(i + 1) % n]);
    let nearest = (0..pieces).min_by(|&a, &b| {
        let distance = |(from, to): (Point, Point)| (nalgebra::center(&from, &to) - place).norm();
        distance(piece(a)).total_cmp(&distance(piece(b)))
    });
    let Some((from, to)) = nearest.map(piece) else { return PassingSide::Left };
    // The place to the right of the line is passed on its left.
    if raceline_road::geometry::cross(to - from, place - from) < 0.0 { PassingSide::Left } else { PassingSide::Right }
}

/// Distance of the line through `points` from `place`, m.
pub(super) fn distance_m(points: &[Point], closed: bool, place: Point) -> f64 {
    let n = points.len();
    let pieces = if closed { n } else { n.saturating_sub(1) };
    let distance = |i: usize| Segment::new(points[i], points[(i + 1) % n]).distance(place);
    (0..pieces).map(distance).fold(f64::INFINITY, f64::min)
}

/// The largest distance that `points` lack to the margin of any barrier, m.
pub(super) fn missing_m(points: impl Iterator<Item = Point>, barriers: &[Barrier], margin_m: f64) -> f64 {
    let nearest = |p: Point| barriers.iter().map(|barrier| barrier.distance(p)).fold(f64::INFINITY, f64::min);
    points.map(|p| margin_m - nearest(p)).fold(0.0, f64::max)
}
