//! Polylines of a DXF (ASCII, any release): `POLYLINE` with its vertices, and `LWPOLYLINE`.
//!
//! Of several, the line is that of the layer `RACING_LINE`; the edges are those of the layers whose
//! names contain `left` and `right`. Bulges become chords.

use raceline_file::table::text;
use raceline_numerics::math;
use raceline_road::construction::{ImportError, counted};
use raceline_road::geometry::{Point, Vector};

use super::line_file::{LineFile, Positions, no_line};

/// Units of the header's `$INSUNITS`, metres; others are metres.
const UNITS: [(i64, f64); 6] = [(1, 0.0254), (2, 0.3048), (4, 1e-3), (5, 1e-2), (6, 1.0), (7, 1e3)];
/// Largest turn of a chord of a bulge, radians.
const CHORD_RAD: f64 = 0.05;
/// Maximum number of points.
const MAX_POINTS: usize = 1_000_000;

struct Polyline {
    layer: String,
    points: Vec<Point>,
    closed: bool,
}

/// Reads the line, and the edges if there are two.
pub(super) fn read(bytes: &[u8]) -> Result<LineFile, ImportError> {
    let mut polylines = polylines(text(bytes)?)?;
    polylines.retain(|polyline| polyline.points.len() > 1);
    let count = polylines.len();
    let position = |word: &str| polylines.iter().position(|polyline| polyline.layer.to_lowercase().contains(word));
    let (left, right) = (position("left"), position("right"));
    let is_edge = |k: &usize| Some(*k) == left || Some(*k) == right;
    let others: Vec<usize> = (0..count).filter(|k| !is_edge(k)).collect();
    let named = polylines.iter().position(|polyline| polyline.layer.eq_ignore_ascii_case("RACING_LINE"));
    let chosen = named.or(match others.as_slice() {
        [only] => Some(*only),
        _ => None,
    });
    let metres = |points: &[Point]| Positions::Metres(points.to_vec());
    let edges =
        left.zip(right).map(|(left, right)| [metres(&polylines[left].points), metres(&polylines[right].points)]);
    // A drawing of two edges alone has its left one as the line, for who asks for a road.
    let line = match (chosen, left.filter(|_| edges.is_some() && others.is_empty())) {
        (Some(chosen), _) | (None, Some(chosen)) => &polylines[chosen],
        (None, None) => {
            let found =
                format!("a DXF drawing with {}, none of them on a layer RACING_LINE", counted(count, "polyline"));
            return Err(no_line(found));
        }
    };
    let layout = format!("the polyline of the layer {} of a DXF drawing", line.layer);
    Ok(LineFile { closed: line.closed.then_some(true), edges, ..LineFile::new(layout, line.points.clone()) })
}

/// What is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entity {
    Polyline,
    Vertex,
    Light,
    Other,
}

