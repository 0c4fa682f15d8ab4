//! `--watch` and `raceline serve`: the line is made anew whenever one of its files changes.

use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;

use super::advice::warning_with_advice;
use super::line_making::{LineTask, MadeLine};
use super::output::Output;
use super::report::{self, Failure};
use super::track_name::name_of;
use crate::page_server::{Board, FileWatch, LineFiles, Server, Shown};
use raceline::file::Streets;
use raceline::pipeline;
use raceline_editor::{Comparison, DraftOnPage, LineOnPage, Pages, PictureOnPage, SidecarOnPage, drive_note};
use raceline_file::files::{self, LARGEST_OPTIONS_FILE, LARGEST_PICTURE};
use raceline_read::input::{self, Input};

/// Where a page of the line is served.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// An address of this machine.
    pub ip: IpAddr,
    /// The port; 0 is any that is free.
    pub port: u16,
    /// Whether the page edits the sidecar.
    pub edits: bool,
}

/// Makes the line, and again after each change, until the process ends. With `address` a page of it
/// is served.
pub fn follow(task: &LineTask, address: Option<Address>) -> Result<(), Failure> {
    if *task.output == Output::Stdout || files::is_standard_input(task.input) {
        return Err(Failure::usage("a line that is made again and again needs two files: an input and -o FILE"));
    }
    fs::metadata(task.input).with_context(|| format!("can't read {}", task.input.display()))?;
    task.output.check()?;
    let mut watch = FileWatch::new().context("the files can't be watched")?;
    let board = Arc::new(Board::default());
    let sidecar = task.options.sidecar_or_new(task.input);
    let edits = address.is_some_and(|address| address.edits);
    // The page shows the details.
    let task = &LineTask { detail: task.detail || address.is_some(), ..*task };
    let mut page = Page { task, sidecar: sidecar.clone().filter(|_| edits), pages: Pages::default(), made: None };
    if let Some(Address { ip, port, .. }) = address {
        // Who opens the page before the first line is made sees the picture.
        board.show(Shown { page: page.draft(None, 1), ..Shown::default() });
        board.begin();
        let taken = || format!("can't listen at {ip}, port {port}: choose another with --port");
        let mut server = Server::new(ip, port, Arc::clone(&board)).with_context(taken)?;
        if let Some(sidecar) = sidecar.clone().filter(|_| edits) {
            let output = match task.output {
                Output::File(path) => Some(&**path),
                Output::Stdout => None,
            };
            let files = LineFiles::beside(task.input, output);
            server = server.with_editor(sidecar, Box::new(write_whole), watch.waker(), files);
        }
        let url = server.url();
        server.start().with_context(taken)?;
        report::to_stdout(&format!("{url}\n"))?;
    }
    loop {
        watch.look_at(task.options.files(task.input).into_iter().chain(sidecar.clone()));
        board.begin();
        let begun = Instant::now();
        let made = task.make().and_then(|made| task.write(&made).map(|()| made));
        if let Err(failure) = &made {
            if matches!(failure, Failure::BrokenPipe) {
                return Ok(());
            }
            report::print_failure(failure, task.flags.colour());
        }
        if address.is_some() {
            let line = made.as_ref().ok().map(|made| made.outcome.line.clone());
            if let Ok(made) = &made {
                board.set_previewer(made.previewer.clone());
                board.set_line(made.outcome.line.clone());
            }
            let mut shown = page.shown(made, &board.take_comparison(), board.state().page + 1);
            shown.made_in_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            board.show(shown);
            // The reader need not wait for the follower.
            if let Some(line) = line {
                board.note(drive_note(&line));
            }
        }
        while !watch.wait(|| board.has_other_comparison()) {
            // The line stays, and what it is compared with is another.
            if let Some(new) = page.compared(&board.take_comparison(), board.state().page + 1) {
                board.turn_to(new);
            }
        }
    }
}

/// Writes a file as every command does.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Output::File(path.to_owned()).write(bytes).map_err(|error| io::Error::other(format!("{error:#}")))
}

/// What the served page is made from.
struct Page<'a> {
    task: &'a LineTask<'a>,
    /// The sidecar, if the page edits it.
    sidecar: Option<PathBuf>,
    pages: Pages,
    /// The line whose page has been shown last, which a failure then does not replace.
    made: Option<MadeLine>,
}

