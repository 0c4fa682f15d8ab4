//! The pits in images made by hand, and the routes through them on a track with closed forms.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::f64::consts::PI;

use raceline_follower::{Path, VehicleDynamics, Waypoint};
use raceline_torcs::image::Image;
use raceline_torcs::layout::{CAR_BYTES, SEGMENT_BYTES, Segment, TRACK_BYTES, Track};
use raceline_torcs::pit_lane::PitLane;
use raceline_torcs::pits::{BOX_BYTES, OwnBox, Pits, Service};

fn put(image: &mut [u8], offset: usize, bytes: &[u8]) {
    image[offset..offset + bytes.len()].copy_from_slice(bytes);
}

fn put_floats(image: &mut [u8], offset: usize, values: &[f32]) {
    for (i, value) in values.iter().enumerate() {
        put(image, offset + 4 * i, &value.to_ne_bytes());
    }
}

#[test]
fn pits_are_read_from_their_offsets() {
    let mut track = vec![0; TRACK_BYTES];
    assert_eq!(Pits::read(Image(&track), |_| None), None);
    put(&mut track, 64, &1_i32.to_ne_bytes());
    put(&mut track, 76, &2_i32.to_ne_bytes());
    put_floats(&mut track, 80, &[15.0, 5.0, 25.0]);
    for (i, address) in [1000_usize, 2000, 3000, 4000].into_iter().enumerate() {
        put(&mut track, 96 + 8 * i, &address.to_ne_bytes());
    }
    let segments: Vec<Vec<u8>> = (1..5)
        .map(|i| {
            let mut segment = vec![0; SEGMENT_BYTES];
            put_floats(&mut segment, 24, &[30.0]);
            put_floats(&mut segment, 40, &[100.0 * i as f32]);
            segment
        })
        .collect();
    let of = |address: usize| segments.get(address / 1000 - 1).map(|segment| Image(segment));
    let pits = Pits::read(Image(&track), of).unwrap();
    assert!(pits.is_left);
    assert_eq!((pits.box_m, pits.limit_mps), ([15.0, 5.0], 25.0));
    assert_eq!([pits.entry_m, pits.start_m, pits.end_m, pits.exit_m], [100.0, 200.0, 330.0, 430.0]);
    // An address that leads nowhere.
    assert_eq!(Pits::read(Image(&track), |_| None), None);

    let mut own = vec![0; BOX_BYTES];
    put_floats(&mut own, 12, &[7.5, -6.0, 12.5]);
    assert_eq!(OwnBox::read(Image(&own), of(2000).unwrap()), OwnBox { from_start_m: 207.5, aside_m: 12.5 });
}

#[test]
fn a_service_is_written_to_its_offsets_and_nowhere_else() {
    let mut image = vec![0xff; CAR_BYTES];
    Service { fuel_l: 42.5, repair: 700 }.write(&mut image);
    let read = Image(&image);
    assert_eq!((read.float(1708), read.int(1712), read.int(1716)), (42.5, 700, 0));
    assert!((0..CAR_BYTES).all(|i| (1708..1720).contains(&i) || image[i] == 0xff));
    Service::default().write(&mut image[..100]);
}

const STRAIGHT: f64 = 1000.0;
const RADIUS: f64 = 100.0;
const WIDTH: f64 = 12.0;

/// Two straights and two half circles, counter-clockwise, with pits on the side asked for, around the start
/// line in the middle of the first straight.
fn track(is_left: bool) -> Track {
    let corner = |i: usize, left: f64| {
        let (x, y) = [
            (0.0, left),
            (0.5 * STRAIGHT, left),
            (0.5 * STRAIGHT, 2.0 * RADIUS - left),
            (-0.5 * STRAIGHT, 2.0 * RADIUS - left),
            (-0.5 * STRAIGHT, left),
        ][i % 5];
        [x, y, 0.0]
    };
    let lengths = [0.5 * STRAIGHT, PI * RADIUS, STRAIGHT, PI * RADIUS, 0.5 * STRAIGHT];
    let mut from_start_m = 0.0;
    let segments: Vec<Segment> = lengths
        .into_iter()
        .enumerate()
        .map(|(i, length_m)| {
            let edge = 0.5 * WIDTH;
            let is_bend = i % 2 == 1;
            let segment = Segment {
                id: i as i32,
                kind: if is_bend { 2 } else { 3 },
                length_m,
                width_m: WIDTH,
                from_start_m,
                corners_m: [corner(i, edge), corner(i, -edge), corner(i + 1, edge), corner(i + 1, -edge)],
                centre_m: [if i == 1 { 0.5 * STRAIGHT } else { -0.5 * STRAIGHT }, RADIUS],
                arc_rad: if is_bend { PI } else { 0.0 },
                friction: 1.0,
            };
            from_start_m += length_m;
            segment
        })
        .collect();
    let pits = Pits {
        is_left,
        box_m: [15.0, 5.0],
        limit_mps: 25.0,
        entry_m: from_start_m - 250.0,
        start_m: from_start_m - 150.0,
        end_m: 150.0,
        exit_m: 250.0,
    };
    Track { name: "oval".to_owned(), count: 5, length_m: from_start_m, width_m: WIDTH, segments, pits: Some(pits) }
}

