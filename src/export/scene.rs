//! The map: road, cross-sections, lines, start line and direction.

use super::layout::Layout;
use super::markup::{Markup, Pixel, Short, path_data};
use super::palette::{PlainStyle, SPEED_LEVELS, Theme};
use crate::RacingLine;
use crate::geometry::{Point, Polyline, left_of};
use crate::racing_line::EdgeCoordinates;

/// Largest distance that a drawn curve may stray from its points, pixels. A tenth of a pixel isn't seen and keeps the
/// points that are on straights out of the file.
const SIMPLIFY_PX: f64 = 0.1;
/// Narrowest road that is drawn, nominal pixels. A road that the scale makes narrower is widened to this, so that
/// a long circuit on a small canvas doesn't thin out to a hair.
const NARROWEST_ROAD: f64 = 7.0;
/// Width of the speed-coloured line as a share of the road's, and its range in nominal pixels.
const LINE_SHARE: f64 = 0.32;
const LINE_RANGE: (f64, f64) = (3.6, 6.5);

/// The pen that draws one map.
pub(super) struct Scene<'a> {
    pub(super) layout: &'a Layout,
    pub(super) theme: &'a Theme,
}

/// A line drawn in one colour.
pub(super) struct PlainLine {
    pub(super) points: Vec<[f64; 2]>,
    pub(super) closed: bool,
    pub(super) style: PlainStyle,
}

