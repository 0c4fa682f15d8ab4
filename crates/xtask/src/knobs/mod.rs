//! What hangs on each named constant: every knob is moved by a fifth down and up, and the program's results are
//! compared with those of the constants as they are.
//!
//! The knobs are found by scanning the sources, so renaming one needs no change here. A copy of the repository in
//! `target/knobs` is built with constants that an environment variable moves. The jobs run once unmoved, which
//! also records which knobs each of them reads; then each knob is moved in the jobs that read it. What was
//! measured is kept in `target/knobs`, so that an interrupted run goes on.

mod building;
mod constants;
mod jobs;
mod measuring;
mod report;
mod rewriting;
mod tokens;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

/// The report, from the top of the repository.
const REPORT: &str = "docs/notes/knobs.md";

/// Options of `xtask knobs`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// List the knobs, and stop
    #[arg(long)]
    list: bool,
    /// Move only knobs whose path or name contains this; prints the effects and leaves the report as it is
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Stop moving knobs after this time; the next run goes on from there
    #[arg(long, value_name = "MINUTES", default_value_t = 60)]
    minutes: u64,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Measures the knobs and writes the report.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let root = root().canonicalize()?;
    let work = root.join("target/knobs");
    let sources = building::sources(&root, &building::tracked(&root)?)?;
    let knobs = rewriting::knobs(&sources);
    if options.list {
        for knob in &knobs {
            println!("{}:{}: {} = {}", knob.path, knob.constant.line, knob.constant.name, knob.constant.value);
        }
        println!("{} knobs", knobs.len());
        return Ok(());
    }
    let start = Instant::now();
    let build = building::build(&root, &work, &sources, &knobs)?;
    eprintln!("{} knobs, {} left as they are; built in {} s", knobs.len(), build.left.len(), start.elapsed().as_secs());
    let jobs = jobs::prepare(&build, &work)?;
    let mut measurements = measuring::Measurements::open(&work, &sources, &jobs)?;
    let unmoved = measuring::unmoved(&build, &work, &jobs)?;
    let deadline = Instant::now() + Duration::from_secs(60 * options.minutes);
    for (number, knob) in knobs.iter().enumerate() {
        let text = options.only.as_deref().unwrap_or_default();
        let is_meant = knob.path.contains(text) || knob.constant.name.contains(text);
        if is_meant && !build.left.contains_key(&knob.key()) && Instant::now() < deadline {
            measurements.measure(&build, &work, &jobs, &unmoved, number, knob)?;
        }
    }
    let effects = measurements.effects(&knobs, &unmoved, &build.left);
    if options.only.is_some() {
        print!("{}", report::table(&effects, options.only.as_deref().unwrap_or_default()));
        return Ok(());
    }
    let path = root.join(REPORT);
    let written = fs::read_to_string(&path).unwrap_or_default();
    let text = report::report(&written, &effects, &jobs, &unmoved);
    fs::create_dir_all(root.join("docs/notes"))?;
    fs::write(&path, text).with_context(|| path.display().to_string())?;
    println!("{}", path.display());
    Ok(())
}
