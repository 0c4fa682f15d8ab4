//! The comparison of lines of one track: where time is gained and lost.

use serde::Serialize;

use super::alignment::{Alignment, align};
use super::lap::Lap;
use super::{Analysis, AnalysisError, AnalysisOptions, Corner, Stretch, Turn, analyse};
use crate::file::RacingLine;

/// Why two lines cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// The reference cannot be analysed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// One is closed and the other open, or one is too short.
    #[error("one of the lines is closed and the other open: compare lines of one track")]
    Shapes,
    /// The lines follow different routes.
    #[error(
        "at {s_m:.1} m the lines lie {distance_m:.1} m apart, more than the road's width: compare lines of one track in the same direction of travel"
    )]
    Apart {
        /// Place, m from the reference's start line.
        s_m: f64,
        /// Distance between the lines, m.
        distance_m: f64,
    },
}

/// The comparison of a line with the reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Difference of the lap times, s; negative if the line is faster than the reference.
    pub lap_difference_s: f64,
    /// Difference of the lengths, m; negative if the line is shorter.
    pub length_difference_m: f64,
    /// The differences in the reference's sectors.
    pub sectors: Vec<Difference>,
    /// The differences in the reference's corners.
    pub corners: Vec<Difference>,
    /// The differences between the corners.
    pub straights: Vec<Difference>,
    /// The differences over the lap, one entry for each point of the reference and, for a closed
    /// line, one for the end of the lap.
    pub along: Vec<Along>,
}

/// A stretch of the reference and the difference of the other line there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Number of the sector, corner or straight.
    pub number: usize,
    /// Number of the last corner of the road where the reference drives several as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_number: Option<usize>,
    /// For a corner, its direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Turn>,
    /// Where it begins, m from the start line.
    pub from_s_m: f64,
    /// Where it ends, m from the start line.
    pub to_s_m: f64,
    /// Time of the reference, s.
    pub reference_s: f64,
    /// Time of the other line less that of the reference, s.
    pub difference_s: f64,
    /// Lowest speed of the reference, m/s.
    pub reference_lowest_mps: f64,
    /// Lowest speed of the other line, m/s.
    pub other_lowest_mps: f64,
    /// Largest distance between the two, m; positive if the other line lies to the left.
    pub offset_m: f64,
}

/// The differences at one place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Along {
    /// Distance along the reference, m.
    pub s_m: f64,
    /// Distance along the other line at the place beside it, m, never falling; above its length
    /// beyond its start line.
    pub other_s_m: f64,
    /// Time of the other line since the start line less that of the reference, s.
    pub time_difference_s: f64,
    /// Speed of the other line less that of the reference, m/s.
    pub speed_difference_mps: f64,
    /// Distance of the other line to the left of the reference, m.
    pub offset_m: f64,
}

/// Compares `other` with `reference`, at the reference's corners and sectors.
///
/// # Errors
/// See [`ComparisonError`].
pub fn compare(
    reference: &RacingLine,
    other: &RacingLine,
    options: &AnalysisOptions,
) -> Result<Comparison, ComparisonError> {
    let analysis = analyse(reference, options)?;
    let lap = Lap::new(reference);
    let along = lay_beside(reference, other)?;
    let Analysis { corners, straights, sectors, .. } = analysis;
    let corner = |corner: &Corner| {
        let found =
            difference(lap, &along, corner.number.number, Some(corner.direction), corner.entry_s_m, corner.exit_s_m);
        Difference { last_number: corner.number.last_number, ..found }
    };
    let part = |part: &Stretch| difference(lap, &along, part.number, None, part.from_s_m, part.to_s_m);
    Ok(Comparison {
        lap_difference_s: other.lap_time_s - reference.lap_time_s,
        length_difference_m: other.length_m - reference.length_m,
        sectors: sectors.iter().map(part).collect(),
        corners: corners.iter().map(corner).collect(),
        straights: straights.iter().map(part).collect(),
        along,
    })
}

/// The differences of `other` at each of the reference's points, without corners and sectors.
///
/// # Errors
/// [`ComparisonError::Shapes`] and [`ComparisonError::Apart`].
pub fn lay_beside(reference: &RacingLine, other: &RacingLine) -> Result<Vec<Along>, ComparisonError> {
    if reference.closed != other.closed || reference.points.len().min(other.points.len()) < 2 {
        return Err(ComparisonError::Shapes);
    }
    let (lap, beside) = (Lap::new(reference), Lap::new(other));
    let alignment =
        align(lap, beside).map_err(|apart| ComparisonError::Apart { s_m: apart.s_m, distance_m: apart.distance_m })?;
    Ok(along(lap, beside, &alignment))
}

