//! Views as messages, and messages as views.

use std::sync::Arc;

use overmate_rules::{
    Action, BySeat, Card, CardSet, Deal, Dealt, Foreplaced, Game, Outcome, Phase, Player, RuleSet,
    Seat, Seen, View, Viewer,
};

use super::wire::{
    BothWire, GameOverWire, GameWire, LeadWire, OutcomeKindWire, OutcomeWire, PhaseWire,
    PlayerWire, SeatWire, ThoughtWire, TurnWire, WhoWire,
};
use overmate_bots::{Standing, Thought};

/// What a bot may spend on an action, as it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowance {
    pub(super) time_ms: u64,
    pub(super) nodes: Option<u64>,
}

/// What a bot is told when it is its turn; `None` if it is not.
pub(super) fn turn(view: &View, standing: Standing, allowance: Allowance) -> Option<TurnWire> {
    let Viewer::Seat(own) = view.viewer() else { return None };
    let rules = view.rules();
    let deck = rules.deck();
    let phase = match view.phase() {
        Phase::Foreplacing(_) => PhaseWire::Foreplace,
        Phase::Lead(_) => PhaseWire::Lead,
        Phase::Follow(_) => PhaseWire::Follow,
        Phase::Over => return None,
    };
    let foreplaced = |seat| match view.foreplaced(seat) {
        Foreplaced::Undecided => None,
        Foreplaced::Nothing => Some("-".to_owned()),
        Foreplaced::Card(card) => Some(deck.card_text(card).to_string()),
        Foreplaced::FaceDown => Some("?".to_owned()),
    };
    Some(TurnWire {
        game: game(view, own, standing),
        phase,
        move_number: view.moves() + 1,
        hands: both(own, |seat| cards(rules, view.hand(seat))),
        foreplaced: both(own, foreplaced),
        hidden: texts(rules, view.candidates(!own)),
        leader: who(own, view.leader()),
        lead: view.lead().map(|lead| LeadWire {
            card: deck.card_text(lead.card).to_string(),
            demanded: lead.demanded,
        }),
        free_move: rules.free_move() && !view.free_move_used(),
        legal: actions(rules, &view.legal_actions()),
        time_ms: allowance.time_ms,
        nodes: allowance.nodes,
    })
}

/// What a bot is told when a game is over; `None` if it is not.
pub(super) fn game_over(view: &View, standing: Standing) -> Option<GameOverWire> {
    let Viewer::Seat(own) = view.viewer() else { return None };
    let outcome = match view.outcome()? {
        Outcome::Mate(mate) => OutcomeWire {
            kind: if mate.overmate { OutcomeKindWire::Overmate } else { OutcomeKindWire::Mate },
            by: Some(who(own, mate.by)),
            points: mate.points(),
        },
        Outcome::Draw => OutcomeWire { kind: OutcomeKindWire::Draw, by: None, points: 0 },
        Outcome::Resigned { by } => {
            OutcomeWire { kind: OutcomeKindWire::Forfeit, by: Some(who(own, by)), points: 0 }
        }
    };
    Some(GameOverWire { game: game(view, own, standing), outcome })
}

fn game(view: &View, own: Seat, standing: Standing) -> GameWire {
    let rules = view.rules();
    let text = |seen: &Seen| match seen {
        Seen::Action(action) => rules.action_text(*action).to_string(),
        Seen::FaceDown => FACE_DOWN.to_owned(),
    };
    GameWire {
        game: standing.game + 1,
        games: standing.games,
        seat: match own {
            Seat::First => SeatWire::First,
            Seat::Second => SeatWire::Second,
        },
        points: BothWire { you: standing.own, other: standing.other },
        dealt: both(own, |seat| cards(rules, view.dealt().hands()[seat])),
        actions: view.actions().iter().map(text).collect(),
    }
}

/// How a card that is foreplaced face down is told.
const FACE_DOWN: &str = "(?)";

fn both<T>(own: Seat, mut make: impl FnMut(Seat) -> T) -> BothWire<T> {
    BothWire { you: make(own), other: make(!own) }
}

fn who(own: Seat, seat: Seat) -> WhoWire {
    if seat == own { WhoWire::You } else { WhoWire::Other }
}

fn cards(rules: &RuleSet, set: CardSet) -> Vec<String> {
    texts(rules, rules.deck().cards_of(set))
}

fn texts(rules: &RuleSet, cards: impl IntoIterator<Item = Card>) -> Vec<String> {
    cards.into_iter().map(|card| rules.deck().card_text(card).to_string()).collect()
}

