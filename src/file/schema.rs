//! The racing-line file's JSON Schema, generated from the Rust types. `docs/reference/raceline.schema.json`
//! is this text.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;

use crate::RacingLine;

/// The schema (draft 2020-12) as indented JSON with a final line feed.
///
/// The schema allows unknown keys everywhere, because readers must ignore them.
#[must_use]
pub fn racing_line_schema() -> String {
    let allow_unknown_keys = |schema: &mut Schema| {
        schema.remove("additionalProperties");
    };
    let mut schema = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(allow_unknown_keys))
        .into_generator()
        .into_root_schema_for::<RacingLine>();
    schema.insert("title".to_owned(), "Racing line, version 1".into());
    format!("{:#}\n", schema.as_value())
}
