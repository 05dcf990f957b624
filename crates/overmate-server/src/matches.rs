//! What can be done with matches. Everything is validated by replay, stored, and only then told.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use overmate_rules::Player;

use crate::contest::{Contest, Refused, Role};
use crate::error::ApiError;
use crate::server::Server;
use crate::show;
use crate::store::{Addition, Appended, Entry, Head, Holder, SeatHead, Sitter, What};
use crate::wire::Act;

/// How often something that does not depend on the sequence is tried again when others come first.
const TRIES: usize = 16;

impl Server {
    /// A match as it stands in the store.
    pub(crate) async fn contest(&self, id: &str) -> Result<Arc<Contest>, ApiError> {
        if !is_id(id) {
            return Err(ApiError::NotFound("match"));
        }
        let known = self.replayed.get(id);
        let is_known = known.is_some();
        let contest = if let Some(contest) = known {
            contest
        } else {
            let head = self.store.head(id).await?.ok_or(ApiError::NotFound("match"))?;
            Arc::new(Contest::new(Arc::new(head)).map_err(ApiError::internal)?)
        };
        let entries = self.store.entries(id, contest.sequence()).await?;
        if entries.is_empty() {
            if !is_known {
                self.remember(&contest);
            }
            return Ok(contest);
        }
        let mut next = (*contest).clone().replay(&entries).map_err(ApiError::internal)?;
        if entries.iter().any(|entry| entry.what == What::Join) {
            let head = self.store.head(id).await?.ok_or(ApiError::NotFound("match"))?;
            next = next.with_head(Arc::new(head));
        }
        let next = Arc::new(next);
        self.remember(&next);
        Ok(next)
    }

    /// A match at this sequence or a later one: the store is asked only if it must be.
    pub(crate) async fn contest_since(
        &self,
        id: &str,
        sequence: u64,
    ) -> Result<Arc<Contest>, ApiError> {
        match self.replayed.get(id) {
            Some(contest) if contest.sequence() >= sequence => Ok(contest),
            _ => self.contest(id).await,
        }
    }

    /// A match as it stood at a sequence that it has come to.
    pub(crate) async fn contest_at(
        &self,
        id: &str,
        sequence: u64,
    ) -> Result<Arc<Contest>, ApiError> {
        let contest = self.contest(id).await?;
        if contest.sequence() == sequence {
            return Ok(contest);
        }
        let mut entries = self.store.entries(id, 0).await?;
        entries.retain(|entry| entry.sequence <= sequence);
        let start = Contest::new(Arc::clone(contest.head())).map_err(ApiError::internal)?;
        start.replay(&entries).map(Arc::new).map_err(ApiError::internal)
    }

    /// Keeps a replayed match for the next one who asks, unless a later state of it is there.
    fn remember(&self, contest: &Arc<Contest>) {
        let entry = self.replayed.entry(contest.id().into());
        entry.and_upsert_with(|known| match known {
            Some(known) if known.value().sequence() > contest.sequence() => known.into_value(),
            _ => Arc::clone(contest),
        });
    }

    /// A match and who asks for it. Who holds no seat needs the spectators' token.
    pub(crate) async fn seen_by(
        &self,
        id: &str,
        holder: Option<Holder>,
        watch: Option<&str>,
    ) -> Result<(Arc<Contest>, Role), ApiError> {
        let contest = self.contest(id).await?;
        let role = role_in(&contest, holder, watch)?;
        if contest.bot_to_act().is_some() {
            self.wake_bot(&contest);
        }
        Ok((contest, role))
    }

    /// Who asks, for somebody who is about to act: without a look into the store, if the match is known here.
    pub(crate) async fn role(
        &self,
        id: &str,
        holder: Option<Holder>,
        watch: Option<&str>,
    ) -> Result<Role, ApiError> {
        if let Some(contest) = self.replayed.get(id)
            && let Ok(role) = role_in(&contest, holder, watch)
        {
            return Ok(role);
        }
        self.seen_by(id, holder, watch).await.map(|(_, role)| role)
    }

    /// Takes an action: the state after it, or the reason why not.
    pub(crate) async fn act(
        &self,
        id: &str,
        role: Role,
        attempt: Act,
    ) -> Result<Arc<Contest>, ApiError> {
        let mut contest = self.contest_since(id, attempt.sequence).await?;
        if contest.sequence() != attempt.sequence {
            contest = self.contest(id).await?;
        }
        if contest.sequence() != attempt.sequence {
            return self.late(contest, role, &attempt).await;
        }
        let player = player_of(&contest, role)?;
        let what = What::Act(canonical(&contest, &attempt.action));
        let entry = entry(&contest, player, what, attempt.client_id.clone());
        match self.append(&contest, entry, |addition| addition).await? {
            Some(next) => {
                metrics::counter!("overmate_actions_total", "by" => "person").increment(1);
                Ok(next)
            }
            None => self.late(self.contest(id).await?, role, &attempt).await,
        }
    }

