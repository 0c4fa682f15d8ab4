//! Any bytes as a racing-line file. What the judge reads it must be able to judge: a report or a typed
//! error, in bounded work.

use raceline_verify::{Against, consistency, read, verify};

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(line) = read(bytes) else { return };
    let cheap = consistency(&line).expect("a line that was read keeps the rules of the file");
    let Ok(whole) = verify(&line, &Against::of(&line)) else { return };
    // The whole judgement contains the cheap one, but for rules that both judge.
    assert!(cheap.checks.len() <= whole.checks.len());
    assert!(cheap.is_sound() || !whole.is_sound());
}
