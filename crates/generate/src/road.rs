//! A drawn road, and the forms in which it is written.

use std::fmt::Write;

use super::GenerateError;
use raceline_file::Source;
use raceline_numerics::math;
use raceline_road::construction::{ImportOptions, road_about};
use raceline_road::edges;
use raceline_road::geometry::{Point, SplineCurve, Vector};
use raceline_road::track::{self, TrackOptions};
use raceline_road::track_file::TrackFile;

/// Space around the road in a picture, in widths.
const BORDER_WIDTHS: f64 = 2.0;
/// Largest distance between two cones of an edge on a straight, m: that of the track layouts of Formula
/// Student Germany.
const CONE_DISTANCE_M: f64 = 5.0;
/// Distance behind the start line at which a vehicle waits, in widths.
const WAITING_WIDTHS: f64 = 1.0;

/// A centre line: points about evenly apart, and the spline through them.
#[derive(Clone, Debug)]
pub(super) struct CentreLine {
    pub points: Vec<Point>,
    pub curve: SplineCurve,
}

impl CentreLine {
    /// The shorter distance along the line from point `i` to point `j`, m.
    pub fn apart_m(&self, i: usize, j: usize) -> f64 {
        let positions = self.curve.positions();
        let path = (positions[i] - positions[j]).abs();
        if self.curve.is_closed() { path.min(self.curve.length() - path) } else { path }
    }
}

/// A road of constant width.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Road {
    /// Style and seed, such as `circuit-7`.
    pub name: String,
    /// Whether the last point leads back to the first.
    pub closed: bool,
    /// The centre line in the order of travel, m, on a grid of a micrometre; a quarter of the width
    /// apart. All of the road has positive coordinates.
    pub points: Vec<Point>,
    /// Width, m.
    pub width_m: f64,
    /// Length of the centre line, m.
    pub length_m: f64,
}

impl Road {
    /// The road, with the lower left corner of its picture at (0, 0).
    pub(super) fn new(name: String, line: CentreLine, width_m: f64) -> Self {
        let low = line.points.iter().fold(Point::new(f64::INFINITY, f64::INFINITY), |low, p| low.inf(p));
        let border = (0.5 + BORDER_WIDTHS) * width_m;
        let moved = Vector::new(border, border) - low.coords;
        let points = line.points.iter().map(|p| (p + moved).map(|value| (value * 1e6).round() / 1e6)).collect();
        Self { name, closed: line.curve.is_closed(), points, width_m, length_m: line.curve.length() }
    }

    /// Width and height of the road with the space around it, m.
    #[must_use]
    pub fn extent_m(&self) -> [f64; 2] {
        let high = self.points.iter().fold(Point::origin(), |high, p| high.sup(p));
        [high.x, high.y].map(|side| side + (0.5 + BORDER_WIDTHS) * self.width_m)
    }

    /// The centre line with widths as the CSV of TUM's race-track database, which `raceline` reads:
    /// `x_m,y_m,w_tr_right_m,w_tr_left_m`.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        let half = self.width_m / 2.0;
        let mut text = "# x_m,y_m,w_tr_right_m,w_tr_left_m\n".to_owned();
        for p in &self.points {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{:.6},{:.6},{half},{half}", p.x, p.y);
        }
        text.into_bytes()
    }

    /// The road as cones in the CSV of the simulator EUFS, which `raceline` reads: blue cones on the
    /// left edge, yellow ones on the right, two large orange ones on each side of the start line, at most
    /// 5 m or half a width apart, and the place where a vehicle waits behind the start line.
    #[must_use]
    pub fn cones(&self) -> Vec<u8> {
        let count = self.points.len();
        let step_m = self.length_m / count as f64;
        let every = ((CONE_DISTANCE_M.min(self.width_m / 2.0) / step_m).floor() as usize).max(1);
        let mut text = "tag,x,y,direction,x_variance,y_variance,xy_covariance\n".to_owned();
        let mut row = |tag: &str, at: Point, direction: f64| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{tag},{:.3},{:.3},{direction:.4},0.0,0.0,0.0", at.x, at.y);
        };
        let direction = |i: usize| {
            let (before, after) = match self.closed {
                true => ((i + count - 1) % count, (i + 1) % count),
                false => (i.saturating_sub(1), (i + 1).min(count - 1)),
            };
            (self.points[after] - self.points[before]).normalize()
        };
        for i in (0..count).step_by(every) {
            let ahead = direction(i);
            let left = Vector::new(-ahead.y, ahead.x) * (self.width_m / 2.0);
            for (colour, side) in [("blue", left), ("yellow", -left)] {
                match i {
                    0 => {
                        [-0.25, 0.25].iter().for_each(|at| row("big_orange", self.points[0] + side + ahead * *at, 0.0))
                    }
                    _ => row(colour, self.points[i] + side, 0.0),
                }
            }
        }
        let ahead = direction(0);
        row("car_start", self.points[0] - ahead * (WAITING_WIDTHS * self.width_m), math::atan2(ahead.y, ahead.x));
        text.into_bytes()
    }

    /// The road cut into cross-sections, as `raceline extract` writes it.
    ///
    /// # Errors
    /// Those of [`road_about`], [`edges::with_crossings_marked`] and [`track::cut`], none of which
    /// a road of [`generate`](super::generate) is known to have.
    pub fn track(&self) -> Result<TrackFile, GenerateError> {
        let imported = road_about(&self.points, self.width_m, self.closed, &ImportOptions::default())?;
        let edges = edges::with_crossings_marked(imported.edges)?;
        let track = track::cut(&edges, &TrackOptions::default())?;
        let source = Source { file: format!("{}.csv", self.name), ..Source::default() };
        Ok(TrackFile::new(&self.name, &track, &source))
    }
}
