//! Machines against the definition of their steps.

use std::sync::Arc;

use raceline_tactics::{Runner, Status, Tactics, What};

fn runner(text: &str) -> Runner {
    let head =
        "inputs = [\"go\", \"back\", \"x\"]\noutputs = [\"entry\", \"activity\", \"exit\", \"action\", \"done\"]\n";
    Runner::new(Arc::new(Tactics::from_toml(&format!("{head}{text}")).unwrap_or_else(|error| panic!("{error}"))))
}

fn active(runner: &Runner) -> Vec<&str> {
    runner.active().collect()
}

const TWO: &str = r#"
root = "m"
[machines.m]
initial = "a"
transitions = [
    { from = "a", to = "b", when = "go", actions = ["action = x"] },
    { from = "b", to = "a", when = "back", after_s = 0.3 },
]
[machines.m.states.a]
entry = ["entry = 1"]
activity = ["activity = 1"]
exit = ["exit = 1"]
[machines.m.states.b]
entry = ["entry = 2"]
activity = ["activity = 2"]
exit = ["exit = 2"]
"#;

#[test]
fn entry_activity_and_exit_come_in_their_steps() {
    let mut runner = runner(TWO);
    let mut step = |go: f64, back: f64| {
        runner.step(&[go, back, 7.0], 0.1).unwrap();
        runner.outputs()[..4].to_vec()
    };
    assert_eq!(step(1.0, 0.0), [1.0, 1.0, 0.0, 0.0], "entered: no transition yet");
    assert_eq!(step(0.0, 0.0), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(step(1.0, 1.0), [2.0, 2.0, 1.0, 7.0], "left, changed and entered in one step");
    assert_eq!(step(0.0, 1.0), [0.0, 2.0, 0.0, 0.0], "0.1 s in the state");
    assert_eq!(step(0.0, 1.0), [0.0, 2.0, 0.0, 0.0]);
    assert_eq!(step(0.0, 1.0), [1.0, 1.0, 2.0, 0.0], "0.3 s in the state");
}

#[test]
fn states_are_found_by_name() {
    let mut runner = runner(TWO);
    let [a, b] = ["m.a", "m.b"].map(|name| runner.tactics().state(name).unwrap());
    assert_eq!(runner.tactics().state("m.c"), None);
    assert_eq!(runner.tactics().state_of(b.number()), Some(b));
    assert_eq!(runner.tactics().state_of(2), None);
    assert!(!runner.is_active(a));
    runner.step(&[0.0; 3], 0.1).unwrap();
    assert!(runner.is_active(a) && !runner.is_active(b));
    runner.step(&[1.0, 0.0, 0.0], 0.1).unwrap();
    assert!(!runner.is_active(a) && runner.is_active(b));
    runner.reset();
    assert!(!runner.is_active(b));
}

/// Machines within a state: `outer` leaves it with `back`, each inner one moves with an input.
fn nested(history: bool) -> Runner {
    runner(&format!(
        r#"
root = "outer"
[machines.outer]
initial = "drive"
transitions = [
    {{ from = "drive", to = "stop", when = "back" }},
    {{ from = "stop", to = "drive", when = "not back" }},
]
[machines.outer.states.drive]
machines = ["left", "right"]
history = {history}
exit = ["exit = 9"]
[machines.outer.states.stop]
[machines.left]
initial = "l1"
transitions = [{{ from = "l1", to = "l2", when = "go" }}, {{ from = "l2", to = "l3", when = "go" }}]
[machines.left.states.l1]
exit = ["exit = 1"]
[machines.left.states.l2]
exit = ["exit = 2"]
[machines.left.states.l3]
[machines.right]
initial = "r1"
transitions = [{{ from = "*", to = "r2", when = "x" }}]
[machines.right.states.r1]
[machines.right.states.r2]
"#
    ))
}

#[test]
fn machines_in_parallel_move_one_transition_per_step_and_the_outer_one_first() {
    let mut runner = nested(false);
    runner.step(&[1.0, 0.0, 1.0], 0.1).unwrap();
    let names = |states: &[&str]| states.iter().map(|name| format!("outer.{name}")).collect::<Vec<_>>();
    assert_eq!(active(&runner), names(&["drive", "drive.left.l1", "drive.right.r1"]));
    runner.step(&[1.0, 0.0, 0.0], 0.1).unwrap();
    assert_eq!(active(&runner), names(&["drive", "drive.left.l2", "drive.right.r1"]));
    runner.set_tracing(true);
    runner.step(&[0.0, 0.0, 1.0], 0.1).unwrap();
    assert_eq!(active(&runner), names(&["drive", "drive.left.l2", "drive.right.r2"]));
    // Both could move; the outer machine leaves, and its exit is the last.
    runner.step(&[1.0, 1.0, 0.0], 0.1).unwrap();
    assert_eq!(active(&runner), names(&["stop"]));
    assert_eq!(runner.outputs()[2], 9.0);
    let left: Vec<String> = runner
        .trace()
        .iter()
        .filter(|event| event.what == What::Left)
        .map(|event| runner.tactics().describe(event))
        .collect();
    assert_eq!(left.len(), 3);
    assert!(
        left[0].contains("left.l2") && left[2].starts_with("machines.outer.states.drive, outer.drive: left"),
        "{left:?}"
    );
}

#[test]
fn history_brings_back_the_states_within() {
    for history in [false, true] {
        let mut runner = nested(history);
        for inputs in [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]] {
            runner.step(&inputs, 0.1).unwrap();
        }
        let inner = if history {
            ["outer.drive.left.l2", "outer.drive.right.r2"]
        } else {
            ["outer.drive.left.l1", "outer.drive.right.r1"]
        };
        assert_eq!(active(&runner)[1..], inner);
    }
}

