//! `raceline completions`: a script that completes the commands and flags in a shell.

use anyhow::Context;
use clap::{Command, ValueHint};
use clap_complete::Shell;
use raceline::vehicle;

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
    pub fn run(self, program: Command) -> Result<(), Failure> {
        Ok(report::bytes_to_stdout(script(self.shell, program)?.as_bytes())?)
    }
}

/// The flags whose value is a preset or a file.
const VEHICLES: [&str; 2] = ["vehicle", "base"];

/// The script of `clap_complete`, with what it lacks: presets as well as files after `--vehicle`, and in
/// bash files in place of flags where a command takes files.
pub fn script(shell: Shell, mut program: Command) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut program, "raceline", &mut bytes);
    let text = String::from_utf8(bytes).context("the script is not Unicode")?;
    let presets: Vec<&str> = vehicle::presets().iter().map(|preset| preset.name).collect();
    let presets = presets.join(" ");
    Ok(match shell {
        Shell::Bash => for_bash(&text, &program, &presets),
        Shell::Fish => with_lines(&text, |line| {
            let is_vehicle = VEHICLES.iter().any(|flag| line.contains(&format!(" -l {flag} ")));
            if is_vehicle { format!("{line} -a \"{presets}\"") } else { line.to_owned() }
        }),
        Shell::Zsh => with_lines(&text, |line| {
            let is_vehicle = VEHICLES.iter().any(|flag| line.starts_with(&format!("'--{flag}=[")));
            let action = format!(r#":{{_alternative "presets\:preset\:({presets})" "files\:file\:_files"}}'"#);
            if is_vehicle { line.replacen(":_default'", &action, 1) } else { line.to_owned() }
        }),
        _ => text,
    })
}

fn with_lines(text: &str, changed: impl FnMut(&str) -> String) -> String {
    let lines: Vec<String> = text.lines().map(changed).collect();
    lines.join("\n") + "\n"
}

/// The script with an empty answer where a command takes files, for which bash completes names of files.
fn for_bash(text: &str, program: &Command, presets: &str) -> String {
    let takes_files = |name: &str| {
        let command = program.find_subcommand(name.trim_end_matches(')').trim_start_matches("raceline__subcmd__"));
        command.is_some_and(|command| command.get_positionals().any(|one| one.get_value_hint() == ValueHint::AnyPath))
    };
    let (mut is_with_files, mut is_vehicle) = (false, false);
    with_lines(text, |line| {
        let trimmed = line.trim_start();
        let depth = line.len() - trimmed.len();
        if depth == 8 && trimmed.ends_with(')') {
            is_with_files = takes_files(trimmed);
        }
        let was_vehicle = std::mem::replace(
            &mut is_vehicle,
            VEHICLES
                .iter()
                .any(|flag| trimmed.strip_prefix("--").and_then(|rest| rest.strip_suffix(')')) == Some(*flag)),
        );
        if was_vehicle && trimmed.starts_with("COMPREPLY=") {
            return line.replace("(compgen -f \"${cur}\")", &format!("(compgen -W \"{presets}\" -f -- \"${{cur}}\")"));
        }
        match trimmed {
            _ if !is_with_files => line.to_owned(),
            _ if trimmed.starts_with("if [[ ${cur} == -* || ${COMP_CWORD} -eq ") => {
                format!("{}if [[ ${{cur}} == -* ]] ; then", &line[..depth])
            }
            _ if depth == 12 && trimmed.starts_with("COMPREPLY=( $(compgen -W \"${opts}\"") => {
                format!("{}COMPREPLY=()", &line[..depth])
            }
            _ => line.to_owned(),
        }
    })
}
