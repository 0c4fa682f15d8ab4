//! Track → driven candidate lines: the corridor, both parents, their blend, the time-optimal line,
//! and the choice among them.

use std::sync::Arc;

use super::driven_candidate::DrivenCandidate;
use super::point_spacing::point_spacing_m;
use super::{Detail, LapEnergy, Progress, Warning, passing};
use crate::file::Method;
use crate::geometry::{Point, SplineCurve};
use crate::options::Options;
use crate::solve::blend::blend;
use crate::solve::car::{self, CarLap, Optimum, car_lap_on};
use crate::solve::min_curvature::{iterated_min_curvature, min_curvature};
use crate::solve::passing::Decisions;
use crate::solve::relaxation::relaxation;
use crate::solve::sampled::sampled;
use crate::solve::shortest_path::shortest_path;
use crate::solve::time_optimal::{Task, time_optimal};
use crate::solve::{
    Corridor, EdgeDistance, Fault, LoadedRelief, LocalRoad, Margin, Model, Objective, Parent, SolveError, Soundness,
    Spacing, SteeringLimit,
};
use crate::speed::{Course, DrivenLine, Lap, SpeedOptions};
use crate::track::{Track, TrackGrip, TrackRelief, usable};
use crate::vehicle::Vehicle;

/// A gain of less than this fraction of the better parent's lap time is within the effect of the
/// distance between stations. In this case the parent is used, which is the simpler line.
const MIN_GAIN_FRACTION: f64 = 2e-4;
/// A margin that is violated by more than this fraction of it is reported as a warning.
const MARGIN_WARNING_FRACTION: f64 = 0.01;

/// The lines that the search found, with its warnings and details.
pub(super) struct LineSearch {
    /// In the order of [`Method`]; those that the selected method requires.
    pub candidates: Vec<DrivenCandidate>,
    /// The car's lap with its multipliers, where the line is a car's.
    pub optimum: Option<Optimum>,
    /// Energy, where the objective is energy.
    pub energy: Option<LapEnergy>,
    /// How obstacles are passed and pick-ups taken, where there are any.
    pub decisions: Option<Decisions>,
    /// The road that the vehicle may use.
    pub road: Arc<LocalRoad>,
    /// The road as its source describes it.
    pub reported: Arc<LocalRoad>,
    pub warnings: Vec<Warning>,
    pub details: Vec<Detail>,
}

/// The part of a search that depends on the vehicle only by its margin.
pub(super) struct Prepared {
    pub reported: Arc<LocalRoad>,
    pub road: Arc<LocalRoad>,
    pub margin_m: f64,
    corridor: Corridor,
    shortest: Option<Parent>,
    curved: Option<Parent>,
    decisions: Option<Decisions>,
    pub warnings: Vec<Warning>,
}

/// Finds the lines that `options.method` requires.
pub(super) fn search(
    track: &Track,
    options: &Options,
    vehicle: &Vehicle,
    progress: &dyn Progress,
) -> Result<LineSearch, SolveError> {
    options.solve.validate()?;
    options.relief.validate()?;
    options.load.validate()?;
    let prepared = prepare(Arc::new(LocalRoad::new(track)), options, vehicle, progress)?;
    search_prepared(&prepared, options, (vehicle, vehicle), progress)
}

/// How the search for the car's lap ended.
pub(super) enum CarSearch {
    /// The lap is a candidate.
    Found,
    /// The lap has not converged.
    NotConverged { steps: usize },
    /// The lap's line is not a racing line.
    Unsound(Fault),
}

