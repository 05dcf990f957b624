//! Computes players' ratings from rated matches: one rating for each account, rule set and pace (live or correspondence).

use overmate_rules::{ByPlayer, Player};

use super::glicko2::{Rating, SCALE};
use crate::clocks::clock_setting::ClockSetting;

/// Rating of a player without a rated match.
const NEW: Rating =
    Rating { rating: 1_500.0, deviation: MOST_DEVIATION, volatility: Rating::NEW_VOLATILITY };

/// Maximum deviation of a rating, and deviation of a player without a rated match, as Glickman
/// proposes.
const MOST_DEVIATION: f64 = 350.0;

/// Minimum deviation of a rating, so that the rating of an active player still follows their
/// strength.
const LEAST_DEVIATION: f64 = 45.0;

/// Allowed range of a rating's volatility. Without bounds, a few surprising results would let a rating jump for a long time.
const VOLATILITY: (f64, f64) = (0.03, 0.1);

/// Minimum and maximum rating of a player. Without bounds, accounts that lose only to each other could raise the rating of one
/// account without limit.
const BOUNDS: (f64, f64) = (100.0, 4_000.0);

/// Deviation, in rating points, above which a rating is provisional.
pub(crate) const PROVISIONAL: f64 = 110.0;

/// Length of a rating period in seconds. In a year without a match, the deviation of a player with the usual volatility grows
/// from 60 to 110, as on lichess. Therefore a year has (110² − 60²) / (173.7178 · 0.06)² = 78.24 periods.
const PERIOD: f64 = 365.0 * 86_400.0 / 78.24;

/// Pace of a match: live or correspondence. Each pace has a rating of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Pace {
    /// Live play, with a base time for the whole match.
    Live,
    /// Correspondence play, with days for each action.
    Correspondence,
}

impl Pace {
    /// Returns the pace (live or correspondence) of matches with a given time control.
    pub(crate) fn of(setting: ClockSetting) -> Self {
        match setting {
            ClockSetting::Live { .. } => Self::Live,
            ClockSetting::Days(_) => Self::Correspondence,
        }
    }

    /// Returns the pace (live or correspondence) as text for the database.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Correspondence => "correspondence",
        }
    }

    /// Parses the database text of a pace (live or correspondence), as written by [`text`](Self::text). Returns `None` for any other text.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        [Self::Live, Self::Correspondence].into_iter().find(|pace| pace.text() == text)
    }
}

/// Rating of a player after their last rated match, with the time of this match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MatchRating {
    pub(crate) rating: Rating,
    /// Unix time of the last rated match, in seconds.
    pub(crate) at: i64,
}

impl MatchRating {
    /// Returns the initial rating of a player without a rated match, as of the Unix time `at` in seconds.
    pub(crate) fn new(at: i64) -> Self {
        Self { rating: NEW, at }
    }

    /// Returns the number of Glicko-2 rating periods between the player's last rated match and a given time. The count stops at the period
    /// in which the deviation reaches its limit.
    fn periods(self, at: i64) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "a time in seconds is exact in a float")]
        let periods = at.saturating_sub(self.at).max(0) as f64 / PERIOD;
        periods.min(self.rating.periods_until(MOST_DEVIATION))
    }

    /// Returns the growth, per second, of the squared deviation of a rating whose volatility is 1. The growth is proportional to the
    /// squared volatility. The queries of leaderboards use this number.
    pub(crate) fn growth() -> f64 {
        SCALE.powi(2) / PERIOD
    }

    /// Returns the player's rating at a given time, with the deviation that has grown since the last rated match.
    pub(crate) fn at(self, at: i64) -> Rating {
        self.rating.after_pause(self.periods(at))
    }

    /// Returns a player's rating after a match that ended at a Unix time in seconds.
    fn after_match(self, opponent: Self, score: f64, at: i64) -> Rating {
        let Rating { rating, deviation, volatility } =
            self.rating.after_game(opponent.at(at), score, self.periods(at));
        Rating {
            rating: rating.clamp(BOUNDS.0, BOUNDS.1),
            deviation: deviation.clamp(LEAST_DEVIATION, MOST_DEVIATION),
            volatility: volatility.clamp(VOLATILITY.0, VOLATILITY.1),
        }
    }
}

/// Result of a match from one player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MatchScore {
    Win,
    Draw,
    Loss,
}

