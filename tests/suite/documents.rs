//! The documents: the commands of README and tutorials run as typed, every link leads somewhere, every
//! page is in the book, and what a user reads stays short.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::file_tree::files_below;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use tempfile::TempDir;

use crate::reference::by_hand;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Commands that cannot run here as typed: how they begin, what is run in place of that beginning
/// (`None` skips the command), and the reason.
const RULES: [(&str, Option<&str>, &str); 4] = [
    ("apt-get ", None, "installing needs root and a network"),
    ("cargo run --release --locked -- ", Some("raceline "), "the program is already built"),
    ("cargo ", None, "cargo is running this test"),
    ("raceline serve ", Some("serve "), "a server does not end by itself"),
];

/// `serve` of [`RULES`]: starts the server, waits until it prints its address, and stops it.
const SERVE: &str = r#"serve() {
    coproc SERVER { exec raceline serve "$@"; }
    local server=$SERVER_PID address
    read -r address <&"${SERVER[0]}"
    kill "$server"
    wait "$server" || true
    [[ $address == http://* ]]
}"#;

/// What the tests look at in a document.
#[derive(Default)]
struct Content {
    links: Vec<String>,
    /// Anchors of the headings, by GitHub's rule.
    anchors: BTreeSet<String>,
    /// The blocks of shell commands.
    blocks: Vec<String>,
}

impl Content {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let mut content = Self::default();
        let mut heading = None;
        let mut in_block = false;
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    content.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => content.add_anchor(&heading.take().unwrap()),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) if &*language == "sh" => {
                    in_block = true;
                    content.blocks.push(String::new());
                }
                Event::End(TagEnd::CodeBlock) => in_block = false,
                Event::Text(text) if in_block => content.blocks.last_mut().unwrap().push_str(&text),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        content
    }

    /// GitHub's rule: lower case, hyphens for spaces, no punctuation, and a number where an anchor
    /// exists already.
    fn add_anchor(&mut self, heading: &str) {
        let kept = |&letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
        let anchor = heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|name| !self.anchors.contains(name));
        self.anchors.insert(free.unwrap());
    }
}

fn root() -> PathBuf {
    fs::canonicalize(ROOT).unwrap()
}

/// Every Markdown file in `folder` and in the folders below it, sorted.
fn pages(folder: &Path) -> Vec<PathBuf> {
    files_below(folder, &["md"])
}

/// A copy of the files that git tracks, as a fresh clone has them, or the reason why there is none.
fn fresh_clone() -> Result<TempDir, String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let Output { status, stdout, stderr } = listed.map_err(|error| format!("git does not run: {error}"))?;
    if !status.success() {
        return Err(String::from_utf8_lossy(&stderr).into_owned());
    }
    let clone = tempfile::tempdir().unwrap();
    for name in String::from_utf8(stdout).unwrap().split_terminator('\0') {
        // A tracked file that is deleted but not yet committed so, is not there.
        let (from, to) = (root().join(name), clone.path().join(name));
        if from.is_file() {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(from, to).unwrap();
        }
    }
    Ok(clone)
}

/// What is run of a block: each command of a line joined by `&&` is a line, because `bash -e`
/// ignores failures of all but the last of them.
fn script(block: &str) -> String {
    let mut script = format!("{SERVE}\nset -x\n");
    for command in block.replace("\\\n", " ").lines().flat_map(|line| line.split(" && ")) {
        let rule = RULES.iter().find(|(beginning, ..)| command.trim_start().starts_with(beginning));
        match rule {
            None => script.push_str(command),
            Some((_, None, reason)) => println!("skipped, as {reason}: {command}"),
            Some((beginning, Some(replacement), _)) => script.push_str(&command.replacen(beginning, replacement, 1)),
        }
        script.push('\n');
    }
    script
}

#[test]
fn every_command_runs_in_a_fresh_clone() {
    let program = Path::new(env!("CARGO_BIN_EXE_raceline"));
    let before = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.parent().unwrap().to_owned()).chain(std::env::split_paths(&before));
    let path = std::env::join_paths(folders).unwrap();
    for document in std::iter::once(root().join("README.md")).chain(pages(&root().join("docs/tutorials"))) {
        let clone = match fresh_clone() {
            Ok(clone) => clone,
            Err(reason) => return println!("skipped, as there are no tracked files: {reason}"),
        };
        for block in Content::read(&document).blocks {
            let mut bash = Command::new("bash");
            bash.args(["-euo", "pipefail", "-c", &script(&block)]).current_dir(clone.path());
            let output = bash.env("PATH", &path).env("NO_COLOR", "1").output().unwrap();
            // The trace of bash in the errors shows the command that failed as the last with a `+`.
            assert!(
                output.status.success(),
                "{}, {}:\n{block}\noutput:\n{}\ncommands and errors:\n{}",
                document.display(),
                output.status,
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}

/// Markdown files outside `docs`.
const OUTSIDE: [&str; 7] = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "benches/peers/README.md",
    "examples/c/README.md",
    "fuzz/README.md",
];

/// Folders of `docs` that a user reads, beside `README.md` and the index.
const READ: [&str; 4] = ["docs/tutorials", "docs/guides", "docs/reference", "docs/explanation"];

/// The pages that a user reads.
fn pages_for_users() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("docs/README.md")];
    found.extend(READ.iter().flat_map(|folder| pages(&root().join(folder))));
    found
}

