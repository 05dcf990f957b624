//! Hints: exact values of a running game, for who plays against the computer or both sides, and never without a mark.

use std::sync::Arc;

use overmate_rules::Viewer;
use overmate_solver::Value;

use crate::contest::{Contest, Role};
use crate::error::ApiError;
use crate::matches::player_of;
use crate::server::Server;
use crate::store::{Holder, What};
use crate::wire;

/// Two people play without hints.
const NO_HINTS: ApiError = ApiError::NotAllowed("two people play without hints");

impl Server {
    /// What every action leads to for the one whose turn it is. That it was asked for is in the log before it is told.
    ///
    /// The same request again is answered for the same position: what came since would need a mark of its own.
    pub(crate) async fn hint(
        &self,
        id: &str,
        role: Role,
        holder: Option<Holder>,
        client_id: &str,
    ) -> Result<wire::Hint, ApiError> {
        // Before it is noted, so that what is refused leaves no mark; and what is told once more, as it may be another deal.
        self.refuse_hint(&*self.contest(id).await?, holder).await?;
        let contest = self.note_hint(id, role, client_id).await?;
        self.refuse_hint(&contest, holder).await?;
        let index = contest.play().current_index();
        let view = contest.view(index, role);
        let Viewer::Seat(seat) = view.viewer() else { return Err(ApiError::NotAPlayer) };
        let rules = Arc::clone(view.rules());
        let hidden_card = view.hides_card(!seat);
        let advice = self
            .solving
            .of_deal(view.dealt().clone(), move |solver, budget| solver.advise(&view, budget))
            .await?
            .ok_or(ApiError::NotYourTurn)?;
        let key = |worst: Value, best: Value| {
            (worst.lower_bound_for(seat), worst.upper_bound_for(seat), best.lower_bound_for(seat))
        };
        let chosen = advice.actions.iter().find(|action| action.action == advice.choice);
        let chosen = chosen.map(|action| key(action.worst, action.best));
        let actions = advice.actions.iter().map(|action| {
            let bounds = [action.worst, action.best];
            let low = bounds.map(|value| value.at_least().points());
            let high = bounds.map(|value| value.at_most().points());
            let (low, high) = (low[0].min(low[1]), high[0].max(high[1]));
            wire::HintedAction {
                action: rules.action_text(action.action).to_string(),
                value_for_first: wire::ProvedValue {
                    exact: (low == high).then_some(low),
                    low,
                    high,
                },
                points_for_you: action.worst.lower_bound_for(seat),
                best: action.action == advice.choice
                    || Some(key(action.worst, action.best)) == chosen,
            }
        });
        Ok(wire::Hint { sequence: contest.sequence(), hidden_card, actions: actions.collect() })
    }

    /// Whether this person may be told what this position is worth.
    async fn refuse_hint(&self, contest: &Contest, holder: Option<Holder>) -> Result<(), ApiError> {
        if contest.is_between_people() {
            return Err(NO_HINTS);
        }
        let game = contest.play().current();
        self.refuse_running(game.rules(), game.dealt().hands(), holder).await
    }

    /// Notes that the player whose turn it is had a hint: the match as it stood then.
    async fn note_hint(
        &self,
        id: &str,
        role: Role,
        client_id: &str,
    ) -> Result<Arc<Contest>, ApiError> {
        let is_hint = |what: &What| *what == What::Hint;
        let note = |contest: &Contest| {
            if contest.is_between_people() {
                return Err(NO_HINTS);
            }
            if contest.result().is_some() {
                return Err(ApiError::MatchOver);
            }
            let player = player_of(contest, role)?;
            if contest.to_act() != Some(player) {
                return Err(ApiError::NotYourTurn);
            }
            Ok((!contest.is_hinted()).then_some((player, What::Hint)))
        };
        let noted = self.append_now(id, role, client_id, is_hint, note).await?;
        match self.known(id, role, client_id, is_hint).await? {
            Some(entry) => self.contest_at(id, entry.sequence).await,
            // This very position had its hint under another name.
            None => Ok(noted),
        }
    }
}
