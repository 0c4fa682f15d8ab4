//! The laps of a car's variations, each searched from the nearest of those found before it.

use rayon::prelude::*;

use super::swept_lap::{SweptLap, Watch, validated};
use crate::solve::car::Optimum;
use crate::solve::{Line, RoadSearch, SolveError};
use crate::vehicle::Vehicle;
use raceline_numerics::math;

/// Number of vehicles that are searched one after another; such chains run in parallel. Longer chains
/// have nearer neighbours, shorter ones use more threads.
const CHAIN: usize = 8;

/// A vehicle with its lap.
struct Known<'a> {
    vehicle: &'a Vehicle,
    optimum: Optimum,
}

/// The laps of the vehicles `group` of `all`, which use the road alike, with their numbers. The
/// first is searched from the point mass's line, and so is one whose search from a neighbour does not
/// converge.
pub(super) fn laps_of_group(
    search: &RoadSearch,
    all: &[&Vehicle],
    group: &[usize],
    watch: &Watch,
) -> Vec<(usize, Result<SweptLap, SolveError>)> {
    let Some((&first, others)) = group.split_first() else { return Vec::new() };
    let cold = |index: usize| -> Result<Line, SolveError> {
        validated(all[index])?;
        search.variation(all[0], all[index])
    };
    let done = |index: usize, line: Result<Line, SolveError>| {
        let lap = line.map(|line| SweptLap::of(&line));
        watch.done(&lap);
        (index, lap)
    };
    let known = |index: usize, line: &mut Result<Line, SolveError>| {
        let optimum = line.as_mut().ok().and_then(|line| line.optimum.take());
        optimum.map(|optimum| Known { vehicle: all[index], optimum })
    };
    let mut line = cold(first);
    let root = known(first, &mut line);
    let mut laps = vec![done(first, line)];
    laps.par_extend(others.par_chunks(CHAIN).flat_map_iter(|chain| {
        let mut chained: Vec<Known> = Vec::new();
        let mut laps = Vec::with_capacity(chain.len());
        for &index in chain {
            let near = nearest(root.iter().chain(&chained), all[index]);
            let warm = near.filter(|_| all[index].validate().is_ok());
            let found = warm.map(|near| search.near(all[index], &near.optimum));
            let mut line = match found {
                Some(Ok(Some(line))) => Ok(line),
                Some(Err(error)) => Err(error),
                Some(Ok(None)) | None => cold(index),
            };
            chained.extend(known(index, &mut line));
            laps.push(done(index, line));
        }
        laps
    }));
    laps
}

/// The nearest of `known` to `vehicle`; among equals the last.
fn nearest<'a>(known: impl Iterator<Item = &'a Known<'a>>, vehicle: &Vehicle) -> Option<&'a Known<'a>> {
    let mut best: Option<(f64, &Known)> = None;
    for one in known {
        let distance = distance(one.vehicle, vehicle);
        if best.is_none_or(|(min, _)| distance <= min) {
            best = Some((distance, one));
        }
    }
    best.map(|(_, one)| one)
}

/// Sum of the squared relative differences of the numbers that both vehicles have.
fn distance(a: &Vehicle, b: &Vehicle) -> f64 {
    let (Ok(a), Ok(b)) = (a.all_parameters(), b.all_parameters()) else { return 0.0 };
    let other = |key: &str| b.iter().find(|parameter| parameter.key == key).map(|parameter| parameter.value);
    let terms = a.iter().filter_map(|parameter| {
        let other = other(&parameter.key)?;
        let size = 0.5 * (parameter.value.abs() + other.abs());
        (size > 0.0).then(|| math::powi((parameter.value - other) / size, 2))
    });
    terms.sum()
}
