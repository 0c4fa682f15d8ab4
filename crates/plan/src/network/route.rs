//! A route through a network of streets.

use std::collections::BTreeSet;

use super::exhaustive::all_routes;
use super::search::{Stops, best_routes};
use super::stops::{apply_one_way, attach};
use super::streets::{Directions, Network, length_of};
use super::timing::{Directed, Steps, aside_m, head, is_turn, line, piece};
use super::{NetworkError, NetworkOptions, RouteKind, RouteWeights};
use crate::{bends, estimated_time_s};
use raceline_car::Vehicle;
use raceline_road::geometry::{Point, Segment};
use raceline_solve::speed;

/// Paths whose sum of steps is among this many best are timed as a whole.
const TIMED: usize = 200;
/// Two scores that differ by less than this are the same, s.
const SAME_S: f64 = 1e-6;

/// Something beside the streets that is worth a visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickUp {
    /// Place, metres.
    pub at: [f64; 2],
    /// Distance, metres, within which a route that passes collects it.
    pub radius_m: f64,
    /// What it is worth, s.
    pub worth_s: f64,
}

/// What a route is asked for.
///
/// ```
/// use raceline_plan::network::{Directions, Network, NetworkOptions, Street, Task, route};
/// use raceline_road::geometry::Point;
///
/// let line = vec![Point::new(0.0, 0.0), Point::new(80.0, 0.0), Point::new(80.0, 60.0)];
/// let network = Network::new(&[Street { line, half_width_m: 3.0, directions: Directions::Both }], true)?;
/// let (stops, options) = ([Point::new(0.0, 0.0), Point::new(80.0, 60.0)], NetworkOptions::default());
/// let vehicle = raceline_car::preset("kart")?;
/// let task = Task { stops: &stops, closed: false, options: &options, pick_ups: &[], vehicle: &vehicle };
/// assert!((route(&network, &task)?.route.length_m - 140.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The first stop, the vias, and unless closed the last stop, metres.
    pub stops: &'a [Point],
    /// Whether the route leads back to the first stop.
    pub closed: bool,
    /// Objective, order of the vias, one-way streets, weights.
    pub options: &'a NetworkOptions,
    /// What the score of exhaustive routes counts beside the path.
    pub pick_ups: &'a [PickUp],
    /// The vehicle, for times.
    pub vehicle: &'a Vehicle,
}

/// A route.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The search that found it.
    pub kind: RouteKind,
    /// Pieces with their directions, in the network that [`Answer`] has.
    pub pieces: Vec<Directed>,
    /// Whether it leads back to its start.
    pub closed: bool,
    /// The line along its streets, metres; a closed one doesn't repeat its first point.
    pub path: Vec<Point>,
    /// Half the width of the street from each point of the path to the next, metres.
    pub half_width_m: Vec<f64>,
    /// Length, metres.
    pub length_m: f64,
    /// Time along it with its corners rounded: from standstill, or of a lap, s.
    pub estimated_time_s: f64,
    /// Junctions at which it turns by 30° or more.
    pub turns: usize,
    /// Junctions that it passes straight on.
    pub straights: usize,
    /// Worth of the pick-ups beside it, s.
    pub worth_s: f64,
    /// Score with the weights of the options, s.
    pub score_s: f64,
    /// The middle of the first street that it drives twice, if there is one.
    pub repeats: Option<[f64; 2]>,
}

/// The answer to a [`Task`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The network with the stops as nodes.
    pub network: Network,
    /// The route.
    pub route: Route,
    /// The graph search's fastest route, if the route is that of the exhaustive search.
    pub fastest: Option<Route>,
    /// Number of paths that the exhaustive search compared.
    pub paths: Option<usize>,
    /// Number of states that the graph search expanded.
    pub nodes_expanded: usize,
}

impl Answer {
    /// Whether the exhaustive search and the graph search found the same route.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let fastest = self.fastest.as_ref();
        fastest.is_none_or(|fastest| {
            fastest.pieces == self.route.pieces || (fastest.score_s - self.route.score_s).abs() < SAME_S
        })
    }
}

