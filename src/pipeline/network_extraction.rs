//! From streets to a [`Track`](crate::track::Track) along a route.

use std::borrow::Cow;
use std::path::Path;

use super::extraction::Run;
use super::places::of_degrees;
use super::planned_extraction::{FreePath, stops};
use super::street_lines::{all_streets, streets_about};
use super::{Error, Extraction, Silent, Warning};
use crate::file::Streets;
use crate::frame::{PictureFrame, Scale, ScaleError, Spot};
use crate::geometry::Point;
use crate::importers::{self, OpenDriveStreet, OsmDirection, OsmStreet};
use crate::input::{self, Digests, Input};
use crate::network::{self, Answer, Directions, Network, NetworkError, Street, Task};
use crate::options::Options;
use crate::plan::{FreeSpace, PlanError};
use crate::vehicle::Vehicle;

/// The streets of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreetMap {
    /// The streets.
    pub network: Network,
    /// The free space that they are the middle of; `None` for lines of a file.
    pub space: Option<FreeSpace>,
    /// Longitude and latitude of the point (0, 0), degrees; `None` for a file that is not in degrees.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// The stops of the route, metres.
    pub stops: Vec<Point>,
    /// Whether it leads back to the first.
    pub closed: bool,
    /// What is worth a visit, for the route that scores all routes.
    pub pick_ups: Vec<network::PickUp>,
}

impl StreetMap {
    /// The route that `options` specify.
    ///
    /// # Errors
    /// [`NetworkError`].
    pub fn route(&self, options: &Options, vehicle: &Vehicle) -> Result<Answer, NetworkError> {
        let (stops, pick_ups) = (&self.stops, &self.pick_ups);
        let task = Task { stops, closed: self.closed, options: &options.network, pick_ups, vehicle };
        network::route(&self.network, &task)
    }
}

/// The pick-ups of `options` that are not left out, metres.
fn pick_ups(options: &Options, frame: &PictureFrame) -> Vec<network::PickUp> {
    let wanted = options.pick_up.iter().filter(|pick_up| pick_up.take != Some(false));
    // One that has no place is reported with the line.
    let placed = wanted.filter_map(|pick_up| {
        let at = frame.spot(pick_up.at)?;
        Some(network::PickUp { at: [at.x, at.y], radius_m: pick_up.radius_m, worth_s: pick_up.worth_s })
    });
    placed.collect()
}

/// The streets in the file `input` and the stops of the route through them; `None` if `options` do
/// not ask for a route through streets: lines with `from`, or a picture with `from` and `route`.
///
/// # Errors
/// [`Error::Input`], [`Error::Picture`], [`Error::Scale`]; [`Error::Network`] for streets that
/// cannot be read; [`Error::Plan`] for missing ends.
pub fn streets(input: &Path, options: &Options, vehicle: &Vehicle) -> Result<Option<StreetMap>, Error> {
    let run = Run { file: input, options, vehicle, progress: &Silent };
    let contents = input::read_as(input, options.format_hint.as_deref(), options.reach)?;
    if run.is_network(&contents) { run.streets(&contents, vehicle).map(Some) } else { Ok(None) }
}

/// The streets in a file in memory, for a map on which the ends of a route are chosen: those of [`streets`], as lines. Of
/// more than a page can draw, those nearest to their middle. `name` is the file's name in messages. `None` for a file
/// that is neither GeoJSON, SVG, OpenStreetMap nor OpenDRIVE, or has no line.
///
/// # Errors
/// [`Error::Network`] for streets that cannot be read, [`Error::Scale`] for an SVG without a scale, [`Error::Options`].
pub fn street_lines(name: &Path, input: &Input, options: &Options) -> Result<Option<Streets>, Error> {
    let options = &*options.resolved()?;
    let run = Run { file: name, options, vehicle: &options.load_vehicle()?, progress: &Silent };
    let Some(Drawn { streets, at_crossings, .. }) = run.drawn_streets(input)? else { return Ok(None) };
    let network =
        Network::new(&streets, at_crossings).map_err(|error| Error::Network { file: name.to_owned(), error })?;
    Ok(Some(all_streets(&network)))
}

/// Streets as lines.
struct Drawn {
    streets: Vec<Street>,
    /// Whether lines that cross meet there.
    at_crossings: bool,
    /// As [`StreetMap::geographic_origin_deg`].
    geographic_origin_deg: Option<[f64; 2]>,
}

