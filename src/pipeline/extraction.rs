//! From a file of any kind to a [`Track`].

use std::fs;
use std::path::Path;

use hmac_sha256::Hash as Sha256;

use super::report::ExtractionReport;
use super::{Error, Extraction, Progress};
use crate::edges;
use crate::edges::importers::{self, ImportError, Imported};
#[cfg(feature = "picture")]
use crate::edges::{PictureFrame, Scale, Traced};
use crate::file::Source;
use crate::file::track_file;
#[cfg(feature = "picture")]
use crate::geometry::Point;
use crate::options::Options;
#[cfg(feature = "picture")]
use crate::picture::{self, Grey, MapYaml, Picture, PictureError, PictureOptions, RoadMask, Spot, StyleTrial};
use crate::track;

/// What the stages of reading a picture gave. Nothing of it is kept unless [`Self::watches`] is set.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    /// Whether to keep what is seen.
    pub watches: bool,
    /// The picture.
    #[cfg(feature = "picture")]
    pub grey: Option<Grey>,
    /// Every style, tried by itself.
    #[cfg(feature = "picture")]
    pub styles: Vec<StyleTrial>,
    /// The road mask.
    #[cfg(feature = "picture")]
    pub mask: Option<RoadMask>,
    /// The edges.
    #[cfg(feature = "picture")]
    pub traced: Option<Traced>,
}

/// Reads a track from a picture, a ROS map YAML, an extracted track or a track file of another program. The file's ending tells which:
/// `.yaml` and `.yml` are maps, `.csv`, `.geojson` and `.svg` track files, `.json` is an extracted track or GeoJSON, by its content, and
/// anything else is a picture.
///
/// # Errors
/// One variant of [`Error`] a stage; each message names the file, the place and the way out.
pub fn extract(input: &Path, options: &Options, progress: &dyn Progress) -> Result<Extraction, Error> {
    extract_before(input, options, progress, &mut Witness::default())
}

/// As [`extract`], and leaves with the witness what each stage of reading a picture gave, also when a later one fails.
///
/// # Errors
/// Those of [`extract`].
#[cfg_attr(not(feature = "picture"), expect(unused_variables, reason = "nothing is kept of a track file"))]
pub fn extract_before(
    input: &Path,
    options: &Options,
    progress: &dyn Progress,
    witness: &mut Witness,
) -> Result<Extraction, Error> {
    progress.stage("reading");
    let bytes = fs::read(input).map_err(|error| Error::Read { file: input.to_owned(), error })?;
    let said = options.route.shape.said();
    match input.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => extract_from_import(input, importers::csv(&bytes, said, &options.import), &bytes, options),
        Some("geojson") => {
            extract_from_import(input, importers::geojson(&bytes, said, &options.import), &bytes, options)
        }
        #[cfg(feature = "picture")]
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
        #[cfg(feature = "picture")]
        Some("yaml" | "yml") => extract_from_map(input, &bytes, options, progress, witness),
        #[cfg(feature = "picture")]
        _ => {
            let scale = options.scale.scale().map_err(|error| Error::scale(input, error))?;
            let origin = options.scale.origin().map_err(|error| Error::scale(input, error))?;
            let picture = picture::read_bytes(&input.to_string_lossy(), &bytes, &options.picture)?;
            let mask = find_road(picture, None, (scale, origin), options, progress, witness)?;
            extract_from_mask(input, mask, (scale, origin), digest(&[&bytes]), options, progress, witness)
        }
        #[cfg(not(feature = "picture"))]
        _ => Err(Error::NeedsPictures { file: input.to_owned() }),
    }
}

/// The road mask of a picture, by the map's own thresholds if it is a map's.
#[cfg(feature = "picture")]
fn find_road(
    picture: Picture,
    map: Option<&MapYaml>,
    (scale, origin): (Scale, Point),
    options: &Options,
    progress: &dyn Progress,
    witness: &mut Witness,
) -> Result<RoadMask, PictureError> {
    progress.stage("finding the road");
    let (said, closed) = (in_pixels(options, &picture, scale, origin), options.route.shape.said());
    if witness.watches {
        witness.styles = picture::try_styles(&picture, &said, closed);
        witness.grey = Some(picture.grey.clone());
    }
    match map {
        Some(map) => picture::road_mask_of_map(&picture, map, &said, closed),
        None => picture::road_mask(&picture, &said, closed),
    }
}

