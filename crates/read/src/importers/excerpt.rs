//! The beginning of a text in a file, for a message.

/// Maximum number of characters.
const MAX_CHARACTERS: usize = 40;

/// The beginning of `text` with an ellipsis, or all of a short one.
pub(super) fn excerpt(text: &str) -> String {
    if text.chars().count() <= MAX_CHARACTERS {
        text.to_owned()
    } else {
        text.chars().take(MAX_CHARACTERS).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let (short, long) = ("ä".repeat(40), "ä".repeat(41));
        assert_eq!(excerpt(&short), short);
        assert_eq!(excerpt(&long), format!("{short}…"));
    }
}
