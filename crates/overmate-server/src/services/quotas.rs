//! Defines the errors for clients whose database writes would exceed a quota (maximum number of stored items).

use crate::error::ApiError;
use crate::settings::Limits;
use crate::store::{MOST_OF_HOST, MOST_PLAYERS, MOST_RELATIONS, Quota, TALK_PERIOD};

/// Returns the error for a client whose database write would exceed a quota (maximum number of stored items).
pub(super) fn refusal(quota: Quota, limits: &Limits) -> ApiError {
    match quota {
        Quota::Unfinished => {
            ApiError::TooManyUnfinished { most: limits.unfinished_matches.unwrap_or_default() }
        }
        Quota::Kept => ApiError::TooManyKept { most: limits.kept_matches.unwrap_or_default() },
        Quota::Offers => ApiError::TooManyOffers { most: limits.open_offers.unwrap_or_default() },
        Quota::OffersOfNetwork => ApiError::TooMany { what: "open offers", seconds: 60 },
        Quota::Reports { seconds } => ApiError::TooMany { what: "reports", seconds },
        Quota::Challenges => ApiError::TooManyChallenges,
        Quota::RatedPair => {
            ApiError::TooManyRated { most: limits.rated_matches_of_pair.unwrap_or_default() }
        }
        Quota::Lobby => ApiError::Full { what: "open offers" },
        Quota::Talk => ApiError::MatchFull(
            "the players have sent too many texts: send no more texts in this match",
        ),
        Quota::TalkInPeriod => {
            ApiError::TooMany { what: "texts", seconds: TALK_PERIOD.unsigned_abs() }
        }
        Quota::Events => ApiError::TooManyEvents { most: MOST_OF_HOST },
        Quota::EventsOfNetwork => ApiError::TooMany { what: "open events", seconds: 60 * 60 },
        Quota::AllEvents => ApiError::Full { what: "unfinished events" },
        Quota::EventPlayers => ApiError::EventFull { most: MOST_PLAYERS },
        Quota::Relations => ApiError::TooManyFavourites { most: MOST_RELATIONS },
    }
}
