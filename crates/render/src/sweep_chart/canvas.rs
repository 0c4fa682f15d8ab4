//! The common parts of a sweep's pictures: canvas, title, axis labels, the mark of the base.

use crate::legend::lap_time_text;
use crate::markup::{Markup, Pixel, Short, fitted, text_width};
use crate::palette::{Background, Theme};
use raceline::sweep::{Axis, SweepMode, Table};

/// Width of the canvas, pixels.
pub(super) const WIDTH: f64 = 1600.0;
pub(super) const MARGIN: f64 = 56.0;
const TITLE_HEIGHT: f64 = 132.0;
/// Space left of the plot for the vertical axis's labels and name.
const LEFT: f64 = 168.0;
/// Space below the plot for the horizontal axis's labels and name.
const BELOW: f64 = 110.0;

pub(super) const TEXT_SIZE: f64 = 24.0;
pub(super) const TICK_SIZE: f64 = 21.0;
const TITLE_SIZE: f64 = 52.0;
const SUBTITLE_SIZE: f64 = 28.0;
const LABEL_SIZE: f64 = 26.0;
/// Largest number of the base's values in the legend.
const MAX_BASE_VALUES: usize = 5;

/// A sweep's picture under construction.
pub(super) struct Canvas {
    pub(super) markup: Markup,
    pub(super) theme: Theme,
    /// The plot's rectangle, pixels.
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Canvas {
    /// A canvas with its title, for a plot of `height` pixels with `right` pixels to its right.
    pub(super) fn new(table: &Table, drawn: &[&Axis], height: f64, right: f64) -> Self {
        let theme = Theme::of(Background::Light);
        let (left, top) = (MARGIN + LEFT, MARGIN + TITLE_HEIGHT);
        let canvas_height = (top + height + BELOW + MARGIN).ceil();
        let mut markup = Markup::new(WIDTH, canvas_height, theme.page);
        let room = WIDTH - 2.0 * MARGIN;
        let name = fitted(&table.track, TITLE_SIZE, room);
        markup.text([MARGIN, MARGIN + 44.0], TITLE_SIZE, "start", theme.ink, &name);
        let facts = fitted(&facts(table, drawn), SUBTITLE_SIZE, room);
        markup.text([MARGIN, MARGIN + 90.0], SUBTITLE_SIZE, "start", theme.faint_ink, &facts);
        Self { markup, theme, left, top, width: WIDTH - left - right - MARGIN, height }
    }

    /// Right edge of the plot, pixels.
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    /// Lower end of the plot.
    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// A number below the plot at `x`, with its tick.
    pub(super) fn tick_below(&mut self, x: f64, text: &str) {
        let (bottom, ink) = (self.bottom(), self.theme.faint_ink);
        self.markup.straight([x, bottom], [x, bottom + 8.0], format_args!(r#"stroke="{ink}" stroke-width="1.5""#));
        self.markup.text([x, bottom + 32.0], TICK_SIZE, "middle", self.theme.ink, text);
    }

    /// A number left of the plot at `y`, with its tick.
    pub(super) fn tick_left(&mut self, y: f64, text: &str) {
        let (left, ink) = (self.left, self.theme.faint_ink);
        self.markup.straight([left - 8.0, y], [left, y], format_args!(r#"stroke="{ink}" stroke-width="1.5""#));
        self.markup.text([left - 16.0, y + 7.5], TICK_SIZE, "end", self.theme.ink, text);
    }

    /// The name of the horizontal axis.
    pub(super) fn name_below(&mut self, text: &str) {
        let text = fitted(text, LABEL_SIZE, self.width);
        let at = [self.left + self.width / 2.0, self.bottom() + 82.0];
        self.markup.text(at, LABEL_SIZE, "middle", self.theme.ink, &text);
    }

    /// The name of the vertical axis, written upwards.
    pub(super) fn name_left(&mut self, text: &str) {
        // It may be longer than the plot's height, so it may use the canvas's height.
        let text = fitted(text, LABEL_SIZE, self.height + TITLE_HEIGHT + BELOW);
        let (x, y) = (MARGIN + 18.0, self.top + self.height / 2.0);
        let ink = self.theme.ink;
        self.markup.group(format_args!(r#"transform="translate({} {}) rotate(-90)""#, Short(x), Short(y)), |markup| {
            markup.text([0.0, 0.0], LABEL_SIZE, "middle", ink, &text)
        });
    }

    /// The finished SVG.
    pub(super) fn finish(self) -> String {
        self.markup.finish()
    }
}

/// The mark of the base where no cell or point shows it: a ring with a dot.
pub(super) fn base_mark(markup: &mut Markup, [x, y]: Pixel, theme: &Theme) {
    let (x, y) = (Short(x), Short(y));
    markup.line(format_args!(
        r##"<circle cx="{x}" cy="{y}" r="13" fill="#ffffff" stroke="{}" stroke-width="4"/>"##,
        theme.ink
    ));
    markup.line(format_args!(r#"<circle cx="{x}" cy="{y}" r="4" fill="{}"/>"#, theme.ink));
}

/// The facts about the sweep, in one line.
fn facts(table: &Table, drawn: &[&Axis]) -> String {
    let mut facts = vec!["lap time".to_owned(), table.vehicle.clone()];
    facts.push(match table.mode {
        SweepMode::Reoptimize => format!("a new {} line for each", table.method.name()),
        SweepMode::FixedLine => format!("all on the base's {} line", table.method.name()),
    });
    facts.extend(others(table, drawn).filter_map(|axis| axis.values.first().map(|&value| quantity(axis, value))));
    facts.join("  ·  ")
}

/// `mass_kg 1200 kg`, `grip 1`; of a nested key only the last part, to save space.
fn quantity(axis: &Axis, value: f64) -> String {
    let unit = if axis.unit.is_empty() { String::new() } else { format!(" {}", axis.unit) };
    let name = axis.key.rsplit('.').next().unwrap_or(&axis.key);
    format!("{name} {}{unit}", value_text(value))
}

/// The name of an axis with its unit.
pub(super) fn axis_name(axis: &Axis) -> String {
    match axis.unit {
        "" => axis.key.clone(),
        unit => format!("{}, {unit}", axis.key),
    }
}

/// A value with at most five digits, as axes show it.
pub(super) fn value_text(value: f64) -> String {
    let rounded: f64 = format!("{value:.4e}").parse().unwrap_or(value);
    let magnitude = rounded.abs();
    if magnitude != 0.0 && !(1e-4..1e7).contains(&magnitude) { format!("{rounded:e}") } else { format!("{rounded}") }
}

/// Whether the picture over `drawn` shows combinations like the base: every other axis has the
/// base's value.
pub(super) fn shows_base(table: &Table, drawn: &[&Axis]) -> bool {
    others(table, drawn).all(|axis| !differs(axis))
}

/// The base in the legend: its values of the drawn axes, its values that differ from the picture's
/// combinations, and its lap time.
pub(super) fn base_lines(table: &Table, drawn: &[&Axis]) -> Vec<String> {
    let shown = drawn.iter().copied().chain(others(table, drawn).filter(|axis| differs(axis)));
    let mut lines: Vec<String> =
        shown.filter_map(|axis| axis.own.map(|own| quantity(axis, own))).take(MAX_BASE_VALUES).collect();
    lines.push(table.base.map_or_else(|| "no lap".to_owned(), |lap| lap_time_text(lap.lap_time_s)));
    lines
}

fn others<'a>(table: &'a Table, drawn: &'a [&Axis]) -> impl Iterator<Item = &'a Axis> {
    table.axes.iter().filter(|axis| drawn.iter().all(|other| other.key != axis.key))
}

fn differs(axis: &Axis) -> bool {
    axis.values.first() != axis.own.as_ref()
}

/// Whether each value can have a label when each has `room` pixels.
pub(super) fn labels_fit(texts: &[String], room: f64, vertical: bool) -> bool {
    let needed = if vertical {
        TICK_SIZE * 1.25
    } else {
        texts.iter().map(|text| text_width(text, TICK_SIZE)).fold(0.0, f64::max) + 14.0
    };
    needed <= room
}
