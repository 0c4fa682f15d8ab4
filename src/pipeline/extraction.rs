//! From a file of any kind to a [`Track`](crate::track::Track).

use std::path::Path;

use super::report::ExtractionReport;
use super::stage_trace::StageTrace;
use super::{Error, Extraction, Progress, Warning};
use crate::edges;
use crate::edges::importers::{self, ImportError, Imported};
use crate::file::{Source, track_file};
use crate::frame::{PictureFrame, Scale, Spot};
use crate::geometry::Point;
use crate::input::{self, Digests, Input};
use crate::options::Options;
use crate::picture::{self, MapYaml, Picture, PictureOptions};
use crate::track;

/// Reads a track from a picture, a ROS map's YAML, an extracted track or a track file of another program.
/// [`input`] decides which of these the file is.
///
/// # Errors
/// One variant of [`Error`] a stage. Each message names the file, the place and the way out.
pub fn extract(input: &Path, options: &Options, progress: &dyn Progress) -> Result<Extraction, Error> {
    extract_with_trace(input, options, progress, None)
}

/// Like [`extract`]. Besides, records in `trace` what each stage of reading a picture found, also when a
/// later stage fails. With a trace every style of picture is tried, which takes longer.
///
/// # Errors
/// Those of [`extract`].
pub fn extract_with_trace(
    input: &Path,
    options: &Options,
    progress: &dyn Progress,
    trace: Option<&mut StageTrace>,
) -> Result<Extraction, Error> {
    progress.stage("reading");
    let run = Run { file: input, options, progress };
    let input = input::read(input)?;
    let digests = input.digests();
    let (shape, import) = (options.route.shape.said(), &options.import);
    match &input {
        Input::Picture(bytes) => run.extract_picture(bytes, None, digests, trace),
        Input::Map { map, image, .. } => run.extract_picture(image, Some(map), digests, trace),
        Input::Csv(bytes) => run.extract_import(importers::csv(bytes, shape, import), digests),
        Input::GeoJson(bytes) => run.extract_import(importers::geojson(bytes, shape, import), digests),
        Input::Svg(bytes) => {
            let (scale, origin) = run.placement(None)?;
            run.extract_import(importers::svg(bytes, scale, origin, shape, import), digests)
        }
        Input::Track(bytes) => run.extract_track_file(bytes, digests),
    }
}

