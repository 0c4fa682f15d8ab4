//! The layout of the canvas: title at the top, map, legend beside or below it. The map stays inside
//! its rectangle, so text never overlaps the road.

use super::error::RenderError;
use super::markup::Pixel;

/// Smallest side of a picture, pixels: below it text is not legible.
pub(super) const MIN_SIDE_PX: u32 = 240;
/// Largest side of a picture, pixels: above it a raster picture would require gigabytes.
pub(super) const MAX_SIDE_PX: u32 = 16_384;

/// Width of the canvas for which the sizes below are specified; they scale with the canvas.
pub(super) const NOMINAL_WIDTH: f64 = 1600.0;
const MARGIN: f64 = 56.0;
const TITLE_HEIGHT: f64 = 128.0;
const SIDE_WIDTH: f64 = 440.0;
const GAP: f64 = 36.0;
/// Margin around the road inside the map, for line ends and the start arrow.
const MAP_PADDING: f64 = 58.0;
/// Height-to-width ratio of the road's extent above which the legend is beside the map.
const SIDE_ASPECT: f64 = 0.8;
/// Largest height-to-width ratio of the map.
const TALLEST_ASPECT: f64 = 1.7;

/// Height of one legend row.
pub(super) const ROW: f64 = 42.0;
/// Height of the speed scale with its numbers.
pub(super) const SPEED_HEIGHT: f64 = 150.0;
/// Height of the scale bar with its number.
pub(super) const SCALE_HEIGHT: f64 = 76.0;
/// Width of the speed scale when the legend is below the map.
const SPEED_WIDTH: f64 = 410.0;
/// Width reserved for the scale bar when the legend is below the map.
const SCALE_WIDTH: f64 = 230.0;

/// A rectangle on the canvas, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The transformation from world to canvas, and the rectangles of the parts.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Canvas, pixels.
    pub(super) width_px: u32,
    /// Canvas, pixels.
    pub(super) height_px: u32,
    /// One unit of the nominal sizes, pixels.
    pub(super) unit: f64,
    /// Pixels per metre.
    pub(super) pixels_per_metre: f64,
    /// The title.
    pub(super) title: Rectangle,
    /// The map.
    pub(super) map: Rectangle,
    /// The speed scale.
    pub(super) speed: Rectangle,
    /// The entries' columns from left to right, with `rows` entries each.
    pub(super) entries: Vec<Rectangle>,
    /// Entries per column.
    pub(super) rows: usize,
    /// The scale bar.
    pub(super) scale: Rectangle,
    /// Canvas position of the world's origin, which may be outside the canvas.
    origin: Pixel,
}

