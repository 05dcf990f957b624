//! What the player's intents do to the table.

use anyhow::Result;
use overmate_rules::{Action, Card, Phase};

use super::app::{App, Cursor, Leaving, Place, Stand};
use super::input::{Direction, Focus, Intent, Step};
use super::popup::{Kind, Overlay};
use crate::untrusted::printable_line;

impl App {
    /// What takes the keys now.
    pub(super) fn focus(&self) -> Focus {
        match &self.overlay {
            None => Focus::Table,
            Some(overlay) if overlay.is_typing() => Focus::Typing,
            Some(_) => Focus::Popup,
        }
    }

    /// Does what the player wants. What is not possible is answered with a notice, and changes nothing.
    pub(super) fn follow(&mut self, intent: Intent) -> Result<()> {
        self.take(intent)?;
        self.go_on();
        Ok(())
    }

    fn take(&mut self, intent: Intent) -> Result<()> {
        if self.overlay.is_none() {
            self.notices.clear();
        }
        match intent {
            Intent::Leave => self.leaving = Some(Leaving::Quit),
            Intent::Interrupt => self.leaving = Some(Leaving::Interrupt),
            Intent::Back => self.back(),
            Intent::Confirm => self.confirm()?,
            Intent::Go(direction) => self.go(direction),
            Intent::Scroll(lines) => self.scroll(lines),
            Intent::Choose(number) => self.choose(number)?,
            Intent::Letter(letter) => self.letter(letter),
            Intent::Erase => self.erase(),
            Intent::NextGame => self.next_game(),
            Intent::Resign => self.resign()?,
            Intent::Redraw => {}
            Intent::Help => self.open(Kind::Help),
            Intent::Score => self.open(Kind::Score),
            Intent::Record => self.open(Kind::Record),
            Intent::Review => self.review()?,
            Intent::AskResign => self.ask_resign(),
            Intent::Type => self.open(Kind::Typing { text: String::new(), error: None }),
            Intent::Undo => self.undo()?,
            Intent::Look(step) => self.look(step),
            Intent::Point(card) => self.point(card)?,
            Intent::Act(action) => self.act_now(action)?,
            Intent::Demand => self.act_at_cursor(Action::Demand)?,
            Intent::Free => self.act_at_cursor(Action::Free)?,
            Intent::Why => self.ask_why()?,
            Intent::Hint => {
                if !self.is_in_the_past() {
                    self.ask_hint()?;
                }
            }
        }
        Ok(())
    }

    fn open(&mut self, kind: Kind) {
        self.overlay = Some(Overlay::new(kind));
    }

    /// Whether the player looks back, which he is told then: nothing is played from the past.
    fn is_in_the_past(&mut self) -> bool {
        if self.past.is_some() {
            self.warn("You are looking back. Esc returns to the present, where you can play.");
        }
        self.past.is_some()
    }

    fn back(&mut self) {
        match self.overlay.take() {
            Some(Overlay { kind: Kind::GameOver { .. }, .. }) => self.next_game(),
            Some(Overlay { behind: Some(kind), .. }) => self.open(kind),
            Some(_) => {}
            None if self.past.is_some() => self.look(Step::Present),
            None => self.forget_hint(),
        }
    }

    fn confirm(&mut self) -> Result<()> {
        if let Some(overlay) = &self.overlay {
            return self.choose(overlay.selected);
        }
        if self.is_in_the_past() {
            return Ok(());
        }
        if self.course.contest().result().is_some() {
            let game = self.course.contest().current_index();
            self.open(Kind::MatchOver { game });
            return Ok(());
        }
        match self.cursor {
            Cursor::Decline => self.act(Action::Decline),
            Cursor::Card(card) => self.play_card(card),
        }
    }

    /// Plays a card in the only way in which that can be done; where it is a choice, the player has it.
    fn play_card(&mut self, card: Card) -> Result<()> {
        let stand = self.stand();
        let mut ways = stand.legal();
        ways.retain(|action| action.card() == Some(card));
        match ways[..] {
            [] => self.act(usual(&stand, card)),
            // A free move is there once in a game: it is never used by accident.
            [action] if !matches!(action, Action::Free(_)) => self.act(action),
            _ => {
                self.open(Kind::Choice { ways });
                Ok(())
            }
        }
    }

    fn act_now(&mut self, action: Action) -> Result<()> {
        self.overlay = None;
        if self.is_in_the_past() { Ok(()) } else { self.act(action) }
    }

    fn act_at_cursor(&mut self, action: impl Fn(Card) -> Action) -> Result<()> {
        match self.cursor {
            Cursor::Card(card) => self.act_now(action(card)),
            Cursor::Decline => {
                self.warn("Choose a card first.");
                Ok(())
            }
        }
    }

    fn point(&mut self, card: Card) -> Result<()> {
        if self.cursor == Cursor::Card(card) {
            return self.confirm();
        }
        self.cursor = Cursor::Card(card);
        Ok(())
    }

