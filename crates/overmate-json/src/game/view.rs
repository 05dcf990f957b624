//! Converts games to JSON types, with only the cards that one viewer may see.
//!
//! The conversion replays the game step by step through the viewer's own views. All cards are open
//! only in a finished game, and in a game that the viewer sent for an analysis.

use overmate_rules::{
    Action, BySeat, Card, CardSet, Foreplaced, Game, Lead, Mate, Outcome, Phase, Position, RuleSet,
    Seat, Seen, View, Viewer,
};

use super::effects;
use super::forms::{
    Factors, ForeplacedCard, ForeplacedKind, GameState, LeadState, LegalAction, LegalKind,
    Multipliers, NotLegal, OutcomeKind, OutcomeState, PhaseWire, Sides, Step, StepKind,
};
use super::reasons;
use super::words::{self, Consequence};
use crate::{Hands, PlayerWire, SeatWire};

/// Visibility of the cards in the JSON form of a game: only the cards that one viewer may see, or all cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Perspective {
    /// The JSON form shows only the cards that the given viewer may see.
    Of(Viewer),
    /// The JSON form shows all cards, because the game is not part of a running match.
    Open,
}

/// State of a game after an action, with only the cards that the viewer may see.
struct Snapshot {
    hands: BySeat<CardSet>,
    foreplaced: BySeat<Foreplaced>,
    candidates: BySeat<Vec<Card>>,
    leader: Seat,
    lead: Option<Lead>,
    moves: u8,
    phase: Phase,
    free_move_used: bool,
}

impl Snapshot {
    fn of_view(view: &View) -> Self {
        Self {
            hands: BySeat::new_with(|seat| view.hand(seat)),
            foreplaced: BySeat::new_with(|seat| view.foreplaced(seat)),
            candidates: BySeat::new_with(|seat| view.candidates(seat)),
            leader: view.leader(),
            lead: view.lead(),
            moves: view.moves(),
            phase: view.phase(),
            free_move_used: view.free_move_used(),
        }
    }

    fn of_open(position: &Position) -> Self {
        Self {
            hands: position.hands(),
            foreplaced: BySeat::new_with(|seat| position.foreplaced(seat)),
            candidates: BySeat::default(),
            leader: position.leader(),
            lead: position.lead(),
            moves: position.moves(),
            phase: position.phase(),
            free_move_used: position.free_move_used(),
        }
    }
}

impl GameState {
    /// Converts a game to its JSON form, with only the cards that one viewer may see.
    ///
    /// `index` is the index of the game in its match, from 0, and `first` is the player in the seat
    /// *first*.
    #[must_use]
    pub fn of_game(game: &Game, index: usize, first: PlayerWire, perspective: Perspective) -> Self {
        let rules = game.rules();
        // `None` stands for a perspective that shows all cards.
        let viewer = match perspective {
            Perspective::Of(viewer) if game.outcome().is_none() => Some(viewer),
            Perspective::Of(_) | Perspective::Open => None,
        };
        let (now, seen) = if let Some(viewer) = viewer {
            let view = game.view(viewer);
            (Snapshot::of_view(&view), view.actions().to_vec())
        } else {
            let seen = game.actions().iter().copied().map(Seen::Action).collect();
            (Snapshot { phase: game.phase(), ..Snapshot::of_open(game.position()) }, seen)
        };
        let mut steps = Vec::with_capacity(seen.len());
        let mut before = game.after(0);
        for (seen, action) in seen.iter().zip(game.actions()) {
            let Ok(after) = before.clone().play(*action) else { break };
            let hands = match viewer {
                Some(viewer) => {
                    let view = after.view(viewer);
                    BySeat::new_with(|seat| view.hand(seat))
                }
                None => after.position().hands(),
            };
            steps.push(step(&before, &after, *seen, hands));
            before = after;
        }
        let acting = match perspective {
            Perspective::Of(Viewer::Seat(seat)) => game.to_act().filter(|turn| *turn == seat),
            Perspective::Of(Viewer::Spectator) => None,
            Perspective::Open => game.to_act(),
        };
        let actions: Vec<_> = game.legal_actions().collect();
        let check = |action| game.check(action);
        let (legal, not_legal) = acting.map_or_else(Default::default, |seat| {
            choices(game.position(), &now, seat, &actions, &check)
        });
        Self {
            index,
            first,
            deal: Some(crate::deal_number(game.dealt())),
            dealt: Some(Hands::new(rules, game.dealt().hands())),
            steps,
            legal,
            not_legal,
            outcome: game.outcome().map(|outcome| self::outcome(rules, outcome)),
            ..without_past(game.position(), &now)
        }
    }

