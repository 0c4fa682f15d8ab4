//! `raceline schema`: the racing-line file's JSON Schema.

use raceline::file::schema::racing_line_schema;

use super::report::{self, Failure};

/// Print the JSON Schema of racing-line files
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  raceline schema > raceline.schema.json")]
pub struct Arguments {}

impl Arguments {
    /// Prints the schema.
    pub fn run(self) -> Result<(), Failure> {
        Ok(report::to_stdout(&racing_line_schema())?)
    }
}
