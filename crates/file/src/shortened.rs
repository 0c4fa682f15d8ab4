//! Text in messages.

/// Maximum number of characters.
const MAX: usize = 40;

/// The beginning of `text`, short enough for a message.
#[must_use]
pub fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX { text.to_owned() } else { text.chars().take(MAX).chain(['…']).collect() }
}
