//! Computes the state of a match by replaying its log.

mod abandonment;

use std::sync::Arc;
use std::time::Duration;

use overmate_json::{LogFault, LoggedMark, MatchLog};
use overmate_rules::{
    Action, ByPlayer, Deal, Game, Match, MatchResult, Player, RuleSet, Seat, View, Viewer,
};

use super::replay_error::{EntryError, ReplayError, StartError};
use crate::clocks::clock_setting::ClockSetting;
use crate::clocks::match_clock::MatchClock;
use crate::clocks::store_time::StoreTime;
use crate::computer::Computer;
use crate::settings::Limits;
use crate::store::{Entry, EntryKind, Holder, MatchInfo, Occupant, SeatInfo, Watching};

/// State of a match after the log entries up to a sequence number.
#[derive(Clone, Debug)]
pub(crate) struct MatchState {
    info: Arc<MatchInfo>,
    limits: LogLimits,
    time: StoreTime,
    sequence: u64,
    log: MatchLog,
    /// For each game, the sequence number of the log entry after which the game began; 0 for the first game.
    begun: Vec<u64>,
    offered_by: Option<Player>,
    rematch: Option<String>,
    /// Clocks of both players, or `None` for a match without clocks.
    clock: Option<MatchClock>,
    out_of_time: Option<Player>,
    /// Sequence number of the last log entry that can have changed the position. Entries that concern only the clocks, such as
    /// time credits, days off and pauses, do not change the position.
    unchanged_since: u64,
    /// Unix time, in milliseconds, of the match's last log entry or, without entries, of the creation of the match.
    changed_at_ms: i64,
    /// Permission for everybody to watch this match state, at once or with a delay; `None` for a non-public state. Only players and holders
    /// of the spectators' link see a non-public state.
    public: Option<Watching>,
}

/// Limits on the log of a match: the length at which undos and hints are refused, and the number of undos in one game.
/// All other entries are still accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LogLimits {
    /// Maximum number of log entries before the match refuses undos and hints.
    pub(crate) entries: u64,
    /// Maximum number of undos in one game.
    pub(crate) undos_per_game: usize,
}

impl LogLimits {
    /// Derives the limits on match logs from the limits of the server.
    pub(crate) fn of(limits: &Limits) -> Self {
        Self { entries: limits.log_entries, undos_per_game: limits.undos_per_game }
    }
}

/// Role of a browser in a match: player of one seat, player of both seats, or spectator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Role {
    /// Player of one seat.
    Player(Player),
    /// One player who holds both seats of the match.
    Both,
    /// Spectator who has opened the spectators' link and holds no seat.
    Spectator,
}

impl MatchState {
    /// Creates the initial state of a match, before its first log entry.
    pub(crate) fn new(info: Arc<MatchInfo>, limits: LogLimits) -> Result<Self, ReplayError> {
        let play =
            start(&info).map_err(|source| ReplayError::Deals { id: info.id.clone(), source })?;
        let timed = ByPlayer::new_with(|player| !info.is_bot(player));
        Ok(Self {
            clock: info.clock.map(|setting| MatchClock::new(setting, timed)),
            out_of_time: None,
            unchanged_since: 0,
            changed_at_ms: info.created_at.saturating_mul(1_000),
            public: None,
            info,
            limits,
            time: StoreTime::default(),
            sequence: 0,
            log: MatchLog::new(play),
            begun: vec![0],
            offered_by: None,
            rematch: None,
        })
    }

    /// Sets the time source of the match's clocks.
    pub(crate) fn with_time(self, time: StoreTime) -> Self {
        Self { time, ..self }
    }

    /// Returns the current Unix time, in milliseconds, from the match's time source.
    pub(crate) fn now_ms(&self) -> i64 {
        self.time.now_ms()
    }

    /// Applies further entries of the stored log to this match state, in linear time.
    pub(crate) fn replay(mut self, entries: &[Entry]) -> Result<Self, ReplayError> {
        let info = Arc::clone(&self.info);
        for entry in entries {
            let failed = |source: EntryError| ReplayError::Entry {
                id: info.id.clone(),
                sequence: entry.sequence,
                source,
            };
            self = self.apply(entry).map_err(failed)?;
        }
        Ok(self)
    }

