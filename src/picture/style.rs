//! Picture → road mask: tries thresholds until one shows one road.

use super::regions::Regions;
use super::rings::{self, Obstacle};
use super::threshold::Histogram;
use super::{MapYaml, Picture, PictureError, PictureOptions, RoadMask, RoadStyle, outline, solid};

/// A picture is blank when its grey values span less than this, of 65535; about four 8 bit levels.
const LEAST_CONTRAST: u32 = 1024;

/// Finds the road in `picture`. Linear in its pixels.
///
/// # Errors
/// [`PictureError::Blank`], [`PictureError::NoRing`], [`PictureError::SeveralRings`], [`PictureError::Forked`],
/// [`PictureError::TouchesBorder`] and [`PictureError::TooThin`].
pub fn road_mask(picture: &Picture, options: &PictureOptions) -> Result<RoadMask, PictureError> {
    let histogram = contrasting_histogram(picture)?;
    search(picture, &histogram, &histogram.thresholds(), options.road)
}

/// Finds the road in the picture of a ROS map: the ring of cells that the map's own thresholds call free. With
/// `options.road` set to anything but `auto` or `light` the map's thresholds are ignored. Errors as [`road_mask`].
pub fn road_mask_of_map(picture: &Picture, map: &MapYaml, options: &PictureOptions) -> Result<RoadMask, PictureError> {
    if !matches!(options.road, RoadStyle::Auto | RoadStyle::Light) {
        return road_mask(picture, options);
    }
    let histogram = contrasting_histogram(picture)?;
    // Free space is the light side of the threshold, the dark one when the map is negated.
    let wanted = if map.negate { RoadStyle::Dark } else { RoadStyle::Light };
    search(picture, &histogram, &[map.free_level()], wanted)
}

fn contrasting_histogram(picture: &Picture) -> Result<Histogram, PictureError> {
    let histogram = Histogram::of(&picture.grey);
    if histogram.range() < LEAST_CONTRAST {
        let (width, height) = picture.grey.dimensions();
        return Err(PictureError::Blank { name: picture.name.clone(), width, height });
    }
    Ok(histogram)
}

/// The mask at the first of `thresholds` that shows exactly one road; else the most telling obstacle.
fn search(
    picture: &Picture,
    histogram: &Histogram,
    thresholds: &[u16],
    wanted: RoadStyle,
) -> Result<RoadMask, PictureError> {
    let mut worst = Obstacle::Nothing;
    for &threshold in thresholds {
        let Some(regions) = Regions::new(&picture.grey, threshold) else { continue };
        match rings::find(&picture.grey, histogram, &regions, wanted) {
            Ok(ring) => {
                let (coverage, anti_aliased) = match ring.style {
                    RoadStyle::Outline => outline::coverage(&picture.grey, histogram, &regions, ring),
                    _ => solid::coverage(&picture.grey, histogram, &regions, ring, threshold),
                };
                let dropped_shapes = rings::others(&regions, ring);
                return Ok(RoadMask { coverage, style: ring.style, anti_aliased, dropped_shapes });
            }
            Err(obstacle) => worst = worst.or(obstacle),
        }
    }
    Err(worst.into_error(&picture.name, wanted))
}
