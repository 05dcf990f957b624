//! Defines the reasons why an action lost points, and derives the reason from the position and the best actions.

use overmate_rules::{Action, Card, CardSet, Lead, Phase, Position, Seat};

/// Reason why an action lost points against best play.
///
/// Each reason is a predicate on the position before the action. A reason holds only if the best actions avoid the
/// fault, so a reason is never given for a fault that no action could avoid.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::{Budget, Mistake, Solver};
/// let rules = RuleSet::named("sackson")?.shared();
/// let actions = rules.read_actions("- (Qd) Td 7d 7h Ah Ad Kd Ts As")?;
/// let game = Game::new(Deal::numbered(&rules, 37_047)?).play_all(&actions)?;
/// let review = Solver::new().review(&game, &Budget::unlimited());
/// let lead = &review.actions[8];
/// assert_eq!((lead.lost, lead.mistake), (Some(70), Some(Mistake::MoveLost)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mistake {
    /// The player overlooked a mate: a lead of the given card would have given mate and was a best action.
    MateOverlooked(Card),
    /// The player gave mate, but another mate in the same move, by a lead of the given card, scores more.
    CheaperMate(Card),
    /// The player gave mate, but every best action postpones the mate.
    MateTooEarly,
    /// The player foreplaced (set aside) the wrong card, or wrongly chose between foreplacing and declining.
    Foreplacing,
    /// After the action, the opponent can win the move and then give mate by a lead of the given card. No best action allows such a mate.
    MateAllowed(Card),
    /// The player played their last answer to one or more cards of the opponent, although a best action keeps an answer to each of these
    /// cards. The variant holds these cards.
    LastAnswer(CardSet),
    /// The action lets the opponent win the move, although every best action prevents the opponent from winning the
    /// move.
    MoveLost,
    /// The action ensures that the player leads the next move, although every best action allows the opponent to lead the next move. The
    /// winner of a move leads the next move.
    MoveWon,
}

impl Mistake {
    /// Returns the reason why an action lost points: the first variant of [`Mistake`] that applies. Returns `None` if no reason holds or if
    /// no best action is given.
    #[must_use]
    pub fn of(position: &Position, action: Action, best: &[Action]) -> Option<Self> {
        if best.is_empty() {
            return None;
        }
        let seat = position.to_act()?;
        let reached = position.clone().play(action).ok()?;
        let right: Vec<(Action, Position)> = best
            .iter()
            .filter_map(|&action| Some((action, position.clone().play(action).ok()?)))
            .collect();
        match position.phase() {
            Phase::Foreplacing(_) => Some(Self::Foreplacing),
            Phase::Lead(_) => {
                let mate = right.iter().find(|(_, after)| after.mate().is_some());
                let card = mate.and_then(|(action, _)| action.card());
                match (reached.mate(), card) {
                    (None, Some(card)) => Some(Self::MateOverlooked(card)),
                    (Some(_), Some(card)) => Some(Self::CheaperMate(card)),
                    (Some(_), None) => Some(Self::MateTooEarly),
                    (None, None) => in_the_move(position, seat, action, &reached, &right),
                }
            }
            Phase::Follow(_) => in_the_move(position, seat, action, &reached, &right),
            Phase::Over => None,
        }
    }
}

/// Returns the first applicable reason why `action` lost points, among the reasons that concern the current move or the next lead. Returns
/// `None` if no such reason applies.
fn in_the_move(
    position: &Position,
    seat: Seat,
    action: Action,
    reached: &Position,
    right: &[(Action, Position)],
) -> Option<Mistake> {
    let allowed = reached.mating_card(!seat);
    if let Some(card) = allowed
        && right.iter().all(|(_, after)| after.mating_card(!seat).is_none())
    {
        return Some(Mistake::MateAllowed(card));
    }
    let given_up = answers_given_up(position, seat, action);
    let keeps = |action| (answers_given_up(position, seat, action) & given_up).is_empty();
    if !given_up.is_empty() && right.iter().any(|(action, _)| keeps(*action)) {
        return Some(Mistake::LastAnswer(given_up));
    }
    let wins = reached.wins_move(seat);
    let is_wrong = right.iter().all(|(_, after)| after.wins_move(seat) != wins);
    is_wrong.then_some(if wins { Mistake::MoveWon } else { Mistake::MoveLost })
}

/// Returns the opponent's cards for which the played card was the player's only answer.
fn answers_given_up(position: &Position, seat: Seat, action: Action) -> CardSet {
    let (rules, hand) = (position.rules(), position.hand(seat));
    let deck = rules.deck();
    let played = action.card().and_then(|card| (hand & deck.slots_of(card)).first_slot());
    let Some(played) = played else { return CardSet::EMPTY };
    let kept = hand - CardSet::of_slot(played);
    let leads = position.hand(!seat).slots().filter(|&slot| {
        let lead = Lead { card: deck.card_at(slot), demanded: false };
        let answers = rules.answers_in_order(lead).cards();
        !(answers & hand).is_empty() && (answers & kept).is_empty()
    });
    leads.collect()
}
