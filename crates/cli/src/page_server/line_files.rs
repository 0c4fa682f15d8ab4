//! The files beside a track that its line can be compared with.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use raceline::batch::ENDING;
use raceline_file::files::{self, LARGEST_LINE_FILE};

use crate::output::folder_of;

/// Names that are offered; a folder of thousands of lines would fill the screen.
const MAX_NAMES: usize = 200;
/// Bytes of a CSV in which its header must stand.
const HEADER_BYTES: u64 = 4096;
/// Columns by which the header of a driven lap is known.
const LAP_COLUMNS: [&str; 3] = ["time_s", "x_m", "y_m"];

/// The racing-line files and the CSVs of driven laps in some folders. What is asked for by name is looked up in the
/// folders' listings, so that no name leads to another file.
#[derive(Clone, Debug, Default)]
pub struct LineFiles {
    folders: Vec<PathBuf>,
    /// The track, and the line that is made, which is on the page already.
    left_out: Vec<PathBuf>,
}

impl LineFiles {
    /// The files in the folder of `input`, and in that of `output`, the line that is made.
    pub fn beside(input: &Path, output: Option<&Path>) -> Self {
        let mut folders = vec![folder_of(input).to_owned()];
        if let Some(folder) = output.map(folder_of) {
            let is_same = fs::canonicalize(folder).ok() == fs::canonicalize(&folders[0]).ok();
            if !is_same {
                folders.push(folder.to_owned());
            }
        }
        Self { folders, left_out: std::iter::once(input).chain(output).map(Path::to_owned).collect() }
    }

    /// The names, in the order of the alphabet, at most 200 of them. A file of the second folder has that folder in its
    /// name where the first one has a file of this name too.
    pub fn names(&self) -> Vec<String> {
        self.listed().into_keys().take(MAX_NAMES).collect()
    }

    /// The content of the file called `name` in [`names`](Self::names).
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let path = self.listed().remove(name);
        let path = path.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "it is not beside the track"))?;
        files::read(&path, LARGEST_LINE_FILE)
    }

    fn listed(&self) -> BTreeMap<String, PathBuf> {
        let left_out: Vec<PathBuf> = self.left_out.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
        let mut listed = BTreeMap::new();
        for folder in &self.folders {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for path in entries.flatten().map(|entry| entry.path()) {
                let Some(name) = path.file_name().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
                let is_offered = name.ends_with(ENDING) || name.ends_with(".csv") && is_lap(&path);
                let is_left_out = || fs::canonicalize(&path).is_ok_and(|path| left_out.contains(&path));
                if !is_offered || is_left_out() {
                    continue;
                }
                let name = if listed.contains_key(&name) { path.to_string_lossy().into_owned() } else { name };
                listed.insert(name, path);
            }
        }
        listed
    }
}

/// Whether a CSV has the columns of a driven lap, by its first lines.
fn is_lap(path: &Path) -> bool {
    let mut start = Vec::new();
    let has_read = files::open(path).and_then(|file| file.take(HEADER_BYTES).read_to_end(&mut start)).is_ok();
    let text = String::from_utf8_lossy(&start);
    let has = |line: &str, column: &str| line.split([',', ';', '\t']).any(|field| field.trim() == column);
    has_read && text.lines().any(|line| LAP_COLUMNS.iter().all(|column| has(line, column)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::LineFiles;

    #[test]
    fn lines_and_laps_of_both_folders_are_listed_and_nothing_else_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (tracks, lines) = (folder.path().join("tracks"), folder.path().join("lines"));
        let write = |path: std::path::PathBuf, text: &str| fs::write(path, text).unwrap();
        for one in [&tracks, &lines] {
            fs::create_dir(one).unwrap();
            write(one.join("old.raceline.json"), "{}");
        }
        write(lines.join("club.raceline.json"), "made");
        write(tracks.join("club.csv"), "x_m,y_m,w_tr_right_m,w_tr_left_m\n1,2,3,4\n");
        write(tracks.join("monday.csv"), "# of a kart\ntime_s,lap,x_m,y_m,speed_mps\n0,1,2,3,4\n");
        write(tracks.join("club.toml"), "vehicle = \"kart\"\n");
        let files = LineFiles::beside(&tracks.join("club.csv"), Some(&lines.join("club.raceline.json")));
        let other = lines.join("old.raceline.json").to_string_lossy().into_owned();
        let mut expected = vec![other.clone(), "monday.csv".to_owned(), "old.raceline.json".to_owned()];
        expected.sort();
        assert_eq!(files.names(), expected);
        assert!(files.read("monday.csv").unwrap().starts_with(b"# of a kart"));
        assert_eq!(files.read(&other).unwrap(), b"{}");
        for name in ["club.toml", "../tracks/club.toml", "club.raceline.json", "", "/etc/hostname"] {
            assert!(files.read(name).is_err(), "{name}");
        }
        // A second time in one folder: it is listed once.
        let alone = LineFiles::beside(&tracks.join("club.csv"), Some(&tracks.join("club.raceline.json")));
        assert_eq!(alone.names(), ["monday.csv", "old.raceline.json"]);
        assert!(LineFiles::default().names().is_empty());
    }
}
