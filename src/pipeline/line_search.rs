//! Track → driven candidate lines: the corridor, both parents, their blend, the time-optimal line, and the choice among them.

use std::sync::Arc;

use super::{CandidateSummary, Progress};
use crate::file::{Candidate, LinePoint, Method, to_millimetres};
use crate::geometry::{Point, SplineCurve};
use crate::options::Options;
use crate::solve::blend::{Blend, blend};
use crate::solve::min_curvature::{iterated_min_curvature, min_curvature};
use crate::solve::shortest_path::shortest_path;
use crate::solve::time_optimal::{self, Task, TimeOptimal, time_optimal};
use crate::solve::{Corridor, EdgeDistance, Parent, SolveError, SolverReport, Spacing};
use crate::speed::{DrivenLine, GripMap, Lap, SpeedOptions};
use crate::track::{Track, TrackGrip};
use crate::vehicle::Vehicle;

/// Points of a line through the sections lie this many section spacings apart. A file holds them to the millimetre, and the
/// noise that this puts on curvature falls with the square of their distance.
const POINT_SPACINGS: f64 = 1.5;
/// Points of a line that was found on its own stations lie at most this many section spacings apart, less where it bends.
const LONGEST_SPACINGS: f64 = 2.0;
/// A blend that gains less than this share of the better parent's lap time isn't told from it by rounding to the
/// millimetre; then the parent is taken, which is the simpler line.
const LEAST_GAIN_SHARE: f64 = 2e-4;
/// A margin that is missed by more than this share of itself is worth a warning.
const MARGIN_WARNING_SHARE: f64 = 0.01;

/// A line that was found, driven.
pub(super) struct DrivenCandidate {
    pub method: Method,
    pub driven: DrivenLine,
}

/// What the search found.
pub(super) struct Found {
    /// In the order of [`Method`]; those that the wanted method needs.
    pub candidates: Vec<DrivenCandidate>,
    pub edges: Arc<EdgeDistance>,
    pub warnings: Vec<String>,
    pub details: Vec<String>,
}

/// What depends on the track, the options and the vehicle's margin, and on nothing else of the vehicle.
pub(super) struct Prepared {
    edges: Arc<EdgeDistance>,
    margin_m: f64,
    corridor: Corridor,
    shortest: Option<Parent>,
    curved: Option<Parent>,
    warnings: Vec<String>,
}

/// Finds the lines that `options.method` asks for.
pub(super) fn search(
    track: &Track,
    options: &Options,
    vehicle: &Vehicle,
    progress: &dyn Progress,
) -> Result<Found, SolveError> {
    options.solve.validate()?;
    let prepared = prepare(track, Arc::new(EdgeDistance::new(track)), options, vehicle, progress)?;
    search_prepared(&prepared, track, options, vehicle, progress)
}

/// Finds the corridor and the parents that every vehicle with the margin of `vehicle` has.
pub(super) fn prepare(
    track: &Track,
    edges: Arc<EdgeDistance>,
    options: &Options,
    vehicle: &Vehicle,
    progress: &dyn Progress,
) -> Result<Prepared, SolveError> {
    let margin_m = vehicle.margin_m() + track.edge_uncertainty_m;
    let mut corridor = Corridor::new(track, &edges, margin_m)?;
    let warnings = corridor.pin_ends(&options.solve);
    let formulation = options.solve.formulation;
    progress.stage("solving shortest path and least curvature");
    let (shortest, curved) = rayon::join(
        || {
            let unwanted = matches!(options.method, Method::MinCurvature | Method::IteratedMinCurvature);
            (!unwanted).then(|| shortest_path(&corridor, formulation)).transpose()
        },
        || {
            let wanted = options.method != Method::ShortestPath;
            wanted.then(|| min_curvature(&corridor, formulation, &corridor.middle())).transpose()
        },
    );
    let (shortest, curved) = (shortest?, curved?);
    Ok(Prepared { edges, margin_m, corridor, shortest, curved, warnings })
}

