//! The frictions of the surfaces that a track names.

use std::collections::{BTreeMap, BTreeSet};

use super::xml::{Document, Section, parse};
use raceline_road::construction::{ImportError, ImportNote};

/// Friction of a surface that is defined nowhere, as in TORCS.
const UNDEFINED: f64 = 0.8;
/// Frictions outside this range make no sensible grip of a road.
const MIN: f64 = 0.05;
const MAX: f64 = 10.0;

/// Frictions of the standard surfaces of TORCS 1.3.7, by which tracks refer to them.
const STANDARD: [(&[&str], f64); 14] = [
    (&["asphalt-lines", "asphalt-l-left", "asphalt-l-right", "asphalt-l-both", "asphalt-pits", "asphalt"], 1.2),
    (&["b-asphalt", "b-asphalt-l1", "b-asphalt-l1p", "road1-pits"], 1.2),
    (&["asphalt2-lines", "asphalt2-l-left", "asphalt2-l-right", "asphalt2-l-both"], 1.4),
    (&["curb-5cm-r", "curb-5cm-l", "curb-l"], 1.4),
    (&["asphalt2"], 1.25),
    (&["concrete4", "concrete-pits", "road1", "road1-asphalt", "asphalt-road1"], 1.1),
    (&["concrete2", "tire-wall", "tar-grass3-l", "tar-grass3-r", "tar-sand", "b-road1"], 1.0),
    (&["b-asphalt-sand3", "b-asphalt-sand3-l1"], 1.0),
    (&["b-concrete4-concrete-l1", "b-concrete4-concrete-l1p", "dirt", "b-road1-sand3"], 0.9),
    (&["concrete", "dirt-b", "b-road1-l2", "b-road1-l2p", "b-road1-sand3-l2"], 0.8),
    (&["b-asphalt-grass7", "b-asphalt-grass7-l1", "b-asphalt-grass6", "b-asphalt-grass6-l1"], 0.8),
    (&["concrete3", "b-road1-grass6", "b-road1-grass6-l2", "b-road1-gravel-l2"], 0.7),
    (&["sand", "gravel", "sand3"], 0.6),
    (&["grass", "grass3", "grass5", "grass6", "grass7", "barrier-turn", "barrier-grille"], 0.4),
];

/// The name of the section, and of the entity that tracks use for the standard surfaces.
const SECTION: &str = "Surfaces";

/// The frictions of a track's surfaces.
pub(super) struct Surfaces {
    defined: BTreeMap<String, f64>,
    /// Whether the file of standard surfaces that the track refers to was read.
    standard_file: Option<StandardFile>,
    from_table: BTreeMap<String, f64>,
    undefined: BTreeSet<String>,
}

/// A file of standard surfaces to which a track refers.
struct StandardFile {
    path: String,
    was_read: bool,
}

/// The path of the file of standard surfaces, as the document type has it.
pub(super) fn file_of(document: &Document) -> Option<&str> {
    let section = section_of(&document.root)?;
    let path = |name: &String| document.entities.iter().find(|(known, _)| known == name).map(|(_, path)| path.as_str());
    section.entities.iter().find_map(path)
}

fn section_of(root: &Section) -> Option<&Section> {
    // Of the root element, whatever its name.
    root.sections.iter().find_map(|params| params.section(SECTION))
}

impl Surfaces {
    /// The surfaces of `document`, with those of the `standard` file where it has been found.
    ///
    /// # Errors
    /// A friction that is not a number. A file of standard surfaces that cannot be read counts as
    /// not found.
    pub fn new(document: &Document, standard: Option<&[u8]>) -> Result<Self, ImportError> {
        let mut defined = BTreeMap::new();
        if let Some(section) = section_of(&document.root) {
            define(&mut defined, section)?;
        }
        let mut others = BTreeMap::new();
        let was_read = standard.and_then(|bytes| parse(bytes).ok()).is_some_and(|file| {
            // A fragment of sections, or a whole file.
            let whole = section_of(&file.root);
            define(&mut others, whole.unwrap_or(&file.root)).is_ok() && !others.is_empty()
        });
        if was_read {
            for (name, friction) in others {
                defined.entry(name).or_insert(friction);
            }
        }
        let standard_file = file_of(document).map(|path| StandardFile { path: path.to_owned(), was_read });
        Ok(Self { defined, standard_file, from_table: BTreeMap::new(), undefined: BTreeSet::new() })
    }

    /// The friction of the surface `name`.
    pub fn friction(&mut self, name: &str) -> f64 {
        if let Some(&friction) = self.defined.get(name) {
            return friction;
        }
        if let Some(&(_, friction)) = STANDARD.iter().find(|(names, _)| names.contains(&name)) {
            self.from_table.insert(name.to_owned(), friction);
            return friction;
        }
        self.undefined.insert(name.to_owned());
        UNDEFINED
    }

    /// The grip of a road with this surface.
    pub fn grip(&mut self, name: &str) -> f64 {
        self.friction(name).clamp(MIN, MAX)
    }

    /// What was assumed.
    pub fn notes(self) -> Vec<ImportNote> {
        let mut notes = Vec::new();
        if !self.from_table.is_empty() {
            let file = self.standard_file.filter(|file| !file.was_read).map(|file| file.path);
            notes.push(ImportNote::SurfacesAssumed { file, frictions: self.from_table.into_iter().collect() });
        }
        if !self.undefined.is_empty() {
            let names = self.undefined.into_iter().collect();
            notes.push(ImportNote::SurfacesUndefined { names, friction: UNDEFINED });
        }
        notes
    }
}

/// Adds the surfaces of a section; of two with one name the first counts.
fn define(defined: &mut BTreeMap<String, f64>, section: &Section) -> Result<(), ImportError> {
    for surface in &section.sections {
        if let Some(friction) = surface.number("friction")? {
            defined.entry(surface.name.clone()).or_insert(friction);
        }
    }
    Ok(())
}
