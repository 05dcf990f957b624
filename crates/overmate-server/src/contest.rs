//! A match as it follows from its log, by the rules.

use std::sync::Arc;

use overmate_bots::BuiltIn;
use overmate_rules::{
    Action, ByPlayer, Deal, Game, Match, MatchResult, Player, RuleSet, Seat, View, Viewer,
};

use crate::store::{Entry, Head, Holder, SeatHead, Sitter, What};

/// A match, replayed up to a sequence.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    head: Arc<Head>,
    sequence: u64,
    play: Match,
    /// Every action that has not been taken back, in order.
    acts: Vec<Acted>,
    /// The sequence that began each game: 0 for the first.
    begun: Vec<u64>,
    marks: Vec<Marked>,
    offered_by: Option<Player>,
    rematch: Option<String>,
}

/// An action, by where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Acted {
    player: Player,
    game: usize,
    /// How many actions of the game came before it.
    before: usize,
}

/// Something that the record of the match says besides its actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Marked {
    pub(crate) sequence: u64,
    pub(crate) player: Player,
    /// An undo; otherwise a hint.
    pub(crate) is_undo: bool,
    /// Where the match stood then.
    pub(crate) game: usize,
    /// How many actions of that game it follows.
    pub(crate) after: usize,
}

/// Who looks at a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Role {
    /// A browser that holds a seat.
    Player(Player),
    /// A browser that holds both.
    Both,
    /// Somebody with the spectators' link.
    Spectator,
}

/// Why an entry does not follow from the log before it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("the match is over")]
    Over,
    #[error("it is the other player's turn")]
    NotYourTurn,
    #[error("{0}")]
    NotReadable(String),
    #[error("{0}")]
    Illegal(String),
    #[error("there is nothing to take back")]
    NothingToUndo,
    #[error("it is not possible here")]
    NotHere,
}

/// A stored match that cannot be: a fault of the store.
#[derive(Debug, thiserror::Error)]
#[error("match {id} cannot be replayed: {why}")]
pub(crate) struct Unplayable {
    id: String,
    why: String,
}

impl Contest {
    /// The match before anything has happened.
    pub(crate) fn new(head: Arc<Head>) -> Result<Self, Unplayable> {
        let unplayable = |why: String| Unplayable { id: head.id.clone(), why };
        let rules = RuleSet::named(&head.rules).map_err(|fault| unplayable(fault.to_string()))?;
        let rules = rules.shared();
        if head.deals.len() != usize::from(rules.rounds()) {
            return Err(unplayable("it has not one deal for each round".to_owned()));
        }
        let deals = head.deals.iter().map(|number| Deal::numbered(&rules, *number));
        let deals: Result<Vec<_>, _> = deals.collect();
        let deals = deals.map_err(|faults| unplayable(faults.to_string()))?;
        let play = Match::with_deals(rules.rounds().saturating_mul(2), deals)
            .map_err(|fault| unplayable(fault.to_string()))?;
        Ok(Self {
            head,
            sequence: 0,
            play,
            acts: Vec::new(),
            begun: vec![0],
            marks: Vec::new(),
            offered_by: None,
            rematch: None,
        })
    }

    /// The match after what happened next, read from the store.
    pub(crate) fn replay(mut self, entries: &[Entry]) -> Result<Self, Unplayable> {
        for entry in entries {
            let id = self.head.id.clone();
            let why = |refused: Refused| Unplayable { id, why: refused.to_string() };
            self = self.with(entry).map_err(why)?;
        }
        Ok(self)
    }

    /// The same match with other sitters: after somebody joined.
    pub(crate) fn with_head(self, head: Arc<Head>) -> Self {
        Self { head, ..self }
    }

    /// The match after one more entry, if that follows.
    pub(crate) fn with(&self, entry: &Entry) -> Result<Self, Refused> {
        if entry.sequence != self.sequence + 1 {
            return Err(Refused::NotHere);
        }
        let mut next = self.clone();
        next.sequence = entry.sequence;
        next.apply(entry)?;
        next.begun.resize(next.play.games().len(), entry.sequence);
        Ok(next)
    }

    fn apply(&mut self, entry: &Entry) -> Result<(), Refused> {
        let Entry { player, what, .. } = entry;
        let over = self.result().is_some();
        match what {
            What::Act(_) | What::Resign | What::Undo | What::Hint if over => Err(Refused::Over),
            What::Act(text) => self.act(*player, text),
            What::Resign => {
                self.play = self.play.clone().resign(*player).map_err(|_| Refused::Over)?;
                Ok(())
            }
            What::Undo => self.undo(entry.sequence, *player),
            What::Hint => {
                self.mark(entry.sequence, *player, false);
                Ok(())
            }
            What::Join => Ok(()),
            What::Offer if !over || self.offered_by.is_some() => Err(Refused::NotHere),
            What::Offer => {
                self.offered_by = Some(*player);
                Ok(())
            }
            What::Accept(_) if !over || self.rematch.is_some() => Err(Refused::NotHere),
            What::Accept(id) => {
                self.offered_by.get_or_insert(*player);
                self.rematch = Some(id.clone());
                Ok(())
            }
        }
    }

    fn act(&mut self, player: Player, text: &str) -> Result<(), Refused> {
        if self.play.to_act() != Some(player) {
            return Err(Refused::NotYourTurn);
        }
        let action = self.rules().read_action(text);
        let action = action.map_err(|error| Refused::NotReadable(error.to_string()))?;
        let acted = Acted {
            player,
            game: self.play.current_index(),
            before: self.play.current().actions().len(),
        };
        let next = self.play.clone().play(action);
        self.play = next.map_err(|error| Refused::Illegal(error.illegal.to_string()))?;
        self.acts.push(acted);
        Ok(())
    }

