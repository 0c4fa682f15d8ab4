//! The options of a run, combined from layers: defaults, the sidecar TOML beside the picture, the
//! command line.
//!
//! A later [`Layer`] overrides an earlier one, key by key. [`known_options`] lists every key.

mod combination;
mod corner_name;
mod error;
mod known;
mod layer;
mod reference;
pub(crate) mod run_options;

pub use corner_name::{CornerName, CornerNameError};
pub use error::OptionsError;
pub use known::{KnownOption, ValueKind, known_option, known_options};
pub(crate) use layer::vehicle_beside;
pub use layer::{Layer, sidecar_of};
pub(crate) use run_options::Options;
pub use run_options::SCALE_KEYS;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Layer, Options, OptionsError, SCALE_KEYS, ValueKind, known_option, known_options};

    #[test]
    fn rules_are_about_options_that_exist() {
        for key in SCALE_KEYS {
            assert!(known_option(key).is_some(), "{key}");
        }
    }

    #[test]
    fn every_range_is_checked() {
        let mut checked = 0;
        for option in known_options() {
            let Some(range) = option.range else { continue };
            let whole = [0.0, 1e12].into_iter().filter(|_| option.kind == ValueKind::Count);
            let numbers = [-1e12, 1e12].into_iter().filter(|_| option.kind != ValueKind::Count);
            let outside = whole.chain(numbers).find(|&value| !range.contains(value));
            let outside = outside.unwrap_or_else(|| panic!("{} has a range without ends", option.key));
            let number = if option.kind == ValueKind::Count { format!("{outside}") } else { format!("{outside:?}") };
            // A number that is too large for its type is refused when the layer is made.
            let layer = Layer::from_toml(Path::new("a.toml"), &format!("{} = {number}", option.key));
            let error = layer.and_then(|layer| Options::from_layers(&[layer])).unwrap_err();
            let is_range = matches!(error, OptionsError::OutOfRange { .. } | OptionsError::Value { .. });
            assert!(is_range && error.to_string().contains(&option.key), "{}: {error}", option.key);
            checked += 1;
        }
        assert_eq!(checked, 41);
    }
}
