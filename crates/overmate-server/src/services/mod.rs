//! Groups the operations on matches into services. Each service holds only the parts of the server that it needs.
//!
//! Each operation is validated by a replay of the log and committed by the store. Only then is the
//! operation acknowledged and published.

mod absence_watch;
mod absences;
mod accounts;
mod analysis;
mod background;
mod bots;
mod clocks;
mod days_off;
mod entries;
mod expiry;
mod fair_play;
mod hints;
mod invitations;
mod lessons;
mod lobby;
mod matches;
mod new_match;
mod operator_acts;
mod parse;
mod passkeys;
mod people;
mod personal;
mod pictures;
mod progress;
mod puzzles;
mod rated_end;
mod ratings;
mod repository;
mod roles;
mod running_deals;
mod seat_texts;
mod shared_deals;
mod turns;

pub(crate) use absence_watch::AbsenceWatch;
pub(crate) use accounts::{AccountService, Asking, may_change_at};
pub(crate) use analysis::{AnalysisService, read_subject};
pub(crate) use background::BackgroundService;
pub(crate) use bots::BotService;
pub(crate) use clocks::ClockService;
pub(crate) use days_off::DaysOffService;
pub(crate) use expiry::ExpiryService;
pub(crate) use fair_play::FairPlayService;
pub use fair_play::{FairPlay, TimedPlay};
pub(crate) use hints::HintService;
pub(crate) use invitations::InvitationService;
pub(crate) use lessons::lesson;
pub(crate) use lobby::{LASTING_TIME, LobbyService, Made, Offers};
pub(crate) use matches::MatchService;
pub(crate) use new_match::plan;
pub(crate) use operator_acts::OperatorActs;
pub(crate) use parse::rule_set;
pub(crate) use passkeys::{CHALLENGE_TIME, PasskeyService, id_text};
pub(crate) use people::PeopleService;
pub(crate) use personal::PersonalDataService;
pub(crate) use pictures::{PictureService, deal_of, previewed_deal};
pub(crate) use progress::ProgressService;
pub(crate) use puzzles::{PuzzleService, WantedPuzzle};
pub(crate) use ratings::RatingService;
pub(crate) use repository::MatchRepository;
pub(crate) use roles::role_in;
pub(crate) use seat_texts::SeatTextService;
pub(crate) use shared_deals::{DealsOfDay, SharedDealService};
pub(crate) use turns::{DueTurn, TurnService};