impl Run<'_> {
    /// Whether the options ask for a route through the streets of `input`: lines with `from`, or a
    /// picture with `from` and `route`.
    pub(super) fn is_network(&self, input: &Input) -> bool {
        let is_picture = matches!(input, Input::Picture(_) | Input::Map { .. });
        self.options.plan.is_planned() && (input.may_be_streets() || is_picture && self.options.network.route.is_some())
    }

    fn streets(&self, input: &Input, vehicle: &Vehicle) -> Result<StreetMap, Error> {
        let wrong = |error: NetworkError| Error::Network { file: self.file.to_owned(), error };
        let planning = |error: PlanError| Error::Plan { file: self.file.to_owned(), error };
        let of_picture = |bytes: &[u8], map| -> Result<StreetMap, Error> {
            let space = self.free_space(bytes, map, vehicle)?;
            let (stops, closed) = stops(self.options, &space.frame).map_err(planning)?;
            for (number, &stop) in stops.iter().enumerate() {
                space.check_stop(if number == 0 { "from" } else { "a stop" }, stop).map_err(planning)?;
            }
            let network = Network::of_free_space(&space, stops[0]).map_err(wrong)?;
            let pick_ups = pick_ups(self.options, &space.frame);
            Ok(StreetMap { network, space: Some(space), geographic_origin_deg: None, stops, closed, pick_ups })
        };
        let Drawn { streets, at_crossings, geographic_origin_deg } = match input {
            Input::Picture(bytes) => return of_picture(bytes, None),
            Input::Map { map, image, .. } => return of_picture(image, Some(map)),
            lines => self.drawn_streets(lines)?.ok_or_else(|| planning(PlanError::NoFreeSpace))?,
        };
        let options =
            &*geographic_origin_deg.map_or(Cow::Borrowed(self.options), |origin| of_degrees(self.options, origin));
        let in_pixels = |name: &str, spot: Option<Spot>| match spot {
            Some(Spot::Pixels(_)) => Err(wrong(NetworkError::NoPixels { stop: name.to_owned() })),
            _ => Ok(()),
        };
        in_pixels("from", self.options.plan.from)?;
        in_pixels("to", self.options.plan.to)?;
        self.options.route.via.iter().try_for_each(|&via| in_pixels("a via", Some(via)))?;
        self.options.pick_up.iter().try_for_each(|pick_up| in_pixels("a pick-up", Some(pick_up.at)))?;
        // No stop is in pixels, so that any frame does.
        let frame = PictureFrame { metres_per_pixel: 1.0, origin_m: Point::origin(), width_px: 1, height_px: 1 };
        let (stops, closed) = stops(options, &frame).map_err(planning)?;
        let network = Network::new(&streets, at_crossings).map_err(wrong)?;
        let pick_ups = pick_ups(options, &frame);
        Ok(StreetMap { network, space: None, geographic_origin_deg, stops, closed, pick_ups })
    }

    /// The streets in a file of lines; `None` for a file of another kind.
    fn drawn_streets(&self, input: &Input) -> Result<Option<Drawn>, Error> {
        let wrong = |error: NetworkError| Error::Network { file: self.file.to_owned(), error };
        let (streets, at_crossings, geographic_origin_deg) = match input {
            Input::GeoJson(bytes) => {
                let found = network::geojson_streets(bytes, &self.options.network).map_err(wrong)?;
                (found.streets, false, Some(found.origin_deg))
            }
            Input::Osm(bytes) => {
                let found = importers::osm_streets(bytes).map_err(|error| wrong(error.into()))?;
                let default = self.options.network.street_width_m();
                let street = |street: OsmStreet| Street {
                    line: street.points,
                    half_width_m: street.width_m.unwrap_or(default) / 2.0,
                    directions: match street.direction {
                        OsmDirection::Both => Directions::Both,
                        OsmDirection::Forward => Directions::Forward,
                        OsmDirection::Backward => Directions::Backward,
                    },
                };
                (found.streets.into_iter().map(street).collect(), false, Some(found.origin_deg))
            }
            Input::OpenDrive(bytes) => {
                let (roads, origin_deg) = importers::open_drive_streets(bytes).map_err(|error| wrong(error.into()))?;
                let street = |road: OpenDriveStreet| Street {
                    line: road.points,
                    half_width_m: road.width_m / 2.0,
                    directions: match road.directions {
                        [true, false] => Directions::Forward,
                        [false, true] => Directions::Backward,
                        _ => Directions::Both,
                    },
                };
                (roads.into_iter().map(street).collect(), false, origin_deg)
            }
            Input::Svg(bytes) => {
                let (scale, origin) = self.placement(None)?;
                let Scale::MetresPerPixel(metres) = scale else {
                    return Err(Error::scale(self.file, ScaleError::Missing));
                };
                let lines = importers::svg_lines(bytes, metres, origin).map_err(|error| wrong(error.into()))?;
                let default = self.options.network.street_width_m();
                let street = |line: importers::SvgLine| Street {
                    line: line.points,
                    half_width_m: line.width_m.unwrap_or(default) / 2.0,
                    directions: Directions::Both,
                };
                (lines.into_iter().map(street).collect(), true, None)
            }
            _ => return Ok(None),
        };
        Ok(Some(Drawn { streets, at_crossings, geographic_origin_deg }))
    }

    /// Streets → route → edges → cross-sections.
    pub(super) fn extract_route(&self, input: &Input, digests: Digests) -> Result<Extraction, Error> {
        let wrong = |error: NetworkError| Error::Network { file: self.file.to_owned(), error };
        let vehicle = self.vehicle;
        let map = self.streets(input, vehicle)?;
        self.progress.stage("searching a route");
        let answer = map.route(self.options, vehicle).map_err(wrong)?;
        answer.route.check(vehicle).map_err(wrong)?;
        self.progress.stage("cutting cross-sections");
        let mut extraction = match &map.space {
            Some(space) => {
                let path = FreePath { points: &answer.route.path, is_drivable: false };
                self.extract_along(space, &[path], map.closed, digests)?
            }
            None => {
                let imported = network::road_along(&answer.route, &self.options.import).map_err(wrong)?;
                let imported =
                    crate::construction::Imported { geographic_origin_deg: map.geographic_origin_deg, ..imported };
                let streets = Some(streets_about(&map.network, &answer.route.path));
                Extraction { streets, ..self.extract_import(Ok(imported), digests)? }
            }
        };
        if let (Some(fastest), Some(paths)) = (&answer.fastest, answer.paths) {
            extraction.report.warnings.push(Warning::RouteCompared {
                paths,
                score_s: answer.route.score_s,
                time_s: answer.route.estimated_time_s,
                graph_score_s: fastest.score_s,
                graph_time_s: fastest.estimated_time_s,
                is_same: answer.is_same(),
            });
        }
        Ok(extraction)
    }
}
