//! Pictures as of [`svg`] and [`sweep_chart`](super::sweep_chart), in pixels. Text is drawn
//! with the program's own font, so that the result does not depend on the machine's fonts.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

use super::error::RenderError;
use super::svg::{self, RenderOptions};
use raceline::RacingLine;

/// Family name of the program's font.
const FONT_FAMILY: &str = "Ubuntu";

/// The bytes of a PNG of `lines`.
///
/// # Errors
/// Those of [`svg::render`].
pub fn render(lines: &[RacingLine], options: &RenderOptions) -> Result<Vec<u8>, RenderError> {
    from_svg(&svg::render(lines, options)?)
}

/// The bytes of a PNG of `text`, an SVG written by this program.
///
/// # Errors
/// [`RenderError::Raster`] for text that is not SVG and for a picture that does not fit into
/// memory.
pub fn from_svg(text: &str) -> Result<Vec<u8>, RenderError> {
    let mut fonts = Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    fonts.set_sans_serif_family(FONT_FAMILY);
    let reading = Options { font_family: FONT_FAMILY.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(text, &reading).map_err(|error| RenderError::Raster(error.to_string()))?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| RenderError::Raster(format!("no memory for {} x {} pixels", size.width(), size.height())))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| RenderError::Raster(error.to_string()))
}
