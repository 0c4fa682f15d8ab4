//! Odd pictures: each ends in a track that holds to its promises, or in an error that names a cause
//! and a remedy.
//!
//! A picture is fed as encoded bytes through every stage up to the cross-sections. Lengths come
//! from the paths that the roads were drawn along.
//! `cargo test --test suite odd_pictures:: -- --nocapture` prints one line a picture.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::f64::consts::PI;

use crate::drawing;
use crate::odd::case::{Case, Expected, check};
use crate::odd::files::{jpeg, jpeg_with_orientation, png};
use crate::odd::paths::{self, Path};
use crate::odd::{Canvas, Noise, between, disc, negative, rectangle};
use image::{GrayImage, ImageBuffer, Luma, Rgba, RgbaImage};
use raceline::edges::RoadShape;

fn closed(path: &Path) -> Expected {
    Expected::Closed(path.length(), 0.02)
}

/// An open road's centre line ends up to half a width before the round ends.
fn open(path: &Path, width: f64) -> Expected {
    Expected::Open(path.length() + width / 2.0, 0.02 + width / 2.0 / path.length())
}

fn refused(variant: &'static str, words: &[&'static str]) -> Expected {
    Expected::Refused(variant, words.to_vec())
}

/// A light road on dark ground with grey levels.
fn soft(name: &str, canvas: &Canvas, expected: Expected) -> Case {
    Case::new(name, png(canvas.soft()), expected)
}

/// A picture light on dark and dark on light.
fn both_ways(name: &str, picture: GrayImage, expected: &Expected) -> [Case; 2] {
    let dark = Case::new(&format!("{name}, negative"), png(negative(picture.clone())), expected.clone());
    [Case::new(name, png(picture), expected.clone()), dark]
}

fn ring() -> Path {
    paths::circle(100.3, 99.6, 70.0)
}

#[test]
fn plain_rings_of_odd_shapes() {
    let mut cases = Vec::new();
    let path = paths::double_spiral(150.0, 150.0, (20.0, 110.0), 2.0, 22.0);
    cases.extend(both_ways(
        "double spiral that closes",
        Canvas::with(300, &path, 12.0).soft(),
        &Expected::Closed(path.length(), 0.03),
    ));
    let path = paths::round(&[[30.0, 30.0], [170.0, 30.0], [170.0, 170.0], [30.0, 170.0]]);
    let frame = Canvas::new(200, 200).and_shape(rectangle((20.0, 180.0), (20.0, 180.0)));
    let frame = frame.without(rectangle((40.0, 160.0), (40.0, 160.0)));
    cases.extend(both_ways("inner corners of zero radius", frame.hard(), &Expected::Closed(path.length(), 0.06)));
    let path = paths::wavy(150.0, 150.0, 105.0, 0.22, 12.0);
    cases.push(soft("bends tighter than the road is wide", &Canvas::with(300, &path, 18.0), {
        // Between the bends' inner corners the middle cuts across.
        Expected::Closed(path.length(), 0.25)
    }));
    let path = paths::star(150.0, 160.0, (130.0, 60.0), 5);
    cases.extend(both_ways("star", Canvas::with(300, &path, 9.0).soft(), &Expected::Closed(path.length(), 0.04)));
    // Mitred: the road between two stars.
    let outer = paths::star(150.0, 160.0, (145.0, 66.0), 5);
    let inner = paths::star(150.0, 160.0, (115.0, 46.0), 5);
    let inside = |path: Path| {
        let line = raceline::geometry::Polyline::closed(path.points.iter().map(|&p| p.into()).collect());
        move |x: f64, y: f64| if line.contains(raceline::geometry::Point::new(x, y)) { -1.0 } else { 1.0 }
    };
    let want = f64::midpoint(outer.length(), inner.length());
    let mitred = Canvas::new(300, 300).and_shape(inside(outer)).without(inside(inner));
    cases.push(Case::new("star with mitred corners", png(mitred.hard()), Expected::Closed(want, 0.12)));
    let path = paths::comb(40.0, 40.0, 220.0, 24.0, 5);
    cases.extend(both_ways("comb", Canvas::with(300, &path, 9.0).soft(), &Expected::Closed(path.length(), 0.04)));
    let path = paths::comb(40.0, 40.0, 220.0, 12.0, 10);
    cases.push(soft(
        "legs that run 2 px apart",
        &Canvas::with(300, &path, 10.0),
        Expected::Closed(path.length(), 0.06),
    ));
    let path = paths::ellipse(150.0, 150.0, 120.0, 80.0);
    let varying = Canvas::new(300, 300).and_varying(&path, |i| 15.0 + 10.0 * (2.0 * PI * i as f64 / 160.0 * 3.0).sin());
    cases.push(soft("width varying fivefold", &varying, closed(&path)));
    cases.push(soft("road as wide as its infield", &Canvas::with(200, &paths::circle(100.3, 99.6, 40.0), 40.0), {
        Expected::Closed(80.0 * PI, 0.02)
    }));
    let far_wider = Canvas::with(200, &paths::circle(100.3, 99.6, 45.0), 82.0);
    cases.push(soft("road far wider than its infield", &far_wider, refused("NoRing", &["no closed road"])));
    let path = paths::stadium(1000.0, 20.0, 1940.0, 12.0);
    cases.push(soft("huge aspect ratio", &Canvas::new(2000, 40).and(&path, 8.0), closed(&path)));
    let upright = image::imageops::rotate90(&Canvas::new(2000, 40).and(&path, 8.0).soft());
    cases.push(Case::new("huge aspect ratio, upright", png(upright), closed(&path)));
    let path = paths::circle(60.4, 60.7, 9.0);
    cases.push(soft("a small ring in a large picture", &Canvas::with(600, &path, 5.0), closed(&path)));
    let path = paths::circle(8.2, 8.4, 5.0);
    cases.push(soft("a picture of 16 pixels", &Canvas::with(16, &path, 3.5), Expected::Closed(path.length(), 0.05)));
    check(&cases);
}

