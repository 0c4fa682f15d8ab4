//! The rules that matter of the container and the Debian package, because neither can be built
//! everywhere that the tests run.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

const DOCKERFILE: &str = include_str!("../../Dockerfile");
const IGNORED: &str = include_str!("../../.dockerignore");
const MANIFEST: &str = include_str!("../../crates/cli/Cargo.toml");
const WORKSPACE: &str = include_str!("../../Cargo.toml");
const FILES: &str = include_str!("../../packaging/files");
const CHECK: &str = include_str!("../../packaging/check_deb");

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
