//! The picture of the stability in `docs/notes/follower.md`.

use super::{Timing, decays, stiffness};
use std::fmt::Write;

const RATES_HZ: [f64; 3] = [30.0, 60.0, 120.0];
const DELAYS_S: [f64; 3] = [0.0, 0.05, 0.08];
/// Fractions of the file's grip that the road has, and the colours of their curves.
const GRIPS: [(f64, &str); 5] =
    [(1.0, "#1b4f72"), (0.9, "#2e86c1"), (0.8, "#28a05a"), (0.7, "#e08e0b"), (0.6, "#c0392b")];
/// Fraction of the file's grip that the bend takes.
const BEND: f64 = 0.55;
const SPEEDS_MPS: [f64; 2] = [4.0, 80.0];
const DECAYS: [f64; 2] = [-0.5, 3.5];
/// Size of a panel and the space around it.
const PANEL: [f64; 2] = [250.0, 150.0];
const SPACE: [f64; 2] = [62.0, 46.0];

/// A place in a panel.
fn place(panel: [f64; 2], speed: f64, decay: f64) -> [f64; 2] {
    let fraction = |value: f64, [low, high]: [f64; 2]| ((value - low) / (high - low)).clamp(0.0, 1.0);
    [panel[0] + PANEL[0] * fraction(speed, SPEEDS_MPS), panel[1] + PANEL[1] * (1.0 - fraction(decay, DECAYS))]
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, words: &str) {
    writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{words}</text>"#).expect("a string");
}

fn line(svg: &mut String, points: &[[f64; 2]], style: &str) {
    let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    writeln!(svg, r#"<polyline points="{}" fill="none" {style}/>"#, points.join(" ")).expect("a string");
}

/// The curves of one frame rate and delay: on a straight, then in a bend, a value a grip.
fn panel(svg: &mut String, corner: [f64; 2], timing: Timing) {
    let [x, y] = corner;
    let zero = place(corner, 0.0, 0.0)[1];
    let [w, h] = PANEL;
    writeln!(svg, r##"<rect x="{x}" y="{zero:.1}" width="{w}" height="{:.1}" fill="#f8d7d4"/>"##, y + h - zero)
        .expect("a string");
    writeln!(svg, r##"<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="none" stroke="#444"/>"##).expect("a string");
    for decay in [0.0, 1.0, 2.0, 3.0] {
        let at = place(corner, 0.0, decay);
        line(svg, &[at, [x + w, at[1]]], r##"stroke="#bbb" stroke-width="0.6""##);
        text(svg, [x - 6.0, at[1] + 4.0], "end", &format!("{decay}"));
    }
    for speed in [20.0, 40.0, 60.0, 80.0] {
        text(svg, [place(corner, speed, 0.0)[0], y + h + 15.0], "middle", &format!("{speed}"));
    }
    let title = format!("{:.0} Hz, {:.0} ms", 1.0 / timing.frame_s, 1000.0 * timing.delay_s);
    text(svg, [x + w / 2.0, y - 6.0], "middle", &title);
    let speeds: Vec<f64> = (0..39).map(|i| SPEEDS_MPS[0] + 2.0 * f64::from(i)).collect();
    let tyres: [[f64; 2]; 10] = std::array::from_fn(|i| {
        let grip = GRIPS[i % 5].0;
        [stiffness(grip, if i < 5 { 0.0 } else { BEND }); 2]
    });
    let all: Vec<[f64; 10]> = speeds.iter().map(|speed| decays(*speed, timing, tyres)).collect();
    for (i, [stiffness, _]) in tyres.iter().enumerate() {
        let (grip, colour) = GRIPS[i % 5];
        let points: Vec<[f64; 2]> = speeds.iter().zip(&all).map(|(v, all)| place(corner, *v, all[i])).collect();
        let dashes = if i < 5 { "stroke-dasharray=\"5 3\"" } else { "" };
        line(svg, &points, &format!("stroke=\"{colour}\" stroke-width=\"1.6\" {dashes}"));
        for (speed, all) in speeds.iter().zip(&all).filter(|(_, all)| all[i] <= 0.0) {
            let place = if i < 5 { "straight" } else { "bend" };
            println!("{title}: grip {grip}, {place} (stiffness {stiffness:.2}), {speed} m/s: {:.3}", all[i]);
        }
    }
}

fn picture() -> String {
    let size = [SPACE[0] + 3.0 * (PANEL[0] + SPACE[0]) - 30.0, SPACE[1] + 3.0 * (PANEL[1] + SPACE[1]) + 30.0];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        size[0], size[1]
    );
    for (row, delay_s) in DELAYS_S.into_iter().enumerate() {
        for (column, rate) in RATES_HZ.into_iter().enumerate() {
            let corner =
                [SPACE[0] + column as f64 * (PANEL[0] + SPACE[0]), SPACE[1] * 0.7 + row as f64 * (PANEL[1] + SPACE[1])];
            panel(&mut svg, corner, Timing::new(rate, delay_s));
        }
    }
    let [mut x, y] = [SPACE[0], size[1] - 14.0];
    text(&mut svg, [size[0] / 2.0, y - 28.0], "middle", "speed, m/s");
    let middle = [16.0, size[1] / 2.0 - 20.0];
    writeln!(
        svg,
        r#"<text transform="translate({} {}) rotate(-90)" text-anchor="middle">slowest decay, 1/s</text>"#,
        middle[0], middle[1]
    )
    .expect("a string");
    text(&mut svg, [x, y], "start", "grip of the file's:");
    x += 115.0;
    for (grip, colour) in GRIPS {
        line(&mut svg, &[[x, y - 4.0], [x + 24.0, y - 4.0]], &format!("stroke=\"{colour}\" stroke-width=\"2\""));
        text(&mut svg, [x + 30.0, y], "start", &format!("{grip:.1}"));
        x += 66.0;
    }
    let words = format!("solid: in a bend that takes {BEND} of the file's grip; dashed: on a straight");
    text(&mut svg, [x + 20.0, y], "start", &words);
    svg.push_str("</svg>\n");
    svg
}

/// Writes `docs/pictures/stability.svg` and prints where a motion grows:
/// `cargo test -p raceline-follower --test suite stability:: -- --ignored --nocapture`.
#[test]
#[ignore = "writes a picture of the documentation"]
fn draw_the_picture() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/stability.svg");
    std::fs::write(file, picture()).expect("the folder of pictures");
}
