//! Time-optimal lines around the parts of a road whose grip is lower.
//!
//! A line through a patch and one around it may both be locally the fastest. So the fastest line
//! that keeps out of the patches is searched too, then that near it which may touch them.

use raceline_road::frame::Spot;
use raceline_road::track::{Grip, GripPolygon, GripStrip};

use super::given_line::fractions;
use super::run::Run;
use crate::barrier::PassingSide;
use crate::min_curvature::min_curvature;
use crate::time_optimal::{Task, TimeOptimal, time_optimal, time_optimal_near};
use crate::{Corridor, EdgeDistance, NoGo, NoGoArea, PolygonNoGo, SolveError, StretchNoGo, no_go_on_road};

/// The fastest lines around the patches of the options; none where there is no patch that a line
/// can pass beside. A search that fails has no line.
pub(super) fn lines_around_patches(run: &Run) -> Vec<TimeOptimal> {
    let (mut lines, mut starts): (_, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    let patches: Vec<&Grip> = run.options.grip.iter().filter(|part| is_avoided(part)).collect();
    if patches.is_empty() {
        return lines;
    }
    for first in [PassingSide::Left, PassingSide::Right] {
        let areas: Vec<NoGoArea> = patches.iter().filter_map(|patch| around(run, patch, first)).collect();
        if areas.is_empty() {
            continue;
        }
        // Patches that can be passed one by one may not be passed together.
        let Ok((mut corridor, edges)) = corridor(run, areas) else { continue };
        corridor.pin_ends(&run.options.solve);
        let Ok(start) = min_curvature(&corridor, &run.options.solve, &corridor.middle()) else { continue };
        if starts.contains(&start.alpha) {
            continue;
        }
        let outside = Task { corridor: &corridor, edges: &edges, ..run.task() };
        let Ok(line) = time_optimal(outside, &start.alpha) else { continue };
        if let Ok(alpha) = fractions(&run.road.road.track, &line.points) {
            lines.extend(time_optimal_near(run.task(), &alpha));
            lines.extend(time_optimal(run.task(), &alpha));
        }
        lines.push(line);
        starts.push(start.alpha);
    }
    lines
}

/// Whether a line may be faster beside the part than over it.
pub(super) fn is_avoided(part: &Grip) -> bool {
    match part {
        Grip::Stretch(_) => false,
        Grip::Strip(GripStrip { factor, .. }) | Grip::Polygon(GripPolygon { factor, .. }) => *factor < 1.0,
    }
}

/// The region that keeps a line, not the vehicle's width, out of a patch: on the side `first` if a
/// line has room there, else on the other one; `None` where it has no room on either.
fn around(run: &Run, patch: &Grip, first: PassingSide) -> Option<NoGoArea> {
    let other = if first == PassingSide::Left { PassingSide::Right } else { PassingSide::Left };
    [first, other].into_iter().find_map(|side| {
        let region = match patch {
            Grip::Stretch(_) => return None,
            &Grip::Strip(GripStrip { from_m, to_m, side, width_m, .. }) => {
                NoGo::Stretch(StretchNoGo { from_m, to_m, side, width_m })
            }
            Grip::Polygon(GripPolygon { polygon, .. }) => {
                let polygon: Vec<Spot> = polygon.clone();
                NoGo::Polygon(PolygonNoGo { polygon, side: Some(side) })
            }
        };
        let margin_m = run.road.margin_m;
        let found = no_go_on_road(&run.road.source.track, &run.road.road, &[region], margin_m).ok()?;
        let area = found.areas.first()?.grown(-margin_m);
        (!area.barriers.is_empty() && corridor(run, vec![area.clone()]).is_ok()).then_some(area)
    })
}

/// The bounds of lines with these regions in addition to those of the road, and its edges with
/// them.
fn corridor(run: &Run, areas: Vec<NoGoArea>) -> Result<(Corridor, EdgeDistance), SolveError> {
    let road = &run.road.road;
    let edges = road.edges.with_no_go(road.edges.no_go().iter().cloned().chain(areas).collect());
    Ok((Corridor::new(&road.track, &edges, run.road.margin_m)?, edges))
}
