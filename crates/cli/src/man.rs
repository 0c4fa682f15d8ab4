//! `raceline man`: the manual pages.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;

use super::GlobalFlags;
use super::output::Output;
use super::report::{self, Failure};

/// Write the manual pages, one per command, to a folder
///
/// The pages are raceline.1, raceline-optimize.1 and so on, with the texts of --help.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The folder, which is created if there is none
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  raceline man ~/.local/share/man/man1
  Then:
    man raceline-optimize";

impl Arguments {
    /// Writes the pages. All are made, and their places checked, before the first is written.
    pub fn run(self, flags: GlobalFlags, program: Command) -> Result<(), Failure> {
        let pages = pages(program)?;
        let folder = self.folder.display();
        fs::create_dir_all(&self.folder).with_context(|| format!("can't create the folder {folder}"))?;
        let outputs: Vec<(Output, Vec<u8>)> =
            pages.into_iter().map(|(name, page)| (Output::File(self.folder.join(name)), page)).collect();
        outputs.iter().try_for_each(|(output, _)| output.check())?;
        outputs.iter().try_for_each(|(output, page)| output.write(page))?;
        if !flags.quiet {
            report::to_stderr(&format!("{} manual pages -> {folder}\n", outputs.len()));
        }
        Ok(())
    }
}

/// The name and the text of each page of `program`.
pub(crate) fn pages(program: Command) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    // A manual page refers to pages; the command `help` has none.
    let mut command = program.disable_help_subcommand(true);
    command.build();
    std::iter::once(&command).chain(command.get_subcommands()).map(page).collect()
}

fn page(command: &Command) -> anyhow::Result<(String, Vec<u8>)> {
    let version = concat!("raceline ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(version).manual("User Commands");
    let mut page = Vec::new();
    man.render(&mut page).with_context(|| format!("the manual page of {}", command.get_name()))?;
    Ok((man.get_filename(), with_examples(&String::from_utf8_lossy(&page)).into_bytes()))
}

/// The page with the text after the help, which is its section `EXTRA`, as examples whose lines are
/// not filled, so that a command can be copied.
fn with_examples(page: &str) -> String {
    let Some((before, extra)) = page.split_once("\n.SH EXTRA\n") else { return page.to_owned() };
    let (examples, after) = extra.split_at(extra.find("\n.SH ").map_or(extra.len(), |end| end + 1));
    let examples =
        ["Examples:\n", "Example:\n"].iter().find_map(|title| examples.strip_prefix(title)).unwrap_or(examples);
    format!("{before}\n.SH EXAMPLES\n.nf\n{}\n.fi\n{after}", examples.trim_end())
}
