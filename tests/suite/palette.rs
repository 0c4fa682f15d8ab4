//! The colours of the pictures.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use raceline_render::palette::{LEVELS, diverging_colours, plain_style, speed_colours};

/// WCAG relative luminance of `#rrggbb`.
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055f64).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

#[test]
fn speed_colours_rise_in_lightness_and_stand_out_from_the_road() {
    let colours = speed_colours();
    assert_eq!(colours.len(), LEVELS);
    let lightness: Vec<f64> = colours.iter().map(|colour| luminance(colour)).collect();
    assert!(lightness.windows(2).all(|pair| pair[0] < pair[1]), "order survives without hue");
    let contrast = |a: f64, road: &str| (a + 0.05) / (luminance(road) + 0.05);
    assert!(contrast(lightness[0], "#23262c") > 2.0);
    for index in 0..5 {
        assert!(contrast(luminance(plain_style(index).colour), "#23262c") > 3.0, "candidate {index}");
    }
}

#[test]
fn diverging_colours_are_uniform_and_both_signs_weigh_the_same() {
    let colours = diverging_colours();
    assert_eq!(colours.len(), LEVELS);
    let oklab: Vec<[f64; 3]> = colours.iter().map(|colour| oklab(colour)).collect();
    let apart = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let steps: Vec<f64> = oklab.windows(2).map(|pair| apart(pair[0], pair[1])).collect();
    // But for the one over the middle, where the hue changes, and the rounding to 8 bits.
    let middle = LEVELS / 2 - 1;
    let mean = (steps.iter().sum::<f64>() - steps[middle]) / (steps.len() - 1) as f64;
    for (index, step) in steps.iter().enumerate().filter(|&(index, _)| index != middle) {
        assert!((step - mean).abs() < 0.35 * mean, "step {index} is {step}, the mean {mean}");
    }
    for index in 0..LEVELS / 2 {
        let (negative, positive) = (oklab[index], oklab[LEVELS - 1 - index]);
        assert!((negative[0] - positive[0]).abs() < 0.01, "{index}: as light as its opposite");
        // b of Oklab runs from blue to yellow, which the colour-blind can distinguish.
        assert!(negative[2] > positive[2]);
        let contrast = (luminance(&colours[index]) + 0.05) / (luminance("#23262c") + 0.05);
        assert!(contrast > 3.0, "{index}: {contrast}");
    }
}

/// Oklab of `#rrggbb` (Ottosson 2020).
fn oklab(colour: &str) -> [f64; 3] {
    let linear = |at: usize| {
        let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055f64).powf(2.4) }
    };
    let (r, g, b) = (linear(1), linear(3), linear(5));
    let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
    let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
    let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
    [
        0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s,
    ]
}
