//! Defines the shared deals (deals of the day and of the week), and computes their cards by a keyed hash. All players
//! can play the same shared deal of each day, and the same seven shared deals of each week.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hmac::Mac as _;
use jiff::civil::{Date, ISOWeekDate, Weekday};
use jiff::{Timestamp, ToSpan as _};
use overmate_rules::{BySeat, Deal, Dealt, Game, RuleSet};
use overmate_solver::{Budget, Solver};

use crate::keyed_hash::keyed_hash;

/// Names of the rule sets with shared deals.
pub(crate) const RULE_SETS: [&str; 2] = ["bga", "sackson"];

/// Number of shared deals in each week.
const DEALS_OF_WEEK: i8 = 7;

/// Threshold, in points, for a real decision: the minimum difference between the values of the best and the worst legal action. A deal
/// with enough real decisions is interesting.
const MARGIN: i32 = 10;

/// Minimum number of decisions on the principal variation that each player must have in a shared deal. Only decisions at which some action
/// loses at least [`MARGIN`] points count.
const DECISIONS: usize = 4;

/// First date whose shared deals must have a decision with several best actions and an action that loses at least
/// [`MARGIN`] points. Earlier deals stay as servers have drawn them. The date is a Monday, so that all deals of a
/// week follow one rule.
const ALTERNATIVES_FROM: Date = Date::constant(2027, 1, 4);

/// Maximum number of pseudorandom deals that are examined for one shared deal. If none is interesting, the last deal is taken.
const DRAWS: u32 = 200;

/// Secret server key, from which the deals of the day and of the week are derived.
pub(crate) type SharedDealKey = [u8; 32];

/// Shared deal, identified by a date, or by a week and a number.
///
/// The text form is the UTC date, such as `2026-11-21`, or the ISO 8601 week with the deal's
/// number, such as `2026-W47-3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SharedDeal {
    /// Deal of the day, with its date.
    Day(Date),
    /// One of the seven shared deals of a week.
    Week {
        /// Monday with which the week of the shared deal begins.
        monday: Date,
        /// Number of the shared deal among the seven deals of the week, from 1 to 7.
        number: i8,
    },
}

/// Parse error: the text is not the name of a shared deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the text names no shared deal: send a day such as 2026-11-21, or a deal of a week such as 2026-W47-3"
)]
pub(crate) struct SharedDealError;

impl SharedDeal {
    /// Returns the deal of the day at a Unix time in seconds.
    pub(crate) fn of_day(now: i64) -> Self {
        Self::Day(date(now))
    }

    /// Returns the deals of the week at a Unix time in seconds.
    pub(crate) fn of_week(now: i64) -> Vec<Self> {
        let week = date(now).iso_week_date();
        // The Monday of a date's week is always a valid date, so that the fallback to the date itself is never used.
        let monday = monday(week.year(), week.week()).unwrap_or_else(|| date(now));
        (1..=DEALS_OF_WEEK).map(|number| Self::Week { monday, number }).collect()
    }

    /// Returns the deal of the previous day if this deal is a deal of the day, or `None` if it is a deal of the week.
    pub(crate) fn day_before(self) -> Option<Self> {
        match self {
            Self::Day(date) => date.yesterday().ok().map(Self::Day),
            Self::Week { .. } => None,
        }
    }

    /// Returns the rule sets of the shared deal: two for a deal of the day, one for a deal of the week.
    pub(crate) fn rule_sets(self) -> &'static [&'static str] {
        match self {
            Self::Day(_) => &RULE_SETS,
            Self::Week { number, .. } if number % 2 == 1 => &RULE_SETS[..1],
            Self::Week { .. } => &RULE_SETS[1..],
        }
    }

    /// Returns the start of the shared deal's day or week, as a Unix time in seconds.
    pub(crate) fn starts_at(self) -> i64 {
        match self {
            Self::Day(date) => midnight(date),
            Self::Week { monday, .. } => midnight(monday),
        }
    }

    /// Returns the end of the shared deal's day or week, as a Unix time in seconds.
    pub(crate) fn ends_at(self) -> i64 {
        match self {
            Self::Day(date) => midnight(date.saturating_add(1.day())),
            Self::Week { monday, .. } => midnight(monday.saturating_add(7.days())),
        }
    }

    /// Returns whether a match on the shared deal may begin at the Unix time `now`, in seconds.
    pub(crate) fn is_open_at(self, now: i64) -> bool {
        (self.starts_at()..self.ends_at()).contains(&now)
    }

    /// Derives the cards of the shared deal under a rule set from the secret key. The result is the first interesting deal (see
    /// [`Interest`]) of a pseudorandom sequence that the key determines. Nobody without the key can predict the deal.
    pub(crate) fn draw(
        self,
        key: &SharedDealKey,
        rules: &Arc<RuleSet>,
        solver: &mut Solver,
        budget: &Budget,
    ) -> Option<Dealt> {
        let needs_alternatives = self.starts_at() >= midnight(ALTERNATIVES_FROM);
        draw(&self.to_string(), key, rules, |dealt| {
            let interest = Interest::of(dealt, solver, budget);
            interest.has_decisions() && (interest.has_alternatives || !needs_alternatives)
        })
    }
}

