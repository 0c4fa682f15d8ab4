//! From a file of any kind to a [`Track`](crate::track::Track).

use std::path::Path;

use super::report::ExtractionReport;
#[cfg(feature = "picture")]
use super::stage_trace::StageTrace;
use super::{Error, Extraction, Progress, Warning};
use crate::edges;
use crate::edges::importers::{self, ImportError, Imported};
use crate::file::{Source, track_file};
use crate::input::{self, Digests, Input};
use crate::options::Options;
use crate::track;

/// Reads a track from a picture, a ROS map's YAML, an extracted track or a track file of another
/// program. [`input`] decides which of these the file is.
///
/// # Errors
/// One variant of [`Error`] per stage. Each message names the file, the place and the remedy.
pub fn extract(input: &Path, options: &Options, progress: &dyn Progress) -> Result<Extraction, Error> {
    Run { file: input, options, progress }.extract(
        #[cfg(feature = "picture")]
        None,
    )
}

/// Like [`extract`], and records in `trace` the results of each stage of reading a picture, also if
/// a later stage fails. With a trace every style of picture is tried, which takes longer.
///
/// # Errors
/// Those of [`extract`].
#[cfg(feature = "picture")]
pub fn extract_with_trace(
    input: &Path,
    options: &Options,
    progress: &dyn Progress,
    trace: Option<&mut StageTrace>,
) -> Result<Extraction, Error> {
    Run { file: input, options, progress }.extract(trace)
}

/// The input, options and progress of one extraction.
pub(super) struct Run<'a> {
    pub(super) file: &'a Path,
    pub(super) options: &'a Options,
    pub(super) progress: &'a dyn Progress,
}

impl Run<'_> {
    fn extract(&self, #[cfg(feature = "picture")] trace: Option<&mut StageTrace>) -> Result<Extraction, Error> {
        self.progress.stage("reading");
        let input = input::read(self.file)?;
        let digests = input.digests();
        let (shape, import) = (self.options.route.shape.said(), &self.options.import);
        match &input {
            #[cfg(feature = "picture")]
            Input::Picture(bytes) => self.extract_picture(bytes, None, digests, trace),
            #[cfg(feature = "picture")]
            Input::Map { map, image, .. } => self.extract_picture(image, Some(map), digests, trace),
            #[cfg(feature = "picture")]
            Input::Svg(bytes) => {
                let (scale, origin) = self.placement(None)?;
                self.extract_import(importers::svg(bytes, scale, origin, shape, import), digests)
            }
            Input::Csv(bytes) => self.extract_import(importers::csv(bytes, shape, import), digests),
            Input::GeoJson(bytes) => self.extract_import(importers::geojson(bytes, shape, import), digests),
            Input::Track(bytes) => self.extract_track_file(bytes, digests),
        }
    }

    /// Edges of a track file → cross-sections.
    fn extract_import(&self, imported: Result<Imported, ImportError>, digests: Digests) -> Result<Extraction, Error> {
        let Imported { edges, notes, geographic_origin_deg } =
            imported.map_err(|error| Error::Import { file: self.file.to_owned(), error })?;
        let wrong = |error| Error::Edges { file: self.file.to_owned(), error };
        let edges = edges::with_crossings_marked(edges).map_err(wrong)?;
        let track = track::cut(&edges, &self.options.track).map_err(|error| Error::track(self.file, error))?;
        let report = ExtractionReport::new(&self.track_name(), &track, notes.into_iter().map(Warning::from).collect());
        let origin_m = self.options.scale.origin_m.unwrap_or_default();
        let source = Source { geographic_origin_deg, ..self.source(digests, origin_m) };
        Ok(Extraction { name: self.track_name(), track, source, report })
    }

    /// The cross-sections of an extracted track.
    fn extract_track_file(&self, bytes: &[u8], digests: Digests) -> Result<Extraction, Error> {
        let file = track_file::read(bytes).map_err(|error| Error::TrackFile { file: self.file.to_owned(), error })?;
        let track = file.track();
        edges::check_crossings(&track.left_edge, &track.right_edge)
            .map_err(|error| Error::Edges { file: self.file.to_owned(), error })?;
        track.validate().map_err(|error| Error::track(self.file, error))?;
        let report = ExtractionReport::new(&file.name, &track, Vec::new());
        let source = Source { track_sha256: digests.track_sha256, ..file.source };
        Ok(Extraction { name: file.name, track, source, report })
    }

    /// The source of a track that is made from this file.
    pub(super) fn source(&self, digests: Digests, origin_m: [f64; 2]) -> Source {
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
    pub(super) fn track_name(&self) -> String {
        self.file.file_stem().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned()
    }
}
