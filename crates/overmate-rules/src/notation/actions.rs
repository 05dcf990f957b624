//! Defines the text form of actions and of lists of actions.

use alloc::vec::Vec;
use core::fmt;

use crate::cards::Deck;
use crate::game::{Action, Game, Match, Outcome, Seen, View};
use crate::rule_set::RuleSet;
use crate::text::{Cursor, ReadError, format_names};

/// Formatter that writes an action with the letters of the deck.
struct ActionText<'a>(&'a Deck, Action);

impl fmt::Display for ActionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(deck, action) = self;
        match *action {
            Action::Decline => f.write_str("-"),
            Action::Foreplace(card) => write!(f, "({})", deck.card_text(card)),
            Action::Play(card) => write!(f, "{}", deck.card_text(card)),
            Action::Demand(card) => write!(f, "{}!", deck.card_text(card)),
            Action::Free(card) => write!(f, "{}*", deck.card_text(card)),
        }
    }
}

impl fmt::Debug for ActionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl RuleSet {
    /// Returns a formatter that writes an action in notation, such as `Tc` for playing the ten of
    /// clubs or `-` for declining to foreplace.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let rules = RuleSet::named("rael+kings-privilege")?;
    /// let action = rules.read_action("Kb!")?;
    /// assert_eq!(rules.action_text(action).to_string(), "Kb!");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn action_text(&self, action: Action) -> impl fmt::Display + fmt::Debug + '_ {
        ActionText(self.deck(), action)
    }

    /// Parses an action, without checking its legality.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not exactly one action with a card of the deck.
    pub fn read_action(&self, text: &str) -> Result<Action, ReadError> {
        let mut cursor = Cursor::new(text);
        let action = self.action(&mut cursor)?;
        cursor.expect_end("the action")?;
        Ok(action)
    }

    /// Parses a list of actions, separated by spaces.
    ///
    /// ```
    /// use overmate_rules::{Action, RuleSet};
    /// let rules = RuleSet::named("sackson")?;
    /// let actions = rules.read_actions("- (Qh) As")?;
    /// assert_eq!(actions.len(), 3);
    /// assert_eq!(actions[0], Action::Decline);
    /// assert_eq!(rules.read_actions("- Jc").unwrap_err().place.column, 3);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error at the first item that is not an action.
    pub fn read_actions(&self, text: &str) -> Result<Vec<Action>, ReadError> {
        let mut cursor = Cursor::new(text);
        let mut actions = Vec::new();
        cursor.skip_blanks();
        while !cursor.at_end() {
            actions.push(self.action(&mut cursor)?);
            if cursor.peek().is_some_and(|c| !c.is_whitespace()) {
                return Err(cursor.expected("a blank after the action"));
            }
            cursor.skip_blanks();
        }
        Ok(actions)
    }

    /// Returns a pattern of the notation, such as `(card)`, for each kind of action that occurs under the rule set.
    fn forms_of_actions(&self) -> Vec<&'static str> {
        let has_foreplacing = self.foreplacing().is_some();
        let has_demands = self.deck().cards().iter().any(|card| self.may_demand(*card));
        let forms = [
            ("-", has_foreplacing),
            ("(card)", has_foreplacing),
            ("card", true),
            ("card!", has_demands),
            ("card*", self.free_move()),
        ];
        forms.into_iter().filter(|(_, occurs)| *occurs).map(|(form, _)| form).collect()
    }

    /// Parses the action at the cursor, and moves the cursor past the action.
    pub(crate) fn action(&self, cursor: &mut Cursor<'_>) -> Result<Action, ReadError> {
        if cursor.eat("-") {
            return Ok(Action::Decline);
        }
        if cursor.eat("(") {
            let card = self.deck().card(cursor)?;
            return if cursor.eat(")") {
                Ok(Action::Foreplace(card))
            } else {
                Err(cursor.expected("`)` after the foreplaced card"))
            };
        }
        let card = self.deck().card(cursor).map_err(|error| {
            let card = &error.expected;
            let expected = match &self.forms_of_actions()[..] {
                [_] => alloc::format!("an action: {card}"),
                forms => alloc::format!("an action: {}, with {card}", format_names(forms)),
            };
            ReadError { expected, ..error }
        })?;
        Ok(if cursor.eat("!") {
            Action::Demand(card)
        } else if cursor.eat("*") {
            Action::Free(card)
        } else {
            Action::Play(card)
        })
    }
}

impl fmt::Display for Game {
    /// Formats the actions of the game in notation, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, action) in self.actions().iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { " " }, self.rules().action_text(*action))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({} {}: {self}", self.rules().name(), self.dealt().number())?;
        if let Some(Outcome::Resigned { by }) = self.outcome() {
            write!(f, ", resigned by {by}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Match({} games, result {:?}, ", self.length(), self.result())?;
        f.debug_list().entries(self.games()).finish()?;
        f.write_str(")")
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({}, {:?}: {self})", self.rules().name(), self.viewer())
    }
}

impl fmt::Display for View {
    /// Formats the actions of the game view in notation, with `(?)` for a hidden card.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seen) in self.actions().iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " " })?;
            match seen {
                Seen::Action(action) => write!(f, "{}", self.rules().action_text(*action))?,
                Seen::FaceDown => f.write_str("(?)")?,
            }
        }
        Ok(())
    }
}
