//! Serves the routes of e-mail addresses and of recovery by e-mail.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::extract::{Body, PathParameter};
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::Identity;
use crate::limits::{Dear, Limiter};
use crate::services::{KnownMail, MailService, TurnMailService};
use crate::store::{Holder, MailAddress, MailKind, MailMessage, PushLanguage, TurnMail};
use crate::wire::{
    ConfirmMail, ExportedMail, ExportedMailMessage, ExportedTurnMail, Mail, MyAddress,
    PendingAddress, Recover, Recovered, RemoveMail, RequestRecovery, SetMail, SetTurnMails,
    StopTurnMails,
};

fn address_shown(own: MailAddress) -> MyAddress {
    MyAddress {
        address: own.address,
        recovery: own.recovery,
        language: own.language.tag().to_owned(),
        confirmed_at: rfc3339(own.confirmed_at),
        turns: own.turns,
        refusals: own.refusals,
    }
}

fn turn_exported(own: TurnMail) -> ExportedTurnMail {
    ExportedTurnMail {
        id: own.id,
        turn: own.turn,
        tries: own.tries,
        failed: own.failed,
        at: rfc3339(own.at),
        until: rfc3339(own.until),
    }
}

fn message_exported(own: MailMessage) -> ExportedMailMessage {
    ExportedMailMessage {
        kind: own.kind.text().to_owned(),
        address: own.address,
        language: own.language.tag().to_owned(),
        recovery: own.recovery,
        made_at: rfc3339(own.made_at),
        tries: own.tries,
        sent: own.sent,
        until: rfc3339(own.until),
    }
}

/// Converts a person's e-mail address and stored e-mails to the JSON type of the data export.
pub(super) fn exported(known: KnownMail, turns: Vec<TurnMail>) -> ExportedMail {
    ExportedMail {
        address: known.address.map(address_shown),
        messages: known.messages.into_iter().map(message_exported).collect(),
        turns: turns.into_iter().map(turn_exported).collect(),
    }
}

async fn shown(mail: &MailService, person: Option<Holder>) -> Result<Mail, ApiError> {
    let KnownMail { address, messages } = mail.of(person).await?;
    let pending = messages.into_iter().find(|message| message.kind == MailKind::Confirm);
    let pending = pending.map(|message| PendingAddress {
        address: message.address,
        sent: message.sent,
        until: rfc3339(message.until),
    });
    Ok(Mail { available: mail.is_on(), address: address.map(address_shown), pending })
}

/// Returns the e-mail address of your account
#[utoipa::path(get, path = "/me/mail", operation_id = "mail", tag = "personal data",
    responses(
        (status = 200, description = "Whether the server sends e-mail, and the address", body = Mail),
        ApiError,
    ))]
pub(super) async fn read(
    State(mail): State<MailService>,
    Identity(person): Identity,
) -> Result<Json<Mail>, ApiError> {
    Ok(Json(shown(&mail, person).await?))
}

/// Sets the e-mail address of your account, or changes the settings of the address
///
/// The server sends a message with a link to a new address. The address is used once the link has confirmed it; until then a former address
/// stays. A request with the confirmed address changes only its use and its language. The server sends messages only for the purposes that
/// you have switched on.
#[utoipa::path(put, path = "/me/mail", operation_id = "set_mail", tag = "personal data", request_body = SetMail,
    responses(
        (status = 200, description = "The address, or the address whose confirmation is outstanding", body = Mail),
        ApiError,
    ))]
pub(super) async fn set(
    State(mail): State<MailService>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    Body(body): Body<SetMail>,
) -> Result<Json<Mail>, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let known = person.ok_or(ApiError::AccountNeeded)?;
    let to = MailAddress {
        person: known,
        address: body.address,
        language: PushLanguage::of_tag(&body.language),
        recovery: body.recovery,
        confirmed_at: 0,
        turns: false,
        refusals: 0,
        retry_at: 0,
    };
    mail.set(client, to, body.password.as_deref()).await?;
    Ok(Json(shown(&mail, person).await?))
}

