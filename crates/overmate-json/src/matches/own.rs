//! Defines the JSON form of an offline match, which a web page plays against a computer opponent without a server.

use serde::{Deserialize, Serialize};

use crate::PlayerWire;

/// Maximum number of log entries of an offline match, which a web page plays without a server. The limit bounds the size of the match.
pub const OWN_ENTRIES: usize = 2_500;

/// Number of log entries from which on a match takes no more undos and hints, on a server and in a web page. The entries of an offline
/// match that remain up to [`OWN_ENTRIES`] suffice for the rest of the match.
pub const ENTRIES_WITH_UNDOS: usize = 2_000;

/// Maximum number of undos in each game of a match, on a server and in a web page.
pub const UNDOS_PER_GAME: usize = 100;

/// Offline match against a computer opponent, as stored by the web page and sent to a server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OfflineMatch))]
#[serde(deny_unknown_fields)]
pub struct OwnMatch {
    /// Id of the match, chosen by the web page, such as `here-` followed by a UUID. The id makes handing in the match idempotent.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")
    )]
    pub id: String,
    /// Time when the match was created, in RFC 3339.
    #[cfg_attr(feature = "openapi", schema(max_length = 40))]
    pub created_at: String,
    /// Name of the match's rule set.
    #[cfg_attr(feature = "openapi", schema(max_length = 200, example = "bga"))]
    pub rules: String,
    /// Deal numbers of the match, one for each round.
    #[cfg_attr(feature = "openapi", schema(max_items = 100))]
    pub deals: Vec<String>,
    /// Whether the human player chose the first deal of the match.
    pub deal_chosen: bool,
    /// Name of the computer opponent, such as `level:3` or `perfect`.
    #[cfg_attr(feature = "openapi", schema(max_length = 20, example = "level:3"))]
    pub opponent: String,
    /// Random seed of the computer opponent, as a decimal number.
    #[cfg_attr(feature = "openapi", schema(max_length = 20))]
    pub seed: String,
    /// Role of the human player in the match: player A or player B.
    pub you: PlayerWire,
    /// Display name of the human player; null without a name.
    #[cfg_attr(feature = "openapi", schema(required, max_length = 400))]
    pub name: Option<String>,
    /// Log entries of the match (actions, undos, hints and resignation), in order.
    #[cfg_attr(feature = "openapi", schema(max_items = 2_500))]
    pub entries: Vec<OwnEntry>,
}

/// Log entry of an offline match: an action, an undo, a hint or a resignation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OfflineEntry))]
#[serde(rename_all = "snake_case")]
pub enum OwnEntry {
    /// Action, in notation, of the player whose turn it is in the match.
    Act(String),
    /// Undo of an action by the human player.
    Undo,
    /// Hint for the human player.
    Hint,
    /// Resignation of the human player.
    Resign,
}

#[cfg(test)]
mod tests {
    use overmate_rules::RuleSet;

    use super::*;

    #[test]
    fn the_longest_match_fits_after_the_last_undo() {
        let mut longest = 0;
        for rules in RuleSet::catalogue() {
            for name in [rules.name().to_owned(), format!("{}+pinochle", rules.name())] {
                let Ok(rules) = RuleSet::named(&name) else { continue };
                // In each game a player plays each card once, or foreplaces it, or declines to foreplace.
                let actions =
                    2 * usize::from(rules.rounds()) * (2 * usize::from(rules.hand_size()) + 2);
                longest = longest.max(actions);
            }
        }
        assert_eq!(longest, 300);
        assert!(ENTRIES_WITH_UNDOS + longest < OWN_ENTRIES);
    }
}
