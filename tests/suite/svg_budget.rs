//! Small SVGs that stand for large ones are refused before they are expanded, and drawings as
//! programs save them are not.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::time::{Duration, Instant};

use raceline::construction::{ImportError, ImportOptions, Imported};
use raceline::frame::Scale;
use raceline::geometry::Point;
use raceline::importers::svg;

const ROAD: &str =
    r##"<path d="M100,300 C100,80 700,80 700,300 S100,520 100,300 Z" fill="none" stroke="#333" stroke-width="24"/>"##;

fn document(contents: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="800" height="600">{contents}</svg>"#
    )
}

fn read(text: &str) -> Result<Imported, ImportError> {
    svg(text.as_bytes(), Scale::MetresPerPixel(1.0), Point::origin(), None, &ImportOptions::default())
}

/// Asserts that `text` is refused, soon, because of too many of `what`.
fn refused(text: &str, what: &str) {
    let begun = Instant::now();
    match read(text) {
        Err(error @ ImportError::SvgTooLarge { .. }) => assert!(error.to_string().contains(what), "{error}"),
        other => panic!("{what}: {:?}", other.map(|imported| imported.edges.left.points.len())),
    }
    // Seconds more than it takes, also on a busy machine: expanding these would take minutes.
    assert!(begun.elapsed() < Duration::from_secs(20), "{what}: {:?}", begun.elapsed());
}

#[test]
fn elements_that_repeat_elements() {
    let doubled: String =
        (0..40).map(|i| format!(r##"<g id="g{}"><use href="#g{i}"/><use xlink:href="#g{i}"/></g>"##, i + 1)).collect();
    refused(&document(&format!(r#"<g id="g0">{ROAD}</g>{doubled}"#)), "elements, more than 200000");
    // The same by paint servers, masks and clips.
    for (element, attribute) in [("pattern", "fill"), ("mask", "mask"), ("clipPath", "clip-path"), ("marker", "style")]
    {
        let value =
            |i: usize| if attribute == "style" { format!("marker:url(#p{i})") } else { format!("url('#p{i}')") };
        let rect = |i: usize| format!(r#"<rect width="9" height="9" {attribute}="{}"/>"#, value(i));
        let nested: String =
            (0..40).map(|i| format!(r#"<{element} id="p{}">{}{}</{element}>"#, i + 1, rect(i), rect(i))).collect();
        refused(&document(&format!("{nested}{ROAD}")), "elements, more than 200000");
    }
}

#[test]
fn markers_at_every_vertex() {
    let rects = r#"<rect width="1" height="1"/>"#.repeat(200);
    let line: String = (0..5000).map(|i| format!("L{} {} ", i % 97, i % 89)).collect();
    for marked in [
        format!(r#"<path d="M0 0 {line}" stroke="red" marker-mid="url(#m)"/>"#),
        format!(r#"<g style="marker-mid: url(#m)"><path d="M0 0 {line}" stroke="red"/></g>"#),
    ] {
        refused(&document(&format!(r#"<marker id="m">{rects}</marker>{marked}"#)), "elements, more than 200000");
    }
    let styled = format!(r#"<style>path{{marker-mid:url(#m)}}</style><marker id="m">{rects}</marker>"#);
    let paths = format!(r#"<path d="M0 0 {line}" stroke="red"/>"#).repeat(30);
    refused(&document(&format!("{styled}{}{paths}", "<g/>".repeat(5000))), "style rules for elements");
}

#[test]
fn curves_with_more_points_than_any_road() {
    let loops = "c 400 400 -400 400 0 0 ".repeat(200);
    refused(&document(&format!(r#"<path d="M0 0 {loops}" stroke="red" stroke-width="8"/>"#)), "points on its curves");
    let arcs = "A1e30 1e30 0 1 1 1 1 A1e30,1e30 0 1 1 2 2 ".repeat(50);
    refused(&document(&format!(r#"<path d="M0 0 {arcs}" stroke="red" stroke-width="8"/>"#)), "numbers in paths");
    let arcs = "A100000000 100000000 0 1 1 1 1 ".repeat(50);
    refused(&document(&format!(r#"<path d="M0 0 {arcs}" stroke="red" stroke-width="8"/>"#)), "numbers in paths");
}

#[test]
fn what_the_parser_itself_expands_and_compares() {
    let attributes: String = (0..5000).map(|i| format!(" a{i}='>'")).collect();
    refused(&document(&format!("<g{attributes}/>{ROAD}")), "attributes of one element");
    let entity = format!("<!DOCTYPE svg [<!ENTITY a \"{}\"> ]  >", "x".repeat(10_000));
    refused(
        &format!("{entity}{}", document(&format!("<text>{}</text>{ROAD}", "&a;".repeat(10_000)))),
        "bytes of entities",
    );
    let element = format!("<!DOCTYPE svg [<!ENTITY a \"<g {attributes}/>\">]>");
    refused(&format!("{element}{}", document(&format!("&a;{ROAD}"))), "attributes in entities");
    refused(&document(&format!("{}{}{ROAD}", "<g>".repeat(300), "</g>".repeat(300))), "levels of elements");
    let rules = "a,".repeat(50_000);
    refused(&document(&format!("<style>{rules}b{{{}}}</style>{ROAD}", "fill:red;".repeat(1000))), "style rules");
    refused(&document(&" ".repeat(17 << 20)), "bytes, more than 16777216");
}

#[test]
fn elements_that_refer_to_one_another_in_a_circle() {
    let circle = r##"<g id="a"><use href="#b"/></g><g id="b"><use href="#c"/></g><g id="c"><use href="#a"/></g>"##;
    match read(&document(&format!("{circle}{ROAD}"))) {
        Err(ImportError::Svg { message }) => assert!(message.contains("in a circle"), "{message}"),
        other => panic!("{:?}", other.map(|imported| imported.edges.left.points.len())),
    }
}

#[test]
fn drawings_as_programs_save_them() {
    let plain = read(&document(ROAD)).unwrap().edges;
    let names = r#"<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd" [
        <!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY ns_xlink "http://www.w3.org/1999/xlink">
    ]>"#;
    let entities = format!(
        r#"<?xml version="1.0"?><!-- <a b=c> -->{names}<svg xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" width="800" height="600">{ROAD}</svg>"#
    );
    let defined = format!(
        r##"<defs><g id="r">{ROAD}</g><linearGradient id="g"><stop/></linearGradient><linearGradient id="h" href="#g"/>
        <clipPath id="c"><rect width="800" height="600"/></clipPath></defs>
        <a href="#top"><g id="top" clip-path="url(#c)"><use xlink:href="#r"/></g></a>"##
    );
    let texts: String =
        (0..2000).map(|i| format!(r#"<text class="t" x="{i}" y="9">a &amp; b = {i} &lt; 9</text>"#)).collect();
    let styled = format!(
        "<style>.t{{fill:red}} .u,.v{{fill:url(#g)}}</style><script><![CDATA[{}]]></script>",
        "a=b;".repeat(9999)
    );
    for text in [entities, document(&defined), document(&format!("{styled}{texts}{ROAD}"))] {
        assert_eq!(read(&text).unwrap().edges, plain, "{}", &text[..200]);
    }
}
