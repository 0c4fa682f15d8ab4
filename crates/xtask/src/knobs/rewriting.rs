//! Sources in which every constant is a function, so that an environment variable can move it.
//!
//! `const REACH: f64 = 2.0;` becomes `fn REACH() -> f64 { ::raceline_knob::moved(7, 2.0) }`, and each use of the
//! name becomes a call. Which uses belong to which constant is decided by simple rules; where they are wrong, or
//! where Rust requires a constant, the compiler refuses the source and the constant is left as it was.

use std::collections::{BTreeMap, BTreeSet};

use super::constants::{Constant, Place, can_be_moved, constants};
use super::tokens::{Kind, Token, tokens};

/// A source file of the workspace.
#[derive(Debug)]
pub struct Source {
    /// Path from the top of the repository.
    pub path: String,
    pub text: String,
    /// Whether its constants may be moved. In the other files only uses are rewritten.
    pub owns_knobs: bool,
}

/// A constant that can be moved; its place in the list is its number.
#[derive(Debug, Clone)]
pub struct Knob {
    pub path: String,
    pub constant: Constant,
}

impl Knob {
    /// Path and name, which identify it.
    pub fn key(&self) -> (String, String) {
        (self.path.clone(), self.constant.name.clone())
    }
}

/// Constants by path and name, with the reason why each is left as it was.
pub type Left = BTreeMap<(String, String), String>;

/// All knobs of the sources, in their order.
pub fn knobs(sources: &[Source]) -> Vec<Knob> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| source.owns_knobs) {
        for constant in constants(&source.text, &tokens(&source.text)) {
            if can_be_moved(&constant.kind) && !constant.in_tests {
                found.push(Knob { path: source.path.clone(), constant });
            }
        }
    }
    found
}

/// A rewritten source and the lines in which it calls a knob.
#[derive(Debug)]
pub struct Rewritten {
    pub text: String,
    /// Line from 1 and name.
    pub calls: BTreeSet<(usize, String)>,
}

/// Rewrites the sources; knobs that are `left` stay constants.
pub fn rewrite(sources: &[Source], knobs: &[Knob], left: &Left) -> Vec<Rewritten> {
    let moved: Vec<(usize, &Knob)> =
        knobs.iter().enumerate().filter(|(_, knob)| !left.contains_key(&knob.key())).collect();
    sources.iter().map(|source| rewrite_one(source, &moved)).collect()
}

fn rewrite_one(source: &Source, moved: &[(usize, &Knob)]) -> Rewritten {
    let all = tokens(&source.text);
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    let mut calls = BTreeSet::new();
    let mut definitions = BTreeSet::new();
    let line = |at: usize| source.text[..at].matches('\n').count() + 1;
    for (number, knob) in moved.iter().filter(|(_, knob)| knob.path == source.path) {
        let Constant { keyword, equals, semicolon, ref name, .. } = knob.constant;
        let mut replace = |token: &Token, text: String| edits.push((token.start, token.end, text));
        replace(&all[keyword], "fn".to_owned());
        replace(&all[keyword + 1], format!("{name}()"));
        replace(&all[keyword + 2], " ->".to_owned());
        replace(&all[equals], format!("{{ ::raceline_knob::moved({number},"));
        replace(&all[semicolon], ") }".to_owned());
        definitions.insert(keyword + 1);
        calls.insert((line(all[keyword].start), name.clone()));
    }
    let names = Names::of(source, &all, moved);
    for (index, token) in all.iter().enumerate() {
        if token.kind == Kind::Word && !definitions.contains(&index) && names.is_use(&all, index) {
            edits.push((token.start, token.end, format!("{}()", token.text)));
            calls.insert((line(token.start), token.text.to_owned()));
        }
    }
    // A name in a format string can't become a call; an error of its lines leaves the constant as it was.
    for literal in all.iter().filter(|token| token.kind == Kind::Literal && token.text.contains('{')) {
        for name in names.by_module.iter().filter(|name| is_captured(literal.text, name)) {
            calls.extend((line(literal.start)..=line(literal.end)).map(|line| (line, (*name).to_owned())));
        }
    }
    edits.sort();
    let mut text = String::with_capacity(source.text.len() + 64 * edits.len());
    let mut at = 0;
    for (start, end, replacement) in edits {
        text.push_str(&source.text[at..start]);
        text.push_str(&replacement);
        at = end;
    }
    text.push_str(&source.text[at..]);
    Rewritten { text, calls }
}

