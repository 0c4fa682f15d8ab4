//! Picture → road mask: tries thresholds until one of them shows exactly one road.

use serde::Serialize;

use super::obstacle::Obstacle;
use super::regions::Regions;
use super::rings::{self, Road, Wanted};
use super::threshold::Histogram;
use super::{
    Grey, MapYaml, Picture, PictureError, PictureOptions, Pixel, RoadMask, RoadStyle, bridges, gaps, outline,
    photograph, solid, sub_pixels,
};
use raceline_numerics::math;
use raceline_road::frame::Spot;

/// A picture is blank when its grey values span less than this, of 65535; about four 8 bit levels.
const MIN_CONTRAST: u32 = 1024;

/// A ring of at most this width may be one line of an outline whose other line has a gap, pixels.
const DOUBTFUL_WIDTH_PX: f64 = 6.0;

/// A road whose extent is this fraction of the picture's diagonal gets the full score for its
/// extent.
const SURE_EXTENT: f64 = 0.5;

/// A road that is this many times as long as it is wide gets the full score for its slenderness.
const SURE_SLENDERNESS: f64 = 8.0;

/// Finds the road in `picture`. Linear in its pixels. `closed` specifies whether the road is a
/// circuit, if that is known.
///
/// # Errors
/// [`PictureError::Blank`], [`PictureError::NoRing`], [`PictureError::SeveralRings`],
/// [`PictureError::TouchesBorder`], [`PictureError::TooThin`], [`PictureError::NoBand`],
/// [`PictureError::NotThere`] and [`PictureError::OutsidePicture`].
pub fn road_mask(picture: &Picture, options: &PictureOptions, closed: Option<bool>) -> Result<RoadMask, PictureError> {
    drawn_road_mask(picture, options, closed).or_else(|error| match error {
        PictureError::Blank { .. } | PictureError::OutsidePicture { .. } => Err(error),
        error => photographed_road_mask(picture, options).ok_or(error),
    })
}

/// [`road_mask`] without its last resort, in which a drawing is treated as a photograph.
pub(super) fn drawn_road_mask(
    picture: &Picture,
    options: &PictureOptions,
    closed: Option<bool>,
) -> Result<RoadMask, PictureError> {
    let histogram = contrasting_histogram(picture)?;
    let wanted =
        Wanted { style: options.road, closed, at: spot(picture, options)?, may_have_bridges: true, is_sure: true };
    let photographed = || photograph::road_mask(picture, options);
    if options.road == RoadStyle::Aerial {
        return photographed().ok_or_else(|| PictureError::NoBand { name: picture.name.clone() });
    }
    // Only the road of a photograph is found by its colour.
    if is_auto(options)
        && (options.road_colour.is_some() || picture.colours.is_some() && photograph::is_photographic(&picture.grey))
        && let Some(mask) = photographed()
    {
        return Ok(mask);
    }
    let thresholds = match options.threshold {
        // An 8 bit grey level g is 257 g.
        Some(level) => vec![u16::from(level) * 257 + 128],
        None => histogram.thresholds(),
    };
    search(picture, &histogram, &thresholds, wanted)
}

/// The road of a drawing in which none was found, as if it were a photograph.
pub(super) fn photographed_road_mask(picture: &Picture, options: &PictureOptions) -> Option<RoadMask> {
    let may_be = is_auto(options) && picture.colours.is_some();
    may_be.then(|| photograph::road_mask(picture, options)).flatten()
}

fn is_auto(options: &PictureOptions) -> bool {
    options.road == RoadStyle::Auto && options.threshold.is_none()
}

/// The road in another picture of the same place, `grey`, in one style.
pub(super) fn road_mask_in(
    picture: &Picture,
    grey: Grey,
    style: RoadStyle,
    first_threshold: Option<u16>,
    options: &PictureOptions,
    closed: Option<bool>,
) -> Result<RoadMask, PictureError> {
    let at = spot(picture, options)?;
    let picture = Picture { name: picture.name.clone(), grey, colours: None };
    let histogram = contrasting_histogram(&picture)?;
    let wanted = Wanted { style, closed, at, may_have_bridges: true, is_sure: options.road != RoadStyle::Auto };
    let thresholds: Vec<u16> = first_threshold.into_iter().chain(histogram.thresholds()).collect();
    search(&picture, &histogram, &thresholds, wanted)
}