#[test]
fn thin_roads() {
    let mut cases = Vec::new();
    for (name, width) in [("hairline", 0.5), ("road of one pixel", 1.0)] {
        let canvas = Canvas::with(200, &ring(), width);
        cases.push(soft(name, &canvas, refused("TooThin", &["only closed shape", "pixels thick"])));
    }
    let one = paths::round(&[[30.0, 30.0], [170.0, 30.0], [170.0, 170.0], [30.0, 170.0]]);
    let frame = |width: u32| {
        let mut picture = GrayImage::new(200, 200);
        for (k, pixel) in (0..).zip(picture.pixels_mut()) {
            let (column, row): (u32, u32) = (k % 200, k / 200);
            let inset = column.min(row).min(199 - column).min(199 - row);
            pixel.0[0] = if (30..30 + width).contains(&inset) { 255 } else { 0 };
        }
        picture
    };
    cases.extend(both_ways("hard road of one pixel", frame(1), &refused("TooThin", &["pixels thick"])));
    cases.extend(both_ways("hard road of two pixels", frame(2), &Expected::Closed(one.length(), 0.06)));
    cases.extend(both_ways("hard road of three pixels", frame(3), &Expected::Closed(one.length(), 0.06)));
    for width in [2.0, 2.5, 3.0, 4.0] {
        let name = format!("soft road of {width} pixels");
        cases.push(soft(&name, &Canvas::with(200, &ring(), width), closed(&ring())));
    }
    check(&cases);
}

#[test]
fn several_rings() {
    let (left, right) = (paths::circle(70.0, 70.0, 45.0), paths::circle(200.0, 70.0, 50.0));
    let two = Canvas::new(280, 140).and(&left, 10.0).and(&right, 10.0).soft();
    let (outer, inner) = (paths::circle(100.0, 100.0, 85.0), paths::circle(100.0, 100.0, 50.0));
    let nested = Canvas::with(200, &outer, 12.0).and(&inner, 12.0).soft();
    let several = refused("SeveralRings", &["2 closed roads, round"]);
    let mut cases = Vec::new();
    cases.extend(both_ways("two rings side by side", two.clone(), &several));
    cases.extend(
        both_ways("two rings, the left one named", two.clone(), &closed(&left)).map(|case| case.at(25.0, 70.0)),
    );
    cases.extend(
        both_ways("two rings, the right one named", two.clone(), &closed(&right)).map(|case| case.at(250.0, 70.0)),
    );
    let beside = refused("NotThere", &["no road at (135, 70)"]);
    cases.push(Case::new("two rings, a place beside them named", png(two.clone()), beside).at(135.0, 70.0));
    let outside = refused("OutsidePicture", &["280 × 140"]);
    cases.push(Case::new("two rings, a place outside named", png(two), outside).at(300.0, 70.0));
    cases.extend(both_ways("ring in ring", nested.clone(), &several));
    cases.extend(
        both_ways("ring in ring, the outer named", nested.clone(), &closed(&outer)).map(|case| case.at(15.0, 100.0)),
    );
    cases.extend(both_ways("ring in ring, the inner named", nested, &closed(&inner)).map(|case| case.at(50.0, 100.0)));
    let checks = |side: u32| {
        GrayImage::from_fn(240, 240, |x, y| Luma([if (x / side + y / side).is_multiple_of(2) { 230 } else { 20 }]))
    };
    cases.push(Case::new("checkerboard of 1 px", png(checks(1)), refused("NoRing", &["no closed road"])));
    cases.push(Case::new("checkerboard of 8 px", png(checks(8)), refused("NoRing", &["no closed road"])));
    cases.push(Case::new("checkerboard of 40 px", png(checks(40)), refused("NoRing", &["no closed road"])));
    check(&cases);
}

