//! The data of the page's scripts as one JSON object. Its keys are internal to the page.

use serde::Serialize;

use super::columns::{Column, Path, Precision};
use super::doubtful::doubtful_m;
use super::grip::{Limits, grip_factor, limits};
use super::labels::labels;
use super::live::LivePage;
use super::options::{HtmlOptions, PageTheme};
use super::passed::{PassedData, passed};
use crate::RenderError;
use crate::backdrop::Backdrop;
use crate::colour_scale::ColourBy;
use crate::palette::{diverging_colours, speed_colours};
use raceline::RacingLine;
use raceline::analysis::{
    AnalysisOptions, Comparison, Corner, Losses, Turn, analyse, braking_zones, compare, decimals_of, grades,
};
use raceline::file::{Candidate, LinePoint, Streets};
use raceline_file::round_to;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline};

/// Everything on a page.
#[derive(Debug, Serialize)]
pub(super) struct PageData {
    pub(super) title: String,
    theme: PageTheme,
    /// Whether the track is one for small vehicles, read in m/s and centimetres.
    is_small: bool,
    show_sections: bool,
    show_corners: bool,
    /// The initial quantity of the map's colours; `None` for one colour per line if there are
    /// several.
    colour_by: Option<&'static str>,
    speed_colours: Vec<String>,
    /// For quantities with a sign.
    diverging_colours: Vec<String>,
    background: Option<BackgroundData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    losses: Option<Losses>,
    #[serde(skip_serializing_if = "Option::is_none")]
    live: Option<LivePage>,
    /// Of the first line, what its route leads through.
    #[serde(skip_serializing_if = "Option::is_none")]
    streets: Option<StreetsData>,
    lines: Vec<LineData>,
}

/// The streets about a route, one after the other in one path.
#[derive(Debug, Serialize)]
struct StreetsData {
    /// Points of each street.
    counts: Vec<usize>,
    path: Path,
    /// Streets of the source that are not among these.
    left_out: usize,
}

impl StreetsData {
    fn new(streets: &Streets, precision: Precision) -> Self {
        Self {
            counts: streets.lines.iter().map(Vec::len).collect(),
            path: precision.path(&streets.lines.concat()),
            left_out: streets.left_out,
        }
    }
}

/// The picture behind the road with its position in the world, m.
#[derive(Debug, Serialize)]
struct BackgroundData {
    /// PNG as a data URI.
    picture: String,
    x_m: f64,
    y_m: f64,
    width_m: f64,
    height_m: f64,
}

impl BackgroundData {
    fn new(backdrop: &Backdrop) -> Self {
        let [[left, bottom], [right, top]] = backdrop.corners_m();
        Self { picture: backdrop.data_uri(), x_m: left, y_m: bottom, width_m: right - left, height_m: top - bottom }
    }
}

/// One line.
#[derive(Debug, Serialize)]
struct LineData {
    label: String,
    name: String,
    method: &'static str,
    vehicle: String,
    vehicle_length_m: f64,
    vehicle_width_m: f64,
    closed: bool,
    lap_time_s: f64,
    length_m: f64,
    generator: String,
    points: Points,
    limits: Option<Limits>,
    passed: PassedData,
    left: Path,
    right: Path,
    candidates: Vec<CandidateData>,
    sections: Option<[Path; 2]>,
    /// Empty except for the reference, whose corners the page shows.
    corners: Vec<CornerData>,
    /// Beginning and end of each braking zone, m from the start line; of the reference alone.
    braking_m: Vec<[f64; 2]>,
    /// Beginning and end of each stretch whose edges are less sure, m from the start line; of the reference alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubtful_m: Vec<[f64; 2]>,
    /// `None` for the reference.
    comparison: Option<ComparisonData>,
}

/// The line's points, one column per quantity.
#[derive(Debug, Serialize)]
struct Points {
    s_m: Column,
    x_m: Column,
    y_m: Column,
    curvature_radpm: Column,
    speed_mps: Column,
    accel_mps2: Column,
    time_s: Column,
    left_m: Column,
    right_m: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    z_m: Option<Column>,
    /// Percent, positive uphill.
    #[serde(skip_serializing_if = "Option::is_none")]
    grade_percent: Option<Column>,
    /// Degrees, positive where the left is higher.
    #[serde(skip_serializing_if = "Option::is_none")]
    banking_deg: Option<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grip_factor: Option<Column>,
    #[serde(flatten)]
    car: Option<CarColumns>,
}

/// What a car does at the points; angles in degrees, the pedal in percent.
#[derive(Debug, Serialize)]
struct CarColumns {
    steering_deg: Column,
    pedal_percent: Column,
    sideslip_deg: Column,
    yaw_rate_degps: Column,
}

