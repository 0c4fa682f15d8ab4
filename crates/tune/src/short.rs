//! Numbers for readers.

use raceline_numerics::math;

/// A number to six significant digits.
pub(crate) fn short(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e7).contains(&magnitude) {
        return format!("{value:.5e}");
    }
    let digits = if magnitude == 0.0 { 0.0 } else { (5.0 - math::log10(magnitude).floor()).clamp(0.0, 9.0) };
    let text = format!("{value:.*}", digits as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
