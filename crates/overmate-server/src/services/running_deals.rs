//! Finds the deals of the running matches in which help (undos, hints and analyses) is forbidden to a browser identity. No other match or
//! analysis may give help with these deals.

use overmate_rules::{BySeat, Card, CardSet, Dealt, Game, RuleSet, Seat};

use super::repository::MatchRepository;
use crate::error::ApiError;
use crate::matches::match_state::MatchState;
use crate::store::{Holder, Selection};

/// Least number of cards in each hand with which a late position of a game is compared with running deals. Smaller hands are often a part
/// of a foreign deal by chance, and their values are easy to find without help.
const LEAST_HAND: u32 = 4;

/// Deals of the running matches in which help (undos, hints and analyses) is forbidden to a browser identity, as the cards of both hands in
/// ascending order.
pub(super) struct RunningDeals(Vec<BySeat<Vec<Card>>>);

impl RunningDeals {
    /// Returns the deals of the running matches in which help (undos, hints and analyses) is forbidden to a browser identity.
    pub(super) async fn of(
        repository: &MatchRepository,
        holder: Option<Holder>,
    ) -> Result<Self, ApiError> {
        let Some(holder) = holder else { return Ok(Self(Vec::new())) };
        // If one of the person's running matches is damaged, the server refuses the person undos, hints and analyses, because the match's
        // deal is unknown. The logs are replayed without a permit of the client, also if they are long.
        let states = repository.select(Selection::WithoutHelp { holder }).await?.all()?;
        // Deals that are still hidden from the player are left out. Otherwise the player could find the cards of such a deal by
        // trying which analyses are refused.
        let is_running = |state: &MatchState| state.result().is_none() && !state.hides_deal();
        let running = states.iter().filter(|state| is_running(state)).map(|state| {
            // The games of one round share a deal. Earlier rounds are over.
            let play = state.play();
            play.games()[play.current_index() & !1].dealt()
        });
        Ok(Self::on(running))
    }

    fn on<'a>(running: impl IntoIterator<Item = &'a Dealt>) -> Self {
        Self(running.into_iter().map(|dealt| cards(dealt.rules(), dealt.hands())).collect())
    }

    /// Returns whether the list of deals is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether two given hands may occur in a game on the deal of one of the running matches. Each hand must be a part of a dealt
    /// hand. The rules, the decks and the names of suits and ranks may differ, and the hands may be exchanged between the seats.
    ///
    /// With a custom rule set, the answer is `true` if any match is running. Such a rule set can have the cards of a deal under other suits
    /// and ranks, for example after a rank without cards.
    pub(super) fn contain(&self, rules: &RuleSet, hands: BySeat<CardSet>) -> bool {
        if self.0.is_empty() || rules.base().is_none() {
            return !self.0.is_empty();
        }
        let asked = cards(rules, hands);
        self.0.iter().any(|dealt| may_be_of(&asked, dealt))
    }

    /// Returns whether a given game may be a game on the deal of one of the running matches, or has a position that may occur in such a
    /// game. Two deals have a late position in common if they differ only in cards that are already played.
    pub(super) fn contain_game(&self, game: &Game) -> bool {
        let is_compared = |hands: &BySeat<CardSet>| {
            Seat::BOTH.into_iter().all(|seat| hands[seat].len() >= LEAST_HAND)
        };
        let positions = (0..=game.actions().len()).map(|done| game.after(done).position().hands());
        let mut hands = [game.dealt().hands()].into_iter().chain(positions.filter(is_compared));
        !self.0.is_empty() && hands.any(|hands| self.contain(game.rules(), hands))
    }
}

/// Returns the cards of both hands in ascending order.
///
/// The cards of different published decks are comparable, because they hold the indices of their suits and ranks and not the names. The
/// ranks of one deck, for example, are named after chess pieces. Late positions of two decks can have the same cards.
fn cards(rules: &RuleSet, hands: BySeat<CardSet>) -> BySeat<Vec<Card>> {
    hands.map(|hand| rules.deck().cards_of(hand).collect())
}