impl MatchScore {
    /// Returns the match result from a player's point of view.
    pub(crate) fn of(winner: Option<Player>, player: Player) -> Self {
        match winner {
            None => Self::Draw,
            Some(winner) if winner == player => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    /// Returns the match result as text for the database.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }

    /// Parses the database text of a match result, as written by [`text`](Self::text). Returns `None` for any other text.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        [Self::Win, Self::Draw, Self::Loss].into_iter().find(|score| score.text() == text)
    }

    /// Returns the score of the match result in Glicko-2: 1, 0.5 or 0.
    fn number(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }
}

/// Returns the ratings of both players after a match that ended at a Unix time in seconds. The point difference of the match
/// does not matter.
pub(crate) fn after_match(
    players: ByPlayer<MatchRating>,
    winner: Option<Player>,
    at: i64,
) -> ByPlayer<Rating> {
    ByPlayer::new_with(|player| {
        let score = MatchScore::of(winner, player);
        players[player].after_match(players[!player], score.number(), at)
    })
}

/// Returns whether a rating with a given deviation is provisional. The deviation is large if the player's rated matches are few or old.
pub(crate) fn is_provisional(deviation: f64) -> bool {
    deviation > PROVISIONAL
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use overmate_bots::BuiltIn;
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

    use super::*;
    use crate::rating::anchors::anchor;

    /// Simulated player of known strength.
    struct Simulated {
        strength: f64,
        known: MatchRating,
        provisional_until: Option<u32>,
    }

    /// Accuracy of all simulated ratings after a given number of matches per player.
    #[derive(Clone, Copy, Debug)]
    struct Measured {
        /// Root mean square of the difference between the simulated players' ratings and their true strength.
        error: f64,
        /// Fraction of players whose true strength lies within two rating deviations of their rating.
        covered: f64,
        /// Mean deviation of the simulated players' ratings.
        deviation: f64,
        /// Fraction of the simulated players' ratings that are provisional.
        provisional: f64,
    }

    #[allow(clippy::cast_precision_loss, reason = "the numbers of players are small")]
    fn measure(players: &[Simulated], now: i64) -> Measured {
        // Ratings are relative: a common shift of all ratings is not an error.
        let number = players.len() as f64;
        let mean = |of: &dyn Fn(&Simulated) -> f64| players.iter().map(of).sum::<f64>() / number;
        let shift = mean(&|player| player.known.rating.rating - player.strength);
        let error = |player: &Simulated| player.known.rating.rating - shift - player.strength;
        let share = |is: bool| f64::from(u8::from(is));
        Measured {
            error: mean(&|player| error(player).powi(2)).sqrt(),
            covered: mean(&|player| {
                share(error(player).abs() < 2.0 * player.known.at(now).deviation)
            }),
            deviation: mean(&|player| player.known.at(now).deviation),
            provisional: mean(&|player| share(is_provisional(player.known.at(now).deviation))),
        }
    }

    /// Returns a nearly normally distributed random number, with mean 0 and standard deviation 1.
    fn normal(random: &mut fastrand::Rng) -> f64 {
        (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
    }

    /// Simulates players of known strength who play one match a day, and calls `look` after each
    /// day. Opponents have similar ratings. One fifth of the matches between equal players are
    /// draws.
    fn simulate(number: usize, days: u32, mut look: impl FnMut(u32, &[Simulated], i64)) {
        let mut random = fastrand::Rng::with_seed(2_026);
        let mut players: Vec<Simulated> = (0..number)
            .map(|_| Simulated {
                strength: 1_500.0 + 300.0 * normal(&mut random),
                known: MatchRating::new(0),
                provisional_until: None,
            })
            .collect();
        for day in 1..=days {
            let now = i64::from(day) * 86_400;
            // The players are sorted by their ratings with random noise, so that each player meets different opponents from day to day.
            players.sort_by_cached_key(|player| {
                let noisy = player.known.rating.rating + 100.0 * normal(&mut random);
                #[allow(clippy::cast_possible_truncation, reason = "ratings are small")]
                let key = (noisy * 1_000.0) as i64;
                key
            });
            for pair in players.chunks_exact_mut(2) {
                let [a, b] = pair else { continue };
                let expected = 1.0 / (1.0 + 10_f64.powf((b.strength - a.strength) / 400.0));
                let draw = 0.4 * expected.min(1.0 - expected);
                let drawn = random.f64();
                let winner = if drawn < expected - draw / 2.0 {
                    Some(Player::A)
                } else if drawn < expected + draw / 2.0 {
                    None
                } else {
                    Some(Player::B)
                };
                let after = after_match(ByPlayer { a: a.known, b: b.known }, winner, now);
                for (player, rating) in [(a, after.a), (b, after.b)] {
                    player.known = MatchRating { rating, at: now };
                    if !is_provisional(rating.deviation) {
                        player.provisional_until.get_or_insert(day);
                    }
                }
            }
            look(day, &players, now);
        }
    }

    /// Compares the simulated ratings with the table behind the plot of `docs/ratings.md`, or writes that table. The table holds the error
    /// and the mean deviation of the ratings after each match. Other mathematical libraries may round differently, so that a difference of
    /// a point is allowed.
    fn compare_with_the_plot(days: &[Measured]) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ratings/convergence.tsv");
        if std::env::var_os("OVERMATE_WRITE_CONVERGENCE").is_some() {
            let mut text = "matches\terror\tdeviation\n".to_owned();
            for (before, Measured { error, deviation, .. }) in days.iter().enumerate() {
                writeln!(text, "{}\t{error:.1}\t{deviation:.1}", before + 1).expect("a text");
            }
            std::fs::write(&file, text).expect("a written table");
        }
        let table = std::fs::read_to_string(&file).expect("the table of the plot");
        let mut rows = 0;
        for (row, measured) in table.lines().skip(1).zip(days) {
            let numbers: Vec<f64> =
                row.split('\t').map(|cell| cell.parse().expect("a number")).collect();
            let [_, error, deviation] = *numbers else { panic!("three columns: {row}") };
            assert!((error - measured.error).abs() < 1.0, "{row}: {measured:?}");
            assert!((deviation - measured.deviation).abs() < 1.0, "{row}: {measured:?}");
            rows += 1;
        }
        assert_eq!(rows, days.len(), "set OVERMATE_WRITE_CONVERGENCE=1 to write the table");
    }

    /// Tests that ratings approach the known strength of simulated players, and prints the table of
    /// `docs/ratings.md`.
    #[test]
    fn players_of_known_strength_get_ratings_near_their_strength() {
        const PLAYERS: usize = 10_000;
        const DAYS: [u32; 6] = [1, 5, 10, 20, 50, 100];
        let (mut table, mut days) = (Vec::new(), Vec::new());
        println!("| matches | error | mean deviation | within two deviations | provisional |");
        simulate(PLAYERS, 100, |day, players, now| {
            let measured = measure(players, now);
            days.push(measured);
            if DAYS.contains(&day) {
                let Measured { error, covered, deviation, provisional } = measured;
                let (covered, provisional) = (100.0 * covered, 100.0 * provisional);
                println!(
                    "| {day} | {error:.0} | {deviation:.0} | {covered:.0}% | {provisional:.0}% |"
                );
                table.push(measured);
            }
            if day == 100 {
                let mut until: Vec<u32> =
                    players.iter().filter_map(|player| player.provisional_until).collect();
                until.sort_unstable();
                println!(
                    "{} players; half are provisional until match {}",
                    players.len(),
                    until[until.len() / 2]
                );
                assert_eq!(until.len(), PLAYERS);
            }
        });
        compare_with_the_plot(&days);
        assert_eq!(table.len(), DAYS.len());
        let [first, .., last] = &*table else { panic!("two rows") };
        assert!(first.error > 200.0 && last.error < 80.0, "{table:?}");
        assert!(table.windows(2).all(|rows| rows[1].deviation < rows[0].deviation), "{table:?}");
        // The true strength of at least 90 of 100 players lies within two deviations of their rating. In theory, this holds for 95 of 100
        // players.
        assert!(table.iter().all(|row| row.covered > 0.9), "{table:?}");
        assert!(first.provisional > 0.99 && last.provisional < 0.01, "{table:?}");
    }

    #[test]
    fn the_deviation_grows_in_a_pause_up_to_that_of_a_new_player() {
        let rating = Rating { deviation: 60.0, ..NEW };
        let known = MatchRating { rating, at: 1_000 };
        assert!((known.at(1_000).deviation - 60.0).abs() < 1e-9);
        assert!((known.at(1_000 + 365 * 86_400).deviation - PROVISIONAL).abs() < 0.01);
        assert!((known.at(i64::MAX).deviation - MOST_DEVIATION).abs() < 1e-9);
        // A player's match may seem to end before their previous rated match, because the clocks of two servers may differ.
        assert_eq!(known.at(0), rating);
    }

    #[test]
    fn deviation_and_volatility_stay_in_their_ranges() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut players = ByPlayer { a: MatchRating::new(0), b: MatchRating::new(0) };
        let mut least = f64::MAX;
        for match_number in 0..5_000 {
            let winner = [Some(Player::A), Some(Player::B), None][random.usize(..3)];
            let at = match_number * 60;
            let after = after_match(players, winner, at);
            players = ByPlayer::new_with(|player| MatchRating { rating: after[player], at });
            for player in Player::BOTH {
                let Rating { rating, deviation, volatility } = after[player];
                assert!(rating.is_finite());
                assert!((LEAST_DEVIATION..=MOST_DEVIATION).contains(&deviation));
                assert!((VOLATILITY.0..=VOLATILITY.1).contains(&volatility));
                least = least.min(deviation);
            }
        }
        assert!((least - LEAST_DEVIATION).abs() < 1e-9, "{least}");
    }

