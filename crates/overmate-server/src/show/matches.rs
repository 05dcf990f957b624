//! A match as one viewer may see it.

use overmate_rules::{ByPlayer, Match, Player, Seat};

use super::game::{self, Eyes};
use crate::contest::{Contest, Role};
use crate::store::{SeatHead, Sitter};
use crate::wire;

/// A match in the wire's types, with the finished games from an index on.
pub(crate) fn state(contest: &Contest, role: Role, finished_from: usize) -> wire::MatchState {
    let play = contest.play();
    let current = play.current_index();
    let finished_from = finished_from.min(current);
    let game = |index: usize| {
        let first = super::player(Match::player(index, Seat::First));
        let eyes = Eyes::Of(contest.viewer(index, role));
        game::state(&play.games()[index], index, first, eyes)
    };
    let head = contest.head();
    let is_player = role != Role::Spectator;
    let is_open = Player::BOTH.iter().any(|p| head.seats[*p].sitter == Sitter::Open);
    let invitation = head.invitation.as_ref().filter(|_| is_player && is_open);
    wire::MatchState {
        id: head.id.clone(),
        sequence: contest.sequence(),
        rules: head.rules.clone(),
        rules_title: overmate_json::title(&head.rules),
        you: you(role),
        players: players(contest, role),
        games: play.length(),
        game: current,
        totals: points(play.totals()),
        scores: (0..usize::from(play.length()))
            .map(|index| play.game_points(index).map(points))
            .collect(),
        reviewable: (0..usize::from(play.length())).map(|i| contest.may_review(i)).collect(),
        current: game(current),
        finished: (finished_from..current).map(game).collect(),
        finished_from,
        result: result(contest),
        invitation: invitation.map(|token| format!("/join/{token}")),
        watch: format!("/watch/{}/{}", head.id, head.watch),
        rematch: contest.offered_by().map(|player| wire::Rematch {
            offered_by: super::player(player),
            match_id: contest.rematch().filter(|_| is_player).map(str::to_owned),
        }),
        undo: contest.undone_by(role).is_some(),
        hint: contest.may_hint(role),
        marks: contest
            .marks()
            .iter()
            .map(|mark| wire::Mark {
                sequence: mark.sequence,
                kind: if mark.is_undo { wire::MarkKind::Undo } else { wire::MarkKind::Hint },
                player: super::player(mark.player),
                game: mark.game,
                after: mark.after,
            })
            .collect(),
        created_at: time_text(head.created_at),
    }
}

/// A line in the list of somebody's matches.
pub(crate) fn summary(contest: &Contest, role: Role) -> Option<wire::MatchSummary> {
    let play = contest.play();
    let head = contest.head();
    Some(wire::MatchSummary {
        id: head.id.clone(),
        rules: head.rules.clone(),
        rules_title: overmate_json::title(&head.rules),
        you: you(role)?,
        players: players(contest, role),
        sequence: contest.sequence(),
        games: play.length(),
        game: play.current_index(),
        totals: points(play.totals()),
        your_turn: match role {
            Role::Player(player) => contest.to_act() == Some(player),
            Role::Both => contest.to_act().is_some(),
            Role::Spectator => false,
        },
        result: result(contest),
        created_at: time_text(head.created_at),
    })
}

fn you(role: Role) -> Option<wire::You> {
    match role {
        Role::Player(Player::A) => Some(wire::You::A),
        Role::Player(Player::B) => Some(wire::You::B),
        Role::Both => Some(wire::You::Both),
        Role::Spectator => None,
    }
}

fn players(contest: &Contest, role: Role) -> wire::Players {
    let player = |player: Player| {
        let SeatHead { name, sitter } = &contest.seats()[player];
        let is_you = role == Role::Both || role == Role::Player(player);
        let (kind, level) = match sitter {
            Sitter::Open => (wire::PlayerKind::Open, None),
            Sitter::Holder(_) if is_you => (wire::PlayerKind::You, None),
            Sitter::Holder(_) => (wire::PlayerKind::Friend, None),
            Sitter::Bot(overmate_bots::BuiltIn::Level(level), _) => {
                (wire::PlayerKind::Level, Some(level.get()))
            }
            Sitter::Bot(overmate_bots::BuiltIn::Perfect, _) => (wire::PlayerKind::Perfect, None),
        };
        wire::PlayerState { name: name.clone(), kind, level }
    };
    wire::Players { a: player(Player::A), b: player(Player::B) }
}

fn points(points: ByPlayer<i32>) -> wire::Points {
    wire::Points { a: points.a, b: points.b }
}

fn result(contest: &Contest) -> Option<wire::MatchResult> {
    contest.result().map(|result| wire::MatchResult {
        winner: result.winner.map(super::player),
        margin: result.margin,
        resigned: result.resigned.map(super::player),
    })
}

/// A time in seconds since 1970 as RFC 3339 writes it.
pub(crate) fn time_text(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).unwrap_or_default().to_string()
}
