//! Defines hints for the human: the values of all legal actions, and the assumptions behind the values.

use std::cmp::Reverse;

use overmate_bots::{Estimates, hidden};
use overmate_rules::{Action, RuleSet, Seat};
use overmate_solver::{Advice, AdvisedAction};

use crate::text::notation::Notation;
use crate::text::words;

/// Hint for the human's next action: values of the actions, or probabilities for a mixed strategy.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ShownHint {
    /// Values of all legal actions: exact values if no card is hidden, otherwise worst and best case over all possible hidden
    /// cards.
    Values(Advice),
    /// Proved bounds and estimates of the values of all legal actions, if the exact values cannot be computed within the time limit.
    Estimated { bounds: Advice, estimates: Estimates },
    /// Recommended probabilities and expected points of all legal actions, from the solver for positions with hidden cards.
    Hidden(hidden::MixedAdvice),
}

/// Legal action in a hint, with its value and other figures as text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct HintRow {
    pub(crate) action: Action,
    /// Value of the action in points for the human, such as `+32`, or an estimate such as `~+12`;
    /// empty without a known value.
    pub(crate) worth: String,
    /// Text in the second column of numbers in a hint: the action's best case, proved bounds, or recommended probability. The text may be
    /// empty.
    pub(crate) more: String,
    /// Whether the hint recommends this action, alone or as one action of a mixed strategy.
    pub(crate) is_choice: bool,
}

impl ShownHint {
    /// Returns whether the hint shows a worst and a best case of each action, because a card lies face down.
    pub(crate) fn has_possible_worlds(&self) -> bool {
        match self {
            Self::Values(advice) => advice.actions.iter().any(|action| action.worst != action.best),
            Self::Estimated { .. } | Self::Hidden(_) => false,
        }
    }

    /// Returns the titles of the two number columns in the hint's table of actions.
    pub(crate) fn titles(&self) -> [&'static str; 2] {
        match self {
            Self::Values(_) if self.has_possible_worlds() => ["at worst", "at best"],
            Self::Values(_) => ["for you", ""],
            Self::Estimated { .. } => ["estimate", "proved"],
            Self::Hidden(advice) if is_mixed(advice) => ["expected", "how often"],
            Self::Hidden(_) => ["expected", ""],
        }
    }

    /// Returns the hint as table rows, one for each legal action, the best or most recommended first.
    pub(crate) fn rows(&self, own: Seat) -> Vec<HintRow> {
        match self {
            Self::Values(advice) => {
                let of_cases = self.has_possible_worlds();
                let mut actions: Vec<&AdvisedAction> = advice.actions.iter().collect();
                actions.sort_by_key(|action| {
                    Reverse((action.worst.lower_bound_for(own), action.best.upper_bound_for(own)))
                });
                let row = |action: &AdvisedAction| HintRow {
                    action: action.action,
                    worth: words::signed(&action.worst, own),
                    more: if of_cases { words::signed(&action.best, own) } else { String::new() },
                    is_choice: action.action == advice.choice,
                };
                actions.into_iter().map(row).collect()
            }
            Self::Estimated { bounds, estimates } => {
                let mut judged = judged(bounds, estimates, own);
                judged.sort_by(|a, b| b.points.total_cmp(&a.points));
                let row = |(index, judged): (usize, Judged)| HintRow {
                    action: judged.action,
                    worth: judged.worth(),
                    more: judged.bounds(),
                    is_choice: index == 0,
                };
                judged.into_iter().enumerate().map(row).collect()
            }
            Self::Hidden(advice) => {
                let row = |action: &hidden::WeightedAction| HintRow {
                    action: action.action,
                    worth: match action.expected {
                        Some(points) => words::signed_expectation(points),
                        None if advice.is_proved && action.chance > 0.0 => "best".to_owned(),
                        None => String::new(),
                    },
                    more: if is_mixed(advice) { share(action.chance) } else { String::new() },
                    is_choice: action.chance > 0.0,
                };
                by_frequency(advice).into_iter().map(row).collect()
            }
        }
    }

    /// Returns a sentence for the human that names the recommended actions.
    pub(crate) fn choice(&self, rules: &RuleSet, own: Seat, notation: Notation) -> String {
        match self {
            Self::Values(advice) => {
                let proved = advice.actions.iter().all(|action| action.worst.exact().is_some());
                let doubt = if proved { "" } else { ", but this is not proved" };
                format!("Overmate would play {}{doubt}.", notation.action(rules, advice.choice))
            }
            Self::Estimated { bounds, estimates } => {
                let judged = judged(bounds, estimates, own);
                // The actions are compared in reverse order, because `max_by` returns the last of several equal maxima. The hint
                // recommends the first of these actions.
                let best = judged.into_iter().rev().max_by(|a, b| a.points.total_cmp(&b.points));
                let Some(best) = best else { return String::new() };
                let action = notation.action(rules, best.action);
                if best.is_exact() {
                    return format!("Overmate would play {action}: {} points.", best.worth());
                }
                format!(
                    "Overmate would play {action}: about {} points by a search of {}; {} is proved.",
                    whole(best.points),
                    words::counted(estimates.horizon.into(), "move"),
                    best.bounds()
                )
            }
            Self::Hidden(advice) => {
                let mut meant = by_frequency(advice);
                meant.retain(|action| action.chance > 0.0);
                let text = |action: &hidden::WeightedAction| notation.action(rules, action.action);
                match meant.as_slice() {
                    [action] => format!("Overmate would play {}.", text(action)),
                    _ if advice.is_proved => {
                        let texts: Vec<String> = meant.into_iter().map(text).collect();
                        format!("Overmate would play any of these: {}.", texts.join(" "))
                    }
                    _ => {
                        let often = |action: &hidden::WeightedAction| {
                            format!("{} {}", text(action), share(action.chance))
                        };
                        let texts: Vec<String> = meant.into_iter().map(often).collect();
                        format!(
                            "Overmate would choose at random: {}. A predictable choice would give a secret away.",
                            texts.join(", ")
                        )
                    }
                }
            }
        }
    }

