//! TORCS's parameter files: sections in sections, with numbers and texts.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use quick_xml::events::{BytesStart, Event};

/// Deepest nesting of sections.
const DEEPEST: usize = 32;

/// Values by section, names joined by `/`, and key.
#[derive(Clone, Debug, Default)]
pub struct Params {
    values: BTreeMap<(String, String), String>,
}

impl Params {
    /// Reads a file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        Self::parse(&String::from_utf8_lossy(&bytes)).with_context(|| path.display().to_string())
    }

    /// Reads a text. Units and bounds are skipped.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut reader = quick_xml::Reader::from_str(text);
        reader.config_mut().check_end_names = true;
        let mut sections: Vec<String> = Vec::new();
        let mut found = Self::default();
        loop {
            match reader.read_event()? {
                Event::Start(tag) if tag.name().as_ref() == b"section" => {
                    sections.push(attribute(&tag, b"name").unwrap_or_default());
                    if sections.len() > DEEPEST {
                        bail!("more than {DEEPEST} sections in one another");
                    }
                }
                Event::End(tag) if tag.name().as_ref() == b"section" => {
                    sections.pop();
                }
                Event::Start(tag) | Event::Empty(tag) if matches!(tag.name().as_ref(), b"attnum" | b"attstr") => {
                    if let (Some(name), Some(value)) = (attribute(&tag, b"name"), attribute(&tag, b"val")) {
                        found.values.insert((sections.join("/"), name), value);
                    }
                }
                Event::Eof => return Ok(found),
                _ => {}
            }
        }
    }

    /// Adds the values of `base` for the keys that have none here.
    pub fn above(mut self, base: Self) -> Self {
        for (key, value) in base.values {
            self.values.entry(key).or_insert(value);
        }
        self
    }

    /// A value.
    pub fn text(&self, section: &str, key: &str) -> Option<&str> {
        self.values.get(&(section.to_owned(), key.to_owned())).map(String::as_str)
    }

    /// A number.
    pub fn number(&self, section: &str, key: &str) -> Option<f64> {
        self.text(section, key)?.trim().parse().ok()
    }

    /// Every section, key and value.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.values.iter().map(|((section, key), value)| (section.as_str(), key.as_str(), value.as_str()))
    }
}

fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == name)?;
    let text = String::from_utf8_lossy(&found.value).into_owned();
    Some(quick_xml::escape::unescape(&text).map(|text| text.into_owned()).unwrap_or(text))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Params;

    #[test]
    fn values_are_found_by_section_and_key() {
        let text = r#"<?xml version="1.0"?><!DOCTYPE params SYSTEM "x.dtd" [ <!ENTITY a SYSTEM "b.xml"> ]>
            <params name="p"><section name="Robots"><section name="index">
              <section name="3"><attstr name="car name" val="car1-trb1"></attstr><attnum name="n" val="1.5"/></section>
            </section></section>&a;</params>"#;
        let params = Params::parse(text).unwrap();
        assert_eq!(params.text("Robots/index/3", "car name"), Some("car1-trb1"));
        assert_eq!(params.number("Robots/index/3", "n"), Some(1.5));
        assert_eq!(params.number("Robots/index/4", "n"), None);
        assert!(Params::parse("<section></sectoin>").is_err());
    }
}