/// Derives a deal under a rule set from a given name and a secret key. The result is the first deal, in a pseudorandom sequence, that gives
/// each player enough decisions (see [`Interest`]). Nobody without the key can predict the deal.
pub(crate) fn draw_named(
    name: &str,
    key: &SharedDealKey,
    rules: &Arc<RuleSet>,
    solver: &mut Solver,
    budget: &Budget,
) -> Option<Dealt> {
    draw(name, key, rules, |dealt| Interest::of(dealt, solver, budget).has_decisions())
}

/// Returns the first deal that meets `is_wanted` in the pseudorandom sequence of deals that a name and a key define. If no examined deal
/// does, returns the last examined deal.
fn draw(
    name: &str,
    key: &SharedDealKey,
    rules: &Arc<RuleSet>,
    mut is_wanted: impl FnMut(&Dealt) -> bool,
) -> Option<Dealt> {
    let mut last = None;
    for attempt in 0..DRAWS {
        let dealt = Deal::numbered(rules, drawn_number(name, key, rules, attempt)).ok()?;
        if is_wanted(&dealt) {
            return Some(dealt);
        }
        last = Some(dealt);
    }
    last
}

/// Returns one number of the pseudorandom sequence of deal numbers that a name, a secret key and a rule set define. The number comes from
/// an HMAC-SHA-256 over the name, the rule set and the index `attempt`.
fn drawn_number(name: &str, key: &SharedDealKey, rules: &RuleSet, attempt: u32) -> u64 {
    let mut hash = keyed_hash(key);
    hash.update(format!("{name} {} {attempt}", rules.name()).as_bytes());
    let bytes = hash.finalize().into_bytes();
    let drawn = bytes.iter().take(16).fold(0_u128, |sum, byte| sum << 8 | u128::from(*byte));
    // The drawn number modulo the number of deals always fits into `u64`. The bias of this remainder is below 2⁻⁶⁴.
    u64::try_from(drawn % u128::from(Dealt::count(rules).max(1))).unwrap_or_default()
}

/// Measure of how interesting a deal is, taken from its principal variation.
///
/// A decision is real if at least one legal action loses [`MARGIN`] points or more. A deal with a certain winner has few
/// real decisions. A deal in which every real decision has a single best action is decided by one forced line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Interest {
    /// Number of decisions that each seat has on the principal variation of a deal. Only decisions at which some action loses at least
    /// [`MARGIN`] points count.
    decisions: BySeat<usize>,
    /// Whether the principal variation has a decision with several best actions and an action that loses at least
    /// [`MARGIN`] points.
    has_alternatives: bool,
}

impl Interest {
    fn of(dealt: &Dealt, solver: &mut Solver, budget: &Budget) -> Self {
        let mut game = Game::new(dealt.clone());
        let mut interest = Self::default();
        while let Some(seat) = game.to_act() {
            let analysis = solver.analyse(&game, budget);
            let points = analysis.actions.iter().map(|action| action.value.at_least());
            let points: Vec<i32> = points.map(|value| value.for_seat(seat)).collect();
            let best = points.iter().copied().max().unwrap_or_default();
            let worst = points.iter().copied().min().unwrap_or_default();
            if best.saturating_sub(worst) >= MARGIN {
                interest.decisions[seat] += 1;
                interest.has_alternatives |= points.iter().filter(|p| **p == best).count() > 1;
            }
            let next = analysis.principal_variation.first();
            // A game that is not over always has a best action, which is legal, so that the `else` branch is never reached.
            let Some(next) = next.and_then(|next| game.play(*next).ok()) else {
                return Self::default();
            };
            game = next;
        }
        interest
    }

