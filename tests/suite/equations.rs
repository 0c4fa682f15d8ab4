//! Equations: a number in a module's text stands beside the code that computes it, and a number
//! beside the code stands in the module's text.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::file_tree::files_below;

/// Folders with numbered equations.
const FOLDERS: [&str; 6] = [
    "crates/car/src",
    "crates/follower/src",
    "crates/numerics/src",
    "crates/solve/src",
    "crates/tune/src",
    "crates/verify/src",
];

/// What a file has of equations.
#[derive(Debug, Default, PartialEq)]
struct Equations {
    /// Numbers at the ends of lines of the module's text.
    stated: BTreeSet<usize>,
    /// Numbers in parentheses in other comments.
    mentioned: BTreeSet<usize>,
    /// Numbers after the word *equation*, with the module that follows `of`, and their line from 1.
    cited: Vec<(usize, Option<String>, usize)>,
}

/// A number in parentheses at the start of `text`.
fn number_at(text: &str) -> Option<usize> {
    // A larger one is a year.
    text.strip_prefix('(')?.split_once(')')?.0.parse().ok().filter(|&number| number < 1000)
}

/// All numbers in parentheses in `text`; `(3) to (5)` are three.
fn numbers(text: &str) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut was_range = false;
    for (i, _) in text.match_indices('(') {
        if let Some(number) = number_at(&text[i..]) {
            let first = if was_range { found.last().map_or(number, |last| last + 1) } else { number };
            found.extend(first..=number);
            let after = &text[i..][text[i..].find(')').unwrap() + 1..];
            was_range = after.starts_with(" to (");
        }
    }
    found
}

impl Equations {
    fn of(text: &str) -> Self {
        let mut equations = Self::default();
        let product = text.split("#[cfg(test)]").next().unwrap();
        for (i, line) in product.lines().enumerate() {
            let Some((_, comment)) = line.split_once("//") else { continue };
            if let Some(text) = comment.strip_prefix('!') {
                let number = text.rfind(" (").and_then(|at| number_at(&text[at + 1..]));
                equations.stated.extend(number.filter(|_| text.ends_with(')')));
                continue;
            }
            equations.mentioned.extend(numbers(comment));
            if let Some((_, cited)) = comment.to_lowercase().split_once("equation") {
                let module = cited.split_once(") of `").and_then(|(_, name)| name.split_once('`'));
                let module = module.map(|(name, _)| name.to_owned());
                equations.cited.extend(numbers(cited).into_iter().map(|number| (number, module.clone(), i + 1)));
            }
        }
        equations
    }
}

/// The files of a folder of sources with their equations.
fn equations(folder: &Path) -> Vec<(PathBuf, Equations)> {
    let files = files_below(folder, &["rs"]).into_iter().filter(|path| path.file_stem().unwrap() != "tests");
    files.map(|path| (path.clone(), Equations::of(&fs::read_to_string(path).unwrap()))).collect()
}

/// The folder of the modules inside a module: `a` of `a.rs` and of `a/mod.rs`.
fn inside(file: &Path) -> PathBuf {
    if file.ends_with("mod.rs") || file.ends_with("lib.rs") {
        file.parent().unwrap().to_owned()
    } else {
        file.with_extension("")
    }
}

/// Whether a citation in `from` may mean the text of `module`: that of its own file, of a folder
/// that it is in, or of a module that it names.
fn may_mean(from: &Path, module: &Path, name: Option<&str>) -> bool {
    match name {
        Some(name) => inside(module).file_name().unwrap() == name,
        None => from == module || from.starts_with(inside(module)),
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn an_equation_beside_the_code_stands_in_the_text_of_its_module() {
    let mut missing = Vec::new();
    for folder in FOLDERS {
        let files = equations(&root().join(folder));
        for (path, of_file) in &files {
            for (number, name, line) in &of_file.cited {
                let states = |(module, other): &(PathBuf, Equations)| {
                    may_mean(path, module, name.as_deref()) && other.stated.contains(number)
                };
                if !files.iter().any(states) {
                    missing.push(format!("{}:{line}: no equation ({number})", path.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn an_equation_of_a_module_stands_beside_its_code() {
    let mut missing = Vec::new();
    let mut count = 0;
    for folder in FOLDERS {
        let files = equations(&root().join(folder));
        for (module, of_module) in &files {
            let near = |path: &Path| path == module || path.starts_with(inside(module));
            let mentioned: BTreeSet<usize> = files
                .iter()
                .filter(|(path, _)| near(path))
                .flat_map(|(_, of_file)| of_file.mentioned.clone())
                .collect();
            count += of_module.stated.len();
            let lost = of_module.stated.difference(&mentioned);
            missing.extend(lost.map(|number| format!("{}: ({number}) is nowhere in the code", module.display())));
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
    assert!(count > 150, "{count} equations");
}

#[test]
fn numbers_of_equations_are_read() {
    let text = "//! a = b        (1)\n//! c = d (2)\n//! see (9) there\nlet a = b; // equation (1)\n\
                /// The square, (2).\n// Equations (3) to (5).\n// Equation (7) of `blend`.\n";
    let found = Equations::of(text);
    assert_eq!(found.stated, BTreeSet::from([1, 2]));
    assert_eq!(found.mentioned, BTreeSet::from([1, 2, 3, 4, 5, 7]));
    let none = |number, line| (number, None, line);
    let blend = Some("blend".to_owned());
    assert_eq!(found.cited, [none(1, 4), none(3, 6), none(4, 6), none(5, 6), (7, blend, 7)]);
}