    /// Returns a note on the hint: the assumption about face-down cards, or the reason for the recommendation. Returns
    /// `None` if the hint needs no note.
    pub(crate) fn caveat(&self) -> Option<String> {
        match self {
            Self::Values(_) if self.has_possible_worlds() => Some(
                "Each card that may lie face down was tried as if it were open: the cost of not knowing it is not part of \
                 these values."
                    .to_owned(),
            ),
            Self::Values(_) | Self::Estimated { .. } => None,
            Self::Hidden(advice) => {
                let doubt =
                    if advice.is_proved { "" } else { " The expected points are not proved." };
                Some(format!("Overmate's reason: {}.{doubt}", advice.reason))
            }
        }
    }
}

/// Estimated final points for the human after one action, clamped to the proved bounds of these points.
struct Judged {
    action: Action,
    /// Estimated final points for the human after the action.
    points: f64,
    /// Proved lower and upper bounds of the human's final points after the action.
    proved: (i32, i32),
}

impl Judged {
    fn is_exact(&self) -> bool {
        self.proved.0 == self.proved.1
    }

    /// Formats the points after the action: exact points such as `+32`, or estimated points such as `~+12`.
    fn worth(&self) -> String {
        if self.is_exact() {
            return words::signed_points(self.proved.0);
        }
        format!("~{}", whole(self.points))
    }

    fn bounds(&self) -> String {
        let (least, most) = self.proved;
        if self.is_exact() {
            return words::signed_points(least);
        }
        format!("{} to {}", words::signed_points(least), words::signed_points(most))
    }
}

/// Formats estimated points as a whole number with its sign, such as `+12`.
fn whole(points: f64) -> String {
    words::signed_expectation(points.round()).trim_end_matches(".0").to_owned()
}

/// Returns the estimated points after each legal action, for the human in the seat `own`. The results are in the order of the
/// actions.
fn judged(bounds: &Advice, estimates: &Estimates, own: Seat) -> Vec<Judged> {
    let judge = |advised: &AdvisedAction| {
        let (_, estimate) =
            estimates.actions.iter().find(|(action, _)| *action == advised.action)?;
        let proved = (advised.worst.lower_bound_for(own), advised.best.upper_bound_for(own));
        let points = estimate.clamp(proved.0.into(), proved.1.into());
        Some(Judged { action: advised.action, points, proved })
    };
    bounds.actions.iter().filter_map(judge).collect()
}

/// Returns whether the advice is a mixed strategy, and not a choice among equally good actions.
fn is_mixed(advice: &hidden::MixedAdvice) -> bool {
    !advice.is_proved && advice.actions.iter().filter(|action| action.chance > 0.0).count() > 1
}

/// Returns the actions in the order of their recommended probabilities, and equally probable actions in the order of their expected points.
fn by_frequency(advice: &hidden::MixedAdvice) -> Vec<&hidden::WeightedAction> {
    let mut actions: Vec<_> = advice.actions.iter().collect();
    let worth = |action: &hidden::WeightedAction| action.expected.unwrap_or(f64::NEG_INFINITY);
    actions.sort_by(|a, b| b.chance.total_cmp(&a.chance).then(worth(b).total_cmp(&worth(a))));
    actions
}

/// Formats the recommended probability of an action as a percentage, such as `60 %`. The percentage is 1 to 99, because the
/// action is neither excluded nor certain.
fn share(chance: f64) -> String {
    if chance <= 0.0 {
        return String::new();
    }
    format!("{:.0} %", (100.0 * chance).clamp(1.0, 99.0))
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Card, Rank, Suit};

    use super::*;

    fn advised(rank: u8, chance: f64, expected: Option<f64>) -> hidden::WeightedAction {
        let action = Action::Play(Card { suit: Suit(0), rank: Rank(rank) });
        hidden::WeightedAction { action, chance, expected }
    }

    #[test]
    fn mixed_and_proved_advice_have_different_texts() {
        let rules = RuleSet::named("denexa").unwrap();
        let actions = vec![
            advised(0, 0.004, Some(1.0)),
            advised(1, 0.0, Some(-4.04)),
            advised(2, 0.996, Some(0.04)),
        ];
        let advice = |is_proved| hidden::MixedAdvice {
            actions: actions.clone(),
            horizon: None,
            is_proved,
            sure: None,
            reason: "it is".to_owned(),
        };
        let mixed = ShownHint::Hidden(advice(false));
        let rows = mixed.rows(Seat::First);
        let told: Vec<_> = rows.iter().map(|row| (row.worth.as_str(), row.more.as_str())).collect();
        assert_eq!(told, [("0", "99 %"), ("+1.0", "1 %"), ("-4.0", "")]);
        assert_eq!(
            mixed.choice(&rules, Seat::First, Notation::Letters),
            "Overmate would choose at random: Kc 99 %, Ac 1 %. A predictable choice would give a secret away."
        );
        assert!(mixed.caveat().unwrap().ends_with("it is. The expected points are not proved."));
        let proved = ShownHint::Hidden(advice(true));
        assert!(proved.rows(Seat::First).iter().all(|row| row.more.is_empty()));
        assert!(
            proved.choice(&rules, Seat::First, Notation::Letters).contains("any of these"),
            "{}",
            proved.choice(&rules, Seat::First, Notation::Letters)
        );
        assert!(proved.caveat().unwrap().ends_with("it is."));
    }
}
