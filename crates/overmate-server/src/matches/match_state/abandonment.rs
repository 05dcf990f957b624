//! Decides whether a match with clocks is abandoned: the match ended before every player with a clock had acted.

use std::time::Duration;

use overmate_rules::Player;

use super::MatchState;
use crate::clocks::clock_setting::ClockSetting;
use crate::clocks::match_clock::MatchClock;

/// Idle time of a live match after which a waiting player's resignation does not count towards the limit on abandoned rated matches. The
/// idle time begins with the last log entry or, without entries, with the creation of the match.
const PATIENCE: Duration = Duration::from_mins(2);

impl MatchState {
    /// Returns whether a match with clocks ended before every player with a clock had acted. Such a match counts for nobody.
    pub(crate) fn is_abandoned(&self) -> bool {
        let has_begun = self.clock.as_ref().is_none_or(MatchClock::have_both_acted);
        self.result().is_some() && !has_begun
    }

    /// Returns whether both seats are taken, and each person in the match has acted. Computer opponents need not have acted.
    pub(crate) fn has_everybody_acted(&self) -> bool {
        let has_acted =
            |player| self.info.is_bot(player) || self.log.has_acted(|one| one == player);
        self.open_seat().is_none() && Player::BOTH.into_iter().all(has_acted)
    }

    /// Returns whether a resignation of the player now would count as the abandonment of a rated match. An abandoned match counts for
    /// nobody, although its players have seen the deal. The function returns `false` for a player who has waited long enough for the
    /// opponent.
    pub(crate) fn would_be_abandoned_by(&self, player: Player) -> bool {
        let Some(clock) = &self.clock else { return false };
        let is_over = self.result().is_some() || clock.have_both_acted();
        if !self.info.rated || is_over || self.open_seat().is_some() {
            return false;
        }
        let patience = match clock.setting() {
            ClockSetting::Live { .. } => PATIENCE,
            days @ ClockSetting::Days(_) => Duration::from_millis(days.first().unsigned_abs()),
        };
        self.to_act() == Some(player) || self.idle_time() < patience
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use overmate_rules::ByPlayer;

    use super::*;
    use crate::clocks::store_time::StoreTime;
    use crate::matches::match_state::LogLimits;
    use crate::store::{Entry, EntryKind, Holder, MatchInfo, Occupant, SeatInfo};

    #[test]
    fn a_player_who_waits_for_long_may_leave_a_rated_match() {
        let (day, second) = (86_400, 1_000);
        for (clock, enough) in [(ClockSetting::live(300, 5), 120), (ClockSetting::days(2), 2 * day)]
        {
            for (waited, is_enough) in [(enough - 5, false), (enough + 5, true)] {
                let (info, time) = (MatchInfo::sample(), StoreTime::default());
                let at_ms = time.now_ms() - waited * second;
                let seats = ByPlayer::new_with(|player: Player| {
                    SeatInfo::new(
                        None,
                        Occupant::Holder(Holder([u8::from(player == Player::B); 32])),
                    )
                });
                let info =
                    MatchInfo { clock, rated: true, seats, created_at: at_ms / second, ..info };
                let limits = LogLimits { entries: 1_000, undos_per_game: 1_000 };
                let state = MatchState::new(Arc::new(info), limits).expect("a match");
                // Player A leads first, so that player B waits for the opponent.
                assert_eq!(
                    Player::BOTH.map(|player| state.would_be_abandoned_by(player)),
                    [true, !is_enough]
                );
                let act = Entry {
                    sequence: 1,
                    player: Player::A,
                    kind: EntryKind::Act("Tc".to_owned()),
                    client_id: "1".to_owned(),
                    at_ms,
                    given_ms: 0,
                };
                let state = state.replay(&[act]).expect("a valid log");
                assert_eq!(
                    Player::BOTH.map(|player| state.would_be_abandoned_by(player)),
                    [!is_enough, true]
                );
            }
        }
    }
}
