//! A centre line with widths from any file → edges.

use super::closing::{distinct, looks_closed, usual_step};
use super::levels::{Level, Levels};
use super::offset_edges;
use super::road::Road;
use super::self_crossings::self_crossings;
use super::survey_smoothing::{self, Noise};
use super::units;
use super::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed};
use crate::edges::Edges;
use crate::geometry::{Point, SplineCurve};

/// A point of a centre line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// Position, metres.
    pub position: Point,
    /// Distance to the right edge, metres.
    pub right_m: f64,
    /// Distance to the left edge, metres.
    pub left_m: f64,
    /// Line in the file, if the file has lines.
    pub line: Option<usize>,
    /// Height, banking and grip, if the file has any of them; then for all stations.
    pub level: Option<Level>,
}

/// A centre line in the direction of travel.
///
/// ```
/// use raceline_road::construction::{CentreLine, ImportOptions, Station};
/// use raceline_road::geometry::Point;
///
/// let station = |x: f64| Station { position: Point::new(x, 0.0), right_m: 4.0, left_m: 6.0, line: None, level: None };
/// let line = CentreLine::new((0..=10).map(|i| station(20.0 * f64::from(i))).collect());
/// let imported = line.imported(Some(false), &ImportOptions::default())?;
/// assert!((imported.edges.mean_width() - 10.0).abs() < 1e-6);
/// # Ok::<(), raceline_road::construction::ImportError>(())
/// ```
pub struct CentreLine {
    stations: Vec<Station>,
}

/// Points nearer to the one before than this fraction of the usual step are the same point,
/// measured twice: a spline through both would have an arbitrary direction in between. Files that
/// end slightly before their start have gaps of a tenth of a step.
pub(super) const DUPLICATE_FRACTION: f64 = 0.05;
/// Minimum number of points for the spline's system.
pub(super) const MIN_CLOSED: usize = 4;
pub(super) const MIN_OPEN: usize = 3;
/// A line that crosses itself more often is not a road, but points out of order.
pub(super) const MAX_CROSSINGS: usize = 32;
/// Longer lines are not race tracks but coordinates in another unit.
pub(crate) const LONGEST_M: f64 = 2e5;

/// The road of constant width about a line of points in the direction of travel.
///
/// # Errors
/// Those of [`ImportError`] about points and widths.
pub fn road_about(
    line: &[Point],
    width_m: f64,
    closed: bool,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    road_of_widths(line, &vec![width_m / 2.0; line.len()], closed, options)
}

/// The road about a line of points in the direction of travel, with half its width at each of them.
///
/// # Errors
/// Those of [`ImportError`] about points and widths.
pub fn road_of_widths(
    line: &[Point],
    half_width_m: &[f64],
    closed: bool,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let widths_m: Vec<[f64; 2]> = half_width_m.iter().map(|&half| [half; 2]).collect();
    CentreLine::with_widths(line, &widths_m).imported(Some(closed), options)
}

impl CentreLine {
    #[must_use]
    /// A centre line through `stations`, in the direction of travel.
    pub fn new(stations: Vec<Station>) -> Self {
        Self { stations }
    }

    /// A level centre line through `points`, in the direction of travel, with the distances from
    /// each of them to the left and to the right edge, metres.
    #[must_use]
    pub fn with_widths(points: &[Point], widths_m: &[[f64; 2]]) -> Self {
        let station = |(&position, &[left_m, right_m]): (&Point, &[f64; 2])| Station {
            position,
            right_m,
            left_m,
            line: None,
            level: None,
        };
        Self::new(points.iter().zip(widths_m).map(station).collect())
    }

