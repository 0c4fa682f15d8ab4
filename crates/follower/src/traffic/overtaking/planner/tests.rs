use super::{Found, STAGES, STATIONS, Stage, bends, blocks, following, gaps, is_close_behind};
use crate::chassis::testing::{on_straight, straight};
use crate::closeness::is_close;
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::planned_route::PlannedRoute;
use crate::traffic::following::Brakes;
use crate::traffic::overtaking::rivals::Rival;
use crate::traffic::overtaking::search::Node;
use crate::vehicle::VehicleGeometry;

mod frames;

/// Half the lengths and half the widths of two cars, m.
const BODY: [f64; 2] = [4.0, 2.0];

/// A straight road in stages of 10 m, 5 m wide to either side.
fn road() -> [Stage; STAGES] {
    std::array::from_fn(|k| Stage {
        s: 10.0 * k as f64,
        top: 40.0,
        lateral: 10.0,
        braking: 8.0,
        low: -5.0,
        high: 5.0,
        ..Stage::default()
    })
}

#[test]
fn a_bend_allows_the_speed_from_which_the_brakes_slow_down_to_it() {
    let path = PlannedRoute::PATH;
    assert_eq!(bends(&path, &road(), 60.0), (f64::INFINITY, 0.0));
    let with = |bent: &[(usize, f64)]| {
        let mut stages = road();
        for (k, curvature) in bent {
            stages[*k].curvature = *curvature;
        }
        stages
    };
    // A radius of 40 m at 10 m/s² is taken at 20 m/s; 50 m before it 8 m/s² save 800 m²/s².
    let [bend, allowed] = [with(&[(5, 0.025)]), with(&[(5, 0.025), (13, 0.05)])];
    let (speed, braking) = bends(&path, &bend, 40.0);
    assert!(is_close(speed, 1200.0_f64.sqrt()) && braking == 8.0, "{speed} {braking}");
    assert_eq!(bends(&path, &bend, 30.0).1, 0.0);
    // Of two the one that slows more: 200 m²/s² in 130 m allow more than the first.
    assert_eq!(bends(&path, &allowed, 40.0), (speed, 8.0));
    let sharper = with(&[(5, 0.025), (6, 0.1)]);
    assert!(is_close(bends(&path, &sharper, 40.0).0, (100.0 + 2.0 * 8.0 * 60.0_f64).sqrt()));
    // One that slows by less than 0.5 m/s does not count: at 39.6 m/s, and at 39.4 m/s.
    for (limit, counts) in [(39.6_f64, false), (39.4, true)] {
        let stages = with(&[(1, 10.0 / limit.powi(2))]);
        assert_eq!(bends(&path, &stages, 60.0).0.is_finite(), counts, "{limit}");
    }
    // The vehicle is in the first stage already.
    assert_eq!(bends(&path, &with(&[(0, 0.1)]), 40.0).0, f64::INFINITY);
    // The route's own bend counts, and the brakes of its stage.
    let route = PlannedRoute::new(5.0, 0.0, std::array::from_fn(|k| 0.5 * 0.02 * (5.0 * k as f64).powi(2)));
    let mut stages = road();
    stages[1].braking = 4.0;
    let (speed, braking) = bends(&route, &stages, 40.0);
    assert!(is_close(speed, (500.0 + 2.0 * 4.0 * 10.0_f64).sqrt()) && braking == 4.0, "{speed} {braking}");
}

