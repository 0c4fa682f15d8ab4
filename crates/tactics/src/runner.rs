//! One driver's memory, and its steps.

use std::sync::Arc;

use crate::condition::holds;
use crate::definition::Status;
use crate::error::StepError;
use crate::tactics::{Kind, Span, StateId, Tactics, places};
use crate::trace::{Event, Trace, What};

/// No state is active, no child runs.
const NONE: u32 = u32::MAX;

/// One driver: decisions, which runners may use in common, and the memory of this one.
///
/// A step allocates nothing, and runs each node once at most.
#[derive(Clone, Debug)]
pub struct Runner {
    tactics: Arc<Tactics>,
    memory: Memory,
}

/// What a driver remembers from one step to the next.
#[derive(Clone, Debug)]
struct Memory {
    /// Whether a node was running when its last step ended.
    running: Vec<bool>,
    /// The result of a node in its last step, for parallel nodes with memory.
    last: Vec<Status>,
    /// What a node counts: children, successes or failures.
    count: Vec<u32>,
    /// Whether a node is in its handler.
    handling: Vec<bool>,
    /// The state of each machine.
    active: Vec<u32>,
    /// The state in which a machine was left.
    history: Vec<u32>,
    /// Time in the state of a machine, s.
    time_s: Vec<f64>,
    /// What the work of a state came to in its last step.
    result: Vec<Status>,
    outputs: Vec<f64>,
    trace: Trace,
}

impl Runner {
    /// A driver before its first step.
    #[must_use]
    pub fn new(tactics: Arc<Tactics>) -> Self {
        let (nodes, machines) = (tactics.nodes.len(), tactics.machines.len());
        let memory = Memory {
            running: vec![false; nodes],
            last: vec![Status::Running; nodes],
            count: vec![0; nodes],
            handling: vec![false; nodes],
            active: vec![NONE; machines],
            history: vec![NONE; machines],
            time_s: vec![0.0; machines],
            result: vec![Status::Running; tactics.states.len()],
            outputs: tactics.defaults.clone(),
            trace: Trace::default(),
        };
        Self { tactics, memory }
    }

    /// The decisions.
    #[must_use]
    pub fn tactics(&self) -> &Arc<Tactics> {
        &self.tactics
    }

    /// One step: runs the root with the values of the [inputs](Tactics::inputs), `step_s` after the step
    /// before. The result is the root's; after success or failure the next step begins anew.
    ///
    /// # Errors
    /// Another number of inputs, and a negative time or one that is not a number; nothing is changed then.
    pub fn step(&mut self, inputs: &[f64], step_s: f64) -> Result<Status, StepError> {
        let declared = self.tactics.inputs.len();
        if inputs.len() != declared {
            return Err(StepError::Inputs { given: inputs.len(), declared });
        }
        if !(step_s >= 0.0 && step_s.is_finite()) {
            return Err(StepError::Time(step_s));
        }
        self.memory.outputs.copy_from_slice(&self.tactics.defaults);
        self.memory.trace.clear();
        let root = self.tactics.root;
        let mut step = Step { tactics: &self.tactics, memory: &mut self.memory, inputs, step_s };
        Ok(step.tick(root))
    }

    /// Values of the [outputs](Tactics::outputs) after the last step; before the first one, their defaults.
    #[must_use]
    pub fn outputs(&self) -> &[f64] {
        &self.memory.outputs
    }

    /// Whether a state is active.
    #[must_use]
    pub fn is_active(&self, state: StateId) -> bool {
        self.memory.active.contains(&state.0)
    }

    /// Names of the active states, those of outer machines before those within.
    pub fn active(&self) -> impl Iterator<Item = &str> {
        let mut active: Vec<u32> = self.memory.active.iter().copied().filter(|&state| state != NONE).collect();
        active.sort_unstable();
        active.into_iter().map(|state| self.tactics.states[state as usize].name.as_str())
    }

    /// Turns the record of steps on or off; off at first.
    pub fn set_tracing(&mut self, is_on: bool) {
        self.memory.trace.set(is_on, self.tactics.longest_trace());
    }

    /// The record of the last step, in the order of time: children before the node that they belong to.
    #[must_use]
    pub fn trace(&self) -> &[Event] {
        self.memory.trace.events()
    }

    /// Forgets everything, as before the first step; the record stays on or off.
    pub fn reset(&mut self) {
        let is_on = self.memory.trace.is_on;
        *self = Self::new(Arc::clone(&self.tactics));
        self.set_tracing(is_on);
    }
}

struct Step<'a> {
    tactics: &'a Tactics,
    memory: &'a mut Memory,
    inputs: &'a [f64],
    step_s: f64,
}

impl<'a> Step<'a> {
    /// Whether a condition holds, and the input that decided it.
    fn holds(&self, term: u32) -> (bool, Option<(u32, f64)>) {
        let (is_true, by) = holds(&self.tactics.terms, term, self.inputs);
        (is_true, if self.memory.trace.is_on { self.tactics.deciding(by, self.inputs) } else { None })
    }

