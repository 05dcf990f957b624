//! Reads and changes a player's private texts in a match: conditional answers and a note.

use std::sync::Arc;

use overmate_rules::Player;

use super::repository::MatchRepository;
use super::roles::role_in;
use crate::error::ApiError;
use crate::matches::conditional::{Branch, Conditional, ConditionalFault, Line, Standing};
use crate::matches::match_state::{MatchState, Role};
use crate::show;
use crate::store::{Appended, Holder, SeatTextChange, SeatTextKind};
use crate::wire::{AnswerBranch, AnswerChoices, AnswerLine, ConditionalAnswers, Note};

/// Service that reads and changes the private texts of players: conditional answers and notes.
pub(crate) struct SeatTextService {
    repository: Arc<MatchRepository>,
}

impl SeatTextService {
    pub(crate) fn new(repository: Arc<MatchRepository>) -> Self {
        Self { repository }
    }

    /// Returns a match, and the player (A or B) whose private texts the requesting browser may read. A browser that holds both seats reads
    /// the texts of player A.
    async fn seat(
        &self,
        id: &str,
        person: Option<Holder>,
    ) -> Result<(Arc<MatchState>, Player, Holder), ApiError> {
        let state = self.repository.load(id).await?;
        let role = role_in(&state, person, None)?;
        match (role, person) {
            (Role::Player(player), Some(person)) => Ok((state, player, person)),
            (Role::Both, Some(person)) => Ok((state, Player::A, person)),
            (Role::Spectator, _) | (_, None) => Err(ApiError::NotAPlayer),
        }
    }

    /// Returns a correspondence match, and the player (A or B) for whom the requesting browser acts.
    async fn correspondence(
        &self,
        id: &str,
        person: Option<Holder>,
    ) -> Result<(Arc<MatchState>, Player, Holder), ApiError> {
        let (state, player, person) = self.seat(id, person).await?;
        if !state.takes_conditional() {
            return Err(ApiError::NotAllowed(
                "conditional answers need a correspondence match between two people: choose such a match",
            ));
        }
        Ok((state, player, person))
    }

    /// Returns the requesting player's conditional answers to possible next actions of the opponent.
    pub(crate) async fn answers(
        &self,
        id: &str,
        person: Option<Holder>,
    ) -> Result<ConditionalAnswers, ApiError> {
        let (state, player, _) = self.correspondence(id, person).await?;
        let texts = self.repository.store().seat_texts(id).await?;
        let stored = texts[player].answers.as_deref().and_then(Conditional::read);
        let standing = stored.map(|stored| stored.standing(state.play(), player));
        let branches = match standing {
            Some(Standing::Waiting(branches)) => {
                branches.into_iter().map(AnswerBranch::from).collect()
            }
            Some(Standing::Due(_) | Standing::Left) | None => Vec::new(),
        };
        Ok(ConditionalAnswers { sequence: state.sequence(), branches })
    }

    /// Replaces the conditional answers of the player for whom the requesting browser acts. The request fails if the match has changed
    /// since the client read the match state.
    pub(crate) async fn set_answers(
        &self,
        id: &str,
        person: Option<Holder>,
        wanted: ConditionalAnswers,
    ) -> Result<ConditionalAnswers, ApiError> {
        let (state, player, person) = self.correspondence(id, person).await?;
        refuse_stale(&state, player, wanted.sequence)?;
        if state.hides_deal() {
            return Err(ApiError::DEAL_HIDDEN);
        }
        let text = if wanted.branches.is_empty() {
            None
        } else {
            let branches: Vec<Branch> = wanted.branches.into_iter().map(Branch::from).collect();
            let checked = Conditional::new(state.play(), player, &branches)?;
            Some(checked.text().map_err(ApiError::internal)?)
        };
        let kind = SeatTextKind::Answers { sequence: state.sequence() };
        let change = SeatTextChange { id: id.to_owned(), player, person, kind, text };
        if self.repository.store().set_seat_text(change).await? != Appended::Stored {
            let latest = self.repository.load(id).await?;
            role_in(&latest, Some(person), None)?;
            return Err(conflict(&latest, player));
        }
        self.answers(id, Some(person)).await
    }

    /// Returns the legal actions after a sequence of actions, as choices for a conditional answer.
    pub(crate) async fn choices(
        &self,
        id: &str,
        person: Option<Holder>,
        line: &AnswerLine,
    ) -> Result<AnswerChoices, ApiError> {
        let (state, player, _) = self.correspondence(id, person).await?;
        refuse_stale(&state, player, line.sequence)?;
        if state.hides_deal() {
            return Err(ApiError::DEAL_HIDDEN);
        }
        let line = Line::of(state.play(), player, &line.actions)?;
        let Some(play) = line.open()? else {
            return Ok(AnswerChoices { yours: false, legal: Vec::new() });
        };
        let legal = overmate_json::GameState::of_position(play.current().position()).legal;
        Ok(AnswerChoices { yours: play.to_act() == Some(player), legal })
    }

    /// Returns the requesting player's private note in a match.
    pub(crate) async fn note(&self, id: &str, person: Option<Holder>) -> Result<Note, ApiError> {
        let (_, player, _) = self.seat(id, person).await?;
        let texts = self.repository.store().seat_texts(id).await?;
        Ok(Note { text: texts[player].note.clone().unwrap_or_default() })
    }

    /// Replaces the requesting player's private note in a match. An empty text removes the note.
    pub(crate) async fn set_note(
        &self,
        id: &str,
        person: Option<Holder>,
        note: Note,
    ) -> Result<(), ApiError> {
        let (_, player, person) = self.seat(id, person).await?;
        let text = Some(note.text).filter(|text| !text.trim().is_empty());
        let kind = SeatTextKind::Note;
        let change = SeatTextChange { id: id.to_owned(), player, person, kind, text };
        self.repository.store().set_seat_text(change).await?.ok_or(ApiError::NotFound("match"))
    }
}

/// Refuses a request that refers to an outdated state of a match. A state is still current if all later entries only credited
/// time to the clocks.
fn refuse_stale(state: &MatchState, player: Player, sequence: u64) -> Result<(), ApiError> {
    let is_present = (state.unchanged_since()..=state.sequence()).contains(&sequence);
    if is_present { Ok(()) } else { Err(conflict(state, player)) }
}

fn conflict(state: &MatchState, player: Player) -> ApiError {
    ApiError::Conflict(Box::new(show::matches::view(state, Role::Player(player), 0)))
}

impl From<ConditionalFault> for ApiError {
    fn from(fault: ConditionalFault) -> Self {
        match fault {
            ConditionalFault::MatchOver => Self::MatchOver,
            ConditionalFault::YourTurn => Self::NotAllowed(
                "conditional answers are possible only while the opponent is to act: take your action first",
            ),
            ConditionalFault::Hidden(_) => Self::NotAllowed(
                "a conditional answer depends on a face-down card that you do not know: leave that answer out",
            ),
            ConditionalFault::Illegal { text, source } => {
                Self::IllegalAction(format!("{text}: {source}"))
            }
            ConditionalFault::TooMany(_)
            | ConditionalFault::Twice(_)
            | ConditionalFault::NoAnswer(_)
            | ConditionalFault::AfterGame(_)
            | ConditionalFault::OtherPlayer(_)
            | ConditionalFault::Unreadable { .. } => Self::bad_request(fault),
        }
    }
}
