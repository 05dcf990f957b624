//! Tests of the full-screen display without a terminal: the tests press keys, click, and draw the frames to memory.

mod board;
mod notation;
#[cfg(unix)]
mod panics;
mod pictures;
mod play;
mod random;
mod reviews;
mod sizes;

use std::fs;
use std::sync::atomic::Ordering;

use overmate_bots::{BotSpec, BuiltIn, Thought};
use overmate_rules::{Action, Card, Deal, Match, Player, Record, RuleSet, Seat};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use tempfile::TempDir;

use super::app::App;
use super::draw;
use super::input::{self, ClickAreas};
use super::workers::{Request, WorkerAnswer, answer_advising};
use crate::charset::Charset;
use crate::limits::is_best_play_slow;
use crate::play::adviser::Adviser;
use crate::play::autosave::Autosave;
use crate::play::controller::MatchController;
use crate::play::opponent::{Opponent, OpponentAction};
use crate::play::session::Session;
use crate::text::notation::Notation;

/// Full-screen display that a test renders to a memory buffer. The test itself computes the answers of the worker threads.
struct TestTable {
    app: App,
    hits: ClickAreas,
    screen: Terminal<TestBackend>,
    adviser: Adviser,
    folder: TempDir,
}

/// Returns an action of the opponent without any reasoning, for a test.
fn answered_with(action: Action) -> OpponentAction {
    OpponentAction { action, thought: Thought::default(), in_doubt: false }
}

impl TestTable {
    /// Begins a match of two rounds with the given deals, in which the human is player A.
    fn new(rules: &str, deals: [u64; 2], has_colour: bool) -> Self {
        let rules = RuleSet::named(rules).unwrap().shared();
        let deals = deals.map(|number| Deal::numbered(&rules, number).unwrap());
        Self::of_match(Match::with_deals(4, deals.to_vec()).unwrap(), has_colour)
    }

    /// Begins a match with the given deal, in which the given actions have been played.
    fn after(rules: &str, deal: u64, actions: &str, charset: Charset) -> Self {
        let rules = RuleSet::named(rules).unwrap().shared();
        let deal = Deal::numbered(&rules, deal).unwrap();
        let deals = vec![deal; usize::from(rules.rounds())];
        let start = Match::with_deals(2 * rules.rounds(), deals).unwrap();
        let played = rules.read_actions(actions).unwrap().into_iter();
        let contest = played.fold(start, |contest, action| contest.play(action).unwrap());
        Self::with_charset(contest, true, charset)
    }

    fn of_match(contest: Match, has_colour: bool) -> Self {
        Self::with_charset(contest, has_colour, Charset::Utf8)
    }

    fn with_charset(contest: Match, has_colour: bool, charset: Charset) -> Self {
        Self::of_record(Record::new(contest), has_colour, charset)
    }

