//! SVG: a path stroked as wide as the road, or two paths along its edges.
//!
//! `usvg` resolves styles, shapes, references and transforms. A unit is a user unit of the page,
//! which a viewer shows as one pixel at the page's own size. y points up from the bottom of the
//! page, as in a picture.

use usvg::tiny_skia_path::PathSegment;
use usvg::{Group, ImageHrefResolver, Node, Transform, Tree};

use super::centre_line::{CentreLine, Station};
use super::edge_pair::{EdgePair, Sides};
use super::error::counted;
use super::{ImportError, ImportOptions, Imported, SaidClosed};
use crate::edges::metres_per_pixel;
use crate::frame::Scale;
use crate::geometry::{Point, Polyline};

/// Points along a stroked path per width of its stroke …
const STATIONS_PER_WIDTH: f64 = 6.0;
/// … but at most this many points.
const MOST_STATIONS: f64 = 20_000.0;
/// Curves are divided into chords of the drawing's extent divided by this.
const CHORDS_PER_EXTENT: f64 = 4000.0;

/// Reads an SVG. `scale` specifies the length of a user unit; `origin` is the position of the
/// page's bottom-left corner, metres.
///
/// # Errors
/// See [`ImportError`].
pub fn svg(
    bytes: &[u8],
    scale: Scale,
    origin: Point,
    closed: SaidClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let tree = Tree::from_data(bytes, &parsing()).map_err(|error| ImportError::Svg { message: error.to_string() })?;
    let mut drawing = Drawing { height: f64::from(tree.size().height()), shapes: Vec::new() };
    drawing.add(tree.root());
    drawing.drop_background();
    let outlines: Vec<&Outline> = drawing.shapes.iter().flat_map(|shape| &shape.outlines).collect();
    match (drawing.shapes.as_slice(), outlines.as_slice()) {
        ([Shape { stroke: Some(width), .. }], [outline]) => stroked(outline, *width, (scale, origin), closed, options),
        (_, [first, second]) => between(first, second, (scale, origin), closed, options),
        (shapes, outlines) => {
            let strokes = shapes.iter().filter(|shape| shape.stroke.is_some()).count();
            let found = format!(
                "{} in {}, {strokes} of them stroked",
                counted(outlines.len(), "line"),
                counted(shapes.len(), "path")
            );
            Err(ImportError::NoRoad { found })
        }
    }
}

/// Nothing outside the file is read, and pictures in it are ignored.
fn parsing() -> usvg::Options<'static> {
    usvg::Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..usvg::Options::default()
    }
}

/// A line of a path, in user units with y upwards.
struct Outline {
    points: Vec<Point>,
    /// Whether the path is declared closed.
    closed: bool,
}

/// A visible path.
struct Shape {
    outlines: Vec<Outline>,
    /// Width of the stroke, user units.
    stroke: Option<f64>,
}

struct Drawing {
    height: f64,
    shapes: Vec<Shape>,
}

impl Drawing {
    fn add(&mut self, group: &Group) {
        for node in group.children() {
            match node {
                Node::Group(group) => self.add(group),
                Node::Path(path) if path.is_visible() => {
                    let transform = path.abs_transform();
                    let area = f64::from(transform.sx) * f64::from(transform.sy)
                        - f64::from(transform.kx) * f64::from(transform.ky);
                    let stroke = path.stroke().map(|stroke| f64::from(stroke.width().get()) * area.abs().sqrt());
                    let outlines = outlines(path.data(), transform, self.height);
                    self.shapes.push(Shape { outlines, stroke });
                }
                Node::Path(_) | Node::Image(_) | Node::Text(_) => {}
            }
        }
    }

    /// Removes a filled rectangle round everything else: the background of the page.
    fn drop_background(&mut self) {
        let boxes: Vec<[Point; 2]> = self.shapes.iter().map(Shape::bounds).collect();
        let is_background = |index: usize| {
            let shape = &self.shapes[index];
            let [low, high] = boxes[index];
            let rectangular = match shape.outlines.as_slice() {
                [outline] => (4..=5).contains(&outline.points.len()),
                _ => false,
            };
            rectangular
                && shape.stroke.is_none()
                && boxes.iter().all(|[l, h]| low.x <= l.x && low.y <= l.y && h.x <= high.x && h.y <= high.y)
        };
        if self.shapes.len() > 1
            && let Some(index) = (0..self.shapes.len()).find(|&index| is_background(index))
        {
            self.shapes.remove(index);
        }
    }
}