    /// Returns the JSON form of the game without the deal number, the cards and the legal actions. A game before its first action is shown
    /// in this way while nobody may know its deal.
    #[must_use]
    pub fn without_deal(self) -> Self {
        let hands = Hands { first: Vec::new(), second: Vec::new() };
        let (legal, not_legal) = Default::default();
        Self { deal: None, dealt: None, hands, legal, not_legal, ..self }
    }

    /// Converts a position to the JSON form of a game, without a deal and without earlier actions. All cards are shown.
    #[must_use]
    pub fn of_position(position: &Position) -> Self {
        let now = Snapshot::of_open(position);
        let check = |action| position.check(action);
        let actions: Vec<_> = position.legal_actions().collect();
        let (legal, not_legal) = match now.phase.to_act() {
            Some(seat) => choices(position, &now, seat, &actions, &check),
            None => Default::default(),
        };
        Self { legal, not_legal, ..without_past(position, &now) }
    }
}

/// Converts a position to the JSON type of a game, without the deal, the earlier actions and the legal actions. The
/// JSON shows only the cards of the snapshot.
fn without_past(position: &Position, now: &Snapshot) -> GameState {
    let rules = position.rules();
    // The number of the last possible move depends only on the number of foreplaced cards, which both players know.
    let moves_max = position.last_move();
    GameState {
        index: 0,
        first: PlayerWire::A,
        deal: None,
        dealt: None,
        steps: Vec::new(),
        hands: Hands::new(rules, now.hands),
        foreplaced: Sides {
            first: foreplaced(rules, now, Seat::First),
            second: foreplaced(rules, now, Seat::Second),
        },
        move_number: (now.moves + 1).min(moves_max),
        moves_max,
        leader: now.leader.into(),
        lead: now.lead.map(|lead| lead_state(rules, now, lead)),
        phase: phase(now.phase),
        to_act: now.phase.to_act().map(SeatWire::from),
        legal: Vec::new(),
        not_legal: Vec::new(),
        free_move_used: now.free_move_used,
        multiplier: multiplier(rules, now),
        multiplier_foreplaced: multiplier_foreplaced(rules, now),
        multipliers: multipliers(rules, now, moves_max),
        outcome: position.outcome().map(|outcome| self::outcome(rules, outcome)),
    }
}

fn phase(phase: Phase) -> PhaseWire {
    match phase {
        Phase::Foreplacing(_) => PhaseWire::Foreplace,
        Phase::Lead(_) => PhaseWire::Lead,
        Phase::Follow(_) => PhaseWire::Follow,
        Phase::Over => PhaseWire::Over,
    }
}

fn step(before: &Game, after: &Game, seen: Seen, hands: BySeat<CardSet>) -> Step {
    let rules = before.rules();
    let phase = before.phase();
    let seat = phase.to_act().unwrap_or(Seat::First);
    let is_answer = matches!(phase, Phase::Follow(_));
    let mate = match after.outcome() {
        Some(Outcome::Mate(mate)) => Some(mate),
        Some(Outcome::Draw | Outcome::Resigned { .. }) | None => None,
    };
    let consequence = Consequence {
        won_by: is_answer.then(|| after.position().leader()),
        mate: mate.is_some(),
        overmate: mate.is_some_and(|mate| mate.overmate),
        is_answer,
    };
    let mark = match mate {
        Some(Mate { overmate: true, .. }) => "##",
        Some(_) => "#",
        None => "",
    };
    let (text, kind, card, says) = match seen {
        Seen::FaceDown => ("(?)".to_owned(), StepKind::FaceDown, None, words::face_down(seat)),
        Seen::Action(action) => {
            let text = format!("{}{mark}", rules.action_text(action));
            let says = words::action(rules, seat, action, &consequence);
            (text, step_kind(action, is_answer), action.card(), says)
        }
    };
    Step {
        seat: seat.into(),
        text,
        kind,
        card: card.map(|card| crate::card(rules, card)),
        move_number: match phase {
            Phase::Lead(_) | Phase::Follow(_) => Some(before.position().moves() + 1),
            Phase::Foreplacing(_) | Phase::Over => None,
        },
        says,
        hands: Hands::new(rules, hands),
        answers: after.position().lead().filter(|_| !is_answer).map(|lead| {
            effects::answers(rules, lead, hands[!seat], after.position().free_move_used())
        }),
        won_by: consequence.won_by.map(SeatWire::from),
        mate: consequence.mate,
    }
}

