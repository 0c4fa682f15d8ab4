//! SVG: a path stroked as wide as the road, or two paths along its edges.
//!
//! `usvg` resolves styles, shapes, references and transforms. A unit is a user unit of the page,
//! which a viewer shows as one pixel at the page's own size. y points up from the bottom of the
//! page, as in a picture.

use usvg::tiny_skia_path::PathSegment;
use usvg::{Group, ImageHrefResolver, Node, Transform, Tree};

use super::svg_strokes::{Outline, Shape};
use super::{svg_budget, svg_strokes};
use raceline_road::construction::counted;
use raceline_road::construction::{CentreLine, Station};
use raceline_road::construction::{EdgePair, Sides};
use raceline_road::construction::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed, WIDE_M};
use raceline_road::edges::metres_per_pixel;
use raceline_road::frame::Scale;
use raceline_road::geometry::{Point, Polyline};

/// Points along a stroked path per width of its stroke …
const STATIONS_PER_WIDTH: f64 = 6.0;
/// … but at most this many points.
const MAX_STATIONS: f64 = 20_000.0;
/// Curves are divided into chords of the drawing's extent divided by this.
const CHORDS_PER_EXTENT: f64 = 4000.0;

/// Maximum number of points that the curves of a drawing may be divided into. A road has some ten
/// thousand.
const MAX_POINTS: u64 = 1_000_000;

/// Reads an SVG. `scale` specifies the length of a user unit, and the stroke of a road the road's width unless
/// `options` have one; `origin` is the position of the
/// page's bottom-left corner, metres.
///
/// # Errors
/// See [`ImportError`].
pub fn svg(
    bytes: &[u8],
    scale: Scale,
    origin: Point,
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let tree = parsed_svg(bytes)?;
    let mut paths = Vec::new();
    add_paths(tree.root(), &mut paths);
    drop_racing_line(&mut paths);
    let needed = paths.iter().map(|path| point_count(path.data())).fold(0, u64::saturating_add);
    if needed > MAX_POINTS {
        return Err(ImportError::SvgTooLarge { what: "points on its curves", found: needed, limit: MAX_POINTS });
    }
    let mut shapes: Vec<Shape> =
        paths.into_iter().map(|path| Shape::new(path, f64::from(tree.size().height()))).collect();
    drop_background(&mut shapes);
    let outlines: Vec<&Outline> = shapes.iter().flat_map(|shape| &shape.outlines).collect();
    if let ([Shape { stroke: Some(width), .. }], [outline]) = (shapes.as_slice(), outlines.as_slice()) {
        return stroked(outline, *width, (scale, origin), closed, options);
    }
    match (svg_strokes::road(&shapes), outlines.as_slice()) {
        // Two lines are edges, unless they are strokes along the same road, as a casing is.
        (Some(road), lines) if lines.len() != 2 || road.strokes > 1 => {
            let mut imported = stroked(&road.outline, road.width, (scale, origin), closed, options)?;
            if road.strokes > 1 || road.ignored > 0 {
                imported.notes.push(ImportNote::Strokes { along: road.strokes, ignored: road.ignored });
            }
            Ok(imported)
        }
        (_, [first, second]) => between(first, second, (scale, origin), closed, options),
        (_, lines) => {
            let strokes = shapes.iter().filter(|shape| shape.stroke.is_some()).count();
            Err(no_road(lines.len(), shapes.len(), strokes))
        }
    }
}

/// The drawing in `bytes`.
///
/// # Errors
/// [`ImportError::Svg`], and a drawing that would take too much memory.
pub(crate) fn parsed_svg(bytes: &[u8]) -> Result<Tree, ImportError> {
    let document = svg_budget::parse(bytes)?;
    Tree::from_xmltree(&document, &parsing()).map_err(|error| ImportError::Svg { message: error.to_string() })
}

/// Names of the edges in the drawings that we write, and of the line between them.
const EDGE_IDS: [&str; 2] = ["left-edge", "right-edge"];
const LINE_ID: &str = "racing-line";

/// Removes the racing line from a drawing that has both edges of its road.
fn drop_racing_line(paths: &mut Vec<&usvg::Path>) {
    if EDGE_IDS.iter().all(|id| paths.iter().any(|path| path.id() == *id)) {
        paths.retain(|path| path.id() != LINE_ID);
    }
}

