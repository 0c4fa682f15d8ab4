//! What a command leaves when a call of the system fails, is interrupted, writes a part, or is the
//! last of a process: the old file or the new one, an exit code, a message, and nothing else after
//! the next run.
//!
//! A test spoils a part of the calls; `RACELINE_SPOIL_EVERY_CALL=1 cargo test -p raceline-cli --test
//! suite faults::` spoils every one, in about ten minutes.
//!
//! The calls are counted and spoilt by a library in C that the program loads; see
//! `faults/faults.c`.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

mod served;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use raceline::drive::{DriveOptions, drive, trace_csv};
use raceline::file::json;
use tempfile::TempDir;

use crate::sample_lines;

/// What happens at a call: as `faults.c` reads it.
const FULL: &str = "28";
const DEFECTIVE: &str = "5";
const GONE: &str = "2";
const INTERRUPTED: &str = "4";
const SHORT: &str = "short";
const KILLED: &str = "kill";
/// What the outputs are before the run.
const OLD: &[u8] = b"what was there before\n";

/// The library, built once; `None` where there is no compiler or the kernel has no filter of calls.
fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = LIBRARY.get_or_init(|| {
        let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/faults/faults.c"));
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}.so", std::process::id()));
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let arguments = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o"];
        let built = Command::new(&compiler).args(arguments).arg(&library).arg(source).output();
        let output = built.map_err(|error| format!("{compiler}: {error}"))?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut probe = Command::new(assert_cmd::cargo::cargo_bin("raceline"));
        let probe = spoil(&mut probe, &library, "any:0:count").arg("--version").output().unwrap();
        match probe.status.code() {
            Some(0) => Ok(library),
            _ => Err(String::from_utf8_lossy(&probe.stderr).into_owned()),
        }
    });
    match built {
        Ok(library) => Some(library),
        Err(reason) => {
            println!("skipped: calls cannot be spoilt: {reason}");
            None
        }
    }
}

fn spoil<'a>(command: &'a mut Command, library: &Path, fault: &str) -> &'a mut Command {
    command.env("LD_PRELOAD", library).env("FAULT", fault)
}

/// A command that writes.
struct Job {
    arguments: &'static [&'static str],
    /// Files that exist before the run, beside the inputs.
    outputs: &'static [&'static str],
}

const JOBS: [Job; 14] = [
    Job { arguments: &["optimize", "ring.csv", "--method", "shortest-path", "-o", "a.json"], outputs: &["a.json"] },
    Job { arguments: &["extract", "ring.csv", "-o", "a.track.json"], outputs: &["a.track.json"] },
    Job { arguments: &["generate", "--style", "kart", "--format", "csv", "-o", "a.csv"], outputs: &["a.csv"] },
    Job { arguments: &["generate", "--style", "kart", "--count", "2", "--format", "png", "-o", "made/"], outputs: &[] },
    Job { arguments: &["render", "line.json", "-o", "a.svg"], outputs: &["a.svg"] },
    Job { arguments: &["render", "line.json", "-o", "a.png"], outputs: &["a.png"] },
    Job { arguments: &["render", "line.json", "-o", "a.html"], outputs: &["a.html"] },
    Job { arguments: &["export", "line.json", "-f", "tum", "-o", "a.csv"], outputs: &["a.csv"] },
    Job {
        arguments: &["sweep", "ring.csv", "--fixed-line", "--vary", "mass_kg=0.9x,1x", "-o", "a.csv"],
        outputs: &["a.csv"],
    },
    Job {
        arguments: &["drive", "line.json", "--follower", "profile", "--speed-share", "0.5", "-o", "a.csv"],
        outputs: &["a.csv"],
    },
    Job { arguments: &["verify", "spoilt.json", "--drawing", "a.svg"], outputs: &["a.svg"] },
    Job { arguments: &["calibrate", "driven.csv", "--base", "gt", "-o", "a.toml"], outputs: &["a.toml"] },
    Job { arguments: &["man", "pages"], outputs: &[] },
    Job {
        arguments: &["batch", ".", "--only", "ring*", "--method", "shortest-path", "--jobs", "1"],
        outputs: &["ring.raceline.json"],
    },
];

