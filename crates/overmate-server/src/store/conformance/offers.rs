//! Tests that every database stores open offers, and lets only one person accept each offer.

use std::sync::Arc;

use futures_util::future::join_all;
use overmate_rules::{ByPlayer, Player};

use super::pair::{MOST_UNFINISHED, Pair, against_computer, create, holder, id, info, seat};
use crate::store::queries::{offers, operator_offers, operator_reports, operators};
use crate::store::{
    ACCEPTED_TIME, Account, AccountChange, Addressee, Appended, CHALLENGES, DECLINED_TIME,
    EntryKind, Maker, MatchInfo, NewMatchRequest, Occupant, Offer, OfferChange, OfferLimits,
    PersonChange, Quota, RelationChange, RelationKind, SignInProof, Standing, Store,
};

const NO_LIMITS: OfferLimits =
    OfferLimits { person: None, network: None, all: u32::MAX, lasting: u32::MAX };

/// Returns a test offer of a match, made by a browser identity and open from Unix time 100 to 130.
fn offer(number: u32, browser: u8) -> Offer {
    Offer {
        id: id(number),
        holder: holder(browser),
        name: Some("Zoë ♥".to_owned()),
        rules: "bga".to_owned(),
        clock: Some("180+2".parse().expect("a setting")),
        leads: number % 2 == 1,
        network: u16::MAX,
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

fn lasting(number: u32, browser: u8) -> Offer {
    Offer { clock: Some("3d".parse().expect("a setting")), until: 9_000, ..offer(number, browser) }
}

async fn change(store: &Arc<dyn Store>, change: OfferChange) -> Appended {
    store.change_offer(change).await.expect("a write")
}

async fn make(store: &Arc<dyn Store>, offer: Offer) -> Appended {
    change(store, OfferChange::Make { offer, is_new: false, limits: NO_LIMITS }).await
}

/// Returns the request by which a browser identity accepts a match offer in a test. The change creates the match.
fn acceptance(offer: &Offer, browser: u8, number: u32, at: i64) -> OfferChange {
    let [maker, acceptor] = [offer.holder, holder(browser)].map(Occupant::Holder).map(seat);
    let seats = ByPlayer { a: maker, b: acceptor };
    OfferChange::Accept {
        id: offer.id.clone(),
        info: MatchInfo { invitation: None, clock: offer.clock, seats, ..info(number) },
        request: NewMatchRequest { holder: holder(browser), client_id: format!("accept {number}") },
        at,
    }
}

async fn ids(store: &Arc<dyn Store>, at: i64) -> Vec<String> {
    let offers = store.offers(at).await.expect("a read").into_iter();
    // The method `offers` returns only open offers. Accepted offers, which stay in the store for days, are left out.
    offers.map(|offer| offer.id).collect()
}

async fn version(store: &Arc<dyn Store>) -> i64 {
    store.lobby_version().await.expect("a read")
}

pub(super) async fn open_offers(Pair { a, b, .. }: &mut Pair) {
    let first = version(b).await;
    assert_eq!(make(a, offer(1, 1)).await, Appended::Stored);
    assert_eq!(make(b, lasting(2, 1)).await, Appended::Stored);
    assert_eq!(
        make(a, Offer { name: None, clock: None, made_at: 90, ..offer(3, 2) }).await,
        Appended::Stored
    );
    assert_eq!(b.offer(&id(1)).await.expect("a read"), Some(offer(1, 1)));
    assert_eq!(a.offer(&id(2)).await.expect("a read"), Some(lasting(2, 1)));
    assert_eq!(a.offer(&id(9)).await.expect("a read"), None);
    assert_eq!(ids(b, 129).await, [id(3), id(1), id(2)]);
    assert_eq!(ids(b, 130).await, [id(2)]);
    assert_eq!(b.offers_of(holder(1)).await.expect("a read"), [offer(1, 1), lasting(2, 1)]);
    // A repeated request to make an offer creates no second offer.
    let again = Offer { id: id(4), ..offer(1, 1) };
    assert_eq!(make(b, again).await, Appended::Conflict);
    let made = version(a).await;
    assert!(made > first);
    // A request to make an offer may be repeated after the offer has ended. A request that has created a match makes no offer.
    let ended = Offer { id: id(5), made_at: 130, until: 160, ..offer(3, 2) };
    assert_eq!(make(a, ended).await, Appended::Stored);
    let withdrawn = OfferChange::Withdraw { id: id(5), person: holder(2) };
    assert_eq!(change(a, withdrawn).await, Appended::Stored);
    let known = NewMatchRequest { holder: holder(2), client_id: "known".to_owned() };
    let created = a.create(against_computer(70, holder(2)), Some(known)).await;
    assert_eq!(created.expect("a write"), Appended::Stored);
    let known = Offer { id: id(5), client_id: "known".to_owned(), ..offer(3, 2) };
    assert_eq!(make(b, known).await, Appended::Conflict);
    let made = version(a).await;
    // An offer that ends when its maker goes offline stays open while the maker is online. An ended offer does not open again.
    let keep = |at, until| OfferChange::Keep { ids: vec![id(1), id(2), id(8)], at, until };
    assert_eq!(change(a, keep(110, 140)).await, Appended::Stored);
    assert_eq!(b.offer(&id(1)).await.expect("a read").map(|offer| offer.until), Some(140));
    assert_eq!(b.offer(&id(2)).await.expect("a read"), Some(lasting(2, 1)));
    assert_eq!(change(b, keep(110, 120)).await, Appended::Conflict);
    assert_eq!(change(b, keep(140, 200)).await, Appended::Conflict);
    assert_eq!(version(a).await, made);
    // Only the maker of an offer can withdraw the offer.
    let withdraw =
        |number, browser| OfferChange::Withdraw { id: id(number), person: holder(browser) };
    assert_eq!(change(b, withdraw(1, 2)).await, Appended::Conflict);
    assert_eq!(change(b, withdraw(1, 1)).await, Appended::Stored);
    assert_eq!(change(a, withdraw(1, 1)).await, Appended::Conflict);
    assert!(version(b).await > made);
    // The change `ForgetOld` removes each offer that has expired.
    assert_eq!(change(b, OfferChange::ForgetOld { at: 130 }).await, Appended::Stored);
    assert_eq!(change(b, OfferChange::ForgetOld { at: 130 }).await, Appended::Conflict);
    assert_eq!(a.offer(&id(3)).await.expect("a read"), None);
    // The offers of a person who erases their data are removed.
    let forget = PersonChange::Forget { person: holder(1), at: 100 };
    assert_eq!(b.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(a.offers(0).await.expect("a read"), []);
}

pub(super) async fn race_for_an_offer(Pair { a, b, .. }: &mut Pair) {
    let offers = [offer(1, 1), lasting(2, 1), Offer { clock: None, ..offer(3, 1) }, offer(4, 3)];
    for offer in &offers {
        assert_eq!(make(a, offer.clone()).await, Appended::Stored);
    }
    // Nobody can accept their own offer, or an offer that has ended.
    assert_eq!(change(b, acceptance(&offers[0], 1, 1, 100)).await, Appended::Conflict);
    assert_eq!(change(b, acceptance(&offers[0], 2, 1, 130)).await, Appended::Conflict);
    let acceptances = (10..20_u8).map(|browser| {
        let store = if browser % 2 == 0 { &*a } else { &*b };
        change(
            store,
            acceptance(&offers[0], if browser == 10 { 3 } else { browser }, browser.into(), 110),
        )
    });
    let accepted = join_all(acceptances).await;
    let won = accepted.iter().filter(|done| **done == Appended::Stored).count();
    assert_eq!(won, 1, "{accepted:?}");
    let winner = 10 + accepted.iter().position(|done| *done == Appended::Stored).expect("a winner");
    let winner = u32::try_from(winner).expect("a number");
    let found = b.offer(&id(1)).await.expect("a read").expect("an offer");
    assert_eq!((found.match_id, found.until), (Some(id(winner)), 110 + ACCEPTED_TIME));
    // The log of the new match begins with an entry of the player who accepted the offer. The match thus does not count as empty.
    let log = b.entries(&id(winner), 0).await.expect("a read").expect("a match");
    let joined: Vec<_> =
        log.iter().map(|entry| (entry.player, entry.kind.clone(), entry.at())).collect();
    assert_eq!(joined, [(Player::B, EntryKind::Join, 110)]);
    let unfinished = b.unfinished(i64::MAX, None, 100).await.expect("a list");
    let found = unfinished.iter().find(|found| found.id == id(winner)).expect("the match");
    assert_eq!((found.is_empty, found.is_open), (false, false));
    for number in 10..20 {
        let begun = b.info(&id(number)).await.expect("a read");
        assert_eq!(begun.is_some(), number == winner, "{number}");
    }
    // The acceptance of an offer ends all offers of both players that last only while their maker is online. Other offers of the players
    // stay.
    let left = if winner == 10 { vec![id(2)] } else { vec![id(2), id(4)] };
    assert_eq!(ids(b, 111).await, left);
    // An accepted offer cannot be withdrawn. A request that has created a match before cannot accept an offer.
    let withdraw = OfferChange::Withdraw { id: id(1), person: holder(1) };
    assert_eq!(change(a, withdraw).await, Appended::Conflict);
    let OfferChange::Accept { id: accepted, info, request, at } =
        acceptance(&offers[1], 30, 31, 120)
    else {
        unreachable!("an acceptance")
    };
    create(
        a,
        MatchInfo {
            seats: against_computer(30, holder(30)).seats,
            ..against_computer(30, holder(30))
        },
    )
    .await;
    let known = NewMatchRequest { holder: holder(30), client_id: "known".to_owned() };
    let created = a.create(against_computer(32, holder(30)), Some(known.clone())).await;
    assert_eq!(created.expect("a write"), Appended::Stored);
    let repeated =
        OfferChange::Accept { id: accepted.clone(), info: info.clone(), request: known, at };
    assert_eq!(change(b, repeated).await, Appended::Conflict);
    assert_eq!(
        change(b, OfferChange::Accept { id: accepted, info, request, at }).await,
        Appended::Stored
    );
    assert_eq!(ids(b, 121).await, left[1..]);
    // An accepted correspondence offer is kept for days, because its maker may come back late.
    assert_eq!(a.offer(&id(2)).await.expect("a read").map(|offer| offer.until), Some(9_000));
    // A browser cannot accept the match offers of a person to whose account it has signed in.
    assert_eq!(make(a, offer(40, 40)).await, Appended::Stored);
    assert_eq!(
        make(a, Offer { rules: "sackson".to_owned(), ..offer(42, 41) }).await,
        Appended::Stored
    );
    let before = version(b).await;
    for (number, change) in [(40, None), (41, Some(sign_in(41, 40)))] {
        let change = change.unwrap_or_else(|| account(number));
        assert_eq!(a.change_person(change).await.expect("a write"), Appended::Stored);
    }
    assert_eq!(b.standing(holder(41)).await.expect("a read"), Standing::Of(holder(40)));
    assert_eq!(change(b, acceptance(&offer(40, 40), 41, 41, 100)).await, Appended::Conflict);
    // The version number of the offers grows when an offer passes to another person, so that the servers read the offers again.
    assert!(version(b).await > before);
    let own = b.offers_of(holder(40)).await.expect("a read").into_iter().map(|offer| offer.id);
    assert_eq!(own.collect::<Vec<_>>(), [id(40), id(42)]);
}

/// Returns the request by which a test asks a store to create an account for a browser identity.
fn account(browser: u8) -> PersonChange {
    PersonChange::Account(AccountChange::Make {
        account: Account {
            is_private: false,
            is_bot: false,
            person: holder(browser),
            handle: "Anna".to_owned(),
            password: Some("hash".to_owned()),
            made_at: 50,
            handle_at: 50,
        },
        tag: [browser; 32],
        passkey: None,
        browser: holder(browser),
        renewed: holder(browser),
        name: None,
    })
}

/// Returns the request by which a test asks a store to sign a browser in to the account of a person.
pub(super) fn sign_in(browser: u8, person: u8) -> PersonChange {
    PersonChange::Account(AccountChange::SignIn {
        person: holder(person),
        proof: SignInProof::Password("hash".to_owned()),
        browser: holder(browser),
        renewed: holder(browser),
        name: None,
        at: 60,
    })
}

pub(super) async fn limits_of_offers(Pair { a, b, .. }: &mut Pair) {
    let limits = OfferLimits { person: Some(2), network: Some(3), all: 4, lasting: u32::MAX };
    let make = async |store: &Arc<dyn Store>, offer| {
        change(store, OfferChange::Make { offer, is_new: false, limits }).await
    };
    assert_eq!(make(a, offer(1, 1)).await, Appended::Stored);
    assert_eq!(make(b, offer(2, 1)).await, Appended::Stored);
    assert_eq!(make(a, offer(3, 1)).await, Appended::Full(Quota::Offers));
    assert_eq!(make(a, offer(3, 2)).await, Appended::Stored);
    assert_eq!(make(b, offer(4, 3)).await, Appended::Full(Quota::OffersOfNetwork));
    assert_eq!(make(b, Offer { network: 7, ..offer(4, 3) }).await, Appended::Stored);
    assert_eq!(make(b, Offer { network: 7, ..offer(5, 4) }).await, Appended::Full(Quota::Lobby));
    // The number of correspondence offers of all persons has a limit of its own.
    let few = OfferLimits { lasting: 1, ..NO_LIMITS };
    let make_few =
        async |offer| change(a, OfferChange::Make { offer, is_new: false, limits: few }).await;
    assert_eq!(make_few(lasting(60, 6)).await, Appended::Stored);
    assert_eq!(make_few(lasting(61, 7)).await, Appended::Full(Quota::Lobby));
    assert_eq!(make_few(offer(62, 7)).await, Appended::Stored);
    for (number, browser) in [(60, 6), (62, 7)] {
        let all = OfferChange::WithdrawAll { person: holder(browser) };
        assert_eq!(change(b, all.clone()).await, Appended::Stored, "{number}");
        assert_eq!(change(b, all).await, Appended::Conflict, "{number}");
        assert_eq!(a.offer(&id(number)).await.expect("a read"), None);
    }
    // Offers that have ended do not count towards the limits on offers.
    assert_eq!(make(b, Offer { made_at: 130, until: 160, ..offer(5, 1) }).await, Appended::Stored);
    // If several persons make offers with equal terms at the same time, only one offer is stored, because the other requests find this
    // offer.
    let made = join_all((10..20_u8).map(|browser| {
        let offer = Offer { rules: "pagat".to_owned(), ..offer(browser.into(), browser) };
        let store = if browser % 2 == 0 { &*a } else { &*b };
        change(store, OfferChange::Make { offer, is_new: true, limits: NO_LIMITS })
    }));
    let made = made.await;
    assert_eq!(made.iter().filter(|done| **done == Appended::Stored).count(), 1, "{made:?}");
    // The search for an offer with equal terms finds neither the searching person's own offers nor offers with another clock or rule set.
    for offer in [
        Offer { clock: None, rules: "pagat".to_owned(), ..offer(20, 20) },
        Offer { clock: None, rules: "pagat".to_owned(), ..offer(21, 20) },
        Offer { rules: "sackson".to_owned(), ..offer(22, 20) },
    ] {
        let made = change(a, OfferChange::Make { offer, is_new: true, limits: NO_LIMITS }).await;
        assert_eq!(made, Appended::Stored);
    }
    // A player with the maximum number of matches gets no further match, and the offers of such a player end.
    for number in 0..MOST_UNFINISHED {
        create(a, against_computer(100 + number, holder(50))).await;
    }
    assert_eq!(
        change(b, acceptance(&offer(1, 1), 50, 60, 110)).await,
        Appended::Full(Quota::Unfinished)
    );
    let full = Offer { clock: None, ..offer(50, 50) };
    assert_eq!(
        change(a, OfferChange::Make { offer: full.clone(), is_new: false, limits: NO_LIMITS })
            .await,
        Appended::Stored
    );
    assert_eq!(change(b, acceptance(&full, 51, 61, 110)).await, Appended::Conflict);
    assert_eq!(b.offer(&full.id).await.expect("a read"), None);
    assert_eq!(change(b, acceptance(&offer(1, 1), 51, 61, 110)).await, Appended::Stored);
}

pub(super) async fn rated_offers(Pair { a, b, .. }: &mut Pair) {
    assert_eq!(a.change_person(account(1)).await.expect("a write"), Appended::Stored);
    let rated = |number, browser| Offer { rated: true, ..offer(number, browser) };
    assert_eq!(make(a, rated(1, 1)).await, Appended::Stored);
    assert_eq!(make(a, Offer { rules: "pagat".to_owned(), ..offer(2, 1) }).await, Appended::Stored);
    let found = async |store: &Arc<dyn Store>, number| {
        store.offer(&id(number)).await.expect("a read").expect("an offer")
    };
    // The rating of an offer's maker is missing until the maker has played a rated match. Nobody sees the account of the maker of an
    // unrated offer.
    let maker = Maker { handle: "Anna".to_owned(), is_private: false, rating: None };
    assert_eq!(found(b, 1).await, Offer { maker: Some(maker), ..rated(1, 1) });
    assert_eq!(found(b, 2).await.maker, None);
    // A rated offer and an unrated offer never have equal terms.
    let equal =
        async |wanted: &Offer| b.equal_offer(wanted).await.expect("a read").map(|found| found.id);
    assert_eq!(equal(&rated(3, 2)).await, Some(id(1)));
    assert_eq!(equal(&offer(3, 2)).await, None);
    let make_new =
        async |offer| change(b, OfferChange::Make { offer, is_new: true, limits: NO_LIMITS }).await;
    assert_eq!(make_new(rated(3, 2)).await, Appended::Conflict);
    assert_eq!(make_new(offer(3, 2)).await, Appended::Stored);
    // A rated match offer shows the maker's rating for the rule set and the pace (live or correspondence) of the offer.
    let other = PersonChange::Account(AccountChange::Make {
        account: Account {
            is_private: false,
            is_bot: false,
            person: holder(9),
            handle: "Zoe".to_owned(),
            password: Some("hash".to_owned()),
            made_at: 50,
            handle_at: 50,
        },
        tag: [9; 32],
        passkey: None,
        browser: holder(9),
        renewed: holder(9),
        name: None,
    });
    assert_eq!(a.change_person(other).await.expect("a write"), Appended::Stored);
    super::ratings::won(a, 70, (1, 9)).await;
    let known = a.ratings_of(holder(1)).await.expect("a read");
    let [known] = known.as_slice() else { panic!("one rating: {known:?}") };
    assert_eq!(found(b, 1).await.maker.and_then(|maker| maker.rating), Some(known.known));
    let days = Offer { rated: true, ..lasting(4, 1) };
    assert_eq!(make(b, days).await, Appended::Stored);
    assert_eq!(
        found(a, 4).await.maker,
        Some(Maker { handle: "Anna".to_owned(), is_private: false, rating: None })
    );
    // If the maker hides their profile, the version number of the offers grows, so that the servers read the offers again.
    let before = version(b).await;
    let hide = AccountChange::SetPrivate { person: holder(1), is_private: true };
    let hidden = a.change_person(PersonChange::Account(hide)).await;
    assert_eq!(hidden.expect("a write"), Appended::Stored);
    assert!(version(b).await > before);
    let offers = b.offers(100).await.expect("a read").into_iter();
    let private = offers.filter(|offer| offer.maker.as_ref().is_some_and(|maker| maker.is_private));
    assert_eq!(private.map(|offer| offer.id).collect::<Vec<_>>(), [id(1), id(4)]);
}

/// Builds a test challenge from a browser identity to another player. Each byte of the tag of the other player's handle is `to`.
fn challenge(number: u32, browser: u8, to: u8) -> Offer {
    let addressee =
        Addressee { handle: "anna".to_owned(), tag: [to; 32], person: None, has_declined: false };
    Offer { to: Some(addressee), ..offer(number, browser) }
}

pub(super) async fn blocked_offers(Pair { a, b, .. }: &mut Pair) {
    const BLOCK: RelationKind = RelationKind::Block;
    assert_eq!(a.change_person(account(1)).await.expect("a write"), Appended::Stored);
    let blocks = async |is_set: bool| {
        for (person, other) in [(1, 2), (4, 1)] {
            let (person, other) = (holder(person), holder(other));
            let change = if is_set {
                RelationChange::Add { person, other, kind: BLOCK, at: 90 }
            } else {
                RelationChange::Remove { person, other, kind: BLOCK }
            };
            assert_eq!(a.change_relation(change).await.expect("a write"), Appended::Stored);
        }
    };
    blocks(true).await;
    assert_eq!(make(a, offer(1, 1)).await, Appended::Stored);
    assert_eq!(make(a, offer(2, 2)).await, Appended::Stored);
    assert_eq!(make(a, lasting(3, 3)).await, Appended::Stored);
    let hidden = async |at| {
        let hidden = b.hidden_offers(at).await.expect("a read").into_iter();
        hidden.map(|(viewer, id)| (viewer.0[0], id)).collect::<Vec<_>>()
    };
    assert_eq!(hidden(110).await, [(2, id(1)), (4, id(1)), (1, id(2))]);
    assert_eq!(hidden(130).await, []);
    // After a block between two persons, neither person's search for an offer with equal terms finds an offer of the other person. Each
    // person makes a new offer instead.
    for (browser, expected) in [(1, None), (2, None), (3, Some(id(1))), (4, Some(id(2)))] {
        let equal = b.equal_offer(&offer(9, browser)).await.expect("a read").map(|offer| offer.id);
        assert_eq!(equal, expected, "{browser}");
    }
    let new = |number, browser| OfferChange::Make {
        offer: offer(number, browser),
        is_new: true,
        limits: NO_LIMITS,
    };
    assert_eq!(change(b, new(4, 2)).await, Appended::Stored);
    assert_eq!(change(b, new(5, 3)).await, Appended::Conflict);
    // After a block, neither of the two persons can accept the other person's offers.
    for (maker, acceptor) in [(1, 2), (2, 1), (1, 4)] {
        let refused = change(b, acceptance(&offer(maker, 0), acceptor, 30, 110)).await;
        assert_eq!(refused, Appended::Conflict, "{maker} {acceptor}");
    }
    // A challenge to a person who has blocked the challenger has no addressee, as if nobody had the handle.
    let addressee = async |number| b.offer(&id(number)).await.expect("a read")?.addressee();
    assert_eq!(make(a, challenge(6, 2, 1)).await, Appended::Stored);
    assert_eq!(make(a, challenge(7, 3, 1)).await, Appended::Stored);
    assert_eq!((addressee(6).await, addressee(7).await), (None, Some(holder(1))));
    let accept = change(b, acceptance(&challenge(6, 2, 1), 1, 31, 110)).await;
    assert_eq!(accept, Appended::Conflict);
    blocks(false).await;
    assert_eq!((addressee(6).await, hidden(110).await), (Some(holder(1)), Vec::new()));
    assert_eq!(change(b, acceptance(&offer(1, 1), 2, 32, 110)).await, Appended::Stored);
}

pub(super) async fn challenges(Pair { a, b, .. }: &mut Pair) {
    assert_eq!(a.change_person(account(1)).await.expect("a write"), Appended::Stored);
    let addressee = async |number| b.offer(&id(number)).await.expect("a read")?.addressee();
    assert_eq!(make(a, challenge(1, 2, 1)).await, Appended::Stored);
    assert_eq!(make(a, challenge(2, 2, 9)).await, Appended::Stored);
    assert_eq!((addressee(1).await, addressee(2).await), (Some(holder(1)), None));
    // A person can challenge a handle only once, whether or not an account has the handle.
    for (number, to) in [(3, 1), (4, 9)] {
        let again = make(b, challenge(number, 2, to)).await;
        assert_eq!(again, Appended::Full(Quota::Challenges), "{to}");
    }
    // The search for an offer with equal terms does not find a challenge.
    assert_eq!(b.equal_offer(&offer(5, 1)).await.expect("a read"), None);
    let new = OfferChange::Make { offer: offer(5, 1), is_new: true, limits: NO_LIMITS };
    assert_eq!(change(b, new).await, Appended::Stored);
    // Only the addressee can accept or decline a challenge.
    assert_eq!(change(b, acceptance(&challenge(1, 2, 1), 3, 30, 110)).await, Appended::Conflict);
    assert_eq!(change(b, acceptance(&challenge(2, 2, 9), 1, 31, 110)).await, Appended::Conflict);
    let decline =
        |number, browser, at| OfferChange::Decline { id: id(number), person: holder(browser), at };
    for (number, browser, at) in [(1, 3, 110), (1, 2, 110), (2, 1, 110), (5, 1, 110), (1, 1, 130)] {
        let refused = change(b, decline(number, browser, at)).await;
        assert_eq!(refused, Appended::Conflict, "{number} {browser} {at}");
    }
    let before = version(a).await;
    assert_eq!(change(b, decline(1, 1, 110)).await, Appended::Stored);
    assert!(version(a).await > before);
    assert_eq!(change(b, decline(1, 1, 110)).await, Appended::Conflict);
    // The challenger sees that the challenge was declined, cannot withdraw the declined challenge, and cannot repeat the challenge for a
    // day.
    let declined = b.offer(&id(1)).await.expect("a read").expect("a challenge");
    assert_eq!((declined.is_declined(), declined.until), (true, 110 + DECLINED_TIME));
    assert_eq!(ids(b, 111).await, [id(2), id(5)]);
    assert_eq!(change(b, acceptance(&challenge(1, 2, 1), 1, 32, 111)).await, Appended::Conflict);
    let keep = OfferChange::Keep { ids: vec![id(1)], at: 111, until: 1_000_000 };
    assert_eq!(change(a, keep).await, Appended::Conflict);
    let withdraw = |number| OfferChange::Withdraw { id: id(number), person: holder(2) };
    assert_eq!(change(a, withdraw(1)).await, Appended::Conflict);
    let at = |made_at| Offer { made_at, until: made_at + 30, ..challenge(6, 2, 1) };
    let early = make(a, at(109 + DECLINED_TIME)).await;
    assert_eq!(early, Appended::Full(Quota::Challenges));
    assert_eq!(make(a, at(110 + DECLINED_TIME)).await, Appended::Stored);
    assert_eq!(change(a, withdraw(6)).await, Appended::Stored);
    // When the addressee accepts a challenge, the match with the challenger is created.
    assert_eq!(make(b, challenge(7, 4, 1)).await, Appended::Stored);
    let accepted = change(a, acceptance(&challenge(7, 4, 1), 1, 33, 110)).await;
    assert_eq!(accepted, Appended::Stored);
    assert!(b.info(&id(33)).await.expect("a read").is_some());
    // A handle has a limit on its open challenges, even if nobody has the handle.
    for to in [1, 9] {
        let most = u8::try_from(CHALLENGES).expect("a small number");
        for browser in u8::from(to == 9)..most {
            let number = 100 + 100 * u32::from(to) + u32::from(browser);
            let made = make(a, challenge(number, 20 + browser, to)).await;
            assert_eq!(made, Appended::Stored, "{to} {browser}");
        }
        let made = make(a, challenge(90, 90, to)).await;
        assert_eq!(made, Appended::Full(Quota::Challenges), "{to}");
    }
    // A challenge of a blocked person does not count towards the maximum number of challenges to the handle.
    let (person, other) = (holder(1), holder(21));
    let block = RelationChange::Add { person, other, kind: RelationKind::Block, at: 100 };
    assert_eq!(a.change_relation(block).await.expect("a write"), Appended::Stored);
    assert_eq!(make(b, challenge(91, 91, 1)).await, Appended::Stored);
    assert_eq!(make(b, challenge(92, 92, 1)).await, Appended::Full(Quota::Challenges));
    // An account that is erased gets no challenges any more.
    let forget = PersonChange::Forget { person: holder(1), at: 100 };
    assert_eq!(b.change_person(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(a.offer(&id(200)).await.expect("a read").expect("a challenge").addressee(), None);
}

pub(super) async fn operators_and_offers(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    create(a, against_computer(1, holder(1))).await;
    assert_eq!(make(a, lasting(2, 1)).await, Appended::Stored);
    assert_eq!(make(a, lasting(3, 1)).await, Appended::Stored);
    assert_eq!(change(b, acceptance(&lasting(3, 1), 2, 4, 110)).await, Appended::Stored);
    let listed = operator_offers::open(operator, 8_999).await.expect("a read");
    assert_eq!(listed.into_iter().map(|offer| offer.id).collect::<Vec<_>>(), [id(2)]);
    assert_eq!(operator_offers::open(operator, 9_000).await.expect("a read").len(), 0);
    for (browser, has_offers) in [(1, true), (4, false)] {
        let found = offers::has_offers(operator, holder(browser)).await;
        assert_eq!(found.expect("a read"), has_offers, "{browser}");
    }
    // An operator can change the maker's name in all open offers of a person, or in one open offer. Accepted offers keep their name.
    for (of, name, renamed) in
        [(None, Some("Änne"), 1), (Some(id(2)), None, 1), (Some(id(3)), Some("Bert"), 0)]
    {
        let done = operator_offers::rename(operator, holder(1), of.as_deref(), name).await;
        assert_eq!(done.expect("a write"), renamed, "{of:?}");
        if renamed > 0 {
            let found = b.offer(&id(2)).await.expect("a read").expect("an offer");
            assert_eq!(found.name.as_deref(), name);
        }
    }
    // An operator can withdraw one open offer, or all challenges and rated offers of a person.
    assert_eq!(make(a, Offer { rated: true, ..lasting(6, 7) }).await, Appended::Stored);
    assert_eq!(make(a, lasting(7, 7)).await, Appended::Stored);
    operator_reports::withdraw(operator, holder(7)).await.expect("a write");
    assert_eq!(b.offer(&id(6)).await.expect("a read"), None);
    for is_open in [true, false] {
        let withdrawn = operator_offers::withdraw(operator, &id(7)).await.expect("a write");
        assert_eq!(withdrawn, is_open);
    }
    assert_eq!(b.offer(&id(7)).await.expect("a read"), None);
    let before = version(b).await;
    let revoked = operators::revoke_browser(operator, holder(1), holder(5), 60).await;
    assert_eq!(revoked.expect("a write"), 2);
    // When an operator revokes a person's cookies, the person's open offers are withdrawn. The person gets a new identity, which no browser
    // uses yet, and only accepted offers move to this identity.
    assert_eq!(b.offer(&id(2)).await.expect("a read"), None);
    let found = b.offer(&id(3)).await.expect("a read").map(|offer| (offer.holder, offer.match_id));
    assert_eq!(found, Some((holder(5), Some(id(4)))));
    assert!(version(b).await > before);
}
