//! What a search gained on the line that it started from, corner by corner, below the table of
//! `optimize`.

use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, compare, decimals_of};

use super::comparison_sheets::sheets;
use super::sheet::Format;

/// The table of the corners of the initial line; one line of text where the lines cannot be
/// compared.
pub fn initial_line_table(initial: &RacingLine, line: &RacingLine) -> String {
    let comparison = match compare(initial, line, &AnalysisOptions::of(initial)) {
        Ok(comparison) => comparison,
        Err(error) => return format!("  the initial line, {:.3} s, is not compared: {error}\n", initial.lap_time_s),
    };
    let mut text = format!(
        "  the initial line takes {:.3} s; in its corners and between them the new line is faster where the difference is \
         negative:\n",
        initial.lap_time_s
    );
    let decimals = decimals_of(initial);
    for sheet in sheets(&comparison, decimals).iter().filter(|sheet| ["corners", "straights"].contains(&sheet.name)) {
        text.push_str(&sheet.print(Format::Text));
    }
    text
}
