//! A picture of a sweep of two numbers: the lap time as a map over both.

use super::axis_values::{AxisValues, TimeRange};
use super::canvas::{Canvas, MARGIN, TEXT_SIZE, TICK_SIZE, WIDTH, axis_name, base_lines, base_mark, shows_base};
use crate::legend::{lap_time_text, round_values};
use crate::markup::{Markup, Short, fitted, text_width};
use crate::palette::speed_colours;
use raceline::sweep::{Row, Table};
use raceline_numerics::math;

/// Space right of the plot for the legend, pixels.
const LEGEND: f64 = 330.0;
/// Heights of the plot and, where there is space, of a cell, pixels.
const MIN_HEIGHT: f64 = 420.0;
const MAX_HEIGHT: f64 = 1000.0;
const CELL_HEIGHT: f64 = 124.0;
/// Sizes of a cell's lap time, the largest that fits first.
const CELL_SIZES: [f64; 4] = [28.0, 24.0, 20.0, 16.0];
/// Cells of at most this width have no gap between them.
const GAP_ABOVE: f64 = 24.0;
const GAP: f64 = 3.0;

/// The cells of the map.
struct Cells<'a> {
    columns: AxisValues<'a>,
    rows: AxisValues<'a>,
    width: f64,
    height: f64,
    /// Whether the base has a lap and differs from the map's combinations in the drawn axes only.
    shows_base: bool,
}

/// The SVG of the lap time over the axes `x` and `y` of `table`, whose other axes have one value
/// each.
pub(super) fn svg(table: &Table, x: usize, y: usize, range: TimeRange) -> String {
    let (columns, rows) = (AxisValues::new(&table.axes[x]), AxisValues::new(&table.axes[y]));
    let height = (CELL_HEIGHT * rows.values.len() as f64).clamp(MIN_HEIGHT, MAX_HEIGHT);
    let mut chart = Canvas::new(table, &[columns.axis, rows.axis], height, LEGEND);
    let colours = speed_colours();
    let (width, height) = (chart.width / columns.values.len() as f64, chart.height / rows.values.len() as f64);
    let shows_base = table.base.is_some() && shows_base(table, &[columns.axis, rows.axis]);
    let cells = Cells { columns, rows, width, height, shows_base };
    let size = cells.text_size(table);
    for row in &table.rows {
        // Every row has values of the axes.
        let (Some(column), Some(line)) = (cells.columns.index_of(row.values[x]), cells.rows.index_of(row.values[y]))
        else {
            continue;
        };
        cells.draw(&mut chart, (column, line), row, table, (range, &colours), size);
    }
    cells.mark_base(&mut chart);
    cells.axes(&mut chart);
    let changes = table.base.is_some() && size.is_some_and(|size| cells.shows_changes(size));
    legend(&mut chart, table, &cells, changes, (range, &colours));
    chart.finish()
}

