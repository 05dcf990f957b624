//! Carries out the player's commands on the state of the full-screen display.

use anyhow::Result;
use overmate_rules::{Action, Card};

use super::app::{App, CursorTarget, Exit};
use super::input::Focus;
use super::intent::{Direction, Intent, LookTarget};
use super::popup::{Popup, PopupKind};
use super::popup_content::choices;
use crate::play::messages;
use crate::play::moment::Moment;
use crate::untrusted::printable_line;

impl App {
    /// Returns the keyboard focus: the board, a popup with choices, or a popup for typing.
    pub(super) fn focus(&self) -> Focus {
        match &self.popup {
            None => Focus::Table,
            Some(popup) if popup.is_typing() => Focus::Typing,
            Some(_) => Focus::Popup,
        }
    }

    /// Carries out a command that the player gave by a key or a click. If the command is impossible, a notice gives the
    /// reason and the state stays unchanged.
    pub(super) fn follow(&mut self, intent: Intent) -> Result<()> {
        self.take(intent)?;
        self.go_on();
        Ok(())
    }

    fn take(&mut self, intent: Intent) -> Result<()> {
        if self.popup.is_none() {
            self.notices.clear();
        }
        match intent {
            Intent::Leave => self.leaving = Some(Exit::Quit),
            Intent::Interrupt => self.leaving = Some(Exit::Interrupt),
            Intent::Back => self.back(),
            Intent::Confirm => self.confirm()?,
            Intent::Go(direction) => self.go(direction),
            Intent::Scroll(lines) => self.scroll(lines),
            Intent::Choose(number) => self.choose(number)?,
            Intent::Letter(letter) => self.letter(letter),
            Intent::Erase => self.erase(),
            Intent::NextGame => self.next_game(),
            Intent::Resign => self.resign()?,
            Intent::Redraw | Intent::Suspend => {}
            Intent::Help => self.open(PopupKind::Help),
            Intent::Score => self.open(PopupKind::Score),
            Intent::Record => self.open(PopupKind::Record),
            Intent::Review => self.review()?,
            Intent::AskResign => self.ask_resign(),
            Intent::Type => self.open(PopupKind::Typing { text: String::new(), error: None }),
            Intent::Undo => self.undo()?,
            Intent::Look(step) => self.look(step),
            Intent::Point(card) => self.point(card)?,
            Intent::Act(action) => self.act_now(action)?,
            Intent::Demand => self.act_at_cursor(Action::Demand)?,
            Intent::Free => self.act_at_cursor(Action::Free)?,
            Intent::Seals => self.shows_seals = !self.shows_seals,
            Intent::Why => self.open_explanation()?,
            Intent::Hint => {
                if !self.is_in_the_past() {
                    self.request_hint()?;
                }
            }
        }
        Ok(())
    }

    fn open(&mut self, kind: PopupKind) {
        self.popup = Some(Popup::new(kind));
    }

    /// Returns whether the screen shows a past moment of the match instead of the present. In that case a warning tells the player that no
    /// action is possible at the past moment.
    fn is_in_the_past(&mut self) -> bool {
        if self.past.is_some() {
            self.warn("You are looking back. Esc returns to the present, where you can play.");
        }
        self.past.is_some()
    }

    fn back(&mut self) {
        match self.popup.take() {
            Some(Popup { kind: PopupKind::GameOver { .. }, .. }) => self.next_game(),
            Some(Popup { behind: Some(kind), .. }) => self.open(kind),
            Some(_) => {}
            None if self.past.is_some() => self.look(LookTarget::Present),
            None => self.forget_hint(),
        }
    }

    fn confirm(&mut self) -> Result<()> {
        if let Some(popup) = &self.popup {
            return self.choose(popup.selected);
        }
        if self.is_in_the_past() {
            return Ok(());
        }
        if self.controller.played_match().result().is_some() {
            let game = self.controller.played_match().current_index();
            self.open(PopupKind::MatchOver { game });
            return Ok(());
        }
        match self.cursor {
            CursorTarget::Decline => self.act(Action::Decline),
            CursorTarget::Card(card) => self.play_card(card),
        }
    }

