//! The road in the plane: steps that are straight or arcs of circles.

use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector};

/// A cut across the road: where its edges are and where it heads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// Left and right edge.
    pub ends: [Point; 2],
    /// Heading, radians.
    pub heading: f64,
}

/// The path of the road from one cut to the next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Course {
    /// Straight on, metres.
    Straight(f64),
    /// A bend.
    Bend {
        /// Whether it turns to the left.
        is_left: bool,
        /// Radius of the middle of the road, metres.
        radius_m: f64,
        /// Angle, radians, positive.
        arc: f64,
    },
}

impl Cut {
    /// Where a track begins unless it specifies another start: the right edge in the origin,
    /// heading along x.
    pub fn first(width_m: f64) -> Self {
        Self { ends: [Point::new(0.0, width_m), Point::origin()], heading: 0.0 }
    }

    /// A cut whose middle is at `middle`.
    pub fn at(middle: Point, heading: f64, width_m: f64) -> Self {
        let leftwards = Vector::new(-math::sin(heading), math::cos(heading)) * (width_m / 2.0);
        Self { ends: [middle + leftwards, middle - leftwards], heading }
    }

    /// The cut at `share` of `way` from this one.
    pub fn after(&self, course: &Course, fraction: f64, width_m: f64) -> Self {
        match *course {
            Course::Straight(length_m) => {
                let along = Vector::new(math::cos(self.heading), math::sin(self.heading)) * (length_m * fraction);
                Self { ends: self.ends.map(|end| end + along), heading: self.heading }
            }
            Course::Bend { is_left, radius_m, arc } => {
                let sense = if is_left { 1.0 } else { -1.0 };
                let centre = self.centre(is_left, radius_m, width_m);
                let heading = self.heading + sense * arc * fraction;
                // From the centre outwards.
                let outwards = Vector::new(math::sin(heading), -math::cos(heading)) * sense;
                let (inner, outer) = (radius_m - width_m / 2.0, radius_m + width_m / 2.0);
                let radii = if is_left { [inner, outer] } else { [outer, inner] };
                Self { ends: radii.map(|radius| centre + outwards * radius), heading }
            }
        }
    }

    /// The centre of a bend that begins here, seen from the edge on its inside.
    pub fn centre(&self, is_left: bool, radius_m: f64, width_m: f64) -> Point {
        let inner_m = radius_m - width_m / 2.0;
        let leftwards = Vector::new(-math::sin(self.heading), math::cos(self.heading));
        if is_left { self.ends[0] + leftwards * inner_m } else { self.ends[1] - leftwards * inner_m }
    }

    /// The unit vector from the right edge to the left.
    pub fn leftwards(&self) -> Vector {
        Vector::new(-math::sin(self.heading), math::cos(self.heading))
    }
}

impl Course {
    /// Length of the middle of the road, metres.
    pub fn length_m(&self) -> f64 {
        match *self {
            Self::Straight(length_m) => length_m,
            Self::Bend { radius_m, arc, .. } => radius_m * arc,
        }
    }

    /// The number of equal parts in which no edge deviates from its chord by more than
    /// `deviation_m` and none is longer than `longest_m`.
    pub fn parts(&self, width_m: f64, longest_m: f64, deviation_m: f64) -> usize {
        let parts = match *self {
            Self::Straight(length_m) => length_m / longest_m,
            Self::Bend { radius_m, arc, .. } => {
                let outer_m = radius_m + width_m / 2.0;
                // A chord over the angle 2 a deviates by outer (1 - cos a).
                let half = math::acos(1.0 - (deviation_m / outer_m).min(1.0));
                (arc / (2.0 * half)).max(outer_m * arc / longest_m)
            }
        };
        parts.ceil().max(1.0) as usize
    }
}
