//! A log in metres: smoothed, without drift, divided into laps.

use std::fmt::Write as _;

use raceline_file::round_to;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline, Projection};

use super::alignment::{Alignment, Reference, mean_distance_m};
use super::drift::Drift;
use super::error::LogError;
use super::gate::Gate;
use super::lap_table::{LapTable, LoggedLap, path_of};
use super::log::{Log, LogFrame, Quantity};
use super::measured::{Measured, measured};
use super::note::SessionNote;
use super::path::{Node, Noise, smoothed};

/// How a log is divided.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionOptions {
    /// A place on the start line: longitude and latitude, degrees, for a log that has them, otherwise
    /// metres in its frame, or in that of the track where one is given. Default: that of the track, else
    /// that of the log, else a place where the vehicle is fast.
    pub start: Option<[f64; 2]>,
    /// The track that was driven. Default: none.
    pub reference: Option<Reference>,
    /// Number of sectors of equal length. Default: 3.
    pub sectors: usize,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self { start: None, reference: None, sectors: 3 }
    }
}

/// A log in metres with its laps.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The smoothed path without drift, in the order of time.
    pub nodes: Vec<Node>,
    /// The noise of the log.
    pub noise: Noise,
    /// Longitude and latitude of the frame's origin, degrees, if they are known.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// The laps.
    pub table: LapTable,
    /// What was done.
    pub notes: Vec<SessionNote>,
    /// Usual time between two positions of the log, s.
    pub step_s: f64,
    traces: Vec<(Quantity, Vec<[f64; 2]>)>,
}

/// Smallest number of positions.
const MIN_POSITIONS: usize = 20;
/// From the middle of a start line to either end where no road states it, m.
const HALF_WIDTH_M: f64 = 20.0;
/// Beside a road a receiver may lie this far, m.
const ROOM_M: f64 = 15.0;
/// Places that are tried as the start line.
const CANDIDATES: usize = 48;
/// A drift smaller than this is not reported, m.
const MIN_DRIFT_M: f64 = 0.05;
/// Offsets of the receiver in each lap. With one, a drift that bends within a lap moves the laps' ends
/// apart; more follow the noise of slow receivers.
const KNOTS_PER_LAP: usize = 2;
/// Distance between two points of the line that laps are laid on, m.
const LINE_STEP_M: f64 = 2.0;

impl Session {
    /// Smooths a log and divides it into laps.
    ///
    /// # Errors
    /// [`LogError`] for a log without positions or laps, or of another track.
    pub fn new(log: &Log, options: &SessionOptions) -> Result<Self, LogError> {
        let frame = log.frame().ok_or_else(|| log.without("positions"))?;
        let reference = options.reference.as_ref();
        let of_track = reference.and_then(|reference| reference.geographic_origin_deg);
        let Measured { measurements, traces, projection, mut notes } = measured(log, frame, of_track)?;
        notes.splice(0..0, log.notes.iter().cloned());
        let seconds =
            measurements.last().zip(measurements.first()).map_or(0.0, |(last, first)| last.time_s - first.time_s);
        let positions = measurements.iter().filter(|measured| measured.position_m.is_some()).count();
        if positions < MIN_POSITIONS {
            return Err(LogError::TooShort { samples: positions, seconds, needed: MIN_POSITIONS });
        }
        let (mut nodes, noise) = smoothed(&measurements);
        let has_common_frame = of_track.is_some() && frame == LogFrame::Degrees
            || reference.is_some_and(|reference| frame == LogFrame::Metres && lies_on(&nodes, reference));
        let mut origin = projection.as_ref().map(|projection| projection.middle);
        let given = options.start.map(|start| placed(start, frame, projection.as_ref()));
        if let Some(reference) = reference {
            if !has_common_frame {
                let lap = any_lap(&nodes, log, projection.as_ref())?;
                let elsewhere = LogError::Elsewhere { distance_m: f64::INFINITY, of: 1 };
                let alignment = Alignment::fitted(&lap, reference).ok_or(elsewhere)?;
                nodes = alignment.moved(&nodes);
                notes.push(SessionNote::Aligned { distance_m: alignment.distance_m });
                origin = reference.geographic_origin_deg;
            }
            let distance_m = driven_distance_m(&nodes, reference);
            if distance_m > reference.half_width_m + ROOM_M {
                return Err(LogError::Elsewhere { distance_m, of: 1 });
            }
        }
        // A start that is given for a track without a common frame is in the frame of the track.
        let given = if reference.is_some() && !has_common_frame { options.start } else { given };
        let half_width_m = reference.map_or(HALF_WIDTH_M, |reference| reference.half_width_m + ROOM_M);
        let start = match (given, reference) {
            (Some(position_m), _) => gate_at(&nodes, position_m, half_width_m),
            (None, Some(reference)) => gate_of(reference, half_width_m),
            (None, None) => stated_gate(&nodes, log, projection.as_ref()),
        };
        let start = match start {
            Some(start) => start,
            None => {
                notes.push(SessionNote::StartChosen);
                chosen_gate(&nodes)?
            }
        };
        let no_lap = || LogError::NoLap { problem: "the start line is not passed twice".to_owned() };
        let table = LapTable::new(&nodes, start, options.sectors).ok_or_else(no_lap)?;
        let (mut nodes, mut table) = (nodes, table);
        if let Some((drift, note)) = drift_of(&nodes, &table, reference) {
            nodes = drift.removed(&nodes);
            table = LapTable::new(&nodes, start, options.sectors).unwrap_or(table);
            notes.extend(note);
        }
        let step_s = seconds / (positions.max(2) - 1) as f64;
        Ok(Self { nodes, noise, geographic_origin_deg: origin, table, notes, step_s, traces })
    }

