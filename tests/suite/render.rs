//! Pictures of lines.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::slice::from_ref;

use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, analyse, braking_zones};
use raceline_render::palette::{Background, LEVELS, diverging_colours};
use raceline_render::svg::RenderOptions;
use raceline_render::{Backdrop, ColourBy, RenderError, png, svg};
use resvg::usvg::roxmltree::{Document, Node};

use crate::sample_lines;

fn picture(lines: &[RacingLine], options: RenderOptions) -> String {
    svg::render(lines, &options).unwrap()
}

fn of_class<'a, 'input>(document: &'a Document<'input>, class: &'a str) -> Vec<Node<'a, 'input>> {
    document.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

fn texts(document: &Document<'_>) -> Vec<String> {
    document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_picture_holds_road_line_candidates_legend_and_scale() {
    let line = sample_lines::winding();
    let text = picture(from_ref(&line), RenderOptions { sections: true, ..RenderOptions::default() });
    let document = Document::parse(&text).unwrap();
    assert_eq!(of_class(&document, "road").len(), 1);
    assert_eq!(of_class(&document, "candidate").len(), 2, "the chosen one is not drawn twice");
    assert_eq!(of_class(&document, "sections").len(), 1);
    assert_eq!(of_class(&document, "start").len(), 1);
    let texts = texts(&document);
    for expected in ["Winding & Sons", "m/s", "km/h", "100 m", "cross-sections", "start and direction"] {
        assert!(texts.iter().any(|text| text == expected), "{expected} in {texts:?}");
    }
    for method in ["shortest-path", "min-curvature", "blend"] {
        assert!(texts.iter().any(|text| text.starts_with(&format!("{method}  1:"))), "{method} in {texts:?}");
    }
}

#[test]
fn neighbouring_points_of_one_colour_share_a_polyline() {
    let mut line = sample_lines::circle(50.0, 500);
    let runs = |line: &RacingLine| {
        let text = picture(from_ref(line), RenderOptions::default());
        let document = Document::parse(&text).unwrap();
        of_class(&document, "speed")[0].children().filter(Node::is_element).count()
    };
    assert_eq!(runs(&line), 1, "constant speed, one colour");
    line.points[250..].iter_mut().for_each(|point| point.speed_mps = 30.0);
    assert_eq!(runs(&line), 4, "two speeds and the pieces that lead from one to the other");
    let winding = sample_lines::winding();
    assert!(runs(&winding) < winding.points.len() * 2 / 3);
}

#[test]
fn sections_and_candidates_are_drawn_on_demand_only() {
    let line = sample_lines::stadium();
    let text = picture(from_ref(&line), RenderOptions { candidates: false, ..RenderOptions::default() });
    let document = Document::parse(&text).unwrap();
    assert!(of_class(&document, "sections").is_empty() && of_class(&document, "candidate").is_empty());
    let bare = sample_lines::circle(50.0, 20);
    let error = svg::render(&[bare], &RenderOptions { sections: true, ..RenderOptions::default() }).unwrap_err();
    assert!(matches!(error, RenderError::NoSections { .. }) && error.to_string().contains("no cross-sections"));
}

#[test]
fn further_lines_get_a_legend_row_and_share_the_road() {
    let first = sample_lines::circle(50.0, 60);
    let mut second = first.clone();
    second.vehicle.name = "kart".to_owned();
    let mut elsewhere = sample_lines::circle(80.0, 60);
    elsewhere.name = "other <ring>".to_owned();
    let text = picture(&[first, second, elsewhere], RenderOptions::default());
    let document = Document::parse(&text).unwrap();
    assert_eq!(of_class(&document, "road").len(), 2);
    assert_eq!(of_class(&document, "candidate").len(), 2);
    let texts = texts(&document);
    assert!(texts.iter().any(|text| text.starts_with("blend, kart")), "{texts:?}");
    assert!(texts.iter().any(|text| text.starts_with("other <ring>, blend")), "{texts:?}");
}

/// Every position in the path data of `node` and of the elements in it.
fn positions(node: Node<'_, '_>) -> Vec<[f64; 2]> {
    node.descendants()
        .filter_map(|node| node.attribute("d"))
        .flat_map(|data| {
            data.split(['M', 'L', 'Z']).filter(|pair| !pair.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        })
        .map(|pair| {
            let (x, y) = pair.split_once(' ').unwrap();
            [x.parse().unwrap(), y.parse().unwrap()]
        })
        .collect()
}

#[test]
fn text_keeps_off_the_road_and_on_the_canvas() {
    let mut tall = sample_lines::winding();
    for vertex in tall.edges.left.iter_mut().chain(&mut tall.edges.right) {
        vertex.swap(0, 1);
    }
    for point in &mut tall.points {
        (point.x_m, point.y_m) = (point.y_m, point.x_m);
    }
    let many: Vec<RacingLine> = std::iter::repeat_n(sample_lines::stadium(), 9).collect();
    let sizes = [(1600, None), (800, None), (1600, Some(700)), (900, Some(1400)), (240, Some(240))];
    for lines in [vec![sample_lines::winding()], vec![sample_lines::stadium()], vec![tall], many] {
        for (width_px, height_px) in sizes {
            let svg = picture(&lines, RenderOptions { width_px, height_px, ..RenderOptions::default() });
            let document = Document::parse(&svg).unwrap();
            let size = |name: &str| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
            let (width, height) = (size("width"), size("height"));
            let road = positions(of_class(&document, "road")[0]);
            for node in document.descendants().filter(|node| node.has_tag_name("text")) {
                let number = |name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
                let (x, y, font) = (number("x"), number("y"), number("font-size"));
                // A sans-serif character is about half as wide as its font is high.
                let length = 0.55 * font * node.text().unwrap().chars().count() as f64;
                let left = if node.attribute("text-anchor") == Some("middle") { x - length / 2.0 } else { x };
                let label = format!("{:?} at {x}, {y} of {width} x {height}", node.text());
                assert!(
                    left >= 0.0 && left + length <= width && y - font >= 0.0 && y + 0.3 * font <= height,
                    "{label}"
                );
                let hit = |&&[px, py]: &&[f64; 2]| {
                    (left..left + length).contains(&px) && (y - font..y + 0.3 * font).contains(&py)
                };
                assert_eq!(road.iter().find(hit), None, "{label}");
            }
        }
    }
}

#[test]
fn a_name_that_means_something_in_xml_stays_text() {
    let mut line = sample_lines::circle(50.0, 20);
    line.name = "</text><script>\"&\u{0}\u{1b}".to_owned();
    let text = picture(from_ref(&line), RenderOptions::default());
    let document = Document::parse(&text).unwrap();
    assert!(texts(&document).iter().any(|text| text.starts_with("</text><script>\"&")));
}

#[test]
fn lines_without_extent_and_odd_sizes_are_errors() {
    assert_eq!(svg::render(&[], &RenderOptions::default()), Err(RenderError::NoLine));
    let mut line = sample_lines::circle(50.0, 4);
    let size = |width_px, height_px| {
        svg::render(
            &[sample_lines::circle(50.0, 9)],
            &RenderOptions { width_px, height_px, ..RenderOptions::default() },
        )
    };
    for (width, height) in [(0, None), (239, None), (1600, Some(0)), (20_000, None), (1600, Some(u32::MAX))] {
        assert!(matches!(size(width, height), Err(RenderError::Size { .. })), "{width} {height:?}");
    }
    line.edges.left.iter_mut().chain(&mut line.edges.right).for_each(|vertex| *vertex = [1.0, 1.0]);
    line.points.iter_mut().for_each(|point| (point.x_m, point.y_m) = (1.0, 1.0));
    assert!(matches!(svg::render(&[line], &RenderOptions::default()), Err(RenderError::NoExtent { .. })));
}

/// Decodes a PNG to 8-bit RGBA.
fn decode(bytes: &[u8]) -> image::RgbaImage {
    image::load_from_memory(bytes).unwrap().to_rgba8()
}

#[test]
fn the_png_has_the_size_asked_for_and_shows_road_line_and_text() {
    let line = sample_lines::stadium();
    let options = RenderOptions { width_px: 640, height_px: Some(400), ..RenderOptions::default() };
    let picture = decode(&png::render(from_ref(&line), &options).unwrap());
    assert_eq!(picture.dimensions(), (640, 400));
    let count = |test: &dyn Fn(&[u8; 4]) -> bool| picture.pixels().filter(|pixel| test(&pixel.0)).count();
    let near = |a: &[u8; 4], b: [u8; 3]| a.iter().zip(b).all(|(&a, b)| a.abs_diff(b) < 6);
    assert!(count(&|p| near(p, [0x23, 0x26, 0x2c])) > 2000, "road");
    assert!(count(&|p| p[1] > 180 && p[2] < 90) > 50, "fast part of the line");
    // The title's letters: without a font there would be none.
    let ink = picture.enumerate_pixels().filter(|(x, y, p)| *x < 300 && *y < 60 && p.0[0] < 100).count();
    assert!(ink > 60, "title has {ink} dark pixels");
}

#[test]
fn the_same_line_gives_the_same_picture() {
    let line = sample_lines::circle(50.0, 60);
    let options = RenderOptions { width_px: 320, ..RenderOptions::default() };
    assert_eq!(png::render(from_ref(&line), &options), png::render(from_ref(&line), &options));
}

#[test]
fn a_transparent_page_lets_through_what_lies_behind() {
    let line = sample_lines::circle(50.0, 60);
    let corner = |background| {
        let options = RenderOptions { width_px: 320, background, ..RenderOptions::default() };
        decode(&png::render(from_ref(&line), &options).unwrap()).get_pixel(0, 0).0
    };
    assert_eq!(corner(Background::Transparent), [0, 0, 0, 0]);
    assert_eq!(corner(Background::Dark)[3], 255);
}

#[test]
fn the_line_has_the_colours_of_the_quantity() {
    // Driving on the first half, braking on the second.
    let mut line = sample_lines::circle(50.0, 40);
    for (index, point) in line.points.iter_mut().enumerate() {
        point.accel_mps2 = if index < 20 { 4.0 } else { -8.0 };
    }
    let strokes = |colour_by: ColourBy, units: &[&str]| {
        let text = picture(from_ref(&line), RenderOptions { colour_by, ..RenderOptions::default() });
        let document = Document::parse(&text).unwrap();
        let texts = texts(&document);
        assert!(units.iter().all(|unit| texts.iter().any(|text| text == unit)), "{units:?} in {texts:?}");
        let group = of_class(&document, colour_by.name());
        assert_eq!(group.len(), 1);
        group[0].children().filter_map(|node| node.attribute("stroke")).map(str::to_owned).collect::<Vec<_>>()
    };
    let colours = diverging_colours();
    let level = |value: f64, max: f64| ((value / max + 1.0) / 2.0 * LEVELS as f64) as usize;
    let acceleration = strokes(ColourBy::Acceleration, &["m/s²", "g", "-5", "0", "5"]);
    let mean = &colours[level(-2.0, 8.0)];
    assert_eq!(
        acceleration,
        [&colours[level(4.0, 8.0)], mean, &colours[0], mean].map(String::clone),
        "the range is that of the larger sign"
    );
    let curvature = strokes(ColourBy::Curvature, &["1/m", "right", "left", "0.02"]);
    assert_eq!(curvature, [colours[LEVELS - 1].as_str()], "a left bend, as sharp as any");
}

#[test]
fn a_speed_ratio_has_colours_and_a_chart() {
    let line = sample_lines::circle(50.0, 90);
    let mut slower = line.clone();
    slower.points[..45].iter_mut().for_each(|point| point.speed_mps = 17.0);
    let options = RenderOptions { colour_by: ColourBy::SpeedRatio, ..RenderOptions::default() };
    let text = picture(&[slower, line.clone()], options.clone());
    let document = Document::parse(&text).unwrap();
    let strokes: Vec<&str> =
        of_class(&document, "speed-ratio")[0].children().filter_map(|node| node.attribute("stroke")).collect();
    let colours = diverging_colours();
    assert!(strokes.contains(&colours[0].as_str()), "slower is orange");
    assert!(strokes.contains(&colours[LEVELS / 2].as_str()), "as fast is the middle");
    assert_eq!(of_class(&document, "speed-ratio-chart").len(), 1);
    let texts = texts(&document);
    for expected in ["slower", "faster", "-10 %", "0 %", "300 m", "speed by that of the other line"] {
        assert!(texts.iter().any(|text| text == expected), "{expected} in {texts:?}");
    }
    let error = svg::render(from_ref(&line), &options).unwrap_err();
    assert!(matches!(error, RenderError::NoSecondLine), "{error}");
}

#[test]
fn deviation_is_measured_from_the_second_line() {
    let (inner, outer) = (sample_lines::circle(50.0, 90), sample_lines::circle(51.0, 60));
    let options = RenderOptions { colour_by: ColourBy::Deviation, ..RenderOptions::default() };
    let stroke = |lines: &[RacingLine]| {
        let text = picture(lines, options.clone());
        let document = Document::parse(&text).unwrap();
        let group = of_class(&document, "deviation")[0];
        let strokes: Vec<String> =
            group.children().filter_map(|node| node.attribute("stroke")).map(str::to_owned).collect();
        strokes
    };
    let colours = diverging_colours();
    let near = |strokes: Vec<String>, ends: &[String]| {
        assert!(strokes.iter().all(|stroke| ends.contains(stroke)), "{strokes:?}");
    };
    // Driven counter-clockwise the inner circle lies to the left.
    near(stroke(&[inner.clone(), outer.clone()]), &colours[LEVELS - 3..]);
    near(stroke(&[outer, inner.clone()]), &colours[..3]);
    let error = svg::render(from_ref(&inner), &options).unwrap_err();
    assert!(matches!(error, RenderError::NoSecondLine) && error.to_string().contains("second"));
    let error = svg::render(&[inner, sample_lines::circle(90.0, 60)], &options).unwrap_err();
    assert!(matches!(error, RenderError::Analysis { .. }), "{error}");
}

#[test]
fn corners_are_numbered_beside_the_road_and_apart() {
    for (line, min) in [(sample_lines::stadium(), 2), (sample_lines::winding(), 7)] {
        let text = picture(from_ref(&line), RenderOptions::default());
        let document = Document::parse(&text).unwrap();
        let apexes = of_class(&document, "apex").len();
        assert!(apexes >= min, "{apexes} apexes");
        let corners = of_class(&document, "corners")[0];
        let numbers: Vec<_> = corners.children().filter(|node| node.has_tag_name("text")).collect();
        let names: Vec<String> = numbers.iter().map(|node| node.text().unwrap().to_owned()).collect();
        let found = analyse(&line, &AnalysisOptions::default()).unwrap().corners;
        assert_eq!(names, found.iter().map(|corner| corner.number.to_string()).collect::<Vec<_>>());
        assert_eq!(found.len(), apexes);
        let number = |node: &Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let discs: Vec<[f64; 3]> = corners
            .children()
            .filter(|node| node.has_tag_name("circle") && node.attribute("class").is_none())
            .map(|node| ["cx", "cy", "r"].map(|name| number(&node, name)))
            .collect();
        assert_eq!(discs.len(), numbers.len());
        let road = positions(of_class(&document, "road")[0]);
        for (index, [x, y, r]) in discs.iter().enumerate() {
            assert!(discs[..index].iter().all(|[a, b, other]| (a - x).hypot(b - y) > r + other), "{names:?}");
            assert!(road.iter().all(|[a, b]| (a - x).hypot(b - y) > *r), "disc {index} lies on the road");
        }
        let bare = picture(from_ref(&line), RenderOptions { corners: false, ..RenderOptions::default() });
        let bare = Document::parse(&bare).unwrap();
        assert!(of_class(&bare, "apex").is_empty() && of_class(&bare, "corners").is_empty());
        assert!(texts(&document).iter().any(|text| text.starts_with("corners")));
        assert!(!texts(&bare).iter().any(|text| text.starts_with("corners")));
    }
}

#[test]
fn braking_is_more_than_drag_slows_down() {
    let mut line = sample_lines::circle(50.0, 40);
    let step = line.points[1].s_m;
    assert!(braking_zones(&line).is_empty());
    // 0.75 kg/m at 20 m/s slows 1200 kg down by 0.25 m/s².
    line.points[5..12].iter_mut().for_each(|point| point.accel_mps2 = -0.7);
    assert!(braking_zones(&line).is_empty(), "no brakes: drag and engine");
    line.points[5..12].iter_mut().for_each(|point| point.accel_mps2 = -0.8);
    let zones = braking_zones(&line);
    assert_eq!(zones.len(), 1);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    near(zones[0].from_s_m, 5.0 * step);
    near(zones[0].to_s_m, 12.0 * step);
    near(zones[0].time_s, 7.0 * step / 20.0);
    // Another that runs over the start line begins before it ends.
    for index in [38, 39, 0] {
        line.points[index].accel_mps2 = -9.0;
    }
    let zones = braking_zones(&line);
    assert_eq!(zones.len(), 2);
    near(zones[1].from_s_m, 38.0 * step);
    near(zones[1].to_s_m, step);
    let text = picture(from_ref(&line), RenderOptions::default());
    let document = Document::parse(&text).unwrap();
    assert_eq!(of_class(&document, "braking")[0].children().filter(Node::is_element).count(), 2);
    assert!(texts(&document).iter().any(|text| text == "braking"));
    let bare = picture(from_ref(&line), RenderOptions { braking: false, ..RenderOptions::default() });
    assert!(of_class(&Document::parse(&bare).unwrap(), "braking").is_empty());
}

/// A PNG in one colour.
fn plain_png(width: u32, height: u32, colour: [u8; 3]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(width, height, image::Rgb(colour))
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

#[test]
fn the_source_picture_lies_where_it_was_taken() {
    let mut line = sample_lines::circle(50.0, 60);
    line.source.metres_per_pixel = Some(2.0);
    line.source.origin_m = [-60.0, -80.0];
    // 120 m wide and 160 m high about the circle's middle.
    let backdrop = Backdrop::new("ground.png", &plain_png(60, 80, [250, 0, 0]), &line).unwrap();
    let options = RenderOptions { backdrop: Some(backdrop), corners: false, ..RenderOptions::default() };
    let text = picture(from_ref(&line), options.clone());
    let document = Document::parse(&text).unwrap();
    let image = of_class(&document, "backdrop")[0];
    let [x, y, width, height] =
        ["x", "y", "width", "height"].map(|name| image.attribute(name).unwrap().parse::<f64>().unwrap());
    assert!(image.attribute("href").unwrap().starts_with("data:image/png;base64,iVBOR"));
    // The road is the ring of 55 m radius about the same middle.
    let road = positions(of_class(&document, "road")[0]);
    let (low, high) = road.iter().fold(([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]), |(low, high), at| {
        ([low[0].min(at[0]), low[1].min(at[1])], [high[0].max(at[0]), high[1].max(at[1])])
    });
    let scale = (high[0] - low[0]) / 110.0;
    for (found, expected) in [
        (width, 120.0 * scale),
        (height, 160.0 * scale),
        (x + width / 2.0, (low[0] + high[0]) / 2.0),
        (y + height / 2.0, (low[1] + high[1]) / 2.0),
    ] {
        assert!((found - expected).abs() < 2.0, "{found} is not {expected}");
    }
    let picture = decode(&png::render(from_ref(&line), &RenderOptions { width_px: 480, ..options }).unwrap());
    let red = picture.pixels().filter(|pixel| pixel.0[0] > 200 && pixel.0[1] < 140).count();
    assert!(red > 20_000, "{red} red pixels");
}

#[test]
fn a_backdrop_needs_a_picture_and_a_scale() {
    let mut line = sample_lines::circle(50.0, 20);
    let error = Backdrop::new("x.png", b"no picture", &line).unwrap_err();
    assert!(matches!(&error, RenderError::Backdrop(message) if message.contains("x.png")), "{error}");
    line.source.metres_per_pixel = None;
    let error = Backdrop::new("x.png", &plain_png(4, 4, [0; 3]), &line).unwrap_err();
    assert!(
        matches!(error, RenderError::NoScale { .. }) && error.to_string().contains("draw it without a background"),
        "{error}"
    );
}

#[test]
fn what_a_car_does_has_charts_where_the_line_has_it() {
    let plain = sample_lines::circle(50.0, 90);
    let mut line = plain.clone();
    for point in &mut line.points {
        (point.steering_rad, point.pedal) = (Some(0.1), Some(-0.4));
        (point.sideslip_rad, point.yaw_rate_radps) = (Some(-0.02), Some(0.4));
    }
    let charts = |line: &RacingLine, height_px: Option<u32>| {
        let text = picture(from_ref(line), RenderOptions { height_px, inputs: true, ..RenderOptions::default() });
        let document = Document::parse(&text).unwrap();
        ["steering", "pedal", "sideslip", "yaw-rate"].map(|class| of_class(&document, class).len())
    };
    assert_eq!(charts(&line, None), [1; 4]);
    assert_eq!(charts(&plain, None), [0; 4]);
    // A picture of a given height keeps half of it for the map.
    assert_eq!(charts(&line, Some(1000)), [1, 1, 0, 0]);
    // Nor does a small one leave less than a map needs.
    let small = RenderOptions { width_px: 640, height_px: Some(420), inputs: true, ..RenderOptions::default() };
    let text = picture(from_ref(&line), small);
    assert_eq!(of_class(&Document::parse(&text).unwrap(), "steering").len(), 1);
    // Without being asked for, they are not drawn.
    let text = picture(from_ref(&line), RenderOptions::default());
    assert_eq!(of_class(&Document::parse(&text).unwrap(), "steering").len(), 0);
}