fn actions(rules: &RuleSet, actions: &[Action]) -> Vec<String> {
    actions.iter().map(|action| rules.action_text(*action).to_string()).collect()
}

/// The view that a message tells of.
///
/// # Errors
///
/// What is wrong with the message, in words.
pub(super) fn view(
    rules: &Arc<RuleSet>,
    wire: &GameWire,
    gave_up: Option<WhoWire>,
) -> Result<View, String> {
    let own = match wire.seat {
        SeatWire::First => Seat::First,
        SeatWire::Second => Seat::Second,
    };
    let seat_of = |who| match who {
        WhoWire::You => own,
        WhoWire::Other => !own,
    };
    let dealt = dealt(rules, wire, own)?;
    // What lies face down is masked again below, so any card will do with which the rest is legal.
    let hidden = rules.deck().distinct(dealt.hands()[!own]);
    let guesses = if wire.actions.iter().any(|action| action == FACE_DOWN) {
        hidden.map(Action::Foreplace).collect()
    } else {
        vec![Action::Decline]
    };
    let mut fault = String::new();
    for guess in guesses {
        match replay(rules, dealt.clone(), &wire.actions, guess) {
            // A mate would have shown the card.
            Ok(game) if guess != Action::Decline && game.outcome().is_some() => {
                "the game is over, and a card lies face down all the same".clone_into(&mut fault);
            }
            Ok(game) => {
                let game = match gave_up {
                    Some(who) => game.resign(seat_of(who)).map_err(|error| error.to_string())?,
                    None => game,
                };
                return Ok(game.view(Viewer::Seat(own)));
            }
            Err(wrong) => fault = wrong,
        }
    }
    Err(fault)
}

fn dealt(rules: &Arc<RuleSet>, wire: &GameWire, own: Seat) -> Result<Dealt, String> {
    let hand = |texts: &[String]| -> Result<Vec<Card>, String> {
        let card = |text: &String| rules.deck().read_card(text).map_err(|error| error.to_string());
        texts.iter().map(card).collect()
    };
    let (you, other) = (hand(&wire.dealt.you)?, hand(&wire.dealt.other)?);
    let deal = match own {
        Seat::First => Deal { first: you, second: other },
        Seat::Second => Deal { first: other, second: you },
    };
    deal.validate(rules).map_err(|faults| faults.to_string())
}

fn replay(
    rules: &Arc<RuleSet>,
    dealt: Dealt,
    actions: &[String],
    hidden: Action,
) -> Result<Game, String> {
    let mut game = Game::new(dealt);
    for text in actions {
        let action = if text == FACE_DOWN {
            hidden
        } else {
            rules.read_action(text).map_err(|error| format!("`{text}`: {error}"))?
        };
        game = game.play(action).map_err(|error| format!("`{text}` is not legal: {error}"))?;
    }
    Ok(game)
}

/// The standing that a message tells of.
///
/// # Errors
///
/// What is wrong with it, in words.
pub(super) fn standing(wire: &GameWire) -> Result<Standing, String> {
    /// More than any match has, and so few that sums and differences of two are numbers, too.
    const MOST: i32 = 1_000_000_000;
    let GameWire { game, games, points, .. } = wire;
    if !(1..=*games).contains(game) || *games > usize::from(u8::MAX) {
        return Err(format!("there is no game {game} of {games}"));
    }
    if [points.you, points.other].iter().any(|points| !(0..=MOST).contains(points)) {
        return Err(format!("{} and {} cannot be the points", points.you, points.other));
    }
    Ok(Standing { game: game - 1, games: *games, own: points.you, other: points.other })
}

/// The points of a game for a seat, and for the other.
pub(super) fn points(view: &View, own: Seat) -> (i32, i32) {
    let for_first = view.outcome().map_or(0, |outcome| outcome.points_for_first());
    let for_own = for_first * own.sign_for_first();
    (for_own.max(0), (-for_own).max(0))
}

/// Where a game stands, in words: `in move 3 of game 2`.
pub(super) fn place(view: &View, standing: Standing) -> String {
    let game = standing.game + 1;
    match view.phase() {
        Phase::Foreplacing(_) => format!("before game {game}"),
        _ => format!("in move {} of game {game}", view.moves() + 1),
    }
}

/// Why an action is not legal in a view, in words.
pub(super) fn why_illegal(view: &View, action: Action) -> Option<String> {
    // Which card lies face down before the other says nothing about what the viewer may do.
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
        Self { horizon, expected, guaranteed: None, is_proved: proved, reason }
    }
}