/// Removes the e-mail address of your account
///
/// Links in earlier messages become invalid. The address gets a notice.
#[utoipa::path(post, path = "/me/mail/removal", operation_id = "remove_mail", tag = "personal data", request_body = RemoveMail,
    responses(
        (status = 204, description = "The account has no address"),
        ApiError,
    ))]
pub(super) async fn remove(
    State(mail): State<MailService>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    Body(body): Body<RemoveMail>,
) -> Result<StatusCode, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let person = person.ok_or(ApiError::AccountNeeded)?;
    mail.remove(client, person, body.password.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Switches e-mails about your turns in correspondence matches on or off
///
/// The server then writes to your confirmed address when you are to act in a correspondence match, if ten minutes later you have neither
/// acted nor looked at the match.
#[utoipa::path(put, path = "/me/mail/turns", operation_id = "set_turn_mails", tag = "personal data", request_body = SetTurnMails,
    responses(
        (status = 200, description = "The address with its use", body = Mail),
        ApiError,
    ))]
pub(super) async fn set_turns(
    State(mail): State<MailService>,
    State(turn_mails): State<TurnMailService>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    Body(body): Body<SetTurnMails>,
) -> Result<Json<Mail>, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let known = person.ok_or(ApiError::AccountNeeded)?;
    turn_mails.set(known, body.turns, PushLanguage::of_tag(&body.language)).await?;
    Ok(Json(shown(&mail, person).await?))
}

/// Unsubscribes you from e-mails about your turns, by the link in such an e-mail
///
/// The link is valid for 60 days and has no other use. A repeated request has the same effect.
#[utoipa::path(post, path = "/me/mail/unsubscription", operation_id = "stop_turn_mails", tag = "personal data", request_body = StopTurnMails,
    responses(
        (status = 204, description = "The account gets no e-mails about turns"),
        ApiError,
    ))]
pub(super) async fn stop_turns(
    State(turn_mails): State<TurnMailService>,
    Body(body): Body<StopTurnMails>,
) -> Result<StatusCode, ApiError> {
    turn_mails.stop(&body.token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unsubscribes a player from e-mails about turns, at the one-click request of a mail program. The mail program sends a POST request to the
/// URL of the page on which the player could unsubscribe (RFC 8058).
pub(super) async fn stop_by_program(
    State(turn_mails): State<TurnMailService>,
    PathParameter(token): PathParameter,
) -> Result<StatusCode, ApiError> {
    turn_mails.stop(&token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Confirms an e-mail address by the confirmation link in an e-mail
#[utoipa::path(post, path = "/me/mail/confirmation", operation_id = "confirm_mail", tag = "personal data", request_body = ConfirmMail,
    responses(
        (status = 204, description = "The address is confirmed"),
        ApiError,
    ))]
pub(super) async fn confirm(
    State(mail): State<MailService>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Body(body): Body<ConfirmMail>,
) -> Result<StatusCode, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    mail.confirm(&body.token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Requests an e-mail with a recovery link, by which you can set a new password
///
/// Each account with the handle or the address gets a message if it uses its address for recovery. The answer does not tell whether
/// there is such an account.
#[utoipa::path(post, path = "/me/recovery", operation_id = "request_recovery", tag = "personal data", request_body = RequestRecovery,
    responses(
        (status = 202, description = "The request is accepted, whether or not there is such an account"),
        ApiError,
    ))]
pub(super) async fn request_recovery(
    State(mail): State<MailService>,
    client: Client,
    Body(body): Body<RequestRecovery>,
) -> Result<StatusCode, ApiError> {
    mail.request_recovery(client, body.account).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Sets a new password by the recovery link in an e-mail
///
/// All browsers of the account are signed out, and its unused codes and the tokens of a bot become invalid. Sign in afterwards with
/// the handle and the new password.
#[utoipa::path(put, path = "/me/recovery", operation_id = "recover", tag = "personal data", request_body = Recover,
    responses(
        (status = 200, description = "The new password holds", body = Recovered),
        ApiError,
    ))]
pub(super) async fn recover(
    State(mail): State<MailService>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Body(body): Body<Recover>,
) -> Result<Json<Recovered>, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let handle = mail.recover(client, &body.token, &body.password).await?;
    Ok(Json(Recovered { handle }))
}
