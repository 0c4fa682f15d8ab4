use std::f64::consts::TAU;

use crate::frame::Spot;
use crate::geometry::{Point, Vector};
use crate::track::test_roads::{assert_near, ring, straight};
use crate::track::{Grip, GripPolygon, GripStretch, GripStrip, RoadSide, SectionSurface, SurfaceEnd, Track, TrackGrip};

fn road() -> Track {
    straight(&(0..=40).map(|i| 5.0 * f64::from(i)).collect::<Vec<_>>(), 10.0, 0.0)
}

const STRETCH: GripStretch = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.6, ramp_m: 10.0 };
const STRIP: GripStrip = GripStrip {
    from_m: 50.0,
    to_m: 100.0,
    factor: 0.6,
    ramp_m: 10.0,
    side: RoadSide::Left,
    width_m: 3.0,
    border_m: 1.0,
};

fn square() -> GripPolygon {
    let polygon = [[60.0, 2.0], [80.0, 2.0], [80.0, 8.0], [60.0, 8.0]].map(Spot::Metres).to_vec();
    GripPolygon { polygon, factor: 0.5, border_m: 2.0 }
}

fn grip(parts: &[Grip]) -> TrackGrip {
    TrackGrip::new(&road(), parts).unwrap().unwrap()
}

/// The polynomial of the ramps of a stretch.
fn ramp(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

/// Polynomial of the borders of a patch.
fn border(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    6.0 * t.powi(5) - 15.0 * t.powi(4) + 10.0 * t.powi(3)
}

#[test]
fn the_grip_of_a_stretch_rises_and_falls_over_its_ramps() {
    let grip = grip(&[STRETCH.into()]);
    for (s, part) in
        [(49.9, 0.0), (50.0, 0.0), (53.0, 0.3), (58.0, 0.8), (60.0, 1.0), (75.0, 1.0), (92.0, 0.8), (100.1, 0.0)]
    {
        assert_near(grip.at_distance(s), 1.0 - 0.4 * ramp(part), 1e-12);
        assert_near(grip.at(Point::new(s, 3.0)), 1.0 - 0.4 * ramp(part), 1e-9);
    }
    for (index, part) in [(9, 0.0), (11, 0.5), (12, 1.0), (19, 0.5), (20, 0.0)] {
        assert_near(grip.at_section(index), 1.0 - 0.4 * ramp(part), 1e-9);
    }
    // A step, and ramps that meet in the middle.
    let step = super::TrackGrip::new(&road(), &[GripStretch { ramp_m: 0.0, ..STRETCH }]).unwrap().unwrap();
    assert_eq!([49.9, 50.0, 100.0, 100.1].map(|s| step.at_distance(s)), [1.0, 0.6, 0.6, 1.0]);
    let wide = super::TrackGrip::new(&road(), &[GripStretch { ramp_m: 80.0, ..STRETCH }]).unwrap().unwrap();
    assert_near(wide.at_distance(60.0), 1.0 - 0.4 * ramp(0.4), 1e-12);
    assert_eq!(wide.at_distance(75.0), 0.6);
}

#[test]
fn beyond_the_ends_an_open_road_goes_on_and_a_closed_one_begins_again() {
    let open = super::TrackGrip::new(&road(), &[GripStretch { from_m: 0.0, to_m: 20.0, ramp_m: 0.0, factor: 0.6 }]);
    let open = open.unwrap().unwrap();
    assert_eq!((open.at_distance(-5.0), open.at_distance(205.0)), (0.6, 1.0));
    let track = ring(50.0, 5.0, 100);
    let length = track.centre_line().length();
    let over = GripStretch { from_m: length - 20.0, to_m: 20.0, ramp_m: 5.0, factor: 0.6 };
    let closed = TrackGrip::new(&track, &[over]).unwrap().unwrap();
    for laps in [-1.0, 0.0, 1.0] {
        let at = |s: f64| closed.at_distance(s + laps * length);
        assert_near(at(0.0), 0.6, 1e-12);
        assert_near(at(18.0), 1.0 - 0.4 * ramp(0.4), 1e-9);
        assert_near(at(-18.0), 1.0 - 0.4 * ramp(0.4), 1e-9);
        assert_eq!((at(21.0), at(-21.0)), (1.0, 1.0));
    }
}

#[test]
fn factors_of_overlapping_parts_are_multiplied_and_parts_can_be_left_out() {
    let both =
        grip(&[STRETCH.into(), Grip::Polygon(square()), Grip::Strip(GripStrip { side: RoadSide::Both, ..STRIP })]);
    let place = Point::new(70.0, 5.0);
    assert_near(both.at(place), 0.6 * 0.5, 1e-9);
    assert_near(both.clone().without(0).at(place), 0.5, 1e-9);
    assert_near(both.clone().without(1).at(place), 0.6, 1e-9);
    assert_near(both.clone().without(7).at(place), 0.3, 1e-9);
    assert_near(both.at(Point::new(70.0, 0.2)), 0.6 * (1.0 - 0.4 * border(1.0)), 1e-9);
    assert_eq!(both.along(&[place, Point::new(20.0, 5.0)]), [both.at(place), 1.0]);
}

#[test]
fn a_strip_has_its_width_at_its_edge_and_its_ramps_along_the_road() {
    for (side, distances) in
        [(RoadSide::Left, [0.5, 1.5, 2.2, 2.9, 3.5, 9.8]), (RoadSide::Right, [0.5, 1.5, 2.2, 2.9, 3.5, 9.8])]
    {
        let grip = grip(&[Grip::Strip(GripStrip { side, ..STRIP })]);
        for from_edge in distances {
            let y = if side == RoadSide::Left { 10.0 - from_edge } else { from_edge };
            let wanted = 1.0 - 0.4 * border(3.0 - from_edge);
            assert_near(grip.at(Point::new(75.0, y)), wanted, 1e-9);
            assert_near(grip.at(Point::new(54.0, y)), 1.0 - 0.4 * ramp(0.4) * border(3.0 - from_edge), 1e-9);
            assert_eq!(grip.at(Point::new(49.0, y)), 1.0);
        }
        assert_eq!(grip.at_distance(75.0), 1.0);
    }
    // A border wider than the strip is as wide as it.
    let thin = grip(&[Grip::Strip(GripStrip { width_m: 0.5, border_m: 2.0, ..STRIP })]);
    assert_near(thin.at(Point::new(75.0, 9.8)), 1.0 - 0.4 * border(0.6), 1e-9);
    let both = grip(&[Grip::Strip(GripStrip { side: RoadSide::Both, ..STRIP })]);
    assert_near(both.at(Point::new(75.0, 7.5)), 1.0 - 0.4 * border(0.5), 1e-9);
    assert_near(both.at(Point::new(75.0, 2.5)), 1.0 - 0.4 * border(0.5), 1e-9);
    assert_eq!(both.at(Point::new(75.0, 5.0)), 1.0);
}

#[test]
fn a_polygon_has_its_factor_inside_and_its_border_along_its_outline() {
    let grip = grip(&[Grip::Polygon(square())]);
    for (x, y, depth) in [(70.0, 5.0, 3.0), (61.0, 5.0, 1.0), (79.5, 5.0, 0.5), (70.0, 3.4, 1.4), (70.0, 7.9, 0.1)] {
        assert_near(grip.at(Point::new(x, y)), 1.0 - 0.5 * border(depth / 2.0), 1e-9);
    }
    for (x, y) in [(59.0, 5.0), (81.0, 5.0), (70.0, 1.0), (70.0, 9.0)] {
        assert_eq!(grip.at(Point::new(x, y)), 1.0);
    }
    // A triangle does not fill its box.
    let corner = [[60.0, 2.0], [80.0, 2.0], [60.0, 8.0]].map(Spot::Metres).to_vec();
    let half = super::TrackGrip::new(&road(), &[Grip::Polygon(GripPolygon { polygon: corner, ..square() })]);
    let half = half.unwrap().unwrap();
    assert_eq!(half.at(Point::new(75.0, 7.0)), 1.0);
    assert!(half.at(Point::new(62.0, 4.0)) < 1.0);
}

#[test]
fn patches_across_are_the_factors_on_a_line_across_the_road() {
    let (origin, across) = (Point::new(70.0, 5.0), Vector::new(0.0, 1.0));
    let offsets = [-5.0, -2.5, 0.0, 2.0, 4.5];
    for part in [Grip::Polygon(square()), Grip::Strip(STRIP)] {
        let grip = grip(&[part]);
        let factors = grip.patches_across(origin, across, &offsets).unwrap();
        for (factor, offset) in factors.iter().zip(offsets) {
            assert_near(*factor, grip.at(origin + across * offset), 1e-9);
        }
        // Away from the patch, and where it is near but not reached.
        assert_eq!(grip.patches_across(Point::new(120.0, 5.0), across, &offsets), None);
        assert_eq!(
            grip.patches_across(Point::new(84.0, 5.0), across, &[0.0, 3.9]).is_none(),
            grip.at(Point::new(84.0, 8.9)) == 1.0
        );
    }
    // A line whose foot lies before the strip and whose end lies in it.
    let strip = grip(&[Grip::Strip(GripStrip { side: RoadSide::Both, width_m: 9.0, ramp_m: 0.0, ..STRIP })]);
    let along = Vector::new(1.0, 0.0);
    for (x, offset) in [(46.0, 5.0), (104.0, -5.0)] {
        let found = strip.patches_across(Point::new(x, 5.0), along, &[0.0, offset]).unwrap();
        assert_near(found[0], 1.0, 1e-12);
        assert_near(found[1], 0.6, 1e-9);
    }
    assert_eq!(strip.patches_across(Point::new(2.0, 5.0), along, &[0.0, 5.0]), None);
    // Stretches over the whole width are no patches, and parts left out neither.
    assert_eq!(grip(&[STRETCH.into()]).patches_across(origin, across, &offsets), None);
    assert_eq!(grip(&[Grip::Strip(STRIP)]).without(0).patches_across(origin, across, &offsets), None);
    let with = grip(&[STRETCH.into(), Grip::Strip(STRIP)]).patches_across(origin, across, &[4.5]).unwrap();
    assert_near(with[0], 0.6, 1e-9);
}

#[test]
fn the_grip_of_the_surface_is_linear_across_and_along_the_road() {
    let mut track = road();
    let end = |grip: f64| SurfaceEnd { grip, ..SurfaceEnd::LEVEL };
    let surface =
        |i: u32| SectionSurface { right: end(1.0 - 0.01 * f64::from(i)), left: end(0.5 + 0.01 * f64::from(i)) };
    track.surface = Some((0..=40).map(surface).collect());
    let grip = TrackGrip::new::<GripStretch>(&track, &[]).unwrap().unwrap();
    for (x, y) in [(0.0, 0.0), (33.0, 10.0), (82.0, 2.5), (200.0, 7.0)] {
        let (right, left) = (1.0 - 0.002 * x, 0.5 + 0.002 * x);
        assert_near(grip.at(Point::new(x, y)), right + 0.1 * y * (left - right), 1e-9);
    }
    assert_near(grip.at(Point::new(33.0, -4.0)), 1.0 - 0.002 * 33.0, 1e-9);
    assert_near(grip.at(Point::new(33.0, 14.0)), 0.5 + 0.002 * 33.0, 1e-9);
    assert_near(grip.at_section(10), 0.75, 1e-12);
    let wet = TrackGrip::new(&track, &[STRETCH]).unwrap().unwrap();
    assert_near(wet.at_section(15), 0.75 * 0.6, 1e-12);
    assert_near(wet.at(Point::new(75.0, 5.0)), 0.75 * 0.6, 1e-9);
    // Even grip of 1 is no grip at all.
    track.surface = Some(vec![SectionSurface::LEVEL; 41]);
    assert!(TrackGrip::new::<GripStretch>(&track, &[]).unwrap().is_none());
}

#[test]
fn the_last_piece_of_a_ring_leads_to_its_first_section() {
    let mut track = ring(50.0, 5.0, 40);
    let mut surface = vec![SectionSurface::LEVEL; 40];
    (surface[0].left.grip, surface[0].right.grip) = (0.5, 0.5);
    track.surface = Some(surface);
    let grip = TrackGrip::new::<GripStretch>(&track, &[]).unwrap().unwrap();
    let at = |section: f64| {
        let angle = TAU * section / 40.0;
        grip.at(Point::new(50.0 * angle.cos(), 50.0 * angle.sin()))
    };
    assert_near(at(39.5), 0.75, 1e-9);
    assert_near(at(0.5), 0.75, 1e-9);
    assert_near(at(38.5), 1.0, 1e-9);
}

#[test]
fn each_part_has_its_ranges() {
    let valid = |part: Grip| part.validate().is_ok();
    for (factor, wanted) in [(0.05, true), (0.049, false), (3.0, true), (3.01, false)] {
        assert_eq!(valid(GripStretch { factor, ..STRETCH }.into()), wanted);
        assert_eq!(valid(Grip::Polygon(GripPolygon { factor, ..square() })), wanted);
    }
    for (border_m, wanted) in [(0.1, true), (0.09, false), (100.0, true), (100.1, false)] {
        assert_eq!(valid(Grip::Strip(GripStrip { border_m, ..STRIP })), wanted);
        assert_eq!(valid(Grip::Polygon(GripPolygon { border_m, ..square() })), wanted);
    }
    for (width_m, wanted) in [(0.01, true), (0.009, false), (1000.0, true), (1000.1, false)] {
        assert_eq!(valid(Grip::Strip(GripStrip { width_m, ..STRIP })), wanted);
    }
    for (count, wanted) in [(2, false), (3, true), (1000, true), (1001, false)] {
        let polygon = vec![Spot::Metres([0.0, 0.0]); count];
        assert_eq!(valid(Grip::Polygon(GripPolygon { polygon, ..square() })), wanted);
    }
    for (ramp_m, wanted) in [(0.0, true), (-0.1, false), (1e7, true), (1.1e7, false)] {
        assert_eq!(valid(GripStretch { ramp_m, ..STRETCH }.into()), wanted);
        assert_eq!(valid(Grip::Strip(GripStrip { ramp_m, ..STRIP })), wanted);
    }
    assert!(!valid(GripStretch { from_m: -1.0, ..STRETCH }.into()));
    let refused = |part: Grip| TrackGrip::new(&road(), &[STRETCH.into(), part]).unwrap_err().to_string();
    assert!(refused(GripStretch { factor: 9.0, ..STRETCH }.into()).contains("grip stretch 2"));
    assert!(refused(GripStretch { to_m: 500.0, ..STRETCH }.into()).contains("grip stretch 2"));
    let pixels = GripPolygon { polygon: vec![Spot::Pixels([1.0, 1.0]); 3], ..square() };
    assert!(refused(Grip::Polygon(pixels)).contains("grip 2 has a vertex that is not in metres"));
    for place in [[f64::NAN, 0.0], [0.0, f64::INFINITY]] {
        let far = GripPolygon { polygon: vec![Spot::Metres(place); 3], ..square() };
        assert!(refused(Grip::Polygon(far)).contains("not in metres"));
    }
}

#[test]
fn parts_are_moved_with_the_origin_and_only_polygons_have_places() {
    let offset = Vector::new(3.0, -4.0);
    let mut moved = Grip::Polygon(square()).moved_by(offset);
    assert_eq!(moved.spots_mut()[0], Spot::Metres([63.0, -2.0]));
    assert_eq!(moved.spots_mut().len(), 4);
    assert_eq!(Grip::Strip(STRIP).moved_by(offset), Grip::Strip(STRIP));
    assert!(Grip::from(STRETCH).spots_mut().is_empty());
    let pixels = Grip::Polygon(GripPolygon { polygon: vec![Spot::Pixels([1.0, 2.0])], ..square() });
    assert_eq!(pixels.clone().moved_by(offset), pixels);
    assert!(!Grip::from(STRETCH).is_patch() && Grip::Strip(STRIP).is_patch() && Grip::Polygon(square()).is_patch());
}

#[test]
fn defaults_of_ramps_and_borders_are_read() {
    let strip = r#"{"from_m":50,"to_m":100,"factor":0.6,"side":"left","width_m":3}"#;
    assert_eq!(
        serde_json::from_str::<Grip>(strip).unwrap(),
        Grip::Strip(GripStrip { ramp_m: 5.0, border_m: 0.5, ..STRIP })
    );
}
