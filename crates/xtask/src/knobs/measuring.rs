//! Runs of the jobs with a knob moved, compared with those of the knobs as they are.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::ensure;

use super::building::Build;
use super::jobs::Job;

/// Factors by which a knob is moved …
pub const FACTORS: [f64; 2] = [0.8, 1.2];
/// … and one that changes nothing by these.
pub const FAR_FACTORS: [f64; 2] = [1.0 / 16.0, 16.0];
/// A run that takes longer is ended and counts as failed, in times of the unmoved run and in seconds.
const PATIENCE: u32 = 20;
const PATIENCE_S: u64 = 60;

/// What a run gave.
#[derive(Debug, Clone, PartialEq)]
struct Result {
    /// Exit code; none if it was ended.
    code: Option<i32>,
    bytes: Vec<u8>,
}

impl Result {
    /// The lap time of a line or a drive, s; the lateral limit that a fit found, m/s²; the distance that the vehicles
    /// of a scene drove, m.
    fn figure(&self) -> Option<f64> {
        let text = String::from_utf8_lossy(&self.bytes);
        let keys =
            ["\"lap_time_s\": ", "\"mean_lap_time_s\": ", "lateral_limit_mps2 = ", "\"time_s\": ", "\"driven_m\": "];
        keys.iter().find_map(|key| {
            let number = &text[text.find(key)? + key.len()..];
            number[..number.find([',', '\n', '}'])?].trim().parse().ok()
        })
    }
}

/// The jobs with all knobs as they are.
#[derive(Debug)]
pub struct Unmoved {
    results: Vec<Result>,
    times: Vec<Duration>,
    /// Numbers of the knobs that each job reads.
    read: Vec<BTreeSet<usize>>,
    /// Goldens whose bytes the rewritten program makes, and all of them.
    pub goldens: (usize, usize),
}

impl Unmoved {
    /// Whether a job reads the knob of this number.
    pub fn reads(&self, number: usize) -> bool {
        self.read.iter().any(|read| read.contains(&number))
    }
}

/// A knob has much hanging on it if its move changes a figure by this fraction.
pub const MUCH: f64 = 5e-3;

/// What a move of a knob changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// No byte.
    Nothing,
    /// Bytes, but no figure.
    Bytes(String),
    /// A figure, by this fraction, in this job more than in the others.
    Figure(f64, String),
    /// This job fails, or succeeds where it failed.
    Status(String),
}

impl Change {
    /// Whether a job fails or its figure changes by half a per cent or more.
    pub fn is_much(&self) -> bool {
        self.size() >= MUCH
    }

    /// Orders changes: what fails, then by the figure.
    pub fn size(&self) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::Bytes(_) => 1e-12,
            Self::Figure(fraction, _) => fraction.abs(),
            Self::Status(_) => f64::INFINITY,
        }
    }

    /// The job that changes most.
    pub fn job(&self) -> Option<&str> {
        match self {
            Self::Nothing => None,
            Self::Bytes(job) | Self::Figure(_, job) | Self::Status(job) => Some(job),
        }
    }

    /// Kind and job, as they stand in the table.
    pub fn written(&self) -> String {
        match self {
            Self::Nothing => "nothing\t".to_owned(),
            Self::Bytes(job) => format!("bytes\t{job}"),
            Self::Figure(fraction, job) => format!("{fraction:.3e}\t{job}"),
            Self::Status(job) => format!("status\t{job}"),
        }
    }

    pub fn parse(kind: &str, job: &str) -> Option<Self> {
        Some(match kind {
            "nothing" => Self::Nothing,
            "bytes" => Self::Bytes(job.to_owned()),
            "status" => Self::Status(job.to_owned()),
            fraction => Self::Figure(fraction.parse().ok()?, job.to_owned()),
        })
    }
}

/// Runs all jobs unmoved, twice: the same input must give the same bytes.
pub fn unmoved(build: &Build, work: &Path, jobs: &[Job]) -> anyhow::Result<Unmoved> {
    let trace = work.join("trace");
    let mut unmoved = Unmoved { results: Vec::new(), times: Vec::new(), read: Vec::new(), goldens: (0, 0) };
    for job in jobs {
        let _ = fs::remove_file(&trace);
        let patience = Duration::from_secs(60);
        let traced = run(build, work, job, &[("RACELINE_KNOB_TRACE", trace.to_string_lossy().into_owned())], patience)?;
        let start = Instant::now();
        let result = run(build, work, job, &[], patience)?;
        unmoved.times.push(start.elapsed());
        ensure!(result.code.is_some(), "{} takes too long", job.name);
        ensure!(result == traced, "{} gives other bytes the second time", job.name);
        if result.code != Some(0) {
            eprintln!("{} fails with the knobs as they are", job.name);
        }
        if let Some(name) = job.name.strip_prefix("golden ") {
            let golden = fs::read(build.folder.join(format!("tracks/{name}.raceline.json")))?;
            unmoved.goldens.0 += usize::from(result.bytes == golden);
            unmoved.goldens.1 += 1;
        }
        let numbers = fs::read_to_string(&trace).unwrap_or_default();
        unmoved.read.push(numbers.lines().filter_map(|line| line.parse().ok()).collect());
        eprintln!(
            "{}: {} ms, {} knobs",
            job.name,
            start.elapsed().as_millis(),
            unmoved.read.last().map_or(0, BTreeSet::len)
        );
        unmoved.results.push(result);
    }
    let _ = fs::remove_file(&trace);
    Ok(unmoved)
}

