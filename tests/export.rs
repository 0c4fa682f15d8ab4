//! Files and pictures of racing lines.
mod sample_lines;
use raceline::export::{json, png, svg};
#[test]
fn look() {
    let out = std::env::var("LOOK").unwrap();
    for (line, w, h) in [
        (sample_lines::stadium(), 1600, None),
        (sample_lines::winding(), 1600, None),
        (sample_lines::winding(), 1600, Some(900)),
        (sample_lines::circle(50.0, 100), 800, None),
    ] {
        for (tag, sections, background) in
            [("", false, Default::default()), ("-dark", true, raceline::export::palette::Background::Dark)]
        {
            let o = svg::RenderOptions {
                width_px: w,
                height_px: h,
                sections: sections && !line.sections.is_empty(),
                background,
                ..Default::default()
            };
            let name = format!("{out}/{}-{}{tag}", line.name, h.unwrap_or(0));
            let s = svg::render(&[line.clone()], &o).unwrap();
            println!("{name} {} bytes {} m", s.len(), line.length_m);
            std::fs::write(format!("{name}.svg"), s).unwrap();
            std::fs::write(format!("{name}.png"), png::render(&[line.clone()], &o).unwrap()).unwrap();
        }
        std::fs::write(format!("{out}/{}.json", line.name), json::write(&line).unwrap()).unwrap();
    }
}
