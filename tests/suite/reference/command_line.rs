//! The commands and their flags, from the tree of the command line.

use clap::{Arg, Command};
use raceline::options::known_options;

use super::table::{Table, escaped};

/// A section for each command, and one for the flags of all.
pub fn commands() -> String {
    let mut root = raceline_cli::command().disable_help_subcommand(true);
    root.build();
    let mut text = String::new();
    for command in root.get_subcommands().filter(|command| command.get_name() != "help") {
        text.push_str(&section(command));
    }
    text.push_str("## Flags of every command\n\n");
    text.push_str(&table(root.get_arguments().filter(|arg| arg.get_id() != "version")));
    text.push_str("\n`raceline --version` prints the version.\n");
    text
}

/// A row for each command.
pub fn overview() -> String {
    let mut table = Table::new(&["Command", "Task"]);
    for command in raceline_cli::command().get_subcommands() {
        let name = command.get_name();
        table.row(&[format!("[`{name}`](#raceline-{name})"), about(command)]);
    }
    table.finish()
}

/// The exit codes that the help of the commands states.
pub fn exit_codes() -> String {
    let root = raceline_cli::command();
    let mut table = Table::new(&["Command", "0", "1", "2"]);
    let commands = std::iter::once(&root).chain(root.get_subcommands());
    for command in commands {
        let Some(help) = command.get_after_help().map(ToString::to_string) else { continue };
        let Some((_, codes)) = help.split_once("Exit codes: 0 ") else { continue };
        let codes = codes.split(". ").next().unwrap().replace('\n', " ");
        let (done, rest) = codes.split_once(", 1 ").unwrap();
        let (failed, usage) = rest.split_once(", 2 ").unwrap();
        let name = command.get_name();
        let name = if name == "raceline" { "any other command".to_owned() } else { format!("`{name}`") };
        table.row(&[&name, done, failed, usage.trim_end_matches('.')]);
    }
    table.finish()
}

fn about(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    escaped(&about)
}

fn section(command: &Command) -> String {
    let name = command.get_name();
    let is_option =
        |arg: &&Arg| known_options().iter().any(|option| arg.get_id() == option.key.as_str()) || is_shape(arg);
    // A single flag with the name of an option has a meaning of its own there.
    let has_options = command.get_arguments().filter(is_option).count() > 1;
    let is_own = |arg: &&Arg| (!has_options || !is_option(arg)) && !arg.is_global_set();
    let own: Vec<&Arg> = command.get_arguments().filter(is_own).collect();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let mut text = format!("## `raceline {name}`\n\n{}.\n\n```text\n{usage}\n```\n\n", about(command));
    text.push_str(&table(own.into_iter()));
    if has_options {
        text.push_str("\nAlso a flag for each key of [options](options.md).\n");
    }
    text.push('\n');
    text
}

/// `--open` and `--closed`, short for values of an option.
fn is_shape(arg: &Arg) -> bool {
    arg.get_id() == "open" || arg.get_id() == "closed"
}

fn table<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
    let mut table = Table::new(&["Argument or flag", "Meaning"]);
    for arg in args.filter(|arg| arg.get_id() != "help" && !arg.is_hide_set()) {
        let value = arg.get_value_names().unwrap_or_default().iter().map(|name| format!("<{name}>"));
        let value = if arg.get_action().takes_values() { value.collect::<Vec<_>>().join(" ") } else { String::new() };
        let flag = match (arg.get_short(), arg.get_long()) {
            (Some(short), Some(long)) => format!("-{short}, --{long} {value}"),
            (None, Some(long)) => format!("--{long} {value}"),
            (Some(short), None) => format!("-{short} {value}"),
            (None, None) => value,
        };
        table.row(&[format!("`{}`", flag.trim().replace('|', "\\|")), meaning(arg)]);
    }
    table.finish()
}

/// What the help states of an argument, in one cell.
fn meaning(arg: &Arg) -> String {
    let mut text = escaped(&arg.get_help().map(ToString::to_string).unwrap_or_default());
    let choices = arg.get_possible_values();
    let choices: Vec<String> =
        choices.iter().filter(|value| !value.is_hide_set()).map(|value| format!("`{}`", value.get_name())).collect();
    let is_switch = !arg.get_action().takes_values() || choices == ["`true`", "`false`"];
    if !choices.is_empty() && !is_switch {
        text.push_str(&format!(" ({})", choices.join(", ")));
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && !is_switch {
        text.push_str(&format!(" \\[default: {}\\]", defaults.join(", ")));
    }
    text
}
