//! Edges → track: the stage itself.

use super::bisector::EdgePair;
use super::chord_spacing::ChordLap;
use super::start_line;
use super::{CrossSection, Direction, Track, TrackError, TrackOptions};
use crate::edges::Edges;
use crate::frame::Spot;
use crate::geometry::Point;

/// Sections never stand farther apart than this share of the road's mean width, so that small roads are cut as well as wide ones.
const SPACING_PER_WIDTH: f64 = 0.25;
/// The bisector is traced, and its chords are smoothed, in steps of this share of the spacing.
const FINE_STEP_SHARE: f64 = 0.25;
/// The chords' progress is smoothed over these shares of the mean width, the first that leaves every chord on the road.
const SMOOTHING_SHARES: [f64; 5] = [0.5, 0.25, 0.12, 0.05, 0.0];
/// Ends of a chord are pulled in by this share before asking whether it meets an edge, since they lie on one.
const END_CLEARANCE: f64 = 1e-4;

/// Cuts the road between its edges into cross-sections.
///
/// A closed road is taken in the direction that the options say. An open one has no such choice: it starts at its end that is
/// nearer to the options' start, or else where its source has its start, or else at its western end.
///
/// # Errors
/// [`TrackError::OutOfRange`] and [`TrackError::StartNotFinite`] for an option that can't be used, [`TrackError::StartOffTrack`] for a start that
/// lies farther from the road than the road is wide, [`TrackError::LostCentreLine`] where the edges touch.
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
    // Without smoothing only a chord that fans over a jump can leave the road, and its neighbours do without it.
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

/// The edges in the direction in which the road is to be travelled.
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