#[test]
fn nothing_to_find() {
    let no_ring = refused("NoRing", &["shows no closed road"]);
    let blank = refused("Blank", &["is blank", "give the picture"]);
    let filled = |width, height, level| GrayImage::from_pixel(width, height, Luma([level]));
    let mut noise = Noise(7);
    let grey_noise = GrayImage::from_fn(600, 600, |_, _| Luma([(255.0 * noise.next()) as u8]));
    let mut noise = Noise(8);
    let binary_noise = GrayImage::from_fn(600, 600, |_, _| Luma([if noise.next() < 0.5 { 0 } else { 255 }]));
    let mut noise = Noise(9);
    let coarse = GrayImage::from_fn(75, 75, |_, _| Luma([if noise.next() < 0.5 { 0 } else { 255 }]));
    let coarse = image::imageops::resize(&coarse, 600, 600, image::imageops::FilterType::Nearest);
    let smooth = imageproc::filter::gaussian_blur_f32(&grey_noise, 4.0);
    let mut single = filled(64, 64, 0);
    single.put_pixel(30, 30, Luma([255]));
    let mut striped = filled(1, 300, 0);
    striped.pixels_mut().skip(100).take(50).for_each(|pixel| pixel.0[0] = 255);
    let radial = GrayImage::from_fn(200, 200, |x, y| {
        Luma([(255.0 - 1.7 * (f64::from(x) - 100.0).hypot(f64::from(y) - 100.0)).max(0.0) as u8])
    });
    let mut cases = vec![
        Case::new("full white page", png(filled(200, 200, 255)), blank.clone()),
        Case::new("full black page", png(filled(200, 200, 0)), blank.clone()),
        Case::new("1 x 1", png(filled(1, 1, 99)), blank),
        Case::new("1 x 300", png(striped.clone()), no_ring.clone()),
        Case::new("300 x 1", png(image::imageops::rotate90(&striped)), no_ring.clone()),
        Case::new("a single pixel", png(single), no_ring.clone()),
        Case::new("linear gradient", png(GrayImage::from_fn(256, 200, |x, _| Luma([x as u8]))), no_ring.clone()),
        Case::new("radial gradient", png(radial), no_ring.clone()),
        Case::new("noise", png(grey_noise), no_ring.clone()),
        Case::new("noise, black and white", png(binary_noise), no_ring.clone()),
        Case::new("noise, coarse", png(coarse), refused("SeveralRings", &["closed roads, round"])),
        Case::new("noise, smooth", png(smooth), Expected::Open(406.0, 0.1)),
    ];
    let dot = Canvas::new(200, 200).and_shape(disc(100.0, 100.0, 60.0)).soft();
    cases.extend(both_ways("a disc", dot, &no_ring));
    check(&cases);
}

#[test]
fn open_roads() {
    let mut cases = Vec::new();
    let path = paths::spiral(150.0, 150.0, (15.0, 125.0), 3.0);
    cases.extend(both_ways("open spiral", Canvas::with(300, &path, 12.0).soft(), &open(&path, 12.0)));
    let is_circuit = refused("NoRing", &["no closed road"]);
    cases.push(
        soft("open spiral, declared closed", &Canvas::with(300, &path, 12.0), is_circuit).shape(RoadShape::Closed),
    );
    let hill = paths::open(200, |t| [40.0 + 220.0 * t, 150.0 + 70.0 * (3.0 * PI * t).sin()]);
    cases.extend(both_ways("hill climb, round ends", Canvas::with(300, &hill, 11.0).soft(), &open(&hill, 11.0)));
    let keep = |columns| move |x: f64, y: f64| -rectangle(columns, (-1e3, 1e3))(x, y);
    let square = Canvas::with(300, &hill, 11.0).without(keep((50.0, 250.0)));
    let inner = |from: f64, to: f64| {
        paths::open(200, |t| {
            let t = (from - 40.0) / 220.0 + t * (to - from) / 220.0;
            [40.0 + 220.0 * t, 150.0 + 70.0 * (3.0 * PI * t).sin()]
        })
    };
    let middle = inner(50.0, 250.0);
    cases.extend(both_ways("hill climb, square ends", square.soft(), &Expected::Open(middle.length(), 0.02)));
    let whole = |from, to| {
        paths::open(200, move |t| {
            let x: f64 = from + (to - from) * t;
            [x, 150.0 + 70.0 * (x / 25.0).sin()]
        })
    };
    let one = Canvas::with(300, &whole(-30.0, 250.0), 11.0);
    cases.extend(both_ways("hill climb, one end at the border", one.soft(), &open(&whole(0.0, 250.0), 11.0)));
    let both = Canvas::with(300, &whole(-30.0, 330.0), 11.0);
    let want = Expected::Open(whole(0.0, 300.0).length(), 0.02);
    cases.extend(both_ways("hill climb, both ends at the border", both.soft(), &want));
    let not_closed = refused("TouchesBorder", &["touches the picture's border at"]);
    cases.push(soft("hill climb, declared closed", &both, not_closed).shape(RoadShape::Closed));
    let straight = paths::through(&[[30.0, 100.0], [170.0, 100.0]]);
    cases.push(soft("a straight", &Canvas::with(200, &straight, 10.0), open(&straight, 10.0)));
    let o = paths::ellipse(60.0, 40.0, 12.0, 16.0);
    let titled = Canvas::with(300, &hill, 11.0).and(&o, 5.0);
    cases.extend(both_ways("hill climb with an O in its title", titled.soft(), &open(&hill, 11.0)));
    cases.extend(both_ways("the same, the O named", titled.soft(), &closed(&o)).map(|case| case.at(48.0, 40.0)));
    // A ring that is declared open.
    let no_ends = refused("NoEnds", &["no two ends"]);
    cases.push(soft("ring, declared open", &Canvas::with(200, &ring(), 12.0), no_ends).shape(RoadShape::Open));
    check(&cases);
}

