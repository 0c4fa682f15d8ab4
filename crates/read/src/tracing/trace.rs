//! From the contours of a road mask to its two edges.

use image::GrayImage;

use super::network::{self, Course, LeftOut, NoCourse};
use super::smoothing::smoothed;
use super::sub_pixel;
use crate::picture::contours::{Crossing, for_each_contour};
use crate::picture::islands;
use crate::picture::{RoadMask, RoadStyle};
use raceline_road::edges::{self, EdgeError, Edges, RoadShape, RouteOptions, metres_per_pixel};
use raceline_road::frame::{PictureFrame, Scale, Spot};
use raceline_road::geometry::{self, Point, Polyline, Segment, Vector, left_of};
use raceline_road::road_length::check_length;

/// Maximum movement of the edges when points on straight stretches are removed, pixels. About the
/// accuracy of the contour of a well-drawn picture; one point in four remains. A larger one costs
/// accuracy, a smaller one time in every later stage.
const SIMPLIFY_PX: f64 = 0.03;

/// An end within this distance of the picture's border lies on it, pixels.
const BORDER_PX: f64 = 1.5;

/// An open road whose two ends lie on the border, at a distance of less than this fraction of its
/// length, is a circuit that the border cuts off.
const CUT_OFF_FRACTION: f64 = 0.25;

/// An open road is a circuit with a gap if its ends are nearer than this fraction of its length.
const GAP_FRACTION: f64 = 0.1;

/// Ends of a road that face each other across at most this many of its mean widths are joined.
const WIDEST_GAP_WIDTHS: f64 = 1.0;

/// Distance from the middle of an end within which its own corners lie, in mean road widths, even
/// if the border cuts it obliquely.
const ASIDE_WIDTHS: f64 = 1.5;

/// Cosine of the largest angle between directions that face each other.
const FACING: f64 = 0.8;

/// Contours that enclose a smaller area are specks, pixels².
const SPECK_AREA_PX: f64 = 1.0;

/// Error of a crossing in a picture with only a few grey levels, such as one drawn at up to four
/// times its size and scaled down, pixels.
const LEVELS_PX: f64 = 0.12;

/// Error of a crossing between two pixels that are either road or ground, pixels.
const STAIRCASE_PX: f64 = 0.5;

/// The edges and what was ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct Traced {
    /// The road's edges, metres.
    pub edges: Edges,
    /// Other contents of the mask.
    pub dropped: Dropped,
    /// Roads that branch off the route or are not part of it: pit lanes, dead ends.
    pub side_roads: Vec<SideRoad>,
    /// Whether another route covers nearly as much of the road, so that the selection is uncertain.
    pub has_rival: bool,
    /// A gap in the road that was closed, such as a start line drawn across it.
    pub closed_gap: Option<SideRoad>,
}

/// Contours of a mask that are not edges of the road.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dropped {
    /// Shapes beside the road.
    pub islands: usize,
    /// Small holes in the road, which were filled.
    pub holes: usize,
    /// Area of the largest of them, pixels².
    pub largest_px2: f64,
}

/// A stretch of road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideRoad {
    /// Middle, metres.
    pub at: Point,
    /// Length, metres.
    pub length_m: f64,
    /// Mean width, metres; zero for a gap.
    pub width_m: f64,
    /// Whether it ends, instead of leading back to the route.
    pub is_dead_end: bool,
}

