//! Where the stations lie: close together where the line bends, far apart where it runs straight.

use crate::geometry::SplineCurve;

/// The distance between stations as a function of curvature.
#[derive(Clone, Copy, Debug)]
pub struct Spacing {
    /// Largest distance, m.
    pub longest_m: f64,
}

/// Distance between stations times the square root of curvature, √m. A file holds points to the millimetre, and what that
/// puts on curvature falls with the square of their distance; this law makes it the same share of the curvature everywhere.
const ROUNDING_LAW: f64 = 0.45;
/// In tight bends the line turns by at most this angle from station to station, radians.
const LARGEST_TURN: f64 = 0.2;
/// Distances differ at most by this factor.
const RANGE: f64 = 25.0;
/// How much the distance may grow per metre; curvature by three points is of second order where it grows slowly.
const GROWTH: f64 = 0.08;
/// The curve is looked at so many times per longest distance.
const LOOKS: f64 = 5.0;
/// A lap has at least so many stations.
const FEWEST: usize = 24;

impl Spacing {
    /// Parameters on `curve` for the stations: from its beginning, and to its end when it is open.
    pub fn places(&self, curve: &SplineCurve) -> Vec<f64> {
        let length = curve.length();
        let cells = ((LOOKS * length / self.longest_m).ceil() as usize).max(4 * FEWEST);
        let cell = length / cells as f64;
        let longest = self.longest_m.min(length / FEWEST as f64);
        let mut wanted: Vec<f64> = (0..cells)
            .map(|i| {
                let curvature = curve.at((i as f64 + 0.5) * cell).curvature().abs().max(1e-12);
                let distance = (ROUNDING_LAW / curvature.sqrt()).min(LARGEST_TURN / curvature);
                distance.clamp(longest / RANGE, longest)
            })
            .collect();
        limit_growth(&mut wanted, GROWTH * cell, curve.is_closed());
        // Stations lie evenly in the integral of 1 / distance.
        let mut sums = Vec::with_capacity(cells + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for distance in &wanted {
            sum += cell / distance;
            sums.push(sum);
        }
        let intervals = sum.ceil().max(FEWEST as f64) as usize;
        let count = if curve.is_closed() { intervals } else { intervals + 1 };
        let mut at = 0;
        (0..count)
            .map(|i| {
                let target = sum * i as f64 / intervals as f64;
                while at + 1 < cells && sums[at + 1] <= target {
                    at += 1;
                }
                ((at as f64 + (target - sums[at]) / (sums[at + 1] - sums[at])) * cell).min(length)
            })
            .collect()
    }
}

/// Lowers what is more than `growth` above its neighbour.
fn limit_growth(values: &mut [f64], growth: f64, closed: bool) {
    let n = values.len();
    // The second round carries what the first brought to the seam.
    for _ in 0..if closed { 2 } else { 1 } {
        for i in 0..if closed { n } else { n - 1 } {
            let next = (i + 1) % n;
            values[next] = values[next].min(values[i] + growth);
        }
        for i in (0..if closed { n } else { n - 1 }).rev() {
            values[i] = values[i].min(values[(i + 1) % n] + growth);
        }
    }
}
