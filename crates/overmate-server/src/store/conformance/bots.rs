//! Tests that every store keeps bot accounts and their access tokens.

use std::sync::Arc;

use overmate_rules::{ByPlayer, Player};

use super::offers::sign_in;
use super::pair::{Pair, create, holder, id, info, seat};
use super::ratings::{leave, won};
use super::relations::make_account;
use crate::store::queries::{operator_reports, operators};
use crate::store::{
    AccountChange, Addressee, Appended, BotChange, BotToken, EntryKind, MOST_TOKENS, MatchInfo,
    NewMatchRequest, Occupant, Offer, OfferChange, OfferLimits, PersonChange, Proof, SeatInfo,
    Store,
};

type Shared = Arc<dyn Store>;

const NO_LIMITS: OfferLimits =
    OfferLimits { person: None, network: None, all: u32::MAX, lasting: u32::MAX };

async fn change(store: &Shared, change: BotChange) -> Appended {
    store.change_person(PersonChange::Bot(change)).await.expect("a write")
}

async fn mark(store: &Shared, person: u8) -> Appended {
    change(store, BotChange::Mark { person: holder(person), at: 60 }).await
}

fn token(number: u8, person: u8) -> BotToken {
    BotToken {
        id: id(number.into()),
        hash: [number; 32],
        person: holder(person),
        name: number.is_multiple_of(2).then(|| format!("token {number}")),
        made_at: number.into(),
    }
}

async fn add(store: &Shared, token: BotToken) -> Appended {
    change(store, BotChange::AddToken(token)).await
}

fn offer(number: u32, browser: u8) -> Offer {
    Offer {
        id: id(number),
        holder: holder(browser),
        name: None,
        rules: "bga".to_owned(),
        clock: Some("180+2".parse().expect("a setting")),
        leads: true,
        network: 1,
        client_id: format!("request {number}"),
        made_at: 100,
        until: 130,
        match_id: None,
        rated: false,
        bots: false,
        to: None,
        maker: None,
        by_bot: false,
    }
}

async fn make(store: &Shared, offer: Offer) -> Appended {
    let make = OfferChange::Make { offer, is_new: false, limits: NO_LIMITS };
    store.change_offer(make).await.expect("a write")
}

async fn accept(store: &Shared, offer: &Offer, browser: u8, number: u32) -> Appended {
    let [maker, mut acceptor] = [offer.holder, holder(browser)].map(Occupant::Holder).map(seat);
    acceptor.is_program = true;
    let seats = ByPlayer { a: maker, b: acceptor };
    let request = NewMatchRequest { holder: holder(browser), client_id: format!("of {number}") };
    let info = MatchInfo { invitation: None, clock: offer.clock, seats, ..info(number) };
    let accept = OfferChange::Accept { id: offer.id.clone(), info, request, at: 110 };
    store.change_offer(accept).await.expect("a write")
}

