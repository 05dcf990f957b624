//! Validates the fields of requests against the bounds in the OpenAPI document. The server refuses
//! a request outside of these bounds before any other work.

use overmate_puzzles::MAX_DECISIONS;

use crate::matches::conditional::MOST_ACTIONS;
use crate::programs::ProgramName;
use crate::puzzle_run::PuzzleRun;

use super::accounts::{NewAccount, NewHandle, NewPassword, SignIn};
use super::answers::{AnswerBranch, AnswerLine, ConditionalAnswers, Note};
use super::bots::NewBotToken;
use super::days_off::SetDaysOff;
use super::events::{EventKindWire, NewEvent};
use super::lobby::{AcceptOffer, NewOffer};
use super::mail::{
    ConfirmMail, Recover, RemoveMail, RequestRecovery, SetMail, SetTurnMails, StopTurnMails,
};
use super::matches::{Act, ClientId, HintRequest, Join, NewMatch, Opponent, Resign};
use super::passkeys::{BeginPasskey, PasskeyAnswer, PasskeySignIn};
use super::people::{AddBrowser, NewCode};
use super::push::SetPush;
use super::puzzles::PuzzleAttempt;
use super::ratings::ProfileSetting;
use super::reports::{ConfirmWarning, NewReport};
use super::shared_deals::PlaySharedDeal;
use super::talk::NewTalkLine;
use super::watching::SetVisibility;
use overmate_json::{AnalysisRequest, OWN_ENTRIES, OwnEntry, OwnMatch};

/// Request whose fields have bounds, such as a maximum length.
pub(crate) trait Checked {
    /// Returns an error message about the request's first field that is out of bounds, or `None` if all fields are within bounds.
    fn fault(&self) -> Option<String>;
}

/// Maximum number of characters in a secret token, such as a token in a URL path.
pub(crate) const TOKEN: usize = 64;

/// Maximum number of code points in a name, such as a display name, before Unicode normalisation. A lower limit applies after
/// normalisation.
const NAME: usize = 400;

/// Maximum number of code points in the text of a report about a player before Unicode normalisation. A lower limit applies after
/// normalisation.
const REPORT: usize = 2_000;

/// Maximum number of code points in a handle before Unicode normalisation. A lower limit applies
/// after normalisation.
const HANDLE: usize = 64;

/// Maximum number of code points in a password before Unicode normalisation. A lower limit applies
/// after normalisation.
const PASSWORD: usize = 1_024;

/// Maximum number of characters in a player's private note.
const NOTE: usize = 2_000;

/// Maximum number of code points in a free-text chat message before Unicode normalisation. A lower limit applies after normalisation.
const TEXT: usize = 1_000;

/// Maximum number of characters in an e-mail address.
const ADDRESS: usize = 254;

/// Maximum sequence number that a request may contain, such as the sequence number of a match state.
pub(crate) const LAST_SEQUENCE: u64 = 1_000_000;

/// Maximum index, from 0, that a request may give for a game of a match.
pub(crate) const LAST_GAME: usize = 200;

/// Returns an error message if the field `name` is longer than `most` characters or contains a null character; otherwise `None`.
/// PostgreSQL cannot store a null character.
pub(crate) fn text_fault(name: &str, text: Option<&String>, most: usize) -> Option<String> {
    let text = text?;
    if text.contains('\0') {
        return Some(format!(
            "{name} has a null character (U+0000): send the text without this character"
        ));
    }
    let is_long = text.chars().count() > most;
    is_long.then(|| format!("{name} is too long: send at most {most} characters"))
}

/// Returns an error message if the number in the field `name` is greater than `most`; otherwise `None`.
pub(crate) fn too_large<T: Copy + PartialOrd + std::fmt::Display>(
    name: &str,
    number: T,
    most: T,
) -> Option<String> {
    (number > most).then(|| format!("{name} is too large: send at most {most}"))
}

