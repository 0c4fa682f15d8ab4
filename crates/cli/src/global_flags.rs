//! The flags of every command.

use std::fmt::Display;

use clap::ColorChoice;
use raceline::pipeline::Warning;
use raceline_file::files::Reach;

use super::advice::warning_with_advice;
use super::report;

/// Flags of every command.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalFlags {
    /// Print errors and results only: no progress, no warnings, no table
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print details of the solvers
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    /// When to colour messages and help; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Number of threads; it does not affect the result [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Let a file name files outside its folder: a sidecar its vehicle, a map its picture
    #[arg(long, global = true)]
    pub(crate) allow_outside: bool,
    /// Write lines that are not proven to be sound: see `raceline verify`
    #[arg(long, global = true)]
    pub(crate) no_verify: bool,
}

impl GlobalFlags {
    /// Which files a file may name.
    pub(crate) fn reach(self) -> Reach {
        if self.allow_outside { Reach::Anywhere } else { Reach::WithinFolder }
    }

    /// When to colour messages.
    pub(crate) fn colour(self) -> ColorChoice {
        self.color
    }

    /// Prints the warnings about `source`, a file or a name, each with its remedy; none with `--quiet`.
    pub(crate) fn warn(self, source: impl Display, warnings: &[Warning]) {
        for warning in warnings.iter().filter(|_| !self.quiet) {
            report::print_warning(&format!("{source}: {}", warning_with_advice(warning)), self.color);
        }
    }
}
