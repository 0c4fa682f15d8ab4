//! Tables as text, CSV or Markdown.

use clap::ValueEnum;

use super::text_table::text_table;
use raceline::table::quoted;

/// The output format of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Columns of text
    #[default]
    Text,
    /// Everything, in SI units
    Json,
    /// One table, comma-separated; see --table
    Csv,
    /// For a document or a pull request
    Markdown,
}

/// A table with a title.
pub struct Sheet {
    /// Name for `--table`.
    pub name: &'static str,
    /// Title above the table.
    pub title: String,
    /// One heading per column.
    pub headings: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Number of columns from the left that are names; the rest are numbers.
    pub names: usize,
}

impl Sheet {
    /// The sheet in `format`; as text for JSON, which is not made of sheets.
    pub fn print(&self, format: Format) -> String {
        let headings = self.headings.iter().map(|&heading| heading.to_owned());
        match format {
            Format::Text | Format::Json => {
                let rows: Vec<Vec<String>> =
                    std::iter::once(headings.collect()).chain(self.rows.iter().cloned()).collect();
                format!("\n{}\n{}", self.title, text_table(&rows, self.names))
            }
            Format::Csv => {
                let rows = std::iter::once(headings.collect::<Vec<_>>()).chain(self.rows.iter().cloned());
                rows.map(|row| row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\n").collect()
            }
            Format::Markdown => {
                let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
                let escaped = |cells: Vec<String>| cells.into_iter().map(|cell| cell.replace('|', "\\|")).collect();
                let rule = (0..self.headings.len()).map(|i| if i < self.names { "---" } else { "--:" }.to_owned());
                let rows: String = self.rows.iter().cloned().map(escaped).map(row).collect();
                format!("\n**{}**\n\n{}{}{rows}", self.title, row(headings.collect()), row(rule.collect()))
            }
        }
    }
}

/// The selected sheets: the one called `name`, or all; for CSV only the first by default.
pub fn chosen<'a>(sheets: &'a [Sheet], format: Format, name: Option<&str>) -> Vec<&'a Sheet> {
    match name {
        Some(name) => sheets.iter().filter(|sheet| sheet.name == name).collect(),
        None if format == Format::Csv => sheets.first().into_iter().collect(),
        None => sheets.iter().collect(),
    }
}
