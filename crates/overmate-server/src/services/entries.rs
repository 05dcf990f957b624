//! Creates entries of match logs, including conditional answers to an action and pauses of clocks for days off.

use overmate_rules::{ByPlayer, Player};

use crate::clocks::absence::{self, Absence};
use crate::clocks::clock_setting::ClockSetting;
use crate::clocks::match_clock::MatchClock;
use crate::error::ApiError;
use crate::matches::conditional::{Conditional, Standing};
use crate::matches::match_state::MatchState;
use crate::random::random_id;
use crate::store::{Addition, AnswersRead, Entry, EntryKind, Holder, Occupant, SeatText};

/// Returns an error if the log of a match is too long for a further undo, hint or request for a pause.
pub(super) fn refuse_full(state: &MatchState) -> Result<(), ApiError> {
    if !state.is_full() {
        return Ok(());
    }
    Err(ApiError::MatchFull("the match accepts no more undos, hints and pauses: play on or resign"))
}

/// Returns a new log entry with the next sequence number of a match.
pub(super) fn next_entry(
    state: &MatchState,
    player: Player,
    kind: EntryKind,
    client_id: String,
) -> Entry {
    Entry {
        sequence: state.sequence() + 1,
        player,
        kind,
        client_id,
        at_ms: state.now_ms(),
        given_ms: 0,
    }
}

/// Returns the player whose correspondence clock runs in a match, with the person who holds the player's seat. Returns `None` if no such
/// clock runs, or if no person holds the seat.
pub(super) fn timed_by_days(state: &MatchState) -> Option<(Player, Holder)> {
    let running = state.clock().and_then(MatchClock::running)?;
    match (state.info().clock, state.seats()[running.player].occupant) {
        (Some(ClockSetting::Days(_)), Occupant::Holder(person)) => Some((running.player, person)),
        _ => None,
    }
}

/// Returns the log entry that pauses or resumes a correspondence clock for the days off of the clock's player. Returns `None` if the clock
/// already agrees with the days off.
pub(super) fn absence_entry(
    state: &MatchState,
    player: Player,
    absences: &[Absence],
) -> Result<Option<Entry>, ApiError> {
    let now = state.now_ms();
    let wait = state.clock().and_then(|clock| absence::wait(clock, player, absences, now));
    let Some((at_ms, given_ms)) = wait else { return Ok(None) };
    let entry = next_entry(state, player, EntryKind::Away, random_id()?);
    Ok(Some(Entry { at_ms, given_ms, ..entry }))
}

/// Adds the conditional answers that are due after a new log entry to the database write of this entry. The answers come from the private
/// texts of the players' seats.
pub(super) fn answered(
    mut state: MatchState,
    texts: Option<&ByPlayer<SeatText>>,
    mut addition: Addition,
) -> Result<(MatchState, Addition), ApiError> {
    let Some(texts) = texts else { return Ok((state, addition)) };
    let stored =
        ByPlayer::new_with(|player| texts[player].answers.as_deref().and_then(Conditional::read));
    let standing = |state: &MatchState, player: Player| match &stored[player] {
        Some(answers) => answers.standing(state.play(), player),
        None => Standing::Left,
    };
    while let Some(player) = state.to_act()
        && let Standing::Due(action) = standing(&state, player)
    {
        let kind = EntryKind::Act(overmate_json::action(state.rules(), action));
        let entry = next_entry(&state, player, kind, random_id()?);
        // A conditional answer that another version of the server stored may be illegal in this version. An illegal answer ends the
        // conditional answers.
        let Ok(next) = state.clone().apply(&entry) else { break };
        state = next;
        addition.followed_by.push(entry);
    }
    addition.answers = Some(ByPlayer::new_with(|player| AnswersRead {
        text: texts[player].answers.clone(),
        stay: matches!(standing(&state, player), Standing::Waiting(_)),
    }));
    Ok((state, addition))
}
