//! Decisions of a racing driver: behaviour trees, finite state machines and plans of the race. No third-party
//! dependencies, no allocation in a step.
//!
//! [`Definition`] declares decisions, in code or, with the feature `toml`, in a file. [`Tactics`] is a
//! checked declaration with every name resolved. [`Runner`] steps through it once a frame: values of the
//! inputs in, values of the outputs out. [`race`] plans the stops of a race by [`planning`] with
//! hierarchical task networks.
//!
//! # Inputs and outputs
//! An input is a number that the game gives, such as `gap_ahead_m`. A condition compares inputs with numbers
//! or with one another by `<`, `<=`, `>`, `>=`, `==` and `!=`, and joins comparisons by `and`, `or`, `not`
//! and parentheses; an input alone means that it is not 0. No comparison with an input that is not a number
//! holds. An output is a number that the game takes. Each step begins with the defaults of all outputs; of
//! several actions that set one output the last in the step counts.
//!
//! # Trees
//! A step *ticks* the root, and nodes tick their children. A tick gives success, failure or running. The
//! semantics are those of Colledanchise and Ögren, *Behavior Trees in Robotics and AI* (2018), section 1.3:
//!
//! - **Condition**: success or failure, never running.
//! - **Action**: sets an output. It fails where its condition `failed` holds, succeeds where `done` holds or
//!   where it has neither, and else runs.
//! - **Sequence** (algorithm 1.1): ticks its children in order up to the first that does not succeed, whose
//!   result it has; success if all succeed.
//! - **Selector** (algorithm 1.2, there "fallback"): up to the first that does not fail; failure if all fail.
//! - **Parallel** (algorithm 1.3): ticks all N children; success once M of them succeed, failure once more
//!   than N - M fail.
//! - **With memory** (section 1.3.2), a sequence or selector begins with the child that was running, and
//!   does not ask those before it again; in a parallel, children that have come to an end rest. Without it
//!   every tick begins with the first child, so that conditions are watched.
//! - **Not**: success for failure and failure for success (section 1.3, decorators).
//! - **Repeat**: one tick of the child per step. It succeeds after a number of successes and fails with the
//!   child.
//! - **On failure**: where the child fails, ticks a handler until its end. After the handler's success the
//!   child is tried again in the next step; a failure of the handler, or one failure of the child more than
//!   `retries`, is that of the node.
//! - **Rules**: ticks the node of the rule with the highest priority whose condition holds, and has its
//!   result; failure where none holds.
//!
//! A child that was running and whose parent comes to an end or goes on without it is *stopped*: its memory
//! is cleared, and machines below it are left.
//!
//! # Machines
//! After Harel, *Statecharts: a visual formalism for complex systems* (1987): a state may contain machines,
//! one for a hierarchy (section 2) or several in parallel (section 3); it has actions on entry and exit and
//! an activity (section 5); a transition may wait for a time (section 4). In one step a machine
//!
//! 1. enters its initial state, or takes the first transition in the order of the declaration whose time has
//!    passed, whose condition holds and whose result of the state's work is that of the step before: exit
//!    actions from the inside out, actions of the transition, entry actions from the outside in;
//! 2. sets the activity of its state, ticks the state's tree, and steps the machines within. Those that were
//!    entered in this step take no transition.
//!
//! So a machine takes one transition per step at most, and an outer machine takes its before those within.
//! The work of a state fails where its tree or a machine within fails, and succeeds where all of them
//! succeed. A machine that is a node of a tree runs until it is in a state with a result, and is left then.
//! With `history`, the machines within a state are entered where they were left (one level deep).

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod compile;
mod condition;
mod definition;
mod error;
pub mod planning;
pub mod race;
mod runner;
mod tactics;
#[cfg(feature = "toml")]
mod toml_file;
mod trace;

pub use definition::{Definition, Machine, Node, Output, Priority, Rule, State, Status, Transition};
pub use error::{Problem, StepError, TacticsError};
pub use runner::Runner;
pub use tactics::{StateId, Tactics};
pub use trace::{Event, What};
