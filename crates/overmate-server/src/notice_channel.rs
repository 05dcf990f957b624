//! Names the way on which servers tell each other of changes: none, PostgreSQL, or NATS.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

use async_nats::ServerAddr;

/// Way on which servers that share a database tell each other of changes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NoticeChannel {
    /// The server tells nobody, because no other server uses the database.
    Local,
    /// `LISTEN` and `NOTIFY` in the PostgreSQL database of the servers.
    Postgres,
    /// NATS server.
    Nats(NatsAddress),
}

/// Addresses of the NATS servers of one cluster, with the user and the password. The password is never shown.
#[derive(Clone)]
pub struct NatsAddress(Vec<ServerAddr>);

/// Reason why a text names no way of notices.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[error(
    "events go by local, postgres, or nats://HOST:PORT, with commas between several servers of NATS"
)]
pub struct NoticeChannelFault;

impl NatsAddress {
    pub(crate) fn servers(&self) -> &[ServerAddr] {
        &self.0
    }
}

impl FromStr for NatsAddress {
    type Err = NoticeChannelFault;

    /// Reads `nats://USER:PASSWORD@HOST:PORT`, or `tls://…` for an encrypted connection, with commas between several servers.
    fn from_str(text: &str) -> Result<Self, NoticeChannelFault> {
        let read = |text: &str| {
            let is_nats = text.starts_with("nats://") || text.starts_with("tls://");
            let address: ServerAddr = text.parse().map_err(|_| NoticeChannelFault)?;
            if is_nats && !address.host().is_empty() {
                Ok(address)
            } else {
                Err(NoticeChannelFault)
            }
        };
        text.split(',').map(read).collect::<Result<_, _>>().map(Self)
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
    /// Writes the addresses without users and passwords.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (number, address) in self.0.iter().enumerate() {
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
    fn a_shown_address_of_nats_has_no_password() {
        let channel: NoticeChannel =
            "nats://anna:secret@a.example,tls://b.example:4000".parse().expect("an address");
        assert_eq!(format!("{channel:?}"), "Nats(nats://a.example:4222,tls://b.example:4000)");
        for text in ["", "nats://", "a.example", "ws://a.example", "nats://a.example,", "redis://a"]
        {
            assert!(NoticeChannel::from_str(text).is_err(), "{text}");
        }
    }
}
