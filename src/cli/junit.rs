//! A batch's report as JUnit XML, which CI systems show: one test case a track.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use raceline::analysis::drift::Drift;
use raceline::batch::{self, Status, TaskReport};

use super::advice::warning_with_advice;

/// The XML.
pub fn write(batch: &batch::Report) -> anyhow::Result<Vec<u8>> {
    let mut suite = TestSuite::new("raceline batch");
    suite.set_time(Duration::from_secs_f64(batch.seconds));
    suite.add_test_cases(batch.tracks.iter().map(case));
    let mut report = Report::new("raceline");
    report.set_time(Duration::from_secs_f64(batch.seconds));
    report.add_test_suite(suite);
    let mut xml = Vec::new();
    report.serialize(&mut xml)?;
    Ok(xml)
}

fn case(track: &TaskReport) -> TestCase {
    let status = match track.status {
        Status::Made | Status::UpToDate | Status::Matches => TestCaseStatus::success(),
        Status::Drifted => {
            let sentences = track.drift.as_ref().map(Drift::sentences).unwrap_or_default();
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(sentences.first().cloned().unwrap_or_default());
            status.set_type("drift").set_description(sentences.join("\n"));
            status
        }
        Status::Failed => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            let error = track.error.clone().unwrap_or_default();
            status.set_type("error").set_message(error.clone()).set_description(error);
            status
        }
        Status::NotRun => TestCaseStatus::skipped(),
    };
    let mut case = TestCase::new(track.name.clone(), status);
    case.set_classname("tracks").set_time(Duration::from_secs_f64(track.seconds));
    if !track.warnings.is_empty() {
        let warnings: Vec<String> = track.warnings.iter().map(warning_with_advice).collect();
        case.set_system_out(warnings.join("\n"));
    }
    case
}
