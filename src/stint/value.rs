//! The value of a lap near the laps that were searched.
//!
//! With the place x = (mass, grip, prices of the four uses), the value V(x) is the minimum t + λ U of
//! a lap. Its gradient at a lap that was searched is known: the derivatives by mass and grip from the
//! multipliers of the lap's program, those by the prices as the uses themselves. V is a quadratic
//! function that fits values and gradients of all laps by least squares,
//!
//! ```text
//! V(x) = c + b·x + ½ x·H x                                                                   (1)
//! ```
//!
//! where laps of earlier rounds, which are farther from the stint's prices, count less. What the laps
//! leave open is near a usual H: a use falls by two thirds of itself where its price times it becomes
//! the lap time, as on circuits.

use nalgebra::{DMatrix, DVector};
use raceline_numerics::math;

/// Number of coordinates of a place: mass, kg, grip, and the prices, s/J, of [`Uses`].
pub(super) const AXES: usize = 6;
/// The prices of engine, deployed and recuperated energy, and friction.
pub(super) const MASS: usize = 0;
pub(super) const GRIP: usize = 1;
pub(super) const ENGINE: usize = 2;
pub(super) const DEPLOYED: usize = 3;
pub(super) const RECUPERATED: usize = 4;
pub(super) const FRICTION: usize = 5;

/// A place.
pub(super) type Place = [f64; AXES];

/// Largest H of a price by its scale: see the module's text.
const USUAL_BEND: f64 = -0.67;
/// Weight of the usual H against a lap's gradient at a distance of the scale.
const USUAL_WEIGHT: f64 = 1e-3;
/// A lap of the round before counts by this.
const EARLIER: f64 = 0.3;
/// Smallest bend of a price relative to the usual one, so that Newton's steps by it are bounded.
const MIN_BEND: f64 = 0.1;

/// V and its gradient at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    pub value_s: f64,
    pub slopes: Place,
}

/// The fitted function (1), in coordinates by [`Self::scales`] about [`Self::middle`].
#[derive(Clone, Debug)]
pub(super) struct LapValue {
    middle: Place,
    scales: Place,
    constant: f64,
    linear: Place,
    bends: [Place; AXES],
}

/// Number of entries of H on and above its diagonal.
const ENTRIES: usize = AXES * (AXES + 1) / 2;

impl LapValue {
    /// The function through `laps`, each with the number of rounds since it was searched; the first is
    /// the one by which the coordinates are scaled.
    pub fn through(laps: &[(Place, Value, usize)]) -> Self {
        let (middle, first, _) = laps[0];
        let scales: Place = std::array::from_fn(|axis| match axis {
            MASS => 0.1 * middle[MASS],
            GRIP => 0.1,
            // The price at which the use would cost the lap time.
            _ if first.slopes[axis] != 0.0 => (first.value_s / first.slopes[axis]).abs(),
            _ => 1.0,
        });
        let unit = first.value_s;
        let count = 1 + AXES + ENTRIES;
        let mut normal = DMatrix::<f64>::zeros(count, count);
        let mut side = DVector::<f64>::zeros(count);
        let mut add = |row: &DVector<f64>, value: f64, weight: f64| {
            normal.ger(weight, row, row, 1.0);
            side.axpy(weight * value, row, 1.0);
        };
        for (place, value, age) in laps {
            let weight = math::powi(math::powi(EARLIER, i32::try_from(*age).unwrap_or(i32::MAX)), 2);
            let x: Place = std::array::from_fn(|axis| (place[axis] - middle[axis]) / scales[axis]);
            let mut row = DVector::zeros(count);
            row[0] = 1.0;
            for i in 0..AXES {
                row[1 + i] = x[i];
                for j in i..AXES {
                    row[entry(i, j)] = if i == j { 0.5 * x[i] * x[i] } else { x[i] * x[j] };
                }
            }
            add(&row, value.value_s / unit, weight);
            for i in 0..AXES {
                let mut row = DVector::zeros(count);
                row[1 + i] = 1.0;
                for (j, x) in x.iter().enumerate() {
                    row[entry(i.min(j), i.max(j))] += x;
                }
                add(&row, value.slopes[i] * scales[i] / unit, weight);
            }
        }
        for i in 0..AXES {
            for j in i..AXES {
                let is_price = i == j && i >= ENGINE && first.slopes[i] != 0.0;
                let mut row = DVector::zeros(count);
                row[entry(i, j)] = 1.0;
                add(&row, if is_price { USUAL_BEND } else { 0.0 }, USUAL_WEIGHT * USUAL_WEIGHT);
            }
        }
        // The first lap and the usual H determine all of it.
        let found = normal.cholesky().map_or_else(|| DVector::zeros(count), |factor| factor.solve(&side));
        Self {
            middle,
            scales,
            constant: unit * found[0],
            linear: std::array::from_fn(|i| unit * found[1 + i]),
            bends: std::array::from_fn(|i| std::array::from_fn(|j| unit * found[entry(i.min(j), i.max(j))])),
        }
    }

