//! The package of the C and C++ library: installed, found by CMake and by pkg-config, linked and run.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::capi_header::{library, run};

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether all programs are there; what is missing is reported.
fn has(programs: &[&str]) -> bool {
    programs.iter().all(|program| {
        let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
        if !found {
            println!("skipped: there is no {program}");
        }
        found
    })
}

/// The library, installed below a new folder.
fn installed(name: &str) -> PathBuf {
    let prefix = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&prefix);
    let mut install = Command::new(root().join("packaging/c_library"));
    install.arg(&prefix).arg(library().unwrap());
    run(install);
    prefix
}

fn assert_drives(program: &Path) {
    for track in ["club", "oval"] {
        let mut drive = Command::new(program);
        drive.arg(root().join(format!("tracks/{track}.raceline.json")));
        let output = run(drive);
        let numbers: Vec<f64> = output.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [lap_s, profile_s, farthest_m] = numbers[..] else { panic!("{output}") };
        // At nine tenths of the profile's speeds, with half of its drive.
        assert!((1.05..1.4).contains(&(lap_s / profile_s)) && farthest_m < 1.0, "{track}: {output}");
    }
    let refused = Command::new(program).arg(root().join("Cargo.toml")).output().unwrap();
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && message.contains("line 1, column"), "{message}");
}

#[test]
fn cmake_finds_the_package_and_a_program_in_cpp_drives_a_lap() {
    if !cfg!(target_os = "linux") || !has(&["cmake", "c++"]) {
        return;
    }
    // Moved after it was installed.
    let prefix = installed("package-cmake");
    let moved = prefix.with_extension("moved");
    let _ = fs::remove_dir_all(&moved);
    fs::rename(&prefix, &moved).unwrap();
    let build = moved.join("build");
    let source = root().join("examples/cpp");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(source).arg("-B").arg(&build);
    configure.arg(format!("-DCMAKE_PREFIX_PATH={}", moved.display()));
    configure.args(["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror"]);
    run(configure);
    let mut make = Command::new("cmake");
    make.arg("--build").arg(&build);
    run(make);
    assert_drives(&build.join("drive_line"));
    fs::remove_dir_all(&moved).unwrap();
}

#[test]
fn pkg_config_has_what_a_compiler_needs() {
    if !cfg!(target_os = "linux") || !has(&["pkg-config", "c++"]) {
        return;
    }
    let prefix = installed("package-pkg-config");
    let mut flags = Command::new("pkg-config");
    flags.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(["--cflags", "--libs", "raceline"]);
    let flags = run(flags);
    let program = prefix.join("drive_line");
    let mut compile = Command::new("c++");
    compile.args(["-std=c++17", "-o"]).arg(&program).arg(root().join("examples/cpp/drive_line.cpp"));
    compile.args(flags.split_whitespace());
    run(compile);
    assert_drives(&program);
    fs::remove_dir_all(&prefix).unwrap();
}