    /// Replaces the metadata of the match: names, seats and settings. A caller needs this, for example, after a player has taken the open
    /// seat.
    pub(crate) fn with_info(self, info: Arc<MatchInfo>) -> Self {
        Self { info, ..self }
    }

    /// Marks this match state as public: everybody may watch the state, at once or with a delay.
    pub(crate) fn shown_to_all(self, watching: Watching) -> Self {
        Self { public: Some(watching), ..self }
    }

    /// Returns the permission for everybody to watch this match state, at once or with a delay. Returns `None` for a non-public state.
    pub(crate) fn public(&self) -> Option<Watching> {
        self.public
    }

    /// Applies one valid log entry to this match state.
    pub(crate) fn apply(mut self, entry: &Entry) -> Result<Self, EntryError> {
        if entry.sequence != self.sequence + 1 {
            return Err(EntryError::Misplaced);
        }
        self.sequence = entry.sequence;
        self.changed_at_ms = entry.at_ms;
        if !matches!(entry.kind, EntryKind::Credit | EntryKind::Away | EntryKind::Pause) {
            self.unchanged_since = entry.sequence;
        }
        let player = entry.player;
        let is_over = self.result().is_some();
        match &entry.kind {
            EntryKind::Act(_)
            | EntryKind::Resign
            | EntryKind::Undo
            | EntryKind::Hint
            | EntryKind::Flag
            | EntryKind::Credit
            | EntryKind::Away
            | EntryKind::Pause
                if is_over =>
            {
                return Err(LogFault::MatchOver.into());
            }
            EntryKind::Act(_) if self.is_paused_at(entry.at_ms) => return Err(EntryError::Paused),
            EntryKind::Act(text) => {
                self.log = self.log.act(player, text)?;
                self.change_clock(entry);
            }
            EntryKind::Resign => self = self.forfeit(entry)?,
            EntryKind::Flag => {
                let clock = self.clock.as_mut();
                if !clock.is_some_and(|clock| clock.flag(player, entry.at_ms)) {
                    return Err(EntryError::Misplaced);
                }
                self.out_of_time = Some(player);
                self = self.forfeit(entry)?;
            }
            EntryKind::Credit => {
                let clock = self.clock.as_mut();
                if !clock.is_some_and(|clock| clock.credit(player, entry.at_ms, entry.given_ms)) {
                    return Err(EntryError::Misplaced);
                }
            }
            EntryKind::Away => {
                let until = entry.at_ms.saturating_add(entry.given_ms);
                let clock = self.clock.as_mut();
                if !clock.is_some_and(|clock| clock.away(player, entry.at_ms, until)) {
                    return Err(EntryError::Misplaced);
                }
            }
            EntryKind::Pause => {
                let clock = self.clock.as_mut();
                if !clock.is_some_and(|clock| clock.ask_for_pause(player, entry.at_ms)) {
                    return Err(EntryError::Misplaced);
                }
            }
            EntryKind::Undo => self.log = self.log.undo(entry.sequence, player)?,
            EntryKind::Hint => self.log = self.log.hint(entry.sequence, player),
            EntryKind::Leave if !is_over => return Err(EntryError::Misplaced),
            EntryKind::Join | EntryKind::Leave | EntryKind::Operator => {}
            EntryKind::Offer if !is_over || self.offered_by.is_some() => {
                return Err(EntryError::Misplaced);
            }
            EntryKind::Offer => self.offered_by = Some(player),
            EntryKind::Accept(_) if !is_over || self.rematch.is_some() => {
                return Err(EntryError::Misplaced);
            }
            EntryKind::Accept(id) => {
                self.offered_by.get_or_insert(player);
                self.rematch = Some(id.clone());
            }
        }
        self.begun.resize(self.play().games().len(), entry.sequence);
        Ok(self)
    }

    /// Ends the match with a loss for the player who has resigned or run out of time, regardless of the points. The log entry names this
    /// player.
    fn forfeit(mut self, entry: &Entry) -> Result<Self, EntryError> {
        self.log = self.log.resign(entry.player)?;
        if let Some(clock) = &mut self.clock {
            clock.stop(entry.at_ms);
        }
        Ok(self)
    }

