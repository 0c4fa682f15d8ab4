//! Lines along streets → a graph of junctions and pieces.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::NetworkError;
use raceline_road::geometry::{Ends, Point, Polyline, Segment, cross, for_each_near_pair};

/// An end nearer to another street than this joins it, metres.
const JOIN_M: f64 = 0.5;
/// A street's bends are kept to this accuracy, metres.
const ACCURACY_M: f64 = 0.05;
/// A crossing within this fraction of a piece from its end is at the end.
const END_FRACTION: f64 = 1e-9;
/// Streets cross if the sine of the angle between them is greater than this.
const PARALLEL_SINE: f64 = 1e-12;
/// Maximum number of points of a network.
const MAX_POINTS: usize = 500_000;
/// Maximum number of comparisons of boxes while crossings are searched.
const MAX_STEPS: usize = 50_000_000;

/// The directions in which a street may be driven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directions {
    /// Both.
    #[default]
    Both,
    /// Only along its line.
    Forward,
    /// Only against its line.
    Backward,
}

/// A street of a source: a line along its middle.
///
/// ```
/// use raceline_plan::network::{Directions, Network, Street};
/// use raceline_road::geometry::Point;
///
/// let street = |ends: [[f64; 2]; 2]| Street {
///     line: ends.map(Point::from).to_vec(),
///     half_width_m: 3.0,
///     directions: Directions::Both,
/// };
/// // Two streets that cross are four pieces.
/// let town = Network::new(&[street([[0.0, 50.0], [100.0, 50.0]]), street([[50.0, 0.0], [50.0, 100.0]])], true)?;
/// assert_eq!(town.pieces.len(), 4);
/// # Ok::<(), raceline_plan::network::NetworkError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Street {
    /// The line, metres.
    pub line: Vec<Point>,
    /// Half the street's width, metres, above 0.
    pub half_width_m: f64,
    /// Directions.
    pub directions: Directions,
}

/// A street from a junction or end to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// First and last node.
    pub ends: [usize; 2],
    /// Line from the first node to the last, metres.
    pub line: Vec<Point>,
    /// Half its width, metres.
    pub half_width_m: f64,
    /// Directions.
    pub directions: Directions,
    /// Length, metres.
    pub length_m: f64,
}

impl Piece {
    /// The point half-way along it.
    #[must_use]
    pub fn middle(&self) -> Point {
        let line = Polyline::open(self.line.clone());
        line.point_at(&line.arc_lengths(), self.length_m / 2.0)
    }
}

/// A graph of streets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Junctions and ends, metres.
    pub nodes: Vec<Point>,
    /// The streets between them.
    pub pieces: Vec<Piece>,
}

/// Coordinates that are the same bit by bit.
type Key = (u64, u64);

fn key(point: Point) -> Key {
    // Adding 0 makes one zero of two.
    ((point.x + 0.0).to_bits(), (point.y + 0.0).to_bits())
}

impl Network {
    /// The graph of `streets`. Streets meet where their lines have a common point, where an end is
    /// within 0.5 m of another street, and with `at_crossings` wherever two lines cross. Without
    /// it, lines that cross without a common point are a bridge and the street below.
    ///
    /// # Errors
    /// [`NetworkError::NoStreets`], [`NetworkError::TooLarge`].
    pub fn new(streets: &[Street], at_crossings: bool) -> Result<Self, NetworkError> {
        let mut lines: Vec<Vec<Point>> = streets.iter().map(|street| street.line.clone()).collect();
        for line in &mut lines {
            line.dedup();
        }
        if lines.iter().map(Vec::len).sum::<usize>() > MAX_POINTS {
            return Err(NetworkError::TooLarge { limit: MAX_POINTS });
        }
        join_ends(&mut lines)?;
        if at_crossings {
            divide_at_crossings(&mut lines)?;
        }
        let mut uses: BTreeMap<Key, usize> = BTreeMap::new();
        for line in lines.iter().filter(|line| line.len() > 1) {
            for (index, &point) in line.iter().enumerate() {
                let is_end = index == 0 || index + 1 == line.len();
                *uses.entry(key(point)).or_default() += if is_end { 2 } else { 1 };
            }
        }
        let mut network = Self::default();
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        for (street, line) in streets.iter().zip(&lines).filter(|(_, line)| line.len() > 1) {
            let mut from = 0;
            for index in 1..line.len() {
                if uses.get(&key(line[index])).is_some_and(|&count| count < 2) {
                    continue;
                }
                let ends = [line[from], line[index]].map(|point| {
                    *numbers.entry(key(point)).or_insert_with(|| {
                        network.nodes.push(point);
                        network.nodes.len() - 1
                    })
                });
                let line = Polyline::open(line[from..=index].to_vec()).simplified(ACCURACY_M).points;
                network.add(Piece {
                    ends,
                    length_m: length_of(&line),
                    line,
                    half_width_m: street.half_width_m,
                    directions: street.directions,
                });
                from = index;
            }
        }
        if network.pieces.is_empty() { Err(NetworkError::NoStreets) } else { Ok(network) }
    }

