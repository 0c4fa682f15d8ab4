use raceline_proving_ground::{contender::Contender, courses, trial, vehicle::VEHICLES};
fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    let scenes = if which == "train" { courses::training_paths() } else { courses::test_paths() }.unwrap();
    let c = Contender::Ours(Default::default());
    for s in &scenes {
        for v in &VEHICLES {
            let t0 = std::time::Instant::now();
            let mut f = c.build(v.geometry()).unwrap();
            let o = trial::run(s, v, f.as_mut(), Default::default());
            println!("{:20} {:12} fin {} t {:6.1} left {:6.1} stuck {} placed {} xte {:.2} in {:.2} v {:.2}  wall {:?}", s.name, v.name, o.finished, o.time_s, o.left_m, o.stuck_events, o.placements, o.cross_track_ms/o.time_s, o.inside_s/o.time_s, o.distance_m/o.time_s, t0.elapsed());
        }
    }
}
