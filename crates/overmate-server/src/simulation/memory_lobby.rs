//! Implements an in-memory store of match offers, for tests.

use super::memory_bots::is_bot;
use super::memory_link::Link;
use super::memory_push;
use super::memory_ratings::is_pair_full;
use super::memory_relations::RelationTables;
use super::memory_store::{MemoryStore, Tables};
use crate::rating::match_rating::Pace;
use crate::store::{
    ACCEPTED_TIME, Addressee, Appended, CHALLENGES, DECLINED_TIME, Holder, Lobby, Maker, MatchInfo,
    NewMatchRequest, Offer, OfferChange, OfferLimits, Quota, StoreFuture, joined,
};

/// In-memory table of match offers, with a version number. The number grows when the servers must read the offers again.
#[derive(Default)]
pub(super) struct Offers {
    all: Vec<Offer>,
    version: i64,
}

impl Offers {
    fn sorted(&self, is_wanted: impl Fn(&Offer) -> bool) -> Vec<Offer> {
        let mut found: Vec<Offer> =
            self.all.iter().filter(|offer| is_wanted(offer)).cloned().collect();
        found.sort_by_key(|offer| (offer.made_at, offer.id.clone()));
        found
    }

    /// Removes all match offers except those that meet a condition. Returns a conflict if no offer was removed.
    fn retain(&mut self, is_kept: impl Fn(&Offer) -> bool) -> Appended {
        let before = self.all.len();
        self.all.retain(is_kept);
        if self.all.len() == before {
            return Appended::Conflict;
        }
        self.version += 1;
        Appended::Stored
    }

    /// Returns whether the store contains a match offer of a person.
    pub(super) fn has(&self, person: Holder) -> bool {
        self.all.iter().any(|offer| offer.holder == person)
    }

    /// Removes all match offers of a person.
    pub(super) fn forget(&mut self, person: Holder) {
        self.retain(|offer| offer.holder != person);
    }

    /// Increments the version number of the offers in the lobby if the given person has made match offers.
    pub(super) fn note_of(&mut self, person: Holder) {
        if self.all.iter().any(|offer| offer.holder == person) {
            self.version += 1;
        }
    }

    /// Increments the version number of the offers in the lobby.
    pub(super) fn note(&mut self) {
        self.version += 1;
    }

    /// Transfers the match offers of a person to another person.
    pub(super) fn join(&mut self, former: Holder, person: Holder) {
        for offer in self.all.iter_mut().filter(|offer| offer.holder == former) {
            offer.holder = person;
            self.version += 1;
        }
    }

    /// Removes the open match offers of a person.
    pub(super) fn withdraw_all(&mut self, person: Holder) -> Appended {
        self.retain(|offer| offer.match_id.is_some() || offer.holder != person)
    }

    fn make(
        &mut self,
        (offer, is_new): (Offer, bool),
        limits: OfferLimits,
        addressee: Option<Holder>,
        relations: &RelationTables,
    ) -> Appended {
        let is_own = |other: &Offer| other.holder == offer.holder;
        let open: Vec<&Offer> =
            self.all.iter().filter(|other| other.is_open(offer.made_at)).collect();
        let is_known = self.all.iter().any(|other| {
            is_own(other)
                && other.client_id == offer.client_id
                && (other.is_open(offer.made_at) || other.match_id.is_some() || other.is_declined())
        });
        let has_equal = open.iter().any(|other| {
            !is_own(other)
                && !other.by_bot
                && is_equal(other, &offer)
                && !relations.between(offer.holder, other.holder).is_apart()
        });
        if is_known || is_new && has_equal {
            return Appended::Conflict;
        }
        let lasting = open.iter().filter(|other| other.is_lasting()).count();
        let own = open.iter().filter(|other| is_own(other)).count();
        let near = open.iter().filter(|other| other.network == offer.network).count();
        for (number, most, quota) in [
            (own, limits.person, Quota::Offers),
            (near, limits.network, Quota::OffersOfNetwork),
            (open.len(), Some(limits.all), Quota::Lobby),
            (lasting, offer.is_lasting().then_some(limits.lasting), Quota::Lobby),
        ] {
            if most.is_some_and(|most| number >= most as usize) {
                return Appended::Full(quota);
            }
        }
        if let Some(to) = &offer.to
            && self.has_enough_challenges(&offer, to, addressee, relations)
        {
            return Appended::Full(Quota::Challenges);
        }
        self.all.push(offer);
        self.version += 1;
        Appended::Stored
    }

