//! Converts between a bot's views of games and the messages of the bot protocol.

use std::sync::Arc;

use overmate_bots::{Standing, StandingFault, Thought};
use overmate_json::{action, actions, card, cards};
use overmate_rules::{
    Action, BySeat, Card, Deal, Dealt, Foreplaced, Game, Outcome, Phase, Player, RuleSet, Seat,
    Seen, View, Viewer,
};

use crate::protocol::message_fault::MessageFault;
use crate::protocol::process::shortened;
use crate::protocol::wire::{
    BothWire, ClockWire, GameOverWire, GameWire, LeadWire, OutcomeKindWire, OutcomeWire, PhaseWire,
    PlayerWire, SideWire, ThoughtWire, TurnWire,
};

/// Limits on a bot's time and search nodes for an action, as announced to the bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowance {
    /// Time limit for the bot's answer, in milliseconds.
    pub(super) time_ms: u64,
    /// Clock of the bot in the match, or `None` without a clock.
    pub(super) clock: Option<ClockWire>,
    /// Node limit for the bot's search, or `None` without a limit.
    pub(super) nodes: Option<u64>,
}

/// Returns the message that requests an action from a bot, or `None` if the bot has no action to choose.
pub(super) fn turn(view: &View, standing: Standing, allowance: Allowance) -> Option<TurnWire> {
    let Viewer::Seat(own) = view.viewer() else { return None };
    let rules = view.rules();
    let phase = match view.phase() {
        Phase::Foreplacing(_) => PhaseWire::Foreplace,
        Phase::Lead(_) => PhaseWire::Lead,
        Phase::Follow(_) => PhaseWire::Follow,
        Phase::Over => return None,
    };
    let foreplaced = |seat| match view.foreplaced(seat) {
        Foreplaced::Undecided => None,
        Foreplaced::Nothing => Some("-".to_owned()),
        Foreplaced::Card(placed) => Some(card(rules, placed)),
        Foreplaced::FaceDown => Some("?".to_owned()),
    };
    Some(TurnWire {
        game: game(view, own, standing),
        phase,
        move_number: view.moves() + 1,
        hands: both(own, |seat| cards(rules, view.hand(seat))),
        foreplaced: both(own, foreplaced),
        hidden: view.candidates(!own).into_iter().map(|one| card(rules, one)).collect(),
        leader: side(own, view.leader()),
        lead: view
            .lead()
            .map(|lead| LeadWire { card: card(rules, lead.card), demanded: lead.demanded }),
        free_move: rules.free_move() && !view.free_move_used(),
        legal: actions(rules, &view.legal_actions().collect::<Vec<_>>()),
        time_ms: allowance.time_ms,
        clock: allowance.clock,
        nodes: allowance.nodes,
    })
}

/// Returns the message that reports the end of a game to a bot, or `None` for an unfinished game.
pub(super) fn game_over(view: &View, standing: Standing) -> Option<GameOverWire> {
    let Viewer::Seat(own) = view.viewer() else { return None };
    let outcome = match view.outcome()? {
        Outcome::Mate(mate) => OutcomeWire {
            kind: if mate.overmate { OutcomeKindWire::Overmate } else { OutcomeKindWire::Mate },
            by: Some(side(own, mate.by)),
            points: mate.points(),
        },
        Outcome::Draw => OutcomeWire { kind: OutcomeKindWire::Draw, by: None, points: 0 },
        Outcome::Resigned { by } => {
            OutcomeWire { kind: OutcomeKindWire::Forfeit, by: Some(side(own, by)), points: 0 }
        }
    };
    Some(GameOverWire { game: game(view, own, standing), outcome })
}

/// Returns the description of a game for a message to a bot, with only the facts that the bot may know.
fn game(view: &View, own: Seat, standing: Standing) -> GameWire {
    let rules = view.rules();
    let text = |seen: &Seen| match seen {
        Seen::Action(seen) => action(rules, *seen),
        Seen::FaceDown => FACE_DOWN.to_owned(),
    };
    GameWire {
        game: standing.game + 1,
        games: standing.games,
        seat: own.into(),
        points: BothWire { you: standing.own, other: standing.other },
        dealt: both(own, |seat| cards(rules, view.dealt().hands()[seat])),
        actions: view.actions().iter().map(text).collect(),
    }
}

/// Notation of the opponent's foreplaced card while the card is hidden from the bot.
const FACE_DOWN: &str = "(?)";

/// Calls `make` for the bot's seat and then for the opponent's seat, and returns the pair of results.
fn both<T>(own: Seat, mut make: impl FnMut(Seat) -> T) -> BothWire<T> {
    BothWire { you: make(own), other: make(!own) }
}

/// Returns the side to which a seat belongs: the bot that receives the message, or the bot's opponent.
fn side(own: Seat, seat: Seat) -> SideWire {
    if seat == own { SideWire::You } else { SideWire::Other }
}

