//! Progress on stderr: a bar on a terminal; elsewhere the names of the stages with `-v`, otherwise
//! nothing.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use raceline::pipeline::{Progress, Silent};

use super::GlobalFlags;
use super::report;

/// The progress of one input.
pub fn watch(flags: GlobalFlags, name: &str) -> Box<dyn Progress> {
    if flags.quiet {
        Box::new(Silent)
    } else if std::io::stderr().is_terminal() {
        Box::new(Bar::new(name))
    } else if flags.verbose {
        Box::new(Lines { name: name.to_owned() })
    } else {
        Box::new(Silent)
    }
}

/// A bar that is cleared at the end.
struct Bar {
    bar: ProgressBar,
    name: String,
}

impl Bar {
    fn new(name: &str) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar, name: report::printable(name).into_owned() }
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str) {
        self.bar.set_style(style("{spinner} {prefix}: {msg} ({elapsed})"));
        self.bar.unset_length();
        self.bar.set_prefix(format!("{}: {name}", self.name));
        self.bar.set_message("…");
    }

    fn step(&self, done: usize, total: usize, note: &str) {
        if self.bar.length() != Some(total as u64) {
            self.bar.set_length(total as u64);
            self.bar.set_style(style("{spinner} {prefix} [{wide_bar:.cyan/blue}] {pos}/{len} {msg}"));
        }
        self.bar.set_position(done as u64);
        self.bar.set_message(note.to_owned());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The bar's style, or the default one if indicatif refuses the template.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─")
}

/// One line of text per stage.
struct Lines {
    name: String,
}

impl Progress for Lines {
    fn stage(&self, name: &str) {
        report::print_detail(&format!("{}: {name}", self.name));
    }
}
