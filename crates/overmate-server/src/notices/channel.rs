//! Defines the channel for change notices between servers: none, PostgreSQL, or NATS.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

use async_nats::ServerAddr;
use percent_encoding::percent_decode_str;

/// Channel for change notices between servers on the same database.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NoticeChannel {
    /// No channel for change notices: no other server uses the database.
    Local,
    /// PostgreSQL channel, with `LISTEN` and `NOTIFY` in the servers' database.
    Postgres,
    /// NATS channel at the given addresses.
    Nats(NatsAddress),
}

/// Addresses of the NATS servers of one cluster, with user and password. The password never appears in formatted text.
#[derive(Clone)]
pub struct NatsAddress {
    /// Addresses of the NATS servers, from which user and password have been removed. The NATS client library would log a password that
    /// stands in an address, and would not send the password to the NATS server.
    servers: Vec<ServerAddr>,
    login: Option<Login>,
}

/// User and password of a NATS cluster.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) user: String,
    pub(crate) password: String,
}

/// Parse error: the string names no channel for change notices.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[error(
    "the events channel is unknown: write local, postgres, or nats://USER:PASSWORD@HOST:PORT; for several servers of a NATS cluster, separate the addresses with commas and give each the same user and password"
)]
pub struct NoticeChannelFault;

impl NatsAddress {
    pub(crate) fn servers(&self) -> &[ServerAddr] {
        &self.servers
    }

    pub(crate) fn login(&self) -> Option<&Login> {
        self.login.as_ref()
    }
}

/// Parses the address of a NATS server, with its percent-encoded user and password.
fn server(text: &str) -> Result<(ServerAddr, Option<Login>), NoticeChannelFault> {
    let (scheme, rest) = text.split_once("://").ok_or(NoticeChannelFault)?;
    let (login, host) = match rest.rsplit_once('@') {
        Some((login, host)) => (Some(login), host),
        None => (None, rest),
    };
    let address: ServerAddr =
        format!("{scheme}://{host}").parse().map_err(|_| NoticeChannelFault)?;
    if !matches!(scheme, "nats" | "tls") || address.host().is_empty() {
        return Err(NoticeChannelFault);
    }
    let decoded = |text: &str| {
        let text = percent_decode_str(text).decode_utf8().map_err(|_| NoticeChannelFault)?;
        Ok(text.into_owned())
    };
    let Some(login) = login else { return Ok((address, None)) };
    let (user, password) = login.split_once(':').ok_or(NoticeChannelFault)?;
    Ok((address, Some(Login { user: decoded(user)?, password: decoded(password)? })))
}

impl FromStr for NatsAddress {
    type Err = NoticeChannelFault;

    /// Parses a NATS address in the form `nats://USER:PASSWORD@HOST:PORT`, or `tls://…` for an encrypted connection. Commas
    /// separate several servers.
    fn from_str(text: &str) -> Result<Self, NoticeChannelFault> {
        let read: Vec<_> = text.split(',').map(server).collect::<Result<_, _>>()?;
        let (servers, logins): (Vec<_>, Vec<_>) = read.into_iter().unzip();
        let mut logins = logins.into_iter().flatten();
        let login = logins.next();
        // The NATS client sends the same user and password to all NATS servers.
        if logins.any(|other| login.as_ref() != Some(&other)) {
            return Err(NoticeChannelFault);
        }
        Ok(Self { servers, login })
    }
}

impl FromStr for NoticeChannel {
    type Err = NoticeChannelFault;

    fn from_str(text: &str) -> Result<Self, NoticeChannelFault> {
        match text {
            "local" => Ok(Self::Local),
            "postgres" => Ok(Self::Postgres),
            _ => text.parse().map(Self::Nats),
        }
    }
}

impl Display for NatsAddress {
    /// Formats the addresses of the NATS servers without users and passwords.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (number, address) in self.servers.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let (scheme, host, port) = (address.scheme(), address.host(), address.port());
            write!(formatter, "{comma}{scheme}://{host}:{port}")?;
        }
        Ok(())
    }
}

impl Debug for NatsAddress {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_and_the_password_are_percent_encoded() {
        let address: NatsAddress = "nats://anna:a%40b%3Ac@a.example".parse().expect("an address");
        let login = address.login().expect("a login");
        assert_eq!((&*login.user, &*login.password), ("anna", "a@b:c"));
        assert!(address.servers().iter().all(|server| !server.has_user_pass()));
    }

    #[test]
    fn a_shown_address_of_nats_has_no_password() {
        let channel: NoticeChannel =
            "nats://anna:secret@a.example,tls://b.example:4000".parse().expect("an address");
        assert_eq!(format!("{channel:?}"), "Nats(nats://a.example:4222,tls://b.example:4000)");
        for text in [
            "",
            "nats://",
            "a.example",
            "ws://a.example",
            "nats://a.example,",
            "redis://a",
            "nats://anna@a.example",
            "nats://anna:secret@a.example,nats://bert:secret@b.example",
        ] {
            assert!(NoticeChannel::from_str(text).is_err(), "{text}");
        }
    }
}
