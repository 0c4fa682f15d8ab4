//! The tokens of Rust source, as far as constants and their uses need them: identifiers, literals and single
//! punctuation marks, each with its place. Comments and white space are left out.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or keyword.
    Word,
    /// A number, string, character or lifetime.
    Literal,
    /// One punctuation mark.
    Mark,
}

/// A token and its bytes in the source, from `start` to before `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
}

impl Token<'_> {
    /// Whether the token is this word or mark.
    pub fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }
}

/// The tokens of a source.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = end_of_line(bytes, at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = end_of_block_comment(bytes, at);
                continue;
            }
            b'"' => {
                at = end_of_string(bytes, at);
                Kind::Literal
            }
            b'r' | b'b' | b'c' if is_prefixed_string(bytes, at) => {
                at = end_of_prefixed_string(bytes, at);
                Kind::Literal
            }
            b'\'' => {
                at = end_of_quote(source, at);
                Kind::Literal
            }
            byte if byte.is_ascii_digit() => {
                at = end_of_number(bytes, at);
                Kind::Literal
            }
            byte if is_word_byte(byte) => {
                at = end_of_word(bytes, at);
                Kind::Word
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => {
                at += 1;
                Kind::Mark
            }
        };
        found.push(Token { kind, text: &source[start..at], start, end: at });
    }
    found
}

/// Bytes of letters outside ASCII belong to a word too.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn end_of_word(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|&&byte| is_word_byte(byte)).count()
}

fn end_of_line(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|&&byte| byte != b'\n').count()
}

/// Block comments nest.
fn end_of_block_comment(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                depth += 1;
                at += 2;
            }
            (b'*', Some(b'/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// Whether `r`, `b` or `c` begins a string such as `r#"…"#` or `b"…"`.
fn is_prefixed_string(bytes: &[u8], start: usize) -> bool {
    let letters = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let hashes = bytes[start + letters..].iter().take_while(|&&byte| byte == b'#').count();
    letters <= 2 && bytes.get(start + letters + hashes) == Some(&b'"')
}

fn end_of_prefixed_string(bytes: &[u8], start: usize) -> usize {
    let letters = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let hashes = bytes[start + letters..].iter().take_while(|&&byte| byte == b'#').count();
    let quote = start + letters + hashes;
    if !bytes[start..start + letters].contains(&b'r') {
        return end_of_string(bytes, quote);
    }
    let mut at = quote + 1;
    while at < bytes.len() {
        let closes = bytes[at] == b'"' && bytes[at + 1..].iter().take_while(|&&byte| byte == b'#').count() >= hashes;
        if closes {
            return at + 1 + hashes;
        }
        at += 1;
    }
    at
}

/// End of a character such as `'a'` or `'\n'`, or of a lifetime such as `'a`.
fn end_of_quote(source: &str, start: usize) -> usize {
    let bytes = source.as_bytes();
    if bytes.get(start + 1) == Some(&b'\\') {
        // The escaped character itself may be a quote.
        let rest = bytes.get(start + 3..).unwrap_or_default();
        return (start + 3 + rest.iter().take_while(|&&byte| byte != b'\'').count() + 1).min(bytes.len());
    }
    let length = source[start + 1..].chars().next().map_or(0, char::len_utf8);
    let quote = start + 1 + length;
    if bytes.get(quote) == Some(&b'\'') { quote + 1 } else { end_of_word(bytes, start + 1).max(start + 1) }
}

/// A number may have a fraction and an exponent with a sign; `0..5` is a number and a range.
fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let mut at = end_of_word(bytes, start);
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        at = end_of_word(bytes, at + 1);
    } else if bytes.get(at) == Some(&b'.') && !bytes.get(at + 1).is_some_and(|&next| next == b'.' || is_word_byte(next))
    {
        return at + 1;
    }
    let has_exponent = !bytes[start..].starts_with(b"0x") && matches!(bytes[at - 1], b'e' | b'E');
    if has_exponent && matches!(bytes.get(at), Some(b'-' | b'+')) { end_of_word(bytes, at + 1) } else { at }
}

#[cfg(test)]
mod tests {
    use super::tokens;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_are_left_out_and_strings_are_one_token() {
        assert_eq!(texts("a /* b /* c */ d */ e // f\ng"), ["a", "e", "g"]);
        assert_eq!(texts(r##"x("a \" b", r#"c " d"#, b"e")"##).len(), 8);
        assert_eq!(texts(r"let q: &'a str = '\'';"), ["let", "q", ":", "&", "'a", "str", "=", r"'\''", ";"]);
        assert_eq!(texts("'ä' 'b"), ["'ä'", "'b"]);
    }

    #[test]
    fn numbers_keep_their_fraction_and_exponent() {
        assert_eq!(texts("1.5e-3 + 2. * 1e6 - 0x1e+3"), ["1.5e-3", "+", "2.", "*", "1e6", "-", "0x1e", "+", "3"]);
        assert_eq!(texts("0..5 1.max(2)"), ["0", ".", ".", "5", "1", ".", "max", "(", "2", ")"]);
    }
}
