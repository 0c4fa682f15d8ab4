//! Which corner of a line has which name of its options.

use super::corners::Corner;
use super::lap::Lap;
use crate::frame::Spot;
use raceline_numerics::math;

/// Gives the names of the line's options to its corners: each to the corner whose part of the line
/// comes nearest to the name's place. Several names of one corner stand one after the other in its
/// name: two bends to one side that are driven as one.
pub(super) fn give_names(lap: Lap, corners: &mut [Corner]) {
    for named in &lap.line.options.corner {
        // The pipeline writes metres.
        let Spot::Metres(place) = named.at else { continue };
        let distances = corners.iter().map(|corner| distance_m(lap, corner, place));
        let nearest = distances.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
        let Some((index, _)) = nearest else { return };
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
