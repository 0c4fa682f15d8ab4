//! Files as a process meets them: outputs over inputs, pipes and devices, names that are no text,
//! links, limits of the system.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use raceline::file::json;
use tempfile::TempDir;

use crate::sample_lines;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

const VEHICLE: &str = "gt.toml";

/// A folder with a track `ring.csv`, two lines, a vehicle and a picture.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let row = |i: i32| {
        let angle = std::f64::consts::TAU * f64::from(i) / 60.0;
        format!("{:.3},{:.3},5,5\n", 60.0 * angle.cos(), 60.0 * angle.sin())
    };
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("ring.csv", (0..60).map(row).collect::<String>().as_bytes());
    write("line.json", &json::write(&sample_lines::stadium()).unwrap());
    write("bare.json", &json::write(&sample_lines::circle(50.0, 40)).unwrap());
    write(VEHICLE, raceline::vehicle::preset("gt").unwrap().to_toml().unwrap().as_bytes());
    image::GrayImage::new(80, 60).save(folder.path().join("ground.png")).unwrap();
    folder
}

/// Runs the program and returns its exit code and what it prints on stderr and stdout.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("raceline").unwrap();
    let output = command.current_dir(folder).env("NO_COLOR", "1").args(arguments).timeout(PATIENCE).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap_or_else(|| panic!("{arguments:?} was killed: {:?}", output.status));
    (code, text(output.stderr), text(output.stdout))
}

/// Every file of `folder` with its contents.
fn contents(folder: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.metadata().unwrap().is_file())
        .map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap()))
        .collect();
    found.sort();
    found
}

/// Asserts that a command is wrong usage for this reason, and that no file changes.
fn refused(folder: &Path, arguments: &[&str], reason: &str) {
    let before = contents(folder);
    let (code, stderr, stdout) = run(folder, arguments);
    assert_eq!(code, 2, "{arguments:?}: {stderr}{stdout}");
    assert!(stderr.contains(reason) && stdout.is_empty(), "{arguments:?}: {stderr}{stdout}");
    assert_eq!(contents(folder), before, "{arguments:?}");
}

#[test]
fn an_output_over_an_input_is_refused_by_every_command() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("sidecar.toml"), "spacing_m = 3\n").unwrap();
    fs::write(path.join("map.yaml"), "image: ground.png\nresolution: 1\norigin: [0, 0, 0]\n").unwrap();
    let same = "is the same file as the input";
    for arguments in [
        &["optimize", "ring.csv", "-o", "ring.csv"][..],
        &["optimize", "ring.csv", "-o", "./ring.csv"],
        &["optimize", "ring.csv", "--sidecar", "sidecar.toml", "-o", "sidecar.toml"],
        &["optimize", "ring.csv", "--vehicle", VEHICLE, "-o", VEHICLE],
        &["optimize", "map.yaml", "-o", "ground.png"],
        &["extract", "ring.csv", "-o", "ring.csv"],
        &["export", "bare.json", "-f", "tum", "-o", "bare.json"],
        &["sweep", "ring.csv", "--vary", "mass_kg=0.9x,1x", "-o", "ring.csv"],
        &["drive", "bare.json", "-o", "bare.json"],
        &["drive", "bare.json", "--vehicle", VEHICLE, "-o", VEHICLE],
        &["batch", ".", "--only", "ring", "--report", "ring.csv"],
        &["batch", ".", "--only", "ring", "--junit", "ring.csv"],
    ] {
        refused(path, arguments, same);
    }
    for (arguments, reason) in [
        (
            &["sweep", "ring.csv", "--vary", "mass_kg=0.9x,1x", "-o", "a.svg", "--heat-map", "./a.svg"][..],
            "are the same file",
        ),
        (&["batch", ".", "--report", "a.json", "--junit", "a.json"], "are the same file"),
        (&["batch", ".", "--only", "ring", "--report", "ring.raceline.json"], "are the same file"),
    ] {
        refused(path, arguments, reason);
    }
}

