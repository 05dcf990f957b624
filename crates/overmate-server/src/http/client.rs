//! Identifies the client of an HTTP request by the identity cookie and by the IP address.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;
use hmac::Mac as _;

use super::forwarded;
use crate::keyed_hash::keyed_hash;
use crate::store::Holder;

/// Prefix lengths of the IPv6 networks with rate limits, in bits, each with a factor. The factor is the ratio of the network's limit to the
/// limit of one IPv4 address.
///
/// A network provider may give a customer a whole /56 or /48, in which the customer chooses the
/// addresses. An IPv4 address has only the first limit.
pub(crate) const NETWORKS: [(u32, u32); 3] = [(64, 1), (56, 2), (48, 4)];

/// Sender of HTTP requests: an IPv4 address or a 64-bit IPv6 prefix, with the browser identity if the identity is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client {
    address: IpAddr,
    browser: Option<Holder>,
}

impl Client {
    /// Returns a client that is known only by its IP address, without a browser identity.
    pub(crate) fn at(address: IpAddr) -> Self {
        let address = match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(network(address, NETWORKS[0].0)),
            address @ IpAddr::V4(_) => address,
        };
        Self { address, browser: None }
    }

    /// Creates a client for a browser of which only the identity and perhaps a 16-bit network number (a hash) are known. The network
    /// number, if known, is mapped to a private IPv6 address, which replaces the real address. All browsers without a network number share
    /// one further private address. Browsers with the same private address share the limits of one network.
    pub(crate) fn numbered(browser: Holder, network: Option<u16>) -> Self {
        let [is_known, number] = network.map_or([0, 0], |number| [1, number]);
        let address = Ipv6Addr::new(0xfd00, is_known, number, 0, 0, 0, 0, 0);
        Self { browser: Some(browser), ..Self::at(IpAddr::V6(address)) }
    }

    /// Returns the client's network number: a 16-bit keyed hash of the IPv4 address or of the
    /// 48-bit IPv6 prefix. Many networks have the same number, so that the number does not reveal
    /// the address.
    pub(crate) fn network_number(self, key: &[u8; 32]) -> u16 {
        let hash = keyed_hash(key);
        let hash = hash.chain_update("number of the network ");
        let hash = match self.network() {
            IpAddr::V4(address) => hash.chain_update(address.octets()),
            IpAddr::V6(address) => hash.chain_update(address.octets()),
        };
        hash.finalize().into_bytes().first_chunk().copied().map_or(0, u16::from_be_bytes)
    }

    /// Returns a copy of this client with another browser identity, or with no browser identity for `None`.
    pub(crate) fn with_browser(self, browser: Option<Holder>) -> Self {
        Self { browser, ..self }
    }

    /// Returns the client's browser identity, or `None` for a client without a valid cookie or bot token.
    pub(crate) fn browser(self) -> Option<Holder> {
        self.browser
    }

    /// Returns the client that sent an HTTP request, with its IP address but without its browser identity. The address is the TCP
    /// peer, or comes from the reverse proxy. All requests without an address count as one client.
    pub(crate) fn of(headers: &HeaderMap, peer: Option<IpAddr>, behind_proxy: bool) -> Self {
        // A reverse proxy appends the IP address of its TCP peer to the header `X-Forwarded-For` or `Forwarded`. Only this last
        // address is trusted, because a client may forge the earlier addresses.
        let last = |name| {
            let values = headers.get_all(name);
            // The client's part of the header may hold any bytes. Bytes that are not UTF-8 must not hide the element of the proxy.
            values.iter().next_back().map(|value| String::from_utf8_lossy(value.as_bytes()))
        };
        let reported = || {
            if let Some(text) = last("x-forwarded-for") {
                return address_of(forwarded::unquoted(forwarded::last_element(&text)));
            }
            let text = last("forwarded")?;
            address_of(forwarded::parameter(forwarded::last_element(&text), "for")?)
        };
        let address = if behind_proxy { reported().or(peer) } else { peer };
        Self::at(address.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)))
    }

    /// Returns the IP networks whose rate limits apply to the client, from small to large: three
    /// for an IPv6 address, one for an IPv4 address.
    pub(crate) fn networks(self) -> impl Iterator<Item = IpAddr> {
        NETWORKS.iter().map_while(move |(bits, _)| match self.address {
            IpAddr::V6(address) => Some(IpAddr::V6(network(address, *bits))),
            IpAddr::V4(_) => (*bits == NETWORKS[0].0).then_some(self.address),
        })
    }

    /// Returns the largest IP network whose rate limits apply to the client: an IPv4 address, or an
    /// IPv6 network with a 48-bit prefix.
    pub(crate) fn network(self) -> IpAddr {
        self.networks().last().unwrap_or(self.address)
    }
}

