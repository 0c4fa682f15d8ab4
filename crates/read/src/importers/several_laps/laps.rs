//! The pieces of a line that are laps of one road.

use super::gate::{Passage, gate_at};
use super::places::Place;

/// Gates that are tried, and segments times gates, at most.
const MAX_GATES: usize = 400;
const MAX_COMPARISONS: usize = 40_000_000;
/// Pieces whose lengths differ by at most this fraction may be laps of one road.
const SIMILAR: f64 = 0.05;
/// Longest lap, m.
const LONGEST_M: f64 = 2e5;
/// A gate that is passed more often is no start line.
const MAX_PASSAGES: usize = 3000;

/// A piece of the line along the road.
pub(super) struct Piece {
    pub(super) places: Vec<Place>,
    /// Fraction of the lap at its start and at its end.
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Piece {
    /// Along the line, m.
    pub(super) fn length_m(&self) -> f64 {
        self.places.last().zip(self.places.first()).map_or(0.0, |(last, first)| last.s_m - first.s_m)
    }
}

/// The passages of the gate with the longest laps, and which of the pieces between them are laps.
pub(super) struct Laps {
    pub(super) passages: Vec<Passage>,
    /// Whether the piece behind each passage is a lap.
    pub(super) is_lap: Vec<bool>,
    pub(super) score: f64,
}

pub(super) fn best_laps(places: &[Place], reach_m: f64, min_lap_m: f64) -> Option<Laps> {
    let gates = (MAX_COMPARISONS / places.len().max(1)).clamp(20, MAX_GATES);
    let length_m = places.last()?.s_m;
    let mut best: Option<Laps> = None;
    for number in 0..gates {
        let s_m = length_m * number as f64 / gates as f64;
        let index = places.partition_point(|place| place.s_m < s_m).clamp(1, places.len() - 1);
        let Some(gate) = gate_at(places, index, reach_m) else { continue };
        let passages = gate.passages(places, min_lap_m);
        if passages.len() > MAX_PASSAGES {
            continue;
        }
        let pieces: Vec<f64> = passages.windows(2).map(|pair| pair[1].s_m - pair[0].s_m).collect();
        let Some((score, lap_m)) = longest_laps(&pieces) else { continue };
        if lap_m <= LONGEST_M && best.as_ref().is_none_or(|best| score > 1.001 * best.score) {
            let is_lap = pieces.iter().map(|piece_m| (piece_m / lap_m - 1.0).abs() <= SIMILAR).collect();
            best = Some(Laps { passages, is_lap, score });
        }
    }
    best
}

/// Of pieces of these lengths, those of nearly one length that are together the longest: a score, which is
/// about the sum of their lengths, and that length, m.
fn longest_laps(pieces_m: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = pieces_m.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut best: Option<(f64, f64)> = None;
    for &lap_m in &sorted {
        let from = sorted.partition_point(|&piece_m| piece_m < (1.0 - SIMILAR) * lap_m);
        let to = sorted.partition_point(|&piece_m| piece_m <= (1.0 + SIMILAR) * lap_m);
        let count = (to - from) as f64;
        // Two short laps rather than a long one that missed the gate between them.
        let score = count * lap_m * (1.1 - 0.1 / count.max(1.0));
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, lap_m));
        }
    }
    best
}

impl Laps {
    /// The laps, each from passage to passage.
    pub(super) fn pieces(&self, places: &[Place]) -> Vec<Piece> {
        let pairs = self.passages.windows(2).zip(&self.is_lap).filter(|(_, is_lap)| **is_lap);
        pairs.map(|(pair, _)| closed_piece(between(places, Some(&pair[0]), Some(&pair[1])))).collect()
    }

    /// What lies before the first passage and behind the last, as far as a lap is long.
    pub(super) fn ends(&self, places: &[Place], lap_m: f64) -> Vec<Piece> {
        let (Some(first), Some(last)) = (self.passages.first(), self.passages.last()) else { return Vec::new() };
        let mut head = between(places, None, Some(first));
        head.retain(|place| first.s_m - place.s_m <= lap_m);
        let mut tail = between(places, Some(last), None);
        tail.retain(|place| place.s_m - last.s_m <= lap_m);
        let fraction = |part: &[Place]| part.last().zip(part.first()).map_or(0.0, |(b, a)| (b.s_m - a.s_m) / lap_m);
        let (of_head, of_tail) = (fraction(&head), fraction(&tail));
        vec![Piece { places: head, from: 1.0 - of_head, to: 1.0 }, Piece { places: tail, from: 0.0, to: of_tail }]
    }
}

/// The places between two passages, with the passages themselves.
fn between(places: &[Place], from: Option<&Passage>, to: Option<&Passage>) -> Vec<Place> {
    let at = |passage: &Passage| {
        let (a, b) = (places[passage.index], places[passage.index + 1]);
        Place {
            point: a.point + (b.point - a.point) * passage.fraction,
            height_m: a.height_m + passage.fraction * (b.height_m - a.height_m),
            s_m: passage.s_m,
        }
    };
    let inner = from.map_or(0, |from| from.index + 1)..to.map_or(places.len(), |to| to.index + 1);
    let ends = [from.map(at), to.map(at)];
    ends[0].into_iter().chain(places[inner].iter().copied()).chain(ends[1]).collect()
}

/// A lap whose end lies on its start: the gap is spread over it.
fn closed_piece(mut places: Vec<Place>) -> Piece {
    if let (Some(&first), Some(&last)) = (places.first(), places.last()) {
        let gap = first.point - last.point;
        let rise_m = first.height_m - last.height_m;
        for place in &mut places {
            let fraction = (place.s_m - first.s_m) / (last.s_m - first.s_m);
            place.point += gap * fraction;
            place.height_m += rise_m * fraction;
        }
    }
    Piece { places, from: 0.0, to: 1.0 }
}