    /// Back to where the player decided last.
    fn undo(&mut self, sequence: u64, player: Player) -> Result<(), Refused> {
        let last = self.acts.iter().rposition(|acted| acted.player == player);
        let last = last.ok_or(Refused::NothingToUndo)?;
        let Acted { game, before, .. } = self.acts[last];
        self.play = self.play.after(game, before).ok_or(Refused::NothingToUndo)?;
        self.acts.truncate(last);
        self.mark(sequence, player, true);
        Ok(())
    }

    fn mark(&mut self, sequence: u64, player: Player, is_undo: bool) {
        self.marks.push(Marked {
            sequence,
            player,
            is_undo,
            game: self.play.current_index(),
            after: self.play.current().actions().len(),
        });
    }

    pub(crate) fn head(&self) -> &Arc<Head> {
        &self.head
    }

    pub(crate) fn id(&self) -> &str {
        &self.head.id
    }

    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }

    pub(crate) fn play(&self) -> &Match {
        &self.play
    }

    pub(crate) fn rules(&self) -> &Arc<RuleSet> {
        self.play.rules()
    }

    pub(crate) fn result(&self) -> Option<MatchResult> {
        self.play.result()
    }

    /// How many of the finished games were finished at an earlier sequence, and are as they were then.
    pub(crate) fn finished_at(&self, sequence: u64) -> usize {
        if sequence > self.sequence {
            return 0;
        }
        self.begun.iter().skip(1).take_while(|begun| **begun <= sequence).count()
    }

    pub(crate) fn to_act(&self) -> Option<Player> {
        self.play.to_act()
    }

    pub(crate) fn marks(&self) -> &[Marked] {
        &self.marks
    }

    pub(crate) fn offered_by(&self) -> Option<Player> {
        self.offered_by
    }

    pub(crate) fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    pub(crate) fn seats(&self) -> &ByPlayer<SeatHead> {
        &self.head.seats
    }

    /// The opponent within the program that is to act, and its seed.
    pub(crate) fn bot_to_act(&self) -> Option<(Player, BuiltIn, u64)> {
        let player = self.to_act()?;
        match self.seats()[player].sitter {
            Sitter::Bot(bot, seed) => Some((player, bot, seed)),
            Sitter::Open | Sitter::Holder(_) => None,
        }
    }

    /// Whether two people play, or one waits for another.
    pub(crate) fn is_between_people(&self) -> bool {
        match (self.seats().a.sitter, self.seats().b.sitter) {
            (Sitter::Bot(..), _) | (_, Sitter::Bot(..)) => false,
            (Sitter::Holder(a), Sitter::Holder(b)) => a != b,
            _ => true,
        }
    }

    /// Who this browser is here.
    pub(crate) fn role_of(&self, holder: Option<Holder>) -> Option<Role> {
        let holder = Sitter::Holder(holder?);
        let seats = self.seats();
        match (seats.a.sitter == holder, seats.b.sitter == holder) {
            (true, true) => Some(Role::Both),
            (true, false) => Some(Role::Player(Player::A)),
            (false, true) => Some(Role::Player(Player::B)),
            (false, false) => None,
        }
    }

    /// Whose last action is taken back if this role asks for it now.
    ///
    /// Never one of a game that is over: its points are written down, and its cards have been shown.
    pub(crate) fn undone_by(&self, role: Role) -> Option<Player> {
        if self.result().is_some() || self.is_between_people() {
            return None;
        }
        let current = self.play.current_index();
        let mut own = self.acts.iter().rev().take_while(|acted| acted.game == current);
        let last = own.find(|acted| role == Role::Both || role == Role::Player(acted.player));
        last.map(|acted| acted.player)
    }

    /// Whether this viewer may have a hint now.
    pub(crate) fn may_hint(&self, role: Role) -> bool {
        let is_turn = match role {
            Role::Player(player) => self.to_act() == Some(player),
            Role::Both => self.to_act().is_some(),
            Role::Spectator => false,
        };
        is_turn && !self.is_between_people()
    }

    /// Whether the last hint was for this very position.
    pub(crate) fn is_hinted(&self) -> bool {
        let here = (self.play.current_index(), self.play.current().actions().len());
        let last = self.marks.last();
        last.is_some_and(|mark| {
            !mark.is_undo && mark.sequence == self.sequence && (mark.game, mark.after) == here
        })
    }

    /// With whose eyes this role sees the game of an index. Who holds both seats sees as the one whose turn it is.
    pub(crate) fn viewer(&self, index: usize, role: Role) -> Viewer {
        match role {
            Role::Player(player) => Viewer::Seat(Match::seat(index, player)),
            Role::Both => {
                let game = &self.play.games()[index];
                game.to_act().map_or(Viewer::Seat(Seat::First), Viewer::Seat)
            }
            Role::Spectator => Viewer::Spectator,
        }
    }

    /// The game of an index as this role may see it.
    pub(crate) fn view(&self, index: usize, role: Role) -> View {
        self.play.games()[index].view(self.viewer(index, role))
    }

    /// Whether exact values of the game of an index may be told to anybody: it is over, and so is the other game of its deal,
    /// if two people play.
    pub(crate) fn may_review(&self, index: usize) -> bool {
        let games = self.play.games();
        let is_over =
            |index: usize| games.get(index).is_some_and(|game: &Game| game.outcome().is_some());
        let other = index ^ 1;
        is_over(index) && (self.result().is_some() || !self.is_between_people() || is_over(other))
    }

    /// The action of a text, if this is the place for it.
    pub(crate) fn read(&self, text: &str) -> Option<Action> {
        self.rules().read_action(text).ok()
    }
}
