//! Bounds of requests, as the OpenAPI document gives them. A request out of bounds is refused before any work.

use super::analysis::AnalysisRequest;
use super::matches::{Act, ClientId, Join, NewMatch, Resign};

/// Request with bounds.
pub(crate) trait Checked {
    /// Returns the first field that is out of bounds, with its bound.
    fn fault(&self) -> Option<String>;
}

/// Largest number of characters of a token in a link.
pub(crate) const TOKEN: usize = 64;

/// Largest number of code points in the text of a name. The name that remains after normalisation has a lower limit.
const NAME: usize = 400;

/// Largest sequence in a request.
pub(crate) const LAST_SEQUENCE: u64 = 1_000_000;

/// Largest index of a game in a request.
pub(crate) const LAST_GAME: usize = 200;

/// Returns the fault of a text that is too long.
pub(crate) fn too_long(name: &str, text: Option<&String>, most: usize) -> Option<String> {
    let is_long = text.is_some_and(|text| text.chars().count() > most);
    is_long.then(|| format!("{name} is too long: send at most {most} characters"))
}

/// Returns the fault of a number that is too large.
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
        too_long("rules", Some(&self.rules), 200)
            .or_else(|| too_long("deal", self.deal.as_ref(), 20))
            .or_else(|| too_long("names.me", self.names.me.as_ref(), NAME))
            .or_else(|| too_long("names.other", self.names.other.as_ref(), NAME))
            .or_else(|| self.client_id.as_deref().and_then(client_id))
    }
}

impl Checked for Join {
    fn fault(&self) -> Option<String> {
        too_long("name", self.name.as_ref(), NAME)
    }
}

impl Checked for Act {
    fn fault(&self) -> Option<String> {
        too_large("sequence", self.sequence, LAST_SEQUENCE)
            .or_else(|| too_long("action", Some(&self.action), 16))
            .or_else(|| client_id(&self.client_id))
    }
}

impl Checked for ClientId {
    fn fault(&self) -> Option<String> {
        client_id(&self.client_id)
    }
}

impl Checked for Resign {
    fn fault(&self) -> Option<String> {
        client_id(&self.client_id)
    }
}

impl Checked for AnalysisRequest {
    fn fault(&self) -> Option<String> {
        let actions = self.actions.as_ref().map_or(0, Vec::len);
        too_long("rules", self.rules.as_ref(), 200)
            .or_else(|| too_long("deal", self.deal.as_ref(), 20))
            .or_else(|| too_long("record", self.record.as_ref(), 20_000))
            .or_else(|| too_long("position", self.position.as_ref(), 400))
            .or_else(|| too_large("game", self.game.unwrap_or_default(), LAST_GAME))
            .or_else(|| too_large("the number of actions", actions, 60))
    }
}
