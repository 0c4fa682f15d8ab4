//! Time of a step, µs: `cargo bench -p raceline-tactics`. Figures are in docs/notes/tactics.md.

#![allow(clippy::expect_used, reason = "a benchmark that can't start fails with a message")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use raceline_tactics::{Definition, Node, Runner, Tactics};

/// Steps of a measurement; the fastest of [`ROUNDS`] counts.
const STEPS: u32 = 20_000;
const ROUNDS: usize = 9;
/// With these, the last branch of the tree succeeds.
const INPUTS: [f64; 3] = [10.0, 30.0, 49.0];

fn step_us(runner: &mut Runner, inputs: &[f64]) -> f64 {
    let round = |runner: &mut Runner| {
        let begun = Instant::now();
        for _ in 0..STEPS {
            black_box(runner.step(black_box(inputs), 0.01)).expect("as many as declared");
        }
        begun.elapsed().as_secs_f64() * 1e6 / f64::from(STEPS)
    };
    (0..ROUNDS).map(|_| round(runner)).fold(f64::INFINITY, f64::min)
}

/// A selector of 49 sequences that fail at their second condition, and one that succeeds.
fn tree_of_200_nodes() -> Tactics {
    let branch = |number: usize| {
        Node::sequence([
            Node::condition("gap_ahead_m < 20 and speed_mps > 10"),
            Node::condition(&format!("lap == {number}")),
            Node::action("attack"),
        ])
    };
    let mut definition = Definition { root: "drive".to_owned(), ..Definition::default() };
    definition.inputs = ["gap_ahead_m", "speed_mps", "lap"].map(str::to_owned).to_vec();
    definition.outputs = vec!["attack".into(), "pace".into()];
    let children: Vec<Node> = (0..50).map(branch).collect();
    definition.trees.insert("drive".to_owned(), Node::selector(children));
    Tactics::new(&definition).expect("valid")
}

/// Number of nodes that run in a step of the benchmark.
fn ran(tree: &Arc<Tactics>) -> usize {
    let mut runner = Runner::new(Arc::clone(tree));
    runner.set_tracing(true);
    runner.step(&INPUTS, 0.01).expect("as many as declared");
    runner.trace().len()
}

fn main() {
    let tree = Arc::new(tree_of_200_nodes());
    let race = include_str!("../../../examples/tactics/race.toml");
    let race = Arc::new(Tactics::from_toml(race).expect("the example"));
    for tracing in [false, true] {
        let mut runner = Runner::new(Arc::clone(&tree));
        runner.set_tracing(tracing);
        let all = step_us(&mut runner, &INPUTS);
        println!("tree of {} nodes, {} of them ran, record {tracing}: {all:.2} us", tree.nodes(), ran(&tree));
        let mut runner = Runner::new(Arc::clone(&race));
        runner.set_tracing(tracing);
        let mut inputs = vec![0.0; race.inputs().len()];
        for (name, value) in [("lights_out", 1.0), ("speed_mps", 40.0), ("gap_ahead_m", 10.0), ("closing_mps", 2.0)] {
            inputs[race.input(name).expect("an input")] = value;
        }
        println!("race.toml, {} nodes, record {tracing}: {:.3} us", race.nodes(), step_us(&mut runner, &inputs));
    }
}