#[test]
fn one_that_stands_blocks_where_each_of_its_conditions_holds() {
    let path = straight([50.0; 2], f64::NAN);
    let vehicle = VehicleGeometry::default();
    let is_blocked = |left: f64, rival: Rival, stages: &[Stage; STAGES]| {
        blocks(&rival, &on_straight(&path, [100.0, left], 0.0), stages, &vehicle)
    };
    let at = |s: f64, offset: f64, speed: f64| Rival::steady(s, offset, speed, BODY);
    // 2.2 m aside at a radius of 2.6 / tan 0.6 = 3.80 m: 5.78 m from body to body.
    let needed = (4.0 * 2.6 / 0.6_f64.tan() * 2.2).sqrt();
    assert!(is_blocked(0.0, at(4.0 + needed - 0.01, 0.0, 0.0), &road()));
    assert!(!is_blocked(0.0, at(4.0 + needed + 0.01, 0.0, 0.0), &road()));
    // It drives on, or is beside: at half the lengths and before.
    assert!(is_blocked(0.0, at(6.0, 0.0, 0.4), &road()) && !is_blocked(0.0, at(6.0, 0.0, 0.6), &road()));
    assert!(is_blocked(0.0, at(2.1, 0.0, 0.0), &road()) && !is_blocked(0.0, at(1.9, 0.0, 0.0), &road()));
    assert!(!is_blocked(0.0, at(-6.0, 0.0, 0.0), &road()));
    // In another lane, to either side.
    for side in [1.0, -1.0] {
        assert!(is_blocked(0.0, at(4.5, side * 2.1, 0.0), &road()));
        assert!(!is_blocked(0.0, at(4.5, side * 2.3, 0.0), &road()));
    }
    // The nearer side is 0.2 m away, for which 1.74 m are enough; without it, the other side is not.
    assert!(!is_blocked(2.0, at(6.0, 0.0, 0.0), &road()) && is_blocked(2.0, at(5.7, 0.0, 0.0), &road()));
    let narrow = road().map(|stage| Stage { high: 2.0, ..stage });
    assert!(is_blocked(2.0, at(6.0, 0.0, 0.0), &narrow));
    // No side is on the road at its stage: waiting, not reversing.
    let mut closed = road();
    (closed[1].low, closed[1].high) = (-2.0, 2.0);
    assert!(!is_blocked(0.0, at(6.0, 0.0, 0.0), &closed) && is_blocked(0.0, at(6.0, 0.5, 0.0), &closed));
}

#[test]
fn one_behind_in_the_lane_prevents_reversing() {
    let path = straight([50.0; 2], f64::NAN);
    let is_close =
        |speed: f64, left: f64, rival: Rival| is_close_behind(&rival, &on_straight(&path, [100.0, left], speed));
    let at = |s: f64, offset: f64, speed: f64| Rival::steady(s, offset, speed, BODY);
    // 0.7 m, and half a second at the speeds of both.
    assert!(is_close(0.0, 0.0, at(-4.6, 0.0, 0.0)) && !is_close(0.0, 0.0, at(-4.8, 0.0, 0.0)));
    assert!(is_close(-2.0, 0.0, at(-7.1, 0.0, 3.0)) && !is_close(-2.0, 0.0, at(-7.3, 0.0, 3.0)));
    assert!(!is_close(0.0, 0.0, at(4.1, 0.0, 0.0)) && !is_close(0.0, 0.0, at(0.0, 0.0, 0.0)));
    assert!(is_close(0.0, 1.0, at(-4.1, 2.9, 0.0)) && !is_close(0.0, 1.0, at(-4.1, 3.1, 0.0)));
    assert!(is_close(0.0, 1.0, at(-4.1, -0.9, 0.0)) && !is_close(0.0, 1.0, at(-4.1, -1.1, 0.0)));
}

/// The brakes at a speed on a straight path: 6 m/s², after a tenth of a second.
fn brakes(speed: f64) -> Brakes {
    let path = straight([50.0; 2], f64::NAN);
    let frame = on_straight(&path, [100.0, 0.0], speed);
    Brakes::new(&frame, &TrafficOptions::default(), &TargetSpeedOptions::default(), 2.0)
}

/// What a rival allows a vehicle at a speed: 3 m and 0.1 s to keep.
fn allowed(route: &PlannedRoute, rival: Rival, speed: f64) -> (f64, f64) {
    following(route, &[rival], speed, &TrafficOptions::default(), &brakes(speed))
}

/// Speed and deceleration by the formula where the rival keeps its speed and is met at each step.
fn by_steps(gap: f64, its: f64, own: f64) -> (f64, f64) {
    let keep = 3.0 + 0.1 * own;
    let steps = brakes(own).saved.into_iter().enumerate().map(|(k, saved)| (0.15 * (k + 1) as f64, saved));
    let (limit, fraction) = steps.fold((f64::INFINITY, 0.0_f64), |(limit, fraction), (time, saved)| {
        let room = gap - keep.min((gap + 3.0 * time).max(0.6)) + its * time;
        (limit.min((room + 0.8 * saved) / time), fraction.max((own * time - room) / saved))
    });
    (limit.max(0.0), if own > limit { 6.0 * fraction.clamp(0.0, 1.0) } else { 0.0 })
}

