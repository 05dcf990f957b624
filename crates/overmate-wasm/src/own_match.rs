//! Plays matches against a computer opponent in a web page, without a server.

use overmate_bots::{ACTION_NODES, Bot, BuiltIn, Level, Standing, Turn};
use overmate_json::{
    ENTRIES_WITH_UNDOS, Hint, LogFault, MatchFacts, MatchLog, MatchResultWire, MatchSummary,
    MatchView, OwnEntry, OwnMatch, PlayerKind, PlayerState, PlayerWire, Players, RecordFacts,
    UNDOS_PER_GAME, You, numbered_deal, rule_set,
};
use overmate_rules::{
    ByPlayer, Deal, DealSource as _, Match, Player, SeededDeals, View, Viewer, error_with_causes,
};
use overmate_solver::{Budget, Solver};
use serde::{Deserialize, Serialize};

use crate::tables::has_table;

/// Memory limit of a search by the computer opponent, in bytes.
const MEMORY: u64 = 128_000_000;

/// Request for a new match against a computer opponent, without a server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewOwnMatch {
    /// Id of the match, which the web page chooses.
    pub id: String,
    /// Time when the match was requested, in RFC 3339.
    pub created_at: String,
    /// Name of the match's rule set.
    pub rules: String,
    /// Name of the computer opponent, such as `level:3` or `perfect`.
    pub opponent: String,
    /// Whether the human player is player A, who leads in the first game.
    pub leads: bool,
    /// Deal number of the first round, or `None` for a random deal.
    pub deal: Option<String>,
    /// Display name of the human player, or `None` without a name.
    pub name: Option<String>,
    /// Random seed of the deals, as a decimal number.
    pub deal_seed: String,
    /// Random seed of the computer opponent, as a decimal number.
    pub bot_seed: String,
}

/// Step that the web page requests in a match against a computer opponent, such as an action or an undo.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// No change of the match: the engine only returns the current state of the match.
    Read,
    /// Action of the human player. The sequence number says in which state of the match the player chose the action.
    Act {
        /// Sequence number of the match (number of its log entries) when the human player chose the action.
        sequence: u64,
        /// Action of the human player, in notation.
        action: String,
    },
    /// Action of the computer opponent, which the engine chooses. The match stays unchanged if it is not the opponent's
    /// turn.
    Answer,
    /// Undo of the human player's last action.
    Undo,
    /// Hint for the human player.
    Hint,
    /// Resignation of the human player.
    Resign,
}

/// Result of an action, an undo or another step that the web page requested in a match. The page stores the match, and shows its state.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// Match after the requested action, undo or other step, in the form in which the web page stores matches.
    #[serde(rename = "match")]
    pub kept: OwnMatch,
    /// State of the match, with only the information that the human player may have.
    pub state: MatchView,
    /// Summary of the match for the human player's list of matches.
    pub summary: MatchSummary,
    /// Whether it is the computer opponent's turn.
    pub due: bool,
    /// Hint for the human player, or `None` if the web page requested no hint.
    pub hint: Option<Hint>,
}

/// Cached computer opponent of a match. The opponent keeps its search results for later actions in the same match.
pub(crate) struct CachedBot {
    /// Copy of the match, made just before the computer opponent chose its latest action.
    kept: OwnMatch,
    bot: Box<dyn Bot>,
    /// Number of finished games of the match that the engine has already reported to the computer opponent.
    shown: usize,
}

impl CachedBot {
    /// Returns whether `kept` is the cached match, possibly with additional log entries. Comparing the ids does not
    /// suffice, because the caller of the engine may give two matches the same id.
    fn plays(&self, kept: &OwnMatch) -> bool {
        let mut earlier = kept.clone();
        earlier.entries.truncate(self.kept.entries.len());
        earlier == self.kept
    }
}

/// Creates a match against a computer opponent from a request of the web page.
pub(crate) fn begin(request: NewOwnMatch) -> Result<Played, String> {
    let rules = rule_set(&request.rules)?;
    let opponent: BuiltIn = request.opponent.parse().map_err(|error| error_with_causes(&error))?;
    let mut source = SeededDeals::new(number(&request.deal_seed)?);
    let mut deals: Vec<u64> =
        (0..rules.rounds()).map(|_| source.next_deal(&rules).number()).collect();
    if let (Some(text), Some(first)) = (&request.deal, deals.first_mut()) {
        *first = numbered_deal(&rules, text)?.number();
    }
    number(&request.bot_seed)?;
    let kept = OwnMatch {
        id: request.id,
        created_at: request.created_at,
        rules: rules.name().to_owned(),
        deals: deals.iter().map(u64::to_string).collect(),
        deal_chosen: request.deal.is_some(),
        opponent: opponent.to_string(),
        seed: request.bot_seed,
        you: if request.leads { PlayerWire::A } else { PlayerWire::B },
        name: request.name,
        entries: Vec::new(),
    };
    OpenMatch::new(kept).map(|open| open.played(None))
}

