//! Chooses the rules, deals and seats of new matches.

use std::sync::Arc;

use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use overmate_bots::{BuiltIn, Level};
use overmate_rules::{ByPlayer, DealSource as _, Dealt, RuleSet};

use super::parse::{numbered_deal, rule_set};
use crate::clock::now;
use crate::clocks::clock_setting::ClockSetting;
use crate::computer::Computer;
use crate::error::ApiError;
use crate::names::RefusedWords;
use crate::random::{random_id, random_seed, random_token};
use crate::rating::anchors::anchor;
use crate::shared_deal::SharedDeal;
use crate::store::{Holder, MatchInfo, Occupant, Offer, SeatInfo};
use crate::wire::{ClockWire, LeadWire, NewMatch, Opponent};

/// Returns the metadata of a requested match, and the metric label for the kind of opponent.
pub(crate) fn plan(
    request: &NewMatch,
    holder: Holder,
    words: &RefusedWords,
) -> Result<(MatchInfo, &'static str), ApiError> {
    let rules = rule_set(&request.rules)?;
    let first_deal = request.deal.as_deref().map(|deal| numbered_deal(&rules, deal)).transpose()?;
    let own_name = words.check(request.names.me.as_deref())?;
    let own = SeatInfo::new(own_name, Occupant::Holder(holder));
    let other_name = words.check(request.names.other.as_deref())?;
    let (occupant, name, kind) = match &request.opponent {
        Opponent::Level { level } => {
            let level = Level::new(*level).ok_or_else(|| {
                ApiError::bad_request("the level is out of range: choose a level from 1 to 9")
            })?;
            (Occupant::Bot(BuiltIn::Level(level).into(), random_seed()?), None, "level")
        }
        Opponent::Perfect {} => {
            (Occupant::Bot(BuiltIn::Perfect.into(), random_seed()?), None, "perfect")
        }
        Opponent::Program { name } => {
            let program = Computer::Program(name.parse().map_err(ApiError::bad_request)?);
            (Occupant::Bot(program, random_seed()?), None, "program")
        }
        Opponent::Friend {} => (Occupant::Open, None, "friend"),
        Opponent::Both {} => (Occupant::Holder(holder), other_name, "both"),
    };
    let other = SeatInfo::new(name, occupant);
    let own_leads = leads(request.lead)?;
    let seats =
        if own_leads { ByPlayer { a: own, b: other } } else { ByPlayer { a: other, b: own } };
    let mut info = match_info(&rules, first_deal.as_ref(), seats)?;
    if request.clock.is_some() && matches!(request.opponent, Opponent::Both {}) {
        return Err(ApiError::bad_request(
            "clock: a match in which you play for both players has no clocks: leave the clock out",
        ));
    }
    info.clock = request.clock.map(clock_setting).transpose()?;
    if request.one_round {
        info.deals.truncate(1);
    }
    if request.rated {
        check_rated(&info, occupant)?;
        info.rated = true;
    }
    if occupant == Occupant::Open {
        info.invitation = Some(random_token()?);
    }
    Ok((info, kind))
}

/// Returns whether the person who requests a match leads in the first game of the match. The result is random for [`LeadWire::Random`].
pub(super) fn leads(lead: LeadWire) -> Result<bool, ApiError> {
    Ok(match lead {
        LeadWire::Me => true,
        LeadWire::Other => false,
        LeadWire::Random => random_seed()?.is_multiple_of(2),
    })
}

/// Returns the metadata of a match between the maker and the acceptor of an offer.
pub(super) fn plan_accepted(offer: &Offer, acceptor: SeatInfo) -> Result<MatchInfo, ApiError> {
    let rules = rule_set(&offer.rules)?;
    let maker = SeatInfo {
        name: offer.name.clone(),
        occupant: Occupant::Holder(offer.holder),
        is_program: offer.by_bot,
    };
    let seats = if offer.leads {
        ByPlayer { a: maker, b: acceptor }
    } else {
        ByPlayer { a: acceptor, b: maker }
    };
    let info = match_info(&rules, None, seats)?;
    Ok(MatchInfo { clock: offer.clock, rated: offer.rated, public: true, ..info })
}

/// Error text for a request for a rated match without clocks.
pub(super) const RATED_WITHOUT_CLOCK: &str =
    "rated: a rated match needs clocks: send the field clock";

