//! Programs for those who work on raceline: `cargo run -p xtask -- --help`.

mod public_interface;

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
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Task::PublicInterface { check } => public_interface::run(check),
    }
}
