//! The progress of a batch: bars on a terminal, one line per track elsewhere.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::ColorChoice;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use raceline::RacingLine;
use raceline::analysis::drift::Drift;
use raceline::batch::{Observer, Status, Task, TaskError, TaskReport};

use super::GlobalFlags;
use super::advice::warning_with_advice;
use super::{refusal, report};

/// Writes the two lines of a drift to files.
pub type Explain<'a> = dyn Fn(&Task, &RacingLine, &RacingLine, &Drift) -> Result<(), String> + Sync + 'a;

/// Where the drawing of a refused line of a task is written, if anywhere.
pub type Drawing<'a> = dyn Fn(&Task) -> Option<PathBuf> + Sync + 'a;

/// Reports a batch on stderr.
pub struct BatchProgress<'a> {
    quiet: bool,
    verbose: bool,
    colour: ColorChoice,
    /// Total number of tracks.
    total: usize,
    ended: AtomicUsize,
    explain: Option<&'a Explain<'a>>,
    drawing: &'a Drawing<'a>,
    bars: Option<Bars>,
}

struct Bars {
    all: MultiProgress,
    whole: ProgressBar,
    running: Mutex<HashMap<String, ProgressBar>>,
}

impl<'a> BatchProgress<'a> {
    pub fn new(flags: GlobalFlags, total: usize, explain: Option<&'a Explain<'a>>, drawing: &'a Drawing<'a>) -> Self {
        let on_terminal = !flags.quiet && std::io::stderr().is_terminal();
        let bars = on_terminal.then(|| {
            let all = MultiProgress::new();
            let whole = all.add(ProgressBar::new(total as u64));
            whole.set_style(style("[{wide_bar:.cyan/blue}] {pos}/{len} tracks, {elapsed}, {eta} left"));
            whole.enable_steady_tick(Duration::from_millis(250));
            Bars { all, whole, running: Mutex::new(HashMap::new()) }
        });
        let (quiet, verbose, colour) = (flags.quiet, flags.verbose, flags.colour());
        Self { quiet, verbose, colour, total, ended: AtomicUsize::new(0), explain, drawing, bars }
    }

    /// Prints above the bars.
    fn print(&self, print: impl FnOnce()) {
        match &self.bars {
            Some(bars) => bars.all.suspend(print),
            None => print(),
        }
    }

    fn with_bar(&self, task: &Task, change: impl FnOnce(&ProgressBar)) {
        let Some(bars) = &self.bars else { return };
        let running = bars.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = running.get(&task.relative) {
            change(bar);
        }
    }
}

impl Observer for BatchProgress<'_> {
    fn begins(&self, task: &Task) {
        let Some(bars) = &self.bars else { return };
        let bar = bars.all.insert_before(&bars.whole, ProgressBar::new_spinner());
        bar.set_style(style("{spinner} {prefix}: {msg} ({elapsed})"));
        bar.set_prefix(report::printable(&task.name).into_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        bars.running.lock().unwrap_or_else(PoisonError::into_inner).insert(task.relative.clone(), bar);
    }

    fn stage(&self, task: &Task, name: &str) {
        self.with_bar(task, |bar| bar.set_message(name.to_owned()));
    }

    fn step(&self, task: &Task, done: usize, total: usize, note: &str) {
        self.with_bar(task, |bar| bar.set_message(format!("{done}/{total} {note}")));
    }

    fn drifted(&self, task: &Task, kept: &RacingLine, now: &RacingLine, drift: &Drift) {
        let Some(explain) = self.explain else { return };
        if let Err(message) = explain(task, kept, now, drift) {
            self.print(|| report::print_warning(&message, self.colour));
        }
    }

    fn failure(&self, task: &Task, error: &TaskError) -> String {
        refusal::reported_of_task(error, (self.drawing)(task))
    }

    fn ends(&self, task: &Task, track: &TaskReport) {
        let ended = self.ended.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(bars) = &self.bars {
            let bar = bars.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&task.relative);
            bar.iter().for_each(ProgressBar::finish_and_clear);
            bars.whole.set_position(ended as u64);
        }
        self.print(|| {
            if let Some(error) = &track.error {
                report::print_error(&anyhow::Error::msg(error.clone()), self.colour);
            }
            if let (Status::Drifted, Some(drift)) = (track.status, &track.drift) {
                let sentences = drift.sentences().join("\n  ");
                let heading = if drift.sentences().len() > 1 { ":\n  " } else { ": " };
                let text = format!("{} drifted from {}{heading}{sentences}", track.name, track.output);
                report::print_error(&anyhow::Error::msg(text), self.colour);
            }
            if self.quiet {
                return;
            }
            for warning in &track.warnings {
                report::print_warning(&format!("{}: {}", track.input, warning_with_advice(warning)), self.colour);
            }
            let lap = track.lap_time_s.map_or(String::new(), |lap| format!(", lap {lap:.3} s"));
            let width = self.total.to_string().len();
            let line = |what: &str| {
                format!("[{ended:>width$}/{}] {what} {}{lap}, took {:.2} s\n", self.total, track.name, track.seconds)
            };
            match track.status {
                Status::Made => report::to_stderr(&line("made")),
                Status::Matches => report::to_stderr(&line("matches")),
                Status::UpToDate if self.verbose => {
                    report::to_stderr(&format!("[{ended:>width$}/{}] up to date {}{lap}\n", self.total, track.name));
                }
                _ => {}
            }
        });
    }
}

impl Drop for BatchProgress<'_> {
    fn drop(&mut self) {
        if let Some(bars) = &self.bars {
            bars.whole.finish_and_clear();
        }
    }
}

/// The bar's style, or the default one if indicatif refuses the template.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─")
}
