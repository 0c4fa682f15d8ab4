//! A curve beside the path: a fifth-degree polynomial to a distance, then parallel.

/// e(s), the distance to the left of the path, m, over the arc length from the vehicle on, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OffsetCurve {
    /// c0 + c1 u + ... + c5 u⁵ with u = s / length, of the whole curve.
    coefficients: [f64; 6],
    /// Length, m, and the offset that it reaches, m.
    length: f64,
    goal: f64,
}

/// The curve at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OffsetSample {
    /// m, to the left.
    pub offset: f64,
    /// de/ds and d²e/ds², 1/m.
    pub slope: f64,
    pub curvature: f64,
}

impl OffsetCurve {
    /// From a state to `goal` within `length`, where slope and curvature are 0.
    pub(crate) fn between(start: &OffsetSample, goal: f64, length: f64) -> Self {
        let (c0, c1, c2) = (start.offset, start.slope * length, 0.5 * start.curvature * length * length);
        // The three conditions at u = 1.
        let (d0, d1, d2) = (goal - c0 - c1 - c2, -c1 - 2.0 * c2, -2.0 * c2);
        let c3 = 10.0 * d0 - 4.0 * d1 + 0.5 * d2;
        let c4 = -15.0 * d0 + 7.0 * d1 - d2;
        let c5 = 6.0 * d0 - 3.0 * d1 + 0.5 * d2;
        Self { coefficients: [c0, c1, c2, c3, c4, c5], length, goal }
    }

    /// The curve `ahead` metres from the vehicle.
    pub(crate) fn at(&self, ahead: f64) -> OffsetSample {
        let u = ahead / self.length;
        if u >= 1.0 {
            return OffsetSample { offset: self.goal, slope: 0.0, curvature: 0.0 };
        }
        let [c0, c1, c2, c3, c4, c5] = self.coefficients;
        let offset = c0 + u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5))));
        let slope = c1 + u * (2.0 * c2 + u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5)));
        let curvature = 2.0 * c2 + u * (6.0 * c3 + u * (12.0 * c4 + u * 20.0 * c5));
        OffsetSample { offset, slope: slope / self.length, curvature: curvature / (self.length * self.length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_meets_its_six_conditions_and_its_derivatives() {
        let start = OffsetSample { offset: 1.2, slope: -0.05, curvature: 0.01 };
        let curve = OffsetCurve::between(&start, -2.0, 30.0);
        let near = |a: f64, b: f64, tolerance: f64| assert!((a - b).abs() < tolerance, "{a} and {b}");
        let (first, last) = (curve.at(0.0), curve.at(30.0 - 1e-9));
        near(first.offset, 1.2, 1e-12);
        near(first.slope, -0.05, 1e-12);
        near(first.curvature, 0.01, 1e-12);
        near(last.offset, -2.0, 1e-9);
        near(last.slope, 0.0, 1e-9);
        near(last.curvature, 0.0, 1e-8);
        assert_eq!(curve.at(31.0), OffsetSample { offset: -2.0, slope: 0.0, curvature: 0.0 });
        for s in [3.0, 11.0, 24.0] {
            let (a, b) = (curve.at(s - 1e-4), curve.at(s + 1e-4));
            near((b.offset - a.offset) / 2e-4, curve.at(s).slope, 1e-7);
            near((b.slope - a.slope) / 2e-4, curve.at(s).curvature, 1e-7);
        }
    }
}
