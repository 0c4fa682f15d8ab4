//! Tables over speed as CSV, in the form of TUM's `ggv.csv` and `ax_max_machines.csv`: numbers between commas (or semicolons), one
//! row a speed, comments behind `#`.

/// The rows of `text`, each with the numbers of `columns`, as an inline TOML array.
///
/// Returns the array as text: it takes the place of the file's name in a vehicle's TOML, so the ranges of its numbers are
/// checked where those of a written table are.
///
/// # Errors
/// What is wrong and what mends it, with the line.
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
            let names = columns.join(", ");
            return Err(format!("line {number} has {found} columns: give {wanted}, {names}, with commas between them"));
        }
        for (field, name) in fields.iter().zip(columns) {
            if !field.parse::<f64>().is_ok_and(f64::is_finite) {
                return Err(format!(
                    "line {number}: {name} is {field:?}: write a finite number with a decimal point, and a # before a line of names"
                ));
            }
        }
        // As Rust writes it, which is TOML with a point or an exponent: "12" would be an integer, ".5" and "1." none.
        let numbers = fields.iter().filter_map(|field| field.parse::<f64>().ok()).map(|value| format!("{value:?}"));
        rows.push(format!("[{}]", numbers.collect::<Vec<_>>().join(", ")));
    }
    if rows.is_empty() {
        return Err(format!("there is no row of numbers: give at least one, {}", columns.join(", ")));
    }
    Ok(format!("[{}]", rows.join(", ")))
}