    fn of_record(record: Record, has_colour: bool, charset: Charset) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let autosave = Autosave::new_file(&folder.path().join("a.mate")).unwrap();
        let session = Session::new(record, Player::A, crate::text::words::OPPONENT);
        let controller = MatchController::new(
            session,
            autosave,
            Opponent::BuiltIn(BotSpec::BuiltIn(BuiltIn::Perfect)),
        );
        let app = App::new(controller, has_colour, charset);
        let screen = Terminal::new(TestBackend::new(80, 24)).unwrap();
        let mut table =
            Self { app, hits: ClickAreas::default(), screen, adviser: Adviser::new(), folder };
        table.settle(|_| 0);
        table
    }

    /// Answers, in place of the worker threads, all requests that the display has made. The function `choose` returns
    /// the index of the opponent's action among the legal actions.
    fn settle(&mut self, mut choose: impl FnMut(&[Action]) -> usize) {
        loop {
            let requests = self.app.take_requests();
            if requests.is_empty() {
                break;
            }
            for request in requests {
                if let Request::Advise { stop, .. } | Request::Review { stop, .. } = &request
                    && is_best_play_slow(self.app.controller.rules())
                {
                    // A long search for a hint or a review is stopped at once, because the tests need no proved values.
                    stop.store(true, Ordering::Relaxed);
                }
                let answer = match request {
                    Request::Act { ticket, asked, .. } => {
                        let legal: Vec<_> = asked.view.legal_actions().collect();
                        let action = legal[choose(&legal) % legal.len()];
                        let answered = Ok(answered_with(action));
                        Some(WorkerAnswer::Acted { ticket, answered })
                    }
                    request => answer_advising(&mut self.adviser, request),
                };
                if let Some(answer) = answer {
                    self.app.receive(answer).unwrap();
                }
            }
        }
        self.draw();
    }

    fn draw(&mut self) {
        let (app, hits) = (&self.app, &mut self.hits);
        self.screen.draw(|frame| *hits = draw::draw(app, frame)).unwrap();
        self.app.scroll_end = self.hits.scroll_end;
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.screen = Terminal::new(TestBackend::new(width, height)).unwrap();
        self.draw();
    }

    /// Carries out the command of a key press or mouse event. The opponent then plays its first legal action.
    fn event(&mut self, event: &Event) {
        if let Some(intent) = input::read(event, self.app.focus(), &self.hits) {
            self.app.follow(intent).unwrap();
        }
        self.settle(|_| 0);
    }

    fn key(&mut self, code: KeyCode) {
        self.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Presses a key for each character of `text`, from the first to the last.
    fn keys(&mut self, text: &str) {
        for letter in text.chars() {
            self.key(KeyCode::Char(letter));
        }
    }

    /// Opens the popup for typed actions, types an action, and confirms the action.
    fn types(&mut self, action: &str) {
        self.keys(&format!(":{action}"));
        self.key(KeyCode::Enter);
    }

    fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    /// Clicks at the position where the screen shows the first character of `text`.
    #[track_caller]
    fn click_text(&mut self, text: &str) {
        let shown = self.shown();
        let found = shown.lines().enumerate().find_map(|(row, line)| {
            let (before, _) = line.split_once(text)?;
            Some((before.chars().count(), row))
        });
        let (column, row) = found.unwrap_or_else(|| panic!("`{text}` is not in\n{shown}"));
        self.click(u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
    }

    fn buffer(&self) -> &Buffer {
        self.screen.backend().buffer()
    }

    /// Returns the contents of the screen as lines of text.
    fn shown(&self) -> String {
        let buffer = self.buffer();
        let width = usize::from(buffer.area.width);
        let row = |cells: &[ratatui::buffer::Cell]| {
            let row: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
            format!("{}\n", row.trim_end())
        };
        buffer.content().chunks(width).map(row).collect()
    }

    #[track_caller]
    fn shows(&self, texts: &[&str]) {
        let shown = self.shown();
        // The expected text may be on several lines of the screen, because the screen wraps messages at blanks.
        let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in texts {
            assert!(shown.contains(text) || flat.contains(text), "`{text}` is not in\n{shown}");
        }
    }

    /// Returns the actions of the current game as text, in the notation of match records.
    fn actions(&self) -> String {
        self.app.controller.played_match().current().to_string()
    }

    /// Returns the name of a card in the notation that the player types.
    fn card_text(&self, card: Card) -> String {
        self.app.controller.rules().deck().card_text(card).to_string()
    }

    /// Returns the name of a card in the notation with symbols, such as `K♣`.
    fn shown_card(&self, card: Card) -> String {
        Notation::Symbols.card(self.app.controller.rules().deck(), card)
    }

    fn legal(&self) -> Vec<Action> {
        self.app.controller.session().view().legal_actions().collect()
    }

    fn kept(&self) -> Option<String> {
        fs::read_to_string(self.folder.path().join("a.mate")).ok()
    }

    fn is_first(&self) -> bool {
        let session = self.app.controller.session();
        session.seat(self.app.controller.played_match().current_index()) == Seat::First
    }
}
