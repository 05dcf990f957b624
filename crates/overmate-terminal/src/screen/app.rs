//! Defines the state of the full-screen display, and the changes of this state.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Result;
use overmate_rules::{Action, Card, Game, Phase, Seat, View, Viewer};
use overmate_solver::Review;

use super::faces::Faces;
use super::popup::{Popup, PopupKind};
use super::workers::{Request, WorkerAnswer};
use crate::charset::Charset;
use crate::limits::StopFlag;
use crate::limits::is_large;
use crate::play::controller::{MatchController, NOT_SAVED, SaveNotice};
use crate::play::hint::ShownHint;
use crate::play::messages;
use crate::play::moment::Moment;
use crate::play::session::ShownAction;

/// State of the full-screen display. The code for input, drawing and search is not part of the state.
pub(crate) struct App {
    pub(super) controller: MatchController,
    pub(super) faces: Faces,
    pub(super) charset: Charset,
    pub(super) cursor: CursorTarget,
    /// Displayed earlier moment of the match, or `None` while the screen shows the current moment.
    pub(super) past: Option<Moment>,
    pub(super) popup: Option<Popup>,
    pub(super) notices: Vec<Notice>,
    /// Whether the screen shows the points of a possible mate on each mating card of the human.
    pub(super) shows_seals: bool,
    /// Hint for the human's next action.
    pub(super) hint: Option<ShownHint>,
    /// Review of each game, by the index of the game in the match, or `None` until the review is known.
    reviews: Vec<Option<Review>>,
    pub(super) playing: Option<PendingRequest>,
    pub(super) advising: Option<PendingRequest>,
    reviewing: Option<(PendingRequest, usize)>,
    tickets: u64,
    requests: Vec<Request>,
    pub(super) leaving: Option<Exit>,
    /// Maximum scroll offset of the open popup, in lines, computed when the screen was last drawn.
    pub(super) scroll_end: u16,
}

/// Target of the cursor: a card, or the choice to foreplace nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CursorTarget {
    /// Choice to set no card aside before the first move (decline to foreplace).
    Decline,
    Card(Card),
}

/// Message to the player, which may be a warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Notice {
    pub(super) text: String,
    pub(super) is_warning: bool,
}

impl Notice {
    /// Creates a one-line message that is not a warning.
    fn of(text: impl Into<String>) -> Self {
        Self { text: text.into().replace('\n', " "), is_warning: false }
    }
}

/// Unanswered request to a worker thread, with the flag that cancels the request.
pub(super) struct PendingRequest {
    ticket: u64,
    stop: StopFlag,
}

/// Cause of the exit from the full-screen mode: the player's command to leave, or Ctrl-C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    Quit,
    Interrupt,
}

/// State of a game at the displayed moment of the match, with the human's view of this game.
pub(super) struct ShownMoment {
    pub(super) moment: Moment,
    pub(super) game: Game,
    pub(super) view: View,
    pub(super) own: Seat,
    pub(super) is_past: bool,
}

impl ShownMoment {
    /// Returns the usual action with a card in the current phase: foreplacing the card, or playing the card without a
    /// demand and without the free move.
    pub(super) fn ordinary_action(&self, card: Card) -> Action {
        match self.view.phase() {
            Phase::Foreplacing(_) => Action::Foreplace(card),
            Phase::Lead(_) | Phase::Follow(_) | Phase::Over => Action::Play(card),
        }
    }

    /// Returns the human's legal actions, or no actions while the screen shows an earlier moment of the match.
    pub(super) fn legal(&self) -> Vec<Action> {
        if self.is_past { Vec::new() } else { self.view.legal_actions().collect() }
    }
}

