//! The name of a track by its file.

use std::ffi::OsStr;
use std::path::Path;

use raceline_file::files;

/// The track's name: the file's without its ending, and without the `.track` of an extracted one.
pub fn name_of(input: &Path) -> String {
    stem_of(input).to_string_lossy().into_owned()
}

/// The name as the operating system has it, which need not be Unicode.
pub fn stem_of(input: &Path) -> &OsStr {
    if files::is_standard_input(input) {
        return OsStr::new("stdin");
    }
    let stem = input.file_stem().unwrap_or(input.as_os_str());
    let inner = Path::new(stem);
    if inner.extension() == Some(OsStr::new("track")) { inner.file_stem().unwrap_or(stem) } else { stem }
}
