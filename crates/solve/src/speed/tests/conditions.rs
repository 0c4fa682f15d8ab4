//! Conditions of a lap as they are read.

use raceline_road::geometry::{Point, Vector};

use crate::speed::{EndSpeed, GripMap, LoadOptions, SpeedOptions, SpeedProfile, Status, TurningCost};

#[test]
fn a_speed_at_an_end_is_a_number_or_free() {
    for (text, speed) in [("12.5", EndSpeed::Given(12.5)), ("\"free\"", EndSpeed::Free)] {
        assert_eq!(serde_json::from_str::<EndSpeed>(text).unwrap(), speed);
        assert_eq!(serde_json::to_string(&speed).unwrap(), text);
    }
    assert_eq!(serde_json::from_str::<EndSpeed>("\"7\"").unwrap(), EndSpeed::Given(7.0));
    assert!(serde_json::from_str::<EndSpeed>("\"fast\"").is_err());
    let schema = serde_json::to_value(schemars::schema_for!(SpeedOptions)).unwrap();
    let kinds = schema["$defs"]["EndSpeed"]["anyOf"].as_array().unwrap();
    assert_eq!((&kinds[0]["type"], &kinds[1]["type"]), (&"number".into(), &"string".into()));
}

#[test]
fn options_are_written_where_they_differ_from_the_default() {
    let written = |load: LoadOptions| serde_json::to_string(&load).unwrap();
    assert_eq!(written(LoadOptions::default()), "{}");
    let load = LoadOptions { crest_reserve: Some(0.5), dip_share: 0.25, banking_share: 0.5, least_load: 0.1 };
    assert_eq!(written(load), r#"{"crest_reserve":0.5,"dip_share":0.25,"banking_share":0.5,"least_load":0.1}"#);
    assert_eq!(serde_json::from_str::<LoadOptions>(&written(load)).unwrap(), load);
    assert_eq!(serde_json::from_str::<LoadOptions>("{}").unwrap(), LoadOptions::default());
    let written = |speeds: SpeedOptions| serde_json::to_string(&speeds).unwrap();
    assert_eq!(written(SpeedOptions::default()), "{}");
    let free = SpeedOptions { turning: TurningCost::Free, ..SpeedOptions::default() };
    assert_eq!(written(free), r#"{"turning":"free"}"#);
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
