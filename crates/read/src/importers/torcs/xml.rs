//! The XML of TORCS: sections in sections, with attributes that are numbers with a unit or text.

use std::borrow::Cow;
use std::f64::consts::PI;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use raceline_file::shortened;
use raceline_road::construction::ImportError;

/// Sections may be nested this deep; TORCS's own are nested five deep.
const DEEPEST: usize = 32;
/// The maximum number of sections and attributes of a file. The largest tracks have some ten
/// thousand.
const MAX_ELEMENTS: usize = 1_000_000;
/// Numbers in SI units beyond this have no place in a track.
const LARGEST: f64 = 1e6;

/// The units of TORCS, in SI units. A number without a unit is in metres, radians or one.
const UNITS: [(&str, f64); 14] = [
    ("m", 1.0),
    ("", 1.0),
    ("none", 1.0),
    ("rad", 1.0),
    ("deg", PI / 180.0),
    ("%", 0.01),
    ("km", 1000.0),
    ("cm", 0.01),
    ("mm", 0.001),
    ("ft", 0.3048),
    ("feet", 0.3048),
    ("in", 0.0254),
    ("inch", 0.0254),
    ("inches", 0.0254),
];

/// A section.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// Name.
    pub name: String,
    /// Line of its beginning, from 1.
    pub line: usize,
    attributes: Vec<Attribute>,
    /// The sections in it, in the file's order.
    pub sections: Vec<Section>,
    /// The entities that it refers to.
    pub entities: Vec<String>,
}

#[derive(Debug)]
struct Attribute {
    is_number: bool,
    name: String,
    value: String,
    unit: String,
    line: usize,
}

/// A file.
#[derive(Debug)]
pub(super) struct Document {
    /// The root with everything in it.
    pub root: Section,
    /// The entities that its document type declares: name and path of the file.
    pub entities: Vec<(String, String)>,
}

/// The text of a file: UTF-8, else Latin-1.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    };
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)),
        owned => owned,
    }
}

/// Lines of places in a text, in increasing order.
struct Lines<'a> {
    text: &'a [u8],
    position: usize,
    line: usize,
}

impl Lines<'_> {
    fn at(&mut self, position: u64) -> usize {
        let position = usize::try_from(position).unwrap_or(usize::MAX).clamp(self.position, self.text.len());
        self.line += self.text[self.position..position].iter().filter(|&&byte| byte == b'\n').count();
        self.position = position;
        self.line
    }
}

/// Reads the XML. Elements other than `section`, `attnum` and `attstr` are sections of their name;
/// references to entities are recorded with the section in which they stand.
///
/// # Errors
/// [`ImportError::Xml`] with the line.
pub(super) fn parse(bytes: &[u8]) -> Result<Document, ImportError> {
    let text = text(bytes);
    let mut lines = Lines { text: text.as_bytes(), position: 0, line: 1 };
    let mut reader = Reader::from_str(&text);
    // The root of the stack holds the file's elements; a file of surfaces has several.
    let mut stack = vec![Section { line: 1, ..Section::default() }];
    let mut entities = Vec::new();
    let mut count = 0;
    loop {
        let line = lines.at(reader.buffer_position());
        let event = reader.read_event().map_err(|error| ImportError::Xml {
            line: lines.at(reader.error_position()),
            message: error.to_string(),
        })?;
        let wrong = |message: &str| ImportError::Xml { line, message: message.to_owned() };
        match event {
            Event::Start(element) => {
                count += 1;
                if stack.len() >= DEEPEST {
                    return Err(wrong("sections are nested too deep"));
                }
                let inside = match read(&element, line)? {
                    Element::Section(section) => section,
                    Element::Attribute(attribute) => {
                        if let Some(open) = stack.last_mut() {
                            open.attributes.push(attribute);
                        }
                        // What stands in it means nothing.
                        Section::default()
                    }
                };
                stack.push(inside);
            }
            Event::Empty(element) => {
                count += 1;
                match (read(&element, line)?, stack.last_mut()) {
                    (Element::Attribute(attribute), Some(open)) => open.attributes.push(attribute),
                    (Element::Section(section), Some(open)) => open.sections.push(section),
                    _ => {}
                }
            }
            Event::End(element) => {
                let closed = stack.pop().filter(|_| !is_attribute(element.name().as_ref()));
                if let (Some(closed), Some(open)) = (closed, stack.last_mut()) {
                    open.sections.push(closed);
                }
            }
            Event::DocType(content) => entities.extend(declared_entities(&String::from_utf8_lossy(&content))),
            Event::GeneralRef(name) => {
                if let Some(open) = stack.last_mut() {
                    open.entities.push(String::from_utf8_lossy(&name).into_owned());
                }
            }
            Event::Eof => break,
            _ => {}
        }
        if count > MAX_ELEMENTS {
            return Err(wrong("it has more than a million elements"));
        }
    }
    match (stack.pop(), stack.is_empty()) {
        (Some(root), true) => Ok(Document { root, entities }),
        (open, _) => {
            let Section { name, line, .. } = open.unwrap_or_default();
            Err(ImportError::Xml { line, message: format!("section \"{name}\" begins here and does not end") })
        }
    }
}

