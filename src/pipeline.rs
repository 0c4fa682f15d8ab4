//! The order of the stages: from a file to a [`Track`] and on to a [`RacingLine`]. No other file knows it.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::edges::{self, PictureFrame, Scale, Traced};
use crate::export::track_json;
use crate::geometry::Point;
use crate::options::Options;
use crate::picture::{self, MapYaml, Picture, PictureOptions, RoadMask, Spot};
use crate::racing_line::{self, EdgeCoordinates, Method, RacingLine, Source};
use crate::track::importers::{self, ImportError, Imported};
use crate::track::{self, Track};
use crate::vehicle::Vehicle;

mod error;
mod line_search;

pub use error::Error;
use line_search::DrivenCandidate;

/// What a caller can watch a run by.
pub trait Progress: Sync {
    /// A stage begins.
    fn stage(&self, _name: &str) {}
    /// A long stage has done `done` of `total` steps; `note` says where it stands.
    fn step(&self, _done: usize, _total: usize, _note: &str) {}
}

/// A progress that nobody watches.
pub struct Silent;
impl Progress for Silent {}

/// A track and where it came from.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// Name of the track: the file's name without its ending.
    pub name: String,
    /// The track.
    pub track: Track,
    /// Where it came from.
    pub source: Source,
    /// What the user should know: dropped contours, narrow margins.
    pub warnings: Vec<String>,
}

/// What a summary says of one of the lines that were compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateSummary {
    /// How it was found.
    pub method: Method,
    /// Lap time, s.
    pub lap_time_s: f64,
    /// Length, m.
    pub length_m: f64,
    /// Highest speed, m/s.
    pub top_speed_mps: f64,
    /// Lowest speed, m/s.
    pub lowest_speed_mps: f64,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The racing line.
    pub line: RacingLine,
    /// One entry for each of the line's candidates, in the same order.
    pub summaries: Vec<CandidateSummary>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// Solver status lines, evaluations and generations for `-v`.
    pub details: Vec<String>,
}

/// Reads a track from a picture, a ROS map YAML, an extracted track or a track file of another program. The file's ending tells which:
/// `.yaml` and `.yml` are maps, `.csv`, `.geojson` and `.svg` track files, `.json` is an extracted track or GeoJSON, by its content, and
/// anything else is a picture.
///
/// # Errors
/// One variant of [`Error`] a stage; each message names the file, the place and the way out.
pub fn extract(input: &Path, options: &Options, progress: &dyn Progress) -> Result<Extraction, Error> {
    progress.stage("reading");
    let bytes = fs::read(input).map_err(|error| Error::Read { file: input.to_owned(), error })?;
    let said = options.route.shape.said();
    match input.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => extract_from_import(input, importers::csv(&bytes, said, &options.import), &bytes, options),
        Some("geojson") => {
            extract_from_import(input, importers::geojson(&bytes, said, &options.import), &bytes, options)
        }
        Some("svg") => {
            let scale = options.scale.scale().map_err(|error| Error::scale(input, error))?;
            let origin = options.scale.origin().map_err(|error| Error::scale(input, error))?;
            let imported = importers::svg(&bytes, scale, origin, said, &options.import);
            extract_from_import(input, imported, &bytes, options)
        }
        Some("json") if importers::is_geojson(&bytes) => {
            extract_from_import(input, importers::geojson(&bytes, said, &options.import), &bytes, options)
        }
        Some("json") => extract_from_track_file(input, &bytes),
        Some("yaml" | "yml") => extract_from_map(input, &bytes, options, progress),
        _ => {
            let scale = options.scale.scale().map_err(|error| Error::scale(input, error))?;
            let origin = options.scale.origin().map_err(|error| Error::scale(input, error))?;
            let picture = picture::read_bytes(&input.to_string_lossy(), &bytes, &options.picture)?;
            progress.stage("finding the road");
            let mask =
                picture::road_mask(&picture, &in_pixels(options, &picture, scale, origin), options.route.shape.said())?;
            drop(picture);
            extract_from_mask(input, &mask, (scale, origin), digest(&[&bytes]), options, progress)
        }
    }
}

fn extract_from_track_file(input: &Path, bytes: &[u8]) -> Result<Extraction, Error> {
    let file = track_json::read(bytes).map_err(|error| Error::TrackFile { file: input.to_owned(), error })?;
    let track = file.track();
    track.validate().map_err(|error| Error::track(input, error))?;
    Ok(Extraction { name: file.name.clone(), track, source: file.source, warnings: Vec::new() })
}

fn extract_from_import(
    input: &Path,
    imported: Result<Imported, ImportError>,
    bytes: &[u8],
    options: &Options,
) -> Result<Extraction, Error> {
    let Imported { edges, notes: warnings } =
        imported.map_err(|error| Error::Import { file: input.to_owned(), error })?;
    let edges = edges::with_crossings_marked(edges);
    let track = track::cut(&edges, &options.track).map_err(|error| Error::track(input, error))?;
    let source = Source {
        file: file_name(input),
        sha256: digest(&[bytes]),
        metres_per_pixel: None,
        origin_m: options.scale.origin_m.unwrap_or_default(),
    };
    Ok(Extraction { name: track_name(input), track, source, warnings })
}

