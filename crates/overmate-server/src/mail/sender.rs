//! Sends e-mail messages over the SMTP server.

use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::address::EmailAddress;
use super::settings::{Encryption, MailFrom, MailSettings, SmtpAddress};
use super::text::MailText;
use crate::error::ApiError;
use crate::http::public_url::PublicUrl;
use crate::random::random_id;

/// Timeout for sending an e-mail, from the connection until the answer of the SMTP server. At shutdown, the server waits longer than
/// this time for its tasks, so that a started attempt can end.
const PATIENCE: Duration = Duration::from_secs(8);

/// Maximum number of concurrent connections of this server to the SMTP server.
const MOST_AT_ONCE: usize = 4;

/// Default port of an unencrypted SMTP server on this machine.
const LOCAL_PORT: u16 = 25;

/// Client of the SMTP server.
pub(crate) struct MailSender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    smtp: SmtpAddress,
    from: MailFrom,
    url: PublicUrl,
    places: Semaphore,
}

/// Result of an attempt to send an e-mail: the answer of the SMTP server, or the lack of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MailOutcome {
    /// The SMTP server accepted the message.
    Accepted,
    /// The SMTP server rejected the message permanently, for example because the address does not exist.
    Refused,
    /// The SMTP server was unreachable, or rejected the message temporarily. In both cases, the SMTP server has not taken the message.
    Failed,
    /// The SMTP server did not answer, or the connection broke. The SMTP server may have taken the message.
    Unknown,
}

impl MailSender {
    /// Returns a client of an SMTP server. The links in the messages lead to `url`, the public address of this server.
    pub(crate) fn new(
        settings: MailSettings,
        url: PublicUrl,
    ) -> Result<Self, lettre::transport::smtp::Error> {
        let MailSettings { smtp, from } = settings;
        let host = &*smtp.host;
        let builder = match smtp.encryption {
            Encryption::Tls => AsyncSmtpTransport::<Tokio1Executor>::relay(host)?,
            Encryption::StartTls => AsyncSmtpTransport::<Tokio1Executor>::starttls_relay(host)?,
            Encryption::Local => {
                AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host).port(LOCAL_PORT)
            }
        };
        // The time limit of the SMTP library is shorter than [`PATIENCE`], so that an unreachable SMTP server gives
        // `MailOutcome::Failed` and not `MailOutcome::Unknown`.
        let mut builder = builder
            .timeout(Some(PATIENCE * 3 / 4))
            .hello_name(ClientId::Domain(url.host().to_owned()));
        if let Some(port) = smtp.port {
            builder = builder.port(port);
        }
        if let Some((user, password)) = smtp.login.clone() {
            builder = builder.credentials(Credentials::new(user, password));
        }
        let places = Semaphore::new(MOST_AT_ONCE);
        Ok(Self { transport: builder.build(), smtp, from, url, places })
    }

    /// Returns the public address of this server for links in messages, without a slash at the end.
    pub(crate) fn origin(&self) -> String {
        self.url.origin()
    }

    /// Sends an e-mail. When this server shuts down, a message that still waits for a connection fails, because the attempt
    /// would not end in time.
    pub(crate) async fn send(
        &self,
        to: &EmailAddress,
        text: MailText,
        stop: &CancellationToken,
    ) -> Result<MailOutcome, ApiError> {
        let message = self.message(to, text)?;
        let place = tokio::select! {
            biased;
            place = self.places.acquire() => place,
            () = stop.cancelled() => return Ok(MailOutcome::Failed),
        };
        let Ok(_place) = place else { return Ok(MailOutcome::Failed) };
        let (fault, outcome) = match timeout(PATIENCE, self.transport.send(message)).await {
            Ok(Ok(_)) => return Ok(MailOutcome::Accepted),
            // The text of the SMTP server's response may contain the address of the recipient. Therefore only the status code is
            // logged.
            Ok(Err(error)) => match error.status().map(u16::from) {
                Some(status) if (550..=554).contains(&status) => {
                    (answered(status), MailOutcome::Refused)
                }
                Some(status) => (answered(status), MailOutcome::Failed),
                None if is_before_message(&error) => (error.to_string(), MailOutcome::Failed),
                None => (error.to_string(), MailOutcome::Unknown),
            },
            Err(_) => ("the SMTP server did not answer in time".to_owned(), MailOutcome::Unknown),
        };
        tracing::warn!(server = %self.smtp, fault, "the SMTP server did not accept an e-mail");
        Ok(outcome)
    }

    fn message(&self, to: &EmailAddress, text: MailText) -> Result<Message, ApiError> {
        let id = format!("<{}@{}>", random_id()?, self.url.host());
        // Programs that send absence replies do not reply to a message with the header `Auto-Submitted` (RFC 3834).
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        let mut message = Message::builder()
            .from(self.from.0.clone())
            .to(Mailbox::new(None, to.address()))
            .subject(text.subject)
            .message_id(Some(id))
            .raw_header(HeaderValue::new(name, "auto-generated".to_owned()));
        if let Some(address) = text.unsubscribe {
            // With the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, mail programs offer a button that sends a POST request to
            // the unsubscribe address (RFC 8058).
            let list = HeaderName::new_from_ascii_str("List-Unsubscribe");
            let post = HeaderName::new_from_ascii_str("List-Unsubscribe-Post");
            message = message
                .raw_header(HeaderValue::new(list, format!("<{address}>")))
                .raw_header(HeaderValue::new(post, "List-Unsubscribe=One-Click".to_owned()));
        }
        message.header(ContentType::TEXT_PLAIN).body(text.body).map_err(ApiError::internal)
    }
}

fn answered(status: u16) -> String {
    format!("the SMTP server answered with status {status}")
}

/// Returns whether an SMTP error occurred before the message was sent: while connecting, or while setting up the encryption. The
/// caller passes only errors without a status code from the SMTP server.
fn is_before_message(error: &lettre::transport::smtp::Error) -> bool {
    // The SMTP library `lettre` has no method that detects a connection error. Therefore the text of the error is compared.
    error.is_client() || error.is_tls() || error.to_string().starts_with("Connection error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stopping_server_fails_a_message_that_waits_for_a_connection() {
        let settings = MailSettings {
            smtp: "smtp://127.0.0.1:1".parse().expect("an address"),
            from: "mate@mate.example".parse().expect("a sender"),
        };
        let url = "https://mate.example".parse().expect("an address");
        let sender = MailSender::new(settings, url).expect("a client");
        let to = EmailAddress::read("anna@mate.example").expect("an address");
        let places = sender.places.acquire_many(4).await.expect("all places");
        let stop = CancellationToken::new();
        let text = MailText { subject: "Mate", body: "Mate".to_owned(), unsubscribe: None };
        let sent = sender.send(&to, text, &stop);
        let (sent, ()) = tokio::join!(timeout(PATIENCE, sent), async { stop.cancel() });
        assert_eq!(sent.expect("an answer in time").expect("a message"), MailOutcome::Failed);
        drop(places);
    }
}
