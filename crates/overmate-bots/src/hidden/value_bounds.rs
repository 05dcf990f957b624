//! What the seat whose turn it is can be sure of, before anything is solved.

use overmate_rules::Seat;
use overmate_solver::{BudgetExhausted, Meter};

use crate::bot::PointBounds;
use crate::hidden::regret_bound::{Guarantee, RegretBounds, open_of};
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::history::History;
use crate::public_game::state::{PublicAction, PublicState, Successor};

/// What a seat is sure of, whatever lies face down and whatever is played.
pub(crate) struct ValueBounds<'a> {
    cards: &'a HandCards,
    now: PublicState,
    seat: Seat,
    own: u32,
    /// Of how many points.
    pub(crate) sure: PointBounds,
}

impl<'a> ValueBounds<'a> {
    /// Works it out for a seat of this type at a spot, as far as the meter allows; `None` if not even the worst case was seen through.
    ///
    /// Above stands the value with the card shown, in the worst case. Below, what the best single policy gives: whether one gives
    /// so much is asked for the number above first, where the bounds mostly meet, and then by halves.
    pub(crate) fn of(
        cards: &'a HandCards,
        spot: &PublicState,
        seat: Seat,
        own: u32,
        meter: &mut Meter,
    ) -> Option<Self> {
        let now = *spot;
        let shown = open_of(cards, &now, seat, own);
        let at_most = bits(now.types_or_none(!seat)).map(|other| shown[other as usize]).min()?;
        let sure = PointBounds { at_least: at_most, at_most };
        let bracket = Self { cards, now, seat, own, sure };
        if bracket.gives(at_most, meter).ok()? {
            return Some(bracket);
        }
        let (mut known, mut refuted) = (None, at_most);
        let mut step = 1;
        loop {
            let points = match known {
                None => refuted - step,
                Some(known) if refuted - known <= 1 => break,
                Some(known) => known + (refuted - known) / 2,
            };
            match bracket.gives(points, meter) {
                Ok(true) => known = Some(points),
                Ok(false) => (refuted, step) = (points, 2 * step),
                Err(BudgetExhausted) => break,
            }
        }
        let sure = PointBounds { at_least: known?, at_most };
        Some(Self { sure, ..bracket })
    }

    /// Whether one policy gives at least so many points.
    fn gives(&self, points: i32, meter: &mut Meter) -> Result<bool, BudgetExhausted> {
        Guarantee::new(self.cards, self.seat, self.own, [points; 32]).is_kept(&self.now, meter)
    }

    /// Whether an action is sure of more points than these.
    pub(crate) fn gives_more(&self, act: PublicAction, points: i32, meter: &mut Meter) -> bool {
        let branch = self.now.branches(self.cards).into_iter().find(|branch| branch.act == act);
        let mut promise = Guarantee::new(self.cards, self.seat, self.own, [points + 1; 32]);
        branch.is_some_and(|branch| {
            promise.is_kept_after(&self.now, branch, meter).unwrap_or_default()
        })
    }

    /// A clause for a reason.
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

/// The lead that mates whatever lies face down before the other, and its points: of several the one with the most.
pub(crate) fn sure_mate(cards: &HandCards, story: &History) -> Option<(PublicAction, i32)> {
    let now = &story.now;
    if now.lead.is_some() {
        return None;
    }
    let seat = now.to_act();
    let own = if now.hides(seat) { story.own } else { 0 };
    let leads = now.branches(cards).into_iter().filter(|branch| branch.by >> own & 1 == 1);
    let mates = leads.filter_map(|branch| match now.after(cards, branch) {
        Successor::PublicState(next) => (next.mated(cards) == next.types_or_none(!seat))
            .then(|| (branch.act, next.mate_points_for_first(cards) * seat.sign_for_first())),
        Successor::Over(_) => None,
    });
    mates.max_by_key(|(_, points)| *points)
}

/// Where neither player loses anything by not knowing what the other hides: what is best whatever that is. `None` where
/// that is not so.
pub(crate) fn proved(
    cards: &HandCards,
    secured: &mut RegretBounds,
    story: &History,
    meter: &mut Meter,
) -> Result<Option<Vec<PublicAction>>, BudgetExhausted> {
    let (now, seat) = (&story.now, story.now.to_act());
    for other in bits(now.types_or_none(!seat)) {
        if !is_nothing(cards, secured, now, !seat, other, meter)? {
            return Ok(None);
        }
    }
    let shown = open_of(cards, now, seat, story.own);
    let mut promise = Guarantee::new(cards, seat, story.own, shown);
    if !promise.is_kept(now, meter)? {
        return Ok(None);
    }
    let mut best = Vec::new();
    for branch in
        now.branches(cards).into_iter().filter(|b| b.by >> story.own & 1 == 1 || !now.hides(seat))
    {
        if promise.is_kept_after(now, branch, meter)? {
            best.push(branch.act);
        }
    }
    Ok(Some(best))
}

/// Whether a seat of this type loses nothing by not knowing the other's.
fn is_nothing(
    cards: &HandCards,
    secured: &mut RegretBounds,
    spot: &PublicState,
    seat: Seat,
    own: u32,
    meter: &mut Meter,
) -> Result<bool, BudgetExhausted> {
    if spot.types[!seat].count_ones() <= 1 || secured.is_regret(cards, spot, seat, own, 0, meter)? {
        return Ok(true);
    }
    let shown = open_of(cards, spot, seat, own);
    Guarantee::new(cards, seat, own, shown).is_kept(spot, meter)
}
