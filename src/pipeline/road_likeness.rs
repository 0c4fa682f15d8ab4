//! How much a reading of a picture looks like a road: numbers in, a verdict out.

use crate::geometry::{Point, Segment};
use crate::tracing::SideRoad;
use crate::track::{CrossSection, Track};

/// A road is whole if the line covers at least this fraction of what is drawn.
pub(super) const WHOLE: f64 = 0.98;

/// A road off the route is a part of the same road if it is at least this wide, in mean widths of the road, and
/// this long, as a fraction of its length.
const LEFT_OUT_WIDTHS: f64 = 0.6;
const LEFT_OUT_LENGTH: f64 = 0.03;

/// The narrowest and the third percentile of the widths of a sound road, in its median width.
const MIN_NARROWEST: f64 = 0.15;
const MIN_NARROW: f64 = 0.6;

/// Length of a sound road in its widths, and of one whose score is not reduced.
const MIN_SLENDERNESS: f64 = 12.0;
const SURE_SLENDERNESS: f64 = 40.0;

/// Width of a road whose score is not reduced, metres and pixels.
const USUAL_WIDTH_M: std::ops::RangeInclusive<f64> = 2.5..=45.0;
pub(super) const USUAL_WIDTH_PX: f64 = 4.5;

/// Score of an open road where a circuit is possible, and of one with a doubt.
const OPEN_SCORE: f64 = 0.6;
const DOUBT_SCORE: f64 = 0.8;

/// An attempt replaces the first reading if its score is higher by this much, and replaces an error if it is at
/// least this.
const MIN_GAIN: f64 = 0.1;
const MIN_SCORE: f64 = 0.4;

/// No further attempt is made after a sound one of this score.
const SURE_SCORE: f64 = 0.95;

/// A circuit replaces an open road if it contains at least this fraction of it.
const MIN_CONTAINED: f64 = 0.9;

/// What a reading looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Appearance {
    /// How much of the drawn road the line covers, 0 to 1.
    pub covered_fraction: f64,
    /// The smallest width, the third percentile, the median and the 97th percentile, m.
    pub widths_m: [f64; 4],
    /// Length of the centre line, m.
    pub length_m: f64,
    /// Metres per pixel.
    pub metres_per_pixel: f64,
    /// Whether it leads back to its start.
    pub closed: bool,
    /// Whether it does, or the user has specified its shape.
    pub is_whole_lap: bool,
    /// Whether its width changes abruptly.
    pub jumps: bool,
}

/// Whether a reading is a road.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// 0 to 1.
    score: f64,
    covered_fraction: f64,
    closed: bool,
    /// Nothing of it is unlikely.
    pub is_sound: bool,
    /// Whether it is sound but for being open.
    pub is_even: bool,
}

impl Appearance {
    /// The widths of a track as an appearance has them, m.
    pub fn widths_m(track: &Track) -> [f64; 4] {
        let mut widths: Vec<f64> = track.sections.iter().map(CrossSection::width).collect();
        widths.sort_by(f64::total_cmp);
        [0.0, 0.03, 0.5, 0.97]
            .map(|fraction| widths.get((fraction * widths.len() as f64) as usize).copied().unwrap_or(0.0))
    }

    /// The verdict on it.
    pub fn verdict(&self) -> Verdict {
        let Self { covered_fraction, length_m, metres_per_pixel, closed, is_whole_lap, jumps, .. } = *self;
        let [narrowest, narrow, median, wide] = self.widths_m;
        let slenderness = length_m / median.max(1e-9);
        let unusual = if median < *USUAL_WIDTH_M.start() {
            median / USUAL_WIDTH_M.start()
        } else {
            (USUAL_WIDTH_M.end() / median.max(1e-9)).min(1.0)
        };
        let even = (narrow / (0.75 * median)).min(1.0) * (1.6 * median / wide.max(1e-9)).min(1.0);
        let score = covered_fraction
            * even
            * unusual
            * (slenderness / SURE_SLENDERNESS).min(1.0)
            * (median / metres_per_pixel / USUAL_WIDTH_PX).min(1.0)
            * if is_whole_lap { 1.0 } else { OPEN_SCORE }
            * if jumps || narrowest < MIN_NARROWEST * median { DOUBT_SCORE } else { 1.0 };
        let is_even = covered_fraction >= WHOLE
            && narrow >= MIN_NARROW * median
            && narrowest >= MIN_NARROWEST * median
            && !jumps
            && slenderness >= MIN_SLENDERNESS
            && median <= *USUAL_WIDTH_M.end();
        Verdict { score, covered_fraction, closed, is_sound: is_whole_lap && is_even, is_even }
    }
}