#[test]
fn a_transition_asks_for_the_result_of_the_work_in_the_step_before() {
    let mut runner = runner(
        r#"
root = "m"
[machines.m]
initial = "work"
transitions = [{ from = "work", to = "good", on = "success" }, { from = "work", to = "bad", on = "failure" }]
[machines.m.states.work]
tree = { action = "activity", done = "go > 0", failed = "go < 0" }
[machines.m.states.good]
result = "success"
entry = ["done"]
[machines.m.states.bad]
result = "failure"
"#,
    );
    for (go, result) in [(1.0, Status::Success), (-1.0, Status::Failure)] {
        assert_eq!(runner.step(&[0.0; 3], 0.1).unwrap(), Status::Running);
        assert_eq!(runner.step(&[go, 0.0, 0.0], 0.1).unwrap(), Status::Running);
        assert_eq!(runner.step(&[0.0; 3], 0.1).unwrap(), result);
        assert_eq!(runner.outputs()[4], f64::from(u8::from(go > 0.0)));
        assert!(active(&runner).is_empty(), "a machine with a result is left");
    }
}

#[test]
fn a_machine_in_a_tree_is_left_when_the_tree_goes_on_without_it() {
    let text = r#"
root = "t"
[trees.t]
selector = [{ sequence = [{ condition = "go" }, { action = "action" }] }, { machine = "m" }]
[machines.m]
initial = "a"
transitions = [{ from = "a", to = "b", when = "x" }]
[machines.m.states.a]
exit = ["exit = 1"]
[machines.m.states.b]
exit = ["exit = 2"]
tree = { repeat = { action = "activity" } }
"#;
    let mut runner = runner(text);
    runner.step(&[0.0; 3], 0.1).unwrap();
    runner.step(&[0.0, 0.0, 1.0], 0.1).unwrap();
    assert_eq!(active(&runner), ["m.b"]);
    runner.set_tracing(true);
    assert_eq!(runner.step(&[1.0, 0.0, 0.0], 0.1).unwrap(), Status::Success);
    assert!(active(&runner).is_empty());
    assert_eq!(runner.outputs(), [0.0, 0.0, 2.0, 1.0, 0.0]);
    assert_eq!(
        runner.trace().iter().filter(|event| event.what == What::Stopped).count(),
        2,
        "the machine and its tree"
    );
    // It begins anew.
    runner.step(&[0.0; 3], 0.1).unwrap();
    assert_eq!(active(&runner), ["m.a"]);
}

#[test]
fn drivers_of_one_declaration_remember_on_their_own() {
    let first = runner(TWO);
    let mut runners = [first.clone(), Runner::new(Arc::clone(first.tactics()))];
    for runner in &mut runners {
        runner.step(&[0.0; 3], 0.1).unwrap();
    }
    runners[0].step(&[1.0, 0.0, 0.0], 0.1).unwrap();
    assert_eq!(active(&runners[0]), ["m.b"]);
    assert_eq!(active(&runners[1]), ["m.a"]);
}