fn extract_from_map(
    input: &Path,
    bytes: &[u8],
    options: &Options,
    progress: &dyn Progress,
) -> Result<Extraction, Error> {
    let map = MapYaml::parse(input, &String::from_utf8_lossy(bytes))?;
    let said = options.scale.metres_per_pixel.or(options.scale.track_length_m).or(options.scale.track_width_m);
    let scale = match said {
        Some(_) => options.scale.scale().map_err(|error| Error::scale(input, error))?,
        None => Scale::MetresPerPixel(map.resolution),
    };
    let origin = match options.scale.origin_m {
        Some(_) => options.scale.origin().map_err(|error| Error::scale(input, error))?,
        None => Point::new(map.origin[0], map.origin[1]),
    };
    let unreadable = |error| Error::MapImage { map: input.to_owned(), image: map.image.clone(), error };
    let picture_bytes = fs::read(&map.image).map_err(unreadable)?;
    let picture = picture::read_bytes(&map.image.to_string_lossy(), &picture_bytes, &options.picture)?;
    progress.stage("finding the road");
    let mask = picture::road_mask_of_map(
        &picture,
        &map,
        &in_pixels(options, &picture, scale, origin),
        options.route.shape.said(),
    )?;
    drop(picture);
    extract_from_mask(input, &mask, (scale, origin), digest(&[bytes, &picture_bytes]), options, progress)
}

/// The picture's options, with the point on the road in pixels if the scale is known already.
fn in_pixels(options: &Options, picture: &Picture, scale: Scale, origin_m: Point) -> PictureOptions {
    let mut options = options.picture.clone();
    if let (Some(Spot::Metres([x, y])), Scale::MetresPerPixel(metres_per_pixel)) = (options.road_at, scale) {
        let (width_px, height_px) = picture.grey.dimensions();
        let frame = PictureFrame { metres_per_pixel, origin_m, width_px, height_px };
        let (column, row) = frame.to_pixel(Point::new(x, y));
        options.road_at = Some(Spot::Pixels([column, row]));
    }
    options
}

fn extract_from_mask(
    input: &Path,
    mask: &RoadMask,
    (scale, origin): (Scale, Point),
    sha256: String,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Extraction, Error> {
    progress.stage("tracing the edges");
    let traced = edges::trace(mask, scale, origin, &options.route)
        .map_err(|error| Error::Edges { file: input.to_owned(), error })?;
    progress.stage("cutting cross-sections");
    let track = track::cut(&traced.edges, &options.track).map_err(|error| Error::track(input, error))?;
    let source = Source {
        file: file_name(input),
        sha256,
        metres_per_pixel: traced.edges.frame.map(|frame| frame.metres_per_pixel),
        origin_m: [origin.x, origin.y],
    };
    Ok(Extraction { name: track_name(input), track, source, warnings: leftovers(mask, &traced) })
}

/// What was left out on the way to the edges, if it is large enough to be missed.
fn leftovers(mask: &RoadMask, traced: &Traced) -> Vec<String> {
    let mut left = Vec::new();
    let dropped = &traced.dropped;
    if let Some(gap) = traced.closed_gap {
        left.push(format!(
            "a gap of {:.1} m in the road at ({:.1} m, {:.1} m) was closed",
            gap.length_m, gap.at.x, gap.at.y
        ));
    }
    for road in &traced.side_roads {
        left.push(format!(
            "a side road of {:.0} m round ({:.1} m, {:.1} m) was left out{}",
            road.length_m,
            road.at.x,
            road.at.y,
            if traced.has_rival { "; another way covers nearly as much: pass --via X,Y for it" } else { "" }
        ));
    }
    if dropped.holes > 0 {
        left.push(format!(
            "{} holes in the road were filled, the largest {:.0} px²",
            dropped.holes, dropped.largest_px2
        ));
    }
    if mask.dropped_shapes > 0 {
        left.push(format!("{} shapes beside the road were left out", mask.dropped_shapes));
    }
    left
}

/// The main job: reads a track and finds its racing line for `vehicle`.
///
/// With `detail` the result carries the candidates' points and the cross-sections.
///
/// # Errors
/// See [`extract`]; besides, [`Error::Solve`] when the vehicle doesn't fit the road or no line is found.
pub fn optimize(
    input: &Path,
    options: &Options,
    vehicle: &Vehicle,
    detail: bool,
    progress: &dyn Progress,
) -> Result<Outcome, Error> {
    let extraction = extract(input, options, progress)?;
    let search = line_search::search(&extraction.track, options, vehicle, progress)
        .map_err(|error| Error::Solve { file: input.to_owned(), error })?;
    let mut warnings = extraction.warnings;
    warnings.extend(search.warnings);
    let mut line = RacingLine {
        format: racing_line::FORMAT.to_owned(),
        version: racing_line::VERSION,
        name: extraction.name,
        closed: extraction.track.closed,
        direction: extraction.track.direction,
        method: options.method,
        lap_time_s: 0.0,
        length_m: 0.0,
        vehicle: vehicle.clone(),
        source: extraction.source,
        options: options.to_map(),
        generator: concat!("raceline ", env!("CARGO_PKG_VERSION")).to_owned(),
        candidates: search.candidates.iter().map(|candidate| candidate.entry(detail)).collect(),
        points: Vec::new(),
        edges: EdgeCoordinates {
            left: coordinates(&extraction.track.left_edge.points),
            right: coordinates(&extraction.track.right_edge.points),
        },
        sections: Vec::new(),
    };
    if detail {
        line.sections =
            extraction.track.sections.iter().map(|s| [[s.right.x, s.right.y], [s.left.x, s.left.y]]).collect();
    }
    if let Some(chosen) = search.candidates.iter().find(|candidate| candidate.method == options.method) {
        line.lap_time_s = chosen.driven.lap_time_s();
        line.length_m = chosen.driven.length_m;
        line.points = chosen.points(&search.edges);
    }
    let summaries = search.candidates.iter().map(DrivenCandidate::summary).collect();
    Ok(Outcome { line, summaries, warnings, details: search.details })
}

fn coordinates(points: &[Point]) -> Vec<[f64; 2]> {
    points.iter().map(|p| [p.x, p.y]).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The file's name without its ending.
fn track_name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