#[test]
fn roads_at_the_border() {
    let mut cases = Vec::new();
    // A ring of which a part lies outside.
    let away = paths::circle(55.0, 100.0, 70.0);
    let angle = (-55.0_f64 / 70.0).acos().to_degrees();
    let shown = paths::arc(55.0, 100.0, 70.0, -angle, angle, false);
    let clipped = Canvas::with(200, &away, 12.0);
    let padding = refused("LeavesPicture", &["touches the picture's border", "comes back at"]);
    cases.extend(both_ways("leaves the picture and comes back", clipped.soft(), &padding));
    let want = Expected::Open(shown.length(), 0.03);
    cases.extend(
        both_ways("leaves the picture, declared open", clipped.soft(), &want).map(|case| case.shape(RoadShape::Open)),
    );
    // A frame of road all along the border.
    let frame = Canvas::new(200, 160).and_shape(|_, _| -1.0).without(rectangle((14.0, 186.0), (14.0, 146.0)));
    let want = refused("TouchesBorder", &["touches the picture's border at"]);
    cases.extend(both_ways("along the whole border", frame.hard(), &refused("NoRing", &["no closed road"])));
    let ring = Expected::Closed(2.0 * (186.0 + 146.0), 0.06);
    cases.extend(both_ways("the same, declared closed", frame.hard(), &ring).map(|case| case.shape(RoadShape::Closed)));
    // A ring that touches the border on one side.
    let path = paths::circle(100.0, 74.0, 70.0);
    let touching = Canvas::with(200, &path, 12.0);
    cases.extend(both_ways("touches the border", touching.soft(), &want));
    cases.extend(
        both_ways("touches the border, declared closed", touching.soft(), &Expected::Closed(path.length(), 0.03))
            .map(|case| case.shape(RoadShape::Closed)),
    );
    check(&cases);
}

#[test]
fn crossings() {
    let mut cases = Vec::new();
    let eight = paths::lissajous(150.0, 150.0, 120.0, 60.0, 2.0);
    cases.extend(both_ways("figure-eight", Canvas::with(300, &eight, 12.0).soft(), &closed(&eight)));
    let turned = eight.clone().turned((150.0, 150.0), 25.0);
    cases.extend(both_ways(
        "figure-eight, turned by 25 degrees",
        Canvas::with(300, &turned, 12.0).soft(),
        &closed(&turned),
    ));
    let unequal = paths::unequal_eight(130.0, 150.0, 75.0, 150.0);
    cases.extend(both_ways("figure-eight, unequal", Canvas::with(300, &unequal, 12.0).soft(), &closed(&unequal)));
    // Legs that cross at 25 degrees.
    let oblique = paths::lissajous(200.0, 200.0, 180.0, 20.0, 2.0);
    let oblique = paths::closed(480, |t| {
        let [x, y] = oblique.points[((t * 480.0).round() as usize) % 480];
        // Lobes that bulge away from the crossing.
        [x, 200.0 + (y - 200.0) * (1.0 + 5.0 * ((x - 200.0) / 180.0).powi(4))]
    });
    cases.extend(both_ways("figure-eight, oblique", Canvas::with(400, &oblique, 10.0).soft(), &closed(&oblique)));
    let three = paths::lissajous(200.0, 150.0, 180.0, 80.0, 3.0);
    cases.extend(both_ways(
        "three lobes, two crossings",
        Canvas::new(400, 300).and(&three, 10.0).soft(),
        &closed(&three),
    ));
    let five = paths::lissajous(300.0, 100.0, 280.0, 80.0, 5.0);
    cases.push(soft("five lobes, four crossings", &Canvas::new(600, 200).and(&five, 9.0), closed(&five)));
    cases.push(soft("figure-eight, hard", &Canvas::with(300, &eight, 12.0), closed(&eight)));
    cases.push(Case::new("figure-eight as a grid", png(Canvas::with(300, &eight, 12.0).grid()), closed(&eight)));
    cases.push(Case::new(
        "figure-eight as an outline",
        png(negative(Canvas::with(300, &eight, 14.0).outline(2.0))),
        closed(&eight),
    ));
    check(&cases);
}