/// The inputs of all jobs, and what stands where a job writes.
fn folder(outputs: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let row = |i: i32| {
        let angle = std::f64::consts::TAU * f64::from(i) / 60.0;
        format!("{:.3},{:.3},5,5\n", 60.0 * angle.cos(), 60.0 * angle.sin())
    };
    let ring = format!("# x_m,y_m,w_tr_right_m,w_tr_left_m\n{}", (0..60).map(row).collect::<String>());
    write("ring.csv", ring.as_bytes());
    write("ring-2.csv", ring.as_bytes());
    let mut line = sample_lines::stadium();
    write("line.json", &json::write(&line).unwrap());
    line.points[7].left_m += 0.5;
    write("spoilt.json", &json::write(&line).unwrap());
    write("driven.csv", telemetry().as_bytes());
    outputs.iter().for_each(|name| write(name, OLD));
    folder
}

/// The trace of a lap, made once.
fn telemetry() -> &'static str {
    static TRACE: OnceLock<String> = OnceLock::new();
    TRACE.get_or_init(|| {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/hairpin.raceline.json");
        let line = json::read(&fs::read(path).unwrap()).unwrap();
        let driven = drive(&line, &line.vehicle, &DriveOptions { laps: 1, ..DriveOptions::default() }).unwrap();
        trace_csv::write(&driven.trace)
    })
}

fn run(job: &Job, folder: &Path, fault: Option<&str>) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("raceline"));
    command.current_dir(folder).env("NO_COLOR", "1").args(job.arguments).args(["--threads", "1"]);
    if let (Some(fault), Some(library)) = (fault, library()) {
        spoil(&mut command, library, fault).env("FAULT_COUNT", folder.join(".count"));
    }
    command.output().unwrap()
}

/// Every file below `folder` with its contents.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// The name of a temporary file of the program.
fn is_temporary(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|name| name.to_string_lossy().starts_with(".raceline-"))
}

/// The number of calls of a kind that a job makes, and the files after it.
fn undisturbed(job: &Job, kind: &str) -> (usize, BTreeMap<String, Vec<u8>>) {
    let folder = folder(job.outputs);
    let output = run(job, folder.path(), Some(&format!("{kind}:0:count")));
    let stderr = String::from_utf8_lossy(&output.stderr);
    // A line that is not sound is reported.
    let wanted = if job.arguments[0] == "verify" { 1 } else { 0 };
    assert_eq!(output.status.code(), Some(wanted), "{:?}: {stderr}", job.arguments);
    let count = fs::read_to_string(folder.path().join(".count")).unwrap().parse().unwrap();
    fs::remove_file(folder.path().join(".count")).unwrap();
    (count, contents(folder.path()))
}

/// Every call is spoilt where this environment variable is set, otherwise one of [`STRIDE`] and the
/// last ones.
const EVERY_CALL: &str = "RACELINE_SPOIL_EVERY_CALL";
/// One call of this number is spoilt.
const STRIDE: usize = 5;
/// Number of calls at the end that are always spoilt: an output is written, synchronised and renamed
/// by them.
const LAST_CALLS: usize = 4;

/// The calls that are spoilt of so many. The first of them differs by job and action, so that the
/// jobs together meet all kinds of calls.
fn spoilt_calls(count: usize, job: &Job, action: &str) -> Vec<usize> {
    let first = job.arguments.iter().map(|argument| argument.len()).sum::<usize>() + action.len();
    let is_spoilt = |number: &usize| number % STRIDE == first % STRIDE || number + LAST_CALLS > count;
    let is_all = std::env::var_os(EVERY_CALL).is_some();
    (1..=count).filter(|number| is_all || is_spoilt(number)).collect()
}