impl Cells<'_> {
    /// The centre of a cell; `column` and `line` may be fractional.
    fn middle(&self, chart: &Canvas, (column, line): (f64, f64)) -> [f64; 2] {
        [chart.left + self.width * (column + 0.5), chart.bottom() - self.height * (line + 0.5)]
    }

    /// The largest size at which every cell's lap time fits; `None` where none does.
    fn text_size(&self, table: &Table) -> Option<f64> {
        let texts: Vec<String> =
            table.rows.iter().filter_map(|row| row.lap.map(|lap| lap_time_text(lap.lap_time_s))).collect();
        let widest = |size: f64| texts.iter().map(|text| text_width(text, size)).fold(0.0, f64::max);
        CELL_SIZES.into_iter().find(|&size| widest(size) + 14.0 <= self.width && 1.5 * size <= self.height)
    }

    fn draw(
        &self,
        chart: &mut Canvas,
        at: (f64, f64),
        row: &Row,
        table: &Table,
        (range, colours): (TimeRange, &[String]),
        size: Option<f64>,
    ) {
        let [x, y] = self.middle(chart, at);
        let gap = if self.width.min(self.height) > GAP_ABOVE { GAP } else { 0.0 };
        let Some(lap) = row.lap else {
            return no_lap(&mut chart.markup, [x, y], [self.width - gap, self.height - gap]);
        };
        let level = range.colour(colours, lap.lap_time_s);
        rectangle(&mut chart.markup, [x, y], [self.width - gap, self.height - gap], &colours[level]);
        let Some(size) = size else { return };
        let ink = ink_on(&colours[level]);
        let small = small_size(size);
        let change = table.gain(row).map(|(_, percent)| change_text(percent)).filter(|_| self.shows_changes(size));
        let lift = if change.is_some() { -0.22 * size } else { 0.36 * size };
        chart.markup.text([x, y + lift], size, "middle", ink, &lap_time_text(lap.lap_time_s));
        if let Some(change) = change {
            chart.markup.text([x, y + lift + 1.5 * small], small, "middle", ink, &change);
        }
    }

    /// Whether the change against the base fits into a cell below the lap time of `size`.
    fn shows_changes(&self, size: f64) -> bool {
        let small = small_size(size);
        text_width("+00.00 %", small) + 14.0 <= self.width && 1.5 * (size + small) + 8.0 <= self.height
    }

    /// Draws a frame around the base's cell, or a ring between cells.
    fn mark_base(&self, chart: &mut Canvas) {
        let Some((column, line)) = self.base_place() else { return };
        let [x, y] = self.middle(chart, (column, line));
        if self.base_is_a_cell() {
            let ink = chart.theme.ink;
            frame(&mut chart.markup, [x, y], [self.width - GAP, self.height - GAP], ink);
        } else {
            base_mark(&mut chart.markup, [x, y], &chart.theme);
        }
    }

    /// Position of the base; `None` if the map does not show it.
    fn base_place(&self) -> Option<(f64, f64)> {
        self.columns.own_index().zip(self.rows.own_index()).filter(|_| self.shows_base)
    }

    fn base_is_a_cell(&self) -> bool {
        // A frame around a tiny cell is not visible.
        self.base_place().is_some_and(|(column, line)| column.fract() == 0.0 && line.fract() == 0.0)
            && self.width.min(self.height) > GAP_ABOVE
    }

    fn axes(&self, chart: &mut Canvas) {
        for (column, text) in self.columns.ticks(self.width, false) {
            chart.tick_below(chart.left + self.width * (column + 0.5), &text);
        }
        for (line, text) in self.rows.ticks(self.height, true) {
            chart.tick_left(chart.bottom() - self.height * (line + 0.5), &text);
        }
        chart.name_below(&axis_name(self.columns.axis));
        chart.name_left(&axis_name(self.rows.axis));
    }
}

/// Size of the change below a lap time of `size`.
fn small_size(size: f64) -> f64 {
    (0.72 * size).max(14.0)
}

/// A gain as the change of the lap time, `-1.25 %` where it is positive.
fn change_text(gain_percent: f64) -> String {
    let change = -(gain_percent * 100.0).round() / 100.0;
    if change == 0.0 { "0 %".to_owned() } else { format!("{change:+.2} %") }
}

/// The colour bar, the base and what a hatched cell means.
fn legend(
    chart: &mut Canvas,
    table: &Table,
    cells: &Cells<'_>,
    changes: bool,
    (range, colours): (TimeRange, &[String]),
) {
    let x = chart.right() + 44.0;
    let room = WIDTH - MARGIN - x;
    let (ink, faint) = (chart.theme.ink, chart.theme.faint_ink);
    chart.markup.text([x, chart.top + 18.0], TEXT_SIZE, "start", ink, "lap time, s");
    if changes {
        chart.markup.text([x, chart.top + 48.0], TICK_SIZE, "start", faint, "below: against the base");
    }
    let heading = if changes { 74.0 } else { 44.0 };
    let base = base_lines(table, &[cells.columns.axis, cells.rows.axis]);
    let failed = table.failed() > 0;
    let below = 34.0 * (base.len() as f64 + 1.0) + 36.0 + if failed { 56.0 } else { 0.0 };
    let (top, bar) = (chart.top + heading, (chart.height - heading - below).clamp(90.0, 420.0));
    colour_bar(chart, [x, top], bar, range, colours);
    let mut y = top + bar + 56.0;
    if failed {
        no_lap(&mut chart.markup, [x + 22.0, y - 8.0], [44.0, 30.0]);
        chart.markup.text([x + 62.0, y], TEXT_SIZE, "start", ink, "no line");
        y += 56.0;
    }
    let is_outside = cells.base_place().is_none();
    let heading = match (is_outside, cells.base_is_a_cell()) {
        (true, _) => "base, not shown",
        (false, true) => {
            frame(&mut chart.markup, [x + 22.0, y - 8.0], [40.0, 28.0], ink);
            "base"
        }
        (false, false) => {
            base_mark(&mut chart.markup, [x + 22.0, y - 8.0], &chart.theme);
            "base"
        }
    };
    let indent = if is_outside { 0.0 } else { 62.0 };
    chart.markup.text([x + indent, y], TEXT_SIZE, "start", ink, heading);
    y += 6.0;
    for text in &base {
        y += 32.0;
        chart.markup.text([x, y], TICK_SIZE, "start", faint, &fitted(text, TICK_SIZE, room));
    }
}

