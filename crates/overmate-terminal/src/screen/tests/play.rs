//! Tests of the player's commands on the full-screen display, and of the texts and popups that the commands
//! produce.

use std::sync::atomic::Ordering;

use overmate_bots::Thought;
use overmate_rules::{Action, Card, Deal, Match, RuleSet};
use overmate_solver::{Budget, Solver};
use ratatui::crossterm::event::KeyCode;

use super::{TestTable, answered_with};
use crate::play::opponent::OpponentAction;
use crate::screen::app::CursorTarget;
use crate::screen::intent::Intent;
use crate::screen::workers::{Request, WorkerAnswer};
use crate::text::notation::Notation;
use crate::text::words;

/// Plays the human's first legal action repeatedly until a popup opens.
pub(super) fn play_on(table: &mut TestTable) {
    while table.app.popup.is_none() && table.app.controller.to_act().is_some() {
        let action = table.legal()[0];
        let text = table.app.controller.rules().action_text(action).to_string();
        table.types(&text);
    }
}

#[test]
fn a_match_is_played_with_the_arrows_and_enter() {
    let mut table = TestTable::new("sackson", [20_010, 77], true);
    table.shows(&["Foreplace a card, or nothing", "[-] foreplace nothing"]);
    table.key(KeyCode::Enter);
    table.shows(&["You foreplace nothing. Overmate foreplaces nothing.", "Move 1: you lead"]);
    table.key(KeyCode::Right);
    table.shows(&["K♣, king of clubs, 4 points. Enter leads it. Should it mate: 4 × 1 = 4."]);
    table.key(KeyCode::Down);
    table.key(KeyCode::Left);
    table.key(KeyCode::Up);
    table.key(KeyCode::Enter);
    assert_eq!(table.actions().split(' ').nth(2), Some("Tc"));
    for game in 1..=4 {
        play_on(&mut table);
        let title = if game < 4 { "is over".to_owned() } else { "The match is over".to_owned() };
        table.shows(&[&title, "In this game you lost "]);
        if game == 1 {
            table.shows(&["Next: the same deal with the hands exchanged."]);
            table.key(KeyCode::Enter);
            table.shows(&["Game 2 of 4: Overmate leads", "The hands are exchanged"]);
            assert!(!table.is_first());
        } else {
            table.key(KeyCode::Enter);
        }
    }
    assert!(table.app.leaving.is_some());
    let kept = table.kept().unwrap();
    assert_eq!(kept, table.app.controller.session().record().to_string());
}

#[test]
fn an_illegal_card_shows_the_reason() {
    let mut table = TestTable::new("bga", [20_010, 77], true);
    // In the second game the opponent leads first, so that some cards of the human are not legal answers.
    play_on(&mut table);
    table.key(KeyCode::Enter);
    let legal = table.legal();
    let snapshot = table.app.snapshot();
    let deck = snapshot.game.rules().deck();
    let hand = snapshot.view.hand(snapshot.own);
    let other = deck.distinct(hand).find(|card| !legal.contains(&Action::Play(*card))).unwrap();
    let why = snapshot.game.check(Action::Play(other)).unwrap_err().to_string();
    let before = table.actions();
    table.click_text(&format!(" {} ", table.app.faces.card(other)));
    // The test also moves the cursor to the illegal card, because the mouse click may have hit another place with the card's text.
    table.app.cursor = CursorTarget::Card(other);
    table.draw();
    table.shows(&[&format!("Not legal: {why}.")]);
    table.key(KeyCode::Enter);
    table.shows(&[&format!("Not legal: {why}.")]);
    assert_eq!(table.actions(), before);
}