/// Runs a job; it is ended after `patience`.
fn run(
    build: &Build,
    work: &Path,
    job: &Job,
    settings: &[(&str, String)],
    patience: Duration,
) -> anyhow::Result<Result> {
    let (output, printed) = (work.join("output"), work.join("printed"));
    let _ = fs::remove_file(&output);
    let mut command = Command::new(&job.program);
    command.current_dir(&build.folder).args(&job.arguments);
    // Traces of drives and pages would only repeat what is printed.
    if job.program == build.program && !job.arguments.iter().any(|argument| argument == "--json") {
        command.arg("-o").arg(&output);
    }
    command.envs(settings.iter().map(|(key, value)| (key, value))).stdin(Stdio::null());
    let mut child = command.stdout(File::create(&printed)?).stderr(Stdio::null()).spawn()?;
    let start = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait()? {
            // A signal counts as the end of a program that failed.
            break Some(status.code().unwrap_or(-1));
        }
        if start.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            break None;
        }
        sleep(Duration::from_millis(3));
    };
    let bytes = [fs::read(&output).unwrap_or_default(), fs::read(&printed)?].concat();
    Ok(Result { code, bytes })
}

/// Changes of a knob by each of the factors, and how many of the jobs that read it were run.
#[derive(Debug)]
pub struct Measured {
    pub changes: [Change; 2],
    pub run: usize,
    pub reading: usize,
}

/// How a knob is moved.
#[derive(Debug)]
pub struct Moves {
    /// The knob's number.
    pub number: usize,
    pub factors: [f64; 2],
    /// No further job is started for a factor after this time …
    pub limit: Duration,
    /// … or after a change of this size, see [`Change::size`].
    pub enough: f64,
}

/// Moves a knob by both factors in the jobs that read it, the shortest first; none if no job reads it.
pub fn measure(
    build: &Build,
    work: &Path,
    jobs: &[Job],
    unmoved: &Unmoved,
    moves: &Moves,
) -> anyhow::Result<Option<Measured>> {
    let Moves { number, factors, limit, enough } = *moves;
    let mut reading: Vec<usize> = (0..jobs.len()).filter(|&job| unmoved.read[job].contains(&number)).collect();
    reading.sort_by_key(|&job| unmoved.times[job]);
    if reading.is_empty() {
        return Ok(None);
    }
    let mut run_of_both = 0;
    let mut changes = factors.map(|_| Change::Nothing);
    for (factor, largest) in factors.into_iter().zip(&mut changes) {
        let start = Instant::now();
        let mut runs = 0;
        for &index in &reading {
            if start.elapsed() >= limit || largest.size() >= enough {
                break;
            }
            let patience = Duration::from_secs(PATIENCE_S) + PATIENCE * unmoved.times[index];
            let moved = run(build, work, &jobs[index], &[("RACELINE_KNOB", format!("{number}:{factor}"))], patience)?;
            let change = compared(&unmoved.results[index], &moved, &jobs[index].name);
            if change.size() > largest.size() {
                *largest = change;
            }
            runs += 1;
        }
        run_of_both = run_of_both.max(runs);
    }
    Ok(Some(Measured { changes, run: run_of_both, reading: reading.len() }))
}

fn compared(unmoved: &Result, moved: &Result, job: &str) -> Change {
    if moved.code != unmoved.code {
        return Change::Status(job.to_owned());
    }
    if moved.bytes == unmoved.bytes {
        return Change::Nothing;
    }
    match (unmoved.figure(), moved.figure()) {
        (Some(before), Some(after)) if before != after => Change::Figure(after / before - 1.0, job.to_owned()),
        _ => Change::Bytes(job.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Result, compared};

    fn result(code: i32, text: &str) -> Result {
        Result { code: Some(code), bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn a_lap_time_counts_more_than_bytes_and_a_failure_more_than_both() {
        let before = result(0, "{\"lap_time_s\": 50.0, \"x\": 1}");
        let compare = |after: &Result| compared(&before, after, "job");
        assert_eq!(compare(&before), Change::Nothing);
        assert_eq!(compare(&result(0, "{\"lap_time_s\": 50.0, \"x\": 2}")), Change::Bytes("job".to_owned()));
        let Change::Figure(fraction, _) = compare(&result(0, "{\"lap_time_s\": 51.0, \"x\": 1}")) else {
            panic!("the lap time changed");
        };
        assert!((fraction - 0.02).abs() < 1e-12);
        assert_eq!(compare(&result(1, "")), Change::Status("job".to_owned()));
    }

    #[test]
    fn changes_are_read_as_they_were_written() {
        let job = || "plan A*".to_owned();
        for change in [Change::Nothing, Change::Bytes(job()), Change::Figure(-0.0125, job()), Change::Status(job())] {
            let written = change.written();
            let (kind, job) = written.split_once('\t').unwrap();
            assert_eq!(Change::parse(kind, job), Some(change));
        }
    }
}
