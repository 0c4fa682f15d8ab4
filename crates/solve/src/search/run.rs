//! The search of one vehicle's lines on a prepared road: what the methods find their lines with,
//! and how their lines become candidates.

use std::sync::Arc;

use raceline_car::Vehicle;
use raceline_file::Method;
use raceline_road::geometry::{Point, SplineCurve};

use super::detail::Detail;
use super::found_line::FoundLine;
use super::line::Line;
use super::options::LineOptions;
use super::point_spacing::point_spacing_m;
use super::prepared_road::PreparedRoad;
use super::progress::Progress;
use super::region_constraints::region_constraints;
use super::summary::{LapEnergy, LineStatus};
use super::warning::LineWarning;
use crate::car::{CarLap, CarState, Optimum};
use crate::speed::{DrivenLine, Lap, places_at_ends};
use crate::time_optimal::Task;
use crate::{Fault, Margin, Parent, SolveError, SolverReport, Soundness, Spacing, SteeringLimit};

/// A gain of less than this fraction of the other line's lap time is within the effect of the
/// distance between stations. In this case the other line is used, which is the simpler one.
const MIN_GAIN_FRACTION: f64 = 2e-4;
/// A margin that is violated by more than this fraction of it is reported as a warning.
const MARGIN_WARNING_FRACTION: f64 = 0.01;
/// Maximum number of knots of a curve per point on it. Where it has more, it can turn to one side
/// and back between two points, and each point has the curvature of one of the two; the line is
/// then the spline through its points.
const KNOTS_PER_POINT: f64 = 2.0;

/// The search for one vehicle.
pub struct Run<'a> {
    /// The options.
    pub options: &'a LineOptions,
    /// The road, with the corridor, the edges and the margin.
    pub road: &'a PreparedRoad,
    /// The vehicle in the conditions of the road.
    pub lap: Lap<'a>,
    /// The vehicle on whose tyres a car is: see [`car_lap_on`](crate::car::car_lap_on).
    pub tyres: &'a Vehicle,
    /// Receives the stages.
    pub progress: &'a dyn Progress,
    /// Distance between the points of a line.
    pub spacing: Spacing,
    /// Warnings, in the order of the search.
    pub warnings: Vec<LineWarning>,
    /// Reports of the solvers, in the order of the search.
    pub details: Vec<Detail>,
    of_road: &'a [(Method, Parent)],
    steering: SteeringLimit<'a>,
    soundness: Soundness,
    found: Vec<FoundLine>,
    /// α of the lines from which others can start.
    starts: Vec<(Method, Vec<f64>)>,
    /// The last line that is not sound.
    failed: Option<(Method, Fault)>,
    optimum: Option<Optimum>,
    energy: Option<LapEnergy>,
}

/// Whether a line is faster than a lap time by more than the effect of the distance between
/// stations.
pub fn is_gain(driven: &DrivenLine, lap_time_s: f64) -> bool {
    driven.lap_time_s() < (1.0 - MIN_GAIN_FRACTION) * lap_time_s
}

impl<'a> Run<'a> {
    /// A search without lines yet. `of_road` are those that depend on the road alone; a car is on
    /// the tyres of the second vehicle.
    ///
    /// # Errors
    /// A distance between points that is out of its range.
    pub fn new(
        road: &'a PreparedRoad,
        of_road: &'a [(Method, Parent)],
        options: &'a LineOptions,
        (vehicle, tyres): (&'a Vehicle, &'a Vehicle),
        progress: &'a dyn Progress,
    ) -> Result<Self, SolveError> {
        let (track, edges, margin_m) = (&road.road.track, &road.road.edges, road.margin_m);
        let width_m = track.mean_width();
        let limit_radpm = vehicle.max_curvature_radpm;
        let heights = road.conditions.smoothing_deviation_m();
        Ok(Self {
            options,
            road,
            lap: road.conditions.lap(vehicle, options.speed),
            tyres,
            progress,
            spacing: Spacing::of_points(point_spacing_m(track, vehicle, options.point_spacing_m)?, width_m),
            warnings: road.warnings.clone(),
            details: heights.map(|deviation_m| Detail::HeightsSmoothed { deviation_m }).into_iter().collect(),
            of_road,
            steering: SteeringLimit {
                limit_radpm,
                margin: Margin { edges, distance_m: margin_m },
                spacing: Spacing { longest_m: track.spacing_m, ..Spacing::of_stations(width_m) },
                width_m,
                pinned: road.corridor.pinned_ends(),
            },
            soundness: Soundness::new(track, margin_m, limit_radpm),
            found: Vec::new(),
            starts: Vec::new(),
            failed: None,
            optimum: None,
            energy: None,
        })
    }

