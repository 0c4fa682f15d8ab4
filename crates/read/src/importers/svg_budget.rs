//! What an SVG would take to read, before it is taken.
//!
//! A few bytes of SVG can stand for any amount of it: elements that refer to elements, markers at
//! every vertex of a path, style rules for every element, entities. So the document's parts are
//! counted with everything that they refer to, and a document that exceeds its budget is refused.
//! The counts are upper bounds; drawings of roads need far less.

use std::collections::HashMap;

use usvg::roxmltree::{Document, Node, ParsingOptions};

use raceline_road::construction::ImportError;

/// Largest file, bytes.
const MAX_BYTES: u64 = 16 << 20;
/// Maximum number of elements and texts, as the file has them and with everything repeated that is
/// referred to.
const MAX_ELEMENTS: u64 = 200_000;
/// Maximum number of numbers in paths, repeated likewise; a point has two, each with up to two runs
/// of digits.
const MAX_NUMBERS: u64 = 4_000_000;
/// Maximum number of comparisons of style rules with elements, and copies of declarations.
const MAX_STYLING: u64 = 20_000_000;
/// Maximum number of bytes that entities may expand to.
const MAX_ENTITY_BYTES: u64 = 64 << 20;
/// Maximum number of attributes of one element, which are compared with one another.
const MAX_ATTRIBUTES: u64 = 200;
/// Deepest nesting, with references: the stack is finite.
const MAX_LEVELS: u64 = 128;
/// References in an entity that the parser follows.
const REFERENCES_PER_ENTITY: u64 = 256;
/// Runs of digits of a shape other than a path, which becomes one.
const NUMBERS_PER_SHAPE: u64 = 64;
/// Curves for an arc whose radius has an exponent or many digits: their number grows with the sixth
/// root of the radius.
const CURVES_PER_LARGE_ARC: u64 = 150_000;
/// Numbers of any other arc: two for each of three points of its curves.
const NUMBERS_PER_ARC: u64 = 200;
/// The elements whose `href` repeats another element; that of a link does not.
const REPEATING: [&str; 8] =
    ["use", "pattern", "linearGradient", "radialGradient", "filter", "feImage", "textPath", "tref"];
/// Digits of a large radius.
const LARGE_DIGITS: usize = 8;

/// Parses the document if it is within the budget.
///
/// # Errors
/// [`ImportError::SvgTooLarge`] with the count, [`ImportError::Svg`] for text that is not an SVG.
pub(super) fn parse(bytes: &[u8]) -> Result<Document<'_>, ImportError> {
    within("bytes", bytes.len() as u64, MAX_BYTES)?;
    let text =
        std::str::from_utf8(bytes).map_err(|_| ImportError::Svg { message: "it is not UTF-8 text".to_owned() })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_markup(text)?;
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_ELEMENTS as u32, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| ImportError::Svg { message: format!("SVG data parsing failed cause {error}") })?;
    let whole = Expansion::of(&document)?;
    within("elements", whole.elements, MAX_ELEMENTS)?;
    within("numbers in paths", whole.numbers, MAX_NUMBERS)?;
    within("style rules for elements", styling(&document, whole.elements), MAX_STYLING)?;
    Ok(document)
}

fn within(what: &'static str, found: u64, limit: u64) -> Result<(), ImportError> {
    if found <= limit { Ok(()) } else { Err(ImportError::SvgTooLarge { what, found, limit }) }
}

/// Checks attributes and entities, which the parser itself expands and compares.
fn check_markup(text: &str) -> Result<(), ImportError> {
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].into_iter();
        let skipped = skipped.filter(|(begin, _)| rest.starts_with(begin)).map(|(_, end)| end).next();
        let length = if let Some(end) = skipped {
            rest.find(end).map_or(rest.len(), |at| at + end.len())
        } else if rest.starts_with("<!") {
            let length = declarations_length(rest);
            check_declarations(&rest[..length], text)?;
            length
        } else {
            let (length, attributes) = tag(rest);
            within("attributes of one element", attributes, MAX_ATTRIBUTES)?;
            length
        };
        rest = &rest[length.max(1)..];
    }
    Ok(())
}

/// Length of a document type or of one declaration in it. Blanks may stand between `]` and `>`.
fn declarations_length(text: &str) -> usize {
    let head = text.find(['[', '>']).unwrap_or(text.len());
    if !text[head..].starts_with('[') {
        return (head + 1).min(text.len());
    }
    let end = |at: usize| {
        let behind = text[at + 1..].trim_start();
        behind.starts_with('>').then(|| text.len() - behind.len() + 1)
    };
    text.match_indices(']').find_map(|(at, _)| end(at)).unwrap_or(text.len())
}

/// Checks the declarations of a document type: entities may contain elements and entities.
fn check_declarations(declarations: &str, text: &str) -> Result<(), ImportError> {
    if !declarations.contains("<!ENTITY") {
        return Ok(());
    }
    let attributes = declarations.matches('=').count() as u64;
    within("attributes in entities", attributes, MAX_ATTRIBUTES)?;
    let plain = ["#", "amp;", "lt;", "gt;", "quot;", "apos;"];
    let references =
        text.match_indices('&').filter(|(at, _)| !plain.iter().any(|name| text[at + 1..].starts_with(name)));
    let expanded = references.count() as u64 * REFERENCES_PER_ENTITY * declarations.len() as u64;
    within("bytes of entities", expanded, MAX_ENTITY_BYTES)
}

/// Length of the tag at the beginning of `text`, and the number of its attributes.
fn tag(text: &str) -> (usize, u64) {
    let (mut quote, mut attributes) = (None, 0);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => attributes += 1,
            (None, b'>') => return (at + 1, attributes),
            (None, _) => {}
        }
    }
    (text.len(), attributes)
}