fn step_kind(action: Action, is_answer: bool) -> StepKind {
    match action {
        Action::Decline => StepKind::Decline,
        Action::Foreplace(_) => StepKind::Foreplace,
        Action::Play(_) if is_answer => StepKind::Follow,
        Action::Play(_) => StepKind::Lead,
        Action::Demand(_) => StepKind::Demand,
        Action::Free(_) => StepKind::Free,
    }
}

fn foreplaced(rules: &RuleSet, now: &Snapshot, seat: Seat) -> ForeplacedCard {
    let text = |card: Card| crate::card(rules, card);
    let (kind, card) = match now.foreplaced[seat] {
        Foreplaced::Undecided => (ForeplacedKind::Undecided, None),
        Foreplaced::Nothing => (ForeplacedKind::Nothing, None),
        Foreplaced::Card(card) => (ForeplacedKind::Card, Some(text(card))),
        Foreplaced::FaceDown => (ForeplacedKind::FaceDown, None),
    };
    let candidates = now.candidates[seat].iter().map(|card| text(*card)).collect();
    ForeplacedCard { kind, card, candidates }
}

/// Returns the legal actions of the seat to act, and the other cards of the seat's hand with the reasons why these cards are illegal. The
/// result uses only facts that the seat knows.
fn choices(
    position: &Position,
    now: &Snapshot,
    seat: Seat,
    actions: &[Action],
    check: &dyn Fn(Action) -> Result<(), overmate_rules::Illegal>,
) -> (Vec<LegalAction>, Vec<NotLegal>) {
    let rules = position.rules();
    let deck = rules.deck();
    let hand = position.hand(seat);
    let phase = now.phase;
    let is_answer = matches!(phase, Phase::Follow(_));
    let legal = actions.iter().map(|action| {
        let kind = step_kind(*action, is_answer);
        let lead = match kind {
            StepKind::Lead => action.card().map(|card| Lead { card, demanded: false }),
            StepKind::Demand => action.card().map(|card| Lead { card, demanded: true }),
            StepKind::Decline
            | StepKind::Foreplace
            | StepKind::FaceDown
            | StepKind::Follow
            | StepKind::Free => None,
        };
        let answers =
            lead.map(|lead| effects::answers(rules, lead, now.hands[!seat], now.free_move_used));
        let foreplaced = now.foreplaced.map(Foreplaced::is_card);
        LegalAction {
            action: crate::action(rules, *action),
            kind: match kind {
                StepKind::Decline => LegalKind::Decline,
                StepKind::Foreplace | StepKind::FaceDown => LegalKind::Foreplace,
                StepKind::Lead => LegalKind::Lead,
                StepKind::Demand => LegalKind::Demand,
                StepKind::Follow => LegalKind::Follow,
                StepKind::Free => LegalKind::Free,
            },
            card: action.card().map(|card| crate::card(rules, card)),
            mate: lead.filter(|_| answers.as_ref().is_some_and(|a| a.cards.is_empty())).map(
                |lead| {
                    let mate = rules.mate(seat, lead.card, now.moves + 1, foreplaced);
                    outcome(rules, Outcome::Mate(mate))
                },
            ),
            answers,
            wins: is_answer.then(|| effects::wins(position, seat, *action)),
        }
    });
    let is_legal = |card: Card| actions.iter().any(|action| action.card() == Some(card));
    let asked = |card: Card| match phase {
        Phase::Foreplacing(_) => Action::Foreplace(card),
        Phase::Lead(_) | Phase::Follow(_) | Phase::Over => Action::Play(card),
    };
    let refused = deck.distinct(hand).filter(|card| !is_legal(*card)).filter_map(|card| {
        let illegal = check(asked(card)).err()?;
        let (code, suit, rank) = reasons::code(&illegal);
        Some(NotLegal {
            card: crate::card(rules, card),
            code,
            why: illegal.to_string(),
            suit: suit.map(str::to_owned),
            rank: rank.map(str::to_owned),
        })
    });
    (legal.collect(), refused.collect())
}

