//! Decisions from TOML: keys to a [`Definition`], and places to lines.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::definition::{Definition, MAX_DEPTH, Machine, Node, Output, Priority, Rule, State, Status, Transition};
use crate::error::{Problem, TacticsError};
use crate::tactics::Tactics;

/// Keys of which a node has exactly one.
const KINDS: [&str; 11] =
    ["condition", "action", "sequence", "selector", "parallel", "repeat", "try", "not", "rules", "tree", "machine"];

type Result<T> = std::result::Result<T, TacticsError>;

impl Tactics {
    /// Reads decisions from TOML.
    ///
    /// # Errors
    /// As of [`Self::new`], and text that is not TOML, keys without a meaning and values of another type;
    /// each with its line.
    ///
    /// ```
    /// let text = r#"
    ///     inputs = ["gap_ahead_m"]
    ///     outputs = ["attack", { name = "pace", default = 0.8 }]
    ///     root = "drive"
    ///     [trees.drive]
    ///     sequence = [{ condition = "gap_ahead_m < 20" }, { action = "attack" }, { action = "pace = 1" }]
    /// "#;
    /// let tactics = raceline_tactics::Tactics::from_toml(text)?;
    /// assert_eq!(tactics.inputs(), ["gap_ahead_m"]);
    /// let error = raceline_tactics::Tactics::from_toml(&text.replace("gap_ahead_m <", "gap <")).unwrap_err();
    /// assert_eq!(error.line, Some(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self> {
        let mut reader = Reader { text, offsets: BTreeMap::new() };
        let definition = reader.definition();
        definition.and_then(|definition| Self::new(&definition)).map_err(|error| reader.with_line(error))
    }
}

impl Definition {
    /// Reads a declaration from TOML without resolving its names, which [`Tactics::new`] does.
    ///
    /// # Errors
    /// Text that is not TOML, keys without a meaning and values of another type.
    pub fn from_toml(text: &str) -> Result<Self> {
        let mut reader = Reader { text, offsets: BTreeMap::new() };
        let definition = reader.definition();
        definition.map_err(|error| reader.with_line(error))
    }

    /// Whether `text` is decisions rather than another file: TOML with `outputs` and one of `root`, `trees`
    /// and `machines`.
    #[must_use]
    pub fn is_in(text: &str) -> bool {
        DeTable::parse(text).is_ok_and(|table| {
            let has = |key: &str| table.get_ref().contains_key(key);
            has("outputs") && (has("root") || has("trees") || has("machines"))
        })
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Places in bytes of the text by the place of the declaration.
    offsets: BTreeMap<String, usize>,
}

/// A table with its place, and the keys that it may have.
struct Keys<'a, 'b> {
    table: &'b DeTable<'a>,
    place: &'b str,
}

impl<'a, 'b> Keys<'a, 'b> {
    fn get(&self, key: &str) -> Option<(&'b Spanned<DeValue<'a>>, String)> {
        self.table.get(key).map(|value| (value, within(self.place, key)))
    }

    fn needed(&self, key: &str) -> Result<(&'b Spanned<DeValue<'a>>, String)> {
        self.get(key).ok_or_else(|| TacticsError::new(self.place, Problem::MissingKey(key.to_owned())))
    }
}

fn within(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}

fn must<T>(place: &str, must: &str) -> Result<T> {
    Err(TacticsError::new(place, Problem::Value(must.to_owned())))
}

impl Reader<'_> {
    /// The error with the line of its place, or of the nearest place around it.
    fn with_line(&self, mut error: TacticsError) -> TacticsError {
        let mut place = error.place.as_str();
        while error.line.is_none() {
            if let Some(&offset) = self.offsets.get(place) {
                error.line = Some(self.line(offset));
            }
            let Some(end) = place.rfind(['.', '[']) else { break };
            place = &place[..end];
        }
        error
    }

