//! The state of the table, and what happens to it: actions, answers of those who think, games that end.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Result;
use overmate_rules::{Action, Card, Game, Seat, View, Viewer};
use overmate_solver::Review;

use super::faces::Faces;
use super::popup::{Kind, Overlay};
use super::workers::{Answer, Request};
use crate::limits::is_large;
use crate::play::controller::{Kept, MatchController, NOT_SAVED};
use crate::play::hint::Hint;
use crate::play::messages;
use crate::play::opponent::{Stop, strength};
use crate::play::session::Told;

/// Everything that the table shows and knows. It does no input, no output, and no thinking.
pub(crate) struct App {
    pub(super) course: MatchController,
    pub(super) faces: Faces,
    pub(super) cursor: Cursor,
    /// Where the player looks, if it is not the present.
    pub(super) past: Option<Place>,
    pub(super) overlay: Option<Overlay>,
    pub(super) notices: Vec<Notice>,
    /// For the action that the human is to choose now.
    pub(super) hint: Option<Hint>,
    /// By the index of the game.
    reviews: Vec<Option<Review>>,
    pub(super) playing: Option<Errand>,
    pub(super) counselling: Option<Errand>,
    reviewing: Option<(Errand, usize)>,
    tickets: u64,
    requests: Vec<Request>,
    pub(super) leaving: Option<Leaving>,
    /// How far the text of the popup can be scrolled, as it was drawn last.
    pub(super) scroll_end: u16,
}

/// What the player points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cursor {
    /// The choice to foreplace nothing.
    Decline,
    Card(Card),
}

/// A place in the match: after so many actions of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) game: usize,
    pub(super) after: usize,
}

/// A message to the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Notice {
    pub(super) text: String,
    pub(super) is_warning: bool,
}

/// Something that is being thought about elsewhere.
pub(super) struct Errand {
    ticket: u64,
    stop: Stop,
}

/// How the player left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaving {
    Quit,
    Interrupt,
}

/// A game as it stands or stood at a place, as the human may know it.
pub(super) struct Stand {
    pub(super) place: Place,
    pub(super) game: Game,
    pub(super) view: View,
    pub(super) own: Seat,
    pub(super) is_past: bool,
}

impl Stand {
    /// The human's legal actions, which he can take only in the present.
    pub(super) fn legal(&self) -> Vec<Action> {
        if self.is_past { Vec::new() } else { self.view.legal_actions() }
    }
}

impl App {
    pub(super) fn new(course: MatchController, has_colour: bool) -> Self {
        let faces = Faces::new(course.rules(), has_colour);
        let mut app = Self {
            course,
            faces,
            cursor: Cursor::Decline,
            past: None,
            overlay: None,
            notices: Vec::new(),
            hint: None,
            reviews: Vec::new(),
            playing: None,
            counselling: None,
            reviewing: None,
            tickets: 0,
            requests: Vec::new(),
            leaving: None,
            scroll_end: 0,
        };
        let opponent = strength(app.course.opponent());
        app.say(format!("You play against Overmate, {opponent}. ? tells what you can do."));
        app.go_on();
        app
    }

