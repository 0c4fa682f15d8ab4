//! A segment of a track: its shape in the plane.

use super::plan::Course;
use super::xml::Section;
use raceline_road::construction::ImportError;

/// A bend turns by at most this much, radians: two laps of a helix.
const LARGEST_ARC: f64 = 4.0 * std::f64::consts::PI;

/// The shape of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Straight { length_m: f64 },
    Bend { is_left: bool, radius_m: f64, end_radius_m: f64, arc: f64 },
}

impl Shape {
    /// Reads the shape.
    ///
    /// # Errors
    /// A type that is unknown, or a length, a radius or an arc that is missing or out of its range.
    pub fn of(segment: &Section, width_m: f64) -> Result<Self, ImportError> {
        let is_left = match segment.text("type") {
            Some("str") => {
                let length_m = at_least_zero(segment, "lg", "give its length in metres")?;
                return Ok(Self::Straight { length_m });
            }
            Some("lft") => true,
            Some("rgt") => false,
            Some(other) => {
                let other: String = other.chars().take(20).collect();
                return Err(segment.error(format!("its type is {other:?}"), "give the type str, lft or rgt"));
            }
            None => return Err(segment.error("it has no type".to_owned(), "give the type str, lft or rgt")),
        };
        let radius_m = at_least_zero(segment, "radius", "give the radius of the road's middle in metres")?;
        let end_radius_m = segment.number("end radius")?.unwrap_or(radius_m);
        for (name, radius_m) in [("radius", radius_m), ("end radius", end_radius_m)] {
            if radius_m < width_m / 2.0 {
                let problem = format!("its {name} is {radius_m} m, less than half the road's width of {width_m} m");
                return Err(segment.error(problem, "make the bend wider, or the road narrower"));
            }
        }
        let arc = at_least_zero(segment, "arc", "give the angle of the bend in degrees")?;
        if arc > LARGEST_ARC {
            let problem = format!("its arc is {:.0} degrees", arc.to_degrees());
            return Err(segment.error(problem, "give at most 720 degrees, with the unit deg"));
        }
        Ok(Self::Bend { is_left, radius_m, end_radius_m, arc })
    }

    /// Length along the middle of the road, metres.
    pub fn length_m(&self) -> f64 {
        match *self {
            Self::Straight { length_m } => length_m,
            Self::Bend { radius_m, end_radius_m, arc, .. } => f64::midpoint(radius_m, end_radius_m) * arc,
        }
    }

    /// Steps. In a bend whose radius changes each is an arc with a radius of its own, the first
    /// and the last with those of the segment's ends. All are of one length, which is scaled so
    /// that their angles add up to the arc.
    pub fn courses(&self, steps: usize) -> Vec<Course> {
        match *self {
            Self::Straight { length_m } => vec![Course::Straight(length_m / steps as f64); steps],
            Self::Bend { is_left, radius_m, end_radius_m, arc } => {
                let last = (steps - 1).max(1) as f64;
                let radius = |step: usize| radius_m + (end_radius_m - radius_m) * step as f64 / last;
                let length_m = arc / (0..steps).map(|step| 1.0 / radius(step)).sum::<f64>();
                let course = |step| Course::Bend { is_left, radius_m: radius(step), arc: length_m / radius(step) };
                (0..steps).map(course).collect()
            }
        }
    }
}

/// A required number that is not negative.
fn at_least_zero(segment: &Section, name: &str, fix: &'static str) -> Result<f64, ImportError> {
    match segment.number(name)? {
        Some(value) if value >= 0.0 => Ok(value),
        Some(value) => Err(segment.error(format!("its {name} is {value}, below 0"), fix)),
        None => Err(segment.error(format!("it has no {name}"), fix)),
    }
}
