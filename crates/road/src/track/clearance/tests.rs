use super::{ClearanceOptions, EdgeMargin, Track, TrackError, TrackOptions, limited, moved, usable};
use crate::edges::{EdgeKind, RoadShape};
use crate::track::places::Places;
use crate::track::test_roads::{about, assert_near, straight, wavy};
use crate::track::{SectionSurface, SurfaceEnd};

fn ring() -> Track {
    let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 72.0;
    let middle: Vec<[f64; 2]> = (0..72).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
    Track::from_centre_line(&middle, &[[5.0, 5.0]; 72], RoadShape::Closed, &TrackOptions::default()).unwrap()
}

fn used(margins: &[EdgeMargin]) -> Result<Option<Track>, TrackError> {
    let clearance = ClearanceOptions::default();
    usable(&ring(), (&clearance, margins), &TrackOptions::default(), 0.3, 4.0)
}

#[test]
fn room_at_one_place_is_kept_along_the_whole_road() {
    let track = used(&[EdgeMargin { s_m: 10.0, left_m: 2.0, right_m: 1.0 }]).unwrap().unwrap();
    for section in &track.sections {
        // Driven counter-clockwise: the left edge is the inner one, of radius 55 m.
        assert!((section.left.coords.norm() - 57.0).abs() < 0.02, "{:?}", section.left);
        assert!((section.right.coords.norm() - 64.0).abs() < 0.02, "{:?}", section.right);
    }
}

#[test]
fn room_changes_between_places_and_is_never_below_zero() {
    let margin = |s_m: f64, left_m: f64| EdgeMargin { s_m, left_m, right_m: 0.0 };
    let track = used(&[margin(0.0, 0.0), margin(100.0, 3.0), margin(200.0, 0.0)]).unwrap().unwrap();
    let inner: Vec<f64> = track.sections.iter().map(|section| section.left.coords.norm()).collect();
    let widest = inner.iter().copied().fold(0.0, f64::max);
    assert!((widest - 58.0).abs() < 0.2, "{widest}");
    assert!(inner.iter().all(|&radius| radius > 54.98), "{inner:?}");
}

#[test]
fn without_margins_the_road_of_lines_stays() {
    assert!(used(&[]).unwrap().is_none());
}

#[test]
fn wrong_margins_are_refused_with_their_number() {
    let margin = |s_m: f64, left_m: f64| EdgeMargin { s_m, left_m, right_m: 0.0 };
    let message = |margins: &[EdgeMargin]| used(margins).unwrap_err().to_string();
    assert!(message(&[margin(0.0, 0.1), margin(5.0, -0.1)]).contains("edge_margin point 2: left_m = -0.1"));
    assert!(message(&[margin(5.0, 0.1), margin(5.0, 0.1)]).contains("edge_margin point 2: s_m = 5"));
    assert!(message(&[margin(5000.0, 0.1)]).contains("beyond the end of the road"));
    assert!(used(&[margin(0.0, 9.9)]).is_err());
}

