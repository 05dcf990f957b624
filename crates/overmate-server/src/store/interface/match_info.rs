//! Defines the types for the rules, deals and seats of a stored match.

use overmate_rules::{ByPlayer, Player};

use super::holder::Holder;
use crate::clocks::clock_setting::ClockSetting;
use crate::computer::Computer;

/// Text in the database column `shared_deal` for a match of one round without a shared deal. Servers of earlier versions play one round in
/// every match with a text in this column.
const ONE_ROUND: &str = "one-round";

/// Beginning of the text in the database column `shared_deal` for a match of a tournament event. The id of the event follows.
const EVENT_DEAL: &str = "event-";

/// Rules, deals and seats of a match, without its log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchInfo {
    pub(crate) id: String,
    pub(crate) rules: String,
    /// Deal numbers of the match's rounds, in order. A match with one deal has one round, regardless of the rule set.
    pub(crate) deals: Vec<u64>,
    /// Token in the link by which spectators watch the match.
    pub(crate) watch: String,
    pub(crate) invitation: Option<String>,
    /// Unix time of the match's creation, in seconds.
    pub(crate) created_at: i64,
    /// Name of the shared deal that the match plays, such as `2026-11-21`. `None` for all other matches.
    pub(crate) shared_deal: Option<String>,
    /// Whether the creator of the match chose the deal number of the first round.
    pub(crate) deal_chosen: bool,
    /// 16-bit hash of the IP network from which the match was created, for the fair scheduling of computer opponents. `None` in
    /// matches without a computer opponent, and in matches of earlier versions.
    pub(crate) network: Option<u16>,
    /// Time control of the match, or `None` for a match without clocks.
    pub(crate) clock: Option<ClockSetting>,
    /// Whether the match changes the ratings of its players.
    pub(crate) rated: bool,
    /// Whether the match is public: the match began with a match offer, or is a rematch of such a match. Everybody may watch a
    /// public match unless a player hides it.
    pub(crate) public: bool,
    /// Unix time, in seconds, at which an offline match began, as reported by the web page that played the match. `None` for all
    /// other matches, which are created when they begin.
    pub(crate) played_at: Option<i64>,
    pub(crate) seats: ByPlayer<SeatInfo>,
}

impl MatchInfo {
    /// Returns the Unix time at which the match began, in seconds. For an offline match, this is the time that the web page
    /// reported.
    pub(crate) fn began_at(&self) -> i64 {
        self.played_at.unwrap_or(self.created_at)
    }

    /// Returns whether the match was played offline and sent to the server after its end.
    pub(crate) fn is_offline(&self) -> bool {
        self.played_at.is_some()
    }

    /// Returns the text that the database column `shared_deal` holds for the match.
    pub(crate) fn shared_deal_column(&self) -> Option<&str> {
        let one_round = (self.deals.len() == 1).then_some(ONE_ROUND);
        self.shared_deal.as_deref().or(one_round)
    }

    /// Converts the text in the database column `shared_deal` to the name of the shared deal. Returns `None` if the
    /// match plays no shared deal.
    pub(crate) fn shared_deal_of_column(text: Option<String>) -> Option<String> {
        text.filter(|text| text != ONE_ROUND)
    }

    /// Returns the text in the database column `shared_deal` for the matches of a given tournament event.
    pub(crate) fn event_deal(id: &str) -> String {
        format!("{EVENT_DEAL}{id}")
    }

    /// Returns whether the match belongs to a tournament event.
    pub(crate) fn is_of_event(&self) -> bool {
        self.shared_deal.as_ref().is_some_and(|name| name.starts_with(EVENT_DEAL))
    }

    /// Returns whether a computer opponent has a seat in the match.
    pub(crate) fn has_bot(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.is_bot(player))
    }

    /// Returns whether a computer opponent has the seat of a given player in the match.
    pub(crate) fn is_bot(&self, player: Player) -> bool {
        matches!(self.seats[player].occupant, Occupant::Bot(..))
    }
}

/// Seat in a match: the display name of a player, and the occupant of the seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatInfo {
    pub(crate) name: Option<String>,
    pub(crate) occupant: Occupant,
    /// Whether the player has a bot account, for which a program plays.
    pub(crate) is_program: bool,
}

impl SeatInfo {
    /// Returns a seat with a display name and an occupant. The player has no bot account.
    pub(crate) fn new(name: Option<String>, occupant: Occupant) -> Self {
        Self { name, occupant, is_program: false }
    }

    /// Returns the display name of the player, with the mark `BOT` before the name of a bot.
    pub(crate) fn marked_name(&self) -> Option<String> {
        match &self.name {
            Some(name) if self.is_program => Some(marked(name)),
            name => name.clone(),
        }
    }
}

/// Returns the name of a bot with the mark `BOT`.
pub(crate) fn marked(name: &str) -> String {
    format!("BOT {name}")
}

/// Occupant of a seat: nobody, a person or a computer opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occupant {
    /// The seat is open for an invited friend.
    Open,
    /// The seat is vacant, because its player has erased their data.
    Deleted,
    /// A person has the seat. The browser identifies the person.
    Holder(Holder),
    /// A computer opponent has the seat. The number is the random seed of the computer opponent.
    Bot(Computer, u64),
}