/// The circumstances of one extraction.
struct Run<'a> {
    file: &'a Path,
    options: &'a Options,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    /// Picture → road mask → edges → cross-sections.
    fn extract_picture(
        &self,
        bytes: &[u8],
        map: Option<&MapYaml>,
        digests: Digests,
        mut trace: Option<&mut StageTrace>,
    ) -> Result<Extraction, Error> {
        let (scale, origin) = self.placement(map)?;
        let file = map.map_or(self.file, |map| &map.image);
        let picture = picture::read_bytes(&file.to_string_lossy(), bytes, &self.options.picture)?;

        self.progress.stage("finding the road");
        let hints = self.hints_in_pixels(&picture, scale, origin);
        let shape = self.options.route.shape.said();
        if let Some(trace) = trace.as_deref_mut() {
            trace.styles = picture::try_styles(&picture, &hints, shape);
            trace.grey = Some(picture.grey.clone());
        }
        let mask = match map {
            Some(map) => picture::road_mask_of_map(&picture, map, &hints, shape),
            None => picture::road_mask(&picture, &hints, shape),
        }?;
        drop(picture);

        self.progress.stage("tracing the edges");
        let traced = edges::trace(&mask, scale, origin, &self.options.route);
        let road = (mask.style, mask.score, mask.dropped_shapes);
        if let Some(trace) = trace.as_deref_mut() {
            trace.mask = Some(mask);
            trace.traced = traced.as_ref().ok().cloned();
        }
        let traced = traced.map_err(|error| Error::Edges { file: self.file.to_owned(), error })?;

        self.progress.stage("cutting cross-sections");
        let track = track::cut(&traced.edges, &self.options.track).map_err(|error| Error::track(self.file, error))?;

        let mut report = ExtractionReport::new(&self.track_name(), &track, Vec::new());
        report.add_picture(road, &traced, trace.map_or(&[], |trace| &trace.styles));
        let source = Source {
            metres_per_pixel: traced.edges.frame.map(|frame| frame.metres_per_pixel),
            ..self.source(digests, [origin.x, origin.y])
        };
        Ok(Extraction { name: self.track_name(), track, source, report })
    }

    /// Edges of a track file → cross-sections.
    fn extract_import(&self, imported: Result<Imported, ImportError>, digests: Digests) -> Result<Extraction, Error> {
        let Imported { edges, notes, geographic_origin_deg } =
            imported.map_err(|error| Error::Import { file: self.file.to_owned(), error })?;
        let edges = edges::with_crossings_marked(edges);
        let track = track::cut(&edges, &self.options.track).map_err(|error| Error::track(self.file, error))?;
        let report = ExtractionReport::new(&self.track_name(), &track, notes.into_iter().map(Warning::from).collect());
        let origin_m = self.options.scale.origin_m.unwrap_or_default();
        let source = Source { geographic_origin_deg, ..self.source(digests, origin_m) };
        Ok(Extraction { name: self.track_name(), track, source, report })
    }

    /// Cross-sections as `raceline extract` wrote them.
    fn extract_track_file(&self, bytes: &[u8], digests: Digests) -> Result<Extraction, Error> {
        let file = track_file::read(bytes).map_err(|error| Error::TrackFile { file: self.file.to_owned(), error })?;
        let track = file.track();
        track.validate().map_err(|error| Error::track(self.file, error))?;
        let report = ExtractionReport::new(&file.name, &track, Vec::new());
        let source = Source { track_sha256: digests.track_sha256, ..file.source };
        Ok(Extraction { name: file.name, track, source, report })
    }

    /// The scale, and the world position of the bottom-left corner: from the options, else from the map.
    fn placement(&self, map: Option<&MapYaml>) -> Result<(Scale, Point), Error> {
        let options = &self.options.scale;
        let scale = match map {
            Some(map) if !options.has_scale() => Ok(Scale::MetresPerPixel(map.resolution)),
            _ => options.scale(),
        };
        let origin = match map {
            Some(map) if options.origin_m.is_none() => Ok(Point::new(map.origin[0], map.origin[1])),
            _ => options.origin(),
        };
        let wrong = |error| Error::scale(self.file, error);
        Ok((scale.map_err(wrong)?, origin.map_err(wrong)?))
    }

    /// The picture's options, with the point on the road in pixels if the scale is known already.
    fn hints_in_pixels(&self, picture: &Picture, scale: Scale, origin_m: Point) -> PictureOptions {
        let mut hints = self.options.picture.clone();
        if let (Some(Spot::Metres([x, y])), Scale::MetresPerPixel(metres_per_pixel)) = (hints.road_at, scale) {
            let (width_px, height_px) = picture.grey.dimensions();
            let frame = PictureFrame { metres_per_pixel, origin_m, width_px, height_px };
            let (column, row) = frame.to_pixel(Point::new(x, y));
            hints.road_at = Some(Spot::Pixels([column, row]));
        }
        hints
    }

    /// The source of a track that is made from this file.
    fn source(&self, digests: Digests, origin_m: [f64; 2]) -> Source {
        Source {
            file: self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned(),
            sha256: digests.sha256.unwrap_or_default(),
            track_sha256: digests.track_sha256,
            metres_per_pixel: None,
            origin_m,
            geographic_origin_deg: None,
        }
    }

    /// The file's name without its ending.
    fn track_name(&self) -> String {
        self.file.file_stem().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned()
    }
}
