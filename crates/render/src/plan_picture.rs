//! Paths through free space: one panel per planner, with the map and what the search expanded.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::imageops::FilterType;
use image::{ImageFormat, Rgb, RgbImage, imageops};

use super::error::RenderError;
use super::markup::{Markup, Pixel, path_data};
use raceline_plan::{Discovery, FreeSpace, Plan, TileRace, TilesDriven};
use raceline_road::geometry::Point;

/// Longest side of a panel, pixels.
const PANEL_PX: f64 = 420.0;
/// Panels beside one another.
const COLUMNS: usize = 4;
/// Space for the title of a panel and between panels, pixels.
const TITLE_PX: f64 = 44.0;
const GAP_PX: f64 = 14.0;

const OBSTACLE: Rgb<u8> = Rgb([70, 74, 82]);
const NARROW: Rgb<u8> = Rgb([214, 217, 222]);
const FREE: Rgb<u8> = Rgb([255, 255, 255]);
const EXPANDED: Rgb<u8> = Rgb([166, 206, 240]);
const INK: &str = "#22262e";
const PATH: &str = "#c8102e";
const STOP: &str = "#0b6e4f";

/// What a panel shows.
struct Panel<'a> {
    title: &'a str,
    figures: String,
    path: &'a [Point],
    closed: bool,
    /// Places of the blue cells, metres.
    blue: &'a [Point],
    minima: &'a [Point],
}

/// An SVG with a panel for each plan. Cells are white where the vehicle's centre may be, grey where
/// it has no room, dark in obstacles, blue where the search expanded a node.
///
/// # Errors
/// [`RenderError::Backdrop`] if the map cannot be encoded.
pub fn svg(space: &FreeSpace, stops: &[Point], plans: &[Plan]) -> Result<String, RenderError> {
    let panels: Vec<Panel> = plans
        .iter()
        .map(|plan| Panel {
            title: plan.planner.name(),
            figures: format!(
                "{:.2} m, {:.2} s, {} expanded",
                plan.length_m, plan.estimated_time_s, plan.nodes_expanded
            ),
            path: &plan.path,
            closed: plan.closed,
            blue: &plan.expanded,
            minima: &plan.minima,
        })
        .collect();
    drawn(space, stops, &panels)
}

/// An SVG of a drive that discovered its map: blue are the cells that were seen.
///
/// # Errors
/// [`RenderError::Backdrop`] if the map cannot be encoded.
pub fn discovery_svg(space: &FreeSpace, stops: &[Point], found: &Discovery) -> Result<String, RenderError> {
    let figures = format!("{:.2} m, {} replans, {} expanded", found.length_m, found.replans, found.nodes_expanded);
    let panel =
        Panel { title: Discovery::PLANNER, figures, path: &found.path, closed: false, blue: &found.seen, minima: &[] };
    drawn(space, stops, &[panel])
}

/// An SVG of a race over the tiles of a map: blue are the tiles that were seen.
///
/// # Errors
/// [`RenderError::Backdrop`] if the map cannot be encoded.
pub fn tile_race_svg(space: &FreeSpace, stops: &[Point], found: &TileRace) -> Result<String, RenderError> {
    let TilesDriven { tiles, turns, nodes_expanded } = found.driven;
    let figures = format!("{tiles} tiles, {turns} turns, {nodes_expanded} expanded");
    let panel =
        Panel { title: TileRace::PLANNER, figures, path: &found.path, closed: false, blue: &found.seen, minima: &[] };
    drawn(space, stops, &[panel])
}

fn drawn(space: &FreeSpace, stops: &[Point], panels: &[Panel]) -> Result<String, RenderError> {
    let (width_px, height_px) = (f64::from(space.frame.width_px), f64::from(space.frame.height_px));
    let scale = PANEL_PX / width_px.max(height_px);
    let (panel_width, panel_height) = ((width_px * scale).max(200.0), height_px * scale);
    let columns = panels.len().clamp(1, COLUMNS);
    let rows = panels.len().div_ceil(columns);
    let width = GAP_PX + columns as f64 * (panel_width + GAP_PX);
    let height = GAP_PX + rows as f64 * (panel_height + TITLE_PX + GAP_PX);
    let mut markup = Markup::new(width.ceil(), height.ceil(), Some("#ffffff"));
    for (number, panel) in panels.iter().enumerate() {
        let left = GAP_PX + (number % columns) as f64 * (panel_width + GAP_PX);
        let top = GAP_PX + (number / columns) as f64 * (panel_height + TITLE_PX + GAP_PX);
        let place = |point: Point| -> Pixel {
            let (column, row) = space.frame.to_pixel(point);
            [left + column * scale, top + TITLE_PX + row * scale]
        };
        markup.text([left, top + 16.0], 15.0, "start", INK, panel.title);
        markup.text([left, top + 35.0], 12.0, "start", INK, &panel.figures);
        let map = map_png(space, panel.blue, scale)?;
        markup.line(format_args!(
            r#"<image x="{left}" y="{}" width="{}" height="{}" href="data:image/png;base64,{}"/>"#,
            top + TITLE_PX,
            width_px * scale,
            height_px * scale,
            STANDARD.encode(map)
        ));
        let path: Vec<Pixel> = panel.path.iter().map(|&point| place(point)).collect();
        markup.line(format_args!(
            r#"<path d="{}" fill="none" stroke="{PATH}" stroke-width="2.2" stroke-linejoin="round"/>"#,
            path_data(&path, panel.closed)
        ));
        for &minimum in panel.minima {
            let [x, y] = place(minimum);
            markup.line(format_args!(
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="none" stroke="#e08a00" stroke-width="2"/>"##
            ));
        }
        for &stop in stops {
            let [x, y] = place(stop);
            markup.line(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4.5" fill="{STOP}"/>"#));
        }
    }
    Ok(markup.finish())
}

/// The map with its blue cells, scaled to the panel if that is smaller.
fn map_png(space: &FreeSpace, blue: &[Point], scale: f64) -> Result<Vec<u8>, RenderError> {
    let (width, height) = (space.frame.width_px, space.frame.height_px);
    let mut cells = RgbImage::from_fn(width, height, |column, row| {
        let cell = row * width + column;
        match space.clearance_m(cell) {
            clearance if clearance >= space.needed_m => FREE,
            clearance if clearance > 0.0 => NARROW,
            _ => OBSTACLE,
        }
    });
    // A node of a sparse search is a few pixels large.
    let radius = if blue.len() > 8000 { 0 } else { (1.2 / scale).ceil() as i64 };
    for &point in blue {
        let (column, row) = space.frame.to_pixel(point);
        for (dx, dy) in (-radius..=radius).flat_map(|dx| (-radius..=radius).map(move |dy| (dx, dy))) {
            let at = (u32::try_from(column as i64 + dx), u32::try_from(row as i64 + dy));
            if let (Ok(x), Ok(y)) = at
                && x < width
                && y < height
            {
                cells.put_pixel(x, y, EXPANDED);
            }
        }
    }
    let size = |side: u32| ((f64::from(side) * scale) as u32).max(1);
    if scale < 1.0 {
        cells = imageops::resize(&cells, size(width), size(height), FilterType::Triangle);
    }
    let mut bytes = Cursor::new(Vec::new());
    cells.write_to(&mut bytes, ImageFormat::Png).map_err(|error| RenderError::Backdrop(error.to_string()))?;
    Ok(bytes.into_inner())
}