/// Traces the edges of the road in `mask`. `origin_m` is the world position of the picture's
/// bottom-left corner. Linear in the pixels.
///
/// A ring keeps its contours. For a road that forks, crosses itself or ends, the closed or open
/// route that covers the most of it is selected; it goes straight through crossings. Closed edges
/// run counter-clockwise.
///
/// # Errors
/// [`EdgeError::NoRoad`] for an empty mask; [`EdgeError::NotClosed`], [`EdgeError::NoEnds`] and
/// [`EdgeError::LeavesPicture`] for a road of another shape than specified; [`EdgeError::OffRoad`],
/// [`EdgeError::NoRouteVia`] and [`EdgeError::NeedsPixels`] for via points;
/// [`EdgeError::TooLong`], [`EdgeError::TooManyBranches`] and [`EdgeError::Tangled`].
pub fn trace(mask: &RoadMask, scale: Scale, origin_m: Point, options: &RouteOptions) -> Result<Traced, EdgeError> {
    // The coverage of an outline is blurred: its levels are smooth, but the value of a pixel is not
    // the area of its part.
    let by_area = mask.anti_aliased && mask.style != RoadStyle::Outline;
    let locate = if by_area { sub_pixel::partial_area } else { sub_pixel::linear };
    let (road, dropped) = choose(contours(&mask.coverage, locate))?;
    let (length_px, mean_width_px) = extent_px(&road);
    check_length(length_px, mean_width_px)?;
    let road = tidied(road, mask);
    let (width_px, height_px) = mask.coverage.dimensions();
    let via = via_points(&options.via, scale, origin_m, height_px)?;
    let mut course = network::course(&road, options.shape.specified(), &via)
        .map_err(|none| refusal(none, &road[0], &via, height_px))?;
    let mut closed_gap = None;
    if options.shape == RoadShape::Auto {
        closed_gap = Ends::of(&course, (width_px, height_px)).resolve(&mut course)?;
    }
    let in_pixels = Edges { crossings: course.crossings, ..Edges::between(course.left, course.right) };
    let metres_per_pixel = metres_per_pixel(scale, &in_pixels);
    let frame = PictureFrame { metres_per_pixel, origin_m, width_px, height_px };
    let point = |p: Point| frame.to_world(p.x, f64::from(height_px) - p.y);
    let line = |line: Polyline| Polyline { points: line.points.into_iter().map(point).collect(), closed: line.closed };
    let edges = Edges {
        left: line(in_pixels.left),
        right: line(in_pixels.right),
        crossings: in_pixels.crossings.into_iter().map(|piece| piece.map(point)).collect(),
        directed: false,
        uncertainty_m: uncertainty_px(mask) * metres_per_pixel,
        frame: Some(frame),
        surface: None,
    };
    let reverse = edges.is_closed() && !edges.runs_counterclockwise();
    let edges = if reverse { edges.reversed() } else { edges };
    let side_road = |&LeftOut { middle, length, width, is_dead_end }: &LeftOut| SideRoad {
        at: point(middle),
        length_m: length * metres_per_pixel,
        width_m: width * metres_per_pixel,
        is_dead_end,
    };
    let side_roads = course.left_out.iter().map(side_road).collect();
    let closed_gap =
        closed_gap.map(|(middle, length)| side_road(&LeftOut { middle, length, width: 0.0, is_dead_end: false }));
    Ok(Traced { edges, dropped, side_roads, has_rival: course.has_rival, closed_gap })
}

/// Largest expected distance of a mask's edges from the road's, pixels. Measured on drawn circuits,
/// 95 % of the edges' points lie within 0.21 px of the truth in anti-aliased pictures, 0.24 px for
/// outlines, and 0.46 px in grids without grey levels. About half of that is used; for an outline,
/// whose largest errors are at the tightest bends of the edges, nearly all of it.
fn uncertainty_px(mask: &RoadMask) -> f64 {
    match (mask.style, mask.anti_aliased) {
        (RoadStyle::Outline | RoadStyle::Aerial, _) => 0.2,
        (_, true) => 0.1,
        (_, false) => 0.25,
    }
}

/// The contours smoothed within the uncertainty of the picture, moved inwards by the road's
/// swelling, and simplified; unchanged if that would make them cross.
fn tidied(contours: Vec<Polyline>, mask: &RoadMask) -> Vec<Polyline> {
    let tidy = |line: &Polyline| {
        let points = match (mask.anti_aliased, mask.swelling_px > 0.0) {
            (false, _) => smoothed(&line.points, STAIRCASE_PX),
            (true, true) => shifted_left(&smoothed(&line.points, LEVELS_PX), mask.swelling_px),
            (true, false) => line.points.clone(),
        };
        Polyline::closed(points).simplified(SIMPLIFY_PX)
    };
    let tidy: Vec<Polyline> = contours.iter().map(tidy).collect();
    if edges::any_crossing(&tidy.iter().collect::<Vec<_>>()) { contours } else { tidy }
}

/// The points of a closed contour, each moved to the left of its direction: into the road, by less
/// than a pixel.
fn shifted_left(points: &[Point], by: f64) -> Vec<Point> {
    let n = points.len();
    let shift =
        |i: usize| left_of(points[(i + 1) % n] - points[(i + n - 1) % n]).try_normalize(1e-9).unwrap_or_default();
    (0..n).map(|i| points[i] + shift(i) * by).collect()
}

type Locate = fn(&GrayImage, Crossing) -> (f64, f64);

/// All contours except the specks, in pixels with y upwards; the specks are counted by the sign of
/// their area.
struct Contours {
    kept: Vec<(f64, Polyline)>,
    specks: Dropped,
}

