//! Why a text is no table of numbers. Each message contains the place and the remedy.

/// Why a text is no table of numbers.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Bytes that are not text.
    #[error("line {line}: byte {byte} of the file is not UTF-8 text: save the file as UTF-8")]
    NotText {
        /// Line of the byte, from 1.
        line: usize,
        /// Place of the byte in the file, from 0.
        byte: usize,
    },
    /// A file without a row of numbers.
    #[error("the file has no row of numbers: give one row for each point, as {example}")]
    Empty {
        /// An example of a row.
        example: &'static str,
    },
    /// A quotation mark without its pair.
    #[error("line {line}, column {column}: the quotation mark is not closed: close it or remove it")]
    OpenQuote {
        /// Line, from 1.
        line: usize,
        /// Column of the table, from 1.
        column: usize,
    },
    /// A header without a required column.
    #[error("line {line}: the header has no column {missing} among {}: add it; {known}", .found.join(", "))]
    MissingColumn {
        /// Line of the header, from 1.
        line: usize,
        /// The column that is missing.
        missing: &'static str,
        /// The columns in the header.
        found: Vec<String>,
        /// The accepted sets of columns.
        known: &'static str,
    },
    /// Two columns of one name or meaning.
    #[error("line {line}, column {column}: {name} occurs twice: keep one of them")]
    DoubleColumn {
        /// Line of the header, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The name.
        name: String,
    },
    /// A row that is shorter or longer than the others.
    #[error(
        "line {line}: the number of columns is {found}, but line {first} has {wanted}: give every row the same columns"
    )]
    UnevenRow {
        /// Line, from 1.
        line: usize,
        /// Number of columns here.
        found: usize,
        /// The line with which the row is compared.
        first: usize,
        /// Number of columns there.
        wanted: usize,
    },
    /// A field that is not a finite number.
    #[error("line {line}, column {column} ({name}): {found:?} is not a finite number: {fix}")]
    NotANumber {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Name of the column.
        name: &'static str,
        /// The field.
        found: String,
        /// The remedy.
        fix: &'static str,
    },
    /// A number outside the range of its column.
    #[error("line {line}, column {column} ({name}): {found} must be {must_be}")]
    OutOfRange {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Name of the column.
        name: &'static str,
        /// The number.
        found: f64,
        /// The requirement.
        must_be: &'static str,
    },
}
