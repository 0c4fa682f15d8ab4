//! The named constants of a source file.

use super::tokens::{Kind, Token};

/// Where a constant stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a module or a function: used by its name alone.
    Module,
    /// In an `impl`: used as `Self::NAME` or `Type::NAME`.
    Associated,
}

/// A constant as written. The tokens are indices into the file's tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    pub name: String,
    /// The type, without spaces.
    pub kind: String,
    /// The value as written.
    pub value: String,
    /// First sentence of its documentation.
    pub meaning: String,
    pub place: Place,
    /// Line, from 1.
    pub line: usize,
    /// Whether it exists only in tests.
    pub in_tests: bool,
    pub keyword: usize,
    pub equals: usize,
    pub semicolon: usize,
}

/// Types whose values can be moved: numbers, pairs of them and arrays of them.
pub fn can_be_moved(kind: &str) -> bool {
    let is_number = |text: &str| {
        matches!(text, "f64" | "f32" | "usize" | "u64" | "u32" | "u16" | "u8" | "isize" | "i64" | "i32" | "i16" | "i8")
    };
    if let Some(pair) = kind.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return pair.split(',').count() == 2 && pair.split(',').all(is_number);
    }
    match kind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|inner| inner.rsplit_once(';')) {
        Some((element, _)) => can_be_moved(element),
        None => is_number(kind),
    }
}

/// A brace that is open.
#[derive(Clone, Copy)]
struct Scope {
    associated: bool,
    in_tests: bool,
}

/// All constants of a file.
pub fn constants(source: &str, tokens: &[Token]) -> Vec<Constant> {
    let mut found = Vec::new();
    let mut scopes: Vec<Scope> = Vec::new();
    // First token since the last brace or semicolon: the head of the next item.
    let mut head = 0;
    for (index, token) in tokens.iter().enumerate() {
        let in_tests = scopes.last().is_some_and(|scope| scope.in_tests) || is_for_tests(&tokens[head..index]);
        if token.is("const")
            && let Some(mut constant) = constant_at(source, tokens, index)
        {
            constant.in_tests = in_tests;
            if scopes.last().is_some_and(|scope| scope.associated) {
                constant.place = Place::Associated;
            }
            found.push(constant);
        }
        if token.is("{") {
            scopes.push(Scope { associated: is_impl(&tokens[head..index]), in_tests });
        } else if token.is("}") {
            scopes.pop();
        }
        if token.is("{") || token.is("}") || token.is(";") {
            head = index + 1;
        }
    }
    found
}

/// Whether these tokens begin with the attribute `#[cfg(test)]`.
fn is_for_tests(head: &[Token]) -> bool {
    head.windows(4).any(|four| four[0].is("cfg") && four[1].is("(") && four[2].is("test") && four[3].is(")"))
}

fn is_impl(head: &[Token]) -> bool {
    let first =
        head.iter().find(|token| ["impl", "trait", "fn", "mod", "struct", "enum"].iter().any(|word| token.is(word)));
    first.is_some_and(|token| token.is("impl") || token.is("trait"))
}

/// The constant whose keyword `const` is at `keyword`; none for `const fn`, `*const T`, a parameter of a generic
/// and a constant of a trait without a value.
fn constant_at(source: &str, tokens: &[Token], keyword: usize) -> Option<Constant> {
    let name = tokens.get(keyword + 1)?;
    let is_name =
        name.kind == Kind::Word && name.text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if !is_name || name.text == "_" || !tokens.get(keyword + 2)?.is(":") {
        return None;
    }
    let equals = end_at_depth_zero(tokens, keyword + 3, "=")?;
    let semicolon = end_at_depth_zero(tokens, equals + 1, ";")?;
    let kind: String = tokens[keyword + 3..equals].iter().map(|token| token.text).collect();
    Some(Constant {
        name: name.text.to_owned(),
        kind,
        value: source[tokens[equals].end..tokens[semicolon].start].split_whitespace().collect::<Vec<_>>().join(" "),
        meaning: meaning(source, tokens[keyword].start),
        place: Place::Module,
        line: source[..name.start].matches('\n').count() + 1,
        in_tests: false,
        keyword,
        equals,
        semicolon,
    })
}

/// Index of the next `mark` outside all brackets.
fn end_at_depth_zero(tokens: &[Token], from: usize, mark: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (index, token) in tokens.iter().enumerate().skip(from) {
        if depth == 0 && token.is(mark) {
            return Some(index);
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            // Another mark ends a parameter of a generic or a constant without a value.
            ";" if depth == 0 => return None,
            "," if depth == 0 && mark == "=" => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

/// First sentence of the documentation above an item.
fn meaning(source: &str, item: usize) -> String {
    let before = &source[..item];
    let mut lines: Vec<&str> = Vec::new();
    // The item's own line may begin with its visibility.
    for line in before[..before.rfind('\n').unwrap_or(0)].lines().rev() {
        match line.trim_start().strip_prefix("///") {
            Some(text) => lines.push(text.trim()),
            None if line.trim_start().starts_with("#[") => {}
            None => break,
        }
    }
    lines.reverse();
    let text = lines.join(" ");
    text.split_once(". ").map_or(text.as_str(), |(first, _)| first).trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::{Place, can_be_moved, constants};

    #[test]
    fn constants_are_found_wherever_they_stand() {
        let source = "\
/// Reach of a look, in widths. More is slower.
#[doc(hidden)]
pub(super) const REACH: f64 = 2.0 *
    STEP;
struct Wide<const N: usize>;
const fn not(p: *const u8) {}
impl Wide<3> {
    const LOOKS: [f64; 2] = [1.0, 2.0];
}
#[cfg(test)]
mod tests { const ONLY: f64 = 1.0; }
fn inner() -> impl Fn() { const DEEP: usize = { 3 }; }
trait T { const NONE: f64; }
";
        let found = constants(source, &tokens(source));
        let names: Vec<_> = found.iter().map(|constant| constant.name.as_str()).collect();
        assert_eq!(names, ["REACH", "LOOKS", "ONLY", "DEEP"]);
        assert_eq!(found[0].value, "2.0 * STEP");
        assert_eq!(found[0].meaning, "Reach of a look, in widths");
        assert_eq!(found[0].line, 3);
        assert_eq!(found[1].place, Place::Associated);
        assert_eq!(found[1].kind, "[f64;2]");
        assert_eq!(found[3].place, Place::Module);
        assert_eq!(found.iter().map(|constant| constant.in_tests).collect::<Vec<_>>(), [false, false, true, false]);
    }

    #[test]
    fn numbers_pairs_and_arrays_can_be_moved() {
        for kind in ["f64", "usize", "(f64,f64)", "[f64;2]", "[[f64;2];N]"] {
            assert!(can_be_moved(kind), "{kind}");
        }
        for kind in ["&str", "Range<f64>", "[&str;2]", "bool", "(f64,&str)"] {
            assert!(!can_be_moved(kind), "{kind}");
        }
    }
}
