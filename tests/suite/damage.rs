//! Files that were damaged at random.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// `bytes` with a few random bytes, tokens and pieces of it changed.
pub fn damaged(bytes: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    const TOKENS: [&[u8]; 16] = [
        b",", b";", b"\"", b"\n", b"#", b"-", b"1e9", b"1e-300", b"NaN", b"[", b"]", b"}", b"0", b"999", b"null", b" ",
    ];
    let mut changed = bytes.to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..changed.len().max(1)).min(changed.len());
        let until = (at + random.random_range(0..40)).min(changed.len());
        match random.random_range(0..5) {
            0 if at < changed.len() => changed[at] = random.random(),
            1 => {
                changed.drain(at..until);
            }
            2 => {
                let piece = changed[at..until].to_vec();
                let to = random.random_range(0..=changed.len());
                changed.splice(to..to, piece);
            }
            3 => changed.truncate(until),
            _ => {
                changed.splice(at..(at + 3).min(until), TOKENS[random.random_range(0..TOKENS.len())].iter().copied());
            }
        }
    }
    changed
}
