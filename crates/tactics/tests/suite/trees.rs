//! Trees against the definitions of their nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use raceline_tactics::{Definition, Node, Priority, Rule, Runner, Status, Tactics, What};

use Status::{Failure, Running, Success};

/// A driver of one tree with the inputs `a`, `b`, `c` and the outputs `x`, `y`, `z`.
pub fn runner(root: Node) -> Runner {
    let definition = Definition {
        inputs: ["a", "b", "c"].map(str::to_owned).to_vec(),
        outputs: ["x", "y", "z"].map(Into::into).to_vec(),
        trees: BTreeMap::from([("root".to_owned(), root)]),
        root: "root".to_owned(),
        ..Definition::default()
    };
    Runner::new(Arc::new(Tactics::new(&definition).unwrap()))
}

/// A leaf whose result is that of an input: 0 running, 1 success, -1 failure; it sets `output` to 1.
fn leaf(input: &str, output: &str) -> Node {
    let (done, failed) = (format!("{input} > 0"), format!("{input} < 0"));
    Node::Action { set: output.to_owned(), done: Some(done), failed: Some(failed) }
}

fn leaves() -> Vec<Node> {
    [("a", "x"), ("b", "y"), ("c", "z")].map(|(input, output)| leaf(input, output)).to_vec()
}

fn status(value: f64) -> Status {
    if value > 0.0 {
        Success
    } else if value < 0.0 {
        Failure
    } else {
        Running
    }
}

/// All values of the three inputs.
fn all_inputs() -> impl Iterator<Item = [f64; 3]> {
    let values = [-1.0, 0.0, 1.0];
    (0..27).map(move |i| [values[i / 9], values[i / 3 % 3], values[i % 3]])
}

#[test]
fn a_sequence_ends_at_the_first_child_without_success_and_a_selector_at_the_first_without_failure() {
    for inputs in all_inputs() {
        for (node, goes_on) in [(Node::sequence(leaves()), Success), (Node::selector(leaves()), Failure)] {
            let mut runner = runner(node);
            let found = runner.step(&inputs, 0.1).unwrap();
            let expected = inputs.map(status);
            let end = expected.iter().position(|status| *status != goes_on);
            assert_eq!(found, end.map_or(goes_on, |end| expected[end]), "{inputs:?}");
            let ticked = end.map_or(3, |end| end + 1);
            assert_eq!(runner.outputs().iter().sum::<f64>(), ticked as f64, "{inputs:?}");
        }
    }
}

#[test]
fn a_parallel_succeeds_with_m_children_and_fails_when_m_cannot_succeed_any_more() {
    for successes in 1..=3_u32 {
        for inputs in all_inputs() {
            let node = Node::Parallel { children: leaves(), successes: Some(successes as usize), memory: false };
            let mut runner = runner(node);
            let count = |wanted| inputs.iter().filter(|value| status(**value) == wanted).count() as u32;
            let expected = if count(Success) >= successes {
                Success
            } else if 3 - count(Failure) < successes {
                Failure
            } else {
                Running
            };
            assert_eq!(runner.step(&inputs, 0.1).unwrap(), expected, "{successes} of {inputs:?}");
            assert_eq!(runner.outputs(), [1.0; 3]);
        }
    }
}

#[test]
fn memory_decides_whether_earlier_children_are_asked_again() {
    for memory in [false, true] {
        let mut runner = runner(Node::Sequence { children: leaves(), memory });
        assert_eq!(runner.step(&[1.0, 0.0, 1.0], 0.1).unwrap(), Running);
        // The first child would fail by now.
        let found = runner.step(&[-1.0, 1.0, 1.0], 0.1).unwrap();
        assert_eq!(found, if memory { Success } else { Failure });
        assert_eq!(runner.outputs(), if memory { [0.0, 1.0, 1.0] } else { [1.0, 0.0, 0.0] });
        // After an end, both begin with the first.
        assert_eq!(runner.step(&[-1.0, 1.0, 1.0], 0.1).unwrap(), Failure);
    }
}

#[test]
fn a_parallel_with_memory_lets_ended_children_rest() {
    for memory in [false, true] {
        let mut runner = runner(Node::Parallel { children: leaves(), successes: None, memory });
        assert_eq!(runner.step(&[1.0, 0.0, 0.0], 0.1).unwrap(), Running);
        let found = runner.step(&[-1.0, 1.0, 1.0], 0.1).unwrap();
        assert_eq!(found, if memory { Success } else { Failure });
        assert_eq!(runner.outputs()[0], if memory { 0.0 } else { 1.0 });
        // The next run asks all of them.
        assert_eq!(runner.step(&[-1.0, 1.0, 1.0], 0.1).unwrap(), Failure);
    }
}

