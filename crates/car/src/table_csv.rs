//! Tables over speed as CSV, in the format of TUM's `ggv.csv` and `ax_max_machines.csv`: one row
//! per speed, numbers separated by commas or semicolons, comments after `#`.

/// The rows of `text`, each with the numbers of `columns`, as an inline TOML array.
///
/// The array replaces the file's name in a vehicle's TOML, so its numbers are checked against the
/// same ranges as those of an inline table.
///
/// # Errors
/// The problem and the remedy, with the line.
pub(super) fn inline_array(text: &str, columns: &[&str]) -> Result<String, String> {
    let mut rows = Vec::new();
    for (index, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let number = index + 1;
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let separator = if content.contains(';') { ';' } else { ',' };
        let fields: Vec<&str> = content.split(separator).map(str::trim).collect();
        if fields.len() != columns.len() {
            let (found, wanted) = (fields.len(), columns.len());
            let plural = if found == 1 { "" } else { "s" };
            let names = columns.join(", ");
            return Err(format!(
                "line {number} has {found} column{plural}: give {wanted}, {names}, separated by commas"
            ));
        }
        for (field, name) in fields.iter().zip(columns) {
            if !field.parse::<f64>().is_ok_and(f64::is_finite) {
                return Err(format!(
                    "line {number}: {name} is {field:?}: write a finite number with a decimal point, and a # before a line of names"
                ));
            }
        }
        // Rust's debug format is a valid TOML float; "12" would be an integer, ".5" and "1." are
        // not valid.
        let numbers = fields.iter().filter_map(|field| field.parse::<f64>().ok()).map(|value| format!("{value:?}"));
        rows.push(format!("[{}]", numbers.collect::<Vec<_>>().join(", ")));
    }
    if rows.is_empty() {
        return Err(format!("there is no row of numbers: give at least one, {}", columns.join(", ")));
    }
    Ok(format!("[{}]", rows.join(", ")))
}
