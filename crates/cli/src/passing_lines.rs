//! How obstacles are passed and which pick-ups are taken, below the table of `optimize`.

use raceline_solve::passing::{Decisions, PickedUp};

/// One line for each obstacle and pick-up, and one for a search that is not complete.
pub fn passing_lines(decisions: &Decisions) -> String {
    let mut text = String::new();
    for (index, side) in decisions.sides.iter().enumerate() {
        let how =
            side.map_or("is not on the line's path".to_owned(), |side| format!("is passed on its {}", side.name()));
        text.push_str(&format!("  obstacle {} {how}\n", index + 1));
    }
    for (index, side) in decisions.no_go_sides.iter().enumerate() {
        if let Some(side) = side {
            text.push_str(&format!("  no-go {} is passed on its {}\n", index + 1, side.name()));
        }
    }
    for (index, &PickedUp { is_taken, detour_s, worth_s }) in decisions.pick_ups.iter().enumerate() {
        let Some(detour_s) = detour_s else { continue };
        let what = match (is_taken, detour_s.is_finite()) {
            (true, _) => {
                format!("is taken: {detour_s:.3} s of lap for {worth_s:.3} s, gain {:.3} s", worth_s - detour_s)
            }
            (false, true) => format!("is left: it would take {detour_s:.3} s of lap for {worth_s:.3} s"),
            (false, false) => "is left: no line takes it on this road with the other pick-ups".to_owned(),
        };
        text.push_str(&format!("  pick-up {} {what}\n", index + 1));
    }
    if let Some(detour_s) = decisions.detour_of_all_s {
        text.push_str(&chosen_together(&decisions.pick_ups, detour_s));
    }
    let laps = decisions.laps;
    text.push_str(&match (decisions.is_proven, decisions.detour_of_all_s) {
        (true, _) => format!("  best combination, found by {laps} laps\n"),
        (false, None) => {
            format!("  good combination, found by {laps} laps; there are too many for the best to be proven\n")
        }
        (false, Some(_)) => format!(
            "  good combination, found by the search heavy-points and {laps} laps; --pick-up-search exact looks for the best\n"
        ),
    });
    text
}

/// Pick-ups that were chosen together by the search `heavy-points`.
fn chosen_together(pick_ups: &[PickedUp], detour_s: f64) -> String {
    let taken: Vec<String> =
        pick_ups.iter().enumerate().filter(|(_, one)| one.is_taken).map(|(i, _)| (i + 1).to_string()).collect();
    let worth_s: f64 = pick_ups.iter().filter(|one| one.is_taken).map(|one| one.worth_s).sum();
    let (count, all) = (taken.len(), pick_ups.len());
    let which = if taken.is_empty() { String::new() } else { format!(" (number {})", taken.join(", ")) };
    format!(
        "  {count} of {all} pick-ups are taken{which}: {detour_s:.3} s of lap for {worth_s:.3} s, gain {:.3} s\n",
        worth_s - detour_s
    )
}

#[cfg(test)]
mod tests {
    use raceline_solve::PassingSide;

    use super::{Decisions, PickedUp, passing_lines};

    #[test]
    fn each_decision_has_its_line() {
        let decisions = Decisions {
            sides: vec![Some(PassingSide::Left), None],
            no_go_sides: Vec::new(),
            pick_ups: vec![
                PickedUp { is_taken: true, detour_s: Some(0.125), worth_s: 0.5 },
                PickedUp { is_taken: false, detour_s: Some(0.75), worth_s: 0.5 },
                PickedUp { is_taken: false, detour_s: Some(f64::INFINITY), worth_s: 0.5 },
            ],
            detour_of_all_s: None,
            laps: 9,
            is_proven: true,
            is_simplified: false,
        };
        insta::assert_snapshot!(passing_lines(&decisions), @r"
          obstacle 1 is passed on its left
          obstacle 2 is not on the line's path
          pick-up 1 is taken: 0.125 s of lap for 0.500 s, gain 0.375 s
          pick-up 2 is left: it would take 0.750 s of lap for 0.500 s
          pick-up 3 is left: no line takes it on this road with the other pick-ups
          best combination, found by 9 laps
        ");
        let pick_up = |is_taken: bool| PickedUp { is_taken, detour_s: None, worth_s: 0.5 };
        let decisions = Decisions {
            sides: Vec::new(),
            no_go_sides: Vec::new(),
            pick_ups: [true, false, true].map(pick_up).to_vec(),
            detour_of_all_s: Some(0.25),
            laps: 5,
            is_proven: false,
            is_simplified: false,
        };
        insta::assert_snapshot!(passing_lines(&decisions), @r"
          2 of 3 pick-ups are taken (number 1, 3): 0.250 s of lap for 1.000 s, gain 0.750 s
          good combination, found by the search heavy-points and 5 laps; --pick-up-search exact looks for the best
        ");
    }
}