/// Refuses a rated match without clocks, with a chosen deal, with only one round, or against an opponent of unmeasured strength.
fn check_rated(info: &MatchInfo, opponent: Occupant) -> Result<(), ApiError> {
    let is_anchor = matches!(opponent, Occupant::Bot(bot, _) if anchor(&info.rules, bot).is_some());
    let fault = if opponent != Occupant::Open && !is_anchor {
        "rated: only a match against a friend, or against an opponent whose strength under the rule set is known, is rated: choose such \
         an opponent, or leave out the field rated"
    } else if info.clock.is_none() {
        RATED_WITHOUT_CLOCK
    } else if info.deals.len() == 1 {
        "rated: a rated match has all rounds: leave out the field one_round"
    } else if info.deal_chosen {
        "rated: a rated match has random deals only: leave out the field deal"
    } else {
        return Ok(());
    };
    Err(ApiError::bad_request(fault))
}

/// Converts the time control in a request for a new match to the internal type.
pub(super) fn clock_setting(clock: ClockWire) -> Result<ClockSetting, ApiError> {
    let setting = match clock {
        ClockWire::Live { base, increment } => ClockSetting::live(base, increment),
        ClockWire::Days { days } => ClockSetting::days(days),
    };
    setting.ok_or_else(|| {
        let (least, most) = ClockSetting::BASE;
        ApiError::bad_request(format!(
            "clock: the time control is not valid: give {least} to {most} seconds as base and 0 to {} seconds as increment, or one of {:?} as days",
            ClockSetting::MOST_INCREMENT,
            ClockSetting::DAYS
        ))
    })
}

/// Returns the metadata of a rematch. The rules and the number of rounds stay, the deals are new, and the other player
/// leads first.
pub(super) fn plan_rematch(info: &MatchInfo) -> Result<MatchInfo, ApiError> {
    let rules = rule_set(&info.rules)?;
    let reseeded = |seat: &SeatInfo| -> Result<SeatInfo, ApiError> {
        let occupant = match seat.occupant {
            Occupant::Bot(bot, _) => Occupant::Bot(bot, random_seed()?),
            occupant @ (Occupant::Open | Occupant::Deleted | Occupant::Holder(_)) => occupant,
        };
        Ok(SeatInfo { name: seat.name.clone(), occupant, is_program: seat.is_program })
    };
    let seats = ByPlayer { a: reseeded(&info.seats.b)?, b: reseeded(&info.seats.a)? };
    let MatchInfo { clock, rated, public, .. } = *info;
    let mut rematch = match_info(&rules, None, seats)?;
    rematch.deals.truncate(info.deals.len());
    Ok(MatchInfo { clock, rated, public, ..rematch })
}

/// Returns the metadata of a new match. The metadata hold no invitation link yet. Deals that the caller does not give are drawn at random.
fn match_info(
    rules: &Arc<RuleSet>,
    first_deal: Option<&Dealt>,
    seats: ByPlayer<SeatInfo>,
) -> Result<MatchInfo, ApiError> {
    // The call of `random_seed` detects a failure of the system's random generator, because `next_deal` cannot return an error. After one
    // success the generator does not fail.
    random_seed()?;
    let mut generator = UnwrapErr(SysRng);
    let mut deals: Vec<u64> =
        (0..rules.rounds()).map(|_| generator.next_deal(rules).number()).collect();
    if let (Some(given), Some(first)) = (first_deal, deals.first_mut()) {
        *first = given.number();
    }
    Ok(MatchInfo {
        id: random_id()?,
        rules: rules.name().to_owned(),
        deals,
        watch: random_id()?,
        invitation: None,
        created_at: now(),
        shared_deal: None,
        deal_chosen: first_deal.is_some(),
        network: None,
        clock: None,
        rated: false,
        public: false,
        played_at: None,
        seats,
    })
}

/// Returns the metadata of a match on a shared deal. The match has one round against the perfect
/// opponent, and the browser leads first.
pub(super) fn plan_shared_deal(
    shared_deal: SharedDeal,
    dealt: &Dealt,
    holder: Holder,
    name: Option<String>,
) -> Result<MatchInfo, ApiError> {
    let own = SeatInfo::new(name, Occupant::Holder(holder));
    // The random seed of the computer opponent is constant, so that all players of a shared deal meet the same opponent.
    let other = SeatInfo::new(None, Occupant::Bot(BuiltIn::Perfect.into(), 0));
    Ok(MatchInfo {
        id: random_id()?,
        rules: dealt.rules().name().to_owned(),
        deals: vec![dealt.number()],
        watch: random_id()?,
        invitation: None,
        created_at: now(),
        shared_deal: Some(shared_deal.to_string()),
        deal_chosen: false,
        network: None,
        clock: None,
        rated: false,
        public: false,
        played_at: None,
        seats: ByPlayer { a: own, b: other },
    })
}
