//! Serves the list of the opponent programs that the operator offers.

use axum::Json;
use axum::extract::State;

use super::state::RouterState;
use crate::error::ApiError;
use crate::wire::ProgramList;

/// Lists the opponent programs that the operator offers
///
/// The operator names the programs when they start the server. A match against a program that no server offers waits until a
/// server offers the program again.
#[utoipa::path(get, path = "/programs", operation_id = "list_programs", tag = "matches",
    responses((status = 200, description = "The programs of this server", body = ProgramList), ApiError))]
pub(super) async fn list(State(server): State<RouterState>) -> Json<ProgramList> {
    let names = server.settings.programs.iter().map(|program| program.name.to_string());
    Json(ProgramList { programs: names.collect() })
}
