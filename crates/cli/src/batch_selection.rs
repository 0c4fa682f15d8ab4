//! The selection of a folder's tracks.

use globset::{Glob, GlobBuilder, GlobMatcher};
use raceline::batch::Task;

use super::report::Failure;

/// A track must match one pattern of `only` and none of `skip`.
pub struct Selection {
    only: Vec<Pattern>,
    skip: Vec<Pattern>,
}

struct Pattern {
    text: String,
    glob: GlobMatcher,
}

impl Selection {
    pub fn new(only: &[String], skip: &[String]) -> Result<Self, Failure> {
        let patterns = |flag: &str, texts: &[String]| {
            texts.iter().map(|text| Pattern::new(flag, text)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self { only: patterns("--only", only)?, skip: patterns("--skip", skip)? })
    }

    pub fn contains(&self, task: &Task) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(task));
        (self.only.is_empty() || any(&self.only)) && !any(&self.skip)
    }
}

impl Pattern {
    fn new(flag: &str, text: &str) -> Result<Self, Failure> {
        let glob: Result<Glob, _> = GlobBuilder::new(text).literal_separator(true).build();
        let glob = glob.map_err(|error| Failure::usage(format!("{flag} {text}: {}", error.kind())))?;
        Ok(Self { text: text.to_owned(), glob: glob.compile_matcher() })
    }

    /// Whether the path below the folder matches, with or without its ending. A pattern without a
    /// slash may match only the last part. The input as `--list` prints it always matches
    /// literally.
    fn matches(&self, task: &Task) -> bool {
        let last = |path: &str| path.rsplit('/').next().map(str::to_owned).unwrap_or_default();
        let mut names = vec![task.relative.clone(), task.name.clone()];
        if !self.text.contains('/') {
            names.extend([last(&task.relative), last(&task.name)]);
        }
        names.iter().any(|name| *name == self.text || self.glob.is_match(name))
            || task.input.to_string_lossy() == self.text
    }
}
