//! Decisions as they are declared: in code with these types, or in TOML.

use std::collections::BTreeMap;

/// Largest number of nodes and machines in one another. A step calls itself as deep.
pub(crate) const MAX_DEPTH: usize = 64;

/// What a node of a tree or a state of a machine has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The work goes on in the next step.
    Running,
    /// The work is done.
    Success,
    /// The work cannot be done.
    Failure,
}

impl Status {
    /// The name in TOML and in traces: `running`, `success` or `failure`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Success => "success",
            Self::Failure => "failure",
        }
    }
}

/// All decisions of one driver, by name. [`Tactics::new`](crate::Tactics::new) checks them and resolves every
/// name to a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definition {
    /// Names of the inputs, in the order in which a step takes their values.
    pub inputs: Vec<String>,
    /// Outputs, in the order in which a step gives their values.
    pub outputs: Vec<Output>,
    /// Trees by name.
    pub trees: BTreeMap<String, Node>,
    /// Machines by name. No tree has the name of a machine.
    pub machines: BTreeMap<String, Machine>,
    /// Name of the tree or the machine that a step runs.
    pub root: String,
}

/// A number that decisions give to the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Name; letters, digits and underscores.
    pub name: String,
    /// Value in a step in which no action sets another.
    pub default: f64,
}

impl From<&str> for Output {
    /// An output whose default is 0.
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), default: 0.0 }
    }
}

/// A node of a behaviour tree. The [crate's text](crate#trees) defines what each does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Node {
    /// Success where a condition on the inputs holds, failure where it does not.
    Condition(String),
    /// Sets an output.
    Action {
        /// What it sets: `output`, `output = 0.5` or `output = input`.
        set: String,
        /// Condition under which the action has succeeded. Without one it succeeds at once.
        done: Option<String>,
        /// Condition under which the action has failed, which counts before `done`.
        failed: Option<String>,
    },
    /// Children in order, up to the first that does not succeed.
    Sequence {
        /// The children.
        children: Vec<Self>,
        /// Whether a step begins with the child that was running, rather than with the first.
        memory: bool,
    },
    /// Children in order, up to the first that does not fail.
    Selector {
        /// The children.
        children: Vec<Self>,
        /// Whether a step begins with the child that was running, rather than with the first.
        memory: bool,
    },
    /// All children in each step.
    Parallel {
        /// The children.
        children: Vec<Self>,
        /// Number of children whose success is that of the node; all of them where there is none.
        successes: Option<usize>,
        /// Whether a child that has come to an end rests until the node has.
        memory: bool,
    },
    /// A child again and again, one run of it after another.
    Repeat {
        /// The child.
        child: Box<Self>,
        /// Number of successes after which the node succeeds; without one it runs until the child fails.
        times: Option<u32>,
    },
    /// A child, and a handler of its failures after which the child is tried again.
    OnFailure {
        /// The child.
        child: Box<Self>,
        /// What runs when the child has failed.
        handler: Box<Self>,
        /// Number of failures that are handled; the next one is the node's.
        retries: u32,
    },
    /// Success for failure and failure for success.
    Not(Box<Self>),
    /// The node of the rule with the highest priority whose condition holds.
    Rules(Vec<Rule>),
    /// A tree of [`Definition::trees`].
    Tree(String),
    /// A machine of [`Definition::machines`].
    Machine(String),
}

impl Node {
    /// A condition, such as `gap_ahead_m < 20 and not lapped`.
    #[must_use]
    pub fn condition(text: &str) -> Self {
        Self::Condition(text.to_owned())
    }

    /// An action that succeeds at once.
    #[must_use]
    pub fn action(set: &str) -> Self {
        Self::Action { set: set.to_owned(), done: None, failed: None }
    }

    /// An action that runs until the condition `done` holds.
    #[must_use]
    pub fn action_until(set: &str, done: &str) -> Self {
        Self::Action { set: set.to_owned(), done: Some(done.to_owned()), failed: None }
    }

    /// A sequence without memory.
    #[must_use]
    pub fn sequence(children: impl Into<Vec<Self>>) -> Self {
        Self::Sequence { children: children.into(), memory: false }
    }

    /// A selector without memory.
    #[must_use]
    pub fn selector(children: impl Into<Vec<Self>>) -> Self {
        Self::Selector { children: children.into(), memory: false }
    }
}

/// A row of a rule table.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Condition under which the rule is considered.
    pub when: String,
    /// Priority: a number, or the input whose value it is. Of equal ones the first rule counts.
    pub priority: Priority,
    /// What the rule runs.
    pub node: Node,
}

/// The priority of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Priority {
    /// A constant.
    Fixed(f64),
    /// The value of the input of this name, as for a utility that the game computes. A value that is not a
    /// number leaves the rule out.
    Input(String),
}

/// A finite state machine. The [crate's text](crate#machines) defines its steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Name of the state that is entered first.
    pub initial: String,
    /// States by name.
    pub states: BTreeMap<String, State>,
    /// Transitions; the first that is possible counts.
    pub transitions: Vec<Transition>,
}

/// A state of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// What is set in the step in which the state is entered, as in [`Node::Action`].
    pub entry: Vec<String>,
    /// What is set in every step in which the state is active.
    pub activity: Vec<String>,
    /// What is set in the step in which the state is left.
    pub exit: Vec<String>,
    /// A tree that runs in every step in which the state is active.
    pub tree: Option<Node>,
    /// Names of machines within the state: one for a hierarchy, several for machines in parallel.
    pub machines: Vec<String>,
    /// Whether the machines within continue in the states in which they were left.
    pub history: bool,
    /// What the machine has come to in this state. Such a state is final: no transition leaves it.
    pub result: Option<Status>,
}

/// A change from one state to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transition {
    /// Names of the states that it leaves; `*` for every state that is neither final nor the target.
    pub from: Vec<String>,
    /// Name of the state that it enters.
    pub to: String,
    /// Condition on the inputs.
    pub when: Option<String>,
    /// Time in the state before which it is not possible, s.
    pub after_s: Option<f64>,
    /// What the work of the state, its tree and machines, must have come to in the step before.
    pub on: Option<Status>,
    /// What is set between exit and entry.
    pub actions: Vec<String>,
}
