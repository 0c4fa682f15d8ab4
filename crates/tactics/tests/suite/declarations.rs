//! Declarations that are refused, each with its place, its line and a message that shows the fix.

use raceline_tactics::{Definition, Node, Problem, Tactics, TacticsError};

const RIGHT: &str = r#"inputs = ["gap_m", "speed_mps"]
outputs = ["attack", { name = "pace", default = 1.0 }]
root = "race"

[trees.hunt]
sequence = [
    { condition = "gap_m < 20" },
    { rules = [{ when = "speed_mps > 3", priority = 2, do = { action = "attack" } }] },
]

[machines.race]
initial = "run"
transitions = [
    { from = "run", to = "stop", when = "speed_mps < 1", after_s = 2, on = "failure", actions = ["pace = 0"] },
    { from = "*", to = "run", when = "speed_mps > 5" },
]
[machines.race.states.run]
tree = { try = { tree = "hunt" }, on_failure = { action = "pace = 0.5" } }
[machines.race.states.stop]
"#;

fn refused(text: &str) -> TacticsError {
    Tactics::from_toml(text).expect_err(text)
}

#[test]
fn what_is_right_is_read() {
    let tactics = Tactics::from_toml(RIGHT).unwrap();
    assert_eq!((tactics.input("speed_mps"), tactics.output("pace")), (Some(1), Some(1)));
    assert_eq!((tactics.input("pace"), tactics.output("gap_m")), (None, None));
    assert!(Definition::is_in(RIGHT));
    assert!(!Definition::is_in("{\"format\": \"raceline\"}") && !Definition::is_in("[vehicle]\nroot = 1"));
}

#[test]
fn each_mistake_has_its_place_and_its_line() {
    // What replaces what, and the place, the line and a part of the message.
    let cases: &[(&str, &str, &str, usize, &str)] = &[
        (
            "gap_m < 20",
            "gap < 20",
            "trees.hunt.sequence[0].condition",
            7,
            "unknown input gap: use one of gap_m, speed_mps",
        ),
        ("gap_m < 20", "gap_m <", "trees.hunt.sequence[0].condition", 7, "column 8 of the condition"),
        ("priority = 2", "priority = \"gap\"", "trees.hunt.sequence[1].rules[0].priority", 8, "unknown input gap"),
        ("priority = 2", "priority = inf", "trees.hunt.sequence[1].rules[0].priority", 8, "a finite number"),
        (
            "action = \"attack\"",
            "action = \"strike\"",
            "trees.hunt.sequence[1].rules[0].do.action",
            8,
            "unknown output strike",
        ),
        (
            "action = \"attack\"",
            "action = \"attack = ?\"",
            "trees.hunt.sequence[1].rules[0].do.action",
            8,
            "a finite number or an input",
        ),
        ("{ action = \"attack\" }", "{ }", "trees.hunt.sequence[1].rules[0].do", 8, "exactly one of condition, action"),
        (
            "{ action = \"attack\" }",
            "{ action = \"attack\", tree = \"x\" }",
            "trees.hunt.sequence[1].rules[0].do",
            8,
            "exactly one of",
        ),
        ("when = \"speed_mps > 3\", ", "", "trees.hunt.sequence[1].rules[0]", 8, "when is missing"),
        ("sequence = [", "sequences = [", "trees.hunt", 5, "exactly one of"),
        ("    { condition", "    3, { condition", "trees.hunt.sequence[0]", 7, "a node: a table"),
        ("initial = \"run\"", "initial = \"go\"", "machines.race.initial", 12, "the initial state go is no state"),
        ("initial = \"run\"\n", "\n", "machines.race.initial", 11, "the machine has no initial state"),
        ("initial = ", "first = ", "machines.race.first", 12, "unknown key first: use one of initial, states"),
        (
            "to = \"stop\"",
            "to = \"halt\"",
            "machines.race.transitions[0].to",
            14,
            "unknown state halt: use one of run, stop",
        ),
        ("after_s = 2", "after_s = -2", "machines.race.transitions[0].after_s", 14, "0 s or more"),
        ("after_s = 2", "after_s = \"2\"", "machines.race.transitions[0].after_s", 14, "a number"),
        ("on = \"failure\"", "on = \"fail\"", "machines.race.transitions[0].on", 14, "success or failure"),
        (
            "pace = 0\"",
            "tempo = 0\"",
            "machines.race.transitions[0].actions[0]",
            14,
            "unknown output tempo: use one of attack, pace",
        ),
        ("from = \"*\"", "from = []", "machines.race.transitions[1].from", 15, "the name of a state, or *"),
        (
            "[machines.race.states.stop]",
            "[machines.race.states.stop]\nresult = \"success\"\n[trees.\"a b\"]\naction = \"pace\"",
            "trees",
            5,
            "\"a b\" is no name",
        ),
        (
            "tree = \"hunt\"",
            "tree = \"hunting\"",
            "machines.race.states.run.tree.try.tree",
            18,
            "unknown tree hunting: use one of hunt",
        ),
        ("root = \"race\"", "root = \"rase\"", "root", 3, "unknown tree or machine rase: use one of hunt, race"),
        ("root = \"race\"", "root = 4", "root", 3, "a string"),
        ("\"speed_mps\"]", "\"gap_m\", \"speed_mps\"]", "inputs", 1, "gap_m stands twice"),
        ("default = 1.0", "default = nan", "outputs[1].default", 2, "a finite number"),
        ("default = 1.0", "standard = 1.0", "outputs[1].standard", 2, "unknown key standard: use one of name, default"),
        ("[trees.hunt]", "[trees.race]\naction = \"pace\"\n[trees.hunt]", "machines.race", 13, "race stands twice"),
    ];
    for (from, to, place, line, message) in cases {
        assert!(RIGHT.contains(from), "{from}");
        let error = refused(&RIGHT.replacen(from, to, 1));
        assert_eq!((error.place.as_str(), error.line), (*place, Some(*line)), "{to}: {error}");
        assert!(error.to_string().contains(message), "{to}: {error}");
    }
    let error = refused("root = \n");
    assert_eq!(error.line, Some(1));
    assert!(matches!(error.problem, Problem::Syntax(_)));
}

