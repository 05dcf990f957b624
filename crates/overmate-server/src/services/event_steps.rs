//! Advances tournament events: scores their ended matches, pairs their players, and ends the events.
//!
//! Each server looks for events that have begun. A server leases an event before it works on the event, so that only one server
//! does the work. The store accepts a step only if the previous step is the one that the server has read. Therefore neither a
//! second server nor a server after a crash repeats a pairing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use hmac::Mac as _;
use overmate_rules::{ByPlayer, Deal, Game, Player};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::clocks::ClockService;
use super::failure_log::FailureLog;
use super::parse::rule_set;
use super::repository::{MatchRepository, next_entry};
use super::selected::Selected;
use crate::clock::{DAY, now};
use crate::computing::compute::Class;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::keyed_hash::keyed_hash;
use crate::matches::match_state::MatchState;
use crate::notices::events::event_of;
use crate::play_events::{
    Pairs, absent_player, broken_game, forfeited, pairs_of_arena, pairs_of_round, points_of,
    rounds_of,
};
use crate::random::{hexadecimal, random_bytes, random_id};
use crate::shared_deal::draw_named;
use crate::store::queries::leases;
use crate::store::{
    Appended, BoardScore, EntryKind, Event, EventBoard, EventChange, EventDeal, EventKind,
    EventPlayer, EventRecord, EventState, EventStep, Holder, MatchInfo, Occupant, SeatInfo,
    Selection,
};

/// Interval between two searches for tournament events that have a step (scoring, pairing or end) to take.
const INTERVAL: Duration = Duration::from_secs(1);

/// Time after the last match of a round, in seconds, for which a Swiss event with further rounds waits while fewer than two players are
/// present: players who take a break may come back.
const RETURN_TIME: i64 = 3 * 60;

/// Worker that takes the due steps (scoring, pairing or end) of the tournament events in a database.
pub(super) struct EventSteps {
    repository: Arc<MatchRepository>,
    solvers: Arc<SolverPool>,
    clocks: Arc<ClockService>,
    /// Whether this server does background work.
    plays: bool,
    stop: CancellationToken,
}

impl EventSteps {
    pub(super) fn new(
        repository: Arc<MatchRepository>,
        solvers: Arc<SolverPool>,
        clocks: Arc<ClockService>,
        plays: bool,
        stop: CancellationToken,
    ) -> Self {
        Self { repository, solvers, clocks, plays, stop }
    }

    /// Takes the due steps (scoring, pairing or end) of all tournament events until the server stops.
    pub(super) async fn run(&self) {
        let mut failures = FailureLog::default();
        while self.plays && timeout(INTERVAL, self.stop.cancelled()).await.is_err() {
            failures.note(self.look().await);
        }
    }

    /// Takes the due step (scoring, pairing or end) of each tournament event that has begun.
    async fn look(&self) -> Result<(), ApiError> {
        let mut failed = None;
        for id in self.repository.store().due_events(self.repository.time().now()).await? {
            if self.stop.is_cancelled() {
                break;
            }
            // A failed step (scoring, pairing or end) of one tournament event does not prevent the steps of other events.
            failed = self.work(&id).await.err().or(failed);
        }
        failed.map_or(Ok(()), Err)
    }

    async fn work(&self, id: &str) -> Result<(), ApiError> {
        let store = self.repository.store();
        let lease = leases::of_event(id);
        if store.take_lease(&lease).await? != Appended::Stored {
            return Ok(());
        }
        let done = self.advance(id).await;
        store.remove_lease(lease, 0).await?;
        done
    }

    /// Returns the client in whose name the server itself requests computations of the solver for tournament events. The client is always
    /// the same.
    fn client() -> Client {
        Client::numbered(Holder([0; 32]), None)
    }