/// Spoils those calls of a kind that `select` chooses of their number, with an action. Returns the
/// number of all calls, of the runs, and of those that did their task.
fn spoil_calls(job: &Job, kind: &str, action: &str, select: impl Fn(usize) -> Vec<usize>) -> [usize; 3] {
    let (count, whole) = undisturbed(job, kind);
    assert!(count >= 4, "{:?} has {count} calls only", job.arguments);
    let spoilt = select(count);
    let mut done = 0;
    for &number in &spoilt {
        let folder = folder(job.outputs);
        let before = contents(folder.path());
        let output = run(job, folder.path(), Some(&format!("{kind}:{number}:{action}")));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let place = format!("{:?}, call {number} of {count}, {action}: {stderr}", job.arguments);
        assert!(!stderr.contains("panicked"), "{place}");
        let after = contents(folder.path());
        for (name, bytes) in &after {
            let is_old = before.get(name) == Some(bytes);
            let is_new = whole.get(name) == Some(bytes);
            let is_left = is_temporary(name) && action == KILLED;
            assert!(is_old || is_new || is_left, "{name} is neither old nor new: {place}");
        }
        assert!(before.keys().all(|name| after.contains_key(name)), "a file is gone: {place}");
        let is_whole = whole.iter().all(|(name, new)| after.get(name) == Some(new));
        match output.status.code() {
            None => assert_eq!(action, KILLED, "{place}"),
            Some(0) => {
                assert!(is_whole, "a failure is hidden: {place}");
                done += 1;
            }
            Some(1) if job.arguments[0] == "verify" && is_whole => done += 1,
            Some(1) => {
                assert!(action != SHORT, "a part that was written is not the end: {place}");
                let named = after.keys().chain(whole.keys()).any(|name| stderr.contains(name.as_str()));
                assert!(stderr.contains("error: ") && stderr.contains("can't") && named, "{place}");
            }
            code => panic!("exit code {code:?}: {place}"),
        }
        // The next run removes what is left. Where nothing is, it is the run that was counted.
        if action != KILLED {
            continue;
        }
        let again = run(job, folder.path(), None);
        let found = contents(folder.path());
        let place = format!("after {place}\n{}", String::from_utf8_lossy(&again.stderr));
        assert_eq!(found.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>(), "{place}");
        assert!(found == whole, "{place}");
    }
    [count, spoilt.len(), done]
}

/// Spoils calls of every job with these actions, and prints a table.
fn spoil_all(actions: &[&str]) {
    if library().is_none() {
        return;
    }
    let (mut runs, mut done) = (0, 0);
    for job in &JOBS {
        for action in actions {
            let [_, spoilt, succeeded] = spoil_calls(job, "any", action, |count| spoilt_calls(count, job, action));
            println!("{:10} {action:>6}: {spoilt:3} calls, {succeeded:3} runs did their task", job.arguments[0]);
            runs += spoilt;
            done += succeeded;
        }
    }
    println!("{runs} runs, {done} did their task");
}

#[test]
fn a_full_disk_at_any_call_of_any_command_leaves_the_old_file_or_the_new_one() {
    spoil_all(&[FULL]);
}

#[test]
fn a_defective_disk_or_a_folder_that_vanishes_leaves_the_old_file_or_the_new_one() {
    spoil_all(&[DEFECTIVE, GONE]);
}

#[test]
fn an_interrupted_call_and_a_part_that_is_written_are_continued() {
    spoil_all(&[INTERRUPTED, SHORT]);
}

#[test]
fn killed_at_any_call_of_any_command_the_next_run_leaves_nothing_else() {
    spoil_all(&[KILLED]);
}

/// The number of kills that `tests/kills` spreads over calls of every kind, also those that read, list,
/// remove and serve; none for the tests of every day, which kill a few.
fn wanted_kills() -> Option<usize> {
    std::env::var("RACELINE_KILLS").ok()?.parse().ok()
}

#[test]
fn kills_spread_over_the_calls_of_every_command_leave_the_old_file_or_the_new_one() {
    if library().is_none() {
        return;
    }
    // The server has a fifth of them.
    let each = wanted_kills().map(|kills| (kills * 4 / 5).div_ceil(JOBS.len()));
    let (jobs, each) = match each {
        Some(each) => (&JOBS[..], each),
        None => (&JOBS[1..3], 2),
    };
    let mut all = 0;
    for job in jobs {
        let spread = |count: usize| (1..=each.min(count)).map(|k| k * count / each.min(count)).collect();
        let [count, runs, done] = spoil_calls(job, "call", KILLED, spread);
        println!("| `{}` | {count} | {runs} | {} |", job.arguments.join(" "), runs - done);
        all += runs;
    }
    println!("{all} kills");
}
