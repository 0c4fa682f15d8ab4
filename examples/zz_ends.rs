use raceline::picture::*;
fn main() {
    for f in std::env::args().skip(1) {
        let b = std::fs::read(&f).unwrap();
        let p = read_bytes(&f, &b, &PictureOptions::default()).unwrap();
        let m = road_mask(&p, &PictureOptions::default(), None).unwrap();
        let o = raceline::edges::RouteOptions { shape: raceline::edges::RoadShape::Open, ..Default::default() };
        let t = raceline::edges::trace(
            &m,
            raceline::edges::Scale::MetresPerPixel(1.0),
            raceline::geometry::Point::origin(),
            &o,
        )
        .unwrap();
        let h = m.coverage.height() as f64;
        for (n, e) in [("L", &t.edges.left), ("R", &t.edges.right)] {
            let k = e.points.len();
            println!(
                "{f} {n} first {:?}",
                e.points[..6]
                    .iter()
                    .map(|p| ((p.x * 10.).round() / 10., ((h - p.y) * 10.).round() / 10.))
                    .collect::<Vec<_>>()
            );
            println!(
                "   last {:?}",
                e.points[k - 6..]
                    .iter()
                    .map(|p| ((p.x * 10.).round() / 10., ((h - p.y) * 10.).round() / 10.))
                    .collect::<Vec<_>>()
            );
        }
    }
}