/// Returns the score factors of a mate by the leader in the current move, or `None` during foreplacing and after the end of the game.
fn multiplier(rules: &RuleSet, now: &Snapshot) -> Option<Factors> {
    let by = match now.phase {
        Phase::Lead(seat) => seat,
        Phase::Follow(_) => now.leader,
        Phase::Foreplacing(_) | Phase::Over => return None,
    };
    // Any card of the deck serves to compute the score factors of a mate, because the factors do not depend on the mating card.
    let card = *rules.deck().cards().first()?;
    let foreplaced = now.foreplaced.map(Foreplaced::is_card);
    Some(factors(rules.mate(by, card, now.moves + 1, foreplaced)))
}

/// Returns the score factors of a mate in move 1 by the seat to act, under the assumption that the seat foreplaces a card now. Returns
/// `None` after foreplacing.
fn multiplier_foreplaced(rules: &RuleSet, now: &Snapshot) -> Option<Factors> {
    let Phase::Foreplacing(seat) = now.phase else { return None };
    let is_out = BySeat::new_with(|of| of == seat || now.foreplaced[of].is_card());
    // Any card of the deck serves to compute the score factors of a mate, because the factors do not depend on the mating card.
    let card = *rules.deck().cards().first()?;
    Some(factors(rules.mate(seat, card, now.moves + 1, is_out)))
}

/// Returns the factors that multiply the value of a mating card, for each seat and each move from 1 to `last`.
fn multipliers(rules: &RuleSet, now: &Snapshot, last: u8) -> Multipliers {
    let foreplaced = now.foreplaced.map(Foreplaced::is_card);
    // Any card of the deck serves to compute the score factors of a mate, because the factors do not depend on the mating card.
    let of = |seat| {
        rules.deck().cards().first().map_or_else(Vec::new, |card| {
            (1..=last).map(|n| factors(rules.mate(seat, *card, n, foreplaced))).collect()
        })
    };
    Multipliers { first: of(Seat::First), second: of(Seat::Second) }
}

/// Converts a lead to its JSON type, with the follower's possible answers as far as the viewer knows.
fn lead_state(rules: &RuleSet, now: &Snapshot, lead: Lead) -> LeadState {
    LeadState {
        card: crate::card(rules, lead.card),
        demanded: lead.demanded,
        answers: effects::answers(rules, lead, now.hands[!now.leader], now.free_move_used),
    }
}

fn factors(mate: Mate) -> Factors {
    Factors { counts_as: mate.counts_as, doubled: mate.overmate, factor: mate.factor() }
}

fn outcome(rules: &RuleSet, outcome: Outcome) -> OutcomeState {
    let none = OutcomeState {
        kind: OutcomeKind::Draw,
        by: None,
        card: None,
        value: None,
        move_number: None,
        multiplier: None,
        points: 0,
        sum: None,
        points_for_first: outcome.points_for_first(),
    };
    match outcome {
        Outcome::Draw => none,
        Outcome::Resigned { by } => {
            OutcomeState { kind: OutcomeKind::Resigned, by: Some(by.into()), ..none }
        }
        Outcome::Mate(mate) => {
            let doubled = if mate.overmate { " × 2" } else { "" };
            OutcomeState {
                kind: if mate.overmate { OutcomeKind::Overmate } else { OutcomeKind::Mate },
                by: Some(mate.by.into()),
                card: Some(crate::card(rules, mate.card)),
                value: Some(mate.value),
                move_number: Some(mate.move_number),
                multiplier: Some(factors(mate)),
                points: mate.points(),
                sum: Some(format!(
                    "{} × {}{doubled} = {}",
                    mate.value,
                    mate.counts_as,
                    mate.points()
                )),
                ..none
            }
        }
    }
}
