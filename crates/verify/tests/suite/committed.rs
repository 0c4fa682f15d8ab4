//! The lines of the repository, made by the program, are sound.

use crate::{committed_lines, judged};

#[test]
fn every_committed_line_is_sound() {
    for (name, line) in committed_lines() {
        let report = judged(&line);
        let findings: Vec<String> = report.findings().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{name}: {findings:#?}");
    }
}
