//! Plane curves as cubic splines in arc length.

use super::{Point, SplineKnots, Vector, cross};
use raceline_numerics::math;

/// A point of a curve with its derivatives with respect to the curve's parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Position, metres.
    pub position: Point,
    /// First derivative.
    pub first: Vector,
    /// Second derivative.
    pub second: Vector,
}

impl CurvePoint {
    /// Signed curvature, 1/m, positive to the left: `(x'y'' - y'x'') / |p'|³`.
    #[must_use]
    pub fn curvature(&self) -> f64 {
        let speed = self.first.norm();
        if speed > 0.0 { cross(self.first, self.second) / math::powi(speed, 3) } else { 0.0 }
    }

    /// Heading, radians counter-clockwise from +x, in (-π, π].
    #[must_use]
    pub fn heading(&self) -> f64 {
        math::atan2(self.first.y, self.first.x)
    }
}

/// A cubic spline through points of the plane: periodic when closed; when open, its bends go on at
/// the ends (see [`SplineKnots`]). Its parameter is close to its arc length.
///
/// ```
/// use raceline_road::geometry::{Point, SplineCurve};
///
/// let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 32.0;
/// let circle: Vec<Point> = (0..32).map(|i| Point::new(50.0 * angle(i).cos(), 50.0 * angle(i).sin())).collect();
/// let curve = SplineCurve::through(&circle, true).unwrap();
/// assert!((curve.at(17.0).curvature() - 1.0 / 50.0).abs() < 1e-4);
/// assert!((curve.length() - 100.0 * std::f64::consts::PI).abs() < 0.01);
/// ```
#[derive(Clone, Debug)]
pub struct SplineCurve {
    knots: SplineKnots,
    positions: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    x_second: Vec<f64>,
    y_second: Vec<f64>,
}

