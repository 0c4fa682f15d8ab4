//! The parts beside the map: title, speed scale, names of the lines, scale bar.

use super::colour_scale::{ColourScale, Ruler};
use super::layout::{Layout, ROW, Rectangle};
use super::markup::{Markup, Pixel, Short, fitted, text_width};
use super::palette::{PlainStyle, Theme};
use super::passed::{cap_mark, passed_mark, pick_up_mark, pin_mark, region_mark};
use super::road_marks::{contact_mark, obstacle_mark, path_sample};
use super::scene::{arrow, plain_stroke, start_mark};
use raceline::RacingLine;
use raceline::analysis::decimals_of;
use raceline_file::ConstraintKind;
use raceline_numerics::math;

/// Font sizes in nominal pixels.
const TITLE_SIZE: f64 = 52.0;
const SUBTITLE_SIZE: f64 = 28.0;
const TEXT_SIZE: f64 = 24.0;
const TICK_SIZE: f64 = 21.0;
/// Length of the sample of a line in its legend row, nominal pixels.
const SAMPLE: f64 = 64.0;

/// The sample in front of a legend row's text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sample {
    /// The line in the colours of its scale.
    Coloured,
    /// A line in one colour.
    Plain(PlainStyle),
    /// A cross-section.
    Section,
    /// A braking zone.
    Braking,
    /// A corner's number and apex.
    Corner,
    /// The start line with its arrow.
    Start,
    /// The path of another vehicle.
    Path,
    /// An obstacle.
    Obstacle,
    /// A contact.
    Contact,
    /// An obstacle that the line passes.
    Passed,
    /// A pick-up, and whether the line takes it.
    PickUp { taken: bool },
    /// A pin.
    Pin,
    /// An end of a speed cap.
    SpeedCap,
    /// A region of the road.
    Region(ConstraintKind),
}

/// A row of the legend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) sample: Sample,
    pub(super) text: String,
}

/// Draws everything outside the map.
pub(super) struct Legend<'a> {
    pub(super) layout: &'a Layout,
    pub(super) theme: &'a Theme,
}

