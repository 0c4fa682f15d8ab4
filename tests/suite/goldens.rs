//! The results in `tracks/` are what the program finds today, to the tolerances of
//! `raceline batch --check`; `tests/suite/batch.rs` tests the comparison.
//!
//! A change that moves a line on purpose is blessed:
//! `RACELINE_BLESS=1 cargo test --test suite goldens::` writes the files anew, and the diff shows
//! what moved. On failure the test reports where and leaves the actual line, and drawings of both
//! there, in cargo's folder for temporary files of tests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use raceline::analysis::drift::{self, Tolerances};
use raceline::file::json;
use raceline::options::{Layer, sidecar_of};
use raceline::pipeline::{self, Request};
use raceline::solve::QpSolver;
use raceline::{Options, RacingLine};
use raceline_render::close_up::{self, CloseUp};

use crate::reference::is_blessed;

/// One test for each track, so that they run in parallel, and the list of them all.
macro_rules! goldens {
    ($($name:ident: $input:literal,)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), $input);
        })*

        const INPUTS: &[&str] = &[$($input),*];
    };
}

goldens! {
    club: "club.png",
    eight: "eight.png",
    grid: "grid.yaml",
    hairpin: "hairpin.png",
    kart: "kart.png",
    outline: "outline.png",
    oval: "oval.png",
    stadium: "stadium.png",
    street: "street.png",
}

fn tracks() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks")
}

#[test]
fn every_track_has_its_golden() {
    let names = |ending: &str| -> BTreeSet<String> {
        let files = fs::read_dir(tracks()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        files.filter_map(|file| file.strip_suffix(ending).map(str::to_owned)).collect()
    };
    let tested: BTreeSet<String> = INPUTS.iter().map(|input| input.split('.').next().unwrap().to_owned()).collect();
    assert_eq!(names(".png"), tested, "pictures, and tests above");
    assert_eq!(names(".raceline.json"), tested, "results, and tests above");
    for input in INPUTS {
        assert!(tracks().join(input).is_file(), "{input}");
        let is_map = tracks().join(input).with_extension("yaml").is_file();
        assert_eq!(input.ends_with(".yaml"), is_map, "{input}: a map is read by its YAML");
    }
}

/// Largest mean difference of a picture's channels, of 255: platforms round edges of shapes differently.
const PICTURE_TOLERANCE: f64 = 0.02;

/// `docs/gallery.md` shows each line, drawn by the command that stands there.
#[test]
fn the_gallery_shows_every_line_as_it_is_drawn() {
    let docs = tracks().join("../docs");
    let page = fs::read_to_string(docs.join("gallery.md")).unwrap();
    for input in INPUTS {
        let name = input.split('.').next().unwrap();
        let shown = format!("pictures/gallery/{name}.png");
        assert!(page.contains(&format!("![{name}]({shown})")) && page.contains(&format!("<!-- page: {name} -->")));
        let folder = tempfile::TempDir::new().unwrap();
        let drawn = folder.path().join("drawn.png");
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("raceline"));
        command.arg("render").arg(tracks().join(format!("{name}.raceline.json")));
        command.arg("--background").arg(tracks().join(format!("{name}.png")));
        command.args(["--width-px", "640", "--height-px", "420", "--no-candidates", "--quiet", "-o"]).arg(&drawn);
        assert!(command.status().unwrap().success(), "{name}");
        if is_blessed() {
            fs::copy(&drawn, docs.join(shown)).unwrap();
            continue;
        }
        let [old, new] = [&docs.join(shown), &drawn].map(|file| image::open(file).unwrap().to_rgb8());
        assert_eq!(old.dimensions(), new.dimensions(), "{name}");
        let differences = old.as_raw().iter().zip(new.as_raw()).map(|(a, b)| f64::from(a.abs_diff(*b)));
        let mean = differences.sum::<f64>() / old.as_raw().len() as f64;
        assert!(mean <= PICTURE_TOLERANCE, "the gallery's picture of {name} is off by {mean:.3}: bless it");
    }
}

fn check(name: &str, input: &str) {
    let input = tracks().join(input);
    let golden = tracks().join(format!("{name}.raceline.json"));
    let mut options = Options::from_layers(&[Layer::read(&sidecar_of(&input).unwrap()).unwrap()]).unwrap();
    let vehicle = options.load_vehicle().unwrap();
    let made = |options: &Options| pipeline::optimize(&input, &Request::new(options, &vehicle)).unwrap().line.rounded();
    let actual = made(&options);
    if is_blessed() {
        fs::write(&golden, json::write(&actual).unwrap()).unwrap();
        return;
    }
    let bytes = fs::read(&golden).unwrap_or_else(|error| panic!("{}: {error}; bless it", golden.display()));
    let expected = json::read(&bytes).unwrap();
    check_drift(&format!("{name}.actual"), &expected, &actual, &Tolerances::default());
    // The other solver's line is as fast, but may lie elsewhere on a straight, where the lap time
    // hardly depends on the place.
    options.solve.qp_solver = Some(QpSolver::Osqp);
    let mut other = made(&options);
    assert_eq!(other.options.solve.qp_solver, Some(QpSolver::Osqp));
    other.options.clone_from(&expected.options);
    let tolerances = Tolerances { lap_time_fraction: 5e-4, lateral_m: 0.3, ..Tolerances::default() };
    check_drift(&format!("{name}.osqp"), &expected, &other, &tolerances);
}

fn check_drift(name: &str, expected: &RacingLine, actual: &RacingLine, tolerances: &Tolerances) {
    let drift = drift::compare(expected, actual, tolerances);
    if drift.fits() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |ending: &str| folder.join(format!("{name}.{ending}"));
    fs::write(file("raceline.json"), json::write(actual).unwrap()).unwrap();
    for (index, view) in CloseUp::of_drift(expected, &drift).iter().enumerate() {
        fs::write(file(&format!("{}.svg", index + 1)), close_up::render(expected, actual, view)).unwrap();
    }
    panic!(
        "{name} isn't what it was; if that is meant, run with RACELINE_BLESS=1\n  {}\nsee {} and what is beside it",
        drift.sentences().join("\n  "),
        file("raceline.json").display()
    );
}