fn along(lap: Lap, beside: Lap, alignment: &Alignment) -> Vec<Along> {
    let length = beside.line.length_m;
    // Times from where the other line is beside the start line.
    let since_start = |s: f64| {
        let laps = if beside.line.closed { (s / length).floor() } else { 0.0 };
        laps * beside.line.lap_time_s + beside.at(if beside.line.closed { s - laps * length } else { s }).time_s
    };
    let start = alignment.other_s_m.first().map_or(0.0, |&s| since_start(s));
    let count = alignment.reference_s_m.len();
    (0..count)
        .map(|i| {
            let (s, other_s) = (alignment.reference_s_m[i], alignment.other_s_m[i]);
            let ends = lap.line.closed && i + 1 == count;
            let reference_time = if ends { lap.line.lap_time_s } else { lap.at(s).time_s };
            let other_time = if ends { beside.line.lap_time_s } else { since_start(other_s) - start };
            Along {
                s_m: s,
                other_s_m: other_s,
                time_difference_s: other_time - reference_time,
                speed_difference_mps: beside.at(other_s).speed_mps - lap.at(s).speed_mps,
                offset_m: alignment.offset_m[i],
            }
        })
        .collect()
}

fn difference(
    lap: Lap,
    along: &[Along],
    number: usize,
    direction: Option<Turn>,
    from_s_m: f64,
    to_s_m: f64,
) -> Difference {
    let time_at = |s: f64| interpolated(along, s, |here| here.time_difference_s);
    let over_the_line = lap.line.closed && to_s_m < from_s_m;
    let lap_difference = along.last().map_or(0.0, |here| here.time_difference_s);
    let inside = |here: &&Along| match over_the_line {
        true => here.s_m >= from_s_m || here.s_m <= to_s_m,
        false => here.s_m >= from_s_m && here.s_m <= to_s_m,
    };
    let ends = [from_s_m, to_s_m].map(|s| Along {
        s_m: s,
        other_s_m: interpolated(along, s, |here| here.other_s_m),
        time_difference_s: time_at(s),
        speed_difference_mps: interpolated(along, s, |here| here.speed_difference_mps),
        offset_m: interpolated(along, s, |here| here.offset_m),
    });
    let places: Vec<Along> = along.iter().filter(inside).copied().chain(ends).collect();
    let speeds = places.iter().map(|here| (lap.at(here.s_m).speed_mps, here.speed_difference_mps));
    let (reference_lowest, other_lowest) =
        speeds.fold((f64::INFINITY, f64::INFINITY), |(a, b), (speed, more)| (a.min(speed), b.min(speed + more)));
    let reference_s = if to_s_m >= lap.line.length_m {
        lap.line.lap_time_s - lap.at(from_s_m).time_s
    } else {
        lap.seconds(from_s_m, to_s_m)
    };
    Difference {
        number,
        last_number: None,
        direction,
        from_s_m,
        to_s_m,
        reference_s: if from_s_m == 0.0 && to_s_m >= lap.line.length_m { lap.line.lap_time_s } else { reference_s },
        difference_s: time_at(to_s_m) - time_at(from_s_m) + if over_the_line { lap_difference } else { 0.0 },
        reference_lowest_mps: reference_lowest,
        other_lowest_mps: other_lowest,
        offset_m: places.iter().map(|here| here.offset_m).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0),
    }
}

/// A value between two entries.
fn interpolated(along: &[Along], s_m: f64, value: impl Fn(&Along) -> f64) -> f64 {
    let after = along.partition_point(|here| here.s_m <= s_m).clamp(1, along.len().max(2) - 1);
    let (Some(a), Some(b)) = (along.get(after - 1), along.get(after)) else { return along.first().map_or(0.0, value) };
    let step = b.s_m - a.s_m;
    let fraction = if step > 0.0 { ((s_m - a.s_m) / step).clamp(0.0, 1.0) } else { 0.0 };
    value(a) + fraction * (value(b) - value(a))
}