    /// Takes the choice of this number in a popup.
    fn choose(&mut self, number: usize) -> Result<()> {
        if let Some(Kind::Typing { text, .. }) = self.overlay.as_ref().map(|overlay| &overlay.kind)
        {
            let text = text.clone();
            return self.typed(&text);
        }
        let choices = self.overlay.as_ref().map(|overlay| overlay.choices(self));
        match choices.and_then(|mut choices| choices.drain(..).nth(number)) {
            Some((_, Intent::Back)) => {
                self.back();
                Ok(())
            }
            Some((_, intent)) => {
                let behind = self.overlay.take().map(|overlay| overlay.kind);
                self.take(intent)?;
                if let Some(overlay) = &mut self.overlay {
                    overlay.behind = behind.filter(Kind::ends_game);
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn go(&mut self, direction: Direction) {
        let Some(overlay) = &self.overlay else {
            return self.move_cursor(direction);
        };
        let count = overlay.choices(self).len();
        let is_vertical = matches!(direction, Direction::Up | Direction::Down);
        let forward = matches!(direction, Direction::Right | Direction::Down);
        if is_vertical && self.scroll_end > 0 {
            self.scroll(if forward { 1 } else { -1 });
        } else if let Some(overlay) = &mut self.overlay
            && count > 0
        {
            overlay.selected = (overlay.selected + if forward { 1 } else { count - 1 }) % count;
        }
    }

    fn scroll(&mut self, lines: i16) {
        let end = self.scroll_end;
        if let Some(overlay) = &mut self.overlay {
            overlay.scroll = overlay.scroll.saturating_add_signed(lines).min(end);
        }
    }

    /// Moves the cursor: sideways along the hand, up and down to the nearest card of the next suit held.
    fn move_cursor(&mut self, direction: Direction) {
        let stand = self.stand();
        let deck = stand.game.rules().deck();
        let cards: Vec<Card> = deck.distinct(stand.view.hand(stand.own)).collect();
        let can_decline = stand.legal().contains(&Action::Decline);
        let Cursor::Card(at) = self.cursor else {
            let first = if matches!(direction, Direction::Left | Direction::Up) {
                cards.last()
            } else {
                cards.first()
            };
            self.cursor = first.map_or(self.cursor, |card| Cursor::Card(*card));
            return;
        };
        let nearest = |card: &&Card| (card.rank.0.abs_diff(at.rank.0), card.rank);
        let next = match direction {
            Direction::Left => cards.iter().rev().find(|card| **card < at),
            Direction::Right => cards.iter().find(|card| **card > at),
            Direction::Up => {
                let above = cards.iter().map(|card| card.suit).filter(|suit| *suit < at.suit).max();
                cards.iter().filter(|card| Some(card.suit) == above).min_by_key(nearest)
            }
            Direction::Down => {
                let below = cards.iter().map(|card| card.suit).filter(|suit| *suit > at.suit).min();
                cards.iter().filter(|card| Some(card.suit) == below).min_by_key(nearest)
            }
        };
        let leaves = matches!(direction, Direction::Up | Direction::Left) && can_decline;
        match next {
            Some(card) => self.cursor = Cursor::Card(*card),
            None if leaves => self.cursor = Cursor::Decline,
            None => {}
        }
    }

    /// Looks somewhere else in the match. The present is never left for good.
    fn look(&mut self, step: Step) {
        let present = self.present();
        let at = self.past.unwrap_or(present);
        let length = |game: usize| self.course.session().game(game).actions().len();
        let there = match step {
            Step::Before if at.after > 0 => Place { after: at.after - 1, ..at },
            Step::Before if at.game > 0 => Place { game: at.game - 1, after: length(at.game - 1) },
            Step::After if at.after < length(at.game) => Place { after: at.after + 1, ..at },
            Step::After if at.game < present.game => Place { game: at.game + 1, after: 0 },
            Step::Beginning => Place { after: 0, ..at },
            Step::Present => present,
            Step::To(place) if place.game <= present.game => {
                Place { after: place.after.min(length(place.game)), ..place }
            }
            Step::Before | Step::After | Step::To(_) => at,
        };
        if there == present && self.past.is_none() && !matches!(step, Step::Present) {
            let text = match step {
                Step::Before => "This is the beginning of the match.",
                _ => "This is the present.",
            };
            self.say(text);
        }
        self.past = (there != present).then_some(there);
    }

    /// Opens the review of the game that is looked at if it is over, or of the last one that is.
    fn review(&mut self) -> Result<()> {
        let games = self.course.contest().games();
        let at = self.past.unwrap_or_else(|| self.present()).game;
        let over = (0..=at).rev().find(|game| games[*game].outcome().is_some());
        match over {
            Some(game) => {
                let kept = self.course.learns_of(game)?;
                self.tell_kept(kept);
                self.ask_review(game);
                self.open(Kind::Review { game });
            }
            None => self.say("There is no game to review yet: a review comes after a game."),
        }
        Ok(())
    }

    fn ask_resign(&mut self) {
        if self.course.to_act().is_some() {
            self.open(Kind::Resign);
        } else {
            self.say("The match is over.");
        }
    }

    fn letter(&mut self, letter: char) {
        if let Some(Overlay { kind: Kind::Typing { text, error }, .. }) = &mut self.overlay
            && text.chars().count() < MAX_TYPED
            && !letter.is_control()
        {
            text.push(letter);
            *error = None;
        }
    }

    fn erase(&mut self) {
        if let Some(Overlay { kind: Kind::Typing { text, error }, .. }) = &mut self.overlay {
            text.pop();
            *error = None;
        }
    }

    /// Takes the action that was typed, or says what is wrong with it.
    fn typed(&mut self, text: &str) -> Result<()> {
        if text.trim().is_empty() {
            self.overlay = None;
            return Ok(());
        }
        match self.course.rules().read_action(text.trim()) {
            Ok(action) => {
                self.notices.clear();
                self.act_now(action)
            }
            Err(fault) => {
                let error = format!("Expected {}, found {}.", fault.expected, fault.found);
                self.open(Kind::Typing {
                    text: text.to_owned(),
                    error: Some(printable_line(&error)),
                });
                Ok(())
            }
        }
    }
}

/// The most characters that an action can have, with some to spare.
const MAX_TYPED: usize = 16;

/// What one does with a card that one chooses: foreplacing, or playing it.
pub(super) fn usual(stand: &Stand, card: Card) -> Action {
    match stand.view.phase() {
        Phase::Foreplacing(_) => Action::Foreplace(card),
        _ => Action::Play(card),
    }
}
