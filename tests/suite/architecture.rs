//! The architecture: no package depends on one above it, no room of `src` imports one above it, and no
//! modules import one another in a ring.
//!
//! `docs/architecture.md` explains packages and rooms and lists them as here.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod imports;
mod references;

use std::fs;
use std::path::{Path, PathBuf};

use crate::file_tree::files_below;
use imports::Imports;
use references::references;

/// The packages by level from the bottom up. A package depends on packages of the levels below it, and on
/// those before it in its own level.
const LEVELS: [&[&str]; 7] = [
    &["raceline-numerics", "raceline-file", "raceline-grid"],
    &["raceline-road", "raceline-car"],
    &[
        "raceline-solve",
        "raceline-read",
        "raceline-laps",
        "raceline-plan",
        "raceline-vehicle-simulation",
        "raceline-verify",
        "raceline-tactics",
        "raceline-tune",
        "raceline-follower",
    ],
    &["raceline"],
    &["raceline-render", "raceline-editor", "raceline-calibrate", "raceline-generate"],
    &["raceline-cli"],
    &[
        "raceline-python",
        "raceline-torcs",
        "raceline-proving-ground",
        "raceline-neural-driver",
        "raceline-road-library",
        "raceline-web",
        "raceline-web-later",
        "xtask",
    ],
];

/// The rooms of `src` from bottom to top. A room may import those before it.
const ROOMS: [&str; 12] = [
    "units",
    "options",
    "file",
    "analysis",
    "pipeline",
    "formats",
    "sweep",
    "set_up",
    "stint",
    "drive",
    "confidence",
    "batch",
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Every package of the workspace with the packages of the workspace that it is built from.
fn packages() -> Vec<(String, Vec<String>)> {
    let mut folders = vec![root().to_owned()];
    folders.extend(fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()));
    let package = |folder: &Path| {
        let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap().to_owned();
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        let ours = dependencies.into_iter().flat_map(toml::Table::keys).filter(|name| name.starts_with("raceline"));
        Some((name, ours.cloned().collect()))
    };
    folders.iter().filter_map(|folder| package(folder)).collect()
}

#[test]
fn a_package_depends_on_those_below_it() {
    let order: Vec<&str> = LEVELS.concat();
    let place = |name: &str| order.iter().position(|other| *other == name);
    for (name, dependencies) in packages() {
        let own = place(&name).unwrap_or_else(|| panic!("{name} is not in the list of levels"));
        for dependency in dependencies {
            let below = place(&dependency).is_some_and(|place| place < own);
            assert!(below, "{name} depends on {dependency}, which is not below it");
        }
    }
}

/// Both are workspaces of their own, so that a new dependency of the follower does not reach their lock files.
#[test]
fn the_lock_files_of_the_examples_for_engines_have_what_our_packages_need() {
    for engine in ["bevy", "godot"] {
        let lock = fs::read_to_string(root().join("examples").join(engine).join("Cargo.lock")).unwrap();
        let lock: toml::Table = lock.parse().unwrap();
        let locked = lock["package"].as_array().unwrap();
        for package in locked.iter().filter(|package| package["name"].as_str().unwrap().starts_with("raceline-")) {
            let Some(folder) = package["name"].as_str().unwrap().strip_prefix("raceline-") else { continue };
            let manifest = fs::read_to_string(root().join("crates").join(folder).join("Cargo.toml"));
            // The package of the example itself is not one of ours.
            let Ok(manifest) = manifest else { continue };
            let manifest: toml::Table = manifest.parse().unwrap();
            let is_optional =
                |value: &toml::Value| value.get("optional").is_some_and(|optional| optional == &true.into());
            let needed = manifest["dependencies"].as_table().unwrap();
            let listed = package.get("dependencies").and_then(toml::Value::as_array).cloned().unwrap_or_default();
            for (name, _) in needed.iter().filter(|(_, value)| !is_optional(value)) {
                let is_listed = listed.iter().any(|entry| entry.as_str().unwrap().split(' ').next() == Some(name));
                assert!(
                    is_listed,
                    "examples/{engine}/Cargo.lock: {folder} lacks {name}; run cargo update --workspace there"
                );
            }
        }
    }
}

