//! Holds the state of the router, from which the request handlers extract the parts of the server.

use std::borrow::Borrow;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;

use crate::computing::solver_pool::SolverPool;
use crate::identity::browser::Identities;
use crate::limits::Limiter;
use crate::server::Server;
use crate::services::{
    AccountService, AnalysisService, BotAccountService, DaysOffService, EventService,
    HandInService, HintService, InvitationService, LobbyService, MailService, MatchService,
    PasskeyService, PeopleHereService, PeopleService, PersonalDataService, PictureService,
    ProgressService, PushService, PuzzleService, RatingService, RelationService, ReportService,
    SeatTextService, SharedDealService, TalkService, TurnMailService, TurnService, WatchService,
};
use crate::settings::Settings;
use crate::store::Store;

/// State of the router. All clones share the server.
///
/// The trait object hides the type of the server. With the type, the compiler proves several times for each request handler that threads
/// can share all parts of the server, and the crate takes much longer to compile.
#[derive(Clone)]
pub(super) struct RouterState(Arc<dyn Borrow<Server> + Send + Sync>);

impl From<Server> for RouterState {
    fn from(server: Server) -> Self {
        Self(Arc::new(server))
    }
}

impl Deref for RouterState {
    type Target = Server;

    fn deref(&self) -> &Server {
        (*self.0).borrow()
    }
}

/// Implements `FromRef` for a field of the server, so that request handlers can extract the field as state.
macro_rules! part {
    ($part:ty, $field:ident) => {
        impl FromRef<RouterState> for $part {
            fn from_ref(server: &RouterState) -> Self {
                Self::clone(&server.$field)
            }
        }
    };
}

part!(Arc<Settings>, settings);
part!(Arc<Limiter>, limiter);
part!(Arc<dyn Store>, store);
part!(Arc<Identities>, identities);
part!(Arc<MatchService>, matches);
part!(Arc<InvitationService>, invitations);
part!(Arc<EventService>, events);
part!(Arc<LobbyService>, lobby);
part!(Arc<AnalysisService>, analysis);
part!(Arc<HandInService>, hand_ins);
part!(Arc<HintService>, hints);
part!(Arc<PersonalDataService>, personal);
part!(Arc<SeatTextService>, seat_texts);
part!(Arc<DaysOffService>, days_off);
part!(Arc<TurnService>, turns);
part!(Arc<PeopleService>, people);
part!(Arc<PeopleHereService>, people_here);
part!(Arc<WatchService>, watching);
part!(Arc<AccountService>, accounts);
part!(Arc<PasskeyService>, passkeys);
part!(Arc<BotAccountService>, bot_accounts);
part!(Arc<PictureService>, pictures);
part!(Arc<ProgressService>, progress);
part!(PushService, push);
part!(MailService, mail);
part!(TurnMailService, turn_mails);
part!(Arc<PuzzleService>, puzzles);
part!(Arc<RatingService>, ratings);
part!(Arc<RelationService>, relations);
part!(Arc<ReportService>, reports);
part!(Arc<SharedDealService>, shared_deals);
part!(Arc<TalkService>, talk);
part!(Arc<SolverPool>, solvers);
