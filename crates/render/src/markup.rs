//! SVG text: escaping, short numbers and the few elements that the pictures consist of.

use std::fmt::{self, Write};

use raceline::formats::xml_text::Escaped;

/// A position on the canvas, pixels to the right and down.
pub(super) type Pixel = [f64; 2];

/// SVG markup under construction.
pub(super) struct Markup {
    text: String,
}

impl Markup {
    /// A drawing of `width` by `height` pixels with the background colour `page`; `None` is
    /// transparent. [`Markup::finish`] completes it.
    pub(super) fn new(width: impl fmt::Display, height: impl fmt::Display, page: Option<&str>) -> Self {
        let mut markup = Self { text: String::new() };
        markup.line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="Ubuntu, 'Open Sans', 'Helvetica Neue', Arial, sans-serif">"#
        ));
        if let Some(page) = page {
            markup.line(format_args!(r#"<rect width="{width}" height="{height}" fill="{page}"/>"#));
        }
        markup
    }

    /// The rectangle to which elements with `clip-path="url(#map)"` are clipped.
    pub(super) fn map_clip(&mut self, [x, y]: Pixel, width: f64, height: f64) {
        self.line(format_args!(
            r#"<clipPath id="map"><rect x="{}" y="{}" width="{}" height="{}"/></clipPath>"#,
            Short(x),
            Short(y),
            Short(width),
            Short(height)
        ));
    }

    /// Appends `arguments` and a line feed.
    pub(super) fn line(&mut self, arguments: fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.text.write_fmt(arguments);
        self.text.push('\n');
    }

    /// A group with common attributes, filled by `fill`.
    pub(super) fn group(&mut self, attributes: fmt::Arguments<'_>, fill: impl FnOnce(&mut Self)) {
        self.line(format_args!("<g {attributes}>"));
        fill(self);
        self.line(format_args!("</g>"));
    }

    /// A text at its baseline. `anchor` is `start`, `middle` or `end`.
    pub(super) fn text(&mut self, [x, y]: Pixel, size: f64, anchor: &str, colour: &str, content: &str) {
        self.line(format_args!(
            r#"<text x="{}" y="{}" font-size="{}" text-anchor="{anchor}" fill="{colour}">{}</text>"#,
            Short(x),
            Short(y),
            Short(size),
            Escaped(content)
        ));
    }

    /// A straight line with the style in `attributes`.
    pub(super) fn straight(&mut self, [x1, y1]: Pixel, [x2, y2]: Pixel, attributes: fmt::Arguments<'_>) {
        self.line(format_args!(
            r#"<line x1="{}" y1="{}" x2="{}" y2="{}" {attributes}/>"#,
            Short(x1),
            Short(y1),
            Short(x2),
            Short(y2)
        ));
    }

    /// The finished SVG.
    pub(super) fn finish(mut self) -> String {
        self.line(format_args!("</svg>"));
        self.text
    }
}

/// Path data through `points`; `closed` joins the last to the first.
pub(super) fn path_data(points: &[Pixel], closed: bool) -> String {
    let mut data = String::with_capacity(points.len() * 12);
    for (index, &[x, y]) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        // Writing to a String cannot fail.
        let _ = write!(data, "{command}{} {}", Short(x), Short(y));
    }
    if closed {
        data.push('Z');
    }
    data
}

/// A number with at most two decimals and no trailing zeros.
pub(super) struct Short(pub(super) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0 + 0.0;
        write!(f, "{rounded}")
    }
}

/// Upper estimate of a text's width, pixels: slightly more than common sans-serif fonts require,
/// because the viewer's font is unknown.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|character| match character {
            'i' | 'j' | 'l' | 'I' | 'f' | 't' | 'r' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.36,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
            'A'..='Z' => 0.74,
            _ if character.is_ascii() => 0.58,
            _ if (character as u32) < 0x2e80 => 0.66,
            _ => 1.05,
        })
        .sum();
    ems * size
}

/// `text`, shortened with an ellipsis where it would be wider than `width` pixels.
pub(super) fn fitted(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while short.pop().is_some() {
        let candidate = format!("{}…", short.trim_end());
        if text_width(&candidate, size) <= width {
            return candidate;
        }
    }
    String::new()
}
