//! `raceline completions`: a script that completes the commands and flags in a shell.

use clap::{Command, CommandFactory};
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
    /// Prints the script.
    pub fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), "raceline", &mut script);
        Ok(report::bytes_to_stdout(&script)?)
    }
}

/// All commands and flags, as completions and manual pages describe them.
#[must_use]
pub fn command() -> Command {
    super::program::Cli::command()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{Shell, command};

    #[test]
    fn every_shell_completes_every_command() {
        let names: Vec<String> = command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        assert!(names.len() > 10);
        for &shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "raceline", &mut script);
            let script = String::from_utf8_lossy(&script);
            for name in &names {
                assert!(script.contains(name.as_str()), "{shell} lacks {name}");
            }
            assert!(script.contains("metres-per-pixel"), "{shell}");
        }
    }
}