    #[test]
    fn ratings_after_matches_against_anchors_are_those_of_another_implementation() {
        let mut random = fastrand::Rng::with_seed(5);
        let oracle = |Rating { rating, deviation, volatility }: Rating| Glicko2Rating {
            rating,
            deviation,
            volatility,
        };
        #[allow(clippy::cast_possible_truncation, reason = "a period is some days")]
        let period = PERIOD.round() as i64;
        let mut compared = 0;
        for (rules, bot) in ["sackson", "denexa", "bga+pinochle"]
            .into_iter()
            .flat_map(|rules| BuiltIn::all().map(move |bot| (rules, bot)))
        {
            let fixed = anchor(rules, bot).expect("an anchor");
            for (winner, outcome) in [
                (Some(Player::A), Outcomes::WIN),
                (None, Outcomes::DRAW),
                (Some(Player::B), Outcomes::LOSS),
            ] {
                let rating = Rating {
                    rating: fixed.rating + 400.0 * (random.f64() - 0.5),
                    deviation: 80.0 + 250.0 * random.f64(),
                    volatility: 0.06,
                };
                let known = ByPlayer {
                    a: MatchRating { rating, at: 0 },
                    b: MatchRating { rating: fixed, at: period },
                };
                let own = after_match(known, winner, period).a;
                let config = Glicko2Config::new();
                let (expected, _) = glicko2(&oracle(rating), &oracle(fixed), &outcome, &config);
                assert!((own.rating - expected.rating).abs() < 0.01, "{own:?} {expected:?}");
                assert!((own.deviation - expected.deviation).abs() < 0.01, "{own:?} {expected:?}");
                compared += 1;
            }
        }
        assert_eq!(compared, 90);
    }

