//! Implements an in-memory store of bot accounts and their access tokens, for tests.

use overmate_rules::Player;

use super::memory_link::Link;
use super::memory_match::holder_of;
use super::memory_store::{MemoryStore, Tables};
use crate::store::{
    Appended, BotChange, BotToken, BotTokens, Entry, EntryKind, Holder, MOST_TOKENS, StoreFuture,
};

/// In-memory table of the tokens of bots.
#[derive(Default)]
pub(super) struct BotTables {
    tokens: Vec<BotToken>,
}

impl BotTables {
    pub(super) fn forget(&mut self, person: Holder) {
        self.tokens.retain(|token| token.person != person);
    }

    fn of(&self, person: Holder) -> Vec<BotToken> {
        let mut own: Vec<BotToken> =
            self.tokens.iter().filter(|token| token.person == person).cloned().collect();
        own.sort_by_key(|token| (token.made_at, token.id.clone()));
        own
    }
}

/// Returns whether a person's account is a bot account.
pub(super) fn is_bot(tables: &Tables, person: Holder) -> bool {
    tables.people.accounts.of_person(person).is_some_and(|account| account.is_bot)
}

/// Executes a change of a bot account or its tokens.
pub(super) fn change(tables: &mut Tables, change: BotChange) -> Appended {
    match change {
        BotChange::Mark { person, at } => mark(tables, person, at),
        BotChange::AddToken(token) => {
            let number = tables.bots.of(token.person).len();
            if number >= MOST_TOKENS || !is_bot(tables, token.person) {
                return Appended::Conflict;
            }
            tables.bots.tokens.push(token);
            Appended::Stored
        }
        BotChange::RemoveToken { person, id } => {
            let number = tables.bots.tokens.len();
            tables.bots.tokens.retain(|token| token.person != person || token.id != id);
            Appended::stored_if(tables.bots.tokens.len() < number)
        }
    }
}

/// Removes all tokens of a person. If the person is a bot, also withdraws their open offers.
pub(super) fn forget_tokens(tables: &mut Tables, person: Holder) {
    tables.bots.forget(person);
    if is_bot(tables, person) {
        tables.offers.withdraw_all(person);
    }
}

fn mark(tables: &mut Tables, person: Holder, at: i64) -> Appended {
    let Some(account) = tables.people.accounts.of_person(person) else {
        return Appended::Conflict;
    };
    if account.is_bot {
        return Appended::Stored;
    }
    let has_played = tables.of(person).any(|stored| stored.info.rated)
        || tables.ratings.has_rating(person)
        || tables.events.plays(person);
    if has_played {
        return Appended::Conflict;
    }
    tables.people.accounts.mark(person);
    for stored in tables.matches.values_mut() {
        let own = |player: &Player| holder_of(&stored.info, *player) == Some(person);
        let own: Vec<Player> = Player::BOTH.into_iter().filter(own).collect();
        if let Some(player) = own.first() {
            let sequence = stored.log.len() as u64 + 1;
            stored.log.push(Entry {
                sequence,
                player: *player,
                kind: EntryKind::Operator,
                client_id: format!("{sequence:032x}"),
                at_ms: 1_000 * at,
                given_ms: 0,
            });
        }
    }
    mark_seats(tables, person, &account.handle);
    Appended::Stored
}

/// Marks the seats of a person as the seats of a bot with a given handle, and withdraws the person's open offers.
pub(super) fn mark_seats(tables: &mut Tables, person: Holder, handle: &str) {
    for stored in tables.matches.values_mut() {
        for player in Player::BOTH {
            if holder_of(&stored.info, player) == Some(person) {
                let seat = &mut stored.info.seats[player];
                (seat.name, seat.is_program) = (Some(handle.to_owned()), true);
            }
        }
    }
    tables.offers.withdraw_all(person);
}

impl<L: Link> BotTokens for MemoryStore<L> {
    fn bot_tokens(&self, person: Holder) -> StoreFuture<'_, Vec<BotToken>> {
        self.call(move |tables| tables.bots.of(person))
    }

    fn bot_of_token(&self, hash: [u8; 32]) -> StoreFuture<'_, Option<Holder>> {
        // The account of the bot is always open, because no operator can close an account in the in-memory store.
        self.call(move |tables| {
            let found = tables.bots.tokens.iter().find(|token| token.hash == hash);
            found.map(|token| token.person)
        })
    }
}
