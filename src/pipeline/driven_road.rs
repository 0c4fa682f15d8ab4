//! The road that the laps of a log used, as a track.

use raceline_laps::DrivenRoad;

use super::{Error, Extraction, Progress, extract_centre_line};
use crate::edges::RoadShape;
use crate::frame::Spot;
use crate::options::Options;

/// The options of a run on the road of driven laps: closed, from the start line of the laps on unless `options` name
/// another one, and without the scales, which the road has already.
#[must_use]
pub fn options_of_driven_road(road: &DrivenRoad, options: &Options) -> Options {
    let mut options = options.clone();
    // The middle of the road on the start line; that of the gate may lie beside a narrow road.
    options.track.start = options.track.start.or(road.points.first().copied().map(Spot::Metres));
    options.route.shape = RoadShape::Closed;
    options.scale.metres_per_pixel = None;
    options.scale.track_length_m = None;
    options.scale.track_width_m = None;
    options
}

/// Like [`extract_centre_line`], for the road of driven laps. `options` are those of [`options_of_driven_road`], `name`
/// is the track's name, and `geographic_origin_deg` has the longitude and latitude of the origin of the log's frame,
/// degrees, if they are known.
///
/// # Errors
/// Those of [`extract_centre_line`].
pub fn extract_driven_road(
    name: &str,
    road: &DrivenRoad,
    geographic_origin_deg: Option<[f64; 2]>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Extraction, Error> {
    let mut extraction = extract_centre_line(name, &road.points, &road.widths_m, options, progress)?;
    extraction.source.geographic_origin_deg = geographic_origin_deg;
    Ok(extraction)
}
