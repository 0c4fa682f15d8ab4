//! The records of a text, one after the other: comments, and fields as `csv-core` separates them.
//!
//! `csv-core` is the parser of the crate `csv`. It is called field by field, because these tables differ from
//! those that `csv` reads: blanks before a quotation mark and several blanks as a separator are common in
//! files that people write, a comment may be the header, and a quotation mark that is not closed is an error
//! with its place, where `csv` takes the rest of the file for one field.

use std::borrow::Cow;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder, Terminator};

use super::{Row, TableError};

/// The separator between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Semicolon,
    Comma,
    Tab,
    Blanks,
}

/// Bytes that `csv-core` copies at a time.
const CHUNK: usize = 256;

/// What stands at one place of a text.
pub(super) enum Record<'a> {
    /// The text of a comment, without its `#`, in one line.
    Comment { line: usize, text: &'a str },
    /// A row of fields.
    Row(Row<'a>),
}

pub(super) struct Records<'a> {
    text: &'a str,
    separator: Separator,
    parser: Reader,
    chunk: [u8; CHUNK],
    /// Bytes that have been read.
    position: usize,
    /// Line of that place, from 1.
    line: usize,
}

/// One field.
struct Field<'a> {
    text: Cow<'a, str>,
    is_quoted: bool,
    is_last: bool,
}

impl Separator {
    /// The separator of the first row of `text`: the first of `;`, `,` and tab that it contains outside
    /// quotation marks; otherwise blanks.
    pub(super) fn of(text: &str) -> Self {
        let lines = text.split_inclusive('\n');
        let before = lines.take_while(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        Self::of_row(&text[before.map(str::len).sum::<usize>()..])
    }

    /// The separator of the row at the start of `text`, also if it begins with `#`.
    pub(super) fn of_row(text: &str) -> Self {
        match outside_quotes(text).trim() {
            unquoted if unquoted.contains(';') => Self::Semicolon,
            unquoted if unquoted.contains(',') => Self::Comma,
            unquoted if unquoted.contains('\t') => Self::Tab,
            _ => Self::Blanks,
        }
    }

    fn mark(self) -> char {
        match self {
            Self::Semicolon => ';',
            Self::Comma => ',',
            Self::Tab => '\t',
            Self::Blanks => ' ',
        }
    }
}

/// What the row at the start of `text` contains outside quotation marks, with a mark for each quoted part, so
/// that the blanks beside it stay inside the row.
fn outside_quotes(text: &str) -> String {
    let mut outside = String::new();
    let (mut is_quoted, mut begins_field) = (false, true);
    for character in text.chars() {
        match character {
            '"' if is_quoted || begins_field => {
                is_quoted = !is_quoted;
                outside.push(character);
            }
            _ if is_quoted => {}
            '\n' => break,
            _ => {
                begins_field = matches!(character, ';' | ',') || character.is_whitespace();
                outside.push(character);
            }
        }
    }
    outside
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a str, separator: Separator) -> Self {
        let parser = ReaderBuilder::new().delimiter(separator.mark() as u8).terminator(Terminator::Any(b'\n')).build();
        Self { text, separator, parser, chunk: [0; CHUNK], position: 0, line: 1 }
    }

    /// The next comment or row; `None` at the end. Empty lines are skipped.
    ///
    /// # Errors
    /// [`TableError::OpenQuote`].
    pub(super) fn next(&mut self) -> Result<Option<Record<'a>>, TableError> {
        self.skip(char::is_whitespace);
        let (line, rest) = (self.line, self.rest());
        if rest.is_empty() {
            return Ok(None);
        }
        if let Some(comment) = rest.strip_prefix('#') {
            let text = comment.lines().next().unwrap_or_default();
            self.position += 1 + text.len();
            return Ok(Some(Record::Comment { line, text }));
        }
        self.row().map(|row| Some(Record::Row(row)))
    }

    /// The row that begins here, also if it begins with `#`.
    ///
    /// # Errors
    /// [`TableError::OpenQuote`].
    pub(super) fn row(&mut self) -> Result<Row<'a>, TableError> {
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            let Field { text, is_quoted, is_last } = self.field(fields.len() + 1)?;
            match (self.separator, text) {
                // Tabs between blanks.
                (Separator::Blanks, Cow::Borrowed(text)) => {
                    fields.extend(text.split_whitespace().map(Cow::Borrowed));
                }
                (_, text) => fields.push(text),
            }
            if !is_last {
                continue;
            }
            // A separator at the end of a line begins no other field, and of tabs no number of them.
            let max_dropped = match self.separator {
                Separator::Tab => usize::MAX,
                _ => 1,
            };
            if !is_quoted {
                let empty = fields.iter().skip(1).rev().take_while(|field| field.is_empty()).count();
                fields.truncate(fields.len() - empty.min(max_dropped));
            }
            return Ok(Row { line, fields });
        }
    }

    /// The field that begins here, after its blanks.
    fn field(&mut self, column: usize) -> Result<Field<'a>, TableError> {
        let mark = self.separator.mark();
        self.skip(|c| c.is_whitespace() && c != '\n' && (c != mark || mark == ' '));
        let (text, start, line) = (self.text, self.position, self.line);
        let is_quoted = self.rest().starts_with('"');
        let (mut length, mut content) = (0, Vec::new());
        let mut has_ended = false;
        let is_last = loop {
            // At the end of the text a line feed stands for the missing one.
            has_ended |= self.position == text.len();
            let input = if has_ended { b"\n" } else { &text.as_bytes()[self.position..] };
            let (result, read, written) = self.parser.read_field(input, &mut self.chunk);
            if !has_ended {
                self.position += read;
            }
            length += written;
            if is_quoted {
                content.extend_from_slice(&self.chunk[..written]);
            }
            match result {
                ReadFieldResult::Field { record_end } => break record_end,
                ReadFieldResult::End => break true,
                ReadFieldResult::InputEmpty if has_ended => return Err(TableError::OpenQuote { line, column }),
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            }
        };
        self.line += text[start..self.position].matches('\n').count();
        let field = match is_quoted {
            true => Cow::Owned(String::from_utf8_lossy(&content).trim().to_owned()),
            // Without quotation marks the content is what stands in the text.
            false => Cow::Borrowed(text.get(start..start + length).unwrap_or_default().trim()),
        };
        Ok(Field { text: field, is_quoted, is_last })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        let rest = self.rest();
        let skipped = &rest[..rest.len() - rest.trim_start_matches(is_skipped).len()];
        self.line += skipped.matches('\n').count();
        self.position += skipped.len();
    }
}