    fn write(&mut self, writes: &Span) {
        for write in &self.tactics.writes[places(writes)] {
            self.memory.outputs[write.output as usize] = write.value.value(self.inputs);
        }
    }

    /// Runs a node.
    fn tick(&mut self, node: u32) -> Status {
        let i = node as usize;
        let tactics = self.tactics;
        let mut because = None;
        let status = match &tactics.nodes[i].kind {
            Kind::Condition(term) => {
                let (is_true, by) = self.holds(*term);
                because = by;
                if is_true { Status::Success } else { Status::Failure }
            }
            Kind::Action { write, done, failed } => {
                self.write(&(*write..*write + 1));
                let mut met = |condition: &Option<u32>| {
                    let (is_true, by) = condition.map_or((false, None), |term| self.holds(term));
                    because = by;
                    is_true
                };
                if met(failed) {
                    Status::Failure
                } else if done.is_none() && failed.is_none() || met(done) {
                    Status::Success
                } else {
                    Status::Running
                }
            }
            Kind::Sequence { children, memory } => self.in_order(i, children, *memory, Status::Success),
            Kind::Selector { children, memory } => self.in_order(i, children, *memory, Status::Failure),
            Kind::Parallel { children, successes, memory } => self.parallel(i, children, *successes, *memory),
            Kind::Repeat { child, times } => match self.tick(*child) {
                Status::Success => {
                    // A repetition without an end does not count.
                    self.memory.count[i] = self.memory.count[i].saturating_add(1);
                    if *times == Some(self.memory.count[i]) { Status::Success } else { Status::Running }
                }
                other => other,
            },
            Kind::OnFailure { child, handler, retries } => self.on_failure(i, *child, *handler, *retries),
            Kind::Not(child) => match self.tick(*child) {
                Status::Success => Status::Failure,
                Status::Failure => Status::Success,
                Status::Running => Status::Running,
            },
            Kind::Rules(rules) => {
                let (status, by) = self.rules(i, rules);
                because = by;
                status
            }
            Kind::Machine(machine) => match self.machine(*machine) {
                Status::Running => Status::Running,
                ended => {
                    self.leave(*machine);
                    ended
                }
            },
        };
        self.memory.running[i] = status == Status::Running;
        self.memory.last[i] = status;
        if status != Status::Running {
            self.memory.count[i] = 0;
            self.memory.handling[i] = false;
        }
        self.memory.trace.push(What::Ran(status), node, because);
        status
    }

    /// Stops a node that was running, with all below it.
    fn stop(&mut self, node: u32) {
        let i = node as usize;
        if !self.memory.running[i] {
            return;
        }
        self.memory.running[i] = false;
        self.memory.count[i] = 0;
        self.memory.handling[i] = false;
        let tactics = self.tactics;
        match &tactics.nodes[i].kind {
            Kind::Condition(_) | Kind::Action { .. } => {}
            Kind::Sequence { children, .. } | Kind::Selector { children, .. } | Kind::Parallel { children, .. } => {
                self.stop_all(&tactics.lists[places(children)]);
            }
            Kind::Repeat { child, .. } | Kind::Not(child) => self.stop(*child),
            Kind::OnFailure { child, handler, .. } => {
                self.stop(*child);
                self.stop(*handler);
            }
            Kind::Rules(rules) => tactics.rules[places(rules)].iter().for_each(|rule| self.stop(rule.node)),
            Kind::Machine(machine) => self.leave(*machine),
        }
        self.memory.trace.push(What::Stopped, node, None);
    }

    fn stop_all(&mut self, nodes: &[u32]) {
        for &node in nodes {
            self.stop(node);
        }
    }

    /// A sequence, which goes on after success, or a selector, which goes on after failure.
    fn in_order(&mut self, i: usize, children: &Span, memory: bool, goes_on: Status) -> Status {
        let tactics = self.tactics;
        let children = &tactics.lists[places(children)];
        let first = if memory { self.memory.count[i] as usize } else { 0 };
        for (k, &child) in children.iter().enumerate().skip(first) {
            let status = self.tick(child);
            if status != goes_on {
                if memory {
                    self.memory.count[i] = k as u32;
                } else {
                    self.stop_all(&children[k + 1..]);
                }
                return status;
            }
        }
        goes_on
    }

    fn parallel(&mut self, i: usize, children: &Span, successes: u32, memory: bool) -> Status {
        let tactics = self.tactics;
        let children = &tactics.lists[places(children)];
        let (mut succeeded, mut failed) = (0, 0);
        let goes_on = memory && self.memory.running[i];
        for &child in children {
            let before = self.memory.last[child as usize];
            let status = if goes_on && before != Status::Running { before } else { self.tick(child) };
            match status {
                Status::Success => succeeded += 1,
                Status::Failure => failed += 1,
                Status::Running => {}
            }
        }
        let status = if succeeded >= successes {
            Status::Success
        } else if failed > children.len() as u32 - successes {
            Status::Failure
        } else {
            return Status::Running;
        };
        self.stop_all(children);
        status
    }

