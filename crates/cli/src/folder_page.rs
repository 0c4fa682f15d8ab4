//! `raceline batch --html`: the start page of a folder, and the page of each of its lines.

use std::path::{Component, Path, PathBuf};

use raceline::RacingLine;
use raceline::analysis::decimals_of;
use raceline::analysis::drift::{Tolerances, compare};
use raceline::batch::{ENDING, Report, Status, TaskReport};
use raceline::file::json;
use raceline_file::files::{self, LARGEST_LINE_FILE};
use raceline_render::folder_page::{self, FolderEntry, thumbnail};
use raceline_render::html::{self, HtmlOptions};

use super::advice::warning_with_advice;
use super::git_history::{committed_content, committed_date};
use super::output::Output;
use super::report::Failure;

/// The pages that a folder's start page links to, beside their lines.
pub fn pages(lines: impl Iterator<Item = PathBuf>) -> impl Iterator<Item = PathBuf> {
    lines.map(|line| page_of(&line))
}

/// The page of the line in the file `line`: `club.html` of `club.raceline.json`.
fn page_of(line: &Path) -> PathBuf {
    let name = line.file_name().unwrap_or_default().to_string_lossy();
    line.with_file_name(format!("{}.html", name.strip_suffix(ENDING).unwrap_or(&name)))
}

/// Writes the start page at `index` and the pages that it links to.
pub fn write(index: &Path, title: &str, done: &Report) -> Result<(), Failure> {
    let mut entries = Vec::new();
    for track in &done.tracks {
        let file = Path::new(&track.output);
        let line = read(file);
        let mut entry = FolderEntry {
            name: track.name.clone(),
            status: status(track.status).to_owned(),
            error: track.error.clone(),
            warnings: track.warnings.iter().map(warning_with_advice).collect(),
            ..FolderEntry::default()
        };
        if let Some(line) = &line {
            let page = page_of(file);
            Output::File(page.clone())
                .write(html::render(std::slice::from_ref(line), &HtmlOptions::default())?.as_bytes())?;
            entry = with_line(entry, line, file, link(index, &page), track);
        }
        entries.push(entry);
    }
    Ok(Output::File(index.to_owned()).write(folder_page::render(title, &entries)?.as_bytes())?)
}

fn with_line(entry: FolderEntry, line: &RacingLine, file: &Path, page: String, track: &TaskReport) -> FolderEntry {
    let committed = committed_content(file).and_then(|bytes| json::read(&bytes).ok());
    let since_commit = committed.map(|kept| compare(&kept, line, &Tolerances::default()).sentences());
    // A check has compared the file with a line that it made again.
    let of_check = track.drift.as_ref().map(raceline::analysis::drift::Drift::sentences);
    FolderEntry {
        page: Some(page),
        thumbnail: Some(thumbnail(line)),
        lap_time_s: Some(line.lap_time_s),
        length_m: Some(line.length_m),
        length: Some(decimals_of(line).length(line.length_m)),
        vehicle: Some(line.vehicle.name.clone()),
        drift: of_check.or(since_commit),
        committed: committed_date(file),
        ..entry
    }
}

fn read(file: &Path) -> Option<RacingLine> {
    json::read(&files::read(file, LARGEST_LINE_FILE).ok()?).ok()
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Made => "made now",
        Status::UpToDate => "up to date",
        Status::Matches => "matches",
        Status::Drifted => "drifted",
        Status::Failed => "failed",
        Status::NotRun => "not run",
    }
}

/// The path from the page `index` to `page`, with `/` and with what a link may not contain escaped.
fn link(index: &Path, page: &Path) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (from, to) = (whole(index), whole(page));
    let from: Vec<Component<'_>> = from.parent().unwrap_or(Path::new("")).components().collect();
    let to: Vec<Component<'_>> = to.components().collect();
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - same);
    let down = to[same..].iter().map(|part| escaped(&part.as_os_str().to_string_lossy()));
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// A part of a path in a link (RFC 3986, section 2.1).
fn escaped(part: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    part.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{link, page_of};

    #[test]
    fn links_are_relative_and_escaped() {
        assert_eq!(link(Path::new("t/index.html"), Path::new("t/europe/monza #1.html")), "europe/monza%20%231.html");
        assert_eq!(link(Path::new("site/index.html"), Path::new("lines/club.html")), "../lines/club.html");
        assert_eq!(page_of(Path::new("t/club.raceline.json")), Path::new("t/club.html"));
    }
}
