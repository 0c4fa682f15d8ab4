//! The scores over the trials as a drawing.

use std::fmt::Write as _;

use crate::record::Outcome;
use crate::short::short;

/// Size of the drawing, and its margins: left, right, top, bottom.
const SIZE: [f64; 2] = [720.0, 360.0];
const MARGINS: [f64; 4] = [80.0, 16.0, 16.0, 40.0];
/// Fraction of the scores that the height is for; the rest lies on its upper edge.
const SHOWN_FRACTION: f64 = 0.9;

/// Dots for the scores, a line for the best so far, crosses on the upper edge for failures; `None` without
/// scores.
pub(crate) fn svg(outcomes: &[Outcome]) -> Option<String> {
    let mut sorted: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.score()).collect();
    sorted.sort_by(f64::total_cmp);
    let low = *sorted.first()?;
    let high = sorted[((sorted.len() - 1) as f64 * SHOWN_FRACTION) as usize];
    let [left, right, top, bottom] = MARGINS;
    let [width, height] = SIZE;
    let last = outcomes.len().saturating_sub(1).max(1) as f64;
    let x = |id: usize| left + id as f64 / last * (width - left - right);
    let y = |score: f64| {
        let fraction = if high > low { ((score - low) / (high - low)).min(1.0) } else { 0.0 };
        height - bottom - fraction * (height - top - bottom)
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n<path d=\"M{left} {top}V{}H{}\" \
         fill=\"none\" stroke=\"#888\"/>\n",
        height - bottom,
        width - right,
    );
    for (score, place) in [(low, y(low)), (high, y(high))] {
        let at = left - 6.0;
        let _ = writeln!(text, "<text x=\"{at}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", place + 4.0, short(score));
    }
    let _ = writeln!(text, "<text x=\"{left}\" y=\"{:.1}\">trial 0</text>", height - 14.0);
    let (end, below) = (width - right, height - 14.0);
    let _ = writeln!(
        text,
        "<text x=\"{end}\" y=\"{below:.1}\" text-anchor=\"end\">{}</text>",
        outcomes.len().saturating_sub(1)
    );
    let mut best = f64::INFINITY;
    let mut line = String::new();
    for (id, outcome) in outcomes.iter().enumerate() {
        match *outcome {
            Outcome::Score(score) => {
                let _ = writeln!(
                    text,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"#39c\" fill-opacity=\"0.6\"/>",
                    x(id),
                    y(score)
                );
                if score < best {
                    let step = if line.is_empty() { "M" } else { "H" };
                    let _ = write!(line, "{step}{:.1}", x(id));
                    let _ = write!(line, "{}{:.1}", if step == "M" { " " } else { "V" }, y(score));
                    best = score;
                }
            }
            Outcome::Failed => {
                let _ = writeln!(text, "<path d=\"M{:.1} {top}m-3 -3l6 6m0 -6l-6 6\" stroke=\"#c33\"/>", x(id));
            }
            Outcome::Open => {}
        }
    }
    let _ = writeln!(text, "<path d=\"{line}H{end}\" fill=\"none\" stroke=\"#146\" stroke-width=\"1.5\"/>\n</svg>");
    Some(text)
}
