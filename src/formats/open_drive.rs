//! ASAM OpenDRIVE 1.6: one road, whose reference line is the racing line and whose only driving
//! lane reaches from the left edge to the right one.
//!
//! Each step of the line is a `paramPoly3`, the cubic Bézier curve of its handles, in the frame of
//! its start. The lane is the first to the right of the line `laneOffset`, which is the left edge,
//! so that traffic on the right drives in the direction of the line. Distances to the edges are
//! along the normal and linear between points. A road with heights has an elevation profile of
//! cubics and a superelevation that is linear between points; OpenDRIVE's s is the distance on the
//! map, not that in space.

use std::fmt::Write;

use super::lap_points::{climb, handles, lap_points};
use super::number::fixed;
use super::road_across::{Across, road_across};
use super::xml_text::Escaped;
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::file::LinePoint;
use raceline_numerics::math;

/// Decimals of positions, angles and coefficients. A coefficient of the third order counts as its
/// number in metres.
const DECIMALS: u8 = 8;

/// Largest height gained per metre that the elevation profile shows: a grade of 1.
const STEEPEST: f64 = std::f64::consts::FRAC_1_SQRT_2;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let number = |value| fixed(value, DECIMALS);
    let points = lap_points(line, &FormatOptions { closed_repeat: Some(true), ..*options });
    let across = road_across(line);
    let s_m = distances_on_the_map(&points);
    let length_m = s_m.last().copied().unwrap_or(0.0);
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for [x, y] in line.edges.left.iter().chain(&line.edges.right).copied() {
        low = [low[0].min(x), low[1].min(y)];
        high = [high[0].max(x), high[1].max(y)];
    }
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenDRIVE>\n\
         <header revMajor=\"1\" revMinor=\"6\" name=\"{}\" vendor=\"{}\" north=\"{}\" south=\"{}\" east=\"{}\" west=\"{}\"/>\n",
        Escaped(&line.name),
        Escaped(&line.generator),
        number(high[1]),
        number(low[1]),
        number(high[0]),
        number(low[0])
    );
    let _ = writeln!(
        text,
        "<road name=\"{}\" length=\"{}\" id=\"1\" junction=\"-1\" rule=\"RHT\">",
        Escaped(&line.name),
        number(length_m)
    );
    if line.closed {
        text.push_str(
            "<link>\n<predecessor elementType=\"road\" elementId=\"1\" contactPoint=\"end\"/>\n\
             <successor elementType=\"road\" elementId=\"1\" contactPoint=\"start\"/>\n</link>\n",
        );
    }
    text.push_str("<planView>\n");
    for (index, pair) in points.windows(2).enumerate() {
        geometry(&mut text, line, index, pair, [s_m[index], s_m[index + 1]]);
    }
    text.push_str("</planView>\n");
    profiles(&mut text, line, &points, &s_m);
    text.push_str("<lanes>\n");
    let ends = || s_m.windows(2).zip(across.iter().zip(across.iter().cycle().skip(1)));
    for (s_m, (from, to)) in ends() {
        let (slope, step) = (to.left_m - from.left_m, s_m[1] - s_m[0]);
        let _ = writeln!(
            text,
            "<laneOffset s=\"{}\" a=\"{}\" b=\"{}\" c=\"0\" d=\"0\"/>",
            number(s_m[0]),
            number(from.left_m),
            number(slope / step)
        );
    }
    text.push_str(
        "<laneSection s=\"0\">\n<center><lane id=\"0\" type=\"none\" level=\"false\"/></center>\n\
         <right>\n<lane id=\"-1\" type=\"driving\" level=\"false\">\n",
    );
    if line.closed {
        text.push_str("<link><predecessor id=\"-1\"/><successor id=\"-1\"/></link>\n");
    }
    let width = |across: &Across| across.left_m + across.right_m;
    for (s_m, (from, to)) in ends() {
        let step = s_m[1] - s_m[0];
        let _ = writeln!(
            text,
            "<width sOffset=\"{}\" a=\"{}\" b=\"{}\" c=\"0\" d=\"0\"/>",
            number(s_m[0]),
            number(width(from)),
            number((width(to) - width(from)) / step)
        );
    }
    for (point, &s_m) in line.points.iter().zip(&s_m) {
        let _ = writeln!(text, "<speed sOffset=\"{}\" max=\"{}\"/>", number(s_m), fixed(point.speed_mps, 4));
    }
    text.push_str("</lane>\n</right>\n</laneSection>\n</lanes>\n</road>\n</OpenDRIVE>\n");
    Ok(text.into_bytes())
}