#[test]
fn demands_and_free_moves_open_a_choice() {
    let mut table = TestTable::new("rael+kings-privilege+no-foreplacing", [20_010, 77], true);
    let demand = table.legal().into_iter().find(|action| matches!(action, Action::Demand(_)));
    let card = demand.unwrap().card().unwrap();
    table.app.cursor = CursorTarget::Card(card);
    table.key(KeyCode::Enter);
    let text = table.shown_card(card);
    table.shows(&[
        "Your choice",
        &format!("Play {text} as usual"),
        &format!("Lead {text} and demand a king"),
        "Back",
    ]);
    table.key(KeyCode::Down);
    table.key(KeyCode::Enter);
    assert!(table.actions().contains('!'), "{}", table.actions());

    // A popup asks the player to confirm a free move, and the Esc key closes this popup without an action.
    for deal in 0..50 {
        let mut table = TestTable::new("bga+free-move", [deal, 77], true);
        play_on(&mut table);
        table.key(KeyCode::Enter);
        let free = table.legal().into_iter().find(|action| matches!(action, Action::Free(_)));
        let Some(card) = free.and_then(Action::card) else { continue };
        let face = table.app.faces.card(card);
        table.shows(&[&format!("*{face}*")]);
        table.app.cursor = CursorTarget::Card(card);
        let before = table.actions();
        table.key(KeyCode::Enter);
        table.shows(&[&format!("Answer {} by the free move", table.shown_card(card))]);
        table.key(KeyCode::Esc);
        assert_eq!(table.actions(), before);
        table.key(KeyCode::Enter);
        table.key(KeyCode::Enter);
        assert!(table.actions().contains('*'), "{}", table.actions());
        return;
    }
    panic!("no deal with a free move");
}

#[test]
fn hints_are_exact_and_marked_in_the_record() {
    for rules in ["sackson", "bga+double", "rael"] {
        let mut table = TestTable::new(rules, [20_010, 77], true);
        table.keys("i");
        let snapshot = table.app.snapshot();
        let advice = Solver::new().advise(&snapshot.view, &Budget::unlimited()).unwrap();
        assert_eq!(advice.actions.len(), snapshot.legal().len());
        let shown = table.shown();
        for action in &advice.actions {
            let value = words::signed(&action.worst, snapshot.own);
            let found = match action.action.card() {
                Some(card) => notes_on(&table, card).contains(&value),
                None => shown.contains(&format!("[-] nothing {value}")),
            };
            assert!(found, "{:?} {value} is not in\n{shown}", action.action);
        }
        assert_eq!(shown.matches('★').count(), 1, "{shown}");
        let first = snapshot.game.rules().action_text(snapshot.legal()[0]).to_string();
        table.types(&first);
        assert!(table.kept().unwrap().contains("{hint}"));
        assert!(!table.shown().contains('★'), "{}", table.shown());
    }
}

#[test]
fn a_small_screen_shows_the_recommended_actions_before_the_reason() {
    let mut table = TestTable::new("denexa", [20_010, 77], true);
    table.app.follow(Intent::Act(Action::Decline)).unwrap();
    table.settle(|_| 1);
    for (width, height) in [(60, 20), (80, 24), (200, 60)] {
        table.resize(width, height);
        table.keys("i");
        table.shows(&["Overmate would"]);
    }
    let long = "The beginning stays. ".to_owned() + &"words ".repeat(300);
    table.app.say(long.as_str());
    table.draw();
    table.shows(&["The beginning stays.", "words …"]);
    table.app.say("A short message.");
    table.draw();
    table.shows(&["A short message."]);
    assert!(!table.shown().contains("words"), "{}", table.shown());
}

/// Returns the numbers, as text, that the screen shows below the rank and suit of a playable card of the human.
fn notes_on(table: &TestTable, card: Card) -> Vec<String> {
    let face = table.app.faces.card(card);
    let rows: Vec<Vec<char>> = table.shown().lines().map(|line| line.chars().collect()).collect();
    let (row, column) = rows
        .iter()
        .enumerate()
        .find_map(|(row, line)| {
            let is_own = |at: &usize| {
                let text: String = line[*at..].iter().skip(1).take(2).collect();
                "[(*▸".contains(line[*at]) && text == face
            };
            Some((row, (0..line.len()).find(is_own)?))
        })
        .unwrap();
    let near = rows[row + 1..row + 4].iter().map(|line| {
        let end = (column + 8).min(line.len());
        line[column.saturating_sub(1).min(end)..end].iter().collect::<String>()
    });
    let text = near.collect::<Vec<_>>().join(" ");
    text.split(|sign: char| !sign.is_ascii_digit() && !"+-".contains(sign))
        .map(str::to_owned)
        .collect()
}

