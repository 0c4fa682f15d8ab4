//! A track whose edges pass through places that a user gave, where they were read wrongly.

use std::ops::ControlFlow;

use super::cutting::cut_for;
use super::edge_correction::{EdgeCorrection, EdgeCorrectionError, EdgeSide};
use super::moved_edge::{Move, MoveProblem, MovedEdge};
use super::places::Places;
use super::{CrossSection, SectionSurface, SurfaceEnd, Track, TrackError, TrackOptions};
use crate::edges::{EdgePoint, Edges, RoadSurface};
use crate::frame::Spot;
use crate::geometry::{Ends, Point, Polyline, Segment, SegmentIndex, for_each_near_pair};

/// A place may lie at most so far from its edge, in mean widths of the road: farther away is another road.
const FARTHEST_WIDTHS: f64 = 2.0;
/// Default of a correction's length, in mean widths of the road. A longer one moves more of an edge that was read
/// well, a shorter one makes a bump of it.
const LENGTH_WIDTHS: f64 = 2.0;
/// A place may lie beyond the end of an open road by this distance, metres: places are rounded.
const BEYOND_END_M: f64 = 0.02;
/// Pieces that meet within this distance of one of their ends only touch, metres.
const TOUCH_M: f64 = 1e-3;
/// Maximum number of comparisons of pieces' boxes for each piece of the edges.
const STEPS_PER_PIECE: usize = 1000;
/// A section's end is searched along its edge within this many widths of the road.
const REACH_WIDTHS: f64 = 4.0;

/// What the road between corrected edges is for.
#[derive(Clone, Copy, Debug)]
pub struct CorrectedRoad<'a> {
    /// How it is cut. Its start and its direction remain those of the track.
    pub options: &'a TrackOptions,
    /// The vehicle's length, metres, which affects the default spacing.
    pub length_m: f64,
    /// Smallest width where an edge was moved inwards, metres.
    pub min_width_m: f64,
}

impl Track {
    /// The road with edges that pass through the places of `corrections`, cut again.
    ///
    /// Each place belongs to the piece of its edge that is nearest to it, on whichever leg where the road
    /// crosses itself; pieces across another leg are never moved, and a correction ends there. About the place
    /// the edge moves with it, by less the farther away along the edge, and not at all from the correction's
    /// length on. Between two places that are nearer to one another than the longer of their lengths, and than
    /// twice that along the road, the edge is a cubic curve. Heights go on across the road as they are. A track whose edges
    /// pass through all places already stays as it is.
    ///
    /// ```
    /// # use raceline_road::{edges::RoadShape, frame::Spot};
    /// use raceline_road::track::{CorrectedRoad, EdgeCorrection, Track, TrackOptions};
    ///
    /// let edge = |y: f64| (0..=20).map(|i| [10.0 * f64::from(i), y]).collect::<Vec<_>>();
    /// let options = TrackOptions::default();
    /// let track = Track::from_points(&edge(10.0), &edge(0.0), RoadShape::Open, &options)?;
    /// let wider = EdgeCorrection { at: Spot::Metres([100.0, 12.0]), side: None, length_m: Some(15.0) };
    /// let road = CorrectedRoad { options: &options, length_m: 4.0, min_width_m: 2.0 };
    /// let corrected = track.with_edge_corrections(&[wider], road)?;
    /// let widest = corrected.sections.iter().map(|section| section.width()).fold(0.0, f64::max);
    /// assert!((widest - 12.0).abs() < 0.01, "{widest}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EdgeCorrectionError`] with the number of the correction.
    pub fn with_edge_corrections(
        self,
        corrections: &[EdgeCorrection],
        road: CorrectedRoad<'_>,
    ) -> Result<Self, EdgeCorrectionError> {
        if corrections.is_empty() {
            return Ok(self);
        }
        let width_m = self.mean_width();
        let index = |edge: &Polyline| SegmentIndex::without(edge, width_m, &self.crossings);
        let (left_index, right_index) = (index(&self.left_edge), index(&self.right_edge));
        let distances = self.centre_line().arc_lengths();
        let road_length_m = distances.last().copied().unwrap_or_default();
        let along = [self.ends_along(&left_index, true), self.ends_along(&right_index, false)];
        let mut moves = [Vec::new(), Vec::new()];
        for (i, correction) in corrections.iter().enumerate() {
            let (side, mut one) = placed(i + 1, correction, [&left_index, &right_index], width_m)?;
            one.road_m = distances[nearest_end(&along[usize::from(side == EdgeSide::Right)], one.s)];
            if !self.closed {
                let edge = if side == EdgeSide::Left { &self.left_edge } else { &self.right_edge };
                check_end(edge, side, &one)?;
            }
            moves[usize::from(side == EdgeSide::Right)].push(one);
        }
        let [left_moves, right_moves] = moves;
        let size_m = [width_m, road_length_m];
        let left = MovedEdge::new((&self.left_edge, &left_index), true, size_m, left_moves)
            .map_err(|problem| error_of(problem, EdgeSide::Left))?;
        let right = MovedEdge::new((&self.right_edge, &right_index), false, size_m, right_moves)
            .map_err(|problem| error_of(problem, EdgeSide::Right))?;
        if left.is_as_read() && right.is_as_read() {
            return Ok(self);
        }
        let places: Vec<Point> = corrections.iter().filter_map(|correction| place_of(correction.at)).collect();
        let ((left_edge, left_touched), (right_edge, right_touched)) = (left.polyline(), right.polyline());
        let touched: Vec<bool> = left_touched.into_iter().chain(right_touched).collect();
        if let Some(at) = crossing([&left_edge, &right_edge], &touched) {
            return Err(EdgeCorrectionError::Crossed { number: nearest(&places, at), x_m: at.x, y_m: at.y });
        }
        let surface = self.surface.as_deref().map(|surface| RoadSurface {
            left: self.moved_surface(surface, &left, &along[0], true),
            right: self.moved_surface(surface, &right, &along[1], false),
        });
        let edges = Edges {
            left: left_edge,
            right: right_edge,
            crossings: self.crossings.clone(),
            directed: true,
            uncertainty_m: self.edge_uncertainty_m,
            frame: None,
            surface,
        };
        let start = self.sections.first().map(|section| section.middle());
        let options = TrackOptions {
            start: start.map(|start| Spot::Metres([start.x, start.y])),
            direction: Some(self.direction),
            ..road.options.clone()
        };
        let track = cut_for(&edges, &options, road.length_m).map_err(|error| {
            let number = error_place(&error).map_or(1, |at| nearest(&places, at));
            EdgeCorrectionError::Uncut { number, error: Box::new(error) }
        })?;
        self.check_width(&track, &places, road.min_width_m)?;
        Ok(track)
    }

