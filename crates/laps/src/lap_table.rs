//! Laps, sectors, the best of them and the ideal lap.

use serde::Serialize;

use super::gate::{Crossing, Gate};
use super::path::Node;
use raceline_numerics::math;

/// A lap of a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoggedLap {
    /// Number, from 1 in the order of driving.
    pub number: usize,
    /// Time at its start, s since the first row of the log.
    pub start_s: f64,
    /// Lap time, s.
    pub time_s: f64,
    /// Length of the driven path, m.
    pub length_m: f64,
    /// Time in each sector, s; empty where a sector's end was not passed.
    pub sectors_s: Vec<f64>,
    /// Highest speed, m/s.
    pub top_speed_mps: f64,
    /// Lowest speed, m/s.
    pub lowest_speed_mps: f64,
    /// Whether it leads once round the track; not through the pit lane or twice round.
    pub is_whole: bool,
    #[serde(skip)]
    pub(crate) from: Crossing,
    #[serde(skip)]
    pub(crate) to: Crossing,
}

/// The laps of a session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LapTable {
    /// The start line.
    pub start: Gate,
    /// All laps from start line to start line, in the order of driving.
    pub laps: Vec<LoggedLap>,
    /// Number of the fastest whole lap.
    pub best: usize,
    /// The best time in each sector, s, over all whole laps.
    pub best_sectors_s: Vec<f64>,
    /// Numbers of the laps with the best sectors.
    pub best_sector_laps: Vec<usize>,
    /// The sum of the best sectors, s; `None` where a sector has no time.
    pub ideal_lap_s: Option<f64>,
    #[serde(skip)]
    gates: Vec<Gate>,
}

/// Laps whose length differs by more than this from the usual one are not whole.
const LENGTH_TOLERANCE: f64 = 0.03;
/// From the middle of a sector's end to either side, m.
const SECTOR_HALF_WIDTH_M: f64 = 25.0;

