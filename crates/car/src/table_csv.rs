//! Tables over speed as CSV, in the format of TUM's `ggv.csv` and `ax_max_machines.csv`: one row
//! per speed, comments after `#`.

use raceline_file::table::{Row, Table};

/// The rows of `text`, each with the numbers of `columns`, as an inline TOML array. A comment that names all
/// of the columns determines their order in the file.
///
/// The array replaces the file's name in a vehicle's TOML, so its numbers are checked against the
/// same ranges as those of an inline table.
///
/// # Errors
/// The problem and the remedy, with the line.
pub(super) fn inline_array(text: &str, columns: &[&str]) -> Result<String, String> {
    let text = without_comments_after_numbers(text);
    let table = Table::read_uneven(&text, |field| columns.contains(&field)).map_err(|error| error.to_string())?;
    let header = table.header.as_ref();
    let named = header.and_then(|header| columns.iter().map(|name| header.position(name)).collect::<Option<Vec<_>>>());
    let order = named.unwrap_or_else(|| (0..columns.len()).collect());
    // Names must be in a comment, as in TUM's files.
    let names = header.filter(|_| !table.header_is_comment);
    let rows: Vec<String> =
        names.into_iter().chain(&table.rows).map(|row| inline_row(row, columns, &order)).collect::<Result<_, _>>()?;
    if rows.is_empty() {
        return Err(format!("there is no row of numbers: give at least one, {}", columns.join(", ")));
    }
    Ok(format!("[{}]", rows.join(", ")))
}

/// The text without what follows a `#` in a row. The lines that are comments stay: one may be the header.
fn without_comments_after_numbers(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rows = text.lines().map(|line| match line.trim_start().starts_with('#') {
        true => line,
        false => line.split('#').next().unwrap_or_default(),
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// The numbers of `row` as a TOML array, from the columns of the file that `order` has for each of `columns`.
fn inline_row(row: &Row, columns: &[&str], order: &[usize]) -> Result<String, String> {
    let (line, found, wanted) = (row.line, row.fields.len(), columns.len());
    if found != wanted {
        let plural = if found == 1 { "" } else { "s" };
        let names = columns.join(", ");
        return Err(format!("line {line} has {found} column{plural}: give {wanted}, {names}, separated by commas"));
    }
    let number = |(&index, name): (&usize, &&str)| {
        let field = row.field(index);
        let value = field.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| {
            format!(
                "line {line}: {name} is {field:?}: write a finite number with a decimal point, and a # before a line of names"
            )
        })?;
        // Rust's debug format is a valid TOML float; "12" would be an integer, ".5" and "1." are
        // not valid.
        Ok(format!("{value:?}"))
    };
    let numbers: Vec<String> = order.iter().zip(columns).map(number).collect::<Result<_, String>>()?;
    Ok(format!("[{}]", numbers.join(", ")))
}
