//! One row of a table.

use std::borrow::Cow;

use super::TableError;
use crate::shortened;

/// Maximum number of columns that an error lists.
const MAX_LISTED: usize = 12;

/// A row of fields: of a header, or of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// Line in the file where the row begins, from 1.
    pub line: usize,
    /// The fields without their quotation marks and the blanks around them.
    pub fields: Vec<Cow<'a, str>>,
}

impl Row<'_> {
    /// The text in the column with this index, from 0; empty if the row is shorter.
    #[must_use]
    pub fn field(&self, index: usize) -> &str {
        self.fields.get(index).map_or("", |field| field)
    }

    /// The finite number in the column with this index; `name` is the column's name in messages and ends in
    /// `_m` for metres.
    ///
    /// # Errors
    /// [`TableError::NotANumber`] with line and column.
    pub fn number(&self, index: usize, name: &'static str) -> Result<f64, TableError> {
        let field = self.field(index);
        field.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| {
            let fix = match field {
                "" => "fill it in, or remove the row",
                _ if field.contains(',') => "write a decimal point, not a comma",
                _ if name.ends_with("_m") => "write it in metres with a decimal point, without a unit",
                _ => "write it with a decimal point, without a unit",
            };
            TableError::NotANumber { line: self.line, column: index + 1, name, found: shortened(field), fix }
        })
    }

    /// Index of the column with exactly this name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field == name)
    }

    /// Index of each wanted column in this header. A column is a name and the accepted spellings of it, as
    /// [`plain_name`] returns them.
    ///
    /// # Errors
    /// [`TableError::DoubleColumn`].
    pub fn columns<const N: usize>(
        &self,
        spellings: &[(&'static str, &[&str]); N],
    ) -> Result<[Option<usize>; N], TableError> {
        let mut found = [None; N];
        for (index, field) in self.fields.iter().enumerate() {
            let plain = plain_name(field);
            for (place, (_, spelt)) in found.iter_mut().zip(spellings) {
                if !spelt.contains(&plain.as_str()) {
                    continue;
                }
                if place.is_some() {
                    let name = shortened(field);
                    return Err(TableError::DoubleColumn { line: self.line, column: index + 1, name });
                }
                *place = Some(index);
            }
        }
        Ok(found)
    }

    /// [`TableError::MissingColumn`] for this header; `known` are the accepted sets of columns.
    #[must_use]
    pub fn missing(&self, missing: &'static str, known: &'static str) -> TableError {
        let found = self.fields.iter().take(MAX_LISTED).map(|field| shortened(field)).collect();
        TableError::MissingColumn { line: self.line, missing, found, known }
    }
}

/// A column's name without case, blanks and the unit metres: `X_M`, `x [m]` and `x` are equal.
#[must_use]
pub fn plain_name(name: &str) -> String {
    let name: String = name.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let name = name.trim_start_matches('#').trim_end_matches("[m]").trim_end_matches("(m)");
    name.trim_end_matches("_m").to_owned()
}