#[test]
fn each_default_is_written_only_where_it_was_changed() {
    let text = |options: ClearanceOptions| serde_json::to_string(&options).unwrap();
    let defaults = ClearanceOptions::default();
    assert_eq!((defaults.wall_clearance_m, defaults.kerb_overhang_m), (0.7, 0.3));
    assert_eq!(text(defaults), "{}");
    assert_eq!(text(ClearanceOptions { wall_clearance_m: 0.3, ..defaults }), r#"{"wall_clearance_m":0.3}"#);
    assert_eq!(text(ClearanceOptions { kerb_overhang_m: 0.7, ..defaults }), r#"{"kerb_overhang_m":0.7}"#);
    for value in [-0.1, 100.1, f64::NAN] {
        assert!(ClearanceOptions { wall_clearance_m: value, ..defaults }.validate().is_err());
        assert!(ClearanceOptions { kerb_overhang_m: value, ..defaults }.validate().is_err());
        let clearance = ClearanceOptions { kerb_overhang_m: value, ..defaults };
        assert!(usable(&ring(), (&clearance, &[]), &TrackOptions::default(), 0.3, 4.0).is_err());
    }
}

#[test]
fn an_edge_moves_by_its_kind_and_the_safety_distance() {
    let options = ClearanceOptions { wall_clearance_m: 0.7, kerb_overhang_m: 0.2 };
    assert_eq!(options.offset_m(EdgeKind::Line, 0.3), 0.0);
    assert_near(options.offset_m(EdgeKind::Kerb, 0.3), 0.5, 1e-12);
    assert_near(options.offset_m(EdgeKind::Wall, 0.3), -0.4, 1e-12);
    assert_eq!(options.offset_m(EdgeKind::Wall, 0.9), 0.0);
}

#[test]
fn a_road_has_only_lines_where_no_end_of_a_section_is_anything_else() {
    let level = SectionSurface::LEVEL;
    let with = |section: SectionSurface| Track { surface: Some(vec![level, section, level]), ..ring() };
    assert!(ring().has_only_lines() && with(level).has_only_lines());
    let wall = SurfaceEnd { kind: EdgeKind::Wall, ..SurfaceEnd::LEVEL };
    assert!(!with(SectionSurface { left: wall, ..level }).has_only_lines());
    assert!(!with(SectionSurface { right: wall, ..level }).has_only_lines());
}

#[test]
fn offsets_change_by_a_tenth_of_a_metre_a_metre_at_maximum_and_never_outwards() {
    let uneven: Vec<f64> = (0..30).map(|i| 4.0 * f64::from(i) + f64::from(i * i % 3)).collect();
    let mut wanted = vec![0.0; 30];
    (wanted[3], wanted[20], wanted[29]) = (-5.0, 1.0, -0.6);
    for (track, closed) in [(straight(&uneven, 8.0, 0.0), false), (about(&wavy(30), 4.0, true), true)] {
        let places = Places::new(&track);
        let (d, length) = (&places.distances, places.length_m());
        for (i, &found) in limited(&wanted, &places).iter().enumerate() {
            let apart = |k: usize| {
                let plain = f64::abs(d[i] - d[k]);
                if closed { plain.min(length - plain) } else { plain }
            };
            let largest = (0..30).map(|k| wanted[k] + 0.1 * apart(k)).fold(f64::INFINITY, f64::min);
            assert_near(found, largest, 1e-9);
        }
    }
}

#[test]
fn a_moved_edge_lies_at_its_offsets_beside_the_edge() {
    let distances: Vec<f64> = (0..=20).map(|i| 9.9 * f64::from(i)).collect();
    let offsets: Vec<f64> = (0..=20).map(|i| 0.05 * f64::from(i)).collect();
    for heading in [0.0, 2.0] {
        let track = straight(&distances, 8.0, heading);
        let places = Places::new(&track);
        let (sin, cos) = f64::sin_cos(heading);
        for (edge, is_left) in [(&track.left_edge, true), (&track.right_edge, false)] {
            let moved = moved(edge, &places, &offsets, is_left);
            // A vertex every two metres, or nearer.
            assert_eq!((moved.points.len(), moved.closed), (101, false));
            for (i, point) in moved.points.iter().enumerate() {
                let s = 1.98 * i as f64;
                let across = if is_left { 8.0 + 0.05 * s / 9.9 } else { -0.05 * s / 9.9 };
                assert_near(point.x, s * cos - across * sin, 1e-9);
                assert_near(point.y, s * sin + across * cos, 1e-9);
            }
        }
    }
    let track = crate::track::test_roads::ring(50.0, 5.0, 40);
    let places = Places::new(&track);
    for (edge, is_left, radius) in [(&track.left_edge, true, 44.5), (&track.right_edge, false, 55.5)] {
        let moved = moved(edge, &places, &[0.5; 40], is_left);
        // Pieces of 7.1 and 8.6 m.
        assert_eq!((moved.points.len(), moved.closed), (if is_left { 160 } else { 200 }, true));
        for point in &moved.points {
            assert_near(point.coords.norm(), radius, 0.18);
        }
        let turn = moved.points[0];
        assert_near(turn.coords.norm(), radius, 2e-3);
    }
}

#[test]
fn walls_and_kerbs_narrow_and_widen_the_road_beside_them() {
    let mut track = ring();
    let count = track.sections.len();
    let end = |height_m: f64, kind| SurfaceEnd { height_m, grip: 0.8, kind };
    track.surface =
        Some(vec![SectionSurface { right: end(1.0, EdgeKind::Kerb), left: end(3.0, EdgeKind::Wall) }; count]);
    track.edge_uncertainty_m = 0.2;
    let clearance = ClearanceOptions { wall_clearance_m: 1.3, kerb_overhang_m: 0.4 };
    let options = TrackOptions { spacing_m: Some(1.5), ..TrackOptions::default() };
    let margins = [EdgeMargin { s_m: 0.0, left_m: 0.5, right_m: 0.1 }];
    let used = usable(&track, (&clearance, &margins), &options, 0.3, 4.0).unwrap().unwrap();
    assert_eq!((used.spacing_m, used.edge_uncertainty_m, used.direction), (1.5, 0.2, track.direction));
    // The left edge, at 55 m, moves inwards by 1.3 - 0.3 + 0.5 m, the right one, at 65 m, outwards by 0.3 + 0.4 - 0.1 m.
    for (section, surface) in used.sections.iter().zip(used.surface.as_ref().unwrap()) {
        assert_near(section.left.coords.norm(), 56.5, 0.02);
        assert_near(section.right.coords.norm(), 65.6, 0.02);
        // A fifth of a metre a metre across, continued.
        assert_near(surface.left.height_m, 3.0 - 0.3, 5e-3);
        assert_near(surface.right.height_m, 1.0 - 0.12, 5e-3);
        assert_eq!((surface.left.grip, surface.left.kind, surface.right.kind), (0.8, EdgeKind::Line, EdgeKind::Line));
    }
    assert!((used.sections[0].middle() - track.sections[0].middle()).norm() < 1.5);
    // The track's direction counts, not the one that its cutting was asked for.
    let options = TrackOptions { direction: Some(track.direction), ..options };
    let reversed = usable(&track.reversed(), (&clearance, &[]), &options, 0.3, 4.0).unwrap().unwrap();
    assert_ne!(reversed.direction, track.direction);
    assert!((reversed.sections[0].middle() - track.sections[0].middle()).norm() < 1.5);
    // Without heights of its own the road stays level.
    let level = Track { surface: None, ..track };
    assert!(usable(&level, (&clearance, &margins), &options, 0.3, 4.0).unwrap().unwrap().surface.is_none());
}

#[test]
fn the_ends_of_an_open_road_do_not_limit_each_other() {
    let places = Places::new(&straight(&[0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0], 8.0, 0.0));
    let mut wanted = [0.0; 8];
    wanted[7] = -3.0;
    assert_eq!(limited(&wanted, &places)[..5], [0.0; 5]);
    wanted.reverse();
    assert_eq!(limited(&wanted, &places)[4..], [0.0; 4]);
}

#[test]
fn an_open_bend_is_moved_along_its_normals_up_to_its_ends() {
    let mut track = crate::track::test_roads::ring(50.0, 5.0, 720);
    track.sections.truncate(100);
    for edge in [&mut track.left_edge, &mut track.right_edge] {
        edge.points.truncate(100);
        edge.closed = false;
    }
    track.closed = false;
    let places = Places::new(&track);
    let moved = moved(&track.right_edge, &places, &[0.5; 100], false);
    assert_eq!(moved.points.len(), 100);
    for (point, from) in moved.points.iter().zip(&track.right_edge.points) {
        assert_near((point - from).norm(), 0.5, 1e-9);
        // At the ends the direction is that of the last piece, half a degree long.
        assert_near(point.coords.norm(), 55.5, 1e-4);
        assert!((point.y.atan2(point.x) - from.y.atan2(from.x)).abs() < 1e-4);
    }
}