#[test]
fn forks_and_dead_ends() {
    let mut cases = Vec::new();
    let main = paths::stadium(150.0, 120.0, 140.0, 60.0);
    // A pit lane below the lower straight.
    let lane = paths::open(60, |t| [80.0 + 140.0 * t, 180.0 + 30.0 * (PI * t).sin().sqrt()]);
    let pit = Canvas::new(300, 240).and(&main, 12.0).and(&lane, 8.0);
    cases.extend(both_ways("pit lane", pit.soft(), &Expected::Closed(main.length(), 0.06)));
    let through_pit = main.length() - 140.0 + lane.length();
    let takes_the_lane = |track: &raceline::track::Track| {
        track
            .sections
            .iter()
            .any(|section| (section.middle() - raceline::geometry::Point::new(150.0, 30.0)).norm() < 6.0)
    };
    let want = Expected::Closed(through_pit, 0.06);
    cases.extend(
        both_ways("pit lane, via a point on it", pit.soft(), &want)
            .map(|case| case.via(150.0, 210.0).and(takes_the_lane)),
    );
    let off = refused("OffRoad", &["(150, 120)", "off the road"]);
    cases.push(soft("pit lane, via a point off the road", &pit, off).via(150.0, 120.0));
    let both = refused("NoRouteVia", &["every via point"]);
    cases.push(soft("pit lane, via both lanes", &pit, both).via(150.0, 210.0).via(150.0, 180.0));
    // A ring with roads that end.
    let circle = paths::circle(150.0, 150.0, 80.0);
    let mut canvas = Canvas::with(300, &circle, 12.0);
    for k in 0..9 {
        let angle = 2.0 * PI * f64::from(k) / 9.0 + 0.2;
        let at = |r: f64| [150.0 + r * angle.cos(), 150.0 + r * angle.sin()];
        canvas = canvas.and(&paths::through(&[at(80.0), at(if k % 2 == 0 { 125.0 } else { 40.0 })]), 9.0);
    }
    cases.extend(both_ways("ring with nine dead ends", canvas.soft(), &Expected::Closed(circle.length(), 0.03)));
    let rungs = |count: u32, gap: f64| {
        let right = 40.0 + gap * f64::from(count - 1);
        let mut canvas = Canvas::new(right as u32 + 40, 140);
        for y in [40.0, 100.0] {
            canvas = canvas.and(&paths::through(&[[40.0, y], [right, y]]), 9.0);
        }
        for k in 0..count {
            let x = 40.0 + gap * f64::from(k);
            canvas = canvas.and(&paths::through(&[[x, 40.0], [x, 100.0]]), 9.0);
        }
        (canvas, 2.0 * (right - 40.0 + 60.0))
    };
    let (ladder, round) = rungs(12, 36.0);
    cases.extend(both_ways("ladder of 12 rungs", ladder.soft(), &Expected::Closed(round, 0.04)));
    let streets = |count: u32| {
        let size = 40.0 * f64::from(count - 1) + 80.0;
        let mut canvas = Canvas::new(size as u32, size as u32);
        for k in 0..count {
            let at = 40.0 + 40.0 * f64::from(k);
            canvas = canvas.and(&paths::through(&[[40.0, at], [size - 40.0, at]]), 9.0);
            canvas = canvas.and(&paths::through(&[[at, 40.0], [at, size - 40.0]]), 9.0);
        }
        canvas
    };
    cases.push(soft("streets, 3 by 3", &streets(3), Expected::Closed(320.0, 0.05)));
    cases.push(soft("streets, 10 by 10", &streets(10), refused("TooManyBranches", &["branches", "blank out"])));
    let mut canvas = Canvas::with(300, &paths::circle(150.0, 150.0, 30.0), 12.0);
    for (x, y) in [(1.0, 0.1), (-0.1, 1.0), (-1.0, -0.1), (0.1, -1.0)] {
        let at = |r: f64| [150.0 + r * x, 150.0 + r * y];
        canvas = canvas.and(&paths::through(&[at(30.0), at(125.0)]), 12.0);
    }
    cases.extend(both_ways("roundabout with four roads", canvas.soft(), &Expected::Closed(60.0 * PI, 0.06)));
    let across = Expected::Open(2.0 * 95.0 + 1.5 * PI * 30.0, 0.1);
    cases.push(soft("roundabout, declared open", &canvas, across).shape(RoadShape::Open));
    cases
        .push(soft("roundabout, declared closed", &canvas, Expected::Closed(60.0 * PI, 0.06)).shape(RoadShape::Closed));
    for cells in [9, 20] {
        let (picture, longest) = maze(cells, 24.0, 10.0);
        // The middle cuts the corners.
        cases.push(Case::new(&format!("maze of {cells} by {cells}"), png(picture), Expected::Open(longest, 0.15)));
    }
    check(&cases);
}