/// Finds the corridor and the parents for all vehicles with the margin of `vehicle`.
pub(super) fn prepare(
    road: Arc<LocalRoad>,
    options: &Options,
    vehicle: &Vehicle,
    progress: &dyn Progress,
) -> Result<Prepared, SolveError> {
    if options.solve.objective == Objective::Energy && options.method != Method::TimeOptimal {
        return Err(SolveError::EnergyObjective { needs: "requires method = time-optimal" });
    }
    let reported = road;
    let (safety_m, length_m) = (vehicle.safety_distance_m, vehicle.length_m);
    let road = match usable(&reported.track, &options.clearance, &options.track, safety_m, length_m)? {
        Some(track) => Arc::new(LocalRoad { edges: EdgeDistance::new(&track), track, origin: reported.origin }),
        None => Arc::clone(&reported),
    };
    let margin_m = vehicle.margin_m() + road.track.edge_uncertainty_m;
    let (road, decisions) = passing::decide(road, options, vehicle, margin_m, progress)?;
    let mut corridor =
        Corridor::new(&road.track, &road.edges, margin_m).map_err(|error| error.moved_by(road.origin))?;
    let warnings = corridor.pin_ends(&options.solve).into_iter().map(Warning::from).collect();
    progress.stage("solving shortest path and minimum curvature");
    let (shortest, curved) = rayon::join(
        || {
            let unwanted = matches!(options.method, Method::MinCurvature | Method::IteratedMinCurvature);
            (!unwanted && !without_parents(options.method))
                .then(|| shortest_path(&corridor, &options.solve))
                .transpose()
        },
        || {
            let wanted = options.method != Method::ShortestPath;
            (wanted && !without_parents(options.method))
                .then(|| min_curvature(&corridor, &options.solve, &corridor.middle()))
                .transpose()
        },
    );
    let (shortest, curved) = (shortest?, curved?);
    Ok(Prepared { reported, road, margin_m, corridor, shortest, curved, decisions, warnings })
}

/// Whether a method starts from the corridor alone.
fn without_parents(method: Method) -> bool {
    matches!(method, Method::Relaxation | Method::Sampled)
}