/// A line 2 m to the left of the middle at 40 m/s.
fn line(track: &Track) -> Path {
    let count = 400;
    let waypoints = (0..count).map(|i| {
        let (segment, fraction) = track.segment_at(track.length_m * f64::from(i) / f64::from(count)).unwrap();
        let [left, right] = segment.across(fraction);
        let t = 0.5 + 2.0 / WIDTH;
        let position_m = std::array::from_fn(|k| right[k] + t * (left[k] - right[k]));
        Waypoint { position_m, left_m: 4.0, right_m: 8.0, speed_mps: 40.0, ..Waypoint::default() }
    });
    Path::new(waypoints.collect(), true).unwrap().with_dynamics(&VehicleDynamics::constant(25.0, 18.0, 8.0))
}

#[test]
fn the_routes_lead_from_the_line_to_the_box_and_back() {
    for is_left in [true, false] {
        let track = track(is_left);
        let pits = track.pits.unwrap();
        let own = OwnBox { from_start_m: 20.0, aside_m: 13.5 };
        let lane = PitLane::new(&track, &pits, &own, &line(&track), 1.0, 2.0).unwrap();
        let side = if is_left { 1.0 } else { -1.0 };
        let (route_in, route_out) = (&lane.route_in, &lane.route_out);
        // On this straight, x is the distance from the start line and y that from the middle.
        let ends = route_in.sample(route_in.length_m()).position_m;
        let begins = route_out.sample(0.0).position_m;
        for place in [ends, begins] {
            assert!((place[0] - 20.0).abs() < 1e-6 && (place[1] - side * 13.5).abs() < 1e-6, "{place:?}");
        }
        assert!(route_in.waypoints().last().unwrap().speed_mps == 0.0);
        for (route, crossed) in [(route_in, -250.0..=-150.0), (route_out, 150.0..=250.0)] {
            let on_straight =
                |point: &&Waypoint| point.position_m[0].abs() < 0.49 * STRAIGHT && point.position_m[1] < RADIUS;
            for point in route.waypoints().iter().filter(on_straight) {
                let [x, y, _] = point.position_m;
                let aside = side * y;
                if (-150.0..=150.0).contains(&x) {
                    assert!(point.speed_mps <= 25.0 && aside > 0.5 * WIDTH, "{x} {aside} {}", point.speed_mps);
                } else if !crossed.contains(&x) {
                    assert!(aside < 0.5 * WIDTH - 1.0, "{x} {aside}");
                }
            }
        }
        // Where the route in begins and where the route out is back, it is on the line, as fast.
        let start = route_in.sample(30.0);
        assert!((start.speed_mps - 40.0).abs() < 0.5, "{}", start.speed_mps);
        let back = route_out.sample(lane.back_m);
        assert!((back.position_m[1] - 2.0).abs() < 0.05 || back.position_m[0] > 0.5 * STRAIGHT, "{back:?}");
        // 300 m at 24.2 m/s for 40 m/s, and less than 12 s for braking, box and driving off.
        let limit = 300.0 / 24.2 - 300.0 / 40.0;
        assert!((limit..limit + 12.0).contains(&lane.loss_s), "{}", lane.loss_s);
    }
}

#[test]
fn pits_out_of_order_are_refused() {
    let track = track(true);
    let pits = Pits { end_m: track.length_m - 100.0, ..track.pits.unwrap() };
    let own = OwnBox { from_start_m: 20.0, aside_m: 13.5 };
    let message = PitLane::new(&track, &pits, &own, &line(&track), 1.0, 2.0).unwrap_err();
    assert!(message.contains("not in order"), "{message}");
}
