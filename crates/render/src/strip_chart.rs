//! A quantity over the distance along a line, as a strip under the map: the height, the speed by that
//! of another line, or what a car does.

use super::colour_scale::{ColourBy, ColourScale};
use super::legend::{round_length, round_values};
use super::markup::{Markup, Pixel, Short, path_data};
use super::palette::Theme;
use raceline::RacingLine;
use raceline::file::LinePoint;

/// Height of the strip, nominal pixels.
pub(super) const CHART_HEIGHT: f64 = 230.0;
/// Space at its sides, nominal pixels.
const MARGIN: f64 = 56.0;
/// Space for the heights at the left.
const LABELS: f64 = 70.0;
/// Height of the curve's area.
const CURVE_HEIGHT: f64 = 130.0;
const TEXT_SIZE: f64 = 22.0;
/// Smallest range of heights, metres, so that a flat road does not look hilly.
const MIN_RANGE_M: f64 = 5.0;

/// Smallest and largest ends of the axis of a ratio, per cent to either side.
const MIN_RATIO: f64 = 1.0;
const LARGEST_RATIO: f64 = 30.0;

/// The values at the points of a line.
pub(super) struct StripChart {
    class: &'static str,
    values: Vec<f64>,
    /// Ends of the vertical axis; values beyond are drawn at its ends.
    range: (f64, f64),
    unit: &'static str,
    /// Number of values at the axis, about.
    labels: usize,
    /// Where the area under or over the curve begins.
    base: f64,
    /// Caption, where the picture does not show what is drawn.
    caption: &'static str,
}

impl StripChart {
    /// Heights at the points of a line, if it has them.
    pub(super) fn elevation(line: &RacingLine) -> Option<Self> {
        let heights = line.points.iter().map(|point| point.z_m).collect::<Option<Vec<f64>>>();
        let values = heights.filter(|heights| heights.len() > 1)?;
        let (low, high) =
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &z| (low.min(z), high.max(z)));
        let missing = (MIN_RANGE_M - (high - low)).max(0.0);
        let range = (low - 0.5 * missing, high + 0.5 * missing);
        Some(Self { class: "elevation", values, range, unit: "m", labels: 3, base: range.0, caption: "" })
    }

    /// Steering, pedal, sideslip and yaw rate of a car, if the line has them.
    pub(super) fn of_car(line: &RacingLine) -> Vec<Self> {
        let degrees = |angle: Option<f64>| angle.map(f64::to_degrees);
        let chart = |class, caption, unit, min: f64, value: &dyn Fn(&LinePoint) -> Option<f64>| {
            let values =
                line.points.iter().map(value).collect::<Option<Vec<f64>>>().filter(|values| values.len() > 1)?;
            let range = values.iter().fold((-min, min), |(low, high), &x| (low.min(x), high.max(x)));
            Some(Self { class, values, range, unit, labels: 5, base: 0.0, caption })
        };
        let charts = [
            chart("steering", "steering angle, positive to the left", "°", 1.0, &|point| degrees(point.steering_rad)),
            chart("pedal", "drive, or brakes below 0", "%", 10.0, &|point| point.pedal.map(|pedal| 100.0 * pedal)),
            chart("sideslip", "from the body to its course, positive to the left", "°", 1.0, &|point| {
                degrees(point.sideslip_rad)
            }),
            chart("yaw-rate", "yaw rate, positive to the left", "°/s", 5.0, &|point| degrees(point.yaw_rate_radps)),
        ];
        charts.into_iter().flatten().collect()
    }

    /// The values of a scale of speeds by those of another line, if it is one.
    pub(super) fn speed_ratio(scale: &ColourScale) -> Option<Self> {
        let values = scale.values.clone();
        if scale.by != ColourBy::SpeedRatio || values.len() < 2 {
            return None;
        }
        let (low, high) = values.iter().fold((-MIN_RATIO, MIN_RATIO), |(low, high), &x| (low.min(x), high.max(x)));
        let range = (low.max(-LARGEST_RATIO), high.min(LARGEST_RATIO));
        let caption = "speed by that of the other line";
        Some(Self { class: "speed-ratio-chart", values, range, unit: "%", labels: 3, base: 0.0, caption })
    }
}

/// Draws the chart of the values at the points of `line`, in a strip that begins at `top`.
pub(super) fn draw(
    markup: &mut Markup,
    line: &RacingLine,
    chart: &StripChart,
    (top, width, unit): (f64, f64, f64),
    theme: &Theme,
) {
    let (low, high) = chart.range;
    let heights = &chart.values;
    let (left, right) = (unit * (MARGIN + LABELS), width - unit * MARGIN);
    let bottom = top + unit * CURVE_HEIGHT;
    let place = |s: f64, z: f64| -> Pixel {
        let fraction = (z.clamp(low, high) - low) / (high - low);
        [left + (right - left) * s / line.length_m, bottom - unit * CURVE_HEIGHT * fraction]
    };
    let mut curve: Vec<Pixel> =
        line.points.iter().zip(heights).map(|(point, &height)| place(point.s_m, height)).collect();
    if line.closed {
        curve.push(place(line.length_m, heights[0]));
    }
    let mut area = curve.clone();
    let [_, base] = place(0.0, chart.base);
    area.extend([[area[area.len() - 1][0], base], [curve[0][0], base]]);
    let ink = theme.faint_ink;
    markup.group(format_args!(r#"class="{}""#, chart.class), |markup| {
        markup.line(format_args!(r#"<path d="{}" fill="{}"/>"#, path_data(&area, true), theme.road));
        markup.line(format_args!(
            r#"<path d="{}" fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round"/>"#,
            path_data(&curve, false),
            theme.ink,
            Short(2.5 * unit)
        ));
        let size = TEXT_SIZE * unit;
        if !chart.caption.is_empty() {
            markup.text([left, top - 14.0 * unit], size, "start", ink, chart.caption);
        }
        for height in round_values(low, high, chart.labels) {
            let [_, y] = place(0.0, height);
            markup.straight(
                [left, y],
                [right, y],
                format_args!(r#"stroke="{ink}" stroke-opacity="0.3" stroke-width="{}""#, Short(unit)),
            );
            markup.text(
                [left - 10.0 * unit, y + 0.35 * size],
                size,
                "end",
                ink,
                &format!("{} {}", height + 0.0, chart.unit),
            );
        }
        let step = round_length(line.length_m / 4.0);
        let ticks = (0..).map(|k| f64::from(k) * step).take_while(|s| *s <= line.length_m);
        for s in ticks {
            let [x, _] = place(s, low);
            markup.text([x, bottom + 30.0 * unit], size, "middle", ink, &format!("{} m", s + 0.0));
        }
    });
}
