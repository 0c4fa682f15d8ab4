//! Apexes on the line, and the corners' numbers beside the road where there is space.

use super::layout::{Layout, Rectangle};
use super::markup::{Markup, Pixel, Short, text_width};
use super::palette::Theme;
use raceline::RacingLine;
use raceline::analysis::{Corner, Turn};
use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline, SegmentIndex, Vector};

/// Height of the numbers, nominal pixels.
const TEXT_SIZE: f64 = 20.0;
/// Height of the names, nominal pixels.
const NAME_SIZE: f64 = 17.0;
/// Smallest radius of the disc around a number.
const DISC: f64 = 15.0;
/// Distance between a disc and anything that it must not touch.
const GAP: f64 = 4.0;
/// Distances from the road's edge that are tried, nominal pixels.
const DISTANCES: [f64; 5] = [24.0, 36.0, 54.0, 80.0, 115.0];
/// Directions that are tried, degrees from the corner's inside or outside.
const DIRECTIONS: [f64; 7] = [0.0, 25.0, -25.0, 50.0, -50.0, 75.0, -75.0];
/// Size of the cells of the edges' grid, nominal pixels.
const CELL: f64 = 40.0;

/// A disc on the canvas: its centre and radius, pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub(super) at: Pixel,
    pub(super) radius: f64,
}

/// The occupied parts of the map.
pub(super) struct Ground {
    roads: Vec<Road>,
    taken: Vec<Disc>,
    map: Rectangle,
    unit: f64,
}

struct Road {
    edges: [Polyline; 2],
    indices: [SegmentIndex; 2],
    closed: bool,
}

impl Ground {
    /// The roads' edges on the canvas, and the occupied discs.
    pub(super) fn new(layout: &Layout, roads: &[&RacingLine], taken: Vec<Disc>) -> Self {
        let road = |line: &&RacingLine| {
            let edges = [&line.edges.left, &line.edges.right].map(|edge| {
                let points = edge.iter().map(|&vertex| Point::from(layout.pixel(vertex))).collect();
                Polyline { points, closed: line.closed }.simplified(0.5)
            });
            let indices = edges.each_ref().map(|edge| SegmentIndex::new(edge, CELL * layout.unit));
            Road { edges, indices, closed: line.closed }
        };
        Self { roads: roads.iter().map(road).collect(), taken, map: layout.map, unit: layout.unit }
    }

    fn is_free(&self, disc: Disc) -> bool {
        let [x, y] = disc.at;
        let Rectangle { x: left, y: top, width, height } = self.map;
        let (reach, gap) = (disc.radius, GAP * self.unit);
        let inside = x - reach >= left && x + reach <= left + width && y - reach >= top && y + reach <= top + height;
        inside
            && self
                .taken
                .iter()
                .all(|other| math::hypot(x - other.at[0], y - other.at[1]) >= reach + other.radius + gap)
            && self.roads.iter().all(|road| road.is_clear_of(Point::from(disc.at), reach + gap))
    }
}

impl Ground {
    /// The place of `name` to the right or left of the disc of its number, if one of them is free.
    fn name(&mut self, name: &str, disc: Disc) -> Option<Name> {
        let size = NAME_SIZE * self.unit;
        let (width, radius, gap) = (text_width(name, size), 0.55 * size, GAP * self.unit);
        let from_disc = disc.radius + 2.0 * gap;
        let starts = [disc.at[0] + from_disc, disc.at[0] - from_disc - width];
        let cover = |start: f64| {
            let count = (width / radius).ceil().max(1.0);
            // Inside the text, so that its ends are covered and no more.
            let place = move |i: f64| start + radius.min(width / 2.0) + (width - 2.0 * radius).max(0.0) * i / count;
            (0..=count as usize).map(move |i| Disc { at: [place(i as f64), disc.at[1]], radius }).collect::<Vec<_>>()
        };
        let (start, discs) = starts
            .map(|start| (start, cover(start)))
            .into_iter()
            .find(|(_, discs)| discs.iter().all(|&disc| self.is_free(disc)))?;
        self.taken.extend(discs);
        Some(Name { at: [start, disc.at[1] + 0.36 * size], text: name.to_owned() })
    }
}

impl Road {
    fn is_clear_of(&self, place: Point, distance: f64) -> bool {
        if self.indices.iter().any(|index| index.nearest(place).is_some_and(|near| near.distance < distance)) {
            return false;
        }
        let on_road = if self.closed {
            self.edges[0].contains(place) != self.edges[1].contains(place)
        } else {
            let round = self.edges[0].points.iter().chain(self.edges[1].points.iter().rev());
            Polyline::closed(round.copied().collect()).contains(place)
        };
        !on_road
    }
}

