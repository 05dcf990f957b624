//! Computes bounds on the points that the acting seat can guarantee in every possible world, without building a game tree.

use overmate_rules::Seat;
use overmate_solver::for_bots::{BudgetExhausted, Meter};

use crate::bot::PointBounds;
use crate::hidden::regret_bound::{Guarantee, RegretBounds, open_points};
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::history::History;
use crate::public_game::state::{PublicAction, PublicState, Successor};
use crate::public_game::types::MAX_TYPES;

/// Bounds on the points that a seat can guarantee against every possible face-down card and every play of the opponent.
pub(crate) struct ValueBounds<'a> {
    cards: &'a HandCards,
    now: PublicState,
    seat: Seat,
    own: u32,
    /// Lower and upper bound on the points that the seat can guarantee; points for the opponent are negative.
    pub(crate) sure: PointBounds,
}

impl<'a> ValueBounds<'a> {
    /// Computes bounds on the points that a seat can guarantee, or returns `None` if the budget runs out first.
    ///
    /// The upper bound is the worst value with open cards. The lower bound is the guarantee of one strategy that uses only public
    /// information. The function first tests whether the upper bound is guaranteed, because the bounds are mostly equal. If not, the
    /// function searches downwards in doubling steps for guaranteed points, and then raises the lower bound by bisection.
    pub(crate) fn of(
        cards: &'a HandCards,
        state: &PublicState,
        seat: Seat,
        own: u32,
        meter: &mut Meter,
    ) -> Option<Self> {
        let now = *state;
        let open = open_points(cards, &now.with_type(seat, own), seat);
        let at_most = bits(now.types_or_none(!seat)).map(|other| open[other as usize]).min()?;
        let sure = PointBounds { at_least: at_most, at_most };
        let bounds = Self { cards, now, seat, own, sure };
        if bounds.guarantees(at_most, meter).ok()? {
            return Some(bounds);
        }
        let (mut guaranteed, mut refuted) = (None, at_most);
        let mut step = 1;
        loop {
            let points = match guaranteed {
                None => refuted - step,
                Some(points) if refuted - points <= 1 => break,
                Some(points) => points + (refuted - points) / 2,
            };
            match bounds.guarantees(points, meter) {
                Ok(true) => guaranteed = Some(points),
                Ok(false) => (refuted, step) = (points, 2 * step),
                Err(BudgetExhausted) => break,
            }
        }
        let sure = PointBounds { at_least: guaranteed?, at_most };
        Some(Self { sure, ..bounds })
    }

    /// Returns whether a single strategy guarantees the seat at least `points` points for every possible face-down card of the opponent.
    fn guarantees(&self, points: i32, meter: &mut Meter) -> Result<bool, BudgetExhausted> {
        Guarantee::new(self.cards, self.seat, self.own, [points; MAX_TYPES]).holds(&self.now, meter)
    }

    /// Returns whether an action provably guarantees the acting seat more than `points` points. Returns `false` if the budget runs out.
    pub(crate) fn guarantees_more(
        &self,
        action: PublicAction,
        points: i32,
        meter: &mut Meter,
    ) -> bool {
        let mut actions = self.now.actions(self.cards).into_iter();
        let mut more = Guarantee::new(self.cards, self.seat, self.own, [points + 1; MAX_TYPES]);
        actions
            .find(|typed| typed.action == action)
            .is_some_and(|typed| more.holds_after(&self.now, typed, meter).unwrap_or_default())
    }

    /// Returns an English clause that states the bounds on the points that the seat can guarantee. The clause is a part of a bot's reason
    /// for an action.
    pub(crate) fn words(&self) -> String {
        let PointBounds { at_least, at_most } = self.sure;
        if at_least == at_most {
            format!("; whatever lies there, {at_least} points are sure, and no more")
        } else {
            format!(
                "; whatever lies there, {at_least} points are sure, and with the card shown it would be {at_most}"
            )
        }
    }
}

/// Returns the highest-scoring lead among the leads that give mate for every possible face-down card of the opponent, together with its
/// points. Returns `None` if no lead gives mate for every such card.
pub(crate) fn sure_mate(cards: &HandCards, history: &History) -> Option<(PublicAction, i32)> {
    let now = &history.now;
    if now.lead.is_some() {
        return None;
    }
    let seat = now.to_act();
    let own = if now.hides(seat) { history.own } else { 0 };
    let mates = now.actions_of(cards, own).filter_map(|lead| match now.after(cards, lead) {
        Successor::State(next) => (next.mated(cards) == next.types_or_none(!seat))
            .then(|| (lead.action, next.mate_points_for_first(cards) * seat.sign_for_first())),
        Successor::Over(_) => None,
    });
    mates.max_by_key(|(_, points)| *points)
}

/// Returns the actions that are best in every possible world, or `None` if hidden cards may cost a seat points.
pub(crate) fn proved_best(
    cards: &HandCards,
    regrets: &mut RegretBounds,
    history: &History,
    meter: &mut Meter,
) -> Result<Option<Vec<PublicAction>>, BudgetExhausted> {
    let (now, seat) = (&history.now, history.now.to_act());
    for other in bits(now.types_or_none(!seat)) {
        if !has_no_regret(cards, regrets, now, !seat, other, meter)? {
            return Ok(None);
        }
    }
    let open = open_points(cards, &now.with_type(seat, history.own), seat);
    let mut guarantee = Guarantee::new(cards, seat, history.own, open);
    if !guarantee.holds(now, meter)? {
        return Ok(None);
    }
    let own = if now.hides(seat) { history.own } else { 0 };
    let mut best = Vec::new();
    for action in now.actions_of(cards, own) {
        if guarantee.holds_after(now, action, meter)? {
            best.push(action.action);
        }
    }
    Ok(Some(best))
}

/// Returns whether the secrecy of the opponent's face-down card provably costs a seat no points.
fn has_no_regret(
    cards: &HandCards,
    regrets: &mut RegretBounds,
    state: &PublicState,
    seat: Seat,
    own: u32,
    meter: &mut Meter,
) -> Result<bool, BudgetExhausted> {
    if state.types[!seat].count_ones() <= 1
        || regrets.is_at_most(cards, state, seat, own, 0, meter)?
    {
        return Ok(true);
    }
    let open = open_points(cards, &state.with_type(seat, own), seat);
    Guarantee::new(cards, seat, own, open).holds(state, meter)
}
