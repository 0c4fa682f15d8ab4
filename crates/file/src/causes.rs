//! Errors as one text.

/// The message of an error and those of its causes, separated by colons, as the program prints them.
///
/// ```
/// let error = std::io::Error::other("no space is left");
/// assert_eq!(raceline_file::with_causes(&error), "no space is left");
/// ```
#[must_use]
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::with_causes;

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("inner")]
    struct Inner(#[source] std::io::Error);

    #[test]
    fn each_cause_follows_its_effect() {
        let error = Outer(Inner(std::io::Error::other("innermost")));
        assert_eq!(with_causes(&error), "outer: inner: innermost");
    }
}