impl Shape {
    fn bounds(&self) -> [Point; 2] {
        let mut bounds = [Point::new(f64::INFINITY, f64::INFINITY), Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY)];
        for point in self.outlines.iter().flat_map(|outline| &outline.points) {
            bounds = [bounds[0].inf(point), bounds[1].sup(point)];
        }
        bounds
    }
}

/// The lines of a path with curves cut into chords.
fn outlines(path: &usvg::tiny_skia_path::Path, transform: Transform, height: f64) -> Vec<Outline> {
    let bounds = path.bounds();
    let extent = f64::from(bounds.width().max(bounds.height()));
    let chord = (extent / CHORDS_PER_EXTENT).max(f64::MIN_POSITIVE);
    // Before the transform, to avoid its rounding to single precision.
    let place = |p: usvg::tiny_skia_path::Point| Point::new(f64::from(p.x), f64::from(p.y));
    let mut outlines: Vec<Outline> = Vec::new();
    let mut here = Point::origin();
    for segment in path.segments() {
        if let PathSegment::MoveTo(to) = segment {
            here = place(to);
            outlines.push(Outline { points: vec![here], closed: false });
            continue;
        }
        let Some(outline) = outlines.last_mut() else { continue };
        let controls = match segment {
            PathSegment::LineTo(to) => vec![here, place(to)],
            PathSegment::QuadTo(a, to) => vec![here, place(a), place(to)],
            PathSegment::CubicTo(a, b, to) => vec![here, place(a), place(b), place(to)],
            PathSegment::Close => {
                outline.closed = true;
                continue;
            }
            PathSegment::MoveTo(_) => continue,
        };
        let length: f64 = controls.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        let parts =
            if controls.len() == 2 { 1 } else { (length / chord).ceil().clamp(1.0, 4.0 * CHORDS_PER_EXTENT) as usize };
        outline.points.extend((1..=parts).map(|part| bezier(&controls, part as f64 / parts as f64)));
        here = controls.last().copied().unwrap_or(here);
    }
    let [sx, kx, ky, sy, tx, ty] =
        [transform.sx, transform.kx, transform.ky, transform.sy, transform.tx, transform.ty].map(f64::from);
    for outline in &mut outlines {
        for p in &mut outline.points {
            *p = Point::new(sx * p.x + kx * p.y + tx, height - (ky * p.x + sy * p.y + ty));
        }
    }
    // A path may end with a single move.
    outlines.retain(|outline| outline.points.len() > 1);
    outlines
}

/// The point of a Bézier curve at `t`, by de Casteljau's scheme.
fn bezier(controls: &[Point], t: f64) -> Point {
    let mut points = controls.to_vec();
    while points.len() > 1 {
        points = points.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) * t).collect();
    }
    points.first().copied().unwrap_or_default()
}

fn stroked(
    outline: &Outline,
    width: f64,
    (scale, origin): (Scale, Point),
    said: SaidClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let closed = said.or_else(|| outline.closed.then_some(true));
    let line = Polyline { points: outline.points.clone(), closed: outline.closed };
    let length = line.length();
    if !(length > 0.0 && width > 0.0) {
        return Err(ImportError::NoArea);
    }
    let metres = match scale {
        Scale::MetresPerPixel(metres) => metres,
        Scale::TrackLength(metres) => metres / length,
        Scale::TrackWidth(metres) => metres / width,
    };
    // Evenly spaced, so that the spline through them follows straights and arcs alike.
    let step = (width / STATIONS_PER_WIDTH).max(length / MOST_STATIONS);
    let count = (length / step).ceil().max(8.0) as usize;
    let gaps = if line.closed { count } else { count - 1 };
    let arc_lengths = line.arc_lengths();
    let half = width * metres / 2.0;
    let stations = (0..count)
        .map(|i| {
            let point = line.point_at(&arc_lengths, length * i as f64 / gaps as f64);
            Station { position: origin + point.coords * metres, right_m: half, left_m: half, line: None }
        })
        .collect();
    CentreLine::new(stations).imported(closed, options)
}

fn between(
    first: &Outline,
    second: &Outline,
    (scale, origin): (Scale, Point),
    said: SaidClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let closed = said.or_else(|| (first.closed && second.closed).then_some(true));
    let pair = |place: &dyn Fn(&Point) -> Point| EdgePair {
        first: first.points.iter().map(place).collect(),
        second: second.points.iter().map(place).collect(),
        sides: Sides::Unknown,
        in_travel_order: false,
    };
    let drawn = pair(&|p| *p).imported(closed, &ImportOptions::default())?.edges;
    let metres = metres_per_pixel(scale, &drawn);
    pair(&|p| origin + p.coords * metres).imported(closed, options)
}
