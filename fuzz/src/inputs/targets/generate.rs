//! Any options of the generator: a road that is read again, or a typed error.

use arbitrary::{Arbitrary, Unstructured};
use raceline::construction::ImportOptions;
use raceline::importers::centre_line_csv;
use raceline_generate::{GenerateOptions, Style, generate};

/// One input.
pub fn run(bytes: &[u8]) {
    type Drawn = (u8, u64, Option<f64>, Option<f64>, bool);
    let Ok((style, seed, length_m, width_m, crossings)) = Drawn::arbitrary_take_rest(Unstructured::new(bytes)) else {
        return;
    };
    let style = Style::ALL[usize::from(style) % Style::ALL.len()];
    // Longer roads show nothing new.
    let length_m = length_m.map(|length_m| if length_m.is_finite() { length_m % 3e3 } else { length_m });
    let length_m = length_m.or(Some(600.0));
    let Ok(road) = generate(&GenerateOptions { style, seed, length_m, width_m, crossings }) else { return };
    assert!(centre_line_csv(&road.csv(), None, &ImportOptions::default()).is_ok(), "a generated road is refused");
    assert!(road.track().is_ok());
}