#[test]
fn looking_back_plays_nothing_and_returns_to_the_present() {
    let mut table = TestTable::new("sackson", [20_010, 77], true);
    for _ in 0..3 {
        let action = table.app.controller.rules().action_text(table.legal()[0]).to_string();
        table.types(&action);
    }
    let before = table.actions();
    let present = table.shown();
    let count = before.split(' ').count();
    for back in 1..=count {
        table.keys("[");
        table.shows(&[&format!("Looking back: {} of {count} actions", count - back)]);
    }
    table.keys("[");
    table.key(KeyCode::Enter);
    table.shows(&["You are looking back. Esc returns to the present, where you can play."]);
    table.keys("-!*i");
    assert_eq!(table.actions(), before);
    table.key(KeyCode::Esc);
    let now = table.shown();
    let board = |text: &str| text.lines().take(20).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(board(&now), board(&present));

    // The test clicks an action in the list of moves to look back, and then clicks the text `Esc present` to return to the present.
    table.click_text("f ●-");
    assert!(table.app.past.is_none(), "the number of a move is not a place");
    table.click_text("●-");
    table.shows(&["Looking back: 1 of "]);
    table.click_text("Esc present");
    assert!(table.app.past.is_none());
    table.key(KeyCode::Home);
    table.shows(&["Looking back: 0 of "]);
    table.key(KeyCode::End);
    assert!(table.app.past.is_none());
}

#[test]
fn a_review_shows_the_loss_of_each_action() {
    let mut table = TestTable::new("sackson", [20_010, 77], true);
    table.keys("r");
    table.shows(&["There is no game to review yet"]);
    play_on(&mut table);
    table.key(KeyCode::Down);
    table.key(KeyCode::Enter);
    let session = table.app.controller.session();
    let review = Solver::new().review(session.game(0), &Budget::unlimited());
    let lost = |seat| {
        let own = review.actions.iter().filter(|action| action.seat == seat);
        own.map(|action| action.lost.unwrap()).sum::<u32>()
    };
    let (own, other) = (lost(session.seat(0)), lost(!session.seat(0)));
    let sum =
        format!("In this game you lost {} to best play, Overmate {other}.", words::points(own));
    table.resize(132, 60);
    table.shows(&["Review of game 1 of 4", &sum]);
    for action in &review.actions {
        let text = Notation::Symbols.action(table.app.controller.rules(), action.action);
        table.shows(&[&text]);
        if let Some(lost @ 1..) = action.lost {
            table.shows(&[&format!("lost {lost}; best: ")]);
        }
    }
    // The reasons for the human's lost points appear above those for the opponent's lost points.
    let shown = table.shown();
    let popup = shown.lines().filter_map(|line| line.split('│').nth(1));
    let popup = popup.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let human = table.app.controller.session().seat(0);
    let (mut reasons, mut last_own, mut first_other) = (0, 0, usize::MAX);
    for action in &review.actions {
        let Some(mistake) = action.mistake else { continue };
        let why = words::mistake(table.app.controller.rules(), mistake, Notation::Symbols);
        let why = format!(": {why} (lost {}).", words::points(action.lost.unwrap()));
        let name = if action.seat == human { "You" } else { "Overmate" };
        let text = Notation::Symbols.action(table.app.controller.rules(), action.action);
        // The test searches for each sentence of the review in two parts: the text before and the text after the move number.
        // Foreplacing has no move number.
        let sentence = [format!("{name}, {text}"), why];
        let at = popup.match_indices(&sentence[0]).find(|(at, _)| {
            let rest = &popup[at + sentence[0].len()..];
            rest.find(&sentence[1]) == rest.find(':')
        });
        let (at, _) = at.unwrap_or_else(|| panic!("{sentence:?}\n{shown}"));
        reasons += 1;
        if action.seat == human {
            last_own = last_own.max(at);
        } else {
            first_other = first_other.min(at);
        }
    }
    assert!(reasons > 0 && last_own < first_other, "{shown}");
    assert!(own + other > 0);
}