/// A line of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct SvgLine {
    /// Points, metres; a closed one repeats its first.
    pub points: Vec<Point>,
    /// Width of its stroke, metres; `None` without one.
    pub width_m: Option<f64>,
}

/// The visible lines of an SVG with any number of paths, but for a background, in the order of
/// drawing. `metres` is the length of a user unit; `origin` as for [`svg`].
///
/// # Errors
/// See [`ImportError`].
pub fn svg_lines(bytes: &[u8], metres: f64, origin: Point) -> Result<Vec<SvgLine>, ImportError> {
    let tree = parsed_svg(bytes)?;
    let mut paths = Vec::new();
    add_paths(tree.root(), &mut paths);
    let needed = paths.iter().map(|path| point_count(path.data())).fold(0, u64::saturating_add);
    if needed > MAX_POINTS {
        return Err(ImportError::SvgTooLarge { what: "points on its curves", found: needed, limit: MAX_POINTS });
    }
    let height = f64::from(tree.size().height());
    let mut shapes: Vec<Shape> = paths.into_iter().map(|path| Shape::new(path, height)).collect();
    drop_background(&mut shapes);
    let line = |outline: Outline, stroke: Option<f64>| {
        let first =
            outline.points.first().copied().filter(|first| outline.closed && outline.points.last() != Some(first));
        let points = outline.points.into_iter().chain(first).map(|p| origin + p.coords * metres).collect();
        SvgLine { points, width_m: stroke.map(|width| width * metres).filter(|&width| width > 0.0) }
    };
    let lines = shapes.into_iter().flat_map(|shape| {
        let stroke = shape.stroke;
        shape.outlines.into_iter().map(move |outline| line(outline, stroke))
    });
    Ok(lines.collect())
}

fn no_road(lines: usize, paths: usize, strokes: usize) -> ImportError {
    let found = format!("{} in {}, {strokes} of them stroked", counted(lines, "line"), counted(paths, "path"));
    ImportError::NoRoad { found }
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

/// The visible paths of a group, in the order of drawing.
fn add_paths<'a>(group: &'a Group, paths: &mut Vec<&'a usvg::Path>) {
    for node in group.children() {
        match node {
            Node::Group(group) => add_paths(group, paths),
            Node::Path(path) if path.is_visible() => paths.push(path),
            Node::Path(_) | Node::Image(_) | Node::Text(_) => {}
        }
    }
}

/// Removes a filled rectangle round everything else: the background of the page.
fn drop_background(shapes: &mut Vec<Shape>) {
    let boxes: Vec<[Point; 2]> = shapes.iter().map(Shape::bounds).collect();
    let is_background = |index: usize| {
        let shape = &shapes[index];
        let [low, high] = boxes[index];
        let rectangular = match shape.outlines.as_slice() {
            [outline] => (4..=5).contains(&outline.points.len()),
            _ => false,
        };
        rectangular
            && shape.stroke.is_none()
            && boxes.iter().all(|[l, h]| low.x <= l.x && low.y <= l.y && h.x <= high.x && h.y <= high.y)
    };
    if shapes.len() > 1
        && let Some(index) = (0..shapes.len()).find(|&index| is_background(index))
    {
        shapes.remove(index);
    }
}

impl Shape {
    /// The path on a page of this height.
    fn new(path: &usvg::Path, height: f64) -> Self {
        let transform = path.abs_transform();
        let area =
            f64::from(transform.sx) * f64::from(transform.sy) - f64::from(transform.kx) * f64::from(transform.ky);
        let stroke = path.stroke().map(|stroke| f64::from(stroke.width().get()) * area.abs().sqrt());
        Self { outlines: outlines(path.data(), transform, height), stroke }
    }

    fn bounds(&self) -> [Point; 2] {
        let mut bounds = [Point::new(f64::INFINITY, f64::INFINITY), Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY)];
        for point in self.outlines.iter().flat_map(|outline| &outline.points) {
            bounds = [bounds[0].inf(point), bounds[1].sup(point)];
        }
        bounds
    }
}

/// Length of the chords that a path's curves are divided into.
fn chord_length(path: &usvg::tiny_skia_path::Path) -> f64 {
    let bounds = path.bounds();
    let extent = f64::from(bounds.width().max(bounds.height()));
    (extent / CHORDS_PER_EXTENT).max(f64::MIN_POSITIVE)
}