/// Returns the IPv6 network of an address: its first `bits` bits, followed by zeros.
fn network(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits)))
}

/// Parses an IP address with or without a port, such as `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or
/// `[2001:db8::1]:80`.
fn address_of(text: &str) -> Option<IpAddr> {
    let in_brackets = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let address = in_brackets.unwrap_or(text).parse().ok();
    address.or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn browsers_at_unknown_addresses_share_the_network_with_their_number() {
        let network = |browser, number| Client::numbered(Holder([browser; 32]), number).network();
        assert_eq!(network(1, None), network(2, None));
        assert_eq!(network(1, Some(7)), network(2, Some(7)));
        let different = [None, Some(0), Some(1), Some(7), Some(u16::MAX)];
        let different: HashSet<IpAddr> = different.map(|number| network(1, number)).into();
        assert_eq!(different.len(), 5);
    }

    #[test]
    fn the_number_of_a_network_depends_on_the_network_and_the_key() {
        let number = |address: &str, key: u8| {
            Client::at(address.parse().expect("an address")).network_number(&[key; 32])
        };
        assert_eq!(number("2001:db8:1::1", 1), number("2001:db8:1:ffff::2", 1), "one /48");
        assert_ne!(number("2001:db8:1::1", 1), number("2001:db8:2::1", 1));
        assert_ne!(number("192.0.2.1", 1), number("192.0.2.2", 1));
        assert_ne!(number("192.0.2.1", 1), number("192.0.2.1", 2));
    }

    #[test]
    fn a_forwarded_address_is_read_with_and_without_a_port() {
        for (text, expected) in [
            ("192.0.2.1", "192.0.2.1"),
            ("192.0.2.1:8080", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:8080", "2001:db8::1"),
            ("198.51.100.7, 192.0.2.1:8080", "192.0.2.1"),
            ("198.51.100.7, 192.0.2.1,", "192.0.2.1"),
            ("198.51.100.7, \"192.0.2.1:8080\"", "192.0.2.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", HeaderValue::from_static(text));
            let expected = Client::at(expected.parse().expect("an address"));
            assert_eq!(Client::of(&headers, None, true), expected, "{text}");
        }
    }

    #[test]
    fn the_header_forwarded_is_read_if_there_is_no_x_forwarded_for() {
        for (text, expected) in [
            ("for=192.0.2.1", "192.0.2.1"),
            ("For=\"192.0.2.1:8080\";proto=https;by=203.0.113.43", "192.0.2.1"),
            ("for=198.51.100.7, proto=https; for=\"[2001:db8::1]:4711\"", "2001:db8::1"),
            ("for=198.51.100.7, for=\"[2001:db8::1]\"", "2001:db8::1"),
            ("for=198.51.100.7, for=_hidden", "203.0.113.9"),
            ("for=\"[2001:db8:0:1::1]:42\";host=\"a,for=9.9.9.9\"", "2001:db8:0:1::1"),
            ("for=9.9.9.9;host=\", for=192.0.2.1", "192.0.2.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("forwarded", HeaderValue::from_static(text));
            let peer: IpAddr = "203.0.113.9".parse().expect("an address");
            let expected = Client::at(expected.parse().expect("an address"));
            assert_eq!(Client::of(&headers, Some(peer), true), expected, "{text}");
            headers.insert("x-forwarded-for", HeaderValue::from_static("192.0.2.77"));
            let proxied = Client::at("192.0.2.77".parse().expect("an address"));
            assert_eq!(Client::of(&headers, Some(peer), true), proxied, "{text}");
        }
    }

    #[test]
    fn bytes_that_are_not_ascii_do_not_hide_the_address_from_the_proxy() {
        let peer: IpAddr = "203.0.113.9".parse().expect("an address");
        let expected = Client::at("192.0.2.1".parse().expect("an address"));
        for (name, value) in [
            ("x-forwarded-for", &b"\xff, 192.0.2.1"[..]),
            ("x-forwarded-for", "\u{e4}, 192.0.2.1".as_bytes()),
            ("forwarded", b"for=\x80, for=192.0.2.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_bytes(value).expect("a header value"));
            assert_eq!(Client::of(&headers, Some(peer), true), expected, "{name}: {value:?}");
        }
    }

    #[test]
    fn a_forwarded_address_counts_behind_a_proxy_only() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_static("192.0.2.1"));
        let peer: IpAddr = "198.51.100.7".parse().expect("an address");
        assert_eq!(Client::of(&headers, Some(peer), false), Client::at(peer));
        headers.insert("x-forwarded-for", HeaderValue::from_static("unknown"));
        assert_eq!(Client::of(&headers, Some(peer), true), Client::at(peer));
    }
}