#[test]
fn a_review_between_the_games_of_a_deal_is_marked_as_a_hint() {
    let mut table = TestTable::new("bga", [20_010, 77], true);
    let notes = |table: &TestTable| table.app.controller.session().record().notes().to_vec();
    play_on(&mut table);
    assert_eq!(notes(&table), []);
    table.key(KeyCode::Down);
    table.key(KeyCode::Enter);
    table.resize(132, 60);
    table.shows(&["Review of game 1 of 4", "the record marks this review as a hint"]);
    table.key(KeyCode::Esc);
    // The first two games have the same deal, so the record counts a review of the first game as a hint in the second game. The opponent
    // leads first in the second game, so the note of the hint follows the second action.
    table.key(KeyCode::Enter);
    assert!(table.kept().unwrap().contains("{hint}"), "{}", table.kept().unwrap());
    let before = table.actions();
    let answer = table.app.controller.rules().action_text(table.legal()[0]).to_string();
    table.types(&answer);
    assert_eq!(before.split(' ').count(), 1, "{before}");
    let marked = notes(&table);
    assert_eq!(marked.len(), 1, "{marked:?}");
    assert_eq!((marked[0].game, marked[0].after), (1, 2));

    // The record does not mark a review as a hint if both games with the reviewed deal are over.
    play_on(&mut table);
    table.key(KeyCode::Down);
    table.key(KeyCode::Enter);
    table.shows(&["Review of game 2 of 4"]);
    assert!(!table.shown().contains("the record marks this review as a hint"), "{}", table.shown());
    assert_eq!(notes(&table), marked);
}

#[test]
fn the_opponent_waits_while_the_end_of_a_game_is_shown() {
    let mut table = TestTable::new("bga", [20_010, 77], true);
    play_on(&mut table);
    assert_eq!(table.actions(), "");
    // Closing the review opens the popup with the result of the game again.
    table.key(KeyCode::Down);
    table.key(KeyCode::Enter);
    table.shows(&["Review of game 1 of 4"]);
    table.key(KeyCode::Esc);
    table.shows(&["Game 1 of 4 is over", "Next game"]);
    assert_eq!(table.actions(), "");
    table.click_text("Look at its moves");
    table.shows(&["Looking back: 0 of "]);
    table.key(KeyCode::Esc);
    // Even the smallest screen shows the message that the opponent leads first in the second game.
    table.resize(60, 20);
    table.shows(&["Overmate leads T♣."]);
    table.shows(&["Game 2 of 4", "Move 1: Overmate leads "]);
    assert_eq!(table.actions().split(' ').count(), 1);
}

#[test]
fn the_footer_offers_only_steps_that_change_the_shown_moment() {
    let mut table = TestTable::new("bga", [20_010, 77], true);
    let offered = |table: &mut TestTable| {
        let footer = table.shown();
        ["[ back", "] on"].map(|key| footer.contains(key))
    };
    assert_eq!(offered(&mut table), [false, false], "the beginning of the match");
    play_on(&mut table);
    table.click_text("Look at its moves");
    table.shows(&["Looking back: 0 of "]);
    assert_eq!(offered(&mut table), [false, true], "the first state");
    table.keys("]");
    assert_eq!(offered(&mut table), [true, true], "the second state");
    table.key(KeyCode::Esc);
    table.settle(|_| 0);
    assert_eq!(offered(&mut table), [true, false], "the present");
}

#[test]
fn the_screen_does_not_depend_on_a_hidden_card() {
    let mut screens = Vec::new();
    for choice in 1..=3 {
        let mut table = TestTable::new("denexa", [20_010, 77], true);
        table.app.follow(Intent::Act(Action::Decline)).unwrap();
        table.settle(|_| choice);
        table.shows(&["Overmate foreplaces a card face down", "(?)"]);
        let snapshot = table.app.snapshot();
        for card in snapshot.view.candidates(!snapshot.own) {
            table.shows(&[&format!(" {}?", table.app.faces.card(card))]);
        }
        let mut shown = table.shown();
        for keys in ["?", "o", "s", "w", "["] {
            table.keys(keys);
            shown.push_str(&table.shown());
            table.key(KeyCode::Esc);
        }
        screens.push(shown);
    }
    assert!(screens.windows(2).all(|pair| pair[0] == pair[1]), "{}", screens.join("\n"));
}

