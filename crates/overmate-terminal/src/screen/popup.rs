//! Popups over the table: their kinds, and their scrolling and selection.

use overmate_rules::Action;

/// What is open, and how the player has moved in it.
pub(super) struct Popup {
    pub(super) kind: PopupKind,
    /// The first line of the text that is shown.
    pub(super) scroll: u16,
    /// The choice that Enter takes.
    pub(super) selected: usize,
    /// What is open again when this is closed.
    pub(super) behind: Option<PopupKind>,
}

/// What can be open.
pub(super) enum PopupKind {
    Help,
    Score,
    Record,
    Review {
        game: usize,
    },
    /// What the opponent saw.
    Why {
        text: String,
    },
    /// Several actions with one card, or one that is not to be taken by accident.
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
    /// Whether it shows the end of a game, before the next one goes on.
    pub(super) fn ends_game(&self) -> bool {
        matches!(self, Self::GameOver { .. } | Self::MatchOver { .. })
    }
}

impl Popup {
    pub(super) fn new(kind: PopupKind) -> Self {
        // Giving up is never a slip of a key.
        let selected = usize::from(matches!(kind, PopupKind::Resign));
        Self { kind, scroll: 0, selected, behind: None }
    }

    /// Whether the end of a game is shown, here or behind.
    pub(super) fn ends_game(&self) -> bool {
        self.kind.ends_game() || self.behind.as_ref().is_some_and(PopupKind::ends_game)
    }

    pub(super) fn is_typing(&self) -> bool {
        matches!(self.kind, PopupKind::Typing { .. })
    }

    /// What has been typed.
    pub(super) fn typed(&self) -> &str {
        match &self.kind {
            PopupKind::Typing { text, .. } => text,
            _ => "",
        }
    }
}
