//! The lap that others are compared with, at stations along it, and their mean.

use raceline_road::geometry::{Point, Polyline, left_of};

use super::gate::Gate;
use super::laps::Piece;
use super::places::STEP_M;

/// Places of two laps differ by at most this fraction of the lap, beside the distance at which laps may lie apart.
const SHIFT: f64 = 0.03;
/// Parts of laps gain their weight over this length, m, so that the mean has no steps at their ends.
const RAMP_M: f64 = 80.0;
/// Largest number of stations of a lap.
const MAX_STATIONS: f64 = 5e4;

/// Places of the reference at equal distances.
pub(super) struct Stations {
    pub(super) points: Vec<Point>,
    pub(super) gates: Vec<Gate>,
    pub(super) lap_m: f64,
}

/// Where a piece passes a station.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// To the left of the reference, m.
    offset_m: f64,
    height_m: f64,
}

/// A piece that counts in the mean.
pub(super) struct Pass<'a> {
    /// Where it passes each station.
    pub(super) seen: Vec<Option<Seen>>,
    /// The piece, if it is a part of a lap.
    pub(super) part: Option<&'a Piece>,
}

impl Pass<'_> {
    /// Number of stations that it passes.
    pub(super) fn count(&self) -> usize {
        self.seen.iter().flatten().count()
    }
}

impl Stations {
    pub(super) fn along(reference: &Piece, reach_m: f64) -> Self {
        let line = Polyline::open(reference.places.iter().map(|place| place.point).collect());
        let (lengths, lap_m) = (line.arc_lengths(), line.length());
        let step_m = STEP_M.min(reach_m / 3.0);
        let count = (lap_m / step_m).ceil().clamp(8.0, MAX_STATIONS) as usize;
        let at = |i: usize| line.point_at(&lengths, lap_m * i as f64 / count as f64);
        let points: Vec<Point> = (0..count).map(at).collect();
        // Over some stations, so that the noise of the reference turns no gate.
        let apart = ((reach_m / 3.0 / step_m).ceil() as usize).clamp(1, count / 4);
        let gate = |i: usize| {
            let chord = points[(i + apart) % count] - points[(i + count - apart) % count];
            Gate { middle: points[i], along: chord / chord.norm().max(f64::MIN_POSITIVE), reach_m }
        };
        let gates = (0..count).map(gate).collect();
        Self { points, gates, lap_m }
    }

    /// The offset to the left at which a piece passes each station, and its height there, m.
    pub(super) fn seen(&self, piece: &Piece) -> Vec<Option<Seen>> {
        let count = self.points.len();
        let mut seen: Vec<Option<Seen>> = vec![None; count];
        let (Some(first), Some(last)) = (piece.places.first(), piece.places.last()) else { return seen };
        let shift = SHIFT + self.gates.first().map_or(0.0, |gate| gate.reach_m) / self.lap_m;
        let place_of = |fraction: f64| {
            let along = (fraction - piece.from) / (piece.to - piece.from).max(f64::MIN_POSITIVE);
            first.s_m + along * (last.s_m - first.s_m)
        };
        for (i, gate) in self.gates.iter().enumerate() {
            let fraction = i as f64 / count as f64;
            // At the start line a lap is passed at its end too.
            let around = [fraction, fraction + 1.0, fraction - 1.0];
            let near = around.into_iter().filter(|at| *at >= piece.from - shift && *at <= piece.to + shift);
            for at in near {
                let (from_m, to_m) = (place_of(at - shift), place_of(at + shift));
                let start = piece.places.partition_point(|place| place.s_m < from_m).saturating_sub(1);
                let end = piece.places.partition_point(|place| place.s_m <= to_m).min(piece.places.len() - 1);
                for index in start..end {
                    let Some(passage) = gate.passage(&piece.places, index) else { continue };
                    let (a, b) = (piece.places[index].height_m, piece.places[index + 1].height_m);
                    let found = Seen { offset_m: passage.offset_m, height_m: a + passage.fraction * (b - a) };
                    if seen[i].is_none_or(|nearest| found.offset_m.abs() < nearest.offset_m.abs()) {
                        seen[i] = Some(found);
                    }
                }
            }
        }
        seen
    }

    /// The mean of the passes at each station: its point, its height, and how far the passes lie apart, m.
    pub(super) fn mean(&self, passes: &[Pass], lap_m: f64) -> Vec<(Point, f64, f64)> {
        let count = self.points.len();
        let at = |i: usize| {
            let fraction = i as f64 / count as f64;
            let (mut weights, mut offset, mut height) = (0.0, 0.0, 0.0);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for pass in passes {
                let Some(Seen { offset_m, height_m }) = pass.seen[i] else { continue };
                let weight = pass.part.map_or(1.0, |piece| {
                    let ramp = (RAMP_M / lap_m).min((piece.to - piece.from) / 2.0).max(f64::MIN_POSITIVE);
                    ((fraction - piece.from).min(piece.to - fraction) / ramp).clamp(0.0, 1.0)
                });
                (weights, offset, height) = (weights + weight, offset + weight * offset_m, height + weight * height_m);
                (low, high) = (low.min(offset_m), high.max(offset_m));
            }
            let gate = &self.gates[i];
            let divisor = if weights > 0.0 { weights } else { 1.0 };
            let point = gate.middle + left_of(gate.along) * (offset / divisor);
            (point, height / divisor, (high - low).max(0.0))
        };
        (0..count).map(at).collect()
    }
}
