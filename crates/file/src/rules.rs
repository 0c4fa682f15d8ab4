//! The rules of the racing-line file that its types do not express.

use super::{FORMAT, Inconsistency, RacingLine, VERSION};

impl<V, O> RacingLine<V, O> {
    /// Whether the line is that of a car with axles: each of its points has the steering angle.
    #[must_use]
    pub fn is_of_car(&self) -> bool {
        self.points.iter().all(|point| point.steering_rad.is_some())
    }

    /// Checks that the values do not contradict each other: a closed line has at least 3 points and
    /// 3 vertices an edge (an open one 2), `s_m` rises and stays below a closed line's `length_m`,
    /// `time_s` never falls and stays below a closed line's `lap_time_s`, speeds are not negative,
    /// lap time and length are positive, every number has a size that a road and a vehicle can have,
    /// and neighbouring points are as far apart as their `s_m`.
    ///
    /// # Errors
    /// The first violated rule, and its place.
    pub fn check(&self) -> Result<(), Inconsistency> {
        if self.format != FORMAT {
            return Err(Inconsistency::new("format", format!("must be \"{FORMAT}\"")));
        }
        if self.version != VERSION {
            return Err(Inconsistency::new("version", format!("must be {VERSION}")));
        }
        for (key, value) in [("lap_time_s", self.lap_time_s), ("length_m", self.length_m)] {
            if value <= 0.0 {
                return Err(Inconsistency::new(key, format!("is {value}, must be positive")));
            }
        }
        self.check_counts()?;
        self.check_sizes()?;
        self.check_progress()?;
        self.check_distances()
    }

    /// A line and its edges have enough points.
    fn check_counts(&self) -> Result<(), Inconsistency> {
        let min = if self.closed { 3 } else { 2 };
        let kind = if self.closed { "a closed" } else { "an open" };
        let counts = [
            ("points", self.points.len(), "points"),
            ("edges.left", self.edges.left.len(), "vertices"),
            ("edges.right", self.edges.right.len(), "vertices"),
        ];
        for (key, count, noun) in counts {
            if count < min {
                return Err(Inconsistency::new(
                    key,
                    format!("has length {count}, but {kind} line requires at least {min} {noun}"),
                ));
            }
        }
        Ok(())
    }

    /// Distance and time increase and stay below the values of the lap.
    fn check_progress(&self) -> Result<(), Inconsistency> {
        for (index, point) in self.points.iter().enumerate() {
            let fault = |key: &str, problem: String| Err(Inconsistency::new(format!("points[{index}].{key}"), problem));
            if point.speed_mps < 0.0 {
                return fault("speed_mps", format!("is {}, must not be negative", point.speed_mps));
            }
            let Some(previous) = index.checked_sub(1).map(|i| &self.points[i]) else {
                if point.s_m < 0.0 {
                    return fault("s_m", format!("is {}, must not be negative", point.s_m));
                }
                continue;
            };
            if point.s_m <= previous.s_m {
                return fault("s_m", format!("is {}, must be above {} of the point before", point.s_m, previous.s_m));
            }
            if point.time_s < previous.time_s {
                let problem = format!("is {}, must not be below {} of the point before", point.time_s, previous.time_s);
                return fault("time_s", problem);
            }
        }
        let Some(last) = self.points.last().filter(|_| self.closed) else { return Ok(()) };
        let fault = |key: &str, value: f64, limit: &str, max: f64| {
            let place = format!("points[{}].{key}", self.points.len() - 1);
            Err(Inconsistency::new(place, format!("is {value}, must be below {limit} = {max}: no point is repeated")))
        };
        if last.s_m >= self.length_m {
            return fault("s_m", last.s_m, "length_m", self.length_m);
        }
        if last.time_s >= self.lap_time_s {
            return fault("time_s", last.time_s, "lap_time_s", self.lap_time_s);
        }
        Ok(())
    }
}