/// An element with everything in it and everything to which it refers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Expansion {
    elements: u64,
    numbers: u64,
    levels: u64,
}

impl Expansion {
    fn of(document: &Document) -> Result<Self, ImportError> {
        let mut counter = Counter::new(document);
        counter.count(document.root(), 0)
    }

    fn add(&mut self, part: Self, times: u64) {
        self.elements = self.elements.saturating_add(part.elements.saturating_mul(times));
        self.numbers = self.numbers.saturating_add(part.numbers.saturating_mul(times));
        self.levels = self.levels.max(part.levels + 1);
    }
}

/// Counts each element once.
struct Counter<'a, 'i> {
    by_id: HashMap<&'a str, Vec<Node<'a, 'i>>>,
    known: HashMap<Node<'a, 'i>, Option<Expansion>>,
}

impl<'a, 'i> Counter<'a, 'i> {
    fn new(document: &'a Document<'i>) -> Self {
        let mut by_id: HashMap<&str, Vec<Node>> = HashMap::new();
        for node in document.descendants() {
            if let Some(id) = node.attribute("id") {
                by_id.entry(id).or_default().push(node);
            }
        }
        Self { by_id, known: HashMap::new() }
    }

    fn count(&mut self, node: Node<'a, 'i>, level: u64) -> Result<Expansion, ImportError> {
        match self.known.get(&node) {
            Some(Some(known)) => return Ok(*known),
            Some(None) => {
                let message = "its elements refer to one another in a circle".to_owned();
                return Err(ImportError::Svg { message });
            }
            None => {}
        }
        within("levels of elements", level, MAX_LEVELS)?;
        self.known.insert(node, None);
        let mut found = Expansion { elements: 1, numbers: numbers(node), levels: 0 };
        for child in node.children() {
            found.add(self.count(child, level + 1)?, 1);
        }
        let plain = found;
        for (id, is_marker) in references(node) {
            // A marker is drawn at every vertex of every path in the element.
            let times = if is_marker { plain.numbers.saturating_add(2) } else { 1 };
            for target in self.by_id.get(id).cloned().unwrap_or_default() {
                found.add(self.count(target, level + 1)?, times);
            }
        }
        within("levels of elements", found.levels, MAX_LEVELS)?;
        self.known.insert(node, Some(found));
        Ok(found)
    }
}

/// The identifiers to which an element refers, and whether as a marker.
fn references<'a>(node: Node<'a, '_>) -> impl Iterator<Item = (&'a str, bool)> {
    let repeats = REPEATING.contains(&node.tag_name().name());
    node.attributes().flat_map(move |attribute| {
        let value = attribute.value();
        let direct = if repeats && attribute.name() == "href" { value.trim().strip_prefix('#') } else { None };
        let may_mark = attribute.name().starts_with("marker") || value.contains("marker");
        direct.map(|id| (id, false)).into_iter().chain(functional(value).map(move |id| (id, may_mark)))
    })
}

/// The identifiers in `url(#…)`, also in quotes.
fn functional(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let inner = rest.split(')').next()?.trim().trim_matches(['"', '\'']);
        inner.trim().strip_prefix('#')
    })
}

/// Upper bound of the numbers in the points of an element's own path.
fn numbers(node: Node) -> u64 {
    if !node.is_element() {
        return 0;
    }
    let path = node.attribute("d").map_or(0, |d| digit_runs(d).saturating_add(arcs(d)));
    let shape = match node.tag_name().name() {
        "rect" | "circle" | "ellipse" | "line" => NUMBERS_PER_SHAPE,
        _ => 0,
    };
    path.saturating_add(node.attribute("points").map_or(0, digit_runs)).saturating_add(shape)
}

/// Number of runs of digits: at least that of numbers.
fn digit_runs(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let starts = |at: usize| bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_digit());
    (0..bytes.len()).filter(|&at| starts(at)).count() as u64
}

/// Numbers of the curves that take the place of a path's arcs.
fn arcs(d: &str) -> u64 {
    if !d.contains(['a', 'A']) {
        return 0;
    }
    // The shortest arc has five runs of digits, because its flags need no separator.
    let count = digit_runs(d) / 5;
    let is_exponent = |(at, _): (usize, &str)| d[at + 1..].starts_with(|c: char| c == '+' || c.is_ascii_digit());
    let has_exponent = d.match_indices(['e', 'E']).any(is_exponent);
    let mut whole_digits =
        d.split(|c: char| !c.is_ascii_digit() && c != '.').map(|number| number.find('.').unwrap_or(number.len()));
    let each = if has_exponent || whole_digits.any(|digits| digits >= LARGE_DIGITS) {
        CURVES_PER_LARGE_ARC
    } else {
        NUMBERS_PER_ARC
    };
    count.saturating_mul(each)
}

/// Comparisons of the document's style rules with its elements, copies of declarations, and
/// repeated references in rules.
fn styling(document: &Document, elements: u64) -> u64 {
    let styles = document.descendants().filter(|node| node.has_tag_name("style") || node.tag_name().name() == "style");
    let texts = styles.flat_map(|style| style.children()).filter_map(|text| text.text());
    texts.fold(0, |total: u64, text| {
        let count = |marks: &[char]| text.matches(marks).count() as u64;
        let (rules, declarations) = (1 + count(&[',', '{']), 1 + count(&[';', ':']));
        // What a rule refers to may be repeated for every element and every vertex.
        let linked = if text.contains("url(") { elements.saturating_mul(elements) } else { 0 };
        total
            .saturating_add(rules.saturating_mul(declarations))
            .saturating_add(rules.saturating_mul(elements))
            .saturating_add(linked)
    })
}
