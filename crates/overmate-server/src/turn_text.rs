//! Formulates short messages about matches in English and German, such as "Your turn", for Atom feeds, calendars and
//! push messages.

use jiff::Timestamp;

/// Generator of short messages about matches, such as "Your turn", in one language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnText {
    /// Whether the messages about matches are in German; otherwise the messages are in English.
    pub(crate) german: bool,
}

impl TurnText {
    pub(crate) fn title(self) -> &'static str {
        if self.german { "Overmate: du bist am Zug" } else { "Overmate: your turn" }
    }

    /// Returns the message that it is a player's turn. The message contains the opponent's display name, unless
    /// `opponent` is `None`.
    pub(crate) fn turn(self, opponent: Option<&str>) -> String {
        match (opponent, self.german) {
            (Some(name), true) => format!("Du bist am Zug gegen {name}"),
            (None, true) => "Du bist am Zug".to_owned(),
            (Some(name), false) => format!("Your turn against {name}"),
            (None, false) => "Your turn".to_owned(),
        }
    }

    /// Returns the message that a player's clock time soon runs out. The message contains the opponent's display name,
    /// unless `opponent` is `None`.
    pub(crate) fn near(self, opponent: Option<&str>) -> String {
        match (opponent, self.german) {
            (Some(name), true) => format!("Deine Zeit gegen {name} läuft bald ab"),
            (None, true) => "Deine Zeit läuft bald ab".to_owned(),
            (Some(name), false) => format!("Your time against {name} soon runs out"),
            (None, false) => "Your time soon runs out".to_owned(),
        }
    }

    /// Returns the message that a player's match offer was accepted. The message contains the opponent's display name,
    /// unless `opponent` is `None`.
    pub(crate) fn accepted(self, opponent: Option<&str>) -> String {
        match (opponent, self.german) {
            (Some(name), true) => format!("{name} hat dein Angebot angenommen"),
            (None, true) => "Dein Angebot wurde angenommen".to_owned(),
            (Some(name), false) => format!("{name} has accepted your offer"),
            (None, false) => "Your offer was accepted".to_owned(),
        }
    }

    /// Returns the message that a player's match in a tournament event has begun. The message contains the opponent's
    /// display name, unless `opponent` is `None`.
    pub(crate) fn paired(self, opponent: Option<&str>) -> String {
        match (opponent, self.german) {
            (Some(name), true) => format!("Turnier: du spielst jetzt gegen {name}"),
            (None, true) => "Turnier: du spielst jetzt".to_owned(),
            (Some(name), false) => format!("Event: you now play against {name}"),
            (None, false) => "Event: you now play".to_owned(),
        }
    }

    /// Returns the text "until …" with the time of a deadline. The deadline is a Unix time in seconds.
    pub(crate) fn until(self, deadline: i64) -> String {
        let time = Timestamp::from_second(deadline).unwrap_or_default().strftime("%Y-%m-%d %H:%M");
        if self.german { format!("bis {time} UTC") } else { format!("until {time} UTC") }
    }
}
