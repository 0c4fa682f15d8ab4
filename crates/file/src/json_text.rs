//! JSON text formatted for reading and for diffs: one header key per line, one row of a list per
//! line.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::WriteError;

/// JSON on one line, with a space after each comma and colon and without exponents.
struct OneLine;

impl Formatter for OneLine {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // `Display` gives the shortest text that parses as the same number, without an exponent.
        if value == value.trunc() { write!(writer, "{value:.1}") } else { write!(writer, "{value}") }
    }
}

/// A JSON object being written.
pub struct ObjectText {
    bytes: Vec<u8>,
    indent: usize,
    empty: bool,
}

impl ObjectText {
    /// Begins the outermost object.
    #[must_use]
    pub fn begin() -> Self {
        Self { bytes: b"{".to_vec(), indent: 1, empty: true }
    }

    /// `"key": value` on a line of its own.
    pub fn value(&mut self, key: &str, value: &impl Serialize) -> Result<(), WriteError> {
        self.key(key);
        self.one_line(key, value)
    }

    /// `"key": [` and one line for each of `rows`.
    pub fn rows<T: Serialize>(&mut self, key: &str, rows: &[T]) -> Result<(), WriteError> {
        self.key(key);
        self.bytes.push(b'[');
        self.indent += 1;
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                self.bytes.push(b',');
            }
            self.new_line();
            self.one_line(key, row)?;
        }
        self.indent -= 1;
        if !rows.is_empty() {
            self.new_line();
        }
        self.bytes.push(b']');
        Ok(())
    }

    /// `"key": {` with the contents that `fill` writes.
    pub fn object(
        &mut self,
        key: &str,
        fill: impl FnOnce(&mut Self) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.key(key);
        self.bytes.push(b'{');
        self.indent += 1;
        self.empty = true;
        fill(self)?;
        self.indent -= 1;
        self.new_line();
        self.bytes.push(b'}');
        self.empty = false;
        Ok(())
    }

    /// Closes the outermost object; the text ends with a line feed.
    #[must_use]
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.extend_from_slice(b"\n}\n");
        self.bytes
    }

    fn key(&mut self, key: &str) {
        if !self.empty {
            self.bytes.push(b',');
        }
        self.empty = false;
        self.new_line();
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(key.as_bytes());
        self.bytes.extend_from_slice(b"\": ");
    }

    fn new_line(&mut self) {
        self.bytes.push(b'\n');
        self.bytes.resize(self.bytes.len() + 2 * self.indent, b' ');
    }

    fn one_line(&mut self, place: &str, value: &impl Serialize) -> Result<(), WriteError> {
        let mut serializer = Serializer::with_formatter(&mut self.bytes, OneLine);
        value
            .serialize(&mut serializer)
            .map_err(|error| WriteError::Unwritable { place: place.to_owned(), message: error.to_string() })
    }
}
