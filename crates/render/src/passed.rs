//! The obstacles, pick-ups, pins, speed caps and regions of a line on its map.

use super::markup::{Markup, Pixel, Short, path_data};
use super::palette::Theme;
use super::scene::Scene;
use raceline::RacingLine;
use raceline_file::ConstraintKind;
use raceline_road::frame::Spot;
use raceline_road::geometry::Vector;
use raceline_solve::Outline;

/// Smallest radius at which an obstacle or a pick-up is drawn, nominal pixels.
const MIN_RADIUS: f64 = 4.0;

/// Width of an outline, nominal pixels.
const STROKE: f64 = 1.6;
/// Opacity of a region's area.
const REGION_OPACITY: f64 = 0.45;
/// Length of a dash and of a gap of a pick-up that the line leaves, nominal pixels.
const DASH: f64 = 4.0;

/// How many obstacles, pick-ups, pins, speed caps and regions of some lines are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PassedCounts {
    pub(super) obstacles: usize,
    pub(super) pick_ups_taken: usize,
    pub(super) pick_ups_left: usize,
    pub(super) pins: usize,
    pub(super) caps: usize,
    pub(super) no_go: usize,
    pub(super) grip: usize,
}

impl PassedCounts {
    /// The counts of all `lines` together.
    pub(super) fn of(lines: &[&RacingLine]) -> Self {
        let mut counts = Self::default();
        for options in lines.iter().map(|line| &line.options) {
            let shapes = options.obstacle.iter().enumerate();
            counts.obstacles += shapes.filter(|(i, shape)| shape.outline(i + 1, Vector::zeros()).is_ok()).count();
            for pick_up in options.pick_up.iter().filter(|pick_up| matches!(pick_up.at, Spot::Metres(_))) {
                let count =
                    if pick_up.take == Some(true) { &mut counts.pick_ups_taken } else { &mut counts.pick_ups_left };
                *count += 1;
            }
            counts.pins += options.pin.iter().filter(|pin| matches!(pin.at, Spot::Metres(_))).count();
        }
        let regions = |kind| lines.iter().flat_map(|line| &line.constraints).filter(|one| one.kind == kind).count();
        (counts.no_go, counts.grip) = (regions(ConstraintKind::NoGo), regions(ConstraintKind::Grip));
        counts.caps = lines.iter().map(|line| gates(line).count()).sum();
        counts
    }
}

/// The cross-sections at the ends of each speed cap of a line.
fn gates(line: &RacingLine) -> impl Iterator<Item = [[[f64; 2]; 2]; 2]> {
    let caps = line.constraints.iter().filter(|constraint| constraint.kind == ConstraintKind::SpeedCap);
    caps.filter_map(|constraint| constraint.gates)
}