fn contours(coverage: &GrayImage, locate: Locate) -> Contours {
    let height = f64::from(coverage.height());
    let mut found = Contours { kept: Vec::new(), specks: Dropped::default() };
    for_each_contour(coverage, |crossings| {
        let point = |&crossing| {
            let (column, row) = locate(coverage, crossing);
            Point::new(column, height - row)
        };
        let contour = Polyline::closed(crossings.iter().map(point).collect());
        let area = contour.signed_area();
        if area.abs() >= SPECK_AREA_PX {
            found.kept.push((area, contour));
        } else {
            found.specks.count(area);
        }
    });
    found
}

impl Dropped {
    fn count(&mut self, signed_area: f64) {
        if signed_area > 0.0 {
            self.islands += 1;
        } else {
            self.holes += 1;
        }
        self.largest_px2 = self.largest_px2.max(signed_area.abs());
    }
}

/// The largest contour and the holes in it that a road can enclose, with the road on their left.
fn choose(contours: Contours) -> Result<(Vec<Polyline>, Dropped), EdgeError> {
    let Contours { mut kept, specks: mut dropped } = contours;
    kept.sort_by(|(a, _), (b, _)| b.abs().total_cmp(&a.abs()));
    let outer = kept.iter().position(|&(area, _)| area > 0.0).map(|index| kept.remove(index).1);
    let outer = outer.ok_or(EdgeError::NoRoad)?;
    let (holes, others): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|(area, hole)| *area < 0.0 && outer.contains(hole.points[0]));
    let area = |holes: &[(f64, Polyline)]| outer.signed_area() + holes.iter().map(|(area, _)| area).sum::<f64>();
    let boundary = outer.length() + holes.iter().map(|(_, hole)| hole.length()).sum::<f64>();
    let width = 2.0 * area(&holes) / boundary.max(1e-9);
    let largest = holes.iter().map(|(area, _)| -area).fold(0.0, f64::max);
    let min = islands::min_area(width, largest, islands::slenderness(outer.length(), outer.signed_area()));
    let mut road = vec![outer];
    for (area, contour) in holes.into_iter().chain(others) {
        if area <= -min && road[0].contains(contour.points[0]) {
            road.push(contour);
        } else {
            dropped.count(area);
        }
    }
    Ok((road, dropped))
}

/// Length and mean width of the road between its contours, pixels.
fn extent_px(contours: &[Polyline]) -> (f64, f64) {
    let length_px = contours.iter().map(Polyline::length).sum::<f64>() / 2.0;
    (length_px, contours.iter().map(Polyline::signed_area).sum::<f64>() / length_px.max(1e-9))
}

/// The via points, in pixels with y upwards.
fn via_points(via: &[Spot], scale: Scale, origin_m: Point, height_px: u32) -> Result<Vec<Point>, EdgeError> {
    let to_pixels = |spot: &Spot| match (*spot, scale) {
        (Spot::Pixels([column, row]), _) => Ok(Point::new(column, f64::from(height_px) - row)),
        (Spot::Metres([x, y]), Scale::MetresPerPixel(metres)) => {
            Ok(Point::from((Point::new(x, y) - origin_m) / metres))
        }
        (Spot::Metres([x, y]), _) => Err(EdgeError::NeedsPixels { x, y }),
        (Spot::Degrees([longitude, latitude]), _) => Err(EdgeError::NoGlobe { longitude, latitude }),
    };
    via.iter().map(to_pixels).collect()
}

/// The error for a missing route.
fn refusal(none: NoCourse, outer: &Polyline, via: &[Point], height_px: u32) -> EdgeError {
    let height = f64::from(height_px);
    let place = |index: usize| via.get(index).map_or((0.0, 0.0), |p| (p.x, height - p.y));
    let (mut low, mut high) = (outer.points[0], outer.points[0]);
    for p in &outer.points {
        low = low.inf(p);
        high = high.sup(p);
    }
    let (left, top, right, bottom) = (low.x, height - high.y, high.x, height - low.y);
    match none {
        NoCourse::Tangled => EdgeError::Tangled { left, top, right, bottom },
        NoCourse::NotClosed => EdgeError::NotClosed { left, top, right, bottom },
        NoCourse::NotOpen => EdgeError::NoEnds { left, top, right, bottom },
        NoCourse::TooManyBranches => EdgeError::TooManyBranches { left, top, right, bottom },
        NoCourse::OffRoad(index, distance_px) => {
            let (column, row) = place(index);
            EdgeError::OffRoad { column, row, distance_px }
        }
        NoCourse::NoRouteVia => EdgeError::NoRouteVia,
    }
}

