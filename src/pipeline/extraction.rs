//! From a file of any kind to a [`Track`](crate::track::Track).

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::places::of_degrees;
use super::report::ExtractionReport;
use super::stage_trace::StageTrace;
use super::{Error, Extraction, Progress, Request, TrackSource, Warning, plausibility};
use crate::construction::{self, CentreLine, EdgePair, ImportError, ImportNote, ImportOptions, Imported};
use crate::edges::{self, Edges};
use crate::file::Source;
use crate::frame::{PictureFrame, Scale, ScaleError, Spot};
use crate::importers;
use crate::input::{self, Digests, Input};
use crate::lines;
use crate::options::{Options, vehicle_beside};
use crate::plan::PlanError;
use crate::track::{self, PointsError, Track, TrackOptions};
use crate::vehicle::Vehicle;
use crate::{files, track_file};

/// Reads a track from a picture, a ROS map's YAML, an extracted track or a track file of another
/// program. [`input`] decides which of these the file is. The default spacing of its cross-sections
/// is for the vehicle that `options` name.
///
/// # Errors
/// One variant of [`Error`] per stage. Each message names the file, the place and the remedy.
pub fn extract(input: &Path, options: &Options, progress: &dyn Progress) -> Result<Extraction, Error> {
    extract_with_trace(input, options, progress, None)
}

/// Like [`extract`], for an input that is in memory; `name` is its name in messages, and without its
/// ending the track's.
///
/// # Errors
/// Those of [`extract`], except that of a file that cannot be read.
pub fn extract_input(
    name: &Path,
    input: &Input,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Extraction, Error> {
    let options = &*options.resolved()?;
    let vehicle = &options.load_vehicle()?;
    Run { file: name, options, vehicle, progress }.extract_input(input, None)
}

/// Like [`extract`], for the centre line of a road in metres, in the direction of travel. `name` is the
/// track's name. `widths_m` has the distances from each point to the left and to the right edge. Unlike
/// [`Track::from_centre_line`], folds of the edges are mended and the noise of a survey is smoothed, as those
/// of a track file are.
///
/// # Errors
/// [`Error::Points`] for a number out of its range and for arrays of different lengths, and those of [`extract`].
pub fn extract_centre_line(
    name: &str,
    points: &[[f64; 2]],
    widths_m: &[[f64; 2]],
    options: &Options,
    progress: &dyn Progress,
) -> Result<Extraction, Error> {
    let options = &*options.resolved()?;
    let vehicle = &options.load_vehicle()?;
    Run { file: Path::new(name), options, vehicle, progress }.extract_centre_line(points, widths_m)
}

/// Like [`extract`], for the vehicle of the request in place of the one that the options name.
pub(super) fn extract_source(source: &TrackSource, request: &Request) -> Result<Extraction, Error> {
    let &Request { options, vehicle, progress, .. } = request;
    let options = &*options.resolved()?;
    let run = |file| Run { file, options, vehicle, progress };
    match source {
        TrackSource::File(file) => run(file).extract(None),
        TrackSource::Memory(name, input) => run(name).extract_input(input, None),
        TrackSource::CentreLine(name, points, widths_m) => run(Path::new(name)).extract_centre_line(points, widths_m),
        TrackSource::EdgeLines(name, left, right) => run(Path::new(name)).extract_edges(left, right),
        TrackSource::Extracted(extraction) => Ok((**extraction).clone()),
    }
}

/// Like [`extract`], and records in `trace` the results of each stage of reading a picture, also if
/// a later stage fails. With a trace every style of picture is tried, which takes longer.
///
/// # Errors
/// Those of [`extract`].
pub fn extract_with_trace(
    input: &Path,
    options: &Options,
    progress: &dyn Progress,
    trace: Option<&mut StageTrace>,
) -> Result<Extraction, Error> {
    let options = &*options.resolved()?;
    let vehicle = &options.load_vehicle()?;
    Run { file: input, options, vehicle, progress }.extract(trace)
}

/// The input, options and progress of one extraction.
pub(super) struct Run<'a> {
    pub(super) file: &'a Path,
    pub(super) options: &'a Options,
    /// The road's length affects the default spacing; a path is planned for it.
    pub(super) vehicle: &'a Vehicle,
    pub(super) progress: &'a dyn Progress,
}

