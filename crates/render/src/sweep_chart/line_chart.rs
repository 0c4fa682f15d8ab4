//! A picture of a sweep of one number: the lap time over it.

use super::axis_values::{AxisValues, TimeRange};
use super::canvas::{
    Canvas, MARGIN, TEXT_SIZE, TICK_SIZE, WIDTH, axis_name, base_lines, base_mark, shows_base, value_text,
};
use crate::legend::round_values;
use crate::markup::{Pixel, Short, fitted, path_data};
use crate::palette::speed_colours;
use raceline::sweep::Table;

const LEGEND: f64 = 330.0;
const HEIGHT: f64 = 640.0;
/// Points closer than this have no dots.
const DOTS_ABOVE: f64 = 14.0;
/// Margin above and below the line as a fraction of the range.
const ROOM: f64 = 0.08;

/// The SVG of the lap time over the axis `x` of `table`, whose other axes have one value each.
pub(super) fn svg(table: &Table, x: usize, range: TimeRange) -> String {
    let sorted = AxisValues::new(&table.axes[x]);
    let mut chart = Canvas::new(table, &[sorted.axis], HEIGHT, LEGEND);
    let (theme, range) = (chart.theme, range.widened(ROOM));
    let (first, last) = (sorted.values[0], sorted.values[sorted.values.len() - 1]);
    let (left, width, bottom, height) = (chart.left, chart.width, chart.bottom(), chart.height);
    let place = |value: f64| left + width * (0.03 + 0.94 * (value - first) / (last - first));
    let level = |lap: f64| bottom - height * (lap - range.fastest) / (range.slowest - range.fastest);

    for value in round_values(range.fastest, range.slowest, 9) {
        let y = level(value);
        let grid = r##"stroke="#dcdad4" stroke-width="1.5""##;
        chart.markup.straight([left, y], [left + width, y], format_args!("{grid}"));
        chart.tick_left(y, &format!("{value}"));
    }
    let frame = format!(r#"stroke="{}" stroke-width="2""#, theme.edge);
    chart.markup.straight([left, bottom], [left + width, bottom], format_args!("{frame}"));

    for value in round_values(first, last, 8) {
        chart.tick_below(place(value), &value_text(value));
    }

    // Failed combinations interrupt the line.
    let mut rows: Vec<(f64, Option<f64>)> =
        table.rows.iter().map(|row| (row.values[x], row.lap.map(|lap| lap.lap_time_s))).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let colour = &speed_colours()[16];
    for run in rows.split(|(_, lap)| lap.is_none()) {
        let points: Vec<Pixel> =
            run.iter().filter_map(|&(value, lap)| lap.map(|lap| [place(value), level(lap)])).collect();
        chart.markup.line(format_args!(
            r#"<path class="laps" d="{}" fill="none" stroke="{colour}" stroke-width="4" stroke-linejoin="round"/>"#,
            path_data(&points, false)
        ));
        let sparse = width / rows.len() as f64 > DOTS_ABOVE;
        for [x, y] in points.iter().filter(|_| sparse || points.len() == 1) {
            chart.markup.line(format_args!(r#"<circle cx="{}" cy="{}" r="6" fill="{colour}"/>"#, Short(*x), Short(*y)));
        }
    }
    for (value, _) in rows.iter().filter(|(_, lap)| lap.is_none()) {
        let (x, y) = (place(*value), bottom - 16.0);
        let stroke = format!(r#"stroke="{}" stroke-width="2.5""#, theme.edge);
        for side in [-7.0, 7.0] {
            chart.markup.straight([x - 7.0, y - side], [x + 7.0, y + side], format_args!("{stroke}"));
        }
    }

    let shown = match (sorted.axis.own, table.base) {
        (Some(own), Some(base))
            if shows_base(table, &[sorted.axis])
                && (first..=last).contains(&own)
                && (range.fastest..=range.slowest).contains(&base.lap_time_s) =>
        {
            base_mark(&mut chart.markup, [place(own), level(base.lap_time_s)], &theme);
            true
        }
        _ => false,
    };
    chart.name_below(&axis_name(sorted.axis));
    chart.name_left("lap time, s");
    legend(&mut chart, table, &sorted, shown);
    chart.finish()
}

fn legend(chart: &mut Canvas, table: &Table, sorted: &AxisValues<'_>, base_is_shown: bool) {
    let x = chart.right() + 44.0;
    let room = WIDTH - MARGIN - x;
    let (theme, mut y) = (chart.theme, chart.top + 26.0);
    if table.failed() > 0 {
        let stroke = format!(r#"stroke="{}" stroke-width="2.5""#, theme.edge);
        for side in [-7.0, 7.0] {
            chart.markup.straight([x + 8.0, y - 8.0 - side], [x + 22.0, y - 8.0 + side], format_args!("{stroke}"));
        }
        chart.markup.text([x + 48.0, y], TEXT_SIZE, "start", theme.ink, "no line");
        y += 56.0;
    }
    let (indent, heading) = if base_is_shown { (48.0, "base") } else { (0.0, "base, not shown") };
    if base_is_shown {
        base_mark(&mut chart.markup, [x + 15.0, y - 8.0], &theme);
    }
    chart.markup.text([x + indent, y], TEXT_SIZE, "start", theme.ink, heading);
    y += 6.0;
    for text in base_lines(table, &[sorted.axis]) {
        y += 32.0;
        chart.markup.text([x, y], TICK_SIZE, "start", theme.faint_ink, &fitted(&text, TICK_SIZE, room));
    }
}
