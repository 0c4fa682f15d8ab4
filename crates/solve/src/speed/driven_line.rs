//! A driven line: a curve with points on it, and curvature and speed profile at each.

use super::ground::MIN_LOAD;
use super::{Course, FixedLine, Ground, Lap, SpeedError, SpeedProfile, TurningCost};
use raceline_car::Vehicle;
use raceline_road::geometry::{CurvePoint, Point, SplineCurve, Vector};

/// A line with all its data apart from the edges.
///
/// The speed profile is computed along the curve, at positions closer together than the points, so
/// that it hardly depends on their distance.
///
/// ```
/// use raceline_car::preset;
/// use raceline_road::geometry::Point;
/// use raceline_solve::speed::DrivenLine;
///
/// // A straight of 200 m, from standstill.
/// let points: Vec<Point> = (0..=40).map(|i| Point::new(5.0 * f64::from(i), 0.0)).collect();
/// let line = DrivenLine::through(&points, false, &preset("gt")?)?;
/// assert!((line.length_m - 200.0).abs() < 1e-6 && line.profile.speed_mps[0] < 0.1);
/// assert_eq!(line.top_speed_mps(), line.profile.speed_mps[40]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DrivenLine {
    /// The points with their derivatives with respect to arc length.
    pub points: Vec<CurvePoint>,
    /// Distance along the line from the first point to each, m.
    pub distance_m: Vec<f64>,
    /// Signed curvature at each point, 1/m, positive to the left.
    pub curvature: Vec<f64>,
    /// Length of the line, m, including the closing step of a closed line.
    pub length_m: f64,
    /// Factor on both tyre limits at each point; `None` where it is 1 everywhere.
    pub grip: Option<Vec<f64>>,
    /// The road under each point; `None` for a level road.
    pub grounds: Option<Vec<Ground>>,
    /// Load of the tyres at each point, as a fraction of that on a level road; `None` for such a
    /// road.
    pub loads: Option<Vec<f64>>,
    /// Distance along the line in space from the first point to each, m.
    pub arc_length_m: Vec<f64>,
    /// Length of the line in space, m.
    pub arc_length_whole_m: f64,
    /// The fastest speed profile of the vehicle on the line, at the points.
    pub profile: SpeedProfile,
    course: Course,
    turning: TurningCost,
    fine: FineLine,
    curve: SplineCurve,
}

/// Curvature, steps, grip and caps at the positions of the speed profile. Every [`PIECES`]th is a
/// point.
#[derive(Clone, Debug)]
struct FineLine {
    curvature: Vec<f64>,
    steps: Vec<f64>,
    grip: Option<Vec<f64>>,
    grounds: Option<Vec<Ground>>,
    /// Maximum speed of each position, m/s.
    caps: Option<Vec<f64>>,
}

impl FineLine {
    fn fixed(&self, course: Course, turning: TurningCost) -> FixedLine<'_> {
        FixedLine {
            curvature: &self.curvature,
            step_lengths: &self.steps,
            course,
            grip: self.grip.as_deref(),
            turning,
            grounds: self.grounds.as_deref(),
            caps: self.caps.as_deref(),
        }
    }

    /// Distance in space from the first position to each, and to the end of the line, m.
    fn arc_lengths(&self) -> Vec<f64> {
        let n = self.curvature.len();
        let stretch = |i: usize| self.grounds.as_ref().map_or(1.0, |grounds| grounds[i % n].stretch);
        let mut lengths = vec![0.0];
        let mut length = 0.0;
        for (i, step) in self.steps.iter().enumerate() {
            length += step * 0.5 * (stretch(i) + stretch(i + 1));
            lengths.push(length);
        }
        lengths
    }
}

/// Steps of the speed profile per step between points. The profile is of second order, so its error
/// falls with the square of this number, and its cost grows linearly.
const PIECES: usize = 4;
/// Number of positions per point or knot in [`DrivenLine::between`].
const PLACES_PER_STEP: usize = 6;

/// Loads of the axle that limits cornering, on `grounds`.
fn loads<'a>(grounds: impl Iterator<Item = &'a Ground>, speed_mps: &[f64], vehicle: &Vehicle) -> Vec<f64> {
    let fraction = vehicle.limiting_downforce_fraction();
    let downforce = vehicle.downforce_on_tyres_kgpm() / vehicle.mass_kg * fraction;
    let points = grounds.zip(speed_mps);
    points.map(|(ground, speed)| ground.load_factor(speed * speed, downforce).max(MIN_LOAD)).collect()
}