/// The route through `network` that `task` asks for. The graph search compares up to 12 routes by
/// the time along the whole, and takes one that drives a street twice only if there is no other.
///
/// # Errors
/// [`NetworkError`]: a stop beside all streets, no route, too many vias or paths.
pub fn route(network: &Network, task: &Task) -> Result<Answer, NetworkError> {
    let options = task.options;
    options.validate()?;
    let mut network = network.clone();
    apply_one_way(&mut network, options)?;
    let stops = attach(&mut network, task.stops, task.closed, options)?;
    let kind = if options.kind() == RouteKind::Shortest { RouteKind::Shortest } else { RouteKind::Fastest };
    let mut steps = Steps::new(&network, task.vehicle, kind == RouteKind::Fastest);
    let (found, nodes_expanded) = best_routes(&mut steps, &stops);
    let measure = |pieces: Vec<Directed>, kind| Route::new(&network, pieces, kind, task);
    let cost = |route: &Route| match kind {
        RouteKind::Shortest => route.length_m,
        _ => route.estimated_time_s,
    };
    let routes = found.into_iter().map(|pieces| measure(pieces, kind));
    let best = routes.min_by(|a, b| a.repeats.is_some().cmp(&b.repeats.is_some()).then(cost(a).total_cmp(&cost(b))));
    let Some(best) = best else { return Err(no_route(&network, task, &stops)) };
    if options.kind() != RouteKind::Exhaustive {
        return Ok(Answer { route: best, fastest: None, paths: None, nodes_expanded, network });
    }
    let depth = options.depth();
    let paths = all_routes(&steps, &stops, depth)?;
    let count = paths.len();
    let weights = options.weights();
    let mut rough: Vec<(f64, Vec<Directed>)> = paths
        .into_iter()
        .map(|path| {
            let time_s = sum_of_steps(&mut steps, &path, task.closed);
            let rated = measure_without_time(&network, &path, task);
            (score(weights, time_s, &rated), path)
        })
        .collect();
    rough.sort_by(|a, b| a.0.total_cmp(&b.0));
    let timed = rough.into_iter().take(TIMED).map(|(_, path)| measure(path, RouteKind::Exhaustive));
    let Some(route) = timed.min_by(|a, b| a.score_s.total_cmp(&b.score_s)) else {
        return Err(NetworkError::TooShallow { depth, needed: best.pieces.len() });
    };
    Ok(Answer { route, fastest: Some(best), paths: Some(count), nodes_expanded, network })
}

fn no_route(network: &Network, task: &Task, stops: &Stops) -> NetworkError {
    let both = |piece: &super::Piece| super::Piece { directions: Directions::Both, ..piece.clone() };
    let free = Network { nodes: network.nodes.clone(), pieces: network.pieces.iter().map(both).collect() };
    let despite_one_way = !best_routes(&mut Steps::new(&free, task.vehicle, false), stops).0.is_empty();
    let [from_m, to_m] = [stops.from, stops.to].map(|node| {
        let place = network.nodes[node];
        [(place.x * 100.0).round() / 100.0, (place.y * 100.0).round() / 100.0]
    });
    NetworkError::NoRoute { from_m, to_m, despite_one_way }
}

fn sum_of_steps(steps: &mut Steps, path: &[Directed], closed: bool) -> f64 {
    let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return 0.0 };
    let ends = if closed { steps.between(last, first) } else { steps.beginning(first) + steps.end(last) };
    path.windows(2).map(|pair| steps.between(pair[0], pair[1])).sum::<f64>() + ends
}

/// What a score counts beside the time.
struct Rated {
    turns: usize,
    straights: usize,
    worth_s: f64,
}

fn score(weights: RouteWeights, time_s: f64, rated: &Rated) -> f64 {
    weights.time * time_s + weights.turn_s * rated.turns as f64
        - weights.straight_s * rated.straights as f64
        - weights.pick_up * rated.worth_s
}

fn measure_without_time(network: &Network, pieces: &[Directed], task: &Task) -> Rated {
    let degree = |node: usize| network.pieces.iter().flat_map(|piece| piece.ends).filter(|&end| end == node).count();
    let (mut turns, mut straights) = (0, 0);
    let joint = if task.closed { pieces.last().copied().zip(pieces.first().copied()) } else { None };
    for (before, after) in pieces.windows(2).map(|pair| (pair[0], pair[1])).chain(joint) {
        // A stop within a street is no junction.
        if degree(head(network, before)) > 2 {
            *if is_turn(network, before, after) { &mut turns } else { &mut straights } += 1;
        }
    }
    let is_passed = |pick_up: &&PickUp| {
        pieces.iter().any(|&directed| {
            let piece = piece(network, directed);
            let reach_m = pick_up.radius_m + piece.half_width_m;
            distance(&piece.line, Point::from(pick_up.at)) <= reach_m
        })
    };
    let worth_s = task.pick_ups.iter().filter(is_passed).map(|pick_up| pick_up.worth_s).sum();
    Rated { turns, straights, worth_s }
}

