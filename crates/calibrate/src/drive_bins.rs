//! A limit of the drive in bins of speed: that of the engine, or that of the tyres.

use super::calibration::{Curve, CurvePoint, Origin};
use super::envelope::{Bin, Candidate, Grid, bins, interpolated};
use super::limits::Known;
use super::location::location;
use super::statistics::quantile;
use super::upper_edge::upper_edge;

const ROUNDS: usize = 4;
/// Without a throttle, a bin this far below the line between its neighbours was not fully driven.
const BELOW_NEIGHBOURS: f64 = 0.07;
/// Uncertainty of what was filled, as a fraction.
const FILLED_ERROR: f64 = 0.05;

/// A limit of the drive in bins.
pub(super) struct Fitted {
    pub bins: Vec<Option<Bin>>,
    /// (speed, value) of the bins that have one.
    pub points: Vec<[f64; 2]>,
}

impl Fitted {
    /// The limit of `candidates`, which are all at it if their throttle is known; `None` where nothing
    /// accelerates.
    pub fn to(candidates: &[Candidate], grid: &Grid, known: &Known) -> Option<Self> {
        let mut values: Vec<f64> = candidates.iter().map(|candidate| candidate.value).collect();
        let start = quantile(&mut values, 0.95);
        if candidates.is_empty() || start <= 0.0 {
            return None;
        }
        let estimator = if known.samples.has_throttle { location } else { upper_edge };
        let mut fitted = Self { bins: Vec::new(), points: Vec::new() };
        for _ in 0..ROUNDS {
            let reference = |speed: f64| interpolated(&fitted.points, speed).unwrap_or(start);
            let mut found = bins(candidates, grid, &reference, known.samples.noise_along, estimator);
            if !known.samples.has_throttle {
                without_sags(&mut found);
            }
            let points = found.iter().flatten().filter(|bin| bin.value > 0.0).map(|bin| [bin.speed, bin.value]);
            fitted = Self { points: points.collect(), bins: found };
        }
        (!fitted.points.is_empty()).then_some(fitted)
    }

    /// The point of a bin in which the limit was measured.
    pub fn measured(&self, index: usize) -> Option<CurvePoint> {
        let bin = self.bins.get(index).copied().flatten().filter(|bin| bin.value > 0.0)?;
        Some(CurvePoint {
            speed_mps: bin.speed,
            limit_mps2: bin.value,
            standard_error_mps2: Some(bin.standard_error),
            samples: bin.samples,
            origin: Origin::Measured,
        })
    }

    /// The slowest and the fastest speed with a measurement, m/s.
    pub fn reached_mps(&self) -> Option<[f64; 2]> {
        Some([self.points.first()?[0], self.points.last()?[0]])
    }
}

/// A point that was not measured.
pub(super) fn unmeasured(speed_mps: f64, limit_mps2: f64, origin: Origin) -> CurvePoint {
    let standard_error_mps2 = Some(FILLED_ERROR * limit_mps2);
    CurvePoint { speed_mps, limit_mps2, standard_error_mps2, samples: 0, origin }
}

/// The whole curve of a drive: constant below what was measured, of constant power above.
pub(super) fn filled(grid: &Grid, fitted: &Fitted) -> Curve {
    let (first, last) = (fitted.points[0], fitted.points[fitted.points.len() - 1]);
    let of_point = |index: usize| {
        let speed = grid.speed(index);
        fitted.measured(index).unwrap_or_else(|| {
            let (limit_mps2, origin) = if speed < first[0] {
                (first[1], Origin::Beyond)
            } else if speed > last[0] {
                (last[1] * last[0] / speed, Origin::Beyond)
            } else {
                (interpolated(&fitted.points, speed).unwrap_or(first[1]), Origin::Between)
            };
            unmeasured(speed, limit_mps2, origin)
        })
    };
    Curve { points: (0..grid.count).map(of_point).collect(), reached_mps: fitted.reached_mps() }
}

/// Drops bins that lie far below the line between their neighbours.
fn without_sags(found: &mut [Option<Bin>]) {
    let points: Vec<(usize, f64, f64)> =
        found.iter().enumerate().filter_map(|(i, bin)| bin.map(|bin| (i, bin.speed, bin.value))).collect();
    for three in points.windows(3) {
        let [(_, v0, a0), (index, v1, a1), (_, v2, a2)] = [three[0], three[1], three[2]];
        let line = a0 + (a2 - a0) * (v1 - v0) / (v2 - v0);
        if a1 < (1.0 - BELOW_NEIGHBOURS) * line {
            found[index] = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bin, without_sags};

    #[test]
    fn a_bin_well_below_its_neighbours_was_not_fully_driven() {
        let bin = |speed: f64, value: f64| Some(Bin { speed, value, standard_error: 0.1, samples: 50, pedal: 1.0 });
        let kept = |value: f64| {
            let mut found = [bin(10.0, 8.0), bin(20.0, value), None, bin(40.0, 2.0)];
            without_sags(&mut found);
            found[1].is_some()
        };
        // The line between the neighbours has 6 m/s² at 20 m/s.
        assert!(kept(6.0) && kept(0.94 * 6.0) && !kept(0.92 * 6.0));
    }
}