impl Scene<'_> {
    /// The obstacles as filled shapes, the pick-ups as circles, dashed where the line leaves them, the pins as
    /// rings with a point, the ends of speed caps as dashed lines across the road, and regions as
    /// areas that let the road through.
    pub(super) fn passed(&self, markup: &mut Markup, line: &RacingLine) {
        let (layout, theme) = (self.layout, self.theme);
        for region in &line.constraints {
            for outline in &region.outlines {
                let pixels: Vec<_> = outline.iter().map(|&vertex| layout.pixel(vertex)).collect();
                region_mark(markup, &pixels, region.kind, layout.unit, theme);
            }
        }
        for (index, obstacle) in line.options.obstacle.iter().enumerate() {
            // A shape that is none was refused when the line was made.
            let Ok(outline) = obstacle.outline(index + 1, Vector::zeros()) else { continue };
            match outline {
                Outline::Circle { centre, radius_m } => {
                    let radius = (radius_m * layout.pixels_per_metre).max(MIN_RADIUS * layout.unit);
                    passed_mark(markup, layout.pixel([centre.x, centre.y]), radius, layout.unit, theme);
                }
                Outline::Polygon(points) | Outline::Strip { edge: points, .. } => {
                    let pixels: Vec<_> = points.iter().map(|p| layout.pixel([p.x, p.y])).collect();
                    let style = obstacle_style(layout.unit, theme);
                    markup.line(format_args!(r#"<path d="{}" {style}/>"#, path_data(&pixels, true)));
                }
            }
        }
        for pick_up in &line.options.pick_up {
            let Spot::Metres(place) = pick_up.at else { continue };
            let radius = (pick_up.radius_m * layout.pixels_per_metre).max(MIN_RADIUS * layout.unit);
            pick_up_mark(markup, layout.pixel(place), radius, pick_up.take == Some(true), layout.unit, theme);
        }
        for [right, left] in gates(line).flatten() {
            cap_mark(markup, [layout.pixel(right), layout.pixel(left)], layout.unit, theme);
        }
        for pin in &line.options.pin {
            let Spot::Metres(place) = pin.at else { continue };
            let radius = (pin.tolerance_m * layout.pixels_per_metre).max(MIN_RADIUS * layout.unit);
            pin_mark(markup, layout.pixel(place), radius, layout.unit, theme);
        }
    }
}

/// An obstacle that the line passes, as a disc.
pub(super) fn passed_mark(markup: &mut Markup, [x, y]: Pixel, radius: f64, unit: f64, theme: &Theme) {
    let (x, y, radius, style) = (Short(x), Short(y), Short(radius), obstacle_style(unit, theme));
    markup.line(format_args!(r#"<circle cx="{x}" cy="{y}" r="{radius}" {style}/>"#));
}

fn obstacle_style(unit: f64, theme: &Theme) -> String {
    format!(
        r#"class="obstacle" fill="{}" stroke="{}" stroke-width="{}" stroke-linejoin="round""#,
        theme.braking,
        theme.edge,
        Short(STROKE * unit)
    )
}

/// A pick-up.
pub(super) fn pick_up_mark(markup: &mut Markup, [x, y]: Pixel, radius: f64, taken: bool, unit: f64, theme: &Theme) {
    let (x, y, radius, stroke, dash) = (Short(x), Short(y), Short(radius), Short(STROKE * unit), Short(DASH * unit));
    let dashes = if taken { String::new() } else { format!(r#" stroke-dasharray="{dash} {dash}""#) };
    markup.line(format_args!(
        r#"<circle class="pick-up" cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{}" stroke-width="{stroke}"{dashes}/>"#,
        theme.section
    ));
}

/// A pin, as large as its tolerance.
pub(super) fn pin_mark(markup: &mut Markup, [x, y]: Pixel, radius: f64, unit: f64, theme: &Theme) {
    let (x, y, radius, stroke, dot) = (Short(x), Short(y), Short(radius), Short(STROKE * unit), Short(STROKE * unit));
    let colour = theme.section;
    markup.line(format_args!(
        r#"<circle class="pin" cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{colour}" stroke-width="{stroke}"/>"#
    ));
    markup.line(format_args!(r#"<circle class="pin" cx="{x}" cy="{y}" r="{dot}" fill="{colour}"/>"#));
}

/// A region of the road.
pub(super) fn region_mark(markup: &mut Markup, pixels: &[Pixel], kind: ConstraintKind, unit: f64, theme: &Theme) {
    let (class, colour) = match kind {
        ConstraintKind::NoGo => ("no-go", theme.braking),
        ConstraintKind::Grip | ConstraintKind::Pin | ConstraintKind::SpeedCap => ("grip", theme.grip),
    };
    let (path, stroke) = (path_data(pixels, true), Short(STROKE * unit));
    markup.line(format_args!(
        r#"<path class="{class}" d="{path}" fill="{colour}" fill-opacity="{REGION_OPACITY}" fill-rule="evenodd" stroke="{colour}" stroke-width="{stroke}" stroke-linejoin="round"/>"#
    ));
}

/// An end of a speed cap across the road.
pub(super) fn cap_mark(markup: &mut Markup, [from, to]: [Pixel; 2], unit: f64, theme: &Theme) {
    let (stroke, dash) = (Short(2.0 * STROKE * unit), Short(DASH * unit));
    let style = format_args!(
        r#"class="speed-cap" stroke="{}" stroke-width="{stroke}" stroke-dasharray="{dash} {dash}""#,
        theme.braking
    );
    markup.straight(from, to, style);
}
