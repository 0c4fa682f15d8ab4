//! The options of a page.

use raceline::analysis::Losses;

use super::live::LivePage;
use crate::backdrop::Backdrop;
use crate::colour_scale::ColourBy;

/// Options of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct HtmlOptions {
    /// The page's initial theme. Default: that of the reader's system.
    pub theme: PageTheme,
    /// The quantity that the line's colour shows initially, except a deviation; the reader can
    /// select another. Default: speed for one line, one colour per line for several.
    pub colour_by: Option<ColourBy>,
    /// Whether the cross-sections are shown initially; the first line must then contain them. They
    /// are a layer of the page whenever a line contains them. Default: no.
    pub sections: bool,
    /// Whether candidates whose points the lines contain are layers of the page. Default: yes.
    pub candidates: bool,
    /// Whether the corners' numbers are shown initially. Default: yes.
    pub corners: bool,
    /// The picture behind the road. Default: none.
    pub backdrop: Option<Backdrop>,
    /// Where a driven lap, the second line, loses time against the first. Default: none.
    pub losses: Option<Losses>,
    /// The server that the page follows. Default: none, and the page needs no network.
    pub live: Option<LivePage>,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self {
            theme: PageTheme::Auto,
            colour_by: None,
            sections: false,
            candidates: true,
            corners: true,
            backdrop: None,
            losses: None,
            live: None,
        }
    }
}

/// The initial theme of a page; the reader can change it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageTheme {
    /// The theme of the reader's system.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}
