//! Stores open offers in memory, for tests.

use super::memory_link::Link;
use super::memory_push;
use super::memory_store::{MemoryStore, Tables};
use crate::match_rating::Pace;
use crate::store::{
    ACCEPTED_TIME, Appended, Holder, Lobby, Maker, MatchInfo, NewMatchRequest, Offer, OfferChange,
    OfferLimits, Quota, StoreFuture, joined,
};

/// In-memory table of offers, ordered by creation.
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

    /// Retains the offers that meet a condition. Returns whether an offer was removed.
    fn retain(&mut self, is_kept: impl Fn(&Offer) -> bool) -> Appended {
        let before = self.all.len();
        self.all.retain(is_kept);
        if self.all.len() == before {
            return Appended::Conflict;
        }
        self.version += 1;
        Appended::Stored
    }

    /// Removes the offers of a person.
    /// Returns whether a person has an offer.
    pub(super) fn has(&self, person: Holder) -> bool {
        self.all.iter().any(|offer| offer.holder == person)
    }

    pub(super) fn forget(&mut self, person: Holder) {
        self.retain(|offer| offer.holder != person);
    }

    /// Increments the version number if a person has offers.
    pub(super) fn note_of(&mut self, person: Holder) {
        if self.all.iter().any(|offer| offer.holder == person) {
            self.version += 1;
        }
    }

    /// Transfers the offers of a person to another person.
    pub(super) fn join(&mut self, former: Holder, person: Holder) {
        for offer in self.all.iter_mut().filter(|offer| offer.holder == former) {
            offer.holder = person;
            self.version += 1;
        }
    }

    fn make(&mut self, offer: Offer, is_new: bool, limits: OfferLimits) -> Appended {
        let is_own = |other: &Offer| other.holder == offer.holder;
        let open: Vec<&Offer> =
            self.all.iter().filter(|other| other.is_open(offer.made_at)).collect();
        let is_known = self.all.iter().any(|other| {
            is_own(other)
                && other.client_id == offer.client_id
                && (other.is_open(offer.made_at) || other.match_id.is_some())
        });
        let has_equal = open.iter().any(|other| !is_own(other) && is_equal(other, &offer));
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
        self.all.push(offer);
        self.version += 1;
        Appended::Stored
    }
}

/// Returns whether two offers ask for the same kind of match, regardless of the player who leads.
fn is_equal(one: &Offer, other: &Offer) -> bool {
    (&one.rules, one.clock, one.rated) == (&other.rules, other.clock, other.rated)
}

/// Returns the offers that meet a condition, with the accounts of the makers of rated ones.
fn found(tables: &Tables, is_wanted: impl Fn(&Offer) -> bool) -> Vec<Offer> {
    let mut found = tables.offers.sorted(is_wanted);
    for offer in found.iter_mut().filter(|offer| offer.rated) {
        offer.maker = tables.people.accounts.of_person(offer.holder).map(|account| Maker {
            is_private: account.is_private,
            rating: offer
                .clock
                .map(Pace::of)
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
    let open = tables.offers.all.iter().find(|offer| offer.id == id && offer.is_open(at));
    let Some(offer) = open.cloned() else { return Appended::Conflict };
    let acceptor = tables.people.owner(request.holder);
    if acceptor == offer.holder || tables.created_by(&request).is_some() {
        return Appended::Conflict;
    }
    if let Some(quota) = tables.full_quota(acceptor) {
        return Appended::Full(quota);
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
                    && is_equal(other, offer)
                    && other.holder != offer.holder
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
                if tables.created_by(&request).is_some() {
                    return Appended::Conflict;
                }
                tables.offers.make(offer, is_new, limits)
            }
            OfferChange::Accept { id, info, request, at } => {
                accept(tables, (&id, at), info, request)
            }
            OfferChange::Withdraw { id, person } => tables.offers.retain(|offer| {
                offer.id != id || offer.match_id.is_some() || offer.holder != person
            }),
            OfferChange::WithdrawAll { person } => {
                tables.offers.retain(|offer| offer.match_id.is_some() || offer.holder != person)
            }
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
                if is_kept { Appended::Stored } else { Appended::Conflict }
            }
            OfferChange::ForgetOld { at } => tables.offers.retain(|offer| offer.until > at),
        })
    }
}