impl Verdict {
    /// Whether it looks more like a road than `other`.
    pub fn exceeds(&self, other: &Self) -> bool {
        other.score < self.score
    }

    /// Whether no further attempt can gain anything.
    pub fn is_sure(&self) -> bool {
        self.is_sound && self.score >= SURE_SCORE
    }

    /// Whether it takes the place of an error.
    pub fn replaces_error(&self) -> bool {
        self.score >= MIN_SCORE && self.covered_fraction >= WHOLE && self.closed
    }

    /// Whether it is so much better than the first reading that it takes its place. `contains_first`: whether its
    /// road contains that of the first reading.
    pub fn replaces(&self, first: &Self, contains_first: impl Fn() -> bool) -> bool {
        // A sound open road is one unless a circuit goes on where it ends.
        self.score >= first.score + MIN_GAIN
            && (first.closed || first.score < OPEN_SCORE * MIN_SCORE || contains_first())
    }
}

/// Whether nearly all of another road's middle lies on `track`.
pub(super) fn contains(track: &Track, other: &Track) -> bool {
    let stride = |count: usize| (count / 200).max(1);
    let own: Vec<&CrossSection> = track.sections.iter().collect();
    let reach = own.iter().map(|section| section.width()).fold(0.0, f64::max) / 2.0;
    let middles: Vec<Point> = own.iter().map(|section| section.middle()).collect();
    let is_near = |p: Point| middles.windows(2).any(|pair| Segment::new(pair[0], pair[1]).distance(p) <= reach);
    let sampled = other.sections.iter().step_by(stride(other.sections.len()));
    let (mut near, mut total) = (0_usize, 0_usize);
    for section in sampled {
        near += usize::from(is_near(section.middle()));
        total += 1;
    }
    near as f64 >= MIN_CONTAINED * total as f64
}