/// Reconstructs the bot's view of a game from a message. `forfeited_by` is the side that forfeited
/// the game, if there is one.
///
/// # Errors
///
/// Returns the fault of an invalid message.
pub(super) fn view(
    rules: &Arc<RuleSet>,
    wire: &GameWire,
    forfeited_by: Option<SideWire>,
) -> Result<View, MessageFault> {
    let own = Seat::from(wire.seat);
    let seat_of = |side| match side {
        SideWire::You => own,
        SideWire::Other => !own,
    };
    let dealt = dealt(rules, wire, own)?;
    // A message about an unfinished game does not name the opponent's face-down card. Any card with which all actions of the
    // game are legal can stand for this card, because the view hides the card again.
    let candidates = rules.deck().distinct(dealt.hands()[!own]);
    let guesses = if wire.actions.iter().any(|action| action == FACE_DOWN) {
        candidates.map(Action::Foreplace).collect()
    } else {
        vec![Action::Decline]
    };
    let mut fault = MessageFault::FaceDown;
    for guess in guesses {
        match replay(rules, dealt.clone(), &wire.actions, guess) {
            // A message about an ended game, also about a forfeited game, is faulty if it hides a foreplaced card.
            Ok(game)
                if guess != Action::Decline
                    && (forfeited_by.is_some() || game.outcome().is_some()) =>
            {
                fault = MessageFault::FaceDown;
            }
            Ok(game) => {
                let game = match forfeited_by {
                    Some(side) => game
                        .resign(seat_of(side))
                        .map_err(|error| MessageFault::Forfeit(error.illegal))?,
                    None => game,
                };
                return Ok(game.view(Viewer::Seat(own)));
            }
            Err(wrong) => fault = wrong,
        }
    }
    Err(fault)
}

/// Parses the dealt hands in a message.
fn dealt(rules: &Arc<RuleSet>, wire: &GameWire, own: Seat) -> Result<Dealt, MessageFault> {
    let hand = |texts: &[String]| -> Result<Vec<Card>, MessageFault> {
        let read = |text: &String| rules.deck().read_card(text).map_err(MessageFault::Card);
        texts.iter().map(read).collect()
    };
    let (you, other) = (hand(&wire.dealt.you)?, hand(&wire.dealt.other)?);
    let deal = match own {
        Seat::First => Deal { first: you, second: other },
        Seat::Second => Deal { first: other, second: you },
    };
    Ok(deal.validate(rules)?)
}

/// Replays the actions of a game from a message. The action `hidden` replaces the opponent's foreplacing if the message
/// does not show the foreplaced card.
fn replay(
    rules: &Arc<RuleSet>,
    dealt: Dealt,
    actions: &[String],
    hidden: Action,
) -> Result<Game, MessageFault> {
    let mut game = Game::new(dealt);
    for text in actions {
        let action = if text == FACE_DOWN {
            hidden
        } else {
            rules
                .read_action(text)
                .map_err(|source| MessageFault::Action { action: text.clone(), source })?
        };
        game = game.play(action).map_err(|error| MessageFault::Illegal {
            action: text.clone(),
            source: error.illegal,
        })?;
    }
    Ok(game)
}

/// Parses the standing of a match (game number and points) in a message.
///
/// # Errors
///
/// Returns the fault of an invalid message.
pub(super) fn standing(wire: &GameWire) -> Result<Standing, MessageFault> {
    let &GameWire { game, games, points: BothWire { you, other }, .. } = wire;
    // The index of the game number 0 wraps to an index that no match has.
    let standing = Standing { game: game.wrapping_sub(1), games, own: you, other };
    standing.checked().map_err(|fault| match fault {
        StandingFault::Game { .. } => MessageFault::Game { game, games },
        StandingFault::Points { .. } => MessageFault::Points { you, other },
    })
}

/// Returns the points of both players in a game, as a pair: the points of the seat `own`, and the points of the
/// opponent. Both are 0 in an unfinished game.
pub(super) fn points(view: &View, own: Seat) -> (i32, i32) {
    let for_first = view.outcome().map_or(0, |outcome| outcome.points_for_first());
    let for_own = for_first * own.sign_for_first();
    (for_own.max(0), (-for_own).max(0))
}

/// Returns a phrase that names the current move or phase of a game, such as `in move 3 of game 2`.
pub(super) fn stage(view: &View, standing: Standing) -> String {
    let game = standing.game + 1;
    match view.phase() {
        Phase::Foreplacing(_) => format!("in the foreplacing of game {game}"),
        Phase::Lead(_) | Phase::Follow(_) | Phase::Over => {
            format!("in move {} of game {game}", view.moves() + 1)
        }
    }
}

/// Explains in a sentence why an action is illegal in the game that a player's view shows. Returns `None` if the action breaks no rule.
pub(super) fn why_illegal(view: &View, action: Action) -> Option<String> {
    // The legal actions of a player do not depend on the opponent's face-down card, so any possible card can stand for
    // this card.
    let hidden = BySeat::new_with(|seat| view.candidates(seat).into_iter().next());
    let illegal = view.imagine(hidden)?.check(action).err()?;
    Some(illegal.to_string())
}

impl From<Player> for PlayerWire {
    fn from(player: Player) -> Self {
        match player {
            Player::A => Self::A,
            Player::B => Self::B,
        }
    }
}

impl From<&Thought> for ThoughtWire {
    fn from(thought: &Thought) -> Self {
        Self {
            horizon: thought.horizon,
            expected: thought.expected,
            proved: thought.is_proved,
            reason: thought.reason.clone(),
        }
    }
}

impl From<ThoughtWire> for Thought {
    fn from(wire: ThoughtWire) -> Self {
        let ThoughtWire { horizon, expected, proved, reason } = wire;
        // The reason that a bot gives for its action is shortened and freed of control characters, because the terminal shows this reason.
        let mut thought = Self::because(shortened(&reason));
        thought.horizon = horizon;
        thought.expected = expected;
        thought.is_proved = proved;
        thought
    }
}
