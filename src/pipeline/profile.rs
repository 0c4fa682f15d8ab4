//! A line that exists gets speeds: it stays as it is, and becomes a racing line.

use super::extraction::{Run, extract_source};
use super::finished_line::racing_line;
use super::given_line::GivenLine;
use super::{Error, Extraction, Request, TrackSource, Warning, judge};
use crate::construction::{self, CentreLine, EdgePair, ImportError, ImportOptions, Sides, TidyLine, tidy_line};
use crate::file::{Method, RacingLine};
use crate::frame::Spot;
use crate::geometry::{Point, Polyline, turns_counterclockwise};
use crate::input::Digests;
use crate::options::Options;
use crate::solve::{self, Model, SolveError};
use crate::track::{Direction, Track};

/// Width of the road that is assumed about a line, in margins of the vehicle on either side.
const ASSUMED_MARGINS: f64 = 2.0;

/// A line with its speeds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Profiled {
    /// The racing line, of the method [`Method::Given`].
    pub line: RacingLine,
    /// How its points were found in the file, as "columns x_m, y_m by name".
    pub layout: String,
    /// Number of points in the file.
    pub points: usize,
    /// Time of the lap at the speeds in the file, s, where it has them.
    pub stated_lap_time_s: Option<f64>,
    /// The warnings.
    pub warnings: Vec<Warning>,
}

/// Gives the line speeds: the fastest profile of the request's vehicle along the spline through its
/// points, on `track`, or without one on a road about the line: between the edges in the line's
/// file, else as wide as `track_width_m`, else as wide as the vehicle needs it twice.
///
/// The lap begins at the line's first point, in the direction of its points. What the judge finds,
/// such as a line that leaves its road or is sharper than the steering allows, is a warning.
///
/// ```
/// use raceline::pipeline::{GivenLine, Request, profile};
/// use raceline::{Options, vehicle};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 90.0;
/// let circle: Vec<[f64; 2]> = (0..90).map(|i| [80.0 * angle(i).cos(), 80.0 * angle(i).sin()]).collect();
/// let (options, car) = (Options::default(), vehicle::preset("gt")?);
/// let made = profile(&GivenLine::from_points("circle", &circle), None, &Request::new(&options, &car))?;
/// assert!((made.line.length_m - 80.0 * std::f64::consts::TAU).abs() < 0.01);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`extract`](super::extract) for the track, a line that is none or does not run along
/// the road, and `model = "car"`, which this does not have.
pub fn profile(given: &GivenLine, track: Option<TrackSource>, request: &Request) -> Result<Profiled, Error> {
    let options = &*request.options.resolved()?;
    if options.solve.model == Some(Model::Car) {
        let error = SolveError::InitialLine {
            needs: "the speeds of a line that exists are those of a point mass: leave model out",
        };
        return Err(Error::Solve { file: given.file.clone(), error });
    }
    let (extraction, points) = match track {
        Some(track) => along_track(given, track, options, request)?,
        None => about_line(given, options, request)?,
    };
    let stated_lap_time_s = match given.points_beside(extraction.source.geographic_origin_deg) {
        Ok(points) => given.content.stated_lap_time_s(&points, extraction.track.closed),
        Err(_) => None,
    };
    let mut warnings = extraction.report.warnings.clone();
    let line = profiled(&extraction, points, options, request)?;
    if request.verify {
        match judge(&line, None, None) {
            Ok(judged) => warnings.extend(judged.findings().copied().map(Warning::GivenLine)),
            Err(error) => return Err(Error::Unsound { file: given.file.clone(), line: Box::new(line), error }),
        }
    }
    let layout = given.content.layout.clone();
    Ok(Profiled { line, layout, points: given.content.positions.len(), stated_lap_time_s, warnings })
}

/// The racing line through `points` on the road of `extraction`.
pub(super) fn profiled(
    extraction: &Extraction,
    points: Vec<Point>,
    options: &Options,
    request: &Request,
) -> Result<RacingLine, Error> {
    let options = &*super::places::in_metres(options, extraction.frame, extraction.source.geographic_origin_deg);
    let line_options =
        solve::LineOptions { method: Method::Given, initial_line: Some(points), ..options.line_options() };
    let found = solve::profile(&extraction.track, request.vehicle, &line_options)
        .map_err(|error| Error::Solve { file: extraction.file.clone(), error })?;
    let options = Options { method: Method::Given, initial_line: None, ..options.clone() };
    Ok(racing_line(extraction, &options, request, &found))
}

/// The points of a line that a search on the road of `extraction` starts from, and the line with
/// its speeds.
///
/// # Errors
/// A line that does not run along the road or runs against it.
pub(super) fn initial(
    given: &GivenLine,
    extraction: &Extraction,
    request: &Request,
) -> Result<(Vec<Point>, RacingLine), Error> {
    let options = &*request.options.resolved()?;
    let track = &extraction.track;
    let points = given.points_beside(extraction.source.geographic_origin_deg)?;
    let TidyLine { mut points, .. } = tidy(given, &points, Some(track.closed), track.mean_width(), options)?;
    if runs_against(&points, track) {
        let problem = "the line runs against the direction of the track".to_owned();
        let fix = "specify direction, or like = the line, so that the lap begins where the line does";
        let error = ImportError::Geometry { place: given.content.layout.clone(), problem, fix };
        return Err(Error::Import { file: given.file.clone(), error });
    }
    start_at(&mut points, track);
    let line = profiled(extraction, points.clone(), options, request)?;
    Ok((points, line))
}