/// Each pass replaces the knot distances by the arc length of the previous pass's spline; the first
/// starts from chords. After three passes the parameter is within 1e-4 of arc length on usual
/// roads.
const ARC_LENGTH_PASSES: usize = 3;
/// Largest difference of the parameter's speed from 1 along a curve that is made to run in arc length.
const SPEED_TOLERANCE: f64 = 2e-3;
/// Each round halves the intervals in which the difference is larger. Twelve points about a hairpin need three.
const MAX_HALVINGS: usize = 8;
/// Knots that are added at most, so that a line of noise costs no more than one without.
const MAX_ADDED_KNOTS: usize = 10_000;
/// Places of an interval at which the speed is looked at, as fractions of it.
const SPEED_PLACES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl SplineCurve {
    /// The spline through `points`; a closed curve does not repeat the first point. `None` for
    /// fewer than three points (two for an open curve) or two equal successive points.
    #[must_use]
    pub fn through(points: &[Point], closed: bool) -> Option<Self> {
        let n = points.len();
        let count = if closed { n } else { n.saturating_sub(1) };
        let chords = (0..count).map(|i| (points[(i + 1) % n] - points[i]).norm()).collect();
        let mut curve = Self::on_knots(points, SplineKnots::new(chords, closed)?);
        for _ in 0..ARC_LENGTH_PASSES {
            let lengths = (0..count).map(|i| curve.interval_length(i)).collect();
            curve = Self::on_knots(points, SplineKnots::new(lengths, closed)?);
        }
        Some(curve)
    }

    /// The curve of [`through`](Self::through) with more knots on it where its parameter is not its arc length: between
    /// points that are far apart for their bends.
    #[must_use]
    pub fn in_arc_length(points: &[Point], closed: bool) -> Option<Self> {
        let mut curve = Self::through(points, closed)?;
        for _ in 0..MAX_HALVINGS {
            let uneven = |i: &usize| {
                let h = curve.knots.intervals()[*i];
                SPEED_PLACES.iter().any(|t| (curve.in_interval(*i, t * h).first.norm() - 1.0).abs() > SPEED_TOLERANCE)
            };
            let halved: Vec<usize> = (0..curve.knots.intervals().len()).filter(uneven).collect();
            if halved.is_empty() || curve.x.len() + halved.len() > points.len() + MAX_ADDED_KNOTS {
                break;
            }
            let mut knots: Vec<Point> = Vec::with_capacity(curve.x.len() + halved.len());
            let mut next = halved.into_iter().peekable();
            for i in 0..curve.x.len() {
                knots.push(Point::new(curve.x[i], curve.y[i]));
                if next.next_if_eq(&i).is_some() {
                    knots.push(curve.in_interval(i, 0.5 * curve.knots.intervals()[i]).position);
                }
            }
            curve = Self::through(&knots, closed)?;
        }
        Some(curve)
    }

    /// The spline through `points` on given knots; the numbers of points and knots must be equal.
    #[must_use]
    pub fn on_knots(points: &[Point], knots: SplineKnots) -> Self {
        let x: Vec<f64> = points.iter().map(|p| p.x).collect();
        let y: Vec<f64> = points.iter().map(|p| p.y).collect();
        let mut x_second = vec![0.0; x.len()];
        let mut y_second = vec![0.0; y.len()];
        knots.second_derivatives(&x, &mut x_second);
        knots.second_derivatives(&y, &mut y_second);
        let mut positions = Vec::with_capacity(knots.intervals().len() + 1);
        let mut total = 0.0;
        positions.push(0.0);
        for h in knots.intervals() {
            total += h;
            positions.push(total);
        }
        Self { knots, positions, x, y, x_second, y_second }
    }

    /// Returns the curve moved by `offset`.
    #[must_use]
    pub fn moved_by(mut self, offset: Vector) -> Self {
        self.x.iter_mut().for_each(|x| *x += offset.x);
        self.y.iter_mut().for_each(|y| *y += offset.y);
        self
    }

    /// Parameter range, metres: the length of the curve.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.positions.last().copied().unwrap_or(0.0)
    }

    /// Whether the curve is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.knots.is_closed()
    }

    /// Parameter of each knot, and of the end of the closing interval of a closed curve.
    #[must_use]
    pub fn positions(&self) -> &[f64] {
        &self.positions
    }

    /// The curve at parameter `s`, wrapped on a closed curve and clamped to the ends of an open
    /// one.
    #[must_use]
    pub fn at(&self, s: f64) -> CurvePoint {
        let length = self.length();
        let s = if self.is_closed() { s.rem_euclid(length) } else { s.clamp(0.0, length) };
        let interval =
            self.positions.partition_point(|&p| p <= s).saturating_sub(1).min(self.knots.intervals().len() - 1);
        self.in_interval(interval, s - self.positions[interval])
    }

    /// Samples the curve at `count` parameters. They are `length / count` apart (closed) or
    /// `length / (count - 1)` apart (open).
    #[must_use]
    pub fn evenly(&self, count: usize) -> Vec<CurvePoint> {
        let gaps = if self.is_closed() { count } else { count.saturating_sub(1) }.max(1);
        let step = self.length() / gaps as f64;
        (0..count).map(|i| self.at(i as f64 * step)).collect()
    }

    fn in_interval(&self, i: usize, t: f64) -> CurvePoint {
        let h = self.knots.intervals()[i];
        let j = if i + 1 == self.x.len() { 0 } else { i + 1 };
        let (b, a) = (t / h, 1.0 - t / h);
        let component = |y: &[f64], m: &[f64]| {
            let value = a * y[i] + b * y[j] + ((a * a * a - a) * m[i] + (b * b * b - b) * m[j]) * h * h / 6.0;
            let first = (y[j] - y[i]) / h + ((1.0 - 3.0 * a * a) * m[i] + (3.0 * b * b - 1.0) * m[j]) * h / 6.0;
            (value, first, a * m[i] + b * m[j])
        };
        let (x, dx, ddx) = component(&self.x, &self.x_second);
        let (y, dy, ddy) = component(&self.y, &self.y_second);
        CurvePoint { position: Point::new(x, y), first: Vector::new(dx, dy), second: Vector::new(ddx, ddy) }
    }

    /// Arc length of an interval by four-point Gauss-Legendre quadrature.
    fn interval_length(&self, i: usize) -> f64 {
        const NODES: [(f64, f64); 4] = [
            (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
            (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
            (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
            (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
        ];
        let h = self.knots.intervals()[i];
        NODES.iter().map(|&(t, w)| w * h * self.in_interval(i, t * h).first.norm()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, SplineCurve};

    #[test]
    fn between_points_far_apart_the_parameter_is_the_arc_length() {
        let hairpin = [(0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (30.0, 0.0), (36.0, 6.0), (30.0, 12.0)];
        let points: Vec<Point> = hairpin.iter().map(|&(x, y)| Point::new(x, y)).collect();
        let unevenness = |curve: &SplineCurve| {
            curve.evenly(500).iter().map(|place| (place.first.norm() - 1.0).abs()).fold(0.0, f64::max)
        };
        for closed in [false, true] {
            let plain = SplineCurve::through(&points, closed).expect("distinct points");
            let curve = SplineCurve::in_arc_length(&points, closed).expect("distinct points");
            assert!(unevenness(&plain) > 0.02, "{}", unevenness(&plain));
            assert!(unevenness(&curve) < 3e-3, "{}", unevenness(&curve));
            for point in &points {
                let nearest = curve.evenly(20_000).iter().map(|p| (p.position - point).norm()).fold(f64::MAX, f64::min);
                assert!(nearest < 3e-3, "{nearest}");
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_position_at_places_all_along_the_curve() {
        // A bent curve with uneven distances.
        let points: Vec<Point> = (0..24)
            .map(|i| f64::from(i) + 0.4 * (2.3 * f64::from(i)).sin())
            .map(|t| Point::new(40.0 * (0.26 * t).cos(), 25.0 * (0.26 * t).sin() + 6.0 * (0.6 * t).cos()))
            .collect();
        let h = 1e-4;
        for closed in [false, true] {
            let curve = SplineCurve::through(&points, closed).expect("distinct points");
            for k in 0..200 {
                // Multiples of the golden ratio, away from the knots, where the third derivative
                // jumps.
                let s = curve.length() * (0.618_034 * f64::from(k)).fract();
                if curve.positions().iter().any(|knot| (knot - s).abs() < 2.0 * h) {
                    continue;
                }
                let (here, after, before) = (curve.at(s), curve.at(s + h), curve.at(s - h));
                let first = (after.position - before.position) / (2.0 * h);
                let second = (after.first - before.first) / (2.0 * h);
                assert!((first - here.first).norm() < 1e-8, "{closed} {s}: {first:?} {here:?}");
                assert!((second - here.second).norm() < 1e-8, "{closed} {s}: {second:?} {here:?}");
            }
            // Continuous at the knots.
            for &s in &curve.positions()[1..curve.positions().len() - 1] {
                let (after, before) = (curve.at(s + 1e-9), curve.at(s - 1e-9));
                assert!((after.first - before.first).norm() < 1e-7, "{closed} {s}");
                assert!((after.second - before.second).norm() < 1e-7, "{closed} {s}");
            }
        }
    }
}
