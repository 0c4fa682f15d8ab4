//! The command line as a process: exit codes, streams, messages, files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};
use raceline::file::json;
use tempfile::TempDir;

use crate::sample_lines;

/// The program, run in `folder` without colours.
fn raceline(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder).env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
    command
}

/// What a command prints, with trailing spaces cut.
fn stdout(arguments: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let output = raceline(folder.path()).args(arguments).assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A folder that holds a racing line with details, `line.json`, and one without, `bare.json`.
fn folder_with_lines() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("line.json"), json::write(&sample_lines::stadium()).unwrap()).unwrap();
    fs::write(folder.path().join("bare.json"), json::write(&sample_lines::circle(50.0, 40)).unwrap()).unwrap();
    folder
}

/// Names of the files in `folder`, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn help_of_every_command() {
    insta::assert_snapshot!("help", stdout(&["--help"]));
    for command in [
        "optimize",
        "batch",
        "extract",
        "render",
        "export",
        "sweep",
        "inspect",
        "compare",
        "drive",
        "verify",
        "calibrate",
        "vehicles",
        "serve",
        "schema",
        "completions",
        "man",
    ] {
        insta::assert_snapshot!(format!("help_{command}"), stdout(&[command, "--help"]));
    }
}

#[test]
fn a_picture_behind_the_map() {
    let folder = folder_with_lines();
    image::GrayImage::new(80, 60).save(folder.path().join("ground.png")).unwrap();
    let render = |background: &str| {
        let mut command = raceline(folder.path());
        command.args(["render", "line.json", "-o", "out.svg", "--background", background]);
        command.assert()
    };
    render("ground.png")
        .success()
        .stderr(contains("warning: ground.png is not the picture from which stadium was extracted"));
    assert!(fs::read_to_string(folder.path().join("out.svg")).unwrap().contains("data:image/png;base64,"));
    render("none.png").code(1).stderr(contains("can't read the background none.png: specify light, dark, transparent"));
    render("line.json").code(1).stderr(contains("line.json"));
    render("transparent").success().stderr(is_empty());
}

#[test]
fn export_writes_a_file_or_to_stdout() {
    let folder = folder_with_lines();
    raceline(folder.path()).args(["export", "bare.json", "--format", "tum"]).assert().success().stdout(is_empty());
    let written = fs::read_to_string(folder.path().join("bare.tum.csv")).unwrap();
    assert!(written.lines().nth(2).unwrap().starts_with("# s_m; x_m; y_m; psi_rad;"));
    raceline(folder.path()).args(["export", "bare.json", "-f", "tum", "-o", "-"]).assert().success().stdout(written);
    let place = ["--origin-longitude", "-73.5", "--origin-latitude", "-45.25", "-o", "place.gpx"];
    raceline(folder.path()).args(["export", "bare.json", "--format", "gpx"]).args(place).assert().success();
    assert!(fs::read_to_string(folder.path().join("place.gpx")).unwrap().contains("lat=\"-45.25"));
    for (arguments, message) in [
        (["export", "none.json", "--format", "tum"], "can't read none.json"),
        (["export", "place.gpx", "--format", "tum"], "place.gpx"),
    ] {
        raceline(folder.path()).args(arguments).assert().code(1).stdout(is_empty()).stderr(contains(message));
    }
    assert_eq!(names(folder.path()), ["bare.json", "bare.tum.csv", "line.json", "place.gpx"], "no partial file");
}