impl LapTable {
    /// Divides a path at the passages of `start`, and each lap into `sectors` of equal length. `None`
    /// without a lap.
    pub(crate) fn new(nodes: &[Node], start: Gate, sectors: usize) -> Option<Self> {
        let crossings = start.crossings(nodes);
        let origin_s = nodes.first()?.time_s;
        let laps = crossings.windows(2).enumerate();
        let mut laps: Vec<LoggedLap> =
            laps.map(|(index, pair)| lap(nodes, index + 1, pair[0], pair[1], origin_s)).collect();
        let usual_m = usual_length_m(&laps)?;
        for lap in &mut laps {
            lap.is_whole = (lap.length_m / usual_m - 1.0).abs() <= LENGTH_TOLERANCE;
        }
        let best = laps.iter().filter(|lap| lap.is_whole).min_by(|a, b| a.time_s.total_cmp(&b.time_s))?;
        let (best, gates) = (best.number, sector_ends(nodes, best, sectors.max(1)));
        for lap in &mut laps {
            lap.sectors_s = sector_times(nodes, lap, &gates);
        }
        let of_sector = |sector: usize| {
            let times = laps
                .iter()
                .filter(|lap| lap.is_whole)
                .filter_map(|lap| Some((lap.number, *lap.sectors_s.get(sector)?)));
            times.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let best_of: Vec<(usize, f64)> = (0..sectors.max(1)).map_while(of_sector).collect();
        let is_complete = best_of.len() == sectors.max(1);
        Some(Self {
            start,
            best,
            best_sectors_s: best_of.iter().map(|(_, time)| *time).collect(),
            best_sector_laps: best_of.iter().map(|(number, _)| *number).collect(),
            ideal_lap_s: is_complete.then(|| best_of.iter().map(|(_, time)| time).sum()),
            laps,
            gates,
        })
    }

    /// The lap of this number.
    #[must_use]
    pub fn lap(&self, number: usize) -> Option<&LoggedLap> {
        self.laps.iter().find(|lap| lap.number == number)
    }

    /// The whole laps.
    pub fn whole(&self) -> impl Iterator<Item = &LoggedLap> {
        self.laps.iter().filter(|lap| lap.is_whole)
    }

    /// The ends of the sectors, without the start line.
    #[must_use]
    pub fn sector_ends(&self) -> &[Gate] {
        &self.gates
    }
}

fn lap(nodes: &[Node], number: usize, from: Crossing, to: Crossing, origin_s: f64) -> LoggedLap {
    let path = path_of(nodes, &from, &to);
    let steps = path.windows(2).map(|pair| {
        math::hypot(pair[1].position_m[0] - pair[0].position_m[0], pair[1].position_m[1] - pair[0].position_m[1])
    });
    let speeds = || path.iter().map(Node::speed_mps);
    LoggedLap {
        number,
        start_s: from.time_s - origin_s,
        time_s: to.time_s - from.time_s,
        length_m: steps.sum(),
        sectors_s: Vec::new(),
        top_speed_mps: speeds().fold(0.0, f64::max),
        lowest_speed_mps: speeds().fold(f64::INFINITY, f64::min),
        is_whole: false,
        from,
        to,
    }
}

/// The path from one passage to another, both included.
pub(crate) fn path_of(nodes: &[Node], from: &Crossing, to: &Crossing) -> Vec<Node> {
    let at = |crossing: &Crossing| {
        let (before, after) = (nodes.get(crossing.node)?, nodes.get(crossing.node + 1)?);
        Some(before.between(after, crossing.fraction))
    };
    let between = nodes.get(from.node + 1..=to.node).unwrap_or_default().iter().copied();
    let inside = between.filter(|node| node.time_s > from.time_s && node.time_s < to.time_s);
    at(from).into_iter().chain(inside).chain(at(to)).collect()
}

/// The usual length of a lap, m: the one with the largest number of others near it, the shorter of two.
fn usual_length_m(laps: &[LoggedLap]) -> Option<f64> {
    let near =
        |length: f64| laps.iter().filter(|lap| (lap.length_m / length - 1.0).abs() <= LENGTH_TOLERANCE / 2.0).count();
    let mut lengths: Vec<f64> = laps.iter().map(|lap| lap.length_m).filter(|&length| length > 0.0).collect();
    lengths.sort_by(f64::total_cmp);
    let largest = lengths.iter().map(|&length| near(length)).max()?;
    lengths.into_iter().find(|&length| near(length) == largest)
}

/// Gates at equal distances along a lap.
fn sector_ends(nodes: &[Node], lap: &LoggedLap, sectors: usize) -> Vec<Gate> {
    let path = path_of(nodes, &lap.from, &lap.to);
    let mut gates = Vec::new();
    let mut travelled = 0.0;
    for pair in path.windows(2) {
        let step =
            math::hypot(pair[1].position_m[0] - pair[0].position_m[0], pair[1].position_m[1] - pair[0].position_m[1]);
        let wanted = lap.length_m * (gates.len() + 1) as f64 / sectors as f64;
        if gates.len() + 1 < sectors && travelled + step >= wanted {
            let here = pair[0].between(&pair[1], ((wanted - travelled) / step).clamp(0.0, 1.0));
            gates.push(Gate {
                position_m: here.position_m,
                heading_rad: here.heading_rad(),
                half_width_m: SECTOR_HALF_WIDTH_M,
            });
        }
        travelled += step;
    }
    gates
}

/// Times in the sectors; empty where the end of one is not passed.
fn sector_times(nodes: &[Node], lap: &LoggedLap, gates: &[Gate]) -> Vec<f64> {
    let path = path_of(nodes, &lap.from, &lap.to);
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return Vec::new() };
    let mut ends = vec![first.time_s];
    for gate in gates {
        let before = ends.last().copied().unwrap_or(first.time_s);
        match gate.crossings(&path).iter().find(|crossing| crossing.time_s > before) {
            Some(crossing) => ends.push(crossing.time_s),
            None => return Vec::new(),
        }
    }
    ends.push(last.time_s);
    ends.windows(2).map(|pair| pair[1] - pair[0]).collect()
}