    /// Takes the next step (scoring, pairing or end) of a tournament event, if a step is due.
    async fn advance(&self, id: &str) -> Result<(), ApiError> {
        let store = self.repository.store();
        let Some(mut record) = store.event(id).await? else { return Ok(()) };
        let at = self.repository.time().now();
        let before = record.event.state;
        let mut step = EventStep {
            id: id.to_owned(),
            after: record.event.step,
            version: record.event.version,
            at,
            state: EventState::Running,
            kind: record.event.kind,
            round: record.event.round,
            scores: Vec::new(),
            absent: Vec::new(),
            deals: Vec::new(),
            boards: Vec::new(),
            successor: None,
        };
        self.score(&record, &mut step).await?;
        apply(&mut record, &step);
        if before == EventState::Coming {
            step.successor = successor(&record.event, at)?;
            if let EventKind::Swiss { rounds } = record.event.kind {
                let players = u32::try_from(record.players.len()).unwrap_or(u32::MAX);
                step.kind = EventKind::Swiss { rounds: rounds_of(rounds, players) };
                record.event.kind = step.kind;
            }
        }
        let pairs = self.plan(&record, &mut step);
        self.seat(&record, pairs, &mut step).await?;
        let is_same = step.state == before && step.scores.is_empty() && step.boards.is_empty();
        if is_same {
            return Ok(());
        }
        let begun = step.boards.iter().filter(|(_, begun)| begun.is_some()).count() as u64;
        if store.change_event(EventChange::Step(Box::new(step))).await? == Appended::Stored {
            metrics::counter!("overmate_event_steps_total").increment(1);
            metrics::counter!("overmate_matches_total", "opponent" => "event").increment(begun);
            let version = store.event_version(id).await?;
            let version = version.unwrap_or_default().unsigned_abs();
            self.repository.events().publish(&event_of(id), version);
        }
        Ok(())
    }

    /// Adds the scores of a tournament event's ended matches to `step`, which collects the next changes of the event. The method also ends
    /// the matches whose players have not shown up.
    async fn score(&self, record: &EventRecord, step: &mut EventStep) -> Result<(), ApiError> {
        let running = record.boards.iter().filter(|board| board.points.is_none());
        let running: Vec<(&EventBoard, &String)> =
            running.filter_map(|board| Some((board, board.match_id.as_ref()?))).collect();
        if running.is_empty() {
            return Ok(());
        }
        let ids = running.iter().map(|(_, id)| (*id).clone()).collect();
        // The errors of damaged matches are not logged here, because the server checks the matches of each tournament event every second.
        // Requests for the matches log the errors.
        let Selected { states, damaged } = self.repository.select(Selection::Ids(ids)).await?;
        let damaged: HashSet<&str> = damaged.iter().map(|(id, _)| id.as_str()).collect();
        let states: HashMap<&str, &Arc<MatchState>> =
            states.iter().map(|state| (state.id(), state)).collect();
        for (board, id) in running {
            if damaged.contains(id.as_str()) {
                // A damaged match stays running, because its result is not known.
                continue;
            }
            let Some(state) = states.get(id.as_str()) else {
                // A match that the store no longer holds was removed, for example by an operator.
                step.scores.push(BoardScore { number: board.number, points: 0, forfeit: None });
                continue;
            };
            if state.result().is_none() {
                self.end_unattended(state, board.began_at, step.at).await?;
                continue;
            }
            let forfeit = forfeited(state);
            let points = self.points(record, board, state).await?;
            step.scores.push(BoardScore { number: board.number, points, forfeit });
            let is_absent =
                |player: &Player| state.is_abandoned() || state.out_of_time() == Some(*player);
            step.absent.extend(forfeit.filter(is_absent).and_then(|player| match player {
                Player::A => Some(board.a),
                Player::B => board.b,
            }));
        }
        Ok(())
    }

    /// Returns the points of player A for the finished match on a board (pairing) of a tournament event.
    async fn points(
        &self,
        record: &EventRecord,
        board: &EventBoard,
        state: &MatchState,
    ) -> Result<i32, ApiError> {
        let deal = record.deals.iter().find(|deal| Some(deal.place) == board.place);
        let value = deal.map_or(0, |deal| deal.value);
        let Some(broken) = broken_game(state) else { return Ok(points_of(state, value, None)) };
        // The game was broken off without a mate, by a resignation or by a loss on time. The last position of the game is analysed.
        let (broken, dealt) = (broken.after(broken.actions().len()), broken.dealt().clone());
        let reached = self
            .solvers
            .with_deal(Self::client(), dealt, move |solver, budget| {
                solver.analyse(&broken, budget).value
            })
            .await?;
        Ok(points_of(state, value, Some(reached.at_least().points())))
    }