fn colour_bar(chart: &mut Canvas, [x, top]: [f64; 2], bar: f64, range: TimeRange, colours: &[String]) {
    let markup = &mut chart.markup;
    markup.line(format_args!(r#"<defs><linearGradient id="lap-scale" x1="0" y1="0" x2="0" y2="1">"#));
    let steps = 16;
    for step in 0..=steps {
        let colour = &colours[(steps - step) * (colours.len() - 1) / steps];
        markup.line(format_args!(r#"<stop offset="{}" stop-color="{colour}"/>"#, Short(step as f64 / steps as f64)));
    }
    markup.line(format_args!("</linearGradient></defs>"));
    markup.line(format_args!(
        r#"<rect class="lap-scale" x="{}" y="{}" width="44" height="{}" rx="4" fill="url(#lap-scale)"/>"#,
        Short(x),
        Short(top),
        Short(bar)
    ));
    let (ink, faint) = (chart.theme.ink, chart.theme.faint_ink);
    let shown = if range.slowest > range.fastest { range } else { range.widened(0.0) };
    for value in round_values(shown.fastest, shown.slowest, ((bar / 60.0) as usize).clamp(2, 7)) {
        let y = top + bar * (value - shown.fastest) / (shown.slowest - shown.fastest);
        let stroke = format!(r#"stroke="{faint}" stroke-width="1.5""#);
        chart.markup.straight([x + 44.0, y], [x + 52.0, y], format_args!("{stroke}"));
        chart.markup.text([x + 62.0, y + 7.5], TICK_SIZE, "start", ink, &format!("{value}"));
    }
}

fn rectangle(markup: &mut Markup, [x, y]: [f64; 2], [width, height]: [f64; 2], fill: &str) {
    markup.line(format_args!(
        r#"<rect x="{}" y="{}" width="{}" height="{}" fill="{fill}" shape-rendering="crispEdges"/>"#,
        Short(x - width / 2.0),
        Short(y - height / 2.0),
        Short(width),
        Short(height)
    ));
}

fn frame(markup: &mut Markup, [x, y]: [f64; 2], [width, height]: [f64; 2], ink: &str) {
    markup.line(format_args!(
        r#"<rect class="base" x="{}" y="{}" width="{}" height="{}" fill="none" stroke="{ink}" stroke-width="5"/>"#,
        Short(x - width / 2.0),
        Short(y - height / 2.0),
        Short(width),
        Short(height)
    ));
}

/// A cell without a lap: grey with a cross.
fn no_lap(markup: &mut Markup, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
    rectangle(markup, [x, y], [width, height], "#dcdad4");
    let reach = 0.3 * width.min(height).min(40.0);
    for side in [1.0, -1.0] {
        markup.straight(
            [x - reach, y - side * reach],
            [x + reach, y + side * reach],
            format_args!(r##"stroke="#8d949e" stroke-width="2.5""##),
        );
    }
}

/// A legible text colour on `colour`: white on dark colours, otherwise near black (by relative
/// luminance with sRGB approximated as a square).
fn ink_on(colour: &str) -> &'static str {
    let channel = |from: usize| {
        let value = colour.get(from..from + 2).and_then(|text| u8::from_str_radix(text, 16).ok()).unwrap_or(255);
        math::powi(f64::from(value) / 255.0, 2)
    };
    let luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
    if luminance < 0.2 { "#ffffff" } else { "#1c1f24" }
}