/// Executes a step, such as an action or an undo, in a match against a computer opponent, and returns the match after the step.
pub(crate) fn play(
    kept: OwnMatch,
    step: Step,
    solver: &mut Solver,
    bot: &mut Option<CachedBot>,
) -> Result<Played, String> {
    let mut open = OpenMatch::new(kept)?;
    let mut hint = None;
    match step {
        Step::Read => {}
        Step::Act { sequence, action } => {
            if sequence != open.sequence() {
                return Err("the match has changed since the action was chosen: look at the present state of the match".to_owned());
            }
            let to_act = open.log.play().to_act().ok_or_else(|| text(&LogFault::MatchOver))?;
            if to_act != open.you() {
                return Err(text(&LogFault::NotYourTurn));
            }
            open = open.with(OwnEntry::Act(action))?;
        }
        Step::Answer => {
            if open.log.play().to_act() == Some(!open.you()) {
                let action = open.answer(bot)?;
                open = open.with(OwnEntry::Act(action))?;
            }
        }
        Step::Undo => open = open.with(OwnEntry::Undo)?,
        Step::Hint => {
            if !open.may_hint() {
                return Err(
                    "a hint is possible only on your turn, and only with a deck of at most 20 cards".to_owned()
                );
            }
            if !open.log.is_hinted(open.sequence()) {
                open = open.with(OwnEntry::Hint)?;
            }
            let view = open.view(open.log.play().current_index(), open.you());
            hint = Hint::advised(&view, open.sequence(), solver, &Budget::unlimited());
        }
        Step::Resign => open = open.with(OwnEntry::Resign)?,
    }
    Ok(open.played(hint))
}

/// Returns the record of a match against a computer opponent, as text.
pub(crate) fn record(kept: OwnMatch) -> Result<String, String> {
    let open = OpenMatch::new(kept)?;
    let you = open.you();
    let names = ByPlayer::new_with(|player| {
        let own = || open.kept.name.clone().unwrap_or_else(|| player.to_string());
        if player == you { own() } else { format!("Overmate {}", open.opponent) }
    });
    let facts = RecordFacts {
        names,
        date: open.kept.created_at.chars().take_while(|&c| c != 'T').collect(),
        viewer: OpenMatch::viewer(open.log.play().current_index(), you),
        out_of_time: None,
        offline: true,
    };
    // A header or note that the record format does not allow is left out of the record.
    Ok(overmate_json::record(&open.log, &facts, |_, _| {}).to_string())
}

/// Match that the engine has replayed from the log entries stored by the web page.
struct OpenMatch {
    kept: OwnMatch,
    opponent: BuiltIn,
    log: MatchLog,
}

impl OpenMatch {
    /// Replays a match from the log entries stored by the web page. Each entry is checked against the rules again,
    /// because the entries may have been changed outside of the engine.
    fn new(mut kept: OwnMatch) -> Result<Self, String> {
        let rules = rule_set(&kept.rules)?;
        let opponent = kept.opponent.parse().map_err(|error| error_with_causes(&error))?;
        let deals = kept.deals.iter().map(|deal| {
            Deal::numbered(&rules, number(deal)?).map_err(|error| error_with_causes(&error))
        });
        let length = rules.rounds().saturating_mul(2);
        let play = Match::with_deals(length, deals.collect::<Result<_, String>>()?);
        let log = MatchLog::new(play.map_err(|error| error_with_causes(&error))?);
        let entries = core::mem::take(&mut kept.entries);
        // The limits on the length hold only for new entries, so that the page still opens a match that an earlier version began.
        entries.into_iter().try_fold(Self { kept, opponent, log }, Self::replayed)
    }

    fn you(&self) -> Player {
        self.kept.you.into()
    }

    fn sequence(&self) -> u64 {
        self.kept.entries.len() as u64
    }

    /// Returns whether the log has reached the length limit for undos and hints.
    fn is_full(&self) -> bool {
        self.kept.entries.len() >= ENTRIES_WITH_UNDOS
    }

    /// Returns whether the current game has reached the limit on the number of undos.
    fn has_all_undos(&self) -> bool {
        self.log.undos_here() >= UNDOS_PER_GAME
    }

    /// Appends a log entry (an action, an undo, a hint or a resignation) to the match, and returns the match. Refuses an undo or a hint
    /// beyond the limits that also hold on a server. Actions have no limit, because a match can always be finished.
    fn with(self, entry: OwnEntry) -> Result<Self, String> {
        if matches!(entry, OwnEntry::Undo | OwnEntry::Hint) && self.is_full() {
            return Err(format!(
                "the match has {ENTRIES_WITH_UNDOS} actions, undos and hints, the limit: play on or resign"
            ));
        }
        if entry == OwnEntry::Undo && self.has_all_undos() {
            return Err(format!(
                "the game has {UNDOS_PER_GAME} undos, the limit: play on or resign"
            ));
        }
        self.replayed(entry)
    }

