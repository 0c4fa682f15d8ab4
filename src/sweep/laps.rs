//! The laps of many vehicles on one track.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::neighbours::laps_of_group;
use super::swept_lap::{SweptLap, Watch, validated};
use crate::file::Method;
use crate::pipeline::{
    CandidateSummary, Extraction, FINER_STAGE, MAX_REFINEMENTS, Progress, Request, Warning, in_metres, more_finely,
    within_margin,
};
use crate::solve::{LineOptions, LocalRoad, Model, RoadSearch, RoadUse, Silent, SolveError, optimize_with_progress};
use crate::track::Track;
use crate::vehicle::Vehicle;

/// Number of roads whose corridors and parents are in memory at the same time: enough to keep
/// threads busy if every vehicle uses the road by itself.
const ROADS_AT_ONCE: usize = 16;
/// Number of vehicles that are begun together. A thread that waits for a part of one lap's search
/// begins another vehicle; this bounds the number of its unfinished vehicles.
const VEHICLES_AT_ONCE: usize = 64;
/// Margins that differ by less are the same margin, m.
const MARGIN_TOLERANCE_M: f64 = 1e-9;

/// Whether a line is found for each vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SweepMode {
    /// A new line for each vehicle: the best lap of each vehicle.
    #[default]
    Reoptimize,
    /// Every vehicle on the base vehicle's line: fast, but the line is not optimal for the vehicle.
    FixedLine,
}

/// The laps of many vehicles.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sweep {
    /// The base vehicle's lap.
    pub base: Result<SweptLap, SolveError>,
    /// The vehicles' laps, in their order.
    pub laps: Vec<Result<SweptLap, SolveError>>,
}

/// Finds the laps of the vehicle of `request`, the base, and of `vehicles` on one track. A
/// vehicle's re-optimised lap is that of [`optimize`](crate::pipeline::optimize) with it; that of a
/// car is searched from its neighbour's, on the tyres of the base vehicle. The cross-sections are those of
/// `extraction`, whose default spacing is for the vehicle that it was made for; a line that misses its margin
/// is searched again between more of them, unless the options have a spacing. The corridor and the blend's
/// parents are computed once for all vehicles that use the road alike: see [`RoadUse`]. Lines are not kept.
/// The result does not depend on the number of threads.
///
/// # Errors
/// Options out of their range, and with [`SweepMode::FixedLine`] a base vehicle without a line. Any
/// other failure is the result of that vehicle.
pub fn sweep(
    extraction: &Extraction,
    request: &Request,
    vehicles: &[Vehicle],
    mode: SweepMode,
) -> Result<Sweep, SolveError> {
    let &Request { options, vehicle: base, progress, .. } = request;
    options.solve.validate()?;
    let mut options = in_metres(options, extraction.frame, extraction.source.geographic_origin_deg).line_options();
    if mode == SweepMode::FixedLine {
        // On a fixed line, the laps are those of a point mass.
        options.solve.model.get_or_insert(Model::PointMass);
    }
    let options = &options.for_vehicle(base);
    let may_refine = request.options.track.spacing_m.is_none();
    match mode {
        SweepMode::Reoptimize => Ok(reoptimize(&extraction.track, may_refine, options, base, vehicles, progress)),
        SweepMode::FixedLine => fixed_line(&extraction.track, may_refine, options, base, vehicles, progress),
    }
}

/// A line for each vehicle; where it misses its margin, between more cross-sections as in
/// [`optimize`](crate::pipeline::optimize). All laps are of one model: those of point masses where no lap
/// of the base's car is found, and none for a vehicle whose car has no lap beside a base's that has.
fn reoptimize(
    track: &Track,
    may_refine: bool,
    options: &LineOptions,
    base: &Vehicle,
    vehicles: &[Vehicle],
    progress: &dyn Progress,
) -> Sweep {
    // The base is vehicle 0.
    let all: Vec<&Vehicle> = std::iter::once(base).chain(vehicles).collect();
    let every: Vec<usize> = (0..all.len()).collect();
    let watch = Watch::new(progress, "sweeping", all.len());
    let mut laps = laps_on(track, options, (&all, &every), &watch);
    if let Some(instead) = laps[0].as_ref().ok().and_then(SweptLap::point_mass_instead) {
        let mut options = options.clone();
        options.solve.model = Some(Model::PointMass);
        let mut sweep = reoptimize(track, may_refine, &options, base, vehicles, progress);
        if let Ok(base) = &mut sweep.base {
            base.warnings.push(instead);
        }
        return sweep;
    }
    let mut finest = Cow::Borrowed(track);
    let mut missed = if may_refine { every } else { Vec::new() };
    for _ in 0..MAX_REFINEMENTS {
        missed.retain(|&index| laps[index].as_ref().is_ok_and(|lap| lap.missing_m() > 0.0));
        if missed.is_empty() {
            break;
        }
        let Some(finer) = more_finely(&finest) else { break };
        let watch = Watch::new(progress, FINER_STAGE, missed.len());
        let again = laps_on(&finer, options, (&all, &missed), &watch);
        let mut nearer = Vec::with_capacity(missed.len());
        for (&index, lap) in missed.iter().zip(again) {
            if let (Ok(before), Ok(after)) = (&laps[index], &lap)
                && after.missing_m() < before.missing_m()
            {
                laps[index] = lap;
                nearer.push(index);
            }
        }
        missed = nearer;
        finest = Cow::Owned(finer);
    }
    let mut laps = laps.into_iter().map(|lap| match lap {
        Ok(lap) if lap.point_mass_instead().is_some() => Err(SolveError::NoCarLap),
        lap => lap,
    });
    // The list contains at least the base.
    let base = laps.next().unwrap_or(Err(SolveError::Degenerate));
    Sweep { base, laps: laps.collect() }
}