impl Page<'_> {
    /// What the server shows after a run.
    fn shown(&mut self, made: Result<MadeLine, Failure>, comparison: &Comparison, number: u64) -> Shown {
        let failed = |problem: String, page: Option<String>| Shown {
            page,
            problem: Some(problem),
            missing: None,
            warnings: Vec::new(),
            made_in_ms: 0,
        };
        let made = match made {
            Ok(made) => made,
            Err(failure) => {
                let problem = reported(&failure);
                // The page of the line before has the same tools.
                let streets = if self.made.is_some() { None } else { self.streets() };
                let draft = if self.made.is_some() { None } else { self.draft(streets.as_ref(), number) };
                return Shown { missing: failure.missing_option(), ..failed(problem, draft) };
            }
        };
        match self.page(&made, comparison, number) {
            Ok(page) => {
                let warnings = made.outcome.warnings.iter().map(warning_with_advice).collect();
                self.made = Some(made);
                Shown { page: Some(page), problem: None, missing: None, warnings, made_in_ms: 0 }
            }
            Err(problem) => failed(problem, None),
        }
    }

    /// The page of the last line with another comparison; `None` where there is no line.
    fn compared(&mut self, comparison: &Comparison, number: u64) -> Option<String> {
        let made = self.made.take()?;
        let page = self.page(&made, comparison, number);
        self.made = Some(made);
        page.ok()
    }

    /// The page of a line.
    fn page(&mut self, made: &MadeLine, comparison: &Comparison, number: u64) -> Result<String, String> {
        let MadeLine { outcome, frame, direction, centre_line_m, .. } = made;
        let shown = LineOnPage {
            line: &outcome.line,
            frame: frame.as_ref(),
            direction: *direction,
            centre_line_m,
            comparison,
            reading: made.reading,
        };
        self.find_picture();
        let sidecar = self.sidecar();
        let sidecar = sidecar.as_ref().map(|(name, text)| SidecarOnPage { name, text });
        self.pages.of_line(shown, sidecar, number).map_err(|error| error.to_string())
    }

    /// The page of a track that has no line yet.
    fn draft(&mut self, streets: Option<&Streets>, number: u64) -> Option<String> {
        self.find_picture();
        let sidecar = self.sidecar();
        let sidecar = sidecar.as_ref().map(|(name, text)| SidecarOnPage { name, text });
        let title = name_of(self.task.input);
        self.pages.draft(DraftOnPage { title: &title, streets }, sidecar, number).ok()
    }

    /// The streets of a file of lines; what cannot be read is reported with the line.
    fn streets(&self) -> Option<Streets> {
        let options = self.task.options.layered(self.task.input).ok()?.options;
        let input = input::read_as(self.task.input, options.format_hint.as_deref(), options.reach).ok()?;
        pipeline::street_lines(self.task.input, &input, &options).ok().flatten()
    }

    /// Name and text of the sidecar.
    fn sidecar(&self) -> Option<(String, String)> {
        let path = self.sidecar.as_ref()?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Some((name, files::read_to_string(path, LARGEST_OPTIONS_FILE).unwrap_or_default()))
    }

    /// Sets the picture of the pages to that of the track.
    fn find_picture(&mut self) {
        let picture = self.picture();
        self.pages.set_picture(picture.as_ref().map(|(name, bytes)| PictureOnPage { name, bytes }));
    }

    /// Name and bytes of the track's picture, if it has one.
    fn picture(&self) -> Option<(String, Vec<u8>)> {
        let path = match input::read_as(self.task.input, None, self.task.options.reach()).ok()? {
            Input::Picture(_) => self.task.input.to_owned(),
            Input::Map { map, .. } => map.image,
            _ => return None,
        };
        let bytes = files::read(&path, LARGEST_PICTURE).ok()?;
        Some((path.display().to_string(), bytes))
    }
}

/// A failure in one line.
fn reported(failure: &Failure) -> String {
    match failure {
        // Without the command line's advice, because the page has tools.
        Failure::Usage(error) | Failure::Job(error) => format!("{error:#}"),
        Failure::Reported { failed, total } => format!("{failed} of {total} inputs failed"),
        Failure::BrokenPipe => String::new(),
    }
}
