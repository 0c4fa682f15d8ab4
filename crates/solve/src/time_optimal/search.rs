//! The search, round by round: stations on the line, the program on them, the next line.

use std::ops::Range;

use super::Status;
use super::interval::Car;
use super::lap_problem::{EQUATIONS, Gap, LIMITS, LapProblem, OFFSET, SPEED_SQUARED, UNKNOWNS, Units};
use super::power::Power;
use super::task::Task;
use crate::SolveError;
use crate::speed::{Course, Ground, Relief, SPEED_FLOOR_MPS, SpeedError, SpeedProfile};
use crate::stations::{self, GripProfile, Margin, ReferenceLine, Room, Spacing, Station, stations};
use raceline_car::{GgDiagram, Turning};
use raceline_numerics::math;
use raceline_numerics::nonlinear_program::{self, Acceptance, Settings};
use raceline_road::geometry::{CurvePoint, Point, SplineCurve};

/// The solution of the program of a round.
type Solution = nonlinear_program::Solution<UNKNOWNS, EQUATIONS, LIMITS>;

/// The line and statistics of the search.
#[derive(Clone, Debug)]
pub struct TimeOptimal {
    /// Points of the line in the order of travel, closer together where it bends; a closed line
    /// does not repeat its first point.
    pub points: Vec<Point>,
    /// How far the line may move at each point, regardless of the edges.
    pub(crate) rooms: Vec<Room>,
    /// How the last round ended. Check it: a line is returned even if the search has not converged.
    pub status: Status,
    /// Newton steps of each round.
    pub iterations: Vec<usize>,
    /// Number of factorisations in all rounds.
    pub factorisations: usize,
    /// Value of the objective, s: lap time on the stations plus the smoothness term.
    pub objective_s: f64,
    /// Largest violation of a limit, in the limit's unit: a fraction, except for offsets and
    /// speeds, which are relative to typical values.
    pub violation: f64,
}

/// Largest distance between stations in each round, in spacings of the track's cross-sections.
/// After the first round, the normals, the spacing and the distance of the curve from its control
/// points are those of the line itself.
const LONGEST_SPACINGS: [f64; 2] = [1.6, 1.0];
/// Initial and final barrier of each round, as fractions of the mean time between stations. The
/// first round's line is only where the second begins.
const BARRIERS: [(f64, f64); 2] = [(2e-2, 1e-4), (1e-3, 1e-6)];
/// The last round is repeated while the line that it found asks for less than this fraction of its
/// weight of smoothness, at most so many times: where a road hardly determines the line, that
/// follows the weight, and two rounds have not settled it. Of 385 roads two are below a half, at
/// 0.31 and 0.42, and their laps get 0.11 and 0.08 % faster; the others have 0.59 to 1.03.
const UNSETTLED: (f64, usize) = (0.5, 3);
/// Stations of laps that are compared, by those of a search. A bound between two stations, as at
/// the end of a strip, is kept at the nearest ones alone: with as many stations as in a search, a
/// multiplier jumps by up to 5 % where another station comes next to the end. More take longer, in
/// proportion.
const COMPARED_STATIONS: f64 = 2.0;
/// Final barrier of laps that are compared, as a fraction of the mean time between stations: with
/// that of a search, differences of a millisecond are uncertain by a hundredth.
const COMPARED_BARRIER: f64 = 1e-8;
/// Maximum number of Newton steps in a round.
const MAX_ITERATIONS: usize = 200;
/// A round begins with this fraction of the start line's speeds, so that its start is inside the
/// limits.
const STARTING_SPEED_FRACTION: f64 = 0.95;
/// Smoothness term of the start of a round, as a fraction of its lap time.
const SMOOTHNESS_FRACTION: f64 = 1e-3;
/// Lower and upper bound on the length over which curvature is taken to change, in mean widths of
/// the road. Without bounds it would be infinite on a circle and zero at a kink.
const CHANGE_WIDTHS: (f64, f64) = (2.0, 10.0);
/// Lower bound on the integral of squared curvature of a line, times the mean width of the road.
const MIN_BENDING: f64 = 0.1;
/// Fraction of the steering's largest curvature that is used: between stations the curvature is
/// slightly larger than at them.
const CURVATURE_FRACTION: f64 = 0.98;
/// Lowest upper bound on w at an open end, m²/s². A standing start is at the square of
/// [`SPEED_FLOOR_MPS`]; this bound leaves an interior above it.
const LOWEST_END_SPEED_SQUARED: f64 = 0.01;
/// The speed at an open end is fixed where the profile of the start line reaches this fraction of
/// it.
pub(crate) const GIVEN_SPEED_FRACTION: f64 = 0.999;

