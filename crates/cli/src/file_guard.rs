//! Checks of a command's files before it runs: no output over an input, no two outputs in one file,
//! no names that change the terminal.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use raceline_file::files;

use super::output::{Output, end_of_links};
use super::report::{Failure, is_unprintable, printable};

/// Checks the files of a command; those of `outputs` need not exist.
///
/// # Errors
/// Wrong usage: an output that is also an input or another output, also through links, and a name
/// with control characters.
pub fn check<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: impl IntoIterator<Item = &'a Output>,
) -> Result<(), Failure> {
    let mut read = BTreeMap::new();
    let mut takes_stdin = false;
    for input in inputs {
        check_name(input)?;
        if files::is_standard_input(input) {
            if takes_stdin {
                return Err(Failure::usage(
                    "standard input (-) can be only one of the inputs: specify a file for the other",
                ));
            }
            takes_stdin = true;
            continue;
        }
        if let Some(file) = FileId::of(input) {
            read.entry(file).or_insert(input);
        }
    }
    let mut written: BTreeMap<FileId, &Path> = BTreeMap::new();
    for output in outputs {
        let Output::File(path) = output else { continue };
        check_name(path)?;
        let Some(file) = FileId::of(path) else { continue };
        let shown = path.display();
        if let Some(input) = read.get(&file) {
            let same = if *input == path { String::new() } else { format!(" {}", input.display()) };
            return Err(Failure::usage(format!(
                "the output {shown} is the same file as the input{same}, which would be lost: specify another output"
            )));
        }
        if let Some(other) = written.insert(file, path) {
            return Err(Failure::usage(format!(
                "the outputs {} and {shown} are the same file: specify another one for either",
                other.display()
            )));
        }
    }
    Ok(())
}

/// Fails for a name with characters that a terminal or a list of names takes for commands.
fn check_name(path: &Path) -> Result<(), Failure> {
    let name = path.to_string_lossy();
    if name.chars().any(|c| is_unprintable(c) || c == '\n' || c == '\t') {
        let shown = printable(&name).replace('\n', "\\n").replace('\t', "\\t");
        return Err(Failure::usage(format!("{shown}: the name contains a control character: rename the file")));
    }
    Ok(())
}

/// What two names have in common if they lead to one plain file.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileId {
    /// Device and number of an existing file.
    #[cfg(unix)]
    Number(u64, u64),
    /// Path without links.
    Path(PathBuf),
}

impl FileId {
    /// The identity of an existing or new file; `None` for folders, devices and pipes, which can
    /// be input and output at once, and for a file in a folder that does not exist.
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => None,
            #[cfg(unix)]
            Ok(metadata) => {
                use std::os::unix::fs::MetadataExt;
                Some(Self::Number(metadata.dev(), metadata.ino()))
            }
            #[cfg(not(unix))]
            Ok(_) => fs::canonicalize(path).ok().map(Self::Path),
            Err(_) => {
                let path = end_of_links(path);
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                Some(Self::Path(fs::canonicalize(folder).ok()?.join(path.file_name()?)))
            }
        }
    }
}