#[test]
fn no_room_imports_one_above_it() {
    let imports = Imports::of_folder(&root().join("src"), "src");
    let mut rooms = ROOMS.map(str::to_owned).to_vec();
    rooms.sort();
    assert_eq!(imports.top.iter().cloned().collect::<Vec<_>>(), rooms, "the rooms of src");
    let upward = imports.upward(&ROOMS);
    assert!(upward.is_empty(), "\n{}", upward.join("\n"));
}

#[test]
fn no_modules_import_one_another_in_a_ring() {
    let mut crates: Vec<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| format!("crates/{}/src", entry.unwrap().file_name().into_string().unwrap()))
        .filter(|folder| root().join(folder).is_dir())
        .collect();
    crates.push("src".to_owned());
    crates.sort();
    let rings: Vec<String> =
        crates.iter().flat_map(|folder| Imports::of_folder(&root().join(folder), folder).rings()).collect();
    assert!(rings.is_empty(), "\n{}", rings.join("\n"));
}

#[test]
fn the_document_lists_the_same_packages_and_rooms() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let section = |title: &str| -> Vec<String> {
        let (_, rest) = text.split_once(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("no section {title}"));
        let rows = rest.split("\n## ").next().unwrap().lines().filter(|line| line.starts_with("| "));
        // The first two rows are the head of the table.
        rows.skip(1).filter_map(|row| row.split('`').nth(1)).map(str::to_owned).collect()
    };
    assert_eq!(section("Packages"), LEVELS.concat());
    assert_eq!(section("Rooms of the facade"), ROOMS);
}

// ---- The invariants of the document

/// The Rust files of a folder with their code, without comments that are lines of their own and without
/// tests.
fn sources(folder: &str) -> Vec<(String, String)> {
    let files = files_below(&root().join(folder), &["rs"]).into_iter();
    let product = files.filter(|path| path.file_stem().unwrap() != "tests");
    let code_of = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        (path.strip_prefix(root()).unwrap().to_string_lossy().into_owned(), code)
    };
    product.map(code_of).collect()
}

/// The folders of sources of the packages that are published.
fn published() -> Vec<String> {
    let not = LEVELS[6];
    let mut folders = vec!["src".to_owned()];
    for name in LEVELS.concat() {
        if name != "raceline" && !not.contains(&name) {
            folders.push(format!("crates/{}/src", name.trim_start_matches("raceline-")));
        }
    }
    folders
}

/// `clippy.toml` lists the functions whose last bits depend on the platform; a package that allows them makes lines
/// of its own there.
#[test]
fn clippy_holds_every_library_to_functions_that_are_the_same_everywhere() {
    let held = "#![cfg_attr(not(test), warn(clippy::disallowed_methods))]";
    for folder in published().iter().filter(|folder| *folder != "crates/cli/src") {
        let face = fs::read_to_string(root().join(folder).join("lib.rs")).unwrap();
        assert!(face.contains(held), "{folder}/lib.rs lacks {held}");
    }
}

/// Fails where a published package uses one of `calls`, except the files `but`; the command line counts only
/// with `cli`.
fn nobody_uses(calls: &[&str], but: &[&str], cli: bool) {
    for folder in published().iter().filter(|folder| cli || *folder != "crates/cli/src") {
        for (file, code) in sources(folder).iter().filter(|(file, _)| !but.contains(&file.as_str())) {
            let used = calls.iter().find(|call| code.contains(*call));
            assert!(used.is_none(), "{file} uses {}", used.unwrap());
        }
    }
}

#[test]
fn files_alone_opens_input_files() {
    // What the system reports of the machine, and the folder whose file was replaced.
    let others = ["crates/file/src/files.rs", "crates/cli/src/memory.rs", "crates/cli/src/output.rs"];
    let calls = ["fs::read(", "fs::read_to_string(", "File::open(", "File::options("];
    let calls: Vec<String> = calls.iter().flat_map(|call| [format!(" {call}"), format!("std::{call}")]).collect();
    nobody_uses(&calls.iter().map(String::as_str).collect::<Vec<_>>(), &others, true);
}