    /// The path of a lap from start line to start line.
    ///
    /// # Errors
    /// [`LogError::NoSuchLap`].
    pub fn path(&self, number: usize) -> Result<Vec<Node>, LogError> {
        let lap = self
            .table
            .lap(number)
            .ok_or_else(|| LogError::NoSuchLap { number, whole: self.table.whole().map(|lap| lap.number).collect() })?;
        Ok(path_of(&self.nodes, &lap.from, &lap.to))
    }

    /// The value of a trace of the log at a time.
    #[must_use]
    pub fn trace(&self, quantity: Quantity, time_s: f64) -> Option<f64> {
        let (_, values) = self.traces.iter().find(|(of, _)| *of == quantity)?;
        let after = values.partition_point(|[time, _]| *time <= time_s);
        let [from, a] = values.get(after.saturating_sub(1)).copied()?;
        let [to, b] = values.get(after).or(values.last()).copied()?;
        let fraction = ((time_s - from) / (to - from).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        Some(a + fraction * (b - a))
    }

    /// The quantities of which there are traces, beside the path.
    pub fn traced(&self) -> impl Iterator<Item = Quantity> {
        self.traces.iter().map(|(quantity, _)| *quantity)
    }

    /// One lap as a table of text: `time_s`, `lap`, positions, direction, speed, accelerations and what the
    /// driver did. It begins and ends on the start line, and its last row has the number of the next lap.
    ///
    /// # Errors
    /// [`LogError::NoSuchLap`].
    pub fn driven(&self, number: usize) -> Result<String, LogError> {
        let path = self.path(number)?;
        let mut text = self.header();
        // A lap is whole where there is one before it and one behind it.
        for (index, node) in path.iter().enumerate() {
            let of_lap = if index + 1 == path.len() { number + 1 } else { number };
            if index == 0 {
                self.write_row(&mut text, &Node { time_s: node.time_s - 1e-3, ..*node }, number - 1);
            }
            self.write_row(&mut text, node, of_lap);
        }
        Ok(text)
    }

    /// The whole session as a table of text, as [`Self::driven`].
    #[must_use]
    pub fn driven_session(&self) -> String {
        let mut text = self.header();
        for node in &self.nodes {
            let passed = self.table.laps.partition_point(|lap| lap.from.time_s <= node.time_s);
            let is_after = self.table.laps.last().is_some_and(|lap| lap.to.time_s <= node.time_s);
            self.write_row(&mut text, node, passed + usize::from(is_after));
        }
        text
    }

    fn header(&self) -> String {
        let mut header = "time_s,lap,x_m,y_m,heading_rad,speed_mps,accel_mps2,lateral_accel_mps2".to_owned();
        for (quantity, _) in &self.traces {
            if let Some(name) = column_name(*quantity) {
                header.push(',');
                header.push_str(name);
            }
        }
        header.push('\n');
        header
    }

    fn write_row(&self, text: &mut String, node: &Node, lap: usize) {
        let origin_s = self.nodes.first().map_or(0.0, |node| node.time_s);
        let [accel, lateral] = node.body_accel_mps2();
        let [x, y] = node.position_m;
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "{},{lap},{},{},{},{},{},{}",
            round_to(node.time_s - origin_s, 4),
            round_to(x, 3),
            round_to(y, 3),
            round_to(node.heading_rad(), 5),
            round_to(node.speed_mps(), 4),
            round_to(accel, 3),
            round_to(lateral, 3)
        );
        for (quantity, _) in self.traces.iter().filter(|(quantity, _)| column_name(*quantity).is_some()) {
            let value = self.trace(*quantity, node.time_s).unwrap_or_default();
            let _ = write!(text, ",{}", round_to(value, 3));
        }
        text.push('\n');
    }

