//! What each dependency that a `Cargo.toml` names may do, from `cargo metadata` and the packages' sources, as a
//! table in `docs/reference/dependencies.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

const PAGE: &str = "docs/reference/dependencies.md";
const BEGIN: &str = "<!-- written by `cargo run -p xtask -- dependencies` -->\n";
const END: &str = "<!-- end of what is written -->\n";

/// Types whose names in a source mean that the package can open a connection.
const SOCKETS: [&str; 5] = ["TcpStream", "TcpListener", "UdpSocket", "UnixStream", "UnixListener"];

/// What a package may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Powers {
    build_script: bool,
    procedural_macro: bool,
    native: Option<String>,
    unsafe_words: usize,
    sockets: bool,
    /// Owner of the repository at its host, for instance an organisation.
    owner: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the table, or compares it with the one that is committed.
pub fn run(check: bool) -> anyhow::Result<()> {
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path).with_context(|| PAGE.to_owned())?;
    let (before, rest) = page.split_once(BEGIN).with_context(|| format!("{PAGE} lacks the line {BEGIN}"))?;
    let (old, after) = rest.split_once(END).with_context(|| format!("{PAGE} lacks the line {END}"))?;
    let new = format!("\n{}\n", table()?);
    if check {
        ensure!(old == new, "{PAGE} is not up to date: run `cargo run -p xtask -- dependencies` and commit the table");
    } else {
        fs::write(&path, format!("{before}{BEGIN}{new}{END}{after}")).with_context(|| PAGE.to_owned())?;
    }
    Ok(())
}

fn table() -> anyhow::Result<String> {
    let metadata = metadata()?;
    let packages: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).filter_map(|package| Some((package["id"].as_str()?, package))).collect();
    let members: BTreeSet<&str> = list(&metadata["workspace_members"]).filter_map(Value::as_str).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).filter_map(|node| Some((node["id"].as_str()?, node))).collect();
    let mut direct = BTreeMap::new();
    for member in &members {
        for dependency in list(&nodes[member]["deps"]) {
            let id = dependency["pkg"].as_str().unwrap_or_default();
            if !members.contains(id) {
                let package = packages[id];
                direct.insert(text(&package["name"]), powers(package)?);
            }
        }
    }
    let mut rows = String::from(
        "| Package | Build script | Macro | Native code | `unsafe` | Sockets | Repository of |\n|---|---|---|---|---|---|---|\n",
    );
    for (name, powers) in &direct {
        let yes = |value: bool| if value { "yes" } else { "" };
        let unsafe_words = if powers.unsafe_words == 0 { String::new() } else { powers.unsafe_words.to_string() };
        rows += &format!(
            "| {name} | {} | {} | {} | {unsafe_words} | {} | {} |\n",
            yes(powers.build_script),
            yes(powers.procedural_macro),
            powers.native.as_deref().unwrap_or(""),
            yes(powers.sockets),
            powers.owner
        );
    }
    Ok(rows + "\n" + &summary(&packages, &nodes, &members)?)
}

/// What all packages of the program may do, those that come with others included.
fn summary(
    packages: &BTreeMap<&str, &Value>,
    nodes: &BTreeMap<&str, &Value>,
    members: &BTreeSet<&str>,
) -> anyhow::Result<String> {
    let program = members.iter().find(|id| packages[*id]["name"] == "raceline-cli").context("no raceline-cli")?;
    let (mut found, mut open) = (BTreeSet::new(), vec![*program]);
    while let Some(id) = open.pop() {
        if found.insert(id) {
            let runs = |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"] != "dev");
            open.extend(list(&nodes[id]["deps"]).filter(runs).filter_map(|dependency| dependency["pkg"].as_str()));
        }
    }
    let all: Vec<(String, Powers)> = found
        .difference(members)
        .map(|id| Ok((text(&packages[id]["name"]), powers(packages[id])?)))
        .collect::<anyhow::Result<_>>()?;
    let those = |fits: fn(&Powers) -> bool| {
        let names: BTreeSet<&str> =
            all.iter().filter(|(_, powers)| fits(powers)).map(|(name, _)| name.as_str()).collect();
        format!("{} ({})", names.len(), names.into_iter().collect::<Vec<_>>().join(", "))
    };
    let lines = [
        format!("Of the {} packages that the program is built from on Linux:\n", all.len()),
        format!("- with a build script: {};", those(|powers| powers.build_script)),
        format!("- procedural macros: {};", those(|powers| powers.procedural_macro)),
        format!("- with native code: {};", those(|powers| powers.native.is_some())),
        format!("- with sockets in their sources: {};", those(|powers| powers.sockets)),
        format!("- without any `unsafe`: {}.", all.iter().filter(|(_, powers)| powers.unsafe_words == 0).count()),
    ];
    Ok(lines.map(|line| wrapped(&line)).join("\n") + "\n")
}