#[test]
fn one_in_the_lane_is_followed_and_one_aside_is_not() {
    let path = &PlannedRoute::PATH;
    for (gap, its, own) in [
        (10.0, 10.0, 12.0),
        (6.0, 10.0, 11.0),
        (2.0, 10.0, 10.0),
        (0.3, 4.0, 9.0),
        (30.0, 10.0, 8.0),
        (34.0, 2.0, 20.0),
    ] {
        let rival = Rival::steady(4.0 + gap, 0.0, its, BODY);
        let (found, expected) = (allowed(path, rival, own), by_steps(gap, its, own));
        assert!(is_close(found.0, expected.0) && is_close(found.1, expected.1), "{gap} {its}: {found:?} {expected:?}");
    }
    // Aside by 0.2 m, or beside: at half the lengths and before.
    let limit = |s: f64, offset: f64| allowed(path, Rival::steady(s, offset, 10.0, BODY), 12.0).0;
    assert!(limit(14.0, 2.19).is_finite() && limit(14.0, 2.21).is_infinite() && limit(14.0, -2.21).is_infinite());
    assert!(limit(2.1, 0.0).is_finite() && limit(1.9, 0.0).is_infinite() && limit(-9.0, 0.0).is_infinite());
    // Where both overlap it is 4 m/s slower at most, with 0.7 of the brakes.
    let (limit, braking) = allowed(path, Rival::steady(3.0, 0.0, 10.0, BODY), 14.0);
    assert!(limit == 6.0 && is_close(braking, 0.7 * 6.0), "{limit} {braking}");
    // Of two the one that allows less, and the brakes of the one that needs more.
    let (near, far) = (Rival::steady(8.0, 0.0, 10.0, BODY), Rival::steady(20.0, 0.0, 2.0, BODY));
    let both = following(path, &[far, near, far], 12.0, &TrafficOptions::default(), &brakes(12.0));
    let [near, far] = [near, far].map(|rival| allowed(path, rival, 12.0));
    assert!(near.0 != far.0 && both == (near.0.min(far.0), near.1.max(far.1)), "{both:?} {near:?} {far:?}");
}

#[test]
fn one_that_the_route_passes_matters_only_where_it_blocks_the_route() {
    // The route is 3 m to the left from 10 m on; the rival stands 20 m ahead on the path.
    let aside = PlannedRoute::new(5.0, 0.0, std::array::from_fn(|k| if k < 2 { 0.0 } else { 3.0 }));
    let stands = Rival::steady(20.0, 0.0, 0.0, BODY);
    for speed in [10.0, 0.5] {
        assert_eq!(allowed(&aside, stands, speed), (f64::INFINITY, 0.0));
    }
    // On the path it blocks, however slowly it is approached.
    for speed in [10.0, 0.5] {
        assert!(allowed(&PlannedRoute::PATH, stands, speed).0.is_finite(), "{speed}");
    }
    // One that drives is met where the vehicle is by then: at 0.5 m/s that is not yet aside.
    assert!(allowed(&aside, Rival::steady(5.0, 0.0, 1.0, BODY), 0.5).0.is_finite());
}

/// Past it by twice the lengths and 0.5 m, it is not looked at later.
#[test]
fn one_that_is_passed_is_not_followed() {
    // At 20 m/s past one at 1 m/s: 8.25 m past its end after 0.75 s and 11.1 m after 0.9 s. The route comes back to within
    // 0.2 m of it where it is at one of these times.
    let back = |at: f64| PlannedRoute::straight(2.2 + 0.1 * at, -0.1);
    let passed = Rival::steady(10.0, 0.0, 1.0, BODY);
    assert!(allowed(&back(10.7), passed, 20.0).0.is_finite());
    assert!(allowed(&back(10.8), passed, 20.0).0.is_infinite());
}

/// The gaps every 5 m of a route at an offset, at 20 m/s, for a vehicle at another with a slope.
fn gaps_at(node: f64, rivals: &[Rival], stages: &[Stage; STAGES], start: [f64; 2]) -> ([[f64; 2]; STATIONS], bool) {
    let at = |k: usize| Node { s: 10.0 * k as f64, offset: node, time: 0.5 * k as f64 };
    let found = Found { nodes: std::array::from_fn(at) };
    let (gaps, is_free) = gaps(&found, stages, rivals, &TrafficOptions::default(), 5.0, start, 20.0);
    (std::array::from_fn(|k| [gaps.low[k], gaps.high[k]]), is_free)
}