    /// Deducts the time of an action from the acting player's clock, and starts the next player's clock.
    fn change_clock(&mut self, entry: &Entry) {
        let Some(clock) = &mut self.clock else { return };
        clock.act(entry.player, entry.at_ms, entry.given_ms);
        let play = self.log.play();
        let opens_game = play.current_index() > 0 && play.current().actions().is_empty();
        clock.start(play.to_act(), opens_game);
    }

    pub(crate) fn info(&self) -> &Arc<MatchInfo> {
        &self.info
    }

    pub(crate) fn id(&self) -> &str {
        &self.info.id
    }

    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Returns the sequence number of the last log entry that can have changed the position of the match. All later entries concern only
    /// the clocks.
    pub(crate) fn unchanged_since(&self) -> u64 {
        self.unchanged_since
    }

    /// Returns the time since the last log entry or, without entries, since the creation of the match.
    pub(crate) fn idle_time(&self) -> Duration {
        let idle_ms = self.now_ms().saturating_sub(self.changed_at_ms);
        Duration::from_millis(u64::try_from(idle_ms).unwrap_or(0))
    }

    /// Returns the actions, undos and hints of the match.
    pub(crate) fn log(&self) -> &MatchLog {
        &self.log
    }

    pub(crate) fn play(&self) -> &Match {
        self.log.play()
    }

    /// Returns the number of actions in all games of the match.
    pub(crate) fn actions(&self) -> u64 {
        self.play().games().iter().map(|game| game.actions().len() as u64).sum()
    }

    pub(crate) fn rules(&self) -> &Arc<RuleSet> {
        self.play().rules()
    }

    pub(crate) fn result(&self) -> Option<MatchResult> {
        self.play().result()
    }

    /// Returns the number of games of the match that were finished when the match log had reached a given sequence number. The result is 0
    /// for a number beyond the end of the log. Later log entries never change the result.
    pub(crate) fn finished_at(&self, sequence: u64) -> usize {
        if sequence > self.sequence {
            return 0;
        }
        self.begun.iter().skip(1).take_while(|begun| **begun <= sequence).count()
    }

    pub(crate) fn to_act(&self) -> Option<Player> {
        self.play().to_act()
    }

    /// Returns the clocks of both players, or `None` for a match without clocks.
    pub(crate) fn clock(&self) -> Option<&MatchClock> {
        self.clock.as_ref()
    }

