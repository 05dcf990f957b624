//! Tests the review of a match in which the human began to play at a position after the start of the first game.

use overmate_rules::{Deal, Match, Record, RuleSet, Seat};
use overmate_solver::{Budget, Solver};

use super::TestTable;
use super::play::play_on;
use crate::begin::POSITION;
use crate::charset::Charset;
use crate::screen::review;
use crate::text::words;

#[test]
fn a_review_leaves_out_the_actions_before_the_given_position() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let dealt = Deal::numbered(&rules, 20_010).unwrap();
    let mut contest = Match::of_one_game(dealt);
    for _ in 0..4 {
        let action = contest.current().position().legal_actions().last().unwrap();
        contest = contest.play(action).unwrap();
    }
    let mut record = Record::new(contest);
    let line = record.played_match().current().position().to_string();
    record.set_header(POSITION, &line).unwrap();
    let mut table = TestTable::of_record(record, true, Charset::Utf8);
    play_on(&mut table);
    let session = table.app.controller.session();
    let found = Solver::new().review(session.game(0), &Budget::unlimited());
    let lost = |from: usize, seat| {
        let own = found.actions.iter().skip(from).filter(|action| action.seat == seat);
        own.map(|action| action.lost.unwrap()).sum::<u32>()
    };
    assert!(Seat::BOTH.iter().any(|seat| lost(0, *seat) > lost(4, *seat)));
    let (own, other) = (words::points(lost(4, session.seat(0))), lost(4, !session.seat(0)));
    table.shows(&[&format!("In this game you lost {own} to best play, Overmate {other}.")]);
    let lines = review::text(&table.app, 0);
    let of_move =
        |number: &str| lines.iter().filter(|line| line.to_string().starts_with(number)).count();
    assert_eq!((of_move(" 1 "), of_move(" 2 ")), (0, 0));
    assert!(of_move(" 3 ") > 0, "{lines:?}");
}