/// Whether a format string prints the name, as in `{NAME}` or `{NAME:.3}`.
fn is_captured(literal: &str, name: &str) -> bool {
    [format!("{{{name}}}"), format!("{{{name}:")].iter().any(|place| literal.contains(place.as_str()))
}

/// The names of knobs that a file can use.
struct Names<'a> {
    /// By the name alone.
    bare: BTreeSet<&'a str>,
    /// Behind a path of modules.
    by_module: BTreeSet<&'a str>,
    /// Behind a type.
    by_type: BTreeSet<&'a str>,
    /// Tokens inside of `use …;`.
    imports: Vec<std::ops::Range<usize>>,
}

impl<'a> Names<'a> {
    fn of(source: &Source, all: &[Token], moved: &[(usize, &'a Knob)]) -> Self {
        let imports = imports(all);
        let imported: BTreeSet<&str> = imports.iter().flat_map(|range| &all[range.clone()]).map(|t| t.text).collect();
        let has_glob = imports.iter().any(|range| all[range.clone()].iter().any(|token| token.is("*")));
        let mut names = Self { bare: BTreeSet::new(), by_module: BTreeSet::new(), by_type: BTreeSet::new(), imports };
        for (_, knob) in moved {
            let name = knob.constant.name.as_str();
            if knob.constant.place == Place::Associated {
                names.by_type.insert(name);
                continue;
            }
            names.by_module.insert(name);
            let comes_with_glob =
                has_glob && package(&knob.path) == package(&source.path) && is_parent(&knob.path, &source.path);
            if knob.path == source.path || imported.contains(name) || comes_with_glob {
                names.bare.insert(name);
            }
        }
        names
    }

    /// Whether the word at `index` is the use of a knob.
    fn is_use(&self, all: &[Token], index: usize) -> bool {
        let name = all[index].text;
        if self.imports.iter().any(|range| range.contains(&index)) {
            return false;
        }
        let before = |back: usize| index.checked_sub(back).map(|at| &all[at]);
        // A field, a method, the name of another item, or a parameter of a generic.
        if before(1).is_some_and(|token| token.is(".") && !before(2).is_some_and(|token| token.is("."))) {
            return false;
        }
        if before(1).is_some_and(|token| token.is("const") || token.is("static") || token.is("struct")) {
            return false;
        }
        let is_path = before(1).is_some_and(|token| token.is(":")) && before(2).is_some_and(|token| token.is(":"));
        if !is_path {
            return self.bare.contains(name);
        }
        match before(3) {
            Some(owner) if is_of_the_language(owner.text) => false,
            Some(owner) if owner.text.starts_with(|c: char| c.is_ascii_uppercase()) || owner.is(">") => {
                self.by_type.contains(name)
            }
            _ => self.by_module.contains(name),
        }
    }
}

/// Types and modules of the standard library whose constants have names such as `MAX`.
fn is_of_the_language(owner: &str) -> bool {
    let modules = ["consts", "char", "bool", "str", "Duration", "Ordering", "MAIN_SEPARATOR"];
    can_be_moved(owner) || modules.contains(&owner)
}

/// The ranges of the tokens of `use …;`.
fn imports(all: &[Token]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for (index, token) in all.iter().enumerate() {
        // `impl Trait + use<'a>` is no import.
        if token.is("use") && !all.get(index + 1).is_some_and(|next| next.is("<")) {
            let length = all[index..].iter().take_while(|token| !token.is(";")).count();
            found.push(index..index + length);
        }
    }
    found
}

/// The folder of the package that owns a file.
pub fn package(path: &str) -> &str {
    path.split_once("/src/").map_or("", |(folder, _)| folder)
}

/// Whether the module of the first file is the parent of that of the second.
fn is_parent(parent: &str, child: &str) -> bool {
    let Some(folder) = child.strip_suffix("/mod.rs").or_else(|| child.strip_suffix(".rs")) else { return false };
    let above = folder.rsplit_once('/').map_or("", |(above, _)| above);
    [format!("{above}.rs"), format!("{above}/mod.rs"), format!("{above}/lib.rs")].iter().any(|path| path == parent)
}

#[cfg(test)]
mod tests {
    use super::{Left, Source, knobs, rewrite};

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned(), owns_knobs: true }
    }

