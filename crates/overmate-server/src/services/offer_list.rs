//! Builds the list of open match offers for each viewer of the lobby. Most viewers share one list; challenges and
//! hidden offers differ from person to person.

use std::collections::{HashMap, HashSet};

use axum::extract::ws::Utf8Bytes;

use crate::error::ApiError;
use crate::show;
use crate::store::{Holder, Offer};
use crate::wire::{LobbyMessage, OfferWire};

/// Maximum number of match offers in the lobby's list. Live offers and correspondence offers of people each get half of the list, plus the
/// entries that the other kind leaves unused. Offers of bots get the entries that people leave unused.
const LISTED: usize = 100;

/// Snapshot of the open match offers, prepared for all viewers of the lobby.
#[derive(PartialEq, Default)]
pub(crate) struct Offers {
    /// Open offers in the lobby's list, in the order in which the list shows them. Offers of people stand before offers of bots. In each
    /// group, live offers stand before correspondence offers, the newest first.
    listed: Vec<OfferWire>,
    /// Number of all open match offers that are addressed to everybody. Challenges to one person do not count.
    pub(crate) total: usize,
    /// WebSocket message with the listed open match offers, for every viewer from whom no offer is hidden.
    message: Utf8Bytes,
    /// Ids of the open match offers that each person has made.
    open: HashMap<Holder, Vec<String>>,
    /// Open challenges to each person.
    challenges: HashMap<Holder, Vec<OfferWire>>,
    /// Ids of the open match offers that are hidden from each person.
    hidden: HashMap<Holder, HashSet<String>>,
}

impl Offers {
    /// Builds a snapshot of the given open match offers. The snapshot shows the ratings of the makers at the Unix
    /// time `at`, in seconds. `hidden` pairs each person with the id of an offer that is hidden from this person.
    pub(super) fn new(
        offers: &[Offer],
        hidden: Vec<(Holder, String)>,
        at: i64,
    ) -> Result<Self, ApiError> {
        let mut open: HashMap<Holder, Vec<String>> = HashMap::new();
        for offer in offers {
            open.entry(offer.holder).or_default().push(offer.id.clone());
        }
        let (all, to_one): (Vec<&Offer>, Vec<&Offer>) =
            offers.iter().partition(|offer| offer.to.is_none());
        let mut challenges: HashMap<Holder, Vec<OfferWire>> = HashMap::new();
        for offer in to_one {
            if let (Some(person), Some(shown)) = (offer.addressee(), show::lobby::offer(offer, at))
                && person != offer.holder
            {
                challenges.entry(person).or_default().push(shown);
            }
        }
        let listed: Vec<OfferWire> =
            listed(&all).filter_map(|offer| show::lobby::offer(offer, at)).collect();
        let total = all.len();
        let message = message(listed.clone(), total)?;
        let mut hidden_from: HashMap<Holder, HashSet<String>> = HashMap::new();
        for (person, id) in hidden {
            hidden_from.entry(person).or_default().insert(id);
        }
        Ok(Self { listed, total, message, open, challenges, hidden: hidden_from })
    }

    /// Returns the listed open match offers that a person may see, with the number of all open offers visible to the person.
    pub(crate) fn listed_for(&self, person: Option<Holder>) -> (Vec<OfferWire>, usize) {
        let Some(hidden) = person.and_then(|person| self.hidden.get(&person)) else {
            return (self.listed.clone(), self.total);
        };
        let seen = self.listed.iter().filter(|offer| !hidden.contains(&offer.id));
        (seen.cloned().collect(), self.total.saturating_sub(hidden.len()))
    }

    /// Returns the WebSocket message with the listed open match offers that a person may see. Most persons share one message.
    pub(crate) fn message_for(&self, person: Option<Holder>) -> Result<Utf8Bytes, ApiError> {
        if !person.is_some_and(|person| self.hidden.contains_key(&person)) {
            return Ok(self.message.clone());
        }
        let (listed, total) = self.listed_for(person);
        message(listed, total)
    }

    /// Returns the open challenges to a person.
    pub(crate) fn challenges_to(&self, person: Option<Holder>) -> &[OfferWire] {
        person.and_then(|person| self.challenges.get(&person)).map_or(&[], Vec::as_slice)
    }

