//! Failures, exit codes and messages on stderr.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};

use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Style};
use raceline::options::OptionsError;
use raceline::pipeline;

use super::advice::with_advice;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage: exit code 2.
    Usage(anyhow::Error),
    /// The job failed: exit code 1.
    Job(anyhow::Error),
    /// Some of several jobs failed, and their messages have been printed: exit code 1.
    Reported {
        /// Number of jobs that failed.
        failed: usize,
        /// Total number of jobs.
        total: usize,
    },
    /// The reader of stdout has closed it, as `head` does: not a failure.
    BrokenPipe,
}

impl Failure {
    /// A usage error with this text.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(anyhow::Error::msg(message.into()))
    }

    /// An invalid option is wrong usage on the command line and a failed job in a file.
    pub fn options(error: OptionsError, on_command_line: bool) -> Self {
        if on_command_line { Self::Usage(error.into()) } else { Self::Job(error.into()) }
    }

    /// As [`pipeline::Error::missing_option`].
    pub fn missing_option(&self) -> Option<&'static str> {
        match self {
            Self::Usage(error) | Self::Job(error) => error.downcast_ref::<pipeline::Error>()?.missing_option(),
            Self::Reported { .. } | Self::BrokenPipe => None,
        }
    }

    /// The process's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Job(_) | Self::Reported { .. } => 1,
            Self::BrokenPipe => 0,
        }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        let broken = error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        if broken { Self::BrokenPipe } else { Self::Job(error) }
    }
}

/// The colour choice in `arguments`. It is required before they are parsed, because clap's messages
/// are coloured too.
pub fn colour_choice(arguments: &[OsString]) -> ColorChoice {
    let mut choice = ColorChoice::Auto;
    let mut arguments = arguments.iter().map(|argument| argument.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        let value = match argument.as_str() {
            "--" => break,
            "--color" => arguments.next(),
            _ => argument.strip_prefix("--color=").map(str::to_owned),
        };
        match value.as_deref() {
            Some("always") => choice = ColorChoice::Always,
            Some("never") => choice = ColorChoice::Never,
            Some("auto") => choice = ColorChoice::Auto,
            _ => {}
        }
    }
    choice
}

/// Whether text on stderr is coloured: as the flag specifies, by default on a terminal unless
/// `NO_COLOR` is set (no-color.org).
fn coloured(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let variable = |name: &str| std::env::var_os(name);
            shows_colours(variable("NO_COLOR").as_deref(), variable("TERM").as_deref(), io::stderr().is_terminal())
        }
    }
}

/// Whether colours are shown by default, by these variables and the kind of the stream.
fn shows_colours(no_color: Option<&OsStr>, term: Option<&OsStr>, is_terminal: bool) -> bool {
    no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb") && is_terminal
}

/// Prints `error: …` and its causes.
pub fn print_failure(failure: &Failure, choice: ColorChoice) {
    match failure {
        Failure::Usage(error) | Failure::Job(error) => print_error(error, choice),
        Failure::Reported { failed, total } => {
            print_error(&anyhow::anyhow!("{failed} of {total} inputs failed"), choice);
        }
        Failure::BrokenPipe => {}
    }
}

/// Prints `error: …`: the error, its causes and the remedy.
pub fn print_error(error: &anyhow::Error, choice: ColorChoice) {
    print_message(&label("error:", AnsiColor::Red, choice), &with_advice(error.as_ref()));
}

/// Prints `warning: …`.
pub fn print_warning(message: &str, choice: ColorChoice) {
    print_message(&label("warning:", AnsiColor::Yellow, choice), message);
}

/// Prints a line of the `-v` output.
pub fn print_detail(message: &str) {
    to_stderr(&format!("{message}\n"));
}

/// Prints text from this program and from files on stderr.
pub fn to_stderr(text: &str) {
    print_message("", text.strip_suffix('\n').unwrap_or(text));
}

/// Ignores errors, because nothing is left to report them on.
fn print_message(label: &str, message: &str) {
    let space = if label.is_empty() { "" } else { " " };
    let line = format!("{label}{space}{}\n", printable(message));
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Whether a character may change the terminal or the order of the text around it; line breaks and
/// tabs are part of messages.
pub fn is_unprintable(c: char) -> bool {
    let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    reorders || (c.is_control() && c != '\n' && c != '\t')
}

/// Text for people, in which names from elsewhere cannot control the terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Prints what a command reports beside its output: on stdout, or on stderr where stdout has the
/// output.
///
/// # Errors
/// Those of [`to_stdout`].
pub fn beside(text: &str, stdout_is_taken: bool) -> io::Result<()> {
    if stdout_is_taken {
        to_stderr(text);
        return Ok(());
    }
    to_stdout(text)
}

/// Writes text for people to stdout.
pub fn to_stdout(text: &str) -> io::Result<()> {
    bytes_to_stdout(printable(text).as_bytes())
}

/// Writes a result to stdout as it is.
pub fn bytes_to_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

fn label(text: &str, colour: AnsiColor, choice: ColorChoice) -> String {
    if coloured(choice) {
        let style = Style::new().bold().fg_color(Some(colour.into()));
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{printable, shows_colours};

    #[test]
    fn no_color_and_dumb_terminals_have_no_colours() {
        let (set, empty, xterm) = (Some(OsStr::new("1")), Some(OsStr::new("")), Some(OsStr::new("xterm")));
        assert!(shows_colours(None, xterm, true) && shows_colours(empty, None, true));
        assert!(!shows_colours(set, xterm, true) && !shows_colours(Some(OsStr::new("0")), xterm, true));
        assert!(!shows_colours(None, Some(OsStr::new("dumb")), true));
        assert!(!shows_colours(None, xterm, false));
    }

    #[test]
    fn names_from_elsewhere_do_not_control_the_terminal() {
        assert_eq!(printable("plain ä → ✓\n\tnext"), "plain ä → ✓\n\tnext");
        assert_eq!(printable("a\u{1b}[31mb\r\u{7}\u{9b}2J"), "a\\u{1b}[31mb\\u{d}\\u{7}\\u{9b}2J");
        assert_eq!(printable("gpj\u{202e}.png"), "gpj\\u{202e}.png");
    }
}
