//! Edges → track.

use super::bisector::EdgePair;
use super::chord_spacing::ChordLap;
use super::start_line;
use super::{CrossSection, Direction, Track, TrackError, TrackOptions};
use crate::edges::Edges;
use crate::frame::Spot;
use crate::geometry::Point;

/// Maximum spacing as a fraction of the road's mean width, so that small roads are resolved as well
/// as wide ones.
const SPACING_PER_WIDTH: f64 = 0.25;
/// Step of the tracing and of the smoothing, as a fraction of the spacing.
const FINE_STEP_SHARE: f64 = 0.25;
/// Smoothing lengths of the chords' progress, as fractions of the mean width; the first one that
/// leaves every chord on the road is used.
const SMOOTHING_SHARES: [f64; 5] = [0.5, 0.25, 0.12, 0.05, 0.0];
/// The ends of a chord lie on the edges, so they are moved inwards by this fraction before the
/// chord is tested against the edges.
const END_CLEARANCE: f64 = 1e-4;

/// Divides the road between its edges into cross-sections.
///
/// A closed road is travelled in the specified direction. An open road starts at its end nearer to
/// the specified start, else at the start of its source, else at its western end.
///
/// # Errors
/// [`TrackError::OutOfRange`] and [`TrackError::StartNotFinite`] for an invalid option,
/// [`TrackError::StartOffTrack`] for a start that lies farther from the road than the road is wide,
/// [`TrackError::LostCentreLine`] if the edges touch.
pub fn cut(edges: &Edges, options: &TrackOptions) -> Result<Track, TrackError> {
    options.validate()?;
    if edges.left.points.len() < 2 || edges.right.points.len() < 2 {
        return Err(TrackError::EmptyEdge);
    }
    let start = match (options.start, edges.frame) {
        (Some(Spot::Metres([x, y])), _) => Some(Point::new(x, y)),
        (Some(spot), Some(frame)) => Some(frame.spot(spot)),
        (Some(_), None) => return Err(TrackError::NoPicture),
        (None, _) => None,
    };
    let edges = directed(edges, options.direction, start);
    let width = edges.mean_width();
    if !(width.is_finite() && width > 0.0) {
        return Err(TrackError::EmptyEdge);
    }
    let pair = EdgePair::new(&edges, width);
    let spacing = options.spacing_m.min(SPACING_PER_WIDTH * width);
    let step = FINE_STEP_SHARE * spacing;
    let discs = pair.trace(step)?;
    let lap = ChordLap::new(&pair, &discs, step);
    let mut sections = Vec::new();
    for share in SMOOTHING_SHARES {
        let smoothed = lap.smoothed(&pair, share * width);
        let start = start_line::distance(&smoothed, &pair, start, width)?;
        let stations = smoothed.stations(&pair, spacing, start);
        let cuts = smoothed.resampled(&pair, &stations);
        sections = (0..stations.len())
            .map(|i| {
                let (right, left) = cuts.ends(&pair, i);
                CrossSection { right, left }
            })
            .collect();
        if sections.iter().all(|section| stays_on_road(section, &pair)) {
            break;
        }
    }
    // Without smoothing, only a chord that fans over a jump can leave the road, and it can be
    // omitted.
    sections.retain(|section| stays_on_road(section, &pair));
    let track = Track {
        closed: pair.is_closed(),
        direction: if edges.runs_counterclockwise() { Direction::Counterclockwise } else { Direction::Clockwise },
        spacing_m: spacing,
        edge_uncertainty_m: edges.uncertainty_m,
        sections,
        left_edge: edges.left,
        right_edge: edges.right,
        crossings: edges.crossings,
    };
    track.validate()?;
    Ok(track)
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
