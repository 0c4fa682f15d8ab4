//! The layout of TORCS's structs on images made by hand, and the checks of their contents.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raceline_torcs::checks::{check_car, check_state, check_track, forward_ratios};
use raceline_torcs::image::Image;
use raceline_torcs::layout::{CAR_BYTES, CarFacts, CarState, Control, SEGMENT_BYTES, SURFACE_BYTES, Segment, Track};

fn put(image: &mut [u8], offset: usize, values: &[f32]) {
    for (i, value) in values.iter().enumerate() {
        image[offset + 4 * i..offset + 4 * i + 4].copy_from_slice(&value.to_ne_bytes());
    }
}

fn put_int(image: &mut [u8], offset: usize, value: i32) {
    image[offset..offset + 4].copy_from_slice(&value.to_ne_bytes());
}

/// A car with six gears at 30 m/s.
fn car() -> Vec<u8> {
    let mut image = vec![0; CAR_BYTES];
    image[68..77].copy_from_slice(b"car1-trb1");
    put(&mut image, 160, &[4.52, 1.94, 1.1]);
    put(&mut image, 196, &[94.0, 0.3665]);
    for wheel in 0..4 {
        put(&mut image, 216 + 20 * wheel + 16, &[0.33]);
        let place = 896 + 88 * wheel;
        put(&mut image, place, &[if wheel < 2 { 1.27 } else { -1.37 }, if wheel % 2 == 0 { -0.84 } else { 0.84 }]);
        put(&mut image, place + 24, &[91.0 + wheel as f32]);
    }
    put(&mut image, 328, &[100.0, 50.0, 1.0, 0.01, -0.02, 0.5]);
    put(&mut image, 352, &[30.0, 1.0, 0.0]);
    put(&mut image, 372, &[0.25, -2.0, 12.0]);
    put(&mut image, 424, &[25.85, 15.26, 0.0]);
    put(&mut image, 564, &[-1.5]);
    image[680..688].copy_from_slice(&71.25_f64.to_ne_bytes());
    image[688] = 1;
    image[712..720].copy_from_slice(&72.5_f64.to_ne_bytes());
    put_int(&mut image, 736, 3);
    put(&mut image, 788, &[456.0]);
    put_int(&mut image, 1344, 3);
    put(&mut image, 1348, &[17.5, 700.0, 958.0, 1047.0]);
    put(&mut image, 1380, &[-9.0, 0.0, 13.5, 8.55, 6.3, 4.95, 4.05, 3.465]);
    put_int(&mut image, 1420, 7);
    put_int(&mut image, 1424, 1);
    put(&mut image, 1444, &[2900.0, 2950.0, 2700.0, 2750.0]);
    put_int(&mut image, 1496, 42);
    image
}

#[test]
fn a_car_is_read_from_its_offsets() {
    let image = car();
    let facts = CarFacts::read(Image(&image));
    assert_eq!(facts.model, "car1-trb1");
    assert!((facts.steer_lock_rad - 0.3665).abs() < 1e-6 && (facts.wheel_radius_m[3] - 0.33).abs() < 1e-6);
    let ratios = forward_ratios(&facts);
    assert_eq!(ratios.len(), 6);
    assert!((ratios[0] - 13.5).abs() < 1e-6 && (ratios[5] - 3.465).abs() < 1e-6, "{ratios:?}");
    check_car(&facts).unwrap();
    let state = CarState::read(Image(&image));
    assert_eq!((state.laps, state.damage, state.gear, state.lap_counts), (3, 42, 3, true));
    assert_eq!((state.best_lap_s, state.last_lap_s), (71.25, 72.5));
    assert_eq!((state.position_m[0], state.attitude_rad[2], state.yaw_rate_radps), (100.0, 0.5, 0.25));
    assert_eq!((state.acceleration_mps2[1], state.to_middle_m, state.from_start_m), (12.0, -1.5, 456.0));
    assert_eq!((state.spin_radps[2], state.loads_n[3], state.engine_radps), (93.0, 2750.0, 700.0));
    check_state(&state).unwrap();
}

#[test]
fn numbers_of_another_layout_are_refused() {
    let mut image = car();
    put(&mut image, 200, &[1e9]);
    let given = check_car(&CarFacts::read(Image(&image))).unwrap_err();
    assert!(given.contains("steering lock"), "{given}");
    // Gears that do not fall.
    let mut image = car();
    put(&mut image, 1388, &[3.0, 4.0]);
    assert!(check_car(&CarFacts::read(Image(&image))).unwrap_err().contains("gear 2"));
    // A velocity that differs between the frames.
    let mut image = car();
    put(&mut image, 424, &[3.0, 0.0, 0.0]);
    assert!(check_state(&CarState::read(Image(&image))).unwrap_err().contains("world"));
    let mut image = car();
    put(&mut image, 328, &[f32::NAN]);
    check_state(&CarState::read(Image(&image))).unwrap_err();
    // An image that is too short reads as 0.
    check_car(&CarFacts::read(Image(&image[..100]))).unwrap_err();
}