    /// Returns whether each player has, on the principal variation, at least [`DECISIONS`] decisions at which some
    /// action loses [`MARGIN`] points or more.
    fn has_decisions(self) -> bool {
        self.decisions.first >= DECISIONS && self.decisions.second >= DECISIONS
    }
}

/// Returns the UTC date of a Unix time in seconds.
fn date(seconds: i64) -> Date {
    let time = Timestamp::from_second(seconds).unwrap_or_default();
    jiff::tz::Offset::UTC.to_datetime(time).date()
}

/// Returns the start of a UTC date, as a Unix time in seconds.
fn midnight(date: Date) -> i64 {
    let time = jiff::tz::Offset::UTC.to_timestamp(date.at(0, 0, 0, 0));
    time.unwrap_or(Timestamp::MAX).as_second()
}

/// Returns the Monday of an ISO 8601 week, or `None` if the year has no such week.
fn monday(year: i16, week: i8) -> Option<Date> {
    ISOWeekDate::new(year, week, Weekday::Monday).ok().map(ISOWeekDate::date)
}

impl fmt::Display for SharedDeal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(date) => write!(formatter, "{date}"),
            Self::Week { monday, number } => {
                let week = monday.iso_week_date();
                write!(formatter, "{:04}-W{:02}-{number}", week.year(), week.week())
            }
        }
    }
}

impl FromStr for SharedDeal {
    type Err = SharedDealError;