#[test]
fn an_explanation_is_shown_and_marked_in_the_record() {
    let mut table = TestTable::new("bga", [20_010, 77], true);
    table.keys("w");
    table.shows(&["Why Overmate did that", "Overmate has not done anything yet."]);
    table.key(KeyCode::Esc);
    let lead = table.legal()[0];
    table.app.follow(Intent::Act(lead)).unwrap();
    let requests = table.app.take_requests();
    let [Request::Act { ticket, asked, .. }] = requests.as_slice() else {
        panic!("the opponent is asked, and nobody else");
    };
    let action = asked.view.legal_actions().next().unwrap();
    let mut thought = Thought::because("has this from a book");
    thought.horizon = Some(2);
    thought.expected = Some(-8.0);
    let answered = Ok(OpponentAction { action, thought, in_doubt: false });
    table.app.receive(WorkerAnswer::Acted { ticket: *ticket, answered }).unwrap();
    table.settle(|_| 0);
    assert!(!table.kept().unwrap().contains("{hint}"));
    // The test steps back to the position just after the opponent's answer, because the opponent may already have led to the next move.
    table.keys("[[[");
    table.keys("]]w");
    let answer = Notation::Symbols.action(table.app.controller.rules(), action);
    table.shows(&[
        &format!("Overmate played {answer} in move 1."),
        "Its reason: has this from a book.",
        "It searched 2 moves ahead and estimated the rest.",
        "It expects to lose 8 points in this game.",
        "This is an estimate, which is not proved.",
    ]);
    assert!(table.kept().unwrap().contains("{hint}"));

    // An undo also removes the opponent's logged reasoning for the actions that are taken back.
    table.key(KeyCode::Esc);
    table.keys("uw");
    table.shows(&["Overmate has not done anything yet."]);
}

#[test]
fn an_opponent_action_after_an_undo_is_dropped() {
    let mut table = TestTable::new("bga", [20_010, 77], true);
    let lead = table.legal()[0];
    table.app.follow(Intent::Act(lead)).unwrap();
    let requests = table.app.take_requests();
    let [Request::Act { ticket, asked, stop }] = requests.as_slice() else {
        panic!("the opponent is asked, and nobody else");
    };
    // The display reacts while the opponent thinks, and the human can take an action back.
    table.draw();
    table.shows(&["Overmate, perfect is thinking…"]);
    table.app.follow(Intent::Undo).unwrap();
    assert!(stop.load(Ordering::Relaxed));
    let answered = Ok(answered_with(asked.view.legal_actions().next().unwrap()));
    table.app.receive(WorkerAnswer::Acted { ticket: *ticket, answered }).unwrap();
    assert_eq!(table.actions(), "");
    table.draw();
    table.shows(&["Move 1: you lead"]);
}

#[test]
fn undo_and_resigning_work_on_the_full_screen() {
    let mut table = TestTable::new("bga", [20_010, 77], true);
    table.keys("u");
    table.shows(&["There is no action of yours to take back."]);
    let first = table.app.controller.rules().action_text(table.legal()[0]).to_string();
    table.types(&first);
    table.keys("u");
    table.shows(&["Your last action and all after it are taken back."]);
    assert_eq!(table.actions(), "");
    table.types(&first);
    assert!(table.kept().unwrap().contains("{undo}"));

    table.keys("R");
    table.key(KeyCode::Enter);
    assert!(table.app.controller.to_act().is_some());
    table.keys("R");
    table.key(KeyCode::Up);
    table.key(KeyCode::Enter);
    table.shows(&["The match is over", "You resign: the match is Overmate's"]);
    assert!(table.kept().unwrap().contains("A resigns"));
    table.key(KeyCode::Esc);
    table.resize(132, 40);
    table.shows(&["u undo", "q leave"]);
    for key in ["R give up", ": type", "i hint"] {
        assert!(!table.shown().contains(key), "{key} has no effect after the match");
    }
    table.keys("u");
    table.shows(&["Your last action and all after it are taken back"]);
    assert!(table.app.controller.to_act().is_some());
}

