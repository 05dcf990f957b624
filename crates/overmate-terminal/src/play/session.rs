//! A match that is being played: its record, who sits at the prompt, and what he did out of turn.

use anyhow::{Context as _, Result};
use overmate_bots::Standing;
use overmate_rules::{
    Action, ByPlayer, BySeat, Game, Illegal, Match, Note, NoteText, Player, Record, Seat, Seen,
    View, Viewer,
};

use super::moment::Moment;
use crate::text::words;
use crate::untrusted::printable;

/// A help that the player took, which the record tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HelpMark {
    Hint,
    Undo,
}

impl HelpMark {
    /// The comment in the record.
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

/// What an action did.
pub(crate) struct PlayedAction {
    /// The index of its game.
    pub(crate) game: usize,
    /// Who acted.
    pub(crate) seat: Seat,
    /// The action as the player at the prompt saw it.
    pub(crate) seen: Seen,
    /// Whether it ended the game.
    pub(crate) ended_game: bool,
}

/// All that the opponent is told when it is its turn.
#[derive(Debug)]
pub(crate) struct OpponentTurn {
    pub(crate) view: View,
    pub(crate) standing: Standing,
    /// The games of the match that are over, in order, as it may know them.
    pub(crate) past: Vec<View>,
}

/// The record of a match in progress, and the help that the human took.
pub(crate) struct Session {
    record: Record,
    human: Player,
    /// The marks of help for the player's action to come, and where they stand until then: what the opponent does before it
    /// does not move them.
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

    /// Where the human sits in the game of this index.
    pub(crate) fn seat(&self, index: usize) -> Seat {
        Match::seat(index, self.human)
    }

    /// What the players are called here, whatever the headers say.
    pub(crate) fn names(&self) -> ByPlayer<String> {
        ByPlayer::new_with(|player| {
            let name = if player == self.human { words::YOU } else { words::OPPONENT };
            name.to_owned()
        })
    }

    /// The same by their seats in the game of this index.
    pub(crate) fn seat_names(&self, index: usize) -> BySeat<String> {
        words::player_names_by_seat(&self.names(), index)
    }

    /// What the human may know of the game that is being played.
    pub(crate) fn view(&self) -> View {
        self.view_of(self.human)
    }

    /// What the opponent may know of it, and of the match.
    pub(crate) fn opponent_turn(&self) -> OpponentTurn {
        let standing = Standing::of(self.contest(), !self.human);
        let past = (0..standing.game).map(|index| self.opponents_view_of(index)).collect();
        OpponentTurn { view: self.view_of(!self.human), standing, past }
    }

    /// What the opponent may know of the game of this index.
    fn opponents_view_of(&self, index: usize) -> View {
        self.game(index).view(Viewer::Seat(!self.seat(index)))
    }

    fn view_of(&self, player: Player) -> View {
        let seat = Match::seat(self.contest().current_index(), player);
        self.contest().current().view(Viewer::Seat(seat))
    }

    /// Why an action is not legal now.
    pub(crate) fn check(&self, action: Action) -> Result<(), Illegal> {
        self.contest().current().check(action)
    }

    /// Plays an action of the player whose turn it is, which must be legal.
    pub(crate) fn play(&mut self, action: Action) -> Result<PlayedAction> {
        let game = self.contest().current_index();
        let number = self.contest().current().actions().len();
        let seat = self.contest().current().to_act().context("the match is over")?;
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

    /// Plays an action of the human; marks that stood before it follow it then.
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

    /// The place of the action to come.
    pub(crate) fn current_moment(&self) -> Moment {
        Moment {
            game: self.contest().current_index(),
            after: self.contest().current().actions().len(),
        }
    }

    /// Marks the action to come. It is in the record at once, so that leaving does not lose it.
    pub(crate) fn mark(&mut self, mark: HelpMark) -> Result<()> {
        if self.pending.iter().all(|(pending, _)| *pending != mark) {
            let moment = self.current_moment();
            let Moment { game, after } = moment;
            self.record.add_note(Note { game, after, text: mark.text() })?;
            self.pending.push((mark, moment));
        }
        Ok(())
    }

    /// Whether what is learnt of a game can help with what is still to be played: its deal is on the table, in this game or
    /// in the other of the round.
    pub(crate) fn has_deal_in_play(&self, game: usize) -> bool {
        self.contest().result().is_none() && game / 2 == self.contest().current_index() / 2
    }

    /// Takes back the human's last action and what followed it; `false` if there is none.
    pub(crate) fn undo(&mut self) -> Result<bool> {
        let Some((index, keep)) = self.last_own_action() else {
            return Ok(false);
        };
        // What a hint told is not forgotten with the action that it was for.
        let is_gone = |note: &&Note| (note.game, note.after) > (index, keep);
        let hinted = self
            .record
            .notes()
            .iter()
            .filter(is_gone)
            .any(|note| note.text == HelpMark::Hint.text());
        let contest = self.contest().after(index, keep).context("the match has no such place")?;
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

    /// The record as the human may see it: no deals of rounds to come, no card that lies face down.
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

    /// The game of this index.
    pub(crate) fn game(&self, index: usize) -> &Game {
        &self.contest().games()[index]
    }
}

/// The record without the last of the notes that are equal to this one.
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
    fn marks_follow_the_action_that_they_belong_to() {
        let mut session = session("bga", Player::A);
        session.mark(HelpMark::Hint).unwrap();
        session.mark(HelpMark::Hint).unwrap();
        assert_eq!(session.record().notes().len(), 1);
        assert_eq!(session.record().notes()[0].after, 0);

        let lead = session.view().legal_actions()[0];
        session.play_as_human(lead).unwrap();
        assert_eq!(session.record().notes().len(), 1);
        assert_eq!(session.record().notes()[0].after, 1);

        assert!(session.undo().unwrap());
        let told: Vec<_> = session.record().notes().iter().map(|note| note.text.clone()).collect();
        assert_eq!(told, [HelpMark::Hint.text(), HelpMark::Undo.text()]);
        assert!(!session.undo().unwrap());
    }

    #[test]
    fn a_card_face_down_is_not_in_the_record_that_is_shown() {
        let mut session = session("denexa", Player::B);
        let hidden = session.opponent_turn().view.legal_actions()[1];
        let hidden = session.contest().rules().action_text(hidden).to_string();
        play(&mut session, &hidden);

        let shown = session.record_for_human();
        assert!(!shown.contains(&hidden), "{shown}");
        assert!(shown.ends_with("Game 1: A leads\n(?) *"), "{shown}");
        assert!(shown.contains("[Deals \"7 …\"]"), "{shown}");
        assert!(session.record().to_string().contains(&hidden));
    }
}
