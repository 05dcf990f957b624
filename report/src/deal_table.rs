//! Defines a table of all deals of a deck, with one column of values for each rule set.

use std::sync::Arc;

use anyhow::Result;
use overmate_rules::{Deal, Dealt, RuleSet};

use crate::survey::start;

/// Deal values by rule set, for all deals of a deck.
pub(crate) type Columns = Vec<(String, Vec<i32>)>;

/// Table of all deals of a deck, with one row for each deal.
pub(crate) struct DealValues {
    /// Deal number of each row.
    pub(crate) deal: Vec<i32>,
    /// Smallest number of a deal with the same hands, for each row.
    pub(crate) same_as: Vec<i32>,
    /// Hand of seat *first* in each row, as text.
    pub(crate) first: Vec<String>,
    /// Hand of seat *second* in each row, as text.
    pub(crate) second: Vec<String>,
    /// Deal values for seat *first* under best play, in points, for each rule set.
    pub(crate) values: Columns,
}

impl DealValues {
    /// Returns the table of all deals of a rule set's deck with the given columns of values.
    pub(crate) fn of(rules: &Arc<RuleSet>, values: Columns) -> Result<Self> {
        let deals = 0..Dealt::count(rules);
        let (mut deal, mut same_as) = (Vec::new(), Vec::new());
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for number in deals {
            let hands = start(rules, number)?.hands();
            deal.push(i32::try_from(number)?);
            same_as.push(i32::try_from(Deal::numbered(rules, number)?.number())?);
            first.push(rules.deck().cards_text(hands.first, " "));
            second.push(rules.deck().cards_text(hands.second, " "));
        }
        Ok(Self { deal, same_as, first, second, values })
    }
}
