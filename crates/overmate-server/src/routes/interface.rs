//! Combines the routes of the OpenAPI document.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    accounts, analysis, days_off, identity, invitations, lessons, live, lobby, lobby_live, matches,
    passkeys, people, personal, progress, push, puzzles, ratings, relations, rules, seat_texts,
    shared_deals, talk, turns, watching,
};
use crate::openapi;
use crate::server::Server;

/// Returns the router for the URL paths below `/api/v1`.
pub(super) fn interface() -> OpenApiRouter<Server> {
    OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(rules::list))
        .routes(routes!(rules::facts))
        .routes(routes!(identity::identify))
        .routes(routes!(personal::privacy))
        .routes(routes!(personal::export))
        .routes(routes!(progress::puzzles_as_table))
        .routes(routes!(personal::erase))
        .routes(routes!(people::list, people::add))
        .routes(routes!(people::sign_out))
        .routes(routes!(people::make_code))
        .routes(routes!(accounts::read, accounts::make))
        .routes(routes!(accounts::sign_in))
        .routes(routes!(accounts::set_password))
        .routes(routes!(accounts::set_handle))
        .routes(routes!(passkeys::list, passkeys::add))
        .routes(routes!(passkeys::begin))
        .routes(routes!(passkeys::remove))
        .routes(routes!(passkeys::begin_sign_in))
        .routes(routes!(passkeys::sign_in))
        .routes(routes!(days_off::read, days_off::set))
        .routes(routes!(turns::read, turns::make, turns::revoke))
        .routes(routes!(push::read, push::subscribe, push::unsubscribe))
        .routes(routes!(ratings::set_profile))
        .routes(routes!(ratings::board))
        .routes(routes!(ratings::profile))
        .routes(routes!(relations::list))
        .routes(routes!(relations::add, relations::remove))
        .routes(routes!(progress::read))
        .routes(routes!(progress::games_as_json))
        .routes(routes!(progress::games_as_table))
        .routes(routes!(matches::list, matches::create))
        .routes(routes!(matches::read, personal::delete))
        .routes(routes!(matches::act))
        .routes(routes!(ratings::of_match))
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
        .routes(routes!(shared_deals::list))
        .routes(routes!(shared_deals::read, shared_deals::play))
}
