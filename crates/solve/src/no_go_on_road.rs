//! The regions that lines keep out of, on a road: their shapes, and where lines pass them.
//!
//! A strip is passed on the road's other side. A polygon is passed on the side on which a line has
//! room beside it at every place that it covers; where both sides have room, laps decide as about
//! an obstacle.

use super::barrier::{Barrier, Outline, PassingSide};
use super::constraint_error::ConstraintError;
use super::corridor::Corridor;
use super::local_road::LocalRoad;
use super::no_go::{NoGo, PolygonNoGo, StretchNoGo};
use super::no_go_area::NoGoArea;
use super::{EdgeDistance, SolveError};
use raceline_road::geometry::{Point, Vector};
use raceline_road::track::{CrossSection, EdgePiece, Track};

/// The regions of the options on a road.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_road::{geometry::Point, track::RoadSide};
/// use raceline_solve::{LocalRoad, NoGo, StretchNoGo, no_go_on_road};
///
/// // A ring driven counter-clockwise: the left edge is the inner one, with a radius of 55 m.
/// let kerb = StretchNoGo { from_m: 50.0, to_m: 150.0, side: RoadSide::Left, width_m: 2.0 };
/// let road = LocalRoad::new(&track);
/// let found = no_go_on_road(&road.track, &road, &[NoGo::Stretch(kerb)], 1.0)?;
/// let edges = road.edges.with_no_go(found.areas);
/// let (left_m, _) = edges.to_edges(Point::new(0.0, 60.0));
/// assert!((left_m - 3.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NoGoOnRoad {
    /// Regions for which the side of the line is known.
    pub areas: Vec<NoGoArea>,
    /// Indices in the options of those that lines can pass on both sides.
    pub undecided: Vec<usize>,
}

/// Pieces of an edge in one barrier: a query skips barriers that are far away as a whole.
const PIECES_OF_BARRIER: usize = 16;
/// Places between two sections at which a polygon is looked for.
const LOOKS: usize = 4;
/// Smallest step along a section in the search for a polygon, as a fraction of the margin.
const MIN_STEP_FRACTION: f64 = 1e-3;
/// Tolerance of the margin beside a polygon, as a fraction of it.
const BESIDE_TOLERANCE: f64 = 1e-3;

/// The regions `no_go` on `road`, for lines with this margin, m. Strips are measured from the edges
/// of `source`: the road before the clearances of its edges, about the same origin.
///
/// # Errors
/// [`SolveError::Constraint`] for a region out of its range, one that closes the road, and one
/// that lies on two parts of it; [`SolveError::Grip`] for a stretch beyond the road's end.
pub fn no_go_on_road(
    source: &Track,
    road: &LocalRoad,
    no_go: &[NoGo],
    margin_m: f64,
) -> Result<NoGoOnRoad, SolveError> {
    let mut found = NoGoOnRoad { areas: Vec::new(), undecided: Vec::new() };
    let has_polygon = no_go.iter().any(|one| matches!(one, NoGo::Polygon(_)));
    let free = if has_polygon { Some(Corridor::new(&road.track, &road.edges, margin_m)?) } else { None };
    for (index, one) in no_go.iter().enumerate() {
        let number = index + 1;
        let wrong = |(value, range)| ConstraintError::OutOfRange { number, value, range };
        one.validate().map_err(wrong)?;
        let barriers = match (one, &free) {
            (NoGo::Stretch(stretch), _) => strips(source, number, stretch)?,
            (NoGo::Polygon(polygon), Some(free)) => {
                let outline = polygon.outline(number, road.origin)?;
                match passed_on(&outline, number, polygon, free, margin_m)? {
                    Side::Beside => Vec::new(),
                    Side::Of(side) => vec![Barrier::new(outline, side)],
                    Side::Either => {
                        found.undecided.push(index);
                        continue;
                    }
                }
            }
            (NoGo::Polygon(_), None) => Vec::new(),
        };
        found.areas.push(NoGoArea { number, barriers });
    }
    Ok(found)
}

/// The barriers of a strip.
fn strips(track: &Track, number: usize, stretch: &StretchNoGo) -> Result<Vec<Barrier>, SolveError> {
    let &StretchNoGo { from_m, to_m, side, width_m } = stretch;
    let mut barriers = Vec::new();
    for EdgePiece { line, is_left, .. } in track.edge_pieces("no_go", number, [from_m, to_m], side)? {
        let (of, passed_on) =
            if is_left { (PassingSide::Left, PassingSide::Right) } else { (PassingSide::Right, PassingSide::Left) };
        let mut points = line.points;
        if line.closed {
            points.extend(points.first().copied());
        }
        let pieces = points.len().saturating_sub(1);
        for from in (0..pieces).step_by(PIECES_OF_BARRIER) {
            let to = (from + PIECES_OF_BARRIER).min(pieces);
            let ends = [from == 0 && !line.closed, to == pieces && !line.closed];
            let edge = points[from..=to].to_vec();
            barriers.push(Barrier::new(Outline::Strip { edge, of, width_m, ends }, passed_on));
        }
    }
    Ok(barriers)
}

/// Where a line passes a polygon.
enum Side {
    /// No line comes near it.
    Beside,
    Of(PassingSide),
    Either,
}

/// A place along the road at which a polygon keeps lines from a part of the bounds.
struct Covered {
    /// Distance along the middle of the bounds, m.
    along_m: f64,
    place: Point,
    /// Whether the left end and the right end of the bounds keep the margin.
    is_free: [bool; 2],
}

