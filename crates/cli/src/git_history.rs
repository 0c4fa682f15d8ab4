//! What git knows of a file, by the program `git`; nothing where it is not installed or the file is
//! in no repository.

use std::path::Path;
use std::process::{Command, Stdio};

/// The content of `file` in the last commit.
pub fn committed_content(file: &Path) -> Option<Vec<u8>> {
    let name = file.file_name()?.to_str()?;
    git(file, &["show", &format!("HEAD:./{name}")])
}

/// The date of the last commit that changed `file`, as `2026-11-23`.
pub fn committed_date(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let date = git(file, &["log", "-1", "--format=%cs", "--", name])?;
    let date = String::from_utf8(date).ok()?.trim().to_owned();
    (!date.is_empty()).then_some(date)
}

fn git(file: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then_some(output.stdout)
}
