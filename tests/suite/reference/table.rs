//! Tables of Markdown.

/// A table with this header.
pub struct Table {
    text: String,
}

impl Table {
    pub fn new(header: &[&str]) -> Self {
        let mut table = Self { text: String::new() };
        table.row(header);
        table.text.push_str(&format!("|{}\n", "---|".repeat(header.len())));
        table
    }

    pub fn row<T: AsRef<str>>(&mut self, cells: &[T]) {
        let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
        self.text.push_str(&format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |"));
    }

    pub fn finish(self) -> String {
        self.text
    }
}

/// Plain text as the text of a cell: signs that Markdown would read are escaped, except those of code.
pub fn escaped(text: &str) -> String {
    let mut cell = String::new();
    let mut is_code = false;
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        is_code ^= c == '`';
        match c {
            '|' => cell.push_str("\\|"),
            '<' if !is_code => cell.push_str("&lt;"),
            '*' | '[' | ']' if !is_code => {
                cell.push('\\');
                cell.push(c);
            }
            c => cell.push(c),
        }
    }
    cell
}
