//! Roads with known cross-sections, for tests.

use std::f64::consts::TAU;

use super::{CrossSection, Direction, SectionSurface, SurfaceEnd, Track};
use crate::edges::{EdgeKind, Edges};
use crate::geometry::{Point, Polyline, Vector, left_of};

/// Fails where two numbers differ by more than the tolerance.
#[track_caller]
pub(super) fn assert_near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} instead of {wanted} within {tolerance}");
}

/// A straight road from the origin in the direction of `heading`, `width` metres wide, whose right edge leads through
/// the origin, with sections at `distances`.
pub(super) fn straight(distances: &[f64], width: f64, heading: f64) -> Track {
    let along = Vector::new(heading.cos(), heading.sin());
    let section = |&s: &f64| {
        let right = Point::origin() + along * s;
        CrossSection { right, left: right + left_of(along) * width }
    };
    Track::from_sections(distances.iter().map(section).collect(), false, Direction::Counterclockwise, 1.0)
}

/// A counter-clockwise ring about the origin with `count` sections, the first one at angle 0.
pub(super) fn ring(radius: f64, half_width: f64, count: usize) -> Track {
    let section = |i: usize| {
        let angle = TAU * i as f64 / count as f64;
        let out = Vector::new(angle.cos(), angle.sin());
        CrossSection {
            right: Point::origin() + out * (radius + half_width),
            left: Point::origin() + out * (radius - half_width),
        }
    };
    let spacing_m = TAU * radius / count as f64;
    Track::from_sections((0..count).map(section).collect(), true, Direction::Counterclockwise, spacing_m)
}

/// A road about a centre line at a constant distance; `middle` has its points and the directions of travel there.
pub(super) fn about(middle: &[(Point, Vector)], half_width: f64, closed: bool) -> Track {
    let section = |&(at, along): &(Point, Vector)| {
        let left = left_of(along.normalize()) * half_width;
        CrossSection { right: at - left, left: at + left }
    };
    Track::from_sections(middle.iter().map(section).collect(), closed, Direction::Counterclockwise, 1.0)
}

/// An oval with lobes about the origin, with the directions of travel: its curvature and the distances of its points
/// change all along it.
pub(super) fn wavy(count: usize) -> Vec<(Point, Vector)> {
    let at = |i: usize| {
        let angle = TAU * i as f64 / count as f64;
        let (radius, change) = (60.0 + 6.0 * (3.0 * angle).cos(), -18.0 * (3.0 * angle).sin());
        let (sin, cos) = angle.sin_cos();
        let along = Vector::new(change * cos - radius * sin, change * sin + radius * cos);
        (Point::new(radius * cos, radius * sin), along)
    };
    (0..count).map(at).collect()
}

/// The road with heights at the ends of its sections by a function of the place.
pub(super) fn raised(track: Track, height_m: impl Fn(Point) -> f64) -> Track {
    let end = |place: Point| SurfaceEnd { height_m: height_m(place), grip: 1.0, kind: EdgeKind::Line };
    let surface = |section: &CrossSection| SectionSurface { right: end(section.right), left: end(section.left) };
    Track { surface: Some(track.sections.iter().map(surface).collect()), ..track }
}

/// A line along the x axis at `y`, with a vertex every metre.
fn level_line(length: f64, y: f64) -> Polyline {
    Polyline::open((0..=length as usize).map(|i| Point::new(i as f64, y)).collect())
}

/// The edges of an open, straight road along the x axis from the origin, its right edge on the axis.
pub(super) fn straight_edges(length: f64, width: f64) -> Edges {
    Edges { directed: true, ..Edges::between(level_line(length, width), level_line(length, 0.0)) }
}

/// The edges of a counter-clockwise ring about the origin that begins at angle 0, in steps of a twentieth of a
/// degree: an inner touching point stays on a vertex for a while.
pub(super) fn ring_edges(inner: f64, outer: f64) -> Edges {
    let circle = |radius: f64| {
        let angle = |i: u32| TAU * f64::from(i) / 7200.0;
        Polyline::closed((0..7200).map(|i| Point::new(radius * angle(i).cos(), radius * angle(i).sin())).collect())
    };
    Edges { directed: true, ..Edges::ring(circle(outer), circle(inner)) }
}

/// The edges of a counter-clockwise road of two straights along the x axis, each from `-half_m` to `half_m`, and two
/// half circles about their ends.
pub(super) fn stadium_edges(half_m: f64, inner: f64, outer: f64) -> Edges {
    let edge = |radius: f64| {
        let arc = |centre: f64, from: f64| {
            (0..=180)
                .map(move |i| from + TAU * f64::from(i) / 360.0)
                .map(move |angle| Point::new(centre + radius * angle.cos(), radius * angle.sin()))
        };
        Polyline::closed(arc(half_m, -TAU / 4.0).chain(arc(-half_m, TAU / 4.0)).collect())
    };
    Edges { directed: true, ..Edges::ring(edge(outer), edge(inner)) }
}

/// A counter-clockwise ring with cracks: spikes of the inner edge, a tenth of a degree wide, across two fifths of the
/// road.
pub(super) fn cracked_edges(inner: f64, outer: f64, cracks: usize) -> Edges {
    let mut edges = ring_edges(inner, outer);
    let count = edges.left.points.len();
    for crack in 0..cracks {
        let corner = (count * crack / cracks + 37 * crack * crack % 29) % count;
        edges.left.points[corner] *= 1.0 + 0.4 * (outer - inner) / inner;
    }
    edges
}
