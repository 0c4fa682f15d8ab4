//! Programs for those who work on raceline: `cargo run -p xtask -- --help`.

mod dependencies;
mod knobs;
mod public_interface;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Programs for those who work on raceline.
#[derive(Debug, Parser)]
#[command(name = "xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// List the public interface of every published package in `docs/reference/public-interface`
    PublicInterface {
        /// Compare with the committed listings instead, and fail where they differ
        #[arg(long)]
        check: bool,
        /// The workspace whose packages are listed, for instance one of unpacked archives [default: this one]
        #[arg(long, value_name = "FOLDER")]
        packages: Option<PathBuf>,
    },
    /// Write what each dependency may do to `docs/reference/dependencies.md`
    Dependencies {
        /// Compare with the committed table instead, and fail where it differs
        #[arg(long)]
        check: bool,
    },
    /// Move each named constant by a fifth down and up, and write what changes to `docs/notes/knobs.md`
    Knobs(knobs::Options),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Task::PublicInterface { check, packages } => public_interface::run(check, packages.as_deref()),
        Task::Dependencies { check } => dependencies::run(check),
        Task::Knobs(options) => knobs::run(&options),
    }
}
