//! Defines the methods that several Python classes have in common.
//!
//! Each macro writes the methods for a class that wraps a type of `overmate-rules`, because `PyO3` takes methods only from an
//! `impl` block of the class.

/// Writes the methods of a class that holds the state of a game.
macro_rules! state_methods {
    ($class:ty) => {
        #[pyo3::pymethods]
        impl $class {
            /// Phase of the game: `foreplacing`, `lead`, `follow` or `over`.
            #[getter]
            fn phase(&self) -> &'static str {
                phase_word(self.0.phase())
            }

            /// Seat to act; None if the game is over.
            #[getter]
            fn to_act(&self) -> Option<&'static str> {
                self.0.to_act().map(seat_word)
            }

            /// Outcome of the game; None before its end.
            #[getter]
            fn outcome(&self) -> Option<PyOutcome> {
                self.0.outcome().map(|outcome| PyOutcome::new(self.0.rules(), &outcome))
            }

            /// Returns the distinct legal actions in a fixed order. A view has those of its viewer, and none if the viewer is not to act.
            fn legal_actions(&self) -> Vec<String> {
                let rules = self.0.rules();
                self.0.legal_actions().map(|action| overmate_json::action(rules, action)).collect()
            }
        }
    };
}

/// Writes the methods of a class that holds the cards of a game.
macro_rules! table_methods {
    ($class:ty) => {
        #[pyo3::pymethods]
        impl $class {
            /// Returns the cards in the hand of a seat. A view counts a hidden foreplaced card.
            fn hand(&self, seat: &str) -> PyResult<Vec<String>> {
                Ok(overmate_json::cards(self.0.rules(), self.0.hand(read_seat(seat)?)))
            }

            /// Returns the card that a seat foreplaced, `-` for no card, `(?)` for a hidden card, or None before the decision.
            fn foreplaced(&self, seat: &str) -> PyResult<Option<String>> {
                Ok(foreplaced_text(self.0.rules(), self.0.foreplaced(read_seat(seat)?)))
            }

            /// Seat that leads, or has led, to the current move.
            #[getter]
            fn leader(&self) -> &'static str {
                seat_word(self.0.leader())
            }

            /// Card that was led and not yet answered; None without such a card.
            #[getter]
            fn lead(&self) -> Option<String> {
                self.0.lead().map(|lead| overmate_json::card(self.0.rules(), lead.card))
            }

            /// Whether the leader demanded an answer in rank.
            #[getter]
            fn demanded(&self) -> bool {
                self.0.lead().is_some_and(|lead| lead.demanded)
            }

            /// Number of completed moves.
            #[getter]
            fn moves(&self) -> u8 {
                self.0.moves()
            }

            /// Whether the free move of the game is used.
            #[getter]
            fn free_move_used(&self) -> bool {
                self.0.free_move_used()
            }
        }
    };
}

pub(crate) use {state_methods, table_methods};