    #[test]
    fn players_who_meet_only_levels_get_ratings_near_their_strength() {
        let mut random = fastrand::Rng::with_seed(77);
        let anchors: Vec<_> =
            BuiltIn::all().map(|bot| anchor("bga", bot).expect("an anchor")).collect();
        let (mut errors, mut covered) = (0.0, 0);
        for player in 0..1_000 {
            let strength = 1_000.0 + f64::from(player) * 1.5;
            let mut known = MatchRating::new(0);
            for day in 1..=100 {
                let now = day * 86_400;
                // The simulated player meets, at random, one of the three computer opponents whose ratings are nearest to the player's
                // rating.
                let distance = |fixed: &Rating| (fixed.rating - known.rating.rating).abs();
                let mut near = anchors.clone();
                near.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
                let fixed = near[random.usize(..3)];
                let expected = 1.0 / (1.0 + 10_f64.powf((fixed.rating - strength) / 400.0));
                let winner = if random.f64() < expected { Player::A } else { Player::B };
                let opponent = MatchRating { rating: fixed, at: now };
                let pair = ByPlayer { a: known, b: opponent };
                known = MatchRating { rating: after_match(pair, Some(winner), now).a, at: now };
            }
            let error = known.rating.rating - strength;
            errors += error.powi(2);
            covered += u32::from(error.abs() < 2.0 * known.rating.deviation);
        }
        // The error of a rating is its plain difference from the player's strength. The test corrects no common shift of all ratings,
        // because the fixed ratings of the computer opponents set the scale.
        assert!((errors / 1_000.0).sqrt() < 60.0, "{}", (errors / 1_000.0).sqrt());
        assert!(covered > 900, "{covered}");
    }
}
