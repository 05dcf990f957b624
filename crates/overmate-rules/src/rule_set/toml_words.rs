//! Defines the TOML words for the values of rules, such as `up` and `down` for a foreplaced card.

use crate::rule_set::draft::{Face, OvermateFor, SoleReward};

pub(crate) const FACES: &[(&str, Face)] = &[("up", Face::Up), ("down", Face::Down)];
pub(crate) const SOLE_REWARDS: &[(&str, SoleReward)] =
    &[("one-move-more", SoleReward::OneMoveMore), ("doubled", SoleReward::Doubled)];
pub(crate) const OVERMATES: &[(&str, OvermateFor)] = &[
    ("either", OvermateFor::Either),
    ("foreplacer", OvermateFor::Foreplacer),
    ("nobody", OvermateFor::Nobody),
];
