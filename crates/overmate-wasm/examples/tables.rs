//! Computes the exact values of all legal actions in a position, in a small WebAssembly module that contains only rules
//! and deal tables.
//!
//! A web page with an interface of its own can start from this example. `cargo xtask wasm --example` compiles it. Requests and results
//! are bytes, because reading and writing of JSON would make the module larger.

use std::cell::RefCell;

use overmate_rules::{Deal, Game, RuleSet};
use overmate_solver::DealTable;

/// Memory that JavaScript shares with the WebAssembly module: the latest request, and the values computed for this request.
#[derive(Default)]
struct Exchange {
    request: Vec<u8>,
    values: Vec<i16>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Allocates memory for a request of the given length in bytes, and returns the address of the memory.
///
/// A request is the name of a rule set, followed by a byte for each played action: the index of the action among the legal actions.
#[allow(unsafe_code, reason = "no other function of the module has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn request_room(bytes: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.request.clear();
        exchange.request.resize(bytes, 0);
        exchange.request.as_mut_ptr()
    })
}

/// Computes the values of all legal actions in the requested position, in points for seat *first*. Returns the number
/// of values, or 0 if the request is invalid, the game is over, or a hand has too many cards for a table.
#[allow(unsafe_code, reason = "no other function of the module has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn compute_values(name_length: usize, deal: u64) -> usize {
    EXCHANGE.with_borrow_mut(|exchange| {
        let request = exchange.request.split_at_checked(name_length);
        let values = request.and_then(|(name, actions)| values(name, deal, actions));
        exchange.values = values.unwrap_or_default();
        exchange.values.len()
    })
}

/// Returns the memory address of the computed values, which are integers of 16 bits.
#[allow(unsafe_code, reason = "no other function of the module has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn values_address() -> *const i16 {
    EXCHANGE.with_borrow(|exchange| exchange.values.as_ptr())
}

fn values(name: &[u8], deal: u64, actions: &[u8]) -> Option<Vec<i16>> {
    let rules = RuleSet::named(std::str::from_utf8(name).ok()?).ok()?.shared();
    let dealt = Deal::numbered(&rules, deal).ok()?;
    let table = DealTable::with_all_cards_open(&dealt).ok()?;
    let mut game = Game::new(dealt);
    for index in actions {
        let action = game.legal_actions().nth(usize::from(*index))?;
        game = game.play(action).ok()?;
    }
    let values = table.action_values(game.position())?;
    values.into_iter().map(|(_, value)| i16::try_from(value.points()).ok()).collect()
}

#[cfg(test)]
mod tests {
    use overmate_solver::{Budget, Solver, ValueForFirst};

    use super::*;

    /// Puts a request into the memory shared with JavaScript, and returns the computed values in points for seat *first*.
    fn ask(name: &str, deal: u64, actions: &[u8]) -> Vec<i16> {
        EXCHANGE.with_borrow_mut(|exchange| exchange.request = [name.as_bytes(), actions].concat());
        let count = compute_values(name.len(), deal);
        EXCHANGE.with_borrow(|exchange| {
            assert_eq!(exchange.values.len(), count);
            exchange.values.clone()
        })
    }

    #[test]
    fn values_equal_the_analyses_of_the_solver() {
        let mut solver = Solver::new();
        let mut compared = 0;
        for (name, deal) in [("bga", 20_010), ("sackson", 7), ("rael", 184_755)] {
            let rules = RuleSet::named(name).expect("a rule set").shared();
            let mut game = Game::new(Deal::numbered(&rules, deal).expect("a deal"));
            let mut actions = Vec::new();
            while let Some(action) = game.legal_actions().last() {
                let analysis = solver.analyse(&game, &Budget::unlimited());
                let expected = analysis.actions.iter().map(|action| action.value.exact());
                let found = ask(name, deal, &actions).into_iter();
                let found: Vec<_> =
                    found.map(|points| Some(ValueForFirst::new(points.into()))).collect();
                assert_eq!(found, expected.collect::<Vec<_>>(), "{name} {deal} {actions:?}");
                compared += found.len();
                actions.push(u8::try_from(found.len() - 1).expect("few actions"));
                game = game.play(action).expect("a legal action");
            }
            assert!(ask(name, deal, &actions).is_empty(), "the game is over");
        }
        assert!(compared > 150, "{compared}");
        let faulty: [(&str, u64, &[u8]); 4] = [
            ("bridge", 0, &[]),
            ("bga", 184_756, &[]),
            ("bga", 0, &[10]),
            ("bga+pinochle", 0, &[]),
        ];
        assert!(faulty.iter().all(|(name, deal, actions)| ask(name, *deal, actions).is_empty()));
        assert_eq!(compute_values(100, 0), 0, "the name is longer than the request");
    }
}
