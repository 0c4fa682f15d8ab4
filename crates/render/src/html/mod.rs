//! One self-contained page of one or several lines: map, charts, corner table, a car that drives
//! the lap.
//!
//! The page requires no network: it contains style, script and data. The charts are drawn by the
//! page's own script. The data from files is in one JSON element and is inserted into the page
//! as text only. A Content-Security-Policy with the digest of the page's script blocks any other
//! script. `docs/guides/pages-and-pictures.md` describes the use of the page.

mod columns;
mod data;
mod doubtful;
mod grip;
mod labels;
mod live;
mod options;
mod page;
mod passed;
mod template;

pub use live::{ComparedEntry, Draft, FrameData, LivePage, PageEditor, ReadingTools, VehicleCard, render_draft};
pub use options::{HtmlOptions, PageTheme};
pub use page::render;
pub(crate) use template::{COMMON_SCRIPT, digest, filled, script_json};