/// Finds the line of minimum lap time near the line that crosses the corridor's sections at
/// `alpha`.
///
/// # Errors
/// [`SolveError::Degenerate`] when points of the line coincide, [`SolveError::Speed`] for a vehicle
/// that cannot be simulated.
pub fn time_optimal(task: Task, alpha: &[f64]) -> Result<TimeOptimal, SolveError> {
    in_rounds(task, alpha, 0..BARRIERS.len())
}

/// Like [`time_optimal`], without the last round, whose stations and barrier make the lap exact:
/// for a line that another search starts from.
///
/// # Errors
/// Those of [`time_optimal`].
pub(crate) fn time_optimal_roughly(task: Task, alpha: &[f64]) -> Result<TimeOptimal, SolveError> {
    in_rounds(task, alpha, 0..BARRIERS.len() - 1)
}

/// Like [`time_optimal`], in the last round alone, whose first barrier leaves the line where it is:
/// for one that is nearly the fastest.
///
/// # Errors
/// Those of [`time_optimal`].
pub(crate) fn time_optimal_near(task: Task, alpha: &[f64]) -> Result<TimeOptimal, SolveError> {
    in_rounds(task, alpha, BARRIERS.len() - 1..BARRIERS.len())
}

/// The line of [`time_optimal`], from that of [`time_optimal_roughly`] on. A line that had the last
/// round stays as it is.
///
/// # Errors
/// Those of [`time_optimal`].
pub(crate) fn time_optimal_from(task: Task, rough: TimeOptimal) -> Result<TimeOptimal, SolveError> {
    let curve = SplineCurve::through(&rough.points, task.corridor.closed).ok_or(SolveError::Degenerate)?;
    let line = ReferenceLine { curve, rooms: rough.rooms.clone() };
    let rounds = rough.iterations.len().min(BARRIERS.len())..BARRIERS.len();
    on_in_rounds(task, line, rough, rounds)
}

/// The search in these rounds.
fn in_rounds(task: Task, alpha: &[f64], rounds: Range<usize>) -> Result<TimeOptimal, SolveError> {
    let line = ReferenceLine::through(task.corridor, alpha, task.margin_m)?;
    let found = TimeOptimal {
        points: Vec::new(),
        rooms: Vec::new(),
        status: Status::Stopped,
        iterations: Vec::new(),
        factorisations: 0,
        objective_s: 0.0,
        violation: 0.0,
    };
    on_in_rounds(task, line, found, rounds)
}

/// The search in these rounds from a line on, after the rounds that `found` had.
fn on_in_rounds(
    task: Task,
    mut line: ReferenceLine,
    mut found: TimeOptimal,
    rounds: Range<usize>,
) -> Result<TimeOptimal, SolveError> {
    let diagram = GgDiagram::new(task.lap.vehicle).map_err(SpeedError::from)?;
    let width_m = task.corridor.mean_width();
    let (mut index, mut repeated) = (rounds.start, 0);
    while index < rounds.end {
        let spacing = Spacing { longest_m: LONGEST_SPACINGS[index] * task.spacing_m, ..Spacing::of_stations(width_m) };
        let (stations, grounds, profiles) = stations_of(task, &line, spacing);
        let round = Round::new(task, &stations, grounds, &profiles)?;
        // The weight of each round is that of its own start: the last one hardly depends on where
        // the search began.
        let weight = round.smoothing();
        let (points, solution, lap_time_s) = round.solve(&diagram, weight, BARRIERS[index])?;
        let has_converged = solution.status == Status::Converged;
        if repeated > 0 && !has_converged {
            break; // The line of the round before is the better one.
        }
        let curve = SplineCurve::through(&points, task.corridor.closed).ok_or(SolveError::Degenerate)?;
        let rooms = stations.iter().zip(&points).map(|(station, &point)| station.room(point, width_m)).collect();
        let (fraction, repetitions) = UNSETTLED;
        let is_settled = || smoothing(bends_at_knots(&curve), lap_time_s, width_m) >= fraction * weight;
        if index + 1 == BARRIERS.len() && has_converged && repeated < repetitions && !is_settled() {
            repeated += 1;
        } else {
            index += 1;
        }
        line = ReferenceLine { curve, rooms };
        found.points = points;
        found.status = solution.status;
        found.iterations.push(solution.iterations);
        found.factorisations += solution.factorisations;
        found.objective_s = solution.values.objective;
        found.violation = solution.values.violation();
    }
    found.rooms = line.rooms;
    Ok(found)
}

