//! Computes the unused part of a person's yearly budget of days off, and the pauses of the person's correspondence clocks on days off.

use jiff::Timestamp;
use jiff::civil::date;
use jiff::tz::TimeZone;
use overmate_rules::Player;

use super::clock_setting::DAY;
use super::match_clock::MatchClock;

/// Default number of days off that each person may use in a calendar year (UTC).
pub(crate) const DAYS_OFF: u32 = 20;

/// Period of a person's days off, with its start and its end as Unix times in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Absence {
    pub(crate) began_at: i64,
    /// End of the days off, as a Unix time in milliseconds. An end in the future is the latest possible end, because the person may end
    /// their days off earlier.
    pub(crate) until: i64,
}

/// Returns the start of the calendar year that contains a given time, and the start of the following year, as Unix times in milliseconds.
fn year_of(now: i64) -> (i64, i64) {
    let start = |year: i16| {
        let first = date(year, 1, 1).to_zoned_datetime(TimeZone::UTC);
        first.map_or(i64::MAX, |first| first.timestamp().as_millisecond())
    };
    let now = Timestamp::from_millisecond(now).unwrap_or_default();
    let year = now.to_zoned_datetime(TimeZone::UTC).year();
    (start(year), start(year.saturating_add(1)))
}

/// Returns the time, in milliseconds, that a person's days off between two given times take from the yearly budget. Each period of days
/// off uses at least a day of the budget, so that a person cannot begin and end days off again and again.
fn used(absences: &[Absence], (from, to): (i64, i64)) -> i64 {
    let part = |absence: &Absence| {
        let end = absence.until.max(absence.began_at.saturating_add(DAY));
        (end.min(to) - absence.began_at.max(from)).max(0)
    };
    absences.iter().map(part).sum()
}

/// Returns the unused part of a person's yearly budget of days off in the current calendar year, in milliseconds. The parameter `budget` is
/// in days.
pub(crate) fn left(absences: &[Absence], budget: u32, now: i64) -> i64 {
    let (from, to) = year_of(now);
    (i64::from(budget) * DAY - used(absences, (from, to))).max(0)
}

/// Returns the unused part of the person's yearly budget of days off, in milliseconds, if the person ends their current days off now.
pub(crate) fn left_if_back(absences: &[Absence], budget: u32, now: i64) -> i64 {
    let cut = |absence: &Absence| Absence {
        until: absence.until.min(now.max(absence.began_at)),
        ..*absence
    };
    let cut: Vec<Absence> = absences.iter().map(cut).collect();
    left(&cut, budget, now)
}

/// Returns a new period of days off that begins now and lasts until the yearly budget is used up. Returns `None` if less than a
/// day of the budget remains. Days off that reach the next year continue with the budget of that year.
pub(crate) fn begin(absences: &[Absence], budget: u32, now: i64) -> Option<Absence> {
    let until = end(absences, budget, now, now);
    (left(absences, budget, now) >= DAY).then_some(Absence { began_at: now, until })
}

/// Returns the Unix time, in milliseconds, at which days off that begin at `from` use up the yearly budget of days off. The time `from`
/// lies in the calendar year of `now`, and the periods `others` have used a part of the budget. If the budget lasts until the end of the
/// year, the days off continue with the unused budget of the next year.
fn end(others: &[Absence], budget: u32, from: i64, now: i64) -> i64 {
    let (_, next_year) = year_of(now);
    let until = from.saturating_add(left(others, budget, now));
    if until < next_year {
        until
    } else {
        next_year.saturating_add(left(others, budget, next_year))
    }
}

/// Returns a person's current period of days off, shortened to fit the yearly budget, or `None` if the period already fits. A period can
/// exceed the budget after a merge of two persons' data, because both have used days off.
pub(crate) fn cut(absences: &[Absence], budget: u32, now: i64) -> Option<Absence> {
    let lasting = absences.iter().filter(|absence| absence.until > now);
    let lasting = *lasting.max_by_key(|absence| absence.until)?;
    let others = absences.iter().copied().filter(|absence| *absence != lasting);
    let others: Vec<Absence> = others.collect();
    let (from, _) = year_of(now);
    let until = end(&others, budget, lasting.began_at.max(from), now);
    let until = until.max(now).max(lasting.began_at);
    (until < lasting.until).then_some(Absence { until, ..lasting })
}

/// Returns the period of a person's days off that includes a given time, or `None` without such a period.
pub(crate) fn current(absences: &[Absence], now: i64) -> Option<Absence> {
    let away = |absence: &&Absence| absence.began_at <= now && absence.until > now;
    absences.iter().filter(away).max_by_key(|absence| absence.until).copied()
}

