//! XML that is cut off.

use quick_xml::errors::SyntaxError;

/// Whether the text ends inside a tag.
pub(super) fn is_end(error: &quick_xml::Error) -> bool {
    use SyntaxError::{UnclosedDoubleQuotedAttributeValue, UnclosedSingleQuotedAttributeValue, UnclosedTag};
    let quick_xml::Error::Syntax(error) = error else { return false };
    matches!(error, UnclosedTag | UnclosedDoubleQuotedAttributeValue | UnclosedSingleQuotedAttributeValue)
}