/// A corner's number, and its name where there is space for it.
struct Label {
    apex: Pixel,
    disc: Disc,
    number: String,
    name: Option<Name>,
}

/// A name beside its number: where its baseline begins.
struct Name {
    at: Pixel,
    text: String,
}

/// Draws a dot at each apex, a number beside the road and the corner's name beside the number. What has
/// no space is skipped, except the dots.
pub(super) fn draw(
    markup: &mut Markup,
    line: &RacingLine,
    corners: &[Corner],
    mut ground: Ground,
    layout: &Layout,
    theme: &Theme,
) {
    let unit = layout.unit;
    let mut labels = Vec::new();
    for corner in corners {
        let text = corner.number.to_string();
        let radius = (DISC * unit).max(text_width(&text, TEXT_SIZE * unit) / 2.0 + 3.0 * unit);
        let place = places(line, corner, layout).map(|at| Disc { at, radius }).find(|&disc| ground.is_free(disc));
        if let Some(disc) = place {
            ground.taken.push(disc);
            labels.push(Label { apex: layout.pixel(corner.apex_m), disc, number: text, name: None });
        }
    }
    // After all numbers, which matter more.
    for label in &mut labels {
        let corner = corners.iter().find(|corner| corner.number.to_string() == label.number);
        label.name = corner.and_then(|corner| corner.name.as_ref()).and_then(|name| ground.name(name, label.disc));
    }
    markup.group(format_args!(r#"class="corners""#), |markup| {
        for Label { apex, disc, .. } in &labels {
            let stroke = format_args!(r#"stroke="{}" stroke-width="{}""#, theme.faint_ink, Short(1.6 * unit));
            markup.straight(*apex, disc.at, stroke);
        }
        for corner in corners {
            let [x, y] = layout.pixel(corner.apex_m).map(Short);
            markup.line(format_args!(
                r##"<circle class="apex" cx="{x}" cy="{y}" r="{}" fill="#ffffff" stroke="{}" stroke-width="{}"/>"##,
                Short(4.6 * unit),
                theme.road,
                Short(2.2 * unit)
            ));
        }
        for Label { disc: Disc { at, radius }, number, name, .. } in labels {
            let [x, y] = at.map(Short);
            let (r, paper) = (Short(radius), theme.page.unwrap_or("#ffffff"));
            let stroke = Short(1.5 * unit);
            markup.line(format_args!(
                r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{}" stroke="{paper}" stroke-width="{stroke}"/>"#,
                theme.ink
            ));
            let baseline = [at[0], at[1] + 0.36 * TEXT_SIZE * unit];
            markup.text(baseline, TEXT_SIZE * unit, "middle", paper, &number);
            if let Some(Name { at, text }) = name {
                markup.text(at, NAME_SIZE * unit, "start", theme.ink, &text);
            }
        }
    });
}

/// Possible positions of a corner's number, the best first: at its inside or outside, near before
/// far.
fn places(line: &RacingLine, corner: &Corner, layout: &Layout) -> impl Iterator<Item = Pixel> {
    let after = line.points.partition_point(|point| point.s_m <= corner.apex_s_m);
    let point = line.points.get(after.saturating_sub(1)).copied();
    let (heading, left, right) =
        point.map_or((0.0, 0.0, 0.0), |point| (point.heading_rad, point.left_m, point.right_m));
    // The canvas's y points down.
    let to_left = Vector::new(-math::sin(heading), -math::cos(heading));
    let sides = match corner.direction {
        Turn::Left => [(to_left, left), (-to_left, right)],
        Turn::Right => [(-to_left, right), (to_left, left)],
    };
    let (unit, scale) = (layout.unit, layout.pixels_per_metre);
    let apex = Point::from(layout.pixel(corner.apex_m));
    DISTANCES.into_iter().flat_map(move |distance| {
        DIRECTIONS.into_iter().flat_map(move |degrees| {
            sides.map(|(direction, edge_m)| {
                let (sin, cos) = math::sin_cos(degrees.to_radians());
                let turned = Vector::new(direction.x * cos - direction.y * sin, direction.x * sin + direction.y * cos);
                // In a rotated direction the edge is farther away.
                let to_edge = edge_m * scale / cos.max(0.4);
                let at = apex + turned * (to_edge + distance * unit);
                [at.x, at.y]
            })
        })
    })
}