    /// Ends a match of a tournament event by the resignation of a player who has not acted in time. The time for the first action
    /// begins again after a downtime, in which nobody could act.
    async fn end_unattended(
        &self,
        state: &MatchState,
        began_at: i64,
        now: i64,
    ) -> Result<(), ApiError> {
        let silent_until = self.clocks.settle_for_arrivals().await?;
        let began_at = began_at.max(silent_until.div_euclid(1_000));
        let time = self.repository.limits().event_show_time.as_secs().cast_signed();
        if absent_player(state, began_at, time, now).is_none() {
            return Ok(());
        }
        let ended = self.repository.retry(state.id(), async |state: Arc<MatchState>| {
            // A player whom the server found absent from the match may have acted in the meantime.
            let Some(player) = absent_player(&state, began_at, time, now) else {
                return Ok(Some(()));
            };
            let entry = next_entry(&state, player, EntryKind::Resign, random_id()?);
            Ok(self.repository.append(&state, entry, |addition| addition).await?.map(|_| ()))
        });
        match ended.await {
            Err(ApiError::NotFound(_)) => Ok(()),
            ended => ended,
        }
    }

    /// Returns the next pairings of a tournament event: the pairs of players, and the player who gets a bye. If a new round begins or the
    /// event ends, the method records this in `step`, the next step of the event.
    fn plan(&self, record: &EventRecord, step: &mut EventStep) -> Pairs {
        let pause = self.repository.limits().event_pause.as_secs().cast_signed();
        let is_idle = record.boards.iter().all(|board| board.points.is_some());
        match record.event.kind {
            EventKind::Arena { .. } => {
                if record.event.ends_at().is_none_or(|end| end > step.at) {
                    return pairs_of_arena(record, step.at, pause);
                }
                if is_idle {
                    step.state = EventState::Finished;
                }
                Pairs::default()
            }
            EventKind::Swiss { rounds } => {
                let ended = record.boards.iter().filter_map(|board| board.ended_at).max();
                if !is_idle || ended.is_some_and(|ended| ended + pause > step.at) {
                    return Pairs::default();
                }
                let present = record.players.iter().filter(|player| player.is_present).count();
                let is_last = record.event.round >= rounds;
                if is_last || present < 2 {
                    if is_last || ended.is_none_or(|ended| ended + RETURN_TIME <= step.at) {
                        step.state = EventState::Finished;
                    }
                    return Pairs::default();
                }
                step.round += 1;
                pairs_of_round(record)
            }
        }
    }

    /// Creates a board (pairing) with a deal and a match for each new pair of players in a tournament event. The boards are added to
    /// `step`.
    async fn seat(
        &self,
        record: &EventRecord,
        pairs: Pairs,
        step: &mut EventStep,
    ) -> Result<(), ApiError> {
        if matches!(record.event.kind, EventKind::Arena { .. }) && !pairs.pairs.is_empty() {
            step.round += 1;
        }
        let mut number = record.boards.last().map_or(0, |board| board.number);
        for (a, b, place) in pairs.pairs {
            let known = record.deals.iter().chain(&step.deals).find(|deal| deal.place == place);
            let deal = if let Some(deal) = known {
                *deal
            } else {
                let deal = self.draw(&record.event, place).await?;
                step.deals.push(deal);
                deal
            };
            let of = |number: u32| record.players.iter().find(|player| player.number == number);
            let Some((of_a, of_b)) = of(a).zip(of(b)) else { continue };
            let info = match_info(&record.event, deal, of_a, of_b)?;
            number += 1;
            let board = EventBoard {
                number,
                round: step.round,
                place: Some(place),
                a,
                b: Some(b),
                match_id: Some(info.id.clone()),
                began_at: step.at,
                ended_at: None,
                points: None,
                forfeit: None,
            };
            step.boards.push((board, Some(info)));
        }
        if let Some(a) = pairs.bye {
            let board = EventBoard {
                number: number + 1,
                round: step.round,
                place: None,
                a,
                b: None,
                match_id: None,
                began_at: step.at,
                ended_at: Some(step.at),
                points: Some(0),
                forfeit: None,
            };
            step.boards.push((board, None));
        }
        Ok(())
    }

    /// Derives a deal of a tournament event from the event's secret and the deal's index, and computes the deal's exact value.
    async fn draw(&self, event: &Event, place: u32) -> Result<EventDeal, ApiError> {
        let rules = rule_set(&event.rules)?;
        let (name, secret) = (format!("{} {place}", event.id), event.secret);
        let drawn = self
            .solvers
            .run(Self::client(), Class::Cheap, move |budget| {
                let mut solver = overmate_solver::Solver::new();
                let dealt = draw_named(&name, &secret, &rules, &mut solver, budget)?;
                let value = solver.analyse(&Game::new(dealt.clone()), budget).value;
                Some((dealt.number(), value.at_least().points()))
            })
            .await?;
        let (number, value) = drawn.ok_or_else(|| {
            ApiError::internal("cannot draw a deal of the event, because the rule set has no deal with the drawn number")
        })?;
        Ok(EventDeal { place, number, value })
    }
}