#[test]
fn version_names_program_and_number() {
    assert_eq!(stdout(&["--version"]), format!("raceline {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn negative_coordinates_are_values() {
    let folder = folder_with_lines();
    for places in [&["--start", "-60,2"][..], &["--via", "-1,2", "3,-4", "-5.5,-6px"], &["--road-at", "-.5px,-1e1px"]] {
        let output = raceline(folder.path()).args(["optimize", "none.png"]).args(places).assert().code(1);
        assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("none.png"), "{places:?}");
    }
    let places = ["--from", "-88.5,-184.1", "--to", "-1,2"];
    raceline(folder.path()).args(["plan", "none.yaml"]).args(places).assert().code(1);
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = folder_with_lines();
    for (arguments, message) in [
        (vec![], "Usage"),
        (vec!["nosuch"], "unrecognized subcommand"),
        (vec!["optimize"], "<INPUT>"),
        (vec!["optimize", "x.png", "--nosuch"], "unexpected argument"),
        (vec!["optimize", "x.png", "--spacing-m", "nan"], "finite"),
        (vec!["optimize", "x.png", "--metres-per-pixel", "0"], "--metres-per-pixel is 0.0, must be above 0 m"),
        (vec!["optimize", "x.png", "--metres-per-pixel", "1", "--track-length", "9"], "both specify the scale"),
        (vec!["optimize", "x.png", "--method", "fastest"], "possible values"),
        (vec!["optimize", "x.png", "--start", "1"], "comma"),
        (vec!["optimize", "x.png", "--start", "-1,x"], "is not two numbers"),
        (vec!["optimize", "x.png", "--population", "-3"], "unexpected argument"),
        (vec!["optimize", "x.png", "--vehicle", "tank"], "no vehicle preset"),
        (vec!["optimize", "x.png", "--threads", "0"], "not in 1..=1024"),
        (vec!["optimize", "x.png", "y.png", "-o", "one.json"], "pass -o one.json/"),
        (vec!["optimize", "a/x.png", "b/x.png"], "would both be written"),
        (vec!["render", "line.json", "-o", "x.bmp"], ".svg or .png"),
        (vec!["render", "line.json", "-o", "x.svg", "--colour-by", "deviation"], "as the second"),
        (vec!["render", "line.json", "-o", "x.svg", "--colour-by", "mood"], "possible values"),
        (vec!["export", "line.json", "--format", "obj"], "possible values: csv, tum, tum-ltpl"),
        (vec!["export", "line.json"], "--format"),
        (vec!["export", "line.json", "--format", "gpx"], "gpx requires longitudes and latitudes"),
        (vec!["export", "line.json", "--format", "gpx"], "pass --origin-longitude and --origin-latitude"),
        (vec!["export", "line.json", "--format", "gpx", "--origin-longitude", "3"], "--origin-latitude"),
        (
            vec!["export", "line.json", "--format", "gpx", "--origin-longitude", "3", "--origin-latitude", "99"],
            "not a position on earth",
        ),
        (vec!["render", "line.json", "-o", "x.svg", "--width-px", "1"], "240 to 16384"),
        (vec!["optimize", "x.png", "--road-colour", "grey"], "#rrggbb"),
        (vec!["extract", "x.png", "--via", "3"], "comma"),
        (vec!["extract", "x.png", "--open", "--closed"], "cannot be used with"),
        (vec!["vehicles", "tank"], "use one of tum-racecar"),
        (vec!["schema", "--quiet", "--verbose"], "cannot be used with"),
    ] {
        raceline(folder.path()).args(&arguments).assert().code(2).stdout(is_empty()).stderr(contains(message));
    }
    assert_eq!(names(folder.path()), ["bare.json", "line.json"], "no partial file");
}

#[test]
fn a_sidecar_with_a_fault_is_reported_by_file_line_and_key() {
    let folder = TempDir::new().unwrap();
    let sidecar = folder.path().join("club.toml");
    fs::write(folder.path().join("club.png"), "").unwrap();
    for (text, message) in [
        (
            "# Club\n\nmetres_per_pixl = 0.5\n",
            "club.toml, line 3: metres_per_pixl is not an option: did you mean metres_per_pixel?",
        ),
        (
            "vehicle = \"kart\"\ncolour = 1\n",
            "club.toml, line 2: colour is not an option: `raceline optimize --help` lists them",
        ),
        ("spacing_m = \"two\"\n", "club.toml, line 1: spacing_m is \"two\", expected a number"),
        (
            "method = \"magic\"\n",
            "line 1: method is \"magic\", expected one of shortest-path, min-curvature, iterated-min-curvature, blend, time-optimal",
        ),
        ("seed = 1.5\n", "line 1: seed is 1.5, expected a whole number"),
        ("start = [1]\n", "line 1: start is [1], expected a position [x, y]"),
        ("metres_per_pixel = nan\n", "line 1: metres_per_pixel is nan, expected a number"),
        ("spacing_m = 0\n", "club.toml, line 1: spacing_m is 0, must be above 0 m"),
        ("seed = 1\nseed = 2\n", "club.toml, line 2: duplicate key"),
        ("seed = = 1\n", "club.toml, line 1: "),
        (
            "track_width_m = 9\nmetres_per_pixel = 1\n",
            "line 1: track_width_m and club.toml, line 2: metres_per_pixel both specify",
        ),
        ("vehicle = \"tank\"\n", "no vehicle preset \"tank\""),
        ("vehicle = \"cars/none.toml\"\n", "vehicle file cars/none.toml can't be read"),
    ] {
        fs::write(&sidecar, text).unwrap();
        raceline(folder.path())
            .args(["optimize", "club.png"])
            .assert()
            .code(1)
            .stdout(is_empty())
            .stderr(starts_with("error: ").and(contains(message)).and(contains("caused by").not()));
    }
    raceline(folder.path())
        .args(["optimize", "club.png", "--sidecar", "none.toml"])
        .assert()
        .code(1)
        .stderr(contains("none.toml can't be read"));
    assert_eq!(names(folder.path()), ["club.png", "club.toml"], "no partial file");
}

#[test]
fn a_place_that_cannot_be_written_is_reported_before_the_run() {
    let folder = folder_with_lines();
    for (output, message) in [
        ("nowhere/line.svg", "there is no folder nowhere: create it first"),
        ("folder.svg", "it is a folder: specify a file in it"),
        ("readonly.svg", "it is read-only"),
    ] {
        fs::create_dir_all(folder.path().join("folder.svg")).unwrap();
        fs::write(folder.path().join("readonly.svg"), "kept").unwrap();
        let mut permissions = fs::metadata(folder.path().join("readonly.svg")).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(folder.path().join("readonly.svg"), permissions.clone()).unwrap();
        raceline(folder.path())
            // The input doesn't exist either: the output's message comes first.
            .args(["render", "none.json", "-o", output])
            .assert()
            .code(1)
            .stderr(starts_with(format!("error: can't write {output}: ")).and(contains(message)));
        permissions.set_mode_writable();
        fs::set_permissions(folder.path().join("readonly.svg"), permissions).unwrap();
    }
    raceline(folder.path())
        .args(["optimize", "none.png", "--metres-per-pixel", "1", "-o", "nowhere/x.json"])
        .assert()
        .code(1)
        .stderr(contains("can't write nowhere/x.json"));
    assert_eq!(fs::read(folder.path().join("readonly.svg")).unwrap(), b"kept");
    assert_eq!(names(folder.path()), ["bare.json", "folder.svg", "line.json", "readonly.svg"]);
}

/// Makes permissions writable for the owner alone, as they were before a test took that away.
trait Writable {
    fn set_mode_writable(&mut self);
}

impl Writable for fs::Permissions {
    #[cfg(unix)]
    fn set_mode_writable(&mut self) {
        std::os::unix::fs::PermissionsExt::set_mode(self, 0o644);
    }

    #[cfg(not(unix))]
    fn set_mode_writable(&mut self) {
        self.set_readonly(false);
    }
}

#[test]
fn render_writes_the_format_of_the_ending() {
    let folder = folder_with_lines();
    let run = |arguments: &[&str]| {
        // The line is made by hand: its numbers are rounded more than those of the program.
        let run = raceline(folder.path()).args(["render", "--no-verify"]).args(arguments).assert().success();
        run.stdout(is_empty()).stderr(is_empty());
    };
    run(&["line.json", "-o", "a.svg"]);
    run(&["line.json", "bare.json", "-o", "a.PNG", "--width-px", "400", "--background", "dark", "--sections"]);
    assert!(fs::read_to_string(folder.path().join("a.svg")).unwrap().starts_with("<svg "));
    let picture = image::open(folder.path().join("a.PNG")).unwrap();
    assert_eq!(picture.width(), 400);
    assert_eq!(names(folder.path()), ["a.PNG", "a.svg", "bare.json", "line.json"]);
}

#[test]
fn render_shows_what_is_wrong_with_a_line() {
    let folder = folder_with_lines();
    fs::write(folder.path().join("text.json"), "hello").unwrap();
    let line = fs::read_to_string(folder.path().join("bare.json")).unwrap();
    fs::write(folder.path().join("two.json"), line.replacen("\"version\": 1", "\"version\": 2", 1)).unwrap();
    for (arguments, message) in [
        (vec!["none.json"], "can't read none.json"),
        (vec!["text.json"], "it is not JSON, as racing lines are"),
        (vec!["two.json"], "\"version\" is 2, but this program reads version 1"),
        (vec!["bare.json", "--sections"], "raceline optimize --detail"),
    ] {
        raceline(folder.path())
            .args(["render", "--no-verify", "-o", "x.svg"])
            .args(arguments)
            .assert()
            .code(1)
            .stderr(starts_with("error: ").and(contains(message)));
    }
    assert!(!folder.path().join("x.svg").exists(), "no partial file");
}

#[cfg(unix)]
#[test]
fn a_new_file_has_usual_permissions_and_a_link_stays_one() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder_with_lines();
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::write(folder.path().join("kept.svg"), "old").unwrap();
    fs::set_permissions(folder.path().join("kept.svg"), fs::Permissions::from_mode(0o604)).unwrap();
    symlink("kept.svg", folder.path().join("link.svg")).unwrap();
    for output in ["new.svg", "link.svg"] {
        raceline(folder.path()).args(["render", "bare.json", "-o", output]).assert().success();
    }
    assert_eq!(mode(&folder.path().join("new.svg")), mode(&plain), "as any new file's");
    assert_eq!(mode(&folder.path().join("kept.svg")), 0o604, "as before");
    assert!(folder.path().join("link.svg").is_symlink());
    assert!(fs::read_to_string(folder.path().join("kept.svg")).unwrap().starts_with("<svg "));
}