    /// The road along this line: classified as closed or open, without coincident points, smoothed,
    /// and with edges.
    pub fn imported(self, closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
        let mut notes = Vec::new();
        let width_m = self.mean_width()?;
        let positions: Vec<Point> = self.stations.iter().map(|station| station.position).collect();
        let closed = closed.unwrap_or_else(|| looks_closed(&positions, width_m));
        let stations = self.distinct(&positions, closed, &mut notes)?;
        let positions: Vec<Point> = stations.iter().map(|station| station.position).collect();
        units::check(&positions, closed, width_m)?;
        let crossings = self_crossings(&positions, closed, MAX_CROSSINGS + 1);
        if let Some([first, _]) = crossings.first().filter(|_| crossings.len() > MAX_CROSSINGS) {
            let line = stations.get(*first as usize).and_then(|station| station.line);
            return Err(ImportError::OutOfOrder { crossings: crossings.len(), limit: MAX_CROSSINGS + 1, line });
        }
        let too_few = || ImportError::TooFewPoints {
            what: "the centre line",
            found: stations.len(),
            needed: if closed { MIN_CLOSED } else { MIN_OPEN },
        };
        let curve = SplineCurve::through(&positions, closed).ok_or_else(too_few)?;
        if !curve.length().is_finite() || curve.length() > LONGEST_M {
            return Err(ImportError::TooLong { length_km: curve.length() / 1e3, limit_km: LONGEST_M / 1e3 });
        }
        let (right_m, left_m): (Vec<f64>, Vec<f64>) = stations.iter().map(|s| (s.right_m, s.left_m)).unzip();
        let levels: Option<Vec<Level>> = stations.iter().map(|station| station.level).collect();
        let levels = levels.and_then(|levels| Levels::new(curve.positions(), closed, levels));
        let lines = stations.iter().map(|station| station.line).collect();
        let mut road = Road { curve, right_m, left_m, lines, levels };
        if let Some(smoother) = smoothing(&road, &positions, width_m, options, &mut notes)? {
            road = smoother;
        }
        let (edges, removed) = offset_edges::edges(&road)?;
        notes.extend(removed);
        Ok(Imported {
            edges: Edges { directed: true, ..edges },
            notes,
            geographic_origin_deg: None,
            start: None,
            name: None,
        })
    }

    fn mean_width(&self) -> Result<f64, ImportError> {
        let total: f64 = self.stations.iter().map(|station| station.right_m + station.left_m).sum();
        let mean = total / self.stations.len().max(1) as f64;
        if mean > 0.0 { Ok(mean) } else { Err(ImportError::NoArea) }
    }

    fn distinct(
        &self,
        positions: &[Point],
        closed: bool,
        notes: &mut Vec<ImportNote>,
    ) -> Result<Vec<Station>, ImportError> {
        let kept = distinct(positions, closed, DUPLICATE_FRACTION * usual_step(positions).unwrap_or(0.0));
        let needed = if closed { MIN_CLOSED } else { MIN_OPEN };
        if kept.len() < needed {
            return Err(ImportError::TooFewPoints { what: "the centre line", found: kept.len(), needed });
        }
        let repeats_first = closed && positions.first() == positions.last();
        let dropped = positions.len() - kept.len() - usize::from(repeats_first);
        if dropped > 0 {
            notes.push(ImportNote::PointsMerged { count: dropped });
        }
        Ok(kept.into_iter().filter_map(|index| self.stations.get(index).copied()).collect())
    }
}

/// The smoothed road, as specified or as required by its noise; `None` if it is not smoothed.
fn smoothing(
    road: &Road,
    positions: &[Point],
    width_m: f64,
    options: &ImportOptions,
    notes: &mut Vec<ImportNote>,
) -> Result<Option<Road>, ImportError> {
    let noise = Noise::of(positions, road.curve.is_closed());
    let amount = match (options.smoothing_m, noise) {
        (Some(specified), _) => specified,
        (None, Some(noise)) => noise.smoothing_m(width_m),
        (None, None) => 0.0,
    };
    survey_smoothing::check(amount, road.curve.length())?;
    if amount == 0.0 {
        return Ok(None);
    }
    let smoothed = survey_smoothing::smoothed(&road.curve, positions, amount)?;
    let Some(curve) = SplineCurve::through(&smoothed.points, road.curve.is_closed()) else { return Ok(None) };
    let reason = if options.smoothing_m.is_none() { noise } else { None };
    notes.push(smoothed.note("the centre line", reason, amount));
    let along = |values: &[f64]| smoothed.parameters.iter().map(|&s| road.width_at(values, s)).collect();
    let lines = smoothed.parameters.iter().map(|&s| road.line_at(s)).collect();
    let levels = smoothed.parameters.iter().map(|&s| road.level_at(s)).collect::<Option<Vec<Level>>>();
    let levels = levels.map(|levels| {
        let [heights, banking]: [Vec<f64>; 2] = [|level: &Level| level.height_m, |level: &Level| level.banking_rad]
            .map(|value| smoothed.along(&levels.iter().map(value).collect::<Vec<_>>()));
        let smooth = levels.iter().zip(heights).zip(banking);
        smooth.map(|((level, height_m), banking_rad)| Level { height_m, banking_rad, ..*level }).collect()
    });
    let levels = levels.and_then(|levels| Levels::new(curve.positions(), curve.is_closed(), levels));
    Ok(Some(Road { curve, right_m: along(&road.right_m), left_m: along(&road.left_m), lines, levels }))
}
