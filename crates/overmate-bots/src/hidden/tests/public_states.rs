//! Tests that public states (states of a game without the hidden cards) agree with the games of the rules crate.

use overmate_rules::{
    BySeat, DealSource, Game, Outcome, Phase, RuleSet, Seat, SeededDeals, Viewer,
};
use overmate_solver::{Budget, DealTable, Solver, ValueForFirst};
use test_sample::cases;

use crate::hidden::tests::{draw, named};
use crate::public_game::cards::bits;
use crate::public_game::history::History;
use crate::public_game::state::NO_CARD;

#[test]
fn histories_agree_with_the_rules() {
    let games = cases(3, 6);
    let names = ["denexa", "denexa+free-move", "denexa+double+free-move", "denexa+kings-privilege"];
    let mut states = 0;
    for (seed, name) in (1u64..).zip(names) {
        let rules = named(name);
        states += play_out(&rules, seed, games);
    }
    // With the foreplacing rules of `denexa`, the rule set `rael+kings-privilege` combines optional demands with a face-down card.
    let mut draft = RuleSet::named("rael+kings-privilege").expect("a published rule set").draft();
    draft.name = "rael, face down".to_owned();
    draft.foreplacing = RuleSet::named("denexa").expect("a published rule set").foreplacing();
    states += play_out(&RuleSet::new(draft).expect("playable").shared(), 9, games);
    assert!(states > 100, "{states}");
}

fn play_out(rules: &std::sync::Arc<RuleSet>, seed: u64, games: u64) -> usize {
    let mut source = SeededDeals::new(seed);
    let mut state = seed;
    let mut states = 0;
    for number in 0..games {
        let mut game = Game::new(source.next_deal(rules));
        let table = DealTable::with_all_cards_open(game.dealt()).expect("20 cards");
        while game.outcome().is_none() {
            let legal: Vec<_> = game.legal_actions().collect();
            // In two of three games, a seat that may foreplace takes a random card out of play. In the other games, the
            // seat takes a random legal action, which may be to decline.
            let at = match game.phase() {
                Phase::Foreplacing(seat) if !(number + seat as u64).is_multiple_of(3) => {
                    1 + draw(&mut state, legal.len() - 1)
                }
                _ => draw(&mut state, legal.len()),
            };
            game = game.play(legal[at]).expect("a legal action");
            for seat in Seat::BOTH {
                states += usize::from(compare(&game, seat, &table));
            }
        }
    }
    states
}

/// Asserts that the public state of a game (the game without hidden cards) agrees with the game in the rules crate. Returns `false` without
/// a check if the view has no public state.
fn compare(game: &Game, viewer: Seat, table: &DealTable) -> bool {
    let view = game.view(Viewer::Seat(viewer));
    let Some(history) = History::of(&view) else { return false };
    let cards = history.cards();
    let now = history.now;
    let seat = view.to_act().expect("the game goes on");
    assert_eq!(now.to_act(), seat, "{view}");
    // A face-down card that leaves the follower without an answer is excluded, because the lead would have ended the game with mate.
    let can_answer =
        |s: Seat| if s == seat { now.types[s] & !now.mated(cards) } else { now.types[s] };
    let candidates: Vec<_> = bits(can_answer(!viewer)).map(|t| cards.card(!viewer, t)).collect();
    assert_eq!(candidates, view.candidates(!viewer), "{view}");
    let mine: Vec<_> = bits(can_answer(viewer)).map(|t| cards.card(viewer, t)).collect();
    assert_eq!(mine, game.view(Viewer::Seat(!viewer)).candidates(viewer), "{view}");
    let others = if now.hides(!viewer) { can_answer(!viewer) } else { NO_CARD };
    for other in bits(others) {
        let card = view.hides_card(!viewer).then(|| cards.card(!viewer, other));
        let imagined = view.imagine(BySeat::new_with(|_| card)).expect("a candidate");
        let types = BySeat::new_with(|s| if s == viewer { history.own } else { other });
        let open = now.open_points_for_first(cards, types);
        let expected = table.value_for_first(imagined.position()).expect("of the deal");
        assert_eq!(open, expected.points(), "{view}");
        let mut of_pair = Vec::new();
        now.each_open_points(cards, |pair, points| {
            of_pair.extend((pair == types).then_some(points));
        });
        assert_eq!(of_pair, [open], "{view}");
        let actions =
            now.actions(cards).into_iter().filter(|action| action.by >> types[seat] & 1 == 1);
        let mut actions: Vec<_> =
            actions.map(|action| now.rules_action(cards, action.action)).collect();
        let mut legal: Vec<_> = imagined.legal_actions().collect();
        actions.sort_unstable();
        legal.sort_unstable();
        assert_eq!(actions, legal, "{view}");
    }
    true
}

#[test]
fn histories_of_pinochle_begin_with_ten_cards_a_hand() {
    let rules = named("denexa+pinochle");
    let mut source = SeededDeals::new(4);
    let mut state = 4;
    let (mut told, mut ended) = (0, 0);
    while told < 8 {
        let mut game = Game::new(source.next_deal(&rules));
        while game.outcome().is_none() {
            let legal: Vec<_> = game.legal_actions().collect();
            let from = usize::from(matches!(game.phase(), Phase::Foreplacing(_)));
            game = game
                .play(legal[from + draw(&mut state, legal.len() - from)])
                .expect("a legal action");
            let view = game.view(Viewer::Seat(Seat::First));
            let Some(history) = History::of(&view) else { continue };
            let cards = history.cards();
            let can_answer = match history.now.to_act() {
                Seat::First => history.now.types.second,
                Seat::Second => history.now.types.second & !history.now.mated(cards),
            };
            let candidates: Vec<_> =
                bits(can_answer).map(|t| cards.card(Seat::Second, t)).collect();
            assert_eq!(candidates, view.candidates(Seat::Second), "{view}");
            let imagined =
                view.imagine(BySeat::new_with(|_| candidates.first().copied())).expect("possible");
            let types = BySeat { first: history.own, second: can_answer.trailing_zeros() };
            let value = Solver::new().value(imagined.position(), &Budget::unlimited());
            assert_eq!(
                value.exact().map(ValueForFirst::points),
                Some(history.now.open_points_for_first(cards, types)),
                "{view}"
            );
            told += 1;
        }
        ended += usize::from(matches!(game.outcome(), Some(Outcome::Mate(_))));
    }
    assert!(ended > 0);
}