/// Lap time on the stations of the line that crosses the corridor's sections at `alpha`, which is
/// near the fastest one, s, and the weight of smoothness: the specified one, or that of the line.
/// `None` where the search does not converge.
///
/// Laps with other bounds and maximum speeds, but on the same stations and with the same weight,
/// differ by what those change, without the error of laps on stations of their own.
///
/// # Errors
/// Those of [`time_optimal`].
pub(crate) fn lap_near(task: Task, alpha: &[f64], smoothing: Option<f64>) -> Result<Option<(f64, f64)>, SolveError> {
    let diagram = GgDiagram::new(task.lap.vehicle).map_err(SpeedError::from)?;
    let line = ReferenceLine::through(task.corridor, alpha, task.margin_m)?;
    let usual = Spacing { longest_m: task.spacing_m, ..Spacing::of_stations(task.corridor.mean_width()) };
    let spacing = Spacing {
        longest_m: usual.longest_m / COMPARED_STATIONS,
        sag_m: usual.sag_m / (COMPARED_STATIONS * COMPARED_STATIONS),
    };
    let (stations, grounds, profiles) = stations_of(task, &line, spacing);
    let round = Round::new(task, &stations, grounds, &profiles)?;
    let smoothing = smoothing.unwrap_or_else(|| round.smoothing());
    let (_, solution, lap_time_s) = round.solve(&diagram, smoothing, (BARRIERS[0].0, COMPARED_BARRIER))?;
    Ok((solution.status == Status::Converged).then_some((lap_time_s, smoothing)))
}

/// The stations of a line with the road at each, and the profiles of grip across it.
fn stations_of(
    task: Task,
    line: &ReferenceLine,
    spacing: Spacing,
) -> (Vec<Station>, Option<Vec<Ground>>, Vec<GripProfile>) {
    let margin = Margin { edges: task.edges, distance_m: task.margin_m };
    let mut stations = stations(line, spacing.places(&line.curve), margin, task.lap.caps);
    let profiles = stations::set_grip(&mut stations, task.lap.grip);
    let grounds = task.lap.relief.map(|relief| grounds(relief, &line.curve, &mut stations));
    (stations, grounds, profiles)
}

/// The road under each station; sets the stations' grounds, which are means over their steps.
fn grounds(relief: &dyn Relief, curve: &SplineCurve, stations: &mut [Station]) -> Vec<Ground> {
    let mut place = 0.0;
    let points: Vec<CurvePoint> = stations
        .iter()
        .map(|station| {
            let point = curve.at(place);
            place += station.step;
            point
        })
        .collect();
    let grounds = relief.along(&points);
    for (i, station) in stations.iter_mut().enumerate() {
        station.ground = grounds[i].mean(&grounds[(i + 1) % grounds.len()]);
    }
    grounds
}

/// An interval between two stations.
struct Bend {
    /// Curvature at its ends, 1/m.
    curvatures: [f64; 2],
    step_m: f64,
}

/// The intervals between the points of a curve.
fn bends_at_knots(curve: &SplineCurve) -> impl Iterator<Item = Bend> {
    let mut knots = curve.positions().iter().map(|&s| (s, curve.at(s).curvature()));
    let first = knots.next();
    knots.scan(first, |before, (s, to)| {
        let (start, from) = before.replace((s, to))?;
        Some(Bend { curvatures: [from, to], step_m: s - start })
    })
}

/// λ, the weight of smoothness by a line of these intervals with this lap time, on a road of mean
/// width `width_m`, s m³.
fn smoothing(bends: impl Iterator<Item = Bend>, lap_time_s: f64, width_m: f64) -> f64 {
    let (mut changes, mut bending) = (0.0, 0.0);
    for Bend { curvatures: [from, to], step_m } in bends {
        changes += math::powi(to - from, 2) / step_m;
        bending += math::powi(from, 2) * step_m;
    }
    let bending = bending.max(MIN_BENDING / width_m);
    let changes_over = |widths: f64| bending / math::powi(widths * width_m, 2);
    let (shortest, longest) = CHANGE_WIDTHS;
    SMOOTHNESS_FRACTION * lap_time_s / changes.clamp(changes_over(longest), changes_over(shortest))
}