#[test]
fn controls_are_written_to_their_offsets_and_nowhere_else() {
    let (mut image, before) = (car(), car());
    Control { steer: 0.5, throttle: 1.0, brake: 0.25, clutch: 0.0, gear: -1, asks_for_pit: true }.write(&mut image);
    let read = Image(&image);
    assert_eq!(read.floats::<4>(1536), [0.5, 1.0, 0.25, 0.0]);
    assert_eq!((read.int(1552), read.int(1556)), (-1, 1));
    let changed: Vec<usize> = (0..CAR_BYTES).filter(|&i| image[i] != before[i]).collect();
    assert!(changed.iter().all(|i| (1536..1560).contains(i)), "{changed:?}");
    Control::BRAKE.write(&mut image[..100]);
}

/// A ring of two straights and two half circles of 50 m, 10 m wide, that climbs by 5 m and falls again.
fn ring() -> Track {
    let (straight, radius, half) = (200.0_f32, 50.0_f32, 5.0_f32);
    let bend = std::f32::consts::PI * radius;
    let mut from = 0.0;
    let mut segments = Vec::new();
    for i in 0..4 {
        let mut image = vec![0; SEGMENT_BYTES];
        let mut surface = vec![0; SURFACE_BYTES];
        put(&mut surface, 16, &[1.2]);
        let is_bend = i % 2 == 1;
        let length = if is_bend { bend } else { straight };
        put_int(&mut image, 8, i);
        put_int(&mut image, 12, if is_bend { 2 } else { 3 });
        put(&mut image, 24, &[length, 2.0 * half]);
        put(&mut image, 40, &[from, radius]);
        put(&mut image, 56, &[if is_bend { std::f32::consts::PI } else { 0.0 }]);
        put(&mut image, 60, &[if i < 2 { straight } else { 0.0 }, radius]);
        // Counter-clockwise: the left edge is the inner one.
        let corner = |place: i32, side: f32| {
            let (x, y) = [(0.0, side), (straight, side), (straight, 2.0 * radius - side), (0.0, 2.0 * radius - side)]
                [place as usize % 4];
            [x, y, if place % 4 == 2 { 5.0 } else { 0.0 }]
        };
        let corners = [corner(i, half), corner(i, -half), corner(i + 1, half), corner(i + 1, -half)];
        put(&mut image, 72, &corners.concat());
        segments.push(Segment::read(Image(&image), Image(&surface)));
        from += length;
    }
    Track { name: "ring".to_owned(), count: 4, length_m: f64::from(from), width_m: 10.0, segments, pits: None }
}

#[test]
fn a_track_is_a_ring_whose_lengths_add_up() {
    check_track(&ring()).unwrap();
    let mut short = ring();
    short.segments.pop();
    assert!(check_track(&short).unwrap_err().contains("3 segments"));
    let longer = Track { length_m: ring().length_m + 5.0, ..ring() };
    assert!(check_track(&longer).unwrap_err().contains("add up"));
    let mut apart = ring();
    apart.segments[1].corners_m[0][0] += 3.0;
    assert!(check_track(&apart).unwrap_err().contains("from where the next one begins"));
    let mut slippery = ring();
    slippery.segments[2].friction = f64::NAN;
    assert!(check_track(&slippery).unwrap_err().contains("friction"));
}

#[test]
fn the_road_has_grade_and_bends_turn_about_their_centre() {
    let track = ring();
    // Half of the bend from (200, 0): the middle of the left edge is 45 m to the right of the centre.
    let (segment, _) = track.segment_at(250.0).unwrap();
    let [left, right] = segment.across(0.5);
    assert!((left[0] - 245.0).abs() < 1e-3 && (left[1] - 50.0).abs() < 1e-3, "{left:?}");
    assert!((right[0] - 255.0).abs() < 1e-3, "{right:?}");
    // It climbs 5 m along it, and falls 5 m along the next 200 m.
    let bend = std::f64::consts::PI * 50.0;
    let road = track.road(200.0 + bend / 2.0);
    assert!((road.grade_rad - (5.0 / bend).atan()).abs() < 1e-6 && road.banking_rad.abs() < 1e-9, "{road:?}");
    assert!((track.road(200.0 + bend + 100.0).grade_rad + (5.0_f64 / 200.0).atan()).abs() < 1e-6);
    assert!(track.road(200.0 + bend).vertical_curvature_radpm < -1e-3, "a crest");
    assert!((track.road(0.0).friction - 1.2).abs() < 1e-6);
}
