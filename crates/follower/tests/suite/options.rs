//! The tables of options: every key sets one option, and its range is checked.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use raceline_follower::gearbox::GearboxOptions;
use raceline_follower::slip_control::SlipControlOptions;
use raceline_follower::{FollowerOptions, LearningOptions, LocalPlannerOptions, current_key};

/// Another value than `value` that a switch, a choice, a count and a number can have.
fn other(value: f64) -> f64 {
    if value == 1.0 { 0.0 } else { 1.0 }
}

macro_rules! each_key_sets_one_option {
    ($name:ident, $options:ty) => {
        #[test]
        fn $name() {
            let usual = <$options>::default();
            for (i, row) in usual.table().iter().enumerate() {
                let mut changed = usual;
                changed.set(row.key, other(row.value)).unwrap();
                for (k, (before, after)) in usual.table().iter().zip(changed.table()).enumerate() {
                    let expected = if k == i { other(row.value) } else { before.value };
                    assert_eq!(after.value, expected, "{} after {}", after.key, row.key);
                }
                // NaN is in no range; a switch or a count refuses it at once.
                let mut broken = usual;
                let refused = match broken.set(row.key, f64::NAN) {
                    Ok(()) => broken.validate().unwrap_err().to_string(),
                    Err(message) => message,
                };
                assert!(refused.contains(&format!("{} is NaN, but must be ", row.key)), "{refused}");
            }
            usual.validate().unwrap();
        }
    };
}

each_key_sets_one_option!(each_key_of_the_follower_sets_one_option, FollowerOptions);
each_key_sets_one_option!(each_key_of_the_planner_sets_one_option, LocalPlannerOptions);
each_key_sets_one_option!(each_key_of_the_slip_control_sets_one_option, SlipControlOptions);
each_key_sets_one_option!(each_key_of_the_gearbox_sets_one_option, GearboxOptions);
each_key_sets_one_option!(each_key_of_learning_sets_one_option, LearningOptions);

#[test]
fn former_keys_set_what_the_present_ones_set() {
    let usual = (FollowerOptions::default(), SlipControlOptions::default(), GearboxOptions::default());
    let rows = [usual.0.table(), usual.1.table(), usual.2.table()].concat();
    let set = |key: &str| {
        let mut all = usual;
        let taken = [all.0.set(key, 0.625), all.1.set(key, 0.625), all.2.set(key, 0.625)];
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 1, "{key}");
        all
    };
    let former: Vec<&str> = rows.iter().filter_map(|row| row.former_key).collect();
    assert_eq!(former.len(), 13, "{former:?}");
    for row in rows.iter().filter(|row| row.former_key.is_some()) {
        let former = row.former_key.unwrap_or(row.key);
        assert!(former != row.key && current_key(former) == row.key && current_key(row.key) == row.key);
        assert_eq!(set(former), set(row.key), "{former}");
        assert_ne!(set(former), usual, "{former}");
        assert_eq!(usual.0.get(former), usual.0.get(row.key), "{former}");
    }
    assert_eq!(set("bonuses.range_m").0.pick_ups.range_m, 0.625);
    assert_eq!(set("target_speed.grip_share").0.target_speed.grip_fraction, 0.625);
}

#[test]
fn a_value_just_beyond_a_range_is_refused() {
    let mut checked = 0;
    for row in FollowerOptions::default().table() {
        // `0.01 to 1000 m`: a number, "to", a number.
        let words: Vec<&str> = row.range.split(' ').collect();
        let [low, "to", high, ..] = words[..] else { continue };
        let (Ok(low), Ok(high)) = (low.parse::<f64>(), high.parse::<f64>()) else { continue };
        for (value, is_right) in [(low, true), (high, true), (low - 1.0, false), (high + 1.0, false)] {
            let mut options = FollowerOptions::default();
            // The options that bound others make room.
            options.target_speed.max_speed_mps = 1e3;
            options.lookahead.min_m = 1e-3;
            options.limit.slide_none = 10.0;
            let taken = options.set(row.key, value).and_then(|()| options.validate().map_err(|e| e.to_string()));
            assert_eq!(taken.is_ok(), is_right, "{} {value}: {taken:?}", row.key);
            checked += 1;
        }
    }
    assert!(checked > 160, "{checked}");
}

#[test]
fn bounds_that_are_other_options_count() {
    let refused = |change: fn(&mut FollowerOptions)| {
        let mut options = FollowerOptions::default();
        change(&mut options);
        options.validate().unwrap_err().to_string()
    };
    let message = refused(|options| options.target_speed.min_speed_mps = 14.0);
    assert_eq!(message, "target_speed.min_speed_mps is 14, but must be 0 to max_speed_mps");
    let message = refused(|options| options.lookahead.min_m = 21.0);
    assert_eq!(message, "lookahead.min_m is 21, but must be above 0, at most max_m");
    let message = refused(|options| options.limit.slide_none = options.limit.slide_full);
    assert_eq!(message, "limit.slide_none is 0.55, but must be above slide_full, at most 10");
    let message = refused(|options| options.target_speed.braking_mps2 = 1001.0);
    assert_eq!(message, "target_speed.braking_mps2 is 1001, but must be above 0, at most 1000 m/s², or infinite");
    let mut options = FollowerOptions::default();
    options.target_speed.braking_mps2 = f64::INFINITY;
    options.validate().unwrap();
}

#[test]
fn the_unit_of_an_option_ends_its_key() {
    for row in FollowerOptions::default().table() {
        let ending = row.key.rsplit('_').next().unwrap();
        let expected = match ending {
            "m" => "m",
            "s" => "s",
            "mps" => "m/s",
            "mps2" => "m/s²",
            "radps" => "rad/s",
            "rad" => "rad",
            "radpm" => "1/m",
            "g" => "g",
            _ => continue,
        };
        assert_eq!(row.unit, expected, "{}", row.key);
        assert!(!row.description.is_empty() && !row.range.is_empty(), "{row:?}");
    }
}
