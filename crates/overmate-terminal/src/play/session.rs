//! Holds the state of a match between a human and the computer: its record, the human's role (player A or B), and
//! the help that the human took.

use anyhow::{Context as _, Result};
use overmate_bots::Standing;
use overmate_rules::{
    Action, ByPlayer, BySeat, Game, Illegal, Match, Note, NoteText, Player, Record, Seat, Seen,
    View, Viewer,
};

use super::moment::Moment;
use crate::begin::actions_before_begin;
use crate::text::words;
use crate::untrusted::{isolated_line, printable};

/// Kind of help that the human took during the match: a hint or an undo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HelpMark {
    Hint,
    Undo,
}

impl HelpMark {
    /// Returns the comment that marks this kind of help, a hint or an undo, in a match record.
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

/// Returns whether a note in a match record marks a hint or an undo of the human. The match was played in the terminal.
#[must_use]
pub fn is_help_mark(note: &NoteText) -> bool {
    [HelpMark::Hint, HelpMark::Undo].iter().any(|mark| *note == mark.text())
}

/// Latest action of the match, with the seat that acted, and whether the action ended the game.
pub(crate) struct ShownAction {
    /// Index of the game in the match, from 0.
    pub(crate) game: usize,
    /// Seat of the player who acted.
    pub(crate) seat: Seat,
    /// Action as the human sees it, without a hidden foreplaced card.
    pub(crate) seen: Seen,
    /// Whether the action ended the game.
    pub(crate) ended_game: bool,
}

/// Information from which the opponent may choose an action: the opponent's view of the game, the score, and earlier games.
#[derive(Debug)]
pub(crate) struct OpponentTurn {
    pub(crate) view: View,
    pub(crate) standing: Standing,
    /// Finished games of the match in order, each in the opponent's view.
    pub(crate) past: Vec<View>,
}

/// Record of a match in progress, with the hints and undos that the human took.
pub(crate) struct Session {
    record: Record,
    human: Player,
    /// Name of the opponent in texts for the human.
    opponent: String,
    /// Hints and undos that the human took for their next action, each with the place of its note in the match record.
    pending: Vec<(HelpMark, Moment)>,
    /// Number of actions in the first game before the position from which the human began to play; usually 0.
    begun_after: usize,
}

impl Session {
    pub(crate) fn new(record: Record, human: Player, opponent: &str) -> Self {
        let begun_after = actions_before_begin(&record);
        let opponent = isolated_line(opponent);
        let mut session = Self { record, human, opponent, pending: Vec::new(), begun_after };
        session.pending = session.marks_before_action();
        session
    }

    /// Reads from the record of a resumed match which hints and undos the human took for their next action. If the latest action is the
    /// human's, the notes at its place in the record belong to this action, and the result is empty.
    fn marks_before_action(&self) -> Vec<(HelpMark, Moment)> {
        let moment = self.current_moment();
        let Moment { game, after } = moment;
        if self
            .last_own_action()
            .is_some_and(|(own_game, keep)| (own_game, keep + 1) == (game, after))
        {
            return Vec::new();
        }
        let stands = |mark: &HelpMark| {
            self.record.notes().contains(&Note { game, after, text: mark.text() })
        };
        let marks = [HelpMark::Hint, HelpMark::Undo].into_iter().filter(stands);
        marks.map(|mark| (mark, moment)).collect()
    }

    /// Returns the name of the opponent in texts for the human.
    pub(crate) fn opponent(&self) -> &str {
        &self.opponent
    }

