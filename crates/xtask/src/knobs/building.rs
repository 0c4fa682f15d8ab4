//! A copy of the repository whose constants can be moved, built once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use super::rewriting::{Knob, Left, Rewritten, Source, package, rewrite};

/// Packages whose constants decide a line, a path, a drive or a fit, by their folders; `src` is the facade.
const PACKAGES: [&str; 11] = [
    "src",
    "crates/calibrate",
    "crates/car",
    "crates/follower",
    "crates/grid",
    "crates/numerics",
    "crates/plan",
    "crates/read",
    "crates/road",
    "crates/solve",
    "crates/vehicle-simulation",
];

/// Packages that no command of the program needs: they are neither rewritten nor built.
const NOT_BUILT: [&str; 6] = [
    "crates/neural-driver",
    "crates/proving-ground",
    "crates/python",
    "crates/road-library",
    "crates/torcs-driver",
    "crates/xtask",
];

/// Largest number of times that the compiler may refuse the copy.
const MAX_ROUNDS: usize = 40;

/// The programs with movable constants.
#[derive(Debug)]
pub struct Build {
    /// `raceline`.
    pub program: PathBuf,
    /// `raceline-knob-scenes`.
    pub scenes: PathBuf,
    /// Top of the copy, in which the program is run.
    pub folder: PathBuf,
    /// Knobs that could not be moved, with the reason.
    pub left: Left,
}

/// Paths of the tracked files.
pub fn tracked(root: &Path) -> anyhow::Result<Vec<String>> {
    let output = Command::new("git").current_dir(root).args(["ls-files", "-z"]).output()?;
    ensure!(output.status.success(), "git ls-files failed");
    let paths = String::from_utf8(output.stdout)?;
    Ok(paths.split_terminator('\0').filter(|path| root.join(path).is_file()).map(str::to_owned).collect())
}

/// The Rust files whose constants or uses are rewritten.
pub fn sources(root: &Path, files: &[String]) -> anyhow::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in files {
        let folder = if path.starts_with("src/") { "src" } else { package(path) };
        let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
        if folder.is_empty() || !path.ends_with(".rs") || is_test || NOT_BUILT.contains(&folder) {
            continue;
        }
        let text = fs::read_to_string(root.join(path)).with_context(|| path.clone())?;
        sources.push(Source { path: path.clone(), text, owns_knobs: PACKAGES.contains(&folder) });
    }
    Ok(sources)
}

/// Copies the repository to `work/source`, rewrites it and builds the program.
///
/// What the compiler refuses is left as it was, until it accepts the copy; `left` is what it has refused before.
pub fn build(root: &Path, work: &Path, sources: &[Source], knobs: &[Knob], mut left: Left) -> anyhow::Result<Build> {
    let folder = work.join("source");
    for path in tracked(root)? {
        if !sources.iter().any(|source| source.path == path) {
            let content = fs::read(root.join(&path))?;
            write_changed(&folder.join(&path), &with_dependency(&path, content))?;
        }
    }
    write_changed(&folder.join("crates/knob/Cargo.toml"), KNOB_MANIFEST.as_bytes())?;
    let library = include_str!("movable.rs")
        .replace("const KNOBS: usize = 1;", &format!("const KNOBS: usize = {};", knobs.len()));
    write_changed(&folder.join("crates/knob/src/lib.rs"), library.as_bytes())?;
    let scenes = format!("{}\n{SCENES_MAIN}", fs::read_to_string(root.join(SCENES)).context(SCENES)?);
    write_changed(&folder.join("crates/knob-scenes/Cargo.toml"), SCENES_MANIFEST.as_bytes())?;
    write_changed(&folder.join("crates/knob-scenes/src/main.rs"), scenes.as_bytes())?;
    for round in 1..=MAX_ROUNDS {
        let rewritten = rewrite(sources, knobs, &left);
        for (source, rewritten) in sources.iter().zip(&rewritten) {
            write_changed(&folder.join(&source.path), rewritten.text.as_bytes())?;
        }
        let errors = compile(&folder, work)?;
        if errors.is_empty() {
            let programs = work.join("build/release");
            let (program, scenes) = (programs.join("raceline"), programs.join("raceline-knob-scenes"));
            return Ok(Build { program, scenes, folder, left });
        }
        let refused = refused(&errors, sources, &rewritten, knobs, &left);
        eprintln!("round {round}: the compiler refuses {} constants", refused.len());
        if refused.is_empty() {
            let texts: Vec<&str> = errors.iter().filter_map(|error| error["rendered"].as_str()).collect();
            bail!("the copy in {} does not compile:\n{}", folder.display(), texts.join("\n"));
        }
        left.extend(refused);
    }
    bail!("the compiler refused the copy {MAX_ROUNDS} times")
}

const KNOB_MANIFEST: &str = "[package]\nname = \"raceline-knob\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

/// Drives with what no command of the program has.
const SCENES: &str = "crates/follower/tests/suite/scenes.rs";

const SCENES_MAIN: &str = "fn main() {\n    let scene = std::env::args().nth(1).expect(\"the name of a scene\");\n    \
    println!(\"\\\"driven_m\\\": {}\", driven_m(&scene));\n}\n";

