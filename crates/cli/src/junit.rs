//! A batch's report as JUnit XML, which CI systems show: one test case per track.
//!
//! Elements and attributes are those of cargo-nextest's reports, which CI systems read.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use raceline::analysis::drift::Drift;
use raceline::batch::{self, Status, TaskReport};

use super::advice::warning_with_advice;

/// The XML.
pub fn write(batch: &batch::Report) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 4);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let count =
        |statuses: &[Status]| batch.tracks.iter().filter(|track| statuses.contains(&track.status)).count().to_string();
    let tests = batch.tracks.len().to_string();
    let (skipped, failures) = (count(&[Status::NotRun]), count(&[Status::Drifted]));
    let (errors, time) = (count(&[Status::Failed]), seconds(batch.seconds));
    let counts = [("tests", &*tests), ("skipped", &*skipped), ("errors", &*errors), ("failures", &*failures)];
    let [tests, skipped, errors, failures] = counts;
    let all = [("name", "raceline"), tests, skipped, failures, errors, ("time", &time)];
    let suite = [("name", "raceline batch"), tests, skipped, errors, failures, ("time", &time)];
    writer.create_element("testsuites").with_attributes(all).write_inner_content(|writer| {
        let suite = writer.create_element("testsuite").with_attributes(suite);
        if batch.tracks.is_empty() {
            suite.write_empty()?;
        } else {
            suite.write_inner_content(|writer| batch.tracks.iter().try_for_each(|track| write_case(writer, track)))?;
        }
        Ok(())
    })?;
    writer.write_indent()?;
    Ok(writer.into_inner())
}

fn write_case(writer: &mut Writer<Vec<u8>>, track: &TaskReport) -> io::Result<()> {
    let (name, time) = (printable(&track.name), seconds(track.seconds));
    let attributes = [("name", name.as_str()), ("classname", "tracks"), ("time", &time)];
    let case = writer.create_element("testcase").with_attributes(attributes);
    let passed = matches!(track.status, Status::Made | Status::UpToDate | Status::Matches);
    if passed && track.warnings.is_empty() {
        case.write_empty()?;
        return Ok(());
    }
    case.write_inner_content(|writer| {
        match track.status {
            Status::Made | Status::UpToDate | Status::Matches => {}
            Status::Drifted => {
                let sentences = track.drift.as_ref().map(Drift::sentences).unwrap_or_default();
                let message = sentences.first().cloned().unwrap_or_default();
                write_problem(writer, ("failure", "drift"), &message, &sentences.join("\n"))?;
            }
            Status::Failed => {
                let error = track.error.clone().unwrap_or_default();
                write_problem(writer, ("error", "error"), &error, &error)?;
            }
            Status::NotRun => {
                writer.create_element("skipped").write_empty()?;
            }
        }
        if !track.warnings.is_empty() {
            let warnings: Vec<String> = track.warnings.iter().map(warning_with_advice).collect();
            let warnings = printable(&warnings.join("\n"));
            writer.create_element("system-out").write_text_content(BytesText::new(&warnings))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// An element that describes why a case failed: as its text and, in one line, as its attribute
/// `message`.
fn write_problem(
    writer: &mut Writer<Vec<u8>>,
    (element, kind): (&str, &str),
    message: &str,
    description: &str,
) -> io::Result<()> {
    let (message, description) = (printable(message), printable(description));
    let element = writer.create_element(element).with_attributes([("message", message.as_str()), ("type", kind)]);
    element.write_text_content(BytesText::new(&description))?;
    Ok(())
}

/// Text without the characters that XML 1.0 forbids.
fn printable(text: &str) -> String {
    let allowed = |c: &char| !c.is_ascii_control() || matches!(c, '\t' | '\n' | '\r' | '\u{7f}');
    text.chars().filter(allowed).filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}
