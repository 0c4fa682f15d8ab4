//! A map of Lanelet2, as Autoware loads it: lanelets one after another, whose bounds are the edges of the road
//! and whose centre lines are the racing line.

use std::fmt::Write;

use super::geographic::Degrees;
use super::geojson::DEGREE_DECIMALS;
use super::heights::{HEIGHT_DECIMALS, Place};
use super::number::fixed;
use super::road_across::road_across;
use super::xml_text::Escaped;
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use raceline_numerics::math;

/// Length of a lanelet, metres; the last one of a lap is as long as what is left.
const LANELET_M: f64 = 50.0;
/// km/h in a metre per second.
const KMPH: f64 = 3.6;
/// Role and type of the lines of a lanelet.
const LINES: [(&str, &str); 3] = [("left", "line_thin"), ("right", "line_thin"), ("centerline", "virtual")];

/// The three places across the road at each point, with their heights.
fn places(line: &RacingLine) -> Vec<[Place; 3]> {
    let across = road_across(line);
    let place = |(point, across): (&crate::file::LinePoint, &super::road_across::Across)| {
        let (sin, cos) = math::sin_cos(point.heading_rad);
        let rise = math::tan(point.banking_rad.unwrap_or(0.0));
        let beside = |left_m: f64| {
            let position = [point.x_m - sin * left_m, point.y_m + cos * left_m];
            (position, point.z_m.map(|z| z + left_m * rise))
        };
        [beside(across.left_m), beside(-across.right_m), beside(0.0)]
    };
    line.points.iter().zip(&across).map(place).collect()
}

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    // Autoware's projector "local" reads the metres alone.
    let has_origin = options.geographic_origin_deg.or(line.source.geographic_origin_deg).is_some();
    let degrees = has_origin.then(|| Degrees::new(line, options, "lanelet2")).transpose()?;
    let places = places(line);
    let count = places.len();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<osm version=\"0.6\" generator=\"{}\">\n",
        Escaped(&line.generator)
    );
    let node = |index: usize, side: usize| 1 + 3 * index + side;
    for (index, across) in places.iter().enumerate() {
        for (side, &([x, y], z_m)) in across.iter().enumerate() {
            let (longitude, latitude) = match &degrees {
                Some(degrees) => {
                    let [longitude, latitude] = degrees.of([x, y], || format!("points[{index}]"))?;
                    (fixed(longitude, DEGREE_DECIMALS).to_string(), fixed(latitude, DEGREE_DECIMALS).to_string())
                }
                None => (String::new(), String::new()),
            };
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "<node id=\"{}\" lat=\"{latitude}\" lon=\"{longitude}\"><tag k=\"local_x\" v=\"{}\"/><tag k=\"local_y\" \
                 v=\"{}\"/><tag k=\"ele\" v=\"{}\"/></node>",
                node(index, side),
                fixed(x, 4),
                fixed(y, 4),
                z_m.map_or(fixed(0.0, 1), |z| fixed(z, HEIGHT_DECIMALS))
            );
        }
    }
    let lanelets = lanelets(line);
    let way = |lanelet: usize, side: usize| 3 * count + 1 + 3 * lanelet + side;
    for (lanelet, indices) in lanelets.iter().enumerate() {
        for (side, (_, kind)) in LINES.iter().enumerate() {
            let _ = write!(text, "<way id=\"{}\">", way(lanelet, side));
            for &index in indices {
                let _ = write!(text, "<nd ref=\"{}\"/>", node(index, side));
            }
            let _ = writeln!(text, "<tag k=\"type\" v=\"{kind}\"/></way>");
        }
    }
    for (lanelet, indices) in lanelets.iter().enumerate() {
        let _ = write!(text, "<relation id=\"{}\">", way(lanelets.len(), 0) + lanelet);
        for (side, (role, _)) in LINES.iter().enumerate() {
            let _ = write!(text, "<member type=\"way\" ref=\"{}\" role=\"{role}\"/>", way(lanelet, side));
        }
        let speeds = indices.iter().filter_map(|&index| line.points.get(index)).map(|point| point.speed_mps);
        let limit = KMPH * speeds.fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "<tag k=\"type\" v=\"lanelet\"/><tag k=\"subtype\" v=\"road\"/><tag k=\"location\" v=\"private\"/>\
             <tag k=\"one_way\" v=\"yes\"/><tag k=\"participant:vehicle\" v=\"yes\"/><tag k=\"speed_limit\" v=\"{}\"/>\
             </relation>",
            fixed(limit, 1)
        );
    }
    text.push_str("</osm>\n");
    Ok(text.into_bytes())
}

/// The points of each lanelet; the last of one is the first of the next, and of a closed line the last of all is
/// the first.
fn lanelets(line: &RacingLine) -> Vec<Vec<usize>> {
    let mut lanelets: Vec<Vec<usize>> = Vec::new();
    let mut here: Vec<usize> = Vec::new();
    for (index, point) in line.points.iter().enumerate() {
        here.push(index);
        let from_m = here.first().and_then(|&first| line.points.get(first)).map_or(0.0, |first| first.s_m);
        if here.len() > 1 && point.s_m - from_m >= LANELET_M && index + 1 < line.points.len() {
            lanelets.push(std::mem::replace(&mut here, vec![index]));
        }
    }
    if line.closed {
        here.push(0);
    }
    if here.len() > 1 {
        lanelets.push(here);
    }
    lanelets
}