/// Returns the pause that a player's days off require for the player's correspondence clock, or `None` if the clock needs no change. The
/// result holds the start of the pause as a Unix time, and its duration, both in milliseconds. A duration of 0 resumes the clock. The
/// pause usually starts now. If the player's time is used up now, but was not used up when days off began, the pause starts with these
/// days off or, if later, with the last log entry.
pub(crate) fn wait(
    clock: &MatchClock,
    player: Player,
    absences: &[Absence],
    now: i64,
) -> Option<(i64, i64)> {
    if clock.left(player, now) == Some(0) {
        return absences.iter().find_map(|absence| missed(clock, player, *absence));
    }
    let wanted = current(absences, now).map(|absence| absence.until);
    let is_followed = clock.away_until(now) == wanted;
    (!is_followed).then(|| (now, wanted.map_or(0, |until| until - now)))
}

/// Returns the pause of a player's correspondence clock during a period of the player's days off, if this pause is missing from the match's
/// log. The result holds the start of the pause as a Unix time, and its duration, both in milliseconds. The player had time left when the
/// days off began. `None` means that the days off require no such pause.
fn missed(clock: &MatchClock, player: Player, absence: Absence) -> Option<(i64, i64)> {
    let running = clock.running().filter(|running| running.player == player)?;
    let at = absence.began_at.max(clock.last());
    let has_time = clock.left(player, at).is_some_and(|left| left > 0);
    (has_time && absence.until > at.max(running.from)).then(|| (at, absence.until - at))
}

#[cfg(test)]
mod tests {
    use overmate_rules::ByPlayer;