/// Finds the lines that `options.method` asks for, for a vehicle with the margin that `prepared` was made for.
pub(super) fn search_prepared(
    prepared: &Prepared,
    track: &Track,
    options: &Options,
    vehicle: &Vehicle,
    progress: &dyn Progress,
) -> Result<Found, SolveError> {
    let Prepared { edges, margin_m, corridor, shortest, curved, warnings } = prepared;
    let grip = TrackGrip::new(track, &options.grip)?;
    let lap = Lap { vehicle, speeds: options.speed, grip: grip.as_ref().map(|grip| grip as &dyn GripMap) };
    let drive_through = |alpha: &[f64]| {
        let curve = SplineCurve::through(&corridor.points(alpha), corridor.closed).ok_or(SolveError::Degenerate)?;
        let gaps = ((curve.length() / (POINT_SPACINGS * track.spacing_m)).round() as usize).max(8);
        let step = curve.length() / gaps as f64;
        let count = if corridor.closed { gaps } else { gaps + 1 };
        drive(&curve, (0..count).map(|i| i as f64 * step).collect(), lap)
    };
    let edges = Arc::clone(edges);
    let mut found = Found { candidates: Vec::new(), edges, warnings: warnings.clone(), details: Vec::new() };
    for (method, parent) in [(Method::ShortestPath, shortest), (Method::MinCurvature, curved)] {
        let Some(parent) = parent else { continue };
        found.tell_of(method, &parent.report);
        found.candidates.push(DrivenCandidate { method, driven: drive_through(&parent.alpha)? });
    }
    // Points of a line that was found on stations of its own lie closer together where it bends.
    let drive_points = |points: &[Point]| {
        let curve = SplineCurve::through(points, corridor.closed).ok_or(SolveError::Degenerate)?;
        let spacing = Spacing { longest_m: LONGEST_SPACINGS * track.spacing_m };
        drive(&curve, spacing.places(&curve), lap)
    };
    if let (Method::IteratedMinCurvature, Some(curved)) = (options.method, curved) {
        progress.stage("iterating the line of least curvature");
        let iterated = iterated_min_curvature(corridor, &curved.alpha, &found.edges, *margin_m, track.spacing_m)?;
        found.tell_of(Method::IteratedMinCurvature, &iterated.report);
        found.details.push(format!(
            "iterated-min-curvature: curvature differs by {:.1e} 1/m from its linearisation",
            iterated.curvature_error
        ));
        let driven = drive_points(&iterated.points)?;
        found.candidates.push(DrivenCandidate { method: Method::IteratedMinCurvature, driven });
    }
    if let (Some(shortest), Some(curved)) = (shortest, curved) {
        progress.stage("blending");
        let total = options.solve.generations;
        let watch =
            |generation: usize, lap_time_s: f64| progress.step(generation, total, &format!("lap {lap_time_s:.3} s"));
        let mixture = blend(corridor, &shortest.alpha, &curved.alpha, lap, &options.solve, &watch)?;
        found.tell_of_blend(&mixture);
        found.push_gain(Method::Blend, drive_through(&mixture.alpha)?);
        if options.method == Method::TimeOptimal {
            progress.stage("searching the time-optimal line");
            let task = Task { corridor, edges: &found.edges, margin_m: *margin_m, spacing_m: track.spacing_m, lap };
            let fastest = time_optimal(task, &mixture.alpha)?;
            let driven = drive_points(&fastest.points)?;
            found.tell_of_time_optimal(&fastest);
            found.push_gain(Method::TimeOptimal, driven);
        }
    }
    if track.closed && options.speed != SpeedOptions::default() {
        let warning =
            "start_speed_mps and end_speed_mps are for open roads: this one is closed, and a lap repeats itself";
        found.warnings.push(warning.to_owned());
    }
    found.check_margin(*margin_m);
    found.check_steering(options.method, vehicle);
    Ok(found)
}

/// Drives a curve as a reader of the file will find it: through points at `places`, rounded as they are in the file.
fn drive(curve: &SplineCurve, places: Vec<f64>, lap: Lap) -> Result<DrivenLine, SolveError> {
    let points: Vec<_> = places.into_iter().map(|s| curve.at(s).position).collect();
    let line = SplineCurve::through(&points, curve.is_closed()).ok_or(SolveError::Degenerate)?;
    Ok(DrivenLine::through(&to_millimetres(&line), curve.is_closed(), lap)?)
}

impl Found {
    fn tell_of(&mut self, method: Method, report: &SolverReport) {
        let name = method.name();
        self.details.push(format!(
            "{name}: {} programs, {} iterations, residuals {:.1e} complementarity, {:.1e} dual",
            report.solves, report.iterations, report.complementarity, report.dual_residual
        ));
        if report.unsolved > 0 {
            self.warnings.push(format!(
                "{name}: {} of {} quadratic programs ran out of iterations; the line keeps its margin but may not be the best",
                report.unsolved, report.solves
            ));
        } else if !report.stands {
            self.warnings
                .push(format!("{name}: the line still moved when re-linearisation ended; it may not be the best"));
        }
    }

    fn tell_of_blend(&mut self, blend: &Blend) {
        let (factor, uniform_s) = blend.best_uniform;
        self.details.push(format!(
            "blend: {} segments, {} evaluations, {} generations, lap {:.3} s; best uniform mixture {factor:.2}, lap {uniform_s:.3} s",
            blend.mixing.len(),
            blend.evaluations,
            blend.history_s.len() - 1,
            blend.lap_time_s,
        ));
        let mixing: Vec<String> = blend.mixing.iter().map(|factor| format!("{factor:.2}")).collect();
        self.details.push(format!("blend: mixing factors {}", mixing.join(" ")));
        let history: Vec<String> = blend.history_s.iter().map(|lap| format!("{lap:.3}")).collect();
        self.details.push(format!("blend: lap time per generation, s: {}", history.join(" ")));
    }

