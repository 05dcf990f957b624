//! Why an action is not legal, with a code that a translation can go by.

use overmate_rules::Illegal;

/// The code of a reason, and the suit and rank it speaks of, by name.
pub(super) fn code(illegal: &Illegal) -> (&'static str, Option<&str>, Option<&str>) {
    match illegal {
        Illegal::GameOver => ("game-over", None, None),
        Illegal::NotInDeck => ("not-in-deck", None, None),
        Illegal::NotHeld { .. } => ("not-held", None, None),
        Illegal::ForeplacingFirst => ("foreplacing-first", None, None),
        Illegal::NoForeplacing => ("no-foreplacing", None, None),
        Illegal::ForeplacingOver => ("foreplacing-over", None, None),
        Illegal::ForeplacingRestricted { suit, rank, .. } => {
            ("foreplacing-restricted", Some(suit), Some(rank))
        }
        Illegal::MustFollowSuit { suit } => ("must-follow-suit", Some(suit), None),
        Illegal::MustFollowRank { suit, rank } => ("must-follow-rank", Some(suit), Some(rank)),
        Illegal::MustAnswerPrivilege { rank } => ("must-answer-privilege", None, Some(rank)),
        Illegal::MustFollowSuitOfPrivilege { rank, suit } => {
            ("must-follow-suit-of-privilege", Some(suit), Some(rank))
        }
        Illegal::NothingToDemand { .. } => ("nothing-to-demand", None, None),
        Illegal::DemandWhileFollowing => ("demand-while-following", None, None),
        Illegal::FreeWhileLeading => ("free-while-leading", None, None),
        Illegal::NoFreeMove => ("no-free-move", None, None),
        Illegal::FreeMoveUsed => ("free-move-used", None, None),
        Illegal::FreeMoveNotNeeded { .. } => ("free-move-not-needed", None, None),
        Illegal::NeitherSuitNorRank { suit, rank, .. } => {
            ("neither-suit-nor-rank", Some(suit), Some(rank))
        }
        _ => ("not-legal", None, None),
    }
}