#[cfg(unix)]
#[test]
fn a_device_or_pipe_is_written_straight() {
    let folder = folder_with_lines();
    std::os::unix::fs::symlink("/dev/stdout", folder.path().join("out.svg")).unwrap();
    let run = raceline(folder.path()).args(["render", "bare.json", "-o", "out.svg"]).assert().success();
    run.stdout(starts_with("<svg "));
    assert_eq!(names(folder.path()), ["bare.json", "line.json", "out.svg"]);
}

#[test]
fn vehicles_lists_presets_and_prints_one_that_reads_back() {
    let list = stdout(&["vehicles"]);
    for preset in raceline::vehicle::presets() {
        assert!(list.lines().any(|row| row.starts_with(preset.name)), "{list}");
        let printed = stdout(&["vehicles", preset.name]);
        let vehicle = raceline::vehicle::Vehicle::from_toml(&printed, "x.toml").unwrap();
        assert_eq!(vehicle, raceline::vehicle::preset(preset.name).unwrap());
    }
}

#[test]
fn schema_prints_the_schema() {
    assert!(stdout(&["schema"]).contains("\"$schema\""));
}

#[test]
fn colours_come_when_asked_for_only() {
    let folder = TempDir::new().unwrap();
    let run = |choice: &str| {
        let output = raceline(folder.path()).args(["render", "x", "-o", "x.svg", "--color", choice]).output().unwrap();
        String::from_utf8(output.stderr).unwrap().contains('\u{1b}')
    };
    assert!(!run("auto") && !run("never") && run("always"));
}
