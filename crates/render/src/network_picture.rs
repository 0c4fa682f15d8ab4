//! Streets and routes through them: one panel per route.

use super::markup::{Markup, Pixel, path_data};
use raceline_numerics::math;
use raceline_plan::network::{Directions, Network, Route};
use raceline_road::geometry::Point;

/// Longest side of a panel, pixels.
const PANEL_PX: f64 = 520.0;
/// Space for the title of a panel and between panels, pixels.
const TITLE_PX: f64 = 44.0;
const GAP_PX: f64 = 16.0;
/// Panels beside one another.
const COLUMNS: usize = 3;

const STREET: &str = "#d3d7dd";
const MIDDLE: &str = "#9aa1ab";
const ONE_WAY: &str = "#3d6fb4";
/// Length of the arrow on a one-way street, pixels.
const ARROW_PX: f64 = 11.0;
const INK: &str = "#22262e";
const PATH: &str = "#c8102e";
const STOP: &str = "#0b6e4f";

/// An SVG with a panel for each route: streets in their width, arrows on one-way streets, the
/// route in red, numbered stops.
#[must_use]
pub fn svg(network: &Network, stops: &[Point], routes: &[Route]) -> String {
    let points = || network.pieces.iter().flat_map(|piece| &piece.line);
    let half = network.pieces.iter().map(|piece| piece.half_width_m).fold(0.0, f64::max);
    let low = points().fold(Point::new(f64::INFINITY, f64::INFINITY), |low, p| low.inf(p));
    let high = points().fold(Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY), |high, p| high.sup(p));
    let size = (high - low).map(|side| side + 4.0 * half);
    let scale = PANEL_PX / size.x.max(size.y).max(1e-9);
    let (panel_width, panel_height) = ((size.x * scale).max(280.0), size.y * scale);
    let columns = routes.len().clamp(1, COLUMNS);
    let rows = routes.len().div_ceil(columns).max(1);
    let width = GAP_PX + columns as f64 * (panel_width + GAP_PX);
    let height = GAP_PX + rows as f64 * (panel_height + TITLE_PX + GAP_PX);
    let mut markup = Markup::new(width.ceil(), height.ceil(), Some("#ffffff"));
    for (number, route) in routes.iter().enumerate() {
        let left = GAP_PX + (number % columns) as f64 * (panel_width + GAP_PX);
        let top = GAP_PX + (number / columns) as f64 * (panel_height + TITLE_PX + GAP_PX);
        let place = |point: Point| -> Pixel {
            [left + (point.x - low.x + 2.0 * half) * scale, top + TITLE_PX + (high.y + 2.0 * half - point.y) * scale]
        };
        let figures = format!(
            "{:.1} m, {:.2} s, {} turns, {} pieces",
            route.length_m,
            route.estimated_time_s,
            route.turns,
            route.pieces.len()
        );
        markup.text([left, top + 16.0], 15.0, "start", INK, route.kind.name());
        markup.text([left, top + 35.0], 12.0, "start", INK, &figures);
        streets(&mut markup, network, scale, &place);
        let path: Vec<Pixel> = route.path.iter().map(|&point| place(point)).collect();
        markup.line(format_args!(
            r#"<path d="{}" fill="none" stroke="{PATH}" stroke-width="3" stroke-linejoin="round"/>"#,
            path_data(&path, route.closed)
        ));
        for (stop, &point) in stops.iter().enumerate() {
            let [x, y] = place(point);
            markup.line(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="7" fill="{STOP}"/>"#));
            markup.text([x, y + 3.5], 10.0, "middle", "#ffffff", &stop.to_string());
        }
    }
    markup.finish()
}

fn streets(markup: &mut Markup, network: &Network, scale: f64, place: &dyn Fn(Point) -> Pixel) {
    for piece in &network.pieces {
        let line: Vec<Pixel> = piece.line.iter().map(|&point| place(point)).collect();
        markup.line(format_args!(
            r#"<path d="{}" fill="none" stroke="{STREET}" stroke-width="{:.2}" stroke-linecap="round" stroke-linejoin="round"/>"#,
            path_data(&line, false),
            2.0 * piece.half_width_m * scale
        ));
    }
    for piece in &network.pieces {
        let line: Vec<Pixel> = piece.line.iter().map(|&point| place(point)).collect();
        let colour = if piece.directions == Directions::Both { MIDDLE } else { ONE_WAY };
        let data = path_data(&line, false);
        markup.line(format_args!(r#"<path d="{data}" fill="none" stroke="{colour}" stroke-width="1"/>"#));
        if piece.directions != Directions::Both {
            arrow(markup, piece.directions == Directions::Forward, &line);
        }
    }
}

/// An arrow in the middle of a one-way street, unless the street is drawn shorter than the arrow.
fn arrow(markup: &mut Markup, is_forward: bool, line: &[Pixel]) {
    let length = |pair: &[Pixel]| math::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
    let longest = line.windows(2).max_by(|a, b| length(a).total_cmp(&length(b)));
    let Some(&[from, to]) = longest else { return };
    let drawn: f64 = line.windows(2).map(length).sum();
    if drawn < ARROW_PX {
        return;
    }
    let (x, y) = (f64::midpoint(from[0], to[0]), f64::midpoint(from[1], to[1]));
    let turned = if is_forward { 0.0 } else { 180.0 };
    let angle = math::atan2(to[1] - from[1], to[0] - from[0]).to_degrees() + turned;
    markup.line(format_args!(
        r#"<path d="M-5 -4.5L6 0L-5 4.5Z" fill="{ONE_WAY}" transform="translate({x:.1} {y:.1}) rotate({angle:.1})"/>"#
    ));
}
