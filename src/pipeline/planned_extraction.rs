//! From a map or picture of free space to a [`Track`](crate::track::Track) about a planned path.

use std::path::Path;

use super::extraction::Run;
use super::report::ExtractionReport;
use super::{Error, Extraction, Silent};
use crate::file::Source;
use crate::frame::{PictureFrame, Scale, ScaleError, Spot};
use crate::geometry::Point;
use crate::importers;
use crate::input::{self, Digests, Input};
use crate::options::Options;
use crate::picture::{self, MapYaml};
use crate::plan::{self, FreeSpace, PlanError};
use crate::track::{self, TrackOptions};
use crate::vehicle::Vehicle;

/// The road reaches at most so many times the needed clearance to either side of the path. Wide
/// roads in clutter may have edges too rough to be cut into cross-sections; then the next is tried.
const REACHES: [f64; 4] = [6.0, 4.0, 2.5, 1.6];

/// The free space of the map or picture `input`, or of the floor of a mesh, for `vehicle`: its centre needs
/// half its width, its safety distance and one cell.
///
/// # Errors
/// [`Error::Input`], [`Error::Picture`], [`Error::Import`]; [`Error::Scale`] without `metres_per_pixel`;
/// [`Error::Plan`] with [`PlanError::NoFreeSpace`] for a file that is neither map, picture nor mesh, and for a
/// mesh that is no floor.
pub fn free_space(input: &Path, options: &Options, vehicle: &Vehicle) -> Result<FreeSpace, Error> {
    let run = Run { file: input, options, vehicle, progress: &Silent };
    match input::read_as(input, options.format_hint.as_deref(), options.reach)? {
        Input::Picture(bytes) => run.free_space(&bytes, None, vehicle),
        Input::Map { map, image, .. } => run.free_space(&image, Some(&map), vehicle),
        Input::Mesh(bytes) => run.floor(&bytes),
        _ => Err(Error::Plan { file: input.to_owned(), error: PlanError::NoFreeSpace }),
    }
}

/// The stops of the path that `options` specify, in order, and whether it leads back to the first.
///
/// # Errors
/// [`PlanError::NoEnd`] if an end is missing, [`PlanError::NoGlobe`] for one in degrees.
pub fn stops(options: &Options, frame: &PictureFrame) -> Result<(Vec<Point>, bool), PlanError> {
    let closed = options.route.shape.specified() == Some(true);
    let Some(from) = options.plan.from else { return Err(PlanError::NoEnd { missing: "from" }) };
    if options.plan.to.is_none() && (!closed || options.route.via.is_empty()) {
        return Err(PlanError::NoEnd { missing: if closed { "via" } else { "to" } });
    }
    let vias = options.route.via.iter().map(|&via| ("a via", via));
    let spots = std::iter::once(("from", from)).chain(vias).chain(options.plan.to.map(|to| ("to", to)));
    let stops = spots.map(|(stop, spot)| frame.spot(spot).ok_or(PlanError::NoGlobe { stop }));
    Ok((stops.collect::<Result<_, _>>()?, closed))
}

/// A path through free space.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreePath<'a> {
    pub(super) points: &'a [Point],
    /// Whether the vehicle can drive it as it is: it is not relaxed then.
    pub(super) is_drivable: bool,
}

impl<'a> FreePath<'a> {
    fn of(plan: &'a plan::Plan) -> Self {
        Self { points: &plan.path, is_drivable: plan.is_drivable }
    }
}

