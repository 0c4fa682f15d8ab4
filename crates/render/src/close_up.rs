//! Two overlaid lines at one position of the road, as SVG.

use std::fmt::Write;

use super::legend::round_length;
use super::markup::{Markup, Pixel, Short, fitted, path_data};
use super::palette::{Background, Theme};
use raceline::analysis::Lap;
use raceline::analysis::drift::{Drift, DriftStretch};
use raceline::file::RacingLine;
use raceline_road::geometry::{Point, SplineCurve};

/// Side of the square map, pixels.
const SIDE: f64 = 1200.0;
const MARGIN: f64 = 48.0;
const HEADER: f64 = 132.0;
const TITLE_SIZE: f64 = 34.0;
const TEXT_SIZE: f64 = 22.0;
/// Samples of a curve per step between points.
const SAMPLES_PER_STEP: usize = 8;
const KEPT: &str = "#0072b2";
const NOW: &str = "#d55e00";
/// Largest number of pictures per drift. They suffice for a line that moved everywhere.
pub const MOST_OF_DRIFT: usize = 8;
/// Largest width of a road that is shown whole, m: the distances of a line that is not sound may be any.
const MAX_ROAD_M: f64 = 1000.0;
/// Smallest side of the square that a picture of a drift shows, in vehicle widths.
const MIN_VEHICLE_WIDTHS: f64 = 8.0;

/// A view of both lines.
#[derive(Clone, Debug, PartialEq)]
pub struct CloseUp {
    /// Centre of the map, m.
    pub middle_m: [f64; 2],
    /// Side of the square that is shown, m.
    pub side_m: f64,
    /// The picture's title.
    pub title: String,
    /// The text below the title.
    pub caption: String,
}

impl CloseUp {
    /// The views that show `drift`, one for each stretch of the `kept` line, the largest
    /// differences first.
    #[must_use]
    pub fn of_drift(kept: &RacingLine, drift: &Drift) -> Vec<Self> {
        let lap = Lap::new(kept);
        let about = |stretch: &DriftStretch, difference: String| {
            let here = lap.at(stretch.worst_s_m);
            let road = here.left_m + here.right_m;
            let corner = stretch.corner.map_or(String::new(), |number| format!(", corner {number}"));
            let DriftStretch { from_s_m, to_s_m, worst_s_m, .. } = stretch;
            Self {
                middle_m: stretch.worst_position_m,
                side_m: (1.6 * road).max(MIN_VEHICLE_WIDTHS * kept.vehicle.width_m),
                title: format!("{} at s = {worst_s_m:.1} m{corner}", kept.name),
                caption: format!("{difference}; beyond the tolerance from {from_s_m:.1} to {to_s_m:.1} m"),
            }
        };
        let sides = largest_first(&drift.lateral_m).into_iter().map(|stretch| {
            let side = if stretch.difference > 0.0 { "left" } else { "right" };
            about(stretch, format!("the line lies {:.3} m farther to the {side}", stretch.difference.abs()))
        });
        let speeds = largest_first(&drift.speed_mps).into_iter().map(|stretch| {
            let change = if stretch.difference > 0.0 { "faster" } else { "slower" };
            about(stretch, format!("the line is {:.3} m/s {change}", stretch.difference.abs()))
        });
        sides.chain(speeds).take(MOST_OF_DRIFT).collect()
    }
}

impl CloseUp {
    /// The view of a point of `line`: the road about it, with the name of the line and a title.
    #[must_use]
    pub fn of_point(line: &RacingLine, index: usize, title: &str, caption: &str) -> Self {
        let Some(point) = line.points.get(index) else {
            return Self { middle_m: [0.0; 2], side_m: 1.0, title: title.to_owned(), caption: caption.to_owned() };
        };
        let road = (point.left_m + point.right_m).clamp(0.0, MAX_ROAD_M);
        Self {
            middle_m: [point.x_m, point.y_m],
            side_m: (1.6 * road).max(MIN_VEHICLE_WIDTHS * line.vehicle.width_m),
            title: format!("{} at s = {:.1} m: {title}", line.name, point.s_m),
            caption: caption.to_owned(),
        }
    }
}

fn largest_first(stretches: &[DriftStretch]) -> Vec<&DriftStretch> {
    let mut sorted: Vec<&DriftStretch> = stretches.iter().collect();
    sorted.sort_by(|a, b| b.difference.abs().total_cmp(&a.difference.abs()));
    sorted
}