const SCENES_MANIFEST: &str = "[package]\nname = \"raceline-knob-scenes\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
    [dependencies]\nraceline-follower = { path = \"../follower\", features = [\"behaviours\"] }\n";

/// The file, and a manifest with the package of the knobs added.
fn with_dependency(path: &str, content: Vec<u8>) -> Vec<u8> {
    let folder = path.strip_suffix("Cargo.toml").map(|folder| folder.trim_end_matches('/'));
    let Some(folder) = folder.filter(|folder| folder.is_empty() || folder.starts_with("crates/")) else {
        return content;
    };
    let knob = if folder.is_empty() { "crates/knob" } else { "../knob" };
    let dependency = format!("\n[dependencies.raceline-knob]\npath = \"{knob}\"\n");
    [content, dependency.into_bytes()].concat()
}

/// Writes a file unless it is so already: what is unchanged is not compiled again.
fn write_changed(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|present| present == content) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, content).with_context(|| path.display().to_string())
}

/// The errors of the compiler, as its JSON.
fn compile(folder: &Path, work: &Path) -> anyhow::Result<Vec<Value>> {
    let output = Command::new("cargo")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", work.join("build"))
        .env("RUSTFLAGS", "--cap-lints allow")
        .args(["build", "--release", "--offline", "--keep-going", "--message-format=json"])
        .args(["--package", "raceline-cli", "--package", "raceline-knob-scenes"])
        .output()?;
    let messages = String::from_utf8(output.stdout)?;
    let errors: Vec<Value> = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| line["reason"] == "compiler-message" && line["message"]["level"] == "error")
        .map(|line| line["message"].clone())
        .filter(|error| error["spans"].as_array().is_some_and(|spans| !spans.is_empty()))
        .collect();
    ensure!(
        output.status.success() || !errors.is_empty(),
        "cargo failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(errors)
}

/// The knobs to which the errors point, with the reasons.
fn refused(errors: &[Value], sources: &[Source], rewritten: &[Rewritten], knobs: &[Knob], left: &Left) -> Left {
    let calls: BTreeMap<&str, &BTreeSet<(usize, String)>> =
        sources.iter().zip(rewritten).map(|(source, rewritten)| (source.path.as_str(), &rewritten.calls)).collect();
    let mut refused = Left::new();
    for error in errors {
        let spans = error["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
        for span in spans.iter().filter(|span| span["is_primary"] == true) {
            let path = span["file_name"].as_str().unwrap_or_default();
            let number = |key: &str| span[key].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0);
            let lines = number("line_start")..=number("line_end");
            let Some(calls) = calls.get(path) else { continue };
            for (_, name) in calls.iter().filter(|(line, _)| lines.contains(line)) {
                for key in meant(path, name, knobs, left) {
                    refused.entry(key).or_insert_with(|| reason(error));
                }
            }
        }
    }
    refused
}

/// The knobs that a name in a file can mean: those of the file itself, else all of that name.
fn meant(path: &str, name: &str, knobs: &[Knob], left: &Left) -> Vec<(String, String)> {
    let named =
        || knobs.iter().filter(|knob| knob.constant.name == name).map(Knob::key).filter(|key| !left.contains_key(key));
    let own: Vec<_> = named().filter(|(file, _)| file == path).collect();
    if own.is_empty() { named().collect() } else { own }
}

/// The reason in words, for the codes that are usual.
fn reason(error: &Value) -> String {
    match error["code"]["code"].as_str().unwrap_or_default() {
        "E0015" | "E0658" | "E0435" | "E0401" => {
            "needed while compiling: the length of an array or another constant".to_owned()
        }
        "E0532" | "E0164" | "E0586" | "E0408" => "a pattern of a match".to_owned(),
        "E0515" | "E0716" | "E0597" => "borrowed for the whole run".to_owned(),
        "E0277" => "printed by a format string, or used as a value of a trait".to_owned(),
        "E0407" | "E0046" | "E0323" => "the constant of a trait".to_owned(),
        code => format!(
            "{}{}{code}",
            error["message"].as_str().unwrap_or_default(),
            if code.is_empty() { "" } else { ", " }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rewriting::{Left, Source, knobs, rewrite};
    use super::{refused, with_dependency};

    #[test]
    fn an_error_leaves_the_constant_of_its_line() {
        let text = "const ROWS: usize = 2;\nconst STEP: f64 = 1.0;\nfn f() -> [f64; ROWS] {\n    [STEP; 2]\n}\n";
        let sources = [Source { path: "src/lib.rs".to_owned(), text: text.to_owned(), owns_knobs: true }];
        let knobs = knobs(&sources);
        let rewritten = rewrite(&sources, &knobs, &Left::new());
        let error = serde_json::json!({
            "code": {"code": "E0015"},
            "spans": [{"is_primary": true, "file_name": "src/lib.rs", "line_start": 3, "line_end": 3}],
        });
        let left = refused(&[error], &sources, &rewritten, &knobs, &Left::new());
        let names: Vec<_> = left.keys().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["ROWS"]);
        assert!(left.values().all(|reason| reason.starts_with("needed while compiling")));
    }

    #[test]
    fn manifests_of_packages_depend_on_the_knobs() {
        let added = |path: &str| String::from_utf8_lossy(&with_dependency(path, b"[lib]\n".to_vec())).into_owned();
        assert!(added("Cargo.toml").ends_with("path = \"crates/knob\"\n"));
        assert!(added("crates/car/Cargo.toml").ends_with("path = \"../knob\"\n"));
        assert_eq!(added("fuzz/Cargo.toml"), "[lib]\n");
    }
}