#[test]
fn no_transition_leaves_a_state_with_a_result() {
    let text = RIGHT.replace("[machines.race.states.stop]", "[machines.race.states.stop]\nresult = \"failure\"");
    assert!(Tactics::from_toml(&text).is_ok(), "* leaves it out");
    let error = refused(&text.replace("from = \"*\"", "from = \"stop\""));
    assert_eq!(error.problem, Problem::LeavesFinal("stop".to_owned()));
}

#[test]
fn what_contains_itself_is_refused_wherever_the_circle_is() {
    let tree = RIGHT.replace("{ condition = \"gap_m < 20\" }", "{ not = { tree = \"hunt\" } }");
    assert_eq!(refused(&tree).problem, Problem::Cycle(["hunt", "hunt"].map(str::to_owned).to_vec()));
    let both = RIGHT.replace("{ condition = \"gap_m < 20\" }", "{ machine = \"race\" }");
    let error = refused(&both);
    assert_eq!(error.problem, Problem::Cycle(["race", "hunt", "race"].map(str::to_owned).to_vec()));
    assert!(error.to_string().contains("race > hunt > race contains itself"), "{error}");
    let inner = RIGHT.replace("[machines.race.states.stop]", "[machines.race.states.stop]\nmachines = [\"race\"]");
    assert!(matches!(refused(&inner).problem, Problem::Cycle(_)));
    // One that the root does not reach.
    let unused = format!("{RIGHT}[trees.one]\ntree = \"two\"\n[trees.two]\ntree = \"one\"\n");
    assert!(matches!(refused(&unused).problem, Problem::Cycle(_)));
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth: usize| (0..depth).fold(Node::action("x"), |node, _| Node::Not(Box::new(node)));
    let mut definition = Definition { root: "t".to_owned(), outputs: vec!["x".into()], ..Definition::default() };
    definition.trees.insert("t".to_owned(), nested(60));
    assert!(Tactics::new(&definition).is_ok());
    definition.trees.insert("t".to_owned(), nested(64));
    assert_eq!(Tactics::new(&definition).unwrap_err().problem, Problem::TooDeep(64));
    // Each tree names the next twice: 2^30 nodes.
    let tree = |i: usize| {
        let next = if i == 30 { Node::action("x") } else { Node::Tree(format!("t{}", i + 1)) };
        (format!("t{i}"), Node::sequence([next.clone(), next]))
    };
    definition.trees = (0..=30).map(tree).collect();
    definition.root = "t0".to_owned();
    assert_eq!(Tactics::new(&definition).unwrap_err().problem, Problem::TooLarge(100_000));
    // In text, with tables in tables as deep as the reader of TOML goes.
    for depth in [20, 70, 5000] {
        let text = format!(
            "root = \"t\"\noutputs = [\"x\"]\ntrees.t = {}{{ action = \"x\" }}{}",
            "{ not = ".repeat(depth),
            " }".repeat(depth)
        );
        assert_eq!(Tactics::from_toml(&text).is_ok(), depth == 20, "{depth}");
    }
}

#[test]
fn empty_and_impossible_nodes_are_refused() {
    let mut definition = Definition { root: "t".to_owned(), outputs: vec!["x".into()], ..Definition::default() };
    let children = || vec![Node::action("x"), Node::action("x")];
    for node in [
        Node::sequence([]),
        Node::Rules(Vec::new()),
        Node::Parallel { children: children(), successes: Some(3), memory: false },
        Node::Parallel { children: children(), successes: Some(0), memory: false },
        Node::Repeat { child: Box::new(Node::action("x")), times: Some(0) },
        Node::action("x = inf"),
        Node::action("x = "),
        Node::Machine("t".to_owned()),
    ] {
        definition.trees.insert("t".to_owned(), node.clone());
        assert!(Tactics::new(&definition).is_err(), "{node:?}");
    }
}