    /// Plays the only legal action with a card, or opens a popup if several actions with the card are legal.
    fn play_card(&mut self, card: Card) -> Result<()> {
        let snapshot = self.snapshot();
        let mut ways = snapshot.legal();
        ways.retain(|action| action.card() == Some(card));
        match ways[..] {
            [] => self.act(snapshot.ordinary_action(card)),
            // A free move needs a confirmation, because it can be used only once in a game.
            [action] if !matches!(action, Action::Free(_)) => self.act(action),
            _ => {
                self.open(PopupKind::Choice { ways });
                Ok(())
            }
        }
    }

    fn act_now(&mut self, action: Action) -> Result<()> {
        self.popup = None;
        if self.is_in_the_past() { Ok(()) } else { self.act(action) }
    }

    fn act_at_cursor(&mut self, action: impl Fn(Card) -> Action) -> Result<()> {
        match self.cursor {
            CursorTarget::Card(card) => self.act_now(action(card)),
            CursorTarget::Decline => {
                self.warn("Choose a card first.");
                Ok(())
            }
        }
    }

    fn point(&mut self, card: Card) -> Result<()> {
        if self.cursor == CursorTarget::Card(card) {
            return self.confirm();
        }
        self.cursor = CursorTarget::Card(card);
        Ok(())
    }