    use super::*;
    use crate::clocks::clock_setting::ClockSetting;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().expect("a time").as_millisecond()
    }

    fn away(began_at: &str, until: &str) -> Absence {
        Absence { began_at: at(began_at), until: at(until) }
    }

    #[test]
    fn the_budget_is_that_of_the_calendar_year() {
        let now = at("2026-11-21T00:00:00Z");
        assert_eq!(left(&[], DAYS_OFF, now), 20 * DAY);
        assert_eq!(
            begin(&[], DAYS_OFF, now),
            Some(away("2026-11-21T00:00:00Z", "2026-12-11T00:00:00Z"))
        );
        // A person with three periods of days off has used seven days of the yearly budget for 2026. The period at the turn of the
        // year uses six full days, and the period of five minutes uses one day. Days in other years do not count.
        let absences = [
            away("2024-01-01T00:00:00Z", "2024-01-09T00:00:00Z"),
            away("2025-12-28T00:00:00Z", "2026-01-07T00:00:00Z"),
            away("2026-03-01T00:00:00Z", "2026-03-01T00:05:00Z"),
        ];
        assert_eq!(left(&absences, DAYS_OFF, now), 13 * DAY);
        assert_eq!(begin(&absences, DAYS_OFF, now).map(|begun| begun.until - now), Some(13 * DAY));
        // The first day of the current days off counts as used. The remaining days would be unused if the days off ended now.
        let running = [away("2026-11-20T12:00:00Z", "2026-12-10T12:00:00Z")];
        assert_eq!(
            (left(&running, DAYS_OFF, now), left_if_back(&running, DAYS_OFF, now)),
            (0, 19 * DAY)
        );
        assert_eq!(left_if_back(&running, DAYS_OFF, now + DAY), 37 * DAY / 2);
        // Days off that reach the next year use the budgets of both years.
        let december = at("2026-12-25T00:00:00Z");
        let long = begin(&absences, DAYS_OFF, december);
        assert_eq!(long, Some(away("2026-12-25T00:00:00Z", "2027-01-21T00:00:00Z")));
        // A period of days off from 12:00 to 12:05 on 31 December counts as a full day, until noon of the next day. Half of this day
        // belongs to the next year's budget.
        let short = away("2026-12-31T12:00:00Z", "2026-12-31T12:05:00Z");
        let again = begin(&[short], DAYS_OFF, at("2026-12-31T12:10:00Z"));
        assert_eq!(again, Some(away("2026-12-31T12:10:00Z", "2027-01-20T12:00:00Z")));
        let most = away("2026-05-01T00:00:00Z", "2026-05-13T00:00:01Z");
        assert_eq!(begin(&[absences[1], absences[2], most], DAYS_OFF, now), None);
    }

    #[test]
    fn another_budget_gives_another_number_of_days() {
        let now = at("2026-11-21T00:00:00Z");
        let december = at("2026-12-25T00:00:00Z");
        for (budget, days, until) in [
            (0, 0, None),
            (1, 1, Some("2026-11-22T00:00:00Z")),
            (30, 30, Some("2026-12-21T00:00:00Z")),
        ] {
            assert_eq!(left(&[], budget, now), days * DAY);
            assert_eq!(begin(&[], budget, now).map(|begun| begun.until), until.map(at));
        }
        let long = begin(&[], 30, december).map(|begun| begun.until);
        assert_eq!(long, Some(at("2027-01-31T00:00:00Z")));
        let lasting = [away("2026-05-10T00:00:00Z", "2026-05-30T00:00:00Z")];
        let cut = cut(&lasting, 5, at("2026-05-11T00:00:00Z"));
        assert_eq!(cut.map(|cut| cut.until), Some(at("2026-05-15T00:00:00Z")));
    }

    #[test]
    fn the_absence_of_a_joined_person_ends_with_the_budget_of_both() {
        let now = at("2026-05-11T00:00:00Z");
        let lasting = away("2026-05-10T00:00:00Z", "2026-05-30T00:00:00Z");
        let cut_to = |others: &[Absence]| {
            let cut = cut(&[others, &[lasting]].concat(), DAYS_OFF, now);
            cut.inspect(|cut| assert_eq!(cut.began_at, lasting.began_at)).map(|cut| cut.until)
        };
        assert_eq!((cut(&[], DAYS_OFF, now), cut_to(&[])), (None, None));
        // Fifteen used days leave five days of the yearly budget, and twenty used days leave none.
        let used = away("2026-03-01T00:00:00Z", "2026-03-16T00:00:00Z");
        assert_eq!(cut_to(&[used]), Some(at("2026-05-15T00:00:00Z")));
        let more = away("2026-04-01T00:00:00Z", "2026-04-06T00:00:00Z");
        assert_eq!(cut_to(&[used, more]), Some(now));
        // Days off in another year do not reduce this year's budget, and the next year has its own budget.
        assert_eq!(cut_to(&[away("2025-03-01T00:00:00Z", "2025-03-16T00:00:00Z")]), None);
        let december = away("2026-12-25T00:00:00Z", "2027-01-21T00:00:00Z");
        let christmas = at("2026-12-26T00:00:00Z");
        assert_eq!(cut(&[december, more], DAYS_OFF, christmas), None);
        assert_eq!(
            cut(&[december, used], DAYS_OFF, christmas).map(|cut| cut.until),
            Some(at("2026-12-30T00:00:00Z"))
        );
    }

    #[test]
    fn a_clock_that_has_run_out_follows_the_absences_that_it_has_missed() {
        let setting = ClockSetting::days(3).expect("a setting");
        let mut clock = MatchClock::new(setting, ByPlayer { a: true, b: true });
        clock.act(Player::A, 0, 0);
        clock.act(Player::B, 0, 0);
        clock.start(Some(Player::A), false);
        let absence = |began_at, until| Absence { began_at: began_at * DAY, until: until * DAY };
        let waits = |clock: &MatchClock, absences: &[Absence]| {
            let wait = wait(clock, Player::A, absences, 5 * DAY);
            wait.map(|(at, given)| (at / DAY, given / DAY))
        };
        // The clock of player A ran out three days after its start. Each case has days off, and the expected start and duration of the
        // pause.
        for (absences, expected) in [
            (&[][..], None),
            (&[absence(2, 9)], Some((2, 7))),
            (&[absence(-1, 4)], Some((0, 4))),
            (&[absence(3, 9)], None),
            (&[absence(-2, 0), absence(1, 2)], Some((1, 1))),
        ] {
            assert_eq!(waits(&clock, absences), expected, "{absences:?}");
        }
        // A period of days off that has already paused a player's clock does not pause the clock again.
        let first = [absence(1, 2)];
        assert!(clock.away(Player::A, DAY, 2 * DAY));
        assert_eq!(waits(&clock, &first), None);
        assert_eq!(waits(&clock, &[first[0], absence(3, 4)]), Some((3, 1)));
    }

    #[test]
    fn an_absence_ends_at_its_end_or_earlier() {
        let absences = [away("2026-05-01T00:00:00Z", "2026-05-03T00:00:00Z")];
        for (time, is_away) in [
            ("2026-04-30T23:59:59Z", false),
            ("2026-05-01T00:00:00Z", true),
            ("2026-05-02T23:59:59Z", true),
            ("2026-05-03T00:00:00Z", false),
        ] {
            assert_eq!(current(&absences, at(time)).is_some(), is_away, "{time}");
        }
    }
}