impl Run<'_> {
    fn extract(&self, trace: Option<&mut StageTrace>) -> Result<Extraction, Error> {
        self.progress.stage("reading");
        let input = input::read_as(self.file, self.options.format_hint.as_deref(), self.options.reach)?;
        let mut extraction = self.extract_input(&input, trace)?;
        let unused = |vehicle: &PathBuf| self.options.vehicle.as_deref().map(Path::new) != Some(vehicle);
        let vehicle = vehicle_beside(self.file).filter(unused);
        extraction.report.warnings.extend(vehicle.map(|file| Warning::VehicleInPlaceOfSidecar { file }));
        Ok(extraction)
    }

    /// The track whose left edge is in `left` and whose right one is in `right`, read from the file `of_right`.
    fn extract_two_files(&self, left: &Input, right: &Input, of_right: &Path) -> Result<Extraction, Error> {
        self.check_no_scale()?;
        let not_an_edge = |file: &Path| Error::Import { file: file.to_owned(), error: ImportError::NotAnEdge };
        let edge = left.edge_file().ok_or_else(|| not_an_edge(self.file))?;
        let other = right.edge_file().ok_or_else(|| not_an_edge(of_right))?;
        let imported = importers::two_files(edge, other, self.options.route.shape.specified(), &self.options.import);
        self.extract_import(imported, left.digests_with(right))
    }

    fn extract_input(&self, input: &Input, trace: Option<&mut StageTrace>) -> Result<Extraction, Error> {
        let options = self.options;
        if let Some(right) = &options.import.right {
            let right = Path::new(right);
            let other = input::read_as(right, None, options.reach)?;
            return self.finished(self.extract_two_files(input, &other, right)?, true);
        }
        let digests = input.digests();
        let shape = options.route.shape.specified();
        // What is the scale of a picture is the width of a line in metres.
        let is_line = input.edge_file().is_some() || matches!(input, Input::Cones(_) | Input::Osm(_) | Input::Line(..));
        let takes_width = is_line && !self.is_network(input) && options.scale.given() == ["track_width_m"];
        if input.is_in_metres() && !takes_width {
            self.check_no_scale()?;
        }
        // A schematic stroke is cut at the width that the road is to have, since the drawn width may be wider
        // than its bends.
        let of_line = options.scale.track_width_m.filter(|_| takes_width);
        let width_m = of_line.or(options.scale.schematic_width_m());
        let import = &ImportOptions { width_m, ..options.import.clone() };
        let extraction = match input {
            input if self.is_network(input) => self.extract_route(input, digests),
            Input::Picture(bytes) if options.plan.is_planned() => {
                self.extract_planned(&self.free_space(bytes, None, self.vehicle)?, digests)
            }
            Input::Map { map, image, .. } if options.plan.is_planned() => {
                self.extract_planned(&self.free_space(image, Some(map), self.vehicle)?, digests)
            }
            Input::Mesh(bytes) if options.plan.is_planned() => self.extract_planned(&self.floor(bytes)?, digests),
            _ if options.plan.is_planned() => {
                Err(Error::Plan { file: self.file.to_owned(), error: PlanError::NoFreeSpace })
            }
            Input::Picture(bytes) => self.extract_picture(bytes, None, digests, trace),
            Input::Map { map, image, .. } => self.extract_picture(image, Some(map), digests, trace),
            Input::Svg(bytes) => {
                // A drawing of ours states its frame.
                let stated = importers::drawn_frame(bytes).filter(|_| !options.scale.has_scale());
                let (scale, origin) = match stated {
                    Some(frame) => (Scale::MetresPerPixel(frame.metres_per_unit), frame.origin),
                    None => self.placement(None)?,
                };
                self.extract_import(importers::svg(bytes, scale, origin, shape, import), digests)
            }
            Input::Csv(bytes) => self.extract_import(importers::csv(bytes, shape, import), digests),
            Input::GeoJson(bytes) => self.extract_import(importers::geojson(bytes, shape, import), digests),
            Input::Kml(bytes) => self.extract_import(importers::kml(bytes, shape, import), digests),
            Input::Gpx(bytes) => self.extract_import(importers::gpx(bytes, shape, import), digests),
            Input::Osm(bytes) => self.extract_import(importers::osm(bytes, shape, import), digests),
            Input::OpenDrive(bytes) => self.extract_import(importers::open_drive(bytes, shape, import), digests),
            Input::GameLine(bytes) => self.extract_import(importers::game_line(bytes, shape, import), digests),
            Input::Mesh(bytes) => self.extract_import(importers::mesh(bytes, shape, import), digests),
            Input::Cones(bytes) => self.extract_import(importers::cones(bytes, shape, import), digests),
            Input::TorcsXml { xml, surfaces } => {
                self.extract_import(importers::torcs_xml(xml, surfaces.as_deref(), shape, import), digests)
            }
            Input::Line(kind, bytes) => self.extract_import(lines::road(*kind, bytes, shape, import), digests),
            Input::Track(bytes) => self.extract_track_file(bytes, digests),
            Input::Edges(left, right) => self.extract_two_files(left, right, self.file),
        }
        .map_err(|error| match error {
            // A name in the options means one road.
            Error::Import { file, error }
                if error.is_of_several_roads() && input.may_be_streets() && import.part.is_none() =>
            {
                Error::Streets { file, error }
            }
            error => error,
        })?;
        // A track file has its cross-sections.
        self.finished(extraction, !matches!(input, Input::Track(_)))
    }

    fn extract_centre_line(&self, points: &[[f64; 2]], widths_m: &[[f64; 2]]) -> Result<Extraction, Error> {
        let line = CentreLine::from_arrays(points, widths_m).map_err(|error| self.no_road(error))?;
        let imported = line.imported(self.options.route.shape.specified(), &self.options.import);
        self.extract_arrays(imported, points, widths_m)
    }

    fn extract_edges(&self, left: &[[f64; 2]], right: &[[f64; 2]]) -> Result<Extraction, Error> {
        let pair = EdgePair::from_arrays(left, right).map_err(|error| self.no_road(error))?;
        let imported = pair.imported(self.options.route.shape.specified(), &self.options.import);
        self.extract_arrays(imported, left, right)
    }

    fn no_road(&self, error: PointsError) -> Error {
        Error::Points { track: self.file.to_owned(), error }
    }

    /// The track that was `imported` from two arrays.
    fn extract_arrays(
        &self,
        imported: Result<Imported, ImportError>,
        first: &[[f64; 2]],
        second: &[[f64; 2]],
    ) -> Result<Extraction, Error> {
        self.check_no_scale()?;
        if self.options.plan.is_planned() {
            return Err(Error::Plan { file: self.file.to_owned(), error: PlanError::NoFreeSpace });
        }
        let digests = Digests::of_numbers(first.iter().chain(second).flatten().copied());
        let mut extraction = self.extract_import(imported, digests)?;
        // The name as it is, also with a dot or a slash in it.
        extraction.rename(&self.file.to_string_lossy());
        self.finished(extraction, true)
    }

    pub(super) fn check_no_scale(&self) -> Result<(), Error> {
        match self.options.scale.given().first() {
            Some(key) => {
                let error = ScaleError::NotForCoordinates { key };
                Err(Error::Scale { file: self.file.to_owned(), error })
            }
            None => Ok(()),
        }
    }

    /// The extraction with the edges and the surface that the options specify, checked, and with its doubts. `is_cut`
    /// is whether its cross-sections were made here.
    pub(super) fn finished(&self, mut extraction: Extraction, is_cut: bool) -> Result<Extraction, Error> {
        self.correct_edges(&mut extraction, is_cut)?;
        extraction.track = extraction
            .track
            .with_profiles(&self.options.elevation, &self.options.banking)
            .and_then(|track| Ok(track.with_edge_kinds(&self.options.edge)?))
            .map_err(|error| Error::Surface { file: self.file.to_owned(), error })?;
        self.judge_road(&mut extraction, is_cut)?;
        // Coordinates have one road, where a picture or streets leave a choice.
        let has_one_road =
            extraction.frame.is_none() && extraction.streets.is_none() && !self.options.plan.is_planned();
        if has_one_road {
            let unused = self.choices_of_road().into_iter().map(|key| Warning::NoChoiceOfRoad { key });
            extraction.report.warnings.extend(unused);
        }
        Ok(extraction)
    }

    /// The keys of the options that choose among the roads of a picture or of streets.
    fn choices_of_road(&self) -> Vec<&'static str> {
        let road_at = self.options.picture.road_at.map(|_| "road_at");
        let via = (!self.options.route.via.is_empty()).then_some("via");
        road_at.into_iter().chain(via).collect()
    }

    /// Refuses a road that cannot be one, and adds the doubts about it to the warnings.
    pub(super) fn judge_road(&self, extraction: &mut Extraction, is_cut: bool) -> Result<(), Error> {
        plausibility::check_scale(&extraction.track)
            .map_err(|error| Error::Absurd { file: self.file.to_owned(), error })?;
        let omitted_m = extraction.report.side_roads.iter().map(|road| road.length_m).sum();
        let doubts = plausibility::doubts(&extraction.track, extraction.report.crossings, omitted_m);
        extraction.report.warnings.extend(doubts.into_iter().map(Warning::Doubtful));
        let wanted_m = track::wanted_spacing_m(&self.options.track, self.vehicle.length_m);
        let spacing_m = extraction.track.spacing_m;
        if is_cut && spacing_m > wanted_m {
            let is_specified = self.options.track.spacing_m.is_some();
            extraction.report.warnings.push(Warning::SpacingRaised { wanted_m, spacing_m, is_specified });
        }
        Ok(())
    }

    /// Edges of a track file → cross-sections.
    pub(super) fn extract_import(
        &self,
        imported: Result<Imported, ImportError>,
        digests: Digests,
    ) -> Result<Extraction, Error> {
        let Imported { edges, notes, geographic_origin_deg, start, name } =
            imported.map_err(|error| Error::Import { file: self.file.to_owned(), error })?;
        let wrong = |error| Error::Edges { file: self.file.to_owned(), error };
        let edges = edges::with_crossings_marked(edges).map_err(wrong)?;
        let options =
            geographic_origin_deg.map_or(Cow::Borrowed(self.options), |origin| of_degrees(self.options, origin));
        let start = options.track.start.or(start.map(|start| Spot::Metres([start.x, start.y])));
        let track_options = TrackOptions { start, ..self.options.track.clone() };
        let track = track::cut_for(&edges, &track_options, self.vehicle.length_m)
            .map_err(|error| Error::track(self.file, error))?;
        let (track, more) = self.of_schematic_width(track, None)?;
        let warnings = notes.into_iter().chain(more).map(Warning::from).collect();
        let name = name.unwrap_or_else(|| self.track_name());
        let report = ExtractionReport::new(&name, &track, warnings);
        let origin_m = self.options.scale.origin_m.unwrap_or_default();
        let source = Source { geographic_origin_deg, ..self.source(digests, origin_m) };
        Ok(Extraction { name, ..self.extraction(track, source, report) })
    }

    /// The extraction of a track that has the file's name, and neither a frame nor streets.
    pub(super) fn extraction(&self, track: Track, source: Source, report: ExtractionReport) -> Extraction {
        let (file, name) = (self.file.to_owned(), self.track_name());
        Extraction { file, name, track, source, frame: None, streets: None, report }
    }

    /// The track with the specified width about its centre line, if the picture is a schematic map.
    pub(super) fn of_schematic_width(
        &self,
        drawn: Track,
        frame: Option<PictureFrame>,
    ) -> Result<(Track, Vec<ImportNote>), Error> {
        let Some(width_m) = self.options.scale.schematic_width_m() else { return Ok((drawn, Vec::new())) };
        let line = drawn.centre_line();
        let Imported { edges, notes, .. } =
            construction::road_about(&line.points, width_m, line.closed, &self.options.import)
                .map_err(|error| Error::Import { file: self.file.to_owned(), error })?;
        let edges = edges::with_crossings_marked(Edges { frame, ..edges })
            .map_err(|error| Error::Edges { file: self.file.to_owned(), error })?;
        let track = track::cut_for(&edges, &self.options.track, self.vehicle.length_m)
            .map_err(|error| Error::track(self.file, error))?;
        Ok((track, notes))
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
        Ok(Extraction { name: file.name, ..self.extraction(track, source, report) })
    }

    /// The source of a track that is made from this file.
    pub(super) fn source(&self, digests: Digests, origin_m: [f64; 2]) -> Source {
        Source {
            file: match files::is_standard_input(self.file) {
                true => self.track_name(),
                false => self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned(),
            },
            sha256: digests.sha256.unwrap_or_default(),
            track_sha256: digests.track_sha256,
            origin_m,
            ..Source::default()
        }
    }

    /// The file's name without its ending; `stdin` for standard input.
    pub(super) fn track_name(&self) -> String {
        if files::is_standard_input(self.file) {
            return "stdin".to_owned();
        }
        self.file.file_stem().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned()
    }
}