#[test]
fn a_method_knows_no_other() {
    // The methods of `raceline-solve`, with those from whose lines they start.
    let methods: [(&str, &[&str]); 7] = [
        ("shortest_path", &[]),
        ("min_curvature", &["shortest_path"]),
        ("relaxation", &[]),
        ("sampled", &[]),
        ("blend", &[]),
        ("time_optimal", &[]),
        ("car", &["time_optimal"]),
    ];
    for (method, may) in methods {
        let of_method = |file: &str| {
            file.starts_with(&format!("crates/solve/src/{method}/"))
                || file == format!("crates/solve/src/{method}.rs")
                || file == format!("crates/solve/src/search/methods/{method}.rs")
        };
        for (file, code) in sources("crates/solve/src").into_iter().filter(|(file, _)| of_method(file)) {
            for (other, _) in methods.iter().filter(|(other, _)| *other != method && !may.contains(other)) {
                let imports =
                    [format!("crate::{other}"), format!("super::{other}::"), format!("super::super::{other}")];
                let import = imports.iter().find(|import| code.contains(import.as_str()));
                assert!(import.is_none(), "{file} knows the method {other}: {import:?}");
            }
        }
    }
}

#[test]
fn the_library_prints_nothing() {
    nobody_uses(&["println!(", "print!(", "dbg!("], &[], false);
}

#[test]
fn text_and_bytes_are_written_by_the_program_alone() {
    nobody_uses(&["fs::write(", "File::create("], &[], false);
}

#[test]
fn only_the_server_of_the_page_opens_a_socket() {
    let calls = ["TcpStream", "TcpListener", "UdpSocket", "UnixStream", "UnixListener"];
    nobody_uses(&calls, &["crates/cli/src/page_server/server.rs"], true);
}

