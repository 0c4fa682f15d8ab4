//! The driver of `examples/tactics/race.toml` through a race.

use std::sync::Arc;

use raceline_tactics::{Runner, Tactics};

const FILE: &str = include_str!("../../../../examples/tactics/race.toml");
const STEP_S: f64 = 0.1;

/// A race in which the driver is alone and drives, unless an input is set.
struct Race {
    runner: Runner,
    inputs: Vec<f64>,
}

impl Race {
    fn new() -> Self {
        let tactics = Arc::new(Tactics::from_toml(FILE).unwrap_or_else(|error| panic!("{error}")));
        let inputs = vec![0.0; tactics.inputs().len()];
        let mut race = Self { runner: Runner::new(tactics), inputs };
        race.set("gap_ahead_m", 500.0);
        race.set("gap_behind_m", 500.0);
        race
    }

    fn set(&mut self, name: &str, value: f64) {
        let input = self.runner.tactics().input(name).unwrap();
        self.inputs[input] = value;
    }

    /// Steps once with the inputs as they are; the innermost active state.
    fn step(&mut self) -> &str {
        self.runner.step(&self.inputs, STEP_S).unwrap();
        self.runner.active().last().unwrap_or("")
    }

    fn steps(&mut self, count: usize) -> &str {
        for _ in 1..count {
            self.step();
        }
        self.step()
    }

    fn output(&self, name: &str) -> f64 {
        self.runner.outputs()[self.runner.tactics().output(name).unwrap()]
    }
}

#[test]
fn the_driver_of_the_example_goes_through_a_race() {
    let mut race = Race::new();
    assert_eq!(race.steps(5), "race.grid_start");
    assert_eq!(race.output("launch"), 0.0);
    race.set("lights_out", 1.0);
    race.step();
    assert_eq!(race.output("launch"), 1.0);
    race.set("speed_mps", 30.0);
    assert_eq!(race.step(), "race.racing.pace.follow");
    assert_eq!((race.output("launch"), race.output("pace")), (0.0, 1.0));

    // A slower vehicle ahead, then beside, then passed.
    race.set("gap_ahead_m", 12.0);
    race.set("closing_mps", 2.0);
    assert_eq!(race.step(), "race.racing.pace.attack");
    assert_eq!((race.output("pace"), race.output("offset_m")), (0.99, 0.0));
    race.set("gap_ahead_m", 6.0);
    race.step();
    assert_eq!(race.output("offset_m"), 2.0);
    race.set("gap_ahead_m", 25.0);
    assert_eq!(race.step(), "race.racing.pace.attack", "no flicker between 15 m and 30 m");
    race.set("gap_ahead_m", 500.0);
    assert_eq!(race.step(), "race.racing.pace.follow");

    // One from behind; the defence lasts 2 s at least.
    race.set("gap_behind_m", 8.0);
    assert_eq!(race.step(), "race.racing.pace.defend");
    assert_eq!(race.output("offset_m"), -1.5);
    race.set("gap_behind_m", 40.0);
    assert_eq!(race.steps(18), "race.racing.pace.defend");
    assert_eq!(race.steps(3), "race.racing.pace.follow");

    // A blue flag counts before everything else.
    race.set("gap_behind_m", 8.0);
    race.set("lapped", 1.0);
    assert_eq!(race.step(), "race.racing.pace.yield");
    assert_eq!((race.output("pace"), race.output("offset_m")), (0.85, 2.5));
    race.set("lapped", 0.0);
    race.set("gap_behind_m", 500.0);
    assert_eq!(race.steps(12), "race.racing.pace.follow");

    // A stop, and back into the state that was left.
    race.set("pit_wanted", 1.0);
    assert_eq!(race.step(), "race.racing.pace.follow");
    race.set("at_pit_entry", 1.0);
    assert_eq!(race.step(), "race.pit");
    assert_eq!((race.output("pit_lane"), race.output("radio")), (1.0, 1.0));
    race.step();
    assert_eq!((race.output("pit_lane"), race.output("radio")), (1.0, 0.0), "the message is of one step");
    race.set("pit_wanted", 0.0);
    race.set("stop_done", 1.0);
    assert_eq!(race.step(), "race.racing.pace.follow");
    race.set("stop_done", 0.0);
}

#[test]
fn a_stuck_vehicle_backs_off_twice_and_then_retires() {
    for frees_itself in [true, false] {
        let mut race = Race::new();
        race.set("lights_out", 1.0);
        race.set("speed_mps", 30.0);
        race.steps(2);
        race.set("speed_mps", 0.0);
        race.set("stuck", 1.0);
        assert_eq!(race.step(), "race.recover");
        assert_eq!((race.output("radio"), race.output("reverse"), race.output("pace")), (2.0, 1.0, 0.3));
        for _ in 0..2 {
            race.set("speed_mps", -2.0);
            race.step();
            race.set("speed_mps", 0.0);
            if frees_itself {
                race.set("stuck", 0.0);
            }
            race.step();
        }
        let end = race.step().to_owned();
        if frees_itself {
            assert_eq!(end, "race.racing.pace.follow");
        } else {
            assert_eq!(end, "", "the machine has its result, and is left");
        }
    }
}

#[test]
fn every_name_of_the_example_is_used() {
    let tactics = Tactics::from_toml(FILE).unwrap();
    for name in tactics.inputs().iter().chain(tactics.outputs()) {
        assert!(FILE.matches(name.as_str()).count() > 1, "{name}");
    }
}
