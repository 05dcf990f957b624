//! Converts matches to their JSON types, with only the facts that one viewer may see.

use overmate_rules::{ByPlayer, Match, MatchResult, Player, Seat, Viewer};

use super::clocks::Clocks;
use super::forms::{
    Mark, MarkKind, MatchResultWire, MatchSummary, MatchView, Players, Points, Rematch, You,
};
use super::log::{LoggedMark, MatchLog};
use crate::{ClockWire, GameState, Perspective, PlayerWire};

/// Maximum number of undos and hints, counted together, in the JSON form of a match. The limit bounds the size of the JSON.
const MARKS: usize = 100;

/// Facts about a match that its games do not determine, such as names, times, links and the viewer's permissions.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the fields are facts of their own")]
pub struct MatchFacts {
    /// Id of the match.
    pub id: String,
    /// Sequence number of the match: the number of entries in its log.
    pub sequence: u64,
    /// Role of the viewer in the match, or `None` for a spectator.
    pub you: Option<You>,
    /// Players A and B of the match.
    pub players: Players,
    /// Result of the match; `None` until the match has ended.
    pub result: Option<MatchResultWire>,
    /// URL path of the invitation to the open seat of the match; `None` for a spectator, or without an unused invitation.
    pub invitation: Option<String>,
    /// URL path of the page for spectators of the match; empty for a match without such a page.
    pub watch: String,
    /// Spectator delay of a running public match: the number of latest actions that the viewer cannot see yet. The field is `None` for
    /// players and for viewers with the spectators' link.
    pub public_delay: Option<u8>,
    /// State of a rematch, or `None` while no player has offered a rematch.
    pub rematch: Option<Rematch>,
    /// Whether the viewer may undo an action now.
    pub undo: bool,
    /// Whether the viewer may request a hint now.
    pub hint: bool,
    /// Name of the deal that the match shares with other matches, or `None` without a shared deal.
    pub shared_deal: Option<String>,
    /// Whether the creator of the match chose the first deal by its deal number.
    pub deal_chosen: bool,
    /// Clocks of the players, or `None` for a match without clocks.
    pub clocks: Option<Clocks>,
    /// Whether the match changes the ratings of its players.
    pub rated: bool,
    /// Whether the match was played offline, without the server.
    pub offline: bool,
    /// Time when the match was created, in RFC 3339.
    pub created_at: String,
}

impl MatchView {
    /// Converts a match to its JSON form. `viewer` returns the viewer of the game with a given index, and `reviewable`
    /// returns whether the review of that game is available. The finished games before the index `finished_from` are left out.
    #[must_use]
    pub fn new(
        log: &MatchLog,
        viewer: impl Fn(usize) -> Viewer,
        reviewable: impl Fn(usize) -> bool,
        finished_from: usize,
        facts: MatchFacts,
    ) -> Self {
        let play = log.play();
        let current = play.current_index();
        let finished_from = finished_from.min(current);
        let game = |index: usize| {
            let first = PlayerWire::from(Match::player(index, Seat::First));
            let eyes = Perspective::Of(viewer(index));
            GameState::of_game(&play.games()[index], index, first, eyes)
        };
        let rules = play.rules().name();
        let length = usize::from(play.length());
        let marks = log.marks();
        Self {
            id: facts.id,
            sequence: facts.sequence,
            rules: rules.to_owned(),
            rules_title: crate::title(rules),
            you: facts.you,
            players: facts.players,
            games: play.length(),
            game: current,
            totals: play.totals().into(),
            scores: (0..length).map(|index| play.game_points(index).map(Points::from)).collect(),
            reviewable: (0..length).map(reviewable).collect(),
            current: game(current),
            finished: (finished_from..current).map(game).collect(),
            finished_from,
            result: facts.result,
            invitation: facts.invitation,
            watch: facts.watch,
            public_delay: facts.public_delay,
            rematch: facts.rematch,
            undo: facts.undo,
            hint: facts.hint,
            marks: marks[marks.len().saturating_sub(MARKS)..].iter().map(Mark::from).collect(),
            shared_deal: facts.shared_deal,
            deal_chosen: facts.deal_chosen,
            clocks: facts.clocks,
            rated: facts.rated,
            offline: facts.offline,
            created_at: facts.created_at,
        }
    }
}

impl MatchSummary {
    /// Converts a match to its summary in a player's list of matches. The time control and the deadline of the summary
    /// are `None`. Returns `None` for a spectator.
    #[must_use]
    pub fn new(play: &Match, begun: bool, facts: MatchFacts) -> Option<Self> {
        let rules = play.rules().name();
        let you = facts.you?;
        Some(Self {
            id: facts.id,
            rules: rules.to_owned(),
            rules_title: crate::title(rules),
            you,
            players: facts.players,
            sequence: facts.sequence,
            games: play.length(),
            game: play.current_index(),
            totals: play.totals().into(),
            begun,
            your_turn: play.to_act().is_some_and(|player| you.plays(player)),
            clock: None::<ClockWire>,
            rated: facts.rated,
            deadline: None,
            result: facts.result,
            shared_deal: facts.shared_deal,
            offline: facts.offline,
            created_at: facts.created_at,
        })
    }
}

impl You {
    /// Returns whether a user with the role `self` plays as a given player (A or B) of the match.
    #[must_use]
    pub fn plays(self, player: Player) -> bool {
        match self {
            Self::A => player == Player::A,
            Self::B => player == Player::B,
            Self::Both => true,
        }
    }
}

impl MatchResultWire {
    /// Converts the result of a match to its JSON form. The match must be neither lost on time nor abandoned.
    #[must_use]
    pub fn new(result: MatchResult) -> Self {
        Self {
            winner: result.winner.map(PlayerWire::from),
            margin: result.margin,
            resigned: result.resigned.map(PlayerWire::from),
            out_of_time: None,
            abandoned: false,
        }
    }
}

impl From<ByPlayer<i32>> for Points {
    fn from(points: ByPlayer<i32>) -> Self {
        Self { a: points.a, b: points.b }
    }
}

impl From<&LoggedMark> for Mark {
    fn from(mark: &LoggedMark) -> Self {
        Self {
            sequence: mark.sequence,
            kind: if mark.is_undo { MarkKind::Undo } else { MarkKind::Hint },
            player: PlayerWire::from(mark.player),
            game: mark.game,
            after: mark.after,
        }
    }
}
