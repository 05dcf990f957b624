//! A match in progress: its record, the human player's seat, and the help that the human took.

use anyhow::{Context as _, Result};
use overmate_bots::Standing;
use overmate_rules::{
    Action, ByPlayer, BySeat, Game, Illegal, Match, Note, NoteText, Player, Record, Seat, Seen,
    View, Viewer,
};

use super::moment::Moment;
use crate::text::words;
use crate::untrusted::printable;

/// Kind of help that the human took, as marked in the record of the match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HelpMark {
    Hint,
    Undo,
}

impl HelpMark {
    /// Returns the comment that marks this kind of help in the record.
    fn text(self) -> NoteText {
        NoteText::Comment(
            match self {
                Self::Hint => "hint",
                Self::Undo => "undo",
            }
            .to_owned(),
        )
    }
}

/// Action that was played, its player, and whether it ended the game.
pub(crate) struct PlayedAction {
    /// Index of the game in the match, from 0.
    pub(crate) game: usize,
    /// Seat of the player who acted.
    pub(crate) seat: Seat,
    /// Action as the human saw it, without the card if the opponent laid the card face down.
    pub(crate) seen: Seen,
    /// Whether the action ended the game.
    pub(crate) ended_game: bool,
}

/// Information that the opponent may use to choose its action.
#[derive(Debug)]
pub(crate) struct OpponentTurn {
    pub(crate) view: View,
    pub(crate) standing: Standing,
    /// Finished games of the match, in order, from the opponent's view.
    pub(crate) past: Vec<View>,
}

/// The record of a match in progress, and the help that the human took.
pub(crate) struct Session {
    record: Record,
    human: Player,
    /// Help marks for the human's next action, each with the moment at which the record holds the mark until then.
    pending: Vec<(HelpMark, Moment)>,
}

