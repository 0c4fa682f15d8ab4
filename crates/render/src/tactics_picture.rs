//! Decisions of `raceline-tactics`: a panel for each machine and each tree.

use raceline_tactics::{Definition, Machine, Node, Priority, State, Tactics, TacticsError, Transition};

use super::markup::{Markup, Pixel, Short};

/// Space around panels and between them, pixels.
const GAP_PX: f64 = 24.0;
/// Height of a line of text, pixels.
const LINE_PX: f64 = 17.0;
/// Height of a node with the space below it, pixels.
const ROW_PX: f64 = 28.0;
/// How far a child stands to the right of its parent, pixels.
const INDENT_PX: f64 = 30.0;
/// Space between two transitions beside each other, pixels.
const LANE_PX: f64 = 16.0;
/// Space between two ends of transitions at a state, pixels.
const END_PX: f64 = 11.0;
/// Width of a character at the size of the text, pixels: a wide one of the font.
const CHARACTER_PX: f64 = 6.9;
const TEXT_PX: f64 = 12.0;
const TITLE_PX: f64 = 15.0;

const INK: &str = "#22262e";
const FAINT: &str = "#5a616b";
const STATE: &str = "#eef3f9";
const INITIAL: &str = "#d5e6f7";
const FINAL: &str = "#e4e4e4";
const TRANSITION: &str = "#3d6fb4";
const CONDITION: &str = "#fdf1d6";
const ACTION: &str = "#dff0e2";
const CONTROL: &str = "#ffffff";
const REFERENCE: &str = "#e8e2f3";