pub(super) async fn bots(Pair { a, b, .. }: &mut Pair) {
    // Only an account without a rated match can become a bot. A bot account stays a bot account.
    assert_eq!(mark(a, 1).await, Appended::Conflict);
    for (person, handle) in [(1, "Anna"), (2, "Bert"), (3, "Robot"), (4, "Zoe")] {
        make_account(a, person, handle).await;
    }
    won(a, 1, (1, 2)).await;
    assert_eq!(mark(b, 2).await, Appended::Conflict);
    // An account that has played a rated match cannot become a bot, even after its owner has deleted the match.
    leave(a, 1, Player::B).await;
    assert_eq!(mark(b, 2).await, Appended::Conflict);
    assert_eq!(add(b, token(1, 3)).await, Appended::Conflict);
    let seats =
        ByPlayer { a: seat(Occupant::Holder(holder(3))), b: seat(Occupant::Holder(holder(4))) };
    create(a, MatchInfo { invitation: None, seats, ..info(2) }).await;
    assert_eq!(make(a, offer(9, 3)).await, Appended::Stored);
    for _ in 0..2 {
        assert_eq!(mark(a, 3).await, Appended::Stored);
    }
    assert!(b.account(holder(3)).await.expect("a read").expect("an account").is_bot);
    assert!(!b.account(holder(1)).await.expect("a read").expect("an account").is_bot);
    // When an account becomes a bot, its seats in matches become seats of a bot. A log entry makes the servers read the seats again. The
    // account's offer is withdrawn.
    let found = b.info(&id(2)).await.expect("a read").expect("a match");
    assert_eq!((found.seats.a.name.as_deref(), found.seats.a.is_program), (Some("Robot"), true));
    assert_eq!((found.seats.b.name, found.seats.b.is_program), (None, false));
    let entries = b.entries(&id(2), 0).await.expect("a read").expect("a match");
    let entries: Vec<_> = entries.iter().map(|entry| (entry.player, entry.kind.clone())).collect();
    assert_eq!(entries, [(Player::A, EntryKind::Operator)]);
    assert_eq!(b.offers(100).await.expect("a read"), []);

    offers_of_bots(a, b).await;
    a_browser_joins_a_bot(a, b).await;
    // A bot accepts unrated offers that allow bots.
    let offers = [
        offer(11, 1),
        Offer { rated: true, bots: true, ..offer(12, 1) },
        Offer { bots: true, ..offer(13, 1) },
    ];
    for offer in &offers {
        assert_eq!(make(b, offer.clone()).await, Appended::Stored);
    }
    for (offer, expected) in
        offers.iter().zip([Appended::Conflict, Appended::Conflict, Appended::Stored])
    {
        assert_eq!(accept(a, offer, 3, 20).await, expected, "{offer:?}");
    }
    let played = b.info(&id(20)).await.expect("a read").expect("a match");
    assert_eq!((played.seats.a.is_program, played.seats.b.is_program), (false, true));

    // A match with a bot changes no ratings.
    won(a, 30, (1, 3)).await;
    assert_eq!(b.ratings_of(holder(3)).await.expect("a read"), []);
    assert_eq!(b.rating_changes(&id(30)).await.expect("a read"), []);
    assert_eq!(b.ratings_of(holder(1)).await.expect("a read").len(), 1);

    // The store finds the bot to which an access token belongs by the hash of the token. The number of tokens of a bot is limited.
    assert_eq!(add(a, token(1, 1)).await, Appended::Conflict, "of a person");
    let most = u8::try_from(MOST_TOKENS).expect("a small number");
    for number in 1..=most {
        assert_eq!(add(a, token(number, 3)).await, Appended::Stored);
    }
    assert_eq!(add(b, token(most + 1, 3)).await, Appended::Conflict);
    assert_eq!(b.bot_of_token([1; 32]).await.expect("a read"), Some(holder(3)));
    assert_eq!(b.bot_of_token([99; 32]).await.expect("a read"), None);
    let expected: Vec<BotToken> = (1..=most).map(|number| token(number, 3)).collect();
    assert_eq!(b.bot_tokens(holder(3)).await.expect("a read"), expected);
    let remove = |person| BotChange::RemoveToken { person: holder(person), id: id(1) };
    assert_eq!(change(b, remove(1)).await, Appended::Conflict);
    assert_eq!(change(b, remove(3)).await, Appended::Stored);
    assert_eq!(change(b, remove(3)).await, Appended::Conflict);
    assert_eq!(a.bot_of_token([1; 32]).await.expect("a read"), None);
    // A new password of a bot account removes the access tokens of the bot, and withdraws the bot's open offers. An attempt with a wrong
    // former password changes nothing.
    assert_eq!(make(a, offer(60, 3)).await, Appended::Stored);
    for (former, left) in [("wrong", MOST_TOKENS - 1), ("hash", 0)] {
        let set = AccountChange::SetPassword {
            person: holder(3),
            proof: Proof::Password(former.to_owned()),
            password: "new".to_owned(),
            browser: holder(3),
            renewed: holder(3),
        };
        b.change_person(PersonChange::Account(set)).await.expect("a write");
        assert_eq!(a.bot_tokens(holder(3)).await.expect("a read").len(), left, "{former}");
        let found = a.bot_of_token([2; 32]).await.expect("a read");
        assert_eq!(found.is_some(), left > 0, "{former}");
        let offered = a.offer(&id(60)).await.expect("a read");
        assert_eq!(offered.is_some(), left > 0, "{former}");
    }
    assert_eq!(add(a, token(2, 3)).await, Appended::Stored);
    let forget = PersonChange::Forget { person: holder(3), at: 200 };
    assert_eq!(a.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(b.bot_tokens(holder(3)).await.expect("a read"), []);
    assert_eq!(b.bot_of_token([2; 32]).await.expect("a read"), None);
}

/// Tests that a bot can make only unrated open offers. A person's request for an equal match does not accept a bot's offer.
async fn offers_of_bots(a: &Shared, b: &Shared) {
    let to =
        Addressee { handle: "Zoe".to_owned(), tag: [4; 32], person: None, has_declined: false };
    for refused in [
        Offer { rated: true, ..offer(40, 3) },
        Offer { to: Some(to), ..offer(40, 3) },
        Offer { rated: true, bots: true, ..offer(40, 3) },
    ] {
        assert_eq!(make(a, refused).await, Appended::Conflict);
    }
    assert_eq!(make(a, offer(41, 3)).await, Appended::Stored);
    let made = b.offer(&id(41)).await.expect("a read").expect("an offer");
    assert!(made.by_bot && made.holder == holder(3));
    assert_eq!(made.name.as_deref(), Some("Robot"), "the handle stands for the name");
    let listed = b.offers(100).await.expect("a read");
    assert_eq!(listed.iter().map(|offer| offer.by_bot).collect::<Vec<_>>(), [true]);
    // The search for an open offer with equal terms finds no offer of a bot, so that a person makes a new offer.
    assert_eq!(b.equal_offer(&offer(42, 4)).await.expect("a read"), None);
    let join = |offer| OfferChange::Make { offer, is_new: true, limits: NO_LIMITS };
    let joined = b.change_offer(join(offer(42, 4))).await.expect("a write");
    assert_eq!(joined, Appended::Stored);
    let equal = a.equal_offer(&offer(43, 1)).await.expect("a read").expect("an offer");
    assert_eq!((equal.id, equal.by_bot), (id(42), false));
    let joined = a.change_offer(join(offer(43, 1))).await.expect("a write");
    assert_eq!(joined, Appended::Conflict, "a person waits");
    let [maker, acceptor] = [3, 4].map(|person| seat(Occupant::Holder(holder(person))));
    let seats = ByPlayer { a: SeatInfo { is_program: true, ..maker }, b: acceptor };
    let request = NewMatchRequest { holder: holder(4), client_id: "of 44".to_owned() };
    let info = MatchInfo { invitation: None, clock: made.clock, seats, ..info(44) };
    let acceptance = OfferChange::Accept { id: made.id, info, request, at: 110 };
    assert_eq!(b.change_offer(acceptance).await.expect("a write"), Appended::Stored);
    let begun = a.info(&id(44)).await.expect("a read").expect("a match");
    assert_eq!((begun.seats.a.is_program, begun.seats.b.is_program), (true, false));
    // Another bot accepts the offer of a bot only if the offer allows bots.
    make_account(a, 5, "Automat").await;
    assert_eq!(mark(a, 5).await, Appended::Stored);
    for (number, bots, expected) in [(45, false, Appended::Conflict), (46, true, Appended::Stored)]
    {
        let offer = Offer { bots, ..offer(number, 3) };
        assert_eq!(make(a, offer.clone()).await, Appended::Stored);
        assert_eq!(accept(b, &offer, 5, 50 + number).await, expected, "{bots}");
    }
}

/// Tests that the seats of a browser that signs in to the account of a bot become seats of the bot, and that its open offers are withdrawn.
async fn a_browser_joins_a_bot(a: &Shared, b: &Shared) {
    make_account(a, 68, "Apparat").await;
    assert_eq!(mark(a, 68).await, Appended::Stored);
    let seats =
        ByPlayer { a: seat(Occupant::Holder(holder(69))), b: seat(Occupant::Holder(holder(70))) };
    create(a, MatchInfo { invitation: None, seats, ..info(70) }).await;
    assert_eq!(make(a, offer(71, 70)).await, Appended::Stored);
    assert_eq!(a.change_person(sign_in(70, 68)).await.expect("a write"), Appended::Stored);
    let found = b.info(&id(70)).await.expect("a read").expect("a match");
    assert_eq!((found.seats.a.name, found.seats.a.is_program), (None, false));
    assert_eq!((found.seats.b.name.as_deref(), found.seats.b.is_program), (Some("Apparat"), true));
    assert_eq!(b.offer(&id(71)).await.expect("a read"), None);
}

pub(super) async fn operators_and_bots(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    make_account(a, 3, "Robot").await;
    assert_eq!(mark(a, 3).await, Appended::Stored);
    assert_eq!(add(a, token(1, 3)).await, Appended::Stored);
    assert_eq!(add(a, token(2, 3)).await, Appended::Stored);
    let names = crate::store::queries::bot_tokens::token_names(operator, holder(3)).await;
    assert_eq!(names.expect("a read"), [id(1), "token 2".to_owned()]);
    // The store refuses the access tokens of a bot whose account an operator has closed, until the account is open again.
    let closed = (holder(3), "closed");
    operator_reports::take(operator, closed, (None, None), 100).await.expect("a write");
    assert_eq!(b.bot_of_token([1; 32]).await.expect("a read"), None);
    assert!(operator_reports::end(operator, closed, 300).await.expect("a write"));
    assert_eq!(b.bot_of_token([1; 32]).await.expect("a read"), Some(holder(3)));
    // After an operator has moved a bot account to a new identity, the account is still a bot account, but has no tokens.
    operators::revoke_browser(operator, holder(3), holder(5), 400).await.expect("a write");
    assert_eq!(b.bot_of_token([1; 32]).await.expect("a read"), None);
    assert!(b.account(holder(5)).await.expect("a read").expect("an account").is_bot);
    assert_eq!(b.bot_tokens(holder(5)).await.expect("a read"), []);
}
