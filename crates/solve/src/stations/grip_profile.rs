//! The grip across a road at a station, with its derivatives by the offset.
//!
//! The factor of patches is sampled at even offsets, f_k at n_k with the step h, and its values
//! between are those of the cubic B-spline
//!
//! ```text
//! f(n) = Σ_k c_k B((n - n_k) / h),      c_k = f_k - (f_{k+1} - 2 f_k + f_{k-1}) / 6          (1)
//! ```
//!
//! whose second derivative is continuous. With these coefficients it differs from a smooth function
//! by an error of the order of h⁴ (C. de Boor, *A Practical Guide to Splines*, 1978, chapter XII).
//! At the end of a border that error may be positive: a search would find grip there that no road
//! has. Each coefficient is therefore kept between the smallest and the largest of its three
//! samples, and with it the spline, a mean of its coefficients.

use raceline_car::Jet;

use crate::speed::GripMap;
use raceline_road::geometry::{Point, Vector};

/// Step of the samples, m: a twentieth of the usual width of a patch's border. With a fifth, the
/// spline is wrong by up to 0.003 at its end, where lines drive.
const STEP_M: f64 = 0.025;
/// Maximum number of samples at a station: on a wider road the step is larger.
const MAX_SAMPLES: usize = 400;
/// Samples in an interval that is one value where both of its ends have it: most of a road has no
/// border.
const COARSE: usize = 4;
/// Samples beyond either bound, so that the spline is defined there too.
const BEYOND: usize = 3;
/// Distance between two places of an interval at which patches are looked up, m: the usual border
/// of one.
const AHEAD_M: f64 = 0.5;
/// Maximum number of steps between such places.
const MAX_LOOKS: usize = 16;

/// The factor of the patches across a road.
#[derive(Clone, Debug, PartialEq)]
pub struct GripProfile {
    first_m: f64,
    step_m: f64,
    coefficients: Vec<f64>,
}

impl GripProfile {
    /// The profile of `grip` from `origin` along the unit vector `normal`, between two offsets, m,
    /// and from there to `step` m ahead; `None` without patches there. The border of a patch may be
    /// much shorter than such an interval, whose curvature counts at its ends, so that the smallest
    /// factor in it counts.
    pub fn ahead_of(
        grip: &dyn GripMap,
        origin: Point,
        normal: Vector,
        [low, high]: [f64; 2],
        step: f64,
    ) -> Option<Self> {
        let width_m = (high - low).max(0.0);
        let step_m = STEP_M.max(width_m / MAX_SAMPLES as f64);
        let count = ((width_m / step_m) as usize + 2 + 2 * BEYOND).next_multiple_of(COARSE) + 1;
        let first_m = low - BEYOND as f64 * step_m;
        let offsets: Vec<f64> = (0..count).map(|k| first_m + k as f64 * step_m).collect();
        let looks = ((step / AHEAD_M).ceil() as usize).clamp(1, MAX_LOOKS);
        let ahead = Vector::new(normal.y, -normal.x) * step;
        let places = (0..=looks).map(|look| origin + ahead * (look as f64 / looks as f64));
        let found: Vec<Option<Vec<f64>>> = places.map(|place| across(grip, place, normal, &offsets)).collect();
        // Without patches the factor is 1.
        let first = if found.iter().all(Option::is_some) { f64::INFINITY } else { 1.0 };
        let mut smallest = vec![first; count];
        found.iter().flatten().next()?;
        for factors in found.iter().flatten() {
            smallest.iter_mut().zip(factors).for_each(|(smallest, factor)| *smallest = smallest.min(*factor));
        }
        Some(Self::through(first_m, step_m, &smallest))
    }

    /// The profile with these samples from `first_m` on.
    pub fn through(first_m: f64, step_m: f64, samples: &[f64]) -> Self {
        let last = samples.len() - 1;
        let coefficient = |k: usize| {
            let (before, after) = (samples[k.saturating_sub(1)], samples[(k + 1).min(last)]);
            let (smallest, largest) = (samples[k].min(before).min(after), samples[k].max(before).max(after));
            (samples[k] - (after - 2.0 * samples[k] + before) / 6.0).max(smallest).min(largest)
        };
        Self { first_m, step_m, coefficients: (0..samples.len()).map(coefficient).collect() }
    }

    /// The factor at an offset, m, with its derivatives; constant beyond the samples.
    pub fn jet(&self, offset: f64) -> Jet {
        // Equation (1).
        let last = self.coefficients.len() - 1;
        let place = ((offset - self.first_m) / self.step_m).clamp(1.0, last.max(2) as f64 - 1.0);
        let k = (place as usize).clamp(1, last.saturating_sub(2).max(1));
        let t = place - k as f64;
        let c: [f64; 4] = std::array::from_fn(|i| self.coefficients[(k + i - 1).min(last)]);
        let u = 1.0 - t;
        let value = (c[0] * u * u * u
            + c[1] * (3.0 * t * t * t - 6.0 * t * t + 4.0)
            + c[2] * (3.0 * u * u * u - 6.0 * u * u + 4.0)
            + c[3] * t * t * t)
            / 6.0;
        let slope =
            0.5 * (-c[0] * u * u + c[1] * (3.0 * t * t - 4.0 * t) - c[2] * (3.0 * u * u - 4.0 * u) + c[3] * t * t);
        let bend = c[0] * u + c[1] * (3.0 * t - 2.0) + c[2] * (3.0 * u - 2.0) + c[3] * t;
        Jet { value, slope: slope / self.step_m, bend: bend / (self.step_m * self.step_m) }
    }
}

