//! Gates across a line, and where it passes them.

use raceline_road::geometry::{Point, Vector, left_of};

use super::places::Place;

/// A gate across the line.
pub(super) struct Gate {
    pub(super) middle: Point,
    pub(super) along: Vector,
    pub(super) reach_m: f64,
}

/// Where the line passes a gate.
#[derive(Clone, Copy)]
pub(super) struct Passage {
    /// The segment's first place, and the fraction of the segment.
    pub(super) index: usize,
    pub(super) fraction: f64,
    pub(super) s_m: f64,
    /// To the left of the gate's middle, m.
    pub(super) offset_m: f64,
}

/// The gate across the line at the place `index`.
pub(super) fn gate_at(places: &[Place], index: usize, reach_m: f64) -> Option<Gate> {
    let middle = places.get(index)?;
    let before = places[..index].iter().rev().find(|place| middle.s_m - place.s_m >= reach_m / 3.0);
    let after = places[index..].iter().find(|place| place.s_m - middle.s_m >= reach_m / 3.0);
    let chord = after.unwrap_or(middle).point - before.unwrap_or(middle).point;
    let along = chord.try_normalize(0.0)?;
    Some(Gate { middle: middle.point, along, reach_m })
}

impl Gate {
    /// Where the line passes the gate forwards, at least `min_lap_m` after the passage before.
    pub(super) fn passages(&self, places: &[Place], min_lap_m: f64) -> Vec<Passage> {
        let mut passages: Vec<Passage> = Vec::new();
        for index in 0..places.len().saturating_sub(1) {
            let Some(passage) = self.passage(places, index) else { continue };
            if passages.last().is_none_or(|last| passage.s_m - last.s_m >= min_lap_m) {
                passages.push(passage);
            }
        }
        passages
    }

    /// Where the segment that begins at `index` passes the gate forwards.
    pub(super) fn passage(&self, places: &[Place], index: usize) -> Option<Passage> {
        let (from, to) = (places.get(index)?, places.get(index + 1)?);
        let ahead = |place: &Place| (place.point - self.middle).dot(&self.along);
        let (before, behind) = (ahead(from), ahead(to));
        if !(before < 0.0 && behind >= 0.0) {
            return None;
        }
        let fraction = before / (before - behind);
        let segment = to.point - from.point;
        let offset_m = (from.point + segment * fraction - self.middle).dot(&left_of(self.along));
        let is_forwards = segment.dot(&self.along) > 0.5 * segment.norm();
        let s_m = from.s_m + fraction * (to.s_m - from.s_m);
        (is_forwards && offset_m.abs() <= self.reach_m).then_some(Passage { index, fraction, s_m, offset_m })
    }
}