    fn has_enough_challenges(
        &self,
        offer: &Offer,
        to: &Addressee,
        addressee: Option<Holder>,
        relations: &RelationTables,
    ) -> bool {
        let is_apart = |other: &Offer| {
            addressee.is_some_and(|person| relations.between(other.holder, person).is_apart())
        };
        let is_same = |other: &&Offer| {
            other.to.as_ref().is_some_and(|other| other.tag == to.tag)
                && other.match_id.is_none()
                && other.until > offer.made_at
        };
        let same: Vec<&Offer> = self.all.iter().filter(is_same).collect();
        let open = same.iter().filter(|other| !other.is_declined() && !is_apart(other)).count();
        open >= CHALLENGES || same.iter().any(|other| other.holder == offer.holder)
    }

    fn decline(&mut self, id: &str, tag: Option<[u8; 32]>, at: i64) -> Appended {
        let found = self.all.iter_mut().find(|offer| offer.id == id && offer.is_open(at));
        let to = found.filter(|offer| tag.is_some() && offer.to.as_ref().map(|to| to.tag) == tag);
        let Some((offer, mut to)) = to.and_then(|offer| offer.to.clone().map(|to| (offer, to)))
        else {
            return Appended::Conflict;
        };
        to.has_declined = true;
        (offer.to, offer.until) = (Some(to), at + DECLINED_TIME);
        self.version += 1;
        Appended::Stored
    }
}

/// Returns whether two match offers have no addressee, and have the same rule set, clock and rated flag.
fn is_equal(one: &Offer, other: &Offer) -> bool {
    one.to.is_none()
        && other.to.is_none()
        && (&one.rules, one.clock, one.rated) == (&other.rules, other.clock, other.rated)
}

/// Returns the match offers that meet a condition, with the account data of their makers and
/// addressees.
fn found(tables: &Tables, is_wanted: impl Fn(&Offer) -> bool) -> Vec<Offer> {
    let mut found = tables.offers.sorted(is_wanted);
    let accounts = &tables.people.accounts;
    for offer in &mut found {
        if let Some(to) = &mut offer.to {
            let person = accounts.of_tag(to.tag).map(|account| account.person);
            to.person =
                person.filter(|person| !tables.relations.between(offer.holder, *person).is_apart());
        }
        if offer.by_bot {
            offer.name = accounts.of_person(offer.holder).map(|account| account.handle);
        }
        let has_maker = offer.rated || offer.to.is_some();
        let maker = accounts.of_person(offer.holder).filter(|_| has_maker);
        offer.maker = maker.map(|account| Maker {
            handle: account.handle,
            is_private: account.is_private,
            rating: offer
                .clock
                .map(Pace::of)
                .filter(|_| offer.rated)
                .and_then(|pace| tables.ratings.of(offer.holder, &offer.rules, pace)),
        });
    }
    found
}

fn accept(
    tables: &mut Tables,
    (id, at): (&str, i64),
    info: MatchInfo,
    request: NewMatchRequest,
) -> Appended {
    let open = found(tables, |offer| offer.id == id && offer.is_open(at)).pop();
    let Some(offer) = open else { return Appended::Conflict };
    let acceptor = tables.people.owner(request.holder);
    if acceptor == offer.holder
        || !offer.is_for(acceptor)
        || tables.relations.between(acceptor, offer.holder).is_apart()
        || is_bot(tables, acceptor) && !offer.is_for_bots()
        || tables.created_by(&request).is_some()
    {
        return Appended::Conflict;
    }
    if let Some(quota) = tables.full_quota(acceptor) {
        return Appended::Full(quota);
    }
    if offer.rated && is_pair_full(tables, (acceptor, offer.holder), at) {
        return Appended::Full(Quota::RatedPair);
    }
    if tables.full_quota(offer.holder).is_some() {
        tables.offers.retain(|other| other.id != id);
        return Appended::Conflict;
    }
    for other in tables.offers.all.iter_mut().filter(|other| other.id == id) {
        other.match_id = Some(info.id.clone());
        other.until = other.until.max(at + ACCEPTED_TIME);
    }
    let players = [acceptor, offer.holder];
    tables.offers.retain(|other| {
        offer.is_lasting()
            || other.is_lasting()
            || other.match_id.is_some()
            || other.is_declined()
            || !players.contains(&other.holder)
    });
    let (id, entry) = (info.id.clone(), joined(&info, request.holder, at));
    tables.insert(info, Some(request), None);
    memory_push::announce_match(tables, &id);
    tables.matches.entry(id).and_modify(|begun| begun.log.push(entry));
    tables.offers.version += 1;
    Appended::Stored
}

