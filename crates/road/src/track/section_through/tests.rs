use crate::edges::EdgeKind;
use crate::geometry::Point;
use crate::track::test_roads::{assert_near, ring, straight};
use crate::track::{SectionSurface, SurfaceEnd, Track};

fn road() -> Track {
    straight(&(0..=20).map(|i| 10.0 * f64::from(i)).collect::<Vec<_>>(), 8.0, 0.0)
}

#[test]
fn the_nearer_section_is_moved_to_the_place() {
    for (x, index) in [(101.0, 10), (104.9, 10), (105.1, 11), (109.0, 11), (6.0, 1), (194.0, 19)] {
        let (moved, found) = road().with_section_through(Point::new(x, 3.0), &[]).unwrap();
        assert_eq!(found, index);
        for (i, section) in moved.sections.iter().enumerate() {
            let wanted = if i == index { x } else { 10.0 * i as f64 };
            assert_near(section.right.x, wanted, 1e-9);
            assert_near(section.left.x, wanted, 1e-9);
        }
    }
}

#[test]
fn the_ends_of_an_open_road_and_kept_sections_stay() {
    for (x, kept, index) in [(3.0, &[][..], 0), (197.0, &[], 20), (101.0, &[10], 10)] {
        let (same, found) = road().with_section_through(Point::new(x, 3.0), kept).unwrap();
        assert_eq!((found, same), (index, road()));
    }
    let (moved, found) = road().with_section_through(Point::new(101.0, 3.0), &[11]).unwrap();
    assert!(found == 10 && moved != road());
    // A ring has no ends.
    let track = ring(50.0, 5.0, 40);
    let place = track.sections[39].towards(&track.sections[0], 0.8).point(0.3);
    let (moved, found) = track.with_section_through(place, &[]).unwrap();
    assert_eq!(found, 0);
    assert!((moved.sections[0].point(0.3) - place).norm() < 1e-9);
}

#[test]
fn places_off_the_road_have_no_section() {
    for (x, y, is_on) in [
        (50.0, 0.0, true),
        (50.0, 8.0, true),
        (52.0, -0.1, false),
        (52.0, 8.1, false),
        (-1.0, 4.0, false),
        (201.0, 4.0, false),
        (200.005, 4.0, true),
        (200.01, 4.0, false),
    ] {
        assert_eq!(road().with_section_through(Point::new(x, y), &[]).is_some(), is_on, "({x}, {y})");
    }
}

#[test]
fn heights_and_grip_are_those_between_the_two_sections() {
    let mut track = road();
    let end = |height_m: f64, kind| SurfaceEnd { height_m, grip: 1.0 - 0.01 * height_m, kind };
    let surface = |i: u32| SectionSurface {
        right: end(f64::from(i), if i > 10 { EdgeKind::Wall } else { EdgeKind::Kerb }),
        left: end(2.0 * f64::from(i), EdgeKind::Line),
    };
    track.surface = Some((0..=20).map(surface).collect());
    for (x, index, kind) in [(103.0, 10, EdgeKind::Kerb), (107.0, 11, EdgeKind::Wall)] {
        let (moved, _) = track.with_section_through(Point::new(x, 3.0), &[]).unwrap();
        let found = moved.surface.as_ref().unwrap()[index];
        assert_near(found.right.height_m, 0.1 * x, 1e-9);
        assert_near(found.right.grip, 1.0 - 0.001 * x, 1e-9);
        assert_near(found.left.height_m, 0.2 * x, 1e-9);
        assert_near(found.left.grip, 1.0 - 0.002 * x, 1e-9);
        assert_eq!((found.right.kind, found.left.kind), (kind, EdgeKind::Line));
        let other = if index == 10 { 11 } else { 10 };
        assert_eq!(moved.surface.as_ref().unwrap()[other], track.surface.as_ref().unwrap()[other]);
    }
}