#[test]
#[cfg(unix)]
fn an_output_over_an_input_is_refused_through_links_too() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let path = folder.path();
    symlink("ring.csv", path.join("soft.json")).unwrap();
    symlink("line.json", path.join("soft.svg")).unwrap();
    symlink(".", path.join("here")).unwrap();
    fs::hard_link(path.join("ring.csv"), path.join("hard.json")).unwrap();
    symlink("new.json", path.join("one.json")).unwrap();
    symlink("new.json", path.join("two.json")).unwrap();
    let same = "is the same file as the input";
    refused(path, &["optimize", "ring.csv", "-o", "soft.json"], same);
    refused(path, &["optimize", "soft.json", "-o", "ring.csv"], same);
    refused(path, &["extract", "ring.csv", "-o", "hard.json"], same);
    refused(path, &["extract", "ring.csv", "-o", "here/ring.csv"], same);
    refused(path, &["render", "line.json", "-o", "soft.svg"], same);
    refused(path, &["batch", ".", "--report", "one.json", "--junit", "two.json"], "are the same file");
    // Neither a device nor another file is meant.
    let (code, stderr, _) = run(path, &["extract", "ring.csv", "-o", "/dev/null"]);
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn a_check_draws_over_no_line() {
    let folder = folder();
    let path = folder.path();
    assert_eq!(run(path, &["batch", ".", "--only", "ring", "-q"]).0, 0);
    let arguments = ["batch", ".", "--only", "ring", "--check", "--explain", "."];
    refused(path, &arguments, "ring.raceline.json is the same file as the input");
    refused(path, &["batch", ".", "--only", "ring", "--check", "--report", "ring.raceline.json"], "the same file");
    let explained = ["extract", "1-mask.png", "--metres-per-pixel", "1", "--explain", ".", "-o", "-"];
    fs::rename(path.join("ground.png"), path.join("1-mask.png")).unwrap();
    refused(path, &explained, "1-mask.png is the same file as the input");
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
#[cfg(unix)]
fn pipes_in_a_folder_of_tracks_stop_none_of_the_others() {
    let folder = folder();
    let path = folder.path();
    for name in ["a.png", "b.csv", "c.yaml", "d.track.json", "e.raceline.json", "f.toml", "g.fifo", ".raceline-x.tmp"] {
        make_pipe(&path.join(name));
    }
    let ring = fs::read(path.join("ring.csv")).unwrap();
    for name in ["e.csv", "f.csv", "h.csv", "i.csv"] {
        fs::write(path.join(name), &ring).unwrap();
    }
    fs::write(path.join("g.yaml"), "image: g.fifo\nresolution: 1\norigin: [0, 0, 0]\n").unwrap();
    let vehicle =
        fs::read_to_string(path.join(VEHICLE)).unwrap().replace("lateral_limit_mps2", "ggv_csv = \"g.fifo\" #");
    fs::write(path.join("car.txt.toml"), vehicle).unwrap();
    fs::write(path.join("h.toml"), "vehicle = \"car.txt.toml\"\n").unwrap();
    fs::write(path.join("i.toml"), "vehicle = \"g.fifo.toml\"\n").unwrap();
    make_pipe(&path.join("g.fifo.toml"));
    let (code, stderr, stdout) = run(path, &["batch", ".", "--skip", "ground", "--report", "report.json"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.starts_with("10 tracks: 1 made, 9 failed"), "{stdout}{stderr}");
    assert!(stderr.matches("it is a pipe, not a regular file").count() >= 9, "{stderr}");
    assert!(path.join("ring.raceline.json").is_file());
    for list in ["--list", "--dry-run"] {
        run(path, &["batch", ".", "--skip", "ground", list]);
    }
    fs::remove_file(path.join("ring.raceline.json")).unwrap();
    make_pipe(&path.join("raceline.toml"));
    let (code, stderr, _) = run(path, &["batch", ".", "--only", "ring"]);
    assert!(code == 1 && stderr.contains("raceline.toml can't be read: it is a pipe"), "{stderr}");
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_in_place_of_files_are_refused() {
    let folder = folder();
    let path = folder.path();
    make_pipe(&path.join("pipe"));
    fs::write(path.join("map.yaml"), "image: /dev/zero\nresolution: 1\norigin: [0, 0, 0]\n").unwrap();
    for arguments in [
        &["optimize", "/dev/zero"][..],
        &["optimize", "pipe"],
        &["optimize", "map.yaml", "--allow-outside"],
        &["optimize", "ring.csv", "--sidecar", "pipe"],
        &["extract", "/dev/zero", "--metres-per-pixel", "1"],
        &["inspect", "pipe"],
        &["inspect", "/dev/zero"],
        &["compare", "bare.json", "pipe"],
        &["export", "pipe", "-f", "tum", "-o", "-"],
        &["drive", "/dev/zero"],
        &["render", "pipe", "-o", "x.svg"],
        &["render", "line.json", "-o", "x.svg", "--background", "/dev/zero"],
        &["sweep", "pipe", "--vary", "mass_kg=0.9x,1x"],
    ] {
        let (code, stderr, stdout) = run(path, arguments);
        assert_eq!(code, 1, "{arguments:?}: {stderr}");
        assert!(stderr.contains("not a regular file") && stdout.is_empty(), "{arguments:?}: {stderr}{stdout}");
    }
}

#[test]
fn files_larger_than_any_track_are_refused_before_they_are_read() {
    let folder = folder();
    let path = folder.path();
    let sparse = |name: &str, start: &[u8], bytes: u64| {
        fs::write(path.join(name), start).unwrap();
        fs::OpenOptions::new().write(true).open(path.join(name)).unwrap().set_len(bytes).unwrap();
    };
    sparse("large.csv", b"1,2,3,4\n", (64 << 20) + 1);
    sparse("large.png", b"\x89PNG\r\n\x1a\n", (2 << 30) + 1);
    sparse("large.json", b"{", (256 << 20) + 1);
    sparse("large.toml", b"a = 1\n", (4 << 20) + 1);
    for (arguments, limit) in [
        (&["optimize", "large.csv", "--no-sidecar"][..], "64 MiB"),
        (&["optimize", "large.png", "--no-sidecar"], "2048 MiB"),
        (&["inspect", "large.json"], "256 MiB"),
        (&["optimize", "ring.csv", "--sidecar", "large.toml"], "4 MiB"),
        (&["optimize", "ring.csv", "--vehicle", "large.toml"], "4 MiB"),
    ] {
        let (code, stderr, _) = run(path, arguments);
        assert_ne!(code, 0);
        assert!(
            stderr.contains(&format!("it is larger than {limit}, the most that is read")),
            "{arguments:?}: {stderr}"
        );
    }
}

/// Runs a shell script in `folder`, in which `$0` is the program.
#[cfg(unix)]
fn shell(folder: &Path, script: &str) -> (i32, String, String) {
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(assert_cmd::cargo::cargo_bin("raceline")).current_dir(folder);
    let output = command.env("NO_COLOR", "1").timeout(PATIENCE).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stderr), text(output.stdout))
}

#[test]
#[cfg(unix)]
fn standard_input_and_pipes_that_are_meant_work() {
    let folder = folder();
    let path = folder.path();
    let (code, stderr, whole) = shell(path, "\"$0\" export bare.json -f tum -o -");
    assert_eq!(code, 0, "{stderr}");
    let (code, stderr, piped) = shell(path, "cat bare.json | \"$0\" export /dev/stdin -f tum -o - | cat");
    assert_eq!((code, &piped), (0, &whole), "{stderr}");
    let (code, stderr, _) = shell(path, "cat ring.csv | \"$0\" extract /dev/stdin -o track.json");
    assert_eq!(code, 0, "{stderr}");
    // The reader may come first or last.
    make_pipe(&path.join("out"));
    for script in [
        "cat out & \"$0\" export bare.json -f tum -o out; wait",
        "\"$0\" export bare.json -f tum -o out & cat out; wait",
    ] {
        let (code, stderr, piped) = shell(path, script);
        assert_eq!((code, &piped), (0, &whole), "{stderr}");
    }
    assert!(!fs::metadata(path.join("out")).unwrap().is_file(), "the pipe is not replaced");
}

#[test]
#[cfg(unix)]
fn a_result_for_a_closed_stdout_is_an_error() {
    let folder = folder();
    for command in ["export bare.json -f tum -o -", "extract ring.csv", "drive bare.json -o -"] {
        let (code, stderr, _) = shell(folder.path(), &format!("\"$0\" {command} >&-"));
        assert!(code == 1 && stderr.contains("standard output is closed"), "{command}: {code} {stderr}");
        let (code, stderr, _) = shell(folder.path(), &format!("\"$0\" {command} >/dev/null"));
        assert!(!stderr.contains("output is closed") && code == 0, "{command}: {code} {stderr}");
    }
}

#[test]
#[cfg(unix)]
fn a_dangling_link_as_output_makes_its_file() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("far")).unwrap();
    std::os::unix::fs::symlink("far/new.csv", path.join("out.csv")).unwrap();
    let (code, stderr, _) = run(path, &["export", "bare.json", "-f", "tum", "-o", "out.csv"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(fs::symlink_metadata(path.join("out.csv")).unwrap().is_symlink());
    assert!(fs::read_to_string(path.join("far/new.csv")).unwrap().contains("s_m"));
    std::os::unix::fs::symlink("nowhere/new.csv", path.join("lost.csv")).unwrap();
    let (code, stderr, _) = run(path, &["export", "bare.json", "-f", "tum", "-o", "lost.csv"]);
    assert!(code == 1 && stderr.contains("can't write lost.csv: there is no folder ./nowhere"), "{stderr}");
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next_of_any_command() {
    let folder = folder();
    let path = folder.path();
    for arguments in [&["export", "bare.json", "-f", "tum"][..], &["extract", "ring.csv", "-o", "ring.track.json"]] {
        let left = path.join(".raceline-left.tmp");
        fs::write(&left, "{\"format\": ").unwrap();
        assert_eq!(run(path, arguments).0, 0);
        assert!(!left.exists(), "{arguments:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_limit_on_the_size_of_files_is_an_error_with_a_message() {
    let folder = folder();
    let path = folder.path();
    for script in ["\"$0\" export bare.json -f tum -o out.csv", "\"$0\" export bare.json -f tum -o - > out.csv"] {
        let (code, stderr, _) = shell(path, &format!("ulimit -f 2; {script}"));
        assert!(code == 1 && stderr.contains("the limit on the size of files is"), "{code} {stderr}");
        assert!(
            fs::metadata(path.join("out.csv")).is_ok_and(|metadata| metadata.len() == 0)
                || !path.join("out.csv").exists()
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_no_text_keep_their_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let path = folder.path();
    let name = |bytes: &[u8]| path.join(OsStr::from_bytes(bytes));
    let ring = fs::read(path.join("ring.csv")).unwrap();
    fs::write(name(b"r\xffng.csv"), &ring).unwrap();
    fs::create_dir(name(b"d\xfe")).unwrap();
    fs::write(name(b"d\xfe/r.track.csv"), &ring).unwrap();
    let (code, stderr, stdout) = run(path, &["batch", ".", "--skip", "ground"]);
    assert!(code == 0 && stdout.starts_with("3 tracks: 3 made"), "{stdout}{stderr}");
    assert!(name(b"r\xffng.raceline.json").is_file() && name(b"d\xfe/r.raceline.json").is_file());
    let (code, _, stdout) = run(path, &["batch", ".", "--only", "./r\u{fffd}ng.csv"]);
    assert!(code == 0 && stdout.starts_with("1 track: 1 up to date"), "{stdout}");
    fs::remove_file(name(b"r\xffng.raceline.json")).unwrap();
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(path).arg("optimize").arg(OsStr::from_bytes(b"r\xffng.csv")).assert().success();
    assert!(name(b"r\xffng.raceline.json").is_file());
}

#[test]
#[cfg(unix)]
fn names_do_not_control_the_terminal() {
    let folder = folder();
    let path = folder.path();
    let ring = fs::read(path.join("ring.csv")).unwrap();
    for name in ["a\u{1b}[31m.csv", "b\nc.csv", "d\te.csv"] {
        fs::write(path.join(name), &ring).unwrap();
    }
    let (code, stderr, stdout) = run(path, &["batch", ".", "--skip", "ground"]);
    assert!(code == 1 && stdout.starts_with("4 tracks: 1 made, 3 failed"), "{stdout}{stderr}");
    for shown in
        ["a\\u{1b}[31m.csv: its name contains a control character", "b\\nc.csv: its name", "d\\te.csv: its name"]
    {
        assert!(stderr.contains(shown), "{shown}: {stderr}");
    }
    let (code, _, list) = run(path, &["batch", ".", "--skip", "ground", "--list"]);
    assert!(code == 1 && list == "./ring.csv\t./ring.raceline.json\n", "{list}");
    for arguments in
        [&["optimize", "a\u{1b}[31m.csv"][..], &["inspect", "b\nc.csv"], &["extract", "ring.csv", "-o", "x\u{7}"]]
    {
        refused(path, arguments, "the name contains a control character: rename the file");
    }
    // Names inside of files.
    fs::write(path.join("map.yaml"), "image: \"\\e[2Jx.png\"\nresolution: 1\norigin: [0, 0, 0]\n").unwrap();
    let mut line = sample_lines::stadium();
    line.name = "\u{1b}[2Jevil".to_owned();
    fs::write(path.join("evil.json"), json::write(&line).unwrap()).unwrap();
    for arguments in
        [&["optimize", "map.yaml"][..], &["inspect", "evil.json"], &["drive", "evil.json", "--speed-share", "0.5"]]
    {
        let (_, stderr, stdout) = run(path, arguments);
        assert!(!stderr.contains('\u{1b}') && !stdout.contains('\u{1b}'), "{arguments:?}: {stderr}{stdout}");
    }
}

#[test]
fn files_name_files_in_their_own_folder_unless_it_is_allowed() {
    let folder = folder();
    let tracks = folder.path().join("tracks");
    fs::create_dir(&tracks).unwrap();
    fs::copy(folder.path().join("ring.csv"), tracks.join("ring.csv")).unwrap();
    let optimize = ["optimize", "tracks/ring.csv", "--method", "shortest-path", "-o", "o.json"];
    let outside = "outside the folder of the file that names it: move it there, or pass --allow-outside";
    let both = |sidecar: &str, arguments: &[&str]| {
        fs::write(tracks.join("ring.toml"), sidecar).unwrap();
        let (code, stderr, _) = run(folder.path(), arguments);
        assert!(code > 0 && stderr.contains(outside), "{sidecar}: {code} {stderr}");
        let (code, stderr, _) = run(folder.path(), &[arguments, &["--allow-outside"]].concat());
        assert_eq!(code, 0, "{sidecar}: {stderr}");
    };
    both("vehicle = \"../gt.toml\"\n", &optimize);
    both("like = \"../ring.csv\"\n", &optimize);
    both("vehicle = \"../gt.toml\"\n", &["batch", "tracks", "--method", "shortest-path", "--force"]);

    // The tables of a vehicle, which the command line may name anywhere.
    fs::write(folder.path().join("ggv.csv"), "# v_mps,ax_max_mps2,ay_max_mps2\n0,10,12\n80,10,12\n").unwrap();
    let car = raceline::vehicle::preset("kart").unwrap().to_toml().unwrap();
    let keeps = |row: &&str| !row.starts_with("lateral_limit") && !row.starts_with("longitudinal_limit");
    let car: String = car.lines().filter(keeps).map(|row| format!("{row}\n")).collect();
    fs::write(tracks.join("car.toml"), format!("ggv_csv = \"../ggv.csv\"\n{car}")).unwrap();
    both("", &[&optimize[..], &["--vehicle", "tracks/car.toml"]].concat());
    both("", &["drive", "line.json", "--laps", "1", "--vehicle", "tracks/car.toml", "--speed-share", "0.5"]);

    // The picture of a map.
    let map = "image: ../ground.png\nresolution: 1\norigin: [0, 0, 0]\n";
    fs::write(tracks.join("ground.yaml"), map).unwrap();
    let (code, stderr, _) = run(folder.path(), &["extract", "tracks/ground.yaml", "-o", "t.json"]);
    assert!(code == 1 && stderr.contains(outside), "{stderr}");
    let (_, stderr, _) = run(folder.path(), &["extract", "tracks/ground.yaml", "-o", "t.json", "--allow-outside"]);
    assert!(!stderr.contains(outside), "{stderr}");
    #[cfg(unix)]
    {
        // A link in the folder leads outside too.
        std::os::unix::fs::symlink("../ground.png", tracks.join("link.png")).unwrap();
        fs::write(tracks.join("ground.yaml"), map.replace("../ground.png", "link.png")).unwrap();
        let (code, stderr, _) = run(folder.path(), &["extract", "tracks/ground.yaml", "-o", "t.json"]);
        assert!(code == 1 && stderr.contains(outside), "{stderr}");
    }
}

#[test]
fn a_vehicle_beside_a_track_is_no_sidecar() {
    let folder = folder();
    fs::copy(folder.path().join(VEHICLE), folder.path().join("ring.toml")).unwrap();
    let optimize = ["optimize", "ring.csv", "--method", "shortest-path", "-o", "o.json"];
    let (code, stderr, _) = run(folder.path(), &optimize);
    assert!(code == 0 && stderr.contains("ring.toml is a vehicle and no sidecar, and is not used"), "{stderr}");
    let (code, stderr, _) = run(folder.path(), &[&optimize[..], &["--vehicle", "ring.toml"]].concat());
    assert!(code == 0 && !stderr.contains("sidecar"), "{stderr}");
}

#[test]
fn an_option_that_chooses_a_road_is_not_used_in_silence_where_a_file_has_one() {
    let folder = folder();
    let (code, stderr, _) =
        run(folder.path(), &["extract", "ring.csv", "--via", "60,0", "--road-at", "60,0", "-o", "track.json"]);
    let unused = |key: &str| stderr.contains(&format!("{key} is not used: it chooses a road"));
    assert!(code == 0 && unused("via") && unused("road_at"), "{stderr}");
    let (code, stderr, _) = run(folder.path(), &["extract", "ring.csv", "-o", "track.json"]);
    assert!(code == 0 && !stderr.contains("not used"), "{stderr}");
}