    /// Somebody came first: perhaps the same client with the same request.
    async fn late(
        &self,
        contest: Arc<Contest>,
        role: Role,
        attempt: &Act,
    ) -> Result<Arc<Contest>, ApiError> {
        let what = What::Act(canonical(&contest, &attempt.action));
        let is_same = |known: &What| *known == what;
        if self.known(contest.id(), role, &attempt.client_id, is_same).await?.is_some() {
            return Ok(contest);
        }
        Err(ApiError::Conflict(Box::new(show::matches::state(&contest, role, 0))))
    }

    /// What a request of this name has done before, if it was this one. A name that was used by somebody else, or for
    /// something else, is refused.
    pub(crate) async fn known(
        &self,
        id: &str,
        role: Role,
        client_id: &str,
        is_same: impl Fn(&What) -> bool,
    ) -> Result<Option<Entry>, ApiError> {
        if role == Role::Spectator {
            return Err(ApiError::NotAPlayer);
        }
        let Some(entry) = self.store.entry_named(id, client_id).await? else { return Ok(None) };
        let is_own = role == Role::Both || role == Role::Player(entry.player);
        if !is_own || !is_same(&entry.what) {
            return Err(ApiError::bad_request(
                "client_id: it was used for another request in this match; make a new one",
            ));
        }
        Ok(Some(entry))
    }

    /// Stores an entry that follows, and tells of it. `None` if something else stands in its place.
    pub(crate) async fn append(
        &self,
        contest: &Contest,
        entry: Entry,
        complete: impl FnOnce(Addition) -> Addition,
    ) -> Result<Option<Arc<Contest>>, ApiError> {
        let next = contest.with(&entry)?;
        let ends = next.result().is_some() && contest.result().is_none();
        let what = entry.what.clone();
        let addition = Addition { ends, ..Addition::of(contest.id(), entry) };
        if self.store.append(complete(addition)).await? == Appended::Taken {
            return Ok(None);
        }
        let next = if what == What::Join {
            // Who sits there now stands in the store.
            self.contest(contest.id()).await?
        } else {
            let next = Arc::new(next);
            self.remember(&next);
            next
        };
        self.events.publish(next.id(), next.sequence());
        if ends {
            self.bots.kept.forget(next.id());
        }
        if next.bot_to_act().is_some() {
            self.wake_bot(&next);
        }
        Ok(Some(next))
    }

    /// Stores something that does not depend on what the client saw, unless this request has done so before.
    pub(crate) async fn append_now(
        &self,
        id: &str,
        role: Role,
        client_id: &str,
        is_same: impl Fn(&What) -> bool,
        entry_of: impl Fn(&Contest) -> Result<Option<(Player, What)>, ApiError>,
    ) -> Result<Arc<Contest>, ApiError> {
        for _ in 0..TRIES {
            let contest = self.contest(id).await?;
            if self.known(id, role, client_id, &is_same).await?.is_some() {
                return Ok(contest);
            }
            let Some((player, what)) = entry_of(&contest)? else { return Ok(contest) };
            let entry = entry(&contest, player, what, client_id.to_owned());
            if let Some(next) = self.append(&contest, entry, |addition| addition).await? {
                return Ok(next);
            }
        }
        Err(ApiError::Busy)
    }

    /// Gives a match up.
    pub(crate) async fn resign(
        &self,
        id: &str,
        role: Role,
        who: Option<Player>,
        client_id: &str,
    ) -> Result<Arc<Contest>, ApiError> {
        self.append_now(
            id,
            role,
            client_id,
            |what| *what == What::Resign,
            |contest| {
                let player = match (role, who) {
                    (Role::Both, Some(player)) | (Role::Player(player), None) => player,
                    (Role::Player(player), Some(who)) if player == who => player,
                    (Role::Player(_), Some(_)) => return Err(ApiError::NotAPlayer),
                    _ => player_of(contest, role)?,
                };
                Ok(Some((player, What::Resign)))
            },
        )
        .await
    }

    /// Takes back what the player did last in the game that is played.
    pub(crate) async fn undo(
        &self,
        id: &str,
        role: Role,
        client_id: &str,
    ) -> Result<Arc<Contest>, ApiError> {
        self.append_now(
            id,
            role,
            client_id,
            |what| *what == What::Undo,
            |contest| {
                if contest.is_between_people() {
                    return Err(ApiError::NotAllowed("two people do not take back"));
                }
                if contest.result().is_some() {
                    return Err(ApiError::MatchOver);
                }
                let player = contest.undone_by(role).ok_or(ApiError::NothingToUndo)?;
                Ok(Some((player, What::Undo)))
            },
        )
        .await
    }

