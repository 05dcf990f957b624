//! Defines the SMTP server and the sender address of e-mails, which the operator configures.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;

/// E-mail settings of a server: the SMTP server, and the sender of the e-mails.
#[derive(Clone, Debug)]
pub struct MailSettings {
    /// SMTP server that relays the e-mails of this server.
    pub smtp: SmtpAddress,
    /// Sender of the server's e-mails.
    pub from: MailFrom,
}

/// Address of an SMTP server, with user and password. The password never appears in formatted text.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpAddress {
    pub(super) encryption: Encryption,
    pub(super) host: String,
    pub(super) port: Option<u16>,
    /// User name and password, or `None` for an SMTP server without authentication.
    pub(super) login: Option<(String, String)>,
}

/// Encryption of the connection to an SMTP server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encryption {
    /// Implicit TLS (from the start of the connection), by default at port 465.
    Tls,
    /// TLS after the command STARTTLS, by default at port 587. Nothing is sent to a server that does not offer this command.
    StartTls,
    /// No encryption, by default at port 25. The SMTP server is on this machine.
    Local,
}

/// Sender of the server's e-mails: an e-mail address, optionally with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailFrom(pub(super) Mailbox);

/// Parse error: the string is not a valid SMTP server or sender address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MailFault {
    /// The string is not a valid address of an SMTP server.
    #[error(
        "the SMTP server is not valid: write smtps://USER:PASSWORD@HOST:PORT, or smtp://USER:PASSWORD@HOST:PORT for STARTTLS, and percent-encode signs such as @ and / in user and password"
    )]
    Smtp,
    /// The string is not a valid sender address of e-mails.
    #[error(
        "the sender of e-mail is not valid: write an address such as mate@example.org, or a name with an address such as Overmate <mate@example.org>"
    )]
    From,
}

impl FromStr for SmtpAddress {
    type Err = MailFault;

    fn from_str(text: &str) -> Result<Self, MailFault> {
        let (scheme, rest) = text.split_once("://").ok_or(MailFault::Smtp)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (login, place) = match rest.rsplit_once('@') {
            Some((login, place)) => (Some(login), place),
            None => (None, rest),
        };
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, Some(port.parse().map_err(|_| MailFault::Smtp)?))
            }
            _ => (place, None),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | ':');
        if host.is_empty() || !host.chars().all(is_host) || port == Some(0) {
            return Err(MailFault::Smtp);
        }
        let is_local = host == "localhost"
            || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        let encryption = match scheme {
            "smtps" => Encryption::Tls,
            "smtp" if is_local => Encryption::Local,
            "smtp" => Encryption::StartTls,
            _ => return Err(MailFault::Smtp),
        };
        let decoded = |text: &str| match percent_decode_str(text).decode_utf8() {
            Ok(text) if !text.is_empty() && !text.contains(char::is_control) => {
                Ok(text.into_owned())
            }
            _ => Err(MailFault::Smtp),
        };
        let login = login.map(|login| {
            let (user, password) = login.split_once(':').ok_or(MailFault::Smtp)?;
            Ok((decoded(user)?, decoded(password)?))
        });
        Ok(Self { encryption, host, port, login: login.transpose()? })
    }
}

impl Display for SmtpAddress {
    /// Formats the address of the SMTP server without user and password.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let scheme = if self.encryption == Encryption::Tls { "smtps" } else { "smtp" };
        write!(formatter, "{scheme}://{}", self.host)?;
        self.port.map_or(Ok(()), |port| write!(formatter, ":{port}"))
    }
}

impl Debug for SmtpAddress {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

impl FromStr for MailFrom {
    type Err = MailFault;

    fn from_str(text: &str) -> Result<Self, MailFault> {
        if text.contains(char::is_control) {
            return Err(MailFault::From);
        }
        text.parse().map(Self).map_err(|_| MailFault::From)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_to_other_machines_are_encrypted() {
        let login = |user: &str, password: &str| Some((user.to_owned(), password.to_owned()));
        let mut read = 0;
        for (text, encryption, host, port, expected) in [
            ("smtps://mail.example", Encryption::Tls, "mail.example", None, None),
            (
                "smtps://a:b@Mail.Example:465/",
                Encryption::Tls,
                "mail.example",
                Some(465),
                login("a", "b"),
            ),
            ("smtp://mail.example:587", Encryption::StartTls, "mail.example", Some(587), None),
            (
                "smtp://a%40c:p%2F%25@relay",
                Encryption::StartTls,
                "relay",
                None,
                login("a@c", "p/%"),
            ),
            ("smtp://localhost", Encryption::Local, "localhost", None, None),
            ("smtp://127.0.0.1:2525", Encryption::Local, "127.0.0.1", Some(2_525), None),
            ("smtp://[::1]:25", Encryption::Local, "::1", Some(25), None),
        ] {
            let address: SmtpAddress = text.parse().expect("an address");
            let found = (address.encryption, &*address.host, address.port, address.login.clone());
            assert_eq!(found, (encryption, host, port, expected), "{text}");
            read += 1;
        }
        assert_eq!(read, 7);
    }

    #[test]
    fn the_password_is_never_shown() {
        let address: SmtpAddress =
            "smtps://anna:geheim@mail.example:465".parse().expect("an address");
        for shown in [address.to_string(), format!("{address:?}")] {
            assert_eq!(shown, "smtps://mail.example:465");
        }
        let mut refused = 0;
        for text in [
            "",
            "mail.example",
            "http://mail.example",
            "smtps://",
            "smtps://anna@mail.example",
            "smtps://anna:geheim@mail.example:99999",
            "smtps://anna:geheim@mail.example:0",
            "smtps://anna:geheim@mail example",
            "smtps://anna:geheim@mail.example/path",
            "smtps://anna:%0D%0A@mail.example",
        ] {
            let fault = text.parse::<SmtpAddress>().expect_err(text);
            assert!(!fault.to_string().contains("geheim"));
            refused += 1;
        }
        assert_eq!(refused, 10);
    }

    #[test]
    fn a_sender_is_one_address() {
        let mut tried = 0;
        for (text, is_accepted) in [
            ("mate@example.org", true),
            ("Overmate <mate@example.org>", true),
            ("Spielabend Köln <mate@example.org>", true),
            ("", false),
            ("Overmate", false),
            ("a@example.org, b@example.org", false),
            ("Overmate <mate@example.org>\r\nBcc: b@example.org", false),
        ] {
            assert_eq!(text.parse::<MailFrom>().is_ok(), is_accepted, "{text}");
            tried += 1;
        }
        assert_eq!(tried, 7);
    }
}