impl<L: Link> Lobby for MemoryStore<L> {
    fn lobby_version(&self) -> StoreFuture<'_, i64> {
        self.call(|tables| tables.offers.version)
    }

    fn offers(&self, at: i64) -> StoreFuture<'_, Vec<Offer>> {
        self.call(move |tables| found(tables, |offer| offer.is_open(at)))
    }

    fn hidden_offers(&self, at: i64) -> StoreFuture<'_, Vec<(Holder, String)>> {
        self.call(move |tables| {
            let open = tables.offers.sorted(|offer| offer.is_open(at) && offer.to.is_none());
            let mut hidden: Vec<(Holder, String)> = Vec::new();
            for (person, other) in tables.relations.blocks() {
                for (maker, viewer) in [(person, other), (other, person)] {
                    let own = open.iter().filter(|offer| offer.holder == maker);
                    hidden.extend(own.map(|offer| (viewer, offer.id.clone())));
                }
            }
            hidden.sort_by_key(|(viewer, id)| (id.clone(), viewer.0));
            hidden.dedup();
            hidden
        })
    }

    fn offer<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Offer>> {
        self.call(move |tables| found(tables, |offer| offer.id == id).pop())
    }

    fn offers_of(&self, person: Holder) -> StoreFuture<'_, Vec<Offer>> {
        self.call(move |tables| found(tables, |offer| offer.holder == person))
    }

    fn equal_offer<'a>(&'a self, offer: &'a Offer) -> StoreFuture<'a, Option<Offer>> {
        self.call(|tables| {
            let is_found = |other: &Offer| {
                other.is_open(offer.made_at)
                    && !other.by_bot
                    && is_equal(other, offer)
                    && other.holder != offer.holder
                    && !tables.relations.between(offer.holder, other.holder).is_apart()
            };
            found(tables, is_found).into_iter().next()
        })
    }

    fn change_offer(&self, change: OfferChange) -> StoreFuture<'_, Appended> {
        self.write(move |tables| match change {
            OfferChange::Make { mut offer, is_new, limits } => {
                offer.holder = tables.people.owner(offer.holder);
                let client_id = offer.client_id.clone();
                let request = NewMatchRequest { holder: offer.holder, client_id };
                let by_bot = is_bot(tables, offer.holder);
                if tables.created_by(&request).is_some() || by_bot && !offer.may_be_of_bot() {
                    return Appended::Conflict;
                }
                offer.by_bot = by_bot;
                let addressee = offer.to.as_ref().and_then(|to| {
                    tables.people.accounts.of_tag(to.tag).map(|account| account.person)
                });
                tables.offers.make((offer, is_new), limits, addressee, &tables.relations)
            }
            OfferChange::Accept { id, info, request, at } => {
                accept(tables, (&id, at), info, request)
            }
            OfferChange::Decline { id, person, at } => {
                let tag = tables.people.accounts.tag_of(person);
                tables.offers.decline(&id, tag, at)
            }
            OfferChange::Withdraw { id, person } => tables.offers.retain(|offer| {
                offer.id != id
                    || offer.match_id.is_some()
                    || offer.is_declined()
                    || offer.holder != person
            }),
            OfferChange::WithdrawAll { person } => tables.offers.withdraw_all(person),
            OfferChange::Keep { ids, at, until } => {
                let mut is_kept = false;
                for offer in &mut tables.offers.all {
                    if ids.contains(&offer.id)
                        && offer.is_open(at)
                        && !offer.is_lasting()
                        && offer.until < until
                    {
                        offer.until = until;
                        is_kept = true;
                    }
                }
                Appended::stored_if(is_kept)
            }
            OfferChange::ForgetOld { at } => tables.offers.retain(|offer| offer.until > at),
        })
    }
}
