//! Combines the routes that the OpenAPI document describes.

use std::sync::LazyLock;

use axum::Router;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::state::RouterState;
use super::{
    accounts, analysis, bots, days_off, events, identity, ignored, invitations, lessons, live,
    lobby, lobby_live, mail, matches, offline, passkeys, people, personal, programs, progress,
    push, puzzles, ratings, relations, reports, rules, seat_texts, shared_deals, talk, turns,
    watching,
};
use crate::http::openapi;

/// Router for the URL paths below `/api/v1`, and the OpenAPI document of these paths.
///
/// Both are built once in a process, because the schemas of all requests and responses take time to build.
pub(super) static INTERFACE: LazyLock<(Router<RouterState>, OpenApi)> = LazyLock::new(|| {
    OpenApiRouter::with_openapi(openapi::base()).nest("/api/v1", below_v1()).split_for_parts()
});

fn below_v1() -> OpenApiRouter<RouterState> {
    OpenApiRouter::new()
        .routes(routes!(rules::list))
        .routes(routes!(rules::facts))
        .routes(routes!(programs::list))
        .routes(routes!(identity::identify))
        .routes(routes!(personal::privacy))
        .routes(routes!(personal::export))
        .routes(routes!(progress::puzzles_as_table))
        .routes(routes!(progress::puzzles_as_json))
        .routes(routes!(personal::erase))
        .routes(routes!(people::list, people::add))
        .routes(routes!(people::sign_out))
        .routes(routes!(people::make_code))
        .routes(routes!(accounts::read, accounts::make))
        .routes(routes!(accounts::sign_in))
        .routes(routes!(accounts::set_password))
        .routes(routes!(accounts::set_handle))
        .routes(routes!(bots::mark))
        .routes(routes!(bots::list, bots::make))
        .routes(routes!(bots::remove))
        .routes(routes!(passkeys::list, passkeys::add))
        .routes(routes!(passkeys::begin))
        .routes(routes!(passkeys::remove))
        .routes(routes!(passkeys::begin_sign_in))
        .routes(routes!(passkeys::sign_in))
        .routes(routes!(days_off::read, days_off::set))
        .routes(routes!(turns::read, turns::make, turns::revoke))
        .routes(routes!(push::read, push::subscribe, push::unsubscribe))
        .routes(routes!(mail::read, mail::set))
        .routes(routes!(mail::remove))
        .routes(routes!(mail::set_turns))
        .routes(routes!(mail::stop_turns))
        .routes(routes!(mail::confirm))
        .routes(routes!(mail::request_recovery, mail::recover))
        .routes(routes!(ratings::set_profile))
        .routes(routes!(ratings::board))
        .routes(routes!(ratings::profile))
        .routes(routes!(relations::list))
        .routes(routes!(relations::add, relations::remove))
        .routes(routes!(reports::measures))
        .routes(routes!(reports::confirm))
        .routes(routes!(ignored::list))
        .routes(routes!(ignored::heed))
        .routes(routes!(ignored::ignore, ignored::heed_player))
        .routes(routes!(progress::read))
        .routes(routes!(progress::games_as_json))
        .routes(routes!(progress::games_as_table))
        .routes(routes!(matches::list, matches::create))
        .routes(routes!(offline::hand_in))
        .routes(routes!(matches::read, personal::delete))
        .routes(routes!(matches::act))
        .routes(routes!(ratings::of_match))
        .routes(routes!(ignored::ignore_opponent, ignored::heed_opponent))
        .routes(routes!(relations::opponent, relations::add_opponent))
        .routes(routes!(matches::resign))
        .routes(routes!(matches::pause))
        .routes(routes!(matches::undo))
        .routes(routes!(matches::hint))
        .routes(routes!(matches::rematch))
        .routes(routes!(matches::record))
        .routes(routes!(seat_texts::read_answers, seat_texts::set_answers))
        .routes(routes!(seat_texts::answer_choices))
        .routes(routes!(seat_texts::read_note, seat_texts::set_note))
        .routes(routes!(talk::read, talk::send))
        .routes(routes!(reports::report))
        .routes(routes!(analysis::review))
        .routes(routes!(live::connect))
        .routes(routes!(puzzles::overview))
        .routes(routes!(puzzles::next))
        .routes(routes!(puzzles::read))
        .routes(routes!(puzzles::attempt))
        .routes(routes!(lessons::read))
        .routes(routes!(invitations::read, invitations::join))
        .routes(routes!(lobby::list))
        .routes(routes!(lobby_live::connect))
        .routes(routes!(lobby::make))
        .routes(routes!(lobby::withdraw))
        .routes(routes!(lobby::decline))
        .routes(routes!(lobby::accept))
        .routes(routes!(watching::matches))
        .routes(routes!(watching::people))
        .routes(routes!(watching::visibility, watching::set_visibility))
        .routes(routes!(analysis::analyse))
        .routes(routes!(analysis::check_analysis))
        .routes(routes!(events::list, events::make))
        .routes(routes!(events::read, events::remove))
        .routes(routes!(events::join))
        .routes(routes!(events::leave))
        .routes(routes!(events::start))
        .routes(routes!(shared_deals::list))
        .routes(routes!(shared_deals::read, shared_deals::play))
}
