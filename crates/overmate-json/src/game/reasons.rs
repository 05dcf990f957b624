//! Converts the reasons for illegal actions to machine-readable codes. Clients translate the codes.

use overmate_rules::Illegal;

use super::forms::ReasonCode;

/// Returns the code of the reason why an action is illegal, and the names of the suit and the rank to which the reason refers.
pub(super) fn code(illegal: &Illegal) -> (ReasonCode, Option<&str>, Option<&str>) {
    match illegal {
        Illegal::GameOver => (ReasonCode::GameOver, None, None),
        Illegal::NotInDeck => (ReasonCode::NotInDeck, None, None),
        Illegal::NotHeld { .. } => (ReasonCode::NotHeld, None, None),
        Illegal::ForeplacingFirst => (ReasonCode::ForeplacingFirst, None, None),
        Illegal::NoForeplacing => (ReasonCode::NoForeplacing, None, None),
        Illegal::ForeplacingOver => (ReasonCode::ForeplacingOver, None, None),
        Illegal::ForeplacingRestricted { suit, rank, .. } => {
            (ReasonCode::ForeplacingRestricted, Some(suit), Some(rank))
        }
        Illegal::MustFollowSuit { suit } => (ReasonCode::MustFollowSuit, Some(suit), None),
        Illegal::MustFollowRank { suit, rank } => {
            (ReasonCode::MustFollowRank, Some(suit), Some(rank))
        }
        Illegal::MustAnswerPrivilege { rank } => {
            (ReasonCode::MustAnswerPrivilege, None, Some(rank))
        }
        Illegal::MustFollowSuitOfPrivilege { rank, suit } => {
            (ReasonCode::MustFollowSuitOfPrivilege, Some(suit), Some(rank))
        }
        Illegal::NothingToDemand { .. } => (ReasonCode::NothingToDemand, None, None),
        Illegal::DemandWhileFollowing => (ReasonCode::DemandWhileFollowing, None, None),
        Illegal::FreeWhileLeading => (ReasonCode::FreeWhileLeading, None, None),
        Illegal::NoFreeMove => (ReasonCode::NoFreeMove, None, None),
        Illegal::FreeMoveUsed => (ReasonCode::FreeMoveUsed, None, None),
        Illegal::FreeMoveNotNeeded { .. } => (ReasonCode::FreeMoveNotNeeded, None, None),
        Illegal::NeitherSuitNorRank { suit, rank, .. } => {
            (ReasonCode::NeitherSuitNorRank, Some(suit), Some(rank))
        }
    }
}