/// A maze without loops, its cells joined by depth-first search, and the length of the longest path
/// in it, pixels.
fn maze(cells: usize, pitch: f64, width: f64) -> (GrayImage, f64) {
    let mut noise = Noise(21);
    let size = (cells as f64 * pitch) as u32 + 20;
    let mut canvas = Canvas::new(size, size);
    let at = |(c, r): (usize, usize)| [10.0 + pitch * (c as f64 + 0.5), 10.0 + pitch * (r as f64 + 0.5)];
    let mut seen = vec![false; cells * cells];
    // For each cell on the stack the two longest paths down from it, cells.
    let mut depths = vec![[0_usize; 2]];
    let mut longest = 0;
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some(&(c, r)) = stack.last() {
        let mut beside = Vec::new();
        for (dc, dr) in [(1_isize, 0_isize), (0, 1), (-1, 0), (0, -1)] {
            let (nc, nr) = (c as isize + dc, r as isize + dr);
            let inside = nc >= 0 && nr >= 0 && nc < cells as isize && nr < cells as isize;
            if inside && !seen[nr as usize * cells + nc as usize] {
                beside.push((nc as usize, nr as usize));
            }
        }
        if beside.is_empty() {
            stack.pop();
            let [first, second] = depths.pop().unwrap();
            longest = longest.max(first + second);
            if let Some(above) = depths.last_mut() {
                let route = first + 1;
                *above = if route > above[0] { [route, above[0]] } else { [above[0], above[1].max(route)] };
            }
            continue;
        }
        let next = beside[(noise.next() * beside.len() as f64) as usize];
        seen[next.1 * cells + next.0] = true;
        canvas = canvas.and(&paths::through(&[at((c, r)), at(next)]), width);
        stack.push(next);
        depths.push([0; 2]);
    }
    (canvas.soft(), longest as f64 * pitch)
}

#[test]
fn gaps_in_the_road() {
    let mut cases = Vec::new();
    let canvas = Canvas::with(200, &ring(), 14.0);
    let gap =
        |width: f64| canvas.clone().without(rectangle((150.0, 190.0), (100.0 - width / 2.0, 100.0 + width / 2.0)));
    for width in [1.0, 2.0, 4.0, 10.0] {
        let name = format!("start line of {width} px across");
        cases.extend(both_ways(&name, gap(width).soft(), &closed(&ring())));
    }
    let asked = refused("Gap", &["ends at", "begins again"]);
    cases.extend(both_ways("gap of 30 px", gap(30.0).soft(), &asked));
    let rest = Expected::Open(ring().length() - 30.0, 0.03);
    cases.extend(
        both_ways("gap of 30 px, declared open", gap(30.0).soft(), &rest).map(|case| case.shape(RoadShape::Open)),
    );
    // A chequered line.
    let mut chequered = canvas.soft();
    for (column, row, pixel) in chequered.enumerate_pixels_mut() {
        if (150..190).contains(&column) && (98..102).contains(&row) && (column / 2 + row / 2) % 2 == 0 {
            pixel.0[0] = 0;
        }
    }
    cases.extend(both_ways("chequered start line", chequered, &closed(&ring())));
    // A dashed line along the middle.
    let mut dashed = canvas.soft();
    for (column, row, pixel) in dashed.enumerate_pixels_mut() {
        let (x, y) = (f64::from(column) - 99.8, f64::from(row) - 99.1);
        if (x.hypot(y) - 70.0).abs() < 1.0 && y.atan2(x).rem_euclid(0.2) < 0.1 {
            pixel.0[0] = 60;
        }
    }
    cases.extend(both_ways("dashed middle line", dashed, &closed(&ring())));
    check(&cases);
}