    /// The files rewritten, all knobs moved but those that are left.
    fn rewritten(files: &[(&str, &str)], left: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> = files.iter().map(|(path, text)| source(path, text)).collect();
        let left: Left =
            left.iter().map(|(path, name)| (((*path).to_owned(), (*name).to_owned()), String::new())).collect();
        rewrite(&sources, &knobs(&sources), &left).into_iter().map(|rewritten| rewritten.text).collect()
    }

    #[test]
    fn a_constant_becomes_a_function_and_its_uses_calls() {
        let text = "/// Reach.\npub const REACH: f64 = 2.0;\nconst TWICE: f64 = 2.0 * REACH;\nfn f(x: f64) -> f64 { x.max(TWICE) }\n";
        let expected = "/// Reach.\npub fn REACH() -> f64 { ::raceline_knob::moved(0, 2.0) }\n\
                        fn TWICE() -> f64 { ::raceline_knob::moved(1, 2.0 * REACH()) }\nfn f(x: f64) -> f64 { x.max(TWICE()) }\n";
        assert_eq!(rewritten(&[("a/src/lib.rs", text)], &[]), [expected]);
    }

    #[test]
    fn a_constant_that_is_left_stays_with_its_uses() {
        let text = "const ROWS: usize = 2;\nconst STEP: f64 = 0.5;\nfn f() -> [f64; ROWS] { [STEP; ROWS] }\n";
        let expected = "const ROWS: usize = 2;\nfn STEP() -> f64 { ::raceline_knob::moved(1, 0.5) }\n\
                        fn f() -> [f64; ROWS] { [STEP(); ROWS] }\n";
        assert_eq!(rewritten(&[("a/src/lib.rs", text)], &[("a/src/lib.rs", "ROWS")]), [expected]);
    }

    #[test]
    fn imports_keep_names_and_paths_are_followed() {
        let files = [
            ("a/src/limits.rs", "pub const MAX: f64 = 1.0;\npub const MIN: f64 = 0.0;\n"),
            (
                "a/src/lib.rs",
                "mod limits;\nuse limits::MIN;\nfn f() -> f64 { f64::MAX.min(limits::MAX) - MIN + std::f64::consts::PI }\n",
            ),
        ];
        assert_eq!(
            rewritten(&files, &[])[1],
            "mod limits;\nuse limits::MIN;\nfn f() -> f64 { f64::MAX.min(limits::MAX()) - MIN() + std::f64::consts::PI }\n"
        );
    }

    #[test]
    fn associated_constants_are_called_behind_their_type() {
        let text = "struct A;\nimpl A { const GAIN: f64 = 2.0; fn f() -> f64 { Self::GAIN } }\n";
        assert_eq!(
            rewritten(&[("a/src/lib.rs", text)], &[]),
            [
                "struct A;\nimpl A { fn GAIN() -> f64 { ::raceline_knob::moved(0, 2.0) } fn f() -> f64 { Self::GAIN() } }\n"
            ]
        );
    }

    #[test]
    fn names_of_other_files_are_not_touched() {
        let files = [
            ("a/src/one.rs", "const STEP: f64 = 1.0;\n"),
            ("a/src/two.rs", "/// STEP\nenum Kind { STEP }\nfn f() { let _ = \"STEP\"; g(STEP) }\n"),
        ];
        assert_eq!(rewritten(&files, &[])[1], files[1].1);
    }

    #[test]
    fn a_name_in_a_format_string_is_found_on_each_of_its_lines() {
        let text = "const MAX: usize = 3;\nfn f() -> String {\n    format!(\"at most \\\n        {MAX}\")\n}\n";
        let sources = [source("a/src/lib.rs", text)];
        let rewritten = rewrite(&sources, &knobs(&sources), &Left::new());
        let lines: Vec<usize> = rewritten[0].calls.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 3, 4]);
    }

    #[test]
    fn a_glob_of_the_parent_brings_its_constants() {
        let files = [
            ("a/src/search/mod.rs", "const STEP: f64 = 1.0;\n"),
            ("a/src/search/run.rs", "use super::*;\nfn f() -> f64 { STEP }\n"),
        ];
        assert_eq!(rewritten(&files, &[])[1], "use super::*;\nfn f() -> f64 { STEP() }\n");
    }
}