/// The kept line and the new one, with the kept one's edges. The points of each are dots on its
/// curve.
#[must_use]
pub fn render(kept: &RacingLine, now: &RacingLine, view: &CloseUp) -> String {
    let drawn = |line, colour, dash, name| Drawn { line, colour, dash, name };
    draw(&[drawn(kept, KEPT, "", "kept"), drawn(now, NOW, r#" stroke-dasharray="12 7""#, "now")], view)
}

/// One line, with its edges and its points.
#[must_use]
pub fn render_one(line: &RacingLine, view: &CloseUp) -> String {
    draw(&[Drawn { line, colour: KEPT, dash: "", name: "line" }], view)
}

/// A line of a picture, with its name.
struct Drawn<'a> {
    line: &'a RacingLine,
    colour: &'static str,
    dash: &'static str,
    name: &'static str,
}

/// The lines, with the edges of the first.
fn draw(lines: &[Drawn], view: &CloseUp) -> String {
    let theme = Theme::of(Background::Light);
    let (width, height) = (SIDE + 2.0 * MARGIN, SIDE + 2.0 * MARGIN + HEADER);
    let scale = SIDE / view.side_m.max(1e-3);
    let middle = [MARGIN + SIDE / 2.0, MARGIN + HEADER + SIDE / 2.0];
    let pixel = |[x, y]: [f64; 2]| -> Pixel {
        [middle[0] + (x - view.middle_m[0]) * scale, middle[1] - (y - view.middle_m[1]) * scale]
    };
    let mut markup = Markup::new(width, height, theme.page);
    let (left, top) = (MARGIN, MARGIN + HEADER);
    markup.map_clip([left, top], SIDE, SIDE);
    markup.text([left, MARGIN + 30.0], TITLE_SIZE, "start", theme.ink, &fitted(&view.title, TITLE_SIZE, SIDE));
    markup.text([left, MARGIN + 66.0], TEXT_SIZE, "start", theme.faint_ink, &fitted(&view.caption, TEXT_SIZE, SIDE));
    for (number, Drawn { colour, dash, name, .. }) in lines.iter().enumerate() {
        let x = 170.0 * number as f64;
        let y = MARGIN + 100.0;
        markup.straight(
            [left + x, y],
            [left + x + 60.0, y],
            format_args!(r#"stroke="{colour}" stroke-width="4"{dash}"#),
        );
        markup.text([left + x + 72.0, y + 7.0], TEXT_SIZE, "start", theme.ink, name);
    }
    markup.group(format_args!(r##"clip-path="url(#map)" fill="none""##), |markup| {
        markup.line(format_args!(
            r##"<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="#ffffff" stroke="{}" stroke-width="2"/>"##,
            theme.edge
        ));
        for (edge, closed) in lines.iter().take(1).flat_map(|Drawn { line, .. }| {
            [(&line.edges.left, line.closed), (&line.edges.right, line.closed)]
        }) {
            let points: Vec<Pixel> = edge.iter().map(|&place| pixel(place)).collect();
            let data = path_data(&points, closed);
            markup.line(format_args!(r#"<path d="{data}" stroke="{}" stroke-width="5"/>"#, theme.edge));
        }
        for Drawn { line, colour, dash, .. } in lines {
            let points: Vec<Pixel> = curve(line).into_iter().map(pixel).collect();
            let data = path_data(&points, line.closed);
            markup.line(format_args!(r#"<path d="{data}" stroke="{colour}" stroke-width="4"{dash}/>"#));
            let inside = |[x, y]: &Pixel| (left..left + SIDE).contains(x) && (top..top + SIDE).contains(y);
            let dots = line.points.iter().map(|point| pixel([point.x_m, point.y_m])).filter(inside);
            let mut circles = String::new();
            for [x, y] in dots {
                // Writing to a String cannot fail.
                let _ = write!(circles, r#"<circle cx="{}" cy="{}" r="5"/>"#, Short(x), Short(y));
            }
            markup.line(format_args!(r#"<g fill="{colour}">{circles}</g>"#));
        }
        let [x, y] = middle;
        markup.line(format_args!(r#"<circle cx="{x}" cy="{y}" r="26" stroke="{}" stroke-width="2.5"/>"#, theme.ink));
    });
    scale_bar(&mut markup, &theme, scale, [left + 24.0, top + SIDE - 28.0]);
    markup.finish()
}

/// A bar of 1, 2 or 5 metres times a power of ten, about a fifth of the map.
fn scale_bar(markup: &mut Markup, theme: &Theme, scale: f64, [x, y]: Pixel) {
    let length = round_length(SIDE / 5.0 / scale);
    markup.straight([x, y], [x + length * scale, y], format_args!(r#"stroke="{}" stroke-width="6""#, theme.ink));
    markup.text([x, y - 14.0], TEXT_SIZE, "start", theme.ink, &format!("{length} m"));
}

/// The curve through a line's points, or the points where there is none.
fn curve(line: &RacingLine) -> Vec<[f64; 2]> {
    let points: Vec<Point> = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    match SplineCurve::through(&points, line.closed) {
        Some(curve) => {
            let samples = curve.evenly(SAMPLES_PER_STEP * points.len());
            samples.into_iter().map(|sample| [sample.position.x, sample.position.y]).collect()
        }
        None => points.into_iter().map(|point| [point.x, point.y]).collect(),
    }
}
