//! Two that stand before each other: how near they may come, and when one has to reverse.
//!
//! Nearer to another that stands than the distance in which the vehicle moves aside, no route leads around it any more.
//! One that comes towards the vehicle is thus kept farther away than one that is followed; and where the vehicle stands
//! nearer nevertheless, it is as good as stuck, and reverses.

use super::prediction::{Ahead, MIN_GAP_M, Other, Others};
use crate::chassis::Frame;
use crate::standing::{BLOCKED_M, distance_to_move, is_closed_behind, steered_radius};
use crate::vehicle::{VehicleGeometry, VehicleKind};

/// Time for which a vehicle stands behind another that faces in its direction, before it gives room, and before one
/// that there is no room to pass, s. Shorter ones break up rows that wait at crossings, longer ones leave them standing
/// where the first cannot go on.
const PATIENCE_S: (f64, f64) = (20.0, 8.0);
/// Distance that is kept to one that comes beyond what the vehicle needs to move aside, m, and how much farther it reverses
/// than it would stop, so that it may drive on.
pub(super) const BEFORE_M: f64 = 1.0;
const FARTHER_M: f64 = 0.5;
/// A vehicle that needs less to move aside is at its side of the road and waits for the other, m.
const AT_SIDE_M: f64 = 0.3;

/// The distance along the path in which the vehicle, from `offset` on, passes `first` and those beside it; `None`
/// where they leave no room.
pub(super) fn passing_distance(
    first: &Other,
    others: &Others,
    ahead: &Ahead,
    offset: f64,
    vehicle: &VehicleGeometry,
) -> Option<f64> {
    let (low, high) = ahead.room_at(first.ahead);
    let aside = if first.is_oncoming() {
        // Both keep to their right.
        let fits = high + first.narrower - low >= first.straight_widths + MIN_GAP_M;
        fits.then(|| (offset - low).max(0.0))?
    } else {
        let beside = |other: &&Other| (other.ahead - first.ahead).abs() < other.half_lengths + first.half_lengths;
        let beside = others.bodies().iter().filter(beside);
        let clear = |other: &Other| other.half_widths + MIN_GAP_M;
        let sides = beside.clone().flat_map(|other| [-clear(other), clear(other)].map(|away| other.offset + away));
        let is_free = |side: &f64| {
            (low..=high).contains(side) && beside.clone().all(|other| (side - other.offset).abs() > clear(other) - 1e-6)
        };
        sides.filter(is_free).map(|side| (side - offset).abs()).reduce(f64::min)?
    };
    Some(distance_to_move(aside, turning_radius(vehicle)))
}

/// Whether the vehicle, which stands or reverses, is too near to `first`, which stands before it, to drive around it.
pub(super) fn is_blocked(
    first: &Other,
    others: &Others,
    (ahead, frame): (&Ahead, &Frame<'_>),
    (waited_s, following_m): (f64, f64),
    vehicle: &VehicleGeometry,
) -> bool {
    let gap = first.ahead - first.half_lengths;
    let is_patient = waited_s < if first.faces_ahead { PATIENCE_S.0 } else { PATIENCE_S.1 };
    match passing_distance(first, others, ahead, frame.cross_track, vehicle) {
        Some(distance) if first.is_oncoming() => {
            distance > AT_SIDE_M && gap < (distance + BEFORE_M).max(following_m) + FARTHER_M
        }
        Some(distance) => gap < distance && !(is_patient && first.faces_ahead),
        None => gap < BLOCKED_M && first.is_vehicle && !is_patient,
    }
}

/// The nearest other in the vehicle's lane before it.
pub(super) fn nearest_before(others: &Others, frame: &Frame<'_>) -> Option<usize> {
    let bodies = others.bodies().iter().enumerate();
    let before = bodies.filter(|(_, other)| {
        other.ahead > 0.0 && (frame.cross_track - other.offset).abs() < other.half_widths + MIN_GAP_M
    });
    let gap = |other: &Other| other.ahead - other.half_lengths;
    before.min_by(|a, b| gap(a.1).total_cmp(&gap(b.1))).map(|(index, _)| index)
}

/// Whether reversing would soon touch another.
pub(super) fn is_anyone_behind(others: &Others, frame: &Frame<'_>) -> bool {
    others.bodies().iter().any(|other| {
        let in_lane = (frame.cross_track - other.offset).abs() < other.half_widths;
        let gap = -other.ahead - other.half_lengths;
        other.ahead < 0.0 && in_lane && is_closed_behind(gap, frame.state.speed_mps, other.along)
    })
}

/// Radius of the sharpest turn at walking pace, m.
fn turning_radius(vehicle: &VehicleGeometry) -> f64 {
    // On tracks and cushions it is that of the vehicle's own length.
    let steered = steered_radius(vehicle);
    if vehicle.kind == VehicleKind::Wheels { steered } else { steered.max(vehicle.length_m) }
}

#[cfg(test)]
mod tests;