    fn from_str(text: &str) -> Result<Self, SharedDealError> {
        let parsed = match text.split_once("-W") {
            None => text.parse().ok().map(Self::Day),
            Some((year, rest)) => rest.split_once('-').and_then(|(week, number)| {
                let monday = monday(year.parse().ok()?, week.parse().ok()?)?;
                let number = number.parse().ok().filter(|n| (1..=DEALS_OF_WEEK).contains(n))?;
                Some(Self::Week { monday, number })
            }),
        };
        // A name of a shared deal is accepted only in the spelling that the server itself writes. Each shared deal thus has one address and
        // one name in the database.
        parsed.filter(|deal| deal.to_string() == text).ok_or(SharedDealError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().expect("a time").as_second()
    }

    #[test]
    fn a_day_begins_and_ends_at_midnight_in_utc_in_every_zone() {
        for (time, name, begins, ends) in [
            ("2026-11-21T00:00:00Z", "2026-11-21", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
            ("2026-11-21T23:59:59Z", "2026-11-21", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
            // The next two instants lie on 21 November 2026 in UTC, but on another date in their time zones.
            (
                "2026-11-22T13:59:59+14:00",
                "2026-11-21",
                "2026-11-21T00:00:00Z",
                "2026-11-22T00:00:00Z",
            ),
            (
                "2026-11-20T12:00:00-12:00",
                "2026-11-21",
                "2026-11-21T00:00:00Z",
                "2026-11-22T00:00:00Z",
            ),
            ("2028-02-29T12:00:00Z", "2028-02-29", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"),
            ("2027-02-28T12:00:00Z", "2027-02-28", "2027-02-28T00:00:00Z", "2027-03-01T00:00:00Z"),
            ("2026-12-31T23:00:00Z", "2026-12-31", "2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z"),
        ] {
            let deal = SharedDeal::of_day(at(time));
            assert_eq!(deal.to_string(), name, "{time}");
            assert_eq!((deal.starts_at(), deal.ends_at()), (at(begins), at(ends)), "{time}");
            assert!(deal.is_open_at(at(time)) && !deal.is_open_at(at(ends)));
            assert!(!deal.is_open_at(at(begins) - 1));
        }
    }

    #[test]
    fn the_day_changes_at_one_instant_in_all_zones() {
        let mut checked = 0;
        for (before, after) in [
            ("2026-11-21", "2026-11-22"),
            ("2028-02-28", "2028-02-29"),
            ("2028-02-29", "2028-03-01"),
            ("2027-02-28", "2027-03-01"),
            // Of the years divisible by 100, only those divisible by 400 are leap years.
            ("2000-02-28", "2000-02-29"),
            ("2100-02-28", "2100-03-01"),
            ("2026-12-31", "2027-01-01"),
            // Daylight saving time begins in Europe on 29 March 2026, and ends in North America on 1 November 2026.
            ("2026-03-28", "2026-03-29"),
            ("2026-10-31", "2026-11-01"),
        ] {
            let change = at(&format!("{after}T00:00:00Z"));
            // The offsets of all time zones from UTC lie between -12:00 and +14:00, in steps of a quarter of an hour.
            for minutes in (-12 * 60..=14 * 60).step_by(15) {
                let offset = jiff::tz::Offset::from_seconds(60 * minutes).expect("an offset");
                for (seconds, name) in
                    [(-86_400, before), (-1, before), (0, after), (86_399, after)]
                {
                    let time = Timestamp::from_second(change + seconds).expect("a time");
                    let local = time.display_with_offset(offset).to_string();
                    let deal = SharedDeal::of_day(at(&local));
                    assert_eq!(deal.to_string(), name, "{local}");
                    assert_eq!(name.parse(), Ok(deal));
                    checked += 1;
                }
            }
            let later: SharedDeal = after.parse().expect("a day");
            assert_eq!(later.day_before().map(|day| day.to_string()).as_deref(), Some(before));
        }
        assert_eq!(checked, 9 * 105 * 4);
    }

    #[test]
    fn a_week_has_seven_deals_from_monday_to_sunday() {
        for (time, first, begins) in [
            ("2026-11-21T12:00:00Z", "2026-W47-1", "2026-11-16T00:00:00Z"),
            // The first days of 2027 belong to the last week of 2026.
            ("2027-01-03T23:59:59Z", "2026-W53-1", "2026-12-28T00:00:00Z"),
            ("2027-01-04T00:00:00Z", "2027-W01-1", "2027-01-04T00:00:00Z"),
        ] {
            let week = SharedDeal::of_week(at(time));
            assert_eq!(week.len(), 7);
            assert_eq!(week[0].to_string(), first);
            for deal in week {
                assert_eq!(deal.starts_at(), at(begins));
                assert_eq!(deal.ends_at(), at(begins) + 7 * 86_400);
                assert_eq!(deal.rule_sets().len(), 1);
                assert_eq!(deal.to_string().parse(), Ok(deal));
            }
        }
    }

    #[test]
    fn only_the_canonical_text_names_a_shared_deal() {
        assert_eq!("2026-11-21".parse(), Ok(SharedDeal::of_day(at("2026-11-21T05:00:00Z"))));
        for text in [
            "",
            "today",
            "2026-2-1",
            "2026-02-29",
            "20261121",
            "2026-11-21T00",
            "+2026-11-21",
            "2026-W47",
            "2026-W47-0",
            "2026-W47-8",
            "2026-W54-1",
            "2026-W7-1",
            "2026-W47-+1",
            "2026-W47-1-1",
            "2026-W",
            "-W-",
        ] {
            assert_eq!(text.parse::<SharedDeal>(), Err(SharedDealError), "{text}");
        }
    }

    #[test]
    fn a_shared_deal_follows_from_the_key_and_has_real_decisions() {
        let mut solver = Solver::new();
        let budget = Budget::unlimited();
        let mut numbers = Vec::new();
        for name in RULE_SETS {
            let rules = RuleSet::named(name).expect("a rule set").shared();
            for day in 1..=3_i8 {
                let deal = SharedDeal::Day(Date::constant(2026, 11, day));
                let dealt = deal.draw(&[7; 32], &rules, &mut solver, &budget).expect("a deal");
                assert_eq!(deal.draw(&[7; 32], &rules, &mut solver, &budget), Some(dealt.clone()));
                assert!(Interest::of(&dealt, &mut solver, &budget).has_decisions());
                // With two different secret keys, the server draws different deal numbers for the same day.
                let number = |key| drawn_number(&deal.to_string(), &[key; 32], &rules, 0);
                assert_ne!(number(7), number(8));
                numbers.push((name, dealt.number()));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 6);
    }

    /// Counts each seat's decisions at which some action loses at least `MARGIN` points, and returns whether any of
    /// these decisions has several best actions. The decisions lie on the principal variation. The actions on the
    /// principal variation are replayed, and each action's value comes from an analysis of the position after the
    /// action.
    fn naive(dealt: &Dealt, solver: &mut Solver) -> ([usize; 2], bool) {
        let budget = Budget::unlimited();
        let line = solver.analyse(&Game::new(dealt.clone()), &budget).principal_variation;
        let mut game = Game::new(dealt.clone());
        let (mut decisions, mut has_several) = ([0, 0], false);
        for action in line {
            let seat = game.to_act().expect("a player acts");
            let after = game.legal_actions().map(|action| {
                let next = game.clone().play(action).expect("a legal action");
                let value = match next.outcome() {
                    Some(outcome) => outcome.points_for_first(),
                    None => solver.analyse(&next, &budget).value.exact().unwrap().points(),
                };
                value * seat.sign_for_first()
            });
            let mut values: Vec<i32> = after.collect();
            values.sort_unstable_by(|a, b| b.cmp(a));
            if values[0] - values[values.len() - 1] >= 10 {
                decisions[usize::from(seat == overmate_rules::Seat::Second)] += 1;
                has_several |= values[0] == values[1];
            }
            game = game.play(action).expect("a legal action");
        }
        assert!(game.outcome().is_some(), "the principal variation ends the game");
        (decisions, has_several)
    }

    /// Number of days for which a test computes the deal of the day under each rule set.
    const DEALS_OF_TEST: u8 = 12;

    #[test]
    fn deals_from_2027_on_are_not_decided_by_one_forced_line() {
        let mut solver = Solver::new();
        let budget = Budget::unlimited();
        let (mut changed, mut checked) = (Vec::new(), 0_usize);
        // The two secret keys were chosen so that the rule for dates before 4 January 2027 would fail the test. With each key, this rule
        // would give one tested day a deal with a single best sequence of actions. Of 256 keys, 11 have this property.
        for (name, key) in [("bga", [179; 32]), ("sackson", [93; 32])] {
            let rules = RuleSet::named(name).expect("a rule set").shared();
            for number in 0..DEALS_OF_TEST {
                let day =
                    SharedDeal::Day(ALTERNATIVES_FROM.saturating_add(i64::from(number).days()));
                let dealt = day.draw(&key, &rules, &mut solver, &budget).expect("a deal");
                let (decisions, has_several) = naive(&dealt, &mut solver);
                assert!(decisions.into_iter().min() >= Some(4) && has_several, "{day} {name}");
                // The rule for shared deals before 4 January 2027 requires no decision with several best actions. It requires only enough
                // decisions of each player at which some action loses at least `MARGIN` points. The deals of an event follow the same rule.
                let earlier = draw_named(&day.to_string(), &key, &rules, &mut solver, &budget);
                let earlier = earlier.expect("a deal");
                if earlier != dealt {
                    assert!(!naive(&earlier, &mut solver).1, "{day} {name} had several lines");
                    changed.push((name, day.to_string()));
                }
                checked += 1;
            }
            let last = SharedDeal::Day(ALTERNATIVES_FROM.yesterday().expect("a day"));
            let earlier = draw_named(&last.to_string(), &key, &rules, &mut solver, &budget);
            assert_eq!(last.draw(&key, &rules, &mut solver, &budget), earlier);
        }
        assert_eq!(checked, 2 * usize::from(DEALS_OF_TEST));
        let days = [("bga", "2027-01-04"), ("sackson", "2027-01-06")];
        assert_eq!(changed, days.map(|(name, day)| (name, day.to_owned())));
    }

    #[test]
    fn the_first_deal_with_alternatives_belongs_to_a_whole_week() {
        assert_eq!(ALTERNATIVES_FROM.weekday(), Weekday::Monday);
        let before = SharedDeal::of_week(midnight(ALTERNATIVES_FROM) - 1);
        let after = SharedDeal::of_week(midnight(ALTERNATIVES_FROM));
        assert!(before.iter().all(|deal| deal.starts_at() < midnight(ALTERNATIVES_FROM)));
        assert!(after.iter().all(|deal| deal.starts_at() == midnight(ALTERNATIVES_FROM)));
    }
}
