//! Facts of sources that no type shows: the fields of a struct with their documentation, and the values
//! of constants.

use std::fs;
use std::path::Path;

use super::root;
use crate::file_tree::files_below;

/// A field of a struct.
pub struct Field {
    pub name: String,
    /// Type, as it is written.
    pub kind: String,
    /// Documentation as one line of Markdown; links to items are names.
    pub doc: String,
}

/// The public fields of the struct `name`, in order, from the Rust files in `folder`.
pub fn fields(folder: &str, name: &str) -> Vec<Field> {
    let texts = files_below(&root().join(folder), &["rs"]).into_iter().map(|path| fs::read_to_string(path).unwrap());
    texts
        .filter_map(|text| fields_of_text(&text, name))
        .next()
        .unwrap_or_else(|| panic!("{folder} has no `pub struct {name} {{`"))
}

fn fields_of_text(text: &str, name: &str) -> Option<Vec<Field>> {
    let (_, body) = text.split_once(&format!("pub struct {name} {{\n"))?;
    let mut doc = String::new();
    let mut fields = Vec::new();
    for line in body.lines().take_while(|line| *line != "}").map(str::trim) {
        if let Some(comment) = line.strip_prefix("///") {
            doc.push_str(comment);
        } else if let Some((name, kind)) = line.strip_prefix("pub ").and_then(|field| field.split_once(": ")) {
            let kind = kind.trim_end_matches(',').to_owned();
            fields.push(Field { name: name.to_owned(), kind, doc: without_links(doc.trim()) });
            doc.clear();
        }
    }
    Some(fields)
}

/// The text with [`name`] and [`name`](path) as `name`, without the path before the name.
fn without_links(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[`") {
        kept.push_str(before);
        let (label, after) = link.split_once("`]").unwrap();
        kept.push_str(&format!("`{}`", label.rsplit("::").next().unwrap()));
        rest = match after.strip_prefix('(') {
            Some(target) => target.split_once(')').unwrap().1,
            None => after,
        };
    }
    kept + rest
}

/// The value of the constant `name` in `file`: a product, or a shift, of literals.
pub fn constant(file: &str, name: &str) -> f64 {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let declared = format!("const {name}: ");
    let Some((_, rest)) = text.split_once(&declared) else { panic!("{file} has no constant {name}") };
    let (_, value) = rest.split_once(" = ").unwrap();
    let value = value.split(';').next().unwrap();
    let number = |text: &str| text.trim().replace('_', "").parse::<f64>().unwrap();
    match value.split_once("<<") {
        Some((number_, shift)) => number(number_) * number(shift).exp2(),
        None => value.split('*').map(number).product(),
    }
}

#[test]
fn fields_and_constants_are_read_as_they_are_written() {
    let text = "/// A.\n#[derive(Clone)]\npub struct A {\n    /// See [`B`] and\n    /// [`c`](crate::c).\n    \
                #[serde(default)]\n    pub d_m: Option<f64>,\n    e: u8,\n}\n";
    let fields = fields_of_text(text, "A").unwrap();
    let [field] = &fields[..] else { panic!("{}", fields.len()) };
    assert_eq!((&*field.name, &*field.kind, &*field.doc), ("d_m", "Option<f64>", "See `B` and `c`."));
    assert!(fields_of_text(text, "B").is_none());
    assert_eq!(constant("crates/file/src/files.rs", "LARGEST_TRACK_FILE"), f64::from(64 << 20));
    assert!(Path::new(root()).is_dir());
}