fn powers(package: &Value) -> anyhow::Result<Powers> {
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    let folder = manifest.parent().context("a manifest without a folder")?;
    let has = |wanted: &str| {
        list(&package["targets"]).any(|target| list(&target["kind"]).any(|kind| kind.as_str() == Some(wanted)))
    };
    let mut powers = Powers {
        build_script: has("custom-build"),
        procedural_macro: has("proc-macro"),
        native: package["links"].as_str().map(str::to_owned),
        owner: owner(package["repository"].as_str().unwrap_or_default()),
        ..Powers::default()
    };
    for target in list(&package["targets"]) {
        if list(&target["kind"]).any(|kind| matches!(kind.as_str(), Some("lib" | "rlib" | "proc-macro"))) {
            let source = PathBuf::from(text(&target["src_path"]));
            let sources = source.parent().unwrap_or(folder);
            count(sources, &mut powers).with_context(|| sources.display().to_string())?;
        }
    }
    Ok(powers)
}

/// Adds what stands in the Rust files of a folder and those below it.
fn count(folder: &Path, powers: &mut Powers) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            count(&path, powers)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            powers.unsafe_words += unsafe_words(&source);
            powers.sockets |= code_words(&source).any(|word| SOCKETS.contains(&word));
        }
    }
    Ok(())
}

/// How often the keyword `unsafe` stands in the code of a source, outside of comments that fill a line.
fn unsafe_words(source: &str) -> usize {
    code_words(source).filter(|&word| word == "unsafe").count()
}

fn code_words(source: &str) -> impl Iterator<Item = &str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// `image-rs` of `https://github.com/image-rs/image`.
fn owner(repository: &str) -> String {
    let path = repository.split_once("://").map_or(repository, |(_, path)| path);
    path.split('/').nth(1).unwrap_or_default().to_owned()
}

/// A paragraph or an item of a list, at most 100 columns wide.
fn wrapped(line: &str) -> String {
    const COLUMNS: usize = 100;
    let indent = if line.starts_with("- ") { "\n  " } else { "\n" };
    let (mut text, mut column) = (String::new(), 0);
    for word in line.split(' ') {
        if column > 0 && column + 1 + word.len() > COLUMNS {
            text += indent;
            column = indent.len() - 1;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.len();
    }
    text
}

fn metadata() -> anyhow::Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // Of one platform, so that the table is the same on every machine.
    let arguments = ["metadata", "--locked", "--format-version", "1", "--filter-platform", "x86_64-unknown-linux-gnu"];
    let output = Command::new(cargo).args(arguments).current_dir(root()).output()?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{owner, unsafe_words, wrapped};

    #[test]
    fn a_keyword_counts_and_a_comment_or_a_lint_does_not() {
        let source = "#![forbid(unsafe_code)]\n// unsafe { }\nunsafe fn f() {\n    unsafe { g() }\n}\n";
        assert_eq!(unsafe_words(source), 2);
    }

    #[test]
    fn a_repository_has_an_owner() {
        assert_eq!(owner("https://github.com/image-rs/image"), "image-rs");
        assert_eq!(owner(""), "");
    }

    #[test]
    fn a_long_item_is_wrapped() {
        let text = wrapped(&format!("- {}", "word ".repeat(40).trim_end()));
        assert!(text.lines().count() == 3 && text.lines().all(|line| line.len() <= 100));
        assert!(text.lines().skip(1).all(|line| line.starts_with("  word")));
    }
}
