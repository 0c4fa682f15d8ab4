//! Picture → free cells, for planning: no road is searched.

use image::{GrayImage, Luma};

use super::style::contrasting_histogram;
use super::{MapYaml, Picture, PictureError, PictureOptions, RoadStyle};

/// The cells of a picture that are free: 255, and 0 for obstacles.
///
/// In a ROS map these are the cells that its thresholds call free, as in
/// [`road_mask_of_map`](super::road_mask_of_map). In any other picture the light side of the
/// histogram's first threshold is free, or the dark side with `road = "dark"`; `threshold` replaces
/// the threshold.
///
/// # Errors
/// [`PictureError::Blank`] for a picture without contrast, unless a threshold or a map specifies
/// which cells are free.
pub fn free_cells(
    picture: &Picture,
    map: Option<&MapYaml>,
    options: &PictureOptions,
) -> Result<GrayImage, PictureError> {
    let by_map = map.filter(|_| matches!(options.road, RoadStyle::Auto | RoadStyle::Light));
    let level = match (options.threshold, by_map) {
        // An 8 bit grey level g is 257 g.
        (Some(level), _) => u16::from(level) * 257 + 128,
        (None, Some(map)) => map.free_level(),
        (None, None) => contrasting_histogram(picture)?.thresholds().first().copied().unwrap_or(u16::MAX / 2),
    };
    let dark_is_free = options.road == RoadStyle::Dark || by_map.is_some_and(|map| map.negate);
    let (width, height) = picture.grey.dimensions();
    Ok(GrayImage::from_fn(width, height, |column, row| {
        let is_light = picture.grey.get_pixel(column, row).0[0] > level;
        Luma([if is_light == dark_is_free { 0 } else { 255 }])
    }))
}