impl Layout {
    /// Computes the layout of a road with the extent `low` to `high`, metres, and `entry_count`
    /// legend entries.
    pub(super) fn new(
        width_px: u32,
        height_px: Option<u32>,
        (low, high): ([f64; 2], [f64; 2]),
        entry_count: usize,
    ) -> Result<Self, RenderError> {
        check_size(width_px, height_px.unwrap_or(width_px))?;
        let extent = [high[0] - low[0], high[1] - low[1]];
        let aspect = extent[1] / extent[0];
        let width = f64::from(width_px);
        let canvas_aspect = height_px.map(|height| f64::from(height) / width);
        let beside = canvas_aspect.map_or(aspect > SIDE_ASPECT, |canvas| aspect > canvas * 0.95);
        let rows = if beside { entry_count } else { 3.max(entry_count.div_ceil(2)) };
        let legend_height =
            if beside { SPEED_HEIGHT + ROW * rows as f64 + SCALE_HEIGHT } else { SPEED_HEIGHT.max(ROW * rows as f64) };
        let around = TITLE_HEIGHT + 2.0 * MARGIN;
        let legend_below = if beside { 0.0 } else { legend_height + GAP };
        let unit = height_px.map_or(1.0, |height| {
            // At least half of the height is for the map; the legend is fitted into the rest.
            let height = f64::from(height) * NOMINAL_WIDTH / width;
            let needed = around + if beside { legend_height } else { legend_below + height / 3.0 };
            (height / needed).min(1.0)
        }) * width
            / NOMINAL_WIDTH;
        let map_width = width - unit * (2.0 * MARGIN + if beside { SIDE_WIDTH + GAP } else { 0.0 });
        let map_height = match height_px {
            Some(height) => f64::from(height) - unit * (around + legend_below),
            None => {
                let padding = 2.0 * MAP_PADDING * unit;
                let wanted = ((map_width - padding) * aspect + padding).min(map_width * TALLEST_ASPECT);
                wanted.max(unit * if beside { legend_height } else { 0.0 })
            }
        };
        let height = map_height + unit * (around + legend_below);
        let height_px = height_px.unwrap_or(height.ceil() as u32);
        check_size(width_px, height_px)?;
        let map =
            Rectangle { x: unit * MARGIN, y: unit * (MARGIN + TITLE_HEIGHT), width: map_width, height: map_height };
        let inner = |side: f64| (side - 2.0 * MAP_PADDING * unit).max(1.0);
        let pixels_per_metre = (inner(map.width) / extent[0]).min(inner(map.height) / extent[1]);
        let middle = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
        let origin = [
            map.x + map.width / 2.0 - middle[0] * pixels_per_metre,
            map.y + map.height / 2.0 + middle[1] * pixels_per_metre,
        ];
        let title =
            Rectangle { x: map.x, y: unit * MARGIN, width: width - 2.0 * unit * MARGIN, height: unit * TITLE_HEIGHT };
        let (speed, entries, scale) =
            if beside { legend_beside(map, unit, rows) } else { legend_below_map(map, width, unit, rows) };
        Ok(Self { width_px, height_px, unit, pixels_per_metre, title, map, speed, entries, rows, scale, origin })
    }

    /// Canvas position of a world position.
    pub(super) fn pixel(&self, [x, y]: [f64; 2]) -> Pixel {
        [self.origin[0] + x * self.pixels_per_metre, self.origin[1] - y * self.pixels_per_metre]
    }
}

/// Speed scale, entries and scale bar under one another to the right of the map.
fn legend_beside(map: Rectangle, unit: f64, rows: usize) -> (Rectangle, Vec<Rectangle>, Rectangle) {
    let x = map.x + map.width + unit * GAP;
    let width = unit * SIDE_WIDTH;
    let entries_height = unit * ROW * rows as f64;
    let speed = Rectangle { x, y: map.y, width, height: unit * SPEED_HEIGHT };
    let entries = Rectangle { x, y: speed.y + speed.height, width, height: entries_height };
    let scale = Rectangle { x, y: entries.y + entries.height, width, height: unit * SCALE_HEIGHT };
    (speed, vec![entries], scale)
}

/// Speed scale, two columns of entries and scale bar beside one another under the map.
fn legend_below_map(map: Rectangle, width: f64, unit: f64, rows: usize) -> (Rectangle, Vec<Rectangle>, Rectangle) {
    let y = map.y + map.height + unit * GAP;
    let height = unit * ROW * rows as f64;
    let speed = Rectangle { x: map.x, y, width: unit * SPEED_WIDTH, height: unit * SPEED_HEIGHT };
    let first = speed.x + speed.width + unit * GAP;
    let scale_width = unit * SCALE_WIDTH;
    let scale_x = width - unit * MARGIN - scale_width;
    let column = (scale_x - first) / 2.0;
    let entries =
        (0..2).map(|index| Rectangle { x: first + column * f64::from(index), y, width: column, height }).collect();
    (speed, entries, Rectangle { x: scale_x, y, width: scale_width, height: unit * SCALE_HEIGHT })
}

fn check_size(width_px: u32, height_px: u32) -> Result<(), RenderError> {
    let allowed = MIN_SIDE_PX..=MAX_SIDE_PX;
    if allowed.contains(&width_px) && allowed.contains(&height_px) {
        Ok(())
    } else {
        Err(RenderError::Size { width_px, height_px, min: MIN_SIDE_PX, max: MAX_SIDE_PX })
    }
}
