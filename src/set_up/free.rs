//! The grammar of free numbers:
//!
//! ```text
//! free  = key "=" value ":" value { "," key "=" value ":" value }
//! value = as in a variation of a sweep: 0.5, 0.9x, -10%
//! ```
//!
//! Keys with commas between them move together, each from its first value to its second: a wing that
//! gives downforce costs drag.

use std::str::FromStr;

use super::SetUpError;
use crate::sweep::Amount;

/// Numbers of the vehicle that move together.
///
/// ```
/// use raceline::set_up::Free;
///
/// let wing: Free = "downforce_kgpm=1:3,drag_kgpm=0.7:1.1".parse()?;
/// assert_eq!(wing.keys.len(), 2);
/// # Ok::<(), raceline::set_up::SetUpError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// The keys, at least one.
    pub keys: Vec<FreeKey>,
}

/// A number of the vehicle and its range.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeKey {
    /// The vehicle's key, or `grip`.
    pub key: String,
    /// Value at the first end.
    pub from: Amount,
    /// Value at the second end.
    pub to: Amount,
}

impl FromStr for Free {
    type Err = SetUpError;

    fn from_str(text: &str) -> Result<Self, SetUpError> {
        let form = |part: &str| SetUpError::Form { text: part.trim().to_owned() };
        let key_of = |part: &str| {
            let (key, range) = part.split_once('=').ok_or_else(|| form(part))?;
            let (from, to) = range.split_once(':').ok_or_else(|| form(part))?;
            let key = key.trim();
            if key.is_empty() {
                return Err(form(part));
            }
            let amount = |text: &str| {
                Amount::parse(text.trim()).map_err(|fix| SetUpError::Value {
                    key: key.to_owned(),
                    text: text.trim().to_owned(),
                    fix,
                })
            };
            Ok(FreeKey { key: key.to_owned(), from: amount(from)?, to: amount(to)? })
        };
        Ok(Self { keys: text.split(',').map(key_of).collect::<Result<_, _>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::{Free, FreeKey, SetUpError};
    use crate::sweep::Amount;

    #[test]
    fn keys_with_commas_between_them_move_together() {
        let free: Free = " mass_kg = +0% : +10% , drag_kgpm=0.9x:1.1".parse().expect("a range each");
        let expected = [
            FreeKey { key: "mass_kg".to_owned(), from: Amount::Percent(0.0), to: Amount::Percent(10.0) },
            FreeKey { key: "drag_kgpm".to_owned(), from: Amount::Factor(0.9), to: Amount::Absolute(1.1) },
        ];
        assert_eq!(free.keys, expected);
    }

    #[test]
    fn what_is_no_range_is_refused_with_its_text() {
        for text in ["", "mass_kg", "mass_kg=1", "=1:2", "mass_kg=1:2,", "mass_kg=1:2,drag_kgpm"] {
            assert!(matches!(text.parse::<Free>(), Err(SetUpError::Form { .. })), "{text}");
        }
        for text in ["mass_kg=1:", "mass_kg=1:2:3", "mass_kg=a:2", "mass_kg=10%:2", "mass_kg=inf:2"] {
            let refused = text.parse::<Free>();
            assert!(matches!(&refused, Err(SetUpError::Value { key, .. }) if key == "mass_kg"), "{text} {refused:?}");
        }
    }
}