fn extract_from_track_file(input: &Path, bytes: &[u8]) -> Result<Extraction, Error> {
    let file = track_file::read(bytes).map_err(|error| Error::TrackFile { file: input.to_owned(), error })?;
    let track = file.track();
    track.validate().map_err(|error| Error::track(input, error))?;
    let report = ExtractionReport::new(&file.name, &track, Vec::new());
    let source = Source { track_sha256: Some(digest(&[bytes])), ..file.source };
    Ok(Extraction { name: file.name.clone(), track, source, report })
}

fn extract_from_import(
    input: &Path,
    imported: Result<Imported, ImportError>,
    bytes: &[u8],
    options: &Options,
) -> Result<Extraction, Error> {
    let Imported { edges, notes: warnings, geographic_origin_deg } =
        imported.map_err(|error| Error::Import { file: input.to_owned(), error })?;
    let edges = edges::with_crossings_marked(edges);
    let track = track::cut(&edges, &options.track).map_err(|error| Error::track(input, error))?;
    let source = Source {
        file: file_name(input),
        sha256: digest(&[bytes]),
        track_sha256: None,
        metres_per_pixel: None,
        origin_m: options.scale.origin_m.unwrap_or_default(),
        geographic_origin_deg,
    };
    let name = track_name(input);
    let report = ExtractionReport::new(&name, &track, warnings);
    Ok(Extraction { name, track, source, report })
}

#[cfg(feature = "picture")]
fn extract_from_map(
    input: &Path,
    bytes: &[u8],
    options: &Options,
    progress: &dyn Progress,
    witness: &mut Witness,
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
    let mask = find_road(picture, Some(&map), (scale, origin), options, progress, witness)?;
    extract_from_mask(input, mask, (scale, origin), digest(&[bytes, &picture_bytes]), options, progress, witness)
}

/// The picture's options, with the point on the road in pixels if the scale is known already.
#[cfg(feature = "picture")]
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

#[cfg(feature = "picture")]
fn extract_from_mask(
    input: &Path,
    mask: RoadMask,
    (scale, origin): (Scale, Point),
    sha256: String,
    options: &Options,
    progress: &dyn Progress,
    witness: &mut Witness,
) -> Result<Extraction, Error> {
    progress.stage("tracing the edges");
    let traced = edges::trace(&mask, scale, origin, &options.route);
    let found = (mask.style, mask.score, mask.dropped_shapes);
    if witness.watches {
        witness.mask = Some(mask);
        witness.traced = traced.as_ref().ok().cloned();
    }
    let traced = traced.map_err(|error| Error::Edges { file: input.to_owned(), error })?;
    progress.stage("cutting cross-sections");
    let track = track::cut(&traced.edges, &options.track).map_err(|error| Error::track(input, error))?;
    let source = Source {
        file: file_name(input),
        sha256,
        track_sha256: None,
        metres_per_pixel: traced.edges.frame.map(|frame| frame.metres_per_pixel),
        origin_m: [origin.x, origin.y],
        geographic_origin_deg: None,
    };
    let name = track_name(input);
    let mut report = ExtractionReport::new(&name, &track, Vec::new());
    report.add_picture(found, &traced, &witness.styles);
    Ok(Extraction { name, track, source, report })
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The file's name without its ending.
fn track_name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The digests that a line made from `input` would carry now: `sha256` and `track_sha256` of [`Source`]. Of an extracted track the
/// former is whatever the track says, and `None` here.
///
/// # Errors
/// [`Error::Read`], and those of a map's YAML and picture.
pub fn source_digests(input: &Path) -> Result<(Option<String>, Option<String>), Error> {
    let bytes = fs::read(input).map_err(|error| Error::Read { file: input.to_owned(), error })?;
    match input.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("json") if !importers::is_geojson(&bytes) => Ok((None, Some(digest(&[&bytes])))),
        #[cfg(feature = "picture")]
        Some("yaml" | "yml") => {
            let map = MapYaml::parse(input, &String::from_utf8_lossy(&bytes))?;
            let unreadable = |error| Error::MapImage { map: input.to_owned(), image: map.image.clone(), error };
            let picture = fs::read(&map.image).map_err(unreadable)?;
            Ok((Some(digest(&[&bytes, &picture])), None))
        }
        _ => Ok((Some(digest(&[&bytes])), None)),
    }
}

fn digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