    fn on_failure(&mut self, i: usize, child: u32, handler: u32, retries: u32) -> Status {
        if !self.memory.handling[i] {
            match self.tick(child) {
                Status::Failure if self.memory.count[i] < retries => {}
                other => return other,
            }
        }
        let status = self.tick(handler);
        self.memory.handling[i] = status == Status::Running;
        match status {
            Status::Failure => Status::Failure,
            Status::Running => Status::Running,
            Status::Success => {
                self.memory.count[i] += 1;
                Status::Running
            }
        }
    }

    fn rules(&mut self, i: usize, rules: &Span) -> (Status, Option<(u32, f64)>) {
        let tactics = self.tactics;
        let rules = &tactics.rules[places(rules)];
        let mut best = None;
        for (k, rule) in rules.iter().enumerate() {
            let priority = rule.priority.value(self.inputs);
            // A priority that is no number is above none.
            let is_above = best.map_or(!priority.is_nan(), |(_, highest, _)| priority > highest);
            if is_above && let (true, because) = self.holds(rule.when) {
                best = Some((k, priority, because));
            }
        }
        let before = self.memory.count[i] as usize;
        if self.memory.running[i] && best.is_none_or(|(k, ..)| k != before) {
            self.stop(rules[before].node);
        }
        let Some((k, _, because)) = best else { return (Status::Failure, None) };
        self.memory.count[i] = k as u32;
        (self.tick(rules[k].node), because)
    }

    /// One step of a machine, which is entered if it is not active. The result is that of its state if this
    /// is final.
    fn machine(&mut self, machine: u32) -> Status {
        let m = machine as usize;
        if self.memory.active[m] == NONE {
            self.enter(machine, self.tactics.machines[m].initial);
        } else {
            self.memory.time_s[m] += self.step_s;
            if !self.transition(machine) {
                return self.work(machine, false);
            }
        }
        self.work(machine, true)
    }

    /// Takes the first possible transition.
    fn transition(&mut self, machine: u32) -> bool {
        let tactics = self.tactics;
        let m = machine as usize;
        let state = self.memory.active[m];
        let span = &tactics.states[state as usize].transitions;
        for number in span.clone() {
            let transition = &tactics.transitions[number as usize];
            let is_ready = self.memory.time_s[m] >= transition.after_s
                && transition.on.is_none_or(|result| self.memory.result[state as usize] == result);
            let (is_possible, because) = match transition.when {
                Some(when) if is_ready => self.holds(when),
                _ => (is_ready, None),
            };
            if is_possible {
                self.memory.trace.push(What::Taken, number, because);
                self.leave(machine);
                self.write(&transition.actions);
                self.enter(machine, transition.to);
                return true;
            }
        }
        false
    }

    /// Enters a state, then the machines within it.
    fn enter(&mut self, machine: u32, state: u32) {
        let tactics = self.tactics;
        let code = &tactics.states[state as usize];
        let m = machine as usize;
        (self.memory.active[m], self.memory.time_s[m]) = (state, 0.0);
        self.memory.result[state as usize] = Status::Running;
        self.memory.trace.push(What::Entered, state, None);
        self.write(&code.entry);
        for &inner in &tactics.lists[places(&code.machines)] {
            let left = self.memory.history[inner as usize];
            let is_back = code.history && left != NONE && tactics.states[left as usize].result.is_none();
            self.enter(inner, if is_back { left } else { tactics.machines[inner as usize].initial });
        }
    }

    /// Leaves the state of a machine if it is active: first the machines within it and its tree.
    fn leave(&mut self, machine: u32) {
        let tactics = self.tactics;
        let m = machine as usize;
        let state = std::mem::replace(&mut self.memory.active[m], NONE);
        if state == NONE {
            return;
        }
        self.memory.history[m] = state;
        let code = &tactics.states[state as usize];
        for &inner in &tactics.lists[places(&code.machines)] {
            self.leave(inner);
        }
        if let Some(tree) = code.tree {
            self.stop(tree);
        }
        self.write(&code.exit);
        self.memory.trace.push(What::Left, state, None);
    }

    /// The work of the active state: its activity, its tree and the machines within. Machines that were
    /// entered in this step take no transition.
    fn work(&mut self, machine: u32, is_new: bool) -> Status {
        let tactics: &'a Tactics = self.tactics;
        let state = self.memory.active[machine as usize];
        let code = &tactics.states[state as usize];
        self.write(&code.activity);
        let inner = &tactics.lists[places(&code.machines)];
        let (mut is_running, mut has_failed) = (code.tree.is_none() && inner.is_empty(), false);
        let mut count = |status: Status| {
            is_running |= status == Status::Running;
            has_failed |= status == Status::Failure;
        };
        if let Some(tree) = code.tree {
            count(self.tick(tree));
        }
        for &inner in inner {
            count(if is_new { self.work(inner, true) } else { self.machine(inner) });
        }
        self.memory.result[state as usize] = match (has_failed, is_running) {
            (true, _) => Status::Failure,
            (false, true) => Status::Running,
            (false, false) => Status::Success,
        };
        code.result.unwrap_or(Status::Running)
    }
}