/// Begins a closed line at its point nearest to the start of the track.
fn start_at(points: &mut [Point], track: &Track) {
    let Some(start) = track.sections.first().filter(|_| track.closed).map(|section| section.middle()) else { return };
    let far = |k: &usize| (points[*k] - start).norm_squared();
    if let Some(nearest) = (0..points.len()).min_by(|a, b| far(a).total_cmp(&far(b))) {
        points.rotate_left(nearest);
    }
}

/// The track that the line runs along, from the line's first point and in its direction, and the
/// line.
fn along_track(
    given: &GivenLine,
    track: TrackSource,
    options: &Options,
    request: &Request,
) -> Result<(Extraction, Vec<Point>), Error> {
    let mut extraction = match track {
        TrackSource::Extracted(extraction) => *extraction,
        source => {
            // The lap begins where the line does; a line in degrees has a place only beside the
            // track.
            let start = match given.points_beside(None) {
                Ok(points) => lap_of(&points, given.closed(options)),
                Err(_) => None,
            };
            let mut wanted = options.clone();
            if let Some((start, direction)) = start {
                wanted.track.start = Some(start);
                wanted.track.direction = direction.or(wanted.track.direction);
            }
            extract_source(&source, &Request { options: &wanted, ..*request })?
        }
    };
    let points = given.points_beside(extraction.source.geographic_origin_deg)?;
    let closed = Some(options.route.shape.specified().unwrap_or(extraction.track.closed));
    let TidyLine { points, notes, .. } = tidy(given, &points, closed, extraction.track.mean_width(), options)?;
    if runs_against(&points, &extraction.track) {
        extraction.track = extraction.track.reversed();
    }
    extraction.report.warnings.extend(notes.into_iter().map(Warning::from));
    Ok((extraction, points))
}

/// A road about the line, and the line.
fn about_line(given: &GivenLine, options: &Options, request: &Request) -> Result<(Extraction, Vec<Point>), Error> {
    let import = |error| Error::Import { file: given.file.clone(), error };
    let origin_deg = given.content.positions.middle_deg();
    let points = given.points_beside(origin_deg)?;
    let assumed_m = 2.0 * ASSUMED_MARGINS * request.vehicle.margin_m();
    let width_m = options.scale.track_width_m;
    let tidy = tidy(given, &points, given.closed(options), width_m.unwrap_or(assumed_m), options)?;
    let TidyLine { points, closed, notes } = tidy;
    // The line is smooth already, and edges are as they are.
    let as_is = ImportOptions { smoothing_m: Some(0.0), ..ImportOptions::default() };
    let mut warnings: Vec<Warning> = notes.into_iter().map(Warning::from).collect();
    let imported = match &given.content.edges {
        Some(edges) => {
            let [first, second] = edges.each_ref().map(|edge| edge.about(origin_deg.unwrap_or_default()));
            EdgePair { first, second, sides: Sides::Named, in_travel_order: true, levels: None }
                .imported(Some(closed), &as_is)
        }
        None => match given.content.widths_m.as_ref().filter(|_| width_m.is_none()) {
            // Of the points of the file, in which some may coincide.
            Some(widths_m) => {
                CentreLine::with_widths(&given.points_beside(origin_deg)?, widths_m).imported(Some(closed), &as_is)
            }
            None => construction::road_about(&points, width_m.unwrap_or(assumed_m), closed, &as_is),
        },
    };
    let mut imported = imported.map_err(import)?;
    if given.content.edges.is_none() && given.content.widths_m.is_none() && width_m.is_none() {
        warnings.push(Warning::RoadAssumed { width_m: assumed_m });
    }
    imported.start = points.first().copied();
    imported.geographic_origin_deg = origin_deg;
    imported.name.clone_from(&given.content.name);
    let digests = Digests { sha256: Some(given.sha256.clone()), track_sha256: None };
    let mut wanted = options.clone();
    if let Some((start, direction)) = lap_of(&points, Some(closed)) {
        (wanted.track.start, wanted.track.direction) = (Some(start), direction);
    }
    let run = Run { file: &given.file, options: &wanted, vehicle: request.vehicle, progress: request.progress };
    let mut extraction = run.finished(run.extract_import(Ok(imported), digests)?, true)?;
    if runs_against(&points, &extraction.track) {
        extraction.track = extraction.track.reversed();
    }
    extraction.report.warnings.splice(0..0, warnings);
    Ok((extraction, points))
}

fn tidy(
    given: &GivenLine,
    points: &[Point],
    closed: Option<bool>,
    width_m: f64,
    options: &Options,
) -> Result<TidyLine, Error> {
    tidy_line(points, closed, width_m, &options.import)
        .map_err(|error| Error::Import { file: given.file.clone(), error })
}

/// Where and in which direction a lap along the line begins.
fn lap_of(points: &[Point], closed: Option<bool>) -> Option<(Spot, Option<Direction>)> {
    let first = points.first()?;
    let direction = (closed != Some(false)).then(|| direction_of(points));
    Some((Spot::Metres([first.x, first.y]), direction))
}

fn direction_of(points: &[Point]) -> Direction {
    let line = Polyline::closed(points.to_vec());
    if turns_counterclockwise(&[&line]) { Direction::Counterclockwise } else { Direction::Clockwise }
}

/// Whether the line runs against the direction of the track.
fn runs_against(points: &[Point], track: &Track) -> bool {
    if track.closed {
        return direction_of(points) != track.direction;
    }
    let along = |line: &[Point]| Some(line.last()? - line.first()?);
    let middle = track.centre_line().points;
    along(points).zip(along(&middle)).is_some_and(|(line, road)| line.dot(&road) < 0.0)
}