impl Scene<'_> {
    /// The road surface between the edges and the edges themselves.
    pub(super) fn road(&self, markup: &mut Markup, line: &RacingLine) {
        let EdgeCoordinates { left, right } = &line.edges;
        let left = self.curve(left, line.closed);
        let right = self.curve(right, line.closed);
        let surface = if line.closed {
            // Opposite to one another, so that the ring between them is filled, also where the road crosses itself.
            let back: Vec<Pixel> = left.iter().rev().copied().collect();
            path_data(&back, true) + &path_data(&right, true)
        } else {
            let round: Vec<Pixel> = left.iter().chain(right.iter().rev()).copied().collect();
            path_data(&round, true)
        };
        let widening = NARROWEST_ROAD * self.layout.unit - self.road_width(line);
        let road = self.theme.road;
        let stroke = if widening > 0.0 {
            format!(r#" stroke="{road}" stroke-width="{}" stroke-linejoin="round""#, Short(widening))
        } else {
            String::new()
        };
        markup.line(format_args!(r#"<path class="road" d="{surface}" fill="{road}"{stroke}/>"#));
        if widening <= 0.0 {
            let width = Short(1.6 * self.layout.unit);
            markup.group(
                format_args!(
                    r#"class="edges" fill="none" stroke="{}" stroke-width="{width}" stroke-linejoin="round""#,
                    self.theme.edge
                ),
                |markup| {
                    for edge in [&left, &right] {
                        markup.line(format_args!(r#"<path d="{}"/>"#, path_data(edge, line.closed)));
                    }
                },
            );
        }
    }

    /// The cross-sections that the file carries.
    pub(super) fn sections(&self, markup: &mut Markup, line: &RacingLine) {
        let width = Short((0.9 * self.layout.unit).min(0.35 * self.layout.pixels_per_metre));
        let data: String =
            line.sections.iter().map(|section| path_data(&section.map(|end| self.layout.pixel(end)), false)).collect();
        markup.line(format_args!(
            r#"<path class="sections" d="{data}" fill="none" stroke="{}" stroke-width="{width}" stroke-opacity="0.7"/>"#,
            self.theme.section
        ));
    }

    /// A dashed line in one colour.
    pub(super) fn plain(&self, markup: &mut Markup, line: &PlainLine) {
        let width = 2.2 * self.layout.unit;
        markup.line(format_args!(
            r#"<path class="candidate" d="{}" fill="none" {}/>"#,
            path_data(&self.curve(&line.points, line.closed), line.closed),
            plain_stroke(&line.style, width)
        ));
    }

    /// The line coloured by its speed: neighbouring points of one colour are one polyline.
    pub(super) fn speed(&self, markup: &mut Markup, line: &RacingLine, range: SpeedRange, colours: &[String]) {
        let positions: Vec<[f64; 2]> = line.points.iter().map(|point| [point.x_m, point.y_m]).collect();
        let width = self.line_width(line);
        markup.line(format_args!(
            r#"<path class="casing" d="{}" fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round"/>"#,
            path_data(&self.curve(&positions, line.closed), line.closed),
            self.theme.road,
            Short(width + 2.0 * self.layout.unit)
        ));
        let count = positions.len();
        let pieces = if line.closed { count } else { count.saturating_sub(1) };
        let level = |piece: usize| {
            let (here, there) = (&line.points[piece], &line.points[(piece + 1) % count]);
            range.level((here.speed_mps + there.speed_mps) / 2.0)
        };
        markup.group(
            format_args!(
                r#"class="speed" fill="none" stroke-width="{}" stroke-linejoin="round" stroke-linecap="round""#,
                Short(width)
            ),
            |markup| {
                let mut first = 0;
                while first < pieces {
                    let colour = level(first);
                    let last = (first..pieces).take_while(|&piece| level(piece) == colour).last().unwrap_or(first);
                    let run: Vec<[f64; 2]> = (first..=last + 1).map(|index| positions[index % count]).collect();
                    markup.line(format_args!(
                        r#"<path d="{}" stroke="{}"/>"#,
                        path_data(&self.curve(&run, false), false),
                        colours[colour]
                    ));
                    first = last + 1;
                }
            },
        );
    }

    /// The start line across the road and, beside the road where there is most room, an arrow in the direction of travel.
    pub(super) fn start(&self, markup: &mut Markup, line: &RacingLine, obstacles: &[&RacingLine]) {
        let Some(start) = line.points.first() else { return };
        let (sin, cos) = start.heading_rad.sin_cos();
        let unit = self.layout.unit;
        // Canvas y runs downwards.
        let (along, left) = ([cos, -sin], [-sin, -cos]);
        let here = self.layout.pixel([start.x_m, start.y_m]);
        let to_left = (start.left_m * self.layout.pixels_per_metre).max(NARROWEST_ROAD / 2.0 * unit);
        let to_right = (start.right_m * self.layout.pixels_per_metre).max(NARROWEST_ROAD / 2.0 * unit);
        let overhang = 7.0 * unit;
        let ends = [offset(here, left, to_left + overhang), offset(here, left, -(to_right + overhang))];
        markup.group(format_args!(r#"class="start""#), |markup| {
            start_mark(markup, ends, unit, self.theme);
            let places = [to_left, -to_right].map(|edge| offset(here, left, edge + edge.signum() * 26.0 * unit));
            let room = places.map(|place| self.distance_to_road(offset(place, along, 30.0 * unit), obstacles));
            let from = if room[0] >= room[1] { places[0] } else { places[1] };
            arrow(markup, from, offset(from, along, 62.0 * unit), unit, self.theme.ink);
        });
    }

    /// Distance from a place on the canvas to the nearest edge of a road, pixels.
    fn distance_to_road(&self, place: Pixel, lines: &[&RacingLine]) -> f64 {
        let place = Point::from(place);
        let mut nearest = f64::INFINITY;
        for line in lines {
            for edge in [&line.edges.left, &line.edges.right] {
                let points = edge.iter().map(|&vertex| Point::from(self.layout.pixel(vertex))).collect();
                for (a, b) in (Polyline { points, closed: line.closed }).pieces() {
                    let along = b - a;
                    let share = ((place - a).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                    nearest = nearest.min((place - (a + along * share)).norm());
                }
            }
        }
        nearest
    }

    /// World positions as a curve on the canvas, without the points that aren't seen.
    fn curve(&self, positions: &[[f64; 2]], closed: bool) -> Vec<Pixel> {
        let points = positions.iter().map(|&position| Point::from(self.layout.pixel(position))).collect();
        let line = Polyline { points, closed }.simplified(SIMPLIFY_PX);
        line.points.iter().map(|point| [point.x, point.y]).collect()
    }

    /// Mean width of the road, pixels.
    fn road_width(&self, line: &RacingLine) -> f64 {
        let sum: f64 = line.points.iter().map(|point| point.left_m + point.right_m).sum();
        sum / line.points.len().max(1) as f64 * self.layout.pixels_per_metre
    }

    /// Width of the speed-coloured line, pixels.
    fn line_width(&self, line: &RacingLine) -> f64 {
        let (low, high) = LINE_RANGE;
        (self.road_width(line) * LINE_SHARE).clamp(low * self.layout.unit, high * self.layout.unit)
    }
}

/// The speeds that the ends of the colour scale stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpeedRange {
    /// m/s.
    pub(super) low: f64,
    /// m/s, above `low`.
    pub(super) high: f64,
}

impl SpeedRange {
    /// The range of `line`'s speeds, widened where it's too narrow for a scale.
    pub(super) fn of(line: &RacingLine) -> Self {
        let (low, high) = line.points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
            (low.min(point.speed_mps), high.max(point.speed_mps))
        });
        if high - low >= 0.5 { Self { low, high } } else { Self { low: (low - 0.5).max(0.0), high: high + 0.5 } }
    }

    /// The colour's index for `speed`, m/s.
    fn level(self, speed: f64) -> usize {
        let share = ((speed - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        ((share * SPEED_LEVELS as f64) as usize).min(SPEED_LEVELS - 1)
    }
}

/// Stroke attributes of a plain line that is `width` pixels wide.
pub(super) fn plain_stroke(style: &PlainStyle, width: f64) -> String {
    let [a, b, c, d] = style.dashes.map(|length| Short(f64::from(length) * width));
    format!(
        r#"stroke="{}" stroke-width="{}" stroke-dasharray="{a} {b} {c} {d}" stroke-linejoin="round""#,
        style.colour,
        Short(width)
    )
}

/// A chequered bar.
pub(super) fn start_mark(markup: &mut Markup, [from, to]: [Pixel; 2], unit: f64, theme: &Theme) {
    markup.straight(from, to, format_args!(r#"stroke="{}" stroke-width="{}""#, theme.ink, Short(11.0 * unit)));
    markup.straight(from, to, format_args!(r##"stroke="#ffffff" stroke-width="{}""##, Short(8.0 * unit)));
    markup.straight(
        from,
        to,
        format_args!(
            r#"stroke="{}" stroke-width="{}" stroke-dasharray="{}""#,
            theme.road,
            Short(8.0 * unit),
            Short(5.0 * unit)
        ),
    );
}

/// An arrow between two places.
pub(super) fn arrow(markup: &mut Markup, from: Pixel, to: Pixel, unit: f64, colour: &str) {
    let (a, b) = (Point::from(from), Point::from(to));
    let along = (b - a).normalize();
    let neck = b - along * (20.0 * unit);
    let side = left_of(along) * (10.0 * unit);
    let corners = [neck + side, b, neck - side].map(|corner| [corner.x, corner.y]);
    markup.straight(from, [neck.x, neck.y], format_args!(r#"stroke="{colour}" stroke-width="{}""#, Short(5.0 * unit)));
    markup.line(format_args!(r#"<path d="{}" fill="{colour}"/>"#, path_data(&corners, true)));
}

/// The place `distance` pixels from `place` along `direction`.
fn offset([x, y]: Pixel, direction: [f64; 2], distance: f64) -> Pixel {
    [x + direction[0] * distance, y + direction[1] * distance]
}
