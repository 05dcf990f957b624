//! Defines the JSON types of the HTTP interface. Hand-written code converts the types of the game to these JSON types.
//!
//! A type that mirrors a type of the rules, the solver or the puzzles has the suffix `Wire`. Its schema has the name without the
//! suffix.

mod accounts;
mod answers;
mod bots;
pub(crate) mod checks;
mod days_off;
mod events;
mod lessons;
mod live;
mod lobby;
mod mail;
mod matches;
mod passkeys;
mod people;
mod personal;
mod problem;
mod progress;
mod push;
mod puzzles;
mod ratings;
mod relations;
mod reports;
mod shared_deals;
mod talk;
mod turns;
mod watching;

pub use overmate_json::{
    AnalysedAction, AnalysisRequest, AnalysisWire, AnswersWire, CatalogueTexts, ClockWire, Clocks,
    Conflict, DeckFacts, Factors, ForeplacedCard, ForeplacedKind, ForeplacingFacts, GameState,
    Hands, Hint, HintedAction, LeadState, LegalAction, LegalKind, LocalisedTexts, Lost, Mark,
    MarkKind, MatchResultWire, MatchSummary, MatchView, MistakeKind, MistakeWire, Multipliers,
    NotLegal, OutcomeKind, OutcomeState, OvermateRule, PhaseWire, PlayerKind, PlayerState,
    PlayerWire, Players, Points, PrivilegeFacts, ProvedValue, RankFacts, ReasonCode, Rematch,
    ReviewWire, ReviewedActionWire, RuleFacts, RuleSets, RuleSummary, SeatWire, Sides, Step,
    StepKind, SuitFacts, VariationSummary, You,
};

pub use accounts::{MyAccount, NewAccount, NewHandle, NewPassword, OwnAccount, SignIn};
pub use answers::{AnswerBranch, AnswerChoices, AnswerLine, ConditionalAnswers, Note};
pub use bots::{MadeBotToken, MyBotToken, MyBotTokens, NewBotToken};
pub use days_off::{DaysOff, ExportedAbsence, SetDaysOff};
pub use events::{
    EventBoardWire, EventDealWire, EventKindWire, EventList, EventStandingWire, EventStateWire,
    EventSummary, EventView, EventYou, ExportedEvent, NewEvent, SeenEvent,
};
pub use lessons::{Lesson, LessonChoice, LessonPart, LessonState};
pub use live::{ClientMessage, Phrase, PlayerPresence, PresenceKind, ServerMessage};
pub use lobby::{
    AcceptOffer, Lobby, LobbyMessage, MadeOffer, NewOffer, OfferWire, OwnOffer, WithdrawnOffer,
};
pub use mail::{
    ConfirmMail, ExportedMail, ExportedMailMessage, ExportedTurnMail, Mail, MyAddress,
    PendingAddress, Recover, Recovered, RemoveMail, RequestRecovery, SetMail, SetTurnMails,
    StopTurnMails,
};
pub use matches::{
    Act, ClientId, HintRequest, Invitation, Join, LeadWire, MatchList, Names, NewMatch, Opponent,
    ProgramList, Resign,
};
pub use passkeys::{
    BeginPasskey, MyPasskey, MyPasskeys, PasskeyAnswer, PasskeyOptions, PasskeySignIn,
};
pub use people::{
    AddBrowser, CodeKindWire, MadeCodes, MyBrowser, MyBrowsers, NewCode, RecoveryCodesLeft,
};
pub use personal::{
    Export, ExportedAct, ExportedEntry, ExportedMatch, ExportedOffer, ExportedRating,
    ExportedRequest, Privacy,
};
pub use problem::{Code, Problem};
pub use progress::{
    LevelEstimate, MistakeCount, ProgressGame, ProgressResult, ProgressWire, Streak,
};
pub use push::{ExportedPush, Push, SetPush};
pub use puzzles::{
    AttemptResult, CountedAttempt, PlayedAction, PuzzleAttempt, PuzzleChoice, PuzzleOverview,
    PuzzleSetSummary, PuzzleState, PuzzleTheme, PuzzleWire,
};
pub use ratings::{
    BoardName, CasualMatchState, ExportedMatchRating, ExportedRatingChange, LeaderState,
    Leaderboard, MatchRatingState, MatchRatings, MatchScoreWire, PaceWire, PlayerRating, Profile,
    ProfileSetting, RatedMatchState, RatedResults, RatingState,
};
pub use relations::{
    Favourite, Favourites, IgnoreKind, IgnoredPerson, IgnoredPersons, OpponentRelation,
};
pub use reports::{
    ConfirmWarning, ExportedReport, MyMeasures, NewReport, OperatorWarning, ReportReasonWire,
};
pub use shared_deals::{
    PlaySharedDeal, SharedDealDecision, SharedDealResult, SharedDealScore, SharedDealState,
    SharedDealSummary, SharedDeals,
};
pub use talk::{ExportedTalkLine, NewTalkLine, TalkLine, TalkState};
pub use turns::TurnFeed;
pub use watching::{
    FavouriteHere, MyVisibility, PeopleHere, PresenceShown, PublicMatch, PublicMatches,
    PublicPlayers, PublicProgress, SetVisibility, WatchPermission,
};