/// The polylines of a drawing.
fn polylines(text: &str) -> Result<Vec<Polyline>, ImportError> {
    let mut lines = text.lines().map(str::trim);
    let mut found: Vec<Polyline> = Vec::new();
    let (mut entity, mut unit, mut is_unit, mut x, mut count) = (Entity::Other, 1.0, false, 0.0, 0_usize);
    let mut bulges: Vec<Vec<f64>> = Vec::new();
    while let (Some(code), Some(value)) = (lines.next(), lines.next()) {
        let Ok(code) = code.parse::<i64>() else {
            return Err(no_line(format!("a DXF drawing in which {code:?} stands in place of a group code")));
        };
        let number = || value.parse::<f64>().ok().filter(|number| number.abs() <= 1e11);
        match (code, entity) {
            (9, _) => is_unit = value == "$INSUNITS",
            (70, Entity::Other) if is_unit => {
                let known = UNITS.iter().find(|(number, _)| value.parse() == Ok(*number));
                unit = known.map_or(1.0, |&(_, metres)| metres);
                is_unit = false;
            }
            (0, _) => {
                entity = match value {
                    "POLYLINE" => Entity::Polyline,
                    "VERTEX" => Entity::Vertex,
                    "LWPOLYLINE" => Entity::Light,
                    _ => Entity::Other,
                };
                if matches!(entity, Entity::Polyline | Entity::Light) {
                    found.push(Polyline { layer: String::new(), points: Vec::new(), closed: false });
                    bulges.push(Vec::new());
                }
            }
            (8, Entity::Polyline | Entity::Light) => {
                if let Some(polyline) = found.last_mut() {
                    value.clone_into(&mut polyline.layer);
                }
            }
            (70, Entity::Polyline | Entity::Light) => {
                if let Some(polyline) = found.last_mut() {
                    polyline.closed = value.parse::<i64>().is_ok_and(|flags| flags & 1 == 1);
                }
            }
            (10, Entity::Vertex | Entity::Light) => {
                x = number().ok_or_else(|| no_line("a DXF drawing with a coordinate that is no number"))?;
            }
            (20, Entity::Vertex | Entity::Light) => {
                let y = number().ok_or_else(|| no_line("a DXF drawing with a coordinate that is no number"))?;
                count += 1;
                if let (Some(polyline), Some(bulges)) = (found.last_mut(), bulges.last_mut()) {
                    polyline.points.push(Point::new(x * unit, y * unit));
                    bulges.push(0.0);
                }
            }
            (42, Entity::Vertex | Entity::Light) => {
                if let (Some(bulge), Some(number)) = (bulges.last_mut().and_then(|list| list.last_mut()), number()) {
                    *bulge = number;
                }
            }
            _ => {}
        }
        if count > MAX_POINTS {
            return Err(no_line(format!("a DXF drawing with more than {MAX_POINTS} vertices")));
        }
    }
    for (polyline, bulges) in found.iter_mut().zip(&bulges) {
        polyline.points = with_arcs(&polyline.points, bulges, polyline.closed);
    }
    Ok(found)
}

/// The points with those of the arcs that bulges describe: the tangent of a quarter of the arc's
/// angle.
fn with_arcs(points: &[Point], bulges: &[f64], closed: bool) -> Vec<Point> {
    let mut all = Vec::with_capacity(points.len());
    for (k, (&from, &bulge)) in points.iter().zip(bulges).enumerate() {
        all.push(from);
        let next = points.get(k + 1).or(points.first().filter(|_| closed));
        let Some(&to) = next.filter(|_| bulge != 0.0) else { continue };
        let angle = 4.0 * math::atan(bulge);
        let chord = to - from;
        // From the middle of the chord to the centre of the arc.
        let middle = from + chord / 2.0;
        let centre = middle + Vector::new(-chord.y, chord.x) * ((1.0 - bulge * bulge) / (4.0 * bulge));
        let parts = (angle.abs() / CHORD_RAD).ceil().max(1.0) as usize;
        for part in 1..parts {
            let (sin, cos) = math::sin_cos(angle * part as f64 / parts as f64);
            let arm = from - centre;
            all.push(centre + Vector::new(arm.x * cos - arm.y * sin, arm.x * sin + arm.y * cos));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::lines::Positions;

    #[test]
    fn a_bulge_of_one_is_a_half_circle() {
        let text = "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\n0\n70\n1\n10\n10\n20\n0\n42\n1\n10\n-10\n20\n0\n42\n1\n0\nENDSEC\n0\nEOF\n";
        let line = read(text.as_bytes()).unwrap();
        assert_eq!(line.closed, Some(true));
        let Positions::Metres(points) = line.positions else { panic!("metres") };
        assert!(points.len() > 100);
        assert!(points.iter().all(|point| (point.coords.norm() - 10.0).abs() < 1e-9));
        // Counter-clockwise: from (10, 0) upwards.
        assert!(points[1].y > 0.0);
    }

    #[test]
    fn units_of_the_header_count_and_several_polylines_need_a_layer() {
        let head = "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n";
        let one = "0\nLWPOLYLINE\n8\nroad\n10\n0\n20\n0\n10\n1000\n20\n0\n10\n2000\n20\n1000\n";
        let line = read(format!("{head}{one}").as_bytes()).unwrap();
        let Positions::Metres(points) = line.positions else { panic!("metres") };
        assert_eq!((points[1].x, points[2].y, line.closed), (1.0, 1.0, None));
        let error = read(format!("{head}{one}{one}").as_bytes()).unwrap_err().to_string();
        assert!(error.contains("2 polylines"), "{error}");
        assert!(read(b"x\ny\n").is_err());
    }
}