    /// Returns the ids of the open match offers that a person has made. The ids change when another player accepts an offer.
    pub(crate) fn open_of(&self, person: Option<Holder>) -> &[String] {
        person.and_then(|person| self.open.get(&person)).map_or(&[], Vec::as_slice)
    }
}

fn message(offers: Vec<OfferWire>, total: usize) -> Result<Utf8Bytes, ApiError> {
    let message = LobbyMessage::Offers { offers, total };
    Ok(serde_json::to_string(&message).map_err(ApiError::internal)?.into())
}

/// Selects the offers for the lobby's list from all open offers, which are ordered by creation time. The list has at most [`LISTED`]
/// offers.
fn listed<'a>(open: &[&'a Offer]) -> impl Iterator<Item = &'a Offer> {
    let (of_bots, of_people): (Vec<&Offer>, Vec<&Offer>) =
        open.iter().copied().partition(|offer| offer.by_bot);
    shared(of_people).chain(shared(of_bots)).take(LISTED)
}

/// Selects at most [`LISTED`] match offers: half of the places are for live offers, and half for correspondence
/// offers. Each kind also gets the places that the other kind leaves unused. The given offers are ordered by creation
/// time.
fn shared(open: Vec<&Offer>) -> impl Iterator<Item = &Offer> {
    let (lasting, live): (Vec<&Offer>, Vec<&Offer>) =
        open.into_iter().rev().partition(|offer| offer.is_lasting());
    let room = LISTED - lasting.len().min(LISTED / 2);
    live.into_iter().take(room).chain(lasting).take(LISTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an open match offer for a test; `number` is also the creation time of the offer.
    fn offer(number: i64, is_lasting: bool) -> Offer {
        Offer {
            id: number.to_string(),
            holder: Holder([1; 32]),
            name: None,
            rules: "bga".to_owned(),
            clock: is_lasting.then(|| "3d".parse().expect("a setting")),
            leads: true,
            network: 0,
            client_id: number.to_string(),
            made_at: number,
            until: 1_000,
            match_id: None,
            rated: false,
            bots: false,
            to: None,
            maker: None,
            by_bot: false,
        }
    }

    #[test]
    fn offers_of_bots_have_the_room_that_people_leave() {
        // Each tuple holds the number of open offers of bots, the number of open offers of people, and the number of listed offers of bots.
        for (bots, people, expected) in [(3, 0, 3), (200, 0, 100), (200, 70, 30), (200, 100, 0)] {
            let of_bots =
                (0..bots).map(|number| Offer { by_bot: true, ..offer(900 + number, false) });
            let all: Vec<Offer> =
                of_bots.chain((0..people).map(|number| offer(number, number % 2 == 0))).collect();
            let open: Vec<&Offer> = all.iter().collect();
            let shown: Vec<bool> = listed(&open).map(|offer| offer.by_bot).collect();
            assert!(shown.is_sorted(), "{bots} of bots and {people} of people");
            assert_eq!(shown.iter().filter(|&&by_bot| by_bot).count(), expected);
            assert_eq!(shown.len() - expected, usize::try_from(people).expect("a small number"));
        }
    }

    #[test]
    fn live_offers_and_those_with_days_share_the_room_of_the_list() {
        // Each tuple holds the numbers of open live and correspondence offers, and how many of each kind the lobby's list shows.
        for (live, lasting, listed_live, listed_lasting) in [
            (0, 0, 0, 0),
            (3, 200, 3, 97),
            (200, 3, 97, 3),
            (80, 80, 50, 50),
            (50, 50, 50, 50),
            (200, 0, 100, 0),
            (0, 200, 0, 100),
        ] {
            let lasting_first = (0..lasting).map(|number| offer(number, true));
            let offers: Vec<Offer> =
                lasting_first.chain((0..live).map(|number| offer(500 + number, false))).collect();
            let open: Vec<&Offer> = offers.iter().collect();
            let shown: Vec<i64> = listed(&open).map(|offer| offer.made_at).collect();
            let newest = |first: i64, number: i64, most| {
                (first..first + number).rev().take(most).collect::<Vec<i64>>()
            };
            let expected = [newest(500, live, listed_live), newest(0, lasting, listed_lasting)];
            assert_eq!(shown, expected.concat(), "{live} live and {lasting} with days");
        }
    }
}