impl Run<'_> {
    /// Free space → path → edges → cross-sections.
    pub(super) fn extract_planned(&self, space: &FreeSpace, digests: Digests) -> Result<Extraction, Error> {
        let wrong = |error| Error::Plan { file: self.file.to_owned(), error };
        let vehicle = self.vehicle;
        self.progress.stage("planning a path");
        let (stops, closed) = stops(self.options, &space.frame).map_err(wrong)?;
        let options = &self.options.plan;
        let seed = self.options.solve.seed;
        let found = plan::plan(options.kind(), options, space, &stops, closed, vehicle, seed).map_err(wrong)?;
        self.progress.stage("cutting cross-sections");
        let drivable = plan::drivable_instead(&found, options, space, &stops, vehicle, seed).map_err(wrong)?;
        let paths: Vec<FreePath> = drivable.iter().chain([&found]).map(FreePath::of).collect();
        self.extract_along(space, &paths, closed, digests)
    }

    /// The first path about which a road can be cut → edges of the free space about it →
    /// cross-sections.
    pub(super) fn extract_along(
        &self,
        space: &FreeSpace,
        paths: &[FreePath<'_>],
        closed: bool,
        digests: Digests,
    ) -> Result<Extraction, Error> {
        let start = paths.first().and_then(|path| path.points.first()).map(|start| Spot::Metres([start.x, start.y]));
        let start = self.options.track.start.or(start);
        let track_options = TrackOptions { start, ..self.options.track.clone() };
        let cut = |(path, reach): (&FreePath<'_>, f64)| {
            let road = if path.is_drivable { plan::road_about_arcs } else { plan::road_about };
            let edges = road(space, path.points, closed, reach)
                .map_err(|error| Error::Plan { file: self.file.to_owned(), error })?;
            track::cut_for(&edges, &track_options, self.vehicle.length_m)
                .map_err(|error| Error::track(self.file, error))
        };
        let mut tried = paths.iter().flat_map(|path| REACHES.iter().map(move |&reach| cut((path, reach))));
        let first = tried.next().unwrap_or_else(|| cut((&FreePath { points: &[], is_drivable: false }, 1.0)));
        let track = first.or_else(|error| tried.find_map(Result::ok).ok_or(error))?;
        let report = ExtractionReport::new(&self.track_name(), &track, Vec::new());
        let origin = space.frame.origin_m;
        let source = Source {
            metres_per_pixel: Some(space.frame.metres_per_pixel),
            ..self.source(digests, [origin.x, origin.y])
        };
        let frame = Some(space.frame);
        Ok(Extraction { frame, ..self.extraction(track, source, report) })
    }

    pub(super) fn free_space(
        &self,
        bytes: &[u8],
        map: Option<&MapYaml>,
        vehicle: &Vehicle,
    ) -> Result<FreeSpace, Error> {
        let (scale, origin_m) = self.placement(map)?;
        // The other scales are those of a road, which is not known here.
        let Scale::MetresPerPixel(metres_per_pixel) = scale else {
            return Err(Error::scale(self.file, ScaleError::Missing));
        };
        let file = map.map_or(self.file, |map| &map.image);
        let picture = picture::read_bytes(&file.to_string_lossy(), bytes, &self.options.picture)?;
        let free = picture::free_cells(&picture, map, &self.options.picture)?;
        let (width_px, height_px) = free.dimensions();
        let frame = PictureFrame { metres_per_pixel, origin_m, width_px, height_px };
        let needed_m = vehicle.width_m / 2.0 + vehicle.safety_distance_m + metres_per_pixel;
        Ok(FreeSpace::new(&free, frame, needed_m))
    }

    /// The free space on the floor of a mesh.
    pub(super) fn floor(&self, bytes: &[u8]) -> Result<FreeSpace, Error> {
        self.check_no_scale()?;
        let triangles = importers::floor(bytes, self.options.import.part.as_deref())
            .map_err(|error| Error::Import { file: self.file.to_owned(), error })?;
        let polygons: Vec<Vec<Point>> = triangles.into_iter().map(|triangle| triangle.to_vec()).collect();
        FreeSpace::of_floor(&polygons, self.vehicle.width_m / 2.0 + self.vehicle.safety_distance_m)
            .map_err(|error| Error::Plan { file: self.file.to_owned(), error: error.into() })
    }
}