    /// The input of the optimal-control problems.
    #[must_use]
    pub fn task(&self) -> Task<'a> {
        let PreparedRoad { road, corridor, margin_m, .. } = self.road;
        Task { corridor, edges: &road.edges, margin_m: *margin_m, spacing_m: road.track.spacing_m, lap: self.lap }
    }

    /// Simulates the vehicle on a line near `points` that its steering allows.
    ///
    /// # Errors
    /// Points that coincide, and a vehicle that cannot be simulated.
    pub fn drive(&self, points: &[Point]) -> Result<DrivenLine, SolveError> {
        let curve = self.steering.curve_through(points, self.road.corridor.closed)?;
        let places = places_at_ends(self.spacing.places(&curve), &curve, self.lap.caps);
        Ok(match self.through_places(&curve, &places) {
            Some(through) => DrivenLine::at_knots(through, self.lap)?,
            None => DrivenLine::along(curve, places, self.lap)?,
        })
    }

    /// The spline through the points of `curve` at `places`, where the curve has more than
    /// [`KNOTS_PER_POINT`] knots for each of them; `None` where it has fewer, or where the wheels
    /// don't reach the spline's curvature.
    fn through_places(&self, curve: &SplineCurve, places: &[f64]) -> Option<SplineCurve> {
        if curve.positions().len() as f64 <= KNOTS_PER_POINT * places.len() as f64 {
            return None;
        }
        let points: Vec<Point> = places.iter().map(|&place| curve.at(place).position).collect();
        let through = SplineCurve::through(&points, curve.is_closed())?;
        (self.steering.sharpest(&through) <= self.steering.limit_radpm).then_some(through)
    }

    /// Simulates the vehicle on a line near the one through `alpha` of each cross-section.
    ///
    /// # Errors
    /// See [`Self::drive`].
    pub fn drive_through(&self, alpha: &[f64]) -> Result<DrivenLine, SolveError> {
        self.drive(&self.road.corridor.points(alpha))
    }

    /// α of the sound line of `method`, on each cross-section; `None` if it has none.
    #[must_use]
    pub fn start(&self, method: Method) -> Option<&[f64]> {
        self.starts.iter().find(|(of, _)| *of == method).map(|(_, alpha)| &**alpha)
    }

    /// α of the fastest sound line that other lines can start from.
    ///
    /// # Errors
    /// [`SolveError::NoSoundLine`] if there is none.
    pub fn best_start(&self) -> Result<&[f64], SolveError> {
        let lap_time_s = |method: Method| {
            let found = self.found.iter().find(|found| found.method == method);
            found.map_or(f64::INFINITY, |found| found.driven.lap_time_s())
        };
        let best = self.starts.iter().min_by(|a, b| lap_time_s(a.0).total_cmp(&lap_time_s(b.0)));
        best.map(|(_, alpha)| &**alpha).ok_or_else(|| self.no_line())
    }

    /// Other methods that start from `method` start from `alpha`.
    pub fn start_from(&mut self, method: Method, alpha: Vec<f64>) {
        self.starts.push((method, alpha));
    }

    /// Adds the line of `method` that depends on the road alone, if it is sound, and lets others
    /// start from it.
    ///
    /// # Errors
    /// See [`Self::drive`].
    pub fn accept_of_road(&mut self, method: Method) -> Result<(), SolveError> {
        let of_road = self.of_road.iter().find(|(of, _)| *of == method);
        let (_, parent) = of_road.ok_or(SolveError::Degenerate)?;
        let status = self.report_programs(method, &parent.report);
        let driven = self.drive_through(&parent.alpha)?;
        if self.accept(method, status, driven).is_ok() {
            self.start_from(method, parent.alpha.clone());
        }
        Ok(())
    }

    /// Adds a line if it is sound, else a warning.
    ///
    /// # Errors
    /// Why it is not sound.
    pub fn accept(&mut self, method: Method, status: LineStatus, driven: DrivenLine) -> Result<(), Fault> {
        if let Some(fault) = self.soundness.fault(&driven, &self.road.road.edges) {
            let fault = fault.moved_by(self.road.road.origin);
            self.warnings.push(LineWarning::CandidateFailed { method, fault });
            self.failed = Some((method, fault));
            return Err(fault);
        }
        self.found.push(FoundLine { method, status, driven, car: None });
        Ok(())
    }

    /// Adds a line that should be faster than those before it, or the fastest of them if it is not
    /// or not sound. Returns whether it is sound.
    pub fn accept_if_faster(&mut self, method: Method, status: LineStatus, driven: DrivenLine) -> bool {
        let best = self.best().map_or(f64::INFINITY, |best| best.driven.lap_time_s());
        if !is_gain(&driven, best) {
            self.keep_best(method);
            return true;
        }
        let is_sound = self.accept(method, status, driven).is_ok();
        if !is_sound {
            self.keep_best(method);
        }
        is_sound
    }

    /// Adds the fastest line again, for a method that found no better one.
    pub fn keep_best(&mut self, method: Method) {
        let Some(best) = self.best() else { return };
        let (by, driven) = (best.method, best.driven.clone());
        self.details.push(Detail::NoGain { method, kept: by });
        self.found.push(FoundLine { method, status: LineStatus::Replaced { by }, driven, car: None });
    }

    /// The last line that was added is the lap `found` of a car with these states at its points.
    pub fn set_car(&mut self, found: CarLap, states: Vec<CarState>) {
        if let Some(last) = self.found.last_mut() {
            last.car = Some(states);
            self.energy = Some(LapEnergy { energy_j: found.energy_j, seconds_per_joule: found.energy_price_spj });
            self.optimum = Some(found.optimum);
        }
    }

    /// Reports the quadratic programs of a line. Returns the status of the line.
    pub fn report_programs(&mut self, method: Method, report: &SolverReport) -> LineStatus {
        let &SolverReport { solves, iterations, unsolved, complementarity, dual_residual, .. } = report;
        self.details.push(Detail::Programs { method, solves, iterations, complementarity, dual_residual });
        if unsolved > 0 {
            self.warnings.push(LineWarning::ProgramsUnsolved { method, unsolved, solves });
        } else if !report.settled {
            self.warnings.push(LineWarning::StillMoving { method });
        }
        if report.converged() { LineStatus::Solved } else { LineStatus::NotConverged }
    }

    /// The line of the options' method, when all methods have searched.
    ///
    /// # Errors
    /// [`SolveError::NoSoundLine`] if it is not sound.
    pub fn line(mut self) -> Result<Line, SolveError> {
        let method = self.options.method;
        let chosen = self.found.iter().position(|found| found.method == method).ok_or_else(|| self.no_line())?;
        let closed = self.road.road.track.closed;
        let speed = &self.options.speed;
        if closed && (speed.start_speed_mps.is_some() || speed.end_speed_mps.is_some()) {
            self.warnings.push(LineWarning::EndSpeedsOnClosedRoad);
        }
        self.check_margins();
        let found = &self.found[chosen];
        let mut constraints = self.road.conditions.constraints(self.options, self.road.source.origin);
        constraints.extend(region_constraints(&self.road.source, self.options)?);
        Ok(Line {
            method,
            status: found.status,
            closed,
            lap_time_s: found.driven.lap_time_s(),
            length_m: found.driven.arc_length_whole_m,
            optimum: self.optimum,
            energy: self.energy,
            decisions: self.road.decisions.clone(),
            constraints,
            warnings: self.warnings,
            details: self.details,
            candidates: self.found,
            chosen,
            source: Arc::clone(&self.road.source),
        })
    }

    fn best(&self) -> Option<&FoundLine> {
        self.found.iter().min_by(|a, b| a.driven.lap_time_s().total_cmp(&b.driven.lap_time_s()))
    }

    fn no_line(&self) -> SolveError {
        let Some((method, fault)) = self.failed else { return SolveError::Degenerate };
        SolveError::NoSoundLine { method: method.name(), fault }
    }

    fn check_margins(&mut self) {
        let (edges, margin_m) = (&self.road.road.edges, self.road.margin_m);
        for candidate in &self.found {
            let method = candidate.method;
            let missing_m = candidate.driven.between().map(|p| edges.missing_m(p, margin_m)).fold(0.0, f64::max);
            self.details.push(Detail::Margin { method, missing_m });
            if missing_m > MARGIN_WARNING_FRACTION * margin_m {
                self.warnings.push(LineWarning::MarginMissed { method, missing_m, margin_m });
            }
        }
    }
}