/// Finds the lines that `options.method` requires, for a vehicle with the margin of `prepared`. A car
/// is on the tyres of the second vehicle, see [`car_lap_on`].
pub(super) fn search_prepared(
    prepared: &Prepared,
    options: &Options,
    (vehicle, tyres): (&Vehicle, &Vehicle),
    progress: &dyn Progress,
) -> Result<LineSearch, SolveError> {
    let Prepared { reported, road, margin_m, corridor, shortest, curved, decisions, warnings } = prepared;
    let LocalRoad { track, edges, .. } = &**road;
    let grip = TrackGrip::new(track, &options.grip)?;
    let relief = TrackRelief::new(track, &options.relief);
    let loaded = relief.as_ref().map(|relief| LoadedRelief { relief, load: options.load });
    let lap = Lap::on(vehicle, options.speed, grip.as_ref(), loaded.as_ref());
    let spacing = Spacing::of_points(point_spacing_m(track, vehicle, options)?, track.mean_width());
    let stations = Spacing { longest_m: track.spacing_m, ..Spacing::of_stations(track.mean_width()) };
    let steering = SteeringLimit {
        limit_radpm: vehicle.max_curvature_radpm,
        margin: Margin { edges, distance_m: *margin_m },
        spacing: stations,
        width_m: track.mean_width(),
        pinned: corridor.pinned_ends(),
    };
    let drive = |points: &[Point]| {
        let curve = steering.curve_through(points, corridor.closed)?;
        let places = spacing.places(&curve);
        Ok::<_, SolveError>(DrivenLine::along(curve, places, lap)?)
    };
    let drive_through = |alpha: &[f64]| drive(&corridor.points(alpha));
    let mut search = LineSearch {
        candidates: Vec::new(),
        optimum: None,
        energy: None,
        decisions: decisions.clone(),
        road: Arc::clone(road),
        reported: Arc::clone(reported),
        warnings: warnings.clone(),
        details: Vec::new(),
    };
    if let Some(relief) = &relief {
        search.details.push(Detail::HeightsSmoothed { deviation_m: relief.deviation_m() });
    }
    let soundness = Soundness::new(track, *margin_m, vehicle.max_curvature_radpm);
    if without_parents(options.method) {
        let alpha = search.alpha_without_parents(corridor, lap, options, progress)?;
        let driven = drive_through(&alpha)?;
        let method = options.method;
        search
            .push_sound(method, driven, soundness)
            .map_err(|fault| SolveError::NoSoundLine { method: method.name(), fault })?;
        search.warn_about_end_speeds(options);
        search.check_margin(*margin_m);
        return Ok(search);
    }
    let mut failed = None;
    // The sound parents, and the one with the lowest lap time first.
    let mut sound: Vec<(f64, &Parent)> = Vec::new();
    for (method, parent) in [(Method::ShortestPath, shortest), (Method::MinCurvature, curved)] {
        let Some(parent) = parent else { continue };
        search.add_parent_details(method, &parent.report);
        let driven = drive_through(&parent.alpha)?;
        let lap_time_s = driven.lap_time_s();
        match search.push_sound(method, driven, soundness) {
            Ok(()) => sound.push((lap_time_s, parent)),
            Err(fault) => failed = Some((method, fault)),
        }
    }
    sound.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(&(_, best)) = sound.first() else {
        let no_parent = SolveError::Degenerate;
        return Err(
            failed.map_or(no_parent, |(method, fault)| SolveError::NoSoundLine { method: method.name(), fault })
        );
    };
    if options.method == Method::IteratedMinCurvature {
        progress.stage("iterating the minimum-curvature line");
        let iterated =
            iterated_min_curvature(corridor, &best.alpha, edges, *margin_m, track.spacing_m, options.solve.qp_solver)?;
        search.add_parent_details(Method::IteratedMinCurvature, &iterated.report);
        search.details.push(Detail::Linearisation { curvature_error_radpm: iterated.curvature_error });
        let driven = drive(&iterated.points)?;
        if search.push_sound(Method::IteratedMinCurvature, driven, soundness).is_err() {
            search.push_best(Method::IteratedMinCurvature);
        }
    }
    if matches!(options.method, Method::Blend | Method::TimeOptimal) {
        let mut start = best.alpha.clone();
        if let (2, Some(shortest), Some(curved)) = (sound.len(), shortest, curved) {
            progress.stage("blending");
            let total = options.solve.generations;
            let watch = |generation: usize, lap_time_s: f64| {
                progress.step(generation, total, &format!("lap {lap_time_s:.3} s"));
            };
            let mixture = blend(corridor, &shortest.alpha, &curved.alpha, lap, &options.solve, &watch)?;
            search.add_blend_details(&mixture);
            let driven = drive_through(&mixture.alpha)?;
            if search.push_gain(Method::Blend, driven, soundness) {
                start = mixture.alpha;
            }
        } else {
            search.push_best(Method::Blend);
        }
        if options.method == Method::TimeOptimal {
            progress.stage("searching the time-optimal line");
            let task = Task { corridor, edges, margin_m: *margin_m, spacing_m: track.spacing_m, lap };
            let fastest = time_optimal(task, &start)?;
            let driven = drive(&fastest.points)?;
            search.add_time_optimal_details(&fastest);
            let found = match options.solve.model {
                Model::PointMass => false,
                Model::Car => {
                    progress.stage("searching the car's fastest lap");
                    let car = car_lap_on(task, &fastest, tyres, options.solve.car(), &|_| {})?;
                    let ended = search.push_car(car, spacing, lap, soundness)?;
                    // No other line knows of energy.
                    match (ended, options.solve.objective) {
                        (CarSearch::Found, _) => true,
                        (_, Objective::Time) => false,
                        (CarSearch::NotConverged { steps }, _) => {
                            return Err(SolveError::EnergyNotConverged { steps });
                        }
                        (CarSearch::Unsound(fault), _) => {
                            return Err(SolveError::NoSoundLine { method: Method::TimeOptimal.name(), fault });
                        }
                    }
                }
            };
            if !found {
                search.push_gain(Method::TimeOptimal, driven, soundness);
            }
        }
    }
    search.warn_about_end_speeds(options);
    search.check_margin(*margin_m);
    Ok(search)
}