/// Distance of each point along the line on the map, m. Where the line climbs, it is less than that in
/// space.
fn distances_on_the_map(points: &[LinePoint]) -> Vec<f64> {
    let mut distances = Vec::with_capacity(points.len());
    let (mut s_m, mut saved_m) = (0.0, 0.0);
    for (index, point) in points.iter().enumerate() {
        if let Some(before) = index.checked_sub(1).map(|before| points[before]) {
            let step_m = point.s_m - before.s_m;
            let height_m = point.z_m.zip(before.z_m).map_or(0.0, |(to, from)| (to - from).abs());
            // No step is steeper than the profile shows.
            let height_m = height_m.min(STEEPEST * step_m);
            // Not √(step² - height²), so that a level road keeps its distances to the last digit.
            saved_m += step_m - (step_m * step_m - height_m * height_m).sqrt();
        }
        s_m = f64::max(s_m, point.s_m - saved_m);
        distances.push(s_m);
    }
    distances
}

/// Elevation and superelevation of a road with heights.
fn profiles(text: &mut String, line: &RacingLine, points: &[LinePoint], s_m: &[f64]) {
    let number = |value| fixed(value, DECIMALS);
    let count = line.points.len().max(1);
    // Height per metre on the map.
    let grade = |index: usize| {
        let up = climb(line, index % count).clamp(-STEEPEST, STEEPEST);
        up / (1.0 - up * up).sqrt()
    };
    let mut elevations = String::new();
    let mut superelevations = String::new();
    for (index, (pair, s_m)) in points.windows(2).zip(s_m.windows(2)).enumerate() {
        let (Some(from), Some(to)) = (pair[0].z_m, pair[1].z_m) else { return };
        let step_m = s_m[1] - s_m[0];
        let mean = (to - from) / step_m;
        // The cubic with the heights and grades of both ends.
        let (begin, end) = (grade(index), grade(index + 1));
        let c = (3.0 * mean - 2.0 * begin - end) / step_m;
        let d = (begin + end - 2.0 * mean) / (step_m * step_m);
        let _ = writeln!(
            elevations,
            "<elevation s=\"{}\" a=\"{}\" b=\"{}\" c=\"{}\" d=\"{}\"/>",
            number(s_m[0]),
            number(from),
            number(begin),
            number(c),
            number(d)
        );
        let [from, to] = [pair[0], pair[1]].map(|point| point.banking_rad.unwrap_or(0.0));
        let _ = writeln!(
            superelevations,
            "<superelevation s=\"{}\" a=\"{}\" b=\"{}\" c=\"0\" d=\"0\"/>",
            number(s_m[0]),
            number(from),
            number((to - from) / step_m)
        );
    }
    let _ = writeln!(text, "<elevationProfile>\n{elevations}</elevationProfile>");
    let _ = writeln!(text, "<lateralProfile>\n{superelevations}</lateralProfile>");
}

/// One step of the line, from `index` to the point after it, at the distances `s_m` on the map.
fn geometry(text: &mut String, line: &RacingLine, index: usize, pair: &[LinePoint], s_m: [f64; 2]) {
    let number = |value| fixed(value, DECIMALS);
    let (from, to) = (pair[0], pair[1]);
    let count = line.points.len().max(1);
    let ([_, out], [into, _]) = (handles(line, index % count), handles(line, (index + 1) % count));
    let end = [to.x_m - from.x_m, to.y_m - from.y_m];
    let into = if line.closed || index + 1 < count { into } else { [0.0; 3] };
    // Control points in the frame of the start, along the heading and to the left of it.
    let (sin, cos) = math::sin_cos(from.heading_rad);
    let turned = |[x, y]: [f64; 2]| [x * cos + y * sin, y * cos - x * sin];
    let (first, last) = (turned([out[0], out[1]]), turned(end));
    let second = turned([end[0] + into[0], end[1] + into[1]]);
    let coefficients = [0, 1].map(|axis| {
        [3.0 * first[axis], 3.0 * (second[axis] - 2.0 * first[axis]), 3.0 * (first[axis] - second[axis]) + last[axis]]
    });
    let [[b_u, c_u, d_u], [b_v, c_v, d_v]] = coefficients;
    let _ = writeln!(
        text,
        "<geometry s=\"{}\" x=\"{}\" y=\"{}\" hdg=\"{}\" length=\"{}\"><paramPoly3 pRange=\"normalized\" aU=\"0\" \
         bU=\"{}\" cU=\"{}\" dU=\"{}\" aV=\"0\" bV=\"{}\" cV=\"{}\" dV=\"{}\"/></geometry>",
        number(s_m[0]),
        number(from.x_m),
        number(from.y_m),
        number(from.heading_rad),
        number(s_m[1] - s_m[0]),
        number(b_u),
        number(c_u),
        number(d_u),
        number(b_v),
        number(c_v),
        number(d_v)
    );
}