#[test]
fn a_repetition_counts_successes_and_ends_with_a_failure() {
    let repeat = |times| Node::Repeat { child: Box::new(leaf("a", "x")), times };
    let mut counted = runner(repeat(Some(3)));
    let steps = [1.0, 0.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0].map(|a| counted.step(&[a, 0.0, 0.0], 0.1).unwrap());
    assert_eq!(steps, [Running, Running, Running, Success, Running, Failure, Running, Running, Success]);
    let mut endless = runner(repeat(None));
    assert!((0..1000).all(|_| endless.step(&[1.0, 0.0, 0.0], 0.1).unwrap() == Running));
    assert_eq!(endless.step(&[-1.0, 0.0, 0.0], 0.1).unwrap(), Failure);
}

#[test]
fn a_failure_is_handled_as_often_as_permitted() {
    let node =
        |retries| Node::OnFailure { child: Box::new(leaf("a", "x")), handler: Box::new(leaf("b", "y")), retries };
    let mut two = runner(node(2));
    let mut step = |a: f64, b: f64| {
        let status = two.step(&[a, b, 0.0], 0.1).unwrap();
        (status, [two.outputs()[0], two.outputs()[1]])
    };
    assert_eq!(step(-1.0, 0.0), (Running, [1.0, 1.0]), "the handler runs in the step of the failure");
    assert_eq!(step(1.0, 0.0), (Running, [0.0, 1.0]), "the child is not asked until the handler has ended");
    assert_eq!(step(1.0, 1.0), (Running, [0.0, 1.0]));
    assert_eq!(step(-1.0, 1.0), (Running, [1.0, 1.0]), "the second failure");
    assert_eq!(step(-1.0, 1.0), (Failure, [1.0, 0.0]), "the third is the node's");
    assert_eq!(step(-1.0, -1.0), (Failure, [1.0, 1.0]), "the handler's failure is the node's");
    assert_eq!(step(1.0, -1.0), (Success, [1.0, 0.0]));
    assert_eq!(runner(node(0)).step(&[-1.0, 1.0, 0.0], 0.1).unwrap(), Failure);
}

#[test]
fn the_rule_of_the_highest_priority_runs_and_the_others_stop() {
    let rule = |when: &str, priority, output| Rule {
        when: when.to_owned(),
        priority,
        node: Node::Action { set: output, done: Some("a == 9".to_owned()), failed: None },
    };
    let rules = Node::Rules(vec![
        rule("a > 0", Priority::Fixed(1.0), "x".to_owned()),
        rule("b > 0", Priority::Input("c".to_owned()), "y".to_owned()),
        rule("a > 0", Priority::Fixed(1.0), "z".to_owned()),
    ]);
    let mut runner = runner(rules);
    runner.set_tracing(true);
    let mut step = |inputs: [f64; 3]| {
        let status = runner.step(&inputs, 0.1).unwrap();
        let stopped = runner.trace().iter().filter(|event| event.what == What::Stopped).count();
        (status, runner.outputs().to_vec(), stopped)
    };
    assert_eq!(step([0.0; 3]), (Failure, vec![0.0, 0.0, 0.0], 0));
    assert_eq!(step([1.0, 1.0, 1.0]), (Running, vec![1.0, 0.0, 0.0], 0), "the first of equal ones");
    assert_eq!(step([1.0, 1.0, 2.0]), (Running, vec![0.0, 1.0, 0.0], 1));
    assert_eq!(step([1.0, 1.0, f64::NAN]), (Running, vec![1.0, 0.0, 0.0], 1), "no number is no priority");
    assert_eq!(step([0.0, 0.0, 5.0]), (Failure, vec![0.0, 0.0, 0.0], 1));
    assert_eq!(step([9.0, 0.0, 5.0]), (Success, vec![1.0, 0.0, 0.0], 0));
}

#[test]
fn the_record_names_what_ran_with_which_result_and_why() {
    let mut runner = runner(Node::selector([
        Node::sequence([Node::condition("a > 1 and b < 2"), Node::action("x")]),
        Node::action("y"),
    ]));
    runner.step(&[0.0; 3], 0.1).unwrap();
    assert!(runner.trace().is_empty(), "off at first");
    runner.set_tracing(true);
    runner.step(&[3.0, 5.5, 0.0], 0.1).unwrap();
    let lines: Vec<String> = runner.trace().iter().map(|event| runner.tactics().describe(event)).collect();
    assert_eq!(
        lines,
        [
            "trees.root.selector[0].sequence[0], condition a > 1 and b < 2: failure, because b is 5.5",
            "trees.root.selector[0], sequence: failure",
            "trees.root.selector[1], action y: success",
            "trees.root, selector: success",
        ]
    );
}