    /// Longitude and latitude of a position, degrees.
    #[must_use]
    pub fn degrees(&self, position_m: [f64; 2]) -> Option<[f64; 2]> {
        Projection::at(self.geographic_origin_deg?).unproject(Point::from(position_m))
    }

    /// The path of a lap as a closed line of points a few metres apart.
    pub(crate) fn lap_line(&self, number: usize) -> Option<Polyline> {
        let lap = self.table.lap(number)?;
        closed_line(&path_of(&self.nodes, &lap.from, &lap.to))
    }
}

/// The name of a column of the driven table for a trace.
fn column_name(quantity: Quantity) -> Option<&'static str> {
    match quantity {
        Quantity::Throttle => Some("throttle"),
        Quantity::Brake => Some("brake"),
        Quantity::Pedal => Some("pedal"),
        Quantity::Gear => Some("gear"),
        _ => None,
    }
}

/// A position that a user gives, in the frame of the path.
fn placed(start: [f64; 2], frame: LogFrame, projection: Option<&Projection>) -> [f64; 2] {
    match (frame, projection) {
        (LogFrame::Degrees, Some(projection)) => {
            let point = projection.project(start);
            [point.x, point.y]
        }
        _ => start,
    }
}

fn lies_on(nodes: &[Node], reference: &Reference) -> bool {
    driven_distance_m(nodes, reference) <= reference.half_width_m + ROOM_M
}