    /// Returns whether the human began the match at a given position in the middle of the first game.
    pub(crate) fn begins_at_position(&self) -> bool {
        self.begun_after > 0
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    pub(crate) fn played_match(&self) -> &Match {
        self.record.played_match()
    }

    pub(crate) fn human(&self) -> Player {
        self.human
    }

    /// Returns the human's seat in the game with the index `index` in the match.
    pub(crate) fn seat(&self, index: usize) -> Seat {
        Match::seat(index, self.human)
    }

    /// Returns the names of players A and B in texts for the human, such as `You` and the opponent's name.
    pub(crate) fn names(&self) -> ByPlayer<String> {
        ByPlayer::new_with(|player| {
            let name = if player == self.human { words::YOU } else { self.opponent() };
            name.to_owned()
        })
    }

    /// Returns the names of the players at both seats of a game, for texts to the human.
    pub(crate) fn seat_names(&self, index: usize) -> BySeat<String> {
        words::player_names_by_seat(&self.names(), index)
    }

    /// Returns the human's view of the current game.
    pub(crate) fn view(&self) -> View {
        self.view_of(self.human)
    }

    /// Returns the information from which the opponent may choose its next action.
    pub(crate) fn opponent_turn(&self) -> OpponentTurn {
        let standing = Standing::of(self.played_match(), !self.human);
        let past = (0..standing.game).map(|index| self.opponents_view_of(index)).collect();
        OpponentTurn { view: self.view_of(!self.human), standing, past }
    }

    /// Returns the opponent's views of all games of an ended match.
    pub(crate) fn finished_games(&self) -> Vec<View> {
        (0..self.played_match().games().len()).map(|index| self.opponents_view_of(index)).collect()
    }

    /// Returns the opponent's view of the game with the index `index` in the match.
    fn opponents_view_of(&self, index: usize) -> View {
        self.game(index).view(Viewer::Seat(!self.seat(index)))
    }

    fn view_of(&self, player: Player) -> View {
        let seat = Match::seat(self.played_match().current_index(), player);
        self.played_match().current().view(Viewer::Seat(seat))
    }

    /// Returns an error that names the broken rule if an action is illegal in the current game.
    pub(crate) fn check(&self, action: Action) -> Result<(), Illegal> {
        self.played_match().current().check(action)
    }

    /// Plays a legal action of the player whose turn it is.
    pub(crate) fn play(&mut self, action: Action) -> Result<ShownAction> {
        let game = self.played_match().current_index();
        let number = self.played_match().current().actions().len();
        let seat = self
            .played_match()
            .current()
            .to_act()
            .context("the match is over: begin a new match")?;
        let contest = self.played_match().clone().play(action)?;
        self.record = self.record.clone().with_match(contest);
        let played = &self.played_match().games()[game];
        let seen = played.view(Viewer::Seat(self.seat(game))).actions().get(number).copied();
        Ok(ShownAction {
            game,
            seat,
            seen: seen.unwrap_or(Seen::FaceDown),
            ended_game: played.outcome().is_some(),
        })
    }

    /// Plays an action of the human. In the record, the notes on hints and undos for this action move to the place
    /// after the action.
    pub(crate) fn play_as_human(&mut self, action: Action) -> Result<ShownAction> {
        let Moment { game, after } = self.current_moment();
        let told = self.play(action)?;
        for (mark, moment) in std::mem::take(&mut self.pending) {
            let stood = Note { game: moment.game, after: moment.after, text: mark.text() };
            self.record = without_last(&self.record, &stood)?;
            self.record.add_note(Note { game, after: after + 1, text: mark.text() })?;
        }
        Ok(told)
    }

    /// Returns the present moment of the match: the index of the current game, and the number of its actions so far.
    pub(crate) fn current_moment(&self) -> Moment {
        Moment {
            game: self.played_match().current_index(),
            after: self.played_match().current().actions().len(),
        }
    }

    /// Records that the human took help (a hint or an undo) for their next action. The note is added at once, so that the record
    /// has the note even if the player leaves.
    pub(crate) fn mark(&mut self, mark: HelpMark) -> Result<()> {
        if self.pending.iter().all(|(pending, _)| *pending != mark) {
            let moment = self.current_moment();
            let Moment { game, after } = moment;
            self.record.add_note(Note { game, after, text: mark.text() })?;
            self.pending.push((mark, moment));
        }
        Ok(())
    }

    /// Returns whether the match goes on in the round of the game with the index `game`. A round is the two games with the same deal.
    pub(crate) fn has_deal_in_play(&self, game: usize) -> bool {
        self.played_match().result().is_none()
            && game / 2 == self.played_match().current_index() / 2
    }

    /// Returns whether the human has an action to take back.
    pub(crate) fn can_undo(&self) -> bool {
        self.last_own_action().is_some()
    }

    /// Takes back the human's last action and all later actions. Returns `false` if the human has no action to take back.
    pub(crate) fn undo(&mut self) -> Result<bool> {
        let Some((index, keep)) = self.last_own_action() else {
            return Ok(false);
        };
        // If the human took a hint for an action that is taken back, the record notes the hint for the human's next action instead. The
        // human still knows the hint.
        let is_gone = |note: &&Note| (note.game, note.after) > (index, keep);
        let hinted = self
            .record
            .notes()
            .iter()
            .filter(is_gone)
            .any(|note| note.text == HelpMark::Hint.text());
        let contest = self
            .played_match()
            .after(index, keep)
            .context("the match has no earlier action that an undo could take back")?;
        self.record = self.record.clone().with_match(contest);
        self.pending.clear();
        if hinted {
            self.mark(HelpMark::Hint)?;
        }
        self.mark(HelpMark::Undo)?;
        Ok(true)
    }

    fn last_own_action(&self) -> Option<(usize, usize)> {
        let games = self.played_match().games().iter().enumerate().rev();
        games.into_iter().find_map(|(index, game)| {
            let own = self.seat(index);
            let is_own = |keep: &usize| game.after(*keep).to_act() == Some(own);
            let first = if index == 0 { self.begun_after } else { 0 };
            (first..game.actions().len()).rev().find(is_own).map(|keep| (index, keep))
        })
    }

    pub(crate) fn resign(&mut self) -> Result<()> {
        let contest = self.played_match().clone().resign(self.human)?;
        self.record = self.record.clone().with_match(contest);
        Ok(())
    }

    /// Returns the record of the match as text, without information that is hidden from the human, such as later deals.
    pub(crate) fn record_for_human(&self) -> String {
        let contest = self.played_match();
        let index = contest.current_index();
        let view = self.view();
        let hides = view.hides_card(!self.seat(index));
        let text = match contest.after(index, 0) {
            Some(before) if hides => {
                let shown = self.record.clone().with_match(before).to_string();
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

    /// Returns the game with the index `index` in the match.
    pub(crate) fn game(&self, index: usize) -> &Game {
        &self.played_match().games()[index]
    }
}

/// Returns a copy of a match record without the last note that equals `gone`.
fn without_last(record: &Record, gone: &Note) -> Result<Record> {
    let mut fresh = Record::new(record.played_match().clone());
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
        Session::new(
            Record::new(Match::with_deals(4, deals.to_vec()).unwrap()),
            human,
            words::OPPONENT,
        )
    }

    fn play(session: &mut Session, text: &str) {
        for action in session.played_match().rules().read_actions(text).unwrap() {
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
    fn a_resumed_match_keeps_the_help_marks_of_the_next_action() {
        let mut session = session("bga", Player::A);
        let lead = session.view().legal_actions().next().unwrap();
        session.play_as_human(lead).unwrap();
        let answer = session.opponent_turn().view.legal_actions().next().unwrap();
        session.play(answer).unwrap();
        while session.played_match().current().to_act() != Some(session.seat(0)) {
            let lead = session.opponent_turn().view.legal_actions().next().unwrap();
            session.play(lead).unwrap();
        }
        session.mark(HelpMark::Hint).unwrap();
        let marked = session.current_moment();

        let resumed = |session: &Session| {
            let record = Record::read(&session.record().to_string()).unwrap();
            Session::new(record, Player::A, words::OPPONENT)
        };
        let mut session = resumed(&session);
        session.mark(HelpMark::Hint).unwrap();
        let places = |session: &Session| -> Vec<_> {
            session.record().notes().iter().map(|note| (note.game, note.after)).collect()
        };
        assert_eq!(places(&session), [(marked.game, marked.after)]);
        let action = session.view().legal_actions().next().unwrap();
        session.play_as_human(action).unwrap();
        assert_eq!(places(&session), [(marked.game, marked.after + 1)]);

        // The record of the resumed match notes that the human took a hint for an earlier action. A further action leaves this note at its
        // place.
        let mut session = resumed(&session);
        assert_eq!(session.pending, []);
        let action = session.played_match().current().legal_actions().next().unwrap();
        session.play(action).unwrap();
        assert_eq!(places(&session), [(marked.game, marked.after + 1)]);
    }

    #[test]
    fn the_shown_record_hides_a_card_that_lies_face_down() {
        let mut session = session("denexa", Player::B);
        let hidden = session.opponent_turn().view.legal_actions().nth(1).unwrap();
        let hidden = session.played_match().rules().action_text(hidden).to_string();
        play(&mut session, &hidden);

        let shown = session.record_for_human();
        assert!(!shown.contains(&hidden), "{shown}");
        assert!(shown.ends_with("Game 1: A leads\n(?) *"), "{shown}");
        assert!(shown.contains("[Deals \"7 …\"]"), "{shown}");
        assert!(session.record().to_string().contains(&hidden));
    }
}
