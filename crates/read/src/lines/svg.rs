//! The line of a drawing: the path that is called `racing-line`, else the only stroked one.

use usvg::tiny_skia_path::PathSegment;
use usvg::{Group, Node};

use raceline_road::construction::{ImportError, counted};
use raceline_road::geometry::{Point, angle_between};

use super::line_file::{LineFile, Positions, no_line};
use crate::importers::{DrawnFrame, drawn_frame, parsed_svg};

/// Names of the paths that we write.
const LINE_ID: &str = "racing-line";
const EDGE_IDS: [&str; 2] = ["left-edge", "right-edge"];
/// Chords of a curve per extent of the drawing, and the largest turn of one, radians: the points of
/// a spline, which is smooth between them. Closer points have more of the rounding of a drawing's
/// numbers in their curvature.
const CHORDS_PER_EXTENT: f64 = 50.0;
const LARGEST_TURN_RAD: f64 = 0.25;
/// Maximum number of points.
const MAX_POINTS: usize = 1_000_000;

/// Reads the line in metres: a user unit is that many metres, or what the drawing states, or 1 m.
pub(super) fn read(bytes: &[u8], metres_per_unit: Option<f64>) -> Result<LineFile, ImportError> {
    let tree = parsed_svg(bytes)?;
    let stated = drawn_frame(bytes).filter(|_| metres_per_unit.is_none());
    let metres = metres_per_unit.unwrap_or(1.0);
    let frame = stated.unwrap_or(DrawnFrame { metres_per_unit: metres, origin: Point::origin() });
    let mut paths = Vec::new();
    add_paths(tree.root(), &mut paths);
    let named = |id: &str| paths.iter().find(|path| path.id() == id).copied();
    let line = match (named(LINE_ID), paths.as_slice()) {
        (Some(line), _) => line,
        (None, [only]) => only,
        (None, paths) => {
            let found = format!("an SVG with {}, none of them called {LINE_ID}", counted(paths.len(), "stroked path"));
            return Err(no_line(found));
        }
    };
    let height = f64::from(tree.size().height());
    let (points, closed) = points_of(line, height, frame)?;
    let edge = |id: &str| -> Result<Option<Positions>, ImportError> {
        named(id).map(|path| Ok(Positions::Metres(points_of(path, height, frame)?.0))).transpose()
    };
    let edges = edge(EDGE_IDS[0])?.zip(edge(EDGE_IDS[1])?).map(|(left, right)| [left, right]);
    let layout = match line.id() {
        "" => "the path of an SVG".to_owned(),
        id => format!("the path {id} of an SVG"),
    };
    Ok(LineFile { closed: closed.then_some(true), edges, ..LineFile::new(layout, points) })
}

/// The visible stroked paths.
fn add_paths<'a>(group: &'a Group, paths: &mut Vec<&'a usvg::Path>) {
    for node in group.children() {
        match node {
            Node::Group(group) => add_paths(group, paths),
            Node::Path(path) if path.is_visible() && path.stroke().is_some() => paths.push(path),
            _ => {}
        }
    }
}

/// The points of the first part of a path, and whether it is closed.
fn points_of(path: &usvg::Path, height: f64, frame: DrawnFrame) -> Result<(Vec<Point>, bool), ImportError> {
    let transform = path.abs_transform();
    let [sx, kx, ky, sy, tx, ty] =
        [transform.sx, transform.kx, transform.ky, transform.sy, transform.tx, transform.ty].map(f64::from);
    let at = |p: usvg::tiny_skia_path::Point| {
        let (x, y) = (f64::from(p.x), f64::from(p.y));
        let page = Point::new(sx * x + kx * y + tx, height - (ky * x + sy * y + ty));
        frame.origin + page.coords * frame.metres_per_unit
    };
    let bounds = path.data().bounds();
    let extent = f64::from(bounds.width().max(bounds.height())) * (sx * sy - kx * ky).abs().sqrt();
    let chord_m = (extent * frame.metres_per_unit / CHORDS_PER_EXTENT).max(f64::MIN_POSITIVE);
    let (mut points, mut closed) = (Vec::new(), false);
    for segment in path.data().segments() {
        let controls = match segment {
            PathSegment::MoveTo(to) if points.is_empty() => {
                points.push(at(to));
                continue;
            }
            PathSegment::MoveTo(_) => break,
            PathSegment::Close => {
                closed = true;
                break;
            }
            PathSegment::LineTo(to) => vec![at(to)],
            PathSegment::QuadTo(a, to) => vec![at(a), at(to)],
            PathSegment::CubicTo(a, b, to) => vec![at(a), at(b), at(to)],
        };
        let here = points.last().copied().unwrap_or_default();
        let controls: Vec<Point> = std::iter::once(here).chain(controls).collect();
        let length: f64 = controls.windows(2).map(|ends| (ends[1] - ends[0]).norm()).sum();
        let legs: Vec<_> = controls.windows(2).map(|ends| ends[1] - ends[0]).filter(|leg| leg.norm() > 0.0).collect();
        let turn_rad: f64 = legs.windows(2).map(|legs| angle_between(legs[0], legs[1])).sum();
        let parts = if controls.len() == 2 { 1.0 } else { (length / chord_m).max(turn_rad / LARGEST_TURN_RAD) };
        let parts = parts.ceil().max(1.0) as usize;
        if points.len().saturating_add(parts) > MAX_POINTS {
            let limit = MAX_POINTS as u64;
            return Err(ImportError::SvgTooLarge { what: "points on its curves", found: limit + 1, limit });
        }
        points.extend((1..=parts).map(|part| bezier(&controls, part as f64 / parts as f64)));
    }
    Ok((points, closed))
}

/// The point of a Bézier curve at `t`, by de Casteljau's scheme.
fn bezier(controls: &[Point], t: f64) -> Point {
    let mut points = controls.to_vec();
    while points.len() > 1 {
        points = points.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) * t).collect();
    }
    points.first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_tight_corner_in_a_large_drawing_has_points() {
        // A corner of a radius of 5 in a drawing of 1 000: a chord of a fiftieth of it would cut it off.
        let text = r#"<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"><path
            d="M0 995 H995 C997.761424 995 1000 992.761424 1000 990 V0" fill="none" stroke="black"/></svg>"#;
        let found = read(text.as_bytes(), None).unwrap();
        let super::Positions::Metres(points) = &found.positions else { panic!("positions in degrees") };
        let corner: Vec<_> = points.iter().filter(|p| p.x >= 994.9 && p.y <= 10.1).collect();
        // A right angle in steps of at most 0.25 rad.
        assert_eq!(corner.len(), 8, "{corner:?}");
        for p in corner {
            let radius = (p.x - 995.0).hypot(p.y - 10.0);
            assert!((radius - 5.0).abs() < 0.01, "{p:?}: {radius}");
        }
    }
}
