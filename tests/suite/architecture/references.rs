//! Source text → the paths in it that lead to other modules of the same crate.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Line of the source, from 1.
    pub line: usize,
    /// Segments from the crate's root.
    pub path: Vec<String>,
    /// The module that contains it, which may be an inline one, from the crate's root.
    pub module: Vec<String>,
    /// The name that it gets there, if it is an import.
    pub name: Option<String>,
}

/// The references in `source`, the text of `module`: imports, paths in code that begin with
/// `crate`, `self` or `super`, and strings `with = "crate::…"` in attributes. Comments, links in
/// documentation, other strings and `$crate` in macros don't count.
///
/// # Panics
/// If `source` isn't Rust.
pub fn references(source: &str, module: &[String]) -> Vec<Reference> {
    let tokens: TokenStream = source.parse().expect("Rust source");
    let mut found = Vec::new();
    scan(tokens, module, &mut found);
    found
}

fn scan(tokens: TokenStream, module: &[String], found: &mut Vec<Reference>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        match rest {
            [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..]
                if word == "mod" && body.delimiter() == Delimiter::Brace =>
            {
                let inner: Vec<String> = module.iter().cloned().chain([name.to_string()]).collect();
                scan(body.stream(), &inner, found);
                at += 3;
            }
            // `use<…>` in a type captures lifetimes.
            [TokenTree::Ident(word), next, ..] if word == "use" && !is_punct(next, '<') => {
                let end = rest.iter().position(|token| is_punct(token, ';')).unwrap_or(rest.len());
                import(&rest[1..end], &[], module, found);
                at += end;
            }
            [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] if hash.as_char() == '#' => {
                with_strings(attribute.stream(), module, found);
                scan(attribute.stream(), module, found);
                at += 2;
            }
            [TokenTree::Ident(word), ..] if is_start(&word.to_string()) && !follows_dollar(&tokens, at) => {
                let (path, length) = path(rest);
                if path.len() > 1 {
                    let line = word.span().start().line;
                    found.extend(absolute(&path, module).map(|path| Reference {
                        line,
                        path,
                        module: module.to_vec(),
                        name: None,
                    }));
                }
                at += length;
            }
            [TokenTree::Group(group), ..] => {
                scan(group.stream(), module, found);
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// The paths of a use tree that begins with `prefix`.
fn import(tree: &[TokenTree], prefix: &[String], module: &[String], found: &mut Vec<Reference>) {
    for branch in tree.split(|token| is_punct(token, ',')) {
        // A leading `::` means another crate, as does a first name that is no module of this one.
        let (path, length) = path(branch);
        let path: Vec<String> = prefix.iter().cloned().chain(path).collect();
        match &branch[length..] {
            [.., TokenTree::Group(group)] => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                import(&inner, &path, module, found);
            }
            rest => {
                let Some(first) = branch.first() else { continue };
                let alias = match rest {
                    [TokenTree::Ident(word), TokenTree::Ident(alias)] if word == "as" => Some(alias.to_string()),
                    _ => None,
                };
                // `use a::{self}` imports `a`.
                let own = path.iter().rposition(|segment| segment != "self").map_or(&path[..], |last| &path[..=last]);
                let Some(path) = absolute(own, module) else { continue };
                let name = alias.or_else(|| path.last().cloned());
                found.push(Reference { line: first.span().start().line, path, module: module.to_vec(), name });
            }
        }
    }
}

/// `with = "…"` and the like in an attribute, at any depth.
fn with_strings(attribute: TokenStream, module: &[String], found: &mut Vec<Reference>) {
    let tokens: Vec<TokenTree> = attribute.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (TokenTree::Group(group), ..) => with_strings(group.stream(), module, found),
            (TokenTree::Ident(key), Some(equals), Some(TokenTree::Literal(text)))
                if key.to_string().ends_with("with") && is_punct(equals, '=') =>
            {
                let Ok(path) = text.to_string().trim_matches('"').parse::<TokenStream>() else { continue };
                let mut inner = Vec::new();
                scan(path, module, &mut inner);
                let line = text.span().start().line;
                found.extend(inner.into_iter().map(|reference| Reference { line, ..reference }));
            }
            _ => {}
        }
    }
}

/// The names separated by `::` at the beginning of `tokens`, and how many tokens they take.
fn path(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(TokenTree::Ident(name)) = tokens.get(at) {
        names.push(name.to_string());
        at += 1;
        match &tokens[at..] {
            [first, second, ..] if is_punct(first, ':') && is_punct(second, ':') => at += 2,
            _ => break,
        }
    }
    (names, at.max(1).min(tokens.len()))
}

/// A path seen from the crate's root; a first name without `crate`, `self` or `super` is taken for
/// a child of `module`.
fn absolute(path: &[String], module: &[String]) -> Option<Vec<String>> {
    let mut base = module.to_vec();
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                base.pop()?;
            }
            _ => break,
        }
        rest = after;
    }
    base.extend(rest.iter().cloned());
    Some(base)
}

fn is_start(word: &str) -> bool {
    matches!(word, "crate" | "self" | "super")
}

fn follows_dollar(tokens: &[TokenTree], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| is_punct(&tokens[before], '$'))
}

fn is_punct(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}
