use raceline::picture::*;
fn main() {
    for f in std::env::args().skip(1) {
        let b = std::fs::read(&f).unwrap();
        let p = read_bytes(&f, &b, &PictureOptions::default()).unwrap();
        match road_mask(&p, &PictureOptions::default(), None) {
            Ok(m) => {
                println!("{f} {:?} aa {} score {:.2} dropped {}", m.style, m.anti_aliased, m.score, m.dropped_shapes);
                m.coverage.save(format!("{f}.mask.png")).unwrap();
                match raceline::edges::trace(
                    &m,
                    raceline::edges::Scale::MetresPerPixel(1.0),
                    raceline::geometry::Point::origin(),
                    &Default::default(),
                ) {
                    Ok(t) => {
                        println!(
                            "  closed {} len {:.1} width {:.2} crossings {} side {:?} rival {} gap {:?} dropped {:?}",
                            t.edges.is_closed(),
                            t.edges.centre_length(),
                            t.edges.mean_width(),
                            t.edges.crossings.len(),
                            t.side_roads,
                            t.has_rival,
                            t.closed_gap,
                            t.dropped
                        );
                        match raceline::track::cut(&t.edges, &Default::default()) {
                            Ok(k) => println!(
                                "  sections {} dir {:?} len {:.1}",
                                k.sections.len(),
                                k.direction,
                                k.centre_line().length()
                            ),
                            Err(e) => println!("  CUT {e}"),
                        }
                    }
                    Err(e) => println!("  TRACE {e}"),
                }
            }
            Err(e) => println!("{f} {e}"),
        }
    }
}