/// Mean distance of the moving vehicle from the track's middle, m.
fn driven_distance_m(nodes: &[Node], reference: &Reference) -> f64 {
    let moving: Vec<[f64; 2]> =
        nodes.iter().filter(|node| node.speed_mps() > 5.0).map(|node| node.position_m).collect();
    // Most of a session is on the track; the paddock may lie far away.
    let mut distances: Vec<f64> =
        moving.chunks(moving.len().div_ceil(40).max(1)).map(|part| mean_distance_m(part, &reference.line)).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// Some whole lap, wherever it begins.
fn any_lap(nodes: &[Node], log: &Log, projection: Option<&Projection>) -> Result<Vec<[f64; 2]>, LogError> {
    let start = match stated_gate(nodes, log, projection) {
        Some(start) => start,
        None => chosen_gate(nodes)?,
    };
    let no_lap = || LogError::NoLap { problem: "no place is passed twice".to_owned() };
    let table = LapTable::new(nodes, start, 1).ok_or_else(no_lap)?;
    let lap = table.lap(table.best).ok_or_else(no_lap)?;
    Ok(path_of(nodes, &lap.from, &lap.to).iter().map(|node| node.position_m).collect())
}

/// The gate at the place of the path nearest to a position.
fn gate_at(nodes: &[Node], position_m: [f64; 2], half_width_m: f64) -> Option<Gate> {
    let distance = |node: &&Node| math::hypot(node.position_m[0] - position_m[0], node.position_m[1] - position_m[1]);
    let moving = nodes.iter().filter(|node| node.speed_mps() > 3.0);
    let nearest = moving.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some(Gate {
        position_m,
        heading_rad: nearest.heading_rad(),
        half_width_m: half_width_m.max(distance(&nearest) + 10.0),
    })
}

/// The gate at the start of the track.
fn gate_of(reference: &Reference, half_width_m: f64) -> Option<Gate> {
    let [first, second] = [reference.line.points.first()?, reference.line.points.get(1)?];
    let last = reference.line.points.last()?;
    let along = second - if reference.line.closed { last } else { first };
    Some(Gate { position_m: [first.x, first.y], heading_rad: math::atan2(along.y, along.x), half_width_m })
}

/// The gate that the log states: by its start line, its beacons, or the numbers of its laps.
fn stated_gate(nodes: &[Node], log: &Log, projection: Option<&Projection>) -> Option<Gate> {
    if let (Some([a, b]), Some(projection)) = (log.start_line, projection) {
        let [a, b] = [projection.project(a), projection.project(b)];
        let middle = nalgebra::center(&a, &b);
        return gate_at(nodes, [middle.x, middle.y], HALF_WIDTH_M.max((b - a).norm() / 2.0));
    }
    let times: Vec<f64> = match (log.values(Quantity::Lap), log.values(Quantity::Time)) {
        _ if log.beacons_s.len() > 1 => log.beacons_s.clone(),
        (Some(laps), Some(times)) => {
            let changes = laps.windows(2).zip(times.iter().skip(1));
            changes.filter(|(pair, _)| pair[1] == pair[0] + 1.0).map(|(_, time)| *time).collect()
        }
        _ => return None,
    };
    // Of the places at these times the middle one, since a sample may lie metres behind the line.
    let places: Vec<&Node> = times
        .iter()
        .filter_map(|&time| nodes.get(nodes.partition_point(|node| node.time_s < time)))
        .filter(|node| node.speed_mps() > 5.0)
        .collect();
    let middle = |axis: usize| {
        let mut values: Vec<f64> = places.iter().map(|node| node.position_m[axis]).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    (places.len() > 1).then(|| gate_at(nodes, [middle(0)?, middle(1)?], HALF_WIDTH_M))?
}

/// A gate where the vehicle is fast and that it passes the most often.
fn chosen_gate(nodes: &[Node]) -> Result<Gate, LogError> {
    let mut speeds: Vec<f64> = nodes.iter().map(Node::speed_mps).collect();
    speeds.sort_by(f64::total_cmp);
    let fast = speeds.get(speeds.len() * 7 / 10).copied().unwrap_or(0.0);
    let fast: Vec<&Node> = nodes.iter().filter(|node| node.speed_mps() >= fast).collect();
    let tried = fast.iter().step_by((fast.len() / CANDIDATES).max(1)).map(|node| {
        let gate = Gate { position_m: node.position_m, heading_rad: node.heading_rad(), half_width_m: HALF_WIDTH_M };
        (gate.crossings(nodes).len(), node.speed_mps(), gate)
    });
    let best = tried.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    best.filter(|(count, ..)| *count > 1)
        .map(|(.., gate)| gate)
        .ok_or_else(|| LogError::NoLap { problem: "no place is passed twice in one direction".to_owned() })
}

/// The drift of a session against the track, or of its laps against one of them.
fn drift_of(nodes: &[Node], table: &LapTable, reference: Option<&Reference>) -> Option<(Drift, Option<SessionNote>)> {
    let within = |lap: &LoggedLap| {
        let (from_s, time_s) = (lap.from.time_s, lap.time_s);
        (0..KNOTS_PER_LAP).map(move |part| from_s + time_s * part as f64 / KNOTS_PER_LAP as f64)
    };
    let mut knots: Vec<f64> = table.laps.iter().flat_map(within).collect();
    knots.extend(table.laps.last().map(|lap| lap.to.time_s));
    let (line, free_m) = match reference {
        Some(reference) => (reference.line.clone(), Some(reference.free_m)),
        None if table.whole().count() > 1 => {
            let mut whole: Vec<_> = table.whole().collect();
            whole.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
            let middle = whole.get(whole.len() / 2)?;
            (closed_line(&path_of(nodes, &middle.from, &middle.to))?, None)
        }
        None => return None,
    };
    let drift = Drift::fitted(nodes, &line, free_m, &knots)?;
    let (extent_m, offset_m) = drift.extent_m();
    let offset_m = if reference.is_some() { offset_m } else { [0.0; 2] };
    let is_large = extent_m >= MIN_DRIFT_M || math::hypot(offset_m[0], offset_m[1]) >= MIN_DRIFT_M;
    let note = is_large.then_some(SessionNote::Drift { extent_m, offset_m });
    Some((drift, note))
}

/// A lap as a closed line of points at equal distances. The vehicle crosses the start line at its end
/// beside where it did at its beginning, by what it drove and by drift: this is spread over the whole lap,
/// so that the line has no step there.
fn closed_line(path: &[Node]) -> Option<Polyline> {
    let open = Polyline::open(path.iter().map(|node| Point::from(node.position_m)).collect());
    let lengths = open.arc_lengths();
    let length = open.length();
    let count = (length / LINE_STEP_M).floor();
    if !(8.0..1e6).contains(&count) {
        return None;
    }
    let count = count as usize;
    let gap = *open.points.first()? - *open.points.last()?;
    let point = |i: usize| {
        let fraction = i as f64 / count as f64;
        open.point_at(&lengths, length * fraction) + gap * fraction
    };
    Some(Polyline::closed((0..count).map(point).collect()))
}
