//! The map: road, cross-sections, lines, start line and direction.

use super::colour_scale::ColourScale;
use super::corner_marks::Disc;
use super::layout::Layout;
use super::markup::{Markup, Pixel, Short, path_data};
use super::palette::{PlainStyle, Theme};
use raceline::RacingLine;
use raceline::analysis::{BrakingZone, Lap};
use raceline::file::EdgeCoordinates;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline, Segment, left_of};

/// Largest deviation of a drawn curve from its points, pixels. A tenth of a pixel is not visible
/// and omits the points on straights from the file.
const SIMPLIFY_PX: f64 = 0.1;
/// Narrowest road that is drawn, nominal pixels. A narrower road is widened to this, so that a long
/// circuit stays visible on a small canvas.
const NARROWEST_ROAD: f64 = 7.0;
/// Width of the speed-coloured line as a fraction of the road's, and its range in nominal pixels.
const LINE_FRACTION: f64 = 0.32;
const LINE_RANGE: (f64, f64) = (3.6, 6.5);
/// Width of a braking zone's band in widths of the line.
const BRAKING_FRACTION: f64 = 2.1;

/// Draws one map.
pub(super) struct Scene<'a> {
    pub(super) layout: &'a Layout,
    pub(super) theme: &'a Theme,
    /// Opacity of the road's surface, 0 to 1.
    pub(super) road_opacity: f64,
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
        let (left, right) = self.edges(line);
        let surface = surface(&left, &right, line.closed);
        let widening = NARROWEST_ROAD * self.layout.unit - self.road_width(line);
        let road = self.theme.road;
        let stroke = if widening > 0.0 {
            format!(r#" stroke="{road}" stroke-width="{}" stroke-linejoin="round""#, Short(widening))
        } else {
            String::new()
        };
        let opacity = match self.road_opacity {
            1.0 => String::new(),
            fraction => format!(r#" opacity="{fraction}""#),
        };
        markup.line(format_args!(r#"<path class="road" d="{surface}" fill="{road}"{stroke}{opacity}/>"#));
        if widening <= 0.0 {
            let width = Short(1.6 * self.layout.unit);
            markup.group(
                format_args!(
                    r#"class="edges" fill="none" stroke="{}" stroke-width="{width}" stroke-linejoin="round""#,
                    // Over a background picture the edges must be visible.
                    if self.road_opacity < 1.0 { self.theme.ink } else { self.theme.edge }
                ),
                |markup| {
                    for edge in [&left, &right] {
                        markup.line(format_args!(r#"<path d="{}"/>"#, path_data(edge, line.closed)));
                    }
                },
            );
        }
    }

    /// The left and the right edge on the canvas.
    fn edges(&self, line: &RacingLine) -> (Vec<Pixel>, Vec<Pixel>) {
        let EdgeCoordinates { left, right } = &line.edges;
        (self.curve(left, line.closed), self.curve(right, line.closed))
    }

    /// The cross-sections in the file.
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

    /// The braking zones, as bands under the line.
    pub(super) fn braking(&self, markup: &mut Markup, line: &RacingLine, zones: &[BrakingZone]) {
        let lap = Lap::new(line);
        let width = Short(BRAKING_FRACTION * self.line_width(line));
        // The bands are clipped at the edges, unless the road is drawn wider than it is.
        let clip = if self.road_width(line) >= NARROWEST_ROAD * self.layout.unit {
            let (left, right) = self.edges(line);
            let surface = surface(&left, &right, line.closed);
            markup.line(format_args!(r#"<clipPath id="surface"><path d="{surface}"/></clipPath>"#));
            r#" clip-path="url(#surface)""#
        } else {
            ""
        };
        markup.group(
            format_args!(
                r#"class="braking" fill="none" stroke="{}" stroke-width="{width}" stroke-linejoin="round"{clip}"#,
                self.theme.braking
            ),
            |markup| {
                for zone in zones {
                    let length = lap.ahead(zone.from_s_m, zone.to_s_m);
                    let mut inner: Vec<(f64, [f64; 2])> = lap
                        .points()
                        .iter()
                        .map(|point| (lap.ahead(zone.from_s_m, point.s_m), [point.x_m, point.y_m]))
                        .filter(|&(ahead, _)| ahead > 0.0 && ahead < length)
                        .collect();
                    inner.sort_by(|a, b| a.0.total_cmp(&b.0));
                    let ends = [zone.from_s_m, zone.to_s_m].map(|s| lap.at(s).position_m);
                    let band: Vec<[f64; 2]> =
                        [ends[0]].into_iter().chain(inner.into_iter().map(|(_, at)| at)).chain([ends[1]]).collect();
                    markup.line(format_args!(r#"<path d="{}"/>"#, path_data(&self.curve(&band, false), false)));
                }
            },
        );
    }

    /// The line in the colours of a scale: neighbouring points of one colour are one polyline.
    pub(super) fn coloured(&self, markup: &mut Markup, line: &RacingLine, scale: &ColourScale) {
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
        let level = |piece: usize| scale.level(piece, (piece + 1) % count);
        markup.group(
            format_args!(
                r#"class="{}" fill="none" stroke-width="{}" stroke-linejoin="round" stroke-linecap="round""#,
                scale.by.name(),
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
                        scale.colours[colour]
                    ));
                    first = last + 1;
                }
            },
        );
    }

    /// The start line across the road and, beside the road on the side with more space, an arrow in
    /// the direction of travel. Returns the discs that they occupy.
    pub(super) fn start(&self, markup: &mut Markup, line: &RacingLine, obstacles: &[&RacingLine]) -> Vec<Disc> {
        let Some(start) = line.points.first() else { return Vec::new() };
        let (sin, cos) = math::sin_cos(start.heading_rad);
        let unit = self.layout.unit;
        // The canvas's y points down.
        let (along, left) = ([cos, -sin], [-sin, -cos]);
        let here = self.layout.pixel([start.x_m, start.y_m]);
        let to_left = (start.left_m * self.layout.pixels_per_metre).max(NARROWEST_ROAD / 2.0 * unit);
        let to_right = (start.right_m * self.layout.pixels_per_metre).max(NARROWEST_ROAD / 2.0 * unit);
        let overhang = 7.0 * unit;
        let ends = [offset(here, left, to_left + overhang), offset(here, left, -(to_right + overhang))];
        let places = [to_left, -to_right].map(|edge| offset(here, left, edge + edge.signum() * 26.0 * unit));
        let room = places.map(|place| self.distance_to_road(offset(place, along, 30.0 * unit), obstacles));
        let from = if room[0] >= room[1] { places[0] } else { places[1] };
        markup.group(format_args!(r#"class="start""#), |markup| {
            start_mark(markup, ends, unit, self.theme);
            arrow(markup, from, offset(from, along, 62.0 * unit), unit, self.theme.ink);
        });
        let arrow = [0.0, 15.0, 31.0, 47.0, 62.0].map(|ahead| offset(from, along, ahead * unit));
        arrow.into_iter().chain(ends).map(|at| Disc { at, radius: 12.0 * unit }).collect()
    }

    /// Distance from a position on the canvas to the nearest edge of a road, pixels.
    fn distance_to_road(&self, place: Pixel, lines: &[&RacingLine]) -> f64 {
        let place = Point::from(place);
        let mut nearest = f64::INFINITY;
        for line in lines {
            for edge in [&line.edges.left, &line.edges.right] {
                let points = edge.iter().map(|&vertex| Point::from(self.layout.pixel(vertex))).collect();
                for piece in (Polyline { points, closed: line.closed }).pieces() {
                    nearest = nearest.min(Segment::from(piece).distance(place));
                }
            }
        }
        nearest
    }

    /// World positions as a curve on the canvas, without points that make no visible difference.
    pub(super) fn curve(&self, positions: &[[f64; 2]], closed: bool) -> Vec<Pixel> {
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
        (self.road_width(line) * LINE_FRACTION).clamp(low * self.layout.unit, high * self.layout.unit)
    }
}

/// Path data of the road between two edges.
fn surface(left: &[Pixel], right: &[Pixel], closed: bool) -> String {
    if closed {
        // In opposite directions, so that the ring between them is filled even where the road
        // crosses itself.
        let back: Vec<Pixel> = left.iter().rev().copied().collect();
        path_data(&back, true) + &path_data(right, true)
    } else {
        let round: Vec<Pixel> = left.iter().chain(right.iter().rev()).copied().collect();
        path_data(&round, true)
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

/// An arrow between two positions.
pub(super) fn arrow(markup: &mut Markup, from: Pixel, to: Pixel, unit: f64, colour: &str) {
    let (a, b) = (Point::from(from), Point::from(to));
    let along = (b - a).normalize();
    let neck = b - along * (20.0 * unit);
    let side = left_of(along) * (10.0 * unit);
    let corners = [neck + side, b, neck - side].map(|corner| [corner.x, corner.y]);
    markup.straight(from, [neck.x, neck.y], format_args!(r#"stroke="{colour}" stroke-width="{}""#, Short(5.0 * unit)));
    markup.line(format_args!(r#"<path d="{}" fill="{colour}"/>"#, path_data(&corners, true)));
}

/// The position `distance` pixels from `place` along `direction`.
fn offset([x, y]: Pixel, direction: [f64; 2], distance: f64) -> Pixel {
    [x + direction[0] * distance, y + direction[1] * distance]
}