    /// Carries out the choice with the index `number` in the open popup.
    fn choose(&mut self, number: usize) -> Result<()> {
        if let Some(PopupKind::Typing { text, .. }) = self.popup.as_ref().map(|popup| &popup.kind) {
            let text = text.clone();
            return self.typed(&text);
        }
        let choices = self.popup.as_ref().map(|popup| choices(popup, self));
        match choices.and_then(|mut choices| choices.drain(..).nth(number)) {
            Some((_, Intent::Back)) => {
                self.back();
                Ok(())
            }
            Some((_, intent)) => {
                let behind = self.popup.take().map(|popup| popup.kind);
                self.take(intent)?;
                if let Some(popup) = &mut self.popup {
                    popup.behind = behind.filter(PopupKind::ends_game);
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn go(&mut self, direction: Direction) {
        let Some(popup) = &self.popup else {
            return self.move_cursor(direction);
        };
        let count = choices(popup, self).len();
        let is_vertical = matches!(direction, Direction::Up | Direction::Down);
        let forward = matches!(direction, Direction::Right | Direction::Down);
        if is_vertical && self.scroll_end > 0 {
            self.scroll(if forward { 1 } else { -1 });
        } else if let Some(popup) = &mut self.popup
            && count > 0
        {
            popup.selected = (popup.selected + if forward { 1 } else { count - 1 }) % count;
        }
    }

    fn scroll(&mut self, lines: i16) {
        let end = self.scroll_end;
        if let Some(popup) = &mut self.popup {
            popup.scroll = popup.scroll.saturating_add_signed(lines).min(end);
        }
    }

    /// Moves the cursor left or right along the hand, or up or down to the nearest card of the next suit in the hand.
    fn move_cursor(&mut self, direction: Direction) {
        let snapshot = self.snapshot();
        let deck = snapshot.game.rules().deck();
        let cards: Vec<Card> = deck.distinct(snapshot.view.hand(snapshot.own)).collect();
        let can_decline = snapshot.legal().contains(&Action::Decline);
        let CursorTarget::Card(at) = self.cursor else {
            let first = if matches!(direction, Direction::Left | Direction::Up) {
                cards.last()
            } else {
                cards.first()
            };
            self.cursor = first.map_or(self.cursor, |card| CursorTarget::Card(*card));
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
            Some(card) => self.cursor = CursorTarget::Card(*card),
            None if leaves => self.cursor = CursorTarget::Decline,
            None => {}
        }
    }

    /// Shows the state of the match at another moment, such as the previous action or the beginning of a
    /// game. Answers of worker threads still refer to the present moment.
    fn look(&mut self, step: LookTarget) {
        let present = self.present();
        let there = self.looked_at(step);
        if there == present && self.past.is_none() && !matches!(step, LookTarget::Present) {
            let text = match step {
                LookTarget::Before => "This is the beginning of the match.",
                LookTarget::After
                | LookTarget::Beginning
                | LookTarget::Present
                | LookTarget::To(_) => "This is the present.",
            };
            self.say(text);
        }
        self.past = (there != present).then_some(there);
    }

    /// Returns whether a command to show another moment of the match would change the screen.
    pub(super) fn can_look(&self, step: LookTarget) -> bool {
        self.looked_at(step) != self.past.unwrap_or_else(|| self.present())
    }

    /// Computes which moment of the match the screen is to show after a command to look back or forward.
    fn looked_at(&self, step: LookTarget) -> Moment {
        let present = self.present();
        let at = self.past.unwrap_or(present);
        let length = |game: usize| self.controller.session().game(game).actions().len();
        match step {
            LookTarget::Before if at.after > 0 => Moment { after: at.after - 1, ..at },
            LookTarget::Before if at.game > 0 => {
                Moment { game: at.game - 1, after: length(at.game - 1) }
            }
            LookTarget::After if at.after < length(at.game) => Moment { after: at.after + 1, ..at },
            LookTarget::After if at.game < present.game => Moment { game: at.game + 1, after: 0 },
            LookTarget::Beginning => Moment { after: 0, ..at },
            LookTarget::Present => present,
            LookTarget::To(moment) if moment.game <= present.game => {
                Moment { after: moment.after.min(length(moment.game)), ..moment }
            }
            LookTarget::Before | LookTarget::After | LookTarget::To(_) => at,
        }
    }

    /// Opens the review of the shown game or, if that game is not over, of the most recently finished game.
    fn review(&mut self) -> Result<()> {
        let games = self.controller.played_match().games();
        let at = self.past.unwrap_or_else(|| self.present()).game;
        let over = (0..=at).rev().find(|game| games[*game].outcome().is_some());
        match over {
            Some(game) => {
                let kept = self.controller.mark_review(game)?;
                self.report_save(kept);
                self.request_review(game);
                self.open(PopupKind::Review { game });
            }
            None => self.say(messages::NOTHING_TO_REVIEW),
        }
        Ok(())
    }

    fn ask_resign(&mut self) {
        if self.controller.to_act().is_some() {
            self.open(PopupKind::Resign);
        } else {
            self.say("The match is over.");
        }
    }

    fn letter(&mut self, letter: char) {
        if let Some(Popup { kind: PopupKind::Typing { text, error }, .. }) = &mut self.popup
            && text.chars().count() < MAX_TYPED
            && !letter.is_control()
        {
            text.push(letter);
            *error = None;
        }
    }

    fn erase(&mut self) {
        if let Some(Popup { kind: PopupKind::Typing { text, error }, .. }) = &mut self.popup {
            text.pop();
            *error = None;
        }
    }

    /// Plays an action that the player typed, or shows the reason why the text is not a legal action.
    fn typed(&mut self, text: &str) -> Result<()> {
        if text.trim().is_empty() {
            self.popup = None;
            return Ok(());
        }
        match self.controller.rules().read_action(text.trim()) {
            Ok(action) => {
                self.notices.clear();
                self.act_now(action)
            }
            Err(fault) => {
                let expected = self.controller.rules().in_own_words(&fault.expected);
                let error = format!("Expected {expected}, found {}.", fault.found);
                self.open(PopupKind::Typing {
                    text: text.to_owned(),
                    error: Some(printable_line(&error)),
                });
                Ok(())
            }
        }
    }
}

/// Maximum length of a typed action in characters. Every action is shorter.
const MAX_TYPED: usize = 16;