    fn line(&self, offset: usize) -> usize {
        self.text.as_bytes()[..offset.min(self.text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn keys<'a, 'b>(
        &mut self,
        value: &'b Spanned<DeValue<'a>>,
        place: &'b str,
        allowed: &[&str],
    ) -> Result<Keys<'a, 'b>> {
        self.offsets.insert(place.to_owned(), value.span().start);
        let DeValue::Table(table) = value.get_ref() else { return must(place, "a table") };
        self.allowed(table, place, allowed)?;
        Ok(Keys { table, place })
    }

    fn allowed(&mut self, table: &DeTable<'_>, place: &str, allowed: &[&str]) -> Result<()> {
        for (key, value) in table {
            let place_of_key = within(place, key.get_ref());
            self.offsets.insert(place_of_key.clone(), value.span().start);
            if !allowed.contains(&&**key.get_ref()) {
                self.offsets.insert(place_of_key.clone(), key.span().start);
                let problem =
                    Problem::UnknownKey { key: key.get_ref().clone().into_owned(), expected: allowed.join(", ") };
                return Err(TacticsError::new(place_of_key, problem));
            }
        }
        Ok(())
    }

    fn definition(&mut self) -> Result<Definition> {
        let document = match DeTable::parse(self.text) {
            Ok(document) => document,
            Err(error) => {
                let message = error.message().to_owned();
                let line = error.span().map(|span| self.line(span.start));
                return Err(TacticsError { place: String::new(), line, problem: Problem::Syntax(message) });
            }
        };
        self.allowed(document.get_ref(), "", &["inputs", "outputs", "root", "trees", "machines"])?;
        let keys = Keys { table: document.get_ref(), place: "" };
        let (root, place) = keys.needed("root")?;
        let mut definition = Definition { root: string(root, &place)?, ..Definition::default() };
        if let Some((inputs, place)) = keys.get("inputs") {
            definition.inputs = self.strings(inputs, &place)?;
        }
        let (outputs, place) = keys.needed("outputs")?;
        for (output, place) in self.items(outputs, &place)? {
            definition.outputs.push(self.output(output, &place)?);
        }
        if let Some((trees, place)) = keys.get("trees") {
            for (name, tree, place) in self.named(trees, &place)? {
                definition.trees.insert(name, self.node(tree, &place, 0)?);
            }
        }
        if let Some((machines, place)) = keys.get("machines") {
            for (name, machine, place) in self.named(machines, &place)? {
                definition.machines.insert(name, self.machine(machine, &place)?);
            }
        }
        Ok(definition)
    }

    /// Values of an array with their places.
    fn items<'a, 'b>(
        &mut self,
        value: &'b Spanned<DeValue<'a>>,
        place: &str,
    ) -> Result<Vec<(&'b Spanned<DeValue<'a>>, String)>> {
        let DeValue::Array(items) = value.get_ref() else { return must(place, "an array") };
        let items: Vec<_> = items.iter().enumerate().map(|(i, item)| (item, format!("{place}[{i}]"))).collect();
        self.offsets.extend(items.iter().map(|(item, place)| (place.clone(), item.span().start)));
        Ok(items)
    }

    /// Values of a table of names with their places.
    #[allow(clippy::type_complexity, reason = "one use")]
    fn named<'a, 'b>(
        &mut self,
        value: &'b Spanned<DeValue<'a>>,
        place: &str,
    ) -> Result<Vec<(String, &'b Spanned<DeValue<'a>>, String)>> {
        let DeValue::Table(table) = value.get_ref() else { return must(place, "a table") };
        let named = table.iter().map(|(key, item)| {
            let name = key.get_ref().clone().into_owned();
            let place = within(place, &name);
            self.offsets.insert(place.clone(), key.span().start);
            (name, item, place)
        });
        Ok(named.collect())
    }

    fn strings(&mut self, value: &Spanned<DeValue<'_>>, place: &str) -> Result<Vec<String>> {
        let DeValue::Array(_) = value.get_ref() else { return must(place, "an array of strings") };
        self.items(value, place)?.into_iter().map(|(item, place)| string(item, &place)).collect()
    }

    fn output(&mut self, value: &Spanned<DeValue<'_>>, place: &str) -> Result<Output> {
        if let DeValue::String(name) = value.get_ref() {
            return Ok(Output::from(&**name));
        }
        let DeValue::Table(_) = value.get_ref() else { return must(place, "a name, or a table of name and default") };
        let keys = self.keys(value, place, &["name", "default"])?;
        let (name, name_place) = keys.needed("name")?;
        let (default, default_place) = keys.needed("default")?;
        Ok(Output { name: string(name, &name_place)?, default: number(default, &default_place)? })
    }

    fn node(&mut self, value: &Spanned<DeValue<'_>>, place: &str, depth: usize) -> Result<Node> {
        if depth > MAX_DEPTH {
            return Err(TacticsError::new(place, Problem::TooDeep(MAX_DEPTH)));
        }
        let DeValue::Table(table) = value.get_ref() else { return must(place, "a node: a table") };
        let mut kinds = KINDS.iter().filter(|kind| table.contains_key(**kind));
        let (Some(&kind), None) = (kinds.next(), kinds.next()) else {
            self.offsets.insert(place.to_owned(), value.span().start);
            return Err(TacticsError::new(place, Problem::NodeKind(KINDS.join(", "))));
        };
        let further: &[&str] = match kind {
            "action" => &["done", "failed"],
            "sequence" | "selector" => &["memory"],
            "parallel" => &["memory", "successes"],
            "repeat" => &["times"],
            "try" => &["on_failure", "retries"],
            _ => &[],
        };
        let keys = self.keys(value, place, &[&[kind], further].concat())?;
        let (value, place) = keys.needed(kind)?;
        let flag = |key| keys.get(key).map_or(Ok(false), |(value, place)| boolean(value, &place));
        let text = |key| keys.get(key).map(|(value, place)| string(value, &place)).transpose();
        let count = |key| keys.get(key).map(|(value, place)| whole(value, &place)).transpose();
        Ok(match kind {
            "condition" => Node::Condition(string(value, &place)?),
            "action" => Node::Action { set: string(value, &place)?, done: text("done")?, failed: text("failed")? },
            "tree" => Node::Tree(string(value, &place)?),
            "machine" => Node::Machine(string(value, &place)?),
            "not" => Node::Not(Box::new(self.node(value, &place, depth + 1)?)),
            "repeat" => Node::Repeat { child: Box::new(self.node(value, &place, depth + 1)?), times: count("times")? },
            "try" => {
                let (handler, handler_place) = keys.needed("on_failure")?;
                let retries = count("retries")?.unwrap_or(1);
                let child = Box::new(self.node(value, &place, depth + 1)?);
                Node::OnFailure { child, handler: Box::new(self.node(handler, &handler_place, depth + 1)?), retries }
            }
            "rules" => {
                let rules = self.items(value, &place)?;
                Node::Rules(
                    rules.into_iter().map(|(rule, place)| self.rule(rule, &place, depth)).collect::<Result<_>>()?,
                )
            }
            _ => {
                let (memory, successes) = (flag("memory")?, count("successes")?.map(|count| count as usize));
                let items = self.items(value, &place)?;
                let children = items.into_iter().map(|(item, place)| self.node(item, &place, depth + 1));
                let children = children.collect::<Result<_>>()?;
                match kind {
                    "sequence" => Node::Sequence { children, memory },
                    "selector" => Node::Selector { children, memory },
                    _ => Node::Parallel { children, successes, memory },
                }
            }
        })
    }

    fn rule(&mut self, value: &Spanned<DeValue<'_>>, place: &str, depth: usize) -> Result<Rule> {
        let keys = self.keys(value, place, &["when", "priority", "do"])?;
        let (when, when_place) = keys.needed("when")?;
        let (priority, priority_place) = keys.needed("priority")?;
        let (node, node_place) = keys.needed("do")?;
        let priority = match priority.get_ref() {
            DeValue::String(input) => Priority::Input(input.clone().into_owned()),
            _ => Priority::Fixed(number(priority, &priority_place)?),
        };
        Ok(Rule { when: string(when, &when_place)?, priority, node: self.node(node, &node_place, depth + 1)? })
    }

    fn machine(&mut self, value: &Spanned<DeValue<'_>>, place: &str) -> Result<Machine> {
        let keys = self.keys(value, place, &["initial", "states", "transitions"])?;
        let mut machine = Machine::default();
        if let Some((initial, place)) = keys.get("initial") {
            machine.initial = string(initial, &place)?;
        }
        let (states, states_place) = keys.needed("states")?;
        for (name, state, place) in self.named(states, &states_place)? {
            machine.states.insert(name, self.state(state, &place)?);
        }
        if let Some((transitions, place)) = keys.get("transitions") {
            for (transition, place) in self.items(transitions, &place)? {
                machine.transitions.push(self.transition(transition, &place)?);
            }
        }
        Ok(machine)
    }

    fn state(&mut self, value: &Spanned<DeValue<'_>>, place: &str) -> Result<State> {
        let allowed = ["entry", "activity", "exit", "tree", "machines", "history", "result"];
        let keys = self.keys(value, place, &allowed)?;
        let mut list = |key| match keys.get(key) {
            Some((value, place)) => self.strings(value, &place),
            None => Ok(Vec::new()),
        };
        let (entry, activity, exit, machines) = (list("entry")?, list("activity")?, list("exit")?, list("machines")?);
        let tree = keys.get("tree").map(|(tree, place)| self.node(tree, &place, 0)).transpose()?;
        let history = keys.get("history").map_or(Ok(false), |(value, place)| boolean(value, &place))?;
        let result = keys.get("result").map(|(value, place)| ended(value, &place)).transpose()?;
        Ok(State { entry, activity, exit, tree, machines, history, result })
    }

    fn transition(&mut self, value: &Spanned<DeValue<'_>>, place: &str) -> Result<Transition> {
        let keys = self.keys(value, place, &["from", "to", "when", "after_s", "on", "actions"])?;
        let (from, from_place) = keys.needed("from")?;
        let (to, to_place) = keys.needed("to")?;
        Ok(Transition {
            from: match from.get_ref() {
                DeValue::String(name) => vec![name.clone().into_owned()],
                _ => self.strings(from, &from_place)?,
            },
            to: string(to, &to_place)?,
            when: keys.get("when").map(|(value, place)| string(value, &place)).transpose()?,
            after_s: keys.get("after_s").map(|(value, place)| number(value, &place)).transpose()?,
            on: keys.get("on").map(|(value, place)| ended(value, &place)).transpose()?,
            actions: match keys.get("actions") {
                Some((value, place)) => self.strings(value, &place)?,
                None => Vec::new(),
            },
        })
    }
}

fn string(value: &Spanned<DeValue<'_>>, place: &str) -> Result<String> {
    value.get_ref().as_str().map_or_else(|| must(place, "a string"), |text| Ok(text.to_owned()))
}

fn boolean(value: &Spanned<DeValue<'_>>, place: &str) -> Result<bool> {
    value.get_ref().as_bool().map_or_else(|| must(place, "true or false"), Ok)
}

fn number(value: &Spanned<DeValue<'_>>, place: &str) -> Result<f64> {
    let text = match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
        DeValue::Float(number) => number.as_str(),
        _ => return must(place, "a number"),
    };
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => must(place, "a finite number"),
    }
}

fn whole(value: &Spanned<DeValue<'_>>, place: &str) -> Result<u32> {
    let text = value.get_ref().as_integer().map(|number| (number.radix(), number.as_str()));
    match text {
        Some((10, text)) if text.parse::<u32>().is_ok_and(|number| number <= 1_000_000) => {
            text.parse().or_else(|_| must(place, "a whole number"))
        }
        _ => must(place, "a whole number, 0 to 1000000"),
    }
}

fn ended(value: &Spanned<DeValue<'_>>, place: &str) -> Result<Status> {
    match value.get_ref().as_str() {
        Some("success") => Ok(Status::Success),
        Some("failure") => Ok(Status::Failure),
        _ => must(place, "success or failure"),
    }
}