impl App {
    pub(super) fn new(controller: MatchController, has_colour: bool, charset: Charset) -> Self {
        let faces = Faces::new(controller.rules(), has_colour, charset);
        let mut app = Self {
            controller,
            faces,
            charset,
            cursor: CursorTarget::Decline,
            past: None,
            popup: None,
            notices: Vec::new(),
            shows_seals: true,
            hint: None,
            reviews: Vec::new(),
            playing: None,
            advising: None,
            reviewing: None,
            tickets: 0,
            requests: Vec::new(),
            leaving: None,
            scroll_end: 0,
        };
        let strength = app.controller.strength();
        let opponent = app.controller.session().opponent();
        app.say(format!("You play against {opponent}, {strength}. ? tells what you can do."));
        if app.controller.session().begins_at_position() {
            app.say(messages::BEGINS_AT_POSITION.to_owned());
        }
        app.go_on();
        app
    }

    /// Removes and returns the requests that are not yet sent to the worker threads.
    pub(super) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Returns whether a worker thread still has an unanswered request.
    pub(super) fn is_waiting(&self) -> bool {
        self.playing.is_some() || self.advising.is_some() || self.reviewing.is_some()
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notices.push(Notice::of(text));
    }

    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.notices.push(Notice { text: text.into().replace('\n', " "), is_warning: true });
    }

    /// Returns the present moment of the match: the index of the current game, and the number of its actions so far.
    pub(super) fn present(&self) -> Moment {
        self.controller.session().current_moment()
    }

    /// Returns the state of the game at the displayed moment of the match.
    pub(super) fn snapshot(&self) -> ShownMoment {
        let session = self.controller.session();
        let moment = self.past.unwrap_or_else(|| self.present());
        let whole = session.game(moment.game);
        // After the last action of a game, the screen shows the whole game, including a resignation that ended the game. `after` would
        // omit the resignation, which is not an action.
        let game = if moment.after == whole.actions().len() {
            whole.clone()
        } else {
            whole.after(moment.after)
        };
        let own = session.seat(moment.game);
        let view = game.view(Viewer::Seat(own));
        ShownMoment { moment, view, game, own, is_past: self.past.is_some() }
    }

    /// Returns the review of a game, or `None` if the review is not known yet.
    pub(super) fn review_of(&self, game: usize) -> Option<&Review> {
        self.reviews.get(game)?.as_ref()
    }

    /// Plays an action of the human, or shows the reason why the action is illegal.
    pub(super) fn act(&mut self, action: Action) -> Result<()> {
        if !self.controller.is_humans_turn() {
            self.warn(if self.controller.to_act().is_some() {
                format!("It is {}'s turn.", self.controller.session().opponent())
            } else {
                "The match is over.".to_owned()
            });
            return Ok(());
        }
        match self.controller.act(action)? {
            Err(illegal) => self.warn(messages::not_legal(
                self.controller.rules(),
                &illegal,
                self.faces.notation,
            )),
            Ok((told, kept)) => self.after_action(&told, kept),
        }
        Ok(())
    }

    fn after_action(&mut self, told: &ShownAction, kept: SaveNotice) {
        self.forget_hint();
        self.say(messages::action(self.controller.session(), told, self.faces.notation));
        self.report_save(kept);
        if told.ended_game {
            self.game_over(told.game);
        }
        self.go_on();
    }

    /// Opens a popup with the result of a finished game, in front of that game's final position.
    fn game_over(&mut self, game: usize) {
        self.notices.clear();
        let is_last = self.controller.played_match().result().is_some();
        let after = self.controller.session().game(game).actions().len();
        self.past = (!is_last).then_some(Moment { game, after });
        let kind =
            if is_last { PopupKind::MatchOver { game } } else { PopupKind::GameOver { game } };
        self.popup = Some(Popup::new(kind));
        if is_last {
            self.requests.push(Request::Finish { finished: self.controller.finished_games() });
        }
        // The review of a game with a large deck is computed only on request, because the computation takes long.
        if !is_large(self.controller.rules()) {
            self.request_review(game);
        }
    }

    /// Closes the popup with the result of a finished game, and shows the current state of the
    /// match.
    pub(super) fn next_game(&mut self) {
        self.past = None;
        self.popup = None;
        self.notices.clear();
        if self.controller.played_match().result().is_none() {
            let mut text = Vec::new();
            // The result of the write is ignored, because writing to memory cannot fail.
            let _ = messages::begin_game(self.controller.session(), &mut text);
            let text = String::from_utf8_lossy(&text).into_owned();
            let text = anstream::adapter::strip_str(text.trim()).to_string();
            self.say(text.replace('\n', ". "));
        }
        self.go_on();
    }

    /// Requests the opponent's next action, if it is the opponent's turn and the screen shows the current
    /// game.
    pub(super) fn go_on(&mut self) {
        let current = self.present().game;
        let at_end = self.popup.as_ref().is_some_and(Popup::ends_game)
            || self.past.is_some_and(|moment| moment.game < current);
        let is_over = self.controller.to_act().is_none();
        if !at_end && !is_over && !self.controller.is_humans_turn() && self.playing.is_none() {
            let pending = self.pending();
            let (ticket, stop) = (pending.ticket, Arc::clone(&pending.stop));
            let asked = Box::new(self.controller.opponent_turn());
            self.requests.push(Request::Act { ticket, asked, stop });
            self.playing = Some(pending);
        }
        self.settle_cursor();
    }

    /// Moves the cursor to the card or choice of a legal action, unless the cursor is at such a card or choice already. If
    /// no action is legal, the cursor moves to a card of the hand.
    pub(super) fn settle_cursor(&mut self) {
        let snapshot = self.snapshot();
        let legal = snapshot.legal();
        let at = |action: &Action| action.card().map_or(CursorTarget::Decline, CursorTarget::Card);
        if legal.iter().any(|action| at(action) == self.cursor) {
            return;
        }
        let deck = snapshot.game.rules().deck();
        let held = |card| !(snapshot.view.hand(snapshot.own) & deck.slots_of(card)).is_empty();
        match (legal.first(), self.cursor) {
            (Some(first), _) => self.cursor = at(first),
            (None, CursorTarget::Card(card)) if held(card) => {}
            (None, _) => {
                let first = deck.distinct(snapshot.view.hand(snapshot.own)).next();
                self.cursor = first.map_or(CursorTarget::Decline, CursorTarget::Card);
            }
        }
    }

    fn pending(&mut self) -> PendingRequest {
        self.tickets += 1;
        PendingRequest { ticket: self.tickets, stop: StopFlag::default() }
    }

    /// Updates the match and the display with a worker thread's answer to a request. Ignores the answer if the request
    /// was cancelled.
    pub(super) fn receive(&mut self, answer: WorkerAnswer) -> Result<()> {
        match answer {
            WorkerAnswer::Acted { ticket, answered }
                if is_awaited(self.playing.as_ref(), ticket) =>
            {
                self.playing = None;
                let answered = answered?;
                let in_doubt = answered.in_doubt;
                let (told, kept) = self.controller.play_opponent_action(answered)?;
                if in_doubt {
                    self.say(messages::IN_DOUBT);
                }
                self.after_action(&told, kept);
            }
            WorkerAnswer::Advised { ticket, hint }
                if is_awaited(self.advising.as_ref(), ticket) =>
            {
                self.advising = None;
                self.hint = hint;
                self.say_hint();
            }
            WorkerAnswer::Reviewed { ticket, review } => {
                let awaited = self.reviewing.take_if(|(pending, _)| pending.ticket == ticket);
                if let Some((_, game)) = awaited {
                    self.reviews.resize_with(self.reviews.len().max(game + 1), || None);
                    self.reviews[game] = Some(review);
                }
            }
            WorkerAnswer::Acted { .. } | WorkerAnswer::Advised { .. } => {}
        }
        Ok(())
    }

    /// Requests a hint for the human, and notes in the record that the human took a hint.
    pub(super) fn request_hint(&mut self) -> Result<()> {
        if !self.controller.is_humans_turn() {
            self.warn("A hint is possible only on your turn.");
            return Ok(());
        }
        if self.hint.is_some() || self.advising.is_some() {
            self.say_hint();
            return Ok(());
        }
        let kept = self.controller.take_hint()?;
        self.report_save(kept);
        let pending = self.pending();
        let (ticket, stop) = (pending.ticket, Arc::clone(&pending.stop));
        let view = Box::new(self.controller.session().view());
        self.requests.push(Request::Advise { ticket, view, stop });
        self.advising = Some(pending);
        Ok(())
    }

    /// Shows the sentences of the current hint, if a hint is known. They are one message, because a small screen shows the beginning of
    /// its latest message.
    fn say_hint(&mut self) {
        if let Some(hint) = &self.hint {
            let own = self.controller.session().seat(self.present().game);
            let choice = hint.choice(self.controller.rules(), own, self.faces.notation);
            let caveat = hint.caveat().map_or_else(String::new, |caveat| format!(" {caveat}"));
            self.say(choice + &caveat);
        }
    }

    /// Opens a popup that explains the opponent's last action before the displayed moment of the match.
    pub(super) fn open_explanation(&mut self) -> Result<()> {
        let moment = self.past.unwrap_or_else(|| self.present());
        let (text, kept) = self.controller.explain(moment, self.faces.notation)?;
        self.report_save(kept);
        self.popup = Some(Popup::new(PopupKind::Why { text }));
        Ok(())
    }

    pub(super) fn forget_hint(&mut self) {
        self.hint = None;
        cancel(self.advising.take());
    }

    /// Requests the review of a game, unless the review is known or requested already.
    pub(super) fn request_review(&mut self, game: usize) {
        let on_its_way = self.reviewing.as_ref().is_some_and(|(_, awaited)| *awaited == game);
        if self.review_of(game).is_some() || on_its_way {
            return;
        }
        cancel(self.reviewing.take().map(|(request, _)| request));
        let pending = self.pending();
        let (ticket, stop) = (pending.ticket, Arc::clone(&pending.stop));
        let reviewed = Box::new(self.controller.session().game(game).clone());
        self.requests.push(Request::Review { ticket, game: reviewed, stop });
        self.reviewing = Some((pending, game));
    }

    /// Takes back the human's last action, even if the opponent is thinking at the moment.
    pub(super) fn undo(&mut self) -> Result<()> {
        let before = self.controller.played_match().current_index();
        let Some(kept) = self.controller.undo()? else {
            self.warn(messages::NOTHING_TO_UNDO);
            return Ok(());
        };
        cancel(self.playing.take());
        self.forget_hint();
        let index = self.controller.played_match().current_index();
        self.reviews.truncate(index);
        let review = self.reviewing.take_if(|(_, game)| *game >= index);
        cancel(review.map(|(request, _)| request));
        self.past = None;
        self.popup = None;
        self.say(messages::undone(self.controller.session(), before));
        self.report_save(kept);
        self.go_on();
        Ok(())
    }

    /// Resigns the match on behalf of the human.
    pub(super) fn resign(&mut self) -> Result<()> {
        self.popup = None;
        if self.controller.to_act().is_none() {
            return Ok(());
        }
        cancel(self.playing.take());
        self.forget_hint();
        let game = self.controller.played_match().current_index();
        let kept = self.controller.resign()?;
        self.game_over(game);
        self.report_save(kept);
        self.settle_cursor();
        Ok(())
    }

    pub(super) fn report_save(&mut self, kept: SaveNotice) {
        match kept {
            SaveNotice::None => {}
            SaveNotice::Message(text) => self.say(text),
            SaveNotice::Failed(error) => self.warn(format!("{error:#}. {NOT_SAVED}")),
        }
    }
}

fn is_awaited(pending: Option<&PendingRequest>, ticket: u64) -> bool {
    pending.is_some_and(|pending| pending.ticket == ticket)
}

/// Cancels a pending request to a worker thread by the request's stop flag. A later answer to the request is ignored.
fn cancel(pending: Option<PendingRequest>) {
    if let Some(pending) = pending {
        pending.stop.store(true, Ordering::Relaxed);
    }
}
