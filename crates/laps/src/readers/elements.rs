//! The elements of XML that may be cut off.

use quick_xml::Reader;
use quick_xml::errors::SyntaxError;
use quick_xml::events::Event;

use crate::error::LogError;
use crate::note::SessionNote;

/// A reader that knows how many elements are open. Text that ends inside a tag ends before it.
pub(super) struct Elements<'a> {
    reader: Reader<&'a [u8]>,
    open: usize,
}

impl<'a> Elements<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { reader: Reader::from_reader(bytes), open: 0 }
    }

    /// The next event; at the end [`Event::Eof`].
    ///
    /// # Errors
    /// [`LogError::Format`] with the byte.
    pub(super) fn next(&mut self) -> Result<Event<'a>, LogError> {
        match self.reader.read_event() {
            Ok(event) => {
                match event {
                    Event::Start(_) => self.open += 1,
                    Event::End(_) => self.open = self.open.saturating_sub(1),
                    _ => {}
                }
                Ok(event)
            }
            Err(error) if is_end(&error) => {
                self.open += 1;
                Ok(Event::Eof)
            }
            Err(error) => {
                let place = format!("byte {}", self.reader.buffer_position());
                Err(LogError::Format { place, problem: error.to_string(), fix: "export the log again" })
            }
        }
    }

    /// What is to be reported at the end of the text, of which `records` were read.
    pub(super) fn notes(&self, records: usize) -> Vec<SessionNote> {
        if self.open > 0 { vec![SessionNote::EndsInElement { records }] } else { Vec::new() }
    }
}

/// Whether the text ends inside a tag.
fn is_end(error: &quick_xml::Error) -> bool {
    use SyntaxError::{UnclosedDoubleQuotedAttributeValue, UnclosedSingleQuotedAttributeValue, UnclosedTag};
    let quick_xml::Error::Syntax(error) = error else { return false };
    matches!(error, UnclosedTag | UnclosedDoubleQuotedAttributeValue | UnclosedSingleQuotedAttributeValue)
}
