//! The modules of a crate, and which of them import which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::references::{Reference, references};

/// The imports among the children of one module: importing child → imported child → one place where
/// it does so.
pub type Siblings = BTreeMap<String, BTreeMap<String, String>>;

/// A crate's modules and their imports.
pub struct Imports {
    /// By the parent's path; the crate's root is empty.
    pub within: BTreeMap<Vec<String>, Siblings>,
    /// What messages call the folder of its sources.
    name: String,
    /// Names of the modules at the crate's root.
    pub top: BTreeSet<String>,
}

impl Imports {
    /// The imports of the crate whose sources are in `folder`, which messages call `name`.
    pub fn of_folder(folder: &Path, name: &str) -> Self {
        let mut sources = Vec::new();
        collect(folder, "", &mut sources);
        Self::new(name, &sources)
    }

    /// The imports of `sources`: paths below the crate's root, and their texts.
    pub fn new(name: &str, sources: &[(String, String)]) -> Self {
        let files: Vec<(&str, Vec<String>, Vec<Reference>)> = sources
            .iter()
            .map(|(path, text)| {
                let module = module_of(path);
                (path.as_str(), module.clone(), references(text, &module))
            })
            .collect();
        let tree = Tree {
            modules: files.iter().map(|(_, module, _)| module).collect(),
            names: files
                .iter()
                .flat_map(|(_, _, references)| references)
                .filter_map(|reference| Some(((&reference.module, reference.name.as_deref()?), &reference.path)))
                .collect(),
        };
        let mut within: BTreeMap<Vec<String>, Siblings> = BTreeMap::new();
        for (file, from, references) in &files {
            for reference in references {
                let to = tree.module_of(&reference.path);
                let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                // What is left of both are siblings; a parent and its child don't count.
                if let (Some(importer), Some(imported)) = (from.get(shared), to.get(shared)) {
                    let place = format!("{name}/{file}:{} ({})", reference.line, reference.path.join("::"));
                    let siblings = within.entry(from[..shared].to_vec()).or_default();
                    siblings.entry(importer.clone()).or_default().entry(imported.clone()).or_insert(place);
                }
            }
        }
        Self {
            name: name.to_owned(),
            within,
            top: files.iter().filter_map(|(_, module, _)| module.first().cloned()).collect(),
        }
    }

    /// The imports at the root that go from a room to one above it or to none, as sentences;
    /// `rooms` are in the order from bottom to top.
    pub fn upward(&self, rooms: &[&str]) -> Vec<String> {
        let level = |room: &str| rooms.iter().position(|other| *other == room);
        let mut found = Vec::new();
        for (importer, imported) in self.within.get(&[][..]).into_iter().flatten() {
            for (room, place) in imported {
                if level(room) > level(importer) || level(room).is_none() {
                    found.push(format!("`{importer}` imports `{room}`, which is above it: {place}"));
                }
            }
        }
        found
    }

    /// The rings among siblings, as sentences, the shortest first. Of several rings through one
    /// import only one is given: they are mended together.
    pub fn rings(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (parent, siblings) in &self.within {
            let mut rings: Vec<Vec<String>> = siblings.keys().filter_map(|start| ring_from(start, siblings)).collect();
            rings.sort_by_key(Vec::len);
            let mut seen = BTreeSet::new();
            for ring in &rings {
                let imports: Vec<(&String, &String)> = ring.iter().zip(ring.iter().cycle().skip(1)).collect();
                if imports.iter().any(|import| seen.contains(import)) {
                    continue;
                }
                let step = |(importer, imported): &(&String, &String)| {
                    format!("`{importer}` imports `{imported}`: {}", siblings[*importer][*imported])
                };
                let steps: Vec<String> = imports.iter().map(step).collect();
                let folder = [&self.name].into_iter().chain(parent).cloned().collect::<Vec<_>>().join("/");
                found.push(format!("ring in {folder}:\n    {}", steps.join("\n    ")));
                seen.extend(imports);
            }
        }
        found
    }
}

/// The shortest path from `start` back to it.
fn ring_from(start: &str, siblings: &Siblings) -> Option<Vec<String>> {
    let mut routes: Vec<Vec<String>> = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while let Some(route) = routes.get(next).cloned() {
        next += 1;
        for imported in route.last().and_then(|last| siblings.get(last)).into_iter().flat_map(BTreeMap::keys) {
            if imported == start {
                return Some(route);
            }
            if seen.insert(imported) {
                routes.push(route.iter().chain([imported]).cloned().collect());
            }
        }
    }
    None
}

/// The modules that are files, and the names that modules import, public ones among them.
struct Tree<'a> {
    modules: BTreeSet<&'a Vec<String>>,
    names: BTreeMap<(&'a Vec<String>, &'a str), &'a Vec<String>>,
}

impl Tree<'_> {
    /// The module that defines what `path` names. Names that a module re-exports are followed.
    fn module_of(&self, path: &[String]) -> Vec<String> {
        /// More re-exports than anyone writes; ends the search where names lead to themselves.
        const MAX_RE_EXPORTS: usize = 10;
        let mut path = path.to_vec();
        for _ in 0..MAX_RE_EXPORTS {
            let depth =
                (0..=path.len()).rev().find(|&depth| depth == 0 || self.modules.contains(&path[..depth].to_vec()));
            let (module, rest) = path.split_at(depth.unwrap_or(0));
            let module = module.to_vec();
            let Some((name, rest)) = rest.split_first() else { return module };
            match self.names.get(&(&module, name.as_str())) {
                Some(&target) if *target != path => path = target.iter().chain(rest).cloned().collect(),
                _ => return module,
            }
        }
        path
    }
}

/// `a/b.rs` and `a/b/mod.rs` are the module `a::b`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if matches!(path, "lib" | "main") { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

fn collect(folder: &Path, prefix: &str, sources: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), sources);
        } else if name.ends_with(".rs") {
            sources.push((format!("{prefix}{name}"), fs::read_to_string(entry.path()).unwrap()));
        }
    }
}