    /// V and its gradient at `place`.
    pub fn at(&self, place: &Place) -> Value {
        let x: Place = std::array::from_fn(|axis| (place[axis] - self.middle[axis]) / self.scales[axis]);
        let bent: Place = std::array::from_fn(|i| (0..AXES).map(|j| self.bends[i][j] * x[j]).sum());
        // Equation (1).
        let value_s = self.constant + (0..AXES).map(|i| (self.linear[i] + 0.5 * bent[i]) * x[i]).sum::<f64>();
        Value { value_s, slopes: std::array::from_fn(|i| (self.linear[i] + bent[i]) / self.scales[i]) }
    }

    /// The second derivative by two coordinates.
    fn bend(&self, i: usize, j: usize) -> f64 {
        self.bends[i][j] / (self.scales[i] * self.scales[j])
    }

    /// By how much the net use along `direction` falls with its price, J²/s: above 0, as V is concave in
    /// the prices.
    pub fn fall(&self, direction: &[(usize, f64)]) -> f64 {
        let of = |bend: &dyn Fn(usize, usize) -> f64| -> f64 {
            direction
                .iter()
                .flat_map(|&(i, a)| direction.iter().map(move |&(j, b)| (i, j, a * b)))
                .map(|(i, j, weight)| -weight * bend(i, j))
                .sum()
        };
        let usual = |i: usize, j: usize| {
            if i == j { self.constant * USUAL_BEND / (self.scales[i] * self.scales[i]) } else { 0.0 }
        };
        of(&|i, j| self.bend(i, j)).max(MIN_BEND * of(&usual))
    }

    /// The price at which a use would cost the lap time, s/J.
    pub fn price_scale(&self, axis: usize) -> f64 {
        self.scales[axis]
    }
}

/// Place of an entry of H, i ≤ j, among the unknowns of the fit.
fn entry(i: usize, j: usize) -> usize {
    1 + AXES + i * AXES - i * (i + 1) / 2 + j
}

#[cfg(test)]
mod tests {
    use super::{AXES, DEPLOYED, ENGINE, ENTRIES, LapValue, Place, Value, entry};

    /// 80 s with a quadratic dependence on everything.
    fn value(place: &Place) -> Value {
        let x = [place[0] - 1000.0, place[1] - 1.0, place[2] * 1e8, place[3] * 1e8, place[4] * 1e8, place[5] * 1e8];
        let slopes = [0.02, -25.0, 0.3, 0.1, -0.05, 0.06];
        let bends = [1e-5, 20.0, -0.02, -0.01, -0.003, -0.004];
        let mixed = 0.004;
        let value_s =
            80.0 + (0..AXES).map(|i| (slopes[i] + 0.5 * bends[i] * x[i]) * x[i]).sum::<f64>() + mixed * x[1] * x[2];
        let by = |i: usize| {
            let other = if i == 1 {
                x[2]
            } else if i == 2 {
                x[1]
            } else {
                0.0
            };
            (slopes[i] + bends[i] * x[i] + mixed * other) * if i >= ENGINE { 1e8 } else { 1.0 }
        };
        Value { value_s, slopes: std::array::from_fn(by) }
    }

    #[test]
    fn entries_are_numbered_without_gaps() {
        let mut all: Vec<usize> = (0..AXES).flat_map(|i| (i..AXES).map(move |j| entry(i, j))).collect();
        all.sort_unstable();
        assert_eq!(all, (1 + AXES..1 + AXES + ENTRIES).collect::<Vec<_>>());
    }

    #[test]
    fn a_quadratic_value_is_found_from_a_few_laps() {
        // One coordinate moves at a time, since a gradient has the mixed derivatives.
        let mut places: Vec<Place> = vec![[1000.0, 1.0, 0.0, 0.0, 0.0, 0.0]];
        for axis in 0..AXES {
            for step in [2.0, 4.0] {
                let mut place = places[0];
                place[axis] += step * [30.0, 0.03, 1e-8, 1e-8, 1e-8, 1e-8][axis];
                places.push(place);
            }
        }
        let laps: Vec<_> = places.iter().map(|place| (*place, value(place), 0)).collect();
        let fitted = LapValue::through(&laps);
        let place = [1017.0, 0.985, 1.3e-8, 0.7e-8, 2.1e-8, 1.1e-8];
        let (found, exact) = (fitted.at(&place), value(&place));
        assert!((found.value_s - exact.value_s).abs() < 1e-2, "{} {}", found.value_s, exact.value_s);
        let fall = fitted.fall(&[(ENGINE, 1.0)]);
        assert!((fall / 0.02e16 - 1.0).abs() < 0.05, "{fall}");
        assert!(fitted.fall(&[(DEPLOYED, 1.0)]) > 0.0);
    }

    #[test]
    fn one_lap_gives_its_own_value_and_slopes() {
        let place = [1000.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let exact = value(&place);
        let fitted = LapValue::through(&[(place, exact, 3)]);
        let found = fitted.at(&place);
        assert!((found.value_s - exact.value_s).abs() < 1e-6);
        for (found, exact) in found.slopes.iter().zip(exact.slopes) {
            assert!((found - exact).abs() < 1e-6 * exact.abs());
        }
    }
}
