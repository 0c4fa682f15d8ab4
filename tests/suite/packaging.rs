//! The rules that matter of the container and the Debian package, because neither can be built
//! everywhere that the tests run.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const DOCKERFILE: &str = include_str!("../../Dockerfile");
const IGNORED: &str = include_str!("../../.dockerignore");
const MANIFEST: &str = include_str!("../../crates/cli/Cargo.toml");
const WORKSPACE: &str = include_str!("../../Cargo.toml");
const FILES: &str = include_str!("../../packaging/files");
const CHECK: &str = include_str!("../../packaging/check_deb");

const ACTION: &str = include_str!("../../action.yml");
const HOOKS: &str = include_str!("../../.pre-commit-hooks.yaml");

/// Instruction and argument of each line of a Dockerfile; continued lines are joined.
fn instructions(text: &str) -> Vec<(String, String)> {
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap()).map(|(name, rest)| (name.to_owned(), rest.to_owned())).collect()
}

#[test]
fn the_container_is_built_in_stages_and_runs_without_root() {
    let all = instructions(DOCKERFILE);
    let stages: Vec<usize> = (0..all.len()).filter(|&index| all[index].0 == "FROM").collect();
    assert_eq!(stages.len(), 2, "a stage that builds and one that runs");
    for &stage in &stages {
        let image = all[stage].1.split(' ').next().unwrap();
        let (_, tag) = image.rsplit_once(':').unwrap();
        assert_ne!(tag, "latest", "{image}");
    }
    let last = &all[stages[1]..];
    let of =
        |name: &str| last.iter().filter(|(found, _)| found == name).map(|(_, rest)| rest.as_str()).collect::<Vec<_>>();
    // The image for readers has the binary and its licences, and no package manager runs in it.
    assert!(of("RUN").is_empty() && last[0].1.starts_with("gcr.io/distroless/"), "{last:?}");
    assert!(of("COPY").iter().any(|copy| copy.starts_with("--from=build ") && copy.ends_with("/usr/bin/raceline")));
    assert!(of("COPY").iter().any(|copy| copy.contains("LICENSE-MIT") && copy.contains("LICENSE-APACHE")));
    let user = of("USER");
    assert!(matches!(user.as_slice(), [user] if !user.starts_with("root") && !user.starts_with('0')), "{user:?}");
    // Without a shell, only this form works.
    assert_eq!(of("ENTRYPOINT"), [r#"["/usr/bin/raceline"]"#]);
    let built = &all[..stages[1]];
    assert!(built.iter().any(|(_, rest)| rest.contains("cargo build --release --locked --bin raceline")));
}

#[test]
fn the_container_is_built_by_the_oldest_rust_and_from_the_sources_alone() {
    let version = WORKSPACE.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"');
    assert!(DOCKERFILE.contains(&format!("FROM rust:{version}-slim-")), "the image's Rust is not {version}");
    // The C library must be the one of the build.
    assert!(DOCKERFILE.contains("-bookworm AS build") && DOCKERFILE.contains("/cc-debian12:"));
    let ignored: BTreeSet<&str> = IGNORED.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(ignored.contains("**/target") && ignored.contains(".git"), "{ignored:?}");
    for needed in ["src", "crates", "docs", "benches", "examples", "tests", "Cargo.lock", "README.md"] {
        assert!(!ignored.contains(needed), "{needed} is needed by the build");
    }
}

#[test]
fn the_debian_package_has_what_is_packed_for_it() {
    let manifest: toml::Table = toml::from_str(MANIFEST).unwrap();
    let package = &manifest["package"]["metadata"]["deb"];
    for asset in package["assets"].as_array().unwrap() {
        let [source, target, mode] = [0, 1, 2].map(|index| asset[index].as_str().unwrap());
        assert!(target.starts_with("usr/"), "{target}");
        assert_eq!(mode == "755", target == "usr/bin/", "{source} has the mode {mode}");
        let source = source.trim_start_matches("../../");
        match source.strip_prefix("target/packed/") {
            // Written by one of the scripts: `completions/_raceline` as "$out/completions/_raceline".
            Some("man/*.1") => assert!(FILES.contains("man --quiet \"$out/man\"")),
            Some(packed) => {
                let written =
                    FILES.contains(&format!("\"$out/{packed}\"")) || CHECK.contains(&format!("target/packed/{packed}"));
                assert!(written, "no script writes {source}");
            }
            None if source.starts_with("target/release/") => {}
            None => {
                let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
                assert!(root.join(source).is_file(), "there is no {source}");
            }
        }
    }
    for key in ["maintainer", "copyright", "license-file", "extended-description"] {
        assert!(package.get(key).is_some(), "{key} is missing");
    }
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The script of the action on a folder; `None` where there is no Python.
fn action(folder: &Path, arguments: &[&str]) -> Option<Output> {
    let mut command = Command::new("python3");
    command.arg(root().join("packaging/action/check.py")).arg(".").args(arguments).current_dir(folder);
    command
        .env("RACELINE", assert_cmd::cargo::cargo_bin("raceline"))
        .env("GITHUB_STEP_SUMMARY", folder.join("summary"));
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            println!("skipped: python3: {error}");
            None
        }
    }
}

#[test]
fn the_action_reports_what_the_verifier_finds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let row = |i: i32| {
        let angle = std::f64::consts::TAU * f64::from(i) / 60.0;
        format!("{:.3},{:.3},5,5\n", 60.0 * angle.cos(), 60.0 * angle.sin())
    };
    fs::write(path.join("ring.csv"), (0..60).map(row).collect::<String>()).unwrap();
    let quick = ["--method", "shortest-path"];
    let missing = match action(path, &quick) {
        Some(output) => output,
        None => return,
    };
    let text = String::from_utf8_lossy(&missing.stdout).into_owned();
    assert_eq!(missing.status.code(), Some(1), "{text}");
    assert!(text.starts_with("::error file=./ring.csv,title=raceline::"), "{text}");
    let mut batch = Command::new(assert_cmd::cargo::cargo_bin("raceline"));
    assert!(batch.args(["batch", ".", "-q"]).args(quick).current_dir(path).status().unwrap().success());
    let sound = action(path, &quick).unwrap();
    let text = String::from_utf8_lossy(&sound.stdout).into_owned();
    assert!(sound.status.success() && text == "1 of 1 lines are as they should be\n", "{text}");

    // A line that is within the tolerances and not sound.
    let line = path.join("ring.raceline.json");
    let mut value: Value = serde_json::from_slice(&fs::read(&line).unwrap()).unwrap();
    let left = value["points"][3]["left_m"].as_f64().unwrap();
    value["points"][3]["left_m"] = (left + 0.04).into();
    fs::write(&line, value.to_string()).unwrap();
    let spoilt = action(path, &[&quick[..], &["--explain", "drift"]].concat()).unwrap();
    let text = String::from_utf8_lossy(&spoilt.stdout).into_owned();
    assert_eq!(spoilt.status.code(), Some(1), "{text}");
    assert!(text.contains("::error file=./ring.csv") && text.contains("left-distance"), "{text}");
    assert!(text.contains("the place is drawn in drift/ring.raceline.refused.svg"), "{text}");
    assert!(path.join("drift/ring.raceline.refused.svg").is_file());
    let summary = fs::read_to_string(path.join("summary")).unwrap();
    assert!(summary.contains("| ring | matches |") && summary.contains("| ring | failed |"), "{summary}");
    // Wrong usage is no finding.
    let wrong = action(path, &["--no-such-flag"]).unwrap();
    assert_eq!((wrong.status.code(), wrong.stdout.as_slice()), (Some(2), &b""[..]));
}

#[test]
fn the_action_and_the_hooks_run_what_the_repository_has() {
    let action: Value = serde_saphyr::from_str(ACTION).unwrap();
    assert_eq!(action["runs"]["using"], "composite");
    for step in action["runs"]["steps"].as_array().unwrap() {
        let script = step["run"].as_str().unwrap_or_default();
        // No input is a part of a script, where it could be a command.
        assert!(!script.contains("${{"), "{script}");
        for word in script.split(['"', ' ']).filter_map(|word| word.strip_prefix("$GITHUB_ACTION_PATH/")) {
            assert!(root().join(word).exists(), "{word}");
        }
    }
    let hooks: Value = serde_saphyr::from_str(HOOKS).unwrap();
    for hook in hooks.as_array().unwrap() {
        let mut words = hook["entry"].as_str().unwrap().split(' ');
        assert_eq!(words.next(), Some("raceline"));
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("raceline"));
        assert!(command.args(words).arg("--help").output().unwrap().status.success(), "{hook}");
    }
}