    fn add(&mut self, piece: Piece) {
        if piece.length_m > 0.0 {
            self.pieces.push(piece);
        }
    }

    /// The piece whose line is nearest to a point: its number, the distance, and the distance along
    /// it.
    #[must_use]
    pub fn nearest(&self, point: Point) -> Option<(usize, f64, f64)> {
        let mut best: Option<(usize, f64, f64)> = None;
        for (number, piece) in self.pieces.iter().enumerate() {
            let mut before = 0.0;
            for pair in piece.line.windows(2) {
                let &[a, b] = pair else { continue };
                let segment = Segment::new(a, b);
                let t = segment.nearest(point);
                let distance = (segment.at(t) - point).norm();
                let length = (b - a).norm();
                if best.is_none_or(|(_, min, _)| distance < min) {
                    best = Some((number, distance, before + t * length));
                }
                before += length;
            }
        }
        best
    }

    /// Divides a piece at a distance along it; the node there. Near an end it is the end's.
    pub(super) fn divide(&mut self, number: usize, along_m: f64) -> usize {
        let piece = &self.pieces[number];
        if along_m < JOIN_M.min(piece.length_m / 2.0) {
            return piece.ends[0];
        }
        if along_m > piece.length_m - JOIN_M {
            return piece.ends[1];
        }
        let whole = Polyline::open(piece.line.clone());
        let lengths = whole.arc_lengths();
        let place = whole.point_at(&lengths, along_m);
        let node = self.nodes.len();
        let kept = lengths.partition_point(|&s| s < along_m - 1e-6);
        let rest = lengths.partition_point(|&s| s <= along_m + 1e-6);
        let first: Vec<Point> = whole.points[..kept].iter().copied().chain([place]).collect();
        let second: Vec<Point> = std::iter::once(place).chain(whole.points[rest..].iter().copied()).collect();
        let mut after = piece.clone();
        let last = after.ends[1];
        (after.ends, after.length_m, after.line) = ([node, last], length_of(&second), second);
        self.nodes.push(place);
        self.pieces.push(after);
        let before = &mut self.pieces[number];
        (before.ends[1], before.length_m, before.line) = (node, length_of(&first), first);
        node
    }
}

/// Length of a line, metres.
pub(super) fn length_of(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
}

/// New points of a line: the piece, the fraction along it and the place.
type Inserted = Vec<Vec<(usize, f64, Point)>>;

fn insert(lines: &mut [Vec<Point>], mut inserted: Inserted) {
    for (line, points) in lines.iter_mut().zip(&mut inserted) {
        points.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
        for &(piece, _, place) in points.iter() {
            line.insert(piece + 1, place);
        }
        line.dedup();
    }
}

/// The line and the piece of each number of [`for_each_near_pair`].
fn places_of(lines: &[Vec<Point>]) -> Vec<(usize, usize)> {
    let pieces = |(number, line): (usize, &Vec<Point>)| (0..line.len().saturating_sub(1)).map(move |i| (number, i));
    lines.iter().enumerate().flat_map(pieces).collect()
}

/// Where an end joins a line: distance, number of the line, its piece, the fraction along it, and the
/// point.
type Join = (f64, usize, usize, f64, Point);

