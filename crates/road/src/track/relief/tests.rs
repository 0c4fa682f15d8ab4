use std::f64::consts::TAU;

use super::{DEFAULT_SMOOTHING_M, ReliefOptions, Slope, TrackRelief, smoothed, turning};
use crate::geometry::{Point, Vector};
use crate::track::Track;
use crate::track::places::Places;
use crate::track::test_roads::{about, assert_near, raised, ring, straight, wavy};

/// No smoothing.
const EXACT: ReliefOptions = ReliefOptions { height_smoothing_m: 0.0 };

fn at(track: &Track, options: ReliefOptions, place: Point) -> Slope {
    TrackRelief::new(track, &options).unwrap().along([place]).next().unwrap()
}

#[track_caller]
fn assert_slope(found: Slope, wanted: Slope, tolerance: f64) {
    assert_near(found.height_m, wanted.height_m, tolerance);
    assert_near(found.gradient.x, wanted.gradient.x, tolerance);
    assert_near(found.gradient.y, wanted.gradient.y, tolerance);
    for (found, wanted) in found.bending.into_iter().zip(wanted.bending) {
        assert_near(found, wanted, tolerance);
    }
}

#[test]
fn the_default_is_written_only_where_it_was_changed() {
    let text = |height_smoothing_m: f64| serde_json::to_string(&ReliefOptions { height_smoothing_m }).unwrap();
    assert_eq!(ReliefOptions::default().height_smoothing_m, 3.0);
    assert_eq!((text(DEFAULT_SMOOTHING_M).as_str(), text(4.0).as_str()), ("{}", r#"{"height_smoothing_m":4.0}"#));
    let message = ReliefOptions { height_smoothing_m: 1001.0 }.validate().unwrap_err().to_string();
    assert!(message.contains("height_smoothing_m"), "{message}");
}

#[test]
fn a_level_road_has_no_relief_at_whatever_height() {
    let level = |rise: f64| raised(ring(50.0, 4.0, 40), move |place| 12.5 + rise * place.x);
    assert!(TrackRelief::new(&ring(50.0, 4.0, 40), &EXACT).is_none());
    assert!(TrackRelief::new(&level(0.0), &EXACT).is_none());
    assert!(TrackRelief::new(&level(1e-12), &EXACT).is_none());
    assert!(TrackRelief::new(&level(1e-6), &EXACT).is_some());
    // One end of one section is enough, on either side.
    for is_left in [true, false] {
        let mut track = level(0.0);
        let section = &mut track.surface.as_mut().unwrap()[7];
        if is_left {
            section.left.height_m = 12.6
        } else {
            section.right.height_m = 12.6
        }
        assert!(TrackRelief::new(&track, &EXACT).is_some());
    }
}

#[test]
fn a_warped_straight_is_the_polynomial_it_was_made_of() {
    // Far from the ends, where the spline's curvature is zero, the spline is the polynomial.
    let heading: f64 = 0.4;
    let (ax, ay) = (heading.cos(), heading.sin());
    let local = |place: Point| (ax * place.x + ay * place.y, -ay * place.x + ax * place.y);
    let (slope, bend, bank, twist) = (0.03, 0.002, -0.05, 0.0004);
    let height = |place: Point| {
        let (s, n) = local(place);
        2.0 + slope * s + 0.5 * bend * s * s + (bank + twist * s) * n
    };
    let distances: Vec<f64> = (0..80).map(|i| 2.5 * f64::from(i)).collect();
    let track = raised(straight(&distances, 8.0, heading), height);
    for (s, n) in [(100.0, 0.0), (101.25, 4.0), (97.9, 7.5), (103.1, -1.0)] {
        let place = Point::new(ax * s - ay * n, ay * s + ax * n);
        let (along, across) = (slope + bend * s + twist * n, bank + twist * s);
        let wanted = Slope {
            height_m: height(place),
            gradient: Vector::new(ax * along - ay * across, ay * along + ax * across),
            bending: [
                ax * ax * bend - 2.0 * ax * ay * twist,
                ax * ay * bend + (ax * ax - ay * ay) * twist,
                ay * ay * bend + 2.0 * ax * ay * twist,
            ],
        };
        assert_slope(at(&track, EXACT, place), wanted, 1e-9);
    }
}

#[test]
fn heights_on_a_ring_have_the_derivatives_of_polar_coordinates() {
    // a y / r + b x / r (R - r): sine waves of the middle's height and of the banking.
    let (radius, a, b) = (40.0, 5.0, 0.2);
    let height = |p: Point| (a * p.y + b * radius * p.x) / p.coords.norm() - b * p.x;
    let track = raised(ring(radius, 6.0, 1440), height);
    for (r, angle) in [(40.0, 0.3), (36.0, 1.9), (44.5, 4.0), (39.0, 6.1), (34.2, 2.6)] {
        let (x, y) = (r * f64::cos(angle), r * f64::sin(angle));
        let (r3, r5) = (f64::powi(r, 3), f64::powi(r, 5));
        let (xx, xy, yy) = (x * x, x * y, y * y);
        let wanted = Slope {
            height_m: height(Point::new(x, y)),
            gradient: Vector::new(-a * xy + b * radius * yy, a * xx - b * radius * xy) / r3 - Vector::new(b, 0.0),
            bending: [
                a * y * (2.0 * xx - yy) - 3.0 * b * radius * x * yy,
                a * x * (2.0 * yy - xx) + b * radius * y * (2.0 * xx - yy),
                -3.0 * a * y * xx + b * radius * x * (2.0 * yy - xx),
            ]
            .map(|value| value / r5),
        };
        assert_slope(at(&track, EXACT, Point::new(x, y)), wanted, 2e-5);
    }
}

#[test]
fn a_plane_has_no_curvature_whatever_the_road_does_on_it() {
    let plane = |p: Point| 1.5 + 0.06 * p.x - 0.04 * p.y;
    for closed in [true, false] {
        let middle = wavy(3000);
        let middle = if closed { &middle[..] } else { &middle[..2400] };
        let track = raised(about(middle, 7.0, closed), plane);
        for (i, offset) in [(100, 6.0), (650, -6.5), (1111, 3.0), (1900, -4.0), (2000, 0.0)] {
            let section = track.sections[i];
            let place = section.middle() + section.span() / section.width() * offset;
            let wanted = Slope { height_m: plane(place), gradient: Vector::new(0.06, -0.04), bending: [0.0; 3] };
            let found = at(&track, EXACT, place);
            assert_slope(Slope { bending: [0.0; 3], ..found }, wanted, 1e-6);
            // 0.05 of slope times 0.03 1/m of curvature is 2e-3 1/m in each of its terms.
            assert!(found.bending.iter().all(|value| value.abs() < 1e-5), "{:?}", found.bending);
        }
    }
}

#[test]
fn beyond_the_centre_of_a_bend_the_road_is_not_stretched_further() {
    let (radius, a) = (10.0, 1.0);
    let track = raised(ring(radius, 9.8, 720), |p: Point| a * p.y / p.coords.norm());
    let angle: f64 = 0.7;
    let (sin, cos) = angle.sin_cos();
    let out = Vector::new(cos, sin);
    let along = Vector::new(-sin, cos);
    for r in [1.0, 0.4] {
        let found = at(&track, EXACT, Point::origin() + out * r);
        assert_near(found.height_m, a * sin, 1e-3);
        assert_near(found.gradient.dot(&along), a * cos / radius / 0.2, 1e-3);
        let [xx, xy, yy] = found.bending;
        let twice = |u: Vector, v: Vector| xx * u.x * v.x + xy * (u.x * v.y + u.y * v.x) + yy * u.y * v.y;
        // The slope across is zero and stays so, and h is constant.
        assert_near(twice(along, along), -a * sin / (radius * radius) / 0.04, 2e-3);
        assert_near(twice(along, out), -(a * cos / radius) / radius / 0.04, 2e-3);
        assert_near(twice(out, out), 0.0, 1e-9);
    }
}

#[test]
fn the_curvature_of_the_centre_line_is_that_of_its_neighbours_directions() {
    let curvature = |track: &Track| turning(&track.sections, &Places::new(track));
    for value in curvature(&ring(50.0, 4.0, 300)) {
        assert_near(value, 0.02, 1e-5);
    }
    // An open arc: at its ends the turning of one piece.
    let mut arc = ring(50.0, 4.0, 300);
    arc.sections.truncate(60);
    arc.closed = false;
    let values = curvature(&arc);
    assert_eq!(values.len(), 60);
    for value in values {
        assert_near(value, 0.02, 1e-5);
    }
    let clockwise = curvature(&ring(50.0, 4.0, 300).reversed());
    assert!(clockwise.iter().all(|value| (value + 0.02).abs() < 1e-5));
}

/// Local linear regression, from its normal equations about the mean, over all values within the reach.
fn regression(values: &[f64], s: &[f64], length: Option<f64>, sigma: f64, i: usize) -> f64 {
    let n = values.len();
    let mut terms = Vec::new();
    for k in 0..n {
        let mut offset = s[k] - s[i];
        if let Some(length) = length {
            offset -= length * (offset / length).round();
        }
        if offset.abs() > 4.0 * sigma {
            continue;
        }
        let gap = |a: usize, b: usize| if a < b { s[b] - s[a] } else { length.unwrap() - s[a] + s[b] };
        let before = if k > 0 || length.is_some() { gap((k + n - 1) % n, k) } else { 0.0 };
        let after = if k + 1 < n || length.is_some() { gap(k, (k + 1) % n) } else { 0.0 };
        terms.push((0.5 * (before + after) * (-0.5 * (offset / sigma).powi(2)).exp(), offset, values[k]));
    }
    let weight: f64 = terms.iter().map(|term| term.0).sum();
    let mean = terms.iter().map(|term| term.0 * term.1).sum::<f64>() / weight;
    let value = terms.iter().map(|term| term.0 * term.2).sum::<f64>() / weight;
    let spread: f64 = terms.iter().map(|term| term.0 * (term.1 - mean).powi(2)).sum();
    let slope = terms.iter().map(|term| term.0 * (term.1 - mean) * (term.2 - value)).sum::<f64>() / spread;
    if spread > 0.0 { value - slope * mean } else { value }
}

#[test]
fn smoothing_is_the_local_linear_regression_of_its_reference() {
    let uneven: Vec<f64> = (0..40).map(|i| 3.0 * f64::from(i) + (1.7 * f64::from(i)).sin()).collect();
    let open = Places::new(&straight(&uneven, 6.0, 0.0));
    let closed = Places::new(&about(&wavy(61), 3.0, true));
    for (places, length) in [(&open, None), (&closed, Some(closed.length_m()))] {
        let n = places.sections.len();
        let values: Vec<f64> = (0..n).map(|i| (0.9 * i as f64).sin() + 0.1 * i as f64).collect();
        // Narrow, a few sections wide, and wider than half a lap.
        for sigma in [0.3, 4.0, 9.0, 300.0] {
            for (i, &found) in smoothed(&values, places, sigma).iter().enumerate() {
                assert_near(found, regression(&values, &places.distances, length, sigma, i), 1e-9);
            }
        }
        assert_eq!(smoothed(&values, places, 0.0), values);
    }
}

#[test]
fn smoothing_leaves_straight_lines_up_to_the_ends_of_an_open_road() {
    let uneven: Vec<f64> = (0..40).map(|i| 3.0 * f64::from(i) + (1.7 * f64::from(i)).sin()).collect();
    let places = Places::new(&straight(&uneven, 6.0, 0.0));
    let values: Vec<f64> = uneven.iter().map(|s| 4.0 - 0.05 * s).collect();
    for (found, wanted) in smoothed(&values, &places, 5.0).into_iter().zip(values) {
        assert_near(found, wanted, 1e-12);
    }
}

#[test]
fn the_deviation_is_the_largest_change_at_an_edge() {
    let mut track = raised(ring(50.0, 4.0, 150), |_| 0.0);
    track.surface.as_mut().unwrap()[30].left.height_m = 1.0;
    let relief = TrackRelief::new(&track, &ReliefOptions::default()).unwrap();
    let places = Places::new(&track);
    let spike: Vec<f64> = (0..150).map(|i| f64::from(i == 30)).collect();
    // Half of the spike is height of the middle, and the other half comes from banking, at the left edge.
    let kept = smoothed(&spike, &places, 3.0)[30];
    assert_near(relief.deviation_m(), 1.0 - kept, 1e-12);
    assert_eq!(TrackRelief::new(&track, &EXACT).unwrap().deviation_m(), 0.0);
    assert!(kept > 0.1 && kept < 0.5, "{kept}");
}

#[test]
fn a_line_along_a_crossing_road_has_the_heights_of_its_own_leg() {
    // A figure of eight whose legs cross at the origin at heights of 0 and 6 m.
    let middle: Vec<(Point, Vector)> = (0..400)
        .map(|i| {
            let t = TAU * (f64::from(i) + 0.5) / 400.0;
            let at = Point::new(60.0 * t.sin(), 60.0 * t.sin() * t.cos());
            (at, Vector::new(t.cos(), (2.0 * t).cos()))
        })
        .collect();
    let mut track = about(&middle, 4.0, true);
    track = raised(track, |_| 0.0);
    for (i, section) in track.surface.as_mut().unwrap().iter_mut().enumerate() {
        let height = 3.0 - 3.0 * (TAU * i as f64 / 400.0).cos();
        (section.left.height_m, section.right.height_m) = (height, height);
    }
    let relief = TrackRelief::new(&track, &EXACT).unwrap();
    let heights: Vec<f64> = relief.along(middle.iter().map(|&(at, _)| at)).map(|slope| slope.height_m).collect();
    for (i, height) in heights.iter().enumerate() {
        assert_near(*height, 3.0 - 3.0 * (TAU * i as f64 / 400.0).cos(), 1e-3);
    }
}