impl Session {
    pub(crate) fn new(record: Record, human: Player) -> Self {
        Self { record, human, pending: Vec::new() }
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    pub(crate) fn contest(&self) -> &Match {
        self.record.contest()
    }

    pub(crate) fn human(&self) -> Player {
        self.human
    }

    /// Returns the human's seat in the game with this index.
    pub(crate) fn seat(&self, index: usize) -> Seat {
        Match::seat(index, self.human)
    }

    /// Returns the players' names as the human reads them, whatever the headers of the record say.
    pub(crate) fn names(&self) -> ByPlayer<String> {
        ByPlayer::new_with(|player| {
            let name = if player == self.human { words::YOU } else { words::OPPONENT };
            name.to_owned()
        })
    }

    /// Returns the players' names by seat in the game with this index, as the human reads them.
    pub(crate) fn seat_names(&self, index: usize) -> BySeat<String> {
        words::player_names_by_seat(&self.names(), index)
    }

    /// Returns the human's view of the current game.
    pub(crate) fn view(&self) -> View {
        self.view_of(self.human)
    }

    /// Returns the opponent's view of the current game and of the match.
    pub(crate) fn opponent_turn(&self) -> OpponentTurn {
        let standing = Standing::of(self.contest(), !self.human);
        let past = (0..standing.game).map(|index| self.opponents_view_of(index)).collect();
        OpponentTurn { view: self.view_of(!self.human), standing, past }
    }

    /// Returns the opponent's view of the game with this index.
    fn opponents_view_of(&self, index: usize) -> View {
        self.game(index).view(Viewer::Seat(!self.seat(index)))
    }

    fn view_of(&self, player: Player) -> View {
        let seat = Match::seat(self.contest().current_index(), player);
        self.contest().current().view(Viewer::Seat(seat))
    }

    /// Checks whether an action is legal in the current game.
    pub(crate) fn check(&self, action: Action) -> Result<(), Illegal> {
        self.contest().current().check(action)
    }

    /// Plays a legal action of the player whose turn it is.
    pub(crate) fn play(&mut self, action: Action) -> Result<PlayedAction> {
        let game = self.contest().current_index();
        let number = self.contest().current().actions().len();
        let seat = self
            .contest()
            .current()
            .to_act()
            .context("the match is over, so no action can be played")?;
        let contest = self.contest().clone().play(action)?;
        self.record = self.record.clone().with_contest(contest);
        let played = &self.contest().games()[game];
        let seen = played.view(Viewer::Seat(self.seat(game))).actions().get(number).copied();
        Ok(PlayedAction {
            game,
            seat,
            seen: seen.unwrap_or(Seen::FaceDown),
            ended_game: played.outcome().is_some(),
        })
    }

    /// Plays an action of the human, and moves the pending help marks of the record behind this action.
    pub(crate) fn play_as_human(&mut self, action: Action) -> Result<PlayedAction> {
        let Moment { game, after } = self.current_moment();
        let told = self.play(action)?;
        for (mark, moment) in std::mem::take(&mut self.pending) {
            let stood = Note { game: moment.game, after: moment.after, text: mark.text() };
            self.record = without_last(&self.record, &stood)?;
            self.record.add_note(Note { game, after: after + 1, text: mark.text() })?;
        }
        Ok(told)
    }

    /// Returns the present moment of the match, just before the next action.
    pub(crate) fn current_moment(&self) -> Moment {
        Moment {
            game: self.contest().current_index(),
            after: self.contest().current().actions().len(),
        }
    }

    /// Marks in the record that the human took help for their next action. The mark is added immediately, so that it is
    /// kept if the player leaves.
    pub(crate) fn mark(&mut self, mark: HelpMark) -> Result<()> {
        if self.pending.iter().all(|(pending, _)| *pending != mark) {
            let moment = self.current_moment();
            let Moment { game, after } = moment;
            self.record.add_note(Note { game, after, text: mark.text() })?;
            self.pending.push((mark, moment));
        }
        Ok(())
    }

    /// Returns whether the round of a game is still being played, so that its deal is still in use.
    pub(crate) fn has_deal_in_play(&self, game: usize) -> bool {
        self.contest().result().is_none() && game / 2 == self.contest().current_index() / 2
    }

    /// Returns whether the human has an action to take back.
    pub(crate) fn can_undo(&self) -> bool {
        self.last_own_action().is_some()
    }

    /// Takes back the human's last action and everything after it; returns whether there was such an action.
    pub(crate) fn undo(&mut self) -> Result<bool> {
        let Some((index, keep)) = self.last_own_action() else {
            return Ok(false);
        };
        // The human still knows the hint, so its mark moves to the replayed action.
        let is_gone = |note: &&Note| (note.game, note.after) > (index, keep);
        let hinted = self
            .record
            .notes()
            .iter()
            .filter(is_gone)
            .any(|note| note.text == HelpMark::Hint.text());
        let contest = self
            .contest()
            .after(index, keep)
            .context("the match cannot be undone to an action that was never played")?;
        self.record = self.record.clone().with_contest(contest);
        self.pending.clear();
        if hinted {
            self.mark(HelpMark::Hint)?;
        }
        self.mark(HelpMark::Undo)?;
        Ok(true)
    }

    fn last_own_action(&self) -> Option<(usize, usize)> {
        let games = self.contest().games().iter().enumerate().rev();
        games.into_iter().find_map(|(index, game)| {
            let own = self.seat(index);
            let is_own = |keep: &usize| game.after(*keep).to_act() == Some(own);
            (0..game.actions().len()).rev().find(is_own).map(|keep| (index, keep))
        })
    }

    pub(crate) fn resign(&mut self) -> Result<()> {
        let contest = self.contest().clone().resign(self.human)?;
        self.record = self.record.clone().with_contest(contest);
        Ok(())
    }

    /// Returns the record without secrets for the human, such as the deals of later rounds and a card that lies face
    /// down.
    pub(crate) fn record_for_human(&self) -> String {
        let contest = self.contest();
        let index = contest.current_index();
        let view = self.view();
        let hides = view.hides_card(!self.seat(index));
        let text = match contest.after(index, 0) {
            Some(before) if hides => {
                let shown = self.record.clone().with_contest(before).to_string();
                let shown = shown.trim_end().trim_end_matches('*').trim_end().to_owned();
                format!("{shown}\n{view} *")
            }
            _ => self.record.to_string(),
        };
        let dealt: Vec<String> = contest
            .deals()
            .iter()
            .take(index / 2 + 1)
            .map(|deal| deal.number().to_string())
            .collect();
        let hidden = if dealt.len() < contest.deals().len() { " …" } else { "" };
        let mut deals_told = false;
        let lines = text.lines().map(|line| {
            if line.starts_with("[Deals \"") && !deals_told {
                deals_told = true;
                format!("[Deals \"{}{hidden}\"]", dealt.join(" "))
            } else {
                printable(line)
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the game with this index.
    pub(crate) fn game(&self, index: usize) -> &Game {
        &self.contest().games()[index]
    }
}

/// Returns a record without the last note equal to `gone`.
fn without_last(record: &Record, gone: &Note) -> Result<Record> {
    let mut fresh = Record::new(record.contest().clone());
    for (key, value) in record.headers() {
        fresh.set_header(key, value)?;
    }
    let last = record.notes().iter().rposition(|note| note == gone);
    for (index, note) in record.notes().iter().enumerate() {
        if Some(index) != last {
            fresh.add_note(note.clone())?;
        }
    }
    Ok(fresh)
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Deal, RuleSet};

    use super::*;

    fn session(rules: &str, human: Player) -> Session {
        let rules = RuleSet::named(rules).unwrap().shared();
        let deals = [7, 20_010].map(|number| Deal::numbered(&rules, number).unwrap());
        Session::new(Record::new(Match::with_deals(4, deals.to_vec()).unwrap()), human)
    }

    fn play(session: &mut Session, text: &str) {
        for action in session.contest().rules().read_actions(text).unwrap() {
            session.play(action).unwrap();
        }
    }

    #[test]
    fn help_marks_move_behind_the_next_action() {
        let mut session = session("bga", Player::A);
        session.mark(HelpMark::Hint).unwrap();
        session.mark(HelpMark::Hint).unwrap();
        assert_eq!(session.record().notes().len(), 1);
        assert_eq!(session.record().notes()[0].after, 0);

        let lead = session.view().legal_actions().next().unwrap();
        session.play_as_human(lead).unwrap();
        assert_eq!(session.record().notes().len(), 1);
        assert_eq!(session.record().notes()[0].after, 1);

        assert!(session.undo().unwrap());
        let told: Vec<_> = session.record().notes().iter().map(|note| note.text.clone()).collect();
        assert_eq!(told, [HelpMark::Hint.text(), HelpMark::Undo.text()]);
        assert!(!session.undo().unwrap());
    }

    #[test]
    fn the_shown_record_hides_a_card_that_lies_face_down() {
        let mut session = session("denexa", Player::B);
        let hidden = session.opponent_turn().view.legal_actions().nth(1).unwrap();
        let hidden = session.contest().rules().action_text(hidden).to_string();
        play(&mut session, &hidden);

        let shown = session.record_for_human();
        assert!(!shown.contains(&hidden), "{shown}");
        assert!(shown.ends_with("Game 1: A leads\n(?) *"), "{shown}");
        assert!(shown.contains("[Deals \"7 …\"]"), "{shown}");
        assert!(session.record().to_string().contains(&hidden));
    }
}
