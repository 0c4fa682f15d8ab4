//! A Rust file split into what people read: comments, string literals and names.

/// Text between the first and the last line of a comment or string literal, as one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Text without comment signs; lines are joined by line feeds.
    pub text: String,
    /// Number of the first line, from 1.
    pub line: usize,
}

/// The parts of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// Comments that document an item; neighbouring lines are one passage.
    pub docs: Vec<Passage>,
    /// Other comments.
    pub comments: Vec<Passage>,
    /// String literals, raw ones too, as they are written.
    pub strings: Vec<Passage>,
    /// Names with their lines. A name after a point keeps it: `.length`.
    pub names: Vec<(String, usize)>,
}

impl Source {
    /// The parts of `text`.
    pub fn new(text: &str) -> Self {
        let mut source = Self::default();
        let mut last_comment: Option<(&str, usize)> = None;
        let mut rest = text;
        let mut line = 1;
        while let Some(first) = rest.chars().next() {
            let length = if rest.starts_with("//") {
                let length = rest.find('\n').unwrap_or(rest.len());
                let sign = ["///", "//!", "//"].into_iter().find(|sign| rest.starts_with(sign)).unwrap_or("//");
                let body = rest[sign.len()..length].strip_prefix(' ').unwrap_or(&rest[sign.len()..length]);
                let list = if sign == "//" { &mut source.comments } else { &mut source.docs };
                match (last_comment, list.last_mut()) {
                    (Some(before), Some(passage)) if before == (sign, line - 1) => {
                        passage.text.push('\n');
                        passage.text.push_str(body);
                    }
                    _ => list.push(Passage { text: body.to_owned(), line }),
                }
                last_comment = Some((sign, line));
                length
            } else if let Some((begin, end)) = string_at(rest) {
                source.strings.push(Passage { text: rest[begin..end].to_owned(), line });
                rest[end..].find(|c| c != '"' && c != '#').map_or(rest.len(), |more| end + more)
            } else if first == '\'' {
                character_at(rest)
            } else if first.is_alphabetic() || first == '_' {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let before = &text[..text.len() - rest.len()];
                let point = if before.ends_with('.') && !before.ends_with("..") { "." } else { "" };
                source.names.push((format!("{point}{}", &rest[..length]), line));
                length
            } else {
                first.len_utf8()
            };
            line += rest[..length].matches('\n').count();
            rest = &rest[length..];
        }
        source
    }
}

/// Where the contents of a string literal at the start of `rest` begin and end.
fn string_at(rest: &str) -> Option<(usize, usize)> {
    let prefix = rest.len() - rest.trim_start_matches(['b', 'c']).len();
    let (prefix, is_raw) = match rest.as_bytes().get(prefix)? {
        b'r' => (prefix + 1, true),
        _ => (prefix, false),
    };
    if prefix > 2 {
        return None;
    }
    let hashes = rest[prefix..].bytes().take_while(|&byte| byte == b'#').count();
    if rest.as_bytes().get(prefix + hashes) != Some(&b'"') || !is_raw && hashes > 0 {
        return None;
    }
    let begin = prefix + hashes + 1;
    if is_raw {
        let close = format!("\"{}", "#".repeat(hashes));
        return Some((begin, begin + rest[begin..].find(&close)?));
    }
    let mut is_escaped = false;
    for (i, c) in rest[begin..].char_indices() {
        match c {
            '"' if !is_escaped => return Some((begin, begin + i)),
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    None
}

/// Length of a character literal or a lifetime at the start of `rest`.
fn character_at(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((second, _))) => {
            let after = second + rest[second..].chars().next().map_or(0, char::len_utf8);
            rest[after..].find('\'').map_or(1, |end| after + end + 1)
        }
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1,
    }
}
