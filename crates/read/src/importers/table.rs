//! A CSV as rows of fields with their line numbers, for any separator and header.

use super::excerpt::excerpt;
use raceline_road::construction::ImportError;

/// A row of fields.
pub struct Row<'a> {
    /// Line in the file, from 1.
    pub line: usize,
    /// The fields, trimmed and without their quotation marks.
    pub fields: Vec<&'a str>,
}

/// The rows of a CSV, with its header separate.
pub struct Table<'a> {
    /// The header, if there is one.
    pub header: Option<Row<'a>>,
    /// The rows of numbers, at least one.
    pub rows: Vec<Row<'a>>,
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// [`ImportError::NotText`] with the place.
pub fn text(bytes: &[u8]) -> Result<&str, ImportError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let byte = error.valid_up_to();
        let line = 1 + bytes.iter().take(byte).filter(|&&b| b == b'\n').count();
        ImportError::NotText { line, byte }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

impl<'a> Table<'a> {
    /// Reads `text`. Lines beginning with `#` are comments. The last comment before the first row
    /// is the header if `is_name` is true for one of its fields, and so is a first row without a
    /// number. The separator is `;` if a row contains one, else `,`, else a tab or blanks.
    ///
    /// # Errors
    /// [`ImportError::OpenQuote`], [`ImportError::UnevenRow`], and [`ImportError::Empty`] with
    /// `example`.
    pub fn read(text: &'a str, is_name: impl Fn(&str) -> bool, example: &'static str) -> Result<Self, ImportError> {
        let lines =
            || text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())).filter(|(_, l)| !l.is_empty());
        let separator =
            lines().find(|(_, line)| !line.starts_with('#')).map_or(Separator::Comma, |(_, line)| Separator::of(line));
        let mut header = None;
        let mut rows: Vec<Row> = Vec::new();
        for (line, content) in lines() {
            if let Some(comment) = content.strip_prefix('#') {
                if rows.is_empty() {
                    // A comment may contain any text, so an open quotation mark in it is not an
                    // error.
                    let fields = [separator, Separator::of(comment)].into_iter().find_map(|separator| {
                        separator.split(comment, line).ok().filter(|fields| fields.iter().any(|field| is_name(field)))
                    });
                    header = fields.map(|fields| Row { line, fields }).or(header);
                }
                continue;
            }
            let fields = separator.split(content, line)?;
            if rows.is_empty() && header.is_none() && fields.iter().all(|field| field.parse::<f64>().is_err()) {
                header = Some(Row { line, fields });
                continue;
            }
            let first = rows.first().or(header.as_ref());
            if let Some(first) = first.filter(|first| first.fields.len() != fields.len()) {
                let (found, wanted) = (fields.len(), first.fields.len());
                return Err(ImportError::UnevenRow { line, found, first: first.line, wanted });
            }
            rows.push(Row { line, fields });
        }
        if rows.is_empty() { Err(ImportError::Empty { example }) } else { Ok(Self { header, rows }) }
    }
}

/// The separator between two fields.
#[derive(Clone, Copy)]
enum Separator {
    Semicolon,
    Comma,
    Tab,
    Blank,
}

impl Separator {
    fn of(line: &str) -> Self {
        match line {
            _ if line.contains(';') => Self::Semicolon,
            _ if line.contains(',') => Self::Comma,
            _ if line.contains('\t') => Self::Tab,
            _ => Self::Blank,
        }
    }

    /// The fields of one line; a separator at its end does not begin another field.
    fn split(self, content: &str, line: usize) -> Result<Vec<&str>, ImportError> {
        let mark = match self {
            Self::Semicolon => ';',
            Self::Comma => ',',
            Self::Tab => '\t',
            Self::Blank => return Ok(content.split_whitespace().collect()),
        };
        let mut fields = Vec::new();
        let mut rest = content;
        loop {
            let column = fields.len() + 1;
            let start = rest.trim_start();
            let (field, after) = if let Some(quoted) = start.strip_prefix('"') {
                let (field, after) = quoted.split_once('"').ok_or(ImportError::OpenQuote { line, column })?;
                (field, after.split_once(mark).map(|(_, after)| after))
            } else {
                match rest.split_once(mark) {
                    Some((field, after)) => (field, Some(after)),
                    None => (rest, None),
                }
            };
            fields.push(field.trim());
            match after {
                Some(after) if !after.trim().is_empty() => rest = after,
                _ => return Ok(fields),
            }
        }
    }
}

impl Row<'_> {
    /// The finite number in the column with this index; `name` is the column's name in messages.
    ///
    /// # Errors
    /// [`ImportError::NotANumber`] with line and column.
    pub fn number(&self, index: usize, name: &'static str) -> Result<f64, ImportError> {
        let field = self.fields.get(index).copied().unwrap_or_default();
        field.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| {
            let fix = match field {
                "" => "fill it in, or remove the row",
                _ if field.contains(',') => "write a decimal point, not a comma",
                _ => "write it in metres with a decimal point, without a unit",
            };
            ImportError::NotANumber { line: self.line, column: index + 1, name, found: excerpt(field), fix }
        })
    }
}

/// A column's name without case, blanks and unit: `X_M`, `x [m]` and `x` are the same.
pub(super) fn plain_name(name: &str) -> String {
    let name: String = name.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let name = name.trim_start_matches('#').trim_end_matches("[m]").trim_end_matches("(m)");
    name.trim_end_matches("_m").to_owned()
}

/// Index of each wanted column in a header. Each column is a name and its accepted plain spellings.
///
/// # Errors
/// [`ImportError::DoubleColumn`].
pub(super) fn columns<const N: usize>(
    header: &Row,
    spellings: &[(&'static str, &[&str]); N],
) -> Result<[Option<usize>; N], ImportError> {
    let mut found = [None; N];
    for (index, field) in header.fields.iter().enumerate() {
        let plain = plain_name(field);
        for (place, (_, spelt)) in found.iter_mut().zip(spellings) {
            if !spelt.contains(&plain.as_str()) {
                continue;
            }
            if place.is_some() {
                let name = excerpt(field);
                return Err(ImportError::DoubleColumn { line: header.line, column: index + 1, name });
            }
            *place = Some(index);
        }
    }
    Ok(found)
}

/// [`ImportError::MissingColumn`] for this header.
pub(super) fn missing(header: &Row, missing: &'static str, known: &'static str) -> ImportError {
    const MAX: usize = 12;
    let found = header.fields.iter().take(MAX).map(|field| excerpt(field)).collect();
    ImportError::MissingColumn { line: header.line, missing, found, known }
}
