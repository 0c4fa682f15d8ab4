//! What hangs on each named constant: every knob is moved by a fifth down and up, and the program's results are
//! compared with those of the constants as they are.
//!
//! The knobs are found by scanning the sources, so renaming one needs no change here. A copy of the repository in
//! `target/knobs` is built with constants that an environment variable moves. The jobs run once unmoved, which
//! also records which knobs each of them reads; then each knob is moved in the jobs that read it. Those that change
//! nothing by a fifth are moved by a factor of 16 with `--far`, which shows what has no effect at all. What was measured,
//! and what each constant is, stands in the table `docs/notes/knobs.tsv`: the next run goes on from it, and the report
//! is written from it.

mod building;
mod constants;
mod jobs;
mod measuring;
mod report;
mod rewriting;
mod table;
mod tokens;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use rewriting::{Knob, Left, Source};
use table::{Effect, Outcome, Table};

/// The report, from the top of the repository.
const REPORT: &str = "docs/notes/knobs.md";

/// Options of `xtask knobs`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// List the knobs, and stop
    #[arg(long)]
    list: bool,
    /// Bring the table up to date with the sources and write the report from it, without measuring
    #[arg(long)]
    report: bool,
    /// Move only knobs whose path or name contains this, and print the effects
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Move those too that were measured before
    #[arg(long)]
    again: bool,
    /// Move knobs that change nothing by a fifth, down and up by a factor of 16
    #[arg(long)]
    far: bool,
    /// Stop moving knobs after this time; the next run goes on from there
    #[arg(long, value_name = "MINUTES", default_value_t = 60)]
    minutes: u64,
    /// Start no further job for one direction of a knob after this time
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Measures the knobs and writes the report.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let root = root().canonicalize()?;
    let sources = building::sources(&root, &building::tracked(&root)?)?;
    let knobs = rewriting::knobs(&sources);
    if options.list {
        for knob in &knobs {
            println!("{}:{}: {} = {}", knob.path, knob.constant.line, knob.constant.name, knob.constant.value);
        }
        println!("{} knobs", knobs.len());
        return Ok(());
    }
    let mut table = Table::open(&root, &knobs)?;
    if !options.report {
        measure(options, &root, &sources, &knobs, &mut table)?;
    }
    table.write(&root)?;
    let path = root.join(REPORT);
    let written = fs::read_to_string(&path).unwrap_or_default();
    fs::write(&path, report::report(&written, &table)).with_context(|| path.display().to_string())?;
    if let Some(text) = &options.only {
        print!("{}", report::table(&table, text));
    }
    for constant in table.unclassified() {
        println!("{constant} has the class `?` in {}: write knob, guard or fixed there", table::TABLE);
    }
    for constant in &table.gone {
        println!("{constant} is gone");
    }
    println!("{REPORT} and {}", table::TABLE);
    Ok(())
}

/// Builds the copy, and moves the knobs that are to be measured; the table is written after each.
fn measure(
    options: &Options,
    root: &Path,
    sources: &[Source],
    knobs: &[Knob],
    table: &mut Table,
) -> anyhow::Result<()> {
    let work = root.join("target/knobs");
    let start = Instant::now();
    let left = if options.again { Left::new() } else { table.left() };
    let build = building::build(root, &work, sources, knobs, left)?;
    eprintln!("{} knobs, {} left as they are; built in {} s", knobs.len(), build.left.len(), start.elapsed().as_secs());
    let jobs = jobs::prepare(&build, &work)?;
    let unmoved = measuring::unmoved(&build, &work, &jobs)?;
    for (number, effect) in table.effects.iter_mut().enumerate() {
        effect.outcome = match &effect.outcome {
            _ if build.left.contains_key(&effect.knob.key()) => Outcome::Left(build.left[&effect.knob.key()].clone()),
            _ if !unmoved.reads(number) => Outcome::Unread,
            Outcome::Left(_) | Outcome::Unread => Outcome::Unmeasured,
            measured => measured.clone(),
        };
    }
    let commit = commit(root)?;
    let text = options.only.as_deref().unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs(60 * options.minutes);
    let mut numbers: Vec<usize> = (0..knobs.len())
        .filter(|&number| match &table.effects[number] {
            effect if options.far => effect.is_inert() && (options.again || effect.far.is_none()),
            Effect { outcome: Outcome::Unmeasured, .. } => true,
            Effect { outcome: Outcome::Changes(_), .. } => options.again,
            Effect { outcome: Outcome::Left(_) | Outcome::Unread, .. } => false,
        })
        .filter(|&number| knobs[number].path.contains(text) || knobs[number].constant.name.contains(text))
        .collect();
    // Tuning constants first.
    numbers.sort_by_key(|&number| table.effects[number].class);
    for number in numbers {
        if Instant::now() >= deadline {
            break;
        }
        let limit = Duration::from_secs(options.seconds);
        let factors = if options.far { measuring::FAR_FACTORS } else { measuring::FACTORS };
        let moves = measuring::Moves {
            number,
            factors,
            limit,
            enough: if options.far { f64::MIN_POSITIVE } else { f64::INFINITY },
        };
        let Some(measured) = measuring::measure(&build, &work, &jobs, &unmoved, &moves)? else { continue };
        let Knob { path, constant } = &knobs[number];
        eprintln!("{path}: {}: {:?}", constant.name, measured.changes);
        let effect = &mut table.effects[number];
        if options.far {
            effect.far = Some(measured.changes);
        } else {
            (effect.outcome, effect.far) = (Outcome::Changes(measured.changes), None);
            effect.measured = format!("{commit}, {} of {} jobs", measured.run, measured.reading);
        }
        table.write(root)?;
    }
    Ok(())
}

/// Day and name of the commit whose constants are measured.
fn commit(root: &Path) -> anyhow::Result<String> {
    let output = Command::new("git").current_dir(root).args(["log", "-1", "--format=%cs %h"]).output()?;
    ensure!(output.status.success(), "git log failed");
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