    /// Checks that `corrected` is wide enough where it is narrower than this track.
    fn check_width(&self, corrected: &Self, places: &[Point], needed_m: f64) -> Result<(), EdgeCorrectionError> {
        let before = Places::new(self);
        let is_narrowed = |section: &&CrossSection| {
            section.width() < needed_m && section.width() < before.width_at(&before.of(section.middle())) - TOUCH_M
        };
        let narrowed = corrected.sections.iter().filter(is_narrowed);
        let Some(narrowest) = narrowed.min_by(|a, b| a.width().total_cmp(&b.width())) else { return Ok(()) };
        let (at, width_m) = (narrowest.middle(), narrowest.width());
        let number = nearest(places, at);
        Err(EdgeCorrectionError::Narrow { number, x_m: at.x, y_m: at.y, width_m, needed_m })
    }

    /// Arc length of each section's end on one edge, with the section's number, ascending.
    fn ends_along(&self, index: &SegmentIndex, is_left: bool) -> Vec<(f64, usize)> {
        let reach_m = REACH_WIDTHS * self.mean_width();
        let mut last: Option<f64> = None;
        let mut ends: Vec<(f64, usize)> = Vec::with_capacity(self.sections.len());
        for (i, section) in self.sections.iter().enumerate() {
            let end = if is_left { section.left } else { section.right };
            let near = last.and_then(|s| index.nearest_along(end, s, reach_m)).or_else(|| index.nearest(end));
            last = near.map(|near| near.s).or(last);
            ends.extend(near.map(|near| (near.s, i)));
        }
        ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        ends
    }

    /// The ends of the sections on one moved edge; `along` has their places on it. Heights go on across the road
    /// with its slope.
    fn moved_surface(
        &self,
        surface: &[SectionSurface],
        moved: &MovedEdge<'_>,
        along: &[(f64, usize)],
        is_left: bool,
    ) -> Vec<EdgePoint> {
        let mut places = vec![None; self.sections.len()];
        for &(s, i) in along {
            places[i] = moved.place(s);
        }
        let point = |((section, surface), place): ((&CrossSection, &SectionSurface), Option<Point>)| {
            let (end, other) = if is_left { (section.left, section.right) } else { (section.right, section.left) };
            let (here, there) = if is_left { (&surface.left, &surface.right) } else { (&surface.right, &surface.left) };
            let position = place.unwrap_or(end);
            let &SurfaceEnd { height_m, grip, kind } = here;
            let fraction = (position - end).dot(&(end - other)) / (end - other).norm_squared();
            let height_m = height_m + fraction * (height_m - there.height_m);
            EdgePoint { position, height_m, grip, kind }
        };
        self.sections.iter().zip(surface).zip(places).map(point).collect()
    }
}

/// The section whose end is nearest to arc length `s` along an edge.
fn nearest_end(along: &[(f64, usize)], s: f64) -> usize {
    let after = along.partition_point(|&(end, _)| end < s);
    let beside = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|k| along.get(k));
    beside.min_by(|a, b| (a.0 - s).abs().total_cmp(&(b.0 - s).abs())).map_or(0, |&(_, section)| section)
}

/// The place in metres.
fn place_of(spot: Spot) -> Option<Point> {
    match spot {
        Spot::Metres([x, y]) => Some(Point::new(x, y)),
        Spot::Pixels(_) | Spot::Degrees(_) => None,
    }
}