// Before the transform, to avoid its rounding to single precision.
fn place(p: usvg::tiny_skia_path::Point) -> Point {
    Point::new(f64::from(p.x), f64::from(p.y))
}

/// The control points of a segment that begins at `here`; `None` if it draws nothing.
fn controls(here: Point, segment: PathSegment) -> Option<Vec<Point>> {
    match segment {
        PathSegment::LineTo(to) => Some(vec![here, place(to)]),
        PathSegment::QuadTo(a, to) => Some(vec![here, place(a), place(to)]),
        PathSegment::CubicTo(a, b, to) => Some(vec![here, place(a), place(b), place(to)]),
        PathSegment::MoveTo(_) | PathSegment::Close => None,
    }
}

/// Number of chords for a segment.
fn parts(controls: &[Point], chord: f64) -> usize {
    if controls.len() == 2 {
        return 1;
    }
    let length: f64 = controls.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    (length / chord).ceil().clamp(1.0, 4.0 * CHORDS_PER_EXTENT) as usize
}

/// Number of points of [`outlines`].
fn point_count(path: &usvg::tiny_skia_path::Path) -> u64 {
    let chord = chord_length(path);
    let (mut here, mut count) = (Point::origin(), 0);
    for segment in path.segments() {
        if let PathSegment::MoveTo(to) = segment {
            here = place(to);
            count += 1;
        } else if let Some(controls) = controls(here, segment) {
            count += parts(&controls, chord) as u64;
            here = controls.last().copied().unwrap_or(here);
        }
    }
    count
}

/// The lines of a path with curves cut into chords.
fn outlines(path: &usvg::tiny_skia_path::Path, transform: Transform, height: f64) -> Vec<Outline> {
    let chord = chord_length(path);
    let mut outlines: Vec<Outline> = Vec::new();
    let mut here = Point::origin();
    for segment in path.segments() {
        if let PathSegment::MoveTo(to) = segment {
            here = place(to);
            outlines.push(Outline { points: vec![here], closed: false });
            continue;
        }
        let Some(outline) = outlines.last_mut() else { continue };
        let Some(controls) = controls(here, segment) else {
            outline.closed = true;
            continue;
        };
        let parts = parts(&controls, chord);
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
    specified: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let closed = specified.or_else(|| outline.closed.then_some(true));
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
    // A map draws a circuit as thick as it is seen well, which states no width.
    if matches!(scale, Scale::TrackLength(_)) && options.width_m.is_none() && width * metres > WIDE_M {
        return Err(ImportError::NoWidth {
            place: format!("a stroke {width:.1} units thick, {:.0} m at this length", width * metres),
            problem: "that is no width of a road",
            fix: "specify track_width_m too, the full width of the road in metres",
        });
    }
    // Evenly spaced, so that the spline through them follows straights and arcs alike.
    let step = (width / STATIONS_PER_WIDTH).max(length / MAX_STATIONS);
    let count = (length / step).ceil().max(8.0) as usize;
    let gaps = if line.closed { count } else { count - 1 };
    let arc_lengths = line.arc_lengths();
    let half = options.width_m.unwrap_or(width * metres) / 2.0;
    let stations = (0..count)
        .map(|i| {
            let point = line.point_at(&arc_lengths, length * i as f64 / gaps as f64);
            Station { position: origin + point.coords * metres, right_m: half, left_m: half, line: None, level: None }
        })
        .collect();
    CentreLine::new(stations).imported(closed, options)
}

fn between(
    first: &Outline,
    second: &Outline,
    (scale, origin): (Scale, Point),
    specified: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let closed = specified.or_else(|| (first.closed && second.closed).then_some(true));
    let pair = |place: &dyn Fn(&Point) -> Point| EdgePair {
        first: first.points.iter().map(place).collect(),
        second: second.points.iter().map(place).collect(),
        sides: Sides::Unknown,
        in_travel_order: false,
        levels: None,
    };
    let drawn = pair(&|p| *p).imported(closed, &ImportOptions::default())?.edges;
    let metres = metres_per_pixel(scale, &drawn);
    pair(&|p| origin + p.coords * metres).imported(closed, options)
}