/// How much of the drawn road its route covers. What leads back to the route is another route and no rest.
pub(super) fn covered_fraction(rest_m: f64, side_roads: &[SideRoad], length_m: f64, width_m: f64) -> f64 {
    let is_rest = |road: &&SideRoad| {
        road.is_dead_end && road.width_m >= LEFT_OUT_WIDTHS * width_m && road.length_m >= LEFT_OUT_LENGTH * length_m
    };
    let left_out: f64 = side_roads.iter().filter(is_rest).map(|road| road.length_m).sum();
    length_m / (length_m + left_out + rest_m).max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::{Appearance, Point, SideRoad, Track, Verdict, contains, covered_fraction};
    use crate::geometry::Vector;
    use crate::track::{CrossSection, Direction};

    /// A circuit of 1 000 m, 10 m wide, drawn 20 px wide.
    fn circuit() -> Appearance {
        Appearance {
            covered_fraction: 1.0,
            widths_m: [10.0; 4],
            length_m: 1000.0,
            metres_per_pixel: 0.5,
            closed: true,
            is_whole_lap: true,
            jumps: false,
        }
    }

    fn open() -> Appearance {
        Appearance { closed: false, is_whole_lap: false, ..circuit() }
    }

    #[track_caller]
    fn assert_score(appearance: Appearance, expected: f64) -> Verdict {
        let verdict = appearance.verdict();
        assert!((verdict.score - expected).abs() < 1e-12, "{} instead of {expected}", verdict.score);
        verdict
    }

    #[test]
    fn a_circuit_has_the_full_score_and_each_flaw_its_factor() {
        let sound = assert_score(circuit(), 1.0);
        assert!(sound.is_sound && sound.is_even && sound.is_sure());
        let verdict = assert_score(open(), 0.6);
        assert!(!verdict.is_sound && verdict.is_even);
        assert!(!assert_score(Appearance { jumps: true, ..circuit() }, 0.8).is_even);
        // 30 widths long, 2 m wide, 3 px wide.
        assert_score(Appearance { length_m: 300.0, ..circuit() }, 0.75);
        assert_score(Appearance { widths_m: [2.0; 4], metres_per_pixel: 0.1, ..circuit() }, 0.8);
        assert_score(Appearance { metres_per_pixel: 10.0 / 3.0, ..circuit() }, 3.0 / 4.5);
    }

    #[test]
    fn a_sound_road_is_slender_and_has_about_one_width() {
        let sound = |change: fn(&mut Appearance)| {
            let mut appearance = circuit();
            change(&mut appearance);
            appearance.verdict().is_sound
        };
        assert!(sound(|road| road.length_m = 130.0) && !sound(|road| road.length_m = 110.0));
        assert!(sound(|road| road.widths_m[0] = 1.6) && !sound(|road| road.widths_m[0] = 1.4));
        assert!(sound(|road| road.widths_m[..2].fill(6.1)) && !sound(|road| road.widths_m[..2].fill(5.9)));
        assert!(sound(|road| road.covered_fraction = 0.985) && !sound(|road| road.covered_fraction = 0.975));
        // A width that falls below the smallest of a sound road is a doubt.
        assert_score(Appearance { widths_m: [1.4, 10.0, 10.0, 10.0], ..circuit() }, 0.8);
    }

    #[test]
    fn the_search_ends_with_a_sound_road_of_nearly_the_full_score() {
        let slender = |widths: f64| Appearance { length_m: 10.0 * widths, ..circuit() }.verdict().is_sure();
        assert!(slender(39.0) && !slender(37.0));
        assert!(!open().verdict().is_sure());
    }

    #[test]
    fn an_error_is_replaced_by_a_whole_circuit_alone() {
        let slender = |widths: f64| Appearance { length_m: 10.0 * widths, ..circuit() }.verdict();
        assert!(slender(17.0).replaces_error() && !slender(15.0).replaces_error());
        assert!(!open().verdict().replaces_error());
        assert!(!Appearance { covered_fraction: 0.97, ..circuit() }.verdict().replaces_error());
    }

    #[test]
    fn a_reading_is_replaced_by_a_much_better_one() {
        let slender = |widths: f64| Appearance { length_m: 10.0 * widths, ..circuit() }.verdict();
        let best = circuit().verdict();
        assert!(best.replaces(&slender(35.0), || false) && !best.replaces(&slender(37.0), || false));
        // An open road is kept unless the circuit goes on where it ends, or it is hardly a road (0.6 × 0.4).
        let open = |widths: f64| Appearance { length_m: 10.0 * widths, ..open() }.verdict();
        assert!(best.replaces(&open(40.0), || true) && !best.replaces(&open(40.0), || false));
        assert!(best.replaces(&open(15.0), || false) && !best.replaces(&open(17.0), || false));
    }

    /// The road of `sections` sections of 4 m, one a metre, along x from `from_m` on.
    fn straight(from_m: f64, sections: usize) -> Track {
        let half = Vector::new(0.0, 2.0);
        let middle = |i: usize| Point::new(from_m + i as f64, 0.0);
        let section = |i: usize| CrossSection { right: middle(i) - half, left: middle(i) + half };
        Track::from_sections((0..sections).map(section).collect(), false, Direction::Clockwise, 1.0)
    }

    #[test]
    fn a_road_contains_another_if_nine_tenths_lie_on_it() {
        let whole = straight(0.0, 200);
        // Beyond the last section the road reaches half a width, 2 m, further.
        let (much, less) = (straight(109.0, 100), straight(114.0, 100));
        assert!(contains(&whole, &whole) && contains(&whole, &much) && !contains(&whole, &less));
    }

    #[test]
    fn a_dead_end_of_the_same_width_is_a_part_of_the_road() {
        let side = |length_m: f64, width_m: f64, is_dead_end: bool| {
            let road = SideRoad { at: Point::origin(), length_m, width_m, is_dead_end };
            covered_fraction(0.0, &[road], 1000.0, 10.0)
        };
        // As long as 3 % of the road and as wide as 60 %.
        assert!((side(250.0, 6.5, true) - 0.8).abs() < 1e-12);
        assert!((side(35.0, 6.5, true) - 1000.0 / 1035.0).abs() < 1e-12);
        for whole in [side(25.0, 6.5, true), side(250.0, 5.5, true), side(250.0, 6.5, false)] {
            assert!((whole - 1.0).abs() < 1e-12, "{whole}");
        }
        assert!((covered_fraction(250.0, &[], 1000.0, 10.0) - 0.8).abs() < 1e-12);
    }
}