/// The edge of a correction, and where on it the place is.
fn placed(
    number: usize,
    correction: &EdgeCorrection,
    edges: [&SegmentIndex; 2],
    width_m: f64,
) -> Result<(EdgeSide, Move), EdgeCorrectionError> {
    correction.validate().map_err(|(value, range)| EdgeCorrectionError::OutOfRange { number, value, range })?;
    let to = match correction.at {
        Spot::Metres([x, y]) if !(x.is_finite() && y.is_finite()) => {
            return Err(EdgeCorrectionError::NotFinite { number, x, y });
        }
        Spot::Metres([x, y]) => Point::new(x, y),
        Spot::Pixels(_) => return Err(EdgeCorrectionError::NoPicture { number }),
        Spot::Degrees(_) => return Err(EdgeCorrectionError::NoGlobe { number }),
    };
    let sides = [EdgeSide::Left, EdgeSide::Right].into_iter().zip(edges);
    let found = sides
        .filter(|(side, _)| correction.side.is_none_or(|wanted| wanted == *side))
        .filter_map(|(side, edge)| edge.nearest(to).map(|near| (side, near)))
        // Of two at the same distance the left one.
        .reduce(|best, other| if other.1.distance < best.1.distance { other } else { best });
    let limit_m = FARTHEST_WIDTHS * width_m;
    let side = found.map_or(EdgeSide::Left, |(side, _)| side);
    let distance_m = found.map_or(f64::INFINITY, |(_, near)| near.distance);
    match found.filter(|_| distance_m <= limit_m) {
        Some((side, near)) => {
            let length_m = correction.length_m.unwrap_or(LENGTH_WIDTHS * width_m);
            Ok((side, Move { number, to, s: near.s, road_m: 0.0, length_m }))
        }
        None => Err(EdgeCorrectionError::TooFar { number, side: side.name(), distance_m, limit_m }),
    }
}

/// Refuses a place beyond the ends of an open edge.
fn check_end(edge: &Polyline, side: EdgeSide, one: &Move) -> Result<(), EdgeCorrectionError> {
    let count = edge.piece_count();
    let ends = [edge.piece(0), edge.piece(count - 1)];
    let beyond = |from: Point, to: Point, end: Point| {
        (to - from).try_normalize(1e-12).map_or(0.0, |along| along.dot(&(one.to - end)))
    };
    let distance_m = if one.s <= 0.0 {
        beyond(ends[0].1, ends[0].0, ends[0].0)
    } else if one.s >= edge.length() {
        beyond(ends[1].0, ends[1].1, ends[1].1)
    } else {
        0.0
    };
    if distance_m > BEYOND_END_M {
        return Err(EdgeCorrectionError::BeyondEnd { number: one.number, side: side.name(), distance_m });
    }
    Ok(())
}

fn error_of(problem: MoveProblem, side: EdgeSide) -> EdgeCorrectionError {
    let side = side.name();
    match problem {
        MoveProblem::Same([first, second]) => EdgeCorrectionError::SamePlace { first, second, side },
        MoveProblem::Steep(steep) => EdgeCorrectionError::TooSteep {
            number: steep.number,
            side,
            offset_m: steep.offset_m,
            length_m: steep.length_m,
            is_crossing: steep.is_crossing,
        },
    }
}

/// A place where a moved piece crosses any other piece of the edges; `touched` has the pieces of both.
fn crossing(edges: [&Polyline; 2], touched: &[bool]) -> Option<Point> {
    let pieces: Vec<Segment> = edges.iter().flat_map(|edge| edge.pieces()).map(Segment::from).collect();
    let mut found = None;
    let compared = for_each_near_pair(&edges, STEPS_PER_PIECE * (pieces.len() + 1), |first, second| {
        if !(touched[first] || touched[second]) {
            return ControlFlow::Continue(());
        }
        let (a, b) = (pieces[first], pieces[second]);
        let at = a.intersection(b, Ends::Excluded).map(|place| a.at(place.fraction));
        let ends = [a.from, a.to, b.from, b.to];
        found = at.filter(|at| ends.iter().all(|end| (at - end).norm() > TOUCH_M));
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.or_else(|| compared.err().and_then(|crowded| pieces.get(crowded.piece)).map(|piece| piece.from))
}

/// Number of the place that is nearest to `at`, from 1.
fn nearest(places: &[Point], at: Point) -> usize {
    let distance = |place: &Point| (place - at).norm();
    let numbered = places.iter().enumerate();
    numbered.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).map_or(1, |(i, _)| i + 1)
}

/// The place that an error states.
fn error_place(error: &TrackError) -> Option<Point> {
    match *error {
        TrackError::LostCentreLine { x_m, y_m }
        | TrackError::StartOffTrack { x_m, y_m, .. }
        | TrackError::EmptySection { x_m, y_m, .. }
        | TrackError::CrossedSections { x_m, y_m, .. } => Some(Point::new(x_m, y_m)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