impl CarColumns {
    /// The columns of `line`, if its points have all of them.
    fn of(line: &RacingLine, precision: Precision) -> Option<Self> {
        let column = |factor: f64, value: &dyn Fn(&LinePoint) -> Option<f64>| {
            let values = line.points.iter().map(|point| Some(factor * value(point)?)).collect::<Option<Vec<f64>>>()?;
            Some(precision.speeds(values.into_iter()))
        };
        let degrees = 1f64.to_degrees();
        Some(Self {
            steering_deg: column(degrees, &|point| point.steering_rad)?,
            pedal_percent: column(100.0, &|point| point.pedal)?,
            sideslip_deg: column(degrees, &|point| point.sideslip_rad)?,
            yaw_rate_degps: column(degrees, &|point| point.yaw_rate_radps)?,
        })
    }
}

/// The figures of a corner, rounded, since a long line has hundreds of corners.
#[derive(Debug, Serialize)]
struct CornerData {
    /// As it is shown: `3`, or `3-5`.
    number: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    direction: Turn,
    entry_s_m: f64,
    apex_s_m: f64,
    exit_s_m: f64,
    apex_m: [f64; 2],
    length_m: f64,
    min_radius_m: f64,
    entry_speed_mps: f64,
    lowest_speed_mps: f64,
    exit_speed_mps: f64,
    time_s: f64,
}

impl CornerData {
    fn new(corner: &Corner) -> Self {
        let short = |value: f64| round_to(value, 3);
        Self {
            number: corner.number.to_string(),
            name: corner.name.clone(),
            direction: corner.direction,
            entry_s_m: short(corner.entry_s_m),
            apex_s_m: short(corner.apex_s_m),
            exit_s_m: short(corner.exit_s_m),
            apex_m: corner.apex_m.map(short),
            length_m: short(corner.length_m),
            min_radius_m: short(corner.min_radius_m),
            entry_speed_mps: short(corner.entry_speed_mps),
            lowest_speed_mps: short(corner.lowest_speed_mps),
            exit_speed_mps: short(corner.exit_speed_mps),
            time_s: short(corner.time_s),
        }
    }
}

#[derive(Debug, Serialize)]
struct CandidateData {
    method: &'static str,
    lap_time_s: f64,
    path: Path,
}

/// A line compared with the reference: one entry per point of the reference, and one at the end of
/// a closed lap.
#[derive(Debug, Serialize)]
struct ComparisonData {
    /// Distance along this line at which it is beside the reference's point.
    other_s_m: Column,
    time_difference_s: Column,
    /// By corner of the reference.
    corners_s: Vec<f64>,
}

/// The data of a page of `lines`.
pub(super) fn of(lines: &[RacingLine], options: &HtmlOptions) -> Result<PageData, RenderError> {
    let first = lines.first().ok_or(RenderError::NoLine)?;
    if options.sections && first.sections.is_empty() {
        return Err(RenderError::NoSections { name: first.name.clone() });
    }
    let shown = labels(lines).into_iter().zip(lines).enumerate();
    Ok(PageData {
        title: first.name.clone(),
        theme: options.theme,
        is_small: decimals_of(first).is_small,
        show_sections: options.sections,
        show_corners: options.corners,
        colour_by: colour_key(options.colour_by)?,
        speed_colours: speed_colours(),
        diverging_colours: diverging_colours(),
        background: options.backdrop.as_ref().map(BackgroundData::new),
        losses: options.losses.clone(),
        live: options.live.clone(),
        streets: first.streets.as_ref().map(|streets| StreetsData::new(streets, Precision::of(first))),
        lines: shown
            .map(|(i, (label, line))| line_data(label, line, (i > 0).then_some(first), options))
            .collect::<Result<_, _>>()?,
    })
}

/// The key of a quantity in the page's scripts.
fn colour_key(by: Option<ColourBy>) -> Result<Option<&'static str>, RenderError> {
    match by {
        None => Ok(None),
        Some(ColourBy::Speed) => Ok(Some("speed")),
        Some(ColourBy::Acceleration) => Ok(Some("accel")),
        Some(ColourBy::Curvature) => Ok(Some("curvature")),
        Some(ColourBy::Grade) => Ok(Some("grade")),
        Some(by @ (ColourBy::SpeedRatio | ColourBy::Deviation)) => Err(RenderError::NotOnPage { by: by.name() }),
    }
}