/// Tests that each key in the footer has an effect at the end of a game and of the match.
#[test]
fn every_key_in_the_footer_has_an_effect_at_the_end_of_a_game() {
    let mut pressed = 0;
    let press = |table: &mut TestTable, name: &str| match name {
        "Enter" => table.key(KeyCode::Enter),
        "Esc" => table.key(KeyCode::Esc),
        "arrows" => table.key(KeyCode::Down),
        name => table.keys(name),
    };
    for (games, close) in [(1, false), (4, false), (4, true)] {
        let at_end = || {
            let mut table = TestTable::new("bga", [20_010, 77], true);
            table.resize(132, 40);
            for game in 1..=games {
                play_on(&mut table);
                if game < games {
                    table.key(KeyCode::Enter);
                }
            }
            if close {
                table.key(KeyCode::Esc);
            }
            table
        };
        let names: Vec<String> = {
            let shown = at_end().shown();
            let footer =
                shown.lines().rev().find(|line| line.contains("Esc") || line.contains('?'));
            let words: Vec<&str> = footer.unwrap().split_whitespace().collect();
            let is_name = |word: &&str| {
                ["Enter", "Esc", "arrows"].contains(word) || word.chars().count() == 1
            };
            words.into_iter().filter(is_name).map(str::to_owned).collect()
        };
        assert!(names.len() >= 3, "{names:?}");
        for name in names {
            let mut table = at_end();
            let before = table.shown();
            press(&mut table, &name);
            let has_left = table.app.leaving.is_some();
            assert!(has_left || table.shown() != before, "{name} has no effect in\n{before}");
            pressed += 1;
        }
    }
    assert!(pressed >= 12, "{pressed}");
}

#[test]
fn a_first_click_selects_and_a_second_click_plays() {
    let mut table = TestTable::new("bga", [20_010, 77], true);
    table.click_text("[Q♣]");
    table.shows(&["Q♣, queen of clubs, 3 points."]);
    assert_eq!(table.actions(), "");
    table.click_text("▸Q♣◂");
    assert!(table.actions().starts_with("Qc "), "{}", table.actions());
    table.click_text("? help");
    table.shows(&["Help", "Keys"]);
    // An open popup blocks clicks on the screen behind the popup.
    let before = table.actions();
    table.click(5, 20);
    table.click(5, 20);
    assert_eq!(table.actions(), before);
    table.click_text("Close");
    assert!(table.app.popup.is_none());
}

#[test]
fn a_typing_error_is_shown_and_can_be_corrected() {
    let mut table = TestTable::new("sackson", [20_010, 77], true);
    table.types("Zz");
    table.shows(&["Expected an action", "found `Zz`", "> Zz"]);
    table.key(KeyCode::Backspace);
    table.key(KeyCode::Backspace);
    table.keys("-");
    table.key(KeyCode::Enter);
    assert!(table.actions().starts_with('-'));
    table.types("7d");
    table.shows(&["Not legal: you do not hold 7♦: choose a card from your hand."]);
}

#[test]
fn large_custom_decks_name_the_needed_screen_size() {
    let toml = |suits: usize, ranks: usize| {
        let suit = |i: usize| {
            let letter = char::from(b'a' + u8::try_from(i).unwrap());
            format!("{{ letter = \"{letter}\", name = \"{letter}-s\" }}")
        };
        let rank = |i: usize| {
            let letter = char::from(b'A' + u8::try_from(i).unwrap());
            format!("{{ letter = \"{letter}\", name = \"rank {letter}\", value = 3 }}")
        };
        let list = |texts: Vec<String>| texts.join(", ");
        format!(
            "name = \"own\"\nrounds = 1\n[deck]\nsuits = [{}]\nranks = [{}]\n",
            list((0..suits).map(suit).collect()),
            list((0..ranks).map(rank).collect())
        )
    };
    for (suits, ranks) in [(4, 13), (2, 26), (26, 2), (1, 4), (6, 10)] {
        let rules = RuleSet::from_toml(&toml(suits, ranks)).unwrap().shared();
        let deal = Deal::numbered(&rules, 0).unwrap();
        let contest = Match::with_deals(2, vec![deal]).unwrap();
        let mut table = TestTable::of_match(contest, true);
        table.resize(300, 100);
        table.shows(&["your turn", "Move 1: you lead"]);
        let faces: Vec<String> = {
            let snapshot = table.app.snapshot();
            let deck = rules.deck();
            deck.distinct(snapshot.view.hand(snapshot.own))
                .map(|c| table.app.faces.card(c))
                .collect()
        };
        let is_playable = |shown: &str, face: &String| {
            shown.contains(&format!("[{face}]")) || shown.contains(&format!("▸{face}◂"))
        };
        for face in &faces {
            assert!(is_playable(&table.shown(), face), "{face}\n{}", table.shown());
        }
        table.resize(60, 20);
        let shown = table.shown();
        let fits = faces.iter().all(|face| is_playable(&shown, face));
        assert!(fits || shown.contains("The table needs "), "{shown}");
    }
}
