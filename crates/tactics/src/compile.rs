//! A declaration to [`Tactics`]: names to numbers, references to what they name, and all checks.

use std::collections::BTreeSet;

use crate::condition::{Operand, is_name, parse, parse_assignment, place_of};
use crate::definition::{Definition, MAX_DEPTH, Machine, Node, Priority, Rule, State};
use crate::error::{Problem, TacticsError};
use crate::tactics::{Kind, MachineCode, NodeCode, RuleCode, Span, StateCode, Tactics, TransitionCode, Write};

/// Largest number of nodes, states and transitions. References to trees in trees would multiply without one.
const MAX_PARTS: usize = 100_000;

type Result<T> = std::result::Result<T, TacticsError>;

impl Tactics {
    /// Checks `definition` and resolves its names.
    ///
    /// # Errors
    /// The first [`Problem`], with its place.
    ///
    /// ```
    /// use raceline_tactics::{Definition, Node, Runner, Status, Tactics};
    ///
    /// let mut definition = Definition { root: "drive".to_owned(), ..Definition::default() };
    /// definition.inputs = vec!["gap_ahead_m".to_owned()];
    /// definition.outputs = vec!["attack".into(), "cruise".into()];
    /// let attack = Node::sequence([Node::condition("gap_ahead_m < 20"), Node::action("attack")]);
    /// definition.trees.insert("drive".to_owned(), Node::selector([attack, Node::action("cruise = 0.8")]));
    /// let mut runner = Runner::new(Tactics::new(&definition)?.into());
    /// assert_eq!(runner.step(&[50.0], 0.02)?, Status::Success);
    /// assert_eq!(runner.outputs(), [0.0, 0.8]);
    /// runner.step(&[12.0], 0.02)?;
    /// assert_eq!(runner.outputs(), [1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(definition: &Definition) -> Result<Self> {
        let outputs: Vec<String> = definition.outputs.iter().map(|output| output.name.clone()).collect();
        check_names("inputs", definition.inputs.iter())?;
        check_names("outputs", outputs.iter())?;
        for (i, output) in definition.outputs.iter().enumerate() {
            if !output.default.is_finite() {
                let must = format!("a finite number: the default of {}", output.name);
                return Err(TacticsError::new(format!("outputs[{i}]"), Problem::Value(must)));
            }
        }
        check_names("trees", definition.trees.keys())?;
        check_names("machines", definition.machines.keys())?;
        if let Some(name) = definition.machines.keys().find(|name| definition.trees.contains_key(*name)) {
            return Err(TacticsError::new(format!("machines.{name}"), Problem::Duplicate(name.clone())));
        }
        let mut compiler = Compiler::new(definition, &outputs);
        compiler.tactics.root = compiler.reference(&definition.root, "root")?;
        // What the root does not reach must be right as well. It is compiled and dropped.
        let reached = compiler.reached.clone();
        let mut rest = Compiler { parts: compiler.parts, ..Compiler::new(definition, &outputs) };
        for name in definition.trees.keys().chain(definition.machines.keys()) {
            if !reached.contains(name.as_str()) && !rest.reached.contains(name.as_str()) {
                rest.reference(name, name)?;
            }
        }
        Ok(compiler.tactics)
    }
}

/// Every name is one, and stands once.
fn check_names<'a>(place: &str, names: impl Iterator<Item = &'a String>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !is_name(name) {
            return Err(TacticsError::new(place, Problem::Name(name.clone())));
        }
        if !seen.insert(name) {
            return Err(TacticsError::new(place, Problem::Duplicate(name.clone())));
        }
    }
    Ok(())
}

struct Compiler<'a> {
    definition: &'a Definition,
    tactics: Tactics,
    /// Names of the trees and machines around the present place.
    within: Vec<&'a str>,
    /// Names of all trees and machines so far.
    reached: BTreeSet<&'a str>,
    /// Number of nodes, states and transitions so far.
    parts: usize,
    depth: usize,
    /// Name of the state around the present place, with a point behind.
    scope: String,
}

impl<'a> Compiler<'a> {
    fn new(definition: &'a Definition, outputs: &[String]) -> Self {
        let tactics = Tactics {
            inputs: definition.inputs.clone(),
            outputs: outputs.to_vec(),
            defaults: definition.outputs.iter().map(|output| output.default).collect(),
            terms: Vec::new(),
            writes: Vec::new(),
            nodes: Vec::new(),
            lists: Vec::new(),
            rules: Vec::new(),
            machines: Vec::new(),
            states: Vec::new(),
            transitions: Vec::new(),
            root: 0,
        };
        Self {
            definition,
            tactics,
            within: Vec::new(),
            reached: BTreeSet::new(),
            parts: 0,
            depth: 0,
            scope: String::new(),
        }
    }

