//! A whole table: its header and its rows.

use super::records::{Record, Records, Separator};
use super::{Row, TableError, text};

/// The rows of a table, with its header separate.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<'a> {
    /// The header, if there is one.
    pub header: Option<Row<'a>>,
    /// Whether the header is a comment.
    pub header_is_comment: bool,
    /// The rows below the header.
    pub rows: Vec<Row<'a>>,
}

impl<'a> Table<'a> {
    /// Reads a table of one or more rows that all have the same number of columns.
    ///
    /// The last comment before the first row is the header if `is_name` is true for one of its fields, and so
    /// is a first row without a number. `example` shows a row in the error of an empty table.
    ///
    /// ```
    /// use raceline_file::table::Table;
    ///
    /// let text = b"x_m,note\n1.5,\"wide, \"\"fast\"\"\"\n";
    /// let table = Table::read(text, |field| field == "x_m", "x_m,note")?;
    /// assert_eq!(table.rows[0].number(0, "x_m")?, 1.5);
    /// assert_eq!(table.rows[0].field(1), "wide, \"fast\"");
    /// # Ok::<(), raceline_file::table::TableError>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError::NotText`], [`TableError::OpenQuote`], [`TableError::UnevenRow`] and
    /// [`TableError::Empty`].
    pub fn read(bytes: &'a [u8], is_name: impl Fn(&str) -> bool, example: &'static str) -> Result<Self, TableError> {
        let table = Self::read_uneven(text(bytes)?, is_name)?;
        let Some(first) = table.rows.first() else { return Err(TableError::Empty { example }) };
        let compared_with = |row: &Row<'a>, other: &Row<'a>| match row.fields.len() == other.fields.len() {
            true => Ok(()),
            false => {
                let (found, wanted) = (row.fields.len(), other.fields.len());
                Err(TableError::UnevenRow { line: row.line, found, first: other.line, wanted })
            }
        };
        compared_with(first, table.header.as_ref().unwrap_or(first))?;
        table.rows.iter().try_for_each(|row| compared_with(row, first))?;
        Ok(table)
    }

    /// Reads a table that may have rows of different lengths, or none. See [`Self::read`].
    ///
    /// # Errors
    /// [`TableError::OpenQuote`].
    pub fn read_uneven(text: &'a str, is_name: impl Fn(&str) -> bool) -> Result<Self, TableError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let separator = Separator::of(text);
        let mut records = Records::new(text, separator);
        let mut table = Self { header: None, header_is_comment: false, rows: Vec::new() };
        while let Some(record) = records.next()? {
            match record {
                Record::Comment { line, text } if table.rows.is_empty() => {
                    // A comment may contain any text, so an open quotation mark in it is not an error.
                    let fields = |separator| Records::new(text, separator).row().ok();
                    let has_name = |row: &Row| row.fields.iter().any(|field| is_name(field));
                    let names = [separator, Separator::of_row(text)].into_iter().filter_map(fields).find(has_name);
                    if let Some(names) = names {
                        table.header = Some(Row { line, ..names });
                        table.header_is_comment = true;
                    }
                }
                Record::Comment { .. } => {}
                Record::Row(row) => {
                    let has_no_number = row.fields.iter().all(|field| field.parse::<f64>().is_err());
                    if table.rows.is_empty() && table.header.is_none() && has_no_number {
                        table.header = Some(row);
                    } else {
                        table.rows.push(row);
                    }
                }
            }
        }
        Ok(table)
    }
}
