//! The route beside the path that is planned.

use crate::offset_curve::OffsetSample;

/// Places ahead at which a route is known.
pub(crate) const STATIONS: usize = 28;

/// e(s), the distance to the left of the path, at evenly spaced places ahead, and how it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlannedRoute {
    /// Distance between two places, m.
    step: f64,
    /// Offset one step before the first place, as the first slope has it, m.
    before: f64,
    /// m.
    offsets: [f64; STATIONS],
}

impl PlannedRoute {
    /// The path itself.
    pub(crate) const PATH: Self = Self { step: 1.0, before: 0.0, offsets: [0.0; STATIONS] };

    /// From an offset with a slope, through the others.
    pub(crate) fn new(step: f64, slope: f64, offsets: [f64; STATIONS]) -> Self {
        Self { step, before: offsets[1] - 2.0 * step * slope, offsets }
    }

    /// Straight on at an offset with a slope.
    pub(crate) fn straight(offset: f64, slope: f64) -> Self {
        Self::new(1.0, slope, std::array::from_fn(|k| offset + slope * k as f64))
    }

    fn value(&self, k: isize) -> f64 {
        let last = STATIONS as isize - 1;
        match k {
            ..0 => self.before,
            // On as it ends.
            _ if k > last => 2.0 * self.offsets[STATIONS - 1] - self.offsets[STATIONS - 2],
            _ => self.offsets[k as usize],
        }
    }

    /// Curvature against the path at a place, 1/m.
    pub(crate) fn bend(&self, k: usize) -> f64 {
        let k = k as isize;
        (self.value(k - 1) - 2.0 * self.value(k) + self.value(k + 1)) / (self.step * self.step)
    }

    /// The route `ahead` metres from its beginning: the cubic between two places with the slopes of their
    /// neighbours (Catmull and Rom 1974); the curvature is linear between the places.
    pub(crate) fn at(&self, ahead: f64) -> OffsetSample {
        let place = (ahead / self.step).clamp(0.0, (STATIONS - 1) as f64);
        let k = (place as usize).min(STATIONS - 2);
        let u = place - k as f64;
        let [a, b, c, d] = [-1, 0, 1, 2].map(|by| self.value(k as isize + by));
        let (first, last) = (0.5 * (c - a), 0.5 * (d - b));
        let (square, cube) = (3.0 * (c - b) - 2.0 * first - last, 2.0 * (b - c) + first + last);
        OffsetSample {
            offset: b + u * (first + u * (square + u * cube)),
            slope: (first + u * (2.0 * square + 3.0 * u * cube)) / self.step,
            curvature: self.bend(k) * (1.0 - u) + self.bend(k + 1) * u,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_through_a_parabola_is_the_parabola() {
        let (step, curve) = (3.0, 0.002);
        let at = |s: f64| -4.0 + 0.05 * s + 0.5 * curve * s * s;
        let route = PlannedRoute::new(step, 0.05, std::array::from_fn(|k| at(k as f64 * step)));
        for s in [0.0, 1.0, 20.0, 71.5] {
            let there = route.at(s);
            assert!((there.offset - at(s)).abs() < 1e-9, "{s}: {there:?}");
            assert!((there.slope - 0.05 - curve * s).abs() < 1e-9, "{s}: {there:?}");
            assert!((there.curvature - curve).abs() < 1e-9, "{s}: {there:?}");
        }
        let straight = PlannedRoute::straight(1.0, 0.1).at(2.5);
        assert!((straight.offset - 1.25).abs() < 1e-12 && straight.curvature.abs() < 1e-12, "{straight:?}");
    }
}