#[test]
fn outlines() {
    let mut cases = Vec::new();
    let canvas = Canvas::with(200, &ring(), 24.0);
    for (line, radius) in [("outer", 82.0), ("inner", 58.0)] {
        for thicknesses in [1.0, 2.0, 3.0, 6.0] {
            let thickness = 2.5;
            let half = thicknesses * thickness / 2.0;
            let drawn = canvas.outline_with_gaps(thickness, |x, y| {
                ((x - 100.3).hypot(y - 99.6) - radius).abs() < 6.0 && x > 100.0 && (y - 100.0).abs() < half
            });
            let want = if thicknesses < 4.0 { closed(&ring()) } else { refused("TooThin", &["only closed shape"]) };
            cases.extend(both_ways(&format!("{line} line with a gap of {thicknesses}"), drawn, &want));
        }
    }
    // Two lines that touch: the road narrows to nothing.
    let pinched = Canvas::new(200, 200).and_varying(&ring(), |i| 3.0 + 10.0 * (PI * i as f64 / 120.0).sin().abs());
    cases.extend(both_ways(
        "outline whose lines touch",
        pinched.outline(3.0),
        &refused("Gap", &["ends at", "begins again"]),
    ));
    let lines = |radii: &[f64]| {
        let canvas = Canvas::new(200, 200);
        radii.iter().fold(canvas, |canvas, &r| canvas.and(&paths::circle(100.3, 99.6, r), 2.0)).soft()
    };
    cases.extend(both_ways(
        "double outline",
        lines(&[50.0, 66.0, 82.0]),
        &refused("SeveralRings", &["closed roads, round"]),
    ));
    let want = Expected::Closed(2.0 * PI * 74.0, 0.02);
    let named = both_ways("double outline, the outer road named", lines(&[50.0, 66.0, 82.0]), &want);
    cases.extend(named.map(|case| case.at(174.0, 100.0)));
    let three_pairs = lines(&[20.0, 30.0, 50.0, 60.0, 80.0, 90.0]);
    cases.extend(both_ways("three times two lines", three_pairs, &refused("SeveralRings", &["closed roads, round"])));
    let mut with_start = canvas.outline(2.0);
    for (column, row, pixel) in with_start.enumerate_pixels_mut() {
        if (158..182).contains(&column) && (99..101).contains(&row) {
            pixel.0[0] = 255;
        }
    }
    cases.extend(both_ways("outline with a start line across", with_start, &closed(&ring())));
    check(&cases);
}

#[test]
fn letters() {
    let mut cases = Vec::new();
    let o = paths::ellipse(60.0, 60.0, 30.0, 42.0);
    cases.extend(both_ways("the letter O", Canvas::with(120, &o, 14.0).soft(), &closed(&o)));
    // M O N Z A
    let strokes: [&'static [[f64; 2]]; 5] = [
        &[[20.0, 70.0], [20.0, 20.0], [40.0, 50.0], [60.0, 20.0], [60.0, 70.0]],
        &[[120.0, 70.0], [120.0, 20.0], [150.0, 70.0], [150.0, 20.0]],
        &[[170.0, 20.0], [200.0, 20.0], [170.0, 70.0], [200.0, 70.0]],
        &[[215.0, 70.0], [233.0, 20.0], [251.0, 70.0]],
        &[[221.0, 54.0], [245.0, 54.0]],
    ];
    let mut text = Canvas::new(270, 90).and(&paths::ellipse(90.0, 45.0, 18.0, 25.0), 7.0);
    for stroke in strokes {
        text = text.and(&paths::through(stroke), 7.0);
    }
    cases.extend(both_ways("the word MONZA", text.soft(), &refused("SeveralRings", &["closed roads, round"])));
    let mut text = Canvas::new(215, 90);
    for stroke in &strokes[..3] {
        text = text.and(&paths::through(stroke), 7.0);
    }
    cases.extend(both_ways("letters without holes", text.soft(), &refused("SeveralRings", &["closed roads, round"])));
    check(&cases);
}

