//! `raceline batch` as a process: layers, reports, exit codes, threads, and being killed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::collections::BTreeMap;
use std::fs;
#[cfg(unix)]
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use image::{GrayImage, Luma};
use raceline::file::json;
use tempfile::TempDir;

/// Draws an oval ring `stretch` times as wide as high.
fn draw(path: &Path, stretch: f32) {
    let coverage = |distance: f32| (distance + 0.5).clamp(0.0, 1.0);
    let (width, height) = ((200.0 * stretch) as u32, 200);
    let picture = GrayImage::from_fn(width, height, |column, row| {
        let radius = ((column as f32 - width as f32 / 2.0) / stretch).hypot(row as f32 - 99.5);
        Luma([(255.0 * coverage(radius - 60.0) * coverage(80.0 - radius)).round() as u8])
    });
    picture.save(path).unwrap();
}

/// A folder with `count` rings, and their scale in `raceline.toml`.
fn rings(count: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    for index in 0..count {
        draw(&folder.path().join(format!("ring{index:02}.png")), 1.0 + 0.1 * index as f32);
    }
    fs::write(folder.path().join("raceline.toml"), "metres_per_pixel = 0.5\n").unwrap();
    folder
}

fn binary() -> PathBuf {
    assert_cmd::cargo::cargo_bin("raceline")
}

fn batch(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(binary())
        .args(["batch", "."])
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a batch prints at its end, without the time.
fn summary(output: &Output) -> String {
    let text = text(&output.stdout);
    text.rsplit_once(';').map_or(text.clone(), |(before, _)| before.to_owned())
}

/// The racing-line files of `folder`, each of which must be whole, and whatever is left over.
fn lines(folder: &Path) -> (BTreeMap<String, Vec<u8>>, Vec<String>) {
    let (mut lines, mut others) = (BTreeMap::new(), Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".raceline.json") {
            let bytes = fs::read(folder.join(&name)).unwrap();
            json::read(&bytes).unwrap_or_else(|error| panic!("{name} is broken: {error}"));
            lines.insert(name, bytes);
        } else if !(name.ends_with(".png") || name.ends_with(".toml")) {
            others.push(name);
        }
    }
    (lines, others)
}

#[test]
fn a_second_run_makes_nothing_and_one_changed_sidecar_one_line() {
    let folder = rings(3);
    let first = batch(folder.path(), &[]);
    assert_eq!((first.status.code(), summary(&first).as_str()), (Some(0), "3 tracks: 3 made"));
    assert!(text(&first.stderr).contains("[3/3] made ring"), "{}", text(&first.stderr));
    let second = batch(folder.path(), &[]);
    assert_eq!(summary(&second), "3 tracks: 3 up to date");
    assert!(second.stderr.is_empty());
    fs::write(folder.path().join("ring01.toml"), "seed = 7\n").unwrap();
    assert!(
        text(&batch(folder.path(), &["--dry-run"]).stdout).contains("make ring01: seed was 1, is 7\nup to date ring02")
    );
    assert_eq!(summary(&batch(folder.path(), &[])), "3 tracks: 1 made, 2 up to date");
    assert_eq!(summary(&batch(folder.path(), &["--only", "*02", "--force"])), "1 track: 1 made");
    assert_eq!(summary(&batch(folder.path(), &["--skip", "ring0[12]*", "--seed", "3"])), "1 track: 1 made");
    assert!(lines(folder.path()).1.is_empty());
}

#[test]
fn lines_go_under_another_folder_in_folders_like_their_tracks() {
    let folder = rings(1);
    fs::create_dir(folder.path().join("more")).unwrap();
    draw(&folder.path().join("more/ring.png"), 1.2);
    let run = batch(folder.path(), &["--out", "lines", "--jobs", "1", "--max-memory", "1M"]);
    assert_eq!(summary(&run), "2 tracks: 2 made", "{}", text(&run.stderr));
    assert!(folder.path().join("lines/more/ring.raceline.json").is_file());
    assert!(folder.path().join("lines/ring00.raceline.json").is_file());
    assert_eq!(summary(&batch(folder.path(), &["--out", "lines"])), "2 tracks: 2 up to date");
}

