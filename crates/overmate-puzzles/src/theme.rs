//! Defines the themes of puzzles, and sets of themes.

use std::fmt;
use std::str::FromStr;

use overmate_rules::{OvermateFor, RuleSet, SoleReward};

/// Theme of a puzzle, such as a mate in two. The solution and the ending of a puzzle determine its themes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theme {
    /// Theme of puzzles in which exactly one of at least three legal actions is right at each
    /// decision.
    OnlyAction,
    /// Theme of puzzles in which the player mates in the current move.
    MateInOne,
    /// Theme of puzzles in which the player mates in the second move under best play, counting the current move as the first.
    ///
    /// An opponent who deviates from best play may be mated in another move, for at least as many
    /// points.
    MateInTwo,
    /// Theme of puzzles in which the player mates in the third move under best play, counting the current move as the first.
    MateInThree,
    /// Theme of puzzles in which the player mates in the fourth or a later move under best play, counting the current
    /// move as the first.
    LongMate,
    /// Theme of puzzles in which best play ends with an overmate.
    Overmate,
    /// Theme of puzzles with a decision at which an immediate mate is wrong, because a later mate scores more.
    Wait,
    /// Theme of puzzles with a decision at which every right action gives the lead to the opponent.
    GiveUpLead,
    /// Theme of puzzles with a decision at which every wrong answer allows the opponent a mate with the next lead.
    KeepAnswer,
    /// Theme of puzzles in which the player has to decide about foreplacing a card.
    Foreplace,
    /// Theme of puzzles with a decision at which only an answer by the free move is right.
    FreeMove,
    /// Theme of puzzles with a decision at which only a lead with a demand is right.
    Demand,
    /// Theme of puzzles in which the best result is a draw, and every wrong action loses.
    SaveDraw,
    /// Theme of puzzles in which the right actions win, and all wrong actions lose.
    TurnLoss,
}

impl Theme {
    /// All puzzle themes, in the order of their bits in a set of themes.
    pub const ALL: [Self; 14] = [
        Self::OnlyAction,
        Self::MateInOne,
        Self::MateInTwo,
        Self::MateInThree,
        Self::LongMate,
        Self::Overmate,
        Self::Wait,
        Self::GiveUpLead,
        Self::KeepAnswer,
        Self::Foreplace,
        Self::FreeMove,
        Self::Demand,
        Self::SaveDraw,
        Self::TurnLoss,
    ];

    /// Returns whether a puzzle of the rule set can have the theme. A theme about an action that the rules forbid is impossible.
    #[must_use]
    pub fn is_possible(self, rules: &RuleSet) -> bool {
        match self {
            Self::Foreplace => rules.foreplacing().is_some(),
            Self::Overmate => rules.foreplacing().is_some_and(|foreplacing| {
                foreplacing.overmate != OvermateFor::Nobody
                    || foreplacing.sole == SoleReward::Doubled
            }),
            Self::FreeMove => rules.free_move(),
            Self::Demand => rules.privilege().is_some_and(|privilege| privilege.on_demand),
            Self::OnlyAction
            | Self::MateInOne
            | Self::MateInTwo
            | Self::MateInThree
            | Self::LongMate
            | Self::Wait
            | Self::GiveUpLead
            | Self::KeepAnswer
            | Self::SaveDraw
            | Self::TurnLoss => true,
        }
    }

    /// Returns the name of the theme, such as `mate-in-2`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OnlyAction => "only-action",
            Self::MateInOne => "mate-in-1",
            Self::MateInTwo => "mate-in-2",
            Self::MateInThree => "mate-in-3",
            Self::LongMate => "long-mate",
            Self::Overmate => "overmate",
            Self::Wait => "wait",
            Self::GiveUpLead => "give-up-lead",
            Self::KeepAnswer => "keep-answer",
            Self::Foreplace => "foreplace",
            Self::FreeMove => "free-move",
            Self::Demand => "demand",
            Self::SaveDraw => "save-draw",
            Self::TurnLoss => "turn-loss",
        }
    }

    /// Returns an English sentence that explains the theme.
    #[must_use]
    pub fn idea(self) -> &'static str {
        match self {
            Self::OnlyAction => "At each decision only one of at least three actions was right.",
            Self::MateInOne => "You could give mate in this move.",
            Self::MateInTwo => "Best play by both players ends with your mate in two moves.",
            Self::MateInThree => "Best play by both players ends with your mate in three moves.",
            Self::LongMate => {
                "Best play by both players ends with your mate in four or more moves."
            }
            Self::Overmate => "An overmate was possible.",
            Self::Wait => "You could give mate at once, but a later mate is worth more.",
            Self::GiveUpLead => "You had to let your opponent win the move.",
            Self::KeepAnswer => "Every other answer allowed mate with the next lead.",
            Self::Foreplace => "You had to choose a card to foreplace, or to decline.",
            Self::FreeMove => "The free move was needed.",
            Self::Demand => "The demand was needed.",
            Self::SaveDraw => "A draw was the best result; wrong actions lose.",
            Self::TurnLoss => "The right action wins, and every other action loses.",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parse error: the string is not the name of a puzzle theme.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no theme `{0}`: use {list}", list = names())]
pub struct UnknownTheme(pub String);

fn names() -> String {
    Theme::ALL.map(Theme::name).join(", ")
}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        let found = Self::ALL.into_iter().find(|theme| theme.name() == text);
        found.ok_or_else(|| UnknownTheme(text.to_owned()))
    }
}

/// Set of themes, stored as one bit for each theme.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Themes(u16);

impl Themes {
    /// Returns whether the set of themes contains a theme.
    #[must_use]
    pub fn contains(self, theme: Theme) -> bool {
        self.0 >> theme as u16 & 1 == 1
    }

    /// Returns the themes of the set, in the order of [`Theme::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Theme> {
        Theme::ALL.into_iter().filter(move |theme| self.contains(*theme))
    }
}

impl FromStr for Themes {
    type Err = UnknownTheme;

    /// Parses the names of puzzle themes, separated by commas. An empty string gives the empty set.
    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        text.split(',').filter(|name| !name.is_empty()).map(str::parse).collect()
    }
}

impl FromIterator<Theme> for Themes {
    fn from_iter<I: IntoIterator<Item = Theme>>(themes: I) -> Self {
        Self(themes.into_iter().fold(0, |set, theme| set | 1 << theme as u16))
    }
}
