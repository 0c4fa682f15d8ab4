//! Conditions of a lap as they are read.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, F64Deserializer, StrDeserializer};

use raceline_road::geometry::{Point, Vector};

use crate::speed::{EndSpeed, GripMap, SpeedProfile, Status};

#[test]
fn a_speed_at_an_end_is_a_number_or_free() {
    let number: F64Deserializer<Error> = 12.5.into_deserializer();
    assert_eq!(EndSpeed::deserialize(number), Ok(EndSpeed::Given(12.5)));
    let text = |text: &'static str| {
        let text: StrDeserializer<Error> = text.into_deserializer();
        EndSpeed::deserialize(text)
    };
    assert_eq!(text("free"), Ok(EndSpeed::Free));
    assert_eq!(text("7"), Ok(EndSpeed::Given(7.0)));
    assert!(text("fast").is_err());
}

#[derive(Debug)]
struct Even;

impl GripMap for Even {
    fn along(&self, line: &[Point]) -> Vec<f64> {
        vec![1.0; line.len()]
    }
}

#[test]
fn grip_is_the_same_across_the_road_unless_it_is_known() {
    assert_eq!(Even.patches_across(Point::origin(), Vector::x(), &[-1.0, 0.0, 1.0]), None);
}

#[test]
fn a_part_of_a_profile_begins_at_its_first_point() {
    let profile = SpeedProfile {
        speed_mps: vec![4.0, 6.0, 8.0, 6.0],
        accel_mps2: vec![1.0, 2.0, -3.0, -4.0],
        time_s: vec![0.0, 2.0, 5.0, 9.0],
        lap_time_s: 14.0,
        status: Status::Converged,
        passes: 2,
    };
    assert_eq!(profile.within(0..4), profile);
    let part = SpeedProfile {
        speed_mps: vec![6.0, 8.0],
        accel_mps2: vec![2.0, -3.0],
        time_s: vec![0.0, 3.0],
        lap_time_s: 3.0,
        ..profile.clone()
    };
    assert_eq!(profile.within(1..3), part);
}
