//! Runs of the jobs with a knob moved, compared with those of the knobs as they are.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use super::building::Build;
use super::jobs::Job;
use super::rewriting::{Knob, Left, Source};
use super::tokens::tokens;

/// Factors by which a knob is moved.
pub const FACTORS: [f64; 2] = [0.8, 1.2];
/// A run that takes longer is ended and counts as failed, in times of the unmoved run and in seconds.
const PATIENCE: u32 = 10;
const PATIENCE_S: u64 = 10;

/// What a run gave.
#[derive(Debug, Clone, PartialEq)]
struct Result {
    /// Exit code; none if it was ended.
    code: Option<i32>,
    bytes: Vec<u8>,
}

impl Result {
    /// The lap time of a line or a drive, seconds; else the first number behind a name of a table.
    fn figure(&self) -> Option<f64> {
        let text = String::from_utf8_lossy(&self.bytes);
        ["\"lap_time_s\": ", "\"mean_lap_time_s\": ", "lateral_limit_mps2 = ", "\"time_s\": "].iter().find_map(|key| {
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
    /// Orders changes: what fails, then by the figure.
    pub fn size(&self) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::Bytes(_) => 1e-12,
            Self::Figure(fraction, _) => fraction.abs(),
            Self::Status(_) => f64::INFINITY,
        }
    }

    fn written(&self) -> String {
        match self {
            Self::Nothing => "nothing\t".to_owned(),
            Self::Bytes(job) => format!("bytes\t{job}"),
            Self::Figure(fraction, job) => format!("{fraction:e}\t{job}"),
            Self::Status(job) => format!("status\t{job}"),
        }
    }

    fn parse(kind: &str, job: &str) -> Option<Self> {
        Some(match kind {
            "nothing" => Self::Nothing,
            "bytes" => Self::Bytes(job.to_owned()),
            "status" => Self::Status(job.to_owned()),
            fraction => Self::Figure(fraction.parse().ok()?, job.to_owned()),
        })
    }
}

/// What is known of a knob.
#[derive(Debug)]
pub enum Outcome {
    /// It could not be moved, for this reason.
    Left(String),
    /// No job reads it.
    Unread,
    /// It was not measured yet.
    Unmeasured,
    /// What changes by each of the factors.
    Changes([Change; 2]),
}

/// A knob and what hangs on it.
#[derive(Debug)]
pub struct Effect {
    pub knob: Knob,
    pub outcome: Outcome,
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
    let mut command = Command::new(&build.program);
    command.current_dir(&build.folder).args(&job.arguments).args(["--quiet", "--threads", "1"]);
    // Traces of drives and pages would only repeat what is printed.
    if !job.arguments.iter().any(|argument| argument == "--json") {
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

/// Measurements by path, name and number of the factor, kept in a file.
#[derive(Debug)]
pub struct Measurements {
    file: PathBuf,
    changes: BTreeMap<(String, String, usize), Change>,
}

impl Measurements {
    /// Those of the same sources and jobs; of others, none.
    pub fn open(work: &Path, sources: &[Source], jobs: &[Job]) -> anyhow::Result<Self> {
        let mut hasher = DefaultHasher::new();
        for source in sources {
            source.path.hash(&mut hasher);
            tokens(&source.text).iter().for_each(|token| token.text.hash(&mut hasher));
        }
        jobs.iter().for_each(|job| (&job.name, &job.arguments).hash(&mut hasher));
        let head = format!("sources {:016x}", hasher.finish());
        let file = work.join("measurements.tsv");
        let written = fs::read_to_string(&file).unwrap_or_default();
        let mut lines = written.lines();
        let mut changes = BTreeMap::new();
        if lines.next() == Some(&head) {
            for line in lines {
                if let [path, name, factor, kind, job] = line.split('\t').collect::<Vec<_>>()[..]
                    && let (Ok(factor), Some(change)) = (factor.parse(), Change::parse(kind, job))
                {
                    changes.insert((path.to_owned(), name.to_owned(), factor), change);
                }
            }
        } else {
            fs::write(&file, head + "\n")?;
        }
        Ok(Self { file, changes })
    }

    /// Moves a knob by both factors in all jobs that read it.
    pub fn measure(
        &mut self,
        build: &Build,
        work: &Path,
        jobs: &[Job],
        unmoved: &Unmoved,
        number: usize,
        knob: &Knob,
    ) -> anyhow::Result<()> {
        for (which, factor) in FACTORS.into_iter().enumerate() {
            let key = (knob.path.clone(), knob.constant.name.clone(), which);
            if self.changes.contains_key(&key) || !unmoved.read.iter().any(|read| read.contains(&number)) {
                continue;
            }
            let mut largest = Change::Nothing;
            for (index, job) in jobs.iter().enumerate().filter(|(index, _)| unmoved.read[*index].contains(&number)) {
                let patience = Duration::from_secs(PATIENCE_S) + PATIENCE * unmoved.times[index];
                let moved = run(build, work, job, &[("RACELINE_KNOB", format!("{number}:{factor}"))], patience)?;
                let change = compared(&unmoved.results[index], &moved, &job.name);
                if change.size() > largest.size() {
                    largest = change;
                }
            }
            let line = format!("{}\t{}\t{which}\t{}\n", key.0, key.1, largest.written());
            eprint!("{line}");
            let mut file = OpenOptions::new().append(true).open(&self.file).context("measurements.tsv")?;
            file.write_all(line.as_bytes())?;
            self.changes.insert(key, largest);
        }
        Ok(())
    }

    /// What is known of each knob.
    pub fn effects(&self, knobs: &[Knob], unmoved: &Unmoved, left: &Left) -> Vec<Effect> {
        let change = |knob: &Knob, which| {
            let (path, name) = knob.key();
            self.changes.get(&(path, name, which)).cloned()
        };
        let outcome = |number: usize, knob: &Knob| {
            if let Some(reason) = left.get(&knob.key()) {
                return Outcome::Left(reason.clone());
            }
            if !unmoved.read.iter().any(|read| read.contains(&number)) {
                return Outcome::Unread;
            }
            match (change(knob, 0), change(knob, 1)) {
                (Some(down), Some(up)) => Outcome::Changes([down, up]),
                _ => Outcome::Unmeasured,
            }
        };
        knobs
            .iter()
            .enumerate()
            .map(|(number, knob)| Effect { knob: knob.clone(), outcome: outcome(number, knob) })
            .collect()
    }
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