    /// Applies a log entry to the match by the rules, whatever the length of the log, and returns the match.
    fn replayed(mut self, entry: OwnEntry) -> Result<Self, String> {
        let you = self.you();
        let sequence = self.sequence() + 1;
        let to_act = self.log.play().to_act().ok_or_else(|| text(&LogFault::MatchOver))?;
        let changed = match &entry {
            OwnEntry::Act(action) => self.log.act(to_act, action),
            OwnEntry::Undo => self.log.undo(sequence, you),
            OwnEntry::Hint => Ok(self.log.hint(sequence, you)),
            OwnEntry::Resign => self.log.resign(you),
        };
        self.log = changed.map_err(|fault| text(&fault))?;
        self.kept.entries.push(entry);
        Ok(self)
    }

    fn viewer(index: usize, player: Player) -> Viewer {
        Viewer::Seat(Match::seat(index, player))
    }

    fn view(&self, index: usize, player: Player) -> View {
        self.log.play().games()[index].view(Self::viewer(index, player))
    }

    /// Chooses the computer opponent's next action, and returns the action in notation. The choice depends only on the
    /// seed and on the visible games.
    fn answer(&self, cached: &mut Option<CachedBot>) -> Result<String, String> {
        let player = !self.you();
        let play = self.log.play();
        let current = play.current_index();
        let known = cached.take().filter(|known| known.plays(&self.kept));
        let mut known = match known {
            Some(known) => CachedBot { kept: self.kept.clone(), ..known },
            None => CachedBot {
                kept: self.kept.clone(),
                bot: self.opponent.seeded(number(&self.kept.seed)?),
                shown: 0,
            },
        };
        for index in known.shown..current {
            known.bot.game_over(&self.view(index, player));
        }
        known.shown = known.shown.max(current);
        let view = self.view(current, player);
        let budget = Budget::unlimited().with_nodes(ACTION_NODES).with_memory(MEMORY);
        let turn = Turn::new(&view, Standing::of(play, player), &budget);
        let choice = known.bot.choose(&turn).map_err(|forfeit| forfeit.to_string())?;
        *cached = Some(known);
        Ok(overmate_json::action(play.rules(), choice.action))
    }

    fn may_undo(&self) -> bool {
        let you = self.you();
        let is_over = self.log.play().result().is_some();
        !is_over && self.log.last_to_act(|player| player == you).is_some()
    }

    fn may_hint(&self) -> bool {
        let play = self.log.play();
        play.to_act() == Some(self.you()) && has_table(play.current().dealt().hands())
    }

    fn facts(&self) -> MatchFacts {
        let (kind, level) = match self.opponent {
            BuiltIn::Level(level) => (PlayerKind::Level, Some(Level::get(level))),
            BuiltIn::Perfect => (PlayerKind::Perfect, None),
        };
        let you = PlayerState {
            name: self.kept.name.clone(),
            kind: PlayerKind::You,
            level: None,
            bot: false,
        };
        let other = PlayerState { name: None, kind, level, bot: false };
        let (players, role) = match self.you() {
            Player::A => (Players { a: you, b: other }, You::A),
            Player::B => (Players { a: other, b: you }, You::B),
        };
        MatchFacts {
            id: self.kept.id.clone(),
            sequence: self.sequence(),
            you: Some(role),
            players,
            result: self.log.play().result().map(MatchResultWire::new),
            invitation: None,
            watch: String::new(),
            public_delay: None,
            rematch: None,
            undo: self.may_undo() && !self.is_full() && !self.has_all_undos(),
            hint: self.may_hint() && (!self.is_full() || self.log.is_hinted(self.sequence())),
            shared_deal: None,
            deal_chosen: self.kept.deal_chosen,
            clocks: None,
            rated: false,
            offline: true,
            created_at: self.kept.created_at.clone(),
        }
    }

    fn played(self, hint: Option<Hint>) -> Played {
        let you = self.you();
        let play = self.log.play();
        let is_reviewable = |index: usize| {
            let game = play.games().get(index);
            game.is_some_and(|game| game.outcome().is_some() && has_table(game.dealt().hands()))
        };
        let viewer = |index| Self::viewer(index, you);
        let state = MatchView::new(&self.log, viewer, is_reviewable, 0, self.facts());
        let begun = self.log.has_acted(|player| player == you)
            || !self.log.marks().is_empty()
            || play.result().is_some();
        let summary = MatchSummary::new(play, begun, self.facts())
            .expect("a person plays the match, so that it has a summary");
        let due = play.to_act() == Some(!you);
        Played { kept: self.kept, state, summary, due, hint }
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a whole number below 2^64: give digits only"))
}

fn text(fault: &LogFault) -> String {
    error_with_causes(fault)
}
