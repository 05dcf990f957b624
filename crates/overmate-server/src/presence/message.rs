//! Defines the messages about rooms (the connected players of a match) that servers send to each other.

use overmate_json::PlayerWire;
use overmate_rules::ByPlayer;
use serde::{Deserialize, Serialize};

use crate::wire::{Phrase, PresenceKind};

/// First word of each line about the connected players of a match, in a notice to other servers. No match has this word as its id. A server
/// of a version without such messages expects a number after the first word, and skips the line.
const WORD: &str = "room ";

/// Message from a server to the other servers about the players that are connected to the sending server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct RoomMessage {
    /// Id of the sending server.
    pub(super) server: u64,
    #[serde(flatten)]
    pub(super) news: RoomNews,
}

/// Content of a server's message to the other servers about its connected players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(super) enum RoomNews {
    /// Presence of the players of a match, counted only from their connections to the server that sends this message.
    Present {
        /// Id of the match.
        id: Box<str>,
        a: PresenceKind,
        b: PresenceKind,
        /// Whether the sending server asks the other servers to report the presence of the players again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        asks: bool,
    },
    /// Chat phrase of a player.
    Said {
        /// Id of the match.
        id: Box<str>,
        player: PlayerWire,
        phrase: Phrase,
    },
    /// The server that sent the message stops, which ends the live connections of its players.
    Left,
}

impl RoomNews {
    /// Creates a message about the presence of the players of a match.
    pub(super) fn present(id: &str, players: ByPlayer<PresenceKind>, asks: bool) -> Self {
        let ByPlayer { a, b } = players;
        Self::Present { id: id.into(), a, b, asks }
    }
}

impl RoomMessage {
    /// Formats the message about connected players as one line of a notice to the other servers, with a line break at the end.
    pub(crate) fn line(&self) -> String {
        let text = serde_json::to_string(self).expect("a message has a JSON text");
        format!("{WORD}{text}\n")
    }

    /// Parses another server's message about connected players from one line of that server's notice. Returns `None` for a line without a
    /// message about rooms, and for a message that this version of the server cannot read.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        serde_json::from_str(line.strip_prefix(WORD)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::Player;

    use super::*;

    #[test]
    fn messages_are_lines_that_are_read_again() {
        let id = "0123456789abcdef".repeat(2);
        let players = ByPlayer { a: PresenceKind::Here, b: PresenceKind::Gone };
        let said = RoomNews::Said {
            id: id.as_str().into(),
            player: Player::B.into(),
            phrase: Phrase::GoodLuck,
        };
        for news in [
            RoomNews::present(&id, players, true),
            RoomNews::present(&id, players, false),
            said,
            RoomNews::Left,
        ] {
            let message = RoomMessage { server: u64::MAX, news };
            let line = message.line();
            assert!(line.len() <= 128, "{line}");
            assert_eq!(line.find('\n'), Some(line.len() - 1), "{line}");
            assert_eq!(RoomMessage::of_line(line.trim_end()), Some(message));
        }
    }

    #[test]
    fn the_format_stays_readable_for_servers_of_other_versions() {
        let read = |line| RoomMessage::of_line(line).map(|message| (message.server, message.news));
        let id = Box::from("1");
        let (a, b) = (PresenceKind::Here, PresenceKind::Away);
        let line = r#"room {"server":7,"t":"present","id":"1","a":"here","b":"away","later":[1]}"#;
        assert_eq!(read(line), Some((7, RoomNews::Present { id, a, b, asks: false })));
        for line in [
            "",
            "room",
            "room ",
            "room 7",
            "0123456789abcdef 7",
            r#"Room {"server":7,"t":"left"}"#,
            r#"room {"server":-7,"t":"left"}"#,
            r#"room {"t":"left"}"#,
            r#"room {"server":7,"t":"later"}"#,
            r#"room {"server":7,"t":"left"} more"#,
            r#"room {"server":7,"t":"present","id":"1","a":"here"}"#,
            r#"room {"server":7,"t":"present","id":"1","a":"here","b":"later"}"#,
            r#"room {"server":7,"t":"said","id":"1","player":"c","phrase":"thanks"}"#,
            r#"room {"server":7,"t":"said","id":"1","player":"a","phrase":"later"}"#,
            r#"room {"server":7,"t":"said","id":"1","player":"a","phrase":"than"#,
        ] {
            assert_eq!(read(line), None, "{line}");
        }
        let deep = format!("room {}", "[".repeat(100_000));
        assert_eq!(RoomMessage::of_line(&deep), None);
    }
}