/// The start and the end of an open road.
struct Ends {
    /// The middle of each end, pixels with y upwards.
    places: [Point; 2],
    /// Whether each lies on the picture's border.
    at_border: [bool; 2],
    height_px: u32,
}

impl Ends {
    fn of(course: &Course, (width_px, height_px): (u32, u32)) -> Self {
        let middle = |pick: fn(&[Point]) -> Option<&Point>| {
            let [left, right] =
                [&course.left, &course.right].map(|line| pick(&line.points).copied().unwrap_or_default());
            nalgebra::center(&left, &right)
        };
        let places = [middle(<[Point]>::first), middle(<[Point]>::last)];
        let inset = |p: &Point| p.x.min(p.y).min(f64::from(width_px) - p.x).min(f64::from(height_px) - p.y);
        Self { at_border: places.each_ref().map(|p| inset(p) <= BORDER_PX), places, height_px }
    }

    /// Closes a road whose ends face each other across a narrow gap, and returns the gap. Fails if
    /// the ends are so near to each other that the road is more likely an incomplete circuit than
    /// an open road.
    fn resolve(&self, course: &mut Course) -> Result<Option<(Point, f64)>, EdgeError> {
        if course.left.closed {
            return Ok(None);
        }
        let [first, second] = self.places;
        let across = second - first;
        let apart = across.norm();
        let length = f64::midpoint(course.left.length(), course.right.length());
        let width = Edges::between(course.left.clone(), course.right.clone()).mean_width();
        let facing = {
            let [start, end] = [direction(course, true), direction(course, false)];
            let gap = -across / apart.max(1e-9);
            start.dot(&end) > FACING && gap.dot(&end) > FACING
        };
        if facing && apart <= WIDEST_GAP_WIDTHS * width {
            course.left.closed = true;
            course.right.closed = true;
            return Ok(Some((nalgebra::center(&first, &second), apart)));
        }
        // A gap beyond another stretch of the road is not missing: the ends of a spiral or a maze.
        let inset = across * (ASIDE_WIDTHS * width / apart.max(1e-9));
        if apart > 2.0 * inset.norm() && walled_off(course, first + inset, second - inset) {
            return Ok(None);
        }
        let cut_off = self.at_border == [true; 2];
        if apart > length * if cut_off { CUT_OFF_FRACTION } else { GAP_FRACTION } {
            return Ok(None);
        }
        let [column, row] = [first.x, f64::from(self.height_px) - first.y];
        let [back_column, back_row] = [second.x, f64::from(self.height_px) - second.y];
        Err(if cut_off {
            EdgeError::LeavesPicture { column, row, back_column, back_row }
        } else {
            EdgeError::Gap { column, row, back_column, back_row }
        })
    }
}

/// Whether a straight piece passes through a road's edges.
fn walled_off(course: &Course, first: Point, second: Point) -> bool {
    let mut walls = course.left.pieces().chain(course.right.pieces());
    let across = Segment::new(first, second);
    walls.any(|wall| across.meets(wall.into(), geometry::Ends::Included))
}

/// Direction of travel at the start or the end of an open road.
fn direction(course: &Course, at_start: bool) -> Vector {
    let pick =
        |line: &Polyline| if at_start { line.points.first() } else { line.points.last() }.copied().unwrap_or_default();
    let across = pick(&course.left) - pick(&course.right);
    Vector::new(across.y, -across.x).try_normalize(1e-9).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::{Point, Polyline, RoadMask, RoadStyle, tidied};

    #[test]
    fn errors_of_few_grey_levels_are_smoothed() {
        // A circle of 100 px whose points lie 0.1 px inside and outside in turn.
        let at = |i: u32| {
            let (angle, radius) = (f64::from(i) * 0.01, if i.is_multiple_of(2) { 100.1 } else { 99.9 });
            Point::new(150.0 + radius * angle.cos(), 150.0 + radius * angle.sin())
        };
        let contour = Polyline::closed((0..628).map(at).collect());
        let errors = |swelling_px: f64| {
            let mask = RoadMask {
                coverage: GrayImage::new(300, 300),
                style: RoadStyle::Dark,
                anti_aliased: true,
                swelling_px,
                dropped_shapes: 0,
                rest_px: 0.0,
                score: 1.0,
            };
            let tidy = tidied(vec![contour.clone()], &mask).remove(0);
            let error = |p: &Point| ((p - Point::new(150.0, 150.0)).norm() - (100.0 - swelling_px)).abs();
            tidy.points.iter().map(error).fold(0.0, f64::max)
        };
        assert!(errors(0.06) < 0.02, "{}", errors(0.06));
        assert!(errors(0.0) > 0.05, "{}", errors(0.0));
    }
}