    /// Returns whether the clocks are paused, by agreement of both players, at a given time in milliseconds since 1970.
    fn is_paused_at(&self, at: i64) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.paused_until(at).is_some())
    }

    /// Returns the player who lost the match by running out of time, or `None` if no player ran out of time.
    pub(crate) fn out_of_time(&self) -> Option<Player> {
        self.out_of_time
    }

    pub(crate) fn marks(&self) -> &[LoggedMark] {
        self.log.marks()
    }

    /// Returns whether the log has reached the length limit for undos and hints.
    pub(crate) fn is_full(&self) -> bool {
        self.sequence >= self.limits.entries
    }

    /// Returns whether the current game has reached the limit on the number of undos.
    pub(crate) fn has_all_undos(&self) -> bool {
        self.log.undos_here() >= self.limits.undos_per_game
    }

    pub(crate) fn offered_by(&self) -> Option<Player> {
        self.offered_by
    }

    pub(crate) fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    pub(crate) fn seats(&self) -> &ByPlayer<SeatInfo> {
        &self.info.seats
    }

    /// Returns the player whose seat is reserved for an invited person, or `None` if both seats are
    /// taken.
    pub(crate) fn open_seat(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.seats()[*player].occupant == Occupant::Open)
    }

    /// Returns whether the deal is hidden from everybody: the match is rated, and the invited player has not joined yet.
    /// Otherwise the host could study the deal for any time, or invite again until a deal suits them.
    ///
    /// If a server of an earlier version has accepted actions of the host before the invited player joined, the deal of the match
    /// is known already, and is not hidden.
    pub(crate) fn hides_deal(&self) -> bool {
        let play = self.play();
        let has_acted = play.current_index() > 0 || !play.current().actions().is_empty();
        self.info.rated && self.open_seat().is_some() && self.result().is_none() && !has_acted
    }

    /// Returns the computer opponent that is to act, with its player (A or B) and its random seed; `None` if no computer opponent is to
    /// act.
    pub(crate) fn bot_to_act(&self) -> Option<(Player, Computer, u64)> {
        let player = self.to_act()?;
        match self.seats()[player].occupant {
            Occupant::Bot(bot, seed) => Some((player, bot, seed)),
            Occupant::Open | Occupant::Deleted | Occupant::Holder(_) => None,
        }
    }

    /// Returns whether a computer opponent plays the match.
    pub(crate) fn has_bot(&self) -> bool {
        self.info.has_bot()
    }

    /// Returns whether a program plays the match with a bot account. The seat of a bot account belongs to a person.
    pub(crate) fn has_program(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.seats()[player].is_program)
    }

    /// Returns the browser identity of a person in the match, preferably of player A, or `None` if no person holds a seat.
    pub(crate) fn person(&self) -> Option<Holder> {
        Player::BOTH.into_iter().find_map(|player| match self.seats()[player].occupant {
            Occupant::Holder(holder) => Some(holder),
            Occupant::Open | Occupant::Deleted | Occupant::Bot(..) => None,
        })
    }

    /// Returns whether a seat of the match belonged to a person whose data was erased.
    pub(crate) fn has_deleted_seat(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.seats()[player].occupant == Occupant::Deleted)
    }

    /// Returns whether the match is between two people: no computer opponent plays, and the two seats do not belong to one person. The
    /// second person may not have joined yet.
    pub(crate) fn is_between_people(&self) -> bool {
        match (self.seats().a.occupant, self.seats().b.occupant) {
            (Occupant::Bot(..), _) | (_, Occupant::Bot(..)) => false,
            (Occupant::Holder(a), Occupant::Holder(b)) => a != b,
            (Occupant::Open | Occupant::Deleted, _) | (_, Occupant::Open | Occupant::Deleted) => {
                true
            }
        }
    }

    /// Returns whether the match allows conditional answers: it is a correspondence match between
    /// people.
    pub(crate) fn takes_conditional(&self) -> bool {
        self.is_between_people() && matches!(self.info.clock, Some(ClockSetting::Days(_)))
    }

    /// Returns whether help (undos, hints and early reviews) is forbidden in the match. An early review comes before the end of the round
    /// or, with clocks, before the end of the match. A match forbids help if it is between two people, on a shared deal, or with clocks.
    pub(crate) fn is_without_help(&self) -> bool {
        self.is_between_people() || self.info.shared_deal.is_some() || self.clock.is_some()
    }

    /// Returns whether the match has begun: a person has acted, or a second person has joined. An undo, a hint and the end of the match
    /// count as well.
    pub(crate) fn is_begun(&self) -> bool {
        self.log.has_acted(|player| !self.info.is_bot(player))
            || !self.marks().is_empty()
            || self.result().is_some()
            || (self.is_between_people() && self.open_seat().is_none())
    }

    /// Returns the role of a browser identity in the match, or `None` for a browser identity without a seat.
    pub(crate) fn role_of(&self, holder: Option<Holder>) -> Option<Role> {
        let holder = Occupant::Holder(holder?);
        let seats = self.seats();
        match (seats.a.occupant == holder, seats.b.occupant == holder) {
            (true, true) => Some(Role::Both),
            (true, false) => Some(Role::Player(Player::A)),
            (false, true) => Some(Role::Player(Player::B)),
            (false, false) => None,
        }
    }

    /// Returns the player whose last action an undo would take back, or `None` if a browser with the given role may not undo an action. The
    /// limits of the log are not checked.
    pub(crate) fn undone_by(&self, role: Role) -> Option<Player> {
        if self.result().is_some() || self.is_without_help() {
            return None;
        }
        self.log.last_to_act(|player| role == Role::Both || role == Role::Player(player))
    }

    /// Returns whether the match accepts an undo by a browser with the given role.
    pub(crate) fn may_undo(&self, role: Role) -> bool {
        self.undone_by(role).is_some() && !self.is_full() && !self.has_all_undos()
    }

    /// Returns whether the match accepts a hint request by a browser with the given role. The match always repeats a hint that
    /// the log already holds.
    pub(crate) fn may_hint(&self, role: Role) -> bool {
        let is_turn = match role {
            Role::Player(player) => self.to_act() == Some(player),
            Role::Both => self.to_act().is_some(),
            Role::Spectator => false,
        };
        is_turn && !self.is_without_help() && (!self.is_full() || self.is_hinted())
    }

    /// Returns whether the last log entry is a hint for the current position.
    pub(crate) fn is_hinted(&self) -> bool {
        self.log.is_hinted(self.sequence)
    }

    /// Returns the viewpoint from which a browser with the given role sees a game: a seat, or a spectator. A browser with both seats sees
    /// the game from the seat whose turn it is.
    pub(crate) fn viewer(&self, index: usize, role: Role) -> Viewer {
        match role {
            Role::Player(player) => Viewer::Seat(Match::seat(index, player)),
            Role::Both => {
                let game = &self.play().games()[index];
                game.to_act().map_or(Viewer::Seat(Seat::First), Viewer::Seat)
            }
            Role::Spectator => Viewer::Spectator,
        }
    }

    /// Returns a game with only the cards that a browser with the given role may see.
    pub(crate) fn view(&self, index: usize, role: Role) -> View {
        self.play().games()[index].view(self.viewer(index, role))
    }

    /// Returns whether the exact values of a game may be shown to players and spectators. The game must be over. In a match without help,
    /// the other game of the same deal must be over, too. In a match with clocks, the match must be over.
    pub(crate) fn may_review(&self, index: usize) -> bool {
        let games = self.play().games();
        let is_over =
            |index: usize| games.get(index).is_some_and(|game: &Game| game.outcome().is_some());
        let is_round_over = self.clock.is_none() && is_over(index ^ 1);
        is_over(index) && (self.result().is_some() || !self.is_without_help() || is_round_over)
    }

    /// Parses an action under the rule set of the match. Returns `None` for a string that is not an action.
    pub(crate) fn read(&self, text: &str) -> Option<Action> {
        self.rules().read_action(text).ok()
    }
}

