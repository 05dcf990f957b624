//! Implements the engine of the card game *Mate* for JavaScript: exact analyses, reviews, and matches against computer
//! opponents.
//!
//! The entry point is [`Engine`]. Requests and results are JSON texts, with the forms of the
//! server. Errors are English texts that name the fault and the remedy. JavaScript calls the
//! functions of [`exports`].

/// Empty type that turns the README's code example into a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod exports;
mod own_match;
mod tables;

use overmate_json::{
    AnalysisRequest, AnalysisSubject, Hint, ReviewWire, RuleFacts, RuleSets, UNFINISHED_REVIEW,
    hides_cards, rule_set,
};
use overmate_rules::{Record, Viewer, error_with_causes};
use overmate_solver::{Budget, Solver};
use serde::{Deserialize, Serialize};

pub use overmate_json::{OwnEntry, OwnMatch};
use own_match::CachedBot;
pub use own_match::{NewOwnMatch, Played, Step};
use tables::has_table;

/// Request from JavaScript to the engine.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Request for the analysis of a game or position, as in `POST /api/v1/analysis` of the server.
    Analyse(AnalysisRequest),
    /// Request for the review of a finished game, as in `GET /api/v1/matches/{id}/review` of the server.
    Review {
        /// Match record, as text, that contains the game to review.
        record: String,
        /// Index of the game in the record, from 0.
        game: usize,
    },
    /// Request for a hint: the values of the legal actions in the current position of a game. The server answers such requests at
    /// `POST /api/v1/matches/{id}/hint`.
    Hint {
        /// Game up to the position for which the hint is requested, given as in a request for an analysis.
        game: AnalysisRequest,
        /// Sequence number of the match (number of its log entries) after the hint was taken.
        sequence: u64,
    },
    /// Request for the published rule sets and variations, as in `GET /api/v1/rules` of the server.
    RuleSets {},
    /// Request for the description of one rule set, as in `GET /api/v1/rules/{id}` of the server.
    Facts {
        /// Name of the rule set.
        rules: String,
    },
    /// Request for a new match against a computer opponent.
    Begin(NewOwnMatch),
    /// Request for a step, such as an action or an undo, in a match against a computer opponent.
    Play {
        /// Match before the requested action, undo or other step, in the form in which the web page stores matches.
        #[serde(rename = "match")]
        kept: OwnMatch,
        /// Step of the human player or of the computer opponent, such as an action or an undo.
        step: Step,
    },
    /// Request for the record of a match against a computer opponent.
    Record {
        /// Match whose record is requested, in the form in which the web page stores matches.
        #[serde(rename = "match")]
        kept: OwnMatch,
    },
}

/// Engine for JavaScript: an exact solver with the table of its latest deal, and the computer opponent of the latest match.
///
/// ```
/// use overmate_wasm::Engine;
/// let mut engine = Engine::default();
/// let analysis = engine.answer(r#"{"analyse": {"rules": "bga", "deal": "20010"}}"#)?;
/// assert!(analysis.is_some());
/// # Ok::<(), String>(())
/// ```
#[derive(Default)]
pub struct Engine {
    solver: Solver,
    bot: Option<CachedBot>,
}

impl Engine {
    /// Answers a request from JavaScript. The request and the result are strings in JSON.
    ///
    /// The result is `None` if hands hold too many cards for a table, so that only a long search could find values. For an analysis,
    /// these hands are the hands in the analysed position, and for a review or hint the dealt hands. The result is also `None` for a
    /// hint in a rule set with cards face down.
    ///
    /// # Errors
    ///
    /// Returns a text if the request cannot be read, if an action of the request is illegal, or if the game to review is unfinished.
    pub fn answer(&mut self, request: &str) -> Result<Option<String>, String> {
        let request = serde_json::from_str(request).map_err(|error| error.to_string())?;
        match request {
            Request::Analyse(request) => self.analyse(&request),
            Request::Review { record, game } => self.review(&record, game),
            Request::Hint { game, sequence } => self.hint(&game, sequence),
            Request::RuleSets {} => json(&RuleSets::published()).map(Some),
            Request::Facts { rules } => json(&RuleFacts::new(&*rule_set(&rules)?)).map(Some),
            Request::Begin(request) => json(&own_match::begin(request)?).map(Some),
            Request::Play { kept, step } => {
                json(&own_match::play(kept, step, &mut self.solver, &mut self.bot)?).map(Some)
            }
            Request::Record { kept } => json(&own_match::record(kept)?).map(Some),
        }
    }

    fn analyse(&mut self, request: &AnalysisRequest) -> Result<Option<String>, String> {
        let subject = AnalysisSubject::read(request).map_err(|error| error.to_string())?;
        if !has_table(subject.position().hands()) {
            return Ok(None);
        }
        json(&subject.analyse(&mut self.solver, &Budget::unlimited())).map(Some)
    }

    /// Computes a hint for the seat whose turn it is. The result is `None` if the dealt hands hold too many cards for a table.
    /// The result is also `None` if a card may lie face down, because the hint then depends on the view of the player.
    fn hint(&mut self, request: &AnalysisRequest, sequence: u64) -> Result<Option<String>, String> {
        let subject = AnalysisSubject::read(request).map_err(|error| error.to_string())?;
        let AnalysisSubject::Game(game) = subject else {
            return Err("a hint needs a game: give a deal, hands or a record".to_owned());
        };
        let seat = game
            .to_act()
            .ok_or("the game is over, so that no hint is possible: give fewer actions")?;
        if hides_cards(game.rules()) || !has_table(game.dealt().hands()) {
            return Ok(None);
        }
        let view = game.view(Viewer::Seat(seat));
        let hint = Hint::advised(&view, sequence, &mut self.solver, &Budget::unlimited());
        hint.as_ref().map(json).transpose()
    }

    fn review(&mut self, record: &str, game: usize) -> Result<Option<String>, String> {
        let record = Record::read(record).map_err(|error| error_with_causes(&error))?;
        let games = record.played_match().games();
        let reviewed = games.get(game).ok_or_else(|| {
            format!("the record has no game {game}: give the index of a game in the record, from 0")
        })?;
        if reviewed.outcome().is_none() {
            return Err(UNFINISHED_REVIEW.to_owned());
        }
        if !has_table(reviewed.dealt().hands()) {
            return Ok(None);
        }
        let other = games.get(game ^ 1);
        let budget = Budget::unlimited();
        json(&ReviewWire::of_game(game, reviewed, other, &mut self.solver, &budget)).map(Some)
    }
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