impl LineSearch {
    /// α of the line of a method that starts from the corridor alone.
    fn alpha_without_parents(
        &mut self,
        corridor: &Corridor,
        lap: Lap,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, SolveError> {
        if options.method == Method::Sampled {
            progress.stage("drawing random lines");
            let found = sampled(corridor, lap, &options.solve)?;
            self.details.push(Detail::Sampled { lines: found.lines });
            return Ok(found.alpha);
        }
        progress.stage("relaxing the line");
        let found = relaxation(corridor, options.solve.relaxation_settings());
        self.details.push(Detail::Relaxation { sweeps: found.sweeps, last_move_m: found.last_move_m });
        Ok(found.alpha)
    }

    fn warn_about_end_speeds(&mut self, options: &Options) {
        if self.road.track.closed && options.speed != SpeedOptions::default() {
            self.warnings.push(Warning::EndSpeedsOnClosedRoad);
        }
    }

    /// Adds a line if it is sound, else a warning.
    fn push_sound(&mut self, method: Method, driven: DrivenLine, soundness: Soundness) -> Result<(), Fault> {
        if let Some(fault) = soundness.fault(&driven, &self.road.edges) {
            let fault = fault.moved_by(self.road.origin);
            self.warnings.push(Warning::CandidateFailed { method, fault });
            return Err(fault);
        }
        self.candidates.push(DrivenCandidate { method, driven, car: None });
        Ok(())
    }

    /// Adds the car's lap, whose time is not that of a point mass and so is not compared, if it
    /// converged and its line is sound.
    pub fn push_car(
        &mut self,
        found: CarLap,
        spacing: Spacing,
        lap: Lap,
        soundness: Soundness,
    ) -> Result<CarSearch, SolveError> {
        let CarLap { iterations: steps, factorisations, lap_time_s, error, violation, .. } = found;
        self.details.push(Detail::Car { steps, factorisations, lap_time_s, error, violation });
        if found.status != car::Status::Converged {
            self.warnings.push(Warning::TimeOptimalNotConverged);
            return Ok(CarSearch::NotConverged { steps });
        }
        let closed = lap.speeds.course(self.road.track.closed) == Course::Closed;
        let curve = SplineCurve::through(&found.points, closed).ok_or(SolveError::Degenerate)?;
        let places = spacing.places(&curve);
        let states = found.along(&curve, &places);
        let speeds = states.iter().map(|state| state.speed_mps).collect();
        let driven = DrivenLine::along(curve, places, lap)?.with_speeds(speeds, lap.vehicle);
        if let Err(fault) = self.push_sound(Method::TimeOptimal, driven, soundness) {
            return Ok(CarSearch::Unsound(fault));
        }
        if let Some(last) = self.candidates.last_mut() {
            last.car = Some(states);
            self.energy = Some(LapEnergy { energy_j: found.energy_j, seconds_per_joule: found.energy_price_spj });
            self.optimum = Some(found.optimum);
        }
        Ok(CarSearch::Found)
    }

    /// Adds a line that should be faster than those before it, or the fastest of them if it is not
    /// or not sound. Returns whether it is sound.
    fn push_gain(&mut self, method: Method, driven: DrivenLine, soundness: Soundness) -> bool {
        let best = self.best().map_or(f64::INFINITY, |best| best.driven.lap_time_s());
        if driven.lap_time_s() > (1.0 - MIN_GAIN_FRACTION) * best {
            self.push_best(method);
            return true;
        }
        let is_sound = self.push_sound(method, driven, soundness).is_ok();
        if !is_sound {
            self.push_best(method);
        }
        is_sound
    }

    /// Adds the fastest line again, for a method that found no better one.
    fn push_best(&mut self, method: Method) {
        let Some(best) = self.best() else { return };
        let (kept, driven) = (best.method, best.driven.clone());
        self.details.push(Detail::NoGain { method, kept });
        self.candidates.push(DrivenCandidate { method, driven, car: None });
    }

    fn best(&self) -> Option<&DrivenCandidate> {
        self.candidates.iter().min_by(|a, b| a.driven.lap_time_s().total_cmp(&b.driven.lap_time_s()))
    }

    pub fn check_margin(&mut self, margin_m: f64) {
        for candidate in &self.candidates {
            let method = candidate.method;
            let missing_m =
                candidate.driven.between().map(|p| margin_m - self.road.edges.nearest(p)).fold(0.0, f64::max);
            self.details.push(Detail::Margin { method, missing_m });
            if missing_m > MARGIN_WARNING_FRACTION * margin_m {
                self.warnings.push(Warning::MarginMissed { method, missing_m, margin_m });
            }
        }
    }
}
