//! Edges → track.

use super::bisector::EdgePair;
use super::chord_spacing::ChordLap;
use super::start_line;
use super::surface::surface_of;
use super::{CrossSection, Direction, Track, TrackError, TrackOptions};
use crate::edges::Edges;
use crate::frame::Spot;
use crate::geometry::{Point, local_origin};
use crate::road_length::{allowed_spacing_m, check_length};

/// Largest and smallest spacing as fractions of the road's mean width. Lap times at all spacings in
/// between agree within 0.05 %.
const LARGEST_SPACING_PER_WIDTH: f64 = 0.25;
const SMALLEST_SPACING_PER_WIDTH: f64 = 0.008;
/// Default spacing as a fraction of the road's mean width and of the vehicle's length; the smaller
/// applies. On a road much wider than the vehicle, lines bend as sharply as the vehicle can. Larger
/// spacings are searched faster and lose detail of bends.
const SPACING_PER_WIDTH: f64 = 1.0 / 6.0;
const SPACING_PER_LENGTH: f64 = 0.5;
/// Step of the tracing and of the smoothing, as a fraction of the spacing, 0 to 1. A smaller one
/// places the sections more evenly, at a cost in proportion.
const FINE_STEP_FRACTION: f64 = 0.25;
/// Smoothing lengths of the chords' progress, as fractions of the mean width; the first one that
/// leaves every chord on the road is used.
const SMOOTHING_FRACTIONS: [f64; 5] = [0.5, 0.25, 0.12, 0.05, 0.0];
/// The ends of a chord lie on the edges, so they are moved inwards by this fraction before the
/// chord is tested against the edges.
const END_CLEARANCE: f64 = 1e-4;

/// Divides the road between its edges into cross-sections; see [`cut_for`].
///
/// # Errors
/// Those of [`cut_for`].
pub fn cut(edges: &Edges, options: &TrackOptions) -> Result<Track, TrackError> {
    cut_for(edges, options, f64::INFINITY)
}

/// Divides the road between its edges into cross-sections, for a vehicle of `length_m`, which
/// affects the default spacing.
///
/// A closed road is travelled in the specified direction. An open road starts at its end nearer to
/// the specified start, else at the start of its source, else at its western end.
///
/// # Errors
/// [`TrackError::OutOfRange`], [`TrackError::SpacingTooFine`] and [`TrackError::StartNotFinite`] for
/// an invalid option,
/// [`TrackError::TooLong`] for a road longer than
/// [`LONGEST_WIDTHS`](crate::road_length::LONGEST_WIDTHS),
/// [`TrackError::StartOffTrack`] for a start that lies farther from the road than the road is wide,
/// [`TrackError::LostCentreLine`] if the edges touch.
pub fn cut_for(edges: &Edges, options: &TrackOptions, length_m: f64) -> Result<Track, TrackError> {
    options.validate()?;
    if edges.left.points.len() < 2 || edges.right.points.len() < 2 {
        return Err(TrackError::EmptyEdge);
    }
    let start = match (options.start, edges.frame) {
        (Some(Spot::Metres([x, y])), _) => Some(Point::new(x, y)),
        (Some(Spot::Degrees(_)), _) => return Err(TrackError::NoGlobe),
        (Some(Spot::Pixels([column, row])), Some(frame)) => Some(frame.to_world(column, row)),
        (Some(Spot::Pixels(_)), None) => return Err(TrackError::NoPicture),
        (None, _) => None,
    };
    let edges = directed(edges, options.direction, start);
    let width = edges.mean_width();
    if !(width.is_finite() && width > 0.0) {
        return Err(TrackError::EmptyEdge);
    }
    let road_length_m = edges.centre_length();
    check_length(road_length_m, width)?;
    let spacing = spacing_m(options, width, road_length_m, length_m)?;
    // About a local origin; see `solve::LocalRoad`.
    let origin = local_origin(&[&edges.left, &edges.right]);
    let pair = EdgePair::new(&edges.moved_by(-origin), width);
    let sections =
        sections(&pair, spacing, width, start.map(|start| start - origin)).map_err(|error| error.moved_by(origin))?;
    let track = Track {
        closed: pair.is_closed(),
        direction: if edges.runs_counterclockwise() { Direction::Counterclockwise } else { Direction::Clockwise },
        spacing_m: spacing,
        edge_uncertainty_m: edges.uncertainty_m,
        sections: sections.iter().map(|section| section.moved_by(origin)).collect(),
        left_edge: edges.left,
        right_edge: edges.right,
        crossings: edges.crossings,
        surface: None,
    };
    let track = match &edges.surface {
        Some(surface) => Track { surface: Some(surface_of(&track, surface)), ..track },
        None => track,
    };
    track.validate()?;
    Ok(track)
}

