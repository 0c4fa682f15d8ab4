//! The public interface of the published packages, one item per line, so that a change of it is seen in
//! review.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// The published packages with a library, and the features with which their documentation is built.
const PACKAGES: [(&str, &str); 15] = [
    ("raceline-numerics", ""),
    ("raceline-file", "schema"),
    ("raceline-road", ""),
    ("raceline-car", "serde,schema,toml"),
    ("raceline-solve", "cmaes"),
    ("raceline-read", ""),
    ("raceline-plan", ""),
    ("raceline-laps", ""),
    ("raceline-vehicle-simulation", ""),
    ("raceline-follower", "json"),
    ("raceline-verify", ""),
    ("raceline", "cmaes"),
    ("raceline-render", ""),
    ("raceline-calibrate", ""),
    ("raceline-generate", ""),
];

/// Folder of the listings, from the top of the repository.
const FOLDER: &str = "docs/reference/public-interface";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the listings, or compares them with those that are committed.
pub fn run(check: bool) -> anyhow::Result<()> {
    let folder = root().join(FOLDER);
    fs::create_dir_all(&folder)?;
    let mut differing = Vec::new();
    for (package, features) in PACKAGES {
        let (listing, count) = listing(package, features)?;
        let file = folder.join(format!("{package}.txt"));
        println!("{package}: {count} public items");
        if check {
            if fs::read_to_string(&file).unwrap_or_default() != listing {
                differing.push(package);
            }
        } else {
            fs::write(&file, listing).with_context(|| file.display().to_string())?;
        }
    }
    if !differing.is_empty() {
        bail!(
            "the public interface differs from {FOLDER} for {}: run `cargo run -p xtask -- public-interface` and \
             commit the listings",
            differing.join(", ")
        );
    }
    Ok(())
}

/// The listing of a package and the number of its items.
fn listing(package: &str, features: &str) -> anyhow::Result<(String, usize)> {
    let target = root().join("target/public-interface");
    // The JSON of rustdoc is unstable; the variable lets a stable toolchain write it.
    let status = Command::new("cargo")
        .current_dir(root())
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &target)
        .args(["rustdoc", "--quiet", "--locked", "--lib", "--package", package, "--features", features])
        .args(["--", "-Z", "unstable-options", "--output-format", "json"])
        .status()?;
    ensure!(status.success(), "rustdoc of {package} failed");
    let json = target.join("doc").join(format!("{}.json", package.replace('-', "_")));
    let interface = public_api::Builder::from_rustdoc_json(json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    let lines: Vec<String> = interface.items().map(ToString::to_string).collect();
    Ok((lines.join("\n") + "\n", lines.len()))
}