fn is_gap(found: [f64; 2], low: f64, high: f64) {
    assert!(is_close(found[0], low) && is_close(found[1], high), "{found:?} {low} {high}");
}

#[test]
fn alone_the_gaps_are_those_of_the_narrower_stages() {
    let (free, is_free) = gaps_at(0.0, &[], &road(), [0.0; 2]);
    assert!(is_free && free.iter().all(|gap| *gap == [-5.0, 5.0]));
    let mut stages = road();
    (stages[4].low, stages[4].high) = (-3.0, 2.0);
    let (gaps, _) = gaps_at(0.0, &[], &stages, [0.0; 2]);
    for (k, gap) in gaps.into_iter().enumerate() {
        // Between the stages at 30 m and 50 m.
        let [low, high] = if (7..=10).contains(&k) { [-3.0, 2.0] } else { [-5.0, 5.0] };
        is_gap(gap, low, high);
    }
}

#[test]
fn the_gap_leads_past_a_rival_on_the_side_of_the_route() {
    let stands = Rival::steady(60.0, 0.5, 0.0, BODY);
    for (node, side) in [(3.5, 1.0), (-2.5, -1.0)] {
        let (gaps, is_free) = gaps_at(node, &[stands], &road(), [node, 0.0]);
        assert!(!is_free);
        for (k, gap) in gaps.into_iter().enumerate() {
            // Within 4 m, 1.5 m and half a step; 1.5 m to its side, and 0.1 m a second, for 3 s.
            let clear = 2.0 + 1.5 + 0.1 * (0.25 * k as f64).min(3.0);
            match (11..=13).contains(&k) {
                true if side > 0.0 => is_gap(gap, 0.5 + clear, 5.0),
                true => is_gap(gap, -5.0, 0.5 - clear),
                false => is_gap(gap, -5.0, 5.0),
            }
        }
    }
    // One that the route leads through by more than 0.2 m is followed.
    assert!(gaps_at(2.29, &[stands], &road(), [0.0; 2]).1 && !gaps_at(2.31, &[stands], &road(), [0.0; 2]).1);
    // One that overlaps now is evaded for 1.5 s, on the side where the vehicle is.
    let beside = Rival::steady(3.9, 0.5, 20.0, BODY);
    let (gaps, is_free) = gaps_at(0.5, &[beside], &road(), [1.0, 0.0]);
    assert!(!is_free && gaps[4][0] > -5.0 && gaps[4][1] == 5.0 && gaps[7] == [-5.0, 5.0], "{gaps:?}");
    let (gaps, _) = gaps_at(0.5, &[beside], &road(), [0.0, 0.0]);
    assert!(gaps[4][0] == -5.0 && gaps[4][1] < 5.0);
    assert!(gaps_at(0.5, &[Rival::steady(4.1, 0.5, 20.0, BODY)], &road(), [1.0, 0.0]).1);
}

#[test]
fn no_gap_asks_for_more_than_the_tyres_evade_with() {
    // 10 m/s² at 20 m/s lead 0.625 m aside within 10 m, out and back; the vehicle drifts to the left by 0.02.
    let stands = Rival::steady(10.0, 0.0, 0.0, BODY);
    for side in [1.0, -1.0] {
        let (gaps, _) = gaps_at(3.0 * side, &[stands], &road(), [0.1 * side, 0.02 * side]);
        let bound = side * (0.1 + 0.2 + 0.625);
        if side > 0.0 { is_gap(gaps[2], bound, 5.0) } else { is_gap(gaps[2], -5.0, bound) }
    }
    // Between two without room for both distances: through the middle, but on the road.
    let pair = [-3.0, 3.4].map(|offset| Rival::steady(60.0, offset, 0.0, BODY));
    let (gaps, _) = gaps_at(0.2, &pair, &road(), [0.2, 0.0]);
    is_gap(gaps[12], 0.2, 0.2);
    let narrow = road().map(|stage| Stage { low: -5.0, high: 0.1, ..stage });
    is_gap(gaps_at(0.2, &pair, &narrow, [0.2, 0.0]).0[12], 0.1, 0.1);
}