/// An SVG of decisions, whose names are checked first. The root comes first, then the machines and trees by
/// name. Light blue is the initial state of a machine, grey one with a result.
///
/// # Errors
/// Those of [`Tactics::new`].
pub fn svg(definition: &Definition) -> Result<String, TacticsError> {
    // Bounds the depth of the trees, too.
    Tactics::new(definition)?;
    let mut panels = Vec::new();
    let mut names: Vec<&String> = definition.machines.keys().chain(definition.trees.keys()).collect();
    // A stable sort: the others keep their order.
    names.sort_by_key(|name| **name != definition.root);
    for name in names {
        if let Some(machine) = definition.machines.get(name) {
            panels.push(Panel::of_machine(name, machine));
            for (state, parts) in &machine.states {
                // A tree that is declared elsewhere has a panel of its own.
                if let Some(tree) = parts.tree.as_ref().filter(|tree| !matches!(tree, Node::Tree(_))) {
                    panels.push(Panel::of_tree(&format!("tree of the state {state} of {name}"), tree));
                }
            }
        } else if let Some(tree) = definition.trees.get(name) {
            panels.push(Panel::of_tree(&format!("tree {name}"), tree));
        }
    }
    let width = panels.iter().map(|panel| panel.width).fold(0.0, f64::max) + 2.0 * GAP_PX;
    let height = panels.iter().map(|panel| panel.height + GAP_PX).sum::<f64>() + GAP_PX;
    let mut markup = Markup::new(width.ceil(), height.ceil(), Some("#ffffff"));
    markup.line(format_args!(
        r#"<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{TRANSITION}"/></marker>"#
    ));
    let mut top = GAP_PX;
    for panel in panels {
        markup.group(format_args!(r#"transform="translate({GAP_PX} {})""#, Short(top)), |markup| panel.draw(markup));
        top += panel.height + GAP_PX;
    }
    Ok(markup.finish())
}

fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER_PX
}

/// A drawing of one machine or tree: its elements, placed from its corner.
struct Panel {
    title: String,
    width: f64,
    height: f64,
    boxes: Vec<Labelled>,
    /// Connectors and arrows: points, and whether the last one has an arrowhead.
    paths: Vec<(Vec<Pixel>, bool)>,
    /// Texts beside boxes.
    notes: Vec<(Pixel, String)>,
    /// Beginnings of transitions that leave any state.
    dots: Vec<Pixel>,
}

/// A box with lines of text.
struct Labelled {
    at: Pixel,
    size: Pixel,
    fill: &'static str,
    lines: Vec<String>,
}

impl Panel {
    fn new(title: String) -> Self {
        let width = text_width(&title) * TITLE_PX / TEXT_PX;
        let (boxes, paths, notes, dots) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { title, width, height: ROW_PX, boxes, paths, notes, dots }
    }

    fn note(&mut self, at: Pixel, text: String) {
        self.width = self.width.max(at[0] + text_width(&text));
        self.notes.push((at, text));
    }

    fn of_tree(title: &str, root: &Node) -> Self {
        let mut panel = Self::new(title.to_owned());
        panel.node(root, "", 0.0);
        panel
    }

    /// Places a node in the next row, and its children below it. `role` is what it is to its parent.
    fn node(&mut self, node: &Node, role: &str, left: f64) {
        let (label, fill, children) = described(node);
        let top = self.height;
        let text = if role.is_empty() { label } else { format!("{role}: {label}") };
        let width = text_width(&text) + 16.0;
        self.boxes.push(Labelled { at: [left, top], size: [width, LINE_PX + 5.0], fill, lines: vec![text] });
        self.width = self.width.max(left + width);
        self.height += ROW_PX;
        for (role, child) in children {
            let row = self.height + (LINE_PX + 5.0) / 2.0;
            let trunk = left + INDENT_PX / 2.0;
            self.paths.push((vec![[trunk, top + LINE_PX + 5.0], [trunk, row], [left + INDENT_PX, row]], false));
            self.node(child, &role, left + INDENT_PX);
        }
    }

    fn of_machine(name: &str, machine: &Machine) -> Self {
        let mut panel = Self::new(format!("machine {name}"));
        // The initial state on top.
        let mut states: Vec<(&String, &State)> = machine.states.iter().collect();
        states.sort_by_key(|(name, _)| **name != machine.initial);
        let texts: Vec<Vec<String>> = states.iter().map(|(name, state)| lines_of(name, state)).collect();
        let width = texts.iter().flatten().map(|line| text_width(line)).fold(60.0, f64::max) + 20.0;
        let mut tops = Vec::new();
        for ((name, state), lines) in states.iter().zip(texts) {
            let fill = match (state.result, **name == machine.initial) {
                (Some(_), _) => FINAL,
                (None, true) => INITIAL,
                (None, false) => STATE,
            };
            // Room for the ends of the transitions, one below the other.
            let ends = machine.transitions.iter().map(|transition| {
                usize::from(transition.to == **name) + transition.from.iter().filter(|from| *from == *name).count()
            });
            let height = (lines.len() as f64 * LINE_PX + 10.0).max(ends.sum::<usize>() as f64 * END_PX + 10.0);
            tops.push((name.as_str(), panel.height, 0.0));
            panel.boxes.push(Labelled { at: [0.0, panel.height], size: [width, height], fill, lines });
            panel.height += height + 14.0;
        }
        let mut end_at = |name: &str| {
            let (_, top, used) = tops.iter_mut().find(|(other, ..)| *other == name)?;
            *used += END_PX;
            Some(*top + *used)
        };
        let mut lane = 0;
        for (i, transition) in machine.transitions.iter().enumerate() {
            for from in &transition.from {
                lane += 1;
                let x = width + 14.0 + f64::from(lane) * LANE_PX;
                let begin = end_at(from);
                let Some(end) = end_at(&transition.to) else { continue };
                let points = match begin {
                    Some(begin) => {
                        panel.notes.push(([width + 9.0, begin - 2.0], (i + 1).to_string()));
                        vec![[width, begin], [x, begin], [x, end], [width, end]]
                    }
                    None => {
                        panel.notes.push(([x + 5.0, end - 2.0], (i + 1).to_string()));
                        panel.dots.push([x, end]);
                        vec![[x, end], [width, end]]
                    }
                };
                panel.paths.push((points, true));
            }
        }
        let list = width + 14.0 + f64::from(lane + 2) * LANE_PX;
        let mut row = ROW_PX + LINE_PX;
        for (i, transition) in machine.transitions.iter().enumerate() {
            panel.note([list, row], format!("{}  {}", i + 1, worded(transition)));
            row += LINE_PX;
        }
        panel.width = panel.width.max(list);
        panel.height = panel.height.max(row);
        panel
    }

    fn draw(&self, markup: &mut Markup) {
        markup.text([0.0, TITLE_PX], TITLE_PX, "start", INK, &self.title);
        for (points, has_head) in &self.paths {
            let data: Vec<String> = points.iter().map(|[x, y]| format!("{},{}", Short(*x), Short(*y))).collect();
            let (colour, head) = if *has_head { (TRANSITION, r#" marker-end="url(#arrow)""#) } else { ("#9aa1ab", "") };
            markup.line(format_args!(
                r#"<path d="M{}" fill="none" stroke="{colour}" stroke-width="1.2" stroke-linejoin="round"{head}/>"#,
                data.join(" L")
            ));
        }
        for [x, y] in &self.dots {
            markup.line(format_args!(r#"<circle cx="{}" cy="{}" r="3" fill="{TRANSITION}"/>"#, Short(*x), Short(*y)));
        }
        for Labelled { at: [x, y], size: [width, height], fill, lines } in &self.boxes {
            markup.line(format_args!(
                r##"<rect x="{}" y="{}" width="{}" height="{}" rx="4" fill="{fill}" stroke="#9aa1ab"/>"##,
                Short(*x),
                Short(*y),
                Short(*width),
                Short(*height)
            ));
            for (i, line) in lines.iter().enumerate() {
                let colour = if i == 0 { INK } else { FAINT };
                markup.text([x + 8.0, y + LINE_PX * (i + 1) as f64 - 1.0], TEXT_PX, "start", colour, line);
            }
        }
        for (at, text) in &self.notes {
            let size = if text.len() < 4 { 8.5 } else { TEXT_PX };
            markup.text(*at, size, "start", FAINT, text);
        }
    }
}

/// The lines in the box of a state.
fn lines_of(name: &str, state: &State) -> Vec<String> {
    let mut lines = vec![name.to_owned()];
    for (key, list) in [("entry", &state.entry), ("activity", &state.activity), ("exit", &state.exit)] {
        lines.extend(list.iter().map(|text| format!("{key}: {text}")));
    }
    lines.extend(state.tree.iter().map(|tree| match tree {
        Node::Tree(name) => format!("tree {name}"),
        _ => "tree below".to_owned(),
    }));
    let history = if state.history { ", with history" } else { "" };
    lines.extend(state.machines.iter().map(|inner| format!("machine {inner}{history}")));
    lines.extend(state.result.map(|result| format!("result: {}", result.name())));
    lines
}

/// A transition in one line.
fn worded(transition: &Transition) -> String {
    let mut text = format!("{} > {}", transition.from.join(", "), transition.to);
    let mut parts = Vec::new();
    parts.extend(transition.when.clone());
    parts.extend(transition.after_s.map(|after_s| format!("after {after_s} s")));
    parts.extend(transition.on.map(|on| format!("on {}", on.name())));
    if !parts.is_empty() {
        text.push_str(&format!(": {}", parts.join(", ")));
    }
    if !transition.actions.is_empty() {
        text.push_str(&format!(" / {}", transition.actions.join(", ")));
    }
    text
}

/// A node's text, its colour, and its children with what they are to it.
fn described(node: &Node) -> (String, &'static str, Vec<(String, &Node)>) {
    let of_memory = |name: &str, memory: bool| if memory { format!("{name}, memory") } else { name.to_owned() };
    match node {
        Node::Condition(text) => (format!("{text} ?"), CONDITION, Vec::new()),
        Node::Action { set, done, failed } => {
            let mut text = set.clone();
            for (word, condition) in [("until", done), ("fails if", failed)] {
                text.extend(condition.iter().map(|condition| format!(", {word} {condition}")));
            }
            (text, ACTION, Vec::new())
        }
        Node::Sequence { children, memory } | Node::Selector { children, memory } => {
            let name = if matches!(node, Node::Sequence { .. }) { "sequence" } else { "selector" };
            (of_memory(name, *memory), CONTROL, children.iter().map(|child| (String::new(), child)).collect())
        }
        Node::Parallel { children, successes, memory } => {
            let needed = successes.unwrap_or(children.len());
            let text = format!("{}, {needed} of {}", of_memory("parallel", *memory), children.len());
            (text, CONTROL, children.iter().map(|child| (String::new(), child)).collect())
        }
        Node::Repeat { child, times } => {
            let text = times.map_or("repeat".to_owned(), |times| format!("repeat {times} times"));
            (text, CONTROL, vec![(String::new(), &**child)])
        }
        Node::OnFailure { child, handler, retries } => {
            let children = vec![("try".to_owned(), &**child), ("on failure".to_owned(), &**handler)];
            (format!("{retries} retries"), CONTROL, children)
        }
        Node::Not(child) => ("not".to_owned(), CONTROL, vec![(String::new(), &**child)]),
        Node::Rules(rules) => {
            let role = |priority: &Priority, when: &str| match priority {
                Priority::Fixed(number) => format!("{number}, {when}"),
                Priority::Input(input) => format!("{input}, {when}"),
            };
            let children = rules.iter().map(|rule| (role(&rule.priority, &rule.when), &rule.node)).collect();
            ("rules".to_owned(), CONTROL, children)
        }
        Node::Tree(name) => (format!("tree {name}"), REFERENCE, Vec::new()),
        Node::Machine(name) => (format!("machine {name}"), REFERENCE, Vec::new()),
        // Kinds that a later version adds have no children that this one knows.
        _ => ("node".to_owned(), CONTROL, Vec::new()),
    }
}