/// Returns whether two given hands are parts of the two dealt hands of a deal, in this or in exchanged order.
fn may_be_of(hands: &BySeat<Vec<Card>>, dealt: &BySeat<Vec<Card>>) -> bool {
    // Both lists ascend, so that the search for each card goes on behind the card before.
    let within = |hand: &[Card], dealt: &[Card]| {
        let mut dealt = dealt.iter();
        hand.iter().all(|card| dealt.any(|other| other == card))
    };
    within(&hands.first, &dealt.first) && within(&hands.second, &dealt.second)
        || within(&hands.first, &dealt.second) && within(&hands.second, &dealt.first)
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Action, Deal};

    use super::*;

    #[test]
    fn a_running_deal_is_found_under_the_rules_of_other_decks() {
        let bga = RuleSet::named("bga").expect("a rule set").shared();
        let dealt = Deal::numbered(&bga, 20_010).expect("the deal exists");
        // Aces, tens and kings are in all of the decks.
        let dealt_cards = cards(&bga, dealt.hands())
            .map(|hand| hand.into_iter().filter(|card| card.rank.0 <= 2).collect::<Vec<_>>());
        let running = RunningDeals::on([&dealt]);
        let found = ["bga", "sackson", "rael", "bga+double", "bga+pinochle"].map(|name| {
            let rules = RuleSet::named(name).expect("a rule set");
            let slot = |card: &Card| rules.deck().slots_of(*card).slots().next();
            let hands = BySeat::new_with(|seat| {
                dealt_cards[seat].iter().map(|card| slot(card).expect("it exists")).collect()
            });
            let exchanged = BySeat { first: hands.second, second: hands.first };
            let twice = BySeat { first: hands.first, second: hands.first };
            [hands, exchanged, twice].map(|hands| running.contain(&rules, hands))
        });
        assert_eq!(found, [[true, true, false]; 5]);
    }

    #[test]
    fn a_late_position_is_found_in_a_game_on_another_deal() {
        let bga = RuleSet::named("bga").expect("a rule set").shared();
        let dealt = Deal::numbered(&bga, 20_010).expect("the deal exists");
        let running = RunningDeals::on([&dealt]);
        let BySeat { first, second } = cards(&bga, dealt.hands());
        let mut compared = 0;
        // Two cards of a suit are exchanged between the hands and then played.
        for a in &first {
            for b in second.iter().filter(|card| card.suit == a.suit) {
                let exchanged = |hand: &[Card], out: &Card, new: &Card| {
                    hand.iter().map(|card| if card == out { *new } else { *card }).collect()
                };
                let other =
                    Deal { first: exchanged(&first, a, b), second: exchanged(&second, b, a) };
                let other = Game::new(other.validate(&bga).expect("all cards are dealt"));
                let played = other.clone().play(Action::Play(*b)).expect("any card may be led");
                let played = played.play(Action::Play(*a)).expect("the suit is followed");
                let found = [&other, &played].map(|game| running.contain_game(game));
                assert_eq!(found, [false, true], "{played}");
                compared += 1;
            }
        }
        assert!(compared > 10, "{compared}");
    }

    #[test]
    fn custom_rule_sets_are_refused_during_a_match() {
        let bga = RuleSet::named("bga").expect("a rule set");
        let custom = bga.to_toml().replace("name = \"bga\"", "name = \"own\"");
        let custom = RuleSet::from_toml(&custom).expect("a valid rule set").shared();
        let dealt = Deal::numbered(&custom, 77).expect("the deal exists");
        let running = Deal::numbered(&bga.shared(), 20_010).expect("the deal exists");
        let found = [vec![], vec![running]]
            .map(|deals| RunningDeals::on(&deals).contain(dealt.rules(), dealt.hands()));
        assert_eq!(found, [false, true]);
    }
}