/// Applies the scores and the absences of players in `step` to the in-memory record of a tournament event.
fn apply(record: &mut EventRecord, step: &EventStep) {
    for score in &step.scores {
        let board = record.boards.iter_mut().find(|board| board.number == score.number);
        if let Some(board) = board {
            (board.ended_at, board.points) = (Some(step.at), Some(score.points));
            board.forfeit = score.forfeit;
        }
    }
    for player in &mut record.players {
        player.is_present &= !step.absent.contains(&player.number);
    }
}

/// Returns the metadata of a match that belongs to a tournament event. The match has one round, without ratings.
fn match_info(
    event: &Event,
    deal: EventDeal,
    a: &EventPlayer,
    b: &EventPlayer,
) -> Result<MatchInfo, ApiError> {
    let rules = rule_set(&event.rules)?;
    let dealt = Deal::numbered(&rules, deal.number).map_err(ApiError::internal)?;
    let seat = |player: &EventPlayer| {
        let occupant = player.person.map_or(Occupant::Deleted, Occupant::Holder);
        SeatInfo::new(player.handle.clone(), occupant)
    };
    Ok(MatchInfo {
        id: random_id()?,
        rules: event.rules.clone(),
        deals: vec![dealt.number()],
        watch: random_id()?,
        invitation: None,
        created_at: now(),
        shared_deal: Some(MatchInfo::event_deal(&event.id)),
        deal_chosen: false,
        network: None,
        clock: Some(event.clock),
        rated: false,
        // The match is not public, because a watcher could tell the deal to players of the event who have not played it.
        public: false,
        played_at: None,
        seats: ByPlayer { a: seat(a), b: seat(b) },
    })
}

/// Returns the successor of a repeating tournament event, or `None` if the event does not repeat. The successor begins after `at`, a Unix
/// time in seconds.
fn successor(event: &Event, at: i64) -> Result<Option<Event>, ApiError> {
    let period = DAY * i64::from(event.repeat_days);
    if period == 0 {
        return Ok(None);
    }
    // The id of a repeating event's successor is computed from the event's secret. Two servers that begin the event thus create only one
    // successor.
    let id = keyed_hash(&event.secret).chain_update("successor").finalize().into_bytes();
    let periods = (at - event.starts_at).max(0) / period + 1;
    Ok(Some(Event {
        id: hexadecimal(id.get(..16).unwrap_or_default()),
        secret: random_bytes().map_err(ApiError::internal)?,
        made_at: at,
        starts_at: event.starts_at + periods * period,
        state: EventState::Coming,
        client_id: None,
        round: 0,
        step: 0,
        version: 0,
        ..event.clone()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_successor_of_a_weekly_event_begins_a_whole_number_of_weeks_later_and_after_now() {
        let week = 7 * DAY;
        let event = Event { starts_at: 1_000, step: 3, round: 2, version: 9, ..Event::sample() };
        let mut cases = 0;
        for (at, weeks) in
            [(0, 1), (1_000, 1), (1_000 + week - 1, 1), (1_000 + week, 2), (1_000 + 5 * week, 6)]
        {
            let made = successor(&event, at).expect("randomness").expect("a successor");
            assert_eq!((made.starts_at, made.made_at), (1_000 + weeks * week, at));
            assert_eq!(
                (made.state, made.step, made.round, made.version),
                (EventState::Coming, 0, 0, 0)
            );
            // Two servers compute the same id for the successor of a tournament event. The successor's secret is random, so that nobody can
            // compute its deals from the published secret of the earlier event.
            let again = successor(&event, at).expect("randomness").expect("a successor");
            assert_eq!(again.id, made.id);
            assert!(
                made.id != event.id && made.secret != event.secret && made.secret != again.secret
            );
            let next = successor(&made, made.starts_at).expect("randomness").expect("a successor");
            assert!(next.id != made.id && next.starts_at == made.starts_at + week);
            cases += 1;
        }
        assert_eq!(cases, 5);
        let once = Event { repeat_days: 0, ..event };
        assert!(successor(&once, 5).expect("randomness").is_none());
    }
}