    /// The node for a tree or a machine by its name.
    fn reference(&mut self, name: &'a str, place: &str) -> Result<u32> {
        if self.definition.machines.contains_key(name) {
            let machine = self.machine(name, place)?;
            return self.push(Kind::Machine(machine), place, format!("machine {name}"));
        }
        if let Some((name, node)) = self.definition.trees.get_key_value(name) {
            return self.inside(name, place, |compiler| compiler.node(node, &format!("trees.{name}")));
        }
        let declared = self.definition.trees.keys().chain(self.definition.machines.keys());
        let unknown = place_of("tree or machine", name, declared.map(String::as_str)).err();
        Err(TacticsError::new(place, unknown.unwrap_or_else(|| Problem::Duplicate(name.to_owned()))))
    }

    /// Compiles what is inside the tree or machine `name`.
    fn inside<T>(&mut self, name: &'a str, place: &str, compile: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if let Some(first) = self.within.iter().position(|other| *other == name) {
            let names = self.within[first..].iter().chain([&name]).map(|name| (*name).to_owned()).collect();
            return Err(TacticsError::new(place, Problem::Cycle(names)));
        }
        self.reached.insert(name);
        self.within.push(name);
        let compiled = compile(self)?;
        self.within.pop();
        Ok(compiled)
    }

    fn count(&mut self, parts: usize, place: &str) -> Result<()> {
        self.parts += parts;
        if self.parts > MAX_PARTS {
            return Err(TacticsError::new(place, Problem::TooLarge(MAX_PARTS)));
        }
        Ok(())
    }

    /// Counts one more level, which the caller takes off again.
    fn descend(&mut self, place: &str) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(TacticsError::new(place, Problem::TooDeep(MAX_DEPTH)));
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind, place: &str, label: String) -> Result<u32> {
        self.count(1, place)?;
        self.tactics.nodes.push(NodeCode { kind, place: place.to_owned(), label });
        Ok((self.tactics.nodes.len() - 1) as u32)
    }

    fn condition(&mut self, text: &str, place: &str) -> Result<u32> {
        let Tactics { inputs, terms, .. } = &mut self.tactics;
        parse(text, inputs, terms).map_err(|problem| TacticsError::new(place, problem))
    }

    fn optional_condition(&mut self, text: Option<&String>, place: &str) -> Result<Option<u32>> {
        text.map(|text| self.condition(text, place)).transpose()
    }

    fn write(&mut self, text: &str, place: &str) -> Result<u32> {
        let Tactics { inputs, outputs, writes, .. } = &mut self.tactics;
        let (output, value) =
            parse_assignment(text, inputs, outputs).map_err(|problem| TacticsError::new(place, problem))?;
        writes.push(Write { output, value });
        Ok((writes.len() - 1) as u32)
    }

    fn writes(&mut self, texts: &[String], place: &str) -> Result<Span> {
        let begin = self.tactics.writes.len() as u32;
        for (i, text) in texts.iter().enumerate() {
            self.write(text, &format!("{place}[{i}]"))?;
        }
        Ok(begin..self.tactics.writes.len() as u32)
    }

    fn list(&mut self, items: Vec<u32>) -> Span {
        let begin = self.tactics.lists.len() as u32;
        self.tactics.lists.extend(items);
        begin..self.tactics.lists.len() as u32
    }

    fn children(&mut self, children: &'a [Node], place: &str) -> Result<Span> {
        if children.is_empty() {
            return Err(TacticsError::new(place, Problem::Value("one node or more".to_owned())));
        }
        let compiled = children.iter().enumerate().map(|(i, child)| self.node(child, &format!("{place}[{i}]")));
        let items = compiled.collect::<Result<_>>()?;
        Ok(self.list(items))
    }

    fn node(&mut self, node: &'a Node, place: &str) -> Result<u32> {
        self.descend(place)?;
        let within = |key: &str| format!("{place}.{key}");
        let of_memory = |name: &str, memory: bool| if memory { format!("{name} with memory") } else { name.to_owned() };
        let (kind, label) = match node {
            Node::Condition(text) => {
                (Kind::Condition(self.condition(text, &within("condition"))?), format!("condition {text}"))
            }
            Node::Action { set, done, failed } => {
                let write = self.write(set, &within("action"))?;
                let done = self.optional_condition(done.as_ref(), &within("done"))?;
                let failed = self.optional_condition(failed.as_ref(), &within("failed"))?;
                (Kind::Action { write, done, failed }, format!("action {set}"))
            }
            Node::Sequence { children, memory } => {
                let children = self.children(children, &within("sequence"))?;
                (Kind::Sequence { children, memory: *memory }, of_memory("sequence", *memory))
            }
            Node::Selector { children, memory } => {
                let children = self.children(children, &within("selector"))?;
                (Kind::Selector { children, memory: *memory }, of_memory("selector", *memory))
            }
            Node::Parallel { children, successes, memory } => {
                let count = children.len();
                let children = self.children(children, &within("parallel"))?;
                let successes = successes.unwrap_or(count);
                if !(1..=count).contains(&successes) {
                    let must = Problem::Value(format!("1 to {count}, the number of the children"));
                    return Err(TacticsError::new(within("successes"), must));
                }
                let label = format!("{}, {successes} of {count}", of_memory("parallel", *memory));
                (Kind::Parallel { children, successes: successes as u32, memory: *memory }, label)
            }
            Node::Repeat { child, times } => {
                if *times == Some(0) {
                    return Err(TacticsError::new(within("times"), Problem::Value("1 or more".to_owned())));
                }
                let child = self.node(child, &within("repeat"))?;
                let label = times.map_or("repeat".to_owned(), |times| format!("repeat {times} times"));
                (Kind::Repeat { child, times: *times }, label)
            }
            Node::OnFailure { child, handler, retries } => {
                let child = self.node(child, &within("try"))?;
                let handler = self.node(handler, &within("on_failure"))?;
                (Kind::OnFailure { child, handler, retries: *retries }, format!("on failure, {retries} retries"))
            }
            Node::Not(child) => (Kind::Not(self.node(child, &within("not"))?), "not".to_owned()),
            Node::Rules(rules) => (Kind::Rules(self.rules(rules, &within("rules"))?), "rules".to_owned()),
            Node::Tree(name) | Node::Machine(name) => {
                let (what, is_declared) = match node {
                    Node::Tree(_) => ("tree", self.definition.trees.contains_key(name)),
                    _ => ("machine", self.definition.machines.contains_key(name)),
                };
                if !is_declared {
                    return Err(TacticsError::new(within(what), self.undeclared(what, name)));
                }
                let node = self.reference(name, &within(what))?;
                self.depth -= 1;
                return Ok(node);
            }
        };
        self.depth -= 1;
        self.push(kind, place, label)
    }

    fn undeclared(&self, what: &'static str, name: &str) -> Problem {
        let names: Vec<&str> = match what {
            "tree" => self.definition.trees.keys().map(String::as_str).collect(),
            _ => self.definition.machines.keys().map(String::as_str).collect(),
        };
        Problem::Unknown { what, name: name.to_owned(), declared: names.join(", ") }
    }

    fn rules(&mut self, rules: &'a [Rule], place: &str) -> Result<Span> {
        if rules.is_empty() {
            return Err(TacticsError::new(place, Problem::Value("one rule or more".to_owned())));
        }
        let mut compiled = Vec::with_capacity(rules.len());
        for (i, rule) in rules.iter().enumerate() {
            let within = |key: &str| format!("{place}[{i}].{key}");
            let when = self.condition(&rule.when, &within("when"))?;
            let priority = match &rule.priority {
                Priority::Fixed(number) if number.is_finite() => Operand::Number(*number),
                Priority::Fixed(_) => {
                    let must = Problem::Value("a finite number or the name of an input".to_owned());
                    return Err(TacticsError::new(within("priority"), must));
                }
                Priority::Input(name) => place_of("input", name, self.tactics.inputs.iter().map(String::as_str))
                    .map(Operand::Input)
                    .map_err(|problem| TacticsError::new(within("priority"), problem))?,
            };
            compiled.push(RuleCode { when, priority, node: self.node(&rule.node, &within("do"))? });
        }
        let begin = self.tactics.rules.len() as u32;
        self.tactics.rules.extend(compiled);
        Ok(begin..self.tactics.rules.len() as u32)
    }

    fn machine(&mut self, name: &'a str, place: &str) -> Result<u32> {
        let Some((name, machine)) = self.definition.machines.get_key_value(name) else {
            return Err(TacticsError::new(place, self.undeclared("machine", name)));
        };
        self.descend(place)?;
        let scope = self.scope.clone();
        self.scope = format!("{scope}{name}.");
        let machine = self.inside(name, place, |compiler| compiler.states(machine, &format!("machines.{name}")))?;
        self.scope = scope;
        self.depth -= 1;
        Ok(machine)
    }

    fn states(&mut self, machine: &'a Machine, place: &str) -> Result<u32> {
        let Some(initial) = machine.states.keys().position(|name| *name == machine.initial) else {
            let none = Problem::NoInitialState(machine.initial.clone());
            return Err(TacticsError::new(format!("{place}.initial"), none));
        };
        check_names(&format!("{place}.states"), machine.states.keys())?;
        self.check_transitions(machine, place)?;
        self.count(machine.states.len(), place)?;
        let first = self.tactics.states.len();
        for (name, state) in &machine.states {
            self.tactics.states.push(StateCode {
                name: format!("{}{name}", self.scope),
                place: format!("{place}.states.{name}"),
                entry: 0..0,
                activity: 0..0,
                exit: 0..0,
                tree: None,
                machines: 0..0,
                history: state.history,
                result: state.result,
                transitions: 0..0,
            });
        }
        for (i, (name, state)) in machine.states.iter().enumerate() {
            let begin = self.tactics.transitions.len() as u32;
            self.transitions(machine, name, first, place)?;
            self.tactics.states[first + i].transitions = begin..self.tactics.transitions.len() as u32;
            self.state(state, first + i)?;
        }
        self.tactics.machines.push(MachineCode { initial: (first + initial) as u32 });
        Ok((self.tactics.machines.len() - 1) as u32)
    }

    /// Fills the place of a state.
    fn state(&mut self, state: &'a State, id: usize) -> Result<()> {
        let place = self.tactics.states[id].place.clone();
        let entry = self.writes(&state.entry, &format!("{place}.entry"))?;
        let activity = self.writes(&state.activity, &format!("{place}.activity"))?;
        let exit = self.writes(&state.exit, &format!("{place}.exit"))?;
        let name = format!("{}.", self.tactics.states[id].name);
        let scope = std::mem::replace(&mut self.scope, name);
        let tree = match &state.tree {
            Some(node) => Some(self.node(node, &format!("{place}.tree"))?),
            None => None,
        };
        let within = |i: usize| format!("{place}.machines[{i}]");
        let machines = state.machines.iter().enumerate().map(|(i, name)| self.machine(name, &within(i)));
        let machines = machines.collect::<Result<_>>()?;
        let machines = self.list(machines);
        self.scope = scope;
        let code = &mut self.tactics.states[id];
        (code.entry, code.activity, code.exit, code.tree, code.machines) = (entry, activity, exit, tree, machines);
        Ok(())
    }

    /// States that transitions name exist, no final state is left, and times are times.
    fn check_transitions(&self, machine: &Machine, place: &str) -> Result<()> {
        for (i, transition) in machine.transitions.iter().enumerate() {
            let error = |key: &str, problem| Err(TacticsError::new(format!("{place}.transitions[{i}].{key}"), problem));
            let from = transition.from.iter().map(|name| ("from", name)).filter(|(_, name)| *name != "*");
            for (key, name) in from.chain([("to", &transition.to)]) {
                if let Err(problem) = place_of("state", name, machine.states.keys().map(String::as_str)) {
                    return error(key, problem);
                }
                if key == "from" && machine.states[name].result.is_some() {
                    return error(key, Problem::LeavesFinal(name.clone()));
                }
            }
            if transition.from.is_empty() {
                return error("from", Problem::Value("the name of a state, or *".to_owned()));
            }
            if transition.after_s.is_some_and(|after_s| !(after_s >= 0.0 && after_s.is_finite())) {
                return error("after_s", Problem::Value("a time of 0 s or more".to_owned()));
            }
        }
        Ok(())
    }

    /// Appends the transitions that leave the state `name` of `machine`, whose states begin at `first`.
    fn transitions(&mut self, machine: &Machine, name: &str, first: usize, place: &str) -> Result<()> {
        let is_final = machine.states[name].result.is_some();
        for (i, transition) in machine.transitions.iter().enumerate() {
            let leaves = |from: &String| from == name || from == "*" && !is_final && transition.to != name;
            if !transition.from.iter().any(leaves) {
                continue;
            }
            let place = format!("{place}.transitions[{i}]");
            self.count(1, &place)?;
            let to = machine.states.keys().position(|other| *other == transition.to).unwrap_or(0);
            let when = self.optional_condition(transition.when.as_ref(), &format!("{place}.when"))?;
            let actions = self.writes(&transition.actions, &format!("{place}.actions"))?;
            self.tactics.transitions.push(TransitionCode {
                to: (first + to) as u32,
                place,
                when,
                after_s: transition.after_s.unwrap_or(0.0),
                on: transition.on,
                actions,
            });
        }
        Ok(())
    }
}