/// The factors at `offsets`, of which there is one more than a multiple of [`COARSE`]; `None` where
/// all are 1.
fn across(grip: &dyn GripMap, origin: Point, normal: Vector, offsets: &[f64]) -> Option<Vec<f64>> {
    let ends: Vec<f64> = offsets.iter().step_by(COARSE).copied().collect();
    let found = grip.patches_across(origin, normal, &ends)?;
    let mut factors: Vec<f64> = (0..offsets.len()).map(|k| found[k / COARSE]).collect();
    let differs = |k: &usize| !k.is_multiple_of(COARSE) && found[k / COARSE] != found[k / COARSE + 1];
    let inner: Vec<usize> = (0..offsets.len()).filter(differs).collect();
    let places: Vec<f64> = inner.iter().map(|&k| offsets[k]).collect();
    let between = grip.patches_across(origin, normal, &places);
    for (i, &k) in inner.iter().enumerate() {
        factors[k] = between.as_ref().map_or(1.0, |between| between[i]);
    }
    Some(factors)
}

#[cfg(test)]
mod tests {
    use raceline_road::geometry::{Point, Vector};

    use super::{GripProfile, MAX_SAMPLES, STEP_M};
    use crate::speed::GripMap;

    /// Ice on the left half of a strip across the road: x from 10 to 10.4 m, y above 0.
    #[derive(Debug)]
    struct Strip;

    impl GripMap for Strip {
        fn along(&self, line: &[Point]) -> Vec<f64> {
            vec![1.0; line.len()]
        }

        fn patches_across(&self, origin: Point, across: Vector, offsets: &[f64]) -> Option<Vec<f64>> {
            let factor = |offset: &f64| {
                let place = origin + across * *offset;
                if (10.0..10.4).contains(&place.x) && place.y > 0.0 { 0.4 } else { 1.0 }
            };
            let factors: Vec<f64> = offsets.iter().map(factor).collect();
            factors.iter().any(|&factor| factor != 1.0).then_some(factors)
        }
    }

    fn ahead(x: f64, bounds: [f64; 2], step: f64) -> Option<GripProfile> {
        GripProfile::ahead_of(&Strip, Point::new(x, 0.0), Vector::y(), bounds, step)
    }

    #[test]
    fn the_smallest_factor_from_a_station_to_the_next_counts() {
        // The strip is ahead, at the station, and at the end of the interval.
        for (x, step) in [(7.7, 5.0), (10.0, 5.0), (8.2, 2.0)] {
            let profile = ahead(x, [-3.0, 3.0], step).expect("the strip is in the interval");
            assert!((profile.jet(2.0).value - 0.4).abs() < 1e-9 && (profile.jet(-2.0).value - 1.0).abs() < 1e-9);
        }
        for (x, step) in [(10.5, 5.0), (4.0, 5.0)] {
            assert_eq!(ahead(x, [-3.0, 3.0], step), None, "the strip is behind or beyond");
        }
    }

    #[test]
    fn samples_are_close_on_a_narrow_road_and_as_many_as_allowed_on_a_wide_one() {
        for width_m in [1.0, 6.0, 200.0] {
            let profile = ahead(10.1, [-0.5 * width_m, 0.5 * width_m], 0.1).expect("the strip is in the interval");
            let step_m = f64::max(STEP_M, width_m / MAX_SAMPLES as f64);
            assert!((profile.step_m - step_m).abs() < 1e-15, "{width_m}: {}", profile.step_m);
            let end_m = profile.first_m + (profile.coefficients.len() - 1) as f64 * step_m;
            // Three steps beyond either bound, and less than five more up to a whole coarse one.
            assert!((profile.first_m + 0.5 * width_m + 3.0 * step_m).abs() < 1e-12);
            let beyond = (end_m - 0.5 * width_m) / step_m;
            assert!((3.0..9.0).contains(&beyond), "{width_m}: {beyond}");
        }
    }

    #[test]
    fn a_bend_gives_no_grip_that_no_sample_has() {
        let samples: Vec<f64> = (0..40).map(|k| (1.4 - 0.06 * f64::from(k)).clamp(0.3, 1.0)).collect();
        let profile = GripProfile::through(0.0, 0.1, &samples);
        for k in 0..400 {
            let value = profile.jet(0.01 * f64::from(k)).value;
            assert!((0.3 - 1e-12..=1.0 + 1e-12).contains(&value), "{k}: {value}");
        }
        // Off the bends it is the ramp.
        assert!((profile.jet(1.23).value - (1.4 - 0.6 * 1.23)).abs() < 1e-12);
    }

    #[test]
    fn a_profile_is_near_its_samples_and_has_their_derivatives() {
        let f = |n: f64| 1.0 - 0.5 / (1.0 + (-4.0 * n).exp());
        let samples: Vec<f64> = (0..60).map(|k| f(-3.0 + 0.1 * f64::from(k))).collect();
        let profile = GripProfile::through(-3.0, 0.1, &samples);
        for k in 0..100 {
            let n = -2.5 + 0.05 * f64::from(k);
            let (jet, h) = (profile.jet(n), 1e-5);
            assert!((jet.value - f(n)).abs() < 2e-4, "{n}: {} {}", jet.value, f(n));
            let (after, before) = (profile.jet(n + h), profile.jet(n - h));
            assert!(((after.value - before.value) / (2.0 * h) - jet.slope).abs() < 1e-6, "{n}: {jet:?}");
            assert!(((after.slope - before.slope) / (2.0 * h) - jet.bend).abs() < 2e-4, "{n}: {jet:?}");
        }
    }
}
