//! The height of the road at every place of it, as a smooth surface with derivatives.
//!
//! Along the centre line the height z(s) and the slope across b(s) are cubic splines through values
//! on the cross-sections; across the road the height is linear. At a place n metres to the left of
//! the centre line, whose curvature is κ_c there, with h = 1 - κ_c n,
//!
//! ```text
//! z      = z(s) + b(s) n
//! along  : (z' + b' n) / h                        across : b
//! second derivatives, along twice : (z'' + b'' n) / h² + κ_c' n (z' + b' n) / h³ - κ_c b / h
//!                     mixed       : b' / h + κ_c (z' + b' n) / h²          across twice : 0
//! ```
//!
//! which are those of a function in the coordinates of a moving frame (as in polar coordinates, for
//! which κ_c is constant). κ_c is a cubic spline too.
//!
//! Surveyed and simulated heights have noise and kinks, and their second derivative is what the
//! tyres' load depends on. Heights and slopes are therefore smoothed by a local linear regression
//! with Gaussian weights, which leaves straight lines as they are, also at the ends of an open road
//! (Fan and Gijbels, *Local Polynomial Modelling*, 1996, section 3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::places::{Place, Places};
use super::{CrossSection, Track};
use crate::geometry::{Point, Slope, SplineKnots, cross, left_of};
use crate::range::{OutOfRange, Range};
use raceline_numerics::math;

/// Range of `height_smoothing_m`.
const SMOOTHING: Range = Range::between(0.0, 1000.0).in_metres();
/// Weights beyond this many standard deviations are left out.
const REACH: f64 = 4.0;
/// Minimum of h: the surface is not extrapolated beyond the centre of a bend.
const MIN_STRETCH: f64 = 0.2;
/// Heights that differ by less than this are level, metres.
const LEVEL_M: f64 = 1e-9;

/// How heights become a smooth surface.
///
/// ```
/// use raceline_road::track::ReliefOptions;
///
/// assert!(ReliefOptions { height_smoothing_m: 8.0 }.validate().is_ok());
/// assert!(ReliefOptions { height_smoothing_m: -1.0 }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReliefOptions {
    /// Smoothing of heights and banking: standard deviation of a Gaussian along the road, metres.
    /// Default: 3, about the wheelbase of a car.
    #[serde(skip_serializing_if = "is_default_smoothing")]
    #[schemars(extend("x-range" = SMOOTHING))]
    pub height_smoothing_m: f64,
}

/// Default smoothing, metres.
const DEFAULT_SMOOTHING_M: f64 = 3.0;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_smoothing(value: &f64) -> bool {
    *value == DEFAULT_SMOOTHING_M
}

impl Default for ReliefOptions {
    fn default() -> Self {
        Self { height_smoothing_m: DEFAULT_SMOOTHING_M }
    }
}

impl ReliefOptions {
    /// Checks every option's range.
    ///
    /// # Errors
    /// The first option outside its range, with its value and range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        SMOOTHING.check("height_smoothing_m", self.height_smoothing_m)
    }
}

/// The heights of a track.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_road::track::{ElevationPoint, ReliefOptions, TrackRelief};
///
/// // A hill of 4 m on the other side of the start line.
/// let profile = [(0.0, 0.0), (190.0, 4.0)].map(|(s_m, z_m)| ElevationPoint { s_m, z_m });
/// let hilly = track.with_profiles(&profile, &[])?;
/// let relief = TrackRelief::new(&hilly, &ReliefOptions::default()).unwrap();
/// let heights: Vec<f64> = relief.along(hilly.centre_line().points).map(|slope| slope.height_m).collect();
/// assert!(heights.iter().any(|&height| height > 3.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrackRelief {
    places: Places,
    /// Height of the middle of each section, metres.
    height: Splined,
    /// Slope across at each section, to the left.
    across: Splined,
    /// Curvature of the centre line at each section, 1/m.
    curvature: Splined,
    /// Largest change of a height by smoothing, metres.
    deviation_m: f64,
}