    fn tell_of_time_optimal(&mut self, line: &TimeOptimal) {
        let steps: Vec<String> = line.iterations.iter().map(usize::to_string).collect();
        self.details.push(format!(
            "time-optimal: {} steps, {} factorisations, objective {:.3} s, limits kept to {:.1e}",
            steps.join(" and "),
            line.factorisations,
            line.objective_s,
            line.violation
        ));
        if line.status != time_optimal::Status::Converged {
            self.warnings.push(
                "time-optimal: the search ended before it converged; the line keeps its margin but may not be the fastest"
                    .to_owned(),
            );
        }
    }

    /// Adds a line that should be faster than those before it, or the fastest of them in its place where it gains nothing.
    fn push_gain(&mut self, method: Method, driven: DrivenLine) {
        let best = self.candidates.iter().min_by(|a, b| a.driven.lap_time_s().total_cmp(&b.driven.lap_time_s()));
        let driven = match best {
            Some(best) if driven.lap_time_s() > (1.0 - LEAST_GAIN_SHARE) * best.driven.lap_time_s() => {
                self.details.push(format!("{}: gains nothing on {}, which is kept", method.name(), best.method.name()));
                best.driven.clone()
            }
            _ => driven,
        };
        self.candidates.push(DrivenCandidate { method, driven });
    }

    fn check_margin(&mut self, margin_m: f64) {
        for candidate in &self.candidates {
            let missing = candidate.driven.between().map(|p| margin_m - self.edges.nearest(p)).fold(0.0, f64::max);
            self.details.push(format!("{}: margin kept to {:.3} m", candidate.method.name(), missing));
            if missing > MARGIN_WARNING_SHARE * margin_m {
                self.warnings.push(format!(
                    "{}: the line comes {missing:.3} m nearer to an edge than the margin of {margin_m:.3} m; lower spacing_m",
                    candidate.method.name()
                ));
            }
        }
    }
}

impl Found {
    /// Only the time-optimal search bounds curvature; of the other lines a bend may ask for more steering than there is.
    fn check_steering(&mut self, method: Method, vehicle: &Vehicle) {
        let limit = vehicle.max_curvature_radpm;
        let Some(wanted) = self.candidates.iter().find(|candidate| candidate.method == method) else { return };
        let sharpest = wanted.driven.points.iter().max_by(|a, b| a.curvature().abs().total_cmp(&b.curvature().abs()));
        if let Some(place) = sharpest.filter(|place| place.curvature().abs() > limit) {
            self.warnings.push(format!(
                "{}: at ({:.1} m, {:.1} m) the line turns with {:.3} 1/m, the vehicle's steering with at most {limit:.3} 1/m: \
                 choose a vehicle that turns tighter",
                method.name(),
                place.position.x,
                place.position.y,
                place.curvature().abs(),
            ));
        }
    }
}

impl DrivenCandidate {
    /// The candidate's entry in the file, with its points when `detail` is wanted.
    pub fn entry(&self, detail: bool) -> Candidate {
        let line = self.driven.points.iter().map(|p| [p.position.x, p.position.y]);
        Candidate {
            method: self.method,
            lap_time_s: self.driven.lap_time_s(),
            length_m: self.driven.length_m,
            line: if detail { line.collect() } else { Vec::new() },
        }
    }

    pub fn summary(&self) -> CandidateSummary {
        CandidateSummary {
            method: self.method,
            lap_time_s: self.driven.lap_time_s(),
            length_m: self.driven.length_m,
            top_speed_mps: self.driven.top_speed_mps(),
            lowest_speed_mps: self.driven.lowest_speed_mps(),
        }
    }

    /// The points as they stand in a file.
    pub fn points(&self, edges: &EdgeDistance) -> Vec<LinePoint> {
        let profile = &self.driven.profile;
        self.driven
            .points
            .iter()
            .enumerate()
            .map(|(i, point)| {
                let (left_m, right_m) = edges.to_edges(point.position);
                LinePoint {
                    s_m: self.driven.distance_m[i],
                    x_m: point.position.x,
                    y_m: point.position.y,
                    heading_rad: point.heading(),
                    curvature_radpm: self.driven.curvature[i],
                    speed_mps: profile.speed_mps[i],
                    accel_mps2: profile.accel_mps2[i],
                    time_s: profile.time_s[i],
                    left_m,
                    right_m,
                }
            })
            .collect()
    }
}
