//! `raceline completions`: a script that completes the commands and flags in a shell.

use clap::Command;
use clap_complete::Shell;

use super::report::{self, Failure};

/// Print a script that completes commands, flags and values in a shell
///
/// The script describes the commands and flags of this version: print it again after an update. Names
/// of files are completed by the shell.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  bash, for the present user:
    mkdir -p ~/.local/share/bash-completion/completions
    raceline completions bash > ~/.local/share/bash-completion/completions/raceline
  zsh, into a folder of $fpath:
    raceline completions zsh > ~/.zfunc/_raceline
  fish:
    raceline completions fish > ~/.config/fish/completions/raceline.fish
  PowerShell, in the profile:
    raceline completions powershell | Out-String | Invoke-Expression";

impl Arguments {
    /// Prints the script for the commands of `program`.
    pub fn run(self, mut program: Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "raceline", &mut script);
        Ok(report::bytes_to_stdout(&script)?)
    }
}
