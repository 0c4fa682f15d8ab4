//! Trials, tables and tuning, at a size that a test can bear.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use raceline_proving_ground::contender::Entry;
use raceline_proving_ground::courses::{soak_map, test_paths, training_paths};
use raceline_proving_ground::scene::Scene;
use raceline_proving_ground::soak::SoakOptions;
use raceline_proving_ground::table::Totals;
use raceline_proving_ground::tracker::Tracker;
use raceline_proving_ground::trial::{self, Watch};
use raceline_proving_ground::tune::Budget;
use raceline_proving_ground::vehicle::{VEHICLES, VehicleModel};
use raceline_proving_ground::{parameters, picture, settings, soak, table, tune};
use raceline_render::png;

fn named(names: &[&str]) -> Vec<Scene> {
    test_paths().unwrap().into_iter().filter(|scene| names.contains(&scene.name.as_str())).collect()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn tuned() -> Entry {
    settings::entries(&settings::default_folder()).unwrap().pop().unwrap()
}

#[test]
fn a_tuned_car_drives_hills_and_walls_and_a_path_that_changes_without_getting_stuck() {
    let vehicle = VehicleModel::named("light-4x4").unwrap();
    for scene in named(&["steep-hills", "narrow-corridors", "changed-path"]) {
        let mut follower = tuned().of(vehicle).build(vehicle).unwrap();
        let outcome = trial::run(&scene, vehicle, follower.as_mut(), Watch { trace: true, ..Watch::default() });
        assert!(outcome.finished && outcome.stuck_events == 0, "{}: {outcome:?}", scene.name);
        assert!(outcome.inside_s / outcome.time_s > 0.9, "{}", scene.name);
        // What was driven is the path's length or so, and the speed within what a car does.
        let length = scene.nominal_length_m();
        assert!(
            (outcome.distance_m / (length - trial::END_M) - 1.0).abs() < 0.1,
            "{}: {} of {length}",
            scene.name,
            outcome.distance_m
        );
        assert_eq!(outcome.trace.len(), (outcome.time_s / 0.2).ceil() as usize);
    }
}

#[test]
fn a_wall_in_the_path_makes_a_vehicle_stuck_and_the_limit_ends_the_trial() {
    let mut scene = named(&["steep-hills"]).remove(0);
    let at = scene.path.sample(30.0).position_m;
    scene.blocks.push(raceline_proving_ground::scene::Block {
        at_m: [at[0], at[1]],
        heading_rad: 0.0,
        half_m: [0.5, 15.0],
    });
    let vehicle = VehicleModel::named("quad").unwrap();
    let mut follower = settings::ours().build(vehicle).unwrap();
    let outcome = trial::run(&scene, vehicle, follower.as_mut(), Watch { limit_s: 60.0, ..Watch::default() });
    assert!(!outcome.finished && outcome.stuck_events > 2 && outcome.placements > 0, "{outcome:?}");
    assert!((outcome.time_s - 60.0).abs() < 2.0 * trial::STEP_S && outcome.left_m > 100.0);
    assert_eq!(outcome.stuck_at_m.len(), outcome.stuck_events);
    assert!(outcome.stuck_at_m.iter().all(|place| place[0] < 30.0), "{:?}", outcome.stuck_at_m);
}

#[test]
fn one_thread_and_two_give_the_same_bytes() {
    let scenes = named(&["sharp-turns", "rough-ground"]);
    let vehicles = [VEHICLES[0], VEHICLES[4], VEHICLES[5]];
    let entries = [Entry::for_all("paper", settings::ours()), Entry::for_all("baseline", settings::baseline())];
    let run = || {
        let columns = table::run(&entries, &scenes, &vehicles).unwrap();
        (table::markdown(&columns, &scenes, &vehicles), columns)
    };
    let (one, two) = (with_threads(1, run), with_threads(2, run));
    assert_eq!(one, two);
    assert_eq!(one.1[0].outcomes.len(), 6);
}

#[test]
fn the_soak_is_the_same_for_any_threads_and_differs_by_seed() {
    let options = SoakOptions { vehicles: 3, time_s: 20.0, seeds: 2 };
    let (entry, map) = (Entry::for_all("paper", settings::ours()), soak_map());
    let one = with_threads(1, || soak::run(&entry, &map, options).unwrap());
    let two = with_threads(2, || soak::run(&entry, &map, options).unwrap());
    assert_eq!(one, two);
    assert_ne!(one[0], one[3], "another seed, another path");
    assert!(one.iter().all(|outcome| (outcome.time_s - 20.0).abs() < 0.1));
}

#[test]
fn tuning_lowers_the_cost_and_is_the_same_for_any_threads() {
    let scenes: Vec<Scene> = training_paths().unwrap().into_iter().filter(|scene| scene.name == "corners").collect();
    let budget = Budget { generations: 3, population: 8, seed: 5, ..Budget::default() };
    // The baseline's defaults are far too careful: there is much to gain.
    let search = || tune::tune(&settings::baseline(), &VEHICLES[1..2], &scenes, budget, |_, _| {}).unwrap();
    let (one, two) = (with_threads(1, search), with_threads(2, search));
    assert_eq!(one.contender, two.contender);
    assert!(one.cost[1] < one.cost[0], "{:?}", one.cost);
}

#[test]
fn settings_are_what_their_files_state() {
    for start in [settings::start(), settings::baseline(), settings::baseline_on_line(), settings::reynolds()] {
        let declared = parameters::declared(&start);
        let at = |fraction: f64| -> Vec<f64> {
            declared.iter().map(|parameter| parameter.min + fraction * (parameter.max - parameter.min)).collect()
        };
        let contender = parameters::with_values(&start, &at(0.3));
        assert_ne!(contender, start);
        let text = parameters::to_toml(&contender, "Two\nlines");
        assert_eq!(parameters::from_toml(&start, &text).unwrap(), contender, "{text}");
        // Every corner of the bounds makes a follower, and the start is within them.
        for fraction in [0.0, 1.0] {
            let corner = parameters::with_values(&start, &at(fraction));
            assert!(corner.build(&VEHICLES[0]).is_ok(), "{corner:?}");
        }
        for parameter in declared {
            parameter.validate().unwrap();
        }
    }
    // A key that was renamed.
    let [former, present] = ["share", "fraction"].map(|ending| format!("[target_speed]\ngrip_{ending} = 0.7\n"));
    let read = |text: &str| parameters::from_toml(&settings::ours(), text).unwrap();
    assert_eq!(read(&former), read(&present));
    let error = parameters::from_toml(&settings::ours(), "[stuck]\nwindow_s = 60.0").unwrap_err();
    assert!(error.to_string().contains("stuck.window_s"), "{error}");
    let error = parameters::from_toml(&settings::ours(), "[lookahead]\nbase_m = 900.0").unwrap_err();
    assert!(error.to_string().contains("lookahead.base_m is 900"), "{error}");
}

#[test]
fn the_judge_distinguishes_left_from_right_and_a_leg_from_its_neighbour() {
    let scene = named(&["close-to-itself"]).remove(0);
    let mut tracker = Tracker::new(&scene.path);
    // The path back lies 3 m to the left of the path out: 1.6 m to the left is nearer to it, but
    // the vehicle hasn't been there.
    for x in 0..40 {
        let place = tracker.update([f64::from(x), 1.6]);
        assert!((place.s_m - f64::from(x)).abs() < 1e-6 && (place.offset_m - 1.6).abs() < 1e-6, "{place:?}");
        assert!(place.inside);
    }
    let place = tracker.update([41.0, -2.6]);
    assert!((place.offset_m + 2.6).abs() < 1e-6 && !place.inside, "{place:?}");
    assert_eq!(tracker.skipped_m(), 0.0);
}

#[test]
fn totals_are_sums_over_trials() {
    let outcome = |time_s: f64, stuck_events| trial::Outcome {
        finished: true,
        time_s,
        stuck_events,
        cross_track_ms: 0.5 * time_s,
        inside_s: 0.8 * time_s,
        distance_m: 4.0 * time_s,
        ..trial::Outcome::default()
    };
    let totals = Totals::of(&[outcome(10.0, 0), outcome(30.0, 2), outcome(20.0, 1)]);
    assert_eq!((totals.trials, totals.stuck_trials, totals.stuck_events, totals.unfinished), (3, 2, 3, 0));
    assert!((totals.time_s - 60.0).abs() < 1e-9 && (totals.cross_track_m - 0.5).abs() < 1e-9);
    assert!((totals.inside - 0.8).abs() < 1e-9 && (totals.speed_mps - 4.0).abs() < 1e-9);
}

#[test]
fn a_picture_shows_path_track_and_stuck_events() {
    let scene = named(&["slalom"]).remove(0);
    let outcome = trial::Outcome {
        trace: (0..20)
            .map(|i| trial::TracePoint { at_m: [f64::from(i), 0.0], speed_mps: f64::from(i), driving: true })
            .collect(),
        stuck_at_m: vec![[5.0, 1.0], [6.0, 1.0]],
        ..trial::Outcome::default()
    };
    let drawing = picture::svg(&scene, &outcome, "slalom", 400.0);
    assert_eq!(drawing.matches("<circle").count(), 2);
    assert_eq!(drawing.matches("stroke-linecap").count(), 19);
    assert_eq!(drawing.matches("#4d4d4d").count(), scene.blocks.len());
    // The scale's bar is as long as its label states, whatever the drawing's width.
    let metre_fraction = |width_px: f64, metres: f64| {
        let drawing = picture::svg(&scene, &outcome, "slalom", width_px);
        assert!(drawing.contains(&format!(">{metres} m</text>")), "{width_px}");
        let bar = drawing.lines().find(|line| line.contains("y1=\"14\"")).unwrap();
        let number =
            |name: &str| -> f64 { bar.split(name).nth(1).unwrap().split('"').nth(1).unwrap().parse().unwrap() };
        (number("x2=") - number("x1=")) / metres / width_px
    };
    assert!((metre_fraction(400.0, 20.0) / metre_fraction(2000.0, 5.0) - 1.0).abs() < 0.01);
    let pixels = png::from_svg(&drawing).unwrap();
    assert_eq!(&pixels[1..4], b"PNG");
}
