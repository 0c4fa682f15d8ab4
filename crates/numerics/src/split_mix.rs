//! Random numbers without a table.

use crate::normal_variate;

/// The generator SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number
/// generators*, OOPSLA 2014): one number of state, and a seed means the same numbers everywhere.
///
/// ```
/// use raceline_numerics::SplitMix64;
///
/// let (mut one, mut other) = (SplitMix64::new(7), SplitMix64::new(7));
/// assert_eq!(one.uniform(), other.uniform());
/// assert_ne!(one.uniform(), SplitMix64::new(8).uniform());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The generator of the stream `number` of a seed, which differs from those of the other
    /// numbers.
    #[must_use]
    pub fn stream(seed: u64, number: u64) -> Self {
        let of_seed = Self::new(seed).bits();
        Self::new(Self::new(of_seed ^ number).bits())
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number that is uniform from 0 to below 1.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A standard normal variate.
    pub fn normal(&mut self) -> f64 {
        normal_variate([self.uniform(), self.uniform()])
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    /// The first numbers of the seed 1234567 in the reference implementation of Vigna.
    #[test]
    fn the_bits_are_those_of_the_reference() {
        let mut random = SplitMix64::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| random.bits()), expected);
    }

    #[test]
    fn streams_are_not_correlated() {
        let n = 20_000;
        let pairs = (0..n).map(|i| (SplitMix64::stream(3, i).normal(), SplitMix64::stream(3, i + 1).normal()));
        let mean: f64 = pairs.map(|(one, other)| one * other).sum::<f64>() / n as f64;
        assert!(mean.abs() < 0.03, "{mean}");
    }
}
