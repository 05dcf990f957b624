//! Sends e-mail over the SMTP server that the operator has set up.

mod address;
mod sender;
mod settings;
mod text;
mod turn;

pub(crate) use address::EmailAddress;
pub(crate) use sender::{MailOutcome, MailSender};
pub use settings::{MailFault, MailFrom, MailSettings, SmtpAddress};
pub(crate) use text::text_of;
pub(crate) use turn::{TurnFacts, turn_text};