/// Moves ends onto streets that are near.
fn join_ends(lines: &mut [Vec<Point>]) -> Result<(), NetworkError> {
    let places = places_of(lines);
    // A short diagonal has the box of an end's surroundings.
    let reach = raceline_road::geometry::Vector::new(JOIN_M, JOIN_M);
    let ends: Vec<(usize, bool, Point)> = lines
        .iter()
        .enumerate()
        .filter_map(|(number, line)| Some([(number, false, *line.first()?), (number, true, *line.last()?)]))
        .flatten()
        .collect();
    let mut all: Vec<Polyline> = lines.iter().map(|line| Polyline::open(line.clone())).collect();
    all.extend(ends.iter().map(|&(_, _, end)| Polyline::open(vec![end - reach, end + reach])));
    let references: Vec<&Polyline> = all.iter().collect();
    let mut best: Vec<Option<Join>> = vec![None; ends.len()];
    for_each_near_pair(&references, MAX_STEPS, |first, second| {
        let Some((&(number, piece), &(of, _, end))) =
            places.get(first).zip(second.checked_sub(places.len()).and_then(|index| ends.get(index)))
        else {
            return ControlFlow::Continue(());
        };
        let line = &lines[number];
        let (a, b) = (line[piece], line[piece + 1]);
        let segment = Segment::new(a, b);
        let mut t = segment.nearest(end);
        let near = [(a, 0.0), (b, 1.0)].into_iter().find(|(vertex, _)| (vertex - end).norm() <= JOIN_M);
        let mut place = segment.at(t);
        if let Some((vertex, fraction)) = near {
            (t, place) = (fraction, vertex);
        }
        let distance = (place - end).norm();
        // Of two ends only the later moves, and an end doesn't move along its own street.
        let is_end = near.is_some() && (place == line[0] || line.last() == Some(&place));
        let index = second - places.len();
        if number != of
            && distance <= JOIN_M
            && (!is_end || number < of || distance == 0.0)
            && best[index].is_none_or(|(min, ..)| distance < min)
        {
            best[index] = Some((distance, number, piece, t, place));
        }
        ControlFlow::Continue(())
    })
    .map_err(|_| NetworkError::TooLarge { limit: MAX_STEPS })?;
    let mut inserted: Inserted = vec![Vec::new(); lines.len()];
    for (&(of, last, _), found) in ends.iter().zip(best) {
        let Some((distance, number, piece, t, place)) = found else { continue };
        if t > 0.0 && t < 1.0 {
            inserted[number].push((piece, t, place));
        }
        let line = &mut lines[of];
        let index = if last { line.len() - 1 } else { 0 };
        if distance > 0.0 {
            line[index] = place;
        }
    }
    insert(lines, inserted);
    Ok(())
}

/// Adds a common point wherever two lines cross.
fn divide_at_crossings(lines: &mut [Vec<Point>]) -> Result<(), NetworkError> {
    let places = places_of(lines);
    let all: Vec<Polyline> = lines.iter().map(|line| Polyline::open(line.clone())).collect();
    let references: Vec<&Polyline> = all.iter().collect();
    let mut inserted: Inserted = vec![Vec::new(); lines.len()];
    let mut count = 0;
    for_each_near_pair(&references, MAX_STEPS, |first, second| {
        let [(one, i), (other, k)] = [places[first], places[second]];
        let [a, b, c, d] = [lines[one][i], lines[one][i + 1], lines[other][k], lines[other][k + 1]];
        let (segment, other_segment) = (Segment::new(a, b), Segment::new(c, d));
        if let Some((t, u)) = crossing(segment, other_segment) {
            // At a vertex exactly that vertex, so that both lines have the same point.
            let at_end = |fraction: f64, from: Point, to: Point| match fraction {
                fraction if fraction < END_FRACTION => Some(from),
                fraction if fraction > 1.0 - END_FRACTION => Some(to),
                _ => None,
            };
            let place = at_end(t, a, b).or_else(|| at_end(u, c, d)).unwrap_or(segment.at(t));
            inserted[one].push((i, t, place));
            inserted[other].push((k, u, place));
            count += 1;
        }
        if count > MAX_POINTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .map_err(|_| NetworkError::TooLarge { limit: MAX_STEPS })?;
    if count > MAX_POINTS {
        return Err(NetworkError::TooLarge { limit: MAX_POINTS });
    }
    insert(lines, inserted);
    Ok(())
}

/// Where two pieces cross, as fractions of each; `None` if they do not, or have an end in common.
fn crossing(one: Segment, other: Segment) -> Option<(f64, f64)> {
    if [one.from, one.to].iter().any(|&end| end == other.from || end == other.to) {
        return None;
    }
    // Of streets drawn twice, rounding makes the point anything.
    let (first, second) = (one.vector(), other.vector());
    if cross(first, second).abs() <= PARALLEL_SINE * first.norm() * second.norm() {
        return None;
    }
    one.intersection(other, Ends::Included).map(|found| (found.fraction, found.other_fraction))
}
