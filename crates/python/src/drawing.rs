//! Pictures and pages of lines, as bytes.

use pyo3::prelude::*;
use raceline::RacingLine;
use raceline_render::html::{self, HtmlOptions, PageTheme};
use raceline_render::palette::Background;
use raceline_render::svg::{self, RenderOptions};
use raceline_render::{Backdrop, ColourBy, RenderError, png};

use crate::error::{InputError, OptionsError, with_causes};
use crate::output::Drawing;

/// How lines are drawn.
#[derive(Clone)]
pub struct Looks {
    pub width_px: Option<u32>,
    pub height_px: Option<u32>,
    pub colour_by: Option<ColourBy>,
    pub background: Option<String>,
    pub backdrop: Option<Backdrop>,
    pub candidates: bool,
    pub corners: bool,
    pub braking: bool,
    pub inputs: bool,
    pub sections: bool,
    pub driven: bool,
}

impl Default for Looks {
    fn default() -> Self {
        Self {
            width_px: None,
            height_px: None,
            colour_by: None,
            background: None,
            backdrop: None,
            candidates: true,
            corners: true,
            braking: true,
            inputs: false,
            sections: false,
            driven: false,
        }
    }
}

impl Looks {
    /// The usual looks, of a width in pixels.
    pub fn of_width(width_px: u32) -> Self {
        Self { width_px: Some(width_px), ..Self::default() }
    }

    fn of_picture(&self) -> RenderOptions {
        let usual = RenderOptions::default();
        let by = if self.driven { ColourBy::SpeedRatio } else { ColourBy::default() };
        RenderOptions {
            colour_by: self.colour_by.unwrap_or(by),
            width_px: self.width_px.unwrap_or(usual.width_px),
            height_px: self.height_px,
            sections: self.sections,
            candidates: self.candidates,
            corners: self.corners,
            braking: self.braking,
            inputs: self.inputs,
            driven: self.driven,
            background: match self.background.as_deref() {
                Some("dark") => Background::Dark,
                Some("transparent") => Background::Transparent,
                _ => Background::Light,
            },
            backdrop: self.backdrop.clone(),
            ..usual
        }
    }

    fn of_page(&self) -> HtmlOptions {
        HtmlOptions {
            theme: match self.background.as_deref() {
                Some("light") => PageTheme::Light,
                Some("dark") => PageTheme::Dark,
                _ => PageTheme::Auto,
            },
            colour_by: self.colour_by,
            sections: self.sections,
            candidates: self.candidates,
            corners: self.corners,
            backdrop: self.backdrop.clone(),
            losses: None,
            live: None,
        }
    }
}

/// The bytes of a drawing of `lines`.
pub fn drawn(lines: &[&RacingLine], drawing: Drawing, looks: &Looks) -> PyResult<Vec<u8>> {
    let lines: Vec<RacingLine> = lines.iter().map(|&line| line.clone()).collect();
    let drawn = match drawing {
        Drawing::Page => html::render(&lines, &looks.of_page()).map(String::into_bytes),
        Drawing::Svg => svg::render(&lines, &looks.of_picture()).map(String::into_bytes),
        Drawing::Png => png::render(&lines, &looks.of_picture()),
    };
    drawn.map_err(|error| match error {
        RenderError::Size { .. } | RenderError::NoSecondLine | RenderError::NotOnPage { .. } => {
            OptionsError::new_err(with_causes(&error))
        }
        _ => InputError::new_err(with_causes(&error)),
    })
}