/// The path of a page in the repository.
fn name(page: &Path) -> String {
    page.strip_prefix(root()).unwrap().display().to_string()
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    let documents = OUTSIDE.map(|name| root().join(name));
    for document in documents.into_iter().chain(pages(&root().join("docs"))) {
        for link in Content::read(&document).links {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            let is_page = target.extension().is_some_and(|ending| ending == "md");
            if !target.exists() || is_page && !anchor.is_empty() && !Content::read(&target).anchors.contains(anchor) {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

/// The files of `docs` that the text names: `docs/…md` and `docs/…json`.
fn named_files(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("docs/").filter_map(|(start, _)| {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        let rest = &text[start..];
        let file = rest[..rest.find(|c| !is_inside(c)).unwrap_or(rest.len())].trim_end_matches('.');
        (file.ends_with(".md") || file.ends_with(".json")).then_some(file)
    })
}

#[test]
fn every_page_that_a_source_names_exists() {
    const ENDINGS: [&str; 8] = ["rs", "toml", "py", "pyi", "h", "c", "snap", "yml"];
    let mut folders: Vec<PathBuf> =
        ["src", "crates", "tests", "examples", "benches", "fuzz"].iter().map(|folder| root().join(folder)).collect();
    let mut files = vec![root().join("deny.toml"), root().join("justfile"), root().join(".ci/run")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known)) {
                files.push(path);
            }
        }
    }
    let mut missing = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        let lost = named_files(&text).filter(|page| !root().join(page).exists());
        missing.extend(lost.map(|page| format!("{}: {page}", name(&file))));
    }
    assert!(missing.is_empty(), "pages that do not exist:\n{}", missing.join("\n"));
    assert_eq!(
        named_files(&["See docs", "/a/b-c.md. docs", "/d.png"].concat()).collect::<Vec<_>>(),
        [["docs", "/a/b-c.md"].concat()]
    );
}

#[test]
fn every_page_is_in_the_book_once() {
    let summary = root().join("docs/SUMMARY.md");
    let mut listed = Content::read(&summary).links;
    listed.sort();
    let mut written: Vec<String> = pages(&root().join("docs"))
        .iter()
        .filter(|page| **page != summary)
        .map(|page| page.strip_prefix(root().join("docs")).unwrap().display().to_string())
        .collect();
    written.sort();
    assert_eq!(listed, written, "pages in docs/SUMMARY.md, and pages in docs");
}

/// Pieces between blanks that contain a letter or a digit.
fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

#[test]
fn a_user_reads_at_most_25_000_words() {
    let count = |page: &PathBuf| {
        let text = fs::read_to_string(page).unwrap();
        (words(&by_hand(&text)), words(&text), name(page))
    };
    let mut counts: Vec<(usize, usize, String)> = pages_for_users().iter().map(count).collect();
    let sum: usize = counts.iter().map(|(words, ..)| words).sum();
    let with_generated: usize = counts.iter().map(|(_, words, _)| words).sum();
    println!("{sum} words; {with_generated} with the generated parts");
    counts.sort_by(|a, b| b.cmp(a));
    let largest: Vec<String> = counts.iter().take(10).map(|(words, _, page)| format!("{words} {page}")).collect();
    assert!(sum <= 25_000, "{sum} words are too many; the largest pages:\n{}", largest.join("\n"));
    assert_eq!(words("| a b | 3 - | ` `"), 3);
}

/// Tables, code, headings and what has no blank to break at may be longer.
#[test]
fn lines_of_documents_wrap_at_100_columns() {
    let mut long = Vec::new();
    let documents = ["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/architecture.md", "docs/notes/README.md"];
    for page in pages_for_users().into_iter().chain(documents.map(|name| root().join(name))) {
        let mut is_code = false;
        for (index, line) in by_hand(&fs::read_to_string(&page).unwrap()).lines().enumerate() {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            let is_free = is_code || is_fence || line.starts_with(['|', '#']) || !line.trim_start().contains(' ');
            if !is_free && line.chars().count() > 100 {
                long.push(format!("{}:{}", name(&page), index + 1));
            }
        }
    }
    assert!(long.is_empty(), "lines of more than 100 columns:\n{}", long.join("\n"));
}