/// A problem on fixed stations.
struct Round<'a> {
    task: Task<'a>,
    stations: &'a [Station],
    profiles: &'a [GripProfile],
    /// Curvature of the start line at each station, and its speed profile.
    curvature: Vec<f64>,
    profile: SpeedProfile,
}

impl<'a> Round<'a> {
    fn new(
        task: Task<'a>,
        stations: &'a [Station],
        grounds: Option<Vec<Ground>>,
        profiles: &'a [GripProfile],
    ) -> Result<Self, SolveError> {
        let curvature: Vec<f64> = stations.iter().map(|station| station.curvature).collect();
        let profile = task.profile(stations, grounds.as_deref())?;
        Ok(Self { task, stations, profiles, curvature, profile })
    }

    /// λ, the weight of smoothness, s m³.
    fn smoothing(&self) -> f64 {
        let n = self.stations.len();
        let intervals = if self.task.corridor.closed { n } else { n - 1 };
        let bends = (0..intervals).map(|i| Bend {
            curvatures: [self.curvature[i], self.curvature[(i + 1) % n]],
            step_m: self.stations[i].step,
        });
        smoothing(bends, self.profile.lap_time_s, self.task.corridor.mean_width())
    }

    /// The points of the line, statistics of their search with its objective in s, and the lap time
    /// on the stations, s.
    fn solve(
        &self,
        diagram: &GgDiagram,
        smoothing: f64,
        (first_barrier, last_barrier): (f64, f64),
    ) -> Result<(Vec<Point>, Solution, f64), SolveError> {
        let n = self.stations.len();
        let closed = self.task.corridor.closed;
        // Equation (5): the bounds apply to the curve, the unknowns are its control points.
        let insets = stations::insets(self.stations, closed);
        let stations: Vec<Station> = self
            .stations
            .iter()
            .zip(&insets)
            .map(|(station, inset)| Station { low: station.low - inset, high: station.high - inset, ..*station })
            .collect();
        let speed_squared = self.profile.speed_mps.iter().map(|speed| math::powi(STARTING_SPEED_FRACTION * speed, 2));
        let mut start: Vec<[f64; UNKNOWNS]> =
            insets.iter().zip(speed_squared).map(|(inset, speed_squared)| [-inset, speed_squared]).collect();
        let turning = self.turning();
        let units = Units {
            time: self.profile.lap_time_s / n as f64,
            offset: stations.iter().map(|station| station.high - station.low).sum::<f64>() / n as f64,
            speed_squared: start.iter().map(|x| x[SPEED_SQUARED]).sum::<f64>() / n as f64,
        };
        let problem = LapProblem {
            stations: &stations,
            profiles: self.profiles,
            gaps: (0..n).map(|i| Gap::between(&stations[i], &stations[(i + 1) % n], &turning)).collect(),
            closed,
            car: Car {
                diagram,
                turning,
                power: Power::new(diagram.exponent()),
                driving_power: Power::new(diagram.driving_exponent()),
            },
            smoothing,
            max_curvature: CURVATURE_FRACTION * self.task.lap.vehicle.max_curvature_radpm,
            min_speed_squared: 0.25 * SPEED_FLOOR_MPS * SPEED_FLOOR_MPS,
            max_speed_squared: self.max_speed_squared(diagram),
            units,
            fixed: self.fixed(&mut start),
        };
        let settings = Settings {
            first_barrier,
            last_barrier,
            max_iterations: MAX_ITERATIONS,
            // There are no equations, and the start is inside the limits.
            acceptance: Acceptance::Merit,
            usual_multiplier: None,
            ..Settings::default()
        };
        let mut solution = nonlinear_program::solve(&problem, start, None, &settings, &mut |_| {})?;
        let control: Vec<Point> =
            stations.iter().zip(&solution.x).map(|(station, x)| station.point(x[OFFSET])).collect();
        let lap_time_s = problem.lap_time_s(&solution.x);
        solution.values.objective *= units.time;
        Ok((stations::knots(&control, closed), solution, lap_time_s))
    }