/// Values on the sections with second derivatives along the centre line.
#[derive(Clone, Debug)]
struct Splined {
    values: Vec<f64>,
    second: Vec<f64>,
}

impl TrackRelief {
    /// The relief of `track`; `None` for a level road.
    #[must_use]
    pub fn new(track: &Track, options: &ReliefOptions) -> Option<Self> {
        let surface = track.surface.as_ref()?;
        let first = surface.first()?.right.height_m;
        let is_level = |height: f64| (height - first).abs() <= LEVEL_M;
        if surface.iter().all(|section| is_level(section.right.height_m) && is_level(section.left.height_m)) {
            return None;
        }
        let places = Places::new(track);
        let n = track.sections.len();
        let gaps: Vec<f64> = places.distances.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let knots = SplineKnots::new(gaps, track.closed)?;
        let raw: Vec<f64> =
            surface.iter().map(|section| f64::midpoint(section.right.height_m, section.left.height_m)).collect();
        let slopes: Vec<f64> = surface
            .iter()
            .zip(&track.sections)
            .map(|(surface, section)| (surface.left.height_m - surface.right.height_m) / section.width())
            .collect();
        let smooth = |values: &[f64]| smoothed(values, &places, options.height_smoothing_m);
        let (height, across) = (smooth(&raw), smooth(&slopes));
        let deviations = (0..n).map(|i| {
            let half = 0.5 * track.sections[i].width();
            (height[i] - raw[i]).abs() + half * (across[i] - slopes[i]).abs()
        });
        let deviation_m = deviations.fold(0.0, f64::max);
        let curvature = smooth(&turning(&track.sections, &places));
        let splined = |values: Vec<f64>| {
            let mut second = vec![0.0; n];
            knots.second_derivatives(&values, &mut second);
            Splined { values, second }
        };
        Some(Self {
            height: splined(height),
            across: splined(across),
            curvature: splined(curvature),
            places,
            deviation_m,
        })
    }

    /// Largest change of a height by smoothing, metres.
    #[must_use]
    pub fn deviation_m(&self) -> f64 {
        self.deviation_m
    }

    /// The height at each point of a line along the road, which remains on its leg where the road
    /// crosses itself.
    pub fn along<'a>(&'a self, line: impl IntoIterator<Item = Point> + 'a) -> impl Iterator<Item = Slope> + 'a {
        self.places.along(line).map(|place| self.at(&place))
    }

    fn at(&self, place: &Place) -> Slope {
        let (i, fraction) = (place.section, place.fraction);
        let n = self.places.sections.len();
        let next = (i + 1) % n;
        let gap = self.places.distances[i + 1] - self.places.distances[i];
        let [z, z1, z2] = self.height.at(i, next, gap, fraction);
        let [b, b1, b2] = self.across.at(i, next, gap, fraction);
        let [curvature, curvature_change, _] = self.curvature.at(i, next, gap, fraction);
        let (from, to) = (self.places.sections[i].span(), self.places.sections[next].span());
        let span = from + (to - from) * fraction;
        let width = span.norm();
        let left = span / width;
        let along = -left_of(left);
        let offset = (place.across - 0.5) * width;
        let stretch = 1.0 - curvature * offset;
        let h = stretch.max(MIN_STRETCH);
        let (slope, bend) = (z1 + b1 * offset, z2 + b2 * offset);
        // At its minimum, h does not change.
        let shrink = if stretch > MIN_STRETCH { curvature_change * offset } else { 0.0 };
        let along_twice = bend / (h * h) + shrink * slope / (h * h * h) - curvature * b / h;
        let mixed = b1 / h + curvature * slope / (h * h);
        // From the road's frame to the axes of the plane.
        let (ax, ay, lx, ly) = (along.x, along.y, left.x, left.y);
        Slope {
            height_m: z + b * offset,
            gradient: along * (slope / h) + left * b,
            bending: [
                ax * ax * along_twice + 2.0 * ax * lx * mixed,
                ax * ay * along_twice + (ax * ly + ay * lx) * mixed,
                ay * ay * along_twice + 2.0 * ay * ly * mixed,
            ],
        }
    }
}