/// The laps of the vehicles `some` of `all` between the cross-sections of `track`, in the order of `some`.
fn laps_on(
    track: &Track,
    options: &LineOptions,
    (all, some): (&[&Vehicle], &[usize]),
    watch: &Watch,
) -> Vec<Result<SweptLap, SolveError>> {
    let road = Arc::new(LocalRoad::new(track));
    let mut by_use: BTreeMap<[u64; 3], Vec<usize>> = BTreeMap::new();
    let mut alone: Vec<Vec<usize>> = Vec::new();
    for &index in some {
        match RoadUse::new(track, options, all[index]).key() {
            Some(key) => by_use.entry(key).or_default().push(index),
            None => alone.push(vec![index]),
        }
    }
    let groups: Vec<Vec<usize>> = by_use.into_values().chain(alone).collect();
    let mut laps: Vec<(usize, Result<SweptLap, SolveError>)> = Vec::with_capacity(some.len());
    for batch in groups.chunks(ROADS_AT_ONCE) {
        let prepare = |group: &Vec<usize>| {
            let vehicle = all[group[0]];
            validated(vehicle)?;
            RoadSearch::new(Arc::clone(&road), options, vehicle, &Silent)
        };
        let prepared: Vec<Result<RoadSearch, SolveError>> = batch.par_iter().map(prepare).collect();
        if options.method == Method::TimeOptimal && options.solve.model == Some(Model::Car) {
            let groups = batch.par_iter().zip(&prepared);
            laps.par_extend(groups.flat_map_iter(|(group, prepared)| match prepared {
                Ok(search) => laps_of_group(search, all, group, watch),
                Err(error) => group.iter().map(|&index| (index, Err(error.clone()))).collect(),
            }));
            continue;
        }
        let members: Vec<(usize, &Result<RoadSearch, SolveError>)> = batch
            .iter()
            .zip(&prepared)
            .flat_map(|(group, prepared)| group.iter().map(move |&index| (index, prepared)))
            .collect();
        for together in members.chunks(VEHICLES_AT_ONCE) {
            laps.par_extend(together.par_iter().map(|&(index, prepared)| {
                let lap = lap_of(prepared, all[index]);
                watch.done(&lap);
                (index, lap)
            }));
        }
    }
    laps.sort_by_key(|&(index, _)| index);
    laps.into_iter().map(|(_, lap)| lap).collect()
}

fn lap_of(prepared: &Result<RoadSearch, SolveError>, vehicle: &Vehicle) -> Result<SweptLap, SolveError> {
    validated(vehicle)?;
    let prepared = prepared.as_ref().map_err(SolveError::clone)?;
    Ok(SweptLap::of(&prepared.line(vehicle)?))
}

/// Every vehicle on the base's line.
fn fixed_line(
    track: &Track,
    may_refine: bool,
    options: &LineOptions,
    base: &Vehicle,
    vehicles: &[Vehicle],
    progress: &dyn Progress,
) -> Result<Sweep, SolveError> {
    validated(base)?;
    let mut line = optimize_with_progress(track, base, options, progress)?;
    if may_refine {
        within_margin(&mut line, &mut track.clone(), base, options, progress);
    }
    let (driven, swept) = (&line.driven(), SweptLap::of(&line));
    let sharpest = driven.curvature.iter().fold(0.0, |max: f64, curvature| max.max(curvature.abs()));
    let watch = Watch::new(progress, "sweeping", vehicles.len());
    let laps = vehicles.par_iter().map(|vehicle| {
        let profile = driven.fixed().profile(vehicle).map_err(SolveError::Speed);
        let lap = profile.map(|profile| SweptLap {
            summary: CandidateSummary {
                method: swept.summary.method,
                model: Model::PointMass,
                lap_time_s: profile.lap_time_s,
                length_m: driven.length_m,
                top_speed_mps: driven.speeds_at_points(&profile).fold(0.0, f64::max),
                lowest_speed_mps: driven.speeds_at_points(&profile).fold(f64::INFINITY, f64::min),
            },
            warnings: unfit(vehicle, base, sharpest),
        });
        watch.done(&lap);
        lap
    });
    Ok(Sweep { laps: laps.collect(), base: Ok(swept) })
}

/// Why `vehicle` could not drive the line of `base` in reality.
fn unfit(vehicle: &Vehicle, base: &Vehicle, sharpest_radpm: f64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let (needed_m, kept_m) = (vehicle.margin_m(), base.margin_m());
    if needed_m > kept_m + MARGIN_TOLERANCE_M {
        warnings.push(Warning::FixedLineMargin { kept_m, needed_m });
    }
    let limit_radpm = vehicle.max_curvature_radpm;
    if sharpest_radpm > limit_radpm && limit_radpm < base.max_curvature_radpm {
        warnings.push(Warning::FixedLineSteering { curvature_radpm: sharpest_radpm, limit_radpm });
    }
    warnings
}