    /// What is to be asked of those who think.
    pub(super) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Whether an answer is awaited.
    pub(super) fn is_waiting(&self) -> bool {
        self.playing.is_some() || self.counselling.is_some() || self.reviewing.is_some()
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notices.push(Notice { text: text.into().replace('\n', " "), is_warning: false });
    }

    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.notices.push(Notice { text: text.into().replace('\n', " "), is_warning: true });
    }

    /// The place of the present.
    pub(super) fn present(&self) -> Place {
        let contest = self.course.contest();
        Place { game: contest.current_index(), after: contest.current().actions().len() }
    }

    /// What is on the table, here and now or where the player looks.
    pub(super) fn stand(&self) -> Stand {
        let session = self.course.session();
        let place = self.past.unwrap_or_else(|| self.present());
        let whole = session.game(place.game);
        // A resignation is not an action: the whole game has it, its replay has not.
        let game = if place.after == whole.actions().len() {
            whole.clone()
        } else {
            whole.after(place.after)
        };
        let own = session.seat(place.game);
        let view = game.view(Viewer::Seat(own));
        Stand { place, view, game, own, is_past: self.past.is_some() }
    }

    /// The review of a game, as far as it is known.
    pub(super) fn review_of(&self, game: usize) -> Option<&Review> {
        self.reviews.get(game)?.as_ref()
    }

    /// Carries out an action of the human, or says why it is not legal.
    pub(super) fn act(&mut self, action: Action) -> Result<()> {
        if !self.course.is_humans_turn() {
            self.warn(if self.course.to_act().is_some() {
                "It is Overmate's turn."
            } else {
                "The match is over."
            });
            return Ok(());
        }
        match self.course.act(action)? {
            Err(illegal) => self.warn(format!("Not legal: {illegal}.")),
            Ok((told, kept)) => self.after_action(&told, kept),
        }
        Ok(())
    }

    fn after_action(&mut self, told: &Told, kept: Kept) {
        self.forget_hint();
        self.say(messages::action(self.course.session(), told));
        self.tell_kept(kept);
        if told.ended_game {
            self.game_over(told.game);
        }
        self.go_on();
    }

    /// Shows how a game ended, with its last position behind.
    fn game_over(&mut self, game: usize) {
        self.notices.clear();
        let is_last = self.course.contest().result().is_some();
        let after = self.course.session().game(game).actions().len();
        self.past = (!is_last).then_some(Place { game, after });
        let kind = if is_last { Kind::MatchOver { game } } else { Kind::GameOver { game } };
        self.overlay = Some(Overlay::new(kind));
        // A large deck takes its time: only if asked.
        if !is_large(self.course.rules()) {
            self.ask_review(game);
        }
    }

    /// Returns from the end of a game to the present.
    pub(super) fn next_game(&mut self) {
        self.past = None;
        self.overlay = None;
        self.notices.clear();
        if self.course.contest().result().is_none() {
            let mut text = Vec::new();
            // Nothing that is written to memory fails.
            let _ = messages::begin_game(self.course.session(), &mut text);
            let text = String::from_utf8_lossy(&text).into_owned();
            let text = anstream::adapter::strip_str(text.trim()).to_string();
            self.say(text.replace('\n', ". "));
        }
        self.go_on();
    }

    /// Asks the opponent if it is to act and the player is not looking at a game before; puts the cursor where it
    /// is of use.
    pub(super) fn go_on(&mut self) {
        let current = self.present().game;
        let at_end = self.overlay.as_ref().is_some_and(Overlay::ends_game)
            || self.past.is_some_and(|place| place.game < current);
        let is_over = self.course.to_act().is_none();
        if !at_end && !is_over && !self.course.is_humans_turn() && self.playing.is_none() {
            let errand = self.errand();
            let (ticket, stop) = (errand.ticket, Arc::clone(&errand.stop));
            let asked = Box::new(self.course.asked());
            self.requests.push(Request::Act { ticket, asked, stop });
            self.playing = Some(errand);
        }
        self.settle_cursor();
    }

    /// Leaves the cursor on a legal action, or on a card at least.
    pub(super) fn settle_cursor(&mut self) {
        let stand = self.stand();
        let legal = stand.legal();
        let at = |action: &Action| action.card().map_or(Cursor::Decline, Cursor::Card);
        if legal.iter().any(|action| at(action) == self.cursor) {
            return;
        }
        let deck = stand.game.rules().deck();
        let held = |card| !stand.view.hand(stand.own).and(deck.slots_of(card)).is_empty();
        match (legal.first(), self.cursor) {
            (Some(first), _) => self.cursor = at(first),
            (None, Cursor::Card(card)) if held(card) => {}
            (None, _) => {
                let first = deck.distinct(stand.view.hand(stand.own)).next();
                self.cursor = first.map_or(Cursor::Decline, Cursor::Card);
            }
        }
    }

    fn errand(&mut self) -> Errand {
        self.tickets += 1;
        Errand { ticket: self.tickets, stop: Stop::default() }
    }

    /// Hears an answer; one that nobody awaits any more is dropped.
    pub(super) fn hear(&mut self, answer: Answer) -> Result<()> {
        match answer {
            Answer::Acted { ticket, answered } if is_awaited(self.playing.as_ref(), ticket) => {
                self.playing = None;
                let answered = answered?;
                let in_doubt = answered.in_doubt;
                let (told, kept) = self.course.opponent_acts(answered)?;
                if in_doubt {
                    self.say(messages::IN_DOUBT);
                }
                self.after_action(&told, kept);
            }
            Answer::Counselled { ticket, hint }
                if is_awaited(self.counselling.as_ref(), ticket) =>
            {
                self.counselling = None;
                if let Some(text) = hint.as_ref().and_then(Hint::rests_on) {
                    self.say(text);
                }
                self.hint = hint;
            }
            Answer::Reviewed { ticket, review } => {
                let awaited = self.reviewing.take_if(|(errand, _)| errand.ticket == ticket);
                if let Some((_, game)) = awaited {
                    self.reviews.resize_with(self.reviews.len().max(game + 1), || None);
                    self.reviews[game] = Some(review);
                }
            }
            Answer::Acted { .. } | Answer::Counselled { .. } => {}
        }
        Ok(())
    }

    /// Asks for the values of the human's actions, and marks that he did.
    pub(super) fn ask_hint(&mut self) -> Result<()> {
        if !self.course.is_humans_turn() {
            self.warn("A hint is for your own turn.");
            return Ok(());
        }
        if self.hint.is_some() || self.counselling.is_some() {
            return Ok(());
        }
        let kept = self.course.take_hint()?;
        self.tell_kept(kept);
        let errand = self.errand();
        let (ticket, stop) = (errand.ticket, Arc::clone(&errand.stop));
        let view = Box::new(self.course.session().view());
        self.requests.push(Request::Counsel { ticket, view, stop });
        self.counselling = Some(errand);
        Ok(())
    }

    /// Says why the opponent did what it did last before where the player looks.
    pub(super) fn ask_why(&mut self) -> Result<()> {
        let place = self.past.unwrap_or_else(|| self.present());
        let (text, kept) = self.course.tell_why((place.game, place.after))?;
        self.tell_kept(kept);
        self.overlay = Some(Overlay::new(Kind::Why { text }));
        Ok(())
    }

    pub(super) fn forget_hint(&mut self) {
        self.hint = None;
        cancel(&mut self.counselling);
    }

    /// Asks for the review of a game, unless it is known or on its way.
    pub(super) fn ask_review(&mut self, game: usize) {
        let on_its_way = self.reviewing.as_ref().is_some_and(|(_, awaited)| *awaited == game);
        if self.review_of(game).is_some() || on_its_way {
            return;
        }
        if let Some((errand, _)) = self.reviewing.take() {
            errand.stop.store(true, Ordering::Relaxed);
        }
        let errand = self.errand();
        let (ticket, stop) = (errand.ticket, Arc::clone(&errand.stop));
        let reviewed = Box::new(self.course.session().game(game).clone());
        self.requests.push(Request::Review { ticket, game: reviewed, stop });
        self.reviewing = Some((errand, game));
    }

    /// Takes back the human's last action, also while the opponent thinks about its answer.
    pub(super) fn undo(&mut self) -> Result<()> {
        let before = self.course.contest().current_index();
        let Some(kept) = self.course.undo()? else {
            self.warn(messages::NOTHING_TO_UNDO);
            return Ok(());
        };
        cancel(&mut self.playing);
        self.forget_hint();
        let index = self.course.contest().current_index();
        self.reviews.truncate(index);
        if self.reviewing.as_ref().is_some_and(|(_, game)| *game >= index) {
            self.reviewing = None;
        }
        self.past = None;
        self.overlay = None;
        self.say(messages::undone(self.course.session(), before));
        self.tell_kept(kept);
        self.go_on();
        Ok(())
    }

    /// Gives the match up.
    pub(super) fn resign(&mut self) -> Result<()> {
        self.overlay = None;
        if self.course.to_act().is_none() {
            return Ok(());
        }
        cancel(&mut self.playing);
        self.forget_hint();
        let game = self.course.contest().current_index();
        let kept = self.course.resign()?;
        self.game_over(game);
        self.tell_kept(kept);
        self.settle_cursor();
        Ok(())
    }

    pub(super) fn tell_kept(&mut self, kept: Kept) {
        match kept {
            Kept::Silently => {}
            Kept::Told(text) => self.say(text),
            Kept::Failed(error) => self.warn(format!("{error:#}. {NOT_SAVED}")),
        }
    }
}

fn is_awaited(errand: Option<&Errand>, ticket: u64) -> bool {
    errand.is_some_and(|errand| errand.ticket == ticket)
}

/// Stops what is thought about; its answer is not awaited any more.
fn cancel(errand: &mut Option<Errand>) {
    if let Some(errand) = errand.take() {
        errand.stop.store(true, Ordering::Relaxed);
    }
}