impl Splined {
    /// Value, first and second derivative between two neighbouring sections `gap` metres apart.
    fn at(&self, i: usize, next: usize, gap: f64, fraction: f64) -> [f64; 3] {
        let (a, b) = (1.0 - fraction, fraction);
        let (from, to) = (self.values[i], self.values[next]);
        let (bend_from, bend_to) = (self.second[i], self.second[next]);
        let value = a * from + b * to + ((a * a * a - a) * bend_from + (b * b * b - b) * bend_to) * gap * gap / 6.0;
        let slope = (to - from) / gap + ((3.0 * b * b - 1.0) * bend_to - (3.0 * a * a - 1.0) * bend_from) * gap / 6.0;
        [value, slope, a * bend_from + b * bend_to]
    }
}

/// Curvature of the centre line at each section by the turning of its neighbours, 1/m.
fn turning(sections: &[CrossSection], places: &Places) -> Vec<f64> {
    let n = sections.len();
    let length = places.length_m();
    (0..n)
        .map(|i| {
            let (before, after) = match places.closed {
                true => ((i + n - 1) % n, (i + 1) % n),
                false => (i.saturating_sub(1), (i + 1).min(n - 1)),
            };
            let (a, b) = (sections[before].span(), sections[after].span());
            let mut distance = places.distances[after] - places.distances[before];
            if distance <= 0.0 {
                distance += length;
            }
            math::atan2(cross(a, b), a.dot(&b)) / distance
        })
        .collect()
}

/// Values on the sections, smoothed along the centre line by local linear regression with Gaussian
/// weights of the standard deviation `sigma`, metres.
fn smoothed(values: &[f64], places: &Places, sigma: f64) -> Vec<f64> {
    let n = values.len();
    let length = places.length_m();
    if sigma <= 0.0 {
        return values.to_vec();
    }
    // Each value stands for the piece of road about it.
    let stands_for = |i: usize| {
        let after = places.distances.get(i + 1).map_or(0.0, |d| d - places.distances[i]);
        let before = match i {
            0 if places.closed => length - places.distances[n - 1],
            0 => 0.0,
            _ => places.distances[i] - places.distances[i - 1],
        };
        0.5 * (before + after)
    };
    (0..n)
        .map(|i| {
            let mut sums = [0.0; 5];
            let mut add = |k: usize, offset: f64| {
                let weight = stands_for(k) * math::exp(-0.5 * math::powi(offset / sigma, 2));
                let value = values[k];
                for (sum, term) in sums.iter_mut().zip([1.0, offset, offset * offset, value, value * offset]) {
                    *sum += weight * term;
                }
            };
            add(i, 0.0);
            for forwards in [true, false] {
                let mut k = i;
                for _ in 1..n {
                    k = match (forwards, places.closed) {
                        (true, true) => (k + 1) % n,
                        (false, true) => (k + n - 1) % n,
                        (true, false) if k + 1 < n => k + 1,
                        (false, false) if k > 0 => k - 1,
                        _ => break,
                    };
                    let mut offset = places.distances[k] - places.distances[i];
                    if places.closed {
                        offset = if forwards { offset.rem_euclid(length) } else { -(-offset).rem_euclid(length) };
                    }
                    if offset.abs() > REACH * sigma || 2.0 * offset.abs() > length && places.closed {
                        break;
                    }
                    add(k, offset);
                }
            }
            let [w, s, ss, v, sv] = sums;
            let determinant = w * ss - s * s;
            if determinant > 1e-12 * w * w { (ss * v - s * sv) / determinant } else { v / w }
        })
        .collect()
}

#[cfg(test)]
mod tests;
