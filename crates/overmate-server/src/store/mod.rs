//! Stores matches, their logs and the data of people durably in a database.

#[cfg(test)]
mod conformance;
pub(crate) mod connection;
pub(crate) mod copy;
#[cfg(test)]
mod earlier_schemas;
pub(crate) mod finished;
#[cfg(test)]
mod folding;
pub(crate) mod interface;
pub(crate) mod queries;
mod sql_store;
mod tables;

#[cfg(test)]
pub(crate) use conformance::pair::hand_in_sample;
#[cfg(test)]
pub(crate) use conformance::relations::make_account;
#[cfg(test)]
pub(crate) use interface::absence::Absences;
pub(crate) use interface::absence::{AbsenceChange, AbsenceKind};
#[cfg(test)]
pub(crate) use interface::bot::BotTokens;
pub(crate) use interface::bot::{BotChange, BotToken, MOST_TOKENS};
pub(crate) use interface::entry::{Entry, EntryKind};
pub(crate) use interface::event::{
    BoardScore, Event, EventBoard, EventChange, EventDeal, EventKind, EventPlayer, EventRecord,
    EventState, EventStep, ListedEvent, MOST_OF_HOST, MOST_PLAYERS,
};
#[cfg(test)]
pub(crate) use interface::event::{MOST_EVENTS_OF_NETWORK, MOST_OPEN, PlayEvents};
pub(crate) use interface::holder::Holder;
pub(crate) use interface::mail::{
    MOST_TRIES, MailAddress, MailChange, MailKind, MailMessage, folded, pause_after,
};
#[cfg(test)]
pub(crate) use interface::mail::{MOST_WITH_ADDRESS, Mails};
pub(crate) use interface::match_info::{MatchInfo, Occupant, SeatInfo, marked};
#[cfg(test)]
pub(crate) use interface::offer::{ACCEPTED_TIME, CHALLENGES, DECLINED_TIME};
pub(crate) use interface::offer::{Addressee, Maker, Offer, OfferLimits};
#[cfg(test)]
pub(crate) use interface::outcome::StoreFuture;
pub(crate) use interface::outcome::{Appended, Quota, StoreError};
#[cfg(test)]
pub(crate) use interface::passkey::MOST_CHALLENGES;
pub(crate) use interface::passkey::{
    MOST_PASSKEYS, PasskeyChallenge, PasskeyChange, StoredPasskey,
};
#[cfg(test)]
pub(crate) use interface::person::People;
pub(crate) use interface::person::{
    Account, AccountChange, CodeKind, CodeOffer, KnownBrowser, PersonChange, Proof, RecoveryCodes,
    SignInProof, Standing,
};
#[cfg(test)]
pub(crate) use interface::push::{MOST_SUBSCRIPTIONS, PushSubscriptions, match_of};
pub(crate) use interface::push::{PushChange, PushKind, PushLanguage, PushSubscription};
pub(crate) use interface::rating::{
    KnownRating, Leader, Rated, RatedEnd, RatedMatch, Results, Rival,
};
#[cfg(test)]
pub(crate) use interface::rating::{RatingChange, Ratings};
#[cfg(test)]
pub(crate) use interface::relation::Relations;
pub(crate) use interface::relation::{
    Between, Ignored, KnownRelation, MOST_RELATIONS, RelationChange, RelationKind,
};
#[cfg(test)]
pub(crate) use interface::report::{MOST_OF_NETWORK, MOST_REPORTS, REPORT_PERIOD, Reports};
pub(crate) use interface::report::{
    Measures, NewReport, REPORT_TIME, Report, ReportChange, ReportReason,
};
#[cfg(test)]
pub(crate) use interface::seat::SeatTexts;
pub(crate) use interface::seat::{AnswersRead, SeatText, SeatTextChange, SeatTextKind};
pub(crate) use interface::store::{
    Addition, Attempt, Counted, CountedAttempt, Deadline, Listed, Logs, NewMatchRequest,
    OfferChange, PuzzleCounts, SeatTaken, Selection, SharedDealMatch, Store, TriedPuzzles,
    Unfinished,
};
#[cfg(test)]
pub(crate) use interface::store::{ClockStatus, Clocks, Lobby};
#[cfg(test)]
pub(crate) use interface::talk::{MOST_IN_PERIOD, MOST_TEXTS, Talk};
pub(crate) use interface::talk::{NewTalk, TALK_PERIOD, TALK_TIME, TalkText};
pub(crate) use interface::traces::Traces;
#[cfg(test)]
pub(crate) use interface::turn_mail::{MOST_REFUSALS, REFUSAL_PAUSE, STOP_TIME};
pub(crate) use interface::turn_mail::{TurnMail, TurnMailAnswer, TurnMailChange};
pub(crate) use interface::visibility::{
    KnownPresence, Present, PublicCursor, PublicMatch, PublicWanted, Visibility, VisibilityChange,
    Watching,
};
#[cfg(test)]
pub(crate) use interface::visibility::{PublicPage, UNUSED_TIME, Visibilities};
#[cfg(test)]
pub(crate) use queries::logs::{joined, rejoined};
pub(crate) use queries::people::CODE_TIME;
#[cfg(test)]
pub(crate) use queries::rated_pairs::pairs as rated_pairs_of;
pub(crate) use queries::rows::player_text;
pub(crate) use sql_store::SqlStore;