/// Finds the road in the picture of a ROS map: the ring of cells that are free by the map's own
/// thresholds. If `options.road` is neither `auto` nor `light`, the map's thresholds are ignored.
/// Errors as [`road_mask`].
pub fn road_mask_of_map(
    picture: &Picture,
    map: &MapYaml,
    options: &PictureOptions,
    closed: Option<bool>,
) -> Result<RoadMask, PictureError> {
    if !matches!(options.road, RoadStyle::Auto | RoadStyle::Light) || options.threshold.is_some() {
        return road_mask(picture, options, closed);
    }
    // Free space is the light side of the threshold, the dark one when the map is negated.
    let style = if map.negate { RoadStyle::Dark } else { RoadStyle::Light };
    // Dead ends that face each other across a corridor are no bridge.
    let wanted = Wanted { style, closed, at: spot(picture, options)?, may_have_bridges: false, is_sure: true };
    // A cell either is free or is not: intermediate levels are probabilities, not coverage.
    let level = map.free_level();
    let mut cells = picture.clone();
    cells.grey.iter_mut().for_each(|value| *value = if *value > level { u16::MAX } else { 0 });
    let histogram = contrasting_histogram(&cells)?;
    search(&cells, &histogram, &histogram.thresholds(), wanted)
}

/// The result of one style.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StyleTrial {
    /// The style.
    pub style: RoadStyle,
    /// [`RoadMask::score`] of the road found in this style.
    pub score: Option<f64>,
    /// The error if no road was found.
    pub refusal: Option<String>,
}

/// Tries every style separately, for comparison. The time is the sum of the times of all styles.
#[must_use]
pub fn try_styles(picture: &Picture, options: &PictureOptions, closed: Option<bool>) -> Vec<StyleTrial> {
    let trial = |style: RoadStyle| {
        let found = road_mask(picture, &PictureOptions { road: style, ..options.clone() }, closed);
        let score = found.as_ref().ok().map(|mask| (mask.score * 1e3).round() / 1e3);
        StyleTrial { style, score, refusal: found.err().map(|error| error.to_string()) }
    };
    [RoadStyle::Light, RoadStyle::Dark, RoadStyle::Outline, RoadStyle::Aerial].map(trial).into()
}

/// The specified pixel of the road.
fn spot(picture: &Picture, options: &PictureOptions) -> Result<Option<Pixel>, PictureError> {
    let (width, height) = picture.grey.dimensions();
    let Some(spot) = options.road_at else { return Ok(None) };
    let inside = |value: f64, size: u32| (value >= 0.0 && value < f64::from(size)).then_some(value as u32);
    match spot {
        Spot::Pixels([column, row]) => inside(column, width).zip(inside(row, height)),
        Spot::Metres(_) | Spot::Degrees(_) => None,
    }
    .map(|(column, row)| Some(Pixel { column, row }))
    .ok_or_else(|| PictureError::OutsidePicture {
        name: picture.name.clone(),
        place: spot.to_string(),
        width,
        height,
    })
}

pub(super) fn contrasting_histogram(picture: &Picture) -> Result<Histogram, PictureError> {
    let histogram = Histogram::of(&picture.grey);
    if histogram.range() < MIN_CONTRAST {
        let (width, height) = picture.grey.dimensions();
        return Err(PictureError::Blank { name: picture.name.clone(), width, height });
    }
    Ok(histogram)
}