fn passed_on(
    outline: &Outline,
    number: usize,
    polygon: &PolygonNoGo,
    free: &Corridor,
    margin_m: f64,
) -> Result<Side, ConstraintError> {
    let (covered, length_m) = covered(outline, free, margin_m);
    let Some(first) = covered.first() else { return Ok(Side::Beside) };
    if let Some(side) = polygon.side {
        return Ok(Side::Of(side));
    }
    let has_room = |end: usize| covered.iter().all(|place| place.is_free[end]);
    let apart = covered.windows(2).map(|pair| pair[1].along_m - pair[0].along_m);
    let over_start = (free.closed, covered.last());
    let closing = match over_start {
        (true, Some(last)) => first.along_m + length_m - last.along_m,
        _ => 0.0,
    };
    // The ends of a polygon on one part of the road are no farther apart along it than it is large.
    let parts = apart.chain([closing]).filter(|&gap_m| gap_m > 2.0 * outline.reach_m() + 2.0 * margin_m).count();
    let is_on_two = parts > usize::from(free.closed);
    let is_closed = |place: &&Covered| place.is_free == [false; 2];
    match (has_room(0), has_room(1)) {
        (true, false) => Ok(Side::Of(PassingSide::Left)),
        (false, true) => Ok(Side::Of(PassingSide::Right)),
        (true, true) if !is_on_two => Ok(Side::Either),
        (false, false) if !is_on_two || covered.iter().any(|place| is_closed(&place)) => {
            let place = covered.iter().find(is_closed).unwrap_or(first).place;
            Err(ConstraintError::NoGoCloses { number, x_m: place.x, y_m: place.y, needed_m: 2.0 * margin_m })
        }
        _ => Err(ConstraintError::TwoParts { number, x_m: first.place.x, y_m: first.place.y }),
    }
}

/// The places at which lines come near the polygon, and the length of the middle of the bounds, m.
fn covered(outline: &Outline, free: &Corridor, margin_m: f64) -> (Vec<Covered>, f64) {
    let n = free.len();
    let gaps = if free.closed { n } else { n.saturating_sub(1) };
    let (centre, reach_m) = (outline.centre(), outline.reach_m());
    let ends = |i: usize| {
        let section: &CrossSection = &free.sections[i];
        [section.point(free.high[i]), section.point(free.low[i])]
    };
    let mut covered = Vec::new();
    let mut along_m = 0.0;
    for i in 0..gaps {
        let (here, next) = (ends(i), ends((i + 1) % n));
        let middle = |ends: [Point; 2]| nalgebra::center(&ends[0], &ends[1]);
        let length_m = (middle(next) - middle(here)).norm();
        for look in 0..LOOKS {
            let fraction = look as f64 / LOOKS as f64;
            let [left, right] = [0, 1].map(|end| here[end] + (next[end] - here[end]) * fraction);
            let place = middle([left, right]);
            if (place - centre).norm() > reach_m + margin_m + 0.5 * (left - right).norm() {
                continue;
            }
            if is_near(outline, [right, left], margin_m) {
                let is_free = [left, right].map(|end| outline.distance(end) >= (1.0 - BESIDE_TOLERANCE) * margin_m);
                covered.push(Covered { along_m: along_m + fraction * length_m, place, is_free });
            }
        }
        along_m += length_m;
    }
    (covered, along_m)
}

/// Whether some place between two comes nearer to the shape than the margin.
fn is_near(outline: &Outline, [from, to]: [Point; 2], margin_m: f64) -> bool {
    let length = (to - from).norm();
    let mut along = 0.0;
    loop {
        let p = if length > 0.0 { from + (to - from) * (along / length) } else { from };
        // A step by the free distance does not skip the margin.
        let free = outline.distance(p) - (1.0 - BESIDE_TOLERANCE) * margin_m;
        if free < 0.0 {
            return true;
        }
        along += free.max(MIN_STEP_FRACTION * margin_m).max(1e-6);
        if along > length {
            return false;
        }
    }
}

/// The road with a cross-section through each polygon that lies between two of them. Sections
/// through `kept` places stay.
pub(crate) fn sections_through_polygons(track: &Track, no_go: &[NoGo], origin: Vector, kept: &[Point]) -> Track {
    let mut track = track.clone();
    let mut fixed: Vec<usize> =
        kept.iter().filter_map(|&place| Some(track.with_section_through(place, &[])?.1)).collect();
    for (index, one) in no_go.iter().enumerate() {
        let NoGo::Polygon(polygon) = one else { continue };
        // A place that is not in metres is an error of the search.
        let Ok(outline) = polygon.outline(index + 1, origin) else { continue };
        let (centre, reach_m) = (outline.centre(), outline.reach_m());
        let crosses = |section: &CrossSection| {
            let near = (section.middle() - centre).norm() <= reach_m + 0.5 * section.width();
            near && is_near(&outline, [section.right, section.left], 0.0)
        };
        if track.sections.iter().any(crosses) {
            continue;
        }
        if let Some((moved, at)) = track.with_section_through(centre, &fixed) {
            track = moved;
            fixed.push(at);
        }
    }
    track
}

/// The error with the region that leaves no room, where it is that the road is too narrow beside
/// one of `areas`.
pub(crate) fn naming(
    error: SolveError,
    track: &Track,
    edges: &EdgeDistance,
    areas: &[NoGoArea],
    margin_m: f64,
) -> SolveError {
    if !matches!(error, SolveError::RoadTooNarrow { .. }) {
        return error;
    }
    let with = |count: usize| Corridor::new(track, &edges.with_no_go(areas[..count].to_vec()), margin_m).err();
    if with(0).is_some() {
        return error;
    }
    let closing = (1..=areas.len()).find_map(|count| Some((areas[count - 1].number, with(count)?)));
    match closing {
        Some((number, SolveError::RoadTooNarrow { x_m, y_m, needed_m, .. })) => {
            ConstraintError::NoGoCloses { number, x_m, y_m, needed_m }.into()
        }
        _ => error,
    }
}
