//! Decisions with every name resolved: what a step reads.

use std::ops::Range;

use crate::condition::{Operand, Term};
use crate::definition::Status;

/// Checked decisions, with every name resolved to a number. They never change; any number of
/// [`Runner`](crate::Runner)s, one for each vehicle, steps through the same ones.
#[derive(Debug)]
pub struct Tactics {
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
    pub(crate) defaults: Vec<f64>,
    pub(crate) terms: Vec<Term>,
    pub(crate) writes: Vec<Write>,
    /// A node after those that it contains.
    pub(crate) nodes: Vec<NodeCode>,
    /// Lists of nodes and of machines, one after another.
    pub(crate) lists: Vec<u32>,
    pub(crate) rules: Vec<RuleCode>,
    pub(crate) machines: Vec<MachineCode>,
    pub(crate) states: Vec<StateCode>,
    pub(crate) transitions: Vec<TransitionCode>,
    pub(crate) root: u32,
}

/// Places in one of the lists.
pub(crate) type Span = Range<u32>;

/// The places as those of a slice.
pub(crate) fn places(span: &Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// An output with what it is set to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub(crate) output: u32,
    pub(crate) value: Operand,
}

/// A node with its place in the declaration.
#[derive(Debug)]
pub(crate) struct NodeCode {
    pub(crate) kind: Kind,
    pub(crate) place: String,
    /// What it does, in a few words.
    pub(crate) label: String,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Condition(u32),
    Action { write: u32, done: Option<u32>, failed: Option<u32> },
    Sequence { children: Span, memory: bool },
    Selector { children: Span, memory: bool },
    Parallel { children: Span, successes: u32, memory: bool },
    Repeat { child: u32, times: Option<u32> },
    OnFailure { child: u32, handler: u32, retries: u32 },
    Not(u32),
    Rules(Span),
    Machine(u32),
}

#[derive(Debug)]
pub(crate) struct RuleCode {
    pub(crate) when: u32,
    pub(crate) priority: Operand,
    pub(crate) node: u32,
}

#[derive(Debug)]
pub(crate) struct MachineCode {
    pub(crate) initial: u32,
}

#[derive(Debug)]
pub(crate) struct StateCode {
    /// Names of the machines and states that contain it, and its own, with points between.
    pub(crate) name: String,
    pub(crate) place: String,
    pub(crate) entry: Span,
    pub(crate) activity: Span,
    pub(crate) exit: Span,
    pub(crate) tree: Option<u32>,
    /// Machines within, in [`Tactics::lists`].
    pub(crate) machines: Span,
    pub(crate) history: bool,
    pub(crate) result: Option<Status>,
    /// Transitions that leave it, in [`Tactics::transitions`].
    pub(crate) transitions: Span,
}

#[derive(Debug)]
pub(crate) struct TransitionCode {
    pub(crate) to: u32,
    pub(crate) place: String,
    pub(crate) when: Option<u32>,
    pub(crate) after_s: f64,
    pub(crate) on: Option<Status>,
    pub(crate) actions: Span,
}

impl Tactics {
    /// Names of the inputs, in the order in which a step takes their values.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// Names of the outputs, in the order in which a step gives their values.
    #[must_use]
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The place of the input `name` among those of a step. A game asks once, not in each step.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|other| other == name)
    }

    /// The place of the output `name` among those of a step.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|other| other == name)
    }

    /// The state `name`, such as `race.running.pace.attack`: machine, state, the machine within, its state.
    /// Where a machine is used in two places, the first counts.
    #[must_use]
    pub fn state(&self, name: &str) -> Option<StateId> {
        self.states.iter().position(|state| state.name == name).map(|place| StateId(place as u32))
    }

    /// The state of a number, as [`StateId::number`] has it.
    #[must_use]
    pub fn state_of(&self, number: u32) -> Option<StateId> {
        ((number as usize) < self.states.len()).then_some(StateId(number))
    }

    /// Number of nodes of all trees, after each reference to a tree or machine is replaced by what it names.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }
}

/// A state, as [`Tactics::state`] finds it by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(pub(crate) u32);

impl StateId {
    /// Number of the state, for programs that keep numbers; [`Tactics::state_of`] finds the state again.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }
}