fn line_data(
    label: String,
    line: &RacingLine,
    reference: Option<&RacingLine>,
    options: &HtmlOptions,
) -> Result<LineData, RenderError> {
    let precision = Precision::of(line);
    let (corners, comparison) = match reference {
        Some(reference) => (Vec::new(), Some(comparison_data(reference, line, precision)?)),
        None => {
            let analysis = analyse(line, &AnalysisOptions::of(line));
            (analysis.map_err(|error| RenderError::analysis(line, error))?.corners, None)
        }
    };
    // The candidates contain the line itself.
    let shown =
        |candidate: &&Candidate| !candidate.line.is_empty() && candidate.method != line.method && options.candidates;
    let has_heights = line.points.iter().all(|point| point.z_m.is_some());
    let candidates = line.candidates.iter().filter(shown);
    let widths = line.points.iter().map(|point| point.left_m + point.right_m);
    let tolerance = precision.edge_fraction() * widths.sum::<f64>() / line.points.len().max(1) as f64;
    let edge = |vertices: &[[f64; 2]]| precision.path(&simplified(vertices, line.closed, tolerance));
    let section_ends = |end: usize| line.sections.iter().map(|section| section[end]).collect::<Vec<_>>();
    Ok(LineData {
        label,
        name: line.name.clone(),
        method: line.method.name(),
        vehicle: line.vehicle.name.clone(),
        vehicle_length_m: line.vehicle.length_m,
        vehicle_width_m: line.vehicle.width_m,
        closed: line.closed,
        lap_time_s: line.lap_time_s,
        length_m: line.length_m,
        generator: line.generator.clone(),
        points: Points {
            s_m: precision.lengths(line.points.iter().map(|point| point.s_m)),
            x_m: precision.lengths(line.points.iter().map(|point| point.x_m)),
            y_m: precision.lengths(line.points.iter().map(|point| point.y_m)),
            curvature_radpm: precision.curvatures(line.points.iter().map(|point| point.curvature_radpm)),
            speed_mps: precision.speeds(line.points.iter().map(|point| point.speed_mps)),
            accel_mps2: precision.speeds(line.points.iter().map(|point| point.accel_mps2)),
            time_s: precision.times(line.points.iter().map(|point| point.time_s)),
            left_m: precision.lengths(line.points.iter().map(|point| point.left_m)),
            right_m: precision.lengths(line.points.iter().map(|point| point.right_m)),
            z_m: has_heights.then(|| precision.lengths(line.points.iter().filter_map(|point| point.z_m))),
            grade_percent: has_heights
                .then(|| precision.speeds(grades(line).into_iter().map(|grade| 100.0 * math::tan(grade)))),
            banking_deg: has_heights.then(|| {
                precision.speeds(line.points.iter().map(|point| point.banking_rad.unwrap_or_default().to_degrees()))
            }),
            grip_factor: grip_factor(line, precision),
            car: CarColumns::of(line, precision),
        },
        limits: limits(line),
        passed: passed(line),
        left: edge(&line.edges.left),
        right: edge(&line.edges.right),
        candidates: candidates
            .map(|candidate| CandidateData {
                method: candidate.method.name(),
                lap_time_s: candidate.lap_time_s,
                path: precision.path(&simplified(&candidate.line, line.closed, tolerance)),
            })
            .collect(),
        sections: (!line.sections.is_empty()).then(|| [0, 1].map(|end| precision.path(&section_ends(end)))),
        corners: corners.iter().map(CornerData::new).collect(),
        doubtful_m: if reference.is_none() { doubtful_m(line) } else { Vec::new() },
        braking_m: match reference {
            Some(_) => Vec::new(),
            None => braking_zones(line)
                .iter()
                .map(|zone| [zone.from_s_m, zone.to_s_m].map(|s_m| round_to(s_m, 2)))
                .collect(),
        },
        comparison,
    })
}

fn comparison_data(
    reference: &RacingLine,
    line: &RacingLine,
    precision: Precision,
) -> Result<ComparisonData, RenderError> {
    let Comparison { corners, along, .. } = compare(reference, line, &AnalysisOptions::of(reference))
        .map_err(|error| RenderError::analysis(line, error))?;
    Ok(ComparisonData {
        other_s_m: precision.lengths(along.iter().map(|here| here.other_s_m)),
        time_difference_s: precision.times(along.iter().map(|here| here.time_difference_s)),
        corners_s: corners.iter().map(|corner| round_to(corner.difference_s, 4)).collect(),
    })
}

fn simplified(vertices: &[[f64; 2]], closed: bool, tolerance: f64) -> Vec<[f64; 2]> {
    let points = vertices.iter().map(|&vertex| Point::from(vertex)).collect();
    Polyline { points, closed }.simplified(tolerance).points.iter().map(|point| [point.x, point.y]).collect()
}
