//! Which corner of a line has which name of its options.

use super::corners::Corner;
use super::lap::Lap;
use super::road_corners::RoadCorners;
use crate::frame::Spot;
use raceline_numerics::math;

/// Gives the names of the line's options to its corners: each to the corner of the road that is
/// nearest to the name's place along the road, if the line has it in its list. Without a road, each to
/// the corner whose part of the line comes nearest. Several names of one corner stand one after the
/// other in its name: two bends to one side that are driven as one.
pub(super) fn give_names(lap: Lap, road: Option<&RoadCorners>, corners: &mut [Corner]) {
    for named in &lap.line.options.corner {
        // The pipeline writes metres.
        let Spot::Metres(place) = named.at else { continue };
        let index = match road {
            Some(road) => road
                .nearest(place)
                .and_then(|named| corners.iter().position(|corner| corner.number.contains(named.number))),
            None => {
                let distances = corners.iter().map(|corner| distance_m(lap, corner, place));
                distances.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(index, _)| index)
            }
        };
        let Some(index) = index else { continue };
        let name = &mut corners[index].name;
        *name = Some(match name.take() {
            Some(other) => format!("{other} / {}", named.name),
            None => named.name.clone(),
        });
    }
}

/// Minimum distance of `place` from the line's points in a corner and from its apex, m.
fn distance_m(lap: Lap, corner: &Corner, place: [f64; 2]) -> f64 {
    let inside = lap.points().iter().filter(|point| {
        let after = lap.ahead(corner.entry_s_m, point.s_m);
        (0.0..=corner.length_m).contains(&after)
    });
    inside
        .map(|point| [point.x_m, point.y_m])
        .chain([corner.apex_m])
        .map(|[x, y]| math::hypot(x - place[0], y - place[1]))
        .fold(f64::INFINITY, f64::min)
}
