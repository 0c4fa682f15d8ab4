//! The outputs of a command whose result belongs to a racing line: `setup` and `stint`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::file::{RacingLine, json};

use super::file_guard;
use super::output::{Output, written};
use super::report::{self, Failure};

/// The output of the result, `-o`, and that of the line, `--line`.
pub struct ResultAndLine {
    result: Option<Output>,
    line: Option<Output>,
}

impl ResultAndLine {
    /// The outputs that the two flags mean; `what` names the result. Checks that they can be written,
    /// and that they are none of the files that are `read`.
    pub fn checked(what: &str, result: Option<&Path>, line: Option<&Path>, read: &[PathBuf]) -> Result<Self, Failure> {
        let outputs = Self { result: result.map(Output::new), line: line.map(Output::new) };
        if outputs.all().filter(|output| output.is_stdout()).count() > 1 {
            let message = format!("the {what} and the line can't both go to stdout: pass -o or --line a file");
            return Err(Failure::usage(message));
        }
        file_guard::check(read, outputs.all())?;
        for output in outputs.all() {
            output.check()?;
        }
        Ok(outputs)
    }

    fn all(&self) -> impl Iterator<Item = &Output> {
        self.result.iter().chain(&self.line)
    }

    /// Writes the result, which is made where it is written only, and the line found for `input`.
    pub fn write(
        &self,
        result: impl FnOnce() -> anyhow::Result<String>,
        line: &RacingLine,
        input: &Path,
    ) -> anyhow::Result<()> {
        if let Some(output) = &self.result {
            output.write(result()?.as_bytes())?;
        }
        if let Some(output) = &self.line {
            output.write(&json::write(line).with_context(|| format!("the line of {}", input.display()))?)?;
        }
        Ok(())
    }

    /// Prints the table and names the files that were written.
    pub fn print_table(&self, table: &str) -> Result<(), Failure> {
        self.print(&(table.to_owned() + &written(self.all())))
    }

    /// Prints `text` on stdout, or on stderr where one of the outputs is there.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        Ok(report::beside(text, self.all().any(Output::is_stdout))?)
    }
}
