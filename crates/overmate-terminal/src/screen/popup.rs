//! Defines the popups of the full-screen display: their kinds, scroll positions and selections.

use overmate_rules::Action;

/// Popup that is currently open, with its scroll position and its selected choice.
pub(super) struct Popup {
    pub(super) kind: PopupKind,
    /// Scroll offset of the popup's text, in lines.
    pub(super) scroll: u16,
    /// Index of the selected choice, which the Enter key confirms.
    pub(super) selected: usize,
    /// Popup that opens again when the player closes the current popup.
    pub(super) behind: Option<PopupKind>,
}

/// Kind of a popup, with the contents of the popup.
pub(super) enum PopupKind {
    Help,
    Score,
    Record,
    Review {
        game: usize,
    },
    /// Popup with the explanation of the opponent's last action.
    Why {
        text: String,
    },
    /// Popup that asks which of several actions to play with one card, or whether to use the free move.
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
    /// Returns whether this kind of popup shows the result of a game or of the match.
    pub(super) fn ends_game(&self) -> bool {
        matches!(self, Self::GameOver { .. } | Self::MatchOver { .. })
    }
}

impl Popup {
    pub(super) fn new(kind: PopupKind) -> Self {
        // In the popup that asks for a resignation, the second choice (Back) is selected at first, so that a wrong key does not resign the
        // match.
        let selected = usize::from(matches!(kind, PopupKind::Resign));
        Self { kind, scroll: 0, selected, behind: None }
    }

    /// Returns whether the open popup, or the popup behind the open popup, shows the result of a game.
    pub(super) fn ends_game(&self) -> bool {
        self.kind.ends_game() || self.behind.as_ref().is_some_and(PopupKind::ends_game)
    }

    pub(super) fn is_typing(&self) -> bool {
        matches!(self.kind, PopupKind::Typing { .. })
    }

    /// Returns the text that the player has typed in a popup for typing, or an empty string in other
    /// popups.
    pub(super) fn typed(&self) -> &str {
        match &self.kind {
            PopupKind::Typing { text, .. } => text,
            PopupKind::Help
            | PopupKind::Score
            | PopupKind::Record
            | PopupKind::Review { .. }
            | PopupKind::Why { .. }
            | PopupKind::Choice { .. }
            | PopupKind::Resign
            | PopupKind::GameOver { .. }
            | PopupKind::MatchOver { .. } => "",
        }
    }
}