impl DrivenLine {
    /// Simulates a vehicle along the cubic spline through `points`: `lap` is a
    /// [`Vehicle`](raceline_car::Vehicle), or a vehicle with speeds for the ends of an open line
    /// and with grip along the road.
    ///
    /// # Errors
    /// [`SpeedError::NoCurve`] when no spline passes through the points, and those of
    /// [`SpeedSolver`](super::SpeedSolver).
    pub fn through<'a>(points: &[Point], closed: bool, lap: impl Into<Lap<'a>>) -> Result<Self, SpeedError> {
        let curve = SplineCurve::through(points, closed).ok_or(SpeedError::NoCurve { points: points.len() })?;
        Self::at_knots(curve, lap)
    }

    /// Simulates a vehicle along `curve`, with the line's points at its knots.
    ///
    /// # Errors
    /// The errors of [`Self::along`].
    pub(crate) fn at_knots<'a>(curve: SplineCurve, lap: impl Into<Lap<'a>>) -> Result<Self, SpeedError> {
        // A closed curve ends at its first knot.
        let count = curve.positions().len() - usize::from(curve.is_closed());
        let places = curve.positions()[..count].to_vec();
        Self::along(curve, places, lap)
    }

    /// Simulates a vehicle along `curve`, with the line's points at the parameters `places`:
    /// increasing from 0, and up to the end of an open curve.
    ///
    /// # Errors
    /// [`SpeedError::TooFewPoints`] for fewer than two places, and those of
    /// [`SpeedSolver`](super::SpeedSolver).
    pub fn along<'a>(curve: SplineCurve, places: Vec<f64>, lap: impl Into<Lap<'a>>) -> Result<Self, SpeedError> {
        let lap = lap.into();
        if places.len() < 2 {
            return Err(SpeedError::TooFewPoints { points: places.len() });
        }
        let closed = curve.is_closed();
        let mut ends = places.clone();
        if closed {
            ends.push(curve.length());
        }
        let mut fine_places = Vec::with_capacity(PIECES * ends.len());
        let mut steps = Vec::with_capacity(PIECES * ends.len());
        for pair in ends.windows(2) {
            let step = (pair[1] - pair[0]) / PIECES as f64;
            for piece in 0..PIECES {
                fine_places.push(pair[0] + piece as f64 * step);
                steps.push(step);
            }
        }
        if !closed {
            fine_places.extend(places.last());
        }
        let fine: Vec<CurvePoint> = fine_places.iter().map(|&s| curve.at(s)).collect();
        let at_points = |values: &[f64]| -> Vec<f64> { values.iter().copied().step_by(PIECES).collect() };
        let positions: Vec<Point> = fine.iter().map(|place| place.position).collect();
        let grip = lap.grip.map(|grip| grip.along(&positions));
        let caps = lap.caps.map(|caps| caps.along(&positions));
        let grounds = lap.relief.map(|relief| relief.along(&fine));
        let curvature = fine.iter().map(CurvePoint::curvature).collect();
        let fine_line = FineLine { curvature, steps, grip, grounds, caps };
        let course = lap.speeds.course(closed);
        let whole = fine_line.fixed(course, lap.speeds.turning).profile(lap.vehicle)?;
        let (arc_length_m, arc_length_whole_m) = if fine_line.grounds.is_some() {
            let fine_lengths = fine_line.arc_lengths();
            (at_points(&fine_lengths[..fine.len()]), fine_lengths.last().copied().unwrap_or_default())
        } else {
            (places.clone(), curve.length())
        };
        let mut arc_ends = arc_length_m.clone();
        if closed {
            arc_ends.push(arc_length_whole_m);
        }
        let speed_mps = at_points(&whole.speed_mps);
        let mut accel_mps2: Vec<f64> = arc_ends
            .windows(2)
            .enumerate()
            .map(|(i, pair)| {
                let (from, to) = (speed_mps[i], speed_mps[(i + 1) % places.len()]);
                (to * to - from * from) / (2.0 * (pair[1] - pair[0]))
            })
            .collect();
        if !closed {
            accel_mps2.extend(accel_mps2.last().copied());
        }
        let loads =
            fine_line.grounds.as_ref().map(|grounds| loads(grounds.iter().step_by(PIECES), &speed_mps, lap.vehicle));
        let profile = SpeedProfile { speed_mps, accel_mps2, time_s: at_points(&whole.time_s), ..whole };
        Ok(Self {
            points: fine.into_iter().step_by(PIECES).collect(),
            distance_m: places,
            curvature: at_points(&fine_line.curvature),
            length_m: curve.length(),
            grip: fine_line.grip.as_deref().map(at_points),
            grounds: fine_line.grounds.as_ref().map(|all| all.iter().copied().step_by(PIECES).collect()),
            loads,
            arc_length_m,
            arc_length_whole_m,
            profile,
            course,
            turning: lap.speeds.turning,
            fine: fine_line,
            curve,
        })
    }

    /// Replaces the speeds at the points, m/s, such as those of a vehicle that is not a
    /// point mass. Between points the acceleration is constant.
    ///
    /// # Panics
    /// When the number of speeds is not that of the points.
    #[must_use]
    pub(crate) fn with_speeds(mut self, speed_mps: Vec<f64>, vehicle: &Vehicle) -> Self {
        assert_eq!(speed_mps.len(), self.points.len(), "a speed for every point");
        let n = speed_mps.len();
        let end = self.curve.is_closed().then_some(self.arc_length_whole_m);
        let ends: Vec<f64> = self.arc_length_m.iter().copied().chain(end).collect();
        let profile = &mut self.profile;
        let mut time_s = 0.0;
        profile.time_s.clear();
        profile.accel_mps2.clear();
        for (i, pair) in ends.windows(2).enumerate() {
            let (from, to, step) = (speed_mps[i], speed_mps[(i + 1) % n], pair[1] - pair[0]);
            profile.time_s.push(time_s);
            profile.accel_mps2.push((to * to - from * from) / (2.0 * step));
            time_s += 2.0 * step / (from + to);
        }
        if end.is_none() {
            profile.time_s.push(time_s);
            profile.accel_mps2.extend(profile.accel_mps2.last().copied());
        }
        profile.lap_time_s = time_s;
        profile.speed_mps = speed_mps;
        self.loads = self.grounds.as_ref().map(|grounds| loads(grounds.iter(), &self.profile.speed_mps, vehicle));
        self
    }

    /// A line for the profiles of other vehicles, with the same grip and speeds at its ends, at all
    /// positions of the speed profile.
    #[must_use]
    pub fn fixed(&self) -> FixedLine<'_> {
        self.fine.fixed(self.course, self.turning)
    }

    /// The speeds of a profile of [`Self::fixed`] at the line's points, m/s.
    pub fn speeds_at_points<'a>(&self, profile: &'a SpeedProfile) -> impl Iterator<Item = f64> + use<'a> {
        profile.speed_mps.iter().copied().step_by(PIECES)
    }

    /// Whether the last point leads back to the first.
    pub(crate) fn is_closed(&self) -> bool {
        self.curve.is_closed()
    }

    /// Lap time, s.
    #[must_use]
    pub fn lap_time_s(&self) -> f64 {
        self.profile.lap_time_s
    }

    /// Highest speed at a point, m/s.
    pub fn top_speed_mps(&self) -> f64 {
        self.profile.speed_mps.iter().copied().fold(0.0, f64::max)
    }

    /// Lowest speed at a point, m/s.
    pub fn lowest_speed_mps(&self) -> f64 {
        self.profile.speed_mps.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Distances from each point to the next, m; on a closed line, the last leads back to the
    /// first.
    #[must_use]
    pub fn step_lengths(&self) -> Vec<f64> {
        let end = self.curve.is_closed().then_some(self.length_m);
        let ends = self.distance_m.iter().copied().chain(end);
        ends.clone().skip(1).zip(ends).map(|(to, from)| to - from).collect()
    }

    /// Samples of the curve at and between the points, dense enough to show the curve between them.
    pub fn between(&self) -> impl Iterator<Item = Point> + '_ {
        let count = self.points.len().max(self.curve.positions().len());
        self.curve.evenly(PLACES_PER_STEP * count).into_iter().map(|place| place.position)
    }

    /// Moves the line by `offset`, metres.
    #[must_use]
    pub fn moved_by(mut self, offset: Vector) -> Self {
        self.points.iter_mut().for_each(|point| point.position += offset);
        self.curve = self.curve.moved_by(offset);
        self
    }
}
