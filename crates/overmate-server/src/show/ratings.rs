//! Converts ratings, profiles and leaderboards to JSON types.

use crate::clock::rfc3339;
use crate::rating::glicko2::Rating;
use crate::rating::match_rating::{MatchScore, Pace, is_provisional};
use crate::store::{KnownRating, Leader, MatchInfo, Rated, RatedMatch, Results};
use crate::wire;

/// Rounds a Glicko-2 rating and its deviation, and converts both to their JSON type.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "ratings are small, and deviations lie between 45 and 350"
)]
pub(crate) fn rating(Rated { rating, deviation }: Rated) -> wire::RatingState {
    wire::RatingState {
        rating: rating.round() as i32,
        deviation: deviation.round() as u16,
        provisional: is_provisional(deviation),
    }
}

/// Converts a Glicko-2 rating, without its volatility, to the JSON type.
pub(crate) fn present(Rating { rating, deviation, .. }: Rating) -> wire::RatingState {
    self::rating(Rated { rating, deviation })
}

/// Converts a player's rating, as of a Unix time in seconds, to its JSON type.
pub(crate) fn player(known: &KnownRating, at: i64) -> wire::PlayerRating {
    wire::PlayerRating {
        rules: known.rules.clone(),
        rules_title: overmate_json::title(&known.rules),
        pace: pace(known.pace),
        rating: present(known.known.at(at)),
        results: results(known.results),
    }
}

/// Converts a rated match in a profile to its JSON type. The match id appears only in the viewer's own profile.
pub(crate) fn rated_match(rated: RatedMatch, is_own: bool) -> wire::RatedMatchState {
    wire::RatedMatchState {
        rules_title: overmate_json::title(&rated.rules),
        rules: rated.rules,
        pace: pace(rated.pace),
        opponent: rated.opponent,
        computer: rated.computer,
        result: score(rated.score),
        margin: rated.margin.try_into().unwrap_or(i32::MAX),
        before: rating(rated.change.before),
        after: rating(rated.change.after),
        ended_at: rfc3339(rated.at),
        match_id: (is_own && rated.is_kept).then_some(rated.id),
    }
}

/// Converts an unrated match to its JSON type, with the result and the margin (point difference) for one player. The opponent is a handle
/// or a computer opponent. The match id appears only in the viewer's own profile.
pub(crate) fn casual_match(
    info: &MatchInfo,
    (score, margin): (MatchScore, i32),
    (opponent, computer): (Option<String>, Option<String>),
    is_own: bool,
) -> wire::CasualMatchState {
    wire::CasualMatchState {
        rules: info.rules.clone(),
        rules_title: overmate_json::title(&info.rules),
        pace: info.clock.map(|clock| pace(Pace::of(clock))),
        opponent,
        computer,
        result: self::score(score),
        margin,
        began_at: rfc3339(info.began_at()),
        match_id: is_own.then(|| info.id.clone()),
    }
}

/// Converts a leaderboard entry, as of a Unix time in seconds, to its JSON type.
pub(crate) fn leader(leader: Leader, at: i64) -> wire::LeaderState {
    wire::LeaderState {
        handle: leader.handle,
        rating: present(leader.known.at(at)),
        results: results(leader.results),
    }
}

/// Converts the rule set and pace of a leaderboard to their JSON type.
pub(crate) fn board((rules, board_pace): (String, Pace)) -> wire::BoardName {
    wire::BoardName { rules_title: overmate_json::title(&rules), rules, pace: pace(board_pace) }
}

/// Converts a pace (live or correspondence) to its JSON type.
pub(crate) fn pace(pace: Pace) -> wire::PaceWire {
    match pace {
        Pace::Live => wire::PaceWire::Live,
        Pace::Correspondence => wire::PaceWire::Correspondence,
    }
}

/// Converts the pace (live or correspondence) in a request to the internal type.
pub(crate) fn wanted_pace(pace: wire::PaceWire) -> Pace {
    match pace {
        wire::PaceWire::Live => Pace::Live,
        wire::PaceWire::Correspondence => Pace::Correspondence,
    }
}

fn score(score: MatchScore) -> wire::MatchScoreWire {
    match score {
        MatchScore::Win => wire::MatchScoreWire::Win,
        MatchScore::Draw => wire::MatchScoreWire::Draw,
        MatchScore::Loss => wire::MatchScoreWire::Loss,
    }
}

pub(crate) fn results(Results { wins, draws, losses }: Results) -> wire::RatedResults {
    let number = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    wire::RatedResults { wins: number(wins), draws: number(draws), losses: number(losses) }
}

/// Converts a rating to its JSON type for the data export.
pub(crate) fn exported(known: KnownRating) -> wire::ExportedMatchRating {
    let Rating { rating, deviation, volatility } = known.known.rating;
    wire::ExportedMatchRating {
        rules: known.rules,
        pace: pace(known.pace),
        rating,
        deviation,
        volatility,
        results: results(known.results),
        at: rfc3339(known.known.at),
    }
}

/// Converts a rating change to its JSON type for the data export.
pub(crate) fn exported_change(rated: RatedMatch) -> wire::ExportedRatingChange {
    let both = |Rated { rating, deviation }: Rated| [rating, deviation];
    wire::ExportedRatingChange {
        match_id: rated.id,
        rules: rated.rules,
        pace: pace(rated.pace),
        result: score(rated.score),
        margin: rated.margin,
        before: both(rated.change.before),
        after: both(rated.change.after),
        at: rfc3339(rated.at),
    }
}