/// The cross-sections between the edges, about `spacing` metres apart, of a road `width` metres wide.
fn sections(pair: &EdgePair, spacing: f64, width: f64, start: Option<Point>) -> Result<Vec<CrossSection>, TrackError> {
    let step = FINE_STEP_FRACTION * spacing;
    let discs = pair.trace(step)?;
    let lap = ChordLap::new(pair, &discs, step);
    let mut sections = Vec::new();
    for fraction in SMOOTHING_FRACTIONS {
        let smoothed = lap.smoothed(pair, fraction * width);
        let start = start_line::distance(&smoothed, pair, start, width)?;
        let stations = smoothed.stations(pair, spacing, start);
        let cuts = smoothed.resampled(pair, &stations);
        sections = (0..stations.len())
            .map(|i| {
                let (right, left) = cuts.ends(pair, i);
                CrossSection { right, left }
            })
            .collect();
        if sections.iter().all(|section| stays_on_road(section, pair)) {
            break;
        }
    }
    // Without smoothing, only a chord that fans over a jump can leave the road, and it can be
    // omitted.
    sections.retain(|section| stays_on_road(section, pair));
    Ok(sections)
}

/// The distance between sections on straights, m, that the options or a vehicle of `length_m` ask for. A track has a
/// larger one where the road would have too many sections: see [`road_length`](crate::road_length).
#[must_use]
pub fn wanted_spacing_m(options: &TrackOptions, length_m: f64) -> f64 {
    options.spacing_m.unwrap_or(SPACING_PER_LENGTH * length_m)
}

/// The distance between sections on straights, m.
fn spacing_m(options: &TrackOptions, width_m: f64, road_length_m: f64, length_m: f64) -> Result<f64, TrackError> {
    let floor_m = SMALLEST_SPACING_PER_WIDTH * width_m;
    if let Some(spacing_m) = options.spacing_m.filter(|&spacing_m| spacing_m < floor_m) {
        return Err(TrackError::SpacingTooFine { spacing_m, floor_m, width_m });
    }
    let largest_m = width_m * options.spacing_m.map_or(SPACING_PER_WIDTH, |_| LARGEST_SPACING_PER_WIDTH);
    let wanted_m = wanted_spacing_m(options, length_m).min(largest_m);
    Ok(allowed_spacing_m(wanted_m, SPACING_PER_WIDTH * width_m, road_length_m))
}

fn stays_on_road(section: &CrossSection, edges: &EdgePair) -> bool {
    section.width() > 0.0 && edges.is_clear(section.point(END_CLEARANCE), section.point(1.0 - END_CLEARANCE))
}

/// The edges in the direction of travel.
fn directed(edges: &Edges, direction: Option<Direction>, start: Option<Point>) -> Edges {
    let reverse = if edges.is_closed() {
        let wanted = direction.or((!edges.directed).then_some(Direction::Clockwise));
        wanted.is_some_and(|wanted| edges.runs_counterclockwise() != (wanted == Direction::Counterclockwise))
    } else {
        let end = |i: fn(&[Point]) -> Option<&Point>| {
            let [a, b] = [&edges.left, &edges.right].map(|edge| i(&edge.points).copied().unwrap_or_default());
            nalgebra::center(&a, &b)
        };
        let (first, last) = (end(<[Point]>::first), end(<[Point]>::last));
        match start {
            Some(start) => (last - start).norm() < (first - start).norm(),
            None => !edges.directed && (last.x, last.y) < (first.x, first.y),
        }
    };
    if reverse { edges.clone().reversed() } else { edges.clone() }
}

#[cfg(test)]
mod tests;