#[test]
fn inputs_and_times_that_are_none_are_refused_and_change_nothing() {
    let mut runner = runner(Node::action("x = a"));
    runner.step(&[4.0, 0.0, 0.0], 0.1).unwrap();
    assert!(runner.step(&[1.0], 0.1).unwrap_err().to_string().contains("1 inputs were given, but 3 are declared"));
    for time in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(runner.step(&[1.0; 3], time).is_err());
    }
    assert_eq!(runner.outputs(), [4.0, 0.0, 0.0]);
}

/// Any tree of some depth.
fn any_node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(leaf("a", "x")),
        Just(leaf("b", "y")),
        Just(leaf("c", "z")),
        Just(Node::condition("a < b or not c")),
        Just(Node::action("x = b")),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let children = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            (children(), any::<bool>()).prop_map(|(children, memory)| Node::Sequence { children, memory }),
            (children(), any::<bool>()).prop_map(|(children, memory)| Node::Selector { children, memory }),
            (children(), any::<bool>()).prop_map(|(children, memory)| Node::Parallel {
                successes: Some(children.len().div_ceil(2)),
                children,
                memory
            }),
            (inner.clone(), prop::option::of(1..4_u32))
                .prop_map(|(child, times)| Node::Repeat { child: Box::new(child), times }),
            inner.clone().prop_map(|child| Node::Not(Box::new(child))),
            (inner.clone(), inner, 0..3_u32).prop_map(|(child, handler, retries)| Node::OnFailure {
                child: Box::new(child),
                handler: Box::new(handler),
                retries
            }),
        ]
    })
}

/// The result of a node in its first step, by the definitions, without memory.
fn first_result(node: &Node, inputs: &[f64; 3]) -> Status {
    let value = |name: &str| inputs[["a", "b", "c"].iter().position(|other| *other == name).unwrap()];
    let all = |children: &[Node]| children.iter().map(|child| first_result(child, inputs)).collect::<Vec<_>>();
    match node {
        Node::Condition(_) => {
            if inputs[0] < inputs[1] || inputs[2] == 0.0 {
                Success
            } else {
                Failure
            }
        }
        Node::Action { done: None, .. } => Success,
        Node::Action { done: Some(done), .. } => status(value(&done[..1])),
        Node::Sequence { children, .. } => all(children).into_iter().find(|s| *s != Success).unwrap_or(Success),
        Node::Selector { children, .. } => all(children).into_iter().find(|s| *s != Failure).unwrap_or(Failure),
        Node::Parallel { children, successes, .. } => {
            let (results, needed) = (all(children), successes.unwrap());
            let count = |wanted| results.iter().filter(|result| **result == wanted).count();
            match (count(Success) >= needed, count(Failure) > children.len() - needed) {
                (true, _) => Success,
                (_, true) => Failure,
                _ => Running,
            }
        }
        Node::Repeat { child, times } => match first_result(child, inputs) {
            Success if *times == Some(1) => Success,
            Success => Running,
            other => other,
        },
        Node::Not(child) => match first_result(child, inputs) {
            Success => Failure,
            Failure => Success,
            Running => Running,
        },
        Node::OnFailure { child, handler, retries } => match first_result(child, inputs) {
            Failure if *retries > 0 => match first_result(handler, inputs) {
                Failure => Failure,
                _ => Running,
            },
            other => other,
        },
        _ => unreachable!("no other node is made"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_begins_by_the_definitions_and_after_any_past_once_it_is_reset(
        node in any_node(),
        past in prop::collection::vec([-1..2_i32, -1..2_i32, -1..2_i32], 0..6),
        inputs in [-1..2_i32, -1..2_i32, -1..2_i32],
    ) {
        let inputs = inputs.map(f64::from);
        let expected = first_result(&node, &inputs);
        let mut runner = runner(node);
        runner.set_tracing(true);
        let mut last = Success;
        for inputs in past {
            last = runner.step(&inputs.map(f64::from), 0.1).unwrap();
            let ran = runner.trace().iter().filter(|event| matches!(event.what, What::Ran(_))).count();
            prop_assert!(ran <= runner.tactics().nodes(), "a node runs once at most");
        }
        // Where the past has ended, nothing of it is left; else a reset takes it away.
        if last == Running {
            runner.reset();
        }
        prop_assert_eq!(runner.step(&inputs, 0.1).unwrap(), expected);
    }
}
