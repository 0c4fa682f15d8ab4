//! The public interface of the published packages, one item per line, so that a change of it is seen in
//! review.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// The published packages with a library, and features with which their documentation is built beside those that
/// the rest of the workspace turns on.
const PACKAGES: [(&str, &str); 19] = [
    ("raceline-numerics", ""),
    ("raceline-file", "schema"),
    ("raceline-grid", ""),
    ("raceline-road", ""),
    ("raceline-car", "serde,schema,toml"),
    ("raceline-solve", "cmaes"),
    ("raceline-read", ""),
    ("raceline-plan", ""),
    ("raceline-laps", ""),
    ("raceline-vehicle-simulation", ""),
    ("raceline-tactics", "toml"),
    ("raceline-tune", ""),
    ("raceline-follower", "json,capi"),
    ("raceline-verify", ""),
    ("raceline", "cmaes"),
    ("raceline-render", ""),
    ("raceline-editor", ""),
    ("raceline-calibrate", ""),
    ("raceline-generate", ""),
];

/// Folder of the listings, from the top of the repository.
const FOLDER: &str = "docs/reference/public-interface";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the listings, or compares them with those that are committed. The packages are those of the workspace
/// in `packages`, by default this one.
pub fn run(check: bool, packages: Option<&Path>) -> anyhow::Result<()> {
    let folder = root().join(FOLDER);
    fs::create_dir_all(&folder)?;
    write_json(packages.unwrap_or(&root()))?;
    let mut differing = Vec::new();
    for (package, _) in PACKAGES {
        let (listing, count) = listing(package)?;
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

/// Lets rustdoc write JSON for every package of a workspace, in `target/doc`. What rustdoc would warn of is an error.
fn write_json(workspace: &Path) -> anyhow::Result<()> {
    let target = root().canonicalize()?.join("target");
    fs::create_dir_all(&target)?;
    // The JSON of rustdoc is unstable. The variable lets a stable toolchain write it; were it set for
    // Cargo and the compiler too, everything that was built without it would be built anew.
    let rustdoc = target.join("rustdoc-unstable");
    fs::write(&rustdoc, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n")?;
    fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755))?;
    let features = PACKAGES.iter().flat_map(|(package, features)| {
        features.split(',').filter(|name| !name.is_empty()).map(move |feature| format!("{package}/{feature}"))
    });
    let features: Vec<String> = features.collect();
    let status = Command::new("cargo")
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTDOC", &rustdoc)
        .env("RUSTDOCFLAGS", "-D warnings -Z unstable-options --output-format json")
        // Offline and not locked: a workspace of archives has fewer packages than the lock file. The whole
        // workspace, so that packages have the features with which they are built otherwise.
        .args(["doc", "--quiet", "--offline", "--workspace", "--lib", "--no-deps", "--features", &features.join(",")])
        .status()?;
    ensure!(status.success(), "rustdoc failed");
    Ok(())
}

/// The listing of a package and the number of its items.
fn listing(package: &str) -> anyhow::Result<(String, usize)> {
    let json = root().join("target/doc").join(format!("{}.json", package.replace('-', "_")));
    let interface = public_api::Builder::from_rustdoc_json(json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    let lines: Vec<String> = interface.items().map(ToString::to_string).collect();
    Ok((lines.join("\n") + "\n", lines.len()))
}