    /// Asks for another match, or agrees to one. Against the computer, and with oneself, it begins at once.
    pub(crate) async fn rematch(
        &self,
        id: &str,
        role: Role,
        client_id: &str,
    ) -> Result<Arc<Contest>, ApiError> {
        for _ in 0..TRIES {
            let contest = self.contest(id).await?;
            let player = match role {
                Role::Player(player) => player,
                Role::Both => Player::A,
                Role::Spectator => return Err(ApiError::NotAPlayer),
            };
            if contest.result().is_none() {
                return Err(ApiError::MatchRunning("a rematch begins when the match is over"));
            }
            let is_same = |what: &What| matches!(what, What::Offer | What::Accept(_));
            let is_known = self.known(id, role, client_id, is_same).await?.is_some();
            if contest.rematch().is_some() || is_known {
                return Ok(contest);
            }
            let seats = contest.seats();
            if [&seats.a, &seats.b].iter().any(|seat| seat.sitter == Sitter::Open) {
                return Err(ApiError::NotAllowed("nobody has joined this match: begin a new one"));
            }
            let (what, begun) = match contest.offered_by() {
                Some(offered_by) if offered_by == player => return Ok(contest),
                None if contest.is_between_people() => (What::Offer, None),
                _ => {
                    let head = Self::rematch_of(contest.head())?;
                    (What::Accept(head.id.clone()), Some(head))
                }
            };
            let entry = entry(&contest, player, what, client_id.to_owned());
            let new = begun.as_ref().map(|head| head.id.clone());
            let next = self.append(&contest, entry, |a| Addition { begun, ..a }).await?;
            if let Some(next) = next {
                if let Some(id) = new {
                    let begun = self.contest(&id).await?;
                    if begun.bot_to_act().is_some() {
                        self.wake_bot(&begun);
                    }
                }
                return Ok(next);
            }
        }
        Err(ApiError::Busy)
    }

    /// Takes the open seat of a match.
    pub(crate) async fn join(
        &self,
        invitation: &str,
        holder: Holder,
        name: Option<String>,
    ) -> Result<(Arc<Contest>, Role), ApiError> {
        let id = self.store.invited_to(invitation).await?;
        let id = id.ok_or(ApiError::NotFound("invitation"))?;
        for _ in 0..TRIES {
            let contest = self.contest(&id).await?;
            if let Some(role) = contest.role_of(Some(holder)) {
                return Ok((contest, role));
            }
            let open =
                Player::BOTH.into_iter().find(|p| contest.seats()[*p].sitter == Sitter::Open);
            let player = open.ok_or(ApiError::InvitationUsed)?;
            if contest.result().is_some() {
                return Err(ApiError::MatchOver);
            }
            let entry = entry(&contest, player, What::Join, crate::identity::random_id()?);
            let taken = Some((player, holder, name.clone()));
            let next = self.append(&contest, entry, |a| Addition { taken, ..a }).await?;
            if let Some(next) = next {
                return Ok((next, Role::Player(player)));
            }
        }
        Err(ApiError::Busy)
    }

    /// The same rules with new deals; the other leads first.
    fn rematch_of(head: &Head) -> Result<Head, ApiError> {
        let rules = crate::begin::named(&head.rules)?;
        let turned = |seat: &SeatHead| -> Result<SeatHead, ApiError> {
            let sitter = match seat.sitter {
                Sitter::Bot(bot, _) => Sitter::Bot(bot, crate::begin::random_seed()?),
                sitter => sitter,
            };
            Ok(SeatHead { name: seat.name.clone(), sitter })
        };
        let seats =
            overmate_rules::ByPlayer { a: turned(&head.seats.b)?, b: turned(&head.seats.a)? };
        crate::begin::head(&rules, None, seats)
    }
}

/// Who this is in a match, or that there is no such match for him.
fn role_in(
    contest: &Contest,
    holder: Option<Holder>,
    watch: Option<&str>,
) -> Result<Role, ApiError> {
    let watches = watch.is_some_and(|token| token == contest.head().watch);
    let role = contest.role_of(holder).or(watches.then_some(Role::Spectator));
    role.ok_or(ApiError::NotFound("match"))
}

/// For whom this role acts now.
pub(crate) fn player_of(contest: &Contest, role: Role) -> Result<Player, ApiError> {
    match role {
        Role::Player(player) => Ok(player),
        Role::Both => contest.to_act().ok_or(ApiError::MatchOver),
        Role::Spectator => Err(ApiError::NotAPlayer),
    }
}

/// An action as the log has it: however the client wrote it.
fn canonical(contest: &Contest, text: &str) -> String {
    match contest.read(text.trim()) {
        Some(action) => contest.rules().action_text(action).to_string(),
        None => text.to_owned(),
    }
}

pub(crate) fn entry(contest: &Contest, player: Player, what: What, client_id: String) -> Entry {
    Entry { sequence: contest.sequence() + 1, player, what, client_id, at: now() }
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Whether a text can be the id of a match.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Over => Self::MatchOver,
            Refused::NotYourTurn => Self::NotYourTurn,
            Refused::NotReadable(why) => Self::BadRequest(why),
            Refused::Illegal(why) => Self::IllegalAction(why),
            Refused::NothingToUndo => Self::NothingToUndo,
            Refused::NotHere => Self::NotAllowed("that is not possible in this match now"),
        }
    }
}
