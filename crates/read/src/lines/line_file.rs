//! A line in a file: its points, and what the file states of it.

use raceline_road::construction::ImportError;
use raceline_road::geometry::{Point, Projection};

/// The points of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Positions {
    /// Metres.
    Metres(Vec<Point>),
    /// Longitude and latitude, degrees.
    Degrees(Vec<[f64; 2]>),
}

impl Positions {
    /// The points in metres. Degrees are projected about `origin_deg`, longitude and latitude.
    #[must_use]
    pub fn about(&self, origin_deg: [f64; 2]) -> Vec<Point> {
        match self {
            Self::Metres(points) => points.clone(),
            Self::Degrees(degrees) => {
                let projection = Projection::at(origin_deg);
                degrees.iter().map(|&position| projection.project(position)).collect()
            }
        }
    }

    /// Longitude and latitude of the middle of the points; `None` in metres.
    #[must_use]
    pub fn middle_deg(&self) -> Option<[f64; 2]> {
        match self {
            Self::Metres(_) => None,
            Self::Degrees(degrees) => Some(Projection::about(degrees).middle),
        }
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Metres(points) => points.len(),
            Self::Degrees(degrees) => degrees.len(),
        }
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A line in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFile {
    /// How the points were found, as "columns x_m, y_m and vx_mps by name".
    pub layout: String,
    /// Points in the order of travel.
    pub positions: Positions,
    /// Speed at each point, m/s, where the file has it.
    pub speeds_mps: Option<Vec<f64>>,
    /// Whether the last point leads back to the first, where the file states it.
    pub closed: Option<bool>,
    /// Left and right edge of the road, in the unit of the points, where the file has both.
    pub edges: Option<[Positions; 2]>,
    /// Distance from each point to the left and to the right edge, metres, where the file has it.
    pub widths_m: Option<Vec<[f64; 2]>>,
    /// What the file calls the line or its track.
    pub name: Option<String>,
}

impl LineFile {
    /// A line of points in metres, about which nothing else is known.
    pub(super) fn new(layout: impl Into<String>, points: Vec<Point>) -> Self {
        Self {
            layout: layout.into(),
            positions: Positions::Metres(points),
            speeds_mps: None,
            closed: None,
            edges: None,
            widths_m: None,
            name: None,
        }
    }

    /// Time of the lap at the speeds in the file, s: each step at the mean of its ends' speeds.
    /// `None` without speeds, and where the line stands still.
    #[must_use]
    pub fn stated_lap_time_s(&self, points: &[Point], closed: bool) -> Option<f64> {
        let speeds = self.speeds_mps.as_ref().filter(|speeds| speeds.len() == points.len())?;
        let (first, last) = (points.first()?, points.last()?);
        let repeats_first = first == last;
        let steps = points.windows(2).zip(speeds.windows(2)).map(|(ends, speeds)| {
            let step_m = (ends[1] - ends[0]).norm();
            if step_m > 0.0 { 2.0 * step_m / (speeds[0] + speeds[1]) } else { 0.0 }
        });
        let closing_s = if closed && !repeats_first {
            2.0 * (first - last).norm() / (speeds.first()? + speeds.last()?)
        } else {
            0.0
        };
        Some(steps.sum::<f64>() + closing_s).filter(|time_s| time_s.is_finite() && *time_s > 0.0)
    }
}

/// The error for a file that holds no line.
pub(super) fn no_line(found: impl Into<String>) -> ImportError {
    ImportError::NoLine { found: found.into() }
}
