//! Track → driven candidate lines: the corridor, both parents, their blend, and the choice among them.

use super::{CandidateSummary, Progress};
use crate::geometry::{Point, SplineCurve};
use crate::options::Options;
use crate::racing_line::{Candidate, LinePoint, Method, round_to};
use crate::solve::blend::{Blend, blend};
use crate::solve::min_curvature::min_curvature;
use crate::solve::shortest_path::shortest_path;
use crate::solve::{Corridor, EdgeDistance, SolveError, SolverReport};
use crate::speed::{DrivenLine, Lap, SpeedOptions};
use crate::track::{Track, TrackGrip};
use crate::vehicle::Vehicle;

/// Points of the line lie this many section spacings apart. A file holds them to the millimetre, and the noise that this
/// puts on curvature falls with the square of their distance: at 3 m it is at most 0.0002 1/m.
const POINT_SPACINGS: f64 = 1.5;
/// A blend that gains less than this share of the better parent's lap time isn't told from it by rounding to the
/// millimetre; then the parent is taken, which is the simpler line.
const LEAST_GAIN_SHARE: f64 = 2e-4;
/// Lengths in a file are rounded to so many decimals.
const LENGTH_DECIMALS: i32 = 3;
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
    pub edges: EdgeDistance,
    pub warnings: Vec<String>,
    pub details: Vec<String>,
}

/// Finds the lines that `options.method` asks for.
pub(super) fn search(
    track: &Track,
    options: &Options,
    vehicle: &Vehicle,
    progress: &dyn Progress,
) -> Result<Found, SolveError> {
    options.solve.validate()?;
    let edges = EdgeDistance::new(track);
    let margin_m = vehicle.margin_m() + track.edge_uncertainty_m;
    let corridor = Corridor::new(track, &edges, margin_m)?;
    let formulation = options.solve.formulation;
    let grip = TrackGrip::new(track, &options.grip)?;
    let lap = Lap { vehicle, speeds: options.speed, grip: grip.as_ref() };
    let drive = |alpha: &[f64]| drive(&corridor, alpha, POINT_SPACINGS * track.spacing_m, lap);
    let mut found = Found { candidates: Vec::new(), edges, warnings: Vec::new(), details: Vec::new() };
    progress.stage("solving shortest path and least curvature");
    let (shortest, curved) = rayon::join(
        || (options.method != Method::MinCurvature).then(|| shortest_path(&corridor, formulation)).transpose(),
        || {
            let wanted = options.method != Method::ShortestPath;
            wanted.then(|| min_curvature(&corridor, formulation, &corridor.middle())).transpose()
        },
    );
    let (shortest, curved) = (shortest?, curved?);
    for (method, parent) in [(Method::ShortestPath, &shortest), (Method::MinCurvature, &curved)] {
        let Some(parent) = parent else { continue };
        found.tell_of(method, &parent.report);
        found.candidates.push(DrivenCandidate { method, driven: drive(&parent.alpha)? });
    }
    if let (Some(shortest), Some(curved)) = (shortest, curved) {
        progress.stage("blending");
        let total = options.solve.generations;
        let watch =
            |generation: usize, lap_time_s: f64| progress.step(generation, total, &format!("lap {lap_time_s:.3} s"));
        let mixture = blend(&corridor, &shortest.alpha, &curved.alpha, lap, &options.solve, &watch)?;
        found.tell_of_blend(&mixture);
        let driven = drive(&mixture.alpha)?;
        found.push_blend(driven);
    }
    if track.closed && options.speed != SpeedOptions::default() {
        let warning =
            "start_speed_mps and end_speed_mps are for open roads: this one is closed, and a lap repeats itself";
        found.warnings.push(warning.to_owned());
    }
    found.check_margin(margin_m);
    found.check_steering(options.method, vehicle);
    Ok(found)
}

/// Drives the line as a reader of the file will find it: through points rounded as they are in the file.
fn drive(corridor: &Corridor, alpha: &[f64], spacing_m: f64, lap: Lap) -> Result<DrivenLine, SolveError> {
    let curve = SplineCurve::through(&corridor.points(alpha), corridor.closed).ok_or(SolveError::Degenerate)?;
    let gaps = ((curve.length() / spacing_m).round() as usize).max(8);
    let points: Vec<Point> = curve
        .evenly(if corridor.closed { gaps } else { gaps + 1 })
        .iter()
        .map(|p| Point::new(round_to(p.position.x, LENGTH_DECIMALS), round_to(p.position.y, LENGTH_DECIMALS)))
        .collect();
    Ok(DrivenLine::through(&points, corridor.closed, lap)?)
}

impl Found {
    fn tell_of(&mut self, method: Method, report: &SolverReport) {
        let name = method.name();
        self.details.push(format!(
            "{name}: {} programs, {} iterations, residuals {:.1e} primal, {:.1e} dual",
            report.solves, report.iterations, report.primal_residual, report.dual_residual
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

    /// Adds the blend, or the better parent in its place where it gains nothing on that.
    fn push_blend(&mut self, driven: DrivenLine) {
        let better = self.candidates.iter().min_by(|a, b| a.driven.lap_time_s().total_cmp(&b.driven.lap_time_s()));
        let driven = match better {
            Some(parent) if driven.lap_time_s() > (1.0 - LEAST_GAIN_SHARE) * parent.driven.lap_time_s() => {
                self.details.push(format!("blend: gains nothing on {}, which is kept", parent.method.name()));
                parent.driven.clone()
            }
            _ => driven,
        };
        self.candidates.push(DrivenCandidate { method: Method::Blend, driven });
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
    /// The programs bound the line's place and not its curvature, so a bend may ask for more steering than there is.
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