/// Creates a match with its stored deals, before the first action.
fn start(info: &MatchInfo) -> Result<Match, StartError> {
    let rules = RuleSet::named(&info.rules)?.shared();
    // A match on a shared deal, or with a single stored deal, has one round. All other matches have as many rounds as the rule set says.
    let has_one = info.shared_deal.is_some() || info.deals.len() == 1;
    let rounds = if has_one { 1 } else { rules.rounds() };
    if info.deals.len() != usize::from(rounds) {
        return Err(StartError::DealCount { found: info.deals.len(), rounds });
    }
    let deals = info.deals.iter().map(|number| Deal::numbered(&rules, *number));
    let deals: Result<Vec<_>, _> = deals.collect();
    Ok(Match::with_deals(rounds.saturating_mul(2), deals?)?)
}

#[cfg(test)]
impl MatchState {
    /// Returns a new match for tests, under the rule set `bga` and with one browser in both seats.
    pub(crate) fn sample() -> Self {
        let limits = LogLimits { entries: 1_000, undos_per_game: 1_000 };
        Self::new(Arc::new(MatchInfo::sample()), limits).expect("a match")
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::error_with_causes;

    use super::*;

    #[test]
    fn a_long_log_of_actions_and_undos_is_replayed() {
        let pair = |index: u64| {
            let act = Entry::sample(2 * index + 1, EntryKind::Act("Tc".to_owned()));
            [act, Entry::sample(2 * index + 2, EntryKind::Undo)]
        };
        let log: Vec<Entry> = (0..5_000).flat_map(pair).collect();
        let state = MatchState::sample().replay(&log).expect("a valid log");
        assert_eq!((state.sequence(), state.marks().len()), (10_000, 5_000));
        assert_eq!(
            (state.play().current().actions().len(), state.log.has_acted(|_| true)),
            (0, false)
        );
    }

    #[test]
    fn a_log_with_a_gap_or_an_illegal_action_is_refused() {
        let gap = MatchState::sample().replay(&[Entry::sample(2, EntryKind::Hint)]);
        assert!(gap.unwrap_err().to_string().contains("entry 2"));
        let illegal =
            MatchState::sample().replay(&[Entry::sample(1, EntryKind::Act("Ac".to_owned()))]);
        assert!(error_with_causes(&illegal.unwrap_err()).contains("you do not hold Ac"));
    }
}
