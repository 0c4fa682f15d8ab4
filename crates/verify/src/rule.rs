//! What a line is judged by.

use std::fmt;

/// A rule that a racing line keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Rule {
    /// The first point is at distance 0 and time 0.
    Start,
    /// The distance between neighbouring points is that of their `s_m`.
    StepLength,
    /// The distance from the start to each point is its `s_m`, and the whole is `length_m`.
    Length,
    /// The line runs in the direction of `heading_rad`.
    Heading,
    /// The heading changes as `curvature_radpm` states.
    Curvature,
    /// Heights are present at all points or at none, and no steeper than the line is long.
    Height,
    /// The time between neighbouring points is that of their speeds.
    StepTime,
    /// The time from the start to each point is that of the speeds, and the whole is `lap_time_s`.
    Time,
    /// `accel_mps2` is the change of the speed.
    Acceleration,
    /// `direction` is that of the line.
    Direction,
    /// The candidate of the line's method has the line's time and length.
    Candidate,
    /// The edges are simple enough to be judged.
    Edges,
    /// `left_m` is the distance to the left edge.
    LeftDistance,
    /// `right_m` is the distance to the right edge.
    RightDistance,
    /// The line lies between its edges.
    Side,
    /// The vehicle keeps its margin to the edges.
    Margin,
    /// All corners of a car's body are on the road. A line whose steering leaves no other choice is a doubt.
    Corner,
    /// The vehicle keeps its margin to the obstacles.
    Obstacle,
    /// The line passes the pins of its options.
    Pin,
    /// The vehicle keeps out of the regions of its options.
    NoGo,
    /// The speed is at most that of the speed caps.
    SpeedCap,
    /// The speed is at most the vehicle's maximum.
    MaxSpeed,
    /// The curvature is at most the vehicle's maximum.
    MaxCurvature,
    /// A vehicle on two wheels leans no faster than it can.
    LeanRate,
    /// `load` is at most what the road gives.
    Load,
    /// The tyres' limits hold while braking and cornering.
    Braking,
    /// The tyres' limits hold while driving and cornering.
    Driving,
    /// The drive's limit holds.
    Drive,
}

/// Uses of the tyres and loads up to this many times the allowed one are doubts: on surveyed tracks with bumpy
/// heights, search and judge differed by up to 1.18.
const DOUBTFUL_USE: f64 = 1.25;
/// Differences of accelerations up to this many times the allowed one are doubts.
const DOUBTFUL_ACCELERATION: f64 = 2.0;

impl Rule {
    /// The factor on the allowed value up to which a violation is a doubt; `None` where the judge is certain and
    /// refuses the line.
    pub(crate) fn doubtful_to(self) -> Option<f64> {
        match self {
            Self::Load | Self::Braking | Self::Driving | Self::Drive => Some(DOUBTFUL_USE),
            Self::Acceleration => Some(DOUBTFUL_ACCELERATION),
            Self::Corner => Some(f64::INFINITY),
            _ => None,
        }
    }

    /// Name in lists and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::StepLength => "step-length",
            Self::Length => "length",
            Self::Heading => "heading",
            Self::Curvature => "curvature",
            Self::Height => "height",
            Self::StepTime => "step-time",
            Self::Time => "time",
            Self::Acceleration => "acceleration",
            Self::Direction => "direction",
            Self::Candidate => "candidate",
            Self::Edges => "edges",
            Self::LeftDistance => "left-distance",
            Self::RightDistance => "right-distance",
            Self::Side => "side",
            Self::Margin => "margin",
            Self::Corner => "corner",
            Self::Obstacle => "obstacle",
            Self::Pin => "pin",
            Self::NoGo => "no-go",
            Self::SpeedCap => "speed-cap",
            Self::MaxSpeed => "max-speed",
            Self::MaxCurvature => "max-curvature",
            Self::LeanRate => "lean-rate",
            Self::Load => "load",
            Self::Braking => "braking",
            Self::Driving => "driving",
            Self::Drive => "drive",
        }
    }

    /// What is measured, for a table and for messages.
    #[must_use]
    pub fn measure(self) -> &'static str {
        match self {
            Self::Start => "distance or time at the first point",
            Self::StepLength => "difference of s_m from the distance between two points",
            Self::Length => "difference of s_m from the distance along the points",
            Self::Heading => "difference of heading_rad from the direction of the points",
            Self::Curvature => "difference of curvature_radpm from the change of heading_rad",
            Self::Height => "difference of heights between two points",
            Self::StepTime => "difference of time_s from the time at the speeds between two points",
            Self::Time => "difference of time_s from the time at the speeds",
            Self::Acceleration => "difference of accel_mps2 from the change of speed_mps",
            Self::Direction => "heading at the easternmost point against the direction",
            Self::Candidate => "difference between the line and its entry in candidates",
            Self::Edges => "work for the distances to the edges",
            Self::LeftDistance => "difference of left_m from the distance to the left edge",
            Self::RightDistance => "difference of right_m from the distance to the right edge",
            Self::Side => "distance beyond an edge",
            Self::Margin => "missing margin to the nearest edge",
            Self::Corner => "distance of a corner of the body beyond an edge",
            Self::Obstacle => "missing margin to the nearest obstacle",
            Self::Pin => "distance from a pin",
            Self::NoGo => "missing margin to a region to keep out of",
            Self::SpeedCap => "speed on the stretch of a cap",
            Self::MaxSpeed => "speed",
            Self::MaxCurvature => "curvature",
            Self::LeanRate => "rate of the lean angle",
            Self::Load => "load of the tyres",
            Self::Braking => "use of the tyres while braking",
            Self::Driving => "use of the tyres while driving",
            Self::Drive => "acceleration of the drive",
        }
    }

    /// Unit of the measured and the allowed value; empty for a plain number.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::StepLength
            | Self::Length
            | Self::Height
            | Self::LeftDistance
            | Self::RightDistance
            | Self::Side
            | Self::Margin
            | Self::Corner
            | Self::Obstacle
            | Self::Pin
            | Self::NoGo => "m",
            Self::Heading => "rad",
            Self::Curvature | Self::MaxCurvature => "1/m",
            Self::LeanRate => "rad/s",
            Self::StepTime | Self::Time => "s",
            Self::Acceleration | Self::Drive => "m/s²",
            Self::SpeedCap | Self::MaxSpeed => "m/s",
            _ => "",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
