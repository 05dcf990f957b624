//! Hands messages to the SMTP server.

use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::address::EmailAddress;
use super::settings::{Encryption, MailFrom, MailSettings, SmtpAddress};
use super::text::MailText;
use crate::error::ApiError;
use crate::public_url::PublicUrl;
use crate::random::random_id;

/// Time limit of a message, from the connection to the answer. A stopping server waits longer for its tasks.
const PATIENCE: Duration = Duration::from_secs(8);

/// Largest number of connections of this server to the SMTP server.
const MOST_AT_ONCE: usize = 4;

/// Port of a server on this machine without encryption.
const LOCAL_PORT: u16 = 25;

/// Client of the SMTP server.
pub(crate) struct MailSender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    smtp: SmtpAddress,
    from: MailFrom,
    url: PublicUrl,
    places: Semaphore,
}

/// Answer of the SMTP server, or its absence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MailOutcome {
    /// The server accepted the message.
    Accepted,
    /// The server refused the message for good, for example because nobody has the address.
    Refused,
    /// The server was not reached, or failed.
    Failed,
}

impl MailSender {
    /// Returns the client of an SMTP server, for the links of the server at a public address.
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
        let mut builder =
            builder.timeout(Some(PATIENCE)).hello_name(ClientId::Domain(url.host().to_owned()));
        if let Some(port) = smtp.port {
            builder = builder.port(port);
        }
        if let Some((user, password)) = smtp.login.clone() {
            builder = builder.credentials(Credentials::new(user, password));
        }
        let places = Semaphore::new(MOST_AT_ONCE);
        Ok(Self { transport: builder.build(), smtp, from, url, places })
    }

    /// Returns the address of this server for links, without a slash at the end.
    pub(crate) fn origin(&self) -> String {
        self.url.origin()
    }

    /// Sends a message.
    pub(crate) async fn send(
        &self,
        to: &EmailAddress,
        text: MailText,
    ) -> Result<MailOutcome, ApiError> {
        let message = self.message(to, text)?;
        let Ok(_place) = self.places.acquire().await else { return Ok(MailOutcome::Failed) };
        let (fault, is_final) = match timeout(PATIENCE, self.transport.send(message)).await {
            Ok(Ok(_)) => return Ok(MailOutcome::Accepted),
            // The text of an answer may contain the address of the recipient, and is not logged.
            Ok(Err(error)) => match error.status().map(u16::from) {
                Some(status) => (
                    format!("the server answered with status {status}"),
                    (550..=554).contains(&status),
                ),
                None => (error.to_string(), false),
            },
            Err(_) => ("the server did not answer in time".to_owned(), false),
        };
        tracing::warn!(server = %self.smtp, fault, "an e-mail was not accepted");
        Ok(if is_final { MailOutcome::Refused } else { MailOutcome::Failed })
    }

    fn message(&self, to: &EmailAddress, text: MailText) -> Result<Message, ApiError> {
        let id = format!("<{}@{}>", random_id()?, self.url.host());
        // Programs that answer during an absence do not answer such a message (RFC 3834).
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        Message::builder()
            .from(self.from.0.clone())
            .to(Mailbox::new(None, to.address()))
            .subject(text.subject)
            .message_id(Some(id))
            .raw_header(HeaderValue::new(name, "auto-generated".to_owned()))
            .header(ContentType::TEXT_PLAIN)
            .body(text.body)
            .map_err(ApiError::internal)
    }
}
