//! The colours of the pictures, chosen so that they can be distinguished by colour-blind readers
//! and in grey print.

use colorgrad::{Color, Gradient};

/// The background of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// Near white, for print and light pages.
    #[default]
    Light,
    /// Near black, for dark pages.
    Dark,
    /// Transparent; text is in a mid-grey that is legible on both.
    Transparent,
}

/// The colours of everything but the lines, as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The page; `None` if it is transparent.
    pub page: Option<&'static str>,
    /// Titles, arrows and scale bar.
    pub ink: &'static str,
    /// Secondary text.
    pub faint_ink: &'static str,
    /// The road surface: dark on every page, because the speed colours are light.
    pub road: &'static str,
    /// The edges of the road.
    pub edge: &'static str,
    /// The cross-sections, over the road.
    pub section: &'static str,
    /// The bands of braking zones, over the road.
    pub braking: &'static str,
    /// Parts of the road with another grip.
    pub grip: &'static str,
}

impl Theme {
    /// The colours for `background`.
    #[must_use]
    pub fn of(background: Background) -> Self {
        let light = Self {
            page: Some("#fbfaf7"),
            ink: "#1c1f24",
            faint_ink: "#5a616b",
            road: "#23262c",
            edge: "#8d949e",
            section: "#a9b0ba",
            braking: "#c8414b",
            grip: "#4c8fd6",
        };
        match background {
            Background::Light => light,
            Background::Dark => Self {
                page: Some("#0d0f12"),
                ink: "#f2f3f5",
                faint_ink: "#a4abb6",
                road: "#2a2e35",
                edge: "#7d8590",
                section: "#a9b0ba",
                braking: "#c8414b",
                grip: "#4c8fd6",
            },
            Background::Transparent => Self { page: None, ink: "#7a828d", faint_ink: "#7a828d", ..light },
        }
    }
}

/// The part of viridis (Smith and van der Walt 2015) that contrasts with the road: without its dark
/// purple end.
const VIRIDIS_RANGE: (f32, f32) = (0.36, 1.0);

/// Number of colours of a scale. Neighbouring points of the same colour become one polyline, so
/// fewer colours make smaller files; with 64, steps between neighbours are not visible.
pub const LEVELS: usize = 64;

/// Viridis as red, green and blue at `fraction`, from 0, dark purple, to 1, yellow.
#[must_use]
pub fn viridis(fraction: f64) -> [u8; 3] {
    let [red, green, blue, _] = colorgrad::preset::viridis().at(fraction as f32).to_rgba8();
    [red, green, blue]
}

/// The colours of the speed scale from slowest to fastest, [`LEVELS`] of them as `#rrggbb`.
#[must_use]
pub fn speed_colours() -> Vec<String> {
    let viridis = colorgrad::preset::viridis();
    let (low, high) = VIRIDIS_RANGE;
    let last = (LEVELS - 1) as f32;
    (0..LEVELS).map(|level| hexadecimal(&viridis.at(low + (high - low) * level as f32 / last))).collect()
}

/// Lightness and the a and b axes of Oklab (Ottosson 2020) at the ends and in the middle of the
/// diverging scale: orange, near white, blue. Both ends are equally light and equally far from the
/// middle, so that both signs have equal weight; orange and blue can be distinguished under every
/// common colour blindness.
const DIVERGING: [[f32; 3]; 3] = [[0.62, 0.085, 0.105], [0.96, 0.0, 0.0], [0.62, -0.045, -0.127]];

/// The colours of the scale for quantities with a sign, from most negative to most positive,
/// [`LEVELS`] of them as `#rrggbb`. Steps are equal in Oklab and therefore look equal.
#[must_use]
pub fn diverging_colours() -> Vec<String> {
    let [negative, middle, positive] = DIVERGING;
    let last = (LEVELS - 1) as f32;
    let colour = |level: usize| {
        let place = 2.0 * level as f32 / last - 1.0;
        let end = if place < 0.0 { negative } else { positive };
        let [lightness, a, b]: [f32; 3] = std::array::from_fn(|i| middle[i] + (end[i] - middle[i]) * place.abs());
        hexadecimal(&Color::from_oklaba(lightness, a, b, 1.0))
    };
    (0..LEVELS).map(colour).collect()
}

fn hexadecimal(colour: &Color) -> String {
    let [red, green, blue, _] = colour.to_rgba8();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The style of a line without speed colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainStyle {
    /// The colour as `#rrggbb`.
    pub colour: &'static str,
    /// Lengths of dash and gap in line widths, so that lines differ by more than their colour.
    pub dashes: [u8; 4],
}

/// Colours of low blue content that are not in the speed scale and can be distinguished by
/// lightness under every common colour blindness (after Okabe and Ito 2008), each with its own dash
/// pattern.
const PLAIN_STYLES: [PlainStyle; 5] = [
    PlainStyle { colour: "#ff8b4a", dashes: [5, 3, 5, 3] },
    PlainStyle { colour: "#f3c9e6", dashes: [2, 2, 2, 2] },
    PlainStyle { colour: "#ffffff", dashes: [8, 2, 2, 2] },
    PlainStyle { colour: "#d55e9c", dashes: [8, 4, 8, 4] },
    PlainStyle { colour: "#e6b422", dashes: [1, 2, 1, 2] },
];

/// The style of the `index`-th plain line; the styles repeat after the fifth.
#[must_use]
pub fn plain_style(index: usize) -> PlainStyle {
    PLAIN_STYLES[index % PLAIN_STYLES.len()]
}