#[test]
fn colours_levels_and_formats() {
    let mut cases = Vec::new();
    let canvas = Canvas::with(200, &ring(), 14.0);
    let drawn = canvas.soft();
    let level = |x: u32, y: u32| drawn.get_pixel(x, y).0[0];
    let fine = || closed(&ring());
    for (name, colour) in [("white", [255, 255, 255]), ("black", [0, 0, 0]), ("red", [220, 30, 30])] {
        let [r, g, b] = colour;
        let picture = RgbaImage::from_fn(200, 200, |x, y| Rgba([r, g, b, level(x, y)]));
        cases.push(Case::new(&format!("{name} road on transparent ground"), png(picture), fine()));
        let faint = RgbaImage::from_fn(200, 200, |x, y| Rgba([r, g, b, level(x, y) / 4]));
        cases.push(Case::new(&format!("{name}, a quarter opaque"), png(faint), fine()));
    }
    let over =
        RgbaImage::from_fn(200, 200, |x, y| if level(x, y) > 127 { Rgba([0, 0, 0, 128]) } else { Rgba([255; 4]) });
    cases.push(Case::new("half opaque road on opaque ground", png(over), fine()));
    let all_clear = RgbaImage::from_fn(200, 200, |x, y| Rgba([level(x, y), 0, 0, 0]));
    cases.push(Case::new("all transparent", png(all_clear), refused("Blank", &["is blank"])));
    let deep =
        ImageBuffer::<Luma<u16>, Vec<u16>>::from_fn(200, 200, |x, y| Luma([30_000 + u16::from(level(x, y)) * 8]));
    cases.push(Case::new("16 bit, little contrast", png(deep), fine()));
    let deep = ImageBuffer::<Luma<u16>, Vec<u16>>::from_fn(200, 200, |x, y| Luma([u16::from(level(x, y))]));
    cases.push(Case::new("16 bit, next to none", png(deep), refused("Blank", &["is blank"])));
    let indices: Vec<u8> = drawn.as_raw().iter().map(|&v| u8::from(v > 127)).collect();
    cases.push(Case::new("palette", drawing::png::with_palette(200, [[200, 30, 30], [30, 90, 30]], &indices), fine()));
    cases.extend(both_ways("8 bit, 6 levels of contrast", between(drawn.clone(), 120.0, 126.0), &fine()));
    for quality in [80, 30, 10] {
        cases.push(Case::new(&format!("JPEG, quality {quality}"), jpeg(&drawn, quality), fine()));
        cases.push(Case::new(
            &format!("JPEG, quality {quality}, negative"),
            jpeg(&negative(drawn.clone()), quality),
            fine(),
        ));
    }
    // Lies on its side: upright it is 240 wide and 120 high.
    let path = paths::ellipse(120.0, 60.0, 100.0, 35.0);
    let upright = Canvas::new(240, 120).and(&path, 12.0).soft();
    let is_wide = |track: &raceline::track::Track| {
        let extent = |of: fn(&raceline::geometry::Point) -> f64| {
            let values = track.right_edge.points.iter().map(of);
            values.clone().fold(f64::NEG_INFINITY, f64::max) - values.fold(f64::INFINITY, f64::min)
        };
        extent(|p| p.x) > 1.8 * extent(|p| p.y)
    };
    use image::imageops::{rotate90, rotate180, rotate270};
    for (orientation, stored) in
        [(1, upright.clone()), (3, rotate180(&upright)), (6, rotate270(&upright)), (8, rotate90(&upright))]
    {
        let bytes = jpeg_with_orientation(&stored, orientation);
        cases.push(Case::new(&format!("JPEG, EXIF orientation {orientation}"), bytes, closed(&path)).and(is_wide));
    }
    let mut broken = jpeg_with_orientation(&upright, 6);
    broken[20] = 0xEE;
    cases.push(Case::new("JPEG, EXIF block damaged", broken, closed(&path)));
    // Grounds that aren't flat.
    let sloped = |steep: f64| {
        GrayImage::from_fn(200, 200, |x, y| {
            let ground = 20.0 + steep * f64::from(x) / 200.0;
            Luma([(ground + (245.0 - ground) * f64::from(level(x, y)) / 255.0) as u8])
        })
    };
    cases.extend(both_ways("ground that brightens by 60 levels", sloped(60.0), &fine()));
    cases.extend(both_ways("ground that brightens by 150 levels", sloped(150.0), &fine()));
    check(&cases);
}

#[test]
fn noise_over_roads() {
    let mut cases = Vec::new();
    let canvas = Canvas::with(200, &ring(), 14.0);
    for (fraction, tolerance) in [(0.01, 0.02), (0.03, 0.03), (0.1, 0.09)] {
        let name = format!("salt and pepper, {fraction}");
        let picture = Noise(3).salt_and_pepper(canvas.soft(), fraction);
        cases.extend(both_ways(&name, picture, &Expected::Closed(ring().length(), tolerance)));
    }
    let mut noise = Noise(4);
    let mut grainy = between(canvas.soft(), 60.0, 190.0);
    for pixel in grainy.pixels_mut() {
        let sum: f64 = (0..4).map(|_| noise.next() - 0.5).sum();
        pixel.0[0] = (f64::from(pixel.0[0]) + 30.0 * sum).clamp(0.0, 255.0) as u8;
    }
    cases.extend(both_ways("grain", grainy, &closed(&ring())));
    // A laser's map: walls with holes, specks of walls on free ground, free specks in the unknown.
    let mut noise = Noise(5);
    let mut grid = canvas.grid();
    for pixel in grid.pixels_mut() {
        let chance = noise.next();
        match pixel.0[0] {
            0 if chance < 0.15 => pixel.0[0] = 205,
            254 if chance < 0.01 => pixel.0[0] = 0,
            205 if chance < 0.01 => pixel.0[0] = 254,
            _ => {}
        }
    }
    cases.push(Case::new("grid with holes in its walls", png(grid), closed(&ring())));
    let mut open_wall = canvas.grid();
    for (column, row, pixel) in open_wall.enumerate_pixels_mut() {
        if (96..106).contains(&row) && column > 150 && pixel.0[0] == 0 {
            pixel.0[0] = 205;
        }
    }
    cases.push(Case::new("grid with a gap in its walls", png(open_wall), closed(&ring())));
    check(&cases);
}
