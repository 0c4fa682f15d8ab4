//! Waits until one of some files has another content.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use hmac_sha256::Hash as Sha256;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use raceline_file::files::{self, LARGEST_PICTURE};

use crate::output::folder_of;

/// An editor writes a file in several steps; they are over when nothing has happened for this long.
const QUIET: Duration = Duration::from_millis(40);
/// Files are compared at least this often, for file systems that do not report changes.
const POLL: Duration = Duration::from_secs(2);

/// Wakes a [`FileWatch`], so that it compares the files at once.
#[derive(Clone, Debug)]
pub struct Waker(Sender<()>);

impl Waker {
    /// A waker of nothing.
    pub fn of_nothing() -> Self {
        Self(channel().0)
    }

    /// Wakes it.
    pub fn wake(&self) {
        // A watch that has ended needs no waking.
        let _ = self.0.send(());
    }
}

/// Files, and their content when they were last looked at.
#[derive(Debug)]
pub struct FileWatch {
    contents: BTreeMap<PathBuf, Option<[u8; 32]>>,
    folders: BTreeSet<PathBuf>,
    watcher: RecommendedWatcher,
    sender: Sender<()>,
    events: Receiver<()>,
}

impl FileWatch {
    /// A watch of no files yet.
    ///
    /// # Errors
    /// The system offers no more watches.
    pub fn new() -> io::Result<Self> {
        let (sender, events) = channel();
        let waker = Waker(sender.clone());
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // That this watch reads the files is no change.
            if !event.is_ok_and(|event| event.kind.is_access()) {
                waker.wake();
            }
        });
        let watcher = watcher.map_err(io::Error::other)?;
        Ok(Self { contents: BTreeMap::new(), folders: BTreeSet::new(), watcher, sender, events })
    }

    /// Wakes this watch.
    #[must_use]
    pub fn waker(&self) -> Waker {
        Waker(self.sender.clone())
    }

    /// Looks at `files` from now on, and at no other files. A file need not exist: that it appears
    /// is a change. Call this before the files are read, so that no change is missed.
    pub fn look_at(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        self.contents = files.into_iter().map(|file| (file.clone(), digest(&file))).collect();
        // A folder, because an editor replaces a file by another of the same name.
        let folders: BTreeSet<PathBuf> = self.contents.keys().map(|file| folder_of(file).to_owned()).collect();
        for gone in self.folders.difference(&folders) {
            let _ = self.watcher.unwatch(gone);
        }
        for new in folders.difference(&self.folders) {
            // Where this fails, the files are compared by the clock.
            let _ = self.watcher.watch(new, RecursiveMode::NonRecursive);
        }
        self.folders = folders;
    }

    /// Waits until a file has another content, or until it is woken and `is_asked`. Returns whether a file has.
    pub fn wait(&mut self, is_asked: impl Fn() -> bool) -> bool {
        loop {
            let reported = self.events.recv_timeout(POLL);
            if reported == Err(RecvTimeoutError::Disconnected) {
                std::thread::sleep(POLL);
            }
            while self.events.recv_timeout(QUIET).is_ok() {}
            if self.has_changed() {
                return true;
            }
            if is_asked() {
                return false;
            }
        }
    }

    /// Whether a file has another content than when it was looked at.
    fn has_changed(&self) -> bool {
        self.contents.iter().any(|(file, before)| digest(file) != *before)
    }
}

/// The digest of a file's content; `None` if it can't be read.
fn digest(file: &Path) -> Option<[u8; 32]> {
    files::read(file, LARGEST_PICTURE).ok().map(|content| Sha256::hash(&content))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::FileWatch;

    #[test]
    fn a_file_that_appears_changes_or_goes_is_a_change_and_the_same_content_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("club.toml");
        let mut watch = FileWatch::new().unwrap();
        watch.look_at([file.clone()]);
        assert!(!watch.has_changed());
        fs::write(&file, "a = 1").unwrap();
        assert!(watch.has_changed());
        watch.look_at([file.clone()]);
        fs::write(&file, "a = 1").unwrap();
        assert!(!watch.has_changed());
        fs::remove_file(&file).unwrap();
        assert!(watch.has_changed());
    }

    #[test]
    fn waiting_ends_with_a_change_in_a_file_that_another_program_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("club.toml");
        fs::write(&file, "a = 1").unwrap();
        let mut watch = FileWatch::new().unwrap();
        watch.look_at([file.clone()]);
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            let beside = folder.path().join("new");
            fs::write(&beside, "a = 2").unwrap();
            fs::rename(&beside, &file).unwrap();
            folder
        });
        assert!(watch.wait(|| false));
        assert!(watch.has_changed());
        drop(other.join().unwrap());
    }

    #[test]
    fn waiting_ends_when_something_else_is_asked_for() {
        let mut watch = FileWatch::new().unwrap();
        watch.waker().wake();
        assert!(!watch.wait(|| true));
    }
}