impl Legend<'_> {
    /// Name, method, lap time, length and vehicle.
    pub(super) fn title(&self, markup: &mut Markup, line: &RacingLine) {
        let Rectangle { x, y, width, .. } = self.layout.title;
        let unit = self.layout.unit;
        let name = fitted(&line.name, TITLE_SIZE * unit, width);
        markup.text([x, y + 44.0 * unit], TITLE_SIZE * unit, "start", self.theme.ink, &name);
        let facts = format!(
            "{}  ·  {}  ·  {}  ·  {}",
            line.method.name(),
            lap_time_text(line.lap_time_s),
            decimals_of(line).length(line.length_m),
            line.vehicle.name
        );
        let facts = fitted(&facts, SUBTITLE_SIZE * unit, width);
        markup.text([x, y + 90.0 * unit], SUBTITLE_SIZE * unit, "start", self.theme.faint_ink, &facts);
    }

    /// The colour bar with its labels above and below it.
    pub(super) fn scale(&self, markup: &mut Markup, scale: &ColourScale) {
        let (name, colours) = (scale.by.name(), &scale.colours);
        let Rectangle { x, y, width, .. } = self.layout.speed;
        let unit = self.layout.unit;
        let (top, height) = (y + 44.0 * unit, 26.0 * unit);
        // The units are to the right of the numbers.
        let bar = width - 80.0 * unit;
        markup.line(format_args!(r#"<defs><linearGradient id="{name}-scale">"#));
        let steps = 16;
        for step in 0..=steps {
            let colour = &colours[step * (colours.len() - 1) / steps];
            markup
                .line(format_args!(r#"<stop offset="{}" stop-color="{colour}"/>"#, Short(step as f64 / steps as f64)));
        }
        markup.line(format_args!("</linearGradient></defs>"));
        markup.line(format_args!(
            r#"<rect class="{name}-scale" x="{}" y="{}" width="{}" height="{}" rx="{}" fill="url(#{name}-scale)"/>"#,
            Short(x),
            Short(top),
            Short(bar),
            Short(height),
            Short(4.0 * unit)
        ));
        let text_above = top - 12.0 * unit;
        let text_below = top + height + 28.0 * unit;
        let sides = [(top, top - 7.0 * unit, text_above), (top + height, top + height + 7.0 * unit, text_below)];
        for (ruler, (from, to, baseline)) in scale.rulers.into_iter().zip(sides) {
            let (factor, unit_name) = match ruler {
                Ruler::Values(factor, unit_name) => (factor, unit_name),
                Ruler::Ends(low, high) => {
                    let ink = self.theme.faint_ink;
                    markup.text([x, baseline], TICK_SIZE * unit, "start", ink, low);
                    markup.text([x + bar, baseline], TICK_SIZE * unit, "end", ink, high);
                    continue;
                }
            };
            let (low, high) = (scale.low * factor, scale.high * factor);
            for value in round_values(low, high, 5) {
                let place = x + bar * (value - low) / (high - low);
                let ink = self.theme.faint_ink;
                markup.straight(
                    [place, from],
                    [place, to],
                    format_args!(r#"stroke="{ink}" stroke-width="{}""#, Short(1.5 * unit)),
                );
                markup.text([place, baseline], TICK_SIZE * unit, "middle", self.theme.ink, &format!("{}", value + 0.0));
            }
            let at = [x + bar + 28.0 * unit, baseline];
            markup.text(at, TICK_SIZE * unit, "start", self.theme.faint_ink, unit_name);
        }
    }

    /// One row per entry: a sample on a piece of road, and its text.
    pub(super) fn entries(&self, markup: &mut Markup, entries: &[Entry], colours: &[String]) {
        let unit = self.layout.unit;
        for (index, entry) in entries.iter().enumerate() {
            let column = self.layout.entries[(index / self.layout.rows.max(1)).min(self.layout.entries.len() - 1)];
            let row = index % self.layout.rows.max(1);
            let middle = column.y + unit * ROW * (row as f64 + 0.5);
            let from = [column.x, middle];
            let to = [column.x + SAMPLE * unit, middle];
            self.sample(markup, entry.sample, from, to, colours);
            let text_x = to[0] + 18.0 * unit;
            let room = column.x + column.width - text_x - 12.0 * unit;
            let text = fitted(&entry.text, TEXT_SIZE * unit, room);
            markup.text([text_x, middle + 8.5 * unit], TEXT_SIZE * unit, "start", self.theme.ink, &text);
        }
    }

    fn sample(&self, markup: &mut Markup, sample: Sample, from: Pixel, to: Pixel, colours: &[String]) {
        let unit = self.layout.unit;
        let [x, y] = from;
        if sample == Sample::Start {
            let bar = [[x + 8.0 * unit, y - 14.0 * unit], [x + 8.0 * unit, y + 14.0 * unit]];
            start_mark(markup, bar, unit, self.theme);
            arrow(markup, [x + 20.0 * unit, y], to, unit, self.theme.ink);
            return;
        }
        markup.line(format_args!(
            r#"<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{}"/>"#,
            Short(x),
            Short(y - 13.0 * unit),
            Short(SAMPLE * unit),
            Short(26.0 * unit),
            Short(4.0 * unit),
            self.theme.road
        ));
        match sample {
            Sample::Coloured => {
                // A gradient does not work on a line without height, so the sample consists of
                // pieces.
                let pieces = 16;
                for piece in 0..pieces {
                    let at = |fraction: usize| x + (6.0 + (SAMPLE - 12.0) * fraction as f64 / pieces as f64) * unit;
                    let colour = &colours[piece * (colours.len() - 1) / (pieces - 1)];
                    let stroke = format_args!(r#"stroke="{colour}" stroke-width="{}""#, Short(5.0 * unit));
                    markup.straight([at(piece), y], [at(piece + 1) + 0.3, y], stroke);
                }
            }
            Sample::Plain(style) => {
                let ends = [[x + 5.0 * unit, y], [to[0] - 5.0 * unit, y]];
                markup.straight(ends[0], ends[1], format_args!("{}", plain_stroke(&style, 2.8 * unit)));
            }
            Sample::Braking => {
                let stroke = format_args!(r#"stroke="{}" stroke-width="{}""#, self.theme.braking, Short(12.0 * unit));
                markup.straight([x + 6.0 * unit, y], [to[0] - 6.0 * unit, y], stroke);
            }
            Sample::Corner => {
                markup.line(format_args!(
                    r##"<circle cx="{}" cy="{}" r="{}" fill="#ffffff"/>"##,
                    Short(x + SAMPLE / 2.0 * unit),
                    Short(y),
                    Short(5.5 * unit)
                ));
            }
            Sample::Path => path_sample(markup, [[x + 5.0 * unit, y], [to[0] - 5.0 * unit, y]], unit),
            Sample::Obstacle => obstacle_mark(markup, [x + SAMPLE / 2.0 * unit, y], 8.0 * unit),
            Sample::Contact => contact_mark(markup, [x + SAMPLE / 2.0 * unit, y], 0.75 * unit),
            Sample::Passed => passed_mark(markup, [x + SAMPLE / 2.0 * unit, y], 8.0 * unit, unit, self.theme),
            Sample::PickUp { taken } => {
                pick_up_mark(markup, [x + SAMPLE / 2.0 * unit, y], 8.0 * unit, taken, unit, self.theme);
            }
            Sample::Pin => pin_mark(markup, [x + SAMPLE / 2.0 * unit, y], 8.0 * unit, unit, self.theme),
            Sample::Region(kind) => {
                let corners = [[2.0, -8.0], [SAMPLE - 2.0, -8.0], [SAMPLE - 2.0, 8.0], [2.0, 8.0]];
                let pixels = corners.map(|[across, down]| [x + across * unit, y + down * unit]);
                region_mark(markup, &pixels, kind, unit, self.theme);
            }
            Sample::SpeedCap => {
                let at = x + SAMPLE / 2.0 * unit;
                cap_mark(markup, [[at, y - 11.0 * unit], [at, y + 11.0 * unit]], unit, self.theme);
            }
            Sample::Section | Sample::Start => {
                for step in 1..4 {
                    let at = x + SAMPLE * unit * f64::from(step) / 4.0;
                    let stroke =
                        format_args!(r#"stroke="{}" stroke-width="{}""#, self.theme.section, Short(1.5 * unit));
                    markup.straight([at, y - 13.0 * unit], [at, y + 13.0 * unit], stroke);
                }
            }
        }
    }

    /// A bar of a round length.
    pub(super) fn scale_bar(&self, markup: &mut Markup) {
        let Rectangle { x, y, width, .. } = self.layout.scale;
        let unit = self.layout.unit;
        let length_m = round_length(width.min(320.0 * unit) / self.layout.pixels_per_metre);
        let length = length_m * self.layout.pixels_per_metre;
        let text = if length_m >= 1000.0 { format!("{} km", length_m / 1000.0) } else { format!("{length_m} m") };
        let text_room = text_width(&text, TEXT_SIZE * unit);
        let bar_y = y + 58.0 * unit;
        let ink = self.theme.ink;
        let corner = 9.0 * unit;
        markup.line(format_args!(
            r#"<path class="scale-bar" d="M{x0} {top}V{bottom}H{x1}V{top}" fill="none" stroke="{ink}" stroke-width="{}"/>"#,
            Short(3.0 * unit),
            x0 = Short(x + 1.5 * unit),
            x1 = Short(x + 1.5 * unit + length),
            top = Short(bar_y - corner),
            bottom = Short(bar_y),
        ));
        let text_x = x + 1.5 * unit + (length / 2.0).max(text_room / 2.0);
        markup.text([text_x, bar_y - 16.0 * unit], TEXT_SIZE * unit, "middle", ink, &text);
    }
}

/// A lap time for readers: `58.21 s`, `1:31.48`.
pub(super) fn lap_time_text(seconds: f64) -> String {
    let hundredths = (seconds * 100.0).round();
    let minutes = (hundredths / 6000.0).floor();
    let rest = (hundredths - minutes * 6000.0) / 100.0;
    if minutes > 0.0 { format!("{minutes}:{rest:05.2}") } else { format!("{rest:.2} s") }
}

/// The largest of 1, 2 and 5 times a power of ten that is at most `limit` > 0.
pub(super) fn round_length(limit: f64) -> f64 {
    let power = math::powf(10f64, math::log10(limit).floor());
    let digit = [5.0, 2.0].into_iter().find(|digit| digit * power <= limit).unwrap_or(1.0);
    digit * power
}

/// Round values from `low` to `high`, about `count` of them.
pub(super) fn round_values(low: f64, high: f64, count: usize) -> Vec<f64> {
    let min_step = (high - low) / count as f64;
    let power = math::powf(10f64, math::log10(min_step).floor());
    let step = [1.0, 2.0, 5.0].into_iter().map(|digit| digit * power).find(|&step| step >= min_step);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    // Rounding hides the binary remainder of steps such as 0.1.
    (first..=last).map(|index| (index as f64 * step * 1e6).round() / 1e6).collect()
}