/// An element.
enum Element {
    Section(Section),
    Attribute(Attribute),
}

/// Whether this is the name of an element with a value.
fn is_attribute(name: &[u8]) -> bool {
    matches!(name, b"attnum" | b"attstr")
}

fn read(element: &BytesStart, line: usize) -> Result<Element, ImportError> {
    let name = element.name();
    if is_attribute(name.as_ref()) {
        return Ok(Element::Attribute(Attribute {
            is_number: name.as_ref() == b"attnum",
            name: value(element, "name", line)?,
            value: value(element, "val", line)?,
            unit: value(element, "unit", line)?,
            line,
        }));
    }
    let name = match name.as_ref() {
        b"section" => value(element, "name", line)?,
        other => String::from_utf8_lossy(other).into_owned(),
    };
    Ok(Element::Section(Section { name, line, ..Section::default() }))
}

/// The value of an element's attribute; empty where there is none.
fn value(element: &BytesStart, key: &str, line: usize) -> Result<String, ImportError> {
    let found = element.try_get_attribute(key);
    let found = found.map_err(|error| ImportError::Xml { line, message: error.to_string() })?;
    let Some(found) = found else { return Ok(String::new()) };
    let raw = String::from_utf8_lossy(&found.value);
    // An entity in a value has no meaning for a track; the text of it is kept.
    Ok(quick_xml::escape::unescape(&raw).map_or_else(|_| raw.to_string(), Cow::into_owned))
}

/// The external entities that a document type declares: `<!ENTITY name SYSTEM "path">`.
fn declared_entities(content: &str) -> Vec<(String, String)> {
    let declarations = content.split("<!ENTITY").skip(1);
    declarations
        .filter_map(|declaration| {
            let (name, rest) = declaration.trim_start().split_once(char::is_whitespace)?;
            let rest = rest.trim_start().strip_prefix("SYSTEM")?.trim_start();
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (path, _) = rest.get(1..)?.split_once(quote)?;
            Some((name.to_owned(), path.to_owned()))
        })
        .collect()
}

impl Section {
    /// The first section in it with this name.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The text with this name. Of several, TORCS takes the first.
    pub fn text(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|attribute| !attribute.is_number && attribute.name == name);
        found.map(|attribute| attribute.value.as_str())
    }

    /// The number with this name, in SI units. Of several, TORCS takes the first.
    ///
    /// # Errors
    /// [`ImportError::TrackXml`] for what is not a number, its unit unknown, or too large.
    pub fn number(&self, name: &str) -> Result<Option<f64>, ImportError> {
        let Some(found) = self.attributes.iter().find(|attribute| attribute.is_number && attribute.name == name) else {
            return Ok(None);
        };
        let wrong = |problem: String, fix: &'static str| ImportError::TrackXml {
            line: found.line,
            place: self.place(),
            problem,
            fix,
        };
        let unit = found.unit.trim();
        let factor = UNITS.iter().find(|(known, _)| *known == unit).map(|(_, factor)| factor);
        let factor = factor.ok_or_else(|| {
            wrong(format!("{name} has the unknown unit {:?}", shortened(unit)), "use m, ft, deg or %")
        })?;
        let number = found.value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| {
            wrong(format!("{name} = {:?} is not a finite number", shortened(&found.value)), "write a decimal number")
        })?;
        let number = number * factor;
        if number.abs() > LARGEST {
            return Err(wrong(format!("{name} = {number:e} is too large for a track"), "check it and its unit"));
        }
        Ok(Some(number))
    }

    /// The section in messages.
    pub fn place(&self) -> String {
        format!("section \"{}\"", shortened(&self.name))
    }

    /// An error about this section.
    pub fn error(&self, problem: String, fix: &'static str) -> ImportError {
        ImportError::TrackXml { line: self.line, place: self.place(), problem, fix }
    }
}