#[test]
fn a_failure_is_reported_in_the_reports_and_by_the_exit_code() {
    let folder = rings(2);
    fs::write(folder.path().join("broken.png"), "no picture").unwrap();
    let run = batch(folder.path(), &["--report", "report.json", "--junit", "junit.xml"]);
    assert_eq!((run.status.code(), summary(&run).as_str()), (Some(1), "3 tracks: 2 made, 1 failed"));
    let stderr = text(&run.stderr);
    assert!(stderr.contains("error: ./broken.png is not in a supported picture format: give a PNG"), "{stderr}");
    assert!(stderr.ends_with("error: 1 of 3 inputs failed\n"), "{stderr}");
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    assert_eq!(report["tracks"][0]["status"], "failed");
    assert_eq!(report["tracks"][1]["status"], "made");
    assert!(report["tracks"][1]["lap_time_s"].as_f64().unwrap() > 1.0);
    assert_eq!(report["tracks"][1]["stages"][0]["stage"], "reading");
    let junit = fs::read_to_string(folder.path().join("junit.xml")).unwrap();
    assert!(junit.contains(r#"tests="3" skipped="0" errors="1" failures="0""#), "{junit}");
    assert!(junit.contains(r#"<testcase name="broken" classname="tracks""#) && junit.contains("<error"), "{junit}");
}

#[test]
fn wrong_usage_exits_with_2_and_an_empty_folder_with_1() {
    let folder = rings(1);
    for (arguments, code, message) in [
        (&["--explain", "x"][..], 2, "--check"),
        (&["--check", "--force"], 2, "cannot be used with"),
        (&["--max-memory", "4X"], 2, "is not a size"),
        (&["--only", "a{b"], 2, "--only a{b"),
        (&["--lateral-tolerance-m=-1", "--check"], 2, "give a number, 0 or more"),
        (&["--metres-per-pixel", "0"], 2, "must be above 0 m"),
        (&["--vehicle", "nosuch"], 2, "nosuch"),
        (&["--only", "nosuch"], 1, "exclude all its tracks (1)"),
    ] {
        let run = batch(folder.path(), arguments);
        assert_eq!(run.status.code(), Some(code), "{arguments:?}: {}", text(&run.stderr));
        assert!(text(&run.stderr).contains(message), "{arguments:?}: {}", text(&run.stderr));
    }
    let empty = TempDir::new().unwrap();
    let run = batch(empty.path(), &[]);
    assert!(run.status.code() == Some(1) && text(&run.stderr).contains("it contains no picture or track"));
}

#[test]
fn a_check_passes_what_is_kept_and_reports_and_draws_where_it_drifted() {
    let folder = rings(2);
    batch(folder.path(), &[]);
    let check = batch(folder.path(), &["--check"]);
    assert_eq!((check.status.code(), summary(&check).as_str()), (Some(0), "2 tracks: 2 match"));
    let place = folder.path().join("ring01.raceline.json");
    let mut line = json::read(&fs::read(&place).unwrap()).unwrap();
    let (index, shift) = (line.points.len() / 2, 0.2);
    let heading = line.points[index].heading_rad;
    line.points[index].x_m += shift * heading.sin();
    line.points[index].y_m -= shift * heading.cos();
    let s = line.points[index].s_m;
    fs::write(&place, json::write(&line).unwrap()).unwrap();
    let before = fs::read(&place).unwrap();
    let check = batch(folder.path(), &["--check", "--explain", "drift", "--junit", "j.xml"]);
    assert_eq!((check.status.code(), summary(&check).as_str()), (Some(1), "2 tracks: 1 match, 1 drifted"));
    let stderr = text(&check.stderr);
    assert!(stderr.contains(&format!("farther to the left at s = {s:.1} m")), "{s}: {stderr}");
    assert!(
        folder.path().join("drift/ring01.1.svg").is_file()
            && folder.path().join("drift/ring01.raceline.json").is_file()
    );
    assert!(!folder.path().join("drift/ring00.raceline.json").exists());
    assert!(fs::read_to_string(folder.path().join("j.xml")).unwrap().contains("<failure"));
    assert_eq!(fs::read(&place).unwrap(), before, "a check writes nothing");
    let lenient = ["--check", "--lateral-tolerance-m", "0.3"];
    let judged = batch(folder.path(), &lenient);
    assert_eq!(judged.status.code(), Some(1));
    assert!(text(&judged.stderr).contains("ring01.raceline.json: the line to compare with is not sound: point "));
    let lenient = batch(folder.path(), &[&lenient[..], &["--no-verify"]].concat());
    assert_eq!(lenient.status.code(), Some(0), "{}", text(&lenient.stderr));
}

#[test]
fn the_number_of_threads_and_jobs_changes_no_byte() {
    let folder = rings(4);
    let made = [["1", "1"], ["2", "1"], ["2", "2"], ["4", "3"]].map(|[threads, jobs]| {
        let run = batch(folder.path(), &["--force", "--threads", threads, "--jobs", jobs]);
        assert_eq!(summary(&run), "4 tracks: 4 made");
        lines(folder.path()).0
    });
    assert!(made.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_listed_task_runs_by_itself() {
    let folder = rings(2);
    fs::write(folder.path().join("ring01.toml"), "seed = 7\n").unwrap();
    let list = text(&batch(folder.path(), &["--list"]).stdout);
    let rows: Vec<Vec<&str>> = list.lines().map(|line| line.split('\t').collect()).collect();
    // The longest comes first.
    let expected = ["./ring01.png", "./ring01.raceline.json", "./raceline.toml", "./ring01.toml"];
    assert_eq!(rows[0], expected);
    for row in rows {
        assert_eq!(summary(&batch(folder.path(), &["--only", row[0]])), "1 track: 1 made");
        assert!(folder.path().join(row[1]).is_file());
    }
}

/// When a batch is interrupted.
#[cfg(unix)]
#[derive(Clone, Copy)]
enum Moment {
    /// As soon as it has started.
    Start,
    /// As soon as a temporary file exists: in the middle of writing, or just after.
    Writing,
    /// As soon as so many lines are finished.
    Finished(usize),
}

/// Starts a batch that makes one track after another, sends `signal` at `moment`, and waits for its
/// end. The folder's contents decide when the signal is sent, not a clock. Returns whether the
/// signal arrived while tracks were left to make.
#[cfg(unix)]
fn is_interrupted(folder: &Path, signal: &str, moment: Moment) -> bool {
    // Started beforehand, because starting a process takes as long as making a small ring.
    let mut killer = Command::new("sh")
        .args(["-c", "read process && read now && kill \"$0\" \"$process\"", signal])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut orders = killer.stdin.take().unwrap();
    let mut command = Command::new(binary());
    command.args(["batch", ".", "--quiet", "--force", "--jobs", "1"]).current_dir(folder);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    writeln!(orders, "{}", child.id()).unwrap();
    let count = |ending: &str| {
        let names = fs::read_dir(folder).unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        names.filter(|name| name.ends_with(ending)).count()
    };
    let reached = || match moment {
        Moment::Start => true,
        // A line that is finished already has been written too.
        Moment::Writing => count(".tmp") > 0 || count(".raceline.json") > 0,
        Moment::Finished(lines) => count(".raceline.json") >= lines,
    };
    while !reached() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    writeln!(orders, "now").unwrap();
    killer.wait().unwrap();
    !child.wait().unwrap().success()
}

/// Whether this process, and so those that it starts, ignores SIGINT, as what a shell starts in the
/// background does.
#[cfg(unix)]
fn ignores_interrupts() -> bool {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    // SIGINT is number 2; bits are counted from number 1.
    let is_ignored = mask & 2 != 0;
    if is_ignored {
        println!("SIGINT is ignored here: SIGTERM takes its place");
    }
    is_ignored
}

/// Times that a signal may come too late, on a machine that is busy with other tests.
#[cfg(unix)]
const MAX_TRIES: usize = 50;

#[test]
#[cfg(unix)]
fn killed_at_any_moment_no_line_is_broken_and_the_next_run_finishes() {
    let folder = rings(6);
    batch(folder.path(), &[]);
    let (whole, _) = lines(folder.path());
    let rounds = [
        ("-KILL", Moment::Start),
        ("-INT", Moment::Start),
        ("-TERM", Moment::Writing),
        ("-KILL", Moment::Writing),
        ("-KILL", Moment::Finished(1)),
        ("-TERM", Moment::Finished(2)),
        ("-INT", Moment::Finished(3)),
        ("-KILL", Moment::Finished(4)),
    ];
    for (signal, moment) in rounds {
        let signal = if signal == "-INT" && ignores_interrupts() { "-TERM" } else { signal };
        let is_interrupted = (0..MAX_TRIES).any(|_| {
            whole.keys().for_each(|name| fs::remove_file(folder.path().join(name)).unwrap());
            if !matches!(moment, Moment::Writing) {
                // What a process leaves that is killed in the middle of writing.
                fs::write(folder.path().join(".raceline-left.tmp"), "{\"format\": ").unwrap();
            }
            is_interrupted(folder.path(), signal, moment)
        });
        assert!(is_interrupted, "{signal} always came after the batch had ended");
        let (found, _) = lines(folder.path());
        assert!(found.len() < whole.len() && found.iter().all(|(name, bytes)| whole[name] == *bytes));
        let run = batch(folder.path(), &[]);
        let expected = match (whole.len() - found.len(), found.len()) {
            (_, 0) => "6 tracks: 6 made".to_owned(),
            (made, kept) => format!("6 tracks: {made} made, {kept} up to date"),
        };
        assert_eq!(summary(&run), expected, "goes on where it stopped");
        assert_eq!(lines(folder.path()), (whole.clone(), Vec::new()), "no temporary file is left");
    }
}

#[test]
#[cfg(unix)]
fn a_temporary_file_that_is_being_written_is_no_leftover() {
    let folder = rings(1);
    let path = folder.path().join(".raceline-busy.tmp");
    let file = fs::File::create(&path).unwrap();
    file.lock().unwrap();
    batch(folder.path(), &[]);
    assert!(path.exists());
    // Not by closing the file: a process that another test starts at this moment holds a copy.
    file.unlock().unwrap();
    batch(folder.path(), &[]);
    assert!(!path.exists());
}

#[test]
#[cfg(unix)]
fn a_file_size_limit_leaves_no_half_file_whether_it_kills_or_not() {
    let folder = rings(3);
    batch(folder.path(), &[]);
    let (whole, _) = lines(folder.path());
    let shell = |script: &str| {
        let script = format!("ulimit -f 4; {script} exec \"$0\" batch . --force");
        Command::new("sh").args(["-c", &script]).arg(binary()).current_dir(folder.path()).output().unwrap()
    };
    // The signal is ignored: writing fails with an error.
    let refused = shell("trap '' XFSZ;");
    assert_eq!((refused.status.code(), summary(&refused).as_str()), (Some(1), "3 tracks: 3 failed"));
    assert!(text(&refused.stderr).contains("can't write ./ring00.raceline.json"), "{}", text(&refused.stderr));
    assert_eq!(lines(folder.path()), (whole.clone(), Vec::new()));
    // It isn't: the process dies while it writes.
    assert!(!shell("").status.success());
    assert_eq!(lines(folder.path()).0, whole);
    assert_eq!(summary(&batch(folder.path(), &["--force"])), "3 tracks: 3 made");
    assert_eq!(lines(folder.path()), (whole, Vec::new()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_fails_the_tracks_that_have_no_room_and_no_others() {
    let folder = rings(3);
    batch(folder.path(), &[]);
    let (whole, _) = lines(folder.path());
    let disk = folder.path().join("small");
    fs::create_dir(&disk).unwrap();
    // Room for one line.
    let size = format!("size={}", 4096 * 6 + whole.values().map(Vec::len).max().unwrap());
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "raceline-test"]).arg(&disk).output();
    match mount {
        Ok(output) if output.status.success() => {}
        Ok(output) => return println!("skipped: no tmpfs can be mounted: {}", text(&output.stderr).trim()),
        Err(error) => return println!("skipped: no tmpfs can be mounted: {error}"),
    }
    let run = batch(folder.path(), &["--out", "small", "--jobs", "1"]);
    let (made, others) = lines(&disk);
    let emptied = made.keys().try_for_each(|name| fs::remove_file(disk.join(name)));
    let unmounted = Command::new("umount").arg(&disk).status().unwrap();
    assert!(unmounted.success() && emptied.is_ok());
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    assert!((1..3).contains(&made.len()), "{:?}", made.keys());
    assert!(made.iter().all(|(name, bytes)| whole[name] == *bytes) && others.is_empty());
    assert!(text(&run.stderr).contains("can't write small/ring"), "{}", text(&run.stderr));
}
