//! Numbers as text: a fixed number of decimals, no exponent, no negative zero.

use std::fmt::{self, Display};

use crate::file::round_to;

/// `value` with exactly `decimals` decimals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed {
    pub(super) value: f64,
    pub(super) decimals: u8,
}

/// Short form of [`Fixed`].
pub(super) fn fixed(value: f64, decimals: u8) -> Fixed {
    Fixed { value, decimals }
}

impl Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*}", usize::from(self.decimals), round_to(self.value, i32::from(self.decimals)))
    }
}

/// Appends a row of a table: `cells` with `separator` between them.
pub(super) fn push_row(text: &mut String, separator: &str, cells: &[Fixed]) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        text.push_str(&cell.to_string());
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_decimals_and_no_negative_zero() {
        assert_eq!(fixed(1.0, 3).to_string(), "1.000");
        assert_eq!(fixed(-0.000_4, 3).to_string(), "0.000");
        assert_eq!(fixed(-12.345_67, 2).to_string(), "-12.35");
        let mut text = String::new();
        push_row(&mut text, "; ", &[fixed(1.5, 1), fixed(2.0, 0)]);
        assert_eq!(text, "1.5; 2\n");
    }
}