fn client_id(text: &str) -> Option<String> {
    let fits = (8..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    (!fits).then(|| {
        "client_id is not valid: send 8 to 64 letters, digits, - and _, such as a UUID".to_owned()
    })
}

impl Checked for NewMatch {
    fn fault(&self) -> Option<String> {
        let program = match &self.opponent {
            Opponent::Program { name } => Some(name),
            Opponent::Level { .. }
            | Opponent::Perfect {}
            | Opponent::Friend {}
            | Opponent::Both {} => None,
        };
        text_fault("rules", Some(&self.rules), 200)
            .or_else(|| text_fault("opponent.name", program, ProgramName::LONGEST))
            .or_else(|| text_fault("deal", self.deal.as_ref(), 20))
            .or_else(|| text_fault("names.me", self.names.me.as_ref(), NAME))
            .or_else(|| text_fault("names.other", self.names.other.as_ref(), NAME))
            .or_else(|| self.client_id.as_deref().and_then(client_id))
    }
}

/// Returns an error message if the text notation of an action is too long; otherwise `None`.
fn action(text: &String) -> Option<String> {
    text_fault("an action", Some(text), 16)
}

fn branch(AnswerBranch { on, answers, then }: &AnswerBranch) -> Option<String> {
    let mut texts = std::iter::once(on).chain(answers);
    texts.find_map(action).or_else(|| then.iter().find_map(branch))
}

impl Checked for ConditionalAnswers {
    fn fault(&self) -> Option<String> {
        too_large("sequence", self.sequence, LAST_SEQUENCE)
            .or_else(|| self.branches.iter().find_map(branch))
    }
}

impl Checked for AnswerLine {
    fn fault(&self) -> Option<String> {
        too_large("sequence", self.sequence, LAST_SEQUENCE)
            .or_else(|| too_large("the number of actions", self.actions.len(), MOST_ACTIONS))
            .or_else(|| self.actions.iter().find_map(action))
    }
}

impl Checked for Note {
    fn fault(&self) -> Option<String> {
        text_fault("text", Some(&self.text), NOTE)
    }
}

impl Checked for NewTalkLine {
    fn fault(&self) -> Option<String> {
        text_fault("text", Some(&self.text), TEXT)
            .or_else(|| client_id(&self.client_id))
            .or_else(|| too_large("after", self.after, LAST_SEQUENCE))
    }
}

impl Checked for NewReport {
    fn fault(&self) -> Option<String> {
        text_fault("text", self.text.as_ref(), REPORT)
    }
}

impl Checked for ConfirmWarning {
    fn fault(&self) -> Option<String> {
        None
    }
}

impl Checked for SetDaysOff {
    fn fault(&self) -> Option<String> {
        None
    }
}

impl Checked for SetMail {
    fn fault(&self) -> Option<String> {
        text_fault("address", Some(&self.address), ADDRESS)
            .or_else(|| text_fault("language", Some(&self.language), 10))
            .or_else(|| text_fault("password", self.password.as_ref(), PASSWORD))
    }
}

impl Checked for RemoveMail {
    fn fault(&self) -> Option<String> {
        text_fault("password", self.password.as_ref(), PASSWORD)
    }
}

impl Checked for SetTurnMails {
    fn fault(&self) -> Option<String> {
        text_fault("language", Some(&self.language), 10)
    }
}

impl Checked for StopTurnMails {
    fn fault(&self) -> Option<String> {
        text_fault("token", Some(&self.token), TOKEN)
    }
}

impl Checked for ConfirmMail {
    fn fault(&self) -> Option<String> {
        text_fault("token", Some(&self.token), TOKEN)
    }
}

impl Checked for RequestRecovery {
    fn fault(&self) -> Option<String> {
        text_fault("account", Some(&self.account), ADDRESS)
    }
}

impl Checked for Recover {
    fn fault(&self) -> Option<String> {
        text_fault("token", Some(&self.token), TOKEN)
            .or_else(|| text_fault("password", Some(&self.password), PASSWORD))
    }
}

impl Checked for SetPush {
    fn fault(&self) -> Option<String> {
        text_fault("endpoint", Some(&self.endpoint), 1_024)
            .or_else(|| text_fault("p256dh", Some(&self.p256dh), 100))
            .or_else(|| text_fault("auth", Some(&self.auth), 40))
            .or_else(|| text_fault("language", Some(&self.language), 10))
    }
}

impl Checked for SetVisibility {
    fn fault(&self) -> Option<String> {
        None
    }
}

impl Checked for Join {
    fn fault(&self) -> Option<String> {
        text_fault("name", self.name.as_ref(), NAME)
    }
}

impl Checked for NewOffer {
    fn fault(&self) -> Option<String> {
        text_fault("rules", Some(&self.rules), 200)
            .or_else(|| text_fault("name", self.name.as_ref(), NAME))
            .or_else(|| text_fault("to", self.to.as_ref(), 64))
            .or_else(|| client_id(&self.client_id))
    }
}

impl Checked for NewEvent {
    fn fault(&self) -> Option<String> {
        let (name, (least, most), size) = match self.kind {
            EventKindWire::Arena { minutes } => ("minutes", (5, 240), minutes),
            EventKindWire::Swiss { rounds } => ("rounds", (1, 15), rounds),
        };
        text_fault("rules", Some(&self.rules), 200)
            .or_else(|| text_fault("title", self.title.as_ref(), NAME))
            .or_else(|| out_of(name, (least, most), size))
            .or_else(|| out_of("base", (30, 900), self.base))
            .or_else(|| out_of("increment", (0, 30), self.increment))
            .or_else(|| out_of("starts_in", (0, 20_160), self.starts_in))
            .or_else(|| client_id(&self.client_id))
    }
}

/// Returns an error message if a number is outside its bounds; otherwise `None`.
fn out_of(name: &str, (least, most): (u32, u32), number: u32) -> Option<String> {
    let is_within = (least..=most).contains(&number);
    (!is_within).then(|| format!("{name} is out of range: send a number from {least} to {most}"))
}

impl Checked for AcceptOffer {
    fn fault(&self) -> Option<String> {
        text_fault("name", self.name.as_ref(), NAME).or_else(|| client_id(&self.client_id))
    }
}

impl Checked for NewCode {
    fn fault(&self) -> Option<String> {
        text_fault("name", self.name.as_ref(), NAME)
    }
}

impl Checked for AddBrowser {
    fn fault(&self) -> Option<String> {
        text_fault("code", Some(&self.code), TOKEN)
            .or_else(|| text_fault("name", self.name.as_ref(), NAME))
    }
}

impl Checked for NewAccount {
    fn fault(&self) -> Option<String> {
        text_fault("handle", Some(&self.handle), HANDLE)
            .or_else(|| text_fault("password", self.password.as_ref(), PASSWORD))
            .or_else(|| text_fault("name", self.name.as_ref(), NAME))
            .or_else(|| self.passkey.as_ref().and_then(Checked::fault))
    }
}

impl Checked for NewBotToken {
    fn fault(&self) -> Option<String> {
        text_fault("name", self.name.as_ref(), NAME)
    }
}

impl Checked for BeginPasskey {
    fn fault(&self) -> Option<String> {
        text_fault("handle", self.handle.as_ref(), HANDLE)
    }
}

impl Checked for PasskeyAnswer {
    fn fault(&self) -> Option<String> {
        text_fault("challenge", Some(&self.challenge), TOKEN)
            .or_else(|| text_fault("passkey.name", self.name.as_ref(), NAME))
    }
}

impl Checked for PasskeySignIn {
    fn fault(&self) -> Option<String> {
        self.passkey.fault().or_else(|| text_fault("name", self.name.as_ref(), NAME))
    }
}

impl Checked for SignIn {
    fn fault(&self) -> Option<String> {
        text_fault("handle", Some(&self.handle), HANDLE)
            .or_else(|| text_fault("password", Some(&self.password), PASSWORD))
            .or_else(|| text_fault("name", self.name.as_ref(), NAME))
    }
}

impl Checked for NewPassword {
    fn fault(&self) -> Option<String> {
        text_fault("former", self.former.as_ref(), PASSWORD)
            .or_else(|| text_fault("password", Some(&self.password), PASSWORD))
    }
}

impl Checked for ProfileSetting {
    fn fault(&self) -> Option<String> {
        None
    }
}

impl Checked for NewHandle {
    fn fault(&self) -> Option<String> {
        text_fault("handle", Some(&self.handle), HANDLE)
    }
}

impl Checked for PlaySharedDeal {
    fn fault(&self) -> Option<String> {
        text_fault("name", self.name.as_ref(), NAME)
    }
}

impl Checked for Act {
    fn fault(&self) -> Option<String> {
        too_large("sequence", self.sequence, LAST_SEQUENCE)
            .or_else(|| text_fault("action", Some(&self.action), 16))
            .or_else(|| client_id(&self.client_id))
    }
}

impl Checked for OwnMatch {
    fn fault(&self) -> Option<String> {
        let actions = self.entries.iter().filter_map(|entry| match entry {
            OwnEntry::Act(text) => Some(text),
            OwnEntry::Undo | OwnEntry::Hint | OwnEntry::Resign => None,
        });
        text_fault("rules", Some(&self.rules), 200)
            .or_else(|| too_large("the number of entries", self.entries.len(), OWN_ENTRIES))
            .or_else(|| too_large("the number of deals", self.deals.len(), 100))
            .or_else(|| self.deals.iter().find_map(|deal| text_fault("a deal", Some(deal), 20)))
            .or_else(|| text_fault("created_at", Some(&self.created_at), 40))
            .or_else(|| text_fault("opponent", Some(&self.opponent), 20))
            .or_else(|| text_fault("seed", Some(&self.seed), 20))
            .or_else(|| text_fault("name", self.name.as_ref(), NAME))
            .or_else(|| actions.into_iter().find_map(action))
            .or_else(|| client_id(&self.id).map(|_| BAD_ID.to_owned()))
    }
}

/// Error message for an invalid id of a match that was played offline.
const BAD_ID: &str =
    "id is not valid: send 8 to 64 letters, digits, - and _, such as here- and a UUID";

impl Checked for ClientId {
    fn fault(&self) -> Option<String> {
        client_id(&self.client_id)
    }
}

impl Checked for HintRequest {
    fn fault(&self) -> Option<String> {
        client_id(&self.client_id)
    }
}

impl Checked for Resign {
    fn fault(&self) -> Option<String> {
        client_id(&self.client_id)
    }
}

impl Checked for PuzzleAttempt {
    fn fault(&self) -> Option<String> {
        let is_run = self.run.as_deref().is_none_or(|run| PuzzleRun::parse(run).is_some());
        let fault =
            "run is not valid: send `streak:` or `storm:` with 8 to 64 letters, digits, - and _";
        too_large("the number of actions", self.actions.len(), MAX_DECISIONS)
            .or_else(|| {
                self.actions.iter().find_map(|action| text_fault("an action", Some(action), 16))
            })
            .or_else(|| (!is_run).then(|| fault.to_owned()))
    }
}

impl Checked for AnalysisRequest {
    fn fault(&self) -> Option<String> {
        let actions = self.actions.as_ref().map_or(0, Vec::len);
        text_fault("rules", self.rules.as_ref(), 200)
            .or_else(|| text_fault("deal", self.deal.as_ref(), 20))
            .or_else(|| text_fault("record", self.record.as_ref(), 20_000))
            .or_else(|| text_fault("position", self.position.as_ref(), 400))
            .or_else(|| too_large("game", self.game.unwrap_or_default(), LAST_GAME))
            .or_else(|| too_large("the number of actions", actions, 60))
    }
}