/// The mask at the first of `thresholds` that shows exactly one road: a ring, else a ring after
/// gaps in lines are closed, else an open road. If there is none, the most informative obstacle is
/// returned.
fn search(
    picture: &Picture,
    histogram: &Histogram,
    thresholds: &[u16],
    wanted: Wanted,
) -> Result<RoadMask, PictureError> {
    let mut worst = Obstacle::Nothing;
    // Of all thresholds together.
    let mut looks = gaps::MAX_LOOKS;
    if wanted.closed != Some(false) {
        for &threshold in thresholds {
            let Some(regions) = Regions::new(&picture.grey, threshold) else { continue };
            if let Some(mask) = across_bridges(picture, histogram, threshold, &regions, wanted) {
                return Ok(mask);
            }
            match rings::find(&picture.grey, histogram, &regions, wanted) {
                Ok(road) => {
                    let doubtful = regions.list[road.region as usize].mean_width() <= DOUBTFUL_WIDTH_PX;
                    let outline = (doubtful && wanted.style == RoadStyle::Auto)
                        .then(|| with_closed_gaps(picture, histogram, threshold, &regions, wanted, &mut looks))
                        .flatten();
                    if let Some(outline) = outline {
                        return Ok(outline);
                    }
                    let specified = wanted.style != RoadStyle::Auto || wanted.at.is_some();
                    if doubtful && !specified && rings::has_broken_twin(&regions, &road) {
                        let region = &regions.list[road.region as usize];
                        worst = worst.or(Obstacle::Thin(region.middle(), region.mean_width()));
                        continue;
                    }
                    return Ok(mask(&picture.grey, histogram, &regions, &road, threshold));
                }
                Err(obstacle) => worst = worst.or(obstacle),
            }
        }
        for &threshold in thresholds {
            let Some(regions) = Regions::new(&picture.grey, threshold) else { continue };
            if let Some(mask) = with_closed_gaps(picture, histogram, threshold, &regions, wanted, &mut looks) {
                return Ok(mask);
            }
        }
    }
    // Several rings, or one line of an outline, are not an open road.
    let may_be_open = matches!(worst, Obstacle::Nothing | Obstacle::Border(_) | Obstacle::NotThere(_));
    if wanted.closed != Some(true) && may_be_open {
        for &threshold in thresholds {
            let Some(regions) = Regions::new(&picture.grey, threshold) else { continue };
            // Otherwise bridges were looked for together with rings.
            let bridged = (wanted.closed == Some(false))
                .then(|| across_bridges(picture, histogram, threshold, &regions, wanted))
                .flatten();
            if let Some(mask) = bridged {
                return Ok(mask);
            }
            match rings::find_open(&regions, wanted) {
                Ok(road) => return Ok(mask(&picture.grey, histogram, &regions, &road, threshold)),
                Err(obstacle) => worst = worst.or(obstacle),
            }
        }
    }
    Err(worst.into_error(&picture.name, wanted.style))
}

/// The mask of a road that crosses itself by bridges, whose lower legs are interrupted, with these
/// drawn through. `None` without bridges, and if drawing them through doesn't give one road.
fn across_bridges(
    picture: &Picture,
    histogram: &Histogram,
    threshold: u16,
    regions: &Regions,
    wanted: Wanted,
) -> Option<RoadMask> {
    let grey = wanted.may_have_bridges.then(|| bridges::joined(&picture.grey, threshold, regions))??;
    let regions = Regions::new(&grey, threshold)?;
    let ring = || rings::find(&grey, histogram, &regions, wanted);
    let open = || rings::find_open(&regions, wanted);
    let road = match wanted.closed {
        Some(true) => ring(),
        Some(false) => open(),
        None => ring().or_else(|_| open()),
    };
    Some(mask(&grey, histogram, &regions, &road.ok()?, threshold))
}

/// The mask of the outline that is found after gaps in thin lines are closed.
fn with_closed_gaps(
    picture: &Picture,
    histogram: &Histogram,
    threshold: u16,
    regions: &Regions,
    wanted: Wanted,
    looks: &mut u64,
) -> Option<RoadMask> {
    let grey = gaps::closed(&picture.grey, threshold, regions, looks)?;
    let regions = Regions::new(&grey, threshold)?;
    let road = rings::find(&grey, histogram, &regions, wanted).ok()?;
    (road.style == RoadStyle::Outline).then(|| mask(&grey, histogram, &regions, &road, threshold))
}

fn mask(grey: &Grey, histogram: &Histogram, regions: &Regions, road: &Road, threshold: u16) -> RoadMask {
    let (coverage, anti_aliased, contrast) = match road.style {
        RoadStyle::Outline => outline::coverage(grey, histogram, regions, road),
        _ => solid::coverage(grey, histogram, regions, road, threshold),
    };
    let (width, height) = grey.dimensions();
    let region = &regions.list[road.region as usize];
    let extent = region.diagonal() / math::hypot(f64::from(width), f64::from(height));
    let score = (extent / SURE_EXTENT).min(1.0)
        * (region.slenderness() / SURE_SLENDERNESS).min(1.0)
        * (contrast / f64::from(histogram.range().max(1))).min(1.0);
    let dropped_shapes = rings::others(regions, road);
    let drawn_filled = anti_aliased && road.style != RoadStyle::Outline;
    let swelling_px = if drawn_filled { sub_pixels::swelling_px(&coverage) } else { 0.0 };
    let rest_px = if road.style == RoadStyle::Outline { 0.0 } else { rings::rest_px(regions, road) };
    RoadMask { coverage, style: road.style, anti_aliased, swelling_px, dropped_shapes, rest_px, score }
}
