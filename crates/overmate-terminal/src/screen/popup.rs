//! Popups on the full screen, with their kinds, their scrolling and their selection.

use overmate_rules::Action;

/// Open popup, with its scroll position and its selected choice.
pub(super) struct Popup {
    pub(super) kind: PopupKind,
    /// Index, from 0, of the first line of text that the popup shows.
    pub(super) scroll: u16,
    /// Index of the selected choice, which the key Enter takes.
    pub(super) selected: usize,
    /// Popup that opens again when this popup closes.
    pub(super) behind: Option<PopupKind>,
}

/// Kind and contents of a popup.
pub(super) enum PopupKind {
    Help,
    Score,
    Record,
    Review {
        game: usize,
    },
    /// Explanation of the opponent's last action.
    Why {
        text: String,
    },
    /// Choice between several actions with one card, or confirmation of a free move.
    Choice {
        ways: Vec<Action>,
    },
    Resign,
    Typing {
        text: String,
        error: Option<String>,
    },
    GameOver {
        game: usize,
    },
    MatchOver {
        game: usize,
    },
}

impl PopupKind {
    /// Returns whether this kind of popup shows the end of a game or of the match.
    pub(super) fn ends_game(&self) -> bool {
        matches!(self, Self::GameOver { .. } | Self::MatchOver { .. })
    }
}

impl Popup {
    pub(super) fn new(kind: PopupKind) -> Self {
        // The selection begins at Back, so that a slip of a key does not resign the match.
        let selected = usize::from(matches!(kind, PopupKind::Resign));
        Self { kind, scroll: 0, selected, behind: None }
    }

    /// Returns whether this popup, or the popup behind it, shows the end of a game.
    pub(super) fn ends_game(&self) -> bool {
        self.kind.ends_game() || self.behind.as_ref().is_some_and(PopupKind::ends_game)
    }

    pub(super) fn is_typing(&self) -> bool {
        matches!(self.kind, PopupKind::Typing { .. })
    }

    /// Returns the text that the player has typed so far, or an empty text in other popups.
    pub(super) fn typed(&self) -> &str {
        match &self.kind {
            PopupKind::Typing { text, .. } => text,
            _ => "",
        }
    }
}