#[test]
fn the_tests_of_every_promise_exist() {
    let page = fs::read_to_string(root().join("docs/reference/reliability.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with('|'));
    let named: Vec<&str> =
        rows.flat_map(|row| row.split('`').skip(1).step_by(2)).filter(|name| name.matches('_').count() > 2).collect();
    assert!(named.len() > 15, "{named:?}");
    let folders = ["tests/suite", "crates/file", "crates/verify"];
    let files = folders.iter().flat_map(|folder| files_below(&root().join(folder), &["rs"]));
    let tests: String = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    for name in named {
        assert!(tests.contains(&format!("fn {name}(")), "no test is called {name}");
    }
}

#[test]
fn no_output_knows_the_time() {
    // A batch reports how long its tasks took, and writes it nowhere.
    nobody_uses(&["SystemTime", "Instant::now"], &["src/batch/run.rs"], false);
}

/// The items that a face owns: all but modules and imports, each by its first line.
fn owned(code: &str) -> Vec<&str> {
    let begins_item = |line: &&str| {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '!');
        let mut words = words.skip_while(|word| matches!(*word, "pub" | "crate" | "super" | "unsafe" | "async" | ""));
        line.starts_with(char::is_alphabetic)
            && words.next().is_some_and(|word| {
                let items =
                    ["fn", "struct", "enum", "trait", "impl", "const", "static", "type", "union", "macro_rules!"];
                items.contains(&word)
            })
    };
    let product = code.split("#[cfg(test)]").next().unwrap();
    product.lines().filter(begins_item).collect()
}

#[test]
fn a_face_re_exports_and_owns_nothing() {
    let files = published().into_iter().flat_map(|folder| files_below(&root().join(folder), &["rs"]));
    let faces = files.filter(|path| path.ends_with("mod.rs") || path.ends_with("lib.rs"));
    let mut count = 0;
    for path in faces {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let owned = owned(&text);
        assert!(owned.is_empty(), "{name} owns `{}`: move it to a file with a name", owned[0]);
        count += 1;
    }
    assert!(count > 50, "{count} faces");
}

#[test]
fn what_a_face_owns_is_found() {
    let face = "//! Text.\n\n#[cfg(x)]\nmod a;\npub mod b;\n\npub(crate) use a::A;\npub use b::{\n    B,\n};\n";
    assert!(owned(face).is_empty(), "{:?}", owned(face));
    let tests = "#[cfg(test)]\nmod tests {\n    fn f() {}\n}\n";
    assert!(owned(&format!("{face}\n{tests}")).is_empty());
    for item in ["pub const fn f() {", "pub(crate) struct S;", "impl<T> S<T> {", "type T = u8;", "macro_rules! m {"] {
        assert_eq!(owned(&format!("{face}\n/// A text.\n{item}\n")), [item]);
    }
}

// ---- The check itself, on made-up sources

fn imports(sources: &[(&str, &str)]) -> Imports {
    let sources: Vec<(String, String)> =
        sources.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    Imports::new("src", &sources)
}

/// The paths that a source in the module `a::b` refers to.
fn paths(source: &str) -> Vec<String> {
    let module = ["a", "b"].map(str::to_owned);
    references(source, &module).into_iter().map(|reference| reference.path.join("::")).collect()
}

#[test]
fn imports_and_paths_in_code_count() {
    assert_eq!(paths("use crate::x::{self, y::Z, w as v};"), ["x", "x::y::Z", "x::w"]);
    assert_eq!(paths("pub(crate) use super::c::D;"), ["a::c::D"]);
    assert_eq!(paths("use super::super::x;"), ["x"]);
    assert_eq!(paths("fn f(x: crate::x::Y) { super::c::g(x) }"), ["x::Y", "a::c::g"]);
    assert_eq!(paths("println!(\"{}\", crate::x::y());"), ["x::y"]);
    assert_eq!(paths("mod tests { use super::T; use super::super::c; }"), ["a::b::T", "a::c"]);
    assert_eq!(paths("pub(in crate::a) fn f() -> impl Fn() + use<> { self.g() }"), ["a"]);
}

#[test]
fn a_with_string_in_an_attribute_counts() {
    let source = "struct S { #[serde(default, with = \"crate::x::y\")] z: f64 }";
    assert_eq!(paths(source), ["x::y"]);
    assert_eq!(paths("#[serde(serialize_with = \"super::c::f\")] struct S;"), ["a::c::f"]);
}

#[test]
fn comments_links_other_strings_and_macros_do_not_count() {
    assert!(paths("// use crate::x;\n/* crate::x::y */ fn f() {}").is_empty());
    assert!(paths("/// See [`Y`](crate::x::Y).\nfn f() {}").is_empty());
    assert!(paths("const S: &str = \"crate::x::y\"; #[serde(rename = \"crate::x\")] struct T;").is_empty());
    assert!(paths("macro_rules! m { () => { $crate::x::y() } }").is_empty());
}

#[test]
fn an_upward_import_is_reported_with_its_place() {
    let crate_of = |text| imports(&[("low.rs", text), ("high/mod.rs", ""), ("high/part.rs", "use crate::low::L;")]);
    assert!(crate_of("").upward(&["low", "high"]).is_empty());
    let found = crate_of("\nuse crate::high::part::P;").upward(&["low", "high"]);
    assert_eq!(found, ["`low` imports `high`, which is above it: src/low.rs:2 (high::part::P)"]);
    // Also through a name at the crate's root.
    let root = ("lib.rs", "pub use high::H;");
    let found = imports(&[root, ("low.rs", "use crate::H;"), ("high.rs", "pub struct H;")]).upward(&["low", "high"]);
    assert_eq!(found, ["`low` imports `high`, which is above it: src/low.rs:1 (H)"]);
    // A room that the list lacks is above all.
    assert_eq!(imports(&[("low.rs", "use crate::new::N;"), ("new.rs", "")]).upward(&["low"]).len(), 1);
}

#[test]
fn a_ring_is_reported_with_its_places() {
    let crate_of = |c| {
        imports(&[
            ("a/mod.rs", "mod b; mod c; mod d; use b::B;"),
            ("a/b.rs", "use super::c::C; use super::A;"),
            ("a/c/mod.rs", c),
            ("a/c/inner.rs", "use super::C;"),
            ("a/d.rs", "use super::b::B;"),
        ])
    };
    assert!(crate_of("use super::A;").rings().is_empty(), "a parent and its children are no ring");
    assert_eq!(
        crate_of("fn f() { crate::a::d::g() }").rings(),
        ["ring in src/a:\n    \
          `b` imports `c`: src/a/b.rs:1 (a::c::C)\n    \
          `c` imports `d`: src/a/c/mod.rs:1 (a::d::g)\n    \
          `d` imports `b`: src/a/d.rs:1 (a::b::B)"]
    );
    // Also through a name that the parent re-exports.
    assert_eq!(crate_of("use super::B;").rings().len(), 1);
}