/// Distance of a point from a line, metres.
fn distance(line: &[Point], point: Point) -> f64 {
    let to_piece = |pair: &[Point]| Segment::new(pair[0], pair[1]).distance(point);
    line.windows(2).map(to_piece).fold(f64::INFINITY, f64::min)
}

impl Route {
    fn new(network: &Network, pieces: Vec<Directed>, kind: RouteKind, task: &Task) -> Self {
        let (mut path, mut half_width_m): (Vec<Point>, Vec<f64>) = (Vec::new(), Vec::new());
        for &directed in &pieces {
            let points = line(network, directed);
            half_width_m.extend(std::iter::repeat_n(piece(network, directed).half_width_m, points.len() - 1));
            path.extend(points.into_iter().skip(usize::from(!path.is_empty())));
        }
        let length_m = length_of(&path);
        let aside_m = aside_m(half_width_m.iter().copied().fold(f64::INFINITY, f64::min), task.vehicle);
        let estimated_time_s = if task.closed {
            lap_time_s(&path, aside_m, task.vehicle)
        } else {
            estimated_time_s(&path, aside_m, task.vehicle)
        };
        if task.closed {
            path.pop();
        }
        let rated = measure_without_time(network, &pieces, task);
        let mut driven = BTreeSet::new();
        let twice = pieces.iter().find(|&&directed| !driven.insert(directed / 2));
        let repeats = twice.map(|&directed| {
            let middle = piece(network, directed).middle();
            [middle.x, middle.y]
        });
        Self {
            kind,
            closed: task.closed,
            path,
            half_width_m,
            length_m,
            estimated_time_s,
            turns: rated.turns,
            straights: rated.straights,
            worth_s: rated.worth_s,
            score_s: score(task.options.weights(), estimated_time_s, &rated),
            repeats,
            pieces,
        }
    }

    /// Whether the route can become a road: no street twice, and none narrower than the vehicle.
    ///
    /// # Errors
    /// [`NetworkError::RepeatsStreet`], [`NetworkError::TooNarrow`].
    pub fn check(&self, vehicle: &Vehicle) -> Result<(), NetworkError> {
        if let Some([x_m, y_m]) = self.repeats {
            return Err(NetworkError::RepeatsStreet { x_m, y_m });
        }
        let needed_m = vehicle.width_m + 2.0 * vehicle.safety_distance_m;
        match self.half_width_m.iter().position(|half| 2.0 * half <= needed_m) {
            Some(index) => {
                let middle = nalgebra::center(&self.path[index], &self.path[(index + 1) % self.path.len()]);
                let width_m = 2.0 * self.half_width_m[index];
                Err(NetworkError::TooNarrow { x_m: middle.x, y_m: middle.y, width_m, needed_m })
            }
            None => Ok(()),
        }
    }
}

/// Time of a lap on a closed path whose last point is its first, s.
fn lap_time_s(path: &[Point], aside_m: f64, vehicle: &Vehicle) -> f64 {
    // The lap is cut in the middle of its longest straight, where nothing is rounded.
    let longest = (1..path.len()).max_by(|&a, &b| {
        let leg = |i: usize| (path[i] - path[i - 1]).norm();
        leg(a).total_cmp(&leg(b))
    });
    let Some(at) = longest else { return 0.0 };
    let middle = nalgebra::center(&path[at - 1], &path[at]);
    let round: Vec<Point> = [middle]
        .into_iter()
        .chain(path[at..].iter().copied())
        .chain(path[1..at].iter().copied())
        .chain([middle])
        .collect();
    let Some((mut curvature, steps)) = bends(&round, aside_m, vehicle) else { return 0.0 };
    curvature.pop();
    speed::profile(&curvature, &steps, true, vehicle).map_or(f64::INFINITY, |profile| profile.lap_time_s)
}
