//! Picture → road mask: tries thresholds until one shows one road.

use image::RgbImage;

use super::aerial::{self, AerialHints};
use super::regions::Regions;
use super::rings::{self, Obstacle};
use super::threshold::Histogram;
use super::{Grey, MapYaml, Picture, PictureError, PictureOptions, PictureSpot, RoadMask, RoadStyle, outline, solid};

/// A picture is blank when its grey values span less than this, of 65535; about four 8 bit levels.
const LEAST_CONTRAST: u32 = 1024;

/// A place is flat when nine pixels so far apart span no more than this, of 65535: about six 8 bit levels. Far enough apart that
/// JPEG, which irons out noise within its blocks of eight, leaves the texture.
const FLAT_SPACING: usize = 4;
const FLAT_RANGE: u16 = 1600;

/// Share of flat pixels below which a picture is a photograph.
const FLAT_SHARE: f64 = 0.4;

/// Every so many rows and columns flatness is looked at.
const FLATNESS_STRIDE: usize = 3;

/// Finds the road in `picture`. Linear in its pixels.
///
/// # Errors
/// [`PictureError::Blank`], [`PictureError::NoRing`], [`PictureError::SeveralRings`], [`PictureError::Forked`],
/// [`PictureError::TouchesBorder`] and [`PictureError::TooThin`].
pub fn road_mask(picture: &Picture, options: &PictureOptions) -> Result<RoadMask, PictureError> {
    let histogram = contrasting_histogram(picture)?;
    if options.road == RoadStyle::Aerial {
        return photographed(picture, options).ok_or_else(|| PictureError::NoBand { name: picture.name.clone() });
    }
    let drawn = || search(picture, &histogram, &histogram.thresholds(), options.road);
    if options.road != RoadStyle::Auto || picture.colours.is_none() {
        return drawn();
    }
    if is_photographic(&picture.grey) {
        return photographed(picture, options).map_or_else(drawn, Ok);
    }
    drawn().or_else(|error| photographed(picture, options).ok_or(error))
}

/// Whether few places look like their neighbourhood. A drawing is mostly flat, even after JPEG; a photograph has texture all over.
fn is_photographic(grey: &Grey) -> bool {
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    let (mut flat, mut total) = (0_usize, 0_usize);
    for row in (FLAT_SPACING..height.saturating_sub(FLAT_SPACING)).step_by(FLATNESS_STRIDE) {
        for column in (FLAT_SPACING..width.saturating_sub(FLAT_SPACING)).step_by(FLATNESS_STRIDE) {
            let (mut low, mut high) = (u16::MAX, 0);
            for row in (row - FLAT_SPACING..=row + FLAT_SPACING).step_by(FLAT_SPACING) {
                for column in (column - FLAT_SPACING..=column + FLAT_SPACING).step_by(FLAT_SPACING) {
                    let value = grey.as_raw()[row * width + column];
                    (low, high) = (low.min(value), high.max(value));
                }
            }
            flat += usize::from(high - low <= FLAT_RANGE);
            total += 1;
        }
    }
    total > 0 && (flat as f64) < FLAT_SHARE * total as f64
}

/// The road in a picture taken as a photograph.
fn photographed(picture: &Picture, options: &PictureOptions) -> Option<RoadMask> {
    let hints = AerialHints {
        colour: options.road_colour,
        tolerance: options.tolerance,
        road_at: match options.road_at {
            Some(PictureSpot::Pixels(place)) => Some(place),
            _ => None,
        },
    };
    let road = match &picture.colours {
        Some(colours) => aerial::find(colours, &hints),
        None => {
            let grey = RgbImage::from_fn(picture.grey.width(), picture.grey.height(), |column, row| {
                image::Rgb([(picture.grey.get_pixel(column, row).0[0] / 257) as u8; 3])
            });
            aerial::find(&grey, &hints)
        }
    }?;
    Some(RoadMask {
        coverage: road.coverage,
        style: RoadStyle::Aerial,
        anti_aliased: true,
        dropped_shapes: road.dropped_shapes,
    })
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
