//! Fields as RFC 4180 writes them.

use std::borrow::Cow;

/// `field` as it stands in a row whose separator is a comma: in quotation marks if it contains a comma, a
/// quotation mark or a line break, otherwise unchanged.
///
/// ```
/// use raceline_file::table::quoted;
///
/// assert_eq!(quoted("Turn 3"), "Turn 3");
/// assert_eq!(quoted("the \"S\", left"), "\"the \"\"S\"\", left\"");
/// ```
#[must_use]
pub fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains(['"', ',', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}
