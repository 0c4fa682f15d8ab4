//! The record of a step: which part ran, with which result, and why.

use crate::condition::{Operand, Term};
use crate::definition::Status;
use crate::tactics::Tactics;

/// One entry of the record of a step, which [`Tactics::describe`] puts into words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What happened.
    pub what: What,
    /// Number of the node, state or transition.
    part: u32,
    /// The comparison that decided, with the value that its input had.
    because: Option<(u32, f64)>,
}

/// What happened to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A node ran, with this result.
    Ran(Status),
    /// A running node was stopped because its parent went on without it.
    Stopped,
    /// A state was entered.
    Entered,
    /// A state was left.
    Left,
    /// A transition was taken.
    Taken,
}

/// The record of the last step. Its capacity is that of the longest possible one, so that it never grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    events: Vec<Event>,
    pub(crate) is_on: bool,
}

impl Trace {
    /// Turns the record on or off. On, it has room for `capacity` entries.
    pub(crate) fn set(&mut self, is_on: bool, capacity: usize) {
        self.is_on = is_on;
        self.events.clear();
        if is_on {
            self.events.reserve_exact(capacity);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
    }

    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(crate) fn push(&mut self, what: What, part: u32, because: Option<(u32, f64)>) {
        if self.is_on && self.events.len() < self.events.capacity() {
            self.events.push(Event { what, part, because });
        }
    }
}

impl Tactics {
    /// Largest number of entries of a step: a node runs and is stopped once at most, a state is entered and
    /// left once at most.
    pub(crate) fn longest_trace(&self) -> usize {
        2 * self.nodes.len() + 2 * self.states.len() + self.machines.len()
    }

    /// The input of a comparison with its value; a comparison of two constants has none.
    pub(crate) fn deciding(&self, term: u32, inputs: &[f64]) -> Option<(u32, f64)> {
        let Term::Compare(left, _, right) = self.terms[term as usize] else { return None };
        [left, right].into_iter().find_map(|operand| match operand {
            Operand::Input(input) => Some((input, inputs[input as usize])),
            Operand::Number(_) => None,
        })
    }

    /// An entry in words: the place in the declaration, what it is, what happened, and the input that
    /// decided.
    ///
    /// ```text
    /// trees.attack.sequence[0], condition gap_ahead_m < 20: failure, because gap_ahead_m is 34.2
    /// ```
    #[must_use]
    pub fn describe(&self, event: &Event) -> String {
        let part = event.part as usize;
        let (place, label) = match event.what {
            What::Ran(_) | What::Stopped => (&self.nodes[part].place, self.nodes[part].label.as_str()),
            What::Entered | What::Left => (&self.states[part].place, self.states[part].name.as_str()),
            What::Taken => {
                let transition = &self.transitions[part];
                (&transition.place, self.states[transition.to as usize].name.as_str())
            }
        };
        let happened = match event.what {
            What::Ran(status) => status.name(),
            What::Stopped => "stopped",
            What::Entered => "entered",
            What::Left => "left",
            What::Taken => "taken",
        };
        let because = event
            .because
            .map_or(String::new(), |(input, value)| format!(", because {} is {value}", self.inputs[input as usize]));
        format!("{place}, {label}: {happened}{because}")
    }
}