    /// Costs of turning the vehicle.
    fn turning(&self) -> Turning {
        self.task.lap.speeds.turning.of(self.task.lap.vehicle)
    }

    /// Upper bounds on w at the stations, m²/s².
    fn max_speed_squared(&self, diagram: &GgDiagram) -> Vec<f64> {
        let n = self.stations.len();
        let ceiling = diagram.max_speed_squared();
        // A ground is that of the step after its station.
        let flying = |i: usize| self.stations[i].ground.flying_speed_squared(diagram.lateral_downforce_over_mass());
        let mut highest: Vec<f64> = (0..n).map(|i| ceiling.min(flying(i)).min(flying((i + n - 1) % n))).collect();
        for (highest, station) in highest.iter_mut().zip(self.stations) {
            *highest = highest.min(station.max_speed_mps * station.max_speed_mps);
        }
        let (first, last) = self.speed_squared_ends(ceiling);
        highest[0] = highest[0].min(first);
        highest[n - 1] = highest[n - 1].min(last);
        highest
    }

    /// Upper bounds at the ends of an open course; a specified speed that is reached is fixed
    /// instead.
    fn speed_squared_ends(&self, ceiling: f64) -> (f64, f64) {
        let highest = |given: Option<f64>| {
            given.map_or(ceiling, |speed| (speed * speed).clamp(LOWEST_END_SPEED_SQUARED, ceiling))
        };
        match self.task.lap.speeds.course(self.task.corridor.closed) {
            Course::Closed => (ceiling, ceiling),
            Course::Open { start_speed_mps, end_speed_mps } => (highest(start_speed_mps), highest(end_speed_mps)),
        }
    }

    /// Sets the specified values at the ends of an open course, and returns the indices of those
    /// unknowns.
    fn fixed(&self, start: &mut [[f64; UNKNOWNS]]) -> Vec<usize> {
        let corridor = self.task.corridor;
        let Course::Open { start_speed_mps, end_speed_mps } = self.task.lap.speeds.course(corridor.closed) else {
            return Vec::new();
        };
        let last = self.stations.len() - 1;
        let mut fixed = Vec::new();
        let ends = [(0, start_speed_mps), (last, end_speed_mps)];
        for ((station, given), is_pinned) in ends.into_iter().zip(corridor.pinned_ends()) {
            if is_pinned {
                fixed.push(2 * station);
            }
            let reached = self.profile.speed_mps[station];
            if given.is_some_and(|given| reached >= GIVEN_SPEED_FRACTION * given) {
                start[station][SPEED_SQUARED] = reached * reached;
                fixed.push(2 * station + 1);
            }
        }
        fixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Corridor, EdgeDistance};
    use raceline_car::preset;
    use raceline_road::edges::RoadShape;
    use raceline_road::track::{Track, TrackOptions};

    #[test]
    fn a_search_that_goes_on_from_its_first_rounds_is_the_whole_one_to_the_bit() {
        let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 90.0;
        let middle: Vec<[f64; 2]> = (0..90).map(|i| [70.0 * angle(i).cos(), 35.0 * angle(i).sin()]).collect();
        let widths = [[5.0, 4.0]; 90];
        let track = Track::from_centre_line(&middle, &widths, RoadShape::Closed, &TrackOptions::default()).unwrap();
        let (vehicle, edges) = (preset("kart").unwrap(), EdgeDistance::new(&track));
        let (margin_m, spacing_m) = (vehicle.margin_m(), track.spacing_m);
        let corridor = Corridor::new(&track, &edges, margin_m).unwrap();
        let task = Task { corridor: &corridor, edges: &edges, margin_m, spacing_m, lap: (&vehicle).into() };
        let whole = time_optimal(task, &corridor.middle()).unwrap();
        let rough = time_optimal_roughly(task, &corridor.middle()).unwrap();
        assert_eq!(rough.iterations, whole.iterations[..BARRIERS.len() - 1]);
        assert_ne!(rough.points, whole.points);
        let finished = time_optimal_from(task, rough).unwrap();
        assert_eq!((&finished.points, &finished.iterations), (&whole.points, &whole.iterations));
        assert_eq!((finished.objective_s, finished.factorisations), (whole.objective_s, whole.factorisations));
        assert_eq!(time_optimal_from(task, finished).unwrap().points, whole.points);
    }
}
