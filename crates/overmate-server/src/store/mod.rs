//! Stores matches, their logs and the data of people durably in a database.

mod absence_store;
mod absence_types;
mod absences;
pub(crate) mod accounts;
mod appending;
mod bot_accounts;
mod bot_store;
pub(crate) mod bot_tokens;
mod bot_types;
mod clock_store;
mod clocks;
#[cfg(test)]
mod conformance;
pub(crate) mod connection_pool;
pub(crate) mod copy;
mod counts;
#[cfg(test)]
mod earlier_schemas;
mod entry;
mod event_store;
mod event_types;
pub(crate) mod events;
mod fault;
mod feeds;
pub(crate) mod finished;
mod fold;
#[cfg(test)]
mod folding;
mod holder;
pub(crate) mod inspect;
pub(crate) mod leases;
mod link;
mod lobby_store;
mod logs;
mod mail;
mod mail_store;
mod mail_types;
mod match_info;
mod migrations;
mod new_matches;
mod offer_types;
mod offers;
pub(crate) mod operator_offers;
pub(crate) mod operator_reports;
pub(crate) mod operators;
mod outcome;
mod passkey_types;
mod passkeys;
mod people;
pub(crate) mod person_sql;
mod person_store;
mod person_types;
pub(crate) mod postgres;
mod push;
mod push_store;
mod push_types;
mod puzzles;
mod queries;
mod rated_pairs;
mod rating_store;
mod rating_types;
mod ratings;
mod relation_store;
mod relation_types;
mod relations;
mod report_store;
mod report_types;
mod reports;
mod rows;
mod seat_store;
mod seat_types;
mod seats;
mod secrets;
pub(crate) mod sql;
mod sql_store;
pub(crate) mod sqlite;
#[cfg(test)]
mod statement_coverage;
mod tables;
mod talk;
mod talk_store;
mod talk_types;
pub(crate) mod traces;
mod turn_mail_types;
mod turn_mails;
mod types;
mod visibility;
mod visibility_store;
mod visibility_types;
mod writer;

#[cfg(test)]
pub(crate) use absence_types::Absences;
pub(crate) use absence_types::{AbsenceChange, AbsenceKind};
#[cfg(test)]
pub(crate) use bot_types::BotTokens;
pub(crate) use bot_types::{BotChange, BotToken, MOST_TOKENS};
#[cfg(test)]
pub(crate) use conformance::relations::make_account;
pub(crate) use entry::{Entry, EntryKind};
pub(crate) use event_types::{
    BoardScore, Event, EventBoard, EventChange, EventDeal, EventKind, EventPlayer, EventRecord,
    EventState, EventStep, ListedEvent, MOST_OF_HOST,
};
#[cfg(test)]
pub(crate) use event_types::{MOST_EVENTS_OF_NETWORK, MOST_OPEN, MOST_PLAYERS, PlayEvents};
pub(crate) use holder::Holder;
#[cfg(test)]
pub(crate) use logs::{joined, rejoined};
pub(crate) use mail_types::{
    MOST_TRIES, MailAddress, MailChange, MailKind, MailMessage, folded, pause_after,
};
#[cfg(test)]
pub(crate) use mail_types::{MOST_WITH_ADDRESS, Mails};
pub(crate) use match_info::marked;
#[cfg(test)]
pub(crate) use offer_types::{ACCEPTED_TIME, CHALLENGES, DECLINED_TIME};
pub(crate) use offer_types::{Addressee, Maker, Offer, OfferLimits};
#[cfg(test)]
pub(crate) use outcome::StoreFuture;
pub(crate) use outcome::{Appended, Quota, StoreError};
#[cfg(test)]
pub(crate) use passkey_types::MOST_CHALLENGES;
pub(crate) use passkey_types::{MOST_PASSKEYS, PasskeyChallenge, PasskeyChange, StoredPasskey};
pub(crate) use people::CODE_TIME;
#[cfg(test)]
pub(crate) use person_types::People;
pub(crate) use person_types::{
    Account, AccountChange, CodeKind, CodeOffer, KnownBrowser, PersonChange, Proof, RecoveryCodes,
    SignInProof, Standing,
};
#[cfg(test)]
pub(crate) use push_types::{MOST_SUBSCRIPTIONS, PushSubscriptions, match_of};
pub(crate) use push_types::{PushChange, PushKind, PushLanguage, PushSubscription};
#[cfg(test)]
pub(crate) use rated_pairs::pairs as rated_pairs_of;
pub(crate) use rating_types::{KnownRating, Leader, Rated, RatedEnd, RatedMatch, Results, Rival};
#[cfg(test)]
pub(crate) use rating_types::{RatingChange, Ratings};
#[cfg(test)]
pub(crate) use relation_types::Relations;
pub(crate) use relation_types::{
    Between, Ignored, KnownRelation, MOST_RELATIONS, RelationChange, RelationKind,
};
#[cfg(test)]
pub(crate) use report_types::{MOST_OF_NETWORK, MOST_REPORTS, REPORT_PERIOD, Reports};
pub(crate) use report_types::{
    Measures, NewReport, REPORT_TIME, Report, ReportChange, ReportReason,
};
pub(crate) use rows::player_text;
#[cfg(test)]
pub(crate) use seat_types::SeatTexts;
pub(crate) use seat_types::{AnswersRead, SeatText, SeatTextChange, SeatTextKind};
pub(crate) use sql_store::SqlStore;
#[cfg(test)]
pub(crate) use talk_types::{MOST_IN_PERIOD, MOST_TEXTS, Talk};
pub(crate) use talk_types::{NewTalk, TALK_PERIOD, TALK_TIME, TalkText};
pub(crate) use traces::Traces;
#[cfg(test)]
pub(crate) use turn_mail_types::{MOST_REFUSALS, REFUSAL_PAUSE, STOP_TIME};
pub(crate) use turn_mail_types::{TurnMail, TurnMailAnswer, TurnMailChange};
pub(crate) use types::{
    Addition, Attempt, Counted, CountedAttempt, Deadline, Listed, MatchInfo, NewMatchRequest,
    Occupant, OfferChange, PuzzleCounts, SeatInfo, SeatTaken, Selection, SharedDealMatch, Store,
    TriedPuzzles, Unfinished,
};
#[cfg(test)]
pub(crate) use types::{ClockStatus, Clocks, Lobby};
pub(crate) use visibility_types::{
    KnownPresence, Present, PublicCursor, PublicMatch, PublicWanted, Visibility, VisibilityChange,
    Watching,
};
#[cfg(test)]
pub(crate) use visibility_types::{PublicPage, UNUSED_TIME, Visibilities};
